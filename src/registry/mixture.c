/*
 * mixture.c -- a histogram with keys "PART/TYPE", where PART is the name without "blk.N." and ".weight", and
 * with '*' for other numbers.
 */
#include "registry/mixture.h"

#include "base/buffer.h"
#include "base/num.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct mixing {
    struct mixture *out;
    struct arena *arena;
    struct names names;
    struct buffer key;
    size_t cap;
    numel_error *error;
};

/* ---- keys ------------------------------------------------------------------------------------- */

/* True for digits few enough for a layer number. */
static bool is_number(numel_str segment, uint64_t *v)
{
    *v = 0;
    for (size_t i = 0; i < segment.n; i++) {
        if (segment.p[i] < '0' || segment.p[i] > '9' || i == 9) return false;
        *v = *v * 10 + (uint64_t)(segment.p[i] - '0');
    }
    return segment.n > 0;
}

/* Puts the part into the buffer; false if the name has no number. The first number is the layer's. */
static bool put_part(struct buffer *b, numel_str name, uint64_t *layer)
{
    bool found = false;
    uint64_t v;
    numel_str rest = name;
    text_take_end(&rest, ".weight");
    for (bool more = true; more;) {
        more = text_find(rest, 0, '.') < rest.n;
        numel_str segment = text_cut(&rest, '.');
        bool number = is_number(segment, &v), block = number && !found && b->n == 3;
        if (number && !found) *layer = v;
        found |= number;
        if (block && more && memcmp(b->p, "blk", 3) == 0) {
            b->n = 0;
            continue;
        }
        if (b->n) buffer_char(b, '.');
        if (number) buffer_char(b, '*');
        else buffer_add(b, segment.p, segment.n);
    }
    return found;
}

static bool is_counted(const numel_tensor *t) { return file_type_packed(t->dtype) || file_type_quantizes(t); }

NUMEL_MUST static struct mixture_part *part_of(struct mixing *m, const numel_tensor *t, uint64_t *layer,
                                               bool *layered)
{
    struct mixture *x = m->out;
    void *p = x->parts;
    m->key.n = 0;
    *layered = put_part(&m->key, t->name, layer);
    size_t part = m->key.n;
    buffer_format(&m->key, "/%s", t->dtype->name);
    if (m->key.failed) return error_nomem(m->error), NULL;
    uint32_t known = names_find(&m->names, x->parts, buffer_view(&m->key));
    if (known != NAMES_ABSENT) return &x->parts[known];
    char *kept = arena_text(m->arena, m->key.p, m->key.n);
    if (!kept) return error_nomem(m->error), NULL;
    if (!memory_grow(m->arena->memory, &p, &m->cap, x->count + 1, sizeof *x->parts, m->error)) return NULL;
    x->parts = p;
    x->parts[x->count] = (struct mixture_part){ .key = { kept, m->key.n },
                                                .part = { kept, part },
                                                .type = t->dtype->name,
                                                .packed = file_type_packed(t->dtype) };
    if (!names_reserve(&m->names, x->count + 1, m->error)) return NULL;
    names_enter(&m->names, x->parts, x->count);
    return &x->parts[x->count++];
}

/* ---- sums ------------------------------------------------------------------------------------- */

static void fit(struct mixture *x, const numel_tensor *t)
{
    if (!x->said.type) return;
    enum file_type_fit f = file_type_fit(x->said.type, t, x->said.experts);
    x->fits += f == FILE_TYPE_BASE;
    x->odd += f == FILE_TYPE_ODD;
}

static bool count_parts(struct mixing *m, const struct registry *r)
{
    uint64_t layer = 0;
    bool layered;
    for (size_t i = 0; i < r->count; i++) {
        const numel_tensor *t = &r->tensors[i];
        if (file_type_packed(t->dtype)) {
            m->out->tensors++;
            m->out->elements += t->elements;
            m->out->bytes += t->bytes;
        }
        fit(m->out, t);
        if (!is_counted(t)) continue;
        struct mixture_part *p = part_of(m, t, &layer, &layered);
        if (!p) return false;
        p->tensors++;
        p->elements += t->elements;
        p->bytes += t->bytes;
        p->layer_count += layered;
    }
    return true;
}

