"""safetensors_mutants.py -- safetensors files, valid or with one to three errors, generated from a number.

A file is built in three stages, and a mutation belongs to one of them: the header as a tree (keys may stand twice,
numbers may be any token), its text, the file around it. make(n) is the same file on every machine: (labels,
bytes); the labels name the mutations. No mutation knows how a reader should react.
"""
import json
import random
import struct

from files import BITS, product

# Tokens to put in place of a number; some are numbers.
BORDERS = ["0", "-0", "-1", "1", "2", "3", "8", "1.0", "0.0", "1e3", "1E0", "2e-1", "0.5", "01", "00", "007", "+1", ".5", "1.", "1e", "-",
           "0x10", "1_000", str(2**31), str(2**32), str(2**53), str(2**53 + 1), str(2**63 - 1), str(2**63), str(2**64 - 1),
           str(2**64), str(2**64 + 1), "1" + "0" * 30, "9" * 320, "1e400", "-1e400", "1e-400", str(-2**63), str(-2**63 - 1), "NaN", "Infinity",
           "true", "false", "null", '"1"', '""', "[]", "{}", "[1]", "nul", "True"]
NAMES = ["weight", "bias", "a", "model.layers.0.self_attn.q_proj.weight", "model.layers.10.mlp.down_proj.weight", "lm_head.weight",
         "模型.权重", "ünïcode", "with space", "quote\"d", "back\\slash", "tab\there", "🤗", "x" * 300, "__metadata", "a/b", "\u200b", "é", "e\u0301"]


class Raw(bytes):
    """A token, written as it is."""


class Pairs(list):
    """An object: [key, value] in order; a key may repeat, and may be Raw."""

    def get(self, key):
        return next((v for k, v in self if k == key), None)

    def set(self, key, value):
        for pair in self:
            if pair[0] == key: pair[1] = value


class Case:
    def __init__(self, rng):
        self.rng, self.labels = rng, []
        self.space = rng.choice(["", "", "", "", " ", "\n"])
        self.ascii = rng.random() < 0.3
        self.pad = rng.choice([0, 8, 8, 512])
        self.length = None  # length field, if not the header's length
        self.tree, self.body = healthy(rng)

    def entries(self):
        return [p for p in self.tree if p[0] != "__metadata__" and isinstance(p[1], Pairs)]

    def entry(self):
        found = self.entries()
        if not found:
            self.tree.append(["w", entry("F32", [2], 0, 8)])
            if not self.body: self.body = self.rng.randbytes(8)
            found = self.entries()
        return self.rng.choice(found)


# ---- healthy files

def entry(dtype, shape, begin, end):
    return Pairs([["dtype", dtype], ["shape", list(shape)], ["data_offsets", [begin, end]]])


def shape_for(rng, dtype):
    rank = rng.choice([0, 1, 1, 2, 2, 2, 3, 4, 4, 9])
    shape = [rng.choice([1, 1, 2, 3, 4, 5, 8]) for _ in range(rank)]
    while product(shape) > 4096: shape[shape.index(max(shape))] = 1
    if rank and rng.random() < 0.07: shape[rng.randrange(rank)] = 0
    unit = {4: 2, 6: 4}.get(BITS[dtype], 1)
    if product(shape) % unit:
        shape = shape + [unit] if rng.random() < 0.5 else [d * unit for d in shape[:1]] + shape[1:]
    return shape if product(shape) % unit == 0 else [unit]


def healthy(rng):
    count = rng.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12, rng.randrange(20, 60) if rng.random() < 0.1 else 2])
    names = rng.sample(NAMES, min(count, len(NAMES))) if rng.random() < 0.5 else []
    names += [f"t.{i}" for i in range(count - len(names))]
    tree, at = Pairs(), 0
    for name in names:
        dtype = rng.choice(list(BITS))
        shape = shape_for(rng, dtype)
        size = product(shape) * BITS[dtype] // 8
        tree.append([name, entry(dtype, shape, at, at + size)])
        at += size
    if rng.random() < 0.3: rng.shuffle(tree)
    if rng.random() < 0.2:
        for pair in tree: rng.shuffle(pair[1])
    if rng.random() < 0.5:
        words = Pairs([[rng.choice(NAMES) + str(i), rng.choice(NAMES)] for i in range(rng.choice([0, 1, 1, 2, 5]))])
        tree.insert(rng.choice([0, 0, 0, len(tree)]), ["__metadata__", words])
    return tree, rng.randbytes(at)


