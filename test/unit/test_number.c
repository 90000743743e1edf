/*
 * test_number.c -- the grammar of numbers: what each form allows, the nearest form that is refused, and
 * round trips: whatever a program prints for a count, the interval read back contains it.
 */
#include "../support/t.h"
#include "base/num.h"
#include "base/number.h"
#include "base/text.h"
#include "counters/others.h"

#include <stdlib.h>

#define G NUMBER_GROUPS
#define E NUMBER_EXPONENT
#define U NUMBER_UNITS
#define Y NUMBER_BYTES
#define T NUMBER_TYPED
#define ALL (G | E | U | Y | T)

/* ---- what is read ------------------------------------------------------------------------- */

/* clang-format off */
static const struct {
    const char *text;
    unsigned forms, power;
    uint64_t value, low, high;
    const char *left; /* rest after the number */
} good[] = {
    { "0", 0, 0, 0, 0, 0, "" },
    { "007", 0, 0, 7, 7, 7, "" },
    { "18446744073709551615", 0, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX, "" },
    { "000000000000000000000000000001", 0, 0, 1, 1, 1, "" },
    { "124439808.0", 0, 0, 124439808, 124439808, 124439808, "" },
    { "1.0000000000000000000", 0, 0, 1, 1, 1, "" },
    { "0.000", 0, 0, 0, 0, 0, "" },
    { "5.", 0, 0, 5, 5, 5, "." },
    { "1.000.000", 0, 0, 1, 1, 1, ".000" },
    { "12abc", 0, 0, 12, 12, 12, "abc" },
    /* groups */
    { "6,738,415,616", G, 0, 6738415616, 6738415616, 6738415616, "" },
    { "6,738,415,616", 0, 0, 6, 6, 6, ",738,415,616" },
    { "6_738_415_616", G, 0, 6738415616, 6738415616, 6738415616, "" },
    { "6'738'415'616", G, 0, 6738415616, 6738415616, 6738415616, "" },
    { "1,234,", G, 0, 1234, 1234, 1234, "," },
    { "1,234, 567", G, 0, 1234, 1234, 1234, ", 567" },
    { "1,234.5K", G | U, 0, 1234500, 1234450, 1234549, "" },
    { "6 738 415 616", G | T, 0, 6738415616, 6738415616, 6738415616, "" },
    { "6 738 415 616", G, 0, 6, 6, 6, " 738 415 616" },
    { "1 23", G | T, 0, 1, 1, 1, " 23" },
    { "1234 567", G | T, 0, 1234, 1234, 1234, " 567" },
    /* rounding */
    { "6607.34M", U, 0, 6607340000, 6607335000, 6607344999, "" },
    { "6607.340M", U, 0, 6607340000, 6607339500, 6607340499, "" },
    { "6607.340000M", U, 0, 6607340000, 6607340000, 6607340000, "" },
    { "6607.3400000M", U, 0, 6607340000, 6607340000, 6607340000, "" },
    { "0 M", U, 0, 0, 0, 499999, "" },
    { "0.5M", U, 0, 500000, 450000, 549999, "" },
    { ".5M", U, 0, 500000, 450000, 549999, "" },
    { "343.225 MB", 0, 6, 343225000, 343224500, 343225499, " MB" },
    { "18446744073709551.615K", U, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX, "" },
    /* units */
    { "7k", U, 0, 7000, 6500, 7499, "" },
    { "7b,", U, 0, 7000000000, 6500000000, 7499999999, "," },
    { "7m", U, 0, 7, 7, 7, "m" },
    { "7m", U | T, 0, 7000000, 6500000, 7499999, "" },
    { "7Billion", U, 0, 7000000000, 6500000000, 7499999999, "" },
    { "7 billion", U, 0, 7000000000, 6500000000, 7499999999, "" },
    { "7  billion", U, 0, 7, 7, 7, "  billion" },
    { "7\t billion", U | T, 0, 7000000000, 6500000000, 7499999999, "" },
    { "7B7", U, 0, 7, 7, 7, "B7" },
    { "7B_", U, 0, 7, 7, 7, "B_" },
    { "7Bx", U, 0, 7, 7, 7, "Bx" },
    { "7B", 0, 0, 7, 7, 7, "B" },
    { "7 layers", U, 0, 7, 7, 7, " layers" },
    { "7 B layers", U, 0, 7000000000, 6500000000, 7499999999, " layers" },
    { "13 GB", U, 0, 13, 13, 13, " GB" },
    { "13 GB", U | Y, 0, 13000000000, 12500000000, 13499999999, "" },
    { "2KiB", Y, 0, 2048, 1536, 2559, "" },
    { "1.5KiB", Y, 0, 1536, 1485, 1587, "" }, /* 1.45 and 1.55 times 1024: 1484.8 and 1587.2 */
    { "0.1KiB", Y, 0, 102, 52, 153, "" },
    /* exponents */
    { "7.615616512e9", E, 0, 7615616512, 7615616512, 7615616512, "" },
    { "1e3", E, 0, 1000, 500, 1499, "" },
    { "1E+3", E, 0, 1000, 500, 1499, "" },
    { "15000e-1", E, 0, 1500, 1500, 1500, "" },
    { "1e3", 0, 0, 1, 1, 1, "e3" },
    { "1e", E, 0, 1, 1, 1, "e" },
    { "1e+", E, 0, 1, 1, 1, "e+" },
    { "1e-x", E, 0, 1, 1, 1, "e-x" },
    /* mixtures */
    { "8x7B", U | T, 0, 56000000000, 52000000000, 59999999999, "" },
    { "8x7B", U, 0, 8, 8, 8, "x7B" },
    { "1x7B", U | T, 0, 1, 1, 1, "x7B" },
    { "1001x7B", U | T, 0, 1001, 1001, 1001, "x7B" },
    { "8x", U | T, 0, 8, 8, 8, "x" },
};

