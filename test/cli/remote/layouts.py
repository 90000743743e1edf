#!/usr/bin/env python3
"""layouts.py DIR NAME... -- repositories of the stand-in for the hub, DIR/org/NAME, with the files of public ones.

The names and folders are as published; sizes are small, and data are holes. Files that numel does not read are holes.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import files
import torchfile

STORAGE = {"F32": ("FloatStorage", 4), "F16": ("HalfStorage", 2), "BF16": ("BFloat16Storage", 2)}


class Repository:
    def __init__(self, root, name): self.dir = os.path.join(root, "org", name)

    def put(self, path, content=b"x\n"):
        if isinstance(content, dict): content = json.dumps(content, indent=1).encode()
        files.put(os.path.join(self.dir, path), content)

    def hole(self, size, *paths):
        for path in paths:
            self.put(path, b"")
            os.truncate(os.path.join(self.dir, path), size)

    def safetensors(self, path, tensors):
        files.sparse(os.path.join(self.dir, path), tensors, {"format": "pt"})

    def torch(self, path, tensors):
        pairs, storages = [], {}
        for i, (name, dtype, shape) in enumerate(tensors):
            kind, size = STORAGE[dtype]
            pairs.append((name, torchfile.tensor(str(i), files.product(shape), shape, kind=kind)))
            storages[str(i)] = bytes(files.product(shape) * size)
        self.put(path, torchfile.archive(torchfile.ordered(pairs), storages))


def large(r):
    """3,000 tensors: a pickle and a directory that are larger than the first ranges."""
    r.torch("pytorch_model.bin", [(f"model.layers.{i}.a.long.name.of.a.tensor.weight", "F32", [2, 3]) for i in range(3000)])


def main():
    for name in sys.argv[2:]: globals()[name.replace("-", "_").replace(".", "_")](Repository(sys.argv[1], name))


main()
