/* test_slurp.c -- small files and pipes, read whole. */
#define _XOPEN_SOURCE 700 /* mkdtemp() */
#include "formula.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/slurp.h"
#include "source/source.h"

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

/* A FIFO without a writer: waiting for one would take forever. */
static void test_silent(void **state)
{
    char folder[] = "/tmp/numel-test-XXXXXX", fifo[64];
    struct buffer b;
    struct source s;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(fifo, sizeof fifo, "%s/fifo", folder);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    buffer_init(&b, &memory_malloc);
    numel_error e = { 0 };
    assert_false(slurp(&b, fifo, 100, &e));
    assert_int_equal(e.code, NUMEL_E_IO);
    assert_string_equal(e.what, "is a pipe without a writer");
    e = (numel_error){ 0 };
    assert_false(source_read(&s, fifo, 100, "list", &memory_malloc, &e));
    assert_string_equal(e.what, "is a pipe without a writer");
    e = (numel_error){ 0 };
    assert_false(source_open(&s, fifo, false, &memory_malloc, &e));
    assert_string_equal(e.what, "is a FIFO, not a file");
    buffer_done(&b);
    assert_int_equal(unlink(fifo), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* A pipe instead of a small file, larger than the first allocation; its end is the limit. */
static void test_read_pipe(void **state)
{
    enum { BYTES = 40000 };
    static char sent[BYTES];
    int ends[2];
    char name[64];
    struct source s;
    (void)state;
    for (int i = 0; i < BYTES; i++) sent[i] = (char)(i % 251);
    for (uint64_t most = BYTES - 1; most <= BYTES; most++) {
        numel_error e = { 0 };
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], sent, BYTES), BYTES);
        close(ends[1]);
        snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
        bool ok = source_read(&s, name, most, "list", &memory_malloc, &e);
        assert_int_equal(ok, most == BYTES);
        if (ok) {
            assert_int_equal(s.size, BYTES);
            assert_memory_equal(s.base, sent, BYTES);
            source_close(&s);
        } else {
            assert_int_equal(e.code, NUMEL_E_LIMIT);
            assert_string_equal(e.what, "more than 39999 bytes: too large for a list");
        }
        close(ends[0]);
    }
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
    assert_string_equal(e.what, "is a directory, not a file");
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
        cmocka_unit_test(test_whole),     cmocka_unit_test(test_pipe),      cmocka_unit_test(test_silent),
        cmocka_unit_test(test_read_pipe), cmocka_unit_test(test_not_there), cmocka_unit_test(test_starved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
