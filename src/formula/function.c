/* function.c -- the functions of the spec language; to add one, add a row here and one in spec.h. */
#include "base/num.h"
#include "base/text.h"
#include "formula/alike.h"
#include "formula/config_internal.h"
#include "formula/function_internal.h"
#include "formula/parts.h"

#include <inttypes.h>
#include <string.h>

enum { NUMBERED = 256 }; /* a name with a number in it */

bool call_wrong(struct call *c, unsigned i, const char *wanted)
{
    char shown[EVAL_SHOW];
    if (c->v[i].kind == VALUE_NULL && c->v[i].key) return eval_null(c->env, c->at[i], &c->v[i]);
    return eval_fail(c->env, c->at[i], NUMEL_E_CONFIG, "%s is not %s", eval_show(shown, &c->v[i]), wanted);
}

static uint32_t scope_of(const struct call *c) { return c->env->spec->nodes[c->node].scope; }

/* cfg("path", "alias", ...); in a part, below its path unless its line gives the key */
NUMEL_MUST static bool f_cfg(struct call *c, struct value *out)
{
    char rooms[ARGUMENTS][PART_PATH];
    numel_str paths[ARGUMENTS];
    uint32_t scope = scope_of(c);
    bool said = false;
    for (unsigned i = 0; i < c->count; i++) {
        if (c->v[i].kind != VALUE_TEXT) return call_wrong(c, i, "a path");
        if (scope && !part_key(c->env, scope, c->v[i].s, out, &said)) return false;
        if (said) return true;
        if (!part_path(c->env, scope, c->v[i].s, rooms[i], &paths[i])) return false;
    }
    if (!config_value(c->env->config, c->env->spec, c->env->values, paths, c->count, out, c->env->error))
        return false;
    if (out->kind != VALUE_NULL || !c->env->both || c->env->values == SIDE_HF) return true;
    return config_value(c->env->config, c->env->spec, SIDE_HF, paths, c->count, out, c->env->error);
}

NUMEL_MUST static bool evidence_of(struct call *c, struct value *out)
{
    out->evidence = EVIDENCE_INFERRED;
    return part_name(c->env, scope_of(c), c->v[0].s, &out->key);
}

/* has("glob" [, assumed]): without a file, the assumed value (false). */
static bool f_has(struct call *c, struct value *out)
{
    const struct presence *file = c->env->file;
    if (c->v[0].kind != VALUE_TEXT) return call_wrong(c, 0, "a glob");
    if (c->count == 2 && c->v[1].kind != VALUE_BOOL) return call_wrong(c, 1, "a flag");
    *out = value_bool(c->count == 2 && c->v[1].b);
    if (!file || !file->has) return out->evidence = EVIDENCE_DEFAULTED, true;
    if (!evidence_of(c, out)) return false;
    return file->has(file->ctx, out->key, &out->b, c->env->error);
}

/* dim("name", axis): null if the file lacks the tensor. */
NUMEL_MUST static bool f_dim(struct call *c, struct value *out)
{
    const struct presence *file = c->env->file;
    uint64_t size;
    if (c->v[0].kind != VALUE_TEXT) return call_wrong(c, 0, "a name");
    if (c->v[1].kind != VALUE_INT || c->v[1].i < 0) return call_wrong(c, 1, "an axis");
    *out = value_null();
    if (c->env->asking) return call_witness(c, out);
    if (!file || !file->dim) return true;
    if (!evidence_of(c, out)) return false;
    if (!file->dim(file->ctx, out->key, (uint64_t)c->v[1].i, &size, c->env->error)) return false;
    if (size > INT64_MAX) return true; /* includes PRESENCE_NONE */
    out->kind = VALUE_INT;
    out->i = (int64_t)size;
    return true;
}

/* Checks the pattern of layers() and run(), a name with #; out->key becomes its name in the file. */
NUMEL_MUST static bool numbered(struct call *c, struct value *out)
{
    bool text = c->v[0].kind == VALUE_TEXT && c->v[0].s.n <= NUMBERED / 2;
    if (!text || !memchr(c->v[0].s.p, '#', c->v[0].s.n)) return call_wrong(c, 0, "a name with #");
    return evidence_of(c, out);
}

/* The name with a number for #; "" if it is too long. */
static const char *name_with(char name[NUMBERED], const char *pattern, int64_t number)
{
    char digits[24];
    const char *hash = strchr(pattern, '#');
    numel_str made = { NULL, 0 };
    text_format(digits, sizeof digits, "%" PRId64, number);
    if (hash)
        made = text_join(name, NUMBERED - 1, text_span(pattern, hash), text_of(digits), text_of(hash + 1));
    name[made.p ? made.n : 0] = 0;
    return name;
}

