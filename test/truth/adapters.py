#!/usr/bin/env python3
"""adapters.py NUMEL -- adapters as peft, diffusers, kohya and LyCORIS write them, and numel's reports on them.

fixtures/adapters/lora.jsonl.zst has one case per line: names, shapes and metadata, and the truth: rank, alpha,
number of modules, parameters without alphas, and the base. Each is written as a file (the data is a hole except
for alphas), and numel must report the truth. peft.jsonl.zst has what peft 0.21 made from language models, with its
configuration. Then each is altered in small ways, and each alteration must be reported: `reconcile` exits with 1
and a sentence with both sizes, or, if only the base differs, names no family.
"""
import copy
import json
import math
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile

sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), folder) for folder in ("../gen", "../support")]
import adapter_kinds  # noqa: E402
import adapters_told  # noqa: E402
from files import sparse, sparse_gguf, stored  # noqa: E402


def alpha_bytes(dtype, value):
    if dtype == "BF16":
        return struct.pack("<f", value)[2:]
    return struct.pack("<e" if dtype == "F16" else "<f", value)


def write(path, tensors, metadata=None, alpha=1):
    alphas = {name: alpha_bytes(dtype, alpha) for name, _, dtype in tensors if name.endswith(".alpha")}
    sparse(path, [(name, dtype, shape) for name, shape, dtype in tensors], metadata, alphas)


def write_case(path, case):
    write(path, case["tensors"], case["metadata"] or None, case["alpha"])


def say(numel, path):
    p = subprocess.run([numel, "reconcile", "--json", path], capture_output=True, text=True)
    doc = json.loads(p.stdout)
    return p.returncode, doc["adapter"] or {}, doc


def expected(case):
    kind = "loha" if "loha" in case["format"] else "dora" if "dora" in case["format"] else "lora"
    said = case["alpha_tensors"] or "lora_adapter_metadata" in json.dumps(case["metadata"])
    return {"type": kind, "modules": case["num_targets"], "parameters": case["parameters"],
            "alpha_tensors": case["alpha_tensors"], "family": case["base"], "alpha": case["alpha"] if said else None}


def pairs(case, *ends):
    return [i for i, t in enumerate(case["tensors"]) if any(e in t[0] for e in ends)]


