"""remote_routed.py -- models with routed experts whose code is next to their files; see remote_cases.py."""

from remote_bases import LABELS


def network(m, at, names, wide):
    """Gate, up and down, under these three names."""
    gate, up, down = names
    m.linear(at + gate, wide, m.hidden_size)
    m.linear(at + up, wide, m.hidden_size)
    m.linear(at + down, m.hidden_size, wide)


PROJ = ("gate_proj", "up_proj", "down_proj")
MIXTRAL = ("w1", "w3", "w2")


def heads(m, cls):
    if cls.endswith("ForCausalLM"):
        m.head("lm_head", m.main, m.vocab_size, m.hidden_size, m.get("tie_word_embeddings", False))
    elif cls.endswith("ForSequenceClassification"):
        m.linear("score", m.labels(), m.hidden_size)
    elif cls.endswith("ForTokenClassification"):
        m.linear("score", m.labels(), m.hidden_size, True)
    elif cls.endswith("ForQuestionAnswering"):
        m.linear("qa_outputs", 2, m.hidden_size, True)


# ---- Kimi Linear -----------------------------------------------------------------------------------

def kimi_delta(m, h):
    at = m.linear_attn_config or {"num_heads": m.linear_num_heads, "head_dim": m.linear_head_dim,
                                  "short_conv_kernel_size": m.linear_conv_kernel_dim}
    E, H, D = m.hidden_size, at["num_heads"], at["head_dim"]
    for name in "qkv":
        m.linear(f"{h}{name}_proj", H * D, E)
        m.param(f"{h}{name}_conv1d.weight", H * D, 1, at["short_conv_kernel_size"])
    m.param(h + "A_log", 1, 1, H, 1)
    m.linear(h + "f_a_proj", D, E)
    m.linear(h + "f_b_proj", H * D, D)
    m.param(h + "dt_bias", H * D)
    m.linear(h + "b_proj", H, E)
    m.linear(h + "g_a_proj", D, E)
    m.linear(h + "g_b_proj", H * D, D)
    m.norm(h + "o_norm", D)
    m.linear(h + "o_proj", E, H * D)


def kimi_latent(m, h):
    E, H, rank = m.hidden_size, m.num_attention_heads, m.kv_lora_rank
    whole, bias = m.qk_nope_head_dim + m.qk_rope_head_dim, m.attention_bias
    if m.q_lora_rank is None:
        m.linear(h + "q_proj", H * whole, E)
    else:
        m.linear(h + "q_a_proj", m.q_lora_rank, E, bias)
        m.norm(h + "q_a_layernorm", m.q_lora_rank)
        m.linear(h + "q_b_proj", H * whole, m.q_lora_rank)
    m.linear(h + "kv_a_proj_with_mqa", rank + m.qk_rope_head_dim, E, bias)
    m.norm(h + "kv_a_layernorm", rank)
    m.linear(h + "kv_b_proj", H * (m.qk_nope_head_dim + m.v_head_dim), rank)
    m.linear(h + "o_proj", E, H * m.v_head_dim, bias)


def kimi_linear(m, cls):
    """modeling_kimi.py, and what transformers 5.23 saves from its class. They agree except in the configuration, and in
        that transformers saves a dense layer under the name of a routed one, which modeling_kimi.py cannot load."""
    E = m.hidden_size
    new = m.layer_types is not None
    m.prefix = "model."
    m.table("embed_tokens", m.vocab_size, E)
    for i in range(m.num_hidden_layers):
        h = f"layers.{i}."
        delta = m.layer_types[i] == "linear_attention" if new else i + 1 in m.linear_attn_config["kda_layers"]
        routed = m.mlp_layer_types[i] == "sparse" if new else \
            i >= m.first_k_dense_replace and i % m.get("moe_layer_freq", 1) == 0
        (kimi_delta if delta else kimi_latent)(m, h + "self_attn.")
        if routed:
            b = h + "block_sparse_moe."
            m.linear(b + "gate", m.num_experts, E)
            m.buffer(b + "gate.e_score_correction_bias", m.num_experts)
            for e in range(m.num_experts):
                network(m, f"{b}experts.{e}.", MIXTRAL, m.moe_intermediate_size)
            if m.num_shared_experts:
                network(m, b + "shared_experts.", PROJ, m.moe_intermediate_size * m.num_shared_experts)
        else:
            network(m, h + ("block_sparse_moe." if new else "mlp."), PROJ, m.intermediate_size)
        m.norm(h + "input_layernorm", E)
        m.norm(h + "post_attention_layernorm", E)
    m.norm("norm", E)
    m.prefix, m.main = "", "model.embed_tokens"
    heads(m, cls)


