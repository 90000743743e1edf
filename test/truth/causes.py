"""Causes first: if one key of a configuration is wrong, numel reports that key with both values before any
consequence.

Healthy models of many architectures have no cause. The test changes one number of each configuration (more and
fewer layers, experts, heads, rows, widths), or two, or many; or it removes, renames or empties tensors in the
file. The first cause in `verify` must have the key and both values, or what is missing; at most twelve lines are
findings; and the judgement of `reconcile` must be the same.

  B=build/release python3 test/truth/causes.py [-v] [NAME...]      -v: each sentence
"""
import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path += [os.path.join(ROOT, "test", "support")]
from files import gguf as gguf_bytes, listed, put as write, safetensors, sparse, stored, type_of

NUMEL = os.path.join(os.path.abspath(os.environ.get("B", os.path.join(ROOT, "build", "release"))), "numel")
LOUD = "-v" in sys.argv
ONLY = [a for a in sys.argv[1:] if a != "-v"]
FINDINGS = 12
failed, done = [], 0

# Configuration keys and the values to change them to: a count, a width, heads that must divide it.
COUNTS = "num_hidden_layers", "n_layer", "num_layers", "num_experts", "num_local_experts", "n_routed_experts"
WIDTHS = "vocab_size", "hidden_size", "n_embd", "d_model", "intermediate_size", "d_ff", "head_dim", "moe_intermediate_size", "ffn_dim"
# Keys that neither names nor shapes of the class reveal have no cause: attention as wide as the model, with any
# number of heads.
UNSEEN = {("phi3", "head_dim"), ("deepseek_v3", "head_dim"), ("deepseek_v3", "n_routed_experts"), ("deepseek_v3", "moe_intermediate_size")}
FAMILIES = ("llama.LlamaForCausalLM", "qwen2.Qwen2ForCausalLM", "qwen3_moe.Qwen3MoeForCausalLM", "mixtral.MixtralForCausalLM", "gemma.GemmaForCausalLM",
            "phi3.Phi3ForCausalLM", "gpt2.GPT2ForQuestionAnswering", "bert.BertForMaskedLM", "t5.T5EncoderModel", "deepseek_v3.DeepseekV3ForCausalLM", "opt.OPTForCausalLM")


def run(*args):
    p = subprocess.run([NUMEL, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, env=dict(os.environ, COLUMNS="500", LC_ALL="C.UTF-8"))
    return p.returncode, p.stdout.decode(errors="replace")


def whole(s): return re.sub(r"\s+", " ", s)


def check(name, path, *wanted, healthy=False, verdict=None, command="verify"):
    """The first cause matches all of `wanted`, regular expressions; a healthy model has none."""
    global done
    if ONLY and not any(o in name for o in ONLY): return
    done += 1
    status, text = run(command, path)
    _, said = run("reconcile", "--json", path)
    causes = json.loads(said)["judgement"]["causes"]
    if LOUD: print("%s: %s" % (name, [c["text"] for c in causes]))
    lines = re.findall(r"^(?:error|warning|note) ", text, re.M)
    wrong = []
    if healthy:
        if causes or status: wrong.append("status %d, causes %s" % (status, causes))
    else:
        first = re.search(r"^(?:error|cause) (.*?)(?=^(?:error|warning|note) |^(?:incomplete|damaged): |\Z)", text, re.M | re.S)
        first = whole(first.group(1)) if first else ""
        if status != 1: wrong.append("status %d" % status)
        if len(lines) > FINDINGS: wrong.append("%d findings" % len(lines))
        for w in wanted:
            if not re.search(w, first): wrong.append("the first cause has no %s: %s" % (w, first[:200]))
            if not causes or not re.search(w, causes[0]["text"]): wrong.append("reconcile has no %s: %s" % (w, [c["text"] for c in causes[:1]]))
        if verdict and not re.search(verdict, text): wrong.append("no %s" % verdict)
    if wrong: failed.append("%s: %s" % (name, "; ".join(wrong)))


def number(n): return r"\b%d\b" % n


def values(key, was, now): return re.escape(key.split(".")[-1]), number(was), number(now)


def put(folder, tensors, config, large=False):
    shutil.rmtree(folder, ignore_errors=True)
    path = os.path.join(folder, "model.safetensors")
    if large: sparse(path, listed(tensors))
    else: write(path, safetensors(listed(tensors)))
    with open(os.path.join(folder, "config.json"), "w") as f: json.dump(config, f)


def changes(config):
    for key in COUNTS:
        if isinstance(config.get(key), int):
            yield key, config[key] + 2
            if config[key] > 1: yield key, config[key] - 1
    for key in WIDTHS:
        if isinstance(config.get(key), int): yield key, config[key] * 2


def of_tensorflow(folder, tensors, config):
    """Norms with TensorFlow's names are healthy; numel reports a note."""
    old = {n.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): t for n, t in tensors.items()}
    for names, count in (old, 1), (tensors, 0):
        put(folder, names, config, large=True)
        check("bert, gamma and beta: %d" % count, folder, healthy=True, command="reconcile")
        if run("verify", folder)[1].count("names-old") != count: failed.append("bert: not %d notes of gamma and beta" % count)


