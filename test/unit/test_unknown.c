/*
 * test_unknown.c -- sizes in words: which phrase is found for a number, what else it could be, and that
 * running out of memory while inferring a formula gives NOMEM without leaks.
 */
#include "formula.h"

#include "../support/check.h"
#include "model/unknown.h"

/* clang-format off */
static const struct config_number numbers[] = {
    { "hidden_size", 2880 },         { "intermediate_size", 2880 }, { "vocab_size", 201088 },
    { "num_attention_heads", 64 },   { "num_key_value_heads", 8 },  { "head_dim", 64 },
    { "num_hidden_layers", 36 },     { "first_k_dense_replace", 3 }, { "num_local_experts", 128 },
    { "max_position_embeddings", 1000 }, { "conv_width", 768 },
    { "vision_config.hidden_size", 1152 }, { "vision_config.patches", 201088 },
};
/* clang-format on */

static const struct wanted {
    enum phrase_use use;
    uint64_t value;
    const char *name, *text;
    unsigned others;
} rows[] = {
    { PHRASE_SIZE, 201088, "embed", "V", 0 },
    { PHRASE_SIZE, 201088, "vision.patch", "vision_config.patches", 1 }, /* and V */
    { PHRASE_SIZE, 2880, "mlp", "E", 1 },                                /* gpt-oss: F as well */
    { PHRASE_SIZE, 5760, "mlp", "2*E", 1 },                              /* 2 F */
    { PHRASE_SIZE, 4096, "q", "H*D", 0 },                                /* 64 * 64 */
    { PHRASE_SIZE, 512, "k", "K*D", 0 },                                 /* 8 * 64 */
    { PHRASE_SIZE, 5120, "qkv", "H*D + 2*K*D", 0 },                      /* 4096 + 2 * 512 */
    { PHRASE_SIZE, 1002, "pos", "P + 2", 0 },
    { PHRASE_SIZE, 768, "conv", "conv_width", 0 },
    { PHRASE_SIZE, 128, "experts", "N", 0 },
    { PHRASE_SIZE, 1440, "half", "(E/2)", 1 },
    { PHRASE_SIZE, 3648, "x", "E + conv_width", 1 }, /* 2880 + 768 */
    { PHRASE_SIZE, 77, "x", NULL, 0 },
    { PHRASE_SIZE, 5, "x", NULL, 0 }, /* small sums carry no information */
    { PHRASE_SIZE, UINT64_MAX, "x", NULL, 0 },
    { PHRASE_REPEATS, 36, "layers", "L", 0 },
    { PHRASE_REPEATS, 33, "layers", "L - first_k_dense_replace", 0 },
    { PHRASE_REPEATS, 35, "layers", "L - 1", 0 },
    { PHRASE_REPEATS, 18, "layers", "(L/2)", 0 },
    { PHRASE_REPEATS, 128, "experts", "N", 0 },
    { PHRASE_REPEATS, 3, "layers", "first_k_dense_replace", 0 },
};

static void test_phrases(void **state)
{
    struct arena a;
    struct factors f;
    struct phrases p = { .word_count = 0 };
    numel_error e = { 0 };
    (void)state;
    arena_init(&a, &memory_malloc);
    factors_init(&f, &a);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) phrases_add_number(&p, &numbers[i]);
    assert_true(phrases_make(&p, &a, &e));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct phrase *others[8];
        unsigned n = 8;
        struct buffer b;
        const struct phrase *x = phrases_find(&p, rows[i].use, rows[i].value, rows[i].name, others, &n);
        buffer_init(&b, &memory_malloc);
        if (x) poly_print(&f, phrase_poly(&p, &f, x), &b);
        buffer_char(&b, 0);
        if (!x ? rows[i].text != NULL : !rows[i].text || strcmp(b.p, rows[i].text) != 0)
            fail_msg("row %zu: '%s', not '%s'", i, b.p, rows[i].text ? rows[i].text : "(none)");
        if (n != rows[i].others) fail_msg("row %zu (%s): %u others", i, b.p, n);
        int64_t v;
        if (x) assert_true(poly_value(&f, phrase_poly(&p, &f, x), &v));
        if (x) assert_int_equal(v, rows[i].value);
        buffer_done(&b);
    }
    factors_done(&f);
    arena_done(&a);
}

/* A safetensors file: three tensors, one with a size that no key has. */
static const char header[] = "{\"a.0.w\":{\"dtype\":\"U8\",\"shape\":[6,4],\"data_offsets\":[0,24]},"
                             "\"a.1.w\":{\"dtype\":\"U8\",\"shape\":[6,4],\"data_offsets\":[24,48]},"
                             "\"b\":{\"dtype\":\"U8\",\"shape\":[13],\"data_offsets\":[48,61]}}";

static void starve(const numel_checkpoint *ck, const char *json, const char *expression)
{
    bool done = false;
    for (uint64_t k = 0; !done; k++) {
        struct check_memory m;
        struct arena a;
        struct unknown u;
        struct config *c = configured(json);
        numel_error e = { 0 };
        check_memory_init(&m, k);
        arena_init(&a, &m.allocator);
        done = unknown_make(&u, ck, c, &a, &e);
        if (done) assert_string_equal(u.terms.expression, expression);
        if (done) assert_int_equal(u.terms.total, 61);
        if (!done) assert_int_equal(e.code, NUMEL_E_NOMEM);
        assert_true(k < 500);
        arena_done(&a);
        assert_int_equal(m.outstanding, 0);
        config_free(c);
    }
}

static void test_allocations(void **state)
{
    char file[8 + sizeof header - 1 + 61] = { 0 };
    numel_checkpoint *ck = NULL;
    numel_error e;
    (void)state;
    file[0] = (char)(sizeof header - 1);
    memcpy(file + 8, header, sizeof header - 1);
    if (numel_open_memory(&ck, file, sizeof file, NULL, &e)) fail_msg("%s", e.what);
    starve(ck, "{\"hidden_size\":4,\"intermediate_size\":6,\"num_layers\":2}", "L*F*E + 13");
    starve(ck, NULL, "n1*24 + 13");
    numel_free(ck);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phrases),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
