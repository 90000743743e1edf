/* reconcile_causes.c -- see reconcile_causes.h. JSON has every difference; text has only those that no
 * cause explains. */
#include "reporter/reconcile_causes.h"

#include "base/text.h"

/* ---- causes ------------------------------------------------------------------------------- */

struct cause_rows {
    struct cause_text {
        const char *label, *text;
    } * items;
    size_t count;
};

static const struct table cause_table = TABLE(
    NULL, "", SECTION_LIST, TABLE_FILLED, NULL, { NULL, "", 0, AT(CELL_TEXT, struct cause_text, label) },
    { NULL, "", COLUMN_WRAP, AT(CELL_TEXT, struct cause_text, text) });

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
    report_list(out, &cause_table, ROWS(r->items, r->count), NULL);
    return true;
}

/* ---- what no cause explains --------------------------------------------------------------- */

static bool is_folded(const struct change *c, const uint32_t *of, size_t i)
{
    return of && of[i] != CHANGE_NONE && !c->causes[of[i] - 1].alone;
}

bool folded_list(struct numel_report *out, const struct change *c, const uint32_t *of, struct section *s,
                 size_t shown)
{
    size_t n = 0;
    size_t *rows = arena_alloc(&out->arena, (s->rows + 1) * sizeof *rows);
    if (!rows) return false;
    for (size_t i = 0; i < s->rows; i++)
        if (!is_folded(c, of, i)) rows[n++] = i;
    if (n < s->rows) { /* JSON has them all */
        struct section rest = *s;
        s->hidden = true;
        rest.is.key = NULL;
        rest.hidden |= n == 0;
        rest.rows = n;
        rest.which = rows;
        s = report_section(out, &rest);
    }
    report_shorten(out, s, shown);
    return true;
}
