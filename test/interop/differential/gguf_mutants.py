"""gguf_mutants.py -- GGUF files, valid or with one to three errors, generated from a number.

As safetensors_mutants.py: a tree of pairs and infos, the bytes of it, the file. Versions 1 to 3, either byte
order, every type of value, every element type.
"""
import random
import struct

from files import KIND, product

# Every type of ggml.h: number, elements a block, bytes a block.
TYPES = {"F32": (0, 1, 4), "F16": (1, 1, 2), "Q4_0": (2, 32, 18), "Q4_1": (3, 32, 20), "Q5_0": (6, 32, 22), "Q5_1": (7, 32, 24), "Q8_0": (8, 32, 34),
         "Q8_1": (9, 32, 36), "Q2_K": (10, 256, 84), "Q3_K": (11, 256, 110), "Q4_K": (12, 256, 144), "Q5_K": (13, 256, 176), "Q6_K": (14, 256, 210),
         "Q8_K": (15, 256, 292), "IQ2_XXS": (16, 256, 66), "IQ2_XS": (17, 256, 74), "IQ3_XXS": (18, 256, 98), "IQ1_S": (19, 256, 50), "IQ4_NL": (20, 32, 18),
         "IQ3_S": (21, 256, 110), "IQ2_S": (22, 256, 82), "IQ4_XS": (23, 256, 136), "I8": (24, 1, 1), "I16": (25, 1, 2), "I32": (26, 1, 4), "I64": (27, 1, 8),
         "F64": (28, 1, 8), "IQ1_M": (29, 256, 56), "BF16": (30, 1, 2), "TQ1_0": (34, 256, 54), "TQ2_0": (35, 256, 66), "MXFP4": (39, 32, 17), "NVFP4": (40, 64, 36)}
OTHER_TYPES = [4, 5, 31, 32, 33, 36, 37, 38, 41, 42, 43, 44, 97, 133, 137, 144, 200, 255, 256, 2**16, 2**31 - 1, 2**31, 2**32 - 1]
WORDS = [b"llama", b"", b"x", "模型".encode(), b"a b", b"v" * 300, b"\xff\xfe", b"a\0b", b"\xed\xa0\x80", b"\x1b[31m", b"1.0"]
KEYS = [b"general.name", b"general.author", b"llama.block_count", b"llama.context_length", b"tokenizer.ggml.tokens", b"tokenizer.ggml.scores", b"general.file_type",
        b"a", b"A.B", b"general.quantization_version", b"split.tensors.count", b"x.y.z", b"llama.rope.freq_base"]
HUGE = [0, 1, 2, 3, 7, 2**16, 2**20, 2**30, 2**30 + 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**61, 2**62, 2**63 - 1, 2**63, 2**64 - 8, 2**64 - 1]
NUMBERS = {"u8": 8, "i8": 8, "u16": 16, "i16": 16, "u32": 32, "i32": 32, "u64": 64, "i64": 64}


class Info:
    def __init__(self, name, number, dims, offset):
        self.name, self.number, self.dims, self.offset = name, number, dims, offset  # dims as they lie in the file
        self.count = None  # of dims, when the file says another
        self.length = None  # of the name


class Pair:
    def __init__(self, key, kind, value):
        self.key, self.kind, self.value = key, kind, value
        self.length = self.number = None  # when the file says others


