/*
 * eval.c -- evaluates expressions of a spec; see eval.h. One function for each kind of node; the functions of
 * the language are in function.c.
 */
#include "base/text.h"
#include "formula/alike.h"

#include <stdio.h>
#include <string.h>

bool env_init(struct env *env, numel_error *e)
{
    size_t n = env->spec->symbol_count;
    env->error = e;
    env->bound = arena_alloc(env->arena, n * sizeof *env->bound);
    env->is_bound = arena_alloc(env->arena, n * sizeof *env->is_bound);
    if (!env->bound || !env->is_bound) return error_nomem(e);
    memset(env->is_bound, 0, n * sizeof *env->is_bound);
    struct value gguf = value_bool(env->names == SIDE_GGUF);
    struct value llama_cpp = value_bool(env->llama_cpp);
    env_bind(env, SYMBOL_GGUF, &gguf);
    env_bind(env, SYMBOL_LLAMA_CPP, &llama_cpp);
    return true;
}

void env_bind(struct env *env, uint32_t symbol, const struct value *v)
{
    env->bound[symbol] = *v;
    env->is_bound[symbol] = true;
}

bool eval_fail(struct env *env, uint32_t node, numel_rc code, const char *format, ...)
{
    const struct node *n = &env->spec->nodes[node];
    char text[400];
    va_list args;
    if (!error_free(env->error)) return false;
    va_start(args, format);
    text_formatv(text, sizeof text, format, args);
    va_end(args);
    /* a line of our spec is of no use to the author of a configuration */
    bool theirs = code == NUMEL_E_CONFIG || code == NUMEL_E_KEY;
    if (theirs) error_set(env->error, code, NUMEL_NOWHERE, "%s", text);
    else error_set(env->error, code, NUMEL_NOWHERE, "line %u, column %u: %s", n->line, n->column, text);
    if (!theirs) error_file(env->error, env->spec->files[n->file]);
    return false;
}

char *eval_show(char out[EVAL_SHOW], const struct value *v)
{
    char shown[VALUE_SHOW];
    if (v->key) text_format(out, EVAL_SHOW, "%s (%.100s)", value_show(shown, v), v->key);
    else text_format(out, EVAL_SHOW, "%s", value_show(shown, v));
    return out;
}

void eval_taint(struct value *out, const struct value *from)
{
    if (from->evidence > out->evidence) {
        out->evidence = from->evidence;
        if (from->key) out->key = from->key;
        out->by = from->by;
    }
    if (!out->key) out->key = from->key;
    out->varies |= from->varies;
}

/* ---- arithmetic ------------------------------------------------------------------------------- */

bool eval_null(struct env *env, uint32_t node, const struct value *v)
{
    bool said = v->evidence == EVIDENCE_DECLARED || v->evidence == EVIDENCE_SET;
    if (said)
        return eval_fail(env, node, NUMEL_E_CONFIG,
                         "%.100s is null in the configuration; give it with --set %.100s=VALUE", v->key,
                         v->key);
    return eval_fail(env, node, NUMEL_E_KEY,
                     "the configuration has no %.100s; give it with --set %.100s=VALUE", v->key, v->key);
}

static bool need_int(struct env *env, uint32_t node, const struct value *v)
{
    char shown[EVAL_SHOW];
    if (v->kind == VALUE_INT) return true;
    if (v->kind == VALUE_NULL && v->key) return eval_null(env, node, v);
    return eval_fail(env, node, NUMEL_E_CONFIG, "%s is not an integer", eval_show(shown, v));
}

static bool divide(struct env *env, uint32_t node, const struct value *a, const struct value *b, int64_t *out)
{
    char x[EVAL_SHOW], y[EVAL_SHOW];
    if (b->i == 0 || (a->i == INT64_MIN && b->i == -1))
        return eval_fail(env, node, NUMEL_E_CONFIG, "%s divided by %s", eval_show(x, a), eval_show(y, b));
    if (env->spec->nodes[node].kind == NODE_MOD) return *out = a->i % b->i, true;
    if (a->i % b->i && !env->relaxed)
        return eval_fail(env, node, NUMEL_E_CONFIG, "%s is not a multiple of %s", eval_show(x, a),
                         eval_show(y, b));
    return *out = a->i / b->i, true;
}

