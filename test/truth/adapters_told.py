"""adapters_told.py -- for adapters.py: files with unusual names or forms, what numel reports, and healthy
neighbours.

Each judge takes the program, an empty folder and the list of failures, and returns how many files it wrote.
"""
import json
import os
import shutil
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
    """What is unusual, (modules, names), the family, findings."""
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
        yield "a component twice", pairs(modules, *peft, diffusers + diffusers), family, {"adapter-prefix"}
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


# One or two blocks of a family: (modules, family, prefixes)
FEW = [
    ([(f"single_transformer_blocks.{i}.proj_out", 3072, 15360) for i in (7,)], "FLUX.1", "transformer."),
    ([(f"single_transformer_blocks.{i}.proj_out", 3072, 15360) for i in (7, 12, 16, 20)], "FLUX.1", "transformer."),
    ([(f"transformer_blocks.{i}.attn.to_q", 3072, 3072) for i in (2, 3)], "FLUX.1", "transformer."),
    ([("transformer_blocks.7.attn.to_q", 1536, 1536)], "SD3-medium", "transformer."),
    ([(f"blocks.{i}.attn1.to_q", 5120, 5120) for i in (10, 20)], "Wan2.1-14B", "transformer."),
    ([(f"transformer_blocks.{i}.attn.add_q_proj", 3072, 3072) for i in (40, 50)], "Qwen-Image", "transformer."),
    ([(f"down_blocks.2.attentions.1.transformer_blocks.{i}.attn1.to_q", 1280, 1280) for i in (1, 5)], "SDXL", "unet."),
    ([("controlnet_blocks.1", 3072, 3072), ("transformer_blocks.1.attn.to_q", 3072, 3072)], "FLUX.1 ControlNet", "controlnet."),
]


def judge_few(numel, path, failed):
    """A few blocks belong to the model that more people train, not to the smallest model that has them."""
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
    """LyCORIS' integer alphas, DyLoRA's second matrix without the axes of a kernel: what, tensors, status."""
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


# ---- two names for each weight -----------------------------------------------------------------

def blocks(form, count, sizes):
    """(name, out, in) of each block."""
    return [(form.format(i) + n, *s) for i in range(count) for n, s in sizes.items()]


def same(names, size):
    return {n: (size, size) for n in names.split()}


W = 1536
SD3 = {**same("attn.to_q attn.to_k attn.to_v attn.add_q_proj attn.add_k_proj attn.add_v_proj attn.to_out.0", W), "ff.net.0.proj": (4 * W, W), "ff.net.2": (W, 4 * W),
       "norm1.linear": (6 * W, W)}
SD3_OWN = {"x_block.attn.qkv": (3 * W, W), "context_block.attn.qkv": (3 * W, W), "x_block.attn.proj": (W, W), "x_block.mlp.fc1": (4 * W, W), "x_block.mlp.fc2": (W, 4 * W),
           "x_block.adaLN_modulation.1": (6 * W, W)}


def wan(width, ffn):
    return ({**same("attn1.to_q attn1.to_k attn1.to_v attn1.to_out.0 attn2.to_q attn2.to_k attn2.to_v attn2.to_out.0", width), "ffn.net.0.proj": (ffn, width), "ffn.net.2": (width, ffn)},
            {**same("self_attn.q self_attn.k self_attn.v self_attn.o cross_attn.q cross_attn.k cross_attn.v cross_attn.o", width), "ffn.0": (ffn, width), "ffn.2": (width, ffn)})


FLUX = ({**same("attn.to_q attn.to_k attn.to_v attn.to_out.0 attn.add_q_proj attn.add_k_proj attn.add_v_proj attn.to_add_out", 3072), "ff.net.0.proj": (12288, 3072)},
        {"img_attn.qkv": (9216, 3072), "img_attn.proj": (3072, 3072), "txt_attn.qkv": (9216, 3072), "txt_attn.proj": (3072, 3072), "img_mlp.0": (12288, 3072)})
