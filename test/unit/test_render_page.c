/*
 * test_render_page.c -- Markdown and HTML: what a name can do to either, which is nothing; sections as lists and tables;
 * a table of many rows in the data; and what happens when memory or the reader of our output gives up.
 */
#include "render.h"

#include "page/html.h"

static const numel_style as_markdown = { .size = sizeof(numel_style), .format = NUMEL_MARKDOWN },
                         as_html = { .size = sizeof(numel_style), .format = NUMEL_HTML };
static const uint64_t dims[] = { 2, 3 };
static const struct column one[] = { { .key = "a", .heading = "a" } };

/* ---- cells -------------------------------------------------------------------------------- */

static const struct cell_row {
    struct cell cell;
    const char *markdown, *html;
} cell_rows[] = {
    { S("a.b_c"), "`a.b_c`", "<code>a.b_c</code>" },
    { T("a.b_c"), "a.b_c", "a.b_c" },
    { S("a b"), "a b", "<code>a b</code>" },
    { S("_b_ *c* ~d~"), "\\_b\\_ \\*c\\* \\~d\\~", "<code>_b_ *c* ~d~</code>" },
    { S("a`b"), "a\\`b", "<code>a`b</code>" },
    { S("a|b"), "a\\|b", "<code>a|b</code>" },
    { S("a\\b"), "a\\\\\\\\b", "<code>a\\\\b</code>" },
    { T("a\\|b"), "a\\\\\\|b", "a\\|b" },
    { T("<b>&amp;\"'"), "&lt;b&gt;&amp;amp;\"'", "&lt;b&gt;&amp;amp;&quot;&apos;" },
    { S("</script>"), "`</script>`", "<code>&lt;/script&gt;</code>" },
    { T("</script>"), "&lt;/script&gt;", "&lt;/script&gt;" },
    { T("[x](y)"), "\\[x\\](y)", "[x](y)" },
    { T("@a #1 #b"), "@<!-- -->a \\#<!-- -->1 \\#b", "@a #1 #b" },
    { T("a:b: c"), "a:<!-- -->b: c", "a:b: c" },
    { T("12:30"), "12:30", "12:30" },
    { T("https://a"), "https<!-- -->://a", "https://a" },
    { T("www.a ww.a"), "www.<!-- -->a ww.a", "www.a ww.a" },
    { T("$x$"), "<span>$</span>x<span>$</span>", "$x$" },
    { S("a\nb\x1b"), "a\\\\nb\\\\x1b", "<code>a\\nb\\x1b</code>" },
    { S("a\xe2\x80\xae\xe2\x80\xa8z"), "a\\\\u202e\\\\u2028z", "<code>a\\u202e\\u2028z</code>" },
    { S("\xff"), "\\\\xff", "<code>\\xff</code>" },
    { { .kind = CELL_DIMS, .dims = dims, .n = 2 }, "\\[2, 3\\]", "[2, 3]" },
    { { .kind = CELL_SHARE, .u = 1, .n = 3 },
      "33.3 %",
      "<progress max=\"1000\" value=\"333\" aria-hidden=\"true\"></progress> 33.3 %" },
    { { .kind = CELL_SIGNED, .i = -5 }, "-5", "-5" },
    { T("1. a"), "1. a", "1. a" },
};

static bool holds(const char *text, const char *before, const char *what, const char *behind)
{
    char want[400];
    snprintf(want, sizeof want, "%s%s%s", before, what, behind);
    return strstr(text, want) != NULL;
}

static void test_cells(void **state)
{
    unsigned failed = 0;
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(cell_rows); i++) {
        const struct cell_row *row = &cell_rows[i];
        const struct cell cells[] = { T("first"), row->cell };
        const struct grid g = { cells, NULL, 1 };
        struct section s = section_of(&g, one, 2, SECTION_LIST);
        s.is.shows = TABLE_HEADED;
        const char *text = render(&b, &s, 1, &as_markdown);
        ROW(failed, holds(text, "| ", row->markdown, " |\n"), "row %zu: want %s, got %s", i, row->markdown,
            text);
        text = render(&b, &s, 1, &as_html);
        ROW(failed, holds(text, ">", row->html, "</td></tr>"), "row %zu: want %s", i, row->html);
    }
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