def of_families(root):
    for case in stored(os.path.join(ROOT, "fixtures", "oracle", "sizes.jsonl.zst")):
        name = case["case"].removeprefix("size/")
        if name not in FAMILIES: continue
        names = {n: s for n, s in case["params"].items() if n not in case["tied"]}
        tensors = {n: (type_of(n), s) for n, s in {**names, **case["buffers"]}.items()}
        config, folder = case["configs"]["whole"], os.path.join(root, name)
        put(folder, tensors, config, large=True)
        check(name, folder, healthy=True, command="reconcile")
        if config["model_type"] == "bert": of_tensorflow(folder, tensors, config)
        for key, value in changes(config):
            if (config["model_type"], key) in UNSEEN: continue
            put(folder, tensors, {**config, key: value}, large=True)
            check("%s %s=%d" % (name, key, value), folder, *values(key, config[key], value), command="reconcile")
        if config["model_type"] == "qwen3_moe":  # the class accepts either name
            own = {k: v for k, v in config.items() if k != "num_local_experts"}
            put(folder, tensors, {**own, "num_experts": config["num_local_experts"]}, large=True)
            check("num_experts", folder, healthy=True, command="reconcile")
            put(folder, tensors, {**own, "num_experts": 2 * config["num_local_experts"]}, large=True)
            check("num_experts, twice", folder, *values("num_experts", config["num_local_experts"], 2 * config["num_local_experts"]), command="reconcile")


# ---- a small Llama of both formats

LLAMA = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 4, "num_attention_heads": 4,
         "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 160, "tie_word_embeddings": False}
KEYS = {"hidden_size": "embedding_length", "intermediate_size": "feed_forward_length", "num_hidden_layers": "block_count", "num_attention_heads": "attention.head_count",
        "num_key_value_heads": "attention.head_count_kv", "head_dim": "attention.key_length"}
GGUF = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output", "model.layers": "blk", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
        "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
        "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}


def llama(c=LLAMA, bias=False):
    e, f, q, k = c["hidden_size"], c["intermediate_size"], c["num_attention_heads"] * c["head_dim"], c["num_key_value_heads"] * c["head_dim"]
    t = {"model.embed_tokens.weight": [c["vocab_size"], e], "model.norm.weight": [e], "lm_head.weight": [c["vocab_size"], e]}
    for i in range(c["num_hidden_layers"]):
        t.update({"model.layers.%d.%s" % (i, n): s for n, s in {
            "self_attn.q_proj.weight": [q, e], "self_attn.k_proj.weight": [k, e], "self_attn.v_proj.weight": [k, e], "self_attn.o_proj.weight": [e, q],
            "mlp.gate_proj.weight": [f, e], "mlp.up_proj.weight": [f, e], "mlp.down_proj.weight": [e, f],
            "input_layernorm.weight": [e], "post_attention_layernorm.weight": [e]}.items()})
        if bias: t.update({"model.layers.%d.self_attn.%s_proj.bias" % (i, p): [n] for p, n in (("q", q), ("k", k), ("v", k))})
    return {n: ("F32", s) for n, s in t.items()}


