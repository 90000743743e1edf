/* single_table.c -- see single_table.h. Sources: the loaders of ComfyUI, A1111 and diffusers, and the files themselves. */
#include "components/single_table.h"

#include "base/text.h"
#include "formula/layout.h"

#include <string.h>

static const char inner[] = "transformer. model. open_clip.model. encoder.";

static const struct single_prefix prefixes[] = {
    { "model.diffusion_model.video_embeddings_connector.", "", SINGLE_OTHER, "video_connector", false, true,
      false, NULL }, /* LTX-2 */
    { "model.diffusion_model.audio_embeddings_connector.", "", SINGLE_OTHER, "audio_connector", false, true,
      false, NULL },
    { "text_embedding_projection.", "", SINGLE_OTHER, "text_projection", false, false, false, NULL },
    { "model.diffusion_model.", "", SINGLE_DIFFUSION, "diffusion_model", false, true, false, NULL },
    { "diffusion_model.", "", SINGLE_DIFFUSION, "diffusion_model", false, false, false, NULL },
    { "model.model.", "", SINGLE_DIFFUSION, "diffusion_model", false, true, false,
      "model.model.to_timestep_embed.0.weight" }, /* Stable Audio */
    { "model.model.", "", SINGLE_DIFFUSION, "diffusion_model", false, true, false,
      "model.model.txt_in.input_embedder.weight" }, /* HunyuanVideo and HunyuanImage, saved by ComfyUI */
    { "model.", "", SINGLE_DIFFUSION, "diffusion_model", false, true, false,
      "model.text_embedding_padding" }, /* HunyuanDiT */
    { "model.", "", SINGLE_DIFFUSION, "diffusion_model", false, true, false,
      "model.latent_in.weight" }, /* Hunyuan3D 2 */
    { "model.", "", SINGLE_DIFFUSION, "diffusion_model", false, true, false,
      "model.blocks.0.attn2.q_norm.weight" }, /* and 2.1 */
    { "model.", "", SINGLE_DIFFUSION, "diffusion_model", false, true, false,
      "model.cond_seq_linear.weight" },                                             /* AuraFlow */
    { "net.", "", SINGLE_DIFFUSION, "diffusion_model", false, false, false, NULL }, /* Cosmos */
    { "model_ema.", "", SINGLE_EMA, "diffusion_model", false, true, false, NULL },
    { "first_stage_model.", "", SINGLE_VAE, "vae", false, true, false, NULL },
    { "vae.", "", SINGLE_VAE, "vae", false, false, false, NULL },
    { "pretransform.model.", "", SINGLE_VAE, "vae", false, true, false, NULL }, /* Stable Audio */
    { "conditioner.conditioners.", "", SINGLE_OTHER, "conditioner", false, true, false, NULL },
    { "conditioner.main_image_encoder.model.", "", SINGLE_IMAGE, "image_encoder", false, true, false,
      NULL }, /* Hunyuan3D */
    { "audio_vae.", "", SINGLE_OTHER, "audio_vae", false, false, false, NULL },
    { "vocoder.", "", SINGLE_OTHER, "vocoder", false, false, false, NULL },
    { "cond_stage_model.1.", inner, SINGLE_TEXT, "text_encoder", false, true, false,
      NULL }, /* stable-diffusion.cpp, of SDXL */
    { "cond_stage_model.", inner, SINGLE_TEXT, "text_encoder", false, true, false, NULL },
    { "conditioner.embedders.", "open_clip.model.", SINGLE_IMAGE, "image_encoder", true, true, true,
      NULL }, /* SVD */
    { "conditioner.embedders.", "encoder.", SINGLE_OTHER, "first_frame_vae", true, true, true, NULL },
    { "conditioner.embedders.", inner, SINGLE_TEXT, "text_encoder", true, true, false, NULL },
    { "text_encoders.", inner, SINGLE_TEXT, "", true, true, false, NULL },
    { "text_encoder.", inner, SINGLE_TEXT, "", true, false, false, NULL }, /* Stable Cascade */
    { "clip_l_vision.", "", SINGLE_IMAGE, "image_encoder", false, false, false, NULL },
    { "control_model.", "", SINGLE_OTHER, "controlnet", false, true, false, NULL },
    { "embedder.", inner, SINGLE_IMAGE, "image_encoder", false, false, false, NULL },
    { "cc_projection.", "", SINGLE_OTHER, "cc_projection", false, false, false, NULL }, /* Zero123 */
    { "noise_augmentor.", "", SINGLE_OTHER, "noise_augmentor", false, false, false, NULL },
    { "low_scale_model.", "", SINGLE_OTHER, "low_scale_model", false, false, false, NULL },
    { "depth_model.", "", SINGLE_OTHER, "depth_model", false, false, false, NULL },
};

