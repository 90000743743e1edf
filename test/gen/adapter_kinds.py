#!/usr/bin/env python3
"""adapter_kinds.py [SINGLEFILE.jsonl] > src/adapter/kind_rows.c -- files that add to a model, name by name with their shapes.

IP-adapters by the classes of their programs (ImageProjModel, Resampler, MLPProjModel, FacePerceiverResampler), for the
attention of the U-Nets that they were made for, and T2I-adapters (Adapter, Adapter_light). With SINGLEFILE (see
adapter_families.py) the ones that are there must come out the same.
"""
import json
import sys

import adapter_table

# widths of what attends to the text: down, up, middle, as attn_processors counts them, every second one
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


def faces(width, plus):
    rows = resampler("image_proj.perceiver_resampler.", width, width // 64, 1280, width, 0) if plus else {}
    linear(rows, "image_proj.proj.0", 1024, 512)
    linear(rows, "image_proj.proj.2", 4 * width, 1024)
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
    """Type, family, rows."""
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
    for p in ("", "processor."):
        for tokens in (4, 16):
            yield "ip-adapter", "FLUX.1", xlabs(p, tokens)
    for channels, family in ((64, "SD1.5"), (192, "SD1.5"), (256, "SDXL"), (768, "SDXL")):
        yield "t2i-adapter", family, t2i(channels)
    for channels in (64, 192):
        yield "t2i-adapter", "SD1.5", t2i_light(channels)


def main():
    for d in map(json.loads, open(sys.argv[1])) if len(sys.argv) > 1 else ():
        if "ip-adapter" in d["name"]:
            assert any(dict((n, tuple(s)) for n, s in d["tensors"]) == rows for _, _, rows in kinds()), d["name"]
    print("/*\n * kind_rows.c -- files that add to a model, name by name with their shapes. Written by test/gen/adapter_kinds.py;"
          '\n * what a row means: adapter_kinds.c.\n */\n#include "adapter/adapter_internal.h"\n\n/* clang-format off */')
    every = list(kinds())
    for i, (_, _, rows) in enumerate(every):
        print(f"static const struct kind_row kind_{i}[] = {{")
        for name, numbers, shape in adapter_table.folded(rows.items()):
            print(f'    {{ "{adapter_table.pattern(name, numbers)}", {{ {", ".join(map(str, shape))} }} }},')
        print("    { NULL, { 0 } },\n};\n")
    print("const struct kind_file adapter_kind_files[] = {")
    for i, (kind, family, rows) in enumerate(every):
        print(f'    {{ "{kind}", "{family}", {len(rows)}, kind_{i} }},')
    print("    { NULL, NULL, 0, NULL },\n};\n/* clang-format on */")


if __name__ == "__main__":
    main()
