/*
 * fold.c -- names folded into layers, in three steps: a trie of the sorted names; a number for each structure,
 * bottom up; a tree of sets of trie nodes that have the same number, top down.
 *
 * A node of the trie stands for a segment and for all that follow it without a fork, so that a name adds two nodes at
 * most, however many points it has.
 */
#include "registry/fold.h"

#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64 }; /* segments of a name; the rest is one segment */

struct trie {
    numel_str segment;
    size_t run; /* bytes of the name behind the segment that belong to the node: ".self_attn.q_proj", or 0 */
    struct trie *child, *last, *next; /* children in natural order */
    const numel_tensor *tensor;       /* NULL: inner node */
    uint32_t structure;
    uint32_t group; /* siblings of one group fold; numbered from 0 in each parent */
    uint32_t children;
    bool number; /* the segment is all digits */
    bool folds;  /* its group may have other members */
};

struct structure {
    numel_str key; /* first: see names.h */
};

struct folding {
    struct fold *out;
    const struct registry *registry;
    struct arena *arena;
    struct arena work; /* what is needed until the tree stands */
    struct structure *structures;
    size_t structure_count, structure_cap;
    struct names names;
    struct buffer key, label; /* label: the one being made */
    numel_error *error;
};

/* ---- the trie ----------------------------------------------------------------------------- */

static struct trie *node_new(struct folding *g, struct trie t)
{
    struct trie *made = arena_copy(&g->work, &t, sizeof t);
    if (!made) error_nomem(g->error);
    return made;
}

/* The next segment of a name from *at on; *at moves behind its dot, or to n + 1 at the end. */
static numel_str next_segment(numel_str name, size_t *at, unsigned depth)
{
    size_t start = *at;
    size_t end = depth < DEEPEST ? text_find(name, start, '.') : name.n;
    *at = end + 1;
    return text_slice(name, start, end);
}

/* Where in a name one is: the bytes before `at` are behind, n + 1 is the end. */
struct walk {
    numel_str name;
    size_t at;
    unsigned depth; /* of the next segment, from 1 */
};

static bool at_end(const struct walk *w) { return w->at > w->name.n; }

/* A new last child, for all that is left of the name. */
static struct trie *add_child(struct folding *g, struct trie *parent, struct walk *w)
{
    numel_str segment = next_segment(w->name, &w->at, w->depth);
    size_t run = text_behind(w->name, segment.p + segment.n).n;
    struct trie *t =
        node_new(g, (struct trie){ .segment = segment, .run = run, .number = text_is_number(segment) });
    if (!t) return NULL;
    if (parent->last) parent->last->next = t;
    else parent->child = t;
    parent->last = t;
    parent->children++;
    w->at = w->name.n + 1;
    return t;
}

/* What stands behind its segment's dot. */
static numel_str run_of(const struct trie *t)
{
    return text_from((numel_str){ t->segment.p + t->segment.n, t->run }, 1);
}

/* The node keeps `run` bytes of its run; the rest becomes its only child. */
NUMEL_MUST static bool split(struct folding *g, struct trie *t, size_t run, unsigned depth)
{
    numel_str rest = text_from(run_of(t), run);
    size_t end = 0;
    numel_str segment = next_segment(rest, &end, depth);
    struct trie *below = node_new(g, *t);
    if (!below) return false;
    below->segment = segment;
    below->run = text_from(rest, segment.n).n;
    below->number = text_is_number(segment);
    below->next = NULL;
    t->run = run;
    t->tensor = NULL;
    t->child = t->last = below;
    t->children = 1;
    return true;
}

/* Goes along the run of a node as far as the name does; where they part, or the name ends, the node is split. */
NUMEL_MUST static bool follow(struct folding *g, struct trie *t, struct walk *w)
{
    numel_str run = run_of(t);
    for (size_t i = 0, kept = 0; t->run && i <= run.n; kept = i) {
        struct walk ahead = *w;
        numel_str theirs = next_segment(run, &i, w->depth);
        if (at_end(w) || !text_same(theirs, next_segment(w->name, &ahead.at, w->depth)))
            return split(g, t, kept, w->depth);
        *w = ahead;
        w->depth++;
    }
    return true;
}

/* A name that stands in two files: its last segment becomes a node of its own, beside which there is room for another.
 * `w` then stands before that segment. */
NUMEL_MUST static bool split_last(struct folding *g, struct trie *t, struct walk *w)
{
    numel_str run = run_of(t);
    size_t last = 0;
    for (size_t i = 0; i <= run.n; w->depth++) {
        last = i;
        (void)next_segment(run, &i, w->depth);
    }
    w->at = text_less(w->name, text_from(run, last).n).n;
    return split(g, t, last, --w->depth);
}

