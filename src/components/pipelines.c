/*
 * pipelines.c -- compares the components that a pipeline's class needs with the promises of its index.
 *
 *     StableDiffusionPipeline image_encoder?=CLIPVisionModelWithProjection unet=UNet2DConditionModel ...
 *
 * A line of pipelines.table (mkpipelines.py) is the signature of a diffusers class: the components that are
 * models, with `?` after optional ones, and their possible classes. If the index lacks a required component,
 * or has null for it, the pipeline cannot be loaded, even if all promised components agree. For a component
 * of another class, diffusers only warns, but the names of a denoiser or autoencoder are those of its own
 * class. Text encoders are often replaced, so one of another family agrees in part. The classes of diffusers
 * and transformers are not in other libraries, except those on the last line, which begins with a dash: these
 * are in modules of pipelines. If a pipeline's inputs are unknown, because its class is newer or custom, it
 * agrees at most in part.
 */
#include "components/components.h"

#include "base/text.h"
#include "formula/embedded.h"
#include "formula/product.h"

struct taking {
    struct components *c;
    struct arena *arena;
    numel_error *error;
};

static numel_str table(void)
{
    return (numel_str){ embedded_text + embedded_pipelines, embedded_pipelines_bytes };
}

/* Splits a word of a line into the component's name and its classes. */
static numel_str types_of(numel_str word, numel_str *name)
{
    *name = text_cut(&word, '=');
    return word;
}

/* True if some pipeline accepts this class. For any other, it is unknown which class it replaces. */
static bool is_known(const char *class)
{
    numel_str rest = table(), name;
    while (rest.n) {
        numel_str words = text_line(&rest);
        for (numel_str word = text_word(&words); word.n; word = text_word(&words))
            if (text_listed(types_of(word, &name), '|', text_of(class))) return true;
    }
    return false;
}

/* Gets the rest of the line that begins with a word; false if there is none. */
static bool line_of(const char *word, numel_str *words)
{
    numel_str rest = table();
    while (rest.n) {
        *words = text_line(&rest);
        if (text_equal(text_word(words), word)) return true;
    }
    return false;
}

/* True for a class in a module of pipelines, whose name is the library in the index. */
static bool is_elsewhere(const char *class)
{
    numel_str words;
    return line_of("-", &words) && text_lists(words, text_of(class));
}

/* ---- missing promises ---------------------------------------------------------------------- */

static const struct found_component *promise_of(const struct components *c, numel_str name)
{
    for (size_t i = 0; i < c->pipeline->count; i++)
        if (text_equal(name, c->pipeline->items[i].name)) return &c->pipeline->items[i];
    return NULL;
}

static struct component *row_of(struct components *c, numel_str name)
{
    for (size_t i = 0; i < c->count; i++)
        if (text_equal(name, c->items[i].name)) return &c->items[i];
    return NULL;
}

/* True if another text encoder is promised: a pipeline may be saved without one of several, and is then
 * loaded without it as well. */
static bool is_spared(const struct components *c, numel_str name)
{
    if (!text_holds(name, text_of("text_encoder"))) return false;
    for (size_t i = 0; i < c->pipeline->count; i++)
        if (c->pipeline->items[i].class && strstr(c->pipeline->items[i].name, "text_encoder")) return true;
    return false;
}

NUMEL_MUST static bool miss(const struct taking *t, numel_str name, bool null, numel_str types)
{
    struct component *x = row_of(t->c, name);
    const char *why = arena_format(t->arena, "%s, and %s cannot be built without it",
                                   null ? "null in the index" : "not in the index", t->c->class);
    if (!why) return error_nomem(t->error);
    if (null && is_spared(t->c, name)) return true;
    if (null && x && !component_denoises_any(types)) return x->doubt = why, true;
    if (x && x->state == COMPONENT_WEIGHTS) return x->off = why, x->doubt = NULL, true;
    if (!x) {
        x = components_add(t->c, t->arena, t->error);
        if (!x) return false;
        x->name = arena_text(t->arena, name.p, name.n);
        if (!x->name) return error_nomem(t->error);
    }
    x->state = COMPONENT_MISSING;
    x->why = why;
    return true;
}

/* ---- other classes -------------------------------------------------------------------------- */

/* True if the class may replace one of `types`: they have the same model type, it is a lighter autoencoder
 * of the same latents, or others were once saved under its name. */
static bool is_alike(numel_str types, const char *class)
{
    numel_str rest = { NULL, 0 }, globs;
    bool found = text_listed(types, '|', text_of(class));
    while (!found && component_next(&rest, "like", &globs)) {
        numel_str of = text_word(&globs);
        found = text_listed(types, '|', of) && product_has(globs, text_of(class));
    }
    return found;
}

