/*
 * test_patterns.c -- names without their numbers: which share a pattern, what a registry rolls back, and
 * that patterns sort as text_natural() does, for any names.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/text.h"
#include "model/naming_tails.h"
#include "registry/natural.h"

#include <stdlib.h>

static void make(struct registry *r, struct arena *a)
{
    arena_init(a, &memory_malloc);
    registry_init(r, a);
}

static void add(struct registry *r, const char *name)
{
    numel_error e = { .code = NUMEL_OK };
    numel_tensor t = { .name = text_of(arena_text(r->arena, name, strlen(name))) };
    assert_true(t.name.p && registry_add(r, &t, &e));
}

/* A table of one or two names. */
static void hold(struct registry *r, struct arena *a, const char *one, const char *other)
{
    numel_error e = { .code = NUMEL_OK };
    size_t first, second;
    make(r, a);
    add(r, one);
    if (other) add(r, other);
    assert_true(registry_commit(r, &first, &second, &e));
}

static void drop(struct registry *r, struct arena *a)
{
    registry_done(r);
    arena_done(a);
}

/* ---- patterns ----------------------------------------------------------------------------- */

static const struct {
    const char *a, *b;
    bool same;
    unsigned slots; /* of a */
} pairs[] = {
    { "layers.0.q.weight", "layers.12.q.weight", true, 1 },
    { "layers.0.q.weight", "layers.12.k.weight", false, 1 },
    { "layers.0.experts.3.up", "layers.7.experts.255.up", true, 2 },
    { "0", "4294967294", true, 1 },
    { "layers.4294967295.q", "layers.4294967296.q", false, 0 }, /* too large to be numbers */
    { "layers.07.q", "layers.08.q", false, 0 },                 /* leading zeros */
    { "layers.0.q", "layers.07.q", false, 1 },
    { "fc1.weight", "fc2.weight", false, 0 }, /* a letter on one side */
    { "layers.1x.q", "layers.2x.q", false, 0 },
    { "wi_0.weight", "wi_1.weight", true, 1 },
    { "lora_blocks_0_attn_1", "lora_blocks_11_attn_10", true, 2 },
    { "1.2.3.4.5.6.7.8.9", "8.7.6.5.4.3.2.1.9", true, 8 },
    { "1.2.3.4.5.6.7.8.9", "1.2.3.4.5.6.7.8.10", false, 8 }, /* the ninth is text */
    { "a.1", "a.1.", false, 1 },
    { "a..1", "a..2", true, 1 },
    { "", "1", false, 0 },
    { "weight", "weight.0", false, 0 },
};

static void test_pairs(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(pairs); i++) {
        struct registry r;
        struct arena a;
        hold(&r, &a, pairs[i].a, pairs[i].b);
        bool same = registry_pattern(&r, 0) == registry_pattern(&r, 1);
        ROW(failed, same == pairs[i].same, "%s and %s: %s", pairs[i].a, pairs[i].b, same ? "one" : "two");
        ROW(failed, registry_pattern(&r, 0)->slots == pairs[i].slots, "%s: %u numbers", pairs[i].a,
            registry_pattern(&r, 0)->slots);
        drop(&r, &a);
    }
    assert_int_equal(failed, 0);
}

static const struct {
    const char *name;
    bool named, dotted;
} kinds[] = {
    { "layers.0.weight", false, true }, { "wi_0.weight", true, false },
    { "weight_scale_2", true, false },  { "blocks_3_attn.weight", false, false },
    { "to_out.0", false, true },        { "weight", false, true },
    { "h.0.norm_1.bias", true, false },
};

static void test_kinds(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(kinds); i++) {
        struct registry r;
        struct arena a;
        hold(&r, &a, kinds[i].name, NULL);
        const struct pattern *x = registry_pattern(&r, 0);
        ROW(failed, x->named == kinds[i].named, "%s: named %d", kinds[i].name, x->named);
        ROW(failed, x->dotted == kinds[i].dotted, "%s: dotted %d", kinds[i].name, x->dotted);
        drop(&r, &a);
    }
    assert_int_equal(failed, 0);
}

static const struct {
    const char *part;
    bool asks;
} parts[] = {
    { "mlp.0", true },  { "*mlp.0.*", true },    { "fc1", false },       { "*.0", true },      { "*0", true },
    { "0*", true },     { "wi_0.weight", true }, { "w2.weight", false }, { ".weight", false }, { "", false },
    { "x0_1y", false }, { "_orig_mod.", false }, { "12", true },
};

static void test_asks(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(parts); i++)
        ROW(failed, pattern_asks_number(text_of(parts[i].part)) == parts[i].asks, "%s", parts[i].part);
    assert_int_equal(failed, 0);
}

