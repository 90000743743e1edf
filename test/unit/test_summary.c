/*
 * test_summary.c -- parsed tables of layers: the count of each kind, with the sum written out, and next to
 * each what must not pass: a missing row, a different total, a table without its end. Also printouts with
 * squeezed indentation, with each line removed in turn.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/text.h"
#include "printout/printout.h"

#include <stdlib.h>

static bool read_text(struct printout *p, const char *text, size_t n, const numel_allocator *m,
                      numel_error *e)
{
    error_clear(e);
    return printout_read(p, text, n, m, e);
}

static const struct remark *worst(const struct printout *p)
{
    for (size_t i = 0; i < p->remark_count; i++)
        if (!p->remarks[i].harmless) return &p->remarks[i];
    return NULL;
}

/* ---- tables ------------------------------------------------------------------------------- */

#define LIGHT_HEAD "  | Name    | Type   | Params | Mode \n---------------------------------------\n"
#define LIGHT_END "---------------------------------------\n"
#define LIGHT_2 \
    LIGHT_HEAD "0 | encoder | Linear | 60.5 M | train\n1 | head    | Linear | 132 K  | train\n" LIGHT_END

#define KERAS_TOP "┏━━━━━━━━━━━━━━┳━━━━━━━━━┓\n"
#define KERAS_HEAD "┃ Layer (type) ┃ Param # ┃\n┡━━━━━━━━━━━━━━╇━━━━━━━━━┩\n"
#define KERAS_LINE "├──────────────┼─────────┤\n"
#define KERAS_END "└──────────────┴─────────┘\n"
#define KERAS_A "│ a (Dense)    │   1,984 │\n"
#define KERAS_B "│ b (Dense)    │      17 │\n"

