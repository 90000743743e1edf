/*
 * test_dtype.c -- the sizes of element types, stated a second time and in another way.
 *
 * A block is written as the sum of its fields, as ggml-common.h declares the struct, so that an error
 * copied from another table does not pass. fixtures/good/gguf/every-type.hex states them a third time, as
 * offsets. A type that is in the table but not here is a failure.
 */
#include "../support/t.h"

#include "base/text.h"
#include "registry/dtype.h"

enum { HALF = 2, FLOAT = 4, E8M0 = 1, K = 256 }; /* K: elements of a super-block */

struct row {
    int32_t id;
    const char *name;
    uint32_t elements, bytes, row_bytes;
    enum numel_standing standing;
};

static const struct row gguf[] = {
    { 0, "F32", 1, 4, 0, NUMEL_KNOWN },
    { 1, "F16", 1, 2, 0, NUMEL_KNOWN },
    { 2, "Q4_0", 32, HALF + 32 / 2, 0, NUMEL_KNOWN },                           /* d, qs */
    { 3, "Q4_1", 32, HALF + HALF + 32 / 2, 0, NUMEL_KNOWN },                    /* d, m, qs */
    { 6, "Q5_0", 32, HALF + 4 + 32 / 2, 0, NUMEL_KNOWN },                       /* d, qh, qs */
    { 7, "Q5_1", 32, HALF + HALF + 4 + 32 / 2, 0, NUMEL_KNOWN },                /* d, m, qh, qs */
    { 8, "Q8_0", 32, HALF + 32, 0, NUMEL_KNOWN },                               /* d, qs */
    { 9, "Q8_1", 32, HALF + HALF + 32, 0, NUMEL_KNOWN },                        /* d, s, qs */
    { 10, "Q2_K", K, K / 16 + K / 4 + HALF + HALF, 0, NUMEL_KNOWN },            /* scales, qs, d, dmin */
    { 11, "Q3_K", K, K / 8 + K / 4 + 12 + HALF, 0, NUMEL_KNOWN },               /* hmask, qs, scales, d */
    { 12, "Q4_K", K, HALF + HALF + 12 + K / 2, 0, NUMEL_KNOWN },                /* d, dmin, scales, qs */
    { 13, "Q5_K", K, HALF + HALF + 12 + K / 8 + K / 2, 0, NUMEL_KNOWN },        /* ... qh, qs */
    { 14, "Q6_K", K, K / 2 + K / 4 + K / 16 + HALF, 0, NUMEL_KNOWN },           /* ql, qh, scales, d */
    { 15, "Q8_K", K, FLOAT + K + K / 16 * 2, 0, NUMEL_KNOWN },                  /* d, qs, bsums */
    { 16, "IQ2_XXS", K, HALF + K / 8 * 2, 0, NUMEL_KNOWN },                     /* d, qs */
    { 17, "IQ2_XS", K, HALF + K / 8 * 2 + K / 32, 0, NUMEL_KNOWN },             /* d, qs, scales */
    { 18, "IQ3_XXS", K, HALF + 3 * K / 8, 0, NUMEL_KNOWN },                     /* d, qs */
    { 19, "IQ1_S", K, HALF + K / 8 + K / 32 * 2, 0, NUMEL_KNOWN },              /* d, qs, qh */
    { 20, "IQ4_NL", 32, HALF + 32 / 2, 0, NUMEL_KNOWN },                        /* d, qs */
    { 21, "IQ3_S", K, HALF + K / 4 + K / 32 + K / 8 + K / 64, 0, NUMEL_KNOWN }, /* d qs qh signs scales */
    { 22, "IQ2_S", K, HALF + K / 4 + K / 32 + K / 32, 0, NUMEL_KNOWN },         /* d, qs, qh, scales */
    { 23, "IQ4_XS", K, HALF + 2 + K / 64 + K / 2, 0, NUMEL_KNOWN },             /* d, scales_h, _l, qs */
    { 24, "I8", 1, 1, 0, NUMEL_KNOWN },
    { 25, "I16", 1, 2, 0, NUMEL_KNOWN },
    { 26, "I32", 1, 4, 0, NUMEL_KNOWN },
    { 27, "I64", 1, 8, 0, NUMEL_KNOWN },
    { 28, "F64", 1, 8, 0, NUMEL_KNOWN },
    { 29, "IQ1_M", K, K / 8 + K / 16 + K / 32, 0, NUMEL_KNOWN }, /* qs, qh, scales */
    { 30, "BF16", 1, 2, 0, NUMEL_KNOWN },
    { 34, "TQ1_0", K, (K - 4 * K / 64) / 5 + K / 64 + HALF, 0, NUMEL_KNOWN }, /* qs, qh, d */
    { 35, "TQ2_0", K, K / 4 + HALF, 0, NUMEL_KNOWN },                         /* qs, d */
    { 39, "MXFP4", 32, E8M0 + 32 / 2, 0, NUMEL_KNOWN },                       /* e, qs */
    { 40, "NVFP4", 64, 64 / 16 + 64 / 2, 0, NUMEL_KNOWN },                    /* d[4], qs */
    { 41, "Q1_0", 128, HALF + 128 / 8, 0, NUMEL_KNOWN },                      /* d, qs */
    { 42, "Q2_0", 64, HALF + 64 / 4, 0, NUMEL_KNOWN },                        /* d, qs */
};

