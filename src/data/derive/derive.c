/*
 * derive.c -- derive FILE... > embedded.c: writes the files of src/data as one text, with the tables that
 * index it. Files of cases (fixtures/oracle) give the tensor names of classes.
 *
 * From specs and blocks, this reads what the library needs before it parses one: names, match lines, uses,
 * words. A line of a table that ends with a backslash continues in the next; the text has it joined.
 *
 *     derive.c   the text, files and tables        words.c      specs: match lines, vocabulary
 *     tell.c     what tensors identify             sidecars.c   layouts: names that identify them
 *     cases.c    cases of the truth                skeletons.c  tensor names of classes
 *     methods.c  methods of adapters               prefixes.c   prefixes.table
 *     sizes.c    a program of its own
 *     page.c     style and script of a page
 */
#include "derive.h"

#include "words.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- shared ----------------------------------------------------------------------------------- */

/* The line being read; line 0: none. */
static struct {
    const char *file;
    unsigned line;
} reading;

_Noreturn void fail(const char *where, const char *what)
{
    if (reading.line) fprintf(stderr, "%s:%u: ", reading.file, reading.line);
    fprintf(stderr, "derive: %s: %s\n", where, what);
    exit(1);
}

void *grown(void *items, size_t count, size_t *room, size_t item)
{
    if (count < *room) return items;
    *room = *room ? *room * 2 : 1024;
    items = realloc(items, *room * item);
    if (!items) fail("memory", "there is not enough");
    return items;
}

int span_order(struct span a, struct span b)
{
    int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);
    return order ? order : a.n < b.n ? -1 : a.n > b.n;
}

struct span span_of(const char *text) { return (struct span){ text, strlen(text) }; }

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

struct span word_of(struct span *line)
{
    while (line->n && strchr(" \t\r\n", *line->p)) line->p++, line->n--;
    struct span word = { line->p, 0 };
    while (word.n < line->n && !strchr(" \t\r\n", word.p[word.n])) word.n++;
    line->p += word.n, line->n -= word.n;
    return word;
}

/* ---- the text --------------------------------------------------------------------------------- */

static uint32_t text_bytes;

/* Splits the literal into pieces; avoids trigraphs. */
uint32_t put(struct span s)
{
    enum { PIECE = 2000 };
    uint32_t from = text_bytes;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (i % PIECE == 0) fputs("    \"", stdout);
        if (c == '\n' || c == '\r') fputs(c == '\n' ? "\\n" : "\\r", stdout);
        else if (strchr("\\\"?", c)) printf("\\%c", c);
        else putchar(c);
        if (i + 1 == s.n || i % PIECE == PIECE - 1) puts("\"");
    }
    text_bytes += (uint32_t)s.n;
    return from;
}

uint32_t put_name(struct span s)
{
    uint32_t from = put(s);
    puts("    \"\\000\"");
    text_bytes++;
    return from;
}

/* ---- tables ----------------------------------------------------------------------------------- */

/* A line of a table, by its first word. */
struct place {
    struct span word;
    uint32_t text, bytes;
    struct span by[TOLD_KINDS]; /* what identifies it */
};

struct lines {
    struct place *items;
    size_t count, room;
};

static struct lines defaults, classes, usual;
/* Tables that are read from first to last line, and files of one kind, concatenated. */
static struct whole {
    const char *file, *name; /* file: the ending of file names */
    uint32_t text, bytes;
} wholes[] = { { "bases.table", "bases", 0, 0 }, { "pipelines.table", "pipelines", 0, 0 },
               { "fits.table", "fits", 0, 0 },   { "roles.table", "roles", 0, 0 },
               { "cards.table", "cards", 0, 0 }, { ".product", "products", 0, 0 } };

static struct whole *whole_named(const char *file)
{
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        if (ends_with(file, wholes[i].file)) return &wholes[i];
    return NULL;
}

/* The text of KEY="..." in the line, with `key` up to the quote; n 0 if it has none. */
static struct span quoted(struct span line, const char *key)
{
    size_t n = strlen(key);
    for (size_t i = 0; i + n < line.n; i++) {
        if (memcmp(line.p + i, key, n) != 0) continue;
        const char *from = line.p + i + n, *end = memchr(from, '"', line.n - i - n);
        return (struct span){ from, end ? (size_t)(end - from) : 0 };
    }
    return (struct span){ NULL, 0 };
}

