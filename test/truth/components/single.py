"""Single files: a diffusion model, a VAE and text encoders under prefixes, as ComfyUI, A1111 and Civitai distribute them.

test/truth/components/single.jsonl.zst holds names and shapes whose parts diffusers' converters turned into exactly
the state dict of its classes, single_own.jsonl.zst more of them (test/gen/single_cases.py), single_comfy.jsonl.zst
models that ComfyUI builds (test/gen/comfy_cases.py), encoders.jsonl.zst transformers' text and image encoders
(test/gen/encoder_cases.py), tabled.jsonl.zst and parts.jsonl.zst models described in src/data/specs/original
(test/gen/original_tables.py, original_parts.py). Each becomes a file with a header and a hole. First unchanged:
each component agrees, with the parameters of its class. Then common variations (half precision, no text encoder,
added averaged weights), and neighbours with one error each: a missing tensor, an extra row, a type that weights
cannot have, a tensor of another component. None of those may agree. Of the cases one in three is altered; EVERY=1: all.

  B=build/release python3 test/truth/components/single.py [-a] [WORD...]      -a: a neighbour of each kind of tensor, not a few of each case
  python3 test/truth/components/single.py -w NAME FILE [averaged|broken|PREFIX. [TYPE]]      writes a case, for transcripts
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.append(os.path.join(ROOT, "test", "support"))
from files import listed, sparse, stored
from sample import taken

NUMEL = os.path.join(os.path.abspath(os.environ.get("B", os.path.join(ROOT, "build", "release"))), "numel")
TABLED = ["tabled.jsonl.zst", "parts.jsonl.zst"]
FILES = ["single.jsonl.zst", "single_own.jsonl.zst", "single_comfy.jsonl.zst", "encoders.jsonl.zst", *TABLED]
SOME = 16  # the cases in the table are all judged alike, so every sixteenth is enough
FEW = 3  # number of neighbours per case
# Cases of fixtures/oracle/originals.jsonl.zst that the others lack; diffusers' converters accept their names too.
ORIGINALS = ("flux-fill sd3-3.5-large wan-flf2v-14b wan-vace-1.3b lumina2 hunyuan-video-i2v ltx-video-13b sana-600m wan-vae-2.2 ltx-video-vae-0.9.1 cosmos-predict2-2b-v2w krea2 ltx-2-19b animatediff-sd15-v2 "
             "wan-2.2-animate-14b wan-2.2-s2v-14b wan-2.2-fun-control-14b wan-fun-camera-14b-v1.1 hunyuan-video-1.5 hunyuan-image-2.1 "
             "cosmos-predict1-7b-v2w dc-ae-f32c32-sana").split()
BUFFERS = re.compile(r"(.*\.)?(pos_embed|y_embedder\.y_embedding|per_channel_statistics\.[a-z_-]+|decoder\.timestep_scale_multiplier|pos_encoder\.pe)")
REWORDED = "REWORDED" in os.environ  # in reworded builds the name of a model is a different word (test/truth/reworded.py)
failures, checks = [], 0


def check(ok, *what):
    global checks
    checks += 1
    if not ok: failures.append(" ".join(map(str, what))[:600])
    return ok


def cases(words, every=False):
    for file in FILES:
        for i, case in enumerate(stored(os.path.join(ROOT, "test", "truth", "components", file))):
            if file in TABLED and not (words or every) and i % SOME: continue
            if not words or any(w in case["name"] for w in words): yield case
    for case in stored(os.path.join(ROOT, "fixtures", "oracle", "originals.jsonl.zst")):
        name = case["case"].split("/")[1]
        if name not in ORIGINALS or words and not any(w in name for w in words): continue
        yield {"name": name, "tensors": list({**case["params"], **case["buffers"]}.items()), "parameters": case["num_parameters"]}


def tensors_of(case, dtype="F16"):
    out = {n: (dtype, s) for n, s in case["tensors"]}
    out.update({n: (t, s) for n, s, t in case.get("other_tensors") or ()})
    return out


def write(path, tensors):
    sparse(path, listed(tensors))


def run(command, path):
    r = subprocess.run([NUMEL, command, path, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return r.returncode, json.loads(r.stdout)


def judged(path):
    """(agrees, parameters by component, the document): for a single model, or from the last document, which covers
    all of them."""
    status, doc = run("reconcile", path)
    docs = doc if isinstance(doc, list) else [doc]
    last = docs[-1]
    if last["schema"] == "numel.components/1":
        found = {c["name"] + ("." + c["variant"] if c["variant"] else ""): c for c in last["components"]}
        agrees = last["verdict"] == "agrees"
        said = [d["verdict"] for d in docs[:-1]]
        check(agrees == (status == 0), path, status, last["verdict"])
        check(not agrees or all(x.startswith("agrees:") for x in said), path, said)
        return agrees, found, last
    if last["adapter"]: return status == 0, {"": {"parameters": last["adapter"]["parameters"], "verdict": "agrees" if status == 0 else "disagrees"}}, last
    verdict = "agrees" if status == 0 else "disagrees" if status == 1 else "in part" if last["counts"] else "unknown"
    return status == 0, {"": {"parameters": last["counts"]["parameters"] if last["counts"] else None, "verdict": verdict}}, last


# ---- unchanged

def expected(case):
    """Parameters by component, according to the case."""
    if "components" not in case: return sorted([case["parameters"]])
    if case["name"].startswith("ip-adapter"): return [sum(c["parameters"] for c in case["components"].values())]  # an adapter is one
    prefix = case.get("prefix", {})

    def kept(name):
        return sum(math.prod(s) for n, s in case["tensors"] if n.startswith(prefix.get(name) or "") and BUFFERS.fullmatch(n))
    return sorted(c["parameters"] - (kept(name) if name in ("transformer", "vae") else 0)
                  for name, c in case["components"].items() if "parameters" in c)


def called(doc, path):
    """numel's name for the whole: from the statement of several components, else from `identify`, in brackets."""
    if "class" in doc: return doc["class"]
    said = run("identify", path)[1]["files"][0]["description"]
    return said[said.rfind("(") + 1:-1]


