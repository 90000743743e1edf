/*
 * test_fold.c -- folded names: small sets with their tree written out by hand, and large ones with known
 * sums. A node is written as
 *
 *    label|repeats|times|tensors|elements|bytes|each|types
 *
 * two spaces deeper than its parent.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/num.h"
#include "base/text.h"
#include "registry/dtype.h"
#include "registry/fold.h"

#include <stdlib.h>

struct room {
    struct arena arena;
    struct registry r;
    struct fold f;
    struct buffer told;
    numel_error e;
};

static void open_room(struct room *x, const numel_allocator *m)
{
    error_clear(&x->e);
    arena_init(&x->arena, m);
    registry_init(&x->r, &x->arena);
    buffer_init(&x->told, &memory_malloc);
    POISON(x->f);
}

static void close_room(struct room *x)
{
    registry_done(&x->r);
    arena_done(&x->arena);
    buffer_done(&x->told);
}

static bool add(struct room *x, numel_str name, const numel_dtype *d, const uint64_t *dims, uint32_t ndim,
                uint32_t file)
{
    uint64_t n = 1;
    for (uint32_t i = 0; i < ndim; i++) n *= dims[i];
    numel_tensor t = { .name = { arena_copy(&x->arena, name.p, name.n), name.n },
                       .dtype = d,
                       .dims = ndim ? arena_copy(&x->arena, dims, ndim * sizeof *dims) : NULL,
                       .ndim = ndim,
                       .elements = n,
                       .bytes = n * d->block_bytes,
                       .file = file };
    return t.name.p && (!ndim || t.dims) && registry_add(&x->r, &t, &x->e);
}

/* "0 F32 2,3 a.weight": file, type, shape ("-" for a scalar), and the rest is the name. */
static void add_text(struct room *x, const char *text)
{
    char type[16], shape[32];
    unsigned file, ndim = 0;
    int used = 0;
    uint64_t dims[8];
    assert_int_equal(sscanf(text, "%u %15s %31s%n", &file, type, shape, &used), 3);
    for (char *p = shape; *p && *p != '-';) {
        dims[ndim++] = strtoull(p, &p, 10);
        if (*p == ',') p++;
    }
    const numel_dtype *d = dtype_safetensors(text_of(type));
    assert_non_null(d);
    assert_true(add(x, text_of(text + used + 1), d, dims, ndim, file));
}

static void tell(struct room *x, const struct fold_node *n, unsigned depth)
{
    char types[64];
    for (; n; n = n->next) {
        fold_types(&x->f, n->types, types, sizeof types);
        buffer_fill(&x->told, ' ', 2 * depth);
        buffer_format(&x->told,
                      "%s|%" PRIu64 "|%" PRIu64 "|%" PRIu64 "|%" PRIu64 "|%" PRIu64 "|%" PRIu64 "|%s\n",
                      n->label, n->repeats, n->times, n->tensors, n->elements, n->bytes, n->each, types);
        tell(x, n->child, depth + 1);
    }
}

/* Sums of children equal the parent's; the top level is the whole. Returns NULL or the mismatch. */
static const char *check_sums(const struct fold_node *n)
{
    uint64_t tensors = 0, elements = 0, bytes = 0, types = 0;
    if (n->repeats == 0 || n->times % n->repeats) return "times is not a multiple of repeats";
    if (n->each * n->times != n->elements) return "each and times do not make the elements";
    if (n->tensor) return n->child || n->tensors != n->times ? "a leaf with children" : NULL;
    for (const struct fold_node *c = n->child; c; c = c->next) {
        const char *why = check_sums(c);
        if (why) return why;
        tensors += c->tensors;
        elements += c->elements;
        bytes += c->bytes;
        types |= c->types;
    }
    return tensors != n->tensors || elements != n->elements || bytes != n->bytes || types != n->types
               ? "the children are not the whole"
               : NULL;
}

struct leaf_sum {
    uint64_t tensors, elements, bytes;
};

static bool leaves_match(const struct leaf_sum *sums, const struct fold_node *n)
{
    for (const struct fold_node *c = n->child; c; c = c->next) {
        const struct leaf_sum *s = &sums[c->leaf];
        bool own =
            c->child || (s->tensors == c->tensors && s->elements == c->elements && s->bytes == c->bytes);
        if (!own || !leaves_match(sums, c)) return false;
    }
    return true;
}

