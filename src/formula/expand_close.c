/*
 * expand_close.c -- ends an expansion: sums up the sites, and checks that no name occurs twice; see expand.h.
 *
 * Sites that are not counted (alternatives not chosen, their tied copies) are in no total; copies and buffers
 * have totals of their own.
 */
#include "formula/expand_internal.h"

#include "base/hash.h"
#include "base/num.h"

#include <string.h>

NUMEL_MUST static bool add_total(struct expansion *x, const struct site *site, numel_error *e)
{
    struct totals *t = &x->totals;
    bool buffer = site->kind == TENSOR_BUF;
    bool chosen = site->group == NO_GROUP || x->groups[site->group].chosen == site->alternative;
    if (!site->counted && !(site->tied && chosen && !site->extra.p)) return true;
    uint64_t *sum = site->tied ? &t->copies : buffer ? &t->buffers : &t->parameters;
    uint64_t *tensors = site->tied ? &t->copy_tensors : buffer ? &t->buffer_tensors : &t->parameter_tensors;
    uint64_t all;
    uint64_t turns = site_turns(site), rows;
    return (num_mul(&rows, turns, site->rows) && num_add(tensors, *tensors, rows) &&
            num_mul(&all, site->elements, rows) && num_add(sum, *sum, all)) ||
           error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the total does not fit in 64 bits");
}

static void named_twice(struct expansion *x, const struct row *a, const struct row *b, numel_error *e)
{
    char shown[TEXT_QUOTE];
    const struct line *lines = x->spec->lines;
    const struct line *la = &lines[x->sites[a->site].line], *lb = &lines[x->sites[b->site].line];
    error_set(e, NUMEL_E_DUPLICATE, NUMEL_NOWHERE, "lines %u and %u both give %s", la->number, lb->number,
              text_quote(shown, a->name));
    error_file(e, x->spec->files[lb->file]);
}

NUMEL_MUST static bool check_names(struct expansion *x, numel_error *e)
{
    size_t slots = 64;
    while (slots < x->row_count * 2) slots *= 2;
    uint32_t *table = memory_resize(x->arena.memory, NULL, slots * sizeof *table);
    if (!table) return error_nomem(e);
    memset(table, 0, slots * sizeof *table);
    uint64_t seed = hash_seed(table);
    for (size_t i = 0; i < x->row_count && error_free(e); i++) {
        const struct row *row = &x->rows[i];
        const struct site *site = &x->sites[row->site];
        if (site->group != NO_GROUP && site->alternative != x->groups[site->group].chosen) continue;
        size_t at = hash_bytes(row->name.p, row->name.n, seed) & (slots - 1);
        for (; table[at]; at = (at + 1) & (slots - 1))
            if (text_same(x->rows[table[at] - 1].name, row->name))
                named_twice(x, &x->rows[table[at] - 1], row, e);
        table[at] = (uint32_t)i + 1;
    }
    memory_release(x->arena.memory, table);
    return error_free(e);
}

bool expansion_close(struct expansion *x, numel_error *e)
{
    bool ok = true;
    x->totals = (struct totals){ 0 };
    x->expected = 0;
    for (size_t i = 0; i < x->site_count; i++) {
        uint64_t rows;
        if (!num_mul(&rows, x->sites[i].rows, site_turns(&x->sites[i])) ||
            !num_add(&x->expected, x->expected, rows))
            x->expected = UINT64_MAX;
    }
    for (size_t i = 0; ok && i < x->site_count; i++) ok = add_total(x, &x->sites[i], e);
    if (ok && x->factors.failed) ok = error_nomem(e);
    return ok && check_names(x, e);
}
