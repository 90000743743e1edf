/*
 * test_members.c -- finding tensors by the numbers in their names: a run finds what the name table finds,
 * in tables with holes, duplicate names, distant numbers and numbers that are text.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/text.h"
#include "registry/members.h"

#include <stdlib.h>

static void add(struct registry *r, const char *name)
{
    numel_error e = { .code = NUMEL_OK };
    numel_tensor t = { .name = text_of(arena_text(r->arena, name, strlen(name))) };
    assert_true(t.name.p && registry_add(r, &t, &e));
}

static void number(struct registry *r, struct members *m, struct arena *a)
{
    numel_error e = { .code = NUMEL_OK };
    assert_true(registry_commit_firsts(r, &e));
    assert_true(members_make(m, r, a, &e));
}

/* ---- which names are a run -------------------------------------------------------------------- */

static const struct {
    const char *name, *next;
    uint32_t i;
    bool run;
} rows[] = {
    { "l.0.e.0.w", "l.0.e.1.w", 0, true },
    { "l.1.e.0.w", "l.1.e.1.w", 0, true },   /* even if no tensor of it exists */
    { "l.0.e.0.w", "l.1.e.0.w", 0, true },   /* counts by the other number */
    { "l.0.e.1.w", "l.0.e.2.w", 1, true },   /* starts at the second */
    { "l.0.e.0.w", "l.1.e.1.w", 0, false },  /* two numbers differ */
    { "l.0.e.0.w", "l.0.e.2.w", 0, false },  /* steps of two */
    { "l.0.e.0.w", "l.0.e.1.v", 0, false },  /* another pattern */
    { "l.0.e.1.w", "l.0.e.0.w", 0, false },  /* in descending order */
    { "l.0.e.1.w", "l.0.e.2.w", 0, false },  /* the number is not i */
    { "l.0.e.00.w", "l.0.e.1.w", 0, false }, /* a leading zero is text */
    { "l.0.x.0.w", "l.0.x.1.w", 0, false },  /* not a pattern of the table */
    { "far.0.w", "far.1.w", 0, false },      /* distant numbers are unknown */
    { "b_0.w", "b_1.w", 0, true },           /* next to an underscore, too */
};

static void test_runs(void **state)
{
    static const char *const names[] = { "l.0.e.0.w", "l.0.e.1.w",        "l.2.e.3.w", "l.0.e.1.v",
                                         "far.0.w",   "far.4000000000.w", "b_1.w",     "b_0.w" };
    struct registry r;
    struct arena a;
    struct members m;
    unsigned failed = 0;
    (void)state;
    arena_init(&a, &memory_malloc);
    registry_init(&r, &a);
    for (size_t i = 0; i < ROWS_OF(names); i++) add(&r, names[i]);
    number(&r, &m, &a);
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct members_run run;
        bool is = members_run(&m, text_of(rows[i].name), text_of(rows[i].next), rows[i].i, &run);
        ROW(failed, is == rows[i].run, "%s and %s: %s", rows[i].name, rows[i].next, is ? "a run" : "none");
    }
    assert_int_equal(failed, 0);
    registry_done(&r);
    arena_done(&a);
}

/* ---- what runs find --------------------------------------------------------------------------- */

enum { TABLES = 500, NAMES = 60, MOST = 6 };

static void write_name(char out[64], unsigned shape, unsigned x, unsigned y)
{
    switch (shape) {
    case 0: (void)snprintf(out, 64, "l.%u.e.%u.w", x, y); break;
    case 1: (void)snprintf(out, 64, "l.%u.e.%u.v", x, y); break;
    case 2: (void)snprintf(out, 64, "m_%u.%u", x, y); break;
    default: (void)snprintf(out, 64, "%u.q.%u", x, y);
    }
}

/* Every run of the table, by its first and its second number, against the name table. */
static unsigned compare(const struct registry *r, const struct members *m)
{
    unsigned found = 0;
    for (unsigned shape = 0; shape < 4; shape++)
        for (unsigned fixed = 0; fixed < MOST; fixed++)
            for (unsigned slot = 0; slot < 2; slot++) {
                char name[64], next[64];
                struct members_run run;
                write_name(name, shape, slot ? fixed : 0, slot ? 0 : fixed);
                write_name(next, shape, slot ? fixed : 1, slot ? 1 : fixed);
                if (!members_run(m, text_of(name), text_of(next), 0, &run)) continue;
                for (uint32_t i = 0; i < MOST + 3; i++) {
                    write_name(name, shape, slot ? fixed : i, slot ? i : fixed);
                    const numel_tensor *t = registry_find(r, text_of(name));
                    uint32_t wanted = t ? (uint32_t)(t - r->tensors) : NAMES_ABSENT;
                    assert_int_equal(members_at(m, &run, i), wanted);
                    found += t != NULL;
                }
            }
    return found;
}

static void test_random(void **state)
{
    unsigned found = 0;
    (void)state;
    srand(14);
    for (unsigned table = 0; table < TABLES; table++) {
        struct registry r;
        struct arena a;
        struct members m;
        arena_init(&a, &memory_malloc);
        registry_init(&r, &a);
        for (unsigned i = 0; i < NAMES; i++) { /* some appear twice: the first one counts */
            char name[64];
            write_name(name, (unsigned)rand() % 4, (unsigned)rand() % MOST, (unsigned)rand() % MOST);
            add(&r, name);
        }
        number(&r, &m, &a);
        found += compare(&r, &m);
        registry_done(&r);
        arena_done(&a);
    }
    assert_true(found > TABLES * NAMES / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_runs), cmocka_unit_test(test_random) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
