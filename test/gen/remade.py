#!/usr/bin/env python3
"""usage: remade.py CLASS...

Rebuilds the cases of these classes in fixtures/oracle/{classes,sizes,own}.jsonl.zst from the configurations that they have: for a release of
transformers in which a class builds other tensors than before.
Packages: src/data/import/requirements.txt
"""
import json, os, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from own_cases import line, make, pack, unpacked

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../fixtures/oracle/")


def remade(case):
    values = {k: v for k, v in case["configs"]["whole"].items() if k not in ("architectures", "transformers_version")}
    new = make("", case["class"], values, case.get("saved", False))
    return {**case, **{k: new[k] for k in ("params", "tied", "buffers", "num_parameters", "non_embedding")}}


def main():
    for name in "classes", "sizes", "own":
        path = FOLDER + name + ".jsonl.zst"
        cases, changed = [json.loads(x) for x in unpacked(path).decode().splitlines()], 0
        for i, case in enumerate(cases):
            if case["class"] not in sys.argv[1:] or "extra" in case or "as" in case:
                continue
            new = remade(case)
            if new != case:
                print(f"{case['case']}: {case['num_parameters']:,} to {new['num_parameters']:,}")
                cases[i], changed = new, changed + 1
        if changed:
            pack(path, "".join(line(c) for c in cases).encode())


if __name__ == "__main__":
    main()
