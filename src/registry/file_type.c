/*
 * file_type.c -- llama-quantize's recipes as tables (llama.cpp, src/llama-quant.cpp).
 *
 * A recipe has a type for most matrices and other types for some parts of a layer. Which of these applies
 * depends on the layer and on an importance matrix, and is not checked here. If a row is not a whole number
 * of blocks, a stand-in replaces the type. Some matrices keep their type: `copied_*` are words in their
 * names.
 */
#include "registry/file_type.h"

#include "registry/dtype.h"
#include "base/text.h"

#include <string.h>

/* clang-format off */
static const struct file_type types[] = {
    { 0, "F32", "F32" },           { 1, "F16", "F16" },           { 2, "Q4_0", "Q4_0" },
    { 3, "Q4_1", "Q4_1" },         { 7, "Q8_0", "Q8_0" },         { 8, "Q5_0", "Q5_0" },
    { 9, "Q5_1", "Q5_1" },         { 10, "Q2_K", "Q2_K" },        { 11, "Q3_K_S", "Q3_K" },
    { 12, "Q3_K_M", "Q3_K" },      { 13, "Q3_K_L", "Q3_K" },      { 14, "Q4_K_S", "Q4_K" },
    { 15, "Q4_K_M", "Q4_K" },      { 16, "Q5_K_S", "Q5_K" },      { 17, "Q5_K_M", "Q5_K" },
    { 18, "Q6_K", "Q6_K" },        { 19, "IQ2_XXS", "IQ2_XXS" },  { 20, "IQ2_XS", "IQ2_XS" },
    { 21, "Q2_K_S", "Q2_K" },      { 22, "IQ3_XS", "IQ3_S" },     { 23, "IQ3_XXS", "IQ3_XXS" },
    { 24, "IQ1_S", "IQ1_S" },      { 25, "IQ4_NL", "IQ4_NL" },    { 26, "IQ3_S", "IQ3_S" },
    { 27, "IQ3_M", "IQ3_S" },      { 28, "IQ2_S", "IQ2_XS" },     { 29, "IQ2_M", "IQ2_S" },
    { 30, "IQ4_XS", "IQ4_XS" },    { 31, "IQ1_M", "IQ1_M" },      { 32, "BF16", "BF16" },
    { 33, "Q4_0_4_4", "Q4_0_4_4" }, { 34, "Q4_0_4_8", "Q4_0_4_8" }, { 35, "Q4_0_8_8", "Q4_0_8_8" },
    { 36, "TQ1_0", "TQ1_0" },      { 37, "TQ2_0", "TQ2_0" },      { 38, "MXFP4_MOE", "MXFP4" },
    { 39, "NVFP4", "NVFP4" },      { 40, "Q1_0", "Q1_0" },        { 41, "Q2_0", "Q2_0" },
};

/* The parts of a layer that recipes distinguish; V includes fused q, k and v, and kv_b. */
enum { V = 1, K = 2, Q = 4, O = 8, DOWN = 16, UP = 32, GATE = 64, REST = 128, ALL = 255 };

/* A matrix's part, by the first word found in its name. */
static const struct { const char *word; unsigned part; } parts[] = {
    { "attn_qkv.weight", V },  { "attn_kv_b.weight", V }, { "attn_v.weight", V },
    { "attn_k.weight", K },    { "attn_q.weight", Q },    { "attn_output.weight", O },
    { "ffn_up", UP },          { "ffn_gate", GATE },      { "ffn_down", DOWN },
};

