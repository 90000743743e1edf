#!/usr/bin/env python3
"""trees.py [-u] [-v] [WORD...] -- compares numel print with print(model) for every class of transformers 5.23.

fixtures/oracle/trees.tsv has, for each case of classes.jsonl.zst, the number of lines that torch 2.15 printed and
the first digits of their SHA-256: enough to judge a printout, too little to copy one. test/truth/trees.txt lists
the classes that are not printed identically yet, each with `guessed` or `differs`: an entry that now passes must
be removed, and a guessed tree must be marked as such in the output. -u removes entries and adds none. -v shows the
state of each listed class."""
import hashlib, json, os, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

NUMEL = os.path.join(os.environ.get("B", "build/release"), "numel")
CASES, TREES, LATER = "fixtures/oracle/classes.jsonl.zst", "fixtures/oracle/trees.tsv", "test/truth/trees.txt"
GUESSED = "guessed from names and shapes"


def digest(text):
    return str(text.count("\n")), hashlib.sha256(text.encode()).hexdigest()[:16]


def configs():
    """The configuration of each class."""
    lines = subprocess.run(["zstd", "-dcq", CASES], capture_output=True, check=True).stdout.splitlines()
    found = {}
    for line in lines:
        case = json.loads(line)
        name = case["case"].removeprefix("class/")
        if "whole" in case.get("configs", {}): found.setdefault(name, case["configs"]["whole"])
    return found


def state(folder, name, config, truth):
    path = os.path.join(folder, name + ".json")
    with open(path, "w") as f: json.dump(config, f)
    run = subprocess.run([NUMEL, "print", "--as", "5.23", path], capture_output=True, text=True)
    os.unlink(path)
    if run.returncode not in (0, 1): return "nothing"
    if digest(run.stdout) == truth: return "same" if run.returncode == 0 else "unmarked"
    marked = run.stdout.startswith(GUESSED), run.returncode == 1
    return "guessed" if all(marked) else "differs" if not any(marked) else "unmarked"


def table(path):
    with open(path) as f: return [line.split() for line in f if line.strip() and line[0] != "#"]


def judge(name, now, listed):
    """The error, or None. A guess may become a tree that differs, since the class is then partly known."""
    before = listed.get(name, "same")
    if now == before: return None
    if now == "same": return f"{name}: identical, strike it out of {LATER}"
    if (before, now) == ("guessed", "differs"): return None
    return f"{name}: {now}, was {before}"


def strike(now):
    with open(LATER) as f: lines = f.readlines()
    keep = [l for l in lines if l[0] == "#" or now.get(l.split()[0]) != "same"]
    with open(LATER, "w") as f: f.writelines(keep)


def main():
    options, words = [a for a in sys.argv[1:] if a[0] == "-"], [a for a in sys.argv[1:] if a[0] != "-"]
    truths = {name: (lines, sha) for name, lines, sha in table(TREES)}
    listed, known = dict(table(LATER)), configs()
    wanted = [n for n in truths if not words or any(w in n for w in words)]
    wrong = [f"{n}: in {LATER}, but there is no such case" for n in listed if n not in truths]
    wrong += [f"{n}: {CASES} has no configuration" for n in wanted if n not in known]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        wanted = [n for n in wanted if n in known]
        now = dict(zip(wanted, pool.map(lambda n: state(folder, n, known[n], truths[n]), wanted)))
    if "-u" in options: strike(now); listed = dict(table(LATER))
    if "-v" in options: print(*(f"{n} {now[n]}" for n in wanted if now[n] != "same"), sep="\n")
    wrong += filter(None, (judge(n, now[n], listed) for n in wanted))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    counts = {s: list(now.values()).count(s) for s in ("same", "differs", "guessed", "nothing", "unmarked")}
    print(f"trees: {len(now)} classes:", ", ".join(f"{n} {s}" for s, n in counts.items()) + ("; FAILED" if wrong else ""))
    return bool(wrong)


if __name__ == "__main__": sys.exit(main())
