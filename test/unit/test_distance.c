/*
 * test_distance.c -- numbers decoded from bits, and distances between them: every pattern of the 8- and
 * 16-bit types against arithmetic that decodes them, distances computed here, and sums that do not depend
 * on the order of their parts.
 */
#include "../support/t.h"

#include "base/num.h"
#include "content/distance.h"

#include <math.h>
#include <stdlib.h>

static const struct decoder *how(const char *type)
{
    numel_dtype d = { .name = type };
    const struct decoder *row = decode_find(&d);
    assert_non_null(row);
    return row;
}

static bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* `n` values of this machine in file order, low byte first. */
static void *stored(void *values, size_t n, size_t width)
{
    const uint16_t one = 1;
    if (*(const uint8_t *)&one != 1) decode_turn(values, n * width, width);
    return values;
}

/* ---- decoding ----------------------------------------------------------------------------- */

static double times_two_to(double v, int power)
{
    for (; power > 0; power--) v *= 2;
    for (; power < 0; power++) v /= 2;
    return v;
}

enum odd { IEEE, NO_INFINITY, FNUZ };

/* The value of a pattern with `e` exponent bits and `m` fraction bits. */
static double value_of(unsigned v, unsigned e, unsigned m, int bias, enum odd odd)
{
    unsigned sign = v >> (e + m) & 1, exponent = v >> m & ((1u << e) - 1), fraction = v & ((1u << m) - 1);
    unsigned all = (1u << e) - 1;
    if (odd == IEEE && exponent == all)
        return fraction ? (double)NAN : sign ? -(double)INFINITY : (double)INFINITY;
    if (odd == NO_INFINITY && exponent == all && fraction == (1u << m) - 1) return (double)NAN;
    if (odd == FNUZ && v == 1u << (e + m)) return (double)NAN;
    if (exponent) fraction += 1u << m;
    double size = times_two_to(fraction, (int)(exponent ? exponent : 1) - bias - (int)m);
    return sign ? -size : size;
}

static void every_pattern(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        unsigned e, m;
        int bias;
        enum odd odd;
    } rows[] = {
        { "F16", 5, 10, 15, IEEE },       { "BF16", 8, 7, 127, IEEE },
        { "F8_E5M2", 5, 2, 15, IEEE },    { "F8_E4M3", 4, 3, 7, NO_INFINITY },
        { "F8_E4M3FNUZ", 4, 3, 8, FNUZ }, { "F8_E5M2FNUZ", 5, 2, 16, FNUZ },
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct decoder *d = how(rows[r].type);
        for (unsigned v = 0; v < 1u << 8 * d->bytes; v++) {
            uint8_t bytes[2] = { (uint8_t)v, (uint8_t)(v >> 8) };
            float f;
            double wide, expected = value_of(v, rows[r].e, rows[r].m, rows[r].bias, rows[r].odd);
            d->single(bytes, 1, &f);
            decode_double(d, bytes, 1, &wide);
            if (isnan(expected)) assert_true(isnan(f) && isnan(wide));
            else assert_true(same((double)f, expected) && same(wide, expected));
        }
    }
    for (unsigned v = 0; v < 255; v++) { /* E8M0: a power of two */
        uint8_t byte = (uint8_t)v;
        float f;
        how("F8_E8M0")->single(&byte, 1, &f);
        assert_true(same((double)f, times_two_to(1, (int)v - 127)));
    }
}

/* ---- distances ---------------------------------------------------------------------------- */

static struct distance between(const char *a, const void *pa, const char *b, const void *pb, size_t n)
{
    struct distance d = { .elements = 0 };
    assert_true(distance_between(how(a), how(b)));
    distance_add(&d, how(a), pa, how(b), pb, n);
    return d;
}

static struct distance singles(const float *a, const float *b, size_t n)
{
    float x[64], y[64];
    memcpy(x, a, n * sizeof *x);
    memcpy(y, b, n * sizeof *y);
    return between("F32", stored(x, n, 4), "F32", stored(y, n, 4), n);
}

static void says(const struct distance *d, uint64_t differing, double most, double mean, double relative,
                 double cosine)
{
    const double got[4] = { distance_most(d), distance_mean(d), distance_relative(d), distance_cosine(d) };
    const double want[4] = { most, mean, relative, cosine };
    assert_int_equal(d->differing, differing);
    for (int i = 0; i < 4; i++)
        if (isnan(want[i])) assert_true(isnan(got[i]));
        else assert_true(fabs(got[i] - want[i]) <= 1e-14 * fabs(want[i]));
}

/* 20 log10 of 10, 1000, 1/2 and 1; none for equal numbers, and for zeros against others. */
static void decibels(void **state)
{
    (void)state;
    static const struct {
        float a, b;
        double want;
    } rows[] = { { 1000, 900, 20 }, { 1000, 999, 60 },     { 1, 3, -6.0205999132796239 },
                 { 2, 4, 0 },       { 5, 5, (double)NAN }, { 0, 1, (double)NAN } };
    int failed = 0;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct distance d = singles(&rows[i].a, &rows[i].b, 1);
        double got = distance_decibels(&d), want = rows[i].want;
        ROW(failed, isnan(want) ? isnan(got) : fabs(got - want) < 1e-13, "%g %g: %.17g", (double)rows[i].a,
            (double)rows[i].b, got);
    }
    assert_int_equal(failed, 0);
}

