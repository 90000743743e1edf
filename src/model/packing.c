/*
 * packing.c -- how a model is quantized, as sums: over the rows that have a form, and over the plain weights
 * left that the layout could pack. Names that differ only in numbers are combined.
 */
#include "model/packing.h"

#include "base/buffer.h"
#include "model/model_internal.h"
#include "model/packed_internal.h"

#include <stdlib.h>

struct packs {
    struct packing *out;
    struct model *m;
    const struct packed *packed;
    struct arena *arena;
    size_t kind_cap, left_cap;
    const struct layout_form *last; /* has the kind kinds[last_kind], in rows that are not open */
    size_t last_kind;
    bool by_row; /* every group is as long as its row */
    numel_error *error;
};

/* ---- kinds ------------------------------------------------------------------------------------ */

/* If a weight has several solutions, its bits are unknown. */
static struct packing_kind *find_kind(struct packs *s, const struct packed_row *r)
{
    const struct layout_form *f = r->form;
    struct packing *p = s->out;
    int64_t bits = r->open ? 0 : f->bits;
    s->last = r->open ? NULL : f;
    int64_t group = r->open ? 0 : s->by_row ? PACKING_ROW : f->group;
    for (size_t i = 0; i < p->kind_count; i++) {
        struct packing_kind *k = &p->kinds[i];
        if (k->bits == bits && k->group == group &&
            (k->layout == f->layout->name || strcmp(k->layout, f->layout->name) == 0))
            return s->last_kind = i, k;
    }
    if (!memory_grow(s->arena->memory, (void **)&p->kinds, &s->kind_cap, p->kind_count + 1, sizeof *p->kinds,
                     s->error))
        return NULL;
    s->last_kind = p->kind_count;
    p->kinds[p->kind_count] = (struct packing_kind){ .layout = f->layout->name,
                                                     .called = f->layout->called,
                                                     .choice = f->choice,
                                                     .bits = bits,
                                                     .group = group };
    return &p->kinds[p->kind_count++];
}

/* Most rows have the form of the previous one. */
static inline struct packing_kind *kind_of(struct packs *s, uint32_t row)
{
    const struct packed_row *r = &s->packed->rows[row];
    return r->form == s->last && !r->open ? &s->out->kinds[s->last_kind] : find_kind(s, r);
}

static int by_elements(const void *a, const void *b)
{
    const struct packing_kind *x = a, *y = b;
    if (x->elements != y->elements) return x->elements < y->elements ? 1 : -1;
    return (x->bits > y->bits) - (x->bits < y->bits);
}

static bool is_by_row(const struct packs *s)
{
    bool all = true;
    for (uint32_t r = 0; all && r < s->m->x->row_count; r++) {
        const struct layout_form *f = s->packed->rows[r].form;
        const struct site *site = model_site(s->m, r);
        uint64_t in = site->ndim ? site->dims[site->ndim - 1] : 0;
        all = !f || (f->group > 0 && (uint64_t)f->group == in);
    }
    return all;
}

/* Cannot overflow: totals were checked when the checkpoint was opened and the specification expanded. */
static bool add_kinds(struct packs *s)
{
    for (uint32_t r = 0; r < s->m->x->row_count; r++) {
        if (!s->packed->rows[r].form) continue;
        struct packing_kind *k = kind_of(s, r);
        if (!k) return false;
        k->modules++;
        k->elements += model_site(s->m, r)->elements;
    }
    for (uint32_t i = 0; i < s->m->ck->registry.count; i++) {
        uint32_t row = s->packed->tensors[i].row;
        s->out->bytes += s->m->ck->registry.tensors[i].bytes;
        if (row >= s->m->x->row_count || !s->packed->rows[row].form) continue;
        struct packing_kind *k = kind_of(s, row);
        if (!k) return false;
        k->bytes += s->m->ck->registry.tensors[i].bytes;
    }
    s->out->elements = s->m->counts.logical;
    if (s->out->kind_count) qsort(s->out->kinds, s->out->kind_count, sizeof *s->out->kinds, by_elements);
    return true;
}

/* ---- plain weights ---------------------------------------------------------------------------- */

static bool may_be_packed(const struct packs *s, uint32_t row)
{
    const struct layout *l = s->packed->most->layout;
    switch (packed_shape_of(model_site(s->m, row), s->m->x->rows[row].name)) {
    case SHAPE_LINEAR:
    case SHAPE_STACK:
        return l->linears || l->stacks; /* a layout for experts alone leaves other matrices plain */
    case SHAPE_EMBEDDING: return l->embeddings;
    default: return false;
    }
}

