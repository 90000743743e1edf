/*
 * explain_words.c -- turns the accounts of explain into lines and sentences.
 *
 * An account is counted step by step; the line of a step is its change after the preceding steps. The lines
 * are closed against the account's total (statement/line.h).
 */
#include "reporter/explain_words.h"

#include "reporter/lines.h"

#include "base/num.h"

enum { CLOSE = 2 }; /* bits: accounts within this cost of the best fit about as well */

/* ---- lines -------------------------------------------------------------------------------- */

struct touched { /* the entries that a step changes */
    const struct entry *first;
    uint64_t tensors;
};

static struct touched find_touched(const struct explanation *x, const struct counting *c, uint64_t before,
                                   uint64_t after)
{
    struct touched t = { NULL, 0 };
    for (size_t i = 0; i < x->ledger->count; i++) {
        const struct entry *n = &x->ledger->entries[i];
        bool was = explain_takes(c, before, n), is = explain_takes(c, after, n);
        if (was == is && (!is || explain_size(x, c, before, n) == explain_size(x, c, after, n))) continue;
        if (!t.first) t.first = n;
        t.tensors += n->tensors / c->divide;
    }
    return t;
}

/* "a.weight and 31 more" */
static void name_touched(struct tally_line *l, const struct touched *t)
{
    const struct entry *n = t->first;
    if (!n) return;
    l->first = n->described ? text_of(n->described) : n->name.p ? n->name : n->role;
    l->names = n->name.p ? num_max(t->tensors, 1) : 1;
}

/* NULL on failure. */
static struct tally_line *add_line(struct wording *w, const struct line_code *code, uint64_t tensors,
                                   uint64_t is, uint64_t was)
{
    struct tally_line *l = tally_new(&w->tally, code);
    if (!l || !tally_sum(&w->tally, &l->elements, is, was)) return NULL;
    l->tensors = (int64_t)tensors;
    return l;
}

/* Copies the lines of the stored elements from reconcile's statement. */
static void stored_lines(struct wording *w, const struct statement *s)
{
    for (size_t i = 0; i < s->tally.count; i++) {
        struct tally_line *l = tally_new(&w->tally, s->tally.lines[i]->code);
        if (l) *l = *s->tally.lines[i];
    }
}

static void start_line(struct wording *w, const struct explanation *x, const struct counting *c)
{
    struct touched t = { NULL, c->tensors };
    struct tally_line *l = add_line(w, c->line, c->tensors, c->value, 0);
    if (!l) return;
    l->cause = c->name;
    l->note = c->detail;
    for (size_t i = 0; c->scope && i < x->ledger->count && !t.first; i++)
        if (explain_takes(c, 0, &x->ledger->entries[i])) t.first = &x->ledger->entries[i];
    name_touched(l, &t);
}

/* Adds a line for each step. Returns the count after all of them. */
static uint64_t step_lines(struct wording *w, const struct explanation *x, const struct counting *c)
{
    uint64_t taken = 0, value = c->value;
    for (unsigned i = 0; i < step_rows; i++) {
        if (!(w->a->steps >> i & 1)) continue;
        uint64_t now = taken | UINT64_C(1) << i, next = explain_value(x, c, now);
        struct touched touched = find_touched(x, c, taken, now);
        struct tally_line *l = add_line(w, &steps[i].line, touched.tensors, next, value);
        if (l) l->note = steps[i].note;
        if (l) name_touched(l, &touched);
        taken = now;
        value = next;
    }
    return value;
}

static void dimension_line(struct wording *w, const struct explanation *x, uint64_t value)
{
    char is[TEXT_NUMBER], was[TEXT_NUMBER];
    const struct account *a = w->a;
    if (a->dimension == NO_DIMENSION) return;
    const struct dimension_value *d = &x->ledger->dimensions[a->dimension];
    struct tally_line *l = add_line(w, &dimension_rows[a->dimension].line, 0, a->counted, value);
    if (!l) return;
    const char *factors = explain_factors(x, l->elements);
    l->detail = arena_format(w->tally.arena, "%s = %s, not %s%s%s", d->symbol, text_number(is, a->resized),
                             text_number(was, (uint64_t)d->value), factors[0] ? "; " : "", factors);
    if (!l->detail) error_nomem(w->tally.error);
}