static void worked_out(void **state)
{
    (void)state;
    const float a[] = { 3, 4, 0, 0, 0 }, b[] = { 3, 4, 0, 12, 0 }, twice[] = { 6, 8, 0, 0, 0 };
    const float minus[] = { -3, -4, -0.0F, -0.0F, -0.0F }, none[5] = { 0 }, minus_none[5] = { -0.0F };
    struct distance d = singles(a, b, 5); /* (0,0,0,12,0): 12 of 5; ab = 25, |a| = 5, |b| = 13 */
    says(&d, 1, 12, 12. / 5, 12. / 5, 25. / (5 * 13));
    d = singles(a, twice, 5); /* each once more: 7 of 5 elements */
    says(&d, 2, 4, 7. / 5, 1, 1);
    assert_true(same(distance_cosine(&d), 1) && same(distance_relative(&d), 1));
    d = singles(a, minus, 5); /* the zeros differ in their sign, at a distance of 0 */
    says(&d, 5, 8, 14. / 5, 2, -1);
    assert_true(same(distance_cosine(&d), -1));
    d = singles(none, none, 5);
    says(&d, 0, 0, 0, 0, (double)NAN);
    d = singles(none, minus_none, 5);
    says(&d, 1, 0, 0, 0, (double)NAN);
    d = singles(none, a, 5); /* a quotient by 0 */
    says(&d, 2, 4, 7. / 5, (double)NAN, (double)NAN);
    d = singles(a, none, 5);
    says(&d, 2, 4, 7. / 5, 1, (double)NAN);
    d = singles(a, b, 0);
    says(&d, 0, (double)NAN, (double)NAN, (double)NAN, (double)NAN);
}

static void what_is_not_finite(void **state)
{
    (void)state;
    const float inf = (float)INFINITY, nan = (float)NAN;
    const float a[] = { 3, nan, inf, 4 }, b[] = { 3, nan, inf, 5 }, c[] = { 3, nan, -inf, 4 },
                e[] = { nan, nan, inf, 4 };
    struct distance d = singles(a, b, 4); /* two are excluded: 1 over 2 elements */
    says(&d, 1, 1, 1. / 2, 1. / 5, (9. + 20) / (5 * sqrt(34)));
    assert_int_equal(d.left_out, 2);
    assert_true(d.nan[0] == 1 && d.nan[1] == 1 && d.infinite[0] == 1 && d.infinite[1] == 1);
    d = singles(a, c, 4);
    says(&d, 1, (double)NAN, (double)NAN, (double)NAN, (double)NAN);
    d = singles(a, e, 4);
    says(&d, 1, (double)NAN, (double)NAN, (double)NAN, (double)NAN);
    assert_true(d.nan[0] == 1 && d.nan[1] == 2);
    const float only[] = { nan, nan };
    d = singles(only, only, 2); /* no elements, no mean */
    says(&d, 0, (double)NAN, (double)NAN, (double)NAN, (double)NAN);
    /* NaN equals NaN within one type, not across two types */
    uint32_t quiet[] = { 0x7FC00000u }, other[] = { 0x7FC00001u };
    uint16_t half[] = { 0x7E01u };
    d = between("F32", stored(quiet, 1, 4), "F32", stored(other, 1, 4), 1);
    assert_int_equal(d.differing, 1);
    d = between("F32", quiet, "F16", stored(half, 1, 2), 1);
    assert_int_equal(d.differing, 0);
}

static void between_types(void **state)
{
    (void)state;
    /* 1, -2.5, 0.375 in every type that can hold them; and the next number in BF16 */
    float f32[] = { 1, -2.5F, 0.375F };
    double f64[] = { 1, -2.5, 0.375 };
    uint16_t f16[] = { 0x3C00, 0xC100, 0x3600 }, bf16[] = { 0x3F80, 0xC020, 0x3EC0 },
             next[] = { 0x3F81, 0xC020, 0x3EC0 };
    const uint8_t e4m3[] = { 0x38, 0xC2, 0x2C }, e5m2[] = { 0x3C, 0xC1, 0x36 };
    const struct {
        const char *type;
        const void *p;
    } all[] = { { "F32", stored(f32, 3, 4) },   { "F64", stored(f64, 3, 8) }, { "F16", stored(f16, 3, 2) },
                { "BF16", stored(bf16, 3, 2) }, { "F8_E4M3", e4m3 },          { "F8_E5M2", e5m2 } };
    stored(next, 3, 2);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 6; k++) {
            struct distance d = between(all[i].type, all[i].p, all[k].type, all[k].p, 3);
            says(&d, 0, 0, 0, 0, 1);
        }
        struct distance d =
            between(all[i].type, all[i].p, "BF16", next, 3); /* 2^-7 more; 1 + 6.25 + 0.140625 */
        says(&d, 1, 1. / 128, 1. / 384, sqrt(1. / 16384 / 7.390625), distance_cosine(&d));
    }
}

