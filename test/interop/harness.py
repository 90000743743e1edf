"""harness.py -- runs numel, compares its output with what was written, and keeps score.

A checkpoint is compared as a whole: `expect()` gets the tensors as passed to the other side (name, type, shape),
computes elements and bytes, and checks three reports of numel: tensors --json (each tensor), show --json (counts,
every byte of the file accounted for) and, where metadata was written, meta --json.
"""
import json
import math
import os
import subprocess
import traceback
from dataclasses import dataclass


class Mismatch(Exception):
    pass


def same(what, actual, expected):
    if actual != expected:
        raise Mismatch(f"{what}: {str(actual)[:200]} is not {str(expected)[:200]}")


@dataclass
class Tensor:
    dtype: str
    shape: list
    nbytes: int
    offset: int  # from the start of its file

    def elements(self):
        return math.prod(self.shape)


class Bench:
    """The tool under test, a place for files, and the score."""

    def __init__(self, numel, folder):
        self.numel, self.folder = os.path.abspath(numel), folder
        self.rows = []  # (group, name, error or None)
        self.made = []  # (path, format) of every good file, for the way back

    def run(self, *arguments):
        done = subprocess.run([self.numel, *arguments], capture_output=True, check=False)
        if done.returncode > 1:
            raise Mismatch(f"numel {arguments[0]}: status {done.returncode}: "
                           f"{done.stderr.decode(errors='replace').strip()[:300]}")
        return done.stdout.decode("utf-8")

    def tensors(self, path):
        lines = self.run("tensors", "--json", path).splitlines()
        return [json.loads(line) for line in lines]

    def show(self, path):
        return json.loads(self.run("show", "--json", path))

    def meta(self, path):
        return json.loads(self.run("meta", "--json", "--no-truncate", path))["entries"]

    def case(self, group, name, function, *arguments, **options):
        try:
            function(self, *arguments, **options)
            error = None
        except Mismatch as wrong:
            error = str(wrong)
        except Exception:  # a failure of the other side also fails the case
            error = traceback.format_exc().strip().splitlines()[-1][:300]
        self.rows.append((group, name, error))
        if error:
            print(f"FAIL {group}: {name}: {error}", flush=True)

    def report(self):
        groups = {}
        for group, _, error in self.rows:
            passed, failed = groups.get(group, (0, 0))
            groups[group] = (passed + (not error), failed + bool(error))
        print(f"\n{'':52} passed  failed")
        for group, (passed, failed) in groups.items():
            print(f"{group:52} {passed:6} {failed:7}")
        failed = sum(1 for row in self.rows if row[2])
        print(f"{len(self.rows) - failed} passed, {failed} failed")
        return 1 if failed or not self.rows else 0


def check_tensor(name, row, expected):
    same(f"{name[:60]!r} type", row["dtype"], expected.dtype)
    same(f"{name[:60]!r} shape", row["shape"], list(expected.shape))
    same(f"{name[:60]!r} elements", row["elements"], expected.elements())
    same(f"{name[:60]!r} bytes", row["bytes"], expected.nbytes)
    same(f"{name[:60]!r} offset", row["offset"], expected.offset)


def check_files(bench, path, expected, size):
    shown = bench.show(path)
    same("number of checkpoints", isinstance(shown, dict), True)
    same("counts.tensors", shown["counts"]["tensors"], len(expected))
    same("counts.stored", shown["counts"]["stored"], sum(t.elements() for t in expected.values()))
    same("bytes of files", sum(f["bytes"] for f in shown["files"]), size)
    for f in shown["files"]:
        parts = ("header_bytes", "data_bytes", "padding", "gaps", "trailing")
        same("bytes accounted for", sum(f[p] for p in parts), f["bytes"])
        same("overlap and missing", (f["overlap"], f["missing"]), (0, 0))
    return shown


def expect(bench, path, expected, size):
    """path holds exactly the tensors of `expected` (name -> Tensor) in `size` bytes."""
    rows = bench.tensors(path)
    same("tensor lines", len(rows), len(expected))
    same("names", sorted(r["name"] for r in rows), sorted(expected))
    for row in rows:
        check_tensor(row["name"], row, expected[row["name"]])
    return check_files(bench, path, expected, size)
