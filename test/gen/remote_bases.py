"""remote_bases.py -- dense models whose code is next to their files; see remote_cases.py."""


# ---- Qwen 1, InternLM 2, Baichuan, ChatGLM ---------------------------------------------------------

def qwen(m, cls):
    """modeling_qwen.py. c_attn always has a bias, the other projections unless no_bias. intermediate_size was once called
        ffn_hidden_size."""
    E, F = m.hidden_size or m.n_embd, (m.intermediate_size or m.ffn_hidden_size) // 2
    wide = m.kv_channels * (m.num_attention_heads or m.n_head)
    m.prefix = "" if cls == "QWenModel" else "transformer."
    m.table("wte", m.vocab_size, E)
    for i in range(m.num_hidden_layers or m.n_layer):
        h = f"h.{i}."
        m.norm(h + "ln_1", E)
        m.linear(h + "attn.c_attn", 3 * wide, E, True)
        m.linear(h + "attn.c_proj", wide, E, not m.no_bias)
        m.norm(h + "ln_2", E)
        m.linear(h + "mlp.w1", F, E, not m.no_bias)
        m.linear(h + "mlp.w2", F, E, not m.no_bias)
        m.linear(h + "mlp.c_proj", E, F, not m.no_bias)
    m.norm("ln_f", E)
    m.prefix = ""
    if cls == "QWenLMHeadModel":
        m.linear("lm_head", m.vocab_size, E)


def internlm2(m, cls):
    """modeling_internlm2.py of 2 and 2.5; head_dim is hidden_size // heads, inv_freq is not persistent."""
    E, D = m.hidden_size, m.hidden_size // m.num_attention_heads
    m.prefix = {"InternLM2Model": "", "InternLM2ForQuestionAnswering": "transformer."}.get(cls, "model.")
    m.table("tok_embeddings", m.vocab_size, E)
    for i in range(m.num_hidden_layers):
        h = f"layers.{i}."
        m.linear(h + "attention.wqkv", (m.num_attention_heads + 2 * m.num_key_value_heads) * D, E, m.bias)
        m.linear(h + "attention.wo", E, m.num_attention_heads * D, m.bias)
        for name in ("w1", "w3"):
            m.linear(h + "feed_forward." + name, m.intermediate_size, E)
        m.linear(h + "feed_forward.w2", E, m.intermediate_size)
        m.norm(h + "attention_norm", E)
        m.norm(h + "ffn_norm", E)
    m.norm("norm", E)
    m.prefix = ""
    if cls == "InternLM2ForCausalLM":
        m.head("output", "model.tok_embeddings", m.vocab_size, E, m.tie_word_embeddings)
    elif cls == "InternLM2ForRewardModel":
        m.linear("v_head", 1, E)
    elif cls == "InternLM2ForSequenceClassification":
        m.linear("score", m.labels(), E)
    elif cls == "InternLM2ForTokenClassification":
        m.linear("score", m.labels(), E, True)
    elif cls == "InternLM2ForQuestionAnswering":
        m.linear("qa_outputs", 2, E, True)


