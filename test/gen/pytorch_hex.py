"""Writes fixtures/{good,odd,bad}/pytorch: PyTorch files in annotated hex, one idea each (fixtures/README.md). What a file is, its
name says; where it is wrong, HERE stands in the expression. It needs no torch: test/truth/pytorch.py has torch's own files.

    python3 test/gen/pytorch_hex.py
"""
import io
import os
import pickletools
import re
import struct
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, ROOT + "/test/support")
from torchfile import *

F = lambda n: struct.pack("<%df" % n, *range(1, n + 1))
W = ordered([("w", tensor("0", 6, [2, 3]))])
KEPT = {"0": F(6)}


def raw(data, per=24):
    """Lines of hex; a run of one byte is folded."""
    for run in re.finditer(rb"(.)\1{31,}|(?:(?!(.)\2{31})[\s\S])+", data, re.S):
        piece = run.group()
        if run.group(1): yield "%02x*%d" % (piece[0], len(piece)); continue
        for i in range(0, len(piece), per): yield piece[i:i + per].hex(" ")


def opcodes(data):
    """A line an opcode, with its name and argument; what is no pickle, raw."""
    try:
        ops = [(pos, op.name, arg) for op, arg, pos in pickletools.genops(io.BytesIO(data))]
    except Exception:
        yield from raw(data)
        return
    if len(ops) > 1000:
        yield from raw(data)
        return
    ends = [pos for pos, _, _ in ops[1:]] + [ops[-1][0] + 1]
    for (pos, name, arg), end in zip(ops, ends):
        if end - pos > 60: yield from raw(data[pos:end]); continue
        yield data[pos:end].hex(" ") + "  # " + name + ("" if arg is None else " " + ascii(arg))
    if ends[-1] < len(data): yield from opcodes(data[ends[-1]:]) if data[ends[-1]:ends[-1] + 1] == b"\x80" else raw(data[ends[-1]:])


def lines(data):
    """The parts of a file: records and directory of a zip, or the pickles of the old format."""
    if data[:4] != b"PK\3\4":
        yield from opcodes(data)
        return
    at = 0
    while data[at:at + 4] == b"PK\3\4":
        size, n, extra = struct.unpack_from("<I", data, at + 22)[0], *struct.unpack_from("<HH", data, at + 26)
        body = at + 30 + n + extra
        yield "# " + data[at + 30:at + 30 + n].decode("latin-1")
        yield from raw(data[at:body], 30)
        yield from (opcodes if data[at + 30:at + 30 + n].endswith(b".pkl") else raw)(data[body:body + size])
        at = body + size
    for part in re.split(b"(?=PK\\x01\\x02|PK\\x05\\x06)", data[at:]):
        if part: yield from raw(part, 46)


def write(kind, name, data, why=""):
    data, here = place(data)
    verdict = name if "@" not in name else name.replace("@", "@%s" % ("-" if here is None else here), 1)
    path = "%s/fixtures/%s/pytorch/%s.hex" % (ROOT, kind, verdict)
    text = "".join("# %s\n" % w for w in why.split("\n") if w)
    text += "".join(x + "\n" for x in marked(data, here))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f: f.write(text)


def marked(data, here):
    """The lines, and `here` at its place; the line that it cuts is raw."""
    at = 0
    for line in lines(data):
        n = weigh(line)
        if here is not None and at < here < at + n:
            yield from [*raw(data[at:here]), "here", *raw(data[here:at + n])]
        else:
            if at == here and n: yield "here"
            yield line
        at += n
    if here == at: yield "here"


def weigh(line):
    """The bytes of a line."""
    words = line.split("#")[0].split()
    return sum(int(w.split("*")[1]) if "*" in w else 1 for w in words)


def typed(kind, dtype, count, shape):
    """A type that has no storage of its own is given by name."""
    return call(name("torch._utils", "_rebuild_tensor_v3"), storage(kind, count, "UntypedStorage"), number(0), numbers(shape), numbers(rows(shape)), b"\x89",
                ordered(), name("torch", dtype))


def wrapped(x): return call(name("torch._utils", "_rebuild_parameter"), x, b"\x88", ordered())


