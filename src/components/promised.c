/*
 * promised.c -- what an index does not promise though no such model works without it.
 *
 * A pipeline of diffusers takes noise away in one component at least. Where its index names none, or says null, and
 * a folder beside the others holds one, all that is promised may be there and is not the model: who loads it gets none. Other
 * folders that the index does not name are legitimate: a checker that was taken out, a second VAE. A model of sentence-transformers
 * begins with a module that reads text; what a module of a class that nobody knows makes of its weights, nobody can say. Nothing of that is
 * wrong, and nothing of it agrees without reserve.
 */
#include "components/components.h"

#include "base/text.h"

/* Classes of diffusers that take noise away, by what their names hold. */
bool component_denoises_any(numel_str classes)
{
    static const char *const words[] = { "UNet", "Transformer",      "DiT",           "Prior",
                                         "UVit", "UniDiffuserModel", "T5FilmDecoder", "WuerstchenDiffNeXt" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_holds(classes, text_of(words[i]))) return true;
    return false;
}

bool component_denoises(const char *class) { return class && component_denoises_any(text_of(class)); }

static void doubt_stray(struct components *c)
{
    for (size_t i = 0; i < c->pipeline->count; i++)
        if (component_denoises(c->pipeline->items[i].class)) return;
    for (size_t i = 0; i < c->count; i++) {
        struct component *x = &c->items[i];
        bool stray = x->state == COMPONENT_WEIGHTS && (!x->promise || !x->promise->class);
        if (!stray || !component_denoises(x->own)) continue;
        x->doubt = x->promise ? "null in the index, which promises nothing that denoises"
                              : "not in the index, which promises nothing that denoises";
    }
}

/* ---- sentence-transformers ----------------------------------------------------------------- */

static bool is_one(const char *class, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(class, names[i]) == 0) return true;
    return false;
}

static bool reads_text(const char *class)
{
    static const char *const names[] = {
        "CLIPModel", "StaticEmbedding", "SparseStaticEmbedding", "IDF", "WordEmbeddings", "BoW", "Router",
        "Asym"
    };
    return text_ends(text_of(class), "Transformer") || is_one(class, names, sizeof names / sizeof *names);
}

static bool is_known(const char *class)
{
    static const char *const names[] = { "Dense",       "Normalize",   "Dropout",        "LayerNorm",
                                         "LSTM",        "CNN",         "LogitScore",     "SparseAutoEncoder",
                                         "WordWeights", "CSRSparsity", "MultiVectorMask" };
    return reads_text(class) || text_ends(text_of(class), "Pooling") ||
           is_one(class, names, sizeof names / sizeof *names);
}

/* The first of them reads text, or a Router hands it on. */
static void doubt_modules(struct components *c)
{
    bool reads = false;
    for (size_t i = 0; i < c->count; i++) {
        struct component *x = &c->items[i];
        const char *class = x->promise ? x->promise->class : NULL;
        if (!class) continue;
        if (!is_known(class)) x->doubt = "nobody knows a module of this class";
        else if (!reads && !reads_text(class)) x->doubt = "no module before it reads text";
        reads = true; /* said once */
    }
}

void components_doubt(struct components *c)
{
    if (c->pipeline->modules) doubt_modules(c);
    else doubt_stray(c);
}
