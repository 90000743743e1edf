/*
 * test_browse.c -- numel browse without a terminal: trees from paths, what keys do, and what is drawn where. Trees and
 * screens are written out by hand.
 */
#include "../support/t.h"

#include "../../src/cli/browse.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- trees ---------------------------------------------------------------------------------- */

enum { PATHS = 12 };

/* "16 a.b": the bytes of a tensor, which has half as many elements, and its path. */
static void make(struct tree *t, const char *const *texts, bool whole)
{
    *t = (struct tree){ .leaves = calloc(PATHS + 1, sizeof *t->leaves) };
    assert_non_null(t->leaves);
    for (; texts[t->leaf_count]; t->leaf_count++) {
        char *path;
        uint64_t bytes = strtoull(texts[t->leaf_count], &path, 10);
        struct leaf *leaf = &t->leaves[t->leaf_count];
        *leaf = (struct leaf){ .path = strdup(path + 1), .tensor = (uint32_t)t->leaf_count, .type = "F16" };
        leaf->sums[IN_BYTES] = bytes;
        leaf->sums[IN_ELEMENTS] = leaf->sums[IN_PARAMETERS] = bytes / 2;
        leaf->sums[TENSORS] = 1;
    }
    assert_true(tree_build(t, whole));
}

static void tell(const struct tree *t, uint32_t node, char *out, size_t room)
{
    const struct node *n = &t->nodes[node];
    size_t used = strlen(out);
    if (node)
        snprintf(out + used, room - used, "%*s%.*s%s %" PRIu64 "\n", 2 * (n->depth - 1), "", (int)n->bytes,
                 n->label, n->tensor ? "" : "/", n->sums[IN_BYTES]);
    for (uint32_t i = 0; i < n->count; i++) tell(t, t->children[n->first + i], out, room);
}

static const struct row {
    const char *about, *paths[PATHS], *tree;
    bool whole;
} rows[] = {
    { "nothing", { NULL }, "", false },
    { "one", { "4 a.b.c" }, "a.b.c 4\n", false },
    { "a fork", { "4 a.b", "6 a.c" }, "a/ 10\n  b 4\n  c 6\n", false },
    { "a name that others begin with", { "4 a", "6 a.b", "8 a.c" }, "a 4\na/ 14\n  b 6\n  c 8\n", false },
    { "a beginning that is no part", { "4 ab", "6 abc" }, "ab 4\nabc 6\n", false },
    { "joined", { "4 a.b.c.d", "6 a.b.c.e", "8 f" }, "a.b.c/ 10\n  d 4\n  e 6\nf 8\n", false },
    { "folded",
      { "4 l.[0-1]\nw\tl.0.w", "4 l.[0-1]\nw\tl.1.w" },
      "l.[0-1]/ 8\n  w/ 8\n    l.0.w 4\n    l.1.w 4\n",
      false },
    { "one of a kind",
      { "4 l.[0-1]\nv\tl.0.v", "4 l.[0-1]\nw\tl.1.w" },
      "l.[0-1]/ 8\n  v 4\n  w 4\n",
      false },
    { "ranges hold dots",
      { "4 l.[0,2,...,9].w\tx", "4 l.[0,2,...,9].w\ty" },
      "l.[0,2,...,9].w/ 8\n  x 4\n  y 4\n",
      false },
    { "a bracket that ends nowhere", { "4 a[.b", "6 a[.c" }, "a[/ 10\n  b 4\n  c 6\n", false },
    { "a type of one tensor", { "4 F16\na.b" }, "F16/ 4\n  a.b 4\n", false },
    { "types do not join", { "4 F16\na.b", "6 F16\na.c" }, "F16/ 10\n  a/ 10\n    b 4\n    c 6\n", false },
    { "models",
      { "4 x.gguf\na", "6 y.gguf\na.b", "8 y.gguf\na.c" },
      "x.gguf/ 4\n  a 4\ny.gguf/ 14\n  a/ 14\n    b 6\n    c 8\n",
      true },
    { "an unreadable one", { "0 x.gguf", "6 y.gguf\na" }, "x.gguf 0\ny.gguf/ 6\n  a 6\n", true },
    { "twice the same name", { "4 a", "6 a" }, "a 4\na 6\n", false },
    { "dots alone",
      { "4 .", "6 ..", "8 a.", "2 a.b", "3 a.c", "8 x..y" },
      ". 4\n.. 6\na. 8\na/ 5\n  b 2\n  c 3\nx..y 8\n",
      false },
};

static void test_trees(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char told[1024] = "";
        struct tree t;
        make(&t, rows[i].paths, rows[i].whole);
        tell(&t, 0, told, sizeof told);
        if (strcmp(told, rows[i].tree) != 0) fail_msg("%s: is\n%snot\n%s", rows[i].about, told, rows[i].tree);
        tree_free(&t);
    }
}

