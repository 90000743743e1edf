/*
 * expand_rows.c -- makes the rows of a site and their names, also on the other side, for alignment; see
 * expand.h.
 */
#include "formula/expand_internal.h"

#include "base/fixed.h"
#include "base/num.h"
#include "base/number.h"

#include <string.h>

static struct expansion *own(const struct spec_walk *w) { return ((struct expanding *)w->ctx)->x; }

enum { RANGED_NAME = 1024 };
enum { NAMES_MEMORY = 8 << 20, NAME_MEMORY = 256 }; /* in all, or for each name if there are many */

/* The name on the other side is for alignment only: if it cannot be computed, there is none. */
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
    size_t each = x->folded ? 2 * NAME_MEMORY : NAME_MEMORY; /* folded sites share no sizes */
    if (x->arena.held > NAMES_MEMORY && x->arena.held / each > x->row_count)
        return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE,
                         "the names of %zu expected tensors take more than %zu bytes", x->row_count,
                         x->arena.held);
    if (!memory_grow(x->arena.memory, (void **)&x->rows, &x->row_cap, x->row_count + 1, sizeof *x->rows, e))
        return false;
    x->rows[x->row_count++] = *row;
    return true;
}

/* Offset of the row's number in the names of a stack, if they differ in nothing else; else past the end. */
static size_t number_in(const struct expansion *x, const struct tensor_line *t, numel_str first,
                        numel_str second)
{
    size_t at = 0;
    if (!stack_counts(x->spec, t, x->side) || first.n != second.n) return first.n;
    while (at < first.n && first.p[at] == second.p[at]) at++;
    return at;
}

/* Evaluates the line for the first two rows. If only the number differs, the other names are made by
 * replacing it. */
NUMEL_MUST static bool name_row(struct spec_walk *w, struct site *site, const struct tensor_part *p,
                                struct row *row)
{
    struct expansion *x = own(w);
    struct value e = value_int(row->index);
    char digits[TEXT_DECIMAL];
    if (row->index < 2 || !site->counts) {
        if (!x->ranged) env_bind(w->env, SYMBOL_E, &e);
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
    char range[TEXT_QUOTE];
    struct value marker = value_text(text_of("{e}"));
    if (x->ranged && !site->stacked)
        marker.s = (numel_str){ range, text_format(range, sizeof range, "{0-%" PRIu32 "}",
                                                   (uint32_t)num_left(site->stack, 1)) };
    site->rows = p->tensor->stack && !site->stacked ? site->stack : 1;
    if (x->unnamed) return true;
    if (site->stacked || x->ranged) env_bind(w->env, SYMBOL_E, &marker);
    bool ok = x->ranged || other_name(w, p, &row.other);
    site->first_row = (uint32_t)x->row_count;
    uint32_t rows = x->folded && site->rows ? 1 : site->rows;
    for (; ok && row.index < rows; row.index++) ok = name_row(w, site, p, &row) && add_row(x, &row);
    return ok;
}

/* ---- ranged names of a folded expansion -------------------------------------------------------- */

/* Writes "{0-11}" for a number that is `from` in the first iteration and grows by `step` with each. */
static void put_numbers(struct fixed *out, const struct turn *t, int64_t from, int64_t step)
{
    char digits[TEXT_DECIMAL];
    int64_t n = (int64_t)t->times, by = n > 1 ? (t->last - t->at) / (n - 1) * step : 0;
    if (n > 1) fixed_add(out, text_of("{"));
    fixed_add(out, text_decimal(digits, from));
    if (by == 1) fixed_add(out, text_of("-"));
    if (by == 1) fixed_add(out, text_decimal(digits, from + n - 1));
    for (int64_t k = 1; by != 1 && k < n && !out->cut; k++) {
        fixed_add(out, text_of(","));
        fixed_add(out, text_decimal(digits, from + k * by));
    }
    if (n > 1) fixed_add(out, text_of("}"));
}

/* The iteration of a loop, numbered from the outermost, that a site is in. */
static const struct turn *turn_of(const struct site *s, int64_t loop)
{
    const struct turn *t = s->turn;
    int64_t depth = -1;
    for (; t; t = t->outer) depth++;
    for (t = s->turn; t && depth > loop; t = t->outer) depth--;
    return t;
}

/* Takes a number and the byte after it from the output of eval_text(). */
static int64_t take_number(numel_str *s)
{
    bool negative = text_take_start(s, "-");
    uint64_t n = 0;
    (void)number_digits(s, &n);
    *s = text_from(*s, 1);
    return negative ? -(int64_t)n : (int64_t)n;
}

/* "{0:4:3}" is 4 in the first iteration of loop 0 and grows by 3; "{0-7}" is a stack. */
NUMEL_MUST static bool range_name(struct expansion *x, const struct site *s, numel_str *name, numel_error *e)
{
    char text[RANGED_NAME];
    struct fixed out = FIXED(text);
    numel_str rest = *name;
    for (size_t at; (at = text_find(rest, 0, '{')) < rest.n;) {
        numel_str inside = text_from(rest, at + 1);
        bool moves = text_find(inside, 0, ':') < text_find(inside, 0, '}');
        fixed_add(&out, text_upto(rest, moves ? at : at + 1));
        rest = inside;
        if (!moves) continue;
        int64_t loop = take_number(&rest), from = take_number(&rest), step = take_number(&rest);
        put_numbers(&out, turn_of(s, loop), from, step);
    }
    fixed_add(&out, rest);
    if (out.cut)
        return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "a name of more than %d bytes", RANGED_NAME);
    numel_str own = fixed_str(&out);
    *name = (numel_str){ arena_text(&x->arena, own.p, own.n), own.n };
    return name->p || error_nomem(e);
}

bool expand_ranges(struct expansion *x, numel_error *e)
{
    for (size_t i = 0; i < x->row_count; i++) {
        struct row *r = &x->rows[i];
        if (memchr(r->name.p, '{', r->name.n) && !range_name(x, &x->sites[r->site], &r->name, e))
            return false;
    }
    return true;
}
