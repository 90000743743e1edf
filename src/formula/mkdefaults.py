#!/usr/bin/env python3
"""usage: mkdefaults.py [OLD.table] > defaults.table

What the configuration classes of the installed transformers assume when config.json is silent, a line a
class; formula/defaults.c reads it. Needs transformers, which neither the build nor a test does:

    venv/bin/python src/formula/mkdefaults.py src/formula/defaults.table > new.table

A default is what stands in the class: null where the class derives the value from others (head_dim of
hidden_size / num_attention_heads), and a null is left out. What comes of it where all others are defaults too is
`key~value`: it counts for a model that is supposed to be the class's default and nothing else. Kinds of values that a class
refuses, by the annotations that it holds them to (`key!KINDS`, with the letters of mkrefused.py), are found anew; `key/other` is what mkshares.py found, and stays. A nested configuration that its owner makes with
values other than those of its class (DETR's backbone has four out_indices) is a line of its own, named OWNER.KEY.
What the old table says stays: older files were written by it.
"""
import dataclasses, inspect, json, re, sys, types, typing

# Never a size, whatever the class.
DROP = re.compile(r"_token_id$|_token_index$|initializer|^init_|_std$|^use_cache$|_loss|^loss|_cost$|coef|temperature|"
                  r"^forced_|suppress_tokens|beam|penalty|^output_(att|hid|router)|^return_")
KEEP = re.compile(r"^pad_token_id$|^eos_token_id$|layer_scale|^init_values$|^(width|depth)_coefficient$")
# Keys whose absence tells an older class, which built something else without them.
UNSAID = {("glm_moe_dsa", "index_n_heads"),
          # the class makes another value of it, also of its own default
          ("blt_local_encoder", "intermediate_size"), ("blt.encoder_config", "intermediate_size")}
# Keys that may be null although the class refuses it: configurations of the model's own code, older than the class, have them so.
NULL = {("exaone", "intermediate_size")}
PLAIN = (bool, int, float, str)


def plain(value):
    """Can a formula compute with it, in a word without blanks?"""
    if "Infinity" in json.dumps(value, default=str):
        return False
    if isinstance(value, (list, tuple)):
        return (len(value) <= 64 and " " not in json.dumps(value, default=str, separators=(",", ":")) and
                all(isinstance(x, PLAIN) or isinstance(x, (list, tuple)) and plain(x) for x in value))
    return isinstance(value, PLAIN) and not (isinstance(value, str) and (" " in value or len(value) > 64))


def kept(key, value):
    return plain(value) and (not DROP.search(key) or bool(KEEP.search(key)))


def fields(cls):
    """The defaults of a class: a dataclass, as all of transformers 5 are."""
    from transformers import PretrainedConfig
    general = {f.name: f.default for f in dataclasses.fields(PretrainedConfig)}
    for f in dataclasses.fields(cls):
        value = f.default if f.default_factory is dataclasses.MISSING else f.default_factory()
        if value is not dataclasses.MISSING and not (f.name in general and general[f.name] == value):
            yield f.name, value


