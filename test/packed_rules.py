"""packed_rules.py -- headers by the rules of quantizers, for options that no file of fixtures/packed has.

A case is a small model of MODELS and a rule: what the quantizer stores of a weight of `out` by `in`, as its
source says it. packed.unpack() writes them beside the cases of the archives; weights are holes, and what a
rule returns as bytes is real. The number of parameters is the sum over the model that nobody has quantized.
"""
import json, math, os, struct

WIDTH = {"F64": 8, "I64": 8, "F32": 4, "I32": 4, "U32": 4, "F16": 2, "BF16": 2, "I16": 2}


def up(a, b):
    return -(-a // b)


# ---- models: (config.json, {name: shape}, pattern-free list of weights that are quantized) -------------------

def decoder(model_type, cls, hidden=256, inner=512, heads=4, kv=2, dim=64, vocab=512, layers=2, biases=False,
            tied=False, experts=None, per_head=False, router="mlp.gate", names=("gate_proj", "up_proj", "down_proj"),
            where="mlp", **more):
    t, linear = {"model.embed_tokens.weight": [vocab, hidden], "model.norm.weight": [hidden]}, {}
    for i in range(layers):
        p, s = f"model.layers.{i}.", {}
        s |= {"self_attn.q_proj": [heads * dim, hidden], "self_attn.k_proj": [kv * dim, hidden],
              "self_attn.v_proj": [kv * dim, hidden], "self_attn.o_proj": [hidden, heads * dim]}
        if biases:
            t |= {f"{p}{m}.bias": o[:1] for m, o in s.items() if not m.endswith("o_proj")}
        if per_head:
            t |= {p + "self_attn.q_norm.weight": [dim], p + "self_attn.k_norm.weight": [dim]}
        for stem in [where] if not experts else [f"{where}.experts.{e}" for e in range(experts)]:
            gate, up_, down = names
            s |= {f"{stem}.{gate}": [inner, hidden], f"{stem}.{up_}": [inner, hidden], f"{stem}.{down}": [hidden, inner]}
        if experts:
            t[p + router + ".weight"] = [experts, hidden]
        t |= {p + "input_layernorm.weight": [hidden], p + "post_attention_layernorm.weight": [hidden]}
        linear |= {p + m: x for m, x in s.items()}
    if not tied:
        t["lm_head.weight"] = [vocab, hidden]
    config = dict(architectures=[cls], model_type=model_type, hidden_size=hidden, intermediate_size=inner,
                  num_hidden_layers=layers, num_attention_heads=heads, num_key_value_heads=kv, head_dim=dim,
                  vocab_size=vocab, tie_word_embeddings=tied, rms_norm_eps=1e-6, max_position_embeddings=128,
                  hidden_act="silu", torch_dtype="bfloat16", **more)
    return config, t, linear


MODELS = {
    "llama": lambda: decoder("llama", "LlamaForCausalLM"),
    "odd": lambda: decoder("mistral", "MistralForCausalLM", hidden=320, inner=736, heads=5, kv=5, sliding_window=None),
    "qwen2": lambda: decoder("qwen2", "Qwen2ForCausalLM", biases=True, use_sliding_window=False),
    "qwen2tied": lambda: decoder("qwen2", "Qwen2ForCausalLM", biases=True, tied=True, use_sliding_window=False),
    "mixtral": lambda: decoder("mixtral", "MixtralForCausalLM", experts=4, router="block_sparse_moe.gate",
                               where="block_sparse_moe", names=("w1", "w3", "w2"), num_local_experts=4,
                               num_experts_per_tok=2, sliding_window=None),
    "qwen3moe": lambda: decoder("qwen3_moe", "Qwen3MoeForCausalLM", inner=128, experts=4, per_head=True,
                                num_experts=4, num_experts_per_tok=2, moe_intermediate_size=128,
                                decoder_sparse_step=1, mlp_only_layers=[], norm_topk_prob=True),
    "8b": lambda: decoder("llama", "LlamaForCausalLM", hidden=4096, inner=14336, heads=32, kv=8, dim=128,
                          vocab=128256, layers=32),
}


# ---- rules: (module, out, in, options) -> {name: (type, shape[, bytes])} ---------------------------------------

def awq(m, o, i, q):
    b, g = q["bits"], i if q["group"] == -1 else q["group"]
    return {m + ".qweight": ("I32", [i, o * b // 32]), m + ".qzeros": ("I32", [i // g, o * b // 32]),
            m + ".scales": ("F16", [i // g, o])}


def zeros_width(i, g):
    """AutoAWQ's calculate_zeros_width(), of 4 bits in words of 32."""
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
    """AutoAWQ's Marlin has neither zero points nor, in a file, a workspace."""
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
    i, o = up(i, 128) * 128, up(o, 128) * 128  # it pads what it converts
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
    """`experts`: of a stack of so many, else as GPTQModel spells it."""
    n, block = o * i * q.get("experts", 1), q.get("block", 64)
    shape = [q["experts"], o, i] if "experts" in q else [o, i]
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
    return t | {m + ".weight": ("F8_E4M3", [o, i]), m + ".weight_scale": ("F32", []), m + ".input_scale": ("F32", [])}


def scb(m, o, i, q):
    return {m + ".weight": ("I8", [o, i]), m + ".weight_scb": ("F32", [o])}


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


# ---- cases ---------------------------------------------------------------------------------------------------

def c(model, rule, quantization, head=None, table=None, note="", side=None, **options):
    """`head`, `table`: the head, the embeddings are quantized too, by these options. `side`: the file that says so, if not config.json."""
    return dict(model=model, rule=rule, quantization=quantization, head=head, table=table, note=note, side=side, options=options)


AWQ = dict(quant_method="awq", bits=4, group_size=128, zero_point=True, version="gemm")
GPTQ = dict(quant_method="gptq", bits=4, group_size=128, desc_act=False, sym=True)

def hqq_config(bits, group, axis=1, view=False, **more):
    one = {"weight_quant_params": dict(nbits=bits, group_size=group, axis=axis, view_as_float=view)}
    return dict(quant_method="hqq", quant_config=one, skip_modules=["lm_head"])


def torchao_config(kind):
    return dict(quant_method="torchao", quant_type={"default": {"_type": kind, "_data": {}}})


def qmap(kind, model):
    return {m: {"weights": kind, "activations": "none"} for m in MODELS[model]()[2]}


CASES = {
    "rule-awq-g32-odd": c("odd", awq, {**AWQ, "group_size": 32, "version": "GEMM"}, bits=4, group=32),
    "rule-awq-g64-qwen2": c("qwen2", awq, {**AWQ, "group_size": 64}, bits=4, group=64),
    "rule-awq-g-1-llama": c("llama", awq, {**AWQ, "group_size": -1}, bits=4, group=-1),
    "rule-awq-mixtral": c("mixtral", awq, {**AWQ, "modules_to_not_convert": ["gate"]}, bits=4, group=128),
    "rule-awq-qwen3moe": c("qwen3moe", awq, AWQ, bits=4, group=128),
    "rule-awq-8bit-llama": c("llama", awq, {**AWQ, "bits": 8}, bits=8, group=128),
    "rule-awq-side-llama": c("llama", awq, dict(zero_point=True, q_group_size=64, w_bit=4, version="GEMM"),
                             side="quant_config.json", bits=4, group=64),
    "rule-awq-8b": c("8b", awq, AWQ, bits=4, group=128),
    "rule-awq-gemv-g32-llama": c("llama", awq_gemv, {**AWQ, "group_size": 32, "version": "gemv"}, group=32),
    "rule-awq-gemv-g64-qwen2": c("qwen2", awq_gemv, {**AWQ, "group_size": 64, "version": "gemv"}, group=64),
    "rule-awq-gemv-g128-mixtral": c("mixtral", awq_gemv, {**AWQ, "version": "gemv"}, group=128),
    "rule-awq-gemv-8b": c("8b", awq_gemv, {**AWQ, "version": "gemv"}, group=128),
    "rule-awq-gemv_fast-g32-llama": c("llama", awq_fast, {**AWQ, "group_size": 32, "version": "gemv_fast"}, group=32),
    "rule-awq-gemv_fast-g64-mixtral": c("mixtral", awq_fast, {**AWQ, "group_size": 64, "version": "gemv_fast"},
                                        group=64),
    "rule-awq-llm-awq-llama": c("llama", awq_fast, {**AWQ, "version": "gemm", "backend": "llm-awq"}, group=128,
                                zeros="scaled_zeros"),
    "rule-awq-llm-awq-qwen2": c("qwen2", awq_fast, dict(quant_method="awq", bits=4, group_size=64, sym=False,
                                format="llm-awq", checkpoint_format="llm-awq", version="llm-awq", zero_point=True),
                                group=64, zeros="scaled_zeros"),
    "rule-awq-marlin-sym-llama": c("llama", awq_marlin, {**AWQ, "zero_point": False, "version": "marlin"}, group=128),
    "rule-awq-marlin-sym-mixtral": c("mixtral", awq_marlin, {**AWQ, "zero_point": False, "version": "marlin"},
                                     group=128),
    "rule-autoround-awq-llama": c("llama", awq, dict(quant_method="auto-round", packing_format="auto_round:auto_awq",
                                  bits=4, group_size=32, sym=False, data_type="int"), bits=4, group=32),
    "rule-gptq-3bit-padded-odd": c("odd", gptq, {**GPTQ, "bits": 3}, bits=3, group=128, padded=True),
    "rule-gptq-5bit-padded-llama": c("llama", gptq, {**GPTQ, "bits": 5, "group_size": 32}, bits=5, group=32,
                                     padded=True),
    "rule-gptq-act-llama": c("llama", gptq, {**GPTQ, "desc_act": True, "group_size": -1}, bits=4, group=-1),
    "rule-gptq-act-mixtral": c("mixtral", gptq, {**GPTQ, "desc_act": True}, bits=4, group=128),
    "rule-gptq-2bit-I8-qwen3moe": c("qwen3moe", gptq, {**GPTQ, "bits": 2, "pack_dtype": "int8"}, bits=2, group=128, word=8),
    "rule-gptq-6bit-I64-llama": c("llama", gptq, {**GPTQ, "bits": 6, "pack_dtype": "int64", "format": "gptq_p",
                                  "checkpoint_format": "gptq_p"}, bits=6, group=128, word=64),
    "rule-gptq-v2-head-llama": c("llama", gptq, {**GPTQ, "checkpoint_format": "gptq_v2", "lm_head": True}, head={},
                                 bits=4, group=128),
    "rule-gptq-8b": c("8b", gptq, {**GPTQ, "bits": 3}, bits=3, group=128),
    "rule-gptq-marlin-llama": c("llama", marlin, {**GPTQ, "is_marlin_format": True}, bits=4, group=128),
    "rule-gptq-marlin-format-qwen2": c("qwen2", marlin, {**GPTQ, "group_size": -1, "checkpoint_format": "marlin"},
                                       bits=4, group=-1, workspace=64),
    "rule-marlin-8bit-mixtral": c("mixtral", marlin, dict(quant_method="marlin", bits=8, group_size=128),
                                  bits=8, group=128, workspace=128),
    "rule-gptq-marlin_24-llama": c("llama", marlin_24, {**GPTQ, "checkpoint_format": "marlin_24"}, bits=4, group=128),
    "rule-gptq-marlin_24-8bit-qwen2": c("qwen2", marlin_24, {**GPTQ, "bits": 8, "group_size": -1,
                                        "checkpoint_format": "marlin_24"}, bits=8, group=-1),
    "rule-bitblas-sym-llama": c("llama", bitblas, {**GPTQ, "checkpoint_format": "bitblas"}, bits=4, group=128, sym=True),
    "rule-bitblas-asym-2bit-llama": c("llama", bitblas, {**GPTQ, "sym": False, "bits": 2, "group_size": 64,
                                      "checkpoint_format": "bitblas"}, bits=2, group=64, sym=False),
    "rule-bitblas-8bit-mixtral": c("mixtral", bitblas, {**GPTQ, "bits": 8, "group_size": -1, "quant_method": "bitblas"},
                                   bits=8, group=-1, sym=True),
    "rule-qqq-llama": c("llama", qqq, dict(quant_method="qqq", bits=4, group_size=128), group=128),
    "rule-qqq-g-1-qwen2": c("qwen2", qqq, dict(quant_method="qqq", wbits=4, group_size=-1), group=-1),
    "rule-qqq-mixtral": c("mixtral", qqq, dict(quant_method="qqq", format="qqq", bits=4, group_size=-1), group=-1),
    "rule-eetq-qweight-mixtral": c("mixtral", eetq, dict(quant_method="eetq", weights="int8"), name="qweight"),
    "rule-eetq-odd": c("odd", eetq, dict(quant_method="eetq", weights="int8", modules_to_not_convert=["lm_head"])),
    "rule-bitnet-llama": c("llama", bitnet, dict(quant_method="bitnet", modules_to_not_convert=None)),
    "rule-bitnet-odd": c("odd", bitnet, dict(quant_method="bitnet", linear_class="bitlinear",
                         quantization_mode="offline")),
    "rule-bitnet-auto-llama": c("llama", bitnet, dict(quant_method="bitnet", linear_class="autobitlinear",
                                quantization_mode="offline"), plain=True),
    "rule-aqlm-1x12-mixtral": c("mixtral", aqlm, dict(quant_method="aqlm", in_group_size=16, out_group_size=1,
                                num_codebooks=1, nbits_per_codebook=12), inputs=16, outputs=1, books=1, bits=12),
    "rule-aqlm-4x8-qwen2": c("qwen2", aqlm, dict(quant_method="aqlm", in_group_size=4, out_group_size=2,
                             num_codebooks=4, nbits_per_codebook=8), inputs=4, outputs=2, books=4, bits=8),
    "rule-higgs-3bit-llama": c("llama", higgs, dict(quant_method="higgs", bits=3, p=2, group_size=64), bits=3, group=64),
    "rule-higgs-2bit-mixtral": c("mixtral", higgs, dict(quant_method="higgs", bits=2, p=2, group_size=256), bits=2,
                                 group=256),
    "rule-bnb8-llama": c("llama", bnb8, dict(quant_method="bitsandbytes", load_in_8bit=True, _load_in_8bit=True,
                         load_in_4bit=False, _load_in_4bit=False, llm_int8_skip_modules=None)),
    "rule-bnb8-old-qwen2": c("qwen2", bnb8, dict(load_in_8bit=True, quant_method="bitsandbytes"), format=False),
    "rule-bnb8-mixtral": c("mixtral", bnb8, dict(quant_method="bitsandbytes", load_in_8bit=True)),
    "rule-exl3-su-odd": c("odd", exl3, dict(quant_method="exl3", bits=5.0, head_bits=8), head=dict(bits=8), bits=5,
                          packed=True),
    "rule-exl3-mcg-qwen3moe": c("qwen3moe", exl3, dict(quant_method="exl3", bits=2.0, head_bits=6, codebook="mcg"), head=dict(bits=6),
                                bits=2, codebook="mcg"),
    "rule-gemma-2bit-llama": c("llama", gemma, dict(quant_method="gemma", num_bits=2, quantize_embeddings=False), bits=2),
    "rule-gemma-8bit-mixtral": c("mixtral", gemma, dict(quant_method="gemma", num_bits=8), bits=8),
    "rule-gemma-head-odd": c("odd", gemma, dict(quant_method="gemma", num_bits=4, modules_to_not_convert=[]), head={},
                             table=dict(embedding=True), bits=4),
    "rule-quanto-int4-llama": c("llama", quanto, qmap("qint4", "llama"), side="quanto_qmap.json", bits=4),
    "rule-quanto-int2-mixtral": c("mixtral", quanto, qmap("qint2", "mixtral"), side="quanto_qmap.json", bits=2),
    "rule-quanto-int4-odd": c("odd", quanto, qmap("qint4", "odd"), side="quanto_qmap.json", bits=4),
    "rule-quanto-int4-qwen3moe": c("qwen3moe", quanto, qmap("qint4", "qwen3moe"), side="quanto_qmap.json", bits=4),
    "rule-quanto-int8-qwen2": c("qwen2", quanto, qmap("qint8", "qwen2"), side="quanto_qmap.json", bits=8),
    "rule-quanto-e5m2-llama": c("llama", quanto, qmap("qfloat8_e5m2", "llama"), side="quanto_qmap.json", bits=8,
                                type="F8_E5M2"),
    "rule-hqq-3bit-llama": c("llama", hqq, hqq_config(3, 64), bits=3, group=64),
    "rule-hqq-5bit-mixtral": c("mixtral", hqq, hqq_config(5, 64), bits=5, group=64),
    "rule-hqq-1.58bit-llama": c("llama", hqq, hqq_config(1.58, 64), bits=1.58, group=64),
    "rule-hqq-4bit-axis0-llama": c("llama", hqq, hqq_config(4, 64, 0), bits=4, group=64, axis=0),
    "rule-hqq-3bit-axis0-qwen2": c("qwen2", hqq, hqq_config(3, 128, 0), bits=3, group=128, axis=0),
    "rule-hqq-2bit-axis0-none": c("llama", hqq, hqq_config(2, None, 0), bits=2, group=None, axis=0),
    "rule-hqq-4bit-view-llama": c("llama", hqq, hqq_config(4, 64, view=True), bits=4, group=64, view=True),
    "rule-bnb4-gptqmodel-llama": c("llama", bnb4, dict(quant_method="bitsandbytes", method="bitsandbytes", bits=4,
                                   format="nf4", checkpoint_format="nf4", block_size=64, compress_statistics=True),
                                   type="nf4", double=True),
    "rule-bnb4-gptqmodel-fp4-mixtral": c("mixtral", bnb4, dict(quant_method="bitsandbytes", method="bitsandbytes", bits=4,
                                         format="fp4", block_size=128, compress_statistics=False), type="fp4", block=128),
    "rule-bnb8-gptqmodel-llama": c("llama", scb, dict(quant_method="bitsandbytes", method="bitsandbytes", bits=8,
                                   format="int8", block_size=64, compress_statistics=True)),
    "rule-torchao-int8-llama": c("llama", torchao, torchao_config("Int8WeightOnlyConfig"), type="Int8Tensor",
                                 block=[1, "all"]),
    "rule-torchao-int8-zeros-qwen2": c("qwen2", torchao, torchao_config("Int8WeightOnlyConfig"), type="Int8Tensor",
                                       block=[1, "all"], zeros=True),
    "rule-torchao-intx-g32-mixtral": c("mixtral", torchao, torchao_config("IntxWeightOnlyConfig"), zeros=True,
                                       type="IntxUnpackedToInt8Tensor", block=[1, 32]),
    "rule-torchao-float8-llama": c("llama", torchao, torchao_config("Float8WeightOnlyConfig"), type="Float8Tensor",
                                   block=[1, "all"]),
    "rule-torchao-float8-whole-odd": c("odd", torchao, torchao_config("Float8WeightOnlyConfig"), type="Float8Tensor",
                                       block=["all", "all"]),
    "rule-torchao-int4-g64-llama": c("llama", torchao, torchao_config("Int4WeightOnlyConfig"), type="Int4Tensor",
                                     block=[1, 64]),
    "rule-torchao-int4-tiles-llama": c("llama", torchao, torchao_config("Int4WeightOnlyConfig"), block=[1, 128],
                                       type="Int4TilePackedTo4dTensor"),
    "rule-torchao-nvfp4-qwen3moe": c("qwen3moe", torchao, torchao_config("NVFP4WeightOnlyConfig"), type="NVFP4Tensor",
                                     block=16, bits=4),
    "rule-torchao-nvfp4-apart-odd": c("odd", torchao, torchao_config("NVFP4WeightOnlyConfig"), type="NVFP4Tensor",
                                      block=16, bits=4, whole=False),
    "rule-torchao-mxfp8-llama": c("llama", torchao, torchao_config("MXDynamicActivationMXWeightConfig"), block=32,
                                  type="MXTensor", bits=8, tiled=False),
    "rule-comfy-scaled_fp8-llama": c("llama", comfy, None, format="scaled_fp8"),
    "rule-comfy-fp8-qwen2": c("qwen2", comfy, None, format="float8_e4m3fn"),
    "rule-comfy-nvfp4-odd": c("odd", comfy, None, format="nvfp4"),
    "rule-gguf-q4_0-llama": c("llama", gguf, dict(quant_method="gguf", method="gguf", bits=4, format="q_0",
                              checkpoint_format="q_0"), block=32, bytes=18),
    "rule-gguf-q6_k-odd": c("odd", gguf, dict(quant_method="gguf", method="gguf", bits=6, format="q_k"), block=256,
                            bytes=210),
    "rule-gguf-q8_0-mixtral": c("mixtral", gguf, dict(quant_method="gguf", bits=8, format="q_0"), block=32, bytes=34),
    "rule-gguf-q4_k_m-qwen2": c("qwen2", gguf, dict(quant_method="gguf", bits=4, format="q_k_m"), block=256, bytes=144),
    "rule-gptqmodel-awq-llama": c("llama", awq, dict(quant_method="awq", method="awq", format="gemm", bits=4,
                                  checkpoint_format="gemm", group_size=64, sym=False, zero_point=True,
                                  version="gemm", pack_dtype="int32"), bits=4, group=64),
}


def write(folder, tensors, files):
    os.makedirs(folder)
    entries, at, data = {"__metadata__": {"format": "pt"}}, 0, {}
    for name, (dtype, shape, *real) in sorted(tensors.items()):
        if dtype == "said":  # of a weight of that name
            entries["__metadata__"][name] = shape
            continue
        size = WIDTH.get(dtype, 1) * math.prod(shape)
        entries[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, at + size]}
        data |= {at: x for x in real}
        at += size
    text = json.dumps(entries, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(os.path.join(folder, "model.safetensors"), "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for where, real in data.items():
            f.seek(8 + len(text) + where)
            f.write(real)
        f.truncate(8 + len(text) + at)
    for name, value in files.items():
        with open(os.path.join(folder, name), "w") as f:
            json.dump(value, f)


def made(name):
    """(tensors, files, parameters) of a case."""
    case = CASES[name]
    config, plain, linear = MODELS[case["model"]]()
    count = sum(math.prod(s) for s in (*plain.values(), *linear.values()))
    tensors = {n: ("F16", s) for n, s in plain.items()}
    for m, (o, i) in linear.items():
        tensors |= case["rule"](m, o, i, case["options"])
    if case["head"] is not None:
        o, i = plain["lm_head.weight"]
        del tensors["lm_head.weight"]
        tensors |= case["rule"]("lm_head", o, i, {**case["options"], **case["head"]})
    if case["table"] is not None:
        o, i = plain["model.embed_tokens.weight"]
        del tensors["model.embed_tokens.weight"]
        tensors |= case["rule"]("model.embed_tokens", o, i, {**case["options"], **case["table"]})
    files = {"config.json": config}
    if case["side"]:
        files[case["side"]] = case["quantization"]
    elif case["quantization"]:
        config["quantization_config"] = case["quantization"]
    return tensors, files, count


def write_all(folder):
    for name in CASES:
        tensors, files, _ = made(name)
        write(os.path.join(folder, name), tensors, files)


def rows():
    """As those of TRUTH.tsv."""
    return [dict(case=n, made="rule", true_parameters=str(made(n)[2]), note=CASES[n]["note"]) for n in CASES]
