/* test_layouts.c -- formula/layout.h: parsing a layout, its forms, its values from the configuration. */
#include "../support/check.h"
#include "layouts.h"

#include <stdio.h>

static void refused(const char *text, const char *why)
{
    struct library_entry entry = {
        .name = "test.layout", .name_bytes = 11, .file = "test.layout", .text = text_of(text)
    };
    struct layout *l = (struct layout *)1;
    numel_error e = { 0 };
    assert_true(!layout_parse(&l, &entry, &memory_malloc, NULL, &e) && !l);
    assert_int_equal(e.code, NUMEL_E_SPEC);
    if (!strstr(e.what, why)) fail_msg("%s, and not %s", e.what, why);
}

/* Groups of g inputs, b-bit values in 32-bit words. */
static const char gptq[] = "layout test\n"
                           "match quant_method in gptq\n"
                           "over dynamic\n"
                           "skip modules_to_not_convert\n"
                           "sym b in 2..4 8 = q(\"bits\")\n"
                           "sym g in -1 64 .. = q(\"group_size\"), q(\"group\")\n"
                           "sym z in _a _b quiet\n"
                           "let G = g < 1 ? 1 : I / g\n"
                           "value {M}.qweight I32 ceil_div(I*b, 32) O\n"
                           "zero {M}.qzeros I32 G ceil_div(O*b, 32) if=b!=8\n"
                           "scale {M}.scales{z} float|F8_E4M3 G O\n"
                           "index {P}.{L}{_}g_idx I32 I opt=all\n"
                           "witness O = ints(\"{M}.shape\", 0)\n"
                           "extra act *.k_scale F32 1\n"
                           "bits b\n"
                           "group g < 1 ? I : g\n";

static bool solve(struct solved *a, const char *config, bool told, int64_t out, int64_t in)
{
    return solve_by(a, gptq, config, told, out, in);
}

/* The first line that holds; what is not a number above 0 is unknown. */
static void test_unpack(void **state)
{
    (void)state;
    static const char text[] = "layout t\nmatch quant_method in t\nsym b in 4 8\nvalue {M}.qweight I32 I O\n"
                               "bits b\nunpack first I/2 if=b==4\nunpack second 0 O\n";
    struct solved a;
    assert_true(solve_by(&a, text, "{}", false, 256, 512) && a.forms.count == 2);
    const struct layout_form *f = a.forms.items;
    assert_true(!strcmp(f[0].method, "first") && f[0].args[0] == 256 && f[0].args[1] == 0);
    assert_true(!strcmp(f[1].method, "second") && f[1].args[0] == 0 && f[1].args[1] == 256);
    done(&a);
    refused("layout t\nvalue {W} I8 O I\nunpack\n", "expected a method");
    refused("layout t\nvalue {W} I8 O I\nunpack m 1 2 3 4\n", "more than 3 numbers");
}

/* 256 x 512 in 4 bits, groups of 128: 512 * 4 / 32 = 64 rows of words, 4 groups, 256 * 4 / 32 = 32. */
static void test_told(void **state)
{
    (void)state;
    struct solved a;
    assert_true(solve(&a,
                      "{\"quantization_config\":{\"quant_method\":\"gptq\",\"bits\":4,\"group_size\":128}}",
                      true, 256, 512));
    assert_int_equal(a.forms.count, 2); /* two spellings of the scales */
    const struct layout_form *f = &a.forms.items[1];
    assert_null(f->contradiction);
    assert_string_equal(f->choice, "b 4, g 128");
    assert_int_equal(f->bits, 4);
    assert_int_equal(f->group, 128);
    is_stored(f, 0, "model.x.q_proj.qweight", 64, 256);
    is_stored(f, 1, "model.x.q_proj.qzeros", 4, 32);
    is_stored(f, 2, "model.x.q_proj.scales_b", 4, 256);
    is_stored(f, 3, "model.x.q_proj.weight.g_idx", 512, 0);
    assert_int_equal(f->stored[3].need, NEED_LAYOUT);
    assert_true(layout_type_fits(f->stored[2].types, "BF16"));
    assert_true(layout_type_fits(f->stored[2].types, "F8_E4M3"));
    assert_false(layout_type_fits(f->stored[2].types, "F8_E5M2"));
    assert_false(layout_type_fits(f->stored[0].types, "I3"));
    done(&a);
}

