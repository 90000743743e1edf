"""safetensors_theirs.py -- how the Python package safetensors, the Rust reference reader, reads a file.

Uses both of its interfaces: deserialize() for names, types, shapes and the data itself, safe_open() for the
metadata and the names again. They must agree with each other.
"""
import json
import os

import safetensors
from safetensors import SafetensorError, deserialize, safe_open

VERSION = "safetensors " + safetensors.__version__


class Theirs:
    def __init__(self, folder):
        self.path = os.path.join(folder, "mutant.safetensors")

    def close(self):
        if os.path.exists(self.path): os.remove(self.path)

    def read(self, file):
        """(None, what was read) or (why it was refused, None)."""
        try:
            tensors = deserialize(file)
            why = None
        except SafetensorError as wrong:
            tensors, why = [], str(wrong)
        opened, metadata, names = self.open(file)
        if opened != (why is None): return f"deserialize and safe_open disagree: {why}", None
        if why: return why.removeprefix("Error while deserializing: "), None
        facts = {name: (t["dtype"], t["shape"], bytes(t["data"])) for name, t in tensors}
        if sorted(facts) != sorted(names) or len(facts) != len(tensors): return "deserialize and safe_open differ in names", None
        return None, (facts, metadata)

    def open(self, file):
        with open(self.path, "wb") as f: f.write(file)
        try:
            with safe_open(self.path, "numpy") as f: return True, f.metadata(), f.keys()
        except (SafetensorError, OSError):
            return False, None, []


def differs(file, ours, theirs):
    """The difference between the contents read, or None. The data itself shows where a tensor is."""
    tensors, metadata = theirs
    mine = {}
    for name, dtype, shape, offset, size in ours.facts["tensors"]:
        mine[bytes.fromhex(name).decode()] = (bytes.fromhex(dtype).decode(), shape, file[offset:offset + size])
    if mine != tensors:
        for name in sorted(mine.keys() | tensors.keys()):
            if mine.get(name) != tensors.get(name): return f"tensor {name[:40]!r}: {str(mine.get(name))[:200]} is not {str(tensors.get(name))[:200]}"
    words = {bytes.fromhex(k).decode(): bytes.fromhex(v).decode() for k, _, _, v in ours.facts["meta"]}
    if words != (metadata or {}): return f"metadata: {str(words)[:200]} is not {str(metadata)[:200]}"
    if len(ours.facts["tensors"]) != len(tensors): return "a tensor is listed twice"
    return None


def breaches(file):
    """Codes of the warnings that an accepted file deserves: what the format's text forbids, with the header read
    by Python's json."""
    n = int.from_bytes(file[:8], "little")
    text, found = file[8:8 + n].decode(), set()
    if text[0] != "{": found.add("leading-space")
    for name, value in json.loads(text, object_pairs_hook=tuple):
        if name == "__metadata__":
            if value is None: found.add("metadata-null")
            elif len({k for k, _ in value}) < len(value): found.add("metadata-repeated")
            continue
        fields = dict(value) if isinstance(value, tuple) else {"dtype": value[0]}
        if isinstance(value, list) or isinstance(fields["dtype"], tuple): found.add("entry-form")
        if not name: found.add("name-empty")
        elif "\0" in name: found.add("name-odd")
    return found
