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

E, H, K, D, F, V, L = 64, 4, 2, 16, 96, 32, 2
CONFIG = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": E, "vocab_size": V,
          "num_hidden_layers": L, "num_attention_heads": H, "num_key_value_heads": K, "intermediate_size": F,
          "tie_word_embeddings": False}
PARTS = {"self_attn.q_proj": ("attn_q", [H * D, E]), "self_attn.k_proj": ("attn_k", [K * D, E]),
         "self_attn.v_proj": ("attn_v", [K * D, E]), "self_attn.o_proj": ("attn_output", [E, H * D]),
         "mlp.gate_proj": ("ffn_gate", [F, E]), "mlp.up_proj": ("ffn_up", [F, E]),
         "mlp.down_proj": ("ffn_down", [E, F]), "input_layernorm": ("attn_norm", [E]),
         "post_attention_layernorm": ("ffn_norm", [E])}


def bf16(v): return struct.unpack("<f", b"\0\0" + struct.pack("<f", v)[2:])[0]


def model():
    rng = random.Random(7)
    rows = [("model.embed_tokens.weight", "token_embd.weight", [V, E]), ("lm_head.weight", "output.weight", [V, E]),
            ("model.norm.weight", "output_norm.weight", [E])]
    for i in range(L):
        rows += [("model.layers.%d.%s.weight" % (i, hf), "blk.%d.%s.weight" % (i, gguf), shape)
                 for hf, (gguf, shape) in PARTS.items()]
    return [(hf, gguf, shape, [bf16(rng.gauss(0, 0.02)) for _ in range(files.product(shape))]) for hf, gguf, shape in rows]


def q4_0(block):
    most = max(block, key=abs)
    d = most / -8
    codes = [min(15, int(v / d + 8.5)) if d else 8 for v in block]
    return struct.pack("<e", d) + bytes(codes[i] | codes[i + 16] << 4 for i in range(16))


def q8_0(block):
    d = max(abs(v) for v in block) / 127
    return struct.pack("<e", d) + struct.pack("<32b", *(round(v / d) if d else 0 for v in block))


def moved(name, shape, values):
    if ".attn_q." not in name and ".attn_k." not in name: return values
    row = lambda r: r - r % D + r % 2 * (D // 2) + r % D // 2
    return [v for r in range(shape[0]) for v in values[row(r) * shape[1]:][:shape[1]]]


def gguf(path, rows, better):
    tensors, body = [], b""
    for _, name, shape, values in rows:
        values = moved(name, shape, values)
        kind = "F32" if len(shape) == 1 else "Q8_0" if any(part in name for part in better) else "Q4_0"
        tensors.append((name, kind, shape))
        how = {"Q8_0": q8_0, "Q4_0": q4_0}.get(kind)
        body += (b"".join(how(values[i:i + 32]) for i in range(0, len(values), 32)) if how
                 else struct.pack("<%df" % len(values), *values))
        body += bytes(-len(body) % 32)
    keys = [("general.architecture", "llama"), ("llama.block_count", L), ("llama.embedding_length", E),
            ("llama.attention.head_count", H), ("llama.attention.head_count_kv", K),
            ("llama.feed_forward_length", F), ("llama.context_length", 64)]
    files.put(path, files.gguf(keys, tensors, body=body))


def main():
    out, rows = sys.argv[1], model()
    body = b"".join(struct.pack("<f", v)[2:] for _, _, _, values in rows for v in values)
    files.put(out + "/base/model.safetensors", files.safetensors([(n, "BF16", s) for n, _, s, _ in rows], body=body))
    files.put(out + "/base/config.json", json.dumps(CONFIG).encode())
    gguf(out + "/down.gguf", rows, ["ffn_down"])
    gguf(out + "/kv.gguf", rows, ["attn_k", "attn_v"])


main()
