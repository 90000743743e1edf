"""fixtures/comfyui: header-only copies of a single file for ComfyUI and of a LoRA for such files.

Names and shapes are those of test/truth/components and fixtures/adapters; the data is a hole, except for the alphas,
which `numel behead` keeps. test/gen/make.sh calls it.

  python3 test/gen/picture_heads.py NUMEL DIR      into DIR/comfyui
"""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BYTES = {"F16": 2, "F32": 4, "I64": 8}
HEADS = [
    ("sdxl.safetensors", "test/truth/components/single.jsonl.zst", "SDXL inpainting 0.1"),
    ("lora.safetensors", "fixtures/adapters/lora.jsonl.zst", "sdxl kohya unet only r64 a32"),
]


def case(file, name):
    plain = subprocess.run(["zstd", "-dcq", "--long=27", os.path.join(ROOT, file)], check=True, stdout=subprocess.PIPE).stdout
    return next(c for c in map(json.loads, plain.splitlines()) if c["name"] == name)


def tensors_of(case):
    """A tensor without a stated type is F16, as in such files."""
    return [(t[0], t[1], t[2] if len(t) > 2 else "F16") for t in case["tensors"] + case.get("other_tensors", [])]


def write(path, case):
    header, at = {}, 0
    if case.get("metadata"): header["__metadata__"] = case["metadata"]
    for name, shape, dtype in tensors_of(case):
        end = at + math.prod(shape) * BYTES[dtype]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        f.truncate(8 + len(text) + at)
        for name, entry in header.items():
            if not name.endswith(".alpha"): continue
            f.seek(8 + len(text) + entry["data_offsets"][0])
            f.write(struct.pack("<e" if entry["dtype"] == "F16" else "<f", case["alpha"]))


def main(numel, out):
    with tempfile.TemporaryDirectory() as folder:
        for file, source, title in HEADS:
            path = os.path.join(folder, file)
            write(path, case(source, title))
            subprocess.run([numel, "behead", path, os.path.join(out, "comfyui")], check=True)
    return 0


sys.exit(main(*sys.argv[1:]))
