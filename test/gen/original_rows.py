"""original_rows.py -- the models of original_cases.py: as published, and at other sizes where diffusers' converter can."""

ROWS = []


def row(name, spec, cls, config, convert, tensors, **more):
    ROWS.append({"name": name, "spec": spec, "class": cls, "config": config, "convert": convert, "tensors": tensors, **more})


def flux(name, double=19, single=38, channels=64, guided=False, **config):
    tensors = {"final_layer.linear.weight": [64, 3072], "img_in.weight": [3072, channels],
               f"double_blocks.{double - 1}.img_attn.qkv.weight": [9216, 3072], f"single_blocks.{single - 1}.linear2.weight": [3072, 15360]}
    if guided: tensors["guidance_in.in_layer.bias"] = [3072]
    row("flux-" + name, "flux", "FluxTransformer2DModel",
        {"num_layers": double, "num_single_layers": single, "in_channels": channels, "out_channels": 64, "guidance_embeds": guided, **config},
        "convert_flux_transformer_checkpoint_to_diffusers", tensors)


flux("dev", guided=True)
flux("schnell")
flux("fill", guided=True, channels=384)
flux("canny", guided=True, channels=128)
flux("lite", guided=True, double=8)

row("chroma", "chroma", "ChromaTransformer2DModel", {}, "convert_chroma_transformer_checkpoint_to_diffusers",
    {"txt_in.weight": [3072, 4096], "distilled_guidance_layer.out_proj.weight": [3072, 5120],
     "double_blocks.18.img_attn.qkv.weight": [9216, 3072], "single_blocks.37.linear2.weight": [3072, 15360]})


def flux2(name, heads, double, single, text, guided=False):
    E = 128 * heads
    tensors = {"final_layer.linear.weight": [128, E], "txt_in.weight": [E, text],
               f"double_blocks.{double - 1}.img_attn.qkv.weight": [3 * E, E], f"single_blocks.{single - 1}.linear2.weight": [E, 4 * E]}
    if guided: tensors["guidance_in.in_layer.weight"] = [E, 256]
    row("flux2-" + name, "flux2", "Flux2Transformer2DModel",
        {"num_attention_heads": heads, "num_layers": double, "num_single_layers": single, "joint_attention_dim": text,
         "guidance_embeds": guided}, "convert_flux2_transformer_checkpoint_to_diffusers", tensors)


flux2("dev", 48, 8, 48, 15360, True)
flux2("klein-4b", 24, 5, 20, 7680)
flux2("klein-9b", 32, 8, 24, 12288)
flux2("small", 3, 2, 3, 70, True)


def sd3(name, heads, normed=False, twice=0, side=192):
    E = 64 * heads
    tensors = {"final_layer.linear.weight": [64, E]}
    if normed: tensors["joint_blocks.0.x_block.attn.ln_q.weight"] = [64]
    if twice: tensors[f"joint_blocks.{twice - 1}.x_block.attn2.qkv.weight"] = [3 * E, E]
    row("sd3-" + name, "sd3", "SD3Transformer2DModel",
        {"num_layers": heads, "num_attention_heads": heads, "caption_projection_dim": E, "pos_embed_max_size": side, "sample_size": side // 2 * 2,
         "qk_norm": "rms_norm" if normed else None, "dual_attention_layers": tuple(range(twice)), "out_channels": 16, "in_channels": 16},
        "convert_sd3_transformer_checkpoint_to_diffusers", tensors, buffers=["pos_embed"])


sd3("medium", 24)
sd3("3.5-large", 38, True)
sd3("3.5-medium", 24, True, 13, 384)
sd3("small", 5, True, 2, 384)


def wan(name, heads, depth, ffn, channels=16, picture=False, ends=False, vace=0, out=16, beside=None, animate=False):
    E = 128 * heads
    tensors = {"head.modulation": [1, 2, E], f"blocks.{depth - 1}.self_attn.q.weight": [E, E], "blocks.0.ffn.0.weight": [ffn, E],
               "patch_embedding.weight": [E, channels, 1, 2, 2]}
    config = {"num_attention_heads": heads, "num_layers": depth, "ffn_dim": ffn, "in_channels": channels, "out_channels": out}
    if picture:
        tensors["img_emb.proj.0.weight"] = [1280]
        config.update(image_dim=1280, added_kv_proj_dim=E)
    if ends: tensors["img_emb.emb_pos"] = [1, 514, 1280]
    if vace:
        tensors[f"vace_blocks.{vace - 1}.after_proj.weight"] = [E, E]
        config.update(vace_layers=list(range(vace)), vace_in_channels=96)
    if animate:
        tensors["motion_encoder.enc.fc.0.bias"] = [512]
        config = {**config, "in_channels": channels, "latent_channels": 16}
    tensors.update(beside or {})
    row("wan-" + name, "wan", "WanAnimateTransformer3DModel" if animate else "WanVACETransformer3DModel" if vace else "WanTransformer3DModel", config,
        "convert_wan_transformer_to_diffusers", tensors, beside=["img_emb.emb_pos", *(n.split(".")[0] + r"\..*" for n in beside or ())], buffers=[r".*\.kernel"])


