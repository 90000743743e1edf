/*
 * test_printout.c -- parsed printouts: the count of each class, with the product written out; truncated
 * texts; text around a printout; stated totals; and NOMEM without leaks when memory runs out.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/text.h"
#include "printout/printout.h"

#include <stdlib.h>

static bool read_text(struct printout *p, const char *text, numel_error *e)
{
    error_clear(e);
    return printout_read(p, text, strlen(text), &memory_malloc, e);
}

/* ---- classes ------------------------------------------------------------------------------ */

/* clang-format off */
static const struct counted {
    const char *entry;
    enum shows shows;
    uint64_t elements, parameters;
} classes[] = {
    /* weight and bias from the arguments; a bias unless stated otherwise */
    { "Linear(in_features=8, out_features=3, bias=True)", SHOWS_SIZES, 8 * 3 + 3, 2 },
    { "Linear(in_features=8, out_features=3, bias=False)", SHOWS_SIZES, 8 * 3, 1 },
    { "Linear(in_features=8, out_features=3)", SHOWS_SIZES, 8 * 3 + 3, 2 },
    { "FalconLinear(in_features=8, out_features=3, bias=False)", SHOWS_SIZES, 24, 1 },
    { "NonDynamicallyQuantizableLinear(in_features=8, out_features=8, bias=True)", SHOWS_SIZES, 72, 2 },
    { "WQLinear_GEMM(in_features=8, out_features=3, bias=False, w_bit=4, group_size=128)", SHOWS_SIZES, 24, 1 },
    { "Linear8bitLt(in_features=8, out_features=3, bias=True)", SHOWS_SIZES, 27, 2 },
    { "ColumnParallelLinear(in_features=8, output_features=3, bias=False, tp_size=1)", SHOWS_SIZES, 24, 1 },
    { "Linear(in_features=8, out_features=3, bias=True, weight=AffineQuantizedTensor(shape=torch.Size([3, 8])))",
      SHOWS_SIZES, 27, 2 },
    { "Linear()", SHOWS_NO_SIZE, 0, 0 },
    { "QuantLinear()", SHOWS_NO_SIZE, 0, 0 },
    { "Linear(in_features=8.5, out_features=3, bias=True)", SHOWS_NO_SIZE, 0, 0 },
    { "Bilinear(in1_features=2, in2_features=3, out_features=5, bias=True)", SHOWS_SIZES, 5 * 2 * 3 + 5, 2 },
    { "Embedding(10, 4)", SHOWS_SIZES, 40, 1 },
    { "Embedding(10, 4, padding_idx=1)", SHOWS_SIZES, 40, 1 },
    { "OPTLearnedPositionalEmbedding(2050, 4)", SHOWS_SIZES, 8200, 1 },
    { "VocabParallelEmbedding(num_embeddings=10, embedding_dim=4, tp_size=1)", SHOWS_SIZES, 40, 1 },
    { "EmbeddingBag(10, 4, mode='mean')", SHOWS_SIZES, 40, 1 },
    { "ViTEmbeddings()", SHOWS_NO_SIZE, 0, 0 },
    /* [nx, nf], and nf; older ones state nothing */
    { "Conv1D(nf=12, nx=4)", SHOWS_SIZES, 4 * 12 + 12, 2 },
    { "Conv1D()", SHOWS_NO_SIZE, 0, 0 },
    /* out x in / groups x kernel, bias unless bias=False */
    { "Conv1d(6, 4, kernel_size=(3,), stride=(1,))", SHOWS_SIZES, 4 * 6 * 3 + 4, 2 },
    { "Conv1d(6, 6, kernel_size=(4,), stride=(1,), padding=(3,), groups=6)", SHOWS_SIZES, 6 * 4 + 6, 2 },
    { "Conv2d(3, 8, kernel_size=(14, 14), stride=(14, 14), bias=False)", SHOWS_SIZES, 8 * 3 * 14 * 14, 1 },
    { "Conv2d(3, 8, kernel_size=3)", SHOWS_SIZES, 8 * 3 * 3 * 3 + 8, 2 },
    { "Conv3d(3, 2, kernel_size=(2, 14, 14), stride=(2, 14, 14), bias=False)", SHOWS_SIZES, 2 * 3 * 2 * 196, 1 },
    { "ConvTranspose2d(6, 4, kernel_size=(2, 2), stride=(2, 2), groups=2)", SHOWS_SIZES, 6 * 2 * 4 + 4, 2 },
    { "Conv2d(3, 8, kernel_size=(3, 3), groups=0)", SHOWS_NO_SIZE, 0, 0 },
    /* LayerNorm has a bias, RMSNorm does not */
    { "LayerNorm((768,), eps=1e-05, elementwise_affine=True)", SHOWS_SIZES, 2 * 768, 2 },
    { "LayerNorm((768,), eps=1e-05, elementwise_affine=True, bias=False)", SHOWS_SIZES, 768, 1 },
    { "LayerNorm((2, 3), eps=1e-05, elementwise_affine=False)", SHOWS_NOTHING, 0, 0 },
    { "FusedLayerNorm(torch.Size([768]), eps=1e-05, elementwise_affine=True)", SHOWS_SIZES, 1536, 2 },
    { "LlamaRMSNorm((4096,), eps=1e-05)", SHOWS_SIZES, 4096, 1 },
    { "MambaRMSNorm(2048, eps=1e-05)", SHOWS_SIZES, 2048, 1 },
    { "RMSNorm(hidden_size=64, eps=1e-06)", SHOWS_SIZES, 64, 1 },
    { "RMSNorm((64,), eps=1e-06, elementwise_affine=True)", SHOWS_SIZES, 64, 1 },
    { "LlamaRMSNorm()", SHOWS_NO_SIZE, 0, 0 },
    { "T5LayerNorm()", SHOWS_NO_SIZE, 0, 0 },
    { "NanoChatRMSNorm(eps=1e-06)", SHOWS_NO_SIZE, 0, 0 },
    { "BatchNorm2d(64, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)", SHOWS_SIZES, 128, 2 },
    { "BatchNorm1d(64, eps=1e-05, momentum=0.1, affine=False, track_running_stats=True)", SHOWS_NOTHING, 0, 0 },
    { "FrozenBatchNorm2d(num_features=64, eps=1e-05)", SHOWS_NOTHING, 0, 0 },
    { "GroupNorm(32, 512, eps=1e-05, affine=True)", SHOWS_SIZES, 1024, 2 },
    { "InstanceNorm2d(64, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False)", SHOWS_NOTHING, 0, 0 },
    { "PReLU(num_parameters=3)", SHOWS_SIZES, 3, 1 },
    /* 4 gates of 16 over 8 and over 16, two biases; the second level over 2 x 16, both ways */
    { "LSTM(8, 16, batch_first=True)", SHOWS_SIZES, 64 * (8 + 16 + 2), 4 },
    { "LSTM(8, 16, num_layers=2, batch_first=True, bidirectional=True)", SHOWS_SIZES,
      2 * 64 * (8 + 16 + 2) + 2 * 64 * (32 + 16 + 2), 16 },
    { "LSTM(8, 16, proj_size=4)", SHOWS_SIZES, 64 * (8 + 4 + 2) + 4 * 16, 5 },
    { "GRU(8, 16, bias=False)", SHOWS_SIZES, 48 * (8 + 16), 2 },
    { "RNN(8, 16)", SHOWS_SIZES, 16 * (8 + 16 + 2), 4 },
    { "LSTMCell(8, 16)", SHOWS_SIZES, 64 * (8 + 16 + 2), 4 },
    { "LSTM(8, 16, num_layers=99999999)", SHOWS_NO_SIZE, 0, 0 },
    /* classes that are parameters themselves */
    { "Parameter containing: [torch.FloatTensor of size 8x1024]", SHOWS_SIZES, 8192, 1 },
    { "Parameter containing: [torch.cuda.FloatTensor of size 3072x1 (cuda:0)]", SHOWS_SIZES, 3072, 1 },
    { "Parameter containing: [torch.bfloat16 of size ]", SHOWS_SIZES, 1, 1 },
    { "Tensor((32, 1, 128), requires_grad=True)", SHOWS_SIZES, 4096, 1 },
    /* nothing */
    { "GELUActivation()", SHOWS_NOTHING, 0, 0 },
    { "Dropout(p=0.1, inplace=False)", SHOWS_NOTHING, 0, 0 },
    { "LlamaRotaryEmbedding()", SHOWS_NOTHING, 0, 0 },
    { "ModuleList()", SHOWS_NOTHING, 0, 0 },
    { "AdaptiveAvgPool2d(output_size=(1, 1))", SHOWS_NOTHING, 0, 0 },
    /* unknown is different from none */
    { "XIELUActivation()", SHOWS_NO_SIZE, 0, 0 },
    { "GptOssExperts()", SHOWS_NO_SIZE, 0, 0 },
    { "SnakeBeta()", SHOWS_NO_SIZE, 0, 0 },
};
/* clang-format on */