/* Nothing is stated: b is one of four, g one row or 64 (`..` is for sources), two spellings: 16 forms. 64
 * does not divide 96 inputs, which leaves 8. 8 bits have no zero points. */
static void test_silent(void **state)
{
    (void)state;
    struct solved a;
    assert_true(solve(&a, "{}", false, 256, 512));
    assert_int_equal(a.forms.count, 16);
    assert_int_equal(a.forms.items[0].count, 4);
    assert_int_equal(a.forms.items[15].count, 3);
    assert_string_equal(a.forms.items[15].choice, "b 8, g 64");
    done(&a);
    assert_true(solve(&a, "{}", false, 256, 96));
    assert_int_equal(a.forms.count, 8);
    done(&a);
}

/* Two sources that disagree, and a value that the layout does not allow. */
static void test_contradicted(void **state)
{
    (void)state;
    struct solved a;
    assert_true(
        solve(&a, "{\"quantization_config\":{\"bits\":4,\"group_size\":128,\"group\":64}}", true, 256, 512));
    assert_string_equal(a.forms.items[0].contradiction,
                        "config.json (group_size) says g 128, but config.json (group) says 64");
    done(&a);
    assert_true(solve(&a, "{\"quantization_config\":{\"bits\":5,\"group_size\":128}}", true, 256, 512));
    assert_string_equal(a.forms.items[0].contradiction,
                        "config.json (bits) says b 5, which is impossible in test");
    done(&a);
}

/* A symbol whose condition is false has no value, whatever its source states. */
static void test_condition(void **state)
{
    (void)state;
    static const char text[] = "layout test\n"
                               "sym kind in group row = q(\"kind\")\n"
                               "sym g in 64 .. = q(\"size\") if=(kind == \"group\")\n"
                               "sym h in 1 2 if=(kind == \"group\")\n"
                               "value {M}.w U8 O I\n"
                               "scale {M}.s float O (kind == \"group\" ? I / g : h ?? 7)\n";
    struct solved a;
    assert_true(
        solve_by(&a, text, "{\"quantization_config\":{\"kind\":\"group\",\"size\":32}}", true, 8, 128));
    assert_int_equal(a.forms.count, 2);
    assert_string_equal(a.forms.items[1].choice, "kind 'group', g 32, h 2");
    assert_int_equal(a.forms.items[1].stored[1].dims[1], 4); /* 128 / 32 */
    done(&a);
    assert_true(solve_by(&a, text, "{\"quantization_config\":{\"kind\":\"row\",\"size\":32}}", true, 8, 128));
    assert_int_equal(a.forms.count, 1);
    assert_string_equal(a.forms.items[0].choice, "kind 'row'");
    assert_int_equal(a.forms.items[0].stored[1].dims[1], 7);
    done(&a);
}

/* Computed values, reals, and lists of choices. A value equal to another is not a second choice. */
static void test_values(void **state)
{
    (void)state;
    static const char text[] = "layout test\n"
                               "sym v in 64 (I) (I/O) .. = q(\"v\")\n"
                               "sym b in 4 1.58 = q(\"bits\")\n"
                               "sym k in (b == 4 ? 16 : 3) = q(\"k\")\n"
                               "sym j in 1..128\n"
                               "value {M}.w U8 O I/v*j\n";
    struct solved a;
    assert_true(solve_by(&a, text, "{}", false, 2, 128)); /* 64, 128, and 64 again; 2 b; 128 j */
    assert_int_equal(a.forms.count, 2 * 2 * 128);
    assert_string_equal(a.forms.items[0].choice, "v 64, b 4, k 16, j 1");
    assert_string_equal(a.forms.items[511].choice, "v 128, b 1.58, k 3, j 128");
    done(&a);
    assert_true(solve_by(&a, text, "{}", false, 3, 128)); /* 128 / 3 leaves a remainder: not a choice */
    assert_int_equal(a.forms.count, 2 * 2 * 128);
    done(&a);
    assert_true(
        solve_by(&a, text, "{\"quantization_config\":{\"v\":32,\"bits\":1.58,\"k\":3}}", true, 2, 128));
    assert_int_equal(a.forms.count, 128);
    assert_null(a.forms.items[0].contradiction);
    done(&a);
    assert_true(solve_by(&a, text, "{\"quantization_config\":{\"bits\":1.5}}", true, 2, 128));
    assert_string_equal(a.forms.items[0].contradiction,
                        "config.json (bits) says b 1.5, which is impossible in test");
    done(&a);
    assert_true(solve_by(&a, text, "{\"quantization_config\":{\"bits\":4,\"k\":3}}", true, 2, 128));
    assert_string_equal(a.forms.items[0].contradiction,
                        "config.json (k) says k 3, which is impossible in test");
    done(&a);
}

