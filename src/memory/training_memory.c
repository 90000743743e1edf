/*
 * training_memory.c -- the memory that training adds to a model: gradients and optimizer states, in bytes per
 * trained parameter, by rule. One row per kind:
 *
 *   adamw       mixed precision: weights and gradients of 16 bits, a copy of the weights and two moments
 *               in F32 (16 bytes, as in the ZeRO paper, arXiv 1910.02054)
 *   adamw-f32   everything in F32: weights, gradients, two moments
 *   adamw-bf16  everything in 16 bits
 *   adam8bit    like adamw, with moments in 8 bits
 *   sgd         mixed precision with one momentum in F32
 *   lora:R      the model stays as loaded; for each weight [out, in] of its attention and MLP, R * (out + in)
 *               parameters are trained like by adamw
 *
 * Activations are an estimate for all layers at once: 34 bytes per token, hidden unit and layer (arXiv
 * 2205.05198, with attention that does not keep scores).
 */
#include "memory/memory.h"

#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

static const struct training kinds[] = {
    { "adamw", 2, 2, 12, false, "2 bytes a weight, 2 a gradient, 12 for its F32 copy and two moments" },
    { "adamw-f32", 4, 4, 8, false, "4 bytes a weight, 4 a gradient, 8 for two moments" },
    { "adamw-bf16", 2, 2, 4, false, "2 bytes a weight, 2 a gradient, 4 for two moments" },
    { "adam8bit", 2, 2, 6, false, "2 bytes a weight, 2 a gradient, 4 for its F32 copy, 2 for two moments" },
    { "sgd", 2, 2, 8, false, "2 bytes a weight, 2 a gradient, 4 for its F32 copy, 4 for its momentum" },
    { "lora:", 2, 2, 12, true, "the model as it is loaded; of what LoRA adds as adamw" },
};

const struct training *training_find(numel_str name, uint64_t *rank)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t n = strlen(kinds[i].name);
        if (!kinds[i].lora && text_equal(name, kinds[i].name)) return &kinds[i];
        if (!kinds[i].lora || !text_starts(name, kinds[i].name)) continue;
        if (number_plain(text_from(name, n), rank) && *rank && *rank <= 1 << 20) return &kinds[i];
    }
    return NULL;
}

/* True for a linear layer in the text model's attention or MLP: PEFT's "all-linear", without the head. */
static bool is_target(const struct site *s)
{
    static const char *const starts[] = { "attn.", "mlp.", "expert.", "shared.", "ssm." };
    if (s->kind != TENSOR_LIN || s->part != PART_WEIGHT || s->layer < 0 || !s->counted) return false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (text_starts(s->role, starts[i])) return true;
    return false;
}

/* Sums R * (out + in) over the targets. */
NUMEL_MUST static bool count_lora(const struct memory *m, uint64_t *out, numel_error *e)
{
    const struct expansion *x = m->x;
    *out = 0;
    for (size_t i = 0; i < x->site_count; i++) {
        const struct site *s = &x->sites[i];
        uint64_t n;
        if (!is_target(s) || s->ndim < 2) continue;
        if (!num_add(&n, s->dims[s->ndim - 1], s->dims[s->ndim - 2]) || !num_mul(&n, n, m->ask.rank) ||
            !num_mul(&n, n, s->stack) || !num_mul(&n, n, site_turns(s)) || !num_add(out, *out, n))
            return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "what is trained does not fit in 64 bits");
    }
    return true;
}

NUMEL_MUST static bool times(uint64_t *out, uint64_t n, uint64_t bytes, numel_error *e)
{
    return num_mul(out, n, bytes) ||
           error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "what training keeps does not fit in 64 bits");
}

static uint64_t layers_of(const struct memory *m)
{
    uint64_t n = 0;
    for (size_t i = 0; i < m->layer_count; i++) n += m->layers[i].count;
    return n;
}

bool memory_training(struct memory *m, numel_error *e)
{
    const struct training *t = m->ask.train;
    struct memory_training *out = &m->training;
    if (!t || !m->x) return true;
    out->rule = t->rule;
    out->name = t->lora ? arena_format(m->arena, "%s%" PRIu64, t->name, m->ask.rank) : t->name;
    if (!out->name) return error_nomem(e);
    out->trained = m->x->totals.parameters;
    if (t->lora && !count_lora(m, &out->trained, e)) return false;
    if (!times(&out->weights, out->trained, t->weights, e) ||
        !times(&out->gradients, out->trained, t->gradients, e) ||
        !times(&out->states, out->trained, t->states, e))
        return false;
    if (t->lora && !num_add(&out->weights, out->weights, m->weights.bytes))
        return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "what training keeps does not fit in 64 bits");
    uint64_t n;
    if (!m->hidden || !num_mul(&n, m->ask.run.context, m->ask.run.batch) || !num_mul(&n, n, m->hidden) ||
        !num_mul(&n, n, 34) || !num_mul(&n, n, layers_of(m)))
        return true;
    out->activations = n;
    out->activation_rule = "34 bytes for each token, hidden unit and layer (arXiv 2205.05198)";
    return true;
}