/* clang-format off */
static const struct tabled {
    const char *text;
    uint64_t sum, low, high; /* sum of the rows, and limits of the total: both 0 if unknown */
    const char *code;        /* of the first error, or NULL */
} tables[] = {
    /* Lightning: 60.5 M is 60,450,000 to 60,550,000; 132 K is 132,000 to 132,999; 60.6 M meets both */
    { LIGHT_2 "60.6 M    Trainable params\n0         Non-trainable params\n60.6 M    Total params\n",
      60632000, 60550000, 60650000, NULL },
    /* 242.528 MB at 4 bytes: 242,527,500 / 4 to 242,528,500 / 4 */
    { LIGHT_2 "60.6 M    Total params\n242.528   Total estimated model params size (MB)\n", 60632000, 60631875,
      60632125, NULL },
    { LIGHT_2 "60.6 M    Total params\n121.264   Total estimated model params size (MB)\n", 60632000, 60631750,
      60632250, NULL }, /* at 2 bytes */
    { LIGHT_2 "60.6 M    Total params\n15,242.528Total estimated model params size (MB)\n", 60632000, 60550000,
      60650000, "sum-differs" },
    { LIGHT_2 "60.7 M    Total params\n", 60632000, 60650000, 60750000, NULL }, /* 60,682,999 at most */
    { LIGHT_2 "60.8 M    Total params\n", 60632000, 60750000, 60850000, "sum-differs" },
    { LIGHT_2 "60.5 M    Total params\n", 60632000, 60450000, 60550000, "sum-differs" },
    { LIGHT_2 "60.6 M    Trainable params\n60.6 M    Non-trainable params\n60.6 M    Total params\n", 60632000,
      60550000, 60650000, "sum-differs" },
    { LIGHT_2 "60.6 M    TOTAL\n", 60632000, 60550000, 60650000, NULL },
    { LIGHT_2 "60.6 M    Trainable params\n", 60632000, 0, 0, "no-total" },
    { LIGHT_2, 60632000, 0, 0, "no-total" },
    { LIGHT_HEAD "0 | encoder | Linear | 60.5 M | train\n", 60500000, 0, 0, "cut-short" },
    { LIGHT_HEAD, 0, 0, 0, "cut-short" },
    /* a row taken out of the middle, and of the front */
    { LIGHT_HEAD "0 | a | Linear | 60.5 M | train\n2 | c | Linear | 0      | train\n" LIGHT_END
      "60.5 M    Total params\n", 60500000, 60450000, 60550000, "left-out" },
    { LIGHT_HEAD "1 | a | Linear | 60.5 M | train\n" LIGHT_END "60.5 M    Total params\n", 60500000, 60450000,
      60550000, "left-out" },
    /* parts of the row above are included in it; more than the whole is not a part */
    { LIGHT_HEAD "0 | m     | A | 1.5 K | train\n1 | m.a   | B | 1.0 K | train\n2 | m.a.b | C | 1.0 K | train\n"
      "3 | m.c   | B | 512   | train\n4 | m2    | D | 8     | train\n" LIGHT_END "1.5 K     Total params\n",
      1508, 1450, 1550, NULL },
    { LIGHT_HEAD "0 | m   | A | 1.5 K | train\n1 | m.a | B | 1.7 K | train\n" LIGHT_END "1.5 K     Total params\n",
      1500, 1450, 1550, "sum-differs" },
    /* more columns, parameters without a module, an exact total, a Markdown frame */
    { "   | Name  | Type | Params | Params per Device | In sizes | Out sizes | FLOPs\n------------------------\n"
      "0  | a     | A    | 520    | 260 | [1, 2] | [1, 3] | 12 K\n"
      "   | other params | n/a | 8 | n/a | n/a | n/a | n/a\n------------------------\n528       Total params\n"
      "0         Total Flops\n", 528, 528, 528, NULL },
    { "   | Name  | Type | Params\n------------------------\n0  | a     | A    | 520\n------------------------\n"
      "528       Total params\n", 520, 528, 528, "sum-differs" },
    { "| | Name | Type | Params |\n|---|---|---|---|\n| 0 | a | A | 528 |\n|---|---|---|---|\n528 Total params\n", 528,
      528, 528, NULL },
    { LIGHT_HEAD "0 | a | A | many | train\n" LIGHT_END "528       Total params\n", 0, 528, 528, "no-number" },
    /* Lightning with rich: 21.3 M + 513 K; "87" MB is 87 to 88: 21,750,000 to 21,999,999 at 4 bytes */
    { "┏━━━┳━━━━━━━━┳━━━━━━┳━━━━━━━━┓\n┃   ┃ Name   ┃ Type ┃ Params ┃\n┡━━━╇━━━━━━━━╇━━━━━━╇━━━━━━━━┩\n"
      "│ 0 │ b      │ A    │ 21.3 M │\n│ 1 │ b.stem │ B    │  9.4 K │\n│ 2 │ head   │ C    │  513 K │\n"
      "└───┴────────┴──────┴────────┘\nTrainable params: 513 K\nNon-trainable params: 21.3 M\n"
      "Total params: 21.8 M\nTotal estimated model params size (MB): 87\n", 21813000, 21750000, 21850000, NULL },
    { "┏━━━┳━━━━━━━━┳━━━━━━┳━━━━━━━━┓\n┃   ┃ Name   ┃ Type ┃ Params ┃\n┡━━━╇━━━━━━━━╇━━━━━━╇━━━━━━━━┩\n"
      "│ 0 │ b      │ A    │ 21.3 M │\n│ 2 │ head   │ C    │  513 K │\n└───┴────────┴──────┴────────┘\n"
      "Total params: 21.8 M\n", 21813000, 21750000, 21850000, "left-out" },
    /* Keras 3: 1,984 + 17 = 2,001; with the optimizer's 4,002 6,003 */
    { KERAS_TOP KERAS_HEAD KERAS_A KERAS_LINE KERAS_B KERAS_END "\n Total params: 2,001 (7.82 KB)\n", 2001, 2001,
      2001, NULL },
    { KERAS_HEAD KERAS_A KERAS_LINE KERAS_B KERAS_END " Total params: 2,001 (7.82 KB)\n", 2001, 2001, 2001, NULL },
    { KERAS_TOP KERAS_HEAD KERAS_A KERAS_LINE KERAS_B KERAS_END " Total params: 6,003 (1 KB)\n"
      " Trainable params: 2,001 (1 KB)\n Non-trainable params: 0 (0.00 B)\n Optimizer params: 4,002 (1 KB)\n",
      2001, 6003, 6003, NULL },
    { KERAS_TOP KERAS_HEAD KERAS_A KERAS_LINE KERAS_B KERAS_END " Total params: 6,003 (1 KB)\n"
      " Optimizer params: 4,001 (1 KB)\n", 2001, 6003, 6003, "sum-differs" },
    { KERAS_TOP KERAS_HEAD KERAS_A KERAS_END " Total params: 2,001 (7.82 KB)\n", 1984, 2001, 2001, "sum-differs" },
    { KERAS_TOP KERAS_HEAD KERAS_A KERAS_LINE KERAS_B KERAS_END " Total params: 2,002 (7.82 KB)\n", 2001, 2002,
      2002, "sum-differs" },
    { KERAS_TOP KERAS_HEAD KERAS_A KERAS_LINE KERAS_B KERAS_END, 2001, 0, 0, "no-total" },
    { KERAS_TOP KERAS_HEAD KERAS_A KERAS_LINE KERAS_B "\n Total params: 2,001 (7.82 KB)\n", 2001, 2001, 2001,
      "cut-short" },
    { KERAS_TOP KERAS_HEAD KERAS_A KERAS_LINE, 1984, 0, 0, "cut-short" },
    { KERAS_TOP KERAS_HEAD, 0, 0, 0, "cut-short" },
    /* a name and a number on two lines; a number cut off by an ellipsis; unbuilt layers */
    { KERAS_TOP KERAS_HEAD "│ dense_of_    │ 25,08 │\n│ many (Dense) │ 8,00  │\n│              │ 0     │\n" KERAS_END
      " Total params: 25,088,000 (1 MB)\n", 25088000, 25088000, 25088000, NULL },
    { KERAS_TOP KERAS_HEAD "│ a (Dense)    │ 25,088… │\n" KERAS_END " Total params: 25,088,000 (1 MB)\n", 0, 25088000,
      25088000, "no-number" },
    { KERAS_TOP KERAS_HEAD "│ a (Dense)    │ 0       │\n│              │ (unbui  │\n│              │ lt)     │\n" KERAS_END
      " Total params: 0 (0.00 B)\n", 0, 0, 0, "no-number" },
    { "┏━━━━━━━━━━━━━━┳━━━━━━━━━━━━━┓\n┃ Layer (type) ┃     Param # ┃\n┡━━━━━━━━━━━━━━╇━━━━━━━━━━━━━┩\n"
      "│ a (Dense)    │ 0 (unbuilt) │\n└──────────────┴─────────────┘\n Total params: 0 (0.00 B)\n", 0, 0, 0, NULL },
    /* rows after a branch are part of the row above: 1,984 = 1,967 + 17, 17 = 17 */
    { KERAS_TOP KERAS_HEAD "│ n (Model)    │   1,984 │\n" KERAS_LINE "│    └ a (D)   │   1,967 │\n" KERAS_LINE
      "│    └ m (M)   │      17 │\n" KERAS_LINE "│       └ b    │      17 │\n" KERAS_LINE KERAS_B KERAS_END
      " Total params: 2,001 (1 KB)\n", 2001, 2001, 2001, NULL },
    { KERAS_TOP KERAS_HEAD "│ n (Model)    │   1,984 │\n" KERAS_LINE "│    └ m (M)   │      17 │\n" KERAS_LINE
      "│       └ b    │      17 │\n" KERAS_LINE KERAS_B KERAS_END " Total params: 2,001 (1 KB)\n", 2001, 2001, 2001,
      "sum-differs" },
    /* drawn with "+", and as a comment in a source file */
    { "+--------------+---------+\n| Layer (type) | Param # |\n+--------------+---------+\n| a (Dense)    |   1,984 |\n"
      "+--------------+---------+\nTotal params: 1,984\n", 1984, 1984, 1984, NULL },
    { "# ┏━━━━━━━━━━━━━━┳━━━━━━━━━┓\n# ┃ Layer (type) ┃ Param # ┃\n# ┡━━━━━━━━━━━━━━╇━━━━━━━━━┩\n"
      "# │ a (Dense)    │   1,984 │\n# └──────────────┴─────────┘\n#  Total params: 1,984 (7.75 KB)\n", 1984, 1984,
      1984, NULL },
    /* fastai: no second "====", the shape on its own line: 432 + 32 + 170 = 634 */
    { "==================\nLayer (type)         Output Shape         Param #    Trainable \n==================\n"
      "                     16 x 16 x 32 x 32                         \nConv2d                                    432        False     \n"
      "BatchNorm2d                               32         True      \n__________________\n"
      "                     16 x 10             \nLinear                                    170        True      \n"
      "__________________\n\nTotal params: 634\nTotal trainable params: 202\n", 634, 634, 634, NULL },
    { "==================\nLayer (type)         Output Shape         Param #    Trainable \n==================\n"
      "Conv2d                                    432        False     \n__________________\n\nTotal params: 634\n", 432,
      634, 634, "sum-differs" },
    { "==================\nLayer (type)         Output Shape         Param #    Trainable \n==================\n"
      "Conv2d                                    432        False     \n__________________\n", 432, 0, 0, "cut-short" },
    /* torchinfo without its total */
    { "==================\nLayer (type:depth-idx)   Param #\n==================\nNet                      64\n"
      "==================\n", 64, 0, 0, "no-total" },
};
/* clang-format on */