static void test_classes(void **state)
{
    int failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(classes); i++) {
        const struct counted *c = &classes[i];
        struct printout p;
        numel_error e;
        char text[300];
        snprintf(text, sizeof text, "Top(\n  (x): %s\n)\n", c->entry);
        bool ok = read_text(&p, text, &e) && p.print_count == 1 && p.module_count == 2;
        ROW(failed, ok, "%s: not one module", c->entry);
        if (ok) {
            const struct module *m = &p.modules[1];
            ROW(failed, m->shows == c->shows && m->elements == c->elements && m->parameters == c->parameters,
                "%s: shows %d, %llu elements in %u", c->entry, m->shows, (unsigned long long)m->elements,
                m->parameters);
            ROW(failed, p.prints[0].elements == c->elements, "%s: the sum", c->entry);
        }
        printout_done(&p);
    }
    assert_int_equal(failed, 0);
}

static void test_names(void **state)
{
    static const char *const wanted[] = { "weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0",
                                          "weight_ih_l0_reverse" };
    struct printout p;
    numel_error e;
    (void)state;
    assert_true(read_text(&p, "Net(\n  (rnn): LSTM(8, 16, bidirectional=True)\n)\n", &e));
    for (size_t i = 0; i < ROWS_OF(wanted); i++) assert_string_equal(p.parameters[i].name, wanted[i]);
    printout_done(&p);
}

