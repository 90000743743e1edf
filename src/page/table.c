/*
 * table.c -- a table as text that fits the terminal.
 *
 * The first pass measures, the second prints. Nothing is ever truncated. If the width does not suffice,
 * columns with a rank are left out, rank 1 first. Names and sentences wrap between words, below their start.
 * A name that is still too long for its column has a line of its own, with the other cells of the row below
 * it, in their columns. Without a width, a row is one line.
 *
 * On a wide terminal, a column to compare by (COLUMN_BAR) has a bar behind each number. A bar gets the room that is
 * left; that of a share stands in for the columns that give way to it, any other gives way first.
 */
#include "page/text_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "page/tone.h"
#include "page/wrap.h"

#include <string.h>

enum {
    NAME_LEAST = 24,  /* minimum of the first column when narrowed */
    INNER_LEAST = 16, /* ... and of another column that wraps */
    NOTE_LEAST = 30,  /* room next to a row that is worth wrapping in; else notes go below */
    NOTE_WANTED = 12, /* room for a note that other columns give way to */
    NOTE_INDENT = 4,  /* indent of a note below its row */
    HANG = 2,         /* indent of further lines of a name */
    WIDTHS = 256,     /* of names that are counted separately */
    MEASURED = 20000, /* rows; the first ones decide for a long list */
    BAR_RANK = 5,     /* of a share with its bar */
    NONE = REPORT_COLUMNS
};

struct sheet {
    const struct section *s;
    const numel_style *style;
    struct line line;
    struct buffer *text; /* the cells of a row, one after the other */
    size_t from[REPORT_COLUMNS], to[REPORT_COLUMNS];
    unsigned indent; /* of the row's first cell */
    size_t width[REPORT_COLUMNS], natural[REPORT_COLUMNS], longest[REPORT_COLUMNS], begin[REPORT_COLUMNS];
    bool shown[REPORT_COLUMNS];
    size_t names[WIDTHS];          /* number of rows whose first cell has this width */
    unsigned lead;                 /* the first column in text */
    unsigned first, last;          /* of the columns shown */
    bool bars, plain;              /* plain: neither colours nor blocks */
    size_t bar[REPORT_COLUMNS];    /* columns of its bars, a part of its width; 0: none */
    uint64_t most[REPORT_COLUMNS]; /* the largest number: its bar is full */
};

/* ---- columns ------------------------------------------------------------------------------ */

static unsigned flags_of(const struct sheet *t, unsigned c) { return t->s->is.columns[c].flags; }

static bool there(const struct sheet *t, unsigned c) { return t->shown[c] && t->natural[c]; }

static void find_ends(struct sheet *t)
{
    t->first = t->last = NONE;
    for (unsigned c = 0; c < t->s->is.column_count; c++)
        if (there(t, c)) {
            if (t->first == NONE) t->first = c;
            t->last = c;
        }
}

/* Is this the last column, with words about the row, which may go below it? */
static bool is_note(const struct sheet *t, unsigned c)
{
    unsigned words = c == t->first ? COLUMN_WRAP : COLUMN_WRAP | COLUMN_NOTE;
    return c == t->last && flags_of(t, c) & words;
}

static bool is_lead(const struct sheet *t, unsigned c) { return c == t->lead && c == t->first; }

/* Does it wrap in place? */
static bool is_inner(const struct sheet *t, unsigned c)
{
    return c != t->first && !is_note(t, c) && flags_of(t, c) & (COLUMN_NAME | COLUMN_NOTE | COLUMN_WRAP);
}

static void row_texts(struct sheet *t, size_t i, struct cell *cells)
{
    t->indent = section_row(t->s, i, cells) * 2;
    t->text->n = 0;
    for (unsigned c = 0; c < t->s->is.column_count; c++) {
        t->from[c] = t->text->n;
        if (t->shown[c]) text_cell(t->text, &cells[c]);
        t->to[c] = t->text->n;
    }
}

static void measure_row(struct sheet *t)
{
    for (unsigned c = 0; c < t->s->is.column_count && !t->text->failed; c++) {
        const char *p = t->text->p + t->from[c];
        size_t n = t->to[c] - t->from[c];
        if (n == 0) continue;
        size_t w = text_columns(p, n) + (c == t->lead ? t->indent : 0);
        if (c == t->lead && n == t->text->n) w = 1; /* alone in its row, it needs no room */
        t->natural[c] = num_max(t->natural[c], w);
        if (c == t->lead) t->names[num_min(w, WIDTHS - 1)]++;
        else if (flags_of(t, c)) t->longest[c] = num_max(t->longest[c], wrap_longest(p, n));
    }
}

