"""schemes.py -- quantizers' output for a whole model, where tensors or configuration keys depend on each other:
each is a function of a Made.

If one weight determines its tensors, it is a rule (rules.py); each() makes a writer from a rule and the keys of
config.json.
"""
import math, re

from . import rules
from .models import Made, up


def each(rule, quantization, head=None, table=None, side=None, **options):
    """`head`, `table`: options if the head or the embeddings are quantized too. `side`: the file that states it,
    if not config.json."""
    def write(m):
        for n, module, joint, lead, o, i in m.maps(plain="F16"):
            m.hold(rule(module, o, i, options))
        for module, more in (("lm_head", head), ("model.embed_tokens", table)):
            if more is not None:
                del m.tensors[module + ".weight"]
                m.hold(rule(module, *m.plain[module + ".weight"], {**options, **more}))
        if side:
            m.sides[side] = quantization
        elif quantization:
            m.config["quantization_config"] = quantization
    return write


def bnb4_stacks(double, stored):
    """bitsandbytes, whose replace_parameter_4bit() packs the experts of a layer into one tensor."""
    def write(m):
        for n, module, joint, lead, o, i in m.maps():
            m.hold(rules.bnb4(n, o, i, dict(type=stored, double=double, experts=lead[0] if lead else 0)))
        m.say(quant_method="bitsandbytes", load_in_4bit=True, bnb_4bit_quant_type=stored, bnb_4bit_use_double_quant=double)
    return write


# ---- MLX, OpenAI ---------------------------------------------------------------------------------------


