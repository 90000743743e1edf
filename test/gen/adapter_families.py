#!/usr/bin/env python3
"""adapter_families.py SINGLEFILE.jsonl PUBLISHED.jsonl > src/data/adapters/families.table -- what each family of base models has of weights.

A row is the name of a module, its numbers as ranges, with the out and in of its weight (in times the kernel of a
convolution). Names are those of diffusers, whose classes are built on the meta device at their published sizes, and
those of the files that the models were published as (SINGLEFILE: names and shapes of single files, a JSON object a
line with `name`, `prefix` and `tensors`; PUBLISHED: those of diffusers at published configurations, with `class`,
`checkpoint` and `params`). Adding a family is adding it to FAMILIES, or, of published names alone, to MORE.
"""
import json
import math
import os
import re
import sys
from fractions import Fraction

import adapter_llms
import adapter_table

UNET = dict(down_block_types=["CrossAttnDownBlock2D"] * 3 + ["DownBlock2D"],
            up_block_types=["UpBlock2D"] + ["CrossAttnUpBlock2D"] * 3)
XL = dict(block_out_channels=[320, 640, 1280], cross_attention_dim=2048, transformer_layers_per_block=[1, 2, 10],
          down_block_types=["DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"],
          up_block_types=["CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"], use_linear_projection=True,
          addition_embed_type="text_time", addition_time_embed_dim=256, projection_class_embeddings_input_dim=2816,
          attention_head_dim=[5, 10, 20])
SD3 = dict(num_attention_heads=24, num_layers=24, caption_projection_dim=1536)
WAN_SMALL = dict(num_attention_heads=12, num_layers=30, ffn_dim=8960)

