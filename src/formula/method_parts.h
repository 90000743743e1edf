/*
 * method_parts.h -- the parts of a change that code refers to, by their names in
 * data/adapters/methods.adapter. They have the first numbers, in the order of this list; all other parts
 * follow.
 */
#ifndef NUMEL_FORMULA_METHOD_PARTS_H
#define NUMEL_FORMULA_METHOD_PARTS_H

#define METHOD_PARTS(PART)                      \
    PART(A, "a")                                \
    PART(B, "b")                                \
    PART(MID, "mid")                            \
    PART(MAGNITUDE, "magnitude")                \
    PART(BIAS, "bias") /* of a second matrix */ \
    PART(DIFF_B, "diff-b")                      \
    PART(DIFF_M, "diff-m")                      \
    PART(NORM, "norm")                          \
    PART(NORM_B, "norm-b")                      \
    PART(TOKENS, "tokens")                      \
    PART(SCALE, "scale")

#endif
