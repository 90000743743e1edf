/*
 * sizes.c -- sizes > sizes.c: prints the sizes of the matrices of each family in bases.table. The build runs
 * this program in the middle: it links it with the library, because only that can expand specifications, and
 * then links the output into the library.
 */
#include "adapter/family_parts.h"
#include "base/memory.h"
#include "base/text.h"
#include "formula/embedded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Stands in for this program's output. Not read while families are expanded. */
const struct embedded_size embedded_base_sizes[] = { { 0, 0 } };
const uint32_t embedded_base_from[] = { 0 };

static _Noreturn void fail(const char *family, const char *what)
{
    fprintf(stderr, "sizes: %s: %s\n", family, what);
    exit(1);
}

/* By inputs, then by outputs. */
static int by_size(const void *a, const void *b)
{
    const struct family_row *x = a, *y = b;
    if (x->in != y->in) return x->in < y->in ? -1 : 1;
    return (x->out > y->out) - (x->out < y->out);
}

/* Prints each size once and returns how many there are. Rows with one input are not matrices. */
static uint32_t print_sizes(const struct adapter_family *f, struct arena *arena)
{
    size_t n = 0;
    uint32_t count = 0;
    while (f->parts[0] && f->parts[0][n].pattern) n++;
    if (!n) fail(f->name, "it has no weights");
    struct family_row *rows = arena_copy(arena, f->parts[0], n * sizeof *rows);
    if (!rows) fail(f->name, "there is not enough memory");
    qsort(rows, n, sizeof *rows, by_size);
    for (size_t i = 0; i < n; i++) {
        if (rows[i].in < 2 || (i && by_size(&rows[i], &rows[i - 1]) == 0)) continue;
        if (rows[i].in > UINT32_MAX || rows[i].out > UINT32_MAX)
            fail(f->name, "a size has more than 32 bits");
        printf("{ %" PRIu64 ", %" PRIu64 " },\n", rows[i].out, rows[i].in);
        count++;
    }
    return count;
}

static void check_specs(const struct adapter_family *f, const struct library *l)
{
    for (numel_str lines = f->specs; lines.n;) {
        numel_str line = next_spec_line(&lines), specs = text_word(&line);
        while (specs.n)
            if (!next_spec(l, &specs).entry) fail(f->name, "unknown specification");
    }
}

/* The n-th family or encoder in the table; NULL if there are fewer. */
static struct adapter_family *numbered(struct adapter_family *all, uint32_t n)
{
    for (struct adapter_family *f = all; f; f = f->next) {
        if (f->number == n) return f;
        for (unsigned i = 1; i < FAMILY_PARTS; i++)
            if (f->encoders[i] && f->encoders[i]->number == n) return f->encoders[i];
    }
    return NULL;
}

static void print_all(struct adapter_family *all, struct library *l, struct arena *arena)
{
    enum { MOST = 4096 };
    static uint32_t from[MOST];
    numel_error e = { 0 };
    uint32_t n = 0;
    puts("/* Made by sizes. */\n#include \"formula/embedded.h\"\n\n"
         "const struct embedded_size embedded_base_sizes[] = {");
    for (struct adapter_family *f; (f = numbered(all, n)); n++) {
        if (n + 1 == MOST) fail(f->name, "there are too many families");
        check_specs(f, l);
        expand_family(f, l, f->arch != NULL, arena, &e);
        if (!error_free(&e)) fail(f->name, e.what);
        from[n + 1] = from[n] + print_sizes(f, arena);
    }
    puts("};\nconst uint32_t embedded_base_from[] = {");
    for (uint32_t i = 0; i <= n; i++) printf("%" PRIu32 ",\n", from[i]);
    puts("};");
}

int main(void)
{
    struct arena arena;
    struct library *l;
    numel_error e = { 0 };
    arena_init(&arena, &memory_malloc);
    struct adapter a = { .arena = &arena };
    if (!library_open(&l, &memory_malloc, &e)) fail("specifications", e.what);
    if (!families_of(&a)) fail("bases.table", "there is not enough memory");
    print_all(a.families, l, &arena);
    library_free(l);
    bool failed = arena.failed;
    arena_done(&arena);
    return failed || fflush(stdout) != 0 || ferror(stdout);
}
