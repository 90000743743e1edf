#!/usr/bin/env python3
"""layouts.py [-v] [WORD...] -- checkpoints that quantizers wrote, altered: no layout may agree.

Each case of fixtures/packed that a layout proves (reconcile agrees, and names the layout) is copied with one
alteration per copy: scales removed, truncated, of another type; the width, the group size or the model's sizes in
config.json changed; a stray scale; a small tensor that states another size. `reconcile` must disagree (exit 1),
name the altered tensors, and give both shapes. The expected names and numbers are computed from the alteration.
The case itself, rewritten by the same code, must agree, so that the alteration is what reconcile detects; valid
variations by writers must agree too (VARIANTS). If an alteration leaves nothing that identifies the file, it
agrees in part at best (exit 4). Last: N passed, N failed, by layout and by alteration.
"""
import collections, copy, glob, json, os, re, shutil, subprocess, sys, tempfile, zlib
from concurrent.futures import ThreadPoolExecutor

import packed
import files
import layout_lists
from layout_lies import LIES
from layout_neighbours import NEIGHBOURS, SPELT, bytes_of_less

NUMEL = os.path.abspath(os.path.join(os.environ.get("B", "build/release"), "numel"))
CASES = int(os.environ.get("LAYOUT_CASES", 69))  # minimum number of proven cases
ELSEWHERE = ("svdquant", "svdquant-awq")  # layouts whose cases are those of single_quantized.py
EVERY = int(os.environ.get("LAYOUT_EVERY", 1))  # one in this many per alteration, for sanitizers, which are slow
SIDES = ("quantize_config.json", "quantization_config.json", "quant_config.json", "hf_quant_config.json", "quanto_qmap.json")


class Case:
    def __init__(self, folder):
        self.folder, self.name = folder, os.path.basename(folder)
        path = os.path.join(folder, "model.safetensors")
        header, start = files.opened(path)
        self.metadata = header.pop("__metadata__", None)
        self.tensors, self.small = {}, {}
        with open(path, "rb") as f:
            for name, t in header.items():
                a, b = t["data_offsets"]
                self.tensors[name] = (t["dtype"], tuple(t["shape"]))
                if b - a <= 512:
                    f.seek(start + a)
                    self.small[name] = f.read(b - a)
        self.config = self.side("config.json")
        self.sides = {s: self.side(s) for s in SIDES if self.side(s)}

    def side(self, name):
        path = os.path.join(self.folder, name)
        return json.load(open(path)) if os.path.exists(path) else None

    def quantization(self):
        own = self.config.get("quantization_config") or next(iter(self.sides.values()), None)
        part = (own or {}).get("quantization")  # Model Optimizer's file states nothing else about weights
        return part if isinstance(part, dict) else own

    def copy(self):
        c = copy.copy(self)
        c.tensors, c.small = dict(self.tensors), dict(self.small)
        c.config, c.sides = copy.deepcopy(self.config), copy.deepcopy(self.sides)
        return c

    def write(self, folder):
        kept = {n: data for n, data in self.small.items() if n in self.tensors}
        tensors = [(n, *t) for n, t in self.tensors.items()]
        files.sparse(os.path.join(folder, "model.safetensors"), tensors, self.metadata, kept)
        for name, side in {"config.json": self.config, **self.sides}.items():
            if side is not None:
                json.dump(side, open(os.path.join(folder, name), "w"))


def reconcile(case):
    folder = tempfile.mkdtemp()
    try:
        case.write(folder)
        p = subprocess.run([NUMEL, "reconcile", "--json", folder], capture_output=True)
        return json.loads(p.stdout), p.returncode
    finally:
        shutil.rmtree(folder)


# ---- expectations: (names missing, {name: (expected, actual)}, words of a contradiction) ---------------

SCALES = re.compile(r"(\.scales|_scale_inv|\.absmax)$")
LAYER = re.compile(r"(\.(?:layers|h|blocks))\.(\d+)\.")


STACKED = re.compile(r"(.*\.experts)\.(?:(gate_up)|down)_proj_scale_inv$")


