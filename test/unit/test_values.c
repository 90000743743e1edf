/*
 * test_values.c -- counts of values that are not numbers: each type's patterns by hand, every block type's
 * scales by their place in its struct, and whole files, cut into tasks, in several threads.
 *
 * For 16 bits and less, all patterns are compared with arithmetic that decodes them.
 */
#include "../support/t.h"

#include "base/num.h"
#include "content/scan.h"
#include "content/values.h"
#include "reader/checkpoint.h"
#include "registry/dtype.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static struct scan_counts scan(const char *type, const void *p, size_t bytes)
{
    struct scan_counts c = { 0 };
    numel_dtype d = { .name = type };
    const struct scanner *s = scan_find(&d);
    assert_non_null(s);
    assert_true(bytes % s->bytes == 0);
    s->scan(s, p, bytes / s->bytes, &c);
    return c;
}

/* `n` values of this machine in file order, low byte first. */
static void *stored(void *values, size_t n, size_t width)
{
    const uint16_t one = 1;
    if (*(const uint8_t *)&one == 1) return values;
    for (uint8_t *p = values; n--; p += width)
        for (size_t i = 0; i < width / 2; i++) {
            uint8_t b = p[i];
            p[i] = p[width - 1 - i];
            p[width - 1 - i] = b;
        }
    return values;
}

/* ---- floats ------------------------------------------------------------------------------- */

static double times_two_to(double v, int power)
{
    for (; power > 0; power--) v *= 2;
    for (; power < 0; power++) v /= 2;
    return v;
}

/* Value of a pattern with `e` exponent bits and `m` mantissa bits, by IEEE 754. */
static double decode(unsigned v, unsigned e, unsigned m)
{
    unsigned exponent = v >> m & ((1u << e) - 1), mantissa = v & ((1u << m) - 1);
    int bias = (1 << (e - 1)) - 1;
    if (exponent == (1u << e) - 1) return mantissa ? (double)NAN : (double)INFINITY;
    if (exponent) mantissa += 1u << m;
    return times_two_to(mantissa, (int)(exponent ? exponent : 1) - bias - (int)m);
}

static const struct {
    const char *type;
    unsigned bytes, exponent, mantissa;
} ieee[] = { { "F16", 2, 5, 10 }, { "BF16", 2, 8, 7 }, { "F8_E5M2", 1, 5, 2 } };

static void test_all_patterns(void **state)
{
    (void)state;
    int failed = 0;
    for (size_t i = 0; i < ROWS_OF(ieee); i++)
        for (unsigned v = 0; v < 1u << 8 * ieee[i].bytes; v++) {
            uint8_t raw[2] = { (uint8_t)v, (uint8_t)(v >> 8) };
            struct scan_counts c = scan(ieee[i].type, raw, ieee[i].bytes);
            double d = decode(v, ieee[i].exponent, ieee[i].mantissa);
            ROW(failed, c.nan == (isnan(d) != 0) && c.infinite == (isinf(d) != 0) && c.zero == (d == 0),
                "%s %04x", ieee[i].type, v);
        }
    assert_int_equal(failed, 0);
}

/* The OCP and FNUZ bytes: which are NaN, which are zero; none is infinite. */
static void test_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        int nan[2], zero[2];
    } rows[] = {
        { "F8_E4M3", { 0x7F, 0xFF }, { 0x00, 0x80 } },
        { "F8_E4M3FNUZ", { 0x80, -1 }, { 0x00, -1 } },
        { "F8_E5M2FNUZ", { 0x80, -1 }, { 0x00, -1 } },
        { "F8_E8M0", { 0xFF, -1 }, { -1, -1 } },
        { "U8", { -1, -1 }, { 0x00, -1 } },
    };
    int failed = 0;
    for (size_t i = 0; i < ROWS_OF(rows); i++)
        for (int v = 0; v < 256; v++) {
            uint8_t raw = (uint8_t)v;
            struct scan_counts c = scan(rows[i].type, &raw, 1);
            ROW(failed, c.nan == (v == rows[i].nan[0] || v == rows[i].nan[1]), "%s %02x", rows[i].type, v);
            ROW(failed, c.zero == (v == rows[i].zero[0] || v == rows[i].zero[1]), "%s %02x", rows[i].type, v);
            ROW(failed, c.infinite == 0, "%s %02x", rows[i].type, v);
        }
    assert_int_equal(failed, 0);
}

