"""safetensors_cases.py -- the package safetensors writes, numel reads.

Twenty of the 22 types go through the package's own writer. The two it cannot write (F6), and
layouts that it reads but does not write, are headers made here; the package must open those too.
"""
import ctypes
import json
import math
import os

import ml_dtypes
import numpy as np
import safetensors
from safetensors.numpy import save_file

from harness import Tensor, expect, same

GROUP = "safetensors writes, numel reads"
NUMPY = ["bool", "uint8", "int8", "int16", "uint16", "float16", "int32", "uint32", "float32",
         "float64", "int64", "uint64", "complex64"]
NARROW = {"bfloat16": "BF16", "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2",
          "float8_e8m0fnu": "F8_E8M0", "float8_e4m3fnuz": "F8_E4M3FNUZ",
          "float8_e5m2fnuz": "F8_E5M2FNUZ"}
NAMES = {"bool": "BOOL", "uint8": "U8", "int8": "I8", "int16": "I16", "uint16": "U16",
         "float16": "F16", "int32": "I32", "uint32": "U32", "float32": "F32", "float64": "F64",
         "int64": "I64", "uint64": "U64", "complex64": "C64", **NARROW}
BITS = {"F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "BOOL": 8, "U8": 8, "I8": 8, "F16": 16, "BF16": 16,
        "I16": 16, "U16": 16, "I32": 32, "U32": 32, "F32": 32, "C64": 64, "F64": 64, "I64": 64,
        "U64": 64, **{name: 8 for name in NARROW.values() if name != "BF16"}}


def header_of(path):
    """The header as Python's own JSON reads it, and where the data starts."""
    with open(path, "rb") as f:
        length = int.from_bytes(f.read(8), "little")
        return json.loads(f.read(length).decode("utf-8")), 8 + length


def compare(bench, path, given):
    """given: name -> (type, shape), as it was handed to the writer."""
    header, start = header_of(path)
    expected = {}
    for name, (dtype, shape) in given.items():
        nbytes = math.prod(shape) * BITS[dtype] // 8
        expected[name] = Tensor(dtype, list(shape), nbytes,
                                start + header[name]["data_offsets"][0])
    shown = expect(bench, path, expected, os.path.getsize(path))
    same("format", shown["format"], "safetensors")
    same("header_bytes", shown["files"][0]["header_bytes"], start)
    for dtype, sums in shown["dtypes"].items():
        same(f"elements of {dtype}", sums["elements"],
             sum(t.elements() for t in expected.values() if t.dtype == dtype))
    bench.made.append((path, "safetensors"))


def save(bench, name, arrays, metadata=None):
    path = os.path.join(bench.folder, name + ".safetensors")
    save_file(arrays, path, metadata)
    compare(bench, path, {k: (NAMES[v.dtype.name], v.shape) for k, v in arrays.items()})
    if metadata is not None:
        entries = {e["key"]: e["value"] for e in bench.meta(path)}
        same("metadata", entries, metadata)


def one_type(bench, dtype):
    real = np.dtype(getattr(ml_dtypes, dtype)) if dtype in NARROW else np.dtype(dtype)
    save(bench, dtype, {"a": np.zeros((3, 5), real), "b.weight": np.zeros(7, real)})


def packed_fours(bench):
    """F4 holds two values a byte; the package doubles the last dimension in the header."""
    path = os.path.join(bench.folder, "f4.safetensors")
    room = (ctypes.c_char * 64)()
    spec = safetensors.TensorSpec(dtype="float4_e2m1fn_x2", shape=[4, 8],
                                  data_ptr=ctypes.addressof(room), data_len=32)
    safetensors.serialize_file({"packed": spec}, path, None)
    compare(bench, path, {"packed": ("F4", [4, 16])})


def shapes(bench):
    save(bench, "shapes", {"scalar": np.zeros((), "float32"), "none": np.zeros(0, "int8"),
                           "none.row": np.zeros((0, 5), "float16"),
                           "none.middle": np.zeros((3, 0, 2), "int64"),
                           "one": np.zeros((1, 1, 1), "bool"),
                           "deep": np.zeros((1, 2) * 10, "uint8")})


def names(bench):
    odd = ["", " ", "a b", "a/b", "a\\b", "quote\"d", "new\nline", "tab\t", "\x01", "\x7f",
           "größe", "重み", "🦙", "e\u0301", "\u202eabc", "x" * 60000, "重" * 20000]
    save(bench, "names", {name: np.zeros(i + 1, "int16") for i, name in enumerate(odd)})


def metadata(bench):
    save(bench, "metadata", {"x": np.zeros(2, "float32")},
         {"format": "pt", "empty": "", "größe": "重み 🦙", "long": "v" * 100000,
          "quoted": "a \"b\" \\ / \n\t\x1f", "json": "{\"a\": [1, 2]}", "": "no key"})


def ten_thousand(bench):
    save(bench, "ten-thousand", {f"model.layers.{i // 100}.block.{i % 100}.weight":
                                 np.zeros(i % 3 + 1, "float32") for i in range(10000)})


