/*
 * supposed.c -- an index without any of its shards (numel_checkpoint.named). A name that is expected gets the
 * shape from the formula and the type from the configuration. From then on, the model treats it like any
 * checkpoint, with ground `name`.
 */
#include "model/supposed.h"

#include "base/num.h"
#include "model/said_type.h"

void shapes_forget(const numel_checkpoint *ck)
{
    struct registry *r = &ck->named->registry;
    for (size_t i = 0; i < r->count; i++)
        r->tensors[i] = (numel_tensor){ .size = sizeof *r->tensors,
                                        .name = r->tensors[i].name,
                                        .dtype = ck->unknown,
                                        .offset = NUMEL_NOWHERE };
}

NUMEL_MUST static bool too_large(numel_error *e)
{
    return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the bytes of the tensors do not fit in 64 bits");
}

/* All rows of a site share one copy of the dims, because the expansion may be freed before the checkpoint. */
NUMEL_MUST static bool suppose_site(struct model *m, const struct site *s, const uint32_t *tensor,
                                    const numel_dtype *type, numel_error *e)
{
    numel_checkpoint *ck = m->ck->named;
    const uint64_t *dims = arena_copy(&ck->arena, s->dims, s->ndim * sizeof *dims);
    uint64_t bytes;
    if (!dims) return error_nomem(e);
    if (s->kind == TENSOR_BUF) type = ck->unknown; /* counts and masks have their own types */
    if (!num_mul(&bytes, s->elements, type->block_bytes)) return too_large(e);
    for (uint32_t r = s->first_row; r < s->first_row + s->rows; r++) {
        if (tensor[r] == NAMES_ABSENT) continue;
        numel_tensor *t = &ck->registry.tensors[tensor[r]];
        t->dtype = type;
        t->dims = s->ndim ? dims : NULL;
        t->ndim = s->ndim;
        t->elements = s->elements;
        t->bytes = bytes;
    }
    return true;
}

bool shapes_suppose(struct model *m, const uint32_t *tensor, numel_error *e)
{
    const numel_dtype *type;
    if (!m->ck->named) return true;
    shapes_forget(m->ck);
    if (!model_declared_type(m, &type, e)) return false;
    if (!type || config_has_quantization(m->config)) type = m->ck->unknown;
    for (size_t i = 0; i < m->x->site_count; i++)
        if (!suppose_site(m, &m->x->sites[i], tensor, type, e)) return false;
    uint64_t bytes = 0;
    for (size_t i = 0; i < m->ck->registry.count; i++)
        if (!num_add(&bytes, bytes, m->ck->registry.tensors[i].bytes)) return too_large(e);
    return registry_stored(&m->ck->registry, &m->ck->named->stored, e);
}
