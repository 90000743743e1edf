/*
 * words.c -- writes what the library needs from all specs before it parses one.
 *
 * A file is called by its name without the ending; an architecture is a spec with an `arch` line, which has
 * the same name. Match lines are indexed by field and word. Each word ([A-Za-z0-9_-]+) has a list of the
 * files that contain it, up to their first `print` line.
 */
#include "words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ------------------------------------------------------------------------------------ */

struct file {
    const char *path;
    struct span name, file, family;
    struct span *uses;
    size_t use_count, use_room;
    uint32_t text, bytes, spec_bytes, name_at, file_at, family_at, rank;
    const char *kind;
    bool is_spec, is_arch, serves_hf, seen;
};

static struct {
    struct file *items;
    struct file **by_name; /* sorted */
    size_t count, room;
} files;

static struct span ending_off(struct span file)
{
    while (file.n && file.p[file.n - 1] != '.') file.n--;
    file.n -= file.n > 0;
    return file;
}

static bool ends(struct span s, const char *end)
{
    size_t n = strlen(end);
    return s.n >= n && memcmp(s.p + s.n - n, end, n) == 0;
}

/* FAMILY/FILE at the end of a path. */
static void name_file(struct file *f)
{
    const char *slash = strrchr(f->path, '/'), *before = slash;
    if (!slash) fail(f->path, "is not in a folder");
    while (before > f->path && before[-1] != '/') before--;
    f->file = span_of(slash + 1);
    f->family = (struct span){ before, (size_t)(slash - before) };
    f->is_spec = ends(f->file, ".spec");
    f->name = f->is_spec ? ending_off(f->file) : f->file;
    f->kind = f->is_spec                                            ? "EMBEDDED_BLOCK"
              : ends(f->file, ".layout") || ends(f->file, ".forms") ? "EMBEDDED_LAYOUT"
                                                                    : "EMBEDDED_PRINT";
}

/* ---- match lines ------------------------------------------------------------------------------ */

static struct field {
    struct span side, name;
    uint32_t at;
} * fields;
static size_t field_count, field_room;

static struct key {
    size_t field, file;
    struct span word;
    uint32_t text;
} * keys;
static size_t key_count, key_room;

static size_t field_of(struct span side, struct span name)
{
    for (size_t i = 0; i < field_count; i++)
        if (span_order(fields[i].side, side) == 0 && span_order(fields[i].name, name) == 0) return i;
    fields = grown(fields, field_count, &field_room, sizeof *fields);
    fields[field_count] = (struct field){ .side = side, .name = name };
    return field_count++;
}

/* match SIDE FIELD in WORD...: records the offset of each word */
static void match_line(struct file *f, struct span line, const char *text)
{
    struct span side = word_of(&line), name = word_of(&line), word = word_of(&line);
    if (!name.n || *side.p == '#') fail(f->path, "match without a field");
    size_t field = field_of(side, name);
    if (span_order(side, span_of("hf")) == 0 && span_order(name, span_of("adapter")) != 0)
        f->serves_hf = true;
    if (word.n && *word.p != '#' && span_order(word, span_of("in")) != 0) fail(f->path, "match without in");
    while ((word = word_of(&line)).n && *word.p != '#') {
        keys = grown(keys, key_count, &key_room, sizeof *keys);
        keys[key_count++] =
            (struct key){ field, (size_t)(f - files.items), word, f->text + (uint32_t)(word.p - text) };
    }
}

/* ---- the vocabulary --------------------------------------------------------------------------- */

struct word {
    struct span text;
    uint32_t at;
    uint32_t *holders;
    size_t holder_count, holder_room;
};

static struct {
    struct word *items;
    size_t count, room;
    uint32_t *slots; /* hash table: item + 1, or 0 if free */
    size_t slot_count;
} vocabulary;

static size_t hash_of(struct span s)
{
    size_t h = 5381;
    for (size_t i = 0; i < s.n; i++) h = h * 33 + (unsigned char)s.p[i];
    return h;
}

static size_t slot_of(struct span s)
{
    size_t at = hash_of(s) % vocabulary.slot_count;
    while (vocabulary.slots[at] && span_order(vocabulary.items[vocabulary.slots[at] - 1].text, s) != 0)
        at = (at + 1) % vocabulary.slot_count;
    return at;
}

