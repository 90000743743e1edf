"""Other files in a model's folder: further models, training checkpoints, copies, formats that numel does not read.

Folders are assembled from the components in test/truth/components/folders.tar.zst: an XLM-R with weights and
configuration, and under it a CLIP text encoder, a VAE, or files that trainers and converters leave. A model named
in config.json is a component and counts; an unnamed one is judged but does not count; anything else is named in
one line (`around`) and changes nothing. Each correct folder has a neighbour that must not agree.

  B=build/release python3 test/truth/components/around.py [NAME...]
"""
import os
import shutil
import subprocess
import sys
import tempfile

import components as cases
from components import NUMEL, check, edit, gone, row, rows, run, write

OWN, SD = cases.ST, cases.SD
WEIGHTS = "model.safetensors"


def base(root, d, **more):
    """The model itself, with more keys in its configuration."""
    os.makedirs(d)
    for name in "config.json", WEIGHTS: shutil.copy(os.path.join(root, OWN, name), d)
    edit(d + "/config.json", lambda x: x.update(more))


def place(root, d, name, of="text_encoder"):
    shutil.copytree(os.path.join(root, SD, of), os.path.join(d, name))


def copy(d, name, **more):
    """The model again, in its own folder."""
    os.makedirs(os.path.join(d, name))
    for file in "config.json", WEIGHTS: shutil.copy(os.path.join(d, file), os.path.join(d, name))
    edit(os.path.join(d, name, "config.json"), lambda x: x.update(more))


def less(path): gone(path, sorted(cases.read(path))[0])


def leave(d, *names):
    for name in names:
        os.makedirs(os.path.dirname(os.path.join(d, name)), exist_ok=True)
        write(os.path.join(d, name), b"\0" * 10)


def named(root, d): base(root, d, text_encoder="./text_encoder"), place(root, d, "text_encoder")
def unnamed(root, d): base(root, d), place(root, d, "another")


def bare(root, d):
    """No weights of its own: only two models."""
    base(root, d), os.remove(d + "/" + WEIGHTS), place(root, d, "text_encoder"), place(root, d, "decoder", "vae")


# name: (make, verdict, status of reconcile, {component: counted})
MODELS = {
    "named": (named, "agrees", 0, {"model": True, "text_encoder": True}),
    "named-as-a-key": (lambda r, d: [base(r, d, text_encoder_config={}), place(r, d, "text_encoder")], "agrees", 0, {"model": True, "text_encoder": True}),
    "named-deep": (lambda r, d: [base(r, d, parts=[{"at": "x/text_encoder"}]), place(r, d, "text_encoder")], "agrees", 0, {"model": True, "text_encoder": True}),
    "named-by-type": (lambda r, d: [base(r, d, encoder_type="clip_text_model"), place(r, d, "first")], "agrees", 0, {"model": True, "first": True}),
    "named-half": (lambda r, d: [base(r, d, note="text_encoder_2"), place(r, d, "text_encoder")], "agrees", 0, {"model": True, "text_encoder": False}),
    "unnamed": (unnamed, "agrees", 0, {"model": True, "another": False}),
    "own-type": (lambda r, d: [base(r, d), copy(d, "small", vocab_size=5)], "disagrees", 1, {"model": True, "small": False}),
    "two": (lambda r, d: [named(r, d), place(r, d, "vae", "vae")], "agrees", 0, {"model": True, "text_encoder": True, "vae": False}),
    "bare": (bare, "agrees", 0, {"text_encoder": True, "decoder": True}),
    "named-tensor-gone": (lambda r, d: [named(r, d), less(d + "/text_encoder/" + WEIGHTS)], "disagrees", 1, {"model": True, "text_encoder": True}),
    "unnamed-tensor-gone": (lambda r, d: [unnamed(r, d), less(d + "/another/" + WEIGHTS)], "disagrees", 1, {"model": True, "another": False}),
    "own-tensor-gone": (lambda r, d: [named(r, d), less(d + "/" + WEIGHTS)], "disagrees", 1, {"model": True, "text_encoder": True}),
    "bare-row-more": (lambda r, d: [bare(r, d), row(d + "/decoder/diffusion_pytorch_model.safetensors", "decoder.conv_out.weight")],
                      "disagrees", 1, {"text_encoder": True, "decoder": True}),
    "nobodys-class": (lambda r, d: [named(r, d), edit(d + "/text_encoder/config.json", lambda x: x.update(model_type="nobody", architectures=["NobodyModel"]))],
                      "in part", 4, {"model": True, "text_encoder": True}),
}


def several(name, root, d):
    make, verdict, status, counted = MODELS[name]
    make(root, d)
    doc = run("show", d)[1]
    if not check(doc["schema"] == "numel.components/1" and doc["library"] == "transformers", name, doc): return
    check(doc["verdict"] == verdict, name, doc["verdict"], doc["components"])
    check({n: x["counted"] for n, x in rows(doc).items()} == counted, name, rows(doc))
    check(doc["total"]["stored"] == sum(x["stored"] for x in doc["components"] if x["counted"]), name, doc["total"])
    check(doc["around"] == [], name, doc["around"])
    got, docs = run("reconcile", d)
    check(got == status and len(docs) == len(counted) + 1, name, "reconcile is", got)
    strays = [n for n, c in counted.items() if not c]
    got, docs = run("verify", d)
    check(got == (status == 1) and [c for c, _ in cases.codes(docs)] == ["component-unindexed"] * len(strays), name, "verify is", got, cases.codes(docs))
    listed = run("list", d)[1]
    check(len(listed) == 1 and listed[0]["verdict"] == verdict and listed[0]["counts"]["stored"] == doc["total"]["stored"], name, listed)


