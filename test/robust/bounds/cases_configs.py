"""Inputs of 2 KB to 10 MB that demand much: configurations, specifications, printouts, unknown names."""
import json
import os
import random
import struct

from case import Case, words
from files import put, safetensors

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "fixtures")
ROWS = 180000 # most expected tensors listed one by one, src/formula/expand.h
SAID = 20000


def config_of(name, **more):
    with open("%s/%s/config.json" % (FIXTURES, name)) as f: return dict(json.load(f), **more)


def write(d, config): put(d + "/config.json", json.dumps(config).encode())


def config(name, **more): return lambda d: write(d, config_of(name, **more))


ALONE = words("formula config.json", "memory config.json", "memory --json config.json", "formula --json config.json", "explain 7B config.json", "explain --json 671026404352 config.json",
              "print config.json", "print --json config.json")


# ---- a configuration of 2 KB, alone

# 58 layers of 1,000 experts, three tensors each, are listed; the others have too many
LAYERS = [Case("config-%s-%d" % (key, n), config("deepseek-v3", **{key: n}), ALONE, output=SAID,
               expected=58 * 3 * n if key == "n_routed_experts" and n == 1000 else 0)
          for key in ("n_routed_experts", "num_hidden_layers", "num_nextn_predict_layers") for n in (1000, 10**6, 10**9)]
ALIKE = [
    Case("config-listed", config("llama-2-7b", num_hidden_layers=19000), ALONE, expected=9 * 19000 + 3),
    Case("config-not-listed", config("llama-2-7b", num_hidden_layers=10**6), ALONE, output=SAID),
    # sizes under keys that the class does not read
    Case("config-strange-keys", config("llama-2-7b", **{"size_%d" % i: i for i in range(50000)}), ALONE, output=SAID),
    Case("config-set", config("llama-2-7b"), words("formula --set num_hidden_layers=1000000000 config.json",
         "formula --set L=1000000000000 config.json", "explain 7B --set L=1000000 config.json"), output=SAID),
]


def layer_types(d):
    write(d, config_of("qwen3-0.6b", num_hidden_layers=100000, layer_types=["full_attention", "sliding_attention"] * 50000))


def types_of_gpt_oss(d):
    kinds = random.Random(1)
    write(d, config_of("gpt-oss-20b", num_hidden_layers=100000,
                       layer_types=[kinds.choice(("full_attention", "sliding_attention")) for _ in range(100000)]))


def nested(d):
    inner = config_of("llama-2-7b")
    for i in range(60): inner = {"text_config": inner, "vision_config": {"a": list(range(200))}, "pad": "x" * 200}
    write(d, inner)


def repeated_keys(d):
    put(d + "/config.json", b'{"model_type": "llama", ' + b", ".join(b'"hidden_size": %d' % i for i in range(30000)) + b"}")


def many_keys(d): write(d, dict(config_of("llama-2-7b"), **{"key_%d" % i: {"a": [i, str(i)]} for i in range(20000)}))


# distinct layers, each on its own device; and too many of them
SPLIT = [Case("config-split-%d" % n, config("llama-2-7b", num_hidden_layers=n), words("memory --gpus 2x24GiB config.json"),
              expected=9 * n) for n in (4000, 19000)]

JSON = [
    Case("config-layer-types", layer_types, words("formula config.json", "explain 7B config.json", "print config.json"), output=SAID),
    Case("config-layer-types-mixed", types_of_gpt_oss, words("formula config.json", "explain 7B config.json", "print config.json"), output=SAID),
    Case("config-nested", nested, words("formula config.json")),
    Case("config-key-30000-times", repeated_keys, words("formula config.json")),
    Case("config-keys-20000", many_keys, words("formula config.json", "explain 7B config.json")),
]


# ---- next to a small checkpoint

def beside(**more):
    def make(d):
        write(d, config_of("deepseek-v3", **more))
        put(d + "/model.safetensors", safetensors([("model.norm.weight", "BF16", [7168])]))
    return make


BESIDE = [Case("beside-%s-%d" % (key, n), beside(**{key: n}), words("show .", "reconcile .", "reconcile --json .", "verify .", "formula .", "explain 7B .",
               "print .", "tensors --json .", "diff . ."), stored=1, output=4 * SAID)
          for key, n in (("n_routed_experts", 10**6), ("num_hidden_layers", 10**6), ("num_hidden_layers", 10**12))]


# ---- unknown names

def many(count, name, sizes=64):
    """The data is a hole, which does not count in N."""
    def make(d):
        r, header, at = random.Random(1), {}, 0
        for i in range(count):
            dims = [r.randrange(1, sizes), r.randrange(1, sizes)]
            header[name(i, r)] = {"dtype": "U8", "shape": dims, "data_offsets": [at, at + dims[0] * dims[1]]}
            at += dims[0] * dims[1]
        text = json.dumps(header).encode()
        put(d + "/model.safetensors", struct.pack("<Q", len(text)) + text)
        os.truncate(d + "/model.safetensors", 8 + len(text) + at)
    return make


LLAMA = ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj",
         "input_layernorm", "post_attention_layernorm")
