/*
 * summary_box.c -- tables in a drawn frame, as rich draws them: Keras 3's, and Lightning's
 * overview.
 *
 *     ┏━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┓
 *     ┃ Layer (type)         ┃ Output Shape   ┃    Param # ┃
 *     ┡━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━┩
 *     │ features             │ (None, 64)     │      1,984 │
 *     │ (Functional)         │                │            │
 *     ├──────────────────────┼────────────────┼────────────┤
 *     │    └ dense (Dense)   │ (None, 64)     │      1,984 │
 *     └──────────────────────┴────────────────┴────────────┘
 *
 * lines.h made the upright bars blank: the corners of the rules show the cells. A row may take several
 * lines, and a number too long for its cell continues in the next one; a line with a whole number
 * starts a row. A row with "└" is a part of the last row above that is less deep: its parameters are
 * counted there, and the parts must add up to that row.
 */
#include "printout/summary.h"

#include "base/num.h"
#include "base/text.h"

#include <ctype.h>

enum { EDGES = 24, NUMBER_BYTES = 40 };

struct grid {
    size_t edge[EDGES]; /* columns of the bars, in characters */
    unsigned edges;
    unsigned name, number, index; /* cells */
    bool lightning;
};

struct row_text { /* of a row, while its lines are read */
    numel_str name, index;
    char number[NUMBER_BYTES];
    size_t n;
    uint32_t line, depth;
    bool begun;
};

/* ---- rules -------------------------------------------------------------------------------- */

/* Length of a character of a frame, and whether it is a corner or crossing. 0: not of a frame.
 */
static size_t frame_length(const char *p, size_t n, bool *corner)
{
    const unsigned char *u = (const unsigned char *)p;
    *corner = n && p[0] == '+';
    if (n && strchr("+-=", p[0])) return 1;
    if (n < 3 || u[0] != 0xe2 || (u[1] != 0x94 && u[1] != 0x95)) return 0; /* U+2500 to U+257F */
    bool flat = (u[1] == 0x94 && (u[2] == 0x80 || u[2] == 0x81)) || (u[1] == 0x95 && u[2] == 0x90);
    *corner = !flat;
    return 3;
}

/* Reads a rule from corner to corner: its edges. */
static bool read_rule(numel_str s, struct grid *g)
{
    size_t column = 0, i = 0, length;
    bool corner = false;
    g->edges = 0;
    for (; i < s.n && s.p[i] == ' '; i++) column++;
    while (text_take_end(&s, " ")) continue;
    for (; i < s.n; i += length, column++) {
        if ((length = frame_length(s.p + i, text_from(s, i).n, &corner)) == 0) return false;
        if (g->edges == 0 && !corner) return false;
        if (corner && g->edges < EDGES) g->edge[g->edges++] = column;
    }
    return corner && g->edges > 2 && column - g->edge[0] > SUMMARY_RULE;
}

/* Is it the last rule of a frame? Its corners point up. */
static bool is_last_rule(numel_str s)
{
    s = summary_trim(s);
    return s.n > 3 &&
           text_lists(text_of("\xe2\x94\x94 \xe2\x94\x97 \xe2\x95\x9a \xe2\x95\xb0"), text_upto(s, 3));
}

/* ---- cells -------------------------------------------------------------------------------- */

static numel_str cell_at(const struct grid *g, numel_str s, unsigned i)
{
    size_t from = summary_byte(s, g->edge[i] + 1), to = summary_byte(s, g->edge[i + 1]);
    return summary_trim(text_slice(s, from, to));
}

/* Does the line fit the frame? At the bars it has a blank, a "|" or nothing. */
static bool in_frame(const struct grid *g, numel_str s)
{
    if (!summary_trim(s).n) return false;
    for (unsigned i = 0; i < g->edges; i++) {
        size_t at = summary_byte(s, g->edge[i]);
        if (at < s.n && s.p[at] != ' ' && s.p[at] != '|') return false;
    }
    return true;
}

/* Reads a heading, as Keras or Lightning writes it: which cells matter. */
static bool read_heading(struct grid *g, numel_str s)
{
    unsigned cells = g->edges - 1;
    numel_str first = cell_at(g, s, 0);
    if (!in_frame(g, s)) return false;
    g->lightning = cells > 3 && text_equal(cell_at(g, s, 1), "Name") && text_equal(cell_at(g, s, 2), "Type");
    if (!g->lightning && (first.n < 8 || !text_starts(first, "Layer ("))) return false;
    g->name = g->lightning;
    for (g->number = 1; g->number < cells; g->number++)
        if (text_equal(cell_at(g, s, g->number), g->lightning ? "Params" : "Param #")) return true;
    return false;
}

/* A frame starts with its rule; if that was lost, with the heading above the next rule.
 */
static bool find_grid(const struct printout *p, size_t at, struct grid *g)
{
    numel_str s = summary_line(p, at), next;
    if (at + s.n + 1 >= p->text.n) return false;
    next = summary_line(p, at + s.n + 1);
    if (read_rule(s, g)) return read_heading(g, next);
    return read_rule(next, g) && read_heading(g, s);
}

bool box_begins(const struct printout *p, size_t at)
{
    struct grid g;
    return find_grid(p, at, &g);
}

/* ---- rows --------------------------------------------------------------------------------- */

/* "25,08" continues: three digits follow a comma. */
static bool is_whole(const char *p, size_t n)
{
    size_t digits = 0;
    bool comma = false;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == ',') comma = true, digits = 0;
        else if (isdigit((unsigned char)p[i])) digits++;
        else return true; /* "(unbuilt)", "85.8 M" */
    }
    return !comma || digits == 3;
}

