/* test_witness.c -- formula/witness.h: layouts query the file, and disagreeing sources are both named. */
#include "layouts.h"

#include <stdio.h>

struct small { /* a tensor of a file */
    const char *name, *type;
    uint64_t dim;
    const void *bytes;
    size_t n;
};

struct folder {
    const struct small *items;
    size_t count;
    const char *meta; /* of model.x.q_proj.weight */
    unsigned read;
};

static const struct small *small_of(const struct folder *f, numel_str marked)
{
    char text[LAYOUT_NAME];
    numel_str name;
    assert_true(layout_name(marked, text_of("model.x.q_proj.weight"), text, &name));
    for (size_t i = 0; i < f->count; i++)
        if (text_equal(name, f->items[i].name)) return &f->items[i];
    return NULL;
}

static bool folder_dim(void *ctx, numel_str marked, uint64_t axis, uint64_t *size)
{
    const struct small *s = small_of(ctx, marked);
    if (s) *size = s->dim;
    return s && axis == 0;
}

static bool folder_read(void *ctx, numel_str marked, uint8_t out[WITNESS_DATA], size_t *n, const char **type)
{
    struct folder *f = ctx;
    const struct small *s = small_of(f, marked);
    f->read++;
    if (!s || !s->n) return false;
    memcpy(out, s->bytes, s->n);
    *n = s->n;
    *type = s->type;
    return true;
}

static bool folder_meta(void *ctx, numel_str marked, numel_str *text)
{
    const struct folder *f = ctx;
    if (!f->meta || marked.n != 1) return false;
    *text = text_of(f->meta);
    return true;
}

/* The file has what one of its parts calls model.x.q_proj as part.model.x.q_proj. */
static bool folder_key(void *ctx, numel_str marked, struct arena *a, numel_str *key)
{
    char text[LAYOUT_NAME];
    (void)ctx;
    assert_true(layout_name(marked, text_of("model.x.q_proj.weight"), text, key));
    *key = arena_join(a, text_of("part."), *key, text_of(""));
    return key->p != NULL;
}

static bool solve_in(struct solved *a, const char *layout, const char *config, struct folder *f, int64_t out,
                     int64_t in)
{
    const struct nearby nearby = { folder_dim, folder_read, folder_meta, folder_key, NULL, f };
    struct layout_module m = { .role = text_of("attn.q"), .out = out, .in = in, .nearby = &nearby };
    numel_error e = { 0 };
    *a = (struct solved){ .l = layout_of(layout), .c = configured(config) };
    arena_init(&a->arena, &memory_malloc);
    return layout_solve(&a->forms, a->l, a->c, true, &m, &a->arena, &e);
}

#define Q "model.x.q_proj."
static const char asks[] = "layout test\n"
                           "sym b in 4 3 8 1.58 .. = q(\"bits\"), number(\"{M}.nbits\")\n"
                           "sym t in nf4 fp4 = json(\"{M}.state\", \"type\")\n"
                           "let state = \"{M}.state.{t}\"\n"
                           "sym k in 64 32 = json(state, \"blocks\", 1)\n"
                           "sym y in Plain Other .. = meta(W, \"a\", \"type\")\n"
                           "sym d in 1 0 = isnum(json(state, \"none\")) ? 1 : 0\n"
                           "let G = dim(\"{M}.s\", 0) ?? 9\n"
                           "plain meta(W) == \"plain\"\n"
                           "witness O = ints(\"{M}.shape\", 0)\n"
                           "witness I = ints(\"{M}.shape\", 1)\n"
                           "witness k = number(\"{M}.k\")\n"
                           "value {M}.w U8 O I*d\n"
                           "scale {M}.s F32 G k\n";

static const float f158 = 1.58F;
static const uint8_t three[] = { 3, 0, 0, 0 }, nothing[4] = { 0 }, thirty_two[] = { 32 };
static const int64_t shape64[] = { 256, 512 };
static const int32_t shape32[] = { 256, 500 };
static const char typed[] = "{\"type\":\"fp4\"}", blocks[] = "{\"blocks\":[7,32],\"none\":null}";