def mlx_vlm(bits=None, group=64):
    """mlx-vlm's names; its kernels have the channels last. Without bits nothing is packed, else everything after
    the tower."""
    def name(n):
        for old, new in ("model.language_model.", "language_model.model."), ("lm_head.", "language_model.lm_head."), ("model.visual.", "vision_tower."):
            if n.startswith(old): return new + n[len(old):]
        return n

    def write(m):
        m.metadata["format"] = "mlx"
        for n, s in m.plain.items():
            packed = bits and len(s) == 2 and not name(n).startswith("vision_tower.")
            m.put(name(n), "U32" if packed else "BF16", *((s[0], s[1] * bits // 32) if packed else (s[0], *s[2:], s[1]) if len(s) > 3 else s))
            for w in ("scales", "biases") if packed else (): m.put(name(n)[:-6] + w, "BF16", s[0], s[1] // group)
        if bits: m.config["quantization"] = m.config["quantization_config"] = dict(group_size=group, bits=bits, mode="affine")
    return write


def mxfp4_original(m):
    m.metadata = {}
    for n, s in m.plain.items():
        if len(s) == 3:
            m.put(n + ".blocks", "U8", *s[:2], s[2] // 32, 16)
            m.put(n + ".scales", "U8", *s[:2], s[2] // 32)
        else: m.put(n, "BF16", *s)


# ---- NVIDIA Model Optimizer --------------------------------------------------------------------------

GROUP = {"NVFP4": 16, "NVFP4_AWQ": 16, "NVFP4_SVD": 16, "W4A16_NVFP4": 16, "W4A16_AWQ": 128, "W4A8_AWQ": 128,
         "MXFP8": 32, "mxfp4": 32, "w4a8_mxfp4_fp8": 32, "fp8_pb_wo": 128}


def modelopt_map(m, algorithm, n, p, lead, o, i, group, scales=True):
    """The tensors of one map; p: its module and the separator before a suffix."""
    g = group or GROUP.get(algorithm)
    if "NVFP4" in algorithm:
        turned = lead and m.config["model_type"] == "llama4_text"
        m.put(n, "U8", *lead, *((i // 2, o) if turned else (o, i // 2)))
        m.put(p + "weight_scale", "F8_E4M3", *lead, *((i // g, o) if turned else (o, i // g)))
        m.put(p + "weight_scale_2", "F32", *lead)
        if algorithm == "NVFP4_SVD":
            m.put(p + "svdquant_lora_a", "BF16", 32, i)
            m.put(p + "svdquant_lora_b", "BF16", o, 32)
    elif "AWQ" in algorithm:
        m.put(n, "U8", *lead, o // 2, i)
        m.put(p + "weight_scale", "F32", *lead, o, i // g)
        if algorithm == "W4A8_AWQ":
            m.put(p + "weight_scale_2", "F32", *lead)
    elif algorithm in ("mxfp4", "w4a8_mxfp4_fp8"):
        m.put(n, "U8", *lead, o, i // 2)
        m.put(p + "weight_scale", "U8", *lead, o, i // g)
    elif algorithm == "MXFP8":
        m.put(n, "F8_E4M3", *lead, o, i)
        m.put(p + "weight_scale", "U8", *lead, o, i // g)
    elif algorithm == "fp8_pb_wo":
        m.put(n, "F8_E4M3", *lead, o, i)
        m.put(p + "weight_scale", "F32", *lead, up(o, g), 1, up(i, g), 1)
    else:
        turned = lead and m.config["model_type"] == "llama4_text"
        m.put(n, "I8" if algorithm[:2] == "W8" else "F8_E4M3", *lead, *((i, o) if turned else (o, i)))
        if turned:
            lead = ()  # one quantizer for all experts
        m.put(p + "weight_scale", "F32", *lead, *(() if algorithm == "FP8" else (o,)))
    if scales and algorithm not in ("W4A16_NVFP4", "W4A16_AWQ", "W8A16", "mxfp4", "MXFP8", "fp8_pb_wo",
                                    "FP8_PER_CHANNEL_PER_TOKEN"):
        m.put(p + "input_scale", "F32", *lead)
    if algorithm in ("NVFP4_AWQ", "W4A16_AWQ", "W4A8_AWQ", "NVFP4_SVD") and re.search("o_proj|down_proj|w2", n):
        m.put(p + "pre_quant_scale", "BF16", *lead, i)


def modelopt(algorithm, group=None, cache=None, said="both", mixed=None):
    def write(m):
        layers = {}
        for n, module, joint, lead, o, i in m.maps():
            of = next((a for word, a in (mixed or {}).items() if word in n), algorithm)
            modelopt_map(m, of, n, module + joint, lead, o, i, group)
            layers[module] = {"quant_algo": of, **({"group_size": group or GROUP[of]} if of in GROUP else {})}
            if cache and module.endswith(("k_proj", "v_proj")):
                m.put(f"{module}.{module[-6]}_scale", "F32")
            if cache and module.endswith("kv_b_proj"):
                for x in "kv": m.put(module.replace("kv_b", x) + f".{x}_scale", "F32")
        plain = ["lm_head", *(f"model.layers.{i}.mlp.gate" for i in range(2) if "mlp.gate" in str(m.plain))]
        q = dict(quant_algo="MIXED_PRECISION" if mixed else algorithm, kv_cache_quant_algo=cache,
                 exclude_modules=plain, **({"quantized_layers": layers} if mixed else {}))
        if (group or GROUP.get(algorithm)) and not mixed:
            q["group_size"] = group or GROUP[algorithm]
        producer = {"name": "modelopt", "version": "0.47.0"}
        if said != "config":
            m.sides["hf_quant_config.json"] = {"producer": producer, "quantization": q}
        if said == "file":
            return
        c = dict(quant_method="modelopt", producer=producer, quant_algo=q["quant_algo"], ignore=plain)
        details = modelopt_group(algorithm, group)
        if details and not mixed:
            c["config_groups"] = {"group_0": {**details, "targets": ["Linear"]}}
        if mixed:
            c["quantized_layers"] = layers
            c["config_groups"] = {f"group_{i}": {**modelopt_group(a, group), "targets": sorted(
                x for x in layers if layers[x]["quant_algo"] == a)} for i, a in enumerate(sorted(
                    {x["quant_algo"] for x in layers.values()}))}
        m.say(**c)
    return write


def modelopt_group(algorithm, group):
    def of(bits, size=None, kind="float"):
        return {"dynamic": False, "num_bits": bits, "type": kind, **({"group_size": size} if size else {})}
    g = group or GROUP.get(algorithm)
    return {"FP8": {"input_activations": of(8), "weights": of(8)},
            "NVFP4": {"input_activations": of(4, g), "weights": of(4, g)},
            "NVFP4_SVD": {"input_activations": of(4, g), "weights": of(4, g), "pre_quant_scale": True},
            "W4A16_AWQ": {"weights": of(4, g, "int")},
            "W4A16_NVFP4": {"weights": of(4, g)}}.get(algorithm, {})


# ---- FP8, one scale per tensor -----------------------------------------------------------------------

def fp8_static(scheme="static", shape=(), dtype="F32", cache=False):
    def write(m):
        for n, module, joint, lead, o, i in m.maps():
            m.put(n, "F8_E4M3", *lead, o, i)
            m.put(module + joint + "weight_scale", dtype, *lead, *shape)
            if scheme == "static":
                m.put(module + joint + "input_scale", dtype, *lead, *shape)
            if cache and module.endswith("k_proj"):
                for x in "kv":
                    m.put(module.replace("k_proj", x + "_scale"), dtype, *shape)
        m.say(quant_method="fp8", activation_scheme=scheme, ignored_layers=["lm_head"])
    return write


# ---- AMD Quark ---------------------------------------------------------------------------------------

def quark(dtype, scheme, group=None, fixed=True, scale="F32"):
    def write(m):
        for n, module, joint, lead, o, i in m.maps():
            p = module + joint
            if dtype == "fp8_e4m3":
                m.put(n, "F8_E4M3", o, i)
                m.put(p + "weight_scale", scale, *(() if scheme == "per_tensor" else (o,)))
                if fixed:
                    m.put(p + "input_scale", scale)
            elif dtype == "fp4":
                m.put(n, "U8", o, i // 2)
                m.put(p + "weight_scale", "U8", o, i // group)
            else:
                m.put(n, "I32", i, o // 8)
                m.put(p + "weight_scale", scale, i // group, o)
                if dtype == "uint4":
                    m.put(p + "weight_zero_point", "I32", i // group, o // 8)
        weight = dict(dtype=dtype, qscheme=scheme, is_dynamic=False, symmetric=dtype != "uint4", ch_axis=0,
                      group_size=group)
        m.say(quant_method="quark", exclude=["lm_head"], algo_config=None, layer_quant_config={},
              export=dict(kv_cache_group=[], pack_method="reorder", weight_format="real_quantized"),
              global_quant_config=dict(weight=weight, bias=None, output_tensors=None, input_tensors=dict(
                  dtype=dtype, qscheme="per_tensor", is_dynamic=False) if fixed else None))
    return write


# ---- compressed-tensors ------------------------------------------------------------------------------

def ct(bits, strategy="group", group=128, kind="int", format="pack-quantized", symmetric=True, order=None, inputs=None,
       padded=False, cache=None, block=(128, 128), sparse=False, but=None, scale="BF16", shape=True, said=None):
    """One group of modules; `inputs`: activation settings; `said`: further weight settings."""
    def write(m):
        for n, module, joint, lead, o, i in m.maps(but):
            ct_map(m, n, module, o, i)
            if inputs and inputs["dynamic"] is False:
                m.put(module + ".input_scale", scale, 1)
                if not inputs.get("symmetric", True):
                    m.put(module + ".input_zero_point", "I8", 1)
            if cache and module.endswith("k_proj"):
                for x in "kv":
                    m.put(module.replace("k_proj", x + "_scale"), scale, *cache)
        weights = dict(num_bits=bits, type=kind, symmetric=symmetric, strategy=strategy, dynamic=False, actorder=order,
                       group_size=group if strategy in ("group", "tensor_group") else None,
                       block_structure=list(block) if strategy == "block" else None, **(said or {}))
        m.say(quant_method="compressed-tensors", format=format, quantization_status="compressed",
              ignore=["lm_head", "re:.*block_sparse_moe[.]gate$", "re:.*mlp[.]gate$"] + ([f"re:.*{but}"] if but else []),
              kv_cache_scheme=dict(num_bits=8, type="float", strategy="tensor", dynamic=False) if cache else None,
              sparsity_config=dict(format="sparse-24-bitmask", targets=["Linear"], ignore=["lm_head"]) if sparse else {},
              config_groups={} if bits is None else {"group_0": dict(
                  targets=["Linear"], weights=weights, input_activations=inputs, output_activations=None)})

    def ct_map(m, n, p, o, i):
        g = -(-i // group) if strategy in ("group", "tensor_group") else 1
        if sparse:
            m.put(n + ".compressed", {None: "BF16", 8: "F8_E4M3" if kind == "float" else "I8"}[bits], o, i // 2)
            m.put(n + ".bitmask", "U8", o, up(i, 8))
            m.numbers(n + ".shape", "I64", (o, i))
        elif format == "marlin-24":
            m.put(p + ".weight_packed", "I32", i // 32, o * bits // 2)
            m.put(p + ".scale_packed", "F16", g, o)
            m.put(p + ".meta", "I16", i // 32, o * 2)
        elif format in ("nvfp4-pack-quantized", "mxfp4-pack-quantized"):
            m.put(p + ".weight_packed", "U8", o, i // 2)
            m.put(p + ".weight_scale", "F8_E4M3" if format[0] == "n" else "U8", o, g)
            if format[0] == "n":
                m.put(p + ".weight_global_scale", "F32", 1)
            if format[0] == "n" and inputs:
                m.put(p + ".input_global_scale", "F32", 1)
        elif format == "pack-quantized":
            per = 32 // bits
            m.put(p + ".weight_packed", "I32", o, up(i, per) if padded else up(i * bits, 32))
        elif format == "mxfp8-quantized":
            m.put(n, "F8_E4M3", o, i)
            m.put(n + "_scale", "U8", o, g)
        else:
            m.put(n, "F8_E4M3" if kind == "float" else "I8", o, i)
        if format in ("pack-quantized", "marlin-24") and shape:
            m.numbers(p + ".weight_shape", "I64", (o, i))
        if format in ("pack-quantized", "int-quantized", "float-quantized", "naive-quantized") and bits:
            of = {"tensor": (1,), "block": (up(o, block[0]), up(i, block[1]))}.get(strategy, (o, g))
            m.put(p + ".weight_scale", scale, *of)
            if not symmetric and format == "pack-quantized" and strategy != "tensor":
                m.put(p + ".weight_zero_point", "I32", up(o, 32 // bits) if padded else up(o * bits, 32), g)
            elif not symmetric:
                m.put(p + ".weight_zero_point", "I8", *of)
        if order == "group":
            m.put(p + ".weight_g_idx", "I32", i)
    return write


def ct_mixed(groups):
    """Several groups: {substring of names: writer of ct()}."""
    def write(m):
        made = []
        for word, one in groups.items():
            part = Made(lambda: (dict(m.config), dict(m.plain)))
            one(part)
            made.append((word, part))
        config_groups = {}
        for n in m.plain:
            stem = n.removesuffix("weight") if n.endswith(".weight") else n
            part = next((p for w, p in made if w in n), made[-1][1])
            for x, t in part.tensors.items():
                if x.startswith(stem):
                    m.tensors[x] = t
                    if x in part.small:
                        m.small[x] = part.small[x]
        for k, (word, part) in enumerate(made):
            q = part.config["quantization_config"]
            config_groups[f"group_{k}"] = {**q["config_groups"]["group_0"], "format": q["format"],
                                           "targets": [f"re:.*{word}.*"]}
        m.say(**{**q, "format": "mixed-precision", "config_groups": config_groups})
    return write


# ---- others ------------------------------------------------------------------------------------------

def fbgemm(m):
    for n, module, joint, lead, o, i in m.maps():
        m.put(n, "F8_E4M3", *((*lead, i, o) if lead else (o, i)))
        m.put(n + "_scale", "F32", *lead, *(((1, o) if "gate_up" in n else (o, 1)) if lead else (o, 1)))
        if not lead:
            m.put(module + ".input_scale_ub", "F32", 1)
    m.say(quant_method="fbgemm_fp8", activation_scale_ub=1200.0, modules_to_not_convert=["lm_head"])


def gptqmodel_fp8(method):
    def write(m):
        for n, module, joint, lead, o, i in m.maps():
            m.put(n, "F8_E4M3", o, i)
            m.put(n + "_scale_inv", "F32", *((o,) if method == "row" else ()))
        m.say(quant_method="fp8", method="fp8", format="float8_e4m3fn", checkpoint_format="float8_e4m3fn", bits=8,
              group_size=-1, weight_scale_method=method, weight_scale_semantics="inverse", pack_dtype="int32")
    return write


def transformers_fp8(m):
    """FineGrainedFP8Config without a block: experts one by one, their scales in one tensor."""
    for n, module, joint, lead, o, i in m.maps():
        m.put(n, "F8_E4M3", *lead, o, i)
        if lead:
            m.put(n + "_scale_inv", "F32", *lead, 2 if "gate_up" in n else 1, 1)
        elif ".experts." in n:
            stack = n.split(".experts.")[0] + ".experts."
            m.put(stack + "down_proj_scale_inv", "F32", 4, 1, 1)
            m.put(stack + "gate_up_proj_scale_inv", "F32", 4, 2, 1)
        else:
            m.put(n + "_scale_inv", "F32")
    m.say(quant_method="fp8", activation_scheme="dynamic", weight_block_size=None)


def exponents(experts="fp4"):
    def write(m):
        for n, module, joint, lead, o, i in m.maps():
            fp4 = experts == "fp4" and ".experts." in n
            m.put(n, "I8" if fp4 else "F8_E4M3", o, i // 2 if fp4 else i)
            m.put(module + ".scale", "F8_E8M0", *((o, i // 32) if fp4 else (up(o, 128), up(i, 128))))
        m.say(quant_method="fp8", activation_scheme="dynamic", fmt="e4m3", scale_fmt="ue8m0",
              weight_block_size=[128, 128], expert_dtype=experts)
    return write


def native(dtype, group):
    def write(m):
        for n, module, joint, lead, o, i in m.maps():
            m.put(n, dtype, *lead, o, i)
            m.put(module + joint + "weight_scale", "F8_E8M0" if group == 32 else "F8_E4M3", *lead, o, i // group)
            if group == 16:
                m.put(module + joint + "weight_scale_2", "F32", *lead)
    return write


def fp_quant(forward, rotated):
    def write(m):
        for n, module, joint, lead, o, i in m.maps():
            g = 16 if forward == "nvfp4" else 32
            m.put(module + ".qweight", "U8", o, i // 2)
            m.put(module + ".scales", "U8", o, i // g)
            for x in ("weight_global_scale", "act_global_scale"):
                m.put(f"{module}.{x}", "F32", 1)
            for x in ("forward", "backward"):
                m.put(f"{module}.{x}_hadamard_matrix", "BF16", rotated, rotated)
        m.say(quant_method="fp_quant", forward_dtype=forward, forward_method="abs_max", backward_dtype="bf16",
              hadamard_group_size=rotated, modules_to_not_convert=["lm_head"], store_master_weights=False)
    return write


def autoround(data_type, bits, inputs):
    """Its own keys over compressed-tensors' tensors."""
    def write(m):
        nv = data_type == "nv_fp"
        one = {True: ct(4, "tensor_group", 16, "float", "nvfp4-pack-quantized", inputs=LOCAL if inputs < 16 else None),
               False: ct(bits, "group", 32, "float", "mxfp4-pack-quantized" if bits == 4 else "mxfp8-quantized")}[nv]
        one(m)
        m.say(quant_method="auto-round", bits=bits, data_type=data_type, group_size=16 if nv else 32, sym=True,
              act_bits=inputs, act_data_type="nv_fp4_with_static_gs" if nv else data_type, act_dynamic=True,
              packing_format="auto_round:llm_compressor", autoround_version="0.15.1",
              block_name_to_quantize="model.layers")
    return write


TOKEN = dict(num_bits=8, type="int", symmetric=True, strategy="token", dynamic=True)
TOKEN_FLOAT = {**TOKEN, "type": "float"}
FIXED = dict(num_bits=8, type="float", symmetric=True, strategy="tensor", dynamic=False)
LOCAL = dict(num_bits=4, type="float", symmetric=True, strategy="tensor_group", group_size=16, dynamic="local")