static bool is_signed(const struct cell *c) { return c->kind == CELL_SIGNED || c->kind == CELL_SIGNED_BYTES; }

/* The number that a bar shows. */
static uint64_t bar_value(const struct cell *c)
{
    return c->kind == CELL_NULL ? 0 : is_signed(c) ? num_size(c->i) : c->u;
}

static void measure_bars(struct sheet *t, const struct cell *cells)
{
    for (unsigned c = 0; c < t->s->is.column_count; c++)
        if (flags_of(t, c) & COLUMN_BAR) t->most[c] = num_max(t->most[c], bar_value(&cells[c]));
}

static size_t shown_rows(const struct section *s) { return s->text_rows ? s->text_rows : s->rows; }

static void measure(struct sheet *t)
{
    struct cell cells[REPORT_COLUMNS];
    t->lead = NONE;
    for (unsigned c = t->s->is.column_count; c-- > 0;)
        if ((t->shown[c] = t->s->is.columns[c].heading != NULL)) t->lead = c;
    size_t rows = num_min(shown_rows(t->s), MEASURED);
    for (size_t i = 0; i < rows && !t->text->failed; i++) {
        row_texts(t, i, cells);
        measure_row(t);
        if (t->bars) measure_bars(t, cells);
    }
    for (unsigned c = 0; c < t->s->is.column_count; c++) { /* an empty column has no heading either */
        if (there(t, c)) t->natural[c] = num_max(t->natural[c], strlen(t->s->is.columns[c].heading));
        if (there(t, c) && t->most[c]) t->bar[c] = BAR_LEAST;
        t->width[c] = t->natural[c] + (t->bar[c] ? TEXT_GAP + t->bar[c] : 0);
    }
    find_ends(t);
}

/* ---- what gives way ----------------------------------------------------------------------- */

static unsigned rank_of(const struct sheet *t, unsigned c)
{
    unsigned rank = flags_of(t, c) / COLUMN_RANK(1) % (COLUMN_RANK_LAST + 1);
    return rank && t->bar[c] ? (unsigned)num_max(rank, BAR_RANK) : rank;
}

/* The width of the table without columns up to a rank; notes count only if `beside`. */
static size_t needed(const struct sheet *t, unsigned without, bool beside)
{
    size_t sum = 0;
    for (unsigned c = 0; c < t->s->is.column_count; c++) {
        unsigned rank = rank_of(t, c);
        if (!there(t, c) || (rank && rank <= without)) continue;
        if (!is_note(t, c)) sum += t->width[c] + TEXT_GAP;
        else if (beside) sum += num_min(t->width[c], NOTE_WANTED) + TEXT_GAP;
    }
    return sum ? sum - TEXT_GAP : 0;
}

/* Leaves out the next column, lowest rank first. False if there is none with a rank up to `most`. */
static bool leave_out(struct sheet *t, unsigned most)
{
    unsigned found = NONE;
    for (unsigned c = t->s->is.column_count; c-- > 0;) {
        unsigned rank = rank_of(t, c);
        if (!there(t, c) || !rank || rank > most) continue;
        if (found == NONE || rank < rank_of(t, found)) found = c;
    }
    if (found == NONE) return false;
    t->shown[found] = false;
    find_ends(t);
    return true;
}

/* Narrows the first column to the widest name that fits into `room`. */
static void narrow_lead(struct sheet *t, size_t room)
{
    unsigned c = t->first;
    if (!is_lead(t, c) || t->width[c] <= room) return;
    size_t w = num_min(num_max(room, NAME_LEAST), WIDTHS - 1), least = strlen(t->s->is.columns[c].heading);
    while (w > least && !t->names[w]) w--;
    t->width[c] = num_min(w, t->width[c]);
}

static void narrow_inner(struct sheet *t)
{
    for (unsigned c = 0; c < t->s->is.column_count; c++)
        if (there(t, c) && is_inner(t, c))
            t->width[c] =
                num_min(t->width[c], num_max(num_min(t->longest[c], t->line.total / 3), INNER_LEAST));
}

/* Gives the remaining room to narrowed columns. */
static void widen(struct sheet *t)
{
    for (unsigned c = t->s->is.column_count; c-- > 0;) {
        size_t need = needed(t, 0, true), room = t->line.total > need ? t->line.total - need : 0;
        if (there(t, c) && (is_inner(t, c) || is_lead(t, c)) && t->width[c] < t->natural[c])
            t->width[c] = num_min(t->natural[c], t->width[c] + room);
    }
}

static size_t room_for_lead(const struct sheet *t, unsigned without, bool note)
{
    size_t others = needed(t, without, note) - t->width[t->first];
    return t->line.total > others ? t->line.total - others : 0;
}

