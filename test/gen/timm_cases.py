#!/usr/bin/env python3
"""timm_cases.py [-c | -x CANDIDATES [ROWS]] -- makes fixtures/oracle/timm.jsonl.zst and timm_sizes.jsonl.zst.

The first has the models of NUMEL_SHARED/oracle/diffusers/timm, the second the rows of timm_rows.txt: `ARCHITECTURE[.TAG] JSON`, the arguments
of create_model that differ from its own; `+` before the JSON keeps the buffers that files of older versions hold. timm builds them on torch's
meta device and writes config.json; `dropped` is what an older version wrote: no model_args and, if there are no other arguments, all keys in one object. -c
writes nothing and fails if the first would change; -x writes cases of rows alone, uncompressed, for `truth -x`.
Packages: test/gen/requirements/timm.txt
"""
import json, math, os, subprocess, sys, tempfile, warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from oracle_fixtures import SHARED, line, pack, unpacked

PATH, SIZES = "fixtures/oracle/timm.jsonl.zst", "fixtures/oracle/timm_sizes.jsonl.zst"
SOURCE = os.path.join(SHARED, "oracle/diffusers/timm.jsonl.zst")
ROWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "timm_rows.txt")
OLD = ("relative_position_index", "attn_mask", "k_bias", "relative_coords_table", "periods")


def case(name, config, params, buffers, args):
    count = sum(math.prod(shape) for shape in params.values())
    config = json.loads(json.dumps(config))
    configs = {"whole": config}
    if not args:
        flat = {k: v for k, v in config.items() if k not in ("model_args", "pretrained_cfg")}
        configs["dropped"] = {**config["pretrained_cfg"], **flat}
        configs["dropped"].pop("global_pool", None)
    return {"case": "timm/" + name, "class": None, "configs": configs, "params": params, "tied": {}, "buffers": buffers,
            "num_parameters": count, "non_embedding": count}


def shared():
    plain = subprocess.run(["zstd", "-dcq", "--long=27", SOURCE], check=True, stdout=subprocess.PIPE).stdout
    for text in plain.splitlines():
        said = json.loads(text)
        made = case(said["name"], said["config"], {p[0]: p[1] for p in said["params"]}, {b[0]: b[1] for b in said["buffers"]}, False)
        if made["num_parameters"] != said["num_parameters"]: sys.exit(said["name"] + ": its parameters are other ones")
        yield made


def built(name, args, old):
    import timm, torch, torch.nn.init
    from timm.models._hub import save_config_for_hf
    warnings.filterwarnings("ignore")
    for k in dir(torch.nn.init):
        if k.endswith("_") and k[0] != "_": setattr(torch.nn.init, k, lambda t, *a, **k: t)
    with torch.device("meta"): model = timm.create_model(name, pretrained=False, **args)
    stored, own = model.state_dict(), dict(model.named_parameters())
    buffers = {k: list(v.shape) for k, v in stored.items() if k not in own}
    if old: buffers.update((k, list(v.shape)) for k, v in model.named_buffers() if k.split(".")[-1] in OLD)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "config.json")
        save_config_for_hf(model, path)
        config = json.load(open(path))
    return config, {k: list(v.shape) for k, v in stored.items() if k in own}, buffers


def rows(path, forgiving=False):
    seen = {}
    for text in open(path, encoding="utf-8"):
        if text[0] == "#" or not text.strip(): continue
        name, _, rest = text.partition(" ")
        old = rest.startswith("+")
        args = json.loads(rest.lstrip("+") or "{}")
        seen[name] = seen.get(name, 0) + 1
        try: config, params, buffers = built(name, args, old)
        except Exception as why:
            if not forgiving: raise
            print(name, args, repr(why)[:160])
            continue
        yield case("%s/%d" % (name, seen[name]), config, params, buffers, args)


def main():
    if "-x" in sys.argv:
        rest = sys.argv[sys.argv.index("-x") + 1:]
        with open(rest[0], "w") as out: out.writelines(line(c) for c in rows(rest[1] if len(rest) > 1 else ROWS, True))
        return 0
    content = "".join(map(line, shared())).encode()
    if "-c" in sys.argv: return content != unpacked(PATH)
    for path, text in ((PATH, content), (SIZES, "".join(map(line, rows(ROWS))).encode())):
        print("%s: %d cases%s" % (path, text.count(b"\n"), "" if pack(path, text) else ", unchanged"))
    return 0


sys.exit(main())
