/*
 * fits.c -- components of a diffusers pipeline whose inputs are other components' outputs.
 *
 *     unet   cross_attention_dim 768      text_encoder   hidden_size 768
 *            out_channels 4               vae            latent_channels 4
 *
 * Each may be complete by itself, yet they do not fit together if one belongs to another family: a text
 * encoder of Stable Diffusion 2 in a 1.5 folder, a FLUX VAE next to an XL UNet. Their configurations show it.
 * Each connection is a line of src/data/products/fits.table; sizes missing in a configuration are not
 * compared.
 */
#include "components/components.h"
#include "formula/embedded.h"
#include "model/config_sizes.h"
#include "source/folder.h"

#include "base/text.h"

/* A line of src/data/products/fits.table. */
struct feed {
    const char *keys[2]; /* the first one present states the size */
    const char *from[2]; /* its sources, whose outputs are added */
    numel_str what;      /* tokens, pooled, latents */
    unsigned times;
    const char *pipelines; /* a glob for pipelines with this connection; NULL: all */
    const char *unless;    /* a key for a module in between, or NULL */
};

static int64_t given(numel_str what, const json_value *doc)
{
    static const char *const pooled[] = { "projection_dim", "text_config.projection_dim" };
    static const char *const latents[] = { "latent_channels", "z_dim" };
    if (text_equal(what, "tokens")) return size_hidden(doc);
    return size_first(doc, text_equal(what, "pooled") ? pooled : latents, 2);
}

struct fitting {
    struct components *c;
    struct arena *arena;
    numel_error *error;
};

/* Gets a promised folder's config.json; NULL if it cannot be read. False: NOMEM. */
NUMEL_MUST static bool configuration(const struct fitting *g, const char *place, const json_value **doc)
{
    const char *dir = path_join(g->arena, g->c->pipeline->dir, text_of(place));
    return dir ? components_config(g->c, dir, "config.json", doc, g->arena, g->error) : error_nomem(g->error);
}

static const struct found_component *promise_of(const struct fitting *g, const char *name)
{
    const struct found_pipeline *p = g->c->pipeline;
    for (size_t i = 0; name && i < p->count; i++)
        if (p->items[i].class && strcmp(p->items[i].name, name) == 0) return &p->items[i];
    return NULL;
}

/* Gets the total output of the existing sources; 0 if there are none, or one does not state its size. */
NUMEL_MUST static bool sum(const struct fitting *g, const struct feed *f, int64_t *out)
{
    bool known = true;
    *out = 0;
    for (size_t i = 0; i < 2; i++) {
        const struct found_component *from = promise_of(g, f->from[i]);
        const json_value *doc;
        if (!from) continue;
        if (!configuration(g, from->place, &doc)) return false;
        int64_t one = given(f->what, doc);
        known &= one > 0;
        *out += one * f->times;
    }
    if (!known) *out = 0;
    return true;
}

NUMEL_MUST static bool hold(const struct fitting *g, struct component *x, const struct feed *f,
                            const json_value *doc)
{
    int64_t takes = size_first(doc, f->keys, 2), gives;
    if (!takes || (f->unless && json_kind(json_get(doc, f->unless)) == JSON_NUMBER)) return true;
    if (!sum(g, f, &gives)) return false;
    if (!gives || takes == gives) return true;
    bool both = promise_of(g, f->from[0]) && promise_of(g, f->from[1]);
    const char *from = promise_of(g, f->from[0]) ? f->from[0] : f->from[1];
    x->off = arena_format(g->arena, "takes %lld (%s), and %lld come out of %s%s%s", (long long)takes,
                          size_at(doc, f->keys[0]) ? f->keys[0] : f->keys[1], (long long)gives, from,
                          both ? " and " : "", both ? f->from[1] : "");
    return x->off || error_nomem(g->error);
}

NUMEL_MUST static const char *keep(const struct fitting *g, numel_str s)
{
    return arena_text(g->arena, s.p, s.n);
}

static void keep_two(const struct fitting *g, numel_str words, char sign, const char *out[2])
{
    for (int i = 0; i < 2 && words.n; i++) out[i] = keep(g, text_cut(&words, sign));
}

/* Reads a line; false if it concerns another class or other pipelines. */
static bool read_feed(const struct fitting *g, numel_str line, const char *class, struct feed *f)
{
    if (!text_equal(text_word(&line), class)) return false;
    *f = (struct feed){ .times = 1 };
    keep_two(g, text_word(&line), '|', f->keys);
    f->what = text_word(&line);
    keep_two(g, text_word(&line), '+', f->from);
    for (numel_str word = text_word(&line); word.n; word = text_word(&line))
        if (text_take_start(&word, "in=")) f->pipelines = keep(g, word);
        else if (text_take_start(&word, "unless=")) f->unless = keep(g, word);
        else if (text_take_start(&word, "times=")) f->times = (unsigned)(text_first(word) - '0');
    const char *pipeline = g->c->class;
    return !g->arena->failed && (!f->pipelines || text_glob(f->pipelines, text_of(pipeline))) &&
           /* the UNet expects twice the latent channels */
           (!text_equal(f->what, "latents") || strcmp(pipeline, "StableDiffusionLatentUpscalePipeline") != 0);
}

NUMEL_MUST static bool hold_class(const struct fitting *g, struct component *x, const char *class,
                                  const json_value *doc)
{
    numel_str rest = { embedded_text + embedded_fits, embedded_fits_bytes };
    struct feed f;
    while (class && rest.n && !x->off)
        if (read_feed(g, text_line(&rest), class, &f) && !hold(g, x, &f, doc)) return false;
    return !g->arena->failed || error_nomem(g->error);
}

bool components_fit(struct components *c, struct arena *a, numel_error *e)
{
    const struct fitting g = { c, a, e };
    bool ok = true;
    if (c->pipeline->modules || !c->class) return true;
    for (size_t i = 0; i < c->count && ok; i++) {
        struct component *x = &c->items[i];
        const json_value *doc;
        if (!x->counted) continue;
        if (!configuration(&g, x->promise->place, &doc)) return false;
        ok = hold_class(&g, x, json_text_of(json_get(doc, "_class_name")), doc);
    }
    return ok;
}
