/*
 * html_data.c -- a report's object in the data of a page:
 *
 *     {"report":"show","main":true,"document":{...},"tables":[{"section":7,"rows":300,"columns":[
 *      {"name":"type","right":false,"words":["F16","F32"],"cells":[0,0,1,...]},...],"depths":[...]}]}
 *
 * The document is the one that the report gives as JSON. A table has the rows of a section that are too many for the
 * article; for a report of lines, which has no document, all of them, with the keys of JSON (section -1). It is written by
 * columns: as most texts of most columns repeat, a cell is the place of its text among the column's words, or the text
 * itself; a column of one text in all rows has no cells.
 *
 * The data are in an element of the page: '<' is escaped wherever it stands, so nothing in them ends the element.
 */
#include "page/html.h"

#include "base/names.h"
#include "base/text.h"

#include <string.h>

enum {
    WORDS_MOST = 4096, /* of a column; further texts are in their rows */
    WORDS_TRIED = 256, /* rows after which a column of mostly different texts has no more words */
    CELLS_A_LINE = 64
};

struct word {
    numel_str text; /* first: see names.h */
};

/* A column while the rows are read. */
struct written {
    struct word *words;
    size_t count, cap;
    struct names names;
    bool closed;         /* no more words */
    struct buffer cells; /* as JSON, between commas */
    bool differs;        /* has more than its first word */
};

struct data {
    struct sink *sink;
    struct buffer text, json;
    struct written columns[REPORT_COLUMNS];
    struct buffer depths;
    bool deep; /* some row is indented */
    struct arena arena;
    bool lines; /* columns are those with a key */
    numel_error error;
};

/* ---- the element -------------------------------------------------------------------------- */

/* JSON has '<' only within texts. */
static void put_guarded(struct sink *to, numel_str s)
{
    while (s.n) {
        size_t plain = text_find(s, 0, '<');
        buffer_str(&to->out, text_upto(s, plain));
        if (plain < s.n) buffer_text(&to->out, "\\u003c");
        s = text_from(s, plain + 1);
    }
}

static bool write_guarded(void *ctx, const void *p, size_t n)
{
    struct sink *to = ctx;
    put_guarded(to, (numel_str){ p, n });
    sink_flush(to);
    return !to->failed && !to->out.failed;
}

static void put_json(struct data *d, numel_str s)
{
    d->json.n = 0;
    text_json(&d->json, s);
    if (!d->json.failed) put_guarded(d->sink, buffer_view(&d->json));
}

/* ---- reading a column --------------------------------------------------------------------- */

/* The place of the text among the column's words; NAMES_ABSENT: it is written itself. */
static uint32_t word_of(struct data *d, struct written *w, numel_str text, size_t row)
{
    void *p = w->words;
    const numel_allocator *m = d->arena.memory;
    if (w->count > WORDS_MOST || (row > WORDS_TRIED && w->count > row / 2)) w->closed = true;
    uint32_t known = w->count ? names_find(&w->names, w->words, text) : NAMES_ABSENT;
    if (w->closed || known != NAMES_ABSENT) return known;
    const char *own = arena_text(&d->arena, text.p, text.n);
    if (!own || !memory_grow(m, &p, &w->cap, w->count + 1, sizeof *w->words, &d->error)) return NAMES_ABSENT;
    w->words = p;
    w->words[w->count] = (struct word){ { own, text.n } };
    if (!names_reserve(&w->names, w->count + 1, &d->error)) return NAMES_ABSENT;
    return names_enter(&w->names, w->words, w->count++);
}

static void add_cell(struct data *d, struct written *w, const struct cell *cell, size_t row)
{
    d->text.n = 0;
    if (cell->kind != CELL_RAW && cell->kind != CELL_ABSENT) text_cell(&d->text, cell);
    if (d->text.failed) return;
    uint32_t at = word_of(d, w, buffer_view(&d->text), row);
    w->differs |= at != 0;
    if (row) buffer_char(&w->cells, ',');
    if (row % CELLS_A_LINE == CELLS_A_LINE - 1) buffer_char(&w->cells, '\n');
    if (at == NAMES_ABSENT) text_json(&w->cells, buffer_view(&d->text));
    else buffer_format(&w->cells, "%" PRIu32, at);
}

static const char *heading_of(const struct data *d, const struct column *is)
{
    return d->lines ? is->key : is->heading;
}

static void read_rows(struct data *d, const struct section *s)
{
    struct cell cells[REPORT_COLUMNS];
    for (size_t i = 0; i < s->rows && error_free(&d->error) && !d->text.failed; i++) {
        unsigned depth = section_row(s, i, cells);
        for (unsigned c = 0; c < s->is.column_count && c < REPORT_COLUMNS; c++)
            if (heading_of(d, &s->is.columns[c])) add_cell(d, &d->columns[c], &cells[c], i);
        buffer_format(&d->depths, "%s%u", i ? "," : "", depth);
        d->deep |= depth > 0;
    }
}

/* ---- writing it --------------------------------------------------------------------------- */

