/*
 * test_alike.c -- loops whose similar turns are walked once: the sums equal those of walking every turn.
 *
 * First by arithmetic, in loops of any length; then for every truth of fixtures/oracle and every spec:
 * folded and unfolded expansion must give the same formula, term by term.
 */
#include "formula.h"

#include "formula/library.h"
#include "formula/terms.h"
#include "../support/cases.h"

#include <stdio.h>

static bool folded(struct expansion **x, const struct spec *s, struct config *c, numel_error *e)
{
    struct expand_input in = { .spec = s, .config = c, .side = SIDE_HF };
    POISON(*x);
    *e = (numel_error){ 0 };
    return expand_folded(x, &in, &memory_malloc, e);
}

#define M INT64_C(1000000)
#define G INT64_C(1000000000)

/* `let` and conditions that depend on the turn's number. Each is also walked in full, for n = `small`. */
static const struct {
    const char *spec; /* n: number of turns */
    int64_t n, small;
    uint64_t parameters, tensors;
    size_t sites; /* upper limit: how little is kept */
    int64_t few;  /* the parameters for n = `small` */
} sums[] = {
    { "raw r a.{i} - 3\n", G, 7, 3 * G, G, 1, 21 },
    { "if i < 3\nraw r a.{i} - 2\nelse\nraw s b.{i} - 5\nend\n", G, 7, 5 * G - 9, G, 2, 26 },
    { "if 3 > i\nraw r a.{i} - 2\nend\n", G, 7, 6, 3, 1, 6 },
    { "if i <= 3\nraw r a.{i} - 2\nend\n", G, 7, 8, 4, 1, 8 },
    { "if i > 3\nraw r a.{i} - 2\nend\n", G, 7, 2 * G - 8, G - 4, 1, 6 },
    { "if i >= n - 2\nraw r a.{i} - 2\nend\n", G, 7, 4, 2, 1, 4 },
    { "if n - i <= 2\nraw r a.{i} - 2\nend\n", G, 7, 4, 2, 1, 4 },
    { "if i == 5\nraw r a.{i} - 2\nend\n", G, 7, 2, 1, 1, 2 },
    { "if i != 5\nraw r a.{i} - 2\nend\n", G, 7, 2 * G - 2, G - 1, 1, 12 },
    { "if 2*i + 1 > 8\nraw r a.{i} - 1\nend\n", G, 7, G - 4, G - 4, 1, 3 },
    { "if 2*i == 7\nraw r a.{i} - 1\nend\n", G, 7, 0, 0, 0, 0 },
    { "if -i < -3\nraw r a.{i} - 1\nend\n", G, 7, G - 4, G - 4, 1, 3 },
    { "if i % 4 == 3\nraw r a.{i} - 2\nelse\nraw s b.{i} - 1\nend\n", G, 9, G + G / 4, G, 2, 11 },
    { "if (i + 1) % 4 == 0 && i % 6 != 1\nraw r a.{i} - 1\nend\n", 12 * M, 25, 2 * M, 2 * M, 12, 4 },
    { "if i % 5 == 0 && i >= 12\nraw r a.{i} - 1\nend\n", G, 21, G / 5 - 3, G / 5 - 3, 4, 2 },
    { "if in(i, few)\nraw r a.{i} - 1\nend\n", G, 7, 3, 3, 1, 3 },
    { "let k = i\nif k < 4\nraw r a.{k} - 1\nend\n", G, 7, 4, 4, 1, 4 },
    { "let near = i < 4\nraw r a.{i} - (near?3:1)\n", G, 7, G + 8, G, 2, 15 },
    { "for j in 0 .. n\nraw r a.{i}.{j} - 2\nend\n", M, 7, 2 * (uint64_t)M *M, (uint64_t)M *M, 1, 98 },
    { "for j in 0 .. 3\nif j < 2\nraw r a.{i}.{j} - 2\nend\nend\n", G, 7, 4 * G, 2 * G, 1, 28 },
    { "raw r a.{i}.{e} - 2 stack=n\n", M, 7, 2 * (uint64_t)M *M, (uint64_t)M *M, 1, 98 },
    { "oneof\nraw r a.{i} - 6\nor\nraw r b.{i} - 2 3\nend\n", G, 7, 6 * G, G, 2, 42 },
    /* a value carried from turn to turn: every turn is walked, and similar ones are stored once */
    { "raw r a.{i} - 1+last\nlet last = i % 2\n", 1000, 7, 1499, 1000, 2, 10 },
    { "let sum = sum + 1\nif sum > 3\nraw r a.{i} - 1\nend\n", 1000, 7, 997, 997, 1, 4 },
    { "if i < 5\nlet last = i\nend\nif i > 7\nraw r a.{i} - last+1\nend\n", 1000, 10, 4960, 992, 1, 10 },
    { "raw r a.{i} - i+1\n", 1000, 7, 500500, 1000, 1000, 28 },
    { "if i % 1009 == 0\nraw r a.{i} - 1\nend\n", 2018, 7, 2, 2, 1, 1 },
    { "for j in 0 .. i\nraw r a.{i}.{j} - 1\nend\n", 100, 7, 4950, 4950, 100, 21 },
    { "for j in 0 .. n\nif j < i\nraw r a.{i}.{j} - 1\nend\nend\n", 100, 7, 4950, 4950, 100, 21 },
};

