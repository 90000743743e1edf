/*
 * render_csv.c -- a report's rows as comma-separated values, RFC 4180: a line of names, records that end with
 * CR LF. Fields with a comma, a quote, or a blank at either end are quoted.
 *
 * Numbers are exact. Texts are escaped as for a terminal: a line break within a field becomes \n, so a record
 * is one line.
 */
#include "page/report.h"

#include "base/text.h"

#include <string.h>

static void put_exact(struct buffer *b, const struct cell *c)
{
    if (cell_number(b, c)) return;
    if (c->kind == CELL_STR) text_escape(b, c->s);
    if (c->kind == CELL_TEXT || c->kind == CELL_RAW) text_safe(b, text_of(c->t ? c->t : ""), false);
}

/* Appends the cell's text, quoted if necessary. */
static void put_field(struct buffer *out, struct buffer *text)
{
    bool bare = !text->n || (!memchr(text->p, ',', text->n) && !memchr(text->p, '"', text->n) &&
                             text->p[0] != ' ' && buffer_last(text) != ' ');
    if (text->failed) out->failed = true;
    if (bare) {
        buffer_add(out, text->p, text->n);
        return;
    }
    buffer_char(out, '"');
    for (size_t i = 0; i < text->n; i++) {
        if (text->p[i] == '"') buffer_char(out, '"');
        buffer_char(out, text->p[i]);
    }
    buffer_char(out, '"');
}

static void put_row(struct sink *sink, const struct section *s, const struct cell *cells, struct buffer *text)
{
    for (unsigned i = 0; i < s->is.column_count; i++) {
        if (i) buffer_char(&sink->out, ',');
        text->n = 0;
        put_exact(text, &cells[i]);
        put_field(&sink->out, text);
    }
    buffer_char(&sink->out, '\r');
    sink_line(sink);
}

static void put_names(struct sink *sink, const struct section *s, struct buffer *text)
{
    struct cell cells[REPORT_COLUMNS];
    for (unsigned i = 0; i < s->is.column_count && i < REPORT_COLUMNS; i++)
        cells[i] = CELL_T(s->is.columns[i].key);
    put_row(sink, s, cells, text);
}

bool render_csv(const struct numel_report *r, struct sink *sink)
{
    struct buffer text;
    buffer_init(&text, r->arena.memory);
    for (unsigned k = 0; k < r->count; k++) {
        const struct section *s = &r->sections[k];
        struct cell cells[REPORT_COLUMNS];
        if (!(s->is.shows & TABLE_CSV)) continue;
        if (!r->headless) put_names(sink, s, &text);
        for (size_t i = 0; i < s->rows && !sink->failed; i++) {
            section_row(s, i, cells);
            put_row(sink, s, cells, &text);
        }
    }
    bool ok = !text.failed;
    buffer_done(&text);
    return ok;
}
