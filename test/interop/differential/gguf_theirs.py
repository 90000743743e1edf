"""gguf_theirs.py -- how two other readers read a GGUF file: GGUFReader of the Python package gguf, and llama.cpp's
own gguf_init_from_file(), the reference, by way of the package cyllama.

The first runs here, with a limit on its number of reads: it does not notice an array that continues past the end.
The second is C++ and aborts on a failed assertion, so it runs in a child (llama_child.py).
"""
import importlib.metadata
import importlib.util
import json
import logging
import math
import os
import struct
import subprocess
import sys

import gguf
import numpy as np

NAMES = {t.name: t for t in gguf.GGMLQuantizationType}
KINDS = ["u8", "i8", "u16", "i16", "u32", "i32", "f32", "bool", "str", "arr", "u64", "i64", "f64"]
LOOKS = 20000


def decode_float(bits):
    return struct.unpack(">d", bytes.fromhex(bits))[0]


def plain(kind, value):
    """A value of the tool's line: strings as bytes, floats as floats."""
    if kind == "str": return bytes.fromhex(value)
    if kind in ("f32", "f64"): return decode_float(value)
    return bool(value) if kind == "bool" else value


def same(a, b):
    if isinstance(a, list) and isinstance(b, list): return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, float): return a == b or math.isnan(a) and math.isnan(b)
    return a == b


def pairs_of(ours):
    """key -> (type, element type, value) of the tool's line; the first of a key counts."""
    out = {}
    for key, kind, element, value in ours.facts["meta"]:
        if kind == "arr": value = None if value is None else [plain(element, v) for v in value]
        else: value = plain(kind, value)
        out.setdefault(bytes.fromhex(key), (kind, element, value))
    return out


def utf8(b):
    try:
        b.decode()
    except UnicodeDecodeError:
        return False
    return True


def breaches(file, ours):
    """Codes of the warnings that a file deserves for its contents (compared with llama.cpp): what the format's
    text forbids, and what it leaves open."""
    facts, found, alignment, keys = ours.facts, set(), 32, set()
    for key, kind, element, value in facts["meta"]:
        key = bytes.fromhex(key)
        keys.add(key)
        values = (value or []) if kind == "arr" else [value]
        if not all(0x20 < c < 0x7f for c in key) or len(key) > 65535: found.add("key-odd")
        if kind == "str" and not utf8(bytes.fromhex(value)): found.add("value-utf8")
        if kind == "bool" and values[0] > 1: found.add("value-bool")
        if key == b"general.alignment": alignment = value
    if alignment % 8: found.add("alignment-odd")
    if not keys & {b"general.architecture", b"split.no", b"general.type"}: found.add("architecture-absent")
    names = [bytes.fromhex(t[0]) for t in facts["tensors"]]
    if b"" in names: found.add("name-empty")
    if any(not utf8(n) or b"\0" in n for n in names): found.add("name-odd")
    if any(not t[2] for t in facts["tensors"]): found.add("dims-zero")
    if file[:4] == b"FUGG": found.add("magic-swapped")
    if facts["format"].split()[1] == "1": found.add("version-old")
    if any(bytes.fromhex(t[1]).decode() not in (*NAMES, "Q1_0", "Q2_0") for t in facts["tensors"]): found.add("type-fork")
    if any(file[facts["header"]:facts["start"]]): found.add("pad-not-zero")
    end = max([t[3] + t[4] for t in facts["tensors"] if t[4]], default=facts["start"])
    if len(file) > end + -end % alignment: found.add("trailing-bytes")
    return found


# ---- gguf-py

class Endless(Exception):
    pass


class Bounded(gguf.GGUFReader):
    looks = 0

    def _get(self, *arguments, **options):
        self.looks += 1
        if self.looks > LOOKS: raise Endless("reads the file endlessly")
        return super()._get(*arguments, **options)


class PythonReader:
    version = "gguf " + importlib.metadata.version("gguf")

    def __init__(self, folder):
        logging.disable(logging.CRITICAL)
        np.seterr(all="ignore")
        self.path = os.path.join(folder, "python.gguf")

    def close(self):
        if os.path.exists(self.path): os.remove(self.path)

    def read_all(self, files):
        for file in files: yield self.read(file)

    def read(self, file):
        with open(self.path, "wb") as f: f.write(file)
        try:
            return None, Bounded(self.path)
        except Exception as wrong:  # it raises whatever numpy raises
            return f"{type(wrong).__name__}: {str(wrong)[:100]}", None


