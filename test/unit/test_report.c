/*
 * test_report.c -- every fixture that opens can be reported, in every style; and each allocation of
 * making and writing a report, failed, is NOMEM and leaves nothing behind.
 */
#include "../support/check.h"
#include "../support/fixture.h"
#include "../support/reports.h"
#include "../support/t.h"

static bool ignore(void *ctx, const void *p, size_t bytes)
{
    (void)p;
    *(uint64_t *)ctx += bytes;
    return true;
}

static void test_reports(void **state)
{
    struct fixtures all;
    unsigned failed = 0, reported = 0;
    (void)state;
    fixtures_load(&all, fixtures_root(), NULL);
    for (size_t i = 0; i < all.count; i++) {
        const struct fixture *f = &all.items[i];
        numel_checkpoint *ck = NULL;
        if (numel_open_memory(&ck, f->bytes.p, f->bytes.n, NULL, NULL) != NUMEL_OK) continue;
        const char *why = check_reports(ck);
        ROW(failed, !why, "%s: %s", f->path, why);
        numel_free(ck);
        reported++;
    }
    fixtures_free(&all);
    assert_true(reported > 100);
    assert_int_equal(failed, 0);
}

/* Makes and writes one report with allocation k failing; true when it was reached. */
static bool starve(const numel_checkpoint *ck, struct check_memory *m, unsigned kind,
                   const numel_style *style, uint64_t k, const char **why)
{
    numel_report *r = NULL;
    numel_error e;
    uint64_t wrote = 0;
    int64_t before = m->outstanding;
    m->calls = 0;
    m->fail_at = k;
    memset(&e, 0xAA, sizeof e);
    numel_rc rc = report_make(kind, &r, ck, &(numel_view){ 0 }, &e);
    if (rc && r) *why = "leaves *out set on failure";
    if (!rc) rc = numel_report_write(r, style, ignore, &wrote, &e);
    numel_report_free(rc && !r ? NULL : r);
    bool reached = m->calls > k;
    m->fail_at = UINT64_MAX;
    if (m->outstanding != before) *why = "leaks";
    else if (reached != (rc == NUMEL_E_NOMEM) && (reached || kind != REPORT_FORMULA))
        *why = reached ? "is not NOMEM" : "fails";
    else if (rc && e.code != rc) *why = "code and result disagree";
    return reached;
}

static unsigned starve_all(const struct fixture *f)
{
    static const numel_style styles[] = { { .format = NUMEL_TEXT }, { .format = NUMEL_JSON } };
    struct check_memory m;
    numel_options options = { .allocator = &m.allocator };
    numel_checkpoint *ck = NULL;
    unsigned failed = 0;
    check_memory_init(&m, UINT64_MAX);
    if (numel_open_memory(&ck, f->bytes.p, f->bytes.n, &options, NULL) != NUMEL_OK) return 1;
    for (unsigned kind = 0; kind < REPORT_KINDS; kind++)
        for (size_t s = 0; s < (kind == REPORT_EXPLAIN ? 1 : ROWS_OF(styles)); s++) { /* explain takes its time */
            const char *why = NULL;
            uint64_t k = 0;
            while (starve(ck, &m, kind, &styles[s], k, &why) && !why) k++;
            ROW(failed, !why, "%s: report %u, style %zu, allocation %llu %s", f->path, kind, s,
                (unsigned long long)k, why);
        }
    numel_free(ck);
    ROW(failed, m.outstanding == 0, "%s: the checkpoint leaks", f->path);
    return failed;
}

static void test_allocations(void **state)
{
    struct fixtures all;
    unsigned failed = 0;
    (void)state;
    fixtures_load(&all, fixtures_root(), NULL);
    for (size_t i = 0; i < all.count; i++)
        if (!all.items[i].refused) failed += starve_all(&all.items[i]);
    fixtures_free(&all);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reports),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
