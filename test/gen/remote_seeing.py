"""remote_seeing.py -- models that see, whose code is next to their files; see remote_cases.py."""


def at(m, prefix):
    """Names what follows below this prefix."""
    m.prefix = prefix
    return m


def conv(m, name, out, into, high, wide, bias=True):
    m.param(name + ".weight", out, into, high, wide)
    if bias:
        m.param(name + ".bias", out)


def linears(m, name, pairs, bias=False):
    """Linear maps [(their part of the name, out, in)]."""
    for part, out, into in pairs:
        m.linear(name + part, out, into, bias)


# ---- timm's SigLIP ---------------------------------------------------------------------------------

def timm_mlp(m, name, wide, ratio):
    linears(m, name, [("fc1", int(wide * ratio), wide), ("fc2", wide, int(wide * ratio))], True)


def siglip_vit(m, prefix, v):
    """siglip_vit.py of DeepSeek-VL2 and Janus: a complete VisionTransformer without a class token; its head is
    never run."""
    at(m, prefix)
    E, grid = v["width"], v["image_size"] // v["patch_size"]
    conv(m, "patch_embed.proj", E, 3, v["patch_size"], v["patch_size"])
    m.param("pos_embed", 1, grid * grid, E)
    for i in range(v["layers"]):
        h = f"blocks.{i}."
        m.norm(h + "norm1", E, True)
        linears(m, h + "attn.", [("qkv", 3 * E, E), ("proj", E, E)], True)
        m.norm(h + "norm2", E, True)
        timm_mlp(m, h + "mlp.", E, v["mlp_ratio"])
    m.norm("norm", E, True)
    if v["global_pool"] == "map":
        m.param("attn_pool.latent", 1, 1, E)
        linears(m, "attn_pool.", [("q", E, E), ("kv", 2 * E, E), ("proj", E, E)], True)
        m.norm("attn_pool.norm", E, True)
        timm_mlp(m, "attn_pool.mlp.", E, v["mlp_ratio"])


# ---- language models -------------------------------------------------------------------------------

def llama(m, prefix, t, bias=False, norms=False, fused=False):
    """A decoder of Llama's shape with its head; with biases on q, k and v it is Qwen 2's, with norms on q and k
    Qwen 3's."""
    at(m, prefix)
    E, F, H = t["hidden_size"], t["intermediate_size"], t["num_attention_heads"]
    K, D = t.get("num_key_value_heads", H), t.get("head_dim") or t["hidden_size"] // H
    m.table("model.embed_tokens", t["vocab_size"], E)
    for i in range(t["num_hidden_layers"]):
        h = f"model.layers.{i}."
        if fused:
            linears(m, h, [("self_attn.qkv_proj", (H + 2 * K) * D, E), ("mlp.gate_up_proj", 2 * F, E)])
        else:
            linears(m, h + "self_attn.", [("q_proj", H * D, E), ("k_proj", K * D, E), ("v_proj", K * D, E)], bias)
            linears(m, h + "mlp.", [("gate_proj", F, E), ("up_proj", F, E)])
        if norms:
            m.norm(h + "self_attn.q_norm", D)
            m.norm(h + "self_attn.k_norm", D)
        linears(m, h, [("self_attn.o_proj", E, H * D), ("mlp.down_proj", E, F)])
        m.norm(h + "input_layernorm", E)
        m.norm(h + "post_attention_layernorm", E)
    m.norm("model.norm", E)
    if t.get("tie_word_embeddings", False):
        m.copy(prefix + "lm_head.weight", prefix + "model.embed_tokens.weight")
    else:
        m.linear("lm_head", t["vocab_size"], E)


def mlp3(m, name, out, wide):
    linears(m, name, [("gate_proj", wide, out), ("up_proj", wide, out), ("down_proj", out, wide)])


def deepseek_attention(m, h, t):
    E, H = t["hidden_size"], t["num_attention_heads"]
    if not t.get("use_mla", True):
        K, D = t["num_key_value_heads"], E // H
        linears(m, h, [("q_proj", H * D, E), ("k_proj", K * D, E), ("v_proj", K * D, E), ("o_proj", E, H * D)])
        return
    nope, rope, rank = t["qk_nope_head_dim"], t["qk_rope_head_dim"], t["kv_lora_rank"]
    if t["q_lora_rank"] is None:
        m.linear(h + "q_proj", H * (nope + rope), E)
    else:
        m.linear(h + "q_a_proj", t["q_lora_rank"], E)
        m.norm(h + "q_a_layernorm", t["q_lora_rank"])
        m.linear(h + "q_b_proj", H * (nope + rope), t["q_lora_rank"])
    m.linear(h + "kv_a_proj_with_mqa", rank + rope, E)
    m.norm(h + "kv_a_layernorm", rank)
    m.linear(h + "kv_b_proj", H * (nope + t["v_head_dim"]), rank)
    m.linear(h + "o_proj", E, H * t["v_head_dim"])