/* True if one of `types` begins like the class: GPT2LMHeadModel, GPT2Model. */
static bool is_family(numel_str types, const char *class)
{
    while (types.n) {
        numel_str one = text_cut(&types, '|');
        if (one.n > 1 && class[0] && one.p[0] == class[0] && one.p[1] == class[1]) return true;
    }
    return false;
}

static bool is_vae(const char *name) { return strcmp(name, "vae") == 0 || strcmp(name, "movq") == 0; }

NUMEL_MUST static bool hold_class(const struct taking *t, struct component *x, numel_str types)
{
    const char *class = x->said ? x->said : x->promise->class; /* the class of the weights */
    numel_str all = types, first = text_cut(&all, '|');
    bool certain = component_denoises(class) || component_denoises_any(types) || is_vae(x->name);
    if (x->off || (x->said && !certain) || x->doubt || component_is_chosen(class) || is_alike(types, class))
        return true;
    if (certain && !is_known(class)) return true;
    if (!certain && is_family(types, class)) return true;
    const char *other = arena_text(t->arena, first.p, first.n), *more = all.n ? " or the like" : "";
    const char *is = x->said ? arena_format(t->arena, "a %s by its config.json, ", x->said) : "";
    const char *why = other && is ? arena_format(t->arena, "is %snot what %s takes there: %s%s", is,
                                                 t->c->class, other, more)
                                  : NULL;
    if (!why) return error_nomem(t->error);
    if (certain) x->off = why, x->foreign = true;
    else x->doubt = why;
    return true;
}

/* ---- libraries ------------------------------------------------------------------------------ */

/* The configuration of a diffusers model contains its class name; that of a transformers model never does. */
NUMEL_MUST static bool hold_library(const struct taking *t, struct component *x)
{
    const char *library = x->promise->library;
    bool ours = strcmp(library, "diffusers") == 0, theirs = strcmp(library, "transformers") == 0;
    const char *dir = t->c->found->sets[x->set].dir;
    const json_value *doc;
    if (!components_config(t->c, dir, "config.json", &doc, t->arena, t->error)) return false;
    bool named = json_get(doc, "_class_name") != NULL, typed = json_get(doc, "model_type") != NULL;
    x->foreign = !x->off && ((ours && !named && typed) || (theirs && named));
    bool other = !ours && !theirs && !x->doubt && is_known(x->promise->class);
    if (other && !is_elsewhere(x->promise->class))
        x->doubt = "its class is of diffusers or transformers, and not of the library that the index says";
    if (x->foreign)
        x->off = ours ? "is a model of transformers, and the index says diffusers"
                      : "is a model of diffusers, and the index says transformers";
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------ */

NUMEL_MUST static bool hold_word(const struct taking *t, numel_str word)
{
    numel_str name, types = types_of(word, &name);
    bool free = text_take_end(&name, "?"), ok = true;
    const struct found_component *promise = promise_of(t->c, name);
    if (!promise || !promise->class) return free || miss(t, name, promise != NULL, types);
    for (size_t i = 0; i < t->c->count && ok && types.n; i++) {
        struct component *x = &t->c->items[i];
        if (x->counted && x->promise == promise) ok = hold_class(t, x, types);
    }
    return ok;
}

/* A class that is not in the table may need more inputs. The doubt is noted at the denoiser, or else at
 * the first model. */
NUMEL_MUST static bool doubt_class(const struct taking *t)
{
    struct component *at = NULL;
    for (size_t i = 0; i < t->c->count; i++) {
        struct component *x = &t->c->items[i];
        if (!x->counted || !x->promise || x->state != COMPONENT_WEIGHTS) continue;
        if (!at || (component_denoises(x->promise->class) && !component_denoises(at->promise->class))) at = x;
    }
    if (!at || at->doubt) return true;
    at->doubt = arena_format(t->arena, "nobody knows what else %s takes", t->c->class);
    return at->doubt || error_nomem(t->error);
}

bool components_take(struct components *c, struct arena *a, numel_error *e)
{
    const struct taking t = { c, a, e };
    numel_str words;
    bool ok = true;
    const char *library = c->pipeline->library;
    if (c->pipeline->modules || !c->class || !library || strcmp(library, "diffusers") != 0) return true;
    for (size_t i = 0; i < c->count && ok; i++)
        if (c->items[i].counted && c->items[i].state == COMPONENT_WEIGHTS)
            ok = hold_library(&t, &c->items[i]);
    if (!ok) return false;
    if (!line_of(c->class, &words)) return doubt_class(&t);
    for (numel_str word = text_word(&words); word.n && ok; word = text_word(&words)) ok = hold_word(&t, word);
    return ok;
}
