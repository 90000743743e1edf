/*
 * serves.c -- what lies beside a diffusion model in one file must be what it reads: a text encoder of the widths that its attention takes, the
 * autoencoder of its latents. Each by itself agrees; of another family it is of no use, and the file is no checkpoint of this one.
 *
 * A row is a family by what its model is called, the text encoders that it reads, each one and its namesakes, and autoencoders; and by what
 * metadata call it: a file that says that it is of another is not what it says. Of what is called otherwise nothing is said.
 */
#include "base/text.h"
#include "components/components.h"

#include <string.h>

enum { TEXTS = 4 };

static const struct family {
    const char *model, *texts[TEXTS], *vae; /* patterns between bars; NULL: nobody knows */
    bool whole;                             /* it reads all its text encoders at once */
    const char
        *said; /* what modelspec.architecture calls it, the first row that has it; NULL: nobody knows */
} families[] = {
    { "SDXL refiner*", { "OpenCLIP-G *|CLIP-G *" }, "SD VAE", false, "stable-diffusion-xl-v1-refiner*" },
    { "SDXL*|SSD-1B*|Segmind Vega*|KOALA*",
      { "CLIP-L *|LongCLIP-L *|OpenCLIP-L *", "OpenCLIP-G *|CLIP-G *" },
      "SD VAE",
      true,
      "stable-diffusion-xl*" },
    { "SD 1.*", { "CLIP-L *|LongCLIP-L *|OpenCLIP-L *" }, "SD VAE", false, "stable-diffusion-v1*" },
    { "SD 2.*|Lotus*", { "OpenCLIP-H *|CLIP-H *" }, "SD VAE", false, "stable-diffusion-v2*" },
    { "SD x4 upscaler*", { "OpenCLIP-H *|CLIP-H *" }, "LDM VAE of 3 levels", false, NULL },
    { "*Kolors*", { "*GLM*|*glm*" }, "SD VAE", false, NULL },
    { "SVD*|SV3D*", { NULL }, "SVD VAE|SD VAE", false, "stable-video-diffusion*" },
    { "Stable Diffusion 3*",
      { "CLIP-L *|LongCLIP-L *", "CLIP-G *|OpenCLIP-G *", "T5-XXL *" },
      "SD3 or FLUX.1 VAE",
      false,
      "stable-diffusion-3*|stable-diffusion-v3*" },
    { "FLUX.1*",
      { "CLIP-L *|LongCLIP-L *|OpenCLIP-L *", "T5-XXL *" },
      "SD3 or FLUX.1 VAE",
      false,
      "flux-1*|flux.1*" },
    { "Chroma Radiance*", { "T5-XXL *", "CLIP-L *|LongCLIP-L *" }, NULL, false, NULL }, /* of pixels */
    { "Chroma", { "T5-XXL *", "CLIP-L *|LongCLIP-L *" }, "SD3 or FLUX.1 VAE", false, NULL },
    { "FLUX.2*", { "Mistral *|*Qwen3 *" }, "FLUX.2 VAE", false, "flux-2*|flux.2*" },
    { "HiDream*",
      { "CLIP-L *|LongCLIP-L *", "CLIP-G *|OpenCLIP-G *", "T5-XXL *", "*Llama 3 8B*" },
      "SD3 or FLUX.1 VAE",
      false,
      NULL },
    { "AuraFlow", { "UMT5-XL *|T5-XL *" }, "SD VAE", false, NULL },
    { "HunyuanDiT*", { "*bert*|*Bert*|*BERT*", "UMT5-XL *|T5-XL *" }, "SD VAE", false, NULL },
    { "Sana*", { "*Gemma 2 2B*" }, "DC-AE f32c32*", false, NULL },
    { "Cosmos-Predict1*", { "T5-11B *" }, "Cosmos 1 VAE", false, NULL },
    { "Cosmos-Predict2*", { "T5-11B *" }, "Wan 2.1 VAE", false, NULL },
    { "Wan 2.2 TI2V*", { "UMT5-XXL *" }, "Wan 2.2 VAE", false, NULL },
    { "Wan *|HuMo*", { "UMT5-XXL *" }, "Wan 2.1 VAE", false, NULL },
    { "Qwen-Image 2.1*",
      { NULL },
      NULL,
      false,
      NULL }, /* reads another than its forerunners, and nobody has told which */
    { "Qwen-Image*", { "*Qwen2.5-VL *" }, "Wan 2.1 VAE|Qwen-Image-Layered VAE", false, "qwen-image*" },
    { "OmniGen2", { "*Qwen2.5-VL *" }, "SD3 or FLUX.1 VAE", false, NULL },
    { "Lumina-Image 2.0", { "*Gemma 2 2B*" }, "SD3 or FLUX.1 VAE", false, "lumina-2*" },
    { "NewBie", { "*Gemma 3 4B*", "*ina*|*oberta*" }, "SD3 or FLUX.1 VAE", false, NULL },
    { "Z-Image*", { "*Qwen3 4B*" }, "SD3 or FLUX.1 VAE", false, NULL },
    { "Ovis-Image*", { "*Qwen3 1.7B*" }, "SD3 or FLUX.1 VAE", false, NULL },
    { "PixArt*", { "T5-XXL *" }, "SD VAE", false, NULL },
    { "LTX-Video*", { "T5-XXL *" }, "LTX-Video * VAE", false, NULL },
    { "LTX-2*", { "*Gemma 3 12B*" }, "LTX-2 VAE", false, NULL },
    { "Mochi*", { "T5-XXL *" }, "Mochi VAE*", false, NULL },
    { "HunyuanVideo 1.5*",
      { "*Qwen2.5-VL 7B*", "ByT5-small *" },
      "HunyuanVideo 1.5 VAE|TAEHV 1.5",
      false,
      NULL },
    { "HunyuanImage 2.1 refiner*",
      { "*Qwen2.5-VL 7B*", "ByT5-small *" },
      "HunyuanImage 2.1 refiner VAE",
      false,
      NULL },
    { "HunyuanImage 2.1*",
      { "*Qwen2.5-VL 7B*", "ByT5-small *" },
      "HunyuanImage 2.1 VAE",
      false,
      "hunyuan-image-2.1*" },
    { "HunyuanVideo T2V|HunyuanVideo I2V|SkyReels V1*",
      { "*Llama 3 8B*", "CLIP-L *" },
      "HunyuanVideo VAE",
      false,
      "hunyuan-video*" },
    { "Hunyuan3D 2|Hunyuan3D 2 *", { NULL }, "Hunyuan3D 2 VAE", false, NULL },
    { "Stable Audio*", { "T5-base *" }, "Stable Audio VAE", false, NULL },
    { "ACE-Step*", { "UMT5-base *" }, NULL, false, NULL },
    { "Stable Cascade*", { "CLIP-G *|OpenCLIP-G *" }, "Stable Cascade*", false, NULL },
};