/* Each path has one part more than the one before. */
static void test_deep(void **state)
{
    enum { DEEP = 300 };
    struct tree t = { .leaves = calloc(DEEP, sizeof *t.leaves) };
    (void)state;
    for (; t.leaf_count < DEEP; t.leaf_count++) {
        char *path = malloc(2 * DEEP + 2);
        for (size_t i = 0; i <= t.leaf_count; i++) memcpy(path + 2 * i, "a.", 3);
        path[2 * t.leaf_count + 1] = '\0';
        t.leaves[t.leaf_count] = (struct leaf){ .path = path, .sums = { 1, 1, 1, 1 } };
    }
    assert_true(tree_build(&t, false));
    assert_int_equal(t.nodes[0].sums[IN_BYTES], DEEP);
    for (size_t i = 0; i < t.node_count; i++) assert_true(t.nodes[i].depth <= 65);
    tree_free(&t);
}

static void test_overflow(void **state)
{
    struct tree t = { .leaves = calloc(3, sizeof *t.leaves), .leaf_count = 2 };
    (void)state;
    for (int i = 0; i < 2; i++) {
        t.leaves[i].path = strdup(i ? "b" : "a");
        t.leaves[i].sums[IN_BYTES] = UINT64_MAX / 2 + 1;
    }
    assert_false(tree_build(&t, false));
    tree_free(&t);
}

static void test_order(void **state)
{
    static const char *const sorted[] = { "",  "01",  "1",     "2",      "2.a", "10",  "10a", "B",
                                          "a", "a\n", "a.2.x", "a.10.x", "a2",  "a10", "b" };
    size_t n = sizeof sorted / sizeof *sorted;
    (void)state;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            int c = tree_compare(sorted[i], sorted[k]);
            assert_int_equal((c > 0) - (c < 0), (i > k) - (i < k));
        }
}

static void test_sort(void **state)
{
    static const char *const paths[] = { "4 a.x", "6 a.y", "10 b", "30 c", "2 d.x", "2 d.y", "2 d.z", NULL };
    static const struct {
        enum order order;
        bool reversed;
        const char *labels;
    } wanted[] = {
        { BY_SIZE, false, "cabd" }, { BY_SIZE, true, "dbac" },   { BY_NAME, false, "abcd" },
        { BY_NAME, true, "dcba" },  { BY_COUNT, false, "dabc" }, { BY_COUNT, true, "cbad" },
    };
    struct tree t;
    (void)state;
    make(&t, paths, false);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char labels[5] = "";
        assert_true(tree_sort(&t, 0, IN_BYTES, wanted[i].order, wanted[i].reversed));
        for (uint32_t k = 0; k < 4; k++) labels[k] = t.nodes[t.children[t.nodes[0].first + k]].label[0];
        assert_string_equal(labels, wanted[i].labels);
    }
    tree_free(&t);
}

/* ---- names of missing tensors ---------------------------------------------------------------- */

