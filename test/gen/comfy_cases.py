#!/usr/bin/env python3
"""comfy_cases.py COMFYUI OUT -- models under their authors' names, as ComfyUI builds them.

ComfyUI keeps the original names and has the code of each model; COMFYUI is a checkout. Its classes are built on torch's meta device
with the sizes that it detects in published files (comfy/model_detection.py), and must have the known totals. Writes
test/truth/components/single_comfy.jsonl (one case a line: name, prefix, tensors, parameters, other_tensors, variant), against which
test/truth/components/single.py checks numel.

  venv/bin/python test/gen/comfy_cases.py ComfyUI test/truth/components/single_comfy.jsonl
Packages: test/gen/requirements/original.txt
"""
import contextlib, json, math, sys

sys.argv, (checkout, out) = [sys.argv[0], "--cpu"], sys.argv[1:3]
sys.path.insert(0, checkout)
import torch
import comfy.options
comfy.options.enable_args_parsing()
import comfy.ops
from comfy.ldm.audio.dit import AudioDiffusionTransformer
from comfy.ldm.chroma_radiance.model import ChromaRadiance
from comfy.ldm.hydit.models import HunYuanDiT
from comfy.ldm.pixart.pixartms import PixArtMS
from comfy.ldm.wan.model import HumoWanModel

META = dict(dtype=torch.float32, device="meta", operations=comfy.ops.disable_weight_init)
HYDIT = dict(depth=40, hidden_size=1408, mlp_ratio=4.3637)
RADIANCE = dict(patch_size=16, out_channels=3, in_channels=3, context_in_dim=4096, hidden_size=3072, mlp_ratio=4.0, num_heads=24, depth=19, depth_single_blocks=38,
                axes_dim=[16, 56, 56], theta=10000, qkv_bias=True, in_dim=64, out_dim=3072, hidden_dim=5120, n_layers=5, nerf_hidden_size=64, nerf_mlp_ratio=4,
                nerf_depth=4, nerf_max_freqs=8, nerf_tile_size=32, nerf_embedder_dtype=torch.float32)
HUMO = dict(model_type="humo", in_dim=36, out_dim=16)
ROWS = [  # case, numel's name for it, prefix, class, arguments, total
    ("HunyuanDiT v1.1", "HunyuanDiT 1.1", "model.", HunYuanDiT, {**HYDIT, "size_cond": True, "use_style_cond": True}, 1516534048),
    ("HunyuanDiT v1.2", "HunyuanDiT 1.2", "", HunYuanDiT, HYDIT, 1499952032),
    ("PixArt alpha 512", "PixArt-Alpha 512", "", PixArtMS, dict(micro_condition=False), 610856096),
    ("PixArt alpha 1024", "PixArt-Alpha 1024", "", PixArtMS, {}, 611349152),
    ("PixArt sigma", "PixArt-Sigma", "", PixArtMS, dict(model_max_length=300, micro_condition=False), 610856096),
    ("Stable Audio Open", "Stable Audio Open", "model.model.", AudioDiffusionTransformer, {}, None),
    ("Chroma Radiance", "Chroma Radiance", "", ChromaRadiance, {**RADIANCE, "nerf_final_head_type": "conv"}, None),
    ("Chroma Radiance, linear head", "Chroma Radiance", "model.diffusion_model.", ChromaRadiance, {**RADIANCE, "nerf_final_head_type": "linear"}, None),
    ("HuMo 17B", "HuMo", "", HumoWanModel, dict(HUMO, dim=5120, ffn_dim=13824, num_heads=40, num_layers=40), None),
    ("HuMo 1.7B", "HuMo", "", HumoWanModel, dict(HUMO, dim=1536, ffn_dim=8960, num_heads=12, num_layers=30), None),
]
BUFFER = "F32"


def case(name, variant, prefix, cls, arguments, total):
    """Registers ComfyUI's value as a buffer, so that it is saved but is not a parameter."""
    pixart = cls is PixArtMS  # asks for a value, which meta tensors lack
    with contextlib.nullcontext() if pixart else torch.device("meta"): model = cls(**arguments, **META)
    own = {n for n, _ in model.named_parameters()}
    state = {n: list(t.shape) for n, t in model.state_dict().items()}
    made = sum(math.prod(s) for n, s in state.items() if n in own)
    assert total in (None, made), (name, made)
    return {"name": name, "variant": variant, "prefix": prefix, "parameters": made, "tensors": [[prefix + n, s] for n, s in state.items() if n in own],
            "other_tensors": [[prefix + n, s, BUFFER] for n, s in state.items() if n not in own]}


with open(out, "w") as f:
    for row in ROWS: f.write(json.dumps(case(*row)) + "\n")