# family, what metadata call it, class of diffusers, its arguments, single file, its encoders of text
FAMILIES = [
    ("SD1.5", "sd_v1*", "UNet2DConditionModel", dict(UNET, cross_attention_dim=768),
     "SD1.5 v1-5-pruned-emaonly (no schedule)", "clip_l - -"),
    ("SD2.1", "sd_v2*", "UNet2DConditionModel",
     dict(UNET, cross_attention_dim=1024, use_linear_projection=True, attention_head_dim=[5, 10, 20, 20]),
     "SD2.1 v2-1_768", "clip_h - -"),
    ("SDXL", "sdxl*", "UNet2DConditionModel", XL, "SDXL inpainting 0.1", "clip_l clip_g -"),
    ("FLUX.1", "flux1*", "FluxTransformer2DModel", dict(guidance_embeds=True), "FLUX.1-dev [model.diffusion_model.]",
     "clip_l t5_xxl t5_xxl"),
    ("SD3-medium", "sd3_m*", "SD3Transformer2DModel", SD3, "SD3 medium incl clips + t5xxl", "clip_l clip_g t5_xxl"),
    ("SD3.5-medium", "sd3.5_medium*", "SD3Transformer2DModel", dict(SD3, dual_attention_layers=list(range(13))),
     "SD3.5 medium [model.diffusion_model.]", "clip_l clip_g t5_xxl"),
    ("SD3.5-large", "sd3.5_large*", "SD3Transformer2DModel",
     dict(num_attention_heads=38, num_layers=38, caption_projection_dim=2432), None, "clip_l clip_g t5_xxl"),
    ("Qwen-Image", "qwen*", "QwenImageTransformer2DModel", {}, "Qwen-Image (ComfyUI file)", "qwen7b - -"),
    ("Wan2.1-1.3B", "wan*1.3*", "WanTransformer3DModel", WAN_SMALL, "Wan Wan-T2V-1.3B [model.diffusion_model.]", "t5_xxl - -"),
    ("Wan2.1-14B", "wan*14*", "WanTransformer3DModel", dict(image_dim=1280, added_kv_proj_dim=5120, in_channels=36),
     "Wan Wan-I2V-14B-480p", "t5_xxl - -"),
    ("Wan2.2-5B", "wan*5b*", "WanTransformer3DModel",
     dict(num_attention_heads=24, num_layers=30, ffn_dim=14336, in_channels=48, out_channels=48), "Wan TI2V-5B", "t5_xxl - -"),
    ("HunyuanVideo", "hunyuan*", "HunyuanVideoTransformer3DModel", {}, "HunyuanVideo T2V cfgdistill", "llama8b clip_l -"),
    ("LTX-Video", "ltx*", "LTXVideoTransformer3DModel", {}, "LTX-Video 0.9.0 [model.diffusion_model.]", "t5_xxl - -"),
    ("Z-Image", "z*image*", "ZImageTransformer2DModel", {}, "Z-Image-Turbo", "qwen4b - -"),
    ("Lumina2", "lumina*", "Lumina2Transformer2DModel", {}, None, "gemma2b - -"),
    ("Chroma", "chroma*", "ChromaTransformer2DModel", {}, "Chroma1-HD", "t5_xxl t5_xxl t5_xxl"),
    ("FLUX.2-dev", "flux2*", "Flux2Transformer2DModel", {}, "FLUX.2 flux2-dev", "- - -"),
    ("FLUX.2-klein-4B", "flux2*4b*", "Flux2Transformer2DModel",
     dict(num_layers=5, num_single_layers=20, num_attention_heads=24, joint_attention_dim=7680, guidance_embeds=False),
     "FLUX.2 klein-4b", "- - -"),
    ("AuraFlow", "aura*", "AuraFlowTransformer2DModel", dict(pos_embed_max_size=9216), "AuraFlow v0.3", "- - -"),
    ("Mochi", "mochi*", "MochiTransformer3DModel", {}, "Mochi-1 preview", "t5_xxl - -"),
    ("CogVideoX-2B", "cogvideox*2b", "CogVideoXTransformer3DModel", {}, None, "t5_xxl - -"),
    ("CogVideoX-5B", "cogvideox*5b", "CogVideoXTransformer3DModel",
     dict(num_attention_heads=48, num_layers=42, use_rotary_positional_embeddings=True), None, "t5_xxl - -"),
    ("PixArt", "pixart*", "PixArtTransformer2DModel", dict(caption_channels=4096, norm_type="ada_norm_single"), None,
     "t5_xxl - -"),
]
# family, what metadata call it, class and words of the checkpoint in PUBLISHED, encoders of text
MORE = [
    ("Kolors", "kolors*", "UNet2DConditionModel", "Kolors/unet", "- - -"),
    ("FLUX.2-klein-9B", "flux2*9b*", "Flux2Transformer2DModel", "klein-9b", "- - -"),
    ("CogView4-6B", "cogview4*", "CogView4Transformer2DModel", "cogview4", "- - -"),
    ("CogVideoX1.5-5B", "cogvideox1.5*", "CogVideoXTransformer3DModel", "CogVideoX1.5-5B-I2V", "t5_xxl - -"),
    ("HunyuanImage-2.1", "hunyuan*image*", "HunyuanImageTransformer2DModel", "'hunyuanimage2.1'", "- - -"),
    ("HunyuanVideo-1.5", "hunyuan*video*1?5*", "HunyuanVideo15Transformer3DModel", "480p_i2v_step_distilled", "- - -"),
    ("LTX-2", "ltx*2*", "LTX2VideoTransformer3DModel", "'2.0'", "- - -"),
    ("LTX-2.3", "ltx*2.3*", "LTX2VideoTransformer3DModel", "'2.3'", "- - -"),
    ("Sana-600M", "sana*600*", "SanaTransformer2DModel", "SanaMS_600M", "gemma2b - -"),
    ("Sana-1600M", "sana*1600*", "SanaTransformer2DModel", "SanaSprint_1600M", "gemma2b - -"),
    ("Sana1.5-4800M", "sana*4800*", "SanaTransformer2DModel", "SanaMS1.5_4800M", "gemma2b - -"),
    ("HiDream-I1", "hidream*", "HiDreamImageTransformer2DModel", "HiDream-I1", "clip_l clip_g t5_xxl"),
    ("Ovis-Image-7B", "ovis*", "OvisImageTransformer2DModel", "Ovis-Image-7B", "- - -"),
    ("Bria-3.2", "bria*", "BriaTransformer2DModel", "BRIA-3.2", "t5_xxl - -"),
    ("Allegro", "allegro*", "AllegroTransformer3DModel", "Allegro", "t5_xxl - -"),
    ("Stable Audio Open 1.0", "stable*audio*", "StableAudioDiTModel", "stable-audio-open", "- - -"),
    ("Cosmos-2.0-2B", "cosmos*2b*", "CosmosTransformer3DModel", "2.0-Diffusion-2B-Video2World", "- - -"),
    ("Cosmos-2.0-14B", "cosmos*14b*", "CosmosTransformer3DModel", "2.0-Diffusion-14B-Video2World", "- - -"),
    ("Wan2.1-VACE-14B", "wan*vace*14*", "WanVACETransformer3DModel", "Wan-VACE-14B", "t5_xxl - -"),
    ("Wan2.2-Animate-14B", "wan*animate*", "WanAnimateTransformer3DModel", "Wan2.2-Animate-14B", "t5_xxl - -"),
    ("Cosmos-1.0-7B", "cosmos*7b*", "CosmosTransformer3DModel", "1.0-Diffusion-7B", "t5_xxl - -"),
    ("SkyReels-V2-1.3B", "skyreels*1.3b*", "SkyReelsV2Transformer3DModel", "FLF2V-1.3B", "t5_xxl - -"),
    ("SkyReels-V2-14B", "skyreels*14b*", "SkyReelsV2Transformer3DModel", "FLF2V-14B", "t5_xxl - -"),
    ("Sana-Video-2B", "sana*video*", "SanaVideoTransformer3DModel", "480p", "gemma2b - -"),
    ("Kandinsky-2.2", "kandinsky*", "UNet2DConditionModel", "convert_kandinsky_to_diffusers: UNET_CONFIG", "- - -"),
    ("text-to-video-ms-1.7B", "-", "UNet3DConditionModel", "text-to-video-ms-1.7b", "clip_h - -"),
    ("EasyAnimate-V5.1-7B", "easyanimate*", "EasyAnimateTransformer3DModel", "EasyAnimateV5.1-7b", "- - -"),
    ("Stable Cascade prior (lite)", "-", "StableCascadeUNet", "prior_lite", "clip_g - -"),
    ("DiT-XL-2", "dit*", "DiTTransformer2DModel", "DiT-XL-2", "- - -"),
    ("SD x4 upscaler", "*upscaler*", "UNet2DConditionModel", "x4-upscaler/unet", "- - -"),
    ("ControlNet of SD1.5", "-", "ControlNetModel", "control_v11p_sd15_canny", "- - -"),
    ("ControlNet of SDXL", "-", "ControlNetModel", "controlnet-canny-sdxl-1.0 (and", "- - -"),
    ("SkyReels-V2-DF-1.3B", "skyreels*df*1.3b*", "SkyReelsV2Transformer3DModel", "DF-1.3B", "t5_xxl - -"),
    ("SkyReels-V2-DF-14B", "skyreels*df*14b*", "SkyReelsV2Transformer3DModel", "DF-14B", "t5_xxl - -"),
    ("Cosmos-2.5-2B", "cosmos*2.5*2b*", "CosmosTransformer3DModel", "Cosmos-2.5-Predict-Base-2B", "- - -"),
    ("Cosmos-2.5-14B", "cosmos*2.5*14b*", "CosmosTransformer3DModel", "Cosmos-2.5-Predict-Base-14B", "- - -"),
    ("AnimateDiff of SDXL", "-", "MotionAdapter", "animatediff-motion-adapter-sdxl-beta", "- - -"),
    ("LTX-2.5", "ltx*2.5*", "LTX2VideoTransformer3DModel", "'2.5'", "- - -"),
    ("ControlNet of FLUX.1", "-", "FluxControlNetModel", "InstantX/FLUX.1-dev-Controlnet-Union", "- - -"),
    ("ACE-Step 1.5", "ace*step*", "AceStepTransformer1DModel", "default", "- - -"),
    ("FIBO", "*fibo*", "BriaFiboTransformer2DModel", "default", "- - -"),
    ("FIBO 2", "*fibo*2*", "BriaFibo2Transformer2DModel", "default", "- - -"),
    ("CogView3-Plus-3B", "cogview3*", "CogView3PlusTransformer2DModel", "default", "- - -"),
    ("CogView4 (2.5B)", "-", "CogView4Transformer2DModel", "default", "- - -"),
    ("ERNIE-Image", "ernie*image*", "ErnieImageTransformer2DModel", "default", "- - -"),
    ("FLUX.3", "flux3*", "Flux3Transformer2DModel", "default", "- - -"),
    ("GLM-Image", "glm*image*", "GlmImageTransformer2DModel", "default", "- - -"),
    ("Ideogram 4", "ideogram*", "Ideogram4Transformer2DModel", "default", "- - -"),
    ("JoyImage-Edit", "joyimage*", "JoyImageEditTransformer3DModel", "default", "- - -"),
    ("JoyImage-Edit-Plus", "joyimage*plus*", "JoyImageEditPlusTransformer3DModel", "default", "- - -"),
    ("Kandinsky 5", "kandinsky*5*", "Kandinsky5Transformer3DModel", "default", "- - -"),
    ("Kandinsky 6", "kandinsky*6*", "Kandinsky6Transformer3DModel", "default", "- - -"),
    ("Kandinsky 6 SR", "kandinsky*6*sr*", "Kandinsky6SRTransformer3DModel", "default", "- - -"),
    ("Krea 2", "krea*2*", "Krea2Transformer2DModel", "default", "- - -"),
    ("MiniMax-H3", "minimax*h3*", "MiniMaxH3Transformer3DModel", "default", "- - -"),
    ("MiniMax-Music3", "minimax*music*", "MiniMaxMusic3Transformer1DModel", "default", "- - -"),
    ("Nucleus-Image", "nucleus*", "NucleusMoEImageTransformer2DModel", "default", "- - -"),
    ("PRX", "prx*", "PRXTransformer2DModel", "default", "- - -"),
    ("Qwen-Image-2.1", "qwen*image*2.1*", "QwenImage21Transformer2DModel", "default", "- - -"),
    ("SANA-WM", "sana*wm*", "SanaWMTransformer3DModel", "default", "- - -"),
    ("SD3 (class default)", "-", "SD3Transformer2DModel", "default", "- - -"),
    ("SkyReels-V2 (class default)", "-", "SkyReelsV2Transformer3DModel", "default", "- - -"),
    ("Wan-Animate-2", "wan*animate*2*", "WanAnimate2Transformer3DModel", "default", "- - -"),
    ("LongCat-Image", "longcat*", "LongCatImageTransformer2DModel", "default", "- - -"),
    ("AnimateDiff of SD1.5", "-", "MotionAdapter", "animatediff-motion-adapter-v1-5-3", "- - -"),
    ("unCLIP prior", "kandinsky*prior*", "PriorTransformer", "default", "- - -"),
    ("Shap-E prior", "shap-e*", "PriorTransformer", "PRIOR_CONFIG", "- - -"),
    ("Kandinsky 3", "kandinsky*3*", "Kandinsky3UNet", "default", "- - -"),
    ("Lumina-Next", "lumina*next*", "LuminaNextDiT2DModel", "transformer < main", "gemma2b - -"),
    ("I2VGen-XL", "i2vgen*", "I2VGenXLUNet", "default", "clip_h - -"),
    ("Motif-Video", "motif*", "MotifVideoTransformer3DModel", "default", "- - -"),
    ("AnyFlow", "anyflow*", "AnyFlowTransformer3DModel", "default", "- - -"),
    ("Cosmos 3 Omni", "cosmos*3*", "Cosmos3OmniTransformer", "default", "- - -"),
    ("LongCat-Audio", "longcat*audio*", "LongCatAudioDiTTransformer", "default", "- - -"),
    ("Stable Audio 3", "stable*audio*3*", "StableAudio3DiTModel", "default", "- - -"),
    ("Stable Video Diffusion", "svd*", "UNetSpatioTemporalConditionModel", "default", "- - -"),
    ("AnimateDiff U-Net", "-", "UNetMotionModel", "default", "- - -"),
    ("DreamLite", "dreamlite*", "DreamLiteUNetModel", "default", "- - -"),
    ("Proteina", "-", "RFD4ProteinaTransformer", "default", "- - -"),
    ("Cosmos-2.0-2B-Text2Image", "cosmos*2b*text2image*", "CosmosTransformer3DModel", "2.0-Diffusion-2B-Text2Image", "- - -"),
    ("Cosmos-2.0-14B-Text2Image", "cosmos*14b*text2image*", "CosmosTransformer3DModel", "2.0-Diffusion-14B-Text2Image", "- - -"),
]
# of MORE, what their own programs call the modules: (diffusers' name, theirs), each replaced in a copy of all rows; a
# fused projection is (names of its parts, its own)
ITS_OWN = {
    "Krea 2": [("text_fusion.", "txtfusion."), ("transformer_blocks.", "blocks."), (".ff.", ".mlp."), (".attn.to_q", ".attn.wq"),
               (".attn.to_k", ".attn.wk"), (".attn.to_v", ".attn.wv"), (".attn.to_out.0", ".attn.wo"), (".attn.to_gate", ".attn.gate"),
               ("img_in", "first"), ("final_layer.linear", "last.linear"), ("time_embed.linear_1", "tmlp.0"),
               ("time_embed.linear_2", "tmlp.2"), ("time_mod_proj", "tproj.1"), ("txt_in.linear_1", "txtmlp.1"), ("txt_in.linear_2", "txtmlp.3")],
    "Ideogram 4": [(("to_q", "to_k", "to_v"), "qkv"), ("attention.to_out.0", "attention.o")],
    "ACE-Step 1.5": [(".to_q", ".q_proj"), (".to_k", ".k_proj"), (".to_v", ".v_proj"), (".to_out.0", ".o_proj")],
    "MiniMax-H3": [(("to_q", "to_k", "to_v"), "qkv_proj"), ("transformer_blocks.", "blocks."), ("refiner_blocks.", "blocks."),
                   ("attn.to_out.0", "attn.out_proj"), ("ff.net.0.proj", "mlp.fc1"), ("ff.net.2", "mlp.fc2"), ("audio_proj_in", "audio_patch_proj"),
                   ("proj_in", "video_patch_proj"), ("context_embedder", "condition_proj"), ("audio_proj_out", "final_layer.audio_out"),
                   ("proj_out", "final_layer.video_out"), ("norm_out.linear", "final_layer.adaln_proj.linear"),
                   ("time_embedder.linear_1", "time_embedder.proj_in"), ("time_embedder.linear_2", "time_embedder.proj_out")],
    "FLUX.3": [(".attn.to_q", ".q_proj"), (".attn.to_k", ".k_proj"), (".attn.to_v", ".v_proj"), (".attn.to_out.0", ".attn_out"),
               (".ff.linear_in", ".mlp_in"), (".ff.linear_out", ".mlp_out"), ("single_transformer_blocks.", "single_blocks."),
               ("mode_blocks.", "content_mode_blocks.")],
    "Cosmos-2.0-2B": [("transformer_blocks.", "blocks."), ("norm1.linear_", "adaln_modulation_self_attn."), ("norm2.linear_", "adaln_modulation_cross_attn."),
                      ("norm3.linear_", "adaln_modulation_mlp."), ("attn1.to_out.0", "self_attn.output_proj"), ("attn2.to_out.0", "cross_attn.output_proj"),
                      ("attn1.to_", "self_attn."), ("attn2.to_", "cross_attn."), ("self_attn.q", "self_attn.q_proj"), ("self_attn.k", "self_attn.k_proj"),
                      ("self_attn.v", "self_attn.v_proj"), ("cross_attn.q", "cross_attn.q_proj"), ("cross_attn.k", "cross_attn.k_proj"),
                      ("cross_attn.v", "cross_attn.v_proj"), ("ff.net.0.proj", "mlp.layer1"), ("ff.net.2", "mlp.layer2"),
                      ("norm_out.linear_", "final_layer.adaln_modulation."), ("proj_out", "final_layer.linear"),
                      ("time_embed.t_embedder.linear_", "t_embedder.1.linear_"), ("patch_embed.proj", "x_embedder.proj.1")],
}
LTX2 = [("audio_proj_in", "audio_patchify_proj"), ("proj_in", "patchify_proj"), ("av_cross_attn_video_scale_shift", "av_ca_video_scale_shift_adaln_single"),
        ("av_cross_attn_video_a2v_gate", "av_ca_a2v_gate_adaln_single"), ("av_cross_attn_audio_scale_shift", "av_ca_audio_scale_shift_adaln_single"),
        ("av_cross_attn_audio_v2a_gate", "av_ca_v2a_gate_adaln_single"), ("audio_prompt_adaln", "audio_prompt_adaln_single"),
        ("prompt_adaln.", "prompt_adaln_single."), ("audio_time_embed", "audio_adaln_single"), ("time_embed.", "adaln_single.")]
