/*
 * expand_fold.c -- walks like iterations of a loop once, to sum up any number of them.
 *
 * Iterations are walked in rounds. A round is as long as the loop's period (alike.h) and then stands for all
 * rounds up to the next change; a round that is cut short stands for itself. Then each of its iterations is
 * compared with earlier ones of the loop. If one of them made the same sites, it stands for this one too: the
 * new sites are dropped, and if nothing new is left of the round, its memory is freed. So memory grows with
 * the number of different layers, in any order, not with the number of layers.
 */
#include "formula/expand_internal.h"

#include "base/hash.h"
#include "base/num.h"

enum { KNOWN = 256 }; /* different iterations of a loop that later ones are compared with */

struct made { /* by an iteration */
    struct turn *turn;
    size_t site, count;
    size_t cache, caches;
    uint64_t hash;
};

struct level { /* a loop being walked */
    struct made round[ALIKE_PERIOD], known[KNOWN];
    size_t known_count;
    /* where the round began */
    struct arena_mark mark;
    size_t groups, sized, factors;
};

struct fold {
    struct alike alike;
    struct level *levels[SPEC_DEPTH];
    uint64_t turns;
};

static struct expanding *own(const struct spec_walk *w) { return w->ctx; }

bool fold_init(struct expanding *a, numel_error *e)
{
    struct expansion *x = a->x;
    struct fold *f = memory_resize(x->arena.memory, NULL, sizeof *f);
    if (!f) return error_nomem(e);
    *f = (struct fold){ .turns = 0 };
    a->fold = f;
    x->env.alike = &f->alike;
    return alike_init(&f->alike, x->spec, &x->arena, e);
}

void fold_done(struct expanding *a)
{
    const numel_allocator *m = a->x->arena.memory;
    for (int i = 0; a->fold && i < SPEC_DEPTH; i++) memory_release(m, a->fold->levels[i]);
    memory_release(m, a->fold);
    a->fold = NULL;
}

static struct level *level_of(const struct fold *f) { return f->levels[f->alike.depth - 1]; }
static struct alike_loop *loop_of(struct fold *f) { return &f->alike.loops[f->alike.depth - 1]; }
static int64_t walked(const struct alike_loop *l) { return l->at - l->start + 1; }

/* ---- sites ------------------------------------------------------------------------------------ */

uint64_t site_turns(const struct site *s)
{
    uint64_t n = 1;
    for (const struct turn *t = s->turn; t; t = t->outer)
        if (!num_mul(&n, n, t->times)) return UINT64_MAX;
    return n;
}

static uint64_t hash_sites(const struct expansion *x, size_t from, size_t n)
{
    uint64_t hash = HASH_BEGIN;
    for (size_t i = from; i < from + n; i++) {
        const struct site *s = &x->sites[i];
        hash = hash_number(hash_number(hash, s->line), s->part);
        hash = hash_number(hash_number(hash, s->elements), s->rows);
    }
    return hash;
}

/* True if the loops inside these iterations, from the innermost out, run equally often. */
static bool same_inside(const struct turn *a, const struct turn *b, const struct turn *to_a)
{
    for (; a != to_a; a = a->outer, b = b->outer)
        if (!b || a->loop->line != b->loop->line || a->times != b->times) return false;
    return true;
}

static bool same_poly(struct poly a, struct poly b) { return a.lost ? b.lost : poly_same(a, b); }

static bool same_site(const struct site *a, const struct site *b)
{
    bool same = a->line == b->line && a->part == b->part && a->elements == b->elements &&
                a->rows == b->rows && a->stack == b->stack && a->ndim == b->ndim &&
                a->alternative == b->alternative && a->evidence == b->evidence && a->counted == b->counted &&
                a->tied == b->tied && a->optional == b->optional && a->offered == b->offered &&
                text_same(a->extra, b->extra) && (a->group == NO_GROUP) == (b->group == NO_GROUP);
    for (uint32_t i = 0; same && i < a->ndim; i++) same = a->dims[i] == b->dims[i];
    return same && same_poly(a->each, b->each) && same_poly(a->times, b->times);
}

static bool same_cache(const struct cache_site *a, const struct cache_site *b)
{
    return a->window == b->window && a->every == b->every && a->rest == b->rest && a->width == b->width &&
           same_site(&a->site, &b->site);
}

static bool same_made(const struct expansion *x, const struct made *a, const struct made *b)
{
    bool same = a->hash == b->hash && a->count == b->count && a->caches == b->caches;
    for (size_t i = 0; same && i < a->caches; i++) {
        const struct cache_site *s = &x->caches[a->cache + i], *t = &x->caches[b->cache + i];
        same = same_cache(s, t) && same_inside(s->site.turn, t->site.turn, a->turn);
    }
    for (size_t i = 0; same && i < a->count; i++) {
        const struct site *s = &x->sites[a->site + i], *t = &x->sites[b->site + i];
        same = same_site(s, t) && same_inside(s->turn, t->turn, a->turn);
    }
    return same;
}

/* ---- rounds ----------------------------------------------------------------------------------- */

static void start_round(struct spec_walk *w, int64_t i, int64_t to)
{
    struct fold *f = own(w)->fold;
    const struct expansion *x = own(w)->x;
    struct level *v = level_of(f);
    alike_start(&f->alike, i, to);
    v->mark = arena_mark(&x->arena);
    v->groups = x->group_count;
    v->sized = x->sized_count;
    v->factors = x->factors.count;
}

