"""faults_content.py -- content that differs from what was published, and invalid values.

For the level `hash` a copy is first sealed: the digest of the good content is stored where programs keep digests
(our manifest, sha256sum's list, names of blobs, a listing, a record, a pointer). Digests are computed here, with
hashlib. Then one byte changes, or more.
"""
import atexit
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import tempfile

from harness import NUMEL, Expect, Gguf, Safetensors

ELSEWHERE = os.path.join(tempfile.mkdtemp(prefix="numel-manifest."), "elsewhere.numel")
atexit.register(shutil.rmtree, os.path.dirname(ELSEWHERE))
HALVES = {"F16": (0x7E01, 0x7C00, 0xFC00), "BF16": (0x7FC1, 0x7F80, 0xFF80)}


def sha256(data): return hashlib.sha256(data).hexdigest()
def git(data): return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def define(suite):
    manifest(suite)
    elsewhere(suite)
    others(suite)
    values(suite)
    scales(suite)


def flip(c, name, at):
    c.fill(name, at, bytes([c.read(name)[at] ^ 0x10]))


def places(c, name):
    """(tensor, offset in the file, bytes) of each tensor, in file order."""
    if name.endswith(".gguf"):
        g = Gguf(c, name)
        found = [(n, g.start + t["offset"], g.bytes_of(n)) for n, t in g.tensors.items()]
    else:
        f = Safetensors(c, name)
        start = 8 + struct.unpack_from("<Q", c.read(name))[0]  # padding included
        found = [(n, start + f.header[n]["data_offsets"][0],
                  f.header[n]["data_offsets"][1] - f.header[n]["data_offsets"][0]) for n in f.names()]
    return sorted(found, key=lambda p: p[1])


def seal(c):
    done = subprocess.run([NUMEL, "hash", c.folder], capture_output=True, check=True)
    c.write("good.numel", done.stdout)


# ---- a manifest of ours -------------------------------------------------------------------------

def manifest(suite):
    @suite.fault("llama", (0, 0, 0), (1, 1, 1), (2, 3, -1), (3, -1, 100))
    @suite.fault("gguf", (0, 0, 0), (1, 2, -1), (2, -1, 5))
    @suite.fault("mixtral", (0, 2, 3), (1, 0, 0))
    def byte_of_a_tensor(c, file, nth, where):
        seal(c)
        name = c.shards()[file]
        tensor, at, n = places(c, name)[nth]
        flip(c, name, at + where % n)
        return [Expect("hash-mismatch", "hash", name), Expect("tensor-changed", "hash", name, tensor, at, [n])]

    @suite.fault("llama", 1, 3)
    @suite.fault("gguf", 0)
    def two_tensors(c, file):
        seal(c)
        name = c.shards()[file]
        first, last = places(c, name)[0], places(c, name)[-1]
        for _, at, _ in (first, last):
            flip(c, name, at + 1)
        return [Expect("tensor-changed", "hash", name, t, at, [n]) for t, at, n in (first, last)]

    @suite.fault("llama")
    def header_only(c):
        """An extra space before the data: every tensor is unchanged."""
        seal(c)
        f = Safetensors(c, c.shards()[2])
        before = c.size(f.name)
        f.text = f.encoded() + b" " * 8
        f.save()
        return [Expect("hash-size", "hash", f.name, numbers=[before, before + 8]),
                Expect("tensors-same", "hash", f.name, severity="note")]

    @suite.fault("llama", 0, 2)
    def tensor_renamed(c, file):
        seal(c)
        f = Safetensors(c, c.shards()[file])
        old = f.names()[1]
        f.replace(b'"' + old.encode() + b'"', b'"x' + old.encode()[1:] + b'"')
        f.save()
        return [Expect("tensor-gone", "hash", "good.numel", old),
                Expect("tensor-new", "hash", f.name, "x" + old[1:], severity="warning")]

    @suite.fault("llama", "config.json")
    @suite.fault("mixtral", "config.json")
    def file_beside(c, name):
        seal(c)
        c.edit_json(name, _name_or_path="elsewhere")
        return [Expect("hash-size", "hash", name, numbers=[c.size(name)])]


# ---- a manifest of a folder elsewhere -----------------------------------------------------------

def given(c, lines=None):
    """The copy is sealed, and its manifest is elsewhere: --manifest names it."""
    done = subprocess.run([NUMEL, "hash", c.folder], capture_output=True, check=True).stdout.decode()
    text = done if lines is None else lines(done)
    with open(ELSEWHERE, "w") as f: f.write(text.replace(c.folder, "/srv/elsewhere/of/it"))