static void put_words(struct data *d, const struct written *w)
{
    buffer_text(&d->sink->out, ",\"words\":[");
    for (size_t i = 0; i < w->count; i++) {
        if (i) buffer_char(&d->sink->out, ',');
        put_json(d, w->words[i].text);
    }
    buffer_char(&d->sink->out, ']');
}

static void put_column(struct data *d, const struct column *is, const struct written *w)
{
    struct buffer *out = &d->sink->out;
    buffer_text(out, "{\"name\":");
    put_json(d, text_of(heading_of(d, is)));
    buffer_format(out, ",\"right\":%s", is->flags & COLUMN_RIGHT ? "true" : "false");
    put_words(d, w);
    if (w->differs) {
        buffer_text(out, ",\"cells\":[");
        put_guarded(d->sink, buffer_view(&w->cells));
        buffer_char(out, ']');
    }
    buffer_char(out, '}');
    d->sink->out.failed |= w->cells.failed;
    sink_line(d->sink);
}

static void begin_columns(struct data *d)
{
    const numel_allocator *m = d->arena.memory;
    for (unsigned c = 0; c < REPORT_COLUMNS; c++) {
        d->columns[c] = (struct written){ .count = 0 };
        names_init(&d->columns[c].names, m, sizeof(struct word));
        buffer_init(&d->columns[c].cells, m);
    }
    buffer_init(&d->depths, m);
    d->deep = false;
}

static void end_columns(struct data *d)
{
    for (unsigned c = 0; c < REPORT_COLUMNS; c++) {
        names_done(&d->columns[c].names);
        buffer_done(&d->columns[c].cells);
        memory_release(d->arena.memory, d->columns[c].words);
    }
    d->sink->out.failed |= d->depths.failed;
    buffer_done(&d->depths);
}

static void put_table(struct data *d, const struct section *s, int section, bool first)
{
    const char *between = "";
    begin_columns(d);
    read_rows(d, s);
    buffer_format(&d->sink->out, "%s{\"section\":%d,\"rows\":%zu,\"columns\":[", first ? "" : ",", section,
                  s->rows);
    for (unsigned c = 0; c < s->is.column_count && c < REPORT_COLUMNS; c++) {
        if (!heading_of(d, &s->is.columns[c])) continue;
        buffer_text(&d->sink->out, between);
        put_column(d, &s->is.columns[c], &d->columns[c]);
        between = ",";
    }
    buffer_char(&d->sink->out, ']');
    if (d->deep) {
        buffer_text(&d->sink->out, ",\"depths\":[");
        buffer_str(&d->sink->out, buffer_view(&d->depths));
        buffer_char(&d->sink->out, ']');
    }
    buffer_char(&d->sink->out, '}');
    end_columns(d);
}

static bool is_large(const struct section *s)
{
    bool rows = s->is.form == SECTION_LIST || s->is.form == SECTION_MAP;
    bool verbatim = s->is.column_count == 1 && s->is.columns[0].flags & COLUMN_VERBATIM;
    return !s->hidden && rows && !verbatim && s->rows > HTML_ROWS;
}

static void put_tables(struct data *d, const struct numel_report *r)
{
    bool first = true;
    d->lines = r->count && r->sections[0].is.form == SECTION_LINES;
    buffer_text(&d->sink->out, ",\"tables\":[");
    if (d->lines) put_table(d, &r->sections[0], -1, true);
    for (unsigned i = 0; i < r->count && !d->lines; i++) {
        if (!is_large(&r->sections[i])) continue;
        put_table(d, &r->sections[i], (int)i, first);
        first = false;
    }
    buffer_char(&d->sink->out, ']');
}

/* ---- the object --------------------------------------------------------------------------- */

NUMEL_MUST static bool put_document(const struct numel_report *r, struct sink *s)
{
    struct sink guarded = { .write = write_guarded, .ctx = s };
    buffer_init(&guarded.out, r->arena.memory);
    bool ok = render_json(r, &guarded);
    sink_flush(&guarded);
    s->failed |= guarded.failed;
    ok = ok && !guarded.out.failed;
    buffer_done(&guarded.out);
    return ok;
}

bool html_data(const struct numel_report *r, enum html_part part, bool first, struct sink *s)
{
    struct data d = { .sink = s };
    bool lines = r->count && r->sections[0].is.form == SECTION_LINES, ok = true;
    arena_init(&d.arena, r->arena.memory);
    buffer_init(&d.text, r->arena.memory);
    buffer_init(&d.json, r->arena.memory);
    error_clear(&d.error);
    buffer_format(&s->out, "%s{\"report\":", first ? "" : ",");
    put_json(&d, html_word(r));
    buffer_format(&s->out, ",\"main\":%s,\"document\":", part == HTML_MAIN ? "true" : "false");
    if (lines) buffer_text(&s->out, "null");
    else ok = put_document(r, s);
    put_tables(&d, r);
    buffer_char(&s->out, '}');
    sink_line(s);
    ok = ok && error_free(&d.error) && !d.text.failed && !d.json.failed && !d.arena.failed;
    buffer_done(&d.json);
    buffer_done(&d.text);
    arena_done(&d.arena);
    return ok;
}
