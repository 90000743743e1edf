#!/usr/bin/env python3
"""usage: mkdiffusers.py [OLD.table] > diffusers.table

The values that the model classes of the installed diffusers assume for keys missing from config.json, one
line a class, as in defaults.table for transformers (formula/defaults.c reads both):

    venv/bin/python src/data/import/mkdiffusers.py src/data/classes/diffusers.table > new.table

A default is the value in the constructor; null is omitted. Values of the old table are kept, as in
mkdefaults.py; mkrefused.py finds anew what classes accept (`key!KINDS`).
"""
import importlib
import inspect
import json
import pkgutil
import re
import sys

import kinds
import tables

# Never a size.
DROP = re.compile(r"dropout|_eps$|^eps$|theta|scaling_factor|shift_factor|latents_mean|latents_std|use_tiling|use_slicing|force_upcast"
                  r"|tile_|^gradient_checkpointing$")

REFUSED = re.compile(r"[\w.]+[!%/]")  # found by mkrefused.py


def plain(value):
    text = json.dumps(value, separators=(",", ":"), default=str)
    return None if value is None or " " in text or "Infinity" in text or len(text) > 400 or "<" in text else text


def classes():
    """All classes with parameters for which save_config writes a `_class_name`."""
    import diffusers
    from diffusers.configuration_utils import ConfigMixin
    from diffusers.models.modeling_utils import ModelMixin
    found = {}
    for package in ("models", "pipelines"):
        root = importlib.import_module("diffusers." + package)
        for module in pkgutil.walk_packages(root.__path__, root.__name__ + "."):
            if package == "pipelines" and re.search(r"\.pipeline_\w+$", module.name) and "audioldm2" not in module.name: continue
            try: inside = importlib.import_module(module.name)
            except Exception: continue  # it needs a package that is not installed
            for name, c in vars(inside).items():
                if isinstance(c, type) and issubclass(c, ModelMixin) and issubclass(c, ConfigMixin) and c.__module__ == module.name:
                    found[name] = c
    return found


def words(cls):
    for key, p in inspect.signature(cls.__init__).parameters.items():
        if key == "self" or p.default is p.empty or DROP.search(key): continue
        text = plain(p.default)
        if text is not None: yield key, text


def main():
    lines, refused = {}, {}
    for name, cls in classes().items(): lines[name] = dict(words(cls))
    if len(sys.argv) > 1:
        for line in tables.read(sys.argv[1]):
            name, _, *rest = line.split() if line[0] != "#" else ("", "")
            if name: lines.setdefault(name, {}).update(w.split("=", 1) for w in rest if not REFUSED.match(w))
            if name: refused[name] = [w for w in rest if REFUSED.match(w)]
    print("# Class Class key=default... key/other key!KINDS")
    print("# Made by mkdiffusers.py from the model classes of Hugging Face diffusers, KINDS by mkrefused.py.")
    print("#")
    print("# key=default          its value if config.json lacks the key")
    print("# key/other            it must divide the other key, or each of its items if that is a list")
    print(kinds.HEADER)
    for name, known in sorted(lines.items()): print(name, name, *(f"{k}={v}" for k, v in sorted(known.items())), *refused.get(name, []))


main()