static char *spec_of(const char *inside)
{
    static char text[600];
    snprintf(
        text, sizeof text,
        "let n = cfg(\"n\")\nlet few = cfg(\"few\")\nlet last = 0\nlet sum = 0\nfor i in 0 .. n\n%send\n",
        inside);
    return text;
}

static struct config *with_turns(int64_t n)
{
    char json[100];
    snprintf(json, sizeof json, "{\"n\": %lld, \"few\": [2, 3, 5]}", (long long)n);
    return configured(json);
}

static void counts_any_number_of_turns(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        struct spec *s = parsed(spec_of(sums[i].spec));
        struct config *c = with_turns(sums[i].n);
        struct expansion *x;
        numel_error e;
        if (!folded(&x, s, c, &e)) fail_msg("%s: %s", sums[i].spec, e.what);
        if (x->totals.parameters != sums[i].parameters || x->totals.parameter_tensors != sums[i].tensors ||
            x->site_count > sums[i].sites)
            fail_msg("%s: %" PRIu64 " in %" PRIu64 ", %zu sites", sums[i].spec, x->totals.parameters,
                     x->totals.parameter_tensors, x->site_count);
        expansion_free(x);
        config_free(c);
        c = with_turns(sums[i].small);
        if (!expanded(&x, s, c, SIDE_HF, NULL, &e)) fail_msg("%s: %s", sums[i].spec, e.what);
        if (x->totals.parameters != (uint64_t)sums[i].few)
            fail_msg("%s: %" PRIu64 " of few", sums[i].spec, x->totals.parameters);
        expansion_free(x);
        config_free(c);
        spec_free(s);
    }
}

/* After a loop, variables have the values of its last turn. */
static void leaves_what_the_last_turn_leaves(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        uint64_t parameters;
    } rows[] = {
        { "for i in 0 .. 1000000\nlet k = i + 1\nend\nraw r a - k\n", 1000000 },
        { "for i in 0 .. 1000000\nend\nraw r a - i+2\n", 1000001 },
        { "for i in 0 .. 1000000\nlet k = i % 3\nend\nraw r a - k+1\n", 1 },
        { "for i in 0 .. 1000001\nlet k = i % 3 == 1 ? 7 : 4\nend\nraw r a - k\n", 7 },
        { "for i in 0 .. 5\nfor j in 0 .. 1000000\nlet k = i + 1\nlet m = j\nend\nend\nraw r a - k+m\n",
          1000004 },
        /* set in some turns only, and by an inner loop the outer one's variable */
        { "for i in 0 .. 1000000\nif i < 5\nlet k = i\nend\nend\nraw r a - k+1\n", 5 },
        { "for i in 0 .. 1000000\nif i % 4 == 1 && i < 800\nlet k = i\nend\nend\nraw r a - k+1\n", 798 },
        { "for i in 0 .. 3\nlet k = i\nfor j in 0 .. 1000000\nlet k = j\nend\nend\nraw r a - k+1\n",
          1000000 },
        { "for i in 0 .. 3\nlet k = i\nfor j in 0 .. 1000\nlet k = j\nend\nraw r a.{i} - k+1\nend\n", 3000 },
        { "for i in 0 .. 1000000\nlet k = 2*i\nend\nfor i in 0 .. 1000000\nif i == k - 1999990\nraw r a.{i} "
          "- 1\n"
          "end\nend\n",
          1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spec *s = parsed(rows[i].spec);
        struct config *c = configured("{}");
        struct expansion *x;
        numel_error e;
        if (!folded(&x, s, c, &e)) fail_msg("%s: %s", rows[i].spec, e.what);
        if (x->totals.parameters != rows[i].parameters)
            fail_msg("%s: %" PRIu64, rows[i].spec, x->totals.parameters);
        expansion_free(x);
        config_free(c);
        spec_free(s);
    }
}

static bool holds_a_third(void *ctx, const char *glob, bool *there, numel_error *e)
{
    (void)ctx, (void)e;
    return *there = glob[strlen(glob) - 1] % 3 == 0, true; /* '0' is 48 */
}

