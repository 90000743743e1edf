/*
 * adapter_kinds.c -- files that add something to a model without changing its weights in pairs: embeddings of
 * a word (textual inversion), IP-adapters, T2I-adapters, hypernetworks.
 *
 * A row is a kind of file for the bases of one product: tensor names, their shapes, and how many there are of
 * each. A file is of the kind if each tensor has one of the names, and each required name occurs. Shapes and
 * counts prove the product; a row without a product accepts any. Sizes in a shape are separated by blanks:
 * `?` is any size, NULL any shape. Specifications of such files (`match hf adapter`) are tried before the
 * rows; they have all names and sizes.
 */
#include "adapter/adapter_internal.h"

#include "base/text.h"
#include "formula/expand.h"
#include "formula/product.h"
#include "model/model.h"
#include "registry/dtype.h"
#include "statement/line.h"

#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))

struct kind_name {
    const char *glob, *shape;
    uint64_t count; /* how many; 0: at least one; ANY: none or more */
};
enum { ANY = 100000, MOST_TENSORS = 4096 }; /* such files never have more */

static const struct kind {
    const char *type, *product;
    struct kind_name names[9];
} kinds[] = {
    { "embedding", "sd-1", { { "emb_params", "? 768", 1 } } },
    { "embedding", "sd-2", { { "emb_params", "? 1024", 1 } } },
    { "embedding", "sd-1", { { "string_to_param.*", "? 768", 1 } } },
    { "embedding", "sd-2", { { "string_to_param.*", "? 1024", 1 } } },
    { "embedding", "sdxl", { { "clip_l", "? 768", 1 }, { "clip_g", "? 1280", 1 } } },
    { "embedding",
      "sd3-medium",
      { { "clip_l", "? 768", 1 }, { "clip_g", "? 1280", 1 }, { "t5xxl", "? 4096", 1 } } },
    { "embedding", "sd-1", { { "<*>", "768", 0 } } },
    { "embedding", "sd-1", { { "<*>", "? 768", 0 } } },
    { "embedding", "sd-2", { { "<*>", "1024", 0 } } },
    { "embedding", "sd-2", { { "<*>", "? 1024", 0 } } },
    { "ip-adapter",
      NULL,
      { { "ip_adapter.*.to_k_ip.weight", NULL, 0 },
        { "ip_adapter.*.to_v_ip.weight", NULL, 0 },
        { "image_proj.*", NULL, ANY },
        { "ip_adapter.*", NULL, ANY } } },
    { "t2i-adapter",
      NULL,
      { { "conv_in.*", NULL, 2 },
        { "body.*.block1.*", NULL, 0 },
        { "body.*.block2.*", NULL, 0 },
        { "body.*.in_conv.*", NULL, ANY },
        { "body.*.skep.*", NULL, ANY },
        { "body.*.down_opt.*", NULL, ANY } } },
    { "hypernetwork",
      "sd-1",
      { { "768.0.linear.*", NULL, 0 },
        { "768.1.linear.*", NULL, 0 },
        { "320.0.linear.*", NULL, 0 },
        { "320.1.linear.*", NULL, 0 },
        { "640.0.linear.*", NULL, 0 },
        { "640.1.linear.*", NULL, 0 },
        { "1280.0.linear.*", NULL, 0 },
        { "1280.1.linear.*", NULL, 0 } } },
    { "hypernetwork",
      "sd-2",
      { { "1024.0.linear.*", NULL, 0 },
        { "1024.1.linear.*", NULL, 0 },
        { "320.0.linear.*", NULL, 0 },
        { "320.1.linear.*", NULL, 0 },
        { "640.0.linear.*", NULL, 0 },
        { "640.1.linear.*", NULL, 0 },
        { "1280.0.linear.*", NULL, 0 },
        { "1280.1.linear.*", NULL, 0 } } },
};

static bool shape_is(const numel_tensor *t, const char *shape)
{
    uint32_t axis = 0;
    while (shape && *shape) {
        uint64_t n = 0;
        if (axis == t->ndim) return false;
        bool any = *shape == '?';
        for (; *shape && *shape != ' '; shape++)
            if (!any) n = n * 10 + (uint64_t)(*shape - '0'); /* from our own tables: small */
        if (*shape == ' ') shape++;
        if (t->dims[axis] == 0 || (!any && t->dims[axis] != n)) return false;
        axis++;
    }
    return !shape || axis == t->ndim;
}