def deepseek(m, prefix, t):
    """modeling_deepseek.py of V2 and V3 from DeepSeek-VL2 and Kimi-VL; attention is plain unless use_mla, and the router has
        a correction if topk_method is noaux_tc."""
    at(m, prefix)
    E, N, Fe = t["hidden_size"], t["n_routed_experts"], t["moe_intermediate_size"]
    m.table("model.embed_tokens", t["vocab_size"], E)
    for i in range(t["num_hidden_layers"]):
        h = f"model.layers.{i}."
        deepseek_attention(m, h + "self_attn.", t)
        if i < t["first_k_dense_replace"]:
            mlp3(m, h + "mlp.", E, t["intermediate_size"])
        else:
            m.linear(h + "mlp.gate", N, E)
            if t["topk_method"] == "noaux_tc":
                m.buffer(h + "mlp.gate.e_score_correction_bias", N)
            for e in range(N):
                mlp3(m, f"{h}mlp.experts.{e}.", E, Fe)
            mlp3(m, h + "mlp.shared_experts.", E, Fe * t["n_shared_experts"])
        m.norm(h + "input_layernorm", E)
        m.norm(h + "post_attention_layernorm", E)
    m.norm("model.norm", E)
    m.linear("lm_head", t["vocab_size"], E)


# ---- DeepSeek-VL2, DeepSeek-OCR --------------------------------------------------------------------

VL2_VISION = {"image_size": 384, "patch_size": 16, "width": 1024, "layers": 24, "mlp_ratio": 4, "global_pool": "map"}
VL2_PROJECTOR = {"projector_type": "downsample_mlp_gelu", "input_dim": 1152, "n_embed": 2048, "depth": 2,
                 "mlp_ratio": 1, "downsample_ratio": 2}


def sequence(m, name, sizes):
    """A Sequential of linear maps with an activation between them."""
    for i, (into, out) in enumerate(zip(sizes, sizes[1:])):
        m.linear(f"{name}{2 * i}", out, into, True)


def vl2_projector(m, prefix, p):
    at(m, prefix)
    into, out, depth, kind = p["input_dim"], p["n_embed"], p["depth"], p["projector_type"]
    if p.get("token_pooling"):
        m.linear("token_pooling_layer", into, into * 4, True)
    if kind == "linear":
        m.linear("layers", out, into, True)
    elif kind == "mlp_gelu":
        sequence(m, "layers.", [into] + [out] * depth)
    elif kind == "downsample_mlp_gelu":
        wide = out * p["mlp_ratio"]
        sequence(m, "layers.", [into * p["downsample_ratio"] ** 2] + [wide] * (depth - 1) + [out])


def deepseek_vl_v2(m, cls):
    """modeling_deepseek_vl_v2.py; the classes of the parts have the defaults above."""
    siglip_vit(m, "vision.", {**VL2_VISION, **m.vision_config})
    p = {**VL2_PROJECTOR, **m.projector_config}
    vl2_projector(m, "projector.", p)
    at(m, "")
    m.param("image_newline", p["n_embed"])
    m.param("view_seperator", p["n_embed"])
    deepseek(m, "language.", m.language_config)


def sam_b(m, prefix):
    """deepencoder.py: SAM's ViT-B at 1,024 pixels, all sizes in the code."""
    at(m, prefix)
    conv(m, "patch_embed.proj", 768, 3, 16, 16)
    m.param("pos_embed", 1, 64, 64, 768)
    for i in range(12):
        h, side = f"blocks.{i}.", 64 if i in (2, 5, 8, 11) else 14
        m.norm(h + "norm1", 768, True)
        linears(m, h + "attn.", [("qkv", 2304, 768), ("proj", 768, 768)], True)
        m.param(h + "attn.rel_pos_h", 2 * side - 1, 64)
        m.param(h + "attn.rel_pos_w", 2 * side - 1, 64)
        m.norm(h + "norm2", 768, True)
        linears(m, h + "mlp.", [("lin1", 3072, 768), ("lin2", 768, 3072)], True)
    conv(m, "neck.0", 256, 768, 1, 1, False)
    m.norm("neck.1", 256, True)
    conv(m, "neck.2", 256, 256, 3, 3, False)
    m.norm("neck.3", 256, True)
    conv(m, "net_2", 512, 256, 3, 3, False)
    conv(m, "net_3", 1024, 512, 3, 3, False)


