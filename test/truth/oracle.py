#!/usr/bin/env python3
"""oracle.py [-v] [FILTER] -- compares formula and reconcile with transformers and llama.cpp.

Each file of oracle/hf-* becomes a header-only checkpoint: its `params` (a tied name once) and persistent
`buffers`, with its configuration as config.json: whole; as in published files, without keys that equal their class
default (`diff_config`, or by oracle/tables); and without `architectures` if the file then shows the class.
`reconcile` must agree, parameters and non_embedding must be the stated ones, and `formula` from the configuration
alone must give the same total. For each file of oracle/gguf `reconcile` must agree.

test/truth/truth.c does the same for fixtures/oracle in every `make test`; this script runs the command itself on
everything in NUMEL_SHARED. Expected values are the oracle's own. The last line counts; a class without a
specification failed.
"""
import json, os, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import files

SHARED = os.environ.get("NUMEL_SHARED", "../shared")
NUMEL = os.path.abspath(os.path.join(os.environ.get("B", "build/release"), "numel"))
FOLDERS = ("hf-default", "hf-published", "hf-resized")


def defaults_by_type():
    table = json.load(open(os.path.join(SHARED, "oracle/tables/hf_config_defaults.json")))
    return {row["model_type"]: row["defaults"] for row in table.values() if row.get("model_type")}


def dropped(config, defaults):
    """The configuration as to_diff_dict() returns it: no key that equals its class default."""
    own = defaults.get(config.get("model_type"), {})
    out = {}
    for key, value in config.items():
        if isinstance(value, dict):
            value = dropped(value, defaults) if "model_type" in value else value
        elif key not in ("model_type", "architectures") and key in own and own[key] == value:
            continue
        out[key] = value
    return out


def class_of(path):
    """The class of an oracle file: from its name, or from the table of published totals."""
    stem = os.path.basename(path)[:-len(".json")]
    with open(os.path.join(SHARED, "oracle/tables/known_totals.tsv")) as table:
        for row in table:
            if row.split("\t")[0] == stem:
                return row.split("\t")[2]
    return None if "hf-published" in path else stem.split(".")[-1]


def stored(oracle):
    """(name, type, shape) of each tensor that its checkpoint has: tied ones once, counters as integers."""
    tied = oracle.get("tied", {})
    shapes = {n: s for n, s in oracle["params"].items() if n not in tied}
    shapes.update(oracle.get("buffers", {}))
    return [(n, files.type_of(n), s) for n, s in shapes.items()]


def header(oracle):
    return files.frame(files.laid(stored(oracle))[0])


def run(*args):
    p = subprocess.run([NUMEL, *args], capture_output=True, text=True)
    try:
        return json.loads(p.stdout), p
    except ValueError:
        return None, p


def why(answer, process):
    if answer is None or "error" in answer:
        return (process.stderr.strip().splitlines() or ["no output"])[-1].split(": ", 2)[-1][:110]
    first = [m["name"] for m in answer["missing"][:1]] + [m["name"] for m in answer["unexpected"][:1]]
    first += [m["name"] for m in answer["mismatched"][:1]]
    return (answer["verdict"] + " " + " ".join(first))[:150]


def check(folder, oracle, config, label, formula=True):
    """The error in one form of the configuration, or None."""
    path = os.path.join(folder, label)
    os.mkdir(path)
    os.link(os.path.join(folder, "model.safetensors.head.zst"),
            os.path.join(path, "model.safetensors.head.zst"))
    with open(os.path.join(path, "config.json"), "w") as f:
        json.dump(config, f)
    answer, process = run("reconcile", "--json", path)
    if not answer or answer.get("agrees") is not True:
        return f"{label}: {why(answer, process)}"
    for key, counted in (("num_parameters", "parameters"), ("non_embedding", "non_embedding")):
        if answer["counts"][counted] != oracle[key]:
            return f"{label}: {counted} {answer['counts'][counted]}, expected {oracle[key]}"
    if not formula:
        return None
    answer, process = run("formula", "--json", os.path.join(path, "config.json"))
    if not answer or answer.get("total") != oracle["num_parameters"]:
        total = answer and answer.get("total")
        return f"{label}: formula {total}, expected {oracle['num_parameters']} {process.stderr[:100]}"
    return None


def check_file(path, defaults):
    oracle = json.load(open(path))
    folder = tempfile.mkdtemp()
    try:
        plain = os.path.join(folder, "model.safetensors.head")
        with open(plain, "wb") as f:
            f.write(header(oracle))
        subprocess.run(["zstd", "-q", "-1", plain, "-o",
                        os.path.join(folder, "model.safetensors.head.zst")], check=True)
        forms = [("whole", oracle["config"])]
        if "diff_config" in oracle:
            forms.append(("diff", oracle["diff_config"]))
        forms.append(("dropped", dropped(oracle["config"], defaults)))
        for label, config in forms:
            # most of the oracle's own configurations lack the class, which save_pretrained writes
            known = config.get("architectures") or [class_of(path)]
            wrong = known[0] and check(folder, oracle, {**config, "architectures": known}, label)
            if not wrong and not config.get("architectures"):
                wrong = check(folder, oracle, config, label + " without its class", False)
            if wrong:
                return wrong
        return None
    finally:
        shutil.rmtree(folder)


def check_gguf(path):
    answer, process = run("reconcile", "--json", path)
    if answer and answer.get("agrees") is True:
        return None
    return why(answer, process)


def main():
    words = [a for a in sys.argv[1:] if a != "-v"]
    if not os.path.isdir(os.path.join(SHARED, "oracle")):
        print("skipped: no oracle in NUMEL_SHARED\n0 passed, 0 failed, 1 skipped")
        return 0
    defaults = defaults_by_type()
    jobs = []
    for kind in FOLDERS + ("gguf", "gguf-full"):
        base = os.path.join(SHARED, "oracle", kind)
        for name in sorted(os.listdir(base) if os.path.isdir(base) else []):
            if not words or any(w in f"{kind}/{name}" for w in words):
                jobs.append((kind, name, os.path.join(base, name)))
    def work(job):
        kind, _, path = job
        return check_gguf(path) if kind.startswith("gguf") else check_file(path, defaults)
    passed = failed = 0
    with ThreadPoolExecutor(2) as pool:
        for (kind, name, _), wrong in zip(jobs, pool.map(work, jobs)):
            passed += wrong is None
            failed += wrong is not None
            if wrong or "-v" in sys.argv:
                print(f"{'ok  ' if not wrong else 'FAIL'} {kind}/{name}  {wrong or ''}".rstrip())
            sys.stdout.flush()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
