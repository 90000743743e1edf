"""numel list --cache: with a cache, `list` writes what it writes without, byte for byte, whatever has changed.

It makes a tree of models, fills a cache, and keeps a copy of it. Then, for each change: the cache is that copy again, the
change is made, and both lists must be equal. Nothing that a row depends on may be left out of its state.

  hits      a second list opens no weights and no configuration (strace)
  changes   25 of them, each on top of the others
  racy      a file that is written twice while the clock stands still
  options   each option that changes a row
  damaged   caches that are cut, or of which one byte differs: a warning, the same output, and a whole cache afterwards
  foreign   a file that is not a cache, a folder, a FIFO, a device: status 2, and it stays as it was

  B=build/release python3 test/cli/lists/cache.py
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import run as lists
from run import check, config, llama, one, several
import files

COLUMNS = ["--columns", "name,path,format,architecture,adapter,parameters,stored,tensors,quantization,method,bits,dtype,context,bytes,disk,"
           "repeated,files,verdict,modified,rank,family,base,id"]


def adapter(folder, rank):
    pairs = [("base_model.model.model.layers.0.self_attn.q_proj.lora_%s.weight" % x, "F32", s) for x, s in (("A", [rank, 8]), ("B", [8, rank]))]
    files.put(folder + "/adapter_model.safetensors", files.safetensors(pairs))
    files.put(folder + "/adapter_config.json", json.dumps({"peft_type": "LORA", "r": rank, "lora_alpha": 4, "target_modules": ["q_proj"]}).encode())


def pipeline(folder):
    files.put(folder + "/model_index.json", json.dumps({"_class_name": "TinyPipeline", "text_encoder": ["transformers", "LlamaForCausalLM"],
                                                        "other": ["transformers", "LlamaForCausalLM"]}).encode())
    one(folder + "/text_encoder", 2)
    one(folder + "/other", 3)


def ollama(root, tag, layers):
    """A tag of a model of that many layers; the digest in its blob's name is not checked."""
    digest = "%064x" % layers
    blob = root + "/blobs/sha256-" + digest
    if not os.path.exists(blob): files.put(blob, files.safetensors(llama(layers)))
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:" + digest, "size": os.path.getsize(blob)}
    files.put(root + "/manifests/reg.example/library/m/" + tag, json.dumps({"layers": [layer]}).encode())


def hub(root):
    repository = root + "/models--org--name"
    for revision, layers in (("a" * 40, 2), ("b" * 40, 4)):
        one(repository + "/snapshots/" + revision, layers)
    files.put(repository + "/refs/main", b"a" * 40)


def tree(t):
    for i in range(24): one("%s/m%02d" % (t, i), 1 + i % 4)
    for i in range(4): several("%s/s%d" % (t, i), 3, 3)
    for i in range(3): adapter("%s/lora%d" % (t, i), 2 + i)
    for name in ("flat1", "flat2", "flat3"): one(t + "/flat", 2, (name + ".safetensors").encode())
    files.put(t + "/bare/w.safetensors", files.safetensors(llama(2)))
    files.put(t + "/gguf/m.gguf", files.gguf([("general.architecture", "llama"), ("llama.block_count", 1)], [("w", "Q4_0", [2, 32])]))
    files.put(t + "/broken/text.gguf", b"no checkpoint\n")
    os.symlink("self", t + "/broken/self")
    os.symlink("m00", t + "/zfolder")
    os.makedirs(t + "/zlink")
    os.symlink("../../elsewhere/x.safetensors", t + "/zlink/model.safetensors")
    pipeline(t + "/pipe")
    hub(t + "/hub")
    ollama(t + "/ollama", "latest", 5)
    one(os.path.dirname(t) + "/elsewhere", 3, b"x.safetensors")
    one(os.path.dirname(t) + "/elsewhere", 4, b"y.safetensors")


# ---- changes

def again(path, content):
    """The same size and the same mtime, as someone might write who wants to hide it."""
    was = os.stat(path)
    assert len(content) == was.st_size, path
    with open(path, "r+b") as f: f.write(content)
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))


def turn(path, to):
    os.remove(path)
    os.symlink(to, path)


def swap(path, content):
    files.put(path + "~", content)
    os.rename(path + "~", path)


def edit(path, old, new):
    content = open(path, "rb").read()
    assert old in content, (path, old)
    files.put(path, content.replace(old, new))