/* Bytes per block and per row, from the headers of ik_llama.cpp. */
/* clang-format off */
static const struct row forks[] = {
    { 97, NULL, 32, HALF + 32, 0, NUMEL_FORK },        { 98, NULL, 32, 4 + 32, 0, NUMEL_FORK },
    { 99, NULL, 32, 4 + 32, 0, NUMEL_FORK },           { 133, NULL, 32, 2 + 8 + 16, 0, NUMEL_FORK },
    { 134, NULL, 64, 12 + 1, 2, NUMEL_FORK },          { 135, NULL, 64, 16, 4, NUMEL_FORK },
    { 136, NULL, 64, 4 + 64, 0, NUMEL_FORK },          { 137, NULL, K, 2 + 2 + 8 + 64, 0, NUMEL_FORK },
    { 138, NULL, K, 110, 0, NUMEL_FORK },              { 139, NULL, K, 144, 0, NUMEL_FORK },
    { 140, NULL, K, 176, 0, NUMEL_FORK },              { 141, NULL, K, 212, 0, NUMEL_FORK },
    { 144, NULL, K, 8 + 128, 4, NUMEL_FORK },          { 145, NULL, K, 2 + 4 + 64, 2, NUMEL_FORK },
    { 146, NULL, K, 128, 4, NUMEL_FORK },              { 147, NULL, 64, 64, 20, NUMEL_FORK },
    { 148, NULL, K, 296, 0, NUMEL_FORK },              { 149, NULL, K, 296, 0, NUMEL_FORK },
    { 150, NULL, 128, 4 + 8 + 128, 0, NUMEL_FORK },    { 151, NULL, 32, 32, 8, NUMEL_FORK },
    { 152, NULL, K, 8 + 128 + 32, 4, NUMEL_FORK },     { 153, NULL, K, 68, 4, NUMEL_FORK },
    { 154, NULL, K, 100, 4, NUMEL_FORK },              { 155, NULL, K, 128, 4, NUMEL_FORK },
    { 156, NULL, K, 102, 2, NUMEL_FORK },              { 157, NULL, K, 86, 2, NUMEL_FORK },
    { 158, NULL, K, 56, 4, NUMEL_FORK },               { 202, NULL, 32, 18, 0, NUMEL_FORK },
    { 206, NULL, 32, 22, 0, NUMEL_FORK },              { 208, NULL, 32, 34, 0, NUMEL_FORK },
    { 210, NULL, K, 84, 0, NUMEL_FORK },               { 211, NULL, K, 110, 0, NUMEL_FORK },
    { 212, NULL, K, 144, 0, NUMEL_FORK },              { 213, NULL, K, 176, 0, NUMEL_FORK },
    { 214, NULL, K, 210, 0, NUMEL_FORK },              { 216, NULL, K, 66, 0, NUMEL_FORK },
    { 217, NULL, K, 74, 0, NUMEL_FORK },               { 218, NULL, K, 98, 0, NUMEL_FORK },
    { 219, NULL, 32, 6, 2, NUMEL_FORK },               { 220, NULL, 32, 18, 0, NUMEL_FORK },
    { 221, NULL, K, 110, 0, NUMEL_FORK },              { 222, NULL, K, 82, 0, NUMEL_FORK },
    { 223, NULL, K, 136, 0, NUMEL_FORK },              { 229, NULL, 32, 7, 2, NUMEL_FORK },
    { 230, NULL, 1, 2, 0, NUMEL_FORK },                { 233, NULL, 32, 26, 0, NUMEL_FORK },
    { 335, NULL, 64, 16, 4, NUMEL_FORK },              { 337, NULL, K, 76, 0, NUMEL_FORK },
    { 338, NULL, K, 110, 0, NUMEL_FORK },              { 339, NULL, K, 144, 0, NUMEL_FORK },
    { 340, NULL, K, 176, 0, NUMEL_FORK },              { 344, NULL, K, 136, 4, NUMEL_FORK },
    { 352, NULL, K, 168, 4, NUMEL_FORK },              { 353, NULL, 32, 17, 0, NUMEL_FORK },
    { 397, NULL, K, 258, 0, NUMEL_FORK },              { 398, NULL, 32, 32, 4, NUMEL_FORK },
    { 399, NULL, K, 258, 0, NUMEL_FORK },
};
/* clang-format on */