/* Sets *there if the file has the name with that number. */
NUMEL_MUST static bool has_number(struct call *c, const char *pattern, int64_t number, bool *there)
{
    const struct presence *file = c->env->file;
    char name[NUMBERED];
    *there = false;
    if (!file || !file->has || !*name_with(name, pattern, number)) return true;
    return file->has(file->ctx, name, there, c->env->error);
}

/* The size of its axis; PRESENCE_NONE if it does not exist. */
NUMEL_MUST static bool number_size(struct call *c, const char *pattern, int64_t number, uint64_t axis,
                                   uint64_t *size)
{
    const struct presence *file = c->env->file;
    char name[NUMBERED];
    *size = PRESENCE_NONE;
    if (!file || !file->dim || !*name_with(name, pattern, number)) return true;
    return file->dim(file->ctx, name, axis, size, c->env->error);
}

/* layers("blocks.#.norm.weight"): 1 + the highest number for # in names of the file; null if there is
 * none. */
NUMEL_MUST static bool f_layers(struct call *c, struct value *out)
{
    enum { MOST = 512 };
    bool there;
    *out = value_null();
    if (!numbered(c, out)) return false;
    for (int64_t i = 0; i < MOST; i++) {
        if (!has_number(c, out->key, i, &there)) return false;
        if (there) out->kind = VALUE_INT, out->i = i + 1;
    }
    return true;
}

/* run("name" [, from]): how many consecutive numbers, from 0 (or `from`), the file has for #. 0 without a
 * file. */
NUMEL_MUST static bool f_run(struct call *c, struct value *out)
{
    enum { MOST = 4096 };
    if (c->count == 2 && (c->v[1].kind != VALUE_INT || c->v[1].i < 0 || c->v[1].i > MOST))
        return call_wrong(c, 1, "a number to begin with");
    int64_t from = c->count == 2 ? c->v[1].i : 0;
    *out = value_int(0);
    if (!numbered(c, out)) return false;
    const char *pattern = out->key;
    out->key = NULL; /* more than one name is involved */
    for (bool there = true; there && out->i < MOST; out->i += there)
        if (!has_number(c, pattern, from + out->i, &there)) return false;
    return true;
}

/* numbers("layers.#.weight"): the numbers for # in names of the file, ascending. dims("layers.#.weight",
 * axis): the sizes of these tensors. */
NUMEL_MUST static bool f_numbers(struct call *c, struct value *out)
{
    enum { MOST = 256 };
    struct value found[MOST];
    size_t n = 0;
    uint64_t size;
    if (c->count == 2 && (c->v[1].kind != VALUE_INT || c->v[1].i < 0)) return call_wrong(c, 1, "an axis");
    *out = value_null();
    if (!numbered(c, out)) return false;
    for (int64_t i = 0; i < MOST; i++) {
        if (!number_size(c, out->key, i, c->count == 2 ? (uint64_t)c->v[1].i : 0, &size)) return false;
        if (size <= INT64_MAX) found[n++] = value_int(c->count == 2 ? (int64_t)size : i);
    }
    out->key = NULL; /* more than one name is involved */
    out->kind = VALUE_LIST;
    out->list.n = n;
    out->list.items = n ? arena_copy(c->env->arena, found, n * sizeof *found) : NULL;
    return !n || out->list.items || error_nomem(c->env->error);
}

bool call_items(struct call *c, unsigned i)
{
    return c->v[i].list.items || !c->v[i].list.n ||
           eval_fail(c->env, c->at[i], NUMEL_E_LIMIT, "the list is too long to be read");
}

/* Counts x in a list, or as a word in a string. Null contains nothing and is not a word. */
static bool occurrences(struct call *c, unsigned list, unsigned x, int64_t *n)
{
    *n = 0;
    if (c->v[list].kind == VALUE_NULL) return true;
    if (c->v[list].kind == VALUE_TEXT && c->v[x].kind == VALUE_NULL) return true;
    if (c->v[list].kind == VALUE_TEXT && c->v[x].kind == VALUE_TEXT) {
        if (c->env->spec->nodes[c->node].number == FUNCTION_IN)
            return *n = text_lists(c->v[list].s, c->v[x].s), true;
        for (size_t i = 0; c->v[x].s.n && i + c->v[x].s.n <= c->v[list].s.n; i++)
            *n += memcmp(c->v[list].s.p + i, c->v[x].s.p, c->v[x].s.n) == 0;
        return true;
    }
    if (c->v[list].kind != VALUE_LIST) return call_wrong(c, list, "a list");
    if (!call_items(c, list)) return false;
    for (uint64_t i = 0; i < c->v[list].list.n; i++) *n += value_same(&c->v[list].list.items[i], &c->v[x]);
    return true;
}

