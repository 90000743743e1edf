"""Neighbours of open_clip's models, with towers of its own and of timm's: in each one thing is wrong, and none may agree.

Cases are those of fixtures/oracle/open_clip.jsonl.zst, which open_clip built; a file is a header and a hole. A tensor gone, a row more, one tensor
more, a type that is no weight's, the sizes of another architecture; then a folder with two models, each with its own configuration.

  B=build/release python3 test/towers.py [NAME...]
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path += [os.path.dirname(os.path.abspath(__file__)), os.path.join(os.path.dirname(os.path.abspath(__file__)), "support")]
import training
from files import listed, sparse, type_of
from components import ROOT, check, failures, write
import components

NAMES = ("small.1", "small.7", "small.15", "ViT-B-16-SigLIP", "ViT-SO400M-14-SigLIP", "EVA02-B-16", "convnext_base_w", "convnext_large_d_320", "mt5-base-ViT-B-32", "nllb-clip-base")


def save(path, tensors):
    sparse(path, listed(tensors))


def neighbours(tensors, towers):
    """Of each tower one in the middle: {what: tensors}."""
    for start in towers:
        some = [n for n in tensors if n.startswith(start) and len(tensors[n][1]) > 0 and tensors[n][0] == "F32"]
        for name in (some[0], some[len(some) // 2], some[-1]):
            dtype, shape = tensors[name]
            yield name + " gone", training.but(tensors, name, None)
            yield name + " longer", training.but(tensors, name, (dtype, [shape[0] + 1] + shape[1:]))
            if ".running_" not in name: yield name + " of integers", training.but(tensors, name, ("I64", shape))
    yield "one more", training.but(tensors, "visual.trunk.more.weight", ("F32", [3, 5]))


def run(case, work):
    folder, config = work + "/" + case["case"], case["configs"]["dropped"]
    tensors = {n: ("F32", s) for n, s in case["params"].items()}
    tensors.update({n: (type_of(n), s) for n, s in case["buffers"].items()})
    write(folder + "/open_clip_config.json", json.dumps(config).encode())
    file = folder + "/open_clip_model.safetensors"
    save(file, tensors)
    status, doc = training.said("reconcile", folder)
    check(status == 0 and doc["agrees"] and doc["counts"]["parameters"] == case["num_parameters"], case["case"], status, doc["counts"])
    text = [n for n in tensors if not n.startswith("visual.")]
    for what, other in neighbours(tensors, ("visual.", "text." if text[-1].startswith("text.") else "transformer.")):
        save(file, other)
        status, doc = training.said("reconcile", folder)
        check(status != 0 and doc["agrees"] is not True, case["case"], what, status)
    save(file, tensors)
    training.make(folder, training.WEIGHTS)  # another model, and its config.json, in the same folder
    for name, count in (("open_clip_model", case["num_parameters"]), ("model", training.N)):
        status, doc = training.said("reconcile", "%s/%s.safetensors" % (folder, name))
        check(status == 0 and doc["counts"]["parameters"] == count, case["case"], name, "beside another", status, doc["counts"])
    tower = config["model_cfg"]["vision_cfg"]
    if "timm_model_name" not in tower: return
    for other in ("vit_small_patch16_224", "nobody_knows_it"):
        tower["timm_model_name"] = other
        write(folder + "/open_clip_config.json", json.dumps(config).encode())
        status, doc = training.said("reconcile", file)
        check(status != 0 and doc["agrees"] is not True, case["case"], other, status)


def main():
    plain = subprocess.run(["zstd", "-dcq", "--long=27", ROOT + "/fixtures/oracle/open_clip.jsonl.zst"], check=True, stdout=subprocess.PIPE).stdout
    wanted = ["open_clip/" + n for n in sys.argv[1:] or NAMES]
    with tempfile.TemporaryDirectory() as work:
        cases = [c for c in map(json.loads, plain.splitlines()) if c["case"] in wanted]
        check(len(cases) == len(wanted), "cases", len(cases))
        for case in cases: run(case, work)
    print("towers: %d models, %d checks, %d failed" % (len(cases), components.checks, len(failures)))
    for f in failures: print("FAIL", f)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
