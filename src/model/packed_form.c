/*
 * packed_form.c -- compares one form of one weight with the file: finds, checks and claims its tensors.
 *
 * The faults of a form are counted to choose among forms, and recorded only for the chosen one. A tensor is
 * claimed once; one that a stack shares is claimed by its first row and reported once.
 */
#include "model/packed_internal.h"

/* ---- types and dims --------------------------------------------------------------------------- */

bool packed_plain_type(const numel_tensor *t) { return layout_is_float(t->dtype->name); }

bool packed_same_dims(const uint64_t *a, uint32_t n, const uint64_t *b, uint32_t m)
{
    for (uint32_t i = 0; n == m && i < n; i++)
        if (a[i] != b[i] && a[i] != UINT64_MAX) return false;
    return n == m;
}

/* ---- one form against the file ---------------------------------------------------------------- */

/* The tensor in the file that the form stores as `s`, or NAMES_ABSENT. */
static uint32_t find_stored(struct work *w, const struct stored *s, uint32_t row)
{
    char text[LAYOUT_NAME];
    numel_str name;
    uint32_t t = w->tensor[row];
    if (!packed_is_itself(s->name)) {
        if (!packed_end_occurs(&w->ends, s->name) || !layout_name(s->name, w->x->rows[row].name, text, &name))
            return NAMES_ABSENT;
        t = w->file->find(w->file->ctx, name);
    }
    if (t == NAMES_ABSENT) return t;
    bool others = w->own[t] != NAMES_ABSENT && w->own[t] != row;
    const struct packed_tensor *p = &w->p->tensors[t];
    bool claimed = p->row != NAMES_ABSENT && p->row != row && !(s->shared && p->shared);
    return others || claimed ? NAMES_ABSENT : t;
}

numel_str packed_written(struct work *w, const struct layout_form *f, uint32_t row)
{
    for (unsigned i = 0; i < f->count; i++) {
        if (f->stored[i].role != LAYOUT_VALUE) continue;
        uint32_t t = find_stored(w, &f->stored[i], row);
        if (t == NAMES_ABSENT) continue;
        numel_str name = w->file->registry->tensors[t].name, tail = packed_end(f->stored[i].name);
        if (text_same(text_tail(name, tail.n), tail)) return layout_module_name(text_less(name, tail.n));
    }
    return (numel_str){ NULL, 0 };
}

/* Returns 0 if it fits, else the fault. */
int packed_misfit(const struct work *w, const struct stored *s, uint32_t tensor)
{
    const numel_tensor *t = &w->file->registry->tensors[tensor];
    if (s->unknown || w->file->named) return 0;
    if (!packed_same_dims(s->dims, s->ndim, t->dims, t->ndim)) return PACKED_SHAPE;
    return layout_type_fits(s->types, t->dtype->name) ? 0 : PACKED_TYPE;
}

/* `found` gets the tensors in the file, by index in the form. */
struct score packed_score(struct work *w, const struct layout_form *f, uint32_t row, unsigned most,
                          uint32_t found[LAYOUT_LINES])
{
    struct score score = { f->contradiction != NULL, 0 };
    unsigned shared = 0; /* a stack shares these, so they prove nothing about this row */
    for (unsigned i = 0; i < f->count && i < LAYOUT_LINES && score.cost <= most; i++) {
        const struct stored *s = &f->stored[i];
        uint32_t t = found[i] = f->absent >> i & 1 ? NAMES_ABSENT : find_stored(w, s, row);
        if (t == NAMES_ABSENT) score.cost += s->need == NEED_ALWAYS;
        else if (packed_misfit(w, s, t)) score.cost++;
        if (t == NAMES_ABSENT || s->role == LAYOUT_BIAS) continue;
        if (s->shared) shared++;
        else score.claims++;
    }
    if (score.claims) score.claims += shared;
    return score;
}

/* ---- faults ----------------------------------------------------------------------------------- */

NUMEL_MUST static bool fault(struct work *w, struct packed_fault f)
{
    struct packed *p = w->p;
    char *name = arena_text(w->arena, f.name.p, f.name.n);
    if (!name) return error_nomem(w->error);
    f.name.p = name;
    if (!memory_grow(p->memory, (void **)&p->faults, &p->fault_cap, p->fault_count + 1, sizeof *p->faults,
                     w->error))
        return false;
    p->faults[p->fault_count++] = f;
    return true;
}

bool packed_contradict(struct work *w, uint32_t row, const char *text)
{
    numel_str name = row == NAMES_ABSENT ? (numel_str){ "", 0 } : w->x->rows[row].name;
    if (row != NAMES_ABSENT) w->p->rows[row].whole = false;
    if (!text) return error_nomem(w->error);
    return fault(
        w,
        (struct packed_fault){
            .kind = PACKED_CONTRADICTION, .row = row, .tensor = NAMES_ABSENT, .name = name, .text = text });
}

