/*
 * test_glob.c -- texts against patterns.
 */
#include "../support/t.h"

#include "base/text.h"

static numel_str str(const char *p) { return text_of(p); }

static void test_glob(void **state)
{
    static const struct {
        const char *pattern, *name;
        bool matches;
    } rows[] = {
        { "*", "", true },
        { "", "", true },
        { "", "a", false },
        { "a", "a", true },
        { "a", "ab", false },
        { "?", "", false },
        { "a?c", "abc", true },
        { "a*c", "ac", true },
        { "a*c", "abcbc", true },
        { "a*c", "abcb", false },
        { "*.weight", "x.weight", true },
        { "*.weight", "weight", false },
        { "*q*k*", "a.q.b.k.c", true },
        { "blk.[0-9].*", "blk.7.w", true },
        { "blk.[0-9].*", "blk.17.w", false },
        { "[abc]", "b", true },
        { "[!abc]", "b", false },
        { "[^abc]", "d", true },
        { "[]]", "]", true },
        { "[", "[", true },
        { "[a", "[a", true },
        { "a**b", "axxb", true },
        { "*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaa", false },
        { "[a-]", "-", true },
        { "[a-]", "b", false },
        { "[]-a]", "^", true },
        { "[!]]", "]", false },
        { "x[0-9]*[!.]", "x7.", false },
        { "x[0-9]*[!.]", "x7.y", true },
        { "\\*", "\\x", true }, /* no escapes */
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++)
        ROW(failed, text_glob(rows[i].pattern, str(rows[i].name)) == rows[i].matches, "'%s' on '%s'",
            rows[i].pattern, rows[i].name);
    assert_int_equal(failed, 0);
}

/* The same matcher, with stars only: each row of brackets and question marks has its own meaning. */
static void test_glob_stars(void **state)
{
    static const struct {
        const char *pattern, *name;
        bool stars, shell;
    } rows[] = {
        { "*", "", true, true },
        { "a*c", "abcbc", true, true },
        { "a*c", "abcb", false, false },
        { "?", "?", true, true },
        { "?", "x", false, true },
        { "[ab]", "[ab]", true, false },
        { "[ab]", "a", false, true },
        { "model.layers.[0-3].*", "model.layers.2.w", false, true },
        { "*layers[*", "model.layers[0].w", true, true },
        { "", "x", false, false },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        bool stars = text_glob_stars(rows[i].pattern, str(rows[i].name));
        bool shell = text_glob(rows[i].pattern, str(rows[i].name));
        ROW(failed, stars == rows[i].stars && shell == rows[i].shell, "'%s' on '%s'", rows[i].pattern,
            rows[i].name);
    }
    assert_int_equal(failed, 0);
}

/* Very slow if each star tries every length: 2,000 stars on 20,000 bytes, without a match, and with one at
 * the end. */
/* A wildcard makes the pattern a glob for the whole name; without one it is a substring. */
static void test_search(void **state)
{
    static const struct {
        const char *pattern, *name;
        bool matches;
    } rows[] = {
        { "q_proj", "h.0.q_proj.weight", true },
        { "q_proj", "q_proj", true },
        { "q_proj", "h.0.Q_PROJ", false },
        { "q_proj*", "h.0.q_proj.weight", false },
        { "*q_proj*", "q_proj", true },
        { "h.?", "xh.1", false },
        { "h.1", "xh.12", true },
        { "[h]", "hh", false },
        { "q_proj", "", false },
        { "q_proj.weight2", "q_proj.weight", false },
    };
    int failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++)
        ROW(failed, text_search(rows[i].pattern, str(rows[i].name)) == rows[i].matches, "'%s' in '%s'",
            rows[i].pattern, rows[i].name);
    assert_int_equal(failed, 0);
}

static void test_glob_hostile(void **state)
{
    enum { STARS = 2000, BYTES = 20000 };
    static char pattern[2 * STARS + 4], name[BYTES + 1];
    (void)state;
    for (size_t i = 0; i < STARS; i++) memcpy(pattern + 2 * i, "*a", 2);
    memset(name, 'a', BYTES);
    memcpy(pattern + 2 * STARS, "*b", 3);
    assert_false(text_glob(pattern, str(name)));
    assert_false(text_glob_stars(pattern, str(name)));
    memcpy(pattern + 2 * STARS, "a*", 3);
    assert_true(text_glob(pattern, str(name)));
    /* unclosed brackets: searching for the end at each byte takes minutes */
    pattern[0] = '*';
    for (size_t i = 0; i < STARS; i++) memcpy(pattern + 1 + 2 * i, "[a", 2);
    pattern[2 * STARS + 1] = 0;
    for (size_t i = 0; i < BYTES; i++) name[i] = i % 2 ? 'a' : '[';
    assert_true(text_glob(pattern, str(name)));
    name[BYTES - 1] = 'b';
    assert_false(text_glob(pattern, str(name)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_glob),
        cmocka_unit_test(test_glob_stars),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_glob_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
