/*
 * match_tied.c -- tables with two names, such as embedding and head of a tied model; either name suffices.
 */
#include "model/match_internal.h"
#include "model/model_internal.h"
#include "model/tensor.h"

#include "base/text.h"

/* True for a single, loaded tensor outside all layers. */
static bool stands_alone(const struct site *s)
{
    return s->layer < 0 && s->rows == 1 && !s->extra.p && s->part == PART_WEIGHT;
}

static bool same_dims(const struct site *a, const struct site *b)
{
    return a->ndim == b->ndim && dims_same(a->dims, b->dims, a->ndim);
}

const struct site *model_tied_to(const struct expansion *x, const struct site *s)
{
    const struct tensor_line *line = x->spec->lines[s->line].tensor;
    if (!s->tied || !stands_alone(s) || !line) return NULL;
    numel_str of = line->of.n ? line->of : text_of("embed.tok");
    for (size_t i = 0; i < x->site_count; i++) {
        const struct site *to = &x->sites[i];
        if (!to->tied && stands_alone(to) && same_dims(to, s) && text_same(to->role, of)) return to;
    }
    return NULL;
}

/* GGUF is excluded: llama.cpp asks for the table by its own name. */
void match_tied(struct match *m)
{
    const struct expansion *x = m->model->x;
    if (model_is_gguf(m->model)) return;
    for (size_t i = 0; i < x->site_count; i++) {
        const struct site *s = &x->sites[i];
        struct row_match *copy = &m->rows[s->first_row];
        if (!s->tied || copy->tensor == NAMES_ABSENT) continue;
        const struct site *to = model_tied_to(x, s);
        if (!to || m->rows[to->first_row].tensor != NAMES_ABSENT || m->packed.rows[to->first_row].form)
            continue;
        match_take(m, to->first_row, copy->tensor, (enum fit)copy->fit);
        m->rows[to->first_row].renamed = true;
        *copy = (struct row_match){ .tensor = NAMES_ABSENT, .fit = FIT_ABSENT };
    }
}