HUNYUAN = ({**same("attn.to_q attn.to_k attn.to_v attn.to_out.0 attn.add_q_proj attn.add_k_proj attn.add_v_proj attn.to_add_out", 3072), "ff.net.0.proj": (12288, 3072)},
           {"img_attn_qkv": (9216, 3072), "img_attn_proj": (3072, 3072), "txt_attn_qkv": (9216, 3072), "txt_attn_proj": (3072, 3072), "img_mlp.fc1": (12288, 3072)})
LUMINA = ({**same("attn.to_q attn.to_out.0", 2304), "attn.to_k": (768, 2304), "attn.to_v": (768, 2304), "feed_forward.linear_1": (9216, 2304)},
          {"attention.qkv": (3840, 2304), "attention.out": (2304, 2304), "feed_forward.w1": (9216, 2304)})
LTX = tuple(same(n, 2048) for n in ("attn1.to_q attn1.to_k attn1.to_v attn1.to_out.0",) * 2)
PIXART = (same("attn1.to_q attn1.to_k attn1.to_v attn1.to_out.0 attn2.to_q attn2.to_out.0", 1152), {"attn.qkv": (3456, 1152), "attn.proj": (1152, 1152), "cross_attn.q_linear": (1152, 1152)})
# (names of the blocks in both schemes, their number, (diffusers' names, published names))
DIALECTS = [
    ("SD3-medium", "transformer_blocks.{}.", "joint_blocks.{}.", 24, SD3, SD3_OWN),
    ("Wan2.1-1.3B", "blocks.{}.", "blocks.{}.", 30, *wan(1536, 8960)),
    ("Wan2.1-14B", "blocks.{}.", "blocks.{}.", 40, *wan(5120, 13824)),
    ("Wan2.2-5B", "blocks.{}.", "blocks.{}.", 30, *wan(3072, 14336)),
    ("FLUX.1", "transformer_blocks.{}.", "double_blocks.{}.", 19, *FLUX),
    ("HunyuanVideo", "transformer_blocks.{}.", "double_blocks.{}.", 20, *HUNYUAN),
    ("Lumina2", "layers.{}.", "layers.{}.", 26, *LUMINA),
    ("PixArt", "transformer_blocks.{}.", "blocks.{}.", 28, *PIXART),
]


def judge_dialects(numel, folder, failed):
    """An adapter in one naming scheme, its base in the other: accepted for the same model, refused for another
    width."""
    path, base, count = os.path.join(folder, "x.safetensors"), os.path.join(folder, "base.safetensors"), 0
    for family, theirs, own, n, first, second in DIALECTS:
        sides = [blocks(theirs, n, first), blocks(own, n, second)]
        for k, modules in enumerate(sides):
            for other, (form, head) in enumerate((("transformer.", ""), ("diffusion_model.", "model.diffusion_model."))):
                if k == other and k == 0:
                    continue
                sparse(path, [*pairs(modules, ".lora_A.weight", ".lora_B.weight", form)], None, {})
                for add, wanted in ((0, 0), (64, 1)):
                    count += 1
                    weights = [(head + m + ".weight", "F16", [out + add, inner + add]) for m, out, inner in sides[other]]
                    odd = [(f"{head}text_encoder.text_model.encoder.layers.0.self_attn.q_proj.weight", "F16", [768, 768])]
                    norms = odd + [(f"{head}blocks.{i}.norm_{x}.weight", "F16", [64]) for i in range(n) for x in "qk"]
                    sparse(base, weights + norms, None, {})
                    status, got = ask(numel, "reconcile", path, "--base", base)
                    if status != wanted:
                        failed.append(f"{family} in {form}, base in {head or 'diffusers'} names, {add} wider: status {status}, {got['adapter']['disagrees']}")
                if k != other:  # the adapter shows one, which the base lacks under its other name
                    count += 1
                    sparse(base, [w for w in [(head + m + ".weight", "F16", [out, inner]) for m, out, inner in sides[other]] + norms if ".7." not in w[0]], None, {})
                    if ask(numel, "reconcile", path, "--base", base)[0] == 0:
                        failed.append(f"{family} in {form}: agrees with a base in {head or 'diffusers'} names that has no block 7")
    return count


# ---- tensors without values --------------------------------------------------------------------