# ---- MiMo-V2 ---------------------------------------------------------------------------------------

def mimo_v2(m, cls):
    """modeling_mimo_v2_flash.py with the published configuration, and with that of transformers 5.23, where a sliding layer
        has twice as many key/value heads and always sinks."""
    E, new = m.hidden_size, m.layer_types is not None
    m.prefix = "model."
    m.table("embed_tokens", m.vocab_size, E)
    for i in range(m.num_hidden_layers):
        h = f"layers.{i}."
        H, K, D, V = m.num_attention_heads, m.num_key_value_heads, m.head_dim, m.v_head_dim
        if new:
            slides = m.layer_types[i] == "sliding_attention"
            K, sink, routed = K * 2 if slides else K, slides, m.mlp_layer_types[i] == "sparse"
        else:
            slides, sink = m.hybrid_layer_pattern[i] == 1, m.add_full_attention_sink_bias
            routed = bool(m.moe_layer_freq[i])
            if slides:
                H, K, sink = m.swa_num_attention_heads, m.swa_num_key_value_heads, m.add_swa_attention_sink_bias
                D, V = m.swa_head_dim, m.swa_v_head_dim
        m.linear(h + "self_attn.q_proj", H * D, E, m.attention_bias)
        m.linear(h + "self_attn.k_proj", K * D, E, m.attention_bias)
        m.linear(h + "self_attn.v_proj", K * V, E, m.attention_bias)
        m.linear(h + "self_attn.o_proj", E, H * V)
        if sink:
            m.param(h + "self_attn.attention_sink_bias", H)
        if routed:
            m.linear(h + "mlp.gate", m.n_routed_experts, E)
            m.buffer(h + "mlp.gate.e_score_correction_bias", m.n_routed_experts)
            for e in range(m.n_routed_experts):
                network(m, f"{h}mlp.experts.{e}.", PROJ, m.moe_intermediate_size)
        else:
            network(m, h + "mlp.", PROJ, m.intermediate_size)
        m.norm(h + "input_layernorm", E)
        m.norm(h + "post_attention_layernorm", E)
    m.norm("norm", E)
    m.prefix, m.main = "", "model.embed_tokens"
    heads(m, cls)


# ---- Arctic, Ling, SmallThinker --------------------------------------------------------------------

def arctic(m, cls):
    """modeling_arctic.py, without DeepSpeed: every moe_layer_frequency-th layer is routed, and only these have, with
        parallel_attn_mlp_res, a dense residual network as wide as the model."""
    E, H, K = m.hidden_size, m.num_attention_heads, m.num_key_value_heads or m.num_attention_heads
    D = E // H
    m.prefix = "" if cls == "ArcticModel" else "model."
    m.table("embed_tokens", m.vocab_size, E)
    for i in range(m.num_hidden_layers):
        h = f"layers.{i}."
        for name, out in (("q", H * D), ("k", K * D), ("v", K * D), ("o", E)):
            m.linear(f"{h}self_attn.{name}_proj", out, E, m.attention_bias)
        m.norm(h + "input_layernorm", E)
        m.norm(h + "post_attention_layernorm", E)
        if (i + 1) % m.get("moe_layer_frequency", 2) != 0:
            network(m, h + "block_sparse_moe.mlp.", MIXTRAL, m.intermediate_size)
            continue
        m.linear(h + "block_sparse_moe.gate", m.num_local_experts, E)
        for e in range(m.num_local_experts):
            network(m, f"{h}block_sparse_moe.experts.{e}.", MIXTRAL, m.intermediate_size)
        if m.parallel_attn_mlp_res:
            m.norm(h + "residual_layernorm", E)
            network(m, h + "residual_mlp.", MIXTRAL, E)
    m.norm("norm", E)
    m.prefix, m.main = "", "model.embed_tokens"
    heads(m, cls)


