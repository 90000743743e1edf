"""packed_headers.py -- checkpoints made of a writer's rule: headers, the few bytes that matter, configurations.

What packed.py unpacks was written by quantizers; options that no such case has are here, each a base (a small model, its
tensors as transformers names them) and a writer (what it stores in place of each linear map, and what it
says in config.json). Values are holes. CASES names them; packed.py writes them beside the others.
"""
import json, math, os, re, struct

WIDTH = {"F64": 8, "I64": 8, "F32": 4, "I32": 4, "U32": 4, "F16": 2, "BF16": 2, "I16": 2, "U16": 2}
SUBBYTE = {"F4": 4, "F6_E2M3": 6, "F6_E3M2": 6}
E, F, V, L, H, K, D = 256, 512, 512, 2, 4, 2, 64


# ---- bases: (configuration, {name: shape}) -----------------------------------------------------------

def config(kind, cls, **more):
    return dict(architectures=[cls], model_type=kind, hidden_size=E, intermediate_size=F, num_hidden_layers=L,
                num_attention_heads=H, num_key_value_heads=K, head_dim=D, vocab_size=V, rms_norm_eps=1e-6,
                max_position_embeddings=128, tie_word_embeddings=False, hidden_act="silu", **more)


def body(layer):
    """What decoders of this family have in common; `layer`: {name: shape} of its maps."""
    t = {"model.embed_tokens.weight": (V, E), "lm_head.weight": (V, E), "model.norm.weight": (E,)}
    for i in range(L):
        p = f"model.layers.{i}."
        t[p + "input_layernorm.weight"] = t[p + "post_attention_layernorm.weight"] = (E,)
        t.update({p + n: s for n, s in layer.items()})
    return t


ATTENTION = {"self_attn.q_proj.weight": (H * D, E), "self_attn.k_proj.weight": (K * D, E),
             "self_attn.v_proj.weight": (K * D, E), "self_attn.o_proj.weight": (E, H * D)}
NORMS = {"self_attn.q_norm.weight": (D,), "self_attn.k_norm.weight": (D,)}


def llama():
    mlp = {"mlp.gate_proj.weight": (F, E), "mlp.up_proj.weight": (F, E), "mlp.down_proj.weight": (E, F)}
    return config("llama", "LlamaForCausalLM"), body({**ATTENTION, **mlp})


def phi3():
    layer = {"self_attn.qkv_proj.weight": ((H + 2 * K) * D, E), "self_attn.o_proj.weight": (E, H * D),
             "mlp.gate_up_proj.weight": (2 * F, E), "mlp.down_proj.weight": (E, F)}
    return config("phi3", "Phi3ForCausalLM", pad_token_id=0), body(layer)


def mixtral():
    layer = {**ATTENTION, "block_sparse_moe.gate.weight": (4, E)}
    for e in range(4):
        p = f"block_sparse_moe.experts.{e}."
        layer.update({p + "w1.weight": (F, E), p + "w2.weight": (E, F), p + "w3.weight": (F, E)})
    return config("mixtral", "MixtralForCausalLM", num_local_experts=4, num_experts_per_tok=2), body(layer)


def qwen3_moe(stacked=False):
    f = 128
    layer = {**ATTENTION, **NORMS, "mlp.gate.weight": (4, E)}
    for e in range(0 if stacked else 4):
        p = f"mlp.experts.{e}."
        layer.update({p + "gate_proj.weight": (f, E), p + "up_proj.weight": (f, E), p + "down_proj.weight": (E, f)})
    if stacked:
        layer.update({"mlp.experts.gate_up_proj": (4, 2 * f, E), "mlp.experts.down_proj": (4, E, f)})
    return config("qwen3_moe", "Qwen3MoeForCausalLM", num_experts=4, num_experts_per_tok=2, decoder_sparse_step=1,
                  moe_intermediate_size=f, mlp_only_layers=[]), body(layer)


def stacked():
    return qwen3_moe(True)