/* An optional tensor is present or absent layer by layer. */
static void what_a_file_holds_is_asked_of_each_turn(void **state)
{
    (void)state;
    static const struct presence file = { .has = holds_a_third };
    struct spec *s =
        parsed("for i in 0 .. 2\nfor j in 0 .. 9\nraw r a.{i}.{j} - 5 opt\nraw s b.{i}.{j} - 1\nend\nend\n");
    struct config *c = configured("{}");
    struct expand_input in = { .spec = s, .config = c, .side = SIDE_HF, .file = &file };
    struct expansion *x;
    numel_error e = { 0 };
    assert_true(expand_folded(&x, &in, &memory_malloc, &e));
    assert_int_equal(x->totals.parameters, 2 * (3 * 5 + 9));
    expansion_free(x);
    config_free(c);
    spec_free(s);
}

/* One list per layer: the walk has as many turns as the list has runs. */
static void lists_are_walked_by_runs(void **state)
{
    (void)state;
    enum { LAYERS = 60000 };
    char *json = malloc(LAYERS * 4 + 100);
    size_t n = (size_t)sprintf(json, "{\"n\": %d, \"types\": [", LAYERS);
    for (int i = 0; i < LAYERS; i++) n += (size_t)sprintf(json + n, "%s%d", i ? "," : "", i % 6 == 5);
    sprintf(json + n, "]}");
    struct spec *s =
        parsed("let t = cfg(\"types\")\nfor i in 0 .. cfg(\"n\")\nif t[i] == 1\nraw r a.{i} - 5\nelse\n"
               "raw r b.{i} - 2\nend\nend\n");
    struct config *c = configured(json);
    struct expansion *x;
    numel_error e;
    assert_true(folded(&x, s, c, &e));
    assert_int_equal(x->totals.parameters, LAYERS / 6 * (5 + 5 * 2));
    assert_int_equal(x->site_count, 2);
    expansion_free(x);
    config_free(c);
    spec_free(s);
    free(json);
}

static void refuses_what_has_no_end(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *what;
        numel_rc code;
    } rows[] = {
        { "for i in 0 .. cfg(\"n\")\nraw r a.{i} - i+1\nend\n", "1000000000 (n): more than 30000 tensors",
          NUMEL_E_LIMIT },
        { "for i in 0 .. cfg(\"n\")\nlet k = i*i\nend\n", "1000000000 (n): more than 100000 loop turns",
          NUMEL_E_LIMIT },
        { "for i in 0 .. cfg(\"n\")\nfor j in 0 .. i\nend\nend\n", "1000000000 (n)", NUMEL_E_LIMIT },
        { "for i in 0 .. cfg(\"n\")\nfor j in 0 .. cfg(\"n\")\nfor k in 0 .. cfg(\"n\")\nraw r a.{i}.{j}.{k} "
          "- 9\n"
          "end\nend\nend\n",
          "does not fit in 64 bits", NUMEL_E_OVERFLOW },
        { "for i in 0 .. cfg(\"n\")\nif i*1152921504606846976 < 0\nraw r a.{i} - 1\nend\nend\n",
          "8 and 1152921504606846976: the result does not fit in 64 bits", NUMEL_E_OVERFLOW },
        { "for i in 0 .. cfg(\"n\")\nlet k = -i*1152921504606846976\nend\n",
          "-9 and 1152921504606846976: the result does not fit in 64 bits", NUMEL_E_OVERFLOW },
        { "for i in 0 .. cfg(\"n\")\nlet k = i*(-9223372036854775807 - 1)\nend\n",
          "2 and -9223372036854775808: the result does not fit in 64 bits", NUMEL_E_OVERFLOW },
        { "raw r a.{e} - 1 stack=10*cfg(\"n\")\n", "a stack of 10000000000 (n)", NUMEL_E_LIMIT },
        { "let a = \"xxxxxxxx\"\nfor i in 0 .. cfg(\"n\")\nlet a = a + a\nend\n", "a text of 131072 bytes",
          NUMEL_E_LIMIT },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spec *s = parsed(rows[i].spec);
        struct config *c = configured("{\"n\": 1000000000}");
        struct expansion *x;
        numel_error e;
        if (folded(&x, s, c, &e)) fail_msg("accepted: %s", rows[i].spec);
        if (!strstr(e.what, rows[i].what) || e.code != rows[i].code)
            fail_msg("'%s', not '%s'", e.what, rows[i].what);
        config_free(c);
        spec_free(s);
    }
}

/* ---- every spec and every truth ----------------------------------------------------------- */

