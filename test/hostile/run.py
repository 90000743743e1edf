"""Every command on folders whose owner means no good: not a byte of what they say reaches a terminal as it is.

Names of files and folders, tensors, metadata, configurations, indexes, lists of digests, printouts, specs and
arguments hold escape sequences, C1 and bidi characters, bytes that are no UTF-8, newlines with forged messages.
Whatever a command says of them, in text, as JSON, with -q, on either output, must be UTF-8 without any control,
format or separator character but the ends of its own lines (by Unicode's categories, as Python knows them), no
line may be the forged one, and the status must be a documented one.

  B=build/release python3 test/hostile/run.py
"""
import concurrent.futures, json, os, shutil, struct, subprocess, sys, tempfile, unicodedata

B = os.path.abspath(os.environ.get("B", "build/release"))
NUMEL = B + "/numel"
WORK = os.fsencode(tempfile.mkdtemp(prefix="numel-hostile."))

FORGED = b"numel: fake: all is well"
TEXTS = [b"a\x1b[31mred\x1b]0;title\x07", b"b\n" + FORGED + b"\n", b"c\xff\xfe\x9b31m\xc0\xaf", b"d\xe2\x80\xaetxt.exe\xe2\x81\xa6",
         b"e\xc2\x9b31m\xc2\x85" + FORGED, b"f\r\x08\x7f\t\x0b", b"g\xe2\x80\xa8" + FORGED + b"\xe2\x80\x8b\xef\xbb\xbf",
         b"h" + b"\xe6\xa8\xa1" * 70, b"i\xf3\xa0\x81\x81'\"\\`$(x)%s%n"]
VALID = [t for t in TEXTS if t.decode("utf-8", "ignore").encode() == t]


def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f: f.write(data)


