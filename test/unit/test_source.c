/*
 * test_source.c -- files that change during use, and zstd read from the front.
 *
 * A mapping is truncated while it is read: the guard must turn SIGBUS into CHANGED, nest, and restore the
 * previous action.
 */
#include "../support/t.h"

#include "source/guard.h"
#include "source/kept.h"
#include "source/source.h"
#include "source/zstd.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 8, PAGE = 4096 };

static char path[64];
static int file;

static int make_file(void **state)
{
    char page[PAGE];
    (void)state;
    snprintf(path, sizeof path, "/tmp/numel-test-XXXXXX");
    file = mkstemp(path);
    memset(page, 7, sizeof page);
    for (int i = 0; i < PAGES; i++)
        if (write(file, page, sizeof page) != PAGE) return -1;
    return file < 0 ? -1 : 0;
}

static int remove_file(void **state)
{
    (void)state;
    close(file);
    return unlink(path);
}

struct reading_of {
    const uint8_t *base;
    uint64_t sum;
};

static bool read_all(void *ctx)
{
    struct reading_of *r = ctx;
    for (size_t i = 0; i < PAGES * PAGE; i++) r->sum += ((const volatile uint8_t *)r->base)[i];
    return true;
}

static bool shorten_and_read(void *ctx)
{
    if (ftruncate(file, PAGE) != 0) return true;
    return read_all(ctx);
}

static void test_shrinks_while_read(void **state)
{
    (void)state;
    struct source s;
    numel_error e;
    memset(&e, 0xAA, sizeof e);
    error_clear(&e);
    assert_true(source_open(&s, path, false, &memory_malloc, &e));
    struct reading_of r = { s.base, 0 };
    assert_true(guard_run(s.base, s.size, read_all, &r, &e));
    assert_true(r.sum == (uint64_t)7 * PAGES * PAGE);
    assert_false(guard_run(s.base, s.size, shorten_and_read, &r, &e));
    assert_int_equal(e.code, NUMEL_E_CHANGED);
    assert_non_null(strstr(e.what, "shrank"));
    source_close(&s);
}

struct nested {
    const uint8_t *good, *bad;
    numel_error inner;
    bool inner_failed;
};

static bool outer(void *ctx)
{
    struct nested *n = ctx;
    struct reading_of bad = { n->bad, 0 }, good = { n->good, 0 };
    error_clear(&n->inner);
    n->inner_failed = !guard_run(n->bad, PAGES * PAGE, read_all, &bad, &n->inner);
    return read_all(&good);
}

static void test_nests(void **state)
{
    (void)state;
    numel_error e;
    struct nested n = { 0 };
    error_clear(&e);
    static uint8_t good[PAGES * PAGE];
    void *bad = mmap(NULL, PAGES * PAGE, PROT_READ, MAP_PRIVATE, file, 0);
    assert_true(bad != MAP_FAILED);
    n.good = good;
    n.bad = bad;
    assert_int_equal(ftruncate(file, PAGE), 0);
    assert_true(guard_run(good, PAGES * PAGE, outer, &n, &e));
    assert_true(n.inner_failed);
    assert_int_equal(n.inner.code, NUMEL_E_CHANGED);
    munmap(bad, PAGES * PAGE);
}

static void test_puts_the_handler_back(void **state)
{
    (void)state;
    struct sigaction before, after;
    struct reading_of r = { NULL, 0 };
    numel_error e;
    static uint8_t plain[PAGES * PAGE];
    error_clear(&e);
    r.base = plain;
    sigaction(SIGBUS, NULL, &before);
    assert_true(guard_run(plain, sizeof plain, read_all, &r, &e));
    sigaction(SIGBUS, NULL, &after);
    assert_true(before.sa_handler == after.sa_handler);
}

/* A compressed header of 5,000 bytes whose original had a million. */
static void test_header_only_copy(void **state)
{
    (void)state;
    static uint8_t header[5000];
    struct buffer out;
    uint64_t original = 0, size = 0;
    const uint8_t *p = NULL;
    bool ended = false;
    numel_error e;
    error_clear(&e);
    for (size_t i = 0; i < sizeof header; i++) header[i] = (uint8_t)(i * i >> 3);
    buffer_init(&out, &memory_malloc);
    assert_true(zstd_write_head(&out, header, sizeof header, 1000000, NULL, 0, &e));
    assert_true(zstd_is((const uint8_t *)out.p, out.n));
    assert_true(zstd_mark((const uint8_t *)out.p, out.n, &original));
    assert_true(original == 1000000);
    assert_true(zstd_content((const uint8_t *)out.p, out.n, &size) && size == sizeof header);
    struct zstd_reader *z = zstd_open((const uint8_t *)out.p, out.n, &memory_malloc);
    assert_true(zstd_need(z, 100, &p, &size, &ended, &e));
    assert_true(size >= 100 && memcmp(p, header, 100) == 0);
    assert_true(zstd_need(z, UINT64_MAX, &p, &size, &ended, &e));
    assert_true(ended && size == sizeof header && memcmp(p, header, size) == 0);
    zstd_close(z);
    buffer_done(&out);
}