/* Do the tensors of each leaf, by leaf_of, sum to it? */
static bool check_leaves(const struct room *x)
{
    struct leaf_sum *sums = calloc(x->f.leaf_count + 1, sizeof *sums);
    assert_non_null(sums);
    for (size_t i = 0; i < x->r.count; i++) {
        const numel_tensor *t = &x->r.tensors[i];
        assert_true(x->f.leaf_of[i] < x->f.leaf_count);
        struct leaf_sum *s = &sums[x->f.leaf_of[i]];
        s->tensors++;
        s->elements += t->elements;
        s->bytes += t->bytes;
    }
    bool ok = leaves_match(sums, x->f.root);
    free(sums);
    return ok;
}

static const char *check_fold(const struct room *x)
{
    uint64_t elements = 0, bytes = 0;
    for (size_t i = 0; i < x->r.count; i++) {
        elements += x->r.tensors[i].elements;
        bytes += x->r.tensors[i].bytes;
    }
    const struct fold_node *top = x->f.root;
    if (top->tensors != x->r.count || top->elements != elements || top->bytes != bytes)
        return "the top is not the whole";
    return check_leaves(x) ? check_sums(top) : "a leaf is not the sum of its tensors";
}

/* clang-format off */
static const struct row {
    const char *about, *tensors[12], *tree;
} rows[] = {
    { "nothing", { NULL }, "" },
    { "one", { "0 F32 2,3 a" }, "a|1|1|1|6|24|6|F32\n" },
    { "a range", { "0 F32 2 l.0.w", "0 F32 2 l.1.w", "0 F32 2 l.2.w" },
      "l.[0-2].w|3|3|3|6|24|2|F32\n" },
    { "in any order, 2 before 10",
      { "0 F32 1 l.10.w", "0 F32 1 l.9.w", "0 F32 1 l.2.w", "0 F32 1 l.11.w" },
      "l.[2,9-11].w|4|4|4|4|16|1|F32\n" },
    { "not neighbours",
      { "0 F32 2 l.0.w", "0 F32 3 l.1.w", "0 F32 2 l.2.w", "0 F32 3 l.3.w", "0 F32 2 l.4.w",
        "0 F32 3 l.5.w" },
      "l|1|1|6|15|60|15|F32\n  [0,2,4].w|3|3|3|6|24|2|F32\n  [1,3,5].w|3|3|3|9|36|3|F32\n" },
    { "experts in layers",
      { "0 F32 4 l.0.e.0.w", "0 F32 4 l.0.e.1.w", "0 F32 4 l.0.e.2.w", "0 F32 2 l.0.norm",
        "0 F32 4 l.1.e.0.w", "0 F32 4 l.1.e.1.w", "0 F32 4 l.1.e.2.w", "0 F32 2 l.1.norm" },
      "l.[0-1]|2|2|8|28|112|14|F32\n  e.[0-2].w|3|6|6|24|96|4|F32\n  norm|1|2|2|4|16|2|F32\n" },
    { "both of a chain repeat",
      { "0 F32 4 l.0.0.w", "0 F32 4 l.0.1.w", "0 F32 4 l.1.0.w", "0 F32 4 l.1.1.w" },
      "l.[0-1]|2|2|4|16|64|8|F32\n  [0-1].w|2|4|4|16|64|4|F32\n" },
    { "one expert more is another structure",
      { "0 F32 1 l.0.0.w", "0 F32 1 l.1.0.w", "0 F32 1 l.1.1.w", "0 F32 1 l.2.0.w" },
      "l|1|1|4|4|16|4|F32\n  [0,2].0.w|2|2|2|2|8|1|F32\n  1.[0-1].w|2|2|2|2|8|1|F32\n" },
    { "a bias more is another structure",
      { "0 F32 2 l.0.w", "0 F32 2 l.1.w", "0 F32 1 l.1.b", "0 F32 2 l.2.w" },
      "l|1|1|4|7|28|7|F32\n  [0,2].w|2|2|2|4|16|2|F32\n  1|1|1|2|3|12|3|F32\n"
      "    b|1|1|1|1|4|1|F32\n    w|1|1|1|2|8|2|F32\n" },
    { "as many elements, another shape",
      { "0 F32 2,3 l.0.w", "0 F32 3,2 l.1.w", "0 F32 6 l.2.w" },
      "l|1|1|3|18|72|18|F32\n  0.w|1|1|1|6|24|6|F32\n  1.w|1|1|1|6|24|6|F32\n"
      "  2.w|1|1|1|6|24|6|F32\n" },
    { "a scalar is not a vector of one", { "0 F32 - l.0.w", "0 F32 1 l.1.w", "0 F32 - l.2.w" },
      "l|1|1|3|3|12|3|F32\n  [0,2].w|2|2|2|2|8|1|F32\n  1.w|1|1|1|1|4|1|F32\n" },
    { "types may differ", { "0 F32 2 l.0.w", "0 F16 2 l.1.w", "0 U8 2 l.2.w" },
      "l.[0-2].w|3|3|3|6|14|2|F32+F16+U8\n" },
    { "more than three are counted",
      { "0 F32 2 l.0.w", "0 F16 2 l.1.w", "0 U8 2 l.2.w", "0 F64 2 l.3.w" },
      "l.[0-3].w|4|4|4|8|30|2|4 types\n" },
    { "a leaf that others begin with", { "0 F32 2 a", "0 F32 3 a.b" },
      "a|1|1|2|5|20|5|F32\n  |1|1|1|2|8|2|F32\n  b|1|1|1|3|12|3|F32\n" },
    { "such leaves fold", { "0 F32 2 l.0", "0 F32 3 l.0.b", "0 F32 2 l.1", "0 F32 3 l.1.b" },
      "l.[0-1]|2|2|4|10|40|5|F32\n  |1|2|2|4|16|2|F32\n  b|1|2|2|6|24|3|F32\n" },
    { "a name in two files", { "0 F32 2 a", "1 F32 2 a", "1 F32 1 b" },
      "a|1|1|1|2|8|2|F32\na|1|1|1|2|8|2|F32\nb|1|1|1|1|4|1|F32\n" },
    { "a name in two files, numbered", { "0 F32 2 l.0", "1 F32 2 l.0" },
      "l.[0,0]|2|2|2|4|16|2|F32\n" },
    { "a layer in two files", { "0 F32 2 l.0.w", "1 F32 2 l.0.w", "0 F32 2 l.1.w" },
      "l|1|1|3|6|24|6|F32\n  0|1|1|2|4|16|4|F32\n    w|1|1|1|2|8|2|F32\n    w|1|1|1|2|8|2|F32\n"
      "  1.w|1|1|1|2|8|2|F32\n" },
    { "007 is not an index", { "0 F32 2 l.007.w", "0 F32 2 l.8.w", "0 F32 2 l.9.w" },
      "l.[007,8-9].w|3|3|3|6|24|2|F32\n" },
    { "1, 01, 2", { "0 F32 2 l.01.w", "0 F32 2 l.1.w", "0 F32 2 l.2.w", "0 F32 2 l.00.w" },
      "l.[00,1,01,2].w|4|4|4|8|32|2|F32\n" },
    { "numbers beyond 64 bits",
      { "0 F32 1 l.18446744073709551614.w", "0 F32 1 l.18446744073709551615.w",
        "0 F32 1 l.18446744073709551616.w", "0 F32 1 l.18446744073709551617.w" },
      "l.[18446744073709551614-18446744073709551615,18446744073709551616,18446744073709551617].w"
      "|4|4|4|4|16|1|F32\n" },
    { "seven ranges are shown",
      { "0 F32 1 l.0", "0 F32 1 l.2", "0 F32 1 l.4", "0 F32 1 l.6", "0 F32 1 l.8",
        "0 F32 1 l.10", "0 F32 1 l.12" },
      "l.[0,2,4,6,8,10,12]|7|7|7|7|28|1|F32\n" },
    { "of nine, six and the last",
      { "0 F32 1 l.0", "0 F32 1 l.2", "0 F32 1 l.4", "0 F32 1 l.6", "0 F32 1 l.8",
        "0 F32 1 l.10", "0 F32 1 l.12", "0 F32 1 l.14", "0 F32 1 l.16", "0 F32 1 l.17" },
      "l.[0,2,4,6,8,10,...16-17]|10|10|10|10|40|1|F32\n" },
    { "numbers at the top", { "0 F32 1 0.w", "0 F32 1 1.w" }, "[0-1].w|2|2|2|2|8|1|F32\n" },
    { "-1, 1e3 and 0x1 are not numbers", { "0 F32 1 -1", "0 F32 1 0x1", "0 F32 1 1e3" },
      "-1|1|1|1|1|4|1|F32\n0x1|1|1|1|1|4|1|F32\n1e3|1|1|1|1|4|1|F32\n" },
    { "empty segments", { "0 F32 1 ", "0 F32 2 .x", "0 F32 3 a..b", "0 F32 4 y." },
      "|1|1|2|3|12|3|F32\n  |1|1|1|1|4|1|F32\n  x|1|1|1|2|8|2|F32\n"
      "a..b|1|1|1|3|12|3|F32\ny.|1|1|1|4|16|4|F32\n" },
    { "nothing but dots", { "0 F32 1 ..." }, "...|1|1|1|1|4|1|F32\n" },
    { "labels are escaped", { "0 F32 1 a\n\x1b[2Jb" }, "a\\n\\x1b[2Jb|1|1|1|1|4|1|F32\n" },
};
/* clang-format on */

