/* error.c -- fills error values. The texts for codes come from the list in numel.h. */
#include "base/error.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char *numel_rc_name(numel_rc code)
{
    switch (code) {
    case NUMEL_OK: return "OK";
#define X(name, value, text) \
    case NUMEL_E_##name: return #name;
        NUMEL_ERRORS(X)
#undef X
    case NUMEL_E_WIDTH: break;
    }
    return "UNKNOWN";
}

const char *numel_rc_text(numel_rc code)
{
    switch (code) {
    case NUMEL_OK: return "no error";
#define X(name, value, text) \
    case NUMEL_E_##name: return text;
        NUMEL_ERRORS(X)
#undef X
    case NUMEL_E_WIDTH: break;
    }
    return "unknown error";
}

#define STRING_(x) #x
#define STRING(x) STRING_(x)

const char *numel_version(void)
{
    return STRING(NUMEL_VERSION_MAJOR) "." STRING(NUMEL_VERSION_MINOR) "." STRING(NUMEL_VERSION_PATCH);
}

bool error_setv(numel_error *e, numel_rc code, uint64_t offset, const char *format, va_list args)
{
    if (!error_free(e)) return false;
    char text[sizeof e->what]; /* the arguments may contain paths and names */
    e->code = code;
    e->offset = offset;
    int n = vsnprintf(text, sizeof text, format, args);
    numel_str said = { text, n < 0 ? 0 : strlen(text) };
    if (n >= (int)sizeof text) said.n = text_whole(said);
    text_safe_fit(e->what, sizeof e->what, said);
    return false;
}

bool error_set(numel_error *e, numel_rc code, uint64_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_setv(e, code, offset, format, args);
    va_end(args);
    return false;
}

void error_put_nomem(numel_error *e) { error_set(e, NUMEL_E_NOMEM, NUMEL_NOWHERE, "out of memory"); }

void error_put_errno(numel_error *e, const char *doing, int number)
{
    char text[128]; /* strerror() has one text for all threads */
    if (number == ENOMEM) error_put_nomem(e);
    else if (strerror_r(number, text, sizeof text) == 0)
        error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "%s: %s", doing, text);
    else error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "%s: error %d", doing, number);
}

void error_clear(numel_error *e)
{
    e->code = NUMEL_OK;
    e->offset = NUMEL_NOWHERE;
    e->file[0] = e->what[0] = 0;
}

void error_file(numel_error *e, const char *path)
{
    if (!error_free(e) && !e->file[0]) snprintf(e->file, sizeof e->file, "%s", path_shown(path));
}
