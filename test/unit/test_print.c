/* test_print.c -- print templates: their lines, their kinds, and the resulting trees. */
#include "formula.h"

#include <stdio.h>

#include "printout/guess_tree.h"
#include "printout/kind.h"

#define SPEC                                          \
    "arch t\n"                                        \
    "match hf model_type in llama gpt_neox\n"         \
    "let E = cfg(\"hidden_size\")\n"                  \
    "let L = cfg(\"num_hidden_layers\")\n"            \
    "let bias = cfg(\"bias\") ?? false\n"             \
    "emb embed.tok m.emb - 10 E\n"                    \
    "for i in 0 .. L\n"                               \
    " lin attn.q m.layers.{i}.q - 2*E E bias=bias\n"  \
    " norm norm.attn m.layers.{i}.norm - E if=i!=1\n" \
    "end\n"                                           \
    "raw conv m.conv.weight - 6 1 3 5\n"              \
    "lin head head - 10 E tied=true\n"

struct made {
    struct library *library;
    struct spec *spec;
    struct config *config;
    struct expansion *x;
    struct template template;
    struct tree tree;
    struct tree_lines lines;
};

static void unmake(struct made *d)
{
    tree_lines_done(&d->lines);
    tree_done(&d->tree);
    template_done(&d->template);
    expansion_free(d->x);
    config_free(d->config);
    spec_free(d->spec);
    library_free(d->library);
}

/* Template `t.print` for the spec and configuration, as far as it gets; the caller frees what was made. */
static bool make(struct made *d, const char *text, const char *json, const numel_allocator *m, numel_error *e)
{
    *d = (struct made){ .template = { .memory = m }, .lines = { .memory = m } };
    *e = (numel_error){ 0 };
    tree_init(&d->tree, m);
    struct spec_input in = { .text = text_of(SPEC), .file = "t.spec" };
    if (!library_open(&d->library, m, e) || !config_new(&d->config, m, e)) return false;
    if (!library_add_text(d->library, "t.print", text, strlen(text), e)) return false;
    if (!config_add_json(d->config, json, strlen(json), "config.json", e)) return false;
    if (!spec_parse(&d->spec, &in, m, NULL, e)) return false;
    struct expand_input want = { .spec = d->spec, .config = d->config, .side = SIDE_HF };
    if (!expand(&d->x, &want, m, e)) return false;
    size_t symbols = d->spec->symbol_count;
    struct library_template found;
    if (!library_template_named(d->library, text_of("t"), &found)) fail_msg("t.print is not found");
    return template_parse(&d->template, d->spec, d->library, &found, NULL, e) &&
           tree_make(&d->tree, &d->template, d->x, symbols, NULL, NULL, m, e) &&
           tree_lines_make(&d->lines, &d->tree, e);
}

/* All lines, as `numel print` writes them; malloc'ed. */
static char *text_of_lines(const struct tree *t, const struct tree_lines *l)
{
    struct buffer b;
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < l->count; i++) {
        buffer_fill(&b, ' ', 2 * l->items[i].depth);
        tree_line_text(t, &l->items[i], &b);
        buffer_char(&b, '\n');
    }
    buffer_char(&b, 0);
    assert_false(b.failed);
    return b.p;
}

static void expect(const char *text, const char *json, const char *wanted)
{
    struct made d;
    numel_error e;
    if (!make(&d, text, json, &memory_malloc, &e)) fail_msg("%s: %s", e.file, e.what);
    char *got = text_of_lines(&d.tree, &d.lines);
    assert_string_equal(got, wanted);
    free(got);
    unmake(&d);
}

#define SMALL "{\"hidden_size\": 4, \"num_hidden_layers\": 4, \"eps\": 1e-05}"
#define LAYERS                                     \
    ". Top\n"                                      \
    " m Inner root=cfg(\"inner\")??false\n"        \
    "  emb Embedding padding_idx=-1\n"             \
    "  layers ModuleList\n"                        \
    "   for i in 0 .. L\n"                         \
    "    {i} Layer\n"                              \
    "     q Linear\n"                              \
    "     norm OwnNorm eps=cfg(\"eps\")\n"         \
    "  conv Conv2d stride=2 padding=1 groups=-1\n" \
    "  absent Linear\n"                            \
    "  drop Dropout p=0\n"                         \
    " head Linear\n"