def text_of(v, case):
    rng, s = case.rng, case.space.encode()
    if isinstance(v, Raw): return bytes(v)
    if isinstance(v, Pairs):
        return b"{" + (s + b"," + s).join(text_of(k, case) + s + b":" + s + text_of(x, case) for k, x in v) + b"}"
    if isinstance(v, list): return b"[" + (b"," + s).join(text_of(x, case) for x in v) + b"]"
    if isinstance(v, str):
        text = json.dumps(v, ensure_ascii=case.ascii)
        if rng.random() < 0.02 and v.isascii() and v: text = text[:1] + "\\u%04x" % ord(v[0]) + json.dumps(v[1:])[1:]
        return text.encode("utf-8", "surrogatepass")
    return json.dumps(v).encode()


def random_json(rng, depth=0):
    kind = rng.randrange(10 if depth < 4 else 7)
    if kind < 3: return Raw(rng.choice(BORDERS).encode())
    if kind < 4: return rng.choice(NAMES)
    if kind < 5: return Raw(rng.choice([b'"\\ud800"', b'"\\udc00"', b'"\\ud83e\\udd17"', b'"\\u0000"', b'"\\/\\b\\f"', b'"\\x41"', b'"\\u12"', b'"\x01"',
                                        b'"\x7f"', b'"\xff"', b'"\xed\xa0\x80"', b'"\xc0\x80"', b'"\xf4\x90\x80\x80"', b'"\xe2\x80\xa8"', b'"\\u00e9"']))
    if kind < 7: return rng.randrange(1000)
    if kind < 9: return [random_json(rng, depth + 1) for _ in range(rng.randrange(4))]
    return Pairs([[rng.choice(NAMES), random_json(rng, depth + 1)] for _ in range(rng.randrange(4))])


def border(rng):
    return Raw(rng.choice(BORDERS).encode())


# ---- mutations of the tree

def field_dropped(c):
    e = c.entry()[1]
    if e: e.pop(c.rng.randrange(len(e)))


def field_doubled(c):
    e = c.entry()[1]
    if e:
        k, v = c.rng.choice(e)
        e.insert(c.rng.randrange(len(e) + 1), [k, v if c.rng.random() < 0.5 else random_json(c.rng)])


def field_renamed(c):
    e = c.entry()[1]
    if e:
        pair = c.rng.choice(e)
        k = str(pair[0])
        pair[0] = c.rng.choice([k.upper(), k + " ", k[:-1], "", k.replace("_", "-"), Raw(b'"\\u%04x' % ord(k[0]) + k[1:].encode() + b'"') if k else k])


def field_extra(c):
    e = c.entry()[1]
    for _ in range(c.rng.choice([1, 1, 3])): e.insert(c.rng.randrange(len(e) + 1), [c.rng.choice(NAMES), random_json(c.rng)])


def field_anything(c):
    e = c.entry()[1]
    if e: c.rng.choice(e)[1] = random_json(c.rng)


DTYPES = [b'"X"', b'"f32"', b'"FP4"', b'"E8M0"', b'"UE8"', b'"I4"', b'"F8"', b'"F32 "', b'""', b'"\\u0055\\u0038"', b'{"U8":null}', b'{"F32":null}',
          b'{"U8":{}}', b'{"U8":[]}', b'{"U8":0}', b'{"U8":true}', b'{"U8":"U8"}', b'{"U8":null,"U8":null}', b'{"U8":null,"F32":null}', b'{}', b'{"X":null}',
          b'["U8"]', b'[]', b'null', b'0', b'1', b'"u8"', b'{"\\u0055\\u0038":null}', b'{"U8":nul}', b'{"U8"}', b'{ "U8" : null }', b'{"U8":{"a":1}}']


def dtype_other(c):
    e = c.entry()[1]
    e.set("dtype", c.rng.choice([*BITS]) if c.rng.random() < 0.4 else Raw(c.rng.choice(DTYPES)))


def dtype_formed(c):
    """The right type, in serde's long form and similar ones."""
    e = c.entry()[1]
    d = e.get("dtype")
    if isinstance(d, str): e.set("dtype", Pairs([[d, Raw(c.rng.choice([b"null", b"null", b"{}", b"[]", b"0", b"false", b'""', b'{"a":1}']))]]))


def numbers_of(e, key):
    v = e.get(key)
    return v if isinstance(v, list) and not isinstance(v, Pairs) else None


