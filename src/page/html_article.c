/*
 * html_article.c -- a report as an article: its heading and verdict, then the sections of the text. Fields are a list,
 * rows a table; every text is escaped by text_xml().
 */
#include "page/html.h"

#include "base/num.h"
#include "base/text.h"

#include <string.h>

enum {
    SHORT = 32,
    LONG = 600,
    DEPTHS = 9
}; /* bytes of texts: in one line; scrolling. Levels of indentation */

struct article {
    struct sink *sink;
    struct buffer text; /* of a cell */
    bool shown[REPORT_COLUMNS];
    unsigned skip_section, skip_column; /* the field that is the heading */
};

/* ---- cells -------------------------------------------------------------------------------- */

static numel_str cell_text(struct article *a, const struct cell *c)
{
    a->text.n = 0;
    text_cell(&a->text, c);
    return buffer_view(&a->text);
}

/* The name of a tone in the style; NULL if it has none. */
static const char *tone_name(enum tone tone)
{
    static const char *const names[] = {
        [TONE_GOOD] = "good", [TONE_PART] = "part", [TONE_BAD] = "bad", [TONE_SOFT] = "soft"
    };
    return (size_t)tone < sizeof names / sizeof *names ? names[tone] : NULL;
}

static void put_tone(struct buffer *out, enum tone tone)
{
    if (tone_name(tone)) buffer_format(out, " data-tone=\"%s\"", tone_name(tone));
}

static void put_share(struct buffer *out, const struct cell *c)
{
    uint64_t whole = num_max(c->n, 1), unit = whole > UINT64_MAX / 1000 ? 1000 : 1;
    buffer_format(out, "<progress max=\"1000\" value=\"%" PRIu64 "\" aria-hidden=\"true\"></progress> ",
                  c->u / unit * 1000 / num_max(whole / unit, 1));
}

/* What an element holds. A long text scrolls within it. */
static void put_cell(struct article *a, const struct cell *c)
{
    struct buffer *out = &a->sink->out;
    numel_str s = cell_text(a, c);
    bool mono = c->kind == CELL_STR;
    if (!s.n) return;
    if (s.n > LONG)
        buffer_text(out, "<div class=\"long\" tabindex=\"0\" role=\"region\" aria-label=\"long text\">");
    if (c->kind == CELL_SHARE && c->n <= UINT64_MAX / 2 && c->u <= UINT64_MAX / 1000) put_share(out, c);
    if (mono) buffer_text(out, "<code>");
    text_xml(out, s);
    if (mono) buffer_text(out, "</code>");
    if (s.n > LONG) buffer_text(out, "</div>");
}

/* <td class="n d2" data-tone="bad"> */
static void put_open(struct article *a, const char *element, const struct column *is, const struct cell *c,
                     unsigned depth)
{
    struct buffer *out = &a->sink->out;
    bool name = is->flags & COLUMN_NAME, short_one = cell_text(a, c).n <= SHORT;
    const char *class = is->flags & COLUMN_RIGHT ? "n"
                        : name && short_one      ? "name s"
                        : name                   ? "name"
                        : short_one              ? "s"
                                                 : "";
    buffer_format(out, "<%s", element);
    if (depth) buffer_format(out, " class=\"%s d%u\"", class, (unsigned)num_min(depth, DEPTHS));
    else if (class[0]) buffer_format(out, " class=\"%s\"", class);
    if (!c->n) put_tone(out, c->tone);
    buffer_char(out, '>');
}

/* ---- fields ------------------------------------------------------------------------------- */

static bool is_skipped(const struct article *a, unsigned section, unsigned c)
{
    return section == a->skip_section && c == a->skip_column;
}

static void put_field(struct article *a, const struct column *is, const struct cell *c, bool *list)
{
    struct buffer *out = &a->sink->out;
    bool labelled = is->heading[0] != '\0';
    if (labelled != *list) buffer_text(out, labelled ? "<dl>" : "</dl>");
    *list = labelled;
    if (labelled) {
        buffer_text(out, "<div><dt>");
        text_xml(out, text_of(is->heading));
        buffer_text(out, "</dt>");
    }
    put_open(a, labelled ? "dd" : "p", is, c, 0);
    put_cell(a, c);
    buffer_text(out, labelled ? "</dd></div>" : "</p>");
    sink_line(a->sink);
}