/* ---- claiming --------------------------------------------------------------------------------- */

/* A tensor that a stack shares is reported for only one of its rows. */
static bool told_already(const struct work *w, numel_str name)
{
    for (size_t i = w->p->fault_count; i--;)
        if (text_same(w->p->faults[i].name, name)) return true;
    return false;
}

bool packed_fault_of(struct work *w, const struct stored *s, uint32_t row, uint32_t tensor)
{
    char text[LAYOUT_NAME];
    numel_str name;
    enum packed_fault_kind kind =
        tensor == NAMES_ABSENT ? PACKED_MISSING : (enum packed_fault_kind)packed_misfit(w, s, tensor);
    if (tensor != NAMES_ABSENT) name = w->file->registry->tensors[tensor].name;
    else if (!layout_name(s->name, w->x->rows[row].name, text, &name)) return true;
    w->p->rows[row].whole = false;
    if (s->shared && told_already(w, name)) return true;
    return fault(w, (struct packed_fault){ .kind = kind,
                                           .role = s->role,
                                           .row = row,
                                           .tensor = tensor,
                                           .name = name,
                                           .dims = s->dims,
                                           .ndim = s->ndim,
                                           .types = s->types });
}

/* Adds up bytes and elements, for bits per weight, without biases. Shared tensors count with their first
 * row. */
static void weigh(struct work *w, uint32_t row, const struct layout_form *f,
                  const uint32_t found[LAYOUT_LINES])
{
    w->p->elements += packed_site(w, row)->elements; /* neither can overflow: their totals fit */
    for (unsigned i = 0; i < f->count; i++)
        if (found[i] != NAMES_ABSENT && f->stored[i].role != LAYOUT_BIAS &&
            w->p->tensors[found[i]].row == row)
            w->p->bytes += w->file->registry->tensors[found[i]].bytes;
}

static void prove(struct work *w, const struct layout_form *f)
{
    if (!packed_proven_so(w, f) && w->proven_count < sizeof w->proven / sizeof *w->proven)
        w->proven[w->proven_count++] = f;
}

static void count(struct work *w, uint32_t row, const struct layout_form *f,
                  const uint32_t found[LAYOUT_LINES])
{
    const struct packed_row *r = &w->p->rows[row];
    bool left =
        r->whole && f->layout->plain_values && packed_plain_type(&w->file->registry->tensors[r->value]);
    if (left) {
        w->p->left++;
        return;
    }
    w->p->modules++;
    if (r->whole) weigh(w, row, f, found);
    if (r->whole) prove(w, f);
}

bool packed_claim(struct work *w, const struct layout_form *f, uint32_t row,
                  const uint32_t found[LAYOUT_LINES])
{
    struct packed_row *r = &w->p->rows[row];
    *r = (struct packed_row){ .form = f, .value = NAMES_ABSENT, .whole = true, .sized = r->sized };
    for (unsigned i = 0; i < f->count; i++) {
        const struct stored *s = &f->stored[i];
        uint32_t t = found[i];
        bool there = t != NAMES_ABSENT, fits = there && !packed_misfit(w, s, t);
        if (there && w->p->tensors[t].row == NAMES_ABSENT)
            w->p->tensors[t] = (struct packed_tensor){ row, (uint8_t)s->role, fits, s->shared, 0 };
        if (there) w->p->tensors[t].rows++;
        if (there) r->there |= 1u << i;
        if (there && s->role == LAYOUT_VALUE && r->value == NAMES_ABSENT) r->value = t;
        if (!fits && (there || s->need == NEED_ALWAYS) && !packed_fault_of(w, s, row, t)) return false;
    }
    r->whole &= !f->contradiction; /* packed_ask_shapes() reports it */
    count(w, row, f, found);
    return true;
}

void packed_claim_alike(struct work *w, uint32_t like, uint32_t row, const uint32_t found[LAYOUT_LINES])
{
    struct packed_row *r = &w->p->rows[row];
    const struct layout_form *f = w->p->rows[like].form;
    *r = w->p->rows[like];
    r->value = NAMES_ABSENT;
    for (unsigned i = 0; i < f->count; i++) {
        uint32_t t = found[i];
        if (t == NAMES_ABSENT) continue;
        w->p->tensors[t] = (struct packed_tensor){ row, (uint8_t)f->stored[i].role, true, 0, 1 };
        if (f->stored[i].role == LAYOUT_VALUE && r->value == NAMES_ABSENT) r->value = t;
    }
    count(w, row, f, found);
}
