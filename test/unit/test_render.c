/*
 * test_render.c -- rendering a report: each kind of cell as text and as JSON, tables and fields, documents
 * and lines, and failures of memory or of the output's reader.
 */
#include "../support/check.h"
#include "../support/reports.h"

#include "render.h"

#include <stdlib.h>

static const numel_style as_text = { .size = sizeof(numel_style), .format = NUMEL_TEXT },
                         as_json = { .size = sizeof(numel_style), .format = NUMEL_JSON };
static const uint64_t dims[] = { 4096, 32, UINT64_MAX };

/* ---- cells -------------------------------------------------------------------------------- */

static const struct cell_row {
    struct cell cell;
    const char *text, *json;
} cell_rows[] = {
    { { .kind = CELL_NULL }, "", "null" },
    { U(CELL_COUNT, 0), "0", "0" },
    { U(CELL_COUNT, 999), "999", "999" },
    { U(CELL_COUNT, 1000), "1,000", "1000" },
    { U(CELL_COUNT, 999999), "999,999", "999999" },
    { U(CELL_COUNT, 1000000), "1,000,000", "1000000" },
    { U(CELL_COUNT, UINT64_MAX), "18,446,744,073,709,551,615", "18446744073709551615" },
    { U(CELL_NUMBER, 1234567), "1234567", "1234567" },
    { U(CELL_TOTAL, 999), "999", "999" },
    { U(CELL_TOTAL, 1000), "1,000 (1.00 K)", "1000" },
    { U(CELL_TOTAL, 1004), "1,004 (1.00 K)", "1004" },
    { U(CELL_TOTAL, 1005), "1,005 (1.01 K)", "1005" },
    { U(CELL_TOTAL, 999994), "999,994 (999.99 K)", "999994" },
    { U(CELL_TOTAL, 999995), "999,995 (1.00 M)", "999995" },
    { U(CELL_TOTAL, 999999), "999,999 (1.00 M)", "999999" },
    { U(CELL_TOTAL, 1000000), "1,000,000 (1.00 M)", "1000000" },
    { U(CELL_TOTAL, 999994999), "999,994,999 (999.99 M)", "999994999" },
    { U(CELL_TOTAL, 999995000), "999,995,000 (1.00 B)", "999995000" },
    { U(CELL_TOTAL, 6738415616), "6,738,415,616 (6.74 B)", "6738415616" },
    { U(CELL_TOTAL, 999999999999), "999,999,999,999 (1.00 T)", "999999999999" },
    { U(CELL_TOTAL, 999999999999999), "999,999,999,999,999 (1.00 Q)", "999999999999999" },
    { U(CELL_TOTAL, UINT64_MAX), "18,446,744,073,709,551,615 (18446.74 Q)", "18446744073709551615" },
    { U(CELL_BYTES, 0), "0 B", "0" },
    { U(CELL_BYTES, 1023), "1023 B", "1023" },
    { U(CELL_BYTES, 1024), "1.0 KiB", "1024" },
    { U(CELL_BYTES, 1536), "1.5 KiB", "1536" },
    { U(CELL_BYTES, 1048575), "1023.9 KiB", "1048575" },
    { U(CELL_BYTES, 13421772800), "12.5 GiB", "13421772800" },
    { U(CELL_BYTES, UINT64_MAX), "15.9 EiB", "18446744073709551615" },
    { U(CELL_SIZE, 1023), "1023 B", "1023" },
    { U(CELL_SIZE, 1024), "1.00 KiB", "1024" },
    { U(CELL_SIZE, 1536), "1.50 KiB", "1536" },
    { U(CELL_SIZE, 4919563296), "4.58 GiB", "4919563296" },    /* 4919563296 / 2^30 = 4.58170 */
    { U(CELL_SIZE, 13476864776), "12.55 GiB", "13476864776" }, /* 12.55130 */
    { U(CELL_SIZE, 1048570), "1023.99 KiB", "1048570" },       /* 1023.99414 */
    { U(CELL_SIZE, 1048571), "1.00 MiB", "1048571" },          /* 1023.99512 */
    { U(CELL_SIZE, UINT64_MAX), "16.00 EiB", "18446744073709551615" },
    { { .kind = CELL_SIGNED, .i = 0 }, "+0", "0" },
    { { .kind = CELL_SIGNED, .i = 1234 }, "+1,234", "1234" },
    { { .kind = CELL_SIGNED, .i = -5 }, "-5", "-5" },
    { { .kind = CELL_SIGNED, .i = INT64_MIN }, "-9,223,372,036,854,775,808", "-9223372036854775808" },
    { { .kind = CELL_EACH, .u = 202383360, .n = 32 }, "32 x 202,383,360", "null" },
    { { .kind = CELL_EACH, .u = 5, .n = 1 }, "", "null" },
    { { .kind = CELL_SHARE, .u = 1, .n = 3 }, "33.3 %", "null" },
    { { .kind = CELL_SHARE, .u = 2, .n = 3 }, "66.7 %", "null" },
    { { .kind = CELL_SHARE, .u = 0, .n = 0 }, "0.0 %", "null" },
    { { .kind = CELL_SHARE, .u = UINT64_MAX, .n = UINT64_MAX }, "100.0 %", "null" },
    { U(CELL_BOOL, 1), "yes", "true" },
    { U(CELL_BOOL, 0), "no", "false" },
    { { .kind = CELL_DIMS, .dims = dims, .n = 3 },
      "[4096, 32, 18446744073709551615]",
      "[4096,32,18446744073709551615]" },
    { { .kind = CELL_DIMS, .n = 0 }, "[]", "[]" },
    { { .kind = CELL_RAW, .t = "{\"a\":[1]}" }, "{\"a\":[1]}", "{\"a\":[1]}" },
    { T("as it is"), "as it is", "\"as it is\"" },
    { S(""), "", "\"\"" },
    { S("a\0b"), "a\\x00b", "\"a\\u0000b\"" },
    { S("a\nb\tc"), "a\\nb\\tc", "\"a\\nb\\tc\"" },
    { S("\x1b[31m"), "\\x1b[31m", "\"\\u001b[31m\"" },
    { S("\x7F"), "\\x7f", "\"\\u007f\"" },
    { S("\xC2\x85"), "\\x85", "\"\\u0085\"" },
    { S("a\xE2\x80\xAE"
        "b"),
      "a\\u202eb", "\"a\\u202eb\"" },
    { S("\xFF\xFE"), "\\xff\\xfe", "\"\\ufffd\\ufffd\"" },
    { S("\xED\xA0\x80"), "\\xed\\xa0\\x80", "\"\\ufffd\\ufffd\\ufffd\"" }, /* a surrogate */
    { S("\xC0\x80"), "\\xc0\\x80", "\"\\ufffd\\ufffd\"" },                 /* overlong NUL */
    { S("caf\xC3"), "caf\\xc3", "\"caf\\ufffd\"" },                        /* cut short */
    { S("caf\xC3\xA9 \xE6\xBC\xA2"), "caf\xC3\xA9 \xE6\xBC\xA2", "\"caf\xC3\xA9 \xE6\xBC\xA2\"" },
    { S("\"\\"), "\"\\\\", "\"\\\"\\\\\"" },
};

