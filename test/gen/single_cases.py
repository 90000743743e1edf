#!/usr/bin/env python3
"""single_cases.py OUT -- published UNets and ControlNets of Stable Diffusion under their original names.

diffusers builds each class on torch's meta device from its published configuration; its names become the original ones by
the table below, and diffusers' own converter must make the class's state dict of them again, name by name and shape by
shape. Writes test/components/single_own.jsonl (one case a line: name, prefix, tensors, parameters, variant), which
test/single.py judges numel by.

  venv/bin/python test/gen/single_cases.py test/components/single_own.jsonl
"""
import json, re, sys
import torch
from diffusers import ControlNetModel, UNet2DConditionModel
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
UNETS = [  # name, configuration, what numel calls it
    ("SD1.4", SD1, "SD 1.x"), ("SD2.0-base", SD2, "SD 2.x"), ("SD1.5 instruct-pix2pix", {**SD1, "in_channels": 8}, "SD 1.x instruct-pix2pix"),
    ("SD2 depth", {**SD2, "in_channels": 5}, "SD 2.x depth"), ("SDXL base", XL, "SDXL base"), ("SDXL instruct-pix2pix", {**XL, "in_channels": 8}, "SDXL instruct-pix2pix"),
    ("SDXL refiner", REFINER, "SDXL refiner"), ("SD x4 upscaler", UPSCALER, "SD x4 upscaler"),
    ("SD2.1 unCLIP-h", {**SD2, "class_embed_type": "projection", "projection_class_embeddings_input_dim": 2048}, "SD 2.x unCLIP"),
    ("SD2.1 unCLIP-l", {**SD2, "class_embed_type": "projection", "projection_class_embeddings_input_dim": 1536}, "SD 2.x unCLIP"),
]
CONTROLS = [("ControlNet SD1.5", {k: v for k, v in SD1.items() if k != "sample_size"}, "ControlNet of SD 1.x"), ("ControlNet SD2.1", {k: v for k, v in SD2.items() if k != "sample_size"}, "ControlNet of SD 2.x"),
            ("ControlNet SDXL", {k: v for k, v in XL.items() if k != "up_block_types"}, "ControlNet of SDXL")]

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
    again = convert(dict(file), config=dict(model.config))
    assert {n: list(t.shape) for n, t in again.items()} == {n: list(t.shape) for n, t in state.items()}, name
    return {"name": name, "prefix": prefix, "variant": variant, "parameters": sum(t.numel() for t in state.values()),
            "tensors": [[prefix + n, s] for n, s in sorted(names.items())]}


def main():
    with open(sys.argv[1], "w") as out:
        for name, config, variant in UNETS:
            out.write(json.dumps(case(name, UNet2DConditionModel, config, variant, "model.diffusion_model.", convert_ldm_unet_checkpoint)) + "\n")
        for name, config, variant in CONTROLS:
            out.write(json.dumps(case(name, ControlNetModel, config, variant, "control_model.", convert_controlnet_checkpoint)) + "\n")


if __name__ == "__main__": main()
