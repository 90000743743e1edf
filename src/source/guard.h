/*
 * guard.h -- reading a mapped file that another process may shorten.
 *
 * Reading a mapped page past the end of its file raises SIGBUS. Every read of mapped bytes runs inside
 * guard_run(), which turns that signal into NUMEL_E_CHANGED. The body may be left at any load from the
 * mapping, as by longjmp: what it owns must be reachable from outside (an arena, a table, a source), never
 * only from its locals.
 */
#ifndef NUMEL_SOURCE_GUARD_H
#define NUMEL_SOURCE_GUARD_H

#include "base/error.h"

/* Keep the handler installed between the two calls, so that a set of many files installs it once. Only
 * guard_run() guards reads. */
void guard_hold(void);
void guard_release(void);

/* body(ctx)'s own result; false with CHANGED if bytes of [base, base+size) disappeared. Nests. */
NUMEL_MUST bool guard_run(const void *base, uint64_t size, bool (*body)(void *ctx), void *ctx,
                          numel_error *e);

#endif
