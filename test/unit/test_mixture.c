/*
 * test_mixture.c -- recipes of llama-quantize for each tensor, and the histogram of types by part and
 * layer. The expected types are derived a second time from llama.cpp's rules, as cases.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/text.h"
#include "registry/dtype.h"
#include "registry/mixture.h"

#include <stdlib.h>

struct room {
    struct arena arena;
    struct registry r;
    struct metadata m;
    struct mixture x;
    numel_error e;
};

static void open_room(struct room *x, const numel_allocator *m)
{
    error_clear(&x->e);
    arena_init(&x->arena, m);
    registry_init(&x->r, &x->arena);
    metadata_init(&x->m, m);
    POISON(x->x);
}

static void close_room(struct room *x)
{
    registry_done(&x->r);
    metadata_done(&x->m);
    arena_done(&x->arena);
}

static const numel_dtype *type_of(const char *name)
{
    for (size_t i = 0; i < dtype_count(); i++)
        if (dtype_at(i)->in_formats & NUMEL_GGUF && strcmp(dtype_at(i)->name, name) == 0) return dtype_at(i);
    return NULL;
}

/* "blk.0.attn_q.weight Q4_K 4x256", dims outermost first, at most three. */
static numel_tensor tensor_of(const char *text, char name[64], uint64_t dims[3])
{
    char type[16], shape[32];
    numel_tensor t = { .dims = dims, .elements = 1 };
    assert_int_equal(sscanf(text, "%63s %15s %31s", name, type, shape), 3);
    for (char *p = shape; *p;) {
        dims[t.ndim] = strtoull(p, &p, 10);
        t.elements *= dims[t.ndim++];
        if (*p == 'x') p++;
    }
    t.name = text_of(name);
    t.dtype = type_of(type);
    assert_non_null(t.dtype);
    t.bytes = t.elements / t.dtype->block_elements * t.dtype->block_bytes;
    return t;
}

/* ---- recipes ------------------------------------------------------------------------------ */

