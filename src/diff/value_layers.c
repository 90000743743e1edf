/*
 * value_layers.c -- groups pairs by layer, in natural order, and folds layers with equal results into one
 * row.
 */
#include "diff/values.h"

#include "base/num.h"
#include "diff/name.h"

#include <stdlib.h>

struct place { /* of a pair */
    numel_str name;
    size_t stem; /* bytes of the name before the layer's number; 0: not in a layer */
    uint64_t number;
    uint32_t pair;
    unsigned which; /* which number of the name, from 0 */
};

struct folding {
    struct diff_values *v;
    const struct diff *d;
    struct place *places;
    size_t count;
};

static numel_str stem_of(const struct place *p) { return (numel_str){ p->name.p, p->stem }; }

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = text_natural(x->stem ? stem_of(x) : x->name, y->stem ? stem_of(y) : y->name);
    if (order) return order;
    if (x->stem != y->stem) return x->stem < y->stem ? -1 : 1;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return num_order(x->pair, y->pair);
}

static bool set_number(struct place *p, unsigned which)
{
    uint64_t number;
    size_t start;
    if (!name_number_at(p->name, which, &number, &start)) return false;
    p->which = which;
    p->number = number;
    p->stem = start;
    return true;
}

/* The end of the places of one stem. */
static size_t stem_end(const struct folding *f, size_t i)
{
    size_t j = i + 1;
    while (j < f->count && f->places[j].stem && text_same(stem_of(&f->places[j]), stem_of(&f->places[i])))
        j++;
    return j;
}

/* A number that is the same in all names of its stem is not a layer: uses the next one, if any. */
static bool go_deeper(struct folding *f)
{
    bool changed = false;
    for (size_t i = 0, j; i < f->count; i = j) {
        j = i + 1;
        if (f->places[i].stem == 0) continue;
        j = stem_end(f, i);
        if (f->places[j - 1].number != f->places[i].number) continue;
        for (size_t k = i; k < j; k++) changed = set_number(&f->places[k], f->places[k].which + 1) || changed;
    }
    return changed;
}

static void find_places(struct folding *f)
{
    enum { DEPTH = 4 };
    for (size_t i = 0; i < f->count; i++) {
        struct place *p = &f->places[i];
        *p = (struct place){ .name = value_tensor(f->v, (uint32_t)i, A)->name, .pair = (uint32_t)i };
        set_number(p, 0);
    }
    for (int depth = 0; f->count && depth < DEPTH; depth++) {
        qsort(f->places, f->count, sizeof *f->places, by_place);
        if (!go_deeper(f)) return;
    }
    if (f->count) qsort(f->places, f->count, sizeof *f->places, by_place);
}

/* ---- layers ------------------------------------------------------------------------------- */

static void add_pair(struct value_layer *l, const struct compare_pair *p)
{
    l->tensors++;
    if (p->state != COMPARE_DONE) {
        l->not_compared++;
        return;
    }
    l->equal += p->d.differing == 0;
    l->differ += p->d.differing > 0;
    l->same_bytes += p->same_bytes;
    if (p->d.differing == 0 || !p->measured) return;
    l->undefined = l->undefined || p->d.undefined;
    distance_join(&l->d, &p->d);
}

static bool same_layer(const struct place *a, const struct place *b)
{
    if (a->stem == 0 || b->stem == 0) return a == b;
    return a->number == b->number && text_same(stem_of(a), stem_of(b));
}

static void make_layers(struct folding *f)
{
    struct diff_values *v = f->v;
    for (size_t i = 0, j; i < f->count; i = j) {
        const struct place *p = &f->places[i];
        struct value_layer *l = &v->layers[v->layer_count++];
        size_t end = p->stem ? text_find(p->name, p->stem, '.') : p->name.n;
        *l = (struct value_layer){ .name = { p->name.p, end }, .stem = stem_of(p), .number = p->number };
        for (j = i; j < f->count && same_layer(&f->places[j], p); j++) {
            v->layer_of[f->places[j].pair] = (uint32_t)(v->layer_count - 1);
            add_pair(l, &v->c.pairs[f->places[j].pair]);
        }
        double relative = l->d.elements ? distance_relative(&l->d) : 0;
        if (relative > v->largest) v->largest = relative;
    }
}

/* ---- rows --------------------------------------------------------------------------------- */

/* True for layers that are both bit-identical, or both equal in value, or both not compared. */
static bool same_row(const struct value_layer *a, const struct value_layer *b)
{
    if (a->stem.n == 0 || !text_same(a->stem, b->stem)) return false;
    if (value_layer_same(a) || value_layer_same(b)) return value_layer_same(a) && value_layer_same(b);
    if (a->equal == a->tensors && b->equal == b->tensors) return true;
    return a->not_compared == a->tensors && b->not_compared == b->tensors;
}

NUMEL_MUST static const char *row_name(const struct folding *f, const struct value_row *row)
{
    const struct value_layer *l = &f->v->layers[row->first];
    size_t n = row->last - row->first + 1;
    struct buffer b;
    uint64_t *numbers = memory_resize(f->d->memory, NULL, n * sizeof *numbers);
    buffer_init(&b, f->d->memory);
    for (size_t i = 0; numbers && i < n; i++) numbers[i] = l[i].number;
    text_escape(&b, n > 1 ? l->stem : l->name);
    if (n > 1 && numbers) name_ranges(&b, numbers, n);
    const char *text = buffer_keep(&b, f->d->arena);
    bool ok = numbers != NULL;
    memory_release(f->d->memory, numbers);
    return ok ? text : NULL;
}

NUMEL_MUST static bool make_rows(struct folding *f, numel_error *e)
{
    struct diff_values *v = f->v;
    for (size_t i = 0, j; i < v->layer_count; i = j) {
        for (j = i + 1; j < v->layer_count && same_row(&v->layers[i], &v->layers[j]);) j++;
        struct value_row *row = &v->rows[v->row_count++];
        *row = (struct value_row){ .first = i, .last = j - 1 };
        row->name = row_name(f, row);
        if (!row->name) return error_nomem(e);
    }
    return true;
}

bool values_fold(struct diff_values *v, const struct diff *d, numel_error *e)
{
    struct folding f = { .v = v, .d = d, .count = v->c.count };
    f.places = memory_resize(d->memory, NULL, (f.count + 1) * sizeof *f.places);
    if (!f.places) return error_nomem(e);
    find_places(&f);
    size_t layers = 0;
    for (size_t i = 0; i < f.count; i++) layers += i == 0 || !same_layer(&f.places[i - 1], &f.places[i]);
    v->layers = arena_alloc(d->arena, (layers + 1) * sizeof *v->layers);
    v->rows = arena_alloc(d->arena, (layers + 1) * sizeof *v->rows);
    v->layer_of = arena_alloc(d->arena, (f.count + 1) * sizeof *v->layer_of);
    bool ok = v->layers && v->rows && v->layer_of;
    if (ok) make_layers(&f);
    memory_release(d->memory, f.places);
    return ok ? make_rows(&f, e) : error_nomem(e);
}