/* The last child of a node if the name goes on through it; *w moves on with it, else the name is to fork here. */
NUMEL_MUST static bool descend(struct folding *g, struct trie **at, struct walk *w, bool *shared)
{
    struct walk ahead = *w;
    struct trie *known = (*at)->last;
    *shared = known && text_same(known->segment, next_segment(w->name, &ahead.at, w->depth));
    if (!*shared) return true;
    unsigned depth = ++ahead.depth;
    if (!follow(g, known, &ahead)) return false;
    bool twice = at_end(&ahead) && known->tensor;
    if (twice && !known->run) *shared = false;
    if (!*shared) return true;
    *at = known;
    *w = ahead;
    w->depth = twice ? depth : ahead.depth;
    return !twice || split_last(g, known, w);
}

/* In sorted order a name shares its first segments with the last path, if with any. */
static bool add_name(struct folding *g, struct trie *root, const numel_tensor *t)
{
    struct walk w = { .name = t->name, .depth = 1 };
    struct trie *at = root;
    bool shared = true;
    while (shared && !at_end(&w))
        if (!descend(g, &at, &w, &shared)) return false;
    if (!at_end(&w)) at = add_child(g, at, &w);
    if (at) at->tensor = t;
    return at != NULL;
}

static struct trie *make_trie(struct folding *g)
{
    uint32_t *order = NULL;
    struct trie *root = arena_alloc(&g->work, sizeof *root);
    if (!root || !registry_order(g->registry, NUMEL_SORT_NAME, &order, g->error)) {
        error_nomem(g->error);
        return NULL;
    }
    *root = (struct trie){ .number = false };
    bool ok = true;
    for (size_t i = 0; ok && i < g->registry->count; i++)
        ok = add_name(g, root, &g->registry->tensors[order[i]]);
    memory_release(g->registry->memory, order);
    return ok ? root : NULL;
}

/* ---- structures --------------------------------------------------------------------------- */

/* The number of the structure whose description is in g->key. */
NUMEL_MUST static bool intern(struct folding *g, uint32_t *number)
{
    void *p = g->structures;
    size_t n = g->structure_count;
    if (g->key.failed) return error_nomem(g->error);
    if (!memory_grow(g->arena->memory, &p, &g->structure_cap, n + 1, sizeof *g->structures, g->error))
        return false;
    g->structures = p;
    if (!names_reserve(&g->names, n + 1, g->error)) return false;
    *number = names_find(&g->names, g->structures, buffer_view(&g->key));
    if (*number != NAMES_ABSENT) return true;
    const char *copy = arena_copy(&g->work, g->key.p, g->key.n);
    if (!copy) return error_nomem(g->error);
    g->structures[n].key = (numel_str){ copy, g->key.n };
    *number = names_enter(&g->names, g->structures, n);
    g->structure_count++;
    return true;
}

/* Numbered siblings of one structure get one group, each other sibling its own. A model has few
 * kinds of layers: the first KINDS fold, the tail of a longer list stays as it is. */
static void group_children(struct trie *t)
{
    enum { KINDS = 64 };
    const struct trie *kinds[KINDS];
    unsigned kind_count = 0;
    uint32_t groups = 0;
    for (struct trie *c = t->child; c; c = c->next) {
        unsigned k = 0;
        if (c->number)
            while (k < kind_count && kinds[k]->structure != c->structure) k++;
        if (c->number && k < kind_count) {
            c->group = kinds[k]->group;
            continue;
        }
        c->group = groups++;
        c->folds = c->number && kind_count < KINDS;
        if (c->folds) kinds[kind_count++] = c;
    }
}

/* Describes a node: its run, its shape if it is a tensor, then each child's name, group and structure. */
static void describe(struct folding *g, const struct trie *t)
{
    g->key.n = 0;
    buffer_add(&g->key, &t->run, sizeof t->run);
    if (t->run) buffer_add(&g->key, t->segment.p + t->segment.n, t->run);
    if (t->tensor) {
        buffer_char(&g->key, 'T');
        buffer_add(&g->key, &t->tensor->ndim, sizeof t->tensor->ndim);
        buffer_add(&g->key, t->tensor->dims, t->tensor->ndim * sizeof(uint64_t));
    }
    for (const struct trie *c = t->child; c; c = c->next) {
        buffer_char(&g->key, 'C');
        buffer_add(&g->key, &c->structure, sizeof c->structure);
        buffer_add(&g->key, &c->segment.n, sizeof c->segment.n);
        buffer_add(&g->key, c->segment.p, c->segment.n);
    }
}