static bool f_in(struct call *c, struct value *out)
{
    int64_t n;
    if (!occurrences(c, 1, 0, &n)) return false;
    return *out = value_bool(n > 0), true;
}

static bool f_count(struct call *c, struct value *out)
{
    int64_t n;
    if (!occurrences(c, 0, 1, &n)) return false;
    return *out = value_int(n), true;
}

static bool f_len(struct call *c, struct value *out)
{
    const struct value *v = &c->v[0];
    if (v->kind != VALUE_LIST && v->kind != VALUE_TEXT && v->kind != VALUE_OBJECT)
        return call_wrong(c, 0, "a list");
    uint64_t n = v->kind == VALUE_LIST ? v->list.n : v->kind == VALUE_TEXT ? v->s.n : 0;
    for (const json_value *x = v->kind == VALUE_OBJECT ? json_first(v->object) : NULL; x; x = json_next(x))
        n++;
    if (n > INT64_MAX) return call_wrong(c, 0, "a list that can be counted");
    return *out = value_int((int64_t)n), true;
}

/* The class that the spec assumes if the configuration has none, or null: the first word of its line `default
 * architectures ["X"]`. */
static bool default_class(const struct spec *s, struct value *out)
{
    for (size_t i = 0; i < s->default_count; i++) {
        const char *open = strchr(s->defaults[i].json, '"');
        const char *close = open ? strchr(open + 1, '"') : NULL;
        if (!close || strcmp(s->defaults[i].path, "architectures") != 0) continue;
        *out = value_text(text_span(open + 1, close));
        out->evidence = EVIDENCE_DEFAULTED;
        out->key = "architectures";
        return true;
    }
    return false;
}

/* class(): the first of cfg("architectures"), or all of it if it is a text (--set); for diffusers the class
 * that saved it; else the spec's default, or "". */
NUMEL_MUST static bool f_class(struct call *c, struct value *out)
{
    numel_str path[] = { text_of("architectures"), text_of("_class_name") };
    char shown[EVAL_SHOW];
    struct value v;
    if (scope_of(c)) return part_class(c->env, scope_of(c), out);
    if (!config_value(c->env->config, c->env->spec, c->env->values, path, 2, &v, c->env->error)) return false;
    bool named = v.kind == VALUE_LIST && v.list.items && v.list.n && v.list.items[0].kind == VALUE_TEXT;
    bool text = v.kind == VALUE_TEXT, none = v.kind == VALUE_LIST && v.list.n == 0;
    if (!named && !text && !none && v.kind != VALUE_NULL)
        return eval_fail(c->env, c->node, NUMEL_E_CONFIG, "%s is not a list of classes",
                         eval_show(shown, &v));
    if (!named && !text && c->env->values == SIDE_HF && default_class(c->env->spec, out)) return true;
    *out = value_text(named ? v.list.items[0].s : text ? v.s : text_of(""));
    eval_taint(out, &v);
    return true;
}

/* Length of the common start of two model types, ignoring `-` and `_`; SIZE_MAX if they are equal. */
static size_t likeness(numel_str a, numel_str b)
{
    size_t i = 0, k = 0, same = 0;
    for (;; i++, k++, same++) {
        while (i < a.n && (a.p[i] == '-' || a.p[i] == '_')) i++;
        while (k < b.n && (b.p[k] == '-' || b.p[k] == '_')) k++;
        if (i == a.n && k == b.n) return SIZE_MAX;
        if (i == a.n || k == b.n || a.p[i] != b.p[k]) return same;
    }
}

/* The model type in the spec's `match hf` lines that is most like `type` and has a class. */
static bool nearest(const struct spec *s, uint32_t scope, numel_str type, struct defaults_class *found)
{
    size_t best = 0;
    bool any = false;
    for (size_t i = 0; i < s->rule_count; i++) {
        numel_str words = s->rules[i].words;
        if (s->rules[i].scope != scope) continue;
        bool types = s->rules[i].side == SIDE_HF && strcmp(s->rules[i].field, "model_type") == 0;
        for (numel_str word = text_word(&words); types && word.n; word = text_word(&words)) {
            struct defaults_class class;
            if (!defaults_find(word, &class)) continue;
            size_t same = likeness(type, word);
            if (any && same <= best) continue;
            *found = class;
            best = same;
            any = true;
        }
    }
    return any;
}

