"""behead_cases.py -- numel makes header-only copies, the packages open them.

Each file that the packages wrote is beheaded. The copy must hold exactly the original's bytes before its data;
padded with a hole to the stated size, it must open in the package and list the same tensors. The committed
fixtures, made by our own generator, get the same test: there the package also judges the generator.
"""
import os
import pathlib

import zstandard
from safetensors import safe_open

import gguf_cases
from harness import Mismatch, same

MARK = b"\x50\x2a\x4d\x18\x10\x00\x00\x00NUMELHD1"


def content(path):
    """The header in a copy, and the size of the whole file."""
    with open(path, "rb") as f:
        raw = f.read()
    if raw[:len(MARK)] != MARK:
        raise Mismatch("no skippable frame with the size")
    size = int.from_bytes(raw[16:24], "little")
    with zstandard.ZstdDecompressor().stream_reader(raw[24:]) as stream:
        return stream.read(), size


def pad(head, size, path):
    with open(path, "wb") as f:
        f.write(head)
        f.truncate(size)


def listing(path, kind):
    """The package's view of a file."""
    if kind == "gguf":
        reader = gguf_cases.reader_of(path)
        return ({t.name: (t.tensor_type.name, [int(d) for d in reversed(t.shape)])
                 for t in reader.tensors},
                {name: bytes(b"".join(bytes(p) for p in field.parts))
                 for name, field in reader.fields.items()})
    with safe_open(path, framework="numpy") as f:
        names = {}
        for name in f.keys():
            part = f.get_slice(name)
            names[name] = (str(part.get_dtype()), list(part.get_shape()))
        return names, f.metadata()


def data_start(bench, path):
    shown = bench.show(path)
    file = next(f for f in shown["files"] if os.path.samefile(f["path"], path))
    offsets = [t["offset"] for t in bench.tensors(path) if os.path.samefile(t["file"], path)]
    return min(offsets) if offsets else file["header_bytes"] + file["padding"]


def there_and_back(bench, path, kind):
    """path: one file; of a split set, behead copies the whole set."""
    name = os.path.basename(path)
    folder, padded_in = (os.path.join(bench.folder, part, name) for part in ("beheaded", "padded"))
    os.makedirs(folder)
    os.makedirs(padded_in)
    bench.run("behead", path, folder)
    copy = os.path.join(folder, name + ".head.zst")
    head, size = content(copy)
    same("size of the original", size, os.path.getsize(path))
    same("bytes kept", len(head), data_start(bench, path))
    with open(path, "rb") as f:
        same("the first bytes", head == f.read(len(head)), True)
    padded = os.path.join(padded_in, name)
    pad(head, size, padded)
    same("the package's listing", listing(padded, kind), listing(path, kind))
    compare_copy(bench, copy, path)


def compare_copy(bench, copy, path):
    """numel counts a copy (or the set of copies) like the originals."""
    whole, shown = bench.show(path), bench.show(copy)
    for part in ("counts", "dtypes", "groups"):
        same(f"{part} of the copy", shown[part], whole[part])
    for ours, theirs in zip(shown["files"], whole["files"], strict=True):
        same("size", ours["bytes"], theirs["bytes"])
        same("data", ours["data"], "absent" if theirs["data_bytes"] else "present")


def fixture(bench, folder):
    """Compares a committed fixture with the package, file by file."""
    theirs = {}
    for copy in sorted(folder.glob("*.head.zst")):
        head, size = content(copy)
        kind = "gguf" if ".gguf" in copy.name else "safetensors"
        padded = os.path.join(bench.folder, copy.name.removesuffix(".head.zst"))
        pad(head, size, padded)
        theirs.update(listing(padded, kind)[0])
        os.remove(padded)
    ours = {t["name"]: (t["dtype"], t["shape"]) for t in bench.tensors(str(folder))}
    same("number of tensors", len(ours), len(theirs))
    same("tensors", ours, theirs)


def run(bench):
    for path, kind in bench.made:
        bench.case(f"numel beheads, {kind} reads", os.path.basename(path), there_and_back, path,
                   kind)
    for folder in sorted(p for p in pathlib.Path("fixtures").iterdir() if p.is_dir()):
        if list(folder.glob("*.head.zst")):
            bench.case("fixtures, both read", folder.name, fixture, folder)
