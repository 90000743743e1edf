/*
 * test_cursor.c -- a cursor fails once, at the field, and stays failed.
 */
#include "../support/t.h"

#include "base/cursor.h"

static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };

static void test_reads(void **state)
{
    numel_error e = { .offset = NUMEL_NOWHERE };
    struct cursor c = { bytes, sizeof bytes, 0, false, &e };
    (void)state;
    assert_int_equal(cursor_uint(&c, 1, "a"), 1);
    assert_int_equal(cursor_uint(&c, 2, "b"), 0x0302);
    c.big_endian = true;
    assert_int_equal(cursor_uint(&c, 4, "c"), 0x04050607);
    assert_ptr_equal(cursor_take(&c, 3, "d"), bytes + 7);
    assert_int_equal(cursor_left(&c), 0);
    assert_ptr_equal(cursor_take(&c, 0, "nothing"), bytes + 10);
    assert_true(cursor_ok(&c));
}

static void test_fails_once(void **state)
{
    numel_error e = { .offset = NUMEL_NOWHERE };
    struct cursor c = { bytes, sizeof bytes, 0, false, &e };
    (void)state;
    cursor_take(&c, 7, "a");
    assert_int_equal(cursor_uint(&c, 4, "the count"), 0);
    assert_false(cursor_ok(&c));
    assert_int_equal(e.code, NUMEL_E_TRUNCATED);
    assert_int_equal(e.offset, 7); /* position of the field, not after it */
    assert_non_null(strstr(e.what, "the count"));
    assert_non_null(strstr(e.what, "4"));
    assert_non_null(strstr(e.what, "3"));
    numel_error first = e;
    assert_int_equal(cursor_uint(&c, 1, "later"), 0); /* although three bytes remain */
    assert_null(cursor_take(&c, 0, "later"));
    assert_false(cursor_count(&c, 0, 0, 1, "later"));
    assert_false(cursor_fail(&c, 1, NUMEL_E_RANGE, "later"));
    assert_memory_equal(&e, &first, sizeof e);
    assert_int_equal(c.at, 7);
}

static void test_lengths_that_wrap(void **state)
{
    static const uint64_t lengths[] = { 10, UINT64_MAX, UINT64_MAX - 8, UINT64_C(1) << 63,
                                        UINT64_C(1) << 62 };
    (void)state;
    for (size_t i = 0; i < ROWS_OF(lengths); i++) {
        numel_error e = { .offset = NUMEL_NOWHERE };
        struct cursor c = { bytes, sizeof bytes, 1, false, &e };
        assert_null(cursor_take(&c, lengths[i], "a key"));
        assert_int_equal(e.code, NUMEL_E_TRUNCATED);
        assert_int_equal(e.offset, 1);
        assert_int_equal(c.at, 1);
    }
}

static void test_counts(void **state)
{
    static const struct {
        uint64_t count, least;
        bool fits;
    } rows[] = {
        { 0, 24, true },
        { 1, 10, true },
        { 2, 5, true },
        { 3, 3, true },
        { 4, 3, false },
        { 1, 11, false },
        { 10, 1, true },
        { 11, 1, false },
        { UINT64_C(1) << 63, 2, false }, /* the product wraps to 0 */
        { UINT64_MAX, 1, false },
        { UINT64_MAX, UINT64_MAX, false },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        numel_error e = { .offset = NUMEL_NOWHERE };
        struct cursor c = { bytes, sizeof bytes, 0, false, &e };
        bool fits = cursor_count(&c, 4, rows[i].count, rows[i].least, "tensors");
        ROW(failed, fits == rows[i].fits && cursor_ok(&c) == fits, "row %zu", i);
        ROW(failed, fits || (e.code == NUMEL_E_TRUNCATED && e.offset == 4), "error of row %zu", i);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_fails_once),
        cmocka_unit_test(test_lengths_that_wrap),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