def bailing(m, cls):
    """modeling_bailing_moe.py, and _v2, whose published configurations have the first one's model type."""
    E, D, second = m.hidden_size, m.head_dim, cls.startswith("BailingMoeV2")
    N = m.num_experts
    m.prefix = "" if cls in ("BailingMoeModel", "BailingMoeV2Model") else "model."
    m.table("word_embeddings", m.vocab_size, E)
    for i in range(m.num_hidden_layers):
        h = f"layers.{i}."
        m.linear(h + "attention.query_key_value", (m.num_attention_heads + 2 * m.num_key_value_heads) * D,
                 E, m.use_qkv_bias)
        if second and m.use_qk_norm:
            m.norm(h + "attention.query_layernorm", D)
            m.norm(h + "attention.key_layernorm", D)
        m.linear(h + "attention.dense", E, m.num_attention_heads * D, m.use_bias)
        if i < m.first_k_dense_replace:
            network(m, h + "mlp.", PROJ, m.intermediate_size)
        else:
            for e in range(N):
                network(m, f"{h}mlp.experts.{e}.", PROJ, m.moe_intermediate_size)
            m.linear(h + "mlp.gate", N, E)
            if second and m.moe_router_enable_expert_bias:
                m.buffer(h + "mlp.gate.expert_bias", N)
            if m.num_shared_experts:
                network(m, h + "mlp.shared_experts.", PROJ, m.moe_intermediate_size * m.num_shared_experts)
        m.norm(h + "input_layernorm", E)
        m.norm(h + "post_attention_layernorm", E)
    m.norm("norm", E)
    m.prefix, m.main = "", "model.word_embeddings"
    heads(m, cls)


def smallthinker(m, cls):
    """modeling_smallthinker.py; tied by default, as in its configuration."""
    E, D = m.hidden_size, m.head_dim
    m.prefix = "" if cls == "SmallThinkerModel" else "model."
    m.table("embed_tokens", m.vocab_size, E)
    for i in range(m.num_hidden_layers):
        h, q, kv = f"layers.{i}.", m.num_attention_heads * D, m.num_key_value_heads * D
        m.linear(h + "self_attn.q_proj", q, E)
        m.linear(h + "self_attn.k_proj", kv, E)
        m.linear(h + "self_attn.v_proj", kv, E)
        m.linear(h + "self_attn.o_proj", E, q)
        m.linear(h + "block_sparse_moe.primary_router", m.moe_num_primary_experts, E)
        for e in range(m.moe_num_primary_experts):
            network(m, f"{h}block_sparse_moe.experts.{e}.", ("gate", "up", "down"), m.moe_ffn_hidden_size)
        m.norm(h + "input_layernorm", E)
        m.norm(h + "post_attention_layernorm", E)
    m.norm("norm", E)
    m.prefix, m.main = "", "model.embed_tokens"
    if cls == "SmallThinkerForCausalLM":
        m.head("lm_head", m.main, m.vocab_size, E, m.get("tie_word_embeddings", True))


# ---- the cases -------------------------------------------------------------------------------------

KIMI = {"model_type": "kimi_linear", "vocab_size": 157, "hidden_size": 35, "num_hidden_layers": 4,
        "num_attention_heads": 3, "intermediate_size": 59, "moe_intermediate_size": 19, "num_experts": 3,
        "num_shared_experts": 2, "first_k_dense_replace": 1, "moe_layer_freq": 1, "kv_lora_rank": 13,
        "q_lora_rank": None, "qk_rope_head_dim": 4, "qk_nope_head_dim": 7, "v_head_dim": 9,
        "tie_word_embeddings": False,
        "linear_attn_config": {"kda_layers": [1, 2, 4], "full_attn_layers": [3], "num_heads": 5,
                               "head_dim": 6, "short_conv_kernel_size": 3}}
