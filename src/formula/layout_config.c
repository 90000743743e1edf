/* layout_config.c -- what the configuration says of a layout and of single modules; see layout.h. */
#include "formula/layout_parts.h"

#include "base/pattern.h"

#include <stdlib.h>

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

/* Do all `when` lines hold, with what one module says for itself? */
NUMEL_MUST static bool whens(struct env *env, const struct layout *l, const json_value *over, bool *yes,
                             numel_error *e)
{
    env->over = over;
    *yes = true;
    for (unsigned i = 0; i < l->when_count && *yes; i++)
        if (!layout_when(env, l->whens[i], yes, e)) return false;
    return true;
}

/* Does a `match` line hold? Numbers are words too (MLX has no method but its bits). */
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
        if (lists->overs[i].kind != VALUE_OBJECT) continue;
        for (const json_value *v = json_first(lists->overs[i].object); v && !*yes; v = json_next(v))
            if (json_kind(v) == JSON_OBJECT && !whens(&env, l, v, yes, e)) return false;
    }
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

/* What stands under the key of a module, or of a pattern: values of its own, or false. */
static void take_over(const json_value *v, struct layout_word *out)
{
    if (json_kind(v) == JSON_OBJECT) out->over = v;
    if (json_kind(v) == JSON_BOOL && !json_true(v)) out->plain = true;
}

/* The first key that means the module decides, as it does for the writer. */
static void over_re(const json_value *table, numel_str module, struct layout_word *out)
{
    bool minus;
    for (const json_value *v = json_first(table); v; v = json_next(v)) {
        const char *key = json_name(v);
        if (!key || !key_means(key, module, &minus)) continue;
        if (minus) out->plain = true;
        else take_over(v, out);
        return;
    }
}

static void over_path(const struct layout_key *keys, size_t count, numel_str module, struct layout_word *out)
{
    for (size_t low = 0; low < count;) {
        size_t middle = low + (count - low) / 2;
        int d = text_bytes(module, keys[middle].name);
        if (d == 0) {
            take_over(keys[middle].value, out);
            return;
        }
        if (d < 0) count = middle;
        else low = middle + 1;
    }
}

/* compressed-tensors: "re:PATTERN", a name, or the class of modules. */
static bool target_means(const char *target, numel_str module, const char *class)
{
    if (text_starts(text_of(target), "re:")) return pattern_match(text_of(target + 3), module) == PATTERN_YES;
    return text_equal(module, target) || strcmp(target, class) == 0;
}

/* The first group whose targets hold it; one that no group holds stays as it is. */
static void over_groups(const json_value *groups, numel_str module, const char *class,
                        struct layout_word *out)
{
    for (const json_value *g = json_first(groups); g; g = json_next(g)) {
        const json_value *targets = json_kind(g) == JSON_OBJECT ? json_get(g, "targets") : NULL;
        bool array = targets && json_kind(targets) == JSON_ARRAY;
        for (const json_value *t = array ? json_first(targets) : NULL; t; t = json_next(t)) {
            const char *target = json_text_of(t);
            if (!target || !target_means(target, module, class)) continue;
            out->over = g;
            return;
        }
    }
    out->outside = true;
}

static bool glob_means(numel_str entry, numel_str module)
{
    char glob[LAYOUT_NAME];
    if (entry.n >= sizeof glob) return false;
    memcpy(glob, entry.p, entry.n);
    glob[entry.n] = 0;
    bool below = module.n > entry.n && module.p[entry.n] == '.' && memcmp(module.p, glob, entry.n) == 0;
    return below || text_glob(glob, module);
}

static bool entry_means(enum layout_how how, numel_str entry, numel_str module, const char *class)
{
    char target[LAYOUT_NAME];
    if (!entry.n || entry.n >= sizeof target) return false;
    memcpy(target, entry.p, entry.n);
    target[entry.n] = 0;
    switch (how) {
    case HOW_CT: return target_means(target, module, class);
    case HOW_GLOB: return glob_means(entry, module);
    case HOW_PART: return text_holds(module, entry);
    default: return means(entry, module);
    }
}