/* ---- trees -------------------------------------------------------------------------------- */

/* Layer 1 has no norm: two runs, and one layer between them. A tied head is shown; a module without a
 * tensor is not. Padding -1 of 10 rows is row 9; six outputs of one input each are six groups. */
static void test_tree(void **state)
{
    (void)state;
    expect(LAYERS, SMALL,
           "Top(\n"
           "  (m): Inner(\n"
           "    (emb): Embedding(10, 4, padding_idx=9)\n"
           "    (layers): ModuleList(\n"
           "      (0): Layer(\n"
           "        (q): Linear(in_features=4, out_features=8, bias=False)\n"
           "        (norm): OwnNorm((4,), eps=1e-05)\n"
           "      )\n"
           "      (1): Layer(\n"
           "        (q): Linear(in_features=4, out_features=8, bias=False)\n"
           "      )\n"
           "      (2-3): 2 x Layer(\n"
           "        (q): Linear(in_features=4, out_features=8, bias=False)\n"
           "        (norm): OwnNorm((4,), eps=1e-05)\n"
           "      )\n"
           "    )\n"
           "    (conv): Conv2d(6, 6, kernel_size=(3, 5), stride=(2, 2), padding=(1, 1), groups=6, "
           "bias=False)\n"
           "    (drop): Dropout(p=0.0, inplace=False)\n"
           "  )\n"
           "  (head): Linear(in_features=4, out_features=10, bias=False)\n"
           ")\n");
}

/* The printout begins at the module with root= true. */
static void test_root(void **state)
{
    (void)state;
    expect(". Top\n m Inner root=true\n  emb Embedding\n head Linear\n", SMALL,
           "Inner(\n  (emb): Embedding(10, 4)\n)\n");
}

/* Empty modules, own arguments alone and before children, activations, else, needs. */
static void test_lines(void **state)
{
    (void)state;
    expect("let n = 0.1\n"
           ". Top(x={E})\n"
           " a Empty\n"
           " b Own(k=({n}, {true}, {null}), at=\"{\"q\"}\")\n"
           " if E == 5\n"
           "  c Five\n"
           " else if E == 4\n"
           "  c Four(a={2*E})\n"
           "   act Activation of=\"gelu_new\"\n"
           " else\n"
           "  c Other\n"
           " list ModuleList\n"
           " m Inner needs=emb.weight\n"
           " n Inner needs=emb.weight\n",
           SMALL,
           "Top(\n"
           "  x=4\n"
           "  (a): Empty()\n"
           "  (b): Own(k=(0.1, True, None), at=\"q\")\n"
           "  (c): Four(\n"
           "    a=8\n"
           "    (act): NewGELUActivation()\n"
           "  )\n"
           "  (list): ModuleList()\n"
           "  (m): Inner()\n"
           ")\n");
}

/* Equal layers are one shape and one run of lines, whatever their number. */
static void test_many(void **state)
{
    (void)state;
    struct made d;
    numel_error e;
    const char *json = "{\"hidden_size\": 4, \"num_hidden_layers\": 80000, \"eps\": 1e-05}";
    if (!make(&d, LAYERS, json, &memory_malloc, &e)) fail_msg("%s", e.what);
    /* emb, q, norm, two kinds of layer, list, conv, drop, inner, head, top */
    assert_int_equal(d.tree.count, 11);
    /* as in test_tree(): the lines of three runs, whatever their length */
    assert_int_equal(d.lines.count, 21);
    unmake(&d);
}

/* ---- what is wrong ------------------------------------------------------------------------ */

