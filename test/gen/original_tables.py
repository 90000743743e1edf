#!/usr/bin/env python3
"""original_tables.py COMFYUI OUT -- models with one size each, under their authors' names, for src/data/specs/original.

ComfyUI (a checkout) and spandrel have the code of such models, and keep the names used in files; diffusers' own converters turn those of
LTX-2's autoencoders into diffusers' names. Each is built on torch's meta device with the sizes that ComfyUI detects in published files
(comfy/model_detection.py, comfy/sd.py), or with its authors' options, and must have the known total. Writes a case a line: name, variant,
kind, tensors, other_tensors, buffers, parameters.

  LONGCAT_VIDEO=LongCat-Video DIFFUSERS=diffusers venv/bin/python test/gen/original_tables.py ComfyUI test/truth/components/tabled.jsonl
                    (with checkouts of all three)
  python3 src/data/import/mkoriginal.py hat HAT test/truth/components/tabled.jsonl test/truth/components/parts.jsonl > src/data/specs/original/hat.spec
Packages: test/gen/requirements/original.txt
"""
import importlib, json, math, os, re, sys

sys.argv, (checkout, out, *words) = [sys.argv[0], "--cpu"], sys.argv[1:]
sys.path[:0] = [checkout, checkout + "/comfy"]
import torch
import comfy.options
comfy.options.enable_args_parsing()
import comfy.ops

META = dict(dtype=torch.float32, device="meta", operations=comfy.ops.disable_weight_init)
MODEL, VAE, CONTROL, UPSCALER, IMAGE = "diffusion model", "VAE", "ControlNet", "upscaler", "image encoder"
RESTORER, FACES = "image restoration model", "face restoration model"
ROWS = []  # case, numel's name for it, kind, what builds it, how its names change, the total if known


def row(called, kind, make, named=None, total=None, name=None): ROWS.append((name or called, called, kind, make, named, total))


EXTRA = ("CodeFormer", "DDColor", "MAT", "Restormer", "SRFormer")  # in spandrel_extra_arches, which has other licences


def of(path, *a, **k):
    """The class at PATH, built on demand; with META if it is in comfy.ldm and accepts it."""
    module, _, cls = path.rpartition(".")
    if module.startswith("spandrel.") and module.split(".")[2] in EXTRA: module = module.replace("spandrel.", "spandrel_extra_arches.", 1)
    return lambda: getattr(importlib.import_module(module), cls)(*a, **k)


def model(path, **k): return of("comfy.ldm." + path, **k, **META)


def shaped(*shape): return torch.empty(shape, device="meta")


def merged(state):
    """Joins q, k and v of one of torch's attentions as in_proj."""
    out = {}
    for n, t in state.items():
        m = re.fullmatch(r"(.*\.attn\.)to_([qkv])\.(weight|bias)", n)
        if not m: out[n] = t
        elif m[2] == "q": out[f"{m[1]}in_proj_{m[3]}"] = shaped(3 * t.shape[0], *t.shape[1:])
    return out


def below(prefix):
    return lambda state: {n[len(prefix):]: t for n, t in state.items() if n.startswith(prefix)}


# ---- Stable Cascade

LITE = dict(c_cond=1536, c_hidden=[1536, 1536], nhead=[24, 24], blocks=[[4, 12], [12, 4]])
B = dict(c_hidden=[320, 640, 1280, 1280], nhead=[-1, -1, 20, 20], blocks=[[2, 6, 28, 6], [6, 28, 6, 2]], block_repeat=[[1, 1, 1, 1], [3, 3, 2, 2]])
B_LITE = dict(c_hidden=[320, 576, 1152, 1152], nhead=[-1, 9, 18, 18], blocks=[[2, 4, 14, 4], [4, 14, 4, 2]], block_repeat=[[1, 1, 1, 1], [2, 2, 2, 2]])
for called, path, sizes in (("Stable Cascade C", "cascade.stage_c.StageC", {}), ("Stable Cascade C lite", "cascade.stage_c.StageC", LITE),
                            ("Stable Cascade B", "cascade.stage_b.StageB", B), ("Stable Cascade B lite", "cascade.stage_b.StageB", B_LITE)):
    row(called, MODEL, model(path, **sizes), merged)
    row(called, MODEL, model(path, **sizes), name=called + ", q k v apart")
row("Stable Cascade A", VAE, of("comfy.ldm.cascade.stage_a.StageA"))
row("Stable Cascade stage C coder", VAE, of("comfy.ldm.cascade.stage_c_coder.StageC_coder"))
row("Stable Cascade EfficientNet", IMAGE, of("comfy.ldm.cascade.stage_c_coder.StageC_coder"), below("encoder."))
row("Stable Cascade previewer", VAE, of("comfy.ldm.cascade.stage_c_coder.StageC_coder"), below("previewer."))

# ---- images, video, sound, 3D shapes

row("OmniGen2", MODEL, model("omnigen.omnigen2.OmniGen2Transformer2DModel", axes_dim_rope=[40, 40, 40], axes_lens=[1024, 1664, 1664], ffn_dim_multiplier=None, hidden_size=2520, in_channels=16,
                             multiple_of=256, norm_eps=1e-5, num_attention_heads=21, num_kv_heads=7, num_layers=32, num_refiner_layers=2, out_channels=None, patch_size=2, text_feat_dim=2048, timestep_scale=1000.0))
row("ACE-Step", MODEL, model("ace.model.ACEStepTransformer2DModel", attention_head_dim=128, in_channels=8, inner_dim=2560, max_height=16, max_position=32768, max_width=32768, mlp_ratio=2.5,
                             num_attention_heads=20, num_layers=24, out_channels=8, patch_size=[16, 1], rope_theta=1e6, speaker_embedding_dim=512, text_embedding_dim=768, ssl_encoder_depths=[8, 8],
                             ssl_latent_dims=[1024, 768], ssl_names=["mert", "m-hubert"], lyric_encoder_vocab_size=6693, lyric_hidden_size=1024))
SHAPES = dict(in_channels=64, context_in_dim=1536, hidden_size=1024, mlp_ratio=4.0, num_heads=16, qkv_bias=True)
for called, depth, guided in (("Hunyuan3D 2", 16, False), ("Hunyuan3D 2 distilled", 16, True), ("Hunyuan3D 2 mini", 8, False), ("Hunyuan3D 2 mini distilled", 8, True)):
    row(called, MODEL, model("hunyuan3d.model.Hunyuan3Dv2", depth=depth, depth_single_blocks=2 * depth, guidance_embed=guided, **SHAPES))
row("Hunyuan3D 2.1", MODEL, model("hunyuan3dv2_1.hunyuandit.HunYuanDiTPlain", in_channels=64, context_dim=1024, hidden_size=2048, mlp_ratio=4.0, num_heads=16, depth=21, qkv_bias=False, guidance_cond_proj_dim=None))
row("Hunyuan3D 2 VAE", VAE, of("comfy.ldm.hunyuan3d.vae.ShapeVAE"))
STREAMS = dict(image_model="flux", in_channels=16, out_channels=16, hidden_size=3072, mlp_ratio=4.0, num_heads=24, axes_dim=[16, 56, 56], theta=10000, patch_size=2, qkv_bias=True)
row("Ovis-Image", MODEL, model("flux.model.Flux", guidance_embed=False, yak_mlp=True, txt_norm=True, txt_ids_dims=[1, 2], depth=6, depth_single_blocks=27, vec_in_dim=None, context_in_dim=2048, **STREAMS))
row("NewBie", MODEL, model("lumina.model.NextDiT", patch_size=2, in_channels=16, n_refiner_layers=2, qk_norm=True, dim=2304, cap_feat_dim=2560, n_layers=36, n_heads=24, n_kv_heads=8, axes_dims=[32, 32, 32],
                           axes_lens=[1024, 512, 512], rope_theta=10000.0, ffn_dim_multiplier=4.0, clip_text_dim=1024))