static void smallest_and_largest(void **state)
{
    (void)state;
    const float least[] = { 1e-45F, 0 }, twice[] = { 2.8e-45F, 0 }, most[] = { 3e38F, 0 },
                minus[] = { -3e38F, 0 };
    struct distance d = singles(least, twice, 2);
    says(&d, 1, times_two_to(1, -149), times_two_to(1, -150), 1, 1);
    d = singles(most, minus, 2);
    says(&d, 1, 2 * (double)3e38F, (double)3e38F, 2, -1);
    double huge[] = { 1e200, 1 }, tiny[] = { 1e-200, 0 }, tinier[] = { 1e-201, 0 };
    stored(huge, 2, 8), stored(tiny, 2, 8), stored(tinier, 2, 8);
    d = between("F64", huge, "F64", tiny, 2); /* squares exceed a double: reported, not guessed */
    says(&d, 2, (double)NAN, (double)NAN, (double)NAN, (double)NAN);
    d = between("F64", tiny, "F64", tinier, 2);
    assert_true(isnan(distance_relative(&d)) && isnan(distance_cosine(&d)) && distance_most(&d) > 0);
}

static void integers(void **state)
{
    (void)state;
    int64_t a[] = { INT64_MIN, 5 }, b[] = { INT64_MAX, 5 };
    uint64_t u[] = { UINT64_MAX, 1 }, v[] = { 0, 1 };
    const int8_t narrow[] = { -1, 5 };
    const uint8_t plain[] = { 255, 5 };
    int32_t wide[] = { -1, 6 };
    stored(a, 2, 8), stored(b, 2, 8), stored(u, 2, 8), stored(v, 2, 8), stored(wide, 2, 4);
    struct distance d = between("I64", a, "I64", b, 2);
    assert_true(d.whole_most == UINT64_MAX && d.differing == 1);
    d = between("U64", u, "U64", v, 2);
    assert_true(d.whole_most == UINT64_MAX && d.differing == 1);
    d = between("I8", narrow, "I32", wide, 2);
    assert_true(d.whole_most == 1 && d.differing == 1);
    d = between("I8", narrow, "U8", plain, 2); /* -1 is not 255 */
    assert_true(d.whole_most == 256 && d.differing == 1);
    assert_false(distance_between(how("U64"), how("I8")));
    assert_false(distance_between(how("U8"), how("F32")));
    assert_true(distance_between(how("U64"), how("U8")));
}

/* ---- sums --------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}

/* Against sums of long doubles; the bits are the same whether tiles are added one by one or together. */
static void sums(void **state)
{
    (void)state;
    enum { N = 5 * DISTANCE_TILE + 13 };
    float *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    uint64_t seed = 88172645463325252u;
    long double square = 0, all = 0, other = 0, product = 0, absolute = 0;
    assert_true(a && b);
    for (int i = 0; i < N; i++) {
        a[i] = (float)((double)(int64_t)next_random(&seed) / 9e18);
        b[i] = a[i] + (float)((double)(int64_t)next_random(&seed) / 9e22);
        long double d = (long double)a[i] - (long double)b[i];
        square += d * d, all += (long double)a[i] * a[i], other += (long double)b[i] * b[i];
        product += (long double)a[i] * b[i], absolute += d < 0 ? -d : d;
    }
    stored(a, N, 4), stored(b, N, 4);
    struct distance once = between("F32", a, "F32", b, N), parts = { .elements = 0 };
    says(&once, once.differing, distance_most(&once), (double)(absolute / N), (double)sqrtl(square / all),
         (double)(product / sqrtl(all * other)));
    for (int at = 0; at < N; at += DISTANCE_TILE) {
        size_t n = num_min(DISTANCE_TILE, (uint64_t)(N - at));
        distance_add(&parts, how("F32"), (const uint8_t *)(a + at), how("F32"), (const uint8_t *)(b + at), n);
    }
    assert_memory_equal(&once, &parts, sizeof once);
    free(a);
    free(b);
}

static void roots(void **state)
{
    (void)state;
    const double some[] = { 0, 1, 2, 3, 4, 0.25, 1e-300, 4e-324, 1.7e308, 6.02e23, 1 + 0x1p-52, 1 - 0x1p-53 };
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        assert_true(same(distance_root(some[i]), sqrt(some[i])));
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = next_random(&seed) & 0x7FEFFFFFFFFFFFFFu;
        double v;
        memcpy(&v, &bits, sizeof v);
        if (isfinite(v)) assert_true(same(distance_root(v), sqrt(v)));
        assert_true(!(v > 1e-150 && v < 1e150) || same(distance_root(v * v), v));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern), cmocka_unit_test(worked_out),
        cmocka_unit_test(decibels),      cmocka_unit_test(what_is_not_finite),
        cmocka_unit_test(between_types), cmocka_unit_test(smallest_and_largest),
        cmocka_unit_test(integers),      cmocka_unit_test(sums),
        cmocka_unit_test(roots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