KIMI_5 = {k: v for k, v in KIMI.items() if k not in ("linear_attn_config", "first_k_dense_replace",
                                                     "moe_layer_freq")}
KIMI_5.update({"linear_num_heads": 4, "linear_head_dim": 11, "linear_conv_kernel_dim": 5,
               "attention_bias": False,
               "layer_types": ["full_attention", "linear_attention", "linear_attention", "full_attention"],
               "mlp_layer_types": ["sparse", "dense", "sparse", "dense"]})
MIMO = {"model_type": "mimo_v2_flash", "vocab_size": 163, "hidden_size": 39, "num_hidden_layers": 4,
        "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 10, "v_head_dim": 7,
        "intermediate_size": 61, "moe_intermediate_size": 17, "n_routed_experts": 3,
        "attention_bias": False, "tie_word_embeddings": False}
MIMO_HUB = {**MIMO, "swa_num_attention_heads": 6, "swa_num_key_value_heads": 2, "swa_head_dim": 8,
            "swa_v_head_dim": 5, "hybrid_layer_pattern": [0, 1, 1, 0], "moe_layer_freq": [0, 1, 0, 1],
            "add_swa_attention_sink_bias": True, "add_full_attention_sink_bias": False}
MIMO_5 = {**MIMO, "layer_types": ["sliding_attention", "full_attention", "sliding_attention",
                                  "full_attention"],
          "mlp_layer_types": ["dense", "sparse", "sparse", "dense"]}
ARCTIC = {"model_type": "arctic", "vocab_size": 167, "hidden_size": 40, "num_hidden_layers": 2,
          "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 27,
          "num_local_experts": 3, "moe_layer_frequency": 1, "parallel_attn_mlp_res": True,
          "tie_word_embeddings": False}
LING = {"model_type": "bailing_moe", "vocab_size": 173, "hidden_size": 45, "num_hidden_layers": 3,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 11, "intermediate_size": 63,
        "moe_intermediate_size": 21, "num_experts": 3, "num_shared_experts": 2,
        "first_k_dense_replace": 1, "use_qkv_bias": False, "use_bias": False, "tie_word_embeddings": False}
LING_2 = {**LING, "use_qk_norm": True, "moe_router_enable_expert_bias": True,
          "num_nextn_predict_layers": 0}
SMALL = {"model_type": "smallthinker", "vocab_size": 179, "hidden_size": 51, "num_hidden_layers": 2,
         "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 14, "moe_ffn_hidden_size": 25,
         "moe_num_primary_experts": 3}