/* A module that stays plain has no forms; an undecided one has. */
static void test_plain(void **state)
{
    (void)state;
    static const char text[] = "layout test\n"
                               "sym b in 2..8 = q(\"bits\")\n"
                               "plain b >= 16\n"
                               "plain I % (q(\"g\") ?? 64) != 0\n"
                               "value {M}.w U8 O I\n";
    struct solved a;
    assert_true(solve_by(&a, text, "{\"quantization_config\":{\"bits\":16}}", true, 8, 128));
    assert_int_equal(a.forms.count, 0);
    assert_true(a.forms.plain);
    done(&a);
    assert_true(solve_by(&a, text, "{\"quantization_config\":{\"bits\":4}}", true, 8, 96));
    assert_int_equal(a.forms.count, 0);
    assert_true(a.forms.plain);
    done(&a);
    assert_true(solve_by(&a, text, "{\"quantization_config\":{\"bits\":4,\"g\":32}}", true, 8, 96));
    assert_int_equal(a.forms.count, 1);
    assert_false(a.forms.plain);
    done(&a);
    assert_true(solve_by(&a, text, "{\"quantization_config\":{\"bits\":4,\"g\":0}}", true, 8, 96));
    assert_int_equal(a.forms.count, 1); /* a remainder modulo 0 is undefined */
    done(&a);
}

/* A flat tensor for 3 experts is known only by its number of elements: 3 * 8 * 128 / 2. */
/* A choice without stored values is not a form: scales alone prove nothing. */
static void test_valueless(void **state)
{
    (void)state;
    static const char beside[] =
        "layout test\nsym k in 0 1\nvalue {M}.w U8 O I if=k==1\nscale {M}.s float 1\n",
                      optional[] = "layout test\nvalue {M}.w U8 O I opt\nscale {M}.s float 1\n",
                      second[] = "layout test\nvalue {M}.w U8 O I\nvalue {M}.more U8 O I opt\n";
    struct solved a;
    assert_true(solve_by(&a, beside, "{}", false, 8, 128));
    assert_int_equal(a.forms.count, 1);
    assert_string_equal(a.forms.items[0].choice, "k 1");
    done(&a);
    assert_true(solve_by(&a, optional, "{}", false, 8, 128));
    assert_int_equal(a.forms.count, 0);
    done(&a);
    assert_true(solve_by(&a, second, "{}", false, 8, 128));
    assert_int_equal(a.forms.count, 1);
    done(&a);
}

static void test_flat(void **state)
{
    (void)state;
    static const char text[] = "layout test\n"
                               "value {W} U8 n/2 1 flat\n"
                               "rotation {M}.su float O\n";
    static const uint64_t lead[] = { 3 };
    struct layout_module m = {
        .role = text_of("x"), .out = 8, .in = 128, .lead = lead, .lead_count = 1, .stack = 3
    };
    struct solved a = { .l = layout_of(text), .c = configured("{}") };
    numel_error e = { 0 };
    arena_init(&a.arena, &memory_malloc);
    assert_true(layout_solve(&a.forms, a.l, a.c, false, &m, &a.arena, &e));
    const struct stored *stored = a.forms.items[0].stored;
    assert_int_equal(stored[0].ndim, 2);
    assert_int_equal(stored[0].dims[0], 1536);
    assert_int_equal(stored[1].ndim, 2);
    assert_int_equal(stored[1].dims[0], 3);
    assert_int_equal(stored[1].dims[1], 8);
    assert_int_equal(stored[1].role, LAYOUT_ROTATION);
    done(&a);
}

static bool declared(const struct layout *l, const char *json)
{
    struct config *c = configured(json);
    struct layout_shelf shelf = { NULL };
    struct layout_lists lists;
    struct arena a;
    numel_error e = { 0 };
    bool yes;
    POISON(lists);
    arena_init(&a, &memory_malloc);
    assert_true(layout_lists(l, c, &shelf, &lists, &a, &e) && layout_declared(l, &lists, c, &yes, &a, &e));
    arena_done(&a);
    config_free(c);
    return yes;
}