static bool arithmetic(struct env *env, uint32_t node, const struct value *a, const struct value *b,
                       int64_t *out)
{
    char x[EVAL_SHOW], y[EVAL_SHOW];
    const struct node *n = &env->spec->nodes[node];
    bool over = false;
    if (!need_int(env, n->a, a) || !need_int(env, n->b, b)) return false;
    switch (n->kind) {
    case NODE_ADD: over = __builtin_add_overflow(a->i, b->i, out); break;
    case NODE_SUB: over = __builtin_sub_overflow(a->i, b->i, out); break;
    case NODE_MUL: over = __builtin_mul_overflow(a->i, b->i, out); break;
    default: return divide(env, node, a, b, out);
    }
    return !over || eval_fail(env, node, NUMEL_E_OVERFLOW,
                              "%s and %s: the result does not fit "
                              "in 64 bits",
                              eval_show(x, a), eval_show(y, b));
}

static bool compare(struct env *env, uint32_t node, const struct value *a, const struct value *b, bool *out)
{
    const struct node *n = &env->spec->nodes[node];
    if (n->kind == NODE_EQ || n->kind == NODE_NE)
        return *out = value_equal(a, b) == (n->kind == NODE_EQ), true;
    if (!need_int(env, n->a, a) || !need_int(env, n->b, b)) return false;
    switch (n->kind) {
    case NODE_LT: *out = a->i < b->i; break;
    case NODE_GT: *out = a->i > b->i; break;
    case NODE_LE: *out = a->i <= b->i; break;
    default: *out = a->i >= b->i; break;
    }
    return true;
}

/* Refuses texts that grow out of bounds, such as one that doubles with each line or iteration. */
static bool fits(struct env *env, uint32_t node, size_t bytes)
{
    if (bytes > EVAL_TEXT)
        return eval_fail(env, node, NUMEL_E_LIMIT, "a text of %zu bytes, at most %d are allowed", bytes,
                         EVAL_TEXT);
    return env->arena->held <= EVAL_MEMORY || !env->bounded ||
           eval_fail(env, node, NUMEL_E_LIMIT, "the texts of expressions take more than %d bytes",
                     EVAL_MEMORY);
}

/* "a" + "b": for paths and names that shared blocks compose. */
NUMEL_MUST static bool joined(struct env *env, uint32_t node, const struct value *a, const struct value *b,
                              struct value *out)
{
    if (a->s.n > SIZE_MAX / 4 || b->s.n > SIZE_MAX / 4 || !fits(env, node, a->s.n + b->s.n)) return false;
    numel_str text = arena_join(env->arena, a->s, b->s, text_of(""));
    if (!text.p) return error_nomem(env->error);
    return *out = value_text(text), true;
}

static bool binary(struct env *env, uint32_t node, struct value *out)
{
    const struct node *n = &env->spec->nodes[node];
    struct value a, b;
    int64_t i = 0;
    bool truth = false;
    if (!eval(env, n->a, &a) || !eval(env, n->b, &b)) return false;
    if (n->kind == NODE_ADD && a.kind == VALUE_TEXT && b.kind == VALUE_TEXT) {
        if (!joined(env, node, &a, &b, out)) return false;
    } else if (n->kind >= NODE_ADD) {
        if (!arithmetic(env, node, &a, &b, &i)) return false;
        *out = value_int(i);
        alike_arithmetic(env, (enum node_kind)n->kind, &a, &b, out);
    } else {
        if (!compare(env, node, &a, &b, &truth)) return false;
        alike_compare(env, (enum node_kind)n->kind, &a, &b);
        *out = value_bool(truth);
    }
    eval_taint(out, &a);
    eval_taint(out, &b);
    return true;
}

/* ---- choices ---------------------------------------------------------------------------------- */

static bool truth(struct env *env, uint32_t node, struct value *v)
{
    char shown[EVAL_SHOW];
    if (!eval(env, node, v)) return false;
    return v->kind == VALUE_BOOL ||
           eval_fail(env, node, NUMEL_E_CONFIG, "%s is neither true nor false", eval_show(shown, v));
}

