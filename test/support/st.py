#!/usr/bin/env python3
"""st.py OUT NAME:TYPE:DIMS:SEED... -- writes a small file with data, for tests of content.

OUT ends with .safetensors or .gguf; DIMS are outermost first, "4x8", "" for a scalar. The data of a tensor is the
SHA-256 of "SEED 0", "SEED 1", ... joined, so it depends only on SEED; SEED "0" is all zeros, and "=HEX" repeats those
bytes. Tensors are written in the order given; --pad N adds N spaces to a safetensors header.
"""
import hashlib
import sys

import files


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
    return name, dtype, [int(d) for d in dims.split("x")] if dims else [], seed


def safetensors(tensors, pad):
    header, _ = files.laid([t[:3] for t in tensors])
    text = files.frame(header)[8:]
    return files.frame(text + b" " * pad, body(tensors, 1, lambda dtype, n: n * files.BITS[dtype] // 8))


def gguf(tensors):
    size = lambda dtype, n: n // files.GGUF[dtype][1] * files.GGUF[dtype][2]
    return files.gguf([("general.architecture", "test")], [t[:3] for t in tensors], body=body(tensors, 32, size))


def body(tensors, alignment, size):
    out = b""
    for _, dtype, shape, seed in tensors:
        out += data(seed, size(dtype, files.product(shape)))
        out += bytes(-len(out) % alignment)
    return out


def main():
    words, pad = sys.argv[1:], 0
    if words[0] == "--pad":
        pad, words = int(words[1]), words[2:]
    tensors = [parse(w) for w in words[1:]]
    content = gguf(tensors) if words[0].endswith(".gguf") else safetensors(tensors, pad)
    with open(words[0], "wb") as f:
        f.write(content)


main()
