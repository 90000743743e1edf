/*
 * adapter_parts_internal.h -- the parts that the code refers to, for names (adapter_parts.c) and shapes
 * (adapter_forms.c).
 */
#ifndef NUMEL_ADAPTER_ADAPTER_PARTS_INTERNAL_H
#define NUMEL_ADAPTER_ADAPTER_PARTS_INTERNAL_H

#include "adapter/adapter_internal.h"
#include "formula/embedded.h"

/* In the order of known[] in data/derive/methods.c; all other parts have higher numbers. */
enum part {
    PART_A,
    PART_B,
    PART_MID,
    PART_MAGNITUDE,
    PART_BIAS, /* of the second matrix */
    PART_DIFF_B,
    PART_DIFF_M,
    PART_NORM,
    PART_NORM_B,
    PART_TOKENS,
    PART_SCALE
};

#endif
