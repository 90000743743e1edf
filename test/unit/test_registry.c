/*
 * test_registry.c -- the table of tensors: what it finds, refuses and rolls back, and that half a million
 * names cost no more than they must.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/text.h"
#include "registry/dtype.h"
#include "registry/finding.h"
#include "registry/registry.h"

#include <stdlib.h>

struct room {
    struct arena arena;
    struct registry r;
    numel_error e;
};

static void open_room(struct room *x)
{
    memset(&x->e, 0, sizeof x->e);
    arena_init(&x->arena, &memory_malloc);
    registry_init(&x->r, &x->arena);
}

static void close_room(struct room *x)
{
    registry_done(&x->r);
    arena_done(&x->arena);
}

static bool add(struct room *x, numel_str name, uint64_t elements, uint32_t file)
{
    numel_tensor t = { .name = { arena_copy(&x->arena, name.p, name.n), name.n },
                       .dtype = dtype_safetensors(text_of("U8")),
                       .elements = elements,
                       .bytes = elements,
                       .offset = x->r.count,
                       .file = file };
    return registry_add(&x->r, &t, &x->e);
}

static bool commit(struct room *x, size_t *first, size_t *second)
{
    *first = *second = SIZE_MAX / 2;
    return registry_commit(&x->r, first, second, &x->e);
}

/* Tools list the rules: each has its own sentence. */
static void test_words(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (unsigned i = 0; i < FINDING_RULES; i++) {
        numel_severity severity;
        const char *about, *other;
        const char *code = finding_rule_at(i, &severity, &about);
        ROW(failed, text_ends(text_of(about), "."), "%s is about '%s'", code, about);
        for (unsigned k = 0; k < i && finding_rule_at(k, &severity, &other); k++)
            ROW(failed, strcmp(about, other) != 0, "%s and another are about '%s'", code, about);
    }
    numel_severity severity;
    const char *about;
    assert_null(finding_rule_at(FINDING_RULES, &severity, &about));
    assert_int_equal(failed, 0);
}

static void test_finding(void **state)
{
    struct room x;
    size_t a, b;
    (void)state;
    open_room(&x);
    assert_null(registry_find(&x.r, text_of("a")));
    assert_true(add(&x, text_of("a"), 1, 0));
    assert_true(add(&x, text_of(""), 2, 0));
    assert_true(add(&x, (numel_str){ "a\0x", 3 }, 4, 0));
    assert_true(add(&x, (numel_str){ "a\0y", 3 }, 8, 0));
    assert_true(commit(&x, &a, &b));
    assert_int_equal(registry_find(&x.r, text_of("a"))->elements, 1);
    assert_int_equal(registry_find(&x.r, text_of(""))->elements, 2);
    assert_int_equal(registry_find(&x.r, (numel_str){ "a\0y", 3 })->elements, 8);
    assert_null(registry_find(&x.r, text_of("b")));
    uint64_t sum;
    POISON(sum);
    assert_true(registry_stored(&x.r, &sum, &x.e));
    assert_int_equal(sum, 15);
    close_room(&x);
}

static void test_duplicates(void **state)
{
    struct room x;
    size_t a, b;
    (void)state;
    open_room(&x);
    assert_true(add(&x, text_of("a"), 1, 0));
    assert_true(add(&x, text_of("b"), 1, 0));
    assert_true(add(&x, text_of("c"), 1, 0));
    assert_true(add(&x, text_of("b"), 1, 0));
    assert_false(commit(&x, &a, &b));
    assert_int_equal(x.e.code, NUMEL_E_DUPLICATE);
    assert_int_equal(a, 1);
    assert_int_equal(b, 3);
    close_room(&x);
}

/* A name may repeat across files: it is marked, and lookup finds the first. */
static void test_files(void **state)
{
    struct room x;
    size_t a, b;
    (void)state;
    open_room(&x);
    assert_true(add(&x, text_of("a"), 1, 0) && add(&x, text_of("b"), 1, 0));
    assert_true(commit(&x, &a, &b));
    assert_true(add(&x, text_of("c"), 1, 1) && add(&x, text_of("a"), 5, 1));
    assert_true(commit(&x, &a, &b));
    assert_int_equal(x.r.tensors[3].flags & NUMEL_REPEATED, NUMEL_REPEATED);
    assert_int_equal(x.r.tensors[0].flags & NUMEL_REPEATED, 0);
    assert_int_equal(registry_find(&x.r, text_of("a"))->elements, 1);
    close_room(&x);
}

