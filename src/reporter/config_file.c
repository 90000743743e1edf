/* config_file.c -- see config_file.h. */
#include "reporter/config_file.h"

#include "base/text.h"
#include "source/folder.h"
#include "source/guard.h"
#include "source/source.h"

enum { MAX_CONFIG = 16 << 20 };

struct config_reading {
    struct source s;
    struct buffer text; /* a copy: cJSON may not be left in the middle */
};

static bool copy_body(void *ctx)
{
    struct config_reading *c = ctx;
    buffer_add(&c->text, c->s.base, (size_t)c->s.size);
    return true;
}

json_value *config_file_load(const numel_checkpoint *ck, const char *name, struct arena *a,
                             const char **path, numel_error *e)
{
    struct config_reading c;
    json_value *doc = NULL;
    *path = ck->dir ? path_join(a, ck->dir, text_of(name)) : NULL;
    if (!*path || path_kind(*path) != PATH_FILE) return NULL;
    if (!source_open(&c.s, *path, a->memory, e)) return NULL;
    buffer_init(&c.text, a->memory);
    if (c.s.size > MAX_CONFIG)
        error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "%" PRIu64 " bytes are too many for a %s",
                  c.s.size, name);
    else if (guard_run(c.s.base, c.s.size, copy_body, &c, e))
        doc = c.text.failed ? NULL : json_doc_parse(c.text.p, c.text.n, e);
    if (c.text.failed) error_nomem(e);
    buffer_done(&c.text);
    source_close(&c.s);
    error_file(e, *path);
    return doc;
}