NUMEL_MUST static bool number_structures(struct folding *g, struct trie *t)
{
    for (struct trie *c = t->child; c; c = c->next)
        if (!number_structures(g, c)) return false;
    group_children(t);
    describe(g, t);
    return intern(g, &t->structure);
}

/* ---- labels ------------------------------------------------------------------------------- */

static uint64_t value_of(numel_str digits, bool *fits)
{
    uint64_t v;
    bool index = digits.n == 1 || digits.p[0] != '0'; /* 007 is not an index */
    *fits = number_plain(digits, &v) && index;
    return v;
}

/* "[0-2,5,7-9]"; after some ranges "..." and the last, so that a label stays readable. */
static void label_range(struct buffer *b, struct trie *const *set, size_t n)
{
    enum { SHOWN = 6 };
    size_t ranges = 0;
    buffer_char(b, '[');
    for (size_t i = 0, j; i < n; i = j) {
        bool fits, next_fits = true;
        uint64_t v = value_of(set[i]->segment, &fits);
        for (j = i + 1; j < n && fits; j++)
            if (value_of(set[j]->segment, &next_fits) != v + (j - i) || !next_fits) break;
        ranges++;
        if (ranges > SHOWN && j < n) continue;
        if (ranges > 1) buffer_char(b, ',');
        if (ranges > SHOWN + 1) buffer_text(b, "...");
        text_escape(b, set[i]->segment);
        if (j > i + 1) {
            buffer_char(b, '-');
            text_escape(b, set[j - 1]->segment);
        }
    }
    buffer_char(b, ']');
}

/* The segments of a set, and the run that they share unless it is told below. */
static const char *make_label(struct folding *g, struct trie *const *set, size_t n, bool run)
{
    const struct trie *t = set[0];
    g->label.n = 0;
    if (n > 1) label_range(&g->label, set, n);
    else text_escape(&g->label, t->segment);
    if (run && t->run) text_escape(&g->label, (numel_str){ t->segment.p + t->segment.n, t->run });
    const char *text = g->label.failed ? NULL : arena_text(g->arena, g->label.p, g->label.n);
    if (!text) error_nomem(g->error);
    return text;
}

/* "q.[0-3]" of "[0-3]" and the run ".q" of the node above. */
NUMEL_MUST static bool prefix_run(struct folding *g, const struct trie *t, struct fold_node *child)
{
    g->label.n = 0;
    text_escape(&g->label, run_of(t));
    const char *run = g->label.failed ? NULL : arena_text(&g->work, g->label.p, g->label.n);
    child->label = run ? arena_format(g->arena, "%s.%s", run, child->label) : NULL;
    return child->label || error_nomem(g->error);
}

/* ---- the tree ----------------------------------------------------------------------------- */

static uint64_t type_bit(struct fold *f, const numel_dtype *d)
{
    unsigned i = 0;
    while (i < f->type_count && f->types[i] != d && strcmp(f->types[i]->name, d->name) != 0) i++;
    if (i == f->type_count && i < FOLD_TYPES) f->types[f->type_count++] = d;
    return (uint64_t)1 << i;
}

NUMEL_MUST static bool add_tensor(struct folding *g, struct fold_node *node, const numel_tensor *t)
{
    node->types |= type_bit(g->out, t->dtype);
    node->tensors++;
    if (num_add(&node->elements, node->elements, t->elements) && num_add(&node->bytes, node->bytes, t->bytes))
        return true;
    return error_set(g->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                     "the bytes of all tensors together do not fit in 64 bits");
}

static struct fold_node *fold_set(struct folding *g, struct trie **set, size_t n, size_t repeats);

/* The set below one child: `at` holds that child of each trie node of the set (children stand in the
 * same order in each). A child that folds brings its whole group along. */
static struct fold_node *fold_child(struct folding *g, struct trie **set, size_t n, struct trie **at)
{
    size_t members = 0, k = 0;
    uint32_t group = at[0]->group;
    if (at[0]->folds)
        for (const struct trie *c = at[0]; c; c = c->next) members += c->group == group ? 1u : 0u;
    else members = 1;
    struct trie **all = arena_alloc(&g->work, members * n * sizeof *all);
    if (!all) {
        error_nomem(g->error);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if (members == 1) all[k++] = at[i];
        else
            for (struct trie *c = set[i]->child; c; c = c->next)
                if (c->group == group) all[k++] = c;
    }
    return fold_set(g, all, k, members);
}