/* What would begin a list or underline a heading, where a line begins. */
static void test_lines(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = { { "- a", "\\- a" },     { "+ a", "\\+ a" },   { "===", "\\===" }, { "1. a", "1\\. a" },
                 { "12) a", "12\\) a" }, { "1.5 a", "1.5 a" }, { "# a", "\\# a" }, { "> a", "&gt; a" } };
    static const struct column unlabelled[] = { { .key = "a", .heading = "" },
                                                { .key = "b", .heading = "" } };
    unsigned failed = 0;
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        const struct cell cells[] = { T("heading"), { .kind = CELL_TEXT, .t = rows[i].text } };
        const struct grid g = { cells, NULL, 2 };
        const struct section s = section_of(&g, unlabelled, 1, SECTION_FIELDS);
        const char *text = render(&b, &s, 1, &as_markdown);
        ROW(failed, holds(text, "### `heading`\n\n", rows[i].want, "\n"), "row %zu: %s", i, text);
    }
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

/* ---- sections ----------------------------------------------------------------------------- */

static void test_forms(void **state)
{
    static const struct column columns[] = { { .key = "n", .heading = "name", .flags = COLUMN_NAME },
                                             { .key = "c", .heading = "count", .flags = COLUMN_RIGHT },
                                             { .key = "e", .heading = "empty" },
                                             { .key = "k" } };
    static const struct cell cells[] = { S("a"), U(CELL_COUNT, 1000), { .kind = CELL_NULL }, T("key"),
                                         S("b"), U(CELL_COUNT, 2),    { .kind = CELL_NULL }, T("key") };
    static const unsigned depths[] = { 0, 2 };
    const struct grid g = { cells, depths, 4 };
    struct section s[2] = { section_of(&g, columns, 1, SECTION_FIELDS),
                            section_of(&g, columns, 2, SECTION_LIST) };
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    s[1].is.title = "a <title>";
    s[1].is.shows = TABLE_HEADED;
    s[1].more = "... and 3 more";
    assert_string_equal(render(&b, s, 2, &as_markdown),
                        "|  |  |\n| --- | --- |\n| name | `a` |\n| count | 1,000 |\n\n"
                        "**a &lt;title&gt;**\n\n"
                        "| name | count |\n| --- | ---: |\n| `a` | 1,000 |\n| &emsp;&emsp;`b` | 2 |\n\n"
                        "... and 3 more\n");
    const char *page = render(&b, s, 2, &as_html);
    assert_non_null(strstr(page, "<dl><div><dt>name</dt><dd class=\"name s\"><code>a</code></dd></div>\n"));
    assert_non_null(strstr(page, "<h3>a &lt;title&gt;</h3>"));
    assert_non_null(strstr(page, "<th scope=\"col\">name</th><th scope=\"col\" class=\"n\">count</th></tr>"));
    assert_non_null(strstr(page, "<td class=\"name s d2\"><code>b</code></td><td class=\"n\">2</td></tr>"));
    assert_null(strstr(page, "<td>key</td>"));
    buffer_done(&b);
}

/* A hidden section is in neither; a verbatim one is code. */
static void test_hidden_and_verbatim(void **state)
{
    static const struct column lines[] = { { .key = "l", .heading = "", .flags = COLUMN_VERBATIM } };
    static const struct cell cells[] = { T("x ``` <b>"), T("y") };
    const struct grid g = { cells, NULL, 1 };
    struct section s[2] = { section_of(&g, one, 2, SECTION_LIST), section_of(&g, lines, 2, SECTION_LIST) };
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    s[0].hidden = true;
    assert_string_equal(render(&b, s, 2, &as_markdown), "    x ``` <b>\n    y\n");
    assert_non_null(strstr(render(&b, s, 2, &as_html), "<pre tabindex=\"0\">x ``` &lt;b&gt;\ny\n</pre>"));
    buffer_done(&b);
}

/* ---- many rows ---------------------------------------------------------------------------- */

