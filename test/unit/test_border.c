/* test_border.c -- structs of other sizes than ours: older callers, newer ones, and uninitialised sizes. */
#include "../support/t.h"

#include "base/border.h"

#include <stdlib.h>
#include <string.h>

enum { NEWER = sizeof(numel_view) + 32 };

/* The caller's memory, exactly `size` bytes: AddressSanitizer detects a read beyond them. */
static void *caller(const void *front, size_t have, size_t size)
{
    unsigned char *p = calloc(1, size);
    assert_non_null(p);
    memcpy(p, front, have < size ? have : size);
    memcpy(p, &size, sizeof size);
    return p;
}

static void test_null(void **state)
{
    numel_error e;
    numel_options o;
    struct border_check c;
    (void)state;
    error_clear(&e);
    memset(&o, -1, sizeof o);
    memset(&c, -1, sizeof c);
    assert_true(border_options(&o, NULL, &e) && border_check(&c, NULL, &e));
    assert_ptr_equal(o.allocator, &memory_malloc);
    assert_false(o.strict || o.max_header_bytes || o.progress);
    assert_null(c.check.work);
    assert_int_equal(c.check.size, sizeof(numel_check));
}

/* An older caller's struct ends early: the remaining fields count as unset. */
static void test_older(void **state)
{
    const numel_view full = { .size = sizeof full, .depth = 3, .all = true, .match = "a", .key = "b" };
    numel_error e;
    numel_view own;
    (void)state;
    for (size_t size = sizeof(size_t); size <= sizeof full; size += sizeof(size_t)) {
        numel_view *old = caller(&full, sizeof full, size);
        error_clear(&e);
        memset(&own, -1, sizeof own);
        assert_true(border_view(&own, old, &e));
        assert_int_equal(own.size, sizeof own);
        assert_int_equal(own.depth, size > offsetof(numel_view, depth) ? 3 : 0);
        assert_int_equal(own.key != NULL, size > offsetof(numel_view, key));
        free(old);
    }
}

/* A newer caller may have fields that we lack, as long as they are zero. */
static void test_newer(void **state)
{
    const numel_view full = { .size = sizeof full, .depth = 3 };
    numel_view own, *new = caller(&full, sizeof full, NEWER);
    numel_error e;
    (void)state;
    for (size_t at = sizeof full; at <= NEWER; at++) {
        if (at < NEWER) ((unsigned char *)new)[at] = 1;
        error_clear(&e);
        assert_int_equal(border_view(&own, new, &e), at == NEWER);
        assert_int_equal(e.code, at == NEWER ? NUMEL_OK : NUMEL_E_USAGE);
        assert_int_equal(strstr(e.what, "newer than this library") != NULL, at < NEWER);
        if (at < NEWER) ((unsigned char *)new)[at] = 0;
    }
    assert_int_equal(own.depth, 3);
    assert_int_equal(own.size, sizeof own);
    free(new);
}

static void test_sizes(void **state)
{
    static const size_t sizes[] = { 0, 1, sizeof(size_t) - 1, sizeof(size_t) + 1, 4104, SIZE_MAX };
    (void)state;
    for (size_t i = 0; i < ROWS_OF(sizes); i++) {
        numel_style style = { .size = sizes[i] }, own;
        numel_counts counts = { .size = sizes[i], .tensors = 7 };
        numel_error e;
        error_clear(&e);
        assert_false(border_style(&own, &style, &e));
        assert_int_equal(e.code, NUMEL_E_USAGE);
        assert_non_null(strstr(e.what, sizes[i] ? "no version has" : "NUMEL_INIT(numel_style)"));
        error_clear(&e);
        assert_false(BORDER_GIVE(numel_counts, &counts, &counts, &e));
        assert_int_equal(counts.tensors, 7); /* nothing is written */
    }
}

/* A filled struct ends at the caller's size, and states that size. */
static void test_filled(void **state)
{
    const numel_counts ours = { sizeof ours, 1, 2, 3, 4, 5, 6, 7, 8 };
    (void)state;
    for (size_t size = sizeof(size_t); size <= sizeof ours + 16; size += sizeof(size_t)) {
        numel_counts *c = caller(&ours, sizeof(size_t), size);
        numel_error e;
        error_clear(&e);
        assert_true(BORDER_GIVE(numel_counts, c, &ours, &e));
        size_t filled = size < sizeof ours ? size : sizeof ours;
        assert_int_equal(c->size, filled);
        assert_memory_equal((char *)c + sizeof(size_t), (const char *)&ours + sizeof(size_t),
                            filled - sizeof(size_t));
        free(c);
    }
}

static void test_contents(void **state)
{
    static const char *const list[] = { "a", NULL };
    static const numel_allocator none = { NULL, NULL };
    const numel_knowledge specs = { .size = sizeof specs, .spec_count = 1 };
    const numel_knowledge sets = { .size = sizeof sets, .sets = list, .set_count = 2 };
    const numel_options options = { .size = sizeof options, .allocator = &none };
    const numel_work unsized = { .size = 0 };
    const numel_check nested = { .size = sizeof nested, .work = &unsized };
    const numel_check level = { .size = sizeof level, .level = NUMEL_LEVEL_VALUES };
    const numel_view view = { .size = sizeof view, .by = (numel_by)99 };
    const numel_style style = { .size = sizeof style, .format = (numel_style_format)99 };
    const numel_printout printout = { .size = sizeof printout, .bytes = 1 };
    const numel_hashing reserved = { .size = sizeof reserved, .reserved = { [5] = true } };
    union {
        numel_knowledge knowledge;
        numel_options options;
        struct border_check check;
        numel_view view;
        numel_style style;
        numel_printout printout;
        numel_hashing hashing;
    } own;
    numel_error e = { .code = NUMEL_E_USAGE };
    (void)state;
    assert_false(border_knowledge(&own.knowledge, &specs, &e) || border_knowledge(&own.knowledge, &sets, &e));
    assert_false(border_options(&own.options, &options, &e));
    assert_false(border_check(&own.check, &nested, &e) || border_check(&own.check, &level, &e));
    assert_false(border_view(&own.view, &view, &e) || border_style(&own.style, &style, &e));
    assert_false(border_printout(&own.printout, &printout, &e));
    assert_false(border_hashing(&own.hashing, &reserved, &e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null),  cmocka_unit_test(test_older),  cmocka_unit_test(test_newer),
        cmocka_unit_test(test_sizes), cmocka_unit_test(test_filled), cmocka_unit_test(test_contents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
