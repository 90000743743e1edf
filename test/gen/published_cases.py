#!/usr/bin/env python3
"""published_cases.py OUT NAME... -- sizes of products that fixtures/oracle lacks, as diffusers builds them.

For each of these names, its class is built on torch's meta device with the arguments in its line, and must have the known total (from model
cards, file sizes, or the same model under its original names). Writes test/truth/components/published.jsonl (one case a line: case, class,
configs, params, buffers, tied, num_parameters), against which test/truth/identified.py checks numel.

  venv/bin/python test/gen/published_cases.py test/truth/components/published.jsonl AutoencoderKLMochi.Mochi_1
Packages: src/data/import/requirements.txt
"""
import importlib, json, os, sys
import torch
import diffusers

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/data/import"))
import tables

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
KNOWN = {
    "UNet2DConditionModel.SD_2.x": 865910724, "UNet2DConditionModel.SDXL_refiner": 2259526660, "UNet2DConditionModel.SSD-1B": 1331334404, "UNet2DConditionModel.Segmind_Vega": 745225604,
    "T2IAdapter.SD_1.x_of_one_channel": 77000640, "T2IAdapter.SD_1.x_light": 18689200, "T2IAdapter.SDXL": 79028160, "T2IAdapter.SDXL_of_one_channel": 77553600,
    "WanTransformer3DModel.Wan_2.2-TI2V-5B": 4999787712, "HunyuanDiT2DModel.HunyuanDiT_1.2": 1499952032, "HunyuanDiT2DModel.HunyuanDiT_1.1": 1516534048,
    "QwenImageTransformer2DModel.Qwen-Image": 20430401088, "AutoencoderDC.DC-AE_f32c32_of_SANA": 312250275, "AutoencoderKLHunyuanVideo.HunyuanVideo": 246478803,
    "AutoencoderKLMochi.Mochi_1": 459748611, "AutoencoderOobleck.Stable_Audio_Open": 156112514, "MotionAdapter.AnimateDiff_1.5-2": 453209280,
    "WanTransformer3DModel.Wan_2.1-T2V-1.3B": 1418996800, "Kandinsky5Transformer3DModel.Kandinsky_5_Lite": 2007702848, "Kandinsky5Transformer3DModel.Kandinsky_5_Pro": 19311325248, "Kandinsky5Transformer3DModel.Kandinsky_5_Image_Lite": 6022080576,
}


def lines():
    for name, cls, words in tables.sizes(os.path.join(ROOT, "src", "data", "products")):
        yield name, cls, {key: json.loads(text) for key, _, text in (w.partition("=") for w in words)}


def of_name(cls):
    """Some classes are defined in a pipeline's module instead of with the models."""
    for home in ("pipelines.ltx2", "pipelines.ltx.modeling_latent_upsampler"):
        if not hasattr(diffusers, cls) and hasattr(importlib.import_module("diffusers." + home), cls): return getattr(importlib.import_module("diffusers." + home), cls)
    return getattr(diffusers, cls)


def case(name, cls, config):
    with torch.device("meta"): model = of_name(cls)(**config)
    params = {n: list(p.shape) for n, p in model.named_parameters()}
    buffers = {n: list(t.shape) for n, t in model.state_dict().items() if n not in params}
    total = sum(p.numel() for p in model.parameters())
    assert KNOWN.get(name, total) == total, (name, total)
    return {"case": "published/" + name, "class": cls, "configs": {"whole": {"_class_name": cls, **config}}, "params": params, "tied": {},
            "buffers": buffers, "num_parameters": total}


def main():
    with open(sys.argv[1], "w") as out:
        for name, cls, config in lines():
            if name in sys.argv[2:]: out.write(json.dumps(case(name, cls, config)) + "\n"), out.flush()


if __name__ == "__main__": main()
