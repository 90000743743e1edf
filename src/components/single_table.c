/* single_table.c -- see single_table.h. Sources: the loaders of ComfyUI, A1111 and diffusers, and real
 * files. */
#include "components/single_table.h"

#include "base/text.h"
#include "formula/layout.h"

#include <string.h>

/* Cuts off the part that distinguishes components, with its dot; false if there is none. */
static bool cut_key(numel_str *rest, numel_str *key)
{
    size_t dot = text_find(*rest, 0, '.');
    if (dot == 0 || dot == rest->n) return false;
    *key = text_cut(rest, '.');
    return true;
}

/* Strips one of these words, if the name begins with it. */
static bool cut_inner(numel_str *rest, numel_str inner)
{
    while (inner.n) {
        numel_str word = text_cut(&inner, '|');
        if (rest->n <= word.n || memcmp(rest->p, word.p, word.n) != 0) continue;
        *rest = text_from(*rest, word.n);
        return true;
    }
    return false;
}

const struct prefix *single_prefix_of(const struct registry *file, numel_str name, numel_str *key,
                                      numel_str *bare)
{
    for (uint32_t i = 0; i < embedded_prefix_count; i++) {
        const struct prefix *p = &embedded_prefixes[i];
        if (!p->single || !prefix_is(p, name) || name.n == p->bytes) continue;
        if (p->needs[0] && !registry_find(file, text_of(p->needs))) continue;
        *bare = text_from(name, p->bytes);
        *key = (numel_str){ name.p, 0 };
        if (p->key && !cut_key(bare, key)) return NULL;
        if (!cut_inner(bare, text_of(p->inner)) && p->told) continue;
        return bare->n ? p : NULL;
    }
    return NULL;
}

/* ---- other tensors --------------------------------------------------------------------------- */

enum single_kind single_beside_kind(numel_str name)
{
    for (uint32_t i = 0; i < embedded_prefix_count; i++) {
        const struct prefix *p = &embedded_prefixes[i];
        if (p->kind >= SINGLE_SCHEDULE && p->bytes == name.n && prefix_is(p, name)) return p->kind;
    }
    return SINGLE_UNKNOWN;
}

static bool is_float(const numel_tensor *t) { return layout_type_fits(text_of("float"), t->dtype->name); }

bool single_beside(const numel_tensor *t, uint64_t steps)
{
    bool one = t->elements == 1 && t->ndim <= 1;
    switch (single_beside_kind(t->name)) {
    case SINGLE_SCHEDULE: return t->ndim == 1 && t->dims[0] == steps && is_float(t);
    case SINGLE_NUMBER: return one;
    case SINGLE_MARKER: return one || (t->ndim == 1 && t->elements == 0);
    case SINGLE_LATENT: return t->ndim == 4 && t->dims[1] == t->elements && t->elements == 4 && is_float(t);
    default: return false;
    }
}
