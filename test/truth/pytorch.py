"""PyTorch files, against what torch itself loads from them (fixtures/pytorch, made by test/gen/pytorch_cases.py): names, types, shapes and
digests of tensors; files that need code; and one model as safetensors, .bin, shards and in the old format: the same judgement, count, and
digest of content, and no difference in values. Then the same files altered: each is refused, or said to differ.

    B=build/release python3 test/truth/pytorch.py [NAME]
"""
import io
import json
import lzma
import math
import os
import pickletools
import random
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", ".."))
sys.path.insert(0, ROOT + "/test/support")
import torchfile
from files import opened, safetensors, unpacked

NUMEL = os.path.abspath(os.environ.get("B", "build/release")) + "/numel"
failed, checks = 0, 0


def check(right, what, *more):
    global failed, checks
    checks += 1
    if right: return
    failed += 1
    print("pytorch: " + what, *more)


def run(*words):
    r = subprocess.run([NUMEL, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return r.returncode, r.stdout.decode(), r.stderr.decode()


def document(*words):
    status, out, err = run(*words, "--json")
    return status, json.loads(out) if out.startswith("{") else {"error": err + out}


def listing(path):
    """The lines of `numel tensors`."""
    status, out, err = run("tensors", "--json", path)
    rows = [json.loads(line) for line in out.splitlines()] if status == 0 else []
    return status, {r["name"]: r for r in rows}, err


def digests(path):
    """name -> SHA-256 of a tensor's bytes in the file."""
    prefix = path + ":"
    return {line.split(prefix, 1)[1]: line.split()[1] for line in run("hash", path)[1].splitlines() if line.startswith("sha256") and prefix in line}


def each_file(folder, row):
    path = folder + "/" + row["file"]
    status, have, err = listing(path)
    if "tensors" not in row:
        check(status == 3 and row["needs"] in err, row["file"] + ": not refused for " + row["needs"], err)
        return
    sums = digests(path)
    check(set(have) == {t["name"] for t in row["tensors"]}, row["file"] + ": other names:", sorted(have))
    for t in row["tensors"]:
        h = have.get(t["name"], {})
        check((h.get("dtype"), h.get("shape")) == (t["type"], t["shape"]), "%s: %s: type or shape:" % (row["file"], t["name"]), h)
        check(sums.get(t["name"]) == (t["sha256"] if t["range"] else None), "%s: %s: other bytes" % (row["file"], t["name"]))
    codes = [f["code"] for f in document("verify", path)[1]["findings"]]
    check(("needs-code" in codes) == ("needs" in row), row["file"] + ": needs-code:", codes)
    check(("tensor-strided" in codes) == (not all(t["range"] for t in row["tensors"])), row["file"] + ": tensor-strided:", codes)


def each_llama(folder):
    kinds = ("safetensors", "bin", "shards", "legacy", "both")
    judged = {k: document("show", folder + "/llama-" + k)[1] for k in kinds}
    first = judged["safetensors"]
    for k in kinds:
        check(judged[k]["judgement"] == first["judgement"], k + ": another judgement", judged[k].get("judgement"))
        check(judged[k]["counts"] == first["counts"] if "counts" in first else True, k + ": other counts")
        status, doc = document("reconcile", folder + "/llama-" + k)
        check(status == 0 and doc["judgement"]["verdict"] == "agrees", k + ": reconcile", doc)
        status, out, err = run("diff", "--values", folder + "/llama-safetensors", folder + "/llama-" + k)
        check(status == 0 and "values: identical bits in 21 tensors" in out, k + ": diff", out, err)
        content = [x for x in run("hash", folder + "/llama-" + k)[1].splitlines() if x.startswith("content")]
        check(len(content) == 1 and content[0].split()[1] == run("hash", folder + "/llama-safetensors")[1].split("content   ")[1].split()[0], k + ": content", content)
    both = run("show", folder + "/llama-both")[1]
    check("format        safetensors" in both and "pytorch_model.bin" in both, "both: safetensors is read, the other said", both)
    check(run("diff", folder + "/llama-both/pytorch_model.bin", folder + "/llama-both/model.safetensors")[0] == 0, "both: the same model")


def conversions(folder):
    """A .bin and what a converter may have made of it: what was left out or changed is the first line of the statement."""
    start = folder + "/llama-safetensors/model.safetensors"
    header, at = opened(start)
    with open(start, "rb") as f: data = f.read()[at:]
    header.pop("__metadata__", None)
    held = {n: (h["dtype"], h["shape"], data[slice(*h["data_offsets"])]) for n, h in header.items()}

    def written(tensors, path):
        with open(path, "wb") as f: f.write(safetensors([(n, *t[:2]) for n, t in tensors.items()], body=b"".join(t[2] for t in tensors.values())))

    def told(what, tensors, first, status, bin=folder + "/llama-bin/pytorch_model.bin"):
        out = folder + "/made.safetensors"
        written(tensors, out)
        code, doc = document("diff", bin, out)
        lines = [l["code"] for l in doc["statement"]]
        check((code, lines[:1]) == (status, [first] if first else []), "conversion: " + what, code, lines, doc["verdict"])

    def changed(find, **new): return {n: (new.get("dtype", t[0]), new.get("shape", t[1]), t[2]) if find in n else t for n, t in held.items()}

    told("whole", held, None, 0)
    told("in another order", dict(reversed(held.items())), None, 0)
    for lost in ("model.norm.weight", "model.layers.1.mlp.up_proj.weight", "lm_head.weight"):
        told("without " + lost, {n: t for n, t in held.items() if n != lost}, "removed", 1)
    told("without a layer", {n: t for n, t in held.items() if ".layers.1." not in n}, "layers", 1)
    told("another type", changed("norm", dtype="F16"), "retyped", 1)
    told("turned", changed("0.self_attn.k_proj", shape=[16, 8]), "transposed", 1)
    told("flat", changed("0.self_attn.k_proj", shape=[128]), "rearranged", 1)
    told("with a prefix", {"module." + n: t for n, t in held.items()}, "prefix", 1)
    told("without a prefix", {n.replace("model.", "", 1): t for n, t in held.items()}, "prefix", 1)
    told("another name", {n.replace("lm_head", "output"): t for n, t in held.items()}, "added", 1)
    told("one more", {**held, "model.extra.weight": ("BF16", [2], bytes(4))}, "added", 1)
    shared = folder + "/tied.bin"
    two = torchfile.ordered([(n, torchfile.tensor("0", 6, [2, 3])) for n in ("wte.weight", "lm_head.weight")])
    with open(shared, "wb") as f: f.write(torchfile.archive(two, {"0": bytes(range(24))}))
    table = ("F32", [2, 3], bytes(range(24)))
    told("two names of one storage", {"wte.weight": table}, "tied", 0, shared)
    told("neither of them", {"x": table}, "removed", 1, shared)
    told("both", {"wte.weight": table, "lm_head.weight": table}, None, 0, shared)
    states = listing(folder + "/trainer.pt")[1]
    weights = {n: (t["dtype"], t["shape"], bytes(t["bytes"])) for n, t in states.items() if not n.startswith("optimizer")}
    told("without the optimizer", weights, "training", 0, folder + "/trainer.pt")
    told("without the optimizer and a bias", {n: t for n, t in weights.items() if n != "bias"}, "removed", 1, folder + "/trainer.pt")


def buffers(folder):
    """A loader needs the statistics of a batch norm, but not the number of batches."""
    case = next(c for c in map(json.loads, unpacked(ROOT + "/fixtures/oracle/own.jsonl.zst")) if c["case"] == "own/rt-detr-resnet")
    at = folder + "/batch-norm"
    os.makedirs(at)
    with open(at + "/config.json", "w") as f: json.dump(case["configs"]["whole"], f)
    shapes = {**case["params"], **case["buffers"]}
    kinds = {n: ("I64", "LongStorage", 8) if n.endswith("num_batches_tracked") else ("F32", "FloatStorage", 4) for n in shapes}
    count = {n: math.prod(s) for n, s in shapes.items()}
    keys = {n: str(i) for i, n in enumerate(shapes)}
    value = torchfile.ordered([(n, torchfile.tensor(keys[n], count[n], s, kind=kinds[n][1])) for n, s in shapes.items()])
    with open(at + "/pytorch_model.bin", "wb") as f: f.write(torchfile.archive(value, {keys[n]: bytes(count[n] * kinds[n][2]) for n in shapes}))
    for lost, first, status in ((None, [], 0), ("num_batches_tracked", ["buffers"], 0), ("running_mean", ["removed"], 1), ("running_var", ["removed"], 1)):
        with open(at + "/made.safetensors", "wb") as f:
            f.write(safetensors([(n, kinds[n][0], s) for n, s in shapes.items() if not (lost and n.endswith(lost))]))
        code, doc = document("diff", at + "/pytorch_model.bin", at + "/made.safetensors")
        lines = [l["code"] for l in doc["statement"]]
        check((code, lines) == (status, first), "batch norm without " + str(lost), code, lines)


def altered(folder):
    """Every neighbour of a good file is refused, or said to be otherwise."""
    path = folder + "/llama-bin/pytorch_model.bin"
    with open(path, "rb") as f: data = f.read()
    def told(name, new, expected):
        out = folder + "/altered.bin"
        with open(out, "wb") as f: f.write(new)
        status = run("verify", "--level", "hash", out)[0]
        check(status in expected, "altered: %s: status %d" % (name, status))
    at = data.find(b"model.embed_tokens.weight")
    shape = data.find(b"K K\x10", at) # 32, 16
    key = data.find(b"X\x01\0\0\0000", at) + 5
    check(at > 0 and shape > at and key > at, "altered: places")
    told("cut", data[:-1], {1, 3})
    told("half", data[:len(data) // 2], {1, 3})
    told("more rows", data[:shape] + b"K\x30K\x10" + data[shape + 4:], {1, 3})
    told("another key", data[:key] + b"9" + data[key + 1:], {1, 3})
    told("a byte of the weights", data[:9000] + bytes([data[9000] ^ 1]) + data[9001:], {1})
    told("nothing", data, {0})
    shard = folder + "/llama-shards/pytorch_model-00002-of-00002.bin"
    os.rename(shard, shard + ".away")
    check(run("verify", folder + "/llama-shards")[0] == 1, "altered: a shard is gone")
    os.rename(shard + ".away", shard)


def mutants(data):
    """200 files that lie: bytes of the pickle and of the directory, opcodes, lengths, parts that are swapped, repeated or cut."""
    pick = random.Random(19)
    zipped = data[:2] == b"PK"
    start = 30 + sum(struct.unpack_from("<HH", data, 26)) if zipped else 0
    end = start + zipfile.ZipFile(io.BytesIO(data)).infolist()[0].file_size if zipped else data.find(b"cpu", 200) + 600
    listed = data.find(b"PK\1\2") if zipped else start
    codes = [ord(o.code) for o in pickletools.opcodes]

    def put(at, new): return data[:at] + new + data[at + len(new):]
    for _ in range(40): yield put(pick.randrange(start, end), bytes([pick.choice(codes)]))
    for _ in range(40): yield put(pick.randrange(start, end), bytes([pick.randrange(256)]))
    for _ in range(40): yield put(pick.randrange(start, end - 4), struct.pack("<I", pick.choice([0, 1, 2**31 - 1, 2**31, 2**32 - 1])))
    for _ in range(40): yield put(pick.randrange(listed, len(data)), bytes([pick.choice([0, 1, 255])]))
    for _ in range(20):
        a, b, n = pick.randrange(start, end - 60), pick.randrange(start, end - 60), pick.randrange(1, 60)
        yield put(a, data[b:b + n])
    for _ in range(20): yield data[:pick.randrange(8, len(data))]


def hostile(folder):
    """What is read of a mutant is inside it; what is refused or too short, with an offset."""
    for name in ("llama-bin", "llama-legacy"):
        with open(folder + "/%s/pytorch_model.bin" % name, "rb") as f: data = f.read()
        path = folder + "/mutant.bin"
        for i, mutant in enumerate(mutants(data)):
            with open(path, "wb") as f: f.write(mutant)
            status, have, err = listing(path)
            inside = all(t["offset"] is None or t["offset"] + t["bytes"] <= len(mutant) for t in have.values())
            whole = all(t["elements"] == math.prod(t["shape"]) for t in have.values())
            refused = status in (1, 3) and re.search(r"mutant\.bin:\d+: ", err)
            check((status == 0 and have and inside and whole) or refused, "mutant %d of %s:" % (i, name), status, err)


def main():
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    with tempfile.TemporaryDirectory() as folder:
        with lzma.open(ROOT + "/fixtures/pytorch/cases.tar.xz") as f, tarfile.open(fileobj=f) as t: t.extractall(folder)
        with open(ROOT + "/fixtures/pytorch/TRUTH.jsonl") as f: rows = [json.loads(line) for line in f]
        check(len(rows) > 20, "too few cases")
        for row in rows:
            if only in row["file"]: each_file(folder, row)
        if not only:
            each_llama(folder)
            conversions(folder)
            buffers(folder)
            altered(folder)
            hostile(folder)
    print("pytorch: %d checks, %d failed" % (checks, failed))
    return 1 if failed else 0


if __name__ == "__main__": sys.exit(main())