static int by_number(const void *a, const void *b)
{
    return num_order(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Sorts layers and removes duplicates: experts stored one by one repeat their layer. */
static void sort_layers(struct mixture_part *p)
{
    uint64_t n = 0;
    if (p->layer_count) qsort(p->layers, p->layer_count, sizeof *p->layers, by_number);
    for (uint64_t i = 0; i < p->layer_count; i++)
        if (n == 0 || p->layers[n - 1] != p->layers[i]) p->layers[n++] = p->layers[i];
    p->layer_count = n;
}

NUMEL_MUST static bool list_layers(struct mixing *m, const struct registry *r)
{
    struct mixture *x = m->out;
    uint64_t layer = 0;
    bool layered;
    for (size_t i = 0; i < x->count; i++) {
        x->parts[i].layers = arena_alloc(m->arena, (x->parts[i].layer_count + 1) * sizeof(uint64_t));
        if (!x->parts[i].layers) return error_nomem(m->error);
        x->parts[i].layer_count = 0;
    }
    for (size_t i = 0; i < r->count; i++) {
        if (!is_counted(&r->tensors[i])) continue;
        struct mixture_part *p = part_of(m, &r->tensors[i], &layer, &layered);
        if (!p) return false;
        if (layered && p->layers) p->layers[p->layer_count++] = layer; /* same parts as before */
    }
    for (size_t i = 0; i < x->count; i++) sort_layers(&x->parts[i]);
    return true;
}

static int by_part(const void *a, const void *b)
{
    const struct mixture_part *x = a, *y = b;
    int order = text_natural(x->part, y->part);
    if (order) return order;
    if (x->elements != y->elements) return x->elements < y->elements ? 1 : -1;
    return strcmp(x->type, y->type);
}

static void sum_parts(struct mixture *x)
{
    if (x->count) qsort(x->parts, x->count, sizeof *x->parts, by_part);
    for (size_t i = 0, first = 0; i < x->count; i++) {
        if (!text_same(x->parts[i].part, x->parts[first].part)) first = i;
        x->parts[first].of += x->parts[i].tensors;
        if (i + 1 < x->count && text_same(x->parts[i + 1].part, x->parts[first].part)) continue;
        for (size_t k = first; k <= i; k++) x->parts[k].of = x->parts[first].of;
    }
}

/* The type of most elements, in layers only or in all parts. */
static const char *type_of_most(const struct mixture *x, bool layers)
{
    enum { TYPES = 64 }; /* a type beyond these cannot have the most elements */
    struct {
        const char *type;
        uint64_t elements;
    } sums[TYPES];
    size_t n = 0, most = 0;
    for (size_t i = 0; i < x->count; i++) {
        const struct mixture_part *p = &x->parts[i];
        size_t k = 0;
        if (layers && p->layer_count == 0) continue;
        while (k < n && sums[k].type != p->type) k++; /* pointers suffice: the table of types has each once */
        if (k == TYPES) continue;
        if (k == n) sums[n].type = p->type, sums[n++].elements = 0;
        sums[k].elements += p->elements;
        if (sums[k].elements > sums[most].elements) most = k;
    }
    return n ? sums[most].type : NULL;
}

bool mixture_make(struct mixture *x, const struct registry *r, const struct metadata *meta, struct arena *a,
                  numel_error *e)
{
    struct mixing m = { .out = x, .arena = a, .error = e };
    *x = (struct mixture){ .said = file_type_said(meta) };
    names_init(&m.names, a->memory, sizeof *x->parts);
    buffer_init(&m.key, a->memory);
    bool ok = count_parts(&m, r) && list_layers(&m, r);
    names_done(&m.names);
    buffer_done(&m.key);
    struct mixture_part *kept = ok ? arena_copy(a, x->parts, x->count * sizeof *x->parts) : NULL;
    memory_release(a->memory, x->parts);
    x->parts = kept;
    if (!kept) x->count = 0;
    if (!ok) return false;
    if (!kept) return error_nomem(e);
    sum_parts(x);
    x->base = type_of_most(x, true);
    if (!x->base) x->base = type_of_most(x, false);
    return true;
}
