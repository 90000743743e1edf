/*
 * widths.c -- consecutive modules of sentence-transformers, each of which uses the output of the one before
 * it.
 *
 *   0  Transformer    hidden_size 768                                                 gives 768
 *   1  Pooling        embedding_dimension 768, cls + mean      takes 768,             gives 1536
 *   2  Dense          in_features 1536, out_features 512       takes 1536,            gives 512
 *
 * The configurations of modules state their widths. The output of a module of another class is unknown, so
 * nothing is compared until a later module states a width. The first modules of a Router's routes are
 * parallel: all follow the module before the Router. A Transformer outputs one vector per token, or the
 * scores of all words for it. A module that reads one vector per text needs a module before it that makes
 * one. The vectors of different routes are compared with each other, so they must have the same width.
 */
#include "components/components.h"
#include "model/config_sizes.h"
#include "model/module_width.h"
#include "source/folder.h"

#include "base/text.h"

struct chain {
    struct components *c;
    struct arena *arena;
    numel_error *error;
    int64_t width; /* 0: unknown */
    bool pooled;   /* one vector per text, not per token */
    bool tokens;   /* certainly one vector per token so far */
    bool vectors;  /* ... and not scores of words, according to the task */
};

/* The number of modes whose vectors a Pooling module concatenates; 0 if unknown. */
static int64_t modes_of(const json_value *doc)
{
    const json_value *mode = json_get(doc, "pooling_mode");
    int64_t n = 0;
    if (json_kind(mode) == JSON_STRING) return strchr(json_text_of(mode), '+') ? 0 : 1;
    if (json_kind(mode) == JSON_ARRAY) return (int64_t)json_count(mode);
    if (json_kind(doc) == JSON_OBJECT)
        for (const json_value *v = json_first(doc); v; v = json_next(v))
            n += text_starts(text_of(json_name(v)), "pooling_mode_") && json_true(v);
    return n;
}

/* True if the module reads the vectors of that width. */
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

/* True if the module reads one vector per text; its configuration may name another input. */
static bool reads_text_vector(const struct found_component *p, const json_value *doc)
{
    static const char *const names[] = { "Dense", "LayerNorm", "Normalize", "SparseAutoEncoder", "Dropout" };
    const char *name = json_text_of(json_get(doc, "module_input_name"));
    bool known = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) known |= strcmp(p->class, names[i]) == 0;
    return known && text_starts(text_of(p->library), "sentence") &&
           (!name || strcmp(name, "sentence_embedding") == 0);
}

NUMEL_MUST static bool follow(struct chain *c, struct component *x, const struct module_width *r,
                              const json_value *doc)
{
    bool reads = reads_them(c, doc);
    if (c->tokens && reads_text_vector(x->promise, doc))
        x->off = "reads the vector of a text, and no module before it makes one of those of its tokens";
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
    c->tokens = false;
    return true;
}

/* A Transformer outputs token vectors, unless its own configuration states another output. */
NUMEL_MUST static bool encode(struct chain *c, const char *dir, const json_value *doc)
{
    const json_value *own;
    if (!components_config(c->c, dir, "sentence_bert_config.json", &own, c->arena, c->error)) return false;
    const char *name = json_text_of(json_get(own, "module_output_name"));
    c->width = size_hidden(doc);
    const char *task = json_text_of(json_get(own, "transformer_task"));
    c->tokens = !name || strcmp(name, "token_embeddings") == 0;
    bool scores = task && strcmp(task, "fill-mask") == 0;
    if (scores) c->width = size_at(doc, "vocab_size");
    c->vectors = c->tokens && task && !scores;
    return true;
}

NUMEL_MUST static bool pass(struct chain *c, struct component *x, const struct module_width *r,
                            const char *dir, const json_value *doc)
{
    const char *class = x->promise->class;
    if (r) return follow(c, x, r, doc);
    if (class && strcmp(class, "Pooling") == 0) return pool(c, x, doc);
    if (class && strcmp(class, "Transformer") == 0) return encode(c, dir, doc);
    if (class && strcmp(class, "SpladePooling") == 0 && c->vectors)
        x->off = "reads scores of words, and the module before it gives vectors of tokens";
    c->width = class && text_ends(text_of(class), "Transformer") ? size_hidden(doc) : 0;
    c->tokens = false;
    if (class && strcmp(class, "MLMTransformer") == 0) c->width = size_at(doc, "vocab_size");
    return true;
}

static bool is_router(const char *class)
{
    return class && (strcmp(class, "Router") == 0 || strcmp(class, "Asym") == 0);
}

/* True for the start of a route, "query_0_Transformer": its name does not begin with a module number. */
static bool is_of_route(const char *place)
{
    numel_str name = path_base(place);
    return name.n && (name.p[0] < '0' || name.p[0] > '9');
}

/* The routes of the last Router, while their modules are visited. */
struct routes {
    struct chain before;  /* the Router's input */
    struct component *at; /* the latest module of the current route; NULL: no route has begun */
    bool any, known;      /* some route has ended; the outputs of all ended routes are known */
    int64_t width;        /* the common output, if known */
};

NUMEL_MUST static bool end_route(struct routes *r, const struct chain *c)
{
    bool differs = r->at && r->any && r->known && c->width && c->width != r->width;
    if (!r->at) return true;
    if (differs && !r->at->off)
        r->at->doubt = arena_format(c->arena, "%lld features come out of this route, and %lld out of another",
                                    (long long)c->width, (long long)r->width);
    if (differs && !r->at->off && !r->at->doubt) return error_nomem(c->error);
    r->known = (r->known || !r->any) && c->width && !differs;
    r->any = true;
    r->width = c->width;
    r->at = NULL;
    return true;
}

/* Each route begins with the Router's input; their common output follows the routes. */
NUMEL_MUST static bool take_route(struct routes *r, struct chain *c, struct component *x)
{
    bool inside = is_of_route(x->promise->place);
    bool ends = !inside || strstr(path_base(x->promise->place).p, "_0_");
    if (ends && !end_route(r, c)) return false;
    if (inside) {
        if (ends) *c = r->before;
        r->at = x;
    } else if (r->any) {
        *c = (struct chain){ c->c, c->arena, c->error, r->known ? r->width : 0, true, false, false };
        r->any = false;
    }
    return true;
}

bool components_follow(struct components *c, struct arena *a, numel_error *e)
{
    struct chain chain = { .c = c, .arena = a, .error = e };
    struct routes routes = { .before = chain };
    bool routed = false;
    const struct found_component *last = NULL;
    bool ok = true;
    if (!c->pipeline->modules) return true;
    for (size_t i = 0; i < c->count && ok; i++) {
        struct component *x = &c->items[i];
        const json_value *doc;
        if (!x->promise || x->promise == last) continue; /* another set of the same weights */
        last = x->promise;
        const struct module_width *rule = module_width(last->class);
        const char *dir = path_join(a, c->pipeline->dir, text_of(last->place));
        if (!dir) return error_nomem(e);
        if (is_router(last->class)) {
            routes = (struct routes){ .before = chain };
            routed = true;
            continue;
        }
        if (routed && !take_route(&routes, &chain, x)) return false;
        ok = components_config(c, dir, rule && rule->file ? rule->file : "config.json", &doc, a, e) &&
             pass(&chain, x, rule, dir, doc);
    }
    return ok && end_route(&routes, &chain);
}