def gguf(folder, tensors, config):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    called = {}
    for n, (t, s) in tensors.items():
        for a, b in GGUF.items(): n = re.sub(r"(^|\.)%s(?=\.)" % re.escape(a), r"\g<1>" + b, n)
        called[n] = (t, s)
    pairs = [("general.architecture", "llama")] + [("llama." + KEYS[k], v) for k, v in config.items() if k in KEYS]
    pairs += [("llama.attention.value_length", config["head_dim"]), ("llama.context_length", 512), ("llama.attention.layer_norm_rms_epsilon", ("f32", 1e-5)),
              ("tokenizer.ggml.model", "llama"), ("tokenizer.ggml.tokens", ("arr", ("str", ["t%d" % i for i in range(config["vocab_size"])])))]
    path = os.path.join(folder, "m.gguf")
    write(path, gguf_bytes(pairs, listed(called)))
    return path


def without(tensors, pattern): return {n: t for n, t in tensors.items() if not re.search(pattern, n)}


def of_llama(root):
    d, t = os.path.join(root, "llama"), llama()
    put(d, t, LLAMA)
    check("llama", d, healthy=True)
    for key, value in (("num_hidden_layers", 2), ("num_hidden_layers", 6), ("vocab_size", 320), ("intermediate_size", 48), ("head_dim", 32), ("num_key_value_heads", 4), ("num_key_value_heads", 1)):
        put(d, t, {**LLAMA, key: value})
        check("llama %s=%d" % (key, value), d, *values(key, LLAMA[key], value), r"^(?!.*by its head counts)", verdict="wrong configuration")
    put(d, t, {**LLAMA, "num_hidden_layers": 6})
    check("both readings", d, r"layers 4 and 5 are missing, or it should be 4")
    # two keys, and many
    put(d, t, {**LLAMA, "vocab_size": 320, "intermediate_size": 48})
    check("two keys", d, *values("vocab_size", 160, 320), *values("intermediate_size", 96, 48))
    put(d, t, {**LLAMA, "hidden_size": 32, "num_hidden_layers": 7, "vocab_size": 500, "intermediate_size": 88})
    check("another model", d, r"configuration of another model", *values("hidden_size", 64, 32), *values("num_hidden_layers", 4, 7), *values("vocab_size", 160, 500))
    # a missing key
    odd = {**LLAMA, "head_dim": 24}
    put(d, llama(odd), {k: v for k, v in odd.items() if k != "head_dim"})
    check("head_dim left out", d, r"head_dim", number(24))
    put(d, t, {k: v for k, v in LLAMA.items() if k != "head_dim"})
    check("head_dim left out, healthy", d, healthy=True)
    # flags, both ways; if half of the biases exist, the flag is not the cause
    biased = {**t, **{"model.layers.%d.self_attn.%s.bias" % (i, p): ("F32", [n]) for i in range(4) for p, n in (("q_proj", 64), ("k_proj", 32), ("v_proj", 32), ("o_proj", 64))}}
    for key, tensors, now in ("attention_bias", biased, True), ("attention_bias", t, False), ("mlp_bias", t, False), ("tie_word_embeddings", without(t, "lm_head"), True):
        put(d, tensors, {**LLAMA, key: now})
        check("%s, healthy" % key, d, healthy=True)
        put(d, tensors, {**LLAMA, key: not now})
        check("%s %s" % (key, not now), d, r"config\.json says %s is %s, the file (has|lacks) .*: set it to %s" % (key, *(("false", "true") if now else ("true", "false"))), command="reconcile")
    put(d, llama(bias=True), {**LLAMA, "attention_bias": False})
    check("biases of q, k, v alone", d, r"^(?!.*attention_bias).*not expected", command="reconcile")
    # another architecture
    put(d, llama(bias=True), {**LLAMA, "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2"})
    check("qwen2", d, healthy=True)
    put(d, t, {**LLAMA, "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2"})
    check("a kind of tensor", d, r"each of 4 layers lacks self_attn.q_proj.bias", verdict="^incomplete" if False else None)
    # missing or renamed tensors
    put(d, without(t, r"layers\.2\."), LLAMA)
    check("a layer", d, r"layer 2 is missing", verdict="incomplete")
    put(d, {n.replace("model.", "model.language_model."): x for n, x in t.items()}, LLAMA)
    check("a prefix", d, r"language_model")
    put(d, {n.removeprefix("model."): x for n, x in without(t, "lm_head").items()}, LLAMA)
    check("a base class", d, r"base class", "lm_head")
    put(d, {n.removeprefix("model."): x for n, x in without(t, "lm_head").items()}, {**LLAMA, "tie_word_embeddings": True})
    check("a base class, tied", d, healthy=True)
    put(d, {n: (x[0], [0]) for n, x in t.items()}, LLAMA)
    check("empty", d, r"\bempty\b")
    # a single wrong tensor is not the configuration's fault
    put(d, {**t, "model.layers.1.mlp.up_proj.weight": ("F32", [96, 65])}, LLAMA)
    check("one shape", d, r"model\.layers\.1\.mlp\.up_proj\.weight")