def clip_l(m, prefix):
    """deepencoder.py: CLIP's ViT-L at 224 pixels, with q, k and v of a layer in one."""
    at(m, prefix)
    m.param("embeddings.class_embedding", 1024)
    conv(m, "embeddings.patch_embedding", 1024, 3, 14, 14, False)
    m.table("embeddings.position_embedding", 257, 1024)
    m.buffer("embeddings.position_ids", 1, 257)
    m.norm("pre_layrnorm", 1024, True)
    for i in range(24):
        h = f"transformer.layers.{i}."
        m.norm(h + "layer_norm1", 1024, True)
        linears(m, h + "self_attn.", [("qkv_proj", 3072, 1024), ("out_proj", 1024, 1024)], True)
        m.norm(h + "layer_norm2", 1024, True)
        linears(m, h + "mlp.", [("fc1", 4096, 1024), ("fc2", 1024, 4096)], True)


def deepseek_ocr(m, cls):
    """modeling_deepseekocr.py: DeepseekV2Model with the towers inside; the published file has 3,336,106,240 elements."""
    p = {**VL2_PROJECTOR, **m.projector_config}
    deepseek(m, "", m.language_config)
    sam_b(m, "model.sam_model.")
    clip_l(m, "model.vision_model.")
    vl2_projector(m, "model.projector.", p)
    at(m, "model.")
    m.param("image_newline", p["n_embed"])
    m.param("view_seperator", p["n_embed"])


# ---- Janus, DeepSeek-VL ----------------------------------------------------------------------------

SIGLIP = {"siglip_so400m_patch14_384": (14, 1152, 27, 3.7362), "siglip_large_patch16_384": (16, 1024, 24, 4)}


def clip_tower(m, prefix, p):
    """CLIPVisionTower around a SigLIP whose name gives its sizes; select_layer cuts its last layers."""
    patch, wide, layers, ratio = SIGLIP[p.get("model_name", "siglip_large_patch16_384")]
    select = p.get("select_layer", -2)
    depth = min(layers, layers + select + 1) if select <= 0 else min(layers, select)
    siglip_vit(m, prefix, {"image_size": p.get("image_size", 336), "patch_size": patch, "width": wide, "layers": depth,
                           "mlp_ratio": ratio, "global_pool": "map"})