/* ---- trees and surrounding text ----------------------------------------------------------- */

/* The same model of 2 x (4 x 4) + 8 in every format. */
/* clang-format off */
static const char *const dresses[] = {
    "Net(\n  (layers): ModuleList(\n    (0-1): 2 x Block(\n      (q): Linear(in_features=4, out_features=4, bias=False)\n"
    "    )\n  )\n  (norm): RMSNorm((8,), eps=1e-05)\n)\n",
    /* every layer printed */
    "Net(\n  (layers): ModuleList(\n    (0): Block(\n      (q): Linear(in_features=4, out_features=4, bias=False)\n    )\n"
    "    (1): Block(\n      (q): Linear(in_features=4, out_features=4, bias=False)\n    )\n  )\n"
    "  (norm): RMSNorm((8,), eps=1e-05)\n)",
    /* no line breaks; no indentation */
    "here: Net( (layers): ModuleList( (0-1): 2 x Block( (q): Linear(in_features=4, out_features=4, bias=False) ) )"
    " (norm): RMSNorm((8,), eps=1e-05) ) and on",
    "Net(\n(layers): ModuleList(\n(0-1): 2 x Block(\n(q): Linear(in_features=4, out_features=4, bias=False)\n)\n)\n"
    "(norm): RMSNorm((8,), eps=1e-05)\n)\n",
    /* a notebook, colours, carriage returns, a comment, a quotation, a prompt, tabs, a frame */
    "Out[5]: Net(\r\n  (layers): ModuleList(\r\n    (0-1): 2 x Block(\r\n      (q): Linear(in_features=4, out_features=4, bias=False)\r\n"
    "    )\r\n  )\r\n  (norm): RMSNorm((8,), eps=1e-05)\r\n)\r\n",
    "\033[1mNet\033[0m(\n  \033[32m(layers)\033[0m: ModuleList(\n    (0-1): 2 x Block(\n      (q): Linear(in_features=4, out_features=4, "
    "bias=\033[31mFalse\033[0m)\n    )\n  )\n  (norm): RMSNorm((8,), eps=1e-05)\n)\n",
    " 50%|#\r100%|##\rNet(\n  (layers): ModuleList(\n    (0-1): 2 x Block(\n      (q): Linear(in_features=4, out_features=4, bias=False)\n"
    "    )\n  )\n  (norm): RMSNorm((8,), eps=1e-05)\n)\n",
    "# Net(\n#   (layers): ModuleList(\n#     (0-1): 2 x Block(\n#       (q): Linear(in_features=4, out_features=4, bias=False)\n"
    "#     )\n#   )\n#   (norm): RMSNorm((8,), eps=1e-05)\n# )\n",
    "> > Net(\n> >   (layers): ModuleList(\n> >     (0-1): 2 x Block(\n> >       (q): Linear(in_features=4, out_features=4, bias=False)\n"
    "> >     )\n> >   )\n> >   (norm): RMSNorm((8,), eps=1e-05)\n> > )\n",
    ">>> print(model)\nNet(\n\t(layers): ModuleList(\n\t\t(0-1): 2 x Block(\n\t\t\t(q): Linear(in_features=4, out_features=4, bias=False)\n"
    "\t\t)\n\t)\n\t(norm): RMSNorm((8,), eps=1e-05)\n)\n>>> \n",
    "[rank0]: Net(\n[rank0]:   (layers): ModuleList(\n[rank0]:     (0-1): 2 x Block(\n[rank0]:       (q): Linear(in_features=4, "
    "out_features=4, bias=False)\n[rank0]:     )\n[rank0]:   )\n[rank0]:   (norm): RMSNorm((8,), eps=1e-05)\n[rank0]: )\n",
    "\xc2\xa0Net(\n\xc2\xa0\xc2\xa0\xc2\xa0(layers): ModuleList(\n\xc2\xa0\xc2\xa0\xc2\xa0\xc2\xa0\xc2\xa0(0-1): 2 x Block(\n"
    "       (q): Linear(in_features=4, out_features=4, bias=False)\n     )\n   )\n   (norm): RMSNorm((8,), eps=1e-05)\n )\n",
    /* from an .ipynb file */
    "    \"Net(\\n\",\n    \"  (layers): ModuleList(\\n\",\n    \"    (0-1): 2 x Block(\\n\",\n"
    "    \"      (q): Linear(in_features=4, out_features=4, bias=False)\\n\",\n    \"    )\\n\",\n    \"  )\\n\",\n"
    "    \"  (norm): RMSNorm((8,), eps=1e-05)\\n\",\n    \")\"\n",
    /* lines wrapped by a page */
    "Net(\n  (layers): ModuleList(\n    (0-1): 2 x Block(\n      (q): Linear(in_features=4, out_features=4,\nbias=False\n)\n"
    "    )\n  )\n  (norm): RMSNorm((8,), eps=1e-05)\n)\n",
    /* arguments on a separate line, and a wrapper */
    "DDP(\n  (module): Net(\n    (layers): ModuleList(\n      (0-1): 2 x Block(\n        (q): Linear(\n"
    "          in_features=4, out_features=4, bias=False\n          (drop): Dropout(p=0.1, inplace=False)\n        )\n      )\n    )\n"
    "    (norm): RMSNorm((8,), eps=1e-05)\n  )\n)\n",
};
/* clang-format on */

