/*
 * config_file.c -- reads and parses the small JSON files next to a checkpoint.
 *
 * Files such as config.json are read whole, so their size is limited. A file that shrinks while it is copied
 * causes an error, not a signal (source/guard.h).
 */
#include "model/config_file.h"

#include "base/text.h"
#include "formula/config.h"
#include "source/folder.h"
#include "source/source.h"

enum { MAX_CONFIG = 16 << 20, ZSTD_CONFIG = 1 << 20 };

struct config_reading {
    struct source s;
    struct buffer *text; /* a copy: parsing cannot be interrupted */
};

static bool copy_body(void *ctx)
{
    struct config_reading *c = ctx;
    buffer_add(c->text, c->s.base, (size_t)c->s.size);
    return true;
}

bool config_file_text(const char *path, struct buffer *text, numel_error *e)
{
    struct config_reading c = { .text = text };
    if (!source_read(&c.s, path, MAX_CONFIG, "configuration", text->memory, e)) return false;
    c.s.spent = SOURCE_FREE - ZSTD_CONFIG; /* the parsed tree may be several times as large */
    bool ok = source_grow(&c.s, MAX_CONFIG, MAX_CONFIG, e);
    source_enough(&c.s);
    if (ok && (c.s.size > MAX_CONFIG || !c.s.complete))
        ok = error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "more than %d bytes: too large for a configuration",
                       MAX_CONFIG);
    ok = ok && source_run(&c.s, copy_body, &c, e);
    if (ok && text->failed) ok = error_nomem(e);
    source_close(&c.s);
    error_file(e, path);
    return ok;
}

json_value *config_text_read(const void *p, size_t n, struct arena *a, numel_error *e)
{
    struct buffer text;
    buffer_init(&text, a->memory);
    buffer_add(&text, p, n);
    if (text.failed) error_nomem(e);
    json_value *doc = text.failed ? NULL : json_doc_parse(text.p, text.n, e);
    buffer_done(&text);
    return doc;
}

json_value *config_file_read(const char *path, struct arena *a, numel_error *e)
{
    struct buffer text;
    buffer_init(&text, a->memory);
    json_value *doc = config_file_text(path, &text, e) ? json_doc_parse(text.p, text.n, e) : NULL;
    buffer_done(&text);
    error_file(e, path);
    return doc;
}

json_value *config_file_load(const numel_checkpoint *ck, const char *name, struct arena *a, const char **path,
                             numel_error *e)
{
    *path = ck->dir ? path_join(a, ck->dir, text_of(name)) : NULL;
    if (!*path || path_kind(*path) != PATH_FILE) return NULL;
    return config_file_read(*path, a, e);
}