/* The row counts of token tables, from usual.table. */
static struct {
    uint32_t *items;
    size_t count, room;
} token_counts;

static void add_counts(struct span words)
{
    for (struct span word; (word = word_of(&words)).n && *word.p != '#';) {
        token_counts.items =
            grown(token_counts.items, token_counts.count, &token_counts.room, sizeof *token_counts.items);
        if (*word.p != '-') token_counts.items[token_counts.count++] = (uint32_t)strtoul(word.p, NULL, 10);
    }
}

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Writes each count once, in ascending order. */
static void write_counts(void)
{
    if (token_counts.count)
        qsort(token_counts.items, token_counts.count, sizeof *token_counts.items, by_size);
    puts("const uint32_t embedded_token_counts[] = {");
    for (size_t i = 0; i < token_counts.count; i++)
        if (!i || token_counts.items[i] != token_counts.items[i - 1])
            printf("%" PRIu32 ",\n", token_counts.items[i]);
    puts("0 };");
}

size_t usual_rank(struct span model_type)
{
    size_t i = 0;
    while (i < usual.count && span_order(usual.items[i].word, model_type) != 0) i++;
    return i;
}

static void keep(struct lines *lines, struct span line, bool is_told)
{
    struct place x = { .bytes = 0 };
    if (is_told) {
        x.by[TOLD_ID] = quoted(line, " id=\"");
        x.by[TOLD_BEFORE] = quoted(line, " before=\"");
    }
    x.text = put(line);
    x.bytes = (uint32_t)line.n;
    x.word = word_of(&line);
    put(span_of("\n"));
    lines->items = grown(lines->items, lines->count, &lines->room, sizeof x);
    lines->items[lines->count++] = x;
}

static bool is(struct span s, const char *text) { return span_order(s, span_of(text)) == 0; }

/* Turns `spec CLASS KEY=JSON...` of a product into a line of defaults, CLASS.ID CLASS KEY=JSON... */
static void size_line(const char *file, struct span line)
{
    static char id[80];
    struct span word = word_of(&line), class = line;
    if (is(word, "product")) {
        word = word_of(&line);
        if ((size_t)snprintf(id, sizeof id, "%.*s", (int)word.n, word.p) >= sizeof id)
            fail(file, "an id is too long");
    }
    if (!is(word, "spec")) return;
    class = word_of(&class);
    size_t room = class.n + strlen(id) + line.n + 2;
    char *own = malloc(room);
    if (!own) fail(file, "there is not enough memory");
    int n = snprintf(own, room, "%.*s.%s%.*s", (int)class.n, class.p, id, (int)line.n, line.p);
    keep(&defaults, (struct span){ own, (size_t)n }, false);
}

/* Checks a line of bases.table: it opens a family or an encoder, or belongs to one. A family may only name
 * encoders above it. */
static void check_base(struct span line)
{
    enum { MOST = 64 };
    static const char *const words[] = { "family", "encoder", "aka", "arch", "encoders", "spec", "control" };
    static struct span encoders[MOST];
    static size_t count, families;
    struct span word = word_of(&line);
    size_t i = 0;
    while (i < sizeof words / sizeof *words && !is(word, words[i])) i++;
    families += i < 2;
    if (!families || i == sizeof words / sizeof *words) fail("bases", "a line begins with another word");
    if (i == 1 && count < MOST) encoders[count++] = word_of(&line);
    while (i == 4 && (word = word_of(&line)).n) {
        size_t k = 0;
        while (k < count && span_order(encoders[k], word) != 0) k++;
        if (k == count) fail("bases", "unknown encoder");
    }
}

static void table_line(const char *file, struct span line)
{
    bool told = !strcmp(file, "timm.table") || !strcmp(file, "open_clip.table");
    struct whole *whole = whole_named(file);
    struct span rest = line, word = word_of(&rest);
    if (!word.n || *word.p == '#' || (ends_with(file, ".product") && is(word, "spec"))) return;
    if (strcmp(file, "bases.table") == 0) check_base(line);
    if (whole) {
        uint32_t at = put(line);
        put(span_of("\n"));
        if (!whole->bytes) whole->text = at;
        if (at != whole->text + whole->bytes) fail(file, "must be next to the lines of its kind");
        whole->bytes += (uint32_t)line.n + 1;
    } else if (strcmp(file, "usual.table") == 0) keep(&usual, line, false), add_counts(rest);
    else keep(strcmp(file, "classes.table") == 0 ? &classes : &defaults, line, told);
}

