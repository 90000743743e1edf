#!/usr/bin/env python3
"""adapter_kinds.py [SINGLEFILE.jsonl] -- names and shapes of files that add to a model, for test/truth/adapters.py, which checks the
specifications of such files (`match hf adapter`) against them.

IP-adapters come from the classes of their programs (ImageProjModel, Resampler, MLPProjModel, FacePerceiverResampler; PuLID's IDEncoder
and IDFormer; InstantX's for SD3.5 as in diffusers, loaders/transformer_sd3.py), for the attention of the models they were made for;
T2I-adapters from Adapter and Adapter_light. Sizes are those that ComfyUI_IPAdapter_plus infers from the files, or that their programs
build. With SINGLEFILE (names and shapes of single files, one JSON object per line), the cases that it has must match it.
"""
import json
import sys

# widths of the layers that attend to text: down, up, middle, in the order of attn_processors, every second one
SD15 = [320] * 2 + [640] * 2 + [1280] * 2 + [1280] * 3 + [640] * 3 + [320] * 3 + [1280]
SDXL = [640] * 4 + [1280] * 20 + [1280] * 30 + [640] * 6 + [1280] * 10
MANY = range(4)


def linear(rows, name, out, inner, bias=True):
    rows[name + ".weight"] = (out, inner)
    if bias:
        rows[name + ".bias"] = (out,)


def norm(rows, name, width):
    rows[name + ".weight"] = rows[name + ".bias"] = (width,)


def resampler(p, width, heads, clip, out, latents):
    rows = {p + "latents": (1, latents, width)} if latents else {}
    linear(rows, p + "proj_in", width, clip)
    linear(rows, p + "proj_out", out, width)
    norm(rows, p + "norm_out", out)
    for i in MANY:
        q = f"{p}layers.{i}."
        norm(rows, q + "0.norm1", width)
        norm(rows, q + "0.norm2", width)
        linear(rows, q + "0.to_q", heads * 64, width, False)
        linear(rows, q + "0.to_kv", heads * 128, width, False)
        linear(rows, q + "0.to_out", width, heads * 64, False)
        norm(rows, q + "1.0", width)
        linear(rows, q + "1.1", 4 * width, width, False)
        linear(rows, q + "1.3", width, 4 * width, False)
    return rows


