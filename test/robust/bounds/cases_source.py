"""Inputs that are files and folders: claims about missing data, compressed zeros, many tensors, keys, files,
folders."""
import json
import os
import subprocess
import sys

from case import Case, READERS, words
from files import frame, gguf, put, safetensors, u32, u64

MIB = 1 << 20
LONG = "x" * 200
ONE = [("a", "U8", [4])]


# ---- promises: names and lists of files that do not exist

def promise(d, prefix, number, total, digits=6, end=".safetensors", content=None):
    """One file whose name states that it is one of `total`."""
    put("%s/%s-%05d-of-%0*d%s" % (d, prefix, number, digits, total, end), content or safetensors(ONE))


def one_promise(d): promise(d, LONG, 1, 999999)


def promise_in_the_middle(d):
    for n in (1, 7, 500000): promise(d, LONG, n, 999999)


def promises(d):
    for i in range(2000): promise(d, "%s%d" % (LONG[:100], i), 1 + i % 99999, 999999 - i)


def promises_of_one_name(d):
    for i in range(1000): promise(d, "m", 1, 999999 - i)


def promises_of_none(d):
    for name in ("a-00001-of-99999999999", "b-00000-of-00000", "c-00002-of-00001", "d-00001-of-1", "e-000001-of-000000"):
        put("%s/%s.safetensors" % (d, name), safetensors(ONE))


def split(count, name):
    pairs = [("general.architecture", "llama"), ("split.no", ("u16", 0)), ("split.count", ("u16", count)), ("split.tensors.count", ("i32", 2**31 - 1))]
    return lambda d: put(d + "/" + name, gguf(pairs, [("a", "F32", [4])]))


def index_of_nothing(lines, deep=""):
    def make(d):
        weights = {"t%06d" % i: "%ss%06d.safetensors" % (deep, i) for i in range(lines)}
        put(d + "/model.safetensors.index.json", json.dumps({"metadata": {"total_size": 1}, "weight_map": weights}).encode())
    return make


def index_and_one(d):
    index_of_nothing(100000)(d)
    put(d + "/s050000.safetensors", safetensors([("t050000", "U8", [4])]))


FILE = words("show m.gguf", "verify m.gguf", "hash m.gguf")
FEW = words("show .", "tensors --json .", "meta --json .", "reconcile .", "verify .", "hash .", "identify .")
SAID = 20000 # reports on claims must not list them

PROMISES = [
    Case("promise", one_promise, READERS, 1, 0, SAID),
    Case("promise-middle", promise_in_the_middle, FEW, 3, 0, SAID),
    Case("promises-2000", promises, words("show .", "verify -q .", "hash .", "identify ."), 2000, files=2000),
    Case("promises-one-name", promises_of_one_name, words("show .", "verify -q .", "hash ."), 1000, files=1000),
    Case("promises-none", promises_of_none, FEW, 5, 0, SAID),
    Case("split-65535", split(65535, "m.gguf"), FILE, 1, 0, SAID),
    Case("split-65535-named", split(65535, "m-00001-of-65535.gguf"), FEW, 1, 0, SAID),
    Case("index-of-nothing", index_of_nothing(100000), READERS, 0, 0, SAID),
    Case("index-of-deep-nothing", index_of_nothing(100000, "a/b/"), FEW, 0, 0, SAID),
    Case("index-and-one", index_and_one, READERS, 1, 0, SAID),
]


# ---- zstd: small input that claims to be large

def packed(path, parts, level="-3"):
    """zstd of concatenated bytes; (bytes, times) is a repeated part."""
    p = subprocess.Popen(["zstd", "-q", "-f", level, "-", "-o", path], stdin=subprocess.PIPE)
    for part in parts:
        part, times = part if isinstance(part, tuple) else (part, 1)
        for _ in range(times): p.stdin.write(part)
    p.stdin.close()
    if p.wait(): sys.exit("zstd failed")


def bomb(name, *parts): return lambda d: packed(d + "/" + name, parts)


BLANK, CROSS, MANY = b" " * MIB, b"x" * MIB, 100 # MiB: more than any command needs
FRONT = u32(3) + u64(0) # of GGUF


