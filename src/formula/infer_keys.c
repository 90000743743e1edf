/*
 * infer_keys.c -- the unknown keys of a spec, and how they are used; see infer_internal.h.
 *
 * A visitor that sees each line once. It passes the use of a value down its expression, through symbols to
 * the `let` that bound them, to each cfg() or class().
 */
#include "formula/infer_internal.h"
#include "formula/parts.h"

#include <math.h>

enum { MARK_DEPTH = 100, MARK_STEPS = 200000 };

/* A visitor of all lines, once, in order: every branch, and loops without iterating. */
struct marking {
    struct search *f;
    struct env env;
    numel_error scratch; /* why an evaluation failed */
    uint32_t *let;       /* by symbol: the expression of its last let */
    unsigned *marks;     /* by symbol: uses already passed on */
    unsigned steps;
};

static void mark(struct marking *m, uint32_t node, unsigned uses, unsigned depth);

static bool quiet(struct marking *m, uint32_t node, struct value *out)
{
    error_clear(&m->scratch);
    if (eval(&m->env, node, out)) return true;
    if (m->scratch.code == NUMEL_E_NOMEM) error_nomem(m->f->error);
    return false;
}

/* ---- keys ------------------------------------------------------------------------------------- */

enum { PATHS = 8 };

static unsigned paths_of(struct env *env, uint32_t node, numel_str paths[PATHS])
{
    const struct node *n = &env->spec->nodes[node];
    char room[PART_PATH];
    unsigned count = 0;
    struct value v;
    if (n->number == FUNCTION_CLASS) {
        paths[0] = text_of("architectures");
        paths[1] = text_of("_class_name");
        return n->scope ? 0 : 2;
    }
    for (uint32_t a = n->a; a && count < PATHS; a = env->spec->nodes[a].next) {
        if (!eval(env, a, &v) || v.kind != VALUE_TEXT || part_says(env->spec, n->scope, v.s)) return 0;
        if (!part_path(env, n->scope, v.s, room, &paths[count])) return 0;
        if (paths[count].p == room) paths[count].p = arena_text(env->arena, room, paths[count].n);
        if (!paths[count].p) return error_nomem(env->error), 0;
        count++;
    }
    return count;
}

static struct key *find(struct search *f, const numel_str *paths, unsigned count)
{
    for (size_t i = 0; i < f->key_count; i++)
        for (unsigned k = 0; k < count; k++)
            if (text_same(f->keys[i].path, paths[k])) return &f->keys[i];
    return NULL;
}

struct key *key_of(struct search *f, struct env *env, uint32_t node)
{
    numel_str paths[PATHS];
    unsigned count = paths_of(env, node, paths);
    return find(f, paths, count);
}

bool key_publish(struct search *f, const struct key *k)
{
    struct value v = k->now;
    if (k->hole) v = (struct value){ .kind = VALUE_REAL, .r = NAN };
    return config_add_inferred(f->in->config, k->path, &v, f->error);
}

NUMEL_MUST static struct key *add(struct marking *m, numel_str path)
{
    struct search *f = m->f;
    char *text = arena_text(f->arena, path.p, path.n);
    if (!text) return error_nomem(f->error), NULL;
    if (f->key_count == INFER_KEYS || !memory_grow(f->arena->memory, (void **)&f->keys, &f->key_cap,
                                                   f->key_count + 1, sizeof *f->keys, f->error))
        return NULL;
    struct key *k = &f->keys[f->key_count++];
    *k = (struct key){ .path = { text, path.n }, .value = value_null() };
    return config_watch(f->in->config, k->path, f->error) ? k : NULL;
}

/* True if this default counts as declared. */
static bool is_kept(const struct infer_input *in, const struct value *v)
{
    if (in->keep == KEEP_WORDS)
        return v->kind == VALUE_REAL || v->kind == VALUE_TEXT || v->kind == VALUE_LIST ||
               v->kind == VALUE_OBJECT;
    if (in->keep == KEEP_FLAGS) return v->kind != VALUE_NULL && v->kind != VALUE_INT;
    return in->keep == KEEP_DEFAULTS && v->kind != VALUE_NULL;
}

