/* reconcile_causes.c -- see reconcile_causes.h. JSON has every difference; text has those that no cause explains. */
#include "reporter/reconcile_causes.h"

#include "base/text.h"

/* ---- causes ------------------------------------------------------------------------------- */

struct cause_rows {
    struct cause_text {
        const char *label, *text;
    } * items;
    size_t count;
};

static const struct column cause_columns[] = { { NULL, "", 0 }, { NULL, "", COLUMN_WRAP } };

static void cause_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct cause_text *t = &((const struct cause_rows *)ctx)->items[i];
    (void)depth;
    c[0] = CELL_T(t->label);
    c[1] = CELL_T(t->text);
}

/* "...; 18 follow from it (--no-truncate shows them)" */
NUMEL_MUST static const char *with_count(struct arena *a, const struct change_cause *x, bool folded)
{
    char n[TEXT_NUMBER];
    return arena_format(a, "%s; %s follow%s from it%s", x->text,
                        text_number(n, x->explains - (strcmp(x->code, "contradiction") == 0)),
                        x->explains == 1 ? "s" : "", folded ? " (--no-truncate shows them)" : "");
}

bool cause_lines(struct numel_report *out, const struct change *c, bool all)
{
    struct cause_rows *r = arena_alloc(&out->arena, sizeof *r);
    if (!r || !(r->items = arena_alloc(&out->arena, (c->count + 1) * sizeof *r->items))) return false;
    r->count = 0;
    for (unsigned i = 0; i < c->count; i++) {
        const struct change_cause *x = &c->causes[i];
        if (x->alone) continue;
        const char *text = x->explains ? with_count(&out->arena, x, !all && r->count == 0) : x->text;
        if (!text) return false;
        bool contradiction = strcmp(x->code, "contradiction") == 0;
        r->items[r->count++] = (struct cause_text){ contradiction ? "contradiction" : "cause", text };
    }
    report_section(out, &(struct section){ .title = "",
                                           .form = SECTION_LIST,
                                           .hidden = r->count == 0,
                                           COLUMNS(cause_columns),
                                           .rows = r->count,
                                           .row = cause_row,
                                           .ctx = r });
    return true;
}

/* ---- what no cause explains --------------------------------------------------------------- */

struct unfolded {
    struct section of;
    size_t *rows;
};

static void unfolded_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct unfolded *u = ctx;
    u->of.row(u->of.ctx, u->rows[i], c, depth);
}

static bool is_folded(const struct change *c, const uint32_t *of, size_t i)
{
    return of && of[i] != CHANGE_NONE && !c->causes[of[i] - 1].alone;
}

NUMEL_MUST static bool add(struct numel_report *out, struct section s, size_t shown, bool all)
{
    s.title = "";
    s.form = SECTION_LIST;
    s.hidden |= s.rows == 0;
    if (s.rows > shown && !all) {
        s.text_rows = shown;
        s.more = arena_format(&out->arena, "... and %zu more (--no-truncate shows them)", s.rows - shown);
        if (!s.more) return false;
    }
    report_section(out, &s);
    return true;
}

bool folded_list(struct numel_report *out, const struct change *c, const uint32_t *of, struct section s,
                 size_t shown, bool all)
{
    size_t n = 0;
    for (size_t i = 0; i < s.rows; i++) n += is_folded(c, of, i);
    if (all || !n) return add(out, s, shown, all);
    struct unfolded *u = arena_alloc(&out->arena, sizeof *u);
    if (!u || !(u->rows = arena_alloc(&out->arena, (s.rows - n + 1) * sizeof *u->rows))) return false;
    u->of = s;
    n = 0;
    for (size_t i = 0; i < s.rows; i++)
        if (!is_folded(c, of, i)) u->rows[n++] = i;
    bool hidden = s.hidden;
    s.hidden = true;
    if (!add(out, s, shown, true)) return false;
    s = u->of;
    s.key = NULL;
    s.hidden = hidden;
    s.rows = n;
    s.row = unfolded_row;
    s.ctx = u;
    return add(out, s, shown, false);
}