static const int32_t removed[] = { 4, 5, 31, 32, 33, 36, 37, 38 };

/* safetensors, tensor.rs: bits per element. */
/* clang-format off */
static const struct {
    const char *name;
    uint32_t bits;
} safetensors[] = {
    { "BOOL", 8 },        { "F4", 4 },          { "F6_E2M3", 6 },     { "F6_E3M2", 6 },
    { "U8", 8 },          { "I8", 8 },          { "F8_E5M2", 8 },     { "F8_E4M3", 8 },
    { "F8_E8M0", 8 },     { "F8_E4M3FNUZ", 8 }, { "F8_E5M2FNUZ", 8 }, { "I16", 16 },
    { "U16", 16 },        { "F16", 16 },        { "BF16", 16 },       { "I32", 32 },
    { "U32", 32 },        { "F32", 32 },        { "C64", 64 },        { "F64", 64 },
    { "I64", 64 },        { "U64", 64 },
};
/* clang-format on */

static unsigned check(const struct row *r)
{
    const numel_dtype *d = dtype_gguf((uint32_t)r->id);
    unsigned failed = 0;
    ROW(failed, d, "type %d is not in the table", r->id);
    if (!d) return failed;
    ROW(failed, d->gguf_id == r->id && d->in_formats & NUMEL_GGUF, "type %d: its id", r->id);
    ROW(failed, d->block_elements == r->elements && d->block_bytes == r->bytes,
        "type %d: %u/%u, wanted %u/%u", r->id, d->block_elements, d->block_bytes, r->elements, r->bytes);
    ROW(failed, d->row_bytes == r->row_bytes, "type %d: %u bytes a row", r->id, d->row_bytes);
    ROW(failed, d->standing == r->standing, "type %d: its standing", r->id);
    ROW(failed, !r->name || strcmp(d->name, r->name) == 0, "type %d: is named %s", r->id, d->name);
    return failed;
}

static void test_gguf(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(gguf); i++) failed += check(&gguf[i]);
    for (size_t i = 0; i < ROWS_OF(forks); i++) failed += check(&forks[i]);
    assert_int_equal(failed, 0);
}

static void test_removed(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS_OF(removed); i++) {
        const numel_dtype *d = dtype_gguf((uint32_t)removed[i]);
        assert_non_null(d);
        assert_int_equal(d->standing, NUMEL_REMOVED);
    }
    assert_null(dtype_gguf(43));
    assert_null(dtype_gguf(UINT32_MAX)); /* -1 marks types without an id */
}

