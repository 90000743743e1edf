#!/usr/bin/env python3
"""identify.py -- what `numel identify` calls a file without configuration: a case of each kind, and neighbours.

A row is a fixture file, or one with a few tensors, and the text required after the counts in its line: the kind,
and the family or that it is unknown (its names are common, its sizes fit nothing). A file with foreign or missing
tensors must not be named as if nothing were wrong.
"""
import json, os, subprocess, sys, tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from files import sparse, type_of, unpacked

NUMEL = os.path.abspath(os.path.join(os.environ.get("B", "build/release"), "numel"))
ORACLE, SINGLE = "fixtures/oracle/%s.jsonl.zst", "test/truth/components/%s.jsonl.zst"
STORED = [  # the file of cases, the case, the expected text
    (ORACLE % "diffusers", "diffusers/UNet2DConditionModel.2", "diffusion model (UNet2DConditionModel"),
    (ORACLE % "diffusers", "diffusers/FluxTransformer2DModel.1", "diffusion model (FluxTransformer2DModel"),
    (ORACLE % "diffusers", "diffusers/AutoencoderKL.2", "VAE (AutoencoderKL"),
    (ORACLE % "diffusers", "diffusers/ControlNetModel.1", "ControlNet (ControlNetModel"),
    (ORACLE % "diffusers", "diffusers/MotionAdapter.1", "motion module (MotionAdapter"),
    (ORACLE % "diffusers", "diffusers/T2IAdapter.1", "T2I-adapter (T2IAdapter"),
    (ORACLE % "diffusers", "diffusers/ReduxImageEncoder.1", "image encoder (ReduxImageEncoder"),
    (ORACLE % "classes", "class/llama.LlamaForCausalLM", "language model (llama, LlamaForCausalLM; classes with the same names: mistral"),
    (ORACLE % "classes", "class/clip_text_model.CLIPTextModel", "text encoder (clip_text_model, CLIPTextModel"),
    (ORACLE % "classes", "class/t5.T5EncoderModel", "text encoder (t5, T5EncoderModel"),
    (ORACLE % "classes", "class/vit.ViTForImageClassification", "vision model (vit, ViTForImageClassification"),
    (ORACLE % "classes", "class/wavlm.WavLMForCTC", "audio model (wavlm, WavLMForCTC"),
    (ORACLE % "timm", "timm/resnet50.a1_in1k", "timm image model (resnet50"),
    (ORACLE % "open_clip", "open_clip/ViT-B-32", "vision model (open_clip"),
    (ORACLE % "open_clip", "open_clip/ViT-L-14", "vision model (open_clip"),
    (ORACLE % "originals", "original/animatediff-sd15-v2", "motion module ("),
    (SINGLE % "single_own", "ControlNet SD1.5", "ControlNet ("),
    (SINGLE % "single_own", "Real-ESRGAN x4plus", "upscaler ("),
    (SINGLE % "single_own", "TAESD decoder 4", "VAE ("),
    (SINGLE % "single", "t5xxl encoder (t5xxl_fp16.safetensors)", "text encoder (T5-XXL"),
    (SINGLE % "encoders", "llama_3.1_8b_instruct", "text encoder (Llama 3 8B"),  # without Llama's head
    (SINGLE % "encoders", "gemma_2_2b", "text encoder (Gemma 2 2B"),  # with tensors to be truncated
    (SINGLE % "encoders", "mistral_3_small_flux2, 30 layers", "text encoder (Mistral Small 24B, first 30 layers"),
    (SINGLE % "encoders", "llava_llama3", "text encoder (LLaVA's Llama 3 8B"),
    (SINGLE % "encoders", "qwen_3_4b", "language model (qwen3 at the size of Qwen3 4B"),  # nothing shows its purpose
    (SINGLE % "encoders", "qwen_3_8b", "language model (qwen3 at the size of Qwen3 8B"),
    (SINGLE % "single", "SD1.5 v1-5-pruned-emaonly (no schedule)", "checkpoint (SD 1.x; UNet"),
    (SINGLE % "single_comfy", "HunyuanDiT v1.2", "diffusion model (HunyuanDiT 1.2"),
    (SINGLE % "published", "published/T2IAdapter.SDXL", "T2I-adapter (T2IAdapter at the size of SDXL"),
    (SINGLE % "published", "published/UNet2DConditionModel.SDXL_refiner", "diffusion model (UNet2DConditionModel at the size of SDXL refiner"),
    (SINGLE % "single", "ip-adapter_sdxl_vit-h", "adapter (ip-adapter) of SDXL"),
]
MADE = [  # a name, tensors, the expected text
    ("word", {"emb_params": [3, 768]}, "adapter (embedding) of SD1.5"),
    ("word-xl", {"clip_l": [3, 768], "clip_g": [3, 1280]}, "adapter (embedding) of SDXL"),
    ("head", {"lm_head.weight": [151936, 4096]}, "unknown"),
    ("linear", {"linear.weight": [300, 200], "linear.bias": [300]}, "unknown"),
    ("table", {"embeddings": [77, 512]}, "unknown"),
    ("redux-more", {"redux_up.weight": [433, 1488], "redux_up.bias": [432], "redux_down.weight": [144, 432],
                    "redux_down.bias": [144]}, "unknown"),
    ("redux-less", {"redux_up.weight": [432, 1488], "redux_up.bias": [432], "redux_down.bias": [144]}, "unknown"),
    ("junk", {f"a.{i}.weight": [i + 3, 7] for i in range(20)}, "unknown"),
]


