"""Every command on hostile folders: none of their bytes reaches a terminal unescaped.

Names of files and folders, tensors, metadata, configurations, indexes, lists of digests, printouts, specs and
arguments hold escape sequences, C1 and bidi characters, bytes that are not UTF-8, newlines with forged messages.
All output of a command, in text, as JSON, with -q, on either stream, must be UTF-8 without control, format or
separator characters except its own line ends (by Unicode's categories, according to Python); no line may be the
forged one; and the status must be a documented one.

  B=build/release python3 test/robust/hostile/run.py          one run in four; EVERY=1: all
"""
import concurrent.futures, html.parser, json, os, pty, re, shutil, struct, subprocess, sys, tempfile, unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import commands
from sample import taken

B = os.path.abspath(os.environ.get("B", "build/release"))
NUMEL = B + "/numel"
# A sanitizer's report must not use one of our statuses: its default, 1, is ours for a finding in a file.
os.environ.setdefault("ASAN_OPTIONS", "abort_on_error=1")
os.environ.setdefault("UBSAN_OPTIONS", "abort_on_error=1")
WORK = os.fsencode(tempfile.mkdtemp(prefix="numel-hostile."))

FORGED = b"numel: fake: all is well"
MARKUP = b"m<script>alert(1)<!--<img src=x onerror=alert(1)>'\"&lt;|`*_[x](y)$z$ @b #1"
TEXTS = [b"a\x1b[31mred\x1b]0;title\x07", b"b\n" + FORGED + b"\n", b"c\xff\xfe\x9b31m\xc0\xaf", b"d\xe2\x80\xaetxt.exe\xe2\x81\xa6",
         b"e\xc2\x9b31m\xc2\x85" + FORGED, b"f\r\x08\x7f\t\x0b", b"g\xe2\x80\xa8" + FORGED + b"\xe2\x80\x8b\xef\xbb\xbf",
         b"h" + b"\xe6\xa8\xa1" * 70, b"i\xf3\xa0\x81\x81'\"\\`$(x)%s%n",
         # a surrogate pair in six bytes, overlong forms, a truncated character
         b"j\xed\xa0\xbd\xed\xb8\x80\xe0\x80\xaf\xf0\x80\x80\x8a\xf8\x88\x80\x80\x8a\xf4\x90\x80\x80\xe6\xa8",
         "k\u200e\u200f\u061c\u2067\u2069\u00ad\u0600\u115f\u3164\ufe0f\ufff9\ufffb\u180e\u2064\U0001d173\U000e0001".encode(),
         # marks without end, on wide and on right-to-left letters
         ("l" + "\u0301\u0489" * 20 + "\u6a21\u0301\u05d0\u05b8\U0001f600\u200d\U0001f600").encode(), MARKUP]
VALID = [t for t in TEXTS if t.decode("utf-8", "ignore").encode() == t]


def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f: f.write(data)


def dump(value):
    """JSON with escaped control characters and all others unchanged."""
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
    """Files with hostile names: complete, damaged, not checkpoints, promises."""
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
    """A configuration that works despite its contents."""
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
    """A hub cache folder filled by others."""
    t = TEXTS[0]
    put(d + b"/refs/main", t)
    put(d + b"/snapshots/" + t + b"/model.safetensors", safetensors(["w"], short=True))
    put(d + b"/trees/" + t + b".json", dump([{"path": "model.safetensors", "size": 3, "oid": text(t), "lfs": {"oid": text(t), "size": 3}}]))
    put(d + b"/snapshots/" + t + b"/config.json", b"{" + t)


def values(d):
    """GGUF: a value of each type, arrays of texts and of arrays, under hostile keys."""
    q, i = (lambda v: struct.pack("<Q", v)), (lambda v: struct.pack("<I", v))
    s = lambda v: q(len(v)) + v
    for n, t in enumerate(TEXTS):
        keys = [(b"general.architecture", i(8) + s(b"llama")), (t + b".array", i(9) + i(8) + q(len(TEXTS)) + b"".join(map(s, TEXTS))),
                (b"a." + t, i(9) + i(9) + q(2) + (i(8) + q(1) + s(t)) * 2), (t, i(6) + struct.pack("<f", 0.5)), (t + b"b", i(7) + b"\1"),
                (b"general.file_type", i(8) + s(t)), (b"general.base_model.0.name", i(8) + s(t)), (b"general.type", i(8) + s(b"adapter" if n % 2 else t)),
                (b"adapter.type", i(8) + s(b"lora")), (b"tokenizer.chat_template", i(8) + s(t)), (b"tokenizer.chat_templates", i(9) + i(8) + q(1) + s(t)),
                (b"split.count", i(8) + s(t)), (b"llama.block_count", i(8) + s(t)), (b"quantize.imatrix.file", i(8) + s(t))]
        b = b"GGUF" + i(3) + q(1) + q(len(keys)) + b"".join(s(k) + v for k, v in keys) + s(b"w") + i(1) + q(4) + i(0) + q(0)
        put(d + b"/%d.gguf" % n, b + b"\0" * (-len(b) % 32) + b"\1" * 32)


