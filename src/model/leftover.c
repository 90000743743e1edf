/*
 * leftover.c -- tensors that no spec expects, told by their names. Tables only: adding a kind is
 * adding a row. (architectures.md sections 6.2 to 6.4; safetensors.md section 5.)
 */
#include "model/match.h"

#include "model/model.h"

#include "registry/dtype.h"

#include <stdio.h>

/* Sidecars of packed weights: scales, zero points, shapes, index lists. */
/* clang-format off */
static const char *const sidecars[] = {
    ".weight_scale", ".weight_scale_inv", "_scale_inv", ".weight_scale_2", ".weight_global_scale",
    ".weight_zero_point", ".weight_shape", ".weight_g_idx", ".input_scale", ".input_global_scale",
    ".input_zero_point", ".output_scale", ".zero_point", ".qzeros", ".g_idx", ".scales", "_scales",
    ".absmax", ".quant_map", ".nested_absmax", ".nested_quant_map", ".SCB", ".weight_format",
    ".quant_state.bitsandbytes__nf4", ".quant_state.bitsandbytes__fp4", ".k_scale", ".v_scale",
    ".q_scale", ".pre_quant_scale", ".scale_weight", ".scale_input", ".comfy_quant", "scaled_fp8",
    ".codebooks", ".weight_scale_1", "_weight_scale", "_weight_scale_2", "_input_scale",
    ".weight_scales", ".scale", ".zero", ".biases", ".perm", ".workspace", ".lut", ".suh", ".svh",
    ".q_scale_max", ".q_groups", ".q_invperm", ".q_group_map", ".nbits", ".group_size", ".axis",
    ".row_offsets", ".bitmask", ".shape", ".packing", ".view_as_float", ".unpack_view_dtype",
};
/* clang-format on */

/* Ends that a packed weight has in place of ".weight", and whether each value takes the same whole
 * number of bits in it. */
/* clang-format off */
static const struct {
    const char *end;
    bool even;
} packed[] = {
    { ".qweight", true },    { ".weight_packed", true }, { ".W_q", false },     { ".codes", false },
    { ".compressed", false }, { ".q_weight", false },    { ".trellis", false }, { ".B", true },
};
/* clang-format on */

struct pattern {
    const char *glob;
    enum cause cause;
};

