"""adapters_told.py -- for adapters.py: files that are named or saved oddly, what is told of them, and of their healthy neighbours.

Each judge takes the program, an empty folder and the list of what failed, and returns how many files it wrote.
"""
import json
import os
import subprocess

from files import sparse

Q = {"SD1.5": [(f"down_blocks.0.attentions.{k}.transformer_blocks.0.attn1.to_q", 320, 320) for k in (0, 1)],
     "SDXL": [(f"down_blocks.2.attentions.1.transformer_blocks.{i}.attn1.to_q", 1280, 1280) for i in range(10)],
     "FLUX.1": [(f"single_transformer_blocks.{i}.attn.to_q", 3072, 3072) for i in range(38)],
     "Wan2.1-14B": [(f"blocks.{i}.self_attn.q", 5120, 5120) for i in range(40)]}


def pairs(modules, down, up, start="", underscores=False, rank=4, dtype="F16"):
    """[name, dtype, shape] of both matrices of each module (name, out, in)."""
    for name, out, inner in modules:
        stem = start + (name.replace(".", "_") if underscores else name)
        yield stem + down, dtype, [rank, inner]
        yield stem + up, dtype, [out, rank]


def ask(numel, command, path, *more):
    p = subprocess.run([numel, command, "--json", *more, path], capture_output=True, text=True)
    return p.returncode, json.loads(p.stdout)


def codes(numel, path, *more):
    return {f["code"] for f in ask(numel, "verify", path, *more)[1]["findings"] if f["code"].startswith("adapter-")}


def named():
    """What is odd, (modules, names), the family, findings."""
    kohya, peft = (".lora_down.weight", ".lora_up.weight"), (".lora_A.weight", ".lora_B.weight")
    for family, modules in Q.items():
        diffusers = "unet." if family.startswith("SD") else "transformer."
        yield "as they should be", pairs(modules, *kohya, "lora_unet_", True), family, set()
        yield "dots", pairs(modules, *peft, diffusers), family, set()
        yield "a '_' more", pairs(modules, "_" + kohya[0], "_" + kohya[1], "lora_unet_", True), family, {"adapter-names"}
        yield "no dots", pairs(modules, "_lora_down.weight", "_lora_up.weight", "lora_unet_unet_", True), family, {"adapter-names"}
        if not modules[0][0].startswith("blocks"):  # "transformer_blocks" is a module's name
            yield "no dots at all", pairs(modules, "_lora_A_weight", "_lora_B_weight", diffusers[:-1] + "_", True), family, {"adapter-names"}
        yield "PEFT's prefix", pairs(modules, *peft, diffusers + "base_model.model."), family, {"adapter-prefix"}
        yield "the same of lora.down", pairs(modules, ".lora.down.weight", ".lora.up.weight", diffusers + "base_model.model."), family, {"adapter-prefix"}
        yield "PEFT's prefix alone", pairs(modules, *peft, "base_model.model."), family, set()
        yield "a compiled model's", pairs(modules, *peft, diffusers + "_orig_mod."), family, {"adapter-names"}
        yield "another prefix", pairs(modules, *peft, "x_" + diffusers), None, set()


def judge_names(numel, folder, failed):
    path, count = os.path.join(folder, "x.safetensors"), 0
    for what, tensors, family, wanted in named():
        count += 1
        sparse(path, [*tensors], None, {})
        status, got = ask(numel, "reconcile", path)
        found = codes(numel, path) - {"adapter-disagrees"}
        if got["adapter"]["family"] != family or found != wanted or (family and (status == 1) != ("adapter-names" in wanted)):
            failed.append(f"names of {family}, {what}: status {status}, {got['adapter']['family']}, {found}, {got['adapter']['disagrees']}")
    return count + judge_few(numel, path, failed)


