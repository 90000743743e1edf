#!/usr/bin/env python3
"""identified.py [-v] [WORD...] -- is a file without config.json taken for what it is?

The first class of each model type in fixtures/oracle/classes.jsonl.zst becomes a safetensors file of a header and a hole,
of the names in memory and, where they are others, of those that are saved. What reconcile says of it is held against
the configuration that the case has and numel is not shown: a file is named rightly when the specification of that
configuration, or its model type, is the architecture or one of the few that are said beside it. Knowing less is
allowed, NAMED says how often; to agree without reserve (status 0) as another model, and to count other parameters than
the class in a statement that closes, never is. The last line counts.
"""
import json, math, os, re, struct, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

NUMEL = os.path.abspath(os.path.join(os.environ.get("B", "build/release"), "numel"))
CASES = "fixtures/oracle/classes.jsonl.zst"
NAMED = {"memory": 598, "saved": 89}  # at least; raise it with the specifications
FILES = {"memory": 618, "saved": 92}


def cases():
    """Of each model type the first class, in memory and as saved."""
    first = {}
    plain = subprocess.run(["zstd", "-dcq", CASES], check=True, stdout=subprocess.PIPE).stdout
    for line in plain.splitlines():
        case = json.loads(line)
        name = case["case"].split("/")[1]
        if first.setdefault(name.rsplit(".", 1)[0], name) == name:
            yield case


def write(path, case):
    names = {n: s for n, s in case["params"].items() if n not in case["tied"]}
    names.update(case["buffers"])
    head, end = {}, 0
    for name, shape in names.items():
        start, end = end, end + 4 * math.prod(shape)
        head[name] = {"dtype": "F32", "shape": shape, "data_offsets": [start, end]}
    text = json.dumps(head).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        f.truncate(8 + len(text) + end)


def run(*words):
    return subprocess.run([NUMEL, *words], capture_output=True, text=True)


def of_configuration(folder, case):
    """The specification that serves it."""
    path = os.path.join(folder, "other.json")
    json.dump(case["configs"]["whole"], open(path, "w"))
    try:
        return json.loads(run("formula", "--json", path).stdout).get("architecture")
    except ValueError:
        return None


def said(text):
    """The names that stand in the line of the architecture."""
    line = next((x for x in text.splitlines() if x.startswith("architecture ")), "")
    names = line.split()[1:2]
    for more in re.findall(r"(?:of the same names|also fits): ([^;)]*)", line):
        names += [x for x in re.split(r", | and \d+ more", more) if x]
    return [] if names == ["unknown"] else names


def judged(case):
    """Named rightly? And what is wrong, or None."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        write(path, case)
        spec = of_configuration(folder, case)
        p = run("reconcile", path)
    names = said(p.stdout)
    right = spec in names or case["configs"]["whole"].get("model_type") in names
    count = re.search(r"^parameters +([\d,]+)", p.stdout, re.M)
    count = int(count[1].replace(",", "")) if count else None
    if p.returncode == 0 and not right:
        return right, f"agrees as {names}, it is {spec}"
    if "all expected tensors are present" in p.stdout and count not in (None, case["num_parameters"]):
        return right, f"agrees with {count} as {names}, {case['num_parameters']} is true"
    return right, None


def main():
    words = [a for a in sys.argv[1:] if a != "-v"]
    chosen = [c for c in cases() if not words or any(w in c["case"] for w in words)]
    named, files, failed = dict.fromkeys(NAMED, 0), dict.fromkeys(NAMED, 0), 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, (right, wrong) in zip(chosen, pool.map(judged, chosen)):
            form = "saved" if case["case"].endswith("/saved") else "memory"
            files[form] += 1
            named[form] += right
            failed += wrong is not None
            if wrong:
                print(f"FAIL {case['case']}: {wrong}")
            elif not right and "-v" in sys.argv:
                print(f"not named {case['case']}")
    for form in () if words else NAMED:
        if named[form] < NAMED[form] or files[form] < FILES[form]:
            failed += 1
            print(f"FAIL {form}: {named[form]} of {files[form]} named, {NAMED[form]} of {FILES[form]} were")
    print("identified: " + ", ".join(f"{named[f]} of {files[f]} named rightly ({f})" for f in NAMED) + f", {failed} failed")
    return failed > 0


sys.exit(main())
