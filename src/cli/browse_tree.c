/*
 * browse_tree.c -- a tree from sorted paths.
 *
 * Paths that share their first parts are neighbours, so a node is a run of leaves, and its children are the runs that
 * differ in the next part. Children of a node are consecutive nodes in natural order; `children` has the order in which
 * they are shown.
 */
#include "browse.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 }; /* parts of a path that are divided */

/* ---- names ---------------------------------------------------------------------------------- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Compares two numbers of n and k digits: those with a leading zero come first. */
static int compare_numbers(const char *a, size_t n, const char *b, size_t k)
{
    if (n != k && a[0] != '0' && b[0] != '0') return n < k ? -1 : 1;
    int c = strncmp(a, b, n < k ? n : k);
    return c ? c : (n > k) - (n < k);
}

int tree_compare(const char *a, const char *b)
{
    for (;;) {
        while (*a && *a == *b && !is_digit(*a)) a++, b++;
        if (!is_digit(*a) || !is_digit(*b)) return (unsigned char)*a - (unsigned char)*b;
        size_t n = strspn(a, "0123456789"), k = strspn(b, "0123456789");
        int c = compare_numbers(a, n, b, k);
        if (c) return c;
        a += n;
        b += k;
    }
}

/* ---- parts of paths --------------------------------------------------------------------------- */

/* Does the part end there? A '.' ends one only if there is something on both its sides. */
static bool is_end(const char *p, size_t n)
{
    return strchr("\t\n", p[n]) || (p[n] == '.' && n && !strchr("\t\n.", p[n + 1]));
}

/* The length of a range, "[0-2,5,...,31]", without its bracket; of another character, 1. */
static size_t range_at(const char *p)
{
    size_t n = p[0] == '[' ? 1 + strspn(p + 1, "0123456789-,.") : 1;
    return p[0] == '[' && p[n] == ']' ? n : 1;
}

/* Length of the part that begins there. A range is not divided. */
static size_t part_at(const char *p, bool whole)
{
    size_t n = 0;
    if (whole || p[0] == '\t') return strcspn(p, "\n");
    while (!is_end(p, n)) n += range_at(p + n);
    return n;
}

/* Length of what becomes one label: the first part that the leaves of a run have in common, and the parts joined to
 * it. The first and the last leaf show it, since equal beginnings are next to each other. */
static size_t joined(const char *first, const char *last, bool whole)
{
    size_t n = part_at(first, whole);
    while (!whole && first[n] == '.') {
        size_t more = part_at(first + n + 1, false), end = n + 1 + more;
        if (!first[end] || strncmp(first + n, last + n, more + 2) != 0) break;
        n = end;
    }
    return n;
}

/* ---- making the tree ---------------------------------------------------------------------------- */

/* How the leaves of a node are divided: at byte `from` of their paths. */
struct cut {
    size_t from;
    bool whole; /* up to a '\n' only */
    bool never; /* the rest is one part */
};

static struct cut cut_of(const struct tree *t, const struct node *n, bool whole)
{
    struct cut c = { .whole = whole && n == t->nodes, .never = n->depth >= DEEPEST };
    if (n == t->nodes) return c;
    c.from = (size_t)(n->label - t->leaves[n->leaf].path) + n->bytes;
    c.from += n->label[n->bytes] != '\t';
    return c;
}

/* The end of the run of leaves that have the same part as the first one. A path that ends there is a tensor. */
static uint32_t run_end(const struct tree *t, const struct cut *c, uint32_t first, uint32_t end)
{
    const char *own = t->leaves[first].path + c->from;
    size_t n = c->never ? strlen(own) : part_at(own, c->whole);
    uint32_t i = first + 1;
    while (own[n] && i < end && strncmp(own, t->leaves[i].path + c->from, n + 1) == 0) i++;
    return i;
}

static struct node node_of(const struct tree *t, const struct cut *c, uint32_t first, uint32_t end)
{
    const char *own = t->leaves[first].path + c->from, *last = t->leaves[end - 1].path + c->from;
    struct node n = { .label = own + (own[0] == '\t'), .leaf = first, .leaves = end - first };
    n.tensor = n.leaves == 1 && (c->never || !strchr(own, '\n'));
    n.bytes = n.tensor ? strcspn(n.label, "\t") : joined(own, last, c->whole);
    return n;
}

