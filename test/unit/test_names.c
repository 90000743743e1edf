/*
 * test_names.c -- the index by name: entered names are found, removed ones leave no trace in any order,
 * whatever the hashes and however often the table grew in between.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/hash.h"
#include "base/names.h"
#include "base/text.h"

struct item { /* the name comes first, as names.h requires; padding makes the stride matter */
    numel_str name;
    uint64_t mark;
    char text[24];
};

enum { MANY = 4096 };
static struct item items[MANY];

static void call_it(size_t i, const char *prefix, unsigned n)
{
    POISON(items[i]);
    snprintf(items[i].text, sizeof items[i].text, "%s%u", prefix, n);
    items[i].name = text_of(items[i].text);
}

static void room_for(struct names *n, const numel_allocator *m, size_t count)
{
    numel_error e;
    error_clear(&e);
    memset(n, 0xAA, sizeof *n);
    names_init(n, m, sizeof(struct item));
    assert_true(names_reserve(n, count, &e));
}

static void test_nothing(void **state)
{
    struct names n;
    (void)state;
    POISON(n);
    names_init(&n, &memory_malloc, sizeof(struct item));
    assert_true(names_find(&n, NULL, text_of("a")) == NAMES_ABSENT);
    assert_true(names_find(&n, items, text_of("")) == NAMES_ABSENT);
    names_done(&n);
    names_done(&n); /* calling it twice is allowed */
}

/* Names that differ in length, in a byte after NUL, at the end of an eight-byte word, or not at all. */
static void test_rows(void **state)
{
    static const struct {
        numel_str name;
        uint32_t number; /* index of the first item with that name */
    } rows[] = {
        { { "", 0 }, 0 },          { { "\0", 1 }, 1 },        { { "\0\0", 2 }, 2 },
        { { "a", 1 }, 3 },         { { "a\0", 2 }, 4 },       { { "a\0b", 3 }, 5 },
        { { "12345678", 8 }, 6 },  { { "123456789", 9 }, 7 }, { { "12345678\0", 9 }, 8 },
        { { "1234567", 7 }, 9 },   { { "a", 1 }, 3 },         { { "", 0 }, 0 },
        { { "\xFF\xFE", 2 }, 12 }, { { "12345679", 8 }, 13 },
    };
    struct names n;
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) items[i].name = rows[i].name;
    room_for(&n, &memory_malloc, ROWS_OF(rows));
    for (size_t i = 0; i < ROWS_OF(rows); i++)
        ROW(failed, names_enter(&n, items, i) == rows[i].number, "entering %zu", i);
    for (size_t i = 0; i < ROWS_OF(rows); i++)
        ROW(failed, names_find(&n, items, rows[i].name) == rows[i].number, "finding %zu", i);
    ROW(failed, names_find(&n, items, text_of("b")) == NAMES_ABSENT, "what never was");
    names_done(&n);
    assert_int_equal(failed, 0);
}

/* Grows by one, as a reader does: at most half full, a power of two, nothing lost. */
static void test_growth(void **state)
{
    struct names n;
    numel_error e;
    unsigned failed = 0;
    (void)state;
    error_clear(&e);
    names_init(&n, &memory_malloc, sizeof(struct item));
    for (size_t i = 0; i < MANY; i++) {
        call_it(i, "model.layers.", (unsigned)i);
        assert_true(names_reserve(&n, i + 1, &e));
        ROW(failed, names_enter(&n, items, i) == i, "entering %zu", i);
        ROW(failed, n.slot_count >= 2 * (i + 1) && (n.slot_count & (n.slot_count - 1)) == 0,
            "%zu slots for %zu names", n.slot_count, i + 1);
    }
    for (size_t i = 0; i < MANY; i++)
        ROW(failed, names_find(&n, items, items[i].name) == i, "finding %zu", i);
    ROW(failed, n.slot_count == 2 * MANY, "%zu slots at the end", n.slot_count);
    const struct names_slot *before = n.slots;
    assert_true(names_reserve(&n, 1, &e)); /* never shrinks; moves only to grow */
    assert_ptr_equal(before, n.slots);
    names_done(&n);
    assert_int_equal(failed, 0);
}

/* Fills items with names that all hash to the slot `home`: the worst case of a seeded table. */
static size_t collide(const struct names *n, size_t home, size_t want)
{
    size_t found = 0;
    for (unsigned k = 0; found < want; k++) {
        call_it(found, "n", k);
        numel_str name = items[found].name;
        if ((hash_bytes(name.p, name.n, n->seed) & (n->slot_count - 1)) == home) found++;
    }
    return found;
}

/* Probing wraps from the last slot to the first. */
static void test_collisions(void **state)
{
    static const size_t homes[] = { 0, 31, 62, 63 };
    unsigned failed = 0;
    (void)state;
    for (size_t h = 0; h < ROWS_OF(homes); h++) {
        struct names n;
        room_for(&n, &memory_malloc, 32);
        assert_int_equal(n.slot_count, 64);
        size_t count = collide(&n, homes[h], 33) - 1;
        for (size_t i = 0; i < count; i++) names_enter(&n, items, i);
        for (size_t i = 0; i < count; i++)
            ROW(failed, names_find(&n, items, items[i].name) == i, "home %zu: %zu", homes[h], i);
        ROW(failed, names_find(&n, items, items[count].name) == NAMES_ABSENT,
            "home %zu: one that was not entered", homes[h]);
        for (size_t gone = count; gone-- > 0;) {
            names_leave(&n, items, gone);
            for (size_t i = 0; i < count; i++)
                ROW(failed, names_find(&n, items, items[i].name) == (i < gone ? i : NAMES_ABSENT),
                    "home %zu: %zu after %zu left", homes[h], i, gone);
        }
        names_done(&n);
    }
    assert_int_equal(failed, 0);
}