wan("t2v-1.3b", 12, 30, 8960)
wan("t2v-14b", 40, 40, 13824)
wan("i2v-14b", 40, 40, 13824, 36, True)
wan("flf2v-14b", 40, 40, 13824, 36, True, True)
wan("2.2-i2v-14b", 40, 40, 13824, 36)
wan("2.2-ti2v-5b", 24, 30, 14336, 48, out=48)
wan("vace-1.3b", 12, 30, 8960, vace=15)
wan("vace-14b", 40, 40, 13824, vace=8)
wan("2.2-animate-14b", 40, 40, 13824, 36, True, animate=True)
SOUND = ["casual_audio_encoder.weights", "audio_injector.injector.0.q.bias", "cond_encoder.bias", "frame_packer.proj.bias", "trainable_cond_mask.weight"]
wan("2.2-s2v-14b", 40, 40, 13824, beside=dict(zip(SOUND, [[1, 25, 1, 1], [5120], [5120], [5120], [3, 5120]])))  # sound input has no class in diffusers
wan("fun-inp-1.3b", 12, 30, 8960, 36, True)
wan("fun-control-1.3b", 12, 30, 8960, 48, True)
wan("fun-control-14b-v1.1", 40, 40, 13824, 48, True, beside={"ref_conv.bias": [5120]})
wan("fun-camera-14b-v1.1", 40, 40, 13824, 32, True, beside={"control_adapter.conv.bias": [5120]})
wan("2.2-fun-control-14b", 40, 40, 13824, 52, beside={"ref_conv.bias": [5120]})
wan("2.2-fun-camera-14b", 40, 40, 13824, 36, beside={"control_adapter.conv.bias": [5120]})
wan("2.2-fun-inp-5b", 24, 30, 14336, 100, out=48)
wan("2.2-fun-control-5b", 24, 30, 14336, 148, out=48, beside={"ref_conv.bias": [3072]})
wan("small", 2, 3, 70, 36, True)
wan("small-vace", 3, 4, 90, vace=2)


def hunyuan(name, channels=16, guided=True):
    tensors = {"final_layer.linear.weight": [64, 3072], "img_in.proj.weight": [3072, channels, 1, 2, 2]}
    if guided: tensors["guidance_in.mlp.0.bias"] = [3072]
    row("hunyuan-video-" + name, "hunyuan_video", "HunyuanVideoTransformer3DModel",
        {"in_channels": channels, "out_channels": 16, "guidance_embeds": guided}, "convert_hunyuan_video_transformer_to_diffusers", tensors)


hunyuan("t2v")
hunyuan("i2v", 33, False)
hunyuan("i2v-guided", 33)
hunyuan("skyreels-i2v", 32)


def ltx(name, heads, width, depth):
    E = heads * width
    row("ltx-video-" + name, "ltxv", "LTXVideoTransformer3DModel",
        {"num_attention_heads": heads, "attention_head_dim": width, "num_layers": depth, "cross_attention_dim": E},
        "convert_ltx_transformer_checkpoint_to_diffusers",
        {"scale_shift_table": [2, E], f"transformer_blocks.{depth - 1}.attn1.to_q.weight": [E, E]})


ltx("2b", 32, 64, 28)
ltx("13b", 32, 128, 48)
ltx("small", 3, 16, 2)

row("lumina2", "lumina2", "Lumina2Transformer2DModel", {"cap_feat_dim": 2304}, "convert_lumina2_to_diffusers",
    {"final_layer.linear.weight": [64, 2304], "norm_final.weight": [2304]}, beside=["norm_final.weight"], buffers=["norm_final.weight"])
row("z-image", "lumina2", "ZImageTransformer2DModel", {}, "convert_z_image_transformer_checkpoint_to_diffusers",
    {"final_layer.linear.weight": [64, 3840], "x_pad_token": [1, 3840]})
row("z-image-small", "lumina2", "ZImageTransformer2DModel", {"dim": 384, "n_layers": 3, "n_heads": 3, "n_kv_heads": 3},
    "convert_z_image_transformer_checkpoint_to_diffusers",
    {"final_layer.linear.weight": [64, 384], "x_pad_token": [1, 384], "layers.2.attention.qkv.weight": [1152, 384]})