static void test_dresses(void **state)
{
    int failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(dresses); i++) {
        struct printout p;
        numel_error e;
        bool ok = read_text(&p, dresses[i], &e);
        ROW(failed, ok && p.print_count == 1 && p.prints[0].elements == 2 * 16 + 8,
            "dress %zu: %zu prints, %llu", i, p.print_count,
            p.print_count ? (unsigned long long)p.prints[0].elements : 0);
        ROW(failed, p.remark_count == 0, "dress %zu: %s", i, p.remark_count ? p.remarks[0].message : "");
        printout_done(&p);
    }
    assert_int_equal(failed, 0);
}

/* clang-format off */
static const struct broken {
    const char *text;
    uint64_t elements;
    const char *code;
    uint32_t line, column;
    bool harmless;
} broken[] = {
    /* the end of the text, after "(k"; complete modules count: 2 x 16 */
    { "Net(\n  (layers): ModuleList(\n    (0-1): 2 x Block(\n      (q): Linear(in_features=4, out_features=4, bias=False)\n      (k",
      32, "cut-short", 5, 8, false },
    /* in the middle of arguments, which are discarded */
    { "Net(\n  (a): Linear(in_features=4, out_features=2, bias=False)\n  (b): Linear(in_features=4, out_fea\n",
      8, "cut-short", 3, 36, false },
    /* prose at the left edge, and a code fence */
    { "Net(\n  (a): Block(\n    (q): Linear(in_features=4, out_features=4, bias=False)\nand so on\n  more\n", 16,
      "cut-short", 3, 58, false },
    { "```\nNet(\n  (a): Block(\n    (q): Linear(in_features=4, out_features=4, bias=False)\n```\ntext (x) y\n", 16,
      "cut-short", 4, 58, false },
    /* missing brackets, inferred from the indentation; and omitted lines */
    { "Net(\n  (a): Block(\n    (q): Linear(in_features=4, out_features=4, bias=False)\n  (b): Linear(in_features=2, out_features=2, bias=False)\n)\n",
      20, "not-closed", 4, 0, false },
    { "Net(\n  (l): ModuleList(\n    (0): Linear(in_features=4, out_features=4, bias=False)\n    ...\n"
      "    (31): Linear(in_features=4, out_features=4, bias=False)\n  )\n)\n",
      32, "left-out", 5, 0, true },
    { "Net(\n  (l): ModuleList(\n    (0-3): 5 x Linear(in_features=4, out_features=4, bias=False)\n  )\n)\n", 64,
      "count-contradicts", 3, 0, false },
    { "Net(\n  (l): ModuleList(\n    (blk): 0 x Linear(in_features=4, out_features=4, bias=False)\n  )\n)\n", 16,
      "count-contradicts", 3, 0, false },
};
/* clang-format on */