static bool logic(struct env *env, uint32_t node, struct value *out)
{
    const struct node *n = &env->spec->nodes[node];
    struct value a, b;
    if (!truth(env, n->a, &a)) return false;
    *out = a;
    if (a.b == (n->kind == NODE_OR)) return true;
    if (!truth(env, n->b, &b)) return false;
    *out = value_bool(b.b);
    eval_taint(out, &a);
    eval_taint(out, &b);
    return true;
}

static bool choose(struct env *env, uint32_t node, struct value *out)
{
    const struct node *n = &env->spec->nodes[node];
    struct value test;
    if (!truth(env, n->a, &test) || !eval(env, test.b ? n->b : n->c, out)) return false;
    const char *key = out->key;
    eval_taint(out, &test);
    if (key) out->key = key; /* the number's own key explains more than the flag's */
    return true;
}

/* x ?? y: a value that replaces a missing key is a default. */
NUMEL_MUST static bool otherwise(struct env *env, uint32_t node, struct value *out)
{
    const struct node *n = &env->spec->nodes[node];
    struct value x;
    if (!eval(env, n->a, &x)) return false;
    if (x.kind != VALUE_NULL) return *out = x, true;
    if (!eval(env, n->b, out)) return false;
    if (out->kind != VALUE_NULL && out->evidence < EVIDENCE_DEFAULTED) {
        out->evidence = EVIDENCE_DEFAULTED;
        out->by = NULL;
    }
    const struct node *rule = &env->spec->nodes[n->b];
    bool divides = rule->kind == NODE_CALL && rule->number == FUNCTION_FLOOR_DIV;
    if (divides || (rule->kind >= NODE_ADD && rule->kind <= NODE_MOD)) { /* explains more than its keys */
        out->key = arena_text(env->arena, rule->source.p, rule->source.n);
        out->by = NULL;
        if (!out->key) return error_nomem(env->error);
    }
    if (!out->key) out->key = x.key;
    out->varies |= x.varies;
    return true;
}

/* ---- members ---------------------------------------------------------------------------------- */

/* The value of an object under a key that is this number, with or without leading zeros ("05"). */
static const json_value *numbered(const json_value *object, int64_t i)
{
    char name[24];
    text_format(name, sizeof name, "%" PRId64, i);
    for (const json_value *v = json_first(object); v; v = json_next(v)) {
        const char *key = json_name(v);
        while (*key == '0' && key[1]) key++;
        if (!strcmp(key, name)) return v;
    }
    return NULL;
}

/* x[i]: an item of a list, a letter of a string, or the value of an object under the key `i`. A single value
 * is the same for all i. */
static bool index_of(struct env *env, uint32_t node, struct value *out)
{
    const struct node *n = &env->spec->nodes[node];
    struct value x, i;
    if (!eval(env, n->a, &x) || !eval(env, n->b, &i) || !need_int(env, n->b, &i)) return false;
    *out = x;
    if (x.kind == VALUE_OBJECT) {
        const json_value *v = numbered(x.object, i.i);
        alike_settle(env, &i);
        *out = value_null();
        if (v && !config_value_of(env->config, v, out, env->error)) return false;
        eval_taint(out, &x);
    } else if (x.kind == VALUE_LIST || x.kind == VALUE_TEXT) {
        uint64_t count = x.kind == VALUE_LIST ? x.list.n : x.s.n;
        if (i.i < 0 || (uint64_t)i.i >= count)
            return eval_fail(env, node, NUMEL_E_CONFIG,
                             "%.100s has %" PRIu64 " values, number %" PRId64 " (from 0) is asked for",
                             x.key ? x.key : "the list", count, i.i);
        alike_index(env, &x, &i);
        if (x.kind == VALUE_TEXT) *out = value_text((numel_str){ x.s.p + i.i, 1 });
        else if (x.list.items) *out = x.list.items[i.i];
        else
            return eval_fail(env, node, NUMEL_E_LIMIT, "%.100s is too long a list to be read",
                             x.key ? x.key : "this");
        eval_taint(out, &x);
    }
    eval_taint(out, &i);
    return true;
}

/* [a, b]: each item keeps its own evidence. */
NUMEL_MUST static bool list_value(struct env *env, uint32_t node, struct value *out)
{
    uint64_t n = 0;
    for (uint32_t k = env->spec->nodes[node].a; k; k = env->spec->nodes[k].next) n++;
    struct value *items = arena_alloc(env->arena, n * sizeof *items);
    if (!items) return error_nomem(env->error);
    *out = (struct value){ .kind = VALUE_LIST, .list = { items, n } };
    for (uint32_t k = env->spec->nodes[node].a; k; k = env->spec->nodes[k].next, items++)
        if (!eval(env, k, items)) return false;
    return true;
}

