/*
 * registry.c -- tensors in file order with an index by name, and their orders for lists. If a name occurs
 * twice in one file, that is an error; if it is in two files, both tensors are kept, and the index has the
 * first.
 */
#include "registry/registry.h"

#include "base/num.h"
#include "registry/natural.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void registry_init(struct registry *r, struct arena *a)
{
    *r = (struct registry){ .memory = a->memory, .arena = a };
    names_init_at(&r->names, a->memory, sizeof *r->tensors, offsetof(numel_tensor, name));
    patterns_init(&r->patterns, a->memory);
}

void registry_done(struct registry *r)
{
    memory_release(r->memory, r->tensors);
    names_done(&r->names);
    patterns_done(&r->patterns);
    registry_init(r, r->arena);
}

bool registry_reserve(struct registry *r, size_t n, numel_error *e)
{
    void *p = r->tensors;
    if (n > UINT32_MAX - 2 - r->count)
        return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "more than %u tensors", UINT32_MAX - 2);
    if (!memory_grow(r->memory, &p, &r->cap, r->count + n, sizeof *r->tensors, e)) return false;
    r->tensors = p;
    return true;
}

/* ---- the table ---------------------------------------------------------------------------- */

bool registry_commit(struct registry *r, size_t *first, size_t *second, numel_error *e)
{
    if (!names_reserve(&r->names, r->count, e) || !patterns_reserve(&r->patterns, r->count - r->hashed, e))
        return false;
    for (; r->hashed < r->count; r->hashed++) {
        numel_tensor *t = &r->tensors[r->hashed];
        if (r->patterns.entered == r->hashed && !patterns_enter(&r->patterns, t->name, e)) return false;
        *first = names_enter(&r->names, r->tensors, r->hashed);
        *second = r->hashed;
        if (*first == *second) continue;
        if (r->tensors[*first].file == t->file) {
            char name[TEXT_QUOTE];
            return error_set(e, NUMEL_E_DUPLICATE, NUMEL_NOWHERE, "tensor %s occurs twice",
                             text_quote(name, t->name));
        }
        t->flags |= NUMEL_REPEATED;
    }
    return true;
}

void registry_pass_over(struct registry *r) { r->hashed++; }

bool registry_commit_firsts(struct registry *r, numel_error *e)
{
    size_t first, second;
    while (!registry_commit(r, &first, &second, e)) {
        if (e->code != NUMEL_E_DUPLICATE) return false;
        error_clear(e);
        registry_pass_over(r);
    }
    return true;
}

void registry_rollback(struct registry *r, size_t count)
{
    patterns_leave(&r->patterns, count);
    while (r->hashed > count) names_leave(&r->names, r->tensors, --r->hashed);
    if (r->count > count) r->count = count;
}

const numel_tensor *registry_find(const struct registry *r, numel_str name)
{
    uint32_t i = names_find(&r->names, r->tensors, name);
    return i == NAMES_ABSENT ? NULL : &r->tensors[i];
}

static bool ends_in(numel_str name, numel_str end) { return text_same(text_tail(name, end.n), end); }

/* One name answers for its whole pattern, unless the text may contain a number. */
static bool any_name(const struct registry *r, numel_str text, bool (*fits)(numel_str name, numel_str text))
{
    bool found = false, one_by_one = pattern_asks_number(text);
    size_t n = one_by_one ? r->count : r->patterns.count;
    for (size_t i = 0; i < n && !found; i++)
        found = fits(one_by_one ? r->tensors[i].name : r->patterns.items[i].sample, text);
    return found;
}

bool registry_mentions(const struct registry *r, numel_str text) { return any_name(r, text, text_holds); }

bool registry_ends(const struct registry *r, numel_str end) { return any_name(r, end, ends_in); }

bool registry_dotted(const struct registry *r)
{
    bool all = true;
    for (size_t i = 0; i < r->patterns.count && all; i++) {
        numel_str name = r->patterns.items[i].sample;
        all = text_find(name, 0, '.') < name.n;
    }
    return all;
}

bool registry_stored(const struct registry *r, uint64_t *sum, numel_error *e)
{
    *sum = 0;
    for (size_t i = 0; i < r->count; i++)
        if (!num_add(sum, *sum, r->tensors[i].elements))
            return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                             "the elements of all tensors together do not fit in 64 bits");
    return true;
}

/* ---- orders ------------------------------------------------------------------------------- */

struct order_key { /* sorted instead of indices, so that comparisons need no context */
    const numel_tensor *t;
    uint32_t index;
};

static int by_name(const void *a, const void *b)
{
    const struct order_key *x = a, *y = b;
    int c = text_natural(x->t->name, y->t->name);
    return c ? c : num_order(x->index, y->index);
}

static int by_elements(const void *a, const void *b)
{
    const struct order_key *x = a, *y = b;
    int c = num_order(y->t->elements, x->t->elements);
    return c ? c : by_name(a, b);
}

static int by_bytes(const void *a, const void *b)
{
    const struct order_key *x = a, *y = b;
    int c = num_order(y->t->bytes, x->t->bytes);
    return c ? c : by_name(a, b);
}

static int by_offset(const void *a, const void *b)
{
    const struct order_key *x = a, *y = b;
    if (x->t->file != y->t->file) return x->t->file < y->t->file ? -1 : 1;
    if (x->t->offset != y->t->offset) return x->t->offset < y->t->offset ? -1 : 1;
    return num_order(x->index, y->index);
}

static int by_dtype(const void *a, const void *b)
{
    const struct order_key *x = a, *y = b;
    int c = strcmp(x->t->dtype->name, y->t->dtype->name);
    return c ? c : by_name(a, b);
}

static int (*const orders[])(const void *, const void *) = {
    [NUMEL_SORT_NAME] = by_name,     [NUMEL_SORT_ELEMENTS] = by_elements, [NUMEL_SORT_BYTES] = by_bytes,
    [NUMEL_SORT_OFFSET] = by_offset, [NUMEL_SORT_DTYPE] = by_dtype,
};

NUMEL_MUST static bool compare_all(const struct registry *r, numel_sort by, uint32_t *order, numel_error *e)
{
    struct order_key *keys = memory_resize(r->memory, NULL, (r->count + 1) * sizeof *keys);
    if (!keys) return error_nomem(e);
    for (size_t i = 0; i < r->count; i++) keys[i] = (struct order_key){ &r->tensors[i], (uint32_t)i };
    if (r->count) qsort(keys, r->count, sizeof *keys, orders[by]);
    for (size_t i = 0; i < r->count; i++) order[i] = keys[i].index;
    memory_release(r->memory, keys);
    return true;
}

bool registry_order(const struct registry *r, numel_sort by, uint32_t **order, numel_error *e)
{
    bool known = false, patterned = by == NUMEL_SORT_NAME && r->patterns.entered == r->count;
    *order = memory_resize(r->memory, NULL, (r->count + 1) * sizeof **order);
    if (!*order) return error_nomem(e);
    bool ok = !patterned || natural_order(r, *order, &known, e);
    if (ok && (known || compare_all(r, by, *order, e))) return true;
    memory_release(r->memory, *order);
    *order = NULL;
    return false;
}