def adapter(d):
    t = [text(v) for v in VALID]
    put(d + b"/adapter_config.json", dump({"peft_type": t[0], "base_model_name_or_path": t[1], "target_modules": t, "r": 3, "lora_alpha": t[2],
                                           "rank_pattern": {v: 4 for v in t}, "modules_to_save": t, "layers_pattern": t[3], "bias": t[4]}))
    put(d + b"/adapter_model.safetensors", safetensors(["base_model.model.%s.lora_%s.weight" % (v, x) for v in t for x in "AB"]))
    put(d + b"/tokenizer_config.json", dump({"chat_template": t[0], "added_tokens_decoder": {v: {"content": v} for v in t}, "model_max_length": t[1]}))
    put(d + b"/tokenizer.json", dump({"model": {"type": t[0], "vocab": {v: i for i, v in enumerate(t)}}, "added_tokens": [{"content": v, "id": v} for v in t]}))
    put(d + b"/special_tokens_map.json", dump({v: v for v in t}))
    put(d + b"/chat_template.jinja", TEXTS[0])


def quantized(d):
    """A configuration for packed weights, and the weights next to it."""
    t = [text(v) for v in VALID]
    groups = {v: {"targets": t, "weights": {"num_bits": v, "type": t[1], "strategy": t[2]}} for v in t}
    for n, quant in enumerate([{"quant_method": "gptq", "bits": t[0], "group_size": t[1], "dynamic": {v: {"bits": v} for v in t}},
                               {"quant_method": "compressed-tensors", "format": t[0], "config_groups": groups, "ignore": t},
                               {"quant_method": "bitsandbytes", "bnb_4bit_quant_type": t[0], "load_in_4bit": True, "llm_int8_skip_modules": t},
                               {"group_size": 64, "bits": 4, "mode": t[0], **{v: {"bits": v} for v in t}}]):
        sub = d + b"/%d" % n
        put(sub + b"/config.json", dump({"model_type": "llama", "hidden_size": 4, "vocab_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1,
                                         "intermediate_size": 4, "quantization_config" if n < 3 else "quantization": quant}))
        put(sub + b"/model.safetensors", safetensors(["%s.%s" % (v, x) for v in ["model.layers.0.mlp.up_proj"] + t for x in
                                                      ("qweight", "qzeros", "scales", "g_idx", "weight_packed", "weight", "weight.absmax", "biases")]))


def links(d):
    """Links to files with such names, and dangling ones."""
    for i, t in enumerate(TEXTS):
        put(d + b"/to/" + t + b"/model.safetensors", safetensors(["w"], short=True))
        os.symlink(b"to/" + t + b"/model.safetensors", d + b"/%d.safetensors" % i)
        os.symlink(b"nowhere/" + t, d + b"/gone%d.safetensors" % i)
        os.symlink(t, d + b"/" + t + b".gguf") # a loop, some of them
    os.symlink(TEXTS[0], d + b"/config.json")


FOLDERS = [names_of_files, names_of_folders, tensors, configuration, llama, index, lists, architecture, cache, values, adapter, quantized, links]
COMMANDS = [["list"], ["list", "--json"], ["show"], ["show", "--others"], ["show", "--by", "file"], ["show", "--strict"], ["tensors"], ["meta"],
            ["meta", "--no-truncate"], ["formula"], ["reconcile"], ["explain", "7B"], ["verify"], ["verify", "-l", "hash"],
            ["verify", "--values", "--strict"], ["print"], ["hash"], ["identify"], ["memory"], ["memory", "--fit", "8GiB"], ["show", "--by", "dtype"],
            ["tensors", "--sort", "bytes", "--color", "always"], ["show", "--color", "always"], ["verify", "--color", "always"],
            ["show", "--markdown"], ["list", "--markdown"], ["reconcile", "--markdown"], ["memory", "--markdown"],
            ["show", "--html", "-"], ["list", "--html", "-"], ["reconcile", "--html", "-"], ["memory", "--html", "-"], ["verify", "--html", "-"]]
FORMATS = [[], ["--json"], ["-q"], ["--no-truncate"]]
PRINTED = b"Model(\n" + b"".join(b"  (%s): %s(in_features=8, out_features=8, %s)\n" % ((t.replace(b"\n", b" "),) * 3) for t in TEXTS) + b")\n"
SPEC = b"arch x\nmatch hf model_type in %s\nsize E = %s\ntensor %s [E]\n" % ((TEXTS[0],) * 3) + TEXTS[2] + b"\n"


# ---- output