static void test_covers(void **state)
{
    static const struct {
        const char *path, *name;
        bool covers;
    } cases[] = {
        { "a.b", "a.b", true },
        { "a.b", "a.b.c", true },
        { "a.b", "a.bc", false },
        { "a.b", "a", false },
        { "a.[0-2]", "a.1.w", true },
        { "a.[0-2]", "a.3.w", false },
        { "a.[0-2]", "a.12.w", false },
        { "a.[0,2,5-7].w", "a.6.w", true },
        { "a.[0,2,5-7].w", "a.4.w", false },
        { "a.[0,2,5-7].w", "a.6.v", false },
        { "a.[0,2,...,9]\nw", "a.8.w.x", true },
        { "a.[0,2,...,9]\nw", "a.10.w", false },
        { "a.[0,2,...,9]\nw", "a.1.w", false },
        { "a.[0-2]", "a.x", false },
        { "a[", "a[", true },
        { "", "", true },
        { "a.[0-2]", "a.99999999999999999999999", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        numel_str name = { cases[i].name, strlen(cases[i].name) };
        if (path_covers(cases[i].path, strlen(cases[i].path), name) != cases[i].covers)
            fail_msg("'%s' and '%s'", cases[i].path, cases[i].name);
    }
}

static void test_numbers(void **state)
{
    struct digits d;
    (void)state;
    assert_string_equal(browse_count(&d, 0), "0");
    assert_string_equal(browse_count(&d, 999), "999");
    assert_string_equal(browse_count(&d, 1000), "1,000");
    assert_string_equal(browse_count(&d, UINT64_MAX), "18,446,744,073,709,551,615");
    assert_string_equal(browse_short(&d, 999), "999");
    assert_string_equal(browse_short(&d, 6738415616), "6.74 B");
    assert_string_equal(browse_short(&d, 999995), "1.00 M");
    assert_string_equal(browse_bytes(&d, 1023), "1023 B");
    assert_string_equal(browse_bytes(&d, 1536), "1.5 KiB");
    assert_string_equal(browse_bytes(&d, UINT64_MAX), "15.9 EiB");
}

/* ---- keys and screens -------------------------------------------------------------------------- */

/* In natural order, as trees take them. */
static const char *const layers[] = { "2000 head",
                                      "720 m.e",
                                      "40 m.l.[0-1]\nn\tm.l.0.n",
                                      "40 m.l.[0-1]\nn\tm.l.1.n",
                                      "600 m.l.[0-1]\nq.w\tm.l.0.q.w",
                                      "600 m.l.[0-1]\nq.w\tm.l.1.q.w",
                                      NULL };
static const char *const single[] = { "2000 head",  "720 m.e",       "40 m.l.0.n", "600 m.l.0.q.w",
                                      "40 m.l.1.n", "600 m.l.1.q.w", NULL };

static bool give_tree(void *ctx, enum view view, struct tree *t)
{
    (void)ctx;
    make(t, view == BY_LAYER ? layers : single, false);
    return true;
}

static bool give_text(void *ctx, enum pane pane, enum view view, const struct tree *t, uint32_t node,
                      unsigned columns, struct lines *l)
{
    (void)ctx;
    lines_add(l, "pane %d view %d of %.*s in %u", (int)pane, (int)view, (int)t->nodes[node].bytes,
              t->nodes[node].label, columns);
    for (int i = 0; i < 20; i++) lines_add(l, "line %d", i);
    return true;
}

static char path_of_all[] = "models/tiny", about_all[] = "llama";
static struct browse_model all = { .path = path_of_all,
                                   .label = path_of_all,
                                   .about = about_all,
                                   .verdict = NUMEL_STATE_AGREES,
                                   .counted = true };
static const struct browse_source source = {
    .tree = give_tree, .text = give_text, .models = &all, .all = &all, .model_count = 1
};

enum { ROWS = 12, COLUMNS = 120 };
struct grid {
    unsigned rows, columns;
    char text[ROWS][COLUMNS + 1];
    unsigned marked; /* the row drawn as selected, between head and foot */
};

/* Text of the tests is ASCII: a byte a column. */
static void put(void *ctx, unsigned row, unsigned column, enum browse_style style, const char *text)
{
    struct grid *g = ctx;
    size_t n = strlen(text);
    assert_true(row < g->rows && column + n <= g->columns);
    memcpy(&g->text[row][column], text, n);
    if (style == AS_SELECTED && row > 1 && row + 1 < g->rows) g->marked = row;
}

static int one(uint32_t c)
{
    (void)c;
    return 1;
}

static void draw(const struct browse *b, struct grid *g)
{
    struct browse_pen pen = { .ctx = g, .put = put, .wide = one };
    *g = (struct grid){ .rows = b->rows, .columns = b->columns };
    for (unsigned i = 0; i < b->rows; i++) memset(g->text[i], ' ', b->columns);
    browse_draw(b, &pen);
    for (unsigned i = 0; i < b->rows; i++)
        for (size_t n = b->columns; n && g->text[i][n - 1] == ' '; n--) g->text[i][n - 1] = '\0';
}

static void press(struct browse *b, const char *keys)
{
    for (; *keys; keys++) browse_key(b, *keys == '\n' ? (uint32_t)PRESSED_ENTER : (unsigned char)*keys);
}

/* 4,000 bytes: head 2000, m 2000; below m: l.[0-1] 1280, e 720. */
static void test_screen(void **state)
{
    struct browse b;
    struct grid g;
    (void)state;
    assert_true(browse_begin(&b, &source, 6, 60));
    press(&b, "j\n");
    draw(&b, &g);
    assert_string_equal(g.text[0], "agrees  llama");
    assert_string_equal(g.text[1], "models/tiny > m                                layers, bytes");
    assert_string_equal(g.text[2], "   1.2 KiB   64.0 % [##########]/l.[0-1]");
    assert_string_equal(g.text[3], "     720 B   36.0 % [######    ] e");
    assert_string_equal(g.text[4], "");
    assert_string_equal(g.text[5], " 5 tensors  1.00 K  1.9 KiB                          ? help");
    assert_int_equal(g.marked, 2);
    press(&b, "\n\n");
    draw(&b, &g);
    assert_string_equal(g.text[1], "models/tiny > m.l.[0-1] > q.w                  layers, bytes");
    assert_string_equal(g.text[2], "     600 B   50.0 % [##########] m.l.0.q.w");
    press(&b, "bS");
    draw(&b, &g);
    assert_string_equal(g.text[2], " 300   50.0 % [##########] m.l.1.q.w");
    assert_int_equal(g.marked, 3);
    browse_end(&b);
}

/* Where keys lead: the node shown and the one selected, "shown/selected". */
static const struct {
    const char *keys, *at;
} walks[] = {
    { "", "/head" },
    { "j", "/m" },
    { "k", "/head" },
    { "jjjj", "/m" },
    { "Gg", "/head" },
    { "\n", "/head" },
    { "l", "/head" },
    { "j\n", "m/l.[0-1]" },
    { "j\nh", "/m" },
    { "jl\n", "l.[0-1]/q.w" },
    { "jl\nhh", "/m" },
    { "hhh", "/head" },
    { "js", "/m" },
    { "sss", "/head" },
    { "S", "/head" },
    { "SG", "/head" },
    { "Sg", "/m" },
    { "/q\n", "l.[0-1]/q.w" },
    { "/q\nn", "q.w/m.l.0.q.w" },
    { "/q\nnn", "q.w/m.l.1.q.w" },
    { "/q\nnnn", "l.[0-1]/q.w" },
    { "/q\nN", "q.w/m.l.1.q.w" },
    { "/q\nnN", "l.[0-1]/q.w" },
    { "/Q.W\n", "l.[0-1]/q.w" },
    { "/none\n", "/head" },
    { "/m.l\n", "m/l.[0-1]" },
    { "/].q\n", "l.[0-1]/q.w" },
    { "/q\x1b"
      "j",
      "/m" },
    { "tj\n", "m/l" },
    { "tt", "/head" },
    { "t/l.1.q\n", "1/q.w" },
    { "rj", "/head" },
    { "rqj", "/m" },
    { "?q?qj", "/m" },
    { "i\nj", "/head" },
    { "\x06", "/m" },
    { "\x06\x02", "/head" },
    { "n", "/head" },
    { "Zj", "/m" },
};

static void test_walks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof walks / sizeof *walks; i++) {
        struct browse b;
        char at[64];
        assert_true(browse_begin(&b, &source, 8, 80));
        for (const char *k = walks[i].keys; *k; k++) {
            const char one_key[] = { *k, '\0' };
            if (*k == '\x1b') browse_key(&b, PRESSED_ESCAPE);
            else press(&b, one_key);
        }
        const struct node *n = browse_node(&b, b.node), *c = browse_node(&b, browse_child(&b, b.selected));
        snprintf(at, sizeof at, "%.*s/%.*s", (int)n->bytes, n->label, (int)c->bytes, c->label);
        if (strcmp(at, walks[i].at) != 0) fail_msg("%s leads to %s, not %s", walks[i].keys, at, walks[i].at);
        assert_false(b.failed || b.done);
        browse_end(&b);
    }
}

