#!/usr/bin/env python3
"""original_parts.py COMFYUI CHECKOUTS OUT [WORD...] -- models used together with a diffusion model, one size each, for src/data/specs/original.

Like original_tables.py, for models with their own repositories: each class is built on torch's meta device from a checkout in CHECKOUTS,
OWNER+NAME, with the sizes of the published configuration or of the program. Writes a case a line, as there.

  venv/bin/python test/gen/original_parts.py ComfyUI CHECKOUTS test/truth/components/parts.jsonl
  python3 src/data/import/mkoriginal.py ella ELLA test/truth/components/tabled.jsonl test/truth/components/parts.jsonl > src/data/specs/original/ella.spec
Packages: test/gen/requirements/original.txt
"""
import importlib, json, os, re, sys, types
from unittest.mock import MagicMock

sys.argv, (comfy, checkouts, out, *words) = [sys.argv[0], "--cpu"], sys.argv[1:]
sys.path.insert(0, comfy)
import torch
import comfy.options
comfy.options.enable_args_parsing()
import comfy.gligen

SPECIFIED = ("SDXL ControlNet",)  # have a specification elsewhere, not necessarily in src/data/specs/original
ADAPTER, CONTROL, MODEL, VAE, DEPTH, SEGMENT = "adapter", "ControlNet", "diffusion model", "VAE", "depth estimation model", "image segmentation model"
ROWS = []


def row(called, kind, make, name=None, total=None): ROWS.append((name or called, called, kind, make, total))


def home(repository, package=None, inside=""):
    """Makes its modules importable: below a package's name, which then need not be installed, or at the top
    level."""
    path = os.path.join(checkouts, repository, inside)
    if package is None: return sys.path.insert(0, path)
    sys.modules[package] = types.ModuleType(package)
    sys.modules[package].__path__ = [path]


def absent(*names):
    """A stub for an import that makes no tensors."""
    for name in names: sys.modules.setdefault(name, MagicMock())


def module(name): return importlib.import_module(name)


linspace = torch.linspace
torch.linspace = lambda *a, **k: linspace(*a, **{**k, "device": "cpu"})  # dropout rates, used as numbers


def built(make):
    with torch.device("meta"): return make()


def below(prefix, state): return {prefix + n: t for n, t in state.items()}


def shaped(*shape): return torch.empty(shape, device="meta")


def given(repository, path): return json.load(open(os.path.join(checkouts, repository, path)))


# ---- GLIGEN, as ComfyUI reads it: what its UNet adds to Stable Diffusion 1.4's