ITS_OWN.update({name: LTX2 for name in ("LTX-2", "LTX-2.3", "LTX-2.5")})
ITS_OWN["Cosmos-2.0-2B-Text2Image"] = ITS_OWN["Cosmos-2.0-14B-Text2Image"] = ITS_OWN["Cosmos-2.0-14B"] = ITS_OWN["Cosmos-2.5-2B"] = ITS_OWN["Cosmos-2.5-14B"] = ITS_OWN["Cosmos-2.0-2B"]
WAN = [("condition_embedder.image_embedder.norm1", "img_emb.proj.0"), ("condition_embedder.image_embedder.ff.net.0.proj", "img_emb.proj.1"),
       ("condition_embedder.image_embedder.ff.net.2", "img_emb.proj.3"), ("condition_embedder.image_embedder.norm2", "img_emb.proj.4"),
       ("condition_embedder.time_embedder.linear_1", "time_embedding.0"), ("condition_embedder.time_embedder.linear_2", "time_embedding.2"),
       ("condition_embedder.time_proj", "time_projection.1"), ("condition_embedder.text_embedder.linear_1", "text_embedding.0"),
       ("condition_embedder.text_embedder.linear_2", "text_embedding.2"), ("attn1.to_out.0", "self_attn.o"), ("attn1.to_", "self_attn."),
       ("attn2.to_out.0", "cross_attn.o"), ("attn2.to_", "cross_attn."), ("attn2.add_k_proj", "cross_attn.k_img"), ("attn2.add_v_proj", "cross_attn.v_img"),
       ("ffn.net.0.proj", "ffn.0"), ("ffn.net.2", "ffn.2"), ("norm2", "norm3"), (".proj_in", ".before_proj"), (".proj_out", ".after_proj"),
       ("proj_out", "head.head")]
