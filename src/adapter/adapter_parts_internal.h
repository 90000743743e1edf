/*
 * adapter_parts_internal.h -- the table of parts, for the two files that know it: names (adapter_parts.c) and shapes
 * (adapter_forms.c).
 */
#ifndef NUMEL_ADAPTER_ADAPTER_PARTS_INTERNAL_H
#define NUMEL_ADAPTER_ADAPTER_PARTS_INTERNAL_H

#include "adapter/adapter_internal.h"

enum part {
    A,
    B,
    MID,
    SMALL_A,
    SMALL_B,
    MAGNITUDE,
    BIAS,
    W1A,
    W1B,
    W2A,
    W2B,
    HT1,
    HT2,
    K1,
    K1A,
    K1B,
    K2,
    K2A,
    K2B,
    KT2,
    DIFF,
    DIFF_B,
    DIFF_M,
    NORM,
    NORM_B,
    G1,
    G2,
    G3,
    G4,
    OFT,
    OFT_R,
    OFT_SCALED,
    RESCALE,
    IA3,
    ON_INPUT,
    IA3_L,
    BOFT,
    BOFT_S,
    HRA,
    VERA_B,
    VERA_D,
    LORA_E,
    TOKENS,
    C3A,
    MISS,
    DELORA_N,
    DELORA_L,
    GRA_A,
    GRA_B,
    BEFT,
    PVERA_D,
    SPECTRUM,
    VB_A,
    VB_B,
    VB_A_WHICH,
    VB_A_TOP,
    VB_B_WHICH,
    VB_B_TOP,
    RAND_L,
    RAND_G,
    ROAD_T,
    ROAD_A,
    GRA_A_ALL,
    GRA_B_ALL,
    T_Q,
    T_P,
    T_L,
    PEANUT_A,
    PEANUT_B,
    LILY_B,
    LILY_R,
    PSOFT_R,
    PSOFT_A,
    PSOFT_B,
    OSF_U,
    OSF_S,
    OSF_V,
    POLY_A,
    POLY_B,
    POLY_R
};

/* What stands behind the module. `style`: rows whose names stand beside each other; a part that is missing is called
 * by the name of the same style. `own`: a name that says something only where the module is kohya's. `key`: what the
 * configuration must say, as its size follows from nothing else; `bar`: with which it follows from all of the base. */
struct part_row {
    const char *tail; /* NULL ends the table */
    unsigned part, style;
    bool own;
    const char *type;
    const char *key, *bar;
};
extern const struct part_row adapter_part_rows[];

#endif
