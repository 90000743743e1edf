"""remote_early.py -- models as in the code of their first release; see remote_cases.py."""


# ---- ChatGLM-6B ------------------------------------------------------------------------------------

def chatglm_first(m, cls):
    """modeling_chatglm.py of ChatGLM-6B. from_pretrained() ties the output layer; it is stored all the same."""
    E, F, V = m.hidden_size, m.inner_hidden_size, m.vocab_size
    m.prefix = "transformer."
    m.table("word_embeddings", V, E)
    turned = E // m.num_attention_heads // (2 if m.position_encoding_2d else 1)
    for i in range(m.num_layers):
        h = f"layers.{i}."
        m.norm(h + "input_layernorm", E, True)
        m.buffer(h + "attention.rotary_emb.inv_freq", turned // 2)
        m.linear(h + "attention.query_key_value", 3 * E, E, True)
        m.linear(h + "attention.dense", E, E, True)
        m.norm(h + "post_attention_layernorm", E, True)
        m.linear(h + "mlp.dense_h_to_4h", F, E, True)
        m.linear(h + "mlp.dense_4h_to_h", E, F, True)
    m.norm("final_layernorm", E, True)
    if m.pre_seq_len is not None:
        kv = m.num_layers * E * 2
        m.table("prefix_encoder.embedding", m.pre_seq_len, E if m.prefix_projection else kv)
        if m.prefix_projection:
            m.linear("prefix_encoder.trans.0", E, E, True)
            m.linear("prefix_encoder.trans.2", kv, E, True)
    m.prefix = ""
    m.head("lm_head", "transformer.word_embeddings", V, E, m.get("tie_word_embeddings", True))


# ---- Phi, under the names of its first files ---------------------------------------------------------

def phi_msft(m, cls):
    """modeling_phi.py of microsoft/phi-2, 2023: MHA with one projection, ParallelBlock, CausalLMHead."""
    E, H, F = m.n_embd, m.n_head, m.n_inner if m.n_inner is not None else 4 * m.n_embd
    K = m.n_head_kv if m.n_head_kv is not None else H
    m.table("transformer.embd.wte", m.vocab_size, E)
    for i in range(m.n_layer):
        h = f"transformer.h.{i}."
        m.norm(h + "ln", E, True)
        m.linear(h + "mixer.Wqkv", E // H * (H + 2 * K), E, True)
        m.linear(h + "mixer.out_proj", E, E, True)
        m.linear(h + "mlp.fc1", F, E, True)
        m.linear(h + "mlp.fc2", E, F, True)
    m.norm("lm_head.ln", E, True)
    m.linear("lm_head.linear", m.vocab_size, E, True)


GLM1 = {"model_type": "chatglm", "vocab_size": 109, "hidden_size": 40, "num_layers": 2, "num_attention_heads": 2,
        "inner_hidden_size": 43, "position_encoding_2d": True, "pre_seq_len": None, "prefix_projection": False}
PHI = {"model_type": "phi-msft", "vocab_size": 127, "n_embd": 36, "n_layer": 2, "n_head": 3, "n_head_kv": None,
       "n_inner": None, "n_positions": 71, "rotary_dim": 4}

ROWS = [
    ("chatglm-first", "ChatGLMModel", chatglm_first, GLM1),
    ("chatglm-first-flat", "ChatGLMForConditionalGeneration", chatglm_first,
     {**GLM1, "position_encoding_2d": False, "tie_word_embeddings": False, "pre_seq_len": 17}),
    ("chatglm-first-trans", "ChatGLMForConditionalGeneration", chatglm_first,
     {**GLM1, "pre_seq_len": 19, "prefix_projection": True}),
    ("phi-msft", "PhiForCausalLM", phi_msft, PHI),
    ("phi-msft-grouped", "PhiForCausalLM", phi_msft, {**PHI, "n_head_kv": 1, "n_inner": 53}),
]
