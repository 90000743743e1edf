#!/usr/bin/env python3
"""packed.py [-v] [-u] [WORD...] -- reconcile on checkpoints that quantizers wrote.

fixtures/packed/cases.tar.xz has a folder for each case, TRUTH.tsv a line: how it was made, the number of
parameters of the model, and whether it must not agree; own.tar.xz and OWN.tsv are the same, made by us;
quantizers/cases.py has more, by the rules of quantizers. Each verdict is compared with
test/truth/packed/packed.txt, the current state: any change fails, also an improvement, so that it is recorded. -u
records it. The last lines count the true verdicts: `right` agrees with the true number of parameters, or refuses a
false file; `wrong yes` agrees wrongly; `not yet` is the rest. With WORDs, only cases whose name contains one run;
-v shows each.
"""
import csv, glob, json, os, shutil, subprocess, sys, tarfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from quantizers import cases

B = os.environ.get("B", "build/release")
NUMEL = os.path.join(B, "numel")
FIXTURE = "fixtures/packed"
LEDGER = "test/truth/packed/packed.txt"
ARCHIVES = (("cases.tar.xz", "TRUTH.tsv"), ("own.tar.xz", "OWN.tsv"))
CASES = 342  # raise it with the fixture, so that lost cases are noticed
LIES = ("must NOT agree", "must be reported")


def truth():
    rows = []
    for _, table in ARCHIVES:
        with open(os.path.join(FIXTURE, table), newline="") as f:
            rows += csv.DictReader(f, delimiter="\t")
    return rows + cases.rows()


def unpack():
    """The folder of the cases; rebuilt if a fixture or a rule is newer."""
    folder = os.path.join(B, "packed")
    archives = [os.path.join(FIXTURE, a) for a, _ in ARCHIVES]
    sources = archives + glob.glob("test/truth/packed/quantizers/*.py") + ["test/support/files.py"]
    stamp = os.path.join(folder, ".done")
    if os.path.exists(stamp) and os.path.getmtime(stamp) > max(map(os.path.getmtime, sources)):
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    for archive in archives:
        with tarfile.open(archive) as tar:
            tar.extraction_filter = lambda member, path: member  # the archive is ours
            tar.extractall(folder)
    cases.write_all(folder)
    open(stamp, "w").close()
    return folder


def judged(folder):
    """(verdict, parameters) from reconcile --json."""
    p = subprocess.run([NUMEL, "reconcile", "--json", folder], stdout=subprocess.PIPE,
                       stderr=subprocess.DEVNULL)
    try:
        answer = json.loads(p.stdout)
    except ValueError:
        return ("no answer", "-")
    if "error" in answer:
        return ("error", "-")
    agrees = {True: "agrees", False: "disagrees", None: "unknown"}[answer.get("agrees")]
    count = (answer.get("counts") or {}).get("parameters")
    return ("in part" if answer.get("in_part") else agrees, "-" if count is None else str(count))


def standing(row, verdict, count):
    lie = any(words in row["note"] for words in LIES)
    if lie:
        return "wrong yes" if verdict == "agrees" else "right"
    if verdict == "agrees":
        return "right" if count == row["true_parameters"] else "wrong yes"
    return "not yet"


def ledger():
    if not os.path.exists(LEDGER):
        return {}
    with open(LEDGER) as f:
        rows = (l.rstrip("\n").split("\t") for l in f if not l.startswith("#"))
        return {name: (verdict, count) for name, verdict, count in rows}


def write_ledger(found):
    with open(LEDGER, "w") as f:
        f.write("# What reconcile says of fixtures/packed today: case, verdict, parameters. Written by\n"
                "# `make packed UPDATE=1`; the difference is to be read.\n")
        for name in sorted(found):
            f.write("\t".join((name, *found[name])) + "\n")


def main():
    words = [a for a in sys.argv[1:] if a not in ("-v", "-u")]
    rows = truth()
    folder = unpack()
    there = [r for r in rows if os.path.isdir(os.path.join(folder, r["case"]))]
    if len(there) < CASES:
        print(f"packed: {len(there)} cases, {CASES} are known")
        return 1
    rows = [r for r in rows if not words or any(w in r["case"] for w in words)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip((r["case"] for r in rows),
                         pool.map(judged, (os.path.join(folder, r["case"]) for r in rows))))
    if "-u" in sys.argv:
        write_ledger({**ledger(), **found} if words else found)
    known, tally, changed = ledger(), {}, 0
    for row in rows:
        name, (verdict, count) = row["case"], found[row["case"]]
        how = standing(row, verdict, count)
        tally[how] = tally.get(how, 0) + 1
        if "-v" in sys.argv:
            print(f"{how:10} {name}: {verdict}, {count} of {row['true_parameters']}")
        if known.get(name) != (verdict, count):
            changed += 1
            print(f"FAIL {name}: {verdict}, {count}; known: {', '.join(known.get(name, ('nothing',)))}")
    gone = [] if words else sorted(set(known) - set(found))
    for name in gone:
        print(f"FAIL {name}: in {LEDGER} alone")
    print("packed: " + ", ".join(f"{n} {how}" for how, n in sorted(tally.items()))
          + f"; {changed + len(gone)} changed")
    return 1 if changed or gone or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