static int by_word(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = span_order(x->word, y->word);
    return order ? order : x->text < y->text ? -1 : x->text > y->text;
}

static void write_lines(struct lines *lines, const char *table, const char *count)
{
    if (lines->count) qsort(lines->items, lines->count, sizeof *lines->items, by_word);
    printf("const struct embedded_default embedded_%s[] = {\n", table);
    for (size_t i = 0; i < lines->count; i++) {
        const struct place *x = &lines->items[i];
        printf("    { %" PRIu32 ", %" PRIu32 " },\n", x->text, x->bytes);
        if (x->by[TOLD_ID].n) tell(x->text, x->bytes, x->by);
    }
    printf("    { 0, 0 } };\nconst uint32_t embedded_%s_count = %zu;\n", count, lines->count);
}

/* ---- aliases ---------------------------------------------------------------------------------- */

/* NAME@OTHER of some class, and the reverse. */
static struct alias {
    struct span name, other;
    uint32_t name_at, other_at;
    size_t order;
} * aliases;
static size_t alias_count, alias_room;

static void add_alias(struct alias x)
{
    for (size_t i = 0; i < alias_count; i++)
        if (span_order(aliases[i].name, x.name) == 0 && span_order(aliases[i].other, x.other) == 0) return;
    aliases = grown(aliases, alias_count, &alias_room, sizeof x);
    x.order = alias_count;
    aliases[alias_count++] = x;
}

static void add_aliases(const struct place *line)
{
    const char *start = line->word.p;
    struct span rest = { start, line->bytes };
    for (struct span word; (word = word_of(&rest)).n;) {
        size_t n = 0;
        while (n < word.n && !strchr("@=>~!/", word.p[n])) n++;
        if (n == word.n || word.p[n] != '@') continue;
        struct span name = { word.p, n }, other = { word.p + n + 1, word.n - n - 1 };
        uint32_t a = line->text + (uint32_t)(name.p - start), b = line->text + (uint32_t)(other.p - start);
        add_alias((struct alias){ name, other, a, b, 0 });
        add_alias((struct alias){ other, name, b, a, 0 });
    }
}

