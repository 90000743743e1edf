/*
 * tokenizer_file.c -- a tokenizer's JSON streamed for its largest id, one function per production.
 *
 * Only that id is kept. The scanner skips unneeded keys, but still refuses what is not JSON.
 */
#include "verify/tokenizer_file.h"

#include "base/json_scan.h"
#include "base/text.h"
#include "source/folder.h"
#include "source/source.h"

enum { MAX_TOKENIZER = 256 << 20 };

struct scanning {
    struct json_scan s;
    struct source source;
    struct tokenizer *t;
    bool flat; /* the whole document is a vocabulary */
    numel_error *error;
};

static void keep_id(struct scanning *g, uint64_t id)
{
    if (id < UINT32_MAX) g->t->rows = num_max(g->t->rows, id + 1);
}

/* { "TOKEN": ID, ... } */
static bool read_ids(struct scanning *g)
{
    struct json_text key;
    uint64_t id;
    if (!json_open(&g->s, '{')) return false;
    while (json_member(&g->s, &key)) {
        if (!json_u64(&g->s, &id, "a token's id")) return false;
        keep_id(g, id);
    }
    return json_ok(&g->s);
}

/* [["TOKEN", SCORE], ...]: ids are positions. */
static bool read_places(struct scanning *g)
{
    uint64_t n = 0;
    if (!json_open(&g->s, '[')) return false;
    while (json_more(&g->s, ']')) {
        if (!json_skip(&g->s)) return false;
        keep_id(g, n++);
    }
    return json_ok(&g->s);
}

static bool read_model(struct scanning *g)
{
    struct json_text key;
    if (json_peek(&g->s) != '{') return json_skip(&g->s);
    if (!json_open(&g->s, '{')) return false;
    while (json_member(&g->s, &key)) {
        uint8_t next = json_peek(&g->s);
        bool vocab = text_equal(key.raw, "vocab");
        bool ok = vocab && next == '{'   ? read_ids(g)
                  : vocab && next == '[' ? read_places(g)
                                         : json_skip(&g->s);
        if (!ok) return false;
    }
    return json_ok(&g->s);
}

static bool read_added_token(struct scanning *g)
{
    struct json_text key;
    uint64_t id;
    if (json_peek(&g->s) != '{') return json_skip(&g->s);
    if (!json_open(&g->s, '{')) return false;
    while (json_member(&g->s, &key)) {
        bool is = text_equal(key.raw, "id");
        if (!(is ? json_u64(&g->s, &id, "a token's id") : json_skip(&g->s))) return false;
        if (is) keep_id(g, id);
    }
    return json_ok(&g->s);
}

static bool read_added(struct scanning *g)
{
    if (json_peek(&g->s) != '[') return json_skip(&g->s);
    if (!json_open(&g->s, '[')) return false;
    while (json_more(&g->s, ']'))
        if (!read_added_token(g)) return false;
    return json_ok(&g->s);
}

static bool read_document(struct scanning *g)
{
    struct json_text key;
    if (g->flat) return read_ids(g) && json_finish(&g->s);
    if (!json_open(&g->s, '{')) return false;
    while (json_member(&g->s, &key)) {
        bool ok = text_equal(key.raw, "model")          ? read_model(g)
                  : text_equal(key.raw, "added_tokens") ? read_added(g)
                                                        : json_skip(&g->s);
        if (!ok) return false;
    }
    return json_finish(&g->s);
}

static bool body(void *ctx)
{
    struct scanning *g = ctx;
    json_start(&g->s, g->source.base, g->source.size, 0, g->error);
    return read_document(g);
}

/* Reads one file; it may be missing. */
NUMEL_MUST static bool read_one(struct tokenizer *t, const char *dir, const char *name, bool flat,
                                struct arena *a, numel_error *e)
{
    struct scanning g = { .t = t, .flat = flat, .error = e };
    char *path = path_join(a, dir, text_of(name));
    if (!path) return error_nomem(e);
    if (path_kind(path) != PATH_FILE) return true;
    t->path = path;
    if (!source_read(&g.source, path, MAX_TOKENIZER, "tokenizer", a->memory, e)) return false;
    bool ok = source_grow(&g.source, MAX_TOKENIZER, MAX_TOKENIZER, e);
    if (ok && !g.source.complete)
        ok = error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "more than %d bytes: too large for a tokenizer",
                       MAX_TOKENIZER);
    ok = ok && source_run(&g.source, body, &g, e);
    source_close(&g.source);
    error_file(e, path);
    return ok;
}

bool tokenizer_read(struct tokenizer *t, const char *dir, struct arena *a, numel_error *e)
{
    *t = (struct tokenizer){ .path = NULL };
    if (!read_one(t, dir, "tokenizer.json", false, a, e)) return false;
    if (t->path) return true;
    return read_one(t, dir, "vocab.json", true, a, e) &&
           (!t->path || read_one(t, dir, "added_tokens.json", true, a, e));
}
