"""layout_lists.py -- lists of modules in a configuration, compared with the file; layouts.py runs it on every
proven case.

A packed module is stored plain (with the shape that its layout implies). If the loader packs every unlisted
module, that must not agree until a list names it; if the loader inspects the tensors, or packs by another rule, it
agrees. A list that names a packed module must not agree.
"""
import re

PACKED = re.compile(r"\.(qweight|weight_packed|weight)$")
BLOCK = re.compile(r"\.(?:layers|h|blocks)\.(\d+)\.")
PLAIN = ("BF16", "F16", "F32")
MAIN = re.compile(r"(self_attn|attention)\.[qkvo]_proj$|\.mlp\.(gate|up|down)_proj$")
LISTED = {"compressed-tensors": "ignore", "modelopt": "ignore", "gptq": "dynamic", "awq": "modules_to_not_convert", "auto-round": "extra_config",
          "bitsandbytes": "llm_int8_skip_modules", "metal": "modules_to_not_convert"}


def method(c):
    q = c.quantization() or {}
    return q.get("quant_method") or ("mlx" if c.layout.startswith("mlx") else None)


def sidecars(c, m):
    return [n for n in c.tensors if n.startswith(m + ".") and n != m + ".bias" or n.startswith(m + "_")]


def plain_shape(c, m):
    """[out, in] of a packed module; None if the arithmetic of its layout is unknown here."""
    q, t, small = c.quantization() or {}, c.tensors, c.small
    if m + ".weight_shape" in t:
        data = small.get(m + ".weight_shape", b"")
        size = len(data) // 2
        return tuple(int.from_bytes(data[i * size:(i + 1) * size], "little") for i in range(2)) if any(data) else None
    if m + ".weight_packed" in t and t[m + ".weight_packed"][0] == "U8":
        rows, columns = t[m + ".weight_packed"][1]
        return rows, 2 * columns
    if m + ".g_idx" in t:
        return t[m + ".qweight"][1][1], t[m + ".g_idx"][1][0]
    if c.layout == "awq":
        return t[m + ".scales"][1][1], t[m + ".qweight"][1][0]
    state = next((small[n] for n in small if n.startswith(m + ".weight.quant_state.")), b"")
    shape = re.search(rb'"shape": \[(\d+), (\d+)\]', state)
    if shape:
        return int(shape[1]), int(shape[2])
    if c.layout in ("mlx", "metal") and m + ".scales" in t and t[m + ".weight"][0] == "U32":
        rows, groups = t[m + ".scales"][1]
        return rows, groups * q.get(m, q)["group_size"]
    if c.layout in ("mlx", "bnb4") or m + ".weight" not in t:
        return None
    dtype, shape = t[m + ".weight"]
    if len(shape) != 2 or dtype not in ("U8", "F8_E4M3", "I8"):
        return None
    return (shape[0], 2 * shape[1]) if c.layout == "modelopt-nvfp4" else tuple(shape) if dtype != "U8" else None


def modules(c):
    """The packed modules in blocks that every such loader packs, with their plain shapes."""
    found = {}
    for n in c.tensors:
        m = PACKED.sub("", n)
        if m != n and BLOCK.search(n) and MAIN.search(m) and c.tensors[n][0] not in PLAIN and plain_shape(c, m):
            found[m] = plain_shape(c, m)
    return found


def store_plain(c, names):
    shapes = modules(c)
    for m in names:
        for n in sidecars(c, m):
            del c.tensors[n]
        if c.config.get("model_type") == "llama":  # GPTQ writes biases that the model lacks
            c.tensors.pop(m + ".bias", None)
        c.tensors[m + ".weight"] = ("BF16", shapes[m])


def by_list(c):
    """True if its loader packs every unlisted module."""
    q = c.quantization() or {}
    if q.get("modules_in_block_to_quantize") or q.get("config_groups") is None and method(c) == "compressed-tensors":
        return False
    if method(c) == "awq" and q.get("modules_to_not_convert") is None or c.layout == "ct-sparse24":
        return False
    mixed = (q.get("quant_algo") or "").lower() == "mixed_precision"
    return method(c) in LISTED and method(c) != "bitsandbytes" and not mixed and "comfy" not in c.layout


