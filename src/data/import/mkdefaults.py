#!/usr/bin/env python3
"""usage: mkdefaults.py [OLD.table] > defaults.table

The values that the configuration classes of the installed transformers assume for keys missing from
config.json, one line a class; formula/defaults.c reads it. Needs transformers, which neither the build nor
a test does:

    venv/bin/python src/data/import/mkdefaults.py src/data/classes/defaults.table > new.table

A default is the value in the class. It is null, and omitted, if the class derives the value from others
(head_dim from hidden_size / num_attention_heads); the derived value is written as
`key~hidden_size,num_attention_heads=value` and holds while those keys have their defaults. Kinds of values
that a class accepts by its type annotations (`key!KINDS`, with the words of kinds.py) are computed anew;
`key/other`, found by mkshares.py, is kept. If an owner makes a nested configuration with values that
differ from the defaults of its class (DETR's backbone has four out_indices), that has a line of its own,
named OWNER.KEY. It holds if the nested configuration is missing, and with `_given` also for missing keys
of one that is given. Values of the old table are kept: older files were written with them.
"""
import dataclasses, inspect, json, re, sys, types, typing

import kinds as words_of_kinds
import tables

HEADER = """# model_type Class key=default... key~others=default key@name key>model_type key/other key!KINDS
# Made by mkdefaults.py from the configuration classes of Hugging Face transformers.
#
# key=default          its value if config.json lacks the key
# key~others=default   the same, derived by the class from the other keys: holds while these have their defaults
# key@name             another name of the key
# key>model_type       the key holds a configuration of that model type, which has a line of its own
# key/other            it must divide the other key, or each of its items if that is a list
""" + words_of_kinds.HEADER

# Never a size, in any class.
DROP = re.compile(r"_token_id$|_token_index$|initializer|^init_|_std$|^use_cache$|_loss|^loss|_cost$|coef|temperature|"
                  r"^forced_|suppress_tokens|beam|penalty|^output_(att|hid|router)|^return_")
KEEP = re.compile(r"^pad_token_id$|^eos_token_id$|layer_scale|^init_values$|^loss_weighting|^visual_\w+_loss$|^(width|depth)_coefficient$")
# Keys whose absence shows an older class, which built something else without them.
UNSAID = {("glm_moe_dsa", "index_n_heads"),
          # the class replaces even its own default
          ("blt_local_encoder", "intermediate_size"), ("blt.encoder_config", "intermediate_size")}
# Values of older classes that no known file omits.
PASSED = {("longcat_flash", "num_hidden_layers")}
# Keys that may be null although the class refuses it: configurations of the model's own, older code have
# null.
NULL = {("exaone", "intermediate_size")}
# Keys for which every spec has its own rule if they are missing.
OWN = re.compile(r"^(head_dim|num_key_value_heads|stage_names)$")
PLAIN = (bool, int, float, str)


def plain(value):
    """True if a formula can compute with it, as one word without blanks."""
    if "Infinity" in json.dumps(value, default=str):
        return False
    if isinstance(value, (list, tuple)):
        return (len(value) <= 64 and " " not in json.dumps(value, default=str, separators=(",", ":")) and
                all(isinstance(x, PLAIN) or isinstance(x, (list, tuple)) and plain(x) for x in value))
    return isinstance(value, PLAIN) and not (isinstance(value, str) and (" " in value or len(value) > 64))


def kept(key, value):
    return plain(value) and (not DROP.search(key) or bool(KEEP.search(key)))


def fields(cls):
    """The defaults of a class: a dataclass, as all are in transformers 5."""
    from transformers import PretrainedConfig
    general = {f.name: f.default for f in dataclasses.fields(PretrainedConfig)}
    for f in dataclasses.fields(cls):
        value = f.default if f.default_factory is dataclasses.MISSING else f.default_factory()
        if value is not dataclasses.MISSING and not (f.name in general and general[f.name] == value):
            yield f.name, value