static void test_declared(void **state)
{
    (void)state;
    struct layout *l = layout_of(gptq);
    assert_true(declared(l, "{\"quantization_config\":{\"quant_method\":\"gptq\"}}"));
    assert_true(declared(l, "{\"text_config\":{\"quantization_config\":{\"quant_method\":\"gptq\"}}}"));
    assert_false(declared(l, "{\"quantization_config\":{\"quant_method\":\"gptq2\"}}"));
    assert_false(declared(l, "{\"quantization_config\":{\"quant_method\":3}}"));
    assert_false(declared(l, "{\"quantization_config\":{}}"));
    assert_false(declared(l, "{\"quantization_config\":\"gptq\"}"));
    assert_false(declared(l, "{}"));
    layout_free(l);
}

struct said {
    const char *module;
    bool plain, over, soft, outside;
};

static void words_are(const char *layout, const char *json, const char *class, const struct said *rows,
                      size_t n)
{
    struct layout *l = layout_of(layout);
    struct config *c = configured(json);
    struct layout_shelf shelf = { NULL };
    struct layout_lists lists;
    struct arena a;
    numel_error e = { 0 };
    arena_init(&a, &memory_malloc);
    POISON(lists);
    assert_true(layout_lists(l, c, &shelf, &lists, &a, &e));
    for (size_t i = 0; i < n; i++) {
        struct layout_word w = layout_word_of(l, &lists, text_of(rows[i].module), class);
        if (w.plain != rows[i].plain || (w.over != NULL) != rows[i].over || w.soft != rows[i].soft ||
            w.outside != rows[i].outside)
            fail_msg("%s: plain %d, over %d, soft %d, outside %d", rows[i].module, w.plain, w.over != NULL,
                     w.soft, w.outside);
    }
    arena_done(&a);
    config_free(c);
    layout_free(l);
}

/* dynamic: the first matching key decides. Lists: a module, its suffix, or a pattern. */
static void test_words(void **state)
{
    (void)state;
    static const char json[] =
        "{\"quantization_config\":{\"dynamic\":{\"-:.*\\\\.up_proj\":{},\"+:model\\\\.layers\\\\.0\\\\..*\":{"
        "\"bits\":8},"
        "\"model\\\\.layers\\\\.1.*\":false},\"modules_to_not_convert\":[\"lm_head\",\"model.layers.2\","
        "\".*gate$\",\"mlp.down_proj.weight\"]}}";
    static const struct said rows[] = {
        { "model.layers.0.mlp.up_proj", .plain = true }, /* the first, although the second also matches */
        { "model.layers.0.mlp.down", .over = true },
        { "model.layers.1.q", .plain = true },
        { "model.layers.2.q", .plain = true },
        { .module = "model.layers.20.q" },
        { "lm_head", .plain = true },
        { "model.lm_head", .plain = true },
        { .module = "xlm_head" },
        { "model.layers.3.mlp.gate", .plain = true },
        { .module = "model.layers.3.mlp.gate_proj" },
        { "model.layers.3.mlp.down_proj", .plain = true },
    };
    words_are(gptq, json, "Linear", rows, sizeof rows / sizeof *rows);
}

/* Module names as keys: `.` is the configuration itself, whose other keys are not modules. */
static void test_over_path(void **state)
{
    (void)state;
    static const char text[] = "layout test\nover . path\nvalue {M}.w U8 O I\n";
    static const char json[] =
        "{\"quantization\":{\"bits\":4,\"a.b\":{\"bits\":8},\"a.c\":false,\"a.d\":true,"
        "\"a.e.*\":{\"bits\":8},\"Linear\":{\"bits\":2}}}";
    static const struct said rows[] = {
        { "a.b", .over = true }, { "a.c", .plain = true }, { .module = "a.d" },
        { .module = "a.b.x" },   { .module = "a" },        { .module = "x.a.b" },
        { .module = "a.e.x" },   { .module = "bits" },     { .module = "" },
    };
    words_are(text, json, "Linear", rows, sizeof rows / sizeof *rows);
}

