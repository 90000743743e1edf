"""remote_namesakes.py -- classes whose configuration has the model type of another class; see remote_cases.py."""

from remote_seeing import at, clip_336, conv, linears, llama, sequence, siglip_navit
from remote_bases import GLM, LABELS, QWEN, chatglm, qwen


def tower_layers(m, h, layers, wide, inner, names):
    """Layers of a tower, with its names for: norm, q-k-v, output, norm, up, down."""
    first, qkv, out, second, up, down = names
    for i in range(layers):
        b = f"{h}.{i}."
        m.norm(b + first, wide, True)
        linears(m, b, [(qkv, 3 * wide, wide), (out, wide, wide)], True)
        m.norm(b + second, wide, True)
        linears(m, b, [(up, inner, wide), (down, wide, inner)], True)


def qwen_vl(m, cls):
    """modeling_qwen.py and visual.py of Qwen-VL: OpenCLIP's tower, a resampler of 256 queries."""
    qwen(m, cls)
    v, prefix = m.visual, "transformer.visual."
    E, O = v["width"], v["output_dim"]
    at(m, prefix)
    conv(m, "conv1", E, 3, v["patch_size"], v["patch_size"], False)
    m.param("positional_embedding", 256, E)
    m.norm("ln_pre", E, True)
    tower_layers(m, "transformer.resblocks", v["layers"], E, int(E * v["mlp_ratio"]),
                 ("ln_1", "attn.in_proj", "attn.out_proj", "ln_2", "mlp.c_fc", "mlp.c_proj"))
    m.param("attn_pool.query", 256, O)
    m.param("attn_pool.pos_embed", 256, O)
    if O != E:
        m.linear("attn_pool.kv_proj", O, E)
    m.param("attn_pool.attn.in_proj_weight", 3 * O, O)
    m.param("attn_pool.attn.in_proj_bias", 3 * O)
    m.linear("attn_pool.attn.out_proj", O, O, True)
    m.norm("attn_pool.ln_q", O, True)
    m.norm("attn_pool.ln_kv", O, True)
    m.norm("ln_post", O, True)
    m.param("proj", O, O)


def glm_4v(m, cls):
    """visual.py of GLM-4V: EVA-CLIP's tower, a convolution that halves the grid, a gated projection."""
    chatglm(m, cls)
    v, W, F = m.vision_config, m.hidden_size, m.ffn_hidden_size
    E = v["hidden_size"]
    at(m, "vision." if cls == "ChatGLMModel" else "transformer.vision.")
    conv(m, "patch_embedding.proj", E, v["in_channels"], v["patch_size"], v["patch_size"])
    m.param("patch_embedding.cls_embedding", 1, E)
    m.table("patch_embedding.position_embedding", v["num_positions"], E)
    tower_layers(m, "transformer.layers", v["num_hidden_layers"], E, v["intermediate_size"],
                 ("input_layernorm", "attention.query_key_value", "attention.dense", "post_attention_layernorm",
                  "mlp.fc1", "mlp.fc2"))
    conv(m, "conv", W, E, 2, 2)
    linears(m, "linear_proj.", [("linear_proj", W, W), ("gate_proj", F, W), ("dense_h_to_4h", F, W),
                                ("dense_4h_to_h", W, F)])
    m.norm("linear_proj.norm1", W, True)
    m.param("boi", 1, 1, W)
    m.param("eoi", 1, 1, W)


def mosaic_bert(m, cls):
    """bert_layers.py of MosaicML, also of DNABERT-2: no positions, gated networks; the head's bias is its
    decoder's."""
    E, F = m.hidden_size, m.intermediate_size
    at(m, "" if cls == "BertModel" else "bert.")
    m.table("embeddings.word_embeddings", m.vocab_size, E)
    m.table("embeddings.token_type_embeddings", m.type_vocab_size, E)
    m.norm("embeddings.LayerNorm", E, True)
    for i in range(m.num_hidden_layers):
        h = f"encoder.layer.{i}."
        linears(m, h + "attention.", [("self.Wqkv", 3 * E, E), ("output.dense", E, E)], True)
        m.norm(h + "attention.output.LayerNorm", E, True)
        m.linear(h + "mlp.gated_layers", 2 * F, E)
        m.linear(h + "mlp.wo", E, F, True)
        m.norm(h + "mlp.layernorm", E, True)
    if cls != "BertForMaskedLM":
        m.linear("pooler.dense", E, E, True)
    at(m, "")
    if cls == "BertForMaskedLM":
        m.linear("cls.predictions.transform.dense", E, E, True)
        m.norm("cls.predictions.transform.LayerNorm", E, True)
        m.copy("cls.predictions.decoder.weight", "bert.embeddings.word_embeddings.weight")
        m.param("cls.predictions.decoder.bias", m.vocab_size)
    elif cls == "BertForSequenceClassification":
        m.linear("classifier", m.labels(), E, True)


