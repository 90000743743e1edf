/*
 * identify_kinds.c -- see identify_kinds.h. The first matching row counts. `family` is the folder of the
 * specification, `pattern` matches class names.
 */
#include "reporter/identify_kinds.h"

#include "base/text.h"

#include <string.h>

static const struct {
    const char *family, *pattern, *kind; /* NULL: any */
} kinds[] = {
    { "diffusion", "*ControlNet*", "ControlNet" },
    { "diffusion", "*Autoencoder*", "VAE" },
    { "diffusion", "*V[Aa][Ee]*", "VAE" },
    { "diffusion", "*VQModel", "VAE" },
    { "diffusion", "T2IAdapter", "T2I-adapter" },
    { "diffusion", "MotionAdapter", "motion module" },
    { "diffusion", "*Upsampler*", "upscaler" },
    { "diffusion", "*Vocoder*", "vocoder" },
    { "diffusion", "*Tokenizer", "audio tokenizer" },
    { "diffusion", "*ImageEncoder", "image encoder" },
    { "diffusion", "*Projection*", "pipeline component" },
    { "diffusion", "*Proj*", "pipeline component" },
    { "diffusion", "*Conditioner", "pipeline component" },
    { "diffusion", "*Encoder", "pipeline component" },
    { "diffusion", "*Detokenizer", "pipeline component" },
    { "diffusion", "*TextDecoder", "pipeline component" },
    { "diffusion", "*Connectors", "pipeline component" },
    { "diffusion", "*Embed*", "pipeline component" },
    { "diffusion", "*Normalizer", "pipeline component" },
    { "diffusion", "*Head", "pipeline component" },
    { "diffusion", NULL, "diffusion model" },
    { "timm", NULL, "timm image model" },
    { "sentence", NULL, "module of sentence-transformers" },
    { "vision", "*TextModel*", "text encoder" },
    { "vision", "*Vision*", "image encoder" },
    { "vision", NULL, "vision model" },
    { "audio", "*Informer*", "time series model" },
    { "audio", "Autoformer*", "time series model" },
    { "audio", "PatchTS*", "time series model" },
    { "audio", "Time*", "time series model" },
    { "audio", "TinyTime*", "time series model" },
    { "audio", "DecisionTransformer*", "decision model" },
    { "audio", NULL, "audio model" },
    { "multimodal", "clip", "projector (mmproj)" },
    { "multimodal", "*Vision*", "image encoder" },
    { "multimodal", NULL, "multimodal model" },
    { NULL, "*VisionModel*", "image encoder" },
    { NULL, "*EncoderModel", "text encoder" },
    { "bert", "*ForCausalLM", "language model" },
    { "bert", "*LMHeadModel", "language model" },
    { "bert", NULL, "text encoder" },
    { "seq2seq", NULL, "encoder-decoder model" },
    { NULL, "*ForConditionalGeneration", "multimodal model" },
};

const char *identify_kind(const char *family, numel_str class)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bool known = !kinds[i].family || (family && strcmp(kinds[i].family, family) == 0);
        if (known && (!kinds[i].pattern || text_glob(kinds[i].pattern, class))) return kinds[i].kind;
    }
    return "language model";
}