/* In any order: entries after a gap are still found, at any load and across the table's end. */
static void test_leaving_anyhow(void **state)
{
    struct names n;
    unsigned failed = 0;
    (void)state;
    for (size_t count = 1; count <= 64; count++) {
        room_for(&n, &memory_malloc, count);
        for (size_t i = 0; i < count; i++) {
            call_it(i, "x", (unsigned)(1000 * count + i));
            names_enter(&n, items, i);
        }
        for (size_t k = 0, gone = 0; k < count; k++) {
            bool left[64] = { false };
            gone = (gone + 37) % count;
            for (size_t j = 0; j < count && names_find(&n, items, items[gone].name) == NAMES_ABSENT; j++)
                gone = (gone + 1) % count;
            names_leave(&n, items, gone);
            for (size_t s = 0; s < n.slot_count; s++)
                if (n.slots[s].item) left[n.slots[s].item - 1] = true;
            for (size_t i = 0; i < count; i++)
                ROW(failed, names_find(&n, items, items[i].name) == (left[i] ? i : NAMES_ABSENT),
                    "%zu of %zu after %zu left", i, count, gone);
            ROW(failed, !left[gone], "%zu of %zu did not leave", gone, count);
        }
        for (size_t s = 0; s < n.slot_count; s++) ROW(failed, n.slots[s].item == 0, "slot %zu", s);
        names_done(&n);
    }
    assert_int_equal(failed, 0);
}

/* A second item with the same name is not entered, so removing it has no effect. */
static void test_leaving_twins(void **state)
{
    enum { N = 300 };
    struct names n;
    numel_error e;
    unsigned failed = 0;
    (void)state;
    error_clear(&e);
    room_for(&n, &memory_malloc, 1);
    for (size_t i = 0; i < N; i++) {
        call_it(i, "t", (unsigned)(i % 100));
        assert_true(names_reserve(&n, i + 1, &e)); /* grows among duplicates */
        ROW(failed, names_enter(&n, items, i) == i % 100, "entering %zu", i);
    }
    for (size_t i = N; i-- > 100;) names_leave(&n, items, i);
    for (size_t i = 0; i < 100; i++)
        ROW(failed, names_find(&n, items, items[i].name) == i, "the first %zu", i);
    for (size_t i = 100; i-- > 0;) names_leave(&n, items, i);
    for (size_t s = 0; s < n.slot_count; s++) ROW(failed, n.slots[s].item == 0, "slot %zu", s);
    names_done(&n);
    assert_int_equal(failed, 0);
}

/* A known name is found; a new one is appended, zeroed after its copied name, however often the vector
 * moves. */
static void test_adding(void **state)
{
    enum { N = 500 };
    struct names n;
    struct arena a;
    struct item *all = NULL;
    size_t count = 0, cap = 0;
    numel_error e;
    unsigned failed = 0;
    (void)state;
    error_clear(&e);
    arena_init(&a, &memory_malloc);
    names_init(&n, &memory_malloc, sizeof *all);
    for (size_t i = 0; i < 2 * N; i++) {
        char name[16];
        text_format(name, sizeof name, "n%zu", i % N);
        uint32_t at = names_add(&n, &all, &count, &cap, text_of(name), i % 7 ? &a : NULL, &e);
        ROW(failed, at == i % N && count == (i < N ? i + 1 : N), "adding %zu", i);
        if (i < N && i % 7 == 0)
            all[at].name = (numel_str){ arena_text(&a, name, strlen(name)), strlen(name) };
        ROW(failed, text_equal(all[at].name, name) && all[at].mark == (i < N ? 0 : i - N + 1), "item %zu", i);
        all[at].mark = i + 1;
    }
    assert_int_equal(failed, 0);
    names_done(&n);
    memory_release(&memory_malloc, all);
    arena_done(&a);
}

/* Out of memory: the old table is unchanged. */
static void test_no_memory(void **state)
{
    struct check_memory m;
    struct names n;
    numel_error e;
    (void)state;
    check_memory_init(&m, 1);
    for (size_t i = 0; i < 32; i++) call_it(i, "k", (unsigned)i);
    room_for(&n, &m.allocator, 32);
    for (size_t i = 0; i < 32; i++) names_enter(&n, items, i);
    error_clear(&e);
    assert_false(names_reserve(&n, 33, &e));
    assert_int_equal(e.code, NUMEL_E_NOMEM);
    for (size_t i = 0; i < 32; i++) assert_int_equal(names_find(&n, items, items[i].name), i);
    error_clear(&e);
    assert_true(names_reserve(&n, 33, &e));
    for (size_t i = 0; i < 32; i++) assert_int_equal(names_find(&n, items, items[i].name), i);
    names_done(&n);
    assert_int_equal(m.outstanding, 0);
    check_memory_init(&m, 0);
    names_init(&n, &m.allocator, sizeof(struct item));
    assert_false(names_reserve(&n, 1, &e));
    assert_int_equal(e.code, NUMEL_E_NOMEM);
    assert_true(names_find(&n, items, items[0].name) == NAMES_ABSENT);
    names_done(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_growth),         cmocka_unit_test(test_collisions),
        cmocka_unit_test(test_leaving_anyhow), cmocka_unit_test(test_leaving_twins),
        cmocka_unit_test(test_adding),         cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
