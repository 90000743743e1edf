/*
 * renumber.c -- layers with different numbers in the two checkpoints.
 *
 *     a   0 dense, 1 dense, 2 dense, 3 experts, 4 experts     b   0 dense, 1 experts, 2 experts
 *     b 0 is a 0, 1 or 2, names do not show which; a 3 is b 1, a 4 is b 2
 *
 * If layers were dropped and the rest renumbered, equal numbers mean different layers. So the layers of
 * both sides, in order, are compared by their contents (names after the number, and shapes): if a
 * longest common subsequence leaves fewer layers unpaired than equal numbers do, it pairs them. If all
 * layers are alike none moves, unless numbers have gaps: 0, 1, 4, 5 against 0, 1, 2, 3.
 */
#include "diff/diff.h"
#include "diff/name.h"

enum { MOST = 1024 }; /* aligned layers of a stem: the table has a cell for each pair */

struct layer {
    numel_str stem; /* "model.layers." */
    uint64_t number;
    uint32_t kind; /* layers of one kind have the same contents */
};

struct listing {
    struct diff *d;
    numel_str *kinds; /* their contents */
    size_t kind_count, kind_cap;
    struct names names;
    struct buffer key; /* of the layer being read */
    struct layer *layers[2];
    size_t count[2], cap[2];
};

/* ---- layers and their kinds --------------------------------------------------------------- */

NUMEL_MUST static bool add_layer(struct listing *g, int side, numel_str stem, uint64_t number)
{
    numel_error *e = g->d->error;
    if (g->key.failed) return error_nomem(e);
    if (!memory_grow(g->d->memory, &g->layers[side], &g->cap[side], g->count[side] + 1, sizeof **g->layers,
                     e))
        return false;
    uint32_t kind =
        names_add(&g->names, &g->kinds, &g->kind_count, &g->kind_cap, buffer_view(&g->key), g->d->arena, e);
    if (kind == NAMES_ABSENT) return false;
    g->layers[side][g->count[side]++] = (struct layer){ stem, number, kind };
    return true;
}

static void describe(struct listing *g, const numel_tensor *t, size_t rest)
{
    buffer_str(&g->key, text_from(t->name, rest));
    buffer_char(&g->key, '\0');
    buffer_add(&g->key, &t->ndim, sizeof t->ndim);
    buffer_add(&g->key, t->dims, t->ndim * sizeof *t->dims);
}

/* Sorted by name, the tensors of a layer are adjacent, and the layers in numeric order. */
NUMEL_MUST static bool list_layers(struct listing *g, int side, const uint32_t *order)
{
    const struct registry *r = g->d->side[side].r;
    numel_str stem = { NULL, 0 };
    uint64_t number = 0, v;
    size_t start;
    for (size_t i = 0; i < r->count; i++) {
        const numel_tensor *t = &r->tensors[order[i]];
        if (!name_number_at(t->name, 0, &v, &start)) continue;
        numel_str own = { t->name.p, start };
        if (!stem.p || v != number || !text_same(own, stem)) {
            if (stem.p && !add_layer(g, side, stem, number)) return false;
            g->key.n = 0;
            stem = own;
            number = v;
        }
        describe(g, t, text_find(t->name, start, '.'));
    }
    return !stem.p || add_layer(g, side, stem, number);
}

/* ---- alignment ---------------------------------------------------------------------------- */

struct run {        /* the layers of one stem */
    numel_str stem; /* first: see names.h */
    const struct layer *at;
    size_t n;
};

/* The number of layers with the same number and kind, which equal names pair. */
static size_t same_numbers(struct run a, struct run b)
{
    size_t same = 0, j = 0;
    for (size_t i = 0; i < a.n; i++) {
        while (j < b.n && b.at[j].number < a.at[i].number) j++;
        same += j < b.n && b.at[j].number == a.at[i].number && b.at[j].kind == a.at[i].kind;
    }
    return same;
}

/* table[i * (b.n + 1) + j]: the longest common subsequence from i and j on. */
static void fill(uint16_t *table, struct run a, struct run b)
{
    size_t width = b.n + 1;
    for (size_t i = a.n + 1; i-- > 0;)
        for (size_t j = width; j-- > 0;) {
            uint16_t *cell = &table[i * width + j];
            if (i == a.n || j == b.n) {
                *cell = 0;
            } else if (a.at[i].kind == b.at[j].kind) {
                *cell = (uint16_t)(cell[width + 1] + 1);
            } else {
                *cell = cell[width] > cell[1] ? cell[width] : cell[1];
            }
        }
}

