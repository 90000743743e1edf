/* unpack.c -- the tensors that a packed weight's numbers come from: those of its form, by their names. */
#include "model/tensor.h"

#include "model/model_internal.h"

static bool is_number(enum layout_role r)
{
    return r != LAYOUT_ACT && r != LAYOUT_MARKER && r != LAYOUT_BIAS && r != LAYOUT_ROTATION;
}

/* Sets the sizes of the weight; false for one that is not a matrix, or a stack of them. */
static bool take_sizes(const struct site *s, struct model_unpack *out)
{
    if (s->ndim != 2 && s->ndim != 3) return false;
    out->stack = s->ndim == 3 ? s->dims[0] : 1;
    out->out = s->dims[s->ndim - 2];
    out->in = s->dims[s->ndim - 1];
    return out->out && out->in;
}

/* The row that the tensor stands for in packed form, or NULL. */
static const struct packed_row *row_of(const struct model *m, uint32_t tensor)
{
    const struct packed *p = &m->inner->match.packed;
    if (!m->x || !p->tensors || p->tensors[tensor].row >= PACKED_BESIDE) return NULL;
    const struct packed_row *row = &p->rows[p->tensors[tensor].row];
    return row->value == tensor && row->form ? row : NULL;
}

const char *model_packed_as(const struct model *m, uint32_t tensor, bool *method)
{
    const struct packed_row *row = row_of(m, tensor);
    *method = row && row->form->method;
    return row ? row->form->layout->name : NULL;
}

bool model_unpacked(const struct model *m, uint32_t tensor, struct model_unpack *out)
{
    const struct packed *p = &m->inner->match.packed;
    char text[LAYOUT_NAME];
    numel_str name;
    const struct packed_row *row = row_of(m, tensor);
    *out = (struct model_unpack){ .count = 0 };
    if (!row || !row->whole || !row->form->method || row->form->layout->turned) return false;
    const struct layout_form *f = row->form;
    if (row->open || !take_sizes(model_site(m, p->tensors[tensor].row), out)) return false;
    out->method = f->method;
    out->bits = f->bits;
    out->group = f->group;
    for (unsigned i = 0; i < LAYOUT_ARGS; i++) out->args[i] = f->args[i];
    for (unsigned i = 0; i < f->count; i++) {
        const struct stored *s = &f->stored[i];
        if (!(row->there >> i & 1) || !is_number(s->role)) continue;
        if (out->count == MODEL_PARTS || s->shared ||
            !layout_name(s->name, m->x->rows[p->tensors[tensor].row].name, text, &name))
            return false;
        uint32_t found = naming_find(&m->inner->naming, name);
        if (found == NAMES_ABSENT) return false;
        out->parts[out->count].role = s->role;
        out->parts[out->count++].tensor = found;
    }
    return true;
}
