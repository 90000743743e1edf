/*
 * test_num.c -- arithmetic that must not wrap: both sides of every limit.
 */
#include "../support/t.h"

#include "base/num.h"

#define MAX UINT64_MAX
#define HALF ((uint64_t)1 << 63)

static void test_add_mul(void **state)
{
    static const struct {
        uint64_t a, b, sum, product;
        bool adds, multiplies;
    } rows[] = {
        { 0, 0, 0, 0, true, true },
        { MAX, 0, MAX, 0, true, true },
        { MAX, 1, 0, MAX, false, true },
        { MAX - 1, 1, MAX, MAX - 1, true, true },
        { HALF, HALF, 0, 0, false, false },
        { HALF - 1, HALF, MAX, 0, true, false },
        { 0xFFFFFFFFu, 0x100000001u, 0x200000000u, MAX, true, true },
        { 0x100000000u, 0x100000000u, 0x200000000u, 0, true, false },
        { MAX, MAX, 0, 0, false, false },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        uint64_t r;
        POISON(r);
        ROW(failed, num_add(&r, rows[i].a, rows[i].b) == rows[i].adds, "add row %zu", i);
        ROW(failed, !rows[i].adds || r == rows[i].sum, "sum of row %zu", i);
        POISON(r);
        ROW(failed, num_mul(&r, rows[i].a, rows[i].b) == rows[i].multiplies, "mul row %zu", i);
        ROW(failed, !rows[i].multiplies || r == rows[i].product, "product of row %zu", i);
    }
    assert_int_equal(failed, 0);
}

static void test_inside(void **state)
{
    static const struct {
        uint64_t offset, n, size;
        bool inside;
    } rows[] = {
        { 0, 0, 0, true },         { 0, 1, 0, false },
        { 0, 10, 10, true },       { 1, 10, 10, false },
        { 10, 0, 10, true },       { 11, 0, 10, false },
        { MAX, 1, MAX, false },    { MAX, 0, MAX, true },
        { MAX - 3, 8, 10, false }, /* sum wraps to 4 */
        { 4, MAX - 3, 10, false }, /* sum wraps to 0 */ { 0, MAX, MAX, true },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++)
        ROW(failed, num_inside(rows[i].offset, rows[i].n, rows[i].size) == rows[i].inside, "row %zu", i);
    assert_int_equal(failed, 0);
}

static void test_align(void **state)
{
    static const struct {
        uint64_t v, a, aligned;
        bool ok;
    } rows[] = {
        { 0, 32, 0, true },         { 1, 32, 32, true },     { 32, 32, 32, true },
        { 33, 32, 64, true },       { 25, 24, 48, true },    { 7, 1, 7, true },
        { MAX, 1, MAX, true },      { MAX, 32, 0, false },   { MAX - 31, 32, MAX - 31, true },
        { MAX - 30, 32, 0, false }, { 1, HALF, HALF, true }, { HALF + 1, HALF, 0, false },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        uint64_t r;
        POISON(r);
        ROW(failed, num_align(&r, rows[i].v, rows[i].a) == rows[i].ok, "row %zu", i);
        ROW(failed, !rows[i].ok || r == rows[i].aligned, "value of row %zu", i);
    }
    assert_int_equal(failed, 0);
}

/* 4096 is 2^12, 14336 is 7 2^11; 2^64 - 1 is 3 5 17 257 641 65537 6700417 */
static void test_gcd(void **state)
{
    static const struct {
        uint64_t a, b, gcd;
    } rows[] = {
        { 0, 0, 0 },       { 0, 7, 7 },     { 7, 0, 7 },           { 1, MAX, 1 },
        { 12, 18, 6 },     { 18, 12, 6 },   { 4096, 14336, 2048 }, { 17, 5, 1 },
        { MAX, MAX, MAX }, { MAX, 15, 15 }, { HALF, MAX, 1 },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++)
        ROW(failed, num_gcd(rows[i].a, rows[i].b) == rows[i].gcd, "row %zu", i);
    assert_int_equal(failed, 0);
}

static void test_load_store(void **state)
{
    static const uint8_t bytes[] = { 0x00, 0x01, 0x02, 0x83, 0x04, 0x05, 0x06, 0x07, 0xF8 };
    uint8_t out[8];
    (void)state;
    /* from an odd address: loads need no alignment */
    assert_int_equal(num_load(bytes + 1, 1, false), 0x01);
    assert_int_equal(num_load(bytes + 1, 2, false), 0x0201);
    assert_int_equal(num_load(bytes + 1, 2, true), 0x0102);
    assert_int_equal(num_load(bytes + 1, 3, false), 0x830201);
    assert_true(num_load(bytes + 1, 8, false) == UINT64_C(0xF807060504830201));
    assert_true(num_load(bytes + 1, 8, true) == UINT64_C(0x01028304050607F8));
    num_store_le64(out, UINT64_C(0xF807060504830201));
    assert_memory_equal(out, bytes + 1, 8);
    assert_true(num_order(1, MAX) < 0 && num_order(MAX, 1) > 0 && num_order(HALF, HALF) == 0);
    assert_int_equal(num_min(1, MAX), 1);
    assert_true(num_max(1, MAX) == MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_mul), cmocka_unit_test(test_inside),     cmocka_unit_test(test_align),
        cmocka_unit_test(test_gcd),     cmocka_unit_test(test_load_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
