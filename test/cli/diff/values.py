#!/usr/bin/env python3
"""values.py OUT: pairs of files for a transcript that compares values; expected results are computed there.

a/, b/         a Llama of 6 layers in BF16; b is a with layers 4 and 5 changed: o_proj of 4 times -1, gate_proj of
               5 times 2, one bit of one element of up_proj of 5
x.gguf         what llama.cpp's converter makes of a: rows of q and k moved, matrices F16, norms F32
plain.gguf     the same with the rows left alone
other.gguf     the same with rows of q in no order at all
added.gguf     x.gguf, 1/64 added to each of attn_v of layer 1
"""
import json
import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import files
from llama import Llama, moved

E, H, K, D, L, F, V = 16, 4, 2, 4, 6, 24, 32
LLAMA = Llama(E, H, K, D, F, V, L)


def model():
    """[(name, name in GGUF, shape, values)]: multiples of 1/64 between 1/64 and 2, of either sign, in all types exact."""
    rng = random.Random(3)
    values = lambda shape: [rng.choice((-1, 1)) * rng.randint(1, 128) / 64 for _ in range(files.product(shape))]
    return [(hf, gguf, shape, values(shape)) for hf, gguf, shape in LLAMA.rows()]


def bf16(values): return b"".join(struct.pack("<f", v)[2:] for v in values)


def safetensors(folder, rows):
    body = b"".join(bf16(values) if not isinstance(values, bytes) else values for _, _, _, values in rows)
    files.put(folder + "/model.safetensors", files.safetensors([(n, "BF16", s) for n, _, s, _ in rows], body=body))
    files.put(folder + "/config.json", json.dumps(LLAMA.config).encode())


def gguf(path, rows, order=LLAMA.converted, order_q=None, change=lambda name, values: values):
    tensors, body = [], b""
    for _, name, shape, values in rows:
        if ".attn_q." in name: values = moved(values, shape[1], order_q or order)
        if ".attn_k." in name: values = moved(values, shape[1], order)
        kind = "F32" if len(shape) == 1 else "F16"
        values = change(name, values)
        tensors.append((name, kind, shape))
        body += struct.pack("<%d%s" % (len(values), "f" if kind == "F32" else "e"), *values)
        body += bytes(-len(body) % 32)
    files.put(path, files.gguf(LLAMA.keys, tensors, body=body))


def tuned(rows):
    out = []
    for hf, name, shape, values in rows:
        if hf == "model.layers.4.self_attn.o_proj.weight": values = [-v for v in values]
        if hf == "model.layers.5.mlp.gate_proj.weight": values = [2 * v for v in values]
        if hf == "model.layers.5.mlp.up_proj.weight":
            values = bytearray(bf16(values))
            values[20] ^= 1
            values = bytes(values)
        out.append((hf, name, shape, values))
    return out


def main():
    out, rows = sys.argv[1], model()
    safetensors(out + "/a", rows)
    safetensors(out + "/b", tuned(rows))
    gguf(out + "/x.gguf", rows)
    gguf(out + "/plain.gguf", rows, order=lambda r: r)
    gguf(out + "/other.gguf", rows, order_q=lambda r: (r * 5 + 3) % (H * D))
    gguf(out + "/added.gguf", rows,
         change=lambda name, values: [v + 1 / 64 for v in values] if name == "blk.1.attn_v.weight" else values)


main()
