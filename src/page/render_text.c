/*
 * render_text.c -- a report as text that fits the terminal.
 *
 * Two passes over a table: the first measures, the second prints. When the width does not do, the
 * name columns are cut in their middle down to NAME_LEAST, the last one first, then columns marked as extra are left out,
 * the last one first. Without a width nothing is cut. What the cells hold is escaped here.
 */
#include "page/report.h"

#include "base/num.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { NAME_LEAST = 24, GAP = 2, NAME_COUNTED = 20000, WRAP_AT = 80, WRAP_LEAST = 30 };

/* ---- cells -------------------------------------------------------------------------------- */

/* u / 10^power with two decimals at most, rounded half up, in integers: 6.74 B. */
static void put_short(struct buffer *b, uint64_t v)
{
    static const char letters[] = "KMBTQ";
    uint64_t unit = 1000;
    int i = 0;
    if (v < 1000) return;
    while (letters[i + 1] && v / unit >= 1000) {
        unit *= 1000;
        i++;
    }
    uint64_t hundredths = v / (unit / 100) + (v % (unit / 100) >= unit / 200);
    if (hundredths >= 100000 && letters[i + 1]) { /* 999,995 is 1.00 M, not 1000.00 K */
        hundredths = 100;
        i++;
    }
    buffer_format(b, " (%" PRIu64 ".%02" PRIu64 " %c)", hundredths / 100, hundredths % 100, letters[i]);
}

static void put_bytes(struct buffer *b, uint64_t v)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    unsigned i = 0;
    uint64_t whole = v, rest = 0;
    while (whole >= 1024) {
        rest = whole % 1024;
        whole /= 1024;
        i++;
    }
    if (i == 0) buffer_format(b, "%" PRIu64 " B", v);
    else buffer_format(b, "%" PRIu64 ".%" PRIu64 " %s", whole, rest * 10 / 1024, units[i]);
}

static void put_share(struct buffer *b, uint64_t part, uint64_t all)
{
    uint64_t tenths = all == 0                  ? 0
                      : all > UINT64_MAX / 1000 ? part / (all / 1000)
                                                : (part * 1000 + all / 2) / all;
    buffer_format(b, "%" PRIu64 ".%" PRIu64 " %%", tenths / 10, tenths % 10);
}

static void put_each(struct buffer *b, uint64_t each, uint64_t times)
{
    char n[TEXT_NUMBER], m[TEXT_NUMBER];
    if (times > 1) buffer_format(b, "%s x %s", text_number(m, times), text_number(n, each));
}

static void put_dims(struct buffer *b, const struct cell *c)
{
    buffer_char(b, '[');
    for (uint64_t i = 0; i < c->n; i++) buffer_format(b, "%s%" PRIu64, i ? ", " : "", c->dims[i]);
    buffer_char(b, ']');
}

static void put_cell(struct buffer *b, const struct cell *c)
{
    char n[TEXT_NUMBER];
    switch (c->kind) {
    case CELL_NULL: break;
    case CELL_COUNT: buffer_text(b, text_number(n, c->u)); break;
    case CELL_TOTAL:
        buffer_text(b, text_number(n, c->u));
        put_short(b, c->u);
        break;
    case CELL_BYTES: put_bytes(b, c->u); break;
    case CELL_NUMBER: buffer_format(b, "%" PRIu64, c->u); break;
    case CELL_SIGNED:
        buffer_text(b, c->i < 0 ? "-" : "+");
        buffer_text(b, text_number(n, c->i < 0 ? 0 - (uint64_t)c->i : (uint64_t)c->i));
        break;
    case CELL_SIGNED_BYTES:
        buffer_text(b, c->i < 0 ? "-" : "+");
        put_bytes(b, c->i < 0 ? 0 - (uint64_t)c->i : (uint64_t)c->i);
        break;
    case CELL_STR: text_escape(b, c->s); break;
    case CELL_TEXT:
    case CELL_RAW:
        if (c->t) text_safe(b, text_of(c->t), false);
        else b->failed = true;
        break;
    case CELL_DIMS: put_dims(b, c); break;
    case CELL_EACH: put_each(b, c->u, c->n); break;
    case CELL_SHARE: put_share(b, c->u, c->n); break;
    case CELL_BOOL: buffer_text(b, c->u ? "yes" : "no"); break;
    }
}

