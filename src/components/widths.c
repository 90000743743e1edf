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

#include "base/text.h"
#include "model/config_file.h"

struct chain {
    struct arena *arena;
    numel_error *error;
    int64_t width; /* 0: not known */
    bool pooled;   /* one vector a text, no more one a token */
};

static int64_t integer_at(const json_value *doc, const char *path)
{
    int64_t v;
    return json_integer(json_dig(doc, path, strlen(path)), &v) && v > 0 && v <= INT32_MAX ? v : 0;
}

static int64_t first_of(const json_value *doc, const char *const *keys, size_t n)
{
    int64_t v = 0;
    for (size_t i = 0; i < n && !v; i++) v = integer_at(doc, keys[i]);
    return v;
}

static int64_t hidden_size(const json_value *doc)
{
    static const char *const keys[] = { "word_embed_proj_dim",     "hidden_size", "d_model", "dim", "n_embd",
                                        "text_config.hidden_size", "emb_dim" };
    return first_of(doc, keys, sizeof keys / sizeof *keys);
}

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

NUMEL_MUST static bool pass(struct chain *c, struct component *x, const json_value *doc)
{
    static const char *const pooled[] = { "embedding_dimension", "word_embedding_dimension" };
    const char *class = x->promise->class;
    int64_t in = 0;
    bool ok = true;
    if (strcmp(class, "Normalize") == 0 || strcmp(class, "Dropout") == 0) return true;
    if (strcmp(class, "Transformer") == 0) {
        c->width = hidden_size(doc);
    } else if (strcmp(class, "Pooling") == 0) {
        in = first_of(doc, pooled, 2);
        ok = takes(c, x, in);
        c->width = (c->width ? c->width : in) * modes_of(doc);
        c->pooled = true;
    } else if (strcmp(class, "Dense") == 0) {
        if (reads_them(c, doc)) ok = takes(c, x, integer_at(doc, "in_features"));
        c->width = reads_them(c, doc) ? integer_at(doc, "out_features") : 0;
    } else if (strcmp(class, "LayerNorm") == 0) {
        ok = takes(c, x, integer_at(doc, "dimension"));
    } else {
        c->width = 0;
    }
    return ok;
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
        const char *path =
            arena_format(a, "%s/%s%sconfig.json", c->pipeline->dir, last->place, last->place[0] ? "/" : "");
        if (!path) return error_nomem(e);
        json_value *doc = config_file_read(path, a, &ignored);
        if (ignored.code == NUMEL_E_NOMEM) return error_nomem(e);
        ok = pass(&chain, x, doc);
        json_doc_free(doc);
    }
    return ok;
}