static const char *const words[] = { "</script>", "b", "c\xe2\x80\xa8" };
enum { MANY = HTML_ROWS + 1 };

static void many_row(struct table_row *row, struct cell *c)
{
    c[0] = CELL_S(text_of(words[row->i % 3]));
    c[1] = CELL_U(CELL_COUNT, row->i);
}

static struct section many(enum section_form form, size_t rows)
{
    static const struct column columns[] = { { .key = "w", .heading = "word" },
                                             { .key = "n", .heading = "number", .flags = COLUMN_RIGHT } };
    return (struct section){
        .is = { .key = "rows", .form = form, .columns = columns, .column_count = 2, .row = many_row },
        .rows = rows
    };
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, what)); p++) n++;
    return n;
}

static void test_many(void **state)
{
    struct section s = many(SECTION_LIST, MANY - 1);
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    const char *page = render(&b, &s, 1, &as_html);
    assert_int_equal(count(page, "<tr>"), MANY - 1);
    assert_non_null(strstr(page, "\"tables\":[]"));
    s.rows = MANY;
    page = render(&b, &s, 1, &as_html);
    assert_int_equal(count(page, "<tr>"), HTML_FIRST);
    assert_non_null(strstr(page, "<p class=\"more\">... and 101 more</p>"));
    assert_non_null(strstr(page,
                           "{\"section\":0,\"rows\":201,\"columns\":[{\"name\":\"word\",\"right\":false,"
                           "\"words\":[\"\\u003c/script>\",\"b\",\"c\\\\u2028\"],\"cells\":[0,1,2,0,1,2,"));
    assert_non_null(strstr(page, "{\"name\":\"number\",\"right\":true,\"words\":[\"0\",\"1\","));
    assert_null(strstr(page, "\"depths\""));
    assert_int_equal(count(page, "</script>"), 2); /* the data's, the script's */
    buffer_done(&b);
}

/* Lines have no document: all of them are a table, with the keys of JSON. Texts that are mostly different have no words. */
static void test_of_lines(void **state)
{
    struct section s = many(SECTION_LINES, 2000);
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    s.hidden = true;
    const char *page = render(&b, &s, 1, &as_html);
    assert_non_null(strstr(
        page, "\"document\":null,\"tables\":[{\"section\":-1,\"rows\":2000,\"columns\":[{\"name\":\"w\","));
    assert_non_null(strstr(page, ",\"1,999\"]}\n]"));
    assert_null(strstr(page, "<table"));
    buffer_done(&b);
}

/* A column of one text in all rows has no cells; where rows are indented, their depths are there. */
static void test_same(void **state)
{
    static unsigned depths[MANY];
    static struct cell all[MANY];
    const struct grid g = { all, depths, 1 };
    const struct section s = section_of(&g, one, MANY, SECTION_LIST);
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < MANY; i++) all[i] = CELL_T("x");
    depths[3] = 2;
    const char *page = render(&b, &s, 1, &as_html);
    assert_non_null(
        strstr(page, "{\"name\":\"a\",\"right\":false,\"words\":[\"x\"]}\n],\"depths\":[0,0,0,2,0,"));
    buffer_done(&b);
}

/* ---- the page ----------------------------------------------------------------------------- */

static void test_is_page(void **state)
{
    static const char other[] = "<!doctype html>\n<html><head><meta name=\"generator\" content=\"somebody\">";
    struct section s = many(SECTION_LIST, 1);
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    const char *page = render(&b, &s, 1, &as_html);
    assert_true(html_is_page(page, 200));
    assert_false(html_is_page(page + 1, 200));
    assert_false(html_is_page(page, 60));
    assert_false(html_is_page(other, sizeof other));
    assert_false(html_is_page("", 0));
    buffer_done(&b);
}

/* ---- trouble ------------------------------------------------------------------------------ */

static bool discard(void *ctx, const void *p, size_t bytes)
{
    (void)ctx, (void)p, (void)bytes;
    return true;
}

static bool refuse(void *ctx, const void *p, size_t bytes)
{
    unsigned *left = ctx;
    (void)p, (void)bytes;
    return (*left)-- > 0;
}