/* Keeps half of the slots free. */
static void make_slots(void)
{
    if (vocabulary.count * 2 < vocabulary.slot_count) return;
    vocabulary.slot_count = vocabulary.slot_count ? vocabulary.slot_count * 2 + 1 : 8191;
    free(vocabulary.slots);
    vocabulary.slots = calloc(vocabulary.slot_count, sizeof *vocabulary.slots);
    if (!vocabulary.slots) fail("memory", "there is not enough");
    for (size_t i = 0; i < vocabulary.count; i++)
        vocabulary.slots[slot_of(vocabulary.items[i].text)] = (uint32_t)i + 1;
}

static void hold(struct span s, uint32_t file)
{
    make_slots();
    size_t slot = slot_of(s);
    if (!vocabulary.slots[slot]) {
        vocabulary.items =
            grown(vocabulary.items, vocabulary.count, &vocabulary.room, sizeof *vocabulary.items);
        vocabulary.items[vocabulary.count] = (struct word){ .text = s };
        vocabulary.slots[slot] = (uint32_t)++vocabulary.count;
    }
    struct word *w = &vocabulary.items[vocabulary.slots[slot] - 1];
    if (w->holder_count && w->holders[w->holder_count - 1] == file) return;
    if (w->holder_count == w->holder_room) {
        w->holder_room = w->holder_room ? w->holder_room * 2 : 2;
        w->holders = realloc(w->holders, w->holder_room * sizeof *w->holders);
        if (!w->holders) fail("memory", "there is not enough");
    }
    w->holders[w->holder_count++] = file;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static void hold_words(struct span line, uint32_t file)
{
    for (size_t from = 0, i = 0; i <= line.n; i++) {
        if (i < line.n && is_letter(line.p[i])) continue;
        if (i > from) hold((struct span){ line.p + from, i - from }, file);
        from = i + 1;
    }
}

/* ---- reading ---------------------------------------------------------------------------------- */

static void spec_line(struct file *f, struct span line, const char *text)
{
    struct span rest = line, first = word_of(&rest);
    if (span_order(first, span_of("arch")) == 0 && !f->is_arch) {
        if (span_order(word_of(&rest), f->name) != 0) fail(f->path, "its arch differs from the file's name");
        f->is_arch = true;
        f->kind = "EMBEDDED_ARCH";
    }
    if (span_order(first, span_of("match")) == 0) match_line(f, rest, text);
    if (span_order(first, span_of("use")) == 0) {
        f->uses = grown(f->uses, f->use_count, &f->use_room, sizeof *f->uses);
        f->uses[f->use_count++] = word_of(&rest);
    }
    hold_words(line, (uint32_t)(f - files.items));
}

void words_read(const char *path, struct span text)
{
    files.items = grown(files.items, files.count, &files.room, sizeof *files.items);
    struct file *f = &files.items[files.count++];
    *f = (struct file){ .path = path, .text = put(text), .bytes = (uint32_t)text.n };
    name_file(f);
    if (text.n && text.p[text.n - 1] != '\n') fail(path, "its last line has no end");
    f->spec_bytes = f->bytes;
    const char *end = text.p + text.n;
    for (const char *at = text.p; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        struct span line = { at, (size_t)(stop - at) }, rest = line;
        bool print = span_order(word_of(&rest), span_of("print")) == 0;
        if (f->is_spec && print) f->spec_bytes = (uint32_t)(at - text.p);
        if (!f->is_spec || print) break;
        spec_line(f, line, text.p);
        at = stop + 1;
    }
}

/* ---- writing ---------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct file *const *x = a, *const *y = b;
    return span_order((*x)->name, (*y)->name);
}

static int name_is(const void *name, const void *file)
{
    const struct file *const *f = file;
    return span_order(*(const struct span *)name, (*f)->name);
}

static struct file *file_named(const struct file *user, struct span name)
{
    struct file **found = bsearch(&name, files.by_name, files.count, sizeof *files.by_name, name_is);
    if (!found) fail(user->path, "uses an unknown block");
    return *found;
}

/* The offset of the family's name, put with its first file. */
static uint32_t put_family(size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (span_order(files.by_name[i]->family, files.by_name[k]->family) == 0)
            return files.by_name[i]->family_at;
    return put_name(files.by_name[k]->family);
}

static void sort_files(void)
{
    files.by_name = calloc(files.count + 1, sizeof *files.by_name);
    if (!files.by_name) fail("memory", "there is not enough");
    for (size_t i = 0; i < files.count; i++) files.by_name[i] = &files.items[i];
    qsort(files.by_name, files.count, sizeof *files.by_name, by_name);
    for (size_t i = 0; i < files.count; i++) {
        files.by_name[i]->rank = (uint32_t)i;
        if (i && by_name(&files.by_name[i - 1], &files.by_name[i]) == 0)
            fail(files.by_name[i]->path, "another file has its name");
    }
}

void words_put(void)
{
    sort_files();
    for (size_t i = 0; i < files.count; i++) {
        struct file *f = files.by_name[i];
        f->name_at = put_name(f->name);
        f->file_at = put_name(f->file);
        f->family_at = put_family(i);
    }
    for (size_t i = 0; i < field_count; i++) fields[i].at = put_name(fields[i].name);
    for (size_t i = 0; i < vocabulary.count; i++) {
        vocabulary.items[i].at = put(vocabulary.items[i].text);
        put(span_of("\n"));
    }
}

static uint32_t *parts;
static size_t part_count, part_room;

/* Adds a file and all that it uses, recursively, the file itself first. */
static void add_parts(struct file *f)
{
    if (f->seen) return;
    f->seen = true;
    parts = grown(parts, part_count, &part_room, sizeof *parts);
    parts[part_count++] = f->rank;
    for (size_t i = 0; i < f->use_count; i++) add_parts(file_named(f, f->uses[i]));
}

static void write_files(void)
{
    puts("const struct embedded_file embedded_files[] = {");
    for (size_t k = 0; k < files.count; k++) {
        struct file *f = files.by_name[k];
        size_t from = part_count;
        for (size_t i = 0; i < files.count; i++) files.items[i].seen = false;
        if (f->is_arch) add_parts(f);
        printf("    { %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32
               ", %zu, %zu, %zu, %s, %d },\n",
               f->text, f->bytes, f->is_spec ? f->spec_bytes : f->bytes, f->name_at, f->file_at, f->family_at,
               from, part_count - from, f->name.n, f->kind, f->serves_hf);
    }
    printf("};\nconst uint32_t embedded_count = %zu;\nconst uint16_t embedded_parts[] = {\n", files.count);
    for (size_t i = 0; i < part_count; i++) printf("%" PRIu32 ",\n", parts[i]);
    puts("0 };");
}

static int key_order(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int order = x->field < y->field ? -1 : x->field > y->field ? 1 : span_order(x->word, y->word);
    return order ? order : x->text < y->text ? -1 : x->text > y->text;
}

static void write_keys(void)
{
    puts("const struct embedded_field embedded_fields[] = {");
    for (size_t i = 0; i < field_count; i++)
        printf("    { %" PRIu32 ", %s },\n", fields[i].at,
               span_order(fields[i].side, span_of("hf")) == 0 ? "SIDE_HF" : "SIDE_GGUF");
    printf("};\nconst uint32_t embedded_field_count = %zu;\n", field_count);
    if (key_count) qsort(keys, key_count, sizeof *keys, key_order);
    puts("const struct embedded_key embedded_keys[] = {");
    for (size_t i = 0; i < key_count; i++)
        printf("    { %" PRIu32 ", %zu, %zu, %" PRIu32 " },\n", keys[i].text, keys[i].word.n, keys[i].field,
               files.items[keys[i].file].rank);
    printf("};\nconst uint32_t embedded_key_count = %zu;\n", key_count);
}

static void write_vocabulary(uint32_t text_bytes)
{
    size_t held = 0;
    printf("const uint32_t embedded_vocabulary = %" PRIu32 ";\nconst uint32_t embedded_word_count = %zu;\n",
           vocabulary.count ? vocabulary.items[0].at : text_bytes, vocabulary.count);
    puts("const struct embedded_word embedded_words[] = {");
    for (size_t i = 0; i < vocabulary.count; i++) {
        printf("    { %" PRIu32 ", %zu },\n", vocabulary.items[i].at, held);
        held += vocabulary.items[i].holder_count;
    }
    printf("    { %" PRIu32 ", %zu } };\nconst uint16_t embedded_holders[] = {\n", text_bytes, held);
    for (size_t i = 0; i < vocabulary.count; i++)
        for (size_t k = 0; k < vocabulary.items[i].holder_count; k++)
            printf("%" PRIu32 ",\n", files.items[vocabulary.items[i].holders[k]].rank);
    puts("0 };");
}

void words_write(uint32_t text_bytes)
{
    write_files();
    write_keys();
    write_vocabulary(text_bytes);
}