static const struct {
    unsigned id;
    uint64_t experts;
    const char *tensor;
    enum file_type_fit fit;
} cases[] = {
    /* Q4_K_M: attn_v and ffn_down partly in Q6_K; fused q, k and v are treated like v, and so is kv_b */
    { 15, 0, "blk.0.attn_q.weight Q4_K 256x256", FILE_TYPE_BASE },
    { 15, 0, "blk.0.attn_q.weight Q6_K 256x256", FILE_TYPE_ODD },
    { 15, 0, "blk.0.attn_v.weight Q6_K 256x256", FILE_TYPE_MIXED },
    { 15, 0, "blk.0.attn_qkv.weight Q6_K 256x256", FILE_TYPE_MIXED },
    { 15, 0, "blk.0.attn_kv_b.weight Q6_K 256x256", FILE_TYPE_MIXED },
    { 15, 0, "blk.0.attn_kv_a_mqa.weight Q6_K 256x256", FILE_TYPE_ODD },
    { 15, 0, "blk.0.ffn_down_exps.weight Q6_K 4x256x256", FILE_TYPE_MIXED },
    { 15, 0, "blk.0.ffn_up_exps.weight Q6_K 4x256x256", FILE_TYPE_ODD },
    { 15, 0, "blk.0.attn_v.weight Q8_0 256x256", FILE_TYPE_ODD },
    /* eight experts per layer: k and v in Q8_0, o in Q5_K */
    { 15, 8, "blk.0.attn_v.weight Q8_0 256x256", FILE_TYPE_MIXED },
    { 15, 8, "blk.0.attn_k.weight Q8_0 256x256", FILE_TYPE_MIXED },
    { 15, 8, "blk.0.attn_output.weight Q5_K 256x256", FILE_TYPE_MIXED },
    { 15, 8, "blk.0.attn_q.weight Q8_0 256x256", FILE_TYPE_ODD },
    /* rows that are not a whole number of blocks: 320 = 256 + 64, 2880 = 11 x 256 + 64, 40 = 32 + 8 */
    { 15, 0, "blk.0.attn_q.weight Q5_0 256x320", FILE_TYPE_BASE },
    { 15, 0, "blk.0.ffn_down.weight Q8_0 256x2880", FILE_TYPE_MIXED },
    { 15, 0, "blk.0.attn_q.weight F16 256x40", FILE_TYPE_BASE },
    { 15, 0, "blk.0.attn_q.weight Q5_0 256x512", FILE_TYPE_ODD },
    { 10, 0, "blk.0.attn_q.weight Q4_0 256x320", FILE_TYPE_BASE },
    { 10, 0, "blk.0.attn_q.weight IQ4_NL 256x320", FILE_TYPE_BASE },
    /* others */
    { 12, 0, "blk.0.attn_output.weight Q4_K 256x256", FILE_TYPE_MIXED },
    { 11, 0, "blk.0.attn_output.weight Q4_K 256x256", FILE_TYPE_ODD },
    { 22, 0, "blk.0.ffn_gate.weight IQ3_XXS 256x256", FILE_TYPE_MIXED },
    { 22, 0, "blk.0.ffn_down.weight IQ3_XXS 256x256", FILE_TYPE_ODD },
    { 24, 0, "blk.0.attn_output.weight IQ2_XXS 256x256", FILE_TYPE_MIXED },
    { 2, 0, "blk.0.ffn_down.weight Q4_1 256x256", FILE_TYPE_MIXED },
    { 2, 0, "blk.0.ffn_up.weight Q4_1 256x256", FILE_TYPE_ODD },
    { 28, 0, "blk.0.ffn_up.weight IQ2_XS 256x256", FILE_TYPE_BASE },
    { 28, 0, "blk.0.ffn_up.weight IQ2_S 256x256", FILE_TYPE_BASE },
    { 38, 4, "blk.0.ffn_up_exps.weight MXFP4 4x256x256", FILE_TYPE_BASE },
    { 38, 4, "blk.0.attn_q.weight Q8_0 256x256", FILE_TYPE_MIXED },
    { 38, 4, "blk.0.attn_q.weight BF16 256x256", FILE_TYPE_ODD },
    /* plain: a converter keeps some in F32, and copies existing blocks */
    { 1, 0, "blk.0.attn_q.weight F16 256x256", FILE_TYPE_BASE },
    { 1, 0, "blk.0.attn_q.weight F32 256x256", FILE_TYPE_KEPT },
    { 1, 0, "blk.0.attn_q.weight BF16 256x256", FILE_TYPE_ODD },
    { 32, 0, "blk.0.ffn_up_exps.weight NVFP4 4x256x256", FILE_TYPE_MIXED },
    { 32, 0, "blk.0.ffn_up_exps.weight Q8_0 4x256x256", FILE_TYPE_ODD },
    { 0, 0, "blk.0.ffn_up_exps.weight MXFP4 4x256x256", FILE_TYPE_ODD },
    /* outside recipes, whatever their type */
    { 15, 0, "output.weight Q8_0 256x256", FILE_TYPE_APART },
    { 15, 0, "token_embd.weight F16 256x256", FILE_TYPE_APART },
    { 15, 0, "per_layer_token_embd.weight F16 256x256", FILE_TYPE_APART },
    { 15, 0, "blk.0.attn_norm.weight F32 256", FILE_TYPE_APART },
    { 15, 0, "blk.0.attn_q_norm.weight F32 4x256", FILE_TYPE_APART },
    { 15, 0, "blk.0.ffn_gate_inp.weight F32 4x256", FILE_TYPE_APART },
    { 15, 0, "blk.0.ffn_up_exps.bias F32 4x256", FILE_TYPE_APART },
    { 15, 0, "blk.0.ssm_conv1d.weight F32 4x256", FILE_TYPE_APART },
    { 15, 0, "blk.0.time_mix_w1.weight F32 4x256", FILE_TYPE_APART },
    { 15, 0, "position_embd.weight F32 4x256", FILE_TYPE_APART },
    { 15, 0, "blk.0.attn_q.weight F32 1x1x256", FILE_TYPE_APART }, /* ggml has no outer dimensions of 1 */
};

static void test_fits(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t r = 0; r < ROWS_OF(cases); r++) {
        char name[64];
        uint64_t dims[3];
        numel_tensor t = tensor_of(cases[r].tensor, name, dims);
        const struct file_type *f = file_type_find(cases[r].id);
        assert_non_null(f);
        enum file_type_fit fit = file_type_fit(f, &t, cases[r].experts);
        ROW(failed, fit == cases[r].fit, "%s in %s: %d", cases[r].tensor, f->name, (int)fit);
    }
    assert_int_equal(failed, 0);
}