def as_it_is(case, path):
    tensors = tensors_of(case)
    write(path, tensors)
    agrees, found, doc = judged(path)
    check(agrees, case["name"], {n: c["verdict"] for n, c in found.items()})
    got = sorted(c["parameters"] for c in found.values() if c["parameters"])
    want = expected(case)
    check(got == want or sum(got) == sum(want), case["name"], got, want)
    names = set(case.get("components", ())) & {"image_encoder", "first_frame_vae"}  # video models: no text is encoded
    check(names <= set(found) and not (names and "text_encoder" in found), case["name"], sorted(found))
    said = called(doc, path) if "variant" in case and not REWORDED else None
    check(said is None or said == case["variant"] or said.endswith(" at the size of " + case["variant"]), case["name"], said)
    return agrees


# ---- different, and equally valid

UNET = "model.diffusion_model."


def copies(case):
    """With averaged weights: the UNet's names without dots, and the averaging settings."""
    out = tensors_of(case)
    out.update({"model_ema." + n[len("model."):].replace(".", ""): v for n, v in tensors_of(case, "F32").items() if n.startswith(UNET)})
    out.update({"model_ema.decay": ("F32", []), "model_ema.num_updates": ("I32", [])})
    return out


def scaled(tensors, gone=None):
    """Matrices scaled to F8 as in ComfyUI, each with a scale, except for the removed one."""
    out = {"scaled_fp8": ("F8_E4M3", [0])}
    for n, (t, s) in tensors.items():
        large = t == "F16" and len(s) == 2 and min(s) >= 64 and n.endswith(".weight")
        out[n] = ("F8_E4M3", s) if large else (t, s)
        if large and n != gone: out[n.removesuffix("weight") + "scale_weight"] = ("F32", [])
    return out