def dump(value):
    """JSON whose control characters are escaped and whose other characters stand as they are."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def text(t): return t.decode("utf-8")


def safetensors(names, meta=None, short=False):
    h = {"__metadata__": meta} if meta else {}
    for i, n in enumerate(names): h[n] = {"dtype": "F32", "shape": [5 if short else 4], "data_offsets": [16 * i, 16 * i + 16]}
    b = dump(h)
    return struct.pack("<Q", len(b)) + b + b"\1" * (16 * len(names))


def gguf(t, names):
    q, i = (lambda v: struct.pack("<Q", v)), (lambda v: struct.pack("<I", v))
    s = lambda v: q(len(v)) + v
    keys = [(b"general.architecture", t), (b"general.name", t), (t, t), (b"tokenizer.ggml.model", b"gpt2" + t)]
    b = b"GGUF" + i(3) + q(len(names)) + q(len(keys) + 2) + b"".join(s(k) + i(8) + s(v) for k, v in keys)
    b += s(b"tokenizer.ggml.tokens") + i(9) + i(8) + q(2) + s(t) * 2 + s(t + b".block_count") + i(4) + i(3)
    for n, name in enumerate(names): b += s(name) + i(1) + q(4) + i(0) + q(n * 32)
    return b + b"\0" * (-len(b) % 32) + b"\1" * (32 * len(names))


# ---- folders

def names_of_files(d):
    """Files of hostile names: whole, damaged, no checkpoints, promises."""
    for i, t in enumerate(TEXTS):
        put(d + b"/" + t + b".safetensors", safetensors(["w"], short=i % 2 == 0))
        put(d + b"/" + t + b".gguf", gguf(b"llama", [b"w"])[: None if i % 2 else 90])
        put(d + b"/" + t + b"-00001-of-00002.safetensors", safetensors(["w"]))
        put(d + b"/" + t + b".safetensors.incomplete", b"<html>")
        put(d + b"/" + t + b".txt", b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 5\n")


def names_of_folders(d):
    put(d + b"/model_index.json", b"{}")
    for t in TEXTS: put(d + b"/" + t + b"/model.safetensors", safetensors(["w"], short=True))


def tensors(d):
    names = [p % text(t) for t in VALID for p in ("%s", "model.layers.0.%s.weight", "%s.lora_A.weight", "%s.qweight")]
    put(d + b"/model.safetensors", safetensors(names, {text(t): text(t) for t in VALID}))


def configuration(d):
    t = [text(v) for v in VALID]
    config = {"model_type": t[0], "architectures": t, "torch_dtype": t[1], "hidden_size": t[2], t[3]: t[4],
              "quantization_config": {"quant_method": t[0], "modules_to_not_convert": t, "bits": t[1]},
              "text_config": {t[0]: {t[1]: t[2]}}, "num_hidden_layers": t[1]}
    put(d + b"/config.json", dump(config))
    put(d + b"/generation_config.json", dump({"eos_token_id": t}))
    put(d + b"/tokenizer.json", dump({"model": {"vocab": {v: 9**9 for v in t}}, "added_tokens": [{"content": t[0], "id": 7}]}))
    put(d + b"/adapter_config.json", dump({"peft_type": t[0], "base_model_name_or_path": t[1], "target_modules": t, "r": 3}))
    put(d + b"/model.safetensors", safetensors(["model.embed_tokens.weight", "x.lora_A.weight", "x.lora_B.weight"]))


def llama(d):
    """A configuration that works but for what it is made of."""
    t = text(VALID[0])
    put(d + b"/config.json", dump({"model_type": "llama", "architectures": [t], "hidden_size": 4, "vocab_size": 1, "_name_or_path": t,
                                   "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 4, "torch_dtype": t,
                                   "hidden_act": t, "rope_scaling": {"type": t}, "quantization_config": {"quant_method": t}}))
    put(d + b"/model.safetensors", safetensors(["model.embed_tokens.weight", t], {"format": t, "total_parameters": t}))


def index(d):
    t = [text(v) for v in VALID]
    weights = {v: v + ".safetensors" for v in t}
    weights.update({"w": text(VALID[1]) + "/x.safetensors", "v": "../" + t[0]})
    put(d + b"/model.safetensors.index.json", dump({"metadata": {"total_size": t[0], t[1]: t[0]}, "weight_map": weights}))
    put(d + b"/" + VALID[0] + b".safetensors", safetensors(["w", t[2]]))
    put(d + b"/other.safetensors.index.json", dump({"weight_map": {v: 5 for v in t}}))


def lists(d):
    h = b"a" * 64
    put(d + b"/m.safetensors", safetensors(["w"]))
    lines = [b"%s  %s" % (h, t.replace(b"\n", b" ")) for t in TEXTS] + [b"\\%s  %s" % (h, t.replace(b"\n", b"\\n")) for t in TEXTS]
    lines += [b"sha256    %s  m.safetensors:%s" % (h, t.replace(b"\n", b" ")) for t in TEXTS]
    lines += [b"model     %s  %s" % (h, t.replace(b"\n", b" ")) for t in TEXTS] + [b"SHA256 (%s) = %s" % (TEXTS[0], h)]
    for name in (b"x.numel", b"SHA256SUMS", TEXTS[0] + b".sha256"): put(d + b"/" + name, b"\n".join(lines) + b"\n")
    put(d + b"/" + TEXTS[1].replace(b"/", b"") + b".sha256", b"no list\n")
    put(d + b"/.cache/huggingface/download/m.safetensors.metadata", b"\n".join([TEXTS[0], TEXTS[2], b"1.0"]) + b"\n")


def architecture(d):
    for i, t in enumerate(TEXTS): put(d + b"/%d.gguf" % i, gguf(t, [t, b"blk.0." + t + b".weight"]))


def cache(d):
    """A folder of a hub's cache that others have filled."""
    t = TEXTS[0]
    put(d + b"/refs/main", t)
    put(d + b"/snapshots/" + t + b"/model.safetensors", safetensors(["w"], short=True))
    put(d + b"/trees/" + t + b".json", dump([{"path": "model.safetensors", "size": 3, "oid": text(t), "lfs": {"oid": text(t), "size": 3}}]))
    put(d + b"/snapshots/" + t + b"/config.json", b"{" + t)


FOLDERS = [names_of_files, names_of_folders, tensors, configuration, llama, index, lists, architecture, cache]
COMMANDS = [["show"], ["show", "--others"], ["show", "--by", "file"], ["show", "--strict"], ["tensors"], ["meta"],
            ["meta", "--no-truncate"], ["formula"], ["reconcile"], ["explain", "7B"], ["verify"], ["verify", "-l", "hash"],
            ["verify", "--values", "--strict"], ["print"], ["hash"], ["identify"]]
FORMATS = [[], ["--json"], ["-q"], ["--no-truncate"]]
PRINTED = b"Model(\n" + b"".join(b"  (%s): %s(in_features=8, out_features=8, %s)\n" % ((t.replace(b"\n", b" "),) * 3) for t in TEXTS) + b")\n"
SPEC = b"arch x\nmatch hf model_type in %s\nsize E = %s\ntensor %s [E]\n" % ((TEXTS[0],) * 3) + TEXTS[2] + b"\n"


# ---- what is said

