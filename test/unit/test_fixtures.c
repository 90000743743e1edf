/*
 * test_fixtures.c -- every file of fixtures/ gets the verdict stated in its name.
 *
 * The driver knows no file by name: to add a fixture, add a file. It reports every mismatch, not only the
 * first.
 */
#include "../support/check.h"
#include "../support/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static unsigned wrong(const struct fixture *f, const char *why, const char *detail)
{
    fprintf(stderr, "%s: %s%s%s\n", f->path, why, detail[0] ? ": " : "", detail);
    return 1;
}

static void print_findings(const numel_checkpoint *ck)
{
    for (size_t i = 0; i < numel_finding_count(ck); i++) {
        const numel_finding *x = numel_finding_at(ck, i);
        fprintf(stderr, "    %s@%lld (severity %d): %s\n", x->code, (long long)x->offset, (int)x->severity,
                x->message);
    }
}

static unsigned check_refused(const struct fixture *f, numel_rc rc, const numel_error *e)
{
    char got[640];
    const char *why = check_error(rc, e, f->bytes.n);
    if (rc == NUMEL_OK) return wrong(f, "was opened", "");
    if (why) return wrong(f, why, e->what);
    snprintf(got, sizeof got, "%s@%lld: %s", numel_rc_name(rc), (long long)e->offset, e->what);
    if (strcmp(numel_rc_name(rc), f->verdict) != 0 || e->offset != f->offset)
        return wrong(f, "was refused as", got);
    return 0;
}

static numel_severity allowed(const struct fixture *f)
{
    return f->kind[0] == 'g' ? NUMEL_NOTE : f->kind[0] == 'o' ? NUMEL_WARNING : NUMEL_ERROR;
}

static bool has_finding(const struct fixture *f, const numel_checkpoint *ck)
{
    for (size_t i = 0; i < numel_finding_count(ck); i++) {
        const numel_finding *x = numel_finding_at(ck, i);
        if (strcmp(x->code, f->verdict) == 0 && x->severity == allowed(f) && x->offset == f->offset)
            return true;
    }
    return false;
}

static unsigned check_opened(const struct fixture *f, const numel_checkpoint *ck)
{
    const char *why = check_checkpoint(ck, f->bytes.n);
    numel_format format = f->format[0] == 's'   ? NUMEL_SAFETENSORS
                          : f->format[0] == 'p' ? NUMEL_PYTORCH
                                                : NUMEL_GGUF;
    unsigned failed = 0;
    if (why) failed = wrong(f, why, "");
    else if (numel_file_at(ck, 0)->format != format) failed = wrong(f, "was read as another format", "");
    else if (f->verdict[0] && !has_finding(f, ck)) failed = wrong(f, "lacks its finding", "");
    else if (numel_worst(ck) != allowed(f)) {
        if (f->kind[0] != 'g') failed = wrong(f, "has a worse finding than its folder allows", "");
        else failed = wrong(f, "is good, but something was found", "");
    }
    if (failed) print_findings(ck);
    return failed;
}

static unsigned check_fixture(const struct fixture *f)
{
    numel_checkpoint *ck = (void *)(uintptr_t)0xAAAAAAAA;
    numel_error e;
    unsigned failed;
    memset(&e, 0xAA, sizeof e);
    numel_rc rc = numel_open_memory(&ck, f->bytes.p, f->bytes.n, NULL, &e);
    if (f->refused) {
        failed = check_refused(f, rc, &e);
        if (rc != NUMEL_OK && ck) failed = wrong(f, "leaves *out set on failure", "");
    } else if (rc != NUMEL_OK) {
        failed = wrong(f, numel_rc_name(rc), e.what);
    } else {
        failed = check_opened(f, ck);
    }
    if (rc == NUMEL_OK) numel_free(ck);
    return failed;
}

static void test_verdicts(void **state)
{
    struct fixtures all;
    unsigned failed = 0;
    (void)state;
    fixtures_load(&all, fixtures_root(), NULL);
    for (size_t i = 0; i < all.count; i++) failed += check_fixture(&all.items[i]);
    size_t count = all.count;
    unsigned unknown = all.unknown;
    printf("%zu fixtures, %u failed, %u not understood\n", count, failed, unknown);
    fixtures_free(&all);
    assert_int_equal(unknown, 0);
    assert_true(count > 150); /* an empty folder would prove nothing */
    assert_int_equal(failed, 0);
}

/* strict: an odd file becomes an error, a good one stays good */
static void test_strict(void **state)
{
    struct fixtures all;
    unsigned failed = 0;
    numel_options strict = { .size = sizeof(numel_options), .strict = true };
    (void)state;
    fixtures_load(&all, fixtures_root(), NULL);
    for (size_t i = 0; i < all.count; i++) {
        const struct fixture *f = &all.items[i];
        numel_checkpoint *ck = NULL;
        if (f->kind[0] == 'b') continue;
        if (numel_open_memory(&ck, f->bytes.p, f->bytes.n, &strict, NULL) != NUMEL_OK) {
            failed += wrong(f, "is refused when strict", "");
            continue;
        }
        if (numel_worst(ck) != (f->kind[0] == 'o' ? NUMEL_ERROR : NUMEL_NOTE))
            failed += wrong(f, "strict does not lift its warnings to errors", "");
        numel_free(ck);
    }
    fixtures_free(&all);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_strict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
