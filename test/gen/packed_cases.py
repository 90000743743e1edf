#!/usr/bin/env python3
"""packed_cases.py [-l] [WORD...] -- makes fixtures/packed/own.tar.xz and OWN.tsv with real quantizers.

A case is a writer and a small random model (test/writers has both). The model is saved, counted, quantized
on the CPU and saved again; kept are config.json and the header: weights become holes, only tensors of bytes
and integers up to 512 bytes stay as they are. `hdr` cases are headers by a published rule, made of the
unquantized model's. With words only the cases whose name holds one of them are made anew; -l lists all.
No test needs this program; it needs what `make interop-packed` installs:

    build/venv-packed/bin/python test/gen/packed_cases.py
"""
import glob, json, math, os, re, shutil, struct, subprocess, sys, tarfile, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "writers"))
import catalogue, hollow, writers
from models import base_of

FOLDER = "fixtures/packed"
WIDTH = {"F64": 8, "I64": 8, "F32": 4, "I32": 4, "F16": 2, "BF16": 2, "I16": 2}


# ---- headers by a published rule ----------------------------------------------------------------------

PLAIN = re.compile(r"norm|embed|conv|mlp\.gate\.|moe\.gate\.|shared_expert_gate|lm_head|eh_proj")


def linears(tensors, plain):
    return {n for n, (t, s) in tensors.items() if n.endswith(".weight") and len(s) == 2
            and ".layers." in n and not plain.search(n)}