/* Types that a recipe gives some parts, apart from its main type. */
static const struct { unsigned id, parts; const char *type; } mixes[] = {
    { 2, DOWN, "Q4_1" },       { 8, DOWN, "Q5_1" },
    { 10, V | DOWN | O, "Q3_K" }, { 10, V, "Q4_K" },      { 10, V, "Q5_K" },
    { 21, V | DOWN, "Q4_K" },  { 21, V, "Q5_K" },
    { 11, V, "Q5_K" },
    { 12, V | DOWN | O, "Q4_K" }, { 12, V | DOWN, "Q5_K" },
    { 13, V | DOWN | O, "Q5_K" }, { 13, V | DOWN | O, "Q4_K" },
    { 14, V | DOWN, "Q5_K" },
    { 15, V | DOWN, "Q6_K" },  { 15, V | DOWN, "Q5_K" },
    { 17, V | DOWN, "Q6_K" },
    { 19, V | DOWN, "Q2_K" },  { 19, V, "Q4_K" },
    { 20, V | DOWN, "Q2_K" },  { 20, V, "Q4_K" },
    { 24, V | DOWN, "Q2_K" },  { 24, V, "Q4_K" },         { 24, O, "IQ2_XXS" },
    { 31, V | DOWN, "Q2_K" },  { 31, V, "Q4_K" },         { 31, O, "IQ2_XXS" },
    { 28, V | DOWN | O, "IQ3_S" }, { 28, V, "Q4_K" },
    { 29, V | DOWN | O, "IQ3_S" }, { 29, V, "Q4_K" },
    { 22, K | Q | UP | GATE, "IQ3_XXS" }, { 22, V, "Q4_K" }, { 22, V, "Q5_K" },
    { 23, K | Q, "IQ2_S" },    { 23, V | O, "IQ3_S" },    { 23, V | DOWN, "Q4_K" },
    { 23, DOWN, "Q3_K" },      { 23, V, "Q5_K" },
    { 26, V, "Q4_K" },         { 26, V, "Q5_K" },
    { 27, V | DOWN | O, "Q4_K" }, { 27, V, "Q5_K" },
    { 25, V | DOWN, "Q5_K" },  { 30, V | DOWN, "Q5_K" },
    { 38, ALL, "Q8_0" },
};

/* For models with eight experts per layer. */
static const struct { unsigned part; const char *type; } of_eight[] = {
    { V | K, "Q8_0" }, { K, "Q4_K" }, { O, "Q5_K" },
};

/* Stand-ins for types if a row is not a whole number of blocks. Older versions used IQ4_NL for all types
 * up to Q3_K. */
static const struct { const char *type, *instead; } fallbacks[] = {
    { "IQ1_S", "IQ4_NL" },   { "IQ1_M", "IQ4_NL" },   { "IQ2_XXS", "IQ4_NL" }, { "IQ2_XS", "IQ4_NL" },
    { "IQ2_S", "IQ4_NL" },   { "IQ3_XXS", "IQ4_NL" }, { "IQ3_S", "IQ4_NL" },   { "IQ4_XS", "IQ4_NL" },
    { "Q2_K", "Q4_0" },      { "Q2_K", "IQ4_NL" },    { "Q3_K", "Q4_0" },      { "Q3_K", "IQ4_NL" },
    { "Q2_0", "Q4_0" },      { "TQ1_0", "Q4_0" },     { "TQ2_0", "Q4_0" },     { "Q4_K", "Q5_0" },
    { "Q5_K", "Q5_1" },      { "Q6_K", "Q8_0" },
};

/* Words anywhere in a name. */
static const char *const copied_words[] = {
    "altup", "laurel", "per_layer_model_proj", "ssm_conv1d", ".position_embd", "sam.pos_embd", "sam.neck.",
    "sam.net_", ".rel_pos", ".patch_embd", ".patch_merger", "a.rvq.codebook", "mm.a.code_embd",
};

/* Words at the end of a name, before "weight". */
static const char *const copied_ends[] = {
    "_norm.", "ffn_gate_inp.", "ffn_gate_tid2eid.", "shortconv.conv.", "indexer.k_proj.", "indexer.q_proj.",
    "time_mix_first.", "time_mix_w0.", "time_mix_w1.", "time_mix_w2.", "time_mix_a0.", "time_mix_a1.",
    "time_mix_a2.", "time_mix_v0.", "time_mix_v1.", "time_mix_v2.", "time_mix_g0.", "time_mix_g1.",
    "time_mix_g2.", "time_mix_decay_w1.", "time_mix_decay_w2.", "time_mix_lerp_fused.", "attn_rel_b.",
};

/* Whole names, before "weight". */
static const char *const copied_names[] = { "position_embd.", "token_types." };
/* clang-format on */

#define COUNT(table) (sizeof(table) / sizeof *(table))

const struct file_type *file_type_find(uint64_t id)
{
    for (size_t i = 0; i < COUNT(types); i++)
        if (types[i].id == id) return &types[i];
    return NULL;
}

static bool integer_of(const struct metadata_entry *e, int64_t *n)
{
    return e && e->type != META_ARRAY && metadata_integer(&e->value, n) && *n >= 0;
}

