/* test_parts.c -- parts of models: scopes, names, keys, classes, and errors. */
#include "formula.h"

#include "formula/library.h"
#include "formula/terms.h"
#include "model/model_internal.h"
#include "registry/dtype.h"

#include <stdio.h>

/* Two kinds of towers, as defined by other specs, and models composed of them. */
static const struct {
    const char *file, *text;
} files[] = {
    { "tower.spec",
      "arch tower\nmatch hf model_type in tower_a tower_b\n"
      "let E = cfg(\"hidden_size\")\nlet tied = cfg(\"tie_word_embeddings\") ?? false\n"
      "default depth 2\nlet L = cfg(\"depth\")\n"
      "emb embed.tok tower.embed - 7 E\n"
      "for i in 0 .. L\n prefix tower.layers.{i}. -\n"
      "  lin attn.q q - E (E/2)\n  buf buffer.x mask - E if=has(\"tower.layers.*.mask\")\n end\nend\n"
      "lin head head - 7 E tied=tied if=class()!=\"\"\n"
      "spelling bare tower.* *\nspelling old *.q.weight *.query.weight\n"
      "print\n. X\nend print\n" },
    { "pair.spec", "arch pair\nmatch hf model_type in pair\n"
                   "default left_config.model_type \"tower_a\"\ndefault left_config.hidden_size 6\n"
                   "let E = cfg(\"hidden_size\")\nlet two = cfg(\"two\") ?? false\n"
                   "prefix model. -\n part left_config as left. tied=true\nend\n"
                   "if two\n part right.vision_config as right{1}. class=Some hidden_size=E depth=3\nend\n"
                   "lin proj proj - E 2\nspelling old model.left.* side.*\nspelling older side.* flank.*\n" },
    { "self.spec", "arch self\nmatch hf model_type in self\n"
                   "part inner as inner. if=cfg(\"inner\")!=null\nraw x x - 1\n" },
};

static struct library *library;

static int open_library(void **state)
{
    (void)state;
    numel_error e = { 0 };
    if (!library_open(&library, &memory_malloc, &e)) return -1;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!library_add_text(library, files[i].file, files[i].text, strlen(files[i].text), &e)) return -1;
    return 0;
}

static int close_library(void **state)
{
    (void)state;
    library_free(library);
    return 0;
}

struct made {
    struct config *config;
    struct spec *spec;
    struct expansion *x;
};

static bool make(struct made *m, const char *json, const struct presence *file, numel_error *e)
{
    *m = (struct made){ .config = configured(json) };
    error_clear(e);
    const struct library_entry *entry = library_match(library, m->config, SIDE_HF, e);
    struct expand_input in = { .config = m->config, .side = SIDE_HF, .file = file };
    if (!entry || !library_parse(library, entry, m->config, &m->spec, &memory_malloc, NULL, e)) return false;
    in.spec = m->spec;
    return expand(&m->x, &in, &memory_malloc, e);
}

static void unmake(struct made *m)
{
    expansion_free(m->x);
    spec_free(m->spec);
    config_free(m->config);
}

static void names_are(const struct made *m, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n && i < m->x->row_count; i++)
        if (!text_equal(m->x->rows[i].name, names[i]))
            fail_msg("%zu: %s, not %s", i, m->x->rows[i].name.p, names[i]);
    assert_int_equal(m->x->row_count, n);
}

static void parts_have_scopes(void **state)
{
    (void)state;
    static const char *const names[] = { "model.left.tower.embed.weight",
                                         "model.left.tower.layers.0.q.weight",
                                         "model.left.tower.layers.1.q.weight",
                                         "right1.tower.embed.weight",
                                         "right1.tower.layers.0.q.weight",
                                         "right1.tower.layers.1.q.weight",
                                         "right1.tower.layers.2.q.weight",
                                         "right1.head.weight",
                                         "proj.weight" };
    struct made m;
    numel_error e;
    struct terms t;
    if (!make(&m,
              "{\"model_type\":\"pair\",\"hidden_size\":4,\"two\":true,"
              "\"right\":{\"vision_config\":{\"model_type\":\"tower_b\",\"hidden_size\":99}}}",
              NULL, &e))
        fail_msg("%s", e.what);
    names_are(&m, names, sizeof names / sizeof *names);
    /* left: the composite's value; right: that of its line, roles of the vision model */
    assert_true(m.x->totals.parameters == 7 * 6 + 2 * 6 * 3 + 2 * 7 * 4 + 3 * 4 * 2 + 4 * 2);
    assert_true(text_equal(m.x->sites[3].role, "v.embed.tok") && text_equal(m.x->sites[0].role, "embed.tok"));
    assert_true(terms_of(&t, m.x, &e));
    assert_string_equal(t.expression, "7*left.E + left.L*left.E*left.(E/2) + 14*vision.E + "
                                      "vision.L*vision.E*vision.(E/2) + 2*E");
    terms_done(&t);
    unmake(&m);
}