/* A file that turns out to be bad leaves no trace, committed or not. */
static void test_rollback(void **state)
{
    struct room x;
    size_t a, b;
    (void)state;
    open_room(&x);
    assert_true(add(&x, text_of("keep"), 1, 0) && commit(&x, &a, &b));
    for (int committed = 0; committed < 2; committed++) {
        char name[16];
        for (int i = 0; i < 500; i++) {
            snprintf(name, sizeof name, "t%d", i);
            assert_true(add(&x, text_of(name), 1, 1));
        }
        if (committed) assert_true(commit(&x, &a, &b));
        registry_rollback(&x.r, 1);
        assert_int_equal(x.r.count, 1);
        assert_null(registry_find(&x.r, text_of("t0")));
        assert_null(registry_find(&x.r, text_of("t499")));
        assert_non_null(registry_find(&x.r, text_of("keep")));
    }
    assert_true(add(&x, text_of("t0"), 1, 1) && commit(&x, &a, &b)); /* available again */
    close_room(&x);
}

static void test_overflow(void **state)
{
    struct room x;
    uint64_t sum = 0;
    size_t a, b;
    (void)state;
    open_room(&x);
    assert_true(add(&x, text_of("a"), UINT64_MAX - 1, 0) && add(&x, text_of("b"), 1, 0));
    assert_true(commit(&x, &a, &b) && registry_stored(&x.r, &sum, &x.e));
    assert_true(sum == UINT64_MAX);
    assert_true(add(&x, text_of("c"), 1, 0) && commit(&x, &a, &b));
    assert_false(registry_stored(&x.r, &sum, &x.e));
    assert_int_equal(x.e.code, NUMEL_E_OVERFLOW);
    close_room(&x);
}

static void test_order(void **state)
{
    static const char *const names[] = { "l.10.w", "l.2.w", "a", "l.1.w" };
    static const uint64_t elements[] = { 5, 50, 500, 1 };
    static const struct {
        numel_sort by;
        uint32_t order[4];
    } rows[] = { { NUMEL_SORT_NAME, { 2, 3, 1, 0 } }, { NUMEL_SORT_OFFSET, { 0, 1, 2, 3 } } };
    struct room x;
    size_t a, b;
    (void)state;
    open_room(&x);
    for (size_t i = 0; i < 4; i++) assert_true(add(&x, text_of(names[i]), elements[i], 0));
    assert_true(commit(&x, &a, &b));
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        uint32_t *order = NULL;
        assert_true(registry_order(&x.r, rows[i].by, &order, &x.e));
        assert_memory_equal(order, rows[i].order, sizeof rows[i].order);
        memory_release(&memory_malloc, order);
    }
    uint32_t *order = NULL; /* largest first: the usual reason to sort by size */
    assert_true(registry_order(&x.r, NUMEL_SORT_ELEMENTS, &order, &x.e));
    assert_int_equal(order[0], 2);
    assert_int_equal(order[3], 3);
    memory_release(&memory_malloc, order);
    close_room(&x);
}

/* Quadratic code would need minutes for this. Timing would be flaky; the test's own duration is not. */
static void test_many(void **state)
{
    enum { MANY = 500000 };
    struct room x;
    size_t a, b;
    char name[64];
    (void)state;
    open_room(&x);
    assert_true(registry_reserve(&x.r, MANY, &x.e));
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "model.layers.%u.mlp.experts.%u.w", i / 1000, i % 1000);
        assert_true(add(&x, text_of(name), 1, 0));
    }
    assert_true(commit(&x, &a, &b));
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "model.layers.%u.mlp.experts.%u.w", i / 1000, i % 1000);
        assert_ptr_equal(registry_find(&x.r, text_of(name)), &x.r.tensors[i]);
    }
    close_room(&x);
}

/* A rollback also removes findings that were only counted; otherwise the file after an abandoned one would
 * report too many. */
static void test_findings_forgotten(void **state)
{
    struct arena a;
    struct findings f;
    (void)state;
    arena_init(&a, &memory_malloc);
    findings_init(&f, &a);
    struct findings_mark before = findings_mark(&f);
    for (int i = 0; i < FINDINGS_EACH + 50; i++)
        findings_add(&f, FINDING_ENTRY_FORM, "a", (numel_str){ NULL, 0 }, 0, "%d", i);
    assert_int_equal(f.count, FINDINGS_EACH);
    findings_rollback(&f, &before);
    findings_close(&f);
    assert_int_equal(f.count, 0);
    findings_done(&f);
    arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finding),
        cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_rollback),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_findings_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
