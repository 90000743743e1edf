/*
 * test_cache.c -- cache lines: which are accepted, which are refused, what layers keep and how often.
 *
 * Sums are arithmetic, shown in the row; `make caches` judges real classes.
 */
#include "formula.h"

#include "formula/cache.h"

#include <stdio.h>

static void reads_and_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what; /* NULL: accepted */
    } rows[] = {
        { "cache k 4 per token\n", NULL },
        { "cache v 2*3 per token window=8 if=true\n", NULL },
        { "cache k 4 per token latent\n", NULL },
        { "cache other:a.b 4 per token every=4\n", NULL },
        { "cache other:a.b 4 per token rest=4\n", NULL },
        { "cache conv 4 per sequence\ncache recurrent 4 per sequence\n", NULL },
        { "cache cross_k 4 per source\ncache cross_v 4 per source\n", NULL },
        { "cache shared if=true\n", NULL },
        { "cache none\n", NULL },
        { "cache none if=true\n", "line 1, column 19: 'none' takes no condition" },
        { "cache none 4 per token\n", "line 1, column 12: expected window=" },
        { "cache\n", "line 1, column 6: expected a kind of cache" },
        { "cache q 4 per token\n", "line 1, column 7: 'q' is not a kind of cache" },
        { "cache other: 4 per token\n", "line 1, column 7: 'other:' is not a kind of cache" },
        { "cache other 4 per token\n", "line 1, column 7: 'other' is not a kind of cache" },
        { "cache k\n", "line 1, column 8: expected a number of elements" },
        { "cache k 4\n", "line 1, column 10: expected 'per'" },
        { "cache k 4 token\n", "line 1, column 11: expected 'per'" },
        { "cache k 4 per layer\n", "line 1, column 15: expected token, source or sequence" },
        { "cache k 4 per token opt\n",
          "line 1, column 21: expected window=, every=, rest=, width=, latent, apart or if=" },
        { "cache k 4 per token if=true if=true\n", "line 1, column 29: if= occurs twice here" },
        { "cache k 4 per token window=2 every=4\n", NULL },
        { "cache k 4 per token window=4 rest=4\n", "line 1, column 36: rest= excludes window= and every=" },
        { "cache k 4 per token every=4 rest=4\n", "line 1, column 35: rest= excludes window= and every=" },
        { "cache conv 4 per token\n", "line 1, column 23: a state is per sequence" },
        { "cache cross_k 4 per token\n", "line 1, column 26: a cross-attention cache is per source" },
        { "cache k 4 per sequence window=4\n",
          "line 1, column 32: a cache that is not per token has no window" },
        { "cache k 4 per source every=4\n", "line 1, column 29: a cache that is not per token has no step" },
        { "cache index_k 4 per token latent\n", "line 1, column 33: latent belongs to k and v per token" },
        { "cache shared window=4\n", "line 1, column 22: a layer with a shared cache has no cache" },
        { "cache shared 4 per token\n", "line 1, column 14: expected window=" },
        { "oneof\nraw a b - 1\ncache k 4 per token\nend\n",
          "line 3, column 1: a cache line cannot be inside a oneof" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spec *s;
        numel_error e;
        bool read = parse(&s, rows[i].text, NULL, &e);
        if (read != !rows[i].what) fail_msg("%s: %s", rows[i].text, read ? "accepted" : e.what);
        if (rows[i].what && strncmp(e.what, rows[i].what, strlen(rows[i].what)) != 0)
            fail_msg("%s: '%s', expected '%s'", rows[i].text, e.what, rows[i].what);
        if (read) spec_free(s);
    }
}

static void lints_what_counts_twice(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t complaints;
    } rows[] = {
        { "raw a b - 1\ncache k 4 per token\ncache v 4 per token\n", 0 },
        { "raw a b - 1\ncache k 4 per token\ncache k 5 per token\n", 1 },
        { "raw a b - 1\ncache k 4 per token\ncache k 5 per sequence\n", 0 },
        { "raw a b - 1\ncache k 4 per sequence\ncache k 5 per sequence\n", 1 },
        { "raw a b - 1\ncache k 4 per token if=true\ncache k 5 per token\n", 0 },
        { "raw a b - 1\ncache other:x 4 per token\ncache other:y 4 per token\n", 0 },
        { "raw a b - 1\ncache other:x 4 per token\ncache other:x 4 per token\n", 1 },
        { "cache k 4 per token\n", 1 }, /* no tensors */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spec *s = parsed(rows[i].text);
        struct arena a;
        struct complaints all = { .arena = &a };
        arena_init(&a, &memory_malloc);
        spec_lint(s, text_of(""), &all);
        if (all.count != rows[i].complaints) fail_msg("%s: %zu", rows[i].text, all.count);
        arena_done(&a);
        spec_free(s);
    }
}

struct summed {
    const char *spec, *json;
    struct cache_use use;
    uint64_t total, k;
    const char *layers; /* "full:2 sliding/8:4" */
};

