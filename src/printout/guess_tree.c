/*
 * guess_tree.c -- writes a tree without a template: modules come from names, classes from shapes.
 *
 * The tensors are sorted by name, so a module is a span of neighbours with a common prefix; the tree is built
 * from spans inside of spans, as deep as names have dots, at most GUESS_DEPTH and no deeper than useful. The
 * meaning of the weight's name (model/meaning.h) identifies tables and norms.
 */
#include "printout/guess_tree.h"

#include "base/num.h"
#include "model/meaning.h"
#include "printout/kind.h"

#include <stdlib.h>

struct guess {
    struct tree *tree;
    unsigned depth;           /* names are cut there */
    struct named_dims *items; /* sorted: those of one module are adjacent */
    struct buffer text;
    numel_error *error;
};

/* Adjacent items whose names are the same up to `prefix`. */
struct span {
    size_t from, to, prefix;
    size_t first; /* the smallest `order` in it */
    numel_str name;
};

static int by_name(const void *a, const void *b)
{
    const struct named_dims *x = a, *y = b;
    return text_bytes(x->name, y->name);
}

static int by_order(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return num_order(x->first, y->first);
}

static int by_number(const void *a, const void *b)
{
    return text_natural(((const struct span *)a)->name, ((const struct span *)b)->name);
}

/* The part of the name from `from` to the next dot; the whole rest if there is none, or at the greatest
 * depth. */
static numel_str part(numel_str name, size_t from, bool last, bool *module)
{
    size_t dot = last ? name.n : text_find(name, from, '.');
    *module = dot < name.n;
    return text_slice(name, from, dot);
}

/* ---- one module --------------------------------------------------------------------------- */

/* The module's class, from the shape of its weight and the meaning of the name. */
static const char *class_of(const struct named_dims *weight, bool bias)
{
    static const char *const convs[] = { "Conv1d", "Conv2d", "Conv3d" };
    if (!weight) return "Module";
    struct meaning m = meaning_of(weight->name);
    uint32_t traits = meaning_traits(&m);
    if (weight->ndim == 2) return traits & TRAIT_TABLE ? "Embedding" : "Linear";
    if (weight->ndim == 1 && traits & TRAIT_NORM) return bias ? "LayerNorm" : "RMSNorm";
    return weight->ndim >= 3 && weight->ndim <= 5 ? convs[weight->ndim - 3] : "Module";
}

static bool all_numbers(const struct child *children, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!text_is_number(children[i].name)) return false;
    return n > 0;
}

/* The module's own parameter of that name; NULL: none. */
static const struct named_dims *own(const struct guess *g, const struct span *s, const char *word)
{
    for (size_t i = s->from; i < s->to; i++) {
        numel_str rest = text_from(g->items[i].name, s->prefix);
        if (text_equal(rest, word)) return &g->items[i];
    }
    return NULL;
}

/* Writes only the arguments that the shape gives: no epsilon, no stride. */
static void put_arguments(struct buffer *out, numel_str class, const struct named_dims *weight, bool bias)
{
    struct leaf l = { .dims = weight->dims, .ndim = weight->ndim, .bias = bias };
    if (weight->ndim == 2) {
        kind_by_name(class)->write(&l, out);
    } else if (weight->ndim == 1) {
        buffer_format(out, "(%" PRIu64 ",)", weight->dims[0]);
    } else {
        buffer_format(out, "%" PRIu64 ", %" PRIu64 ", kernel_size=(", weight->dims[1], weight->dims[0]);
        for (uint32_t i = 2; i < weight->ndim; i++)
            buffer_format(out, i > 2 ? ", %" PRIu64 : "%" PRIu64, weight->dims[i]);
        buffer_text(out, weight->ndim == 3 ? ",)" : ")");
    }
}

static uint32_t add_module(struct guess *g, const struct span *s, struct child *children, size_t n)
{
    const struct named_dims *weight = n ? NULL : own(g, s, "weight");
    bool bias = !n && own(g, s, "bias");
    struct shape shape = { .children = children, .count = (uint32_t)n, .folds = all_numbers(children, n) };
    shape.class = text_of(shape.folds ? "ModuleList" : class_of(weight, bias));
    g->text.n = 0;
    if (weight && !text_equal(shape.class, "Module")) put_arguments(&g->text, shape.class, weight, bias);
    shape.arguments = buffer_view(&g->text);
    if (g->text.failed) return error_nomem(g->error), NAMES_ABSENT;
    return tree_add(g->tree, &shape, g->error);
}

