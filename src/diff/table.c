/*
 * table.c -- the folded rows for display: rows of the same layers under one heading.
 *
 *     model.layers.[0-31]
 *       mlp.up_proj.weight      reshaped  [11008 -> 14336, 4096]  +436,207,616
 *       mlp.gate_proj.weight    reshaped  [11008 -> 14336, 4096]  +436,207,616
 *     lm_head.weight            reshaped  [32000 -> 128256, 4096]  +394,264,576
 *
 * Groups are ordered by their largest row, as are the rows in a group. A group of one is a row with its
 * full name.
 */
#include "diff/diff.h"

#include <stdlib.h>

struct heading {
    numel_str stem; /* first: see names.h */
    size_t rows;
};

struct ranked {
    uint32_t group;
    uint32_t row;
};

static int by_group(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Length of the name up to its last number: "model.layers.[0-31]". Only folded segments start with a bracket,
 * unless a name has one; then only the heading looks odd. */
static size_t stem_bytes(const char *name)
{
    size_t stem = 0, start = 0;
    bool inside = false; /* brackets, which may hold dots: [0-3,...,28-31] */
    for (size_t i = 0;; i++) {
        if (name[i] == '[' && i == start) inside = true;
        if (name[i] == ']') inside = false;
        if (name[i] && (name[i] != '.' || inside)) continue;
        bool number = i > start && (name[start] == '[' || (name[start] >= '0' && name[start] <= '9'));
        if (!name[i]) return stem;
        if (number) stem = i;
        start = i + 1;
    }
}

/* A common change of names is shown once, in the statement. */
static bool is_told(const struct diff_row *row)
{
    return row->link->change == CHANGE_RENAMED && row->link->cause;
}

/* Fills ranked[]; *kept: how many rows. */
static bool rank(const struct diff *d, const struct diff_row *rows, size_t count, bool all,
                 struct heading *groups, struct ranked *ranked, size_t *kept)
{
    struct names names;
    size_t n = 0;
    *kept = 0;
    bool ok = true;
    names_init(&names, d->memory, sizeof *groups);
    for (size_t i = 0; ok && i < count; i++) {
        if (is_told(&rows[i]) && !all) continue;
        size_t stem = stem_bytes(rows[i].name);
        groups[n] = (struct heading){ { rows[i].name, stem ? stem : strlen(rows[i].name) }, 0 };
        ok = names_reserve(&names, n + 1, d->error);
        if (!ok) break;
        uint32_t k = names_enter(&names, groups, n);
        if (k == n) n++;
        groups[k].rows++;
        ranked[(*kept)++] = (struct ranked){ k, (uint32_t)i };
    }
    names_done(&names);
    if (ok && *kept) qsort(ranked, *kept, sizeof *ranked, by_group);
    return ok;
}

bool diff_table(const struct diff *d, const struct diff_row *rows, size_t count, bool all,
                struct diff_entry **out, size_t *out_count)
{
    size_t kept;
    struct heading *groups = arena_alloc(d->arena, (count + 1) * sizeof *groups);
    struct ranked *ranked = arena_alloc(d->arena, (count + 1) * sizeof *ranked);
    struct diff_entry *e = arena_alloc(d->arena, (2 * count + 1) * sizeof *e);
    if (!groups || !ranked || !e) return error_nomem(d->error);
    if (!rank(d, rows, count, all, groups, ranked, &kept)) return false;
    *out = e;
    for (size_t i = 0; i < kept; i++) {
        const struct heading *g = &groups[ranked[i].group];
        const struct diff_row *row = &rows[ranked[i].row];
        bool below = g->rows > 1 && strlen(row->name) > g->stem.n;
        if (below && (i == 0 || ranked[i - 1].group != ranked[i].group)) {
            const char *heading = arena_text(d->arena, g->stem.p, g->stem.n);
            if (!heading) return error_nomem(d->error);
            *e++ = (struct diff_entry){ heading, NULL, 0 };
        }
        *e++ = (struct diff_entry){ row->name + (below ? g->stem.n + 1 : 0), row, below };
    }
    *out_count = (size_t)(e - *out);
    return true;
}
