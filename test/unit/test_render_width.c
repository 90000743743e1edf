/*
 * test_render_width.c -- tables and fields that must fit a width: what shrinks, what is dropped, and that
 * no word is cut.
 */
#include "render.h"

/* "bytes" and a gap are 7 columns; words get the rest, uncut. */
static void test_width_of_fields(void **state)
{
    static const struct column columns[] = { { "b", "bytes", 0, MADE } };
    static const struct cell cells[] = { T("4,919,563,296 = header 6,664,990") };
    static const struct {
        unsigned width;
        const char *text;
    } rows[] = {
        { 0, "bytes  4,919,563,296 = header 6,664,990\n" },
        { 39, "bytes  4,919,563,296 = header 6,664,990\n" },
        { 38, "bytes  4,919,563,296 = header\n       6,664,990\n" },
        { 28, "bytes  4,919,563,296 =\n       header 6,664,990\n" },
        { 20, "bytes  4,919,563,296\n       = header\n       6,664,990\n" },
    };
    struct grid g = { cells, NULL, 1 };
    struct section s = section_of(&g, columns, 1, SECTION_FIELDS);
    struct buffer b;
    unsigned failed = 0;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        numel_style style = { .size = sizeof(numel_style), .format = NUMEL_TEXT, .width = rows[i].width };
        ROW(failed, strcmp(render(&b, &s, 1, &style), rows[i].text) == 0, "%u wide: %s", rows[i].width, b.p);
    }
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

/* 40 + 2 + 5 + 2 + 4 + 2 + 6 + 2 + 5 = 68 columns. Rank 1 is dropped before 2, the last of a rank first; 8
   only after the name has moved to its own line; columns without a rank never. */
static void test_width(void **state)
{
    static const struct column columns[] = { { "n", "", COLUMN_NAME, MADE },
                                             { "c", "", COLUMN_RIGHT, MADE },
                                             { "x", "", COLUMN_RANK(2), MADE },
                                             { "y", "", COLUMN_RANK(1), MADE },
                                             { "z", "", COLUMN_RANK(8), MADE } };
    static const struct cell cells[] = { S("aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd"),
                                         U(CELL_COUNT, 1000),
                                         T("xxxx"),
                                         T("yyyyyy"),
                                         T("zzzzz"),
                                         S("short"),
                                         U(CELL_COUNT, 1),
                                         T("x"),
                                         T("y"),
                                         T("z") };
#define LONG "aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd"
    static const struct {
        unsigned width;
        const char *text;
    } rows[] = {
        { 0, LONG "  1,000  xxxx  yyyyyy  zzzzz\nshort                                         1  x     y    "
                  "   z\n" },
        { 68, LONG "  1,000  xxxx  yyyyyy  zzzzz\nshort                                         1  x     y   "
                   "    z\n" },
        { 67, LONG "  1,000  xxxx  zzzzz\nshort                                         1  x     z\n" },
        { 60, LONG "  1,000  xxxx  zzzzz\nshort                                         1  x     z\n" },
        { 59, LONG "  1,000  zzzzz\nshort                                         1  z\n" },
        { 54, LONG "  1,000  zzzzz\nshort                                         1  z\n" },
        /* the name moves to its own line, which leaves room */
        { 53, LONG "\n                           1,000  xxxx  yyyyyy  zzzzz\n"
                   "short                          1  x     y       z\n" },
        { 33, LONG "\n       1,000  xxxx  yyyyyy  zzzzz\nshort      1  x     y       z\n" },
        { 32, LONG "\n              1,000  xxxx  zzzzz\nshort             1  x     z\n" },
        { 20, LONG "\n        1,000  zzzzz\nshort       1  z\n" },
        { 12, LONG "\n       1,000\nshort      1\n" },
        { 1, LONG "\n1,000\nshort\n1\n" }, /* nothing is cut */
    };
    struct grid g = { cells, NULL, 5 };
    struct section s = section_of(&g, columns, 2, SECTION_LIST);
    struct buffer b;
    unsigned failed = 0;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        numel_style style = { .size = sizeof(numel_style), .format = NUMEL_TEXT, .width = rows[i].width };
        ROW(failed, strcmp(render(&b, &s, 1, &style), rows[i].text) == 0, "%u wide: %s", rows[i].width, b.p);
    }
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