/* Leaves out bars, but for those of columns that go with their bars. */
static void drop_bars(struct sheet *t)
{
    for (unsigned c = 0; c < t->s->is.column_count; c++) {
        if (!t->bar[c] || rank_of(t, c) == BAR_RANK) continue;
        t->width[c] = t->natural[c];
        t->bar[c] = 0;
    }
}

static bool has_inner(const struct sheet *t)
{
    bool any = false;
    for (unsigned c = 0; c < t->s->is.column_count; c++) any |= there(t, c) && is_inner(t, c);
    return any;
}

/* Gives bars the room that the table leaves. */
static void widen_bars(struct sheet *t)
{
    for (unsigned c = 0; c < t->s->is.column_count; c++) {
        size_t need = needed(t, 0, true),
               note = t->last != NONE && is_note(t, t->last) ? t->width[t->last] : 0;
        size_t room = num_left(t->line.total, need + num_left(note, NOTE_WANTED));
        if (!t->bar[c] || !there(t, c)) continue;
        size_t more = num_min(room, BAR_MOST - BAR_LEAST);
        t->bar[c] += more;
        t->width[c] += more;
    }
}

static void fit(struct sheet *t)
{
    size_t total = t->line.total;
    if (needed(t, 0, true) > total && has_inner(t)) drop_bars(t); /* rather than wrap words */
    if (needed(t, 0, true) <= total) return;
    narrow_inner(t);
    if (flags_of(t, t->first) & COLUMN_NAME) narrow_lead(t, room_for_lead(t, COLUMN_RANK_EARLY, true));
    while (needed(t, 0, true) > total && leave_out(t, COLUMN_RANK_EARLY)) continue;
    if (needed(t, 0, true) > total) drop_bars(t);
    while (needed(t, 0, false) > total && leave_out(t, COLUMN_RANK_LAST)) continue;
    narrow_lead(t, room_for_lead(t, 0, false)); /* labels, too */
    widen(t);
}

static void find_begins(struct sheet *t)
{
    size_t at = 0;
    for (unsigned c = 0; c < t->s->is.column_count; c++) {
        t->begin[c] = at;
        if (there(t, c)) at += t->width[c] + TEXT_GAP;
    }
}

/* ---- printing ----------------------------------------------------------------------------- */

/* Does the row's name need a line of its own? */
static bool too_long(const struct sheet *t, unsigned c)
{
    if (!t->line.total || !is_lead(t, c) || is_note(t, c)) return false;
    return text_columns(t->text->p + t->from[c], t->to[c] - t->from[c]) + t->indent > t->width[c];
}

/* Columns for a line of the note next to its row; 0 if the note goes below. */
static size_t beside(const struct sheet *t, unsigned c)
{
    size_t begin = t->begin[c], total = t->line.total;
    if (!total && !(flags_of(t, c) & COLUMN_WRAP)) return SIZE_MAX;
    if (!total) return num_max(TEXT_WRAP_AT, begin + NOTE_LEAST) - begin;
    const char *p = t->text->p + t->from[c];
    size_t n = t->to[c] - t->from[c], room = total > begin ? total - begin : 0;
    if (text_columns(p, n) <= room || c == t->first) return room;
    return room >= NOTE_LEAST && !too_long(t, t->first) && wrap_longest(p, n) <= room ? room : 0;
}

/* Columns for a line of the cell; SIZE_MAX: it is not wrapped. */
static size_t room_of(const struct sheet *t, unsigned c)
{
    if (is_note(t, c)) return beside(t, c);
    return t->line.total && is_inner(t, c) ? t->width[c] : SIZE_MAX;
}

/* Puts a name that is too long for its column on its own lines, up to the terminal's width. */
static void put_name(struct sheet *t, unsigned c)
{
    const char *p = t->text->p + t->from[c];
    size_t n = t->to[c] - t->from[c], room = t->width[c];
    if (wrap_longest(p, n) + t->indent + HANG > room) room = t->line.total;
    line_words(&t->line, t->indent, HANG, p, n, room);
    t->from[c] = t->to[c];
}

/* Puts the next line of a cell, if anything is left of it. */
static void put_piece(struct sheet *t, unsigned c, size_t room)
{
    const char *p = t->text->p + t->from[c];
    size_t n = t->to[c] - t->from[c], w = text_columns(p, n), taken = n, pos = t->begin[c];
    if (w > room) taken = wrap_line(p, n, room, &w);
    if (c == t->lead) pos += t->indent;
    size_t width = t->width[c] - (t->bar[c] ? TEXT_GAP + t->bar[c] : 0);
    if (flags_of(t, c) & COLUMN_RIGHT && w < width) pos += width - w;
    line_put(&t->line, pos, p, taken, w);
    if (taken == 0) taken = n; /* only blanks */
    t->from[c] += taken;
    t->from[c] += wrap_blanks(p + taken, n - taken);
}

