/* rope.c -- see rope.h. */
#include "model/rope.h"

#include "base/number.h"
#include "base/text.h"

struct stretching {
    char kind[TEXT_QUOTE]; /* "linear"; "" if there is none */
    struct value factor;
};

/* Gets the key from the first place that has it. */
NUMEL_MUST static bool ask(struct model *m, const char *key, struct value *v, numel_error *e)
{
    static const char *const places[] = { "rope_scaling.", "rope_parameters.", "text_config.rope_scaling.",
                                          "text_config.rope_parameters." };
    enum { PLACES = sizeof places / sizeof *places };
    numel_str paths[PLACES];
    numel_error why = { .code = NUMEL_OK }; /* for an unusable value */
    for (size_t i = 0; i < PLACES; i++) {
        const char *path = arena_format(&m->arena, "%s%s", places[i], key);
        if (!path) return error_nomem(e);
        paths[i] = text_of(path);
    }
    if (!config_value(m->config, NULL, SIDE_HF, paths, PLACES, v, &why))
        *v = (struct value){ .kind = VALUE_NULL };
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}

NUMEL_MUST static bool stretching_of(struct model *m, struct stretching *s, numel_error *e)
{
    struct value kind;
    s->kind[0] = 0;
    if (!ask(m, "rope_type", &kind, e)) return false;
    if (kind.kind != VALUE_TEXT && !ask(m, "type", &kind, e)) return false;
    if (kind.kind == VALUE_TEXT) text_bare(s->kind, kind.s);
    return ask(m, "factor", &s->factor, e);
}

static numel_str architecture_of(const struct model *m)
{
    const struct metadata_entry *e = metadata_find(&m->ck->metadata, "general.architecture");
    return e && e->type == META_STRING ? e->value.s : (numel_str){ "", 0 };
}

static const struct metadata_entry *key_of(const struct model *m, const char *name)
{
    return metadata_find_in(&m->ck->metadata, architecture_of(m), text_of(name));
}

static bool has_tensor(const struct model *m, const char *name)
{
    return registry_find(&m->ck->registry, text_of(name)) != NULL;
}

/* Where llama.cpp stores what each kind needs. */
static const struct kind {
    const char *names; /* in a configuration */
    const char *key, *tensor;
    const char *lacks;
} kinds[] = {
    { "linear", "rope.scaling.type", NULL, "rope.scaling.type and rope.scaling.factor" },
    { "yarn", "rope.scaling.type", NULL, "rope.scaling.type and rope.scaling.factor" },
    { "longrope su", NULL, "rope_factors_long.weight", "rope_factors_long and rope_factors_short" },
    { "llama3", NULL, "rope_freqs.weight", "rope_freqs" },
};

/* Older converters wrote only a factor. */
static bool keeps(const struct model *gguf, const struct kind *k)
{
    if (k->tensor) return has_tensor(gguf, k->tensor);
    return key_of(gguf, k->key) || key_of(gguf, "rope.scaling.factor") || key_of(gguf, "rope.scale_linear");
}

NUMEL_MUST static const char *factor_text(struct model *hf, const struct value *v)
{
    if (v->kind == VALUE_INT) return arena_format(&hf->arena, ", factor %" PRId64, v->i);
    if (v->kind != VALUE_REAL) return "";
    char number[NUMBER_REAL];
    return arena_format(&hf->arena, ", factor %s", number_real(number, v->r, NUMBER_SHORT, 6));
}

bool rope_lost(struct model *hf, const struct model *gguf, const char **text, numel_error *e)
{
    struct stretching s;
    *text = NULL;
    if (!stretching_of(hf, &s, e)) return false;
    for (size_t i = 0; s.kind[0] && i < sizeof kinds / sizeof *kinds; i++) {
        if (!text_lists(text_of(kinds[i].names), text_of(s.kind)) || keeps(gguf, &kinds[i])) continue;
        const char *factor = factor_text(hf, &s.factor);
        if (!factor) return error_nomem(e);
        *text = arena_format(&hf->arena,
                             "rope scaling was lost: the configuration has %s%s, the GGUF file has no %s",
                             s.kind, factor, kinds[i].lacks);
        return *text || error_nomem(e);
    }
    return true;
}

/* Checks Phi-3 and PhiMoE too, which have no key for the kind: they need factors if the context is longer
 * than the original. */
bool rope_factors_lost(const struct model *gguf, const char **text, struct arena *a, numel_error *e)
{
    const struct metadata_entry *type = key_of(gguf, "rope.scaling.type"),
                                *full = key_of(gguf, "context_length"),
                                *original = key_of(gguf, "rope.scaling.original_context_length");
    int64_t n = 0, m = 0;
    *text = NULL;
    bool said = type && type->type == META_STRING && text_equal(type->value.s, "longrope");
    bool phi = text_equal(architecture_of(gguf), "phi3") || text_equal(architecture_of(gguf), "phimoe");
    bool beyond = phi && !type && full && original && full->type != META_ARRAY &&
                  original->type != META_ARRAY && metadata_integer(&full->value, &n) &&
                  metadata_integer(&original->value, &m) && n > m;
    if ((!said && !beyond) || has_tensor(gguf, "rope_factors_long.weight")) return true;
    *text = said ? arena_format(a, "rope.scaling.type is longrope, but there is no rope_factors_long.weight: "
                                   "positions are not stretched")
                 : arena_format(
                       a,
                       "context_length is %" PRId64 ", rope.scaling.original_context_length %" PRId64
                       ", but there is no rope_factors_long.weight (longrope): positions are not stretched",
                       n, m);
    return *text || error_nomem(e);
}
