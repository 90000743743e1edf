/*
 * printed_holdings.c -- comparing: the parameters of a path, under their module names.
 *
 * With an expansion they are its rows that are present, without one all tensors except those whose names mean
 * a buffer. A GGUF row takes its Hugging Face name, a stack of experts one name for each expert.
 */
#include "printout/printed.h"

#include "base/num.h"
#include "base/text.h"
#include "model/meaning.h"

struct listing {
    struct holdings *h;
    const struct handle *c;
    struct arena *a;
    size_t cap;
    numel_error *e;
};

enum { EXPERTS = 4096 }; /* most experts of a stacked tensor: bounds a loop over a number from a file */

/* `s`: the site of its row, or NULL. */
NUMEL_MUST static bool add(struct listing *l, numel_str name, uint64_t elements, enum holding_kind kind,
                           const struct site *s)
{
    if (kind == HOLDING_PARAMETER && !num_add(&l->h->parameters, l->h->parameters, elements))
        return error_set(l->e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the parameters do not fit in 64 bits");
    struct holding *grown = arena_grow(l->a, l->h->items, l->h->count, &l->cap, sizeof *grown);
    if (!grown) return error_nomem(l->e);
    l->h->items = grown; /* in the arena: about one for each tensor */
    l->h->items[l->h->count++] =
        (struct holding){ name, elements, kind, s ? s->group : NO_GROUP, s ? s->alternative : 0 };
    return true;
}

/* The name of a row in transformers: the other name of a GGUF row. */
static numel_str name_of(const struct listing *l, const struct row *r)
{
    return l->c->model->side == SIDE_GGUF && r->other.n ? r->other : r->name;
}

/* Adds the experts of one stacked tensor, which are separate modules in transformers: "{e}". */
NUMEL_MUST static bool add_experts(struct listing *l, numel_str name, size_t at, uint64_t n,
                                   uint64_t elements, enum holding_kind kind, const struct site *s)
{
    for (uint64_t i = 0; i < n; i++) {
        char number[TEXT_NUMBER];
        text_format(number, sizeof number, "%" PRIu64, i);
        numel_str own = arena_join(l->a, (numel_str){ name.p, at }, text_of(number), text_from(name, at + 3));
        if (!own.p) return error_nomem(l->e);
        if (!add(l, own, elements / n, kind, s)) return false;
    }
    return true;
}

NUMEL_MUST static bool add_row(struct listing *l, const struct row *r, const struct site *s,
                               uint64_t elements, enum holding_kind kind)
{
    numel_str name = name_of(l, r);
    uint64_t n = s->stack;
    size_t at = text_seek(name, text_of("{e}"));
    return at < name.n && n && n <= EXPERTS && elements % n == 0
               ? add_experts(l, name, at, n, elements, kind, s)
               : add(l, name, elements, kind, s);
}

/* Lists a row that the formula expects, if the file has it (or there is no file). */
NUMEL_MUST static bool list_row(struct listing *l, uint32_t i)
{
    const struct expansion *x = l->c->model->x;
    const struct row *r = &x->rows[i];
    const struct site *s = &x->sites[r->site];
    if (s->kind == TENSOR_BUF || s->extra.p) return true;
    if (s->tied) return add_row(l, r, s, s->elements, HOLDING_COPY);
    struct model_row is = { .parameter = s->counted, .elements = s->elements }; /* without a file */
    if (l->c->model->ck) is = model_row(l->c->model, i);
    if (!is.parameter) return s->group == NO_GROUP || add_row(l, r, s, s->elements, HOLDING_STAND_IN);
    return add_row(l, r, s, is.elements, HOLDING_PARAMETER);
}

/* Lists a tensor that the formula does not count. */
NUMEL_MUST static bool list_beside(struct listing *l, uint32_t i)
{
    const numel_tensor *t = &l->c->model->ck->registry.tensors[i];
    switch (model_tensor(l->c->model, i).cause) {
    case CAUSE_LORA:
    case CAUSE_TOWER:
    case CAUSE_HEAD:
    case CAUSE_EXTRA_LAYER:
    case CAUSE_EXTRA_EXPERT:
    case CAUSE_UNKNOWN: return add(l, t->name, t->elements, HOLDING_BESIDE, NULL);
    default: return true;
    }
}

bool holdings_make(struct holdings *h, const struct handle *c, struct arena *a, numel_error *e)
{
    struct listing l = { .h = h, .c = c, .a = a, .e = e };
    const struct registry *r = c->model->ck ? &c->model->ck->registry : NULL;
    *h = (struct holdings){ .items = NULL };
    for (uint32_t i = 0; c->model->x && i < c->model->x->row_count; i++)
        if (!list_row(&l, i)) return false;
    for (uint32_t i = 0; r && i < r->count; i++) {
        const numel_tensor *t = &r->tensors[i];
        struct meaning m = meaning_of(t->name);
        enum holding_kind kind = meaning_is_buffer(&m) ? HOLDING_BESIDE : HOLDING_PARAMETER;
        if (c->model->x ? !list_beside(&l, i) : !add(&l, t->name, t->elements, kind, NULL)) return false;
    }
    return true;
}