static void test_panes(void **state)
{
    struct browse b;
    struct grid g;
    (void)state;
    assert_true(browse_begin(&b, &source, 8, 80));
    press(&b, "r");
    draw(&b, &g);
    assert_string_equal(g.text[2], " pane 3 view 0 of  in 78");
    assert_string_equal(g.text[3], " line 0");
    press(&b, "jG");
    draw(&b, &g);
    assert_string_equal(g.text[6], " line 19");
    press(&b, "R");
    draw(&b, &g);
    assert_string_equal(g.text[2], " pane 3 view 0 of head in 78");
    browse_resize(&b, 6, 40);
    draw(&b, &g);
    assert_string_equal(g.text[2], " pane 3 view 0 of head in 38");
    press(&b, "Ri");
    draw(&b, &g);
    assert_string_equal(g.text[2], " pane 2 view 0 of head in 38");
    press(&b, "qq");
    assert_true(b.done && !b.failed);
    browse_end(&b);
}

/* Any size, any of many keys: all text within the screen, which put() checks. */
static void test_sizes(void **state)
{
    static const char keys[] = "j\nlhtbsS/q\nnrRi?qGgkt\x04\x15 \x02tt/";
    (void)state;
    for (unsigned rows_ = 1; rows_ <= ROWS; rows_++)
        for (unsigned columns = 1; columns <= COLUMNS; columns += 7) {
            struct browse b;
            struct grid g;
            assert_true(browse_begin(&b, &source, rows_, columns));
            for (const char *k = keys; *k && !b.done; k++) {
                const char one_key[] = { *k, '\0' };
                press(&b, one_key);
                draw(&b, &g);
            }
            browse_resize(&b, ROWS, COLUMNS);
            draw(&b, &g);
            assert_false(b.failed);
            browse_end(&b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),   cmocka_unit_test(test_deep),   cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_order),   cmocka_unit_test(test_sort),   cmocka_unit_test(test_covers),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_screen), cmocka_unit_test(test_walks),
        cmocka_unit_test(test_panes),   cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
