"""layout_neighbours.py -- configurations next to that of a checkpoint which a layout proves, and false: layouts.py runs them.

Nothing here knows a quantizer. Each number and word of the quantization's configuration that bits, groups, types or the method
rest on says something else, wherever it stands; a list of modules that stay plain holds one that is packed. SILENT are
the parts that say nothing of what is stored.
"""
import re

FLOATS = ("BF16", "F16", "F32", "F64")
BITS = ("bits", "num_bits", "w_bit", "nbits", "weight_bits")
GROUPS = ("group_size", "q_group_size")
SILENT = ("input_activations", "output_activations", "kv_cache_scheme", "meta", "extra_config", "dynamic")
WORDS = {  # what else a key may say, that is something else
    "quant_algo": ("FP8", "NVFP4", "W4A16_AWQ", "W8A8_SQ_PER_CHANNEL", "MXFP8", "FP8_PB_WO", "mxfp4",
                   "FP8_PER_CHANNEL_PER_TOKEN", "W4A8_AWQ"),
    "strategy": ("channel", "tensor", "group", "block"),
    "format": ("pack-quantized", "float-quantized", "int-quantized", "nvfp4-pack-quantized", "mxfp8-quantized", "mxfp4-pack-quantized"),
    "type": ("int", "float"),
    "quant_method": ("gptq", "fp8", "modelopt", "compressed-tensors", "awq", "bitsandbytes", "hqq"),
    "weight_scale_method": ("row", "tensor", "block"),
}


def beside(c, name):
    """Does it lie beside a weight that is stored otherwise?"""
    module = re.sub(r"\.weight$", "", name)
    ends = re.search(r"(scale|zero|absmax|quant_map|g_idx|shape|scales|sv|su|zeros|biases)", name[len(module) - 24:])
    return bool(ends) and not name.endswith("norm.weight")


def places(c):
    """(object, key, value) of the configuration's quantization, wherever it stands."""
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
    """Integers of fewer than 8 bits, a byte each: nothing but the configuration tells how many."""
    q = str(c.config.get("quantization_config"))
    return re.search("int-quantized|naive-quantized", q) and "'type': 'int'" in q and "'strategy': 'group'" in q


def says(keys, value):
    """All that say it say another."""
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
    """A module that is packed stands among those that are not."""
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


NEIGHBOURS = [says(BITS, b) for b in (2, 3, 4, 5, 6, 8)] + [says(GROUPS, g) for g in (16, 32, 64, 128, 256)]
NEIGHBOURS += [word(k, v) for k, values in WORDS.items() for v in values]
NEIGHBOURS += [listed(k) for k in ("ignore", "exclude_modules", "modules_to_not_convert", "ignored_layers", "exclude")]