ITS_OWN.update({name: WAN for name in ("SkyReels-V2-1.3B", "SkyReels-V2-14B", "SkyReels-V2-DF-1.3B", "SkyReels-V2-DF-14B", "SkyReels-V2 (class default)",
                                       "AnyFlow", "Wan2.1-VACE-14B", "Wan2.2-Animate-14B")})
CONTROLS = {"ControlNet of SD1.5": "SD1.5 v1-5-pruned-emaonly (no schedule)", "ControlNet of SDXL": "SDXL inpainting 0.1"}
FILES = {"Sana-1600M": "Sana 1600M"}  # of MORE, those whose file has names of its own
CHANGING = re.compile(r"^(conv_in|input_blocks\.0\.0|x_embedder(\.proj)?|patch_embed(ding)?(\.proj)?|img_in(\.proj)?)$")


def its_own(rows, renamed):
    """The same modules by other names; where several are fused into one, that one too."""
    own = {}
    for name, size in rows.items():
        for parts, to in (r for r in renamed if isinstance(r[0], tuple)):
            stem, last = name.rpartition(".")[::2] if "." in name else ("", name)
            if last == parts[0] and all(f"{stem}.{p}" in rows for p in parts):
                own[f"{stem}.{to}"] = (sum(rows[f"{stem}.{p}"][0] for p in parts), size[1])
    taken = {f"{n.rpartition('.')[0]}.{p}" for n in own for parts, to in renamed if isinstance(parts, tuple) and n.endswith("." + to) for p in parts}
    own, fused_rows = {}, own
    for name, size in {**{n: s for n, s in rows.items() if n not in taken}, **fused_rows}.items():
        new = name
        for was, to in (r for r in renamed if isinstance(r[0], str)):
            new = re.sub(r"(?<![A-Za-z_])" + re.escape(was) if was[0] != "." else re.escape(was), to, new, count=1)
        own[new] = size
    return {n: s for n, s in own.items() if n not in rows}


