/*
 * test_tone.c -- the tones of verdicts and names, how a terminal shows them, and bars: their lengths, when they
 * are drawn, and what they leave of a table.
 */
#include "render.h"

#include "page/tone.h"

enum { SIZE = sizeof(numel_style) };
static const numel_style colored = { SIZE, .format = NUMEL_TEXT, .color = true };

/* ---- verdicts ----------------------------------------------------------------------------- */

static void test_verdicts(void **state)
{
    struct arena a;
    struct buffer b;
    (void)state;
    arena_init(&a, &memory_malloc);
    struct toned t = toned_format(&a, TONE_PART, "agrees in part", " with %s: %d", "llama", 7);
    assert_string_equal(t.text, "agrees in part with llama: 7");
    assert_int_equal(t.tone, TONE_PART);
    assert_int_equal(t.n, strlen("agrees in part"));
    t = toned_format(&a, TONE_NONE, "", "%s", "not known");
    assert_string_equal(t.text, "not known");
    assert_int_equal(t.n, 0);
    buffer_init(&b, &memory_malloc);
    buffer_text(&b, "no: more");
    t = toned_keep(&b, &a, TONE_BAD, 2);
    assert_string_equal(t.text, "no: more");
    assert_true(t.tone == TONE_BAD && t.n == 2);
    arena_done(&a);
}

static void test_states(void **state)
{
    static const enum tone tones[] = {
        [NUMEL_STATE_UNKNOWN] = TONE_SOFT,   [NUMEL_STATE_AGREES] = TONE_GOOD,
        [NUMEL_STATE_IN_PART] = TONE_PART,   [NUMEL_STATE_DISAGREES] = TONE_BAD,
        [NUMEL_STATE_INCOMPLETE] = TONE_BAD, [NUMEL_STATE_DAMAGED] = TONE_BAD
    };
    (void)state;
    for (size_t i = 0; i < ROWS_OF(tones); i++) assert_int_equal(tone_of_state((numel_state)i), tones[i]);
    assert_int_equal(tone_of_severity(NUMEL_NOTE), TONE_SOFT);
    assert_int_equal(tone_of_severity(NUMEL_WARNING), TONE_PART);
    assert_int_equal(tone_of_severity(NUMEL_ERROR), TONE_BAD);
}

/* ---- names -------------------------------------------------------------------------------- */

static void test_types(void **state)
{
    static const struct {
        const char *type;
        enum tone tone;
    } rows[] = { { "F32", TONE_WIDE },    { "F64", TONE_WIDE },      { "F16", TONE_HALF },
                 { "BF16", TONE_HALF },   { "F8_E4M3", TONE_SMALL }, { "F4", TONE_SMALL },
                 { "Q4_K", TONE_SMALL },  { "IQ2_XS", TONE_SMALL },  { "TQ1_0", TONE_SMALL },
                 { "MXFP4", TONE_SMALL }, { "I32", TONE_NONE },      { "U8", TONE_NONE },
                 { "BOOL", TONE_NONE },   { "C64", TONE_NONE },      { "", TONE_NONE } };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++)
        ROW(failed, tone_of_type(text_of(rows[i].type)) == rows[i].tone, "'%s'", rows[i].type);
    assert_int_equal(failed, 0);
}

static void test_roles(void **state)
{
    static const struct {
        const char *name;
        enum cell_role role;
    } rows[] = { { "attn.q", ROLE_ATTENTION },
                 { "v.attn.qkv.bias", ROLE_ATTENTION },
                 { "norm.attn", ROLE_NORM },
                 { "mlp.up", ROLE_FEED_FORWARD },
                 { "expert.down", ROLE_EXPERT },
                 { "router", ROLE_EXPERT },
                 { "shared.gate", ROLE_EXPERT },
                 { "embed.tok", ROLE_EMBEDDING },
                 { "head", ROLE_HEAD },
                 { "head.mlm.norm", ROLE_NORM },
                 { "quant.scale", ROLE_NONE },
                 { "ssm.in", ROLE_NONE },
                 { "", ROLE_NONE } };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++)
        ROW(failed, role_of(text_of(rows[i].name)) == rows[i].role, "'%s'", rows[i].name);
    assert_int_equal(role_of((numel_str){ NULL, 0 }), ROLE_NONE);
    assert_int_equal(failed, 0);
}

