/*
 * render_json.c -- a report as JSON: keys in the order of the model, exact integers, one record per line.
 * Keys are our own and need no escaping; the contents of cells are escaped here.
 */
#include "page/report.h"

#include "base/text.h"

#include <string.h>

/* Writes the cell as a JSON value into b, which is emptied first; NUL-terminated. */
static void cell_text(struct buffer *b, const struct cell *c)
{
    b->n = 0;
    switch (c->kind) {
    case CELL_HEX: buffer_format(b, "\"%016" PRIx64 "\"", c->u); break;
    case CELL_STR: text_json(b, c->s); break;
    case CELL_TEXT:
        if (c->t) text_json(b, text_of(c->t));
        else b->failed = true;
        break;
    case CELL_DIMS: cell_dims(b, c, ","); break;
    case CELL_RAW:
        if (c->t) text_tame(b, text_of(c->t));
        else b->failed = true;
        break;
    default:
        if (!cell_number(b, c)) buffer_text(b, "null");
    }
    buffer_char(b, '\0');
}

struct writing {
    struct sink *sink;
    struct buffer cell;
    bool failed;
    bool started; /* a key of the document has been written */
};

/* Writes a record, starting at column `from`. */
static void put_record(struct buffer *out, struct buffer *cell, const struct section *s,
                       const struct cell *cells, unsigned from)
{
    char before = '{';
    for (unsigned i = from; i < s->is.column_count; i++) {
        if (!s->is.columns[i].key || cells[i].kind == CELL_ABSENT) continue;
        cell_text(cell, &cells[i]);
        out->failed |= cell->failed;
        if (out->failed) return;
        buffer_format(out, "%c\"%s\":", before, s->is.columns[i].key);
        buffer_text(out, cell->p);
        before = ',';
    }
    buffer_text(out, before == '{' ? "{}" : "}");
}

const char *table_json(const struct table *t, const void *items, size_t stride, size_t rows, const void *of,
                       struct arena *a)
{
    const struct section s = { .is = *t, .items = items, .stride = stride, .rows = rows, .of = of };
    const char *list = t->form == SECTION_OBJECT ? "" : "[]";
    struct cell cells[REPORT_COLUMNS];
    struct buffer out, cell;
    buffer_init(&out, a->memory);
    buffer_init(&cell, a->memory);
    buffer_add(&out, list, list[0] != 0);
    for (size_t i = 0; i < rows; i++) {
        if (i) buffer_char(&out, ',');
        section_row(&s, i, cells);
        put_record(&out, &cell, &s, cells, 0);
    }
    if (list[0]) buffer_char(&out, list[1]);
    buffer_done(&cell);
    return buffer_keep(&out, a);
}

static void write_key(struct writing *w, const char *key)
{
    buffer_text(&w->sink->out, w->started ? ",\n \"" : "\"");
    buffer_text(&w->sink->out, key);
    buffer_text(&w->sink->out, "\": ");
    w->started = true;
}

static void write_fields(struct writing *w, const struct section *s)
{
    struct cell cells[REPORT_COLUMNS];
    section_row(s, 0, cells);
    for (unsigned i = 0; i < s->is.column_count; i++) {
        if (!s->is.columns[i].key) continue;
        write_key(w, s->is.columns[i].key);
        cell_text(&w->cell, &cells[i]);
        if (w->cell.failed) w->failed = true;
        else buffer_text(&w->sink->out, w->cell.p);
    }
}

static void write_rows(struct writing *w, const struct section *s)
{
    struct cell cells[REPORT_COLUMNS];
    bool map = s->is.form == SECTION_MAP;
    buffer_char(&w->sink->out, map ? '{' : '[');
    for (size_t i = 0; i < s->rows && !w->failed && !w->sink->failed; i++) {
        buffer_text(&w->sink->out, i ? "," : "");
        sink_line(w->sink);
        section_row(s, i, cells);
        buffer_text(&w->sink->out, "  ");
        if (map) {
            cell_text(&w->cell, &cells[0]);
            if (w->cell.failed) w->failed = true;
            else buffer_text(&w->sink->out, w->cell.p);
            buffer_text(&w->sink->out, ": ");
        }
        put_record(&w->sink->out, &w->cell, s, cells, map ? 1 : 0);
    }
    buffer_char(&w->sink->out, map ? '}' : ']');
}

/* Opens or closes an object of sections. No comma precedes its first key; one precedes what follows the
 * object. */
static void write_brace(struct writing *w, const struct section *s)
{
    if (s->is.form == SECTION_BEGIN) write_key(w, s->is.key);
    buffer_text(&w->sink->out, s->is.form == SECTION_BEGIN ? "{" : "}");
    w->started = s->is.form == SECTION_END;
}

static void write_section(struct writing *w, const struct section *s)
{
    struct cell cells[REPORT_COLUMNS];
    if (s->is.form == SECTION_BEGIN || s->is.form == SECTION_END) {
        write_brace(w, s);
        return;
    }
    if (s->is.form == SECTION_FIELDS) {
        write_fields(w, s);
        return;
    }
    if (!s->is.key) return;
    write_key(w, s->is.key);
    if (s->is.form != SECTION_OBJECT) {
        write_rows(w, s);
    } else if (s->null) {
        buffer_text(&w->sink->out, "null");
    } else {
        section_row(s, 0, cells);
        put_record(&w->sink->out, &w->cell, s, cells, 0);
    }
}

static void write_lines(struct writing *w, const struct section *s)
{
    struct cell cells[REPORT_COLUMNS];
    for (size_t i = 0; i < s->rows && !w->failed && !w->sink->failed; i++) {
        section_row(s, i, cells);
        put_record(&w->sink->out, &w->cell, s, cells, 0);
        sink_line(w->sink);
    }
}

bool render_json(const struct numel_report *r, struct sink *sink)
{
    struct writing w = { .sink = sink };
    buffer_init(&w.cell, r->arena.memory);
    if (r->count && r->sections[0].is.form == SECTION_LINES) {
        write_lines(&w, &r->sections[0]);
    } else {
        buffer_text(&sink->out, "{");
        write_key(&w, "schema");
        buffer_format(&sink->out, "\"%s\"", r->schema);
        for (unsigned i = 0; i < r->count && !w.failed; i++) write_section(&w, &r->sections[i]);
        buffer_text(&sink->out, "}");
        sink_line(sink);
    }
    buffer_done(&w.cell);
    return !w.failed;
}
