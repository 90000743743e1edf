/*
 * layers.c -- layers, or experts, that only one checkpoint has.
 *
 *     stem     the part of a name before a number: "model.layers.", "model.layers.*.mlp.experts."
 *     place    a stem and one number after it
 *
 * Two stems are peers if they are the same or, across formats or names, if a link connects them. An unpaired
 * tensor is in an extra layer if its stem has a peer that lacks its number. If all layers are alike, names do
 * not show which were dropped before the rest was renumbered: of 32 layers against 28 the last four count as
 * extra, even if others were dropped. Layers that differ show more: renumber.c.
 */
#include "diff/diff.h"
#include "base/num.h"
#include "diff/name.h"

#include <stdlib.h>

enum { KINDS = 2 }; /* the first number of a name, and the second */

static const struct line_code *const causes[KINDS] = { &diff_codes[DIFF_LAYERS], &diff_codes[DIFF_EXPERTS] };

struct stem {
    numel_str key;    /* first: see names.h; one character for the kind, then the pattern */
    uint32_t peer[2]; /* the peer on that side; NAMES_ABSENT */
    bool lacks;       /* one side has an extra layer */
    const struct renumbered *renumbered; /* NULL: layers keep their numbers */
};

struct place {
    uint32_t stem;
    uint64_t number;
};

struct layering {
    struct diff *d;
    struct stem *stems;
    size_t count, cap;
    struct names names;
    struct buffer key;
    struct place *places[2][KINDS]; /* by tensor; stem NAMES_ABSENT: none */
    struct place *sorted[2];        /* of both kinds, without duplicates */
    size_t sorted_count[2];
};

/* ---- stems and places --------------------------------------------------------------------- */

NUMEL_MUST static bool stem_of(struct layering *g, numel_str name, unsigned kind, struct place *out)
{
    size_t n = g->count, start;
    out->stem = NAMES_ABSENT;
    if (!name_number_at(name, kind, &out->number, &start)) return true;
    g->key.n = 0;
    buffer_char(&g->key, (char)('0' + kind));
    name_pattern(&g->key, (numel_str){ name.p, start }, kind);
    if (g->key.failed) return error_nomem(g->d->error);
    out->stem =
        names_add(&g->names, &g->stems, &g->count, &g->cap, buffer_view(&g->key), g->d->arena, g->d->error);
    if (out->stem != n) return out->stem != NAMES_ABSENT;
    g->stems[n].peer[A] = g->stems[n].peer[B] = NAMES_ABSENT;
    if (kind == 0) g->stems[n].renumbered = diff_renumbered(g->d, name, &out->number, &start);
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->stem != y->stem) return x->stem < y->stem ? -1 : 1;
    return num_order(x->number, y->number);
}

NUMEL_MUST static bool find_places(struct layering *g, int side)
{
    const struct registry *r = g->d->side[side].r;
    size_t n = 0, kept = 0;
    struct place *all = arena_alloc(g->d->arena, (KINDS * r->count + 1) * sizeof *all);
    if (!all) return error_nomem(g->d->error);
    for (unsigned k = 0; k < KINDS; k++) {
        struct place *own = arena_alloc(g->d->arena, (r->count + 1) * sizeof *own);
        if (!own) return error_nomem(g->d->error);
        g->places[side][k] = own;
        for (size_t i = 0; i < r->count; i++) {
            if (!stem_of(g, r->tensors[i].name, k, &own[i])) return false;
            if (own[i].stem != NAMES_ABSENT) all[n++] = own[i];
        }
    }
    if (n) qsort(all, n, sizeof *all, by_place);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || by_place(&all[kept - 1], &all[i]) != 0) all[kept++] = all[i];
    g->sorted[side] = all;
    g->sorted_count[side] = kept;
    return true;
}

/* Is the layer also on the other side, where its stem is `peer`? */
static bool is_on_both(const struct layering *g, int side, uint32_t stem, uint32_t peer, uint64_t number)
{
    struct place wanted = { peer, number };
    uint64_t other;
    if (g->stems[stem].renumbered) return diff_other_number(g->stems[stem].renumbered, side, number, &other);
    return g->sorted_count[!side] &&
           bsearch(&wanted, g->sorted[!side], g->sorted_count[!side], sizeof wanted, by_place);
}

/* ---- peers -------------------------------------------------------------------------------- */

static void find_peers(struct layering *g)
{
    const struct diff *d = g->d;
    for (size_t i = 0; i < d->count; i++) {
        const struct link *l = &d->links[i];
        if (l->count[A] == 0 || l->count[B] == 0) continue;
        for (unsigned k = 0; k < KINDS; k++) {
            uint32_t a = g->places[A][k][d->side[A].members[l->first[A]]].stem;
            uint32_t b = g->places[B][k][d->side[B].members[l->first[B]]].stem;
            if (a == NAMES_ABSENT || b == NAMES_ABSENT) continue;
            if (g->stems[a].peer[B] == NAMES_ABSENT) g->stems[a].peer[B] = b;
            if (g->stems[b].peer[A] == NAMES_ABSENT) g->stems[b].peer[A] = a;
        }
    }
}