/* The composite's own values serve configurations without the part. */
static void owners_say_what_is_not_there(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        uint64_t parameters; /* 0: refused */
        const char *why;
    } rows[] = {
        { "{\"model_type\":\"pair\",\"hidden_size\":4}", 7 * 6 + 2 * 6 * 3 + 8, NULL },
        { "{\"model_type\":\"pair\",\"hidden_size\":4,\"left_config\":{\"hidden_size\":8}}",
          7 * 8 + 2 * 8 * 4 + 8, NULL },
        { "{\"model_type\":\"pair\",\"hidden_size\":4,\"left_config\":{\"depth\":1}}", 0,
          "the configuration has no left_config.hidden_size; give it with --set "
          "left_config.hidden_size=VALUE" },
        { "{\"model_type\":\"pair\",\"hidden_size\":4,\"left_config\":{\"model_type\":\"none such\"}}", 0,
          "no specification for left_config.model_type 'none such'" },
        { "{\"model_type\":\"pair\",\"hidden_size\":4,\"two\":true}", 0,
          "the configuration has no right.vision_config.model_type; give it with --set "
          "right.vision_config.model_type=TYPE" },
        { "{\"model_type\":\"self\",\"inner\":{\"model_type\":\"tower_a\",\"hidden_size\":2}}", 14 + 4 + 1,
          NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made m;
        numel_error e;
        bool ok = make(&m, rows[i].json, NULL, &e);
        if (!ok && rows[i].parameters) fail_msg("%s: %s", rows[i].json, e.what);
        if (ok && m.x->totals.parameters != rows[i].parameters)
            fail_msg("%s: %llu", rows[i].json, (unsigned long long)m.x->totals.parameters);
        if (!ok) assert_string_equal(e.what, rows[i].why);
        unmake(&m);
    }
}

static bool has_mask(void *ctx, const char *glob, bool *there, numel_error *e)
{
    (void)ctx, (void)e;
    return *there = strcmp(glob, "model.left.tower.layers.*.mask") == 0, true;
}

static void has_takes_names_of_the_part(void **state)
{
    (void)state;
    static const struct presence file = { .has = has_mask };
    struct made m;
    numel_error e;
    if (!make(&m, "{\"model_type\":\"pair\",\"hidden_size\":4}", &file, &e)) fail_msg("%s", e.what);
    assert_true(m.x->totals.buffers == 12);
    unmake(&m);
}

/* A file may use the composite's name for a part and the part's own names inside it. */
static void two_spellings_meet(void **state)
{
    (void)state;
    static const struct {
        const char *file, *name;
        bool found;
    } rows[] = {
        { "side.tower.embed.weight", "model.left.tower.embed.weight", true },
        { "model.left.tower.layers.0.query.weight", "model.left.tower.layers.0.q.weight", true },
        { "side.tower.layers.0.query.weight", "model.left.tower.layers.0.q.weight", true },
        { "side.tower.layers.0.query.weight", "model.left.tower.layers.1.q.weight", false },
        { "back.tower.layers.0.query.weight", "model.left.tower.layers.0.q.weight", false },
        { "side.tower.layers.0.key.weight", "model.left.tower.layers.0.q.weight", false },
        { "flank.tower.embed.weight", "model.left.tower.embed.weight", false }, /* the composite's, twice */
    };
    struct made m;
    numel_error e;
    if (!make(&m, "{\"model_type\":\"pair\",\"hidden_size\":4}", NULL, &e)) fail_msg("%s", e.what);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a;
        struct registry r;
        struct naming n;
        size_t first, second;
        numel_tensor t = { .name = text_of(rows[i].file), .dtype = dtype_safetensors(text_of("U8")) };
        arena_init(&a, &memory_malloc);
        registry_init(&r, &a);
        assert_true(registry_add(&r, &t, &e) && registry_commit(&r, &first, &second, &e));
        assert_true(naming_init(&n, &r, m.spec, NULL, &a, &e));
        if ((naming_find(&n, text_of(rows[i].name)) == 0) != rows[i].found)
            fail_msg("%s for %s", rows[i].file, rows[i].name);
        naming_done(&n);
        registry_done(&r);
        arena_done(&a);
    }
    unmake(&m);
}