/* clang-format off */
static const struct pattern patterns[] = {
    { "*.lora_[AB].*", CAUSE_LORA },      { "*.lora_[ab]", CAUSE_LORA },
    { "*lora_embedding_[AB]*", CAUSE_LORA }, { "*lora_magnitude_vector*", CAUSE_LORA },
    { "*.lora_[AB]", CAUSE_LORA },        { "*.modules_to_save.*", CAUSE_LORA },
    { "rope_freqs.weight", CAUSE_ROPE },  { "rope_factors_*.weight", CAUSE_ROPE },
    { "*rotary_emb.inv_freq", CAUSE_LEFTOVER }, { "*.inv_freq", CAUSE_LEFTOVER },
    { "*.attn.bias", CAUSE_LEFTOVER },    { "*.attn.masked_bias", CAUSE_LEFTOVER },
    { "*.attention.bias", CAUSE_LEFTOVER }, { "*.attention.masked_bias", CAUSE_LEFTOVER },
    { "*.attn.attention.bias", CAUSE_LEFTOVER }, { "*position_ids", CAUSE_LEFTOVER },
    { "*.masked_bias", CAUSE_LEFTOVER },  { "*.cos_cached", CAUSE_LEFTOVER },
    { "*.sin_cached", CAUSE_LEFTOVER },   { "*token_type_ids", CAUSE_LEFTOVER },
    { "*.version", CAUSE_LEFTOVER },      { "*EncDecAttention.relative_attention_bias.weight", CAUSE_LEFTOVER },
    { "*e_score_correction_bias", CAUSE_BUFFER }, { "*running_mean", CAUSE_BUFFER },
    { "*running_var", CAUSE_BUFFER },     { "*num_batches_tracked", CAUSE_BUFFER },
    { "*relative_position_index", CAUSE_BUFFER }, { "*final_logits_bias", CAUSE_BUFFER },
    { "*exp_probs_b.bias", CAUSE_BUFFER },
    { "mtp.*", CAUSE_EXTRA },             { "model.mtp.*", CAUSE_EXTRA },
    { "mtp_*", CAUSE_EXTRA },             { "*.nextn.*", CAUSE_EXTRA },
    { "model.mtp_*", CAUSE_EXTRA },
    { "visual.*", CAUSE_TOWER },          { "model.visual.*", CAUSE_TOWER },
    { "vision_tower.*", CAUSE_TOWER },    { "model.vision_tower.*", CAUSE_TOWER },
    { "vision_model.*", CAUSE_TOWER },    { "vision_encoder.*", CAUSE_TOWER },
    { "model.vision_*", CAUSE_TOWER },    { "*multi_modal_projector.*", CAUSE_TOWER },
    { "mm_projector.*", CAUSE_TOWER },    { "audio_tower.*", CAUSE_TOWER },
    { "model.audio_*", CAUSE_TOWER },     { "*image_newline", CAUSE_TOWER },
    { "v.*", CAUSE_TOWER },               { "a.*", CAUSE_TOWER },
    { "mm.*", CAUSE_TOWER },              { "*vision_embed_tokens.*", CAUSE_TOWER },
    { "score.weight", CAUSE_HEAD },       { "score.bias", CAUSE_HEAD },
    { "classifier.*", CAUSE_HEAD },       { "qa_outputs.*", CAUSE_HEAD },
    { "cls.*", CAUSE_HEAD },              { "pooler.*", CAUSE_HEAD },
    { "*.pooler.*", CAUSE_HEAD },         { "v_head.*", CAUSE_HEAD },
    { "lm_head.*", CAUSE_HEAD },          { "classification_head.*", CAUSE_HEAD },
    { "qa_classifier.*", CAUSE_HEAD },    { "vocab_*", CAUSE_HEAD },
    { "discriminator_predictions.*", CAUSE_HEAD }, { "generator_*", CAUSE_HEAD },
};
/* clang-format on */

#define ROWS(t) (sizeof(t) / sizeof *(t))

/* Does the name end like a scale, a zero point, ... that belongs to a packed weight? */
static bool is_sidecar(numel_str name)
{
    for (size_t i = 0; i < ROWS(sidecars); i++)
        if (text_ends(name, sidecars[i])) return true;
    return false;
}

/* "P.end" for "P.weight". */
static uint32_t find_instead(struct match *m, numel_str stem, const char *end)
{
    char name[512];
    if (stem.n > 400) return NAMES_ABSENT;
    memcpy(name, stem.p, stem.n);
    memcpy(name + stem.n, end, strlen(end) + 1);
    return naming_find(&m->model->naming, text_of(name));
}

bool leftover_has_sidecar(struct match *m, numel_str name)
{
    numel_str stem = { name.p, text_ends(name, ".weight") ? name.n - 7 : name.n };
    for (size_t i = 0; i < ROWS(sidecars); i++)
        if (find_instead(m, sidecars[i][0] == '_' ? name : stem, sidecars[i]) != NAMES_ABSENT) return true;
    return false;
}

uint32_t leftover_packed(struct match *m, numel_str expected, bool *even)
{
    bool weight = text_ends(expected, ".weight");
    numel_str stem = { expected.p, weight ? expected.n - 7 : expected.n };
    uint32_t t = weight ? NAMES_ABSENT : find_instead(m, stem, "_blocks"); /* gpt-oss */
    *even = true;
    for (size_t i = 0; weight && t == NAMES_ABSENT && i < ROWS(packed); i++) {
        t = find_instead(m, stem, packed[i].end);
        *even = packed[i].even;
    }
    return t;
}

/* A bias that a GPTQ writer puts beside each packed weight, though the model has none. */
static bool quantizer_bias(const struct match *m, numel_str name)
{
    char text[512];
    if (!text_ends(name, ".bias")) return false;
    numel_str weight = text_join(text, sizeof text, (numel_str){ name.p, name.n - 5 }, text_of(".qweight"),
                                 (numel_str){ NULL, 0 });
    return weight.p && registry_find(&m->model->ck->registry, weight) != NULL;
}

