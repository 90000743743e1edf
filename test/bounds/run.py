"""How much memory and output every command may need for what it is given.

The peak of resident memory above that of `numel --version` is at most

    8 N + 16 MiB + 256 bytes for each stored tensor and each expected one that is materialised,

N the bytes of the files as they lie on disk (of sparse ones, what is allocated). Inputs are small ones that speak of
much and large ones that are healthy: a row of CASES each, from cases_*.py. A row states its tensors itself: they are known here
by how the input was made, not by asking numel. No command may take SECONDS of processor time, of which each
needs a small part: what is quadratic ends there, whatever the machine. What is printed is bounded too where a row
says so.

  B=build/release python3 test/bounds/run.py [-v] [NAME]...     NAME: only rows whose names hold it; -v: all figures

Rows that are slow are run where they are named, and all with BOUNDS=all (.ci/full).
"""
import os, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
import cases_configs
import cases_source

B = os.path.abspath(os.environ.get("B", "build/release"))
NUMEL, PEAK = B + "/numel", B + "/tool/peak"
# Of a build that is instrumented, only that commands end is asked.
MEASURED = os.path.basename(B) == "release"
SECONDS = 20 if MEASURED else 120
MIB = 1 << 20
CASES = cases_source.CASES + cases_configs.CASES


def on_disk(d):
    """N: links are not followed, a hole is nothing."""
    total = 0
    for r, _, files in os.walk(d):
        for f in files:
            st = os.lstat(os.path.join(r, f))
            total += min(st.st_size, st.st_blocks * 512)
    return total


def run(words, where, result):
    """(status, KiB, ms of processor, bytes written, the start of what was said on stderr)"""
    with open(result + ".err", "w+b") as err:
        p = subprocess.Popen([PEAK, result, str(SECONDS), NUMEL] + words, cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=err, env=dict(os.environ, HOME=where, LC_ALL="C"))
        out = sum(map(len, iter(lambda: p.stdout.read(1 << 16), b"")))
        p.wait()
        out += err.tell() if not err.seek(0, 2) else err.tell()
        err.seek(0)
        said = err.read(300)
    with open(result) as f: status, kib, ms = map(int, f.read().split())
    return status, kib, ms, out, said


def measure(case, words, d, base, n):
    """A line about one run, and whether it holds."""
    result = d + ".result." + "".join(c if c.isalnum() else "_" for c in " ".join(words))[:80]
    status, kib, ms, out, said = run(words, d, result)
    n *= 2 if words[0] == "diff" else 1 # both sides are read
    most = 8 * n + 16 * MIB + 256 * (case.stored * (2 if words[0] == "diff" else 1) + case.expected)
    most += (12 << 10) * case.files if words[0] == "hash" else 0
    peak = max(0, kib - base) * 1024
    why = []
    if status not in range(0, 6): why.append("status %d %r" % (status, said))
    if MEASURED and peak > most: why.append("%.1f MiB, at most %.1f" % (peak / MIB, most / MIB))
    if case.output is not None and out > case.output: why.append("%d bytes written, at most %d" % (out, case.output))
    line = "%-26s %-34s N %9d  %8.1f of %8.1f MiB  %6d ms  status %d  %d out" % (
        case.name, " ".join(words), n, peak / MIB, most / MIB, ms, status, out)
    return line, why


def check(case, work, base):
    d = os.path.join(work, case.name)
    os.makedirs(d)
    case.make(d)
    n = on_disk(d)
    done = [measure(case, words, d, base, n) for words in case.commands]
    shutil.rmtree(d)
    return done


def main():
    verbose, names = "-v" in sys.argv[1:], [a for a in sys.argv[1:] if a != "-v"]
    cases = [c for c in CASES if any(n in c.name for n in names) or (not names and (not c.slow or os.environ.get("BOUNDS") == "all"))]
    work, runs, bad = tempfile.mkdtemp(prefix="numel-bounds."), 0, []
    try:
        base = run(["--version"], work, work + "/version.result")[1]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for done in pool.map(lambda c: check(c, work, base), cases):
                for line, why in done:
                    runs += 1
                    if why: bad.append(line + "\n     " + "; ".join(why))
                    if verbose: print(line + ("   FAIL" if why else ""), flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for b in bad: print("FAIL " + b)
    print("bounds: %d runs of %d inputs, %d failed" % (runs, len(cases), len(bad)))
    return 1 if bad or not runs else 0


if __name__ == "__main__": sys.exit(main())
