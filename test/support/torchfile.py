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


class Record:
    """A record of a zip; what is given in `lies` stands in the directory instead."""
    def __init__(self, name, data, local=None, **lies): self.name, self.data, self.local, self.lies = name, data, local, lies


def zipped(records, end=True, zip64=False):
    """The bytes of an archive, with the data of each record at a multiple of 64, as torch aligns it."""
    out, directory, at = [], [], 0
    for r in records:
        name, data = r.name.encode(), r.data.replace(HERE, b"")
        crc, pad = zlib.crc32(data), -(at + 30 + len(r.name.encode()) + 4) % 64
        extra = b"FB" + struct.pack("<H", pad) + b"Z" * pad
        local = (r.local or r.name).encode()
        front = struct.pack("<IHHHHHIIIHH", 0x04034b50, 0, 0, 0, 0, 0, crc, len(data), len(data), len(local), len(extra)) + local + extra
        of = {"at": at, "bytes": len(data), "crc": crc, "method": 0, **r.lies}
        more = struct.pack("<HHQQQ", 1, 24, of["bytes"], of["bytes"], of["at"]) if zip64 else b""
        if zip64: of.update(bytes=0xFFFFFFFF, at=0xFFFFFFFF)
        directory.append(struct.pack("<IHHHHHHIIIHHHHHII", 0x02014b50, 0, 0, 0, of["method"], 0, 0, of["crc"], of["bytes"], of["bytes"], len(name), len(more), 0, 0, 0, 0,
                                     of["at"]) + name + more)
        out += [front, r.data]
        at += len(front) + len(data)
    if not end: return b"".join(out)
    n, listed = len(records), b"".join(directory)
    end64 = b""
    if zip64 or n > 65534:
        end64 = (struct.pack("<IQHHIIQQQQ", 0x06064b50, 44, 45, 45, 0, 0, n, n, len(listed), at) + struct.pack("<IIQI", 0x07064b50, 0, at + len(listed), 1))
        n = 0xFFFF
    return b"".join(out) + listed + end64 + struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, n, n, len(listed), at, 0)


def archive(value, storages, byteorder=b"little", more=(), protocol=2, folder="archive/", raw=None, zip64=False):
    """A file as torch.save() writes it; storages: key -> bytes."""
    data = pickled(value, protocol) if raw is None else raw
    return zipped([Record(folder + "data.pkl", data), Record(folder + "byteorder", byteorder)] +
                  [x if isinstance(x, Record) else Record(folder + "data/" + k, x) for k, x in storages.items()] +
                  [Record(folder + "version", b"3\n"), *more], zip64=zip64)


MAGIC = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
SYSTEM = pickled(mapping([("protocol_version", number(1001)), ("little_endian", b"\x88"),
                          ("type_sizes", mapping([("short", number(2)), ("int", number(4)), ("long", number(4))]))]))


def legacy(value, storages, protocol=1001, keys=None, counts={}, end=b"", pickle=2):
    """The old format; storages: key -> (count, bytes). From protocol 4 on a pickle is in a frame."""
    listed = b"](" + b"".join(text(k) for k in (sorted(storages) if keys is None else keys)) + b"e"
    magic = MAGIC if pickle < 4 else bytes([0x80, pickle, 0x95]) + struct.pack("<Q", len(MAGIC) - 2) + MAGIC[2:]
    out = magic + pickled(number(protocol), pickle) + SYSTEM + pickled(value, pickle) + pickled(listed, pickle)
    for k in sorted(storages): out += struct.pack("<q", counts.get(k, storages[k][0])) + storages[k][1]
    return out + end


def place(data):
    """The bytes without the mark, and where it was (None without one)."""
    at = data.find(HERE)
    return data.replace(HERE, b""), (at if at >= 0 else None)
