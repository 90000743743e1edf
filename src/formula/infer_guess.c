/*
 * infer_guess.c -- evaluates a spec's `guess` lines for a file without configuration; see infer_internal.h.
 *
 * Lists of widths and kinds of blocks are in no equation. The spec states which tensors show them, mostly one
 * tensor for each value. Guesses need no trials: all other tensors of the file check them.
 */
#include "formula/infer_internal.h"

enum { MOST = 512 }; /* items of a list */

static bool is_unknown(struct search *f, numel_str path, bool *unknown)
{
    const struct infer_input *in = f->in;
    struct value v;
    if (!config_value(in->config, in->spec, in->side, &path, 1, &v, f->error)) return false;
    return *unknown = v.evidence == EVIDENCE_DEFAULTED || v.evidence == EVIDENCE_CONSTANT, true;
}

/* An expression that fails gives a null with evidence DECLARED. False only if out of memory. */
NUMEL_MUST static bool ask(struct search *f, struct env *env, uint32_t node, struct value *out)
{
    error_clear(env->error);
    bool said = eval(env, node, out);
    if (!said) *out = value_null();
    out->evidence = said ? EVIDENCE_INFERRED : EVIDENCE_DECLARED;
    return said || env->error->code != NUMEL_E_NOMEM || error_nomem(f->error);
}

/* Copies texts to the arena of the inference. */
NUMEL_MUST static bool keep(struct search *f, struct value *v)
{
    if (v->kind == VALUE_TEXT) v->s.p = arena_text(f->arena, v->s.p, v->s.n);
    return v->kind != VALUE_TEXT || v->s.p || error_nomem(f->error);
}

/* A list with `count` items, with an index bound for each; null if the count is unknown. */
NUMEL_MUST static bool list_of(struct search *f, struct env *env, const struct spec_guess *g, bool inner,
                               struct value *out)
{
    struct value n;
    bool deeper = !inner && g->inner;
    *out = value_null();
    if (!ask(f, env, inner ? g->inner : g->each, &n)) return false;
    if (n.kind != VALUE_INT || n.i < (inner ? 0 : 1) || n.i > MOST) return true;
    struct value *items = arena_alloc(f->arena, (size_t)n.i * sizeof *items + 1);
    if (!items) return error_nomem(f->error);
    if (!inner) env_bind(env, g->count, &n);
    for (int64_t i = 0; i < n.i; i++) {
        struct value at = value_int(i);
        env_bind(env, inner ? g->within : g->index, &at);
        if (!(deeper ? list_of(f, env, g, true, &items[i])
                     : ask(f, env, g->value, &items[i]) && keep(f, &items[i])))
            return false;
    }
    *out = (struct value){ .kind = VALUE_LIST, .list = { items, (uint64_t)n.i } };
    return true;
}

bool guesses_make(struct search *f)
{
    const struct spec *spec = f->in->spec;
    struct env env;
    numel_error scratch = { 0 };
    if (config_has_json(f->in->config)) return true;
    for (size_t i = 0; i < spec->guess_count; i++) {
        const struct spec_guess *g = &spec->guesses[i];
        struct value v;
        bool unknown;
        if (g->scope) continue;
        if (!is_unknown(f, text_of(g->path), &unknown) || !search_env(f, &env, &scratch)) return false;
        if (!unknown) continue;
        if (!(g->each ? list_of(f, &env, g, false, &v) : ask(f, &env, g->value, &v) && keep(f, &v)))
            return false;
        if (!key_given(f, text_of(g->path), &v)) return false;
    }
    return true;
}
