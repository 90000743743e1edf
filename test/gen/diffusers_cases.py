#!/usr/bin/env python3
"""diffusers_cases.py [-c] [-d CLASS...] -- makes fixtures/oracle/diffusers.jsonl.zst and diffusers_sizes.jsonl.zst.

The first has the classes of NUMEL_SHARED/oracle/diffusers, at default and published sizes; the second the rows of
diffusers_rows.txt, `CLASS JSON`: what differs from the constructor's defaults. diffusers builds the classes on torch's meta device;
they must have as many parameters as NUMEL_SHARED says. `dropped` is the configuration without keys that equal a default. -c writes
nothing and fails if the first fixture would change; -d draws rows for classes, and prints them.
Packages: src/data/import/requirements.txt
"""
import json, os, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/data/learn"))
from oracle_fixtures import SHARED, line, pack, unpacked

PATH, SIZES = "fixtures/oracle/diffusers.jsonl.zst", "fixtures/oracle/diffusers_sizes.jsonl.zst"
SOURCE = os.path.join(SHARED, "oracle/diffusers/diffusers.jsonl.zst")
ROWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "diffusers_rows.txt")


def built(name, config):
    """A case without a name. Keys that the constructor does not have belong to other versions."""
    import torch
    from draw_diffusers import ClassBuilder
    builder = ClassBuilder(name)
    own = {k: v for k, v in config.items() if k in builder.kinds and k != "self"}
    with torch.device("meta"):
        model = builder.classes[name](**own)
    known = dict(model.named_parameters(remove_duplicate=False))
    copies = builder.copies(model)
    tables = {id(m.weight): m.weight for m in model.modules() if isinstance(m, torch.nn.Embedding)}
    count = sum(p.numel() for p in model.parameters())
    state = {n: list(t.shape) for n, t in model.state_dict().items()}
    plain = json.loads(json.dumps(config, default=str))
    default = json.loads(json.dumps(builder.default, default=str))
    whole = {"_class_name": name, **{k: v for k, v in plain.items() if not k.startswith("_")}}
    return {
        "class": name,
        "configs": {"whole": whole, "dropped": {k: v for k, v in whole.items() if k not in default or default[k] != v}},
        "params": {n: s for n, s in state.items() if n in known},
        "tied": {n: of for n, of in copies.items() if n in state},
        "buffers": {n: s for n, s in state.items() if n not in known},
        "num_parameters": count,
        "non_embedding": count - sum(t.numel() for t in tables.values()),
    }


def shared():
    plain = subprocess.run(["zstd", "-dcq", "--long=27", SOURCE], check=True, stdout=subprocess.PIPE).stdout
    seen = {}
    for text in plain.splitlines():
        said = json.loads(text)
        if not said["params"]: continue
        case = built(said["class"], said["config"])
        params = {p[0]: p[1] for p in said["params"]}
        for copy, of in said.get("tied", {}).items(): params.setdefault(copy, params[of])
        case.update(params=params, tied=said.get("tied", {}), buffers={b[0]: b[1] for b in said.get("buffers", [])})
        if case["num_parameters"] != said["num_parameters"]: sys.exit(f"{said['class']} {said['kind']}: differs from the built class")
        key = json.dumps([said["class"], case["params"]])
        if key in seen: continue  # one of each shape
        seen[key] = True
        number = sum(k.startswith(f'["{said["class"]}"') for k in seen)
        yield dict(case=f"diffusers/{said['class']}.{number}", **case)


def sizes():
    count = {}
    for text in open(ROWS, encoding="utf-8"):
        if text[0] == "#" or not text.strip(): continue
        name, _, rest = text.partition(" ")
        count[name] = count.get(name, 0) + 1
        changes, default = json.loads(rest), {}
        from draw_diffusers import ClassBuilder
        default = ClassBuilder(name).default
        yield dict(case=f"diffusers/{name}/{count[name]}", **built(name, {**default, **changes}))


def starts():
    """A configuration for each class that cannot be built from its defaults."""
    plain = subprocess.run(["zstd", "-dcq", "--long=27", SOURCE], check=True, stdout=subprocess.PIPE).stdout
    said = [json.loads(text) for text in plain.splitlines()]
    return {x["class"]: {k: v for k, v in x["config"].items() if k[0] != "_"} for x in said if x["kind"] in ("default", "minimal")}


def drawn(names, wanted=4):
    """Random configurations of a class, as rows."""
    from draw import Draws
    from draw_diffusers import ClassBuilder
    known = starts()
    for name in names:
        plain = json.loads(json.dumps(ClassBuilder(name).default, default=str))
        builder = ClassBuilder(name, known.get(name))
        draws = Draws(builder, 7, 12)
        draws.all()
        for _ in range(wanted):
            sample = draws.joint()
            if not sample: continue
            config = json.loads(json.dumps(builder.config({k: v for k, v in sample.changes.items() if k != "class()"})))
            print(name, json.dumps({k: v for k, v in config.items() if k not in plain or plain[k] != v}), flush=True)


def main():
    words = sys.argv[1:]
    if "-d" in words: return drawn([w for w in words if w != "-d"])
    content = "".join(line(case) for case in shared()).encode()
    if "-c" in words: return content != unpacked(PATH)
    for path, text in ((PATH, content), (SIZES, "".join(line(case) for case in sizes()).encode())):
        print("%s: %d cases%s" % (path, text.count(b"\n"), "" if pack(path, text) else ", unchanged"))
    return 0


sys.exit(main())
