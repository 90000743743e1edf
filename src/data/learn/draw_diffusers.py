"""Samples of a diffusers class: its configuration is the arguments of its constructor, as save_config writes
them.

A class stands alone and is named by `_class_name`. Arguments without a default come from `start`, a
configuration that is known to build (`--start FILE`, JSON).
"""
import importlib
import inspect
import json
import pkgutil
import re
import signal

import diffusers
import torch

from draw import PATIENCE, Builder, rang
from samples import Sample, flatten

SHARED = ["attention", "attention_processor", "embeddings", "normalization", "activations", "resnet", "downsampling", "upsampling",
          "unets.unet_2d_blocks", "adapter"]


def class_named(name):
    """Also finds classes in the modules of pipelines."""
    found = getattr(diffusers, name, None) or getattr(diffusers.models, name, None)
    if found is not None: return found
    root = importlib.import_module("diffusers.pipelines")
    for module in pkgutil.walk_packages(root.__path__, root.__name__ + "."):
        if re.search(r"\.pipeline_\w+$", module.name) and "audioldm2" not in module.name: continue
        try: found = getattr(importlib.import_module(module.name), name, None)
        except Exception: continue  # it needs a package that is not installed
        if isinstance(found, type): return found
    raise RuntimeError("no class of diffusers")


def plain(value):
    return list(value) if isinstance(value, tuple) else value


class ClassBuilder(Builder):
    match = "_class_name"

    def __init__(self, name, start=None):
        self.model_type = name
        self.classes = {name: class_named(name)}
        arguments = inspect.signature(self.classes[name].__init__).parameters
        self.default = {k: p.default for k, p in arguments.items() if k != "self" and p.default is not p.empty}
        self.default.update(start or {})
        self.kinds = {k: str(p.annotation) for k, p in arguments.items()}
        self.prefixes, self.parts, self.inside = {}, {}, {}
        self.why, self.builds, self.with_parts = "", 0, False
        self.fields = set(self.default)
        signal.signal(signal.SIGALRM, rang)

    def config(self, changes):
        return {**self.default, **{k: plain(v) if isinstance(self.default.get(k), list) else v for k, v in changes.items()}}

    def text(self, changes, cls):
        return json.dumps({"_class_name": cls, **{k: plain(v) for k, v in self.config(changes).items()}}, default=str)

    def sample(self, changes, keys=(), ref=0):
        changes = {k: v for k, v in changes.items() if k != "class()"}
        self.builds += 1
        signal.alarm(PATIENCE)
        try:
            config = self.config(changes)
            with torch.device("meta"): model = self.classes[self.model_type](**config)
        except Exception as e:
            self.why = f"{type(e).__name__}: {str(e)[:160]}"
            return None
        finally:
            signal.alarm(0)
        env = flatten(config)
        env["class()"] = self.model_type
        total = sum(p.numel() for p in model.parameters())
        sample = Sample(env, self.tensors(model, self.model_type), total, frozenset(keys), ref)
        sample.towers = {}
        return sample

    def tensors(self, model, name):
        self.prefixes[name] = ""
        known = dict(model.named_parameters(remove_duplicate=False))
        modules, copies, out = dict(model.named_modules()), self.copies(model), {}
        for n, tensor in model.state_dict().items():
            kind = type(modules.get(n.rpartition(".")[0])).__name__ if n in known else ""
            out[n] = (tuple(tensor.shape), n not in known, copies.get(n), kind)
        return out

    def nulls(self, key, words):
        kind = self.kinds.get(key, "")
        return [12, 20] * ("int" in kind) + [True] * ("bool" in kind) + words[:8]

    def filled(self, key):
        return [(0,), (1,), (0, 1)]

    def none(self, key):
        return [None] * ("None" in self.kinds.get(key, ""))

    def sources(self):
        """Sources to search for words. One activation that doubles a width represents the others."""
        names = {self.classes[self.model_type].__module__} | {"diffusers.models." + m for m in SHARED}
        text = "".join(inspect.getsource(importlib.import_module(m)) for m in sorted(names))
        return re.sub(r'"(swiglu|geglu-approximate|linear-silu|relu|silu|swish|mish)"', "", text)


def arch(name):
    """The name of the spec: flux_transformer_2d for FluxTransformer2DModel"""
    name = re.sub(r"(?<=[a-z0-9])([A-Z])|(?<=[A-Z])([A-Z][a-z])", r"_\1\2", re.sub(r"Model$", "", name)).lower()
    return re.sub(r"_?(\d)_?d(?=_|$)", r"_\1d", name)
