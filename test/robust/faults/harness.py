"""harness.py -- a good checkpoint, a copy with one fault, and the expected findings of verify.

A fault is a function that damages a Copy and returns the expected findings: a list of Expect, with tensor, offset
and numbers computed from the damage, never from output. Each must appear at its own level, and not one level
below. Consequences of the damage (a missing shard also lacks tensors) may be found too; the exit status must match
the worst.
"""
import json
import os
import re
import shutil
import struct
import subprocess
import traceback
from dataclasses import dataclass, field

import files

LEVELS = ["header", "size", "index", "config", "hash"]
ASKED = "values"  # without a level: --values finds it at any
NUMEL = os.path.abspath(os.path.join(os.environ.get("B", "build/release"), "numel"))


@dataclass
class Expect:
    code: str
    level: str
    file: str = None      # its name, without folders
    tensor: str = None
    offset: int = None
    numbers: list = field(default_factory=list)  # that its message must contain
    severity: str = "error"
    words: list = field(default_factory=list)    # and these


def verify(path, level, *options):
    p = subprocess.run([NUMEL, "verify", "--json", "--level", level, *options, path],
                       capture_output=True, check=False)
    reports = json.loads(p.stdout)
    return (reports if isinstance(reports, list) else [reports]), p.returncode


def numbers_of(message):
    return [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", message) if n.strip(",")]


def fits(finding, want):
    if finding["code"] != want.code or finding["level"] != want.level:
        return False
    if finding["severity"] != want.severity:
        return False
    if want.file is not None and os.path.basename(finding["file"]) != want.file:
        return False
    if want.tensor is not None and finding["tensor"] != want.tensor:
        return False
    if want.offset is not None and finding["offset"] != want.offset:
        return False
    if any(w not in finding["message"] for w in want.words):
        return False
    return all(n in numbers_of(finding["message"]) for n in want.numbers)


def look(path, level, wanted, options):
    """What is wrong with the report at that level, or None."""
    if "--manifest" in options and level != "hash": return None  # which makes hash the level
    reports, status = verify(path, level, *options)
    found = [f for r in reports for f in r.get("findings", [])]
    for want in wanted:
        here = want.level == ASKED or LEVELS.index(want.level) <= LEVELS.index(level)
        hit = any(fits(f, want) for f in found)
        if here and not hit:
            same = [f for f in found if f["code"] == want.code][:2]
            return f"at level {level}: no {want}; found {same or [f['code'] for f in found][:6]}"
        if hit and not here:
            return f"{want.code} of level {want.level} is reported at level {level}"
    worst = any(f["severity"] == "error" for f in found)
    unchecked = any(f["code"] in ("model-unchecked", "model-in-part") for f in found)
    if [r for r in reports if "ok" in r and r["in_part"] != unchecked]:
        return "in_part does not fit the findings"
    if status != (1 if worst else 4 if unchecked and level == "config" else 0):
        return f"at level {level}: exit status {status}, {'an error' if worst else 'no error'} found"
    if [r for r in reports if "ok" in r and r["ok"] != (r["errors"] == 0)]:
        return "ok does not fit the errors"
    return None


class Copy:
    """A folder with one checkpoint that may be damaged; `target` is verify's argument."""

    def __init__(self, good, folder):
        shutil.copytree(good, folder)
        self.folder = self.target = folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def shards(self):
        return sorted(n for n in os.listdir(self.folder)
                      if n.endswith((".safetensors", ".gguf")))

    def size(self, name):
        return os.path.getsize(self.path(name))

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def write(self, name, data):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode())

    def cut(self, name, by):
        os.truncate(self.path(name), self.size(name) - by)

    def append(self, name, data):
        with open(self.path(name), "ab") as f:
            f.write(data)

    def fill(self, name, at, data):
        with open(self.path(name), "r+b") as f:
            f.seek(at)
            f.write(data)

    def hole(self, name, at, length):
        """The same file, rewritten around a hole."""
        data = self.read(name)
        os.remove(self.path(name))
        with open(self.path(name), "wb") as f:
            f.write(data[:at])
            f.seek(at + length)
            f.write(data[at + length:])
            f.truncate(len(data))

    def json(self, name):
        return json.loads(self.read(name))

    def set_json(self, name, value):
        self.write(name, json.dumps(value))

    def edit_json(self, name, **keys):
        value = self.json(name)
        value.update(keys)
        self.set_json(name, value)


def label(argument):
    return getattr(argument, "__name__", str(argument))[:24].replace("\n", " ")