class Case:
    def __init__(self, rng):
        self.rng = rng
        self.version = rng.choices([3, 2, 1], [80, 15, 5])[0]
        self.big = rng.random() < 0.12
        self.magic = b"GGUF"
        self.alignment = rng.choices([32, 8, 16, 64, 256, 4, 1], [80, 4, 4, 4, 4, 2, 2])[0]
        self.n_tensors = self.n_kv = self.said_version = None
        self.pad = b"\0"
        self.tail = rng.random() < 0.85  # is the last tensor padded?
        self.pairs = [Pair(b"general.architecture", "str", rng.choice(WORDS[:3]))] if rng.random() < 0.85 else []
        if self.alignment != 32 or rng.random() < 0.05: self.pairs.append(Pair(b"general.alignment", "u32", self.alignment))
        for key in rng.sample(KEYS, rng.choice([0, 1, 2, 3, 6])): self.pairs.append(Pair(key, *any_value(rng)))
        if rng.random() < 0.3: rng.shuffle(self.pairs)
        self.infos, self.body = [], b""
        for i in range(rng.choice([0, 1, 1, 2, 2, 3, 4, 6, 12])): add_tensor(self, b"blk.%d.w" % i if rng.random() < 0.8 else b"t%d" % i + rng.choice(WORDS[:6])[:40])

    def number(self, code, v):
        return struct.pack((">" if self.big else "<") + code, v)

    def size(self, n):  # counts, lengths and dims
        return self.number("I", n & 0xFFFFFFFF) if self.version == 1 else self.number("Q", n & 2**64 - 1)

    def text(self, s, length=None):
        return self.size(len(s) if length is None else length) + s

    def value(self, kind, v):
        if kind == "str": return self.text(v)
        if kind == "raw": return v
        if kind == "arr":
            inner, items, count = v
            number = inner if isinstance(inner, int) else KIND[inner][0]
            body = b"".join(self.value(inner, x) for x in items) if not isinstance(inner, int) else items
            return self.number("I", number) + self.size(count) + body
        if kind == "bool": return bytes([v])
        return self.number(KIND[kind][1][1:], v)

    def encoded(self):
        c = self
        out = c.magic + c.number("I", c.version if c.said_version is None else c.said_version)
        out += c.size(len(c.infos) if c.n_tensors is None else c.n_tensors) + c.size(len(c.pairs) if c.n_kv is None else c.n_kv)
        for p in c.pairs:
            out += c.text(p.key, p.length) + c.number("I", KIND.get(p.kind, (0,))[0] if p.number is None else p.number) + c.value(p.kind, p.value)
        for i in c.infos:
            out += c.text(i.name, i.length) + c.number("I", len(i.dims) if i.count is None else i.count) + b"".join(c.size(d) for d in i.dims)
            out += c.number("I", i.number) + c.number("Q", i.offset % 2**64)
        return out + c.pad * (-len(out) % c.alignment) + c.body


def any_value(rng, depth=0):
    kind = rng.choice([k for k in KIND if depth == 0 or k != "arr"])
    if kind == "str": return kind, rng.choice(WORDS[:6] if rng.random() < 0.9 else WORDS)
    if kind == "arr":
        inner = rng.choice([k for k in KIND if k != "arr"])
        items = [scalar(rng, inner) for _ in range(rng.choice([0, 1, 2, 3, 10, 100]))]
        return kind, (inner, items, len(items))
    return kind, scalar(rng, kind)


def scalar(rng, kind):
    if kind == "str": return rng.choice(WORDS[:6])
    if kind == "bool": return rng.randrange(2)
    if kind in ("f32", "f64"): return rng.choice([0.0, -0.0, 1.5, -2.25, 1e-5, 10000.0, float("inf"), float("nan")])
    bits = NUMBERS[kind]
    low = -2**(bits - 1) if kind[0] == "i" else 0
    return rng.choice([0, 1, low, low + 2**bits - 1, rng.randrange(low, low + 2**bits), 32 % 2**(bits - 1)])


