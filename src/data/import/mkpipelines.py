#!/usr/bin/env python3
"""usage: mkpipelines.py > pipelines.table

What the pipelines of the installed diffusers are made of, a line a class (components/pipelines.c reads it):

    venv/bin/python src/data/import/mkpipelines.py > src/data/classes/pipelines.table

A word is a component that is a model: its name, `?` where the pipeline does without it, and behind `=` the classes that it may be of, where they
are said; a list, "any" and the like are no class. Behind `-` stand the classes that neither library shows: a module of pipelines has them. Schedulers, tokenizers and what else has no weights are left out.
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

SHOWN = {*dir(diffusers), *dir(transformers)}  # before pipelines add what they miss
ROOT = importlib.import_module("diffusers.pipelines")


def pipelines():
    """Every class of a pipeline, by its name."""
    found = {}
    for module in pkgutil.walk_packages(ROOT.__path__, ROOT.__name__ + "."):
        try: inside = importlib.import_module(module.name)
        except Exception: continue  # one that needs what is not installed
        for name, c in vars(inside).items():
            if isinstance(c, type) and issubclass(c, DiffusionPipeline) and c.__module__ == module.name: found[name] = c
    return dict(sorted(found.items()))


def is_model(kind):
    return inspect.isclass(kind) and issubclass(kind, torch.nn.Module)


def is_open(kind):
    """One that others are made of, or none at all."""
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
