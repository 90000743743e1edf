"""remote_hearing.py -- models that see, hear and speak, whose code is next to their files; see remote_cases.py."""

from remote_seeing import CPM, at, conv, inside, linears, llama, minicpmv, siglip_navit


# ---- Phi-4-multimodal ------------------------------------------------------------------------------

def adapted(m, name, out, into):
    """A linear map with its two adapters, as peft names them."""
    m.linear(name + ".base_layer", out, into)
    for way in ("vision", "speech"):
        rank = m.config[way + "_lora"]["r"]
        m.linear(f"{name}.lora_A.{way}", rank, into)
        m.linear(f"{name}.lora_B.{way}", out, rank)


def siglip_448(m, prefix):
    """vision_siglip_navit.py at 448 pixels, sizes in the code, with the pool that Phi never uses."""
    siglip_navit(m, prefix, {"hidden_size": 1152, "intermediate_size": 4304, "image_size": 448, "patch_size": 14}, 27)
    m.param("head.probe", 1, 1, 1152)
    m.param("head.attention.in_proj_weight", 3456, 1152)
    m.param("head.attention.in_proj_bias", 3456)
    m.linear("head.attention.out_proj", 1152, 1152, True)
    m.norm("head.layernorm", 1152, True)
    linears(m, "head.mlp.", [("fc1", 4304, 1152), ("fc2", 1152, 4304)], True)


def conformer(m, h, a):
    """ConformerEncoderLayer of speech_conformer_encoder.py."""
    E, F, X = a["attention_dim"], a["linear_units"], a["ext_pw_out_channel"]
    wide = E * a["depthwise_multiplier"]
    for way in ("in", "out"):
        m.norm(f"{h}feed_forward_{way}.layer_norm", E, True)
        m.linear(f"{h}feed_forward_{way}.net.0.linear", 2 * F, E, True)
        m.linear(f"{h}feed_forward_{way}.net.2", E, F, True)
    linears(m, h + "self_attn.linear_", [(n, E, E) for n in ("q", "k", "v", "out")], True)
    m.norm(h + "conv.layer_norm", E, True)
    m.param(h + "conv.glu.b1", 1, X, 1)
    m.param(h + "conv.glu.b2", 1, X, 1)
    for name, dims in (("glu.ext_pw_conv_1d", (2 * X, E, 1)), ("dw_sep_conv_1d.dw_conv", (wide, 1, a["kernel_size"])),
                       ("dw_sep_conv_1d.pw_conv", (a["depthwise_seperable_out_channel"], wide, 1)),
                       ("ext_pw_conv_1d", (X, E, 1))):
        m.param(f"{h}conv.{name}.weight", *dims)
        m.param(f"{h}conv.{name}.bias", dims[0])
    m.norm(h + "layer_norm_att", E, True)
    m.norm(h + "layer_norm", E, True)