def fused(rows):
    """FLUX.2 as diffusers fuses it, which LoKr of fused projections asks for."""
    own = {}
    for name, size in rows.items():
        for first, parts, to in (("to_q", ("to_q", "to_k", "to_v"), "to_qkv"), ("add_q_proj", ("add_q_proj", "add_k_proj", "add_v_proj"), "to_added_qkv")):
            if name.endswith("." + first):
                stem = name[:-len(first)]
                own[stem + to] = (sum(rows[stem + p][0] for p in parts), size[1])
    return own


def encoder(width, layers, ffn):
    rows = {}
    for i in range(layers):
        p = f"text_model.encoder.layers.{i}."
        rows.update({p + f"self_attn.{x}": (width, width) for x in ("q_proj", "k_proj", "v_proj", "out_proj")})
        rows.update({p + "mlp.fc1": (ffn, width), p + "mlp.fc2": (width, ffn)})
    return rows


def t5(width, layers, heads, ffn):
    rows = {}
    for i in range(layers):
        p = f"encoder.block.{i}.layer."
        rows.update({p + f"0.SelfAttention.{x}": (heads, width) for x in "qkv"})
        rows.update({p + "0.SelfAttention.o": (width, heads), p + "1.DenseReluDense.wi_0": (ffn, width),
                     p + "1.DenseReluDense.wi_1": (ffn, width), p + "1.DenseReluDense.wo": (width, ffn)})
    return rows


