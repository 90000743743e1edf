/*
 * widths.c -- modules of sentence-transformers that stand behind each other: each takes what the one before it gives.
 *
 *     0  Transformer   hidden_size 768                       gives 768
 *     1  Pooling       embedding_dimension 768, cls + mean   takes 768, gives 1536
 *     2  Dense         in_features 1536, out_features 512    takes 1536, gives 512
 *
 * Their configurations say it. What a module of another class gives nobody knows, and then nothing is compared until one says
 * so again. A Router's modules stand beside each other.
 */
#include "components/components.h"
#include "model/config_file.h"
#include "model/config_sizes.h"
#include "model/module_width.h"

#include "base/text.h"

struct chain {
    struct arena *arena;
    numel_error *error;
    int64_t width; /* 0: not known */
    bool pooled;   /* one vector a text, no more one a token */
};

/* A pooling puts the vectors of its modes behind each other; 0: how many is not known. */
static int64_t modes_of(const json_value *doc)
{
    const json_value *mode = json_get(doc, "pooling_mode");
    int64_t n = 0;
    if (json_kind(mode) == JSON_STRING) return strchr(json_text_of(mode), '+') ? 0 : 1;
    if (json_kind(mode) == JSON_ARRAY)
        for (const json_value *v = json_first(mode); v; v = json_next(v)) n++;
    else if (json_kind(doc) == JSON_OBJECT)
        for (const json_value *v = json_first(doc); v; v = json_next(v))
            n += text_starts(text_of(json_name(v)), "pooling_mode_") && json_true(v);
    return n;
}

/* Does it read the vectors that the width is of? */
static bool reads_them(const struct chain *c, const json_value *doc)
{
    const char *name = json_text_of(json_get(doc, "module_input_name"));
    return !name || strcmp(name, "sentence_embedding") == 0 || !c->pooled;
}

NUMEL_MUST static bool takes(struct chain *c, struct component *x, int64_t width)
{
    if (!width || !c->width || width == c->width) return true;
    x->off = arena_format(c->arena, "takes %lld features, and %lld come out of the module before it",
                          (long long)width, (long long)c->width);
    return x->off || error_nomem(c->error);
}

NUMEL_MUST static bool follow(struct chain *c, struct component *x, const struct module_width *r,
                              const json_value *doc)
{
    bool reads = reads_them(c, doc);
    if (reads && !takes(c, x, size_first(doc, r->in, 2))) return false;
    if (r->out) c->width = reads ? r->out(doc) : 0;
    return true;
}

NUMEL_MUST static bool pool(struct chain *c, struct component *x, const json_value *doc)
{
    static const char *const keys[] = { "embedding_dimension", "word_embedding_dimension" };
    int64_t in = size_first(doc, keys, 2);
    if (!takes(c, x, in)) return false;
    c->width = (c->width ? c->width : in) * modes_of(doc);
    c->pooled = true;
    return true;
}

NUMEL_MUST static bool pass(struct chain *c, struct component *x, const struct module_width *r,
                            const json_value *doc)
{
    const char *class = x->promise->class;
    if (r) return follow(c, x, r, doc);
    if (class && strcmp(class, "Pooling") == 0) return pool(c, x, doc);
    c->width = class && text_ends(text_of(class), "Transformer") ? size_hidden(doc) : 0;
    return true;
}

static bool is_routed(const struct components *c)
{
    for (size_t i = 0; i < c->pipeline->count; i++) {
        const char *class = c->pipeline->items[i].class;
        if (class && (strcmp(class, "Router") == 0 || strcmp(class, "Asym") == 0)) return true;
    }
    return false;
}

bool components_follow(struct components *c, struct arena *a, numel_error *e)
{
    struct chain chain = { .arena = a, .error = e };
    const struct found_component *last = NULL;
    bool ok = true;
    if (!c->pipeline->modules || is_routed(c)) return true;
    for (size_t i = 0; i < c->count && ok; i++) {
        struct component *x = &c->items[i];
        numel_error ignored = { .code = NUMEL_OK };
        if (!x->promise || x->promise == last) continue; /* a further set of the same weights */
        last = x->promise;
        const struct module_width *rule = module_width(last->class);
        const char *path =
            arena_format(a, "%s/%s%s%s", c->pipeline->dir, last->place, last->place[0] ? "/" : "",
                         rule && rule->file ? rule->file : "config.json");
        if (!path) return error_nomem(e);
        json_value *doc = config_file_read(path, a, &ignored);
        if (ignored.code == NUMEL_E_NOMEM) return error_nomem(e);
        ok = pass(&chain, x, rule, doc);
        json_doc_free(doc);
    }
    return ok;
}