def gligen():
    state = {}
    places = {"input_blocks": {1: 320, 2: 320, 4: 640, 5: 640, 7: 1280, 8: 1280}, "middle_block": {None: 1280},
              "output_blocks": {3: 1280, 4: 1280, 5: 1280, 6: 640, 7: 640, 8: 640, 9: 320, 10: 320, 11: 320}}
    for home, blocks in places.items():
        for n, width in blocks.items():
            one = built(lambda: comfy.gligen.GatedSelfAttentionDense(width, 768, 8, width // 8))
            state.update(below(f"{home}.1.transformer_blocks.0.fuser." if n is None else f"{home}.{n}.1.transformer_blocks.0.fuser.", one.state_dict()))
    return {**state, **below("position_net.", built(lambda: comfy.gligen.PositionNet(768, 768)).state_dict())}


row("SD 1.4 GLIGEN, boxes", ADAPTER, gligen)

# ---- SDXL ControlNets: for many kinds of images, and for one-channel images

XL_CONTROL = dict(image_size=32, in_channels=4, model_channels=320, num_res_blocks=[2] * 3, channel_mult=[1, 2, 4], num_head_channels=64, use_spatial_transformer=True, transformer_depth=[0, 0, 2, 2, 10, 10],
                  transformer_depth_middle=10, context_dim=2048, legacy=False, use_linear_in_transformer=True, num_classes="sequential", adm_in_channels=2816)


def control(**k):
    def make():
        import comfy.cldm.cldm, comfy.ops
        return comfy.cldm.cldm.ControlNet(**XL_CONTROL, **k, dtype=torch.float32, device="meta", operations=comfy.ops.disable_weight_init).state_dict()
    return make


for tasks in (6, 8): row("SDXL ControlNet Union", CONTROL, control(hint_channels=3, union_controlnet_num_control_type=tasks), name=f"SDXL ControlNet Union, {tasks} kinds")
row("SDXL ControlNet", CONTROL, control(hint_channels=1), name="SDXL ControlNet, one channel")

# ---- BrushNet and PowerPaint

BRUSH = "nullquant+ComfyUI-BrushNet"


def brush(code, sizes):
    def make():
        home(BRUSH, "brushnet", "brushnet")
        return built(lambda: module("brushnet." + code).BrushNetModel.from_config(given(BRUSH, f"brushnet/{sizes}.json"))).state_dict()
    return make


row("SD 1.x BrushNet", CONTROL, brush("brushnet", "brushnet"))
row("SDXL BrushNet", CONTROL, brush("brushnet", "brushnet_xl"))
row("PowerPaint 2 BrushNet", CONTROL, brush("brushnet_ca", "powerpaint"))

# ---- ControlNet-LLLite, whose other widths are in src/data/specs/diffusion/lllite.spec


def lllite(condition, inner):
    def make():
        home("kohya-ss+sd-scripts")
        absent("cv2", "library.utils")
        unet = built(lambda: module("library.sdxl_original_unet").SdxlUNet2DConditionModel())
        code = module("networks.control_net_lllite")
        state = {}
        for one in built(lambda: code.ControlNetLLLite(unet, condition, inner)).unet_modules: state.update(below(one.lllite_name + ".", one.state_dict()))
        return state
    return make


row("SDXL ControlNet-LLLite", CONTROL, lllite(32, 64))
row("SDXL ControlNet-LLLite", CONTROL, lllite(16, 96), name="SDXL ControlNet-LLLite, 16 and 96")

# ---- Wan's encoders, under their authors' names, and the VACE module that extends a Wan model

KIJAI = "kijai+ComfyUI-WanVideoWrapper"


def wan(code, function, **k):
    def make():
        home(KIJAI, "wanvideo", "wanvideo")
        absent("wanvideo.modules.tokenizers", "wanvideo.modules.attention")
        sys.modules["wanvideo.modules"] = types.ModuleType("wanvideo.modules")
        sys.modules["wanvideo.modules"].__path__ = [os.path.join(checkouts, KIJAI, "wanvideo", "modules")]
        return getattr(module("wanvideo.modules." + code), function)(return_tokenizer=False, dtype=torch.float32, device="meta", **k)
    return make


def seen():
    one = wan("clip", "clip_xlm_roberta_vit_h_14", pretrained=False, return_transforms=False)()
    return {n: t for n, t in (one[0] if isinstance(one, tuple) else one).state_dict().items() if n.startswith("visual.")}


def laid(layers, **sizes):
    import comfy.ldm.wan.model, comfy.ops
    one = comfy.ldm.wan.model.VaceWanModel(model_type="vace", vace_layers=layers, vace_in_dim=96, freq_dim=256, text_dim=4096, dtype=torch.float32, device="meta", operations=comfy.ops.disable_weight_init, **sizes)
    return {n: t for n, t in one.state_dict().items() if n.startswith("vace_")}


row("UMT5-XXL encoder", "text encoder", lambda: wan("t5", "umt5_xxl", encoder_only=True)().state_dict(), name="UMT5-XXL encoder, Wan's names", total=5680910336)
row("XLM-RoBERTa CLIP ViT-H", "image encoder", seen, total=632076800)
row("Wan VACE 14B module", "pipeline component", lambda: laid(8, dim=5120, ffn_dim=13824, num_heads=40, num_layers=40))
row("Wan VACE 1.3B module", "pipeline component", lambda: laid(15, dim=1536, ffn_dim=8960, num_heads=12, num_layers=30))

# ---- PhotoMaker: an identity encoder, and a LoRA of rank 64 for SDXL's UNet

XL = dict(block_out_channels=(320, 640, 1280), down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"), up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
          transformer_layers_per_block=(1, 2, 10), attention_head_dim=(5, 10, 20), cross_attention_dim=2048, addition_embed_type="text_time", addition_time_embed_dim=256,
          projection_class_embeddings_input_dim=2816, use_linear_projection=True)


def lora():
    import diffusers
    state = {}
    for n, m in built(lambda: diffusers.UNet2DConditionModel(**XL)).named_modules():
        place = re.fullmatch(r"(.*attn[12])\.(to_(?:q|k|v|out))(?:\.0)?", n)
        if not place or not isinstance(m, torch.nn.Linear): continue
        state[f"unet.{place[1]}.processor.{place[2]}_lora.down.weight"] = shaped(64, m.in_features)
        state[f"unet.{place[1]}.processor.{place[2]}_lora.up.weight"] = shaped(m.out_features, 64)
    return state


def maker(code, cls, encoder, weights):
    def make():
        home("TencentARC+PhotoMaker", "photomaker", "photomaker")
        one = built(getattr(module("photomaker." + code), cls)).state_dict()
        return {**below(encoder, {n: t for n, t in one.items() if t.dtype != torch.int64}), **(below(weights, lora()) if weights is not None else {})}
    return make


for called, code, cls in (("PhotoMaker", "model", "PhotoMakerIDEncoder"), ("PhotoMaker 2", "model_v2", "PhotoMakerIDEncoder_CLIPInsightfaceExtendtoken")):
    row(called, ADAPTER, maker(code, cls, "id_encoder.", "lora_weights."))
    row(called + " encoder", ADAPTER, maker(code, cls, "id_encoder.", None))

# ---- ELLA: lets SD 1.5 read T5


def ella():
    home("TencentQQGYLab+ELLA")
    return built(lambda: module("model").ELLA()).state_dict()


row("SD 1.5 ELLA", ADAPTER, ella)

# ---- LayerDiffuse: makes images with transparency


def layers():
    absent("cv2")
    home("huchenlei+ComfyUI-layerdiffuse", "lib_layerdiffusion", "lib_layerdiffusion")
    return built(lambda: module("lib_layerdiffusion.models").UNet1024(in_channels=3, out_channels=4)).state_dict()


row("LayerDiffuse decoder", VAE, layers)

# ---- Depth Anything V2

for size, width, outs in (("S", 64, [48, 96, 192, 384]), ("B", 128, [96, 192, 384, 768]), ("L", 256, [256, 512, 1024, 1024]), ("g", 384, [1536] * 4)):
    def depth(size=size, width=width, outs=outs):
        absent("cv2")
        home("DepthAnything+Depth-Anything-V2", "depth_anything_v2", "depth_anything_v2")
        state = built(lambda: module("depth_anything_v2.dpt").DepthAnythingV2(encoder="vit" + size.lower(), features=width, out_channels=outs)).state_dict()
        return state
    row(f"Depth Anything V2 {size}", DEPTH, depth)

# ---- SeedVR2



def seed(size, **sizes):
    def make():
        home("numz+ComfyUI-SeedVR2_VideoUpscaler")
        return built(lambda: module(f"src.models.dit_{size}.nadit").NaDiT(**sizes)).state_dict()
    return make


SEED = dict(vid_in_channels=33, vid_out_channels=16, txt_in_dim=5120, head_dim=128, expand_ratio=4, norm_eps=1e-5, ada="single", qk_bias=False, patch_size=[1, 2, 2], msa_type=None)
row("SeedVR2 3B", MODEL, seed("3b", **SEED, vid_dim=2560, vid_out_norm="fusedrms", txt_in_norm="fusedln", txt_dim=2560, emb_dim=6 * 2560, heads=20, norm="fusedrms", qk_norm="fusedrms", num_layers=32, mm_layers=10,
                              mlp_type="swiglu", block_type=["mmdit_sr"] * 32, window=[(4, 3, 3)] * 32, window_method=["720pwin_by_size_bysize", "720pswin_by_size_bysize"] * 16, rope_type="mmrope3d", rope_dim=128))
row("SeedVR2 7B", MODEL, seed("7b", **SEED, vid_dim=3072, txt_dim=3072, emb_dim=6 * 3072, heads=24, norm="fusedrms", qk_rope=True, qk_norm="fusedrms", num_layers=36, shared_mlp=False, shared_qkv=False, mlp_type="normal",
                              block_type=["mmdit_sr"] * 36, window=[(4, 3, 3)] * 36, window_method=["720pwin_by_size_bysize", "720pswin_by_size_bysize"] * 18))


def seed_vae():
    home("numz+ComfyUI-SeedVR2_VideoUpscaler")
    return built(lambda: module("src.models.video_vae_v3.modules.attn_video_vae").VideoAutoencoderKLWrapper(
        act_fn="silu", block_out_channels=[128, 256, 512, 512], down_block_types=["DownEncoderBlock3D"] * 4, in_channels=3, latent_channels=16, layers_per_block=2, norm_num_groups=32, out_channels=3,
        slicing_sample_min_size=4, temporal_scale_num=2, inflation_mode="pad", up_block_types=["UpDecoderBlock3D"] * 4, spatial_downsample_factor=8, temporal_downsample_factor=4, use_quant_conv=False,
        use_post_quant_conv=False, freeze_encoder=False)).state_dict()


row("SeedVR2 VAE", VAE, seed_vae)


def case(name, called, kind, make, total):
    state = make()
    count = sum(t.numel() for t in state.values())
    assert total in (None, count), (name, count)
    whole = {torch.int64: "I64", torch.bool: "BOOL"}
    specified = {"specified": True} if called.startswith(SPECIFIED) else {}
    return {"name": name, "variant": called, "kind": kind, **specified, "parameters": count, "tensors": [[n, list(x.shape)] for n, x in state.items() if x.dtype not in whole],
            "other_tensors": [[n, list(x.shape), whole[x.dtype]] for n, x in state.items() if x.dtype in whole], "buffers": []}


failed = 0
with open(out, "w") as f:
    for row in ROWS:
        if words and not any(w in row[0] for w in words): continue
        try: f.write(json.dumps(case(*row)) + "\n")
        except Exception as e: failed += print("FAIL", row[0], repr(e)[:300]) or 1
sys.exit(failed > 0)
