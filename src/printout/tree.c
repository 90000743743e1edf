/*
 * tree.c -- writing a tree: walks a template, and makes shapes, each stored once.
 *
 * A shape's key has all its bytes, with the numbers of its children, so equal modules have equal keys, and a
 * layer equal to an earlier one costs a lookup. The walk keeps the path of the current module; a module of a
 * sized kind without an expected tensor is left out, with everything inside.
 */
#include "printout/tree.h"

#include "formula/parts.h"
#include "formula/scratch.h"
#include "printout/expected.h"
#include "printout/kind.h"

/* ---- shapes ------------------------------------------------------------------------------- */

void tree_init(struct tree *t, const numel_allocator *m)
{
    *t = (struct tree){ .memory = m, .root = NAMES_ABSENT };
    arena_init(&t->arena, m);
    names_init(&t->by_key, m, sizeof *t->shapes);
}

void tree_done(struct tree *t)
{
    memory_release(t->memory, t->shapes);
    names_done(&t->by_key);
    arena_done(&t->arena);
    tree_init(t, t->memory);
}

static void put_text(struct buffer *b, numel_str s)
{
    uint64_t n = s.n;
    buffer_add(b, &n, sizeof n);
    buffer_add(b, s.p, s.n);
}

static void put_key(struct buffer *b, const struct shape *s)
{
    put_text(b, s->class);
    put_text(b, s->arguments);
    buffer_char(b, (char)(s->whole + 2 * s->folds));
    for (uint32_t i = 0; i < s->count; i++) {
        put_text(b, s->children[i].name);
        buffer_add(b, &s->children[i].shape, sizeof s->children[i].shape);
    }
}

/* Reads a text that put_text() wrote at *at. */
static numel_str take_text(const char **at)
{
    uint64_t n;
    memcpy(&n, *at, sizeof n);
    numel_str s = { *at + sizeof n, (size_t)n };
    *at = s.p + s.n;
    return s;
}

/* Copies a shape; the copy's texts are in its key. */
NUMEL_MUST static bool keep(struct tree *t, const struct shape *s, numel_str key, numel_error *e)
{
    struct shape own = { .whole = s->whole, .folds = s->folds, .count = s->count };
    char *bytes = arena_copy(&t->arena, key.p, key.n);
    own.children = arena_alloc(&t->arena, (size_t)s->count * sizeof *own.children);
    if (!bytes || (s->count && !own.children)) return error_nomem(e);
    if (!memory_grow(t->memory, &t->shapes, &t->cap, t->count + 1, sizeof *t->shapes, e) ||
        !names_reserve(&t->by_key, t->count + 1, e))
        return false;
    own.key = (numel_str){ bytes, key.n };
    const char *at = bytes;
    own.class = take_text(&at);
    own.arguments = take_text(&at);
    at++;
    for (uint32_t i = 0; i < own.count; i++, at += sizeof own.children->shape)
        own.children[i] = (struct child){ take_text(&at), s->children[i].shape };
    t->shapes[t->count] = own;
    names_enter(&t->by_key, t->shapes, t->count++);
    return true;
}

uint32_t tree_add(struct tree *t, const struct shape *s, numel_error *e)
{
    struct buffer key;
    buffer_init(&key, t->memory);
    put_key(&key, s);
    uint32_t found = NAMES_ABSENT;
    if (key.failed || t->count >= NAMES_ABSENT - 1) error_nomem(e);
    else found = names_find(&t->by_key, t->shapes, buffer_view(&key));
    if (found == NAMES_ABSENT && !key.failed && keep(t, s, buffer_view(&key), e))
        found = (uint32_t)t->count - 1;
    buffer_done(&key);
    return found;
}

/* ---- walking a template ------------------------------------------------------------------- */

struct walk {
    struct tree *tree;
    const struct template *template;
    const struct expansion *x;
    struct env env;
    struct arena values; /* of the environment */
    struct scratch scratch;
    struct expected expected;
    struct buffer path, text; /* of the current module: "model.layers.0."; scratch */
    struct buffer bare;       /* scratch of bare_name() */
    size_t mount;             /* length of the path outside of the innermost part */
    size_t root_path;         /* ... and outside of its printed root */
    bool rooted;              /* the printed root is inside the template's root */
    tree_instead_fn *instead; /* for a quantized model; may be NULL */
    const void *ctx;
    size_t symbols;      /* of the spec, without the template's */
    struct child *stack; /* children without a parent yet; their names are in the tree's arena */
    size_t count, cap;
    uint64_t steps;
    numel_error *error;
};

