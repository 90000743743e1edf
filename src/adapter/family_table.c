/*
 * family_table.c -- families.table, read when an adapter asks what it may be made for.
 *
 * A list of names begins with "names LABEL". Behind it stands a tree: each line is a piece of a name, one space further
 * in than what it continues, and a row where sizes stand behind it: out, in (0: any) and stacked experts. A family says
 *
 *     family|NAME|VERSION|ARCH|ENCODER ENCODER ENCODER|LABEL|VALUES
 *
 * with "-" for what it has not; "encoder" instead is what families name as their encoders. Its rows are those of the
 * list that the label names, where "a" as a size and "{a}" in a name stand for the first of the values, "b" for the
 * second. The table is text, and not of C, as thousands of pointers would be work for the dynamic linker at each start.
 */
#include "adapter/adapter_internal.h"

#include "base/memory.h"
#include "base/text.h"
#include "formula/embedded.h"

#include <string.h>

enum { LEVELS = 16, NAME_BYTES = 1024, VALUES = 26 };

struct names_list {
    numel_str label, lines;
    size_t rows;
    const struct names_list *earlier;
};

struct encoder {
    numel_str name;
    const struct family_row *rows;
    const struct encoder *earlier;
};

struct table {
    struct arena *arena;
    numel_str rest;
    const struct names_list *names; /* the last */
    const struct encoder *encoders; /* the last */
    struct adapter_family *first, **end;
};

struct values {
    numel_str words[VALUES];
};

static bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

static numel_str field(numel_str *line)
{
    const char *stop = memchr(line->p, '|', line->n);
    size_t n = stop ? (size_t)(stop - line->p) : line->n, past = n + (stop != NULL);
    numel_str own = { line->p, n };
    *line = (numel_str){ line->p + past, line->n - past };
    return own;
}

static uint64_t size_of(numel_str word, const struct values *v)
{
    uint64_t size = 0;
    if (word.n == 1 && is_letter(word.p[0])) word = v->words[word.p[0] - 'a'];
    for (size_t i = 0; i < word.n; i++) size = size * 10 + (uint64_t)(word.p[i] - '0'); /* ours: small */
    return size;
}

/* ---- names ---------------------------------------------------------------------------------- */

struct name {
    char text[NAME_BYTES];
    size_t starts[LEVELS]; /* where the pieces of each level go */
};

static size_t put(struct name *name, size_t at, numel_str s)
{
    size_t n = s.n < NAME_BYTES - at ? s.n : NAME_BYTES - at;
    memcpy(name->text + at, s.p, n);
    return at + n;
}

/* Returns where the name ends with this piece of the level; pieces of the next level go behind it and a dot. */
static size_t put_piece(struct name *name, size_t level, numel_str piece, const struct values *v)
{
    size_t at = name->starts[level];
    for (const char *brace; (brace = memchr(piece.p, '{', piece.n)) != NULL;) {
        size_t n = (size_t)(brace - piece.p) + 1;
        at = put(name, at, (numel_str){ piece.p, n });
        piece = (numel_str){ piece.p + n, piece.n - n };
        if (!piece.n || !is_letter(piece.p[0])) continue;
        at = put(name, at, v->words[piece.p[0] - 'a']);
        piece = (numel_str){ piece.p + 1, piece.n - 1 };
    }
    at = put(name, at, piece);
    if (level + 1 < LEVELS) name->starts[level + 1] = put(name, at, text_of("."));
    return at;
}

static struct family_row *read_rows(struct arena *arena, const struct names_list *list, numel_str values)
{
    struct family_row *rows = arena_alloc(arena, (list->rows + 1) * sizeof *rows), *r = rows;
    struct name name = { .starts = { 0 } };
    struct values v = { .words = { { NULL, 0 } } };
    for (size_t i = 0; i < VALUES; i++) v.words[i] = text_word(&values);
    for (numel_str lines = list->lines; rows && lines.n;) {
        numel_str line = text_line(&lines);
        size_t level = strspn(line.p, " ");
        size_t n = put_piece(&name, level < LEVELS ? level : LEVELS - 1, text_word(&line), &v);
        if (!line.n) continue;
        r->pattern = arena_text(arena, name.text, n);
        r->out = size_of(text_word(&line), &v);
        r->in = size_of(text_word(&line), &v);
        r->experts = size_of(text_word(&line), &v);
        r++;
    }
    if (rows) *r = (struct family_row){ .pattern = NULL };
    return rows;
}

/* The lines of a list, up to the first family that has it. */
static void read_names(struct table *t, numel_str label)
{
    struct names_list *list = arena_alloc(t->arena, sizeof *list);
    if (!list) return;
    *list = (struct names_list){ .label = label, .lines = { t->rest.p, 0 }, .earlier = t->names };
    t->names = list;
    for (numel_str next = t->rest; next.n; t->rest = next) {
        numel_str line = text_line(&next);
        if (memchr(line.p, '|', line.n)) break;
        list->lines.n = (size_t)(next.p - list->lines.p);
        text_word(&line);
        list->rows += line.n > 0;
    }
}

/* ---- families ------------------------------------------------------------------------------- */

static const struct family_row *encoder_rows(const struct table *t, numel_str name)
{
    const struct encoder *e = t->encoders;
    while (e && !text_same(e->name, name)) e = e->earlier;
    return e ? e->rows : NULL;
}

static void read_family(struct table *t, numel_str line)
{
    bool is_family = text_equal(field(&line), "family");
    numel_str name = field(&line), version = field(&line), arch = field(&line);
    numel_str encoders = field(&line), label = field(&line);
    const struct names_list *list = t->names;
    while (list && !text_same(list->label, label)) list = list->earlier;
    const struct family_row *rows = list ? read_rows(t->arena, list, line) : NULL;
    struct encoder *e = is_family ? NULL : arena_alloc(t->arena, sizeof *e);
    struct adapter_family *f = is_family ? arena_alloc(t->arena, sizeof *f) : NULL;
    if (e) {
        *e = (struct encoder){ .name = name, .rows = rows, .earlier = t->encoders };
        t->encoders = e;
    }
    if (!f) return;
    *f = (struct adapter_family){ .name = arena_text(t->arena, name.p, name.n),
                                  .version = arena_text(t->arena, version.p, version.n),
                                  .arch = text_equal(arch, "-") ? NULL : arena_text(t->arena, arch.p, arch.n),
                                  .parts = { rows } };
    for (unsigned i = 1; i < FAMILY_PARTS; i++) f->parts[i] = encoder_rows(t, text_word(&encoders));
    *t->end = f;
    t->end = &f->next;
}

const struct adapter_family *families_of(struct adapter *a)
{
    struct table t = { .arena = a->arena,
                       .rest = { embedded_text + embedded_families, embedded_families_bytes } };
    t.end = &t.first;
    while (!a->families && t.rest.n && !a->arena->failed) {
        numel_str line = text_line(&t.rest);
        if (text_starts(line, "names ")) read_names(&t, (numel_str){ line.p + 6, line.n - 6 });
        else read_family(&t, line);
    }
    if (!a->families && !a->arena->failed) a->families = t.first;
    return a->families;
}