def others(case):
    """(what, tensors, components that count)"""
    tensors = tensors_of(case)
    if case.get("kind") == "diffusion model": yield "in scaled F8", scaled(tensors)
    if case.get("kind") == "upscaler":  # as BasicSR saves trained weights and their average
        for prefix in ("params.", "params_ema."): yield f"below '{prefix}'", {prefix + n: v for n, v in tensors.items()}
    if not case["tensors"][0][0].startswith((UNET, "cond_stage_model.", "first_stage_model.")): return
    yield "saved whole", {"state_dict." + n: v for n, v in {**tensors, "alphas_cumprod": ("F32", [1000])}.items()}
    yield "in F8", {n: ("F8_E4M3" if t == "F16" else t, s) for n, (t, s) in tensors.items()}
    yield "with v_pred", {**tensors, "v_pred": ("F32", [0]), "ztsnr": ("F32", [0])}
    yield "the diffusion model alone", {n: v for n, v in tensors.items() if n.startswith(UNET)}
    for prefix in ("", "diffusion_model.", "net."):
        yield f"the same below '{prefix}'", {prefix + n[len(UNET):]: v for n, v in tensors.items() if n.startswith(UNET)}
    for what, kind in (("gone", None), ("cast", "F16"), ("in I32", "I32")):
        ids = {n: (kind, v[1]) for n, v in tensors.items() if n.endswith("position_ids") and kind}
        yield "position_ids " + what, {**{n: v for n, v in tensors.items() if not n.endswith("position_ids")}, **ids}
    yield "a schedule cast, with logvar", {**{n: ("F16" if t == "F32" else t, s) for n, (t, s) in tensors.items()}, "logvar": ("F32", [1000])}
    if any(n.startswith(UNET + "input_blocks") for n in tensors): yield "with averaged weights", copies(case)
    if len(converted(tensors)) < len(tensors): yield "as diffusers converts it", converted(tensors)


def converted(tensors):
    """As diffusers' converter writes SD 2's text encoder: without its last layer, and without tensors its class
    does not use."""
    gone = re.compile(r"cond_stage_model\.model\.(transformer\.resblocks\.23\..*|text_projection|logit_scale)")
    return {n: v for n, v in tensors.items() if not gone.fullmatch(n)}


def otherwise(case, path, every):
    for _, what, tensors in few(case, every, [("", what, tensors) for what, tensors in others(case)])[:None if every else 1]:
        write(path, tensors)
        agrees, found, _ = judged(path)
        check(agrees, case["name"], what, {n: c["verdict"] for n, c in found.items()})


# ---- neighbours

def kinds(tensors):
    """One tensor of each kind: names that differ only in numbers are one kind."""
    out = {}
    for n in sorted(tensors): out.setdefault((re.sub(r"\d+", "#", n), len(tensors[n][1])), []).append(n)
    return [names[zlib.crc32(kind[0].encode()) % len(names)] for kind, names in sorted(out.items())]


def altered(tensors, name):
    dtype, shape = tensors[name]
    if not name.endswith("position_ids"): yield "gone", {n: v for n, v in tensors.items() if n != name}
    for axis in range(len(shape)):
        more = [n + (i == axis) for i, n in enumerate(shape)]
        yield f"one more on axis {axis}", {**tensors, name: (dtype, more)}
    if dtype == "F16": yield "of a type that no weight has", {**tensors, name: ("I64", shape)}
    yield "another name", {(n + "_x" if n == name else n): v for n, v in tensors.items()}


def strangers(tensors):
    first = next(iter(tensors))
    stem = first.rsplit(".", 2)[0]
    yield "an unknown tensor", {**tensors, "betas_x": ("F32", [1000])}
    yield "a schedule of another length", {**tensors, "betas": ("F32", [1000]), "alphas_cumprod": ("F32", [1001])}
    yield "a schedule that is not a list", {**tensors, "betas": ("F32", [1000, 1])}
    yield "a schedule of integers", {**tensors, "betas": ("I64", [1000])}
    yield "a tensor of another component", {**tensors, stem + ".text_model.final_layer_norm.weight": ("F16", [768])}