def key_of(kind): return b"GGUF" + FRONT + u64(1) + u64(1) + b"k" + u32(kind)


def entries(n, name="t%07d", blanks=""):
    """A header of n small tensors."""
    lines = ['"%s":{"dtype":"U8",%s"shape":[1],"data_offsets":[%d,%d]}' % (name % i, blanks, i, i + 1) for i in range(n)]
    return ("{" + ",".join(lines) + "}").encode()


def head(name, text, times=1, more=()):
    """A safetensors file in zstd without its data."""
    return lambda d: packed(d + "/" + name, [u64(len(text) * times + sum(len(p) * n for p, n in more)), (text, times)] + list(more))


def inner_blank(n):
    """`n` tensors, then blanks up to the limit for a header."""
    text = entries(n)
    return head("m.safetensors.zst", text, 1, [(BLANK, 60)])


def bombs_in_a_set(d):
    """Each shard requires as much as one may."""
    for i in range(1, 41):
        packed("%s/m-%05d-of-00040.gguf.zst" % (d, i), [key_of(9), u32(0), u64(3 << 20), b"\0" * (3 << 20), b"GGUF" * 20])


def beside(name, *parts):
    def make(d):
        put(d + "/m.safetensors", safetensors([("model.embed_tokens.weight", "F32", [4, 4])]))
        packed(d + "/" + name, parts)
    return make


def kept_bomb(d):
    """The tensors stored in a header-only copy claim 63 MiB."""
    packed(d + "/k", [(b"\0" * MIB, 63)])
    with open(d + "/k", "rb") as f: inner = f.read()
    os.remove(d + "/k")
    packed(d + "/h", [u64(len(entries(4))) + entries(4)])
    with open(d + "/h", "rb") as f: header = f.read()
    os.remove(d + "/h")
    mark = lambda name, n: bytes([0x50, 0x2A, 0x4D, 0x18]) + u32(n) + name
    put(d + "/m.safetensors.head.zst", mark(b"NUMELHD1", 16) + u64(1000) + mark(b"NUMELKP1", len(inner) + 16) + u64(63 << 20) + inner + header)


INDEX = "model.safetensors.index.json.zst"
BOMBS = [
    Case("zstd-index-blank", bomb(INDEX, b'{"weight_map":{', (BLANK, MANY), b"}}"), READERS, 0, 0, SAID),
    Case("zstd-index-string", bomb(INDEX, b'{"weight_map":{"', (CROSS, MANY), b'":"a"}}'), FEW, 0, 0, SAID),
    Case("zstd-index-same", bomb(INDEX, b'{"weight_map":{', (b'"a":"b",' * 131072, MANY), b'"a":"b"}}'), FEW, 0, 0, SAID),
    Case("zstd-index-escaped", bomb(INDEX, b'{"weight_map":{', (b'"\\n":"b",' * 131072, MANY), b'"a":"b"}}'), FEW, 0, 0, SAID),
    Case("zstd-index-nested", bomb(INDEX, b'{"x":[', (b"[]," * 349525, MANY), b'[]]}'), FEW, 0, 0, SAID),
    Case("zstd-key", bomb("b.gguf.zst", b"GGUF" + FRONT + u64(1) + u64(MANY << 20), (CROSS, MANY)), READERS, 0, 0, SAID),
    Case("zstd-string", bomb("b.gguf.zst", key_of(8) + u64(MANY << 20), (CROSS, MANY)), FEW, 0, 0, SAID),
    Case("zstd-string-whole", bomb("b.gguf.zst", key_of(8) + u64(6900 << 10), b"x" * (6900 << 10)), FEW, 0, 0, None),
    Case("zstd-array", bomb("b.gguf.zst", key_of(9) + u32(0) + u64(MANY << 20), (CROSS, MANY)), FEW, 0, 0, SAID),
    Case("zstd-strings", bomb("b.gguf.zst", key_of(9) + u32(8) + u64(MANY << 17), (b"\0" * MIB, MANY)), FEW, 0, 0, SAID),
    Case("zstd-header-blank", bomb("m.safetensors.zst", u64(95 << 20), (BLANK, 95)), READERS, 0, 0, SAID),
    Case("zstd-header-named-head", bomb("m.safetensors.head.zst", u64(95 << 20), b"{", (BLANK, 94)), FEW, 0, 0, SAID),
    Case("zstd-header-same", head("m.safetensors.zst", b'"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},' * 1000, 1900), FEW, 0, 0, SAID),
    Case("zstd-metadata", bomb("m.safetensors.zst", u64(95 << 20), b'{"__metadata__":{"a":"', (CROSS, 95)), FEW, 0, 0, SAID),
    Case("zstd-inner-blank", inner_blank(20000), FEW, 20000, 0, SAID),
    Case("zstd-set", bombs_in_a_set, READERS, 0, 0, SAID),
    Case("zstd-kept", kept_bomb, READERS, 4, 0, SAID),
    Case("zstd-tokenizer", beside("tokenizer.json", b'{"model":{"vocab":{"a":0', (BLANK, 100), b"}}}"), FEW, 1, 0, SAID),
    Case("zstd-config", beside("config.json", b'{"model_type":"llama"', (BLANK, 15), b"}"), FEW, 1, 0, SAID),
]