/* The unknown key of a cfg() or class() node, created if new; NULL if it is known. */
static struct key *touch(struct marking *m, uint32_t node, unsigned uses)
{
    const struct infer_input *in = m->f->in;
    numel_str paths[PATHS];
    struct value v;
    error_clear(&m->scratch);
    unsigned count = paths_of(&m->env, node, paths);
    struct key *k = find(m->f, paths, count);
    if (m->scratch.code == NUMEL_E_NOMEM) error_nomem(m->f->error);
    if (!count || !error_free(m->f->error)) return NULL;
    if (!k) {
        if (!config_value(in->config, in->spec, in->side, paths, count, &v, &m->scratch)) {
            if (m->scratch.code == NUMEL_E_NOMEM) error_nomem(m->f->error);
            return NULL;
        }
        bool known = v.evidence == EVIDENCE_DEFAULTED ? is_kept(in, &v) : v.evidence != EVIDENCE_CONSTANT;
        if (known || !(k = add(m, paths[0]))) return NULL;
        if (v.kind == VALUE_LIST) k->uses |= USE_LIST;
        if (v.kind == VALUE_INT) k->fallback = v.i;
    }
    k->uses |= uses;
    m->f->typed |= text_equal(k->path, "model_type");
    return k;
}

/* ---- what keys are compared with -------------------------------------------------------------- */

static void add_word(struct marking *m, struct key *k, numel_str word, bool list)
{
    for (unsigned i = 0; i < k->word_count; i++) {
        const struct value *v = k->words[i].kind == VALUE_LIST ? k->words[i].list.items : &k->words[i];
        if (text_same(v->s, word)) return;
    }
    if (k->word_count == INFER_WORDS || !word.n) return;
    char *text = arena_text(m->f->arena, word.p, word.n);
    struct value v = value_text((numel_str){ text, word.n });
    struct value *item = list ? arena_copy(m->f->arena, &v, sizeof v) : NULL;
    if (!text || (list && !item)) {
        error_nomem(m->f->error);
        return;
    }
    if (list) v = (struct value){ .kind = VALUE_LIST, .list = { item, 1 } };
    k->words[k->word_count++] = v;
}

static void add_words(struct marking *m, struct key *k, numel_str words, bool split, bool list)
{
    if (!split) add_word(m, k, words, list);
    while (split && words.n) add_word(m, k, text_word(&words), list);
}

/* The first text that an offset depends on: "Bert" in starts(cls, "Bert") ? 4 : 0. */
static numel_str start_in(const struct spec *spec, uint32_t node)
{
    const struct node *n = &spec->nodes[node];
    numel_str none = { "", 0 };
    if (n->kind == NODE_CHOOSE) return start_in(spec, n->a);
    if (n->kind != NODE_CALL || n->number != FUNCTION_STARTS) return none;
    const struct node *second = &spec->nodes[spec->nodes[n->a].next];
    return second->kind == NODE_TEXT ? second->text : none;
}

static void offer(struct marking *m, uint32_t node, numel_str words, bool split, unsigned depth);

/* substr(cls, ...): puts the part that is cut off in front of each word. */
static void offer_whole(struct marking *m, const struct node *n, numel_str words, bool split, unsigned depth)
{
    const struct spec *spec = m->f->in->spec;
    numel_str start = start_in(spec, spec->nodes[n->a].next);
    struct buffer b;
    buffer_init(&b, m->env.arena->memory);
    buffer_add(&b, start.p, start.n);
    for (size_t i = 0; i < words.n; i++) {
        buffer_char(&b, words.p[i]);
        if (split && words.p[i] == ' ') buffer_add(&b, start.p, start.n);
    }
    char *text = b.failed ? NULL : arena_text(m->f->arena, b.p, b.n);
    if (text) offer(m, n->a, (numel_str){ text, b.n }, split, depth + 1);
    else error_nomem(m->f->error);
    buffer_done(&b);
}

/* Adds the words to the keys that the value of a node may come from. */
static void offer(struct marking *m, uint32_t node, numel_str words, bool split, unsigned depth)
{
    const struct node *n = &m->f->in->spec->nodes[node];
    if (depth > MARK_DEPTH || ++m->steps > MARK_STEPS || !node) return;
    if (n->kind == NODE_SYMBOL) offer(m, m->let[n->number], words, split, depth + 1);
    if (n->kind == NODE_ELSE || n->kind == NODE_CHOOSE) {
        if (n->kind == NODE_ELSE) offer(m, n->a, words, split, depth + 1);
        offer(m, n->b, words, split, depth + 1);
        offer(m, n->c, words, split, depth + 1);
    }
    if (n->kind == NODE_CALL && n->number == FUNCTION_SUBSTR) offer_whole(m, n, words, split, depth);
    bool class = n->kind == NODE_CALL && n->number == FUNCTION_CLASS;
    if (!class && !(n->kind == NODE_CALL && n->number == FUNCTION_CFG)) return;
    struct key *k = touch(m, node, 0);
    if (k) add_words(m, k, words, split, class);
}