static void test_rows(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct room x;
        open_room(&x, &memory_malloc);
        for (size_t k = 0; rows[i].tensors[k]; k++) add_text(&x, rows[i].tensors[k]);
        assert_true(fold_build(&x.f, &x.r, &x.arena, &x.e));
        tell(&x, x.f.root->child, 0);
        buffer_char(&x.told, '\0');
        ROW(failed, strcmp(x.told.p, rows[i].tree) == 0, "%s:\n%sand not\n%s", rows[i].about, x.told.p,
            rows[i].tree);
        const char *why = check_fold(&x);
        ROW(failed, !why, "%s: %s", rows[i].about, why);
        close_room(&x);
    }
    assert_int_equal(failed, 0);
}

/* Each allocation fails in turn: NOMEM, without leaks. */
static void test_no_memory(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        bool reached = true;
        for (uint64_t k = 0; reached; k += check_every()) {
            struct check_memory m;
            struct room x;
            check_memory_init(&m, UINT64_MAX);
            open_room(&x, &m.allocator);
            for (size_t t = 0; rows[i].tensors[t]; t++) add_text(&x, rows[i].tensors[t]);
            void *filler = arena_alloc(&x.arena, x.arena.size - x.arena.used); /* a new block */
            m.fail_at = m.calls + k;
            bool ok = fold_build(&x.f, &x.r, &x.arena, &x.e);
            reached = m.calls > m.fail_at;
            ROW(failed, ok == !reached && x.e.code == (ok ? NUMEL_OK : NUMEL_E_NOMEM), "%s: allocation %llu",
                rows[i].about, (unsigned long long)k);
            ROW(failed, ok || (filler && !x.f.root), "%s: a tree on failure", rows[i].about);
            close_room(&x);
            ROW(failed, m.outstanding == 0, "%s: a leak", rows[i].about);
        }
    }
    assert_int_equal(failed, 0);
}