/* Frees everything that the round made. */
static void give_back(struct expansion *x, const struct level *v)
{
    while (x->sized_count > v->sized) x->sizes[x->sized[--x->sized_count]].known = false;
    x->factors.count = v->factors;
    x->group_count = v->groups;
    arena_rewind(&x->arena, v->mark);
}

static struct made *find_known(const struct expansion *x, struct level *v, const struct made *m)
{
    for (size_t i = 0; i < v->known_count; i++)
        if (same_made(x, &v->known[i], m)) return &v->known[i];
    return NULL;
}

/* Keeps what an iteration of the round made, moved to the end of what is kept. */
static void keep_made(struct expansion *x, struct level *v, struct made *m, size_t to, size_t to_cache)
{
    for (size_t i = 0; i < m->count && to != m->site; i++) {
        x->sites[to + i] = x->sites[m->site + i];
        x->rows[to + i] = x->rows[m->site + i];
        x->sites[to + i].first_row = x->rows[to + i].site = (uint32_t)(to + i);
    }
    for (size_t i = 0; i < m->caches && to_cache != m->cache; i++)
        x->caches[to_cache + i] = x->caches[m->cache + i];
    m->site = to;
    m->cache = to_cache;
    if (v->known_count < KNOWN) v->known[v->known_count++] = *m;
}

/* Sets how much each iteration of the round made, and how many it stands for. */
static void measure_round(const struct expansion *x, struct level *v, size_t turns, uint64_t times)
{
    for (size_t k = 0; k < turns; k++) {
        struct made *m = &v->round[k];
        m->count = (k + 1 < turns ? v->round[k + 1].site : x->site_count) - m->site;
        m->caches = (k + 1 < turns ? v->round[k + 1].cache : x->cache_count) - m->cache;
        m->hash = hash_sites(x, m->site, m->count);
        m->turn->times = times;
        m->turn->last += (int64_t)((times - 1) * turns);
    }
}

/* Ends the round; it stands for `times` rounds like it. */
static void close_round(struct expansion *x, struct level *v, size_t turns, uint64_t times)
{
    size_t to = v->round[0].site, to_cache = v->round[0].cache;
    bool any = false;
    measure_round(x, v, turns, times);
    for (size_t k = 0; k < turns; k++) {
        struct made *m = &v->round[k], *known = x->ranged ? NULL : find_known(x, v, m);
        if (!m->count && !m->caches) continue;
        if (known) {
            known->turn->times += times;
            known->turn->last = m->turn->last;
            continue;
        }
        any = true;
        keep_made(x, v, m, to, to_cache);
        to += m->count;
        to_cache += m->caches;
    }
    x->site_count = x->row_count = to;
    x->cache_count = to_cache;
    if (!any) give_back(x, v);
}

/* ---- iterations ------------------------------------------------------------------------------- */

NUMEL_MUST static bool enter(struct spec_walk *w)
{
    struct fold *f = own(w)->fold;
    struct level **v = &f->levels[f->alike.depth];
    if (!*v && !(*v = memory_resize(own(w)->x->arena.memory, NULL, sizeof **v)))
        return error_nomem(w->env->error);
    (*v)->known_count = 0;
    alike_enter(&f->alike, walk_at(w), w->line->close);
    return true;
}

bool fold_begin(struct spec_walk *w, int64_t i, int64_t to)
{
    struct fold *f = own(w)->fold;
    const struct expansion *x = own(w)->x;
    bool first = i == w->at.loop->from;
    if (first && !enter(w)) return false;
    if (first) start_round(w, i, to);
    if (++f->turns > x->turns)
        return eval_fail(w->env, w->line->expr[1], NUMEL_E_LIMIT,
                         "the largest loop or stack is to %s: more than %" PRIu64
                         " turns of loops are unlike each other",
                         x->most_of, x->turns);
    return x->site_count + x->cache_count <= EXPAND_SITES ||
           eval_fail(w->env, w->line->expr[1], NUMEL_E_LIMIT,
                     "the largest loop or stack is to %s: more than %d tensors are unlike each other",
                     x->most_of, EXPAND_SITES);
}

void fold_turn(struct spec_walk *w, struct turn *turn, struct value *number)
{
    struct fold *f = own(w)->fold;
    struct alike_loop *l = loop_of(f);
    alike_turn(&f->alike, turn->at, number);
    level_of(f)->round[turn->at - l->start] =
        (struct made){ .turn = turn, .site = own(w)->x->site_count, .cache = own(w)->x->cache_count };
}

void fold_end(struct spec_walk *w, int64_t i, int64_t to, int64_t *next)
{
    struct fold *f = own(w)->fold;
    struct alike_loop *l = loop_of(f);
    int64_t n = walked(l), times = 1;
    if (n < l->period && i + 1 < l->until) return; /* the round continues */
    if (n == l->period) times = (l->until - l->start) / n;
    if (times < 1) times = 1;
    close_round(own(w)->x, level_of(f), (size_t)n, (uint64_t)times);
    *next = l->start + n * times;
    alike_advance(w->env, *next - 1 - i);
    if (*next < to) start_round(w, *next, to);
    else alike_leave(w->env);
}