static bool skips(enum layout_how how, const struct value *list, numel_str module, const char *class)
{
    if (list->kind != VALUE_LIST || !list->list.items) return false;
    for (uint64_t i = 0; i < list->list.n; i++)
        if (list->list.items[i].kind == VALUE_TEXT && entry_means(how, list->list.items[i].s, module, class))
            return true;
    return false;
}

/* ---- lists ------------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
    return text_bytes(((const struct layout_key *)a)->name, ((const struct layout_key *)b)->name);
}

enum { SAME_OVERS = 64 };

/* Values of single modules that say the same: forms of one serve all. */
NUMEL_MUST static bool same_over(const json_value *said[SAME_OVERS], char *texts[SAME_OVERS], unsigned *count,
                                 const json_value **v, numel_error *e)
{
    char *text = json_print(*v);
    if (!text) return error_nomem(e);
    for (unsigned i = 0; i < *count; i++)
        if (strcmp(texts[i], text) == 0) {
            *v = said[i];
            json_print_free(text);
            return true;
        }
    if (*count == SAME_OVERS) return json_print_free(text), true;
    said[*count] = *v;
    texts[(*count)++] = text;
    return true;
}

/* The keys of an object that may be names of modules. */
NUMEL_MUST static bool make_keys(const json_value *table, struct layout_key *keys, size_t *count,
                                 numel_error *e)
{
    const json_value *said[SAME_OVERS];
    char *texts[SAME_OVERS];
    unsigned known = 0;
    bool ok = true;
    *count = 0;
    for (const json_value *v = json_first(table); v && ok; v = json_next(v)) {
        const json_value *value = v;
        enum json_kind kind = json_kind(v);
        if (!json_name(v) || (kind != JSON_OBJECT && kind != JSON_BOOL)) continue;
        ok = same_over(said, texts, &known, &value, e);
        keys[(*count)++] = (struct layout_key){ text_of(json_name(v)), value };
    }
    while (known) json_print_free(texts[--known]);
    if (ok) qsort(keys, *count, sizeof *keys, by_name);
    return ok;
}

NUMEL_MUST static bool index_keys(struct layout_lists *out, unsigned i, struct arena *a, numel_error *e)
{
    size_t n = json_count(out->overs[i].object);
    struct layout_key *keys = arena_alloc(a, (n + 1) * sizeof *keys);
    out->keys[i] = keys;
    return keys ? make_keys(out->overs[i].object, keys, &out->key_count[i], e) : error_nomem(e);
}

bool layout_lists(const struct layout *l, struct config *c, struct layout_lists *out, struct arena *a,
                  numel_error *e)
{
    *out = (struct layout_lists){ .keys = { NULL } };
    for (unsigned i = 0; i < l->over_count; i++) {
        if (!config_quantization(c, NULL, text_of(l->overs[i].path), &out->overs[i], e)) return false;
        bool keys = l->overs[i].how == HOW_PATH && out->overs[i].kind == VALUE_OBJECT;
        if (keys && !index_keys(out, i, a, e)) return false;
    }
    for (unsigned i = 0; i < l->skip_count; i++)
        if (!config_quantization(c, NULL, text_of(l->skips[i].path), &out->skips[i], e)) return false;
    return true;
}

struct layout_word layout_word_of(const struct layout *l, const struct layout_lists *lists, numel_str module,
                                  const char *class)
{
    struct layout_word out = { 0 };
    for (unsigned i = 0; i < l->over_count; i++) {
        const json_value *table = lists->overs[i].kind == VALUE_OBJECT ? lists->overs[i].object : NULL;
        if (!table) continue;
        if (l->overs[i].how == HOW_GROUPS) over_groups(table, module, class, &out);
        else if (l->overs[i].how == HOW_RE) over_re(table, module, &out);
        else over_path(lists->keys[i], lists->key_count[i], module, &out);
    }
    for (unsigned i = 0; i < l->skip_count; i++) {
        bool listed = skips(l->skips[i].how, &lists->skips[i], module, class);
        out.plain |= listed && !l->skips[i].soft;
        out.soft |= listed && l->skips[i].soft;
    }
    return out;
}
