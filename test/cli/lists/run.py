"""numel list on many checkpoints: totals match the created tree, however they are counted.

It makes a tree of small llamas, whose parameters follow from their sizes (see PARAMETERS below), with sets of
shards, links of every kind, a cache, names unsafe for a terminal, and unreadable files. Then, for each way of
listing:

  whole       the rows are the models made, their bytes the system's, the totals their sums
  shards      of N from 1 to 7: disjoint, together the whole, byte for byte; with links, each file in one of them
  jobs        1, 2 and 8 threads write the same bytes, also with any order of the folders' entries
  resume      after runs truncated at many places, and after one that is killed: both outputs together are the whole,
              byte for byte
  sort        by each column, with a buffer of one byte and with enough: the same; numbers descend, texts ascend
  streams     a path on standard input is answered before the next is given; CSV and JSON agree
  memory      a folder of many files, and many folders: bounded for any number

  B=build/release python3 test/cli/lists/run.py         LISTS=all: the last with 1,000,000 files (.ci/full)
"""
import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "support"))
import files

B = os.path.abspath(os.environ.get("B", "build/release"))
NUMEL, PEAK = B + "/numel", B + "/tool/peak"
MEASURED = os.path.basename(B) == "release"
failures, count = [], 0


def check(ok, *what):
    global count
    count += 1
    if not ok: failures.append(" ".join(str(w) for w in what)[:500])
    return ok


# ---- the tree

E, F, V = 8, 12, 16  # hidden size, feed forward, vocabulary


def parameters(layers):
    """Embedding and head, the last norm; for each layer four squares, three matrices, two norms."""
    return 2 * V * E + E + layers * (4 * E * E + 3 * E * F + 2 * E)


def llama(layers):
    layer = [("self_attn.%s_proj.weight" % m, [E, E]) for m in "qkvo"] + [("mlp.gate_proj.weight", [F, E]), ("mlp.up_proj.weight", [F, E]),
             ("mlp.down_proj.weight", [E, F]), ("input_layernorm.weight", [E]), ("post_attention_layernorm.weight", [E])]
    return [("model.embed_tokens.weight", "F32", [V, E]), ("lm_head.weight", "F32", [V, E]), ("model.norm.weight", "F32", [E])] + \
        [("model.layers.%d.%s" % (i, n), "F32", s) for i in range(layers) for n, s in layer]


def config(layers):
    return json.dumps({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": E, "vocab_size": V, "num_hidden_layers": layers,
                       "num_attention_heads": 2, "intermediate_size": F}).encode()


def one(folder, layers, name=b"model.safetensors"):
    files.put(os.path.join(folder, os.fsdecode(name)), files.safetensors(llama(layers)))
    files.put(os.path.join(folder, "config.json"), config(layers))
    return parameters(layers)


def several(folder, layers, parts):
    tensors = llama(layers)
    for i in range(parts): files.put("%s/model-%05d-of-%05d.safetensors" % (folder, i + 1, parts), files.safetensors(tensors[i::parts]))
    files.put(folder + "/config.json", config(layers))
    return parameters(layers)


STRANGE = [b"new\nline", b"esc\x1b[31m", b"bytes\xff\xfe", b"comma,\"quote\"", b" blank ", b"-q", "\u202e right".encode(), b"a" * 200]