REFINED = dict(image_model="hunyuan_video", in_channels=128, patch_size=[1, 1, 1], out_channels=64, vec_in_dim=None, context_in_dim=3584, hidden_size=3328, mlp_ratio=4.0, num_heads=26, depth=20, depth_single_blocks=40,
               axes_dim=[16, 56, 56], theta=256, qkv_bias=True, byt5=False, use_cond_type_embedding=False, vision_in_dim=None, meanflow_sum=False)
row("HunyuanImage 2.1 refiner", MODEL, model("hunyuan_video.model.HunyuanVideo", guidance_embed=True, meanflow=True, **REFINED))


def as_tencent(state):
    """Tencent's names of what ComfyUI names as FLUX.1 does."""
    pairs = (("t_embedder.in_layer", "t_embedder.mlp.0"), ("t_embedder.out_layer", "t_embedder.mlp.2"), ("c_embedder.in_layer", "c_embedder.linear_1"), ("c_embedder.out_layer", "c_embedder.linear_2"),
             ("_in.in_layer", "_in.mlp.0"), ("_in.out_layer", "_in.mlp.2"), ("_mod.lin.", "_mod.linear."), ("_attn.qkv", "_attn_qkv"), ("_attn.proj", "_attn_proj"), ("_attn.norm.query_norm.scale", "_attn_q_norm.weight"),
             ("_attn.norm.key_norm.scale", "_attn_k_norm.weight"), (".norm.query_norm.scale", ".q_norm.weight"), (".norm.key_norm.scale", ".k_norm.weight"), ("modulation.lin.", "modulation.linear."),
             ("mlp.0.", "mlp.fc1."), ("mlp.2.", "mlp.fc2."))
    out = {}
    for n, t in state.items():
        m = n
        for a, b in pairs:
            if a.startswith("mlp.") and not re.search(r"blocks\.\d+\.", n): continue
            m = m.replace(a, b)
        out[m] = t
    assert len(out) == len(state)
    return out


row("HunyuanImage 2.1 refiner", MODEL, model("hunyuan_video.model.HunyuanVideo", guidance_embed=True, meanflow=True, **REFINED), as_tencent, name="HunyuanImage 2.1 refiner, Tencent's names")
row("ACE-Step 1.5", MODEL, of("comfy.ldm.ace.ace_step15.AceStepConditionGenerationModel", **{**META, "device": "cpu"}))  # takes no memory: nothing is written to it
PREDICT2 = dict(max_img_h=240, max_img_w=240, max_frames=128, in_channels=16, out_channels=16, patch_spatial=2, patch_temporal=1, concat_padding_mask=True, crossattn_emb_channels=1024, pos_emb_cls="rope3d", pos_emb_learnable=True,
                pos_emb_interpolation="crop", min_fps=1, max_fps=30, use_adaln_lora=True, adaln_lora_dim=256, extra_per_block_abs_pos_emb=False, rope_h_extrapolation_ratio=4.0, rope_w_extrapolation_ratio=4.0,
                rope_t_extrapolation_ratio=1.0, extra_h_extrapolation_ratio=1.0, extra_w_extrapolation_ratio=1.0, extra_t_extrapolation_ratio=1.0, rope_enable_fps_modulation=False)
row("Anima", MODEL, model("anima.model.Anima", model_channels=2048, num_blocks=28, num_heads=16, **PREDICT2))
row("LongCat-Image", MODEL, model("flux.model.Flux", guidance_embed=False, txt_ids_dims=[1, 2], depth=10, depth_single_blocks=20, vec_in_dim=None, context_in_dim=3584, **STREAMS))
row("FLUX.1 mini", MODEL, model("flux.model.Flux", guidance_embed=True, txt_ids_dims=[], depth=5, depth_single_blocks=10, vec_in_dim=768, context_in_dim=4096, **STREAMS))
# only in its own checkout
if "LONGCAT_VIDEO" in os.environ:
    sys.path.append(os.environ["LONGCAT_VIDEO"])
    row("LongCat-Video", MODEL, of("longcat_video.modules.longcat_video_dit.LongCatVideoTransformer3DModel"))
XS = dict(image_size=32, use_spatial_transformer=True, legacy=False, in_channels=4, out_channels=4, model_channels=320, num_res_blocks=[1, 1, 1], channel_mult=[1, 2, 4], transformer_depth_middle=-2, num_head_channels=64)
row("SDXS 512", MODEL, model("modules.diffusionmodules.openaimodel.UNetModel", transformer_depth=[0, 1, 1], transformer_depth_output=[0, 0, 1, 1, 1, 1], use_linear_in_transformer=False, context_dim=768, **XS))
row("SDXS 512 0.9", MODEL, model("modules.diffusionmodules.openaimodel.UNetModel", transformer_depth=[1, 1, 1], transformer_depth_output=[1] * 6, use_linear_in_transformer=True, context_dim=1024, disable_self_attentions=[True, False, False], **XS))
KOALA = dict(use_checkpoint=False, image_size=32, use_spatial_transformer=True, legacy=False, out_channels=4, num_head_channels=64, model_channels=320, num_res_blocks=[1, 1, 1], channel_mult=[1, 2, 4],
             context_dim=2048, use_linear_in_transformer=True, num_classes="sequential", adm_in_channels=2816, in_channels=4)
for called, deep, middle, total in (("KOALA 700M", 5, -2, 782822724), ("KOALA 1B", 6, 6, 1161184324)):
    row(called, MODEL, model("modules.diffusionmodules.openaimodel.UNetModel", transformer_depth=[0, 2, deep], transformer_depth_output=[0, 0, 2, 2, deep, deep], transformer_depth_middle=middle, **KOALA), total=total)
row("Z-Image ControlNet", CONTROL, model("lumina.controlnet.ZImage_Control"))
for called, more in (("Z-Image ControlNet 2.0", {}), ("Z-Image ControlNet 2.1", {"refiner_control": True}), ("Z-Image ControlNet 2.1 lite", {"refiner_control": True, "n_control_layers": 3})):
    row(called, CONTROL, model("lumina.controlnet.ZImage_Control", **{"additional_in_dim": 17, "n_control_layers": 15, **more}))
row("SD 3.5 large ControlNet", CONTROL, of("comfy.cldm.dit_embedder.ControlNetEmbedder", img_size=None, patch_size=2, in_chans=16, attention_head_dim=64, num_attention_heads=38, adm_in_channels=2048, num_layers=19,
                                               main_model_double=38, double_y_emb=True, pos_embed_max_size=None, **META))
row("FLUX.1 XLabs ControlNet", CONTROL, model("flux.controlnet.ControlNetFlux", guidance_embed=True, txt_ids_dims=[], depth=2, depth_single_blocks=0, vec_in_dim=768, context_in_dim=4096, **STREAMS))
for called, size in (("inpainting", dict(c_in=4)), ("canny", dict(c_in=1)), ("image", dict(c_in=3)), ("super-resolution", dict(c_in=16, bottleneck_mode="large"))):
    row("Stable Cascade ControlNet, " + called, CONTROL, of("comfy.ldm.cascade.controlnet.ControlNet", proj_blocks=[0, 4, 8, 12, 51, 55, 59, 63], **size))
row("HunyuanDiT ControlNet", CONTROL, model("hydit.controlnet.HunYuanControlNet"))
for called, more in (("", 0), (", inpainting", 4)):
    row("Qwen-Image DiffSynth ControlNet" + called, CONTROL, of("comfy_extras.nodes_model_patch.QwenImageBlockWiseControlNet", additional_in_dim=more, **META))
