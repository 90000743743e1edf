/*
 * summary.c -- tables that torchinfo, torchsummary and Keras print: a row a layer.
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
 * A number stands under its heading, from its first column (torchinfo) or up to its last
 * (torchsummary). "--" and "(recursive)" count nothing: what is shared is counted where it stands
 * first; in brackets stands what is frozen. A number behind a branch (├─) is a part of the row above.
 * So the sum of the others is the total, and is held against the one that is stated.
 */
#include "printout/printout.h"

#include "base/num.h"
#include "base/text.h"

#include <ctype.h>

static const char heading[] = "Param #";

struct columns { /* of the heading, counted in characters */
    size_t first, last;
};

static numel_str line_at(const struct printout *p, size_t at)
{
    const char *end = memchr(p->text.p + at, '\n', p->text.n - at);
    return (numel_str){ p->text.p + at, end ? (size_t)(end - p->text.p) - at : p->text.n - at };
}

static bool is_inside(char c) { return ((unsigned char)c & 0xC0) == 0x80; } /* of a character */

static size_t characters(numel_str s, size_t bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++) n += !is_inside(s.p[i]);
    return n;
}

/* The byte where a column begins; s.n when the line is shorter. */
static size_t byte_of(numel_str s, size_t column)
{
    size_t i = 0;
    for (; i < s.n && column > 0; column--)
        for (i++; i < s.n && is_inside(s.p[i]); i++) continue;
    return i;
}

static bool is_heading(numel_str s, struct columns *c)
{
    size_t k = sizeof heading - 1, i = 0, from = 0;
    while (from < s.n && s.p[from] == ' ') from++;
    if (s.n - from < 7 || memcmp(s.p + from, "Layer (", 7) != 0) return false;
    while (i + k <= s.n && memcmp(s.p + i, heading, k) != 0) i++;
    if (i + k > s.n) return false;
    *c = (struct columns){ characters(s, i), characters(s, i) + k - 1 };
    return true;
}

/* A line of one character, repeated: "====", "____", "----". */
static bool is_rule(numel_str s, char *of)
{
    size_t from = 0, end = s.n;
    while (from < end && s.p[from] == ' ') from++;
    while (end > from && s.p[end - 1] == ' ') end--;
    if (end - from < 8 || !strchr("=-_", s.p[from])) return false;
    for (size_t i = from; i < end; i++)
        if (s.p[i] != s.p[from]) return false;
    *of = s.p[from];
    return true;
}

/* The cell under the heading. */
static numel_str cell_of(numel_str s, struct columns c)
{
    size_t from = byte_of(s, c.first), to = byte_of(s, c.last + 1);
    if (from >= s.n) return (numel_str){ s.p, 0 };
    bool left = s.p[from] != ' ' && (from == 0 || s.p[from - 1] == ' ');
    if (left) {
        for (to = from; to < s.n && s.p[to] != ' '; to++) continue;
    } else {
        while (from > 0 && s.p[from - 1] != ' ') from--;
        while (from < to && s.p[from] == ' ') from++;
    }
    while (to > from && s.p[to - 1] == ' ') to--;
    return (numel_str){ s.p + from, to - from };
}

/* "1,792", "(510)"; false for "--", "(recursive)" and parts of the row above. */
static bool number_in(numel_str s, uint64_t *v)
{
    bool any = false;
    *v = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == ',' || s.p[i] == '(' || s.p[i] == ')') continue;
        if (!isdigit((unsigned char)s.p[i]) || !num_mul(v, *v, 10) ||
            !num_add(v, *v, (uint64_t)(s.p[i] - '0')))
            return false;
        any = true;
    }
    return any;
}

/* The first cell, without its branches; *depth is the column where it begins. */
static numel_str name_of(numel_str s, uint32_t *depth)
{
    size_t from = 0, to;
    while (from < s.n && !isalnum((unsigned char)s.p[from]) && s.p[from] != '_') from++;
    for (to = from; to < s.n && !(s.p[to] == ' ' && (to + 1 == s.n || s.p[to + 1] == ' ')); to++) continue;
    *depth = (uint32_t)num_min(characters(s, from), UINT32_MAX);
    return (numel_str){ s.p + from, to - from };
}

static bool add_row(struct printout *p, numel_str s, struct columns c, uint32_t line, uint64_t *sum)
{
    struct summary_row row = { .line = line, .summary = (uint32_t)p->summary_count };
    void *to = p->rows;
    row.name = name_of(s, &row.depth);
    row.counted = number_in(cell_of(s, c), &row.elements);
    if (!row.name.n) return true;
    if (!row.counted) row.elements = 0;
    if (!num_add(sum, *sum, row.elements))
        return error_set(p->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                         "line %" PRIu32 ": the sum of the table does not fit in 64 bits", line);
    if (p->row_count == PRINTOUT_MODULES)
        return error_set(p->error, NUMEL_E_LIMIT, NUMEL_NOWHERE,
                         "line %" PRIu32 ": more than %d rows: no table is as long", line,
                         PRINTOUT_MODULES);
    if (!memory_grow(p->arena.memory, &to, &p->row_cap, p->row_count + 1, sizeof row, p->error))
        return false;
    p->rows = to;
    p->rows[p->row_count++] = row;
    return true;
}

static bool add_summary(struct printout *p, const struct summary *x)
{
    void *to = p->summaries;
    if (!memory_grow(p->arena.memory, &to, &p->summary_cap, p->summary_count + 1, sizeof *x, p->error))
        return false;
    p->summaries = to;
    p->summaries[p->summary_count++] = *x;
    return true;
}

bool summary_begins(const struct printout *p, size_t at)
{
    struct columns c;
    return is_heading(line_at(p, at), &c);
}

bool summary_read(struct printout *p, size_t *at, uint32_t *line, bool *found)
{
    struct columns c;
    struct summary x = { .row = (uint32_t)p->row_count, .first_line = *line };
    numel_str s = line_at(p, *at);
    char rule = 0;
    *found = is_heading(s, &c);
    bool begun = false, closed = false;
    while (*found && !closed) {
        *at = num_min(*at + s.n + 1, p->text.n);
        ++*line;
        s = line_at(p, *at);
        if (*at == p->text.n) break;
        if (is_rule(s, &rule)) { /* "____" stands between the rows of Keras */
            closed = begun && rule == '=';
            begun = begun || rule == '=';
        } else if (begun && !add_row(p, s, c, *line, &x.elements)) {
            return false;
        }
    }
    if (!*found) return true;
    if (!closed)
        printout_remark(p, false, "cut-short", *line, 0, "the table of line %" PRIu32 " has no end",
                        x.first_line);
    x.end = (uint32_t)p->row_count;
    x.last_line = *line;
    return add_summary(p, &x);
}
