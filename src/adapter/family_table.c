/*
 * family_table.c -- families.table, read when an adapter asks what it may be made for.
 *
 * A list of names begins with "names LABEL". Behind it stands a tree: each line is a piece of a name, one space further
 * in than what it continues, and a row where sizes stand behind it: out, in (0: any), stacked experts, 1 for a bias. A family says
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

#include <stdio.h>
#include <string.h>

enum { LEVELS = 16, NAME_BYTES = 1024, VALUES = 26, MOST_LAYERS = 1000 };

struct names_list {
    numel_str label, lines;
    size_t rows;
    const char *arch; /* of the first family that has these names */
    struct names_list *earlier;
};

struct encoder {
    numel_str name;
    const struct family_row *rows;
    const struct encoder *earlier;
};

struct table {
    struct arena *arena;
    numel_str rest;
    struct names_list *names;       /* the last */
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
    *line = text_from(*line, past);
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
    for (size_t i = 0; i < s.n && at < NAME_BYTES; i++) name->text[at++] = s.p[i];
    return at;
}

/* Returns where the name ends with this piece of the level; pieces of the next level go behind it and a dot. */
static size_t put_piece(struct name *name, size_t level, numel_str piece, const struct values *v)
{
    size_t at = name->starts[level];
    for (const char *brace; (brace = memchr(piece.p, '{', piece.n)) != NULL;) {
        size_t n = (size_t)(brace - piece.p) + 1;
        at = put(name, at, (numel_str){ piece.p, n });
        piece = text_from(piece, n);
        if (!piece.n || !is_letter(piece.p[0])) continue;
        at = put(name, at, v->words[piece.p[0] - 'a']);
        piece = text_from(piece, 1);
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
        r->bias = size_of(text_word(&line), &v) != 0;
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
    struct names_list *list = t->names;
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
                                  .parts = { rows },
                                  .label = label,
                                  .values = line };
    for (unsigned i = 1; i < FAMILY_PARTS; i++) f->parts[i] = encoder_rows(t, text_word(&encoders));
    if (list && !list->arch) list->arch = f->arch;
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
        if (text_starts(line, "names ")) read_names(&t, text_from(line, 6));
        else read_family(&t, line);
    }
    if (!a->families && !a->arena->failed) a->families = t.first, a->family_names = t.names;
    return a->families;
}

/* ---- families of other sizes ---------------------------------------------------------------- */

/* What the letters of a list stand for in an adapter: sizes, and how many layers. */
struct solving {
    struct adapter *a;
    const struct names_list *list;
    uint64_t sizes[VALUES]; /* 0: not met */
    uint64_t rows[VALUES];  /* in how many of its rows */
    uint64_t layers, width;
    bool braces[VALUES]; /* it counts layers */
};

static bool is_symbol(numel_str word) { return word.n == 1 && is_letter(word.p[0]); }

/* Is the size of a row what modules have? A letter is what the first of them has. */
static bool bind_size(struct solving *s, numel_str word, uint64_t size, bool table)
{
    const struct values none = { .words = { { NULL, 0 } } };
    if (size == 0 || word.n == 0) return true;
    if (!is_symbol(word)) return size_of(word, &none) == size || size_of(word, &none) == 0;
    uint64_t *own = &s->sizes[word.p[0] - 'a'];
    if (*own && *own != size) return false;
    *own = size;
    s->rows[word.p[0] - 'a']++;
    return table || size % 8 == 0;
}

/* All modules of one row: of one size, both ways. False: one is of another; *met: there were any. */
static bool bind_row(struct solving *s, numel_str pattern, numel_str sizes, bool *met)
{
    const struct adapter_module *first = NULL;
    const char *text = arena_text(s->a->arena, pattern.p, pattern.n);
    for (size_t i = 0; text && i < s->a->module_count; i++) {
        const struct adapter_module *m = &s->a->modules[i];
        if (!family_module_is(text, m->name)) continue;
        if (first && (first->out != m->out || first->in != m->in)) return false;
        first = m;
    }
    *met = first != NULL;
    if (!first) return true;
    if (first->out == 0 || first->in == 0 || first->lesser) return false; /* too little to say whose */
    numel_str out = text_word(&sizes), in = text_word(&sizes);
    bool table = family_is_table(first->name);
    return bind_size(s, out, first->out, table) && bind_size(s, in, first->in, table);
}

/* The first number that stands alone in a name; MOST_LAYERS: there is none, or none so small. */
static uint64_t first_number(numel_str name)
{
    for (size_t i = 1; i < name.n; i++) {
        uint64_t number = 0;
        size_t d = i;
        while (d < name.n && d < i + 4 && name.p[d] >= '0' && name.p[d] <= '9')
            number = number * 10 + (uint64_t)(name.p[d++] - '0');
        if (name.p[i - 1] == '.' && d > i && d < name.n && name.p[d] == '.')
            return number < MOST_LAYERS ? number : MOST_LAYERS;
    }
    return MOST_LAYERS;
}

/* All layers are changed, from the first, as nothing else says how many there are; or as many as the configuration says, or just
 * those. */