static int by_name(const void *a, const void *b)
{
    const struct alias *x = a, *y = b;
    int order = span_order(x->name, y->name);
    return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

/* Sorted by the first name, then in the order of the sorted lines of classes. */
static void write_aliases(void)
{
    for (size_t i = 0; i < defaults.count; i++) add_aliases(&defaults.items[i]);
    if (alias_count) qsort(aliases, alias_count, sizeof *aliases, by_name);
    puts("const struct embedded_alias embedded_aliases[] = {");
    for (size_t i = 0; i < alias_count; i++) {
        const struct alias *x = &aliases[i];
        printf("    { %" PRIu32 ", %" PRIu32 ", %zu, %zu },\n", x->name_at, x->other_at, x->name.n,
               x->other.n);
    }
    printf("    { 0, 0, 0, 0 } };\nconst uint32_t embedded_alias_count = %zu;\n", alias_count);
}

/* ---- files ------------------------------------------------------------------------------------ */

char *read_whole(const char *path, size_t *n)
{
    enum { BLOCK = 65536 };
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, got;
    reading.file = path, reading.line = 0;
    if (!f) fail(path, "cannot be opened");
    *n = 0;
    do {
        if (room - *n < BLOCK) text = realloc(text, room += room + BLOCK);
        if (!text) fail("memory", "there is not enough");
        *n += got = fread(text + *n, 1, BLOCK, f);
    } while (got);
    if (ferror(f)) fail(path, "cannot be read");
    fclose(f);
    return text;
}

/* The next line, without its end; continued lines are joined in place. */
static bool next_line(char **at, char *end, struct span *line)
{
    char *to = *at;
    *line = (struct span){ *at, 0 };
    if (*at == end) {
        reading.line = 0;
        return false;
    }
    for (;;) {
        char *stop = memchr(*at, '\n', (size_t)(end - *at));
        size_t n = (size_t)((stop ? stop : end) - *at);
        bool on = stop && n && stop[-1] == '\\';
        n -= on;
        memmove(to, *at, n);
        to += n;
        line->n += n;
        *at = stop ? stop + 1 : end;
        reading.line++;
        if (!on) return true;
        while (*at < end && **at == ' ') ++*at;
    }
}

static void read_table(const char *path, void (*read)(const char *file, struct span line))
{
    const char *slash = strrchr(path, '/');
    size_t n;
    char *at = read_whole(path, &n), *end = at + n;
    for (struct span line; next_line(&at, end, &line);) read(slash ? slash + 1 : path, line);
}

static void read_text(const char *path)
{
    size_t n;
    const char *text = read_whole(path, &n);
    words_read(path, (struct span){ text, n });
}

/* Passes on all lines of the files with this ending, in pass `turn`. */
static void each_line(char **paths, const char *end, void (*line_fn)(struct span, int), int turn)
{
    for (; *paths; paths++) {
        size_t n;
        if (!ends_with(*paths, end)) continue;
        char *at = read_whole(*paths, &n), *stop = at + n;
        for (struct span line; next_line(&at, stop, &line);) line_fn(line, turn);
    }
}

/* Writes the rows in four passes: values, then other tensors; in each, complete parts of names, then ends
 * of parts. */
static void write_sidecars(char **paths)
{
    puts("#include \"formula/layout.h\"\nconst struct embedded_sidecar embedded_sidecars[] = {");
    for (int turn = 0; turn < 4; turn++) each_line(paths, ".layout", sidecars_line, turn);
    puts("};\nconst uint32_t embedded_sidecar_count = sizeof embedded_sidecars / sizeof *embedded_sidecars;");
}

static void write_methods(char **paths)
{
    puts("#include \"model/meaning.h\"\nconst struct meaning_row embedded_method_names[] = {");
    each_line(paths, ".adapter", methods_line, METHOD_NAMES);
    puts("    { .glob = NULL } };\nconst struct method_part embedded_method_parts[] = {");
    each_line(paths, ".adapter", methods_line, METHOD_PARTS_OF);
    puts("    { .tail = NULL } };\nconst struct method_form embedded_method_forms[] = {");
    each_line(paths, ".adapter", methods_line, METHOD_FORMS);
    puts("    { .out = NULL } };");
}

static void write_prefixes(const char *path)
{
    size_t n;
    char *at = read_whole(path, &n), *end = at + n;
    puts("#include \"registry/prefixes.h\"\nconst struct prefix embedded_prefixes[] = {");
    for (struct span line; next_line(&at, end, &line);) prefixes_line(line);
    puts("};\nconst uint32_t embedded_prefix_count = sizeof embedded_prefixes / sizeof *embedded_prefixes;");
}

/* Files of src/page: the page's style and script. */
static bool is_of_page(const char *path) { return ends_with(path, ".css") || ends_with(path, ".js"); }

static void write_page(char **paths)
{
    puts("#include \"page/files.h\"");
    page_files(paths, ".css", "style");
    page_files(paths, ".js", "script");
}

int main(int argc, char **argv)
{
    const char *prefixes = NULL;
    puts("/* Made by derive: the files of src/data, and their index. */\n#include \"formula/embedded.h\"\n\n"
         "static const char text[] =");
    for (int i = 1; i < argc; i++)
        if (ends_with(argv[i], "/prefixes.table")) prefixes = argv[i];
        else if (ends_with(argv[i], ".table") || ends_with(argv[i], ".product"))
            read_table(argv[i], table_line);
        else if (ends_with(argv[i], ".jsonl.zst")) skeletons_read(argv[i]);
        else if (!ends_with(argv[i], ".adapter") && !is_of_page(argv[i])) read_text(argv[i]);
    for (int i = 1; i < argc; i++)
        if (ends_with(argv[i], ".product")) read_table(argv[i], size_line);
    uint32_t skeletons = skeletons_put();
    words_put();
    puts(";\nconst char *const embedded_text = text;");
    words_write(text_bytes);
    write_lines(&defaults, "defaults", "default");
    write_aliases();
    write_lines(&classes, "classes", "class");
    write_lines(&usual, "usual", "usual");
    printf("const uint32_t embedded_told_classes = %" PRIu32 ";\n", skeletons);
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        printf("const uint32_t embedded_%s = %" PRIu32 ", embedded_%s_bytes = %" PRIu32 ";\n", wholes[i].name,
               wholes[i].text, wholes[i].name, wholes[i].bytes);
    write_counts();
    write_told();
    write_sidecars(argv + 1);
    write_methods(argv + 1);
    write_page(argv + 1);
    if (prefixes) write_prefixes(prefixes);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
