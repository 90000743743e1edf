#!/usr/bin/env python3
"""partial.py -- configurations as people have them: keys left out, sub-models incomplete, older names.

Each line of fixtures/partial is a configuration and the number of parameters that torch 2.15 and transformers 5.24
build from it (test/gen/partial_cases.py makes more); each line of NUMEL_SHARED/partial/public.tsv is a published
one. `numel formula` must give that number. test/truth/partial_debts.txt lists known failures, one per line:
`wrong` total or `refused`, and the name. A debt that now passes is also a failure: remove its line.
"""
import json, os, pathlib, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NUMEL = ROOT / os.environ.get("B", "build/release") / "numel"


def cases():
    for packed in sorted((ROOT / "fixtures/partial").glob("*.jsonl.zst")):
        for line in subprocess.run(["zstd", "-dcq", packed], capture_output=True, check=True).stdout.splitlines():
            yield json.loads(line)
    shared = pathlib.Path(os.environ.get("NUMEL_SHARED", ROOT / "none"))
    table = shared / "partial/public.tsv"
    for line in table.read_text().splitlines()[1:] if table.exists() else []:
        path, _, count = line.split("\t")
        yield {"kind": "published", "name": path, "config": json.loads((shared / path).read_text()), "num_parameters": int(count)}


def total_of(config):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "config.json"
        path.write_text(json.dumps(config))
        p = subprocess.run([NUMEL, "formula", "--json", path], capture_output=True, check=False)
    if p.returncode < 0:
        return "crashed"
    return json.loads(p.stdout).get("total") if p.stdout else None


def state_of(case):
    total = total_of(case["config"])
    if total == case["num_parameters"]:
        return None
    return f"{'refused' if total is None else 'crashed' if total == 'crashed' else 'wrong'} {case['kind']} {case['name']}"


def main():
    text = (ROOT / "test/truth/partial_debts.txt").read_text()
    debts = {line for line in text.splitlines() if line and not line.startswith("#")}
    all_cases = list(cases())
    with ThreadPoolExecutor() as pool:
        off = {state for state in pool.map(state_of, all_cases) if state}
    for line in sorted(off - debts):
        print("failed:", line)
    for line in sorted(debts - off):
        print("passes now, remove the debt:", line)
    failed = len(off ^ debts)
    print(f"partial: {len(all_cases) - len(off)} of {len(all_cases)} right, {len(off & debts)} owed, {failed} failed")
    return failed > 0 or len(all_cases) < 315


if __name__ == "__main__":
    sys.exit(main())