row("FLUX.1 USO projector", "pipeline component", of("comfy_extras.nodes_model_patch.SigLIPMultiFeatProjModel", **META), lambda state: {"feature_embedder." + n: t for n, t in state.items()})
XL_CONTROL = dict(image_size=32, in_channels=4, model_channels=320, hint_channels=3, num_res_blocks=[2, 2, 2], channel_mult=[1, 2, 4], num_head_channels=64, use_spatial_transformer=True, context_dim=2048, legacy=False,
                  use_linear_in_transformer=True, num_classes="sequential", adm_in_channels=2816)
for called, more in (("mid", dict(transformer_depth=[0, 0, 0, 0, 1, 1], transformer_depth_middle=1)), ("small", dict(transformer_depth=[0] * 6, transformer_depth_middle=0))):
    row(f"SDXL ControlNet, {called}", CONTROL, of("comfy.cldm.cldm.ControlNet", **more, **XL_CONTROL, **META))
row("SD 1.x T2I style adapter", "style adapter", of("comfy.t2i_adapter.adapter.StyleAdapter", width=1024, context_dim=768, num_head=8, n_layes=3, num_token=8))

# ---- autoencoders

ENGINE = "comfy.ldm.models.autoencoder."
PLAIN = dict(double_z=True, resolution=256, in_channels=3, out_ch=3, ch=128, ch_mult=[1, 2, 4, 4], num_res_blocks=2, attn_resolutions=[], dropout=0.0)
STEPS = dict(in_channels=3, out_channels=3, num_res_blocks=2, downsample_match_channel=True, upsample_match_channel=True)


def engine(home, **sizes):
    half = {h: {"target": f"comfy.ldm.hunyuan_video.{home}.{h}", "params": {**STEPS, **sizes}} for h in ("Encoder", "Decoder")}
    return of(ENGINE + "AutoencodingEngine", regularizer_config={"target": ENGINE + "EmptyRegularizer"}, encoder_config=half["Encoder"], decoder_config=half["Decoder"])


row("HunyuanVideo VAE", VAE, of(ENGINE + "AutoencoderKL", ddconfig={**PLAIN, "z_channels": 16, "conv3d": True, "time_compress": 4}, embed_dim=16), total=246478803)
row("HunyuanImage 2.1 VAE", VAE, engine("vae", block_out_channels=[128, 256, 512, 512, 1024, 1024], ffactor_spatial=32, z_channels=64))
FILM = dict(block_out_channels=[128, 256, 512, 1024, 1024], ffactor_spatial=16, ffactor_temporal=4, z_channels=32)
row("HunyuanImage 2.1 refiner VAE", VAE, engine("vae_refiner", refiner_vae=False, **FILM))
row("HunyuanVideo 1.5 VAE", VAE, engine("vae_refiner", **FILM))
row("Mochi VAE", VAE, of("comfy.ldm.genmo.vae.model.VideoVAE"), total=459748611)
row("Mochi VAE encoder", VAE, of("comfy.ldm.genmo.vae.model.VideoVAE"), below("encoder."))
row("Mochi VAE decoder", VAE, of("comfy.ldm.genmo.vae.model.VideoVAE"), below("decoder."))
def older(state):
    """Splits a weight into length and direction, under torch's older names."""
    return {n.replace("parametrizations.weight.original0", "weight_g").replace("parametrizations.weight.original1", "weight_v"): t for n, t in state.items()}


row("Stable Audio VAE", VAE, of("comfy.ldm.audio.autoencoder.AudioOobleckVAE"), total=156112514)
row("Stable Audio VAE", VAE, of("comfy.ldm.audio.autoencoder.AudioOobleckVAE"), older, total=156112514, name="Stable Audio VAE, older torch")


def seconds():
    import comfy.ldm.audio.embedders as e
    return torch.nn.ModuleDict({"seconds_start": e.NumberConditioner(768, 0, 512), "seconds_total": e.NumberConditioner(768, 0, 512)})


row("Stable Audio conditioner", "pipeline component", seconds)
for older_torch in (False, True):
    row("ACE-Step 1.5 VAE", VAE, of("comfy.ldm.audio.autoencoder.AudioOobleckVAE", strides=[2, 4, 4, 6, 10]), older if older_torch else None, name="ACE-Step 1.5 VAE" + (", older torch" if older_torch else ""))
row("ACE-Step VAE", VAE, of("comfy.ldm.ace.vae.music_dcae_pipeline.MusicDCAE", source_sample_rate=44100))
row("MMAudio VAE", VAE, of("comfy.ldm.mmaudio.vae.autoencoder.AudioAutoencoder", mode="16k"))


def tiny_film(channels, latent):
    return lambda: importlib.import_module("comfy.taesd.taehv").TAEHV(latent_channels=channels, latent_format=latent and getattr(importlib.import_module("comfy.latent_formats"), latent))


for called, channels, latent in (("TAEHV", 16, "HunyuanVideo"), ("TAEW 2.2", 48, None), ("TAEHV 1.5", 32, "HunyuanVideo15")): row(called, VAE, tiny_film(channels, latent))


def tiny(channels, rename, pooled=False):
    """TAESD as ComfyUI joins its halves, under other names. In FLUX.2's, the three blocks of each half that are nearest to the latents have
        a parallel branch of 256 channels whose norm covers the whole image."""
    def named(state):
        out = {n: t for n, t in state.items() if not n.startswith("vae_")} if rename is not whole else dict(state)
        for at in ("encoder.11", "encoder.12", "encoder.13", "decoder.3", "decoder.4", "decoder.5") if pooled else ():
            for part, shape in (("0.weight", (256, 64, 1, 1)), ("1.weight", (256,)), ("1.bias", (256,)), ("3.weight", (64, 256, 1, 1))): out[f"taesd_{at}.pool.{part}"] = shaped(*shape)
        return {m: t for n, t in out.items() for m in [rename(n)] if m}
    return of("comfy.taesd.taesd.TAESD", latent_channels=channels), named


def whole(name): return name


def layered(name):
    """As diffusers numbers them, which omits the decoder's first."""
    half, at, rest = name.removeprefix("taesd_").split(".", 2)
    return f"{half}.layers.{int(at) - (half == 'decoder')}.{rest}"


for called, channels, pooled in (("TAESD", 4, False), ("TAESD 16-channel", 16, False), ("TAEF2", 32, True)):
    row(called, VAE, *tiny(channels, lambda n: n.removeprefix("taesd_"), pooled), name=called + ", both halves")
    row(called, VAE, *tiny(channels, whole, pooled), name=called + ", joined by ComfyUI")
row("TAEF2", VAE, *tiny(32, layered, True))
for half in ("encoder", "decoder"):
    row("TAEF2, " + half, VAE, *tiny(32, lambda n, half=half: n.removeprefix(f"taesd_{half}.") if half in n else "", True))


def apart(state):
    """In the file, nin_shortcut is not wrapped in a further convolution."""
    return {n.replace("nin_shortcut.conv.", "nin_shortcut."): t for n, t in state.items()}


row("HunyuanVideo 1.5 latent upscaler, 720p", UPSCALER, of("comfy.ldm.hunyuan_video.upsampler.SRModel3DV2", in_channels=32, out_channels=32))
row("HunyuanVideo 1.5 latent upscaler, 1080p", UPSCALER, of("comfy.ldm.hunyuan_video.upsampler.Upsampler", z_channels=32, out_channels=32, block_out_channels=(1024, 512)), apart)
for size, sizes in (("S", dict(hidden_size=384, num_attention_heads=6)), ("B", {}), ("L", dict(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16)), ("g", dict(hidden_size=1536, num_hidden_layers=40, num_attention_heads=24, use_swiglu_ffn=True))):
    # ComfyUI has no mask token
    row(f"DINOv2 {size}", IMAGE, lambda sizes=sizes: importlib.import_module("transformers").Dinov2Model(importlib.import_module("transformers").Dinov2Config(image_size=518, patch_size=14, **sizes)),
        lambda state: {n: t for n, t in state.items() if n != "embeddings.mask_token"}, name=f"DINOv2 {size}, without a mask")