static void test_broken(void **state)
{
    int failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(broken); i++) {
        const struct broken *b = &broken[i];
        struct printout p;
        numel_error e;
        bool ok = read_text(&p, b->text, &e) && p.print_count == 1 && p.remark_count == 1;
        ROW(failed, ok, "row %zu: %zu prints, %zu remarks", i, p.print_count, p.remark_count);
        if (ok) {
            const struct remark *r = &p.remarks[0];
            ROW(failed,
                strcmp(r->code, b->code) == 0 && r->line == b->line && r->column == b->column &&
                    r->harmless == b->harmless,
                "row %zu: %s in line %u, column %u", i, r->code, r->line, r->column);
            ROW(failed, p.prints[0].elements == b->elements, "row %zu: %llu", i,
                (unsigned long long)p.prints[0].elements);
        }
        printout_done(&p);
    }
    assert_int_equal(failed, 0);
}

/* ---- limits ------------------------------------------------------------------------------- */

static char *repeated(const char *head, const char *what, size_t n, const char *tail)
{
    size_t k = strlen(what);
    char *text = malloc(strlen(head) + n * k + strlen(tail) + 1), *at;
    assert_non_null(text);
    at = text + sprintf(text, "%s", head);
    for (size_t i = 0; i < n; i++, at += k) memcpy(at, what, k);
    strcpy(at, tail);
    return text;
}