struct file_type_said file_type_said(const struct metadata *m)
{
    const struct metadata_entry *arch = metadata_find(m, "general.architecture");
    struct file_type_said s = { .entry = metadata_find(m, "general.file_type") };
    int64_t n;
    s.number = integer_of(s.entry, &s.id);
    s.guessed = s.number && s.id & FILE_TYPE_GUESSED;
    if (s.number) s.type = file_type_find((uint64_t)s.id & ~(uint64_t)FILE_TYPE_GUESSED);
    if (arch && arch->type == META_STRING &&
        integer_of(metadata_find_in(m, arch->value.s, text_of("expert_count")), &n))
        s.experts = (uint64_t)n;
    return s;
}

static bool is_copied(numel_str name)
{
    numel_str stem = name;
    if (!text_take_end(&stem, "weight")) return true;
    for (size_t i = 0; i < COUNT(copied_ends); i++)
        if (text_ends(stem, copied_ends[i])) return true;
    for (size_t i = 0; i < COUNT(copied_words); i++)
        if (text_holds(stem, text_of(copied_words[i]))) return true;
    for (size_t i = 0; i < COUNT(copied_names); i++)
        if (text_equal(stem, copied_names[i])) return true;
    return false;
}

/* ggml ignores outer dimensions of 1. */
static bool is_matrix(const numel_tensor *t)
{
    uint32_t outer = 0;
    while (outer < t->ndim && t->dims[outer] == 1) outer++;
    return t->ndim - outer >= 2;
}

bool file_type_quantizes(const numel_tensor *t) { return is_matrix(t) && !is_copied(t->name); }

static unsigned part_of(numel_str name)
{
    for (size_t i = 0; i < COUNT(parts); i++)
        for (size_t at = 0, n = strlen(parts[i].word); at + n <= name.n; at++)
            if (memcmp(name.p + at, parts[i].word, n) == 0) return parts[i].part;
    return REST;
}

static bool is_type(const numel_tensor *t, const char *type) { return strcmp(t->dtype->name, type) == 0; }

static const numel_dtype *type_named(const char *name)
{
    for (size_t i = 0; i < dtype_count(); i++)
        if (dtype_at(i)->in_formats & NUMEL_GGUF && strcmp(dtype_at(i)->name, name) == 0) return dtype_at(i);
    return NULL;
}

/* True for the type itself, or for its stand-in if rows have that length. */
static bool stands_for(const numel_tensor *t, const char *type)
{
    if (is_type(t, type)) return true;
    const numel_dtype *d = type_named(type);
    if (!d || !d->block_elements || t->dims[t->ndim - 1] % d->block_elements == 0) return false;
    if (is_type(t, "F16")) return true;
    for (size_t i = 0; i < COUNT(fallbacks); i++)
        if (strcmp(fallbacks[i].type, type) == 0 && is_type(t, fallbacks[i].instead)) return true;
    return false;
}

static bool is_mixed(const struct file_type *f, const numel_tensor *t, unsigned part, uint64_t experts)
{
    for (size_t i = 0; i < COUNT(mixes); i++)
        if (mixes[i].id == f->id && mixes[i].parts & part && stands_for(t, mixes[i].type)) return true;
    for (size_t i = 0; experts == 8 && i < COUNT(of_eight); i++)
        if (of_eight[i].part & part && stands_for(t, of_eight[i].type)) return true;
    return false;
}

enum file_type_fit file_type_fit(const struct file_type *f, const numel_tensor *t, uint64_t experts)
{
    const numel_dtype *base = type_named(f->type);
    bool plain = base && !file_type_packed(base);
    bool apart = text_equal(t->name, "output.weight") || text_ends(t->name, "token_embd.weight");
    if (apart || !file_type_quantizes(t)) return FILE_TYPE_APART;
    if (stands_for(t, f->type) || is_type(t, f->name)) return FILE_TYPE_BASE; /* IQ2_S is mostly IQ2_XS */
    /* converters copy blocks from their input */
    if (plain && f->id != 0 && (is_type(t, "MXFP4") || is_type(t, "NVFP4"))) return FILE_TYPE_MIXED;
    if (plain && f->id != 0 && is_type(t, "F32")) return FILE_TYPE_KEPT;
    if (!plain && is_mixed(f, t, part_of(t->name), experts)) return FILE_TYPE_MIXED;
    return FILE_TYPE_ODD;
}