/* Index of the kind's name that matches the tensor; ROWS(k->names) if none does. */
static size_t name_of(const struct kind *k, const numel_tensor *t)
{
    size_t i = 0;
    for (; i < ROWS(k->names) && k->names[i].glob; i++)
        if (text_glob(k->names[i].glob, t->name) && shape_is(t, k->names[i].shape)) return i;
    return ROWS(k->names);
}

/* Counts the tensors of each name; false if a tensor matches none. */
static bool counted(const struct adapter *a, const struct kind *k, uint64_t counts[ROWS(kinds[0].names)])
{
    const struct registry *r = &a->ck->registry;
    for (uint32_t i = 0; i < r->count; i++) {
        size_t n = name_of(k, &r->tensors[i]);
        if (n == ROWS(k->names)) return false;
        counts[n]++;
    }
    return r->count > 0;
}

static bool is_kind(const struct adapter *a, const struct kind *k)
{
    uint64_t counts[ROWS(k->names)] = { 0 };
    if (!counted(a, k, counts)) return false;
    for (size_t i = 0; i < ROWS(k->names) && k->names[i].glob; i++) {
        uint64_t wanted = k->names[i].count;
        if (wanted == 0 ? counts[i] == 0 : wanted != ANY && counts[i] != wanted) return false;
    }
    return true;
}

/* Adds the usual base of the product, which is the first in its line. */
static void fit_product(struct adapter *a, numel_str id)
{
    char own[TEXT_QUOTE];
    numel_str lines = product_find(text_bare(own, id)), bases;
    numel_str base = product_next(&lines, "base", &bases) ? text_word(&bases) : id;
    const char *name = arena_text(a->arena, base.p, base.n);
    if (name && base.n) a->fits[a->fit_count++] = name;
}

/* ---- files that a specification knows name by name ----------------------------------------- */

/* Number of expected tensors that the file has with the same shape. */
static uint64_t common(const struct registry *r, const struct expansion *x)
{
    uint64_t n = 0;
    for (size_t i = 0; i < x->row_count; i++) {
        const struct site *s = &x->sites[x->rows[i].site];
        const numel_tensor *t = registry_find(r, x->rows[i].name);
        n += t && t->ndim == s->ndim && dims_same(t->dims, s->dims, s->ndim);
    }
    return n;
}

/* Accepts the specification if it expects every tensor of the file. Up to a tenth of the expected tensors
 * may be missing; these are reported. */
static void take_file(void *ctx, const struct expansion *x)
{
    struct adapter *a = ctx;
    const uint64_t count = a->ck->registry.count, all = x->row_count;
    if (count < all - all / 10 || common(&a->ck->registry, x) != count) return;
    numel_str kind = expansion_text(x, "kind");
    a->type = arena_text(a->arena, kind.p, kind.n);
    a->whole_kind = true;
    a->shaped = count;
    if (count == all) fit_product(a, expansion_text(x, "product"));
    else
        adapter_disagree(
            a, arena_format(a->arena, "%" PRIu64 " of %" PRIu64 " tensors are missing", all - count, all));
}

/* ---- hypernetworks -------------------------------------------------------------------------- */

/* Splits "768.0.linear.3.weight" into group "768.0.linear.", width 768 and layer 3; false for other names. */
static bool layer_of(numel_str name, const char *end, numel_str *group, uint64_t *width, uint64_t *layer)
{
    size_t i = 0, n;
    *width = *layer = 0;
    if (!text_take_end(&name, end)) return false;
    n = name.n;
    for (; i < n && i < 6 && name.p[i] >= '0' && name.p[i] <= '9'; i++)
        *width = *width * 10 + (uint64_t)(name.p[i] - '0');
    size_t k = n;
    while (k > 0 && name.p[k - 1] >= '0' && name.p[k - 1] <= '9') k--;
    for (size_t d = k; d < n && d < k + 4; d++) *layer = *layer * 10 + (uint64_t)(name.p[d] - '0');
    *group = (numel_str){ name.p, k };
    return i > 0 && k < n && k > i;
}

