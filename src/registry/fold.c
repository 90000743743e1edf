/*
 * fold.c -- folds names into layers, top down, from the sorted names.
 *
 * Names that share their first segments are consecutive. A node is a run of them, and forks where two
 * neighbours part. Numbered runs are alike if the names after their numbers and all shapes are equal. Alike
 * runs fork at the same places, so only the first is examined.
 */
#include "registry/fold.h"

#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

#include <string.h>

enum { DEEPEST = 64 }; /* segments of a name; the rest is one segment */

struct run { /* consecutive names that share a segment */
    uint32_t first, count;
    size_t behind;     /* where the segment ends, in bytes */
    uint32_t members;  /* in the first run of its kind, the number of alike runs; else 0 */
    struct run *alike; /* the next alike run */
};

struct set {            /* alike runs, which become a node */
    const uint32_t *at; /* the first name of each */
    size_t n, repeats;  /* number of runs in total, and under each parent */
    uint32_t count;     /* number of names in each */
    size_t from;        /* where the segment begins in the first, in bytes */
};

struct folding {
    struct fold *out;
    const struct registry *registry;
    struct arena *arena;
    struct arena work;   /* memory needed until the tree is built */
    uint32_t *order;     /* sorted names */
    size_t *forks;       /* by place: where the first segment begins that is not the previous name's */
    struct buffer label; /* the label being made */
    numel_error *error;
};

/* ---- names -------------------------------------------------------------------------------- */

static const numel_tensor *tensor_at(const struct folding *g, size_t place)
{
    return &g->registry->tensors[g->order[place]];
}

/* Where the last segment of a deep name begins; n if the name is not deep. */
static size_t deepest(numel_str name)
{
    size_t at = 0;
    for (unsigned depth = 1; depth < DEEPEST && name.n >= DEEPEST && at < name.n; depth++)
        at = text_find(name, at, '.') + 1;
    return name.n < DEEPEST || at > name.n ? name.n : at;
}

static numel_str segment_at(const struct folding *g, size_t place, size_t from)
{
    numel_str name = tensor_at(g, place)->name;
    return text_slice(name, from, from < deepest(name) ? text_find(name, from, '.') : name.n);
}

/* If a name is in two files, it forks at its last segment. */
static size_t fork_of(numel_str before, numel_str name)
{
    size_t i = text_shared(before, name);
    i += i == before.n && i < name.n && name.p[i] == '.';
    while (i > 0 && name.p[i - 1] != '.') i--;
    return num_min(i, deepest(name));
}

NUMEL_MUST static bool find_forks(struct folding *g)
{
    size_t n = g->registry->count;
    if (!registry_order(g->registry, NUMEL_SORT_NAME, &g->order, g->error)) return false;
    g->forks = arena_alloc(&g->work, n * sizeof *g->forks);
    if (!g->forks) return error_nomem(g->error);
    for (size_t i = 0; i < n; i++)
        g->forks[i] = i ? fork_of(tensor_at(g, i - 1)->name, tensor_at(g, i)->name) : 0;
    return true;
}

/* ---- runs --------------------------------------------------------------------------------- */

/* Cuts the names at places [first, end), which share everything before byte `from`, into runs. */
static struct run *make_runs(struct folding *g, size_t first, size_t end, size_t from, size_t *n)
{
    *n = 0;
    for (size_t i = first; i < end; i++) *n += i == first || g->forks[i] == from;
    struct run *runs = arena_alloc(&g->work, *n * sizeof *runs), *r = runs;
    for (size_t i = first; runs && i < end; i++) {
        r += i > first && g->forks[i] == from;
        if (i == first || g->forks[i] == from)
            *r = (struct run){ .first = (uint32_t)i, .behind = from + segment_at(g, i, from).n };
        r->count++;
    }
    if (!runs) error_nomem(g->error);
    return runs;
}

static bool are_alike(const struct folding *g, const struct run *a, const struct run *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++) {
        const numel_tensor *x = tensor_at(g, a->first + i), *y = tensor_at(g, b->first + i);
        same = x->ndim == y->ndim && dims_same(x->dims, y->dims, x->ndim) &&
               text_same(text_from(x->name, a->behind), text_from(y->name, b->behind));
    }
    return same;
}

/* A model has few kinds of layers, so only the first KINDS fold. */
static void group_runs(const struct folding *g, struct run *runs, size_t n, size_t from)
{
    enum { KINDS = 64 };
    struct run *kinds[KINDS], *last[KINDS];
    unsigned kind_count = 0;
    for (struct run *r = runs; r < runs + n; r++) {
        bool number = text_is_number(segment_at(g, r->first, from));
        unsigned k = number ? 0 : kind_count;
        while (k < kind_count && !are_alike(g, kinds[k], r)) k++;
        if (k < kind_count) {
            kinds[k]->members++;
            last[k] = last[k]->alike = r;
            continue;
        }
        r->members = 1;
        if (!number || kind_count == KINDS) continue;
        kinds[kind_count] = r;
        last[kind_count++] = r;
    }
}

