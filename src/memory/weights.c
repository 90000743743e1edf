/*
 * weights.c -- the bytes of weights as loaded.
 *
 * From a checkpoint: each tensor as stored, with tied tensors once; if another type is requested (--load),
 * the tensor's logical values in that type, without scales and zero points. From a configuration alone: the
 * tensors of the formula, in the configuration's type.
 */
#include "memory/memory.h"

#include "base/num.h"
#include "base/text.h"
#include "model/packed_plan.h"
#include "model/said_type.h"
#include "registry/dtype.h"

NUMEL_MUST static bool too_large(numel_error *e)
{
    return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the weights do not fit in 64 bits");
}

bool memory_add_type(struct memory_weights *w, const struct memory_type *type, numel_error *e)
{
    size_t i = 0;
    while (i < w->type_count && strcmp(w->types[i].name, type->name) != 0) i++;
    if (i == MEMORY_TYPES) i--;
    else if (i == w->type_count) w->types[w->type_count++] = (struct memory_type){ .name = type->name };
    struct memory_type *t = &w->types[i];
    if (!num_add(&t->elements, t->elements, type->elements) || !num_add(&t->bytes, t->bytes, type->bytes) ||
        !num_add(&w->bytes, w->bytes, type->bytes))
        return too_large(e);
    t->tensors += type->tensors;
    return true;
}

/* ---- of a checkpoint -------------------------------------------------------------------------- */

uint64_t memory_tensor_bytes(const struct memory *m, uint32_t tensor, const char **type)
{
    const struct model *model = m->handle->model;
    const numel_tensor *t = &model->ck->registry.tensors[tensor];
    struct model_tensor k = model_tensor(model, tensor);
    uint64_t bytes = t->bytes, values = k.known ? tensor_values(&k) : t->elements;
    *type = t->dtype->name;
    if (k.known && k.cause == CAUSE_TIED_COPY) return 0;
    if (!m->ask.load) return bytes;
    if (k.known && k.cause == CAUSE_SIDECAR) return 0;
    bool packed = k.known && k.fit == FIT_PACKED;
    if (!packed && dtype_kind(t->dtype) != DTYPE_FLOAT) return bytes;
    *type = m->ask.load;
    return num_mul(&bytes, values, m->ask.load_bytes) ? bytes : UINT64_MAX;
}

NUMEL_MUST static bool of_checkpoint(struct memory *m, numel_error *e)
{
    const struct model *model = m->handle->model;
    const struct registry *r = &model->ck->registry;
    for (size_t i = 0; i < r->count; i++) {
        const char *type;
        struct model_tensor k = model_tensor(model, (uint32_t)i);
        uint64_t bytes = memory_tensor_bytes(m, (uint32_t)i, &type);
        uint64_t elements = m->ask.load && k.known ? tensor_values(&k) : r->tensors[i].elements;
        if (!bytes) continue;
        if (!memory_add_type(&m->weights, &(struct memory_type){ type, 1, elements, bytes }, e)) return false;
    }
    m->weights.known = true;
    return true;
}

/* ---- of a configuration ----------------------------------------------------------------------- */

/* Adds the tensors as the configuration's layout would store them; those that it leaves plain have the
 * model's type. */
NUMEL_MUST static bool add_planned(struct memory *m, const struct packed_plan *p, numel_error *e)
{
    const numel_dtype *own;
    if (!model_declared_type(m->handle->model, &own, e)) return false;
    for (size_t i = 0; i < p->type_count; i++) {
        const struct packed_type *t = &p->types[i];
        const numel_dtype *d = t->type.p ? dtype_safetensors(t->type) : NULL;
        uint64_t bytes;
        if (!d) d = own ? own : dtype_safetensors(text_of("BF16"));
        if (!num_mul(&bytes, t->elements, d->block_bytes)) return too_large(e);
        bytes /= d->block_elements;
        if (!memory_add_type(&m->weights, &(struct memory_type){ d->name, t->tensors, t->elements, bytes },
                             e))
            return false;
    }
    m->weights.estimated = p->choices || !own;
    m->weights.note = m->weights.estimated
                          ? "estimated: by the layout that quantization_config names, which leaves choices"
                          : "by the layout that quantization_config names";
    m->weights.known = true;
    return true;
}

NUMEL_MUST static bool of_layout(struct memory *m, const struct expansion *x, numel_error *e)
{
    struct model *model = m->handle->model;
    struct packed_plan plan;
    if (!packed_plan_make(&plan, x, model->config, model->library, m->arena, e)) return false;
    if (plan.known && !plan.unsized) return add_planned(m, &plan, e);
    m->weights.note =
        "the configuration says that they are quantized: how many bytes that makes, a checkpoint "
        "shows (or --load bf16, unquantized)";
    return true;
}

NUMEL_MUST static bool of_formula(struct memory *m, numel_error *e)
{
    const struct expansion *x = model_formula(m->handle->model);
    const char *type = m->ask.load;
    const numel_dtype *own = NULL;
    uint64_t size = m->ask.load_bytes, all, bytes;
    if (!x) {
        m->weights.note = "no formula: nothing says which weights there are";
        return true;
    }
    if (!type && config_has_quantization(m->handle->model->config)) return of_layout(m, x, e);
    if (!type && !model_declared_type(m->handle->model, &own, e)) return false;
    if (own) type = own->name, size = own->block_bytes;
    if (!type) {
        type = "F32", size = 4;
        m->weights.note = "the configuration names no type: F32, as its class is built";
    }
    if (!num_add(&all, x->totals.parameters, x->totals.buffers) || !num_mul(&bytes, all, size))
        return too_large(e);
    m->weights.known = true;
    const struct memory_type sum = { type, x->totals.parameter_tensors + x->totals.buffer_tensors, all,
                                     bytes };
    return memory_add_type(&m->weights, &sum, e);
}

bool memory_weights(struct memory *m, numel_error *e)
{
    return m->handle->ck ? of_checkpoint(m, e) : of_formula(m, e);
}