def good():
    write("good", "zip", archive(ordered([("a.weight", tensor("0", 6, [2, 3])), ("a.bias", tensor("1", 2, [2], kind="HalfStorage"))]),
                                 {"0": F(6), "1": bytes(4)}), "As torch.save() writes a state_dict, from 1.6 on.")
    write("good", "zip64", archive(W, KEPT, zip64=True), "Sizes and places in the extra fields of the directory, and in the ZIP64 end, as in files of more than 4 GiB.")
    old = dict(view=(b"N",))
    write("good", "legacy", legacy(ordered([("a.weight", tensor("0", 6, [2, 3], **old)), ("a.bias", tensor("1", 2, [2], kind="HalfStorage", **old))]),
                                   {"0": (6, F(6)), "1": (2, bytes(4))}), "The same before 1.6.")
    view = tensor("0", 6, [2], view=(tuple_of(text("1"), number(4), number(2)),))
    write("good", "legacy-view", legacy(ordered([("w", view)]), {"0": (6, F(6))}), "A storage that is a view of another, from its element 4 on.\n"
          "4 of its 6 elements are no tensor's: note storage-unused.")
    write("good", "big-endian", archive(W, KEPT, byteorder=b"big"))
    write("good", "tied-and-strided", archive(ordered([("wte.weight", tensor("0", 6, [2, 3])), ("lm_head.weight", tensor("0", 6, [2, 3])),
                                                       ("turned", tensor("0", 6, [3, 2], stride=[1, 3]))]), KEPT),
          "Three tensors of one storage, the last one with its columns first: notes storage-shared, tensor-strided.")
    write("good", "part-of-a-storage", archive(ordered([("w", tensor("0", 6, [2], offset=3))]), KEPT), "torch.save() of a slice writes all of it: note storage-unused.")
    write("good", "training", archive(mapping([("epoch", number(3)), ("state_dict", ordered([("w", tensor("0", 6, [2, 3]))])),
                                               ("optimizer", mapping([("state", mapping([(0, mapping([("exp_avg", tensor("1", 6, [2, 3]))]))]))]))]),
                                      {"0": F(6), "1": F(6)}), "The names below state_dict stand for themselves: w, optimizer.state.0.exp_avg.")
    write("good", "types", archive(ordered([("f8", typed("0", "float8_e4m3fn", 4, [4])), ("u16", typed("1", "uint16", 4, [2])),
                                            ("c128", tensor("2", 1, [1], kind="ComplexDoubleStorage")), ("b", tensor("3", 2, [2], kind="BoolStorage")),
                                            ("q", call(name("torch._utils", "_rebuild_qtensor"), storage("4", 2, "QInt8Storage"), number(0), numbers([2]), numbers([1]),
                                                       tuple_of(name("torch", "per_tensor_affine"), number(1), number(0)), b"\x89", ordered()))]),
                                   {"0": bytes(4), "1": bytes(4), "2": bytes(16), "3": bytes(2), "4": bytes(2)}), "Types by storage, and by name.")
    write("good", "parameters", archive(ordered([("p", wrapped(tensor("0", 6, [2, 3]))), ("empty", tensor("1", 0, [0, 3])), ("scalar", tensor("2", 1, [], kind="LongStorage")),
                                                 ("t", call(name("torch._tensor", "_rebuild_from_type_v2"), name("torch._utils", "_rebuild_tensor_v2"),
                                                            name("torch.nn.parameter", "Parameter"),
                                                            tuple_of(storage("3", 1), number(0), numbers([1]), numbers([1]), b"\x89", ordered()), b"}"))]),
                                        {"0": F(6), "1": b"", "2": bytes(8), "3": F(1)}), "Parameters; no elements; no dimensions.")
    write("good", "sparse", archive(ordered([("s", call(name("torch._utils", "_rebuild_sparse_tensor"), name("torch", "sparse_coo"),
                                                        tuple_of(tensor("0", 4, [2, 2], kind="LongStorage"), tensor("1", 2, [2]), numbers([3, 3]))))]),
                                    {"0": bytes(32), "1": F(2)}), "Two tensors are stored: s.indices, s.values.")
    write("good", "sparse-rows", archive(ordered([("s", call(name("torch._utils", "_rebuild_sparse_tensor"),
                                                             call(name("torch.serialization", "_get_layout"), text("torch.sparse_csr")),
                                                             tuple_of(tensor("0", 3, [3], kind="LongStorage"), tensor("1", 2, [2], kind="LongStorage"), tensor("2", 2, [2]),
                                                                      numbers([2, 3]))))]),
                                         {"0": bytes(24), "1": bytes(16), "2": F(2)}), "Three tensors are stored: s.crow_indices, s.col_indices, s.values.")
    loss = [("best_val_loss", tensor("1", 1, [])), ("model", ordered([("w", tensor("0", 6, [2, 3]))]))]
    write("good", "conjugated", archive(ordered([("c", tensor("0", 3, [3], kind="ComplexFloatStorage", more=(b"}" + text("conj") + b"\x88s",)))]), {"0": bytes(24)}),
          "torch.load() gives the conjugates of what is stored: note tensor-strided.")
    write("good", "loss-beside-the-model", archive(mapping(loss), {"0": F(6), "1": F(1)}), "A number is no weight: the names below model stand for themselves.")
    write("good", "two-objects", archive(W, KEPT, more=[Record("other/data.pkl", pickled(ordered([("v", tensor("0", 6, [6])), ("x", tensor("0", 6, [6]))]))),
                                                        Record("other/data/0", F(6))]), "The folder of the first record is read: one tensor.\n"
          "torch opens no other (caffe2/serialize/inline_container.cc).")
    text4 = lambda s: b"\x8c" + bytes([len(s)]) + s.encode() + b"\x94"
    four = (b"\x95" + struct.pack("<Q", 100) + text4("collections") + text4("OrderedDict") + b"\x93\x94)R\x94(" + text4("w") + text4("torch._utils") +
            text4("_rebuild_tensor_v2") + b"\x93\x94((" + text4("storage") + text4("torch") + text4("FloatStorage") + b"\x93\x94" + text4("0") + text4("cpu") +
            b"K\x06t\x94QK\0K\x02K\x03\x86\x94K\x03K\x01\x86\x94\x89Nt\x94R\x94u")
    write("good", "protocol-4", archive(four, KEPT, protocol=4), "Frames, short texts, STACK_GLOBAL, MEMOIZE.")
    itself = b"}q\0(" + text("self") + b"h\0" + text("w") + tensor("0", 6, [2, 3]) + b"u"
    write("good", "legacy-protocol-4", legacy(four.replace(b"K\x06t", b"K\x06Nt"), {"0": (6, F(6))}, pickle=4), "torch.save(..., pickle_protocol=4) before 1.6.")
    write("good", "holds-itself", archive(itself, KEPT), "A dict that contains itself is read once.")
    write("good", "one-tensor", archive(tensor("0", 6, [2, 3]), KEPT), "Not in a dict: its name is 'tensor'.")
    write("good", "python-2", archive(call(name("collections", "OrderedDict"), b"](](" + text("w") + tensor("0", 6, [2, 3]) + b"ee"), KEPT),
          "OrderedDict([[name, tensor]]), as Python 2 pickles it.")