/* The part that tells components apart, with its dot; false: there is none. */
static bool cut_key(numel_str *rest, numel_str *key)
{
    size_t dot = text_find(*rest, 0, '.');
    if (dot == 0 || dot == rest->n) return false;
    *key = text_cut(rest, '.');
    return true;
}

/* Is one of the words there? Then it goes. */
static bool cut_inner(numel_str *rest, const char *words)
{
    numel_str list = text_of(words);
    for (numel_str word = text_word(&list); word.n; word = text_word(&list)) {
        if (rest->n <= word.n || memcmp(rest->p, word.p, word.n) != 0) continue;
        *rest = text_from(*rest, word.n);
        return true;
    }
    return false;
}

const struct single_prefix *single_prefix_of(const struct registry *file, numel_str name, numel_str *key,
                                             numel_str *bare)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const struct single_prefix *p = &prefixes[i];
        size_t n = strlen(p->prefix);
        if (name.n <= n || memcmp(name.p, p->prefix, n) != 0) continue;
        if (p->needs && !registry_find(file, text_of(p->needs))) continue;
        *bare = text_from(name, n);
        *key = (numel_str){ name.p, 0 };
        if (p->segment && !cut_key(bare, key)) return NULL;
        if (!cut_inner(bare, p->inner) && p->told) continue;
        return bare->n ? p : NULL;
    }
    return NULL;
}

/* ---- beside them -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum single_beside_kind kind;
} beside[] = {
    { "betas", BESIDE_SCHEDULE },
    { "alphas_cumprod", BESIDE_SCHEDULE },
    { "alphas_cumprod_prev", BESIDE_SCHEDULE },
    { "sqrt_alphas_cumprod", BESIDE_SCHEDULE },
    { "sqrt_one_minus_alphas_cumprod", BESIDE_SCHEDULE },
    { "log_one_minus_alphas_cumprod", BESIDE_SCHEDULE },
    { "sqrt_recip_alphas_cumprod", BESIDE_SCHEDULE },
    { "sqrt_recipm1_alphas_cumprod", BESIDE_SCHEDULE },
    { "posterior_variance", BESIDE_SCHEDULE },
    { "posterior_log_variance_clipped", BESIDE_SCHEDULE },
    { "posterior_mean_coef1", BESIDE_SCHEDULE },
    { "posterior_mean_coef2", BESIDE_SCHEDULE },
    { "lvlb_weights", BESIDE_SCHEDULE },
    { "logvar", BESIDE_SCHEDULE },
    { "denoiser.sigmas", BESIDE_SCHEDULE },
    { "model_ema.decay", BESIDE_NUMBER },
    { "model_ema.num_updates", BESIDE_NUMBER },
    { "scale_factor", BESIDE_NUMBER },
    { "edm_vpred.sigma_max", BESIDE_NUMBER },
    { "edm_vpred.sigma_min", BESIDE_NUMBER },
    { "v_pred", BESIDE_MARKER },
    { "ztsnr", BESIDE_MARKER },
    { "edm_mean", BESIDE_LATENT },
    { "edm_std", BESIDE_LATENT },
};

enum single_beside_kind single_beside_kind(numel_str name)
{
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        if (text_equal(name, beside[i].name)) return beside[i].kind;
    return BESIDE_NOTHING;
}

static bool is_float(const numel_tensor *t) { return layout_type_fits(text_of("float"), t->dtype->name); }

bool single_beside(const numel_tensor *t, uint64_t steps)
{
    bool one = t->elements == 1 && t->ndim <= 1;
    switch (single_beside_kind(t->name)) {
    case BESIDE_SCHEDULE: return t->ndim == 1 && t->dims[0] == steps && is_float(t);
    case BESIDE_NUMBER: return one;
    case BESIDE_MARKER: return one || (t->ndim == 1 && t->elements == 0);
    case BESIDE_LATENT: return t->ndim == 4 && t->dims[1] == t->elements && t->elements == 4 && is_float(t);
    default: return false;
    }
}
