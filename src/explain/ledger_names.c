/*
 * ledger_names.c -- the ledger of a checkpoint without a spec, made from names alone.
 *
 * Tensors whose names differ only in numbers share an entry for each kind of layers. Traits are guessed from
 * usual names, sizes are those stored, and nothing can be solved for.
 */
#include "explain/ledger_internal.h"

#include "base/names.h"

struct template
{                   /* a name with # for each number */
    numel_str name; /* followed by the kind; first, as names.h requires */
    size_t entry;
};

struct gathering {
    struct ledger *l;
    const struct registry *r;
    uint64_t *hashes; /* by layer: hash of its contents, in any order */
    uint32_t *kinds;  /* by layer; NO_KIND: not seen */
    struct template *templates;
    size_t count;
    struct names names;
    numel_error *error;
};

static bool digit(char c) { return c >= '0' && c <= '9'; }

/* The first number between dots, as a layer number below `most`; else -1. It is at [*at, *end). */
static int64_t layer_of(numel_str name, uint64_t most, size_t *at, size_t *end)
{
    for (size_t i = 0; i < name.n; i++) {
        uint64_t v = 0;
        if (!digit(name.p[i]) || (i && name.p[i - 1] != '.')) continue;
        for (*at = i; i < name.n && digit(name.p[i]) && v < most; i++)
            v = v * 10 + (uint64_t)(name.p[i] - '0');
        *end = i;
        if (i < name.n && name.p[i] == '.') return v < most ? (int64_t)v : -1;
    }
    return -1;
}

static uint64_t mix_name(numel_str name, size_t at, size_t end, uint64_t elements)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325) ^ elements;
    for (size_t i = 0; i < name.n; i++)
        if (i < at || i >= end) h = (h ^ (unsigned char)name.p[i]) * UINT64_C(0x100000001b3);
    return h;
}

static uint32_t name_traits(const numel_tensor *t, bool layer)
{
    struct meaning meant = meaning_of(t->name);
    uint32_t traits = meaning_traits(&meant) | (layer ? TRAIT_LAYER : 0);
    if (t->ndim < 2) traits |= TRAIT_FLAT;
    else traits &= ~(uint32_t)TRAIT_NORM;
    if (traits & TRAIT_NORM && !(traits & (TRAIT_LAYER | TRAIT_TABLE | TRAIT_TOWER))) traits |= TRAIT_FINAL;
    if (traits & (TRAIT_TOWER | TRAIT_MTP)) traits &= ~(uint32_t)TRAIT_LAYER;
    return traits;
}

/* ---- layers ------------------------------------------------------------------------------- */

NUMEL_MUST static bool find_kinds(struct gathering *w)
{
    size_t n = w->r->count + 1;
    w->hashes = arena_alloc(w->l->arena, n * sizeof *w->hashes);
    w->kinds = arena_alloc(w->l->arena, n * sizeof *w->kinds);
    if (!w->hashes || !w->kinds) return error_nomem(w->error);
    for (size_t i = 0; i < n; i++) w->hashes[i] = 0, w->kinds[i] = NO_KIND;
    for (size_t i = 0; i < w->r->count; i++) {
        const numel_tensor *t = &w->r->tensors[i];
        size_t at, end;
        int64_t layer = layer_of(t->name, n, &at, &end);
        if (layer >= 0) w->hashes[layer] += mix_name(t->name, at, end, t->elements);
    }
    for (size_t i = 0; i < n; i++) {
        struct layer_kind k = {
            .hash = w->hashes[i], .layers = 1, .first = (int64_t)i, .traits = TRAIT_LAYER
        };
        if (w->hashes[i]) w->kinds[i] = ledger_kind(w->l, &k);
    }
    return true;
}

/* ---- entries ------------------------------------------------------------------------------ */

/* *role becomes "model.layers.#.mlp.up_proj.weight"; *key also includes the kind. */
NUMEL_MUST static bool name_template(struct gathering *w, const numel_tensor *t, uint32_t kind,
                                     numel_str *role, numel_str *key)
{
    struct buffer b;
    buffer_init(&b, w->l->arena->memory);
    for (size_t i = 0; i < t->name.n; i++) {
        bool number = digit(t->name.p[i]) && (i == 0 || t->name.p[i - 1] == '.');
        size_t end = i;
        while (number && end < t->name.n && digit(t->name.p[end])) end++;
        number = number && end < t->name.n && t->name.p[end] == '.';
        buffer_char(&b, number ? '#' : t->name.p[i]);
        if (number) i = end - 1;
    }
    size_t n = b.n;
    buffer_format(&b, ":%" PRIu32, kind);
    char *text = b.failed ? NULL : arena_text(w->l->arena, b.p, b.n);
    *role = (numel_str){ text, n };
    *key = (numel_str){ text, b.n };
    buffer_done(&b);
    return text || error_nomem(w->error);
}

static struct entry *entry_for(struct gathering *w, const numel_tensor *t, bool layer, uint32_t kind)
{
    numel_str role, key;
    if (!name_template(w, t, kind, &role, &key) || !names_reserve(&w->names, w->count + 1, w->error))
        return NULL;
    w->templates[w->count] = (struct template){ key, w->l->count };
    uint32_t k = names_enter(&w->names, w->templates, w->count);
    if (k < w->count) return &w->l->entries[w->templates[k].entry];
    struct entry *fresh = ledger_entry(w->l, w->error);
    if (!fresh) return NULL;
    w->count++;
    fresh->role = role;
    fresh->name = t->name;
    fresh->kind = kind;
    fresh->traits = name_traits(t, layer);
    return fresh;
}

static bool add_tensor(struct gathering *w, const numel_tensor *t)
{
    size_t at, end;
    int64_t layer = layer_of(t->name, w->r->count + 1, &at, &end);
    struct entry *n = entry_for(w, t, layer >= 0, layer >= 0 ? w->kinds[layer] : NO_KIND);
    if (!n) return false;
    n->tensors++;
    n->elements += t->elements; /* part of `stored`, which fits in 64 bits */
    n->full = n->raw = n->elements;
    return true;
}

bool ledger_from_names(struct ledger *l, numel_error *e)
{
    struct gathering w = { .l = l, .r = &l->model->ck->registry, .error = e };
    w.templates = arena_alloc(l->arena, (w.r->count + 1) * sizeof *w.templates);
    if (!w.templates) return error_nomem(e);
    names_init(&w.names, l->arena->memory, sizeof *w.templates);
    bool ok = find_kinds(&w);
    for (size_t i = 0; ok && i < w.r->count; i++) ok = add_tensor(&w, &w.r->tensors[i]);
    names_done(&w.names);
    return ok;
}