bool spec_model_type(const struct spec *s, numel_str type, numel_str *nearest_type)
{
    struct defaults_class found;
    if (!nearest(s, 0, type, &found)) return false;
    *nearest_type = found.model_type;
    return true;
}

/* family(model_type): the prefix of its class names, "Qwen3Moe" for qwen3_moe: the configuration class
 * without "Config". A GGUF architecture, or a model type without a class, stands for the most similar one
 * that the spec serves; null if none of them has a class. */
static bool f_family(struct call *c, struct value *out)
{
    struct defaults_class found;
    *out = value_null();
    if (c->v[0].kind != VALUE_TEXT) return true;
    bool known = c->env->values == SIDE_HF && defaults_find(c->v[0].s, &found);
    if (!known && !nearest(c->env->spec, scope_of(c), c->v[0].s, &found)) return true;
    text_take_end(&found.name, "Config");
    return *out = value_text(found.name), true;
}

/* since("5.23"): true if printouts are made for this version or a later one. */
static bool f_since(struct call *c, struct value *out)
{
    uint32_t from;
    if (c->v[0].kind != VALUE_TEXT || !vintage_read(c->v[0].s, &from))
        return call_wrong(c, 0, "a version as \"5.23\"");
    return *out = value_bool(config_vintage(c->env->config) >= from), true;
}

static bool f_isnum(struct call *c, struct value *out)
{
    return *out = value_bool(c->v[0].kind == VALUE_INT || c->v[0].kind == VALUE_REAL), true;
}

/* Refuses a word that the spec does not know, even if the class does. */
static bool f_unknown(struct call *c, struct value *out)
{
    (void)out;
    return call_wrong(c, 0, "a word that this specification knows");
}

static bool f_starts(struct call *c, struct value *out)
{
    for (unsigned i = 0; i < 2; i++)
        if (c->v[i].kind != VALUE_TEXT) return call_wrong(c, i, "a string");
    numel_str text = c->v[0].s, start = c->v[1].s;
    return *out = value_bool(text.n >= start.n && memcmp(text.p, start.p, start.n) == 0), true;
}

/* must(x, text): fails with this text unless x is true; the class cannot be built. */
static bool f_must(struct call *c, struct value *out)
{
    if (c->v[0].kind != VALUE_BOOL) return call_wrong(c, 0, "true or false");
    if (c->v[1].kind != VALUE_TEXT) return call_wrong(c, 1, "a string");
    char shown[TEXT_QUOTE];
    if (!c->v[0].b) return eval_fail(c->env, c->node, NUMEL_E_CONFIG, "%s", text_bare(shown, c->v[1].s));
    return *out = value_bool(true), true;
}

/* substr(text, from [, n]): cut to the bounds of the text. */
static bool f_substr(struct call *c, struct value *out)
{
    if (c->v[0].kind != VALUE_TEXT) return call_wrong(c, 0, "a string");
    for (unsigned i = 1; i < c->count; i++)
        if (c->v[i].kind != VALUE_INT || c->v[i].i < 0) return call_wrong(c, i, "a size");
    numel_str s = c->v[0].s;
    s = text_from(s, (size_t)num_min((uint64_t)c->v[1].i, SIZE_MAX));
    if (c->count == 3) s = text_upto(s, (size_t)num_min((uint64_t)c->v[2].i, SIZE_MAX));
    return *out = value_text(s), true;
}

