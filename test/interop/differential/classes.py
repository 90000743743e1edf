"""classes.py -- all known disagreements between us and another reader, with reasons. Any other disagreement fails
the test.

A class is for one reader and one direction: "stricter" (we refuse, it accepts), "laxer" (we accept, it refuses) or
"otherwise" (both accept, but read different contents). `when` gets the file, our verdict, their reason for
refusing, and the difference. `says` names the documentation: a section of numel(5).
"""
import json
from dataclasses import dataclass


@dataclass
class Case:
    file: bytes
    ours: object  # ours.Verdict
    why: str  # of their refusal; None: they accept
    difference: str  # None: nothing was read otherwise

    def directions(self):
        """Data to explain: the verdict, and the contents of a file that both could read."""
        if self.ours.accepts != (self.why is None): yield "laxer" if self.ours.accepts else "stricter"
        if self.difference: yield "otherwise"

    def errors_in(self, *codes):
        return bool(self.ours.errors) and set(self.ours.errors) <= set(codes)

    def tensors(self):
        """(type, shape, offset, bytes) of each."""
        return [(bytes.fromhex(d).decode(), shape, offset, size) for _, d, shape, offset, size in self.ours.facts.get("tensors", [])]

    def has(self, finding):
        return any(f.partition(":")[2] == finding for f in self.ours.findings)


@dataclass
class Class:
    reader: str
    direction: str
    name: str
    reason: str
    says: str
    when: object


def twice(file):
    """True if a name appears twice in the header, as Python's json reads it."""
    found = []

    def pairs(items):
        found.append([k for k, _ in items])
        return dict(items)
    n = int.from_bytes(file[:8], "little")
    try:
        json.loads(file[8:8 + n].decode(), object_pairs_hook=pairs)
    except ValueError:
        return False
    return len(found[-1]) != len(set(found[-1]))


def product_with_zero(c): return any(0 in shape for _, shape, _, _ in c.tensors())
def alignment_and_nul(c): return any(bytes.fromhex(m[0]).startswith(b"general.alignment\0") for m in c.ours.facts["meta"])
def zero_behind_first(c): return any(0 in shape[:-1] for _, shape, _, _ in c.tensors())
def types_of(c, *names): return any(t in names for t, _, _, _ in c.tensors())


def wraps(c):
    """True if elements times bytes per block, before division by the block's elements, exceeds 64 bits."""
    import gguf_mutants
    for t, shape, _, _ in c.tensors():
        n = 1
        for d in shape: n *= d
        if t in gguf_mutants.TYPES and n * gguf_mutants.TYPES[t][2] >= 2**64: return True
    return False


LAYOUT = ("offset-hole", "offset-order", "offset-overlap", "offset-unaligned")
SPLIT = ("split-stale", "split-disagrees")