/* Tensors stored in a header-only copy: found by offset and size; none if it is damaged. */
static void test_kept(void **state)
{
    static const uint8_t header[100];
    char name[80];
    struct buffer out, bytes;
    struct arena a;
    struct kept kept;
    char got[8];
    numel_error e = { 0 };
    (void)state;
    buffer_init(&out, &memory_malloc);
    buffer_init(&bytes, &memory_malloc);
    arena_init(&a, &memory_malloc);
    snprintf(name, sizeof name, "%s.kept", path);
    kept_add(&bytes, 1000, "abc", 3);
    kept_add(&bytes, UINT64_C(1) << 40, "defg", 4);
    assert_true(bytes.n == 12 + 3 + 12 + 4);
    assert_true(zstd_write_head(&out, header, sizeof header, 5, bytes.p, bytes.n, &e));
    for (int damage = 0; damage < 5; damage++) {
        static const size_t at[] = { 0, 28, 32, 41, 50 }; /* frame size, magic, content size, zstd's magic */
        FILE *f = fopen(name, "wb");
        assert_non_null(f);
        if (damage) out.p[at[damage]] ^= 0x55;
        assert_true(fwrite(out.p, 1, out.n, f) == out.n && fclose(f) == 0);
        if (damage) out.p[at[damage]] ^= 0x55;
        assert_true(kept_load(&kept, name, &a, &e));
        assert_true((kept.n == bytes.n) == !damage);
        assert_true(kept_find(&kept, 1000, 3, got) == !damage);
        if (!damage) assert_true(memcmp(got, "abc", 3) == 0);
        assert_true(kept_find(&kept, UINT64_C(1) << 40, 4, got) == !damage);
        assert_false(kept_find(&kept, 1000, 4, got));
        assert_false(kept_find(&kept, 1001, 3, got));
    }
    remove(name);
    kept = (struct kept){ (const uint8_t *)bytes.p, 14 }; /* cut within the first */
    assert_false(kept_find(&kept, 1000, 3, got));
    arena_done(&a);
    buffer_done(&out);
    buffer_done(&bytes);
}

/* A small file is copied: it may shrink afterwards, and its compressed content is read as from a mapped
 * one. */
static void test_small(void **state)
{
    struct source s;
    numel_error e;
    (void)state;
    error_clear(&e);
    assert_false(source_read(&s, path, PAGES * PAGE - 1, "page", &memory_malloc, &e));
    assert_int_equal(e.code, NUMEL_E_LIMIT);
    assert_non_null(strstr(e.what, "more than 32767 bytes: too large for a page"));
    error_clear(&e);
    assert_false(source_read(&s, "/", 9, "page", &memory_malloc, &e));
    assert_int_equal(e.code, NUMEL_E_IO);
    error_clear(&e);
    assert_true(source_read(&s, path, PAGES * PAGE, "page", &memory_malloc, &e));
    assert_true(s.complete && s.size == PAGES * PAGE && s.total == s.size && !s.map && s.descriptor < 0);
    struct reading_of r = { s.base, 0 };
    assert_true(source_run(&s, shorten_and_read, &r, &e));
    assert_true(r.sum == (uint64_t)7 * PAGES * PAGE);
    source_close(&s);
}

static void test_small_compressed(void **state)
{
    static const char text[] = "{\"model_type\":\"llama\"}";
    struct buffer out;
    struct source s;
    numel_error e;
    (void)state;
    error_clear(&e);
    buffer_init(&out, &memory_malloc);
    assert_true(zstd_write_head(&out, text, sizeof text, sizeof text, NULL, 0, &e));
    assert_true(ftruncate(file, 0) == 0 && pwrite(file, out.p, out.n, 0) == (ssize_t)out.n);
    assert_true(source_read(&s, path, out.n, "page", &memory_malloc, &e));
    assert_true(s.compressed && source_grow(&s, sizeof text, 100, &e));
    assert_true(s.size == sizeof text && memcmp(s.base, text, sizeof text) == 0);
    source_close(&s);
    buffer_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_shrinks_while_read, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_small, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_small_compressed, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_nests, make_file, remove_file),
        cmocka_unit_test(test_puts_the_handler_back),
        cmocka_unit_test(test_header_only_copy),
        cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
