/* components_single.c -- the rows of a single file with several models, and the components that an image
 * model lacks. */
#include "components/components.h"

#include "base/num.h"
#include "base/text.h"

/* Adds tensors next to the components, which are not a model: known from single_table.c, or unknown. */
NUMEL_MUST static bool add_beside(struct component *x, const struct single_part *p, struct arena *a,
                                  numel_error *e)
{
    char name[TEXT_QUOTE], n[TEXT_COUNT];
    const struct registry *r = &p->ck->registry;
    x->state = p->kind == SINGLE_BUFFERS ? COMPONENT_BUFFERS : COMPONENT_STRAY;
    x->row.tensors = r->count;
    x->row.stored = p->ck->stored;
    x->row.parameters = NUMEL_NOT_KNOWN;
    for (size_t i = 0; i < p->ck->file_count; i++)
        if (!num_add(&x->row.bytes, x->row.bytes, p->ck->files[i].bytes)) x->row.bytes = UINT64_MAX;
    bool v = registry_find(r, text_of("v_pred")) != NULL; /* the training objective; shapes hide it */
    text_quote(name, r->tensors[0].name);
    if (v) text_quote(name, text_of("v_pred"));
    const char *said = v ? "v-prediction, " : "";
    x->why = r->count > 1
                 ? arena_format(a, "%s%s and %s more", said, name, text_count(n, r->count - 1, "tensor"))
                 : arena_format(a, "%s%s", said, name);
    return x->why || error_nomem(e);
}

NUMEL_MUST static bool add_part(struct components *c, const struct single_part *p, struct arena *a,
                                numel_error *e)
{
    struct component *x = components_add(c, a, e);
    if (!x) return false;
    x->single = true;
    x->part = p;
    x->name = p->name;
    x->variant = p->variant;
    x->path = p->ck->path;
    x->files = p->ck->file_count;
    x->counted = p->kind != SINGLE_EMA;
    x->state = COMPONENT_WEIGHTS;
    return p->prefix || add_beside(x, p, a, e);
}

static bool holds(const struct single_parts *p, enum single_kind kind)
{
    for (size_t i = 0; i < p->models; i++)
        if (p->items[i].kind == kind) return true;
    return false;
}

/* Users of an image model want to know which other components it needs. */
NUMEL_MUST static bool add_lacking(struct components *c, const struct single_parts *p, struct arena *a,
                                   numel_error *e)
{
    static const struct {
        enum single_kind kind, instead;
        const char *name;
    } wanted[] = { { SINGLE_VAE, SINGLE_VAE, "vae" }, { SINGLE_TEXT, SINGLE_IMAGE, "text_encoder" } };
    if (!holds(p, SINGLE_DIFFUSION)) return true;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (holds(p, wanted[i].kind) || holds(p, wanted[i].instead)) continue;
        struct component *x = components_add(c, a, e);
        if (!x) return false;
        x->single = true;
        x->name = wanted[i].name;
        x->state = COMPONENT_NONE;
    }
    return true;
}

bool components_of_parts(struct components *c, const struct single_parts *p, struct arena *a, numel_error *e)
{
    *c = (struct components){ .parts = p, .path = p->whole->path };
    for (size_t i = 0; i < p->models; i++)
        if (!add_part(c, &p->items[i], a, e)) return false;
    if (!add_lacking(c, p, a, e)) return false;
    for (size_t i = p->models; i < p->count; i++)
        if (!add_part(c, &p->items[i], a, e)) return false;
    return true;
}