def llama4():
    """Stacks that are stored [experts, in, out]."""
    layer = {**ATTENTION, "feed_forward.router.weight": (4, E)}
    p = "feed_forward.shared_expert."
    layer.update({p + "gate_proj.weight": (F, E), p + "up_proj.weight": (F, E), p + "down_proj.weight": (E, F)})
    layer.update({"feed_forward.experts.gate_up_proj": (4, E, 2 * F), "feed_forward.experts.down_proj": (4, F, E)})
    return config("llama4_text", "Llama4ForCausalLM", num_local_experts=4, num_experts_per_tok=1,
                  intermediate_size_mlp=F, interleave_moe_layer_step=1, moe_layers=[0, 1]), body(layer)


# ---- what is stored ----------------------------------------------------------------------------------

PLAIN = re.compile(r"norm|embed|lm_head|gate\.weight|router")


class Made:
    def __init__(self, base):
        self.config, self.plain = base()
        self.tensors, self.small, self.sides = {}, {}, {}

    def maps(self, but=None):
        """(name, module, joint, leading sizes, out, in) of what is packed; the rest is stored as it is."""
        for n, s in self.plain.items():
            if len(s) < 2 or PLAIN.search(n) or but and re.search(but, n):
                self.put(n, "BF16", *s)
                continue
            weight = n.endswith(".weight")
            turned = not weight and self.config["model_type"] in ("llama4_text", "gpt_oss")
            o, i = (s[-1], s[-2]) if turned else s[-2:]
            yield n, n.removesuffix(".weight"), "." if weight else "_", s[:-2], o, i

    def put(self, name, dtype, *shape):
        self.tensors[name] = (dtype, shape)

    def numbers(self, name, dtype, values):
        self.put(name, dtype, len(values))
        self.small[name] = struct.pack(f"<{len(values)}{'q' if dtype == 'I64' else 'i'}", *values)

    def say(self, **q):
        self.config["quantization_config"] = q

    def parameters(self):
        return sum(map(math.prod, self.plain.values()))

    def write(self, folder):
        entries, at, bytes_of = {"__metadata__": {"format": "pt"}}, 0, {}
        for name in sorted(self.tensors):
            dtype, shape = self.tensors[name]
            size = math.prod(shape) * SUBBYTE.get(dtype, 8 * WIDTH.get(dtype, 1)) // 8
            entries[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, at + size]}
            bytes_of[name], at = at, at + size
        text = json.dumps(entries, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "model.safetensors"), "wb") as f:
            f.write(struct.pack("<Q", len(text)) + text)
            for name, data in self.small.items():
                f.seek(8 + len(text) + bytes_of[name])
                f.write(data)
            f.truncate(8 + len(text) + at)
        for name, side in {"config.json": self.config, **self.sides}.items():
            with open(os.path.join(folder, name), "w") as f:
                json.dump(side, f, indent=1)