static void put_fields(struct article *a, const struct section *s, unsigned section)
{
    struct cell cells[REPORT_COLUMNS];
    bool list = false;
    section_row(s, 0, cells);
    for (unsigned c = 0; c < s->is.column_count && !a->text.failed; c++)
        if (s->is.columns[c].heading && cell_text(a, &cells[c]).n && !is_skipped(a, section, c))
            put_field(a, &s->is.columns[c], &cells[c], &list);
    if (list) buffer_text(&a->sink->out, "</dl>");
}

/* ---- tables ------------------------------------------------------------------------------- */

static size_t static_rows(const struct section *s) { return s->rows > HTML_ROWS ? HTML_FIRST : s->rows; }

static void put_headings(struct article *a, const struct section *s)
{
    struct buffer *out = &a->sink->out;
    if (!(s->is.shows & TABLE_HEADED)) return;
    buffer_text(out, "<thead><tr>");
    for (unsigned c = 0; c < s->is.column_count; c++) {
        if (!a->shown[c]) continue;
        buffer_text(out, s->is.columns[c].flags & COLUMN_RIGHT ? "<th scope=\"col\" class=\"n\">"
                                                               : "<th scope=\"col\">");
        text_xml(out, text_of(s->is.columns[c].heading));
        buffer_text(out, "</th>");
    }
    buffer_text(out, "</tr></thead>");
    sink_line(a->sink);
}

static void put_row(struct article *a, const struct section *s, size_t i)
{
    struct cell cells[REPORT_COLUMNS];
    unsigned depth = section_row(s, i, cells);
    buffer_text(&a->sink->out, "<tr>");
    for (unsigned c = 0; c < s->is.column_count; c++) {
        if (!a->shown[c]) continue;
        put_open(a, "td", &s->is.columns[c], &cells[c], depth);
        put_cell(a, &cells[c]);
        buffer_text(&a->sink->out, "</td>");
        depth = 0;
    }
    buffer_text(&a->sink->out, "</tr>");
    sink_line(a->sink);
}

static void put_table(struct article *a, const struct section *s, unsigned section)
{
    char n[TEXT_NUMBER];
    size_t rows = static_rows(s);
    if (!section_shown(s, rows, &a->text, a->shown)) return;
    buffer_format(&a->sink->out, "<div class=\"scroll\" tabindex=\"0\"><table data-section=\"%u\">", section);
    sink_line(a->sink);
    put_headings(a, s);
    buffer_text(&a->sink->out, "<tbody>");
    for (size_t i = 0; i < rows && !a->sink->failed && !a->text.failed; i++) put_row(a, s, i);
    buffer_text(&a->sink->out, "</tbody></table></div>");
    if (rows < s->rows)
        buffer_format(&a->sink->out, "<p class=\"more\">... and %s more</p>", text_number(n, s->rows - rows));
    sink_line(a->sink);
}

static void put_verbatim(struct article *a, const struct section *s)
{
    struct cell cells[REPORT_COLUMNS];
    buffer_text(&a->sink->out, "<pre tabindex=\"0\">");
    for (size_t i = 0; i < s->rows && !a->sink->failed; i++) {
        buffer_fill(&a->sink->out, ' ', 2 * (size_t)section_row(s, i, cells));
        text_xml(&a->sink->out, cell_text(a, &cells[0]));
        sink_line(a->sink);
    }
    buffer_text(&a->sink->out, "</pre>");
}

/* ---- the article -------------------------------------------------------------------------- */

/* Has it anything that the text shows? */
static bool is_visible(const struct section *s)
{
    bool headed = false;
    for (unsigned c = 0; c < s->is.column_count; c++) headed |= s->is.columns[c].heading != NULL;
    return !s->hidden && headed && s->rows > 0;
}

/* "Statement": what an article is called that is not called after a path. */
static numel_str name_of(const struct numel_report *r)
{
    static const struct {
        const char *word, *name;
    } names[] = { { "show", "Overview" },    { "reconcile", "Statement" },   { "memory", "Memory" },
                  { "tensors", "Tensors" },  { "verify", "Checks" },         { "diff", "What changed" },
                  { "list", "Checkpoints" }, { "components", "Components" }, { "formula", "Formula" } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_equal(html_word(r), names[i].word)) return text_of(names[i].name);
    return html_word(r);
}

