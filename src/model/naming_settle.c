/*
 * naming_settle.c -- settles on one way for the front of all names. A writer gives the whole model the same
 * prefix, so the way in which most names of a front are found is used for the rest; see naming_internal.h.
 */
#include "model/naming_internal.h"

#include <limits.h>

/* ---- fronts --------------------------------------------------------------------------------- */

static bool starts(numel_str name, numel_str front)
{
    return name.n >= front.n && memcmp(name.p, front.p, front.n) == 0;
}

/* The longest front that the name starts with, or NULL. */
static struct front *front_of(struct naming *n, numel_str name)
{
    struct front *best = NULL;
    for (size_t i = 0; i < n->front_count; i++)
        if (starts(name, n->fronts[i].start) && (!best || n->fronts[i].start.n > best->start.n))
            best = &n->fronts[i];
    return best;
}

/* True if this way should be tried; all are until one is settled. */
bool naming_goes(struct naming *n, numel_str name, unsigned way)
{
    if (!n->settled || n->longer) return !n->settled || way == n->longer;
    if (way == WAY_INSIDE) return true; /* does not depend on the front */
    if (way >= WAY_LONGER && way < WAY_SPELLED) return false;
    const struct front *f = front_of(n, name);
    return !f || !f->way_count || way == f->way;
}

/* ---- one way for all ---------------------------------------------------------------------- */

/* Adds the fronts that spellings change. */
NUMEL_MUST static bool collect_fronts(struct naming *n, numel_error *e)
{
    size_t spellings = n->spec ? n->spec->spelling_count : 0;
    n->front_room = spellings + 16;
    n->fronts = arena_alloc(n->arena, n->front_room * sizeof *n->fronts);
    if (!n->fronts) return error_nomem(e);
    for (size_t i = 0; i < spellings; i++) {
        numel_str start = spec_spelling_front(n->spec, i);
        const struct front *f = front_of(n, start);
        if (!start.n || (f && f->start.n == start.n)) continue;
        n->fronts[n->front_count++] = (struct front){ .start = start };
    }
    return true;
}

/* Adds a front: a first part that names may lack. */
static struct front *add_front(struct naming *n, numel_str name)
{
    const char *dot = memchr(name.p, '.', name.n);
    if (!dot || n->front_count == n->front_room) return NULL;
    numel_str part = text_span(name.p, dot);
    if (naming_prefix(n, part) == PREFIX_NONE) return NULL;
    struct front *f = &n->fronts[n->front_count++];
    *f = (struct front){ .start = { name.p, part.n + 1 } };
    return f;
}

/* Counts `names` similar names found in that way. */
static void count_way(struct naming *n, numel_str name, unsigned way, uint32_t names)
{
    struct front *f = front_of(n, name);
    unsigned i = 0;
    if (!f) f = add_front(n, name);
    while (f && i < f->way_count && f->ways[i].way != way) i++;
    if (!f || i == FRONT_WAYS) return;
    if (i == f->way_count) f->ways[f->way_count++].way = way;
    f->ways[i].names += names;
}

static void choose_ways(struct naming *n, const uint32_t longer[PREFIXES], uint32_t others)
{
    for (unsigned i = 0; i < PREFIXES; i++)
        if (longer[i] > others) others = longer[i], n->longer = WAY_LONGER + i;
    for (size_t i = 0; i < n->front_count; i++) {
        struct front *f = &n->fronts[i];
        unsigned best = 0;
        for (unsigned k = 1; k < f->way_count; k++)
            if (f->ways[k].names > f->ways[best].names) best = k;
        if (f->way_count) f->way = f->ways[best].way;
    }
    n->settled = true;
}

bool naming_members(struct naming *n, numel_error *e)
{
    return n->members.registry || members_make(&n->members, n->registry, n->arena, e);
}

struct settling {
    const struct expansion *x;
    uint32_t *tensor, *ways; /* by row */
    uint32_t longer[PREFIXES], others;
};

static void count_row(struct naming *n, struct settling *s, uint32_t row, unsigned way)
{
    bool behind = way >= WAY_LONGER && way < WAY_SPELLED;
    s->ways[row] = way;
    ++*(behind ? &s->longer[way - WAY_LONGER] : &s->others);
    if (!behind && way != WAY_INSIDE) count_way(n, s->x->rows[row].name, way, 1);
}

/* Looks up the rows of a site. In a stack, unchanged names are found by number. */
static void look_up(struct naming *n, struct settling *s, const struct site *site)
{
    struct members_run run;
    uint32_t to = site->first_row + site->rows, same = 0;
    const struct row *first = &s->x->rows[site->first_row];
    bool counts = site->counts && members_run(&n->members, first[0].name, first[1].name, 0, &run);
    for (uint32_t r = site->first_row; r < to; r++) {
        unsigned way;
        s->ways[r] = WAY_SAME;
        s->tensor[r] = counts ? members_at(&n->members, &run, s->x->rows[r].index) : NAMES_ABSENT;
        if (s->tensor[r] != NAMES_ABSENT) same++;
        else if ((s->tensor[r] = naming_find_way(n, s->x->rows[r].name, &way)) != NAMES_ABSENT)
            count_row(n, s, r, way);
    }
    s->others += same;
    if (same) count_way(n, first->name, WAY_SAME, same);
}

/* Looks up names again that were found in a way that was not settled. The rows of a stack begin alike. */
static void look_again(struct naming *n, struct settling *s, const struct site *site)
{
    unsigned known = UINT_MAX; /* a way known to be allowed */
    for (uint32_t r = site->first_row; r < site->first_row + site->rows; r++) {
        if (s->tensor[r] == NAMES_ABSENT || (site->counts && s->ways[r] == known)) continue;
        if (naming_goes(n, s->x->rows[r].name, s->ways[r])) known = s->ways[r];
        else s->tensor[r] = naming_find(n, s->x->rows[r].name);
    }
}

bool naming_settle(struct naming *n, const struct expansion *x, uint32_t *tensor, numel_error *e)
{
    struct settling s = { .x = x, .tensor = tensor };
    n->settled = false;
    n->longer = 0;
    n->front_count = 0;
    if (!collect_fronts(n, e) || !naming_members(n, e)) return false;
    if (!(s.ways = arena_alloc(n->arena, (x->row_count + 1) * sizeof *s.ways))) return error_nomem(e);
    for (size_t i = 0; i < x->site_count; i++) look_up(n, &s, &x->sites[i]);
    if (!n->loose) return naming_complete(n, e);
    choose_ways(n, s.longer, s.others);
    for (size_t i = 0; i < x->site_count; i++) look_again(n, &s, &x->sites[i]);
    return naming_complete(n, e);
}