/* 200 modules with two kinds of values: two queries, not 200. */
static void test_over_same(void **state)
{
    (void)state;
    struct layout *l = layout_of("layout test\nover layers path\nvalue {M}.w U8 O I\n");
    struct buffer b;
    struct layout_shelf shelf = { NULL };
    struct layout_lists lists;
    struct arena a;
    numel_error e = { 0 };
    buffer_init(&b, &memory_malloc);
    buffer_text(&b, "{\"quantization_config\":{\"layers\":{");
    for (int i = 0; i < 200; i++)
        buffer_format(&b, "%s\"m.%d\":{\"bits\":%d}", i ? "," : "", i, i % 2 ? 4 : 8);
    buffer_text(&b, "}}}");
    buffer_char(&b, 0);
    struct config *c = configured(b.p);
    arena_init(&a, &memory_malloc);
    POISON(lists);
    assert_true(layout_lists(l, c, &shelf, &lists, &a, &e));
    for (int i = 0; i < 200; i++) {
        char name[16], first[16];
        snprintf(name, sizeof name, "m.%d", i);
        snprintf(first, sizeof first, "m.%d", i % 2);
        const json_value *over = layout_word_of(l, &lists, text_of(name), "Linear").over;
        assert_non_null(over);
        assert_ptr_equal(over, layout_word_of(l, &lists, text_of(first), "Linear").over);
    }
    arena_done(&a);
    config_free(c);
    buffer_done(&b);
    layout_free(l);
}

/* The first group whose targets match the module, by name, class or pattern; without a group it stays
 * plain. */
static void test_over_groups(void **state)
{
    (void)state;
    static const char text[] = "layout test\nover config_groups groups\nskip ignore ct\nvalue {M}.w U8 O I\n";
    static const char json[] = "{\"quantization_config\":{\"config_groups\":{"
                               "\"g0\":{\"targets\":[\"re:.*q_proj$\",\"a.b\"],\"weights\":{\"num_bits\":8}},"
                               "\"g1\":{\"targets\":[\"Linear\"],\"weights\":{\"num_bits\":4}},\"g2\":7},"
                               "\"ignore\":[\"lm_head\",\"re:.*gate$\",\"Embedding\"]}}";
    static const struct said linear[] = {
        { "a.q_proj", .over = true },      { "a.b", .over = true },
        { "a.b.c", .over = true },         { "lm_head", .over = true, .plain = true },
        { "model.lm_head", .over = true }, { "a.gate", .over = true, .plain = true },
        { "a.gate_proj", .over = true },
    };
    static const struct said table[] = {
        { "a.q_proj", .over = true, .plain = true }, /* ignored by its class */
        { "embed", .plain = true, .outside = true },
    };
    static const struct said other[] = { { "a.b", .over = true }, { "a.x", .outside = true } };
    words_are(text, json, "Linear", linear, sizeof linear / sizeof *linear);
    words_are(text, json, "Embedding", table, sizeof table / sizeof *table);
    words_are(text, json, "Conv1d", other, sizeof other / sizeof *other);
    static const struct said none[] = { { .module = "a.b" } };
    words_are(text, "{\"quantization_config\":{}}", "Linear", none, 1); /* without groups: applies to all */
}

static void test_skip_hows(void **state)
{
    (void)state;
    static const char text[] = "layout test\n"
                               "skip a glob\n"
                               "skip b part\n"
                               "skip c name soft\n"
                               "value {M}.w U8 O I\n";
    static const char json[] = "{\"quantization_config\":{\"a\":[\"*.mlp.gate\",\"vision\",\"x[0-1]\"],"
                               "\"b\":[\"router\"],\"c\":[\"lm_head\",\"\"]}}";
    static const struct said rows[] = {
        { "m.mlp.gate", .plain = true },
        { .module = "m.mlp.gate_proj" },
        { .module = "m.mlp.gate.x" },
        { "vision.0.q", .plain = true },
        { .module = "visions" },
        { .module = "m.vision" },
        { "x1", .plain = true },
        { .module = "x2" },
        { "m.a_router_b.x", .plain = true },
        { .module = "m.rout.er" },
        { "lm_head", .soft = true },
        { "model.lm_head", .soft = true },
        { .module = "xlm_head" },
    };
    words_are(text, json, "Linear", rows, sizeof rows / sizeof *rows);
}

