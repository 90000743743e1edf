"""Neighbours of files that agree, made the same way for all kinds: each has one difference from a correct one, and
must not agree.

Kinds are models of transformers, components of diffusers, architectures of timm, open_clip, pipelines,
sentence-transformers, single files, adapters and training checkpoints; cases are those of the tests that define
the truth. In each case a fixed few tensors are removed, enlarged by one, emptied, transposed, given an extra axis,
renamed, stored again under a name that no model has, or given an impossible type; in models of transformers one
tensor gets a different prefix; a block is removed or added; a size in the configuration is increased by one, its
class is changed, or it declares plain weights quantized. In folders, components are swapped, and so are their
configurations and classes; shards of a variant and of an index are left out; a Dense follows a module of another
width.

  B=build/release python3 test/truth/neighbours.py [-a] [-v] [KIND...]      -a: all cases, more tensors; -v: each that wrongly agrees
"""
import collections
import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path += [os.path.join(ROOT, "test", folder) for folder in ("truth", "truth/components", "support")]
from files import listed, put as write, sparse, stored, type_of

NUMEL = os.path.join(os.path.abspath(os.environ.get("B", os.path.join(ROOT, "build", "release"))), "numel")
EVERY = "-a" in sys.argv
N = 4 if EVERY else 1  # tensors and sizes per file
RARE = {"transformers": 60, "diffusers": 25, "timm": 11, "open_clip": 11, "single": 11}  # one case in this many


def lines(*path):
    return stored(os.path.join(ROOT, *path))


def some(items, key, n):
    """n of them, always the same for a key."""
    return sorted(items, key=lambda x: zlib.crc32(("%s %s" % (key, x)).encode()))[:n]


# ---- correct files: {file: tensors or JSON}, tensors being {name: (type, shape)}

def put(folder, files):
    shutil.rmtree(folder, ignore_errors=True)
    for name, what in files.items():
        path = os.path.join(folder, name)
        if not name.endswith(".safetensors"): write(path, what if isinstance(what, bytes) else json.dumps(what).encode())
        else: sparse(path, listed({n: t for n, t in what.items() if n != "__metadata__"}), what.get("__metadata__"))


def of_oracle(file, config="config.json"):
    for case in lines("fixtures", "oracle", file):
        stored = {n: s for n, s in case["params"].items() if n not in case["tied"]}
        tensors = {n: (type_of(n), s) for n, s in {**stored, **case["buffers"]}.items()}
        if case["configs"]: yield case["case"], {config: case["configs"]["whole"], "model.safetensors": tensors}


def of_folders():
    import components
    with tempfile.TemporaryDirectory() as root:
        subprocess.run("zstd -dcq --long=27 %s/test/truth/components/folders.tar.zst | tar x -C %s" % (ROOT, root), shell=True, check=True)
        for top in "pipelines", "sentence-transformers":
            for folder in sorted(os.listdir(os.path.join(root, top))):
                files, at = {}, os.path.join(root, top, folder)
                for here, _, names in os.walk(at):
                    for n in sorted(names):
                        path = os.path.join(here, n)
                        name = os.path.relpath(path, at)
                        if n.endswith(".safetensors"): files[name] = {k: (d, s) for k, (d, s, _) in components.read(path).items()}
                        else: files[name] = json.load(open(path)) if n in ("config.json", "model_index.json", "modules.json") else open(path, "rb").read()
                yield top, folder, files


def of_single():
    for file in "single.jsonl.zst", "single_own.jsonl.zst":
        for case in lines("test", "truth", "components", file):
            tensors = {n: ("F16", s) for n, s in case["tensors"]}
            tensors.update({n: (t, s) for n, s, t in case.get("other_tensors") or ()})
            yield case["name"], {"model.safetensors": tensors}


def of_adapters():
    for case in lines("fixtures", "adapters", "lora.jsonl.zst"):
        # alphas cannot be checked without data, which is a hole
        if case["alpha_tensors"]: continue
        yield case["name"], {"model.safetensors": {**{n: (t, s) for n, s, t in case["tensors"]}, "__metadata__": case["metadata"]}}
    for case in lines("fixtures", "adapters", "peft.jsonl.zst"):
        yield case["what"] + " " + case["base"], {"adapter_model.safetensors": {n: (t, s) for n, s, t in case["tensors"]}, "adapter_config.json": case["config"]}


def of_training():
    import training
    for name, (tensors, _) in training.RIGHT.items():
        yield name, {"model.safetensors": tensors, "config.json": training.CONFIG}