def changes(t):
    quantized = json.dumps({"bits": 4, "group_size": 128, "quant_method": "gptq"}).encode()
    yield "a byte more", lambda: open(t + "/m00/model.safetensors", "ab").write(b"x")
    yield "a configuration of the same size and mtime", lambda: again(t + "/m01/config.json", config(1))
    yield "a configuration where there was none", lambda: files.put(t + "/bare/config.json", config(2))
    yield "a configuration less", lambda: os.remove(t + "/m03/config.json")
    yield "another file of that name", lambda: swap(t + "/m04/model.safetensors", files.safetensors(llama(3)))
    yield "a link turned to another file", lambda: turn(t + "/zlink/model.safetensors", "../../elsewhere/y.safetensors")
    yield "a link turned to another folder", lambda: turn(t + "/zfolder", "../elsewhere")
    yield "an index", lambda: files.put(t + "/s2/model.safetensors.index.json", json.dumps({"weight_map": {"absent": "model-00001-of-00003.safetensors"}}).encode())
    yield "a new model", lambda: one(t + "/new", 3)
    yield "a model less", lambda: shutil.rmtree(t + "/m05")
    yield "another name of a folder", lambda: os.rename(t + "/m06", t + "/m06b")
    yield "two folders that change their names", lambda: (os.rename(t + "/m07", t + "/m"), os.rename(t + "/m08", t + "/m07"), os.rename(t + "/m", t + "/m08"))
    yield "a second name", lambda: os.link(t + "/m09/model.safetensors", t + "/zhard.safetensors")
    yield "settings of a quantizer", lambda: files.put(t + "/m10/quantize_config.json", quantized)
    yield "the configuration of an adapter", lambda: edit(t + "/lora0/adapter_config.json", b'"r": 2', b'"r": 4')
    yield "a tokenizer", lambda: files.put(t + "/m11/tokenizer.json", json.dumps({"model": {"vocab": {"t%d" % i: i for i in range(16)}}}).encode())
    yield "another main revision", lambda: files.put(t + "/hub/models--org--name/refs/main", b"b" * 40)
    yield "a tag of another blob", lambda: ollama(t + "/ollama", "latest", 2)
    yield "the configuration of a component", lambda: edit(t + "/pipe/other/config.json", b'"num_hidden_layers": 3', b'"num_hidden_layers": 4')
    yield "a component less", lambda: shutil.rmtree(t + "/pipe/other")
    yield "one more of a flat folder", lambda: one(t + "/flat", 2, b"flat0.safetensors")
    yield "a part of a download", lambda: files.put(t + "/m12/model.safetensors.part", b"xx")
    yield "a configuration that is a folder", lambda: (os.remove(t + "/m13/config.json"), os.mkdir(t + "/m13/config.json"))
    yield "a dangling link", lambda: turn(t + "/zlink/model.safetensors", "nowhere")
    # the last, since numel takes its time with them
    yield "a header of the same size and mtime", lambda: again(t + "/m02/model.safetensors", open(t + "/m02/model.safetensors", "rb").read().replace(b"F32", b"I32"))
    yield "a shard less", lambda: os.remove(t + "/s0/model-00002-of-00003.safetensors")
    yield "a shard cut", lambda: os.truncate(t + "/s1/model-00002-of-00003.safetensors", 300)


# ---- comparing

def both(root, words, *what):
    plain, cached = lists.run(words, root), lists.run(["--cache", "c"] + words, root)
    same = (plain.stdout, plain.stderr, plain.returncode) == (cached.stdout, cached.stderr, cached.returncode)
    return check(same, *what, words[:1], difference(plain.stdout, cached.stdout), cached.stderr[:200])


def difference(a, b):
    return [(x, y) for x, y in zip(a.splitlines(), b.splitlines()) if x != y][:1]


def opened(root, words):
    """The files in the tree that a list opens; None without strace."""
    if not shutil.which("strace"): return None
    log = root + "/log"
    r = subprocess.run(["strace", "-f", "-qq", "-o", log, "-e", "trace=openat", lists.NUMEL, "list"] + words, cwd=root, capture_output=True)
    if r.returncode not in (0, 1, 5): return None
    return [p for p in re.findall(r'openat\(AT_FDCWD, "(t/[^"]*)", O_RDONLY(?![^)]*DIRECTORY)', open(log).read())]


def hits(root):
    """What a list still reads with a cache is what finding the models takes: indexes, manifests and refs."""
    first, second = opened(root, ["--json", "--cache", "none", "t"]), opened(root, ["--json", "--cache", "c", "t"])
    if first is None: return print("cache: skipped: which files are opened (no strace)")
    weights = [p for p in second if "/broken/" not in p and (p.endswith((".safetensors", ".gguf", "/config.json", "adapter_config.json")) or "/blobs/" in p)]
    check(len([p for p in first if p.endswith(".safetensors")]) > 40, "files that are read without a cache:", len(first))
    check(not weights, "read in spite of the cache:", weights[:5])


def changed(root, t, primed):
    n = 0
    for what, change in changes(t):
        change()
        files.put(root + "/c", primed)
        both(root, (["--csv"] if n % 2 else ["--json"]) + COLUMNS + ["t"], what)
        n += 1
    check(n >= 25, n, "changes")


