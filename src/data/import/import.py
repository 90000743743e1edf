#!/usr/bin/env python3
"""usage: import.py [-c] [-p]

Regenerates the tables from the packages in requirements.txt, as tables.tsv describes; run by `make
import`, which has them in a venv. A table that differs replaces the old one, and the differing lines are
listed by the model type or class that they begin with. To adopt a release, change requirements.txt, run
`make import` and read the list. -c changes nothing and fails if something differs. Pinned tables are only
compared with their SHA-256: after a deliberate change, update it in tables.tsv. -p compares only those,
and needs no package.
"""
import hashlib, os, subprocess, sys

import tables

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../../..")


def rows():
    for line in open(os.path.join(HERE, "tables.tsv"), encoding="utf-8"):
        if line.strip() and line[0] != "#":
            yield line.rstrip("\n").split("\t")


def made(command):
    """The output of a script, as bytes; None if it fails."""
    done = subprocess.run([sys.executable, *command.split()], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        print("\n".join(done.stderr.decode(errors="replace").splitlines()[-3:]))
    return None if done.returncode else tables.wrapped(done.stdout.decode()).encode()


def differences(old, new):
    """The first words of lines that were removed, changed or added."""
    first = lambda text: {line.split(" ", 1)[0]: line for line in tables.joined(text.decode())}
    a, b = first(old), first(new)
    for name in sorted(a.keys() | b.keys()):
        if a.get(name) != b.get(name):
            yield ("gone    " if name not in b else "added   " if name not in a else "changed ") + name


def pinned(path, digest):
    found = hashlib.sha256(open(os.path.join(ROOT, path), "rb").read()).hexdigest()
    if found == digest:
        return True
    print(f"{path}: SHA-256 {found}, {digest} is pinned in tables.tsv")
    return False


def imported(path, command, check):
    old, new = open(os.path.join(ROOT, path), "rb").read(), made(command)
    if new is None:
        print(f"{path}: {command} failed")
        return False
    if new == old:
        print(f"{path}: as it was")
        return True
    print(f"{path}: differs")
    print("\n".join("  " + d for d in differences(old, new)))
    if not check:
        with open(os.path.join(ROOT, path), "wb") as f:
            f.write(new)
    return not check


def main():
    check, only_pinned = "-c" in sys.argv, "-p" in sys.argv
    bad = 0
    for path, how, what in rows():
        if how == "pinned":
            bad += not pinned(path, what)
        elif not only_pinned:
            bad += not imported(path, what, check)
    print(f"import: {'failed' if bad else 'ok'}")
    sys.exit(bad > 0)


main()