static void test_cells(void **state)
{
    static const struct column columns[] = { { "k", "", 0, MADE } };
    struct buffer b;
    unsigned failed = 0;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(cell_rows); i++) {
        struct grid g = { &cell_rows[i].cell, NULL, 1 };
        struct section s = section_of(&g, columns, 1, SECTION_LIST);
        char want[256];
        snprintf(want, sizeof want, "%s\n", cell_rows[i].text);
        ROW(failed, strcmp(render(&b, &s, 1, &as_text), want) == 0, "row %zu: %s", i, b.p);
        snprintf(want, sizeof want, "{\"schema\": \"x\",\n \"rows\": [\n  {\"k\":%s}]}\n", cell_rows[i].json);
        ROW(failed, strcmp(render(&b, &s, 1, &as_json), want) == 0, "row %zu: %s", i, b.p);
        ROW(failed, !check_json(b.p, b.n - 1), "row %zu is not JSON: %s", i, b.p);
    }
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

/* ---- tables and fields -------------------------------------------------------------------- */

static const struct column three[] = { { "name", "name", COLUMN_NAME, MADE },
                                       { "count", "count", COLUMN_RIGHT, MADE },
                                       { "secret", NULL, 0, MADE },
                                       { NULL, "shown", 0, MADE },
                                       { "none", "none", 0, MADE } };