NAMES = {
    "random": lambda i, r: "x%x" % r.getrandbits(60),
    "near": lambda i, r: "model.layers.%d.self_attn.q_projx%x.weight" % (i % 50, i),
    "uneven": lambda i, r: "model.layers.%d.%s.weight" % (i // 9, LLAMA[i % 9]),
    "prefixes": lambda i, r: "p%d.model.layers.0.self_attn.q_proj.weight" % i,
    "deep": lambda i, r: ".".join("m%d" % (i >> b & 1) for b in range(16)) + ".%d.weight" % i,
    "tails": lambda i, r: "p%d" % i + ".0" * 40,
    "digits": lambda i, r: ".".join(str(i * 7919 >> 3 * b & 7) for b in range(8)) + ".%d.%d" % (i, 3 * i),
    "one-shape": lambda i, r: "t%d.weight" % i,
}
UNKNOWN = [Case("names-" + k, many(20000, f, 2 if k == "one-shape" else 64), words("explain 7B model.safetensors", "reconcile model.safetensors",
           "formula model.safetensors"), stored=20000) for k, f in NAMES.items()]
UNKNOWN += [Case("names-%s-200000" % k, many(200000, NAMES[k]), words("explain 7B model.safetensors", "reconcile model.safetensors"), stored=200000, slow=True)
            for k in ("random", "near", "uneven")]


# ---- user specifications

def spec(text):
    def make(d):
        write(d, config_of("llama-2-7b"))
        put(d + "/own.spec", ("arch own\nmatch hf model_type in llama\n" + text).encode())
    return make


OWN = words("formula --spec own.spec -a own config.json", "explain 7B --spec own.spec -a own config.json", "spec lint own.spec")
LETS = "".join("let a%d = a%d + a%d\n" % (i, i - 1, i - 1) for i in range(1, 5000))
SPECS = [
    Case("spec-nested-loops", spec("for i in 0 .. 100000\nfor j in 0 .. 100000\nlet z = i*j\nend\nend\nraw a x - 1\n"), OWN, output=SAID),
    Case("spec-three-loops", spec("for i in 0 .. 1000000000\nfor j in 0 .. 1000000000\nfor k in 0 .. 1000000000\nlet z = i\nend\nend\nend\nraw a x - 1\n"),
         OWN, output=SAID),
    Case("spec-one-long-loop", spec("for i in 0 .. 1000000000000000000\nlet z = i\nend\nraw a x - 1\n"), OWN, output=SAID),
    Case("spec-texts-double", spec('let a0 = "xxxxxxxx"\n' + LETS + "raw a x{a4999} - 1\n"), OWN, output=4 * 10**5),
    Case("spec-text-in-loop", spec('let a = "x"\nfor i in 0 .. 90000\nlet a = substr(a + "xxxxxxxx{i}", 0, 60000)\nend\nraw a x - 1\n'), OWN, output=SAID),
    Case("spec-long-names", spec('let a = "%s"\nfor i in 0 .. 30000\nraw a {a}{a}{i} - 1\nend\n' % ("x" * 5000)), OWN, output=SAID),
    Case("spec-one-line", spec("let a = " + "1+" * 200000 + "1\nraw a x - a\n"), OWN, output=4 * SAID),
    Case("spec-lines", spec("".join("raw r%d n%d - 3\n" % (i, i) for i in range(8000))), OWN, expected=8000),
    Case("spec-uses-itself", spec("use own\nraw a x - 1\n"), OWN, output=SAID),
]


# ---- printouts

def printout(text):
    def make(d):
        write(d, config_of("llama-2-7b"))
        put(d + "/printed.txt", (text() if callable(text) else text).encode())
    return make


def linears(n): return "M(\n" + "".join("  (m%d): Linear(in_features=%d, out_features=8, bias=True)\n" % (i, i + 1) for i in range(n)) + ")\n"


def deep(d):
    opened = "".join("  " * (i + 1) + "(0-99999): 100000 x A(\n" for i in range(150))
    printout("M(\n" + opened + "  " * 151 + "(l): Linear(in_features=8, out_features=8, bias=True)\n" +
             "".join("  " * i + ")\n" for i in range(150, 0, -1)) + ")\n")(d)


READ = words("diff printed.txt", "diff config.json printed.txt", "diff --json config.json printed.txt")
PRINTED = [
    Case("printout-modules", printout(lambda: linears(5000)), READ),
    Case("printout-times", printout("M(\n  (0-999999999): 1000000000 x Linear(in_features=8, out_features=8, bias=True)\n)\n"), READ, output=SAID),
    Case("printout-deep", deep, READ, output=40 * SAID),
    Case("printout-line", printout(lambda: "M(\n  (a): Linear(" + "x" * 10**7 + ")\n)\n"), READ),
    Case("printout-open", printout(lambda: "M(\n" + "".join(" " * min(i, 90) + "(a): B(\n" for i in range(3000))), READ),
]
CASES = LAYERS + ALIKE + SPLIT + JSON + BESIDE + UNKNOWN + SPECS + PRINTED