/* Is it called like one of the patterns? */
static bool is_like(const char *patterns, const char *called)
{
    for (numel_str rest = text_of(patterns); rest.n;) {
        char one[TEXT_QUOTE];
        struct fixed glob = FIXED(one);
        fixed_add(&glob, text_cut(&rest, '|'));
        if (text_glob(one, text_of(called))) return true;
    }
    return false;
}

/* One that counts, is a model, and has a name. */
static bool is_kind(const struct component *x, enum single_kind kind)
{
    return x->part && x->counted && x->part->kind == kind && x->state == COMPONENT_WEIGHTS && !x->row.error &&
           x->row.state < NUMEL_STATE_DISAGREES && x->row.architecture;
}

static const struct family *family_of(const struct components *c, struct component **model)
{
    for (size_t i = 0; i < c->count; i++) {
        *model = &c->items[i];
        for (size_t k = 0; is_kind(*model, SINGLE_DIFFUSION) && k < sizeof families / sizeof *families; k++)
            if (is_like(families[k].model, (*model)->row.architecture)) return &families[k];
    }
    return NULL;
}

/* Which of the family's text encoders it is; TEXTS: none. */
static size_t text_at(const struct family *f, const char *called)
{
    for (size_t i = 0; i < TEXTS && f->texts[i]; i++)
        if (is_like(f->texts[i], called)) return i;
    return TEXTS;
}

NUMEL_MUST static bool hold_text(const struct family *f, const char *model, struct component *x,
                                 struct component *taken[TEXTS], struct arena *a, numel_error *e)
{
    size_t at = text_at(f, x->row.architecture);
    if (at == TEXTS) x->off = arena_format(a, "%s does not read it", model);
    else if (taken[at]) x->off = arena_format(a, "%s reads one of this kind", model);
    else return taken[at] = x, true;
    return x->off || error_nomem(e);
}

/* One of two that are read together is of no use. */
NUMEL_MUST static bool hold_whole(const struct family *f, const char *model, struct component *taken[TEXTS],
                                  struct arena *a, numel_error *e)
{
    struct component *one = NULL;
    bool all = true;
    for (size_t i = 0; i < TEXTS && f->texts[i]; i++) {
        all &= taken[i] != NULL;
        if (taken[i]) one = taken[i];
    }
    if (!f->whole || all || !one) return true;
    one->off = arena_format(a, "%s reads another beside it, which is not there", model);
    return one->off || error_nomem(e);
}

/* What the file says of itself, in small letters; NULL: nothing, or no memory. */
static const char *said_of(const struct components *c, struct arena *a)
{
    const struct metadata_entry *x = metadata_find(&c->parts->whole->metadata, "modelspec.architecture");
    char *own = x && x->type == META_STRING ? arena_text(a, x->value.s.p, x->value.s.n) : NULL;
    for (char *p = own; p && *p; p++)
        if (*p >= 'A' && *p <= 'Z') *p = (char)(*p - 'A' + 'a');
    return own;
}

/* It must not say that it is of another family than its tensors show. */
NUMEL_MUST static bool hold_said(const struct components *c, const struct family *f, struct component *model,
                                 struct arena *a, numel_error *e)
{
    const char *said = f->said ? said_of(c, a) : NULL;
    size_t k = 0, count = sizeof families / sizeof *families;
    char name[TEXT_QUOTE];
    if (a->failed) return error_nomem(e);
    while (said && k < count && !(families[k].said && is_like(families[k].said, said))) k++;
    if (!said || k == count || &families[k] == f) return true;
    model->off = arena_format(a, "modelspec.architecture is %s, and this is %s",
                              text_quote(name, text_of(said)), model->row.architecture);
    return model->off || error_nomem(e);
}

bool components_serve(struct components *c, struct arena *a, numel_error *e)
{
    struct component *model;
    const struct family *f = c->parts ? family_of(c, &model) : NULL;
    struct component *taken[TEXTS] = { NULL };
    if (f && !hold_said(c, f, model, a, e)) return false;
    for (size_t i = 0; f && i < c->count; i++) {
        struct component *x = &c->items[i];
        if (f->texts[0] && is_kind(x, SINGLE_TEXT) && !hold_text(f, model->row.architecture, x, taken, a, e))
            return false;
        if (!f->vae || !is_kind(x, SINGLE_VAE) || is_like(f->vae, x->row.architecture)) continue;
        x->off = arena_format(a, "not the autoencoder of %s", model->row.architecture);
        if (!x->off) return error_nomem(e);
    }
    return !f || hold_whole(f, model->row.architecture, taken, a, e);
}