/* clang-format off */
static const struct cell three_cells[] = {
    S("a"), U(CELL_COUNT, 5), T("s"), { .kind = CELL_TEXT, .t = "error", .tone = TONE_BAD }, { .kind = CELL_NULL },
    S("bb"), U(CELL_COUNT, 1234567), T("s"), { .kind = CELL_TEXT, .t = "warning", .tone = TONE_PART }, { .kind = CELL_NULL },
    S("c"), U(CELL_COUNT, 0), T("s"), T(""), { .kind = CELL_NULL },
};
/* clang-format on */
static const unsigned three_depths[] = { 0, 1, 2 };
static const struct grid three_grid = { three_cells, three_depths, 5 };

static const struct form_row {
    const char *about;
    enum section_form form;
    size_t rows, text_rows;
    const char *more;
    bool null, hidden, headed;
    const char *text, *json; /* json: after the schema */
} form_rows[] = {
    { "a list", SECTION_LIST, 3, 0, NULL, false, false, false,
      "a              5  error\n  bb   1,234,567  warning\n    c          0\n",
      " \"rows\": [\n  {\"name\":\"a\",\"count\":5,\"secret\":\"s\",\"none\":null},\n"
      "  {\"name\":\"bb\",\"count\":1234567,\"secret\":\"s\",\"none\":null},\n"
      "  {\"name\":\"c\",\"count\":0,\"secret\":\"s\",\"none\":null}]}\n" },
    { "with headings, not over an empty column", SECTION_LIST, 1, 0, NULL, false, false, true,
      "name  count  shown\na         5  error\n",
      " \"rows\": [\n  {\"name\":\"a\",\"count\":5,\"secret\":\"s\",\"none\":null}]}\n" },
    { "text shows some", SECTION_LIST, 2, 1, "... and 1 more", false, false, false,
      "a         5  error\n... and 1 more\n",
      " \"rows\": [\n  {\"name\":\"a\",\"count\":5,\"secret\":\"s\",\"none\":null},\n"
      "  {\"name\":\"bb\",\"count\":1234567,\"secret\":\"s\",\"none\":null}]}\n" },
    { "an empty list", SECTION_LIST, 0, 0, NULL, false, false, false, "", " \"rows\": []}\n" },
    { "hidden in text only", SECTION_LIST, 1, 0, NULL, false, true, false, "",
      " \"rows\": [\n  {\"name\":\"a\",\"count\":5,\"secret\":\"s\",\"none\":null}]}\n" },
    { "fields", SECTION_FIELDS, 1, 0, NULL, false, false, false, "name   a\ncount  5\nshown  error\n",
      " \"name\": \"a\",\n \"count\": 5,\n \"secret\": \"s\",\n \"none\": null}\n" },
    { "an object", SECTION_OBJECT, 1, 0, NULL, false, false, false, "name   a\ncount  5\nshown  error\n",
      " \"rows\": {\"name\":\"a\",\"count\":5,\"secret\":\"s\",\"none\":null}}\n" },
    { "no object", SECTION_OBJECT, 1, 0, NULL, true, true, false, "", " \"rows\": null}\n" },
    { "a map", SECTION_MAP, 2, 0, NULL, false, false, false,
      "a             5  error\n  bb  1,234,567  warning\n",
      " \"rows\": {\n  \"a\": {\"count\":5,\"secret\":\"s\",\"none\":null},\n"
      "  \"bb\": {\"count\":1234567,\"secret\":\"s\",\"none\":null}}}\n" },
    { "an empty map", SECTION_MAP, 0, 0, NULL, false, false, false, "", " \"rows\": {}}\n" },
};

static void test_forms(void **state)
{
    struct buffer b;
    char want[512];
    unsigned failed = 0;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(form_rows); i++) {
        const struct form_row *r = &form_rows[i];
        struct section s = section_of(&three_grid, three, r->rows, r->form);
        s.text_rows = r->text_rows;
        s.more = r->more;
        s.null = r->null;
        s.hidden = r->hidden;
        s.is.shows = r->headed ? TABLE_HEADED : 0;
        ROW(failed, strcmp(render(&b, &s, 1, &as_text), r->text) == 0, "%s:\n%sand not\n%s", r->about, b.p,
            r->text);
        snprintf(want, sizeof want, "{\"schema\": \"x\",\n%s", r->json);
        ROW(failed, strcmp(render(&b, &s, 1, &as_json), want) == 0, "%s:\n%sand not\n%s", r->about, b.p,
            want);
        ROW(failed, !check_json(b.p, b.n - 1), "%s: no JSON", r->about);
    }
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