/* At any width: all words and nothing else, whole characters, and no line longer than the width except for
   a single long word. */
static void test_width_of_characters(void **state)
{
    static const struct column columns[] = { { "n", "", COLUMN_NAME, MADE }, { "m", "", COLUMN_NOTE, MADE } };
#define WIDE "\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97" /* 8 columns */
    static const struct cell cells[] = { S("\xC3\xA9\xC3\xA9\xC3\xA9 " WIDE WIDE WIDE " e\xCC\x81"
                                           "e\xCC\x81"),
                                         S(WIDE WIDE " " WIDE " [1, 2, 3] " WIDE) };
    static const char *const words[] = { "\xC3\xA9\xC3\xA9\xC3\xA9",
                                         WIDE WIDE WIDE,
                                         "e\xCC\x81"
                                         "e\xCC\x81",
                                         WIDE WIDE,
                                         WIDE,
                                         "[1,",
                                         "2,",
                                         "3]",
                                         WIDE };
    struct grid g = { cells, NULL, 2 };
    struct section s = section_of(&g, columns, 1, SECTION_LIST);
    struct buffer b;
    unsigned failed = 0;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (unsigned width = 20; width < 100; width++) {
        numel_style style = { .size = sizeof(numel_style), .format = NUMEL_TEXT, .width = width };
        render(&b, &s, 1, &style);
        size_t found = 0, lines = 0;
        for (char *line = strtok(b.p, "\n"); line; line = strtok(NULL, "\n"), lines++) {
            size_t columns_of = text_columns(line, strlen(line));
            ROW(failed, columns_of <= width || columns_of == 24, "%u wide: %zu columns", width, columns_of);
            numel_str rest = text_of(line), word;
            while ((word = text_word(&rest)).n) {
                bool as = found < ROWS_OF(words) && text_equal(word, words[found]);
                ROW(failed, as, "%u wide: word %zu is %.*s", width, found, (int)word.n, word.p);
                found++;
            }
        }
        ROW(failed, found == ROWS_OF(words), "%u wide: %zu words", width, found);
        ROW(failed, (width >= 77) == (lines == 1), "%u wide: %zu lines", width, lines);
    }
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

/* A name of 400,000 zero-width marks must not take quadratic time. */
static void test_width_of_marks(void **state)
{
    enum { MARKS = 400000 };
    static const struct column columns[] = { { "n", "", COLUMN_NAME, MADE } };
    static const numel_style style = { .size = sizeof(numel_style), .format = NUMEL_TEXT, .width = 30 };
    struct buffer name, b;
    (void)state;
    buffer_init(&name, &memory_malloc);
    buffer_init(&b, &memory_malloc);
    buffer_fill(&name, 'a', 40);
    for (unsigned i = 0; i < MARKS; i++) buffer_text(&name, "\xCC\x81");
    buffer_fill(&name, 'b', 40);
    for (unsigned i = 0; i < MARKS; i++) buffer_text(&name, "\xCC\x81");
    struct cell cell = { .kind = CELL_STR, .s = { name.p, name.n } };
    struct grid g = { &cell, NULL, 1 };
    struct section s = section_of(&g, columns, 1, SECTION_LIST);
    render(&b, &s, 1, &style); /* a single word: whole, on an overlong line */
    assert_int_equal(text_columns(b.p, b.n - 2), 80);
    buffer_done(&name);
    buffer_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_width),
        cmocka_unit_test(test_width_of_fields),
        cmocka_unit_test(test_width_of_characters),
        cmocka_unit_test(test_width_of_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