static void mark_call(struct marking *m, const struct node *n, uint32_t node, unsigned uses, unsigned depth)
{
    const struct node *nodes = m->f->in->spec->nodes;
    uint32_t first = n->a, second = first ? nodes[first].next : 0;
    if (n->number == FUNCTION_CFG || n->number == FUNCTION_CLASS) {
        touch(m, node, uses);
        return;
    }
    if (n->number == FUNCTION_IN || n->number == FUNCTION_STARTS) {
        if (nodes[second].kind == NODE_TEXT)
            offer(m, first, nodes[second].text, n->number == FUNCTION_IN, depth + 1);
        else mark(m, second, USE_LIST, depth + 1);
        return;
    }
    if (n->number == FUNCTION_MUST || n->number == FUNCTION_ISNUM || n->number == FUNCTION_LEN ||
        n->number == FUNCTION_COUNT)
        return;
    bool scaled = n->number >= FUNCTION_MUL && n->number <= FUNCTION_DIVISIBLE;
    if (scaled && nodes[second].next + (n->number != FUNCTION_DIVISIBLE))
        first = second; /* a factor is not a size */
    for (uint32_t a = first; a; a = nodes[a].next) mark(m, a, uses, depth + 1);
}

static void mark_equal(struct marking *m, const struct node *n, unsigned depth)
{
    const struct node *nodes = m->f->in->spec->nodes;
    uint32_t sides[2] = { n->a, n->b };
    for (unsigned i = 0; i < 2; i++) {
        const struct node *other = &nodes[sides[1 - i]];
        if (other->kind == NODE_TEXT) offer(m, sides[i], other->text, false, depth + 1);
        else if (other->kind == NODE_NULL) mark(m, sides[i], USE_OBJECT, depth + 1);
        else mark(m, sides[i], USE_TEST, depth + 1);
    }
}

static void mark_else(struct marking *m, const struct node *n, unsigned uses, unsigned depth)
{
    mark(m, n->a, uses | USE_SOFT, depth + 1);
    mark(m, n->b, uses, depth + 1);
}

static void mark_symbol(struct marking *m, const struct node *n, unsigned uses, unsigned depth)
{
    if ((m->marks[n->number] & uses) == uses || !m->let[n->number]) return;
    m->marks[n->number] |= uses;
    mark(m, m->let[n->number], uses, depth + 1);
}

/* Passes the use of a value down to the keys that it comes from. */
static void mark(struct marking *m, uint32_t node, unsigned uses, unsigned depth)
{
    const struct node *n = &m->f->in->spec->nodes[node];
    if (!node || depth > MARK_DEPTH || ++m->steps > MARK_STEPS) return;
    switch ((enum node_kind)n->kind) {
    case NODE_SYMBOL: mark_symbol(m, n, uses, depth); return;
    case NODE_CALL: mark_call(m, n, node, uses, depth); return;
    case NODE_INDEX: mark(m, n->a, USE_LIST, depth + 1); return;
    case NODE_ELSE: mark_else(m, n, uses, depth); return;
    case NODE_CHOOSE:
        mark(m, n->a, USE_TRUTH, depth + 1);
        mark(m, n->b, uses, depth + 1);
        mark(m, n->c, uses, depth + 1);
        return;
    case NODE_NOT: mark(m, n->a, USE_TRUTH, depth + 1); return;
    case NODE_OR:
    case NODE_AND:
        mark(m, n->a, USE_TRUTH, depth + 1);
        mark(m, n->b, USE_TRUTH, depth + 1);
        return;
    case NODE_EQ:
    case NODE_NE: mark_equal(m, n, depth); return;
    case NODE_LT:
    case NODE_GT:
    case NODE_LE:
    case NODE_GE: uses = USE_TEST; break;
    case NODE_TEMPLATE:
        for (uint32_t part = n->a; part; part = m->f->in->spec->nodes[part].next) mark(m, part, 0, depth + 1);
        return;
    default: break;
    }
    mark(m, n->a, uses, depth + 1);
    mark(m, n->b, uses, depth + 1);
}

/* ---- lines ------------------------------------------------------------------------------------ */

static struct marking *marking(const struct spec_walk *w) { return w->ctx; }