LLAMA = [(f"model.layers.{i}.self_attn.{x}_proj", 64 if x == "q" else 32, 64) for i in range(2) for x in "qv"]
PEFT = {"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": ["q_proj", "v_proj"], "task_type": "CAUSAL_LM"}
BASE = [("model.embed_tokens.weight", "F32", [320, 64]), ("lm_head.weight", "F32", [320, 64]), ("model.norm.weight", "F32", [64])] + [
    (f"model.layers.{i}.{n}.weight", "F32", s) for i in range(2) for n, s in
    {"self_attn.q_proj": [64, 64], "self_attn.k_proj": [32, 64], "self_attn.v_proj": [32, 64], "self_attn.o_proj": [64, 64], "mlp.gate_proj": [128, 64],
     "mlp.up_proj": [128, 64], "mlp.down_proj": [64, 128], "input_layernorm": [64], "post_attention_layernorm": [64]}.items()]
CONFIG = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
          "num_key_value_heads": 2, "intermediate_size": 128, "vocab_size": 320, "tie_word_embeddings": False}


def adapter(folder, tensors, config=PEFT, metadata=None, name="adapter_model.safetensors"):
    """The path of an adapter as PEFT saves it, in its own folder."""
    own = os.path.join(folder, "adapter")
    shutil.rmtree(own, ignore_errors=True)
    os.mkdir(own)
    if config:
        with open(os.path.join(own, "adapter_config.json"), "w") as f:
            json.dump(config, f)
    sparse(os.path.join(own, name), [*tensors], metadata, {})
    return own


def model(folder, weights=BASE, config=CONFIG, name="base"):
    own = os.path.join(folder, name)
    shutil.rmtree(own, ignore_errors=True)
    os.mkdir(own)
    if config:
        with open(os.path.join(own, "config.json"), "w") as f:
            json.dump(config, f)
    sparse(os.path.join(own, "model.safetensors"), [*weights], None, {})
    return own


def lora(modules=LLAMA, start="base_model.model."):
    return [*pairs(modules, ".lora_A.weight", ".lora_B.weight", start, dtype="F32")]


def emptied(tensors, which, shape=(0,)):
    return [(n, d, list(shape) if which(n) else s) for n, d, s in tensors]


def empty_cases():
    """What, tensors, configuration, metadata, file, findings."""
    whole = [("base_model.model.lm_head.weight", "F32", [320, 64]), ("base_model.model.model.embed_tokens.weight", "F32", [320, 64])]
    saved, peft = dict(PEFT, modules_to_save=["lm_head", "embed_tokens"]), "adapter_model.safetensors"
    yield "no tensors", [], PEFT, None, peft, {"adapter-empty", "adapter-disagrees"}
    yield "no tensors, no configuration", [], None, None, peft, {"adapter-empty"}
    yield "no tensors, of diffusers", [], None, None, "pytorch_lora_weights.safetensors", {"adapter-empty"}
    yield "no tensors, of kohya", [], None, {"ss_network_module": "networks.lora"}, "x.safetensors", {"adapter-empty"}
    yield "no tensors and no sign of an adapter", [], None, None, "x.safetensors", set()
    yield "all empty", emptied(lora(), lambda n: True), PEFT, None, peft, {"adapter-empty"}
    yield "one empty", emptied(lora(), lambda n: "layers.1.self_attn.v_proj.lora_B" in n), PEFT, None, peft, {"adapter-empty"}
    yield "no rank", emptied(lora(), lambda n: "lora_A" in n, [0, 64]), PEFT, None, peft, {"adapter-empty"}
    yield "a head and a table empty", lora() + emptied(whole, lambda n: True), saved, None, peft, {"adapter-empty"}
    yield "a table empty", lora() + emptied(whole, lambda n: "embed" in n), saved, None, peft, {"adapter-empty"}
    yield "a head alone, and changes listed", whole[:1], saved, None, peft, set()  # its base is unknown
    yield "nothing empty", lora(), PEFT, None, peft, set()
    yield "whole and not empty", lora() + whole, saved, None, peft, set()
    yield "ranks that AdaLoRA took away", [("base_model.model.model.layers.0.self_attn.q_proj.lora_" + x, "F32", s) for x, s in
                                           (("A", [0, 64]), ("B", [64, 0]), ("E", [0, 1]))] + [
        (f"base_model.model.model.layers.{i}.self_attn.q_proj.lora_{x}", "F32", s) for i in (1, 2) for x, s in (("A", [4, 64]), ("B", [64, 4]), ("E", [4, 1]))], \
        dict(PEFT, peft_type="ADALORA", init_r=8, target_r=4, target_modules=["q_proj"]), None, peft, set()