# ---- large and healthy

def moe(d, layers, experts, shards=1, zst=False, config=None):
    """The tensors of a mixture of experts, with names of realistic length: 3 per expert and layer."""
    names = ["model.layers.%d.mlp.experts.%d.%s_proj.weight_scale_inv" % (l, e, w) for l in range(layers) for e in range(experts) for w in ("gate", "up", "down")]
    each = -(-len(names) // shards)
    weights = {}
    for s in range(shards):
        mine = names[s * each:(s + 1) * each]
        file = "model-%05d-of-%05d.safetensors" % (s + 1, shards) if shards > 1 else "model.safetensors"
        weights.update((n, file) for n in mine)
        lines = ['"%s":{"dtype":"F8_E4M3","shape":[2,4],"data_offsets":[%d,%d]}' % (n, 8 * i, 8 * i + 8) for i, n in enumerate(mine)]
        text = ('{"__metadata__":{"format":"pt"},' + ",".join(lines) + "}").encode()
        if zst: packed(d + "/" + file + ".head.zst", [u64(len(text)) + text])
        else: put(d + "/" + file, frame(text, b"\1" * 8 * len(mine)))
    if shards > 1: put(d + "/model.safetensors.index.json", json.dumps({"metadata": {"total_size": 8 * len(names)}, "weight_map": weights}).encode())
    if config: put(d + "/config.json", json.dumps(config).encode())
    return len(names)


def plain(n):
    def make(d):
        put(d + "/m.safetensors", frame(entries(n), b"\1" * n))
    return make


def keys(n):
    return lambda d: put(d + "/m.safetensors", safetensors(ONE, {"key%d" % i: "v" for i in range(n)}))


def gguf_keys(n):
    pairs = b"".join(u64(len(k)) + k + u32(4) + u32(i) for i, k in ((i, b"key.%d" % i) for i in range(n)))
    arch = u64(20) + b"general.architecture" + u32(8) + u64(5) + b"llama"
    return lambda d: put(d + "/m.gguf", b"GGUF" + FRONT + u64(n + 1) + arch + pairs)


def gguf_tensors(n):
    infos = b"".join(u64(len(k)) + k + u32(1) + u64(8) + u32(0) + u64(32 * i) for i, k in ((i, b"blk.%d.ffn_%d.weight" % (i // 100, i % 100)) for i in range(n)))
    arch = u64(20) + b"general.architecture" + u32(8) + u64(5) + b"llama"
    b = b"GGUF" + u32(3) + u64(n) + u64(1) + arch + infos
    return lambda d: put(d + "/m.gguf", b + bytes(-len(b) % 32) + b"\1" * 32 * n)


def vocabulary(n):
    words_ = [b"token%d" % i for i in range(n)]
    strings = lambda key, w: u64(len(key)) + key + u32(9) + u32(8) + u64(len(w)) + b"".join(u64(len(x)) + x for x in w)
    arch = u64(20) + b"general.architecture" + u32(8) + u64(5) + b"llama"
    floats = u64(21) + b"tokenizer.ggml.scores" + u32(9) + u32(6) + u64(n) + b"\0" * 4 * n
    return lambda d: put(d + "/m.gguf", b"GGUF" + FRONT + u64(4) + arch + strings(b"tokenizer.ggml.tokens", words_) + strings(b"tokenizer.ggml.merges", words_) + floats)


# explain is excluded: its work on unknown names is bounded elsewhere.
MOST = [w for w in READERS if w[0] != "explain"]
ALL = MOST + words("tensors .", "hash --json .", "diff --json . .", "diff --values . .", "diff --values --json . .", "show --depth 9 .", "verify --values .", "reconcile -q .")
FEW = words("show .", "tensors --json .", "meta --json .", "reconcile .", "verify .", "hash .", "identify .")
HEALTHY = [
    Case("st-30000", plain(30000), MOST, 30000),
    Case("st-100000", plain(100000), ALL, 100000, slow=True),
    Case("st-300000", plain(300000), FEW, 300000, slow=True),
    Case("moe-9200", lambda d: moe(d, 12, 256, 16), MOST, 12 * 256 * 3),
    Case("moe-91000", lambda d: moe(d, 119, 256, 163), ALL, 119 * 256 * 3, slow=True),
    Case("moe-91000-one-head", lambda d: moe(d, 119, 256, 1, True), words("show .", "tensors --json .", "verify .", "behead . out"), 119 * 256 * 3),
    Case("moe-91000-heads", lambda d: moe(d, 119, 256, 163, True), FEW, 119 * 256 * 3, slow=True),
    Case("gguf-100000", gguf_tensors(100000), FEW, 100000),
    Case("gguf-vocabulary", vocabulary(200000), FEW, 0),
    Case("gguf-vocabulary-1M", vocabulary(1000000), ALL, 0, slow=True),
    Case("gguf-keys", gguf_keys(100000), FEW, 0),
    Case("gguf-keys-1M", gguf_keys(1000000), ALL, 0, slow=True),
    Case("metadata-keys", keys(100000), FEW, 1),
    Case("metadata-keys-1M", keys(1000000), ALL, 1, slow=True),
]


# ---- folders, and files next to a checkpoint

def files_of(n, end=".safetensors", content=None):
    def make(d):
        for i in range(n): put("%s/f%06d%s" % (d, i, end), content or safetensors(ONE))
    return make


def wide(d):
    for i in range(5000): os.makedirs("%s/d%05d" % (d, i))
    put(d + "/d00007/m.safetensors", safetensors(ONE))


def deep(d):
    """As deep as a path may be, with a checkpoint at each level."""
    for i in range(300):
        put(d + "/m.safetensors", safetensors(ONE))
        d += "/deeper"
        os.makedirs(d)


def loops(d):
    put(d + "/m.safetensors", safetensors(ONE))
    for i in range(100):
        os.symlink(".", "%s/here%d" % (d, i))
        os.symlink("loop%d.safetensors" % i, "%s/loop%d.safetensors" % (d, i))
        os.symlink("..", "%s/up%d.safetensors" % (d, i))
    os.symlink("here0/here0/m.safetensors", d + "/model.safetensors")


def with_file(name, content):
    def make(d):
        put(d + "/m.safetensors", safetensors([("model.embed_tokens.weight", "F32", [4, 4])]))
        put(d + "/" + name, content())
    return make


def manifest(lines, line):
    return lambda: b"".join(line % i for i in range(lines))


def sparse(bytes_):
    """A file of a terabyte that contains only a header."""
    def make(d):
        header = '{"a":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}' % (bytes_, bytes_)
        put(d + "/m.safetensors", frame(header.encode()))
        os.truncate(d + "/m.safetensors", bytes_ + 8 + len(header))
    return make


def hollow(d):
    put(d + "/m.safetensors", b"")
    os.truncate(d + "/m.safetensors", 1 << 40)


def adapter(n):
    config = {"peft_type": "LORA", "r": 8, "lora_alpha": 8, "target_modules": ["m%d" % i for i in range(n)]}
    def make(d):
        put(d + "/adapter_config.json", json.dumps(config).encode())
        put(d + "/adapter_model.safetensors", safetensors([("base_model.model.m0.lora_A.weight", "F32", [8, 4]), ("base_model.model.m0.lora_B.weight", "F32", [4, 8])]))
    return make


def long_names(d):
    put(d + "/m.safetensors", safetensors([("%s%d" % ("n" * 100000, i), "U8", [4]) for i in range(50)]))


def long_path(d):
    put(d + "/" + "y" * 240 + ".safetensors", safetensors(ONE))


def nested(depth, n):
    """Triply nested arrays in GGUF."""
    def arrays(level):
        return u32(9) + u64(n) + arrays(level - 1) * n if level else u32(0) + u64(1) + b"\0"
    return lambda d: put(d + "/m.gguf", b"GGUF" + FRONT + u64(1) + u64(1) + b"k" + u32(9) + arrays(depth))


LLAMA = b'{"model_type":"llama","hidden_size":4,"vocab_size":4,"num_hidden_layers":1,"num_attention_heads":1,"intermediate_size":4'
NOT_ALL = words("show .", "tensors --json .", "meta .", "reconcile .", "verify .", "identify m.safetensors", "behead . out")
SIDE = [
    Case("files-3000", files_of(3000), words("show -q .", "verify -q .", "identify .", "hash ."), 3000, files=3000),
    Case("files-20000", files_of(20000), words("show -q .", "verify -q .", "identify .", "hash ."), 20000, files=20000, slow=True),
    Case("files-incomplete", files_of(20000, ".safetensors.incomplete", b"<html>"), words("show -q .", "verify -q .", "hash ."), 0, files=20000, slow=True),
    Case("folders-wide", wide, words("show .", "verify .", "identify .", "hash ."), 1),
    Case("folders-deep", deep, words("show .", "verify .", "identify ."), 1),
    Case("folders-loops", loops, READERS, 1),
    Case("manifest-lines", with_file("SHA256SUMS", manifest(100000, b"aa" * 32 + b"  f%07d.bin\n")), words("verify -l hash .", "hash ."), 1, 0, SAID),
    Case("manifest-same", with_file("SHA256SUMS", manifest(50000, b"aa" * 32 + b"  x%07d/m.safetensors\n")), words("verify -l hash ."), 1, 0, SAID),
    Case("manifest-tensors", with_file("m.numel", lambda: b"# numel-manifest 1\n" + manifest(100000, b"sha256    " + b"aa" * 32 + b"  m.safetensors:t%07d\n")()),
         words("verify -l hash .", "verify --json -l hash ."), 1, 0, None),
    Case("sparse", sparse(1 << 40), NOT_ALL, 1, 0, SAID),
    Case("hollow", hollow, NOT_ALL, 0, 0, SAID),
    Case("config-18M", with_file("config.json", lambda: LLAMA + b',"x":[' + b"1," * (9 << 20) + b"1]}"), NOT_ALL, 1, 0, SAID),
    Case("config-numbers", with_file("config.json", lambda: LLAMA + b',"x":[' + b"1," * (7 << 20) + b"1]}"), NOT_ALL, 1, 0, SAID),
    Case("config-labels", with_file("config.json", lambda: LLAMA + b',"id2label":{' + b",".join(b'"%d": "LABEL_%d"' % (i, i) for i in range(50000)) + b"}}"), NOT_ALL, 1, 4, None),
    Case("config-nested", with_file("config.json", lambda: b"[" * 10000000), NOT_ALL, 1, 0, SAID),
    Case("generation", with_file("generation_config.json", lambda: b'{"eos_token_id":[' + b"1," * (7 << 20) + b"1]}"), NOT_ALL, 1, 0, SAID),
    Case("tokenizer-5M", with_file("tokenizer.json", lambda: b'{"model":{"vocab":{' + b",".join(b'"token%d":%d' % (i, i) for i in range(300000)) + b"}}}"), NOT_ALL, 1, 0, SAID),
    Case("adapter-modules", adapter(200000), words("show .", "verify .", "reconcile .", "identify .")[:3], 2),
    Case("long-names", long_names, READERS, 50),
    Case("long-path", long_path, READERS, 1, 0, 40000),
    Case("nested-3", nested(3, 60), FEW, 0, 0, SAID),
    Case("nested-40", nested(40, 1), FEW, 0, 0, SAID),
]

CASES = PROMISES + BOMBS + HEALTHY + SIDE
