"""Every command on a failing machine (shim.c): no crash, and no wrong answer.

cut       during a command, all files of its folder are truncated, at each of its system calls about them in turn. It must exit
          normally, with a documented status.
change    the same with files that grow, are replaced by others or vanish, also between two steps of the command.
read      reads that return less than requested, or are interrupted: the output must be the same as without. A disk that fails
          at the N-th read, or a mapping without memory: a documented status, and output with the status of a complete answer
          is the complete answer.
starve    each allocation fails in turn (of many, some), in the library, the program and the libraries that they use.
          The command must exit normally, and if it answers as with memory, the answer is complete.
library   libcrypto is missing: the error that says so, or the same output as with it.
limit     a limited address space (ulimit -v), in 20 steps from what the process needs to start: the same.

A command in `numel --help` without a case here is a failure, and so is an option that names a file or folder.

  B=build/release python3 test/robust/shim/run.py [cut] [change] [read] [starve] [library] [limit]
"""
import concurrent.futures, json, os, resource, shutil, struct, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import commands
from sample import taken
import torchfile

B = os.path.abspath(os.environ.get("B", "build/release"))
NUMEL, SHIM = B + "/numel", B + "/shim.so"
ASAN = "asan" in os.path.basename(B)
WORK = tempfile.mkdtemp(prefix="numel-shim.")
DOCUMENTED = range(0, 6)
FULL = bool(os.environ.get("SHIM_FULL"))  # all of it, not one in four of the cases, at every moment: .ci/full


# ---- inputs

def safetensors(path, tensors, meta=None, data=None):
    header, at = ({"__metadata__": meta} if meta else {}), 0
    for name, shape in tensors:
        n = 4
        for d in shape: n *= d
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + n]}
        at += n
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + (b"\1" * at if data is None else data))


def gguf(path, tokens):
    q, i = (lambda v: struct.pack("<Q", v)), (lambda v: struct.pack("<I", v))
    s = lambda v: q(len(v)) + v
    keys = [(b"general.architecture", i(8) + s(b"llama")), (b"llama.block_count", i(4) + i(1)),
            (b"llama.embedding_length", i(4) + i(8)), (b"tokenizer.ggml.model", i(8) + s(b"gpt2")),
            (b"tokenizer.ggml.tokens", i(9) + i(8) + q(tokens) + b"".join(s(b"t%d" % k) for k in range(tokens))),
            (b"tokenizer.ggml.merges", i(9) + i(8) + q(tokens) + s(b"a b") * tokens)]
    b = b"GGUF" + i(3) + q(2) + q(len(keys)) + b"".join(s(k) + v for k, v in keys)
    for n, name in enumerate((b"token_embd.weight", b"blk.0.attn_q.weight")):
        b += s(name) + i(2) + q(8) + q(8) + i(0) + q(n * 256)
    with open(path, "wb") as f: f.write(b + b"\0" * (-len(b) % 32) + b"\1" * 512)


# Few: guessing a checkpoint whose configuration is truncated is slow and proves little.
LAYERS = [("model.layers.%d.%s.weight" % (i, n), [8, 8]) for i in range(2)
          for n in ("self_attn.q_proj", "self_attn.k_proj", "mlp.up_proj", "input_layernorm")]
CONFIG = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 8, "vocab_size": 16,
          "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 8}


def make_plain(d):
    safetensors(d + "/model.safetensors", LAYERS, {"format": "pt"})
    json.dump(CONFIG, open(d + "/config.json", "w"))
    json.dump({"model": {"vocab": {"t%d" % i: i for i in range(16)}}, "added_tokens": []},
              open(d + "/tokenizer.json", "w"))
    json.dump({"eos_token_id": 2}, open(d + "/generation_config.json", "w"))


def make_sharded(d):
    json.dump(CONFIG, open(d + "/config.json", "w"))
    names = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
    for i in range(2): safetensors(d + "/" + names[i], LAYERS[i::2])
    index = {"metadata": {"total_size": 1}, "weight_map": {n: names[k % 2] for k, (n, _) in enumerate(LAYERS)}}
    json.dump(index, open(d + "/model.safetensors.index.json", "w"))


def make_gguf(d): gguf(d + "/model.gguf", 3000)


def make_blob(d): safetensors(d + "/" + "a" * 40, LAYERS)


def make_packed(d):
    make_plain(d)
    subprocess.run(["zstd", "-q", "--rm", d + "/model.safetensors"], check=True)


def make_adapter(d):
    safetensors(d + "/adapter_model.safetensors",
                [("base_model.model.model.layers.0.self_attn.q_proj.lora_%s.weight" % x, s)
                 for x, s in (("A", [2, 8]), ("B", [8, 2]))])
    json.dump({"peft_type": "LORA", "r": 2, "lora_alpha": 4}, open(d + "/adapter_config.json", "w"))