def trained(root, d):
    base(root, d), copy(d, "checkpoint-500"), leave(d, "checkpoint-500/optimizer.pt", "optimizer.pt", "training_args.bin", "rng_state.pth.txt")


# name: (make, [(place, kind, files)...])
BESIDE = {
    "alone": (base, []),
    "trained": (trained, [("optimizer.pt", "training", 1), ("checkpoint-500", "training", 2)]),
    "trained-broken": (lambda r, d: [trained(r, d), less(d + "/checkpoint-500/" + WEIGHTS)], [("optimizer.pt", "training", 1), ("checkpoint-500", "training", 2)]),
    "trained-by-state": (lambda r, d: [base(r, d), copy(d, "last"), write(d + "/last/trainer_state.json", b"{}")], [("last", "training", 1)]),
    "deepspeed": (lambda r, d: [base(r, d), leave(d, "global_step9/mp_rank_00_model_states.pt", "global_step9/zero_pp_rank_0_mp_rank_00_optim_states.pt")],
                  [("global_step9", "training", 2)]),
    "copy": (lambda r, d: [base(r, d), copy(d, "fp16", torch_dtype="float16", eos_token_id=7)], [("fp16", "copy", 1)]),
    "onnx": (lambda r, d: [base(r, d), leave(d, "onnx/model.onnx", "onnx/model.onnx_data")], [("onnx", "other", 2)]),
    "onnx-with-config": (lambda r, d: [base(r, d), leave(d, "onnx/model.onnx"), shutil.copy(d + "/config.json", d + "/onnx")], [("onnx", "copy", 1)]),
    "original": (lambda r, d: [base(r, d), leave(d, "original/mp0/consolidated.00.pth")], [("original/mp0", "other", 1)]),
    "original-read": (lambda r, d: [base(r, d), copy(d, "original"), write(d + "/original/config.json", b'{"num_layers": 3}')], [("original", "other", 1)]),
    "adapter": (lambda r, d: [base(r, d), copy(d, "lora"), write(d + "/lora/adapter_config.json", b"{}")], [("lora", "adapter", 1)]),
    "pipeline": (lambda r, d: [base(r, d), shutil.copytree(os.path.join(r, SD), d + "/decoder")],
                 [("decoder/" + x, "model", 1) for x in ("text_encoder", "unet", "vae")]),
    "modules": (lambda r, d: [base(r, d), shutil.copytree(os.path.join(r, OWN), d + "/embedder")],
                [("embedder", "components", 1), ("embedder/2_Dense", "other", 1)]),
    "forms": (lambda r, d: [base(r, d), leave(d, "pytorch_model.bin", "tf_model.h5", "flax_model.msgpack")],
              [("flax_model.msgpack", "other", 1), ("pytorch_model.bin", "other", 1), ("tf_model.h5", "other", 1)]),
    "hidden": (lambda r, d: [base(r, d), copy(d, ".cache"), leave(d, ".git/x.pt")], []),
    "linked": (lambda r, d: [base(r, d), leave(d, "x/y.onnx"), os.symlink("..", d + "/x/up"), os.symlink("x", d + "/z")], [("x", "other", 1)]),
    "no-weights": (lambda r, d: [base(r, d), leave(d, "1_Pooling/config.json", "assets/a.png", "README.md", "tokenizer.json")], []),
}


def beside(name, root, d):
    make, expected = BESIDE[name]
    make(root, d)
    alone = d + "-alone"
    base(root, alone)
    status, doc = run("show", d)
    check(status == 0 and doc["schema"] == "numel.show/1", name, status, doc["schema"])
    check([(x["place"], x["kind"], x["files"]) for x in doc["around"]] == expected, name, doc["around"])
    check(doc["counts"] == run("show", alone)[1]["counts"], name, doc["counts"])
    check(run("show", d + "/" + WEIGHTS)[1]["around"] == [], name, "a file reports what is in its folder")
    r = subprocess.run([NUMEL, "reconcile", d], stdout=subprocess.PIPE)
    check(r.returncode == 0 and all(p.encode() in r.stdout.split(b"also here")[-1] for p, _, _ in expected), name, r.stdout)
    shutil.rmtree(alone)


def odd(root, work):
    """A pipeline's folders are already reported, but not other formats in them; a folder of models is not a model."""
    d = os.path.join(work, "pipe")
    shutil.copytree(os.path.join(root, SD), d)
    leave(d, "unet/model.onnx", "unet/deep/x.bin")
    doc = run("show", d)[1]
    check([(x["place"], x["kind"], x["class"]) for x in doc["around"]] == [("unet", "other", None), ("unet/deep", "other", None)], doc["around"])
    d = os.path.join(work, "models")
    os.makedirs(d)
    place(root, d, "one"), place(root, d, "two", "vae")
    docs = run("show", d)[1]
    check([x["schema"] for x in docs] == ["numel.show/1"] * 2, "a place of models", docs)


def main():
    with tempfile.TemporaryDirectory() as work:
        root = cases.unpack(work)
        words = sys.argv[1:]
        for table, judge in ((MODELS, several), (BESIDE, beside)):
            for name in table:
                if not words or name in words: judge(name, root, os.path.join(work, name))
        if not words: odd(root, work)
    print("around: %d folders, %d checks, %d failed" % (len(MODELS) + len(BESIDE), cases.checks, len(cases.failures)))
    for f in cases.failures: print("FAIL", f)
    return bool(cases.failures)


if __name__ == "__main__":
    sys.exit(main())