def tree(root):
    """{path in numel's form: parameters}, and the number of errors."""
    rows = {}
    for i in range(60):
        d = "%s/many/%02d/m%03d" % (root, i % 7, i)
        rows[d + "/model.safetensors"] = one(d, 1 + i % 5)
    for i in range(8):
        d = "%s/sets/s%d" % (root, i)
        rows[d] = several(d, 2 + i, 2 + i % 3)
    for name in STRANGE:
        d = root + "/strange/" + os.fsdecode(name)
        rows[d + "/model.safetensors"] = one(d, 3)
    repository = root + "/hub/models--org--name"
    one(repository + "/blobs", 4, b"0" * 64)
    os.rename(repository + "/blobs/config.json", repository + "/blobs/" + "1" * 40)
    for revision in ("a" * 40, "b" * 40):
        os.makedirs(repository + "/snapshots/" + revision)
        os.symlink("../../blobs/" + "0" * 64, "%s/snapshots/%s/model.safetensors" % (repository, revision))
        os.symlink("../../blobs/" + "1" * 40, "%s/snapshots/%s/config.json" % (repository, revision))
    files.put(repository + "/refs/main", b"b" * 40)
    rows[repository + "/snapshots/" + "b" * 40 + "/model.safetensors"] = parameters(4)
    links(root)
    return rows, broken(root)


def links(root):
    """Other files in the tree: none of them is a row."""
    os.makedirs(root + "/zlinks/deep")
    os.symlink("../many/00", root + "/zlinks/folder")
    os.symlink("../many/01/m001/model.safetensors", root + "/zlinks/soft.safetensors")
    os.link(root + "/many/02/m002/model.safetensors", root + "/zlinks/hard.safetensors")
    os.symlink("../sets/s1", root + "/zlinks/set")
    for i in (1, 2): os.symlink("../../sets/s0/model-%05d-of-00002.safetensors" % i, "%s/zlinks/deep/model-%05d-of-00002.safetensors" % (root, i))


def broken(root):
    d = root + "/broken"
    files.put(d + "/text.gguf", b"no checkpoint\n")
    os.symlink("self", d + "/self")
    os.symlink("..", d + "/up")
    os.symlink("nowhere", d + "/nowhere.safetensors")
    os.mkfifo(d + "/pipe.safetensors")
    os.mkfifo(d + "/pipe")
    return 5


# ---- running

def run(words, cwd, **more):
    return subprocess.run([NUMEL, "list"] + words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, **more)


def rows_of(out):
    lines = out.split(b"\n")
    assert lines.pop() == b"", out[-200:]
    return [json.loads(l) for l in lines]


def shown(path): return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def good(rows): return [r for r in rows if r["schema"] == "numel.list/1"]


def whole(root, made, errors):
    r = run(["--json", "t"], root)
    rows = rows_of(r.stdout)
    check(r.returncode == 5, "the tree has status", r.returncode)
    check(sorted(x["path"] for x in good(rows)) == sorted(map(shown, made)), "the rows are", set(x["path"] for x in good(rows)) ^ set(map(shown, made)))
    check(len(rows) - len(good(rows)) == errors, "errors:", [x for x in rows if "error" in x])
    sizes = {shown(p): size_of(os.path.join(root, p)) for p in made}
    for x in good(rows):
        wanted = {shown(p): n for p, n in made.items()}.get(x["path"])
        check(x["counts"]["parameters"] == wanted and x["verdict"] == "agrees" and x["architecture"] == "llama", x)
        check((x["bytes"], x["files"]) == sizes.get(x["path"]) and x["disk_bytes"] == x["bytes"] and x["repeated_bytes"] == 0, x, sizes.get(x["path"]))
    totals = run(["t", "--columns", "id"], root).stdout.decode().split("\ntotal")[1]
    check(" %d checkpoints, %d files," % (len(made), sum(n for _, n in sizes.values())) in totals and "%d could not be read" % errors in totals, totals)
    return r.stdout


def size_of(path):
    if os.path.isfile(path): return os.path.getsize(path), 1
    parts = [p for p in os.listdir(path) if p.endswith(".safetensors")]
    return sum(os.path.getsize(path + "/" + p) for p in parts), len(parts)


