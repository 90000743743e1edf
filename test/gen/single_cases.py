#!/usr/bin/env python3
"""single_cases.py OUT -- published UNets and ControlNets of Stable Diffusion under their original names.

diffusers builds each class on torch's meta device from its published configuration. The table below gives its tensors their original names,
and diffusers' own converter must turn these into the class's state dict again, name by name and shape by shape. For SVD, which diffusers does
not convert, only names are translated, one to one; shapes are those of its classes. Writes test/truth/components/single_own.jsonl (one case a
line: name, prefix, tensors, parameters, variant), against which test/truth/components/single.py checks numel.

  venv/bin/python test/gen/single_cases.py test/truth/components/single_own.jsonl
Packages: src/data/import/requirements.txt
"""
import json, math, re, sys
import torch
from diffusers import AutoencoderKL, AutoencoderKLTemporalDecoder, ControlNetModel, UNet2DConditionModel, UNetSpatioTemporalConditionModel
from diffusers.loaders.single_file_utils import convert_controlnet_checkpoint, convert_ldm_unet_checkpoint

SD1 = dict(sample_size=64, cross_attention_dim=768, attention_head_dim=8)
SD2 = dict(sample_size=64, cross_attention_dim=1024, attention_head_dim=[5, 10, 20, 20], use_linear_projection=True)
XL = dict(block_out_channels=[320, 640, 1280], cross_attention_dim=2048, attention_head_dim=[5, 10, 20], use_linear_projection=True,
          transformer_layers_per_block=[1, 2, 10], addition_embed_type="text_time", addition_time_embed_dim=256,
          projection_class_embeddings_input_dim=2816,
          down_block_types=["DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"],
          up_block_types=["CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"])
REFINER = dict(block_out_channels=[384, 768, 1536, 1536], cross_attention_dim=1280, attention_head_dim=[6, 12, 24, 24], use_linear_projection=True,
               transformer_layers_per_block=4, addition_embed_type="text_time", addition_time_embed_dim=256,
               projection_class_embeddings_input_dim=2560,
               down_block_types=["DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D"],
               up_block_types=["UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"])
UPSCALER = dict(in_channels=7, block_out_channels=[256, 512, 512, 1024], cross_attention_dim=1024, attention_head_dim=8, use_linear_projection=True,
                num_class_embeds=1000, only_cross_attention=[True, True, True, False],
                down_block_types=["DownBlock2D"] + ["CrossAttnDownBlock2D"] * 3, up_block_types=["CrossAttnUpBlock2D"] * 3 + ["UpBlock2D"])
UNETS = [  # case, configuration, numel's name for it
    ("SD1.4", SD1, "SD 1.x"), ("SD2.0-base", SD2, "SD 2.x"), ("SD1.5 instruct-pix2pix", {**SD1, "in_channels": 8}, "SD 1.5 instruct-pix2pix"),
    ("SD1.5 IC-Light, background", {**SD1, "in_channels": 12}, "SD 1.5 IC-Light, background"),
    ("SD2 depth", {**SD2, "in_channels": 5}, "SD 2.0 depth"), ("SDXL base", XL, "SDXL base"), ("SDXL instruct-pix2pix", {**XL, "in_channels": 8}, "SDXL instruct-pix2pix"),
    ("SDXL refiner", REFINER, "SDXL refiner"), ("SD x4 upscaler", UPSCALER, "SD x4 upscaler"),
    ("SD2.1 unCLIP-h", {**SD2, "class_embed_type": "projection", "projection_class_embeddings_input_dim": 2048}, "SD 2.x unCLIP"),
    ("SD2.1 unCLIP-l", {**SD2, "class_embed_type": "projection", "projection_class_embeddings_input_dim": 1536}, "SD 2.x unCLIP"),
]
SSD = {**XL, "transformer_layers_per_block": [1, [2, 2], [4, 4]], "reverse_transformer_layers_per_block": [[4, 4, 10], [2, 1, 1], 1], "mid_block_type": "UNetMidBlock2D"}
VEGA = {**XL, "transformer_layers_per_block": [1, 1, 2], "mid_block_type": "UNetMidBlock2D"}
UNETS += [("SSD-1B", SSD, "SSD-1B"), ("Segmind Vega", VEGA, "Segmind Vega")]
CONTROLS = [("ControlNet SD1.5", {k: v for k, v in SD1.items() if k != "sample_size"}, "SD 1.x ControlNet"), ("ControlNet SD2.1", {k: v for k, v in SD2.items() if k != "sample_size"}, "SD 2.x ControlNet"),
            ("ControlNet SDXL", {k: v for k, v in XL.items() if k != "up_block_types"}, "SDXL ControlNet")]