/* Names of 60 to 70 segments: everything deeper than 64 becomes one segment, and nothing is lost. */
static void test_deep(void **state)
{
    const numel_dtype *u8 = dtype_safetensors(text_of("U8"));
    unsigned failed = 0;
    (void)state;
    for (size_t n = 60; n <= 70; n++)
        for (int digit = 0; digit < 2; digit++) { /* 0.0.0...: each level numbered */
            struct room x;
            char name[160] = "";
            open_room(&x, &memory_malloc);
            for (size_t i = 0; i < 2 * n - 1; i++) name[i] = i & 1 ? '.' : digit ? '0' : 'a';
            assert_true(add(&x, text_of(name), u8, (uint64_t[]){ 3 }, 1, 0));
            name[2 * n - 2]++; /* a sibling at the deepest level */
            assert_true(add(&x, text_of(name), u8, (uint64_t[]){ 5 }, 1, 0));
            assert_true(fold_build(&x.f, &x.r, &x.arena, &x.e));
            const struct fold_node *top = x.f.root->child, *c = top->child;
            const char *why = check_fold(&x);
            ROW(failed, !why && !top->next && c && c->next && !c->next->next, "%zu deep: %s", n,
                why ? why : "not one node with two");
            size_t whole = c ? strlen(top->label) + 1 + strlen(c->label) : 0;
            ROW(failed, whole == strlen(name), "%zu deep: labels of %zu", n, whole);
            close_room(&x);
        }
    assert_int_equal(failed, 0);
}

/* 64 kinds of numbered siblings fold, the tail is unchanged: 140 of 70 shapes, each twice, give 64 pairs
 * and 12 single ones. */
static void test_kinds(void **state)
{
    struct room x;
    size_t pairs = 0, single = 0;
    (void)state;
    open_room(&x, &memory_malloc);
    for (unsigned i = 0; i < 140; i++) {
        char name[16];
        snprintf(name, sizeof name, "l.%u.w", i);
        uint64_t dim = i % 70 + 1;
        assert_true(add(&x, text_of(name), dtype_safetensors(text_of("U8")), &dim, 1, 0));
    }
    assert_true(fold_build(&x.f, &x.r, &x.arena, &x.e));
    for (const struct fold_node *c = x.f.root->child->child; c; c = c->next)
        if (c->repeats == 2) pairs++;
        else single++;
    assert_int_equal(pairs, 64);
    assert_int_equal(single, 12);
    assert_null(check_fold(&x));
    close_room(&x);
}

