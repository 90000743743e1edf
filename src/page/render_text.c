/*
 * render_text.c -- a report as text: its sections, one below the other. Fields are written here, tables in
 * table.c.
 */
#include "page/text_internal.h"

#include "base/num.h"
#include "base/text.h"

#include <string.h>

/* Writes a line of words, which wraps only on a terminal. */
static void put_words(struct sink *sink, size_t total, struct buffer *scratch, const char *text)
{
    struct line l = { .sink = sink, .total = total };
    scratch->n = 0;
    text_safe(scratch, text_of(text), false);
    line_words(&l, 0, 2, scratch->p, scratch->n, total ? total : SIZE_MAX);
    line_end(&l);
}

struct fields {
    struct line line;
    const numel_style *style;
    struct buffer *text;
    size_t label; /* columns of the widest label */
};

/* A terminal would break the line anywhere, so it is wrapped here. Otherwise it stays whole, for grep. */
static void put_field(struct fields *f, const struct column *is, const struct cell *cell)
{
    const char *heading = is->heading;
    size_t n = strlen(heading), begin = n ? f->label + TEXT_GAP : 0;
    f->text->n = 0;
    text_cell(f->text, cell);
    if (f->text->failed) return;
    line_put(&f->line, 0, heading, n, n);
    f->line.paint = n || cell->kind != CELL_STR
                        ? paint_of(f->style, is, cell, buffer_view(f->text), 0)
                        : paint_heading(f->style); /* the name of what this is about */
    if (f->line.total) line_words(&f->line, begin, 0, f->text->p, f->text->n, f->line.total);
    else line_put(&f->line, begin, f->text->p, f->text->n, 0);
    f->line.paint = (struct paint){ 0 };
    line_end(&f->line);
}

/* "heading  value", one line per field; unknown values are omitted. */
static void put_fields(const struct section *s, struct fields *f)
{
    struct cell cells[REPORT_COLUMNS] = { 0 };
    section_row(s, 0, cells);
    for (unsigned c = 0; c < s->is.column_count; c++)
        if (s->is.columns[c].heading && cells[c].kind != CELL_NULL)
            f->label = num_max(f->label, strlen(s->is.columns[c].heading));
    for (unsigned c = 0; c < s->is.column_count; c++)
        if (s->is.columns[c].heading && cells[c].kind != CELL_NULL)
            put_field(f, &s->is.columns[c], &cells[c]);
}

static void put_section(const struct section *s, const numel_style *style, struct buffer *text,
                        struct sink *sink)
{
    struct fields f = { .line = { .sink = sink, .total = style->width }, .style = style, .text = text };
    if (s->is.title && s->is.title[0]) put_words(sink, style->width, text, s->is.title);
    if (s->is.form == SECTION_FIELDS || s->is.form == SECTION_OBJECT) {
        put_fields(s, &f);
        return;
    }
    table_text(s, style, text, sink);
    if (s->more) put_words(sink, style->width, text, s->more);
}

void render_text(const struct numel_report *r, const numel_style *style, struct sink *sink)
{
    struct buffer text;
    bool any = false;
    buffer_init(&text, r->arena.memory);
    for (unsigned i = 0; i < r->count; i++) {
        const struct section *s = &r->sections[i];
        if (s->hidden || s->is.form == SECTION_BEGIN || s->is.form == SECTION_END) continue;
        if (s->is.title && any) sink_line(sink);
        put_section(s, style, &text, sink);
        any = true;
    }
    if (text.failed) sink->out.failed = true;
    buffer_done(&text);
}
