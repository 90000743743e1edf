#!/usr/bin/env python3
"""cache_cases.py [-c] -- makes fixtures/memory/cache.jsonl.zst from NUMEL_SHARED/memory/cache.jsonl.zst.

What the cache objects of transformers hold after a prefill, measured on tiny models: one case per model type,
variant and way of calling it, with the elements kept for each number of tokens and sequences. fixtures/README.md
describes a line. -c writes nothing and fails if the fixture does not match NUMEL_SHARED.
"""
import json, os, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from oracle_fixtures import SHARED, line, pack, unpacked

PATH = "fixtures/memory/cache.jsonl.zst"
SOURCE = os.path.join(SHARED, "memory/cache.jsonl.zst")


def case_of(row):
    name = "%s/%s" % (row["model_type"], row["variant"])
    if row["mode"].startswith("lm:"):
        name += "/" + row["mode"][3:]
    config = dict(row["config"])
    config.setdefault("model_type", row["model_type"])
    if not config.get("architectures"):
        config["architectures"] = [row["cls"]]
    slots = row.get("layers") or []
    if row["model_type"] == "rwkv": slots = []  # a list of five states, each for all layers
    return {
        "case": name,
        "config": config,
        "sources": row["enc_len"],
        "slots": sum(1 for slot in slots if any_elements(slot)),
        "kept": [],
    }


def any_elements(slot):
    return any(sum(x.values()) if isinstance(x, dict) else x for x in slot)


def by_kind(numel):
    """Anything without a kind is "other", under any attribute."""
    kinds = {}
    for kind, n in numel.items():
        kind = kind.split(":")[0]
        kinds[kind] = kinds.get(kind, 0) + n
    return kinds


def content():
    made = {}
    for text in unpacked(SOURCE).splitlines():
        row = json.loads(text)
        case = case_of(row)
        case = made.setdefault(case["case"], case)
        case["kept"].append({"tokens": row["T"], "sequences": row["B"], **by_kind(row["numel"])})
    return "".join(line(made[name]) for name in sorted(made)).encode()


def main():
    if "-c" in sys.argv[1:]:
        return content() != unpacked(PATH)
    print("%s: %d cases%s" % (PATH, content().count(b"\n"), "" if pack(PATH, content()) else ", unchanged"))
    return 0


sys.exit(main())