HEARS = "audio encoder"
row("wav2vec2 large", HEARS, of("comfy.audio_encoders.wav2vec2.Wav2Vec2Model", **META))
row("wav2vec2 base", HEARS, of("comfy.audio_encoders.wav2vec2.Wav2Vec2Model", embed_dim=768, num_heads=12, num_layers=12, conv_norm=False, conv_bias=False, do_normalize=False, do_stable_layer_norm=False, **META))
row("Whisper large v3 encoder", HEARS, of("comfy.audio_encoders.whisper.WhisperLargeV3", **META), lambda state: {"model." + n: t for n, t in state.items() if n.startswith("encoder.")})


COSMOS = of("comfy.ldm.cosmos.vae.CausalContinuousVideoTokenizer", z_channels=16, latent_channels=16, z_factor=1, resolution=1024, in_channels=3, out_channels=3, channels=128, channels_mult=[2, 4, 4],
            num_res_blocks=2, attn_resolutions=[32], dropout=0.0, patch_size=4, num_groups=1, temporal_compression=8, spacial_compression=8)


row("Cosmos 1 VAE", VAE, COSMOS)
ON_CPU = ("Cosmos 1 VAE", "ACE-Step VAE", "ACE-Step 1.5", "HunyuanDiT ControlNet", "Whisper large v3 encoder")


def ltx2(state):
    """The names of LTX-2's video autoencoder, from diffusers' class."""
    names = {}
    for n in state:
        m = re.sub(r"resnets", "res_blocks", n)
        m = m.replace("encoder.mid_block", "encoder.down_blocks.8").replace("decoder.mid_block", "decoder.up_blocks.0")
        m = re.sub(r"encoder\.down_blocks\.(\d)\.(res_blocks|downsamplers\.0)", lambda x: x[0] if x[1] == "8" else f"encoder.down_blocks.{2 * int(x[1])}.res_blocks" if x[2][0] == "r" else f"encoder.down_blocks.{2 * int(x[1]) + 1}", m)
        if not n.startswith("decoder.mid_block"):
            m = re.sub(r"decoder\.up_blocks\.(\d)\.(res_blocks|upsamplers\.0)", lambda x: f"decoder.up_blocks.{2 * int(x[1]) + 2}.res_blocks" if x[2][0] == "r" else f"decoder.up_blocks.{2 * int(x[1]) + 1}", m)
        names[n] = m.replace("latents_mean", "per_channel_statistics.mean-of-means").replace("latents_std", "per_channel_statistics.std-of-means")
    return {names[n]: t for n, t in state.items()}


def by_diffusers(cls, converter, rename, left="^$", **sizes):
    """Its state dict under other names, which diffusers' converter must reverse, except for what it leaves to
    the class."""
    def named(state):
        from diffusers.loaders import single_file_utils
        made = rename(state)
        again = getattr(single_file_utils, converter)(dict(made), config={})
        wanted = {n: t.shape for n, t in state.items() if not re.search(left, n)}
        assert {n: t.shape for n, t in again.items()} == wanted, (cls, sorted(set(again) ^ set(wanted))[:4])
        return made
    return of("diffusers." + cls, **sizes), named


def renamed(pairs, join=()):
    """Replaces names by regular expressions in order; `join`: [pattern of the first of several, the name of all
    together]."""
    def named(state):
        out = {}
        for n, t in state.items():
            m = n
            for a, b in pairs: m = re.sub(a, b, m)
            for first, others, whole in join:
                if re.search(others, m): m = ""
                elif re.search(first, m):
                    m, t = re.sub(first, whole, m), shaped((1 + others.count("|") + 1) * t.shape[0], *t.shape[1:])
            if m: out[m] = t
        return out
    return named


def statistics(state): return {n.replace("latents_mean", "per_channel_statistics.mean-of-means").replace("latents_std", "per_channel_statistics.std-of-means"): t for n, t in state.items()}


row("LTX-2 VAE", VAE, *by_diffusers("AutoencoderKLLTX2Video", "convert_ltx2_vae_to_diffusers", ltx2))
row("LTX-2 audio VAE", VAE, *by_diffusers("AutoencoderKLLTX2Audio", "convert_ltx2_audio_vae_to_diffusers", statistics))

def motion(state):
    """AnimateDiff's names: motion modules are below temporal_transformer, with positions in each attention."""
    out = {}
    for n, t in state.items():
        if "motion_modules" not in n: out[n] = t
        elif n.endswith("pos_embed.pe"):
            if ".transformer_blocks.0.pos_embed" not in n: raise ValueError(n)
            for k in range(2): out[re.sub(r"(motion_modules\.\d+\.)(.*)pos_embed\.pe", rf"\1temporal_transformer.\2attention_blocks.{k}.pos_encoder.pe", n)] = t if k == 0 else t.clone()
        else:
            m = re.sub(r"(motion_modules\.\d+\.)", r"\1temporal_transformer.", n)
            for a, b in ((".norm1.", ".norms.0."), (".norm2.", ".norms.1."), (".norm3.", ".ff_norm."), (".attn1.", ".attention_blocks.0."), (".attn2.", ".attention_blocks.1.")): m = m.replace(a, b)
            out[m] = t
    return out


for what, sizes in (("scribble", dict(conditioning_channels=3, use_simplified_condition_embedding=False)), ("rgb", dict(conditioning_channels=4, use_simplified_condition_embedding=True))):
    row("SparseCtrl, " + what, CONTROL, *by_diffusers("SparseControlNetModel", "convert_animatediff_checkpoint_to_diffusers", motion, r"pos_embed\.pe", concat_conditioning_mask=True, **sizes))
H3 = [(r"^transformer_blocks\.", "blocks."), (r"token_refiner\.refiner_blocks\.", "token_refiner.blocks."), (r"time_embedder\.linear_1\.", "time_embedder.proj_in."), (r"time_embedder\.linear_2\.", "time_embedder.proj_out."), (r"^audio_proj_in\.", "audio_patch_proj."),
      (r"^proj_in\.", "video_patch_proj."), (r"^context_embedder\.", "condition_proj."), (r"^norm_out\.norm\.", "final_layer.norm."), (r"^norm_out\.linear\.", "final_layer.adaln_proj.linear."), (r"^audio_proj_out\.", "final_layer.audio_out."),
      (r"^proj_out\.", "final_layer.video_out."), (r"\.attn\.norm_([qk])\.", r".attn.\1_norm."), (r"\.attn\.to_out\.0\.", ".attn.out_proj."), (r"\.ff\.net\.0\.proj\.", ".mlp.fc1."), (r"\.ff\.net\.2\.", ".mlp.fc2.")]