NUMEL_MUST static bool align(struct listing *g, struct run a, struct run b)
{
    struct diff *d = g->d;
    size_t width = b.n + 1;
    if (a.n > MOST || b.n > MOST) return true;
    uint16_t *table = memory_resize(d->memory, NULL, (a.n + 1) * width * sizeof *table);
    struct renumbered *r = arena_alloc(d->arena, sizeof *r);
    uint64_t(*pairs)[2] = arena_alloc(d->arena, (a.n + 1) * sizeof *pairs);
    bool ok = table && r && pairs;
    if (ok) {
        fill(table, a, b);
        *r = (struct renumbered){ .stem = a.at[0].stem, .pairs = pairs, .next = d->renumbered };
        for (size_t i = 0, j = 0; i < a.n && j < b.n;) {
            if (a.at[i].kind == b.at[j].kind) {
                pairs[r->count][A] = a.at[i++].number;
                pairs[r->count++][B] = b.at[j++].number;
            } else if (table[(i + 1) * width + j] >= table[i * width + j + 1]) {
                i++;
            } else {
                j++;
            }
        }
        if (r->count > same_numbers(a, b)) d->renumbered = r;
    }
    memory_release(d->memory, table);
    return ok || error_nomem(d->error);
}

/* The layers of a side by stem. Sorted by name, those of one stem are adjacent. */
NUMEL_MUST static bool list_runs(struct listing *g, int side, struct run **runs, size_t *count)
{
    struct run *r = arena_alloc(g->d->arena, (g->count[side] + 1) * sizeof *r);
    size_t n = 0;
    if (!r) return error_nomem(g->d->error);
    for (size_t i = 0; i < g->count[side]; i++) {
        const struct layer *l = &g->layers[side][i];
        if (n && text_same(r[n - 1].stem, l->stem)) r[n - 1].n++;
        else r[n++] = (struct run){ l->stem, l, 1 };
    }
    *runs = r;
    *count = n;
    return true;
}

static bool align_all(struct listing *g)
{
    struct run *a, *b;
    size_t m, n;
    struct names names;
    if (!list_runs(g, A, &a, &m) || !list_runs(g, B, &b, &n)) return false;
    names_init(&names, g->d->memory, sizeof *b);
    bool ok = names_reserve(&names, n, g->d->error);
    for (size_t j = 0; ok && j < n; j++) names_enter(&names, b, j);
    for (size_t i = 0; ok && i < m; i++) {
        uint32_t j = names_find(&names, b, a[i].stem);
        ok = j == NAMES_ABSENT || align(g, a[i], b[j]);
    }
    names_done(&names);
    return ok;
}

/* ---- all ---------------------------------------------------------------------------------- */

bool diff_find_renumbered(struct diff *d)
{
    struct listing g = { .d = d };
    bool ok = true;
    names_init(&g.names, d->memory, sizeof *g.kinds);
    buffer_init(&g.key, d->memory);
    for (int w = A; ok && w <= B; w++) {
        uint32_t *order = NULL;
        ok = registry_order(d->side[w].r, NUMEL_SORT_NAME, &order, d->error) && list_layers(&g, w, order);
        memory_release(d->memory, order);
    }
    ok = ok && align_all(&g);
    for (int w = A; w <= B; w++) memory_release(d->memory, g.layers[w]);
    memory_release(d->memory, g.kinds);
    names_done(&g.names);
    buffer_done(&g.key);
    return ok;
}

const struct renumbered *diff_renumbered(const struct diff *d, numel_str name, uint64_t *number,
                                         size_t *start)
{
    if (!d->renumbered || !name_number_at(name, 0, number, start)) return NULL;
    for (const struct renumbered *r = d->renumbered; r; r = r->next)
        if (text_same(r->stem, (numel_str){ name.p, *start })) return r;
    return NULL;
}

bool diff_other_number(const struct renumbered *r, int side, uint64_t number, uint64_t *other)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->pairs[i][side] == number) {
            *other = r->pairs[i][!side];
            return true;
        }
    return false;
}