static const struct {
    const char *text;
    unsigned forms, power;
    enum number_answer answer;
    const char *left;
} bad[] = {
    { "", ALL, 0, NUMBER_ABSENT, "" },
    { " 7", ALL, 0, NUMBER_ABSENT, " 7" },
    { "-7", ALL, 0, NUMBER_ABSENT, "-7" },
    { "+7", ALL, 0, NUMBER_ABSENT, "+7" },
    { ".", ALL, 0, NUMBER_ABSENT, "." },
    { ".B", ALL, 0, NUMBER_ABSENT, ".B" },
    { "e9", ALL, 0, NUMBER_ABSENT, "e9" },
    { ",123", ALL, 0, NUMBER_ABSENT, ",123" },
    { "1,23", G, 0, NUMBER_BROKEN, "" },
    { "1,2345 x", G, 0, NUMBER_BROKEN, " x" },
    { "1234,567", G, 0, NUMBER_BROKEN, "" },
    { "12,345,67", G, 0, NUMBER_BROKEN, "" },
    { "1,234_567", G, 0, NUMBER_BROKEN, "" },
    { "18446744073709551616", 0, 0, NUMBER_LONG, "" },
    { "99999999999999999999999999999999999999999", 0, 0, NUMBER_LONG, "" },
    { "18446744073709551616.0 x", 0, 0, NUMBER_LONG, " x" },
    { "18446744073709551616x7B", ALL, 0, NUMBER_LONG, "x7B" },
    { "18446744073709552K", U, 0, NUMBER_LARGE, "" },
    { "18446744073709551K", U, 0, NUMBER_READ, "" },
    { "18446744073709551615K", U, 0, NUMBER_LARGE, "" },
    { "16777216TiB", Y, 0, NUMBER_LARGE, "" },
    { "16777215TiB", Y, 0, NUMBER_READ, "" },
    { "1e19", E, 0, NUMBER_READ, "" },
    { "1e20", E, 0, NUMBER_LARGE, "" },
    { "1e99999999999999999999", E, 0, NUMBER_LARGE, "" },
    { "1e-99999999999999999999", E, 0, NUMBER_UNEVEN, "" },
    { "1", 0, 20, NUMBER_LARGE, "" },
    { "1", 0, UINT32_MAX, NUMBER_LARGE, "" },
    { "1000x18446744073709551615", ALL, 0, NUMBER_LARGE, "" },
    { "0.5", 0, 0, NUMBER_UNEVEN, "" },
    { "1.50", 0, 0, NUMBER_UNEVEN, "" },
    { "1.2345K", U, 0, NUMBER_UNEVEN, "" },
    { "1.234K", U, 0, NUMBER_READ, "" },
    { "100e-3", E, 0, NUMBER_UNEVEN, "" },
    { "0.0000000000000000001KiB", Y, 0, NUMBER_UNEVEN, "" },
};
/* clang-format on */