row("MiniMax H3", MODEL, *by_diffusers("MiniMaxH3Transformer3DModel", "convert_minimax_h3_transformer_checkpoint_to_diffusers", renamed(H3, [(r"\.attn\.to_q\.", r"\.attn\.to_k\.|\.attn\.to_v\.", ".attn.qkv_proj.")])))
row("Qwen-Image 2.1", MODEL, *by_diffusers("QwenImage21Transformer2DModel", "convert_qwen_image21_transformer_checkpoint_to_diffusers", lambda s: s), name="Qwen-Image 2.1, gate apart")
row("Qwen-Image 2.1", MODEL, *by_diffusers("QwenImage21Transformer2DModel", "convert_qwen_image21_transformer_checkpoint_to_diffusers", renamed([], [(r"img_mlp\.gate_layer\.", r"img_mlp\.proj\.", "img_mlp.gate_up.")])))
A2 = [(r"^blocks\.(\d+)\.", r"blocks.\1.block."), *((rf"((?:self|cross)_attn)\.{a}\.", rf"\1.{b}.") for a, b in (("to_q", "q"), ("to_k", "k"), ("to_v", "v"), (r"to_out\.0", "o"), ("add_k_proj", "k_img"), ("add_v_proj", "v_img"), ("norm_added_k", "norm_k_img")))]
row("Wan Animate 2", MODEL, *by_diffusers("WanAnimate2Transformer3DModel", "convert_wan_animate_2_transformer_to_diffusers", renamed(A2)))
F3 = [(r"^x_embedders\.", "emb_in."), (r"^context_embedder\.", "txt_in."), (r"^mode_blocks\.", "content_mode_blocks."), (r"^single_transformer_blocks\.", "single_blocks."), (r"^timestep_embedder\.linear_1", "time_in.in_layer"),
      (r"^timestep_embedder\.linear_2", "time_in.out_layer"), (r"^target_timestep_embedder\.linear_1", "ref_time_in.in_layer"), (r"^target_timestep_embedder\.linear_2", "ref_time_in.out_layer"), (r"^proj_out\.", "final_layer.image.linear."),
      (r"^norm_out\.linear\.", "final_layer.image.adaLN_modulation.1."), (r"attn\.to_([qkv])\.", r"\1_proj."), (r"attn\.to_out\.0\.", "attn_out."), (r"attn\.norm_q\.weight", "norm.query_norm.scale"), (r"attn\.norm_k\.weight", "norm.key_norm.scale"),
      (r"ff\.linear_in", "mlp_in"), (r"ff\.linear_out", "mlp_out"), (r"(modulations?\..*)\.linear\.", r"\1.lin.")]
row("FLUX.3", MODEL, *by_diffusers("Flux3Transformer2DModel", "convert_flux3_transformer_checkpoint_to_diffusers", renamed(F3)))

# LTX-2 has these more than once, or outside the model
row("LTX-2 connector", "pipeline component", model("lightricks.embeddings_connector.Embeddings1DConnector", split_rope=True, double_precision_rope=True))
row("LTX-2 text projection", "pipeline component", lambda: torch.nn.ModuleDict({"aggregate_embed": torch.nn.Linear(3840 * 49, 3840, bias=False)}))
# as scripts/convert_ltx2_to_diffusers.py of diffusers names them
row("LTX-2 vocoder", "vocoder", of("diffusers.pipelines.ltx2.vocoder.LTX2Vocoder"), renamed([(r"^upsamplers\.", "ups."), (r"^resnets\.", "resblocks."), (r"^conv_in\.", "conv_pre."), (r"^conv_out\.", "conv_post.")]))


def by_script(make, rename, convert, *what):
    """Its names, reversed; if DIFFUSERS is a checkout of diffusers, its script must turn them into the class's
    names, or this raises."""
    def named(state):
        made = rename(state)
        assert len(made) == len(state)
        if "DIFFUSERS" in os.environ:
            sys.path.insert(0, os.path.join(os.environ["DIFFUSERS"], "scripts"))
            getattr(importlib.import_module("convert_ltx2_to_diffusers"), convert)(dict(made), *what)
        return made
    return make, named


LTX2 = [(r"^proj_in\.", "patchify_proj."), (r"^audio_proj_in\.", "audio_patchify_proj."), (r"^av_cross_attn_(video|audio)_scale_shift\.", r"av_ca_\1_scale_shift_adaln_single."),
        (r"^av_cross_attn_video_a2v_gate\.", "av_ca_a2v_gate_adaln_single."), (r"^av_cross_attn_audio_v2a_gate\.", "av_ca_v2a_gate_adaln_single."), (r"(video|audio)_a2v_cross_attn_scale_shift_table", r"scale_shift_table_a2v_ca_\1"),
        (r"norm_([qk])\.", r"\1_norm."), (r"^(audio_)?time_embed\.", r"\1adaln_single."), (r"^(audio_)?prompt_adaln\.", r"\1prompt_adaln_single.")]
NEWER = dict(gated_attn=True, cross_attn_mod=True, audio_gated_attn=True, audio_cross_attn_mod=True, use_prompt_embeddings=False, perturbed_attn=True)
row("LTX-2.3", MODEL, *by_script(of("diffusers.LTX2VideoTransformer3DModel", **NEWER), renamed(LTX2), "convert_ltx2_transformer", "2.3"))
row("LTX-2.5", MODEL, *by_script(of("diffusers.LTX2VideoTransformer3DModel", ff_bias=False, use_keyframes_abs_pos_embedding=True, **NEWER), renamed(LTX2), "convert_ltx2_transformer", "2.5"))
WIDE = dict(block_out_channels=(256, 512, 1024, 1024), down_block_types=("LTX2VideoDownBlock3D",) * 4, decoder_block_out_channels=(256, 512, 512, 1024), layers_per_block=(4, 6, 4, 2, 2), decoder_layers_per_block=(4, 6, 4, 2, 2),
            spatio_temporal_scaling=(True,) * 4, decoder_spatio_temporal_scaling=(True,) * 4, decoder_inject_noise=(False,) * 5, downsample_type=("spatial", "temporal", "spatiotemporal", "spatiotemporal"),
            upsample_type=("spatiotemporal", "spatiotemporal", "temporal", "spatial"), upsample_residual=(False,) * 4, upsample_factor=(2, 2, 1, 2))
row("LTX-2.3 VAE", VAE, *by_script(of("diffusers.AutoencoderKLLTX2Video", **WIDE), ltx2, "convert_ltx2_video_vae", "2.3", False))
BANDS = [(r"upsamplers\.", "ups."), (r"resnets\.", "resblocks."), (r"conv_in\.", "conv_pre."), (r"conv_out\.", "conv_post."), (r"act_out\.", "act_post."), (r"downsample\.filter", "downsample.lowpass.filter")]
row("LTX-2.3 vocoder", "vocoder", *by_script(of("diffusers.pipelines.ltx2.vocoder.LTX2VocoderWithBWE"), renamed(BANDS), "convert_ltx2_vocoder", "2.3"))
JOINED = dict(caption_channels=3840, text_proj_in_factor=49, video_connector_num_attention_heads=32, video_connector_attention_head_dim=128, video_connector_num_layers=8, video_connector_num_learnable_registers=128,
              video_gated_attn=True, audio_connector_num_attention_heads=32, audio_connector_attention_head_dim=64, audio_connector_num_layers=8, audio_connector_num_learnable_registers=128, audio_gated_attn=True,
              per_modality_projections=True, video_hidden_dim=4096, audio_hidden_dim=2048, proj_bias=True)
JOINTS = [(r"^(video|audio)_connector\.", r"\1_embeddings_connector."), (r"\.transformer_blocks\.", ".transformer_1d_blocks."), (r"^(video|audio)_text_proj_in\.", r"text_embedding_projection.\1_aggregate_embed."), (r"norm_([qk])\.", r"\1_norm.")]
for called, prefix in (("video connector", "video_embeddings_connector."), ("audio connector", "audio_embeddings_connector."), ("text projection", "text_embedding_projection.")):
    make, named = by_script(of("diffusers.pipelines.ltx2.connectors.LTX2TextConnectors", **JOINED), renamed(JOINTS), "convert_ltx2_connectors", "2.3")
    row("LTX-2.3 " + called, "pipeline component", make, lambda state, named=named, prefix=prefix: below(prefix)(named(state)))

