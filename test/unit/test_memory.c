/*
 * test_memory.c -- arena, growth and buffer: where they place things, and how they handle a failed
 * allocation.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/buffer.h"
#include "base/memory.h"

static void test_arena(void **state)
{
    struct check_memory m;
    struct arena a;
    uint8_t *pieces[2000];
    (void)state;
    check_memory_init(&m, UINT64_MAX);
    arena_init(&a, &m.allocator);
    for (size_t i = 0; i < ROWS_OF(pieces); i++) {
        size_t n = i % 97 == 0 ? 5000 : i % 13;
        pieces[i] = arena_alloc(&a, n);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 8, 0);
        memset(pieces[i], (int)(i & 0xFF), n); /* overlaps are detected below */
    }
    for (size_t i = 0; i < ROWS_OF(pieces); i++)
        for (size_t k = 0, n = i % 97 == 0 ? 5000 : i % 13; k < n; k++)
            assert_int_equal(pieces[i][k], i & 0xFF);
    assert_true(m.calls < 60); /* blocks, not pieces */
    arena_done(&a);
    assert_int_equal(m.outstanding, 0);
}

static void test_arena_huge(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, &memory_malloc);
    assert_null(arena_alloc(&a, SIZE_MAX));
    assert_null(arena_alloc(&a, SIZE_MAX - 7));
    assert_null(arena_text(&a, "", SIZE_MAX));
    assert_non_null(arena_alloc(&a, 3u << 20)); /* above the largest block */
    assert_non_null(arena_alloc(&a, 1));
    arena_done(&a);
}

static void test_arena_text(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, &memory_malloc);
    char *text = arena_text(&a, "abcdef", 3);
    assert_string_equal(text, "abc");
    assert_string_equal(arena_text(&a, NULL, 0), "");
    assert_non_null(arena_copy(&a, NULL, 0));
    assert_string_equal(arena_format(&a, "%d-%s", 5, "x"), "5-x");
    assert_string_equal(text, "abc");
    numel_str joined =
        arena_join(&a, (numel_str){ "a\0b", 3 }, (numel_str){ NULL, 0 }, (numel_str){ "c", 1 });
    assert_int_equal(joined.n, 4);
    assert_memory_equal(joined.p, "a\0bc", 5); /* with its NUL */
    assert_false(a.failed);
    assert_null(arena_join(&a, (numel_str){ "", SIZE_MAX }, (numel_str){ "x", 1 }, joined).p);
    assert_true(a.failed);
    arena_done(&a);
}

static void test_arena_fails(void **state)
{
    struct check_memory m;
    struct arena a;
    (void)state;
    check_memory_init(&m, 0);
    arena_init(&a, &m.allocator);
    assert_null(arena_alloc(&a, 1));
    assert_non_null(arena_alloc(&a, 1)); /* memory is available again for the second call */
    check_memory_init(&m, 0);
    m.outstanding = 1;
    assert_null(arena_format(&a, "%9000d", 1)); /* needs its own block */
    arena_done(&a);
    assert_int_equal(m.outstanding, 0);
}

static void test_grow(void **state)
{
    struct check_memory m;
    void *p = NULL;
    size_t cap = 0;
    numel_error e = { 0 };
    (void)state;
    check_memory_init(&m, UINT64_MAX);
    assert_true(memory_grow(&m.allocator, &p, &cap, 1, 8, &e));
    assert_true(cap >= 1);
    ((uint64_t *)p)[0] = 42;
    for (size_t need = 1; need < 100000; need++)
        assert_true(memory_grow(&m.allocator, &p, &cap, need, 8, &e));
    assert_int_equal(((uint64_t *)p)[0], 42);
    assert_true(m.calls < 20); /* at least doubles */
    size_t before = cap;
    assert_false(memory_grow(&m.allocator, &p, &cap, SIZE_MAX / 4, 8, &e)); /* the size in bytes would wrap */
    assert_int_equal(e.code, NUMEL_E_NOMEM);
    assert_int_equal(cap, before); /* a failure keeps the old contents */
    assert_int_equal(((uint64_t *)p)[0], 42);
    memory_release(&m.allocator, p);
    memory_release(&m.allocator, NULL);
    assert_int_equal(m.outstanding, 0);
}

static void test_buffer(void **state)
{
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    buffer_text(&b, "a");
    buffer_char(&b, 'b');
    buffer_add(&b, "c\0d", 3);
    buffer_add(&b, NULL, 0);
    buffer_fill(&b, '.', 3);
    buffer_fill(&b, '.', 0);
    buffer_format(&b, "%s=%d", "k", 7);
    assert_int_equal(b.n, 11);
    assert_memory_equal(b.p, "abc\0d...k=7", 11);
    buffer_format(&b, "%600d", 5); /* longer than any buffer on the stack */
    assert_int_equal(b.n, 611);
    assert_int_equal(b.p[610], '5');
    assert_int_equal(b.p[609], ' ');
    assert_false(b.failed);
    buffer_done(&b);
    assert_null(b.p);
}

static void test_buffer_fails(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 4; k++) {
        struct check_memory m;
        struct buffer b;
        check_memory_init(&m, k);
        buffer_init(&b, &m.allocator);
        for (int i = 0; i < 100; i++) buffer_text(&b, "0123456789");
        assert_true(b.failed);
        size_t n = b.n;
        buffer_char(&b, 'x'); /* permanent, although memory is available now */
        buffer_format(&b, "%d", 1);
        buffer_fill(&b, 'x', 5);
        assert_int_equal(b.n, n);
        assert_true(b.failed);
        buffer_done(&b);
        assert_int_equal(m.outstanding, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena),        cmocka_unit_test(test_arena_huge),
        cmocka_unit_test(test_arena_text),   cmocka_unit_test(test_arena_fails),
        cmocka_unit_test(test_grow),         cmocka_unit_test(test_buffer),
        cmocka_unit_test(test_buffer_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