class Suite:
    def __init__(self, work):
        self.work, self.rows, self.faults = work, [], []

    def fault(self, good, *cases, options=()):
        """Registers a function, once for each case (its further arguments)."""
        def register(function):
            for case in cases or [()]:
                arguments = case if isinstance(case, tuple) else (case,)
                name = f"{good}: {function.__name__.replace('_', ' ')}"
                self.faults.append((good, name + "".join(f" {label(a)}" for a in arguments), function,
                                    arguments, options))
            return function
        return register

    def run_good(self, name, folder):
        reports, status = verify(folder, "config", "--strict", "--values")
        found = [f["code"] for r in reports for f in r["findings"]]
        self.rows.append((name, "good", None if not found and status == 0
                          else f"status {status}, found {found}"))

    def run_fault(self, goods, fault):
        good, name, function, arguments, options = fault
        folder = os.path.join(self.work, "copy")
        shutil.rmtree(folder, ignore_errors=True)
        wanted, wrong, highest = [], None, 0
        try:
            copy = Copy(goods[good], folder)
            wanted = function(copy, *arguments)
            highest = max(LEVELS.index("size" if w.level == ASKED else w.level) for w in wanted)
            for level in sorted({max(highest - 1, 0), highest, 3}):
                wrong = wrong or look(copy.target, LEVELS[level], wanted, options)
        except Exception:  # a fault that cannot be made is a failure of the test
            wrong = traceback.format_exc().strip().splitlines()[-1]
        level = LEVELS[highest] if wrong is None else "-"
        codes = ", ".join(w.code for w in wanted) if wrong is None else wrong
        self.rows.append((name, level, wrong))
        print(f"{'ok  ' if wrong is None else 'FAIL'} {name:58} {level:7} {codes}")

    def report(self):
        failed = [r for r in self.rows if r[2]]
        for name, _, wrong in failed:
            print(f"FAIL {name}: {wrong}")
        print(f"{len(self.rows) - len(failed)} passed, {len(failed)} failed")
        return 1 if failed else 0


# ---- safetensors --------------------------------------------------------------------------------

class Safetensors:
    """A file as header (an ordered dictionary) and data; the header may be rebuilt."""

    def __init__(self, copy, name):
        self.copy, self.name = copy, name
        self.header, start = files.opened(copy.path(name))
        self.data = copy.read(name)[start:]
        self.text = None

    def names(self):
        return [n for n in self.header if n != "__metadata__"]

    def encoded(self):
        if self.text is None:
            self.text = files.encoded(self.header)
        return self.text

    def at(self, name, nth=0):
        """The position of the entry with that name in the file."""
        at = -1
        for _ in range(nth + 1):
            at = self.encoded().index(b'"' + name.encode() + b'":', at + 1)
        return 8 + at

    def start(self):
        return 8 + len(self.encoded())

    def save(self):
        self.copy.write(self.name, files.frame(self.encoded(), self.data))

    def replace(self, old, new):
        """In the header's text, once."""
        assert self.encoded().count(old) == 1, old
        self.text = self.encoded().replace(old, new)


# ---- GGUF ---------------------------------------------------------------------------------------

SCALARS = {number: code for number, code in files.KIND.values() if code}
BLOCKS = {number: block for number, *block in files.GGUF.values()}


class Gguf:
    """The positions of everything in a GGUF file; values are changed in place, keys rewritten."""

    def __init__(self, copy, name):
        self.copy, self.name = copy, name
        self.raw = bytearray(copy.read(name))
        self.parse()

    def string(self, at):
        n = struct.unpack_from("<Q", self.raw, at)[0]
        return self.raw[at + 8:at + 8 + n].decode(), at + 8 + n

    def skip(self, kind, at):
        if kind == 8:
            return self.string(at)[1]
        if kind == 9:
            inner, count = struct.unpack_from("<IQ", self.raw, at)
            at += 12
            for _ in range(count):
                at = self.skip(inner, at)
            return at
        return at + struct.calcsize(SCALARS[kind])

    def parse(self):
        _, _, self.n_tensors, self.n_kv = struct.unpack_from("<IIQQ", self.raw)
        at, self.keys, self.tensors = 24, {}, {}
        for _ in range(self.n_kv):
            begin = at
            key, at = self.string(at)
            kind = struct.unpack_from("<I", self.raw, at)[0]
            value = at + 4
            at = self.skip(kind, value)
            self.keys[key] = {"at": begin, "kind": kind, "value": value, "end": at}
        self.infos = at
        for _ in range(self.n_tensors):
            begin = at
            name, at = self.string(at)
            n = struct.unpack_from("<I", self.raw, at)[0]
            dims = list(struct.unpack_from(f"<{n}Q", self.raw, at + 4))
            rest = at + 4 + 8 * n
            kind, offset = struct.unpack_from("<IQ", self.raw, rest)
            self.tensors[name] = {"at": begin, "n_dims": at, "dims_at": at + 4, "dims": dims,
                                  "type_at": rest, "type": kind, "offset_at": rest + 4,
                                  "offset": offset}
            at = rest + 12
        self.end = at
        self.start = (at + 31) // 32 * 32

    def names(self):
        return list(self.tensors)

    def bytes_of(self, name):
        t = self.tensors[name]
        n = 1
        for d in t["dims"]:
            n *= d
        return n // BLOCKS[t["type"]][0] * BLOCKS[t["type"]][1]

    def patch(self, fmt, at, *values):
        struct.pack_into(fmt, self.raw, at, *values)

    def set_key(self, key, value):
        k = self.keys[key]
        self.patch(SCALARS[k["kind"]], k["value"], value)

    def splice(self, at, end, data, keys=0):
        """Replaces bytes in the header; the data moves to its new place."""
        head, data_bytes = self.raw[:self.end], self.raw[self.start:]
        head[at:end] = data
        struct.pack_into("<Q", head, 16, self.n_kv + keys)
        head += bytes(-len(head) % 32)
        self.raw = head + data_bytes
        self.parse()

    def drop_key(self, key):
        self.splice(self.keys[key]["at"], self.keys[key]["end"], b"", -1)

    def add_key(self, key, kind, payload):
        self.splice(self.infos, self.infos, files.text(key) + files.u32(kind) + payload, 1)

    def save(self):
        self.copy.write(self.name, bytes(self.raw))


def gguf_strings(words):
    return files.value("arr", ("str", words))
