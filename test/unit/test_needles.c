/*
 * test_needles.c -- base/needles.h: finds the first matching entry, as trying all of them would, with few
 * tries; and the words of patterns (base/pattern.h), which every matching text contains.
 */
#include "../support/t.h"

#include "base/needles.h"
#include "base/pattern.h"

enum { MANY = 4000 };
static struct needle entries[MANY];
static char texts[MANY][96], spaces[MANY][96];
static unsigned tries;

static bool means(const void *ctx, uint32_t i)
{
    const numel_str *name = ctx;
    tries++;
    return pattern_match(entries[i].text, *name) == PATTERN_YES;
}

static void say(size_t i, const char *text)
{
    snprintf(texts[i], sizeof texts[i], "%s", text);
    entries[i] = (struct needle){ .text = text_of(texts[i]) };
    entries[i].word_count = pattern_words(entries[i].text, spaces[i], entries[i].words, NEEDLE_WORDS);
}

static int64_t first(const struct needles *n, const char *name)
{
    numel_str s = text_of(name);
    tries = 0;
    return needles_first(n, s, means, &s);
}

static void test_few_tries(void **state)
{
    static const char *const forms[][2] = { { "model\\.layers\\.", "\\.mlp\\.z.*" },
                                            { ".*layers\\.", "\\.(mlp|attn)\\.z" },
                                            { "model.layers.", ".mlp" },
                                            { "re:.*\\.", "\\..*" } };
    struct arena a;
    struct needles n;
    numel_error e;
    char name[64];
    (void)state;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        arena_init(&a, &memory_malloc);
        for (size_t i = 0; i < MANY; i++) {
            snprintf(name, sizeof name, "%s%zu%s", forms[f][0], i, forms[f][1]);
            say(i, name);
        }
        assert_true(needles_make(&n, entries, MANY, &a, &e));
        for (unsigned i = 0; i < MANY; i += 37) {
            snprintf(name, sizeof name, "model.layers.%u.mlp.z_proj", i);
            assert_int_equal(first(&n, name), f < 3 ? (int64_t)i : NEEDLE_NONE);
            assert_true(tries <= 20); /* 4 digits have ten numeric substrings */
            assert_int_equal(first(&n, "visual.blocks.x.attn"), NEEDLE_NONE);
            assert_int_equal(tries, 0);
        }
        arena_done(&a);
    }
}

/* All names and patterns of a few letters, compared with trying each entry. */
static void test_as_one_by_one(void **state)
{
    static const char *const forms[] = { "a", "b.*",  ".*b",  "a|b", "[ab]b",  "a+b",  "a?ab", "(ab)*c",
                                         "",  "a{2}", "\\.a", "aab", "b[^]a]", "a\\d", "ab$",  "a" };
    enum { FORMS = sizeof forms / sizeof *forms };
    struct arena a;
    struct needles n;
    numel_error e;
    char name[6] = "";
    (void)state;
    arena_init(&a, &memory_malloc);
    for (size_t i = 0; i < FORMS; i++) say(i, forms[i]);
    for (size_t from = 0; from < FORMS; from++) {
        assert_true(needles_make(&n, entries, FORMS - from, &a, &e));
        for (unsigned k = 0; k < 5 * 5 * 5 * 5 * 5; k++) {
            unsigned left = k;
            for (unsigned i = 0; i < 5; i++, left /= 5) name[i] = "ab.c1"[left % 5];
            int64_t wanted = NEEDLE_NONE, got = first(&n, name);
            numel_str s = text_of(name);
            for (uint32_t i = 0; i < FORMS - from && wanted < 0; i++)
                if (means(&s, i)) wanted = i;
            assert_int_equal(got, wanted);
        }
    }
    arena_done(&a);
}

/* The longest words index an entry by their ends; names may be shorter. */
static void test_long_words(void **state)
{
    static char word[2][200];
    struct arena a;
    struct needles n;
    numel_error e;
    (void)state;
    arena_init(&a, &memory_malloc);
    for (int i = 0; i < 2; i++) {
        memset(word[i], 'x', 150);
        word[i][149] = (char)('a' + i);
        entries[i] =
            (struct needle){ .text = text_of(word[i]), .words = { text_of(word[i]) }, .word_count = 1 };
    }
    assert_true(needles_make(&n, entries, 2, &a, &e));
    assert_int_equal(first(&n, word[1]), 1);
    assert_int_equal(tries, 1);
    assert_int_equal(first(&n, "x"), NEEDLE_NONE);
    assert_int_equal(first(&n, ""), NEEDLE_NONE);
    assert_int_equal(tries, 0);
    assert_true(needles_make(&n, NULL, 0, &a, &e));
    assert_int_equal(first(&n, "x"), NEEDLE_NONE);
    arena_done(&a);
}

static void test_words(void **state)
{
    static const struct {
        const char *pattern;
        unsigned count;
        const char *words[3];
    } rows[] = {
        { "model\\.layers\\.7\\..*mlp", 2, { "model.layers.7.", "mlp" } },
        { "a.b", 2, { "a", "b" } },
        { "ab*c+d?e", 3, { "a", "c", "e" } },
        { "x{2}yz{0,1}w", 2, { "y", "w" } },
        { "(a|b)cd[ef]g", 2, { "cd", "g" } },
        { "[]a]b", 1, { "b" } },
        { "(a[)]b)c", 1, { "c" } },
        { "a|b", 0, { NULL } },
        { "a\\db\\b\\.$", 3, { "a", "b", "." } },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char space[96];
        numel_str words[NEEDLE_WORDS];
        assert_int_equal(pattern_words(text_of(rows[i].pattern), space, words, NEEDLE_WORDS), rows[i].count);
        for (unsigned k = 0; k < rows[i].count; k++) assert_true(text_equal(words[k], rows[i].words[k]));
    }
}

/* Every pattern of a few letters: a matching text contains its words. */
static void test_words_are_held(void **state)
{
    static const char letters[] = "a(|)*+?{}[]^$\\.,1b-:";
    enum { LETTERS = sizeof letters - 1 };
    static const char *const names[] = { "aa1", "b", "ab", "a(b", "" };
    char pattern[4], space[4];
    numel_str words[NEEDLE_WORDS];
    (void)state;
    for (unsigned i = 0; i < LETTERS * LETTERS * LETTERS * LETTERS; i++) {
        unsigned left = i;
        for (unsigned k = 0; k < 4; k++, left /= LETTERS) pattern[k] = letters[left % LETTERS];
        numel_str p = { pattern, 4 };
        unsigned count = pattern_words(p, space, words, NEEDLE_WORDS);
        for (size_t k = 0; count && k < sizeof names / sizeof *names; k++) {
            bool held = true;
            for (unsigned w = 0; w < count; w++) held &= text_holds(text_of(names[k]), words[w]);
            assert_true(held || pattern_match(p, text_of(names[k])) != PATTERN_YES);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_tries),      cmocka_unit_test(test_as_one_by_one),
        cmocka_unit_test(test_long_words),     cmocka_unit_test(test_words),
        cmocka_unit_test(test_words_are_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
