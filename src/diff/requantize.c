/*
 * requantize.c -- one GGUF file made by quantizing another, as llama-quantize does.
 *
 * Every tensor keeps its name and shape; matrices change their types, any to any, since options choose them.
 * Norms, biases, routers and the like are unchanged, except that a matrix among them may change from one
 * plain type to another. Metadata about the types and texts about the file change; metadata that identifies
 * the model does not.
 */
#include "diff/diff.h"

#include "registry/dtype.h"
#include "registry/file_type.h"

#include <stdlib.h>

static bool is_key_of_types(numel_str key)
{
    if (text_equal(key, "general.architecture") || text_equal(key, "general.type")) return false;
    return text_glob("general.*", key) || text_glob("quantize.*", key);
}

static bool is_plain(const numel_dtype *t) { return !file_type_packed(t); }

/* A type that values can be converted to and from. */
static bool is_numbers(const numel_dtype *t)
{
    return dtype_kind(t) == DTYPE_FLOAT && (t->standing == NUMEL_KNOWN || t->standing == NUMEL_FORK);
}

/* Does a quantizer, or a converter between plain types, make this change? */
static bool may_quantize(const numel_tensor *from, const numel_tensor *to)
{
    if (!is_numbers(from->dtype) || !is_numbers(to->dtype)) return false;
    return file_type_quantizes(to) || (is_plain(from->dtype) && is_plain(to->dtype) && to->ndim > 1);
}

static bool is_type_change(const struct link *l)
{
    bool pair = l->count[A] == 1 && l->count[B] == 1;
    return pair && (l->change == CHANGE_QUANTIZED || l->change == CHANGE_RETYPED) && !l->cause;
}

/* The entry for a pair of types, added if new; the table has room for one per tensor. */
static struct diff_types *types_of(struct diff *d, const numel_dtype *from, const numel_dtype *to)
{
    size_t i = 0;
    while (i < d->type_count &&
           (strcmp(d->types[i].from, from->name) != 0 || strcmp(d->types[i].to, to->name) != 0))
        i++;
    if (i == d->type_count) d->types[d->type_count++] = (struct diff_types){ from->name, to->name, 0, 0 };
    return &d->types[i];
}

static int by_elements(const void *x, const void *y)
{
    const struct diff_types *a = x, *b = y;
    return (a->elements < b->elements) - (a->elements > b->elements);
}

/* Sets no_requantization if a quantizer cannot have made all links. False: NOMEM. */
NUMEL_MUST static bool look_at_links(struct diff *d, size_t changed)
{
    char name[TEXT_QUOTE];
    d->types = arena_alloc(d->arena, (changed + 1) * sizeof *d->types);
    if (!d->types) return error_nomem(d->error);
    for (size_t i = 0; i < d->count; i++) {
        const struct link *l = &d->links[i];
        if (!is_type_change(l)) continue;
        const numel_tensor *a = diff_tensor(d, l, A, 0), *b = diff_tensor(d, l, B, 0);
        if (!may_quantize(a, b)) {
            d->no_requantization =
                arena_format(d->arena, "%s becomes %s", text_quote(name, b->name), b->dtype->name);
            return d->no_requantization || error_nomem(d->error);
        }
        struct diff_types *t = types_of(d, a->dtype, b->dtype);
        t->tensors++;
        t->elements += b->elements;
    }
    qsort(d->types, d->type_count, sizeof *d->types, by_elements);
    return true;
}

bool diff_find_requantized(struct diff *d)
{
    char key[TEXT_QUOTE];
    size_t changed = 0;
    if (d->cross || d->side[A].ck->files[0].format != NUMEL_GGUF || d->side[A].ck->missing ||
        d->side[B].ck->missing)
        return true;
    for (size_t i = 0; i < d->count; i++) {
        if (d->links[i].change == CHANGE_SAME) continue;
        if (!is_type_change(&d->links[i])) return true;
        changed++;
    }
    if (changed == 0) return true;
    if (!look_at_links(d, changed)) return false;
    if ((d->side[A].ck->metadata.count == 0) != (d->side[B].ck->metadata.count == 0))
        d->no_requantization = "one of the files has no metadata";
    for (size_t i = 0; !d->no_requantization && i < d->fact_count; i++)
        if (!is_key_of_types(d->facts[i].key)) {
            d->no_requantization = arena_format(d->arena, "%s differs", text_quote(key, d->facts[i].key));
            if (!d->no_requantization) return error_nomem(d->error);
        }
    d->requantized = !d->no_requantization;
    return true;
}