static void test_tables(void **state)
{
    int failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(tables); i++) {
        const struct tabled *t = &tables[i];
        struct printout p;
        numel_error e;
        bool ok = read_text(&p, t->text, strlen(t->text), &memory_malloc, &e) && p.summary_count == 1;
        ROW(failed, ok, "%zu: %zu tables", i, p.summary_count);
        if (ok) {
            const struct summary *x = &p.summaries[0];
            const struct remark *r = worst(&p);
            ROW(failed, x->elements == t->sum, "%zu: %llu", i, (unsigned long long)x->elements);
            ROW(failed, x->total.low == t->low && x->total.high == t->high, "%zu: total %llu to %llu", i,
                (unsigned long long)x->total.low, (unsigned long long)x->total.high);
            ROW(failed, (r ? strcmp(r->code, t->code ? t->code : "none") == 0 : !t->code), "%zu: %s %s", i,
                r ? r->code : "nothing", r ? r->message : "was found");
        }
        printout_done(&p);
    }
    assert_int_equal(failed, 0);
}

/* Similar texts that are not tables: none begins. */
static void test_no_tables(void **state)
{
    static const char *const texts[] = {
        "| Name | Type | Size |\n|---|---|---|\n| a | b | 12 |\n",
        "  | Type | Name | Params\n-----------\n0 | a | b | 12\n",
        "┏━━━━━━━━━━━┳━━━━━━━━━┓\n┃ Name      ┃ Param # ┃\n┡━━━━━━━━━━━╇━━━━━━━━━┩\n│ a (Dense) │   1,984 "
        "│\n",
        "┏━━━━━━━━━━━━━━┳━━━━━━━━━┓\n",
        "Total params: 12\n",
    };
    int failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(texts); i++) {
        struct printout p;
        numel_error e;
        bool holds;
        ROW(failed, printout_holds(&holds, texts[i], strlen(texts[i]), &memory_malloc, &e) && !holds,
            "%zu: holds one", i);
        ROW(failed, read_text(&p, texts[i], strlen(texts[i]), &memory_malloc, &e) && !p.summary_count, "%zu",
            i);
        printout_done(&p);
    }
    assert_int_equal(failed, 0);
}