static void same_terms(const char *name, struct expansion *all, struct expansion *few)
{
    struct terms a, b;
    numel_error e = { 0 };
    if (!terms_of(&a, all, &e) || !terms_of(&b, few, &e)) fail_msg("%s: %s", name, e.what);
    if (strcmp(a.expression, b.expression) || a.total != b.total || a.count != b.count)
        fail_msg("%s: %s = %" PRIu64 ", folded %s = %" PRIu64, name, a.expression, a.total, b.expression,
                 b.total);
    for (size_t i = 0; i < a.count; i++)
        if (!text_same(a.items[i].role, b.items[i].role) || strcmp(a.items[i].expr, b.items[i].expr) ||
            a.items[i].each != b.items[i].each || a.items[i].times != b.items[i].times ||
            a.items[i].total != b.items[i].total || a.items[i].evidence != b.items[i].evidence)
            fail_msg("%s: term %s", name, b.items[i].expr);
    terms_done(&a);
    terms_done(&b);
}

static bool same_formula(const char *name, const struct spec *s, struct config *c)
{
    struct expand_input in = { .spec = s, .config = c, .side = SIDE_HF };
    struct expansion *all, *few;
    numel_error e = { 0 }, f = { 0 };
    bool made = expand(&all, &in, &memory_malloc, &e);
    if (expand_folded(&few, &in, &memory_malloc, &f) != made)
        fail_msg("%s: %s; folded: %s", name, e.what, f.what);
    if (!made) return false;
    assert_memory_equal(&all->totals, &few->totals, sizeof all->totals);
    assert_int_equal(all->expected, few->expected);
    assert_int_equal(all->expected, all->row_count);
    same_terms(name, all, few);
    expansion_free(all);
    expansion_free(few);
    return true;
}

/* A run of layers keeps the symbols of its ends, even if turns within it differ in something else. */
static void runs_are_named_across_unlike_turns(void **state)
{
    (void)state;
    static const struct {
        const char *few, *expression;
        uint64_t total;
    } rows[] = {
        { "[1]", "23*6*w + (n - 1)*5*w + 9*w", 90 + 23 * 60 + 23 * 50 },
        { "[0, 7, 22, 24, 99]", "3*9*w + (n - 1)*5*w + 21*6*w", 270 + 21 * 60 + 23 * 50 },
        { "[22, 23]", "22*6*w + (n - 1)*5*w + 2*9*w", 180 + 22 * 60 + 23 * 50 },
        { "[\"1\", 1.5, true, null]", "n*6*w + (n - 1)*5*w", 24 * 60 + 23 * 50 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char json[100];
        snprintf(json, sizeof json, "{\"n\": 24, \"w\": 10, \"few\": %s}", rows[i].few);
        struct spec *s =
            parsed("let n = cfg(\"n\")\nlet w = cfg(\"w\")\nlet few = cfg(\"few\")\nfor i in 0 .. n\n"
                   "raw r a.{i} - (in(i, few) ? 9*w : 6*w)\nraw s b.{i} - 5*w if=(i < n-1)\nend\n");
        struct config *c = configured(json);
        struct expansion *x;
        struct terms t;
        numel_error e;
        assert_true(same_formula(rows[i].few, s, c));
        assert_true(folded(&x, s, c, &e) && terms_of(&t, x, &e));
        if (t.total != rows[i].total || strcmp(t.expression, rows[i].expression) != 0)
            fail_msg("%s: %s = %" PRIu64, rows[i].few, t.expression, t.total);
        terms_done(&t);
        expansion_free(x);
        config_free(c);
        spec_free(s);
    }
}

static void folded_is_the_same(void **state)
{
    (void)state;
    struct cases cases;
    size_t compared = 0;
    cases_load_quick(&cases, "fixtures/oracle");
    for (size_t i = 0; i < cases.count; i++) {
        char *json = cases.items[i].doc ? truth_config(&cases.items[i], "whole", true) : NULL;
        if (!json) continue;
        struct library *l;
        const struct spec *s = NULL;
        numel_error e = { 0 };
        assert_true(library_open(&l, &memory_malloc, &e));
        struct config *c = configured(json);
        const struct library_entry *entry = library_match(l, c, SIDE_HF, &e);
        struct library_linked linked = { .items = NULL };
        if (entry && library_spec_for(l, &linked, entry, c, &s, &e))
            compared += same_formula(cases.items[i].name, s, c);
        library_linked_free(&linked, &memory_malloc);
        config_free(c);
        library_free(l);
        free(json);
    }
    cases_free(&cases);
    assert_true(compared > 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_any_number_of_turns),
        cmocka_unit_test(leaves_what_the_last_turn_leaves),
        cmocka_unit_test(lists_are_walked_by_runs),
        cmocka_unit_test(refuses_what_has_no_end),
        cmocka_unit_test(what_a_file_holds_is_asked_of_each_turn),
        cmocka_unit_test(runs_are_named_across_unlike_turns),
        cmocka_unit_test(folded_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