def kimi_k3(m, cls):
    """modeling_kimi_k3.py, as loaders of the published file read it: delta attention with a full-rank gate, latent attention
        with a gate, experts between two projections; wherever outputs of earlier blocks are chosen from, a norm and a
        vector. A_log has room for 128 heads."""
    t, v = m.text_config, m.vision_config
    E, L, H, A = t["hidden_size"], t["num_hidden_layers"], t["num_attention_heads"], t["routed_expert_hidden_size"]
    lin, Fe = t["linear_attn_config"], t["moe_intermediate_size"]
    dn, dr, dv = t["qk_nope_head_dim"], t["qk_rope_head_dim"], t["v_head_dim"]
    D, wide = lin["head_dim"], lin["num_heads"] * lin["head_dim"]
    m.prefix = "language_model.model."
    m.table("embed_tokens", t["vocab_size"], E)
    for i in range(L):
        h = f"layers.{i}."
        a = h + "self_attn."
        m.norm(h + "input_layernorm", E)
        m.norm(h + "self_attention_res_norm", E)
        m.linear(h + "self_attention_res_proj", 1, E)
        if i + 1 in lin["kda_layers"]:
            for name in "qkv":
                m.linear(a + f"{name}_proj", wide, E)
                m.param(a + f"{name}_conv1d.weight", wide, 1, lin["short_conv_kernel_size"])
            m.linear(a + "f_a_proj", D, E)
            m.linear(a + "f_b_proj", wide, D)
            m.linear(a + "b_proj", lin["num_heads"], E)
            m.param(a + "A_log", 128)
            m.param(a + "dt_bias", wide)
            m.linear(a + "g_proj", wide, E)
            m.norm(a + "o_norm", D)
            m.linear(a + "o_proj", E, wide)
        else:
            m.linear(a + "q_a_proj", t["q_lora_rank"], E)
            m.norm(a + "q_a_layernorm", t["q_lora_rank"])
            m.linear(a + "q_b_proj", H * (dn + dr), t["q_lora_rank"])
            m.linear(a + "kv_a_proj_with_mqa", t["kv_lora_rank"] + dr, E)
            m.norm(a + "kv_a_layernorm", t["kv_lora_rank"])
            m.linear(a + "kv_b_proj", H * (dn + dv), t["kv_lora_rank"])
            m.linear(a + "g_proj", H * dv, E)
            m.linear(a + "o_proj", E, H * dv)
        m.norm(h + "post_attention_layernorm", E)
        m.norm(h + "mlp_res_norm", E)
        m.linear(h + "mlp_res_proj", 1, E)
        if i < t["first_k_dense_replace"]:
            for name in ("gate", "up"):
                m.linear(h + f"mlp.{name}_proj", t["intermediate_size"], E)
            m.linear(h + "mlp.down_proj", E, t["intermediate_size"])
            continue
        b = h + "block_sparse_moe."
        m.linear(b + "gate", t["num_experts"], E)
        m.buffer(b + "gate.e_score_correction_bias", t["num_experts"])
        m.linear(b + "routed_expert_down_proj", A, E)
        m.norm(b + "routed_expert_norm", A)
        m.linear(b + "routed_expert_up_proj", E, A)
        for e in range(t["num_experts"]):
            m.linear(b + f"experts.{e}.w1", Fe, A)
            m.linear(b + f"experts.{e}.w3", Fe, A)
            m.linear(b + f"experts.{e}.w2", A, Fe)
        shared = t["num_shared_experts"] * Fe
        for name in ("gate", "up"):
            m.linear(b + f"shared_experts.{name}_proj", shared, E)
        m.linear(b + "shared_experts.down_proj", E, shared)
    m.norm("output_attn_res_norm", E)
    m.linear("output_attn_res_proj", 1, E)
    m.norm("norm", E)
    m.prefix = ""
    m.linear("language_model.lm_head", t["vocab_size"], E)
    W, Q, F = v["vt_hidden_size"], v["qkv_hidden_size"], v["vt_intermediate_size"]
    m.prefix = "vision_tower."
    m.param("patch_embed.proj.weight", W, 3, v["patch_size"], v["patch_size"])
    m.param("patch_embed.pos_emb.weight", v["init_pos_emb_height"], v["init_pos_emb_width"], W)
    for i in range(v["vt_num_hidden_layers"]):
        h = f"encoder.blocks.{i}."
        m.norm(h + "norm0", W)
        m.norm(h + "norm1", W)
        m.linear(h + "wqkv", 3 * Q, W)
        m.linear(h + "wo", W, Q)
        m.linear(h + "mlp.fc0", F, W)
        m.linear(h + "mlp.fc1", W, F)
    m.norm("encoder.final_layernorm", W)
    m.prefix = "mm_projector."
    m.linear("proj.0", 4 * W, 4 * W)
    m.linear("proj.2", E, 4 * W)
    m.norm("post_norm", E)