# A norm that nothing uses and nulls that a file may lack; the first and last frame would be indistinguishable
# without them.
FREE = re.compile(r"(model\.model\.)?transformer\.rotary_pos_emb\.inv_freq|norm_final\.weight|y_embedder\.y_embedding|pos_embed|img_emb\.emb_pos|per_channel_statistics\.(channel|mean-of-stds.*)")
ALLOWED = {("logit_scale", "gone"), ("num_batches_tracked", "gone"), ("no_norm", "gone"), ("text_projection.weight", "gone"), ("embed_tokens.weight", "gone"), ("shared.weight", "another name"),
           ("visual_projection.weight", "gone"), ("lm_head.weight", "gone"), ("spiece_model", "gone"), ("tekken_model", "gone"),
           ("spiece_model", "one more on axis 0"), ("tekken_model", "one more on axis 0")}  # any number of bytes


def may(name, what):
    if FREE.fullmatch(name.removeprefix(UNET).removeprefix("vae.")) and what == "gone": return True
    return any(name.endswith(n) and what == w for n, w in ALLOWED) and not name.endswith("model.text_projection")


def few(case, every, what):
    """All neighbours (name, what, tensors), or a fixed sample."""
    return what if every else sorted(what, key=lambda x: zlib.crc32((case["name"] + x[0] + x[1]).encode()))[:FEW]