static void test_refused(void **state)
{
    struct section s[2] = { many(SECTION_LIST, MANY), many(SECTION_LIST, 20000) };
    (void)state;
    for (unsigned k = 0; k < 6; k++) {
        numel_error e;
        unsigned left = k / 2;
        struct numel_report *r = report_new(&memory_malloc, "numel.x/1", &e);
        report_section(r, &s[0]);
        report_section(r, &s[1]);
        assert_int_equal(numel_report_write(r, k & 1 ? &as_html : &as_markdown, refuse, &left, &e),
                         NUMEL_E_IO);
        numel_report_free(r);
    }
}

/* Two reports on one page, written. */
static numel_rc write_page(const numel_allocator *m, numel_error *e)
{
    static const char *const schemas[] = { "numel.x/1", "numel.y/1" };
    struct section s = many(SECTION_LIST, MANY);
    const numel_options options = { .size = sizeof options, .allocator = m };
    numel_page *page;
    numel_rc rc = numel_page_open(&page, NULL, NULL, 0, &options, e);
    for (unsigned i = 0; i < 2 && !rc; i++) {
        struct numel_report *r = report_new(m, schemas[i], e);
        if (r) report_section(r, &s);
        rc = r ? numel_page_add(page, r, i > 0, e) : e->code;
        numel_report_free(r);
    }
    if (!rc) rc = numel_page_write(page, discard, NULL, e);
    numel_page_close(page);
    return rc;
}

static numel_rc write_alone(const numel_style *style, const numel_allocator *m, numel_error *e)
{
    struct section s = many(SECTION_LIST, MANY);
    struct numel_report *r = report_new(m, "numel.x/1", e);
    if (!r) return e->code;
    report_section(r, &s);
    numel_rc rc = numel_report_write(r, style, discard, NULL, e);
    numel_report_free(r);
    return rc;
}

/* Each allocation of each in turn. */
static void test_no_memory(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (unsigned kind = 0; kind < 3; kind++) {
        bool reached = true;
        for (uint64_t k = 0; reached; k++) {
            struct check_memory m;
            numel_error e;
            check_memory_init(&m, UINT64_MAX);
            m.fail_at = k;
            numel_rc rc = kind == 0 ? write_page(&m.allocator, &e)
                                    : write_alone(kind == 1 ? &as_markdown : &as_html, &m.allocator, &e);
            reached = m.calls > m.fail_at;
            ROW(failed, rc == (reached ? NUMEL_E_NOMEM : NUMEL_OK), "kind %u, allocation %llu: %s", kind,
                (unsigned long long)k, numel_rc_name(rc));
            ROW(failed, m.outstanding == 0, "kind %u, allocation %llu leaks", kind, (unsigned long long)k);
        }
    }
    assert_int_equal(failed, 0);
}

/* What is about the same, in the same form, is there once; a page without a path cannot be saved. */
static void test_page(void **state)
{
    struct section s = many(SECTION_LIST, 1);
    numel_error e;
    numel_page *page;
    (void)state;
    struct numel_report *r = report_new(&memory_malloc, "numel.x/1", &e);
    report_section(r, &s);
    assert_int_equal(numel_page_open(&page, NULL, NULL, 0, NULL, &e), NUMEL_OK);
    assert_int_equal(numel_page_count(page), 0);
    assert_int_equal(numel_page_add(page, r, false, &e), NUMEL_OK);
    assert_int_equal(numel_page_add(page, r, true, &e), NUMEL_OK);
    assert_int_equal(numel_page_count(page), 1);
    assert_int_equal(numel_page_add(page, r, false, &e), NUMEL_OK);
    assert_int_equal(numel_page_count(page), 2);
    assert_int_equal(numel_page_save(page, &e), NUMEL_E_USAGE);
    numel_page_close(page);
    numel_page_close(NULL);
    numel_report_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),   cmocka_unit_test(test_lines),
        cmocka_unit_test(test_forms),   cmocka_unit_test(test_hidden_and_verbatim),
        cmocka_unit_test(test_many),    cmocka_unit_test(test_of_lines),
        cmocka_unit_test(test_is_page), cmocka_unit_test(test_same),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
