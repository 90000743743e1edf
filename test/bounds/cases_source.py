"""Inputs of which files and folders are made: promises, compressed nothings, many tensors, keys, files, folders."""
from case import Case, READERS, words
from files import put, safetensors

CASES = [
    # name                make              commands  stored expected output
    Case("one-tensor", lambda d: put(d + "/m.safetensors", safetensors([("a", "U8", [4])])), READERS, 1, 0, 20000),
]