/* ---- squeezed printouts ------------------------------------------------------------------- */

/* 2 x (8 x 24 + 24 + 8 x 8) + 800 = 1,360 */
static const struct squeezed {
    const char *line;
    bool told; /* removing the line is detected; if false, nothing reveals it */
} net[] = {
    { "Net(\n", true },
    { " (blocks): ModuleList(\n", true },
    { " (0-1): 2 x Block(\n", true },
    { " (qkv): Linear(in_features=8, out_features=24, bias=True)\n", false },
    { " (out): Sequential(\n", true },
    { " (0): Linear(in_features=8, out_features=8, bias=False)\n", false }, /* Sequential may begin at 1 */
    { " (1): Dropout(p=0.1, inplace=False)\n", true },
    { " (2): Dropout(p=0.1, inplace=False)\n", false },
    { " )\n", true },
    { " )\n", true },
    { " )\n", true },
    { " (head): Linear(in_features=8, out_features=100, bias=False)\n", false },
    { ")\n", true },
};

static void test_squeezed(void **state)
{
    int failed = 0;
    (void)state;
    for (size_t without = 0; without <= ROWS_OF(net); without++) { /* last: nothing removed */
        char text[1000] = "";
        struct printout p;
        numel_error e;
        for (size_t i = 0; i < ROWS_OF(net); i++)
            if (i != without) strcat(text, net[i].line);
        bool whole = without == ROWS_OF(net);
        bool ok = read_text(&p, text, strlen(text), &memory_malloc, &e) && p.print_count > 0;
        ROW(failed, ok, "%zu: not read", without);
        if (ok && whole) {
            ROW(failed, p.prints[0].elements == 2 * (8 * 24 + 24 + 8 * 8) + 800, "whole: %llu",
                (unsigned long long)p.prints[0].elements);
            ROW(failed,
                p.prints[0].loose && p.remark_count == 1 && p.remarks[0].harmless &&
                    strcmp(p.remarks[0].code, "no-indentation") == 0,
                "whole: not said");
        }
        ROW(failed, (worst(&p) != NULL) == (!whole && net[without].told), "without %zu: %s", without,
            worst(&p) ? worst(&p)->message : "nothing was found");
        printout_done(&p);
    }
    assert_int_equal(failed, 0);
}

