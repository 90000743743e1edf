"""Writes PyTorch files without torch, well-formed ones and others: pickles from opcodes, zips record by record.

An expression is the bytes that push a value. HERE marks a place in it; place() takes the mark out.
"""
import struct
import zlib

HERE = b"\0<here>\0"


def number(n):
    if 0 <= n < 256: return b"K" + bytes([n])
    if 0 <= n < 65536: return b"M" + struct.pack("<H", n)
    if -2**31 <= n < 2**31: return b"J" + struct.pack("<i", n)
    raw = n.to_bytes((n.bit_length() // 8) + 1, "little", signed=True)
    return b"\x8a" + bytes([len(raw)]) + raw


def text(s):
    s = s if isinstance(s, bytes) else s.encode()
    return b"X" + struct.pack("<I", len(s.replace(HERE, b""))) + s


def name(module, what): return b"c%s\n%s\n" % (module.encode(), what.encode())
def tuple_of(*values): return b"(" + b"".join(values) + b"t"
def numbers(values): return tuple_of(*map(number, values))
def call(what, *args): return what + tuple_of(*args) + b"R"
def mapping(pairs): return b"}(" + b"".join((text(k) if not isinstance(k, int) else number(k)) + v for k, v in pairs) + b"u"
def ordered(pairs=()): return name("collections", "OrderedDict") + b")R" + (b"(" + b"".join(text(k) + v for k, v in pairs) + b"u" if pairs else b"")
def pickled(value, protocol=2): return b"\x80" + bytes([protocol]) + value + b"."
def rows(shape):
    out, n = [], 1
    for d in reversed(shape): out.insert(0, n); n *= d
    return out


def storage(key, count, kind="FloatStorage", more=()):
    return tuple_of(text("storage"), name("torch.storage" if kind == "UntypedStorage" else "torch", kind), text(key), text("cpu"), number(count), *more) + b"Q"


def tensor(key, count, shape, offset=0, stride=None, kind="FloatStorage", function="_rebuild_tensor_v2", more=(), view=()):
    return call(name("torch._utils", function), storage(key, count, kind, view), number(offset), numbers(shape),
                numbers(rows(shape) if stride is None else stride), b"\x89", ordered(), *more)


def size(data): return len(data.replace(HERE, b""))


class Record:
    """A record of a zip; what is given in `lies` stands in the directory instead."""
    def __init__(self, name, data, local=None, **lies): self.name, self.data, self.local, self.lies = name, data, local, lies


def zipped(records, end=True):
    """The bytes of an archive, with the data of each record at a multiple of 64, as torch aligns it."""
    out, directory = b"", b""
    for r in records:
        name, at, data = r.name.encode(), size(out), r.data.replace(HERE, b"")
        crc = zlib.crc32(data)
        pad = -(at + 30 + len(name) + 4) % 64
        extra = b"FB" + struct.pack("<H", pad) + b"Z" * pad
        local = (r.local or r.name).encode()
        out += struct.pack("<IHHHHHIIIHH", 0x04034b50, 0, 0, 0, 0, 0, crc, len(data), len(data), len(local), len(extra)) + local + extra + r.data
        of = {"at": at, "bytes": len(data), "crc": crc, "method": 0, **r.lies}
        directory += struct.pack("<IHHHHHHIIIHHHHHII", 0x02014b50, 0, 0, 0, of["method"], 0, 0, of["crc"], of["bytes"], of["bytes"], len(name), 0, 0, 0, 0, 0,
                                 of["at"]) + name
    if not end: return out
    n = len(records)
    return out + directory + struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, n, n, len(directory), size(out), 0)


def archive(value, storages, byteorder=b"little", more=(), protocol=2, folder="archive/", raw=None):
    """A file as torch.save() writes it; storages: key -> bytes."""
    data = pickled(value, protocol) if raw is None else raw
    return zipped([Record(folder + "data.pkl", data), Record(folder + "byteorder", byteorder)] +
                  [x if isinstance(x, Record) else Record(folder + "data/" + k, x) for k, x in storages.items()] +
                  [Record(folder + "version", b"3\n"), *more])


MAGIC = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
SYSTEM = pickled(mapping([("protocol_version", number(1001)), ("little_endian", b"\x88"),
                          ("type_sizes", mapping([("short", number(2)), ("int", number(4)), ("long", number(4))]))]))


def legacy(value, storages, protocol=1001, keys=None, counts={}, end=b""):
    """The old format; storages: key -> (count, bytes)."""
    listed = b"](" + b"".join(text(k) for k in (sorted(storages) if keys is None else keys)) + b"e"
    out = MAGIC + pickled(number(protocol)) + SYSTEM + pickled(value) + pickled(listed)
    for k in sorted(storages): out += struct.pack("<q", counts.get(k, storages[k][0])) + storages[k][1]
    return out + end


def place(data):
    """The bytes without the mark, and where it was (None without one)."""
    at = data.find(HERE)
    return data.replace(HERE, b""), (at if at >= 0 else None)