static void expect_error(const char *text, numel_rc code, const char *part)
{
    struct printout p;
    numel_error e;
    if (read_text(&p, text, &e)) fail_msg("no error, expected '%s'", part);
    assert_int_equal(e.code, code);
    if (!strstr(e.what, part)) fail_msg("'%s' has no '%s'", e.what, part);
    printout_done(&p);
}

static void test_limits(void **state)
{
    (void)state;
    char *deep = repeated("Net(\n", "(a): M(\n", 1000000, ""), *flat = repeated("Net(", " (a): M(", 300, "");
    char *many = repeated("Net(\n", "(a): M()\n", PRINTOUT_MODULES, ")\n");
    char *large = repeated("", "0123456789abcdef", PRINTOUT_TEXT / 16 + 1, "");
    expect_error(deep, NUMEL_E_LIMIT, "line 201: ");
    expect_error(flat, NUMEL_E_LIMIT, "more than 200 deep");
    expect_error(many, NUMEL_E_LIMIT, "modules");
    expect_error(large, NUMEL_E_LIMIT, "67108864 bytes");
    free(deep), free(flat), free(many), free(large);
    expect_error("Net(\n  (0-9): 1000000000000000000000000000000 x M(\n  )\n)\n", NUMEL_E_OVERFLOW,
                 "line 2: ");
    expect_error("Net(\n  (0-99999999999): 100000000000 x M(\n    (0-99999999999): 100000000000 x M(\n",
                 NUMEL_E_OVERFLOW, "line 3: ");
    expect_error("Net(\n  (a): Linear(in_features=99999999999, out_features=99999999999, bias=True)\n)\n",
                 NUMEL_E_OVERFLOW, "line 2: ");
    expect_error(
        "Net(\n  (0-99999999999): 100000000000 x M(\n    (a): Embedding(99999999, 99999999)\n  )\n)\n",
        NUMEL_E_OVERFLOW, "line 3: ");
}

/* ---- totals and tables -------------------------------------------------------------------- */

static const struct saying {
    const char *text;
    unsigned count; /* number of totals; the last one: */
    enum stated_kind kind;
    uint64_t low, high;
} sayings[] = {
    { "Total # of params: 6607.34M", 1, STATED_TOTAL, 6607335000, 6607344999 },
    { "trainable params: 8,388,608 || all params: 6,666,862,592 || trainable%: 0.1258", 2, STATED_TOTAL,
      6666862592, 6666862592 },
    { "Number of parameters: 124439808", 1, STATED_TOTAL, 124439808, 124439808 },
    { "n_params = 124_439_808", 1, STATED_TOTAL, 124439808, 124439808 },
    { "Non-trainable params: 448", 1, STATED_FROZEN, 448, 448 },
    { "with 1.4 billion parameters.", 1, STATED_TOTAL, 1350000000, 1449999999 },
    { "model params     = 235.094 B", 1, STATED_TOTAL, 235093500000, 235094499999 },
    { "The model has 8,030,261,248 trainable parameters", 1, STATED_TRAINABLE, 8030261248, 8030261248 },
    { "Params size (MB): 527.79", 0, STATED_TOTAL, 0, 0 },
    { "model.parameters() takes 12.5 GB", 0, STATED_TOTAL, 0, 0 },
    { "2 parameters are frozen", 0, STATED_TOTAL, 0, 0 },
    { "params: 99999999999999999999999999", 0, STATED_TOTAL, 0, 0 },
    { "llama-2-7b", 0, STATED_TOTAL, 0, 0 },
};