NUMEL_MUST static bool make_lines(struct wording *w, const struct explanation *x)
{
    const struct account *a = w->a;
    const struct counting *c = &x->countings[a->counting];
    int64_t left;
    if (c->stored) stored_lines(w, &x->ledger->c->statement);
    else start_line(w, x, c);
    dimension_line(w, x, step_lines(w, x, c));
    struct tally_line *l = a->unit ? add_line(w, &unit_errors[a->unit].line, 0, a->shown, a->counted) : NULL;
    if (l) l->detail = unit_errors[a->unit].detail;
    return tally_close(&w->tally, a->shown, 0, &left) && tally_rest(&w->tally, left);
}

NUMEL_MUST static const char *join(const struct explanation *x, struct arena *arena, const struct wording *w)
{
    const struct counting *c = &x->countings[w->a->counting];
    size_t n = w->tally.count;
    struct buffer b;
    buffer_init(&b, arena->memory);
    if (c->stored) buffer_text(&b, c->name);
    for (size_t i = c->stored ? n : 0; i < n; i++) {
        bool solved = w->a->dimension != NO_DIMENSION && i + 1 + (w->a->unit != 0) == n;
        buffer_format(&b, "%s%s", i ? ", " : "", w->tally.lines[i]->cause);
        if (!solved) continue;
        const char *detail = w->tally.lines[i]->detail;
        buffer_text(&b, " (");
        buffer_add(&b, detail, strcspn(detail, ";"));
        buffer_char(&b, ')');
    }
    if (w->a->reading) buffer_format(&b, " (%s)", claim_reading_text((enum claim_reading)w->a->reading));
    return buffer_keep(&b, arena);
}

bool wording_make(struct wording *w, const struct explanation *x, const struct account *a, numel_error *e)
{
    struct arena *arena = x->ledger->arena;
    *w = (struct wording){ .a = a };
    tally_init(&w->tally, arena, e);
    if (!make_lines(w, x)) return false;
    w->joined = join(x, arena, w);
    w->json = lines_json(arena, &w->tally);
    return (w->joined && w->json) || error_nomem(e);
}

/* ---- sentences ---------------------------------------------------------------------------- */

const char *explain_claim_text(const struct explanation *x, struct arena *a)
{
    char low[TEXT_NUMBER], high[TEXT_NUMBER];
    if (x->claim.n.exact) return arena_format(a, "%s, exact", text_number(low, x->claim.n.value));
    return arena_format(a, "%s: %s to %s", x->claim.text, text_number(low, x->low),
                        text_number(high, x->high - 1));
}

/* Why an account that fits is still not an explanation. */
NUMEL_MUST static const char *chance_of(const struct explanation *x, struct arena *a)
{
    const struct account *best = &x->accounts[0];
    unsigned percent = (x->met + 5) / 10;
    if (best->loose)
        return arena_format(a, "possible, may be chance: '%s' is no explanation for a rounded number",
                            best->unit                    ? unit_errors[best->unit].line.text
                            : best->reading == CLAIM_NAME ? "a rounded name"
                                                          : x->countings[best->counting].name);
    if (x->tied)
        return "possible, may be chance: another explanation fits as well, and the digits cannot tell which";
    if (best->cost > explain_bits_most(x))
        return x->claim.n.exact
                   ? "possible, may be chance: too many combinations as long as this one give such a number"
                   : "possible, may be chance: too many combinations give a number this short";
    if (percent == 0) return "possible, may be chance: too many explanations are as simple as this one";
    return arena_format(a, "possible, may be chance: an explanation this simple fits %u %% of such numbers",
                        percent);
}

const char *explain_verdict(const struct explanation *x, struct arena *a)
{
    char rest[TEXT_NUMBER];
    size_t close = 0;
    if (!x->count) return "not explained: the model has nothing to count";
    const struct account *best = &x->accounts[0];
    uint64_t size = num_size(best->rest);
    if (!x->fits)
        return arena_format(a, "not explained: no known way of counting gives it; the nearest is off by %s",
                            text_number(rest, size));
    if (!x->explained) return chance_of(x, a);
    while (close + 1 < x->count && x->accounts[close + 1].cost <= best->cost + CLOSE) close++;
    const char *how =
        x->claim.n.exact ? "explained to the last element" : "explained: matches within rounding";
    if (x->claim.n.exact && best->dimension != NO_DIMENSION)
        how = "explained to the last element, with one size inferred";
    if (best->reading)
        how = arena_format(a, "explained: %s", claim_reading_text((enum claim_reading)best->reading));
    if (!how || close == 0) return how;
    return arena_format(a, "%s; ambiguous: %zu other %s", how, close,
                        close == 1 ? "explanation fits" : "explanations fit");
}
