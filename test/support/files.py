"""Files of either format, byte for byte, for tests that need files which no library would write.

Every Python test makes its files here, so each layout is described once. Shapes are outermost first, in GGUF too. What the caller
omits gets the value that writers give; what it states is written as stated, even if wrong.

    safetensors([("w", "F32", [2, 3])])                 a whole file whose data are ones
    sparse(path, [("w", "F32", [2, 3])], data={...})    a file of any size whose data are holes, with a few exceptions
    opened(path)                                        (header, start of the data)
    frame({"w": {...}}, body)                           any header, as a dict or as bytes, and what follows
    gguf([("general.architecture", "llama")], [("w", "Q4_0", [2, 32])])
    stored("fixtures/oracle/own.jsonl.zst")             the cases of a file of fixtures
"""
import json
import os
import struct
import subprocess

# Bits per element, as in the safetensors crate.
BITS = {"BOOL": 8, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8,
        "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32, "C64": 64, "F64": 64, "I64": 64,
        "U64": 64, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6}
# Number, elements per block, bytes per block, as in ggml.h.
GGUF = {"F32": (0, 1, 4), "F16": (1, 1, 2), "Q4_0": (2, 32, 18), "Q4_1": (3, 32, 20), "Q5_0": (6, 32, 22),
        "Q8_0": (8, 32, 34), "Q4_K": (12, 256, 144), "Q6_K": (14, 256, 210), "I8": (24, 1, 1), "I32": (26, 1, 4),
        "F64": (28, 1, 8), "IQ1_M": (29, 256, 56), "BF16": (30, 1, 2), "MXFP4": (39, 32, 17)}
# Buffers that torch keeps as integers, by the last word of their names, as in test/support/oracle.c.
WHOLE = ("num_batches_tracked", "relative_position_index", "position_ids", "token_type_ids", "latent_stats_num_updates",
         "summary_idxs", "attention_bias_idxs", "tid2eid", "cases")
# Types of values in GGUF metadata.
KIND = {"u8": (0, "<B"), "i8": (1, "<b"), "u16": (2, "<H"), "i16": (3, "<h"), "u32": (4, "<I"), "i32": (5, "<i"),
        "f32": (6, "<f"), "bool": (7, "<?"), "str": (8, None), "arr": (9, None), "u64": (10, "<Q"), "i64": (11, "<q"),
        "f64": (12, "<d")}


def type_of(name, usual="F32"):
    """The type of a saved tensor, for cases that have only names and shapes."""
    return "I64" if name.rsplit(".", 1)[-1] in WHOLE else usual


def put(path, content):
    """Writes a file and the folders it needs."""
    folder = os.path.dirname(path)
    if folder: os.makedirs(folder, exist_ok=True)
    with open(path, "wb") as f: f.write(content)


def unpacked(path):
    """The lines of a zstd file."""
    return subprocess.run(["zstd", "-dcq", "--long=27", path], check=True, stdout=subprocess.PIPE).stdout.splitlines()


def stored(path):
    """Their values, parsed as JSON."""
    return map(json.loads, unpacked(path))


def listed(tensors):
    """[(name, type, shape)] from {name: (type, shape)}."""
    return [(name, dtype, shape) for name, (dtype, shape) in tensors.items()]


def product(shape):
    n = 1
    for d in shape: n *= d
    return n


# ---- safetensors

def encoded(header):
    return json.dumps(header, separators=(",", ":")).encode()


def frame(header, body=b"", length=None):
    """Header length, header, body. A header of bytes is written unchanged."""
    text = header if isinstance(header, bytes) else encoded(header)
    return struct.pack("<Q", len(text) if length is None else length) + text + body


def laid(tensors, metadata=None):
    """(header, bytes of data) for tensors (name, type, shape), stored consecutively."""
    header, at = {} if metadata is None else {"__metadata__": metadata}, 0
    for name, dtype, shape in tensors:
        n = product(shape) * BITS[dtype] // 8
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, at + n]}
        at += n
    return header, at


def safetensors(tensors, metadata=None, body=None):
    header, size = laid(tensors, metadata)
    return frame(header, b"\1" * size if body is None else body)


def padded(header):
    """A header as writers store it: bytes, padded with spaces to a multiple of eight."""
    text = encoded(header)
    return text + b" " * (-len(text) % 8)


def sparse(path, tensors, metadata=None, data=None):
    """A file of the full size that takes no disk space: holes, except for `data`, {name: bytes}."""
    header, size = laid(tensors, metadata)
    front = frame(padded(header))
    folder = os.path.dirname(path)
    if folder: os.makedirs(folder, exist_ok=True)
    with open(path, "wb") as f:
        f.write(front)
        for name, content in (data or {}).items():
            f.seek(len(front) + header[name]["data_offsets"][0])
            f.write(content)
        f.truncate(len(front) + size)


def opened(path):
    """(header, start of the data) of a valid file."""
    with open(path, "rb") as f:
        n, = struct.unpack("<Q", f.read(8))
        return json.loads(f.read(n)), 8 + n


# ---- GGUF

def u32(n): return struct.pack("<I", n)
def u64(n): return struct.pack("<Q", n)


def text(s):
    s = s.encode() if isinstance(s, str) else s
    return u64(len(s)) + s


def value(kind, v):
    if kind == "str": return text(v)
    if kind == "arr": return u32(KIND[v[0]][0]) + u64(len(v[1])) + b"".join(value(v[0], x) for x in v[1])
    return struct.pack(KIND[kind][1], v)


def pair(key, v):
    """A key and its value: a string, an integer (u32), or (kind, value); ("arr", (kind, values)) is an array."""
    kind, v = v if isinstance(v, tuple) else ("u32" if isinstance(v, int) else "str", v)
    return text(key) + u32(KIND[kind][0]) + value(kind, v)


def info(name, dtype, shape, offset):
    number = dtype if isinstance(dtype, int) else GGUF[dtype][0]
    return text(name) + u32(len(shape)) + b"".join(u64(d) for d in reversed(shape)) + u32(number) + u64(offset)


def laid_gguf(pairs, tensors, version=3, alignment=32):
    """(header with its padding, bytes of data) for tensors (name, type, shape), stored consecutively, each
    aligned."""
    infos, at = b"", 0
    for name, dtype, shape in tensors:
        infos += info(name, dtype, shape, at)
        _, elements, size = GGUF[dtype]
        at += -(-product(shape) // elements) * size
        at += -at % alignment
    out = b"GGUF" + u32(version) + u64(len(tensors)) + u64(len(pairs))
    out += b"".join(pair(k, v) for k, v in pairs) + infos
    return out + bytes(-len(out) % alignment), at


def gguf(pairs, tensors, version=3, alignment=32, body=None):
    """A whole file whose data are ones."""
    front, size = laid_gguf(pairs, tensors, version, alignment)
    return front + (b"\1" * size if body is None else body)


def sparse_gguf(path, pairs, tensors):
    """The same at any size, without using disk space: its data are a hole."""
    front, size = laid_gguf(pairs, tensors)
    with open(path, "wb") as f:
        f.write(front)
        f.truncate(len(front) + size)
