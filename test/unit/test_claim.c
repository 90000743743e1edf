/* test_claim.c -- numbers as people write them: the value, the precision that the digits imply, and texts
 * that are not numbers. */
#include "../support/t.h"
#include "explain/claim.h"

/* clang-format off */
static const struct {
    const char *text;
    uint64_t value, low, high; /* from low up to, but excluding, high */
} good[] = {
    { "6738415616", 6738415616, 6738415616, 6738415617 },
    { "78,235,566,080", 78235566080, 78235566080, 78235566081 },
    { "78 235 566 080", 78235566080, 78235566080, 78235566081 },
    { "78_235_566_080", 78235566080, 78235566080, 78235566081 },
    { "6607.34M", 6607340000, 6607335000, 6607345000 },
    { "8.03B", 8030000000, 8025000000, 8035000000 },
    { "8.030B", 8030000000, 8029500000, 8030500000 }, /* a zero after the point is significant */
    { "137M", 137000000, 136500000, 137500000 },
    { "70b", 70000000000, 69500000000, 70500000000 },
    { "1.5T", 1500000000000, 1450000000000, 1550000000000 },
    { "124k", 124000, 123500, 124500 },
    { "6.61 billion", 6610000000, 6605000000, 6615000000 },
    { "0.6B", 600000000, 550000000, 650000000 },
    { ".5B", 500000000, 450000000, 550000000 },
    { "1e9", 1000000000, 500000000, 1500000000 },
    { "6.61E9", 6610000000, 6605000000, 6615000000 },
    { "1.5e+3", 1500, 1450, 1550 },
    { "6,738M", 6738000000, 6737500000, 6738500000 },
    { "6.738415616B", 6738415616, 6738415616, 6738415617 },
    { "6.7384156160B", 6738415616, 6738415616, 6738415617 },
    { " ~7B params ", 7000000000, 6500000000, 7500000000 },
    { "494,032,768 parameters", 494032768, 494032768, 494032769 },
    { "13.5GB", 13500000000, 13450000000, 13550000000 },
    /* 12.55 * 2^30 = 13,475,459,891.2; 12.545 and 12.555 times that, rounded up */
    { "12.55GiB", 13475459891, 13470091183, 13480828601 },
    /* 99.999992999915 * 2^30 = 107,374,174,883.71...: its last digit is a thousandth of a byte */
    { "99.999992999915GiB", 107374174884, 107374174884, 107374174885 },
    { "0.5KiB", 512, 461, 564 }, /* 0.45 and 0.55 times 1024, rounded up */
    { "8x7B", 56000000000, 52000000000, 60000000000 },
    { "1", 1, 1, 2 },
    { "999999999999999999", 999999999999999999, 999999999999999999, 1000000000000000000 },
    { "1000000000000000000", 1000000000000000000, 1000000000000000000, 1000000000000000001 },
    { "1,000,000,000,000,000,000", 1000000000000000000, 1000000000000000000, 1000000000000000001 },
};
/* clang-format on */

static void test_good(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(good); i++) {
        struct claim c;
        numel_error e = { 0 };
        uint64_t low = 0, high = 0;
        bool ok = claim_read(&c, good[i].text, &e) && claim_window(&c, CLAIM_WRITTEN, &low, &high);
        ROW(failed, ok && c.n.value == good[i].value && low == good[i].low && high == good[i].high,
            "'%s': %llu, %llu to %llu: %s", good[i].text, (unsigned long long)c.n.value,
            (unsigned long long)low, (unsigned long long)high, e.what);
    }
    assert_int_equal(failed, 0);
}

/* clang-format off */
static const char *const bad[] = {
    "", " ", "abc", "-5", "0", "0.0B", "NaN", "NaN B", "inf", "1e400", "1e19", "1e-5", "0.1",
    "999999999999999999999", "9999999999999999999", "10000000T", "1000000000000000001", "1.5.5", "7 B x", "7Bx", "1,23",
    "1,2345", "12,345,67", "1,234 567", ".", "B", "e9", "0x10", "1x7B", "2000x7B", "8x", "8xB", "8x7x2B", "8x9999999T", "1e", "1e+", "7B7B", "+7", "7%",
    "1\n2", "6.55TiBx", "0.0000000001B", "\xff", "9999999TiB",
};
/* clang-format on */

static void test_bad(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(bad); i++) {
        struct claim c;
        numel_error e = { 0 };
        bool ok = claim_read(&c, bad[i], &e);
        ROW(failed, !ok && e.code == NUMEL_E_USAGE && e.what[0], "'%s' is taken for %llu", bad[i],
            (unsigned long long)c.n.value);
    }
    assert_int_equal(failed, 0);
}

/* Each reading of a claim; high 0 if it has no such reading. */
static const struct {
    const char *text;
    enum claim_reading reading;
    uint64_t low, high;
} readings[] = {
    { "14B", CLAIM_CUT, 14000000000, 15000000000 },
    { "6738415616", CLAIM_CUT, 0, 0 },
    { "70b", CLAIM_ZEROS, 65000000000, 75000000000 },
    { "8B", CLAIM_ZEROS, 0, 0 },
    { "8.0B", CLAIM_ZEROS, 0, 0 },
    { "6,740,000,000", CLAIM_ZEROS, 6735000000, 6745000000 },
    { "6,738,415,600", CLAIM_ZEROS, 0, 0 }, /* two zeros may be chance */
    { "7B", CLAIM_NAME, 5250000000, 8750000000 },
    { "6.74B", CLAIM_NAME, 0, 0 }, /* three digits are not a name */
    { "7", CLAIM_NAME, 0, 0 },
};

static void test_readings(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(readings); i++) {
        struct claim c;
        numel_error e = { 0 };
        uint64_t low = 0, high = 0;
        assert_true(claim_read(&c, readings[i].text, &e));
        bool has = claim_window(&c, readings[i].reading, &low, &high);
        ROW(failed,
            has == (readings[i].high != 0) && (!has || (low == readings[i].low && high == readings[i].high)),
            "'%s' as %s: %llu to %llu", readings[i].text, claim_reading_text(readings[i].reading),
            (unsigned long long)low, (unsigned long long)high);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_readings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