/* A tensor whose name is also the start of others' stands as a leaf with no further name. */
static struct fold_node *fold_own(struct folding *g, struct trie **set, size_t n)
{
    struct fold_node *leaf = arena_alloc(g->arena, sizeof *leaf);
    if (!leaf) {
        error_nomem(g->error);
        return NULL;
    }
    *leaf =
        (struct fold_node){ .label = "", .repeats = 1, .times = n, .tensor = set[0]->tensor, .own = true };
    for (size_t i = 0; i < n; i++)
        if (!add_tensor(g, leaf, set[i]->tensor)) return NULL;
    leaf->each = leaf->tensor->elements;
    return leaf;
}

NUMEL_MUST static bool append(struct folding *g, struct fold_node *node, struct fold_node ***tail,
                              struct fold_node *child)
{
    if (!child) return false;
    **tail = child;
    *tail = &child->next;
    node->types |= child->types;
    node->tensors += child->tensors;
    if (num_add(&node->elements, node->elements, child->elements) &&
        num_add(&node->bytes, node->bytes, child->bytes))
        return true;
    return error_set(g->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                     "the bytes of all tensors together do not fit in 64 bits");
}

/* A node with one child and no tensor of its own becomes one with it, unless both repeat. Only a node that stays
 * is kept: names like a.b.c.d would leave three others for each that folds into nothing. */
static struct fold_node *join_chain(struct folding *g, const struct fold_node *node)
{
    struct fold_node *c = node->child;
    if (!c || c->next || node->tensor || (node->repeats > 1 && c->repeats > 1)) {
        struct fold_node *kept = arena_copy(g->arena, node, sizeof *node);
        if (!kept) error_nomem(g->error);
        return kept;
    }
    const char *label = arena_format(g->arena, "%s%s%s", node->label, c->own ? "" : ".", c->label);
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

/* All children of a set, in order; a group stands where its first member does. */
NUMEL_MUST static bool fold_children(struct folding *g, struct fold_node *node, struct fold_node **tail,
                                     struct trie **set, size_t n)
{
    struct trie **at = arena_alloc(&g->work, n * sizeof *at);
    if (!at) return error_nomem(g->error);
    for (size_t i = 0; i < n; i++) at[i] = set[i]->child;
    for (uint32_t group = 0; at[0];) {
        if (at[0]->group == group) {
            group++;
            if (!append(g, node, &tail, fold_child(g, set, n, at))) return false;
        }
        for (size_t i = 0; i < n; i++) at[i] = at[i]->next;
    }
    return true;
}

/* One node for n trie nodes of equal structure, `repeats` of them under each parent. */
static struct fold_node *fold_set(struct folding *g, struct trie **set, size_t n, size_t repeats)
{
    struct fold_node node = { .repeats = repeats, .times = n }, **tail = &node.child;
    if (set[0]->tensor && !append(g, &node, &tail, fold_own(g, set, n))) return NULL;
    if (!fold_children(g, &node, tail, set, n)) return NULL;
    struct fold_node *c = node.child;
    bool below =
        repeats > 1 && c && !c->next && c->repeats > 1; /* two that repeat: the run goes to the second */
    if (below && set[0]->run && !prefix_run(g, set[0], c)) return NULL;
    node.label = make_label(g, set, repeats, !below);
    if (!node.label) return NULL;
    node.each = node.elements / n;
    return join_chain(g, &node);
}

static struct fold_node *fold_root(struct folding *g, struct trie *root)
{
    struct fold_node *top = arena_alloc(g->arena, sizeof *top);
    if (!top) {
        error_nomem(g->error);
        return NULL;
    }
    *top = (struct fold_node){ .label = "", .repeats = 1, .times = 1 };
    if (!fold_children(g, top, &top->child, &root, 1)) return NULL;
    top->each = top->elements;
    return top;
}

bool fold_build(struct fold *f, const struct registry *r, struct arena *a, numel_error *e)
{
    struct folding g = { .out = f, .registry = r, .arena = a, .error = e };
    *f = (struct fold){ .root = NULL };
    arena_init(&g.work, a->memory);
    names_init(&g.names, a->memory, sizeof(struct structure));
    buffer_init(&g.key, a->memory);
    buffer_init(&g.label, a->memory);
    struct trie *root = make_trie(&g);
    if (root && number_structures(&g, root)) f->root = fold_root(&g, root);
    memory_release(a->memory, g.structures);
    names_done(&g.names);
    buffer_done(&g.key);
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
