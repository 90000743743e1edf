/*
 * packed_size.c -- finds the size that a weight's tensors represent if they are not as expected.
 *
 * Solving takes milliseconds (formula/layout_invert.c), and with a wrong configuration every module of a file
 * is affected. The result depends on the tensors that the layout asked for, their types and dims, and on the
 * expected sizes. These are kept, so a module with the same answers is not solved again. If all modules
 * differ, only the first thousand are solved; the others count as stored.
 */
#include "model/packed_internal.h"

enum { ASKED = 32, SOLVED = 32, SOLVED_MOST = 1000 };

struct answer { /* to one question about a tensor */
    numel_str marked;
    const numel_tensor *is; /* NULL if missing */
};

struct solved { /* the answers about a module, and the result */
    const struct layout_form *form;
    struct layout_module module;
    struct answer answers[ASKED];
    unsigned count;
    bool whole; /* all answers fit into `answers` */
    int64_t out, in;
};

struct packed_sizes {
    struct solved items[SOLVED]; /* the latest */
    size_t made;
};

struct looking {
    struct work *w;
    uint32_t row;
    struct solved *notes;
};

/* NULL if missing, or if another row has claimed it. */
static const numel_tensor *look(const struct work *w, uint32_t row, numel_str marked)
{
    char text[LAYOUT_NAME];
    numel_str name;
    if (!layout_name(marked, w->x->rows[row].name, text, &name)) return NULL;
    uint32_t t = w->file->find(w->file->ctx, name);
    if (t == NAMES_ABSENT || (w->p->tensors[t].row != NAMES_ABSENT && w->p->tensors[t].row != row))
        return NULL;
    return &w->file->registry->tensors[t];
}

static void note(struct looking *l, numel_str marked, const numel_tensor *t)
{
    struct solved *n = l->notes;
    for (unsigned i = 0; i < n->count; i++)
        if (text_same(n->answers[i].marked, marked)) return;
    char *kept = n->count < ASKED ? arena_text(l->w->arena, marked.p, marked.n) : NULL;
    if (kept) n->answers[n->count++] = (struct answer){ { kept, marked.n }, t };
    else n->whole = false;
}

static const numel_tensor *look_for(void *ctx, numel_str marked)
{
    struct looking *l = ctx;
    const numel_tensor *t = look(l->w, l->row, marked);
    note(l, marked, t);
    return t;
}

/* ---- earlier results ------------------------------------------------------------------------ */

/* Compares all dims, unlike packed_same_dims(). */
static bool same_tensor(const numel_tensor *a, const numel_tensor *b)
{
    if (!a || !b) return a == b;
    return a->dtype == b->dtype && a->ndim == b->ndim && dims_same(a->dims, b->dims, a->ndim);
}

static bool same_module(const struct layout_module *a, const struct layout_module *b)
{
    return text_same(a->role, b->role) && a->out == b->out && a->in == b->in && a->stack == b->stack &&
           a->lead_count == b->lead_count && dims_same(a->lead, b->lead, a->lead_count);
}

static const struct solved *solved_before(const struct work *w, uint32_t row, const struct layout_module *m,
                                          const struct layout_form *f)
{
    for (size_t i = 0; i < SOLVED && i < w->sizes->made; i++) {
        const struct solved *s = &w->sizes->items[i];
        bool same = s->whole && s->form->layout == f->layout && s->form->bits == f->bits &&
                    s->form->group == f->group && same_module(&s->module, m);
        for (unsigned k = 0; same && k < s->count; k++)
            same = same_tensor(look(w, row, s->answers[k].marked), s->answers[k].is);
        if (same) return s;
    }
    return NULL;
}

/* ---- solving -------------------------------------------------------------------------------- */

/* Ranks a solution: the form's own layout counts most, then its bits, one of the expected sizes, its group
 * size. */
static unsigned likeness(const struct layout_solution *s, const struct layout_form *f,
                         const struct layout_module *m)
{
    return (s->layout == f->layout) * 8u + (s->bits == f->bits) * 4u +
           (s->out == m->out || s->in == m->in) * 2u + (s->group == f->group);
}

/* Chooses the most likely solution; 0 and 0 if there is none, or a tie with another size. */
static void choose(struct solved *s, const struct layout_solutions *found)
{
    const struct layout_solution *best = NULL;
    bool several = false;
    for (unsigned i = 0; i < found->count; i++) {
        const struct layout_solution *x = &found->items[i];
        unsigned a = likeness(x, s->form, &s->module), b = best ? likeness(best, s->form, &s->module) : 0;
        if (best && a == b) several |= x->out != best->out || x->in != best->in;
        if (best && a <= b) continue;
        best = x;
        several = false;
    }
    s->out = best && !several ? best->out : 0;
    s->in = best && !several ? best->in : 0;
}

NUMEL_MUST static bool solve(struct work *w, uint32_t row, const struct layout_module *m,
                             const struct layout_form *f, struct solved *s)
{
    *s = (struct solved){ .form = f, .module = *m, .whole = true };
    struct looking looking = { w, row, s };
    struct asking nobody = { 0 }; /* contradicting data were already reported */
    struct layout_solutions found = { .count = 0 };
    struct layout_seen seen = { .weight = w->x->rows[row].name,
                                .module = { .role = m->role,
                                            .out = 1,
                                            .in = 1,
                                            .lead = m->lead,
                                            .lead_count = m->lead_count,
                                            .stack = m->stack },
                                .find = look_for,
                                .ctx = &looking,
                                .asking = &nobody };
    struct arena trial; /* only the numbers of a solution are kept */
    arena_init(&trial, w->arena->memory);
    bool ok = layout_invert(&found, f->layout, w->config, &seen, &trial, w->error);
    if (ok) choose(s, &found);
    arena_done(&trial);
    return ok && (!w->arena->failed || error_nomem(w->error));
}

bool packed_solve_size(struct work *w, uint32_t row, const struct layout_module *m,
                       const struct layout_form *f)
{
    struct packed_row *r = &w->p->rows[row];
    if (!w->sizes) {
        if (!(w->sizes = arena_alloc(w->arena, sizeof *w->sizes))) return error_nomem(w->error);
        w->sizes->made = 0;
    }
    const struct solved *s = solved_before(w, row, m, f);
    if (!s && w->sizes->made < SOLVED_MOST) {
        struct solved *fresh = &w->sizes->items[w->sizes->made++ % SOLVED];
        if (!solve(w, row, m, f, fresh)) return false;
        s = fresh;
    }
    if (!s || !s->out) return true;
    r->out = s->out;
    r->in = s->in;
    return true;
}