def baichuan(m, cls):
    """modeling_baichuan.py. In the first 7B inv_freq is a stored buffer of each layer; that of the
    13B has no rotary embedding, and the second 7B keeps inv_freq as a plain attribute."""
    E = m.hidden_size
    m.prefix = "" if cls == "BaichuanModel" else "model."
    m.table("embed_tokens", m.vocab_size, E)
    for i in range(m.num_hidden_layers):
        h = f"layers.{i}."
        m.linear(h + "self_attn.W_pack", 3 * E, E)
        m.linear(h + "self_attn.o_proj", E, E)
        if cls == "BaiChuanForCausalLM":
            m.buffer(h + "self_attn.rotary_emb.inv_freq", E // m.num_attention_heads // 2)
        m.linear(h + "mlp.gate_proj", m.intermediate_size, E)
        m.linear(h + "mlp.down_proj", E, m.intermediate_size)
        m.linear(h + "mlp.up_proj", m.intermediate_size, E)
        m.norm(h + "input_layernorm", E)
        m.norm(h + "post_attention_layernorm", E)
    m.norm("norm", E)
    m.prefix = ""
    if cls != "BaichuanModel":
        m.linear("lm_head", m.vocab_size, E)


def chatglm(m, cls):
    """modeling_chatglm.py of ChatGLM 2 and 3. The output layer is ChatGLMModel's own."""
    E, D, F = m.hidden_size, m.kv_channels, m.ffn_hidden_size
    wide, bias = m.num_attention_heads * D, m.add_bias_linear
    plain = not m.get("rmsnorm", True)
    m.prefix = "" if cls == "ChatGLMModel" else "transformer."
    m.table("embedding.word_embeddings", m.padded_vocab_size, E)
    m.buffer("rotary_pos_emb.inv_freq", D // 4)
    for i in range(m.num_layers):
        h = f"encoder.layers.{i}."
        qkv = wide + 2 * D * m.multi_query_group_num if m.multi_query_attention else 3 * wide
        m.norm(h + "input_layernorm", E, plain)
        m.linear(h + "self_attention.query_key_value", qkv, E, bias or m.add_qkv_bias)
        m.linear(h + "self_attention.dense", E, wide, bias)
        m.norm(h + "post_attention_layernorm", E, plain)
        m.linear(h + "mlp.dense_h_to_4h", 2 * F, E, bias)
        m.linear(h + "mlp.dense_4h_to_h", E, F, bias)
    if m.get("post_layer_norm", True):
        m.norm("encoder.final_layernorm", E, plain)
    m.linear("output_layer", m.padded_vocab_size, E)
    if m.pre_seq_len is not None:
        kv = m.num_layers * D * m.multi_query_group_num * 2
        m.table("prefix_encoder.embedding", m.pre_seq_len, kv)
        if m.prefix_projection:
            m.linear("prefix_encoder.trans.0", E, kv, True)
            m.linear("prefix_encoder.trans.2", kv, E, True)
    m.prefix = ""
    if cls == "ChatGLMForSequenceClassification":
        m.linear("classifier_head", m.labels(), E, True)


# ---- Jais, CodeShell: like GPT-2 ---------------------------------------------------------------------

def jais(m, cls):
    """modeling_jais.py. Linear maps are Conv1D, [in, out]; ALiBi's slopes are an untrained parameter; published files
        hold no causal mask."""
    E, F = m.n_embd, m.n_inner or 4 * m.n_embd
    glu, learned = m.activation_function == "swiglu", m.position_embedding_type == "learned"

    def conv(name, out, into):
        m.param(name + ".weight", into, out)
        m.param(name + ".bias", out)

    m.prefix = "" if cls == "JAISModel" else "transformer."
    m.table("wte", m.vocab_size, E)
    if learned:
        m.table("wpe", m.n_positions, E)
    else:
        m.param("relative_pe.slopes", m.n_head, 1)
    for i in range(m.n_layer):
        h = f"h.{i}."
        m.norm(h + "ln_1", E, True)
        conv(h + "attn.c_attn", 3 * E, E)
        conv(h + "attn.c_proj", E, E)
        m.norm(h + "ln_2", E, True)
        conv(h + "mlp.c_fc", F, E)
        if glu:
            conv(h + "mlp.c_fc2", F, E)
        conv(h + "mlp.c_proj", E, F)
    m.norm("ln_f", E, True)
    m.prefix = ""
    if cls == "JAISLMHeadModel":
        m.head("lm_head", "transformer.wte", m.vocab_size, E, m.get("tie_word_embeddings", True))


def codeshell(m, cls):
    """modeling_codeshell.py; its rotary embedding's inv_freq is stored."""
    E, D, F = m.n_embd, m.n_embd // m.n_head, m.n_inner or 4 * m.n_embd
    kv = (m.num_query_groups if m.group_query_attention else m.n_head) * D
    m.prefix = "" if cls == "CodeShellModel" else "transformer."
    m.table("wte", m.vocab_size, E)
    for i in range(m.n_layer):
        h = f"h.{i}."
        m.norm(h + "ln_1", E, True)
        m.linear(h + "attn.c_attn", E + 2 * kv, E, True)
        m.linear(h + "attn.c_proj", E, E, True)
        m.buffer(h + "attn.rotary_emb.inv_freq", D // 2)
        m.norm(h + "ln_2", E, True)
        m.linear(h + "mlp.c_fc", F, E, True)
        m.linear(h + "mlp.c_proj", E, F, True)
    m.norm("ln_f", E, True)
    m.prefix = ""
    if cls == "CodeShellForCausalLM":
        m.head("lm_head", "transformer.wte", m.vocab_size, E, m.get("tie_word_embeddings", True))


# ---- EXAONE, OpenELM, PLaMo 3, DeciLM --------------------------------------------------------------

def exaone(m, cls):
    """modeling_exaone.py; its rotary embedding's inv_freq is not persistent."""
    E, D = m.hidden_size, m.hidden_size // m.num_attention_heads
    F = m.intermediate_size or 4 * E
    m.prefix = "" if cls == "ExaoneModel" else "transformer."
    m.table("wte", m.vocab_size, E)
    for i in range(m.num_layers):
        h = f"h.{i}."
        m.norm(h + "ln_1", E)
        for name, heads in (("k", m.num_key_value_heads), ("v", m.num_key_value_heads),
                            ("q", m.num_attention_heads)):
            m.linear(f"{h}attn.attention.{name}_proj", heads * D, E)
        m.linear(h + "attn.attention.out_proj", E, E)
        m.norm(h + "ln_2", E)
        m.linear(h + "mlp.c_fc_0", F, E)
        m.linear(h + "mlp.c_fc_1", F, E)
        m.linear(h + "mlp.c_proj", E, F)
    m.norm("ln_f", E)
    m.prefix = ""
    if cls == "ExaoneForCausalLM":
        m.head("lm_head", "transformer.wte", m.vocab_size, E, m.tie_word_embeddings)
    elif cls == "ExaoneForSequenceClassification":
        m.linear("score", m.labels(), E)


def divisible(value, by):
    """OpenELM's rounding: to the nearest, at least `by`, and never below nine tenths."""
    near = max(by, int(value + by / 2) // by * by)
    return near + by if near < 0.9 * value else near


def openelm(m, cls):
    """modeling_openelm.py. There is no lm_head if the input and output layers are shared."""
    E, D = m.model_dim, m.head_dim
    m.prefix = "" if cls == "OpenELMModel" else "transformer."
    m.table("token_embeddings", m.vocab_size, E)
    for i in range(m.num_transformer_layers):
        h, q, kv = f"layers.{i}.", m.num_query_heads[i], m.num_kv_heads[i]
        F = divisible(m.ffn_multipliers[i] * E, m.ffn_dim_divisor)
        m.linear(h + "attn.qkv_proj", (q + 2 * kv) * D, E)
        if m.normalize_qk_projections:
            m.norm(h + "attn.q_norm", D)
            m.norm(h + "attn.k_norm", D)
        m.linear(h + "attn.out_proj", E, q * D)
        m.linear(h + "ffn.proj_1", 2 * F if m.ffn_with_glu else F, E)
        m.linear(h + "ffn.proj_2", E, F)
        m.norm(h + "ffn_norm", E)
        m.norm(h + "attn_norm", E)
    m.norm("norm", E)
    m.prefix = ""
    if cls == "OpenELMForCausalLM" and not m.share_input_output_layers:
        m.linear("lm_head", m.vocab_size, E)


def plamo3(m, cls):
    """modeling_plamo.py of PLaMo 3; tied by default, as in its configuration."""
    E, D, H, K = m.hidden_size, m.head_dim, m.num_attention_heads, m.num_key_value_heads
    m.prefix = "model."
    m.table("embed_tokens", m.vocab_size, E)
    for i in range(m.num_hidden_layers):
        h = f"layers.layers.{i}."
        m.linear(h + "mixer.qkv_proj", (H + 2 * K) * D, E)
        m.linear(h + "mixer.o_proj", E, H * D)
        m.norm(h + "mixer.q_norm", D)
        m.norm(h + "mixer.k_norm", D)
        m.linear(h + "mlp.gate_up_proj", 2 * m.intermediate_size, E)
        m.linear(h + "mlp.down_proj", E, m.intermediate_size)
        for name in ("pre_mixer_norm", "post_mixer_norm", "pre_mlp_norm", "post_mlp_norm"):
            m.norm(h + name, E)
    m.norm("norm", E)
    m.prefix = ""
    m.head("lm_head", "model.embed_tokens", m.vocab_size, E, m.get("tie_word_embeddings", True))


def decilm(m, cls):
    """modeling_decilm.py: a block's attention and network are each complete, one linear map, or absent."""
    E, H, V = m.hidden_size, m.num_attention_heads, m.vocab_size
    m.prefix = {"DeciLMModel": "", "DeciLMForQuestionAnswering": "transformer."}.get(cls, "model.")
    m.table("embed_tokens", V, E)
    for i, block in enumerate(m.block_configs):
        h, a, f = f"layers.{i}.", block["attention"], block["ffn"]
        if not a["no_op"]:
            m.norm(h + "input_layernorm", E)
            if a["replace_with_linear"]:
                m.linear(h + "self_attn.linear_attn", E, E)
            else:
                kv = H // a["n_heads_in_group"] * (E // H)
                for name, out in (("q", E), ("k", kv), ("v", kv), ("o", E)):
                    m.linear(f"{h}self_attn.{name}_proj", out, E, m.attention_bias)
        if not f["no_op"]:
            m.norm(h + "post_attention_layernorm", E)
            if f["replace_with_linear"]:
                m.linear(h + "mlp.linear_mlp", E, E)
            else:
                F = -(-int(2 * f["ffn_mult"] * E / 3) // 256) * 256
                m.linear(h + "mlp.gate_proj", F, E, m.mlp_bias)
                m.linear(h + "mlp.up_proj", F, E, m.mlp_bias)
                m.linear(h + "mlp.down_proj", E, F, m.mlp_bias)
    m.norm("norm", E)
    m.prefix = ""
    if cls == "DeciLMForCausalLM":
        m.head("lm_head", "model.embed_tokens", V, E, m.tie_word_embeddings)
    elif cls == "DeciLMForSequenceClassification":
        m.linear("score", m.labels(), E)
    elif cls == "DeciLMForTokenClassification":
        m.linear("score", m.labels(), E, True)
    elif cls == "DeciLMForQuestionAnswering":
        m.linear("qa_outputs", 2, E, True)


# ---- encoders --------------------------------------------------------------------------------------

def jina_bert(m, cls):
    """modeling_bert.py of jina-bert-v2, and of the code model ("qk-post-norm"), which has more norms and names the
        network's parts differently. Published configurations say MaskedLM; the files hold the bare model."""
    E, F = m.hidden_size, m.intermediate_size
    post = "qk-post-norm" in (m.auto_map or {}).get("AutoConfig", "")
    m.table("embeddings.word_embeddings", m.vocab_size, E)
    if m.get("position_embedding_type", "absolute") != "alibi":
        m.table("embeddings.position_embeddings", m.max_position_embeddings, E)
    m.table("embeddings.token_type_embeddings", m.type_vocab_size, E)
    m.norm("embeddings.LayerNorm", E, True)
    for i in range(m.num_hidden_layers):
        h = f"encoder.layer.{i}."
        for name in ("query", "key", "value"):
            m.linear(h + "attention.self." + name, E, E, True)
        if post:
            m.norm(h + "attention.self.layer_norm_q", E, True)
            m.norm(h + "attention.self.layer_norm_k", E, True)
        m.linear(h + "attention.output.dense", E, E, True)
        m.norm(h + "attention.output.LayerNorm", E, True)
        if post:
            m.norm(h + "layer_norm_1", E, True)
            m.norm(h + "layer_norm_2", E, True)
            m.linear(h + "mlp.up_gated_layer", 2 * F, E)
            m.linear(h + "mlp.down_layer", E, F, True)
        else:
            m.linear(h + "mlp.gated_layers", 2 * F, E)
            m.linear(h + "mlp.wo", E, F, True)
            m.norm(h + "mlp.layernorm", E, True)
    m.linear("pooler.dense", E, E, True)


GATED = ("glu", "swiglu", "geglu")


def nomic_bert(m, cls):
    """modeling_hf_nomic_bert.py, with GPT-2's names in its configuration. Published configurations say NomicBertModel; the
        files have no pooler; the vocabulary is padded to a multiple."""
    E, F = m.n_embd, m.n_inner
    many = m.get("pad_vocab_size_multiple", 1)
    V = -(-m.vocab_size // many) * many
    m.prefix = "bert." if cls != "NomicBertModel" else ""
    m.table("embeddings.word_embeddings", V, E)
    if m.get("rotary_emb_fraction", 0) <= 0 and m.n_positions > 0:
        m.table("embeddings.position_embeddings", m.n_positions, E)
    if m.type_vocab_size > 0:
        m.table("embeddings.token_type_embeddings", m.type_vocab_size, E)
    m.norm("emb_ln", E, True)
    for i in range(m.n_layer):
        h, every = f"encoder.layers.{i}.", m.get("moe_every_n_layers", 0)
        m.linear(h + "attn.Wqkv", 3 * E, E, m.qkv_proj_bias)
        m.linear(h + "attn.out_proj", E, E, m.qkv_proj_bias)
        if every > 0 and i % every == 1:
            m.linear(h + "mlp.router.layer", m.num_experts, E)
            m.param(h + "mlp.experts.mlp.w1", m.num_experts * F, E)
            m.param(h + "mlp.experts.mlp.w2", m.num_experts * F, E)
            m.param(h + "mlp.experts.bias", E)
        elif m.activation_function in GATED:
            G = -(-F // 256) * 256
            m.linear(h + "mlp.fc11", G, E, m.mlp_fc1_bias)
            m.linear(h + "mlp.fc12", G, E, m.mlp_fc1_bias)
            m.linear(h + "mlp.fc2", E, G, m.mlp_fc2_bias)
        else:
            m.linear(h + "mlp.fc1", F, E, m.mlp_fc1_bias)
            m.linear(h + "mlp.fc2", E, F, m.mlp_fc2_bias)
        m.norm(h + "norm1", E, True)
        m.norm(h + "norm2", E, True)


def nomic_bert_5(m, cls):
    """What transformers 5.23 saves from its own class, under the earlier names."""
    E, F = m.hidden_size, m.intermediate_size
    m.table("embeddings.word_embeddings", m.vocab_size, E)
    m.table("embeddings.token_type_embeddings", m.type_vocab_size, E)
    m.norm("emb_ln", E, True)
    for i in range(m.num_hidden_layers):
        h = f"encoder.layers.{i}."
        m.linear(h + "attn.Wqkv", 3 * E, E)
        m.linear(h + "attn.out_proj", E, E)
        m.linear(h + "mlp.fc11", F, E)
        m.linear(h + "mlp.fc12", F, E)
        m.linear(h + "mlp.fc2", E, F)
        m.norm(h + "norm1", E, True)
        m.norm(h + "norm2", E, True)


def neobert(m, cls):
    """model.py of NeoBERT."""
    E = m.hidden_size
    F = -(-int(2 * m.intermediate_size / 3) // 8) * 8
    m.prefix = "" if cls == "NeoBERT" else "model."
    m.table("encoder", m.vocab_size, E)
    for i in range(m.num_hidden_layers):
        h = f"transformer_encoder.{i}."
        m.linear(h + "qkv", 3 * E, E)
        m.linear(h + "wo", E, E)
        m.linear(h + "ffn.w12", 2 * F, E)
        m.linear(h + "ffn.w3", E, F)
        m.norm(h + "attention_norm", E)
        m.norm(h + "ffn_norm", E)
    m.norm("layer_norm", E)
    m.prefix = ""
    if cls == "NeoBERTLMHead":
        m.linear("decoder", m.vocab_size, E, True)
    elif cls == "NeoBERTForSequenceClassification":
        m.linear("dense", E, E, True)
        m.linear("classifier", m.labels(), E, True)


# ---- the cases -------------------------------------------------------------------------------------

LABELS = {"id2label": {"0": "a", "1": "b", "2": "c"}}
QWEN = {"model_type": "qwen", "vocab_size": 97, "hidden_size": 21, "num_hidden_layers": 2,
        "num_attention_heads": 3, "kv_channels": 7, "intermediate_size": 58, "no_bias": True,
        "tie_word_embeddings": False}
QWEN_FIRST = {"model_type": "qwen", "vocab_size": 89, "n_embd": 15, "n_layer": 2, "n_head": 5,
              "n_inner": None, "kv_channels": 3, "ffn_hidden_size": 46, "no_bias": True,
              "tie_word_embeddings": False}
INTERN = {"model_type": "internlm2", "vocab_size": 101, "hidden_size": 60, "num_hidden_layers": 2,
          "num_attention_heads": 6, "num_key_value_heads": 2, "intermediate_size": 37, "bias": False,
          "tie_word_embeddings": False}
BAICHUAN = {"model_type": "baichuan", "vocab_size": 103, "hidden_size": 42, "num_hidden_layers": 2,
            "num_attention_heads": 3, "intermediate_size": 29, "tie_word_embeddings": False}
GLM = {"model_type": "chatglm", "padded_vocab_size": 107, "hidden_size": 30, "num_layers": 2,
       "num_attention_heads": 3, "kv_channels": 12, "ffn_hidden_size": 41, "add_bias_linear": False,
       "add_qkv_bias": True, "multi_query_attention": True, "multi_query_group_num": 2, "rmsnorm": True,
       "post_layer_norm": True, "pre_seq_len": None, "prefix_projection": False}
EXAONE = {"model_type": "exaone", "vocab_size": 109, "hidden_size": 44, "num_layers": 2,
          "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 31,
          "tie_word_embeddings": False}
JAIS = {"model_type": "jais", "vocab_size": 181, "n_embd": 27, "n_layer": 2, "n_head": 3, "n_inner": 49,
        "n_positions": 73, "activation_function": "swiglu", "position_embedding_type": "alibi"}
SHELL = {"model_type": "codeshell", "vocab_size": 191, "n_embd": 48, "n_layer": 2, "n_head": 6,
         "n_inner": 57, "group_query_attention": True, "num_query_groups": 2, "n_positions": 79}
ELM = {"model_type": "openelm", "vocab_size": 113, "model_dim": 50, "num_transformer_layers": 3,
       "head_dim": 9, "num_query_heads": [4, 6, 8], "num_kv_heads": [2, 3, 4],
       "ffn_multipliers": [0.5, 1.7, 4.0], "ffn_dim_divisor": 16, "ffn_with_glu": True,
       "normalize_qk_projections": True, "share_input_output_layers": True}
PLAMO = {"model_type": "plamo3", "vocab_size": 127, "hidden_size": 33, "num_hidden_layers": 2,
         "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 10, "intermediate_size": 23}


def mimo(m, cls):
    """modeling_mimo.py: Qwen2 whose model also makes num_nextn_predict_layers additional layers."""
    E, F, D = m.hidden_size, m.intermediate_size, m.head_dim
    q, kv = m.num_attention_heads * D, m.num_key_value_heads * D
    m.prefix = "" if cls == "MiMoModel" else "model."
    m.table("embed_tokens", m.vocab_size, E)

    def layer(h):
        for name, out in (("q", q), ("k", kv), ("v", kv)):
            m.linear(h + f"self_attn.{name}_proj", out, E, True)
        m.linear(h + "self_attn.o_proj", E, q)
        m.linear(h + "mlp.gate_proj", F, E)
        m.linear(h + "mlp.up_proj", F, E)
        m.linear(h + "mlp.down_proj", E, F)
        m.norm(h + "input_layernorm", E)
        m.norm(h + "post_attention_layernorm", E)

    for i in range(m.num_hidden_layers):
        layer(f"layers.{i}.")
    m.norm("norm", E)
    for i in range(m.num_nextn_predict_layers):
        h = f"mtp_layers.{i}."
        layer(h)
        m.norm(h + "token_layernorm", E)
        m.norm(h + "hidden_layernorm", E)
        m.linear(h + "input_proj", E, 2 * E)
        m.norm(h + "final_layernorm", E)
    m.prefix = ""
    if cls == "MiMoForCausalLM":
        m.linear("lm_head", m.vocab_size, E)


def phi3small(m, cls):
    """modeling_phi3_small.py: one projection for q, k and v, one for gate and up, biases everywhere."""
    E, H, K, F = m.hidden_size, m.num_attention_heads, m.num_key_value_heads, m.ff_intermediate_size
    m.prefix = "" if cls == "Phi3SmallModel" else "model."
    m.table("embed_tokens", m.vocab_size, E)
    for i in range(m.num_hidden_layers):
        h = f"layers.{i}."
        m.linear(h + "self_attn.query_key_value", (H + 2 * K) * (E // H), E, True)
        m.linear(h + "self_attn.dense", E, E, True)
        m.linear(h + "mlp.up_proj", 2 * F, E, True)
        m.linear(h + "mlp.down_proj", E, F, True)
        m.norm(h + "input_layernorm", E, True)
        m.norm(h + "post_attention_layernorm", E, True)
    m.norm("final_layernorm", E, True)
    m.prefix = ""
    if cls == "Phi3SmallForCausalLM":
        m.copy("lm_head.weight", "model.embed_tokens.weight")


def block(attention=None, group=None, ffn=None, mult=None):
    """A block of DeciLM; "linear" or "none" for a replaced or missing half."""
    return {"attention": {"n_heads_in_group": group, "no_op": attention == "none",
                          "replace_with_linear": attention == "linear"},
            "ffn": {"ffn_mult": mult, "no_op": ffn == "none", "replace_with_linear": ffn == "linear"}}


DECI = {"model_type": "nemotron-nas", "vocab_size": 131, "hidden_size": 72, "num_hidden_layers": 5,
        "num_attention_heads": 8, "attention_bias": False, "mlp_bias": False, "tie_word_embeddings": False,
        "num_key_value_heads": None, "intermediate_size": None,
        "block_configs": [block(group=2, mult=1.5), block(group=4, mult=5.25), block("none", mult=2.625),
                          block("linear", ffn="linear"), block(group=8, ffn="none")]}
JINA = {"model_type": "bert", "vocab_size": 137, "hidden_size": 26, "num_hidden_layers": 2,
        "num_attention_heads": 2, "intermediate_size": 43, "type_vocab_size": 3,
        "max_position_embeddings": 67, "position_embedding_type": "alibi", "feed_forward_type": "geglu"}
JINA_CODE = {**JINA, "auto_map": {
    "AutoConfig": "jinaai/jina-bert-v2-qk-post-norm--configuration_bert.JinaBertConfig"}}
NOMIC = {"model_type": "nomic_bert", "vocab_size": 139, "n_embd": 28, "n_layer": 4, "n_head": 4,
         "n_inner": 256, "n_positions": 71, "type_vocab_size": 2, "activation_function": "swiglu",
         "qkv_proj_bias": False, "mlp_fc1_bias": False, "mlp_fc2_bias": False, "rotary_emb_fraction": 1.0,
         "pad_vocab_size_multiple": 1}
NOMIC_MOE = {**NOMIC, "activation_function": "gelu", "n_inner": 55, "type_vocab_size": 1,
             "qkv_proj_bias": True, "mlp_fc1_bias": True, "mlp_fc2_bias": True, "num_experts": 3,
             "moe_every_n_layers": 2, "moe_top_k": 2}
NOMIC_5 = {"model_type": "nomic_bert", "vocab_size": 149, "hidden_size": 36, "num_hidden_layers": 2,
           "num_attention_heads": 2, "intermediate_size": 47, "type_vocab_size": 3, "hidden_act": "silu",
           "head_dim": 18, "max_position_embeddings": 61}
NEO = {"model_type": "neobert", "vocab_size": 151, "hidden_size": 38, "num_hidden_layers": 2,
       "num_attention_heads": 2, "intermediate_size": 53}

MIMO = {"model_type": "mimo", "vocab_size": 157, "hidden_size": 36, "num_hidden_layers": 3,
        "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 10, "intermediate_size": 59,
        "attention_bias": True, "num_nextn_predict_layers": 2, "tie_word_embeddings": False}
PHI3_SMALL = {"model_type": "phi3small", "vocab_size": 163, "hidden_size": 48, "num_hidden_layers": 3,
              "num_attention_heads": 6, "num_key_value_heads": 2, "ff_intermediate_size": 67,
              "ff_dim_multiplier": None}

ROWS = [
    ("qwen", "QWenLMHeadModel", qwen, QWEN),
    ("qwen-biased", "QWenLMHeadModel", qwen, {**QWEN, "no_bias": False}),
    ("qwen-bare", "QWenModel", qwen, QWEN),
    ("qwen-first-names", "QWenLMHeadModel", qwen, QWEN_FIRST),
    ("internlm2", "InternLM2ForCausalLM", internlm2, INTERN),
    ("internlm2-biased", "InternLM2ForCausalLM", internlm2, {**INTERN, "bias": True}),
    ("internlm2-tied", "InternLM2ForCausalLM", internlm2, {**INTERN, "tie_word_embeddings": True}),
    ("internlm2-bare", "InternLM2Model", internlm2, INTERN),
    ("internlm2-reward", "InternLM2ForRewardModel", internlm2, INTERN),
    ("internlm2-classes", "InternLM2ForSequenceClassification", internlm2, {**INTERN, **LABELS}),
    ("internlm2-tokens", "InternLM2ForTokenClassification", internlm2, {**INTERN, **LABELS}),
    ("internlm2-question", "InternLM2ForQuestionAnswering", internlm2, INTERN),
    ("baichuan", "BaichuanForCausalLM", baichuan, BAICHUAN),
    ("baichuan-first", "BaiChuanForCausalLM", baichuan, BAICHUAN),
    ("baichuan-bare", "BaichuanModel", baichuan, BAICHUAN),
    ("chatglm", "ChatGLMForConditionalGeneration", chatglm, GLM),
    ("chatglm-bare", "ChatGLMModel", chatglm, GLM),
    ("chatglm-biased", "ChatGLMModel", chatglm, {**GLM, "add_bias_linear": True, "add_qkv_bias": False,
                                                 "multi_query_attention": False, "rmsnorm": False}),
    ("chatglm-plain", "ChatGLMModel", chatglm, {**GLM, "add_qkv_bias": False, "post_layer_norm": False}),
    ("chatglm-prefix", "ChatGLMForConditionalGeneration", chatglm, {**GLM, "pre_seq_len": 17}),
    ("chatglm-prefix-trans", "ChatGLMForConditionalGeneration", chatglm,
     {**GLM, "pre_seq_len": 19, "prefix_projection": True}),
    ("chatglm-classes", "ChatGLMForSequenceClassification", chatglm, {**GLM, **LABELS}),
    ("jais", "JAISLMHeadModel", jais, JAIS),
    ("jais-learned", "JAISLMHeadModel", jais,
     {**JAIS, "position_embedding_type": "learned", "activation_function": "gelu_new", "n_inner": None,
      "tie_word_embeddings": False}),
    ("jais-bare", "JAISModel", jais, JAIS),
    ("codeshell", "CodeShellForCausalLM", codeshell, SHELL),
    ("codeshell-many", "CodeShellForCausalLM", codeshell,
     {**SHELL, "group_query_attention": False, "tie_word_embeddings": False}),
    ("exaone", "ExaoneForCausalLM", exaone, EXAONE),
    ("exaone-tied", "ExaoneForCausalLM", exaone, {**EXAONE, "tie_word_embeddings": True}),
    ("exaone-bare", "ExaoneModel", exaone, {**EXAONE, "intermediate_size": None}),
    ("exaone-classes", "ExaoneForSequenceClassification", exaone, {**EXAONE, **LABELS}),
    ("openelm", "OpenELMForCausalLM", openelm, ELM),
    ("openelm-head", "OpenELMForCausalLM", openelm, {**ELM, "share_input_output_layers": False,
                                                     "normalize_qk_projections": False}),
    ("openelm-plain", "OpenELMForCausalLM", openelm, {**ELM, "ffn_with_glu": False}),
    ("openelm-steps", "OpenELMForCausalLM", openelm, {**ELM, "ffn_multipliers": [0.1, 3.35, 0.98],
                                                      "ffn_dim_divisor": 48}),
    ("openelm-bare", "OpenELMModel", openelm, ELM),
    ("plamo3", "Plamo3ForCausalLM", plamo3, PLAMO),
    ("plamo3-untied", "Plamo3ForCausalLM", plamo3, {**PLAMO, "tie_word_embeddings": False}),
    ("deci", "DeciLMForCausalLM", decilm, DECI),
    ("deci-biased", "DeciLMForCausalLM", decilm, {**DECI, "attention_bias": True, "mlp_bias": True,
                                                  "tie_word_embeddings": True}),
    ("deci-classes", "DeciLMForSequenceClassification", decilm, {**DECI, **LABELS}),
    ("deci-tokens", "DeciLMForTokenClassification", decilm, {**DECI, **LABELS}),
    ("deci-question", "DeciLMForQuestionAnswering", decilm, DECI),
    ("deci-bare", "DeciLMModel", decilm, DECI),
    ("jina-bert", "JinaBertModel", jina_bert, JINA),
    ("jina-bert-published", "JinaBertForMaskedLM", jina_bert, JINA),
    ("jina-bert-code", "JinaBertModel", jina_bert, JINA_CODE),
    ("jina-bert-positions", "JinaBertModel", jina_bert, {**JINA, "position_embedding_type": "absolute"}),
    ("nomic-bert", "NomicBertModel", nomic_bert, NOMIC),
    ("nomic-bert-padded", "NomicBertModel", nomic_bert, {**NOMIC, "n_inner": 300, "type_vocab_size": 0,
                                                         "pad_vocab_size_multiple": 64}),
    ("nomic-bert-positions", "NomicBertModel", nomic_bert,
     {**NOMIC, "rotary_emb_fraction": 0.0, "qkv_proj_bias": True, "mlp_fc1_bias": True,
      "mlp_fc2_bias": True}),
    ("nomic-bert-moe", "NomicBertModel", nomic_bert, NOMIC_MOE),
    ("nomic-bert-5", "NomicBertModel", nomic_bert_5, NOMIC_5),
    ("neobert", "NeoBERT", neobert, NEO),
    ("neobert-lm", "NeoBERTLMHead", neobert, NEO),
    ("neobert-classes", "NeoBERTForSequenceClassification", neobert, {**NEO, **LABELS}),
    ("mimo", "MiMoForCausalLM", mimo, MIMO),
    ("mimo-model", "MiMoModel", mimo, MIMO),
    ("phi3small", "Phi3SmallForCausalLM", phi3small, PHI3_SMALL),
    ("phi3small-model", "Phi3SmallModel", phi3small, PHI3_SMALL),
]
