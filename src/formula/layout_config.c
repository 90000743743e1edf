/* layout_config.c -- tests whether the configuration means a layout, and which tensors each module then has; see layout.h. */
#include "formula/layout_internal.h"

/* ---- applicability ---------------------------------------------------------------------------- */

bool layout_when(struct env *env, uint32_t node, bool *yes, numel_error *e)
{
    numel_error mine = { 0 };
    struct value v;
    env->error = &mine;
    *yes = eval(env, node, &v) && v.kind == VALUE_BOOL && v.b;
    env->error = e;
    return mine.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* Sets *yes if all `when` lines hold, with the values of one module. */
NUMEL_MUST static bool whens(struct env *env, const struct layout *l, const json_value *over, bool *yes,
                             numel_error *e)
{
    env->over = over;
    *yes = true;
    for (unsigned i = 0; i < l->when_count && *yes; i++)
        if (!layout_when(env, l->whens[i], yes, e)) return false;
    return true;
}

/* Sets *yes if a `match` line holds. Numbers count as words (MLX states no method, only bits). */
NUMEL_MUST static bool matches(const struct layout *l, struct config *c, bool *yes, numel_error *e)
{
    char shown[VALUE_SHOW];
    *yes = false;
    for (unsigned i = 0; i < l->rule_count && !*yes; i++) {
        struct value v;
        if (!config_quantization(c, NULL, text_of(l->rules[i].field), &v, e)) return false;
        if (v.kind == VALUE_INT) v = value_text(text_of(value_show(shown, &v)));
        *yes = v.kind == VALUE_TEXT && text_lists(l->rules[i].words, v.s);
    }
    return true;
}

bool layout_declared(const struct layout *l, const struct layout_lists *lists, struct config *c, bool *yes,
                     struct arena *a, numel_error *e)
{
    struct env env = { .spec = l->base, .config = c, .arena = a };
    struct value none = value_text((numel_str){ "", 0 });
    *yes = false;
    if (!config_has_quantization(c)) return true;
    if (!matches(l, c, yes, e) || !*yes || !env_init(&env, e)) return error_free(e);
    for (unsigned i = 0; i < LAYOUT_GIVEN; i++) env_bind(&env, SYMBOLS_BUILT_IN + i, &none);
    if (!whens(&env, l, NULL, yes, e)) return false;
    for (unsigned i = 0; i < l->over_count && !*yes; i++) {
        const json_value *table = lists->overs[i] ? lists->overs[i]->object : NULL;
        for (const json_value *v = table ? json_first(table) : NULL; v && !*yes; v = json_next(v))
            if (json_kind(v) == JSON_OBJECT && !whens(&env, l, v, yes, e)) return false;
    }
    return true;
}

bool layout_loader(const struct layout *l, struct config *c, const struct layout_rule_of_loader **rule,
                   struct arena *a, numel_error *e)
{
    struct env env = { .spec = l->base, .config = c, .arena = a };
    bool yes = false;
    *rule = NULL;
    if (!l->loader_count) return true;
    if (!env_init(&env, e)) return false;
    for (unsigned i = 0; i < l->loader_count && !*rule; i++) {
        const struct layout_rule_of_loader *x = &l->loaders[i];
        if (x->when && !layout_when(&env, x->when, &yes, e)) return false;
        if (!x->when || yes) *rule = x;
    }
    return true;
}

bool layout_required(const struct layout *l, struct config *c, struct arena *a, numel_str *names,
                     unsigned *count, numel_error *e)
{
    static const struct layout_module none = { .role = { "", 0 }, .out = 1, .in = 1 };
    struct solving s = { .l = l, .m = &none, .arena = a, .error = e };
    *count = 0;
    s.env = (struct env){ .spec = l->base, .config = c, .arena = a, .silent = true };
    if (!env_init(&s.env, e) || !solving_bind(&s)) return false;
    for (unsigned i = 0; i < l->line_count; i++) {
        numel_error mine = { 0 };
        if (l->lines[i].need != NEED_ALWAYS || l->lines[i].when) continue;
        s.env.error = &mine; /* a name with a symbol in it is still unknown */
        if (solving_text(&s, l->lines[i].name, &names[*count])) ++*count;
        if (mine.code == NUMEL_E_NOMEM) return error_nomem(e);
    }
    return true;
}
