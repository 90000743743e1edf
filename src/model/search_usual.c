/*
 * search_usual.c -- of the types that explain a file equally well, the one that it most likely is.
 *
 * Names and shapes are the same for many: a Llama whose head is tied has the names of Gemma. Such a file is taken for the type
 * whose own vocabulary it has, then for the one that is used most; the others are said beside it.
 */
#include "model/search_parts.h"

#include "formula/skeleton.h"

#include <string.h>

/* Model types and specs, the most used first. No table of downloads by model type is public; the order is a judgement of 2026 from the hub's
 * most downloaded models and from the ATOM report (arXiv 2604.07190), those that cost much to try (towers, many blocks) behind the others. */
/* clang-format off */
static const char *const usual[] = {
    "bert", "qwen3", "qwen2", "llama", "xlm-roberta", "roberta", "camembert", "distilbert", "mpnet", "gemma3", "gemma3_text",
    "qwen3_moe", "mixtral", "mistral", "deepseek_v3", "kimi_k2", "gpt2", "phi3", "gemma2", "gemma", "opt", "t5", "modernbert",
    "deberta-v2", "electra", "vit", "dinov2", "wav2vec2", "hubert", "whisper", "clip", "siglip", "falcon", "gpt_neox", "bloom", "mamba",
    "gpt_oss", "qwen3_5", "qwen3_5_moe", "qwen2_vl", "qwen2_5_vl", "qwen3_vl", "gemma4", "timm_vit", "timm_eva",
};
/* clang-format on */

/* Vocabularies of published models of a type, besides that of its class: Llama 3, SmolLM; Qwen2.5 from 7B on; Mistral 7B v0.3, Nemo. */
static const struct {
    const char *type;
    uint64_t rows;
} vocabularies[] = {
    { "llama", 128256 }, { "llama", 49152 }, { "qwen2", 152064 }, { "mistral", 32768 }, { "mistral", 131072 },
};

unsigned usual_place(const char *name)
{
    unsigned i = 0;
    while (i < sizeof usual / sizeof *usual && strcmp(usual[i], name) != 0) i++;
    return i;
}

static bool has_rows(const struct trials *t, uint64_t rows)
{
    for (size_t i = 0; i < t->seen->count; i++)
        if (t->seen->tensors[i].ndim == 2 && t->seen->tensors[i].dims[0] == rows) return true;
    return false;
}

/* Has a table of the file as many rows as the class has words by default, or as a published model of the type? */
static bool has_own_vocabulary(const struct trials *t, const char *type)
{
    uint64_t rows;
    if (config_class_number(text_of(type), text_of("vocab_size"), &rows) && has_rows(t, rows)) return true;
    for (size_t i = 0; i < sizeof vocabularies / sizeof *vocabularies; i++)
        if (strcmp(vocabularies[i].type, type) == 0 && has_rows(t, vocabularies[i].rows)) return true;
    return false;
}

static unsigned rank_of(const struct trials *t, const char *type)
{
    enum { MANY = sizeof usual / sizeof *usual + 1 };
    return usual_place(type) + (has_own_vocabulary(t, type) ? 0 : MANY);
}

/* The candidate takes the place of the best, if it leaves no more open. */
NUMEL_MUST static bool try_instead(struct trials *t, struct candidate *c)
{
    const uint64_t off = t->best.off;
    t->best.off = off + 1; /* one that is as good counts as better */
    bool ok = try_with(t, c, KEEP_FLAGS);
    if (t->best.off > off) t->best.off = off;
    config_free_inferred(t->model->config, &c->inferred);
    return ok;
}

/* One of a line's types is tried in the place of the best, where it ranks before that, whose rank is *least. */
NUMEL_MUST static bool try_type(struct trials *t, const struct candidate *line, numel_str type,
                                numel_str class, unsigned *least)
{
    struct candidate c = *line;
    c.inferred = (struct config_inferred){ .count = 0 };
    c.is = (struct identity){ .entry = library_type(t->model->library, type),
                              .type = arena_text(&t->model->arena, type.p, type.n),
                              .class = arena_text(&t->model->arena, class.p, class.n),
                              .tied = line->classes.p != t->best.classes.p };
    if (!c.is.type || !c.is.class) return error_nomem(t->error);
    const unsigned rank = rank_of(t, c.is.type);
    if (!c.is.entry || rank >= *least) return true;
    if (!try_instead(t, &c)) return false;
    if (t->best.is.type == c.is.type) *least = rank;
    return true;
}

bool prefer_usual(struct trials *t)
{
    enum { TIED = 1 };
    const struct identity *is = &t->best.is;
    if (t->best.keep == KEEP_DEFAULTS) return true; /* all sizes are its class's */
    if (!t->perfect || !is->type || is->part || is->published || is->wrapped || is->sized || t->best.biases)
        return true;
    const char *own = t->best.classes.p;
    unsigned least = rank_of(t, is->type);
    for (unsigned i = 0; i < t->count; i++) {
        const struct candidate *line = &t->list[i];
        numel_str rest = line->classes, type, class;
        if (!rest.n || (rest.p != own && line->lacked != TIED)) continue;
        while (skeleton_class(&rest, &type, &class))
            if (!try_type(t, line, type, class, &least)) return false;
    }
    return true;
}