def header_fp8(tensors, config, o):
    """DeepSeek-V3's rule: a scale for each block of 128 by 128, rest and all."""
    if config.get("num_nextn_predict_layers"):
        tensors = with_mtp(tensors)
    out = {}
    for n, (t, s) in tensors.items():
        out[n] = (t, s)
        if n in linears(tensors, PLAIN):
            out[n] = ("F8_E4M3", s)
            out[n + "_scale_inv"] = ("F32", [-(-s[0] // 128), -(-s[1] // 128)])
    return out


def with_mtp(tensors):
    """DeepSeek-V3's layer that predicts a second token: a layer of its own behind the others."""
    out, p = dict(tensors), "model.layers.2."
    for n, x in tensors.items():
        if ".layers.1." in n:
            out[n.replace("model.layers.1.", p)] = x
    for n, s in (("enorm", [256]), ("hnorm", [256]), ("eh_proj", [256, 512]), ("shared_head.norm", [256]),
                 ("shared_head.head", [512, 256]), ("embed_tokens", [512, 256])):
        out[p + n + ".weight"] = ("BF16", s)
    return out


def header_gptq(tensors, config, o):
    """AutoGPTQ's rule, 4 bits in groups of 128, the router too where TheBloke's files have it so."""
    chosen = linears(tensors, re.compile(o["plain"]))
    out = {}
    for n, (t, s) in tensors.items():
        if n not in chosen:
            out[n] = (t, s)
            continue
        m, g = n[:-7], -(-s[1] // 128)
        out[m + ".qweight"] = ("I32", [s[1] // 8, s[0]])
        out[m + ".qzeros"] = ("I32", [g, -(-s[0] // 8)])
        out[m + ".scales"] = ("F16", [g, s[0]])
        out[m + ".g_idx"] = ("I32", [s[1]])
    return out


FP8 = dict(quant_method="fp8", fmt="e4m3", activation_scheme="dynamic", weight_block_size=[128, 128])
GPTQ4 = dict(quant_method="gptq", bits=4, group_size=128, desc_act=False, sym=True)

# case: (how, writer, model, options, what config.json gets, note)
CASES = {
    "own-bnb-nf4-gpt2": ("real", "bnb", "gpt2", dict(bnb_4bit_quant_type="nf4")),
    "own-bnb-nf4-optproj": ("real", "bnb", "optproj", dict(bnb_4bit_quant_type="nf4")),
    "own-bnb-nf4-mistralodd": ("real", "bnb", "mistralodd", dict(bnb_4bit_quant_type="nf4")),
    "own-bnb-fp4bf16-qwen2tied": ("real", "bnb", "qwen2tied", dict(bnb_4bit_quant_type="fp4",
                                                               bnb_4bit_quant_storage="bfloat16")),
    "own-bnb-nf4dqf32-gemma3": ("real", "bnb", "gemma3", dict(bnb_4bit_quant_type="nf4",
                                bnb_4bit_use_double_quant=True, bnb_4bit_quant_storage="float32")),
    "own-bnb-nf4dq-bloom": ("real", "bnb", "bloom", dict(bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True)),
    "own-fp8-64-mistralodd": ("real", "fp8", "mistralodd", dict(weight_block_size=(64, 64))),
    "own-fp8-128-mistralodd": ("real", "fp8", "mistralodd", {}),
    "own-fp8-128-qwen3_moe": ("real", "fp8", "qwen3_moe", {}),
    "own-fp8-128-qwen3_moe64": ("real", "fp8", "qwen3_moe64", {}),
    "own-fp8-static-qwen3_moe": ("real", "fp8", "qwen3_moe", dict(activation_scheme="static")),
    "own-fp8-ue8m0-mixtral": ("real", "fp8", "mixtral", dict(scale_fmt="ue8m0")),
    "own-fp8-128-deepseek_v3": ("real", "fp8", "deepseek_v3", {}),
    "own-fp8-64x32-llama4_text": ("real", "fp8", "llama4_text", dict(weight_block_size=(64, 32))),
    "own-fp8-64-llava": ("real", "fp8", "llava", dict(weight_block_size=(64, 64))),
    "own-gptqmodel-dynamic-llama": ("real", "gptqmodel", "llama", dict(bits=4, group_size=64, dynamic={
        r"-:.*\.0\..*down.*": {}, r"+:.*\.1\..*(gate|up).*": {"bits": 8, "group_size": 32}})),
    "own-gptqmodel-head-qwen2": ("real", "gptqmodel", "qwen2", dict(bits=4, group_size=64, lm_head=True)),
    "own-gptqmodel-phi3": ("real", "gptqmodel", "phi3", dict(bits=4, group_size=64)),
    "own-gptqmodel-mixtral": ("real", "gptqmodel", "mixtral", dict(bits=4, group_size=64)),
    "own-gptqmodel-gpt2": ("real", "gptqmodel", "gpt2", dict(bits=4, group_size=64)),
    "own-gptqmodel-falcon": ("real", "gptqmodel", "falcon", dict(bits=4, group_size=64)),
    "own-gptqmodel-act-gpt_neox": ("real", "gptqmodel", "gpt_neox", dict(bits=4, group_size=32, desc_act=True)),
    "own-gptqmodel-v2-qwen2_moe": ("real", "gptqmodel", "qwen2_moe", dict(bits=8, group_size=128, format="gptq_v2",
                                                                      sym=False)),
    "own-gptqmodel-minimax_m2": ("real", "gptqmodel", "minimax_m2", dict(bits=4, group_size=64), {},
                                 "the writer lost all experts but the first: must NOT agree"),
    "own-autoround-3-mistralodd": ("real", "autoround", "mistralodd",
                                   dict(bits=3, group_size=128, sym=True, format="auto_gptq")),
    "own-hdr-fp8-mtp-deepseek_v3": ("hdr", header_fp8, "deepseek_v3", {},
                                    dict(quantization_config=FP8, num_nextn_predict_layers=1)),
    "own-hdr-fp8-minimax_m2": ("hdr", header_fp8, "minimax_m2", {}, dict(quantization_config=dict(
        FP8, modules_to_not_convert=["gate", "e_score_correction_bias", "lm_head"]))),
    "own-hdr-gptq-router-mixtral": ("hdr", header_gptq, "mixtral", dict(plain="norm|embed|lm_head"),
                                    dict(quantization_config=GPTQ4)),
}

# Of test/writers/catalogue.py, those that differ most: what the fixture has of what is written there.
CHOSEN = """
""".split()
CASES.update({"own-" + name: ("real", *catalogue.CASES[name]) for name in CHOSEN})


# ---- files ------------------------------------------------------------------------------------------

def read_header(folder):
    """{name: (type, shape)}"""
    with open(os.path.join(folder, "model.safetensors"), "rb") as f:
        text = f.read(struct.unpack("<Q", f.read(8))[0])
    return {n: (t["dtype"], t["shape"]) for n, t in json.loads(text).items() if n != "__metadata__"}


def write_case(folder, tensors, config):
    os.makedirs(folder)
    entries, at = {"__metadata__": {"format": "pt"}}, 0
    for name in sorted(tensors):
        dtype, shape = tensors[name]
        size = WIDTH.get(dtype, 1) * math.prod(shape)
        entries[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(entries, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(os.path.join(folder, "model.safetensors"), "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        f.truncate(8 + len(text) + at)
    with open(os.path.join(folder, "config.json"), "w") as f:
        json.dump({k: v for k, v in config.items() if k != "_name_or_path"}, f, indent=1, sort_keys=True)


def config_of(folder):
    with open(os.path.join(folder, "config.json")) as f:
        return json.load(f)


def make(name, root, into):
    how, writer, model, options, more, note = (*CASES[name], {}, "")[:6] if len(CASES[name]) == 4 else \
        (*CASES[name], "")[:6]
    base, cls, count = base_of(model, root)
    if how == "hdr":
        config = {**config_of(base), **more}
        write_case(os.path.join(into, name), writer(read_header(base), config, options), config)
    else:
        out = os.path.join(root, name)
        getattr(writers, writer)(base, cls, out, options)
        out = os.path.dirname(glob.glob(os.path.join(out, "**", "config.json"), recursive=True)[0])
        hollow.hollow(out, os.path.join(into, name))
    return [name, how, str(count), note]


# ---- the archive ------------------------------------------------------------------------------------

def table():
    path = os.path.join(FOLDER, "OWN.tsv")
    if not os.path.exists(path):
        return {}
    with open(path) as f:
        return {l.split("\t")[0]: l.rstrip("\n").split("\t") for l in list(f)[1:]}


def main():
    words = [a for a in sys.argv[1:] if a != "-l"]
    if "-l" in sys.argv:
        print("\n".join(CASES))
        return 0
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    archive, rows = os.path.join(FOLDER, "own.tar.xz"), table()
    with tempfile.TemporaryDirectory() as root:
        into = os.path.join(root, "cases")
        os.makedirs(into)
        if os.path.exists(archive):
            with tarfile.open(archive) as tar:
                tar.extraction_filter = lambda member, path: member
                tar.extractall(into)
        for name in [n for n in CASES if n not in rows or any(w in n for w in words) or not words]:
            shutil.rmtree(os.path.join(into, name), ignore_errors=True)
            rows[name] = make(name, root, into)
            print(*rows[name][:3], flush=True)
        kept = [n for n in CASES if n in rows]
        with open(os.path.join(FOLDER, "OWN.tsv"), "w") as f:
            f.write("case\tmade\ttrue_parameters\tnote\n")
            f.writelines("\t".join(rows[n]) + "\n" for n in kept)
        subprocess.run(["tar", "-cSf", os.path.abspath(archive), "-I", "xz -9e", "--sort=name", "--mtime=@0",
                        "--owner=0", "--group=0", "--numeric-owner", "--format=gnu", "-C", into, *kept], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