NUMEL_MUST static bool add_left(struct packs *s, uint32_t row, struct buffer *key)
{
    struct packing *p = s->out;
    key->n = 0;
    text_starred(key, layout_module_name(s->m->x->rows[row].name));
    if (key->failed) return error_nomem(s->error);
    numel_str name = { key->p, key->n };
    p->left_modules++;
    for (size_t i = p->left_count; i--;) /* similar ones are close together */
        if (text_same(p->left[i].name, name)) return p->left[i].modules++, true;
    char *kept = arena_text(s->arena, key->p, key->n);
    if (!kept) return error_nomem(s->error);
    if (!memory_grow(s->arena->memory, (void **)&p->left, &s->left_cap, p->left_count + 1, sizeof *p->left,
                     s->error))
        return false;
    p->left[p->left_count++] = (struct packing_left){ { kept, key->n }, 1 };
    return true;
}

static bool add_all_left(struct packs *s)
{
    struct buffer key;
    bool ok = true;
    buffer_init(&key, s->arena->memory);
    for (uint32_t r = 0; ok && r < s->m->x->row_count; r++) {
        if (s->packed->rows[r].form) continue;
        const struct model_row row = model_row(s->m, r);
        if (row.tensor == NAMES_ABSENT || !may_be_packed(s, r)) continue;
        if (!match_claimed(&s->m->inner->match, row.tensor)) ok = add_left(s, r, &key);
    }
    buffer_done(&key);
    return ok;
}

/* The prefix "model.layers.*." of the first packed weight. */
NUMEL_MUST static bool find_stem(struct packs *s)
{
    struct buffer key;
    uint32_t r = 0;
    size_t n = 0;
    while (!s->packed->rows[r].form) r++; /* packed->most ensures that there is one */
    buffer_init(&key, s->arena->memory);
    text_starred(&key, s->m->x->rows[r].name);
    for (size_t i = 0; !n && i + 1 < key.n; i++)
        if (key.p[i] == '*' && key.p[i + 1] == '.') n = i + 2;
    char *kept = key.failed ? NULL : arena_text(s->arena, key.p, n);
    buffer_done(&key);
    s->out->stem = (numel_str){ kept, n };
    return kept || error_nomem(s->error);
}

/* ---- symmetric or not ------------------------------------------------------------------------- */

/* A key of the configuration: true, false, or missing. */
static bool flag(struct packs *s, const char *key, bool *value, bool *said)
{
    struct value v;
    if (!config_quantization(s->m->config, NULL, text_of(key), &v, s->error)) return false;
    *said = v.kind == VALUE_BOOL;
    *value = *said && v.b;
    return true;
}

/* Judges the stored tensors. A codebook is neither; float or optional zero points mean asymmetric; zero
 * points that writers always store prove nothing; without zero points it is symmetric. */
static enum symmetry stored_symmetry(const struct packs *s)
{
    enum symmetry found = SYMMETRIC;
    for (uint32_t i = 0; i < s->m->ck->registry.count; i++) {
        const struct packed_tensor *t = &s->packed->tensors[i];
        if (t->row >= s->m->x->row_count) continue;
        if (t->role == LAYOUT_CODEBOOK) return SYMMETRY_UNKNOWN;
        if (t->role != LAYOUT_ZERO) continue;
        const struct layout_form *f = s->packed->rows[t->row].form;
        bool free = packed_plain_type(&s->m->ck->registry.tensors[i]);
        for (unsigned k = 0; f && k < f->count; k++)
            free |= f->stored[k].role == LAYOUT_ZERO && f->stored[k].need != NEED_ALWAYS;
        if (free) return ASYMMETRIC;
        found = SYMMETRY_UNKNOWN;
    }
    return found;
}

static bool find_symmetry(struct packs *s)
{
    bool sym, sym_said, zero, zero_said;
    enum symmetry stored = stored_symmetry(s);
    if (!flag(s, "sym", &sym, &sym_said) || !flag(s, "zero_point", &zero, &zero_said)) return false;
    s->out->symmetry = sym_said    ? sym ? SYMMETRIC : ASYMMETRIC
                       : zero_said ? zero ? ASYMMETRIC : SYMMETRIC
                                   : stored;
    return true;
}

/* ---- all -------------------------------------------------------------------------------------- */

bool packing_make(struct packing *p, struct model *m, struct arena *a, numel_error *e)
{
    struct packs s = { .out = p, .m = m, .packed = &m->inner->match.packed, .arena = a, .error = e };
    *p = (struct packing){ 0 };
    if (!s.packed->most) return true;
    s.by_row = is_by_row(&s);
    bool ok = add_kinds(&s) && add_all_left(&s) && find_stem(&s) && find_symmetry(&s);
    struct packing_kind *kinds = p->kinds;
    struct packing_left *left = p->left;
    p->kinds = ok ? arena_copy(a, kinds, p->kind_count * sizeof *kinds) : NULL;
    p->left = ok && left ? arena_copy(a, left, p->left_count * sizeof *left) : NULL;
    if (ok && (!p->kinds || (left && !p->left))) ok = error_nomem(e);
    memory_release(a->memory, kinds);
    memory_release(a->memory, left);
    if (!ok) *p = (struct packing){ 0 };
    return ok;
}