def python_differs(file, ours, theirs):
    mine = [(bytes.fromhex(n), bytes.fromhex(d).decode(), shape[::-1], offset, size) for n, d, shape, offset, size in ours.facts["tensors"]]
    others = [(t.name.encode(), t.tensor_type.name, t.shape.tolist(), t.data_offset, t.n_bytes) for t in theirs.tensors]
    if sorted(mine) != sorted(others): return f"tensors: {sorted(set(map(str, mine)) ^ set(map(str, others)))[:4]}"
    if theirs.data_offset != ours.facts["start"]: return f"data start: {ours.facts['start']} is not {theirs.data_offset}"
    big = str(theirs.endianess.name) == "BIG"
    if big != ours.facts["format"].endswith("big"): return "byte order"
    fields = {f.name: f for f in theirs.fields.values() if not (f.name.startswith("GGUF.") and f.offset < 24)}
    pairs = pairs_of(ours)
    if set(fields) != {k.decode() for k in pairs}: return f"keys: {sorted(set(fields) ^ {k.decode() for k in pairs})[:4]}"
    for key, (kind, element, value) in pairs.items():
        f = fields[key.decode()]
        if f.types[0] != KINDS.index(kind): return f"type of {key}"
        if value is None or (kind == "arr" and not value): continue
        if kind == "arr" and f.types[1] != KINDS.index(element): return f"element type of {key}"
        theirs_value = [bytes(f.parts[i]) for i in f.data] if element == "str" else [x for i in f.data for x in f.parts[i].tolist()]
        if not same(value if kind == "arr" else [value], theirs_value): return f"value of {key}: {str(value)[:80]} is not {str(theirs_value)[:80]}"
    return None


# ---- llama.cpp

class LlamaReader:
    @staticmethod
    def there():
        return importlib.util.find_spec("cyllama") is not None

    def __init__(self, folder):
        here = os.path.dirname(os.path.abspath(__file__))
        self.folder = folder
        self.child = subprocess.Popen([sys.executable, os.path.join(here, "llama_child.py"), folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.version = json.loads(self.child.stdout.readline())["version"]

    def close(self):
        self.child.stdin.close()
        self.child.wait()
        for name in ("llama.gguf", "llama.txt"):
            path = os.path.join(self.folder, name)
            if os.path.exists(path): os.remove(path)

    def read_all(self, files):
        for file in files:
            self.child.stdin.write(struct.pack("<I", len(file)) + file)
            self.child.stdin.flush()
            d = json.loads(self.child.stdout.readline())
            yield f"ended by signal {d['ended']}" if "ended" in d else d["why"], d


def shown(name):
    """A name, in hex, as C shows it: up to the first NUL."""
    return bytes.fromhex(name).partition(b"\0")[0].hex()


def llama_differs(file, ours, theirs):
    if theirs.get("unread"): return None
    start = theirs["start"]
    mine = [[shown(n), NAMES[bytes.fromhex(d).decode()].value if bytes.fromhex(d).decode() in NAMES else None, offset - ours.facts["start"], size]
            for n, d, _, offset, size in ours.facts["tensors"]]
    others = theirs["tensors"]
    if [m[0:1] + m[2:] for m in mine] != [o[0:1] + o[2:] for o in others]: return f"tensors: {str(mine)[:200]} is not {str(others)[:200]}"
    for m, o in zip(mine, others):
        if m[1] is not None and m[1] != o[1]: return f"type of {m[0]}"
    if mine and start != ours.facts["start"]: return f"data start: {ours.facts['start']} is not {start}"
    if int(ours.facts["format"].split()[1]) != theirs["file_version"]: return "version"
    pairs = pairs_of(ours)
    if [shown(k.hex()) for k in pairs] != [k for k, _, _ in theirs["pairs"]]: return f"keys: {sorted(k.hex() for k in pairs)} is not {theirs['pairs']}"[:300]
    first = {}  # get_value() finds the first of those that are equal up to a NUL
    for key, (kind, _, value) in pairs.items(): first.setdefault(shown(key.hex()), (kind, value))
    for (key, (kind, _, value)), (name, number, seen) in zip(pairs.items(), theirs["pairs"]):
        if number != KINDS.index(kind): return f"type of {key}"
        kind, value = first[name]
        if value is None or seen is None: continue
        wanted = [v.partition(b"\0")[0] if isinstance(v, bytes) else v for v in (value if kind == "arr" else [value])]
        got = [bytes.fromhex(v[1:]) if isinstance(v, str) and v[:1] == "x" else decode_float(v[1:]) if isinstance(v, str) else v for v in seen]
        if not same(wanted, got): return f"value of {key}: {str(wanted)[:80]} is not {str(got)[:80]}"
    return None
