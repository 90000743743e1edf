#!/usr/bin/env python3
"""forms.py [-v] [WORD...] -- models in the forms of current writers: reconcile agrees, and refuses every
alteration.

fixtures/oracle has the names and shapes of transformers' classes. A few lines here define each writer's form,
starting from the names of transformers 5; src/data/layouts/writers.forms defines it starting from published names.
Each model is written with holes as weights, must agree with the true number of parameters under exactly the
writer's names, and then is altered: a missing tensor, an extra expert, swapped dims, a stray tensor, a remnant of
the old names (of the alterations one in six, EVERY=1: all). None may agree, and each altered tensor is named in the file's form. Some are packed, and altered
again. Last: N passed, N failed.
"""
import json, os, re, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import files
from sample import taken

NUMEL = os.path.abspath(os.path.join(os.environ.get("B", "build/release"), "numel"))
CASES = 56  # raise it with the table, so that lost cases are noticed
EXPERTS = re.compile(r"(.*)\.experts\.(gate_up_proj|down_proj|up_proj)(_bias)?$")


def inventory():
    cases = {}
    for name in ("hf", "own", "remote"):
        text = subprocess.run(["zstd", "-dcq", f"fixtures/oracle/{name}.jsonl.zst"], check=True,
                              stdout=subprocess.PIPE).stdout
        for line in text.splitlines():
            case = json.loads(line)
            cases[case["case"]] = case
    return cases


# ---- writers: (name, shape, case) -> the tensors that replace it ---------------------------------------