def odd():
    code = mapping([("hyper", call(name("omegaconf.dictconfig", "DictConfig"), b"}")), ("state_dict", W)])
    write("odd", "needs-code@--dictconfig", archive(None, KEPT, raw=HERE + pickled(code)), "A value of a class that is not torch's.")
    inside = mapping([("ema", call(name("my.ema", "EMA"), mapping([("w", tensor("1", 6, [2, 3]))]))), ("model", W)])
    write("odd", "needs-code@--tensor-inside", archive(None, {"0": F(6), "1": F(6)}, raw=HERE + pickled(inside)), "Its tensor is not read: 24 bytes are no tensor's.")
    nested = mapping([("ema", call(name("my.ema", "EMA"), call(name("my.ema", "Part"), tensor("1", 6, [2, 3])), call(name("my.ema", "Other")))), ("model", W)])
    write("odd", "needs-code@--class-in-a-class", archive(None, {"0": F(6), "1": F(6)}, raw=HERE + pickled(nested)), "Only the outer class is named.")
    old = legacy(ordered([("w", tensor("0", 6, [2, 3], view=(b"N",)))]), {"0": (6, F(6))})
    write("odd", "trailing-bytes@--legacy", old + HERE + b"more")
    meta = ordered([("w", tensor("0", 6, [2, 3])), ("m", call(name("torch._utils", "_rebuild_meta_tensor_no_storage"), name("torch", "float32"), numbers([3]), numbers([1]), b"\x89"))])
    write("odd", "needs-code@--meta", archive(None, KEPT, raw=HERE + pickled(meta)), "A tensor without data.")