/* If no method is stated, numbers match as words. A layout may be selected by a single group. */
static void test_match(void **state)
{
    (void)state;
    struct layout *l = layout_of("layout test\nmatch bits in 4 8\nwhen q(\"quant_method\") == null\n"
                                 "value {M}.w U8 O I\n");
    assert_true(declared(l, "{\"quantization\":{\"bits\":4,\"group_size\":64}}"));
    assert_false(declared(l, "{\"quantization\":{\"bits\":5}}"));
    assert_false(declared(l, "{\"quantization\":{\"bits\":4.5}}"));
    assert_false(declared(l, "{\"quantization\":{\"bits\":4,\"quant_method\":\"x\"}}"));
    layout_free(l);
    l = layout_of("layout test\nmatch m in ct\nwhen q(\"format\") == \"pack\"\nover groups groups\n"
                  "value {M}.w U8 O I\n");
    assert_true(declared(l, "{\"quantization_config\":{\"m\":\"ct\",\"format\":\"pack\"}}"));
    assert_false(declared(l, "{\"quantization_config\":{\"m\":\"ct\",\"format\":\"mixed\"}}"));
    assert_true(declared(l, "{\"quantization_config\":{\"m\":\"ct\",\"format\":\"mixed\",\"groups\":{"
                            "\"a\":{\"format\":null},\"b\":{\"format\":\"pack\"}}}}"));
    assert_false(declared(l, "{\"quantization_config\":{\"m\":\"ct\",\"format\":\"mixed\",\"groups\":{"
                             "\"a\":{\"format\":\"other\"},\"b\":7}}}"));
    layout_free(l);
}

static void says(struct config *c, const json_value *over, const char *path, const char *shown)
{
    char text[VALUE_SHOW];
    numel_error e = { 0 };
    struct value v;
    POISON(v);
    assert_true(config_quantization(c, over, text_of(path), &v, &e));
    assert_string_equal(value_show(text, &v), shown);
}

/* A separate file: its method defaults to its writer's; modelopt's settings are nested in it. A module set
 * to null makes no statement. */
static void test_own_file(void **state)
{
    (void)state;
    static const char own[] =
        "{\"producer\":{\"name\":\"x\"},\"quantization\":{\"quant_algo\":\"FP8\",\"g\":16}}";
    static const char mine[] = "{\"g\":null,\"quant_algo\":\"NVFP4\"}";
    static const char bare[] = "{\"a.b\":{\"weights\":\"qint8\"},\"quantization\":\"q\"}";
    numel_error e = { 0 };
    struct config *c = configured("{}");
    assert_false(config_has_quantization(c));
    assert_true(config_add_quantization(c, own, strlen(own), "hf_quant_config.json", "modelopt", &e));
    says(c, NULL, "quant_method", "'modelopt'");
    says(c, NULL, "quant_algo", "'FP8'");
    says(c, NULL, "producer.name", "null");
    json_value *over = json_doc_parse(mine, strlen(mine), &e);
    assert_non_null(over);
    says(c, over, "g", "16");
    says(c, over, "quant_algo", "'NVFP4'");
    json_doc_free(over);
    assert_true(config_add_quantization(c, bare, strlen(bare), "quanto_qmap.json", "quanto", &e));
    says(c, NULL, "quant_method", "'quanto'");
    says(c, NULL, ".", "an object");
    config_free(c);
    c = configured("{\"quantization\":{\"bits\":4}}"); /* comes first, without a method */
    assert_true(config_add_quantization(c, own, strlen(own), "hf_quant_config.json", "modelopt", &e));
    says(c, NULL, "quant_method", "null");
    says(c, NULL, "bits", "4");
    says(c, NULL, "g", "16"); /* missing values are read from the separate file */
    config_free(c);
}