def aura(name, heads, double, single, size):
    E = 256 * heads
    row("aura-flow-" + name, "aura_flow", "AuraFlowTransformer2DModel",
        {"num_attention_heads": heads, "num_mmdit_layers": double, "num_single_dit_layers": single, "caption_projection_dim": E,
         "pos_embed_max_size": size}, "convert_auraflow_transformer_checkpoint_to_diffusers",
        {"final_linear.weight": [16, E], "positional_encoding": [1, size, E], f"double_layers.{double - 1}.attn.w1q.weight": [E, E],
         f"single_layers.{single - 1}.attn.w1q.weight": [E, E]})


aura("v0.1", 12, 4, 32, 1024)
aura("v0.2", 12, 4, 32, 4096)
aura("v0.3", 12, 4, 32, 9216)
aura("small", 2, 2, 3, 1024)

row("mochi", "mochi", "MochiTransformer3DModel", {}, "convert_mochi_transformer_checkpoint_to_diffusers",
    {"final_layer.linear.weight": [48, 3072]})


def sana(name, heads, depth, cross, normed=False, side=32, **more):
    E = 32 * heads
    tensors = {"final_layer.linear.weight": [32, E], "pos_embed": [1, side * side, E], f"blocks.{depth - 1}.attn.qkv.weight": [3 * E, E],
               "y_embedder.y_embedding": [300, 2304]}
    config = {"num_attention_heads": heads, "attention_head_dim": 32, "num_layers": depth, "num_cross_attention_heads": cross,
              "cross_attention_head_dim": E // cross, "cross_attention_dim": E, "caption_channels": 2304}
    row("sana-" + name, "sana", "SanaTransformer2DModel", config, "convert_sana_transformer_to_diffusers", tensors,
        buffers=["pos_embed", "y_embedder.y_embedding"])


sana("600m", 36, 28, 16)
sana("1.6b", 70, 20, 20)
sana("1.6b-2k", 70, 20, 20, side=64)
sana("small", 4, 2, 2)


def wan_vae(name, base):
    row("wan-vae-" + name, "wan_vae", "AutoencoderKLWan", {"base_dim": base}, "convert_wan_vae_to_diffusers",
        {"decoder.head.0.gamma": [base, 1, 1, 1]})


wan_vae("2.1", 96)
wan_vae("small", 12)
row("wan-vae-2.2", "wan22_vae", "AutoencoderKLWan",
    {"base_dim": 160, "decoder_base_dim": 256, "in_channels": 12, "out_channels": 12, "is_residual": True, "patch_size": 2, "z_dim": 48}, None,
    {"decoder.head.0.gamma": [256, 1, 1, 1], "encoder.downsamples.0.downsamples.0.residual.3.gamma": [160, 1, 1, 1]})


def ltx_vae(name, first, **config):
    row("ltx-video-vae-" + name, "ltxv_vae", "AutoencoderKLLTXVideo", config, "convert_ltx_vae_checkpoint_to_diffusers", first, prefix="vae.",
        beside=[r"per_channel_statistics\..*"], unruled=["latents_mean", "latents_std"], buffers=[r"per_channel_statistics\..*", r".*timestep_scale_multiplier"])


MEANS = {"decoder.conv_out.conv.weight": [48, 128, 3, 3, 3], "per_channel_statistics.std-of-means": [128]}
MORE = {"per_channel_statistics.channel": [128], "per_channel_statistics.mean-of-stds": [128],
        "per_channel_statistics.mean-of-stds_over_std-of-means": [128]}
TIMED = {"decoder.last_scale_shift_table": [2, 128]}
ltx_vae("0.9.0", {**MEANS, **MORE})
ltx_vae("0.9.1", {**MEANS, **MORE, **TIMED}, decoder_block_out_channels=(256, 512, 1024), decoder_layers_per_block=(5, 6, 7, 8),
        decoder_spatio_temporal_scaling=(True, True, True), decoder_inject_noise=(True, True, True, False), upsample_residual=(True, True, True),
        upsample_factor=(2, 2, 2), timestep_conditioning=True)
ltx_vae("0.9.5", {**MEANS, **TIMED, "encoder.down_blocks.1.conv.conv.weight": [64, 128, 3, 3, 3]}, block_out_channels=(128, 256, 512, 1024, 2048),
        layers_per_block=(4, 6, 6, 2, 2), down_block_types=("LTXVideo095DownBlock3D",) * 4, spatio_temporal_scaling=(True,) * 4,
        downsample_type=("spatial", "temporal", "spatiotemporal", "spatiotemporal"), decoder_block_out_channels=(256, 512, 1024),
        decoder_layers_per_block=(5, 5, 5, 5), decoder_spatio_temporal_scaling=(True, True, True), decoder_inject_noise=(False,) * 4,
        upsample_residual=(True, True, True), upsample_factor=(2, 2, 2), timestep_conditioning=True)


# By version: specification, converter, kind of additional learned positions, queries per block.
COSMOS = {1: ("cosmos1", "cosmos1", "learnable", "blocks.block%d.blocks.0.block.attn.to_q.0.weight"),
          2: ("cosmos", "convert_cosmos_transformer_checkpoint_to_diffusers", None, "blocks.%d.self_attn.q_proj.weight")}


def cosmos(version, name, heads, depth, channels):
    architecture, converter, positions, queries = COSMOS[version]
    E = 128 * heads
    row(f"cosmos-predict{version}-{name}", architecture, "CosmosTransformer3DModel",
        {"in_channels": channels, "num_attention_heads": heads, "num_layers": depth, "adaln_lora_dim": 256, "text_embed_dim": 1024, "extra_pos_embed_type": positions},
        converter, {"final_layer.linear.weight": [64, E], "x_embedder.proj.1.weight": [E, 4 * channels + 4], queries % (depth - 1): [E, E]})


cosmos(2, "2b-t2i", 16, 28, 16)
cosmos(2, "2b-v2w", 16, 28, 17)
cosmos(2, "14b-t2i", 40, 36, 16)
cosmos(2, "14b-v2w", 40, 36, 17)
cosmos(2, "small", 2, 2, 16)
row("krea2", "krea2", "Krea2Transformer2DModel", {}, "convert_krea2_transformer_checkpoint_to_diffusers", {"first.weight": [6144, 64]})
row("ltx-2-19b", "ltx2", "LTX2VideoTransformer3DModel", {}, "convert_ltx2_transformer_to_diffusers", {"patchify_proj.weight": [4096, 128]})


def animatediff(name, widths, middle, frames):
    stem = "motion_modules.0.temporal_transformer."
    tensors = {"down_blocks.0." + stem + "norm.weight": [320], "down_blocks.0." + stem + "transformer_blocks.0.attention_blocks.0.pos_encoder.pe": [1, frames, 320]}
    if len(widths) == 4: tensors["down_blocks.3." + stem + "norm.weight"] = [1280]
    if middle: tensors["mid_block." + stem + "norm.weight"] = [1280]
    pe = r".*pos_encoder\.pe"
    row("animatediff-" + name, "animatediff", "MotionAdapter", {"block_out_channels": widths, "use_motion_mid_block": middle, "motion_max_seq_length": frames},
        "convert_animatediff_checkpoint_to_diffusers", tensors, beside=[pe], buffers=[pe], unruled=[r"pos_embed\.pe"])


animatediff("sd15", (320, 640, 1280, 1280), False, 24)
animatediff("sd15-v2", (320, 640, 1280, 1280), True, 32)
animatediff("sd15-v3", (320, 640, 1280, 1280), False, 32)
animatediff("sdxl", (320, 640, 1280), False, 32)


def hunyuan15(name, cls, E, first, **config):
    row(name, "hunyuan15", cls, {"patch_size": 1, **config}, "hunyuan15", {"final_layer.linear.weight": [first[1] if E == 3584 else 32, E], "img_in.proj.weight": first})


hunyuan15("hunyuan-video-1.5", "HunyuanVideo15Transformer3DModel", 2048, [2048, 65, 1, 1, 1], patch_size_t=1)
hunyuan15("hunyuan-image-2.1", "HunyuanImageTransformer2DModel", 3584, [3584, 64, 1, 1], patch_size=(1, 1), text_embed_2_dim=1472)


cosmos(1, "7b-t2w", 32, 28, 16)
cosmos(1, "7b-v2w", 32, 28, 17)
cosmos(1, "14b-t2w", 40, 36, 16)
cosmos(1, "small", 2, 2, 16)

MLA = ["ResBlock"] * 3 + ["EfficientViTBlock"] * 3
WIDTHS = [128, 256, 512, 512, 1024, 1024]
row("dc-ae-f32c32-sana", "dc_ae", "AutoencoderDC",
    {"latent_channels": 32, "encoder_block_types": MLA, "decoder_block_types": MLA, "encoder_block_out_channels": WIDTHS, "decoder_block_out_channels": WIDTHS,
     "encoder_layers_per_block": [2, 2, 2, 3, 3, 3], "decoder_layers_per_block": [3] * 6, "encoder_qkv_multiscales": [[]] * 3 + [[5]] * 3,
     "decoder_qkv_multiscales": [[]] * 3 + [[5]] * 3, "downsample_block_type": "conv", "upsample_block_type": "interpolate", "decoder_norm_types": "rms_norm"},
    "convert_autoencoder_dc_checkpoint_to_diffusers", {"encoder.project_in.conv.bias": [128]})
