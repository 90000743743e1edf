/*
 * summary_total.c -- compares a table of layers with the total that it states.
 *
 * The rows must add up to the total, exactly, or, if Lightning rounds, within the ranges of the
 * figures. Keras 3 counts the optimizer's state in the total of a trained model. A table without its
 * total may be cut: that is reported, since nothing else would show it.
 */
#include "printout/printout.h"

#include "base/num.h"
#include "base/text.h"

enum { TOTAL_LINES = 4, OPTIMIZER_LINES = 10 };

/* The first number of that kind that the text states below the table's last rule; NULL: none. */
static const struct stated *stated_below(const struct printout *p, const struct summary *x,
                                         enum stated_kind kind, uint32_t lines)
{
    for (size_t i = 0; i < p->stated_count; i++)
        if (p->stated[i].kind == kind && p->stated[i].line > x->last_line &&
            p->stated[i].line <= x->last_line + lines)
            return &p->stated[i];
    return NULL;
}

static void find_total(const struct printout *p, struct summary *x, const struct summary *next)
{
    const struct stated *s = stated_below(p, x, STATED_TOTAL, TOTAL_LINES), *o;
    if (!s || (next && s->line >= next->first_line)) return;
    x->total_known = true;
    x->total = (struct figure){ s->low, s->low, s->high };
    x->total_text = s->text;
    o = stated_below(p, x, STATED_OPTIMIZER, OPTIMIZER_LINES);
    if (o && o->low == o->high && (!next || o->line < next->first_line)) x->optimizer = o->low;
}

static bool meets(const struct figure *sum, const struct figure *total, uint64_t more)
{
    uint64_t low, high;
    return num_add(&low, sum->low, more) && num_add(&high, sum->high, more) && low <= total->high &&
           high >= total->low;
}

/* "4,609", or the range of a rounded figure. */
NUMEL_MUST static const char *figure_text(struct printout *p, const struct figure *f)
{
    char low[TEXT_NUMBER], high[TEXT_NUMBER];
    if (f->low == f->high) return arena_format(&p->arena, "%s", text_number(low, f->low));
    return arena_format(&p->arena, "%s to %s", text_number(low, f->low), text_number(high, f->high));
}

NUMEL_MUST static bool tell_difference(struct printout *p, const struct summary *x)
{
    const char *sum = figure_text(p, &x->sum), *total = figure_text(p, &x->total);
    bool less = x->sum.high < x->total.low;
    if (!sum || !total) return error_nomem(p->error);
    printout_remark(p, false, "sum-differs", x->last_line, 0,
                    "the rows of the table of line %" PRIu32 " add up to %s, but its total is %s: %s",
                    x->first_line, sum, total,
                    less ? "rows are missing, or parameters belong to no row"
                         : "rows are repeated, or share parameters");
    return true;
}

bool summaries_judge(struct printout *p)
{
    for (size_t i = 0; i < p->summary_count; i++) {
        struct summary *x = &p->summaries[i];
        if (!x->rounded) find_total(p, x, i + 1 < p->summary_count ? x + 1 : NULL);
        x->agrees = true;
        if (!x->total_known) {
            if (!x->cut && p->stated_count < PRINTOUT_STATED)
                printout_remark(p, false, "no-total", x->last_line, 0,
                                "the table of line %" PRIu32 " ends without its total: rows may be missing",
                                x->first_line);
            continue;
        }
        if (meets(&x->sum, &x->total, 0)) {
            x->optimizer = 0;
            continue;
        }
        x->agrees = x->optimizer && meets(&x->sum, &x->total, x->optimizer);
        if (!x->agrees && !tell_difference(p, x)) return false;
    }
    return true;
}
