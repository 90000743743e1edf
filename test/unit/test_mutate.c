/* test_mutate.c -- mutations of specifications, and the ledger of those that may survive. Expected results
 * were written by hand, from the list in mutate.h. */
#include "../support/ledger.h"
#include "../support/mutate.h"
#include "../support/t.h"

#include <stdlib.h>
#include <unistd.h>

static const char text[] = "arch x\n"
                           "let E = cfg(\"e\")  # lin is no line here\n"
                           "if E > 1 && true   # why\n"
                           "  lin a.q  a.q  b  E*(H + 1) E  bias=has(\"x y\") stack=N opt\n"
                           "else if E == 1\n"
                           "end\n"
                           "extra mtp if=m\n"
                           "  raw r - b 2 gguf=[A,(B+1)] tied=t of=q if=u T\n"
                           "end\n"
                           "oneof\n"
                           "  emb a a - V E\n"
                           "or\n"
                           "  emb b b - V E\n"
                           "end\n"
                           "cache k K*D per token window=W if=u\n"
                           "cache shared if=!u\n"
                           "choose variant n=N\n"
                           " row \"x\" 2\n"
                           "end\n";

struct wanted {
    uint32_t line;
    const char *what, *with; /* the whole line with the mutant in it; NULL if it spans several lines */
};

static const struct wanted wanted[] = {
    { 3, "condition", "if !(E > 1 && true)   # why" },
    { 4, "delete", "" },
    { 4, "dim 1", "  lin a.q  a.q  b  (E*(H + 1))+1 E  bias=has(\"x y\") stack=N opt" },
    { 4, "dim 2", "  lin a.q  a.q  b  E*(H + 1) (E)+1  bias=has(\"x y\") stack=N opt" },
    { 4, "bias", "  lin a.q  a.q  b  E*(H + 1) E  bias=!(has(\"x y\")) stack=N opt" },
    { 4, "stack", "  lin a.q  a.q  b  E*(H + 1) E  bias=has(\"x y\") stack=(N)+1 opt" },
    { 4, "opt", "  lin a.q  a.q  b  E*(H + 1) E  bias=has(\"x y\") stack=N " },
    { 5, "condition", "else if !(E == 1)" },
    { 7, "if", "extra mtp if=!(m)" },
    { 8, "delete", "" },
    { 8, "dim 1", "  raw r - b (2)+1 gguf=[A,(B+1)] tied=t of=q if=u T" },
    { 8, "gguf dim 1", "  raw r - b 2 gguf=[(A)+1,(B+1)] tied=t of=q if=u T" },
    { 8, "gguf dim 2", "  raw r - b 2 gguf=[A,((B+1))+1] tied=t of=q if=u T" },
    { 8, "tied", "  raw r - b 2 gguf=[A,(B+1)] tied=!(t) of=q if=u T" },
    { 8, "if", "  raw r - b 2 gguf=[A,(B+1)] tied=t of=q if=!(u) T" },
    { 8, "T", "  raw r - b 2 gguf=[A,(B+1)] tied=t of=q if=u " },
    { 11, "delete", "" },
    { 11, "dim 1", "  emb a a - (V)+1 E" },
    { 11, "dim 2", "  emb a a - V (E)+1" },
    { 10, "alternative 1", NULL },
    { 13, "delete", "" },
    { 13, "dim 1", "  emb b b - (V)+1 E" },
    { 13, "dim 2", "  emb b b - V (E)+1" },
    { 12, "alternative 2", NULL },
    { 15, "delete", "" },
    { 15, "size", "cache k (K*D)+1 per token window=W if=u" },
    { 15, "step", "cache k K*D per token window=(W)+1 if=u" },
    { 15, "if", "cache k K*D per token window=W if=!(u)" },
    { 16, "delete", "" },
    { 16, "if", "cache shared if=!(!u)" },
};

/* Line `number` of p, terminated in place. */
static char *line_of(char *p, uint32_t number)
{
    while (--number && p) p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL;
    if (p) p[strcspn(p, "\n")] = '\0';
    return p;
}

static unsigned count_lines(const char *p)
{
    unsigned n = 0;
    for (; *p; p++) n += *p == '\n';
    return n;
}

static void test_mistakes(void **state)
{
    unsigned failed = 0;
    struct mutants all;
    (void)state;
    mutants_init(&all);
    mutants_of(&all, "x.spec", (numel_str){ text, sizeof text - 1 }, mutate_spec_kinds);
    assert_int_equal(all.count, ROWS_OF(wanted));
    for (size_t i = 0; i < all.count; i++) {
        const struct mutant *m = &all.items[i];
        size_t n;
        char *p = mutant_text(m, (numel_str){ text, sizeof text - 1 }, &n);
        ROW(failed, strlen(p) == n && count_lines(p) == count_lines(text), "%zu: lines", i);
        ROW(failed, !strcmp(m->what, wanted[i].what) && m->number == wanted[i].line, "%zu: %s, %u", i,
            m->what, m->number);
        const char *line = wanted[i].with ? line_of(p, m->number) : NULL;
        ROW(failed, !line || !strcmp(line, wanted[i].with), "%zu: '%s'", i, line);
        free(p);
    }
    mutants_done(&all);
    assert_int_equal(failed, 0);
}

static void test_alternatives(void **state)
{
    struct mutants all;
    size_t n;
    (void)state;
    mutants_init(&all);
    mutants_of(&all, "x.spec", (numel_str){ text, sizeof text - 1 }, mutate_spec_kinds);
    char *first = mutant_text(&all.items[19], (numel_str){ text, sizeof text - 1 }, &n);
    assert_non_null(strstr(first, "oneof\n\n\n  emb b b - V E\nend\n"));
    assert_string_equal(all.items[19].line, "emb a a - V E");
    char *second = mutant_text(&all.items[23], (numel_str){ text, sizeof text - 1 }, &n);
    assert_non_null(strstr(second, "oneof\n  emb a a - V E\n\n\nend\n"));
    assert_string_equal(all.items[23].line, "emb b b - V E");
    free(first);
    free(second);
    mutants_done(&all);
}

static void write_text(const char *path, const char *p)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(p, f);
    fclose(f);
}

static void test_ledger(void **state)
{
    char path[] = "/tmp/numel-ledger-XXXXXX", back[300] = "";
    struct ledger l;
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    close(fd);
    write_text(path, "# why\na.spec: delete: lin x\na.spec: dim 1: lin x\n    old files\n"
                     "b.spec: if: lin y\n    never\n");
    ledger_load(&l, path);
    ledger_judged(&l, "a.spec");
    assert_true(ledger_meet(&l, "a.spec", "dim 1", "lin x", NULL));
    assert_false(ledger_meet(&l, "a.spec", "dim 2", "lin x", NULL));
    assert_int_equal(ledger_stale(&l), 1); /* the deletion; b.spec was not judged */
    assert_true(ledger_meet(&l, "a.spec", "dim 2", "lin x", "new"));
    ledger_write(&l, path);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    back[fread(back, 1, sizeof back - 1, f)] = '\0';
    fclose(f);
    assert_string_equal(back, "# why\na.spec: dim 1: lin x\n    old files\na.spec: dim 2: lin x\n    new\n"
                              "b.spec: if: lin y\n    never\n");
    ledger_free(&l);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_alternatives),
        cmocka_unit_test(test_ledger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