def stored(path, wanted):
    """The tensors of the named cases."""
    for line in unpacked(path):
        if any(json.dumps(w) in line[:300].decode() for w in wanted):
            case = json.loads(line)
            name = case.get("case") or case["name"]
            if name in wanted:
                yield name, tensors_of(case)


def tensors_of(case):
    if "tensors" in case:
        return {t[0]: t[1] for t in case["tensors"] + case.get("other_tensors", [])}
    names = {n: s for n, s in case["params"].items() if n not in case.get("tied", {})}
    return {**names, **case["buffers"]}


def write(path, names):
    cutter = ("spiece_model", "tekken_model")  # what cuts words, as bytes
    sparse(path, [(name, "U8" if name.endswith(cutter) else type_of(name), shape) for name, shape in names.items()])


def said(path):
    return subprocess.run([NUMEL, "identify", path], capture_output=True, text=True).stdout.rstrip("\n")


def cases():
    """Name, tensors, expected text."""
    want = {name: says for _, name, says in STORED}
    for path in dict.fromkeys(row[0] for row in STORED):
        for name, tensors in stored(path, [row[1] for row in STORED if row[0] == path]):
            yield name, tensors, want.pop(name)
    for name in want:
        sys.exit(f"identify: no case {name}")
    yield from MADE


def neighbours(tensors):
    """The change, and the tensors: none of these may be named as if nothing were wrong."""
    name = sorted(tensors)[len(tensors) // 2]
    yield "joined by as many", {**tensors, **{f"foreign.{i}.thing": [5, i + 2] for i in range(len(tensors))}}
    yield "and one foreign tensor", {**tensors, "foreign.thing.weight": [7, 9]}
    if len(tensors) > 1:
        yield f"without {name}", {n: x for n, x in tensors.items() if n != name}


def is_named(line, says):
    return f" elements: {says}" in line and "disagrees" not in line


def main():
    failed = checks = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file.safetensors")
        for name, tensors, says in cases():
            for what, other in (("", tensors), *neighbours(tensors)):
                write(path, other)
                line, checks = said(path), checks + 1
                if is_named(line, says) == bool(what) and says != "unknown":
                    failed += 1
                    print(f"FAIL {name} {what}: {line.split('elements', 1)[-1]}, {'as ' if what else 'not '}{says}")
                elif says == "unknown" and not line.split(" elements: ", 1)[1].startswith(says):
                    failed += 1
                    print(f"FAIL {name} {what}: {line}")
    print(f"identify: {checks} files, {failed} failed")
    return failed > 0


if __name__ == "__main__": sys.exit(main())