static void test_good(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(good); i++) {
        struct number n;
        numel_str rest = text_of(good[i].text);
        bool ok = number_read(&n, &rest, good[i].forms, good[i].power) == NUMBER_READ;
        ROW(failed, ok && n.value == good[i].value && n.low == good[i].low && n.high == good[i].high,
            "'%s': %" PRIu64 ", %" PRIu64 " to %" PRIu64, good[i].text, n.value, n.low, n.high);
        ROW(failed, text_equal(rest, good[i].left), "'%s' leaves '%.*s'", good[i].text, (int)rest.n, rest.p);
        ROW(failed, n.exact == (n.low == n.high), "'%s' is%s exact", good[i].text, n.exact ? "" : " not");
    }
    assert_int_equal(failed, 0);
}

static void test_bad(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(bad); i++) {
        struct number n;
        numel_str rest = text_of(bad[i].text);
        enum number_answer answer = number_read(&n, &rest, bad[i].forms, bad[i].power);
        ROW(failed, answer == bad[i].answer, "'%s': %d", bad[i].text, answer);
        ROW(failed, text_equal(rest, bad[i].left), "'%s' leaves '%.*s'", bad[i].text, (int)rest.n, rest.p);
    }
    assert_int_equal(failed, 0);
}

/* Nothing past the text's end is read: each prefix of a number, in its own allocation. */
static void test_ends(void **state)
{
    static const char text[] = "8x1,234.5e+3 billion";
    (void)state;
    for (size_t k = 0; k < sizeof text; k++) {
        char *own = malloc(k + 1); /* AddressSanitizer detects a byte too far */
        struct number n;
        assert_non_null(own);
        memcpy(own, text, k);
        numel_str rest = { own, k };
        number_read(&n, &rest, ALL, 0);
        assert_true(rest.p >= own && rest.p + rest.n == own + k);
        free(own);
    }
}

/* ---- other readings ----------------------------------------------------------------------- */

static const struct {
    const char *text;
    enum number_rounding how;
    uint64_t low, high; /* high 0: not readable this way */
} ranges[] = {
    { "132M", NUMBER_CUT, 132000000, 132999999 },
    { "6.7B", NUMBER_CUT, 6700000000, 6799999999 },
    { "6738415616", NUMBER_CUT, 0, 0 },
    { "1.5KiB", NUMBER_CUT, 1536, 1638 }, /* up to 1.6 times 1024: 1638.4 */
    { "70B", NUMBER_ZEROS, 65000000000, 74999999999 },
    { "7B", NUMBER_ZEROS, 0, 0 },
    { "7.0B", NUMBER_ZEROS, 0, 0 },
    { "6,740,000", NUMBER_ZEROS, 6735000, 6744999 },
    { "6,738,000", NUMBER_ZEROS, 6737500, 6738499 },
    { "6,738,400", NUMBER_ZEROS, 0, 0 },
    { "15000e-10MiB", NUMBER_ZEROS, 0, 0 }, /* 14.5e-7 to 15.5e-7 times 1048576: 1.52 to 1.63, no integer */
    { "19000e-10MiB", NUMBER_ZEROS, 2, 2 }, /* 1.94 to 2.04 */
    { "0", NUMBER_ZEROS, 0, 0 },
    { "0K", NUMBER_CUT, 0, 999 },
    { "137M", NUMBER_ROUNDED, 136500000, 137499999 },
};