def altered(case):
    """Neighbours: the change, the case, True if it is contradicted, False if no family may be named any more, None
    for neither."""
    up = pairs(case, "lora_up", "lora_B", "lora.up", "hada_w1_b")
    alphas = pairs(case, ".alpha")
    for i in (up[0], up[-1]):
        c = copy.deepcopy(case)
        del c["tensors"][i]
        yield "one of a pair is gone", c, True
        c = copy.deepcopy(case)
        shape = c["tensors"][i][1]
        shape[1 if "hada" not in c["tensors"][i][0] else 0] += 1
        yield "another rank on one side", c, True
    c = copy.deepcopy(case)
    c["tensors"][up[0]][0] += "_x"
    yield "a tail that no part has", c, True
    if alphas:
        c = copy.deepcopy(case)
        stem = c["tensors"][alphas[0]][0][:-len("alpha")]
        c["tensors"] = [t for t in c["tensors"] if not t[0].startswith(stem) or t[0].endswith(".alpha")]
        yield "an alpha with no pair", c, True
        c = copy.deepcopy(case)
        del c["tensors"][alphas[-1]]
        yield "an alpha is gone", c, True
        c = copy.deepcopy(case)
        c["tensors"][alphas[0]][1] = [2]
        yield "an alpha of two numbers", c, True
    c = copy.deepcopy(case)
    c["tensors"].append(["unet.noise_scale", [320], "F32"])
    yield "one more tensor", c, None
    c = copy.deepcopy(case)
    c["tensors"][up[0]][2] = "I32"
    yield "a type that no weight has", c, True
    c = copy.deepcopy(case)
    grow = [t for t in c["tensors"] if t[0].rsplit(".", 2)[0] == c["tensors"][up[0]][0].rsplit(".", 2)[0]]
    for t in grow:
        if any(e in t[0] for e in ("lora_up", "lora_B", "lora.up", "dora_scale")):
            t[1][0] += 1
    if "loha" not in case["format"]:
        yield "a weight of another size", c, False
    c = copy.deepcopy(case)
    for t in c["tensors"]:
        for a, b in ((".0.", ".97."), ("_0_", "_97_")):
            t[0] = t[0].replace(a, b, 1)
    yield "layers that no base has", c, False
    stem = next((t[0].split(".lora", 1)[0].split(".hada", 1)[0].split(".alpha", 1)[0] for t in case["tensors"][len(case["tensors"]) // 2:]), None)
    c = copy.deepcopy(case)
    c["tensors"] = without(c["tensors"], stem + ".")
    yield "a module is gone", c, True
    magnitude = pairs(case, "dora_scale")
    if magnitude:
        c = copy.deepcopy(case)
        c["tensors"][magnitude[0]][1][0] += 3
        yield "a magnitude of another length", c, True
    if case["metadata"] and "ss_network_dim" in case["metadata"]:
        c = copy.deepcopy(case)
        c["metadata"]["ss_network_dim"] = "7"
        if case["format"] == "kohya":
            yield "another rank in the metadata", c, True
        c = copy.deepcopy(case)
        own = c["tensors"][up[0]][0].rsplit(".", 2)[0]
        for t in c["tensors"]:
            if t[0].startswith(own + ".lora_"):
                t[1][0 if "down" in t[0] else 1] += 1
        if case["metadata"].get("ss_network_args") == "{}" and case["format"] == "kohya":
            yield "another rank of one module", c, True
        c = copy.deepcopy(case)
        c["metadata"]["ss_base_model_version"] = "flux1"
        yield "another base in the metadata", c, True


# Shapes of one module as the classes of peft and lycoris create them; the module is [out, in]. A change in any
# size of `tied` breaks the module, and so does each missing tensor.
METHODS = [
    ("lora", 4, {"lora_down.weight": [4, 320, 1, 1], "lora_up.weight": [320, 4, 1, 1], "lora_mid.weight": [4, 4, 3, 3]}),
    ("loha", 4, {"hada_w1_a": [4, 320], "hada_w1_b": [4, 320], "hada_w2_a": [4, 320], "hada_w2_b": [4, 320],
                 "hada_t1": [4, 4, 3, 3], "hada_t2": [4, 4, 3, 3]}),
    ("lokr", 4, {"lokr_w1": [16, 8], "lokr_w2_a": [20, 4], "lokr_w2_b": [4, 40]}),
    ("lokr", None, {"lokr_w1": [16, 8], "lokr_w2": [20, 40]}),
    ("lokr", 4, {"lokr_w1_a": [16, 4], "lokr_w1_b": [4, 8], "lokr_w2_a": [20, 4], "lokr_w2_b": [4, 40]}),
    ("lokr", 4, {"lokr_w1": [2, 2], "lokr_w2_a": [4, 160], "lokr_w2_b": [4, 160], "lokr_t2": [4, 4, 3, 3]}),
    ("glora", 4, {"a1.weight": [320, 4], "a2.weight": [4, 320], "b1.weight": [320, 4], "b2.weight": [4, 320]}),
    ("full", None, {"diff": [320, 320]}),
    ("full", None, {"set_weight": [320, 320]}),
    ("oft", None, {"oft_blocks": [8, 40, 40]}),
    ("ia3", None, {"weight": [320], "on_input": []}),
]
PROJECTION = "lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn1_to_q."
CONVOLUTION = "lora_unet_down_blocks_0_resnets_0_conv1."


def method_cases():
    """(what, tensors, expected type, rank, is complete)."""
    for kind, rank, parts in METHODS:
        stem = CONVOLUTION if any(len(s) == 4 for s in parts.values()) else PROJECTION
        tensors = [[stem + n, s, "F16"] for n, s in parts.items()]
        yield f"{kind} {sorted(parts)}", tensors, kind, rank, True
        for i in range(len(tensors) if len(tensors) > 1 else 0):
            yield f"{kind} without {tensors[i][0]}", tensors[:i] + tensors[i + 1:], None, None, False
        for i, (name, shape, _) in enumerate(tensors):
            if len(tensors) > 1 and rank and rank in shape:
                other = copy.deepcopy(tensors)
                other[i][1][shape.index(rank)] += 1
                yield f"{kind} with another rank in {name}", other, None, None, False
        if kind == "oft":
            yield "oft that is not square", [[tensors[0][0], [8, 40, 41], "F16"]], None, None, False


NOT_PROVEN = "not proven"


# Tensors that add something without changing a weight: kind, family, tensors, status.
def kind_cases():
    def images(n, width):
        return [["image_proj.proj.weight", [8192, 1280], "F16"], ["image_proj.norm.weight", [width], "F16"]] + [
            [f"ip_adapter.{2 * i + 1}.to_{x}_ip.weight", [640, width], "F16"] for i in range(n) for x in "kv"]
    yield "embedding", "SD1.5", [["emb_params", [8, 768], "F32"]], 0
    yield "embedding", "SD1.5", [["<cat>", [768], "F32"]], 0
    yield "embedding", "SD2.1", [["string_to_param.*", [2, 1024], "F32"]], 0
    yield "embedding", "SDXL", [["clip_g", [8, 1280], "F32"], ["clip_l", [8, 768], "F32"]], 0
    yield "embedding", "SDXL", [["clip_g", [8, 1280], "F32"], ["clip_l", [7, 768], "F32"]], 1
    yield "embedding", "SD1.5", [["emb_params", [8, 768], "I32"]], 1
    for kind, family, rows in adapter_kinds.kinds():
        own = [[n, list(s), "F16"] for n, s in rows.items()]
        yield kind, family, own, 0
        yield kind, family, [own[0][:2] + ["I32"]] + own[1:], 1
        yield NOT_PROVEN, None, own[1:], None
        yield NOT_PROVEN, None, own + [["noise", [7], "F16"]], None
        yield NOT_PROVEN, None, own[:-1] + [[own[-1][0], [n + 1 for n in own[-1][1]], "F16"]], None
    for shapes, status in (([[1536, 768], [768, 1536]], 0), ([[1536, 768], [768, 1535]], 4), ([[1536, 768]], 4)):
        own = [[f"{w}.{k}.linear.{2 * i}.{x}", [n * w // 768 for n in (s if x == "weight" else s[:1])], "F32"]
               for w in (320, 640, 768, 1280) for k in (0, 1) for i, s in enumerate(shapes) for x in ("weight", "bias")]
        yield "hypernetwork", "SD1.5", own, status
        yield NOT_PROVEN, None, [t for t in own if not t[0].startswith("640.1.")], None
    yield None, None, [["clip_g", [8, 1281], "F32"], ["clip_l", [8, 768], "F32"]], 4
    yield None, None, [["emb_params", [8, 770], "F32"]], 4
    yield None, None, [["emb_params", [8, 768], "F32"], ["layer.weight", [8, 768], "F32"]], 4
    yield "ip-adapter", None, images(16, 2048), 4
    yield "ip-adapter", None, images(70, 2048), 4
    yield "ip-adapter", None, images(70, 2048)[:-1], 1
    yield from control_loras()
    yield None, None, [["input_blocks.1.1.proj_in.up", [320, 8], "F16"], ["input_blocks.1.1.proj_in.down", [8, 320], "F16"]], 4


def control_loras():
    """As Stability AI wrote them for SDXL: pairs without .weight, whole biases and norms, a marker."""
    own = [["lora_controlnet", [], "F32"], ["time_embed.0.up", [1280, 8], "F16"], ["time_embed.0.down", [8, 320], "F16"],
           ["time_embed.0.bias", [1280], "F16"], ["input_blocks.4.0.in_layers.0.weight", [320], "F16"],
           ["input_blocks.4.0.in_layers.2.up", [640, 8, 1, 1], "F16"], ["input_blocks.4.0.in_layers.2.down", [8, 320, 3, 3], "F16"],
           ["input_blocks.4.1.transformer_blocks.1.attn2.to_k.up", [640, 8], "F16"],
           ["input_blocks.4.1.transformer_blocks.1.attn2.to_k.down", [8, 2048], "F16"],
           ["input_hint_block.14.weight", [320, 256, 3, 3], "F16"], ["zero_convs.8.0.weight", [1280, 1280, 1, 1], "F16"]]
    yield "control-lora", "SDXL ControlNet", own, 0
    yield "control-lora", "SDXL", own[:-1] + [["zero_convs.8.0.weight", [1280, 640, 1, 1], "F16"]], 4
    yield "control-lora", "SDXL", own + [["zero_convs.12.0.weight", [1280, 1280, 1, 1], "F16"]], 4
    yield "control-lora", None, own[:1] + [["time_embed.0.up", [1281, 8], "F16"]] + own[2:], 4
    yield "control-lora", None, own[:1] + own[2:], 1
    yield "control-lora", None, own[:1] + [["time_embed.0.up", [1280, 9], "F16"]] + own[2:], 1


def judge_kinds(numel, path, failed):
    count = 0
    for kind, family, tensors, wanted in kind_cases():
        count += 1
        write(path, tensors)
        status, got, _ = say(numel, path)
        all_of_it = sum(math.prod(t[1]) for t in tensors if t[0] != "lora_controlnet")
        if kind == NOT_PROVEN:
            if status == 0:
                failed.append(f"{len(tensors)} tensors as of a kind: agrees, {got}")
            continue
        if (got.get("type"), got.get("family"), status) != (kind, family, wanted) or (kind and got["parameters"] != all_of_it):
            failed.append(f"{kind} of {family}, {len(tensors)} tensors: status {status}, {got}")
    return count


def judge_methods(numel, path, failed):
    count = 0
    for what, tensors, kind, rank, is_whole in method_cases():
        count += 1
        write(path, tensors)
        status, got, _ = say(numel, path)
        if is_whole and (got.get("type"), got.get("rank"), status) != (kind, rank, 0):
            failed.append(f"{what}: {got}, status {status}")
        if is_whole and got.get("family") != "SD1.5":
            failed.append(f"{what}: of {got.get('family')}")
        if what.endswith("lora_mid.weight") and "without" in what and got and not got["family"]:
            continue  # a kernel delta that the base lacks
        if not is_whole and status != 1:
            failed.append(f"{what}: status {status}, {got}")
    return count


def judge(numel, case, path, failed):
    write_case(path, case)
    status, got, doc = say(numel, path)
    want = expected(case)
    wrong = {k: (v, got.get(k)) for k, v in want.items() if got.get(k) != v}
    if case["rank"] not in got.get("ranks", []) or got.get("disagrees") or status or doc["agrees"] is not True:
        wrong["rank"] = (case["rank"], got.get("ranks"), got.get("disagrees"), status)
    if doc["ground"] != {"shape": len(case["tensors"]), "name": 0, "none": 0}:
        wrong["ground"] = doc["ground"]
    if wrong:
        failed.append(f"{case['name']}: {wrong}")
    count = 1
    for what, other, told in altered(case):
        count += 1
        write_case(path, other)
        status, got, doc = say(numel, path)
        if told and (status != 1 or not got.get("disagrees")):
            failed.append(f"{case['name']}: {what}: status {status}, not reported")
        if status == 0 or doc["agrees"]:
            failed.append(f"{case['name']}: {what}: agrees")
        if told is False and got.get("family"):
            failed.append(f"{case['name']}: {what}: still identified as {got['family']}")
    return count


def cut(case):
    """Its configuration; for a case reduced to three layers, it states three."""
    found = [re.search(r"\b(?:layers?|h|block)\.(\d+)\.", t[0]) for t in case["tensors"]]
    layers = {int(m[1]) for m in found if m}
    return dict(case["config"], layers_to_transform=[0, 1, 2]) if layers == {0, 1, 2} else case["config"]


def without(tensors, stem):
    return [t for t in tensors if not t[0].startswith(stem)]


def gone(tensors):
    """Removes the modules of the second block, or all modules; removes that block."""
    found = [re.match(r"(.*?\b(?:layers?|h|block)\.1\.)(.*\.)(?:lora|ia3|hada|lokr|oft|hra|ln|vera|c3a|miss|delora|gralora|hira|deft|beft|fourierft|waveft|vblora|road|randlora|pvera|lily|psoft|peanut|osf|poly)_", t[0]) for t in tensors]
    found = [m for m in found if m]
    if found:
        yield "a module is gone", without(tensors, found[0][1] + found[0][2]), len({m[2] for m in found if m[1] == found[0][1]}) > 1
        yield "a block is gone", without(tensors, found[0][1]), len(tensors) > 60


def peft_neighbours(case):
    """Files that peft did not write: the change, tensors, configuration."""
    tensors, config = case["tensors"], cut(case)
    for what, other, apparent in gone(tensors):
        yield what, other, config
        if apparent and not case["what"].endswith("told"):
            yield what + " and nothing told", other, None
    if "lora_A.weight" in tensors[0][0] and config["peft_type"] == "LORA":
        named = [[t[0].replace("lora_A.weight", "lora_A.one.weight").replace("lora_B.weight", "lora_B.two.weight")] + t[1:] for t in tensors[:2]]
        yield "two adapters' halves", named + tensors[2:], config
        yield "two writers' names", [[tensors[0][0].replace("lora_A", "lora_down")] + tensors[0][1:]] + tensors[1:], config
        yield "a pair of two types", [tensors[0][:2] + ["BF16"]] + tensors[1:], config
    yield "one more tensor", tensors + [["base_model.model.noise", [7], "F32"]], config
    biases = [t[0] for t in tensors if t[0].endswith((".base_layer.bias", "lora_B.bias"))]
    if biases:
        yield "one bias is gone", [t for t in tensors if t[0] != biases[1]], config
        stem = biases[1].split(".base_layer.")[0].split(".lora_B.")[0]
        yield "all but a bias is gone", [t for t in tensors if not t[0].startswith(stem) or t[0].endswith(".bias")], config
    biases = [t[0] for t in tensors if re.search(r"\.\d+\..*_proj\.bias$", t[0])]
    if biases:
        yield "one whole bias is gone", [t for t in tensors if t[0] != biases[1]], config
    yield "another method stated", tensors, dict(config, peft_type="IA3" if config["peft_type"] != "IA3" else "HRA")
    if config["peft_type"] == "LORA":
        yield "magnitudes stated, or not", tensors, dict(config, use_dora=not config.get("use_dora"))
    for key in ("n_frequency", "num_vectors", "vector_length", "gralora_k", "hybrid_r", "oft_block_size", "boft_block_size", "block_size"):
        if config.get(key) and config["peft_type"] != "BOFT":
            yield f"another {key} stated", tensors, dict(config, **{key: 2 * config[key], key + "_pattern": {}})
    if config.get("variant"):
        yield "another variant stated", tensors, dict(config, variant="road_2")
    if config.get("trainable_token_indices"):
        yield "one more token stated", tensors, dict(config, trainable_token_indices=[1, 2, 3, 4])
    if config.get("layers_to_transform"):
        yield "one more layer stated", tensors, dict(config, layers_to_transform=[0, 1, 2, 5])
    if "best" not in case["what"]:  # the first are numbers, of any type that holds them
        yield "another type", [tensors[0][:2] + ["I64"]] + tensors[1:], config
    name, shape, dtype = tensors[0]
    if case["what"] != "tokens":  # any number of these is valid
        yield "one size larger", [[name, [shape[0] + 1] + shape[1:], dtype]] + tensors[1:], config
    if "trainable_tokens" not in tensors[-1][0]:
        name, shape, dtype = tensors[-1]
        yield "the last one larger", tensors[:-1] + [[name, shape[:-1] + [shape[-1] + 1], dtype]], config
    if any(t[0].endswith("classifier.bias") for t in tensors):
        yield "a head without biases", [t for t in tensors if not t[0].endswith("classifier.bias")], config
    if config.get("modules_to_save") and "classifier" not in config["modules_to_save"]:
        yield "what was saved is gone", [t for t in tensors if config["modules_to_save"][0] not in t[0]], config
    if any("magnitude" in t[0] for t in tensors):
        at = next(i for i, t in enumerate(tensors) if "magnitude" in t[0])
        yield "one magnitude is gone", tensors[:at] + tensors[at + 1:], config
    if any("vera_B" in t[0] for t in tensors):
        yield "one of what is shared is gone", [t for t in tensors if "vera_B" not in t[0]], config
    if any("lora_B" in t[0] for t in tensors):
        yield "a half is gone", [t for t in tensors if t[0] != next(t[0] for t in tensors if "lora_B" in t[0])], config
        if config["peft_type"] == "LORA":
            yield "another rank stated", tensors, dict(config, r=77, rank_pattern={})
    if config.get("target_parameters"):
        yield "half the rank stated for experts", tensors, dict(config, r=config["r"] // 2, rank_pattern={"self_attn.[a-z_]+": config["r"]})
    if config["peft_type"] == "LORA" and case["base"].endswith("B") and "head" not in case["what"]:
        other = "org/Llama-3.1-405B" if case["base"] != "Llama-3.1-405B" else "org/Llama-2-7B"
        yield "another base stated", tensors, dict(config, base_model_name_or_path=other)
        yield "a wider base", [[t[0], [n + 64 if n > 200 else n for n in t[1]], t[2]] for t in tensors], config


def judge_peft(numel, folder, failed):
    """Adapters that peft writes for language models, each with and without its configuration."""
    raw = subprocess.run(["zstd", "-dc", "fixtures/adapters/peft.jsonl.zst"], capture_output=True, check=True).stdout
    path, config, count = os.path.join(folder, "adapter_model.safetensors"), os.path.join(folder, "adapter_config.json"), 0

    def ask(tensors, said):
        write(path, tensors)
        if said:
            with open(config, "w") as f:
                json.dump(said, f)
        answer = say(numel, path)
        if said:
            os.unlink(config)
        return answer
    for case in map(json.loads, raw.splitlines()):
        for said in (cut(case), None):
            count += 1
            status, got, doc = ask(case["tensors"], said)
            if not said and case["what"].endswith("told"):  # nothing else states its sizes
                if status != 4:
                    failed.append(f"peft {case['what']} of {case['base']} and nothing told: status {status}")
                continue
            named = got.get("family") == case["base"] or (not (said and case["told"]) and case["base"] in got.get("fits", []))
            if status or not named or doc["ground"]["shape"] != len(case["tensors"]):
                failed.append(f"peft {case['what']} of {case['base']}: status {status}, {got.get('family')}, {doc['ground']}, {got.get('disagrees')}")
        for what, tensors, said in peft_neighbours(case):
            count += 1
            if ask(tensors, said)[0] not in (1, 4):
                failed.append(f"peft {case['what']} of {case['base']}: {what}: agrees")
    return count


# Output of peft 0.21 for a model of width 64 with 3 layers and 2 of its 4 heads for keys: method, keys, shape.
PROMPTS = [
    ("PROMPT_TUNING", {"token_dim": 64, "num_transformer_submodules": 1}, [7, 64]),
    ("P_TUNING", {"token_dim": 64, "num_transformer_submodules": 1, "encoder_hidden_size": 32}, [7, 64]),
    ("PREFIX_TUNING", {"token_dim": 32, "num_transformer_submodules": 1, "num_layers": 3}, [7, 192]),
]


def judge_prompts(numel, folder, failed):
    """Prompts: as long and as wide as their configuration states."""
    path, config = os.path.join(folder, "adapter_model.safetensors"), os.path.join(folder, "adapter_config.json")
    def ask(tensors, wanted):
        write(path, tensors)
        status, got, _ = say(numel, path)
        if (status, got.get("type")) != (wanted, "multitask_prompt_tuning"):
            failed.append(f"a prompt of tasks, {tensors}: status {status}, {got}")
    with open(config, "w") as f:
        json.dump({"peft_type": "MULTITASK_PROMPT_TUNING", "num_virtual_tokens": 7, "token_dim": 64, "num_transformer_submodules": 1,
                   "num_tasks": 3, "num_ranks": 2}, f)
    tasks = [["prefix_task_cols", [3, 7, 2], "F32"], ["prefix_task_rows", [3, 2, 64], "F32"], ["prompt_embeddings", [7, 64], "F32"]]
    ask(tasks, 0)
    for i, (name, shape, dtype) in enumerate(tasks):
        ask(tasks[:i] + [[name, shape[:-1] + [shape[-1] + 1], dtype]] + tasks[i + 1:], 1)
        if i < 2:
            ask(tasks[:i] + tasks[i + 1:], 1)
    ask(tasks[:2], 1)
    for method, keys, (rows, columns) in PROMPTS:
        with open(config, "w") as f:
            json.dump({"peft_type": method, "num_virtual_tokens": 7, **keys}, f)
        for shape, wanted in (([rows, columns], 0), ([rows + 1, columns], 1), ([rows, columns + 1], 1)):
            write(path, [["prompt_embeddings", shape, "F32"]])
            status, got, _ = say(numel, path)
            if (status, got.get("type")) != (wanted, method.lower()):
                failed.append(f"{method} of {shape}: status {status}, {got}")
    os.unlink(config)
    return 3 * len(PROMPTS) + 7


# Trainers' and PEFT's statements about a file, and whether its tensors allow them: a kohya LoRA of SD1.5,
# diffusers' of FLUX.1, PEFT's of Llama 3.2 1B (q_proj and v_proj).
SAID = [
    ("sd15 kohya r32 a16", {"ss_base_model_version": "sd_1.5"}, True),
    ("sd15 kohya r32 a16", {"ss_base_model_version": "a model of tomorrow"}, True),
    ("sd15 kohya r32 a16", {"ss_base_model_version": "wan2.1"}, False),
    ("sd15 kohya r32 a16", {"ss_base_model_version": "krea2"}, False),
    ("sd15 kohya r32 a16", {"ss_base_model_version": "omnigen2"}, False),
    ("sd15 kohya r32 a16", {"modelspec.architecture": "stable-diffusion-v1/lora"}, True),
    ("sd15 kohya r32 a16", {"modelspec.architecture": "stable-diffusion-v1-inpainting/lora"}, True),
    ("sd15 kohya r32 a16", {"modelspec.architecture": "Krea-2/lora"}, False),
    ("sd15 kohya r32 a16", {"modelspec.architecture": "a model of tomorrow/lora"}, False),
    ("flux diffusers peft r4", {"bias": "lora_only"}, False),
    ("lora qv", {"bias": "lora_only"}, True),  # modules that the model lacks
    ("sd15 kohya r32 a16", {"modelspec.architecture": "stable-diffusion-v1/textual-inversion"}, False),
    ("sd15 kohya r32 a16", {"modelspec.architecture": "flux-1-dev/lora"}, False),
    ("sd15 kohya r32 a16", {"ss_network_module": "networks.lora_flux"}, False),
    ("sd15 kohya r32 a16", {"ss_network_module": "networks.lokr"}, False),
    ("sd15 kohya r32 a16", {"ss_network_module": "networks.lora_fa"}, True),
    ("sd15 kohya r32 a16", {"ss_network_alpha": "7"}, False),
    ("sd15 kohya r32 a16", {"ss_network_dim": "x"}, False),
    ("sd15 kohya r32 a16", {"ss_network_dim": "None"}, True),
    ("sd15 kohya r32 a16", {"ss_network_args": '{"algo": "loha"}'}, False),
    ("sd15 kohya r32 a16", {"ss_network_args": '{"algo": "locon", "loraplus_lr_ratio": "4"}'}, True),
    ("sd15 kohya r32 a16", {"ss_network_args": '{"dora_wd": "True"}'}, False),
    ("sd15 kohya r32 a16", {"ss_network_args": '{"train_norm": "True"}'}, False),
    ("sd15 kohya r32 a16", {"ss_network_args": '{"conv_dim": "8"}'}, False),
    ("flux diffusers peft r4", {"lora_alpha": 4, "bias": "none"}, True),
    ("flux diffusers peft r4", {"use_dora": True}, False),
    ("flux diffusers peft r4", {"peft_type": "LOHA"}, False),
    ("flux diffusers peft r4", {"bias": "all"}, False),
    ("flux diffusers peft r4", {"target_modules": r"transformer_blocks\.\d+\.attn\.to_[qkv]"}, False),
    ("flux diffusers peft r4", {"modules_to_save": ["proj_out"]}, False),
    ("flux diffusers peft r4", {"base_model_name_or_path": "stabilityai/stable-diffusion-3-medium"}, False),
    ("flux diffusers peft r4", {"base_model_name_or_path": "black-forest-labs/FLUX.1-dev"}, True),
    ("flux diffusers peft r4", {"auto_mapping": {"base_model_class": "UNet2DConditionModel"}}, False),
    ("lora qv", {"peft_type": "NONSENSE"}, False),
    ("lora qv", {"peft_type": "PROMPT_TUNING"}, False),
    ("lora qv", {"bias": "all"}, True),  # modules that the model lacks
    ("lora qv", {"bias": "nonsense"}, False),
    ("lora qv", {"r": "x"}, False),
    ("lora qv", {"lora_alpha": "x"}, False),
    ("lora qv", {"lora_bias": True}, False),
    ("lora qv", {"fan_in_fan_out": True}, False),
    ("lora qv", {"trainable_token_indices": [1]}, False),
    ("lora qv", {"task_type": "SEQ_CLS"}, False),
    ("lora qv", {"task_type": "CAUSAL_LM"}, True),
    ("lora qv", {"layer_replication": [[0, 4], [2, 5]]}, False),
    ("lora qv", {"rank_pattern": {"o_proj": 8}}, False),
    ("lora qv", {"rank_pattern": {r"layers\.[12]\.self_attn\.q_proj": 99}}, False),
    ("lora qv", {"rank_pattern": {r"layers\.77\.self_attn\.q_proj": 99}}, True),
    ("lora qv", {"target_parameters": ["mlp.experts.down_proj"]}, True),  # modules that the model lacks: PEFT warns
    ("lora qv", {"target_modules": "all-linear"}, False),
    ("lora qv", {"target_modules": r".*\.self_attn\.(q|v)_proj"}, True),
    ("lora qv", {"target_modules": r"(?:\bmodel\.layers\.[\d]{1,}\.self_attn\.(?:(?:q_proj|v_proj)))"}, True),
    ("lora qv", {"target_modules": r".*\.self_attn\.(q|k)_proj"}, False),
    ("lora qv", {"target_modules": r".*\.self_attn\.(q|v|o)_proj", "layers_to_transform": None}, False),
    ("lora qv", {"target_modules": r".*\.(?=q|v)\w_proj"}, False),  # numel does not read that
    ("lora qv", {"exclude_modules": ".*q_proj"}, False),
]


def judge_said(numel, folder, failed):
    """Statements about a file besides its tensors: each lie is refused, each possible statement is accepted."""
    path, config = os.path.join(folder, "adapter_model.safetensors"), os.path.join(folder, "adapter_config.json")
    loras = {c["name"]: c for c in stored("fixtures/adapters/lora.jsonl.zst")}
    pefts = {c["what"]: c for c in stored("fixtures/adapters/peft.jsonl.zst") if c["base"] == "Llama-3.2-1B"}
    for name, said, agrees in SAID:
        case, metadata = loras.get(name) or pefts[name], None
        if name in pefts:
            with open(config, "w") as f:
                json.dump({**cut(case), **said}, f)
        elif "diffusers" in name:
            metadata = {k: json.dumps({**json.loads(v), **{"transformer." + x: y for x, y in said.items()}}) if k == "lora_adapter_metadata" else v
                        for k, v in case["metadata"].items()}
        else:
            metadata = {**case["metadata"], **said}
        write(path, case["tensors"], metadata, case.get("alpha") or 1)
        status, got, _ = say(numel, path)
        if os.path.exists(config):
            os.unlink(config)
        if (status == 0) != agrees or status not in (0, 1, 4):
            failed.append(f"{name}, {said}: status {status}, {got.get('family')}, {got.get('disagrees')}")
    return len(SAID)


def llama(width, layers, keys, ffn, targets="q_proj k_proj v_proj o_proj gate_proj up_proj down_proj"):
    sizes = {"self_attn.q_proj": (width, width), "self_attn.k_proj": (keys, width), "self_attn.v_proj": (keys, width),
             "self_attn.o_proj": (width, width), "mlp.gate_proj": (ffn, width), "mlp.up_proj": (ffn, width), "mlp.down_proj": (width, ffn)}
    return [[f"base_model.model.model.layers.{i}.{n}.lora_{h}.weight", [8, inner] if h == "A" else [out, 8], "F32"] for i in range(layers)
            for n, (out, inner) in sizes.items() if n.split(".")[1] in targets.split() for h in "AB"]


def judge_solved(numel, folder, failed):
    """Language models whose sizes are in no table: named by them if all modules fit together; proven only by their
    base."""
    path, own = os.path.join(folder, "x.safetensors"), llama(1792, 20, 448, 4864)
    last, odd = [t for t in own if ".19." not in t[0]], copy.deepcopy(own)
    odd[0][1][1] += 8
    for what, tensors, family in (("all", own, "llama of width 1,792, 20 layers"), ("two", llama(1792, 20, 448, 1, "q_proj v_proj"), "llama of width 1,792, 20 layers"),
                                  ("a layer less", last, "llama of width 1,792, 19 layers"), ("one target", llama(1792, 20, 448, 1, "q_proj"), None),
                                  ("another width", odd, None), ("no such heads", llama(1792, 20, 449, 4864), None),
                                  ("another width of one target", [[n, [8, 1800] if "q_proj.lora_A" in n else s, d] for n, s, d in own], None),
                                  ("no layer 7", [t for t in own if ".7." not in t[0]], None), ("no module of 7", [t for t in own if ".7.mlp.up" not in t[0]], False),
                                  ("more layers than the one of that size", llama(2048, 50, 512, 8192), None)):
        write(path, tensors)
        status, got, _ = say(numel, path)
        if status != (1 if family is False else 4) or (family is not False and got.get("family") != family):
            failed.append(f"a llama, {what}: status {status}, {got.get('family')}")
    base = os.path.join(folder, "base.safetensors")
    write(path, own)
    for width, wanted in ((1792, 0), (1800, 1)):
        pairs = llama(width, 20, 448, 4864)
        write(base, [[a[0].replace("base_model.model.", "").replace("lora_A.", ""), [b[1][0], a[1][1]], "F32"] for a, b in zip(pairs[::2], pairs[1::2])])
        p = subprocess.run([numel, "reconcile", "--json", "--base", base, path], capture_output=True, text=True)
        if p.returncode != wanted:
            failed.append(f"a llama, compared with one of width {width}: status {p.returncode}, {json.loads(p.stdout)['adapter']['disagrees']}")
    return 12


def grown(case, *names):
    """The tables of these names with 64 more tokens."""
    return [[t[0], [t[1][0] + 64] + t[1][1:], t[2]] if any(t[0].endswith(n + ".weight") for n in names) else t for t in case["tensors"]]


def judge_grown(numel, folder, failed):
    """Tables saved whole may have more tokens than the base; all must have the same number."""
    path, count = os.path.join(folder, "x.safetensors"), 0
    case = next(c for c in stored("fixtures/adapters/peft.jsonl.zst") if c["what"] == "save head")
    for names, agrees in ((("lm_head", "embed_tokens"), True), (("lm_head",), False), (("embed_tokens",), False)):
        count += 1
        write(path, grown(case, *names))
        status, got, _ = say(numel, path)
        if (status == 0) != agrees or (agrees and got.get("family") != case["base"]):
            failed.append(f"more tokens in {names}: status {status}, {got.get('family')}")
    return count


def judge_words(numel, folder, failed):
    """Embeddings stored in a LoRA: the same number of vectors for each encoder, each as wide as the encoder."""
    path, count = os.path.join(folder, "x.safetensors"), 0
    stem = "lora_unet_input_blocks_4_1_transformer_blocks_0_attn1_to_q"
    own = [[stem + ".alpha", [], "F16"], [stem + ".lora_down.weight", [8, 640], "F16"], [stem + ".lora_up.weight", [640, 8], "F16"]]
    for left, right, agrees in (([3, 768], [3, 1280], True), ([3, 768], [4, 1280], False), ([3, 768], [3, 1281], False)):
        count += 1
        words = [["bundle_emb.cat.clip_l", left, "F16"], ["bundle_emb.cat.clip_g", right, "F16"]]
        write(path, own + words)
        status, got, _ = say(numel, path)
        if (status == 0) != agrees or (agrees and got.get("family") != "SDXL"):
            failed.append(f"words of {left} and {right}: status {status}, {got.get('family')}")
    return count


def small_base(width, layers=2):
    sizes = {"self_attn.q_proj": [width, width], "self_attn.v_proj": [32, width], "mlp.down_proj": [width, 2 * width]}
    return sizes, [[f"model.layers.{i}.{n}.weight", s, "F32"] for i in range(layers) for n, s in sizes.items()]


def judge_base(numel, folder, failed):
    """--base: the base itself, a wider one, one with fewer layers, and the same in kohya's names."""
    path, base, count = os.path.join(folder, "x.safetensors"), os.path.join(folder, "base.safetensors"), 0
    sizes, _ = small_base(64)
    for form, a, b in (("base_model.model.model.layers.{}.{}.", "lora_A.weight", "lora_B.weight"),
                       ("lora_unet_layers_{}_{}.", "lora_down.weight", "lora_up.weight")):
        own = []
        for i in range(2):
            for n, (out, inner) in sizes.items():
                stem = form.format(i, n if "base_model" in form else n.replace(".", "_"))
                own += [[stem + a, [4, inner], "F32"], [stem + b, [out, 4], "F32"]]
        for width, layers, wanted in ((64, 2, 0), (64, 3, 0), (96, 2, 1), (64, 1, 1)):
            count += 1
            write(path, own)
            write(base, small_base(width, layers)[1])
            p = subprocess.run([numel, "reconcile", "--json", "--base", base, path], capture_output=True, text=True)
            told = json.loads(p.stdout)["adapter"]["disagrees"]
            if p.returncode != wanted or bool(told) != bool(wanted):
                failed.append(f"--base {width} wide, {layers} layers, of {form}: status {p.returncode}, {told}")
    return count


# Output of peft 0.21 for a Qwen3-MoE with 6 experts, whose stacks are target_parameters: r for each, the ranks of
# gate_up_proj and of down_proj (None: not a target), keys, status.
PARAMETERS = [
    (4, 4, {}, 0), (4, 2, {"rank_pattern": {"experts.down_proj": 2}}, 0), (2, 4, {"rank_pattern": {"mlp.experts.gate_up_proj": 2}}, 0),
    (2, 4, {"rank_pattern": {r".*\.gate_\w+": 2}}, 0), (3, None, {"rank_pattern": {"experts.gate_up_proj": 3}}, 0), (8, 8, {"r": 8, "rank_pattern": {"q_proj": 4}}, 0),
    (2, 2, {}, 1), (8, 8, {}, 1), (4, 4, {"r": 2, "rank_pattern": {"q_proj": 4}}, 1), (4, 2, {}, 1), (4, 2, {"rank_pattern": {"gate_up_proj": 2}}, 1),
    (4, 4, {"rank_pattern": {"experts.down_proj": 2}}, 1), (3, None, {}, 1), (12, None, {"rank_pattern": {"experts.gate_up_proj": 3}}, 1),
]


def judge_parameters(numel, folder, failed):
    """Ranks of stacked experts: those in the configuration, by the parameter's name."""
    path, base, config = (os.path.join(folder, n) for n in ("adapter_model.safetensors", "base.safetensors", "adapter_config.json"))
    stem, *experts = "model.layers.{}.", ("mlp.experts.gate_up_proj", [6, 48, 32]), ("mlp.experts.down_proj", [6, 32, 24])
    sizes = [("self_attn.q_proj.weight", [32, 32]), *experts]
    write(base, [[stem.format(i) + n, s, "F32"] for i in range(2) for n, s in sizes])
    for gate, down, said, wanted in PARAMETERS:
        inner = "mlp.experts.base_layer" if down else "mlp.experts"
        pairs = [("self_attn.q_proj", 4, 32, 32), (inner, 6 * gate, 48, 32)] + ([("mlp.experts", 6 * down, 32, 24)] if down else [])
        write(path, [[f"base_model.model.{stem.format(i)}{n}.lora_{h}.weight", [r, inside] if h == "A" else [out, r], "F32"]
                     for i in range(2) for n, r, out, inside in pairs for h in "AB"])
        with open(config, "w") as f:
            json.dump({"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": ["q_proj"],
                       "target_parameters": [n for n, _ in experts[:2 if down else 1]], **said}, f)
        p = subprocess.run([numel, "reconcile", "--json", "--base", base, path], capture_output=True, text=True)
        got = json.loads(p.stdout)["adapter"]
        if (p.returncode, bool(got["disagrees"]), got["ranks"]) != (wanted, bool(wanted), sorted({4, gate, down or 4})):
            failed.append(f"parameters of ranks {gate} and {down}, {said}: status {p.returncode}, {got['ranks']}, {got['disagrees']}")
    os.unlink(config)
    return len(PARAMETERS)


def judge_alphas(numel, folder, failed):
    """LyCORIS' LoKr of SD1.5, with its alphas: the alpha in the metadata, or the rank if nothing is factored.
    PEFT's LoHa and LoKr state theirs."""
    path, config = os.path.join(folder, "adapter_model.safetensors"), os.path.join(folder, "adapter_config.json")
    lora = next(c for c in stored("fixtures/adapters/lora.jsonl.zst") if c["name"] == "sd15 kohya r32 a16")
    downs = {n[:-len("lora_down.weight")]: s[1] for n, s, _ in lora["tensors"] if n.endswith("lora_down.weight") and len(s) == 2}
    ups = {n[:-len("lora_up.weight")]: s[0] for n, s, _ in lora["tensors"] if n.endswith("lora_up.weight") and len(s) == 2}
    cases = 0
    for rank, alpha, told, wanted in ((4, 2, "2.0", True), (4, 2, "7", False), (4, 7, "2.0", False), (None, 100, "1", True)):
        second = lambda n: [["lokr_w2", [ups[n] // 4, downs[n] // 4]]] if not rank else [["lokr_w2_a", [ups[n] // 4, rank]], ["lokr_w2_b", [rank, downs[n] // 4]]]
        write(path, [[n + p, s, "F16"] for n in ups for p, s in [["alpha", []], ["lokr_w1", [4, 4]], *second(n)]],
              {**lora["metadata"], "ss_network_module": "lycoris.kohya", "ss_network_dim": str(rank or 100), "ss_network_alpha": told,
               "ss_network_args": '{"algo": "lokr"}'}, alpha)
        status, got, _ = say(numel, path)
        cases += 1
        if (status == 0) != wanted or got["type"] != "lokr" or got["alpha"] != alpha or bool(got["disagrees"]) == wanted:
            failed.append(f"LoKr of rank {rank}, alpha {alpha}, {told} told: status {status}, {got['alpha']}, {got['disagrees']}")
    parts = {"LOHA": {"hada_w1_a": [32, 4], "hada_w1_b": [4, 32], "hada_w2_a": [32, 4], "hada_w2_b": [4, 32]},
             "LOKR": {"lokr_w1": [4, 4], "lokr_w2_a": [8, 4], "lokr_w2_b": [4, 8]}}
    for kind, own in parts.items():
        write(path, [[f"base_model.model.model.layers.{i}.self_attn.q_proj.{p}", s, "F32"] for i in range(2) for p, s in own.items()])
        for said, alpha, status in (({"alpha": 6}, 6, 4), ({"alpha": -6}, -6, 1), ({"alpha": "x"}, None, 1), ({}, None, 4)):
            with open(config, "w") as f:
                json.dump({"peft_type": kind, "r": 4, "target_modules": ["q_proj"], **said}, f)
            got = say(numel, path)
            cases += 1
            if (got[0], got[1]["alpha"]) != (status, alpha):
                failed.append(f"{kind} with {said}: status {got[0]}, {got[1]['alpha']}, {got[1]['disagrees']}")
    os.unlink(config)
    return cases


def judge_trained_beside(numel, folder, failed):
    """Wan's modulations next to pairs, as in ComfyUI; OneTrainer's scaled OFT of FLUX.1's attention."""
    path, count = os.path.join(folder, "x.safetensors"), 0
    pairs = [[f"diffusion_model.blocks.{i}.self_attn.q.lora_{h}.weight", s, "BF16"] for i in range(30) for h, s in
             (("down", [16, 1536]), ("up", [1536, 16]))]
    vectors = [[f"diffusion_model.blocks.{i}.diff_m", [1, 6, 1536], "BF16"] for i in range(30)]
    stems = [f"transformer.transformer_blocks.{i}.attn.to_{x}.oft_R." for i in range(19) for x in "qkv"]
    turns = [t for s in stems for t in ([s + "weight", [3072 // 64, 64 * 63 // 2], "BF16"], [s + "scaled_oft", [], "BOOL"])]
    for what, tensors, family, agrees in (
            ("modulations", pairs + vectors, "Wan2.1-1.3B", True), ("one less", pairs + vectors[:-1], None, False),
            ("five vectors", pairs + [[n, [1, 5, 1536], t] for n, _, t in vectors], None, False),
            ("of another width", pairs + [[n, [1, 6, 1544], t] for n, _, t in vectors], None, False),
            ("scaled OFT", turns, "FLUX.1", True), ("a mark less", turns[:-1], None, False), ("a rotation less", turns[1:], None, False),
            ("blocks of another size", [[n, [48, 64 * 62 // 2] if s else s, t] for n, s, t in turns], None, False)):
        count += 1
        write(path, tensors)
        status, got, _ = say(numel, path)
        numbers = sum(math.prod(s) for n, s, _ in tensors if not n.endswith("scaled_oft"))
        if (status == 0) != agrees or (family and (got["family"], got["parameters"]) != (family, numbers)):
            failed.append(f"trained beside, {what}: status {status}, {got['family']}, {got['disagrees']}")
    return count


def based_neighbours(case):
    """The change, the adapter's tensors, the base's."""
    tensors, weights = case["tensors"], case["weights"]
    if not tensors[-1][0].endswith("embed_tokens.base_layer.weight"):  # a copy that may be absent
        yield "the last tensor is gone", tensors[:-1], weights
    if case["what"] != "fourierft":  # shows none of the weight's sizes
        yield "a base of another width", tensors, [[n, [104 if d == 96 else d for d in s]] for n, s in weights]
    for i in {len(tensors) // 2, len(tensors) - 1}:
        name, shape, dtype = tensors[i]
        if re.search(r"(lm_head|wte|embed_tokens)\.(base_layer\.)?weight$", name):  # a table may have grown, and may be for tokens
            continue
        yield f"{name} is longer", tensors[:i] + [[name, [shape[0] + 1] + shape[1:], dtype]] + tensors[i + 1:], weights
        if ".base_layer.bias" in name or "lora" not in name and name.endswith((".weight", ".bias")):
            own = name.replace("base_model.model.", "").replace(".base_layer", "").replace(".ln_tuning_layers", "")
            yield f"{own} is not in the base", tensors, [w for w in weights if w[0] != own]
    yield "its last block is not in the base", tensors, [w for w in weights if ".2." not in w[0]]


def judge_based(numel, folder, failed):
    """Compared with its base, both as peft made them: whole tensors, biases, shared matrices, methods that show no
    size."""
    path, base, count = os.path.join(folder, "adapter_model.safetensors"), os.path.join(folder, "base.safetensors"), 0
    config = os.path.join(folder, "adapter_config.json")

    def ask(tensors, weights):
        write(path, tensors)
        sparse(base, [(n, "F32", s) for n, s in weights], None, {})
        p = subprocess.run([numel, "reconcile", "--json", "--base", base, path], capture_output=True, text=True)
        return p.returncode, json.loads(p.stdout)["adapter"]
    for case in stored("fixtures/adapters/based.jsonl.zst"):
        with open(config, "w") as f:
            json.dump(case["config"], f)
        status, got = ask(case["tensors"], case["weights"])
        if (status, got["type"], got["parameters"]) != (0, case["what"], case["trained"]):
            failed.append(f"{case['what']} of {case['base']} against its base: status {status}, {got}")
        for what, tensors, weights in based_neighbours(case):
            count += 1
            status, got = ask(tensors, weights)
            if status not in (1, 4):
                failed.append(f"{case['what']} of {case['base']} {case['config'].get('bias')}, {what}: status {status}")
    os.unlink(config)
    return count


# ---- GGUF -----------------------------------------------------------------------------------

def gguf_lora(path, arch, modules, rank):
    tensors = []
    for name, (*stack, out, inner) in modules.items():
        tensors += [(name + ".weight.lora_a", "F32", stack + [rank, inner]), (name + ".weight.lora_b", "F32", stack + [out, rank])]
    sparse_gguf(path, [("general.architecture", arch), ("general.type", "adapter"), ("adapter.type", "lora"), ("adapter.lora.alpha", ("f32", 16.0))], tensors)


def gguf_cases():
    """architecture, modules, family, status."""
    sizes = {"attn_q": (2048, 2048), "attn_k": (512, 2048), "ffn_down": (2048, 8192)}
    llama = {f"blk.{i}.{n}": s for i in range(16) for n, s in sizes.items()}
    moe = {f"blk.{i}.{n}": s for i in range(2) for n, s in {"attn_q": (4096, 2048), "ffn_gate_exps": (128, 768, 2048)}.items()}
    yield "llama", llama, "Llama-3.2-1B", 0
    yield "llama", dict(llama, output=(128256, 2048)), "Llama-3.2-1B", 0
    yield "llama", dict(llama, output=(128257, 2048)), None, 4
    yield "llama", {**llama, "blk.16.attn_q": (2048, 2048)}, None, 4
    yield "llama", {n: s for n, s in llama.items() if n != "blk.7.attn_k"}, "Llama-3.2-1B", 1
    yield "llama", {n: s for n, s in llama.items() if not n.startswith("blk.7.")}, "Llama-3.2-1B", 4
    yield "qwen2", llama, None, 4
    yield "qwen3moe", moe, "Qwen3-30B-A3B", 0
    yield "qwen3moe", {n: (127, *s[1:]) if len(s) == 3 else s for n, s in moe.items()}, None, 4


def judge_gguf(numel, folder, failed):
    """llama.cpp's adapters: alone, and compared with a GGUF base."""
    path, base, count = os.path.join(folder, "x.gguf"), os.path.join(folder, "base.gguf"), 0
    for arch, modules, family, wanted in gguf_cases():
        count += 1
        gguf_lora(path, arch, modules, 4)
        status, got, _ = say(numel, path)
        if (got.get("type"), got.get("rank"), got.get("alpha"), got.get("family"), status) != ("lora", 4, 16, family, wanted):
            failed.append(f"gguf of {arch}, {len(modules)} modules: status {status}, {got}")
    small = {"blk.0.attn_q": (64, 64), "blk.1.attn_q": (64, 64), "blk.1.ffn_down": (64, 128)}
    gguf_lora(path, "llama", small, 4)
    for what, weights, wanted in (("its own", small, 0), ("one layer", {"blk.0.attn_q": (64, 64)}, 1),
                                  ("a wider one", {n: (o + 32, i + 32) for n, (o, i) in small.items()}, 1)):
        count += 1
        sparse_gguf(base, [("general.architecture", "llama")], [(n + ".weight", "F32", s) for n, s in weights.items()])
        p = subprocess.run([numel, "reconcile", "--json", "--base", base, path], capture_output=True, text=True)
        if p.returncode != wanted:
            failed.append(f"gguf with {what} as --base: status {p.returncode}")
    return count


def judge_many(numel, folder, failed):
    """As many names in the lists of the configuration as there are modules: looking them up must take linear time."""
    path, config, counts = os.path.join(folder, "adapter_model.safetensors"), os.path.join(folder, "adapter_config.json"), 20000
    modules = [f"model.layers.{i // 50}.mlp.p{i}" for i in range(counts)]
    write(path, [[f"base_model.model.{m}.lora_{h}.weight", [4, 64] if h == "A" else [64, 4], "F32"] for m in modules for h in "AB"])

    def ask(said):
        with open(config, "w") as f:
            json.dump(dict({"peft_type": "LORA", "r": 4}, **said), f)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        answer = say(numel, path)
        return answer, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    (_, least), ends = ask({}), [m.rsplit(".", 1)[1] for m in modules]
    others = {"exclude_modules": ["x" + e for e in ends], "rank_pattern": {**{"^" + e: 5 for e in ends}, **{e: 4 for e in ends}},
              "layers_to_transform": [*range(counts)]}
    for what, said, wrong in (("all", {"target_modules": ends, **others}, []), ("all in full", {"target_modules": modules, **others}, []),
                              ("one is not listed", {"target_modules": ends[:-1]}, [ends[-1] + " is changed"]),
                              ("one is not there", {"target_modules": ends + ["p_proj"]}, []),  # the base may lack it
                              ("one is left out", {"target_modules": ends, "exclude_modules": ends[7:8]}, [ends[7] + " is changed"]),
                              ("one layer is not", {"target_modules": ends, "layers_to_transform": [*range(1, counts)]}, [ends[0] + " is changed"]),
                              ("another rank", {"target_modules": ends, "rank_pattern": {**others["rank_pattern"], ends[-1]: 6}}, ["says rank 6"])):
        (status, got, _), seconds = ask(said)
        if status != (1 if wrong else 4) or len(got["disagrees"]) != len(wrong) or any(w not in d for w, d in zip(wrong, got["disagrees"])):
            failed.append(f"{counts} modules, {what}: status {status}, {got['disagrees'][:3]}")
        if seconds > 5 * least + 0.5:
            failed.append(f"{counts} modules, {what}: {seconds:.1f} s, and without lists {least:.1f}")
    for what, said in (("too many to save", {"modules_to_save": ends}), ("too deep", {"target_modules": ends, "exclude_modules": ["a." * 70 + "p0"]})):
        status = ask(said)[0][0]
        if status != 4 or b"not proven complete" not in subprocess.run([numel, "reconcile", path], capture_output=True).stdout:
            failed.append(f"{counts} modules, {what}: status {status}, no message says that not everything was checked")
    os.unlink(config)
    return 9


def main():
    numel = os.path.abspath(sys.argv[1])
    cases, failed, count = [*stored("fixtures/adapters/lora.jsonl.zst")], [], 0
    if len(cases) < 15:
        failed.append(f"{len(cases)} cases, there were 15")
    with tempfile.TemporaryDirectory() as folder:
        count += sum(judge(numel, folder, failed) for judge in adapters_told.JUDGES)
        count += judge_kinds(numel, os.path.join(folder, "x.safetensors"), failed)
        count += judge_methods(numel, os.path.join(folder, "x.safetensors"), failed)
        count += judge_peft(numel, folder, failed)
        count += judge_prompts(numel, folder, failed)
        count += judge_said(numel, folder, failed)
        count += judge_solved(numel, folder, failed)
        count += judge_grown(numel, folder, failed)
        count += judge_words(numel, folder, failed)
        count += judge_base(numel, folder, failed)
        count += judge_based(numel, folder, failed)
        count += judge_parameters(numel, folder, failed)
        count += judge_alphas(numel, folder, failed)
        count += judge_trained_beside(numel, folder, failed)
        count += judge_many(numel, folder, failed)
        count += judge_gguf(numel, folder, failed)
        for case in cases:
            count += judge(numel, case, os.path.join(folder, "x.safetensors"), failed)
    print(*failed, sep="\n", end="\n" if failed else "")
    print(f"adapters: {len(cases)} cases, {count} files, {len(failed)} failed")
    return bool(failed)


sys.exit(main())