def judge_empty(numel, folder, failed):
    count = 0
    for what, tensors, config, metadata, name, wanted in empty_cases():
        count += 1
        path = adapter(folder, tensors, config, metadata, name)
        status, _ = ask(numel, "reconcile", path)
        found = codes(numel, path)
        if "AdaLoRA" in what:
            found -= {"adapter-disagrees"}
        if found != wanted or (status == 1) != bool(wanted) and "AdaLoRA" not in what:
            failed.append(f"empty, {what}: status {status}, {found}")
    return count + judge_unmerged(numel, folder, failed)


def judge_unmerged(numel, folder, failed):
    """A model as PEFT wraps it, saved whole."""
    count = 0
    for what, start, of in (("PEFT's", "base_model.model.", ".default"), ("unloaded", "", ".default"), ("saved by names", "base_model.model.", ""),
                            ("of another name", "", ".tuned")):
        weights = []
        for n, d, s in BASE:
            wrapped = ".q_proj" in n
            weights.append((start + (n.replace(".weight", ".base_layer.weight") if wrapped else n), d, s))
            if wrapped:
                weights += [(start + n.replace(".weight", f".lora_{x}{of}.weight"), d, [4, 64] if x == "A" else [64, 4]) for x in "AB"]
        path, count = model(folder, weights), count + 1
        found = codes(numel, path)
        said = subprocess.run([numel, "identify", os.path.join(path, "model.safetensors")], capture_output=True, text=True).stdout
        if found != {"adapter-unmerged"} or "not merged" not in " ".join(said.split()):
            failed.append(f"not merged, {what}: {found}, {said}")
    path = model(folder)
    if codes(numel, path):
        failed.append("not merged: reported for a model")
    return count + 1


# ---- whole tensors, and listed modules ---------------------------------------------------------

def judge_rows(numel, folder, failed):
    """Tables and heads with a different number of rows than the base: reported with both numbers; a note if the
    base is guessed."""
    count = 0
    for rows, names, config, tied, wanted in (
            (321, ("lm_head", "model.embed_tokens"), PEFT, False, True), (322, ("lm_head",), dict(PEFT, modules_to_save=["lm_head"]), False, True),
            (319, ("model.embed_tokens",), dict(PEFT, modules_to_save=["embed_tokens"]), False, True),
            (384, ("lm_head",), dict(PEFT, modules_to_save=["lm_head"]), True, True), (320, ("lm_head",), dict(PEFT, modules_to_save=["lm_head"]), True, False),
            (320, ("lm_head", "model.embed_tokens"), PEFT, False, False), (320, ("model.embed_tokens",), dict(PEFT, modules_to_save=["embed_tokens"]), False, False)):
        count += 1
        own = adapter(folder, lora() + [(f"base_model.model.{n}.weight", "F32", [rows, 64]) for n in names], config)
        base = model(folder, [w for w in BASE if not (tied and w[0] == "lm_head.weight")], dict(CONFIG, tie_word_embeddings=tied))
        status, got = ask(numel, "reconcile", own, "--base", base)
        told = " ".join(got["adapter"]["disagrees"])
        if (status == 1) != wanted or (wanted and (f" {rows} rows" not in told or " 320:" not in told)) or ("adapter-rows" in codes(numel, own, "--base", base)) != wanted:
            failed.append(f"{rows} rows of {names}, tied {tied}: status {status}, {told}")
    own = adapter(folder, lora() + [("base_model.model.lm_head.weight", "F32", [321, 64])], dict(PEFT, modules_to_save=["lm_head"]))
    shutil.copy(os.path.join(base, "config.json"), own)  # nothing identifies the base
    if codes(numel, own) != {"adapter-resized"} or ask(numel, "reconcile", own)[0] == 1:
        failed.append(f"rows, and a configuration next to it: {codes(numel, own)}")
    return count + 1