def nucleotide(m, cls):
    """modeling_esm.py of Nucleotide Transformer v2: ESM with gated networks; rotary frequencies in each layer."""
    E, F, L, H = m.hidden_size, m.intermediate_size, m.num_hidden_layers, m.num_attention_heads
    at(m, "esm.").table("embeddings.word_embeddings", m.vocab_size, E)
    for i in range(L):
        h = f"encoder.layer.{i}."
        m.norm(h + "attention.LayerNorm", E, True)
        linears(m, h + "attention.", [("self.query", E, E), ("self.key", E, E), ("self.value", E, E),
                                      ("output.dense", E, E)], True)
        m.buffer(h + "attention.self.rotary_embeddings.inv_freq", E // H // 2)
        m.norm(h + "LayerNorm", E, True)
        m.linear(h + "intermediate.dense", 2 * F, E, m.add_bias_fnn)
        m.linear(h + "output.dense", E, F, m.add_bias_fnn)
    m.norm("encoder.emb_layer_norm_after", E, True)
    m.linear("contact_head.regression", 1, L * H, True)
    at(m, "").linear("lm_head.dense", E, E, True)
    m.norm("lm_head.layer_norm", E, True)
    m.param("lm_head.bias", m.vocab_size)
    m.linear("lm_head.decoder", m.vocab_size, E)


def santacoder(m, cls):
    """modeling_gpt2_mq.py: GPT-2 with one key and one value for all heads; maps are [in, out]."""
    E, F, D = m.n_embd, m.n_inner, m.n_embd // m.n_head
    at(m, "transformer.").table("wte", m.vocab_size, E)
    m.table("wpe", m.n_positions, E)
    for i in range(m.n_layer):
        h = f"h.{i}."
        for name, out, into in (("attn.q_attn", E, E), ("attn.kv_attn", 2 * D, E), ("attn.c_proj", E, E),
                                ("mlp.c_fc", F, E), ("mlp.c_proj", E, F)):
            m.param(f"{h}{name}.weight", into, out)
            m.param(f"{h}{name}.bias", out)
        m.norm(h + "ln_1", E, True)
        m.norm(h + "ln_2", E, True)
    m.norm("ln_f", E, True)
    at(m, "").head("lm_head", "transformer.wte", m.vocab_size, E, True)


# ---- LLaVA -----------------------------------------------------------------------------------------

LLAVA_CLIP = {"hidden_size": 1024, "intermediate_size": 4096, "patch_size": 14}
LLAVA_SIGLIP = {"hidden_size": 1152, "intermediate_size": 4304, "patch_size": 14, "image_size": 384}


def llava_clip(m, prefix, side):
    """CLIPVisionModel of transformers at 224 or 336 pixels."""
    clip_336(m, prefix)
    if side == 224:
        m.params[prefix + "embeddings.position_embedding.weight"] = [257, 1024]


def llava(m, cls):
    """llava_arch.py around a language model; clip_encoder.py makes the whole tower, siglip_encoder.py omits the last layer
        and the pool. Some files of the first LLaVA include the tower."""
    qwen, name = cls == "LlavaQwenForCausalLM", m.mm_vision_tower
    llama(m, "", m.config, bias=qwen)
    if m.mm_projector_type is not None or m.stored_tower:
        if "siglip" in name:
            siglip_navit(m, "model.vision_tower.vision_tower.vision_model.", LLAVA_SIGLIP, 26)
        else:
            llava_clip(m, "model.vision_tower.vision_tower.vision_model.", 336 if "336" in name else 224)
    at(m, "model.")
    kind, E = m.mm_projector_type or "linear", m.hidden_size
    if kind == "linear":
        m.linear("mm_projector", E, m.mm_hidden_size, True)
    else:
        sequence(m, "mm_projector.", [m.mm_hidden_size] + [E] * int(kind[3]))
    if "unpad" in (m.mm_patch_merge_type or ""):
        m.param("image_newline", E)


# ---- the cases -------------------------------------------------------------------------------------

VL = {**QWEN, "visual": {"heads": 2, "image_size": 56, "layers": 2, "mlp_ratio": 4.9231, "output_dim": 21,
                         "patch_size": 7, "width": 26}}
SEEN = {**GLM, "vision_config": {"hidden_size": 22, "in_channels": 4, "intermediate_size": 37, "num_heads": 2,
                                 "num_hidden_layers": 2, "num_positions": 17, "patch_size": 3}}
MOSAIC = {"model_type": "bert", "alibi_starting_size": 512, "vocab_size": 149, "hidden_size": 36, "num_hidden_layers": 2,
          "num_attention_heads": 3, "intermediate_size": 55, "type_vocab_size": 3, "max_position_embeddings": 61}
NUCLEOTIDE = {"model_type": "esm", "add_bias_fnn": False, "vocab_size": 151, "hidden_size": 40, "num_hidden_layers": 2,
              "num_attention_heads": 4, "intermediate_size": 59, "position_embedding_type": "rotary",
              "max_position_embeddings": 63, "tie_word_embeddings": False, "emb_layer_norm_before": False}
SANTA = {"model_type": "gpt2", "attention_head_type": "multiquery", "vocab_size": 157, "n_embd": 48, "n_head": 4,
         "n_inner": 61, "n_layer": 2, "n_positions": 67}
LLAVA = {"model_type": "llava", "vocab_size": 137, "hidden_size": 26, "num_hidden_layers": 2, "num_attention_heads": 2,
         "num_key_value_heads": 1, "intermediate_size": 43, "tie_word_embeddings": False, "mm_hidden_size": 1024,
         "mm_projector_type": "mlp2x_gelu", "mm_vision_tower": "openai/clip-vit-large-patch14-336"}

ROWS = [
    ("qwen-vl", "QWenLMHeadModel", qwen_vl, VL),
    ("qwen-vl-same", "QWenLMHeadModel", qwen_vl, {**VL, "visual": {**VL["visual"], "output_dim": 26}}),
    ("glm-4v", "ChatGLMModel", glm_4v, SEEN),
    ("mosaic-bert", "BertModel", mosaic_bert, MOSAIC),
    ("mosaic-bert-masked", "BertForMaskedLM", mosaic_bert, MOSAIC),
    ("mosaic-bert-classes", "BertForSequenceClassification", mosaic_bert, {**MOSAIC, **LABELS}),
    ("nucleotide", "EsmForMaskedLM", nucleotide, NUCLEOTIDE),
    ("nucleotide-biased", "EsmForMaskedLM", nucleotide, {**NUCLEOTIDE, "add_bias_fnn": True}),
    ("santacoder", "GPT2LMHeadCustomModel", santacoder, SANTA),
    ("llava-1.5", "LlavaLlamaForCausalLM", llava, LLAVA),
    ("llava-1.6", "LlavaMistralForCausalLM", llava,
     {**LLAVA, "model_type": "llava_mistral", "mm_patch_merge_type": "spatial_unpad", "mm_projector_type": "mlp3x_gelu",
      "attention_bias": True}),
    ("llava-1", "LlavaLlamaForCausalLM", llava,
     {**LLAVA, "mm_projector_type": None, "mm_vision_tower": "openai/clip-vit-large-patch14", "stored_tower": True}),
    ("llava-onevision", "LlavaQwenForCausalLM", llava,
     {**LLAVA, "model_type": "llava_qwen", "mm_hidden_size": 1152, "mm_patch_merge_type": "spatial_unpad",
      "mm_vision_tower": "google/siglip-so400m-patch14-384"}),
]