def elsewhere(suite):
    options = ("--manifest", ELSEWHERE)

    @suite.fault("llama", (0, 0), (3, -1), options=options)
    @suite.fault("gguf", (1, 2), options=options)
    def other_bytes(c, file, nth):
        given(c)
        name = c.shards()[file]
        tensor, at, n = places(c, name)[nth]
        flip(c, name, at + n // 2)
        return [Expect("hash-mismatch", "hash", name), Expect("tensor-changed", "hash", name, tensor, at, [n])]

    @suite.fault("llama", 1, options=options)
    def other_shape(c, file):
        """A transposed matrix in a file with another name: every byte is unchanged."""
        given(c)
        f = Safetensors(c, c.shards()[file])
        name = next(n for n in f.names() if len(set(f.header[n]["shape"])) == 2)
        shape = f.header[name]["shape"]
        f.replace(json.dumps(shape, separators=(",", ":")).encode() + b',"data_offsets":'
                  + json.dumps(f.header[name]["data_offsets"], separators=(",", ":")).encode(),
                  json.dumps(shape[::-1], separators=(",", ":")).encode() + b',"data_offsets":'
                  + json.dumps(f.header[name]["data_offsets"], separators=(",", ":")).encode())
        f.save()
        return [Expect("hash-mismatch", "hash", f.name), Expect("manifest-model", "hash")]

    @suite.fault("llama", 0, options=options)
    def tensor_more(c, file):
        """The manifest describes the same file under another name, without one of its tensors."""
        name, left = c.shards()[file], []
        def less(text):
            left.extend(x for x in text.splitlines() if x.startswith("sha256 ") and f"/{name}:" in x)
            return "".join(x + "\n" for x in text.splitlines()
                           if x != left[-1] and not x.endswith("/" + name) and not x.startswith(("model", "content")))
        given(c, less)
        return [Expect("manifest-model", "hash", numbers=[1]),
                Expect("tensor-new", "hash", name, left[-1].split(":")[-1], severity="warning")]

    @suite.fault("llama", "llama", "vicuna", options=options)
    def two_roots(c, name):
        """Two of the manifest's folders have files with these names, and other digests."""
        given(c, lambda text: text + re.sub(r"\b[0-9a-f]([0-9a-f]{63})\b", r"x\1", text.replace(c.folder, "/srv/" + name))
              .replace("x", "e"))
        return [Expect("manifest-ambiguous", "hash", c.shards()[0])]

    @suite.fault("llama", options=options)
    @suite.fault("mixtral", options=options)
    def only_the_configuration(c):
        given(c, lambda text: "".join(x + "\n" for x in text.splitlines() if x.endswith("config.json")))
        return [Expect("manifest-unmatched", "hash", os.path.basename(ELSEWHERE), words=["config.json"])]

    @suite.fault("gguf", options=options)
    def of_another_model(c):
        given(c, lambda text: text.replace(".gguf", ".bin").replace(":", ":other."))
        for name in c.shards():
            flip(c, name, c.size(name) - 1)
        return [Expect("manifest-unmatched", "hash", os.path.basename(ELSEWHERE), words=[c.shards()[0]])]

    @suite.fault("llama", 2, options=options)
    def file_that_is_gone(c, file):
        c.write("extra.txt", "read me\n")
        given(c)
        os.remove(c.path("extra.txt"))
        return [Expect("file-absent", "hash", os.path.basename(ELSEWHERE), words=["extra.txt"])]

    @suite.fault("gguf", options=options)
    def renamed(c):
        """Nothing is wrong: reported as a note, with status 0."""
        given(c)
        return moved(c)


def moved(c):
    names = c.shards()
    for n in names:
        os.rename(c.path(n), c.path(n.replace("model", "weights") if "model" in n else "x-" + n))
    return [Expect("file-renamed", "hash", n.replace("model", "weights") if "model" in n else "x-" + n, words=[n],
                   severity="note") for n in names]


# ---- other programs' digests --------------------------------------------------------------------

def others(suite):
    @suite.fault("llama", (0, 300), (3, -1))
    @suite.fault("gguf", (1, 2000), (2, -1))
    def sha256sum(c, file, at):
        c.write("SHA256SUMS", "".join(f"{sha256(c.read(n))}  {n}\n" for n in c.shards()))
        name = c.shards()[file]
        flip(c, name, at % c.size(name))
        return [Expect("hash-mismatch", "hash", name)]

    @suite.fault("llama", 0, 3)
    @suite.fault("gguf", 1)
    def pointer_of_another_size(c, file):
        name = c.shards()[file]
        size = c.size(name)
        c.write(name + ".lfs", f"version https://git-lfs.github.com/spec/v1\noid sha256:"
                f"{sha256(c.read(name))}\nsize {size + 7}\n")
        return [Expect("hash-size", "hash", name, numbers=[size, size + 7])]

    @suite.fault("llama", 1, 2)
    @suite.fault("mixtral", 0)
    def wrong_name_of_a_blob(c, file):
        """The cache of huggingface_hub, with one blob under a wrong digest."""
        repository = c.folder + "/models--o--n"
        snapshot = repository + "/snapshots/c0ffee"
        for folder in ("blobs", "refs", "snapshots/c0ffee"):
            os.makedirs(f"{repository}/{folder}")
        with open(repository + "/refs/main", "w") as f:
            f.write("c0ffee")
        wrong = c.shards()[file]
        for name in c.shards() + ["config.json", "model.safetensors.index.json"]:
            data = c.read(name)
            blob = sha256(data) if name in c.shards() else git(data)
            blob = sha256(data + b"x") if name == wrong else blob
            shutil.move(c.path(name), f"{repository}/blobs/{blob}")
            os.symlink(f"../../blobs/{blob}", f"{snapshot}/{name}")
        c.target = repository
        return [Expect("hash-mismatch", "hash", wrong)]

    @suite.fault("llama", (0, "sha"), (2, "sha"), (1, "git"))
    def record_of_a_download(c, file, kind):
        name = c.shards()[file] if kind == "sha" else "config.json"
        data = c.read(name)
        etag = sha256(data) if kind == "sha" else git(data)
        c.write(f".cache/huggingface/download/{name}.metadata", f"c0ffee\n{etag}\n1700000000.0\n")
        flip(c, name, len(data) - 3 if kind == "sha" else data.index(b"architectures") + 3)
        return [Expect("hash-mismatch", "hash", name)]

    @suite.fault("llama", 0, 3)
    def listing(c, file):
        name = c.shards()[file]
        data = c.read(name)
        files = {name: {"size": 135, "blob_id": "0" * 40, "lfs_sha256": sha256(data),
                        "lfs_size": len(data)}}
        c.write(f".cache/huggingface/download/{name}.metadata", "c0ffee\n\n1700000000.0\n")
        c.write(".cache/huggingface/trees/c0ffee.json",
                json.dumps({"format_version": 1, "files": files}))
        flip(c, name, len(data) - 1)
        return [Expect("hash-mismatch", "hash", name)]

    @suite.fault("llama")
    @suite.fault("gguf")
    def list_that_is_none(c):
        c.write("SHA256SUMS", "<html>not found</html>\n")
        return [Expect("list-unreadable", "hash", "SHA256SUMS", severity="warning")]


# ---- values -------------------------------------------------------------------------------------

def put(c, name, at, *words):
    c.fill(name, at, struct.pack(f"<{len(words)}H", *words))


def halves(c, file, nth):
    """A tensor with two bytes per element: its name, offset, elements, and type."""
    f = Safetensors(c, c.shards()[file])
    tensor, at, n = places(c, f.name)[nth]
    return f.name, tensor, at, n // 2, f.header[tensor]["dtype"]


def values(suite):
    @suite.fault("llama", (0, 0, [0]), (1, 2, [1, 5]), (3, -1, [-1]), options=("--values",))
    @suite.fault("mixtral", (0, 1, [3, 4, 5]), options=("--values",))
    def nan(c, file, nth, where):
        name, tensor, at, n, dtype = halves(c, file, nth)
        for w in where:
            put(c, name, at + 2 * (w % n), HALVES[dtype][0])
        return [Expect("value-nan", "values", name, tensor, at, [len(where), n])]

    @suite.fault("llama", (0, 1, 1), (2, 0, 2), (3, 2, 2), options=("--values",))
    def infinite(c, file, nth, sign):
        name, tensor, at, n, dtype = halves(c, file, nth)
        put(c, name, at + 2 * (n // 2), HALVES[dtype][sign])
        return [Expect("value-inf", "values", name, tensor, at, [1, n])]

    @suite.fault("llama", 1, 3, options=("--values",))
    def all_zero(c, file):
        f = Safetensors(c, c.shards()[file])
        tensor, at, n = next(p for p in places(c, f.name) if len(f.header[p[0]]["shape"]) == 2)
        c.fill(f.name, at, bytes(n))
        return [Expect("value-zero", "values", f.name, tensor, at, [n // 2], severity="warning")]


# ---- scales of blocks ---------------------------------------------------------------------------

def scales(suite):
    @suite.fault("gguf", (0, 0x7E00), (1, 0x7C00), options=("--values",))
    def scale(c, file, half):
        """The scale of a Q8_0 block is its first two bytes."""
        g = Gguf(c, c.shards()[file])
        tensor = next(n for n, t in g.tensors.items() if t["type"] == 8)
        at = g.start + g.tensors[tensor]["offset"]
        put(c, g.name, at + 34, half)
        blocks = g.bytes_of(tensor) // 34
        return [Expect("scale-range", "values", g.name, tensor, at, [blocks, 1, 0])]
