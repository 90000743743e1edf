/*
 * guard.h -- reading a mapped file that another process may shorten.
 *
 * A page of a mapping that lies past the end of its file raises SIGBUS. Every read of mapped bytes
 * runs inside guard_run(), which turns that signal into NUMEL_E_CHANGED. The body may be left at any
 * load from the mapping, as by longjmp: what it owns must be reachable from outside (an arena, a
 * table, a source), never from its own locals alone.
 */
#ifndef NUMEL_SOURCE_GUARD_H
#define NUMEL_SOURCE_GUARD_H

#include "base/error.h"

/* From the one to the other the handler stays where it is: a set of many files installs it once. What is read is still
 * guarded by guard_run() alone. */
void guard_hold(void);
void guard_release(void);

/* body(ctx)'s own result; false with CHANGED when bytes of [base, base+size) went away. Nests. */
NUMEL_MUST bool guard_run(const void *base, uint64_t size, bool (*body)(void *ctx), void *ctx,
                          numel_error *e);

#endif
