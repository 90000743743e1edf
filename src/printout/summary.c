/*
 * summary.c -- tables that torchinfo, torchsummary, Keras 2 and fastai print: one row per layer.
 *
 *     ==========================================================
 *     Layer (type:depth-idx)      Output Shape          Param #
 *     ==========================================================
 *     SingleInputNet              [5, 10]               --
 *     ├─Conv2d: 1-1               [5, 10, 24, 24]       260
 *     │    └─weight                                     ├─250
 *     ├─Linear: 1-5               [5, 10]               (510)
 *     ==========================================================
 *     Total params: 770
 *
 * A number is under its heading, from its first column (torchinfo) or up to its last (torchsummary). "--" and
 * "(recursive)" count nothing: a shared layer is counted where it comes first; numbers in brackets are
 * frozen. A number after a branch (├─) is a part of the row above. The sum of the other numbers is the total.
 * The table ends at its second "=====", fastai's where the totals start.
 */
#include "printout/summary.h"

#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

#include <ctype.h>

static const char heading[] = "Param #";

struct columns { /* of the heading, counted in characters */
    size_t first, last;
    size_t second; /* where the second heading starts */
};

/* ---- for all kinds of tables -------------------------------------------------------------- */

numel_str summary_line(const struct printout *p, size_t at)
{
    numel_str text = { p->text.p, p->text.n };
    return text_slice(text, at, text_find(text, at, '\n'));
}

bool summary_next(struct summary_reading *r)
{
    size_t next = r->here.at + r->here.s.n + 1;
    if (next >= r->p->text.n) return false;
    r->here.at = next;
    r->here.number++;
    r->here.s = summary_line(r->p, next);
    return true;
}

numel_str summary_trim(numel_str s)
{
    while (text_take_start(&s, " ") || text_take_end(&s, " ")) continue;
    return s;
}

/* A line of one repeated character: "====", "____", "----". */
static bool is_rule(numel_str s, char *of)
{
    s = summary_trim(s);
    if (s.n < SUMMARY_RULE || !strchr("=-_", s.p[0])) return false;
    for (size_t i = 1; i < s.n; i++)
        if (s.p[i] != s.p[0]) return false;
    *of = s.p[0];
    return true;
}

bool summary_number(numel_str s, uint64_t *v)
{
    struct number n;
    text_take_end(&s, " (unbuilt)"); /* Keras: no parameters yet */
    if (text_starts(s, "(") && text_ends(s, ")")) s = text_inner(s);
    bool read = number_read(&n, &s, NUMBER_GROUPS, 0) == NUMBER_READ && s.n == 0 && !n.pointed;
    *v = read ? n.value : 0;
    return read;
}

static bool add_figure(struct figure *sum, const struct figure *x)
{
    return num_add(&sum->nominal, sum->nominal, x->nominal) && num_add(&sum->low, sum->low, x->low) &&
           num_add(&sum->high, sum->high, x->high);
}

bool summary_add_row(struct summary_reading *r, struct summary_row *row)
{
    struct printout *p = r->p;
    row->summary = (uint32_t)p->summary_count;
    row->elements = row->count.nominal;
    if (row->counted && !row->part && !add_figure(&r->x.sum, &row->count))
        return error_set(p->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                         "line %" PRIu32 ": the sum of the table does not fit in 64 bits", row->line);
    if (p->row_count == PRINTOUT_MODULES)
        return error_set(p->error, NUMEL_E_LIMIT, NUMEL_NOWHERE,
                         "line %" PRIu32 ": more than %d rows: not a table of layers", row->line,
                         PRINTOUT_MODULES);
    if (!memory_grow(p->arena.memory, &p->rows, &p->row_cap, p->row_count + 1, sizeof *row, p->error))
        return false;
    p->rows[p->row_count++] = *row;
    return true;
}

bool summary_add(struct summary_reading *r, bool closed)
{
    struct printout *p = r->p;
    struct summary *x = &r->x;
    if (!closed)
        printout_remark(p, false, "cut-short", x->last_line, 0, "the table of line %" PRIu32 " has no end",
                        x->first_line);
    x->cut = !closed;
    x->end = (uint32_t)p->row_count;
    x->elements = x->sum.nominal;
    if (!memory_grow(p->arena.memory, &p->summaries, &p->summary_cap, p->summary_count + 1, sizeof *x,
                     p->error))
        return false;
    p->summaries[p->summary_count++] = *x;
    return true;
}