static void test_stated(void **state)
{
    int failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(sayings); i++) {
        const struct saying *s = &sayings[i];
        struct printout p;
        numel_error e;
        bool ok = read_text(&p, s->text, &e) && p.stated_count == s->count;
        ROW(failed, ok, "%s: %zu totals", s->text, p.stated_count);
        if (ok && s->count) {
            const struct stated *x = &p.stated[s->count - 1];
            ROW(failed, x->kind == s->kind && x->low == s->low && x->high == s->high, "%s: %d, %llu to %llu",
                s->text, x->kind, (unsigned long long)x->low, (unsigned long long)x->high);
        }
        printout_done(&p);
    }
    assert_int_equal(failed, 0);
}

static void test_table(void **state)
{
    /* 64 directly in the top module, 448 frozen, 32, and shared ones once: 544 */
    static const char text[] =
        "==========================================\nLayer (type:depth-idx)       Param #\n"
        "==========================================\nNet                          64\n"
        "\xe2\x94\x9c\xe2\x94\x80"
        "Conv2d: 1-1                (448)\n"
        "\xe2\x94\x82    \xe2\x94\x94\xe2\x94\x80weight               \xe2\x94\x94\xe2\x94\x80"
        "448\n"
        "\xe2\x94\x9c\xe2\x94\x80"
        "BatchNorm2d: 1-2           32\n"
        "\xe2\x94\x9c\xe2\x94\x80"
        "BatchNorm2d: 1-2           (recursive)\n"
        "\xe2\x94\x9c\xe2\x94\x80ReLU: 1-3                  --\n"
        "==========================================\nTotal params: 544\n";
    struct printout p;
    numel_error e;
    (void)state;
    assert_true(read_text(&p, text, &e));
    assert_int_equal(p.summary_count, 1);
    assert_int_equal(p.summaries[0].elements, 64 + 448 + 32);
    assert_int_equal(p.summaries[0].first_line, 2);
    assert_int_equal(p.stated_count, 1);
    assert_int_equal(p.remark_count, 0);
    printout_done(&p);
}

/* ---- memory ------------------------------------------------------------------------------- */

static numel_rc report(const numel_allocator *m, numel_error *e)
{
    static const char model[] =
        "\x7c\0\0\0\0\0\0\0{\"a.q.weight\":{\"dtype\":\"U8\",\"shape\":[2,4],\"data_offsets\":[0,8]},"
        "\"n.weight\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[8,12]}}"
        "0123456789ab";
    static const char text[] =
        "Net(\n  (a): Block(\n    (q): Linear(in_features=4, out_features=2, bias=False)\n  )\n"
        "  (n): RMSNorm()\n  ...\n  (t): Tanh()\n)\nTotal params: 12\n";
    const numel_printout page = { sizeof(numel_printout), "page", text, sizeof text - 1 };
    numel_options options = { .size = sizeof(numel_options), .allocator = m };
    numel_checkpoint *ck = NULL;
    numel_report *r = NULL;
    numel_rc rc = numel_open_memory(&ck, model, sizeof model - 1, &options, e);
    numel_subject *resolved = NULL;
    if (rc == NUMEL_OK) rc = numel_subject_of(&resolved, ck, NULL, NULL, e);
    if (rc == NUMEL_OK) rc = numel_report_printout(&r, resolved, &page, NULL, NULL, e);
    if (rc == NUMEL_OK) assert_true((numel_report_verdict(r) == NUMEL_AGREES));
    numel_report_free(r);
    numel_subject_close(resolved);
    numel_free(ck);
    return rc;
}

static void test_memory(void **state)
{
    (void)state;
    for (uint64_t fail_at = 0;; fail_at += check_every()) {
        struct check_memory m;
        numel_error e;
        check_memory_init(&m, fail_at);
        numel_rc rc = report(&m.allocator, &e);
        assert_int_equal(m.outstanding, 0);
        if (rc == NUMEL_OK && m.calls <= fail_at) break;
        if (rc != NUMEL_OK) assert_int_equal(rc, NUMEL_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes), cmocka_unit_test(test_names),  cmocka_unit_test(test_dresses),
        cmocka_unit_test(test_broken),  cmocka_unit_test(test_limits), cmocka_unit_test(test_stated),
        cmocka_unit_test(test_table),   cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