/* A bad file among good ones leaves no trace. */
static void test_leaves(void **state)
{
    struct registry r;
    struct arena a;
    numel_error e = { .code = NUMEL_OK };
    size_t first, second;
    (void)state;
    make(&r, &a);
    add(&r, "layers.0.q");
    add(&r, "layers.0.k");
    assert_true(registry_commit(&r, &first, &second, &e));
    add(&r, "layers.1.q");
    add(&r, "norm.weight");
    for (int i = 0; i < 100; i++) add(&r, (char[]){ 'x', (char)('a' + i % 26), (char)('a' + i / 26), 0 });
    assert_true(registry_commit(&r, &first, &second, &e));
    assert_int_equal(r.patterns.count, 103);
    registry_rollback(&r, 2);
    assert_int_equal(r.patterns.count, 2);
    assert_int_equal(registry_pattern(&r, 0)->count, 1);
    add(&r, "layers.5.k");
    add(&r, "norm.weight");
    assert_true(registry_commit(&r, &first, &second, &e));
    assert_int_equal(r.patterns.count, 3);
    assert_ptr_equal(registry_pattern(&r, 1), registry_pattern(&r, 2));
    assert_int_equal(registry_pattern(&r, 3)->first, 3);
    drop(&r, &a);
}

/* ---- order -------------------------------------------------------------------------------- */

static const struct registry *ordered;

static int by_natural(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int c = text_natural(ordered->tensors[x].name, ordered->tensors[y].name);
    return c ? c : x < y ? -1 : x > y;
}

/* Names of a few segments with small differences, from a separate generator; with `zeros`, some segments
 * are digits but not numbers. */
static void random_name(uint64_t *state, bool zeros, char out[64])
{
    static const char *const words[] = { "a", "b", "layers", "attn", "w1", "w10", "x_2", "-", "z_", "07" };
    size_t n = 0;
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    unsigned count = 1 + (unsigned)(*state >> 33) % 4;
    for (unsigned i = 0; i < count; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        unsigned pick = (unsigned)(*state >> 33) % 20;
        pick -= pick == 9 && !zeros;
        n += (size_t)(pick < 10 ? snprintf(out + n, 64 - n, "%s%s", i ? "." : "", words[pick])
                                : snprintf(out + n, 64 - n, "%s%u", i ? "." : "", (pick - 10) * 7));
    }
}

static bool in_order(uint64_t *state, bool zeros, bool *known)
{
    struct registry r;
    struct arena a;
    numel_error e = { .code = NUMEL_OK };
    uint32_t got[64], expected[64];
    char name[64];
    make(&r, &a);
    for (uint32_t i = 0; i < 64; i++) {
        random_name(state, zeros, name);
        add(&r, name);
        expected[i] = i;
    }
    assert_true(registry_commit_firsts(&r, &e));
    assert_true(natural_order(&r, got, known, &e));
    ordered = &r;
    qsort(expected, 64, sizeof *expected, by_natural);
    bool same = !*known || memcmp(got, expected, sizeof got) == 0;
    drop(&r, &a);
    return same;
}

static void test_order(void **state)
{
    uint64_t seed = 14;
    unsigned wrong = 0, known_ones = 0;
    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        bool known;
        wrong += !in_order(&seed, i % 2, &known);
        known_ones += known;
    }
    assert_int_equal(wrong, 0);
    assert_in_range(known_ones, 100, 1900); /* both are seen */
}

/* ---- ends --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool may;
} asked[] = {
    { "model.layers.3.attn.q.weight", true },
    { "layers.9.attn.q.weight", true }, /* different numbers, no prefix */
    { "model.layers.3.attn.k.weight", false },
    { "lm_head.weight", true },
    { "model.lm_head.weight", true },
    { "head.weight", false },
    { "x.attn.q.weight", true },
    { "weight", true }, /* one segment proves nothing */
    { "q.weight", true },
    { "p.weight", false },
};

static void test_tails(void **state)
{
    struct arena a;
    struct tails t;
    numel_error e = { .code = NUMEL_OK };
    unsigned failed = 0;
    (void)state;
    arena_init(&a, &memory_malloc);
    assert_true(tails_make(&t, 2, &a, &e));
    tails_add(&t, text_of("model.layers.0.attn.q.weight"));
    tails_add(&t, text_of("lm_head.weight"));
    for (size_t i = 0; i < ROWS_OF(asked); i++)
        ROW(failed, tails_may_have(&t, text_of(asked[i].name)) == asked[i].may, "%s", asked[i].name);
    arena_done(&a);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_pairs), cmocka_unit_test(test_kinds),
                                        cmocka_unit_test(test_asks),  cmocka_unit_test(test_leaves),
                                        cmocka_unit_test(test_order), cmocka_unit_test(test_tails) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