def llm(width, layers, queries, keys, ffn):
    rows = {}
    for i in range(layers):
        p = f"model.layers.{i}."
        rows.update({p + "self_attn.q_proj": (queries, width), p + "self_attn.k_proj": (keys, width),
                     p + "self_attn.v_proj": (keys, width), p + "self_attn.o_proj": (width, queries),
                     p + "mlp.gate_proj": (ffn, width), p + "mlp.up_proj": (ffn, width), p + "mlp.down_proj": (width, ffn)})
    return rows


ENCODERS = {"clip_l": encoder(768, 12, 3072), "clip_g": encoder(1280, 32, 5120), "clip_h": encoder(1024, 23, 4096),
            "t5_xxl": t5(4096, 24, 4096, 10240), "qwen7b": llm(3584, 28, 3584, 512, 18944),
            "qwen4b": llm(2560, 36, 4096, 1024, 9728), "llama8b": llm(4096, 32, 4096, 1024, 14336),
            "gemma2b": llm(2304, 26, 2048, 1024, 9216)}


def sd3_large(medium):
    """SD3.5-large by the names of SD3-medium: 38 blocks of 2,432 for 24 of 1,536; the last has less of the text."""
    def wide(n):
        return n // 1536 * 2432 if n % 1536 == 0 else n

    rows = {}
    for name, (out, inner) in medium.items():
        n = int(name.split(".")[1]) if name.startswith("joint_blocks.") else None
        for k in [37] if n == 23 else range(37) if n == 0 else [None] if n is None else []:
            own = name if k is None else f"joint_blocks.{k}." + name.split(".", 2)[2]
            rows[own] = (wide(out), wide(inner))
    return rows


def lumina2(rows):
    """Lumina 2 by the names of its file: queries, keys and values in one, w1 to w3."""
    own = {}
    for name, size in rows.items():
        name = name.replace("feed_forward.linear_", "feed_forward.w").replace("attn.to_out.0", "attention.out")
        if name.endswith("attn.to_q"):
            p = name[:-len("to_q")]
            own[p[:-len("attn.")] + "attention.qkv"] = (sum(rows[p + x][0] for x in ("to_q", "to_k", "to_v")), size[1])
        elif "attn.to_" not in name:
            own[name.replace("norm1.linear", "adaLN_modulation.1")] = size
    return own


def told_by(rows, ways):
    """The same modules by what `ways` calls them: some have several names."""
    for name, size in rows.items():
        for start, ends in ways.items():
            m = re.fullmatch(start.replace(".", r"\.").replace("#", r"(\d+)"), name)
            for end in ends if m else ():
                yield (end.replace("#", m[1]) if m.groups() else end), size


def together(rows, blocks, parts):
    """Projections that lie in one: the name of it, and (out, in) of their sum."""
    for name, (out, inner) in rows.items():
        m = re.fullmatch(blocks.replace(".", r"\.").replace("#", r"(\d+)") + re.escape(parts[0]), name)
        if m:
            stem = name[:-len(parts[0])]
            yield m[1], (out + sum(rows[stem + p][0] for p in parts[1:]), inner)


def hunyuan(rows):
    """HunyuanImage 2.1 and HunyuanVideo 1.5 by the names of their files, and of ComfyUI's."""
    ways, own = {"proj_out": ["final_layer.linear"], "norm_out.linear": ["final_layer.adaLN_modulation.1"]}, {}
    for side, attn, out, ff, norm in (("img", "to_{}", "to_out.0", "ff", "norm1"), ("txt", "add_{}_proj", "to_add_out", "ff_context", "norm1_context")):
        p, to = "transformer_blocks.#.", f"double_blocks.#.{side}_"
        ways.update({p + "attn." + attn.format(x): [f"{to}attn_{x}"] for x in "qkv"})
        ways.update({p + "attn." + out: [to + "attn_proj", to + "attn.proj"], p + norm + ".linear": [to + "mod.linear", to + "mod.lin"],
                     p + ff + ".net.0.proj": [to + "mlp.fc1", to + "mlp.0"], p + ff + ".net.2": [to + "mlp.fc2", to + "mlp.2"]})
        for n, size in together(rows, p + "attn.", [attn.format(x) for x in "qkv"]):
            own.update({to.replace("#", n) + "attn_qkv": size, to.replace("#", n) + "attn.qkv": size})
    p, to = "single_transformer_blocks.#.", "single_blocks.#."
    ways.update({p + "attn.to_" + x: [to + "linear1_" + x] for x in "qkv"})
    ways.update({p + "proj_mlp": [to + "linear1_mlp"], p + "proj_out": [to + "linear2.fc", to + "linear2"],
                 p + "norm.linear": [to + "modulation.linear", to + "modulation.lin"]})
    own.update({f"single_blocks.{n}.linear1": size for n, size in together(rows, p, ["attn.to_q", "attn.to_k", "attn.to_v", "proj_mlp"])})
    return {**dict(told_by(rows, ways)), **own}