def make_heads(d):
    """behead's output: the header, compressed."""
    make_sharded(d)
    subprocess.run([NUMEL, "behead", "-q", d, d + "/heads"], check=True, stdout=subprocess.DEVNULL)
    for f in os.listdir(d):
        if f != "heads": os.remove(d + "/" + f)


def make_cache(d):
    """A hub's cache: blobs, and a snapshot of links to them."""
    snapshot = d + "/models--a--b/snapshots/" + "c" * 40
    for sub in ("/blobs", "/refs", "/trees"): os.makedirs(d + "/models--a--b" + sub)
    os.makedirs(snapshot)
    make_plain(snapshot)
    open(d + "/models--a--b/refs/main", "w").write("c" * 40)
    files = sorted(os.listdir(snapshot))
    json.dump([{"path": f, "size": os.path.getsize(snapshot + "/" + f)} for f in files],
              open(d + "/models--a--b/trees/" + "c" * 40 + ".json", "w"))
    for i, f in enumerate(files):
        blob = d + "/models--a--b/blobs/" + ("%x" % i) * 40
        os.rename(snapshot + "/" + f, blob)
        os.symlink("../../blobs/" + os.path.basename(blob), snapshot + "/" + f)


def make_pytorch(d):
    json.dump(CONFIG, open(d + "/config.json", "w"))
    value = torchfile.ordered([(n, torchfile.tensor(str(i), s[0] * s[1], s)) for i, (n, s) in enumerate(LAYERS)])
    with open(d + "/pytorch_model.bin", "wb") as f: f.write(torchfile.archive(value, {str(i): b"\1" * 256 for i in range(len(LAYERS))}))


INPUTS = {f.__name__[5:]: f for f in (make_plain, make_sharded, make_pytorch, make_gguf, make_blob, make_packed, make_adapter, make_heads, make_cache)}
PRINTED = "LlamaModel(\n  (a): Linear(in_features=8, out_features=8, bias=False)\n)\n"
BESIDE = {"config.json": json.dumps(CONFIG), "printout.txt": PRINTED, "x.spec": open("src/data/specs/llama/llama.spec").read(),
          "paths": "fixtures/gptq-tiny\nfixtures/gpt2/config.json\n", "template.jinja": "{{ messages }}", "list.numel": "%s  model.safetensors\n%s  model.gguf\n" % ("a" * 64, "b" * 64)}

# {d}: the folder, {o}: an output folder, {b}: a folder with files next to a model
COMMANDS = [["show", "{d}"], ["show", "--others", "{d}"], ["show", "--json", "{d}"], ["show", "--by", "file", "{d}"],
            ["tensors", "{d}"], ["tensors", "--json", "{d}"], ["meta", "{d}"], ["meta", "--no-truncate", "--json", "{d}"],
            ["meta", "{d}", "general.architecture"], ["formula", "{d}"], ["reconcile", "{d}"], ["explain", "7B", "{d}"],
            ["reconcile", "--config", "{b}/config.json", "--spec", "{b}/x.spec", "{d}"],
            ["diff", "{d}", "{d}"], ["diff", "--values", "--jobs", "2", "{d}", "{d}"], ["diff", "--values", "--resume={o}.journal", "{d}", "{d}"],
            ["diff", "{d}", "{b}/printout.txt"], ["diff", "--nearest", "{d}", "{d}"], ["memory", "{d}"], ["verify", "{d}"], ["verify", "--level", "hash", "{d}"],
            ["verify", "--manifest", "{b}/list.numel", "{d}"], ["verify", "--values", "{d}"], ["print", "{d}"],
            ["hash", "--jobs", "2", "{d}"], ["hash", "--resume={o}.journal", "{d}"], ["identify", "{d}"], ["list", "{d}"], ["list", "--json", "--sort", "bytes", "{d}"],
            ["show", "--html", "{o}.html", "{d}"], ["reconcile", "--html", "{o}.html", "{d}"], ["memory", "--html", "{o}.html", "{d}"],
            ["diff", "--html", "{o}.html", "{d}", "{d}"], ["list", "--html", "{o}.html", "{d}"], ["list", "--cache", "{o}.cache", "{d}"], ["verify", "--html", "{o}.html", "{d}"],
            ["verify", "--junit", "{o}.xml", "--sarif", "{o}.sarif", "{d}"],
            ["behead", "-f", "{d}", "{o}"]]
