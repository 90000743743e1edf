/* test_pattern.c -- base/pattern.h: what Python's re.match says of the same pattern and text; and what base/text.h finds
 * in a text: a part, and which of its globs match. */
#include "../support/t.h"

#include "base/pattern.h"
#include "base/text.h"

#include <stdlib.h>

static const struct {
    const char *pattern, *text;
    enum pattern_answer answer;
} rows[] = {
    { "abc", "abcd", PATTERN_YES },
    { "abc", "xabc", PATTERN_NO }, /* match, not search */
    { "abc$", "abcd", PATTERN_NO },
    { "", "", PATTERN_YES },
    { "", "a", PATTERN_YES },
    { "a", "", PATTERN_NO },
    { "^a", "a", PATTERN_YES },
    { "b^a", "ba", PATTERN_NO },
    { "model\\.layers\\.0\\..*", "model.layers.0.mlp", PATTERN_YES },
    { "model\\.layers\\.0\\..*", "modelxlayers.0.mlp", PATTERN_NO },
    { "model.layers.0.", "model.layers.01", PATTERN_YES },
    { ".*\\.(?:1[0-9]|2[0-3])\\..*mlp.*", "model.layers.17.mlp.up", PATTERN_YES },
    { ".*\\.(?:1[0-9]|2[0-3])\\..*mlp.*", "model.layers.24.mlp.up", PATTERN_NO },
    { ".*\\.(?:1[0-9]|2[0-3])\\..*mlp.*", "model.layers.7.mlp.up", PATTERN_NO },
    { "(a|b)*c", "ababc", PATTERN_YES },
    { "(a|b)*c", "abdc", PATTERN_NO },
    { "(a|b|)c", "c", PATTERN_YES },
    { "(a*)*b", "aaab", PATTERN_YES },
    { "(a*)*b$", "aaac", PATTERN_NO },
    { "a+b", "aaab", PATTERN_YES },
    { "a+b", "b", PATTERN_NO },
    { "a?b", "b", PATTERN_YES },
    { "a?b", "aab", PATTERN_NO },
    { "a*?b", "aab", PATTERN_YES },
    { "a{2}b", "aab", PATTERN_YES },
    { "a{2}b", "ab", PATTERN_NO },
    { "a{2}b", "aaab", PATTERN_NO },
    { "a{1,3}b", "aaab", PATTERN_YES },
    { "a{1,3}b", "aaaab", PATTERN_NO },
    { "a{1,3}b", "b", PATTERN_NO },
    { "a{2,}b", "aaaaab", PATTERN_YES },
    { "a{2,}b", "ab", PATTERN_NO },
    { "(ab){2}c", "ababc", PATTERN_YES },
    { "(ab|c){2}d", "cabd", PATTERN_YES },
    { "(ab|c){2}d", "cd", PATTERN_NO },
    { "[a-c]x", "bx", PATTERN_YES },
    { "[a-c]x", "dx", PATTERN_NO },
    { "[^a-c]x", "dx", PATTERN_YES },
    { "[^a-c]x", "ax", PATTERN_NO },
    { "[]a]x", "]x", PATTERN_YES },
    { "[a\\]]x", "]x", PATTERN_YES },
    { "[\\d_]x", "7x", PATTERN_YES },
    { "[a-]x", "-x", PATTERN_YES },
    { "\\d+$", "1234", PATTERN_YES },
    { "\\d+$", "12a4", PATTERN_NO },
    { "\\w+\\.\\W", "a_1.-", PATTERN_YES },
    { "\\D", "7", PATTERN_NO },
    { "\\s", "\t", PATTERN_YES },
    { "\\S", "\t", PATTERN_NO },
    { ".", "\n", PATTERN_NO },
    { "a.c", "abc", PATTERN_YES },
    { "a|bc", "bc", PATTERN_YES },
    { "a|bc$", "bcd", PATTERN_NO },
    { "ax{0}b", "ab", PATTERN_YES },
    { "ax{0}b", "axb", PATTERN_NO }, /* zero times, not any number of them */
    { "ax{0,0}b", "axb", PATTERN_NO },
    { "ax{,0}b", "axb", PATTERN_NO },
    { "ax{,}b", "axxxxb", PATTERN_YES },
    { "a{,2}b", "aab", PATTERN_YES },
    { "a{,2}b", "aaab", PATTERN_NO },
    { "a{3,2}", "aaa", PATTERN_UNKNOWN }, /* Python: min repeat greater than max repeat */
    { "a{}b", "aab", PATTERN_UNKNOWN },   /* Python: literal braces */
    { "^*a", "a", PATTERN_UNKNOWN },      /* Python: nothing to repeat */
    { "a$?", "a", PATTERN_UNKNOWN },
    { "(^)*a", "a", PATTERN_YES },
    { "[\\d-z]x", "-x", PATTERN_UNKNOWN }, /* Python: bad character range */
    { "[\\d-]x", "-x", PATTERN_YES },
    { "a$", "a\n", PATTERN_YES }, /* also before a final line end */
    { "a$", "a\n\n", PATTERN_NO },
    { "a$\n$", "a\n", PATTERN_YES },
    /* a non-ASCII character is one character, not bytes */
    { "^.x", "\xc3\xa9x", PATTERN_YES },
    { "^..x", "\xc3\xa9x", PATTERN_NO },
    { "^[^a]x", "\xe6\xa8\xa1x", PATTERN_YES },
    { "^[^a]{2}x", "\xe6\xa8\xa1x", PATTERN_NO },
    { "^.{2}x", "\xe6\xa8\xa1\xc3\xa9x", PATTERN_YES },
    { ".*proj", "mod\xc3\xa8le.proj", PATTERN_YES },
    { "\xc3\xa9+x", "\xc3\xa9\xc3\xa9x", PATTERN_YES },
    { "\xc3\xa9+x", "\xc3\xa9\xa9x", PATTERN_NO },
    { "[a-c]x", "\xc3\xa9x", PATTERN_NO },
    { "[\xc3\xa9]x", "\xc3\xa9x", PATTERN_UNKNOWN }, /* half a character */
    { "\\\xc3\xa9", "\xc3\xa9", PATTERN_UNKNOWN },
    { "\xc3", "\xc3", PATTERN_UNKNOWN },
    { "\\w", "\xc3\xa9", PATTERN_UNKNOWN }, /* a letter in Python, if valid */
    { "\\w", "a\xc3\xa9", PATTERN_UNKNOWN },
    { "(?=a)a", "a", PATTERN_UNKNOWN }, /* lookahead */
    { "(?!a)b", "b", PATTERN_UNKNOWN },
    { "\\bword", "word", PATTERN_YES },
    { ".*\\bword\\b", "a.word.b", PATTERN_YES },
    { ".*\\bword\\b", "a.words", PATTERN_NO },
    { ".*\\bword", "a_word", PATTERN_NO },
    { "a\\bb", "ab", PATTERN_NO },
    { "\\b*a", "a", PATTERN_UNKNOWN },
    { "\\ba", "a\xc3\xa9", PATTERN_UNKNOWN },
    { "a\\B", "ab", PATTERN_UNKNOWN },
    { "(a", "a", PATTERN_UNKNOWN },
    { "a)", "a", PATTERN_UNKNOWN },
    { "*a", "a", PATTERN_UNKNOWN },
    { "a{200}", "a", PATTERN_UNKNOWN },
    { "[a", "a", PATTERN_UNKNOWN },
    { "\\", "a", PATTERN_UNKNOWN },
};