/* Every number has a GGUF type, and no number occurs twice. */
static void test_numbers(void **state)
{
    static const unsigned none[] = { 4, 5, 6, 42, 1024, 1025 };
    (void)state;
    for (unsigned id = 0; id <= 41; id++) {
        const struct file_type *f = file_type_find(id);
        if (id >= 4 && id <= 6) continue;
        assert_non_null(f);
        assert_int_equal(f->id, id);
        assert_non_null(type_of(f->type));
    }
    for (size_t i = 0; i < ROWS_OF(none); i++) assert_null(file_type_find(none[i]));
}

/* ---- the histogram ------------------------------------------------------------------------ */

static bool add(struct room *x, const char *text)
{
    char name[64];
    uint64_t dims[3];
    numel_tensor t = tensor_of(text, name, dims);
    t.name.p = arena_text(&x->arena, name, t.name.n);
    t.dims = arena_copy(&x->arena, dims, sizeof dims);
    return t.name.p && t.dims && registry_add(&x->r, &t, &x->e);
}

static const char *const model[] = {
    "token_embd.weight Q6_K 4x256",
    "output_norm.weight F32 256",
    "blk.0.attn_v.weight Q6_K 2x256",
    "blk.1.attn_v.weight Q4_K 2x256",
    "blk.10.attn_v.weight Q6_K 2x256",
    "blk.2.attn_v.weight Q4_K 2x256",
    "blk.0.ffn_up.weight Q4_K 8x256",
    "blk.1.ffn_up.weight Q4_K 8x256",
    "blk.0.ffn_up.0.weight Q8_0 1x2x256",
    "blk.0.ffn_up.1.weight Q8_0 1x2x256",
    "v.blk.3.attn_q.weight F16 4x256",
    "blk.0.attn_norm.weight F32 256",
    "blk.weight Q4_0 2x32",
    "1.2.weight Q4_0 2x32",
};

static bool fill(struct room *x)
{
    size_t first, second;
    for (size_t i = 0; i < ROWS_OF(model); i++)
        if (!add(x, model[i])) return false;
    return registry_commit(&x->r, &first, &second, &x->e);
}

static void tell(const struct mixture *x, char *text, size_t size)
{
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < x->count; i++) {
        const struct mixture_part *p = &x->parts[i];
        n += (size_t)snprintf(text + n, size - n, "%.*s %s %" PRIu64 "/%" PRIu64 " %" PRIu64, (int)p->part.n,
                              p->part.p, p->type, p->tensors, p->of, p->elements);
        for (uint64_t k = 0; k < p->layer_count; k++)
            n += (size_t)snprintf(text + n, size - n, "%c%" PRIu64, k ? ',' : ' ', p->layers[k]);
        n += (size_t)snprintf(text + n, size - n, "\n");
    }
}

static void test_histogram(void **state)
{
    struct room x;
    char told[1024];
    (void)state;
    open_room(&x, &memory_malloc);
    assert_true(fill(&x));
    assert_true(mixture_make(&x.x, &x.r, &x.m, &x.arena, &x.e));
    tell(&x.x, told, sizeof told);
    assert_string_equal(told, "*.* Q4_0 1/1 64 1\n"
                              "attn_v Q4_K 2/4 1024 1,2\n"
                              "attn_v Q6_K 2/4 1024 0,10\n"
                              "blk Q4_0 1/1 64\n"
                              "ffn_up Q4_K 2/2 4096 0,1\n"
                              "ffn_up.* Q8_0 2/2 1024 0\n"
                              "token_embd Q6_K 1/1 1024\n"
                              "v.blk.*.attn_q F16 1/1 1024 3\n");
    assert_string_equal(x.x.base, "Q4_K");
    /* all in blocks: 8 x 256 + 16 x 256 + 2 x 512 + 1024 + 2 x 64 elements */
    assert_int_equal(x.x.tensors, 11);
    assert_int_equal(x.x.elements, 2048 + 4096 + 1024 + 1024 + 128);
    close_room(&x);
}

static void test_no_memory(void **state)
{
    bool reached = true;
    (void)state;
    for (uint64_t k = 0; reached; k++) {
        struct check_memory m;
        struct room x;
        check_memory_init(&m, UINT64_MAX);
        open_room(&x, &m.allocator);
        assert_true(fill(&x));
        m.fail_at = m.calls + k;
        bool ok = mixture_make(&x.x, &x.r, &x.m, &x.arena, &x.e);
        reached = m.calls > m.fail_at;
        assert_int_equal(ok, !reached);
        if (!ok) assert_int_equal(x.e.code, NUMEL_E_NOMEM);
        close_room(&x);
        assert_int_equal(m.outstanding, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fits),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_histogram),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
