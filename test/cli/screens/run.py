"""Terminal output at any width: every command on the fixtures, checked by properties.

A screen is compared with the same output in a pipe, where nothing is omitted:

* no line is longer than the terminal, unless a single word is;
* each word on it is a word of the output: none is cut or replaced;
* the first word of each row is there, and so is each sentence: a column may be omitted, a row or a name never;
* a column of numbers ends below the end of its heading, complete and in order.

From 100 columns on, a share may have a bar; the bars of a table have one scale.

A program in a real terminal shows the same as with $COLUMNS, in colour unless the terminal is dumb.
"""
import concurrent.futures
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import fcntl
import unicodedata

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
B = os.environ.get("B", "build/release")
NUMEL = os.path.join(ROOT, B, "numel")
WIDTHS = [40, 47, 53, 60, 66, 72, 80, 91, 100, 120, 140, 160, 200]
NUMBERS = ["tensors", "elements", "bytes", "each", "value", "times", "total", "share", "modules", "count"]
env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "NUMEL_PAGER": "cat"}


def columns(text):
    return len(spread(text))


def spread(text):
    """One character per column: a mark follows one of double width, and those of zero width are dropped."""
    if text.isascii():
        return text
    return "".join(c + "\0" * (unicodedata.east_asian_width(c) in "WF") for c in text if not unicodedata.combining(c))


def run(words, width=None):
    e = dict(env, COLUMNS=str(width)) if width else env
    r = subprocess.run([NUMEL] + words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                       env=e, cwd=ROOT, timeout=120)
    return r.stdout.decode("utf-8")


def on_terminal(words, width, term="dumb"):
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    p = subprocess.Popen([NUMEL] + words, stdin=subprocess.DEVNULL, stdout=other, stderr=subprocess.DEVNULL,
                         env=dict(env, TERM=term), cwd=ROOT)
    os.close(other)
    out = b""
    try:
        while True:
            some = os.read(main, 65536)
            if not some:
                break
            out += some
    except OSError:
        pass
    p.wait()
    os.close(main)
    return out.decode("utf-8").replace("\r\n", "\n")


def words_of(text):
    return re.findall(r"\S+", text)


def too_long(line, width):
    """A shape is one word, including its blanks."""
    if columns(line) <= width:
        return False
    return " " in re.sub(r"\[[^\]]{0,40}\]", lambda m: m.group().replace(" ", "_"), line.strip())


def blocks(text):
    """Runs of lines that begin with a heading of numbers, and the lines below it."""
    for block in re.split(r"\n\s*\n", text):
        lines = block.split("\n")
        for i, line in enumerate(lines):
            if len(set(words_of(line)) & set(NUMBERS)) and not re.search(r"\d", line) and "  " in line.strip():
                yield line, lines[i + 1:]
                break


def ending_at(line, end):
    """The cell that ends at column `end`: back to the gap of two before it."""
    if len(line) < end or line[end - 1] == " " or (len(line) > end and line[end] != " "):
        return None
    return re.split(r"  +", line[:end])[-1].strip()


def askew(text):
    """Numbers that do not end below the end of their heading."""
    for heading, lines in blocks(text):
        ends = [m.end() for m in re.finditer(r"\S+", heading) if m.group() in NUMBERS and "key " not in heading]
        for line in lines:
            for m in re.finditer(r"(?<=  )[-+]?[\d,.]+(?: [%KMGTPEiB]+)?(?=  |$)", line):
                if m.end() not in ends and min((abs(m.end() - e) for e in ends), default=9) <= 2:
                    yield line


def numbers(text):
    """{(table, heading): its cells}"""
    found = {}
    for heading, lines in blocks(text):
        # headings distinguish tables, except for omitted columns
        for m in re.finditer(r"\S+", heading):
            if m.group() in NUMBERS:
                cells = [ending_at(line, m.end()) for line in lines]
                cells = [c for c in cells if c and re.fullmatch(r"[-+]?[\d,.]+(?: [x%KMGTPEi]*B?(?: [\d,]+)?)?", c)]
                found.setdefault(m.group(), []).append(cells)
    return found