KIMI_K3 = {"model_type": "kimi_k3", "text_config": {
    "model_type": "kimi_linear", "vocab_size": 127, "hidden_size": 34, "num_hidden_layers": 6, "num_attention_heads": 3,
    "q_lora_rank": 13, "kv_lora_rank": 11, "qk_nope_head_dim": 6, "qk_rope_head_dim": 4, "v_head_dim": 9,
    "intermediate_size": 53, "moe_intermediate_size": 19, "num_experts": 3, "num_shared_experts": 2,
    "routed_expert_hidden_size": 22, "latent_moe_use_norm": True, "first_k_dense_replace": 1, "attn_res_block_size": 2,
    "mla_use_output_gate": True, "linear_attn_config": {"kda_layers": [1, 2, 4, 5], "full_attn_layers": [3, 6], "head_dim": 8,
                                                        "num_heads": 5, "short_conv_kernel_size": 3}},
    "vision_config": {"vt_hidden_size": 14, "qkv_hidden_size": 18, "vt_intermediate_size": 23,
                      "vt_num_hidden_layers": 2,
                      "patch_size": 2, "init_pos_emb_height": 5, "init_pos_emb_width": 7}}

ROWS = [
    ("kimi-linear", "KimiLinearForCausalLM", kimi_linear, KIMI),
    ("kimi-linear-low", "KimiLinearForCausalLM", kimi_linear,
     {**KIMI, "q_lora_rank": 15, "num_shared_experts": None, "moe_layer_freq": 2, "first_k_dense_replace": 0}),
    ("kimi-linear-5", "KimiLinearForCausalLM", kimi_linear, KIMI_5),
    ("kimi-linear-5-biased", "KimiLinearForCausalLM", kimi_linear,
     {**KIMI_5, "attention_bias": True, "q_lora_rank": 8}),
    ("mimo-v2", "MiMoV2FlashForCausalLM", mimo_v2, MIMO_HUB),
    ("mimo-v2-biased", "MiMoV2FlashForCausalLM", mimo_v2,
     {**MIMO_HUB, "attention_bias": True, "add_swa_attention_sink_bias": False,
      "add_full_attention_sink_bias": True}),
    ("mimo-v2-5", "MiMoV2FlashForCausalLM", mimo_v2, MIMO_5),
    ("mimo-v2-5-tied", "MiMoV2FlashForCausalLM", mimo_v2,
     {**MIMO_5, "attention_bias": True, "tie_word_embeddings": True}),
    ("arctic", "ArcticForCausalLM", arctic, ARCTIC),
    ("arctic-biased", "ArcticForCausalLM", arctic, {**ARCTIC, "attention_bias": True,
                                                    "tie_word_embeddings": True}),
    ("arctic-alternating", "ArcticForCausalLM", arctic, {**ARCTIC, "moe_layer_frequency": 2}),
    ("arctic-no-residual", "ArcticForSequenceClassification", arctic,
     {**ARCTIC, "parallel_attn_mlp_res": False, **LABELS}),
    ("arctic-bare", "ArcticModel", arctic, ARCTIC),
    ("ling", "BailingMoeForCausalLM", bailing, LING),
    ("ling-biased", "BailingMoeForCausalLM", bailing, {**LING, "use_qkv_bias": True, "use_bias": True,
                                                       "num_shared_experts": None}),
    ("ling-2", "BailingMoeV2ForCausalLM", bailing, LING_2),
    ("ling-2-type", "BailingMoeV2ForCausalLM", bailing, {**LING_2, "model_type": "bailing_moe_v2"}),
    ("ling-2-plain", "BailingMoeV2ForCausalLM", bailing,
     {**LING_2, "use_qk_norm": False, "moe_router_enable_expert_bias": False, "first_k_dense_replace": 0,
      "tie_word_embeddings": True}),
    ("smallthinker", "SmallThinkerForCausalLM", smallthinker, SMALL),
    ("smallthinker-untied", "SmallThinkerForCausalLM", smallthinker,
     {**SMALL, "tie_word_embeddings": False}),
    ("smallthinker-bare", "SmallThinkerModel", smallthinker, SMALL),
    ("kimi-k3", "KimiK3ForConditionalGeneration", kimi_k3, KIMI_K3),
]