# DC-AE in mit-han-lab's version; Sana's has a specification. Its attention uses convolutions, one for q, k and v.
DC = [(r"^encoder\.conv_in\.conv\.", "encoder.project_in.conv.conv."), (r"^encoder\.conv_out\.", "encoder.project_out.main.op_list.0.conv."), (r"^decoder\.conv_in\.", "decoder.project_in.main.conv."),
      (r"^decoder\.norm_out\.", "decoder.project_out.op_list.0."), (r"^decoder\.conv_out\.conv\.", "decoder.project_out.op_list.2.conv.conv."),
      (r"\.attn\.norm_out\.", ".context_module.main.proj.norm."), (r"\.attn\.to_out\.", ".context_module.main.proj.conv."), (r"\.attn\.to_([qkv])\.", r".context_module.main.to_\1."),
      (r"\.conv_out\.norm\.", ".local_module.main.point_conv.norm."), (r"\.conv_out\.conv_(inverted|depth|point)\.", r".local_module.main.\1_conv.conv."),
      (r"^(encoder|decoder)\.(?:down|up)_blocks\.(\d+)\.(\d+)\.", r"\1.stages.\2.op_list.\3."), (r"(op_list\.\d+)\.conv\.(weight|bias)", r"\1.main.conv.conv.\2"),
      (r"(op_list\.\d+)\.conv([12])\.", r"\1.main.conv\2.conv."), (r"(op_list\.\d+)\.norm\.", r"\1.main.conv2.norm.")]


def han(state):
    out = renamed(DC, [(r"main\.to_q\.", r"main\.to_k\.|main\.to_v\.", "main.qkv.conv.")])(state)
    return {n: shaped(*t.shape, 1, 1) if re.search(r"context_module\.main\.(qkv|proj)\.conv\.weight", n) else t for n, t in out.items()}


for called, latent, deep in (("DC-AE f32c32", 32, 3), ("DC-AE f64c128", 128, 4), ("DC-AE f128c512", 512, 5)):
    types, widths = ["ResBlock"] * 3 + ["EfficientViTBlock"] * deep, ([128, 256, 512, 512, 1024, 1024, 2048, 2048])[:3 + deep]
    row(called, VAE, *by_diffusers("AutoencoderDC", "convert_autoencoder_dc_checkpoint_to_diffusers", han, latent_channels=latent, encoder_block_types=types, decoder_block_types=types, encoder_block_out_channels=widths,
                                   decoder_block_out_channels=widths, encoder_layers_per_block=[0, 4, 8] + [2] * deep, decoder_layers_per_block=[0, 5, 10] + [2] * deep, encoder_qkv_multiscales=[()] * (3 + deep),
                                   decoder_qkv_multiscales=[()] * (3 + deep), decoder_norm_types=["batch_norm"] * 3 + ["rms_norm"] * deep, decoder_act_fns=["relu"] * 3 + ["silu"] * deep))

# ---- upscalers and image restoration, from spandrel: the options of the authors' files

SP = "spandrel.architectures."
SIX = dict(depths=[6] * 6, num_heads=[6] * 6)


def sized(called, path, scales, **k):
    for s in scales: row(f"{called} x{s}", UPSCALER, of(SP + path, upscale=s, **k))


SWIN = dict(window_size=8, img_range=1.0, mlp_ratio=2, resi_connection="1conv")
for side in (48, 64):
    for s in (2, 3, 4, 8): row(f"SwinIR-M x{s}", UPSCALER, of(SP + "SwinIR.__arch.SwinIR.SwinIR", upscale=s, img_size=side, embed_dim=180, upsampler="pixelshuffle", **SIX, **SWIN), name=f"SwinIR-M x{s} of {side}")
for s in (2, 3, 4): row(f"SwinIR-S x{s}", UPSCALER, of(SP + "SwinIR.__arch.SwinIR.SwinIR", upscale=s, img_size=64, embed_dim=60, depths=[6] * 4, num_heads=[6] * 4, upsampler="pixelshuffledirect", **SWIN))
for s in (2, 4): row(f"SwinIR-M real-world x{s}", UPSCALER, of(SP + "SwinIR.__arch.SwinIR.SwinIR", upscale=s, img_size=64, embed_dim=180, upsampler="nearest+conv", **SIX, **SWIN))
row("SwinIR-L real-world x4", UPSCALER, of(SP + "SwinIR.__arch.SwinIR.SwinIR", upscale=4, img_size=64, embed_dim=240, depths=[6] * 9, num_heads=[8] * 9, upsampler="nearest+conv", **{**SWIN, "resi_connection": "3conv"}))
for what, colors in (("grey", 1), ("colour", 3)):
    row(f"SwinIR-M denoiser, {what}", UPSCALER, of(SP + "SwinIR.__arch.SwinIR.SwinIR", upscale=1, in_chans=colors, img_size=128, embed_dim=180, upsampler="", **SIX, **SWIN))
    row(f"SwinIR-M JPEG, {what}", UPSCALER, of(SP + "SwinIR.__arch.SwinIR.SwinIR", upscale=1, in_chans=colors, img_size=126, embed_dim=180, upsampler="", **SIX, **{**SWIN, "window_size": 7}))
DAT = SP + "DAT.__arch.DAT.DAT"
for s in (2, 3, 4):
    row(f"DAT x{s}", UPSCALER, of(DAT, upscale=s, img_size=64, embed_dim=180, split_size=[8, 32], depth=[6] * 6, num_heads=[6] * 6, expansion_factor=4, resi_connection="1conv"))
    row(f"DAT-2 x{s}", UPSCALER, of(DAT, upscale=s, img_size=64, embed_dim=180, split_size=[8, 32], depth=[6] * 6, num_heads=[6] * 6, expansion_factor=2, resi_connection="1conv"))
    row(f"DAT-S x{s}", UPSCALER, of(DAT, upscale=s, img_size=64, embed_dim=180, split_size=[8, 16], depth=[6] * 6, num_heads=[6] * 6, expansion_factor=2, resi_connection="1conv"))
    row(f"DAT-light x{s}", UPSCALER, of(DAT, upscale=s, img_size=64, embed_dim=60, split_size=[8, 32], depth=[18], num_heads=[6], expansion_factor=2, resi_connection="3conv", upsampler="pixelshuffledirect"))
HAT = dict(img_size=64, window_size=16, overlap_ratio=0.5, img_range=1.0, mlp_ratio=2, upsampler="pixelshuffle", resi_connection="1conv", conv_scale=0.01)
for s in (2, 3, 4):
    sized("HAT-S", "HAT.__arch.HAT.HAT", [s], embed_dim=144, compress_ratio=24, squeeze_factor=24, **SIX, **HAT)
    sized("HAT", "HAT.__arch.HAT.HAT", [s], embed_dim=180, compress_ratio=3, squeeze_factor=30, **SIX, **HAT)
    sized("HAT-L", "HAT.__arch.HAT.HAT", [s], embed_dim=180, compress_ratio=3, squeeze_factor=30, depths=[6] * 12, num_heads=[6] * 12, **HAT)
for convs in (16, 32):
    for s in (1, 2, 3, 4): row(f"Real-ESRGAN compact {convs}-conv x{s}", UPSCALER, of(SP + "Compact.__arch.SRVGG.SRVGGNetCompact", num_in_ch=3, num_out_ch=3, num_feat=64, num_conv=convs, upscale=s, act_type="prelu"))
for width, convs in ((24, 8), (64, 8)):
    for s in (1, 2, 3, 4): row(f"Real-ESRGAN compact {convs}-conv, {width}-channel x{s}", UPSCALER, of(SP + "Compact.__arch.SRVGG.SRVGGNetCompact", num_in_ch=3, num_out_ch=3, num_feat=width, num_conv=convs, upscale=s, act_type="prelu"))