/* A part of a base class that the tables know: its names, and their spellings, lack the usual prefix. */
static void base_classes_are_bare(void **state)
{
    (void)state;
    static const char *const names[] = { "a.b.x.weight", "encoder.embeddings.word_embeddings.weight" };
    struct made m;
    numel_error e;
    struct arena a;
    bool found[2] = { false, false };
    if (!make(&m,
              "{\"model_type\":\"encoder-decoder\",\"encoder\":{\"model_type\":\"bert\",\"num_hidden_"
              "layers\":1},"
              "\"decoder\":{\"model_type\":\"bert\",\"is_decoder\":true,\"add_cross_attention\":true}}",
              NULL, &e))
        fail_msg("%s", e.what);
    for (size_t i = 0; i < m.x->row_count; i++) {
        found[0] |= text_equal(m.x->rows[i].name, names[1]);
        found[1] |= text_equal(m.x->rows[i].name, "decoder.bert.embeddings.word_embeddings.weight");
    }
    assert_true(found[0] && found[1]);
    arena_init(&a, &memory_malloc);
    bool renamed = false;
    numel_str other;
    for (size_t at = 0;
         (other = spec_rename(m.spec, text_of("encoder.encoder.layer.0.attention.output.LayerNorm.gamma"),
                              SPELLED_ANYWHERE, &at, &a))
             .p;)
        renamed |= text_equal(other, "encoder.encoder.layer.0.attention.output.LayerNorm.weight");
    assert_true(renamed);
    arena_done(&a);
    unmake(&m);
}

/* Nested configurations cannot recurse forever. */
static void nesting_is_bounded(void **state)
{
    (void)state;
    char json[4096] = "";
    size_t n = 0;
    struct made m;
    numel_error e;
    for (int i = 0; i < 40; i++)
        n += (size_t)snprintf(json + n, sizeof json - n, "{\"model_type\":\"self\",\"inner\":");
    n += (size_t)snprintf(json + n, sizeof json - n, "null");
    for (int i = 0; i < 40; i++) n += (size_t)snprintf(json + n, sizeof json - n, "}");
    assert_false(make(&m, json, NULL, &e));
    if (!strstr(e.what, "inner.inner.inner: sub-models are nested deeper than")) fail_msg("%s", e.what);
    unmake(&m);
}

static void wrong_lines_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what;
    } rows[] = {
        { "part\n", "line 1, column 5: expected a path" },
        { "part a b\n", "line 1, column 8: expected 'as'" },
        { "part a as\n", "line 1, column 10: expected a prefix, '-' for none" },
        { "part a as b. c\n", "line 1, column 14: expected NAME=VALUE" },
        { "part a as b. if=\n", "line 1, column 17: the expression ends too early" },
        { "part a as b. x=y\n",
          "line 1, column 16: unknown symbol 'y': no 'let' before this line defines it" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spec *s;
        numel_error e;
        assert_false(parse(&s, rows[i].text, NULL, &e));
        assert_string_equal(e.what, rows[i].what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_have_scopes),           cmocka_unit_test(owners_say_what_is_not_there),
        cmocka_unit_test(has_takes_names_of_the_part), cmocka_unit_test(base_classes_are_bare),
        cmocka_unit_test(two_spellings_meet),          cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(wrong_lines_are_told),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}