static bool count_blocks(struct solving *s)
{
    bool met[MOST_LAYERS] = { false };
    uint64_t first = MOST_LAYERS, count = 0;
    int64_t told = 0;
    for (size_t i = 0; i < s->a->module_count; i++) {
        uint64_t number = first_number(s->a->modules[i].name);
        if (number == MOST_LAYERS) continue;
        count += !met[number];
        met[number] = true;
        if (number < first) first = number;
        if (number + 1 > s->layers) s->layers = number + 1;
    }
    const json_value *listed = json_get(s->a->config, "layers_to_transform");
    (void)json_integer(json_get(s->a->config, "num_layers"), &told);
    bool whole = first == 0 || (told > 0 && (uint64_t)told == count);
    return count &&
           ((whole && count == s->layers - first) || json_first(listed) || json_kind(listed) == JSON_NUMBER);
}

/* Letters in names count layers, from 0 to the last that is met; one letter does in a list that is taken here. */
static bool count_layers(struct solving *s)
{
    unsigned letters = 0;
    for (size_t i = 0; i + 2 < s->list->lines.n; i++) {
        const char *p = s->list->lines.p + i;
        if (*p != '{' || !is_letter(p[1])) continue;
        letters += !s->braces[p[1] - 'a'];
        s->braces[p[1] - 'a'] = true;
    }
    return letters == 1 && count_blocks(s);
}

/* "2048 0-15 512": what the letters stand for, in their order. */
NUMEL_MUST static const char *values_text(const struct solving *s)
{
    const char *text = "";
    for (unsigned i = 0; i < VALUES && text; i++) {
        if (s->braces[i]) text = arena_format(s->a->arena, "%s 0-%" PRIu64, text, s->layers - 1);
        else text = arena_format(s->a->arena, "%s %" PRIu64, text, s->sizes[i]);
    }
    return text;
}

/* Binds the letters of all rows that the adapter touches; false: it is not of these names, or of no sizes that go
 * together: the width, which stands in most rows, must be met in two of them. */
static bool solve_rows(struct solving *s)
{
    struct name name = { .starts = { 0 } };
    struct values v = { .words = { { NULL, 0 } } };
    char layers[32];
    size_t n = text_format(layers, sizeof layers, "0-%" PRIu64, num_left(s->layers, 1));
    unsigned rows = 0, widest = 0;
    for (unsigned i = 0; i < VALUES; i++) v.words[i] = (numel_str){ layers, n };
    for (numel_str lines = s->list->lines; lines.n;) {
        numel_str line = text_line(&lines);
        size_t level = strspn(line.p, " ");
        size_t length = put_piece(&name, level < LEVELS ? level : LEVELS - 1, text_word(&line), &v);
        bool met = false;
        if (line.n && !bind_row(s, (numel_str){ name.text, length }, line, &met)) return false;
        rows += met;
    }
    for (unsigned i = 1; i < VALUES; i++)
        if (s->rows[i] > s->rows[widest]) widest = i;
    s->width = s->sizes[widest];
    return rows > 1 && s->rows[widest] > 1;
}

/* Has a family that is known all of these sizes, and others layers? Then it is none of another. */
static bool is_known_size(const struct solving *s)
{
    for (const struct adapter_family *f = s->a->families; f; f = f->next) {
        numel_str values = f->values;
        bool same = text_same(f->label, s->list->label);
        for (unsigned i = 0; same && i < VALUES; i++) {
            numel_str own = text_word(&values);
            same = s->braces[i] || s->sizes[i] == 0 ||
                   size_of(own, &(struct values){ .words = { { NULL, 0 } } }) == s->sizes[i];
        }
        if (same) return true;
    }
    return false;
}

/* The family of this list at the sizes of the adapter; NULL: it is not of these names. *known: only its layers are others. */
static struct adapter_family *solve_list(struct adapter *a, const struct names_list *list, bool *known)
{
    struct solving s = { .a = a, .list = list };
    char width[TEXT_NUMBER];
    if (!list->arch || !count_layers(&s) || !solve_rows(&s)) return NULL;
    const char *values = values_text(&s);
    struct adapter_family *f = arena_alloc(a->arena, sizeof *f);
    if (!values || !f) return NULL;
    text_number(width, s.width);
    *f = (struct adapter_family){ .arch = list->arch, .version = "-" };
    f->name = arena_format(a->arena, "%s of width %s, %" PRIu64 " layers", list->arch, width, s.layers);
    f->parts[0] = read_rows(a->arena, list, text_of(values));
    bool fits = f->name && f->parts[0] && family_fits(a, f);
    *known |= fits && is_known_size(&s);
    return fits ? f : NULL;
}

void families_solve(struct adapter *a)
{
    bool known = false;
    for (const struct names_list *list = a->family_names; list && !known; list = list->earlier) {
        struct adapter_family *f = solve_list(a, list, &known);
        if (!f) continue;
        f->next = (struct adapter_family *)(uintptr_t)a->family_solved; /* the first of the table first */
        a->family_solved = f;
    }
    if (known) a->family_solved = NULL;
}
