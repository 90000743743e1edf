"""Neighbours of open_clip's models, with open_clip's and timm's towers: each has one error, and none may agree.

Cases are those of fixtures/oracle/open_clip.jsonl.zst, which open_clip built; a file is a header and a hole. A
missing tensor, an extra row, an extra tensor, a type that weights cannot have, the sizes of another architecture;
then a folder with two models, each with its own configuration. Models that open_clip knows by name are identified
without one; their neighbours are not. For unpublished sizes the tensors show everything that shapes depend on:
such a file agrees in part as open_clip's, and a neighbour agrees neither as that nor as anything else.

  B=build/release python3 test/truth/components/towers.py [NAME...]
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path += [os.path.dirname(os.path.abspath(__file__)), os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support")]
import training
from files import listed, sparse, type_of
from components import ROOT, check, failures, taken, write
import components

NAMES = ("small.1", "small.7", "small.15", "ViT-B-16-SigLIP", "ViT-SO400M-14-SigLIP", "EVA02-B-16", "convnext_base_w", "convnext_large_d_320", "mt5-base-ViT-B-32", "nllb-clip-base")


def save(path, tensors):
    sparse(path, listed(tensors))


def neighbours(tensors, towers):
    """One tensor from the middle of each tower: {what: tensors}."""
    for start in towers:
        some = [n for n in tensors if n.startswith(start) and len(tensors[n][1]) > 0 and tensors[n][0] == "F32"]
        for name in (some[0], some[len(some) // 2], some[-1]):
            dtype, shape = tensors[name]
            yield name + " gone", training.but(tensors, name, None)
            yield name + " longer", training.but(tensors, name, (dtype, [shape[0] + 1] + shape[1:]))
            if ".running_" not in name: yield name + " of integers", training.but(tensors, name, ("I64", shape))
    yield "one more", training.but(tensors, "visual.trunk.more.weight", ("F32", [3, 5]))


ALONE = ("ViT-bigG-14", "RN50", "coca_roberta-ViT-B-32", "ViT-B-16-SigLIP", "EVA02-B-16", "convnext_base_w", "convnext_large_d_320", "MobileCLIP-S1", "nllb-clip-base")


SIZES = ("small.1", "small.4", "small.7", "small.11", "small.12", "small.15", "small.16", "small.18")


def all_tensors(case):
    tensors = {n: ("F32", s) for n, s in case["params"].items()}
    tensors.update({n: (type_of(n), s) for n, s in case["buffers"].items()})
    return tensors


def towers_of(tensors):
    """The prefix of each tower."""
    return "visual.", "text." if any(n.startswith("text.") for n in tensors) else "transformer."


def run_alone(case, work):
    """A file without configuration, identified by its full name; a neighbour is not."""
    file, tensors = "%s/%s.safetensors" % (work, case["case"].replace("/", "_")), all_tensors(case)
    save(file, tensors)
    status, doc = training.said("reconcile", file)
    check(status == 4 and doc["architecture"] == "open_clip" and doc["verdict"].endswith("inferred from the tensors") and
          doc["counts"]["parameters"] == case["num_parameters"], case["case"], "alone", status, doc["verdict"], doc["counts"])
    for what, other in list(neighbours(tensors, towers_of(tensors)))[:: 1 if "RN50" in case["case"] else 6]:
        save(file, other)
        status, doc = training.said("reconcile", file)
        check(not (doc["verdict"].startswith("agrees") and doc["architecture"] == "open_clip"), case["case"], "alone", what, doc["verdict"])


def without(tensors, start):
    return {n: t for n, t in tensors.items() if not n.startswith(start)}


def wrong_sizes(tensors):
    """Tensors that no sizes explain: {what: tensors}."""
    text = "text." if any(n.startswith("text.") for n in tensors) else ""
    lost = ["visual.proj", "visual.class_embedding", "visual.conv1.weight", text + "token_embedding.weight", text + "ln_final.weight", "logit_scale", "visual.attn_pool.query",
            "text_projection", "text.text_projection", "text.proj.weight"]
    rows = ["visual.positional_embedding", "visual.attnpool.positional_embedding", "text.transformer.embeddings.word_embeddings.weight"]
    blocks = ["visual.transformer.resblocks.0.", "visual.transformer.resblocks.1.", "visual.layer3.1.", text + "transformer.resblocks.0.", "text_decoder.resblocks.0.", "text.transformer.encoder.layer.5."]
    for name in lost:
        if name in tensors: yield name + " gone", training.but(tensors, name, None)
    for name in rows:
        if name in tensors: yield name + " longer", training.but(tensors, name, ("F32", [tensors[name][1][0] + 1] + tensors[name][1][1:]))
    text_blocks = text + "transformer.resblocks."
    if any(n.startswith(text_blocks) for n in tensors): yield "all blocks of text gone", without(tensors, text_blocks)
    for start in blocks:
        if any(n.startswith(start) for n in tensors): yield start + " gone", without(tensors, start)
    yield "two scales", training.but(tensors, "logit_scale", ("F32", [2]))
    yield "one more", training.but(tensors, "visual.more.weight", ("F32", [3, 5]))


def run_sizes(case, work):
    file, tensors = "%s/%s.safetensors" % (work, case["case"].replace("/", "_")), all_tensors(case)
    save(file, tensors)
    status, doc = training.said("reconcile", file)
    check(status == 4 and doc["architecture"] == "open_clip" and doc["verdict"].endswith("inferred from the tensors") and
          doc["counts"]["parameters"] == case["num_parameters"], case["case"], "of its size", status, doc["verdict"])
    for what, other in wrong_sizes(tensors):
        save(file, other)
        status, doc = training.said("reconcile", file)
        check(status != 0 and not doc["verdict"].startswith("agrees") and doc["architecture"] in (None, "open_clip"), case["case"], what, doc["architecture"], doc["verdict"])


def run(case, work):
    folder, config = work + "/" + case["case"], case["configs"]["dropped"]
    tensors = all_tensors(case)
    write(folder + "/open_clip_config.json", json.dumps(config).encode())
    file = folder + "/open_clip_model.safetensors"
    save(file, tensors)
    status, doc = training.said("reconcile", folder)
    check(status == 0 and doc["agrees"] and doc["counts"]["parameters"] == case["num_parameters"], case["case"], status, doc["counts"])
    for what, other in neighbours(tensors, towers_of(tensors)):
        if not taken(2, case["case"], what): continue
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
    known = {c["case"].split("/")[1]: c for c in map(json.loads, plain.splitlines())}
    cases, alone, sizes = [[known[n] for n in sys.argv[1:] or names] for names in (NAMES, ALONE, SIZES)]
    with tempfile.TemporaryDirectory() as work:
        for case in cases: run(case, work)
        for case in alone: run_alone(case, work)
        for case in sizes: run_sizes(case, work)
    print("towers: %d models, %d alone, %d of any size, %d checks, %d failed" % (len(cases), len(alone), len(sizes), components.checks, len(failures)))
    for f in failures: print("FAIL", f)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
