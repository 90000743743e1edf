"""numel browse in a pseudo-terminal: keys are pressed, and the screen is compared with what other commands print.

Sums of rows come from the lines of `numel tensors --json`, judgements from `numel show --json`, statements from `numel
reconcile --json`. Files are fixtures, and files made here with names that a terminal would obey.
"""
import collections, json, os, re, shutil, signal, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [HERE, os.path.join(ROOT, "test", "support")]
import files
from terminal import Terminal

NUMEL = os.path.join(ROOT, os.environ.get("B", "build/release"), "numel")
checks = wrong = 0
os.chdir(ROOT)


def expect(ok, why, *more):
    global checks, wrong
    checks += 1
    if ok: return
    wrong += 1
    print("browse: %s" % why, *more, sep="\n")


def same(what, got, wanted): expect(got == wanted, "%s: %r, not %r" % (what, got, wanted))


def run(*words):
    r = subprocess.run([NUMEL, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    return r.returncode, r.stdout.decode(), r.stderr.decode()


def document(command, path): return json.loads(run(command, "--json", path)[1])
def tensors(path): return [json.loads(line) for line in run("tensors", "--json", path)[1].splitlines()]


class Browse(Terminal):
    def __init__(self, path, rows=24, columns=120, words=(), **more):
        super().__init__([NUMEL, "browse", path, *words], rows, columns, **more)
        self.until(lambda t: t.line(t.screen.rows - 1), "its foot")

    def foot(self): return self.line(self.screen.rows - 1).strip()

    def rows(self):
        """(size, share, name, rest) of each row."""
        found = [re.match(r"\s*([\d.,]+(?: [KMGT]?i?B)?)\s+(\d+\.\d) %\s+\S*?\s*[█▏▎▍▌▋▊▉]*\s*(.*)", self.line(i))
                 for i in range(2, self.screen.rows - 1) if self.line(i)]
        return [(m.group(1), m.group(2), *(re.split(r"\s{2,}| (?=[\d,]+ \S+$)", m.group(3), maxsplit=1) + [""])[:2])
                for m in found if m]

    def names(self): return [r[2] for r in self.rows()]
    def figures(self): return {r[2].lstrip("/"): int(r[0].replace(",", "")) for r in self.rows()}

    def statement(self):
        """{cause: (tensors, elements)} of a pane."""
        found = [re.match(r" (\S.*?) +([\d,]+) +([-+]?[\d,]+)$", line) for line in self.lines()[2:-1]]
        return {m.group(1): (int(m.group(2).replace(",", "")), int(m.group(3).replace(",", ""))) for m in found if m}


def leave(t, why):
    t.press("q")
    same(why + ": status", t.wait(), 0)
    expect(t.restored(), why + ": the terminal is not as it was")
    t.close()


def thousands(n): return format(n, ",")


# ---- figures


def test_figures(path):
    """Each view adds up to the whole, and each row of its top to what the tensors say."""
    all_ = tensors(path)
    show = document("show", path)
    t = Browse(path, rows=60)
    same(path + ": the verdict", t.line(0).split("  ")[0], show["judgement"]["verdict"])
    expect(t.line(0).split("  ")[1].startswith(show["judgement"]["architecture"]), path + ": the architecture", t.line(0))
    foot = "%s tensors  %s elements" % (thousands(len(all_)), thousands(sum(x["elements"] for x in all_)))
    expect(t.foot().startswith(foot), path + ": the foot", t.foot(), foot)
    t.press("b")
    expect(", elements" in t.line(1) or t.line(1).endswith("elements"), path + ": elements", t.line(1))
    views = [("layers", lambda x: None), ("tensors", lambda x: None), ("types", lambda x: x["dtype"]),
             ("roles", lambda x: x["role"] and x["role"].split(".")[0])]
    for view, key in views:
        expect(view + "," in t.line(1), path + ": view", t.line(1), view)
        got = t.figures()
        same("%s %s: the sum" % (path, view), sum(got.values()), sum(x["elements"] for x in all_))
        if view in ("types", "roles"):
            sums = collections.Counter()
            for x in all_: sums[key(x) or "(no role)"] += x["elements"]
            merged = collections.Counter()
            for name, n in got.items(): merged[name if view == "types" or name in sums else name.split(".")[0]] += n
            same("%s %s" % (path, view), dict(merged), dict(sums))
        else:
            for name, n in got.items():
                plain = re.match(r"[^\[]*", name).group()
                if plain == name:
                    below = [x for x in all_ if x["name"] == name or x["name"].startswith(name + ".")]
                    same("%s %s: %s" % (path, view, name), n, sum(x["elements"] for x in below))
        t.press("t")
    t.press("b")
    want = show["counts"]["parameters"]
    expect("%s parameters" % thousands(want) in t.foot(), path + ": parameters", t.foot(), thousands(want))
    leave(t, path)


def test_statement(path):
    """The statements of the rows at the top add up to that of the whole."""
    whole = document("reconcile", path)
    t = Browse(path, rows=60, columns=130)
    t.press("r")
    expect(any(line.startswith(" unexplained") for line in t.lines()), path + ": the whole statement", t.text())
    t.press("r")
    rows, sums = len(t.names()), collections.defaultdict(lambda: [0, 0])
    for _ in range(rows):
        t.press("R")
        of = t.statement()
        parts = sum(n for cause, (_, n) in of.items() if cause != "stored")
        same("%s: a statement adds up" % path, parts, of["stored"][1])
        for cause, (k, n) in of.items():
            sums[cause][0] += k
            sums[cause][1] += n
        t.press("esc", "j")
    lines = {x["cause"]: [x["tensors"], x["elements"]] for x in whole["statement"] if x["tensors"] or x["elements"]}
    same(path + ": stored", sums.pop("stored")[1], sum(x["elements"] for x in whole["statement"]))
    same(path + ": the statements of the rows", dict(sums), lines)
    leave(t, path)


# ---- keys


def test_keys():
    path = "fixtures/llama-3.1-8b"
    t = Browse(path, rows=16, columns=100)
    same("the first row is selected", t.marked()[0], t.line(2))
    t.press("j")
    same("j", t.marked()[0], t.line(3))
    t.press("up")
    same("up", t.marked()[0], t.line(2))
    t.press("G")
    same("G", t.marked()[0].split()[-2], t.names()[-1])
    t.press("g", "enter")
    expect(t.line(1).startswith(path + " > model "), "enter", t.line(1))
    inside = t.names()
    t.press("right")
    expect("layers.[0-31]" in t.line(1), "right", t.line(1))
    t.press("back", "h", "left", "h")
    same("out, and no further", (t.line(1).split("  ")[0], t.marked()[0]), (path, t.line(2)))
    t.press("enter", "s")
    same("by name", (t.names(), "by name" in t.line(1)), (sorted(inside, key=lambda n: n.lstrip("/")), True))
    t.press("S")
    same("by name, reversed", t.names(), sorted(inside, key=lambda n: n.lstrip("/"), reverse=True))
    t.press("s")
    expect("number of tensors" in t.line(1), "by number", t.line(1))
    same("the most tensors first", t.names()[0], "/layers.[0-31]")
    t.press("s", "?")
    expect(any("in; of a tensor its details" in line for line in t.lines()), "help", t.text())
    t.press("j", "pgdn", "G")
    expect(any("quit" in line for line in t.lines()), "the end of the help", t.text())
    t.press("q", "x")
    expect("? for help" in t.foot(), "an unknown key", t.foot())
    leave(t, "keys")


def test_search():
    path = "fixtures/llama-3.1-8b"
    t = Browse(path, rows=16, columns=120)
    t.press("/", *"Q_PROJ", "enter")
    expect("q_proj" in t.marked()[0] and "self_attn" in t.line(1), "found", t.text())
    t.press("n")
    expect("layers.0.self_attn.q_proj" in t.marked()[0], "the next: a tensor", t.text())
    t.press("n", "N", "N")
    expect(t.marked()[0].split("/")[-1].startswith("self_attn.q_proj") or "/q_proj" in t.marked()[0], "the one before", t.text())
    t.press("/", *"zzz", "enter")
    same("not found", t.foot().startswith("not found"), True)
    t.press("/", "a", "back", "back", "j")
    expect(not t.foot().startswith("/"), "a search given up", t.foot())
    t.press("/", *"layers.17.mlp", "enter")
    expect("layers.17.mlp" in t.marked()[0], "across the dots", t.text())
    t.press("t", "/", *"layers.17.mlp.gate", "enter")
    expect("layers.17.mlp" in t.line(1) and "gate_proj" in t.marked()[0], "across parts", t.text())
    leave(t, "search")


def test_details():
    path = "fixtures/llama-3.1-8b-q4_k_m"
    x = next(x for x in tensors(path) if x["name"] == "blk.7.attn_v.weight")
    t = Browse(path, rows=24, columns=100)
    t.press("/", *"blk.7.attn_v", "enter", "i")
    facts = {line[1:12].strip(): line[13:].strip() for line in t.lines()[2:-1] if line.strip()}
    same("name", facts["name"], x["name"])
    same("type", facts["type"], x["dtype"])
    same("shape", facts["shape"], "[" + ", ".join(map(str, x["shape"])) + "]")
    same("elements", facts["elements"].split()[0], thousands(x["elements"]))
    same("bytes", facts["bytes"].split()[0], thousands(x["bytes"]))
    same("offset", facts["offset"], thousands(x["offset"]))
    same("file", facts["file"], x["file"])
    same("role", facts["role"], x["role"])
    t.press("i")
    t.press("enter")
    expect(any(line.startswith(" name") for line in t.lines()), "Enter on a tensor", t.text())
    t.press("h")
    leave(t, "details")


# ---- what is browsed


def test_large():
    """92,000 tensors: rows far down, and the end of the longest list."""
    path = "fixtures/deepseek-v3"
    t = Browse(path, rows=30, columns=100)
    expect(t.foot().startswith("91,991 tensors"), "the number", t.foot())
    t.press("/", *"layers.60.mlp.experts.255.down_proj.weight_scale_inv", "enter")
    expect("…60.mlp.experts.255…" in t.marked()[0], "found", t.text())
    t.resize(30, 150)
    expect("layers.60.mlp.experts.255.down_proj.weight_scale_inv" in t.marked()[0], "its whole name", t.text())
    t.press("G", "pgup", "j", "g", "pgdn", "pgdn")
    row = int(t.marked() != [])
    same("a row is selected", row, 1)
    expect(t.foot().startswith("14,848 tensors"), "58 layers of 256 experts", t.foot())
    leave(t, path)


def test_broken(folder):
    """A file that is cut, one that is none, and a folder of a good and a bad one."""
    whole = files.safetensors([("a.weight", "F32", [4, 4]), ("a.bias", "F32", [4])])
    cut = os.path.join(folder, "cut", "model.safetensors")
    files.put(cut, whole[:-8])
    t = Browse(cut, columns=80)
    same("a cut file", t.line(0).split("  ")[0], "incomplete")
    same("its rows", sorted(t.names()), ["/a"])
    expect(1 in t.colors(0), "red", t.colors(0))
    leave(t, "a cut file")
    none = os.path.join(folder, "none.safetensors")
    files.put(none, b"\x08\x00\x00\x00\x00\x00\x00\x00{\"a\": 1 ")
    t = Terminal([NUMEL, "browse", none])
    same("a file that is none", t.wait(), 3)
    expect("none.safetensors" in t.text() and not t.screen.alternate, "its message", t.text())
    t.close()
    files.put(os.path.join(folder, "both", "a", "model.safetensors"), whole)
    files.put(os.path.join(folder, "both", "b", "model.safetensors"), b"\x08\x00\x00\x00\x00\x00\x00\x00{\"a\": 1 ")
    t = Browse(os.path.join(folder, "both"), columns=100)
    same("both are listed", sorted(t.names()), ["/a/model.safetensors", "b/model.safetensors"])
    expect(any("unreadable" in line for line in t.lines()), "one cannot be read", t.text())
    t.press("G", "i")
    expect(any("unreadable" in line for line in t.lines()), "why", t.text())
    t.press("q", "r")
    expect(any(line.startswith(" unreadable") for line in t.lines()), "verdicts", t.text())
    t.press("q", "q")
    same("some of several", t.wait(), 5)
    t.close()


def test_pipeline(folder):
    """Two components, each a row with its verdict, then its own tree."""
    whole = os.path.join(folder, "pipeline")
    files.put(os.path.join(whole, "model_index.json"), json.dumps({
        "_class_name": "StableDiffusionPipeline", "text_encoder": ["transformers", "CLIPTextModel"],
        "vae": ["diffusers", "AutoencoderKL"]}).encode())
    for name in ("text_encoder", "vae"):
        files.put(os.path.join(whole, name, "model.safetensors"), files.safetensors([("%s.w" % name, "F16", [2, 2])]))
        files.put(os.path.join(whole, name, "config.json"), b"{}")
    t = Browse(whole, columns=100)
    same("components", sorted(n.split("/")[1] for n in t.names()), ["text_encoder", "vae"])
    same("its verdict", t.line(0).split("  ")[0], document("show", whole)["judgement"]["verdict"])
    t.press("enter")
    same("inside", len(t.names()), 1)
    leave(t, "pipeline")
    one = "fixtures/comfyui/sdxl.safetensors.head.zst"
    parts = [c["stored"] for c in document("show", one)["components"]]
    t = Browse(one, columns=120)
    t.press("b")
    same("models in one file", sorted(t.figures().values()), sorted(parts))
    leave(t, one)


def test_hostile(folder):
    """Names with escapes, line ends, direction marks, tabs, wide letters and a megabyte."""
    names = ["\x1b[31mred", "a\nb", "a\tb", "a\x07\x00b", "\u202eright", "漢字.重み", "e\u0301.x", "[", "[0-", "x..y", ".", "é" * 3000, "m" * (1 << 20), "a.[0-9].b\\n"]
    path = os.path.join(folder, "hostile.safetensors")
    files.put(path, files.safetensors([(n, "F32", [i + 1]) for i, n in enumerate(names)]))
    for columns in (40, 80, 133):
        t = Browse(path, rows=20, columns=columns)
        for view in range(4):
            expect("\x1b[31mred" not in t.text() and "\u202e" not in t.text(), "escaped", t.text())
            for i in range(len(t.names())):
                t.press("i", "i", "R", "R", "j")
            t.press("t")
        t.press("/", *"字", "enter")
        expect("漢字" in t.text(), "found in another script", t.text())
        t.press("/", *"\\x1b[31m", "enter")
        expect("\\x1b[31mred" in t.marked()[0] or columns == 40, "shown as text", t.text())
        leave(t, "hostile names in %d columns" % columns)
    name = os.path.join(folder, "evil\x1b]0;x\x07\nname")
    files.put(os.path.join(name, "model.safetensors"), files.safetensors([("a", "F32", [1])]))
    t = Browse(name, columns=100)
    expect("\\x1b]0;x" in t.line(1), "the path", t.line(1))
    t.press("i", "i")
    leave(t, "a hostile path")


def test_empty(folder):
    path = os.path.join(folder, "empty.safetensors")
    files.put(path, files.frame({}, b""))
    t = Browse(path, columns=80)
    expect("no tensors" in t.text(), "no tensors", t.text())
    t.press("j", "k", "G", "enter", "i", "R", "r", "q", "t", "t", "t", "t", "s", "n", "/", "a", "enter", "h")
    leave(t, "an empty file")


# ---- the terminal


def test_sizes():
    path = "fixtures/llama-3.1-8b"
    for rows, columns in ((10, 40), (4, 20), (3, 10), (2, 5), (1, 1), (50, 300)):
        t = Terminal([NUMEL, "browse", path], rows, columns)
        t.until(lambda t: b"\x1b[?1049h" in t.raw)
        t.press("enter", "enter", "j", "i", "i", "r", "r", "?", "?", "b", "t", "G", "/", "a", "enter")
        leave(t, "%d x %d" % (columns, rows))
    t = Browse(path, rows=10, columns=40)
    expect("model" in t.marked()[0] and "100" not in t.line(0), "40 columns", t.text())
    t.press("enter", "enter", "G")
    begins, _, ends = t.marked()[0].split("/")[-1].partition("…")
    t.resize(30, 140)
    row = t.marked()[0].split("/")[-1].split()[0]
    expect(row.startswith(begins) and row.endswith(ends) and len(begins) > 4, "resized: the same row", t.text())
    expect(t.foot().endswith("? help"), "resized: the foot", t.text())
    same("resized: the foot's place", t.line(9) == t.line(29), False)
    t.press("r")
    t.resize(8, 50)
    expect("q closes" in t.foot(), "resized: a pane", t.text())
    t.press("q")
    t.resize(2, 4)
    t.resize(24, 80)
    expect(row[:6] in t.text(), "smaller and larger", t.text())
    leave(t, "sizes")


def test_signals():
    path = "fixtures/gpt2"
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        t = Browse(path)
        t.press("r")
        t.signal(number)
        same("signal %d" % number, t.wait(), -number)
        expect(t.restored(), "signal %d: the terminal is not as it was" % number)
        t.close()
    t = Browse(path)
    t.press("\x03")
    same("^C", t.wait(), -signal.SIGINT)
    expect(t.restored(), "^C: the terminal is not as it was")
    t.close()
    t = Browse(path)
    os.close(t.fd)
    pid, status = os.waitpid(t.pid, 0)
    expect(os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the terminal goes away: %d" % status)


def test_colors():
    path = "fixtures/gpt2"
    for words, env, colored in (((), {}, True), ((), {"NO_COLOR": "1"}, False), (("--color", "never"), {}, False),
                                (("--color", "always"), {"NO_COLOR": "1"}, True)):
        t = Browse(path, words=words, env=env)
        same("colours %r %r" % (words, env), bool(t.colors(0)), colored)
        if colored: same("agrees is green", t.colors(0), {2})
        expect(t.line(0).startswith("agrees"), "and a word", t.line(0))
        leave(t, "colours")
    for term in ("vt100", "xterm-256color", "screen", "linux"):
        t = Browse(path, term=term)
        t.press("j", "enter", "r", "q", "G")
        expect(t.line(0).startswith("agrees"), term, t.text())
        leave(t, term)
    t = Browse(path, env={"LANG": "C"})
    expect("#####" in t.text() and "█" not in t.text(), "bars without UTF-8", t.text())
    leave(t, "LANG=C")


def test_guide():
    """The picture in docs/guide/disks.md is what is shown."""
    with open("docs/guide/disks.md") as f: picture = re.search(r"```\n(agrees.*?)\n```", f.read(), re.S).group(1).split("\n")
    t = Browse("fixtures/llama-3.1-8b-q4_k_m", rows=len(picture), columns=80)
    t.press("enter")
    same("the picture in the guide", t.lines(), picture)
    leave(t, "the guide")


def test_refused():
    path = "fixtures/gpt2"
    status, out, said = run("browse", path)
    same("no terminal", (status, out), (2, ""))
    for word in ("terminal", "numel show " + path, "--html"): expect(word in said, "no terminal: " + word, said)
    for term, word in (("dumb", "cannot place text"), ("none-such", "terminfo has no"), (None, "TERM is not set"), ("", "TERM is not set")):
        t = Terminal([NUMEL, "browse", path], env={"TERM": term}, columns=200)
        same("TERM=%s" % term, t.wait(), 2)
        expect(word in t.text() and "numel show" in t.text(), "TERM=%s" % term, t.text())
        t.close()
    for words, wanted in ((["--json", path], 2), (["/none/such"], 3), ([], 2), ([path, path], 2), (["-q", path], 2)):
        t = Terminal([NUMEL, "browse", *words])
        same("browse %s" % words, t.wait(), wanted)
        expect(t.text().strip() and not t.screen.alternate, "browse %s says why" % words, t.text())
        t.close()


def main():
    folder = tempfile.mkdtemp(prefix="numel-browse-")
    tests = {name[5:]: f for name, f in globals().items() if name.startswith("test_")}
    cases = {"figures": ["gpt2", "llama-3.1-8b-q4_k_m", "llama-3.1-8b-w4a16", "qwen3-0.6b", "bert-base", "deepseek-v3"],
             "statement": ["gpt2", "llama-3.1-8b-w4a16", "llama-3.1-8b-bnb-4bit", "bert-base", "mixtral-8x7b"]}
    asked = sys.argv[1:] or list(tests)
    try:
        for name in asked:
            for case in cases.get(name, [None]):
                try:
                    if case: tests[name]("fixtures/" + case)
                    elif name in ("broken", "pipeline", "hostile", "empty"): tests[name](folder)
                    else: tests[name]()
                except (AssertionError, KeyError, IndexError, ValueError, OSError) as e:
                    expect(False, "%s %s: %s %s" % (name, case or "", type(e).__name__, e))
    finally: shutil.rmtree(folder)
    print("browse: %d checks, %d wrong" % (checks, wrong))
    return wrong != 0


if "built without ncursesw" in run("browse", "fixtures/gpt2")[2]:
    print("browse: skipped: built without ncursesw")
    sys.exit(0)
sys.exit(main())
