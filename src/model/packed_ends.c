/*
 * packed_ends.c -- the endings of a file's names, which rule out most tensors of most layouts without a
 * lookup.
 */
#include "model/packed_internal.h"

#include "base/hash.h"

numel_str packed_end(numel_str marked)
{
    size_t from = marked.n;
    while (from > 0 && (unsigned char)marked.p[from - 1] >= ' ') from--;
    return text_from(marked, from);
}

bool packed_end_occurs(struct packed_ends *e, numel_str marked)
{
    numel_str end = packed_end(marked);
    struct packed_end found = { end, end.n == 0 };
    size_t slot = hash_bytes(end.p, end.n, hash_seed(e)) % PACKED_ENDS;
    for (; e->items[slot].text.p; slot = (slot + 1) % PACKED_ENDS)
        if (text_same(e->items[slot].text, end)) return e->items[slot].occurs;
    if (end.n) found.occurs = registry_ends(e->registry, end);
    const char *own = e->count < PACKED_ENDS / 2 ? arena_text(e->arena, end.p, end.n) : NULL;
    if (!own) return found.occurs; /* not stored, so the next call searches again */
    found.text.p = own;
    e->items[slot] = found;
    e->count++;
    return found.occurs;
}

bool packed_may_occur(struct packed_ends *ends, const struct layout *l, struct config *c, bool *yes,
                      struct arena *a, numel_error *e)
{
    numel_str names[LAYOUT_LINES];
    unsigned count;
    *yes = true;
    if (!layout_required(l, c, a, names, &count, e)) return false;
    for (unsigned i = 0; i < count && *yes; i++) *yes = packed_end_occurs(ends, names[i]);
    return true;
}

bool packed_possible(struct packed_layouts *out, struct packed_ends *ends, struct layout **layouts,
                     size_t count, struct config *c, struct arena *a, numel_error *e)
{
    *out = (struct packed_layouts){ arena_alloc(a, (count + 1) * sizeof *out->items), 0 };
    if (!out->items) return error_nomem(e);
    for (size_t i = 0; i < count; i++) {
        bool yes;
        if (!packed_may_occur(ends, layouts[i], c, &yes, a, e)) return false;
        if (yes) out->items[out->count++] = layouts[i];
    }
    return true;
}