static void test_ranges(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(ranges); i++) {
        struct number n;
        numel_str rest = text_of(ranges[i].text);
        uint64_t low, high;
        assert_int_equal(number_read(&n, &rest, ALL, 0), NUMBER_READ);
        bool has = number_range(&n, ranges[i].how, &low, &high);
        ROW(failed,
            has == (ranges[i].high != 0) && (!has || (low == ranges[i].low && high == ranges[i].high)),
            "'%s': %" PRIu64 " to %" PRIu64, ranges[i].text, low, high);
    }
    assert_int_equal(failed, 0);
}

/* ---- round trips -------------------------------------------------------------------------- */

static uint64_t next(uint64_t *seed) /* xorshift64*: the same numbers on every machine */
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return *seed * UINT64_C(0x2545F4914F6CDD1D);
}

/* The text's interval contains v, and is at most `wide` of it. */
static void check_holds(const char *text, uint64_t v, uint64_t wide)
{
    struct number n;
    numel_str rest = text_of(text);
    enum number_answer answer = number_read(&n, &rest, G | U, 0);
    bool whole = rest.n == 0 || text_equal(rest, " params");
    if (answer != NUMBER_READ || !whole || v < n.low || v > n.high || n.high - n.low > wide)
        fail_msg("%" PRIu64 " as '%s': %" PRIu64 " to %" PRIu64, v, text, n.low, n.high);
}

static void test_round_trip(void **state)
{
    const char *(*const printers[])(struct arena *, uint64_t) = { others_text_hub, others_text_llama,
                                                                  others_text_parser, others_text_ollama,
                                                                  others_text_label };
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < 4000; i++) {
        uint64_t v = next(&seed) >> (4 + next(&seed) % 60);
        char text[TEXT_NUMBER];
        struct arena a;
        arena_init(&a, &memory_malloc);
        check_holds(text_number(text, v), v, 0);
        snprintf(text, sizeof text, "%" PRIu64, v);
        check_holds(text, v, 0);
        for (size_t k = 0; k < ROWS_OF(printers); k++) {
            const char *printed = printers[k](&a, v);
            assert_non_null(printed);
            check_holds(printed, v, num_max(v, 1000) * 2);
        }
        arena_done(&a);
    }
}

/* ---- digits alone ------------------------------------------------------------------------- */

static void test_digits(void **state)
{
    /* clang-format off */
    static const struct {
        const char *text;
        bool front, all;
        uint64_t v;
        const char *left;
    } rows[] = {
        { "", false, false, 0, "" },         { "x", false, false, 0, "x" },
        { "0", true, true, 0, "" },          { "007", true, true, 7, "" },
        { "12abc", true, false, 12, "abc" }, { "12.0", true, false, 12, ".0" },
        { "-1", false, false, 0, "-1" },     { " 1", false, false, 0, " 1" },
        { "18446744073709551615", true, true, UINT64_MAX, "" },
        { "18446744073709551616", false, false, 0, "" },
        { "99999999999999999999999x", false, false, 0, "x" },
    };
    /* clang-format on */
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        uint64_t front, all;
        POISON(front);
        POISON(all);
        numel_str rest = text_of(rows[i].text);
        ROW(failed, number_plain(rest, &all) == rows[i].all && all == (rows[i].all ? rows[i].v : 0),
            "'%s' alone: %" PRIu64, rows[i].text, all);
        ROW(failed, number_digits(&rest, &front) == rows[i].front && front == rows[i].v, "'%s': %" PRIu64,
            rows[i].text, front);
        ROW(failed, text_equal(rest, rows[i].left), "'%s' leaves '%.*s'", rows[i].text, (int)rest.n, rest.p);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),   cmocka_unit_test(test_bad),    cmocka_unit_test(test_ends),
        cmocka_unit_test(test_ranges), cmocka_unit_test(test_digits), cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