def neighbours(case, path, every):
    tensors = tensors_of(case)
    all_of_it = [(n, what, t) for n in kinds(tensors) for what, t in altered(tensors, n) if not may(n, what)]
    matrices = [n for n, (_, s) in tensors.items() if case.get("kind") == "diffusion model" and len(s) == 2 and min(s) >= 64 and n.endswith(".weight")]
    all_of_it += [(n, "without its scale", scaled(tensors, n)) for n in matrices[len(matrices) // 2:][:1]]
    for name, what, t in few(case, every, all_of_it) + few(case, every, [("", what, t) for what, t in strangers(tensors)]):
        write(path, t)
        agrees, _, doc = judged(path)
        check(not agrees, case["name"], name, what, "agrees all the same")
        if "buffers" in case and len(tensors) >= MEAGRE: held(case, name, what, doc, tensors, path)


MEAGRE = 12  # number of tensors: fewer do not identify the model if one of them is wrong
ALIKE = {"wav2vec2 base": "wav2vec2"}  # if all its names belong to a class of transformers, a file with one error is still that class, of unknown size


def held(case, name, what, doc, tensors, path):
    """A file of src/data/specs/original with one error still gets its name, and the wrong tensor is named."""
    wrong = {t["name"] for k in ("missing", "mismatched", "unexpected") for t in doc.get(k) or ()}
    kind = tensors[name][0] if name else None
    lacks = what == "another name" and may(name, "gone") and name + "_x" in wrong  # without it the file is of another kind
    check(not name or what == "of a type that no weight has" or kind != "F16" or name in wrong or lacks, case["name"], name, what, "is not named", sorted(wrong)[:3])
    check(REWORDED or "(" + ALIKE.get(case["variant"], case["variant"]) in run("identify", path)[1]["files"][0]["description"], case["name"], name, what, "is no longer identified")


# Replaces everything under a prefix by that of another case: parts that agree individually, of two families.
SD1, SD2, XL, FLUX = "SD1.5 v1-5-pruned-emaonly (no schedule)", "SD2.1 v2-1_768", "SDXL inpainting 0.1", "FLUX.1 checkpoint with vae and text encoders (ComfyUI)"
MIXED = [(XL, "conditioner.", SD1, "cond_stage_model."), (SD1, "cond_stage_model.", XL, "conditioner."), (SD1, "cond_stage_model.", SD2, "cond_stage_model."), (SD2, "cond_stage_model.", SD1, "cond_stage_model."),
         (SD1, "first_stage_model.", FLUX, "vae."), (FLUX, "vae.", SD1, "first_stage_model."), (SD1, "nothing", FLUX, "text_encoders.clip_l."), (XL, "conditioner.embedders.1.", XL, "nothing")]


# A diffusion model, text encoders and an autoencoder that fit it (None: no case exists), and ones that no model of
# its family uses.
SERVED = [("hunyuan-video-1.5", ["qwen_2.5_vl_7b", "byt5_small_glyphxl"], "HunyuanVideo 1.5 VAE", "t5xxl encoder (t5xxl_fp16.safetensors)", "wan-vae-2.2"),
          ("sana-600m", ["gemma_2_2b"], "dc-ae-f32c32-sana", "gemma_3_4b_it", "DC-AE f128c512"), ("ltx-2-19b", ["gemma_3_12B_it"], None, "gemma_2_2b", "ltx-video-vae-0.9.1"),
          ("cosmos-predict2-2b-v2w", [], None, "t5xxl encoder (t5xxl_fp16.safetensors)", "wan-vae-2.2"), ("wan-2.2-animate-14b", ["umt5-xxl encoder (Wan, ComfyUI names)"], None, "t5xxl encoder (t5xxl_fp16.safetensors)", "wan-vae-2.2"),
          ("cosmos-predict1-7b-v2w", [], "Cosmos 1 VAE", "gemma_2_2b", "HunyuanVideo 1.5 VAE"), ("lumina2", ["gemma_2_2b"], None, "qwen_3_4b", "HunyuanVideo 1.5 VAE"),
          ("AuraFlow v0.3", ["pile_t5_xl"], None, "t5xxl encoder (t5xxl_fp16.safetensors)", "wan-vae-2.2"), ("HunyuanDiT v1.2", ["mt5_xl"], None, "qwen_3_4b", "wan-vae-2.2"),
          ("FLUX.2 klein-4b", ["qwen_3_4b"], None, "qwen_3_06b", "wan-vae-2.2"), ("LTX-2.3", ["gemma_3_12B_it"], "LTX-2.3 VAE", "gemma_2_2b", "wan-vae-2.2"),
          ("Wan TI2V-5B", ["umt5-xxl encoder (Wan, ComfyUI names)"], "wan-vae-2.2", "t5xxl encoder (t5xxl_fp16.safetensors)", "Wan2.1_VAE.pth"),
          ("Z-Image-Turbo", ["qwen_3_4b"], None, "qwen_4b_ace15", "wan-vae-2.2")]

# Names that metadata may give to some of them, including an earlier version, and names they may not.
CALLED = {"Z-Image-Turbo": (["z-image-turbo", "Z-Image/full"], ["flux-1-dev"]), "hunyuan-video-1.5": (["hunyuan-video-1.5", "hunyuan-video"], ["hunyuan-image-2.1"]),
          "LTX-2.3": (["ltx-2.3", "ltx-2"], ["wan2.1-t2v"]), "FLUX.2 klein-4b": (["flux.2-klein-4b", "Flux.2-dev"], ["chroma"]), "HunyuanDiT v1.2": (["what is not known of it"], [])}


def joined(by_name, model, texts, vae):
    out = {UNET + n.removeprefix(UNET): v for n, v in by_name[model].items()}
    for text in texts: out.update({f"text_encoders.{text.split()[0].replace('.', '_')}.transformer.{n}": v for n, v in by_name[text].items()})
    if vae: out.update({"vae." + n: v for n, v in by_name[vae].items()})
    return out


def served(path, words):
    """Components that the model uses from the same file, and ones it does not."""
    if words and "served" not in words: return
    by_name = {c["name"]: tensors_of(c) for c in cases([w for row in SERVED for w in [row[0], *row[1], *row[2:]] if w])}
    for model, texts, vae, text, other in SERVED:
        for what, want, t in (("what it reads", True, (texts, vae)), (text, False, (texts[1:] + [text], vae)), (other, False, (texts, other))):
            write(path, joined(by_name, model, *t))
            agrees, found, _ = judged(path)
            check(agrees == want, model, "with", what, agrees, {n: c["verdict"] for n, c in found.items()})
        for right, words in zip((True, False), CALLED.get(model, ([], []))):
            for said in words:
                sparse(path, listed(joined(by_name, model, texts, vae)), {"modelspec.architecture": said})
                check(judged(path)[0] == right, model, "said to be", said, "is refused" if right else "agrees")


# Names that metadata may give a model, and ones they may not.
SAID = [(SD1, "stable-diffusion-v1", ["stable-diffusion-xl-v1-base", "stable-diffusion-v2-768-v", "Flux.1-dev"]), (XL, "stable-diffusion-xl-v1-base", ["stable-diffusion-xl-v1-refiner", "stable-diffusion-v1/lora"]),
        (SD2, "stable-diffusion-v2-768-v", ["stable-diffusion-v1"]), (SD1, "an unknown name", []), (FLUX, "Flux.1-dev", ["stable-diffusion-3-medium"])]


def said_of_itself(path, by_name):
    for name, right, wrong in SAID:
        for said in [right, *wrong]:
            sparse(path, listed(by_name[name]), {"modelspec.architecture": said})
            check(judged(path)[0] == (said == right), name, "said to be", said, "agrees" if said != right else "is refused")


def mixed(path, words):
    by_name = {c["name"]: tensors_of(c) for c in stored(os.path.join(ROOT, "test", "truth", "components", FILES[0])) if c["name"] in (SD1, SD2, XL, FLUX)}
    for one, out, other, into in () if words else MIXED:
        tensors = {n: v for n, v in by_name[one].items() if not n.startswith(out)}
        tensors.update({n: v for n, v in by_name[other].items() if n.startswith(into)})
        write(path, tensors)
        agrees, _, _ = judged(path)
        check(not agrees, one, "with", into, "of", other, "agrees all the same")
    if not words: said_of_itself(path, by_name)
    first = UNET + "input_blocks.0.0.weight"
    for name, channels in () if words else ((SD1, (3, 5, 7, 16)), (SD2, (3, 6, 7, 16)), (XL, (5, 7, 10))):
        for n in channels:
            shape = by_name[name][first][1]
            write(path, {**by_name[name], first: ("F16", [shape[0], n, *shape[2:]])})
            check(not judged(path)[0], name, "of", n, "channels agrees all the same")
    tensors = list(by_name[SD1].items())
    for at in () if words else (1, len(tensors) // 2):
        write(path, dict([(n if i < at else "state_dict." + n, v) for i, (n, v) in enumerate(tensors)]))
        agrees, _, _ = judged(path)
        check(not agrees, SD1, "wrapped from", at, "agrees all the same")


def without(tensors, name):
    return {n: v for n, v in tensors.items() if n != name}


def write_case(name, path, how="", dtype=""):
    """For transcripts: a case with averaged weights (averaged), with three errors (broken), or only its part under a
    prefix (one that ends with a dot); matrices in another type."""
    case = next(c for c in cases([name]) if c["name"] == name)
    tensors = copies(case) if how == "averaged" else tensors_of(case)
    if how == "broken":
        del tensors[UNET + "middle_block.0.in_layers.2.bias"]
        tensors[UNET + "time_embed.2.bias"] = ("F16", [1281])
        tensors["nobodys.weight"] = ("F16", [3])
    if how.endswith("."): tensors = {n.removeprefix(how): x for n, x in tensors.items() if n.startswith(how)}
    if dtype: tensors = {n: (dtype, shape) if len(shape) == 2 else (kind, shape) for n, (kind, shape) in tensors.items()}
    write(path, tensors)
    return 0


def main():
    if sys.argv[1:2] == ["-w"]: return write_case(*sys.argv[2:])
    every = "-a" in sys.argv[1:]
    words = [w for w in sys.argv[1:] if w != "-a"]
    count = good = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        for case in cases(words, every):
            count += 1
            if not as_it_is(case, path): continue
            good += 1
            if not (every or words or taken(3, case["name"])): continue
            otherwise(case, path, every)
            neighbours(case, path, every)
        mixed(path, words)
        served(path, words)
    for f in failures[:40]: print("FAIL", f)
    print(f"single files: {count} cases, {good} agree, {checks} checks, {len(failures)} failed")
    return 1 if failures or not good else 0


if __name__ == "__main__": sys.exit(main())
