"""Multi-part models in folders: diffusers' pipelines, and sentence-transformers.

test/truth/components/folders.tar.zst holds folders that diffusers 0.42.1 and sentence-transformers 6.2.0 saved
(with one repeated byte as weights); truth.jsonl holds those packages' own facts about them: components, classes,
files, elements, totals. First every folder unchanged: numel knows all the classes, so each component agrees, and
so does the whole. Then each component altered: a missing tensor, an extra one and an extra row must be refused,
and an unknown class must not agree. Then neighbours with one error each: the output of show, reconcile and verify,
and their status.

  B=build/release python3 test/truth/components/components.py [NAME...]
"""
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path += [os.path.join(ROOT, "test", folder) for folder in ("support", "truth")]
import files
from sample import taken

NUMEL = os.path.join(os.path.abspath(os.environ.get("B", os.path.join(ROOT, "build", "release"))), "numel")
HERE = os.path.join(ROOT, "test", "truth", "components")
failures, checks = [], 0
write = files.put


def check(ok, *what):
    global checks
    checks += 1
    if not ok: failures.append(" ".join(map(str, what))[:500])
    return ok


def run(command, path, *more):
    r = subprocess.run([NUMEL, command, path, "--json", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    if command in ("tensors", "list"): return r.returncode, [json.loads(x) for x in r.stdout.splitlines()]
    return r.returncode, json.loads(r.stdout)


def rows(doc):
    return {c["name"] + ("." + c["variant"] if c["variant"] else ""): c for c in doc["components"]}


def codes(doc):
    """The findings about the folder itself: in its report, the last one."""
    return [(f["code"], f["message"]) for f in doc[-1]["findings"]]


# ---- unchanged

DTYPES = {"F32": 4, "F16": 2, "BF16": 2}


def pipeline_as_it_is(case, found):
    for c in case["components"]:
        x = found.get(c["component"])
        if not check(x, case["folder"], c["component"], "is not reported"): continue
        if c.get("present") is False:
            check(x["state"] == "absent" and x["class"] is None, case["folder"], x)
            continue
        check(x["class"] == c["cls"] and x["library"] == c["library"], case["folder"], x)
        if c["kind"] != "model":
            check(x["state"] == "no weights" and not x["counted"], case["folder"], x)
            continue
        check(x["state"] == "weights" and x["counted"] and x["files"] == len(c["files"]) and x["tensors"] == c["tensors"] and
              x["stored"] == c["stored_elements"] and x["dtype"] in c["dtypes"] and x["verdict"] == "agrees", case["folder"], c, x)


def modules_as_they_are(case, found):
    types = [t.rsplit(".", 1)[1] for t in case["modules"]]
    check([x["class"] for x in found.values()] == types, case["folder"], list(found))
    for file, (tensors, elements) in case["files"].items():
        place = os.path.dirname(file)
        x = [x for x in found.values() if x["path"] and os.path.basename(os.path.dirname(x["path"])) == (place or os.path.basename(case["folder"]))]
        check(len(x) == 1 and x[0]["tensors"] == tensors and x[0]["stored"] == elements and x[0]["verdict"] == "agrees", case["folder"], file, x)


def as_it_is(case, path):
    status, doc = run("show", path)
    found = rows(doc)
    check(status == 0 and doc["class"] == case["class"], path, status, doc["class"])
    (modules_as_they_are if "modules" in case else pipeline_as_it_is)(case, found)
    counted = [x for x in doc["components"] if x["counted"]]
    for key in ("stored", "tensors", "bytes"):
        check(doc["total"][key] == sum(x[key] for x in counted), path, key, doc["total"])
    stored = sum(c.get("stored_elements", 0) for c in case.get("components", ())) or case["total_parameters"]
    check(doc["total"]["stored"] == stored, path, doc["total"], stored)
    check(doc["total"]["parameters"] == case["total_parameters"], path, doc["total"], case["total_parameters"])
    check(all(x["verdict"] == "agrees" for x in counted), path, "does not agree", [(x["name"], x["verdict"]) for x in counted])
    status, docs = run("reconcile", path)
    check(len(docs) == len(counted) + 1 and docs[-1]["schema"] == "numel.components/1", path, [d["schema"] for d in docs])
    check(docs[-1]["verdict"] == "agrees" and status == 0, path, status, docs[-1]["verdict"])
    listed = run("list", path)[1]
    check(len(listed) == 1 and listed[0]["counts"] == {k: doc["total"][k] for k in listed[0]["counts"]} and listed[0]["architecture"] == case["class"],
          path, listed, doc["total"])
    status, docs = run("verify", path)
    check(status == 0 and codes(docs) == [], path, status, codes(docs))
    status, lines = run("tensors", path)
    check(status == 0 and {x["component"] for x in lines} == {x["name"] for x in counted} and len(lines) == doc["total"]["tensors"], path, status)


# ---- neighbours

def edit(path, change):
    with open(path) as f: doc = json.load(f)
    doc = change(doc) or doc
    with open(path, "w") as f: json.dump(doc, f)


def put(doc, *pairs):
    for k, v in pairs: doc[k] = v


def read(path):
    """{name: (dtype, shape, bytes)}, in the order of the file."""
    head, start = files.opened(path)
    head.pop("__metadata__", None)
    with open(path, "rb") as f: data = f.read()[start:]
    return {k: (v["dtype"], v["shape"], data[slice(*v["data_offsets"])]) for k, v in sorted(head.items(), key=lambda x: x[1]["data_offsets"])}


def packed(tensors):
    """Their data may be longer than they are."""
    tensors = {k: (dtype, shape, data[:math.prod(shape) * DTYPES.get(dtype, 8)]) for k, (dtype, shape, data) in tensors.items()}
    head, _ = files.laid([(k, dtype, shape) for k, (dtype, shape, _) in tensors.items()], {"format": "pt"})
    return files.frame(files.padded(head), b"".join(data for _, _, data in tensors.values()))


NEEDED = ["component-missing", "component-unindexed"]


def piped(d, name):
    """Changes the class of the pipeline."""
    edit(d + "/model_index.json", lambda x: put(x, ("_class_name", name)))


def unnamed(d, name, null=False):
    """The index names no such component, or says that there is none; its folder is there."""
    edit(d + "/model_index.json", lambda x: {k: [None, None] if k == name else v for k, v in x.items() if null or k != name})


def half(path):
    """The same tensors in F16."""
    return packed({k: ("F16", shape, data[:len(data) // 2]) for k, (_, shape, data) in read(path).items()})


def gone(path, name):
    """Without the tensor."""
    tensors = read(path)
    del tensors[name]
    write(path, packed(tensors))


def more(path, name):
    """Stores it again, under a name that no model has."""
    tensors = read(path)
    tensors["one_more." + name] = tensors[name]
    write(path, packed(tensors))


def row(path, name):
    """The tensor with one extra row."""
    tensors = read(path)
    dtype, shape, data = tensors[name]
    tensors[name] = dtype, [shape[0] + 1] + shape[1:], data + data[:len(data) // shape[0]]
    write(path, packed(tensors))


def cut(path):
    os.truncate(path, os.path.getsize(path) * 2 // 3)


def nobodys(d, *components, name="ModelOfNobody"):
    """Changes it to an unknown class, also in the index."""
    for c in components:
        edit(d + "/" + c + "/config.json", lambda x: put(x, ("_class_name", name)))
        edit(d + "/model_index.json", lambda x: put(x, (c, ["diffusers", name])))


def nobodys_own(d, name, library, cls):
    """A component of that class, with an empty configuration."""
    shutil.copytree(d + "/text_encoder", d + "/" + name)
    edit(d + "/" + name + "/config.json", lambda x: {"architectures": [cls], "model_type": "nobodys"})
    edit(d + "/model_index.json", lambda x: put(x, (name, [library, cls])))


# ---- each component altered

def alike(case, d, name, verdict, status, whole, *what):
    """One component gets `verdict`, the others agree as before."""
    got, docs = run("reconcile", d)
    others = [x["name"] for x in docs[-1]["components"] if x["counted"] and x["name"] != name and x["verdict"] != "agrees"]
    check(got == status and docs[-1]["verdict"] == whole and rows(docs[-1])[name]["verdict"] == verdict and not others,
          case["folder"], name, *what, "reconcile is", got, docs[-1]["verdict"], rows(docs[-1])[name]["verdict"], others)


def each_altered(case, root, work):
    d = os.path.join(work, "altered")
    shutil.copytree(os.path.join(root, case["folder"]), d)
    models = [c for c in case["components"] if c.get("kind") == "model"]
    for c in models:
        path = d + "/" + c["component"] + "/" + c["files"][0]
        with open(path, "rb") as f: before = f.read()
        tensors = read(path)
        names = sorted(tensors)
        for name in names[0], names[len(names) // 2], names[-1]:
            for change in gone, more, row:
                if not taken(3, case["folder"], c["component"], change.__name__, name): continue
                change(path, name)
                alike(case, d, c["component"], "disagrees", 1, "disagrees", change.__name__, name)
                write(path, before)
        if c["library"] != "diffusers": continue
        said = [d + "/model_index.json", d + "/" + c["component"] + "/config.json"]
        texts = [open(x, "rb").read() for x in said]
        nobodys(d, c["component"])
        alike(case, d, c["component"], "unknown", 4, "in part" if len(models) > 1 else "unknown", "of an unknown class")
        for x, text in zip(said, texts): write(x, text)
    check(run("reconcile", d)[0] == 0, case["folder"], "does not agree again")
    shutil.rmtree(d)


# ---- one error

SD, ST = "pipelines/tiny-sd15", "sentence-transformers/xlmr-dense"
DDPM, CN = "pipelines/tiny-ddpm", "pipelines/tiny-sd15-controlnet"
UNET, VAE = "unet/diffusion_pytorch_model", "vae/diffusion_pytorch_model.safetensors"
WHOLE = 19306 + 985444 + 658375  # of its text encoder, UNet and VAE


def variants(d, keep):
    write(d + "/" + UNET + ".fp16.safetensors", half(d + "/" + UNET + ".safetensors"))
    shutil.copy(d + "/" + UNET + ".safetensors", d + "/" + UNET + ".non_ema.safetensors")
    if not keep: os.remove(d + "/" + UNET + ".safetensors")


def average(d):
    """As diffusers' EMAModel saves it: the class's configuration, with its own keys."""
    shutil.copytree(d + "/unet", d + "/unet_ema")
    edit(d + "/unet_ema/config.json", lambda x: put(x, ("decay", 0.9999), ("optimization_step", 500), ("use_ema_warmup", False), ("inv_gamma", 1.0)))


def guided(d, there):
    edit(d + "/model_index.json", lambda x: put(x, ("guider", ["diffusers", "AdaptiveProjectedMixGuidance"])))
    if there: write(d + "/guider/guider_config.json", b'{"_class_name": "AdaptiveProjectedMixGuidance", "guidance_scale": 3.5}')


def wider(d):
    """A text encoder of another width, complete by itself."""
    path, config = d + "/text_encoder/model.safetensors", d + "/text_encoder/config.json"
    with open(config) as f: was = json.load(f)["hidden_size"]
    write(path, packed({k: (dtype, [x + 4 * (x == was) for x in shape], data * 2) for k, (dtype, shape, data) in read(path).items()}))
    edit(config, lambda x: put(x, ("hidden_size", was + 4)))


def deeper(d):
    """A VAE with two more latent channels, complete by itself."""
    more = {"encoder.conv_out.weight": (4,), "encoder.conv_out.bias": (4,), "quant_conv.weight": (4, 4), "quant_conv.bias": (4,), "post_quant_conv.weight": (2, 2),
            "post_quant_conv.bias": (2,), "decoder.conv_in.weight": (0, 2)}
    tensors = read(d + "/" + VAE)
    for k, plus in more.items():
        if k not in tensors: continue
        dtype, shape, data = tensors[k]
        tensors[k] = dtype, [x + p for x, p in zip(shape, plus + (0,) * 9)], data * 4
    write(d + "/" + VAE, packed(tensors))
    edit(d + "/vae/config.json", lambda x: put(x, ("latent_channels", x["latent_channels"] + 2)))


def sharded(d, form, index, whole=True):
    """The UNet in two shards of a variant, named as `form` states; `index`: that of the folder, or None."""
    path, names = d + "/" + UNET + ".safetensors", {}
    tensors = read(path)
    keys = sorted(tensors)
    for i in 1, 2:
        part = {k: tensors[k] for k in keys[i - 1::2]}
        names.update(dict.fromkeys(part, os.path.basename(form % i)))
        if whole or i == 1: write(d + "/unet/" + form % i, packed(part))
    if index: write(d + "/unet/" + index, json.dumps({"metadata": {"total_size": sum(len(t[2]) for t in tensors.values())},
                                                     "weight_map": names}).encode())
    os.remove(path)


def controlnets(d, name, cls="MultiControlNetModel"):
    """As MultiControlNetModel saves two: in `controlnet` and `name`."""
    if name: shutil.copytree(d + "/controlnet", d + "/" + name)
    edit(d + "/model_index.json", lambda x: put(x, ("controlnet", ["diffusers", cls])))


def routed(d, config="router_config.json", place="", keep=True, dense=True):
    """A Router at `place`; each of its routes is the transformer, its Pooling and its Dense; `dense`: the query's
    Dense too."""
    package = "sentence_transformers.models."
    routes = {"query_0_Transformer": "Transformer", "document_0_Transformer": "Transformer", "query_1_Pooling": "Pooling", **({"query_2_Dense": "Dense"} if dense else {}),
              "document_1_Pooling": "Pooling", "document_2_Dense": "Dense"}
    routes = dict(sorted(routes.items(), reverse=True, key=lambda x: x[0][:5])) # the query's route first, as the library writes them
    whole = os.path.join(d, place)
    os.makedirs(whole, exist_ok=True)
    for r in [r for r in routes if r.endswith("Transformer")]:
        os.mkdir(whole + "/" + r)
        for f in os.listdir(d):
            if os.path.isfile(d + "/" + f) and f != "modules.json": shutil.copy(d + "/" + f, whole + "/" + r)
    shutil.copytree(d + "/1_Pooling", whole + "/query_1_Pooling")
    if dense: shutil.copytree(d + "/2_Dense", whole + "/query_2_Dense")
    shutil.move(d + "/1_Pooling", whole + "/document_1_Pooling")
    shutil.move(d + "/2_Dense", whole + "/document_2_Dense")
    for f in os.listdir(d):
        if os.path.isfile(d + "/" + f) and f != "modules.json": os.remove(d + "/" + f)
    if not keep: os.remove(whole + "/query_0_Transformer/model.safetensors")
    write(whole + "/" + config, json.dumps({"types": {k: package + v for k, v in routes.items()}, "structure": {}, "parameters": {}}).encode())
    write(d + "/modules.json", json.dumps([{"idx": 0, "name": "0", "path": place, "type": package + ("Asym" if config == "config.json" else "Router")}]).encode())


# name: folder, the change, verdict of the folder, status of show, reconcile, verify, codes of verify, and other
# expectations
NEIGHBOURS = {
    "folder-gone": (SD, lambda d: shutil.rmtree(d + "/vae"), "incomplete", 1, 1, 1, ["component-missing"],
                    lambda r, t: r["vae"]["state"] == "missing" and t["stored"] == 19306 + 985444 and t["parameters"] is None),
    "weights-gone": (SD, lambda d: os.remove(d + "/vae/diffusion_pytorch_model.safetensors"), "incomplete", 1, 1, 1, ["component-missing"],
                     lambda r, t: "no weights" in r["vae"]["note"]),
    "scheduler-gone": (SD, lambda d: shutil.rmtree(d + "/scheduler"), "incomplete", 1, 1, 1, ["component-missing"],
                       lambda r, t: r["scheduler"]["state"] == "missing"),
    # a guider has settings only; what the constructor creates is declared, and has no folder
    "guider": (SD, lambda d: guided(d, True), "agrees", 0, 0, 0, [], lambda r, t: r["guider"]["state"] == "no weights" and t["parameters"] == WHOLE),
    "guider-gone": (SD, lambda d: guided(d, False), "incomplete", 1, 1, 1, ["component-missing"], lambda r, t: r["guider"]["state"] == "missing"),
    "scheduler-made": (SD, lambda d: [shutil.rmtree(d + "/scheduler"), edit(d + "/model_index.json", lambda x: put(x, ("_class_name", "LongCatAudioDiTPipeline")))],
                       "incomplete", 1, 1, 1, ["component-missing", "component-foreign"],  # for the transformer, and a VAE that does not fit it
                       lambda r, t: r["scheduler"]["state"] == "no weights"),
    "vae-not-made": (SD, lambda d: [shutil.rmtree(d + "/vae"), edit(d + "/model_index.json", lambda x: put(x, ("_class_name", "LongCatAudioDiTPipeline")))],
                     "incomplete", 1, 1, 1, ["component-missing"] * 2, lambda r, t: r["vae"]["state"] == "missing" and r["transformer"]["state"] == "missing"),
    "tokenizer-empty": (SD, lambda d: [os.remove(d + "/tokenizer/" + f) for f in os.listdir(d + "/tokenizer")], "incomplete", 1, 1, 1,
                        ["component-missing"], lambda r, t: r["tokenizer"]["state"] == "missing"),
    "file-cut": (SD, lambda d: cut(d + "/text_encoder/model.safetensors"), "incomplete", 1, 1, 1, [],
                 lambda r, t: r["text_encoder"]["verdict"] == "incomplete"),
    "header-cut": (SD, lambda d: os.truncate(d + "/text_encoder/model.safetensors", 100), "incomplete", 1, 5, 1, [],
                   lambda r, t: r["text_encoder"]["verdict"] == "incomplete" and t["stored"] == 985444 + 658375),
    "one-more": (SD, lambda d: edit(d + "/model_index.json", lambda x: put(x, ("image_encoder", ["transformers", "CLIPVisionModel"]))),
                 "incomplete", 1, 1, 1, ["component-missing"], lambda r, t: r["image_encoder"]["class"] == "CLIPVisionModel"),
    "no-component": (SD, lambda d: edit(d + "/model_index.json", lambda x: put(x, ("one", ["a"]), ("two", [1, 2]), ("_three", ["a", "b"]),
                     ("../four", ["a", "b"]), ("five", "text"), ("six", [None, "b"]))), "agrees", 0, 0, 0, [], lambda r, t: len(r) == 7),
    "wrong-class": (SD, lambda d: edit(d + "/unet/config.json", lambda x: put(x, ("_class_name", "ModelOfNobody"))),
                    "disagrees", 0, 1, 0, ["component-class"], lambda r, t: "ModelOfNobody" in r["unet"]["note"] and t["parameters"] is None),
    "wrong-class-known": (SD, lambda d: edit(d + "/unet/config.json", lambda x: put(x, ("_class_name", "UNet2DModel"))),
                          "disagrees", 0, 1, 1, ["component-foreign", "component-class"], lambda r, t: "UNet2DModel" in r["unet"]["note"]),
    "wrong-class-auto": (SD, lambda d: edit(d + "/vae/config.json", lambda x: put(x, ("_class_name", "VQModel"))),
                         "disagrees", 0, 1, 1, ["component-foreign", "component-class"], lambda r, t: "VQModel" in r["vae"]["note"]),
    # the weights match their own configuration
    "index-says-another": (SD, lambda d: edit(d + "/model_index.json", lambda x: put(x, ("vae", ["diffusers", "VQModel"]))),
                           "disagrees", 0, 1, 0, ["component-class"],
                           lambda r, t: r["vae"]["class"] == "VQModel" and "AutoencoderKL" in r["vae"]["note"] and t["parameters"] == WHOLE),
    "nobodys-class": (SD, lambda d: nobodys(d, "unet"), "in part", 0, 4, 0, [],
                      lambda r, t: r["unet"]["verdict"] == "unknown" and t["parameters"] is None and t["stored"] == WHOLE),
    # part of a class name is not a class name
    "nobodys-class-in-another": (SD, lambda d: nobodys(d, "unet", name="UNet2DCondition"), "in part", 0, 4, 0, [], lambda r, t: r["unet"]["verdict"] == "unknown"),
    "nobodys-classes": (SD, lambda d: nobodys(d, "unet", "vae"), "in part", 0, 4, 0, [],
                        lambda r, t: [r[x]["verdict"] for x in ("text_encoder", "unet", "vae")] == ["agrees", "unknown", "unknown"]),
    "nobodys-class-alone": (DDPM, lambda d: nobodys(d, "unet"), "unknown", 0, 4, 0, [],
                            lambda r, t: t["parameters"] is None and t["stored"] == 702499),
    "nobodys-class-and-wrong": (SD, lambda d: [nobodys(d, "unet"), gone(d + "/" + VAE, "decoder.conv_out.weight")], "disagrees", 0, 1, 1, [],
                                lambda r, t: r["unet"]["verdict"] == "unknown" and r["vae"]["verdict"] == "disagrees"),
    "no-class": (SD, lambda d: edit(d + "/unet/config.json", lambda x: x.pop("_class_name") and x), "in part", 0, 4, 0, [],
                 lambda r, t: r["unet"]["verdict"] == "unknown" and t["parameters"] is None),
    # diffusers and transformers build no model without config.json; another library may, and PEFT has its own file
    "no-configuration": (SD, lambda d: os.remove(d + "/unet/config.json"), "disagrees", 0, 1, 1, ["component-config"],
                         lambda r, t: "no config.json" in r["unet"]["note"] and t["parameters"] is None),
    "no-configuration-text": (SD, lambda d: os.remove(d + "/text_encoder/config.json"), "disagrees", 0, 1, 1, ["component-config"],
                              lambda r, t: "no config.json" in r["text_encoder"]["note"]),
    "no-configuration-of-nobody": (SD, lambda d: [os.remove(d + "/unet/config.json"), edit(d + "/model_index.json", lambda x: put(x, ("unet", ["nonsense", x["unet"][1]])))],
                                   "in part", 0, 4, 0, [], lambda r, t: r["unet"]["verdict"] == "unknown"),
    "no-configuration-peft": (SD, lambda d: os.rename(d + "/unet/config.json", d + "/unet/adapter_config.json"), "in part", 0, 4, 0, [], None),
    "no-configuration-null": (SD, lambda d: [os.remove(d + "/vae/config.json"), edit(d + "/model_index.json", lambda x: put(x, ("vae", [None, None])))],
                              "in part", 0, 4, 0, ["component-unindexed"], None),
    "tensor-gone": (SD, lambda d: gone(d + "/" + UNET + ".safetensors", "mid_block.resnets.0.conv1.weight"), "disagrees", 0, 1, 1, [],
                    lambda r, t: r["unet"]["verdict"] == "disagrees" and r["vae"]["verdict"] == "agrees" and t["stored"] == WHOLE - 36864),
    "tensor-more": (SD, lambda d: more(d + "/" + UNET + ".safetensors", "mid_block.resnets.0.conv1.weight"), "disagrees", 0, 1, 0, [],
                    lambda r, t: r["unet"]["verdict"] == "disagrees" and t["stored"] == WHOLE + 36864),
    "row-more": (SD, lambda d: row(d + "/" + VAE, "decoder.conv_out.weight"), "disagrees", 0, 1, 1, [],
                 lambda r, t: r["vae"]["verdict"] == "disagrees" and r["unet"]["verdict"] == "agrees" and t["stored"] == WHOLE + 288),
    "unet-otherwise": (SD, lambda d: edit(d + "/unet/config.json", lambda x: put(x, ("layers_per_block", x["layers_per_block"] + 1))),
                       "disagrees", 0, 1, 1, [], lambda r, t: r["unet"]["verdict"] == "disagrees"),
    "vae-otherwise": (SD, lambda d: edit(d + "/vae/config.json", lambda x: put(x, ("latent_channels", 5))), "disagrees", 0, 1, 1, ["component-width"],
                      lambda r, t: r["vae"]["verdict"] == "disagrees"),
    "of-another": (SD, lambda d: shutil.copy(d + "/" + VAE, d + "/" + UNET + ".safetensors"), "disagrees", 0, 1, 1, [],
                   lambda r, t: r["unet"]["verdict"] == "disagrees"),
    # complete by themselves, but unsuited to each other; for an unknown pipeline, numel does not call the
    # combination right
    "encoder-of-another": (SD, wider, "disagrees", 0, 1, 1, ["component-width"],
                           lambda r, t: r["unet"]["verdict"] == "disagrees" and r["text_encoder"]["verdict"] == "agrees" and "36 come out of text_encoder" in r["unet"]["note"]),
    "encoder-of-another-own": (SD, lambda d: [wider(d), edit(d + "/model_index.json", lambda x: put(x, ("_class_name", "PipelineOfNobody")))], "in part", 0, 4, 0, [],
                               lambda r, t: "are unknown" in r["unet"]["note"]),
    "encoders-together": ("pipelines/tiny-sdxl", wider, "disagrees", 0, 1, 1, ["component-width"], lambda r, t: "text_encoder and text_encoder_2" in r["unet"]["note"]),
    "latents-of-another": (SD, deeper, "disagrees", 0, 1, 1, ["component-width"],
                           lambda r, t: r["unet"]["verdict"] == "disagrees" and r["vae"]["verdict"] == "agrees" and "6 come out of vae" in r["unet"]["note"]),
    "latents-of-another-packed": ("pipelines/tiny-flux", deeper, "disagrees", 0, 1, 1, ["component-width"], lambda r, t: r["transformer"]["verdict"] == "disagrees"),
    "chosen-class": (SD, lambda d: edit(d + "/model_index.json", lambda x: put(x, ("text_encoder", ["transformers", "AutoModel"]))),
                     "agrees", 0, 0, 0, [], lambda r, t: r["text_encoder"]["verdict"] == "agrees"),
    "wrong-architecture": (SD, lambda d: edit(d + "/text_encoder/config.json", lambda x: put(x, ("architectures", ["CLIPTextModelWithProjection"]))),
                           "disagrees", 0, 1, None, ["component-class"], lambda r, t: r["text_encoder"]["verdict"] == "disagrees"),
    "stray": (SD, lambda d: shutil.copytree(d + "/vae", d + "/vae_1_0"), "agrees", 0, 0, 0, ["component-unindexed"],
              lambda r, t: not r["vae_1_0"]["counted"] and t["stored"] == t["parameters"] == WHOLE),
    # all weights are present: the whole is no better than its uncounted parts, and the totals are unchanged
    "stray-nobodys": (SD, lambda d: [shutil.copytree(d + "/vae", d + "/vae_1_0"),
                      edit(d + "/vae_1_0/config.json", lambda x: put(x, ("_class_name", "ModelOfNobody")))], "in part", 0, 4, 0, ["component-unindexed"],
                      lambda r, t: r["vae_1_0"]["verdict"] == "unknown" and t["stored"] == t["parameters"] == WHOLE),
    "stray-wrong": (SD, lambda d: [shutil.copytree(d + "/vae", d + "/vae_1_0"), gone(d + "/vae_1_0/" + VAE[4:], "decoder.conv_out.weight")],
                    "disagrees", 0, 1, 1, ["component-unindexed"],
                    lambda r, t: r["vae_1_0"]["verdict"] == "disagrees" and t["stored"] == t["parameters"] == WHOLE),
    # no denoiser is declared but one exists: not counted, and agreement has reservations
    "unet-not-named": (SD, lambda d: unnamed(d, "unet"), "disagrees", 0, 1, 1, NEEDED,
                       lambda r, t: r["unet"]["verdict"] == "disagrees" and "without it" in str(r["unet"]["note"]) and t["stored"] == WHOLE - 985444),
    "unet-is-null": (SD, lambda d: unnamed(d, "unet", True), "disagrees", 0, 1, 1, NEEDED,
                     lambda r, t: r["unet"]["verdict"] == "disagrees" and "without it" in str(r["unet"]["note"])),
    "unet-not-named-wrong": (SD, lambda d: [unnamed(d, "unet"), gone(d + "/" + UNET + ".safetensors", "conv_out.weight")], "disagrees", 0, 1, 1,
                             NEEDED, lambda r, t: r["unet"]["verdict"] == "disagrees"),
    "unet-elsewhere": (SD, lambda d: [unnamed(d, "unet"), shutil.move(d + "/unet", d + "/unet_ema")], "incomplete", 1, 1, 1, NEEDED,
                       lambda r, t: r["unet_ema"]["verdict"] == "in part" and r["unet"]["state"] == "missing"),
    "unet-nowhere": (SD, lambda d: [unnamed(d, "unet"), shutil.rmtree(d + "/unet")], "incomplete", 1, 1, 1, ["component-missing"],
                     lambda r, t: r["unet"]["state"] == "missing" and t["parameters"] is None),
    "unet-null-and-nowhere": (SD, lambda d: [unnamed(d, "unet", True), shutil.rmtree(d + "/unet")], "incomplete", 1, 1, 1, ["component-missing"],
                              lambda r, t: r["unet"]["state"] == "missing"),
    # an unknown pipeline requires nothing, and is reported to declare no denoiser
    "unet-not-named-unknown": (SD, lambda d: [unnamed(d, "unet"), piped(d, "MyOwnPipeline")], "in part", 0, 4, 0, ["component-unindexed"],
                               lambda r, t: r["unet"]["verdict"] == "in part" and "no denoiser" in str(r["unet"]["note"])),
    "transformer-is-null": ("pipelines/tiny-flux", lambda d: unnamed(d, "transformer", True), "disagrees", 0, 1, 1, NEEDED,
                            lambda r, t: r["transformer"]["verdict"] == "disagrees"),
    # diffusers' rules for its pipelines: components of other classes, optional ones, and the libraries they come
    # from
    "another-pipeline": (SD, lambda d: piped(d, "FluxPipeline"), "incomplete", 1, 1, 1, ["component-missing"] * 2,
                         lambda r, t: r["transformer"]["state"] == r["text_encoder_2"]["state"] == "missing"),
    "pipeline-of-a-like-one": ("pipelines/tiny-flux", lambda d: piped(d, "ChromaPipeline"), "disagrees", 0, 1, 1, ["component-foreign"],
                               lambda r, t: r["transformer"]["verdict"] == "disagrees" and "ChromaTransformer2DModel" in r["transformer"]["note"]),
    "pipeline-of-its-kind": (SD, lambda d: piped(d, "StableDiffusionImg2ImgPipeline"), "agrees", 0, 0, 0, [], None),
    "encoder-is-null": ("pipelines/tiny-flux", lambda d: [unnamed(d, "text_encoder_2", True), shutil.rmtree(d + "/text_encoder_2")], "agrees", 0, 0, 0, [],
                        lambda r, t: r["text_encoder_2"]["state"] == "absent"),
    "encoder-not-named": ("pipelines/tiny-flux", lambda d: [unnamed(d, "text_encoder_2"), shutil.rmtree(d + "/text_encoder_2")], "incomplete", 1, 1, 1,
                          ["component-missing"], lambda r, t: r["text_encoder_2"]["state"] == "missing"),
    "library": (SD, lambda d: edit(d + "/model_index.json", lambda x: put(x, ("unet", ["transformers", x["unet"][1]]))), "disagrees", 0, 1, 1,
                ["component-foreign"], lambda r, t: r["unet"]["verdict"] == "disagrees"),
    "library-of-an-encoder": (SD, lambda d: edit(d + "/model_index.json", lambda x: put(x, ("text_encoder", ["diffusers", x["text_encoder"][1]]))), "disagrees",
                              0, 1, 1, ["component-foreign"], lambda r, t: r["text_encoder"]["verdict"] == "disagrees"),
    "library-of-nobody": (SD, lambda d: edit(d + "/model_index.json", lambda x: put(x, ("unet", ["nonsense", x["unet"][1]]))), "in part", 0, 4, 0, [],
                          lambda r, t: r["unet"]["verdict"] == "in part" and t["parameters"] == WHOLE),
    "library-of-a-pipeline": (SD, lambda d: nobodys_own(d, "safety_checker", "stable_diffusion", "StableDiffusionSafetyChecker"), "in part", 0, 4, 0, [],
                              lambda r, t: r["safety_checker"]["verdict"] == "unknown" and r["safety_checker"]["note"] is None),
    "unet-twice": (SD, lambda d: shutil.copytree(d + "/unet", d + "/unet_2"), "agrees", 0, 0, 0, ["component-unindexed"],
                   lambda r, t: r["unet_2"]["verdict"] == "agrees" and t["stored"] == WHOLE),
    "vae-is-null": (SD, lambda d: unnamed(d, "vae", True), "in part", 0, 4, 0, ["component-unindexed"], lambda r, t: t["stored"] == WHOLE - 658375),
    # the averaged copy of the UNet from training: judged as a UNet, never counted, not even alone
    "average": (SD, lambda d: average(d), "agrees", 0, 0, 0, [],
                lambda r, t: not r["unet.ema"]["counted"] and r["unet.ema"]["verdict"] == "agrees" and t["stored"] == t["parameters"] == WHOLE),
    "average-wrong": (SD, lambda d: [average(d), gone(d + "/unet_ema/" + UNET[5:] + ".safetensors", "conv_out.weight")], "disagrees", 0, 1, 1, [],
                      lambda r, t: r["unet.ema"]["verdict"] == "disagrees" and r["unet"]["verdict"] == "agrees" and t["parameters"] == WHOLE),
    "average-of-another": (SD, lambda d: shutil.copytree(d + "/vae", d + "/unet_ema"), "disagrees", 0, None, 0, ["component-class"],
                           lambda r, t: r["unet.ema"]["verdict"] == "disagrees" and t["parameters"] == WHOLE),
    "average-alone": (SD, lambda d: shutil.move(d + "/unet", d + "/unet_ema"), "incomplete", 1, 1, 1, ["component-missing"],
                      lambda r, t: r["unet"]["state"] == "missing" and not r["unet.ema"]["counted"] and t["stored"] == WHOLE - 985444),
    "average-of-nothing": (SD, lambda d: shutil.copytree(d + "/vae", d + "/vae_1_ema"), "agrees", 0, 0, 0, ["component-unindexed"],
                           lambda r, t: not r["vae_1_ema"]["counted"] and t["stored"] == t["parameters"] == WHOLE),
    "stray-that-is-null": (SD, lambda d: shutil.copytree(d + "/text_encoder", d + "/safety_checker"), "agrees", 0, 0, 0, ["component-unindexed"],
                           lambda r, t: not r["safety_checker"]["counted"] and t["stored"] == t["parameters"] == WHOLE),
    "beside": (SD, lambda d: shutil.copy(d + "/text_encoder/model.safetensors", d + "/single.safetensors"), None, 0, None, 0, [], None),
    "variants": (SD, lambda d: variants(d, True), "agrees", 0, 0, 0, [],
                 lambda r, t: r["unet"]["counted"] and r["unet.fp16"]["dtype"] == "F16" and not r["unet.fp16"]["counted"] and
                 not r["unet.non_ema"]["counted"] and t["stored"] == t["parameters"] == WHOLE and t["components"] == 3),
    "variant-wrong": (SD, lambda d: [variants(d, True), row(d + "/" + UNET + ".fp16.safetensors", "conv_out.weight")], "disagrees", 0, 1, 1, [],
                      lambda r, t: r["unet"]["verdict"] == "agrees" and r["unet.fp16"]["verdict"] == "disagrees" and t["stored"] == WHOLE),
    "variants-alone": (SD, lambda d: variants(d, False), "agrees", 0, 0, 0, [],
                       lambda r, t: r["unet.fp16"]["counted"] and not r["unet.non_ema"]["counted"] and t["stored"] == t["parameters"] == WHOLE),
    "variant-shards": (SD, lambda d: sharded(d, "diffusion_pytorch_model.fp16-%05d-of-00002.safetensors", "diffusion_pytorch_model.safetensors.index.fp16.json"),
                       "agrees", 0, 0, 0, [], lambda r, t: r["unet.fp16"]["files"] == 2 and t["stored"] == t["parameters"] == WHOLE),
    "variant-shards-before": (SD, lambda d: sharded(d, "diffusion_pytorch_model-%05d-of-00002.fp16.safetensors",
                              "diffusion_pytorch_model.safetensors.index.fp16.json"), "agrees", 0, 0, 0, [],
                              lambda r, t: r["unet.fp16"]["files"] == 2 and t["stored"] == t["parameters"] == WHOLE),
    "variant-shards-no-index": (SD, lambda d: sharded(d, "diffusion_pytorch_model-%05d-of-00002.fp16.safetensors", None), "agrees", 0, 0, 0, [],
                                lambda r, t: r["unet.fp16"]["files"] == 2 and t["stored"] == t["parameters"] == WHOLE),
    "variant-shard-gone": (SD, lambda d: sharded(d, "diffusion_pytorch_model-%05d-of-00002.fp16.safetensors",
                           "diffusion_pytorch_model.safetensors.index.fp16.json", False), "incomplete", 1, 1, 1, [],
                           lambda r, t: r["unet.fp16"]["verdict"] == "incomplete"),
    "controlnets": (CN, lambda d: controlnets(d, "controlnet_1"), "agrees", 0, 0, 0, [],
                    lambda r, t: r["controlnet_1"]["counted"] and r["controlnet"]["class"] == r["controlnet_1"]["class"] == "ControlNetModel" and
                    t["components"] == 5),
    "controlnets-one": (CN, lambda d: controlnets(d, None), "agrees", 0, 0, 0, [], lambda r, t: t["components"] == 4),
    "controlnets-gap": (CN, lambda d: controlnets(d, "controlnet_2"), "agrees", 0, 0, 0, ["component-unindexed"],
                        lambda r, t: not r["controlnet_2"]["counted"] and t["components"] == 4),
    "controlnets-wrong": (CN, lambda d: [controlnets(d, "controlnet_1"), gone(d + "/controlnet_1/diffusion_pytorch_model.safetensors", "conv_in.bias")],
                          "disagrees", 0, 1, 1, [], lambda r, t: r["controlnet_1"]["verdict"] == "disagrees"),
    "controlnets-others": (CN, lambda d: controlnets(d, "controlnet_1", "FluxMultiControlNetModel"), "disagrees", 0, 1, 0,
                           ["component-class", "component-class"], None),
    "router": (ST, lambda d: routed(d), "agrees", 0, 0, 0, [], lambda r, t: t["components"] == 4 and t["parameters"] == 2 * (22176 + 1584)),
    "router-unlike": (ST, lambda d: routed(d, dense=False), "in part", 0, 4, 0, [], lambda r, t: "out of another" in r["document_2_Dense"]["note"]),
    "router-below": (ST, lambda d: routed(d, place="0_Router"), "agrees", 0, 0, 0, [],
                     lambda r, t: r["0_Router/document_2_Dense"]["counted"] and t["components"] == 4),
    "router-before": (ST, lambda d: routed(d, "config.json", "0_Asym"), "agrees", 0, 0, 0, [], lambda r, t: t["components"] == 4),
    # exported as well, in a format that numel does not read
    "onnx-alone": (ST, lambda d: [os.remove(d + "/model.safetensors"), write(d + "/onnx/model.onnx", b"\x08\x07")], "in part", 0, 4, 0, ["component-unread"],
                   lambda r, t: r["0_Transformer"]["state"] == "unread"),
    "onnx-empty": (ST, lambda d: [os.remove(d + "/model.safetensors"), write(d + "/onnx/config.json", b"{}")], "incomplete", 1, 1, 1, ["component-missing"], None),
    "router-weights-gone": (ST, lambda d: routed(d, keep=False), "incomplete", 1, 1, 1, ["component-missing"],
                            lambda r, t: r["query_0_Transformer"]["state"] == "missing"),
    "pickled": (SD, lambda d: os.rename(d + "/" + UNET + ".safetensors", d + "/" + UNET + ".bin"), "in part", 0, 4, 0, ["component-unread"],
                lambda r, t: r["unet"]["state"] == "unread" and t["parameters"] is None),
    "index-broken": (SD, lambda d: os.truncate(d + "/model_index.json", 60), "damaged", 1, 1, 1, ["component-index-unreadable"], None),
    "index-of-nothing": (SD, lambda d: edit(d + "/model_index.json", lambda x: {k: v for k, v in x.items() if k != "_class_name"}), "damaged", 1, 1, 1,
                         ["component-index-unreadable"], None),
    "class-of-ones-own-code": (SD, lambda d: piped(d, ["my_pipeline", "MyPipeline"]), "in part", 0, 4, 0, [],
                               lambda r, t: "other components of MyPipeline" in r["unet"]["note"] and t["parameters"] == WHOLE),
    "class-mistyped": (SD, lambda d: piped(d, "StableDiffusionPipelne"), "in part", 0, 4, 0, [], lambda r, t: r["unet"]["verdict"] == "in part"),
    "modules-empty": (ST, lambda d: write(d + "/modules.json", b"[]"), "damaged", 1, 1, 1, ["component-index-unreadable"], None),
    # from each other's folders: each is complete, but the pipeline names it wrongly
    "exchanged": (SD, lambda d: [shutil.move(d + "/unet", d + "/was"), shutil.move(d + "/vae", d + "/unet"), shutil.move(d + "/was", d + "/vae")], "disagrees",
                  0, 1, 1, ["component-foreign"] * 2 + ["component-class"] * 2, lambda r, t: r["unet"]["verdict"] == r["vae"]["verdict"] == "disagrees"),
    "index-a-list": (SD, lambda d: write(d + "/model_index.json", b"[]"), "damaged", 1, 1, 1, ["component-index-unreadable"], None),
    "names-of-before": (ST, lambda d: edit(d + "/modules.json", lambda x: [put(m, ("type", "sentence_transformers.models." + m["type"].rsplit(".", 1)[1]))
                        for m in x] and x), "agrees", 0, 0, 0, [], lambda r, t: t["parameters"] == 23760),
    "dense-gone": (ST, lambda d: os.remove(d + "/2_Dense/model.safetensors"), "incomplete", 1, 1, 1, ["component-missing"], None),
    "dense-pickled": (ST, lambda d: os.rename(d + "/2_Dense/model.safetensors", d + "/2_Dense/pytorch_model.bin"), "in part", 0, 4, 0,
                      ["component-unread"], None),
    "dense-otherwise": (ST, lambda d: edit(d + "/2_Dense/config.json", lambda x: put(x, ("out_features", 47))), "disagrees", 0, 1, 1, [], None),
    "dense-no-bias": (ST, lambda d: edit(d + "/2_Dense/config.json", lambda x: put(x, ("bias", False))), "disagrees", 0, 1, 0, [], None),
    "pooling-otherwise": (ST, lambda d: edit(d + "/1_Pooling/config.json", lambda x: put(x, ("embedding_dimension", 33))), "disagrees", 0, 1, 1,
                          ["component-width"], lambda r, t: r["1_Pooling"]["verdict"] == "disagrees" and r["2_Dense"]["verdict"] == "agrees"),
    "pooling-of-two": (ST, lambda d: edit(d + "/1_Pooling/config.json", lambda x: put(x, ("pooling_mode", ["cls", "mean"]))), "disagrees", 0, 1, 1,
                       ["component-width"], lambda r, t: r["2_Dense"]["verdict"] == "disagrees" and "64 come out" in r["2_Dense"]["note"]),
    "pooling-of-before": (ST, lambda d: write(d + "/1_Pooling/config.json", b'{"word_embedding_dimension": 32, "pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true}'),
                          "agrees", 0, 0, 0, [], None),
    "dense-is-another": (ST, lambda d: edit(d + "/modules.json", lambda x: put(x[2], ("type", "sentence_transformers.models.LSTM"))), "disagrees", 0, 1, 0,
                         [], lambda r, t: r["2_Dense"]["verdict"] == "disagrees"),
    "dense-is-nobodys": (ST, lambda d: edit(d + "/modules.json", lambda x: put(x[2], ("type", "sentence_transformers.models.WordEmbeddings"))), "in part", 0, 4, 0,
                         [], lambda r, t: r["2_Dense"]["verdict"] == "unknown"),
    # modules of an unknown class, and none that reads text
    "transformer-is-nobodys": (ST, lambda d: edit(d + "/modules.json", lambda x: put(x[0], ("type", "custom.Nonsense"))), "in part", 0, 4, 0, [],
                               lambda r, t: r["0_Nonsense"]["verdict"] == "in part" and "unknown module class" in str(r["0_Nonsense"]["note"])),
    "transformer-is-ones-own": (ST, lambda d: edit(d + "/modules.json", lambda x: put(x[0], ("type", "custom_st.Transformer"))), "agrees", 0, 0, 0, [], None),
    "normalize-is-nobodys": ("sentence-transformers/t5-dense", lambda d: edit(d + "/modules.json", lambda x: put(x[3], ("type", "Nonsense"))),
                             None, 1, 1, 1, ["component-missing"], None),
    "transformer-not-named": (ST, lambda d: [edit(d + "/modules.json", lambda x: x[1:]), os.remove(d + "/model.safetensors")], "in part", 0, 4, 0, [],
                              lambda r, t: "reads text" in str(r["1_Pooling"]["note"]) and t["stored"] == 1584),
    "transformer-is-weights-of-words": (ST, lambda d: edit(d + "/modules.json", lambda x: put(x[0], ("type", "sentence_transformers.models.WordWeights"))),
                                        "in part", 0, 4, 0, [], lambda r, t: "reads text" in str(r["0_WordWeights"]["note"])),
    "dense-alone": (ST, lambda d: [edit(d + "/modules.json", lambda x: x[2:]), os.remove(d + "/model.safetensors")], "in part", 0, 4, 0, [],
                    lambda r, t: r["2_Dense"]["verdict"] == "in part" and "reads text" in str(r["2_Dense"]["note"])),
    "pooling-gone": (ST, lambda d: shutil.rmtree(d + "/1_Pooling"), "incomplete", 1, 1, 1, ["component-missing"], None),
    "dense-not-named": (ST, lambda d: edit(d + "/modules.json", lambda x: x[:2]), None, 0, 4, 0, ["component-unindexed"], lambda r, t: t["stored"] == 22176),
    "transformer-gone": (ST, lambda d: os.remove(d + "/model.safetensors"), "incomplete", 1, 1, 1, ["component-missing"], None),
    "normalize-gone": ("sentence-transformers/t5-dense", lambda d: shutil.rmtree(d + "/3_Normalize"), "agrees", 0, 0, 0, [], None),
    "module-outside": (ST, lambda d: edit(d + "/modules.json", lambda x: put(x[2], ("path", "../2_Dense"))), "damaged", 1, 1, 1,
                       ["component-index-unreadable"], None),
}


def altered(name, root, d):
    shutil.copytree(os.path.join(root, NEIGHBOURS[name][0]), d)
    NEIGHBOURS[name][1](d)


def neighbour(name, root, work):
    _, _, verdict, show, reconcile, verify, expected, more = NEIGHBOURS[name]
    d = os.path.join(work, name)
    altered(name, root, d)
    status, doc = run("show", d)
    docs = doc if isinstance(doc, list) else [doc]
    doc = docs[-1]
    check(status == show, name, "show is", status)
    listed = run("list", d)[1]
    check(name == "beside" or (len(listed) == 1 and listed[0]["verdict"] == doc["verdict"] and listed[0]["counts"]["stored"] == doc["total"]["stored"]),
          name, "list says", listed)
    check(verdict is None or doc["verdict"] == verdict, name, doc["verdict"], [(c["name"], c["verdict"]) for c in doc["components"]])
    check(more is None or more(rows(doc), doc["total"]), name, doc)
    status, docs = run("reconcile", d)
    check(reconcile is None or status == reconcile, name, "reconcile is", status)
    check(docs[-1]["components"] is not None and docs[-1]["total"] == doc["total"], name, "reconcile reports another total")
    status, docs = run("verify", d)
    check(verify is None or status == verify, name, "verify is", status, codes(docs))
    check([c for c, _ in codes(docs)] == expected, name, codes(docs))
    if "component-class" in expected: check(run("verify", d, "--strict")[0] == 1, name, "--strict accepts it")


# ---- modules of sentence-transformers, with the neighbours of all kinds

def module_cases():
    """{name: (files in the form of neighbours.put(), parameters)}: modules.jsonl.zst, written by
    gen/sentence_cases.py."""
    made = subprocess.run(["zstd", "-dcq", "--long=27", os.path.join(HERE, "modules.jsonl.zst")], stdout=subprocess.PIPE, check=True).stdout
    for case in map(json.loads, made.splitlines()):
        files = {n: {k: tuple(t) for k, t in f.items()} if n.endswith(".safetensors") else f for n, f in case["files"].items()}
        yield case["name"], files, case["total_parameters"], case["verdict"]


def retyped(files, at, kind):
    modules = [dict(m) for m in files["modules.json"]]
    modules[at]["type"] = "sentence_transformers.models." + kind
    return {**files, "modules.json": modules}


def words_of(n, width=3):
    """A bag of n words, and a Dense with input `width`."""
    dense = {"config.json": {"in_features": width, "out_features": 4, "bias": False}, "model.safetensors": {"linear.weight": ("F32", [4, width])}}
    return {"modules.json": [{"idx": i, "name": str(i), "path": p, "type": "sentence_transformers.models." + k} for i, (p, k) in enumerate((("0_BoW", "BoW"), ("1_Dense", "Dense")))],
            "0_BoW/config.json": {"vocab": ["a", "b", "cd"][:n], "word_weights": {}}, **{"1_Dense/" + f: x for f, x in dense.items()}}


def module_neighbours(cases):
    """(what, files, status): word scores are not token vectors, and a bag of words is as wide as its number of
    words."""
    splade, plain = cases["splade"], cases["dense around"]
    yield "a bag of words", words_of(3), 0
    yield "a bag of other words", words_of(2), 1
    yield "a Dense for other words", words_of(3, 5), 1
    pooling = {k.replace("1_Pooling", "1_SpladePooling"): v for k, v in plain.items() if k.startswith("1_Pooling")}
    yield "vectors taken of scores", retyped(cases["splade of before"] | pooling, 1, "Pooling"), 1
    scores = {k: v for k, v in plain.items() if not k.startswith(("1_", "2_", "3_"))}
    scores["modules.json"] = [plain["modules.json"][0], {"idx": 1, "name": "1", "path": "1_SpladePooling", "type": "sentence_transformers.models.SpladePooling"}]
    scores["1_SpladePooling/config.json"] = splade["1_SpladePooling/config.json"]
    yield "scores taken of vectors", {**scores, "sentence_bert_config.json": {"transformer_task": "feature-extraction", "module_output_name": "token_embeddings"}}, 1
    yield "scores taken of scores", {**splade, "sentence_bert_config.json": {"transformer_task": "fill-mask", "module_output_name": "token_embeddings"}}, 0


def each_module_neighbour(work):
    import neighbours
    cases = {name: files for name, files, _, _ in module_cases()}
    for what, files, status in module_neighbours(cases):
        d = os.path.join(work, "module")
        neighbours.put(d, files)
        check(run("reconcile", d)[0] == status, what, run("reconcile", d)[0])


def each_module(work):
    import neighbours
    d = os.path.join(work, "module")
    for name, files, parameters, verdict in module_cases():
        neighbours.put(d, files)
        doc = run("show", d)[1]
        check(doc.get("verdict") == verdict and doc["total"]["parameters"] == parameters, name, doc.get("verdict"), doc.get("total"), parameters)
        check(run("reconcile", d)[0] == (0 if verdict == "agrees" else 4) and codes(run("verify", d)[1]) == [], name, "reconcile or verify")
        for what, where, other in [*neighbours.of_tensors(name, files, 2), *neighbours.of_configs(name, files, 2), *neighbours.of_modules(files)]:
            if not taken(2, name, what, where): continue
            if (what, where) == ("gone", "weights"): continue # from model2vec, which declares nothing
            neighbours.put(d, other)
            check(run("reconcile", d)[0], name, what, where, "agrees")


def unpack(work):
    folders = subprocess.run(["zstd", "-dc", "--long=27", os.path.join(HERE, "folders.tar.zst")], stdout=subprocess.PIPE, check=True)
    root = os.path.join(work, "as-they-are")
    os.mkdir(root)
    subprocess.run(["tar", "-xf", "-", "-C", root], input=folders.stdout, check=True)
    return root


def main():
    with open(os.path.join(HERE, "truth.jsonl")) as f: cases = [json.loads(x) for x in f]
    with tempfile.TemporaryDirectory() as work:
        root = unpack(work)
        names = sys.argv[1:]
        for case in cases:
            if not names or case["folder"] in names: as_it_is(case, os.path.join(root, case["folder"]))
            if "components" in case and (not names or case["folder"] in names): each_altered(case, root, work)
        for name in NEIGHBOURS:
            if not names or name in names: neighbour(name, root, work)
        if not names or "modules" in names:
            each_module(work)
            each_module_neighbour(work)
    print("components: %d folders, %d neighbours, %d checks, %d failed" % (len(cases), len(NEIGHBOURS), checks, len(failures)))
    for f in failures: print("FAIL", f)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
