#!/usr/bin/env python3
"""usage: mkpipelines.py > pipelines.table

The components of the pipelines of the installed diffusers, one line a class (components/pipelines.c reads
it):

    venv/bin/python src/data/import/mkpipelines.py > src/data/classes/pipelines.table

A word is a component that is a model: its name, `?` if it is optional, and after `=` its possible classes,
if they are stated; a list, "any" and the like are not classes. After `-` follow classes that neither
library exports, as they are in a module of pipelines. Schedulers, tokenizers and other components without
weights are omitted.
"""
import importlib
import inspect
import os
import pkgutil
import sys

import torch
from diffusers import DiffusionPipeline
import diffusers
import transformers

SHOWN = {*dir(diffusers), *dir(transformers)}  # before pipelines add missing names
ROOT = importlib.import_module("diffusers.pipelines")


def pipelines():
    """Every class of pipelines, by name."""
    found = {}
    for module in pkgutil.walk_packages(ROOT.__path__, ROOT.__name__ + "."):
        try: inside = importlib.import_module(module.name)
        except Exception: continue  # it needs a package that is not installed
        for name, c in vars(inside).items():
            if isinstance(c, type) and issubclass(c, DiffusionPipeline) and c.__module__ == module.name: found[name] = c
    return dict(sorted(found.items()))


def is_model(kind):
    return inspect.isclass(kind) and issubclass(kind, torch.nn.Module)


def is_open(kind):
    """True for a base class of others, or if it is not a model."""
    return not is_model(kind) or kind in (torch.nn.Module, transformers.PreTrainedModel) or "PreTrained" in kind.__name__


def word(pipeline, name, kinds):
    kinds = [k for k in kinds if k is not type(None)]
    if not any(map(is_model, kinds)): return None
    some = "" if any(map(is_open, kinds)) else "=" + "|".join(sorted(k.__name__ for k in kinds))
    return name + "?" * (name in pipeline._optional_components) + some


def main():
    print("# Made by mkpipelines.py from the pipelines of Hugging Face diffusers.")
    classes = set()
    for name, c in pipelines().items():
        needed, _ = c._get_signature_keys(c)
        types = c._get_signature_types()
        words = [w for w in (word(c, k, types.get(k) or ()) for k in needed) if w]
        if words: print(name, *words)
        classes.update(k for w in words for k in w.partition("=")[2].split("|") if k)
    print("-", *sorted(k for k in classes if k not in SHOWN))


main()
