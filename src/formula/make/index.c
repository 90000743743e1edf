/*
 * index.c -- what a file without a configuration is looked up in, made while the library is built.
 *
 *     index < LINES >> embedded.c
 *
 * A line of LINES, which embed.awk writes, is a line of a table: where it lies in the text, and what tells it.
 *
 *     TEXT BYTES [names LETTERS] [id HEX] [before HEX]
 *
 * LETTERS are digests of names, ascending, five letters each, as mkskeletons.py writes them; HEX is a number of eight digits,
 * as mktimm.py makes it. Out come the tables of embedded.h, as integers of C: their bytes are in the order of whoever reads them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LETTERS = 5, DIGITS = 8 };
static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-";
static const char *const kinds[] = { "names", "id", "before" }; /* as enum told has them */
enum { NAMES, KINDS = sizeof kinds / sizeof *kinds };

/* A line has a number of that kind. */
struct entry {
    uint32_t kind, number, line;
};

struct entries {
    struct entry *items;
    size_t count, room;
    uint32_t lines;
};

static void fail(const struct entries *e, const char *what)
{
    fprintf(stderr, "index: line %" PRIu32 ": %s\n", e->lines + 1, what);
    exit(1);
}

static void add(struct entries *e, uint32_t kind, uint32_t number)
{
    if (e->count == e->room) {
        e->room = e->room ? e->room * 2 : 1024;
        e->items = realloc(e->items, e->room * sizeof *e->items);
        if (!e->items) fail(e, "no memory");
    }
    e->items[e->count++] = (struct entry){ kind, number, e->lines };
}

/* How many digests there are. */
static unsigned add_names(struct entries *e, const char *text)
{
    unsigned n = 0;
    for (uint32_t last = 0; *text; n++) {
        uint32_t x = 0;
        for (int i = 0; i < LETTERS; i++) {
            const char *at = *text ? strchr(letters, *text++) : NULL;
            if (!at) fail(e, "bad digest of a name");
            else x = x << 6 | (uint32_t)(at - letters);
        }
        if (n && x <= last) fail(e, "digests do not ascend");
        add(e, NAMES, last = x);
    }
    return n;
}

static void add_number(struct entries *e, const char *kind, const char *text)
{
    uint32_t k = NAMES + 1;
    while (k < KINDS && strcmp(kind, kinds[k]) != 0) k++;
    if (k == KINDS) fail(e, "unknown kind of number");
    if (strlen(text) != DIGITS || strspn(text, "0123456789abcdef") != DIGITS) fail(e, "bad number");
    add(e, k, (uint32_t)strtoul(text, NULL, 16));
}

static void read_line(struct entries *e, char *line)
{
    const char *text = strtok(line, " \n"), *bytes = strtok(NULL, " \n"), *kind, *value;
    unsigned names = 0;
    if (!text || !bytes) fail(e, "no place");
    while ((kind = strtok(NULL, " \n"))) {
        if (!(value = strtok(NULL, " \n"))) fail(e, "no value");
        else if (strcmp(kind, kinds[NAMES]) == 0) names += add_names(e, value);
        else add_number(e, kind, value);
    }
    printf("    { %s, %s, %u },\n", text, bytes, names);
    if (++e->lines > UINT16_MAX) fail(e, "too many lines");
}

static int ascending(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void write_numbers(const struct entries *e)
{
    uint32_t n = 0, first[KINDS + 1] = { 0 };
    puts("const struct embedded_number embedded_told_numbers[] = {");
    for (size_t i = 0; i < e->count; i++) {
        const struct entry *x = &e->items[i];
        if (i && x->kind == x[-1].kind && x->number == x[-1].number) continue;
        printf("    { %" PRIu32 "u, %zu },\n", x->number, i);
        for (uint32_t k = x->kind + 1; k <= KINDS; k++) first[k] = n + 1;
        n++;
    }
    printf("    { 0, %zu } };\nconst uint32_t embedded_told_kinds[] = {\n", e->count);
    for (int k = 0; k <= KINDS; k++) printf("    %" PRIu32 ",\n", first[k]);
    puts("};");
}

int main(void)
{
    struct entries e = { 0 };
    char *line = NULL;
    size_t room = 0;
    puts("const struct embedded_told embedded_told[] = {");
    while (getline(&line, &room, stdin) > 0) read_line(&e, line);
    printf("    { 0, 0, 0 } };\nconst uint32_t embedded_told_count = %" PRIu32 ";\n", e.lines);
    if (e.count) qsort(e.items, e.count, sizeof *e.items, ascending);
    write_numbers(&e);
    puts("const uint16_t embedded_told_by[] = {");
    for (size_t i = 0; i < e.count; i++) printf("    %" PRIu32 ",\n", e.items[i].line);
    puts("    0 };");
    free(line);
    free(e.items);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
