#!/usr/bin/env python3
"""own_cases.py [-n] [-l] [WORD...] -- makes fixtures/oracle/own.jsonl.zst with transformers.

A row of own_rows.txt is a class and the values in which its configuration differs from the defaults. The class is
built on torch's meta device, so that size costs nothing, and shows what it holds; docs/HACKING.md has the recipe:

    python3 -m venv venv && venv/bin/pip install -r src/data/import/requirements.txt
    venv/bin/python test/gen/own_cases.py

Cases whose row is unchanged are kept, so a newer transformers alone changes nothing. Rows for another version are
listed: run it again with that version. With words, rows whose name contains one of them are made again. A case whose
row is gone is removed. -n writes nothing; -l lists the fixture.
Packages: src/data/import/requirements.txt
"""
import hashlib, json, os, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from oracle_fixtures import line, pack, unpacked

PATH = "fixtures/oracle/own.jsonl.zst"
ROWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "own_rows.txt")


def rows():
    with open(ROWS) as f:
        return [json.loads(row) for row in f if row.strip() and row[0] != "#"]


def plain(value):
    """A configuration as JSON."""
    return json.loads(json.dumps(value, default=str))


def shapes(named):
    return {name: list(t.shape) for name, t in sorted(named, key=lambda pair: order(pair[0]))}


def order(name):
    """Sorts layer 2 before layer 10, so that similar lines are adjacent and compress."""
    return [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in name.split(".")]


def saved_names(tensors, model):
    """The same tensors under the names, and split as, save_pretrained() writes them."""
    from transformers.core_model_loading import revert_weight_conversion
    return dict(revert_weight_conversion(model, dict(tensors)))


def inventory(model, saved):
    """Parameters under each of their names, tied ones (a copy's name: the stored one), persistent buffers. As
        save_pretrained() writes them, a tied one appears once."""
    first, tied, params = {}, {}, dict(model.named_parameters(remove_duplicate=False))
    copies = getattr(model, "all_tied_weights_keys", {})  # the model knows which are not saved
    for name, p in sorted(params.items(), key=lambda pair: pair[0] in copies):
        if id(p) in first:
            tied[name] = first[id(p)]
        first.setdefault(id(p), name)
    state = model.state_dict()
    buffers = {n: b for n, b in model.named_buffers() if n in state}
    sizes = {id(p): p.numel() for p in params.values()}
    if saved:
        params = saved_names({n: p for n, p in params.items() if n not in tied}, model)
        buffers, tied = saved_names(buffers, model), {}
    return {"params": shapes(params.items()), "tied": dict(sorted(tied.items())),
            "buffers": shapes(buffers.items()), "num_parameters": sum(sizes.values()),
            "non_embedding": model.num_parameters(exclude_embeddings=True)}


def configuration(cls, values, of=None):
    """An instance of the class's configuration, or of the model type `of`; nested objects are dictionaries."""
    from transformers import CONFIG_MAPPING
    config_class = CONFIG_MAPPING[of] if of else cls.config_class
    return config_class(**json.loads(json.dumps(values)))


def make(name, class_name, values, saved=False, of=None):
    import torch, transformers
    cls = getattr(transformers, class_name)
    config = configuration(cls, values, of)
    config.architectures = [class_name]
    try:
        with torch.device("meta"):
            model = cls(config)
    except RuntimeError:  # Swin reads values while it is built
        model = cls(config)
    model.tie_weights()
    held = inventory(model, saved)
    if held["num_parameters"] != model.num_parameters():
        raise SystemExit(f"{name}: num_parameters() is {model.num_parameters()}")
    whole, diff = plain(config.to_dict()), plain(config.to_diff_dict())
    diff["model_type"] = whole["model_type"]
    diff["architectures"] = [class_name]
    return {"case": f"own/{name}", "class": class_name, "configs": {"whole": whole, "diff": diff}, **held}


def beside(name, class_name, extra, saved):
    """What published files hold in addition, {"extra": {name: shape}, "tied": those of them that are copies}.
        Usually a layer of the class itself: the one that begins with `from`, if built with `values`, under the prefix
        `to`; `and` has the rest, as its published code makes it."""
    held = {**extra.get("and", {})}
    for layer in extra.get("layers", []):
        like = make(name, class_name, layer["values"], saved)
        both = {**like["params"], **like["buffers"]}
        found = {layer["to"] + n[len(layer["from"]):]: s for n, s in both.items() if n.startswith(layer["from"])}
        if not found:
            raise SystemExit(f"{name}: nothing begins with {layer['from']}")
        held.update(found)
    return {"extra": held, "tied": extra.get("tied", {})}


def altered(case, stated):
    """The same model as in a published file that no available version builds: `as` another class, from code next to the
        model; `less` and `more` parameters; `old`, buffers that it once had; `version`, of transformers."""
    import math
    for name in stated.pop("less", []):
        case["num_parameters"] -= (n := math.prod(case["params"].pop(name)))
        case["non_embedding"] -= n
    more = stated.pop("more", {})
    case["params"].update(more)
    for key in "num_parameters", "non_embedding":
        case[key] += sum(map(math.prod, more.values()))
    case["buffers"].update(stated.pop("old", {}))
    if "version" in stated:  # of transformers, as in the configuration
        for config in case["configs"].values():
            config["transformers_version"] = stated["version"]
        stated.pop("version")
    if "as" in stated:
        case["class"] = stated.pop("as")
        for config in case["configs"].values():
            config["architectures"] = [case["class"]]
    return case


def version():
    """The short version, like "4.28"."""
    import transformers
    return ".".join(transformers.__version__.split(".")[:2])


def row_digest(*row):
    text = json.dumps(row, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def main():
    words = [a for a in sys.argv[1:] if not a.startswith("-")]
    old = {c["case"]: c for c in map(json.loads, (unpacked(PATH) or b"").decode().splitlines())}
    if "-l" in sys.argv:
        for name, case in sorted(old.items()):
            print(f"{name} {case['class']} {case['num_parameters']:,}")
        return
    cases = []
    for name, class_name, values, *stored in rows():
        digest, kept = row_digest(class_name, values, *stored), old.get(f"own/{name}")
        if kept and kept["row"] == digest and not any(w in name for w in words):
            cases.append(kept)
            continue
        kept = dict(stored[0]) if stored else {}
        if kept.pop("with", version()) != version():
            print(f"own/{name}: NOT MADE, that needs transformers {stored[0]['with']}")
            continue
        saved = kept.pop("saved", False)
        case = altered(make(name, class_name, values, saved, kept.pop("of", None)), kept)
        if "extra" in kept:
            more = beside(name, class_name, kept.pop("extra"), saved)
            case["tied"].update(more["tied"])
            case["extra"] = more["extra"]
        print(f"own/{name}: {class_name} {case['num_parameters']:,}")
        cases.append({**case, **kept, "row": digest})
    names = [c["case"] for c in cases]
    if len(set(names)) != len(names):
        raise SystemExit("two cases of one name")
    content = "".join(line(c) for c in sorted(cases, key=lambda c: c["case"])).encode()
    if "-n" not in sys.argv and pack(PATH, content):
        print(f"{PATH}: {len(cases)} cases, {os.path.getsize(PATH):,} bytes;"
              f" raise the number in test/support/cases.c")


if __name__ == "__main__":
    main()