/* ---- rows of structs ---------------------------------------------------------------------- */

enum hue { HUE_NONE, HUE_RED };

struct other {
    const char *name;
    uint64_t n;
};

struct thing {
    numel_str name;
    const char *kind;
    char code[4]; /* not longer than a number */
    uint8_t small;
    uint16_t port;
    enum hue hue;
    bool sure;
    int64_t change;
    uint64_t bytes;
    const struct other *other;
};

static void thing_row(struct table_row *row, struct cell *cells)
{
    const struct thing *t = row->item;
    row->depth = (unsigned)row->i;
    cells[11] = CELL_U(CELL_NUMBER, t->bytes + *(const uint64_t *)row->of);
    if (t->small) cells[12].kind = CELL_NULL; /* sees the result of columns */
}

static const struct table thing_table =
    TABLE("things", NULL, SECTION_LIST, 0, thing_row, { "name", "", 0, AT(CELL_STR, struct thing, name) },
          { "kind", NULL, 0, AT(CELL_TEXT, struct thing, kind) },
          { "code", NULL, 0, AT(CELL_TEXT, struct thing, code) },
          { "small", NULL, 0, AT_SOME(CELL_COUNT, struct thing, small) },
          { "port", NULL, 0, AT(CELL_NUMBER, struct thing, port) },
          { "hue", NULL, 0, AT(CELL_NUMBER, struct thing, hue) },
          { "sure", NULL, 0, AT(CELL_BOOL, struct thing, sure) },
          { "change", NULL, 0, AT_IF(sure, CELL_SIGNED, struct thing, change) },
          { "bytes", NULL, 0, AT_KNOWN(CELL_BYTES, struct thing, bytes) },
          { "other", NULL, 0, VIA(CELL_TEXT, struct thing, other, name) },
          { "n", NULL, 0, VIA(CELL_COUNT, struct thing, other, n) }, { "made", NULL, 0, MADE },
          { "said", NULL, 0, SAID("words") });

static const struct table word_table =
    TABLE("words", NULL, SECTION_LIST, TABLE_FILLED, NULL, { "word", "", 0, ITSELF(CELL_STR, const char *) });

static void test_rows(void **state)
{
    static const struct other other = { "far", 65537 };
    static const struct thing things[] = {
        { { "ab", 1 }, "k", "abc", 255, 65535, HUE_RED, true, -5, NUMEL_NOT_KNOWN, &other },
        { { "b", 1 }, NULL, "", 0, 0, HUE_NONE, false, 7, 9, NULL },
    };
    static const char *const words[] = { "one", "two", "three" };
    static const size_t which[] = { 2, 0 };
    static const uint64_t more = 1;
    static const char want[] =
        "{\"schema\": \"x\",\n \"things\": [\n"
        "  "
        "{\"name\":\"a\",\"kind\":\"k\",\"code\":\"abc\",\"small\":255,\"port\":65535,\"hue\":1,\"sure\":"
        "true,"
        "\"change\":-5,\"bytes\":null,\"other\":\"far\",\"n\":65537,\"made\":0,\"said\":null},\n"
        "  {\"name\":\"b\",\"kind\":null,\"code\":\"\",\"small\":null,\"port\":0,\"hue\":0,\"sure\":false,"
        "\"change\":null,\"bytes\":9,\"other\":null,\"n\":null,\"made\":10,\"said\":\"words\"}],\n"
        " \"words\": [\n  {\"word\":\"three\"},\n  {\"word\":\"one\"}],\n \"words\": []}\n";
    struct buffer b;
    numel_error e;
    struct numel_report *r = report_new(&memory_malloc, "x", &e);
    (void)state;
    buffer_init(&b, &memory_malloc);
    report_list(r, &thing_table, ROWS(things, 2), &more);
    struct section *s = report_list(r, &word_table, ROWS(words, 2), NULL);
    s->which = which;
    assert_true(report_list(r, &word_table, ROWS(words, 0), NULL)->hidden);
    assert_int_equal(numel_report_write(r, &as_json, collect, &b, &e), NUMEL_OK);
    buffer_char(&b, '\0');
    assert_string_equal(b.p, want);
    b.n = 0;
    report_shorten(r, s, 1);
    assert_int_equal(numel_report_write(r, &as_text, collect, &b, &e), NUMEL_OK);
    buffer_char(&b, '\0');
    assert_string_equal(b.p, "a\n  b\nthree\n... and 1 more (--no-truncate shows them)\n");
    numel_report_free(r);
    buffer_done(&b);
}