def cases():
    yield from (("transformers", *c) for c in of_oracle("sizes.jsonl.zst"))
    for file in "diffusers", "diffusers_sizes": yield from (("diffusers", *c) for c in of_oracle(file + ".jsonl.zst"))
    for file in "timm", "timm_sizes": yield from (("timm", *c) for c in of_oracle(file + ".jsonl.zst"))
    yield from (("open_clip", *c) for c in of_oracle("open_clip.jsonl.zst", "open_clip_config.json"))
    yield from of_folders()
    yield from (("single", *c) for c in of_single())
    yield from (("adapters", *c) for c in of_adapters())
    yield from (("training", *c) for c in of_training())


# ---- neighbours: (what, where, files)

def changed(files, change): return {**files, **change}


def with_tensors(files, file, tensors): return changed(files, {file: tensors})


STRANGE = "I64", "U8", "BOOL", "F8_E8M0", "C64", "I8"


def blocks(names):
    """{text before a number: {number: names}} for every repeated group."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for n in names:
        for m in re.finditer(r"(?<![^.])(\d+)(?=\.)", n): found[n[:m.start()]][int(m.group())].append(n)
    return {stem: numbers for stem, numbers in sorted(found.items()) if len(numbers) > 1}


def of_shapes(name, tensors, strange):
    """One tensor with other axes, without elements, of another type."""
    dtype, shape = tensors[name]
    for what, other in (("turned", shape[::-1]), ("an axis more", shape + [1]), ("an axis in front", [1] + shape), ("emptied", [0] + shape[1:])):
        if other != shape and shape: yield what, name, {**tensors, name: (dtype, other)}
    whole = dtype in ("I64", "I32", "U8")  # a count may have any integer type
    if strange != dtype and not (whole and strange[0] in "IUB"): yield "strange type", "%s %s" % (name, strange), {**tensors, name: (strange, shape)}


def of_blocks(key, names, tensors):
    """The last block, or one in the middle, removed; an extra one after the last."""
    found = blocks(names)
    for stem in some(found, key, 1):
        numbers = sorted(found[stem])
        for what, number in (("last block gone", numbers[-1]), ("block gone", numbers[len(numbers) // 2])):
            gone = set(found[stem][number])
            yield what, stem + str(number), {k: v for k, v in tensors.items() if k not in gone}
        last, front = numbers[-1], len(stem + str(numbers[-1]))
        more = {stem + str(last + 1) + k[front:]: tensors[k] for k in found[stem][last]}
        yield "block more", stem + str(last + 1), {**tensors, **more}


def of_structure(key, files, n):
    for file, tensors in files.items():
        if not file.endswith(".safetensors"): continue
        names = [x for x in tensors if x != "__metadata__"]
        strange = STRANGE[zlib.crc32(key.encode()) % len(STRANGE)]
        for name in some(names, key + file + "shape", n):
            for what, where, other in of_shapes(name, tensors, strange): yield what, where, with_tensors(files, file, other)
        for what, where, other in of_blocks(key, names, tensors): yield what, where, with_tensors(files, file, other)


def of_tensors(key, files, n):
    for file, tensors in files.items():
        if not file.endswith(".safetensors"): continue
        names = [x for x in tensors if x != "__metadata__"]
        for name in some(names, key + file, n):
            dtype, shape = tensors[name]
            rest = {k: v for k, v in tensors.items() if k != name}
            at = zlib.crc32(name.encode()) % len(shape) if shape else 0
            yield "gone", name, with_tensors(files, file, rest)
            yield "resized", name, with_tensors(files, file, {**tensors, name: (dtype, [x + (i == at) for i, x in enumerate(shape)] or [2])})
            yield "renamed", name, with_tensors(files, file, {**rest, name + "_x": tensors[name]})
            yield "twice", name, with_tensors(files, file, {**tensors, "copy_of." + name: tensors[name]})
            yield "retyped", name, with_tensors(files, file, {**tensors, name: ("F32" if dtype in ("I64", "I32", "U8") else "I64", shape)})


# A prefix that depends on who saved the model, on one name and then on all names.
FRONTS = "model.", "transformer.", "module.", "_orig_mod.", "language_model.", "base_model.model.", "x."


def of_names(key, files, n):
    """One tensor, for each model and each block, under a name that contradicts the others."""
    for file, tensors in files.items():
        if not file.endswith(".safetensors"): continue
        names = [x for x in tensors if x != "__metadata__"]
        for name in some(names, key + "name", n) + some([x for x in names if x.count(".") < 3], key + "alone", n):
            rest = {k: v for k, v in tensors.items() if k != name}
            front = FRONTS[zlib.crc32((key + name).encode()) % len(FRONTS)]
            yield "alone behind a prefix", front + name, with_tensors(files, file, {**rest, front + name: tensors[name]})
            first, _, bare = name.partition(".")
            if first + "." in FRONTS and bare.count("."): yield "alone without its prefix", bare, with_tensors(files, file, {**rest, bare: tensors[name]})
            module, _, last = name.rpartition(".")
            if module: yield "wrapped, and no adapter", module + ".base_layer." + last, with_tensors(files, file, {**rest, module + ".base_layer." + last: tensors[name]})


# Keys that determine a tensor's size wherever they occur; many others do so only in some classes, or give a share
# of a size.
SIZED = set("""hidden_size intermediate_size num_hidden_layers d_model d_ff num_layers block_out_channels latent_channels in_features out_features
embedding_dimension cross_attention_dim joint_attention_dim pooled_projection_dim n_layers hidden_dim dimension caption_channels text_dim ffn_dim""".split())


def sizes_in(doc, path=()):
    """Where a configuration has an integer."""
    for k, v in doc.items() if isinstance(doc, dict) else enumerate(doc):
        if isinstance(v, (dict, list)): yield from sizes_in(v, path + (k,))
        elif isinstance(v, int) and not isinstance(v, bool): yield path + (k,)


def one_more(doc, path):
    doc = copy.deepcopy(doc)
    at = doc
    for k in path[:-1]: at = at[k]
    at[path[-1]] += 1
    return doc


def of_configs(key, files, n):
    for file, doc in files.items():
        if not file.endswith("config.json") or not isinstance(doc, dict): continue
        paths = [p for p in sizes_in(doc) if SIZED.intersection(p)]
        for p in some(paths, key + file, n):
            yield "config", file + " " + ".".join(map(str, p)), with_tensors(files, file, one_more(doc, p))


# Types in which no weight is stored, next to unchanged weights.
QUANTIZED = ({"quant_method": "bitsandbytes", "load_in_4bit": True}, {"quant_method": "modelopt", "quant_type": "FP8"}, {"quant_method": "nobodys"},
             {"quant_method": "fp8", "weight_block_size": [128, 128]})
CLASSES = "UNet2DConditionModel", "AutoencoderKL", "FluxTransformer2DModel", "Nobodys"


def has_matrices(files, folder):
    return any(k.endswith(("to_q.weight", "q_proj.weight", "linear_1.weight")) and len(v[1]) == 2 for f, t in files.items()
               if f.endswith(".safetensors") and os.path.dirname(f) == folder for k, v in t.items() if k != "__metadata__")


def of_lies(key, files):
    """A wrong class, and a quantization that the weights do not have."""
    for file, doc in files.items():
        if not file.endswith("config.json") or not isinstance(doc, dict): continue
        folder, pick = os.path.dirname(file), zlib.crc32((key + file).encode())
        other = CLASSES[pick % len(CLASSES)]
        if doc.get("_class_name", other) != other: yield "another class", file + " " + other, with_tensors(files, file, {**doc, "_class_name": other})
        if ("_class_name" in doc or "model_type" in doc) and "quantization_config" not in doc and has_matrices(files, folder):
            said = QUANTIZED[pick % len(QUANTIZED)]
            yield "said to be quantized", file + " " + said["quant_method"], with_tensors(files, file, {**doc, "quantization_config": said})
        for k in [k for k in ("use_quant_conv", "mid_block_add_attention") if doc.get(k) is True]:
            yield "null for yes", file + " " + k, with_tensors(files, file, {**doc, k: None})


def of_peft(files):
    """Adapters that PEFT would not have made, according to their configuration."""
    doc = files.get("adapter_config.json")
    if not doc or doc["peft_type"] != "LORA" or doc.get("target_parameters"): return
    names = [n.split(".lora_")[0] for n in files["adapter_model.safetensors"] if ".lora_A.weight" in n]
    targets = doc.get("target_modules")
    if not names or not isinstance(targets, list): return
    one = names[0].rsplit(".", 1)[-1]
    if len(targets) > 1 and one in targets: yield "target not listed", one, changed(files, {"adapter_config.json": {**doc, "target_modules": [t for t in targets if t != one]}})
    yield "target excluded", one, changed(files, {"adapter_config.json": {**doc, "exclude_modules": [one]}})
    if ".layers." in names[-1] and not doc.get("layers_to_transform"): yield "layer not listed", names[-1], changed(files, {"adapter_config.json": {**doc, "layers_to_transform": [997]}})


# ---- folders: files by path

SIBLINGS = {"UNet2DConditionModel": "UNet2DModel", "AutoencoderKL": "AsymmetricAutoencoderKL", "CLIPTextModel": "CLIPTextModelWithProjection",
            "CLIPTextModelWithProjection": "CLIPTextModel", "T5EncoderModel": "UMT5EncoderModel", "UMT5EncoderModel": "T5EncoderModel",
            "FluxTransformer2DModel": "SD3Transformer2DModel", "SD3Transformer2DModel": "FluxTransformer2DModel", "WanTransformer3DModel": "WanVACETransformer3DModel",
            "AutoencoderKLWan": "AutoencoderKL", "ControlNetModel": "UNet2DConditionModel", "MotionAdapter": "UNetMotionModel",
            "PixArtTransformer2DModel": "DiTTransformer2DModel", "UNet2DModel": "UNet2DConditionModel"}


def halves(tensors):
    names = sorted(tensors)
    return {n: tensors[n] for n in names[::2]}, {n: tensors[n] for n in names[1::2]}


def of_components(files):
    """Swapped, with another's configuration or class, and half of a variant."""
    homes = {os.path.dirname(f): f for f in files if f.endswith(".safetensors")}
    stems = {home: file.removesuffix(".safetensors") for home, file in homes.items()}
    for a, x in homes.items():
        tensors = files[x]
        for b, y in homes.items():
            if a >= b or files[x] == files[y]: continue
            yield "exchanged", a + " and " + b, changed(files, {x: files[y], y: files[x]})
            if files[a + "/config.json"] == files[b + "/config.json"]: continue
            yield "another's configuration", a, changed(files, {a + "/config.json": files[b + "/config.json"]})
            yield "another's configuration", b, changed(files, {b + "/config.json": files[a + "/config.json"]})
        first, second = halves(tensors)
        half = stems[a] + ".fp16-%05d-of-00002.safetensors"
        index = {"metadata": {"total_size": 0}, "weight_map": {n: os.path.basename(half % (1 + (n in second))) for n in tensors}}
        yield "half of a variant", a, changed(files, {half % 1: first})
        yield "half of a variant", a + ", by its index", changed(files, {half % 1: first, stems[a] + ".safetensors.index.fp16.json": index})
        yield "half of a variant", a + ", in one file", changed(files, {stems[a] + ".fp16.safetensors": first})
        yield "variant of another", a, changed(files, {stems[a] + ".fp16.safetensors": {n + ".x": t for n, t in tensors.items()}})
        shard = stems[a] + "-%05d-of-00002.safetensors"
        rest = {f: t for f, t in files.items() if f != x}
        whole = {**index, "weight_map": {n: os.path.basename(shard % (1 + (n in second))) for n in tensors}}
        yield "shard gone", a, changed(rest, {shard % 2: second, stems[a] + ".safetensors.index.json": whole})
        yield "shard gone", a + ", no index", changed(rest, {shard % 2: second})
        yield "shard twice", a, changed(rest, {shard % 1: first, shard % 2: first, stems[a] + ".safetensors.index.json": whole})
        yield "weights gone", a, rest
    index = files.get("model_index.json", {})
    for name, pair in index.items():
        if not isinstance(pair, list) or pair[1] not in SIBLINGS: continue
        other, key = SIBLINGS[pair[1]], "_class_name" if pair[0] == "diffusers" else "architectures"
        config = files[name + "/config.json"]
        renamed = {**config, key: other if key == "_class_name" else [other]}
        yield "sibling in the index", name, with_tensors(files, "model_index.json", {**index, name: [pair[0], other]})
        yield "sibling in the configuration", name, with_tensors(files, name + "/config.json", renamed)
        yield "sibling", name, changed(files, {"model_index.json": {**index, name: [pair[0], other]}, name + "/config.json": renamed})


