/*
 * summary_lightning.c -- the overview that Lightning writes before training.
 *
 *       | Name    | Type               | Params | Mode
 *     ---------------------------------------------------
 *     0 | model   | ViTForClassification | 85.8 M | train
 *     1 | loss_fn | CrossEntropyLoss   | 0      | train
 *     ---------------------------------------------------
 *     85.8 M    Trainable params
 *     0         Non-trainable params
 *     85.8 M    Total params
 *     343.225   Total estimated model params size (MB)
 *
 * Versions differ in columns (sizes, modes, FLOPs, parameters per device), in the lines below, and with rich
 * in the frame (summary_box.c). Figures from 1,000 on are truncated from 100 units on ("132 M") and rounded
 * to one decimal below ("60.5 M"), so each is a range, and so is a sum. Rows are numbered, so a missing one
 * is noticed. "encoder.layer" is a part of "encoder". The size, divided by the bytes of a parameter, gives
 * the total again, more exactly.
 */
#include "printout/summary.h"

#include "base/num.h"
#include "base/text.h"

#include <ctype.h>
#include <strings.h>

enum { CELLS = 16 };

/* ---- rows --------------------------------------------------------------------------------- */

static unsigned split(numel_str s, numel_str *cells)
{
    unsigned n = 0;
    for (size_t from = 0, to; from <= s.n && n < CELLS; from = to + 1) {
        to = text_find(s, from, '|');
        cells[n++] = summary_trim(text_slice(s, from, to));
    }
    return n;
}

/* The column of "Params" in a heading; 0 if it is not one. The bar before "Name" may be blank. */
static unsigned heading_column(numel_str s)
{
    numel_str cells[CELLS];
    unsigned n = split(s, cells), name = 0;
    while (name < n && name < 2 && !text_equal(cells[name], "Name")) name++;
    if (name + 2 >= n || !text_equal(cells[name], "Name") || !text_equal(cells[name + 1], "Type")) return 0;
    for (unsigned i = name + 2; i < n; i++)
        if (text_equal(cells[i], "Params")) return i + (name == 0);
    return 0;
}

bool lightning_begins(const struct printout *p, size_t at)
{
    return heading_column(summary_line(p, at)) != 0;
}

static bool is_part(numel_str name, numel_str of)
{
    return name.n > of.n && name.p[of.n] == '.' && memcmp(name.p, of.p, of.n) == 0;
}

/* Finds the rows above that the row is a part of. */
static void find_place(struct summary_reading *r, struct summary_row *row)
{
    char part[TEXT_QUOTE], whole[TEXT_QUOTE];
    while (r->depth && !is_part(row->name, r->p->rows[r->above[r->depth - 1]].name)) r->depth--;
    row->part = r->depth > 0;
    row->depth = r->depth;
    if (row->part) {
        const struct summary_row *above = &r->p->rows[r->above[r->depth - 1]];
        if (row->count.low > above->count.high)
            printout_remark(r->p, false, "sum-differs", row->line, 0,
                            "%s has more parameters than %s, which contains it", text_quote(part, row->name),
                            text_quote(whole, above->name));
    }
    if (r->depth < PRINTOUT_DEPTH) r->above[r->depth++] = (uint32_t)r->p->row_count;
}

/* The rows are numbered from 0; only a module's row has a number. */
static void check_index(struct summary_reading *r, numel_str index, uint32_t line)
{
    uint64_t n;
    if (!index.n) return;
    if (!summary_number(index, &n) || n >= PRINTOUT_MODULES) return;
    if (n != r->next)
        printout_remark(r->p, false, "left-out", line, 0,
                        "row %" PRIu64 " is where row %" PRIu64 " was expected: rows were left out", n,
                        r->next);
    r->next = n + 1;
}

bool lightning_row(struct summary_reading *r, numel_str index, numel_str name, numel_str count, uint32_t line)
{
    struct summary_row row = { .name = name, .line = line };
    char quoted[TEXT_QUOTE];
    size_t length;
    r->x.rounded = true;
    row.counted = figure_read(&row.count, count, 0, &length) && length == count.n;
    if (!row.counted) {
        row.count = (struct figure){ 0, 0, 0 };
        printout_remark(r->p, false, "no-number", line, 0, "%s is not a number of parameters",
                        text_quote(quoted, count));
    }
    check_index(r, index, line);
    find_place(r, &row);
    return summary_add_row(r, &row);
}

/* Splits a row into cells. The row of parameters outside modules has no number, and its first bar was
 * removed as a mark. */
static bool split_row(numel_str s, numel_str *cells, unsigned column)
{
    unsigned n = split(s, cells);
    if (n && n < CELLS && text_equal(cells[0], "other params")) {
        for (unsigned i = n++; i > 0; i--) cells[i] = cells[i - 1];
        cells[0].n = 0;
    }
    return n > column && (!cells[0].n || text_is_number(cells[0]));
}

/* A rule between rows: dashes, also in Markdown's form. */
static bool is_rule(numel_str s)
{
    size_t dashes = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (!strchr("-=|+: ", s.p[i])) return false;
        dashes += s.p[i] == '-' || s.p[i] == '=';
    }
    return dashes >= SUMMARY_RULE;
}