def scales(c):
    """Without those of a weight that was left plain: they are not missed."""
    plain = ("BF16", "F16", "F32")

    def weight(n):
        of = STACKED.match(n)
        if not of or n.removesuffix("_scale_inv") in c.tensors:
            return n.removesuffix("_scale_inv")
        names = ("gate_proj", "w1") if of[2] else ("down_proj", "w2")
        return next((w for w in (f"{of[1]}.0.{x}.weight" for x in names) if w in c.tensors), "")
    return [n for n in c.tensors if SCALES.search(n)
            and (not n.endswith("_scale_inv") or c.tensors.get(weight(n), ("", ()))[0] not in plain)]


def told(c, n):
    return not SCALES.search(n) or n in scales(c)


def known(n):
    """The part of a name that is spelled the same in the spec and the file; for the scales of a stack, its
    experts'."""
    n = n.replace("language_model.", "")  # mlx-vlm has it before "model.", transformers after it
    n = n[LAYER.search(n).start():] if LAYER.search(n) else ".".join(n.split(".")[-3:])
    return re.sub(r"(\.experts)\..*(scale_inv)$", r"\1.*.\2", n)


def values(c):
    return [n for n, (t, s) in c.tensors.items()
            if n.endswith(".qweight") or t.startswith("F8") and "scale" not in n or n + ".absmax" in c.tensors]


def layer_of(name):
    found = LAYER.search(name)
    return int(found[2]) if found else None


def in_layer(name, layer):
    return LAYER.sub(lambda m: f"{m[1]}.{layer}.", name, count=1)


def module(name):
    return re.sub(r"\.(q?weight|_weight_qdata)$", "", name)


def all_scales(c):
    gone = scales(c)
    for n in gone:
        del c.tensors[n]
    return gone, {}, []


def scales_of_one(c):
    gone = scales(c)[:1]
    del c.tensors[gone[0]]
    return gone, {}, []


def scales_of_a_layer(c):
    gone = [n for n in scales(c) if layer_of(n) == 1]
    for n in gone:
        del c.tensors[n]
    return gone, {}, []


def a_row_more(c):
    n = next(n for n in scales(c) if c.tensors[n][1])
    t, s = c.tensors[n]
    c.tensors[n] = (t, (s[0] + 1,) + s[1:])
    return [], {n: (s, c.tensors[n][1])}, []


def scales_as_integers(c):
    n = scales(c)[0]
    t, s = c.tensors[n]
    c.tensors[n] = ("I64", s)
    return [], {n: (s, s)}, []