def bad_pickles():
    bad = lambda name, value, why="", protocol=2: write("bad", name, archive(None, KEPT, raw=b"\x80" + bytes([protocol]) + value), why)
    write("bad", "VERSION@--protocol-6", archive(None, KEPT, raw=HERE + b"\x80\x06" + W + b"."))
    bad("SYNTAX@--opcode-of-the-future", HERE + b"\x99.", "An opcode that no protocol has.", 5)
    bad("SYNTAX@--nothing-to-take", HERE + b"R.")
    bad("SYNTAX@--no-mark", HERE + b"t.")
    bad("SYNTAX@--below-the-mark", b"N(" + HERE + b"\x85.", "What is below the mark cannot be taken.")
    bad("SYNTAX@--memo-without-it", HERE + b"h\x05.")
    bad("SYNTAX@--memo-bomb", b"N" + HERE + b"r\xff\xff\xff\xff.", "Number 4,294,967,295 of the memo.")
    bad("SYNTAX@--key-without-value", b"}(K\1" + HERE + b"u.")
    bad("SYNTAX@--items-of-a-number", b"K\1K\2" + HERE + b"a.")
    bad("TRUNCATED@--no-stop", W + HERE, "The record ends before the pickle does.")
    bad("LIMIT@--many-lists", b"]" * 20165 + HERE + b"]" * 2000 + b".", "A list takes 32 bytes, and 2 times 16 on the stack. n lists are too much where\n"
        "64*n > 1,048,576 + 12*(2 + n): the 20,166th, 1,290,624 > 1,290,592.")
    bad("LIMIT@--deep", b"}" + (text("a") + b"}") * 99 + text(HERE + b"a") + b"}" + (text("a") + b"}") * 20 + b"s" * 120 + b".",
        "Dicts in one another: the hundredth key leads to the 101st.")
    bad("DUPLICATE@--same-name", b"}(" + text("w") + tensor("0", 6, [2, 3]) + text(HERE + b"w") + tensor("0", 6, [2, 3]) + b"u.")
    write("bad", "FORMAT@--no-tensors", archive(None, {}, raw=HERE + pickled(mapping([("a", number(1))]))))
    write("bad", "FORMAT@--only-code", archive(None, {}, raw=HERE + pickled(call(name("__main__", "Net")))), "A whole module, which needs its class.")


def bad_tensors():
    def bad(name, value, why="", kept=KEPT): write("bad", name, archive(b"}(" + text(HERE + b"w") + value + b"u", kept), why)
    bad("SYNTAX@--past-its-storage", tensor("0", 6, [2, 4]), "8 elements of a storage of 6.")
    bad("SYNTAX@--offset-past-its-storage", tensor("0", 6, [2, 3], offset=1))
    bad("SYNTAX@--stride-past-its-storage", tensor("0", 6, [2, 3], stride=[4, 1]), "1 + 1*4 + 2*1 = 7 elements.")
    bad("SYNTAX@--negative-size", tensor("0", 6, [-2, -3], stride=[3, 1]))
    bad("SYNTAX@--negative-stride", tensor("0", 6, [2, 3], stride=[-3, 1]))
    bad("SYNTAX@--size-overflows", tensor("0", 6, [2**33, 2**33], stride=[0, 0]))
    bad("SYNTAX@--strides-missing", tensor("0", 6, [2, 3], stride=[1]))
    bad("SYNTAX@--storage-overflows", tensor("0", 2**62, [2, 3]))
    bad("SYNTAX@--no-storage", call(name("torch._utils", "_rebuild_tensor_v2"), b"N", number(0), numbers([1]), numbers([1])))
    bad("SYNTAX@--no-arguments", name("torch._utils", "_rebuild_tensor_v2") + b")R")
    bad("SYNTAX@--unknown-type", tensor("0", 6, [2, 3], kind="NewStorage"))
    write("bad", "SYNTAX@--two-types", archive(b"}(" + text("w") + tensor("0", 6, [6]) + text(HERE + b"v") + tensor("0", 6, [6], kind="IntStorage") + b"u", KEPT))


