/*
 * render_markdown.c -- a report as Markdown, as GitHub and the Hub render it: the sections of the text, with fields and
 * tables as tables.
 *
 *     ### `models/llama`
 *
 *     |  |  |
 *     | --- | --- |
 *     | parameters | 6,738,415,616 (6.74 B) |
 *
 * A name is a code span if it is one word, and holds nothing that could end the span. All other text is escaped: markup by a backslash or
 * an entity; what GitHub would turn into a link, a mention, an emoji or a formula is broken by an empty comment, or
 * by an element.
 */
#include "page/report.h"

#include "base/text.h"

#include <string.h>

struct markdown {
    struct sink *sink;
    struct buffer text; /* of a cell */
    bool shown[REPORT_COLUMNS];
    bool any, headed; /* something precedes; the report has its heading */
};

/* ---- text --------------------------------------------------------------------------------- */

static const char empty_comment[] = "<!-- -->";

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static char byte_at(numel_str s, size_t i) { return text_first(text_from(s, i)); }

/* ":tada:" */
static bool is_emoji(numel_str s, size_t i)
{
    size_t n = i + 1;
    while (is_word(byte_at(s, n)) || (byte_at(s, n) && strchr("_+-", byte_at(s, n)))) n++;
    return n > i + 1 && byte_at(s, n) == ':';
}

/* Does the byte begin, or is it within, what becomes a link although it has no markup? */
static bool is_linked(numel_str s, size_t i)
{
    numel_str rest = text_from(s, i);
    switch (s.p[i]) {
    case '@': return true;
    case '#': return is_digit(byte_at(s, i + 1));
    case ':': return text_starts(rest, "://") || is_emoji(s, i);
    case '.': return i >= 3 && text_ends(text_upto(s, i), "www");
    default: return false;
    }
}

/* Would it begin a list, or underline a heading, at the start of a paragraph? */
static bool is_marker(numel_str s, size_t i)
{
    size_t digits = 0;
    char next = byte_at(s, i + 1);
    if (i == 0) return strchr("-+=", s.p[0]) != NULL;
    while (digits < i && is_digit(s.p[digits])) digits++;
    return digits == i && (s.p[i] == '.' || s.p[i] == ')') && (next == ' ' || !next);
}

/* An underscore within a word is text. */
static bool is_markup(numel_str s, size_t i)
{
    if (s.p[i] == '_') return !(i && is_word(s.p[i - 1]) && is_word(byte_at(s, i + 1)));
    return strchr("\\`*[]|~#", s.p[i]) != NULL;
}

/* `line`: it begins one, rather than a cell. */
static void put_escaped(struct buffer *out, numel_str s, bool line)
{
    for (size_t i = 0; i < s.n; i++) {
        switch (s.p[i]) {
        case '&': buffer_text(out, "&amp;"); continue;
        case '<': buffer_text(out, "&lt;"); continue;
        case '>': buffer_text(out, "&gt;"); continue;
        case '$': buffer_text(out, "<span>$</span>"); continue;
        default: break;
        }
        bool linked = is_linked(s, i), before = s.p[i] == ':' && !is_emoji(s, i);
        if (linked && before) buffer_text(out, empty_comment);
        if (is_markup(s, i) || (line && is_marker(s, i))) buffer_char(out, '\\');
        buffer_char(out, s.p[i]);
        if (linked && !before) buffer_text(out, empty_comment);
    }
}

static bool is_plain_code(numel_str s)
{
    return s.n && !memchr(s.p, ' ', s.n) && !memchr(s.p, '`', s.n) && !memchr(s.p, '|', s.n) &&
           !memchr(s.p, '\\', s.n);
}

static void put_cell(struct markdown *m, const struct cell *c, bool name)
{
    struct buffer *out = &m->sink->out;
    bool line = !out->n || buffer_last(out) == '\n';
    m->text.n = 0;
    text_cell(&m->text, c);
    numel_str s = buffer_view(&m->text);
    if (m->text.failed || !s.n) return;
    if (!(name || c->kind == CELL_STR) || !is_plain_code(s)) {
        put_escaped(out, s, line);
        return;
    }
    buffer_char(out, '`');
    buffer_str(out, s);
    buffer_char(out, '`');
}

/* ---- blocks ------------------------------------------------------------------------------- */

static void begin_block(struct markdown *m)
{
    if (m->any) sink_line(m->sink);
    m->any = true;
}

static void put_paragraph(struct markdown *m, const char *around, const char *text)
{
    begin_block(m);
    buffer_text(&m->sink->out, around);
    put_cell(m, &CELL_T(text), false);
    buffer_text(&m->sink->out, around);
    sink_line(m->sink);
}

static void put_rule(struct markdown *m, const struct section *s)
{
    for (unsigned c = 0; c < s->is.column_count; c++)
        if (m->shown[c])
            buffer_text(&m->sink->out, s->is.columns[c].flags & COLUMN_RIGHT ? "| ---: " : "| --- ");
    buffer_char(&m->sink->out, '|');
    sink_line(m->sink);
}