static void show_layers(char *out, size_t room, const struct expansion *x)
{
    struct cache_layers l[CACHE_LAYERS];
    size_t n = cache_layers(l, x), at = 0;
    *out = '\0';
    for (size_t i = 0; i < n && at < room; i++) {
        char window[32] = "";
        if (l[i].window >= 0) snprintf(window, sizeof window, "/%lld", (long long)l[i].window);
        at += (size_t)snprintf(out + at, room - at, "%s%s%s:%llu", i ? " " : "", cache_layer_name(l[i].kind),
                               window, (unsigned long long)l[i].count);
    }
}

/* Both ways of walking loops give the same result. */
static void check_sum(const struct summed *row, bool folded)
{
    struct spec *s = parsed(row->spec);
    struct config *c = configured(row->json);
    struct expand_input in = { .spec = s, .config = c, .side = SIDE_HF, .cache = true };
    struct expansion *x;
    struct cache_sums sums;
    numel_error e = { 0 };
    char layers[200];
    if (!(folded ? expand_folded : expand)(&x, &in, &memory_malloc, &e)) fail_msg("%s", e.what);
    assert_true(cache_known(x));
    assert_true(cache_sum(&sums, x, &row->use, &e));
    if (sums.total != row->total || sums.elements[CACHE_K] != row->k)
        fail_msg("%s: %llu, k %llu", row->spec, (unsigned long long)sums.total,
                 (unsigned long long)sums.elements[CACHE_K]);
    show_layers(layers, sizeof layers, x);
    assert_string_equal(layers, row->layers);
    expansion_free(x);
    config_free(c);
    spec_free(s);
}

#define LAYERS(lines) "for i in 0 .. cfg(\"n\")\nraw r a.{i} - 1\n" lines "end\n"

static const struct summed summed_rows[] = {
    /* 3 layers, 10 tokens, 2 sequences: 3*10*2*4, 3*10*2*5 */
    { LAYERS("cache k 4 per token\ncache v 5 per token\n"), "{\"n\":3}", { 10, 0, 2 }, 540, 240, "full:3" },
    /* 10 tokens under a window of 8: 7 are kept; of 7: 7; of null: all. (7*4)*2 + 10*4 */
    { LAYERS("cache k 4 per token window=(i==1?null:8)\n"),
      "{\"n\":3}",
      { 10, 0, 1 },
      96,
      96,
      "sliding/8:2 full:1" },
    { LAYERS("cache k 4 per token window=8\n"), "{\"n\":1}", { 8, 0, 1 }, 28, 28, "sliding/8:1" },
    { LAYERS("cache k 4 per token window=8\n"), "{\"n\":1}", { 7, 0, 1 }, 28, 28, "sliding/8:1" },
    { LAYERS("cache k 4 per token window=8\n"), "{\"n\":1}", { 6, 0, 1 }, 24, 24, "sliding/8:1" },
    /* 11 tokens in fours: 2 whole, 3 left over */
    { LAYERS("cache k 5 per token every=4\ncache v 7 per token rest=4\n"),
      "{\"n\":1}",
      { 11, 0, 1 },
      31,
      10,
      "full:1" },
    /* the last complete four: none of 3 tokens, one of 4 and of 11, in 2 sequences */
    { LAYERS("cache k 5 per token every=4 window=2\n"), "{\"n\":1}", { 3, 0, 1 }, 0, 0, "full:1" },
    { LAYERS("cache k 5 per token every=4 window=2\n"), "{\"n\":1}", { 4, 0, 1 }, 5, 5, "full:1" },
    { LAYERS("cache k 5 per token every=4 window=2\n"), "{\"n\":1}", { 11, 0, 2 }, 10, 10, "full:1" },
    { LAYERS("cache k 4 per token if=i<2\ncache shared if=i>=2\n"),
      "{\"n\":5}",
      { 10, 0, 1 },
      80,
      80,
      "full:2 shared:3" },
    { LAYERS("cache conv 3 per sequence\ncache recurrent 5 per sequence\n"),
      "{\"n\":2}",
      { 1000, 0, 3 },
      48,
      0,
      "linear:2" },
    { LAYERS("cache conv 3 per sequence\ncache k 2 per token\n"),
      "{\"n\":2}",
      { 10, 0, 1 },
      46,
      40,
      "hybrid:2" },
    /* a prompt of three tokens after those read is not a state */
    { LAYERS("cache k 6 per sequence\ncache k 2 per token\n"), "{\"n\":2}", { 10, 0, 1 }, 52, 52, "full:2" },
    { LAYERS("cache k 3 per token latent\ncache v 1 per token latent\n"),
      "{\"n\":2}",
      { 10, 0, 1 },
      80,
      60,
      "mla:2" },
    { LAYERS("cache k 3 per token latent\ncache index_k 1 per token\n"),
      "{\"n\":2}",
      { 10, 0, 1 },
      80,
      60,
      "indexed:2" },
    { LAYERS("cache k 3 per token\ncache cross_k 2 per source\n"),
      "{\"n\":1}",
      { 10, 40, 2 },
      220,
      60,
      "full:1" },
    { LAYERS("cache cross_k 2 per source\n"), "{\"n\":1}", { 10, 40, 2 }, 160, 0, "cross:1" },
    { LAYERS("cache k 4 per token window=(i%2==0?8:null)\n"),
      "{\"n\":4}",
      { 100, 0, 1 },
      856,
      856,
      "sliding/8:2 full:2" },
    /* tensors that a file holds but no program loads keep nothing */
    { "raw r a - 1\ncache k 1 per token\nextra mtp\nraw s b - 1\ncache k 4 per token\nend\n",
      "{}",
      { 10, 0, 1 },
      10,
      10,
      "full:1" },
};

