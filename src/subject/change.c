/*
 * change.c -- why a statement does not close: what is missing, of another shape, unexpected or contradictory.
 */
#include "subject/causes.h"

#include "base/text.h"

NUMEL_MUST static bool add_broken(struct causes *l, const struct model *m)
{
    char file[TEXT_QUOTE];
    const numel_error *why = &m->why;
    const char *text =
        why->file[0] ? arena_format(l->arena, "%s: %.400s", text_bare(file, text_of(why->file)), why->what)
                     : arena_format(l->arena, "%.400s", why->what);
    return cause_add(l, "configuration-invalid", NUMEL_STATE_DISAGREES, 1, text);
}

NUMEL_MUST static bool add_count(struct causes *l, const char *code, size_t n, const char *one,
                                 const char *many)
{
    char number[TEXT_NUMBER];
    if (!n) return true;
    return cause_add(l, code, NUMEL_STATE_DISAGREES, n,
                     arena_format(l->arena, "%s %s", text_number(number, n), n == 1 ? one : many));
}

NUMEL_MUST static bool add_differences(struct causes *l, const struct differences *d)
{
    for (size_t i = 0; i < d->contradiction_count; i++)
        if (!cause_add(l, "contradiction", NUMEL_STATE_DISAGREES, 1, d->contradictions[i].said)) return false;
    for (size_t i = 0; i < d->reason_count; i++)
        if (!cause_add(l, "key-differs", NUMEL_STATE_DISAGREES, d->reasons[i].weights, d->reasons[i].said))
            return false;
    return add_count(l, "tensors-missing", d->missing, "tensor is missing", "tensors are missing") &&
           add_count(l, "shapes-differ", d->mismatched, "tensor has another shape or type than expected",
                     "tensors have other shapes or types than expected") &&
           add_count(l, "tensors-unexpected", d->unexpected_count, "tensor is not expected",
                     "tensors are not expected");
}

bool causes_of_model(struct causes *l, struct numel_model *c)
{
    if (c->model->broken) return add_broken(l, c->model);
    if (!c->ck || !c->model->x) return true;
    return add_differences(l, &c->model->differences);
}