static void test_safetensors(void **state)
{
    static const char *const unknown[] = { "", "E8M0", "FP4", "UE8", "f32", "F32 ", "Q4_K", "I4" };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(safetensors); i++) {
        const numel_dtype *d = dtype_safetensors(text_of(safetensors[i].name));
        ROW(failed, d && strcmp(d->name, safetensors[i].name) == 0, "%s", safetensors[i].name);
        ROW(failed,
            d && d->in_formats & NUMEL_SAFETENSORS && d->row_bytes == 0 &&
                d->block_bytes * 8 == d->block_elements * safetensors[i].bits,
            "%s: its size", safetensors[i].name);
    }
    for (size_t i = 0; i < ROWS_OF(unknown); i++)
        ROW(failed, !dtype_safetensors(text_of(unknown[i])), "'%s' is known", unknown[i]);
    ROW(failed, !dtype_safetensors((numel_str){ "F32\0", 4 }), "F32 with a NUL is known");
    assert_int_equal(failed, 0);
}

/* Only in PyTorch files: two halves, two doubles. */
static const struct {
    const char *name;
    unsigned bytes;
} pytorch[] = { { "C32", 2 + 2 }, { "C128", 8 + 8 } };

static bool is_listed(const numel_dtype *d)
{
    for (size_t i = 0; i < ROWS_OF(pytorch); i++)
        if (strcmp(d->name, pytorch[i].name) == 0)
            return d->block_elements == 1 && d->block_bytes == pytorch[i].bytes &&
                   d->in_formats == NUMEL_PYTORCH;
    for (size_t i = 0; i < ROWS_OF(gguf); i++)
        if (d->gguf_id == gguf[i].id) return true;
    for (size_t i = 0; i < ROWS_OF(forks); i++)
        if (d->gguf_id == forks[i].id) return true;
    for (size_t i = 0; i < ROWS_OF(removed); i++)
        if (d->gguf_id == removed[i]) return true;
    for (size_t i = 0; i < ROWS_OF(safetensors); i++)
        if (d->gguf_id < 0 && strcmp(d->name, safetensors[i].name) == 0) return true;
    return false;
}

/* Every row of the table has a second witness above, and names and ids are unique within a format. */
static void test_complete(void **state)
{
    unsigned failed = 0;
    (void)state;
    assert_null(dtype_at(dtype_count()));
    for (size_t i = 0; i < dtype_count(); i++) {
        const numel_dtype *a = dtype_at(i);
        ROW(failed, is_listed(a), "%s is not in this test", a->name);
        for (size_t k = 0; k < i; k++) {
            const numel_dtype *b = dtype_at(k);
            ROW(failed, strcmp(a->name, b->name) != 0, "the name %s is there twice", a->name);
            ROW(failed, a->gguf_id < 0 || a->gguf_id != b->gguf_id, "%s: its id is there twice", a->name);
        }
    }
    assert_int_equal(failed, 0);
}

/* Types that a weight may have: any float, any block; not integers or booleans. */
static void test_kinds(void **state)
{
    static const char *const integers[] = { "U8", "I8", "U16", "I16", "U32", "I32", "U64", "I64" };
    static const char *const others[] = { "BOOL", "C64", "C32", "C128" };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < dtype_count(); i++) {
        const numel_dtype *d = dtype_at(i);
        enum dtype_kind want = DTYPE_FLOAT;
        for (size_t k = 0; k < ROWS_OF(integers); k++)
            if (strcmp(d->name, integers[k]) == 0) want = DTYPE_INTEGER;
        for (size_t k = 0; k < ROWS_OF(others); k++)
            if (strcmp(d->name, others[k]) == 0) want = DTYPE_OTHER;
        ROW(failed, dtype_kind(d) == want, "%s is of kind %d", d->name, (int)dtype_kind(d));
    }
    numel_dtype unknown = { .name = "F7_NEW", .standing = NUMEL_UNKNOWN };
    assert_int_equal(dtype_kind(&unknown), DTYPE_UNKNOWN);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gguf),     cmocka_unit_test(test_removed), cmocka_unit_test(test_safetensors),
        cmocka_unit_test(test_complete), cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