def of_modules(files):
    """Modules of other widths, missing, or in another order."""
    index = files.get("modules.json", [])
    for name, doc in files.items():
        if name.endswith("tokenizer.json") and isinstance(doc, dict):
            vocab, added = doc["model"]["vocab"], doc["added_tokens"]
            n = max([*vocab.values(), *[t["id"] for t in added]]) + 1
            yield "a token more", name, with_tensors(files, name, {**doc, "added_tokens": [*added, {"id": n, "content": "one more"}]})
            if n == len(vocab): yield "a word more", name, with_tensors(files, name, {**doc, "model": {"vocab": {**vocab, "one more": n}}})
            yield "no tokenizer", name, {n: f for n, f in files.items() if n != name}
        if name.endswith("whitespacetokenizer_config.json") and isinstance(doc, dict):
            yield "a word more", name, with_tensors(files, name, {**doc, "vocab": doc["vocab"] + ["one more"]})
            yield "no tokenizer", name, {n: f for n, f in files.items() if n != name}
    if len(index) > 1 and "Router" not in index[1]["type"]: yield "text read second", "", with_tensors(files, "modules.json", [index[1], index[0], *index[2:]])
    for i, module in enumerate(index):
        if module["type"].endswith(".Pooling") and i + 1 < len(index) and index[i + 1]["type"].endswith(".Dense"):
            yield "never pooled", module["path"], with_tensors(files, "modules.json", index[:i] + index[i + 1:])
        if module["path"] and not module["type"].endswith("Normalize"): yield "module gone", module["path"], {n: f for n, f in files.items() if not n.startswith(module["path"] + "/")}
        if not module["type"].endswith("Dense"): continue
        file = module["path"] + "/model.safetensors"
        tensors, config = files[file], files[module["path"] + "/config.json"]
        wider = {n: (t, s[:1] + [s[1] + 8] if len(s) == 2 else s) for n, (t, s) in tensors.items()}
        yield "wider in", module["path"], changed(files, {file: wider, module["path"] + "/config.json": {**config, "in_features": config["in_features"] + 8}})
        taller = {n: (t, [s[0] + 8] + s[1:]) for n, (t, s) in tensors.items()}
        if i + 1 < len(index) and index[i + 1]["type"].endswith("Dense"):
            yield "wider out", module["path"], changed(files, {file: taller, module["path"] + "/config.json": {**config, "out_features": config["out_features"] + 8}})
            yield "order", module["path"], with_tensors(files, "modules.json", index[:i] + [index[i + 1], module] + index[i + 2:])