static void test_wide(void **state)
{
    (void)state;
    float f[] = { 0, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, -NAN, 1e-45f, 3.4e38f };
    double d[] = { 0, -0.0, 1, -1, (double)INFINITY, -(double)INFINITY, (double)NAN, 4.9e-324, 1.7e308 };
    float z[] = { 0, 0, 0, NAN, INFINITY, 0, NAN, INFINITY, 1, 2, -0.0f, 0 };
    struct scan_counts c = scan("F32", stored(f, ROWS_OF(f), sizeof *f), sizeof f);
    assert_true(c.nan == 2 && c.infinite == 2 && c.zero == 2);
    c = scan("F64", stored(d, ROWS_OF(d), sizeof *d), sizeof d);
    assert_true(c.nan == 1 && c.infinite == 2 && c.zero == 2);
    c = scan("C64", stored(z, ROWS_OF(z), sizeof *z), sizeof z); /* 0, NaN, infinite, NaN, number, 0 */
    assert_true(c.nan == 2 && c.infinite == 1 && c.zero == 2);
    double w[] = { 0, -0.0, (double)NAN, 1, 1, -(double)INFINITY, 0, 4.9e-324 };
    c = scan("C128", stored(w, ROWS_OF(w), sizeof *w), sizeof w); /* 0, NaN, infinite, number */
    assert_true(c.nan == 1 && c.infinite == 1 && c.zero == 1);
    uint16_t h[] = { 0, 0x8000, 0x7C00, 0x7C01, 0xFC00, 0, 0x3C00, 1 };
    c = scan("C32", stored(h, ROWS_OF(h), sizeof *h), sizeof h); /* 0, NaN, infinite, number */
    assert_true(c.nan == 1 && c.infinite == 1 && c.zero == 1);
}

