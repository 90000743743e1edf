/*
 * counts.c -- sums over the matches: each tensor counts as the elements it represents, each parameter once.
 */
#include "model/counts.h"

#include "model/model_internal.h"

/* The keys in various configurations. */
/* clang-format off */
static const char *const used_keys[] = {
    "num_experts_per_tok", "num_experts_per_token", "moe_topk", "moe_top_k", "top_k_experts",
    "moe_k", "num_selected_experts", "router_top_k", "expert_used_count", "moe.num_experts_per_tok",
    "text_config.num_experts_per_tok", "text_config.num_experts_per_token",
    "text_config.moe_topk", "text_config.top_k_experts", "ffn_config.moe_top_k",
};
/* clang-format on */

bool experts_used(struct model *m, uint64_t *used, numel_error *e)
{
    enum { KEYS = sizeof used_keys / sizeof *used_keys };
    numel_str paths[KEYS];
    struct value v;
    numel_error why = { 0 }; /* for an unusable value */
    enum side side = config_has_json(m->config) ? SIDE_HF : m->side;
    for (size_t i = 0; i < KEYS; i++) paths[i] = text_of(used_keys[i]);
    *used = 0;
    if (!config_value(m->config, m->spec, side, paths, KEYS, &v, &why))
        return why.code != NUMEL_E_NOMEM || error_nomem(e);
    if (v.kind == VALUE_LIST && v.list.n && v.list.items && v.list.items[0].kind == VALUE_INT)
        v = v.list.items[0];
    if (v.kind == VALUE_INT && v.i > 0) *used = (uint64_t)v.i;
    return true;
}

static bool is_expert(const struct site *s) { return s->role.n > 7 && memcmp(s->role.p, "expert.", 7) == 0; }

/* The number of a row's n elements that a token does not use, if it passes through `used` experts. */
static uint64_t idle_of(const struct model *m, uint32_t row, uint64_t n, uint64_t used)
{
    const struct site *s = model_site(m, row);
    uint64_t of = s->stack;
    if (used >= of) return 0;
    if (s->rows == 1) return n / of * (of - used);
    bool idle = s->rows == of && m->x->rows[row].index >= used; /* one tensor per expert: */
    return idle ? n : 0;                                        /* the first `used` stand for those in use */
}

/* The elements that a packed weight represents: the expected number, or the product of its solved sizes if
 * they differ. */
static uint64_t packed_elements(const struct model *m, uint32_t row, uint64_t stored)
{
    const struct packed_row *p = &m->inner->match.packed.rows[row];
    const struct site *s = model_site(m, row);
    uint64_t n, lead = s->ndim > 2 ? s->dims[0] : 1;
    if (fit_stands_for(m->inner->match.rows[row].fit)) return s->elements;
    if (!p->form || p->out < 1 || p->in < 1) return stored;
    if (__builtin_mul_overflow((uint64_t)p->out, (uint64_t)p->in, &n) || __builtin_mul_overflow(n, lead, &n))
        return stored;
    return n;
}

/* Counts the expected parameters that exist, at the size they have in the model. */
NUMEL_MUST static bool count_parameters(struct model *m, numel_error *e)
{
    struct counts *c = &m->counts;
    uint64_t used;
    bool experts = false;
    if (!experts_used(m, &used, e)) return false;
    for (uint32_t i = 0; i < m->x->row_count; i++) {
        const struct site *s = model_site(m, i);
        uint32_t t = m->inner->match.rows[i].tensor;
        if (t == NAMES_ABSENT || !site_counts(s) || m->inner->match.tensors[t].cause != CAUSE_EXPECTED)
            continue;
        bool routed = is_expert(s) && s->stack > 0;
        uint64_t n = packed_elements(m, i, m->ck->registry.tensors[t].elements);
        experts |= routed;
        c->parameters += n;
        if (s->kind != TENSOR_EMB) c->non_embedding += n;
        c->active += n - (routed && used ? idle_of(m, i, n, used) : 0);
    }
    c->has_active = !experts || used;
    return true;
}

uint64_t model_logical(const struct model *m, uint32_t tensor)
{
    const struct tensor_match *t = &m->inner->match.tensors[tensor];
    bool training = t->cause >= CAUSE_OPTIMIZER && t->cause <= CAUSE_STRAY_STATE;
    if (t->cause == CAUSE_SIDECAR || t->cause == CAUSE_QUANT_BIAS || training) return 0;
    uint64_t stored = m->ck->registry.tensors[tensor].elements;
    return t->row == NAMES_ABSENT ? stored : packed_elements(m, t->row, stored);
}

/* True if the tensor copies one that is already counted. DeepSeek's MTP layer, an `extra` block, stores
 * embedding and head again. */
static bool is_copy(const struct model *m, uint32_t tensor)
{
    const struct tensor_match *t = &m->inner->match.tensors[tensor];
    if (t->cause == CAUSE_TIED_COPY || t->cause == CAUSE_REPEATED) return true;
    return t->cause == CAUSE_EXTRA && t->row != NAMES_ABSENT && model_site(m, t->row)->tied;
}

bool counts_make(struct model *m, numel_error *e)
{
    struct counts *c = &m->counts;
    *c = (struct counts){ .stored = m->ck->stored };
    for (uint32_t i = 0; i < m->ck->registry.count; i++) {
        uint64_t n = model_logical(m, i);
        if (!num_add(&c->logical, c->logical, n))
            return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                             "the sums of the statement do not fit in 64 bits");
        c->unique += is_copy(m, i) ? 0 : n;
        if (cause_is_buffer((enum cause)m->inner->match.tensors[i].cause))
            c->buffers += m->ck->registry.tensors[i].elements;
    }
    return count_parameters(m, e);
}