def hand_made(bench, name, text, data_bytes, given):
    """A header as given; the package must read it as well, or the case proves nothing."""
    path = os.path.join(bench.folder, name + ".safetensors")
    raw = text if isinstance(text, bytes) else text.encode("utf-8")
    with open(path, "wb") as f:
        f.write(len(raw).to_bytes(8, "little") + raw + bytes(data_bytes))
    with open(path, "rb") as f:
        read = safetensors.deserialize(f.read())
    same("what the package reads", sorted((n, v["dtype"], tuple(v["shape"])) for n, v in read),
         sorted((n, d, tuple(s)) for n, (d, s) in given.items()))
    compare(bench, path, given)


def entry(dtype, shape, begin, end, extra=""):
    return f'{{"dtype":"{dtype}","shape":{shape},"data_offsets":[{begin},{end}]{extra}}}'


HAND = {
    "F6_E2M3": ('{"x":' + entry("F6_E2M3", [4, 8], 0, 24) + "}", 24, {"x": ("F6_E2M3", [4, 8])}),
    "F6_E3M2": ('{"x":' + entry("F6_E3M2", [4], 0, 3) + "}", 3, {"x": ("F6_E3M2", [4])}),
    "unaligned header": ('{"ab":' + entry("F32", [3], 0, 12) + "}", 12, {"ab": ("F32", [3])}),
    "leading white space": ('  \n\t {"x":' + entry("U8", [4], 0, 4) + "}", 4,
                            {"x": ("U8", [4])}),
    "trailing white space": ('{"x":' + entry("U8", [4], 0, 4) + "}" + " " * 100 + "\r\n", 4,
                             {"x": ("U8", [4])}),
    "white space everywhere": (' { "x" : { "dtype" : "U8" , "shape" : [ 2 , 2 ] ,\n'
                               '"data_offsets" : [ 0 , 4 ] } } ', 4, {"x": ("U8", [2, 2])}),
    "odd offsets": ('{"a":' + entry("U8", [1], 0, 1) + ',"b":' + entry("F32", [2], 1, 9) + "}", 9,
                    {"a": ("U8", [1]), "b": ("F32", [2])}),
    "names out of order": ('{"z":' + entry("U8", [1], 3, 4) + ',"a":' + entry("U8", [2], 0, 2) +
                           ',"m":' + entry("U8", [1], 2, 3) + "}", 4,
                           {"z": ("U8", [1]), "a": ("U8", [2]), "m": ("U8", [1])}),
    "members out of order": ('{"x":{"data_offsets":[0,4],"shape":[4],"dtype":"U8"}}', 4,
                             {"x": ("U8", [4])}),
    "unknown members": ('{"x":' + entry("U8", [4], 0, 4, ',"note":{"a":[1,null,"b"]}') + "}", 4,
                        {"x": ("U8", [4])}),
    "escaped names": ('{"\\u0061\\n\\ud83e\\udd99":' + entry("U8", [4], 0, 4) + "}", 4,
                      {"a\n🦙": ("U8", [4])}),
    "no tensors": ("{}", 0, {}),
    "only metadata": ('{"__metadata__":{"format":"pt"}}', 0, {}),
    "null metadata": ('{"__metadata__":null,"x":' + entry("U8", [1], 0, 1) + "}", 1,
                      {"x": ("U8", [1])}),
    "rank 100": ('{"x":' + entry("U8", [1] * 100, 0, 1) + "}", 1, {"x": ("U8", [1] * 100)}),
}


def shards(bench):
    """Two files and an index, as transformers saves them."""
    folder = os.path.join(bench.folder, "sharded")
    os.makedirs(folder)
    parts = [{"a": np.zeros((2, 3), "float32")}, {"b": np.zeros(5, "float16"),
                                                  "c": np.zeros((), "int64")}]
    weight_map, expected, size = {}, {}, 0
    for i, part in enumerate(parts):
        file = f"model-{i + 1:05}-of-00002.safetensors"
        path = os.path.join(folder, file)
        save_file(part, path, {"format": "pt"})
        header, start = header_of(path)
        size += os.path.getsize(path)
        for name, array in part.items():
            weight_map[name] = file
            expected[name] = Tensor(NAMES[array.dtype.name], list(array.shape), array.nbytes,
                                    start + header[name]["data_offsets"][0])
    with open(os.path.join(folder, "model.safetensors.index.json"), "w", encoding="utf-8") as f:
        json.dump({"metadata": {"total_size": sum(t.nbytes for t in expected.values())},
                   "weight_map": weight_map}, f, indent=2)
    for path in (folder, os.path.join(folder, "model-00002-of-00002.safetensors"),
                 os.path.join(folder, "model.safetensors.index.json")):
        shown = expect(bench, path, expected, size)
        same("findings", [f["code"] for f in shown["findings"] if f["severity"] != "note"], [])


def run(bench):
    for dtype in NUMPY + list(NARROW):
        bench.case(GROUP, dtype, one_type, dtype)
    bench.case(GROUP, "float4_e2m1fn_x2", packed_fours)
    for function in (shapes, names, metadata, ten_thousand, shards):
        bench.case(GROUP, function.__name__, function)
    bench.case(GROUP, "nothing at all", save, "nothing", {})
    for name, (text, data_bytes, given) in HAND.items():
        bench.case("headers made by hand, both read", name, hand_made, name.replace(" ", "-"),
                   text, data_bytes, given)
    same("types tried", len({*NAMES.values(), "F4", "F6_E2M3", "F6_E3M2"}), 22)
