#!/usr/bin/env python3
"""quantized.py OUT: a Llama of two layers with random weights, OUT/base in BF16, and two GGUF files made of it as
llama.cpp does, with the rows of q and k moved and matrices rounded to the nearest in blocks of 32:

down.gguf      Q4_0, ffn_down Q8_0
kv.gguf        Q4_0, attn_k and attn_v Q8_0
"""
import json
import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import files
from llama import Llama, moved

LLAMA = Llama(E=64, H=4, K=2, D=16, F=96, V=32, L=2)


def bf16(v): return struct.unpack("<f", b"\0\0" + struct.pack("<f", v)[2:])[0]


def model():
    rng = random.Random(7)
    return [(hf, gguf, shape, [bf16(rng.gauss(0, 0.02)) for _ in range(files.product(shape))]) for hf, gguf, shape in LLAMA.rows()]


def q4_0(block):
    most = max(block, key=abs)
    d = most / -8
    codes = [min(15, int(v / d + 8.5)) if d else 8 for v in block]
    return struct.pack("<e", d) + bytes(codes[i] | codes[i + 16] << 4 for i in range(16))


def q8_0(block):
    d = max(abs(v) for v in block) / 127
    return struct.pack("<e", d) + struct.pack("<32b", *(round(v / d) if d else 0 for v in block))


def gguf(path, rows, better):
    tensors, body = [], b""
    for _, name, shape, values in rows:
        if ".attn_q." in name or ".attn_k." in name: values = moved(values, shape[1], LLAMA.converted)
        kind = "F32" if len(shape) == 1 else "Q8_0" if any(part in name for part in better) else "Q4_0"
        tensors.append((name, kind, shape))
        how = {"Q8_0": q8_0, "Q4_0": q4_0}.get(kind)
        body += (b"".join(how(values[i:i + 32]) for i in range(0, len(values), 32)) if how
                 else struct.pack("<%df" % len(values), *values))
        body += bytes(-len(body) % 32)
    files.put(path, files.gguf(LLAMA.keys, tensors, body=body))


def main():
    out, rows = sys.argv[1], model()
    body = b"".join(struct.pack("<f", v)[2:] for _, _, _, values in rows for v in values)
    files.put(out + "/base/model.safetensors", files.safetensors([(n, "BF16", s) for n, _, s, _ in rows], body=body))
    files.put(out + "/base/config.json", json.dumps(LLAMA.config).encode())
    gguf(out + "/down.gguf", rows, ["ffn_down"])
    gguf(out + "/kv.gguf", rows, ["attn_k", "attn_v"])


main()
