"""Files that no loader accepts: each rule of src/subject/loaders.c accuses its kind, and none of its healthy
neighbours.

The behaviour of transformers was tested with version 5.24: from_pretrained() on a small random model with altered
names, and rename_source_key() with the mapping of each class. It adds or strips base_model_prefix once per name,
and strips nothing else.

  B=build/release python3 test/truth/loaders.py [-a]      -a: of all classes
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path += [os.path.join(ROOT, "test", folder) for folder in ("truth", "truth/components", "support")]
import training
from neighbours import NUMEL, of_oracle, put

EVERY = "-a" in sys.argv
CODES = "names-wrapped", "adapter-unmerged", "tensors-empty", "rope-factors-missing"
checks, failed = 0, []


def run(*args):
    p = subprocess.run([NUMEL, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    return p.returncode, p.stdout.decode(errors="replace")


def check(ok, *what):
    global checks
    checks += 1
    if not ok: failed.append(" ".join(str(w) for w in what)[:400])


def judgement(folder):
    """Loader verdict of the last document; without one, accuses nothing."""
    docs = json.loads(run("reconcile", "--json", folder)[1])
    doc = docs[-1] if isinstance(docs, list) else docs
    return doc.get("judgement") or {"verdict": "unknown", "causes": []}


def findings(folder):
    return [f for f in json.loads(run("verify", "--json", folder)[1])["findings"] if f["code"] in CODES]


# ---- one model, in many forms

LLAMA, WEIGHTS = training.CONFIG, training.WEIGHTS
COUNT = len(WEIGHTS)


def front(prefix, names=None): return lambda tensors: {prefix + k if names is None or names in k else k: v for k, v in tensors.items()}


def within(old, new): return lambda tensors: {k.replace(old, new): v for k, v in tensors.items()}


def emptied(names, shape): return lambda tensors: {k: (v[0], shape) if names in k else v for k, v in tensors.items()}


def with_adapter(wrapper, base_layer):
    """As PEFT keeps a model in memory whose q_proj and v_proj have LoRA of rank 4."""
    def change(tensors):
        out = {}
        for k, v in tensors.items():
            module, _, last = k.rpartition(".")
            if not module.endswith(("q_proj", "v_proj")):
                out[wrapper + k] = v
                continue
            out[wrapper + module + (".base_layer." if base_layer else ".") + last] = v
            out[wrapper + module + ".lora_A.default.weight"] = (v[0], [4, v[1][1]])
            out[wrapper + module + ".lora_B.default.weight"] = (v[0], [v[1][0], 4])
        return out
    return change


def halves(tensors):
    """Two shards and their index."""
    names = sorted(tensors)
    files = {"model-%05d-of-00002.safetensors" % (1 + i): {n: tensors[n] for n in names[i::2]} for i in range(2)}
    index = {"metadata": {}, "weight_map": {n: f for f, t in files.items() for n in t}}
    return {**files, "model.safetensors.index.json": index}


def same(tensors): return tensors


def said(**keys): return {k: v for k, v in {**LLAMA, **keys}.items() if v is not ...}


LAYER, LAYERS = "layers.0.", sum("layers.0." in k for k in WEIGHTS)
EVERY_NAME = "every name begins with '%s', which transformers does not strip: nothing would be loaded; "
FACTORS = {"short_factor": [1.0] * 8, "long_factor": [1.0] * 8}
# what: change of the tensors, configuration, code, a substring of its text
WRONG = {
    "torch.compile": (front("_orig_mod."), LLAMA, "names-wrapped", EVERY_NAME % "_orig_mod." + "remove it from the names (torch.compile's wrapper: save model._orig_mod)"),
    "data-parallel": (front("module."), LLAMA, "names-wrapped", EVERY_NAME % "module." + "remove it from the names (the data-parallel wrapper: save model.module)"),
    "own module": (front("backbone."), LLAMA, "names-wrapped", EVERY_NAME % "backbone." + "remove it from the names"),
    "two": (front("module._orig_mod."), LLAMA, "names-wrapped", EVERY_NAME % "module._orig_mod."),
    "two, the other way": (front("_orig_mod.module."), LLAMA, "names-wrapped", EVERY_NAME % "_orig_mod.module."),
    "three parts": (front("system.agent.net."), LLAMA, "names-wrapped", EVERY_NAME % "system.agent.net."),
    "behind the prefix": (front("model._orig_mod."), LLAMA, "names-wrapped", EVERY_NAME % "model._orig_mod."),
    "Lightning Fabric": (front("_forward_module."), LLAMA, "names-wrapped", EVERY_NAME % "_forward_module."),
    "averaged": (front("ema."), LLAMA, "names-wrapped", EVERY_NAME % "ema."),
    "PEFT's": (front("base_model.model."), LLAMA, "names-wrapped", EVERY_NAME % "base_model.model."),
    "no class in the configuration": (front("module."), said(architectures=...), "names-wrapped", EVERY_NAME % "module."),
    "own code": (front("_orig_mod."), said(auto_map={"AutoModelForCausalLM": "modeling_x.X"}), "names-wrapped", EVERY_NAME % "_orig_mod."),
    "of one layer": (front("_orig_mod.", LAYER), LLAMA, "names-wrapped", "%d of %d names begin with '_orig_mod.'" % (LAYERS, COUNT)),
    "own module, of one layer": (front("net.", LAYER), LLAMA, "names-wrapped", "%d of %d names begin with 'net.'" % (LAYERS, COUNT)),
    "each layer compiled": (within(LAYER, LAYER + "_orig_mod."), LLAMA, "names-wrapped", "%d of %d names contain '_orig_mod.'" % (LAYERS, COUNT)),
    "FSDP": (within(LAYER, LAYER + "_fsdp_wrapped_module."), LLAMA, "names-wrapped", "FSDP's wrapper: save FSDP's full state dict"),
    "in the middle": (within("model.", "model.language_model."), LLAMA, "names-wrapped", "names have 'language_model.' after 'model.'"),
    "in the middle of one layer": (within(LAYER, LAYER + "block."), LLAMA, "names-wrapped", "%d of %d names have 'block.' after 'model.layers.0.'" % (LAYERS, COUNT)),
    "in shards": (lambda t: halves(front("module.")(t)), LLAMA, "names-wrapped", EVERY_NAME % "module."),
    "adapter": (with_adapter("base_model.model.", True), LLAMA, "adapter-unmerged", "merge_and_unload()"),
    "adapter, no wrapper": (with_adapter("", True), LLAMA, "adapter-unmerged", "8 of its tensors are stored in the model, whose weights are under base_layer"),
    "ZeRO-3": (emptied("", [0]), LLAMA, "tensors-empty", "all %d tensors are empty ([0]): they were saved without being gathered (DeepSpeed ZeRO-3)" % COUNT),
    "ZeRO-3, of matrices": (emptied("proj", [0]), LLAMA, "tensors-empty", "14 of %d tensors are empty ([0])" % COUNT),
    "no rows": (emptied("model.norm", [0]), LLAMA, "tensors-empty", "1 of %d tensors is empty ([0])" % COUNT),
    "ZeRO-3, in shards": (lambda t: halves(emptied("", [0])(t)), LLAMA, "tensors-empty", "all %d tensors are empty" % COUNT),
    "no factors": (same, said(rope_scaling={"type": "longrope"}), "rope-factors-missing", "rope_scaling.type 'longrope' without short_factor and long_factor"),
    "one factor": (same, said(rope_scaling={"type": "longrope", "short_factor": [1.0] * 8}), "rope-factors-missing", "without long_factor"),
    "null": (same, said(rope_parameters={"rope_type": "longrope", **FACTORS, "short_factor": None}), "rope-factors-missing", "rope_parameters.rope_type 'longrope' without short_factor"),
}
# The loader is unknown, or the weights may be right: reported, but not accused.
NOTED = {
    "no configuration": (front("module."), None, "every name begins with 'module.', which most loaders do not strip (without config.json the loader is unknown)"),
    "no configuration, in each layer": (within(LAYER, LAYER + "_orig_mod."), None, "%d of %d names contain '_orig_mod.'" % (LAYERS, COUNT)),
}
NOTED["adapter next to the weights"] = (with_adapter("", False), LLAMA, "8 LoRA tensors are stored next to the weights, which transformers does not load")
# what: change, configuration, verdict
RIGHT = {
    "as it is": (same, LLAMA, "agrees"),
    "without the prefix": (within("model.", ""), LLAMA, "agrees"),
    "prefix twice, as Lightning saves": (front("model."), LLAMA, "agrees"),
    "in shards": (halves, LLAMA, "agrees"),
    "checkpoint of training": (lambda t: training.RIGHT["wrapped-states"][0], LLAMA, None),
    "average of training": (lambda t: training.RIGHT["averaged"][0], LLAMA, None),
    "no configuration": (same, None, "in part"),
    "no configuration, prefix twice": (front("model."), None, "in part"),
    "no configuration, of training": (lambda t: training.RIGHT["wrapped-states"][0], None, None),
    "own code": (front("backbone."), said(auto_map={"AutoModelForCausalLM": "modeling_x.X"}), "agrees"),
    "of MLX": (lambda t: {"model.safetensors": {**front("language_model.")(t), "__metadata__": {"format": "mlx"}}}, LLAMA, None),
    "of timm": (front("module."), said(model_type=..., architecture="llama", pretrained_cfg={}), None),
    "no elements expected": (lambda t: {**t, "model.more.weight": ("BF16", [0])}, LLAMA, None),
    "factors": (same, said(rope_scaling={"type": "longrope", **FACTORS}), "agrees"),
    "factors, in today's key": (same, said(rope_parameters={"rope_type": "longrope", "rope_theta": 1e4, **FACTORS}), "agrees"),
    "another rope": (same, said(rope_scaling={"type": "yarn", "factor": 4.0}), "agrees"),
    "no rope": (same, said(rope_scaling=None), "agrees"),
}


def folder_of(change, config):
    tensors = change(WEIGHTS)
    files = tensors if any(n.endswith(".safetensors") for n in tensors) else {"model.safetensors": tensors}
    return {**files, **({"config.json": config} if config else {})}


def of_one(folder):
    for name, (change, config, code, text) in WRONG.items():
        put(folder, folder_of(change, config))
        j, told = judgement(folder), findings(folder)
        mine = [c for c in j["causes"] if c["code"] == code]
        check(j["verdict"] == "disagrees", name, "is", j["verdict"])
        check(len(mine) == 1 and text in mine[0]["text"], name, "has", j["causes"][:3], "not", text)
        check(mine and j["causes"][0]["code"] in CODES, name, "has another cause first", j["causes"][:1])
        check([f["message"] for f in told if f["code"] == code] == [c["text"] for c in mine], name, "has findings", told)
    for name, (change, config, text) in NOTED.items():
        put(folder, folder_of(change, config))
        j = judgement(folder)
        check(j["verdict"] == "in part" and [c for c in j["causes"] if text in c["text"]], name, "is", j["verdict"], j["causes"])
        check(not findings(folder), name, "is accused by verify", findings(folder))
    for name, (change, config, verdict) in RIGHT.items():
        put(folder, folder_of(change, config))
        j = judgement(folder)
        check(verdict in (None, j["verdict"]), name, "is", j["verdict"], j["causes"][:2])
        check(not [c for c in j["causes"] if c["code"] in CODES], name, "is accused", j["causes"])
        check(not findings(folder), name, "is accused by verify", findings(folder))


# ---- many classes

def of_timm(folder):
    """timm strips two wrappers, and its files are recognised without a configuration."""
    for i, (name, files) in enumerate(of_oracle("timm.jsonl.zst")):
        if i % 40: continue
        for wrapper in "", "_orig_mod.", "module.":
            put(folder, {"model.safetensors": front(wrapper)(files["model.safetensors"])})
            j = judgement(folder)
            check(not [c for c in j["causes"] if c["code"] in CODES], name, wrapper, "is accused", j["causes"][:1])


def of_classes(folder):
    """Each as its class saves it, inside a wrapper, and under the prefix of a foreign base model."""
    for file, library, step in (("sizes", "transformers", 90), ("diffusers_sizes", "diffusers", 60)):
        for i, (name, files) in enumerate(of_oracle(file + ".jsonl.zst")):
            if i % (4 if EVERY else step): continue
            put(folder, files)
            j = judgement(folder)
            check(not [c for c in j["causes"] if c["code"] in CODES], name, "is accused", j["causes"][:1])
            for wrapper in "_orig_mod.", "module.", "agent.":
                put(folder, {**files, "model.safetensors": front(wrapper)(files["model.safetensors"])})
                j = judgement(folder)
                mine = [c["text"] for c in j["causes"] if c["code"] == "names-wrapped"]
                check(j["verdict"] == "disagrees" and mine and library in mine[0] and "'%s'" % wrapper in mine[0], name, wrapper, j["verdict"], j["causes"][:1])


def main():
    with tempfile.TemporaryDirectory() as root:
        of_one(os.path.join(root, "m"))
        of_timm(os.path.join(root, "m"))
        of_classes(os.path.join(root, "m"))
    for f in failed: print("failed:", f)
    print("loaders: %d wrong, %d right, %d checks, %d failed" % (len(WRONG), len(NOTED) + len(RIGHT), checks, len(failed)))
    return 1 if failed else 0


if __name__ == "__main__": sys.exit(main())
