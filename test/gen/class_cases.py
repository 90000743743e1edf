#!/usr/bin/env python3
"""class_cases.py [-c] -- makes fixtures/oracle/classes.jsonl.zst from NUMEL_SHARED/oracle/hf-all.

One case per class of transformers at its default configuration: as in memory, and, if its own conversion saves
other names, as saved. fixtures/README.md describes a line. -c writes nothing and fails if the fixture does not
match NUMEL_SHARED. Output depends only on the input.
"""
import json, math, os, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from oracle_fixtures import SHARED, line, pack, unpacked

PATH = "fixtures/oracle/classes.jsonl.zst"
SOURCE = os.path.join(SHARED, "oracle/hf-all/cases.default.jsonl.zst")


def elements(shapes):
    return sum(math.prod(s) for s in shapes.values())


def in_memory(said):
    """The parameters under all their names: a tied one has its own name and the shape of the stored one."""
    params = {p[0]: p[1] for p in said["params"]}
    buffers = {b[0]: b[1] for b in said["buffers"]}
    for name, of in said["tied"].items():
        params.setdefault(name, params[of] if of in params else buffers[of])
    return {
        "case": "class/%s.%s" % (said["model_type"], said["cls"]),
        "class": said["cls"],
        "configs": {"whole": said["config"]},
        "params": params,
        "tied": {name: of for name, of in said["tied"].items() if of in params},
        "buffers": buffers,
        "num_parameters": said["num_parameters"],
        "non_embedding": said["non_embedding"],
    }


def as_saved(said, case):
    """The same class as saved by its conversion; None if that omits anything the class counts."""
    if said["saved"] is None:
        return None
    names = set(case["buffers"])
    params = {p[0]: p[1] for p in said["saved"] if p[0] not in names}
    if elements(params) != said["num_parameters"]:
        return None
    return dict(case, case=case["case"] + "/saved", params=params, tied={},
                buffers={p[0]: p[1] for p in said["saved"] if p[0] in names})


def lines():
    plain = subprocess.run(["zstd", "-dcq", SOURCE], check=True, stdout=subprocess.PIPE).stdout
    for text in plain.splitlines():
        said = json.loads(text)
        case = in_memory(said)
        yield case
        saved = as_saved(said, case)
        if saved:
            yield saved


def main():
    content = "".join(line(case) for case in lines()).encode()
    if "-c" in sys.argv[1:]:
        return content != unpacked(PATH)
    print("%s: %d cases%s" % (PATH, content.count(b"\n"), "" if pack(PATH, content) else ", unchanged"))
    return 0


sys.exit(main())
