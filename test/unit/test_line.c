/*
 * test_line.c -- lines that lead to a number: overflowing sums, a closing that detects a lost line,
 * untrusted names, memory that runs out; and the codes of all lines, which are part of the interface.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "counters/others.h"
#include "diff/diff.h"
#include "explain/explain.h"
#include "printout/printed_account.h"
#include "statement/statement.h"

static const struct line_code codes[] = {
    { "one", "the first", true },
    { "two", "the second", false },
    { "three", "the third", true },
};
static const numel_str nobody = { NULL, 0 };

struct lines {
    struct arena arena;
    numel_error error;
    struct tally tally;
};

static void lines_init(struct lines *l, const numel_allocator *m)
{
    arena_init(&l->arena, m);
    error_clear(&l->error);
    tally_init(&l->tally, &l->arena, &l->error);
}

/* ---- sums --------------------------------------------------------------------------------- */

/* Each row: two changes of one line, then the total to close against. */
static void test_sums(void **state)
{
    static const uint64_t most = INT64_MAX, all = UINT64_MAX;
    const struct {
        uint64_t plus[2], minus[2], total;
        bool fits;
        int64_t sum, left;
    } rows[] = {
        { { 5, 3 }, { 0, 1 }, 7, true, 7, 0 },         { { 5, 3 }, { 0, 1 }, 9, true, 7, 2 },
        { { 0, 0 }, { 5, 5 }, 0, true, -10, 10 },      { { all, 0 }, { all, 0 }, 0, true, 0, 0 },
        { { most, 0 }, { 0, most }, 0, true, 0, 0 },   { { most, 1 }, { 0, 0 }, 0, false, 0, 0 }, /* above */
        { { most + 1, 0 }, { 0, 0 }, 0, false, 0, 0 }, /* immediately */
        { { 0, 0 }, { most + 1, 0 }, 0, false, 0, 0 }, /* the total less INT64_MIN */
        { { 0, 0 }, { most + 1, 1 }, 0, false, 0, 0 }, /* below */
        { { 0, 0 }, { most, 1 }, 1, false, 0, 0 },     /* the remainder */
        { { 0, 0 }, { 0, 0 }, most + 1, false, 0, 0 }, /* the total */
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct lines l;
        int64_t left = -1;
        lines_init(&l, &memory_malloc);
        for (int k = 0; k < 2; k++) tally_add(&l.tally, &codes[0], nobody, rows[i].plus[k], rows[i].minus[k]);
        bool ok = tally_close(&l.tally, rows[i].total, 0, &left);
        ROW(failed, ok == rows[i].fits, "row %zu: %s", i, ok ? "fits" : l.error.what);
        ROW(failed, !ok || (l.tally.lines[0]->elements == rows[i].sum && left == rows[i].left),
            "row %zu: %lld, left %lld", i, (long long)l.tally.lines[0]->elements, (long long)left);
        ROW(failed, ok || (l.error.code == NUMEL_E_OVERFLOW && strstr(l.error.what, "63 bits")),
            "row %zu: %s", i, l.error.what);
        arena_done(&l.arena);
    }
    assert_int_equal(failed, 0);
}

/* Lines that fit although their sum does not. */
static void test_sum_of_lines(void **state)
{
    struct lines l;
    int64_t left;
    (void)state;
    lines_init(&l, &memory_malloc);
    assert_non_null(tally_add(&l.tally, &codes[0], nobody, INT64_MAX, 0));
    assert_non_null(tally_add(&l.tally, &codes[1], nobody, INT64_MAX, 0));
    assert_false(tally_close(&l.tally, 5, 0, &left));
    assert_int_equal(l.error.code, NUMEL_E_OVERFLOW);
    assert_null(tally_add(&l.tally, &codes[2], nobody, 1, 0)); /* the first failure stays */
    assert_null(tally_line(&l.tally, &codes[0]));
    assert_false(tally_close(&l.tally, 0, 0, &left));
    arena_done(&l.arena);
}