# without a checkpoint
ALONE = [["--help"], ["--version"], ["spec", "list"], ["spec", "layouts"], ["spec", "show", "llama"],
         ["spec", "lint", "{b}/x.spec"],
         ["formula", "--arch", "llama", "--set", "E=64", "--set", "L=2", "--set", "H=4", "--set", "F=128",
          "--set", "V=100"], ["formula", "{b}/config.json"], ["print", "{b}/config.json"], ["explain", "7B", "{b}/config.json"],
         ["diff", "{b}/printout.txt"], ["identify", "{b}"],
         ["completions", "bash"], ["show", "--save", "{o}", "nowhere"], ["list", "--files-from", "{b}/paths"]]


def forgotten():
    """Commands of the program, and options that name a file, that no case here runs."""
    cases, missing, shared = COMMANDS + ALONE, [], commands.shared(NUMEL)
    has = lambda option, cases: any(w.split("=")[0] == option for c in cases for w in c)
    missing += [option for option in shared if not has(option, cases)]
    for word in commands.names(NUMEL):
        if word != "browse" and not any(c[0] == word for c in cases): # without a terminal it reads nothing
            missing.append("the command " + word)
        for option in commands.options(NUMEL, word):
            if option not in shared and not has(option, cases): missing.append("%s %s" % (word, option))
    return missing


# ---- running

class Place:
    """A separate folder for the consecutive runs of a command on an input."""
    def __init__(self, make):
        self.root = tempfile.mkdtemp(dir=WORK)
        self.kept, self.d, self.o = self.root + "/kept", self.root + "/d", self.root + "/o"
        self.b, self.log = self.root + "/beside", self.root + "/log"
        os.mkdir(self.kept), os.mkdir(self.b)
        if make: make(self.kept)
        for name, text in BESIDE.items(): open(self.b + "/" + name, "w").write(text)

    def run(self, command, most=None, **settings):
        for d in (self.d, self.o): shutil.rmtree(d, ignore_errors=True)
        shutil.copytree(self.kept, self.d, symlinks=True)
        for f in (self.log, self.o + ".journal"):
            if os.path.exists(f): os.remove(f)
        words = [w.format(d=self.d, o=self.o, b=self.b) for w in command]
        limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most))) if most else None
        root = self.b if any("{b}" in w for w in command) and not any("{d}" in w for w in command) else self.d
        env = dict(os.environ, LD_PRELOAD="" if most else SHIM, SHIM_LOG=self.log, SHIM_ROOT=root, HOME=self.root,
                   LC_ALL="C", ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:abort_on_error=1", UBSAN_OPTIONS="abort_on_error=1",
                   **settings)
        r = subprocess.run([NUMEL] + words, env=env, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, preexec_fn=limit)
        return r, os.path.exists(self.log)


def wrong(r):
    if r.returncode not in DOCUMENTED: return "status %d %s" % (r.returncode, r.stderr[-200:])
    return None


# ---- failures

def cut(name, command):
    place, failures, n, happened = Place(INPUTS.get(name)), [], 0, True
    lefts = ("0", "4096") if name == "gguf" else ("0",)
    for left in lefts:
        n, happened = 0, True
        while happened and len(failures) < 3:
            n += 1
            r, happened = place.run(command, SHIM_CUT=str(n), SHIM_LEFT=left)
            why = wrong(r)
            if why: failures.append("cut to %s at %d: %s %s: %s" % (left, n, command, name, why))
    if n < 3: failures.append("%s %s: nothing was truncated" % (command, name))
    shutil.rmtree(place.root)
    return failures, n


def change(name, command):
    place, failures, runs = Place(INPUTS.get(name)), [], 0
    for what in ("grow", "replace", "vanish"):
        n, happened = 0, True
        while happened and len(failures) < 3:
            n += 1 if FULL else 1 + n // 3
            runs += 1
            r, happened = place.run(command, SHIM_CUT=str(n), SHIM_DO=what)
            why = wrong(r)
            if why: failures.append("%s at %d: %s %s: %s" % (what, n, command, name, why))
    shutil.rmtree(place.root)
    return failures, runs


def other(r, good):
    """Why the answer is worse than on a healthy machine."""
    same = r.returncode == good.returncode and r.stdout == good.stdout
    return wrong(r) or (None if same else "status %d, and another answer: %s" % (r.returncode, r.stderr[-200:]))


# An unreadable configuration removes the roles from a list of tensors; they are not promised.
BESIDE_THE_POINT = {"tensors"}


def partial(r, good):
    """Why it claims to be complete but is not."""
    if r.args[1] not in BESIDE_THE_POINT and r.returncode == good.returncode and r.stdout != good.stdout and r.returncode in (0, 4):
        return "status %d as on a sound machine, and another answer" % r.returncode
    return wrong(r)