static void test_complaints(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what;
    } rows[] = {
        { ". Top\n a Linear p=3\n", "line 2, column 11: 'p' has no meaning for Linear" },
        { ". Top\n a Foo p=3\n", "line 2, column 8: 'p' has no meaning for a module without a kind" },
        { ". Top\n a Foo like=Bar\n", "line 2, column 13: unknown kind 'Bar'" },
        { ". Top\n a\n", "line 2, column 3: expected a class" },
        { ". Top\n a Foo(1\n", "line 2, column 7: '(' without ')'" },
        { ". Top\n a Foo stray\n", "line 2, column 8: expected KEY=EXPRESSION" },
        { ". Top\n else\n", "line 2, column 1: else without an if" },
        { "if true\n . Top\nlet a = 1\nelse\n . Other\n", "line 4, column 1: else without an if" },
        { ". Top\n\ta Foo\n", "line 2, column 1: indent with spaces only" },
        { ". Top\n for i in 0 .. Q\n  {i} Foo\n", "line 2, column 16: unknown symbol 'Q'" },
        { ". Top\n use nothing\n", "line 2, column 6: unknown template 'nothing'" },
        { ". Top\n use t\n", "use is nested deeper than" },
        { ". Top\n conv Linear like=Embedding\n m Foo\n  conv Linear\n",
          "line 4, column 8: 'm.conv.' cannot be a Linear: it has other dims or values" },
        { ". Top\n a Activation of=\"no such\"\n", "cannot be a Activation" },
        { ". Top\n for j in 0 .. 100001\n  {j} Foo\n", "a loop of 100001 turns" },
        { "let a = 1\n", "the print template has no root" },
        { ". Top\n a Foo(eps={E / 3})\n", "is not a multiple of 3" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made d;
        numel_error e;
        if (make(&d, rows[i].text, SMALL, &memory_malloc, &e)) fail_msg("accepted: %s", rows[i].text);
        if (!strstr(e.what, rows[i].what)) fail_msg("'%s', expected '%s'", e.what, rows[i].what);
        unmake(&d);
    }
}

/* 100 levels of modules; the limit is 64. */
static void test_depth(void **state)
{
    (void)state;
    char text[100 * 108] = "";
    size_t n = 0;
    for (int i = 0; i < 100; i++) n += (size_t)sprintf(text + n, "%*s%c X\n", i, "", i ? 'a' : '.');
    struct made d;
    numel_error e;
    assert_false(make(&d, text, SMALL, &memory_malloc, &e));
    assert_int_equal(e.code, NUMEL_E_LIMIT);
    unmake(&d);
}

/* End to end, with each allocation failing in turn. cJSON has its own allocator. */
static void test_scarce(void **state)
{
    (void)state;
    for (size_t n = 0;; n++) {
        struct scarce s = { .left = n };
        numel_allocator m = { scarce_resize, &s };
        struct made d;
        numel_error e;
        bool ok = make(&d, LAYERS, SMALL, &m, &e);
        unmake(&d);
        assert_int_equal(s.live, 0);
        if (ok) break;
        if (e.code != NUMEL_E_NOMEM) fail_msg("after %zu: %d %s", n, (int)e.code, e.what);
    }
}

/* ---- values ------------------------------------------------------------------------------- */

