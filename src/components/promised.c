/*
 * promised.c -- components that an index does not promise, although such a model needs them.
 *
 * Every diffusers pipeline has at least one component that removes noise. If the index names none, or has
 * null for it, while another folder contains one, then all promised components may exist, yet the model
 * itself is not loaded. Other folders that the index does not name are legitimate: a safety checker that was
 * removed, a second VAE. A sentence-transformers model begins with a module that reads text. If a module's
 * class is unknown, so is what it does with its weights. None of this is an error, but the folder then agrees
 * only in part.
 */
#include "components/components.h"

#include "base/text.h"
#include "formula/embedded.h"
#include "formula/product.h"

bool component_next(numel_str *rest, const char *role, numel_str *globs)
{
    if (!rest->p) *rest = (numel_str){ embedded_text + embedded_roles, embedded_roles_bytes };
    while (rest->n) {
        *globs = text_line(rest);
        if (text_equal(text_word(globs), role)) return true;
    }
    return false;
}

static bool is_role(const char *role, numel_str class)
{
    numel_str rest = { NULL, 0 }, globs;
    bool is = false;
    while (!is && component_next(&rest, role, &globs)) is = product_has(globs, class);
    return is;
}

bool component_denoises_any(numel_str classes) { return is_role("denoises", classes); }
bool component_denoises(const char *class) { return class && component_denoises_any(text_of(class)); }

static void doubt_stray(struct components *c)
{
    for (size_t i = 0; i < c->pipeline->count; i++)
        if (component_denoises(c->pipeline->items[i].class)) return;
    for (size_t i = 0; i < c->count; i++) {
        struct component *x = &c->items[i];
        bool stray = x->state == COMPONENT_WEIGHTS && (!x->promise || !x->promise->class);
        if (!stray || !component_denoises(x->own)) continue;
        x->doubt = x->promise ? "null in the index, which promises nothing that denoises"
                              : "not in the index, which promises nothing that denoises";
    }
}

/* ---- sentence-transformers ----------------------------------------------------------------- */

static bool reads_text(const char *class) { return is_role("reads", text_of(class)); }

/* The first module must read text, or be a Router that passes it on. */
static void doubt_modules(struct components *c)
{
    bool reads = false;
    for (size_t i = 0; i < c->count; i++) {
        struct component *x = &c->items[i];
        const char *class = x->promise ? x->promise->class : NULL;
        if (!class) continue;
        if (!reads_text(class) && !is_role("module", text_of(class)))
            x->doubt = "nobody knows a module of this class";
        else if (!reads && !reads_text(class)) x->doubt = "no module before it reads text";
        reads = true; /* reported once */
    }
}

void components_doubt(struct components *c)
{
    if (c->pipeline->modules) doubt_modules(c);
    else doubt_stray(c);
}