for called, sizes in (("ESRGAN x1", dict(scale=1)), ("ESRGAN x2", dict(scale=2)), ("ESRGAN x8", dict(scale=8)), ("ESRGAN x16", dict(scale=16)), ("ESRGAN x4 lite", dict(num_filters=32, num_blocks=12)), ("ESRGAN+ x4", dict(plus=True)),
                      ("ESRGAN x2", dict(in_nc=12, shuffle_factor=2)), ("ESRGAN x1", dict(in_nc=48, shuffle_factor=4)), ("ESRGAN x4", dict(in_nc=1, out_nc=1))):
    row(called, UPSCALER, of(SP + "ESRGAN.__arch.RRDB.RRDBNet", **{"in_nc": 3, "out_nc": 3, "num_filters": 64, "num_blocks": 23, "scale": 4, **sizes}), name=f"{called}, {' '.join(f'{k} {v}' for k, v in sizes.items())}")
for s in (1, 2, 3, 4):
    for width in (32, 48, 52, 64):
        for norm in (True, False):
            row(f"SPAN {width}-channel x{s}", UPSCALER, of(SP + "SPAN.__arch.span.SPAN", num_in_ch=3, num_out_ch=3, feature_channels=width, upscale=s, norm=norm), name=f"SPAN {width}-channel x{s}" + ("" if norm else ", no norm"))
    for size, more in (("S", dict(n_blocks=12, kernel_size=13)), ("S", dict(n_blocks=12, kernel_size=13, use_ea=False)), ("L", dict(dim=96))):
        for point in (False, True):
            row(f"RealPLKSR-{size} x{s}", UPSCALER, of(SP + "PLKSR.__arch.RealPLKSR.RealPLKSR", upscaling_factor=s, dysample=point, **more), name=f"RealPLKSR-{size} x{s}, {len(more)}{', DySample' if point else ''}")
for s in (1, 2, 3, 4): row(f"RealPLKSR x{s}", UPSCALER, of(SP + "PLKSR.__arch.RealPLKSR.RealPLKSR", upscaling_factor=s))
for s in (2, 3, 4): row(f"OmniSR x{s}", UPSCALER, of(SP + "OmniSR.__arch.OmniSR.OmniSR", res_num=5, up_scale=s))
row("SCUNet", UPSCALER, of(SP + "SCUNet.__arch.SCUNet.SCUNet"))
row("SCUNet, grey", UPSCALER, of(SP + "SCUNet.__arch.SCUNet.SCUNet", in_nc=1))
row("DiffBIR SwinIR", RESTORER, of(SP + "SwinIR.__arch.SwinIR.SwinIR", upscale=1, img_size=64, embed_dim=180, depths=[6] * 8, num_heads=[6] * 8, upsampler="nearest+conv", start_unshuffle=8, **SWIN))
PART = dict(img_size=64, window_size=16, img_range=1.0)
for s in (2, 3, 4):
    sized("ATD", "ATD.__arch.atd_arch.ATD", [s], **{**PART, "img_size": 96}, embed_dim=210, num_tokens=128, reducted_dim=20, convffn_kernel_size=5, mlp_ratio=2, upsampler="pixelshuffle", **SIX)
    sized("ATD-light", "ATD.__arch.atd_arch.ATD", [s], **PART, embed_dim=48, depths=[6] * 4, num_heads=[4] * 4, category_size=128, num_tokens=64, reducted_dim=8, convffn_kernel_size=7, mlp_ratio=1, upsampler="pixelshuffledirect")
    sized("DRCT", "DRCT.__arch.drct_arch.DRCT", [s], **PART, upsampler="pixelshuffle", **SIX)
    sized("DRCT-L", "DRCT.__arch.drct_arch.DRCT", [s], **PART, upsampler="pixelshuffle", depths=[6] * 12, num_heads=[6] * 12)
    sized("RGT", "RGT.__arch.rgt.RGT", [s], embed_dim=180, depth=[6] * 8, num_heads=[6] * 8, mlp_ratio=2, split_size=[8, 32])
    sized("RGT-S", "RGT.__arch.rgt.RGT", [s], embed_dim=180, depth=[6] * 6, num_heads=[6] * 6, mlp_ratio=2, split_size=[8, 32])
    sized("SRFormer", "SRFormer.__arch.SRFormer.SRFormer", [s], img_size=64, window_size=22, embed_dim=180, mlp_ratio=2, upsampler="pixelshuffle", **SIX)
    sized("SRFormer-light", "SRFormer.__arch.SRFormer.SRFormer", [s], img_size=64, window_size=16, embed_dim=60, depths=[6] * 4, num_heads=[6] * 4, mlp_ratio=2, upsampler="pixelshuffledirect")
    row(f"PLKSR x{s}", UPSCALER, of(SP + "PLKSR.__arch.PLKSR.PLKSR", upscaling_factor=s, ccm_type="DCCM"))
    row(f"PLKSR-tiny x{s}", UPSCALER, of(SP + "PLKSR.__arch.PLKSR.PLKSR", upscaling_factor=s, n_blocks=12, kernel_size=13, ccm_type="DCCM"))
    row(f"SAFMN x{s}", UPSCALER, of(SP + "SAFMN.__arch.safmn.SAFMN", dim=36, n_blocks=8, ffn_scale=2.0, upscaling_factor=s))
    sized("CRAFT", "CRAFT.__arch.CRAFT.CRAFT", [s], window_size=16, embed_dim=48, depths=[2] * 4, num_heads=[6] * 4, split_size_0=4, split_size_1=16, mlp_ratio=2)
    row(f"RCAN x{s}", UPSCALER, of(SP + "RCAN.__arch.rcan_arch.RCAN", scale=s))
    row(f"Real-CUGAN x{s}", UPSCALER, of(SP + f"RealCUGAN.__arch.upcunet_v3.UpCunet{s}x"))
for s in (1, 2, 3, 4):
    for what, more in (("DySample", dict(dysample=True)), ("layer norm", dict(layer_norm=True)), ("DySample and layer norm", dict(dysample=True, layer_norm=True))):
        row(f"RealPLKSR with {what} x{s}", UPSCALER, of(SP + "PLKSR.__arch.RealPLKSR.RealPLKSR", upscaling_factor=s, **more))
    for up in ("ps", "gps", "dys"): row(f"MoSR x{s}", UPSCALER, of(SP + "MoSR.__arch.mosr_arch.MoSR", upscale=s, upsampler=up), name=f"MoSR x{s}, {up}")
    for up in ("ps", "gps", "dys"): row(f"MoSR-T x{s}", UPSCALER, of(SP + "MoSR.__arch.mosr_arch.MoSR", upscale=s, upsampler=up, n_block=5, dim=48), name=f"MoSR-T x{s}, {up}")
sized("SRFormer real-world", "SRFormer.__arch.SRFormer.SRFormer", [4], img_size=48, window_size=24, embed_dim=180, mlp_ratio=2, upsampler="pixelshuffle", **SIX)
for s in (2, 4):
    for up in ("transpose+conv", "pixelshuffle"):
        for size, more in (("tiny", dict(embed_dim=96, num_groups=2, depth_per_group=2, num_heads=3, ffn_expansion_ratio=1.5)), ("light", dict(embed_dim=108, num_groups=3, depth_per_group=2)), ("medium", {}),
                           ("large", dict(embed_dim=180, depth_per_group=4, num_heads=6)), ("XL", dict(embed_dim=180, num_groups=6, depth_per_group=6, num_heads=6))):
            row(f"FDAT {size} x{s}", UPSCALER, of(SP + "FDAT.__arch.fdat.FDAT", scale=s, upsampler_type=up, **more), name=f"FDAT {size} x{s}, {up}")