def of_folder(kind, files):
    if kind == "pipelines": yield from of_components(files)
    if kind == "sentence-transformers": yield from of_modules(files)


# ---- differences that may agree

def is_free(kind, what, where):
    if what == "gone" and where.endswith("num_batches_tracked"): return True  # files of older torch have none
    if what == "block more" and where.endswith("num_batches_tracked"): return True
    if kind == "single" and what in ("last block gone", "block gone") and where.split(".")[0] in ("conditioner", "text_encoders"): return True  # an encoder fewer
    if kind == "transformers" and what == "config": return True  # a buffer that the class computes may be stored
    if kind != "training": return False
    if what in ("last block gone", "block gone", "block more", "an axis more", "an axis in front", "strange type"): return any(w in where for w in STATES)
    # a weight that is not trained has neither moments nor a copy; a step is a number of either type
    if where == "n_averaged": return True  # number of averaged models, a plain number: without it they are weights
    return what == "gone" and ("momentum_buffer" in where or "ema" in where or "shadow" in where) or what == "retyped" and "step" in where


STATES = "state", "optim", "ema", "shadow", "exp_avg", "momentum", "step"  # training: untrained weights have none

# Known to agree wrongly: an adapter accepts any suffix, a module of one tensor may be missing, a magnitude may
# have any axes of 1.
OWED = {("adapters", "renamed"), ("adapters", "gone"), ("adapters", "resized"), ("adapters", "an axis more"), ("adapters", "an axis in front"), ("timm", "retyped")}


