/* layout_config.c -- what the configuration says of a layout and of single modules; see layout.h. */
#include "formula/layout_parts.h"

#include "base/pattern.h"

/* ---- does it apply ---------------------------------------------------------------------------- */

bool layout_when(struct env *env, uint32_t node, bool *yes, numel_error *e)
{
    numel_error mine = { 0 };
    struct value v;
    env->error = &mine;
    *yes = eval(env, node, &v) && v.kind == VALUE_BOOL && v.b;
    env->error = e;
    return mine.code != NUMEL_E_NOMEM || error_nomem(e);
}

bool layout_declared(const struct layout *l, struct config *c, bool *yes, struct arena *a, numel_error *e)
{
    struct env env = { .spec = l->base, .config = c, .arena = a };
    struct value v, none = value_text((numel_str){ "", 0 });
    *yes = false;
    if (!config_has_quantization(c)) return true;
    for (unsigned i = 0; i < l->rule_count && !*yes; i++) {
        if (!config_quantization(c, NULL, text_of(l->rules[i].field), &v, e)) return false;
        *yes = (v.kind == VALUE_TEXT && text_lists(l->rules[i].words, v.s));
    }
    if (!*yes || !env_init(&env, e)) return error_free(e);
    for (unsigned i = 0; i < LAYOUT_GIVEN; i++) env_bind(&env, SYMBOLS_BUILT_IN + i, &none);
    for (unsigned i = 0; i < l->when_count && *yes; i++)
        if (!layout_when(&env, l->whens[i], yes, e)) return false;
    return true;
}

/* ---- single modules --------------------------------------------------------------------------- */

/* Does an entry of a list mean the module? One that is a plain name: the module, one below it, or the end of
 * its name; else a pattern. */
static bool means(numel_str entry, numel_str module)
{
    if (text_ends(entry, ".weight")) entry.n -= 7;
    if (!entry.n || entry.n > module.n + 512) return false;
    if (module.n >= entry.n) {
        size_t rest = module.n - entry.n;
        bool begins = memcmp(module.p, entry.p, entry.n) == 0;
        bool ends = memcmp(module.p + rest, entry.p, entry.n) == 0;
        if (begins && (rest == 0 || module.p[entry.n] == '.')) return true;
        if (ends && (rest == 0 || module.p[rest - 1] == '.')) return true;
    }
    if (!memchr(entry.p, '*', entry.n) && !memchr(entry.p, '\\', entry.n) && !memchr(entry.p, '[', entry.n) &&
        !memchr(entry.p, '(', entry.n) && !memchr(entry.p, '|', entry.n))
        return false;
    return pattern_match(entry, module) == PATTERN_YES;
}

/* A key of `dynamic`: "+:PATTERN", "PATTERN", or "-:PATTERN" for what stays plain. */
static bool key_means(const char *key, numel_str module, bool *minus)
{
    bool sign = (key[0] == '+' || key[0] == '-') && key[1] == ':';
    numel_str pattern = text_of(sign ? key + 2 : key);
    *minus = sign && key[0] == '-';
    return text_same(pattern, module) || pattern_match(pattern, module) == PATTERN_YES;
}

/* The first key that means the module decides, as it does for the writer. */
static void look_over(const json_value *table, numel_str module, struct layout_word *out)
{
    bool minus;
    for (const json_value *v = json_first(table); v; v = json_next(v)) {
        const char *key = json_name(v);
        if (!key || !key_means(key, module, &minus)) continue;
        bool off = minus || (json_kind(v) == JSON_BOOL && !json_true(v));
        out->plain |= off;
        if (!off && json_kind(v) == JSON_OBJECT) out->over = v;
        return;
    }
}

static void look_skip(const struct value *list, numel_str module, struct layout_word *out)
{
    if (list->kind != VALUE_LIST || !list->list.items) return;
    for (uint64_t i = 0; i < list->list.n && !out->plain; i++)
        out->plain = list->list.items[i].kind == VALUE_TEXT && means(list->list.items[i].s, module);
}

bool layout_lists(const struct layout *l, struct config *c, struct layout_lists *out, numel_error *e)
{
    for (unsigned i = 0; i < l->over_count; i++)
        if (!config_quantization(c, NULL, text_of(l->overs[i]), &out->overs[i], e)) return false;
    for (unsigned i = 0; i < l->skip_count; i++)
        if (!config_quantization(c, NULL, text_of(l->skips[i]), &out->skips[i], e)) return false;
    return true;
}

struct layout_word layout_word_of(const struct layout *l, const struct layout_lists *lists, numel_str module)
{
    struct layout_word out = { 0 };
    for (unsigned i = 0; i < l->over_count; i++)
        if (lists->overs[i].kind == VALUE_OBJECT) look_over(lists->overs[i].object, module, &out);
    for (unsigned i = 0; i < l->skip_count; i++) look_skip(&lists->skips[i], module, &out);
    return out;
}