# Colours that are ours; the names above have red, which only begins a word of ours, or a sign.
OURS = re.compile(rb"\x1b\[(?:0|1|32|33|35|36|94)m|\x1b\[31m(?=(?:[\d,]+ )?(?:errors?|disagrees|damaged|incomplete|removed|missing|unexpected|wrong shape|wrong type|contradiction|differs|too much|no)\b)")


def bad_bytes(out, color=False):
    if color: out = OURS.sub(b"", out)
    try: said = out.decode("utf-8")
    except UnicodeDecodeError as e: return "bytes that are not UTF-8: %r" % out[max(0, e.start - 20):e.end + 20]
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


ELEMENTS = set("""html head meta title style body main article header h1 h2 h3 section p dl div dt dd table thead tbody tr th td code pre
    progress script""".split())


class Page(html.parser.HTMLParser):
    """The elements and attributes of a page, each of which is ours."""
    def __init__(self):
        super().__init__()
        self.why, self.scripts, self.data, self.depth = None, 0, "", None

    def handle_starttag(self, tag, attributes):
        if tag not in ELEMENTS: self.why = self.why or "<%s>" % tag
        for name, _ in attributes:
            if name.startswith("on") or name in ("href", "src", "style", "action"): self.why = self.why or "<%s %s>" % (tag, name)
        self.scripts += tag == "script"
        self.depth = dict(attributes).get("type") if tag == "script" else None

    def handle_data(self, text):
        if self.depth == "application/json": self.data += text


def bad_page(out):
    """A page, if any, has only our elements, two scripts, and data that is JSON."""
    if not out: return None
    page = Page()
    page.feed(out.decode())
    if page.why: return "an element that is not ours: " + page.why
    if page.scripts != 2: return "%d scripts" % page.scripts
    try: json.loads(page.data)
    except ValueError as e: return "the data is not JSON: %s" % e
    return None


def bad_markdown(out):
    """No text starts an element, a link or an image outside of code."""
    for line in out.decode().split("\n"):
        plain = re.sub(r"(?<!\\)`[^`]*`|&emsp;|<!-- -->|<span>\$</span>", " ", line)
        if re.search(r"<(?!!-- -->)|(?<!\\)\]\(|@\w|(?<!\\)`", plain): return "markup: " + line[:200]
    return None


def run(words, where, env=None):
    r = subprocess.run([NUMEL] + words, cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       env={**os.environ, "HOME": os.fsdecode(WORK), "LC_ALL": "C", **(env or {})}, timeout=120)
    color = b"always" in words
    why = bad_bytes(r.stdout, color) or bad_bytes(r.stderr, color)
    if not why and b"--json" in words and b"--html" not in words and b"--markdown" not in words: why = bad_json(r.stdout)
    if not why and b"--html" in words: why = bad_page(r.stdout)
    if not why and b"--markdown" in words: why = bad_markdown(r.stdout)
    if not why and words[0] == b"tensors" and b"--json" in words:
        why = next(filter(None, map(bad_json, r.stdout.splitlines())), None)
    if not why and r.returncode not in range(0, 6): why = "status %d %r" % (r.returncode, r.stderr[-300:])
    return "%s %r: %s" % (os.path.basename(where).decode(), words, why) if why else None


# Only what src/cli/progress.c writes: its own line, redrawn and erased. It appears on slow machines.
PROGRESS = re.compile(rb"\r[a-z ]+ \[#* *\] [0-9.%/:a-zA-Z ,]*|\r\d+ checkpoints |\r {78}\r")


def on_terminal(words, where, env=None):
    """The same if both streams are a terminal: progress, colors, a pager."""
    master, slave = pty.openpty()
    env = {**os.environ, "HOME": os.fsdecode(WORK), "LC_ALL": "C.UTF-8", "TERM": "xterm", "NUMEL_PAGER": "cat", **(env or {})}
    p = subprocess.Popen([NUMEL] + words, cwd=where, stdin=slave, stdout=slave, stderr=slave, env=env)
    os.close(slave)
    out = b""
    while True:
        try: more = os.read(master, 65536)
        except OSError: break # the other end is closed
        if not more: break
        out += more
    os.close(master)
    status = p.wait()
    why = bad_bytes(PROGRESS.sub(b"", out.replace(b"\r\n", b"\n")), color=True)
    if not why and status not in range(0, 6): why = "status %d" % status
    return "on a terminal: %s %r: %s" % (os.path.basename(where).decode(), words, why) if why else None