def shards(root, out):
    for n in range(1, 8):
        parts = [run(["--json", "--shard", "%d/%d" % (i + 1, n), "t"], root).stdout for i in range(n)]
        lines = [l for p in parts for l in p.splitlines()]
        check(sorted(lines) == sorted(out.splitlines()), n, "shards are not the whole")
        check(n < 4 or sum(1 for p in parts if p) > 1, n, "shards, and one has all")
    ids = {x["path"]: x["id"] for x in good(rows_of(out))}
    for link, to in (("t/zlinks/soft.safetensors", "t/many/01/m001/model.safetensors"), ("t/zlinks/hard.safetensors", "t/many/02/m002/model.safetensors"), ("t/zlinks/set", "t/sets/s1")):
        got = rows_of(run(["--json", link], root).stdout)
        check([x["id"] for x in got] == [ids[to]], link, "is of another number than", to)


def jobs(root, out):
    for n in ("1", "2", "8"): check(run(["--json", "--jobs", n, "t"], root).stdout == out, n, "threads write other bytes")


def resumed(root, out):
    ends = [i + 1 for i, c in enumerate(out) if c == 10]
    for at in [0, 1, 50, ends[0] - 1, ends[0], ends[0] + 1, ends[20] + 7, ends[40], ends[-2] + 3, len(out) - 1, len(out)]:
        path = root + "/part"
        files.put(path, out[:at])
        with open(path, "ab") as f: r = subprocess.run([NUMEL, "list", "--json", "--resume", path, "t"], cwd=root, stdout=f, stderr=subprocess.DEVNULL)
        done = open(path, "rb").read()
        got, wanted = done.splitlines(), out.splitlines()
        strange = [l for l in wanted if b"\xef\xbf\xbd" in l and b"numel.error" in l]
        check([l for l in got if l not in strange] == [l for l in wanted if l not in strange], "resumed at", at, len(got), "lines, not", len(wanted))
        files.put(path, out[:at])
        rest = run(["--json", "--resume", path, "t"], root).stdout
        check(out[:at].rpartition(b"\n")[0] + (b"\n" if b"\n" in out[:at] else b"") + rest == out, "what is left at", at, "is not the rest")
        check(r.returncode == 5, "resumed at", at, "has status", r.returncode)
        files.put(path, out[:at])
        check(run(["--resume", path, "t"], root).stdout.split(b"total")[-1].split(b";")[0] == run(["t"], root).stdout.split(b"total")[-1].split(b";")[0], "totals at", at)
    killed(root, out)


def killed(root, out):
    path = root + "/killed"
    for wait in (0.0, 0.01, 0.03):
        with open(path, "wb") as f: p = subprocess.Popen([NUMEL, "list", "--json", "--jobs", "1", "t"], cwd=root, stdout=f, stderr=subprocess.DEVNULL)
        time.sleep(wait)
        p.send_signal(signal.SIGKILL)
        p.wait()
        with open(path, "ab") as f: subprocess.run([NUMEL, "list", "--json", "--resume", path, "t"], cwd=root, stdout=f, stderr=subprocess.DEVNULL)
        check(open(path, "rb").read() == out, "killed after", wait)


def sorted_by(root):
    for column in ("name", "path", "parameters", "bytes", "architecture", "verdict", "files", "quantization", "id", "context"):
        much, little = [run(["--json", "--sort", column, "--buffer", b, "t"], root).stdout for b in ("64MiB", "1")]
        check(much == little and much, "sorted by", column, "different with little memory")
        key = {"parameters": lambda x: x["counts"]["parameters"], "bytes": lambda x: x["bytes"], "files": lambda x: x["files"]}.get(column)
        values = [key(x) for x in good(rows_of(much))] if key else []
        check(values == sorted(values, reverse=True), "sorted by", column, values[:9])
        texts = [x["architecture"] for x in good(rows_of(much))] if column == "architecture" else []
        check(texts == sorted(texts), column)
    check(sorted(much.splitlines()) == sorted(run(["--json", "t"], root).stdout.splitlines()), "sorting loses rows")