# One or two blocks of a family: (modules, family, names before them)
FEW = [
    ([(f"single_transformer_blocks.{i}.proj_out", 3072, 15360) for i in (7,)], "FLUX.1", "transformer."),
    ([(f"single_transformer_blocks.{i}.proj_out", 3072, 15360) for i in (7, 12, 16, 20)], "FLUX.1", "transformer."),
    ([(f"transformer_blocks.{i}.attn.to_q", 3072, 3072) for i in (2, 3)], "FLUX.1", "transformer."),
    ([("transformer_blocks.7.attn.to_q", 1536, 1536)], "SD3-medium", "transformer."),
    ([(f"blocks.{i}.attn1.to_q", 5120, 5120) for i in (10, 20)], "Wan2.1-14B", "transformer."),
    ([(f"transformer_blocks.{i}.attn.add_q_proj", 3072, 3072) for i in (40, 50)], "Qwen-Image", "transformer."),
    ([(f"down_blocks.2.attentions.1.transformer_blocks.{i}.attn1.to_q", 1280, 1280) for i in (1, 5)], "SDXL", "unet."),
    ([("controlnet_blocks.1", 3072, 3072), ("transformer_blocks.1.attn.to_q", 3072, 3072)], "ControlNet of FLUX.1", "controlnet."),
]


def judge_few(numel, path, failed):
    """Few blocks are those of the model that more people train, not of the smallest that has them."""
    for modules, family, start in FEW:
        sparse(path, [*pairs(modules, ".lora_A.weight", ".lora_B.weight", start)], None, {})
        said = subprocess.run([numel, "identify", path], capture_output=True, text=True).stdout
        if f" of {family}, rank 4" not in " ".join(said.split()):
            failed.append(f"few blocks of {family}: {said}")
    sparse(path, [*pairs(Q["SD1.5"], "_lora.down.weight", "_lora.up.weight", "")], None, {})
    new = subprocess.run([numel, "identify", path], capture_output=True, text=True).stdout
    sparse(path, [(n.replace(".to_q", ".processor.to_q"), d, s) for n, d, s in pairs(Q["SD1.5"], "_lora.down.weight", "_lora.up.weight", "")], None, {})
    old = subprocess.run([numel, "identify", path], capture_output=True, text=True).stdout
    if "processors" in new or "processors" not in old:
        failed.append(f"attention processors: {old} {new}")
    return len(FEW) + 2


def whole_numbers():
    """LyCORIS' alphas that are integers, DyLoRA's second matrix without the axes of a kernel: what, tensors, status."""
    stem, kernel = "lycoris_down_blocks_0_attentions_0_proj_in.", [1, 1]
    dylora = [(stem + "lora_down.weight", "F16", [8, 320, *kernel]), (stem + "lora_up.weight", "F16", [320, 8])]
    glora = [(stem + n + ".weight", "F16", ([320, 8] if n[1] == "1" else [8, 320]) + kernel) for n in ("a1", "a2", "b1", "b2")]
    for kind, tensors in (("dylora", dylora), ("glora", glora)):
        for dtype, shape, status in (("I64", [], 0), ("F16", [], 0), ("I32", [], 0), ("BOOL", [], 1), ("I64", [2], 1)):
            yield f"{kind}, an alpha {dtype} {shape}", tensors + [(stem + "alpha", dtype, shape)], status
    yield "dylora turned", [(stem + "lora_down.weight", "F16", [8, 320]), (stem + "lora_up.weight", "F16", [320, 8, *kernel])], 1
    yield "dylora of another rank", [dylora[0], (dylora[1][0], "F16", [320, 9])], 1


def judge_whole_numbers(numel, folder, failed):
    path, count = os.path.join(folder, "x.safetensors"), 0
    for what, tensors, wanted in whole_numbers():
        count += 1
        sparse(path, tensors, None, {})
        status, got = ask(numel, "reconcile", path)
        if status != wanted:
            failed.append(f"{what}: status {status}, {got['adapter']['disagrees']}")
    return count


JUDGES = [judge_names, judge_whole_numbers]