/* ---- colours ------------------------------------------------------------------------------ */

static const struct color_row {
    const char *about;
    unsigned flags;
    struct cell cell;
    const char *want;
} color_rows[] = {
    { "a verdict",
      0,
      { .kind = CELL_TEXT, .t = "agrees with x", .tone = TONE_GOOD, .n = 6 },
      "\033[32magrees\033[0m with x" },
    { "a text without a tone, whatever it says", 0, T("agrees with x"), "agrees with x" },
    { "a name, whatever it says", 0, S("error"), "error" },
    { "a word", 0, { .kind = CELL_TEXT, .t = "warning", .tone = TONE_PART }, "\033[33mwarning\033[0m" },
    { "a soft word", 0, { .kind = CELL_TEXT, .t = "note", .tone = TONE_SOFT }, "note" },
    { "types", COLUMN_TYPE, T("Q4_K+F32, I8, BF16"),
      "\033[35mQ4_K\033[0m+\033[94mF32\033[0m, I8, \033[36mBF16\033[0m" },
    { "a type that is a name", COLUMN_TYPE, S("F32"), "\033[94mF32\033[0m" },
    { "a role", COLUMN_ROLE, S("attn.q"), "\033[36mattn.q\033[0m" },
    { "another role", COLUMN_ROLE, S("ssm.in"), "ssm.in" },
    { "a name with a role",
      COLUMN_NAME,
      { .kind = CELL_TEXT, .role = ROLE_HEAD, .t = "output" },
      "\033[35moutput\033[0m" },
    { "a name of several roles",
      COLUMN_NAME,
      { .kind = CELL_TEXT, .role = ROLE_SEVERAL, .t = "layers" },
      "layers" },
    { "signs", COLUMN_SIGNS, T("##=>"), "\033[94m##\033[0m\033[36m=\033[0m>" },
    { "no signs", COLUMN_SIGNS, T("a-b c=d"), "a-b c=d" },
    { "a legend", COLUMN_SIGNS, T("# one, - two"), "\033[94m#\033[0m one, \033[35m-\033[0m two" },
    { "escapes of a name", COLUMN_TYPE, S("F32\033[31m"), "\033[94mF32\\x1b[31m\033[0m" },
};

static void test_colors(void **state)
{
    unsigned failed = 0;
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(color_rows); i++) {
        const struct color_row *r = &color_rows[i];
        const struct column columns[] = { { .heading = "x", .flags = 0 },
                                          { .heading = "y", .flags = r->flags } };
        const struct cell cells[] = { T("-"), r->cell };
        const struct grid g = { cells, NULL, 2 };
        struct section s = section_of(&g, columns, 1, SECTION_LIST);
        char want[200];
        snprintf(want, sizeof want, "-  %s\n", r->want);
        ROW(failed, strcmp(render(&b, &s, 1, &colored), want) == 0, "%s: %s", r->about, b.p);
        s = section_of(&g, columns, 1, SECTION_FIELDS);
        snprintf(want, sizeof want, "x  -\ny  %s\n", r->want);
        ROW(failed, strcmp(render(&b, &s, 1, &colored), want) == 0, "%s, a field: %s", r->about, b.p);
    }
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

/* A verdict is coloured to its end, wherever it wraps, and nothing behind it is. What a report is about is bold. */
static void test_wrapped(void **state)
{
    static const numel_style narrow = { SIZE, .format = NUMEL_TEXT, .width = 16, .color = true };
    static const struct column columns[] = { { .heading = "" },
                                             { .heading = "verdict", .flags = COLUMN_WRAP } };
    static const struct cell cells[] = {
        S("a"), { .kind = CELL_TEXT, .t = "agrees in part with it", .tone = TONE_PART, .n = 14 }
    };
    const struct grid g = { cells, NULL, 2 };
    struct section s = section_of(&g, columns, 1, SECTION_FIELDS);
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    /* seven columns are left for the verdict */
    assert_string_equal(render(&b, &s, 1, &narrow), "\033[1ma\033[0m\n"
                                                    "verdict  \033[33magrees\033[0m\n"
                                                    "         \033[33min part\033[0m\n"
                                                    "         with it\n");
    s = section_of(&g, columns, 1, SECTION_LIST);
    assert_string_equal(render(&b, &s, 1, &narrow), "a\n    \033[33magrees in\033[0m\n"
                                                    "    \033[33mpart\033[0m with it\n");
    /* 30 columns, the least for a note next to its row: only "agrees in part with llama, and" fits */
    static const numel_style less_narrow = { SIZE, .format = NUMEL_TEXT, .width = 3 + 30, .color = true };
    static const struct cell more[] = { S("a"),
                                        { .kind = CELL_TEXT,
                                          .t = "agrees in part with llama, and as for the rest",
                                          .tone = TONE_PART,
                                          .n = 14 } };
    const struct grid h = { more, NULL, 2 };
    s = section_of(&h, columns, 1, SECTION_LIST);
    assert_string_equal(render(&b, &s, 1, &less_narrow), "a  \033[33magrees in part\033[0m with llama, and\n"
                                                         "   as for the rest\n");
    buffer_done(&b);
}