BARS = "\u2588\u2589\u258a\u258b\u258c\u258d\u258e\u258f\u2592"
SIGNS = str.maketrans("\u2588\u2593\u2591", "#=-")  # of memory: weights, cache, activations


def fits_scale(percent, bar, width):
    """Has the bar the length of that share of so many columns? Whole bars are in eighths, rounded down, shades in columns."""
    least, most = (percent - .0501) / 100 * width, (percent + .0501) / 100 * width
    if set(bar) == {BARS[8]}:
        return int(least + .5) <= len(bar) <= int(most + .5)
    eighths = sum(8 - BARS.index(c) for c in bar)
    return int(8 * max(least, 0)) <= eighths <= int(8 * most) or not bar and most < .5


def bars(text):
    """What is wrong with the bars of shares, and the number of bars."""
    wrong, count = [], 0
    for heading, lines in blocks(text):
        rows = [(float(m.group(1)), m.group(2) or "") for line in lines
                for m in re.finditer(r"(?<=  )(\d+\.\d) %%(?:  ([%s]+))?(?=  |$)" % BARS, line)]
        some = [r for r in rows if r[1]]
        count += len(some)
        if some and not any(all(fits_scale(*r, width) for r in rows) for width in range(5, 21)):
            wrong.append("no scale for its bars: %s" % heading)
    return wrong, count


def without_bars(text):
    return re.sub(r" *$", "", re.sub("(?<=  )[%s]+(?=  |$)" % BARS, lambda m: " " * len(m.group()), text, flags=re.M), flags=re.M)


# Meant for other programs, or for pasting: not cut to the width.
VERBATIM = ("print", "hash")


def check(name, words, wide, screen, width):
    say = lambda what: "%s at %d: %s" % (name, width, what)
    if words[0] in VERBATIM:
        if screen != wide:
            yield say("lines for programs differ from those of a pipe")
        return
    wrong, drawn = bars(screen)
    yield from map(say, wrong)
    if drawn and width < 100:
        yield say("bars on a narrow screen")
    screen = screen.translate(SIGNS) if words[0] == "memory" else without_bars(screen)
    known = set(words_of(wide))
    for line in screen.split("\n"):
        if too_long(line, width):
            yield say("%d columns: %s" % (columns(line), line))
        for word in words_of(line):
            if word not in known:
                yield say("no word of the answer: %s" % word)
    seen = set(words_of(screen))
    for line in wide.split("\n"):
        if line.strip() and words_of(line)[0] not in seen:
            yield say("lost: %s" % line)
    for line in askew(spread(screen)):
        yield say("out of its column: %s" % line)
    want, got = numbers(spread(wide)), numbers(spread(screen))
    for heading, tables in got.items():
        if heading not in want:
            yield say("an unexpected heading: %s" % heading)
        for cells in tables:
            if cells and cells not in want.get(heading, []):
                yield say("'%s' has other numbers, or not below it: %s" % (heading, cells[:12]))


def shown(case):
    name, words, widths = case
    wide, bad = run(words), []
    if not wide.strip():
        return [(name, name + ": no output")]
    for width in widths:
        bad += [(name, what) for what in check(name, words, wide, run(words, width), width)]
    return bad[:5]


def made(work):
    """Names that are long, wide, similar, or full of blanks."""
    sys.path.insert(0, os.path.join(ROOT, "test", "support"))
    import files
    path = os.path.join(work, "names.safetensors")
    names = ["model.layers.%d.self_attention_of_the_%s.query_key_value_projection.%s" % (i, w, k)
             for i in (0, 1, 12) for w in ("encoder", "decoder") for k in ("weight", "weight_scale_inv")]
    names += ["x" * 300, "漢" * 60, "漢" * 60 + ".bias", "a name with blanks that is longer than many a screen is wide",
              "e\u0301" * 50, "tab\there", "\x1b[31mred", "[[", "a" * 39, "a" * 40]
    with open(path, "wb") as f:
        f.write(files.safetensors([(name, "F32", [3 + i, 2]) for i, name in enumerate(names)]))
    return path