NUMEL_MUST static bool walk_lines(struct walk *w, uint32_t from, uint32_t to);

/* The path without the part outside of the printed root, in w->bare; {NULL, 0} if nothing is left or left
 * out. */
static numel_str bare_name(struct walk *w)
{
    w->bare.n = 0;
    if (!w->rooted || w->path.n <= w->root_path || w->root_path == w->mount) return (numel_str){ NULL, 0 };
    buffer_add(&w->bare, w->path.p, w->mount);
    buffer_str(&w->bare, text_from(buffer_view(&w->path), w->root_path));
    return buffer_view(&w->bare);
}

/* A tensor of the module at the path. A spec's names may start at the template's root or, for a class
 * that is a part of it, at that part. NULL: not expected, or out of memory. */
static const struct site *tensor_of(struct walk *w, const char *part)
{
    const struct site *s;
    size_t n = w->path.n;
    buffer_text(&w->path, part);
    numel_str name = { w->path.p, w->path.n }, bare = bare_name(w);
    if (w->path.failed || w->bare.failed) return NULL;
    s = expected_find(&w->expected, name);
    if (!s && bare.n) s = expected_find(&w->expected, bare);
    if (!s) s = expected_renamed(&w->expected, name);
    if (!s && bare.n) s = expected_renamed(&w->expected, bare);
    w->path.n = n;
    return s;
}

/* After tensor_of() returned NULL: NOMEM if that was the cause. */
NUMEL_MUST static bool memory_left(struct walk *w)
{
    bool failed = w->path.failed || w->bare.failed || w->expected.text.failed || w->expected.arena.failed;
    return !failed || error_nomem(w->error);
}

static bool evaluate(struct walk *w, uint32_t node, struct value *v)
{
    if (!eval(&w->env, node, v)) return false;
    if (v->kind == VALUE_REAL && w->env.values == SIDE_GGUF) v->r = python_single(v->r);
    return true;
}

/* Appends its text to w->text: literal parts unchanged, values as Python prints them. */
NUMEL_MUST static bool put_template(struct walk *w, uint32_t node)
{
    struct value v;
    for (uint32_t part = w->env.spec->nodes[node].a; part; part = w->env.spec->nodes[part].next) {
        if (!evaluate(w, part, &v)) return false;
        python_value(&w->text, &v);
    }
    return !w->text.failed || error_nomem(w->error);
}

/* ---- modules ------------------------------------------------------------------------------ */

static bool wrong_kind(struct walk *w, const struct module_line *m)
{
    char path[TEXT_QUOTE];
    return eval_fail(&w->env, m->class, NUMEL_E_SPEC, "%s cannot be a %s: it has other dims or values",
                     text_quote(path, buffer_view(&w->path)), m->kind->name);
}

/* The module's weight. Weight normalisation keeps length and direction apart; the direction has the
 * dims. */
static const struct site *weight_of(struct walk *w)
{
    const struct site *s = tensor_of(w, "weight");
    return s ? s : tensor_of(w, "parametrizations.weight.original1");
}

/* Its dims. If the file's tensor of that name has another number of rows, a padded vocabulary, the rows are
 * the file's. Only rows: packed values change the last axis. */
static bool dims_of(struct walk *w, const struct site *weight, uint64_t dims[SPEC_DIMS + 1])
{
    const struct presence *file = w->x->env.file;
    const char *name = w->x->rows[weight->first_row].name.p;
    bool own = file && file->dim && !weight->stacked && weight->rows == 1;
    for (uint32_t i = 0; own && i < weight->ndim; i++) {
        if (!file->dim(file->ctx, name, i, &dims[i], w->error)) return false;
        own = dims[i] != PRESENCE_NONE && (!i || dims[i] == weight->dims[i]);
    }
    for (uint32_t i = 0; !own && i < weight->ndim && i < SPEC_DIMS; i++) dims[i] = weight->dims[i];
    return true;
}

/* How to print a module that may have been replaced; a Conv1D becomes a transposed Linear. */
struct printed_as {
    const struct kind *kind;
    bool turned;
    struct tree_instead instead;
};

static bool is_kind(const struct kind *k, const char *name) { return k && strcmp(k->name, name) == 0; }

