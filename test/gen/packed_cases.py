#!/usr/bin/env python3
"""packed_cases.py [-l] [WORD...] -- makes fixtures/packed/own.tar.xz and OWN.tsv with real quantizers.

A case is a writer and a small random model (both in test/interop/writers). The model is saved, counted, quantized on the
CPU and saved again; only config.json and the header are kept: weights become holes, except for tensors of bytes and
integers up to 512 bytes. `hdr` cases are headers derived from the unquantized model's by a published rule. With words,
only cases whose name contains one of them are made again; -l lists all. No test needs this program; it runs in the
environment of `make interop-packed`:

    build/venv-packed/bin/python test/gen/packed_cases.py
Packages: test/interop/writers/requirements.txt
"""
import glob, json, os, re, shutil, subprocess, sys, tarfile, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "interop", "writers"))
import catalogue, hollow, writers
import files
from models import base_of
from reload import reloaded

FOLDER = "fixtures/packed"


# ---- headers by a published rule ----------------------------------------------------------------------

PLAIN = re.compile(r"norm|embed|conv|mlp\.gate\.|moe\.gate\.|shared_expert_gate|lm_head|eh_proj")


def linears(tensors, plain):
    return {n for n, (t, s) in tensors.items() if n.endswith(".weight") and len(s) == 2
            and ".layers." in n and not plain.search(n)}


def header_fp8(tensors, config, o):
    """DeepSeek-V3's rule: a scale for each block of 128 by 128, partial blocks included."""
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
    """DeepSeek-V3's layer for predicting a second token: an additional last layer."""
    out, p = dict(tensors), "model.layers.2."
    for n, x in tensors.items():
        if ".layers.1." in n:
            out[n.replace("model.layers.1.", p)] = x
    for n, s in (("enorm", [256]), ("hnorm", [256]), ("eh_proj", [256, 512]), ("shared_head.norm", [256]),
                 ("shared_head.head", [512, 256]), ("embed_tokens", [512, 256])):
        out[p + n + ".weight"] = ("BF16", s)
    return out


def header_gptq(tensors, config, o):
    """AutoGPTQ's rule, 4 bits in groups of 128; in TheBloke's files it includes the router."""
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

# case: (how, writer, model, options, additions to config.json, note)
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