static const struct {
    const char *name;
    unsigned least, most;
    bool (*call)(struct call *, struct value *);
} functions[FUNCTIONS] = {
    [FUNCTION_CFG] = { "cfg", 1, ARGUMENTS, f_cfg },
    [FUNCTION_HAS] = { "has", 1, 2, f_has },
    [FUNCTION_DIM] = { "dim", 2, 2, f_dim },
    [FUNCTION_LAYERS] = { "layers", 1, 1, f_layers },
    [FUNCTION_RUN] = { "run", 1, 2, f_run },
    [FUNCTION_NUMBERS] = { "numbers", 1, 1, f_numbers },
    [FUNCTION_DIMS] = { "dims", 2, 2, f_numbers },
    [FUNCTION_IN] = { "in", 2, 2, f_in },
    [FUNCTION_LEN] = { "len", 1, 1, f_len },
    [FUNCTION_COUNT] = { "count", 2, 2, f_count },
    [FUNCTION_MIN] = { "min", 1, ARGUMENTS, call_extreme },
    [FUNCTION_MAX] = { "max", 1, ARGUMENTS, call_extreme },
    [FUNCTION_CEIL_DIV] = { "ceil_div", 2, 2, call_quotient },
    [FUNCTION_FLOOR_DIV] = { "floor_div", 2, 2, call_quotient },
    [FUNCTION_ROUND_UP] = { "round_up", 2, 2, call_quotient },
    [FUNCTION_ISNUM] = { "isnum", 1, 1, f_isnum },
    [FUNCTION_UNKNOWN] = { "unknown", 1, 1, f_unknown },
    [FUNCTION_STARTS] = { "starts", 2, 2, f_starts },
    [FUNCTION_MUST] = { "must", 2, 2, f_must },
    [FUNCTION_MUL] = { "mul", 2, 2, call_product },
    [FUNCTION_CEIL] = { "ceil", 2, 2, call_product },
    [FUNCTION_ROUND] = { "round", 2, 2, call_product },
    [FUNCTION_DIVISIBLE] = { "divisible", 2, 4, call_divisible },
    [FUNCTION_RATIO] = { "ratio", 2, 2, call_ratio },
    [FUNCTION_POW] = { "pow", 2, 2, call_power },
    [FUNCTION_LOG2] = { "log2", 1, 1, call_log2 },
    [FUNCTION_ROOT] = { "root", 1, 1, call_root },
    [FUNCTION_GRID] = { "grid", 2, 2, call_grid },
    [FUNCTION_SUM] = { "sum", 1, 2, call_sum },
    [FUNCTION_PRIMES] = { "primes", 3, 3, call_primes },
    [FUNCTION_OUTS] = { "outs", 3, 3, call_outs },
    [FUNCTION_CLASS] = { "class", 0, 0, f_class },
    [FUNCTION_SINCE] = { "since", 1, 1, f_since },
    [FUNCTION_FAMILY] = { "family", 1, 1, f_family },
    [FUNCTION_SUBSTR] = { "substr", 2, 3, f_substr },
    [FUNCTION_Q] = { "q", 1, ARGUMENTS, call_q },
    [FUNCTION_OWN] = { "own", 1, 1, call_own },
    [FUNCTION_WIDTH] = { "width", 1, 1, call_width },
    [FUNCTION_BITSOF] = { "bitsof", 1, 1, call_bitsof },
    [FUNCTION_HOLDS] = { "holds", 2, 2, call_holds },
    [FUNCTION_LOWER] = { "lower", 1, 1, call_case },
    [FUNCTION_UPPER] = { "upper", 1, 1, call_case },
    [FUNCTION_TEXT] = { "text", 1, 1, call_text },
    [FUNCTION_POW2] = { "pow2", 1, 1, call_pow2 },
    [FUNCTION_GGML_BLOCK] = { "ggml_block", 1, 1, call_ggml },
    [FUNCTION_GGML_BYTES] = { "ggml_bytes", 1, 1, call_ggml },
    [FUNCTION_META] = { "meta", 1, ARGUMENTS, call_witness },
    [FUNCTION_JSON] = { "json", 1, ARGUMENTS, call_witness },
    [FUNCTION_INTS] = { "ints", 2, 2, call_witness },
    [FUNCTION_NUMBER] = { "number", 1, 1, call_witness },
};

int spec_function(numel_str name)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (text_equal(name, functions[i].name)) return i;
    return -1;
}

const char *spec_function_name(int function) { return functions[function].name; }

void spec_function_arity(int function, unsigned *least, unsigned *most)
{
    *least = functions[function].least;
    *most = functions[function].most;
}

bool eval_call(struct env *env, uint32_t node, struct value *out)
{
    const struct node *n = &env->spec->nodes[node];
    struct call c = { .env = env, .node = node };
    for (uint32_t a = n->a; a && c.count < ARGUMENTS; a = env->spec->nodes[a].next) {
        c.at[c.count] = a;
        if (!eval(env, a, &c.v[c.count])) return false;
        if (n->number != FUNCTION_IN) alike_settle(env, &c.v[c.count]);
        c.count++;
    }
    if (n->number == FUNCTION_IN) alike_in(env, &c.v[1], &c.v[0]);
    if (!functions[n->number].call(&c, out)) return false;
    for (unsigned i = 0; i < c.count; i++) eval_taint(out, &c.v[i]);
    return true;
}