def racy(root, t):
    path = t + "/m20/config.json"
    for i in range(20):
        again(path, config(1 + i % 4))
        lists.run(["--json", "--cache", "c", "t/m20"], root)
        again(path, config(1 + (i + 1) % 4))
        both(root, ["--json", "t/m20"], "written twice,", i)


def options(root, primed):
    for words in (["--deep"], ["--fit", "24GiB"], ["--fit", "1MiB"], ["--strict"], ["--values"], ["--max-header", "200"], ["--jobs", "4"],
                  ["--shard", "2/3"], ["--reverse", "--sort", "name"], ["--top", "3"], ["--since", "1h"]):
        files.put(root + "/c", primed)
        both(root, ["--json"] + words + ["t"], *words)
    both(root, ["--json", "t"], "after all of them")
    for path in ("t/m21", "t/m21/model.safetensors", "./t/m21", "t/s3/model-00001-of-00003.safetensors"): both(root, ["--json", path, "t"], path)
    both(root, ["--json", "t", "t"], "twice")


def damaged(root, primed):
    wanted = lists.run(["--json", "t"], root)
    cases = [(primed[:at], "cut at %d" % at) for at in (1, 17, 20, 23, 24, 33, 40, len(primed) // 2, len(primed) - 1)]
    cases += [(primed[:at] + bytes([primed[at] ^ 1]) + primed[at + 1:], "changed at %d" % at) for at in (23, 25, 33, 60, len(primed) - 2)]
    cases += [(primed + b"\0", "a byte more")]
    for content, what in cases:
        files.put(root + "/c", content)
        r = lists.run(["--json", "--cache", "c", "t"], root)
        told = b"c: the cache is damaged: it was ignored\n"
        check(r.stdout == wanted.stdout and r.returncode == wanted.returncode and told in r.stderr, what, r.returncode, r.stderr)
        check(open(root + "/c", "rb").read()[17:24] == primed[17:24] and os.path.getsize(root + "/c") == len(primed), what, "is not mended")
    files.put(root + "/c", primed.replace(b"cache\n", b"cache\n9", 1))
    r = lists.run(["--json", "--cache", "c", "t"], root)
    check((r.stdout, r.stderr) == (wanted.stdout, wanted.stderr), "another version", r.stderr)


def foreign(root):
    files.put(root + "/note", b"numel list is good\n")
    os.mkfifo(root + "/fifo")
    os.makedirs(root + "/folder")
    for name in ("note", "fifo", "folder", "/dev/null", "t/m00/model.safetensors"):
        r = subprocess.run([lists.NUMEL, "list", "--cache", name, "t"], cwd=root, capture_output=True, timeout=60)
        check(r.returncode == 2 and not r.stdout and name.encode() in r.stderr, name, r.returncode, r.stderr)
    check(open(root + "/note", "rb").read() == b"numel list is good\n", "a note was overwritten")
    r = lists.run(["--json", "--cache", "absent/c", "t"], root)
    check(r.returncode == 5 and r.stdout == lists.run(["--json", "t"], root).stdout and b"absent/c: cannot write" in r.stderr, "no folder", r.stderr)
    files.put(root + "/empty", b"")
    os.symlink("empty", root + "/soft")
    check(lists.run(["--json", "--cache", "soft", "t"], root).returncode == 5 and os.path.islink(root + "/soft") and os.path.getsize(root + "/empty"), "a link")
    check(lists.run(["--duplicates", "--cache", "c", "t"], root).returncode == 2, "--duplicates takes it")


def forgotten(root):
    """Rows that 32 lists have not met are dropped; those of another folder are kept until then."""
    lists.run(["--cache", "f", "t"], root)
    whole = os.path.getsize(root + "/f")
    for i in range(32): lists.run(["--cache", "f", "t/m22"], root)
    check(os.path.getsize(root + "/f") == whole, "dropped too early")
    lists.run(["--cache", "f", "t/m22"], root)
    check(os.path.getsize(root + "/f") < whole // 10, "never dropped", whole, os.path.getsize(root + "/f"))


def main():
    root = tempfile.mkdtemp(prefix="numel-cache.")
    t = root + "/t"
    try:
        tree(t)
        time.sleep(3.1)  # what changed within two seconds is not kept
        both(root, ["--json", "t"], "the first list")
        primed = open(root + "/c", "rb").read()
        both(root, ["--json", "t"], "the second list")
        check(open(root + "/c", "rb").read() == primed, "written again though nothing changed")
        hits(root)
        options(root, primed)
        damaged(root, primed)
        foreign(root)
        forgotten(root)
        racy(root, t)
        changed(root, t, primed)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    for f in lists.failures[:40]: print("FAIL " + f)
    print("cache: %d checks, %d failed" % (lists.count, len(lists.failures)))
    return 1 if lists.failures else 0


if __name__ == "__main__": sys.exit(main())