/* ---- widths ------------------------------------------------------------------------------- */

struct table {
    const struct section *s;
    struct sink *sink;
    struct buffer cell;
    size_t width[REPORT_COLUMNS];
    bool shown[REPORT_COLUMNS];
    unsigned total; /* columns of the terminal, 0: any */
    bool color;
};

static void row_cells(const struct table *t, size_t i, struct cell *cells, unsigned *depth)
{
    *depth = 0;
    memset(cells, 0, REPORT_COLUMNS * sizeof *cells);
    t->s->row(t->s->ctx, i, cells, depth);
}

/* The cell's text is left in t->cell; the columns that it takes. */
static size_t measure(struct table *t, const struct cell *c, unsigned indent)
{
    t->cell.n = 0;
    buffer_fill(&t->cell, ' ', indent);
    put_cell(&t->cell, c);
    return t->cell.failed ? 0 : text_columns(t->cell.p, t->cell.n);
}

static size_t shown_rows(const struct section *s) { return s->text_rows ? s->text_rows : s->rows; }

static void measure_all(struct table *t)
{
    struct cell cells[REPORT_COLUMNS];
    unsigned depth;
    for (unsigned c = 0; c < t->s->column_count; c++) t->shown[c] = t->s->columns[c].heading != NULL;
    size_t rows = num_min(shown_rows(t->s), NAME_COUNTED); /* of a long list, the first decide */
    for (size_t i = 0; i < rows; i++) {
        row_cells(t, i, cells, &depth);
        for (unsigned c = 0; c < t->s->column_count; c++)
            if (t->shown[c])
                t->width[c] = num_max(t->width[c], measure(t, &cells[c], c == 0 ? depth * 2 : 0));
    }
    for (unsigned c = 0; c < t->s->column_count; c++) /* an empty column has no heading either */
        if (t->shown[c] && t->width[c]) t->width[c] = num_max(t->width[c], strlen(t->s->columns[c].heading));
}

static size_t needed(const struct table *t)
{
    size_t sum = 0;
    for (unsigned c = 0; c < t->s->column_count; c++)
        if (t->shown[c] && t->width[c]) sum += t->width[c] + GAP;
    return sum ? sum - GAP : 0;
}

/* Cuts names, then leaves out extras, until the table fits or nothing more can give way. */
static void fit(struct table *t)
{
    const struct column *columns = t->s->columns;
    for (int round = 0; t->total && needed(t) > t->total && round < 2; round++) {
        for (unsigned c = t->s->column_count; c-- > 0;) {
            size_t over = needed(t) > t->total ? needed(t) - t->total : 0;
            if (!(columns[c].flags & COLUMN_NAME) || t->width[c] <= NAME_LEAST) continue;
            t->width[c] -= num_min(over, t->width[c] - NAME_LEAST);
        }
        for (unsigned c = t->s->column_count; c-- > 0 && needed(t) > t->total;)
            if (columns[c].flags & COLUMN_EXTRA) t->shown[c] = false;
    }
}

/* A name that an extra column's going has made room for again gets it back. */
static void widen(struct table *t, const size_t *wanted)
{
    for (unsigned c = 0; t->total && c < t->s->column_count; c++) {
        size_t room = t->total > needed(t) ? t->total - needed(t) : 0;
        if (t->s->columns[c].flags & COLUMN_NAME) t->width[c] = num_min(wanted[c], t->width[c] + room);
    }
}

/* ---- printing ----------------------------------------------------------------------------- */

