/* test_slurp.c -- small files and pipes, read whole. */
#include "formula.h"

#include <stdio.h>
#include <unistd.h>

#include "source/slurp.h"

static const char path[] = "fixtures/llama-2-7b/config.json";

static void test_whole(void **state)
{
    struct buffer b;
    numel_error e = { 0 };
    char own[4096];
    (void)state;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(own, 1, sizeof own, f);
    fclose(f);
    assert_in_range(n, 1, sizeof own - 1);
    buffer_init(&b, &memory_malloc);
    buffer_text(&b, "before");
    assert_true(slurp(&b, path, n, &e));
    assert_int_equal(b.n, n + 6);
    assert_memory_equal(b.p + 6, own, n);
    assert_false(slurp(&b, path, n - 1, &e));
    assert_int_equal(e.code, NUMEL_E_LIMIT);
    assert_string_equal(e.file, path);
    buffer_done(&b);
}

static void test_pipe(void **state)
{
    int ends[2];
    char name[64];
    struct buffer b;
    numel_error e = { 0 };
    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "through", 7), 7);
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    buffer_init(&b, &memory_malloc);
    assert_true(slurp(&b, name, 100, &e));
    assert_int_equal(b.n, 7);
    assert_memory_equal(b.p, "through", 7);
    buffer_done(&b);
    close(ends[0]);
}

static void test_not_there(void **state)
{
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    numel_error e = { 0 };
    assert_false(slurp(&b, "fixtures/none", 100, &e));
    assert_int_equal(e.code, NUMEL_E_IO);
    assert_string_equal(e.what, "cannot open: No such file or directory");
    e = (numel_error){ 0 };
    assert_false(slurp(&b, "fixtures", 100, &e));
    assert_int_equal(e.code, NUMEL_E_IO);
    assert_string_equal(e.what, "cannot read: Is a directory");
    buffer_done(&b);
}

static void test_starved(void **state)
{
    (void)state;
    struct scarce none = { 0, 0 };
    const numel_allocator m = { scarce_resize, &none };
    struct buffer b;
    numel_error e = { 0 };
    buffer_init(&b, &m);
    assert_false(slurp(&b, path, 4096, &e));
    assert_int_equal(e.code, NUMEL_E_NOMEM);
    buffer_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_not_there),
        cmocka_unit_test(test_starved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