/* ---- rows under a heading ----------------------------------------------------------------- */

static bool is_inside(char c) { return ((unsigned char)c & 0xC0) == 0x80; } /* a character */

static size_t characters(numel_str s, size_t bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++) n += !is_inside(s.p[i]);
    return n;
}

size_t summary_byte(numel_str s, size_t column)
{
    size_t i = 0;
    for (; i < s.n && column > 0; column--)
        for (i++; i < s.n && is_inside(s.p[i]); i++) continue;
    return i;
}

static bool is_heading(numel_str s, struct columns *c)
{
    size_t k = sizeof heading - 1, i = text_seek(s, text_of(heading)), from = 0, second;
    while (from < s.n && s.p[from] == ' ') from++;
    if (!text_starts(text_from(s, from), "Layer (") || i == s.n) return false;
    for (second = from; second + 2 < i && memcmp(s.p + second, "  ", 2) != 0; second++) continue;
    while (second < i && s.p[second] == ' ') second++;
    *c = (struct columns){ characters(s, i), characters(s, i) + k - 1, characters(s, second) };
    return true;
}

/* The cell under the heading. */
static numel_str cell_of(numel_str s, struct columns c)
{
    size_t from = summary_byte(s, c.first), to = summary_byte(s, c.last + 1);
    if (from >= s.n) return (numel_str){ s.p, 0 };
    bool left = s.p[from] != ' ' && (from == 0 || s.p[from - 1] == ' ');
    if (left) {
        for (to = from; to < s.n && s.p[to] != ' '; to++) continue;
    } else {
        while (from > 0 && s.p[from - 1] != ' ') from--;
        while (from < to && s.p[from] == ' ') from++;
    }
    while (to > from && s.p[to - 1] == ' ') to--;
    return text_slice(s, from, to);
}

/* The first cell, without its branches; *depth is the column where it starts. */
static numel_str name_of(numel_str s, uint32_t *depth)
{
    size_t from = 0, to;
    while (from < s.n && !isalnum((unsigned char)s.p[from]) && s.p[from] != '_') from++;
    for (to = from; to < s.n && !(s.p[to] == ' ' && (to + 1 == s.n || s.p[to + 1] == ' ')); to++) continue;
    *depth = (uint32_t)num_min(characters(s, from), UINT32_MAX);
    return text_slice(s, from, to);
}

/* fastai writes the rows' shape on its own line, under the second heading: that is not a row. */
NUMEL_MUST static bool add_row(struct summary_reading *r, struct columns c)
{
    struct summary_row row = { .line = r->here.number };
    uint64_t n;
    row.name = name_of(r->here.s, &row.depth);
    row.counted = summary_number(cell_of(r->here.s, c), &n);
    if (row.counted) row.count = (struct figure){ n, n, n };
    if (!row.name.n || (!row.counted && row.depth >= c.second)) return true;
    return summary_add_row(r, &row);
}

static bool ruled_read(struct summary_reading *r, struct columns c)
{
    bool begun = false, closed = false;
    char rule;
    while (!closed && summary_next(r)) {
        r->x.last_line = r->here.number;
        if (is_rule(r->here.s, &rule)) { /* Keras writes "____" between rows */
            closed = begun && rule == '=';
            begun = begun || rule == '=';
        } else if (begun && text_starts(summary_trim(r->here.s), "Total params")) {
            closed = true;
            r->x.last_line--;
        } else if (begun && !add_row(r, c)) {
            return false;
        }
    }
    return summary_add(r, closed);
}

/* ---- which kind --------------------------------------------------------------------------- */

bool summary_begins(const struct printout *p, size_t at)
{
    struct columns c;
    return is_heading(summary_line(p, at), &c) || box_begins(p, at) || lightning_begins(p, at);
}

bool summary_read(struct printout *p, size_t *at, uint32_t *line, bool *found)
{
    struct columns c;
    struct summary_reading r = { .p = p, .here = { *at, *line, summary_line(p, *at) } };
    bool ok = true, box = box_begins(p, *at), ruled = !box && is_heading(r.here.s, &c);
    *found = box || ruled || lightning_begins(p, *at);
    if (!*found) return true;
    r.x = (struct summary){ .row = (uint32_t)p->row_count, .first_line = *line, .last_line = *line };
    ok = box ? box_read(&r) : ruled ? ruled_read(&r, c) : lightning_read(&r);
    *at = r.here.at;
    *line = r.here.number;
    return ok;
}
