/*
 * fold.c -- folds links that differ only in the numbers in their names into one row.
 *
 *     model.layers.0.mlp.up_proj.weight     [11008, 4096] -> [14336, 4096]     +13,631,488
 *     model.layers.1.mlp.up_proj.weight     [11008, 4096] -> [14336, 4096]     +13,631,488
 *       -->  model.layers.[0-1].mlp.up_proj.weight   [11008 -> 14336, 4096]    2 x  +27,262,976
 *
 * Unlike fold.h, which folds whole layers, a row is about one tensor of a layer: a difference does not
 * depend on its neighbours. A row's key is everything that it shows, with `*` for each segment of the
 * name that is a number; the numbers are gathered afterwards.
 */
#include "diff/diff.h"
#include "base/num.h"
#include "diff/name.h"

#include <stdlib.h>

enum { NUMBERS = 8 }; /* number segments of a name that fold; further ones do not */

struct folding_row {
    numel_str key; /* first: see names.h */
    struct diff_row row;
    uint32_t first, last; /* links, chained by next[] */
};

struct diff_folding {
    const struct diff *d;
    struct folding_row *rows;
    size_t count, cap;
    struct names names;
    uint32_t *next;
    struct buffer key;
    uint64_t *values;
    size_t value_count, value_cap;
};

/* ---- keys --------------------------------------------------------------------------------- */

/* The end that names the row: a single tensor if there is one. */
static int named_side(const struct link *l)
{
    if (l->count[A] == 1) return A;
    return l->count[B] == 1 || l->count[A] == 0 ? B : A;
}

static void make_key(struct diff_folding *f, const struct link *l)
{
    struct buffer *b = &f->key;
    b->n = 0;
    buffer_add(b, &l->change, sizeof l->change);
    buffer_add(b, &l->cause, sizeof l->cause);
    buffer_add(b, l->count, sizeof l->count);
    for (int w = A; w <= B; w++) {
        if (l->count[w] == 0) continue;
        const numel_tensor *t = diff_tensor(f->d, l, w, 0);
        buffer_add(b, &t->ndim, sizeof t->ndim);
        buffer_add(b, t->dims, t->ndim * sizeof *t->dims);
        buffer_text(b, t->dtype->name);
        buffer_char(b, '\0');
        if (w == named_side(l) || l->change == CHANGE_RENAMED) name_pattern(b, t->name, NUMBERS);
    }
}

NUMEL_MUST static bool add_link(struct diff_folding *f, uint32_t i)
{
    const struct link *l = &f->d->links[i];
    make_key(f, l);
    if (f->key.failed) return error_nomem(f->d->error);
    uint32_t k =
        names_add(&f->names, &f->rows, &f->count, &f->cap, buffer_view(&f->key), f->d->arena, f->d->error);
    if (k == NAMES_ABSENT) return false;
    struct folding_row *row = &f->rows[k];
    struct diff_row *r = &row->row;
    if (r->times) {
        f->next[row->last] = i;
    } else {
        r->link = l;
        row->first = i;
    }
    row->last = i;
    f->next[i] = NO_LINK;
    r->times++;
    r->elements += (int64_t)l->elements[B] - (int64_t)l->elements[A];
    r->bytes += (int64_t)l->bytes[B] - (int64_t)l->bytes[A];
    return true;
}

/* ---- names -------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    return num_order(*(const uint64_t *)a, *(const uint64_t *)b);
}

static bool add_value(struct diff_folding *f, uint64_t v)
{
    if (!memory_grow(f->d->memory, &f->values, &f->value_cap, f->value_count + 1, sizeof *f->values,
                     f->d->error))
        return false;
    f->values[f->value_count++] = v;
    return true;
}

/* Gathers the values of the n-th number in a row's names, sorted, without duplicates. */
static bool gather(struct diff_folding *f, const struct folding_row *row, int side, unsigned n)
{
    uint64_t v;
    size_t kept = 0, start;
    f->value_count = 0;
    for (uint32_t i = row->first; i != NO_LINK; i = f->next[i])
        for (uint32_t k = 0; k < f->d->links[i].count[side]; k++)
            if (name_number_at(diff_tensor(f->d, &f->d->links[i], side, k)->name, n, &v, &start) &&
                !add_value(f, v))
                return false;
    if (f->value_count) qsort(f->values, f->value_count, sizeof *f->values, by_value);
    for (size_t i = 0; i < f->value_count; i++)
        if (kept == 0 || f->values[kept - 1] != f->values[i]) f->values[kept++] = f->values[i];
    f->value_count = kept;
    return true;
}

static const char *make_name(struct diff_folding *f, const struct folding_row *row, int side)
{
    struct buffer b;
    numel_str s, name = diff_tensor(f->d, row->row.link, side, 0)->name;
    uint64_t v;
    size_t at = 0;
    unsigned numbers = 0;
    bool ok = true;
    buffer_init(&b, f->d->memory);
    while (ok && name_segment(name, &at, &s)) {
        if (b.n) buffer_char(&b, '.');
        if (numbers >= NUMBERS || !name_number(s, &v)) {
            text_escape(&b, s);
            continue;
        }
        ok = gather(f, row, side, numbers++);
        name_ranges(&b, f->values, f->value_count);
    }
    const char *text = buffer_keep(&b, f->d->arena);
    return ok ? text : NULL;
}

