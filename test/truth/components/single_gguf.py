"""Image and video models in GGUF, as ComfyUI's converters and stable-diffusion.cpp write them.

The cases are those of single.py, the writers' rules their own: city96's converter names an architecture, keeps the
original names, leaves one-dimensional and small tensors in F32 and reshapes those of UNets to rows of 256, keeping
the shape in comfy.gguf.orig_shape.NAME; calcuis' uses `pig` for every architecture; stable-diffusion.cpp writes
whole checkpoints, all parts in one file, without any metadata. Each agrees with the parameters of the unquantized
model; neighbours with one error each do not.

  B=build/release python3 test/truth/components/single_gguf.py [WORD...]
"""
import math
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import files
import single
from single import UNET, check, taken

COMFY = [  # case, the converter's name for it, prefix of its names
    ("SD1.4", "sd1", ""), ("SD1.4", "sd1", UNET), ("SDXL base", "sdxl", ""), ("SDXL refiner", "sdxl", ""), ("SD2.0-base", "pig", ""),
    ("flux-fill", "flux", ""), ("FLUX.1-dev [model.diffusion_model.]", "pig", UNET), ("Chroma1-HD", "flux", ""), ("krea2", "krea2", ""),
    ("HunyuanVideo T2V cfgdistill", "hyvid", ""), ("ltx-2-19b", "ltxv", ""), ("Qwen-Image (ComfyUI file)", "qwen_image", ""),
    ("wan-flf2v-14b", "wan", ""), ("wan-vae-2.2", "pig", ""), ("t5xxl encoder (t5xxl_fp16.safetensors)", "pig", ""), ("clip_g.safetensors (HF names)", "cow", ""),
    # models that the converter mistakes for another with the same names
    ("LongCat-Image", "flux", ""), ("Ovis-Image", "flux", ""), ("Anima", "cosmos", ""), ("NewBie", "lumina2", ""), ("Qwen-Image 2.1", "qwen_image", ""), ("SeedVR2 3B", "pig", ""),
]
WHOLE = ["SD1.5 v1-5-pruned-emaonly (with schedule buffers)", "SDXL inpainting 0.1", "SD3 medium incl clips + t5xxl", "ControlNet SD1.5",
         "FLUX.1 checkpoint with vae and text encoders (ComfyUI)"]
SHAPE = "comfy.gguf.orig_shape."


def plain(case):
    """Names and shapes, without the prefix and without tensors outside the model."""
    return {n.removeprefix(UNET): s for n, s in case["tensors"]}


def by_comfy(case, arch, prefix):
    """(pairs, tensors {name: (type, shape)}) as ComfyUI's converter writes it, quantized to Q4_K."""
    pairs, tensors = {"general.architecture": arch, "general.quantization_version": 2, "general.file_type": 14}, {}
    for name, shape in plain(case).items():
        n, stored = math.prod(shape), shape or [1]
        if arch in ("sd1", "sdxl") and len(shape) > 1 and n >= 512 and n % 256 == 0 and shape[-1] % 256:
            pairs[SHAPE + prefix + name], stored = ("arr", ("i32", shape)), [n // 256, 256]
        small = len(shape) < 2 or n <= 1024
        tensors[prefix + name] = ("F32" if small else "Q4_K" if len(stored) == 2 and stored[1] % 256 == 0 else "F16", stored)
    return pairs, tensors


def by_cpp(case):
    """As stable-diffusion.cpp writes it: no metadata, neither buffers nor schedules."""
    tensors = {n: ("F32" if len(s) < 2 else "F16" if s[-1] % 32 else "Q8_0", s or [1]) for n, s in case["tensors"] if not n.endswith("position_ids")}
    return {}, tensors


def agrees(path, pairs, tensors):
    files.sparse_gguf(path, list(pairs.items()), [(n, t, s) for n, (t, s) in tensors.items()])
    return single.judged(path)


def as_it_is(path, what, case, pairs, tensors):
    good, found, _ = agrees(path, pairs, tensors)
    check(good, what, {n: c["verdict"] for n, c in found.items()})
    got, want = sorted(c["parameters"] for c in found.values() if c["parameters"]), single.expected(case)
    return check(got == want or sum(got) == sum(want), what, got, want)


def otherwise_shaped(pairs):
    """A shape that the converter recorded, and wrong values for it."""
    key = next((k for k, v in pairs.items() if k.startswith(SHAPE) and len(v[1][1]) == 4), None)
    if not key: return
    a, b, c, d = pairs[key][1][1]
    for what, shape in [("turned", [b, a * 2, c, d // 2 or 1]), ("of another product", [a, b, c, d + 1]), ("negative", [-a, -b, c, d]), ("with a zero", [a, b, c, 0]),
                        ("too long", [a, b, c, d] + [1] * 9), ("empty", []), ("flat", [a * b * c * d]), ("overflowing", [2**31 - 1] * 4)]:
        yield "a shape " + what, {**pairs, key: ("arr", ("i32", shape))}
    yield "a shape that is text", {**pairs, key: "3x3"}
    yield "a shape of text", {**pairs, key: ("arr", ("str", [str(n) for n in (a, b, c, d)]))}
    yield "no shape", {k: v for k, v in pairs.items() if k != key}


def neighbours(path, what, case, pairs, tensors):
    wide = [n for n, (t, s) in tensors.items() if len(s) > 1 and t != "F32"]
    one = wide[len(wide) // 2]
    kind, shape = tensors[one]
    small = next(n for n, (t, s) in tensors.items() if t == "F32")
    wrong = [("a tensor gone", pairs, single.without(tensors, one)), ("a row more", pairs, {**tensors, one: (kind, [shape[0] + 1] + shape[1:])}),
             ("a bias gone", pairs, single.without(tensors, small)), ("one tensor more", pairs, {**tensors, one.replace(".weight", "_x.weight"): (kind, shape)}),
             ("a weight of integers", pairs, {**tensors, one: ("I32", shape)})]
    for how, p, t in wrong + [(how, p, tensors) for how, p in otherwise_shaped(pairs)]:
        if not taken(2, what, how): continue
        check(not agrees(path, p, t)[0], what, how, "agrees all the same")


def main():
    words = sys.argv[1:]
    cases = {c["name"]: c for c in single.cases([], every=True)}
    rows = [(name, f"{name} as {arch} {prefix}", by_comfy(cases[name], arch, prefix)) for name, arch, prefix in COMFY]
    rows += [(name, f"{name} by stable-diffusion.cpp", by_cpp(cases[name])) for name in WHOLE]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.gguf")
        for name, what, (pairs, tensors) in rows:
            if words and not any(w in what for w in words): continue
            if as_it_is(path, what, cases[name], pairs, tensors): neighbours(path, what, cases[name], pairs, tensors)
    for f in single.failures[:40]: print("FAIL", f)
    print(f"single files, GGUF: {len(rows)} cases, {single.checks} checks, {len(single.failures)} failed")
    return 1 if single.failures else 0


if __name__ == "__main__": sys.exit(main())
