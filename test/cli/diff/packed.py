#!/usr/bin/env python3
"""packed.py OUT: for each way of packing, OUT/NAME/packed, a Llama of one layer with random codes, scales and zero
points, and OUT/NAME/plain, the numbers that its library makes of them, in F32. `near` is packed with one code changed. Of the first way there are also
plain.gguf, as llama.cpp's converter writes plain, with the rows of q and k moved; still.gguf, where they are not, and
back.gguf, where those of each head are in reverse; `odd`, where an index names a group
that does not exist; and `shards`, where the scales of one weight are in another file. `gptq-wide` is the same with a head of 160 rows.

The formulas are those of the libraries' own code, in float32 (a product or sum of two floats, rounded once, is exact
in Python's doubles before that):
  gptq    GPTQModel: nn_modules/qlinear, scales[g_idx] * (weight - zeros), words along the inputs; utils/model.py: v1 has
          zeros less 1, which is added to whole words, with carries, where codes fill words, else modulo 2^bits
  awq     AutoAWQ: utils/packing_utils.py, order 0 2 4 6 1 3 5 7; (weight - zeros) * scales
  bnb     bitsandbytes: backends/default/ops.py, the first value in the high bits; code * absmax; of double
          quantization absmax = code * nested_absmax + offset; int8: row * SCB * 7.874015718698502e-3
  mlx     mlx: ops.cpp, affine_dequantize; scale * q + bias
  fp8     transformers: integrations/finegrained_fp8.py; weight * weight_scale_inv of the block
  mxfp4   mlx: quantized.cpp; E2M1, the first value in the low bits, scale a power of two; the same in compressed-tensors
  nvfp4   compressed-tensors: value * (weight_scale / weight_global_scale); Model Optimizer multiplies the two
  hqq     hqq: core/quantize.py, core/bitpack.py; (q - zero) * scale
  quanto  optimum-quanto: tensor/qbits.py, tensor/packed.py; scale * q - shift
  ct      compressed-tensors: pack_quantized; codes and zero points are offset by 2^(bits-1); (q - z) * scale
"""
import json
import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import files
from llama import Llama, moved

LLAMA = Llama(E=64, H=4, K=1, D=16, F=160, V=40, L=1)  # F: more rows than numel unpacks at once
WIDE = Llama(E=160, H=1, K=1, D=160, F=160, V=40, L=1)
CODES = {"F32": "f", "F16": "e", "I32": "I", "U32": "I", "U8": "B", "I8": "b", "F8_E4M3": "B", "BF16": "H", "I64": "q"}


def f32(v): return struct.unpack("<f", struct.pack("<f", v))[0]
def f16(v): return struct.unpack("<e", struct.pack("<e", v))[0]


def raw(dtype, values): return struct.pack("<%d%s" % (len(values), CODES[dtype]), *values)