NUMEL_MUST static bool has_room(struct tree *t, size_t more)
{
    size_t room = t->room ? t->room : 64;
    if (t->node_count + more <= t->room) return true;
    if (t->node_count + more >= UINT32_MAX) return false;
    while (room < t->node_count + more) room *= 2;
    struct node *nodes = realloc(t->nodes, room * sizeof *nodes);
    if (nodes) t->nodes = nodes, t->room = room;
    return nodes != NULL;
}

/* Adds the children of a node behind all nodes. */
NUMEL_MUST static bool add_children(struct tree *t, uint32_t parent, bool whole)
{
    const struct cut c = cut_of(t, &t->nodes[parent], whole);
    uint32_t first = t->nodes[parent].leaf, end = first + t->nodes[parent].leaves, count = 0;
    for (uint32_t i = first; i < end; i = run_end(t, &c, i, end)) count++;
    if (!has_room(t, count)) return false;
    t->nodes[parent].first = (uint32_t)t->node_count;
    t->nodes[parent].count = count;
    for (uint32_t i = first, next; i < end; i = next) {
        next = run_end(t, &c, i, end);
        struct node *n = &t->nodes[t->node_count++];
        *n = node_of(t, &c, i, next);
        n->parent = parent;
        n->depth = (uint8_t)(t->nodes[parent].depth + 1);
    }
    return true;
}

NUMEL_MUST static bool add(uint64_t sums[MEASURES], const uint64_t more[MEASURES])
{
    for (unsigned i = 0; i < MEASURES; i++) {
        if (sums[i] > UINT64_MAX - more[i]) return false;
        sums[i] += more[i];
    }
    return true;
}

static uint32_t type_bit(struct tree *t, const char *name)
{
    unsigned i = 0;
    if (!name) return 0;
    while (i < t->type_count && strcmp(t->types[i], name) != 0) i++;
    if (i == t->type_count && i < TYPES) t->types[t->type_count++] = name;
    return (uint32_t)1 << i;
}

/* Children come behind their parents, so one pass from the end is enough. */
NUMEL_MUST static bool add_sums(struct tree *t)
{
    for (size_t i = t->node_count; i-- > 1;) {
        struct node *n = &t->nodes[i];
        struct node *parent = &t->nodes[n->parent];
        if (n->tensor) n->types = type_bit(t, t->leaves[n->leaf].type);
        if (n->tensor && !add(n->sums, t->leaves[n->leaf].sums)) return false;
        if (!add(parent->sums, n->sums)) return false;
        parent->types |= n->types;
    }
    return true;
}

bool tree_build(struct tree *t, bool whole)
{
    if (t->leaf_count >= UINT32_MAX || !has_room(t, 1)) return false;
    t->nodes[0] = (struct node){ .label = "", .leaves = (uint32_t)t->leaf_count };
    t->node_count = 1;
    for (uint32_t i = 0; i < t->node_count; i++)
        if (!t->nodes[i].tensor && !add_children(t, i, whole)) return false;
    t->children = malloc(t->node_count * sizeof *t->children);
    for (uint32_t i = 0; t->children && i < t->node_count; i++) t->children[i] = i;
    return t->children && add_sums(t);
}

void tree_free(struct tree *t)
{
    for (size_t i = 0; i < t->leaf_count; i++) free(t->leaves[i].path);
    free(t->leaves);
    free(t->nodes);
    free(t->children);
    *t = (struct tree){ .leaves = NULL };
}

/* ---- sorting -------------------------------------------------------------------------------------- */

struct key {
    uint64_t value;
    uint32_t node;
    bool reversed;
};

/* The largest first; what is equal, by name. */
static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int size = (x->value < y->value) - (x->value > y->value),
        name = (x->node > y->node) - (x->node < y->node);
    return (size ? size : name) * (x->reversed ? -1 : 1);
}

bool tree_sort(struct tree *t, uint32_t node, enum measure m, enum order order, bool reversed)
{
    struct node *n = &t->nodes[node];
    uint8_t how = (uint8_t)(1 + ((unsigned)m * ORDERS + order) * 2 + reversed);
    if (n->sorted == how || !n->count) return true;
    struct key *keys = calloc(n->count, sizeof *keys);
    if (!keys) return false;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct node *c = &t->nodes[n->first + i];
        keys[i] = (struct key){ .node = n->first + i, .reversed = reversed };
        keys[i].value = order == BY_NAME ? 0 : c->sums[order == BY_COUNT ? TENSORS : m];
    }
    qsort(keys, n->count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < n->count; i++) t->children[n->first + i] = keys[i].node;
    free(keys);
    n->sorted = how;
    return true;
}