def faces(width, plus, tokens=4, clip=1280):
    rows = resampler("image_proj.perceiver_resampler.", width, width // 64, clip, width, 0) if plus else {}
    linear(rows, "image_proj.proj.0", 1024, 512)
    linear(rows, "image_proj.proj.2", tokens * width, 1024)
    norm(rows, "image_proj.norm", width)
    return rows


def plain(width, clip):
    rows = {}
    linear(rows, "image_proj.proj", 4 * width, clip)
    norm(rows, "image_proj.norm", width)
    return rows


def full(width):
    rows = {}
    linear(rows, "image_proj.proj.0", 1280, 1280)
    linear(rows, "image_proj.proj.2", width, 1280)
    norm(rows, "image_proj.proj.3", width)
    return rows


def attention(widths, text, rank=0):
    rows = {}
    for i, w in enumerate(widths):
        for x in "kv":
            rows[f"ip_adapter.{2 * i + 1}.to_{x}_ip.weight"] = (w, text)
        for n in (2 * i, 2 * i + 1) if rank else ():
            for x in ("q", "k", "v", "out"):
                inner = text if n % 2 and x in "kv" else w
                rows[f"ip_adapter.{n}.to_{x}_lora.down.weight"] = (rank, inner)
                rows[f"ip_adapter.{n}.to_{x}_lora.up.weight"] = (w, rank)
    return rows


def mapping(rows, name, sizes):
    """PuLID's linear layers; each but the last is followed by a norm and a module without tensors."""
    for i, (inner, out) in enumerate(zip(sizes, sizes[1:])):
        linear(rows, f"{name}.{3 * i}", out, inner)
        if i < len(sizes) - 2:
            norm(rows, f"{name}.{3 * i + 1}", out)


def pulid(p, former):
    rows = {p + "latents": (1, 32, 1024), p + "proj_out": (1024, 2048)} if former else {}
    for i in range(10 if former else 0):
        q = f"{p}layers.{i}."
        norm(rows, q + "0.norm1", 1024)
        norm(rows, q + "0.norm2", 1024)
        linear(rows, q + "0.to_q", 1024, 1024, False)
        linear(rows, q + "0.to_kv", 2048, 1024, False)
        linear(rows, q + "0.to_out", 1024, 1024, False)
        norm(rows, q + "1.0", 1024)
        linear(rows, q + "1.1", 4096, 1024, False)
        linear(rows, q + "1.3", 1024, 4096, False)
    width = 1024 if former else 2048
    mapping(rows, p + ("id_embedding_mapping" if former else "body"), (1280, 1024, 1024, 5 * width))
    for i in range(5):
        for name in ("mapping",) if former else ("mapping", "mapping_patch"):
            mapping(rows, f"{p}{name}_{i}", (1024, 1024, 1024, width))
    return rows


def as_pulid(rows):
    return {n.replace("ip_adapter.", "id_adapter_attn_layers.").replace(".to_k_ip", ".id_to_k").replace(".to_v_ip", ".id_to_v"): s
            for n, s in rows.items()}


def pulid_flux():
    rows = pulid("pulid_encoder.", True)
    for i in range(20):
        q = f"pulid_ca.{i}."
        norm(rows, q + "norm1", 2048)
        norm(rows, q + "norm2", 3072)
        linear(rows, q + "to_q", 2048, 3072, False)
        linear(rows, q + "to_kv", 4096, 2048, False)
        linear(rows, q + "to_out", 3072, 2048, False)
    return rows


def instantx_flux():
    rows = {}
    linear(rows, "image_proj.proj.0", 2304, 1152)
    linear(rows, "image_proj.proj.2", 128 * 4096, 2304)
    norm(rows, "image_proj.norm", 4096)
    for i in range(57):
        for x in "kv":
            rows[f"ip_adapter.{i}.to_{x}_ip.weight"] = (3072, 4096)
    return rows


def instantx_sd35():
    rows = resampler("image_proj.", 1280, 20, 1152, 2432, 64)
    for i in MANY:
        linear(rows, f"image_proj.layers.{i}.2.1", 5120, 1280)
    linear(rows, "image_proj.time_embedding.linear_1", 1280, 320)
    linear(rows, "image_proj.time_embedding.linear_2", 1280, 1280)
    for i in range(38):
        q = f"ip_adapter.{i}."
        linear(rows, q + "norm_ip.linear", 4864, 1280)
        for x in "kv":
            rows[q + f"to_{x}_ip.weight"] = (2432, 2432)
        for x in ("norm_q", "norm_k", "norm_ip_k"):
            rows[q + x + ".weight"] = (64,)
    return rows


def xlabs(p, tokens):
    rows = {}
    linear(rows, "ip_adapter_proj_model.proj", tokens * 4096, 768)
    norm(rows, "ip_adapter_proj_model.norm", 4096)
    for i in range(19):
        for x in "kv":
            linear(rows, f"double_blocks.{i}.{p}ip_adapter_double_stream_{x}_proj", 3072, 4096)
    return rows


def t2i(channels):
    rows, before = {}, 320
    rows["conv_in.weight"], rows["conv_in.bias"] = (320, channels, 3, 3), (320,)
    for i, c in enumerate((320, 320, 640, 640, 1280, 1280, 1280, 1280)):
        for name, shape in (("in_conv", (c, before, 1, 1)), ("block1", (c, c, 3, 3)), ("block2", (c, c, 1, 1))):
            if name != "in_conv" or c != before:
                rows[f"body.{i}.{name}.weight"], rows[f"body.{i}.{name}.bias"] = shape, (c,)
        before = c
    return rows


def t2i_light(channels):
    rows, before = {}, channels
    for i, c in enumerate((320, 640, 1280, 1280)):
        for name, shape in [("in_conv", (c // 4, before, 1, 1)), ("out_conv", (c, c // 4, 1, 1))] + [
                (f"body.{j}.{b}", (c // 4, c // 4, 3, 3)) for j in MANY for b in ("block1", "block2")]:
            rows[f"body.{i}.{name}.weight"], rows[f"body.{i}.{name}.bias"] = shape, (shape[0],)
        before = c
    return rows


def kinds():
    """Returns the type, family and rows."""
    for family, widths, text in (("SD1.5", SD15, 768), ("SDXL", SDXL, 2048)):
        own = attention(widths, text)
        for clip in (1024, 1280):
            yield "ip-adapter", family, {**plain(text, clip), **own}
        inner = 768 if family == "SD1.5" else 1280
        yield "ip-adapter", family, {**resampler("image_proj.", inner, inner // 64, 1280, text, 16), **own}
        yield "ip-adapter", family, {**full(text), **own}
        for plus in (False, True):
            yield "ip-adapter", family, {**faces(text, plus), **own}
            yield "ip-adapter", family, {**faces(text, plus), **attention(widths, text, 128)}
        yield "ip-adapter", family, {**faces(text, False, 16), **own}  # portraits
    xl = attention(SDXL, 2048)
    yield "ip-adapter", "SDXL", {**resampler("image_proj.", 1280, 20, 512, 2048, 16), **xl}  # InstantID, and FaceID portrait "unnorm"
    yield "ip-adapter", "Kolors", {**resampler("image_proj.", 2048, 12, 1024, 2048, 16), **xl}
    yield "ip-adapter", "Kolors", {**faces(4096, True, 6, 1024), **attention(SDXL, 4096)}
    for former in (False, True):
        yield "ip-adapter", "SDXL", {**pulid("image_proj.", former), **xl}
        yield "ip-adapter", "SDXL", {**pulid("id_adapter.", former), **as_pulid(xl)}
    yield "ip-adapter", "FLUX.1", pulid_flux()
    yield "ip-adapter", "FLUX.1", instantx_flux()
    yield "ip-adapter", "SD3.5-large", instantx_sd35()
    for p in ("", "processor."):
        for tokens in (4, 16):
            yield "ip-adapter", "FLUX.1", xlabs(p, tokens)
    for channels, family in ((64, "SD1.5"), (192, "SD1.5"), (256, "SDXL"), (768, "SDXL")):
        yield "t2i-adapter", family, t2i(channels)
    for channels in (64, 192):
        yield "t2i-adapter", "SD1.5", t2i_light(channels)


if __name__ == "__main__":
    for d in map(json.loads, open(sys.argv[1])):
        if "ip-adapter" in d["name"]:
            assert any(dict((n, tuple(s)) for n, s in d["tensors"]) == rows for _, _, rows in kinds()), d["name"]