def words(values, bits):
    """32-bit words of a run of codes, the first in the lowest bits."""
    n = sum(v << i * bits for i, v in enumerate(values))
    return [n >> 32 * i & 0xFFFFFFFF for i in range(-(-len(values) * bits // 32))]


def more(codes, bits):
    """Codes of which 1 was subtracted."""
    if 32 % bits: return [(v + 1) % (1 << bits) for v in codes]
    each = sum(1 << i for i in range(0, 32, bits))
    return [(w + each) >> i & (1 << bits) - 1 for w in words(codes, bits) for i in range(0, 32, bits)][:len(codes)]


def columns(rows): return [list(c) for c in zip(*rows)]
def flat(rows): return [v for r in rows for v in r]


class Codes:
    """Random codes [O, I], scales and zero points [O, groups]."""
    def __init__(self, rng, O, I, bits, group):
        self.O, self.I, self.bits, self.groups = O, I, bits, I // group
        self.q = [[rng.randrange(1 << bits) for _ in range(I)] for _ in range(O)]
        self.s = [[f16(rng.uniform(0.001, 0.02)) for _ in range(self.groups)] for _ in range(O)]
        self.z = [[rng.randrange(1 << bits) for _ in range(self.groups)] for _ in range(O)]
        self.at = [i // group for i in range(I)]

    def numbers(self, less):
        z = columns([more(r, self.bits) if less else r for r in columns(self.z)])
        return [f32((self.q[o][i] - z[o][g]) * self.s[o][g]) for o in range(self.O) for i, g in enumerate(self.at)]


def gptq(rng, m, O, I, bits=4, act=False, less=1):
    c = Codes(rng, O, I, bits, 32)
    if act: rng.shuffle(c.at)
    yield m + ".qweight", "I32", columns([words(r, bits) for r in c.q])
    yield m + ".qzeros", "I32", [words(r, bits) for r in columns(c.z)]
    yield m + ".scales", "F16", columns(c.s)
    yield m + ".g_idx", "I32", c.at
    yield c.numbers(less)


def awq(rng, m, O, I):
    c = Codes(rng, O, I, 4, 32)
    packed = lambda row: [sum(row[8 * k + o] << 4 * i for i, o in enumerate((0, 2, 4, 6, 1, 3, 5, 7)))
                          for k in range(O // 8)]
    yield m + ".qweight", "I32", [packed(r) for r in columns(c.q)]
    yield m + ".qzeros", "I32", [packed(r) for r in columns(c.z)]
    yield m + ".scales", "F16", columns(c.s)
    yield c.numbers(0)


def mlx(rng, m, O, I, bits=4):
    c = Codes(rng, O, I, bits, 32)
    b = [[f16(rng.uniform(-0.1, 0.1)) for _ in r] for r in c.s]
    yield m + ".weight", "U32", [words(r, bits) for r in c.q]
    yield m + ".scales", "F16", c.s
    yield m + ".biases", "F16", b
    yield [f32(f32(c.q[o][i] * c.s[o][g]) + b[o][g]) for o in range(O) for i, g in enumerate(c.at)]


def ct(rng, m, O, I, symmetric=False):
    c = Codes(rng, O, I, 4, 32)
    if symmetric: c.z = [[8 for _ in r] for r in c.z]
    yield m + ".weight_packed", "I32", [words(r, 4) for r in c.q]
    yield m + ".weight_scale", "F16", c.s
    if not symmetric: yield m + ".weight_zero_point", "I32", columns([words(r, 4) for r in columns(c.z)])
    yield m + ".weight_shape", "I32", [O, I]
    yield c.numbers(0)


def e4m3(v):
    sign, e, f = -1 if v >> 7 else 1, v >> 3 & 15, v & 7
    return sign * ((8 + f) * 2.0 ** (e - 10) if e else f * 2.0 ** -9)


def fp8(rng, m, O, I, block=64):
    v = [[rng.choice((0, 128)) + rng.randrange(0x7F) for _ in range(I)] for _ in range(O)]
    s = [[f32(rng.uniform(0.001, 0.01)) for _ in range(-(-I // block))] for _ in range(-(-O // block))]
    yield m + ".weight", "F8_E4M3", v
    yield m + ".weight_scale_inv", "F32", s
    yield [f32(e4m3(v[o][i]) * s[o // block][i // block]) for o in range(O) for i in range(I)]


def bnb8(rng, m, O, I):
    v = [[rng.randint(-127, 127) for _ in range(I)] for _ in range(O)]
    s = [f32(rng.uniform(0.1, 1)) for _ in range(O)]
    yield m + ".weight", "I8", v
    yield m + ".SCB", "F32", s
    yield [f32(f32(v[o][i] * s[o]) * f32(7.874015718698502e-3)) for o in range(O) for i in range(I)]


def ct8(rng, m, O, I, dtype="I8", rows=1, zeros=False):
    """compressed-tensors, int-quantized and float-quantized: a scale for each row, or one (rows=0); zero points."""
    v = [[rng.randrange(0x7F) + rng.choice((0, 128)) if dtype != "I8" else rng.randint(-128, 127) for _ in range(I)]
         for _ in range(O)]
    s = [[f16(rng.uniform(0.001, 0.01))] for _ in range(O if rows else 1)]
    yield m + ".weight", dtype, v
    yield m + ".weight_scale", "F16", s if rows else s[0]
    z = [rng.randint(-99, 99) if zeros else 0 for _ in range(O)]
    if zeros: yield m + ".weight_zero_point", "I8", [[n] for n in z]
    yield [f32((v[o][i] - z[o] if dtype == "I8" else e4m3(v[o][i])) * s[o if rows else 0][0]) for o in range(O) for i in range(I)]


E2M1 = [0.0, 0.5, 1, 1.5, 2, 3, 4, 6]


def fp4(rng, m, O, I, names, group, wide=None, less=False):
    """Floats of 4 bits; names: of the values, their scales, and the scale of scales, if they have one."""
    q = [[rng.randrange(16) for _ in range(I)] for _ in range(O)]
    s = [[rng.randrange(0x30, 0x38) if group == 16 else rng.randrange(110, 124) for _ in range(I // group)] for _ in range(O)]
    yield (m + names[0], *(("U32", [words(r, 4) for r in q]) if wide else
                           ("U8", [[a | b << 4 for a, b in zip(r[::2], r[1::2])] for r in q])))
    yield m + names[1], "F8_E4M3" if group == 16 and not wide else "U8", s
    one = f32(rng.uniform(300, 400)) if less else f32(rng.uniform(0.001, 0.01))
    if len(names) > 2: yield m + names[2], "F32", [one]
    of = lambda v: 2.0 ** (v - 127) if group != 16 else f32(e4m3(v) / one if less else e4m3(v) * one) if len(names) > 2 else e4m3(v)
    yield [f32((-1 if v > 7 else 1) * E2M1[v & 7] * of(s[o][i // group])) for o, r in enumerate(q) for i, v in enumerate(r)]


def mxfp8(rng, m, O, I):
    v = [[rng.choice((0, 128)) + rng.randrange(0x7F) for _ in range(I)] for _ in range(O)]
    s = [[rng.randrange(110, 124) for _ in range(I // 32)] for _ in range(O)]
    yield m + ".weight", "F8_E4M3", v
    yield m + ".weight_scale", "U8", s
    yield [f32(e4m3(v[o][i]) * 2.0 ** (s[o][i // 32] - 127)) for o in range(O) for i in range(I)]


def hqq(rng, m, O, I, bits=4):
    """Rows of 32 values, a group each: the first ones in the high bits."""
    c = Codes(rng, O, I, bits, 32)
    rows = [flat(c.q)[i:i + 32] for i in range(0, O * I, 32)]
    planes, word = (10, 4) if bits == 3 else (8 // bits, 1)
    stored = -(-len(rows) // planes)
    put = lambda r, i: sum(rows[k * stored + r][i] << bits * (planes - 1 - k) for k in range(planes) if k * stored + r < len(rows))
    z = [[f16(rng.uniform(0, 1 << bits)) for _ in range(I // 32)] for _ in range(O)]
    yield m + ".W_q", "I32" if word == 4 else "U8", [[put(r, i) for i in range(32)] for r in range(stored)]
    yield m + ".scale", "F16", [[v] for v in flat(c.s)]
    yield m + ".zero", "F16", [[v] for v in flat(z)]
    for name, value in ("nbits", bits), ("axis", 1), ("group_size", 32): yield m + "." + name, "I32", value
    for name in "channel_wise offload_meta optimize quant_scale quant_zero round_zero view_as_float stores_quant_config".split():
        yield m + "." + name, "U8", 0
    yield m + ".encoded_state_dict", "U8", 1
    yield m + ".shape", "I64", [O, I]
    yield m + ".compute_dtype", "U8", list(b"torch.bfloat16")
    yield m + ".packing", "U8", list(b"3bit_32" if bits == 3 else b"%dbit_u8" % bits)
    yield m + ".unpack_view_dtype", "U8", list(b"torch.uint8" if word == 1 else b"torch.int32")
    yield [f32(f32(c.q[o][i] - z[o][g]) * c.s[o][g]) for o in range(O) for i, g in enumerate(c.at)]


def quanto(rng, m, O, I, bits=4):
    """Rows of one group each, the first ones in the low bits; sizes here have no divisor that its rule takes."""
    size = I if I <= 128 else 32
    c = Codes(rng, O, I, bits, size)
    rows = [flat(c.q)[i:i + size] for i in range(0, O * I, size)]
    stored = len(rows) * bits // 8
    z = [[f16(rng.uniform(0, 0.1)) for _ in range(I // size)] for _ in range(O)]
    yield m + ".weight._data._data", "U8", [[sum(rows[k * stored + r][i] << bits * k for k in range(8 // bits)) for i in range(size)]
                                            for r in range(stored)]
    yield m + ".weight._scale", "F16", [[v] for v in flat(c.s)]
    yield m + ".weight._shift", "F16", [[v] for v in flat(z)]
    yield m + ".input_scale", "F32", 1
    yield m + ".output_scale", "F32", 1
    yield [f32(f32(c.q[o][i] * c.s[o][g]) - z[o][g]) for o in range(O) for i, g in enumerate(c.at)]


def bnb4(rng, m, O, I, kind="nf4", double=False, block=64, storage="U8"):
    n, w = O * I, m + ".weight"
    q = [rng.randrange(16) for _ in range(n)]
    code = sorted(f32(rng.uniform(-1, 1)) for _ in range(16))
    blocks = n // block
    data = [q[i] << 4 | q[i + 1] for i in range(0, n, 2)]
    yield w, storage, [[v] for v in (data if storage == "U8" else [a | b << 8 for a, b in zip(data[::2], data[1::2])])]
    state = {"quant_type": kind, "blocksize": block, "dtype": "float32", "shape": [O, I]}
    s = [f32(rng.uniform(0.01, 0.1)) for _ in range(blocks)]
    if double:
        offset, a = f32(0.0625 + rng.random() / 100), [rng.randrange(256) for _ in range(blocks)]
        nested_code = sorted(f32(rng.uniform(-1, 1)) for _ in range(256))
        t = [f32(rng.uniform(0.01, 0.05)) for _ in range(-(-blocks // 256))]
        s = [f32(f32(nested_code[v] * t[i // 256]) + offset) for i, v in enumerate(a)]
        state.update(nested_blocksize=256, nested_dtype="float32", nested_offset=offset)
        yield w + ".absmax", "U8", a
        yield w + ".nested_absmax", "F32", t
        yield w + ".nested_quant_map", "F32", nested_code
    else:
        yield w + ".absmax", "F32", s
    yield w + ".quant_map", "F32", code
    yield w + ".quant_state.bitsandbytes__" + kind, "U8", list(json.dumps(state).encode())
    yield [f32(code[v] * s[i // block]) for i, v in enumerate(q)]


BNB4 = dict(quant_method="bitsandbytes", load_in_4bit=True, load_in_8bit=False)
CT = dict(quant_method="compressed-tensors", format="pack-quantized", ignore=["lm_head"])
WEIGHTS = dict(num_bits=4, type="int", strategy="group", group_size=32)
CASES = {
    "gptq": (gptq, {}, dict(quant_method="gptq", bits=4, group_size=32, desc_act=False)),
    "gptq-act": (gptq, dict(act=True), dict(quant_method="gptq", bits=4, group_size=32, desc_act=True)),
    "gptq-3": (gptq, dict(bits=3), dict(quant_method="gptq", bits=3, group_size=32, desc_act=False)),
    "gptq-v2": (gptq, dict(bits=8, less=0),
                dict(quant_method="gptq", bits=8, group_size=32, desc_act=False, checkpoint_format="gptq_v2")),
    "awq": (awq, {}, dict(quant_method="awq", bits=4, group_size=32, zero_point=True, version="gemm")),
    "mlx": (mlx, {}, dict(bits=4, group_size=32)),
    "mlx-6": (mlx, dict(bits=6), dict(bits=6, group_size=32)),
    "ct": (ct, {}, dict(CT, config_groups={"group_0": {"targets": ["Linear"], "weights": dict(WEIGHTS, symmetric=False)}})),
    "ct-symmetric": (ct, dict(symmetric=True), dict(CT, config_groups={
        "group_0": {"targets": ["Linear"], "weights": dict(WEIGHTS, symmetric=True)}})),
    "ct-int8": (ct8, {}, dict(CT, format="int-quantized", config_groups={"group_0": {
        "targets": ["Linear"], "weights": dict(num_bits=8, type="int", strategy="channel", symmetric=True)}})),
    "ct-fp8": (ct8, dict(dtype="F8_E4M3", rows=0), dict(CT, format="float-quantized", config_groups={"group_0": {
        "targets": ["Linear"], "weights": dict(num_bits=8, type="float", strategy="tensor", symmetric=True)}})),
    "ct-zeros": (ct8, dict(zeros=True), dict(CT, format="int-quantized", config_groups={"group_0": {
        "targets": ["Linear"], "weights": dict(num_bits=8, type="int", strategy="channel", symmetric=False)}})),
    "ct-mxfp4": (fp4, dict(names=(".weight_packed", ".weight_scale"), group=32), dict(
        CT, format="mxfp4-pack-quantized", config_groups={"group_0": {
            "targets": ["Linear"], "weights": dict(num_bits=4, type="float", strategy="group", group_size=32)}})),
    "ct-nvfp4": (fp4, dict(names=(".weight_packed", ".weight_scale", ".weight_global_scale"), group=16, less=True), dict(
        CT, format="nvfp4-pack-quantized", config_groups={"group_0": {
            "targets": ["Linear"], "weights": dict(num_bits=4, type="float", strategy="tensor_group", group_size=16)}})),
    "mxfp8": (mxfp8, {}, dict(CT, format="mxfp8-quantized", config_groups={"group_0": {
        "targets": ["Linear"], "weights": dict(num_bits=8, type="float", strategy="group", group_size=32)}})),
    "mlx-mxfp4": (fp4, dict(names=(".weight", ".scales"), group=32, wide=True), dict(bits=4, group_size=32, mode="mxfp4")),
    "mlx-nvfp4": (fp4, dict(names=(".weight", ".scales"), group=16, wide=True), dict(bits=4, group_size=16, mode="nvfp4")),
    "hqq": (hqq, {}, dict(quant_method="hqq", quant_config=dict(weight_quant_params=dict(nbits=4, group_size=32, axis=1)),
                          skip_modules=["lm_head"])),
    "hqq-3": (hqq, dict(bits=3), dict(quant_method="hqq", skip_modules=["lm_head"],
                                      quant_config=dict(weight_quant_params=dict(nbits=3, group_size=32, axis=1)))),
    "quanto": (quanto, {}, dict(quant_method="quanto", weights="qint4", modules_to_not_convert=["lm_head"])),
    "fp8": (fp8, {}, dict(quant_method="fp8", weight_block_size=[64, 64], activation_scheme="dynamic")),
    "bnb-int8": (bnb8, {}, dict(quant_method="bitsandbytes", load_in_8bit=True, load_in_4bit=False)),
    "bnb-nf4": (bnb4, {}, dict(BNB4, bnb_4bit_quant_type="nf4")),
    "bnb-fp4": (bnb4, dict(kind="fp4"), dict(BNB4, bnb_4bit_quant_type="fp4")),
    "bnb-bf16": (bnb4, dict(storage="BF16"), dict(BNB4, bnb_4bit_quant_type="nf4", bnb_4bit_quant_storage="bfloat16")),
    "bnb-double": (bnb4, dict(double=True), dict(BNB4, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True)),
}


def gguf(path, llama, rows, order):
    tensors, body, called = [], b"", {hf: gguf for hf, gguf, _ in llama.rows()}
    for name, dtype, shape, data in rows:
        tensors.append((called[name], dtype, shape))
        body += moved(data, 4 * shape[1], order) if name.endswith(("q_proj.weight", "k_proj.weight")) else data
        body += bytes(-len(body) % 32)
    files.put(path, files.gguf(llama.keys, tensors, body=body))


def shape_of(values):
    if not isinstance(values, list): return []
    return [len(values), len(values[0])] if isinstance(values[0], list) else [len(values)]


def write(folder, tensors, config, name="model"):
    body = b"".join(data for _, _, _, data in tensors)
    files.put(folder + "/%s.safetensors" % name, files.safetensors([t[:3] for t in tensors], body=body))
    files.put(folder + "/config.json", json.dumps(config).encode())


def changed(data): return bytes([data[0] ^ 1]) + data[1:]


def case(out, name, llama):
    how, options, quantization = CASES[name]
    config = dict(llama.config, head_dim=llama.D)
    rng = random.Random(name)
    plain, packed, near = [], [], []
    others = llama.top + [("model.layers.0.%s.weight" % hf, gguf, shape) for hf, gguf, shape in llama.norms]
    for other, _, shape in others:
        row = (other, "F32", shape, raw("F32", [f32(rng.random()) for _ in range(files.product(shape))]))
        for all in plain, packed, near: all.append(row)
    for part, _, (O, I) in llama.linears:
        module = "model.layers.0." + part
        *stored, numbers = how(rng, module, O, I, **options)
        plain.append((module + ".weight", "F32", [O, I], raw("F32", numbers)))
        for i, (n, dtype, values) in enumerate(stored):
            data = raw(dtype, [values] if not shape_of(values) else flat(values) if isinstance(values[0], list) else values)
            packed.append((n, dtype, shape_of(values), data))
            near.append((n, dtype, shape_of(values), changed(data) if i == 0 and part == "mlp.up_proj" else data))
    key = "quantization" if name.startswith("mlx") else "quantization_config"
    write(out + "/plain", plain, config)
    write(out + "/packed", packed, dict(config, **{key: quantization}))
    write(out + "/near", near, dict(config, **{key: quantization}))
    if name != "gptq": return
    apart = lambda t: t[0].endswith(("up_proj.scales", "up_proj.g_idx"))
    for i, part in enumerate(([t for t in packed if not apart(t)], [t for t in packed if apart(t)])):
        write(out + "/shards", part, dict(config, **{key: quantization}), "model-%05d-of-00002" % (i + 1))
    files.put(out + "/shards/model.safetensors.index.json", json.dumps({"metadata": {}, "weight_map": {
        t[0]: "model-%05d-of-00002.safetensors" % (1 + apart(t)) for t in packed}}).encode())
    orders = {"plain": llama.converted, "still": lambda row: row,
              "back": lambda row: row - row % llama.D + llama.D - 1 - row % llama.D}
    for called, order in orders.items(): gguf(out + "/%s.gguf" % called, llama, plain, order)
    odd = [(n, t, s, struct.pack("<I", 2) + d[4:] if n.endswith("up_proj.g_idx") else d) for n, t, s, d in packed]
    write(out + "/odd", odd, dict(config, **{key: quantization}))


def main():
    for name in CASES: case("%s/%s" % (sys.argv[1], name), name, LLAMA)
    case(sys.argv[1] + "/gptq-wide", "gptq", WIDE)


main()
