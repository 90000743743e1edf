"""Inputs that are PyTorch files: many tensors, containers of a byte, a memo with holes, values that refer to one another, long names."""
import struct

from case import Case, words
from files import put
from torchfile import *

READ = words("show .", "tensors --json .", "meta .", "reconcile .", "verify .", "identify m.pt", "list .")
DATA = words("verify -l hash .", "hash .", "diff --values . .", "verify --values .")


def file(value, storages={}): return lambda d: put(d + "/m.pt", archive(None, storages, raw=b"\x80\x02" + value() + b"."))


def tensors(n):
    """As torch writes them: texts and globals from the memo after their first use."""
    def value():
        first = [name("torch._utils", "_rebuild_tensor_v2") + b"q\x01", text("storage") + b"q\x02", name("torch", "FloatStorage") + b"q\x03", text("cpu") + b"q\x04",
                 name("collections", "OrderedDict") + b"q\x05"]
        later, out, memo = [b"h\x01", b"h\x02", b"h\x03", b"h\x04", b"h\x05"], [], 6
        for i in range(n):
            f, s, kind, cpu, hooks = first if i == 0 else later
            count = iter(range(memo, memo + 5))
            keep = lambda: b"r" + struct.pack("<I", next(count))
            out.append(text("layers.%d.experts.%d.w" % (i // 8, i % 8)) + f + b"((" + s + kind + text(str(i)) + cpu + number(2) + b"t" + keep() + b"QK\0K\2\x85" + keep() + b"K\1\x85" +
                       keep() + b"\x89" + hooks + b")R" + keep() + b"tR" + keep())
            memo += 5
        return ordered() + b"(" + b"".join(out) + b"u"
    def make(d): put(d + "/m.pt", archive(None, {str(i): b"\1" * 8 for i in range(n)}, raw=b"\x80\x02" + value() + b"."))
    return make


def nothing_but(byte, n): return lambda: byte * n


def scattered(n): return lambda: b"N" + b"".join(b"r" + struct.pack("<I", i * 5) for i in range(n))


def laughs(depth):
    """Ten references to a list of ten references to a list ..."""
    one = b"](" + tensor("0", 2, [2]) + b"eq\0"
    return lambda: one + b"".join(b"](" + b"h" + bytes([i]) + (b"h" + bytes([i])) * 9 + b"eq" + bytes([i + 1]) for i in range(depth))


def keys(n, length):
    """A key of that length, in each of n dicts."""
    return lambda: b"](" + text("k" * length) + b"q\0" + tensor("0", 2, [2]) + b"q\1" + b"}h\0h\1s" * n + b"e"


def views(n):
    """n tensors of nearly the whole storage."""
    size = 1 << 20
    return lambda: b"}(" + b"".join(text("v%d" % i) + tensor("0", size, [size - n], offset=i) for i in range(n)) + b"u"


ONE = {"0": b"\1" * 8}
CASES = [
    Case("pt-10000", tensors(10000), READ + DATA, 10000),
    Case("pt-100000", tensors(100000), READ + DATA, 100000, slow=True),
    Case("pt-lists", file(nothing_but(b"]", 20 << 20)), READ, 0),
    Case("pt-marks", file(nothing_but(b"(", 20 << 20)), READ, 0),
    Case("pt-nones", file(nothing_but(b"N", 20 << 20)), READ, 0),
    Case("pt-frames", file(nothing_but(b"\x95" + bytes(8), 2 << 20)), READ, 0),
    Case("pt-memo-holes", file(scattered(1000000)), READ, 0),
    Case("pt-laughs", file(laughs(90), ONE), READ + DATA, 1),
    Case("pt-long-keys", file(keys(50000, 4000), ONE), READ, 50000),
    Case("pt-longer-keys", file(keys(50000, 1 << 20), ONE), READ, 0),
    Case("pt-views", file(views(60), {"0": bytes(4 << 20)}), READ + DATA, 60),
    Case("pt-views-500", file(views(500), {"0": bytes(4 << 20)}), READ + DATA, 0),
]
