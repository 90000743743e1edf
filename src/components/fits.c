/*
 * fits.c -- components of a pipeline of diffusers that take what others give.
 *
 *     unet   cross_attention_dim 768      text_encoder   hidden_size 768
 *            out_channels 4               vae            latent_channels 4
 *
 * Each is whole by itself, and yet they do not work together when one is of another family: an encoder of Stable Diffusion 2 in
 * a folder of 1.5, a VAE of FLUX beside an XL. Their configurations say it. A row stands here only where the pipeline hands on
 * just what comes out; what a configuration does not say is not compared.
 */
#include "components/components.h"
#include "model/config_sizes.h"
#include "source/folder.h"

#include "base/text.h"

enum gives { GIVES_TOKENS, GIVES_POOLED, GIVES_LATENTS };

/* clang-format off */
static const struct feed {
    const char *class, *keys[2]; /* what takes it, and the first of these that says how much */
    const char *from[2];         /* who gives it: added up, of those that there are */
    enum gives what;
    unsigned times;
    const char *pipelines; /* only in those, a glob; NULL: in all */
    const char *unless;    /* a key that says that something lies between; NULL */
} fits[] = {
    { "UNet2DConditionModel", { "cross_attention_dim" }, { "text_encoder", "text_encoder_2" }, GIVES_TOKENS, 1, "StableDiffusion*", "encoder_hid_dim" },
    { "UNet2DConditionModel", { "encoder_hid_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, "IF*", NULL },
    { "UNet2DConditionModel", { "encoder_hid_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, "Kolors*", NULL },
    { "UNet2DConditionModel", { "out_channels" }, { "vae" }, GIVES_LATENTS, 1, "StableDiffusion*", NULL },
    { "UNet3DConditionModel", { "cross_attention_dim" }, { "text_encoder", "text_encoder_2" }, GIVES_TOKENS, 1, NULL, NULL },
    { "UNet3DConditionModel", { "out_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "UNetMotionModel", { "cross_attention_dim" }, { "text_encoder", "text_encoder_2" }, GIVES_TOKENS, 1, NULL, "encoder_hid_dim" },
    { "UNetMotionModel", { "out_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "UNetSpatioTemporalConditionModel", { "out_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "ControlNetModel", { "cross_attention_dim" }, { "text_encoder", "text_encoder_2" }, GIVES_TOKENS, 1, "StableDiffusion*", "encoder_hid_dim" },
    { "Kandinsky3UNet", { "encoder_hid_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "SD3Transformer2DModel", { "joint_attention_dim" }, { "text_encoder_3" }, GIVES_TOKENS, 1, NULL, NULL },
    { "SD3Transformer2DModel", { "pooled_projection_dim" }, { "text_encoder", "text_encoder_2" }, GIVES_POOLED, 1, NULL, NULL },
    { "SD3Transformer2DModel", { "out_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "FluxTransformer2DModel", { "joint_attention_dim" }, { "text_encoder_2" }, GIVES_TOKENS, 1, "Flux*", NULL },
    { "FluxTransformer2DModel", { "pooled_projection_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, "Flux*", NULL },
    { "FluxTransformer2DModel", { "out_channels", "in_channels" }, { "vae" }, GIVES_LATENTS, 4, "Flux*", NULL },
    { "ChromaTransformer2DModel", { "joint_attention_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "PixArtTransformer2DModel", { "caption_channels" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "PixArtTransformer2DModel", { "in_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "WanTransformer3DModel", { "text_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, "Wan*", NULL },
    { "WanTransformer3DModel", { "out_channels" }, { "vae" }, GIVES_LATENTS, 1, "Wan*", NULL },
    { "WanVACETransformer3DModel", { "text_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "WanVACETransformer3DModel", { "out_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "SkyReelsV2Transformer3DModel", { "text_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "SkyReelsV2Transformer3DModel", { "out_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "CogVideoXTransformer3DModel", { "text_embed_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "CogVideoXTransformer3DModel", { "out_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "CogView3PlusTransformer2DModel", { "text_embed_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "CogView3PlusTransformer2DModel", { "in_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "CogView4Transformer2DModel", { "text_embed_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "CogView4Transformer2DModel", { "out_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "LTXVideoTransformer3DModel", { "caption_channels" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "LTXVideoTransformer3DModel", { "out_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "MochiTransformer3DModel", { "text_embed_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "MochiTransformer3DModel", { "in_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "AuraFlowTransformer2DModel", { "joint_attention_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "AuraFlowTransformer2DModel", { "in_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "SanaTransformer2DModel", { "in_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "Lumina2Transformer2DModel", { "cap_feat_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "Lumina2Transformer2DModel", { "in_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "ZImageTransformer2DModel", { "cap_feat_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "ZImageTransformer2DModel", { "in_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "QwenImageTransformer2DModel", { "joint_attention_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "QwenImageTransformer2DModel", { "out_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "HunyuanVideoTransformer3DModel", { "text_embed_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "HunyuanVideoTransformer3DModel", { "pooled_projection_dim" }, { "text_encoder_2" }, GIVES_TOKENS, 1, NULL, NULL },
    { "HunyuanVideoTransformer3DModel", { "out_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "HunyuanDiT2DModel", { "cross_attention_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "HunyuanDiT2DModel", { "cross_attention_dim_t5" }, { "text_encoder_2" }, GIVES_TOKENS, 1, NULL, NULL },
    { "HunyuanDiT2DModel", { "in_channels" }, { "vae" }, GIVES_LATENTS, 1, NULL, NULL },
    { "LuminaNextDiT2DModel", { "cross_attention_dim" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "AllegroTransformer3DModel", { "caption_channels" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
    { "LatteTransformer3DModel", { "caption_channels" }, { "text_encoder" }, GIVES_TOKENS, 1, NULL, NULL },
};
/* clang-format on */

static int64_t given(enum gives what, const json_value *doc)
{
    static const char *const pooled[] = { "projection_dim", "text_config.projection_dim" };
    static const char *const latents[] = { "latent_channels", "z_dim" };
    return what == GIVES_TOKENS   ? size_hidden(doc)
           : what == GIVES_POOLED ? size_first(doc, pooled, 2)
                                  : size_first(doc, latents, 2);
}

struct fitting {
    struct components *c;
    struct arena *arena;
    numel_error *error;
};

/* config.json of what the index promises in a folder; NULL: it cannot be read. False: NOMEM. */
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

/* What those that are there give together; 0: there are none, or one does not say it. */
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

static bool is_for(const struct feed *f, const char *pipeline, const char *class)
{
    return strcmp(f->class, class) == 0 && (!f->pipelines || text_glob(f->pipelines, text_of(pipeline))) &&
           /* twice the latents come in, and what comes out is no picture of them */
           (f->what != GIVES_LATENTS || strcmp(pipeline, "StableDiffusionLatentUpscalePipeline") != 0);
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
        const char *class = json_text_of(json_get(doc, "_class_name"));
        for (size_t k = 0; class && k < sizeof fits / sizeof *fits && ok && !x->off; k++)
            if (is_for(&fits[k], c->class, class)) ok = hold(&g, x, &fits[k], doc);
    }
    return ok;
}