/* ---- changes ------------------------------------------------------------------------------ */

/* [11008 -> 14336, 4096] */
static void put_dims_change(struct buffer *b, const numel_tensor *x, const numel_tensor *y)
{
    buffer_char(b, '[');
    for (uint32_t i = 0; i < x->ndim; i++) {
        buffer_format(b, "%s%" PRIu64, i ? ", " : "", x->dims[i]);
        if (x->dims[i] != y->dims[i]) buffer_format(b, " -> %" PRIu64, y->dims[i]);
    }
    buffer_char(b, ']');
}

/* [4096, 11008]; 256 x [2048, 7168]; 3 tensors */
static void put_end(struct buffer *b, const struct diff *d, const struct link *l, int side)
{
    const numel_tensor *t = diff_tensor(d, l, side, 0);
    char dims[TEXT_QUOTE];
    bool alike = true;
    for (uint32_t i = 1; i < l->count[side]; i++) {
        const numel_tensor *o = diff_tensor(d, l, side, i);
        alike = alike && o->ndim == t->ndim && o->elements == t->elements;
    }
    if (!alike) {
        buffer_format(b, "%" PRIu32 " tensors", l->count[side]);
        return;
    }
    if (l->count[side] > 1) buffer_format(b, "%" PRIu32 " x ", l->count[side]);
    buffer_text(b, text_dims(dims, t->dims, t->ndim));
}

static void put_types(struct buffer *b, const numel_tensor *x, const numel_tensor *y)
{
    if (strcmp(x->dtype->name, y->dtype->name) == 0) return;
    if (b->n) buffer_char(b, ' ');
    text_escape(b, text_of(x->dtype->name));
    buffer_text(b, " -> ");
    text_escape(b, text_of(y->dtype->name));
}

NUMEL_MUST static const char *make_what(struct diff_folding *f, const struct folding_row *row)
{
    const struct link *l = row->row.link;
    struct buffer b;
    buffer_init(&b, f->d->memory);
    if (l->count[A] == 0 || l->count[B] == 0) {
        int side = l->count[A] ? A : B;
        text_escape(&b, text_of(diff_tensor(f->d, l, side, 0)->dtype->name));
        buffer_char(&b, ' ');
        put_end(&b, f->d, l, side);
        return buffer_keep(&b, f->d->arena);
    }
    const numel_tensor *x = diff_tensor(f->d, l, A, 0), *y = diff_tensor(f->d, l, B, 0);
    if (l->change == CHANGE_RENAMED) {
        const char *other = make_name(f, row, B);
        if (!other) b.failed = true;
        else buffer_format(&b, "now %s", other);
    } else if (l->change >= CHANGE_REARRANGED) {
        bool merge = l->count[A] == 1 && l->count[B] == 1 && x->ndim == y->ndim;
        if (merge) put_dims_change(&b, x, y);
        else {
            put_end(&b, f->d, l, A);
            buffer_text(&b, " -> ");
            put_end(&b, f->d, l, B);
        }
    } else if (l->change == CHANGE_SAME) {
        put_end(&b, f->d, l, A);
    }
    put_types(&b, x, y);
    return buffer_keep(&b, f->d->arena);
}

/* ---- all ---------------------------------------------------------------------------------- */

/* The largest change first; then in file order. */
static int by_change(const void *a, const void *b)
{
    const struct diff_row *x = a, *y = b;
    uint64_t m = num_size(x->elements), n = num_size(y->elements);
    if (m != n) return m < n ? 1 : -1;
    if (x->link->change != y->link->change) return x->link->change < y->link->change ? 1 : -1;
    m = num_size(x->bytes);
    n = num_size(y->bytes);
    if (m != n) return m < n ? 1 : -1;
    return x->link < y->link ? -1 : x->link > y->link;
}

NUMEL_MUST static bool fold(struct diff_folding *f, bool all)
{
    const struct diff *d = f->d;
    f->next = arena_alloc(d->arena, (d->count + 1) * sizeof *f->next);
    if (!f->next) return error_nomem(d->error);
    for (uint32_t i = 0; i < d->count; i++)
        if ((all || d->links[i].change != CHANGE_SAME) && !add_link(f, i)) return false;
    for (size_t i = 0; i < f->count; i++) {
        struct folding_row *r = &f->rows[i];
        r->row.name = make_name(f, r, named_side(r->row.link));
        r->row.what = make_what(f, r);
        if (!r->row.name || !r->row.what) return false;
    }
    return true;
}

bool diff_fold(const struct diff *d, bool all, struct diff_row **rows, size_t *count)
{
    struct diff_folding f = { .d = d };
    names_init(&f.names, d->memory, sizeof *f.rows);
    buffer_init(&f.key, d->memory);
    bool ok = fold(&f, all);
    *count = f.count;
    *rows = ok ? arena_alloc(d->arena, (f.count + 1) * sizeof **rows) : NULL;
    for (size_t i = 0; *rows && i < f.count; i++) (*rows)[i] = f.rows[i].row;
    if (*rows && f.count) qsort(*rows, f.count, sizeof **rows, by_change);
    memory_release(d->memory, f.rows);
    memory_release(d->memory, f.values);
    names_done(&f.names);
    buffer_done(&f.key);
    return *rows || error_nomem(d->error);
}