/* Sources, lets and the type of the weight, from data and metadata; a repeated question is asked once. */
static void test_witness(void **unused)
{
    static const struct small items[] = {
        { Q "nbits", "F32", 1, &f158, 4 },
        { Q "state", "U8", 1, typed, sizeof typed - 1 },
        { Q "state.fp4", "U8", 1, blocks, sizeof blocks - 1 },
        { Q "s", "F32", 77, NULL, 0 },
        { Q "shape", "I64", 2, shape64, sizeof shape64 },
        { Q "k", "U8", 1, thirty_two, 1 },
    };
    struct folder f = { items, 6, "{\"a\":{\"type\":\"Other\"}}", 0 };
    struct solved a;
    (void)unused;
    assert_true(solve_in(&a, asks, "{}", &f, 256, 512));
    assert_int_equal(a.forms.count, 1);
    assert_string_equal(a.forms.items[0].choice, "b 1.58, t 'fp4', k 32, y 'Other', d 0");
    assert_null(a.forms.items[0].contradiction);
    is_stored(&a.forms.items[0], 1, Q "s", 77, 32);
    unsigned once = f.read;
    assert_int_equal(once, 7); /* nbits, state, blocks, none, shape twice, k */
    bool same;
    numel_error e = { 0 };
    const struct nearby nearby = { folder_dim, folder_read, folder_meta, folder_key, NULL, &f };
    assert_true(witness_same(a.forms.asking.first, &nearby, &a.arena, &same, &e) && same);
    struct folder other = { items, 3, f.meta, 0 }; /* not a size of the scales */
    const struct nearby elsewhere = { folder_dim, folder_read, folder_meta, folder_key, NULL, &other };
    assert_true(witness_same(a.forms.asking.first, &elsewhere, &a.arena, &same, &e) && !same);
    done(&a);
    f.meta = "\"plain\"";
    assert_true(solve_in(&a, asks, "{}", &f, 256, 512));
    assert_true(a.forms.plain && a.forms.count == 0);
    done(&a);
}

/* Absent, all zero, not numeric, not JSON, too short: silent. b 4 2, t 2, k 2, e 2, d 1: the first of
 * each. */
static void test_witness_silent(void **unused)
{
    static const struct small items[] = {
        { Q "nbits", "I32", 1, nothing, 4 }, { Q "state", "U8", 1, "{\"type\":", 8 },
        { Q "shape", "F32", 2, &f158, 4 },   { Q "k", "BOOL", 1, thirty_two, 1 },
        { Q "state.nf4", "U8", 1, NULL, 0 },
    };
    struct folder f = { items, 5, "no JSON", 0 };
    struct solved a;
    (void)unused;
    assert_true(solve_in(&a, asks, "{}", &f, 256, 512));
    assert_int_equal(a.forms.count, 4 * 2 * 2 * 2);
    for (size_t i = 0; i < a.forms.count; i++) assert_null(a.forms.items[i].contradiction);
    is_stored(&a.forms.items[0], 1, Q "s", 9, 64);
    done(&a);
}

/* Both values and both sources. A free choice is contradicted if no other choice remains. */
static void test_witness_against(void **unused)
{
    static const struct small items[] = {
        { Q "nbits", "I32", 1, three, 4 },
        { Q "shape", "I32", 2, shape32, sizeof shape32 },
        { Q "k", "U8", 1, thirty_two, 1 },
    };
    static const char both[] = "{\"quantization_config\":{\"bits\":4}}";
    struct folder f = { items, 1, NULL, 0 };
    struct solved a;
    (void)unused;
    assert_true(solve_in(&a, asks, both, &f, 256, 512));
    assert_string_equal(a.forms.items[0].contradiction, "config.json (bits) says b 4, but nbits says 3");
    done(&a);
    f = (struct folder){ items + 1, 1, NULL, 0 };
    assert_true(solve_in(&a, asks, both, &f, 256, 512));
    assert_string_equal(a.forms.items[0].contradiction, "the model says inputs 512, but shape says 500");
    done(&a);
    f = (struct folder){ items + 2, 1, NULL, 0 };
    assert_true(solve_in(&a, asks, both, &f, 256, 512));
    assert_string_equal(a.forms.items[0].choice, "b 4, t 'nf4', k 64, y 'Plain', d 0");
    assert_string_equal(a.forms.items[0].contradiction, "by their shapes k is 64, but k says 32");
    assert_string_equal(a.forms.items[2].choice, "b 4, t 'nf4', k 32, y 'Plain', d 0");
    assert_null(a.forms.items[2].contradiction);
    done(&a);
}