/* The same stem, another number. */
static bool is_moved(const struct layering *g, const struct link *l)
{
    struct place a = g->places[A][0][g->d->side[A].members[l->first[A]]];
    struct place b = g->places[B][0][g->d->side[B].members[l->first[B]]];
    return l->change == CHANGE_RENAMED && a.stem != NAMES_ABSENT && a.stem == b.stem && a.number != b.number;
}

/* Sets the cause of a renumbered link, or of an unpaired one in a layer that the other side lacks. */
static void judge(struct layering *g, struct link *l)
{
    int side = l->count[A] ? A : B;
    if (l->cause) return;
    if (l->count[A] && l->count[B]) {
        if (is_moved(g, l)) l->cause = &diff_codes[DIFF_RENUMBERED];
        return;
    }
    for (unsigned k = 0; k < KINDS; k++) {
        struct place at = g->places[side][k][g->d->side[side].members[l->first[side]]];
        uint32_t peer = at.stem == NAMES_ABSENT ? NAMES_ABSENT : g->stems[at.stem].peer[!side];
        if (peer == NAMES_ABSENT || is_on_both(g, side, at.stem, peer, at.number)) continue;
        l->cause = causes[k];
        g->stems[side == A ? at.stem : peer].lacks = true;
        return;
    }
}

/* ---- the report ------------------------------------------------------------------------------- */

static size_t first_place(const struct layering *g, int side, uint32_t stem)
{
    size_t low = 0, high = g->sorted_count[side];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->sorted[side][middle].stem < stem) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The numbers of a stem that its peer lacks, as text; *count: all numbers of the stem. */
NUMEL_MUST static const char *only_here(struct layering *g, int side, uint32_t stem, uint32_t peer,
                                        uint64_t *count)
{
    size_t from = first_place(g, side, stem), n = 0;
    struct buffer b;
    *count = 0;
    while (from + *count < g->sorted_count[side] && g->sorted[side][from + *count].stem == stem) ++*count;
    uint64_t *values = arena_alloc(g->d->arena, (*count + 1) * sizeof *values);
    if (!values) return NULL;
    for (size_t i = from; i < from + *count; i++)
        if (!is_on_both(g, side, stem, peer, g->sorted[side][i].number))
            values[n++] = g->sorted[side][i].number;
    buffer_init(&b, g->d->memory);
    name_ranges(&b, values, n);
    return buffer_keep(&b, g->d->arena);
}

NUMEL_MUST static const char *stem_name(const struct layering *g, const struct stem *s)
{
    struct buffer b;
    buffer_init(&b, g->d->memory);
    text_escape(&b, text_less(text_from(s->key, 1), 2)); /* the pattern ends with two dots */
    return buffer_keep(&b, g->d->arena);
}

NUMEL_MUST static bool list_layers(struct layering *g)
{
    struct diff *d = g->d;
    d->layers = arena_alloc(d->arena, (g->count + 1) * sizeof *d->layers);
    if (!d->layers) return error_nomem(d->error);
    for (uint32_t i = 0; i < g->count; i++) {
        const struct stem *s = &g->stems[i];
        if (!s->lacks && !s->renumbered) continue;
        struct diff_layers *l = &d->layers[d->layer_count++];
        l->kind = causes[s->key.p[0] - '0']->text;
        l->stem = stem_name(g, s);
        l->renumbered = s->renumbered != NULL;
        l->only[A] = only_here(g, A, i, s->peer[B], &l->count[A]);
        l->only[B] = only_here(g, B, s->peer[B], i, &l->count[B]);
        if (!l->stem || !l->only[A] || !l->only[B]) return error_nomem(d->error);
    }
    return true;
}

bool diff_find_layers(struct diff *d)
{
    struct layering g = { .d = d };
    bool alone = d->renumbered != NULL;
    for (size_t i = 0; i < d->count && !alone; i++)
        alone = !d->links[i].cause && (d->links[i].count[A] == 0 || d->links[i].count[B] == 0);
    if (!alone) return true;
    names_init(&g.names, d->memory, sizeof *g.stems);
    buffer_init(&g.key, d->memory);
    bool ok = find_places(&g, A) && find_places(&g, B);
    if (ok) find_peers(&g);
    for (size_t i = 0; ok && i < d->count; i++) judge(&g, &d->links[i]);
    ok = ok && list_layers(&g);
    memory_release(d->memory, g.stems);
    names_done(&g.names);
    buffer_done(&g.key);
    return ok;
}