def bad_bytes(out):
    try: said = out.decode("utf-8")
    except UnicodeDecodeError as e: return "bytes that are no UTF-8: %r" % out[max(0, e.start - 20):e.end + 20]
    for i, c in enumerate(said):
        if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs") and c != "\n":
            return "%s: %r" % (unicodedata.name(c, "U+%04X" % ord(c)), said[max(0, i - 30):i + 20])
    for line in said.split("\n"):
        if line.startswith(FORGED.decode()): return "a forged line"
    return None


def bad_json(out):
    decoder, said, at = json.JSONDecoder(), out.decode(), 0
    while said[at:].strip():
        at += len(said[at:]) - len(said[at:].lstrip())
        try: _, at = decoder.raw_decode(said, at)
        except ValueError as e: return "no JSON: %s" % e
    return None


def run(words, where, env=None):
    r = subprocess.run([NUMEL] + words, cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       env=dict(os.environ, HOME=os.fsdecode(WORK), LC_ALL="C", **(env or {})), timeout=120)
    why = bad_bytes(r.stdout) or bad_bytes(r.stderr)
    if not why and b"--json" in words: why = bad_json(r.stdout)
    if not why and words[0] == b"tensors" and b"--json" in words:
        why = next(filter(None, map(bad_json, r.stdout.splitlines())), None)
    if not why and r.returncode not in range(0, 6): why = "status %d %r" % (r.returncode, r.stderr[-300:])
    return "%s %r: %s" % (os.path.basename(where).decode(), words, why) if why else None


def jobs():
    coded = lambda words: [w.encode() for w in words]
    for make in FOLDERS:
        d = WORK + b"/" + make.__name__.encode()
        os.makedirs(d)
        make(d)
        files = sorted(os.path.join(r, f) for r, _, fs in os.walk(d) for f in fs)
        for command in COMMANDS:
            for form in FORMATS: yield coded(command + form) + [b"."], d, None
            yield coded(command) + [b"."], d, {"COLUMNS": "40"}
        for f in files[:60]:
            for command in (["show"], ["tensors"], ["reconcile", "--json"], ["verify"], ["identify"], ["formula"], ["diff", "-"],
                            ["print"], ["spec", "lint"], ["spec", "lint", "--json"]):
                yield coded(command) + [f[len(d) + 1:]], d, None
        yield [b"diff", b".", b"."], d, None
        yield [b"identify"] + [f[len(d) + 1:] for f in files], d, None
        yield [b"behead", b".", d + b".h"], d, None
        yield [b"behead", b".", d + b".h"], d, None # all is there already
    d = WORK + b"/lists"
    for name in os.listdir(d): yield [b"verify", b"--manifest", name, b"."], d, None
    d = WORK + b"/words"
    put(d + b"/p.txt", PRINTED)
    put(d + b"/s.spec", SPEC)
    put(d + b"/m.safetensors", safetensors(["w"]))
    for form in ([], [b"--json"], [b"-q"]):
        yield [b"diff", b"p.txt"] + form, d, None
        yield [b"diff", b"m.safetensors", b"p.txt"] + form, d, None
        yield [b"spec", b"lint", b"s.spec"] + form, d, None
        yield [b"spec", b"list", b"--spec", b"s.spec"] + form, d, None
        yield [b"reconcile", b"--spec", b"s.spec", b"m.safetensors"] + form, d, None
    for t in (t for t in TEXTS if b"\0" not in t):
        for words in ([t], [b"show", t], [b"help", t], [b"show", b"--" + t], [b"show", b"-" + t], [b"tensors", b"--sort", t, b"."],
                      [b"explain", t, b"."], [b"explain", b"7B", t], [b"formula", b"--arch", t], [b"formula", b"--config", t, b"."],
                      [b"formula", b"--arch", b"llama", b"--set", t], [b"formula", b"--set", t + b"=1", b"--arch", b"llama"],
                      [b"reconcile", b"--spec", t, b"."], [b"spec", b"show", t], [b"spec", b"lint", t], [b"spec", t], [b"meta", b".", t],
                      [b"tensors", b"--match", t, b"."], [b"verify", b"--manifest", t, b"."], [b"behead", b".", t], [b"behead", t, b"x"],
                      [b"hash", t], [b"hash", b"--resume=" + t + b"/x", b"."], [b"diff", t], [b"diff", t, t], [b"print", t],
                      [b"identify", t], [b"identify", b"--json", t], [b"print", b"--arch", t]):
            yield words, d, None


def main():
    failures, count = [], 0
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for why in pool.map(lambda j: run(*j), list(jobs())):
                count += 1
                if why: failures.append(why)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    for f in failures[:30]: print("FAIL " + f)
    print("hostile: %d runs, %d failed" % (count, len(failures)))
    return 1 if failures or count < 1000 else 0


if __name__ == "__main__": sys.exit(main())