def flux2(rows):
    """FLUX.2 by the names of its files."""
    ways = {"proj_out": ["final_layer.linear"], "norm_out.linear": ["final_layer.adaLN_modulation.1"], "x_embedder": ["img_in"], "context_embedder": ["txt_in"],
            "single_transformer_blocks.#.attn.to_qkv_mlp_proj": ["single_blocks.#.linear1"], "single_transformer_blocks.#.attn.to_out": ["single_blocks.#.linear2"],
            "single_stream_modulation.linear": ["single_stream_modulation.lin"]}
    own = {}
    for k, x in ((1, "in_layer"), (2, "out_layer")):
        ways[f"time_guidance_embed.timestep_embedder.linear_{k}"] = ["time_in." + x]
    for side, attn, out, ff in (("img", "to_{}", "to_out.0", "ff"), ("txt", "add_{}_proj", "to_add_out", "ff_context")):
        p, to = "transformer_blocks.#.", f"double_blocks.#.{side}_"
        ways.update({f"double_stream_modulation_{side}.linear": [f"double_stream_modulation_{side}.lin"], p + "attn." + out: [to + "attn.proj"],
                     p + ff + ".linear_in": [to + "mlp.0"], p + ff + ".linear_out": [to + "mlp.2"]})
        own.update({to.replace("#", n) + "attn.qkv": size for n, size in together(rows, p + "attn.", [attn.format(x) for x in "qkv"])})
    return {**dict(told_by(rows, ways)), **own}


def pixart(rows):
    """PixArt and Sana by the names of their files."""
    p, to = "transformer_blocks.#.", "blocks.#."
    ways = {p + "attn1.to_out.0": [to + "attn.proj"], p + "attn2.to_q": [to + "cross_attn.q_linear"], p + "attn2.to_out.0": [to + "cross_attn.proj"],
            p + "ff.net.0.proj": [to + "mlp.fc1"], p + "ff.net.2": [to + "mlp.fc2"], p + "ff.conv_inverted": [to + "mlp.inverted_conv.conv"],
            p + "ff.conv_depth": [to + "mlp.depth_conv.conv"], p + "ff.conv_point": [to + "mlp.point_conv.conv"], "proj_out": ["final_layer.linear"],
            "caption_projection.linear_1": ["y_embedder.y_proj.fc1"], "caption_projection.linear_2": ["y_embedder.y_proj.fc2"],
            "caption_norm": ["attention_y_norm"], "time_embed.linear": ["t_block.1"], "adaln_single.linear": ["t_block.1"]}
    for k, n in ((1, 0), (2, 2)):
        ways.update({f"{x}.emb.timestep_embedder.linear_{k}": [f"t_embedder.mlp.{n}"] for x in ("time_embed", "adaln_single")})
        ways[f"adaln_single.emb.resolution_embedder.linear_{k}"] = [f"csize_embedder.mlp.{n}"]
        ways[f"adaln_single.emb.aspect_ratio_embedder.linear_{k}"] = [f"ar_embedder.mlp.{n}"]
    own = {f"blocks.{n}.attn.qkv": size for n, size in together(rows, p, ["attn1.to_q", "attn1.to_k", "attn1.to_v"])}
    own.update({f"blocks.{n}.cross_attn.kv_linear": size for n, size in together(rows, p, ["attn2.to_k", "attn2.to_v"])})
    return {**dict(told_by(rows, ways)), **own}


WAYS = {"HunyuanImage-2.1": hunyuan, "HunyuanVideo-1.5": hunyuan, "FLUX.2-klein-9B": flux2, "PixArt": pixart, "Sana-600M": pixart, "Sana1.5-4800M": pixart}


def by_file(family, rows):
    """What the files that were published call the modules of a family of which no file is at hand."""
    own = WAYS[family](rows) if family in WAYS else its_own(rows, ITS_OWN[family]) if family in ITS_OWN else {}
    return {n: s for n, s in own.items() if n not in rows}


