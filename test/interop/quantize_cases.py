"""quantize_cases.py -- llama.cpp's own quantizer, by the package cyllama: all its recipes, on small models.

For each file numel verify has no finding about file_type and quantization_version, reconcile agrees, and diff
reports the original, requantized. Then it is labelled as another recipe with a different file, which must be
detected. Recipes that need an importance matrix are left out; without the package all are.
"""
import importlib.util
import json
import os
import struct
import subprocess
import sys

import gguf
import numpy as np

from harness import Mismatch, same

MODELS = {
    "llama": {}, "tied": {"tied": True}, "rows of 320": {"width": 320, "heads": 5, "groups": 1},
    "8 to a group": {"heads": 8, "groups": 1, "layers": 8}, "8 experts": {"experts": 8, "hidden": 256},
    "4 experts": {"experts": 4, "hidden": 256},
}
# by number (llama.h); what this leaves out needs an importance matrix, or was removed
RECIPES = [0, 1, 2, 3, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 25, 26, 27, 30, 32, 36, 37, 38]
# Labelled as the second, the first is detected: each has types that the other lacks.
LIES = [(2, 15), (15, 7), (7, 15), (10, 14), (14, 18), (18, 12), (30, 2), (1, 2), (3, 1), (15, 0), (38, 15)]
QUANTIZE = """
import sys
from cyllama.llama import llama_cpp as llama
for line in sys.stdin:
    source, target, number = line.rstrip("\\n").split("\\t")
    options = llama.LlamaModelQuantizeParams()
    options.ftype, options.nthread = int(number), 2
    llama.model_quantize(source, target, options)
"""


def write(path, width=256, hidden=512, heads=4, groups=2, layers=4, experts=0, tied=False):
    """A Llama in F16 with norms and routers in F32, as the converter leaves it."""
    size, draw = width // heads, np.random.default_rng(1)
    w = gguf.GGUFWriter(path, "llama")
    for key, n in (("block_count", layers), ("context_length", 512), ("embedding_length", width),
                   ("feed_forward_length", hidden), ("attention.head_count", heads),
                   ("attention.head_count_kv", groups), ("vocab_size", 512), ("rope.dimension_count", size)):
        w.add_uint32("llama." + key, n)
    w.add_layer_norm_rms_eps(1e-6)
    w.add_file_type(1)
    w.add_quantization_version(2)
    if experts:
        w.add_expert_count(experts)
        w.add_expert_used_count(2)
    w.add_tokenizer_model("llama")
    w.add_token_list([f"t{i}" for i in range(512)])
    w.add_token_scores([0.0] * 512)
    w.add_token_types([1] * 512)

    def matrix(name, *shape, kind=np.float16):
        w.add_tensor(name + ".weight", (draw.standard_normal(shape) * 0.02).astype(kind))

    matrix("token_embd", 512, width)
    if not tied:
        matrix("output", 512, width)
    matrix("output_norm", width, kind=np.float32)
    for i in range(layers):
        layer, stack = f"blk.{i}.", (experts,) if experts else ()
        for norm in "attn_norm", "ffn_norm":
            matrix(layer + norm, width, kind=np.float32)
        matrix(layer + "attn_q", width, width)
        matrix(layer + "attn_output", width, width)
        for part in "attn_k", "attn_v":
            matrix(layer + part, groups * size, width)
        end = "_exps" if experts else ""
        for part in "ffn_gate", "ffn_up":
            matrix(layer + part + end, *stack, hidden, width)
        matrix(layer + "ffn_down" + end, *stack, width, hidden)
        if experts:
            matrix(layer + "ffn_gate_inp", experts, width, kind=np.float32)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


def said(bench, path):
    """verify's findings about the type metadata."""
    findings = json.loads(bench.run("verify", "--json", path))["findings"]
    return [f["message"] for f in findings if f["code"].startswith(("file-type", "quantization-version"))]


def is_requantized(bench, original, path):
    if not os.path.exists(path):
        raise Mismatch("llama.cpp did not make it")
    same("file_type and quantization_version", said(bench, path), [])
    same("reconcile", json.loads(bench.run("reconcile", "--json", path))["agrees"], True)
    report = json.loads(bench.run("diff", "--json", original, path))
    same("diff: equal", report["equal"], True)
    types = {t["name"]: t["dtype"] for t in bench.tensors(path)}
    changed = sum(types[t["name"]] != t["dtype"] for t in bench.tensors(original))
    same("diff: requantized", sum(r["tensors"] for r in report["requantized"]), changed)


def is_found_out(bench, path, number):
    key, data = b"general.file_type", bytearray(open(path, "rb").read())
    struct.pack_into("<I", data, data.index(key) + len(key) + 4, number)
    lie = path[:-5] + f"-as-{number}.gguf"
    open(lie, "wb").write(data)
    if not said(bench, lie):
        raise Mismatch("nothing was reported")
    os.remove(lie)


def run(bench):
    if not importlib.util.find_spec("cyllama"):
        print("llama.cpp's quantizer is left out: no package cyllama")
        return
    folder = os.path.join(bench.folder, "quantized")
    os.makedirs(folder)
    for model, sizes in MODELS.items():
        stem = os.path.join(folder, model.replace(" ", "-"))
        write(stem + ".gguf", **sizes)
        made = {n: f"{stem}-{n}.gguf" for n in RECIPES}
        lines = "".join(f"{stem}.gguf\t{target}\t{n}\n" for n, target in made.items())
        subprocess.run([sys.executable, "-c", QUANTIZE], input=lines, text=True, check=False,
                       stdout=subprocess.DEVNULL, stderr=open(stem + ".log", "w"))
        for n, target in made.items():
            bench.case("llama.cpp quantizes, numel diff", f"{model}, file type {n}", is_requantized,
                       stem + ".gguf", target)
        for n, other in LIES if model == "llama" else ():
            bench.case("labelled as another recipe", f"{n} as {other}", is_found_out, made[n], other)
        for target in made.values():
            if os.path.exists(target):
                os.remove(target)
