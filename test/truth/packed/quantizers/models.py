"""models.py -- small models with transformers' tensor names, and the tensors that a writer stores instead.

A model is (config.json, {name: shape}). Made holds what a quantizer stores of it: maps() walks the packed weights
and keeps the others plain; put(), numbers() and hold() store tensors, say() the keys of config.json. Values are
holes except for the few bytes that matter. The number of parameters is that of the unquantized model.
"""
import json, math, os, re, struct

import files


def up(n, by):
    return -(-n // by)


def decoder(model_type, cls, layer, hidden=256, inner=512, heads=4, kv=2, dim=64, vocab=512, layers=2, tied=False, biases=False,
            **more):
    """Common to decoders of this family; `layer`: {name: shape} of each layer's tensors besides attention."""
    t = {"model.embed_tokens.weight": (vocab, hidden), "model.norm.weight": (hidden,)}
    attention = {} if "self_attn.o_proj.weight" in layer else {
        "self_attn.q_proj.weight": (heads * dim, hidden), "self_attn.k_proj.weight": (kv * dim, hidden),
        "self_attn.v_proj.weight": (kv * dim, hidden), "self_attn.o_proj.weight": (hidden, heads * dim)}
    if biases:
        attention |= {f"self_attn.{m}_proj.bias": attention[f"self_attn.{m}_proj.weight"][:1] for m in "qkv"}
    norms = {"input_layernorm.weight": (hidden,), "post_attention_layernorm.weight": (hidden,)}
    for i in range(layers):
        t |= {f"model.layers.{i}.{n}": s for n, s in {**norms, **attention, **layer}.items()}
    if not tied:
        t["lm_head.weight"] = (vocab, hidden)
    config = dict(architectures=[cls], model_type=model_type, hidden_size=hidden, intermediate_size=inner,
                  num_hidden_layers=layers, num_attention_heads=heads, num_key_value_heads=kv, head_dim=dim,
                  vocab_size=vocab, tie_word_embeddings=tied, rms_norm_eps=1e-6, max_position_embeddings=128,
                  hidden_act="silu", torch_dtype="bfloat16", **more)
    return config, t


def mlp(where="mlp", names=("gate_proj", "up_proj", "down_proj"), hidden=256, inner=512):
    gate, up_, down = (f"{where}.{n}.weight" for n in names)
    return {gate: (inner, hidden), up_: (inner, hidden), down: (hidden, inner)}


def experts(router, where, n=4, **more):
    t = {router + ".weight": (n, more.get("hidden", 256))}
    for e in range(n):
        t |= mlp(f"{where}.experts.{e}", **more)
    return t


def llama(**sizes):
    wide = {k: sizes[k] for k in ("hidden", "inner") if k in sizes}
    return decoder("llama", "LlamaForCausalLM", mlp(**wide), **sizes)


def odd():
    return decoder("mistral", "MistralForCausalLM", mlp(hidden=320, inner=736), hidden=320, inner=736, heads=5, kv=5,
                   sliding_window=None)


def qwen2():
    return decoder("qwen2", "Qwen2ForCausalLM", mlp(), biases=True, use_sliding_window=False)


def phi3():
    layer = {"self_attn.qkv_proj.weight": (512, 256), "self_attn.o_proj.weight": (256, 256),
             "mlp.gate_up_proj.weight": (1024, 256), "mlp.down_proj.weight": (256, 512)}
    return decoder("phi3", "Phi3ForCausalLM", layer, pad_token_id=0)


def mixtral():
    layer = experts("block_sparse_moe.gate", "block_sparse_moe", names=("w1", "w3", "w2"))
    return decoder("mixtral", "MixtralForCausalLM", layer, num_local_experts=4, num_experts_per_tok=2, sliding_window=None)


def qwen3_moe(stacked=False):
    layer = {"self_attn.q_norm.weight": (64,), "self_attn.k_norm.weight": (64,)}
    if stacked:
        layer |= {"mlp.gate.weight": (4, 256), "mlp.experts.gate_up_proj": (4, 256, 256), "mlp.experts.down_proj": (4, 256, 128)}
    else:
        layer |= experts("mlp.gate", "mlp", inner=128)
    return decoder("qwen3_moe", "Qwen3MoeForCausalLM", layer, num_experts=4, num_experts_per_tok=2, decoder_sparse_step=1,
                   moe_intermediate_size=128, mlp_only_layers=[], norm_topk_prob=True)


def llama4():
    """Stacks stored as [experts, in, out]."""
    layer = {"feed_forward.router.weight": (4, 256), **mlp("feed_forward.shared_expert"),
             "feed_forward.experts.gate_up_proj": (4, 256, 1024), "feed_forward.experts.down_proj": (4, 512, 256)}
    return decoder("llama4_text", "Llama4ForCausalLM", layer, num_local_experts=4, num_experts_per_tok=1,
                   intermediate_size_mlp=512, interleave_moe_layer_step=1, moe_layers=[0, 1])


def mla():
    """DeepSeek-V3 without experts: latent attention, which has neither k_proj nor v_proj."""
    layer = {"self_attn.q_a_proj.weight": (64, 256), "self_attn.q_a_layernorm.weight": (64,), "self_attn.q_b_proj.weight": (4 * 96, 64),
             "self_attn.kv_a_proj_with_mqa.weight": (64 + 32, 256), "self_attn.kv_a_layernorm.weight": (64,),
             "self_attn.kv_b_proj.weight": (4 * 128, 64), "self_attn.o_proj.weight": (256, 4 * 64), **mlp()}
    return decoder("deepseek_v3", "DeepseekV3ForCausalLM", layer, kv=4, q_lora_rank=64, kv_lora_rank=64, qk_rope_head_dim=32,
                   qk_nope_head_dim=64, v_head_dim=64, first_k_dense_replace=2, n_routed_experts=4, moe_intermediate_size=128)


def gpt_oss_original(e=256, f=320, h=8, k=2, d=32, n=4, v=512, layers=3):
    """As published by OpenAI: its own names, and a configuration without a model type."""
    t = {"embedding.weight": (v, e), "norm.scale": (e,), "unembedding.weight": (v, e)}
    layer = {"attn.norm.scale": (e,), "attn.qkv.weight": ((h + 2 * k) * d, e), "attn.qkv.bias": ((h + 2 * k) * d,), "attn.sinks": (h,),
             "attn.out.weight": (e, h * d), "attn.out.bias": (e,), "mlp.norm.scale": (e,), "mlp.gate.weight": (n, e), "mlp.gate.bias": (n,),
             "mlp.mlp1_weight": (n, 2 * f, e), "mlp.mlp1_bias": (n, 2 * f), "mlp.mlp2_weight": (n, e, f), "mlp.mlp2_bias": (n, e)}
    for i in range(layers): t |= {f"block.{i}.{m}": s for m, s in layer.items()}
    return dict(num_hidden_layers=layers, num_experts=n, experts_per_token=2, vocab_size=v, hidden_size=e, intermediate_size=f,
                head_dim=d, num_attention_heads=h, num_key_value_heads=k, sliding_window=128, swiglu_limit=7.0), t


def qwen3_vl(e=64, o=256, patch=16, places=16):
    """Two layers of a vision tower, the second merged into the language model, and two layers of the latter."""
    text, t = decoder("qwen3_vl_text", "Qwen3VLForConditionalGeneration", {**mlp(), "self_attn.q_norm.weight": (64,), "self_attn.k_norm.weight": (64,)})
    t = {n.replace("model.", "model.language_model.", 1): s for n, s in t.items()}
    wide = {"linear_fc1.weight": (4 * e, 4 * e), "linear_fc1.bias": (4 * e,), "linear_fc2.weight": (o, 4 * e), "linear_fc2.bias": (o,)}
    tower = {"patch_embed.proj.weight": (e, 3, 2, patch, patch), "patch_embed.proj.bias": (e,), "pos_embed.weight": (places, e)}
    block = {"attn.qkv.weight": (3 * e, e), "attn.qkv.bias": (3 * e,), "attn.proj.weight": (e, e), "attn.proj.bias": (e,),
             "mlp.linear_fc1.weight": (2 * e, e), "mlp.linear_fc1.bias": (2 * e,), "mlp.linear_fc2.weight": (e, 2 * e), "mlp.linear_fc2.bias": (e,),
             **{f"norm{i}.{w}": (e,) for i in (1, 2) for w in ("weight", "bias")}}
    for i in range(2): tower |= {f"blocks.{i}.{n}": s for n, s in block.items()}
    for where, n in (("merger", e), ("deepstack_merger_list.0", 4 * e)):
        tower |= {f"{where}.{m}": s for m, s in {**wide, "norm.weight": (n,), "norm.bias": (n,)}.items()}
    vision = dict(model_type="qwen3_vl_vision", depth=2, hidden_size=e, intermediate_size=2 * e, num_heads=4, in_channels=3, out_hidden_size=o,
                  patch_size=patch, temporal_patch_size=2, spatial_merge_size=2, num_position_embeddings=places, deepstack_visual_indexes=[1])
    return dict(architectures=text["architectures"], model_type="qwen3_vl", tie_word_embeddings=False, text_config=text,
                vision_config=vision), t | {f"model.visual.{n}": s for n, s in tower.items()}


MODELS = {
    "mla": mla, "gpt_oss_original": gpt_oss_original, "qwen3_vl": qwen3_vl,
    "llama": llama, "odd": odd, "qwen2": qwen2, "phi3": phi3, "mixtral": mixtral, "qwen3_moe": qwen3_moe,
    "stacked": lambda: qwen3_moe(True), "llama4": llama4,
    "8b": lambda: llama(hidden=4096, inner=14336, heads=32, kv=8, dim=128, vocab=128256, layers=32),
}

PLAIN = re.compile(r"norm|embed|lm_head|gate\.weight|router")


class Made:
    def __init__(self, base):
        self.config, self.plain = base()
        self.metadata, self.tensors, self.small, self.sides = {"format": "pt"}, {}, {}, {}

    def maps(self, but=None, plain="BF16"):
        """(name, module, joint, leading sizes, out, in) of packed weights; the rest is stored unchanged."""
        for n, s in self.plain.items():
            if len(s) < 2 or PLAIN.search(n) or but and re.search(but, n):
                self.put(n, plain, *s)
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

    def hold(self, tensors):
        """{name: (type, shape[, bytes])}; "said" is not a type but a metadata entry for that name."""
        for name, (dtype, shape, *real) in tensors.items():
            if dtype == "said":
                self.metadata[name] = shape
                continue
            self.put(name, dtype, *shape)
            self.small |= {name: content for content in real}

    def write(self, folder):
        tensors = [(n, *self.tensors[n]) for n in sorted(self.tensors)]
        files.sparse(os.path.join(folder, "model.safetensors"), tensors, self.metadata, self.small)
        for name, side in {"config.json": self.config, **self.sides}.items():
            files.put(os.path.join(folder, name), json.dumps(side).encode())
