/*
 * expand_rows.c -- of an expansion, the rows of a site and what they are called; see expand.h. Names on the other side are
 * made too, for alignment.
 */
#include "formula/expand_internal.h"

static struct expansion *own(const struct spec_walk *w) { return ((struct expanding *)w->ctx)->x; }

enum { NAMES_MEMORY = 8 << 20, NAME_MEMORY = 256 }; /* of all, or of each when there are many */

/* The name on the other side is for alignment only: where it cannot be said, there is none. */
NUMEL_MUST static bool other_name(struct spec_walk *w, const struct tensor_part *p, numel_str *out)
{
    numel_error *kept = w->env->error, mine = { 0 };
    w->env->error = &mine;
    bool named = walk_name(w, p->tensor, SIDES - 1 - w->env->names, p->part, out);
    w->env->error = kept;
    return named || mine.code != NUMEL_E_NOMEM || error_nomem(kept);
}

NUMEL_MUST static bool add_row(struct expansion *x, const struct row *row)
{
    numel_error *e = x->env.error;
    size_t each = x->folded ? 2 * NAME_MEMORY : NAME_MEMORY; /* no two of its sites share their sizes */
    if (x->arena.held > NAMES_MEMORY && x->arena.held / each > x->row_count)
        return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE,
                         "the names of %zu expected tensors take more than %zu bytes", x->row_count,
                         x->arena.held);
    if (!memory_grow(x->arena.memory, (void **)&x->rows, &x->row_cap, x->row_count + 1, sizeof *x->rows, e))
        return false;
    x->rows[x->row_count++] = *row;
    return true;
}

/* Where the number of a row stands in the names of its stack, which differ in nothing else; behind its end: it does not. */
static size_t number_in(const struct expansion *x, const struct tensor_line *t, numel_str first,
                        numel_str second)
{
    size_t at = 0;
    if (!stack_counts(x->spec, t, x->side) || first.n != second.n) return first.n;
    while (at < first.n && first.p[at] == second.p[at]) at++;
    return at;
}

/* The names of the first two rows are made as the line says. Where only the number of the row differs, it is put in its place for the others. */
NUMEL_MUST static bool name_row(struct spec_walk *w, struct site *site, const struct tensor_part *p,
                                struct row *row)
{
    struct expansion *x = own(w);
    struct value e = value_int(row->index);
    char digits[TEXT_DECIMAL];
    if (row->index < 2 || !site->counts) {
        env_bind(w->env, SYMBOL_E, &e);
        if (!walk_name(w, p->tensor, x->side, p->part, &row->name)) return false;
        numel_str first = row->index == 1 ? x->rows[site->first_row].name : (numel_str){ NULL, 0 };
        site->counts = first.p && (site->number_at = number_in(x, p->tensor, first, row->name)) < first.n;
        return true;
    }
    numel_str first = x->rows[site->first_row].name;
    row->name = arena_join(&x->arena, text_upto(first, site->number_at), text_decimal(digits, row->index),
                           text_from(first, site->number_at + 1));
    return row->name.p || error_nomem(w->env->error);
}

bool expand_rows(struct spec_walk *w, struct site *site, const struct tensor_part *p)
{
    struct expansion *x = own(w);
    struct row row = { .site = (uint32_t)x->site_count };
    struct value marker = value_text(text_of("{e}"));
    site->rows = p->tensor->stack && !site->stacked ? site->stack : 1;
    if (x->unnamed) return true;
    if (site->stacked) env_bind(w->env, SYMBOL_E, &marker);
    bool ok = other_name(w, p, &row.other);
    site->first_row = (uint32_t)x->row_count;
    uint32_t rows = x->folded && site->rows ? 1 : site->rows;
    for (; ok && row.index < rows; row.index++) ok = name_row(w, site, p, &row) && add_row(x, &row);
    return ok;
}