def read(name, command):
    place, failures, runs = Place(INPUTS.get(name)), [], 0
    good, _ = place.run(command)
    for setting in ({"SHIM_SHORT": "1"}, {"SHIM_SHORT": "1000"}, {"SHIM_INTR": "2"}, {"SHIM_INTR": "3", "SHIM_SHORT": "7"}):
        runs += 1
        r, _ = place.run(command, **setting)
        why = other(r, good)
        if why: failures.append("%s: %s %s: %s" % (setting, command, name, why))
    for what in ("SHIM_EIO", "SHIM_NOMAP"):
        n, happened = 0, True
        while happened and len(failures) < 3:
            n += 1 if FULL else 1 + n // 4
            runs += 1
            r, happened = place.run(command, **{what: str(n)})
            why = partial(r, good) if happened else other(r, good)
            if why: failures.append("%s=%d: %s %s: %s" % (what, n, command, name, why))
    shutil.rmtree(place.root)
    return failures, runs


START = 14 << 20 # below that even the loader fails


def limit(name, command):
    place, failures, runs = Place(INPUTS.get(name)), [], 0
    good, _ = place.run(command)
    for step in range(20):
        runs += 1
        r, _ = place.run(command, most=START + (step * step << 19))
        if b"error while loading shared libraries" in r.stderr or b"cannot allocate memory in static TLS" in r.stderr: continue
        why = partial(r, good)
        if why: failures.append("%d KiB: %s %s: %s" % ((START + (step * step << 19)) >> 10, command, name, why))
    shutil.rmtree(place.root)
    return failures, runs


def starve(name, command):
    place, failures, n, happened, runs = Place(INPUTS.get(name)), [], 0, True, 0
    good, _ = place.run(command)
    while happened and len(failures) < 3:
        n += 1 + n // 12
        runs += 1
        r, happened = place.run(command, SHIM_STARVE=str(n))
        why = wrong(r)
        if not why and r.returncode == good.returncode and r.stdout != good.stdout:
            why = "status %d as with memory, and another answer" % r.returncode
        if why: failures.append("piece %d: %s %s: %s" % (n, command, name, why))
    if runs < 3 and command[0][0] != "-" and command[0] != "completions": failures.append("%s %s: nothing was starved" % (command, name))
    shutil.rmtree(place.root)
    return failures, runs


def library(name, command):
    place, failures = Place(INPUTS.get(name)), []
    good, _ = place.run(command)
    r, happened = place.run(command, SHIM_UNLOADABLE="1")
    said = r.returncode == 3 and r.stderr.count(b"digests need OpenSSL's libcrypto") == 1 and not r.stdout
    if happened != said: failures.append("%s %s: status %d without libcrypto: %s" % (command, name, r.returncode, r.stderr[-200:]))
    elif not happened and other(r, good): failures.append("%s %s: %s" % (command, name, other(r, good)))
    shutil.rmtree(place.root)
    return failures, 2


def main():
    wanted = sys.argv[1:] or ["cut", "change", "read", "starve", "library", "limit"]
    beside = [c for c in ALONE if any("{b}" in w for w in c)]
    jobs, runs, failures = [], 0, ["%s has no case in test/robust/shim/run.py" % w for w in forgotten()]
    both = lambda names: [(n, c) for c in COMMANDS for n in names] + [("", c) for c in beside]
    if "cut" in wanted: jobs += [(cut,) + j for j in both(INPUTS)]
    if "change" in wanted: jobs += [(change,) + j for j in both(INPUTS if FULL else ("sharded",))]
    if "read" in wanted: jobs += [(read,) + j for j in both(INPUTS if FULL else ("plain", "packed", "adapter", "blob", "pytorch"))]
    if "library" in wanted: jobs += [(library,) + j for j in both(("plain", "gguf", "packed"))]
    if not ASAN: # the sanitizer has its own malloc(), and reserves the whole address space
        if "starve" in wanted: jobs += [(starve, n, c) for c in COMMANDS for n in ("plain", "gguf")] + [(starve, "", c) for c in ALONE]
        if "limit" in wanted: jobs += [(limit, n, c) for c in COMMANDS for n in ("plain",)] + [(limit, "", c) for c in ALONE]
    if not FULL: jobs = [j for j in jobs if taken(4, j[0].__name__, *j[1:])]
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for f, n in pool.map(lambda j: j[0](j[1], j[2]), jobs):
                failures += f
                runs += n
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    for f in failures: print("FAIL " + f)
    print("shim: %d runs, %d failed%s" % (runs, len(failures), ", memory not starved under asan" if ASAN else ""))
    return 1 if failures or not runs else 0


sys.exit(main())