def shape_number(c):
    s = numbers_of(c.entry()[1], "shape")
    if s is not None:
        if s: s[c.rng.randrange(len(s))] = border(c.rng)
        else: s.append(border(c.rng))


def shape_dims(c):
    s = numbers_of(c.entry()[1], "shape")
    if s is None: return
    kind = c.rng.randrange(5)
    if kind == 0 and s: s.pop(c.rng.randrange(len(s)))
    elif kind == 1: s.insert(c.rng.randrange(len(s) + 1), c.rng.choice([0, 1, 1, 1, 2, 2**32, 2**63, 2**64 - 1]))
    elif kind == 2: s += [1] * c.rng.choice([10, 100, 200])
    elif kind == 3 and s: s[c.rng.randrange(len(s))] = c.rng.randrange(1, 9)
    else: c.rng.shuffle(s)


OVERFLOWS = [[2**32, 2**32], [2**32, 2**32, 0], [0, 2**32, 2**32], [2**63, 2], [2**61], [2**58], [2**60], [2**64 - 1], [2**64 - 1, 1], [2**64 - 1, 0], [0, 2**64 - 1],
             [3, 6148914691236517206], [2**33 - 1, 2**31], [2**32, 2**32, 1, 0], [1, 2**63, 1, 2, 0], [2**62, 4, 0, 7], [2305843009213693952, 8]]


def shape_overflow(c):
    e = c.entry()[1]
    e.set("shape", list(c.rng.choice(OVERFLOWS)))
    if c.rng.random() < 0.5: e.set("data_offsets", [c.rng.choice([0, len(c.body)])] * 2)


def shape_form(c):
    c.entry()[1].set("shape", Raw(c.rng.choice([b"null", b"{}", b'""', b'"[1]"', b"1", b"[[1]]", b"[null]", b"[1,]", b"[,1]", b'{"0":1}', b"[1 2]", b"true"])))


def offset_number(c):
    o = numbers_of(c.entry()[1], "data_offsets")
    if o: o[c.rng.randrange(len(o))] = border(c.rng)


def offset_moved(c):
    o = numbers_of(c.entry()[1], "data_offsets")
    if not o or not all(isinstance(x, int) for x in o): return
    by = c.rng.choice([-8, -4, -2, -1, 1, 2, 4, 8, 1000, 2**40, 2**63, 2**64 - 9])
    for i in c.rng.choice([(0,), (1,), (0, 1), (0, 1)]):
        if i < len(o): o[i] = max(0, o[i] + by)


def offset_all_moved(c):
    by = c.rng.choice([1, 8, 64])
    for _, e in c.entries():
        o = numbers_of(e, "data_offsets")
        if o and all(isinstance(x, int) for x in o): o[:] = [x + by for x in o]
    if c.rng.random() < 0.5: c.body = c.rng.randbytes(by) + c.body


def offset_shared(c):
    a, b = c.entry()[1], c.entry()[1]
    o = a.get("data_offsets")
    if o is not None: b.set("data_offsets", list(o) if isinstance(o, list) else o)
    if c.rng.random() < 0.4 and a.get("shape") is not None:
        b.set("shape", a.get("shape"))
        b.set("dtype", a.get("dtype"))


def offset_form(c):
    o = numbers_of(c.entry()[1], "data_offsets")
    kind = c.rng.randrange(8)
    if o and kind == 0: o.reverse()
    elif o and kind == 1: o.append(o[-1])
    elif o and kind == 2: o.pop()
    else: c.entry()[1].set("data_offsets", Raw(c.rng.choice([b"[]", b"null", b"{}", b'"0,4"', b"0", b"[0,4,]", b"[[0,4]]", b'{"0":0,"1":4}', b"[0 4]"])))


def empty_somewhere(c):
    """A tensor of no bytes, at valid and invalid positions."""
    places = [0, len(c.body), c.rng.randrange(len(c.body) + 1), len(c.body) + 1]
    for _, e in c.entries():
        o = numbers_of(e, "data_offsets")
        if o and isinstance(o[0], int): places += [o[0]]
    at = c.rng.choice(places)
    c.tree.insert(c.rng.randrange(len(c.tree) + 1), ["empty", entry(c.rng.choice([*BITS]), c.rng.choice([[0], [3, 0], [0, 2**32], []]), at, at)])


