/*
 * contradiction.c -- configurations whose layers no class can run: unknown sorts of layers, a wrong number of
 * them, windowed layers without a window size, heads that do not divide. A specification may still count
 * them, but their cache is unknown and has no number.
 */
#include "memory/memory.h"

#include "base/text.h"

NUMEL_MUST static bool refuse(struct memory *m, const char *why, numel_error *e)
{
    m->cache_why = why;
    return why || error_nomem(e);
}

static bool is_declared(const struct value *v, enum value_kind kind)
{
    return v->kind == kind && (v->evidence == EVIDENCE_DECLARED || v->evidence == EVIDENCE_SET);
}

/* True for names that transformers uses, including those in earlier releases. */
static bool is_sort(const struct value *v)
{
    static const char sorts[] =
        "full_attention sliding_attention chunked_attention window_attention indexed_attention "
        "compressed_sparse_attention heavily_compressed_attention minimax_m3_sparse conv moe hybrid "
        "hybrid_sliding reference_sliding_attention linear_attention mamba attention mlp "
        "deepseek_sparse_attention qwen_sparse_attention";
    return v->kind == VALUE_TEXT && text_lists(text_of(sorts), v->s);
}

/* Checks that there are as many entries as layers; prediction layers may follow. */
NUMEL_MUST static bool check_count(struct memory *m, size_t place, uint64_t listed, numel_error *e)
{
    struct value layers, more;
    if (!memory_value(m, place, "num_hidden_layers", &layers, e) ||
        !memory_value(m, place, "num_nextn_predict_layers", &more, e))
        return false;
    if (layers.kind != VALUE_INT || layers.i < 0 || listed == (uint64_t)layers.i) return true;
    if (more.kind == VALUE_INT && more.i > 0 && listed == (uint64_t)layers.i + (uint64_t)more.i) return true;
    return refuse(m,
                  arena_format(m->arena, "layer_types lists %" PRIu64 " layers, and there are %" PRIu64,
                               listed, (uint64_t)layers.i),
                  e);
}

static bool lists(const struct value *types, const char *sort)
{
    for (uint64_t i = 0; i < types->list.n; i++)
        if (text_equal(types->list.items[i].s, sort)) return true;
    return false;
}

/* Checks that windowed layers have a window size, stated or by the class's default; without one,
 * transformers cannot make their cache. */
NUMEL_MUST static bool check_window(struct memory *m, size_t place, const struct value *types, numel_error *e)
{
    static const struct {
        const char *sort, *keys[4];
    } windows[] = {
        { "sliding_attention", { "sliding_window", "sliding_window_size", "local_attention", NULL } },
        { "chunked_attention", { "attention_chunk_size", NULL } },
    };
    for (size_t i = 0; i < sizeof windows / sizeof *windows && !m->cache_why; i++) {
        const char *const *keys = windows[i].keys;
        struct value v = value_null(), used;
        if (!lists(types, windows[i].sort)) continue;
        for (size_t k = 0; keys[k] && v.kind != VALUE_INT; k++)
            if (!memory_value(m, place, keys[k], &v, e)) return false;
        if (!memory_value(m, place, "use_sliding_window", &used, e)) return false;
        if (v.kind == VALUE_INT && (i || used.kind != VALUE_BOOL || used.b)) continue;
        if (!refuse(m,
                    arena_format(m->arena, "layer_types has %s, and %s %s", windows[i].sort,
                                 v.kind == VALUE_INT ? "use_sliding_window" : keys[0],
                                 v.kind == VALUE_INT ? "is false" : "says no window"),
                    e))
            return false;
    }
    return true;
}

NUMEL_MUST static bool check_types(struct memory *m, size_t place, numel_error *e)
{
    struct value types;
    char shown[VALUE_SHOW];
    if (!memory_value(m, place, "layer_types", &types, e)) return false;
    if (!is_declared(&types, VALUE_LIST) || !types.list.items) return true;
    for (uint64_t i = 0; i < types.list.n; i++)
        if (!is_sort(&types.list.items[i]))
            return refuse(m,
                          arena_format(m->arena, "layer_types: %s is no sort of layer that is known",
                                       value_show(shown, &types.list.items[i])),
                          e);
    return check_count(m, place, types.list.n, e) && (m->cache_why || check_window(m, place, &types, e));
}

NUMEL_MUST static bool check_heads(struct memory *m, size_t place, numel_error *e)
{
    struct value heads, shared;
    if (!memory_value(m, place, "num_attention_heads", &heads, e) ||
        !memory_value(m, place, "num_key_value_heads", &shared, e))
        return false;
    if (heads.kind != VALUE_INT || !is_declared(&shared, VALUE_INT) || shared.i < 1 ||
        heads.i % shared.i == 0)
        return true;
    return refuse(m,
                  arena_format(m->arena, "%" PRId64 " heads cannot share %" PRId64 " of keys and values",
                               heads.i, shared.i),
                  e);
}

bool memory_contradiction(struct memory *m, numel_error *e)
{
    if (m->handle->model->side != SIDE_HF) return true;
    for (size_t p = 0; p < MEMORY_PLACES && !m->cache_why; p++)
        if (!check_types(m, p, e) || (!m->cache_why && !check_heads(m, p, e))) return false;
    return true;
}