static bool mark_step(struct spec_walk *w)
{
    error_clear(&marking(w)->scratch);
    return error_free(marking(w)->f->error);
}

/* Binds texts, as they may be parts of paths. */
static bool mark_define(struct spec_walk *w, bool set)
{
    struct marking *m = marking(w);
    uint32_t node = w->line->expr[w->env->values], symbol = w->line->symbol;
    struct value v;
    m->let[symbol] = 0;
    m->marks[symbol] = 0;
    if (!set) w->env->is_bound[symbol] = false;
    if (!set && quiet(m, node, &v) && v.kind == VALUE_TEXT) env_bind(w->env, symbol, &v);
    m->let[symbol] = node;
    return true;
}

/* A tensor's conditions are marked after its sizes. */
static bool mark_test(struct spec_walk *w, uint32_t node, enum decision *out, enum evidence *evidence)
{
    (void)evidence;
    if (w->line->kind != LINE_TENSOR) mark(marking(w), node, USE_TRUTH, 0);
    *out = UNDECIDED;
    return true;
}

NUMEL_MUST static bool mark_prefix(struct spec_walk *w, bool said, bool *inside)
{
    struct marking *m = marking(w);
    *inside = true;
    if (!said && m->scratch.code == NUMEL_E_NOMEM) return error_nomem(m->f->error);
    mark(m, w->line->expr[w->env->names], 0, 0);
    return true;
}

static bool mark_range(struct spec_walk *w, int64_t *from, int64_t *to)
{
    mark(marking(w), w->line->expr[0], USE_SIZE, 0);
    mark(marking(w), w->line->expr[1], USE_SIZE, 0);
    (void)from, (void)to;
    return true;
}

static bool mark_tensor(struct spec_walk *w, const struct tensor_part *p)
{
    struct marking *m = marking(w);
    const struct tensor_line *t = p->tensor;
    bool reversed;
    unsigned n;
    if (p->part == PART_BIAS) return true;
    const uint32_t *dims = part_dims(t, w->env->names, p->part, &n, &reversed);
    mark(m, t->name[w->env->names], 0, 0);
    for (unsigned i = 0; i < n; i++) mark(m, dims[i], USE_SIZE, 0);
    mark(m, t->stack, USE_SIZE, 0);
    mark(m, t->bias, USE_TRUTH, 0); /* in the order of trials: a missing head means */
    mark(m, t->tied, USE_TRUTH, 0); /* a tied one, rather than another class */
    mark(m, t->when, USE_TRUTH, 0);
    return true;
}

/* The model type comes first: paths and uses of keys may depend on it. */
NUMEL_MUST static bool mark_type(struct marking *m)
{
    m->f->typed = false;
    if (!m->f->type.n) return true;
    struct key *k = add(m, text_of("model_type"));
    if (!k) return error_free(m->f->error); /* INFER_KEYS is reached */
    k->fixed = true;
    k->value = k->now = value_text(m->f->type);
    k->note = "what the specification is for";
    return key_publish(m->f, k);
}

bool key_given(struct search *f, numel_str path, const struct value *v)
{
    struct marking m = { .f = f };
    struct key *k = add(&m, path);
    if (!k) return error_free(f->error);
    k->fixed = k->guessed = true;
    k->value = k->now = *v;
    k->note = "as the specification reads it off the names";
    return key_publish(f, k);
}

/* No trial is running, so its arena is free. */
NUMEL_MUST static bool marking_start(struct marking *m)
{
    struct arena *a = &m->f->trial.arena;
    size_t n = m->f->in->spec->symbol_count;
    arena_reset(a);
    m->let = arena_alloc(a, n * sizeof *m->let);
    m->marks = arena_alloc(a, n * sizeof *m->marks);
    if (!m->let || !m->marks) return error_nomem(m->f->error);
    memset(m->let, 0, n * sizeof *m->let);
    memset(m->marks, 0, n * sizeof *m->marks);
    return search_env(m->f, &m->env, &m->scratch);
}

bool keys_find(struct search *f)
{
    static const struct walk_visitor visitor = {
        .step = mark_step,
        .define = mark_define,
        .test = mark_test,
        .prefix = mark_prefix,
        .range = mark_range,
        .tensor = mark_tensor,
    };
    struct marking m = { .f = f };
    if (!marking_start(&m) || !mark_type(&m) || !guesses_make(f) || !marking_start(&m)) return false;
    return walk_spec(&f->walk, &visitor, &m, &m.env) && error_free(f->error);
}