/* ---- labels ------------------------------------------------------------------------------- */

static uint64_t value_of(numel_str digits, bool *fits)
{
    uint64_t v;
    bool index = digits.n == 1 || digits.p[0] != '0'; /* 007 is not an index */
    *fits = number_plain(digits, &v) && index;
    return v;
}

/* "[0-2,5,7-9]". After some ranges come "..." and the last one, to keep labels readable. */
static void label_range(struct folding *g, const struct set *s)
{
    enum { SHOWN = 6 };
    struct buffer *b = &g->label;
    size_t ranges = 0;
    buffer_char(b, '[');
    for (size_t i = 0, j; i < s->repeats; i = j) {
        bool fits, next_fits = true;
        uint64_t v = value_of(segment_at(g, s->at[i], s->from), &fits);
        for (j = i + 1; j < s->repeats && fits; j++)
            if (value_of(segment_at(g, s->at[j], s->from), &next_fits) != v + (j - i) || !next_fits) break;
        ranges++;
        if (ranges > SHOWN && j < s->repeats) continue;
        if (ranges > 1) buffer_char(b, ',');
        if (ranges > SHOWN + 1) buffer_text(b, "...");
        text_escape(b, segment_at(g, s->at[i], s->from));
        if (j > i + 1) {
            buffer_char(b, '-');
            text_escape(b, segment_at(g, s->at[j - 1], s->from));
        }
    }
    buffer_char(b, ']');
}

static const char *make_label(struct folding *g, const struct set *s, size_t end)
{
    g->label.n = 0;
    if (s->repeats > 1) label_range(g, s);
    else text_escape(&g->label, text_slice(tensor_at(g, s->at[0])->name, s->from, end));
    const char *text = g->label.failed ? NULL : arena_text(g->arena, g->label.p, g->label.n);
    if (!text) error_nomem(g->error);
    return text;
}

/* ---- the tree ----------------------------------------------------------------------------- */

static uint64_t type_bit(struct fold *f, const numel_dtype *d)
{
    unsigned i = 0;
    while (i < f->type_count && f->types[i] != d && strcmp(f->types[i]->name, d->name) != 0) i++;
    if (i == f->type_count && i < FOLD_TYPES) f->types[f->type_count++] = d;
    return (uint64_t)1 << i;
}

NUMEL_MUST static bool add_sums(struct folding *g, struct fold_node *node, uint64_t elements, uint64_t bytes)
{
    if (num_add(&node->elements, node->elements, elements) && num_add(&node->bytes, node->bytes, bytes))
        return true;
    return error_set(g->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                     "the bytes of all tensors together do not fit in 64 bits");
}

static struct fold_node *keep(struct folding *g, const struct fold_node *node)
{
    struct fold_node *kept = arena_copy(g->arena, node, sizeof *node);
    if (!kept) error_nomem(g->error);
    return kept;
}

/* If a tensor's name is also a prefix of others, makes a leaf with an empty label. */
static struct fold_node *fold_own(struct folding *g, const struct set *s)
{
    const numel_tensor *first = tensor_at(g, s->at[0]);
    struct fold_node leaf = { .label = "",
                              .repeats = 1,
                              .times = s->n,
                              .tensors = s->n,
                              .each = first->elements,
                              .tensor = first,
                              .leaf = g->out->leaf_count++,
                              .own = true };
    for (size_t i = 0; i < s->n; i++) {
        const numel_tensor *t = tensor_at(g, s->at[i]);
        leaf.types |= type_bit(g->out, t->dtype);
        g->out->leaf_of[g->order[s->at[i]]] = leaf.leaf;
        if (!add_sums(g, &leaf, t->elements, t->bytes)) return NULL;
    }
    return keep(g, &leaf);
}

NUMEL_MUST static bool append(struct folding *g, struct fold_node *node, struct fold_node ***tail,
                              struct fold_node *child)
{
    if (!child) return false;
    **tail = child;
    *tail = &child->next;
    node->types |= child->types;
    node->tensors += child->tensors;
    return add_sums(g, node, child->elements, child->bytes);
}

/* Merges a node with its only child, unless both repeat. Only the resulting node is kept; otherwise a name
 * like a.b.c.d would leave three unused ones. */