def empty_short(c):
    """A first tensor of no bytes, whose offsets are fewer or more than two zeros."""
    e = entry("U8", [0], 0, 0)
    e.set("data_offsets", Raw(c.rng.choice([b"[]", b"[0]", b"[0,0,0]", b"[0,0]", b"[0,null]", b"[0,false]", b"[[0,0]]", b"null", b"{}", b"[-0,0]"])))
    if c.rng.random() < 0.2: e.set("data_offsets", [0])
    c.tree.insert(0, ["empty", e])


def odd_subbyte(c):
    dtype = c.rng.choice(["F4", "F6_E2M3", "F6_E3M2"])
    shape = c.rng.choice([[1], [2], [3], [5], [3, 3], [1, 7], [], [4], [6]])
    bits = product(shape) * BITS[dtype]
    size = c.rng.choice([bits // 8, (bits + 7) // 8])
    at = len(c.body)
    c.tree.append(["odd", entry(dtype, shape, at, at + size)])
    c.body += c.rng.randbytes(size)


def entry_form(c):
    pair = c.entry()
    e = pair[1]
    row = [e.get("dtype"), e.get("shape"), e.get("data_offsets")]
    kind = c.rng.randrange(9)
    if None in row or kind == 0: pair[1] = Raw(c.rng.choice([b"null", b"1", b'"x"', b"[]", b"{}", b"true", b"[null,null,null]"]))
    elif kind < 5: pair[1] = row
    elif kind == 5: pair[1] = row[:2]
    elif kind == 6: pair[1] = row + [random_json(c.rng)]
    elif kind == 7: pair[1] = [row[1], row[0], row[2]]
    else: pair[1] = [row]


def name_doubled(c):
    pair = c.entry()
    other = c.entry()[1] if c.rng.random() < 0.3 else Pairs([list(x) for x in pair[1]])
    name = pair[0]
    if c.rng.random() < 0.3 and isinstance(name, str) and name and name[0] < "\uffff":
        name = Raw(b'"\\u%04x' % ord(name[0]) + json.dumps(name[1:]).encode()[1:])
    c.tree.insert(c.rng.randrange(len(c.tree) + 1), [name, other])


def name_odd(c):
    c.entry()[0] = c.rng.choice(["", "\0", "a\0b", "a", "A", "__metadata__ ", "x" * 5000, "\x7f", "\x85", "\u202e", "../../etc", "\x1b[31m", *NAMES,
                                 Raw(b'"\\ud800"'), Raw(b'"\\udc00x"'), Raw(b'"\\ud83e\\udd17"'), Raw(b'"\x01"'), Raw(b'"a\nb"'), Raw(b'"\xff"'), Raw(b'"\xc3"'),
                                 Raw(b'"\xed\xa0\x80"'), Raw(b'"\\q"'), Raw(b'"\\u00"'), Raw(b"name"), Raw(b"'n'"), Raw(b"1"), Raw(b"null"), Raw(b'"\\ud83e\\u0041"')])


METADATA = [b"null", b"{}", b"[]", b'""', b"0", b"true", b'{"a":null}', b'{"a":1}', b'{"a":["b"]}', b'{"a":{"b":"c"}}', b'{"a":"b","a":"c"}', b'{"a":"b","\\u0061":"c"}',
            b'{"a":"b",}', b'[["a","b"]]', b'{"":""}', b'{"a":"\\u0000"}', b'{"a":"\\ud800"}', b'{"a":"\xff"}', b'{"a":"\n"}', b'{"a":true}', b'{1:"a"}', b'{"a":"b" "c":"d"}',
            b'{"format":"pt"}', b'{"total_parameters":"12"}', b'{"dtype":"F32","shape":[1],"data_offsets":[0,4]}', b'{"dtype":"U8"}', b'{"\\u0000":"x"}', b'{"a":"b"']


def metadata_form(c):
    where = c.rng.randrange(len(c.tree) + 1)
    if c.tree.get("__metadata__") is not None and c.rng.random() < 0.7: c.tree.set("__metadata__", Raw(c.rng.choice(METADATA)))
    else: c.tree.insert(where, ["__metadata__", Raw(c.rng.choice(METADATA))])


def metadata_spelled(c):
    key = c.rng.choice([Raw(b'"\\u005f_metadata__"'), "__METADATA__", "__metadata__\0", "metadata"])
    c.tree.insert(c.rng.randrange(len(c.tree) + 1), [key, Raw(c.rng.choice(METADATA))])


def metadata_long(c):
    words = Pairs([[f"k{i}", c.rng.choice(NAMES)] for i in range(c.rng.choice([50, 300]))])
    if c.rng.random() < 0.5: words.append(["k7", "again"])
    c.tree.insert(0, ["__metadata__", words])


def deep(c):
    n = c.rng.choice([60, 120, 123, 124, 125, 126, 127, 128, 129, 200])
    a, b = c.rng.choice([(b"[", b"]"), (b'{"a":', b"}")])
    inner = a * n + c.rng.choice([b"1", b"null", b"[]", b"{}", b'"x"']) + b * n
    if c.rng.random() < 0.7: c.entry()[1].append(["deep", Raw(inner)])
    else: c.tree.append(["deep", Raw(inner)])


def entry_is_anything(c):
    c.tree.insert(c.rng.randrange(len(c.tree) + 1), [c.rng.choice(NAMES) + "?", random_json(c.rng)])


def many(c):
    at = len(c.body)
    n = c.rng.choice([100, 300])
    for i in range(n): c.tree.append([f"m{i}", entry("U8", [1], at + i, at + i + 1)])
    c.body += c.rng.randbytes(n)
    if c.rng.random() < 0.3: c.rng.choice(c.tree[-n:])[0] = "m7"


TREE = [field_dropped, field_doubled, field_renamed, field_extra, field_extra, field_anything, dtype_other, dtype_formed, shape_number, shape_number, shape_dims,
        shape_overflow, shape_overflow, shape_form, offset_number, offset_moved, offset_moved, offset_all_moved, offset_shared, offset_form, empty_somewhere, empty_short, odd_subbyte, entry_form,
        entry_form, name_doubled, name_doubled, name_odd, name_odd, metadata_form, metadata_form, metadata_spelled, metadata_long, deep, entry_is_anything, many]


# ---- mutations of the text

def spot(rng, text):
    return rng.randrange(len(text) + 1)


def tokens(text):
    """Offsets between tokens, outside of strings; roughly, for text that may be anything."""
    at, inside, i = [], False, 0
    while i < len(text):
        if text[i:i + 1] == b"\\": i += 1
        elif text[i:i + 1] == b'"': inside = not inside
        elif not inside and text[i:i + 1] in b"{}[],:": at += [i, i + 1]
        i += 1
    return at or [0]


def space_before(c, t): return c.rng.choice([b" ", b"\n", b"\t", b"\r", b"  \n ", b" " * 100, b"\v", b"\f", b"\0", b"\xef\xbb\xbf", b"\xc2\xa0", b"\xfe\xff", b"/**/", b"#"]) + t
def space_behind(c, t): return t + c.rng.choice([b" ", b"\n", b"\t\r\n", b" " * 100, b"\0", b"\0" * 8, b"\v", b"}", b",", b"{}", b"1", b"null", b"//", b"\xff", b"\xc2\xa0", b" x"])


def space_inside(c, t):
    at = c.rng.choice(tokens(t))
    return t[:at] + c.rng.choice([b" ", b"\n", b"\t", b"\r", b"\v", b"\f", b"\0", b"\xe2\x80\xa8", b"\xc2\xa0", b"/* */", b"// x\n", b"\xef\xbb\xbf", b"#\n"]) + t[at:]


def token_inserted(c, t):
    at = c.rng.choice(tokens(t))
    return t[:at] + c.rng.choice([b",", b":", b"{", b"}", b"[", b"]", b'"', b"null", b"1", b",,", b'"a":1,', b"{}", b"[]", b"'", b"\\", b"-", b"true"]) + t[at:]


def byte_flipped(c, t):
    if not t: return t
    at = c.rng.randrange(len(t))
    return t[:at] + bytes([t[at] ^ 1 << c.rng.randrange(8)]) + t[at + 1:]


def byte_random(c, t):
    if not t: return t
    at = c.rng.randrange(len(t))
    return t[:at] + bytes([c.rng.randrange(256)]) + t[at + c.rng.randrange(2):]


def bytes_cut(c, t):
    a = spot(c.rng, t)
    return t[:a] + t[a + c.rng.choice([1, 1, 2, 3, 10, 50]):]


def bytes_doubled(c, t):
    a = spot(c.rng, t)
    n = c.rng.choice([1, 1, 2, 5, 30])
    return t[:a + n] + t[a:]


def text_cut(c, t): return t[:spot(c.rng, t)]


def utf8_broken(c, t):
    a = spot(c.rng, t)
    return t[:a] + c.rng.choice([b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\x80", b"\xe2\x82", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xc3\xa9", b"\xf0\x9f\xa4\x97", b"\xf0\x80\x80\x80"]) + t[a:]


def number_swapped(c, t):
    """Replaces some number of the text by another token."""
    at = [i for i in range(1, len(t)) if t[i:i + 1].isdigit() and t[i - 1:i] in b"[,: "]
    if not at: return t
    a = b = c.rng.choice(at)
    while b < len(t) and t[b:b + 1].isdigit(): b += 1
    return t[:a] + c.rng.choice(BORDERS).encode() + t[b:]


def escape_inside(c, t):
    at = [i for i in range(len(t)) if t[i:i + 1].isalpha()]
    if not at: return t
    a = c.rng.choice(at)
    return t[:a] + c.rng.choice([b"\\u%04x" % t[a], b"\\u%04X" % t[a], b"\\" + t[a:a + 1], b"\\u", b"\\ud83d\\ude00", b"\\ud83d", b"\\ude00\\ud83d", b"\\u0000", b"\\n", b"\n", b"\\", b"\\u00g0", b"\x1f", b"\x7f"]) + t[a + 1:]


def whole_other(c, t): return c.rng.choice([b"", b" ", b"{}", b"[]", b"null", b"0", b'""', b"{", b"}", b"[" + t + b"]", t + t, b"{}" + t, b"true", b'{"a":' + t + b"}"])


TEXT = [space_before, space_before, space_behind, space_inside, token_inserted, byte_flipped, byte_random, bytes_cut, bytes_doubled, text_cut, utf8_broken, number_swapped,
        escape_inside, escape_inside, whole_other]


# ---- mutations of the file

def length_off(c, f):
    n = int.from_bytes(f[:8], "little")
    n = c.rng.choice([n + 1, n - 1, n + 8, n - 8, 0, 1, 2, n * 2, len(f) - 8, len(f) - 7, len(f), 99999999, 100000000, 100000001, 2**31, 2**32, 2**32 + n, 2**63, 2**64 - 1, 2**64 - 8, n << 8])
    return struct.pack("<Q", n % 2**64) + f[8:]


def file_cut(c, f): return f[:max(0, len(f) - c.rng.choice([1, 1, 2, 4, 8, 100]))]
def file_cut_anywhere(c, f): return f[:spot(c.rng, f)]
def file_longer(c, f): return f + c.rng.choice([b"\0", b"\0" * 8, b"x", b"PK\3\4", f[:64], bytes(300)])


def file_flipped(c, f):
    at = c.rng.randrange(len(f))
    return f[:at] + bytes([f[at] ^ 1 << c.rng.randrange(8)]) + f[at + 1:]


def file_front(c, f): return c.rng.choice([b"\0", b"\xef\xbb\xbf", b" ", b"GGUF", b"\x1f\x8b", b"{"]) + f
def file_small(c, f): return f[:c.rng.randrange(17)]


FILE = [length_off, length_off, file_cut, file_cut_anywhere, file_longer, file_flipped, file_flipped, file_front, file_small]

STAGES = [(TREE, 60), (TEXT, 28), (FILE, 12)]


def make(number):
    """(labels, bytes) of the file of that number."""
    rng = random.Random(f"safetensors {number}")
    case = Case(rng)
    chosen = []
    for _ in range(rng.choices([0, 1, 2, 3], [4, 66, 22, 8])[0]):
        stage = rng.choices([0, 1, 2], [w for _, w in STAGES])[0]
        chosen.append((stage, rng.choice(STAGES[stage][0])))
    for stage, mutation in sorted(chosen, key=lambda x: x[0]):
        if stage == 0: mutation(case)
    text = text_of(case.tree, case)
    if case.pad: text += b" " * (-len(text) % case.pad)
    for stage, mutation in chosen:
        if stage == 1: text = mutation(case, text)
    file = struct.pack("<Q", len(text)) + text + case.body
    for stage, mutation in chosen:
        if stage == 2 and file: file = mutation(case, file)
    return [m.__name__ for _, m in chosen] or ["healthy"], file


def limits():
    """Headers around the limit of 100,000,000 bytes: few, because they are large."""
    head = b'{"w":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}'
    for n in (99_999_999, 100_000_000, 100_000_001):
        yield [f"header of {n} bytes"], struct.pack("<Q", n) + head.ljust(n) + b"ab"
