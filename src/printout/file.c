/*
 * file.c -- a printout in a file. A caller may try any path, even a checkpoint of a terabyte, so the first
 * bytes decide before the rest is read. A pipe cannot be reread: it is read up to the largest size of a
 * printout.
 */
#include "printout/printout.h"

#include "base/border.h"
#include "base/num.h"
#include "source/folder.h"
#include "source/source.h"
#include "source/stream.h"

#include <string.h>

enum { PROBE = 4096 };

/* Weights have NUL bytes near the start, a text has none. */
NUMEL_MUST static bool is_text(struct stream *s, numel_error *e)
{
    char front[PROBE];
    size_t n = (size_t)num_min(s->was.bytes, PROBE);
    if (!stream_read(s, 0, front, n, e)) return false;
    return (n > 0 && !memchr(front, 0, n)) ||
           error_set(e, NUMEL_E_FORMAT, NUMEL_NOWHERE, "is not a text file");
}

NUMEL_MUST static bool read_text(struct stream *s, numel_printout *out, const numel_allocator *m,
                                 numel_error *e)
{
    out->bytes = (size_t)num_min(s->was.bytes, PRINTOUT_TEXT + 1);
    void *p = memory_resize(m, NULL, out->bytes);
    out->text = p;
    return p ? stream_read(s, 0, p, out->bytes, e) : error_nomem(e);
}

NUMEL_MUST static bool load_file(numel_printout *out, const char *path, const numel_allocator *m,
                                 numel_error *e)
{
    struct stream s;
    bool ok = stream_open(&s, path, e) && is_text(&s, e) && read_text(&s, out, m, e);
    return stream_close(&s, e) && ok;
}

NUMEL_MUST static bool load_pipe(numel_printout *out, const char *path, const numel_allocator *m,
                                 numel_error *e)
{
    struct source s;
    if (!source_read(&s, path, PRINTOUT_TEXT, "printout", m, e)) return false;
    void *p = memory_resize(m, NULL, (size_t)s.size + 1);
    if (p) memcpy(p, s.base, (size_t)s.size);
    out->text = p;
    out->bytes = (size_t)s.size;
    source_close(&s);
    return p || error_nomem(e);
}

/* A text that is too long passes here: reading it reports the error. */
NUMEL_MUST static bool holds_model(const numel_printout *p, const numel_allocator *m, numel_error *e)
{
    bool holds = p->bytes > PRINTOUT_TEXT;
    if (!holds && !printout_holds(&holds, p->text, p->bytes, m, e)) return false;
    return holds || error_set(e, NUMEL_E_FORMAT, NUMEL_NOWHERE, "contains no printed model");
}

numel_rc numel_printout_load(numel_printout *out, const char *path, const numel_options *options,
                             numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_printout own = { .size = sizeof own, .name = path };
    numel_options given;
    error_clear(e);
    if (!border_options(&given, options, e) || !BORDER_GIVE(numel_printout, out, &own, e)) return e->code;
    bool ok = (path_kind(path) == PATH_OTHER ? load_pipe : load_file)(&own, path, given.allocator, e) &&
              holds_model(&own, given.allocator, e);
    if (!ok) memory_release(given.allocator, (void *)(uintptr_t)own.text);
    else ok = BORDER_GIVE(numel_printout, out, &own, e);
    return ok ? NUMEL_OK : e->code;
}

void numel_printout_unload(numel_printout *p, const numel_options *options)
{
    numel_error ignored = { .code = NUMEL_OK };
    numel_options given;
    if (!border_options(&given, options, &ignored)) return;
    memory_release(given.allocator, (void *)(uintptr_t)p->text);
    p->text = NULL;
    p->bytes = 0;
}