/* Closes the rows down to `depth`, which have all their parts: these must add up to the row. */
static void close_parts(struct summary_reading *r, uint32_t depth)
{
    char name[TEXT_QUOTE], sum[TEXT_NUMBER], whole[TEXT_NUMBER];
    for (; r->depth; r->depth--) {
        unsigned i = r->depth - 1;
        const struct summary_row *row = &r->p->rows[r->above[i]];
        if (row->depth < depth) return;
        if (r->has_parts[i] && r->parts[i] != row->count.nominal)
            printout_remark(r->p, false, "sum-differs", row->line, 0,
                            "the parts of %s add up to %s, its row says %s", text_quote(name, row->name),
                            text_number(sum, r->parts[i]), text_number(whole, row->count.nominal));
    }
}

NUMEL_MUST static bool add_keras(struct summary_reading *r, const struct row_text *t)
{
    struct summary_row row = { .name = t->name, .line = t->line, .depth = t->depth };
    numel_str number = { t->number, t->n };
    char quoted[TEXT_QUOTE];
    uint64_t n = 0;
    row.counted = summary_number(number, &n);
    if (!row.counted)
        printout_remark(r->p, false, "no-number", t->line, 0, "%s is not a number of parameters",
                        text_quote(quoted, number));
    if (text_ends(number, "(unbuilt)"))
        printout_remark(r->p, true, "not-built", t->line, 0, "%s is not built: it has no parameters yet",
                        text_quote(quoted, t->name));
    row.count = (struct figure){ n, n, n };
    close_parts(r, row.depth);
    row.part = r->depth > 0;
    if (row.part) {
        r->has_parts[r->depth - 1] = true;
        if (!num_add(&r->parts[r->depth - 1], r->parts[r->depth - 1], n)) r->parts[r->depth - 1] = UINT64_MAX;
    }
    if (r->depth < PRINTOUT_DEPTH) {
        r->parts[r->depth] = 0;
        r->has_parts[r->depth] = false;
        r->above[r->depth++] = (uint32_t)r->p->row_count;
    }
    return summary_add_row(r, &row);
}

/* Adds the row whose lines were read. */
NUMEL_MUST static bool end_row(struct summary_reading *r, const struct grid *g, struct row_text *t)
{
    struct row_text done = *t;
    *t = (struct row_text){ .begun = false };
    if (!done.begun) return true;
    if (!g->lightning) return add_keras(r, &done);
    return lightning_row(r, done.index, done.name, (numel_str){ done.number, done.n }, done.line);
}

/* Appends to a number; drops text that is too long. */
static void add_number(struct row_text *t, numel_str more, bool apart)
{
    if (more.n >= NUMBER_BYTES || t->n + apart > NUMBER_BYTES - more.n) return;
    if (apart) t->number[t->n++] = ' ';
    for (size_t i = 0; i < more.n; i++) t->number[t->n++] = more.p[i];
}

/* A row with "└" is as deep as its column; other rows are at the top. */
static void begin_row(const struct grid *g, numel_str s, uint32_t line, struct row_text *t)
{
    static const char branch[] = "\xe2\x94\x94";
    numel_str name = cell_at(g, s, g->name);
    *t = (struct row_text){ .name = name, .line = line, .begun = true };
    if (g->lightning) t->index = cell_at(g, s, 0);
    if (name.n <= 3 || memcmp(name.p, branch, 3) != 0) return;
    t->name = summary_trim(text_from(name, 3));
    t->depth = (uint32_t)(name.p - (s.p + summary_byte(s, g->edge[g->name]))) + 1;
}

/* A line between two rules. */
static bool read_row_line(struct summary_reading *r, const struct grid *g, struct row_text *t)
{
    numel_str number = cell_at(g, r->here.s, g->number);
    bool unit = number.n == 1 && isalpha((unsigned char)number.p[0]); /* of "85.8 M" */
    if (!number.n && t->begun) return true;                           /* more of its name */
    if (t->begun && t->n &&
        (!is_whole(t->number, t->n) || number.p[0] == ',' || number.p[0] == '(' || unit)) {
        add_number(t, number, unit || number.p[0] == '(');
        return true;
    }
    if (!end_row(r, g, t)) return false;
    begin_row(g, r->here.s, r->here.number, t);
    add_number(t, number, false);
    return true;
}

/* Reads up to the last rule; one drawn with "+" is the last if no row follows. */
NUMEL_MUST static bool read_rows(struct summary_reading *r, const struct grid *g, bool *closed)
{
    struct text_line last = r->here;
    struct row_text row = { .begun = false };
    struct grid between;
    bool body = false, rule = false, plain = false;
    *closed = false;
    while (!*closed && summary_next(r)) {
        bool now = read_rule(r->here.s, &between);
        if (!now && body && !in_frame(g, r->here.s)) break;
        rule = now;
        if (rule && !end_row(r, g, &row)) return false;
        if (!rule && body && !read_row_line(r, g, &row)) return false;
        body |= rule;
        plain |= rule && summary_trim(r->here.s).p[0] == '+';
        *closed = rule && is_last_rule(r->here.s);
        r->x.last_line = r->here.number;
        last = r->here;
    }
    *closed |= rule && plain && r->p->row_count > r->x.row;
    r->here = last;
    return end_row(r, g, &row);
}

bool box_read(struct summary_reading *r)
{
    struct grid g;
    bool closed;
    if (!find_grid(r->p, r->here.at, &g)) return true;
    if (!read_rows(r, &g, &closed)) return false;
    if (g.lightning) return lightning_footer(r) && summary_add(r, closed);
    close_parts(r, 0);
    return summary_add(r, closed);
}