def one_of(c):
    m = sorted(modules(c))
    return [m[len(m) // 2]] if len(m) > 1 else []


def name_it(c, names):
    q, key = c.quantization(), LISTED[method(c)]
    if key == "ignore" and "ignore" not in q and "exclude_modules" in q:
        key = "exclude_modules"
    for m in names:
        if key == "dynamic":
            q[key] = {"-:" + m.replace(".", r"\."): {}, **(q.get(key) or {})}
        elif key == "extra_config":
            q.setdefault(key, {})[m] = {"bits": 16, "data_type": "float"}
        else:
            q[key] = (q.get(key) or []) + [m]


# ---- what must not agree ---------------------------------------------------------------------------


def one_left_plain(c):
    names = one_of(c)
    if not names or not by_list(c):
        return None
    store_plain(c, names)
    return [], {}, ["does not list " + names[0]]


def attention_left_plain(c):
    names = [m for m in modules(c) if "att" in m]
    if not names or len(names) == len(modules(c)) or not by_list(c):
        return None
    store_plain(c, names)
    return [], {}, ["does not list"]


def named_and_packed(c):
    names = one_of(c)
    if method(c) == "mlx":
        packed = sorted(n[:-7] for n in c.tensors if n.endswith(".scales"))
        c.config["quantization"][packed[0]] = False
        c.config.get("quantization_config", {})[packed[0]] = False
        return [], {}, ["as not quantized"]
    if method(c) == "bitsandbytes" and c.layout in ("bnb4", "bnb8"):
        names = sorted(n[:-7] for n, (t, s) in c.tensors.items() if n.endswith(".weight") and t in ("U8", "I8") and BLOCK.search(n))[:1]
    if not names or method(c) not in LISTED or "gptqmodel" in c.layout:
        return None
    name_it(c, names)
    return [], {}, ["as not quantized"] if method(c) in ("bitsandbytes", "compressed-tensors", "modelopt", "awq") else []


LIES = [one_left_plain, attention_left_plain, named_and_packed]


# ---- what must agree -------------------------------------------------------------------------------


def left_and_named(c):
    names = one_of(c)
    if not names or not by_list(c):
        return False
    store_plain(c, names)
    name_it(c, names)


def attention_left_and_named(c):
    names = [m for m in modules(c) if "att" in m]
    if not names or len(names) == len(modules(c)) or not by_list(c):
        return False
    store_plain(c, names)
    name_it(c, names)


def named_by_a_pattern(c):
    names = one_of(c)
    key = {"compressed-tensors": "ignore", "gptq": "dynamic", "modelopt": "ignore"}.get(method(c))
    if not names or not by_list(c) or not key or (key == "ignore" and key not in c.quantization()):
        return False
    store_plain(c, names)
    tail = names[0].split(".", 1)[1]
    if key == "dynamic":
        c.quantization()[key] = {"-:.*" + tail: {}, **(c.quantization().get(key) or {})}
    else:
        c.quantization()[key].append("re:.*" + tail if method(c) == "compressed-tensors" else "*" + tail)


def named_under_another_prefix(c):
    """The modules' names in memory, with a part wrapped."""
    names = one_of(c)
    if not names or not by_list(c) or method(c) != "compressed-tensors":
        return False
    store_plain(c, names)
    c.quantization()["ignore"] = c.quantization().get("ignore", []) + ["model.language_model." + names[0].split(".", 1)[1]]


def awq_without_a_list(c):
    names = one_of(c)
    if method(c) != "awq" or not names:
        return False
    store_plain(c, names)
    c.quantization()["modules_to_not_convert"] = None


def gptq_of_some(c):
    """modules_in_block_to_quantize: the others stay plain."""
    names = [m for m in modules(c) if "mlp" in m]
    if method(c) != "gptq" or not names or len(names) == len(modules(c)):
        return False
    store_plain(c, names)
    c.quantization()["modules_in_block_to_quantize"] = [["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"], ["self_attn.o_proj"]]


def target_that_meets_none(c):
    """A group of other modules: a module that no target matches stays plain."""
    names = [m for m in modules(c) if m.endswith("mlp.down_proj")]
    q = c.quantization() or {}
    groups = q.get("config_groups") or {}
    if method(c) != "compressed-tensors" or not names or list(g.get("targets") for g in groups.values()) != [["Linear"]]:
        return False
    if any(not m.endswith("mlp.down_proj") and re.sub(r"\.mlp\..*|\.self_attn\..*", "", m) not in m for m in modules(c)):
        return False
    store_plain(c, names)
    group = next(iter(groups.values()))
    packed = {PACKED.sub("", n) for n, (t, s) in c.tensors.items() if PACKED.search(n) and t not in PLAIN}
    group["targets"] = sorted(packed)


def left_where_tensors_decide(c):
    """The loaders of MLX and bitsandbytes inspect the tensors."""
    names = one_of(c)
    if c.layout not in ("mlx", "bnb4", "bnb8") or not names or not c.quantization():
        return False
    store_plain(c, names)


HEALTHY = [left_where_tensors_decide, left_and_named, attention_left_and_named, named_by_a_pattern, named_under_another_prefix, awq_without_a_list, gptq_of_some,
           target_that_meets_none]