static void test_small(void **state)
{
    (void)state;
    /* nibbles: 0, -0; 1, 0; 7, 7; -0, 3 */
    static const uint8_t f4[] = { 0x80, 0x01, 0x77, 0x38 };
    assert_true(scan("F4", f4, sizeof f4).zero == 2 + 1 + 0 + 1);
    /* six bits each, from the lowest: 0, 100000 (-0), 1, 111111 */
    uint32_t four = 0u | 0x20u << 6 | 1u << 12 | 0x3Fu << 18;
    uint8_t f6[] = { (uint8_t)four, (uint8_t)(four >> 8), (uint8_t)(four >> 16) };
    assert_true(scan("F6_E2M3", f6, 3).zero == 2);
    static const uint8_t words[] = { 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
    assert_true(scan("I16", words, 16).zero == 7); /* all but the second, 0x0100 */
    assert_true(scan("I32", words, 16).zero == 3);
    assert_true(scan("I64", words, 16).zero == 1);
}

/* Lengths around the tiles, with the last element NaN and the others zero. */
static void test_lengths(void **state)
{
    (void)state;
    int failed = 0;
    for (size_t i = 0; i < scan_count(); i++) {
        const struct scanner *s = scan_at(i);
        if (s->scales || s->bytes > 8 || s->elements > 1) continue;
        for (size_t n = 1; n < 20000; n = n * 2 + (n % 7)) {
            uint8_t *p = calloc(n, s->bytes);
            assert_non_null(p);
            memset(p + (n - 1) * s->bytes, 0x7F, s->bytes);
            struct scan_counts c = { 0 };
            s->scan(s, p, n, &c);
            bool no_zero = strcmp(s->type, "F8_E8M0") == 0;
            ROW(failed, c.zero == (no_zero ? 0 : n - 1), "%s %zu", s->type, n);
            free(p);
        }
    }
    assert_int_equal(failed, 0);
}

/* ---- blocks ------------------------------------------------------------------------------- */

/* Bytes before each scale, as sums of the preceding fields in the struct of ggml-common.h. */
/* clang-format off */
static const struct {
    const char *type;
    unsigned at[2];
} scales[] = {
    { "Q4_0", { 0, 0 } }, { "Q4_1", { 0, 2 } }, { "Q5_0", { 0, 0 } }, { "Q5_1", { 0, 2 } },
    { "Q8_0", { 0, 0 } }, { "Q8_1", { 0, 2 } },
    { "Q2_K", { 256 / 16 + 256 / 4, 256 / 16 + 256 / 4 + 2 } }, /* scales, qs */
    { "Q3_K", { 256 / 8 + 256 / 4 + 12, 0 } },                  /* hmask, qs, scales */
    { "Q4_K", { 0, 2 } }, { "Q5_K", { 0, 2 } },
    { "Q6_K", { 256 / 2 + 256 / 4 + 256 / 16, 0 } },            /* ql, qh, scales */
    { "IQ2_XXS", { 0, 0 } }, { "IQ2_XS", { 0, 0 } }, { "IQ2_S", { 0, 0 } }, { "IQ3_XXS", { 0, 0 } },
    { "IQ3_S", { 0, 0 } }, { "IQ1_S", { 0, 0 } }, { "IQ4_NL", { 0, 0 } }, { "IQ4_XS", { 0, 0 } },
    { "TQ1_0", { (256 - 4 * 256 / 64) / 5 + 256 / 64, 0 } },    /* qs, qh */
    { "TQ2_0", { 256 / 4, 0 } },                                /* qs */
    { "Q1_0", { 0, 0 } }, { "Q2_0", { 0, 0 } },
};
/* clang-format on */

static void test_halves(void **state)
{
    (void)state;
    int failed = 0;
    for (size_t i = 0; i < ROWS_OF(scales); i++) {
        numel_dtype d = { .name = scales[i].type };
        const struct scanner *s = scan_find(&d);
        uint8_t blocks[3][512];
        unsigned both = scales[i].at[0] != scales[i].at[1] && scales[i].at[1];
        assert_non_null(s);
        uint8_t *p = blocks[0];
        memset(p, 0x11, 3 * (size_t)s->bytes); /* everywhere else: a small number */
        memcpy(p + s->bytes + scales[i].at[0], (uint8_t[]){ 0x00, 0xFE }, 2);           /* NaN */
        if (both) memcpy(p + s->bytes + scales[i].at[1], (uint8_t[]){ 0x00, 0x7C }, 2); /* inf */
        memset(p + 2 * s->bytes + scales[i].at[0], 0, 2);
        if (both) memset(p + 2 * s->bytes + scales[i].at[1], 0, 2);
        struct scan_counts c = { 0 };
        s->scan(s, p, 3, &c);
        ROW(failed,
            c.scale_nan == 1 && c.scale_infinite == both && c.zero == s->elements && c.nan == 0 &&
                c.infinite == 0,
            "%s: %d %d %d", scales[i].type, (int)c.scale_nan, (int)c.scale_infinite, (int)c.zero);
    }
    assert_int_equal(failed, 0);
}

static void test_other_blocks(void **state)
{
    (void)state;
    uint8_t q8k[292] = { 0, 0, 0x80, 0x7F }, iq1m[56] = { 0 }, mx[34] = { 0xFF }, nv[36] = { 0 };
    assert_true(scan("Q8_K", q8k, 292).scale_infinite == 1);
    q8k[0] = 1;
    assert_true(scan("Q8_K", q8k, 292).scale_nan == 1);
    /* the half 0x7E01 in the top bits of four words, lowest first: 1, 0, E, 7 */
    memcpy(iq1m + 48, (uint8_t[]){ 0xFF, 0x1F, 0xFF, 0x0F, 0xFF, 0xEF, 0xFF, 0x7F }, 8);
    assert_true(scan("IQ1_M", iq1m, 56).scale_nan == 1);
    memcpy(iq1m + 48, (uint8_t[]){ 0xFF, 0x0F, 0xFF, 0x0F, 0xFF, 0xCF, 0xFF, 0x7F }, 8); /* 0x7C00 */
    assert_true(scan("IQ1_M", iq1m, 56).scale_infinite == 1);
    memset(iq1m + 48, 0, 8);
    assert_true(scan("IQ1_M", iq1m, 56).zero == 256);
    mx[17] = 0x7F; /* the second block: scale 1, all nibbles 0 except the first */
    mx[18] = 0x02;
    struct scan_counts c = scan("MXFP4", mx, 34);
    assert_true(c.scale_nan == 1 && c.zero == 31);
    nv[0] = 0x7F;             /* NaN: its 16 are not zeros */
    nv[2] = nv[3] = 0x38;     /* 1: the nibbles decide */
    memset(nv + 20, 0x11, 8); /* of the third */
    c = scan("NVFP4", nv, 36);
    assert_true(c.scale_nan == 1 && c.zero == 16 + 0 + 16);
}

/* Every type of known size in the table, except forks' and removed ones, has a row of that size here. */
static void test_complete(void **state)
{
    (void)state;
    int failed = 0;
    for (size_t i = 0; i < dtype_count(); i++) {
        const numel_dtype *d = dtype_at(i);
        if (d->standing != NUMEL_KNOWN) continue;
        const struct scanner *s = scan_find(d);
        ROW(failed, s && s->bytes == d->block_bytes && s->elements == d->block_elements, "%s", d->name);
    }
    assert_int_equal(failed, 0);
}

/* ---- files -------------------------------------------------------------------------------- */

/* One F16 tensor of 40 MiB, a hole except for bytes the tests write: three tasks. */
enum { HEADER = 8 + 72, ELEMENTS = 20 << 20, DATA = 2 * ELEMENTS };
static char path[64];
static int file;

static int make_file(void **state)
{
    char header[HEADER];
    (void)state;
    memset(header, ' ', sizeof header);
    int n = snprintf(header + 8, sizeof header - 8,
                     "{\"w\":{\"dtype\":\"F16\",\"shape\":[%d],\"data_offsets\":[0,%d]}}", ELEMENTS, DATA);
    header[8 + n] = ' ';
    num_store_le64((uint8_t *)header, sizeof header - 8);
    snprintf(path, sizeof path, "/tmp/numel-test-XXXXXX");
    file = mkstemp(path);
    bool ok = file >= 0 && write(file, header, sizeof header) == HEADER &&
              ftruncate(file, HEADER + (off_t)DATA) == 0;
    return ok ? 0 : -1;
}

static int remove_file(void **state)
{
    (void)state;
    close(file);
    return unlink(path);
}

static numel_checkpoint *open_file(void)
{
    numel_found *found;
    numel_checkpoint *ck;
    assert_int_equal(numel_find(&found, path, NULL, NULL), NUMEL_OK);
    assert_int_equal(numel_open(&ck, found, 0, NULL, NULL), NUMEL_OK);
    numel_found_free(found);
    return ck;
}

/* The values of an opened checkpoint. */
static bool run_values(struct values *v, const numel_checkpoint *ck, const numel_work *work, struct arena *a,
                       numel_error *e)
{
    return values_run(
        v, &(struct values_input){ ck->files, ck->file_count, ck->registry.tensors, ck->registry.count },
        work, a, e);
}

static void put_half(uint64_t element, unsigned v)
{
    uint8_t raw[2] = { (uint8_t)v, (uint8_t)(v >> 8) };
    assert_int_equal(pwrite(file, raw, 2, HEADER + (off_t)(2 * element)), 2);
}

static void test_edges(void **state)
{
    (void)state;
    enum { BLOCK = STREAM_BLOCK / 2, TASK = (16 << 20) / 2 };
    static const uint64_t at[] = { 0, BLOCK - 1, BLOCK, TASK - 1, TASK, 2 * TASK, ELEMENTS - 1 };
    for (size_t i = 0; i < ROWS_OF(at); i++) put_half(at[i], i % 2 ? 0xFC00 : 0x7E00);
    numel_checkpoint *ck = open_file();
    for (unsigned threads = 1; threads < 5; threads += 3) {
        struct values v;
        numel_error e = { 0 };
        numel_work work = { .size = sizeof(numel_work), .threads = threads };
        assert_true(run_values(&v, ck, &work, &ck->arena, &e));
        assert_int_equal(v.files[0].code, NUMEL_OK);
        assert_int_equal(v.tensors[0].state, VALUE_SCANNED);
        assert_true(v.tensors[0].counts.nan == 4 && v.tensors[0].counts.infinite == 3);
        assert_true(v.tensors[0].counts.zero == ELEMENTS - 7);
    }
    numel_free(ck);
}

static void shorten(void *ctx, uint64_t done, uint64_t total, const char *what)
{
    (void)what;
    if (*(bool *)ctx || done < total / 3) return;
    *(bool *)ctx = true;
    assert_int_equal(ftruncate(file, HEADER + 100), 0);
}

static void test_shrinks(void **state)
{
    (void)state;
    numel_checkpoint *ck = open_file();
    bool done = false;
    struct values v;
    numel_error e = { 0 };
    numel_work work = {
        .size = sizeof(numel_work), .threads = 1, .progress = shorten, .progress_ctx = &done
    };
    assert_true(run_values(&v, ck, &work, &ck->arena, &e));
    assert_int_equal(v.files[0].code, NUMEL_E_CHANGED);
    assert_int_equal(v.tensors[0].state, VALUE_UNREADABLE);
    assert_true(v.tensors[0].counts.zero == 0);
    numel_free(ck);
}

static bool stop_now(void *ctx) { return ++*(unsigned *)ctx > 1; }

static void test_stops(void **state)
{
    (void)state;
    numel_checkpoint *ck = open_file();
    unsigned asked = 0;
    struct values v;
    numel_error e = { 0 };
    numel_work work = { .size = sizeof(numel_work), .threads = 1, .stop = stop_now, .stop_ctx = &asked };
    assert_true(run_values(&v, ck, &work, &ck->arena, &e));
    assert_true(v.stopped);
    assert_int_equal(v.tensors[0].state, VALUE_UNREADABLE);
    numel_free(ck);
}

/* A second run reuses the counts of the first, with the same result. */
static void test_resumes(void **state)
{
    (void)state;
    char kept[80];
    put_half(5, 0x7E00);
    numel_checkpoint *ck = open_file();
    struct values one, two;
    numel_error e = { 0 };
    unsigned asked = 1000;
    snprintf(kept, sizeof kept, "%s.kept", path);
    numel_work work = { .size = sizeof(numel_work), .threads = 2, .resume = kept };
    assert_true(run_values(&one, ck, &work, &ck->arena, &e));
    work.stop = stop_now; /* stops any read */
    work.stop_ctx = &asked;
    assert_true(run_values(&two, ck, &work, &ck->arena, &e));
    assert_false(two.stopped);
    assert_memory_equal(&one.tensors[0].counts, &two.tensors[0].counts, sizeof one.tensors[0].counts);
    assert_true(two.tensors[0].counts.nan == 1);
    put_half(6, 0x7E00); /* a different file now: read again, and stopped */
    assert_true(run_values(&two, ck, &work, &ck->arena, &e));
    assert_true(two.stopped);
    unlink(kept);
    numel_free(ck);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_patterns),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_other_blocks),
        cmocka_unit_test(test_complete),
        cmocka_unit_test_setup_teardown(test_edges, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_shrinks, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_resumes, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_stops, make_file, remove_file),
    };
    return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
