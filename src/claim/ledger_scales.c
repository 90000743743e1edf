/*
 * ledger_scales.c -- scales that a quantizer would write, from a configuration alone.
 *
 * fp8 (DeepSeek): one scale for each block of weight_block_size of a linear layer's weight, those of
 * prediction layers too; embeddings, head and routers are left as they are. mxfp4 (gpt-oss): one for 32
 * values of an expert's weight, two of which share a byte. Others tell their scales by no such rule.
 */
#include "claim/ledger_parts.h"

#include "base/num.h"

struct method {
    const char *name;
    /* Scales of one tensor of a site, *raw: elements that its values are stored in. */
    bool (*scales)(const struct ledger *l, const struct site *s, uint64_t *scales, uint64_t *raw);
};

static bool ask(const struct ledger *l, const char *key, struct value *v)
{
    numel_str path = text_of(key);
    numel_error ignored;
    error_clear(&ignored);
    return config_value(l->u->config, l->u->spec, SIDE_HF, &path, 1, v, &ignored);
}

static bool block_size(const struct ledger *l, uint64_t block[2])
{
    struct value v;
    if (!ask(l, "quantization_config.weight_block_size", &v) || v.kind != VALUE_LIST ||
        v.list.n != 2 || !v.list.items)
        return false;
    for (int i = 0; i < 2; i++) {
        if (v.list.items[i].kind != VALUE_INT || v.list.items[i].i <= 0) return false;
        block[i] = (uint64_t)v.list.items[i].i;
    }
    return true;
}

static uint64_t blocks(uint64_t n, uint64_t of) { return n / of + (n % of != 0); }

static bool starts(numel_str s, const char *with)
{
    return s.n >= strlen(with) && memcmp(s.p, with, strlen(with)) == 0;
}

static bool fp8(const struct ledger *l, const struct site *s, uint64_t *scales, uint64_t *raw)
{
    uint64_t block[2];
    bool plain = s->turn && s->kind == TENSOR_LIN && s->part == PART_WEIGHT && !s->tied &&
                 s->ndim - s->stacked == 2 && !starts(s->role, "router") && !starts(s->role, "mtp.");
    if (!plain || !block_size(l, block)) return false;
    const uint64_t *dims = s->dims + s->stacked;
    *raw = s->elements;
    return num_mul(scales, blocks(dims[0], block[0]), blocks(dims[1], block[1])) &&
           num_mul(scales, *scales, s->stacked ? s->stack : 1);
}

static bool mxfp4(const struct ledger *l, const struct site *s, uint64_t *scales, uint64_t *raw)
{
    (void)l;
    bool expert = starts(s->role, "expert.") && s->part == PART_WEIGHT && s->ndim == 3;
    *scales = s->elements / 32;
    *raw = s->elements / 2;
    return expert && s->elements % 32 == 0;
}

static const struct method methods[] = { { "fp8", fp8 }, { "mxfp4", mxfp4 } };

static void pack_entry(struct ledger *l, const struct site *s, uint64_t less)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->entries[i].line == s->line && text_same(l->entries[i].role, s->role) &&
            l->entries[i].raw >= less) {
            l->entries[i].raw -= less;
            return;
        }
}

static bool add_scales(struct ledger *l, const struct method *m, numel_error *e)
{
    const struct expansion *x = l->u->x;
    uint64_t sum = 0, tensors = 0, one, raw;
    for (size_t i = 0; i < x->site_count; i++) {
        const struct site *s = &x->sites[i];
        bool chosen = s->group == NO_GROUP || x->groups[s->group].chosen == s->alternative;
        if (!chosen || !m->scales(l, s, &one, &raw)) continue;
        if (raw < s->elements) pack_entry(l, s, (s->elements - raw) * s->rows);
        if (!num_mul(&one, one, s->rows) || !num_add(&sum, sum, one))
            return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the scales do not fit in 64 bits");
        tensors += s->rows;
    }
    struct entry *n = sum ? ledger_entry(l, e) : NULL;
    if (!sum) return true;
    if (!n) return false;
    n->role = text_of("by quantization_config"); /* no names: a file would have them */
    n->traits = TRAIT_SCALE;
    n->tensors = tensors;
    n->elements = n->full = n->raw = sum;
    return true;
}

bool ledger_scales(struct ledger *l, numel_error *e)
{
    struct value v;
    if (!ask(l, "quantization_config.quant_method", &v) || v.kind != VALUE_TEXT) return true;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (text_equal(v.s, methods[i].name)) return add_scales(l, &methods[i], e);
    return true;
}