/* w->text has the template's class. */
static struct printed_as printed_as(struct walk *w, const struct module_line *m)
{
    struct printed_as p = { .kind = m->kind };
    numel_str class = { w->text.p, w->text.n }, path = { w->path.p, w->path.n };
    bool conv = is_kind(m->kind, "Conv1D"), linear = is_kind(m->kind, "Linear"),
         experts = !m->kind && (text_ends(class, "Experts") || text_ends(class, "NaiveMoe"));
    if (!w->instead || !(conv || linear || experts)) return p;
    p.instead = w->instead(w->ctx, path, experts);
    p.turned = conv && p.instead.class;
    if (p.turned) p.kind = kind_by_name(text_of("Linear"));
    return p;
}

/* Edits w->text, whose class ends at `class`: drops the sizes, or replaces the bias with the weight's
 * type. */
NUMEL_MUST static bool put_instead(struct walk *w, const struct tree_instead *i, size_t class)
{
    numel_str arguments = text_from(buffer_view(&w->text), class);
    size_t n = arguments.n;
    while (i->type && n && !text_starts(text_from(arguments, n - 1), ", bias=")) n--;
    if (i->bare) w->text.n = class;
    if (i->type && n) w->text.n = class + n - 1;
    if (i->type && n) buffer_format(&w->text, ", weight=%s", i->type);
    return !w->text.failed || error_nomem(w->error);
}

/* Appends a kind's arguments to w->text; *there is false if its tensor is not expected. */
NUMEL_MUST static bool kind_text(struct walk *w, const struct module_line *m, const struct printed_as *as,
                                 bool *there)
{
    struct leaf l = { .says_bias = config_vintage(w->env.config) >= VINTAGE_NORM_BIAS };
    uint64_t dims[SPEC_DIMS + 1];
    const struct site *weight = m->kind->is == KIND_SIZED ? weight_of(w) : NULL;
    if (m->kind->is == KIND_SIZED && !weight) return *there = false, memory_left(w);
    if (weight) {
        if (!dims_of(w, weight, dims)) return false;
        l.dims = dims;
        l.ndim = weight->ndim;
        if (as->turned) dims[0] = weight->dims[1], dims[1] = weight->dims[0];
        l.bias = tensor_of(w, "bias") != NULL;
        if (!memory_left(w)) return false;
    }
    for (unsigned i = 0; i < MODULE_VALUES; i++) {
        l.given[i] = m->values[i] != 0;
        if (l.given[i] && !evaluate(w, m->values[i], &l.values[i])) return false;
    }
    if (!as->kind->write(&l, &w->text)) return wrong_kind(w, m);
    return !w->text.failed || error_nomem(w->error);
}

/* Writes class and arguments to w->text, in this order. */
static bool module_text(struct walk *w, const struct module_line *m, struct shape *s, bool *there)
{
    w->text.n = 0;
    s->whole = m->kind && m->kind->is == KIND_NAMED;
    s->folds = m->kind && m->kind->is == KIND_FOLDS;
    if (!s->whole && !put_template(w, m->class)) return false;
    const struct printed_as as = printed_as(w, m);
    if (as.instead.class) w->text.n = 0, buffer_text(&w->text, as.instead.class);
    size_t class = w->text.n;
    if (m->arguments && !put_template(w, m->arguments)) return false;
    if (m->kind && !kind_text(w, m, &as, there)) return false;
    if (!put_instead(w, &as.instead, class)) return false;
    if (s->whole) class = w->text.n;
    s->class = (numel_str){ w->text.p, class };
    s->arguments = text_from(buffer_view(&w->text), class);
    return true;
}

static bool push(struct walk *w, numel_str name, uint32_t shape)
{
    if (!memory_grow(w->tree->memory, &w->stack, &w->cap, w->count + 1, sizeof *w->stack, w->error))
        return false;
    w->stack[w->count++] = (struct child){ name, shape };
    return true;
}

/* Makes the children of a module, then the module itself, which its parent gets as `name`. */
static bool make_module(struct walk *w, uint32_t line, numel_str name)
{
    const struct template_line *l = &w->template->lines[line];
    size_t mark = w->count;
    struct shape s = { .count = 0 };
    bool there = true, root = false;
    if (l->module->root && !eval_bool(&w->env, l->module->root, &root, NULL)) return false;
    root = root && !w->rooted;
    if (root) w->root_path = w->path.n;
    if (root) w->rooted = true;
    if (!walk_lines(w, line + 1, l->next) || !module_text(w, l->module, &s, &there)) return false;
    s.count = (uint32_t)(w->count - mark);
    s.children = s.count ? w->stack + mark : NULL;
    uint32_t shape = there ? tree_add(w->tree, &s, w->error) : NAMES_ABSENT;
    w->count = mark;
    if (there && shape == NAMES_ABSENT) return false;
    if (root || (!l->module->name && !w->rooted)) w->tree->root = shape;
    return !there || push(w, name, shape);
}