static void sums_and_layers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof summed_rows / sizeof *summed_rows; i++) {
        check_sum(&summed_rows[i], true);
        check_sum(&summed_rows[i], false);
    }
}

static void a_million_layers_are_folded(void **state)
{
    (void)state;
    static const struct summed row = { LAYERS("cache k 4 per token window=(i%2==0?8:null)\n"),
                                       "{\"n\":1000000}",
                                       { 100, 0, 1 },
                                       500000ull * 4 * 107,
                                       500000ull * 4 * 107,
                                       "sliding/8:500000 full:500000" };
    check_sum(&row, true);
}

/* The tensors are known nonetheless. */
static void what_cannot_be_said_ends_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *line, *what;
    } rows[] = {
        { "cache k cfg(\"e\") per token\n", "the configuration has no e" },
        { "cache k 0-1 per token\n", "a size is -1" },
        { "cache k 1 per token window=0\n", "a window is 0" },
        { "cache k 1 per token window=\"x\"\n", "is not an integer" },
        { "cache k 1 per token every=0\n", "a step is 0" },
        { "cache k 1 per token if=cfg(\"e\")\n", "null (e) is not a boolean" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        snprintf(text, sizeof text, "raw r a - 3\ncache v 1 per token\n%sraw s b - 4\n", rows[i].line);
        struct spec *s = parsed(text);
        struct config *c = configured("{}");
        struct expansion *x;
        numel_error e;
        assert_true(expand(&x,
                           &(struct expand_input){ .spec = s, .config = c, .side = SIDE_HF, .cache = true },
                           &memory_malloc, &e));
        assert_true(x->totals.parameters == 7);
        assert_false(cache_known(x));
        if (!strstr(x->cache_why.what, rows[i].what)) fail_msg("%s: %s", rows[i].line, x->cache_why.what);
        expansion_free(x);
        config_free(c);
        spec_free(s);
    }
}

static void without_lines_nothing_is_known(void **state)
{
    (void)state;
    struct spec *s = parsed("raw r a - 3\n");
    struct config *c = configured("{}");
    struct expansion *x;
    numel_error e;
    assert_true(expand(&x, &(struct expand_input){ .spec = s, .config = c, .side = SIDE_HF, .cache = true },
                       &memory_malloc, &e));
    assert_false(cache_known(x));
    expansion_free(x);
    config_free(c);
    spec_free(s);
}

static void sums_are_checked(void **state)
{
    (void)state;
    struct spec *s = parsed("raw r a - 3\ncache k 4294967296 per token\ncache v 1 per sequence\n");
    struct config *c = configured("{}");
    struct expansion *x;
    struct cache_sums sums;
    numel_error e;
    assert_true(expand(&x, &(struct expand_input){ .spec = s, .config = c, .side = SIDE_HF, .cache = true },
                       &memory_malloc, &e));
    assert_true(cache_sum(&sums, x, &(struct cache_use){ 4294967295, 0, 1 }, &e));
    assert_true(sums.total == 18446744069414584321u); /* 2^64 - 2^32 + 1 */
    assert_false(cache_sum(&sums, x, &(struct cache_use){ 4294967296, 0, 1 }, &e));
    assert_int_equal(e.code, NUMEL_E_OVERFLOW);
    expansion_free(x);
    config_free(c);
    spec_free(s);
}

static void memory_that_runs_out_is_told(void **state)
{
    (void)state;
    struct spec *s = parsed(LAYERS("cache k 4 per token if=i%3==0\ncache v cfg(\"e\") per token if=i==9\n"));
    struct config *c = configured("{\"n\":40}");
    bool done = false;
    for (size_t n = 0; !done; n++) {
        struct scarce scarce = { .left = n };
        numel_allocator m = { scarce_resize, &scarce };
        struct expand_input in = { .spec = s, .config = c, .side = SIDE_HF, .cache = true };
        struct expansion *x;
        numel_error e = { 0 };
        assert_true(n < 1000);
        done = expand(&x, &in, &m, &e);
        if (!done) assert_int_equal(e.code, NUMEL_E_NOMEM);
        expansion_free(x);
        assert_int_equal(scarce.live, 0);
    }
    config_free(c);
    spec_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_refuses),
        cmocka_unit_test(lints_what_counts_twice),
        cmocka_unit_test(sums_and_layers),
        cmocka_unit_test(a_million_layers_are_folded),
        cmocka_unit_test(what_cannot_be_said_ends_nothing),
        cmocka_unit_test(without_lines_nothing_is_known),
        cmocka_unit_test(sums_are_checked),
        cmocka_unit_test(memory_that_runs_out_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
