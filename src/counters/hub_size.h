/*
 * hub_size.h -- how many parameters the Hugging Face Hub counts for a tensor: the "Model size" of a
 * model page.
 *
 * The rules are those of huggingface.js, packages/hub, parse-safetensors-metadata.ts. It knows no
 * architectures: it multiplies tensors packed by the configuration's quantization method, by their
 * names and containers, and skips scales by their names. There are two vintages, since both are
 * quoted: 2.17.5 of September 2026, and 2.7.1, whose rules applied until spring 2026 (no list of
 * scales but GPTQ's, no compressed-tensors, MLX or FP4 experts).
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
    const json_value *quant; /* borrowed; NULL: none */
    unsigned expert_bits;    /* of the routed experts of an FP8 model, if narrower; else 0 */
};

enum { HUB_HEADER = 25000000, HUB_SHARDS = 10000 };
#define HUB_DIM (UINT64_C(1) << 32)

/* `config` is config.json, or NULL; it must outlive h. */
void hub_size_init(struct hub_size *h, enum hub_vintage vintage, const struct registry *r,
                   const json_value *config);

/* A tensor counts as elements * times / over, rounded; as 0 if `skipped`, which is the reason. */
struct hub_part {
    uint64_t times, over;
    const struct line_code *skipped; /* a scalar, scales by their names; else NULL */
};
struct hub_part hub_size_part(const struct hub_size *h, const numel_tensor *t);

/* MLX: the bits of a packed weight, 0 if it is not one. Needs an MLX configuration. */
unsigned hub_size_mlx_bits(const struct hub_size *h, numel_str name);

#endif