/* The first row of a `choose` in which the most columns match the file. It selects a known model whose sizes
 * are constants of the spec, so they can reveal errors in all tensors, even in those that selected it. */
NUMEL_MUST static bool nearest(struct env *env, uint32_t node, struct value *out)
{
    const struct node *nodes = env->spec->nodes;
    unsigned same[CHOOSE_ROWS] = { 0 }, most = 0;
    struct value shown, said;
    *out = value_int(0);
    for (uint32_t k = nodes[node].a; k; k = nodes[k].next) {
        if (!eval(env, nodes[k].a, &shown) || !eval(env, nodes[k].b, &said)) return false;
        for (unsigned row = 0; row < CHOOSE_ROWS && row < said.list.n; row++)
            same[row] += value_equal(&shown, &said.list.items[row]);
    }
    for (unsigned row = 0; row < CHOOSE_ROWS; row++)
        if (same[row] > most) most = same[row], *out = value_int(row);
    return true;
}

NUMEL_MUST static bool member(struct env *env, uint32_t node, struct value *out)
{
    const struct node *n = &env->spec->nodes[node];
    struct value x;
    char shown[EVAL_SHOW];
    if (!eval(env, n->a, &x)) return false;
    if (x.kind != VALUE_OBJECT && x.kind != VALUE_NULL)
        return eval_fail(env, node, NUMEL_E_CONFIG, "%s has no keys", eval_show(shown, &x));
    *out = value_null();
    const json_value *v = x.kind == VALUE_OBJECT ? json_at(x.object, n->text) : NULL;
    if (v && !config_value_of(env->config, v, out, env->error)) return false;
    eval_taint(out, &x);
    out->key = arena_text(env->arena, n->text.p, n->text.n);
    return out->key || error_nomem(env->error);
}

static bool symbol(struct env *env, uint32_t node, struct value *out)
{
    const struct node *n = &env->spec->nodes[node];
    char shown[TEXT_QUOTE];
    if (!env->is_bound[n->number])
        return eval_fail(env, node, NUMEL_E_SPEC, "symbol %s has no value here",
                         text_quote(shown, env->spec->symbols[n->number].name));
    if (env->alike) alike_read(env->alike, (uint32_t)n->number);
    *out = env->bound[n->number];
    return true;
}

static bool unary(struct env *env, uint32_t node, struct value *out)
{
    const struct node *n = &env->spec->nodes[node];
    if (n->kind == NODE_NOT) {
        if (!truth(env, n->a, out)) return false;
        out->b = !out->b;
        return true;
    }
    if (!eval(env, n->a, out) || !need_int(env, n->a, out)) return false;
    if (out->i == INT64_MIN)
        return eval_fail(env, node, NUMEL_E_OVERFLOW, "the result does not fit in 64 bits");
    if (out->step == INT64_MIN) alike_settle(env, out);
    out->i = -out->i;
    out->step = -out->step;
    return true;
}

enum { PART_TEXT = 64 };

/* The text of a part of a template; a number is written to `digits`. `settles`: the text may be compared, so
 * a moving number must be settled. */
static bool part_text(struct env *env, uint32_t part, bool settles, char digits[PART_TEXT], numel_str *out)
{
    const struct node *n = &env->spec->nodes[part];
    char shown[EVAL_SHOW];
    struct value v;
    if (n->kind == NODE_TEXT) return *out = n->text, true;
    if (!eval(env, part, &v)) return false;
    if (settles) alike_settle(env, &v);
    if (v.kind == VALUE_TEXT) return *out = v.s, true;
    if (v.kind == VALUE_INT && v.step && env->ranged) {
        *out = (numel_str){ digits, text_format(digits, PART_TEXT, "{%u:%" PRId64 ":%" PRId64 "}", v.loop,
                                                v.i, v.step) };
        return true;
    }
    if (v.kind == VALUE_INT) return *out = text_decimal(digits, v.i), true;
    return eval_fail(env, part, NUMEL_E_CONFIG, "%s cannot stand in a name", eval_show(shown, &v));
}

