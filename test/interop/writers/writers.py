"""writers.py -- one function per quantizer: (folder of the model, its class, folder to write, options).

Each makes the quantizer do on a CPU exactly what its users do on a GPU: only its refusal to run without one is
disabled. Libraries are imported where they are used, so that each is optional.
"""
import glob, os
from contextlib import contextmanager

from models import tokenizer

TEXT = [" ".join(f"w{(i * 7 + j) % 512}" for j in range(40)) for i in range(8)]


def torch_types(options):
    """Replaces words that name a torch type by the type."""
    import torch
    return {k: getattr(torch, v[6:]) if isinstance(v, str) and v.startswith("torch.") else v
            for k, v in options.items()}


@contextmanager
def inside(folder):
    """Some leave logs where they run."""
    here = os.getcwd()
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)


def load(base, cls, **more):
    import torch
    return cls.from_pretrained(base, **{"dtype": torch.bfloat16, **more})


# ---- those of transformers --------------------------------------------------------------------------

def bnb(base, cls, out, o):
    import transformers
    o = dict(o) if "load_in_8bit" in o else {"load_in_4bit": True, **o}
    q = transformers.BitsAndBytesConfig(**torch_types(o))
    load(base, cls, quantization_config=q, device_map="cpu").save_pretrained(out)


def fp8(base, cls, out, o):
    import transformers
    from transformers.quantizers.quantizer_finegrained_fp8 import FineGrainedFP8HfQuantizer
    FineGrainedFP8HfQuantizer.validate_environment = lambda self, *a, **k: None  # it refuses only to run without a GPU
    load(base, cls, quantization_config=transformers.FineGrainedFP8Config(**o)).save_pretrained(out)


def torchao_value(v):
    """("Name", {values}) is a class of torchao's; "torch.x" a type."""
    import importlib, torch
    if isinstance(v, tuple) and v and isinstance(v[0], str):
        for place in ("torchao.quantization", "torchao.quantization.quant_api", "torchao.prototype.mx_formats",
                      "torchao.prototype.mx_formats.inference_workflow", "torchao.prototype.quantization.quant_api",
                      "torchao.prototype.quantization.int4.inference_workflow", "torchao.prototype.parq.quant.config_torchao",
                      "torchao.quantization.granularity"):
            found = getattr(importlib.import_module(place), v[0], None)
            if found:
                rest = [torchao_value(x) for x in v[1:] if not isinstance(x, dict)]
                return found(*rest, **{k: torchao_value(x) for x in v[1:] if isinstance(x, dict) for k, x in x.items()})
        raise ValueError(f"torchao has no {v[0]}")
    if isinstance(v, dict):
        return {k: torchao_value(x) for k, x in v.items()}
    if isinstance(v, str) and v.startswith("torch."):
        return getattr(torch, v[6:])
    return v


def torchao(base, cls, out, o):
    import transformers
    import torchao.quantization.quant_api as api
    import torchao.float8.inference
    for place in (api, torchao.float8.inference):  # writing needs no GPU, only inference does
        place._check_hardware_support = lambda *a, **k: None
    for check in ("is_sm_at_least_89", "is_sm_at_least_90", "is_sm_at_least_100"):
        import torchao.prototype.mx_formats.inference_workflow as mx
        setattr(mx, check, lambda: True) if hasattr(mx, check) else None
    o = dict(o)
    q = transformers.TorchAoConfig(torchao_value(o.pop("type")), **o)
    load(base, cls, quantization_config=q, device_map="cpu").save_pretrained(out)


# ---- libraries of their own -------------------------------------------------------------------------

def hqq(base, cls, out, o):
    """HQQ's own way of saving; `told` adds what transformers writes into config.json (and HQQ does not)."""
    import json
    import torch
    from hqq.core.quantize import BaseQuantizeConfig, HQQLinear
    from hqq.models.hf.base import AutoHQQHFModel
    o = dict(o)
    told, layers, keep = o.pop("told", False), o.pop("layers", None), o.pop("keep", ["lm_head"])
    axis = {"axis": o.pop("axis", 1)}
    how = {k: BaseQuantizeConfig(**v, **axis) for k, v in layers.items()} if layers else \
        BaseQuantizeConfig(**o, **axis)
    model = load(base, cls, experts_implementation="eager") if o.get("eager") else load(base, cls)
    AutoHQQHFModel.quantize_model(model, quant_config=how, compute_dtype=torch.bfloat16, device="cpu")
    AutoHQQHFModel.save_to_safetensors(model, out, **({"num_blocks_per_file": 1} if layers else {}))
    if told:
        with open(os.path.join(out, "config.json")) as f:
            config = json.load(f)
        params = {k: vars(v) if hasattr(v, "__dict__") else v for k, v in how.items()}
        config["quantization_config"] = {"quant_method": "hqq", "quant_config": params, "skip_modules": keep}
        with open(os.path.join(out, "config.json"), "w") as f:
            json.dump(config, f)