# From test/interop/writers/catalogue.py, those that differ most. RELOADED.tsv has what transformers reports when it
# loads them again, the case's printed.txt the model as it prints it.
CHOSEN = """
bnb-int8-oddtied bnb-int8-head-llama bnb-nf4-head-qwen3_moe bnb-nf4dq-float16-mixtral bnb-int8-skip-llama
bnb-nf4-qwen3_next bnb-nf4-gpt_oss fp8-128-qwen3_moe fp8-128-gpt_neox fp8-static-oddtied fp8-tensor-llama
fp8-skip-oddtied fp8-128-glm4_moe fp8-128-deepseek_v3 compressed-W4A16-gpt_oss compressed-W4A16-qwen3_next
compressed-W4A16-granitemoe compressed-FP8-head-oddtied compressed-W8A8-deepseek_v3 compressed-W4A16_ASYM-phi3
compressed-NVFP4-gpt_oss compressed-NVFP4A16-gemma3 compressed-MXFP4A16-deepseek_v3 compressed-MXFP8-oddtied
compressed-FP8_BLOCK-phi3 compressed-mixed-mixtral compressed-mixed48-llama compressed-FP8-embed-llama
compressed-W4A16-embed-llama compressed-kv8-llama compressed-int3g32-oddtied compressed-int7asym-llama
compressed-int8chasym-llama compressed-gptq-act-weight-llama compressed-W4AFP8-mixtral compressed-int8tensor-oddtied
compressed-W8A16-int-quantized-llama torchao-int8wo-gpt2 torchao-int8wo-llamatied torchao-int4x-g32-qwen3_moe
torchao-float8dyn-row-llama torchao-float8wo-deepseek_v3 torchao-nvfp4-mixtral torchao-mxfp4-oddtied
torchao-mxfp8-llama torchao-embed-llama torchao-mixed-oddtied torchao-int8dynint4-oddtied torchao-int8wo-oddtied
torchao-int2x-g32-llama torchao-int8dyn-mixtral torchao-int8wo-head-oddtied hqq-4g64-qwen3_moe hqq-3g64-llama
hqq-1g64-mixtral hqq-4told-phi3 hqq-mixed-llama hqq-4viewint32-llama hqq-4g64-gpt_oss hqq-4g64a0-llama hqq-2told-llama
quanto-int4-mixtral quanto-int8-gpt2 quanto-int2-oddtied quanto-float8-a8-llama quanto-int4-skip-llama
quanto-plain-int4-gemma3 quanto-int8-gemma3 mlx-4b-gpt_oss mlx-4b-deepseek_v3 mlx-mixed_3_6-qwen3_moe
mlx-rules-gpt_oss mlx-nvfp4-oddtied mlx-6b-oddtied mlx-4b-gpt2 mlx-4b-gemma3 mlx-4b-qwen3_next mlx-5b-mixtral
mlx-mxfp8-llama modelopt-NVFP4_DEFAULT-gpt_oss modelopt-NVFP4_DEFAULT-deepseek_v3 modelopt-W4A8_AWQ_BETA-phi3
modelopt-NVFP4-head-oddtied modelopt-MXFP8_DEFAULT-qwen3_moe modelopt-INT4_AWQ-llama
modelopt-FP8_2D_BLOCKWISE_WEIGHT_ONLY-qwen3_moe modelopt-W4A8_NVFP4_FP8-llama modelopt-NVFP4_MLP_ONLY-oddtied
modelopt-FP8_PER_CHANNEL_PER_TOKEN-qwen3_moe gptqmodel-qqq128-llama gptqmodel-gptq_p-3-llama gptqmodel-4act-oddtied
gptqmodel-4g64-qwen3_next gptqmodel-7g32-llama gptqmodel-bnb-nf4-llama gptqmodel-4g64-granitemoe
autoround-auto_round-MXFP4-oddtied autoround-mixed-qwen3_moe autoround-auto_awq-4-qwen3_moe
autoround-auto_round-INT8-llama autoround-auto_round-MXINT4-llama autoround-auto_round-FP8_BLOCK-llama
autoround-auto_round-FPW8A16-llama autoround-auto_round-W2A16G32-llama autoround-auto_gptq-4-gpt_oss
quark-Uint4PerGroup-oddtied quark-OCP_MXFP4-mixtral quark-FP8E4M3PerChannel-mixtral quark-Int8PerChannel-llama
quark-OCP_MXFP6E2M3-llama quark-Int4PerChannel-llama
""".split()
CASES.update({"lib-" + name: ("real", *catalogue.CASES[name]) for name in CHOSEN})


# ---- files ------------------------------------------------------------------------------------------

def read_header(folder):
    """{name: (type, shape)}"""
    header, _ = files.opened(os.path.join(folder, "model.safetensors"))
    return {n: (t["dtype"], t["shape"]) for n, t in header.items() if n != "__metadata__"}


def write_case(folder, tensors, config):
    rows = [(n, *tensors[n]) for n in sorted(tensors)]
    files.sparse(os.path.join(folder, "model.safetensors"), rows, {"format": "pt"})
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
        if name.startswith("lib-"):
            count, note = untied(base, out, count)
            keep_reloaded(name, out, os.path.join(into, name))
    return [name, how, str(count), note]


def untied(base, out, count):
    """Some quantizers give a tied head its own weights: a different model from their input."""
    was, now = config_of(base), config_of(out)
    if not was.get("tie_word_embeddings") or now.get("tie_word_embeddings", True):
        return count, ""
    return count + now["vocab_size"] * now.get("hidden_size", now.get("n_embd")), "the writer gave the head weights of its own"


def keep_reloaded(name, out, kept):
    rows, found = reloads(), reloaded(out)
    rows.pop(name, None)
    if found:
        rows[name] = [str(n) for n in found[:3]]
        with open(os.path.join(kept, "printed.txt"), "w") as f:
            f.write(found[3] + "\n")
    with open(os.path.join(FOLDER, "RELOADED.tsv"), "w") as f:
        f.write("case\tnum_parameters\twithout_embeddings\tnumel\n")
        f.writelines("\t".join((n, *rows[n])) + "\n" for n in CASES if n in rows)


def reloads():
    path = os.path.join(FOLDER, "RELOADED.tsv")
    if not os.path.exists(path):
        return {}
    with open(path) as f:
        return {l.split("\t")[0]: l.rstrip("\n").split("\t")[1:] for l in list(f)[1:]}


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