/* A literal name is not copied: the template's text outlives the walk. */
NUMEL_MUST static bool module_name(struct walk *w, uint32_t node, numel_str *name)
{
    const struct node *only = &w->env.spec->nodes[w->env.spec->nodes[node].a];
    if (only->kind == NODE_TEXT && !only->next) return *name = only->text, true;
    w->text.n = 0;
    if (!put_template(w, node)) return false;
    *name = (numel_str){ arena_copy(&w->tree->arena, w->text.p, w->text.n), w->text.n };
    return name->p || error_nomem(w->error);
}

/* tests if= and needs= */
NUMEL_MUST static bool is_wanted(struct walk *w, const struct module_line *m, bool *wanted)
{
    if (m->when && !eval_bool(&w->env, m->when, wanted, NULL)) return false;
    if (!m->needs || !*wanted) return true;
    size_t path = w->path.n;
    w->text.n = 0;
    if (m->name && !put_template(w, m->name)) return false;
    if (m->name) buffer_char(&w->text, '.');
    if (!put_template(w, m->needs)) return false;
    buffer_add(&w->path, w->text.p, w->text.n);
    *wanted = tensor_of(w, "") != NULL;
    w->path.n = path;
    return memory_left(w);
}

static bool walk_module(struct walk *w, uint32_t line)
{
    const struct module_line *m = w->template->lines[line].module;
    size_t path = w->path.n;
    bool wanted = true;
    if (!is_wanted(w, m, &wanted)) return false;
    if (!wanted && !m->name) w->tree->lacks = true; /* the template is not for this class */
    if (!wanted) return true;
    numel_str name = { NULL, 0 };
    if (m->name && !module_name(w, m->name, &name)) return false;
    buffer_add(&w->path, name.p, name.n);
    if (name.n) buffer_char(&w->path, '.');
    bool ok = make_module(w, line, name);
    w->path.n = path;
    return ok;
}

/* ---- parts -------------------------------------------------------------------------------- */

/* Of several parts at one path, the walked one is present: its symbols have values, if it has any. */
static bool is_walked(const struct walk *w, uint32_t scope)
{
    bool any = false;
    for (uint32_t i = SYMBOLS_BUILT_IN; i < w->symbols; i++) {
        if (w->env.spec->symbols[i].scope != scope) continue;
        if (w->env.is_bound[i]) return true;
        any = true;
    }
    return !any;
}

/* Makes the tree of the part's own template, below its name. */
NUMEL_MUST static bool make_part(struct walk *w, uint32_t line, uint32_t *shape)
{
    const struct template_line *l = &w->template->lines[line];
    struct walk outer = { .mount = w->mount, .root_path = w->root_path, .rooted = w->rooted };
    struct part_place place = { w->env.place, l->scope, &w->path, w->path.n, { NULL, 0 } };
    size_t mark = w->count;
    uint32_t root = w->tree->root;
    if (!part_strip(&w->env, l->scope, &place.strip)) return false;
    w->mount = w->root_path = w->path.n;
    w->rooted = false;
    w->env.place = &place;
    w->tree->root = NAMES_ABSENT;
    bool ok = walk_lines(w, line + 1, l->next);
    *shape = w->tree->root;
    w->tree->root = root;
    w->env.place = place.outer;
    w->mount = outer.mount;
    w->root_path = outer.root_path;
    w->rooted = outer.rooted;
    w->count = mark;
    return ok;
}

static bool walk_part(struct walk *w, uint32_t line)
{
    const struct template_line *l = &w->template->lines[line];
    size_t path = w->path.n;
    uint32_t shape = NAMES_ABSENT;
    bool wanted = is_walked(w, l->scope);
    numel_str name = { NULL, 0 };
    if (wanted && !is_wanted(w, l->module, &wanted)) return false;
    if (!wanted) return true;
    if (l->lacks) return w->tree->lacks = true;
    if (!module_name(w, l->module->name, &name)) return false;
    buffer_add(&w->path, name.p, name.n);
    buffer_char(&w->path, '.');
    bool ok = make_part(w, line, &shape);
    w->path.n = path;
    return ok && (shape == NAMES_ABSENT || push(w, name, shape));
}

/* ---- the other lines ---------------------------------------------------------------------- */