def control(file):
    """A ControlNet by the names of its file: the half of a U-Net that goes down, a hint, and a convolution behind each block."""
    p = file["prefix"]["unet"]
    unet = weights((n[len(p):], s) for n, s in file["tensors"] if n.startswith(p))
    rows = {n: s for n, s in unet.items() if not n.startswith(("output_blocks", "out."))}
    rows["input_blocks.0.0"] = (320, -36)
    widths = (3, 16, 16, 32, 32, 96, 96, 256, 320)
    for i in range(8):
        rows[f"input_hint_block.{2 * i}"] = (widths[i + 1], 9 * widths[i])
    for i in range(12):
        own = [unet[f"input_blocks.{i}.0{x}"][0] for x in ("", ".op", ".out_layers.3") if f"input_blocks.{i}.0{x}" in unet]
        for width in own:
            rows[f"zero_convs.{i}.0"] = (width, width)
    rows["middle_block_out.0"] = (1280, 1280)
    return rows


def xlabs():
    """What the programs of XLabs call their changes of FLUX.1."""
    rows = {}
    for i in range(19):
        for x in "12":
            rows[f"double_blocks.{i}.qkv_lora{x}"] = (9216, 3072)
            rows[f"double_blocks.{i}.proj_lora{x}"] = (3072, 3072)
    for i in range(38):
        rows[f"single_blocks.{i}.qkv"] = (9216, 3072)
        rows[f"single_blocks.{i}.proj"] = (3072, 15360)
    return rows


def weights(tensors):
    rows = {}
    for name, shape in tensors:
        if name.endswith(".weight") and shape:
            module = name[:-7]
            # another number of channels comes in where a picture is given beside the noise
            rows[module] = (shape[0], -math.prod(shape[1:]) if CHANGING.match(module) else math.prod(shape[1:]))
        elif name.endswith(".scale"):
            rows[name] = (shape[0], 1)  # a norm of its own
        elif name.endswith(".modulation"):
            # of Wan, six vectors of a block and two of the head, by the name of their change
            rows[name[:-len("modulation")] + "diff_m"] = (math.prod(shape), 1)
    return rows


def sized(rows):
    """The picture's channels alone, or beside as many, a mask and as many (or a few), the like of it, a mask of pixels."""
    for name, (out, inner, *more) in rows.items():
        for ratio in (1, 2, Fraction(9, 4), 3, 6, Fraction(4, 9)) if inner < 0 else (-1,):
            if (-inner * ratio) % 1 == 0:  # what stands behind | tells apart two that go by one name
                yield name.split("|")[0], (out, int(-inner * ratio), *more, *[0] * (2 - len(more)))


def bases():
    """Further models: adapter_bases.jsonl has one a line, with where its sizes were read."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "adapter_bases.jsonl")) as f:
        return [(d["name"], d["told"], d["type"], d["keys"], d["source"]) for d in map(json.loads, f)]


def main():
    import diffusers
    import torch
    files = {d["name"]: d for d in map(json.loads, open(sys.argv[1]))}
    published = [d for d in map(json.loads, open(sys.argv[2])) if d["kind"] != "minimal"]
    medium = None
    known = {}
    for family, _, cls, arguments, single, _ in FAMILIES:
        with torch.device("meta"):
            model = getattr(diffusers, cls)(**arguments)
        rows = weights((n, list(p.shape)) for n, p in model.named_parameters())
        if family == "SD3.5-large":
            rows.update(sd3_large(medium))
        if family == "Lumina2":
            rows.update(lumina2(rows))
        rows.update(by_file(family, rows))
        if cls == "Flux2Transformer2DModel":
            rows.update(fused(rows))
        if family == "FLUX.1":
            rows.update(xlabs())
        if single:
            d = files[single]
            prefix = d["prefix"].get("unet", d["prefix"].get("transformer"))
            own = weights((n[len(prefix):], s) for n, s in d["tensors"] if n.startswith(prefix))
            rows.update({k: v for k, v in own.items() if k not in rows})
            medium = own if family == "SD3-medium" else None if family == "SD1.5" else medium
        known[family] = rows
    for family, _, cls, words, _ in MORE:
        own = [d for d in published if d["class"] == cls and words in (d.get("checkpoint") or d["kind"])]
        rows = weights(own[0]["params"])
        if family in FILES:
            rows.update({k: v for k, v in weights(files[FILES[family]]["tensors"]).items() if k not in rows})
        rows.update(by_file(family, rows))
        if cls == "Flux2Transformer2DModel":
            rows.update(fused(rows))
        if family in CONTROLS:
            rows.update(control(files[CONTROLS[family]]))
        known[family] = rows
    language = adapter_llms.LLMS + bases()
    for name, _, kind, keys, _ in language:
        known[name] = adapter_llms.build(kind, keys)
    arches = {f[0]: adapter_llms.gguf_arch(f[2]) for f in language}
    listed = [("encoder", name, "-", "-", "- - -", sized(rows)) for name, rows in ENCODERS.items()]
    for family, version, encoders in [(f[0], f[1], f[-1]) for f in FAMILIES + MORE] + [(f[0], f[1], "- - -") for f in language]:
        arch = arches[family][1] if arches.get(family) else "-"
        listed.append(("family", family, version, arch, encoders, sized(known[family])))
    sys.stdout.write(adapter_table.write(listed))


if __name__ == "__main__":
    main()
