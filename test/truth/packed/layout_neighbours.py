"""layout_neighbours.py -- neighbours of a checkpoint that a layout proves, which it must not prove; layouts.py
runs it on every proven case.

Nothing here is specific to a quantizer. For each kind of tensor (its name without the numbers), except weights in
plain floats, one is removed, enlarged, given an extra axis, given another type; then all of the kind are. Each
number and word in the quantization's configuration that determines bits, groups and types gets another value.
OPTIONAL lists kinds that a writer may omit everywhere, SILENT keys that do not affect what is stored.
"""
import re

FLOATS = ("BF16", "F16", "F32", "F64")
OPTIONAL = re.compile(r"(\.g_idx|_g_idx|\.bias|input_scale|pre_quant_scale|activation_scale|[kv]_scale|input_scale_ub|svdquant_lora_.)$")
FREE = {  # (layout, end of a name): of one layout only
    "awq-marlin": ".workspace", "gptq-marlin": ".workspace", "gptq-marlin-24": ".workspace", "bnb8": ".weight_format",
    "comfy-fp8": ".scaled_fp8", "comfy-fp8-marked": ".comfy_quant",  # without their markers the values mean the same
}
BITS = ("bits", "num_bits", "w_bit", "wbits", "nbits", "weight_bits")
SPELT = ("eetq", "fp8-e8m0", "gguf-blocks")  # the other of two spellings, or the plain weight, may be missing
GROUPS = ("group_size", "q_group_size")
COUNTS = ("in_group_size", "out_group_size", "num_codebooks", "nbits_per_codebook", "head_bits")
SILENT = ("input_activations", "output_activations", "kv_cache_scheme", "meta", "extra_config", "dynamic")
WORDS = {  # other values of a key, which must not be equivalent
    "quant_algo": ("FP8", "NVFP4", "W4A16_AWQ", "W8A8_SQ_PER_CHANNEL", "MXFP8", "FP8_PB_WO", "mxfp4",
                   "FP8_PER_CHANNEL_PER_TOKEN", "W4A8_AWQ"),
    "strategy": ("channel", "tensor", "group", "block"),
    "format": ("pack-quantized", "float-quantized", "int-quantized", "nvfp4-pack-quantized", "mxfp8-quantized", "mxfp4-pack-quantized"),
    "type": ("int", "float"),
    "quant_method": ("gptq", "fp8", "modelopt", "compressed-tensors", "awq", "bitsandbytes", "hqq"),
    "weight_scale_method": ("row", "tensor", "block"),
}


def kind(name):
    return re.sub(r"(?<=\.)\d+(?=\.)", "N", name)


def kinds(c):
    """{kind: names}, except plain float weights."""
    found = {}
    for n in sorted(c.tensors):
        found.setdefault(kind(n), []).append(n)
    return {k: v for k, v in found.items() if any(c.tensors[n][0] not in FLOATS for n in v) or beside(c, v[0])}


def beside(c, name):
    """True if the weight it belongs to is stored in another form."""
    module = re.sub(r"\.weight$", "", name)
    ends = re.search(r"(scale|zero|absmax|quant_map|g_idx|shape|scales|sv|su|zeros|biases)", name[len(module) - 24:])
    return bool(ends) and not name.endswith("norm.weight")


def of_a_plain(c, name):
    """Belongs to a weight that was left in floats: optional."""
    weight = re.sub(r"_?(weight_)?scale(_inv)?$", "", name)
    return any(c.tensors.get(w, ("", ()))[0] in FLOATS for w in (weight, weight.rstrip(".") + ".weight"))


def free(c, k, names):
    """A writer may omit all of a kind."""
    if k.endswith(".g_idx") and (c.quantization() or {}).get("desc_act"):
        return False
    if c.layout == "exl3" and k.endswith((".mcg", ".mul1")):
        return "codebook" not in c.quantization()
    empty = all(c.tensors[n][1] == (0,) for n in names)
    return empty or bool(OPTIONAL.search(k)) or ("." + k).endswith(FREE.get(c.layout, "\n"))


def nth(number, how):
    """Alters one tensor of the kind with this number, the last, so that others still prove the layout."""
    def alter(c):
        of = list(kinds(c).items())
        return how(c, *of[number]) if number < len(of) else None
    alter.__name__ = f"{how.__name__} {number}"
    return alter


