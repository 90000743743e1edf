"""rules.py -- tensors that quantizers store for a weight of `out` by `in`, according to their sources, for options
that no file of fixtures/packed covers.

(module, out, in, options) -> {name: (type, shape[, bytes])}: bytes returned by a rule are real data, everything
else is a hole. schemes.each() applies a rule to a model.
"""
import json, struct

from .models import up


def awq(m, o, i, q):
    b, g = q["bits"], i if q["group"] == -1 else q["group"]
    return {m + ".qweight": ("I32", [i, o * b // 32]), m + ".qzeros": ("I32", [i // g, o * b // 32]),
            m + ".scales": ("F16", [i // g, o])}


def zeros_width(i, g):
    """AutoAWQ's calculate_zeros_width(), for 4 bits in 32-bit words."""
    times = 1 if g >= 128 else {64: 2, 32: 4}[g]
    return up(up(i // g, 8), times) * times


def awq_gemv(m, o, i, q):
    z = zeros_width(i, i if q["group"] == -1 else q["group"])
    return {m + ".qweight": ("I32", [o, i // 8]), m + ".qzeros": ("I32", [o, z]),
            m + ".scales": ("F16", [o, z * 8])}


def awq_fast(m, o, i, q):
    z = zeros_width(i, i if q["group"] == -1 else q["group"])
    return {m + ".qweight": ("I16", [o // 4, i // 4 * 4]), m + "." + q.get("zeros", "qzeros"): ("F16", [z * 8, o]),
            m + ".scales": ("F16", [z * 8, o])}


def awq_marlin(m, o, i, q):
    """AutoAWQ's Marlin stores neither zero points nor a workspace."""
    g = i if q["group"] == -1 else q["group"]
    return {m + ".qweight": ("I32", [i // 16, o * 16 // 8]), m + ".scales": ("F16", [i // g, o])}


def gptq(m, o, i, q):
    b, w, g = q["bits"], q.get("word", 32), i if q["group"] == -1 else q["group"]
    per = w // b if q.get("padded") else None
    t = {m + ".qweight": (f"I{w}", [up(i, per) if per else up(i * b, w), o]),
         m + ".qzeros": (f"I{w}", [up(i, g), up(o, per) if per else up(o * b, w)]), m + ".scales": ("F16", [up(i, g), o])}
    if q.get("index", True):
        t[m + ".g_idx"] = ("I32", [i])
    return t


def marlin(m, o, i, q):
    g = i if q["group"] == -1 else q["group"]
    t = {m + ".B": ("I32", [i // 16, o * 16 * q["bits"] // 32]), m + ".s": ("F16", [i // g, o])}
    if q.get("workspace"):
        t[m + ".workspace"] = ("I32", [o // q["workspace"] * 16])
    return t


def marlin_24(m, o, i, q):
    g = i if q["group"] == -1 else q["group"]
    return {m + ".B_24": ("I32", [i // 32, o * 16 * q["bits"] // 32]), m + ".B_meta": ("I16", [i // 8 // 2 // 2, o * 2]),
            m + ".s": ("F16", [i // g, o]), m + ".workspace": ("I32", [o // 128 * 64])}


def bitblas(m, o, i, q):
    g = i if q["group"] == -1 else q["group"]
    zeros = [i // g, o * q["bits"] // 8] if not q["sym"] else [0]
    return {m + ".qweight": ("I8", [o, i * q["bits"] // 8]), m + ".scales": ("F16", [o, i // g]),
            m + ".qzeros": ("I8", zeros)}


def qqq(m, o, i, q):
    return {m + ".B": ("I32", [i // 16, o * 16 // 8]), m + ".s_channel": ("F32", [1, o]),
            m + ".s_group": ("F16", [i // q["group"], o] if q["group"] > 0 else [0])}


def eetq(m, o, i, q):
    return {m + "." + q.get("name", "weight"): ("I8", [i, o]), m + ".weight_scales": ("F16", [o])}


def metal(m, o, i, q):
    """transformers' MetalQuantize: scales and minima in the weight's original type."""
    b, g = q["bits"], q["group"]
    return {m + ".weight": ("U32", [o, i // (32 // b)]), m + ".scales": ("BF16", [o, i // g]), m + ".qbiases": ("BF16", [o, i // g])}


def bitnet(m, o, i, q):
    return {m + ".weight": ("BF16", [o, i]) if q.get("plain") else ("U8", [up(o, 4), i]),
            m + ".weight_scale": ("BF16", [1])}


def aqlm(m, o, i, q):
    v, u, n, b = q["inputs"], q["outputs"], q["books"], q["bits"]
    return {m + ".codes": ("I8" if b <= 8 else "I16", [o // u, i // v, n]), m + ".scales": ("F16", [o // u, 1, 1, 1]),
            m + ".codebooks": ("F16", [n, 2 ** b, u, v])}


def higgs(m, o, i, q):
    b = q["bits"]
    return {m + ".weight": ("I16", [o * b // 16, i]), m + ".scales": ("F16", [o, i // q["group"]]),
            m + ".tables": ("F16", [2 ** b]), m + ".tables2": ("F16", [2 ** b, 2 ** b, 2])}


def bnb8(m, o, i, q):
    t = {m + ".weight": ("I8", [o, i]), m + ".SCB": ("F32", [o])}
    return t | {m + ".weight_format": ("U8", [])} if q.get("format", True) else t


def exl3(m, o, i, q):
    i, o = up(i, 128) * 128, up(o, 128) * 128  # padded during conversion
    t = {m + ".trellis": ("I16", [i // 16, o // 16, 16 * q["bits"]])}
    t |= {m + ".su": ("I16", [i // 16]), m + ".sv": ("I16", [o // 16])} if q.get("packed") else \
        {m + ".suh": ("F16", [i]), m + ".svh": ("F16", [o])}
    if "codebook" in q:
        t[f"{m}.{q['codebook']}"] = ("I32", [])
    return t


def gemma(m, o, i, q):
    b = q["bits"]
    t = {m + ".weight": ("I8", [o, i]) if b == 8 else ("U8", [o, up(i * b, 8)]), m + ".weight_scale": ("F32", [o, 1])}
    if q.get("embedding"):
        return {m + ".embedding_quantized": t[m + ".weight"], m + ".embedding_scale": ("F32", [o, 1])}
    return t | {m + ".input_activation_scale": ("F32", []), m + ".output_activation_scale": ("F32", [])}


def quanto(m, o, i, q):
    b, g = q["bits"], 128
    while i > 128 and i % g and g > 32:
        g -= 32
    if i <= 128 or i % g:
        g = i
    both = {m + ".input_scale": ("BF16", []), m + ".output_scale": ("BF16", [])}
    if b == 8:
        return both | {m + ".weight._data": (q.get("type", "I8"), [o, i]), m + ".weight._scale": ("BF16", [o, 1])}
    rows = o * i // g
    return both | {m + ".weight._data._data": ("U8", [rows * b // 8, g]), m + ".weight._scale": ("BF16", [rows, 1]),
                   m + ".weight._shift": ("BF16", [rows, 1])}


def hqq(m, o, i, q):
    b, g, axis = q["bits"], q["group"], q.get("axis", 1)
    long = g or (i if axis else o)
    short = o * i // long
    rows, columns = (short, long) if axis else (long, short)
    rows = up(rows, 10) if b == 3 else rows // {4: 2, 2: 4, 1.58: 4, 1: 8}.get(b, 1)
    line = [short, 1] if axis else [1, short]
    packing = {3: "3bit_32", 4: "4bit_u8", 2: "2bit_u8", 1.58: "2bit_u8", 1: "1bit_u8"}.get(b, "8bit_u8")
    word = "torch.int32" if b == 3 else "torch.uint8"
    t = {"W_q": ("I32" if b == 3 else "U8", [rows, columns]), "scale": ("BF16", line), "zero": ("BF16", line),
         "shape": ("I64", [2], struct.pack("<qq", o, i)),
         "nbits": ("F32", [], struct.pack("<f", b)) if b == 1.58 else ("I32", [], struct.pack("<i", b)),
         "axis": ("I32", [], struct.pack("<i", axis)), "group_size": ("I32", [], struct.pack("<i", long))}
    if q.get("view"):
        t["W_q"] = ("BF16", [rows, columns * (4 if b == 3 else 1) // 2])
    for name, text in (("packing", packing), ("unpack_view_dtype", word), ("compute_dtype", "torch.bfloat16")):
        t[name] = ("U8", [len(text)], text.encode())
    for name in ("view_as_float", "channel_wise", "encoded_state_dict", "offload_meta", "optimize", "quant_scale",
                 "quant_zero", "round_zero", "stores_quant_config"):
        t[name] = ("U8", [])
    return {f"{m}.{k}": v for k, v in t.items()}


def bnb4(m, o, i, q):
    """`experts`: number in a stack, 0 for a matrix; the rest is spelled as in GPTQModel."""
    n, block = o * i * (q.get("experts") or 1), q.get("block", 64)
    shape = [q["experts"], o, i] if q.get("experts") else [o, i]
    w, join, end = (m, ".", ".bitsandbytes__" + q["type"]) if "experts" in q else (m + ".weight", "_", "")
    state = json.dumps({"quant_type": q["type"], "blocksize": block, "dtype": "bfloat16", "shape": shape}).encode()
    t = {w: ("U8", [up(n, 2), 1]), f"{w}{join}quant_map": ("F32", [16]),
         f"{w}{join}absmax": ("U8" if q.get("double") else "F32", [up(n, block)]),
         f"{w}{join}quant_state{end}": ("U8", [len(state)], state)}
    if q.get("double"):
        t |= {f"{w}{join}nested_absmax": ("F32", [up(up(n, block), 256)]), f"{w}{join}nested_quant_map": ("F32", [256])}
    return t


def gguf(m, o, i, q):
    return {m + ".qweight": ("U8", [o, up(i, q["block"]) * q["bytes"]])}


def comfy(m, o, i, q):
    text = json.dumps({"format": q["format"]}).encode()
    if q["format"] == "scaled_fp8":
        return {m + ".weight": ("F8_E4M3", [o, i]), m + ".scale_weight": ("F32", []), "scaled_fp8": ("F8_E4M3", [0])}
    t = {m + ".comfy_quant": ("U8", [len(text)], text)}
    if q["format"] == "nvfp4":
        scales = [up(o, 128) * 128, up(i // 16, 4) * 4]
        return t | {m + ".weight": ("U8", [o, i // 2]), m + ".weight_scale": ("F8_E4M3", scales),
                    m + ".weight_scale_2": ("F32", [])}
    if q["format"] == "mxfp8":
        return t | {m + ".weight": ("F8_E4M3", [o, i]), m + ".weight_scale": ("U8", [up(o, 128) * 128, up(i // 32, 4) * 4])}
    if q["format"].startswith("int8"):
        scales = [o] if q["format"] == "int8_tensorwise" else [up(o, 128), up(i, 128)]
        return t | {m + ".weight": ("I8", [o, i]), m + ".weight_scale": ("F32", scales)}
    return t | {m + ".weight": ("F8_E4M3", [o, i]), m + ".weight_scale": ("F32", []), m + ".input_scale": ("F32", [])}


def scb(m, o, i, q):
    return {m + ".weight": ("I8", [o, i]), m + ".weight_scb": ("F32", [o])}


def exl2(m, o, i, q):
    """An eighth of the inputs has 5 bits, in groups of 32, the rest `bits`, in groups of 64; the head is uniform."""
    fine = 0 if m == "lm_head" else i // 8 // 32 * 32
    groups = fine // 32 + up(i - fine, 64)
    return {m + ".q_weight": ("I32", [(fine * 5 + (i - fine) * q["bits"]) // 32, o]), m + ".q_scale": ("I32", [groups, o // 8]),
            m + ".q_scale_max": ("F16", [groups]), m + ".q_groups": ("I16", [2 * groups]),
            m + ".q_invperm": ("I16", [i])}


def torchao(m, o, i, q):
    kind, block = q["type"], q.get("block")
    names, data = ["qdata", "scale"], {"block_size": block}
    p = m + "._weight_"
    high, wide = block if isinstance(block, list) else (1, block)
    high, wide = (o if high == "all" else high), (i if wide == "all" else wide)
    data["block_size"] = [high, wide] if isinstance(block, list) else block
    if kind in ("Int8Tensor", "IntxUnpackedToInt8Tensor", "Float8Tensor"):
        t = {p + "qdata": ("F8_E4M3" if kind == "Float8Tensor" else "I8", [o, i]),
             p + "scale": ("BF16", [o // high, i // wide])}
        if q.get("zeros"):
            t[p + "zero_point"] = ("I8", [o // high, i // wide])
            names = ["zero_point"] + names if kind == "Int8Tensor" else names + ["zero_point"]
    elif kind == "Int4Tensor":
        t = {p + "qdata": ("I8", [o, i // 2]), p + "scale": ("BF16", [i // wide, o]),
             p + "zero_point": ("BF16", [i // wide, o])}
        names += ["zero_point"]
    elif kind == "Int4TilePackedTo4dTensor":
        t = {p + "qdata": ("I32", [up(o, 8), up(i, 1024) * 8, 32, 4]), p + "scale_and_zero": ("BF16", [i // wide, o, 2])}
        names = ["qdata", "scale_and_zero"]
    else:
        tiled = q.get("tiled", True)
        scales = [up(o, 128) * 32, up(up(i, block), 4) * 16] if tiled else [o, i // block]
        bits, nv = q["bits"], kind == "NVFP4Tensor"
        t = {p + "qdata": ("F8_E4M3" if bits == 8 else "U8", [o, i * bits // 8]),
             p + "scale": ("F8_E4M3" if nv else "F8_E8M0", scales)}
        data |= {"is_swizzled_scales": tiled}
        if nv and q.get("whole", True):
            t[p + "per_tensor_scale"], names = ("F32", []), ["per_tensor_scale"] + names
        elif not nv:
            data["elem_dtype"] = {"_type": "torch.dtype", "_data": "float8_e4m3fn" if bits == 8 else "float4_e2m1fn_x2"}
    said = json.dumps({"_type": kind, "_data": data, "_tensor_data_names": names})
    return t | {m + ".weight": ("said", said)}