PARTS = [("norm1", "in_layers.0"), ("conv1", "in_layers.2"), ("norm2", "out_layers.0"), ("conv2", "out_layers.3"), ("time_emb_proj", "emb_layers.1"),
         ("conv_shortcut", "skip_connection")]
WHOLE = [("time_embedding.linear_1", "time_embed.0"), ("time_embedding.linear_2", "time_embed.2"), ("conv_in", "input_blocks.0.0"), ("conv_norm_out", "out.0"),
         ("conv_out", "out.2"), ("add_embedding.linear_1", "label_emb.0.0"), ("add_embedding.linear_2", "label_emb.0.2"),
         ("class_embedding.linear_1", "label_emb.0.0"), ("class_embedding.linear_2", "label_emb.0.2"), ("class_embedding", "label_emb"),
         ("controlnet_cond_embedding.conv_in", "input_hint_block.0"), ("controlnet_cond_embedding.conv_out", "input_hint_block.14"),
         ("controlnet_mid_block", "middle_block_out.0")]


def original(name, names):
    stem, _, last = name.rpartition(".")
    for a, b in WHOLE:
        if stem == a: return f"{b}.{last}"
    m = re.match(r"(down|up)_blocks\.(\d+)\.(resnets|attentions)\.(\d+)\.(.*)", name)
    if m:
        at = 3 * int(m[2]) + int(m[4]) + (m[1] == "down")
        front = f"{'input' if m[1] == 'down' else 'output'}_blocks.{at}.{int(m[3] == 'attentions')}."
        return front + inside(m[5], m[3])
    m = re.match(r"mid_block\.(resnets|attentions)\.(\d+)\.(.*)", name)
    if m: return f"middle_block.{1 if m[1] == 'attentions' else 2 * int(m[2])}." + inside(m[3], m[1])
    m = re.match(r"down_blocks\.(\d+)\.downsamplers\.0\.conv\.(.*)", name)
    if m: return f"input_blocks.{3 * int(m[1]) + 3}.0.op.{m[2]}"
    m = re.match(r"up_blocks\.(\d+)\.upsamplers\.0\.conv\.(.*)", name)
    if m: return f"output_blocks.{3 * int(m[1]) + 2}.{2 if any(n.startswith(f'up_blocks.{m[1]}.attentions') for n in names) else 1}.conv.{m[2]}"
    m = re.match(r"controlnet_down_blocks\.(\d+)\.(.*)", name)
    if m: return f"zero_convs.{m[1]}.0.{m[2]}"
    m = re.match(r"controlnet_cond_embedding\.blocks\.(\d+)\.(.*)", name)
    return f"input_hint_block.{2 * int(m[1]) + 2}.{m[2]}"


def of_film(name, names):
    """The original name in the video UNet."""
    m = re.match(r"(.*)\.(temporal_res_block|temporal_transformer_blocks|time_pos_embed)\.(.*)", name)
    if not m: return original(name.replace(".spatial_res_block", ""), names)
    stem = original(m[1] + ".norm.weight", names).removesuffix(".norm.weight")
    if m[2] == "time_pos_embed": return f"{stem}.time_pos_embed.{m[3].replace('linear_1', '0').replace('linear_2', '2')}"
    return f"{stem}.time_stack." + inside(m[3], "resnets" if m[2] == "temporal_res_block" else "")