def janus_projector(m, prefix, p):
    at(m, prefix)
    kind, into, out, depth = p["projector_type"], p["input_dim"], p["n_embed"], p.get("depth", 1)
    if kind == "linear":
        m.linear("layers", out, into, True)
    elif kind == "mlp_gelu":
        sequence(m, "layers.", [into] + [out] * depth)
    elif kind == "low_high_hybrid_split_mlp_gelu":
        linears(m, "", [("high_up_proj", out // 2, into), ("low_up_proj", out // 2, into)], True)
        for i in range(1, depth):
            m.linear(f"layers.{2 * i - 1}", out, out, True)


def vq_resnet(m, h, into, out):
    m.norm(h + "norm1", into, True)
    conv(m, h + "conv1", out, into, 3, 3)
    m.norm(h + "norm2", out, True)
    conv(m, h + "conv2", out, out, 3, 3)
    if into != out:
        conv(m, h + "nin_shortcut", out, into, 1, 1)


def vq_attention(m, h, wide):
    m.norm(h + "norm", wide, True)
    for name in ("q", "k", "v", "proj_out"):
        conv(m, h + name, wide, wide, 1, 1)


def vq_middle(m, h, wide):
    vq_resnet(m, h + "mid.0.", wide, wide)
    vq_attention(m, h + "mid.1.", wide)
    vq_resnet(m, h + "mid.2.", wide, wide)


def vq_16(m, prefix):
    """VQ_16() of vq_model.py, all of whose sizes are in the code; codebook_used is a buffer."""
    at(m, prefix)
    many, top = [128, 128, 256, 256, 512], 512
    conv(m, "encoder.conv_in", 128, 3, 3, 3)
    wide = 128
    for level, out in enumerate(many):
        for j in range(2):
            vq_resnet(m, f"encoder.conv_blocks.{level}.res.{j}.", wide, out)
            wide = out
            if level == 4:
                vq_attention(m, f"encoder.conv_blocks.{level}.attn.{j}.", wide)
        if level != 4:
            conv(m, f"encoder.conv_blocks.{level}.downsample.conv", wide, wide, 3, 3)
    vq_middle(m, "encoder.", top)
    m.norm("encoder.norm_out", top, True)
    conv(m, "encoder.conv_out", 256, top, 3, 3)
    conv(m, "decoder.conv_in", top, 256, 3, 3)
    vq_middle(m, "decoder.", top)
    wide = top
    for place, out in enumerate(reversed(many)):
        for j in range(3):
            vq_resnet(m, f"decoder.conv_blocks.{place}.res.{j}.", wide, out)
            wide = out
            if place == 0:
                vq_attention(m, f"decoder.conv_blocks.{place}.attn.{j}.", wide)
        if place != 4:
            conv(m, f"decoder.conv_blocks.{place}.upsample.conv", wide, wide, 3, 3)
    m.norm("decoder.norm_out", 128, True)
    conv(m, "decoder.conv_out", 3, 128, 3, 3)
    m.table("quantize.embedding", 16384, 8)
    m.buffer("quantize.codebook_used", 65536)
    conv(m, "quant_conv", 8, 256, 1, 1)
    conv(m, "post_quant_conv", 256, 8, 1, 1)


def multi_modality(m, cls):
    """modeling_vlm.py of Janus: a vision tower, an image quantizer, and Llama; without a quantizer's configuration, that of
        DeepSeek-VL, whose class has the same name."""
    clip_tower(m, "vision_model.vision_tower.", m.vision_config["params"])
    janus_projector(m, "aligner.", m.aligner_config["params"])
    if m.gen_vision_config:
        vq_16(m, "gen_vision_model.")
        janus_projector(m, "gen_aligner.", m.gen_aligner_config["params"])
        head, gen = m.gen_head_config["params"], m.gen_vision_config["params"]
        at(m, "gen_head.")
        m.linear("output_mlp_projector", head["image_token_embed"], head["n_embed"], True)
        m.linear("vision_head", head["image_token_size"], head["image_token_embed"], True)
        at(m, "").table("gen_embed", gen["image_token_size"], gen["n_embed"])
    llama(m, "language_model.", m.language_config)


# ---- Molmo -----------------------------------------------------------------------------------------

def molmo_attention(m, h, into, wide):
    linears(m, h, [("wq", wide, into), ("wk", wide, into), ("wv", wide, into), ("wo", wide, wide)], True)


def molmo(m, cls):
    """modeling_molmo.py: OLMo's model, whose table is not an nn.Embedding. The code sets the tower's sizes (CLIP's), the two
        of its layers that are used, and 128 additional words."""
    E, H = m.hidden_size, m.num_attention_heads
    K, D, F, V = m.num_key_value_heads or H, E // H, m.intermediate_size, m.embedding_size or m.vocab_size
    at(m, "model.transformer.")
    m.param("wte.embedding", V, E)
    m.param("wte.new_embedding", 128, E)
    for i in range(m.num_hidden_layers):
        h = f"blocks.{i}."
        m.linear(h + "att_proj", (H + 2 * K) * D, E, m.qkv_bias)
        if m.attention_layer_norm:
            m.norm(h + "q_norm", E)
            m.norm(h + "k_norm", K * D)
        linears(m, h, [("attn_out", E, E), ("ff_proj", F, E), ("ff_out", E, F // 2)])
        m.norm(h + "attn_norm", E)
        m.norm(h + "ff_norm", E)
    m.norm("ln_f", E)
    if not m.weight_tying:
        m.linear("ff_out", V, E)
    at(m, "model.vision_backbone.")
    m.param("pad_embed", 2, 2048)
    linears(m, "image_projector.", [("w1", F // 2, 1024), ("w2", E, F // 2), ("w3", F // 2, 1024)])
    molmo_attention(m, "image_pooling_2d.", 2048, 1024)
    m.param("image_vit.class_embedding", 1024)
    m.param("image_vit.positional_embedding", 577, 1024)
    m.linear("image_vit.patch_embedding", 1024, 588)
    m.norm("image_vit.pre_ln", 1024, True)
    for i in range(23):
        h = f"image_vit.transformer.resblocks.{i}."
        molmo_attention(m, h + "attention.", 1024, 1024)
        linears(m, h + "feed_forward.", [("w1", 4096, 1024), ("w2", 1024, 4096)], True)
        m.norm(h + "attention_norm", 1024, True)
        m.norm(h + "ffn_norm", 1024, True)


# ---- Kimi-VL, dots.ocr, Phi-3-vision, MiniCPM-V ----------------------------------------------------

def kimi_vl(m, cls):
    """modeling_kimi_vl.py: MoonViT, whose positions are an interpolated grid, and DeepSeek-V3 with its head."""
    v = m.vision_config
    E, F, p = v["hidden_size"], v["intermediate_size"], v["patch_size"]
    at(m, "vision_tower.")
    conv(m, "patch_embed.proj", E, 3, p, p)
    m.param("patch_embed.pos_emb.weight", v["init_pos_emb_height"], v["init_pos_emb_width"], E)
    for i in range(v["num_hidden_layers"]):
        h = f"encoder.blocks.{i}."
        m.norm(h + "norm0", E, True)
        m.norm(h + "norm1", E, True)
        linears(m, h, [("mlp.fc0", F, E), ("mlp.fc1", E, F), ("wqkv", 3 * E, E), ("wo", E, E)], True)
    m.norm("encoder.final_layernorm", E, True)
    many = E * v["merge_kernel_size"][0] * v["merge_kernel_size"][1]
    at(m, "multi_modal_projector.").norm("pre_norm", E, True)
    linears(m, "linear_", [("1", many, many), ("2", m.text_config["hidden_size"], many)], True)
    deepseek(m, "language_model.", m.text_config)


def dots_ocr(m, cls):
    """modeling_dots_vision.py: RMS norms, no biases except those of the patches and the merger; Qwen 2 around
    it."""
    llama(m, "", m.config, bias=True)
    v = m.vision_config
    E, F, p, bias = v["embed_dim"], v["intermediate_size"], v["patch_size"], v["use_bias"]
    at(m, "vision_tower.")
    conv(m, "patch_embed.patchifier.proj", E, v["num_channels"], p, p)
    m.norm("patch_embed.patchifier.norm", E)
    for i in range(v["num_hidden_layers"]):
        h = f"blocks.{i}."
        linears(m, h, [("attn.qkv", 3 * E, E), ("attn.proj", E, E), ("mlp.fc1", F, E), ("mlp.fc2", E, F),
                       ("mlp.fc3", F, E)], bias)
        m.norm(h + "norm1", E)
        m.norm(h + "norm2", E)
    if v["post_norm"]:
        m.norm("post_trunk_norm", E)
    many = E * v["spatial_merge_size"] ** 2
    m.norm("merger.ln_q", E, True)
    linears(m, "merger.mlp.", [("0", many, many), ("2", v["hidden_size"], many)], True)


def clip_336(m, prefix):
    """CLIP's ViT-L at 336 pixels, as transformers makes it."""
    at(m, prefix)
    m.param("embeddings.class_embedding", 1024)
    conv(m, "embeddings.patch_embedding", 1024, 3, 14, 14, False)
    m.table("embeddings.position_embedding", 577, 1024)
    m.norm("pre_layrnorm", 1024, True)
    for i in range(24):
        h = f"encoder.layers.{i}."
        linears(m, h + "self_attn.", [(n + "_proj", 1024, 1024) for n in ("k", "v", "q", "out")], True)
        linears(m, h + "mlp.", [("fc1", 4096, 1024), ("fc2", 1024, 4096)], True)
        m.norm(h + "layer_norm1", 1024, True)
        m.norm(h + "layer_norm2", 1024, True)
    m.norm("post_layernorm", 1024, True)


def phi3_v(m, cls):
    """modeling_phi3_v.py: Phi-3, CLIP, and a projector for squares of patches; the tower holds the table a
    second time."""
    llama(m, "", m.config, fused=True)
    out = m.img_processor["image_dim_out"]
    clip_336(m, "model.vision_embed_tokens.img_processor.vision_model.")
    at(m, "model.vision_embed_tokens.")
    if m.embd_layer.get("use_hd_transform"):
        m.param("glb_GN", 1, 1, 4 * out)
        m.param("sub_GN", 1, 1, 1, 4 * out)
        out *= 4
    linears(m, "img_projection.", [("0", m.hidden_size, out), ("2", m.hidden_size, m.hidden_size)], True)
    m.copy("model.vision_embed_tokens.wte.weight", "model.embed_tokens.weight")


def siglip_navit(m, prefix, v, layers):
    """SiglipVisionTransformer of modeling_navit_siglip.py: no head."""
    at(m, prefix)
    E, F, p = v["hidden_size"], v["intermediate_size"], v["patch_size"]
    conv(m, "embeddings.patch_embedding", E, 3, p, p)
    m.table("embeddings.position_embedding", (v["image_size"] // p) ** 2, E)
    for i in range(layers):
        h = f"encoder.layers.{i}."
        linears(m, h + "self_attn.", [(n + "_proj", E, E) for n in ("k", "v", "q", "out")], True)
        m.norm(h + "layer_norm1", E, True)
        linears(m, h + "mlp.", [("fc1", F, E), ("fc2", E, F)], True)
        m.norm(h + "layer_norm2", E, True)
    m.norm("post_layernorm", E, True)


def resampler(m, prefix, many, E, seen):
    """resampler.py: learned queries attend to the patches; positions are not parameters."""
    at(m, prefix)
    m.param("query", many, E)
    if seen != E:
        m.linear("kv_proj", E, seen)
    m.param("attn.in_proj_weight", 3 * E, E)
    m.param("attn.in_proj_bias", 3 * E)
    m.linear("attn.out_proj", E, E, True)
    for name in ("ln_q", "ln_kv", "ln_post"):
        m.norm(name, E, True)
    m.param("proj", E, E)


def minicpm(m, prefix):
    """modeling_minicpm.py, tied unless configured otherwise."""
    llama(m, prefix, {**m.config, "tie_word_embeddings": m.get("tie_word_embeddings", True)})


def minicpmv_2(m, cls):
    """modeling_minicpmv.py of 2.0: timm's SigLIP so400m at 384 pixels without its last layer and its pool, and a
    resampler that stores its positions."""
    minicpm(m, "llm.")
    siglip_vit(m, "vpm.", {"image_size": 384, "patch_size": 14, "width": 1152, "layers": 27 - m.drop_vision_last_layer,
                           "mlp_ratio": 3.7362, "global_pool": ""})
    resampler(m, "resampler.", m.query_num, m.hidden_size, 1152)
    m.param("pos_embed", m.query_num, m.hidden_size)


def minicpmv(m, cls):
    """modeling_minicpmv.py since 2.5: the version determines the language model."""
    version = str(m.version)
    llama(m, "llm.", m.config, bias=version == "2.6", norms=version == "4.5")
    v = m.vision_config
    siglip_navit(m, "vpm.", v, v["num_hidden_layers"] - bool(m.drop_vision_last_layer))
    resampler(m, "resampler.", m.query_num, m.hidden_size, v["hidden_size"])


# ---- the cases -------------------------------------------------------------------------------------

V2 = {"model_type": "deepseek_v2", "vocab_size": 89, "hidden_size": 36, "num_hidden_layers": 3,
      "num_attention_heads": 3, "num_key_value_heads": 3, "intermediate_size": 53, "moe_intermediate_size": 17,
      "n_routed_experts": 3, "n_shared_experts": 2, "first_k_dense_replace": 1, "topk_method": "greedy",
      "q_lora_rank": None, "kv_lora_rank": 11, "qk_nope_head_dim": 6, "qk_rope_head_dim": 4, "v_head_dim": 9,
      "use_mla": True}
V2_PLAIN = {**V2, "num_key_value_heads": 1, "kv_lora_rank": None, "qk_nope_head_dim": 0, "qk_rope_head_dim": 0,
            "v_head_dim": 0, "use_mla": False}
VL2 = {"model_type": "deepseek_vl_v2", "tile_tag": "2D", "global_view_pos": "head",
       "vision_config": {"model_type": "vision", "layers": 2, "width": 20, "patch_size": 5, "image_size": 37,
                         "mlp_ratio": 3.7362},
       "projector_config": {"model_type": "mlp_projector", "input_dim": 20, "n_embed": 36},
       "language_config": V2}
OCR = {"model_type": "deepseek_vl_v2", "tile_tag": "2D",
       "projector_config": {"model_type": "mlp_projector", "projector_type": "linear", "input_dim": 2048, "n_embed": 36},
       "vision_config": {"model_type": "vision", "model_name": "deeplip_b_l", "image_size": 1024, "mlp_ratio": 3.7362},
       "language_config": V2_PLAIN}
LLAMA = {"model_type": "llama", "vocab_size": 97, "hidden_size": 28, "num_hidden_layers": 2, "num_attention_heads": 4,
         "num_key_value_heads": 2, "intermediate_size": 45}
MLP = {"projector_type": "mlp_gelu", "depth": 2}
JANUS = {"model_type": "multi_modality",
         "vision_config": {"cls": "CLIPVisionTower", "model_type": "vision",
                           "params": {"image_size": 384, "model_name": "siglip_large_patch16_384",
                                      "select_feature": "same", "select_layer": -1}},
         "aligner_config": {"cls": "MlpProjector", "model_type": "aligner",
                            "params": {**MLP, "input_dim": 1024, "n_embed": 28}},
         "gen_vision_config": {"cls": "VQ-16", "model_type": "gen_vision",
                               "params": {"image_token_size": 163, "n_embed": 9}},
         "gen_aligner_config": {"cls": "MlpProjector", "model_type": "gen_aligner",
                                "params": {**MLP, "input_dim": 9, "n_embed": 29}},
         "gen_head_config": {"cls": "vision_head", "model_type": "gen_head",
                             "params": {"image_token_embed": 31, "image_token_size": 163, "n_embed": 28}},
         "language_config": LLAMA}
DEEPSEEK_VL = {k: v for k, v in JANUS.items() if not k.startswith("gen_")}
MOLMO = {"model_type": "molmo", "vocab_size": 101, "embedding_size": 103, "hidden_size": 36, "num_hidden_layers": 2,
         "num_attention_heads": 6, "num_key_value_heads": 2, "intermediate_size": 58, "qkv_bias": True,
         "attention_layer_norm": False, "weight_tying": False, "tie_word_embeddings": False, "layer_norm_type": "rms"}


KIMI_VL = {"model_type": "kimi_vl",
           "vision_config": {"model_type": "moonvit", "hidden_size": 18, "init_pos_emb_height": 5,
                             "init_pos_emb_width": 7, "intermediate_size": 31, "merge_kernel_size": [2, 3],
                             "num_attention_heads": 2, "num_hidden_layers": 2, "patch_size": 3},
           "text_config": {**V2, "model_type": "deepseek_v3", "topk_method": "noaux_tc", "hidden_size": 38}}
DOTS = {"model_type": "dots_ocr", "vocab_size": 107, "hidden_size": 30, "num_hidden_layers": 2, "num_attention_heads": 5,
        "num_key_value_heads": 1, "intermediate_size": 41, "tie_word_embeddings": False,
        "vision_config": {"embed_dim": 16, "hidden_size": 30, "intermediate_size": 25, "num_attention_heads": 2,
                          "num_channels": 4, "num_hidden_layers": 3, "patch_size": 3, "post_norm": True,
                          "spatial_merge_size": 3, "temporal_patch_size": 1, "use_bias": False}}
PHI3_V = {"model_type": "phi3_v", "vocab_size": 109, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4,
          "num_key_value_heads": 2, "intermediate_size": 35, "tie_word_embeddings": False,
          "embd_layer": {"embedding_cls": "image", "hd_transform_order": "sub_glb", "projection_cls": "mlp",
                         "use_hd_transform": True, "with_learnable_separator": True},
          "img_processor": {"image_dim_out": 1024, "model_name": "openai/clip-vit-large-patch14-336",
                            "name": "clip_vision_model", "num_img_tokens": 144}}
CPM = {"model_type": "minicpmv", "version": 2.6, "vocab_size": 113, "hidden_size": 32, "num_hidden_layers": 2,
       "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 47, "query_num": 6,
       "drop_vision_last_layer": False, "tie_word_embeddings": False,
       "vision_config": {"model_type": "siglip_vision_model", "hidden_size": 20, "image_size": 38, "intermediate_size": 27,
                         "num_attention_heads": 2, "num_hidden_layers": 3, "patch_size": 4}}
def inside(values, key, **changes):
    """The same with changes in one part."""
    return {**values, key: {**values[key], **changes}}


def tower(values, **changes):
    return {**values, "vision_config": inside(values["vision_config"], "params", **changes)}


def aligner(values, **changes):
    return {**values, "aligner_config": inside(values["aligner_config"], "params", **changes)}


ROWS = [
    ("deepseek-vl2", "DeepseekVLV2ForCausalLM", deepseek_vl_v2, VL2),
    ("deepseek-vl2-plain", "DeepseekVLV2ForCausalLM", deepseek_vl_v2,
     {**inside(VL2, "vision_config", mlp_ratio=3, global_pool=""), "language_config": V2_PLAIN}),
    ("deepseek-vl2-corrected", "DeepseekVLV2ForCausalLM", deepseek_vl_v2,
     {**inside(VL2, "projector_config", depth=4, mlp_ratio=3, downsample_ratio=3, token_pooling=True),
      "language_config": {**V2, "topk_method": "noaux_tc", "q_lora_rank": 7}}),
    ("deepseek-vl2-linear", "DeepseekVLV2ForCausalLM", deepseek_vl_v2,
     inside(VL2, "projector_config", projector_type="linear")),
    ("deepseek-vl2-gelu", "DeepseekVLV2ForCausalLM", deepseek_vl_v2,
     inside(VL2, "projector_config", projector_type="mlp_gelu", depth=1)),
    ("deepseek-vl2-gelus", "DeepseekVLV2ForCausalLM", deepseek_vl_v2,
     inside(VL2, "projector_config", projector_type="mlp_gelu", depth=3, mlp_ratio=2)),
    ("deepseek-ocr", "DeepseekOCRForCausalLM", deepseek_ocr, OCR),
    ("janus", "MultiModalityCausalLM", multi_modality, JANUS),
    ("janus-cut", "MultiModalityCausalLM", multi_modality,
     aligner(tower(JANUS, select_layer=3, model_name="siglip_so400m_patch14_384", image_size=300), depth=1, input_dim=1152)),
    ("janus-linear", "MultiModalityCausalLM", multi_modality,
     {**JANUS, "gen_aligner_config": inside(JANUS["gen_aligner_config"], "params", projector_type="linear")}),
    ("deepseek-vl", "MultiModalityCausalLM", multi_modality,
     aligner(tower(DEEPSEEK_VL, select_layer=-2), projector_type="linear")),
    ("deepseek-vl-split", "MultiModalityCausalLM", multi_modality,
     aligner(DEEPSEEK_VL, projector_type="low_high_hybrid_split_mlp_gelu", depth=3)),
    ("molmo", "MolmoForCausalLM", molmo, MOLMO),
    ("molmo-normed", "MolmoForCausalLM", molmo,
     {**MOLMO, "attention_layer_norm": True, "qkv_bias": False, "weight_tying": True, "num_key_value_heads": 3}),
    ("molmo-words", "MolmoForCausalLM", molmo, {**MOLMO, "embedding_size": None, "num_key_value_heads": None}),
    ("kimi-vl", "KimiVLForConditionalGeneration", kimi_vl, KIMI_VL),
    ("dots-ocr", "DotsOCRForCausalLM", dots_ocr, DOTS),
    ("dots-ocr-biased", "DotsOCRForCausalLM", dots_ocr,
     inside({**DOTS, "tie_word_embeddings": True}, "vision_config", use_bias=True, post_norm=False, spatial_merge_size=2)),
    ("phi3-v", "Phi3VForCausalLM", phi3_v, PHI3_V),
    ("phi3-v-plain", "Phi3VForCausalLM", phi3_v, inside(PHI3_V, "embd_layer", use_hd_transform=False)),
    ("minicpm-v-2", "MiniCPMV", minicpmv_2,
     {**{k: v for k, v in CPM.items() if k not in ("version", "vision_config", "tie_word_embeddings")},
      "vision_encoder": "vit_so400m_patch14_siglip_384.webli", "drop_vision_last_layer": True}),
    ("minicpm-v-2.5", "MiniCPMV", minicpmv, {**CPM, "version": "2.5"}),
    ("minicpm-v-2.6", "MiniCPMV", minicpmv, CPM),
    ("minicpm-v-4", "MiniCPMV", minicpmv, {**CPM, "version": 4.0, "drop_vision_last_layer": True}),
    ("minicpm-v-4.5", "MiniCPMV", minicpmv, {**CPM, "version": 4.5, "head_dim": 10}),
]