/* As Python's repr() prints them. */
static void test_floats(void **state)
{
    (void)state;
    static const struct {
        double r;
        const char *text;
    } rows[] = {
        { 0.0, "0.0" },
        { 1.0, "1.0" },
        { 0.1, "0.1" },
        { 1e-5, "1e-05" },
        { 1e-12, "1e-12" },
        { 0.0001, "0.0001" },
        { 0.00015, "0.00015" },
        { 1.5e-5, "1.5e-05" },
        { 1e15, "1000000000000000.0" },
        { 1e16, "1e+16" },
        { -2.5, "-2.5" },
        { 1.5625e-7, "1.5625e-07" },
        { 1.0 / 3, "0.3333333333333333" },
        { 123456.789, "123456.789" },
        { 9.999999747378752e-06, "9.999999747378752e-06" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buffer b;
        buffer_init(&b, &memory_malloc);
        python_float(&b, rows[i].r);
        buffer_char(&b, 0);
        assert_string_equal(b.p, rows[i].text);
        buffer_done(&b);
    }
    assert_true(python_single((double)1e-5f) == 1e-5); /* 9.999999747378752e-06 */
    assert_true(python_single((double)1e-6f) == 1e-6);
    assert_true(python_single(0.5) == 0.5);
}

/* torch 2's output for each kind, for weights that its constructors make. */
static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        uint64_t dims[5];
        uint32_t ndim;
        bool bias;
        int64_t values[MODULE_VALUES]; /* 0: not given */
        const char *text;
    } rows[] = {
        { "Linear", { 3, 2 }, 2, true, { 0 }, "in_features=2, out_features=3, bias=True" },
        { "Conv1D", { 2, 3 }, 2, true, { 0 }, "nf=3, nx=2" },
        { "Embedding", { 5, 4 }, 2, false, { 2 }, "5, 4, padding_idx=2" },
        { "LayerNorm", { 4 }, 1, true, { 0 }, "(4,), eps=1e-05, elementwise_affine=True" },
        { "LayerNorm", { 4, 3 }, 2, true, { 0 }, "(4, 3), eps=1e-05, elementwise_affine=True" },
        { "RMSNorm", { 4 }, 1, false, { 0 }, "(4,), eps=1e-06" },
        { "GroupNorm", { 8 }, 1, true, { 2 }, "2, 8, eps=1e-05, affine=True" },
        { "BatchNorm2d",
          { 8 },
          1,
          true,
          { 0 },
          "8, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True" },
        { "Conv1d", { 8, 4, 3 }, 3, true, { 0 }, "4, 8, kernel_size=(3,), stride=(1,)" },
        { "Conv1d",
          { 8, 2, 3 },
          3,
          false,
          { 2, 1, 3, 2 },
          "4, 8, kernel_size=(3,), stride=(2,), padding=(1,), dilation=(3,), groups=2, bias=False" },
        { "Conv3d", { 8, 4, 1, 2, 3 }, 5, true, { 0 }, "4, 8, kernel_size=(1, 2, 3), stride=(1, 1, 1)" },
        { "ConvTranspose1d", { 8, 4, 3 }, 3, true, { 2 }, "8, 4, kernel_size=(3,), stride=(2,)" },
        { "Dropout", { 0 }, 0, false, { 1 }, "p=1.0, inplace=False" },
        { "Linear", { 3 }, 1, true, { 0 }, NULL },
        { "Conv1d", { 8, 4 }, 2, true, { 0 }, NULL },
        { "GroupNorm", { 8 }, 1, true, { 0 }, NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct leaf l = { .dims = rows[i].dims, .ndim = rows[i].ndim, .bias = rows[i].bias };
        struct buffer b;
        buffer_init(&b, &memory_malloc);
        for (unsigned k = 0; k < MODULE_VALUES; k++) {
            l.given[k] = rows[i].values[k] != 0;
            l.values[k] = value_int(rows[i].values[k]);
        }
        bool ok = kind_by_name(text_of(rows[i].kind))->write(&l, &b);
        buffer_char(&b, 0);
        assert_int_equal(ok, rows[i].text != NULL);
        if (ok) assert_string_equal(b.p, rows[i].text);
        buffer_done(&b);
    }
}

/* ---- without a template ------------------------------------------------------------------- */

/* Modules in the order of their first tensor, even if names are in another; a name that is a prefix of
 * another; a name without a module. */