def one_gone(c, k, names):
    if len(names) < 2 or k.endswith(".bias") or re.search(r"[kv]_scale$", k) or of_a_plain(c, names[-1]):
        return None
    if c.layout == "comfy-fp8-marked" and k.endswith(("comfy_quant", "input_scale")):
        return None
    del c.tensors[names[-1]]
    return [] if c.layout in SPELT else [names[-1]], {}, []


def all_gone(c, k, names):
    if free(c, k, names) or all(of_a_plain(c, n) for n in names):
        return None
    for n in names:
        del c.tensors[n]
    return [], {}, []


def one_longer(c, k, names):
    t, shape = c.tensors[names[-1]]
    if k.endswith(".bias") or not shape or "quant_state" in k or "comfy_quant" in k:
        return None
    c.tensors[names[-1]] = (t, shape[:-1] + (shape[-1] + 1,))
    c.small.pop(names[-1], None)
    return [], {}, []


def one_axis_more(c, k, names):
    t, shape = c.tensors[names[-1]]
    c.tensors[names[-1]] = (t, (*shape, 2))
    c.small.pop(names[-1], None)
    return [], {}, []


def one_of_another_type(c, k, names):
    t, shape = c.tensors[names[-1]]
    c.tensors[names[-1]] = ("I16" if t != "I16" else "I64", shape)
    c.small.pop(names[-1], None)
    return [], {}, []


def places(c):
    """(object, key, value) of the configuration's quantization, wherever it is."""
    q = c.config.get("quantization_config") or c.config.get("quantization") or c.config.get("compression_config")
    todo, out = [q] if q else list(c.sides.values()), []
    while todo:
        at = todo.pop()
        if isinstance(at, list):
            todo += [x for x in at if isinstance(x, (dict, list))]
            continue
        for key, value in at.items():
            if key in SILENT:
                continue
            if isinstance(value, (dict, list)):
                todo.append(value)
            out.append((at, key, value))
    return out


def bytes_of_less(c):
    """Integers of fewer than 8 bits, one per byte: only the configuration states the width."""
    q = str(c.config.get("quantization_config"))
    return re.search("int-quantized|naive-quantized", q) and "'type': 'int'" in q and "'strategy': 'group'" in q


def says(keys, value):
    """Changes every statement of it."""
    def alter(c):
        of = [(at, key) for at, key, was in places(c)
              if key in keys and isinstance(was, int) and not isinstance(was, bool) and was != value]
        if of and value != 8 and bytes_of_less(c):
            return None
        for at, key in of:
            at[key] = value
        return ([], {}, []) if of else None
    alter.__name__ = f"{keys[0]} {value}"
    alter.in_part = True
    return alter


def word(key, value):
    def alter(c):
        of = [at for at, k, was in places(c) if k == key and isinstance(was, str) and was.lower() != value.lower()
              and was.lower() in (v.lower() for v in WORDS[key])]
        for at in of:
            at[key] = value
        return ([], {}, []) if of else None
    alter.__name__ = f"{key} says {value}"
    alter.in_part = True
    return alter


def listed(key):
    """Moves a packed module to the list of unpacked ones."""
    def alter(c):
        of = [(at, was) for at, k, was in places(c) if k == key and isinstance(was, list)]
        packed = [n for n in c.tensors if c.tensors[n][0] not in FLOATS and not beside(c, n) and n.endswith(".weight")]
        if not of or not packed:
            return None
        for at, was in of:
            at[key] = was + [packed[0].removesuffix(".weight")]
        return [], {}, []
    alter.__name__ = f"{key} lists one"
    return alter


KINDS = 40
NEIGHBOURS = [nth(i, how) for i in range(KINDS)
              for how in (one_gone, all_gone, one_longer, one_axis_more, one_of_another_type)]
NEIGHBOURS += [says(BITS, b) for b in (2, 3, 4, 5, 6, 8)] + [says(GROUPS, g) for g in (16, 32, 64, 128, 256)]
NEIGHBOURS += [says((k,), n) for k in COUNTS for n in (1, 2, 3, 4, 8, 16)]
NEIGHBOURS += [word(k, v) for k, values in WORDS.items() for v in values]
NEIGHBOURS += [listed(k) for k in ("ignore", "exclude_modules", "modules_to_not_convert", "ignored_layers", "exclude")]