/* 70 types with different names: 63 are distinct, the rest share a bit and still have a name. */
static void test_types(void **state)
{
    static numel_dtype types[70];
    static char names[70][16];
    struct room x;
    char text[64];
    unsigned failed = 0;
    (void)state;
    open_room(&x, &memory_malloc);
    for (unsigned i = 0; i < 70; i++) {
        snprintf(names[i], sizeof names[i], "T%u", i);
        types[i] = (numel_dtype){ .name = names[i], .block_elements = 1, .block_bytes = 1 };
        char name[2] = { (char)('0' + i), 0 }; /* sorted by name */
        assert_true(add(&x, text_of(name), &types[i], NULL, 0, 0));
    }
    assert_true(fold_build(&x.f, &x.r, &x.arena, &x.e));
    assert_int_equal(x.f.type_count, FOLD_TYPES);
    assert_true(x.f.root->types == UINT64_MAX);
    for (unsigned i = 0; i < FOLD_TYPES; i++) {
        fold_types(&x.f, (uint64_t)1 << i, text, sizeof text);
        ROW(failed, strcmp(text, x.f.types[i]->name) == 0, "type %u: '%s'", i, text);
    }
    fold_types(&x.f, (uint64_t)1 << FOLD_TYPES, text, sizeof text);
    ROW(failed, text[0] != 0, "a type without a name");
    fold_types(&x.f, 7, text, 5); /* truncated, never past the end */
    ROW(failed, strlen(text) == 4, "cut to '%s'", text);
    close_room(&x);
    assert_int_equal(failed, 0);
}

static void test_overflow(void **state)
{
    struct room x;
    (void)state;
    open_room(&x, &memory_malloc);
    add_text(&x, "0 U8 9223372036854775808 l.0");
    add_text(&x, "0 U8 9223372036854775807 l.1");
    assert_true(fold_build(&x.f, &x.r, &x.arena, &x.e));
    assert_true(x.f.root->bytes == UINT64_MAX);
    add_text(&x, "0 U8 1 z");
    POISON(x.f);
    assert_false(fold_build(&x.f, &x.r, &x.arena, &x.e));
    assert_int_equal(x.e.code, NUMEL_E_OVERFLOW);
    assert_null(x.f.root);
    close_room(&x);
}

/* 200,000 siblings: quadratic code would need minutes; `shapes` of them differ. */
static void test_many(void **state)
{
    enum { MANY = 200000 };
    static const struct {
        const char *prefix, *suffix;
        unsigned shapes;
        size_t nodes; /* at the siblings' level; 0: not checked */
    } many[] = { { "l.", ".w", 1, 1 },     { "l.", "", 2, 2 },        { "l.", ".w", MANY, MANY },
                 { "l.x", ".w", 1, MANY }, { "x", "", 3, MANY },      { "l.", ".0.0.0.w", 2, 2 },
                 { "", "", 1, 1 },         { "a.b.c.d.", "", 64, 64 } };
    const numel_dtype *u8 = dtype_safetensors(text_of("U8"));
    unsigned failed = 0;
    (void)state;
    for (size_t r = 0; r < ROWS_OF(many); r++) {
        struct room x;
        size_t nodes = 0;
        open_room(&x, &memory_malloc);
        for (unsigned i = 0; i < MANY; i++) {
            char name[64];
            uint64_t dim = i % many[r].shapes + 1;
            snprintf(name, sizeof name, "%s%u%s", many[r].prefix, i, many[r].suffix);
            assert_true(add(&x, text_of(name), u8, &dim, 1, 0));
        }
        assert_true(fold_build(&x.f, &x.r, &x.arena, &x.e));
        const struct fold_node *c = x.f.root->child;
        if (!c->next && c->child) c = c->child;
        for (; c; c = c->next) nodes++;
        const char *why = check_fold(&x);
        ROW(failed, !why && nodes == many[r].nodes, "row %zu: %zu nodes, %s", r, nodes, why);
        close_room(&x);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),  cmocka_unit_test(test_no_memory), cmocka_unit_test(test_deep),
        cmocka_unit_test(test_kinds), cmocka_unit_test(test_types),     cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
