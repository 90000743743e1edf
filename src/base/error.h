/*
 * error.h -- errors are values, and the first one wins.
 *
 * Inside the library an error pointer is never NULL; public functions pass a local one instead. The function
 * that fails first fills it; later failures, which follow from the first, change nothing.
 */
#ifndef NUMEL_BASE_ERROR_H
#define NUMEL_BASE_ERROR_H

#include <numel.h>

#include <inttypes.h>
#include <stdarg.h>

/* Fills *e unless it already holds an error. Always returns false, to allow `return error_set(...)`. Quote
 * untrusted text in the arguments first (text.h); everything else, such as paths, is made safe to show
 * (text_safe()). */
bool error_set(numel_error *e, numel_rc code, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool error_setv(numel_error *e, numel_rc code, uint64_t offset, const char *format, va_list)
    __attribute__((format(printf, 4, 0)));
/* Fill the error for the two functions below. */
void error_put_nomem(numel_error *e);
void error_put_errno(numel_error *e, const char *doing, int number);
void error_clear(numel_error *e);
/* Adds the file's name unless the error already has one. */
void error_file(numel_error *e, const char *path);

/* Inline, so that compilers and analyzers see that it always returns false. */
static inline bool error_nomem(numel_error *e)
{
    error_put_nomem(e);
    return false;
}

/* IO with errno's text, "cannot open: No such file or directory"; NOMEM for ENOMEM. */
static inline bool error_errno(numel_error *e, const char *doing, int number)
{
    error_put_errno(e, doing, number);
    return false;
}

static inline bool error_free(const numel_error *e) { return e->code == NUMEL_OK; }

#endif