/* The first field that the text shows; the section's number, or r->count. */
static unsigned find_first(struct article *a, const struct numel_report *r, unsigned *column,
                           struct cell *out)
{
    struct cell cells[REPORT_COLUMNS];
    for (unsigned i = 0; i < r->count; i++) {
        const struct section *s = &r->sections[i];
        if (!is_visible(s)) continue;
        section_row(s, 0, cells);
        for (unsigned c = 0; c < s->is.column_count; c++) {
            if (!s->is.columns[c].heading || !cell_text(a, &cells[c]).n) continue;
            *column = c, *out = cells[c];
            return i;
        }
    }
    return r->count;
}

/* A path without a label, in front of all else, is the heading. */
static struct cell find_heading(struct article *a, const struct numel_report *r)
{
    struct cell first = { .kind = CELL_NULL };
    unsigned column = 0, i = find_first(a, r, &column, &first);
    a->skip_section = r->count;
    if (i == r->count || r->sections[i].is.form != SECTION_FIELDS ||
        r->sections[i].is.columns[column].heading[0] || first.kind != CELL_STR)
        return CELL_S(name_of(r));
    a->skip_section = i, a->skip_column = column;
    return first;
}

/* Is the heading a name, which tells articles of one kind apart, rather than the path of them all? */
static bool has_name(const struct article *a, const struct numel_report *r)
{
    if (a->skip_section == r->count) return false;
    const char *key = r->sections[a->skip_section].is.columns[a->skip_column].key;
    return !key || strcmp(key, "path") != 0;
}

static void put_header(struct article *a, const struct numel_report *r, enum html_part part)
{
    struct buffer *out = &a->sink->out;
    struct cell heading = find_heading(a, r);
    const char *level = part == HTML_MAIN ? "h1" : "h2";
    bool path = part == HTML_MAIN && a->skip_section < r->count;
    buffer_format(out, "<header><%s>", level);
    if (path) put_cell(a, &heading);
    else text_xml(out, name_of(r));
    if (part == HTML_MORE && has_name(a, r)) buffer_char(out, ' '), put_cell(a, &heading);
    buffer_format(out, "</%s>", level);
    if (part == HTML_MAIN && r->verdict.text) {
        buffer_text(out, "<p class=\"verdict\"");
        put_tone(out, r->verdict.tone);
        buffer_format(out, ">%s</p>", r->verdict.text);
    }
    buffer_text(out, "</header>");
    sink_line(a->sink);
}

/* Has the field or the table any text, but for the heading? */
static bool is_filled(struct article *a, const struct section *s, unsigned i)
{
    struct cell cells[REPORT_COLUMNS];
    bool filled = s->rows > 1 || s->more;
    section_row(s, 0, cells);
    for (unsigned c = 0; c < s->is.column_count && !filled; c++)
        filled = s->is.columns[c].heading && !is_skipped(a, i, c) && cell_text(a, &cells[c]).n;
    return filled;
}

static void put_section(struct article *a, const struct section *s, unsigned i)
{
    struct buffer *out = &a->sink->out;
    if (!is_filled(a, s, i)) return;
    bool verbatim = s->is.column_count == 1 && s->is.columns[0].flags & COLUMN_VERBATIM;
    buffer_text(out, "<section>");
    if (s->is.title && s->is.title[0]) {
        buffer_text(out, "<h3>");
        text_xml(out, text_of(s->is.title));
        buffer_text(out, "</h3>");
    }
    if (s->is.form == SECTION_FIELDS || s->is.form == SECTION_OBJECT) put_fields(a, s, i);
    else if (verbatim) put_verbatim(a, s);
    else put_table(a, s, i);
    buffer_text(out, "</section>");
    sink_line(a->sink);
}

void html_article(const struct numel_report *r, enum html_part part, struct sink *s)
{
    struct article a = { .sink = s };
    buffer_init(&a.text, r->arena.memory);
    buffer_text(&s->out,
                part == HTML_MAIN ? "<article class=\"main\" data-report=\"" : "<article data-report=\"");
    text_xml(&s->out, html_word(r));
    buffer_text(&s->out, "\">");
    sink_line(s);
    put_header(&a, r, part);
    for (unsigned i = 0; i < r->count && !a.text.failed; i++)
        if (is_visible(&r->sections[i])) put_section(&a, &r->sections[i], i);
    buffer_text(&s->out, "</article>");
    sink_line(s);
    s->out.failed |= a.text.failed;
    buffer_done(&a.text);
}
