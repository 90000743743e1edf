"""Pipelines with quantized components, as diffusers and transformers save them with bitsandbytes and quanto.

In the folders of test/truth/components/folders.tar.zst, all linear layers of a transformer, a UNet and a text
encoder are stored as the quantizer stores them, and config.json states it: each component keeps its number of
parameters. numel refuses a weight with a missing or wrongly sized tensor, a quantization that the configuration
does not state, and a stated quantization of plain weights.

  B=build/release python3 test/truth/components/components_quantized.py [-a | FOLDER...]      -a: every folder, with what is wrong of each
"""
import json
import math
import os
import shutil
import sys
import tempfile

import components as cases
from components import DTYPES, check, edit, packed, read, rows, run, taken, write
from single_quantized import four_bits

FOLDERS = {"tiny-flux": ("transformer", "text_encoder_2"), "tiny-sd3": ("transformer", "text_encoder"), "tiny-sdxl": ("unet", "text_encoder_2"),
           "tiny-wan-t2v": ("transformer", "text_encoder"), "tiny-pixart-sigma": ("transformer",)}
EVERY = "-a" in sys.argv
USUAL = "tiny-flux", "tiny-sdxl"
TABLES = "embed_tokens", "shared", "relative_attention_bias", "token_embedding", "position_embedding"
SIZES = {**DTYPES, "U8": 1, "I8": 1}


def eight_bits(o, i): return {"": ("I8", [o, i]), ".SCB": ("F32", [o]), ".weight_format": ("U8", [])}
def quanto(o, i): return {".weight._data": ("I8", [o, i]), ".weight._scale": ("BF16", [o, 1]), ".input_scale": ("BF16", []), ".output_scale": ("BF16", [])}


def bits(n, **more):
    return {"quant_method": "bitsandbytes", "load_in_4bit": n == 4, "load_in_8bit": n == 8, "bnb_4bit_quant_storage": "uint8", "bnb_4bit_use_double_quant": False,
            "llm_int8_skip_modules": None, **more}


FORMS = {  # name: the tensors of a weight, the statement in the configuration
    "nf4": (four_bits, bits(4, bnb_4bit_quant_type="nf4")),
    "fp4": (lambda o, i: four_bits(o, i, "fp4"), bits(4, bnb_4bit_quant_type="fp4")),
    "double": (lambda o, i: four_bits(o, i, double=True), bits(4, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True)),
    "int8": (eight_bits, bits(8)),
    "quanto": (quanto, {"quant_method": "quanto", "weights_dtype": "int8", "modules_to_not_convert": []}),
}


def state(name, shape):
    """The text in which bitsandbytes describes the original weight."""
    if "quant_state" not in name: return None
    said = {"quant_type": name.rsplit("__", 1)[1], "blocksize": 64, "dtype": "bfloat16", "shape": shape}
    return json.dumps(said).encode()


def made(tensors, form):
    """All linear layers, with data: the short texts are read."""
    out = {}
    for name, (dtype, shape, data) in tensors.items():
        if len(shape) != 2 or not name.endswith(".weight") or any(t in name for t in TABLES):
            out[name] = dtype, shape, data
            continue
        for suffix, (kind, size) in form(*shape).items():
            text = state(suffix, shape)
            value = (kind, [len(text)], text) if text else (kind, size, b"\0" * SIZES[kind] * math.prod(size))
            out[name[:-7] + (suffix or ".weight")] = value
    return out


def path_of(d, component):
    """Of the one file of weights."""
    return next(os.path.join(d, component, x) for x in os.listdir(os.path.join(d, component)) if x.endswith(".safetensors"))


def told(d, component, config):
    edit(os.path.join(d, component, "config.json"), lambda x: x.update(quantization_config=config))


def larger(tensor):
    dtype, shape, data = tensor
    return dtype, [shape[0] + 1] + shape[1:], data + data[:len(data) // shape[0]]


def wrong(tensors, form):
    """(what, tensors): each tensor of one weight removed, and enlarged; all tensors of a kind removed."""
    stem = sorted(n for n in tensors if n.endswith((".absmax", ".SCB", ".weight._scale")))[0].removesuffix("_scale").rpartition(".")[0]
    stem = stem.removesuffix(".weight")
    for suffix, (_, shape) in form(48, 48).items():
        name = stem + (suffix or ".weight")
        if suffix.endswith(("put_scale", "weight_format")): continue  # created on load
        yield suffix + " gone", {n: t for n, t in tensors.items() if n != name}
        if shape and "quant_state" not in suffix: yield suffix + " larger", {**tensors, name: larger(tensors[name])}
        if suffix: yield "each " + suffix + " gone", {n: t for n, t in tensors.items() if not n.endswith(suffix)}


def verdict_of(d, component):
    status, docs = run("reconcile", d)
    return status, rows(docs[-1])[component]["verdict"], docs[-1]["total"]["parameters"]


def each_wrong(d, component, form, plain):
    make, config = FORMS[form]
    path = path_of(d, component)
    tensors = read(path)
    for what, altered in wrong(tensors, make):
        if not taken(2, os.path.basename(d), form, what): continue
        write(path, packed(altered))
        check(verdict_of(d, component)[:2] == (1, "disagrees"), d, component, form, what, verdict_of(d, component))
    write(path, plain)
    check(verdict_of(d, component)[1] != "agrees", d, component, form, "is stated, but nothing is quantized")
    write(path, packed(tensors))
    told(d, component, FORMS["int8" if form == "quanto" else "quanto"][1])
    check(verdict_of(d, component)[0], d, component, form, "another quantizer is stated")
    told(d, component, config)


def folder(root, work, name):
    for form, (make, config) in FORMS.items():
        d = os.path.join(work, name + "-" + form)
        shutil.copytree(os.path.join(root, "pipelines", name), d)
        parameters = run("show", d)[1]["total"]["parameters"]
        for component in FOLDERS[name]:
            path = path_of(d, component)
            with open(path, "rb") as f: plain = f.read()
            write(path, packed(made(read(path), make)))
            told(d, component, config)
            check(verdict_of(d, component) == (0, "agrees", parameters), name, form, component, verdict_of(d, component), parameters)
            if component == "transformer" and (name == "tiny-flux" or EVERY): each_wrong(d, component, form, plain)
        shutil.rmtree(d)


def main():
    with tempfile.TemporaryDirectory() as work:
        root = cases.unpack(work)
        for name in FOLDERS:
            if EVERY or name in (sys.argv[1:] or USUAL): folder(root, work, name)
    print("components, quantized: %d forms, %d checks, %d failed" % (len(FORMS), cases.checks, len(cases.failures)))
    for f in cases.failures: print("FAIL", f)
    return bool(cases.failures)


if __name__ == "__main__":
    sys.exit(main())