/* The site of the name with its number at `at` replaced; NULL when the spec expects no such name. */
static const struct site *renumbered(struct match *m, numel_str name, size_t at, size_t digits,
                                     int64_t number)
{
    char full[600], middle[TEXT_NUMBER];
    snprintf(middle, sizeof middle, "%" PRId64, number);
    numel_str other = text_join(full, sizeof full, (numel_str){ name.p, at }, text_of(middle),
                                (numel_str){ name.p + at + digits, name.n - at - digits });
    uint32_t t = other.p ? naming_find(&m->model->naming, other) : NAMES_ABSENT;
    uint32_t row = t == NAMES_ABSENT ? NAMES_ABSENT : m->tensors[t].row;
    if (row == NAMES_ABSENT && t != NAMES_ABSENT) row = m->packed.tensors[t].row;
    return row < m->model->x->row_count ? &m->model->x->sites[m->model->x->rows[row].site] : NULL;
}

/* A number beyond the configuration's, in a name that with a lower one is expected: the first of
 * the name is that of a layer, a later one that of an expert. */
static enum cause beyond(struct match *m, numel_str name)
{
    bool first = true;
    for (size_t i = 0; i < name.n; i++) {
        size_t digits = 0;
        int64_t v = 0;
        if (i > 0 && name.p[i - 1] != '.') continue;
        while (i + digits < name.n && digits < 9 && name.p[i + digits] >= '0' && name.p[i + digits] <= '9')
            v = v * 10 + (name.p[i + digits++] - '0');
        if (digits == 0) continue;
        if (first && v >= m->layers)
            return renumbered(m, name, i, digits, m->layers - 1) || renumbered(m, name, i, digits, 0)
                       ? CAUSE_EXTRA_LAYER
                       : CAUSE_UNKNOWN;
        const struct site *s = first ? NULL : renumbered(m, name, i, digits, 0);
        if (s && s->rows > 1 && v >= (int64_t)s->rows) return CAUSE_EXTRA_EXPERT;
        first = false;
    }
    return CAUSE_UNKNOWN;
}

/* llama.cpp has one scale beside the weight of a linear map, "P.scale", and one of its input, one an
 * expert where they are stacked. It loads no other. */
static bool is_gguf_scale(struct match *m, const numel_tensor *t)
{
    size_t end = text_ends(t->name, ".input_scale") ? 12 : text_ends(t->name, ".scale") ? 6 : 0;
    if (m->model->side != SIDE_GGUF || end == 0) return false;
    uint32_t weight = find_instead(m, (numel_str){ t->name.p, t->name.n - end }, ".weight");
    if (weight == NAMES_ABSENT || m->tensors[weight].row == NAMES_ABSENT) return false;
    const struct site *s = &m->model->x->sites[m->model->x->rows[m->tensors[weight].row].site];
    bool scaled = s->part == PART_WEIGHT && (s->kind == TENSOR_LIN || s->stacked);
    return scaled && t->elements == (s->stacked ? s->stack : 1) && t->ndim <= 1 &&
           dtype_kind(t->dtype) == DTYPE_FLOAT;
}

enum cause leftover_cause(struct match *m, const numel_tensor *t, enum ground *ground)
{
    numel_str name = t->name;
    *ground = GROUND_NAME;
    if (t->flags & NUMEL_REPEATED) return CAUSE_REPEATED;
    if (is_gguf_scale(m, t)) {
        *ground = GROUND_SHAPE;
        return CAUSE_SIDECAR;
    }
    /* what layouts have not claimed belongs to no weight */
    bool layouts = m->packed.described || (m->packed.modules && !m->named);
    if (!layouts && quantizer_bias(m, name)) return CAUSE_QUANT_BIAS;
    if (!layouts && m->quantized && is_sidecar(name)) return CAUSE_SIDECAR;
    enum cause c = m->layers > 0 ? beyond(m, name) : CAUSE_UNKNOWN;
    if (c != CAUSE_UNKNOWN) return c;
    for (size_t i = 0; i < ROWS(patterns); i++)
        if (text_glob(patterns[i].glob, name)) return patterns[i].cause;
    *ground = GROUND_NONE;
    return CAUSE_UNKNOWN;
}
