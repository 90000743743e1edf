"""Every specification with one count of its configuration far too large: formula, within the bound and a second.

Configurations are those of fixtures/oracle, one of each model type; a key is a count if its name implies it and
its value is an integer. A run may refuse (status 3) if it names the number; it may not end in any other way, nor
need more memory than run.py allows for that text.

  B=build/release python3 test/robust/bounds/specs.py [-v] [NAME]...   a sample of the keys, all of them with BOUNDS=all
"""
import json, os, re, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

B = os.path.abspath(os.environ.get("B", "build/release"))
NUMEL, PEAK = B + "/numel", B + "/tool/peak"
MEASURED = os.path.basename(B) == "release"
COUNT = re.compile(r"(^|_)(num|n|depths?|layers?|blocks?|experts?|stages?|levels?|heads?)(_|$)")
VALUES = (10**3, 10**5, 10**6, 10**9)
ROWS, EACH, SPARE, MOST_MS = 200000, 256, 16 << 20, 1000


def configurations():
    """One of each model type: (name, configuration)."""
    seen = {}
    for name in ("hf", "own"):
        text = subprocess.run(["zstd", "-dc", "fixtures/oracle/%s.jsonl.zst" % name], check=True, stdout=subprocess.PIPE).stdout
        for line in text.splitlines():
            case = json.loads(line)
            for config in case.get("configs", {}).values():
                if isinstance(config, dict) and config.get("model_type"): seen.setdefault(config["model_type"], config)
    return sorted(seen.items())


def counts(config, path=()):
    for key, v in config.items():
        if isinstance(v, dict): yield from counts(v, path + (key,))
        elif isinstance(v, int) and not isinstance(v, bool) and v > 0 and COUNT.search(key): yield path + (key,)


def changed(config, path, value):
    if not path: return value
    return dict(config, **{path[0]: changed(config[path[0]], path[1:], value)})


def run(config, where):
    with open(where, "w") as f: json.dump(config, f)
    p = subprocess.run([PEAK, where + ".peak", "30", NUMEL, "formula", "--json", where], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(where + ".peak") as f: status, kib, ms = map(int, f.read().split())
    return status, kib, ms, p.stdout, p.stderr.decode(errors="replace")


def check(job):
    name, config, path, value, where, base = job
    status, kib, ms, out, said = run(changed(config, path, value), where)
    said = said.strip()
    tensors = sum(t["times"] for t in json.loads(out)["terms"]) if status == 0 else 0
    most = SPARE + 8 * os.path.getsize(where) + EACH * (tensors if tensors <= ROWS else 0)
    why = []
    if status not in (0, 3): why.append("status %d" % status)
    if MEASURED and (kib - base) * 1024 > most: why.append("%.1f MiB, at most %.1f" % ((kib - base) / 1024, most / 2**20))
    if MEASURED and ms > MOST_MS: why.append("%d ms" % ms)
    if status == 3 and not re.search(r"\d", said): why.append("no number is named")
    line = "%s %s=%d: status %d, %d ms, %.1f MiB %s" % (name, ".".join(path), value, status, ms, (kib - base) / 1024, said)
    return line, why, status


def main():
    verbose, names = "-v" in sys.argv[1:], [a for a in sys.argv[1:] if a != "-v"]
    work, bad, refused, jobs = tempfile.mkdtemp(prefix="numel-specs."), [], 0, []
    try:
        subprocess.run([PEAK, work + "/version", "30", NUMEL, "--version"], stdout=subprocess.DEVNULL, check=True)
        with open(work + "/version") as f: base = int(f.read().split()[1])
        for name, config in configurations():
            if names and not any(n in name for n in names): continue
            jobs += [(name, config, path, value, "%s/%d.%d.json" % (work, len(jobs), i), base)
                     for i, (path, value) in enumerate((p, v) for p in counts(config) for v in VALUES)]
        if os.environ.get("BOUNDS") != "all" and not names: jobs = jobs[::27]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for line, why, status in pool.map(check, jobs):
                refused += status == 3
                if why: bad.append(line + "   " + "; ".join(why))
                if verbose: print(line)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for b in bad: print("FAIL " + b)
    print("specs: %d configurations, %d refused, %d failed" % (len(jobs), refused, len(bad)))
    return 1 if bad or len(jobs) < 20 else 0


if __name__ == "__main__": sys.exit(main())
