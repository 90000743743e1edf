/*
 * test_public_names.c -- no function of numel.h is forgotten: a test runs each function that can fail out
 * of memory, and a test over every fixture makes each report. Reads the header and the tests' own text.
 */
#define _XOPEN_SOURCE 700 /* strdup() */
#include "../support/t.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>

static char *text_of_file(const char *path)
{
    static char kept[200000];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    kept[fread(kept, 1, sizeof kept - 1, f)] = 0;
    fclose(f);
    return kept;
}

static bool calls(const char *path, const char *name)
{
    char call[80];
    snprintf(call, sizeof call, "%s(", name);
    for (const char *at = text_of_file(path); (at = strstr(at, call)) != NULL; at++)
        if (!isalnum((unsigned char)at[-1]) && at[-1] != '_') return true;
    return false;
}

/* The n-th function in numel.h that returns a numel_rc: its name; *report is set if it makes a report. */
static bool public_name(const char *header, size_t n, char name[60], bool *report)
{
    static const char mark[] = "NUMEL_CALL numel_";
    const char *at = strstr(header, mark);
    while (at && n--) at = strstr(at + 1, mark);
    if (!at) return false;
    at += strlen("NUMEL_CALL ");
    size_t k = strcspn(at, "(");
    assert_true(k < 60);
    memcpy(name, at, k);
    name[k] = 0;
    *report = strncmp(at + k, "(numel_report **", 16) == 0;
    return true;
}

static void test_complete(void **state)
{
    static const char *const starved[] = { "test/unit/test_starved.c", "test/unit/test_public.c",
                                           "test/unit/test_api.c", "test/support/reports.c",
                                           "test/unit/several.h" };
    char name[60], *header = strdup(text_of_file("include/numel.h"));
    bool report;
    unsigned failed = 0;
    size_t n = 0, reports = 0;
    (void)state;
    assert_non_null(header);
    for (; public_name(header, n, name, &report); n++) {
        bool is = false;
        for (size_t i = 0; i < ROWS_OF(starved) && !is; i++) is = calls(starved[i], name);
        ROW(failed, is, "%s() is starved nowhere: it belongs into a table of test_public.c", name);
        /* reports of a model or a checkpoint also run on every fixture */
        bool paths = calls("test/unit/test_starved.c", name) || calls("test/unit/test_public.c", name) ||
                     calls("test/unit/several.h", name);
        ROW(failed, !report || paths || calls("test/support/reports.c", name), "%s() is in no generic test",
            name);
        reports += report;
    }
    free(header);
    assert_true(n >= 40 && reports >= 15); /* the header was parsed */
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_complete) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