def quanto(base, cls, out, o):
    import optimum.quanto as q
    o = dict(o)
    model = load(base, cls)
    o = {k: getattr(q, v) if k in ("weights", "activations") else v for k, v in o.items()}
    if o.pop("plain", False):  # the library alone, with what it needs to load in a separate file
        import json
        from safetensors.torch import save_model
        q.quantize(model, **o)
        q.freeze(model)
        model.config.save_pretrained(out)
        save_model(model, os.path.join(out, "model.safetensors"))
        with open(os.path.join(out, "quanto_qmap.json"), "w") as f:
            json.dump(q.quantization_map(model), f)
        return
    q.QuantizedModelForCausalLM.quantize(model, **o).save_pretrained(out)


def compressed(base, cls, out, o):
    """llmcompressor's oneshot: a modifier and its values, or a list of modifiers."""
    import torch
    from datasets import Dataset
    from llmcompressor import oneshot
    import llmcompressor.modifiers.gptq, llmcompressor.modifiers.quantization
    from llmcompressor.modifiers.quantization import QuantizationModifier
    o = dict(o)
    kind, form = o.pop("modifier", "QuantizationModifier"), o.pop("format", None)
    o.setdefault("ignore", ["lm_head"])
    o.setdefault("targets", "Linear") if "config_groups" not in o else None
    modifier = {"QuantizationModifier": QuantizationModifier}.get(kind)
    if kind == "GPTQModifier":
        from llmcompressor.modifiers.gptq import GPTQModifier as modifier
    elif kind == "AWQModifier":
        from llmcompressor.modifiers.awq import AWQModifier as modifier
    model = load(base, cls)
    data = Dataset.from_dict({"input_ids": [[(i * 7 + j) % 512 for j in range(32)] for i in range(8)]})
    needs = o.pop("data", kind != "QuantizationModifier")
    with inside(os.path.dirname(out)):
        oneshot(model=model, recipe=modifier(**o), tokenizer=tokenizer(), **(dict(
            dataset=data, num_calibration_samples=8, max_seq_length=32) if needs else {}))
    model.save_pretrained(out, save_compressed=True, **(dict(quantization_format=form) if form else {}))


def modelopt(base, cls, out, o):
    import copy, torch
    import modelopt.torch.quantization as mtq
    from modelopt.torch.export import export_hf_checkpoint
    model = load(base, cls).eval()
    config = copy.deepcopy(getattr(mtq, o["config"]))
    if o.get("head"):
        config["quant_cfg"] = [c for c in config["quant_cfg"] if "lm_head" not in str(c)] \
            if isinstance(config["quant_cfg"], list) else {k: v for k, v in config["quant_cfg"].items() if "lm_head" not in k}

    def run(m):
        with torch.no_grad():
            for i in range(4):
                m(input_ids=torch.tensor([[(i * 7 + j) % 512 for j in range(32)]]))
    mtq.quantize(model, config, run)
    if o.get("kv"):
        mtq.quantize(model, getattr(mtq, o["kv"]), run)
    with torch.inference_mode():
        export_hf_checkpoint(model, export_dir=out, **({"max_shard_size": o["shard"]} if "shard" in o else {}))


def gptqmodel(base, cls, out, o):
    os.cpu_count = lambda: 8  # it requires several workers
    import gptqmodel as g
    import gptqmodel.quantization.config as c
    o = dict(o)
    kind = o.pop("class", "GPTQConfig")
    o = {k: v for k, v in o.items() if k not in ("data",)}
    config = getattr(c, kind)(**o, **({"offload_to_disk": False} if kind != "x" else {}))
    with inside(os.path.dirname(out)):
        model = g.GPTQModel.load(base, config, device="cpu")
        model.quantize(TEXT, batch_size=1)
        model.save(out)


