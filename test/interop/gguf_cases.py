"""gguf_cases.py -- the package gguf writes, numel reads.

Every value type with its extreme values, arrays of each, every tensor type that the package knows (quantized by
the package if it can, else zero blocks of the right size), splits, both byte orders, versions 2 and 3, alignments.
Block sizes are the package's, except for Q8_1, where it disagrees with ggml (40 bytes for 36).
"""
import math
import os
import warnings

import gguf
import numpy as np
from gguf import GGUFEndian, GGUFValueType, GGUFWriter, GGMLQuantizationType
from gguf.constants import GGML_QUANT_SIZES

from harness import Mismatch, Tensor, expect, same

GROUP = "gguf writes, numel reads"
Q8_1 = GGMLQuantizationType.Q8_1
SCALARS = [
    ("UINT8", "u8", [0, 255]), ("INT8", "i8", [-128, 127]), ("UINT16", "u16", [0, 65535]),
    ("INT16", "i16", [-32768, 32767]), ("UINT32", "u32", [0, 2**32 - 1]),
    ("INT32", "i32", [-2**31, 2**31 - 1]), ("UINT64", "u64", [0, 2**53 + 1, 2**64 - 1]),
    ("INT64", "i64", [-2**63, 2**63 - 1]),
    ("FLOAT32", "f32", [0.0, -1.5, 1e-5, 3.4028234663852886e38, 1.401298464324817e-45]),
    ("FLOAT64", "f64", [0.1, -1e300, 5e-324, 1.7976931348623157e308]),
    ("BOOL", "bool", [True, False]),
    ("STRING", "string", ["plain", "größe 重み 🦙", "a \"b\" \\ \n\t\x1f", "x" * 100000]),
]


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def reader_of(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return gguf.GGUFReader(path)


def expected_of(paths):
    """What the package's own reader finds in the files, shapes turned outermost first."""
    expected, size = {}, 0
    for path in paths:
        size += os.path.getsize(path)
        for t in reader_of(path).tensors:
            block, width = GGML_QUANT_SIZES[t.tensor_type]
            width = 36 if t.tensor_type == Q8_1 else width
            shape = [int(d) for d in reversed(t.shape)]
            expected[t.name] = Tensor(t.tensor_type.name, shape,
                                      math.prod(shape) // block * width, int(t.data_offset))
    return expected, size


def compare(bench, paths, given=None, big=False, version=3):
    """given: name -> (type, shape) if the shapes are known beforehand."""
    expected, size = expected_of(paths)
    if given is not None:
        same("the package's reading of its own file",
             {n: (t.dtype, t.shape) for n, t in expected.items()}, given)
    shown = expect(bench, paths[0], expected, size)
    same("format", shown["format"], "gguf")
    same("files", [os.path.basename(f["path"]) for f in shown["files"]],
         [os.path.basename(p) for p in paths])
    same("version", {f["version"] for f in shown["files"]}, {version})
    same("byte order", {f["big_endian"] for f in shown["files"]}, {big})
    bench.made.extend((path, "gguf") for path in paths)


def new(bench, name, **options):
    return GGUFWriter(os.path.join(bench.folder, name + ".gguf"), "llama", **options)


# ---- values -----------------------------------------------------------------------------------


def equal(kind, actual, expected):
    if kind in ("f32", "array<f32>"):
        listed = isinstance(expected, list)
        pairs = zip(actual, expected) if listed else [(actual, expected)]
        return (not listed or len(actual) == len(expected)) and all(
            np.float32(a) == np.float32(e) for a, e in pairs)
    return actual == expected and isinstance(actual, type(expected))


def compare_values(bench, path, values):
    """values: key -> (type as numel names it, value)."""
    entries = {e["key"]: e for e in bench.meta(path)}
    same("keys", sorted(entries), sorted([*values, "general.architecture"]))
    for key, (kind, value) in values.items():
        same(f"{key} type", entries[key]["type"], kind)
        if not equal(kind, entries[key]["value"], value):
            raise Mismatch(f"{key}: {str(entries[key]['value'])[:100]} is not {str(value)[:100]}")


def values_case(bench, name, pairs, **options):
    writer, values = new(bench, name, **options), {}
    for key, kind, shown, value, sub in pairs:
        writer.add_key_value(key, value, getattr(GGUFValueType, kind), sub)
        values[key] = (shown, value)
    finish(writer)
    compare(bench, [writer.path], {}, big=options.get("endianess") == GGUFEndian.BIG)
    compare_values(bench, writer.path, values)


def scalar_pairs():
    return [(f"test.{shown}.{i}", kind, shown, value, None)
            for kind, shown, given in SCALARS for i, value in enumerate(given)]


def array_pairs():
    return [(f"test.array.{shown}", "ARRAY", f"array<{shown}>", given,
             getattr(GGUFValueType, kind)) for kind, shown, given in SCALARS]


def scalars(bench):
    values_case(bench, "scalars", scalar_pairs())


def arrays(bench):
    values_case(bench, "arrays", array_pairs())


def long_array(bench):
    tokens = [f"token {i}" for i in range(20000)]
    values_case(bench, "long-array", [
        ("tokenizer.ggml.tokens", "ARRAY", "array<string>", tokens, None),
        ("tokenizer.ggml.scores", "ARRAY", "array<f32>", [float(-i) for i in range(20000)], None),
    ])


def big_values(bench):
    values_case(bench, "big-values", scalar_pairs() + array_pairs(), endianess=GGUFEndian.BIG)


def nested_array(bench):
    """The format allows nested arrays, the package writes them, llama.cpp refuses them."""
    writer = new(bench, "nested-array")
    writer.add_array("test.nested", [[1, 2], [3]])
    writer.add_uint32("test.after", 7)
    finish(writer)
    entries = {e["key"]: e for e in bench.meta(writer.path)}
    same("the value after it", entries["test.after"]["value"], 7)
    same("count", entries["test.nested"]["count"], 2)


# ---- tensors ----------------------------------------------------------------------------------


def add_plain(writer):
    given = {}
    for i, dtype in enumerate(["float32", "float16", "float64", "int8", "int16", "int32",
                               "int64"]):
        for shape in ((5,), (3, 4), (2, 3, 4), (2, 1, 3, 2)):
            name = f"plain.{dtype}.{len(shape)}"
            writer.add_tensor(name, np.full(shape, i, dtype))
            given[name] = (dtype.replace("float", "F").replace("int", "I"), list(shape))
    return given


def plain(bench, name="plain", **options):
    writer = new(bench, name, **options)
    given = add_plain(writer)
    finish(writer)
    compare(bench, [writer.path], given, big=options.get("endianess") == GGUFEndian.BIG)


def big_endian(bench):
    plain(bench, "big-endian", endianess=GGUFEndian.BIG)


def quantized(bench, kind):
    """Quantized by the package from real numbers, or zero blocks if it cannot."""
    block, width = GGML_QUANT_SIZES[kind]
    rows, columns = 6, 4 * block
    writer = new(bench, "type-" + kind.name.lower())
    try:
        numbers = np.linspace(-1, 1, rows * columns, dtype=np.float32).reshape(rows, columns)
        data = gguf.quants.quantize(numbers, kind)
    except NotImplementedError:
        data = np.zeros((rows, columns // block * width), np.uint8)
    if data.dtype == np.uint8:
        writer.add_tensor("a", data, raw_dtype=kind)
    else:
        writer.add_tensor("a", data)
    writer.add_tensor("b", np.zeros(3, np.float32))
    finish(writer)
    if kind == Q8_1:  # the offset of "b" is the package's, four bytes a block too far
        rows = {r["name"]: r for r in bench.tensors(writer.path)}
        same("bytes by ggml", rows["a"]["bytes"], 6 * 4 * 36)
        same("offset of the next", rows["b"]["offset"] - rows["a"]["offset"], 6 * 4 * 40)
        return
    compare(bench, [writer.path], {"a": (kind.name, [6, columns]), "b": ("F32", [3])})


def alignment(bench, bytes_):
    writer = new(bench, f"alignment-{bytes_}")
    writer.add_custom_alignment(bytes_)
    given = add_plain(writer)
    finish(writer)
    compare(bench, [writer.path], given)


def version_two(bench):
    """Version 2 has the layout of version 3 in little endian; the package reads both."""
    writer = new(bench, "version-2")
    writer.add_uint32("llama.block_count", 2)
    given = add_plain(writer)
    finish(writer)
    with open(writer.path, "r+b") as f:
        f.seek(4)
        f.write((2).to_bytes(4, "little"))
    compare(bench, [writer.path], given, version=2)


def names(bench):
    writer = new(bench, "names")
    odd = ["a b", "größe", "重み", "quote\"d", "x" * 63, "blk.0.attn_q.weight"]
    for name in odd:
        writer.add_tensor(name, np.zeros(2, np.float32))
    finish(writer)
    compare(bench, [writer.path], {name: ("F32", [2]) for name in odd})


def five_thousand(bench):
    writer = new(bench, "five-thousand")
    for i in range(5000):
        writer.add_tensor(f"blk.{i // 50}.part.{i % 50}.weight", np.zeros(i % 3 + 1, np.float32))
    finish(writer)
    compare(bench, [writer.path])


def only_architecture(bench):
    writer = new(bench, "only-architecture")
    finish(writer)
    compare(bench, [writer.path], {})


# ---- splits -----------------------------------------------------------------------------------


def split(bench, name, **options):
    writer = new(bench, name, **options)
    writer.add_uint32("llama.block_count", 4)
    given = add_plain(writer)
    finish(writer)
    count = len(writer.format_shard_names(writer.path))
    same("more than one file", count > 1, True)
    paths = [os.path.join(bench.folder, f"{name}-{i + 1:05}-of-{count:05}.gguf")
             for i in range(count)]
    compare(bench, paths, given, big=options.get("endianess") == GGUFEndian.BIG)
    shown = bench.show(paths[-1])
    same("any part opens the whole set", shown["counts"]["tensors"], len(given))
    same("findings", [f["code"] for f in shown["findings"] if f["severity"] != "note"], [])


def run(bench):
    for function in (scalars, arrays, long_array, big_values, nested_array, plain, big_endian,
                     version_two, names, five_thousand, only_architecture):
        bench.case(GROUP, function.__name__, function)
    for kind in GGMLQuantizationType:
        bench.case(GROUP, "type " + kind.name, quantized, kind)
    for bytes_ in (8, 64, 4096):
        bench.case(GROUP, f"alignment {bytes_}", alignment, bytes_)
    bench.case(GROUP, "split by tensors", split, "split-tensors", split_max_tensors=10)
    bench.case(GROUP, "split by size", split, "split-size", split_max_size=500)
    bench.case(GROUP, "split, metadata apart", split, "split-small", split_max_tensors=10,
               small_first_shard=True)
    bench.case(GROUP, "split, big endian", split, "split-big", split_max_tensors=10,
               endianess=GGUFEndian.BIG)
