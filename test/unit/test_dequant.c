/*
 * test_dequant.c -- the numbers of blocks: 512 random blocks of each type, equal to the last bit to those of
 * gguf's own code (fixtures/dequant/gguf.tsv, by test/gen/dequant_cases.py); a few by hand; that the rows agree
 * with the tables of types and scales; and which packed weights can be computed (test/cli/diff_packed.t has
 * their numbers).
 */
#include "../support/t.h"

#include "base/num.h"
#include "content/dequant.h"
#include "content/scan.h"
#include "content/unpack.h"
#include "formula/layout.h"
#include "registry/dtype.h"

#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 512 };

static uint64_t fnv(uint64_t h, uint8_t byte) { return (h ^ byte) * 0x100000001B3u; }

/* Clears the highest exponent bit of a block's scales. */
static void make_finite(const struct scanner *s, uint8_t *block)
{
    enum { F16, F32, IQ1_M, E8M0, UE4M3 };
    if (s->scale_form == F16)
        for (unsigned k = 0; k < s->scale_count; k++) block[s->scale_at + 2 * k + 1] &= 0xBF;
    if (s->scale_form == F32) block[s->scale_at + 3] &= 0xBF;
    if (s->scale_form == IQ1_M) block[s->scale_at + 7] &= 0xBF;
}

static uint64_t hash_of(const struct decoder *how)
{
    numel_dtype type = { .name = how->type };
    const struct scanner *s = scan_find(&type);
    uint64_t state = 1, hash = 0xCBF29CE484222325u;
    size_t bytes = (size_t)BLOCKS * how->bytes, n = (size_t)BLOCKS * how->elements;
    uint8_t *p = malloc(bytes);
    float *out = malloc(n * sizeof *out);
    assert_true(s && p && out);
    for (size_t i = 0; i < bytes; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        p[i] = (uint8_t)(state >> 56);
    }
    for (size_t i = 0; i < BLOCKS; i++) make_finite(s, p + i * how->bytes);
    decode_single(how, p, n, out);
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &out[i], sizeof bits);
        for (unsigned k = 0; k < 4; k++) hash = fnv(hash, (uint8_t)(bits >> 8 * k));
    }
    free(p);
    free(out);
    return hash;
}

static void equals_the_library(void **state)
{
    (void)state;
    char name[32], line[128];
    unsigned long long hash;
    int failed = 0;
    size_t rows = 0;
    FILE *f = fopen("fixtures/dequant/gguf.tsv", "r");
    assert_non_null(f);
    for (; fgets(line, sizeof line, f); rows++) {
        assert_int_equal(sscanf(line, "%31s %llx", name, &hash), 2);
        numel_dtype type = { .name = name };
        const struct decoder *how = dequant_find(&type);
        ROW(failed, how && hash_of(how) == hash, "%s", name);
    }
    fclose(f);
    assert_int_equal(failed, 0);
    assert_int_equal(rows, dequant_count());
}

/* d = 0x3800 is 0.5, so a Q8_0 value of -3 is -1.5 and a Q4_0 nibble of 1 is (1 - 8) * 0.5. */
static void by_hand(void **state)
{
    (void)state;
    uint8_t q8[34] = { 0x00, 0x38, 0xFD }, q4[18] = { 0x00, 0x38, 0xF1 };
    float out[32];
    numel_dtype a = { .name = "Q8_0" }, b = { .name = "Q4_0" }, fork = { .name = "Q6_0" };
    decode_single(dequant_find(&a), q8, 32, out);
    assert_true(out[0] == -1.5F && out[1] == 0);
    decode_single(dequant_find(&b), q4, 32, out);
    assert_true(out[0] == -3.5F && out[16] == 3.5F && out[1] == -4);
    assert_null(dequant_find(&fork));
}

/* Doubles are the same numbers, also in a run longer than a step. */
static void as_doubles(void **state)
{
    (void)state;
    enum { N = 3 * DECODE_STEP + 32 };
    static uint8_t p[N / 32 * 34];
    static float single[N];
    static double wide[N];
    numel_dtype type = { .name = "Q8_0" };
    for (size_t i = 0; i < sizeof p; i++) p[i] = (uint8_t)(i % 34 == 1 ? 0x3C : i * 7);
    decode_single(dequant_find(&type), p, N, single);
    decode_double(dequant_find(&type), p, N, wide);
    for (size_t i = 0; i < N; i++) assert_true(wide[i] == (double)single[i]);
}

static void agrees_with_tables(void **state)
{
    (void)state;
    int failed = 0;
    for (size_t i = 0; i < dequant_count(); i++) {
        const struct decoder *how = dequant_at(i);
        const numel_dtype *type = NULL;
        for (size_t k = 0; k < dtype_count(); k++)
            if (strcmp(dtype_at(k)->name, how->type) == 0) type = dtype_at(k);
        ROW(failed, type && type->block_bytes == how->bytes && type->block_elements == how->elements, "%s",
            how->type);
        ROW(failed, DECODE_STEP % how->elements == 0 && decode_find(type) == NULL, "%s", how->type);
    }
    assert_int_equal(failed, 0);
}

/* Every method that a layout names exists, and every method is named. */
static void methods_of_layouts(void **state)
{
    (void)state;
    static const char *const all[] = { "scaled", "int8", "gptq", "gptq_v2", "awq", "bnb4", "mlx", "pack" };
    bool named[ROWS_OF(all)] = { false };
    struct library *l;
    numel_error e = { 0 };
    int failed = 0;
    assert_true(library_open(&l, &memory_malloc, &e) && library_layouts(l, &e));
    for (size_t i = 0; i < l->layout_count; i++)
        for (unsigned k = 0; k < l->layouts[i]->unpack_count; k++) {
            const char *method = l->layouts[i]->unpacks[k].method;
            ROW(failed, unpack_method(method) != NULL, "%s: %s", l->layouts[i]->name, method);
            for (size_t m = 0; m < ROWS_OF(all); m++) named[m] |= strcmp(all[m], method) == 0;
        }
    for (size_t m = 0; m < ROWS_OF(all); m++) ROW(failed, named[m] && unpack_method(all[m]), "%s", all[m]);
    assert_null(unpack_method("gpt"));
    library_free(l);
    assert_int_equal(failed, 0);
}

/* A view needs types that its method reads, and rows that fit in memory. */
static void views_are_refused(void **state)
{
    (void)state;
    const numel_dtype i32 = { .name = "I32" }, f16 = { .name = "F16" }, u8 = { .name = "U8" };
    numel_tensor q = { .dtype = &i32 }, z = { .dtype = &i32 }, s = { .dtype = &f16 };
    const struct unpack good = { .method = unpack_method("gptq"),
                                 .stack = 1,
                                 .out = 64,
                                 .in = 128,
                                 .bits = 4,
                                 .group = 32,
                                 .value = &q,
                                 .zero = &z,
                                 .scale = &s };
    struct unpack u = good;
    assert_true(unpack_ready(&u) && u.scratch > 0);
    u.bits = 9;
    assert_false(unpack_ready(&u));
    u = good;
    u.zero = NULL;
    assert_false(unpack_ready(&u));
    u = good;
    u.in = (uint64_t)1 << 40;
    assert_false(unpack_ready(&u));
    u = good;
    z.dtype = &u8;
    assert_false(unpack_ready(&u));
    z.dtype = &i32;
    assert_true(unpack_ready(&u));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_library), cmocka_unit_test(by_hand),
        cmocka_unit_test(as_doubles),         cmocka_unit_test(agrees_with_tables),
        cmocka_unit_test(methods_of_layouts), cmocka_unit_test(views_are_refused)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