def streams(root, out, made):
    names = sorted(made)[:6]
    p = subprocess.Popen([NUMEL, "list", "--json", "--files-from", "-", "-0"], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for name in names: # each is answered before the next is sent
        p.stdin.write(os.fsencode(name) + b"\0")
        p.stdin.flush()
        check(json.loads(p.stdout.readline())["path"] == shown(name), "no answer to", name)
    p.stdin.close()
    check(p.wait(60) == 0 and p.stdout.read() == b"", "more than requested")
    all_paths = b"\0".join(os.fsencode(n) for n in sorted(made))
    read = rows_of(run(["--json", "--files-from", "-", "-0"], root, input=all_paths).stdout)
    check(sum(x["counts"]["parameters"] for x in read) == sum(made.values()), "parameters of paths that are read")
    quiet = run(["-q", "-0", "t"], root).stdout.split(b"\0")
    check(sorted(quiet) == sorted([b""] + [os.fsencode(m) for m in made]), "paths with NUL")
    table = list(csv.DictReader(io.StringIO(run(["--csv", "--columns", "path,parameters,bytes,verdict", "t"], root).stdout.decode(), newline="")))
    check([(int(x["parameters"]), int(x["bytes"]), x["verdict"]) for x in table] == [(x["counts"]["parameters"], x["bytes"], x["verdict"]) for x in good(rows_of(out))], "CSV differs")
    raw = run(["--csv", "t"], root).stdout
    check(all(c >= 32 or c in (10, 13) for c in raw) and raw.count(b"\r\n") == len(table) + 1 == raw.count(b"\n"), "CSV has control characters")


# ---- memory

def peak(words, cwd):
    """Resident bytes above those of --version."""
    figures = []
    for w in (["--version"], ["list"] + words):
        result = cwd + "/peak"
        with open(os.devnull, "wb") as null: subprocess.run([PEAK, result, "3600", NUMEL] + w, cwd=cwd, stdout=null, stderr=null)
        figures.append(int(open(result).read().split()[1]) * 1024)
    return figures[1] - figures[0]


def many(root, n, name):
    """n files of one tensor, 100 per folder, and a tenth of them in a single one."""
    body = files.safetensors([("w", "F32", [2])])
    for i in range(n):
        d = "%s/%s/%s" % (root, name, "one" if i % 10 == 0 else "%03d/%05d" % (i // 100000, i // 100))
        if i % 100 < 2: os.makedirs(d, exist_ok=True)
        with open("%s/%07d.safetensors" % (d, i), "wb", 0) as f: f.write(body)


def memory(root):
    n = 1000000 if os.environ.get("LISTS") == "all" else 20000
    many(root, n, "m")
    started = time.time()
    out = run(["--json", "--columns", "id", "m"], root).stdout
    check(out.count(b"\n") == n, n, "files are", out.count(b"\n"), "lines")
    seconds = time.time() - started
    most = 16 * (1 << 20) + 32 * n + 400 * n // 10  # a number per file; for the largest folder its names and sets
    used = peak(["--json", "m"], root), peak(["--sort", "bytes", "m"], root), peak(["--json", "--shard", "1/3", "m"], root)
    for u in used: check(not MEASURED or u <= most + (48 << 20 if u == used[1] else 0), n, "files need", u, "bytes, not", most)
    print("lists: %d files in %.1f s; peak %s MB above --version" % (n, seconds, ", ".join("%.1f" % (u / 1e6) for u in used)))


def main():
    work = tempfile.mkdtemp(prefix="numel-lists.")
    try:
        made, errors = tree(os.path.join(work, "t"))
        made = {os.path.relpath(p, work): n for p, n in made.items()}
        out = whole(work, made, errors)
        shards(work, out)
        jobs(work, out)
        resumed(work, out)
        sorted_by(work)
        streams(work, out, made)
        memory(work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for f in failures[:40]: print("FAIL " + f)
    print("lists: %d checks, %d failed" % (count, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__": sys.exit(main())
