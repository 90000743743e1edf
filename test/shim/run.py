"""Every command on a machine on which things go wrong (shim.c): no crash, and no wrong answer.

Cut files: while a command reads, all files of its folder are cut short, at each moment at which it talks to
the system about one of them in turn. It must end by itself, with a status that it documents.

Starved: each allocation fails in turn (of many, some), in the library, the program and the libraries that
they use. The command must end by itself, and when it says what it says with memory, say all of it.

  B=build/release python3 test/shim/run.py [cut] [starve]
"""
import concurrent.futures, json, os, shutil, struct, subprocess, sys, tempfile

B = os.path.abspath(os.environ.get("B", "build/release"))
NUMEL, SHIM = B + "/numel", B + "/shim.so"
ASAN = "asan" in os.path.basename(B)
WORK = tempfile.mkdtemp(prefix="numel-shim.")
DOCUMENTED = range(0, 6)


# ---- what is read

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


# Few: a checkpoint whose configuration is cut is not worth a guess, which takes its time.
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


INPUTS = {f.__name__[5:]: f for f in (make_plain, make_sharded, make_gguf, make_blob, make_packed, make_adapter)}
PRINTED = "LlamaModel(\n  (a): Linear(in_features=8, out_features=8, bias=False)\n)\n"

# {d}: the folder, {o}: a folder to write to, {p}: a printout
COMMANDS = [["show", "{d}"], ["show", "--others", "{d}"], ["show", "--json", "{d}"], ["tensors", "{d}"],
            ["meta", "{d}"], ["meta", "--no-truncate", "--json", "{d}"], ["formula", "{d}"],
            ["reconcile", "{d}"], ["explain", "7B", "{d}"], ["diff", "{d}", "{d}"],
            ["diff", "{d}", "{p}"], ["verify", "{d}"], ["verify", "--level", "hash", "{d}"],
            ["verify", "--values", "{d}"], ["print", "{d}"], ["hash", "{d}"], ["identify", "{d}"],
            ["behead", "-f", "{d}", "{o}"]]
# of no folder, for starving alone
ALONE = [["--help"], ["--version"], ["spec", "list"], ["spec", "show", "llama"],
         ["spec", "lint", "src/formula/specs/llama/llama.spec"],
         ["formula", "--arch", "llama", "--set", "E=64", "--set", "L=2", "--set", "H=4", "--set", "F=128",
          "--set", "V=100"], ["diff", "{p}"]]


# ---- running

class Place:
    """A folder of its own for one run after the other of a command on an input."""
    def __init__(self, make):
        self.root = tempfile.mkdtemp(dir=WORK)
        self.kept, self.d, self.o = self.root + "/kept", self.root + "/d", self.root + "/o"
        self.p, self.log = self.root + "/printout.txt", self.root + "/log"
        os.mkdir(self.kept)
        if make: make(self.kept)
        open(self.p, "w").write(PRINTED)

    def run(self, command, **settings):
        for d in (self.d, self.o): shutil.rmtree(d, ignore_errors=True)
        shutil.copytree(self.kept, self.d)
        if os.path.exists(self.log): os.remove(self.log)
        words = [w.format(d=self.d, o=self.o, p=self.p) for w in command]
        env = dict(os.environ, LD_PRELOAD=SHIM, SHIM_LOG=self.log, SHIM_ROOT=self.d, HOME=self.root,
                   LC_ALL="C", ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0", **settings)
        r = subprocess.run([NUMEL] + words, env=env, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        return r, os.path.exists(self.log)


def wrong(r):
    if r.returncode not in DOCUMENTED: return "status %d %s" % (r.returncode, r.stderr[-200:])
    return None


def cut(name, command):
    place, failures, n, happened = Place(INPUTS[name]), [], 0, True
    lefts = ("0", "4096") if name == "gguf" else ("0",)
    for left in lefts:
        n, happened = 0, True
        while happened and len(failures) < 3:
            n += 1
            r, happened = place.run(command, SHIM_CUT=str(n), SHIM_LEFT=left)
            why = wrong(r)
            if why: failures.append("cut to %s at %d: %s %s: %s" % (left, n, command, name, why))
    if n < 3: failures.append("%s %s: nothing was cut" % (command, name))
    shutil.rmtree(place.root)
    return failures, n


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
    if runs < 3 and command[0][0] != "-": failures.append("%s %s: nothing was starved" % (command, name))
    shutil.rmtree(place.root)
    return failures, runs


def main():
    wanted = sys.argv[1:] or ["cut", "starve"]
    jobs = []
    if "cut" in wanted: jobs += [(cut, n, c) for c in COMMANDS for n in INPUTS]
    if "starve" in wanted and not ASAN: # the sanitizer has a malloc() of its own
        jobs += [(starve, n, c) for c in COMMANDS for n in ("plain", "gguf")] + [(starve, "", c) for c in ALONE]
    runs, failures = 0, []
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
