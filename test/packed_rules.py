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


# ---- cases ---------------------------------------------------------------------------------------------------

def c(model, rule, quantization, head=None, note="", side=None, **options):
    """`head`: the head is quantized too, by these options. `side`: the file that says so, if not config.json."""
    return dict(model=model, rule=rule, quantization=quantization, head=head, note=note, side=side, options=options)


AWQ = dict(quant_method="awq", bits=4, group_size=128, zero_point=True, version="gemm")

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
    "rule-gptqmodel-awq-llama": c("llama", awq, dict(quant_method="awq", method="awq", format="gemm", bits=4,
                                  checkpoint_format="gemm", group_size=64, sym=False, zero_point=True,
                                  version="gemm", pack_dtype="int32"), bits=4, group=64),
}


def write(folder, tensors, files):
    os.makedirs(folder)
    entries, at, data = {"__metadata__": {"format": "pt"}}, 0, {}
    for name, (dtype, shape, *real) in sorted(tensors.items()):
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
    files = {"config.json": config}
    if case["side"]:
        files[case["side"]] = case["quantization"]
    else:
        config["quantization_config"] = case["quantization"]
    return tensors, files, count


def write_all(folder):
    for name in CASES:
        tensors, files, _ = made(name)
        write(os.path.join(folder, name), tensors, files)


def rows():
    """As those of TRUTH.tsv."""
    return [dict(case=n, made="rule", true_parameters=str(made(n)[2]), note=CASES[n]["note"]) for n in CASES]