def of_constants(root):
    """Infinity and NaN, as json.dumps writes them, are numbers: ignored where no size is expected, otherwise an
    error that names the key."""
    global done
    d, t, inf, nan = os.path.join(root, "constants"), llama(), float("inf"), float("nan")
    for key, value in ("time_step_limit", [0.0, inf]), ("initializer_range", nan), ("rms_norm_eps", inf), ("attention_dropout", -inf), ("rope_theta", nan), ("rope_scaling", {"rope_type": "linear", "factor": inf}):
        put(d, t, {**LLAMA, key: value})
        check("%s %s" % (key, value), d, healthy=True)
    for key, value, word in ("num_hidden_layers", inf, "Infinity"), ("vocab_size", nan, "NaN"), ("intermediate_size", -inf, "-Infinity"), ("hidden_size", nan, "NaN"):
        put(d, t, {**LLAMA, key: value})
        done += 1
        status, text = run("verify", d)
        if status != 1 or "%s is %s," % (key, word) not in text: failed.append("%s %s: %d, %s" % (key, word, status, text[-300:]))
    path = os.path.join(root, "constant.safetensors")  # headers are strict
    header = b'{"__metadata__":{},"a":{"dtype":"F32","shape":[NaN],"data_offsets":[0,4]}}'
    write(path, len(header).to_bytes(8, "little") + header + b"0000")
    done += 1
    if run("show", path)[0] != 3: failed.append("a header with NaN is read")


def of_bytes(root):
    """A truncated header is incomplete in every command; one that breaks a rule is damaged."""
    global done
    d = os.path.join(root, "bytes")
    data = safetensors(listed({n: ("F32", [8, 4]) for n in ("a.weight", "b.weight")}))
    for name, first, word, code in ("ends too early", data[:60], "incomplete", "header-truncated"), ("breaks a rule", data[:20] + b"}" + data[21:], "damaged", "header-malformed"), ("whole", data, "complete", None):
        shutil.rmtree(d, ignore_errors=True)
        shards = ["model-0000%d-of-00002.safetensors" % i for i in (1, 2)]
        write(os.path.join(d, shards[0]), first)
        write(os.path.join(d, shards[1]), safetensors(listed({"c.weight": ("F32", [8, 4])})))
        with open(os.path.join(d, "model.safetensors.index.json"), "w") as f:
            json.dump({"metadata": {"total_size": 384}, "weight_map": dict(zip(("a.weight", "b.weight", "c.weight"), (shards[0], shards[0], shards[1])))}, f)
        done += 1
        judged = json.loads(run("show", "--json", d)[1])["judgement"]
        said = [c["code"] for c in judged["causes"]]
        if not re.search("^%s: " % word, run("verify", d)[1], re.M): failed.append("a header that %s: verify does not report %s" % (name, word))
        if judged["verdict"] != (word if code else "unknown") or (code or said) and said[:1] != [code]: failed.append("a header that %s: %s" % (name, judged))


def headers():
    """The headers of files that llama.cpp loads, from fixtures/oracle/gguf2.zst."""
    rest = subprocess.run(["zstd", "-dc", os.path.join(ROOT, "fixtures", "oracle", "gguf2.zst")], stdout=subprocess.PIPE, check=True).stdout
    out = {}
    while rest:
        line, rest = rest.split(b"\n", 1)
        name, size = line.decode().split(" ")
        out[name.removeprefix("gguf2/")], rest = rest[:int(size)], rest[int(size):]
    return out


