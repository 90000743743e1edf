#!/usr/bin/env python3
"""usage: printed.py [NAME...]     (B: the build, NUMEL_SHARED: where the oracle is)

Compares `numel print` of each configuration in NUMEL_SHARED/oracle with transformers' print(model) there. Prints
how many are identical, by set and kind of model, and for the others the first line that differs. NAME: only files
whose path contains it. Exit status 1 if a causal language model differs, except those in KNOWN."""
import glob, json, os, subprocess, sys, tempfile

NUMEL = os.path.join(os.environ.get("B", "build/release"), "numel")
SHARED = os.environ.get("NUMEL_SHARED", "../shared")
# xLSTM prints its whole configuration and the version of transformers, which no checkpoint contains.
KNOWN = ("xLSTMForCausalLM",)
SETS = ("hf-default", "hf-published", "hf-resized")

def printed(config, folder, version):
    path = os.path.join(folder, "config.json")
    with open(path, "w") as f: json.dump(config, f)
    run = subprocess.run([NUMEL, "print", "--as", version, path], capture_output=True, text=True)
    return run.stdout, run.stderr

def difference(got, wanted, trouble):
    a, b = got.splitlines(), wanted.splitlines()
    if not a: return "no tree: " + trouble.replace(os.path.sep, "/").strip().split(": ", 2)[-1]
    for i, line in enumerate(b):
        if i >= len(a) or a[i] != line:
            here = a[i].strip() if i < len(a) else "(the end)"
            return f"line {i + 1}: {here}   instead of   {line.strip()}"
    return f"line {len(b) + 1}: {a[len(b)].strip()}   instead of   (the end)" if len(a) > len(b) else None

def weight_norm(text):
    """For normalised weights the oracle was printed with a stand-in, PL(); this is the same printout as torch
    itself gives."""
    lines = text.split("\n")
    for i in reversed([i for i, line in enumerate(lines) if line.strip() == "(weight): PL()"]):
        blanks = lines[i].split("(")[0]
        lines[i:i + 1] = [blanks + "(weight): ParametrizationList(", blanks + "  (0): _WeightNorm()",
                          blanks + ")"]
        lines[i - 3] = lines[i - 3].replace("Conv1d(", "ParametrizedConv1d(")
    return "\n".join(lines)

def main():
    counts, worst = {}, 0
    if not os.path.isdir(os.path.join(SHARED, "oracle")):
        print("printed: skipped, no oracle in", SHARED)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        for name in SETS:
            for path in sorted(glob.glob(os.path.join(SHARED, "oracle", name, "*.json"))):
                if sys.argv[1:] and not any(x in path for x in sys.argv[1:]): continue
                with open(path) as f: truth = json.load(f)
                cls = truth["print"].split("(", 1)[0]
                config = dict(truth["config"], architectures=[cls])
                got, trouble = printed(config, folder, truth["config"].get("transformers_version", "5.2"))
                differs = difference(got, truth["print"], trouble)
                stand_in = differs and not difference(got, weight_norm(truth["print"]), trouble)
                causal = "CausalLM" in cls or "LMHead" in cls
                key = (name, "causal language models" if causal else "others")
                same, all_ = counts.get(key, (0, 0))
                counts[key] = (same + (differs is None), all_ + 1)
                if stand_in: differs = "identical except for the oracle's stand-in for weight normalisation"
                if differs: print(f"{name}/{os.path.basename(path)}: {differs}")
                if differs and causal and cls not in KNOWN: worst = 1
    for (name, kind), (same, all_) in sorted(counts.items()):
        print(f"{name}, {kind}: {same} identical of {all_}")
    return worst

sys.exit(main())