CLASSES = [
    Class("safetensors", "stricter", "a name twice", "the format's text forbids it; the reference uses the last one", "SAFETENSORS",
          lambda c: (c.ours.errors == ["DUPLICATE"] and "occurs twice" in c.ours.what or c.ours.errors == ["OVERFLOW"]) and twice(c.file)),

    Class("llama.cpp", "laxer", "big endian", "it reads files of the machine's own byte order only", "GGUF",
          lambda c: c.ours.facts["format"].endswith("big") and "endianness" in c.why),
    Class("llama.cpp", "laxer", "version 1", "it no longer reads it: warning version-old", "GGUF",
          lambda c: c.has("version-old") and "GGUFv1" in c.why),
    Class("llama.cpp", "laxer", "FUGG", "a big-endian writer swapped the magic, too: warning magic-swapped", "GGUF",
          lambda c: c.has("magic-swapped") and "magic" in c.why),
    Class("llama.cpp", "laxer", "a dimension of 0 ends it", "it divides by it (SIGFPE); repaired in ggml in August 2026", "GGUF",
          lambda c: c.why == "ended by signal 8" and zero_behind_first(c)),
    Class("llama.cpp", "laxer", "general.alignment and a NUL", "it accepts a key that equals it up to a NUL, and aborts because of its type", "GGUF",
          lambda c: c.why == "ended by signal 6" and alignment_and_nul(c)),
    Class("llama.cpp", "laxer", "0 times a huge dimension", "its check divided from the left; since August 2026 a product of 0 is 0", "GGUF",
          lambda c: ">= 9223372036854775807" in c.why and product_with_zero(c)),
    Class("llama.cpp", "laxer", "types of others", "types of the ik_llama.cpp fork, or of later versions, are counted", "GGUF",
          lambda c: "invalid ggml type" in c.why and (c.has("type-fork") or types_of(c, "Q2_0"))),
    Class("llama.cpp", "stricter", "data that is not there", "it opens metadata only; loading the model finds it: data-missing", "GGUF",
          lambda c: c.errors_in("data-missing")),
    Class("llama.cpp", "stricter", "keys of a split", "its model loader checks them, its file reader does not: split-stale, split-disagrees", "CHECKPOINTS",
          lambda c: c.errors_in(*SPLIT, "data-missing")),
    Class("llama.cpp", "stricter", "past any file", "a tensor ends beyond 2^63-1; opened for metadata only it is not looked for", "GGUF",
          lambda c: c.ours.errors == ["RANGE"] and "reach past any file" in c.ours.what),
    Class("llama.cpp", "stricter", "an alignment in an array", "its check tests the type of the elements; with two of them it aborts", "GGUF",
          lambda c: c.ours.errors == ["TYPE"] and "general.alignment is array" in c.ours.what),
    Class("llama.cpp", "otherwise", "bytes that wrap", "it multiplies all elements with the bytes of a block in 64 bits before it divides", "GGUF",
          lambda c: c.difference.startswith("tensors") and wraps(c)),

    Class("gguf-py", "laxer", "version 1", "it does not read it: warning version-old", "GGUF", lambda c: c.has("version-old") and "version 1 " in c.why),
    Class("gguf-py", "laxer", "FUGG", "a big-endian writer swapped the magic, too: warning magic-swapped", "GGUF",
          lambda c: c.has("magic-swapped") and "magic" in c.why),
    Class("gguf-py", "laxer", "names that are not UTF-8", "it decodes them; llama.cpp accepts them: warnings name-odd, key-odd", "GGUF",
          lambda c: "UnicodeDecodeError" in c.why and (c.has("name-odd") or c.has("key-odd"))),
    Class("gguf-py", "laxer", "no dimensions", "quantized, or not a scalar to numpy; llama.cpp counts it as 1 element: warning dims-zero", "GGUF",
          lambda c: c.has("dims-zero") and ("IndexError" in c.why or "reshape" in c.why)),
    Class("gguf-py", "laxer", "types of others", "its table lacks types that we count", "GGUF",
          lambda c: "GGMLQuantizationType" in c.why and (c.has("type-fork") or types_of(c, "Q1_0", "Q2_0"))),
    Class("gguf-py", "laxer", "data that is not there at all", "it looks at the data when it opens: note data-absent", "GGUF",
          lambda c: c.has("data-absent") and "reshape" in c.why),
    Class("gguf-py", "laxer", "Q8_1", "its table has 40 bytes a block, ggml 36: at the end of a file they are missing", "GGUF",
          lambda c: types_of(c, "Q8_1") and "reshape" in c.why),
    Class("gguf-py", "laxer", "0 times a huge dimension", "numpy makes no such array", "GGUF",
          lambda c: product_with_zero(c) and ("array is too big" in c.why or "Maximum allowed dimension" in c.why or "negative" in c.why or "reshape" in c.why)),
    Class("gguf-py", "stricter", "what llama.cpp refuses", "order, places and overlap of tensors, sizes of a type that the places contradict, nested arrays, long names, keys of a split, names that are one up to a NUL", "GGUF",
          lambda c: c.errors_in(*LAYOUT, *SPLIT, "type-size", "array-nested", "name-long", "name-repeated", "data-missing") and c.ours.errors != ["data-missing"]),
    Class("gguf-py", "stricter", "ranges", "dimensions beyond 4 or 2^63-1, rows of half a block, offsets past any file, empty keys, products beyond 64 bits: it does not ask", "GGUF",
          lambda c: c.ours.errors in (["RANGE"], ["OVERFLOW"])),
    Class("gguf-py", "stricter", "arrays nested deeper than 4", "it recurses", "GGUF", lambda c: c.ours.errors == ["LIMIT"] and "nested" in c.ours.what),
    Class("gguf-py", "stricter", "short reads", "data past the end of the file reads as less, or as nothing", "GGUF",
          lambda c: c.ours.errors in (["TRUNCATED"], ["data-missing"])),
    Class("gguf-py", "otherwise", "types of a fork", "offsets that no block of its type gives: we count the bytes up to the next tensor, it trusts the type", "GGUF",
          lambda c: c.difference.startswith("tensors") and "type-size" in c.ours.errors and c.errors_in("type-size", *LAYOUT, *SPLIT, "data-missing")),
    Class("gguf-py", "otherwise", "Q8_1", "its table has 40 bytes a block, ggml 36", "GGUF", lambda c: c.difference.startswith("tensors") and types_of(c, "Q8_1")),
]


def class_of(reader, case, direction):
    """The class that explains it, or None."""
    return next((c for c in CLASSES if c.reader == reader and c.direction == direction and c.when(case)), None)