/* ---- how deep ------------------------------------------------------------------------------ */

/* The number of leading parts, each with its dot, that both names share. */
static size_t shared_parts(numel_str a, numel_str b)
{
    size_t parts = 0;
    for (size_t i = 0; i < a.n && i < b.n && a.p[i] == b.p[i]; i++) parts += a.p[i] == '.';
    return parts;
}

/* Each name adds a module for each part that it does not share with the one before. A file of deep names
 * would have many times more modules than tensors: stops at the level where they exceed one for PER bytes of
 * a header. */
static unsigned choose_depth(const struct named_dims *items, size_t n)
{
    enum {
        PER = 32,
        OTHERS = 96,
        SMALL = 4096
    }; /* a tensor's header bytes without its name; modules that are always made */
    size_t added[GUESS_DEPTH + 1] = { 0 }, bytes = 0, made = 0;
    numel_str none = { "", 0 };
    for (size_t i = 0; i < n; i++) {
        size_t dots = 0;
        numel_str name = items[i].name;
        for (size_t k = 0; k < name.n; k++) dots += name.p[k] == '.';
        for (size_t k = shared_parts(i ? items[i - 1].name : none, name); k < dots && k < GUESS_DEPTH; k++)
            added[k + 1]++;
        bytes += name.n + OTHERS;
    }
    unsigned depth = 0;
    while (depth < GUESS_DEPTH && (made += added[depth + 1]) <= bytes / PER + SMALL) depth++;
    return depth;
}

/* ---- all of them -------------------------------------------------------------------------- */

/* Finds the modules inside a span, those of a list by number, others in the order of their first
 * tensors. Returns how many. */
static size_t split(const struct guess *g, const struct span *s, unsigned depth, struct span *out)
{
    size_t count = 0;
    for (size_t i = s->from, end; i < s->to; i = end) {
        bool module;
        numel_str name = part(g->items[i].name, s->prefix, depth == g->depth, &module);
        struct span inner = { i, i, s->prefix + name.n + 1, SIZE_MAX, name };
        for (end = i + 1; module && end < s->to; end++) {
            numel_str other = g->items[end].name;
            if (other.n < inner.prefix || memcmp(other.p + s->prefix, name.p, name.n + 1) != 0) break;
        }
        for (inner.to = end; i < end; i++)
            if (g->items[i].order < inner.first) inner.first = g->items[i].order;
        if (module) out[count++] = inner;
    }
    bool list = true;
    for (size_t i = 0; i < count; i++) list = list && text_is_number(out[i].name);
    qsort(out, count, sizeof *out, list ? by_number : by_order);
    return count;
}

/* The recursion goes as deep as names have dots, at most GUESS_DEPTH. */
static uint32_t make(struct guess *g, const struct span *s, unsigned depth)
{
    const numel_allocator *m = g->tree->memory;
    size_t most = s->to - s->from;
    struct span *inner = memory_resize(m, NULL, (most + 1) * sizeof *inner);
    struct child *children = memory_resize(m, NULL, (most + 1) * sizeof *children);
    uint32_t made = NAMES_ABSENT;
    bool ok = (inner && children) || error_nomem(g->error);
    size_t n = ok ? split(g, s, depth, inner) : 0;
    for (size_t i = 0; ok && i < n; i++) {
        children[i] = (struct child){ inner[i].name, make(g, &inner[i], depth + 1) };
        ok = children[i].shape != NAMES_ABSENT;
    }
    if (ok) made = add_module(g, s, children, n);
    memory_release(m, inner);
    memory_release(m, children);
    return made;
}

bool tree_guess(struct tree *out, struct named_dims *items, size_t n, const numel_allocator *m,
                numel_error *e)
{
    struct guess g = { .tree = out, .items = items, .error = e };
    struct span all = { .to = n };
    tree_init(out, m);
    buffer_init(&g.text, m);
    for (size_t i = 0; i < n; i++) items[i].order = i;
    qsort(items, n, sizeof *items, by_name);
    g.depth = choose_depth(items, n);
    out->root = make(&g, &all, 0);
    buffer_done(&g.text);
    if (out->root == NAMES_ABSENT) tree_done(out);
    return error_free(e);
}
