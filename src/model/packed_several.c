/*
 * packed_several.c -- weights whose tensors fit several solutions exactly: 4 bits in groups of 64, or 8 in
 * groups of 32.
 *
 * The winning form fits without faults. Here the other forms of its size with the same number of tensors are
 * checked as well. Two forms are equivalent if bits and group size agree; one group per row is one group,
 * whatever the row's length. The solution that fits most weights decides. On a tie, all are kept for the
 * report, and the weights have only ground `name`: their number is known, but not how they are stored.
 */
#include "model/packed_internal.h"

/* The values that distinguish ways of storage for people. */
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

/* True if the form fits without faults and with as many tensors as the winner. */
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

/* Checks only the first of similar rows. */
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
    bool whole = f->group && m.group == in; /* one group per row */
    for (unsigned i = 0; i < p->solution_count; i++)
        if (p->solutions[i].form->layout == f->layout && p->solutions[i].bits == m.bits &&
            (p->solutions[i].group == m.group || (whole && p->solutions[i].whole)))
            return &p->solutions[i];
    if (p->solution_count == PACKED_SEVERAL) return NULL;
    p->solutions[p->solution_count] = (struct packed_solution){ f, m.bits, m.group, whole, 0, false };
    return &p->solutions[p->solution_count++];
}

static void vote(struct work *w, const struct layout_form *f, int64_t in, uint32_t weights)
{
    struct packed_solution *s = solution_of(w, f, in);
    if (s) s->weights += weights;
}

static uint64_t votes_of(struct work *w, const struct layout_form *f, int64_t in)
{
    const struct packed_solution *s = solution_of(w, f, in);
    return s ? s->weights : 0;
}

/* Calls `what` for the first of consecutive rows with the same form and size. */
static bool each_run(struct work *w,
                     bool (*what)(struct work *w, uint32_t row, uint32_t rows, struct sized *s))
{
    for (uint32_t r = 0, n; r < w->x->row_count; r += n) {
        const struct packed_row *p = &w->p->rows[r];
        n = 1;
        if (!p->form || !p->whole) continue;
        while (r + n < w->x->row_count && p[n].form == p->form && p[n].sized == p->sized && p[n].whole) n++;
        if (!what(w, r, n, &w->p->sized[p->sized])) return false;
    }
    return true;
}

static bool count_votes(struct work *w, uint32_t row, uint32_t rows, struct sized *s)
{
    if (!find_others(w, row, s)) return false;
    vote(w, w->p->rows[row].form, s->in, rows);
    for (unsigned i = 0; i < s->other_count; i++) vote(w, s->others[i], s->in, rows);
    return true;
}

static void doubt(struct work *w, const struct layout_form *f, int64_t in)
{
    struct packed_solution *s = solution_of(w, f, in);
    if (s) s->open = true;
}

static void open_rows(struct work *w, uint32_t row, uint32_t rows)
{
    for (uint32_t i = 0; i < rows; i++) w->p->rows[row + i].open = true;
    w->p->open += rows;
}

/* Rows are open if another solution has as many votes as the best one. */
static bool decide(struct work *w, uint32_t row, uint32_t rows, struct sized *s)
{
    const struct layout_form *best = w->p->rows[row].form;
    if (best->layout->opaque) return open_rows(w, row, rows), true;
    if (!find_others(w, row, s)) return false;
    uint64_t most = votes_of(w, best, s->in);
    for (unsigned i = 0; i < s->other_count; i++)
        if (votes_of(w, s->others[i], s->in) > most) best = s->others[i], most = votes_of(w, best, s->in);
    unsigned equal = votes_of(w, w->p->rows[row].form, s->in) == most;
    for (unsigned i = 0; i < s->other_count; i++) equal += votes_of(w, s->others[i], s->in) == most;
    if (equal < 2) return true;
    open_rows(w, row, rows);
    if (votes_of(w, w->p->rows[row].form, s->in) == most) doubt(w, w->p->rows[row].form, s->in);
    for (unsigned i = 0; i < s->other_count; i++)
        if (votes_of(w, s->others[i], s->in) == most) doubt(w, s->others[i], s->in);
    return true;
}

bool packed_find_several(struct work *w) { return each_run(w, count_votes) && each_run(w, decide); }
