/*
 * serves.c -- checks that the other models in a single file are those that its diffusion model uses: a text
 * encoder with the width that its attention expects, the autoencoder of its latents. Each may agree by
 * itself, but if it belongs to another family, the diffusion model cannot use it.
 *
 * Lines of src/data/products (formula/product.h) state what a product uses and which names metadata give it.
 * A file whose metadata name another product contradicts them. Products are compared by id, never by name.
 * Anything without a line is not judged.
 */
#include "components/components.h"
#include "formula/product.h"

enum { TEXTS = 8 };

struct serving {
    struct components *c;
    numel_str product; /* the lines of its product */
    struct component *model;
    struct component *taken[TEXTS]; /* by line: the component that was matched with it */
    struct arena *arena;
    numel_error *error;
};

/* True for a counted component that is a model and has an architecture. */
static bool is_kind(const struct component *x, enum single_kind kind)
{
    return x->part && x->counted && x->part->kind == kind && x->state == COMPONENT_WEIGHTS && !x->row.error &&
           x->row.state < NUMEL_STATE_DISAGREES && x->row.architecture;
}

/* Finds the diffusion model; false if it is not a known product. */
static bool find_model(struct serving *s)
{
    for (size_t i = 0; i < s->c->count && !s->product.n; i++) {
        s->model = &s->c->items[i];
        if (is_kind(s->model, SINGLE_DIFFUSION)) s->product = product_reading(s->model->product);
    }
    return s->product.n > 0;
}

/* The line of that kind that lists the component, or TEXTS; *count is the number of such lines. */
static size_t line_of(const struct serving *s, const char *kind, const struct component *x, size_t *count)
{
    numel_str lines = s->product, ids;
    size_t at = TEXTS;
    for (*count = 0; *count < TEXTS && product_next(&lines, kind, &ids); ++*count)
        if (at == TEXTS && x->product && text_lists(ids, text_of(x->product))) at = *count;
    return at;
}

NUMEL_MUST static bool hold_text(struct serving *s, struct component *x)
{
    size_t carried, count, at = line_of(s, "reads", x, &count);
    const char *model = s->model->row.architecture;
    if (count == 0 || (at == TEXTS && (line_of(s, "carries", x, &carried) < carried))) return true;
    if (at == TEXTS) x->off = arena_format(s->arena, "%s does not use it", model);
    else if (s->taken[at]) x->off = arena_format(s->arena, "%s uses only one encoder of this kind", model);
    else return s->taken[at] = x, true;
    return x->off || error_nomem(s->error);
}

NUMEL_MUST static bool hold_vae(const struct serving *s, struct component *x)
{
    size_t count, at = line_of(s, "vae", x, &count);
    if (count == 0 || at < count) return true;
    x->off = arena_format(s->arena, "not the autoencoder of %s", s->model->row.architecture);
    return x->off || error_nomem(s->error);
}

/* If two encoders are used together, one alone is useless. */
NUMEL_MUST static bool hold_whole(const struct serving *s)
{
    struct component *one = NULL;
    numel_str lines = s->product, together = lines, ids;
    bool all = true;
    for (size_t i = 0; i < TEXTS && product_next(&lines, "reads", &ids); i++) {
        all &= s->taken[i] != NULL;
        if (s->taken[i]) one = s->taken[i];
    }
    if (all || !one || !product_next(&together, "together", &ids)) return true;
    one->off =
        arena_format(s->arena, "%s also needs another encoder, which is missing", s->model->row.architecture);
    return one->off || error_nomem(s->error);
}

/* Metadata must not name another family than the tensors show. */
NUMEL_MUST static bool hold_said(const struct serving *s)
{
    char name[TEXT_QUOTE];
    numel_str own = s->product, globs, other;
    const struct metadata_entry *x = metadata_find(&s->c->parts->whole->metadata, "modelspec.architecture");
    struct product_said said;
    if (!x || x->type != META_STRING || !product_next(&own, "aka", &globs)) return true;
    if (!product_said(&said, s->arena, "aka", x->value.s)) return !s->arena->failed || error_nomem(s->error);
    while (product_said_next(&said, &other))
        if (product_akin(s->product, other)) return true;
    s->model->off = arena_format(s->arena, "modelspec.architecture is %s, but this is %s",
                                 text_quote(name, x->value.s), s->model->row.architecture);
    return s->model->off || error_nomem(s->error);
}

bool components_serve(struct components *c, struct arena *a, numel_error *e)
{
    struct serving s = { .c = c, .arena = a, .error = e };
    if (!c->parts || !find_model(&s)) return true;
    if (!hold_said(&s)) return false;
    for (size_t i = 0; i < c->count; i++) {
        struct component *x = &c->items[i];
        if (is_kind(x, SINGLE_TEXT) && !hold_text(&s, x)) return false;
        if (is_kind(x, SINGLE_VAE) && !hold_vae(&s, x)) return false;
    }
    return hold_whole(&s);
}
