/*
 * tell.c -- the tables that identify a file without configuration: lines by the names and shapes of its
 * tensors.
 *
 * They have digests of names, and numbers made from names and shapes, each with the lines that have it. The
 * tables are integers in C, so their byte order is that of the target.
 */
#include "derive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 8 };

/* A line has this number of this kind. */
struct entry {
    uint32_t kind, number, line;
};

struct line {
    uint32_t text, bytes, names;
};

static struct {
    struct entry *entries;
    size_t entry_count, entry_room;
    struct line *lines;
    size_t line_count, line_room;
} told;

static void add(uint32_t kind, uint32_t number)
{
    told.entries = grown(told.entries, told.entry_count, &told.entry_room, sizeof *told.entries);
    told.entries[told.entry_count++] = (struct entry){ kind, number, (uint32_t)told.line_count };
}

static void add_number(uint32_t kind, struct span s)
{
    uint32_t x = 0;
    if (s.n != DIGITS) fail("id", "a number has eight digits");
    for (size_t i = 0; i < s.n; i++) {
        static const char hex[] = "0123456789abcdef";
        const char *at = memchr(hex, s.p[i], sizeof hex - 1);
        if (!at) fail("id", "not a digit of a number");
        x = x << 4 | (uint32_t)(at - hex);
    }
    add(kind, x);
}

static void add_line(uint32_t text, uint32_t bytes, uint32_t names)
{
    told.lines = grown(told.lines, told.line_count, &told.line_room, sizeof *told.lines);
    told.lines[told.line_count++] = (struct line){ text, bytes, names };
    if (told.line_count > UINT16_MAX) fail("tables", "more lines than 16 bits can count");
}

void tell_names(uint32_t text, uint32_t bytes, const uint32_t *digests, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) add(TOLD_NAMES, digests[i]);
    add_line(text, bytes, count);
}

void tell(uint32_t text, uint32_t bytes, const struct span by[TOLD_KINDS])
{
    for (uint32_t k = TOLD_NAMES + 1; k < TOLD_KINDS; k++)
        if (by[k].n) add_number(k, by[k]);
    add_line(text, bytes, 0);
}

static int ascending(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void write_numbers(void)
{
    uint32_t n = 0, first[TOLD_KINDS + 1] = { 0 };
    puts("const struct embedded_number embedded_told_numbers[] = {");
    for (size_t i = 0; i < told.entry_count; i++) {
        const struct entry *x = &told.entries[i];
        if (i && x->kind == x[-1].kind && x->number == x[-1].number) continue;
        printf("    { %" PRIu32 "u, %zu },\n", x->number, i);
        for (uint32_t k = x->kind + 1; k <= TOLD_KINDS; k++) first[k] = n + 1;
        n++;
    }
    printf("    { 0, %zu } };\nconst uint32_t embedded_told_kinds[] = {\n", told.entry_count);
    for (int k = 0; k <= TOLD_KINDS; k++) printf("    %" PRIu32 ",\n", first[k]);
    puts("};");
}

void write_told(void)
{
    puts("const struct embedded_told embedded_told[] = {");
    for (size_t i = 0; i < told.line_count; i++) {
        const struct line *x = &told.lines[i];
        printf("    { %" PRIu32 ", %" PRIu32 ", %" PRIu32 " },\n", x->text, x->bytes, x->names);
    }
    printf("    { 0, 0, 0 } };\nconst uint32_t embedded_told_count = %zu;\n", told.line_count);
    if (told.entry_count) qsort(told.entries, told.entry_count, sizeof *told.entries, ascending);
    write_numbers();
    puts("const uint16_t embedded_told_by[] = {");
    for (size_t i = 0; i < told.entry_count; i++) printf("    %" PRIu32 ",\n", told.entries[i].line);
    puts("    0 };");
}
