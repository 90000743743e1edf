"""python.py PACKAGE FILE... -- tensors and elements of files, read by a Python package.

Imports only what the package needs; Python's start is part of a user's waiting time.
"""
import math
import sys


def of_safetensors(path):
    from safetensors import safe_open
    with safe_open(path, framework="numpy") as f:
        return [f.get_slice(name).get_shape() for name in f.keys()]


def of_huggingface_hub(path):
    from huggingface_hub.hf_api import parse_local_safetensors_file_metadata
    return [t.shape for t in parse_local_safetensors_file_metadata(path).tensors.values()]


def of_gguf(path):
    from gguf import GGUFReader
    return [[int(n) for n in t.shape] for t in GGUFReader(path).tensors]


def main():
    tensors = elements = 0
    for path in sys.argv[2:]:
        shapes = globals()[f"of_{sys.argv[1]}"](path)
        tensors += len(shapes)
        elements += sum(map(math.prod, shapes))
    print(tensors, elements)


main()