static void close_to(double a, double b) { assert_true(a - b < 1e-9 && b - a < 1e-9); }

/* 24 words of 32 bits for 256 inputs: 3.0 bits per value; 25: 3.125, where integers would leave a
 * remainder. */
static void test_mean(void **unused)
{
    static const char text[] = "layout test\n"
                               "value {M}.w I32 * O\n"
                               "mean 32*dim(\"{M}.w\", 0) / I = q(\"bits\") if=(role != \"head\")\n";
    static const struct small w24[] = { { Q "w", "I32", 24, NULL, 0 } },
                              w25[] = { { Q "w", "I32", 25, NULL, 0 } };
    struct folder f = { w24, 1, NULL, 0 };
    struct solved a;
    (void)unused;
    assert_true(solve_in(&a, text, "{\"quantization_config\":{\"bits\":3.2}}", &f, 8, 256));
    close_to(a.forms.items[0].mean, 3);
    close_to(a.forms.items[0].mean_said, 3.2);
    assert_string_equal(a.forms.items[0].mean_by, "config.json (bits)");
    done(&a);
    f.items = w25;
    assert_true(solve_in(&a, text, "{\"quantization_config\":{\"bits\":3}}", &f, 8, 256));
    close_to(a.forms.items[0].mean, 3.125);
    done(&a);
    assert_true(solve_in(&a, text, "{\"quantization_config\":{}}", &f, 8, 256));
    assert_null(a.forms.items[0].mean_by); /* not stated */
    done(&a);
    assert_true(solve_in(&a, "layout test\nvalue {M}.w I32 O\nmean I = q(\"bits\") if=(O == 9)\n",
                         "{\"quantization_config\":{\"bits\":3}}", &f, 8, 256));
    assert_null(a.forms.items[0].mean_by); /* not for this module */
    done(&a);
}

/* A key that is a module name contains dots; metadata that splits it differently, or names another module,
 * is silent. */
static void test_key(void **unused)
{
    static const char layout[] = "layout test\n"
                                 "sym t in fp8 fp4 = meta(W, \"layers\", \"{M}\", \"format\")\n"
                                 "value {W} I8 O I\n";
    static const struct {
        const char *meta, *choice; /* choice NULL: a contradiction */
    } rows[] = {
        { "{\"layers\":{\"part.model.x.q_proj\":{\"format\":\"fp4\"}}}", "t 'fp4'" },
        { "{\"layers\":{\"part.model.x.q_proj\":{\"format\":\"int8\"}}}", NULL },
        { "{\"layers\":{\"model.x.q_proj\":{\"format\":\"fp4\"}}}", "t 'fp8'" },
        { "{\"layers\":{\"part\":{\"model\":{\"x\":{\"q_proj\":{\"format\":\"fp4\"}}}}}}", "t 'fp8'" },
        { "{\"layers\":{\"part.model.x.q_proj.format\":\"fp4\"}}", "t 'fp8'" },
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct folder f = { NULL, 0, rows[i].meta, 0 };
        struct solved a;
        assert_true(solve_in(&a, layout, "{}", &f, 256, 512));
        if (rows[i].choice) assert_string_equal(a.forms.items[0].choice, rows[i].choice);
        assert_int_equal(a.forms.items[0].contradiction == NULL, rows[i].choice != NULL);
        done(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_witness),
        cmocka_unit_test(test_witness_silent),
        cmocka_unit_test(test_witness_against),
        cmocka_unit_test(test_mean),
        cmocka_unit_test(test_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