/* ---- the proof ---------------------------------------------------------------------------- */

/* 100 codes, more than any user has: none is dropped, each is found, and any lost line shows. */
static void test_proof(void **state)
{
    enum { MANY = 100 };
    struct line_code many[MANY];
    struct lines l;
    uint64_t total = 0;
    int64_t left;
    (void)state;
    lines_init(&l, &memory_malloc);
    for (uint64_t i = 0; i < 3 * MANY; i++) {
        many[i % MANY] = codes[0];
        assert_non_null(tally_add(&l.tally, &many[i % MANY], text_of("x"), i + 7, 2));
        total += i + 5;
    }
    assert_int_equal(l.tally.count, MANY);
    assert_true(tally_close(&l.tally, total, 0, &left));
    assert_int_equal(left, 0);
    assert_true(tally_close(&l.tally, total + 40, 40, &left));
    assert_int_equal(left, 0);
    for (size_t lost = 0; lost < MANY; lost++) {
        struct tally mutant = l.tally;
        struct tally_line *lines[MANY];
        memcpy(lines, l.tally.lines, sizeof lines);
        lines[lost] = lines[--mutant.count];
        mutant.lines = lines;
        assert_true(tally_close(&mutant, total, 0, &left));
        assert_int_equal(left, l.tally.lines[lost]->elements);
        assert_int_not_equal(left, 0);
    }
    for (size_t i = 0; i < MANY; i++) {
        const struct tally_line *line = tally_find(&l.tally, &many[i]);
        assert_ptr_equal(line, l.tally.lines[i]);
        assert_int_equal(line->tensors, 3);
        assert_string_equal(line->detail, "x and 2 more");
    }
    assert_null(tally_find(&l.tally, &codes[1]));
    arena_done(&l.arena);
}

static void test_rest(void **state)
{
    struct lines l;
    int64_t left;
    (void)state;
    lines_init(&l, &memory_malloc);
    tally_add(&l.tally, &codes[0], nobody, 10, 0);
    assert_true(tally_close(&l.tally, 10, 0, &left) && tally_rest(&l.tally, left));
    assert_int_equal(l.tally.count, 1);
    assert_true(tally_close(&l.tally, 4, 0, &left) && tally_rest(&l.tally, left));
    assert_int_equal(l.tally.count, 2);
    assert_ptr_equal(l.tally.lines[1]->code, &line_unexplained);
    assert_int_equal(l.tally.lines[1]->elements, -6);
    assert_false(l.tally.lines[1]->explains);
    assert_true(tally_close(&l.tally, 4, 0, &left));
    assert_int_equal(left, 0);
    arena_done(&l.arena);
}

static int largest_first(const struct tally_line *a, const struct tally_line *b)
{
    return a->elements < b->elements ? 1 : a->elements > b->elements ? -1 : 0;
}

static void test_sort(void **state)
{
    static const uint64_t sizes[] = { 9, 4, 8, 4, 6 };
    struct lines l;
    (void)state;
    lines_init(&l, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(sizes); i++) {
        struct tally_line *line = tally_new(&l.tally, &codes[i % 3]);
        assert_true(tally_sum(&l.tally, &line->elements, sizes[i], 0));
        line->tensors = (int64_t)i;
    }
    tally_sort(&l.tally, 1, largest_first);
    static const int64_t order[] = { 0, 2, 4, 1, 3 };
    for (size_t i = 0; i < ROWS_OF(order); i++) assert_int_equal(l.tally.lines[i]->tensors, order[i]);
    arena_done(&l.arena);
}

/* ---- names and grounds -------------------------------------------------------------------- */

