"""What no class of diffusers can be built of must not agree, however right the file beside it is.

test/diffusers/refused.jsonl.zst (test/gen/refused_cases.py) has configurations with one argument that is not what it should be, and what the class
itself made of each. The file is that of the case: where the class raises, numel must not agree; where it builds the same tensors all the same, numel must.
A few are known to go wrong: OWED, by class and argument.

  B=build/release python3 test/refused.py [-v] [CLASS...]
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(ROOT, "test", "support"))
from files import put, sparse, stored, type_of

NUMEL = os.path.join(os.path.abspath(os.environ.get("B", os.path.join(ROOT, "build", "release"))), "numel")


# What a class takes for a flag or never looks at, and no one writes: these do not agree, and might.
OWED = {
    ("AutoencoderKLKVAEVideo", "temporal_compress_times"),
    ("AutoencoderKLWan", "temperal_downsample"),
    ("ChromaTransformer2DModel", "patch_size"),
    ("FluxControlNetModel", "patch_size"),
    ("GlmImageTransformer2DModel", "patch_size"),
    ("MiniMaxMusic3RVQDepthDecoder", "num_attention_heads"),
    ("OvisImageTransformer2DModel", "patch_size"),
    ("QwenImageControlNetModel", "patch_size"),
    ("SanaWMTransformer3DModel", "image_size"),
}


def written(folder, case, change):
    put(folder + "/config.json", json.dumps({**case["configs"]["whole"], **change}).encode())
    tensors = {**{n: s for n, s in case["params"].items() if n not in case["tied"]}, **case["buffers"]}
    sparse(folder + "/diffusion_pytorch_model.safetensors", [(n, type_of(n), s) for n, s in tensors.items()])


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("-")]
    rows = [r for r in stored(os.path.join(ROOT, "test/diffusers/refused.jsonl.zst")) if not words or any(w in r["case"] for w in words)]
    cases = {c["case"]: c for f in ("diffusers", "diffusers_sizes") for c in stored(os.path.join(ROOT, "fixtures/oracle/%s.jsonl.zst" % f))}
    failed = owed = 0
    with tempfile.TemporaryDirectory() as work:
        for i, row in enumerate(rows): written("%s/%d" % (work, i), cases[row["case"]], row["change"])
        r = subprocess.run([NUMEL, "list", "--json", work], stdout=subprocess.PIPE, check=True)
        said = {int(os.path.relpath(x["path"], work).split(os.sep)[0]): x["verdict"] for x in map(json.loads, r.stdout.splitlines())}
    for i, row in enumerate(rows):
        if (said[i] == "agrees") == (row["why"] is None): continue
        known = (cases[row["case"]]["class"], *row["change"]) in OWED
        owed, failed = owed + known, failed + (not known)
        if not known or "-v" in sys.argv: print("owed" if known else "FAIL", row["case"], json.dumps(row["change"]), said[i], row["why"] or "is built all the same")
    print("refused: %d configurations, %d of them well, %d failed, %d owed" % (len(rows), sum(r["why"] is None for r in rows), failed, owed))
    return failed > 0 or not rows


sys.exit(main())