/* The role of a row is that of its name. */
static enum cell_role row_role(const struct sheet *t, const struct cell *cells)
{
    if (t->first == NONE) return ROLE_NONE;
    const struct cell *name = &cells[t->first];
    return flags_of(t, t->first) & COLUMN_ROLE && name->kind == CELL_STR ? role_of(name->s) : name->role;
}

static void put_bar(struct sheet *t, unsigned c, const struct cell *cells)
{
    enum cell_role role = row_role(t, cells);
    t->line.paint = paint_bar(t->style, role, is_signed(&cells[c]) && cells[c].i < 0);
    bar_put(&t->line, t->begin[c] + t->width[c] - t->bar[c], bar_value(&cells[c]),
            cells[c].n ? cells[c].n : t->most[c], t->bar[c]);
}

static struct paint paint_cell(const struct sheet *t, unsigned c, const struct cell *cells)
{
    if (t->plain) return (struct paint){ 0 };
    if (!cells) return paint_heading(t->style);
    return paint_of(t->style, &t->s->is.columns[c], &cells[c],
                    text_slice(buffer_view(t->text), t->from[c], t->to[c]),
                    t->from[c] - (c ? t->to[c - 1] : 0));
}

/* Puts one line of each cell that has text left; false if none has. */
static bool put_line(struct sheet *t, const struct cell *cells, const size_t *rooms)
{
    bool any = false;
    for (unsigned c = 0; c < t->s->is.column_count; c++) {
        if (!there(t, c) || t->from[c] == t->to[c] || !rooms[c]) continue;
        if (!any && t->line.at) line_end(&t->line);
        any = true;
        t->line.paint = paint_cell(t, c, cells);
        if (too_long(t, c)) put_name(t, c);
        else put_piece(t, c, rooms[c]);
        if (cells && t->bar[c]) put_bar(t, c, cells);
        t->line.paint = (struct paint){ 0 };
    }
    return any;
}

/* Puts a row whose texts are ready. `cells` gives the colours; NULL for headings. */
static void put_row(struct sheet *t, const struct cell *cells)
{
    size_t rooms[REPORT_COLUMNS] = { 0 };
    for (unsigned c = 0; c < t->s->is.column_count && c < REPORT_COLUMNS; c++)
        if (there(t, c)) rooms[c] = room_of(t, c);
    while (put_line(t, cells, rooms)) continue;
    unsigned c = t->last;
    if (c != NONE && !rooms[c] && t->from[c] < t->to[c]) { /* a note below the row */
        size_t pos = t->indent + NOTE_INDENT;
        if (t->line.at) line_end(&t->line);
        t->line.paint = paint_cell(t, c, cells);
        line_words(&t->line, pos, 0, t->text->p + t->from[c], t->to[c] - t->from[c], t->line.total);
        t->line.paint = (struct paint){ 0 };
    }
    line_end(&t->line);
}

static void put_headings(struct sheet *t)
{
    t->text->n = 0;
    t->indent = 0;
    for (unsigned c = 0; c < t->s->is.column_count; c++) {
        const char *heading = t->s->is.columns[c].heading;
        bool fits = !t->line.total || (heading && t->begin[c] + strlen(heading) <= t->line.total);
        t->from[c] = t->text->n;
        if (there(t, c) && (fits || !is_note(t, c))) buffer_text(t->text, heading);
        t->to[c] = t->text->n;
    }
    put_row(t, NULL);
}

void table_text(const struct section *s, const numel_style *style, struct buffer *scratch, struct sink *sink)
{
    struct cell cells[REPORT_COLUMNS];
    bool verbatim = s->is.column_count == 1 && s->is.columns[0].flags & COLUMN_VERBATIM;
    struct sheet t = { .s = s,
                       .style = style,
                       .line = { .sink = sink, .total = verbatim ? 0 : style->width },
                       .text = scratch };
    t.plain = !style->color && !style->bars;
    t.bars = style->bars && t.line.total >= BAR_TERMINAL;
    measure(&t);
    if (t.line.total && t.first != NONE) fit(&t);
    if (t.bars) widen_bars(&t);
    find_begins(&t);
    if (s->is.shows & TABLE_HEADED && !scratch->failed) put_headings(&t);
    for (size_t i = 0; i < shown_rows(s) && !sink->failed && !scratch->failed; i++) {
        row_texts(&t, i, cells);
        if (!scratch->failed) put_row(&t, cells);
    }
}