static void test_names(void **state)
{
    static const struct {
        numel_str name;
        uint64_t names;
        const char *note, *detail;
    } rows[] = {
        { { "w", 1 }, 0, NULL, "" },
        { { "w", 1 }, 0, "a note", "a note" },
        { { "w", 1 }, 1, NULL, "w" },
        { { "w", 1 }, 1, "", "w" },
        { { "w", 1 }, 2, NULL, "w and 1 more" },
        { { "w", 1 }, 1001, "a note", "w and 1,000 more; a note" },
        { { "", 0 }, 1, NULL, "" },
        { { "a\0b", 3 }, 1, NULL, "a\\x00b" },
        { { "\x1b[2J", 4 }, 2, NULL, "\\x1b[2J and 1 more" },
        { { "\xff\n'", 3 }, 1, NULL, "\\xff\\n'" },
        { { "\xe2\x80\xae", 3 }, 1, NULL, "\\u202e" },
    };
    unsigned failed = 0;
    char mile[5000];
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct lines l;
        int64_t left;
        lines_init(&l, &memory_malloc);
        struct tally_line *line = tally_line(&l.tally, &codes[0]);
        for (uint64_t k = 0; k < rows[i].names; k++) line_name(line, k ? text_of("later") : rows[i].name);
        line->note = rows[i].note;
        assert_true(tally_close(&l.tally, 0, 0, &left));
        ROW(failed, strcmp(line->detail, rows[i].detail) == 0, "row %zu: '%s'", i, line->detail);
        arena_done(&l.arena);
    }
    struct arena a;
    arena_init(&a, &memory_malloc);
    memset(mile, 'x', sizeof mile);
    assert_true(strlen(names_and_more(&a, (numel_str){ mile, sizeof mile }, 3)) < TEXT_QUOTE + 20);
    assert_non_null(strstr(names_and_more(&a, (numel_str){ mile, sizeof mile }, 3), "xxx and 2 more"));
    arena_done(&a);
    assert_int_equal(failed, 0);
}

static void test_grounds(void **state)
{
    struct lines l;
    (void)state;
    lines_init(&l, &memory_malloc);
    line_rests(NULL, GROUND_NAME);
    static const enum ground grounds[] = { GROUND_SHAPE, GROUND_NAME, GROUND_SHAPE, GROUND_NAME };
    for (size_t i = 0; i < ROWS_OF(grounds); i++) {
        struct tally_line *line = tally_add(&l.tally, &codes[0], text_of("w"), 1, 0);
        line_rests(line, grounds[i]);
        assert_int_equal(line->ground, i ? GROUND_NAME : GROUND_SHAPE);
    }
    assert_int_equal(l.tally.lines[0]->unchecked, 2);
    arena_done(&l.arena);
}

/* ---- memory ------------------------------------------------------------------------------- */

/* 40,000 lines, so that blocks are allocated repeatedly. */
static void test_memory(void **state)
{
    struct check_memory m;
    bool reached = true;
    (void)state;
    check_memory_init(&m, UINT64_MAX);
    for (uint64_t k = 0; reached; k++) {
        struct lines l;
        int64_t left;
        m.calls = 0;
        m.fail_at = k;
        lines_init(&l, &m.allocator);
        for (int i = 0; i < 40000; i++) {
            struct tally_line *line = tally_new(&l.tally, &codes[i % 3]);
            if (line) line_name(line, text_of("name"));
        }
        bool ok = tally_close(&l.tally, 0, 0, &left);
        reached = m.calls > k;
        assert_int_equal(ok, !reached);
        assert_int_equal(l.error.code, reached ? NUMEL_E_NOMEM : NUMEL_OK);
        arena_done(&l.arena);
        assert_int_equal(m.outstanding, 0);
    }
}

/* ---- the codes ---------------------------------------------------------------------------- */

struct user_code {
    const char *user;
    const struct line_code *code;
};