def bad_zips():
    data = Record("archive/data.pkl", pickled(W))
    body = zipped([data], end=False)
    write("bad", "SYNTAX@--record-missing", zipped([data], end=False) + HERE + zipped([data])[len(body):])
    whole, end = archive(W, KEPT), lambda b: b.find(b"PK\1\2")
    write("bad", "TRUNCATED@--no-directory", whole[:end(whole)] + HERE)
    write("bad", "RANGE@--record-short", archive(W, {"0": HERE + F(5)}), "20 bytes for 6 elements of F32.")
    write("bad", "RANGE@--record-long", archive(W, {"0": HERE + F(7)}))
    two = archive(ordered([("v", tensor("0", 6, [6])), ("w", tensor("1", 6, [6]))]), {"0": F(6), "1": F(6)})
    write("bad", "SYNTAX@--record-of-another", lie(two, b"archive/data/1", b"archive/data/0"), "The directory says that data/1 is where data/0 is.")
    packed = archive(W, {"0": Record("archive/data/0", F(6), method=8)})
    write("bad", "SYNTAX@--compressed-record", mark(packed, packed.rfind(b"PK\3\4", 0, packed.find(b"archive/data/0"))))
    write("bad", "FORMAT@--compressed-pickle", mark(zipped([Record("archive/data.pkl", pickled(W), method=8), Record("archive/data/0", F(6))]), 0))
    write("bad", "SYNTAX@--local-header-elsewhere", mark(zipped([Record("archive/data.pkl", pickled(W), at=7)]), 7))
    write("bad", "TRUNCATED@--record-past-the-directory", past())
    write("bad", "DUPLICATE@--two-records", twice())
    write("bad", "FORMAT@--torchscript", mark(archive(W, KEPT, more=[Record("archive/constants.pkl", pickled(b")"))]), 0))
    write("bad", "FORMAT@--torch-export", mark(zipped([Record("m/models/model.json", b"{}"), Record("m/archive_format", b"pt2"), Record("m/data/sample.pt", b"")]), 0))
    write("bad", "FORMAT@--torch-package", mark(zipped([Record("p/.data/0.storage", F(6)), Record("p/model/model.pkl", pickled(W)), Record("p/.data/extern_modules", b"")]), 0))
    write("bad", "FORMAT@--object-elsewhere", mark(zipped([Record("a/version", b"3\n"), Record("b/data.pkl", pickled(W)), Record("b/data/0", F(6))]), 0),
          "The folder of the first record, which torch reads, has no object.")
    write("bad", "FORMAT@--no-folder", mark(archive(W, KEPT, folder=""), 0), "torch refuses records that are in no folder.")
    write("bad", "FORMAT@--other-zip", mark(zipped([Record("a.npy", b"\x93NUMPY")]), 0))


def mark(data, at): return data[:at] + HERE + data[at:]


def lie(data, who, whose):
    """The directory gives `who` the place of `whose`; the mark is there."""
    line = lambda name: data.rfind(name, 0, data.rfind(b"PK\5\6")) - 46
    a, b = line(who), line(whose)
    at = struct.unpack_from("<I", data, b + 42)[0]
    return mark(data[:a + 42] + data[b + 42:b + 46] + data[a + 46:], at)


def past():
    data = archive(W, {"0": Record("archive/data/0", F(6), bytes=2**31)})
    return mark(data, data.find(b"PK\1\2"))


def twice():
    data = zipped([Record("archive/data.pkl", pickled(W)), Record("archive/data/0", F(6)), Record("archive/data/0", F(6))])
    return mark(data, data.rfind(b"PK\3\4"))


def bad_legacy():
    old = ordered([("w", tensor("0", 6, [2, 3], view=(b"N",)))])
    kept = {"0": (6, F(6))}
    at = len(legacy(old, {}, keys=["0"]))
    write("bad", "RANGE@--legacy-count", mark(legacy(old, kept, counts={"0": 7}), at), "The count in front of the data is 7, the pickle's 6.")
    write("bad", "SYNTAX@--legacy-unknown-key", mark(legacy(old, kept, keys=["0", "1"]), len(legacy(old, {}, keys=["0", "1"]))))
    write("bad", "SYNTAX@--legacy-key-missing", mark(legacy(old, kept, keys=[]), len(legacy(old, {}, keys=[]))))
    write("bad", "TRUNCATED@--legacy-magic-alone", MAGIC + HERE)
    bare = len(MAGIC + pickled(number(1002)))
    write("bad", "VERSION@--legacy-protocol", mark(legacy(old, kept, protocol=1002), bare))
    cut = legacy(old, kept)[:-4]
    write("bad", "data-missing@--legacy-cut", cut + HERE, "4 of 24 bytes are missing.")


if __name__ == "__main__":
    for make in (good, odd, bad_pickles, bad_tensors, bad_zips, bad_legacy): make()