/* Indentation of one blank per level is still evidence, also in a text that lost one bracket. */
static void test_indented(void **state)
{
    static const char narrow[] =
        "Net(\n (a): B(\n  (x): Linear(in_features=2, out_features=3, bias=False)\n )\n"
        " (c): Linear(in_features=2, out_features=3, bias=False)\n)\n";
    static const char lost[] =
        "Net(\n  (a): B(\n  (c): C(\n    (x): Linear(in_features=2, out_features=3, bias=False)\n"
        "  )\n)\n";
    struct printout p;
    numel_error e;
    (void)state;
    assert_true(read_text(&p, narrow, sizeof narrow - 1, &memory_malloc, &e));
    assert_int_equal(p.prints[0].elements, 12);
    assert_false(p.prints[0].loose);
    assert_int_equal(p.remark_count, 0);
    printout_done(&p);
    assert_true(read_text(&p, lost, sizeof lost - 1, &memory_malloc, &e));
    assert_int_equal(p.prints[0].elements, 6);
    assert_string_equal(worst(&p)->code, "not-closed");
    printout_done(&p);
}

/* ---- memory ------------------------------------------------------------------------------- */

static void test_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS_OF(tables); i++)
        for (uint64_t fail_at = 0;; fail_at += check_every()) {
            struct check_memory m;
            struct printout p;
            numel_error e;
            check_memory_init(&m, fail_at);
            bool ok = read_text(&p, tables[i].text, strlen(tables[i].text), &m.allocator, &e);
            printout_done(&p);
            assert_int_equal(m.outstanding, 0);
            if (ok) assert_true(m.calls <= fail_at);
            if (ok) break;
            assert_int_equal(e.code, NUMEL_E_NOMEM);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),   cmocka_unit_test(test_no_tables), cmocka_unit_test(test_squeezed),
        cmocka_unit_test(test_indented), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