SWIN2 = dict(img_size=64, window_size=8, embed_dim=180, mlp_ratio=2, **SIX)
for s in (2, 4): sized("Swin2SR", "Swin2SR.__arch.Swin2SR.Swin2SR", [s], upsampler="pixelshuffle", **SWIN2)
sized("Swin2SR real-world", "Swin2SR.__arch.Swin2SR.Swin2SR", [4], upsampler="nearest+conv", **SWIN2)
sized("Swin2SR compressed", "Swin2SR.__arch.Swin2SR.Swin2SR", [4], upsampler="pixelshuffle_aux", **{**SWIN2, "img_size": 48})
sized("Swin2SR-light", "Swin2SR.__arch.Swin2SR.Swin2SR", [2], upsampler="pixelshuffledirect", **{**SWIN2, "embed_dim": 60, "depths": [6] * 4, "num_heads": [6] * 4})
row("Swin2SR JPEG", RESTORER, of(SP + "Swin2SR.__arch.Swin2SR.Swin2SR", upscale=1, in_chans=1, upsampler="", **{**SWIN2, "img_size": 126, "window_size": 7}))
GRL = dict(img_size=64, mlp_ratio=2, qkv_proj_type="linear", anchor_proj_type="avgpool", anchor_window_down_factor=4, out_proj_type="linear", conv_type="1conv", stripe_groups=[None, None], window_size=32, stripe_size=[64, 64])
for s in (2, 3, 4):
    sized("GRL-tiny", "GRL.__arch.grl.GRL", [s], embed_dim=64, depths=[4] * 4, num_heads_window=[2] * 4, num_heads_stripe=[2] * 4, upsampler="pixelshuffledirect", **GRL)
    sized("GRL-small", "GRL.__arch.grl.GRL", [s], embed_dim=128, depths=[4] * 4, num_heads_window=[2] * 4, num_heads_stripe=[2] * 4, upsampler="pixelshuffle", **GRL)
    sized("GRL-base", "GRL.__arch.grl.GRL", [s], embed_dim=180, depths=[4, 4, 8, 8, 8, 4, 4], num_heads_window=[3] * 7, num_heads_stripe=[3] * 7, upsampler="pixelshuffle", local_connection=True, **GRL)
sized("GRL-base real-world", "GRL.__arch.grl.GRL", [4], embed_dim=180, depths=[4, 4, 8, 8, 8, 4, 4], num_heads_window=[3] * 7, num_heads_stripe=[3] * 7, upsampler="nearest+conv", local_connection=True, **{**GRL, "window_size": 16, "stripe_size": [32, 64]})
for width in (32, 64):
    row(f"NAFNet SIDD, width {width}", RESTORER, of(SP + "NAFNet.__arch.NAFNet_arch.NAFNet", width=width, middle_blk_num=12, enc_blk_nums=[2, 2, 4, 8], dec_blk_nums=[2] * 4))
    row(f"NAFNet GoPro, width {width}", RESTORER, of(SP + "NAFNet.__arch.NAFNet_arch.NAFNet", width=width, middle_blk_num=1, enc_blk_nums=[1, 1, 1, 28], dec_blk_nums=[1] * 4))
row("LaMa", "inpainter", of(SP + "LaMa.__arch.LaMa.LaMa"))
row("LaMa", "inpainter", of(SP + "LaMa.__arch.LaMa.LaMa"), lambda state: {n.replace("model.model.", "generator.model."): t for n, t in state.items()}, name="LaMa as its author has it")
row("MAT", "inpainter", of(SP + "MAT.__arch.MAT.MAT"))
row("GFPGAN", FACES, of(SP + "GFPGAN.__arch.gfpganv1_clean_arch.GFPGANv1Clean"))
row("RestoreFormer", FACES, of(SP + "RestoreFormer.__arch.restoreformer_arch.RestoreFormer"))
row("CodeFormer", FACES, of(SP + "CodeFormer.__arch.codeformer.CodeFormer"))
for size, width in (("l", 1536), ("t", 768)):
    sizes = dict(encoder_name="convnext-" + size, num_queries=100, input_size=(512, 512), last_norm="Spectral")
    # its files also have the head of the classifier that the encoder was trained as
    head = {"encoder.arch.head_cls.weight": (1000, width), "encoder.arch.head_cls.bias": (1000,)}
    row(f"DDColor ConvNeXt-{size.upper()}", "colorizer", of(SP + "DDColor.__arch.ddcolor.DDColor", **sizes))
    row(f"DDColor ConvNeXt-{size.upper()}", "colorizer", of(SP + "DDColor.__arch.ddcolor.DDColor", **sizes), lambda s, head=head: {**s, **{n: shaped(*x) for n, x in head.items()}}, name=f"DDColor ConvNeXt-{size.upper()}, with a classifier")
RESTORMER = SP + "Restormer.__arch.restormer_arch.Restormer"
for what, more in (("", {}), (", bias-free", dict(LayerNorm_type="BiasFree")), (", bias-free, grey", dict(LayerNorm_type="BiasFree", inp_channels=1, out_channels=1)), (", dual-pixel", dict(inp_channels=6, dual_pixel_task=True))):
    row("Restormer" + what, RESTORER, of(RESTORMER, **more))
for colors in (1, 3):
    what = "grey" if colors == 1 else "colour"
    row(f"FBCNN, {what}", RESTORER, of(SP + "FBCNN.__arch.FBCNN.FBCNN", in_nc=colors, out_nc=colors))
    row(f"DRUNet, {what}", RESTORER, of(SP + "DRUNet.__arch.network_unet.DRUNet", in_nc=colors + 1, out_nc=colors))
    row(f"DnCNN 20-layer, {what}", RESTORER, of(SP + "DnCNN.__arch.network_dncnn.DnCNN", in_nc=colors, out_nc=colors, nb=20, act_mode="R"))
row("DnCNN 17-layer, grey", RESTORER, of(SP + "DnCNN.__arch.network_dncnn.DnCNN", act_mode="R"))
row("FFTformer", RESTORER, of(SP + "FFTformer.__arch.fftformer_arch.FFTformer"))
row("RetinexFormer", RESTORER, of(SP + "RetinexFormer.__arch.retinexformer_arch.RetinexFormer", stage=1, num_blocks=[1, 2, 2]))
row("HVI-CIDNet", RESTORER, of(SP + "HVICIDNet.__arch.cidnet.CIDNet"))


SPECIFIED = ("ESRGAN",)  # have a specification elsewhere, not necessarily in src/data/specs/original


def made(kind, called, make):
    """Some read values, which meta tensors lack."""
    if kind in (UPSCALER, RESTORER, FACES, "inpainter", "colorizer") or called in ON_CPU: return make()
    with torch.device("meta"): return make()


def case(name, called, kind, make, named, total):
    one = made(kind, called, make)
    own = {n for n, _ in one.named_parameters()}
    state = one.state_dict()
    buffers = {id(x) for n, x in state.items() if n not in own}
    tensors = named(state) if named else state
    kept = {n for n, x in tensors.items() if id(x) in buffers}
    count = sum(t.numel() for n, t in tensors.items() if n not in kept)
    assert total in (None, count), (name, count)
    whole = {torch.int64: "I64", torch.bool: "BOOL"}
    specified = {"specified": True} if called.startswith(SPECIFIED) else {}
    return {"name": name, "variant": called, "kind": kind, **specified, "parameters": count, "tensors": [[n, list(x.shape)] for n, x in tensors.items() if x.dtype not in whole],
            "other_tensors": [[n, list(x.shape), whole[x.dtype]] for n, x in tensors.items() if x.dtype in whole], "buffers": sorted(kept)}


for name in ("trunc_normal_", "kaiming_normal_", "xavier_uniform_", "normal_"): setattr(torch.nn.init, name, lambda t, *a, **k: t)
failed = 0
with open(out, "w") as f:
    for row in ROWS:
        if words and not any(w in row[0] for w in words): continue
        try: f.write(json.dumps(case(*row)) + "\n")
        except Exception as e: failed += print("FAIL", row[0], repr(e)[:200]) or 1
sys.exit(failed > 0)