NUMEL_MUST static bool template_value(struct env *env, uint32_t node, struct value *out)
{
    numel_str text = { NULL, 0 }, more = text;
    char digits[PART_TEXT];
    uint32_t part = env->spec->nodes[node].a;
    do {
        if (part && !part_text(env, part, true, digits, &more)) return false;
        if (!fits(env, node, text.n + more.n)) return false;
        text = arena_append(env->arena, text, more);
        if (!text.p) return error_nomem(env->error);
        part = env->spec->nodes[part].next;
    } while (part);
    *out = value_text(text);
    return true;
}

bool eval(struct env *env, uint32_t node, struct value *out)
{
    const struct node *n = &env->spec->nodes[node];
    *out = value_null();
    switch ((enum node_kind)n->kind) {
    case NODE_NONE:
    case NODE_NULL: return true;
    case NODE_BOOL: return *out = value_bool(n->number != 0), true;
    case NODE_INT: return *out = value_int(n->number), true;
    case NODE_REAL: return *out = (struct value){ .kind = VALUE_REAL, .r = n->real }, true;
    case NODE_TEXT: return *out = value_text(n->text), true;
    case NODE_SYMBOL: return symbol(env, node, out);
    case NODE_CALL: return eval_call(env, node, out);
    case NODE_INDEX: return index_of(env, node, out);
    case NODE_MEMBER: return member(env, node, out);
    case NODE_NOT:
    case NODE_NEGATE: return unary(env, node, out);
    case NODE_CHOOSE: return choose(env, node, out);
    case NODE_ELSE: return otherwise(env, node, out);
    case NODE_OR:
    case NODE_AND: return logic(env, node, out);
    case NODE_TEMPLATE: return template_value(env, node, out);
    case NODE_LIST: return list_value(env, node, out);
    case NODE_NEAREST: return nearest(env, node, out);
    default: return binary(env, node, out);
    }
}

bool eval_bool(struct env *env, uint32_t node, bool *out, enum evidence *evidence)
{
    struct value v;
    if (!truth(env, node, &v)) return false;
    *out = v.b;
    if (evidence && v.evidence > *evidence) *evidence = v.evidence;
    return true;
}

/* Finds the symbol to blame for a result that is too small: it comes from a key and is itself at most 0. */
static const struct value *to_blame(const struct env *env, uint32_t node)
{
    const struct node *n = &env->spec->nodes[node];
    if (n->kind == NODE_SYMBOL) {
        const struct value *v = &env->bound[n->number];
        return env->is_bound[n->number] && v->kind == VALUE_INT && v->i <= 0 && v->key ? v : NULL;
    }
    if (n->kind < NODE_CALL) return NULL;
    const struct value *found = NULL;
    for (uint32_t part = n->a; part && !found; part = env->spec->nodes[part].next)
        found = to_blame(env, part);
    if (!found && n->b) found = to_blame(env, n->b);
    return !found && n->c ? to_blame(env, n->c) : found;
}

bool eval_int(struct env *env, uint32_t node, int64_t least, const char *what, struct value *out)
{
    char shown[EVAL_SHOW], why[EVAL_SHOW + 8] = "", key[EVAL_SHOW];
    if (!eval(env, node, out) || !need_int(env, node, out)) return false;
    alike_settle(env, out);
    if (out->i >= least) return true;
    const struct value *blame = to_blame(env, node);
    bool same = blame && blame->i == out->i && out->key && strcmp(blame->key, out->key) == 0;
    if (blame && !same) text_format(why, sizeof why, ": %s", eval_show(key, blame));
    if (why[0]) out->key = NULL; /* the product has the key of a factor that is not to blame */
    return eval_fail(env, node, NUMEL_E_CONFIG, "%s is %s, it must be at least %" PRId64 "%s", what,
                     eval_show(shown, out), least, why);
}

bool eval_text(struct env *env, uint32_t node, struct buffer *out)
{
    char digits[PART_TEXT];
    numel_str text = { NULL, 0 };
    for (uint32_t part = env->spec->nodes[node].a; part; part = env->spec->nodes[part].next) {
        if (!part_text(env, part, false, digits, &text)) return false;
        buffer_add(out, text.p, text.n);
    }
    return !out->failed || error_nomem(env->error);
}