def judge(kind, name, files, status, tally):
    if status(files): return
    tally["cases"] += 1
    for what, where, other in [*of_tensors(name, files, N), *of_structure(name, files, N), *of_configs(name, files, N), *of_lies(name, files), *of_peft(files), *of_folder(kind, files),
                               *(of_names(name, files, N) if kind == "transformers" else ())]:
        if kind == "adapters" and what == "config" or is_free(kind, what, where): continue
        tally["neighbours"] += 1
        if status(other): continue
        owed = (kind, what) in OWED
        tally["owed" if owed else "failed"] += 1
        if not owed or "-v" in sys.argv: print("owed" if owed else "FAIL", kind, name, what, where)


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("-")]
    tallies = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as work:
        folder = os.path.join(work, "f")

        def status(files):
            put(folder, files)
            return subprocess.run([NUMEL, "reconcile", folder, "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        for kind, name, files in cases():
            if words and kind not in words or not EVERY and zlib.crc32(name.encode()) % RARE.get(kind, 4): continue
            judge(kind, name, files, status, tallies[kind])
    for kind, t in tallies.items():
        print("%s: %d cases, %d neighbours, %d agree: %d failed, %d owed" % (kind, t["cases"], t["neighbours"], t["owed"] + t["failed"], t["failed"], t["owed"]))
    return any(t["failed"] or not t["cases"] for t in tallies.values())


if __name__ == "__main__":
    sys.exit(main())
