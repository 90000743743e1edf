"""Real output: commands with --json on everything in the repository: multi-model folders (also damaged and hostile ones), faults,
adapters, printouts, oddities, and unreadable files.

Each function yields (words, folder to run in); its files are made in a folder that the caller removes.
"""
import glob
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", ".."))
sys.path += [os.path.join(ROOT, "test", d) for d in ("support", "robust/faults", "robust/hostile", "truth/packed", "truth/components")]
import files

B = os.path.abspath(os.environ.get("B", "build/release"))
NUMEL = B + "/numel"
BIG = ("deepseek-v3", "kimi-k2.5", "gpt-oss-120b", "mixtral-8x7b")


def program(name):
    """test/robust/NAME/run.py as a module: they are all called run."""
    spec = importlib.util.spec_from_file_location(name + "_run", os.path.join(ROOT, "test", "robust", name, "run.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fixtures(work):
    models = [d for d in sorted(glob.glob("fixtures/*/")) if os.path.exists(d + "config.json") or "gguf" in d or "q4_k_m" in d]
    assert len(models) > 15
    for d in models:
        if any(b in d for b in BIG):
            yield ["reconcile", d], ROOT
            yield ["tensors", "--match", "model.layers.[03].*", d], ROOT
            continue
        for words in (["show"], ["show", "--others"], ["show", "--by", "dtype"], ["show", "--by", "file"], ["show", "--depth", "2"], ["tensors"], ["meta"],
                      ["formula"], ["reconcile"], ["verify"], ["print"], ["identify"], ["explain", "7B"], ["explain", "4,096"], ["spec", "list"]):
            if words[0] != "spec": yield words + [d], ROOT
    yield ["show"] + models[:4], ROOT
    yield ["reconcile", models[0], "fixtures/none", models[1]], ROOT
    yield from ((["spec", what], ROOT) for what in ("list", "layouts"))
    yield ["spec", "show", "llama"], ROOT
    yield ["spec", "list", "--spec", "test/cli/schema/mine.spec"], ROOT
    for spec in sorted(glob.glob("src/data/specs/llama/*.spec"))[:3] + ["test/cli/schema/mine.spec", "README.md"]: yield ["spec", "lint", spec], ROOT


def memory(work):
    """Configurations alone: every kind of layer, unknown values, requests for more."""
    out = work + "/memory"
    os.makedirs(out, exist_ok=True)
    types = {"gemma3_text": {}, "deepseek_v3": {}, "deepseek_v32": {}, "qwen3_next": {}, "falcon_h1": {}, "gemma3n_text": {}, "mllama": {},
             "t5": {}, "mamba": {}, "vit": {}, "rwkv": {}, "resnet": {}, "llama": {}}
    for kind, values in types.items():
        with open("%s/%s.json" % (out, kind), "w") as f: json.dump({"model_type": kind, "dtype": "bfloat16", **values}, f)
        for words in ([], ["--encoder", "100"], ["--runtime", "llama.cpp"], ["--runtime", "vllm"], ["--fit", "80GiB"]):
            yield ["memory", kind + ".json"] + words, out
    for words in (["--gpus", "2x24GiB"], ["--gpus", "3x8GiB"], ["--offload", "4"], ["--gpus", "24GiB,8MiB", "--offload", "9"], ["--kv", "q8_0,f16"], ["--train", "adamw"], ["--train", "lora:8"],
                  ["--fit", "1MiB"], ["--batch", "4"]):
        yield ["memory", "llama.json"] + words, out
    yield ["memory", "mamba.json", "--fit", "80GiB"], out
    yield ["list", "--fit", "24GiB", "fixtures/gpt2"], ROOT
    alone = glob.glob("fixtures/gpt2/model.safetensors*")[0] # identified by its tensors, by another's configuration, by the user
    shutil.copy(alone, work + "/" + os.path.basename(alone))
    for words in ([], ["--config", ROOT + "/fixtures/gpt2/config.json"], ["--arch", "gpt2"]): yield ["show", *words, os.path.basename(alone)], work
    yield ["memory", "--arch", "llama"] + [w for s in ("E=64", "L=2", "H=4", "F=8", "V=16") for w in ("--set", s)], out
    yield ["memory", "fixtures/gpt-oss-20b", "--load", "as-is"], ROOT
    yield ["memory", "fixtures/llama-3.1-8b-q4_k_m"], ROOT
    yield ["memory", "test/gen/gpt-oss-20b.config.json", "--fit", "16GiB", "--train", "lora:4"], ROOT
    yield ["memory", "test/gen/gptq-tiny.config.json"], ROOT
    with open(ROOT + "/test/gen/llama-3.1-8b-bnb-4bit.config.json") as f: nobodys = json.load(f)
    nobodys["quantization_config"]["quant_method"] = "nobodys"
    with open(out + "/nobodys.json", "w") as f: json.dump(nobodys, f)
    yield ["memory", "nobodys.json", "--fit", "16GiB", "--train", "lora:4"], out
    yield ["memory", "vit.json", "--train", "adamw", "--fit", "1GiB"], out
    yield ["memory", "resnet.json", "--train", "adamw"], out
    with open(ROOT + "/fixtures/llama-2-7b/config.json") as f: unheard = dict(json.load(f), model_type="unheard", architectures=["Unheard"])
    with open(out + "/unheard.json", "w") as f: json.dump(unheard, f)
    yield ["memory", "fixtures/llama-2-7b", "--config", out + "/unheard.json"], ROOT


def packed(work):
    import packed as cases
    folder = os.path.abspath(cases.unpack())
    names = sorted(n for n in os.listdir(folder) if os.path.isdir(os.path.join(folder, n)))
    for i in range(0, len(names), 40): yield ["reconcile"] + names[i:i + 40], folder
    for i in range(0, len(names), 5): yield ["show", "--others", names[i]], folder
    for i in range(0, len(names), 16): yield ["tensors", names[i]], folder


def single(work):
    """Valid, odd and invalid fixtures, one by one and all in one folder."""
    folder = work + "/single"
    for path in sorted(glob.glob("fixtures/*/*/*.hex")):
        kind, form, name = path.split("/")[-3:]
        out = "%s/%s-%s" % (folder, kind, form)
        os.makedirs(out, exist_ok=True)
        with open("%s/%s.%s" % (out, name[:-4], form), "wb") as f:
            subprocess.run([B + "/tool/hex", path], stdout=f, check=True)
    for out in sorted(glob.glob(folder + "/*")):
        names = sorted(os.listdir(out))
        for words in (["show"], ["show", "--strict"], ["tensors"], ["reconcile"], ["verify"], ["verify", "--values", "-l", "hash"], ["print"],
                      ["hash"], ["identify"], ["formula"], ["meta"], ["meta", "--no-truncate"], ["explain", "12"]):
            yield words + (["."] if words[0] not in ("formula", "print", "meta") else names[:1]), out
        for words in (["show"], ["tensors"], ["verify"], ["hash"], ["identify"], ["reconcile"]): yield words + names, out
        for name in names[:40]: yield ["meta", name], out


def faults(work):
    """One copy per fault, all kept: verify's reports on each of them and on all at once."""
    import harness, faults_content, faults_gguf, faults_safetensors
    faulty = program("faults")
    folder = work + "/faults"
    os.makedirs(folder)
    suite = harness.Suite(folder)
    for module in (faults_safetensors, faults_gguf, faults_content): module.define(suite)
    goods = faulty.make_good(folder)
    for good in goods.values(): yield ["verify", "--values", "-l", "hash", good], folder
    for i, (good, name, function, arguments, options) in enumerate(suite.faults):
        copy = harness.Copy(goods[good], "%s/%d" % (folder, i))
        function(copy, *arguments)
        yield ["verify", "--json", "-l", "hash", *options, copy.target], folder
        if i % 7 == 0: yield ["show", copy.target], folder


def hostile(work):
    module = program("hostile")
    shutil.rmtree(module.WORK)
    for make in module.FOLDERS:
        d = os.path.join(work, "hostile", make.__name__)
        os.makedirs(d)
        make(d.encode())
        for words in module.COMMANDS: yield words + ["."], d
        for f in sorted(os.listdir(d.encode()))[:6]: yield ["identify", os.fsdecode(f)], d


def downloads(work):
    import download
    for name in ("healthy", "clean", *download.DANGERS):
        d = "%s/downloads/%s" % (work, name)
        if name in download.DANGERS: download.clean(d), download.put(d, *download.DANGERS[name][1:])
        else: getattr(download, name)(d)
        yield ["verify", d], work
        if name in ("healthy", "bin", "broken"): yield ["identify", d], work
    files.put(d + "/dir.bin", download.weights())
    os.symlink(work, d + "/outside.txt"), os.symlink("/dev/null", d + "/null.txt"), os.symlink(work + "/downloads/clean/LICENSE", d + "/link.txt")
    yield ["verify", d], work
    os.makedirs(work + "/deep/" + "/".join("abcdefghij"))
    yield ["identify", d + "/none", "deep"], work


ADAPTER = [("base_model.model.model.layers.%d.self_attn.%s.lora_%s.weight" % (i, m, h), "F32", [8, 64] if h == "A" else [64, 8])
           for i in range(2) for m in ("q_proj", "v_proj") for h in "AB"]
LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 8, "vocab_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 12}
LAYER = [("self_attn.%s_proj.weight" % m, [8, 8]) for m in "qkvo"] + [("mlp.gate_proj.weight", [12, 8]), ("mlp.up_proj.weight", [12, 8]),
         ("mlp.down_proj.weight", [8, 12]), ("input_layernorm.weight", [8]), ("post_attention_layernorm.weight", [8])]


def llama(layers=2, more=(), dtype="F32"):
    return [("model.embed_tokens.weight", dtype, [16, 8]), ("lm_head.weight", dtype, [16, 8]), ("model.norm.weight", dtype, [8])] + \
        [("model.layers.%d.%s" % (i, n), dtype, s) for i in range(layers) for n, s in LAYER] + list(more)


def folder(work, name, tensors, config=None, **more):
    d = "%s/made/%s" % (work, name)
    files.put(d + "/model.safetensors", files.safetensors(tensors) if isinstance(tensors, list) else tensors)
    if config is not None: files.put(d + "/config.json", json.dumps(config).encode())
    for n, v in more.items(): files.put(d + "/" + n.replace("__", "."), v)
    return d


def made(work):
    """The few parts that the other sources do not cover."""
    base = dict(LLAMA, hidden_size=64, intermediate_size=128)
    adapters = [dict(peft_type="LORA", r=8, lora_alpha=a, target_modules=["q_proj", "v_proj"], base_model_name_or_path="some/base") for a in (16, 16.5)]
    for i, a in enumerate(adapters):
        yield ["show", folder(work, "adapter%d" % i, ADAPTER, adapter_config__json=json.dumps(a).encode())], work
        yield ["reconcile", folder(work, "adapted%d" % i, ADAPTER, base, adapter_config__json=json.dumps(a).encode())], work
    yield ["show", folder(work, "adapter4", [("lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn1_to_q.lora_" + h + ".weight", "F16", d) for h, d in (("down", [4, 320]), ("up", [320, 4]))])], work
    yield ["show", folder(work, "adapter3", ADAPTER + [("base_model.model.lm_head.weight", "F32", [16, 64])])], work
    good = folder(work, "good", llama(), LLAMA)
    tied = folder(work, "tied", llama(), dict(LLAMA, tie_word_embeddings=True))
    renamed = folder(work, "renamed", [t for t in llama() if t[0] != "model.embed_tokens.weight"], dict(LLAMA, tie_word_embeddings=True))
    raw = files.safetensors(llama())
    length = int.from_bytes(raw[:8], "little")
    at = 8 + length + json.loads(raw[8:8 + length])["lm_head.weight"]["data_offsets"][0]
    own = folder(work, "own", raw[:at] + b"\0" * 4 + raw[at + 4:], dict(LLAMA, tie_word_embeddings=True))
    extra = folder(work, "extra", llama(more=[("nobody.knows", "F32", [3]), ("model.layers.0.self_attn.rotary_emb.inv_freq", "F32", [2])]), LLAMA)
    larger = folder(work, "larger", llama(3), dict(LLAMA, num_hidden_layers=3))
    halves = folder(work, "halves", llama(dtype="F16"), LLAMA)
    wide = folder(work, "wide", llama(more=[("model.layers.0.mlp.up_proj.bias", "I8", [12])]), dict(LLAMA, intermediate_size=16))
    none = folder(work, "none", [("a", "F32", [3, 5]), ("b", "F32", [5, 5]), ("c.0.x", "F32", [3]), ("c.1.x", "F32", [3])], {"model_type": "none", "some_size": 5})
    cut = folder(work, "cut", files.safetensors(llama())[:-20], LLAMA)
    for d in (good, tied, renamed, own, extra, larger, halves, wide, none, cut):
        for words in (["show", "--others"], ["tensors"], ["reconcile"], ["verify", "--values"], ["formula"], ["print"], ["hash"], ["explain", "1,234"], ["explain", "2560"]):
            yield words + [d], work
    for words in (["show", "-q"], ["-q", "show"][1:], ["reconcile", "-q"], ["tensors", "-q"], ["verify", "-q"], ["meta", "-q"], ["print", "-q"], ["formula", "-q"],
                  ["hash", "-q"], ["identify", "-q"], ["explain", "-q", "12"]): yield words + [good], work
    for a, b in ((good, good), (good, larger), (larger, good), (good, halves), (good, extra), (extra, good), (good, tied), (good, none), (good, cut), (cut, good)):
        yield ["diff", a, b], work
    yield ["diff", "fixtures/llama-3.1-8b", "fixtures/llama-3.1-8b-q4_k_m"], ROOT
    yield ["diff", "fixtures/llama-3.1-8b", "fixtures/llama-3.1-8b-bnb-4bit"], ROOT
    yield ["diff", "fixtures/llama-2-7b", "fixtures/llama-2-7b-2023"], ROOT
    yield from altered(work, good)
    yield ["behead", good, work + "/heads"], work
    yield ["behead", good, work + "/heads"], work
    yield ["behead", work + "/made", work + "/heads2"], work
    yield ["behead", work + "/single/bad-gguf", work + "/heads3"], work
    for i, level in enumerate(("header", "size", "index", "config", "hash")): yield ["verify", "--level", level, good], work
    manifest = subprocess.run([NUMEL, "hash", good], stdout=subprocess.PIPE).stdout
    files.put(work + "/m.numel", manifest)
    files.put(work + "/wrong.numel", manifest.replace(b"a", b"b"))
    for m in ("m.numel", "wrong.numel"): yield ["verify", "--manifest", m, good], work
    yield ["verify", "--manifest", "m.numel", larger], work
    yield from manifests(work, good, manifest)
    yield ["hash", "--tensors-only", good], work
    yield ["hash", "--files-only", good, "gone"], work
    gguf = files.gguf([("general.architecture", "llama"), ("general.file_type", 2), ("general.quantization_version", 2), ("llama.block_count", 1)],
                      [("blk.0.attn_q.weight", "Q4_0", [32, 32]), ("blk.0.attn_k.weight", "Q8_0", [32, 32]), ("blk.0.attn_norm.weight", "F32", [32]), ("output_norm.weight", "F32", [32])])
    plain = files.gguf([("general.architecture", "llama"), ("llama.block_count", 1)], [("blk.0.attn_q.weight", "F16", [32, 32]), ("blk.0.attn_k.weight", "F16", [32, 32]),
                       ("blk.0.attn_norm.weight", "F32", [32]), ("output_norm.weight", "F32", [32])])
    files.put(work + "/q.gguf", gguf)
    files.put(work + "/p.gguf", plain)
    files.put(work + "/n.gguf", gguf.replace(b"general.file_type", b"general.file_typf"))
    for f in ("q.gguf", "p.gguf", "n.gguf"):
        for words in (["show", "--others"], ["tensors"], ["meta"], ["reconcile"], ["verify", "--values"]): yield words + [f], work
    for a, b in (("p.gguf", "q.gguf"), ("q.gguf", "p.gguf"), ("q.gguf", "n.gguf"), (good, "p.gguf")): yield ["diff", a, b], work


def manifests(work, good, manifest):
    """Copies elsewhere: renamed, relabelled, with more and fewer tensors, without data, ambiguous, and of an
    unknown model."""
    at = work + "/copies"
    files.put(at + "/model.numel", b"".join(x + b"\n" for x in manifest.split(b"\n") if x.startswith(b"model ")))
    files.put(at + "/twice.numel", b"a" * 64 + b"  a/m.safetensors\n" + b"b" * 64 + b"  b/m.safetensors\n")
    files.put(at + "/other.numel", b"a" * 64 + b"  nothing/of/this\n")
    tensors = {"w": ("F32", [2, 2], b"\1" * 16), "b": ("F32", [2], b"\2" * 8)}
    def put(name, order, **change):
        all = [(n, *change.get(n, tensors.get(n))) for n in order]
        files.put(at + "/" + name, files.safetensors([t[:3] for t in all], body=b"".join(t[3] for t in all)))
    put("st/m.safetensors", "wb")
    files.put(at + "/st.numel", subprocess.run([NUMEL, "hash", "st"], stdout=subprocess.PIPE, cwd=at).stdout)
    put("same/x.safetensors", "wb")
    put("order/m.safetensors", "bw")
    put("type/x.safetensors", "wb", w=("I32", [2, 2], b"\1" * 16))
    put("more/x.safetensors", "wbc", c=("F32", [2], b"\3" * 8))
    put("names/x.safetensors", "vc", v=tensors["w"], c=tensors["b"])
    put("less/x.safetensors", "w")
    put("extra/m.safetensors", "wb")
    put("extra/x.safetensors", "c", c=("F32", [2], b"\3" * 8))
    put("twice/m.safetensors", "wb")
    files.put(at + "/twice/SHA256SUMS", b"a" * 64 + b"  a/m.safetensors\n" + b"b" * 64 + b"  b/m.safetensors\n")
    subprocess.run([NUMEL, "behead", "st", "bare"], stdout=subprocess.PIPE, cwd=at)
    files.put(at + "/sums.numel", b"a" * 64 + b"  st/m.safetensors\n" + b"b" * 64 + b"  sx/m.safetensors\n")
    put("two/m-00001-of-00002.safetensors", "w")
    put("two/m-00002-of-00002.safetensors", "b")
    files.put(at + "/half.numel", b"a" * 64 + b"  two/m-00001-of-00002.safetensors\n")
    yield ["verify", "--manifest", "sums.numel", "st"], at
    yield ["verify", "--manifest", "half.numel", "two"], at
    for m in ("twice", "other", "model"): yield ["verify", "--manifest", m + ".numel", "st"], at
    yield ["verify", "--manifest", "model.numel", good], at
    for d in ("st", "same", "order", "type", "more", "names", "less", "bare", "extra"): yield ["verify", "--manifest", "st.numel", d], at
    yield ["verify", "-l", "hash", "twice"], at


def altered(work, good):
    """Changes to a model, and what reconcile and diff call them."""
    rename = lambda f: [(f(n), t, s) for n, t, s in llama()]
    moe = lambda n: llama(more=[("model.layers.0.block_sparse_moe.experts.%d.%s.weight" % (i, w), "F32", [12, 8] if w != "w2" else [8, 12]) for i in range(n) for w in ("w1", "w2", "w3")])
    models = {
        "prefix": rename(lambda n: "base." + n), "shifted": rename(lambda n: n.replace("layers.1", "layers.2")), "experts2": moe(2), "experts3": moe(3),
        "other": rename(lambda n: n.replace("lm_head", "some_head")), "fused": llama(more=[("model.layers.0.self_attn.qkv_proj.weight", "F32", [24, 8])]),
        "more": llama(3), "eights": [(n, "I8" if "up_proj" in n else t, s) for n, t, s in llama()], "exponents": [(n, "F8_E4M3" if "up_proj" in n else t, s) for n, t, s in llama()],
        "heads": llama(more=[("score.weight", "F32", [2, 8]), ("model.layers.0.self_attn.rotary_emb.inv_freq", "F32", [2]), ("model.layers.0.self_attn.masked_bias", "F32", [1]),
                             ("model.layers.0.self_attn.q_proj.lora_A.weight", "F32", [2, 8]), ("model.layers.0.self_attn.q_proj.lora_B.weight", "F32", [8, 2]),
                             ("vision_tower.patch.weight", "F32", [2, 8]), ("model.layers.0.mlp.up_proj.weight_scale", "F32", [1])]),
        "padded": [(n, t, [20, 8] if s == [16, 8] else s) for n, t, s in llama()],
    }
    for name, tensors in models.items():
        d = folder(work, name, tensors, LLAMA)
        for words in (["reconcile", d], ["show", "--others", d], ["tensors", d], ["diff", good, d], ["diff", d, good], ["verify", d]): yield words, work
    strange = files.frame(dict(files.laid(llama())[0], more={"dtype": "F8_NEW", "shape": [2], "data_offsets": [files.laid(llama())[1], files.laid(llama())[1] + 2]}), b"\1" * (files.laid(llama())[1] + 2))
    yield ["reconcile", folder(work, "strange", strange, LLAMA)], work
    yield ["diff", work + "/made/experts2", work + "/made/experts3"], work
    yield ["formula", "--set", "hidden_size=16", good], work
    with open(work + "/other.json", "w") as f: f.write('{"model_type": "llama", "n_embd": 2048}')
    yield ["formula", "other.json"], work  # sizes under names that the class does not read
    with open(work + "/fixed.spec", "w") as f: f.write('arch fixed\nmatch hf model_type in llama\nlet E = cfg("hidden_size")\nlet k = 4\nlin a a - E k\n')
    yield ["formula", "--spec", "fixed.spec", good], work  # k is known from the specification only
    mix = dict(LLAMA, model_type="mixtral", architectures=["MixtralForCausalLM"], num_local_experts=2, num_experts_per_tok=1)
    gate = [("model.layers.%d.block_sparse_moe.gate.weight" % i, "F32", [2, 8]) for i in range(2)]
    more = [("model.layers.%d.block_sparse_moe.experts.%d.%s.weight" % (l, i, w), "F32", [12, 8] if w != "w2" else [8, 12]) for l in range(2) for i in range(3) for w in ("w1", "w2", "w3")]
    both = [x for x in llama() if ".mlp." not in x[0]] + gate + more
    yield ["reconcile", folder(work, "mixed", both, mix)], work
    yield ["reconcile", folder(work, "untold", both, {k: v for k, v in mix.items() if k != "num_experts_per_tok"})], work


def printouts(work):
    for f in sorted(glob.glob("fixtures/prints/*.txt")):
        yield ["diff", f], ROOT
        yield ["diff", "fixtures/llama-2-7b", f], ROOT
    texts = {"cut": "Net(\n  (a): Linear(in_features=8, out_features=", "unclosed": "Net(\n  (a): Sequential(\n  (b): Linear(in_features=1, out_features=2, bias=True)\n)\n",
             "counted": "Net(\n  (l): ModuleList(\n    (0-3): 5 x Linear(in_features=1, out_features=2, bias=True)\n  )\n)\n",
             "left": "Net(\n  (l): ModuleList(\n    (0): Linear(in_features=4, out_features=4, bias=False)\n    ...\n    (31): Linear(in_features=4, out_features=4, bias=False)\n  )\n)\n", "mha": "Net(\n  (m): MultiheadAttention(\n    (out_proj): NonDynamicallyQuantizableLinear(in_features=8, out_features=8, bias=True)\n  )\n)\n",
             "rows": "=================================================================\nLayer (type:depth-idx)                   Param #\n=================================================================\nNet                                      --\n├─Linear: 1-1                            20\n├─Linear: 1-2                            30\n=================================================================\nTotal params: 60\n=================================================================\n",
             "bare": "=================================================================\nLayer (type:depth-idx)                   Param #\n=================================================================\nNet                                      --\n├─Linear: 1-1                            x\n=================================================================\n",
             "small": "LlamaForCausalLM(\n  (model): LlamaModel(\n    (embed_tokens): Embedding(32001, 4096)\n  )\n  (lm_head): Linear(in_features=4096, out_features=31000, bias=False)\n)\n",
             "loose": "Net(\n (a): Linear(in_features=1, out_features=2, bias=True)\n (b): Seq(\n (c): Linear(in_features=1, out_features=2, bias=True)\n )\n)\n)\n(z): Linear(in_features=1, out_features=2, bias=True)\n",
             "own": "Net(\n  (p): Parameters()\n  (t): TokenThing(\n    (a): Linear(in_features=1, out_features=2, bias=True)\n  )\n)\n"}
    for name, text in texts.items():
        files.put("%s/%s.txt" % (work, name), text.encode())
        yield ["diff", name + ".txt"], work
        yield ["diff", "fixtures/llama-2-7b", "%s/%s.txt" % (work, name)], ROOT


def oddities(work):
    """Numbers, names and strings that JSON cannot express, or that exceed a double."""
    nan, inf = float("nan"), float("inf")
    values = [("a.nan", ("f32", nan)), ("a.inf", ("f64", inf)), ("a.less", ("f32", -inf)), ("a.u64", ("u64", 2**64 - 1)), ("a.i64", ("i64", -2**63)),
              ("a.zero", ("f64", -0.0)), ("a.big", ("f64", 1.7976931348623157e308)), ("a.small", ("f64", 5e-324)), ("a.floats", ("arr", ("f32", [nan, 1.5, -inf]))),
              ("a.long", ("arr", ("u64", [2**64 - 1] * 20))), ("a.bytes", ("str", b"a\xff\xed\xa0\x80\xf4\x90\x80\x80b\0\x1b\"\\")), (b"k\xff\xed\xbf\xbf", "x"),
              ("a.bool", ("bool", True)), ("a.i8s", ("arr", ("i8", [-1]))),
              ("a.u16s", ("arr", ("u16", [1]))), ("a.i16s", ("arr", ("i16", [1]))), ("a.u32s", ("arr", ("u32", [1]))), ("a.i64s", ("arr", ("i64", [1]))), ("a.f64s", ("arr", ("f64", [1.0]))),
              ("a.u8s", ("arr", ("u8", [1]))), ("a.i32s", ("arr", ("i32", [1]))), ("a.bools", ("arr", ("bool", [True]))), ("a.u8", ("u8", 1)), ("a.i8", ("i8", -1)), ("a.u16", ("u16", 1)), ("a.i16", ("i16", 1)), ("a.i32", ("i32", 1))]
    files.put(work + "/odd/g.gguf", files.gguf([("general.architecture", "llama")] + values, [(b"t\xff\xed\xa0\x80", "F32", [2]), ("u", 250, [32])][:1]))
    files.put(work + "/odd/lists.gguf", files.gguf([("general.architecture", "llama"), ("a.lists", ("arr", ("arr", [("u8", [1, 2]), ("str", ["x", "\u202e"])])))], [("t", "F32", [2])]))
    yield ["meta", "odd/lists.gguf"], work
    yield from ((w + ["odd/g.gguf"], work) for w in (["meta"], ["meta", "--no-truncate"], ["tensors"], ["show"], ["verify"], ["hash"], ["diff", "odd/g.gguf"]))
    configs = [b'{"a":1e400,"b":-1e400,"c":-0,"d":-0.0,"e":1E5,"f":12345678901234567890,"g":1' + b"0" * 60 + b',"h":9007199254740993,"i":0.1,"m":[1e400,{"x":1e-400}]}',
               b'{"j":NaN,"k":[Infinity,-Infinity],"o":{},"p":[],"q":null,"r":true,"t":{"u":18446744073709551615}}', b'{"s":"\\u202e\\ud83d\\ude00 \\u001b \x7f"}', b'{"s":"\\u0000"}',
               b'{"s":"\\ud800"}', b'{"a":1,"a":2,"b":{"c":1},"b.c":2}', b'{"s":"\xff\xed\xa0\x80"}', b'\xef\xbb\xbf{}', b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}", b'{"a":' * 3000, b"[]", b"7", b"", b"{}{}",
               json.dumps(dict(LLAMA, hidden_size=2**63, vocab_size=2**64)).encode(), json.dumps(dict(LLAMA, hidden_size=1e30, vocab_size=-5)).encode(),
               json.dumps(LLAMA).encode().replace(b": 8", b": 8.5"), json.dumps(LLAMA).encode().replace(b": 8", b": 1e400"), json.dumps(LLAMA).encode().replace(b": 8", b": 4611686018427387904")]
    for i, c in enumerate(configs):
        d = "%s/odd%d" % (work, i)
        files.put(d + "/config.json", c)
        files.put(d + "/model.safetensors", files.safetensors(llama(), {"a": "\x00\x1b\U0001f600\u2028", "total_parameters": "18446744073709551616"}))
        for words in (["meta"], ["show", "--others"], ["reconcile"], ["formula"], ["verify"], ["print"], ["explain", "7"]): yield words + ["."], d
        yield ["formula", "config.json"], d
    huge = files.gguf([("general.architecture", "llama")], [("t", "F32", [2])])
    headers = [b'{"t":{"dtype":"F32","shape":[0,18446744073709551615],"data_offsets":[0,0]}}', b'{"t":{"dtype":"F32","shape":[1e2],"data_offsets":[0,8]}}', b'{"\\ud800":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}',
               b'{"t":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}}', b'{"t":{"dtype":"F32","shape":[-0],"data_offsets":[0,0]}}', b'{"t\\u202e\\n":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}',
               b'{"a":{"dtype":"NEW","shape":[2],"data_offsets":[0,8]}}', b'{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}']
    for i, h in enumerate(headers): files.put("%s/heads/%d.safetensors" % (work, i), files.frame(h, b"\1" * 8))
    for n in (len(huge) - 1, 40, 24): files.put("%s/heads/%d.gguf" % (work, n), huge[:n])
    for words in (["show"], ["tensors"], ["meta"], ["verify"], ["hash"], ["identify"], ["reconcile"], ["print"], ["formula"], ["explain", "2"], ["behead"]):
        for name in ["."] + sorted(os.listdir(work + "/heads")):
            if words[0] in ("meta", "formula", "print") or name == "." or words[0] in ("show", "tensors"): yield words + [name] + ([work + "/x"] if words == ["behead"] else []), work + "/heads"


def roots(work):
    """A snapshot in a Hugging Face cache: it has a name in addition to its path."""
    at = os.path.join(work, "hub", "models--org--name", "snapshots", "abc")
    os.makedirs(at)
    files.put(os.path.join(at, "model.safetensors"), files.safetensors([("w", "F32", [2, 2])]))
    for words in (["show"], ["verify"], ["reconcile"], ["explain", "4"]): yield words + ["hub"], work
    models = os.path.join(work, "models")
    blob = lambda c: files.put(models + "/blobs/sha256-" + c * 64, files.safetensors([("w", "F32", [2, 2])])) or "sha256:" + c * 64
    layers = [("model", blob("a"), 1), ("params", "sha256:" + "b" * 64, 2)]
    text = json.dumps({"layers": [{"mediaType": "application/vnd.ollama.image." + t, "digest": d, "size": n} for t, d, n in layers]})
    files.put(models + "/manifests/h/library/m/latest", text.encode())
    blob("c")
    yield ["verify", "models"], work
    broken = os.path.join(work, "broken")
    os.makedirs(broken + "/blobs")
    files.put(broken + "/manifests/h/library/m/latest", b"{")
    yield ["verify", "broken"], work
    yield ["diff", "hub", "hub"], work


def errors(work):
    files.put(work + "/err/text.safetensors", b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 5\n")
    files.put(work + "/err/empty.gguf", b"")
    files.put(work + "/err/bad.spec", b"arch bad\nmatch hf model_type in llama\nlet x = (\n")
    files.put(work + "/err/good/m.safetensors", files.safetensors(llama()))
    files.put(work + "/err/good/config.json", json.dumps(LLAMA).encode())
    files.put(work + "/err/nothing/readme", b"x")
    d = work + "/err"
    for name in ("none", "text.safetensors", "empty.gguf", "nothing", ".", "/dev/null", "none/config.json"):
        for words in (["show"], ["tensors"], ["meta"], ["formula"], ["reconcile"], ["explain", "7B"], ["verify"], ["print"], ["hash"], ["identify"], ["behead"]):
            yield words + [name] + ([d + "/out"] if words == ["behead"] else []), d
        yield ["diff", name], d
        yield ["diff", name, "good"], d
        yield ["diff", "good", name], d
        yield ["show", "good", name], d
        yield ["tensors", "good", name], d
    for words in (["reconcile", "--config", "none"], ["reconcile", "--config", "bad.spec"], ["reconcile", "--spec", "bad.spec"], ["formula", "--spec", "none"],
                  ["reconcile", "--arch", "nosuch"], ["reconcile", "--set", "nonsense=1"], ["show", "--max-header", "10"], ["verify", "--max-header", "10"], ["verify", "--manifest", "none"],
                  ["print", "--arch", "nosuch"], ["hash", "--resume=none/x/y"], ["meta"]):
        yield words + ["good"] + (["nokey"] if words == ["meta"] else []), d
    for command in "show", "verify": # each key: present, absent and unknown
        keys = "params stored logical unique buffers active tensors files bytes context layers group"
        yield [command, "good", "--expect", ",".join("%s=7" % k for k in keys.split())], d
        yield [command, "good", "--expect", "params=1.5B,bits=4,quant=gptq,method=none,arch=x,format=gguf,dtype=F32,verdict=agrees"], d
    for words in (["spec", "lint", "none"], ["spec", "lint", "bad.spec"], ["spec", "list", "--spec", "bad.spec"], ["spec", "list", "--spec", "none"], ["formula", "-a", "llama"],
                  ["formula", "--spec", "bad.spec", "-a", "llama"], ["hash", "--resume=/dev/null", "good"]): yield words, d


def compared(work):
    """Values that differ, do not exist, are blocks or bytes, or cannot be compared."""
    import struct
    f = lambda *v: struct.pack("<%df" % len(v), *v)
    nan, inf = float("nan"), float("inf")
    tensors = [("l.0.a", "F32", [2]), ("l.1.a", "F32", [2]), ("l.1.b", "I64", [1]), ("l.1.c", "C64", [1]), ("l.1.z", "F32", [2]), ("e", "F32", [0])]
    one = f(1, 2) + f(1, 2) + struct.pack("<q", 5) + f(0, 1) + f(0, 0)
    for name, body in (("one", one), ("two", f(1, 2.25) + f(1, 2.5) + struct.pack("<q", -5) + f(0, 2) + f(0, 0)),
                       ("odd", f(1, nan) + f(inf, 2) + struct.pack("<q", 5) + f(0, 1) + f(0, 1))):
        files.put("%s/values/%s.safetensors" % (work, name), files.safetensors(tensors, body=body))
    files.put(work + "/values/three.safetensors", files.safetensors([("l.0.a", "BF16", [2]), ("l.1.b", "F32", [1]), ("l.1.a", "F32", [3])]))
    files.put(work + "/values/x.safetensors", files.safetensors([("x", "F4", [3, 2])], body=b"abc"))
    files.put(work + "/values/q.gguf", files.gguf([("general.architecture", "llama")], [("w", "Q4_0", [1, 32])]))
    for a, b in (("one", "one"), ("one", "two"), ("one", "odd"), ("one", "three")):
        yield ["diff", "--values", "values/%s.safetensors" % a, "values/%s.safetensors" % b], work
    for a, b, c in (("one", "two", "odd"), ("one", "odd", "two"), ("one", "one", "two"), ("one", "two", "one"), ("one", "two", "two"), ("one", "two", "three")):
        yield ["diff", "--values"] + ["values/%s.safetensors" % name for name in (a, b, c)], work
    yield ["diff", "--values", "values/x.safetensors", "values/x.safetensors"], work
    yield ["diff", "--values", "values/q.gguf", "values/q.gguf"], work


def components(work):
    """Folders of several models, correct and altered."""
    import components as cases
    out = work + "/components"
    os.makedirs(out)
    packed = subprocess.run(["zstd", "-dc", "--long=27", "test/truth/components/folders.tar.zst"], stdout=subprocess.PIPE, check=True)
    subprocess.run(["tar", "-xf", "-", "-C", out], input=packed.stdout, check=True)
    for name in ("folder-gone", "exchanged", "nobodys-class", "nobodys-class-alone", "stray", "variants", "header-cut", "file-cut", "pickled", "index-broken", "dense-gone", "dense-otherwise", "pooling-of-two", "no-configuration"):
        cases.altered(name, out, out + "/" + name)
        for words in (["show"], ["reconcile"], ["verify"], ["memory"]): yield words + [name], out
    shutil.copytree(ROOT + "/fixtures/gpt2", out + "/writers/writer")
    with open(out + "/writers/model_index.json", "w") as f: json.dump({"_class_name": "Writers", "writer": ["transformers", "GPT2LMHeadModel"]}, f)
    yield ["memory", "writers"], out
    for name in ("pipelines/tiny-flux", "pipelines/tiny-ddpm", "sentence-transformers/t5-dense"):
        for words in (["show"], ["reconcile"], ["verify"], ["tensors"], ["list"], ["memory", "--fit", "1GiB"]): yield words + [name], out


def around(work):
    """Other files in a model's folder."""
    import around as cases
    for name in ("trained", "copy", "adapter", "modules"):
        cases.BESIDE[name][0](work + "/components", work + "/around/" + name)
        yield ["show", "around/" + name], work
    cases.MODELS["two"][0](work + "/components", work + "/around/two")
    for words in (["show"], ["reconcile"], ["verify"]): yield words + ["around/two"], work


def single_files(work):
    """Several models in one file: with other numbers, without a text encoder, with unknown tensors."""
    half = [("model.diffusion_model.time_embed.0.bias", "F16", [8]), ("first_stage_model.encoder.conv_in.weight", "F16", [4, 3, 3, 3])]
    beside = [("betas", "F32", [1000]), ("alphas_cumprod", "F32", [1000]), ("model_ema.decay", "F32", [])]
    averaged = [("model_ema.diffusion_modeltime_embed0bias", "F32", [8])]
    for name, tensors in (("half", half), ("beside", half + beside), ("averaged", half + averaged), ("strange", half + [("betas", "F32", [1000, 1])])):
        files.put(work + "/one/%s.safetensors" % name, files.safetensors(tensors))
        for words in (["show"], ["reconcile"], ["tensors"], ["verify"], ["identify"], ["list"], ["memory"]): yield words + ["one/%s.safetensors" % name], work


def trained(work):
    """Training checkpoints."""
    import training as cases
    for name, tensors in (("states", {k: v for k, v in cases.RIGHT["by-name"][0].items() if "optimizer" in k}), ("all", cases.RIGHT["all"][0]), ("wrong", cases.WRONG["state-otherwise"][0]), ("kron", cases.UNTOLD["kron"][0])):
        cases.make(work + "/training/" + name, tensors)
        for words in (["show"], ["reconcile"], ["tensors"]): yield words + ["training/" + name], work
    cases.write_sliced(work + "/slices/two", cases.sliced(2))
    for name in ("slice-gone", "overlaps", "another-type", "unsaid"): cases.write_sliced(work + "/slices/" + name, cases.UNSLICED[name][0])
    for name in os.listdir(work + "/slices"): yield ["verify", "slices/" + name], work
    for words in (["show"], ["tensors"], ["hash"], ["hash", "--tensors-only"]): yield words + ["slices/two"], work
    yield ["diff", "--nearest", "training", "training/all"], work
    yield ["diff", "--nearest", "training", "--values", "training/wrong"], work


def alone(work):
    """Indexes without their shards: as published; without a total and a type; packed; with an unexpected name."""
    for name, size, norm, config in (("whole", 13476831232, "norm", {}), ("bare", None, "norm", {"torch_dtype": None}), ("other", 5, "n0rm", {}),
                                     ("packed", 5, "norm", {"quantization_config": {"quant_method": "fp8"}})):
        out = work + "/alone/" + name
        shutil.copytree("fixtures/llama-2-7b", out, ignore=shutil.ignore_patterns("*.zst"))
        with open(out + "/config.json") as f: config = {**json.load(f), **config}
        with open(out + "/config.json", "w") as f: json.dump(config, f)
        with open(out + "/model.safetensors.index.json") as f: index = json.load(f)
        index["metadata"] = {"total_size": size} if size else {}
        index["weight_map"] = {k.replace("model.norm", "model." + norm): v for k, v in index["weight_map"].items()}
        with open(out + "/model.safetensors.index.json", "w") as f: json.dump(index, f)
        for words in (["show"], ["reconcile"], ["verify"], ["list"], ["identify"]): yield words + ["alone/" + name], work


def pytorch(work):
    """What torch wrote, next to safetensors and instead of it; a byte of a record is another."""
    out = work + "/pytorch"
    with tarfile.open(ROOT + "/fixtures/pytorch/cases.tar.xz") as t: t.extractall(out)
    with open(out + "/llama-bin/pytorch_model.bin", "r+b") as f:
        f.seek(9000)
        f.write(b"x")
    yield ["verify", "--level", "hash", "llama-bin"], out
    for words in (["diff", "llama-bin", "llama-safetensors"], ["list", "."], ["list", "--duplicates", "llama-bin", "llama-safetensors"], ["show", "--others", "llama-shards"], ["verify", "views.pt"], ["show", "opaque.ckpt"], ["meta", "lightning.ckpt"]):
        yield words, out
    with open(out + "/weights.safetensors", "wb") as f: f.write(files.safetensors([("weight", "F32", [3, 4]), ("bias", "F32", [3])]))
    yield ["diff", "trainer.pt", "weights.safetensors"], out


def remote(work):
    """Of a repository and of one file elsewhere, by the stand-in for numel-fetch; a local copy against the repository."""
    hub = work + "/hub"
    tensors = [("a.weight", "F32", [4, 4])]
    for name in ("/org/tiny/model.safetensors", "/e.com/x.safetensors"): files.put(hub + name, files.safetensors(tensors))
    files.put(hub + "/org/tiny/README.md", b"# tiny")
    files.put(work + "/copy/model.safetensors", files.safetensors(tensors))
    files.put(work + "/copy/notes.txt", b"more")
    os.environ.update(NUMEL_FETCH=ROOT + "/test/cli/remote/stand_in.py", STAND_IN=hub)
    for words in (["show"], ["reconcile"], ["verify"], ["list"], ["identify"], ["meta"], ["memory"], ["diff", "hf://org/tiny"]): yield words + ["hf://org/tiny"], work
    yield ["explain", "16", "hf://org/tiny"], work
    yield ["show", "https://e.com/x.safetensors"], work
    yield ["verify", "--against", "hf://org/tiny", "copy"], work
    yield ["show", "hf://gated/tiny"], work


def lists(work):
    """Everything that the other sources made."""
    yield ["list", "fixtures"], ROOT
    yield ["list", "--jobs", "2", "--sort", "bytes", "."], work
    for name in ("none", "err/text.safetensors", "err/nothing", "/dev/null"): yield ["list", name, "err/good"], work
    import packed as cases
    yield ["list", "."], os.path.abspath(cases.unpack())
    os.makedirs(work + "/left/empty")
    hub, commits = work + "/left/models--org--model/", ("a" * 40, "b" * 40)
    for i, commit in enumerate(commits):
        files.put(hub + "blobs/%d" % i, b"text")
        os.makedirs(hub + "snapshots/" + commit)
        os.symlink("../../blobs/%d" % i, hub + "snapshots/%s/config.json" % commit)
    files.put(hub + "refs/main", commits[0].encode())
    files.put(hub + "blobs/stray", b"text")
    files.put(hub + "blobs/%s.incomplete" % ("c" * 64), b"part")
    files.put(work + "/left/m.safetensors.part", files.safetensors([("t", "F32", [4])])[:-8])
    files.put(work + "/left/lfs/model.safetensors", b"version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 123456789\n" % 7)
    for name in ("m.safetensors.part", "models--org--model/blobs/stray"): os.utime(work + "/left/" + name, (1e9, 1e9))
    yield ["list", "--leftovers", "left"], work
    weights = files.safetensors([("t", "U8", [2 << 20])])
    for name in ("a", "b"): files.put(work + "/twice/%s.safetensors" % name, weights)
    os.link(work + "/twice/a.safetensors", work + "/twice/hard.safetensors")
    os.symlink("a.safetensors", work + "/twice/soft.safetensors")
    for words in (["twice"], ["--hash", "twice"]): yield ["list", "--duplicates"] + words, work
    yield ["list", "--duplicates", "fixtures"], ROOT
    for name, dtype, base in (("one", "F32", "org/Base-7B"), ("two", "BF16", "org/Base-7B"), ("xyz", "F16", "")):
        folder(work, "tuned/" + name + "-tune", llama(dtype=dtype), dict(LLAMA, _name_or_path=base))
    yield ["list", "--duplicates", "made/tuned"], work
    for words in (["fixtures"], ["fixtures/comfyui/lora.safetensors.head.zst", "fixtures/gptq-untold"]): yield ["list", "--totals", "2"] + words, ROOT


ALL = [compared, fixtures, memory, single, faults, hostile, made, printouts, oddities, roots, errors, packed, downloads, components, around, single_files, trained, alone, pytorch, remote, lists]
