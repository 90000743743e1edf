/*
 * test_generic.c -- invariants of every good fixture, whatever it contains.
 *
 * Each prefix of its header is refused; each changed byte of its header leads to an error or to a
 * checkpoint whose numbers add up; each failed allocation gives NOMEM without leaks. These are Lua's three
 * tests of its binary reader (calls.lua, memerr.lua).
 */
#include "../support/check.h"
#include "../support/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POSITIONS = 1500 }; /* longer headers: only every n-th byte */

static unsigned wrong(const struct fixture *f, const char *test, size_t at, const char *why,
                      const char *detail)
{
    fprintf(stderr, "%s: %s %zu: %s %s\n", f->path, test, at, why, detail);
    return 1;
}

static size_t header_of(const struct fixture *f)
{
    numel_checkpoint *ck = NULL;
    size_t n = 0;
    if (numel_open_memory(&ck, f->bytes.p, f->bytes.n, NULL, NULL) == NUMEL_OK)
        n = (size_t)numel_file_at(ck, 0)->header_bytes;
    numel_free(ck);
    return n;
}

/* A heap copy of exactly that length, so that AddressSanitizer detects a read past its end. */
static unsigned char *exact_copy(const void *p, size_t n)
{
    unsigned char *copy = malloc(n ? n : 1);
    if (!copy) abort();
    if (n) memcpy(copy, p, n);
    return copy;
}

static bool refused_rightly(const struct fixture *f, size_t n, numel_rc rc)
{
    if (rc == NUMEL_E_TRUNCATED) return true;
    if (rc == NUMEL_E_FORMAT) return n < 8; /* too short to identify */
    return rc == NUMEL_E_SYNTAX && f->format[0] == 's';
}

/* A zip is read from its end. */
static bool is_zip(const struct fixture *f) { return f->bytes.n > 4 && memcmp(f->bytes.p, "PK\3\4", 4) == 0; }

static unsigned check_prefix(const struct fixture *f, size_t n, size_t header)
{
    numel_checkpoint *ck = NULL;
    numel_error e;
    unsigned failed = 0;
    unsigned char *copy = exact_copy(f->bytes.p, n);
    memset(&e, 0xAA, sizeof e);
    numel_rc rc = numel_open_memory(&ck, copy, n, NULL, &e);
    const char *why = rc ? check_error(rc, &e, n) : check_checkpoint(ck, n);
    if (why) failed = wrong(f, "prefix", n, why, rc ? e.what : "");
    else if (n < header && !refused_rightly(f, n, rc))
        failed = wrong(f, "prefix", n, numel_rc_name(rc), rc ? e.what : "");
    else if (n >= header && rc != NUMEL_OK)
        failed = wrong(f, "prefix", n, "holds the whole header, yet", e.what);
    numel_free(ck);
    free(copy);
    return failed;
}

static unsigned check_prefixes(const struct fixture *f)
{
    size_t header = header_of(f), step = f->bytes.n / POSITIONS + 1;
    unsigned failed = 0;
    if (header < 8) return wrong(f, "prefix", header, "does not open", "");
    if (is_zip(f)) header = f->bytes.n;
    for (size_t n = 0; n < f->bytes.n; n += step * check_every()) failed += check_prefix(f, n, header);
    return failed + check_prefix(f, header - 1, header) + check_prefix(f, header, header);
}

static unsigned check_change(const struct fixture *f, unsigned char *copy, size_t at, unsigned char to)
{
    numel_checkpoint *ck = NULL;
    numel_error e;
    unsigned char was = copy[at];
    unsigned failed = 0;
    char detail[40];
    memset(&e, 0xAA, sizeof e);
    copy[at] = to;
    numel_rc rc = numel_open_memory(&ck, copy, f->bytes.n, NULL, &e);
    const char *why = rc ? check_error(rc, &e, f->bytes.n) : check_checkpoint(ck, f->bytes.n);
    snprintf(detail, sizeof detail, "(0x%02x -> 0x%02x)", was, to);
    if (why) failed = wrong(f, "changed byte", at, why, detail);
    numel_free(ck);
    copy[at] = was;
    return failed;
}

static unsigned check_changes(const struct fixture *f)
{
    static const unsigned char fixed[] = { 0x00, 0xFF, 0x7F, 0x80, ' ', '"', '}', ']', ',', '9' };
    size_t header = header_of(f), step = header / POSITIONS + 1;
    unsigned failed = 0;
    unsigned char *copy = exact_copy(f->bytes.p, f->bytes.n);
    for (size_t at = 0; at < header; at += step * check_every()) {
        for (size_t i = 0; i < sizeof fixed; i++) failed += check_change(f, copy, at, fixed[i]);
        failed += check_change(f, copy, at, copy[at] ^ 1);
        failed += check_change(f, copy, at, (unsigned char)(copy[at] + 1));
    }
    free(copy);
    return failed;
}

static unsigned check_allocations(const struct fixture *f)
{
    struct check_memory m;
    numel_options options = { .size = sizeof(numel_options), .allocator = &m.allocator };
    for (uint64_t k = 0;; k += check_every()) {
        numel_checkpoint *ck = NULL;
        numel_error e;
        memset(&e, 0xAA, sizeof e);
        check_memory_init(&m, k);
        numel_rc rc = numel_open_memory(&ck, f->bytes.p, f->bytes.n, &options, &e);
        bool failed = m.calls > k;
        const char *why = rc ? check_error(rc, &e, f->bytes.n) : NULL;
        numel_free(ck);
        if (m.outstanding != 0) return wrong(f, "allocation", k, "leaks", "");
        if (why) return wrong(f, "allocation", k, why, "");
        if (failed != (rc == NUMEL_E_NOMEM))
            return wrong(f, "allocation", k, failed ? "failed, yet the result is" : "gives",
                         numel_rc_name(rc));
        if (!failed) return k > 0 ? 0 : wrong(f, "allocation", k, "the allocator is not used", "");
    }
}

static void on_good(unsigned (*check)(const struct fixture *))
{
    struct fixtures all;
    unsigned failed = 0;
    fixtures_load(&all, fixtures_root(), "good");
    size_t count = all.count;
    for (size_t i = 0; i < all.count; i++) failed += check(&all.items[i]);
    fixtures_free(&all);
    assert_true(count > 40);
    assert_int_equal(failed, 0);
}

static void test_prefixes(void **state) { (void)state, on_good(check_prefixes); }
static void test_changes(void **state) { (void)state, on_good(check_changes); }
static void test_allocations(void **state) { (void)state, on_good(check_allocations); }

/* Odd fixtures, and those counted with errors, exercise code that good files never reach. */
static void test_allocations_of_findings(void **state)
{
    struct fixtures all;
    unsigned failed = 0;
    (void)state;
    fixtures_load(&all, fixtures_root(), NULL);
    for (size_t i = 0; i < all.count; i++)
        if (!all.items[i].refused) failed += check_allocations(&all.items[i]);
    fixtures_free(&all);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_allocations_of_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