def of_counts(root):
    """Blocks that predict further tokens count in block_count, and may be absent; attention experts have their own
    count."""
    global done
    path, all_headers = os.path.join(root, "counts.gguf"), headers()
    trunks = [(n + "-trunk", n, key, value) for n in ("glm4moe", "mimo2", "step35") for key, value in ((None, 0), ("block_count", 6), ("block_count", 4), ("nextn_predict_layers", 0))]
    for case, arch, key, value in trunks + [("hrm_text", "hrm_text", None, 0), ("hrm_text", "hrm_text", "block_count", 20), ("k2-horizon", "k2-horizon", None, 0), ("k2-horizon", "k2-horizon", "expert_count", 5), ("k2-horizon", "k2-horizon", "attention.value_expert_count", 6)]:
        data = all_headers[case]
        if key:  # a 32-bit integer after its type
            at = data.index((arch + "." + key).encode()) + len(arch + "." + key) + 4
            data = data[:at] + value.to_bytes(4, "little") + data[at + 4:]
        done += 1
        with open(path, "wb") as f: f.write(data)
        status = run("reconcile", path)[0]
        found = [f["code"] for f in json.loads(run("verify", "--json", path)[1])["findings"] if f["severity"] == "error" and f["level"] == "config"]
        if bool(key) != (status == 1) or bool(key) != bool(found): failed.append("%s %s=%d: status %d, %s" % (case, key, value, status, found))


def of_variants(root):
    """Whole blocks more or fewer make an unknown variant, which is not accused; a hole, or a block that lacks a
    tensor, is."""
    global done
    path = os.path.join(root, "variant.safetensors")
    case = next(c for c in stored(os.path.join(ROOT, "fixtures", "oracle", "originals.jsonl.zst")) if c["case"].endswith("/flux-fill"))
    t = {n: ("F16", s) for n, s in case["params"].items()}
    more = {n.replace(".37.", ".38."): s for n, s in t.items() if n.startswith("single_blocks.37.")}
    for name, tensors, status in (("whole", t, 0), ("fewer", without(t, r"^single_blocks\.3[0-7]\."), 4), ("more", {**t, **more}, 4), ("fewer of both", without(t, r"^(single_blocks\.3[67]|double_blocks\.18)\."), 4),
                                  ("a hole", without(t, r"^single_blocks\.12\."), 1), ("half a block", without(t, r"^(single_blocks\.3[0-7]\.|single_blocks\.29\.linear1)"), 1),
                                  ("a hole and fewer", without(t, r"^single_blocks\.(12|37)\."), 1), ("fewer, and no norm", without(t, r"^(single_blocks\.3[0-7]\.|vector_in\.out_layer\.bias)"), 1)):
        done += 1
        sparse(path, listed(tensors))
        got, text = run("reconcile", path)
        if got != status or status == 4 and "an unknown variant of FLUX.1 Fill" not in text: failed.append("variant, %s: status %d: %s" % (name, got, text[-200:]))


def of_gguf(root):
    d, t = os.path.join(root, "gguf"), llama()
    check("gguf", gguf(d, t, LLAMA), healthy=True)
    for key, value in (("num_hidden_layers", 2), ("num_hidden_layers", 6), ("intermediate_size", 48), ("hidden_size", 128), ("num_key_value_heads", 4), ("num_key_value_heads", 1)):
        check("gguf %s=%d" % (KEYS[key], value), gguf(d, t, {**LLAMA, key: value}), *values("llama." + KEYS[key], LLAMA[key], value), r"m\.gguf")
    check("gguf two keys", gguf(d, t, {**LLAMA, "num_hidden_layers": 2, "intermediate_size": 48}), *values("block_count", 4, 2), *values("feed_forward_length", 96, 48))
    check("gguf a layer", gguf(d, without(t, r"layers\.1\."), LLAMA), r"block 1 is missing")


def main():
    with tempfile.TemporaryDirectory() as root:
        of_llama(root)
        of_constants(root)
        of_bytes(root)
        of_gguf(root)
        of_counts(root)
        of_variants(root)
        of_families(root)
    for f in failed: print(f)
    print("causes: %d of %d" % (done - len(failed), done))
    return 1 if failed or not done else 0


sys.exit(main())
