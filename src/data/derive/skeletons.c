/*
 * skeletons.c -- the tensor names of classes of transformers and diffusers, which identify a file without
 * config.json; formula/skeleton.c looks them up.
 *
 * One line for each set of names: the classes that have it, separated by commas, as MODEL_TYPE:CLASS (for
 * diffusers both are the class). A name is a digest that ignores numbers between dots. A class with very many
 * names is represented by the lowest digests. If several classes have the same names, the most widely used
 * (usual.table) comes first.
 */
#include "cases.h"

#include "formula/digest.h"

#include <stdlib.h>
#include <string.h>

/* MODEL_TYPE:CLASS with these digests; `order`: position in the cases. */
struct class_names {
    struct span kind, class;
    uint32_t *digests, count;
    size_t order;
};

static struct {
    struct class_names *items;
    size_t count, room;
} all;

static struct {
    uint32_t *items;
    size_t count, room;
} digests;

/* ---- digests ---------------------------------------------------------------------------------- */

static void add(struct span name)
{
    digests.items = grown(digests.items, digests.count, &digests.room, sizeof *digests.items);
    digests.items[digests.count++] = name_digest(name.p, name.n);
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Keeps the lowest digests, without duplicates, for a class. */
static void keep(const struct one_case *c)
{
    struct class_names x = { c->kind, c->class, NULL, 0, all.count };
    if (!digests.count) return;
    qsort(digests.items, digests.count, sizeof *digests.items, ascending);
    x.digests = malloc(SKELETON_NAMES * sizeof *x.digests);
    if (!x.digests) fail("memory", "there is not enough");
    for (size_t i = 0; i < digests.count && x.count < SKELETON_NAMES; i++)
        if (!i || digests.items[i] != digests.items[i - 1]) x.digests[x.count++] = digests.items[i];
    all.items = grown(all.items, all.count, &all.room, sizeof x);
    all.items[all.count++] = x;
    digests.count = 0;
}

/* ---- names ------------------------------------------------------------------------------------ */

static const char experts[] = ".mlp.experts.", stack[] = "gate_up_proj";

static int has(struct span name, const char *part)
{
    size_t n = strlen(part);
    for (size_t i = 0; i + n <= name.n; i++)
        if (memcmp(name.p + i, part, n) == 0) return 1;
    return 0;
}

static int ends_in_stack(struct span name)
{
    size_t n = sizeof experts + sizeof stack - 2;
    return name.n >= n && has((struct span){ name.p + name.n - n, n }, experts) &&
           memcmp(name.p + name.n - (sizeof stack - 1), stack, sizeof stack - 1) == 0;
}

/* Adds names from before transformers 5, which merged the experts of a layer into one tensor, `stack`. */
static void add_apart(struct span name)
{
    static const char *const singles[] = { "0.gate_proj.weight", "0.up_proj.weight", "0.down_proj.weight" };
    char text[512];
    size_t front = name.n - (sizeof stack - 1);
    for (size_t i = 0; i < 3; i++) {
        size_t n = strlen(singles[i]);
        if (front + n > sizeof text) fail("a case", "has a very long name");
        memcpy(text, name.p, front);
        memcpy(text + front, singles[i], n);
        add((struct span){ text, front + n });
    }
}

/* True for a copy of another tensor: it is not stored. */
static int is_tied(const struct one_case *c, struct span name)
{
    struct span rest = c->tied, other;
    while (cases_name(&rest, &other))
        if (span_order(name, other) == 0) return 1;
    return 0;
}

/* Adds the names of one object; `apart`: with separate experts. Returns the number of stacks. */
static size_t add_names(const struct one_case *c, struct span object, int apart)
{
    size_t stacks = 0;
    for (struct span name; cases_name(&object, &name);) {
        if (is_tied(c, name)) continue;
        stacks += (size_t)ends_in_stack(name);
        if (!apart || !has(name, experts)) add(name);
        else if (ends_in_stack(name)) add_apart(name);
    }
    return stacks;
}

/* ---- the lines -------------------------------------------------------------------------------- */

void skeletons_read(const char *path)
{
    struct span text = cases_text(path), line = { text.p, 0 };
    for (const char *end = text.p + text.n; line.p < end; line.p += line.n + 1) {
        const char *stop = memchr(line.p, '\n', (size_t)(end - line.p));
        struct one_case c;
        line.n = (size_t)((stop ? stop : end) - line.p);
        /* the only class of an old pipeline has nearly the names of every UNet2DConditionModel */
        if (!cases_read(line, &c) || span_order(c.kind, span_of("UNetFlatConditionModel")) == 0) continue;
        size_t stacks = add_names(&c, c.params, 0) + add_names(&c, c.buffers, 0);
        keep(&c);
        if (!stacks) continue;
        add_names(&c, c.params, 1);
        add_names(&c, c.buffers, 1);
        keep(&c);
    }
}

/* Classes with the same digests, in the order of the cases, without duplicates. */
struct group {
    struct class_names **items;
    size_t count, order;
};

static int by_digests(const void *a, const void *b)
{
    const struct class_names *x = a, *y = b;
    int order = x->count != y->count ? (x->count < y->count ? -1 : 1)
                                     : memcmp(x->digests, y->digests, x->count * sizeof *x->digests);
    return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

static int same_class(const struct class_names *x, const struct class_names *y)
{
    return span_order(x->kind, y->kind) == 0 && span_order(x->class, y->class) == 0;
}

static int same_digests(const struct class_names *x, const struct class_names *y)
{
    return x->count == y->count && memcmp(x->digests, y->digests, x->count * sizeof *x->digests) == 0;
}

static void enter(struct group *g, struct class_names *x)
{
    for (size_t i = 0; i < g->count; i++)
        if (same_class(g->items[i], x)) return;
    g->items[g->count++] = x;
}

/* Orders groups by the names of their classes, then as in the cases. */
static int by_classes(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    for (size_t i = 0; i < x->count && i < y->count; i++) {
        int order = span_order(x->items[i]->kind, y->items[i]->kind);
        if (!order) order = span_order(x->items[i]->class, y->items[i]->class);
        if (order) return order;
    }
    if (x->count != y->count) return x->count < y->count ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static struct group *groups_of(size_t *count)
{
    struct class_names **places = malloc((all.count + 1) * sizeof *places);
    struct group *groups = malloc((all.count + 1) * sizeof *groups);
    if (!places || !groups) fail("memory", "there is not enough");
    if (all.count) qsort(all.items, all.count, sizeof *all.items, by_digests);
    *count = 0;
    for (size_t i = 0; i < all.count; i++) {
        struct class_names *x = &all.items[i];
        if (!i || !same_digests(x, x - 1)) groups[(*count)++] = (struct group){ places + i, 0, x->order };
        enter(&groups[*count - 1], x);
    }
    if (*count) qsort(groups, *count, sizeof *groups, by_classes);
    return groups;
}

static int by_usual(const void *a, const void *b)
{
    const struct class_names *x = *(struct class_names *const *)a, *y = *(struct class_names *const *)b;
    size_t rank = usual_rank(x->kind), other = usual_rank(y->kind);
    if (rank != other) return rank < other ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void put_line(struct group *g)
{
    size_t n = 0;
    qsort(g->items, g->count, sizeof *g->items, by_usual);
    uint32_t at = put(span_of(""));
    for (size_t i = 0; i < g->count; i++) {
        const struct span parts[] = { span_of(i ? "," : ""), g->items[i]->kind, span_of(":"),
                                      g->items[i]->class };
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) put(parts[k]), n += parts[k].n;
    }
    put(span_of("\n"));
    tell_names(at, (uint32_t)n, g->items[0]->digests, g->items[0]->count);
}

uint32_t skeletons_put(void)
{
    size_t count;
    struct group *groups = groups_of(&count);
    for (size_t i = 0; i < count; i++) put_line(&groups[i]);
    return (uint32_t)count;
}