def parts(name, shape, turned=False):
    """Splits fused gate and up of experts: (projection, rest of the shape as [out, in])."""
    _, which, bias = EXPERTS.match(name).groups()
    n, dims = shape[0], list(shape[1:])
    if turned and not bias:
        dims.reverse()
    if which == "gate_up_proj":
        half = [dims[0] // 2] + dims[1:]
        return n, bias, [("gate_proj", half), ("up_proj", half)]
    return n, bias, [(which, dims)]


def switch(home, inner="switch_mlp.", turned=False, moved=None, names={}):
    """MLX: one tensor for all experts. home: where the experts are, as published; moved: where transformers 5 has
    them."""
    def write(name, shape, case):
        if not EXPERTS.match(name):
            return [(name.replace(f".{moved}.gate.", f".{home}.gate.") if moved else name, shape)]
        n, bias, list_ = parts(name, shape, turned)
        at = EXPERTS.match(name)[1]
        at = at[:-len(moved)] + home if moved else at
        return [(f"{at}.{inner}{names.get(p, p)}.{'bias' if bias else 'weight'}", [n] + d) for p, d in list_]
    return write


def linear(turned=False, moved=None):
    """Quantizers that handle only modules: one module per expert."""
    def write(name, shape, case):
        if not EXPERTS.match(name):
            return [(name, shape)]
        n, bias, list_ = parts(name, shape, turned)
        at = EXPERTS.match(name)[1]
        at = at[:-len(moved[0])] + moved[1] if moved else at
        return [(f"{at}.experts.{e}.{p}.{'bias' if bias else 'weight'}", d) for p, d in list_ for e in range(n)]
    return write


def lists(name, shape, case):
    """gpt-oss for bitsandbytes: one module per expert, gate and up fused."""
    if not EXPERTS.match(name):
        return [(name, shape)]
    at, which, bias = EXPERTS.match(name).groups()
    dims = shape[1:] if bias else shape[:0:-1]
    return [(f"{at}.experts.{which}s.{e}.{'bias' if bias else 'weight'}", dims) for e in range(shape[0])]


def granite(name, shape, case):
    """MLX's Granite mixtures: gate and up separate."""
    at = re.match(r"(.*)\.(input|output)_linear\.weight$", name)
    if not at:
        return [(name, shape)]
    if len(shape) == 2:
        return [(name, shape)]
    if at[2] == "output":
        return [(f"{at[1]}.switch_mlp.down_proj.weight", shape)]
    half = [shape[0], shape[1] // 2, shape[2]]
    return [(f"{at[1]}.switch_mlp.{p}_proj.weight", half) for p in ("gate", "up")]


def granite_linear(name, shape, case):
    """The same for quantizers: one module per expert."""
    at = re.match(r"(.*)\.(input|output)_linear\.weight$", name)
    if not at or len(shape) == 2:
        return [(name, shape)]
    half = [shape[1] // 2, shape[2]]
    list_ = [("down_proj", shape[1:])] if at[2] == "output" else [("gate_proj", half), ("up_proj", half)]
    return [(f"{at[1]}.experts.{e}.{p}.weight", d) for p, d in list_ for e in range(shape[0])]


def absorbed(name, shape, case):
    """MLX's latent attention: keys and values by head, the half with the keys transposed."""
    if not name.endswith(".kv_b_proj.weight"):
        return [(name, shape)]
    c = case["configs"]["whole"]
    heads, d, u, at = c["num_attention_heads"], c["qk_nope_head_dim"], c["v_head_dim"], name[:-len("kv_b_proj.weight")]
    return [(at + "embed_q.weight", [heads, shape[1], d]), (at + "unembed_out.weight", [heads, u, shape[1]])]


def channels_last(name, shape, case):
    if re.search(r"\.conv1d\.weight$|\.conv\.conv\.weight$", name) and len(shape) == 3:
        return [(name, [shape[0], shape[2], shape[1]])]
    return [(name, shape)]


def kimi(name, shape, case):
    """MLX's Kimi Linear: under mlp, and convolutions in their own module."""
    conv = re.match(r"(.*\.[qkv])_conv1d\.weight$", name)
    if conv:
        return [(conv[1] + "_conv.conv.weight", [shape[0], shape[2], shape[1]])]
    name = name.replace(".block_sparse_moe.shared_experts.", ".mlp.shared_experts.")
    name = name.replace(".block_sparse_moe.gate.weight", ".mlp.gate.weight")
    return [(name.replace(".block_sparse_moe.gate.e_score", ".mlp.e_score"), shape)]


def stacked_w(home, to):
    """MLX with published names w1, w2, w3, one per expert."""
    letters = {"w1": "gate_proj", "w2": "down_proj", "w3": "up_proj"}

    def write(name, shape, case):
        e = re.match(rf"(.*)\.{home}\.experts\.(\d+)\.(\w+)\.weight$", name)
        if not e:
            return [(name, shape)]
        n = sum(1 for x in case["params"] if x.startswith(f"{e[1]}.{home}.experts.") and x.endswith(f".{e[3]}.weight"))
        return [(f"{e[1]}.{to}.{letters.get(e[3], e[3])}.weight", [n] + list(shape))] if e[2] == "0" else []
    return write


def renamed(rules):
    def write(name, shape, case):
        for pattern, to in rules:
            name = re.sub(pattern, to, name)
        return [(name, shape)]
    return write


def dbrx(name, shape, case):
    """MLX's DBRX: experts separate, w2 transposed."""
    at = re.match(r"(.*\.experts)\.mlp\.(w1|v1|w2)$", name)
    if not at:
        return [(name, shape)]
    n = case["configs"]["whole"]["ffn_config"]["moe_num_experts"]
    dims = [shape[0] // n, shape[1]]
    return [(f"{at[1]}.{e}.{at[2]}.weight", dims[::-1] if at[2] == "w2" else dims) for e in range(n)]


MLP, FEED = switch("mlp"), switch("feed_forward")
SPARSE = switch("block_sparse_moe", moved="mlp")
TABLE = [  # case, expected message, writers in order, metadata
    ("hf-default/mixtral.MixtralForCausalLM", "mlx", [SPARSE]),
    ("hf-published/Mixtral-8x22B", "mlx", [SPARSE]),
    ("hf-default/mixtral.MixtralForCausalLM", "linear", [linear(moved=("mlp", "block_sparse_moe"))]),
    ("hf-default/mixtral.MixtralForCausalLM", "linear mlp", [linear()]),
    ("hf-default/minimax.MiniMaxForCausalLM", "mlx", [SPARSE]),
    ("hf-default/minimax.MiniMaxForCausalLM", "linear", [linear(moved=("mlp", "block_sparse_moe"))]),
    ("own/MiniMaxM2ForCausalLM-saved", "mlx", [stacked_w("block_sparse_moe", "block_sparse_moe.switch_mlp")]),
    ("hf-default/phimoe.PhimoeForCausalLM", "mlx", [switch("block_sparse_moe", moved="mlp"), renamed([(r"\.mlp\.router\.", ".block_sparse_moe.gate.")])]),
    ("hf-default/qwen2_moe.Qwen2MoeForCausalLM", "mlx", [MLP]),
    ("hf-published/Qwen1.5-MoE-A2.7B", "mlx", [MLP]),
    ("hf-published/Qwen1.5-MoE-A2.7B", "linear", [linear()]),
    ("hf-default/qwen3_moe.Qwen3MoeForCausalLM", "mlx", [MLP]),
    ("hf-default/qwen3_next.Qwen3NextForCausalLM", "mlx", [MLP, channels_last]),
    ("hf-published/Qwen3-Next-80B-A3B_no_mtp", "mlx", [MLP, channels_last]),
    ("hf-default/qwen3_5_moe_text.Qwen3_5MoeForCausalLM", "mlx", [MLP, channels_last]),
    ("hf-default/qwen3_5_moe_text.Qwen3_5MoeForCausalLM", "linear", [linear()]),
    ("hf-default/deepseek_v2.DeepseekV2ForCausalLM", "mlx", [MLP]),
    ("hf-default/deepseek_v3.DeepseekV3ForCausalLM", "mlx", [MLP, absorbed]),
    ("hf-default/deepseek_v3.DeepseekV3ForCausalLM", "mlx 2024", [MLP]),
    ("hf-published/DeepSeek-V3_no_mtp", "mlx", [MLP, absorbed]),
    ("hf-default/glm_moe_dsa.GlmMoeDsaForCausalLM", "mlx", [MLP, absorbed]),
    ("hf-default/longcat_flash.LongcatFlashForCausalLM", "absorbed", [absorbed]),
    ("hf-default/glm4_moe.Glm4MoeForCausalLM", "mlx", [MLP]),
    ("hf-published/GLM-4.5-Air_head_dim_128_bias_False", "mlx", [MLP]),
    ("hf-default/olmoe.OlmoeForCausalLM", "mlx", [MLP]),
    ("hf-default/exaone_moe.ExaoneMoeForCausalLM", "mlx", [MLP]),
    ("hf-default/hunyuan_v1_moe.HunYuanMoEV1ForCausalLM", "mlx", [MLP]),
    ("hf-default/ernie4_5_moe.Ernie4_5_MoeForCausalLM", "mlx", [MLP]),
    ("hf-default/solar_open.SolarOpenForCausalLM", "mlx", [MLP]),
    ("hf-default/dots1.Dots1ForCausalLM", "mlx", [switch("mlp", "experts.")]),
    ("hf-default/afmoe.AfmoeForCausalLM", "mlx", [stacked_w("mlp", "mlp.experts")]),
    ("own/mimo-v2-small-saved", "mlx", [stacked_w("mlp", "mlp.switch_mlp")]),
    ("own/longcat-flash-published-saved", "mlx", [stacked_w("mlp", "mlp.switch_mlp"), absorbed]),
    ("own/Glm4vMoeForConditionalGeneration-saved", "mlx", [stacked_w("mlp", "mlp.switch_mlp")]),
    ("own/kimi-linear-small-saved", "mlx", [stacked_w("block_sparse_moe", "mlp.switch_mlp"), kimi]),
    ("own/dbrx", "mlx", [dbrx]),
    ("own/qwen3-next-mtp", "mlx", [MLP, channels_last]),
    ("own/deepseek-v3-mtp", "mlx", [MLP, absorbed]),
    ("own/JambaForSequenceClassification-saved", "mlx", [stacked_w("feed_forward", "feed_forward.switch_mlp"), channels_last]),
    ("hf-default/jamba.JambaForCausalLM", "mlx", [FEED, channels_last]),
    ("hf-published/Jamba-v0.1", "mlx", [FEED, channels_last]),
    ("own/lfm2-moe-stacked", "mlx", [FEED, channels_last, renamed([(r"feed_forward\.w1\.", "feed_forward.gate_proj."), (r"feed_forward\.w2\.", "feed_forward.down_proj."), (r"feed_forward\.w3\.", "feed_forward.up_proj.")])]),
    ("own/granitemoe-small-saved", "mlx", [granite]),
    ("own/granitemoe-small-saved", "linear", [granite_linear]),
    ("own/granitemoehybrid-small-saved", "mlx", [granite, channels_last]),
    ("own/nemotron-h-small-saved", "mlx", [stacked_w("mixer", "mixer.switch_mlp"), renamed([(r"switch_mlp\.up_proj", "switch_mlp.fc1"), (r"switch_mlp\.down_proj", "switch_mlp.fc2")]), channels_last]),
    ("own/gemma4-moe", "mlx", [switch("", "experts.switch_glu.")]),
    ("hf-default/llama4_text.Llama4ForCausalLM", "mlx", [switch("feed_forward", "experts.", turned=True)]),
    ("hf-published/Llama-4-Scout_text", "linear", [linear(turned=True)]),
    ("hf-default/gpt_oss.GptOssForCausalLM", "mlx", [switch("mlp", "experts.", turned=True)]),
    ("hf-published/gpt-oss-20b", "mlx", [switch("mlp", "experts.", turned=True)]),
    ("hf-published/gpt-oss-20b", "linear", [linear(turned=True)]),
    ("hf-published/gpt-oss-20b", "lists", [lists]),
    ("remote/kimi-linear", "mlx", [stacked_w("block_sparse_moe", "mlp.switch_mlp"), kimi]),
    ("remote/ling", "mlx", [stacked_w("mlp", "mlp.switch_mlp"), renamed([(r"\.mlp\.gate\.weight", ".mlp.gate.gate_proj.weight")])]),
    ("hf-default/mamba2.Mamba2ForCausalLM", "mlx", [channels_last]),
]


# ---- packed: MLX's affine mode on its own forms, and MXFP4 of gpt-oss -----------------------------------------

PACKED = [  # forms listed above as "mlx": a sample of each kind of experts
    "hf-default/mixtral.MixtralForCausalLM", "hf-default/phimoe.PhimoeForCausalLM", "hf-published/Qwen1.5-MoE-A2.7B",
    "hf-published/Qwen3-Next-80B-A3B_no_mtp", "hf-published/DeepSeek-V3_no_mtp", "hf-default/glm4_moe.Glm4MoeForCausalLM",
    "hf-default/dots1.Dots1ForCausalLM", "hf-published/Jamba-v0.1", "hf-default/llama4_text.Llama4ForCausalLM",
    "hf-published/gpt-oss-20b",
]
IDLE = {  # layers * experts that a token does not use * elements of one
    "hf-default/mixtral.MixtralForCausalLM": 32 * (8 - 2) * 3 * 4096 * 14336,
    "hf-published/Qwen1.5-MoE-A2.7B": 24 * (60 - 4) * 3 * 2048 * 1408,
    "hf-published/DeepSeek-V3_no_mtp": 58 * (256 - 8) * 3 * 7168 * 2048,
    "hf-published/gpt-oss-20b": 24 * (32 - 4) * (2880 * 5760 + 5760 + 2880 * 2880 + 2880),
}
UNTOLD = ("hf-published/Qwen3-Next-80B-A3B_no_mtp",)  # its linear heads have a nonstandard shape: the plain file is not recognised either
AFFINE = {"group_size": 64, "bits": 4}


def affine(tensors):
    """Matrices and stacks whose rows are whole groups: 8 4-bit values per word, scale and bias per group of 64."""
    packed = {}
    for name, shape in tensors.items():
        plain = len(shape) < 2 or not name.endswith(".weight") or "norm" in name or "conv" in name or shape[-1] % 64
        if plain:
            packed[name] = ("BF16", shape)
            continue
        at = name[:-len("weight")]
        packed[name] = ("U32", shape[:-1] + [shape[-1] // 8])
        packed[at + "scales"] = packed[at + "biases"] = ("BF16", shape[:-1] + [shape[-1] // 64])
    return packed


def mxfp4(tensors, mark):
    """gpt-oss: 16 bytes are 32 values along the inputs, which come first in the plain stacks."""
    packed = {}
    for name, shape in tensors.items():
        if not EXPERTS.match(name) or name.endswith("_bias"):
            packed[name] = ("BF16", shape)
            continue
        n, i, o = shape
        packed[f"{name}{mark}blocks"] = ("U8", [n, o, i // 32, 16])
        packed[f"{name}{mark}scales"] = ("U8", [n, o, i // 32])
    return packed


def packed_lies(tensors, quantization):
    expert = next(n for n in tensors if re.search(r"(\.experts|switch_mlp).*scales$", n))
    dtype, shape = tensors[expert]
    yield "a scale gone", {n: t for n, t in tensors.items() if n != expert}, quantization, "missing", [expert]
    yield "a longer scale", {**tensors, expert: (dtype, shape[:-1] + [shape[-1] + 1])}, quantization, "mismatched", [expert]
    yield "an expert more", {**tensors, expert: (dtype, [shape[0] + 1] + shape[1:])}, quantization, "mismatched", [expert]
    if "bits" in quantization:
        yield "8 bits said", tensors, {**quantization, "bits": 8}, None, []
        yield "groups of 32 said", tensors, {**quantization, "group_size": 32}, None, []
        yield "another mode said", tensors, {"group_size": 32, "bits": 4, "mode": "mxfp4"}, None, []
        module = expert[:-len(".scales")]
        yield "8 bits said of one", tensors, {**quantization, module: {"group_size": 64, "bits": 8}}, None, []


# ---- a checkpoint, and its report -----------------------------------------------------------------------

def write(folder, tensors, config, writer):
    rows = [(n, *(t if isinstance(t, tuple) else ("BF16", t))) for n, t in tensors.items()]
    files.sparse(os.path.join(folder, "model.safetensors"), rows, {"format": writer})
    if config is not None:
        with open(os.path.join(folder, "config.json"), "w") as f:
            json.dump(config, f)


def reconcile(tensors, config, writer):
    folder = tempfile.mkdtemp()
    try:
        write(folder, tensors, config, writer)
        p = subprocess.run([NUMEL, "reconcile", "--json", folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return (json.loads(p.stdout) if p.stdout else {"error": p.stderr.decode()}), p.returncode
    finally:
        shutil.rmtree(folder)


def made(case, writers):
    """The writers' output for all tensors, and which of them they changed."""
    tensors = dict(case["params"])
    tensors.update(case["buffers"])
    old = set(tensors)
    for w in writers:
        tensors = {n: list(s) for name, shape in tensors.items() for n, s in w(name, shape, case)}
    return tensors, [n for n, s in tensors.items() if n not in old or s != list({**case["params"], **case["buffers"]}[n])]


def told(answer, names, kind):
    return set(names) <= {x["name"] for x in answer.get(kind, [])}


def alterations(tensors, theirs):
    """(what, tensors, writer, list that reports it, names)"""
    first = theirs[0]
    rest = {n: s for n, s in tensors.items() if n != first}
    yield "one gone", rest, "mlx", "missing", [first]
    like = [n for n in theirs if re.sub(r"\d+", "#", n) == re.sub(r"\d+", "#", first)]
    shape = tensors[first]
    yield "one row more", {**tensors, first: [shape[0] + 1] + shape[1:]}, "mlx", "mismatched", [first]
    conv = len(shape) == 3 and shape[-1] == 1  # transposed back it equals the published one
    if len(shape) > 1 and shape[-1] != shape[-2] and not conv:
        turned = shape[:-2] + [shape[-1], shape[-2]]
        yield "turned", {**tensors, first: turned}, "mlx", "mismatched", [first]
    yield "a stray one", {**tensors, first.replace(".weight", "_2.weight"): shape}, "mlx", "unexpected", []
    if len(like) > 1:
        gone = {n: s for n, s in tensors.items() if n not in like[1:]}
        yield "all but one gone", gone, "mlx", "missing", like[1:]
        yield "all one row more", {n: [s[0] + 1] + s[1:] if n in like else s for n, s in tensors.items()}, "mlx", None, []
    if all(n.endswith("conv1d.weight") for n in theirs):
        yield "another writer", tensors, "pt", "mismatched", [first]


class Judge:
    def __init__(self, what):
        self.what, self.passed, self.lines = what, 0, []

    def check(self, what, good, answer):
        self.passed += bool(good)
        if good:
            return
        kinds = ("missing", "mismatched", "unexpected")
        said = answer.get("error") or {"agrees": answer.get("agrees"), **{k: len(answer.get(k, [])) for k in kinds}}
        names = " ".join(x["name"] for k in kinds for x in answer.get(k, [])[:2])
        self.lines.append(f"FAILED {self.what}: {what}: {str(said)[:300]} {names}")


def configured(case):
    config = case["configs"]["whole"]
    return config if "architectures" in config else {**config, "architectures": [case["class"]]}


def run(job):
    case, name, writers = job
    judge, config = Judge(f"{case['case']} as {name}"), configured(case)
    tensors, theirs = made(case, writers)
    if not theirs:
        judge.check("none of it has the writer's names", False, {})
        return judge.passed, judge.lines
    answer, rc = reconcile(tensors, config, "mlx")
    count = (answer.get("counts") or {}).get("parameters")
    judge.check("agrees", rc == 0 and answer.get("agrees") is True and count == case["num_parameters"], answer)
    for what, altered, writer, kind, names in alterations(tensors, theirs):
        if not taken(6, case["case"], name, what): continue
        answer, rc = reconcile(altered, config, writer)
        judge.check(what, rc == 1 and answer.get("agrees") is False and (not kind or told(answer, names, kind)), answer)
    return judge.passed, judge.lines


def run_packed(job):
    """The same, packed: all counts refer to the unpacked values."""
    case, name, writers, pack, quantization = job
    judge, config = Judge(f"{case['case']} packed as {name}"), configured(case)
    tensors = pack(made(case, writers)[0])
    answer, rc = reconcile(tensors, {**config, "quantization_config": quantization}, "mlx")
    counts = answer.get("counts") or {}
    good = rc == 0 and answer.get("agrees") is True and counts.get("parameters") == case["num_parameters"]
    judge.check("agrees", good, answer)
    if case["case"] in IDLE:
        judge.check("active", counts.get("active") == case["num_parameters"] - IDLE[case["case"]], answer)
    if "non_embedding" in case:
        judge.check("non-embedding", counts.get("non_embedding") == case["non_embedding"], answer)
    answer, rc = reconcile(tensors, None, "mlx")
    count = (answer.get("counts") or {}).get("parameters")
    good = count in ((None,) if case["case"] in UNTOLD else (case["num_parameters"],))
    judge.check("without a configuration", rc == 4 and not answer.get("agrees") and good, answer)
    for what, altered, said, kind, names in packed_lies(tensors, quantization):
        if not taken(2, case["case"], name, what): continue
        answer, rc = reconcile(altered, {**config, "quantization_config": said}, "mlx")
        judge.check(what, rc == 1 and answer.get("agrees") is False and (not kind or told(answer, names, kind)), answer)
    return judge.passed, judge.lines


def packed_jobs(cases):
    for c, name, writers in TABLE:
        if name == "mlx" and c in PACKED:
            yield cases[c], "MLX", writers, affine, AFFINE
    for mark in "_.":
        yield (cases["hf-published/gpt-oss-20b"], f"MXFP4 {mark}", [], lambda t, mark=mark: mxfp4(t, mark),
               {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn", "lm_head"]})


def main():
    words = [w for w in sys.argv[1:] if w != "-v"]
    cases = inventory()
    jobs = [(cases[c], name, writers) for c, name, writers in TABLE if all(w in f"{c} {name}" for w in words)]
    packed = [j for j in packed_jobs(cases) if all(w in f"{j[0]['case']} packed {j[1]}" for w in words)]
    passed, failed = 0, 0
    with ThreadPoolExecutor(2) as pool:
        for results in (pool.map(run, jobs), pool.map(run_packed, packed)):
            for n, lines in results:
                passed, failed = passed + n, failed + len(lines)
                for line in lines:
                    print(line)
    if not words and len(jobs) < CASES:
        print(f"FAILED only {len(jobs)} cases")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
