/*
 * packed_beside.c -- checks across packed weights: tensors next to the modules; tensors that a stack of
 * experts shares; optional tensors, which either all modules of a role or layout have or none.
 *
 * These checks run when each weight has its form (packed.c), and find faults that no single weight shows.
 */
#include "model/packed_internal.h"

#include "base/number.h"

#include <math.h>

/* ---- tensors next to the modules -------------------------------------------------------------- */

static bool claim_extras(struct work *w, const struct layout *l)
{
    const struct registry *r = w->file->registry;
    const struct stored *extras;
    char glob[LAYOUT_NAME];
    numel_str name;
    if (!l->extra_count) return true;
    if (!layout_extras(l, w->config, w->declared, w->arena, &extras, w->error)) return false;
    for (unsigned i = 0; i < l->extra_count; i++) {
        if (!layout_name(extras[i].name, text_of(""), glob, &name) || name.n == LAYOUT_NAME) continue;
        glob[name.n] = 0;
        for (uint32_t t = 0; t < r->count; t++) {
            if (w->p->tensors[t].row != NAMES_ABSENT || w->own[t] != NAMES_ABSENT ||
                !text_glob(glob, r->tensors[t].name) || packed_misfit(w, &extras[i], t))
                continue;
            w->p->tensors[t] =
                (struct packed_tensor){ .row = PACKED_BESIDE, .role = (uint8_t)extras[i].role, .fits = true };
        }
    }
    return true;
}

bool packed_extras(struct work *w)
{
    for (unsigned i = 0; i < w->candidate_count; i++) {
        bool used = w->declared;
        for (uint32_t r = 0; !used && r < w->x->row_count; r++)
            used = w->p->rows[r].form && w->p->rows[r].form->layout == w->candidates[i];
        if (used && !claim_extras(w, w->candidates[i])) return false;
    }
    return true;
}

/* ---- tensors shared by a stack ---------------------------------------------------------------- */

/* A shared tensor belongs to all experts, so all of them must be packed. */
bool packed_all_share(struct work *w)
{
    char rows[TEXT_NUMBER], all[TEXT_NUMBER];
    for (uint32_t t = 0; t < w->file->registry->count; t++) {
        const struct packed_tensor *p = &w->p->tensors[t];
        if (!p->shared || p->rows == p->shared) continue;
        const char *text =
            arena_format(w->arena, "only %s of the %s weights that share these %s are packed",
                         text_number(rows, (uint64_t)p->rows), text_number(all, (uint64_t)p->shared),
                         layout_role_text((enum layout_role)p->role));
        if (!packed_contradict(w, p->row, text)) return false;
    }
    return true;
}

/* ---- means ------------------------------------------------------------------------------------ */

/* Writers round, and leave out tensors that are small by comparison. */
#define MEAN_ROOM 0.13

NUMEL_MUST static bool mean_of(struct work *w, const struct layout *l)
{
    double sum = 0, all = 0;
    const struct layout_form *said = NULL;
    for (uint32_t r = 0; r < w->x->row_count; r++) {
        const struct layout_form *f = w->p->rows[r].form;
        if (!f || f->layout != l || !w->p->rows[r].whole || !(f->mean_said > 0) || !(f->mean > 0)) continue;
        double n = (double)packed_site(w, r)->elements;
        sum += n * f->mean;
        all += n;
        said = f;
    }
    if (!said || w->file->named || fabs(sum / all - said->mean_said) <= MEAN_ROOM) return true;
    char says[NUMBER_REAL], is[NUMBER_REAL];
    number_real(says, said->mean_said, NUMBER_SHORT, 4);
    number_real(is, sum / all, NUMBER_SHORT, 4);
    return packed_contradict(
        w, NAMES_ABSENT,
        arena_format(w->arena, "%s says %s, the mean of all weights is %s", said->mean_by, says, is));
}

bool packed_means(struct work *w)
{
    for (unsigned i = 0; i < w->candidate_count; i++)
        if (w->candidates[i]->mean && !mean_of(w, w->candidates[i])) return false;
    return true;
}

/* ---- all or none ------------------------------------------------------------------------------ */

struct often {
    const struct layout *layout;
    numel_str role; /* {NULL, 0}: the whole layout */
    unsigned line;
    uint64_t there, absent;
};

struct oftens {
    struct often *items;
    size_t count, cap;
};

static struct often *often_of(struct work *w, struct oftens *o, const struct layout *l,
                              const struct stored *s, uint32_t row)
{
    numel_str role = s->need == NEED_ROLE ? packed_site(w, row)->role : (numel_str){ NULL, 0 };
    for (size_t i = o->count; i--;)
        if (o->items[i].layout == l && o->items[i].line == s->line && text_same(o->items[i].role, role))
            return &o->items[i];
    if (!memory_grow(w->p->memory, (void **)&o->items, &o->cap, o->count + 1, sizeof *o->items, w->error))
        return NULL;
    o->items[o->count] = (struct often){ .layout = l, .role = role, .line = s->line };
    return &o->items[o->count++];
}

/* Runs once to count and once to report: if only some rows have an optional tensor, the others lack it.
 * `rows` rows are alike. */
static bool opt_pass(struct work *w, struct oftens *o, uint32_t row, uint32_t rows, bool report)
{
    const struct layout_form *f = w->p->rows[row].form;
    for (unsigned i = 0; i < f->count; i++) {
        const struct stored *s = &f->stored[i];
        if (s->need != NEED_ROLE && s->need != NEED_LAYOUT) continue;
        struct often *x = often_of(w, o, f->layout, s, row);
        if (!x) return false;
        bool there = w->p->rows[row].there >> i & 1;
        if (!report) *(there ? &x->there : &x->absent) += rows;
        for (uint32_t k = 0; report && !there && x->there && k < rows; k++)
            if (!packed_fault_of(w, s, row + k, NAMES_ABSENT)) return false;
    }
    return true;
}

/* The number of rows of one site, starting with this one, that have the same form and the same tensors. */
static uint32_t alike(const struct work *w, uint32_t row)
{
    const struct packed_row *p = &w->p->rows[row];
    const struct site *s = packed_site(w, row);
    uint32_t n = 1, end = s->first_row + s->rows;
    while (row + n < end && p[n].form == p->form && p[n].there == p->there) n++;
    return n;
}

bool packed_all_or_none(struct work *w)
{
    struct oftens o = { 0 };
    bool ok = true;
    for (int report = 0; report < 2 && ok; report++)
        for (uint32_t r = 0, n; r < w->x->row_count && ok; r += n) {
            n = alike(w, r);
            ok = !w->p->rows[r].form || opt_pass(w, &o, r, n, report);
        }
    memory_release(w->p->memory, o.items);
    return ok;
}