def forgotten():
    """Commands of the program, and options with a text argument, that no line below covers."""
    missing = [n for n in commands.names(NUMEL) if n not in {c[0] for c in COMMANDS} | {"diff", "behead", "spec", "explain", "completions", "browse"}]
    source = open(os.path.abspath(__file__)).read()
    for name in commands.names(NUMEL):
        help_text = subprocess.run([NUMEL, name, "--help"], stdout=subprocess.PIPE, text=True).stdout
        for option in re.findall(r"(?m)^ .*(--[a-z-]+)[ =\[]+[A-Z]", help_text):
            if '"%s' % option not in source: missing.append("%s %s" % (name, option))
    return sorted(set(missing))


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
            yield coded(command) + [d], WORK, {"COLUMNS": "20", "LC_ALL": "C.UTF-8"}
        for f in files[:60]:
            for command in (["show"], ["tensors"], ["reconcile", "--json"], ["verify"], ["identify"], ["formula"], ["diff", "-"],
                            ["print"], ["spec", "lint"], ["spec", "lint", "--json"]):
                yield coded(command) + [f[len(d) + 1:]], d, None
        yield [b"diff", b".", b"."], d, None
        yield [b"diff", b"--markdown", b".", b"."], d, None
        yield [b"diff", b"--html", b"-", b".", b"."], d, None
        yield [b"identify"] + [f[len(d) + 1:] for f in files], d, None
        yield [b"behead", b".", d + b".h"], d, None
        yield [b"behead", b".", d + b".h"], d, None # they already exist
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
                      [b"identify", t], [b"identify", b"--json", t], [b"print", b"--arch", t], [b"print", b"--as", t, b"."],
                      [b"tensors", b"--max-header", t, b"."],
                      [b"verify", b"--level", t, b"."], [b"show", b"--by", t, b"."], [b"show", b"--depth", t, b"."], [b"hash", b"--jobs", t, b"."],
                      [b"show", b"--color", t, b"."], [b"spec", b"layouts", t], [b"spec", b"list", b"--spec", t], [b"help", b"spec", t],
                      [b"explain", b"7B", b"--config", t], [b"meta", b"m.safetensors", t], [b"show", b".", t],
                      [b"list", t], [b"list", b"--json", t], [b"list", b"--buffer", t, b"."], [b"list", b"--columns", t, b"."],
                      [b"list", b"--files-from", t], [b"list", b"--shard", t, b"."], [b"list", b"--sort", t, b"."],
                      [b"show", b"--expect", t, b"."], [b"show", b"--expect", b"arch=" + t, b"."], [b"verify", b"--expect", t, b"."],
                      [b"memory", t], [b"memory", b"--base", t, b"."], [b"memory", b"--context", t, b"."], [b"memory", b"--batch", t, b"."],
                      [b"memory", b"--kv", t, b"."], [b"memory", b"--load", t, b"."], [b"memory", b"--encoder", t, b"."], [b"memory", b"--fit", t, b"."],
                      [b"memory", b"--gpus", t, b"."], [b"memory", b"--offload", t, b"."], [b"memory", b"--runtime", t, b"."],
                      [b"memory", b"--n-ubatch", t, b"."], [b"memory", b"--seqs", t, b"."], [b"memory", b"--train", t, b"."],
                      [b"list", b"--fit", t, b"."], [b"list", b"--since", t, b"."], [b"list", b"--top", t, b"."], [b"list", b"--cache", t + b"/x", b"."], [b"list", b"--totals", t, b"."], [b"show", b"--save", t, b"."], [b"verify", b"--against", t, b"."], [b"diff", b"--nearest", t, b"."], [b"diff", b"--nearest", b".", t],
                      [b"verify", b"--html", t + b"/x", b"."], [b"verify", b"--junit", t + b"/x", b"."], [b"verify", b"--sarif", t + b"/x", b"."], [b"completions", t]):
            yield words, d, None
        yield [b"show", b"."], d, {"COLUMNS": t, "TERM": t, "NO_COLOR": t}
        yield [b"hash", b"--resume", b"."], d, {"XDG_STATE_HOME": WORK + b"/" + t}
        yield [b"verify", b"."], d, {"HF_HOME": t, "HF_HUB_CACHE": t}
        above = WORK + b"/above/" + t
        put(above + b"/model.safetensors", safetensors(["w"], short=True))
        put(above + b"/config.json", b"{" + t)
        for command in COMMANDS: yield coded(command) + [b"above/" + t], WORK, None


def main():
    failures, count = ["nothing mentions %s" % w for w in forgotten()], 0
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            all_jobs = [j for j in jobs() if taken(4, repr(j).replace(WORK.decode(), ""))]
            seen = [j for j in all_jobs[::9] if b"-q" not in j[0]]
            for why in list(pool.map(lambda j: run(*j), all_jobs)) + list(pool.map(lambda j: on_terminal(*j), seen)):
                count += 1
                if why: failures.append(why)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    for f in failures[:30]: print("FAIL " + f)
    print("hostile: %d runs, %d failed" % (count, len(failures)))
    return 1 if failures or count < 1000 else 0


if __name__ == "__main__": sys.exit(main())