def cut_in_half(c):
    n = values(c)[0]
    t, s = c.tensors[n]
    c.tensors[n] = (t, (s[0] // 2,) + s[1:])
    return [], {n: (s, c.tensors[n][1])}, []


def value_gone(c):
    if c.layout in SPELT:
        return None
    n = values(c)[0]
    del c.tensors[n]
    return [n], {}, []


def zeros_gone(c):
    gone = [n for n, (_, s) in c.tensors.items() if n.endswith(".qzeros") and s != (0,)]
    for n in gone:
        del c.tensors[n]
    return (gone, {}, []) if gone else None


def index_of_one(c):
    gone = next((n for n in c.tensors if n.endswith(".g_idx")), None)
    if gone:
        del c.tensors[gone]
    return ([gone], {}, []) if gone else None


def sidecar_gone(end):
    def alter(c):
        gone = next((n for n in c.tensors if re.search(end, n) and told(c, n)), None)
        if gone:
            del c.tensors[gone]
        return ([gone], {}, []) if gone else None
    alter.__name__ = "gone " + end
    return alter


def sidecar_longer(end):
    def alter(c):
        n = next((n for n in c.tensors if re.search(end, n) and c.tensors[n][1] and told(c, n)), None)
        if not n:
            return None
        t, shape = c.tensors[n]
        c.tensors[n] = (t, shape[:-1] + (shape[-1] + 1,))
        return [], {n: (shape, c.tensors[n][1])}, []
    alter.__name__ = "longer " + end
    return alter


def stray_scale(c):
    n = next(n for n in c.tensors if SCALES.search(n) and layer_of(n) == 0)
    c.tensors[in_layer(n, "0.nobody")] = c.tensors[n]
    return [], {}, []


def a_layer_more(c):
    layers = 1 + max(layer_of(n) or 0 for n in c.tensors)
    c.tensors.update({in_layer(n, layers): x for n, x in c.tensors.items() if layer_of(n) == 1})
    return [], {}, []


def other_bits(c):
    q = c.quantization() or {}
    if "bits" not in q:
        return None
    was = q["bits"]
    q["bits"] = 8 if was == 4 else 4
    return [], {}, [str(was), str(q["bits"])]


def other_group(c):
    q = c.quantization() or {}
    if not isinstance(q.get("group_size"), int) or not q["group_size"]:
        return None
    was = q["group_size"]
    q["group_size"] = 64 if was == -1 else was * 2
    return [], {}, [str(q["group_size"])]


def other_block(c):
    q = c.quantization() or {}
    if not q.get("weight_block_size"):
        return None
    was = str(q["weight_block_size"][0])
    q["weight_block_size"] = [64, 64] if was == "128" else [128, 128]
    return [], {}, ["64", "128"] if values(c) else []


def other_type(c):
    q = c.quantization() or {}
    if "bnb_4bit_quant_type" not in q:
        return None
    q["bnb_4bit_quant_type"] = "fp4" if q["bnb_4bit_quant_type"] == "nf4" else "nf4"
    return [], {}, []


def double_or_not(c):
    q = c.quantization() or {}
    if "bnb_4bit_use_double_quant" not in q:
        return None
    q["bnb_4bit_use_double_quant"] = not q["bnb_4bit_use_double_quant"]
    return [], {}, []


def state_lies(pattern, instead, *said):
    """The JSON text for bitsandbytes' values, with its length unchanged."""
    def alter(c):
        for n in c.tensors:
            lie = re.sub(pattern, instead, c.small.get(n, b""), count=1) if "quant_state" in n else None
            if lie and lie != c.small[n]:
                c.small[n] = lie
                return [], {}, list(said)
        return None
    alter.__name__ = "state " + instead.decode()
    return alter


def obeys(c, word, key):
    """True if the layout reads this list from the configuration."""
    with open(f"src/data/layouts/{c.layout}.layout") as f:
        return any(line.split()[:2] == [word, key] for line in f)


def listed_plain(key):
    def alter(c):
        if not c.quantization() or not obeys(c, "skip", key):
            return None
        c.quantization()[key] = [module(values(c)[0])]
        return [], {}, ["not quantized"]
    alter.__name__ = key
    return alter


def of_its_own(key, how):
    """Wrong values for single modules: another width, or none."""
    def alter(c):
        q = c.quantization()
        if not q or not obeys(c, "over", key):
            return None
        pattern = ".*" + module(values(c)[0]).rsplit(".", 1)[-1] + "$"
        if how == "-":
            q[key] = {"-:" + pattern: {}}
            return [], {}, ["not quantized"]
        if how == "false":
            q[key] = {pattern: False}
            return [], {}, ["not quantized"]
        if c.layout != "gptq":
            return None
        q[key] = {"+:" + pattern: {"bits": 8 if q["bits"] == 4 else 4}}
        return [], {}, []
    alter.__name__ = key + how
    return alter


def says(only, key, value):
    """A configuration with another method: the file is unidentified, or the statement is wrong."""
    def alter(c):
        q = c.quantization()
        if c.layout != only or not q or (value is None and (key not in q or c.sides)) or q.get(key) == value:
            return None
        if only.startswith("awq") and ("packing_format" in q or "backend" in q):
            return None  # files that repeat it
        q[key] = value
        if value is None:
            del q[key]
        return [], {}, []
    alter.__name__ = f"says {key} {value}"
    alter.in_part = True
    return alter


def other_method(c):
    q = c.quantization() or {}
    if "quant_method" not in q:
        return None
    q["quant_method"] = "fp8" if q["quant_method"] != "fp8" else "gptq"
    q.setdefault("weight_block_size", [128, 128])
    return [], {}, []


other_method.in_part = True  # eight bits with undescribed scales are ambiguous


def size(key, more):
    def alter(c):
        if not isinstance(c.config.get(key), int) or (key == "intermediate_size" and
                                                      "moe_intermediate_size" in c.config):
            return None
        if key == "moe_intermediate_size" and not any("experts" in n for n in c.tensors):
            return None  # all layers are dense
        if key == "num_key_value_heads" and "kv_lora_rank" in c.config:
            return None  # a latent belongs to all of them
        c.config[key] = more(c.config[key])
        return [], {}, []
    alter.__name__ = key
    return alter


ALTERATIONS = [
    all_scales, scales_of_one, scales_of_a_layer, a_row_more, scales_as_integers, cut_in_half, value_gone,
    zeros_gone, index_of_one, stray_scale, a_layer_more, other_bits, other_group, other_block, other_type,
    double_or_not, other_method,
    *(f(e) for e in (r"\.qzeros$", r"\.absmax$", r"\.nested_absmax$", r"\.quant_map$", r"\.nested_quant_map$",
                     r"_scale_inv$") for f in (sidecar_gone, sidecar_longer)),
    sidecar_gone(r"\.quant_state\."), sidecar_longer(r"\.g_idx$"),
    state_lies(rb'"blocksize": 64', b'"blocksize": 32', "32", "64"),
    state_lies(rb'"quant_type": "nf4"', b'"quant_type": "fp4"', "fp4", "nf4"),
    state_lies(rb'"shape": \[\d', b'"shape": [9'), state_lies(rb'(\d)\]', b'7]'),
    listed_plain("modules_to_not_convert"), listed_plain("ignored_layers"),
    *(of_its_own(key, how) for key in ("dynamic", "extra_config") for how in ("-", "+", "false")),
    says("gptq", "checkpoint_format", "marlin"), says("gptq", "is_marlin_format", True),
    says("gptq", "packing_format", "auto_round:auto_awq"), says("fp8-block", "weight_block_size", None),
    says("bnb4", "load_in_4bit", False),
    says("exl3", "codebook", "mcg"), says("exl3", "codebook", "mul1"),
    says("awq", "version", "gemv"), says("awq", "backend", "llm-awq"), says("awq", "quant_method", "auto-round"),
    says("awq-gemv", "version", "gemm"), says("awq-gemv-fast", "version", "gemv"), says("awq-marlin", "version", "gemm"),
    size("intermediate_size", lambda n: n * 2), size("moe_intermediate_size", lambda n: n * 2),
    size("num_key_value_heads", lambda n: n * 2), size("vocab_size", lambda n: n + 64),
    size("num_hidden_layers", lambda n: n + 1), size("hidden_size", lambda n: n * 2),
]


# ---- valid variations by writers: they must agree too ----------------------------------------------


def no_index(c):
    """AutoGPTQ without act-order, older ones: no group indices at all."""
    if c.layout != "gptq" or not any(n.endswith(".g_idx") for n in c.tensors) or c.quantization().get("desc_act"):
        return False
    c.tensors = {n: t for n, t in c.tensors.items() if not n.endswith(".g_idx")}


def storage(dtype, size, said):
    """bitsandbytes keeps n values of 4 bits in any type: ceil(n / 2 / size) of them."""
    def vary(c):
        if c.layout != "bnb4":
            return False
        for n in [n for n in c.tensors if n + ".absmax" in c.tensors]:
            t, (count, one) = c.tensors[n]
            count *= {"U8": 1, "BF16": 2, "F16": 2, "F32": 4}[t]  # bytes
            c.tensors[n] = (dtype, (-(-count // size), one))
        c.quantization()["bnb_4bit_quant_storage"] = said
    vary.__name__ = "storage " + said
    return vary


def static(c):
    """An activation scale for each weight, as transformers' static FP8 stores it."""
    if c.layout != "fp8-block" or any(STACKED.match(n) for n in c.tensors):
        return False
    for n in [n for n in c.tensors if n.endswith("_scale_inv")]:
        c.tensors[n.replace(".weight_scale_inv", ".activation_scale")] = ("F32", ())


def unsaid(c):
    """No quantization configuration: the shapes suffice."""
    if not c.quantization() or len(scales(c)) < sum(bool(SCALES.search(n)) for n in c.tensors):
        return False  # scales next to plain weights mean something only if a configuration states it
    if bytes_of_less(c) or (c.layout == "bitnet" and not any(t == "U8" for t, _ in c.tensors.values())):
        return False
    c.config.pop("quantization_config", None)
    c.sides = {}


VARIANTS = [no_index, storage("U8", 1, "uint8"), storage("BF16", 2, "bfloat16"), storage("F16", 2, "float16"),
            storage("F32", 4, "float32"), storage("F64", 8, "float64"), static, unsaid]


def vary(case, variant):
    c = case.copy()
    return None if variant(c) is False else c


def judge_variant(case, variant):
    c = vary(case, variant)
    if c is None:
        return False
    answer, status = reconcile(c)
    if variant is unsaid and status == 4 and " may be " in answer["verdict"]:
        return None  # several ways to store the same weights, each stated
    return None if answer.get("agrees") and status == 0 else f"exit {status}, {answer.get('verdict')}"


def static_broken(how):
    """One of the activation scales that all weights have is missing, or has another size."""
    def alter(c):
        if static(c) is False:
            return None
        n = next(n for n in (module(v) + ".activation_scale" for v in values(c)) if n in c.tensors)
        if how == "gone":
            del c.tensors[n]
            return [n], {}, []
        c.tensors[n] = ("F32", (2,)) if how == "longer" else ("I32", ())
        return [], {n: ((), c.tensors[n][1])}, []
    alter.__name__ = "activation scale " + how
    return alter


def without_value(variant):
    """The same fault in a valid variation."""
    def alter(c):
        return None if variant(c) is False else value_gone(c)
    alter.__name__ = variant.__name__ + ", value gone"
    return alter


ALTERATIONS += [without_value(v) for v in VARIANTS if v.__name__.startswith("storage")]
ALTERATIONS += [static_broken("gone"), static_broken("longer"), static_broken("integer")]


ALTERATIONS += layout_lists.LIES
VARIANTS += layout_lists.HEALTHY


ALTERATIONS += NEIGHBOURS
NEEDS = {a: lambda c: True for a in layout_lists.LIES} | {a: scales for a in (all_scales, scales_of_one, scales_of_a_layer, a_row_more, scales_as_integers, stray_scale)}


def altered(case, alter):
    """A copy and its expected report; None if the alteration does not apply."""
    c = case.copy()
    try:
        return c, alter(c) if alter in NEIGHBOURS or NEEDS.get(alter, values)(c) else None
    except (StopIteration, IndexError):  # nothing there to alter
        return c, None


def judge_lie(case, change):
    c = case.copy()
    change(c)
    answer, status = reconcile(c)
    if answer.get("agrees") is not False or status != 1:
        return f"exit {status}, agrees {answer.get('agrees')}, {answer.get('verdict')}"
    return None


def judge(case, alter):
    """None if it is reported as expected, else the error; False if it does not apply."""
    c, wanted = altered(case, alter)
    if wanted is None:
        return False
    missing, shapes, words = wanted
    answer, status = reconcile(c)
    silent = alter is all_scales and not c.quantization()  # 8-bit floats without a statement that they had scales
    silent |= alter is zeros_gone and not c.quantization()  # words without a statement that they had zero points
    silent |= getattr(alter, "in_part", False) and status == 4
    broken = status == 1 and (answer.get("verdict") or "").startswith("invalid configuration")  # no model can be built from it
    unknown = silent and answer.get("agrees") is None  # OpenAI's own configuration states no architecture: only its scales identify it
    if ((answer.get("agrees") is not False and not unknown) or status != (4 if silent else 1)) and not broken:
        return f"exit {status}, agrees {answer.get('agrees')}, {answer.get('verdict')}"
    if silent or broken:
        return None
    there, missing = {known(m["name"]) for m in answer["missing"]}, {known(n) for n in missing}
    if not missing <= there:
        return f"not missing: {sorted(missing - there)[:2]}"
    off = {m["name"]: (tuple(m["expected"]), tuple(m["actual"])) for m in answer["mismatched"]}
    for name, both in shapes.items():
        squeezed = case.name.startswith("lib-fp8")  # transformers drops axes of 1: either is accepted
        if off.get(name) != both and not (squeezed and name in off and off[name][1] == both[1]):
            return f"{name}: {off.get(name)}, wanted {both}"
    texts = [x["text"] for x in answer["contradictions"]]
    if any(re.search(r"says (.{3,60}?), .* (?:say|show)s? \1(?:$|[ :])", t) for t in texts):
        return f"the same on both sides: {texts}"
    said = " ".join(texts) + json.dumps(answer["mismatched"])
    return next((f"{w!r} is not reported" for w in words if w not in said), None)


def smallest(proven, most=4):
    """A limited number of small cases for each layout: neighbours are many, and independent of size."""
    by = collections.defaultdict(list)
    for c in sorted(proven, key=lambda c: len(c.tensors)):
        by[c.layout].append(c)
    return [c for of in by.values() for c in of[:most]]


def main():
    only = [a for a in sys.argv[1:] if a != "-v"]
    folder = packed.unpack()
    cases = [Case(os.path.join(folder, d)) for d in sorted(os.listdir(folder))
             if os.path.exists(os.path.join(folder, d, "config.json"))
             and os.path.exists(os.path.join(folder, d, "model.safetensors"))
             and (not only or any(w in d for w in only))]
    tally, bad, by = collections.Counter(), 0, collections.Counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        proven, held = [], set()
        for c, (answer, status) in zip(cases, pool.map(reconcile, cases)):
            c.layout = (answer.get("quantization") or {}).get("layout")
            if answer.get("agrees") and c.layout:
                proven.append(c)
                held.update(k["layout"] for k in answer["quantization"]["kinds"])
        few = smallest(proven)
        jobs = [(judge, c, a) for c in proven for a in ALTERATIONS if a not in NEIGHBOURS or c in few]
        jobs += [(judge_variant, c, v) for c in proven for v in VARIANTS]
        jobs += [(judge_lie, c, lie) for name, lie in LIES for c in proven if c.name == name]
        lies = sum(f is judge_lie for f, _, _ in jobs)
        jobs = [j for i, j in enumerate(jobs) if zlib.crc32(b"%d" % i) % EVERY == 0]  # no stride: it would pick the same ones again
        for (_, c, a), wrong in zip(jobs, pool.map(lambda j: j[0](*j[1:]), jobs)):
            if wrong is False:
                continue
            tally[c.layout] += 1
            by[a.__name__] += 1
            if wrong:
                bad += 1
                print(f"FAIL {c.name} [{c.layout}], {a.__name__}: {wrong}")
    if lies < len(LIES) and not only:
        bad += 1
        print(f"FAIL {lies} of {len(LIES)} lies have a case")
    if "-v" in sys.argv:
        print(", ".join(f"{a} {n}" for a, n in sorted(by.items())))
    kinds = {os.path.basename(f).removesuffix(".layout") for f in glob.glob("src/data/layouts/*.layout") if "\nopaque" not in open(f).read()}
    for name in sorted(kinds - held - set(ELSEWHERE)) if not only else ():
        bad += 1
        print(f"FAIL no case is proven by {name}")
    if len(proven) < CASES and not only:
        bad += 1
        print(f"FAIL {len(proven)} cases are proven, {CASES} were")
    print("layouts: " + ", ".join(f"{l} {n}" for l, n in sorted(tally.items())))
    print(f"{sum(tally.values()) - bad} passed, {bad} failed")
    return 1 if bad or not tally else 0


if __name__ == "__main__":
    sys.exit(main())