def add_tensor(c, name, dtype=None, dims=None):
    rng = c.rng
    dtype = dtype or rng.choice([*TYPES])
    number, block, size = TYPES[dtype]
    if dims is None:
        dims = [rng.choice([1, 2, 3, 5]) * block] + [rng.choice([1, 1, 2, 3, 4]) for _ in range(rng.choice([0, 0, 1, 1, 1, 2, 3]))]
        if rng.random() < 0.06: dims[rng.randrange(len(dims))] = 0
    c.body += b"" if len(c.body) % c.alignment == 0 else bytes(-len(c.body) % c.alignment)
    c.infos.append(Info(name, number, dims, len(c.body)))
    c.body += rng.randbytes(product(dims) // block * size)
    if c.tail: c.body += bytes(-len(c.body) % c.alignment)


def some_info(c):
    if not c.infos: add_tensor(c, b"w", "F32", [4])
    return c.rng.choice(c.infos)


def some_pair(c):
    if not c.pairs: c.pairs.append(Pair(b"general.name", "str", b"x"))
    return c.rng.choice(c.pairs)


# ---- the head

def version_other(c): c.said_version = c.rng.choice([0, 1, 2, 3, 4, 5, 0x30000, 0x40000, 2**16, 2**24, 3 << 24, 2**31, 2**32 - 1])
def magic_other(c): c.magic = c.rng.choice([b"FUGG", b"FUGG", b"GGML", b"gguf", b"GGUE", b"\0\0\0\0", b"GGUf", b"GGJT", b"ggjt", b"lmgg"])
def count_tensors(c): c.n_tensors = c.rng.choice([len(c.infos) + 1, max(0, len(c.infos) - 1), *HUGE])
def count_pairs(c): c.n_kv = c.rng.choice([len(c.pairs) + 1, max(0, len(c.pairs) - 1), *HUGE])


# ---- pairs

def key_doubled(c):
    p = some_pair(c)
    other = Pair(p.key, p.kind, p.value) if c.rng.random() < 0.5 else Pair(p.key, *any_value(c.rng))
    c.pairs.insert(c.rng.randrange(len(c.pairs) + 1), other)


def key_odd(c): some_pair(c).key = c.rng.choice([b"", b"\0", b"a\0b", b"\xff", b" ", b"k" * 65535, b"k" * 65536, "ключ".encode(), b"general.alignment", b"A", b"a\nb", b"\x7f"])


def key_prefix(c):
    """Two keys that C strings treat as equal."""
    key = some_pair(c).key
    c.pairs.append(Pair(key + b"\0x", *any_value(c.rng)))
    if c.rng.random() < 0.5: c.pairs.append(Pair(key + b"\0y", *any_value(c.rng)))


def key_length(c): some_pair(c).length = c.rng.choice([0, len(some_pair(c).key) + 1, *HUGE])
def value_type(c): some_pair(c).number = c.rng.choice([*range(15), 255, 2**16, 2**31, 2**32 - 1])


def value_other(c):
    p = some_pair(c)
    p.kind, p.value = any_value(c.rng)


def string_length(c):
    p = some_pair(c)
    p.number, p.kind, p.value = 8, "raw", c.size(c.rng.choice([0, 1, 5, *HUGE])) + c.rng.choice([b"", b"x", b"hello"])


def string_bytes(c):
    p = some_pair(c)
    p.kind, p.value = "str", c.rng.choice(WORDS)


def bool_other(c):
    p = some_pair(c)
    if c.rng.random() < 0.5: p.kind, p.value = "bool", c.rng.choice([2, 3, 128, 255])
    else: p.kind, p.value = "arr", ("bool", [0, 2, 1], 3)


def array_count(c):
    p = some_pair(c)
    inner = c.rng.choice([k for k in KIND if k != "arr"])
    items = [scalar(c.rng, inner) for _ in range(3)]
    p.kind, p.value = "arr", (inner, items, c.rng.choice([2, 4, *HUGE]))


def array_type(c):
    p = some_pair(c)
    p.kind, p.value = "arr", (c.rng.choice([9, 13, 14, 255, 2**31, 2**32 - 1]), c.rng.choice([b"", bytes(16)]), c.rng.choice([0, 0, 1, 2]))


def array_nested(c):
    p = some_pair(c)
    value = ("u8", [1, 2, 3], 3)
    for _ in range(c.rng.choice([1, 1, 1, 2, 3, 4, 5, 10])): value = ("arr", [value] * c.rng.choice([0, 1, 1, 2]), None)
    def counted(v): return (v[0], [counted(x) for x in v[1]] if v[0] == "arr" else v[1], len(v[1]))
    p.kind, p.value = "arr", counted(value)


def array_strings(c):
    p = some_pair(c)
    p.kind, p.value = "arr", ("str", [c.rng.choice(WORDS) for _ in range(c.rng.choice([1, 5, 50]))], None)
    p.value = (p.value[0], p.value[1], len(p.value[1]))


def alignment_other(c):
    kind, value = c.rng.choice([("u32", 0), ("u32", 1), ("u32", 2), ("u32", 3), ("u32", 4), ("u32", 6), ("u32", 8), ("u32", 12), ("u32", 24), ("u32", 40), ("u32", 33), ("u32", 64), ("u32", 1024), ("u32", 2**16),
                                ("u32", 2**31), ("u32", 2**32 - 1), ("u32", 2**32 - 8), ("u64", 32), ("i32", 32), ("i32", -32), ("u8", 32), ("u16", 32), ("f32", 32.0), ("str", b"32"), ("bool", 1),
                                ("arr", ("u32", [32], 1)), ("i64", 64), ("u64", 0)])
    c.pairs = [p for p in c.pairs if p.key != b"general.alignment"] + [Pair(b"general.alignment", kind, value)]
    if kind == "u32" and 0 < value <= 65536 and c.rng.random() < 0.8: relay(c, value)


def relay(c, alignment):
    """The data of all tensors again, with another alignment."""
    c.alignment, body = alignment, b""
    for i in c.infos:
        known = {n: (b, s) for n, b, s in TYPES.values()}.get(i.number)
        i.offset = len(body)
        size = product(i.dims) // known[0] * known[1] if known else 0
        body += c.rng.randbytes(size if size < 1 << 20 else 0)
        body += bytes(-len(body) % alignment)
    c.body = body


def pair_dropped(c):
    if c.pairs: c.pairs.pop(c.rng.randrange(len(c.pairs)))


# ---- infos

def name_doubled(c):
    i = some_info(c)
    if c.rng.random() < 0.5: add_tensor(c, i.name)
    else: c.infos.append(Info(i.name, i.number, i.dims, i.offset))


def name_odd(c): some_info(c).name = c.rng.choice([b"", b"\0", b"a\0b", b"\xff", b"n" * 63, b"n" * 64, b"n" * 65, b"n" * 1000, "тензор".encode(), b"a b", b"\x1b[31m", b"\xed\xa0\x80"])


def name_prefix(c):
    """Two names that C strings treat as equal."""
    name = some_info(c).name[:20]
    add_tensor(c, name + b"\0x")
    if c.rng.random() < 0.5: add_tensor(c, name + b"\0y")


def name_length(c): some_info(c).length = c.rng.choice([0, 1, 62, 63, 64, 65, *HUGE])


def dims_count(c):
    i = some_info(c)
    i.count = c.rng.choice([0, 1, 2, 3, 4, 5, 6, 64, 65, 2**31, 2**32 - 1])


def dims_more(c):
    i = some_info(c)
    i.dims = i.dims + [1] * c.rng.choice([1, 2, 3, 4, 5, 60])


def dims_none(c):
    i = some_info(c)
    i.dims, i.number = [], c.rng.choice([0, 1, 24, i.number])
    if c.rng.random() < 0.5: relay(c, c.alignment)


def dim_other(c):
    i = some_info(c)
    if i.dims: i.dims[c.rng.randrange(len(i.dims))] = c.rng.choice([*HUGE, i.dims[0] + 1, i.dims[0] * 2, 32, 256, 31, 33])


SHAPES = [[2**32, 2**32], [2**31, 2**31, 4], [2**33 - 1, 2**31], [2**32, 2**31], [2**31, 2**32], [2**63 - 1], [2**63], [2**62, 2], [2**62], [2**61], [2**60, 8], [0, 2**62, 2**62], [2**62, 2**62, 0],
          [2**64 - 1], [2**64 - 1, 2**64 - 1], [2**32, 2**32 + 1], [3037000500, 3037000500], [256, 2**55], [256, 2**56], [1, 1, 1, 2**63 - 1], [2**61 + 32], [32, 2**58], [0, 2**63], [2**64 - 1, 0], [0, 2**64 - 1]]


def dims_overflow(c):
    i = some_info(c)
    i.dims = list(c.rng.choice(SHAPES))
    if c.rng.random() < 0.5: i.number = c.rng.choice([0, 24, 28, 2, 12, 8])
    if c.rng.random() < 0.5:
        c.infos.remove(i)
        c.infos.append(i)


def row_blocks(c):
    i = some_info(c)
    i.number, block, _ = TYPES[c.rng.choice(["Q4_0", "Q4_K", "MXFP4", "NVFP4", "IQ4_NL", "Q8_0"])]
    i.dims = c.rng.choice([[1], [16, 2], [31], [33], [64, 3], [32], [128, 2], [block // 2, 2], [2, block], [block * 2], [block + 1, block]])
    if c.rng.random() < 0.7: relay(c, c.alignment)


def type_other(c):
    some_info(c).number = c.rng.choice([*OTHER_TYPES, *[n for n, _, _ in TYPES.values()]])
    if c.rng.random() < 0.4: relay(c, c.alignment)


def offset_other(c):
    i = some_info(c)
    i.offset = c.rng.choice([i.offset + 32, i.offset - 32, i.offset + 1, i.offset - 1, i.offset + 8, 0, len(c.body), len(c.body) + 32, 2**31, 2**40 * 32, 2**63 - 32, 2**63, 2**64 - 32, 2**64 - 1])


def offset_order(c):
    if len(c.infos) < 2: add_tensor(c, b"more")
    if c.rng.random() < 0.6: c.rng.shuffle(c.infos)
    else:
        a, b = c.rng.choice(c.infos), c.rng.choice(c.infos)
        a.offset, b.offset = b.offset, a.offset


def empty_somewhere(c):
    """A tensor without elements, at valid and invalid positions."""
    at = c.rng.choice([0, len(c.body), c.rng.randrange(len(c.body) // c.alignment + 1) * c.alignment, *[i.offset for i in c.infos]])
    c.infos.insert(c.rng.randrange(len(c.infos) + 1), Info(b"empty", c.rng.choice([0, 24, 12]), c.rng.choice([[0], [0, 3], [0], [2, 0]]), at))


def info_dropped(c):
    if c.infos: c.infos.pop(c.rng.randrange(len(c.infos)))


def info_added(c): add_tensor(c, b"added", c.rng.choice([*TYPES]))
def pad_other(c): c.pad = c.rng.choice([b"\xaa", b"\1", b" "])


def split_keys(c):
    n = c.rng.choice([1, 2, 3])
    for key, kind, value in ((b"split.no", "u16", c.rng.randrange(n + 1)), (b"split.count", "u16", n), (b"split.tensors.count", "i32", len(c.infos))):
        c.pairs = [p for p in c.pairs if p.key != key] + [Pair(key, kind, value)]


TREE = [version_other, magic_other, count_tensors, count_pairs, key_doubled, key_odd, key_prefix, key_length, value_type, value_other, string_length, string_bytes, bool_other, array_count, array_count,
        array_type, array_nested, array_strings, alignment_other, alignment_other, pair_dropped, name_doubled, name_odd, name_prefix, name_length, dims_count, dims_more, dims_none, dim_other, dim_other,
        dims_overflow, dims_overflow, row_blocks, row_blocks, type_other, type_other, offset_other, offset_other, offset_order, empty_somewhere, info_dropped, info_added, pad_other, split_keys]


# ---- the file

def head_length(c, f): return max(0, len(f) - len(c.body))


def cut_head(c, f): return f[:c.rng.randrange(head_length(c, f) + 1)]
def cut_data(c, f): return f[:len(f) - c.rng.randrange(len(c.body) + 1)]
def cut_little(c, f): return f[:max(0, len(f) - c.rng.choice([1, 1, 2, 8, 31, 32, 33]))]
def longer(c, f): return f + c.rng.choice([b"\0", b"x", bytes(32), b"GGUF", f[:100]])
def flipped(c, f):
    if not f: return f
    at = c.rng.randrange(max(1, min(len(f), head_length(c, f))))
    return f[:at] + bytes([f[at] ^ 1 << c.rng.randrange(8)]) + f[at + 1:]


def word_other(c, f):
    at = c.rng.randrange(max(1, head_length(c, f) - 8))
    return f[:at] + c.number("Q", c.rng.choice(HUGE)) + f[at + 8:]


def bytes_cut(c, f):
    at = c.rng.randrange(max(1, head_length(c, f)))
    return f[:at] + f[at + c.rng.choice([1, 4, 8]):]


def bytes_added(c, f):
    at = c.rng.randrange(max(1, head_length(c, f)))
    return f[:at] + c.rng.randbytes(c.rng.choice([1, 4, 8])) + f[at:]


FILE = [cut_head, cut_head, cut_data, cut_little, longer, flipped, flipped, flipped, word_other, bytes_cut, bytes_added]


def make(number):
    """(labels, bytes) of the file of that number."""
    rng = random.Random(f"gguf {number}")
    case = Case(rng)
    chosen = []
    for _ in range(rng.choices([0, 1, 2, 3], [5, 70, 19, 6])[0]):
        stage = rng.choices([0, 1], [75, 25])[0]
        chosen.append((stage, rng.choice((TREE, FILE)[stage])))
    for stage, mutation in chosen:
        if stage == 0: mutation(case)
    file = case.encoded()
    for stage, mutation in chosen:
        if stage == 1: file = mutation(case, file)
    return [m.__name__ for _, m in chosen] or ["healthy"], file
