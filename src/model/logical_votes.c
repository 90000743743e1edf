/*
 * logical_votes.c -- chooses among several solutions. The tensors of one module may fit both 4 bits in groups
 * of 64 and 8 bits in groups of 32; see logical.c.
 */
#include "model/logical_internal.h"

#include "base/num.h"

#include <stdlib.h>

struct sizes { /* of a model: possible input widths of its weights */
    uint64_t *items;
    size_t count;
    uint64_t width; /* of most norms; 0: no norms */
};

static int by_size(const void *a, const void *b)
{
    return num_order(*(const uint64_t *)a, *(const uint64_t *)b);
}

static bool is_size(const struct sizes *s, int64_t n)
{
    uint64_t key = (uint64_t)n;
    return s->count && bsearch(&key, s->items, s->count, sizeof key, by_size);
}

/* The most frequent size; `items` are sorted. */
static uint64_t most_common(const uint64_t *items, size_t n)
{
    uint64_t best = 0;
    for (size_t i = 0, run = 0, most = 0; i < n; i++) {
        run = i && items[i] == items[i - 1] ? run + 1 : 1;
        if (run > most) most = run, best = items[i];
    }
    return best;
}

static bool is_norm(numel_str name)
{
    for (size_t i = 0; i + 4 <= name.n; i++)
        if (memcmp(name.p + i, "norm", 4) == 0) return true;
    return false;
}

/* Gathers the dims of float vectors and matrices, and the outputs of packed weights. */
NUMEL_MUST static bool gather_sizes(struct unpacking *u, struct sizes *s)
{
    size_t room = u->module_count, n = 0;
    for (size_t i = 0; i < u->file->registry->count; i++) room += u->file->registry->tensors[i].ndim;
    s->items = memory_resize(u->arena->memory, NULL, (room + 1) * sizeof *s->items);
    if (!s->items) return error_nomem(u->error);
    for (size_t i = 0; i < u->file->registry->count; i++) {
        const numel_tensor *t = &u->file->registry->tensors[i];
        if (t->ndim == 1 && packed_plain_type(t) && !u->gone[i] && is_norm(t->name))
            s->items[n++] = t->dims[0];
    }
    if (n) qsort(s->items, n, sizeof *s->items, by_size);
    s->width = most_common(s->items, n);
    for (size_t i = 0; i < u->file->registry->count; i++) {
        const numel_tensor *t = &u->file->registry->tensors[i];
        bool plain = packed_plain_type(t) && !u->gone[i] && t->ndim <= 2;
        for (uint32_t k = 0; plain && k < t->ndim && n < room; k++) s->items[n++] = t->dims[k];
    }
    for (size_t i = 0; i < u->module_count && n < room; i++)
        s->items[n++] = (uint64_t)u->solved[u->modules[i].solved].options[0].out;
    if (n) qsort(s->items, n, sizeof *s->items, by_size);
    s->count = n;
    return true;
}

struct votes { /* for one combination of layout, bits and group */
    const struct layout *layout;
    int64_t bits, group;
    size_t last; /* index of the last module counted, plus 1 */
    uint64_t fit, inner,
        width; /* fitting weights; those whose inputs are a size of the model; the norms' width */
};

enum { VOTES = 256 };

static struct votes *votes_of(struct votes *all, unsigned *n, const struct layout_solution *s)
{
    for (unsigned i = 0; i < *n; i++)
        if (all[i].layout == s->layout && all[i].bits == s->bits && all[i].group == s->group) return &all[i];
    if (*n == VOTES) return NULL;
    all[*n] = (struct votes){ .layout = s->layout, .bits = s->bits, .group = s->group };
    return &all[(*n)++];
}

static bool is_more(const struct votes *a, const struct votes *b)
{
    if (!a || !b) return a != NULL;
    if (a->fit != b->fit) return a->fit > b->fit;
    if (a->inner != b->inner) return a->inner > b->inner;
    return a->width > b->width;
}

/* Chooses what fits most weights; on a tie, what matches most sizes of the model, then the norms' width. */
bool logical_choose(struct unpacking *u)
{
    struct sizes sizes = { NULL, 0, 0 };
    struct votes *all = arena_alloc(u->arena, VOTES * sizeof *all);
    unsigned n = 0;
    if (!all) return error_nomem(u->error);
    if (!gather_sizes(u, &sizes)) return false;
    for (size_t i = 0; i < u->module_count; i++) {
        const struct solved *s = &u->solved[u->modules[i].solved];
        for (unsigned k = 0; k < s->count; k++) {
            struct votes *v = votes_of(all, &n, &s->options[k]);
            if (!v || v->last == i + 1) continue; /* the same with another padding */
            v->last = i + 1;
            v->fit++;
            v->inner += is_size(&sizes, s->options[k].in);
            v->width += s->options[k].in == (int64_t)sizes.width;
        }
    }
    for (size_t i = 0; i < u->solved_count; i++)
        for (unsigned k = 1; k < u->solved[i].count; k++) {
            struct solved *s = &u->solved[i];
            if (is_more(votes_of(all, &n, &s->options[k]), votes_of(all, &n, &s->options[s->chosen])))
                s->chosen = k;
        }
    memory_release(u->arena->memory, sizes.items);
    return true;
}