VAE = [("resnets", "block"), ("conv_norm_out", "norm_out"), ("conv_shortcut", "nin_shortcut"), ("downsamplers.0", "downsample"), ("upsamplers.0", "upsample"),
       ("mid_block.attentions.0", "mid.attn_1"), ("group_norm", "norm"), ("to_q", "q"), ("to_k", "k"), ("to_v", "v"), ("to_out.0", "proj_out"),
       ("time_mixer.", ""), ("spatial_res_block.", ""), ("decoder.time_conv_out", "decoder.conv_out.time_mix_conv")]
STACK = [("norm1", "in_layers.0"), ("conv1", "in_layers.2"), ("norm2", "out_layers.0"), ("conv2", "out_layers.3")]


def of_vae(name):
    if "temporal_res_block" in name:
        for a, b in STACK: name = name.replace(a, b)
        name = name.replace("temporal_res_block", "time_stack")
    name = re.sub(r"mid_block\.resnets\.(\d)", lambda m: f"mid.block_{int(m[1]) + 1}", name)
    name = re.sub(r"down_blocks\.(\d)", r"down.\1", re.sub(r"up_blocks\.(\d)", lambda m: f"up.{3 - int(m[1])}", name))
    for a, b in VAE: name = name.replace(a, b)
    return name


def as_conv(name, shape):
    """The original VAE's attention consists of convolutions."""
    return list(shape) + [1, 1] if re.search(r"attn_1\.(q|k|v|proj_out)\.weight", name) else list(shape)


def seen():
    """OpenCLIP's ViT-H without its text transformer, as in SVD."""
    E = 1280
    out = {"visual.class_embedding": [E], "visual.positional_embedding": [257, E], "visual.proj": [E, 1024], "visual.conv1.weight": [E, 3, 14, 14],
           "positional_embedding": [77, 1024], "text_projection": [1024, 1024], "logit_scale": [], "token_embedding.weight": [49408, 1024],
           "ln_final.weight": [1024], "ln_final.bias": [1024]}
    for n in ("ln_pre", "ln_post"): out.update({f"visual.{n}.weight": [E], f"visual.{n}.bias": [E]})
    for i in range(32):
        for n, s in (("ln_1.weight", [E]), ("ln_1.bias", [E]), ("ln_2.weight", [E]), ("ln_2.bias", [E]), ("attn.in_proj_weight", [3 * E, E]), ("attn.in_proj_bias", [3 * E]),
                     ("attn.out_proj.weight", [E, E]), ("attn.out_proj.bias", [E]), ("mlp.c_fc.weight", [4 * E, E]), ("mlp.c_fc.bias", [4 * E]),
                     ("mlp.c_proj.weight", [E, 4 * E]), ("mlp.c_proj.bias", [E])): out[f"visual.transformer.resblocks.{i}.{n}"] = s
    return out


def film():
    """Stable Video Diffusion: the UNet, the VAE with its video decoder, the image encoder, and the VAE that
    encodes the first frame."""
    four = dict(block_out_channels=[128, 256, 512, 512], layers_per_block=2, latent_channels=4)
    with torch.device("meta"):
        unet = UNetSpatioTemporalConditionModel(num_attention_heads=(5, 10, 20, 20)).state_dict()
        vae = AutoencoderKLTemporalDecoder(**four, down_block_types=["DownEncoderBlock2D"] * 4).state_dict()
        first = AutoencoderKL(**four, down_block_types=["DownEncoderBlock2D"] * 4, up_block_types=["UpDecoderBlock2D"] * 4).state_dict()
    parts = {"diffusion_model": ("model.diffusion_model.", {of_film(n, unet): list(t.shape) for n, t in unet.items()}),
             "vae": ("first_stage_model.", {of_vae(n): as_conv(of_vae(n), t.shape) for n, t in vae.items() if not n.startswith("quant_conv")}),
             "image_encoder": ("conditioner.embedders.0.open_clip.model.", seen()),
             "first_frame_vae": ("conditioner.embedders.3.encoder.", {of_vae(n): as_conv(of_vae(n), t.shape) for n, t in first.items()})}
    assert len(parts["diffusion_model"][1]) == len(unet) and len(parts["first_frame_vae"][1]) == len(first)
    return {"name": "SVD", "prefix": {n: p for n, (p, _) in parts.items()},
            "components": {n: {"parameters": sum(math.prod(s) for s in t.values())} for n, (_, t) in parts.items()},
            "tensors": [[p + n, s] for p, t in parts.values() for n, s in sorted(t.items())]}