def judge_listed(numel, folder, failed):
    """Targets without tensors: PEFT adapts the modules that the model has, and saves the list unchanged."""
    count, base = 0, model(folder)
    for more, key, given, wanted in (("k_proj", "target_modules", True, 1), ("query_key_value", "target_modules", True, 0), ("c_attn", "target_modules", True, 0),
                                     ("k_proj", "target_modules", False, 4), ("score", "modules_to_save", True, 0), ("lm_head", "modules_to_save", True, 1),
                                     ("wte", "modules_to_save", True, 0), ("embed_tokens", "modules_to_save", False, 4)):
        count += 1
        own = adapter(folder, lora(), dict(PEFT, **{key: PEFT.get(key, []) + [more]}))
        status, got = ask(numel, "reconcile", own, *(["--base", base] if given else []))
        if status != wanted:
            failed.append(f"{key} lists {more}, base given {given}: status {status}, {got['adapter']['disagrees']}")
    own = adapter(folder, lora(LLAMA[:2]), dict(PEFT, target_modules=["q_proj", "v_proj", "lm_head"], layers_to_transform=[0]))
    if ask(numel, "reconcile", own, "--base", base)[0] != 0:
        failed.append("a head outside the listed layers is reported missing")
    return count + 1


def judge_pruned(numel, folder, failed):
    """Adapters for bases with fewer blocks than the usual model of those sizes: not reported, since nothing shows
    that blocks are lost; a hole is."""
    count = 0
    for what, modules, targets, base in (
            ("distilgpt2", [(f"transformer.h.{i}.attn.c_attn", 2304, 768) for i in range(6)], ["c_attn"], "distilbert/distilgpt2"),
            ("half of Llama 3.1 8B", [(f"model.layers.{i}.self_attn.{x}_proj", 4096 if x == "q" else 1024, 4096) for i in range(16) for x in "qv"], ["q_proj", "v_proj"], "me/half"),
            ("four layers", [(f"model.layers.{i}.self_attn.{x}_proj", 2048 if x == "q" else 512, 2048) for i in range(4) for x in "qv"], ["q_proj", "v_proj"], "me/tiny"),
            ("one layer", [(f"model.layers.0.self_attn.{x}_proj", 896 if x == "q" else 128, 896) for x in "qv"], ["q_proj", "v_proj"], "me/one"),
            ("an expression", [(f"model.layers.{i}.self_attn.q_proj", 4096, 4096) for i in range(20)], r".*\.(q_proj|c_attn)", "me/half")):
        config = dict(PEFT, target_modules=targets, base_model_name_or_path=base)
        own, count = adapter(folder, lora(modules), config), count + 2
        status, got = ask(numel, "reconcile", own)
        if status != 4 or codes(numel, own):
            failed.append(f"pruned, {what}: status {status}, {got['adapter']['disagrees']}")
        own = adapter(folder, lora([m for m in modules if ".1." not in m[0]]), config)
        if len(modules) > 2 and ask(numel, "reconcile", own)[0] not in (1, 4):
            failed.append(f"pruned, {what} and a hole: agrees")
    return count


# ---- additions, and other bases ----------------------------------------------------------------

