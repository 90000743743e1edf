"""Limits on every command's memory and output, relative to its input.

The peak of resident memory above that of `numel --version` is at most

    8 N + 22 MiB + 256 bytes for each stored tensor and each expected one that is materialised,

where N is the bytes of the files on disk (allocated bytes of sparse ones). About 10 of the 22 MiB are the
program's own tables and specifications, which a search for an architecture reads. Inputs are small ones that claim
to be large, and large healthy ones: one row of CASES each, from cases_*.py. A row states its number of tensors,
which follows from how the input was made, not from numel. No command may take SECONDS of processor time; each
needs a small part of it, so quadratic code fails on any machine. The output is bounded too if a row states a
limit.

  B=build/release python3 test/robust/bounds/run.py [-v] [NAME]...     NAME: only rows whose names hold it; -v: all figures

One row in two runs, slow ones only if named; all with BOUNDS=all (.ci/full).
"""
import os, re, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "support"))
import cases_configs
import cases_source
from sample import taken

B = os.path.abspath(os.environ.get("B", "build/release"))
NUMEL, PEAK = B + "/numel", B + "/tool/peak"
# An instrumented build only has to finish its commands.
MEASURED = os.path.basename(B) == "release"
SECONDS = 20 if MEASURED else 120
MIB = 1 << 20
CASES = cases_source.CASES + cases_configs.CASES


def on_disk(d):
    """N: links are not followed, holes do not count."""
    total = 0
    for r, _, files in os.walk(d):
        for f in files:
            st = os.lstat(os.path.join(r, f))
            total += min(st.st_size, st.st_blocks * 512)
    return total


def run(words, where, result):
    """(status, KiB, ms of processor time, bytes written, beginning of stderr)"""
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
    """Prints a line about one run; returns whether it is within the limits."""
    result = d + ".result." + "".join(c if c.isalnum() else "_" for c in " ".join(words))[:80]
    status, kib, ms, out, said = run(words, d, result)
    n *= 2 if words[0] == "diff" else 1 # both sides are read
    most = 8 * n + 22 * MIB + 256 * (case.stored * (2 if words[0] == "diff" else 1) + case.expected)
    most += 7 * MIB if words[0] in ("diff", "behead") and case.name.startswith("zstd") else 0 # numel.5 explains why
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


# Limits stated in the table of numel.5, and their place in the code: file, pattern, value, words of the table.
LIMITS = [
    ("reader/safetensors.c", r"MAX_HEADER = (\d+)", 100000000, "safetensors header: 100,000,000 bytes"),
    ("reader/opening.c", r"MAX_HEADER = (.*?) [,}]", 256 << 20, "GGUF header in zstd: 256 MiB"),
    ("source/source.h", r"SOURCE_FREE = (.*?),", 7 << 20, ": 7 MiB + 6 times its bytes + 112 a tensor\n"),
    ("source/source.h", r"SOURCE_TIMES = (.*?),", 6, ": 7 MiB + 6 times its bytes\n"),
    ("source/source.h", r"SOURCE_EACH = (.*?) }", 112, ": the same, 112 a line\n"),
    ("source/source.h", r"SOURCE_LEAST = (.*?),", 16 << 10, ": 7 MiB for all files, 16 KiB for each\n"),
    ("source/source.h", r"SOURCE_TEXT = (.*?) }", 1 << 20, "one text out of zstd: 1 MiB + 6 times"),
    ("reader/find_index.c", r"MAX_INDEX = (.*?) }", 1 << 30, "index: 1 GiB\n"),
    ("model/config_file.c", r"MAX_CONFIG = (.*?),", 16 << 20, "configuration: 16 MiB\n"),
    ("model/config_file.c", r"ZSTD_CONFIG = (.*?) }", 1 << 20, "out of zstd: 1 MiB + 6 times its bytes\n"),
    ("base/json_doc.c", r"FREE = (.*?),", 8 << 20, "tree of a JSON document: 8 MiB + 6 times its bytes\n"),
    ("base/json_doc.c", r"TIMES = (\d+)", 6, "\n80 bytes per value and 32 per string;"),
    ("verify/tokenizer_file.c", r"MAX_TOKENIZER = (.*?) }", 256 << 20, "tokenizer: 256 MiB\n"),
    ("reader/find.h", r"ABSENT_LISTED = (\d+)", 1000, "absent shards, listed: 1,000\n"),
    ("registry/finding.h", r"FINDINGS_EACH = (\d+)", 100, "findings of a kind: 100\n"),
    ("base/json_scan.h", r"JSON_DEPTH = (\d+)", 127, "nesting of JSON: 127\n"),
    ("reader/gguf_meta.c", r"NESTING = (\d+)", 4, "nesting of GGUF arrays: 4\n"),
]


def limits():
    """The limits on which numel.5 and the code disagree."""
    root = os.path.join(HERE, "..", "..", "..")
    with open(root + "/docs/numel.5") as f: page = f.read()
    for file, pattern, value, said in LIMITS:
        with open(root + "/src/" + file) as f: found = re.search(pattern, f.read())
        is_ = eval(found.group(1), {}) if found else None # in our own source: 4 << 20
        if is_ != value or said not in page: yield "%s has %s where numel.5 should say %r" % (file, is_, said)


def main():
    verbose, names = "-v" in sys.argv[1:], [a for a in sys.argv[1:] if a != "-v"]
    cases = [c for c in CASES if any(n in c.name for n in names) or (not names and (os.environ.get("BOUNDS") == "all" or not c.slow and taken(2, c.name)))]
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
    bad += limits()
    for b in bad: print("FAIL " + b)
    print("bounds: %d runs of %d inputs, %d failed" % (runs, len(cases), len(bad)))
    return 1 if bad or not runs else 0


if __name__ == "__main__": sys.exit(main())
