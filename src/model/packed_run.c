/*
 * packed_run.c -- rows of a stack that the file stores alike.
 *
 * The decision on a row depends on the tensors next to it that a form of its size uses or a layout asks for:
 * whether they exist, their types and dims, and that no other row has claimed them. A row whose tensors are
 * of the same families as the previous row's is therefore decided alike. This reduces the experts of
 * DeepSeek-V3 from 44,544 decisions to 174.
 *
 * A run begins after a row that was decided without faults. There is no run if data or metadata were read,
 * which may differ even if all names and shapes are alike, or if the stack shares a tensor.
 */
#include "model/packed_internal.h"

static bool same_family(const struct work *w, uint32_t a, uint32_t b)
{
    if (a == NAMES_ABSENT || b == NAMES_ABSENT) return a == b;
    const numel_tensor *x = &w->file->registry->tensors[a], *y = &w->file->registry->tensors[b];
    return x->dtype == y->dtype && x->ndim == y->ndim && dims_same(x->dims, y->dims, x->ndim);
}

static bool is_free(const struct work *w, uint32_t tensor, uint32_t row)
{
    if (tensor == NAMES_ABSENT) return true;
    return w->p->tensors[tensor].row == NAMES_ABSENT &&
           (w->own[tensor] == NAMES_ABSENT || w->own[tensor] == row);
}

/* ---- beginning -------------------------------------------------------------------------------- */

/* Looks for tensors with that marked name next to this row and the following ones; false if no row has
 * one. */
static bool look_beside(struct work *w, struct beside *b, numel_str marked, uint32_t row)
{
    char here[LAYOUT_NAME], there[LAYOUT_NAME];
    const struct row *r = &w->x->rows[row];
    numel_str name, next;
    *b = (struct beside){ .marked = marked, .tensor = NAMES_ABSENT };
    if (!layout_name(marked, r->name, here, &name) || !w->file->may(w->file->ctx, name)) return false;
    b->tensor = w->file->find(w->file->ctx, name);
    b->counts = layout_name(marked, r[1].name, there, &next) &&
                members_run(w->file->members, name, next, r->index, &b->run) &&
                members_at(w->file->members, &b->run, r->index) == b->tensor;
    return true;
}

static uint32_t found_beside(struct work *w, const struct beside *b, uint32_t row)
{
    char text[LAYOUT_NAME];
    const struct row *r = &w->x->rows[row];
    numel_str name;
    uint32_t t = b->counts ? members_at(w->file->members, &b->run, r->index) : NAMES_ABSENT;
    if (t != NAMES_ABSENT || !layout_name(b->marked, r->name, text, &name)) return t;
    return w->file->find(w->file->ctx, name);
}

/* Two marked names may stand for the same tensor. */
static bool is_known(const struct packed_run *run, const struct beside *b)
{
    bool known = false;
    for (unsigned i = 0; b->tensor != NAMES_ABSENT && i < run->count && !known; i++)
        known = run->beside[i].counts && b->counts && run->beside[i].tensor == b->tensor;
    return known;
}

/* Finds the form's tensors among those next to the row; false if one is not there. */
static bool place_form(struct packed_run *run, const struct layout_form *f, uint32_t row_tensor,
                       const uint32_t found[LAYOUT_LINES])
{
    for (unsigned i = 0; i < f->count; i++) {
        unsigned k = 0;
        while (k < run->count && run->beside[k].tensor != found[i]) k++;
        run->place[i] = (uint8_t)(found[i] == NAMES_ABSENT ? RUN_ABSENT : k < run->count ? k : RUN_ITSELF);
        if (f->stored[i].shared || (run->place[i] == RUN_ITSELF && found[i] != row_tensor)) return false;
    }
    return true;
}

/* The row's entry in the configuration's lists, under its expected name. */
static struct layout_word listed(const struct work *w, const struct packed_run *run, uint32_t row)
{
    struct layout_module m = { .over = NULL };
    return packed_listed(w, layout_module_name(w->x->rows[row].name), run->shape, &m);
}

static bool same_word(const struct layout_word *a, const struct layout_word *b)
{
    return a->over == b->over && a->plain == b->plain && a->soft == b->soft && a->outside == b->outside &&
           a->unkeyed == b->unkeyed && a->list == b->list;
}

/* True if the lists can only know the row by its expected name. */
static bool is_known_so(struct work *w, uint32_t row, const struct layout_form *form)
{
    if (!w->declared) return true;
    return form && text_same(packed_written(w, form, row), layout_module_name(w->x->rows[row].name));
}

void packed_run_begin(struct work *w, struct packed_run *run, uint32_t row, enum packed_shape shape,
                      const struct sized *s, const struct layout_form *form,
                      const uint32_t found[LAYOUT_LINES])
{
    const struct site *site = packed_site(w, row);
    uint32_t end = site->first_row + site->rows;
    run->site = NULL;
    if (!site->counts || row + 1 >= end || s->reads || s->beside_count > RUN_BESIDE) return;
    if ((form && !w->p->rows[row].whole) || !is_known_so(w, row, form)) return;
    run->count = 0;
    for (unsigned i = 0; i < s->beside_count; i++) {
        struct beside *b = &run->beside[run->count];
        if (look_beside(w, b, s->beside[i], row) && !is_known(run, b)) run->count++;
    }
    if (form && !place_form(run, form, w->tensor[row], found)) return;
    run->site = site;
    run->last = row;
    run->form = form;
    run->shape = shape;
    run->said = listed(w, run, row);
}

/* ---- continuing ------------------------------------------------------------------------------- */

bool packed_run_goes_on(struct work *w, struct packed_run *run, uint32_t row)
{
    bool same = run->site == packed_site(w, row) && run->last + 1 == row &&
                same_family(w, w->tensor[row], w->tensor[run->last]) && is_free(w, w->tensor[row], row);
    for (unsigned i = 0; same && i < run->count; i++) {
        uint32_t t = found_beside(w, &run->beside[i], row);
        same = same_family(w, t, run->beside[i].tensor) && is_free(w, t, row);
        run->beside[i].tensor = t;
    }
    if (same && w->numbered) {
        struct layout_word said = listed(w, run, row);
        same = same_word(&said, &run->said);
    }
    run->last = row;
    if (!same) run->site = NULL;
    return same;
}

void packed_run_claim(struct work *w, const struct packed_run *run, uint32_t row)
{
    uint32_t found[LAYOUT_LINES];
    for (unsigned i = 0; i < run->form->count && i < LAYOUT_LINES; i++)
        found[i] = run->place[i] == RUN_ABSENT   ? NAMES_ABSENT
                   : run->place[i] == RUN_ITSELF ? w->tensor[row]
                                                 : run->beside[run->place[i]].tensor;
    packed_claim_alike(w, row - 1, row, found);
}