static struct fold_node *join_chain(struct folding *g, const struct fold_node *node)
{
    struct fold_node *c = node->child;
    if (!c || c->next || (node->repeats > 1 && c->repeats > 1)) return keep(g, node);
    const char *label =
        c->own ? node->label : arena_join(g->arena, text_of(node->label), text_of("."), text_of(c->label)).p;
    if (!label) {
        error_nomem(g->error);
        return NULL;
    }
    c->label = label;
    c->own = false;
    c->each = node->repeats > 1 ? node->each : c->each;
    c->repeats = num_max(node->repeats, c->repeats);
    return c;
}

static struct fold_node *fold_set(struct folding *g, const struct set *s);

/* Makes the node for a run and those alike, below each parent. */
static struct fold_node *fold_run(struct folding *g, const struct set *parents, const struct run *run,
                                  size_t from)
{
    struct arena_mark mark = arena_mark(&g->work);
    size_t n = parents->n * run->members, k = 0;
    uint32_t *at = arena_alloc(&g->work, n * sizeof *at);
    for (size_t i = 0; at && i < parents->n; i++)
        for (const struct run *r = run; r; r = r->alike) at[k++] = parents->at[i] - parents->at[0] + r->first;
    if (!at) error_nomem(g->error);
    struct set s = { at, n, run->members, run->count, from };
    struct fold_node *node = at ? fold_set(g, &s) : NULL;
    arena_rewind(&g->work, mark);
    return node;
}

/* Adds everything that begins at byte `from`, in all names of a set except the first `own`. Alike runs
 * follow their first. */
NUMEL_MUST static bool fold_children(struct folding *g, struct fold_node *node, struct fold_node **tail,
                                     const struct set *s, size_t own, size_t from)
{
    struct arena_mark mark = arena_mark(&g->work);
    size_t n, first = s->at[0];
    struct run *runs = make_runs(g, first + own, first + s->count, from, &n);
    bool ok = runs != NULL;
    if (ok) group_runs(g, runs, n, from);
    for (size_t i = 0; ok && i < n; i++)
        if (runs[i].members) ok = append(g, node, &tail, fold_run(g, s, &runs[i], from));
    arena_rewind(&g->work, mark);
    return ok;
}

/* Where a set's label ends: after its number, or else where its names fork. */
static size_t end_of(const struct folding *g, const struct set *s)
{
    size_t first = s->at[0], fork = tensor_at(g, first)->name.n + 1;
    if (s->repeats > 1) return s->from + segment_at(g, first, s->from).n;
    for (size_t i = 1; i < s->count; i++) fork = num_min(fork, g->forks[first + i]);
    return fork - 1;
}

static struct fold_node *fold_set(struct folding *g, const struct set *s)
{
    struct fold_node node = { .repeats = s->repeats, .times = s->n }, **tail = &node.child;
    size_t end = end_of(g, s);
    bool own = end == tensor_at(g, s->at[0])->name.n;
    if (own && !append(g, &node, &tail, fold_own(g, s))) return NULL;
    if (!fold_children(g, &node, tail, s, own, end + 1)) return NULL;
    node.label = make_label(g, s, end);
    if (!node.label) return NULL;
    node.each = node.elements / s->n;
    return join_chain(g, &node);
}

static struct fold_node *fold_root(struct folding *g)
{
    const uint32_t start = 0;
    struct set all = { &start, 1, 1, (uint32_t)g->registry->count, 0 };
    struct fold_node top = { .label = "", .repeats = 1, .times = 1 };
    if (!fold_children(g, &top, &top.child, &all, 0, 0)) return NULL;
    top.each = top.elements;
    return keep(g, &top);
}

bool fold_build(struct fold *f, const struct registry *r, struct arena *a, numel_error *e)
{
    struct folding g = { .out = f, .registry = r, .arena = a, .error = e };
    *f = (struct fold){ .root = NULL };
    arena_init(&g.work, a->memory);
    buffer_init(&g.label, a->memory);
    f->leaf_of = arena_alloc(a, r->count * sizeof *f->leaf_of);
    if (!f->leaf_of) error_nomem(e);
    else if (find_forks(&g)) f->root = fold_root(&g);
    memory_release(r->memory, g.order);
    buffer_done(&g.label);
    arena_done(&g.work);
    return f->root != NULL;
}

char *fold_types(const struct fold *f, uint64_t types, char *text, size_t size)
{
    struct fixed out = fixed_of(text, size);
    unsigned n = 0;
    for (unsigned i = 0; i <= FOLD_TYPES; i++) n += (unsigned)(types >> i) & 1u;
    if (n > 3) {
        fixed_format(&out, "%u types", n);
        return text;
    }
    for (unsigned i = 0; i <= FOLD_TYPES; i++)
        if ((types >> i) & 1)
            fixed_format(&out, "%s%s", out.n ? "+" : "", i < f->type_count ? f->types[i]->name : "other");
    return text;
}