/* The group's nearest weight matrix before the layer, or after it (`behind`); NULL if there is none. */
static const numel_tensor *beside(const struct adapter *a, numel_str group, uint64_t layer, bool behind)
{
    const numel_tensor *best = NULL;
    uint64_t width, n, found = 0;
    numel_str own;
    for (uint32_t i = 0; i < a->ck->registry.count; i++) {
        const numel_tensor *t = &a->ck->registry.tensors[i];
        if (t->ndim != 2 || !layer_of(t->name, ".weight", &own, &width, &n) || !text_same(own, group))
            continue;
        if (behind ? n <= layer || (best && n > found) : n >= layer || (best && n < found)) continue;
        best = t;
        found = n;
    }
    return best;
}

/* A chain of layers from the width back to the width: each accepts the output of the one before it. */
static bool is_link(const struct adapter *a, const numel_tensor *t)
{
    numel_str group;
    uint64_t width, layer;
    if (layer_of(t->name, ".bias", &group, &width, &layer)) {
        const numel_tensor *own = beside(a, group, layer + 1, false);
        return t->ndim == 1 && own && own->dims[0] == t->dims[0];
    }
    if (!layer_of(t->name, ".weight", &group, &width, &layer)) return false;
    const numel_tensor *before = beside(a, group, layer, false);
    uint64_t given = before ? before->dims[0] : width;
    if (t->ndim == 1) return before && t->dims[0] == given; /* a norm */
    bool last = !beside(a, group, layer, true);
    return t->ndim == 2 && t->dims[1] == given && (!last || t->dims[0] == width);
}

static bool is_chain(const struct adapter *a)
{
    enum { LAYERS = 400 };
    const struct registry *r = &a->ck->registry;
    if (r->count > LAYERS) return false;
    for (uint32_t i = 0; i < r->count; i++)
        if (!is_link(a, &r->tensors[i])) return false;
    return true;
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool has_shapes(const struct kind *k)
{
    for (size_t i = 0; i < ROWS(k->names) && k->names[i].glob; i++)
        if (!k->names[i].shape) return false;
    return true;
}

void adapter_kind_find(struct adapter *a)
{
    numel_error e = { .code = NUMEL_OK };
    if (a->ck->registry.count > MOST_TENSORS) return;
    a->arena->failed |= !model_expand_file(&a->ck->registry, "adapter", take_file, a, a->arena->memory, &e);
    for (size_t i = 0; !a->type && i < ROWS(kinds); i++) {
        if (!is_kind(a, &kinds[i])) continue;
        bool proven = has_shapes(&kinds[i]);
        a->whole_kind = true;
        if (strcmp(kinds[i].type, "hypernetwork") == 0) proven = is_chain(a);
        *(proven ? &a->shaped : &a->named) = a->ck->registry.count;
        if (kinds[i].product) fit_product(a, text_of(kinds[i].product));
        a->type = kinds[i].type;
    }
}

/* A word must have the same number of vectors for each text encoder. */
static void compare_lengths(struct adapter *a)
{
    const struct registry *r = &a->ck->registry;
    const numel_tensor *first = NULL;
    for (uint32_t i = 0; i < r->count; i++) {
        const numel_tensor *t = &r->tensors[i];
        if (t->ndim != 2 || t->name.p[0] == '<') continue;
        if (!first) first = t;
        if (t->dims[0] == first->dims[0]) continue;
        adapter_disagree(a, arena_format(a->arena,
                                         "one encoder of text has %" PRIu64 " vectors, another %" PRIu64,
                                         first->dims[0], t->dims[0]));
        return;
    }
}

static void compare_pairs(struct adapter *a)
{
    const struct registry *r = &a->ck->registry;
    uint64_t keys = 0, values = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        keys += text_ends(r->tensors[i].name, ".to_k_ip.weight");
        values += text_ends(r->tensors[i].name, ".to_v_ip.weight");
    }
    if (keys != values)
        adapter_disagree(
            a, arena_format(a->arena, "%" PRIu64 " tensors to_k_ip, %" PRIu64 " to_v_ip", keys, values));
}

/* An IP-adapter has as many keys as values. All tensors must be floating-point numbers. */
void kind_compare(struct adapter *a)
{
    const struct registry *r = &a->ck->registry;
    uint64_t others = 0;
    for (uint32_t i = 0; a->whole_kind && i < r->count; i++)
        others += !r->tensors[i].dtype || !dtype_is_number(r->tensors[i].dtype);
    if (others)
        adapter_disagree(
            a, arena_format(a->arena, "%" PRIu64 " tensors are of a type that no weight has", others));
    if (strcmp(a->type, "embedding") == 0) compare_lengths(a);
    if (strcmp(a->type, "ip-adapter") == 0) compare_pairs(a);
}