static void put_headings(struct markdown *m, const struct section *s)
{
    bool headed = s->is.shows & TABLE_HEADED;
    for (unsigned c = 0; c < s->is.column_count; c++) {
        if (!m->shown[c]) continue;
        buffer_text(&m->sink->out, "| ");
        if (headed) put_cell(m, &CELL_T(s->is.columns[c].heading), false);
        buffer_char(&m->sink->out, ' ');
    }
    buffer_char(&m->sink->out, '|');
    sink_line(m->sink);
    put_rule(m, s);
}

static void put_row(struct markdown *m, const struct section *s, const struct cell *cells, unsigned depth)
{
    bool lead = true;
    for (unsigned c = 0; c < s->is.column_count; c++) {
        if (!m->shown[c]) continue;
        buffer_text(&m->sink->out, "| ");
        for (unsigned i = 0; lead && i < depth; i++) buffer_text(&m->sink->out, "&emsp;");
        put_cell(m, &cells[c], s->is.columns[c].flags & COLUMN_NAME);
        buffer_char(&m->sink->out, ' ');
        lead = false;
    }
    buffer_char(&m->sink->out, '|');
    sink_line(m->sink);
}

/* ---- sections ----------------------------------------------------------------------------- */

static bool is_empty(struct markdown *m, const struct cell *c)
{
    m->text.n = 0;
    text_cell(&m->text, c);
    return !m->text.n;
}

static size_t shown_rows(const struct section *s) { return s->text_rows ? s->text_rows : s->rows; }

/* Lines for other programs: indented code, which holds any text. */
static void put_verbatim(struct markdown *m, const struct section *s)
{
    struct cell cells[REPORT_COLUMNS];
    begin_block(m);
    for (size_t i = 0; i < shown_rows(s) && !m->sink->failed; i++) {
        buffer_fill(&m->sink->out, ' ', 4 + 2 * (size_t)section_row(s, i, cells));
        text_cell(&m->sink->out, &cells[0]);
        sink_line(m->sink);
    }
}

static void put_table(struct markdown *m, const struct section *s)
{
    struct cell cells[REPORT_COLUMNS];
    if (!section_shown(s, shown_rows(s), &m->text, m->shown)) return;
    begin_block(m);
    put_headings(m, s);
    for (size_t i = 0; i < shown_rows(s) && !m->sink->failed && !m->text.failed; i++) {
        unsigned depth = section_row(s, i, cells);
        put_row(m, s, cells, depth);
    }
}

/* A field without a label is a paragraph; the report's first is its heading. */
static void put_unlabelled(struct markdown *m, const struct column *is, const struct cell *c)
{
    bool heading = !m->any && !m->headed;
    begin_block(m);
    if (heading) buffer_text(&m->sink->out, "### ");
    put_cell(m, c, heading || is->flags & COLUMN_NAME);
    sink_line(m->sink);
    m->headed |= heading;
}

static void put_fields(struct markdown *m, const struct section *s)
{
    struct cell cells[REPORT_COLUMNS] = { 0 };
    bool table = false;
    section_row(s, 0, cells);
    for (unsigned c = 0; c < s->is.column_count && !m->text.failed; c++) {
        const char *heading = s->is.columns[c].heading;
        if (!heading || is_empty(m, &cells[c])) continue;
        if (!heading[0]) {
            put_unlabelled(m, &s->is.columns[c], &cells[c]);
            table = false;
            continue;
        }
        if (!table) begin_block(m), buffer_text(&m->sink->out, "|  |  |\n| --- | --- |\n");
        buffer_text(&m->sink->out, "| ");
        put_cell(m, &CELL_T(heading), false);
        buffer_text(&m->sink->out, " | ");
        put_cell(m, &cells[c], false);
        buffer_text(&m->sink->out, " |");
        sink_line(m->sink);
        table = true;
    }
}

static void put_section(struct markdown *m, const struct section *s)
{
    if (s->is.title && s->is.title[0]) put_paragraph(m, "**", s->is.title);
    if (s->is.form == SECTION_FIELDS || s->is.form == SECTION_OBJECT) {
        put_fields(m, s);
        return;
    }
    bool verbatim = s->is.column_count == 1 && s->is.columns[0].flags & COLUMN_VERBATIM;
    (verbatim ? put_verbatim : put_table)(m, s);
    if (s->more) put_paragraph(m, "", s->more);
}

bool render_markdown(const struct numel_report *r, struct sink *sink)
{
    struct markdown m = { .sink = sink };
    buffer_init(&m.text, r->arena.memory);
    for (unsigned i = 0; i < r->count && !m.text.failed; i++) {
        const struct section *s = &r->sections[i];
        if (!s->hidden && s->is.form != SECTION_BEGIN && s->is.form != SECTION_END) put_section(&m, s);
    }
    bool ok = !m.text.failed;
    buffer_done(&m.text);
    return ok;
}