def kinds(hint):
    """The values that an annotation accepts, as kinds of JSON; None if it does not state them."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        parts = [kinds(x) for x in typing.get_args(hint)]
        return None if None in parts else set().union(*parts)
    if origin is typing.Literal:
        return {"text" if isinstance(x, str) else "int" for x in typing.get_args(hint)}
    plain_kinds = {type(None): "null", bool: "bool", int: "int", float: "float", str: "text", list: "list", tuple: "list", dict: "object"}
    found = plain_kinds.get(origin or hint)
    return {found} if found else None


def accepted(cls):
    """{key: kinds}, with the words of kinds.py. Python accepts true and false as numbers, and a whole number as a
    float."""
    from transformers import PretrainedConfig
    general = {f.name for f in dataclasses.fields(PretrainedConfig)}
    out = {}
    for f in dataclasses.fields(cls):
        taken = kinds(f.type) if f.name not in general else None
        if not taken or taken <= {"object", "null"}:
            continue
        if taken & {"int", "float", "bool"}:
            taken = taken | {"whole" if "int" in taken and "float" not in taken else "number"}
        out[f.name] = [k for k in ("null", "object", "text", "number", "whole", "list") if k in taken]
    return out


def built(cls):
    """An instance with all defaults; None if the class cannot be built with them."""
    try:
        return cls()
    except Exception:  # a class may refuse its own defaults with any exception
        return None


class Table:
    """Lines by model type: the class, values, nested classes, other names."""

    def __init__(self):
        self.lines = {}

    def read(self, path):
        for line in tables.read(path):
            words = line.split()
            if line[0] != "#" and words:
                said = [re.match(r"([\w.\-]+)([=>@~/!])(.*)", w).groups() for w in words[2:]]
                self.lines[words[0]] = [words[1], {k + sign: v for k, sign, v in said if sign not in "~!" and (words[0], k) not in PASSED}]

    def put(self, name, cls, words):
        """Adds a class, and keeps known values: files that omit a key were written when the class had that
        value. If the class of a nested configuration has changed, today's is used."""
        line = self.lines.setdefault(name, [cls, {}])
        line[0] = cls
        for key, value in words.items():
            if key[-1] != "=" or key not in line[1]:
                line[1][key] = value

    def write(self):
        print(HEADER)
        for name, (cls, words) in sorted(self.lines.items()):
            if words:
                print(name, cls, *(k + v for k, v in sorted(words.items(), key=lambda w: (w[0][-1] != "=", w[0]))))


def nested(config):
    from transformers import PretrainedConfig
    return {k: v for k, v in vars(config).items() if isinstance(v, PretrainedConfig)}


