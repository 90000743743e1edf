/*
 * test_bases.c -- bases.table: each family expands without an error, and its line states the sizes of all
 * its matrices.
 */
#include "../support/t.h"

#include "adapter/family_parts.h"
#include "base/memory.h"
#include "base/text.h"

/* True if "4096x11008" is one of the words. */
static bool lists(numel_str sizes, const struct family_row *r)
{
    char size[64];
    snprintf(size, sizeof size, "%" PRIu64 "x%" PRIu64, r->out, r->in);
    return text_lists(sizes, text_of(size));
}

static int unlisted(const struct adapter_family *f, const char *name)
{
    int failed = 0;
    ROW(failed, f->parts[0] && f->parts[0]->pattern, "%s has no weights", name);
    for (const struct family_row *r = f->parts[0]; r && r->pattern; r++)
        ROW(failed, r->in < 2 || lists(f->sizes, r), "%s: %s of %" PRIu64 "x%" PRIu64, name, r->pattern,
            r->out, r->in);
    return failed;
}

static void sizes_are_those_of_the_table(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, &memory_malloc);
    struct adapter a = { .arena = &arena };
    struct library *l;
    numel_error e = { 0 };
    int failed = 0, families = 0;
    assert_true(library_open(&l, &memory_malloc, &e));
    assert_non_null(families_of(&a));
    for (struct adapter_family *f = a.families; f; f = f->next, families++) {
        expand_family(f, l, f->arch != NULL, &arena);
        failed += unlisted(f, f->name);
        for (unsigned i = 1; i < FAMILY_PARTS; i++)
            if (f->encoders[i]) failed += unlisted(f->encoders[i], f->encoders[i]->name);
    }
    library_free(l);
    arena_done(&arena);
    assert_int_equal(failed, 0);
    assert_true(families > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(sizes_are_those_of_the_table) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