/* ---- bars --------------------------------------------------------------------------------- */

#define FULL5 "\u2588\u2588\u2588\u2588\u2588"
#define FULL20 FULL5 FULL5 FULL5 FULL5
static const numel_style wide = { SIZE, .format = NUMEL_TEXT, .width = 100, .bars = true, .blocks = true };
static const struct column sized[] = { { .heading = "name", .flags = COLUMN_NAME },
                                       { .heading = "size", .flags = COLUMN_RIGHT | COLUMN_BAR } };

static const struct bar_row {
    const char *about;
    struct cell cells[3]; /* the largest first */
    const char *blocks[3], *signs[3];
} bar_rows[] = {
    { "of the largest: 20 columns, 10, and 1 of 160 eighths that are 1.6, rounded down",
      { U(CELL_COUNT, 100), U(CELL_COUNT, 50), U(CELL_COUNT, 1) },
      { " 100  " FULL20, "  50  " FULL5 FULL5, "   1  \u258f" },
      { " 100  ####################", "  50  ##########", "   1" } },
    { "16 of 100 is 25.6 eighths, 3 of 100 is 4.8: signs are 3.2 and .6, rounded",
      { U(CELL_COUNT, 100), U(CELL_COUNT, 16), U(CELL_COUNT, 3) },
      { " 100  " FULL20, "  16  \u2588\u2588\u2588\u258f", "   3  \u258c" },
      { " 100  ####################", "  16  ###", "   3  #" } },
    { "shares are of their whole",
      { { .kind = CELL_SHARE, .u = 1, .n = 2 },
        { .kind = CELL_SHARE, .u = 1, .n = 4 },
        { .kind = CELL_SHARE, .u = 0, .n = 2 } },
      { "50.0 %  " FULL5 FULL5, "25.0 %  " FULL5, " 0.0 %" },
      { "50.0 %  ##########", "25.0 %  #####", " 0.0 %" } },
    { "what became less is a shade",
      { { .kind = CELL_SIGNED, .i = 8 }, { .kind = CELL_SIGNED, .i = -4 }, { .kind = CELL_SIGNED, .i = 0 } },
      { "  +8  " FULL20, "  -4  \u2592\u2592\u2592\u2592\u2592\u2592\u2592\u2592\u2592\u2592", "  +0" },
      { "  +8  ####################", "  -4  ----------", "  +0" } },
    { "no sum overflows",
      { U(CELL_NUMBER, UINT64_MAX), U(CELL_NUMBER, UINT64_C(1) << 63), { .kind = CELL_NULL } },
      { "18446744073709551615  " FULL20, " 9223372036854775808  " FULL5 FULL5, "" },
      { "18446744073709551615  ####################", " 9223372036854775808  ##########", "" } },
};

static void check_bars(unsigned *failed, const struct bar_row *r, const numel_style *style,
                       const char *const *want)
{
    struct buffer b;
    const struct cell cells[] = { T("a"), r->cells[0], T("b"), r->cells[1], T("c"), r->cells[2] };
    const struct grid g = { cells, NULL, 2 };
    const struct section s = section_of(&g, sized, 3, SECTION_LIST);
    char all[600];
    buffer_init(&b, &memory_malloc);
    snprintf(all, sizeof all, "a     %s\nb     %s\nc%s%s\n", want[0], want[1], want[2][0] ? "     " : "",
             want[2]);
    ROW(*failed, strcmp(render(&b, &s, 1, style), all) == 0, "%s:\n%sand not\n%s", r->about, b.p, all);
    buffer_done(&b);
}