static void test_guess(void **state)
{
    (void)state;
    static const uint64_t matrix[] = { 3, 2 }, vector[] = { 2 }, kernel[] = { 4, 2, 5 };
    struct named_dims items[] = {
        { text_of("z.wte.weight"), matrix, 2, 0 },      { text_of("z.h.1.ln_1.weight"), vector, 1, 0 },
        { text_of("z.h.0.ln_1.weight"), vector, 1, 0 }, { text_of("z.h.1.q.weight"), matrix, 2, 0 },
        { text_of("z.h.0.q.weight"), matrix, 2, 0 },    { text_of("z.h.0.q.scale"), vector, 1, 0 },
        { text_of("z.h2.weight"), kernel, 3, 0 },       { text_of("a.bias"), vector, 1, 0 },
        { text_of("a.weight"), matrix, 2, 0 },          { text_of("alone"), vector, 1, 0 },
    };
    struct tree t;
    struct tree_lines l;
    numel_error e = { 0 };
    assert_true(tree_guess(&t, items, sizeof items / sizeof *items, &memory_malloc, &e));
    assert_true(tree_lines_make(&l, &t, &e));
    char *got = text_of_lines(&t, &l);
    assert_string_equal(got, "Module(\n"
                             "  (z): Module(\n"
                             "    (wte): Embedding(3, 2)\n"
                             "    (h): ModuleList(\n"
                             "      (0-1): 2 x Module(\n"
                             "        (ln_1): RMSNorm((2,))\n"
                             "        (q): Linear(in_features=2, out_features=3, bias=False)\n"
                             "      )\n"
                             "    )\n"
                             "    (h2): Conv1d(2, 4, kernel_size=(5,))\n"
                             "  )\n"
                             "  (a): Linear(in_features=2, out_features=3, bias=True)\n"
                             ")\n");
    free(got);
    tree_lines_done(&l);
    tree_done(&t);
}

/* A name with more dots than levels is cut at the last level: no deeper recursion, and its beginning is
 * kept. */
static void test_guess_depth(void **state)
{
    (void)state;
    char name[2001];
    for (int i = 0; i < 2000; i += 2) memcpy(name + i, "a.", 2);
    name[2000] = 0;
    struct named_dims item = { .name = text_of(name) };
    struct tree t;
    numel_error e = { 0 };
    assert_true(tree_guess(&t, &item, 1, &memory_malloc, &e));
    assert_int_equal(t.count, GUESS_DEPTH + 1);
    tree_done(&t);
}

/* 61 modules in each of that many names: 5,000 of a level come to 35,000 in seven of them, and one for 32
 * bytes of 126 + 96 for each name, and 4,096, is 38,783. A few names are not cut. */
static void test_guess_breadth(void **state)
{
    (void)state;
    enum { NAMES = 5000, LENGTH = 126 };
    static char names[NAMES][LENGTH + 1];
    static struct named_dims items[NAMES];
    for (int i = 0; i < NAMES; i++) {
        snprintf(names[i], sizeof names[i], "%04d.", i);
        for (int k = 5; k < LENGTH - 1; k += 2) memcpy(names[i] + k, "a.", 2);
        names[i][LENGTH - 1] = 'w';
        items[i] = (struct named_dims){ .name = text_of(names[i]) };
    }
    struct tree t;
    numel_error e = { 0 };
    assert_true(tree_guess(&t, items, NAMES, &memory_malloc, &e));
    assert_int_equal(t.count, 1 + 7); /* the root, and the levels, whose modules are all alike */
    tree_done(&t);
    assert_true(tree_guess(&t, items, 60, &memory_malloc, &e));
    assert_int_equal(t.count, 1 + 61);
    tree_done(&t);
}

static void test_guess_scarce(void **state)
{
    (void)state;
    static const uint64_t dims[] = { 3, 2 };
    for (size_t n = 0;; n++) {
        struct named_dims items[] = { { text_of("a.b.weight"), dims, 2, 0 },
                                      { text_of("a.c.0.weight"), dims, 2, 0 } };
        struct scarce s = { .left = n };
        numel_allocator m = { scarce_resize, &s };
        struct tree t;
        numel_error e = { 0 };
        bool ok = tree_guess(&t, items, 2, &m, &e);
        tree_done(&t);
        assert_int_equal(s.live, 0);
        if (ok) break;
        assert_int_equal(e.code, NUMEL_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree),         cmocka_unit_test(test_root),
        cmocka_unit_test(test_lines),        cmocka_unit_test(test_many),
        cmocka_unit_test(test_complaints),   cmocka_unit_test(test_depth),
        cmocka_unit_test(test_scarce),       cmocka_unit_test(test_floats),
        cmocka_unit_test(test_kinds),        cmocka_unit_test(test_guess),
        cmocka_unit_test(test_guess_depth),  cmocka_unit_test(test_guess_breadth),
        cmocka_unit_test(test_guess_scarce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