def autoround(base, cls, out, o):
    from auto_round import AutoRound
    o = dict(o)
    form, more = o.pop("format", "auto_round"), dict(iters=0, disable_opt_rtn=True, nsamples=2, seqlen=16)
    with inside(os.path.dirname(out)):
        AutoRound(load(base, cls), tokenizer(), device_map="cpu", **{**more, **o}).quantize_and_save(out, format=form)


def as_mlx_reads(base, into):
    """A copy whose config.json has the fields of transformers 4, which mlx-lm looks for."""
    import json, shutil
    shutil.copytree(base, into)
    with open(os.path.join(into, "config.json")) as f:
        config = json.load(f)
    for c in (config, config.get("text_config", {})):
        rope = c.get("rope_parameters") or {}
        c.setdefault("rope_theta", (rope.get("full_attention") or rope).get("rope_theta", 10000.0))
        if rope.get("rope_type", "default") != "default":
            c["rope_scaling"] = rope
        c.setdefault("num_experts", c.get("num_local_experts")) if "num_local_experts" in c else None
        c["n_ctx"] = c.get("n_positions")
    if "text_config" in config:
        config["vocab_size"] = config["text_config"]["vocab_size"]
    if config["model_type"] == "gpt_oss":
        unfuse(into)
    if config["model_type"] == "gpt2":
        rename(into, "transformer.", "")
    if config["model_type"] == "deepseek_v2":
        config["rope_scaling"] = {"type": "yarn", "factor": 1.0, "mscale_all_dim": 0}
    with open(os.path.join(into, "config.json"), "w") as f:
        json.dump({k: v for k, v in config.items() if v is not None}, f)


def rename(folder, old, new):
    from safetensors.torch import load_file, save_file
    path = os.path.join(folder, "model.safetensors")
    save_file({n.replace(old, new): t for n, t in load_file(path).items()}, path, metadata={"format": "pt"})


def unfuse(folder):
    """gpt-oss in mlx-lm without quantization: it converts only from MXFP4."""
    from safetensors.torch import load_file, save_file
    path = os.path.join(folder, "model.safetensors")
    made = {}
    for name, t in load_file(path).items():
        if "gate_up_proj" in name:
            end = ".bias" if "bias" in name else ".weight"
            stem = name.split(".gate_up_proj")[0]
            rows = t if end == ".bias" else t.transpose(1, 2)
            made[stem + ".gate_proj" + end] = rows[:, ::2].contiguous()
            made[stem + ".up_proj" + end] = rows[:, 1::2].contiguous()
        elif "experts.down_proj" in name:
            end = ".bias" if "bias" in name else ".weight"
            made[name.split(".down_proj")[0] + ".down_proj" + end] = (t if end == ".bias" else t.transpose(1, 2)).contiguous()
        else:
            made[name] = t
    save_file(made, path, metadata={"format": "pt"})


def mlx(base, cls, out, o):
    from importlib import import_module
    c = import_module("mlx_lm.convert")  # the package has a function of that name
    o = dict(o)
    rules = o.pop("rules", None)  # [(part of a module's path, its quantization)]
    if rules is not None:
        def predicate(path, module, *rest):
            return next((v for part, v in rules if part in path), hasattr(module, "to_quantized"))
        o["quant_predicate"] = predicate
    as_mlx_reads(base, out + "-base")
    c.convert(out + "-base", out, quantize=True, **o)
    import shutil
    shutil.rmtree(out + "-base")


def quark(base, cls, out, o):
    import torch
    from quark.torch import ModelQuantizer, export_safetensors
    from quark.torch.quantization.config.config import QConfig, QLayerConfig
    import quark.torch.quantization.config.config as c
    o = dict(o)
    spec = getattr(c, o["spec"])(**o.get("values", {})).to_quantization_spec()
    layer = QLayerConfig(weight=spec, **({"input_tensors": getattr(c, o["input"])(**o.get("input_values", {})).to_quantization_spec()}
                                         if "input" in o else {}))
    config = QConfig(global_quant_config=layer, exclude=o.get("exclude", ["lm_head"]))
    model = load(base, cls).eval()
    data = [torch.tensor([[(i * 7 + j) % 512 for j in range(32)]]) for i in range(4)]
    quantizer = ModelQuantizer(config)
    model = quantizer.quantize_model(model, data)
    model = quantizer.freeze(model)
    with torch.no_grad():
        export_safetensors(model, out, **o.get("export", {}))