def others(value):
    """Values like this one that a field could have instead; without a value, a plausible size, number, list,
    flag or text."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value * 2, value + 1, value // 2, value + 2, 1]
    if isinstance(value, float):
        return [value * 2, value / 2]
    if isinstance(value, (list, tuple)) and value:
        return [list(value)[:-1], list(value)[::-1], [x * 2 if isinstance(x, int) else x for x in value]]
    return ["none", "gated-gelu"] if isinstance(value, str) else [3, 64, [1, 2, 4], True, "none"] if value is None else []


def legacy(cls):
    """Names that are not fields but from which a class derives others, and fields that are objects; names for
    the type are ignored."""
    names = re.findall(r"kwargs\.(?:pop|get)\(\s*\"(\w+)\"", inspect.getsource(cls))
    names += [f.name for f in dataclasses.fields(cls) if f.default is None and "object" in (kinds(f.type) or "")]
    return {k for k in names if not re.search("^model_type$|rope|theta|label|timm|^(text|vision|audio|backbone)_config$", k)}


def readings(cls):
    """Fields of a class and of its nested configurations, with arguments that give them another value."""
    for f in dataclasses.fields(cls):
        value = f.default if f.default_factory is dataclasses.MISSING else f.default_factory()
        for x in others(value) if value is not dataclasses.MISSING and f.name != "dtype" and not f.name.endswith("_token_id") else []:
            yield f.name, {f.name: x}
    for key, part in nested(built(cls)).items():
        for f in dataclasses.fields(type(part)):
            for x in others(getattr(part, f.name, None)) if plain(getattr(part, f.name, None)) else []:
                yield key + "." + f.name, {key: {"model_type": type(part).model_type, f.name: x}}


def reads(cls, keys):
    """{key: fields it is derived from}: those that change it, and those that accept no other value."""
    usual, old, held = vars(built(cls)), legacy(cls), {}
    out = {k: {n for n in old if k.startswith("out_") or n not in ("out_features", "out_indices")} for k in keys}
    for name, words in readings(cls):
        held.setdefault(name, True)
        try:
            other = vars(cls(**words))
        except Exception:
            continue
        held[name] = False
        for k in keys:
            if k != name and other.get(k) != usual[k]:
                out[k] = out[k] | {name}
    defaults = dict(fields(cls))
    fixed = {name for name, no in held.items() if no and not re.search(r"[.]|^out_(features|indices)$", name) and defaults.get(name) is not None}
    return {k: sorted(out[k] | fixed - {k}) for k in keys}


def derived(name, cls, config, words):
    """Values that the class derives from its defaults for keys without one, with the keys that they depend
    on."""
    from transformers import PretrainedConfig
    general = {f.name for f in dataclasses.fields(PretrainedConfig)}
    found = {k: v for k, v in (vars(config) if config is not None else {}).items()
             if k[0] != "_" and k not in general and k + "=" not in words and kept(k, v) and
             (name, k) not in UNSAID and not OWN.search(k)}
    names = reads(cls, found) if found else {}
    return {k: ",".join(names[k]) + "=" + json.dumps(v, separators=(",", ":")) for k, v in found.items()}


def differing(config):
    """The values in which a nested configuration differs from one made without arguments."""
    usual = built(type(config))
    own = {f.name for f in dataclasses.fields(type(config))}
    return {k.lstrip("_"): v for k, v in vars(config).items()  # _out_features belongs to a property
            if (k in own or k in ("_out_features", "_out_indices")) and kept(k, v) and usual is not None and vars(usual).get(k) != v}


def alike(a, b):
    return type(a) is type(b) and differing(a) == differing(b) and all(alike(v, nested(b).get(k)) for k, v in nested(a).items())


def merges(cls, key, part):
    """True if the owner completes a partly given nested configuration as it makes a missing one."""
    try:
        return alike(part, getattr(cls(**{key: {"model_type": type(part).model_type}}), key))
    except Exception:
        return False


def add_part(table, name, part, usual, done, given):
    """A nested configuration of an owner: the line of its model type if it equals one made without arguments,
    else a line of its own."""
    kind = type(part).model_type or type(part).__name__
    add(table, type(part), kind, done)
    other = differing(part)
    inner = {k: add_part(table, name + "." + k, v, nested(usual).get(k), done, False) for k, v in nested(part).items()
             if usual is None or not alike(v, nested(usual).get(k))}
    if not other and not inner:
        return kind
    known = dict(table.lines.get(kind, ["", {}])[1])
    known.update({k + "=": json.dumps(v, separators=(",", ":")) for k, v in other.items()})
    known.update({k: v.split("=")[0] + "=" + json.dumps(vars(part)[k[:-1]], separators=(",", ":"))
                  for k, v in known.items() if k[-1] == "~" and k[:-1] in vars(part)})
    known.update({k + ">": v for k, v in inner.items()})
    known["model_type="] = json.dumps(kind)
    if given:
        known["_given="] = "true"
    else:  # all values are the owner's, even those that the class would derive
        known.update({k + "=": json.dumps(v, separators=(",", ":")) for k, v in vars(part).items() if kept(k, v) and
                      k in {f.name for f in dataclasses.fields(type(part)) if f.default is None}})
    table.lines.pop(name, None)
    table.put(name, type(part).__name__, known)
    return name


def add(table, cls, name, done):
    """Adds a class and those nested in it."""
    if name in done:
        return
    done.add(name)
    words = {k + "=": json.dumps(v, separators=(",", ":")) for k, v in fields(cls)
             if kept(k, v) and (name, k) not in UNSAID}
    words.update({k + "@": v for k, v in (cls.attribute_map or {}).items()})
    config = built(cls)
    words.update({k + "~": v for k, v in derived(name, cls, config, words).items()})
    for key, part in (nested(config) if config is not None else {}).items():
        words[key + ">"] = add_part(table, name + "." + key, part, built(type(part)), done, merges(cls, key, part))
        said = getattr(getattr(cls, "sub_configs_defaults", {}).get(key), "init_kwargs", None) or {}
        if name + "." + key in table.lines:  # also values that the class would derive as well
            table.lines[name + "." + key][1].update({k + "=": json.dumps(v, separators=(",", ":")) for k, v in said.items() if kept(k, v) and vars(part).get(k) == v})
        if re.search(rf'\b{key}_dict :?= kwargs\.pop\("{key}_dict"', inspect.getsource(cls)):  # has precedence over the key
            words[key + "@"] = key + "_dict"
    words.update({k + "!": "|".join(["null"] * ((name, k) in NULL) + v) for k, v in accepted(cls).items()})
    table.put(name, cls.__name__, words)


def main():
    from transformers import CONFIG_MAPPING, logging
    logging.set_verbosity(logging.CRITICAL)
    table, done = Table(), set()
    if len(sys.argv) > 1:
        table.read(sys.argv[1])
    for name in CONFIG_MAPPING:
        try:
            cls = CONFIG_MAPPING[name]
        except (KeyError, ValueError, AttributeError):  # a name without a class
            continue
        add(table, cls, name, done)
    table.write()


main()