bool lightning_read(struct summary_reading *r)
{
    numel_str cells[CELLS];
    unsigned column = heading_column(r->here.s);
    bool begun = false, closed = false;
    struct text_line last = r->here;
    r->x.rounded = true;
    while (!closed && summary_next(r)) {
        if (is_rule(r->here.s)) {
            closed = begun && r->p->row_count > r->x.row;
            begun = true;
        } else if (!split_row(r->here.s, cells, column)) {
            break;
        } else if (!lightning_row(r, cells[0], cells[1], cells[column], r->here.number)) {
            return false;
        }
        r->x.last_line = r->here.number;
        last = r->here;
    }
    r->here = last; /* the next line is not part of the table */
    return lightning_footer(r) && summary_add(r, closed || r->x.total_known);
}

/* ---- the lines below ---------------------------------------------------------------------- */

enum below { BELOW_TOTAL, BELOW_TRAINABLE, BELOW_FROZEN, BELOW_SIZE, BELOW_OTHER, BELOW_KINDS };

static const struct {
    const char *label;
    enum below is;
} labels[] = {
    { "total params", BELOW_TOTAL },
    { "total", BELOW_TOTAL },
    { "trainable params", BELOW_TRAINABLE },
    { "non-trainable params", BELOW_FROZEN },
    { "total estimated model params size (mb)", BELOW_SIZE },
    { "modules in train mode", BELOW_OTHER },
    { "modules in eval mode", BELOW_OTHER },
    { "total flops", BELOW_OTHER },
    { "total params per device", BELOW_OTHER },
};

struct footer {
    struct figure of[BELOW_KINDS];
    bool has[BELOW_KINDS];
};

static bool label_is(numel_str s, enum below *is)
{
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        if (s.n != strlen(labels[i].label) || strncasecmp(s.p, labels[i].label, s.n) != 0) continue;
        *is = labels[i].is;
        return true;
    }
    return false;
}

/* "85.8 M    Total params", or rich's "Total params: 85.8 M". */
static bool read_below(numel_str s, enum below *is, numel_str *label, numel_str *number, struct figure *f)
{
    size_t length;
    s = summary_trim(s);
    const char *colon = s.n ? memchr(s.p, ':', s.n) : NULL;
    if (s.n && isdigit((unsigned char)s.p[0])) {
        if (!figure_read(f, s, 6, &length)) return false; /* as if it were MB, to find its end */
        *number = (numel_str){ s.p, length };
        *label = summary_trim(text_from(s, length));
    } else if (colon) {
        *label = summary_trim(text_span(s.p, colon));
        *number = summary_trim(text_behind(s, colon + 1));
    } else {
        return false;
    }
    return label_is(*label, is) && figure_read(f, *number, *is == BELOW_SIZE ? 6 : 0, &length) &&
           length == number->n;
}

static bool note(struct summary_reading *r, enum below is, numel_str label, numel_str number,
                 const struct figure *f)
{
    struct stated s = {
        .label = label, .text = number, .low = f->low, .high = f->high, .line = r->here.number
    };
    s.kind = is == BELOW_TRAINABLE ? STATED_TRAINABLE : is == BELOW_FROZEN ? STATED_FROZEN : STATED_TOTAL;
    if (is == BELOW_TOTAL) r->x.total_text = number;
    return is > BELOW_FROZEN || stated_add(r->p, &s);
}

/* Tries the widths, in bytes per parameter, that the size allows; a single one narrows the total. */
static void use_size(struct summary_reading *r, const struct footer *f)
{
    const struct figure *size = &f->of[BELOW_SIZE];
    struct figure *total = &r->x.total, narrow = *total;
    unsigned fits = 0;
    for (uint64_t width = 1; width <= 8; width *= 2) {
        uint64_t low = size->low / width + (size->low % width != 0), high = size->high / width;
        if (low > high || low > total->high || high < total->low) continue;
        fits++;
        narrow.low = num_max(low, total->low);
        narrow.high = num_min(high, total->high);
    }
    r->x.sized = fits == 1 && (narrow.low > total->low || narrow.high < total->high);
    if (fits == 1) *total = narrow;
    if (!fits)
        printout_remark(r->p, false, "sum-differs", r->here.number, 0,
                        "the size in MB is not the total times 1, 2, 4 or 8 bytes per parameter");
}

static void use_footer(struct summary_reading *r, const struct footer *f)
{
    const struct figure *a = &f->of[BELOW_TRAINABLE], *b = &f->of[BELOW_FROZEN];
    uint64_t low, high;
    r->x.total_known = f->has[BELOW_TOTAL];
    r->x.total = f->of[BELOW_TOTAL];
    if (!r->x.total_known) return;
    if (f->has[BELOW_TRAINABLE] && f->has[BELOW_FROZEN] && num_add(&low, a->low, b->low) &&
        num_add(&high, a->high, b->high) && (low > r->x.total.high || high < r->x.total.low))
        printout_remark(r->p, false, "sum-differs", r->here.number, 0,
                        "trainable and non-trainable parameters do not add up to the total");
    if (f->has[BELOW_SIZE]) use_size(r, f);
}

bool lightning_footer(struct summary_reading *r)
{
    struct footer f = { .has = { false } };
    struct text_line last = r->here;
    numel_str label, number;
    struct figure figure;
    enum below is;
    while (summary_next(r) && read_below(r->here.s, &is, &label, &number, &figure)) {
        if (!note(r, is, label, number, &figure)) return false;
        if (!f.has[is]) f.of[is] = figure;
        f.has[is] = true;
        last = r->here;
    }
    r->here.at = last.at + last.s.n; /* these lines are not read again */
    r->here.number = last.number;
    use_footer(r, &f);
    return true;
}
