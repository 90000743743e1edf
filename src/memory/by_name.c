/* by_name.c -- see by_name.h. */
#include "memory/by_name.h"

#include "base/num.h"
#include "base/text.h"

static const char *const projections[] = {
    "*.k_proj.weight", "*.v_proj.weight", "*.attn_k.weight", "*.attn_v.weight",
    "*.key.weight",    "*.value.weight",  "*.wk.weight",     "*.wv.weight",
};

static bool is_projection(numel_str name, bool *key)
{
    for (size_t i = 0; i < sizeof projections / sizeof *projections; i++)
        if (text_glob(projections[i], name)) return *key = i % 2 == 0, true;
    return false;
}

bool memory_by_name(struct memory *m, numel_error *e)
{
    const struct registry *r = &m->handle->ck->registry;
    uint64_t keys = 0, values = 0, sum = 0;
    for (size_t i = 0; i < r->count; i++) {
        const numel_tensor *t = &r->tensors[i];
        bool key;
        if (t->ndim != 2 || !is_projection(t->name, &key)) continue;
        *(key ? &keys : &values) += 1;
        if (!num_add(&sum, sum, t->dims[0]))
            return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the cache does not fit in 64 bits");
    }
    if (!keys || keys != values) return true;
    m->by_name = m->cache_known = true;
    m->inferred_token = sum;
    m->inferred_layers = keys;
    m->layers[0] = (struct cache_layers){ LAYER_FULL, -1, keys };
    m->layer_count = 1;
    return true;
}

bool memory_by_name_cache(const struct memory *m, const struct memory_run *run, struct cache_bytes *out,
                          numel_error *e)
{
    const struct kv_type *t = run->k;
    uint64_t n = m->inferred_token, tokens = run->context;
    if (run->runtime == RUNTIME_LLAMA_CPP && !num_align(&tokens, tokens, 256)) tokens = UINT64_MAX;
    if (n % t->elements)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "rows are not a whole number of %s blocks",
                         t->name);
    if (!num_mul(&out->next, n / t->elements, t->bytes) || !num_mul(&tokens, tokens, run->batch) ||
        !num_mul(&out->bytes, out->next, tokens) || !num_mul(&out->total, n, tokens))
        return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the cache does not fit in 64 bits");
    out->elements[CACHE_K] = out->total / 2;
    out->elements[CACHE_V] = out->total - out->total / 2;
    return true;
}