def kinds(hint):
    """What an annotation takes, as words of JSON; None where it does not say."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        parts = [kinds(x) for x in typing.get_args(hint)]
        return None if None in parts else set().union(*parts)
    if origin is typing.Literal:
        return {"text" if isinstance(x, str) else "int" for x in typing.get_args(hint)}
    plain_kinds = {type(None): "null", bool: "bool", int: "int", float: "float", str: "text", list: "list", tuple: "list", dict: "object"}
    found = plain_kinds.get(origin or hint)
    return {found} if found else None


def refused(cls):
    """{key: letters}: null, text, list, object, any plain number, a fraction. A truth value is a number to Python, a whole number a float."""
    from transformers import PretrainedConfig
    general = {f.name for f in dataclasses.fields(PretrainedConfig)}
    out = {}
    for f in dataclasses.fields(cls):
        taken = kinds(f.type) if f.name not in general else None
        if not taken or taken <= {"object", "null"}:
            continue
        number = taken & {"int", "float", "bool"}
        out[f.name] = "".join(letter for letter, no in zip("ntlopf", (
            "null" not in taken, "text" not in taken, "list" not in taken, "object" not in taken, not number,
            "int" in taken and "float" not in taken)) if no)
    return out


def built(cls):
    """One with all its defaults; None where the class has none that work."""
    try:
        return cls()
    except Exception:  # a class may refuse its own defaults in any way
        return None


class Table:
    """Lines by model type: the class, values, nested classes, other names."""

    def __init__(self):
        self.lines = {}

    def read(self, path):
        for line in open(path):
            words = line.split()
            if line[0] != "#" and words:
                self.lines[words[0]] = [words[1], dict(re.match(r"([\w.\-]+[=>@~/])(.*)", w).groups() for w in words[2:] if "!" not in w.split("=")[0])]

    def put(self, name, cls, words):
        """A class beside what is known of it. Values that are known stay: files that leave a key out were written
        when the class had that value. Where the class of a nested configuration is another, it is today's."""
        line = self.lines.setdefault(name, [cls, {}])
        line[0] = cls
        for key, value in words.items():
            if key[-1] != "=" or key not in line[1]:
                line[1][key] = value

    def write(self):
        print("# model_type Class key=default... key>nested_model_type key@other_name key!KINDS key/other")
        print("# Made by mkdefaults.py from the configuration classes of Hugging Face transformers.")
        for name, (cls, words) in sorted(self.lines.items()):
            if words:
                print(name, cls, *(k + v for k, v in sorted(words.items(), key=lambda w: (w[0][-1] != "=", w[0]))))


def nested(config):
    from transformers import PretrainedConfig
    return {k: v for k, v in vars(config).items() if isinstance(v, PretrainedConfig)}


def derived(config, words):
    """What the class makes of its defaults, of keys that have none."""
    from transformers import PretrainedConfig
    general = {f.name for f in dataclasses.fields(PretrainedConfig)}
    return {k: json.dumps(v, separators=(",", ":")) for k, v in (vars(config) if config is not None else {}).items()
            if k[0] != "_" and k not in general and k + "=" not in words and kept(k, v)}


def differing(config):
    """What a nested configuration has otherwise than one made without arguments."""
    usual = built(type(config))
    own = {f.name for f in dataclasses.fields(type(config))}
    return {k.lstrip("_"): v for k, v in vars(config).items()  # _out_features is a property's
            if (k in own or k in ("_out_features", "_out_indices")) and kept(k, v) and usual is not None and vars(usual).get(k) != v}


def add(table, cls, name, done):
    """A class and those nested in it."""
    if name in done:
        return
    done.add(name)
    words = {k + "=": json.dumps(v, separators=(",", ":")) for k, v in fields(cls)
             if kept(k, v) and (name, k) not in UNSAID}
    words.update({k + "@": v for k, v in (cls.attribute_map or {}).items()})
    config = built(cls)
    words.update({k + "~": v for k, v in derived(config, words).items()})
    for key, part in (nested(config) if config is not None else {}).items():
        kind = type(part).model_type or type(part).__name__
        other = differing(part)
        add(table, type(part), kind, done)
        if other:
            known = dict(table.lines.get(kind, ["", {}])[1])
            known.update({k + "=": json.dumps(v, separators=(",", ":")) for k, v in other.items()})
            known["model_type="] = json.dumps(kind)
            table.put(name + "." + key, type(part).__name__, known)
            kind = name + "." + key
        words[key + ">"] = kind
        if re.search(rf'\b{key}_dict :?= kwargs\.pop\("{key}_dict"', inspect.getsource(cls)):  # goes before the key
            words[key + "@"] = key + "_dict"
    words.update({k + "!": v.replace("n", "") if (name, k) in NULL else v for k, v in refused(cls).items()})
    table.put(name, cls.__name__, words)


def main():
    from transformers import CONFIG_MAPPING
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
