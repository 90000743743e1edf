"""PyTorch files, against what torch itself loads from them (fixtures/pytorch, made by test/gen/pytorch_cases.py): names, types, shapes and
digests of tensors; files that need code; and one model as safetensors, .bin, shards and in the old format: the same judgement, count, and
digest of content, and no difference in values. Then the same files altered: each is refused, or said to differ.

    B=build/release python3 test/truth/pytorch.py [NAME]
"""
import json
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", ".."))
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


def table(path):
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
    status, have, err = table(path)
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
            altered(folder)
    print("pytorch: %d checks, %d failed" % (checks, failed))
    return 1 if failed else 0


if __name__ == "__main__": sys.exit(main())