static void test_rows(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum pattern_answer is = pattern_match(text_of(rows[i].pattern), text_of(rows[i].text));
        if (is != rows[i].answer) print_error("%s on %s\n", rows[i].pattern, rows[i].text);
        wrong += is != rows[i].answer;
    }
    assert_int_equal(wrong, 0);
}

/* Patterns that take a backtracking matcher forever, or exhaust a compiler's memory. */
static void test_hostile(void **state)
{
    (void)state;
    char text[60], deep[2000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_int_equal(pattern_match(text_of("(a*)*(a*)*(a*)*b"), text_of(text)), PATTERN_NO);
    assert_int_equal(pattern_match(text_of("(a|a)*(a|aa)*b"), text_of(text)), PATTERN_NO);
    assert_int_equal(pattern_match(text_of("((a{50}){50}){50}"), text_of(text)), PATTERN_UNKNOWN);
    assert_int_equal(pattern_match(text_of("((((){100}){100}){100}){100}"), text_of(text)), PATTERN_UNKNOWN);
    memset(deep, '(', sizeof deep);
    assert_int_equal(pattern_match((numel_str){ deep, sizeof deep }, text_of(text)), PATTERN_UNKNOWN);
    memset(deep, '|', sizeof deep);
    assert_int_equal(pattern_match((numel_str){ deep, sizeof deep }, text_of(text)), PATTERN_UNKNOWN);
}

/* Every string of a few significant letters: an answer, and no access outside the text. */
static void test_any(void **state)
{
    (void)state;
    static const char letters[] = "a(|)*+?{}[]^$\\.,1d-:";
    enum { LETTERS = sizeof letters - 1 };
    char pattern[4];
    for (unsigned i = 0; i < LETTERS * LETTERS * LETTERS * LETTERS; i++) {
        unsigned n = i;
        for (unsigned k = 0; k < 4; k++, n /= LETTERS) pattern[k] = letters[n % LETTERS];
        char *own = malloc(4); /* so that a sanitizer detects an overrun */
        assert_non_null(own);
        memcpy(own, pattern, 4);
        assert_true(pattern_match((numel_str){ own, 4 }, text_of("aa1")) <= PATTERN_UNKNOWN);
        free(own);
    }
}

/* The first place; nothing for a part that is empty, longer, or only begun at the end. */
static void test_seeking(void **state)
{
    static const struct {
        const char *text, *part;
        size_t at;
    } places[] = {
        { "a--b--c", "--", 1 }, { "a-b", "--", 3 },  { "aab", "ab", 1 },
        { "ab", "ab", 0 },      { "ab", "abc", 2 },  { "", "a", 0 },
        { "a", "", 1 },         { "xab", "abc", 3 }, { "aaab", "b", 3 },
    };
    numel_str none = { NULL, 0 };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(places); i++) {
        numel_str text = text_of(places[i].text), part = text_of(places[i].part);
        ROW(failed, text_seek(text, part) == places[i].at, "'%s' in '%s'", places[i].part, places[i].text);
        ROW(failed, text_holds(text, part) == (places[i].at < text.n), "'%s' held by '%s'", places[i].part,
            places[i].text);
    }
    assert_int_equal(failed, 0);
    assert_int_equal(text_seek(none, text_of("a")), 0);
    assert_true(text_equal(text_after(text_of("a/b/c"), '/'), "c"));
    assert_true(text_equal(text_after(text_of("abc"), '/'), "abc"));
    assert_true(text_after(text_of("a/"), '/').n == 0);
}

static void test_globs(void **state)
{
    numel_str none = { NULL, 0 };
    (void)state;
    assert_true(text_globs(text_of("*.a x[12].b c"), text_of("x2.b")));
    assert_true(text_globs(text_of("*.a x[12].b c"), text_of("c")));
    assert_false(text_globs(text_of("*.a x[12].b c"), text_of("x3.b")));
    assert_false(text_globs(text_of("*.a c"), text_of("*.a c")));
    assert_false(text_globs(text_of(""), text_of("")));
    assert_false(text_globs(none, text_of("a")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seeking), cmocka_unit_test(test_globs), cmocka_unit_test(test_rows),
        cmocka_unit_test(test_hostile), cmocka_unit_test(test_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