static bool walk_let(struct walk *w, const struct template_line *l)
{
    struct value v;
    if (!eval(&w->env, l->expr[w->env.values], &v)) return false;
    env_bind(&w->env, l->symbol, &v);
    return true;
}

static bool walk_for(struct walk *w, uint32_t line)
{
    const struct template_line *l = &w->template->lines[line];
    struct value from, to;
    if (!eval_int(&w->env, l->expr[0], 0, "the start of a loop", &from) ||
        !eval_int(&w->env, l->expr[1], 0, "the end of a loop", &to))
        return false;
    if (to.i - from.i > WALK_LOOP)
        return eval_fail(&w->env, l->expr[1], NUMEL_E_LIMIT,
                         "a loop of %" PRId64 " turns, at most %d are allowed", to.i - from.i, WALK_LOOP);
    for (int64_t i = from.i; i < to.i; i++) {
        struct value v = value_int(i);
        env_bind(&w->env, l->symbol, &v);
        if (!walk_lines(w, line + 1, l->next)) return false;
    }
    return true;
}

/* An `if` and its branches: walks the first that holds; *next is after them all. */
static bool walk_if(struct walk *w, uint32_t line, uint32_t to, uint32_t *next)
{
    const struct template_line *lines = w->template->lines;
    bool done = false;
    do {
        bool holds = !done;
        if (holds && lines[line].expr[0] && !eval_bool(&w->env, lines[line].expr[0], &holds, NULL))
            return false;
        if (holds && !walk_lines(w, line + 1, lines[line].next)) return false;
        done = done || holds;
        line = lines[line].next;
    } while (line < to && lines[line].kind == TEMPLATE_ELSE);
    *next = line;
    return true;
}

static bool walk_lines(struct walk *w, uint32_t from, uint32_t to)
{
    for (uint32_t at = from; at < to;) {
        const struct template_line *l = &w->template->lines[at];
        uint32_t next = l->next;
        bool ok = true;
        if (++w->steps > TREE_STEPS)
            return error_set(w->error, NUMEL_E_LIMIT, NUMEL_NOWHERE,
                             "the print template takes more than %d steps", TREE_STEPS);
        if (!scratch_sweep(&w->scratch, &w->env)) return false;
        switch (l->kind) {
        case TEMPLATE_MODULE: ok = walk_module(w, at); break;
        case TEMPLATE_PART: ok = walk_part(w, at); break;
        case TEMPLATE_LET: ok = walk_let(w, l); break;
        case TEMPLATE_FOR: ok = walk_for(w, at); break;
        case TEMPLATE_IF: ok = walk_if(w, at, to, &next); break;
        case TEMPLATE_ELSE: break; /* walk_if() skips them */
        }
        if (!ok) return false;
        at = next;
    }
    return true;
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* The environment of the expansion, with room for the symbols of the template. */
static bool inherit(struct walk *w, size_t symbols)
{
    w->env = w->x->env;
    w->env.spec = w->template->spec;
    w->env.arena = &w->tree->arena;
    w->env.both = true;
    if (!env_init(&w->env, w->error)) return false;
    w->env.arena = &w->values;
    for (uint32_t i = SYMBOLS_BUILT_IN; i < symbols; i++)
        if (w->x->env.is_bound[i]) env_bind(&w->env, i, &w->x->env.bound[i]);
    return true;
}

bool tree_make(struct tree *out, const struct template *t, const struct expansion *x, size_t symbols,
               tree_instead_fn *instead, const void *ctx, const numel_allocator *m, numel_error *e)
{
    struct walk w = {
        .tree = out, .template = t, .x = x, .instead = instead, .ctx = ctx, .symbols = symbols, .error = e
    };
    tree_init(out, m);
    buffer_init(&w.path, m);
    buffer_init(&w.bare, m);
    buffer_init(&w.text, m);
    arena_init(&w.values, m);
    scratch_init(&w.scratch, &w.values);
    bool ok =
        expected_init(&w.expected, x, m, e) && inherit(&w, symbols) && walk_lines(&w, 0, (uint32_t)t->count);
    if (ok && out->root == NAMES_ABSENT && !out->lacks)
        ok = error_set(e, NUMEL_E_SPEC, NUMEL_NOWHERE, "the print template has no root");
    expected_done(&w.expected);
    buffer_done(&w.path);
    buffer_done(&w.bare);
    buffer_done(&w.text);
    scratch_done(&w.scratch);
    arena_done(&w.values);
    memory_release(m, w.stack);
    if (!ok) tree_done(out);
    return ok;
}