def tiny(channels):
    """TAESD's two halves, with diffusers' layer numbers; in the decoder a clamp of the latents comes first."""
    from diffusers import AutoencoderTiny
    with torch.device("meta"): state = AutoencoderTiny(latent_channels=channels).state_dict()
    for half in ("encoder", "decoder"):
        names = {}
        for n, t in state.items():
            if n.startswith(half): names[re.sub(r"^\d+", lambda m: str(int(m[0]) + (half == "decoder")), n.removeprefix(half + ".layers."))] = list(t.shape)
        yield {"name": f"TAESD {half} {channels}", "parameters": sum(math.prod(s) for s in names.values()), "tensors": sorted(map(list, names.items()))}


def upscaler(name, new, blocks, seen=3, known=None):
    """RRDBNet from its formula; the totals of published ones are known."""
    out, dense = {}, "body.{}.rdb{}.conv{}" if new else "model.1.sub.{}.RDB{}.conv{}.0"
    last = ["conv_first", "conv_body", "conv_up1", "conv_up2", "conv_hr", "conv_last"] if new else ["model.0", f"model.1.sub.{blocks}", "model.3", "model.6", "model.8", "model.10"]
    for stem in last: out[stem] = [3 if stem == last[-1] else 64, seen if stem == last[0] else 64, 3, 3]
    for i in range(3 * 5 * blocks): out[dense.format(i // 15, i // 5 % 3 + 1, i % 5 + 1)] = [64 if i % 5 == 4 else 32, 64 + 32 * (i % 5), 3, 3]
    tensors = {n + ".weight": s for n, s in out.items()} | {n + ".bias": s[:1] for n, s in out.items()}
    total = sum(math.prod(s) for s in tensors.values())
    assert known in (None, total), (name, total)
    return {"name": name, "parameters": total, "tensors": sorted(map(list, tensors.items()))}


def inside(rest, kind):
    for a, b in PARTS if kind == "resnets" else ():
        if rest.startswith(a + "."): return b + rest[len(a):]
    return rest


def case(name, cls, config, variant, prefix, convert):
    with torch.device("meta"): model = cls(**config)
    state = model.state_dict()
    names = {original(n, state): list(t.shape) for n, t in state.items()}
    assert len(names) == len(state), name
    file = {prefix + n: torch.empty(s, device="meta") for n, s in names.items()}
    again = convert(dict(file), config=dict(model.config)) if convert else state
    assert {n: list(t.shape) for n, t in again.items()} == {n: list(t.shape) for n, t in state.items()}, name
    return {"name": name, "prefix": prefix, "variant": variant, "parameters": sum(t.numel() for t in state.values()),
            "tensors": [[prefix + n, s] for n, s in sorted(names.items())]}


def main():
    with open(sys.argv[1], "w") as out:
        for name, config, variant in UNETS:
            out.write(json.dumps(case(name, UNet2DConditionModel, config, variant, "model.diffusion_model.", convert_ldm_unet_checkpoint)) + "\n")
        small = [*tiny(4), *tiny(16), upscaler("Real-ESRGAN x4plus", True, 23, known=16697987), upscaler("Real-ESRGAN x2plus", True, 23, 12), upscaler("Real-ESRGAN anime", True, 6, known=4467779),
                 upscaler("ESRGAN", False, 23, known=16697987)]
        for one in small: out.write(json.dumps(one) + "\n")
        out.write(json.dumps(film()) + "\n")
        for name, config, variant in CONTROLS:  # for XL the converter omits the embedding added to time
            convert = None if name.endswith("XL") else convert_controlnet_checkpoint
            out.write(json.dumps(case(name, ControlNetModel, config, variant, "control_model.", convert)) + "\n")


if __name__ == "__main__": main()
