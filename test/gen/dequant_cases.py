#!/usr/bin/env python3
"""dequant_cases.py [grids]: the numbers that blocks of each GGUF type represent, by gguf's own code: writes
fixtures/dequant/gguf.tsv, a hash of the numbers of 512 blocks of each type. With `grids`: prints
src/content/dequant_grids.c.

Blocks are bytes of a generator of random numbers that test/unit/test_dequant.c repeats; a scale of 16 or 32
bits has its highest exponent bit cleared, so that it is finite. gguf has no code for four types: their
formulas are below, from ggml-quants.c and, of Q8_1 and Q8_K, from the meaning of d in ggml-common.h.

Packages: test/gen/requirements/dequant.txt
"""
import sys

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, quants

BLOCKS = 512
# Offsets of bytes with the highest exponent bit of a scale.
SCALES = {
    "Q4_0": [1], "Q4_1": [1, 3], "Q5_0": [1], "Q5_1": [1, 3], "Q8_0": [1], "Q8_1": [1, 3], "Q2_K": [81, 83],
    "Q3_K": [109], "Q4_K": [1, 3], "Q5_K": [1, 3], "Q6_K": [209], "Q8_K": [3], "IQ2_XXS": [1], "IQ2_XS": [1],
    "IQ2_S": [1], "IQ3_XXS": [1], "IQ3_S": [1], "IQ1_S": [1], "IQ1_M": [55], "IQ4_NL": [1], "IQ4_XS": [1],
    "TQ1_0": [53], "TQ2_0": [65], "MXFP4": [], "NVFP4": [], "Q1_0": [1], "Q2_0": [1],
}
OWN = {"Q8_1": 36, "Q8_K": 292, "Q1_0": 18, "Q2_0": 18}


def random_bytes(n):
    state, out = 1, bytearray()
    for _ in range(n):
        state = (state * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
        out.append(state >> 56)
    return out


def blocks_of(name, size):
    raw = random_bytes(BLOCKS * size)
    for block in range(BLOCKS):
        for at in SCALES[name]:
            raw[block * size + at] &= 0xBF
    return np.frombuffer(bytes(raw), np.uint8).reshape(BLOCKS, size)


def half(b):
    return np.ascontiguousarray(b[:, :2]).view(np.float16).astype(np.float32)


def bits(b, width):
    """Values of that many bits, the first in the lowest."""
    shifts = np.arange(0, 8, width, dtype=np.uint8)
    return (b[:, :, None] >> shifts & (1 << width) - 1).reshape(len(b), -1).astype(np.float32)


def own(name, b):
    if name == "Q8_1":
        return half(b) * b[:, 4:].view(np.int8).astype(np.float32)
    if name == "Q8_K":
        d = np.ascontiguousarray(b[:, :4]).view(np.float32)
        return d * np.ascontiguousarray(b[:, 4:260]).view(np.int8).astype(np.float32)
    if name == "Q1_0":
        return half(b) * (2 * bits(b[:, 2:], 1) - 1)
    return half(b) * (bits(b[:, 2:], 2) - 1)


def fnv(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return h


def numbers(name):
    if name in OWN:
        return own(name, blocks_of(name, OWN[name]))
    kind = GGMLQuantizationType[name]
    return quants.dequantize(blocks_of(name, GGML_QUANT_SIZES[kind][1]), kind)


def grids():
    print("""/*
 * dequant_grids.c -- the grids of IQ types, as gguf-py packs them: the position of each number in the type's
 * list, 2 bits a number (IQ1, IQ2) or 4 (IQ3), the first number in the lowest.
 *
 * Source: gguf 0.19.0, gguf/quants.py (MIT). Written by test/gen/dequant_cases.py grids.
 */
#include "content/dequant_internal.h"

/* clang-format off */""")
    for name in ("IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ1_S", "IQ3_XXS", "IQ3_S"):
        words = np.frombuffer(bytes.fromhex(getattr(quants, name).grid_hex.decode()), "<u2")
        print(f"const uint16_t dequant_{name.lower()}[{len(words)}] = {{")
        for i in range(0, len(words), 12):
            print("    " + " ".join(f"0x{w:04X}," for w in words[i:i + 12]))
        print("};")
    print("/* clang-format on */")


def main():
    if sys.argv[1:] == ["grids"]:
        return grids()
    with open("fixtures/dequant/gguf.tsv", "w", encoding="ascii") as out:
        for name in SCALES:
            values = np.ascontiguousarray(numbers(name), dtype="<f4")
            assert not np.isnan(values).any(), name
            out.write(f"{name}\t{fnv(values.tobytes()):016x}\n")


main()