static void test_bars(void **state)
{
    numel_style signs = wide;
    unsigned failed = 0;
    (void)state;
    signs.blocks = false;
    for (size_t i = 0; i < ROWS_OF(bar_rows); i++) {
        check_bars(&failed, &bar_rows[i], &wide, bar_rows[i].blocks);
        check_bars(&failed, &bar_rows[i], &signs, bar_rows[i].signs);
    }
    assert_int_equal(failed, 0);
}

/* Without room, or where nobody asked, there is none; all zeros have none. */
static void test_no_bars(void **state)
{
    static const struct bar_row
        some = { "", { U(CELL_COUNT, 4), U(CELL_COUNT, 2), U(CELL_COUNT, 1) }, { "" }, { "" } },
        none = { "zeros", { U(CELL_COUNT, 0), U(CELL_COUNT, 0), U(CELL_COUNT, 0) }, { "" }, { "" } };
    static const char *const bare[] = { "   4", "   2", "   1" }, *const zeros[] = { "   0", "   0", "   0" };
    static const unsigned widths[] = { 0, 40, 99 };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(widths); i++) {
        numel_style narrow = wide;
        narrow.width = widths[i];
        check_bars(&failed, &some, &narrow, bare);
    }
    numel_style off = wide;
    off.bars = false;
    check_bars(&failed, &some, &off, bare);
    check_bars(&failed, &none, &wide, zeros);
    assert_int_equal(failed, 0);
}

/* The bar of a row has the colour of its name's role; that of several roles is a shade without a colour. */
static void test_bar_colors(void **state)
{
    static const struct cell cells[] = { { .kind = CELL_TEXT, .role = ROLE_ATTENTION, .t = "a" },
                                         U(CELL_COUNT, 2),
                                         { .kind = CELL_TEXT, .role = ROLE_SEVERAL, .t = "b" },
                                         U(CELL_COUNT, 1),
                                         T("c"),
                                         U(CELL_COUNT, 1) };
    const struct grid g = { cells, NULL, 2 };
    const struct section s = section_of(&g, sized, 3, SECTION_LIST);
    numel_style style = wide;
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    style.color = true;
    style.blocks = false;
    assert_string_equal(render(&b, &s, 1, &style),
                        "\033[36ma\033[0m        2  \033[36m####################\033[0m\n"
                        "b        1  ----------\n"
                        "c        1  \033[94m##########\033[0m\n");
    buffer_done(&b);
}

/* A table of 93 columns and a bar of 7 needs exactly 100: the bar is drawn. One more column of a name, and the column of
 * rank 2 goes. A share with its bar outlives it; any other bar gives way to words that would wrap. */
static void test_room(void **state)
{
    static const struct column columns[] = { { .heading = "name", .flags = COLUMN_NAME },
                                             { .heading = "each", .flags = COLUMN_RIGHT | COLUMN_RANK(2) },
                                             { .heading = "share",
                                               .flags = COLUMN_RIGHT | COLUMN_RANK(1) | COLUMN_BAR } };
    char name[100];
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    memset(name, 'x', sizeof name);
    /* name, 2, "each" of 4, 2, "100.0 %" of 7, 2, a bar of 5: 78 + 22 */
    for (size_t n = 78; n <= 79; n++) {
        const struct cell cells[] = { { .kind = CELL_STR, .s = { name, n } },
                                      U(CELL_COUNT, 7),
                                      { .kind = CELL_SHARE, .u = 1, .n = 1 } };
        const struct grid g = { cells, NULL, 3 };
        const struct section s = section_of(&g, columns, 1, SECTION_LIST);
        const char *text = render(&b, &s, 1, &wide);
        assert_non_null(strstr(text, n == 78 ? "     7  100.0 %  " FULL5 "\n" : "x  100.0 %  " FULL5));
        assert_true(n == 79 || !strstr(text, FULL5 "\u2588"));
    }
    buffer_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts), cmocka_unit_test(test_states),  cmocka_unit_test(test_types),
        cmocka_unit_test(test_roles),    cmocka_unit_test(test_colors),  cmocka_unit_test(test_wrapped),
        cmocka_unit_test(test_bars),     cmocka_unit_test(test_no_bars), cmocka_unit_test(test_bar_colors),
        cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