def judge_bases(numel, folder, failed):
    """--base of another kind: an autoencoder, other text encoders, other layers or heads."""
    path, base, count = os.path.join(folder, "x.safetensors"), os.path.join(folder, "base.safetensors"), 0
    vae = [("decoder.conv_in.weight", "F16", [512, 4, 3, 3]), ("encoder.conv_in.weight", "F16", [128, 3, 3, 3])]
    clip = [("text_model.embeddings.token_embedding.weight", "F16", [49408, 768]), ("text_model.encoder.layers.0.self_attn.q_proj.weight", "F16", [768, 768])]
    cross = [("down_blocks.0.attentions.0.transformer_blocks.0.attn2.to_k.weight", "F16", [320, 768])]

    def under(prefix, tensors):
        return [(prefix + n, d, s) for n, d, s in tensors]

    def wide(n, tensors):
        return [(name, d, [n if x == 768 else x for x in s]) for name, d, s in tensors]
    word, words = [("emb_params", "F32", [8, 768])], [("clip_l", "F32", [8, 768]), ("clip_g", "F32", [8, 1280])]
    unet = [*pairs(Q["SD1.5"], ".lora_down.weight", ".lora_up.weight", "lora_unet_", True)]
    text = [*pairs([(f"text_model.encoder.layers.{i}.self_attn.q_proj", 768, 768) for i in range(12)], ".lora_down.weight", ".lora_up.weight", "lora_te_", True)]
    encoder = [(f"text_model.encoder.layers.{i}.self_attn.q_proj.weight", "F16", [768, 768]) for i in range(12)]
    weights = [(n + ".weight", "F16", [o, i]) for n, o, i in Q["SD1.5"]]
    for what, tensors, other, wanted in (
            ("a U-Net's LoRA, its U-Net", unet, weights, 0), ("a VAE", unet, vae, 1), ("a VAE in its own place", unet, under("vae.", vae), 1),
            ("the same in a file of several", unet, under("first_stage_model.", vae), 1), ("an encoder of text", unet, under("cond_stage_model.transformer.", clip), 1),
            ("an encoder's LoRA, its encoder", text, encoder, 0), ("a wider encoder", text, wide(1024, encoder), 1), ("a U-Net alone", text, weights, 4),
            ("a word, CLIP-L", word, clip, 0), ("a word, CLIP-L in a file", word, under("cond_stage_model.transformer.", clip), 0),
            ("a word, OpenCLIP-H", word, [("cond_stage_model.model.token_embedding.weight", "F16", [49408, 1024])], 1), ("a word, a VAE", word, under("vae.", vae), 1),
            ("a word, a U-Net of that width", word, cross, 0), ("a word, a wider U-Net", word, wide(1024, cross), 1), ("a word, no part that has text", word, weights, 4),
            ("two words, SDXL's encoders", words, under("conditioner.embedders.0.transformer.", clip) + [("conditioner.embedders.1.model.token_embedding.weight", "F16", [49408, 1280])], 0),
            ("two words, one encoder", words, clip, 1), ("two words, SDXL's U-Net", words, wide(2048, cross), 0)):
        count += 1
        sparse(path, tensors, None, {})
        sparse(base, other, None, {})
        status, got = ask(numel, "reconcile", path, "--base", base)
        if status != wanted:
            failed.append(f"another base, {what}: status {status}, {got['adapter']['disagrees']}")
    return count + judge_prefixes(numel, folder, failed)


def judge_prefixes(numel, folder, failed):
    """Prefixes are keys and values for each layer, as wide as PEFT derives from config.json."""
    count = 0
    gpt2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": 64, "n_layer": 2, "n_head": 4, "vocab_size": 320, "n_positions": 32, "n_ctx": 32}
    for layers, width, config, wanted in ((2, 32, CONFIG, 0), (2, 64, CONFIG, 0), (3, 32, CONFIG, 1), (2, 48, CONFIG, 1), (2, 32, dict(CONFIG, num_hidden_layers=3), 1),
                                          (2, 64, gpt2, 0), (2, 32, gpt2, 1), (2, 64, dict(gpt2, n_layer=4), 1), (2, 64, {"t5": 1}, 4)):
        count += 1
        config = config if "t5" not in config else None
        own = adapter(folder, [("prompt_embeddings", "F32", [7, 2 * layers * width])],
                      {"peft_type": "PREFIX_TUNING", "num_virtual_tokens": 7, "num_layers": layers, "token_dim": width, "num_transformer_submodules": 1})
        base = model(folder, [("transformer.wte.weight" if config and "n_embd" in config else "model.embed_tokens.weight", "F32", [320, 64])], config)
        status, got = ask(numel, "reconcile", own, "--base", base)
        if status != wanted:
            failed.append(f"a prefix of {layers} layers, {width} wide, against {config}: status {status}, {got['adapter']['disagrees']}")
    return count


JUDGES = [judge_names, judge_whole_numbers, judge_dialects, judge_empty, judge_rows, judge_listed, judge_pruned, judge_bases]