def cases(work):
    fixtures = [f for f in sorted(os.listdir("fixtures")) if f not in ("oracle", "memory", "adapters", "comfyui") and os.path.isdir("fixtures/" + f) and
                "split" not in f and any(n.endswith((".zst", ".safetensors", ".gguf")) and ".jsonl" not in n for n in os.listdir("fixtures/" + f))]
    alone = ["comfyui/" + n for n in os.listdir("fixtures/comfyui")]  # in a folder of several models each is one
    n = 0
    for f in sorted(fixtures + alone):
        path = "fixtures/" + f
        huge = f in ("deepseek-v3", "kimi-k2.5")
        every = [["show", path]]
        if not huge:
            every += [["reconcile", path], ["formula", path], ["verify", path], ["tensors", path], ["print", path],
                      ["show", "--others", path], ["explain", "7B", path], ["show", "--depth", "1", path],
                      ["identify", path], ["reconcile", "--set", "V=1000", path],
                      ["diff", "fixtures/llama-3.1-8b", path]]
        if not huge and f not in ("gptq-untold", "comfyui/sdxl.safetensors.head.zst"):  # these have no metadata
            every += [["meta", path]]
        for words in every:
            n += 1
            widths = [80] if huge else sorted({(60, 80, 120)[n % 3], WIDTHS[n * 5 % 13]})
            yield " ".join(words), words, widths
    yield "hash", ["hash", "fixtures/gpt2/config.json"], [40, 60, 80]
    for words in [["spec", "list"], ["spec", "layouts"], ["memory", "--fit", "24GiB", "fixtures/llama-3.1-8b"],
                  ["list", "fixtures/gpt2", "fixtures/llama-2-7b", "fixtures/falcon-7b", "fixtures/qwen3-0.6b"]] + [
            ["diff", "fixtures/llama-2-7b", "fixtures/prints/" + p] for p in sorted(os.listdir("fixtures/prints"))]:
        n += 1
        yield " ".join(words), words, [80, WIDTHS[n % 13]]
    for path in ("llama-3.1-8b", "llama-3.1-8b-w4a16", "deepseek-v3"):
        yield "show of bars, " + path, ["show", "fixtures/" + path], [99, 100, 120, 140, 200]
    names = made(work)
    for words in (["show"], ["tensors"], ["reconcile"], ["verify"], ["diff", "fixtures/gpt2"], ["show", "--depth", "1"]):
        yield " ".join(words) + " NAMES", words + [names], WIDTHS[:7]


def main():
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as work:
        every = list(cases(work))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            bad = [b for some in pool.map(shown, every) for b in some]
        for words in (["show", "fixtures/llama-2-7b"], ["reconcile", "fixtures/falcon-7b"], ["verify", "fixtures/gpt2"]):
            for width in (60, 80, 120):
                if on_terminal(words, width) != run(words, width):
                    bad.append((words, "a terminal of %d columns shows something else" % width))
        for term, words, colored in (("dumb", [], False), ("xterm", [], True), ("xterm", ["--color", "never"], False), ("dumb", ["--color", "always"], True)):
            if ("\x1b[32magrees\x1b[0m" in on_terminal(["show", "fixtures/gpt2"] + words, 80, term)) != colored:
                bad.append((words, "colour with TERM=%s and %s is not %s" % (term, words, colored)))
        for path, width, drawn in (("llama-3.1-8b", 99, False), ("llama-3.1-8b", 100, True), ("llama-3.1-8b-w4a16", 100, True)):
            if (bars(run(["show", "fixtures/" + path], width))[1] > 0) != drawn:
                bad.append((path, "%s at %d: bars" % (path, width)))
    for _, what in bad:
        print(what)
    screens = sum(len(c[2]) for c in every)
    print("screens: %d failed" % len(bad) if bad else "screens: ok (%d of %d answers)" % (screens, len(every)))
    return bool(bad)


sys.exit(main())
