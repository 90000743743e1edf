#!/usr/bin/env python3
"""evidence.py [-v] [WORD...] -- checkpoints that quantizers wrote, with one witness removed: the report must still
be true.

Each case of fixtures/packed that reconcile agrees with loses its configuration's quantization and the files that
repeat it (`unsaid`), or all of config.json (`bare`). The parameters must still be the true ones and the verdict
`agrees` or `in part`; if they cannot be determined they are null, and a wrong number never agrees. Every case,
false ones included, is beheaded (`head`): the report on the copy must be identical. EXCEPTIONS lists cases without
any remaining witness, each with its reason. The last line counts.
"""
import collections, json, os, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

import packed

NUMEL = os.path.abspath(os.path.join(os.environ.get("B", "build/release"), "numel"))
CASES = 370  # minimum that agree; raise it with the layouts
QUANTIZATION = ("quantization_config", "quantization", "compression_config")
SIDES = ("quantize_config.json", "quantization_config.json", "hf_quant_config.json", "quanto_qmap.json")
EXCEPTIONS = {
    ("unsaid", "own-fp8-128-mistralodd"): "no weight is packed: scales are next to plain weights, which only a configuration explains",
    ("unsaid", "rule-bitnet-auto-llama"): "the same, a scale of all",
    ("bare", "lib-modelopt-NVFP4-head-oddtied"): "its head is packed and stored: nothing else states that it is tied",
}


def reconcile(folder):
    p = subprocess.run([NUMEL, "reconcile", "--json", folder], capture_output=True)
    try:
        answer = json.loads(p.stdout)
    except ValueError:
        return {}, p.returncode
    return answer, p.returncode


def said(answer):
    verdict = {True: "agrees", False: "disagrees", None: "unknown"}[answer.get("agrees")]
    return "in part" if answer.get("in_part") else verdict, (answer.get("counts") or {}).get("parameters")


def linked(source, target, without_config):
    for name in os.listdir(source):
        path = os.path.abspath(os.path.join(source, name))
        if name in SIDES or (name == "config.json" and without_config):
            continue
        if name != "config.json":
            os.symlink(path, os.path.join(target, name))
            continue
        config = json.load(open(path))
        for part in (config, config.get("text_config") or {}):
            for key in QUANTIZATION:
                part.pop(key, None)
        json.dump(config, open(os.path.join(target, name), "w"))


def judged(source, truth, mode):
    """The error, or None."""
    with tempfile.TemporaryDirectory() as target:
        linked(source, target, mode == "bare")
        verdict, count = said(reconcile(target)[0])
    if verdict in ("agrees", "in part") and str(count) != truth:
        return f"{verdict} with {count}, {truth} is true"
    if mode == "unsaid" and verdict not in ("agrees", "in part"):
        return f"{verdict}, {count}"
    if mode == "bare" and (verdict == "disagrees" or (count is not None and str(count) != truth)):
        return f"{verdict}, {count}"
    return None


def answer_of(folder):
    answer = reconcile(folder)[0]
    answer.pop("path", None)
    return answer


def beheaded(source):
    """Differences between the copy's report and the case's, or None."""
    with tempfile.TemporaryDirectory() as target:
        subprocess.run([NUMEL, "behead", source, target], capture_output=True)
        mine, copy = answer_of(source), answer_of(target)
    return None if mine == copy else "other answers: " + ", ".join(k for k in mine if mine[k] != copy.get(k))


def judge_head(row, folder):
    source = os.path.join(folder, row["case"])
    return beheaded(source) if any(f.endswith(".safetensors") for f in os.listdir(source)) else None


def judge(row, folder):
    source = os.path.join(folder, row["case"])
    if not os.path.exists(os.path.join(source, "config.json")) or any(w in row["note"] for w in packed.LIES):
        return None
    if not any(f.endswith(".safetensors") for f in os.listdir(source)):
        return None
    if packed.ledger().get(row["case"]) != ("agrees", row["true_parameters"]):
        return None
    return [(mode, judged(source, row["true_parameters"], mode)) for mode in ("unsaid", "bare")]


def main():
    words = [a for a in sys.argv[1:] if a != "-v"]
    folder = packed.unpack()
    rows = [r for r in packed.truth() if not words or any(w in r["case"] for w in words)]
    tally, cases, failed = collections.Counter(), 0, 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for row, results in zip(rows, pool.map(lambda r: judge(r, folder), rows)):
            cases += results is not None
            for mode, wrong in results or ():
                known = EXCEPTIONS.get((mode, row["case"]))
                tally[mode] += wrong is None
                if wrong and known and "-v" in sys.argv:
                    print(f"known {mode} {row['case']}: {wrong}: {known}")
                if bool(wrong) != bool(known):
                    failed += 1
                    print(f"FAIL {mode} {row['case']}: {wrong or 'right now: ' + known}")
        for row, wrong in zip(rows, pool.map(lambda r: judge_head(r, folder), rows)):
            tally["head"] += wrong is None
            failed += wrong is not None
            if wrong:
                print(f"FAIL head {row['case']}: {wrong}")
    if not words and cases < CASES:
        print(f"FAIL {cases} cases agree, {CASES} are known")
        failed += 1
    print(f"evidence: {cases} cases, " + ", ".join(f"{mode} {n}" for mode, n in sorted(tally.items())) + f"; {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