/* The tables one after another; those of explain have rows with more fields. */
static size_t all_codes(struct user_code *all)
{
    static const struct {
        const char *user;
        const struct line_code *codes;
        size_t count, step;
    } tables[] = {
#define TABLE(user, codes, count) { user, codes, count, sizeof(struct line_code) }
#define ROWS(user, rows, count)                      \
    {                                                \
        user, &(rows)[0].line, count, sizeof *(rows) \
    }
        TABLE("all", &line_unexplained, 1),
        TABLE("reconcile", statement_codes, STATEMENT_CODES),
        TABLE("diff", diff_codes, DIFF_CODE_COUNT),
        TABLE("printout", printed_codes, PRINTED_CODE_COUNT),
        TABLE("counters", others_codes, OTHERS_CODE_COUNT),
        TABLE("explain", explain_codes, EXPLAIN_CODE_COUNT),
        ROWS("explain", scopes, SIZE_MAX),
        ROWS("explain", steps, SIZE_MAX),
        ROWS("explain", unit_errors, SIZE_MAX),
        ROWS("explain", dimension_rows, DIMENSIONS),
        ROWS("explain", popular_rows, SIZE_MAX),
    };
    const size_t counts[] = { scope_rows, step_rows, unit_error_rows, popular_count };
    size_t n = 0, k = 0;
    for (size_t t = 0; t < ROWS_OF(tables); t++) {
        size_t count = tables[t].count == SIZE_MAX ? counts[k++] : tables[t].count;
        for (size_t i = tables[t].codes == &unit_errors[0].line; i < count; i++) /* the first one is unused */
            all[n++] = (struct user_code){ tables[t].user, (const void *)((const char *)tables[t].codes +
                                                                          i * tables[t].step) };
    }
    return n;
}

static bool is_code(const char *s)
{
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return n && !s[n];
}

/* Each user has a code once, and the manual page lists every code. */
static void test_codes(void **state)
{
    static struct user_code all[1000];
    static char page[200000];
    unsigned failed = 0;
    (void)state;
    FILE *f = fopen("docs/numel.5", "rb");
    assert_non_null(f);
    page[fread(page, 1, sizeof page - 1, f)] = 0;
    assert_true(feof(f));
    fclose(f);
    size_t count = all_codes(all);
    for (size_t i = 0; i < count; i++) {
        const struct line_code *c = all[i].code;
        char item[100];
        snprintf(item, sizeof item, "\n.It Li %s Pq ", c->code);
        ROW(failed, is_code(c->code), "%s: '%s' is not a code", all[i].user, c->code);
        ROW(failed, c->text[0], "%s: %s says nothing", all[i].user, c->code);
        ROW(failed, strstr(page, item), "%s: %s is not in docs/numel.5", all[i].user, c->code);
        for (size_t k = 0; k < i; k++)
            ROW(failed, strcmp(all[k].user, all[i].user) != 0 || strcmp(all[k].code->code, c->code) != 0,
                "%s: %s twice", all[i].user, c->code);
    }
    assert_int_equal(failed, 0);
}

static bool is_known(const char *code, size_t n)
{
    static struct user_code all[1000];
    static size_t count;
    if (!count) count = all_codes(all);
    for (size_t i = 0; i < count; i++)
        if (strlen(all[i].code->code) == n && strncmp(all[i].code->code, code, n) == 0) return true;
    return false;
}

/* Every code in the manual belongs to a line. */
static void test_manual(void **state)
{
    char line[1000];
    unsigned failed = 0, items = 0;
    bool here = false;
    (void)state;
    FILE *f = fopen("docs/numel.5", "rb");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (strncmp(line, ".Sh ", 4) == 0) here = strcmp(line, ".Sh LINE CODES\n") == 0;
        if (!here || strncmp(line, ".It Li ", 7) != 0) continue;
        size_t n = strcspn(line + 7, " \n");
        ROW(failed, is_known(line + 7, n), "docs/numel.5: no line has the code %.*s", (int)n, line + 7);
        items++;
    }
    fclose(f);
    assert_true(items > 50);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),    cmocka_unit_test(test_sum_of_lines), cmocka_unit_test(test_proof),
        cmocka_unit_test(test_rest),    cmocka_unit_test(test_sort),         cmocka_unit_test(test_names),
        cmocka_unit_test(test_grounds), cmocka_unit_test(test_memory),       cmocka_unit_test(test_codes),
        cmocka_unit_test(test_manual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