def phi4mm(m, cls):
    """modeling_phi4mm.py: Phi-3 with adapters, SigLIP, and a conformer after convolutions that shorten time by
    8."""
    E, F, H, K = m.hidden_size, m.intermediate_size, m.num_attention_heads, m.num_key_value_heads
    D, a = E // H, m.audio_processor["config"]
    at(m, "model.").table("embed_tokens", m.vocab_size, E)
    for i in range(m.num_hidden_layers):
        h = f"layers.{i}."
        for name, out, into in (("self_attn.qkv_proj", (H + 2 * K) * D, E), ("self_attn.o_proj", E, H * D),
                                ("mlp.gate_up_proj", 2 * F, E), ("mlp.down_proj", E, F)):
            adapted(m, h + name, out, into)
        m.norm(h + "input_layernorm", E)
        m.norm(h + "post_attention_layernorm", E)
    m.norm("norm", E)
    at(m, "").head("lm_head", "model.embed_tokens", m.vocab_size, E, m.tie_word_embeddings)
    siglip_448(m, "model.embed_tokens_extend.image_embed.img_processor.")
    at(m, "model.embed_tokens_extend.image_embed.")
    m.param("glb_GN", 1, 1, 1152)
    m.param("sub_GN", 1, 1, 1, 1152)
    linears(m, "img_projection.", [("0", E, 1152), ("2", E, E)], True)
    at(m, "model.embed_tokens_extend.audio_embed.")
    for way in ("speech", "vision"):
        linears(m, f"audio_projection.{way}.", [("0", E, a["attention_dim"]), ("2", E, E)], True)
    at(m, "model.embed_tokens_extend.audio_embed.encoder.")
    m.buffer("encoder_embedding.global_mean", a["input_size"])
    m.buffer("encoder_embedding.global_invstd", a["input_size"])
    C = a["nemo_conv_settings"]["conv_channels"]
    for place, into, side in ((0, 1, 3), (2, 1, 3), (3, C, 1), (5, 1, 3), (6, C, 1)):
        conv(m, f"embed.conv.{place}", C, into, side, side)
    m.linear("embed.out", a["attention_dim"], C * -(-a["input_size"] // 8), True)
    buckets = a["relative_attention_bias_args"]["t5_bias_max_distance"] * 2
    m.table("relative_attention_bias_layer.bias_values", buckets, a["attention_heads"])
    for i in range(a["num_blocks"]):
        conformer(m, f"encoders.{i}.", a)


# ---- MiniCPM-o -------------------------------------------------------------------------------------

def whisper_encoder(m, prefix, a):
    """WhisperEncoder of transformers: k has no bias, positions are stored."""
    at(m, prefix)
    E, F = a["d_model"], a["encoder_ffn_dim"]
    m.param("conv1.weight", E, a["num_mel_bins"], 3)
    m.param("conv1.bias", E)
    m.param("conv2.weight", E, E, 3)
    m.param("conv2.bias", E)
    m.table("embed_positions", a["max_source_positions"], E)
    for i in range(a["encoder_layers"]):
        h = f"layers.{i}."
        m.linear(h + "self_attn.k_proj", E, E)
        linears(m, h, [(f"self_attn.{n}_proj", E, E) for n in ("v", "q", "out")] + [("fc1", F, E), ("fc2", E, F)], True)
        m.norm(h + "self_attn_layer_norm", E, True)
        m.norm(h + "final_layer_norm", E, True)
    m.norm("layer_norm", E, True)


def conv1d(m, name, out, into, wide, bias=True):
    m.param(name + ".weight", out, into, wide)
    if bias:
        m.param(name + ".bias", out)


def dvae_half(m, h, out):
    conv1d(m, h + "conv_in.0", 128, 512, 3)
    conv1d(m, h + "conv_in.2", 256, 128, 3)
    for i in range(12):
        b = f"{h}decoder_block.{i}."
        conv1d(m, b + "dwconv", 256, 1, 7)
        m.norm(b + "norm", 256, True)
        linears(m, b, [("pwconv1", 1024, 256), ("pwconv2", 256, 1024)], True)
        m.param(b + "coef", 256)
    conv1d(m, h + "conv_out", out, 256, 1, False)


def dvae(m, prefix):
    """DVAE of ChatTTS, sizes in the code; its quantizer stores two linear maps for each of two groups."""
    at(m, prefix)
    m.param("coef", 1, 100, 1)
    conv1d(m, "downsample_conv.0", 512, 100, 3)
    conv1d(m, "downsample_conv.2", 512, 512, 4)
    dvae_half(m, "encoder.", 1024)
    dvae_half(m, "decoder.", 512)
    conv1d(m, "out_conv", 100, 512, 3, False)
    for g in range(2):
        linears(m, f"vq_layer.quantizer.rvqs.{g}.project_", [("in", 4, 512), ("out", 512, 4)], True)


def minicpmo_speech(m, t, late):
    """ConditionalChatTTS of 2.6, MiniCPMTTS of 4.5: LlamaModel with LlamaConfig's own 32,000 words."""
    E, said = t["hidden_size"], t["llm_dim"]
    for name in ("projector_spk", "projector_semantic") if late else ("projector",):
        at(m, "tts.")
        if t.get("projector_type") == "minicpm":
            mid = t["llm_intermediate_size"]
            linears(m, name + ".", [("gate_proj", mid, said), ("up_proj", mid, said), ("down_proj", E, mid)], True)
        elif t.get("projector_type") == "default" or t.get("use_mlp") is False:
            m.linear(name, E, said)
        else:
            linears(m, name + ".", [("linear1", E, said), ("linear2", E, E)], True)
    llama(m, "tts.", {**t, "vocab_size": 32000,
                      "num_key_value_heads": t["num_key_value_heads"] if late else t["num_attention_heads"]})
    del m.params["tts.lm_head.weight"]
    m.table("emb_text", t["num_text_tokens"], E)
    for g in range(t["num_vq"]):
        m.table(f"emb_code.{g}", t["num_audio_tokens"], E)
        m.param(f"head_code.{g}.parametrizations.weight.original0", t["num_audio_tokens"], 1)
        m.param(f"head_code.{g}.parametrizations.weight.original1", t["num_audio_tokens"], E)


def minicpmo(m, cls):
    """modeling_minicpmo.py: MiniCPM-V, Whisper's encoder and a speaker."""
    minicpmv(m, cls)
    if m.get("init_audio", True):
        whisper_encoder(m, "apm.", m.audio_config)
        at(m, "audio_projection_layer.")
        E = m.hidden_size
        linears(m, "linear", [("1", E, m.audio_config["encoder_ffn_dim"] // 4), ("2", E, E)], True)
    if m.get("init_tts", True):
        late = m.version == "4.5"
        minicpmo_speech(m, m.tts_config, late)
        if not late:
            dvae(m, "tts.dvae.")


# ---- the cases -------------------------------------------------------------------------------------

PHI4_MM = {"model_type": "phi4mm", "vocab_size": 131, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4,
           "num_key_value_heads": 2, "intermediate_size": 37, "tie_word_embeddings": True,
           "vision_lora": {"r": 5}, "speech_lora": {"r": 7},
           "audio_processor": {"name": "cascades", "config": {
               "attention_dim": 20, "attention_heads": 4, "linear_units": 33, "num_blocks": 2, "input_size": 26,
               "ext_pw_out_channel": 20, "depthwise_seperable_out_channel": 20, "depthwise_multiplier": 2,
               "kernel_size": 3, "nemo_conv_settings": {"conv_channels": 9}, "time_reduction": 8,
               "relative_attention_bias_args": {"t5_bias_max_distance": 11, "type": "t5"}}}}
CPM_O = {**CPM, "model_type": "minicpmo", "version": "2.6",
         "audio_config": {"model_type": "whisper", "d_model": 18, "encoder_layers": 2, "encoder_ffn_dim": 44,
                          "encoder_attention_heads": 2, "num_mel_bins": 15, "max_source_positions": 21},
         "tts_config": {"model_type": "conditional_chattts", "llm_dim": 32, "hidden_size": 22, "intermediate_size": 33,
                        "num_attention_heads": 2, "num_hidden_layers": 2, "num_audio_tokens": 19,
                        "num_text_tokens": 23, "num_vq": 3}}
CPM_O_45 = inside({**CPM_O, "version": "4.5"}, "tts_config", model_type="minicpmtts", num_key_value_heads=1, num_vq=2)

ROWS = [
    ("phi4mm", "Phi4MMForCausalLM", phi4mm, PHI4_MM),
    ("minicpm-o-2.6", "MiniCPMO", minicpmo, CPM_O),
    ("minicpm-o-2.6-plain", "MiniCPMO", minicpmo, inside(CPM_O, "tts_config", use_mlp=False)),
    ("minicpm-o-mute", "MiniCPMO", minicpmo, {**CPM_O, "init_tts": False}),
    ("minicpm-o-deaf", "MiniCPMO", minicpmo, {**CPM_O_45, "init_audio": False}),
    ("minicpm-o-4.5-gated", "MiniCPMO", minicpmo,
     inside(CPM_O_45, "tts_config", projector_type="minicpm", llm_intermediate_size=27)),
    ("minicpm-o-4.5-plain", "MiniCPMO", minicpmo, inside(CPM_O_45, "tts_config", projector_type="default")),
]