/* Length in bytes of the first `columns` columns of text, or of its last. */
static size_t prefix_bytes(const char *p, size_t n, size_t columns)
{
    size_t i = 0, used = 0;
    while (i < n) {
        unsigned len = text_sequence((const uint8_t *)p + i, n - i, NULL);
        if (!len) len = 1;
        used += text_columns(p + i, len);
        if (used > columns) break;
        i += len;
    }
    return i;
}

static size_t suffix_start(const char *p, size_t n, size_t columns)
{
    size_t i = n, used = 0;
    while (i > 0) {
        size_t j = i - 1;
        while (j > 0 && ((uint8_t)p[j] & 0xC0) == 0x80) j--;
        used += text_columns(p + j, i - j);
        if (used > columns) break;
        i = j;
    }
    return i;
}

/* What does not fit loses its middle: the ends of a name say most. */
static void put_cut(struct buffer *out, const char *p, size_t n, size_t width)
{
    size_t head = (width - 1) / 2, tail = width - 1 - head;
    buffer_add(out, p, prefix_bytes(p, n, head));
    buffer_text(out, "~");
    size_t from = suffix_start(p, n, tail);
    buffer_add(out, p + from, n - from);
}

/* Words as far as they fit, then a new line below the first; a word that is too long stands out. */
static void put_wrapped(struct table *t, size_t indent)
{
    struct buffer *out = &t->sink->out;
    size_t most = t->total ? t->total : WRAP_AT, used = 0, i = 0;
    most = num_max(most, indent + WRAP_LEAST) - indent;
    while (i < t->cell.n) {
        const char *word = t->cell.p + i, *end = memchr(word, ' ', t->cell.n - i);
        size_t n = end ? (size_t)(end - word) : t->cell.n - i, w = text_columns(word, n);
        if (used && used + 1 + w > most) {
            buffer_char(out, '\n');
            buffer_fill(out, ' ', indent);
            used = 0;
        }
        if (used) buffer_char(out, ' ');
        buffer_add(out, word, n);
        used += w + (used > 0);
        i += n + 1;
    }
}

static const char *color_of(const struct table *t, const struct cell *c)
{
    if (!t->color || c->kind != CELL_TEXT || t->s->form != SECTION_LIST) return NULL;
    if (strcmp(c->t, "error") == 0) return "\033[31m";
    return strcmp(c->t, "warning") == 0 ? "\033[33m" : NULL;
}

/* The column where column c begins. */
static size_t begin_of(const struct table *t, unsigned c)
{
    size_t at = 0;
    for (unsigned i = 0; i < c; i++)
        if (t->shown[i] && t->width[i]) at += t->width[i] + GAP;
    return at;
}

static void put_column(struct table *t, unsigned c, const struct cell *cell, unsigned indent, bool last)
{
    size_t w = measure(t, cell, indent), width = t->width[c];
    struct buffer *out = &t->sink->out;
    const char *color = color_of(t, cell);
    bool right = t->s->columns[c].flags & COLUMN_RIGHT;
    bool cut = t->s->columns[c].flags & COLUMN_NAME && t->total && w > width && width > 2;
    if (t->cell.failed) {
        out->failed = true;
        return;
    }
    if (right && w < width) buffer_fill(out, ' ', width - w);
    if (color) buffer_text(out, color);
    if (cut) put_cut(out, t->cell.p, t->cell.n, width);
    else if (last && t->s->columns[c].flags & COLUMN_WRAP) put_wrapped(t, begin_of(t, c));
    else buffer_add(out, t->cell.p, t->cell.n);
    if (color) buffer_text(out, "\033[0m");
    if (!right && !last && w < width) buffer_fill(out, ' ', width - w);
}

static unsigned last_shown(const struct table *t)
{
    unsigned last = 0;
    for (unsigned c = 0; c < t->s->column_count; c++)
        if (t->shown[c] && t->width[c]) last = c;
    return last;
}

