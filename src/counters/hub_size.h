/*
 * hub_size.h -- how many parameters the Hugging Face Hub counts for a tensor, for the "Model size" on a
 * model's page.
 *
 * The rules are those of parse-safetensors-metadata.ts in huggingface.js, packages/hub. It knows no
 * architectures: by their names and containers, it multiplies tensors that the configuration's quantization
 * method packs, and by their names, it skips scales. There are two versions here, because both are quoted:
 * 2.17.5 of September 2026, and 2.7.1, whose rules applied until spring 2026 (only GPTQ's list of scales; no
 * compressed-tensors, MLX or FP4 experts).
 */
#ifndef NUMEL_COUNTERS_HUB_SIZE_H
#define NUMEL_COUNTERS_HUB_SIZE_H

#include "base/json_doc.h"
#include "counters/others_codes.h"
#include "registry/registry.h"

enum hub_vintage { HUB_SPRING_2026, HUB_SEPTEMBER_2026 };

enum hub_method {
    HUB_NOT_QUANTIZED,
    HUB_MLX,
    HUB_MXFP4,
    HUB_GPTQ, /* and AWQ */
    HUB_COMPRESSED,
    HUB_FP8,
    HUB_BITSANDBYTES,
    HUB_OTHER_METHOD
};

struct hub_size {
    const struct registry *registry;
    enum hub_vintage vintage;
    enum hub_method method;
    const json_value *quant; /* borrowed; NULL if there is none */
    unsigned expert_bits;    /* those of routed experts in an FP8 model, if narrower; else 0 */
};

enum { HUB_HEADER = 25000000, HUB_SHARDS = 10000 };
#define HUB_DIM (UINT64_C(1) << 32)

/* `config` is config.json, or NULL; it must outlive h. */
void hub_size_init(struct hub_size *h, enum hub_vintage vintage, const struct registry *r,
                   const json_value *config);

/* A tensor counts as elements * times / over, rounded; or as 0 if `skipped`, which then has the reason. */
struct hub_part {
    uint64_t times, over;
    const struct line_code *skipped; /* a scalar, or scales by their names; else NULL */
};
struct hub_part hub_size_part(const struct hub_size *h, const numel_tensor *t);

/* For an MLX configuration: the bits of a packed weight; 0 if the tensor is not one. */
unsigned hub_size_mlx_bits(const struct hub_size *h, numel_str name);

#endif
