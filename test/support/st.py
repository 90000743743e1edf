#!/usr/bin/env python3
"""st.py OUT NAME:TYPE:DIMS:SEED... -- writes a small file with data in it, for tests of content.

OUT ends with .safetensors or .gguf; DIMS are outermost first, "4x8", "" for a scalar. The data of a
tensor is the SHA-256 of "SEED 0", "SEED 1", ... in a row, so that it depends on SEED alone; SEED
"0" is all zeros, and "=HEX" is those bytes, repeated as often as they are needed. Tensors are
written in the order given; --pad N puts N spaces behind a safetensors header.
"""
import hashlib
import json
import struct
import sys

BITS = {"F64": 64, "F32": 32, "F16": 16, "BF16": 16, "I8": 8, "U8": 8, "F8_E4M3": 8, "F8_E5M2": 8,
        "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8, "I32": 32, "I64": 64, "F4": 4}
GGUF = {"F32": (0, 1, 4), "F16": (1, 1, 2), "Q4_0": (2, 32, 18), "Q4_1": (3, 32, 20),
        "Q8_0": (8, 32, 34), "Q4_K": (12, 256, 144), "Q6_K": (14, 256, 210), "I8": (24, 1, 1),
        "F64": (28, 1, 8), "BF16": (30, 1, 2), "IQ1_M": (29, 256, 56), "MXFP4": (39, 32, 17)}


def data(seed, n):
    if seed == "0":
        return bytes(n)
    if seed.startswith("="):
        unit = bytes.fromhex(seed[1:])
        return (unit * (n // len(unit) + 1))[:n]
    blocks = ((n + 31) // 32)
    return b"".join(hashlib.sha256(f"{seed} {i}".encode()).digest() for i in range(blocks))[:n]


def parse(word):
    name, dtype, dims, seed = word.rsplit(":", 3)
    dims = [int(d) for d in dims.split("x")] if dims else []
    elements = 1
    for d in dims:
        elements *= d
    return name, dtype, dims, elements, seed


def safetensors(tensors, pad):
    header, body = {}, b""
    for name, dtype, dims, elements, seed in tensors:
        piece = data(seed, elements * BITS[dtype] // 8)
        header[name] = {"dtype": dtype, "shape": dims,
                        "data_offsets": [len(body), len(body) + len(piece)]}
        body += piece
    text = json.dumps(header, separators=(",", ":")).encode() + b" " * pad
    return struct.pack("<Q", len(text)) + text + body


def text(s):
    return struct.pack("<Q", len(s)) + s.encode()


def gguf(tensors):
    out = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), 1)
    out += text("general.architecture") + struct.pack("<I", 8) + text("test")
    body = b""
    for name, dtype, dims, elements, seed in tensors:
        number, block, size = GGUF[dtype]
        body += bytes(-len(body) % 32)
        out += text(name) + struct.pack("<I", len(dims))
        out += b"".join(struct.pack("<Q", d) for d in reversed(dims))
        out += struct.pack("<IQ", number, len(body))
        body += data(seed, elements // block * size)
    return out + bytes(-len(out) % 32) + body + bytes(-len(body) % 32)


def main():
    words, pad = sys.argv[1:], 0
    if words[0] == "--pad":
        pad, words = int(words[1]), words[2:]
    tensors = [parse(w) for w in words[1:]]
    content = gguf(tensors) if words[0].endswith(".gguf") else safetensors(tensors, pad)
    with open(words[0], "wb") as f:
        f.write(content)


main()