/* A row without its end; no white space there. */
static void put_cells(struct table *t, const struct cell *cells, unsigned depth)
{
    unsigned last = last_shown(t);
    bool first = true;
    for (unsigned c = 0; c <= last; c++) {
        if (!t->shown[c] || !t->width[c]) continue;
        if (!first) buffer_fill(&t->sink->out, ' ', GAP);
        put_column(t, c, &cells[c], c == 0 ? depth * 2 : 0, c == last);
        first = false;
    }
    struct buffer *out = &t->sink->out;
    while (out->n && out->p[out->n - 1] == ' ') out->n--;
}

static void put_headings(struct table *t)
{
    struct cell cells[REPORT_COLUMNS] = { 0 };
    for (unsigned c = 0; c < t->s->column_count; c++)
        if (t->s->columns[c].heading) cells[c] = CELL_T(t->s->columns[c].heading);
    if (t->color) buffer_text(&t->sink->out, "\033[1m");
    put_cells(t, cells, 0);
    if (t->color) buffer_text(&t->sink->out, "\033[0m");
    sink_line(t->sink);
}

static void put_table(struct table *t)
{
    struct cell cells[REPORT_COLUMNS];
    size_t wanted[REPORT_COLUMNS];
    unsigned depth;
    measure_all(t);
    memcpy(wanted, t->width, sizeof wanted);
    fit(t);
    widen(t, wanted);
    if (t->s->headed) put_headings(t);
    for (size_t i = 0; i < shown_rows(t->s) && !t->sink->failed; i++) {
        row_cells(t, i, cells, &depth);
        put_cells(t, cells, depth);
        sink_line(t->sink);
    }
    if (t->s->more) {
        text_safe(&t->sink->out, text_of(t->s->more), false);
        sink_line(t->sink);
    }
}

/* A terminal would break the line anywhere; without one it stays whole, for grep. */
static void put_field(struct table *t, const struct cell *cell, size_t indent)
{
    if (!t->total) {
        put_cell(&t->sink->out, cell);
        return;
    }
    measure(t, cell, 0);
    if (!t->cell.failed) put_wrapped(t, indent);
}

/* "heading  value", a line a field; what is not known is left out. */
static void put_fields(struct table *t)
{
    struct cell cells[REPORT_COLUMNS];
    unsigned depth;
    size_t label = 0;
    row_cells(t, 0, cells, &depth);
    for (unsigned c = 0; c < t->s->column_count; c++)
        if (t->s->columns[c].heading && cells[c].kind != CELL_NULL)
            label = num_max(label, strlen(t->s->columns[c].heading));
    for (unsigned c = 0; c < t->s->column_count; c++) {
        const char *heading = t->s->columns[c].heading;
        if (!heading || cells[c].kind == CELL_NULL) continue;
        buffer_text(&t->sink->out, heading);
        if (heading[0]) buffer_fill(&t->sink->out, ' ', label + GAP - strlen(heading));
        put_field(t, &cells[c], heading[0] ? label + GAP : 0);
        sink_line(t->sink);
    }
}

void render_text(const struct numel_report *r, const numel_style *style, struct sink *sink)
{
    bool any = false;
    for (unsigned i = 0; i < r->count; i++) {
        const struct section *s = &r->sections[i];
        struct table t = { .s = s, .sink = sink, .total = style->width, .color = style->color };
        if (s->hidden || s->form == SECTION_BEGIN || s->form == SECTION_END) continue;
        buffer_init(&t.cell, r->arena.memory);
        if (s->title && any) sink_line(sink);
        if (s->title && s->title[0]) {
            text_safe(&sink->out, text_of(s->title), false);
            sink_line(sink);
        }
        if (s->form == SECTION_FIELDS || s->form == SECTION_OBJECT) put_fields(&t);
        else put_table(&t);
        any = true;
        if (t.cell.failed) sink->out.failed = true;
        buffer_done(&t.cell);
    }
}
