"""Single files of image models, quantized as people download them, in safetensors (GGUF: single_gguf.py).

FP8 cast and scaled, ComfyUI's formats with a text for each weight or all of them in the metadata (FP8, NVFP4,
MXFP8, INT8), bitsandbytes' NF4 and FP4 with and without double quantization, nunchaku's SVDQuant. Each has the
parameters of the unquantized model; a file that lacks a tensor a weight needs, or has it in another shape, is
refused.

  B=build/release python3 test/truth/components/single_quantized.py [-a] [WORD...]      -a: all neighbours, and all forms of each file
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import files
import single
from single import UNET, check, taken, without

CASES = ["FLUX.1-dev [model.diffusion_model.]", "FLUX.1 checkpoint with vae and text encoders (ComfyUI)", "Qwen-Image (ComfyUI file)", "Hunyuan3D 2 mini"]
INSIDE = re.compile(r"(.*\.)?(double_|single_|transformer_)blocks\..*\.weight")


def up(n, of): return -(-n // of) * of


# ---- forms: the tensors of a weight with O rows and I columns: {suffix: (type, shape)}; "" is the weight itself

def scaled(o, i, shape=()):
    return {"": ("F8_E4M3", [o, i]), ".scale_weight": ("F32", list(shape)), ".scale_input": ("F32", list(shape))}


def fp8(o, i, shape=()):
    return {"": ("F8_E4M3", [o, i]), ".weight_scale": ("F32", list(shape)), ".input_scale": ("F32", list(shape))}


def nvfp4(o, i):
    return {"": ("U8", [o, i // 2]), ".weight_scale": ("F8_E4M3", [up(o, 128), up(i // 16, 4)]), ".weight_scale_2": ("F32", []), ".input_scale": ("F32", [])}


def mxfp8(o, i):
    return {"": ("F8_E4M3", [o, i]), ".weight_scale": ("U8", [up(o, 128), up(i // 32, 4)])}


def int8(o, i, shape=None):
    return {"": ("I8", [o, i]), ".weight_scale": ("F32", [o] if shape is None else shape)}


def int8_blocks(o, i):
    return {"": ("I8", [o, i]), ".weight_scale": ("F32", [o // 128, i // 128])}


def four_bits(o, i, kind="nf4", double=False):
    """bitsandbytes; `double`: the scales are quantized too."""
    n = o * i
    blocks = up(n, 64) // 64
    out = {"": ("U8", [up(n, 2) // 2, 1]), ".weight.absmax": ("U8" if double else "F32", [blocks]), ".weight.quant_map": ("F32", [16]),
           ".weight.quant_state.bitsandbytes__" + kind: ("U8", [95])}
    if double: out.update({".weight.nested_absmax": ("F32", [up(blocks, 256) // 256]), ".weight.nested_quant_map": ("F32", [256])})
    return out


MARK = ("F8_E4M3", [0])
FORMS = [  # name, form, ComfyUI's name for it (None: not stated), how it is stated, the marker of the file
    ("scaled F8", scaled, None, None, MARK), ("scaled F8, not multiplied in F8", scaled, None, None, ("F8_E4M3", [2])), ("scaled F8, lists of one", lambda o, i: scaled(o, i, [1]), None, None, MARK),
    ("F8", fp8, "float8_e4m3fn", "beside", None), ("F8 by the metadata", fp8, "float8_e4m3fn", "metadata", None), ("F8, lists of one", lambda o, i: fp8(o, i, [1]), "float8_e4m3fn", "beside", None),
    ("NVFP4", nvfp4, "nvfp4", "beside", None), ("NVFP4 by the metadata", nvfp4, "nvfp4", "metadata", None), ("MXFP8", mxfp8, "mxfp8", "beside", None), ("MXFP8 by the metadata", mxfp8, "mxfp8", "metadata", None),
    ("INT8 a row", int8, "int8_tensorwise", "beside", None), ("INT8 a column", lambda o, i: int8(o, i, [o, 1]), "int8_tensorwise", "beside", None),
    ("INT8 by the metadata", lambda o, i: int8(o, i, []), "int8_tensorwise", "metadata", None), ("INT8 in blocks", int8_blocks, "int8_blockwise", "beside", None),
    ("NF4", four_bits, None, None, None), ("FP4", lambda o, i: four_bits(o, i, "fp4"), None, None, None), ("NF4, doubly", lambda o, i: four_bits(o, i, double=True), None, None, None),
]
BESIDE = re.compile(r"input|quant_state")  # tensors that a file may lack without harm, or that may have any size


def written(tensors, stems, prefix, form):
    """(tensors, metadata, texts)"""
    _, made, called, how, marker = form
    out, texts, text = dict(tensors), {}, json.dumps({"format": called}).encode()
    for stem in stems:
        for suffix, stored in made(*tensors[stem + ".weight"][1]).items(): out[stem + (suffix or ".weight")] = stored
        if how == "beside": out[stem + ".comfy_quant"], texts[stem + ".comfy_quant"] = ("U8", [len(text)]), text
    if marker: out[prefix + "scaled_fp8"] = marker
    layers = {"layers": {stem: {"format": called} for stem in stems}}
    return out, {"_quantization_metadata": json.dumps(layers)} if how == "metadata" else None, texts


def write(path, tensors, metadata, texts):
    files.sparse(path, [(n, t, s) for n, (t, s) in tensors.items()], metadata, {n: data for n, data in texts.items() if n in tensors})


def judge(path, *file):
    write(path, *file)
    return single.judged(path)


def altered(tensors, stem, form):
    """Tensors of one weight: removed, enlarged, of another type; and the weight itself."""
    for suffix, (dtype, shape) in form[1](*[128, 256]).items():
        name = stem + (suffix or ".weight")
        if BESIDE.search(suffix): continue
        dtype, shape = tensors[name]
        yield f"{suffix or 'the weight'} gone", without(tensors, name)
        yield f"{suffix or 'the weight'} of another size", {**tensors, name: (dtype, [shape[0] + 1] + shape[1:] if shape else [2])}
        yield f"{suffix or 'the weight'} of another type", {**tensors, name: ("I64", shape)}
    if form[4]: yield "a marker of five", {n: (v[0], [5]) if n.endswith("scaled_fp8") else v for n, v in tensors.items()}
    if form[3] == "beside" and form[0] != "F8" and not form[0].startswith("F8,"): yield "the text gone", without(tensors, stem + ".comfy_quant")
    yield "a scale of nobody's", {**tensors, stem + "x.weight_scale": ("F32", [])}


def lies(metadata, stem):
    """The metadata state a wrong format for one weight, or for all."""
    said = json.loads(metadata["_quantization_metadata"])
    for called in ("nvfp4", "mxfp8", "float8_e4m3fn", "int8_tensorwise"):
        other = {"format": called}
        if said["layers"][stem] == other: continue
        yield f"one said to be {called}", {"_quantization_metadata": json.dumps({"layers": {**said["layers"], stem: other}})}
        yield f"all said to be {called}", {"_quantization_metadata": json.dumps({"layers": dict.fromkeys(said["layers"], other)})}


def variants(case, form, every=True):
    """(error, tensors, metadata, texts): as `form` writes the case, first without an error, then with one
    alteration each."""
    tensors = single.tensors_of(case, "BF16")
    prefix = UNET if any(n.startswith(UNET) for n in tensors) else ""
    stems = [n.removesuffix(".weight") for n, (_, s) in tensors.items() if n.startswith(prefix) and INSIDE.fullmatch(n) and len(s) == 2]
    one = stems[len(stems) // 2]
    as_written, metadata, texts = written(tensors, stems, prefix, form)
    yield None, as_written, metadata, texts
    for _, what, t in single.few(case, every, [(form[0], *v) for v in altered(as_written, one, form)]): yield what, t, metadata, texts
    for what, other in lies(metadata, one) if metadata else (): yield what, as_written, other, texts


def quantized(case, path, words, every):
    want = single.expected(case)
    for k, form in enumerate(FORMS):
        if words and not any(w in form[0] for w in words): continue
        if not every and case["name"] != CASES[0] and k % 7: continue
        (_, *right), *wrong = variants(case, form, every)
        good, found, _ = judge(path, *right)
        check(good, case["name"], form[0], {n: c["verdict"] for n, c in found.items()})
        check(UNSCALED not in said(path), case["name"], form[0], "scales go unnoticed")
        got = sorted(c["parameters"] for c in found.values() if c["parameters"])
        check(got == want, case["name"], form[0], got, want)
        if case["name"] != CASES[0]: continue
        for what, *t in wrong:
            if not (every or words or taken(3, form[0], what)): continue
            check(not judge(path, *t)[0], case["name"], form[0], what, "agrees all the same")


UNSCALED = " of F8 without scales: cast, or the scales were lost"


def said(path, command="reconcile"):
    return subprocess.run([single.NUMEL, command, path], stdout=subprocess.PIPE, text=True).stdout


def cast(case, path):
    """Cast to F8: all of it, or the blocks only."""
    tensors = single.tensors_of(case, "BF16")
    for kind in ("F8_E4M3", "F8_E5M2"):
        inside = {n: (kind if INSIDE.fullmatch(n) else t, s) for n, (t, s) in tensors.items()}
        for what, t in (("whole", {n: (kind, s) for n, (_, s) in tensors.items()}), ("inside", inside)):
            good, found, _ = judge(path, t, None, {})
            check(good, case["name"], kind, what, {n: c["verdict"] for n, c in found.items()})
            check(UNSCALED in said(path), case["name"], kind, what, "scales are not mentioned")
            for command in ("show", "verify"): check(UNSCALED.strip() in " ".join(said(path, command).split()), case["name"], kind, what, command, "does not mention scales")
        one = next(n for n in inside if INSIDE.fullmatch(n))
        check(not judge(path, {**inside, one: ("I32", tensors[one][1])}, None, {})[0], case["name"], kind, "one of integers agrees")


# ---- nunchaku's own names, by its modules (models/transformers/transformer_flux_v2.py)

def svdquant(module, o, i, fp4, rank=32, names=("smooth", "smooth_orig", "lora_down", "lora_up")):
    stored = {"qweight": ("I8", [o, i // 2]), "wscales": ("F8_E4M3", [i // 16, o]) if fp4 else ("BF16", [i // 64, o]), "bias": ("BF16", [o])}
    stored.update({n: ("BF16", shape) for n, shape in zip(names, ([i], [i], [i, rank], [o, rank]))})
    if fp4: stored.update({"wcscales": ("BF16", [o]), "wtscale": ("BF16", [1])})
    return {f"{module}.{n}": v for n, v in stored.items()}


def modulation(module, o, i):
    return {module + ".qweight": ("I32", [o // 4, i // 2]), module + ".wscales": ("BF16", [i // 64, o]), module + ".wzeros": ("BF16", [i // 64, o]),
            module + ".bias": ("BF16", [o])}


def nunchaku_flux(fp4, e=3072):
    out = {}
    plain = [("x_embedder", e, 64), ("context_embedder", e, 4096), ("norm_out.linear", 2 * e, e), ("proj_out", 64, e)]
    for n, i in (("timestep", 256), ("guidance", 256), ("text", 768)):
        plain += [(f"time_text_embed.{n}_embedder.linear_1", e, i), (f"time_text_embed.{n}_embedder.linear_2", e, e)]
    for n, o, i in plain: out.update({n + ".weight": ("BF16", [o, i]), n + ".bias": ("BF16", [o])})
    matrices = [("qkv_proj", 3 * e, e), ("out_proj", e, e), ("mlp_fc1", 4 * e, e), ("mlp_fc2", e, 4 * e)]
    of_text = [("qkv_proj_context", 3 * e, e), ("out_proj_context", e, e), ("mlp_context_fc1", 4 * e, e), ("mlp_context_fc2", e, 4 * e)]
    double = ("transformer_blocks", 19, matrices + of_text, [("norm1.linear", 6 * e), ("norm1_context.linear", 6 * e)], "norm_q norm_k norm_added_q norm_added_k")
    single_ = ("single_transformer_blocks", 38, matrices, [("norm.linear", 3 * e)], "norm_q norm_k")
    for blocks, count, linears, modulated, norms in (double, single_):
        for front in (f"{blocks}.{i}." for i in range(count)):
            for n, o, i in linears: out.update(svdquant(front + n, o, i, fp4))
            for n, o in modulated: out.update(modulation(front + n, o, e))
            out.update({front + n + ".weight": ("BF16", [128]) for n in norms.split()})
    return out


FLUX_SOME = ("transformer_blocks.3.mlp_fc1.", "single_transformer_blocks.3.norm.")  # the source of variants
QWEN_SOME = ("transformer_blocks.3.attn.add_qkv_proj.", "transformer_blocks.3.img_mod.1.")
LATER = ("smooth_factor", "smooth_factor_orig", "proj_down", "proj_up")  # nunchaku's names, except in FLUX
FUSED = {"to_q": "to_qkv", "add_q_proj": "add_qkv_proj"}
LEFT = ("to_k", "to_v", "add_k_proj", "add_v_proj")  # part of these


def nunchaku_qwen(plain, fp4):
    out = {}
    for name, (dtype, shape) in plain.items():
        module, _, last = name.rpartition(".")
        front, _, part = module.rpartition(".")
        if not name.startswith("transformer_blocks.") or ".norm_" in name: out[name] = (dtype, shape)
        elif last == "bias" or part in LEFT: continue
        elif "_mod." in name: out.update(modulation(module, *shape))
        elif part in FUSED: out.update(svdquant(f"{front}.{FUSED[part]}", 3 * shape[0], shape[1], fp4, 128, LATER))
        else: out.update(svdquant(module, *shape, fp4, 128, LATER))
    return out


ZIMAGE_SOME = ("layers.3.feed_forward.net.0.",)  # the source of variants


def nunchaku_zimage(plain, fp4, refined):
    """transformer_zimage.py: no biases, two matrices of the MLP fused; the refiners are quantized, or only their
    MLP has these names."""
    out = {}
    for name, shape in plain.items():
        module, _, _ = name.rpartition(".")
        front, _, part = module.rpartition(".")
        linear = part in ("to_q", "to_k", "to_v", "w1", "w2", "w3") or module.endswith("to_out.0")
        packed = linear and (refined or "_refiner." not in name)
        if not linear or not packed and not part.startswith("w"): out[name] = ("BF16", shape)
        elif part not in ("to_k", "to_v", "w3"):
            called, times = {"to_q": ("to_qkv", 3), "w1": ("net.0.proj", 2), "w2": ("net.2", 1)}.get(part, (part, 1))
            o, i = shape[0] * times, shape[1]
            if not packed: out[f"{front}.{called}.weight"] = ("BF16", [o, i])
            else: out.update({n: v for n, v in svdquant(f"{front}.{called}", o, i, fp4, 128, LATER).items() if not n.endswith(".bias")})
    return out


def zimage():
    case = next(c for c in files.stored(os.path.join(single.ROOT, "fixtures", "oracle", "diffusers.jsonl.zst")) if c["case"] == "diffusers/ZImageTransformer2DModel.1")
    return case["params"], case["num_parameters"]


def nunchaku_variants(tensors, some):
    yield None, tensors, None, {}
    for name in [n for n in tensors if n.startswith(some) and not n.endswith("_orig")]:
        dtype, shape = tensors[name]
        yield name + " gone", without(tensors, name), None, {}
        yield name + " longer", {**tensors, name: (dtype, [shape[0] + 1] + shape[1:])}, None, {}


def nunchaku_forms(qwen):
    """(name, parameters, its variants)"""
    for fp4 in (False, True):
        kind = "fp4" if fp4 else "int4"
        yield f"nunchaku FLUX.1 {kind}", 11901408320, nunchaku_variants(nunchaku_flux(fp4), FLUX_SOME)
        yield f"nunchaku Qwen-Image {kind}", 20430401088, nunchaku_variants(nunchaku_qwen(qwen, fp4), QWEN_SOME)
        plain, parameters = zimage()
        for refined in (False, True) if fp4 else (True,): yield f"nunchaku Z-Image {kind}", parameters, nunchaku_variants(nunchaku_zimage(plain, fp4, refined), ZIMAGE_SOME)


def listed_only(case, path):
    """Metadata that list weights wrongly: plain ones, or cast ones whose scales are missing."""
    tensors = single.tensors_of(case, "BF16")
    stems = [n.removesuffix(".weight") for n, (_, s) in tensors.items() if INSIDE.fullmatch(n) and len(s) == 2]
    for called, stored in (("float8_e4m3fn", "BF16"), ("float8_e4m3fn", "F8_E4M3"), ("mxfp8", "F8_E4M3")):
        t = {n: (stored if INSIDE.fullmatch(n) else kind, s) for n, (kind, s) in tensors.items()}
        for what, names in (("one", stems[:1]), ("all", stems)):
            metadata = {"_quantization_metadata": json.dumps({"layers": {n: {"format": called} for n in names}})}
            check(not judge(path, t, metadata, {})[0], case["name"], what, "said to be", called, "stored as", stored, "agrees all the same")
    nobodys = {"_quantization_metadata": json.dumps({"layers": {stems[0] + "x": {"format": "float8_e4m3fn"}}})}
    check(judge(path, tensors, nobodys, {})[0], case["name"], "a list of missing weights is counted against it")


def nunchaku(path, qwen):
    for what, want, variants_of in nunchaku_forms(qwen):
        (_, *right), *wrong = variants_of
        good, found, _ = judge(path, *right)
        check(good and found[""]["parameters"] == want, what, found)
        for altered_in, *t in (w for w in wrong if taken(3, what, w[0])): check(not judge(path, *t)[0], what, altered_in, "agrees all the same")


def every_form():
    """(form, its variants) of everything here, for layout_mutants.py, which alters the layouts that judge them."""
    cases = {c["name"]: c for c in single.cases([]) if c["name"] in CASES}
    for form in FORMS: yield form[0], variants(cases[CASES[0]], form)
    for form, _, variants_of in nunchaku_forms(single.tensors_of(cases[CASES[2]], "BF16")): yield form, variants_of


def main():
    every = "-a" in sys.argv[1:]
    words = [w for w in sys.argv[1:] if w != "-a"]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        cases = {c["name"]: c for c in single.cases([]) if c["name"] in CASES}
        for case in cases.values():
            quantized(case, path, words, every)
            if not words and case["name"] == CASES[0]: cast(case, path), listed_only(case, path)
        if not words or "nunchaku" in words: nunchaku(path, single.tensors_of(cases[CASES[2]], "BF16"))
    for f in single.failures[:40]: print("FAIL", f)
    print(f"single files, quantized: {len(FORMS)} forms, {single.checks} checks, {len(single.failures)} failed")
    return 1 if single.failures else 0


if __name__ == "__main__": sys.exit(main())