static void test_refused(void **state)
{
    (void)state;
    refused("value {M}.q I32 O I\n", "no 'layout NAME' line");
    refused("layout a\nlayout b\n", "second layout");
    refused("layout a\nsym b in\n", "at least one value");
    refused("layout a\nsym b of 1\n", "expected 'in'");
    refused("layout a\nsym O in 1\nvalue {M}.q I32 P Q\n", "unknown symbol 'Q'");
    refused("layout a\nmatch k is v\n", "expected 'in'");
    refused("layout a\nskip k often\n", "'often' does not show how");
    refused("layout a\nskip k path\n", "'path' does not show how");
    refused("layout a\nover k soft\n", "'soft' does not show how");
    refused("layout a\nover k glob\n", "'glob' does not show how");
    refused("layout a\nover\n", "expected a path");
    refused("layout a\nvalue {M}.q I32 1 2 3 4 5 6 7\n", "more than 6 dims");
    refused("layout a\nrows lin square\n", "is not lin, stack or emb");
    refused("layout a\nsym b in 1..129\n", "more than 128 values");
    refused("layout a\nsym b in if=O==1\n", "at least one value");
    refused("layout a\nsym b in 1 if=\n", "ends too early");
    refused("layout a\nsym b in 1 = O of 2\n", "the end of the line");
    refused("layout a\nsym b in (1\n", "expected ')'");
    refused("layout a\nsym b in (z)\n", "unknown symbol 'z'");
    refused("layout a\nplain\n", "ends too early");
    refused("layout a\nwitness O\n", "expected '='");
    refused("layout a\nnames {M}.w\n", "no 'opaque' line before this one");
    refused("layout a\nopaque\nnames\n", "at least one name");
    refused("layout a\nopaque\nvalue {M}.w U8 O\n", "has only names");
    refused("layout a\nopaque 1\n", "should end here");
    refused("layout a\nmean 1\n", "expected '='");
    refused("layout a\nmean 1 = 2 of 3\n", "the end of the line");
    refused("layout a\nwitness z = 1\n", "no line before this one");
    refused("layout a\nwitness O =\n", "ends too early");
    refused("layout a\nwitness O = ints(\"{M}.s\")\n", "ints()");
    refused("layout a\nwitness O = ints(\"{M.s\", 0)\n", "'{' without");
    refused("layout a\nlet a = \"{z}\"\nvalue {M}.w U8 O\n", "unknown symbol 'z'");
    refused("layout a\nwhen 1 2\n", "should end here");
}

/* Each allocation fails in turn: in parsing, querying and solving. */
static bool all_of_it(const numel_allocator *m, struct config *c, numel_error *e)
{
    struct library_entry entry = {
        .name = "test.layout", .name_bytes = 11, .file = "test.layout", .text = text_of(gptq)
    };
    struct layout_module module = { .role = text_of("attn.q"), .out = 256, .in = 512 };
    struct layout_forms forms = { 0 };
    struct layout_shelf shelf = { NULL };
    struct layout_lists lists;
    const struct stored *extras;
    struct layout *l;
    struct arena a;
    bool yes;
    if (!layout_parse(&l, &entry, m, NULL, e)) return false;
    arena_init(&a, m);
    bool ok = layout_lists(l, c, &shelf, &lists, &a, e) && layout_declared(l, &lists, c, &yes, &a, e) &&
              layout_extras(l, c, true, &a, &extras, e) && layout_solve(&forms, l, c, true, &module, &a, e);
    if (ok) assert_int_equal(forms.count, 2);
    if (ok) assert_int_equal(extras[0].dims[0], 1);
    memory_release(m, forms.items);
    arena_done(&a);
    layout_free(l);
    return ok;
}

static void test_starved(void **state)
{
    (void)state;
    struct config *c =
        configured("{\"quantization_config\":{\"quant_method\":\"gptq\",\"bits\":4,\"group_size\":128}}");
    bool ok = false;
    for (size_t left = 0; !ok; left += check_every()) {
        struct scarce s = { .left = left };
        numel_allocator m = { scarce_resize, &s };
        numel_error e = { 0 };
        ok = all_of_it(&m, c, &e);
        if (!ok) assert_int_equal(e.code, NUMEL_E_NOMEM);
        assert_true(left < 10000);
    }
    config_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told),      cmocka_unit_test(test_unpack),
        cmocka_unit_test(test_silent),    cmocka_unit_test(test_contradicted),
        cmocka_unit_test(test_condition), cmocka_unit_test(test_values),
        cmocka_unit_test(test_plain),     cmocka_unit_test(test_valueless),
        cmocka_unit_test(test_flat),      cmocka_unit_test(test_declared),
        cmocka_unit_test(test_words),     cmocka_unit_test(test_over_path),
        cmocka_unit_test(test_over_same), cmocka_unit_test(test_over_groups),
        cmocka_unit_test(test_skip_hows), cmocka_unit_test(test_match),
        cmocka_unit_test(test_own_file),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_starved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
