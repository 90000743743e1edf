/*
 * packed_several.c -- weights whose tensors several solutions make exactly: 4 bits in groups of 64, or 8 in
 * groups of 32.
 *
 * A form that won fits without a fault; here the others of its size are asked whether they do as well, with as
 * many of the file's tensors. Two forms say the same when bits and group size are the same: one group a row is one
 * group, whatever it could hold. What most weights share decides; where nothing does, all solutions are kept to be
 * said, and the weights rest on their names alone: how many they are is known, how they are stored is not.
 */
#include "model/packed_internal.h"

/* What a person would call another way to store it. */
struct meaning_of_form {
    int64_t bits, group;
};

static struct meaning_of_form meaning_of(const struct layout_form *f, int64_t in)
{
    return (struct meaning_of_form){ f->bits, f->group > in ? in : f->group };
}

static bool says_same(const struct layout_form *a, const struct layout_form *b, int64_t in)
{
    struct meaning_of_form x = meaning_of(a, in), y = meaning_of(b, in);
    return x.bits == y.bits && x.group == y.group;
}

/* ---- the others that fit ---------------------------------------------------------------------- */

/* Without a fault, with all tensors that the winner has, and no check against it. */
static bool fits_too(struct work *w, const struct layout_form *f, uint32_t row, unsigned claims)
{
    uint32_t found[LAYOUT_LINES];
    struct score score = packed_score(w, f, row, 0, found);
    return score.cost == 0 && score.claims == claims;
}

static unsigned claims_of(const struct packed_row *r)
{
    unsigned n = 0;
    for (unsigned i = 0; i < r->form->count; i++)
        n += (r->there >> i & 1) && r->form->stored[i].role != LAYOUT_BIAS;
    return n;
}

NUMEL_MUST static bool keep_other(struct work *w, struct sized *s, const struct layout_form *f)
{
    for (unsigned i = 0; i < s->other_count; i++)
        if (says_same(s->others[i], f, s->in)) return true;
    if (s->other_count == PACKED_SEVERAL) return true;
    if (!s->others && !(s->others = arena_alloc(w->arena, PACKED_SEVERAL * sizeof *s->others)))
        return error_nomem(w->error);
    s->others[s->other_count++] = f;
    return true;
}

/* Of the like rows the first is asked. */
static bool find_others(struct work *w, uint32_t row, struct sized *s)
{
    const struct layout_form *own = w->p->rows[row].form;
    unsigned claims = claims_of(&w->p->rows[row]);
    if (s->others_of == own) return true;
    s->others_of = own;
    s->other_count = 0;
    for (size_t i = 0; i < s->forms.count; i++) {
        const struct layout_form *f = &s->forms.items[i];
        if (f == own || says_same(f, own, s->in) || !fits_too(w, f, row, claims)) continue;
        if (!keep_other(w, s, f)) return false;
    }
    return true;
}

/* ---- votes ------------------------------------------------------------------------------------ */

static struct packed_solution *solution_of(struct work *w, const struct layout_form *f, int64_t in)
{
    struct packed *p = w->p;
    struct meaning_of_form m = meaning_of(f, in);
    bool whole = f->group && m.group == in; /* one group a row */
    for (unsigned i = 0; i < p->solution_count; i++)
        if (p->solutions[i].form->layout == f->layout && p->solutions[i].bits == m.bits &&
            (p->solutions[i].group == m.group || (whole && p->solutions[i].whole)))
            return &p->solutions[i];
    if (p->solution_count == PACKED_SEVERAL) return NULL;
    p->solutions[p->solution_count] = (struct packed_solution){ f, m.bits, m.group, whole, 0, false };
    return &p->solutions[p->solution_count++];
}

static void vote(struct work *w, const struct layout_form *f, int64_t in)
{
    struct packed_solution *s = solution_of(w, f, in);
    if (s) s->weights++;
}

static uint64_t votes_of(struct work *w, const struct layout_form *f, int64_t in)
{
    const struct packed_solution *s = solution_of(w, f, in);
    return s ? s->weights : 0;
}

static bool each_row(struct work *w, bool (*what)(struct work *w, uint32_t row, struct sized *s))
{
    for (uint32_t r = 0; r < w->x->row_count; r++) {
        const struct packed_row *p = &w->p->rows[r];
        if (p->form && p->whole && !what(w, r, &w->p->sized[p->sized])) return false;
    }
    return true;
}

static bool count_votes(struct work *w, uint32_t row, struct sized *s)
{
    if (!find_others(w, row, s)) return false;
    vote(w, w->p->rows[row].form, s->in);
    for (unsigned i = 0; i < s->other_count; i++) vote(w, s->others[i], s->in);
    return true;
}

static void doubt(struct work *w, const struct layout_form *f, int64_t in)
{
    struct packed_solution *s = solution_of(w, f, in);
    if (s) s->open = true;
}

/* The row is open when another solution has as many votes as the best of its own. */
static bool decide(struct work *w, uint32_t row, struct sized *s)
{
    const struct layout_form *best = w->p->rows[row].form;
    if (best->layout->opaque) return w->p->rows[row].open = true, w->p->open++, true;
    if (!find_others(w, row, s)) return false;
    uint64_t most = votes_of(w, best, s->in);
    for (unsigned i = 0; i < s->other_count; i++)
        if (votes_of(w, s->others[i], s->in) > most) best = s->others[i], most = votes_of(w, best, s->in);
    unsigned equal = votes_of(w, w->p->rows[row].form, s->in) == most;
    for (unsigned i = 0; i < s->other_count; i++) equal += votes_of(w, s->others[i], s->in) == most;
    if (equal < 2) return true;
    w->p->rows[row].open = true;
    w->p->open++;
    if (votes_of(w, w->p->rows[row].form, s->in) == most) doubt(w, w->p->rows[row].form, s->in);
    for (unsigned i = 0; i < s->other_count; i++)
        if (votes_of(w, s->others[i], s->in) == most) doubt(w, s->others[i], s->in);
    return true;
}

bool packed_find_several(struct work *w) { return each_row(w, count_votes) && each_row(w, decide); }