/* A title has an empty line above it, except at the top. */
static void test_titles(void **state)
{
    struct section s[3];
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < 3; i++) s[i] = section_of(&three_grid, three, 1, SECTION_LIST);
    s[0].is.title = "one";
    s[1].is.title = "hidden";
    s[1].hidden = true;
    s[2].is.title = "";
    assert_string_equal(render(&b, s, 3, &as_text), "one\na         5  error\n\na         5  error\n");
    buffer_done(&b);
}

/* Colours surround the coloured text, and nothing else changes, wherever the output is flushed. */
static void test_color(void **state)
{
    static const struct column wide[] = { { "w", "", 0, MADE } };
    static const numel_style color = { .size = sizeof(numel_style), .format = NUMEL_TEXT, .color = true };
    struct section s[2] = { { .rows = 0 }, section_of(&three_grid, three, 2, SECTION_LIST) };
    struct buffer b, filler;
    unsigned failed = 0;
    (void)state;
    s[1].is.shows = TABLE_HEADED;
    buffer_init(&b, &memory_malloc);
    buffer_init(&filler, &memory_malloc);
    assert_string_equal(render(&b, &s[1], 1, &color),
                        "\033[1mname\033[0m      \033[1mcount\033[0m  \033[1mshown\033[0m\n"
                        "a             5  \033[31merror\033[0m\n"
                        "  bb  1,234,567  \033[33mwarning\033[0m\n");
    buffer_text(&filler, b.p);
    for (size_t n = 32600; n < 32800; n++) {
        struct buffer line;
        buffer_init(&line, &memory_malloc);
        buffer_fill(&line, 'x', n);
        struct cell cell = { .kind = CELL_STR, .s = { line.p, n } };
        struct grid g = { &cell, NULL, 1 };
        s[0] = section_of(&g, wide, 1, SECTION_LIST);
        render(&b, s, 2, &color);
        ROW(failed, b.n == n + 1 + filler.n + 1 && memcmp(b.p + n + 1, filler.p, filler.n) == 0,
            "%zu bytes before", n);
        buffer_done(&line);
    }
    buffer_done(&filler);
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

/* ---- lines, and giving up ----------------------------------------------------------------- */

static void same_row(struct table_row *row, struct cell *cells)
{
    cells[0] = CELL_U(CELL_NUMBER, row->i);
    cells[1] = *(const struct cell *)row->of;
}

static struct section lines_of(size_t rows, const struct cell *name)
{
    static const struct column columns[] = { { "i", "", 0, MADE }, { "name", "", 0, MADE } };
    static const struct table table = TABLE_OF("ignored", NULL, SECTION_LINES, 0, same_row, columns);
    return (struct section){ .is = table, .rows = rows, .of = name };
}

/* One document per line, without an enclosing one; a name cannot start a new line. */
static void test_lines(void **state)
{
    static const struct cell name = S("a\n{}\r\xE2\x80\xA8\"");
    static const size_t counts[] = { 0, 1, 3, 5000 };
    struct buffer b;
    unsigned failed = 0;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (size_t k = 0; k < ROWS_OF(counts); k++) {
        struct section s = lines_of(counts[k], &name);
        size_t lines = 0;
        for (char *p = (char *)(uintptr_t)render(&b, &s, 1, &as_json), *end; *p; p = end + 1) {
            char want[96];
            end = strchr(p, '\n');
            *end = 0;
            snprintf(want, sizeof want, "{\"i\":%zu,\"name\":\"a\\n{}\\u000d\\u2028\\\"\"}", lines++);
            ROW(failed, strcmp(p, want) == 0, "line %zu: %s", lines, p);
        }
        ROW(failed, lines == counts[k], "%zu lines, not %zu", lines, counts[k]);
    }
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

struct refusing {
    unsigned calls, accepts;
};

static bool refuse(void *ctx, const void *p, size_t bytes)
{
    struct refusing *r = ctx;
    assert_true(p && bytes > 0);
    return r->calls++ < r->accepts;
}

/* After a refusal the reader is not called again, and the rest is not generated. */
static void test_refused(void **state)
{
    static const struct cell name = S("some name that takes a while to fill a page with");
    static const enum section_form forms[] = { SECTION_LINES, SECTION_LIST };
    unsigned failed = 0;
    (void)state;
    for (unsigned k = 0; k < 12; k++) {
        numel_style style = { .size = sizeof(numel_style), .format = k & 1 ? NUMEL_JSON : NUMEL_TEXT };
        struct refusing r = { 0, k / 4 };
        struct section s = lines_of(5000, &name); /* about ten flushes */
        numel_error e;
        s.is.form = forms[k / 2 & 1];
        struct numel_report *report = report_new(&memory_malloc, "x", &e);
        POISON(e);
        report_section(report, &s);
        numel_rc rc = numel_report_write(report, &style, refuse, &r, &e);
        ROW(failed, rc == NUMEL_E_IO && e.code == rc, "row %u: %s", k, numel_rc_name(rc));
        ROW(failed, r.calls == r.accepts + 1, "row %u: asked %u times", k, r.calls);
        numel_report_free(report);
    }
    assert_int_equal(failed, 0);
}

/* Each allocation fails in turn, for each style, coloured too. */
static void test_no_memory(void **state)
{
    enum { S = sizeof(numel_style) };
    static const numel_style styles[] = { { S, .format = NUMEL_TEXT },
                                          { S, .format = NUMEL_TEXT, .width = 20, .color = true },
                                          { S, .format = NUMEL_JSON },
                                          { S, .format = NUMEL_QUIET } };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(styles); i++) {
        bool reached = true;
        for (uint64_t k = 0; reached; k++) {
            struct check_memory m;
            struct buffer b;
            numel_error e;
            check_memory_init(&m, UINT64_MAX);
            buffer_init(&b, &memory_malloc);
            struct numel_report *r = report_new(&m.allocator, "x", &e);
            struct section s = section_of(&three_grid, three, 3, SECTION_LIST);
            s.is.shows = TABLE_HEADED;
            report_section(r, &s);
            r->quiet = 7;
            m.fail_at = m.calls + k;
            numel_rc rc = numel_report_write(r, &styles[i], collect, &b, &e);
            reached = m.calls > m.fail_at;
            ROW(failed, rc == (reached ? NUMEL_E_NOMEM : NUMEL_OK), "style %zu, allocation %llu: %s", i,
                (unsigned long long)k, numel_rc_name(rc));
            numel_report_free(r);
            ROW(failed, m.outstanding == 0, "style %zu, allocation %llu leaks", i, (unsigned long long)k);
            buffer_done(&b);
        }
    }
    assert_int_equal(failed, 0);
}

static void test_quiet(void **state)
{
    static const numel_style quiet = { .size = sizeof(numel_style), .format = NUMEL_QUIET };
    static const struct {
        uint64_t number;
        const char *text;
        bool nothing;
        const char *want;
    } rows[] = { { 0, NULL, false, "0\n" },
                 { UINT64_MAX, NULL, false, "18446744073709551615\n" },
                 { 7, "llama", false, "llama\n" },
                 { 7, NULL, true, "" } };
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct buffer b;
        numel_error e;
        buffer_init(&b, &memory_malloc);
        struct numel_report *r = report_new(&memory_malloc, "x", &e);
        r->quiet = rows[i].number;
        r->quiet_text = rows[i].text;
        r->quiet_nothing = rows[i].nothing;
        assert_int_equal(numel_report_write(r, &quiet, collect, &b, &e), NUMEL_OK);
        buffer_char(&b, '\0');
        assert_string_equal(b.p, rows[i].want);
        numel_report_free(r);
        buffer_done(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),     cmocka_unit_test(test_forms), cmocka_unit_test(test_titles),
        cmocka_unit_test(test_color),     cmocka_unit_test(test_lines), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_memory), cmocka_unit_test(test_quiet), cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
