/* context.c -- finds the context length and its extension (see context.h). */
#include "model/context.h"

#include "base/text.h"

#include <string.h>

/* Where a configuration may keep the language model. */
static const char *const places[] = {
    "", "text_config.", "llm_config.", "language_config.", "thinker_config.text_config.",
};
/* In order of precedence: Command-R's model_max_length exceeds its training length. */
static const char *const lengths[] = {
    "model_max_length", "n_positions",          "max_position_embeddings", "max_seq_len",
    "seq_length",       "max_sequence_length",  "max_seq_length",          "n_ctx",
    "seq_len",          "max_target_positions",
};
static const char *const stretched[] = { "rope_scaling.", "rope_parameters." };
/* Kinds whose factor the key's length already includes. */
static const char counted[] = "su longrope llama3 default mrope";

NUMEL_MUST static bool ask(struct model *m, const char *place, const char *middle, const char *key,
                           struct value *v, numel_error *e)
{
    numel_str one = arena_join(&m->arena, text_of(place), text_of(middle), text_of(key));
    numel_error local;
    error_clear(&local);
    *v = value_null();
    if (!one.p) return error_nomem(e);
    if (config_value(m->config, m->spec, m->side, &one, 1, v, &local)) return true;
    *v = value_null(); /* unusable values are reported where they are needed */
    if (local.code == NUMEL_E_NOMEM) *e = local;
    return local.code != NUMEL_E_NOMEM;
}

static int64_t whole(const struct value *v)
{
    bool sane = v->kind == VALUE_INT && v->i > 0 && v->i < (int64_t)1 << 40;
    return sane ? v->i : 0;
}

/* n times an integer or fractional factor; a double is accurate enough for a factor. */
static int64_t times(int64_t n, const struct value *factor)
{
    double by = factor->kind == VALUE_INT ? (double)factor->i : factor->kind == VALUE_REAL ? factor->r : 1;
    if (!(by >= 1 && by <= 100000)) return n;
    int64_t thousandths = (int64_t)(by * 1000 + 0.5);
    return n / 1000 * thousandths + n % 1000 * thousandths / 1000; /* n is below 2^40: no overflow */
}

struct stretch {
    struct value kind, factor, original;
};

/* Gemma 3 states both the extended length and the factor. */
static bool says_both(const struct model *m)
{
    return m->architecture && text_starts(text_of(m->architecture), "gemma3");
}

NUMEL_MUST static bool apply(struct model *m, const struct stretch *s, struct model_context *out,
                             numel_error *e)
{
    int64_t original = whole(&s->original);
    if (s->kind.kind != VALUE_TEXT || text_equal(s->kind.s, "default")) return true;
    out->kind = arena_text(&m->arena, s->kind.s.p, s->kind.s.n);
    if (!out->kind) return error_nomem(e);
    if (text_lists(text_of(counted), s->kind.s) || says_both(m)) {
        if (original < out->tokens) out->original = original;
        return true;
    }
    bool yarn = text_equal(s->kind.s, "yarn") || text_equal(s->kind.s, "deepseek_yarn");
    int64_t base = yarn && original ? original : out->tokens, full = times(base, &s->factor);
    if (full > base) out->original = base, out->tokens = full;
    return true;
}

NUMEL_MUST static bool stretch_hf(struct model *m, const char *place, struct model_context *out,
                                  numel_error *e)
{
    struct stretch s = { .kind = value_null() };
    for (size_t i = 0; i < 2 && s.kind.kind != VALUE_TEXT; i++) {
        const char *at = stretched[i];
        if (!ask(m, place, at, "rope_type", &s.kind, e)) return false;
        if (s.kind.kind != VALUE_TEXT && !ask(m, place, at, "type", &s.kind, e)) return false;
        if (!ask(m, place, at, "factor", &s.factor, e) ||
            !ask(m, place, at, "original_max_position_embeddings", &s.original, e))
            return false;
    }
    if (!whole(&s.original) && !ask(m, place, "", "original_max_position_embeddings", &s.original, e))
        return false;
    return apply(m, &s, out, e);
}

NUMEL_MUST static bool stretch_gguf(struct model *m, struct model_context *out, numel_error *e)
{
    struct stretch s;
    return ask(m, "", "rope.scaling.", "type", &s.kind, e) &&
           ask(m, "", "rope.scaling.", "factor", &s.factor, e) &&
           ask(m, "", "rope.scaling.", "original_context_length", &s.original, e) && apply(m, &s, out, e);
}

/* Finds the key. A declared one takes precedence over a class default. */
NUMEL_MUST static bool find_length(struct model *m, const char **place, struct model_context *out,
                                   numel_error *e)
{
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            struct value v;
            if (!ask(m, places[p], "", lengths[i], &v, e)) return false;
            bool said = v.evidence == EVIDENCE_DECLARED || v.evidence == EVIDENCE_SET;
            if (!whole(&v) || (out->tokens && !said)) continue;
            *place = places[p];
            out->tokens = whole(&v);
            out->key = v.key ? v.key : lengths[i];
            out->by = said ? NULL : v.by;
            if (said) return true;
        }
    return true;
}

bool model_context(struct model *m, struct model_context *out, numel_error *e)
{
    struct value v;
    const char *place = "";
    *out = (struct model_context){ .tokens = 0 };
    if (!m->config) return true;
    if (m->side == SIDE_GGUF && config_has_metadata(m->config)) {
        if (!ask(m, "", "", "context_length", &v, e)) return false;
        out->tokens = whole(&v);
        out->key = v.key ? v.key : "context_length";
        return !out->tokens || stretch_gguf(m, out, e);
    }
    if (!find_length(m, &place, out, e)) return false;
    return !out->tokens || stretch_hf(m, place, out, e);
}