def up(n, by):
    return -(-n // by)


# ---- NVIDIA Model Optimizer --------------------------------------------------------------------------

GROUP = {"NVFP4": 16, "NVFP4_AWQ": 16, "NVFP4_SVD": 16, "W4A16_NVFP4": 16, "W4A16_AWQ": 128, "W4A8_AWQ": 128,
         "MXFP8": 32, "mxfp4": 32, "w4a8_mxfp4_fp8": 32, "fp8_pb_wo": 128}


def modelopt_map(m, algorithm, n, p, lead, o, i, group, scales=True):
    """The tensors of one map; p: its module and what joins a suffix to it."""
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
        m.put(n, "I8" if algorithm[:2] == "W8" else "F8_E4M3", *lead, o, i)
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
        plain = ["lm_head", *(f"model.layers.{i}.mlp.gate" for i in range(L) if "mlp.gate" in str(m.plain))]
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


# ---- FP8, a scale a tensor ---------------------------------------------------------------------------

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
    """One group of modules; `inputs`: of activations; `said`: what else weights say."""
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
    """Several: {what the names hold: writer of ct()}."""
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
    """Its own words over compressed-tensors' tensors."""
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

# ---- all of them -------------------------------------------------------------------------------------

CASES = {  # name: (base, writer)
    "rule-modelopt-nvfp4-phi3": (phi3, modelopt("NVFP4")),
    "rule-modelopt-nvfp4-g32-llama": (llama, modelopt("NVFP4", group=32)),
    "rule-modelopt-nvfp4-kv-llama": (llama, modelopt("NVFP4", cache="FP8")),
    "rule-modelopt-nvfp4awq-llama": (llama, modelopt("NVFP4_AWQ")),
    "rule-modelopt-nvfp4svd-llama": (llama, modelopt("NVFP4_SVD")),
    "rule-modelopt-w4a16nvfp4-stacked": (stacked, modelopt("W4A16_NVFP4", said="config")),
    "rule-modelopt-nvfp4-llama4": (llama4, modelopt("NVFP4", said="config")),
    "rule-modelopt-nvfp4-file-llama": (llama, modelopt("NVFP4", said="file")),
    "rule-modelopt-fp8-kv-llama": (llama, modelopt("FP8", cache="FP8")),
    "rule-modelopt-fp8-file-mixtral": (mixtral, modelopt("FP8", said="file")),
    "rule-modelopt-fp8row-llama": (llama, modelopt("FP8_PER_CHANNEL_PER_TOKEN")),
    "rule-modelopt-fp8block-llama": (llama, modelopt("fp8_pb_wo")),
    "rule-modelopt-w4a16-llama": (llama, modelopt("W4A16_AWQ", group=64)),
    "rule-modelopt-w4a8-qwen3_moe": (qwen3_moe, modelopt("W4A8_AWQ")),
    "rule-modelopt-w8a16-llama": (llama, modelopt("W8A16")),
    "rule-modelopt-mxfp4fp8-llama": (llama, modelopt("w4a8_mxfp4_fp8")),
    "rule-modelopt-mxfp8-qwen3_moe": (qwen3_moe, modelopt("MXFP8")),
    "rule-modelopt-mixed-llama": (llama, modelopt("FP8", mixed={"mlp": "NVFP4", "o_proj": "W4A16_AWQ"})),
    "rule-fp8static-dynamic-mixtral": (mixtral, fp8_static("dynamic")),
    "rule-fp8static-one-llama": (llama, fp8_static(shape=(1,), dtype="BF16", cache=True)),
    "rule-quark-fp8-llama": (llama, quark("fp8_e4m3", "per_tensor")),
    "rule-quark-fp8row-llama": (llama, quark("fp8_e4m3", "per_channel", fixed=False, scale="BF16")),
    "rule-quark-mxfp4-llama": (llama, quark("fp4", "per_group", group=32, fixed=False)),
    "rule-quark-int4-llama": (llama, quark("int4", "per_group", group=128, fixed=False, scale="BF16")),
    "rule-quark-uint4-llama": (llama, quark("uint4", "per_group", group=128, fixed=False, scale="F16")),
    "rule-ct-w8a16-llama": (llama, ct(8)),
    "rule-ct-w4-channel-llama": (llama, ct(4, "channel")),
    "rule-ct-w4-tensor-asym-llama": (llama, ct(4, "tensor", symmetric=False)),
    "rule-ct-w4-asym-llama": (llama, ct(4, symmetric=False)),
    "rule-ct-w4-asym-actorder-llama": (llama, ct(4, symmetric=False, order="group")),
    "rule-ct-w4-actorder-weight-qwen3_moe": (qwen3_moe, ct(4, group=64, order="weight")),
    "rule-ct-w3-dense-llama": (llama, ct(3)),
    "rule-ct-w3-padded-llama": (llama, ct(3, padded=True)),
    "rule-ct-w3-padded-asym-llama": (llama, ct(3, "channel", padded=True, symmetric=False)),
    "rule-ct-w2-g32-mixtral": (mixtral, ct(2, group=32)),
    "rule-ct-w6-asym-llama": (llama, ct(6, symmetric=False, group=64)),
    "rule-ct-w4afp8-fixed-llama": (llama, ct(4, inputs=FIXED)),
    "rule-ct-w4-kv-llama": (llama, ct(4, cache=(1,))),
    "rule-ct-w4-kv-heads-llama": (llama, ct(4, cache=(2, 1, 1))),
    "rule-ct-w4-noattention-llama": (llama, ct(4, but="self_attn.*")),
    "rule-ct-w8a8-llama": (llama, ct(8, "channel", format="int-quantized", inputs=TOKEN)),
    "rule-ct-w8a8-asym-llama": (llama, ct(8, "channel", format="int-quantized", symmetric=False,
                                          inputs={**FIXED, "type": "int", "symmetric": False})),
    "rule-ct-w8a8-tensor-llama": (llama, ct(8, "tensor", format="int-quantized", inputs=TOKEN, symmetric=False)),
    "rule-ct-w4a8-llama": (llama, ct(4, format="int-quantized", inputs=TOKEN)),
    "rule-ct-fp8-llama": (llama, ct(8, "tensor", kind="float", format="float-quantized", inputs=FIXED)),
    "rule-ct-fp8-block-llama": (llama, ct(8, "block", kind="float", format="float-quantized", inputs=TOKEN_FLOAT)),
    "rule-ct-fp8-block-asym-llama": (llama, ct(8, "block", format="naive-quantized", symmetric=False)),
    "rule-ct-fp8-kv-mixtral": (mixtral, ct(8, "channel", kind="float", format="float-quantized", inputs=TOKEN_FLOAT,
                                           cache=(1,))),
    "rule-ct-w4-naive-actorder-llama": (llama, ct(4, format="naive-quantized", order="group")),
    "rule-ct-nvfp4-llama": (llama, ct(4, "tensor_group", 16, "float", "nvfp4-pack-quantized", inputs=LOCAL)),
    "rule-ct-nvfp4-qwen3_moe": (qwen3_moe, ct(4, "tensor_group", 16, "float", "nvfp4-pack-quantized", inputs=LOCAL,
                                              cache=(1,))),
    "rule-ct-mxfp8a16-llama": (llama, ct(8, "group", 32, "float", "mxfp8-quantized")),
    "rule-ct-marlin24-llama": (llama, ct(4, format="marlin-24")),
    "rule-ct-marlin24-w8-channel-llama": (llama, ct(8, "channel", format="marlin-24")),
    "rule-ct-sparse24-llama": (llama, ct(None, format="dense", sparse=True)),
    "rule-ct-sparse24-fp8-llama": (llama, ct(8, "channel", kind="float", format="float-quantized", sparse=True,
                                             inputs=TOKEN_FLOAT)),
    "rule-ct-mixed-llama": (llama, ct_mixed({
        "mlp": ct(4, "tensor_group", 16, "float", "nvfp4-pack-quantized", inputs=LOCAL),
        "self_attn": ct(8, "channel", kind="float", format="float-quantized", inputs=TOKEN_FLOAT)})),
    "rule-ct-mixed-bits-llama": (llama, ct_mixed({"mlp.down": ct(8, "channel"), "layers": ct(4, group=64)})),
    "rule-fbgemm-llama": (llama, fbgemm),
    "rule-fbgemm-llama4": (llama4, fbgemm),
    "rule-gptqmodel-fp8-tensor-mixtral": (mixtral, gptqmodel_fp8("tensor")),
    "rule-gptqmodel-fp8-row-phi3": (phi3, gptqmodel_fp8("row")),
    "rule-transformers-fp8-tensor-qwen3_moe": (qwen3_moe, transformers_fp8),
    "rule-transformers-fp8-tensor-stacked": (stacked, transformers_fp8),
    "rule-e8m0-fp4experts-qwen3_moe": (qwen3_moe, exponents()),
    "rule-e8m0-fp8experts-mixtral": (mixtral, exponents("fp8")),
    "rule-native-mxfp4-llama": (llama, native("F4", 32)),
    "rule-native-nvfp4-stacked": (stacked, native("F4", 16)),
    "rule-native-mxfp6-llama": (llama, native("F6_E3M2", 32)),
    "rule-fpquant-mx-llama": (llama, fp_quant("mxfp4", 128)),
    "rule-fpquant-nv-llama": (llama, fp_quant("nvfp4", 16)),
    "rule-autoround-nvfp4-llama": (llama, autoround("nv_fp", 4, 4)),
    "rule-autoround-nvfp4a16-qwen3_moe": (qwen3_moe, autoround("nv_fp", 4, 16)),
    "rule-autoround-mxfp8-llama": (llama, autoround("mx_fp", 8, 8)),
}


def write_all(folder):
    """{case: parameters}; each written below the folder, unless that is None."""
    count = {}
    for name, (base, writer) in CASES.items():
        made = Made(base)
        writer(made)
        if folder:
            made.write(os.path.join(folder, name))
        count[name] = made.parameters()
    return count
