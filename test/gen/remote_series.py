"""remote_series.py -- recurrent models, and models of time series, whose code is next to their files; see
remote_cases.py."""

from remote_seeing import at, linears


# ---- RWKV 7 ----------------------------------------------------------------------------------------

def low_rank(m, h, rank, into, out, bias=True):
    m.linear(h + "lora.0", rank, into)
    m.linear(h + "lora.2", out, rank, bias)


def rwkv7(m, cls):
    """modeling_rwkv7.py of flash-linear-attention. The second halves of all low-rank maps except the gate's have biases; the
        first layer has none for its values, and a norm before it."""
    E, L = m.hidden_size, m.num_hidden_layers
    F = m.intermediate_size or -(-int(E * m.get("hidden_ratio", 4)) // 32) * 32
    D = m.head_dim or E // m.num_heads
    bias = m.get("norm_bias", True)
    wide = m.value_dim if isinstance(m.value_dim, list) else [m.value_dim or E] * L
    at(m, "" if cls == "RWKV7Model" else "model.").table("embeddings", m.vocab_size, E)
    for i in range(L):
        h, a = f"layers.{i}.", f"layers.{i}.attn."
        if m.get("norm_first", True) and i == 0:
            m.norm(h + "pre_norm", E, bias)
        m.norm(h + "attn_norm", E, bias)
        for name in "rwkvag":
            m.param(f"{a}x_{name}", 1, 1, E)
        m.param(a + "k_k", E)
        m.param(a + "k_a", E)
        m.param(a + "r_k", E // D, D)
        linears(m, a, [("r_proj", E, E), ("k_proj", E, E), ("v_proj", wide[i], E), ("o_proj", E, wide[i])])
        low_rank(m, a + "w_lora.", m.decay_low_rank_dim, E, E)
        if i != 0:
            low_rank(m, a + "v_lora.", m.v_low_rank_dim, E, wide[i])
        low_rank(m, a + "a_lora.", m.a_low_rank_dim, E, E)
        low_rank(m, a + "g_lora.", m.gate_low_rank_dim, E, wide[i], False)
        m.norm(a + "g_norm", wide[i], True)
        m.norm(h + "ffn_norm", E, bias)
        m.param(h + "ffn.x_k", E)
        m.linear(h + "ffn.key", F, E)
        m.linear(h + "ffn.value", E, F)
    m.norm("norm", E, bias)
    if cls != "RWKV7Model":
        at(m, "").head("lm_head", "model.embeddings", m.vocab_size, E, m.get("tie_word_embeddings", False))


# ---- TinyTimeMixer ---------------------------------------------------------------------------------

def ttm_norm(m, name, wide):
    if "batch" in m.norm_mlp.lower():
        m.norm(name + ".norm.batchnorm", wide, True)
        m.buffer(name + ".norm.batchnorm.running_mean", wide)
        m.buffer(name + ".norm.batchnorm.running_var", wide)
        m.buffer(name + ".norm.batchnorm.num_batches_tracked")
    else:
        m.norm(name + ".norm", wide, True)


def ttm_mixer(m, name, over, wide, gated):
    """A norm as wide as the model and a network over one of the axes, with a gate."""
    ttm_norm(m, name + ".norm", wide)
    m.linear(name + ".mlp.fc1", over * m.expansion_factor, over, True)
    m.linear(name + ".mlp.fc2", over, over * m.expansion_factor, True)
    if gated:
        m.linear(name + ".gating_block.attn_layer", over, over, True)


def ttm_layer(m, name, patches, wide, mode, channels, gated):
    if patches > 1:
        ttm_mixer(m, name + ".patch_mixer", patches, wide, gated)
        if m.self_attn:
            for part in ("k", "v", "q", "out"):
                m.linear(f"{name}.patch_mixer.self_attn_layer.{part}_proj", wide, wide, True)
            ttm_norm(m, name + ".patch_mixer.norm_attn", wide)
    ttm_mixer(m, name + ".feature_mixer", wide, wide, gated)
    if mode == "mix_channel":
        ttm_mixer(m, name + ".channel_feature_mixer", channels, wide, gated)


def ttm_block(m, name, layers, levels, patches, wide, mode, channels, gated):
    for place in range(levels):
        by = 2 ** (levels - 1 - place)
        by = 1 if wide // by <= 4 else by
        for i in range(layers):
            ttm_layer(m, f"{name}.mixers.{place}.mixer_layers.{i}", patches * by, wide // by, mode, channels, gated)
    for i in range(0 if levels else layers):
        ttm_layer(m, f"{name}.mixers.{i}", patches, wide, mode, channels, gated)


def ttm_patches(m):
    return (max(m.context_length, m.patch_length) - m.patch_length) // m.patch_stride + 1 + bool(m.resolution_prefix_tuning)


def ttm_encoder(m, prefix):
    E, P = m.d_model, m.patch_length
    m.linear(prefix + "patcher", E, P, True)
    if m.use_positional_encoding:
        m.param(prefix + "positional_encoder.position_enc", ttm_patches(m), E)
    ttm_block(m, prefix + "mlp_mixer_encoder", m.num_layers, m.adaptive_patching_levels, ttm_patches(m), E, m.mode,
              m.num_input_channels, m.gated_attn)
    if m.resolution_prefix_tuning:
        m.table(prefix + "freq_mod.0", m.frequency_token_vocab_size, P)
        m.linear(prefix + "freq_mod.1", (P + E) // 2, P, True)
        m.linear(prefix + "freq_mod.3", E, (P + E) // 2, True)


def ttm_decoder(m):
    E, D, kinds = m.d_model, m.decoder_d_model, m.categorical_vocab_size_list or []
    if E != D:
        m.linear("decoder.adapter", D, E, True)
    if m.decoder_raw_residual:
        m.linear("decoder.decoder_raw_embedding", D, m.patch_length, True)
    for i, many in enumerate(kinds):
        m.table(f"decoder.decoder_cat_embedding_layer.embedding_layers.{i}", many, D)
    ttm_block(m, "decoder.decoder_block", m.decoder_num_layers, m.decoder_adaptive_patching_levels, ttm_patches(m), D,
              m.decoder_mode, m.num_input_channels + len(kinds), m.gated_attn)


def ttm_channels(m):
    """Mixes the forecast's channels over a window, which a further mixer may widen."""
    given = len(m.exogenous_channel_indices or [])
    chosen = len(m.prediction_channel_indices) if m.prediction_channel_indices else m.num_input_channels - given
    window = 2 * m.fcm_context_length + 1
    wide = (chosen + given) * window
    if m.fcm_use_mixer:
        wide *= 2
        ttm_block(m, "head.fcm_block.exog_mixer", m.fcm_mix_layers, 0, chosen + given, 2 * window, "common_channel", 0,
                  m.fcm_gated_attn)
        m.linear("head.fcm_block.fcm_embedding", 2 * window, window, True)
    m.linear("head.fcm_block.mlp", chosen, wide, True)
    if m.fcm_gated_attn:
        m.linear("head.fcm_block.fcm_gating_block.attn_layer", wide, wide, True)


def tinytimemixer(m, cls):
    """modeling_tinytimemixer.py of granite-tsfm."""
    if cls == "TinyTimeMixerModel":
        return ttm_encoder(m, "encoder.")
    ttm_encoder(m, "backbone.encoder.")
    if m.use_decoder:
        ttm_decoder(m)
    into = ttm_patches(m) * (m.decoder_d_model if m.use_decoder else m.d_model)
    if m.loss == "nll":
        for i in range(3 if m.distribution_output == "student_t" else 2):
            m.linear(f"head.base_forecast_block.proj.{i}", m.prediction_filter_length or m.prediction_length, into, True)
    else:
        m.linear("head.base_forecast_block", m.prediction_length, into, True)
    if m.enable_forecast_channel_mixing:
        ttm_channels(m)


# ---- the cases -------------------------------------------------------------------------------------

TTM = {"model_type": "tinytimemixer", "context_length": 50, "patch_length": 7, "patch_stride": 6, "num_input_channels": 5,
       "prediction_length": 11, "d_model": 24, "expansion_factor": 3, "num_layers": 2, "mode": "common_channel",
       "gated_attn": True, "norm_mlp": "LayerNorm", "self_attn": False, "self_attn_heads": 1,
       "use_positional_encoding": False, "adaptive_patching_levels": 4, "resolution_prefix_tuning": False,
       "frequency_token_vocab_size": 4, "use_decoder": True, "decoder_num_layers": 3, "decoder_d_model": 10,
       "decoder_adaptive_patching_levels": 0, "decoder_raw_residual": False, "decoder_mode": "common_channel",
       "loss": "mse", "distribution_output": "student_t", "prediction_filter_length": None,
       "enable_forecast_channel_mixing": False, "fcm_gated_attn": True, "fcm_context_length": 2, "fcm_use_mixer": False,
       "fcm_mix_layers": 3, "prediction_channel_indices": None, "exogenous_channel_indices": None}
GOOSE = {"model_type": "rwkv7", "vocab_size": 127, "hidden_size": 24, "num_hidden_layers": 3, "head_dim": 8,
         "intermediate_size": 57, "decay_low_rank_dim": 5, "a_low_rank_dim": 6, "v_low_rank_dim": 3,
         "gate_low_rank_dim": 7, "norm_first": True, "norm_bias": True, "tie_word_embeddings": False}
FORECAST = "TinyTimeMixerForPrediction"

ROWS = [
    ("tinytimemixer", FORECAST, tinytimemixer, TTM),
    ("tinytimemixer-bare", "TinyTimeMixerModel", tinytimemixer, {**TTM, "use_positional_encoding": True}),
    ("tinytimemixer-mixed", FORECAST, tinytimemixer,
     {**TTM, "mode": "mix_channel", "decoder_mode": "mix_channel", "categorical_vocab_size_list": [13, 9], "self_attn": True,
      "adaptive_patching_levels": 0, "decoder_raw_residual": True, "resolution_prefix_tuning": True,
      "decoder_adaptive_patching_levels": 2}),
    ("tinytimemixer-batch", FORECAST, tinytimemixer,
     {**TTM, "norm_mlp": "BatchNorm", "gated_attn": False, "self_attn": True, "use_decoder": False, "loss": "nll",
      "prediction_filter_length": 8}),
    ("tinytimemixer-normal", FORECAST, tinytimemixer,
     {**TTM, "loss": "nll", "distribution_output": "normal", "decoder_d_model": 24, "context_length": 9}),
    ("tinytimemixer-channels", FORECAST, tinytimemixer,
     {**TTM, "enable_forecast_channel_mixing": True, "exogenous_channel_indices": [1, 3]}),
    ("tinytimemixer-window", FORECAST, tinytimemixer,
     {**TTM, "enable_forecast_channel_mixing": True, "prediction_channel_indices": [0, 2, 4], "fcm_use_mixer": True,
      "exogenous_channel_indices": [1], "fcm_context_length": 3}),
    ("tinytimemixer-ungated", FORECAST, tinytimemixer,
     {**TTM, "enable_forecast_channel_mixing": True, "fcm_gated_attn": False, "fcm_use_mixer": True}),
    ("rwkv7", "RWKV7ForCausalLM", rwkv7, GOOSE),
    ("rwkv7-plain", "RWKV7ForCausalLM", rwkv7,
     {**GOOSE, "norm_first": False, "norm_bias": False, "intermediate_size": None, "hidden_ratio": 3.5,
      "tie_word_embeddings": True, "head_dim": None, "num_heads": 2}),
    ("rwkv7-wide", "RWKV7Model", rwkv7, {**GOOSE, "value_dim": [24, 48, 24]}),
]
