#!/usr/bin/env python3
"""Pages of --html in headless Chromium: clicked, typed into, read, and rendered at three widths.

Needs Chromium (make deps-html installs Debian's chromium-headless-shell; NUMEL_CHROMIUM names another), nothing else; prints "skipped"
without it.
SHOTS=DIR keeps the screenshots, for people to look at; ONLY=NAME runs one page.

  B=build/release python3 test/robust/html/run.py
"""
import json, os, re, shutil, struct, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import browser

NUMEL = os.path.abspath(os.environ.get("B", "build/release")) + "/numel"
WORK = tempfile.mkdtemp(prefix="numel-html.")  # removed at the end
WIDTHS = [("narrow", 390), ("middle", 820), ("wide", 1440)]
# Names that would be elements, end the data, or hide or reorder text next to them.
NAMES = ["</script><script>window.hit = 1</script>", "\"><img src=x onerror='window.hit = 2'>", "<!--<script>", "a\u202etxt.exe\u2066", "b\u2028c\u2029",
         "'`|$x$\\", "\u05d0\u05b8.weight", "x" * 1000000]
count, failures = 0, []


def check(ok, *what):
    global count
    count += 1
    if not ok:
        failures.append(" ".join(map(str, what)))
        print("FAIL", *what, flush=True)


def page(name, *words):
    path = os.path.join(WORK, name + ".html")
    r = subprocess.run([NUMEL, *words, "--html", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check(r.returncode in (0, 1, 4, 5) and not r.stdout, name, r.returncode, r.stderr[-300:])
    return path


# ---- models -------------------------------------------------------------------------------------

def tensors(path, names, shape=4):
    header = {n: {"dtype": "F32", "shape": [shape], "data_offsets": [16 * i, 16 * i + 16]} for i, n in enumerate(names)}
    raw = json.dumps(header, ensure_ascii=False).encode()
    with open(path, "wb") as f: f.write(struct.pack("<Q", len(raw)) + raw + bytes(16 * len(names)))
    return path


def broken():
    """Two layers more than its configuration states."""
    d = os.path.join(WORK, "broken")
    shutil.copytree("fixtures/llama-2-7b", d)
    config = json.load(open(d + "/config.json"))
    config["num_hidden_layers"] = 30
    with open(d + "/config.json", "w") as f: json.dump(config, f)
    return d


# ---- true of every page -------------------------------------------------------------------------

BUTTONS = """[...document.querySelectorAll('button, a, select, input, [role=table], [role=grid], [role=img]')]
    .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label'))).length"""


def looks(b, name, path):
    for word, width in WIDTHS:
        for dark in ((False, True) if word == "wide" else (False,)):
            painted, ended = b.open(path, width, 900, dark)
            wide = b.eval("document.documentElement.scrollWidth") - width
            check(wide <= 0, name, word, "is %d pixels too wide" % wide)
            if "SHOTS" in os.environ: b.shot("%s/%s-%s%s.png" % (os.environ["SHOTS"], name, word, "-dark" if dark else ""))
    trouble = b.trouble()
    check(not trouble, name, trouble[:3])
    check(b.eval("document.querySelectorAll('h1').length") >= 1, name, "has no heading")
    check(b.eval(BUTTONS) == 0, name, "has controls without a name")
    check(b.eval("[...document.querySelectorAll('[id]')].length === new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size"), name, "has an id twice")
    unnamed = [n for n in b.ask("Accessibility.getFullAXTree")["nodes"]
               if n.get("role", {}).get("value") in ("button", "link", "combobox", "searchbox", "table", "grid", "img")
               and not n.get("ignored") and not n.get("name", {}).get("value") and not n.get("description", {}).get("value")]
    plain = [n for n in unnamed if n["role"]["value"] != "table"]  # the heading above a short table names it
    check(not plain, name, "nodes without a name:", [n["role"]["value"] for n in plain[:5]])
    return painted, ended


def text(b, selector, nth=0): return b.eval("document.querySelectorAll(%s)[%d]?.textContent" % (json.dumps(selector), nth))


# ---- the map ------------------------------------------------------------------------------------

def crumbs(b): return b.eval("document.querySelectorAll('.crumbs button').length")


def walk_map(b, name):
    tiles = "document.querySelectorAll('.map > button').length"
    check(crumbs(b) == 1 and b.eval(tiles) >= 2, name, "map", crumbs(b), b.eval(tiles))
    first = b.eval("document.querySelector('.map > button').getAttribute('aria-label')")
    check(re.match(r".+: [\d.]+ \w+, .* of all; .*; opens$", first), name, "label", first)
    b.click(".map > button")
    check(crumbs(b) == 2, name, "a click goes in", crumbs(b))
    check(b.eval("document.activeElement.matches('.map > button')"), name, "the focus follows")
    b.key("Enter")
    check(crumbs(b) == 3, name, "Enter goes in", crumbs(b))
    was = b.eval("document.activeElement.getAttribute('aria-label')")
    b.key("ArrowRight"), b.key("ArrowDown")
    check(b.eval("document.activeElement.getAttribute('aria-label')") != was, name, "arrows move")
    b.key("Backspace")
    check(crumbs(b) == 2, name, "Backspace goes out", crumbs(b))
    b.key("Escape")
    check(crumbs(b) == 1, name, "Escape goes out", crumbs(b))
    check(b.eval("document.activeElement.matches('.map > button')"), name, "the focus stays in the map")
    for word in ("kinds", "types", "layers"):
        b.eval("[...document.querySelectorAll('.choice button')].find(x => x.textContent === '%s').click()" % word)
        pressed = b.eval("[...document.querySelectorAll('.choice button[aria-pressed=true]')].map(x => x.textContent)")
        check(word in pressed and b.eval(tiles) >= 1, name, word, pressed)
    areas = []
    for word in ("bytes", "elements"):
        b.eval("[...document.querySelectorAll('.choice button')].find(x => x.textContent === '%s').click()" % word)
        areas.append(b.eval("[...document.querySelectorAll('.map > button')].reduce((n, t) => n + parseFloat(t.style.width) * parseFloat(t.style.height), 0)"))
    whole = b.eval("document.querySelector('.map').clientWidth * document.querySelector('.map').clientHeight")
    check(all(0.97 * whole < a <= whole * 1.001 for a in areas), name, "tiles cover the map", areas, whole)


# ---- the table ----------------------------------------------------------------------------------

def rows(b): return b.eval("[...document.querySelectorAll('.grid .body .row')].map(r => r.firstChild.textContent)")


def search(b, words):
    b.eval("(() => { const s = document.querySelector('input[type=search]'); s.scrollIntoView({block: 'center', behavior: 'instant'}); s.focus(); s.select(); })()")
    if words: b.type(words)
    else: b.eval("(() => { const s = document.querySelector('input[type=search]'); s.value = ''; s.dispatchEvent(new Event('input')); })()")
    b.settle(200)  # longer than a large table waits for the next letter
    return text(b, ".tools [role=status]")


def use_table(b, name, total, word, found):
    check(search(b, word) == "%s of %s rows" % (found, total), name, "search", text(b, ".tools [role=status]"))
    check(all(word in r for r in rows(b)), name, "rows of the search", rows(b)[:3])
    check(search(b, "layers.*.0.*") is not None, name, "a pattern")
    check(search(b, "no such name") == "0 of %s rows" % total and not rows(b), name, "nothing found")
    check(search(b, "") == "%s rows" % total, name, "all again", text(b, ".tools [role=status]"))
    heading = "[...document.querySelectorAll('.grid .head button')].find(x => x.textContent === 'bytes')"
    b.eval(heading + ".click()")
    check(b.eval(heading + ".parentElement.getAttribute('aria-sort')") == "descending", name, "sorts")
    sizes = b.eval("[...document.querySelectorAll('.grid .body .row')].map(r => r.children[4].textContent)")
    b.eval(heading + ".click()")
    check(sizes and sizes[0] != b.eval("document.querySelector('.grid .body .row').children[4].textContent"), name, "sorts the other way")
    b.eval("document.querySelector('.grid').scrollTop = 1e9")
    b.settle()
    check(b.eval("document.querySelector('.grid').getAttribute('aria-rowcount')") == str(int(total.replace(",", "")) + 1), name, "row count")
    last = b.eval("Math.max(...[...document.querySelectorAll('.grid .body .row')].map(r => +r.getAttribute('aria-rowindex')))")
    check(last == int(total.replace(",", "")) + 1, name, "the last row", last)
    check(b.eval("document.querySelectorAll('.grid .row').length") < 120, name, "only visible rows exist")


# ---- pages --------------------------------------------------------------------------------------

def good(b):
    path = page("good", "show", "fixtures/llama-2-7b")
    looks(b, "good", path)
    walk_map(b, "good")
    use_table(b, "good", "291", "q_proj", "32")
    check(text(b, ".verdict") == "agrees" and text(b, "h1").startswith("llama-2-7b"), "good: heading", text(b, "h1"))
    check(b.eval("[...document.querySelectorAll('.bar a')].map(a => a.textContent)") == ["Top", "Statement", "Memory", "Tensors"], "good: bar")
    fits = subprocess.run([NUMEL, "memory", "--json", "--fit", "24GiB", "fixtures/llama-2-7b"], stdout=subprocess.PIPE).stdout
    b.eval("(() => { const s = document.querySelector('.plot select'); s.value = '24'; s.dispatchEvent(new Event('change')); })()")
    told = int(re.search(r"about ([\d,]+) token", text(b, ".plot [role=status]"))[1].replace(",", ""))
    check(abs(told / json.loads(fits)["fit"]["max_context"] - 1) < 0.01, "good: models that fit", told, json.loads(fits)["fit"])
    b.eval("document.querySelector('.plot svg').focus()")
    was = text(b, ".plot .read")
    b.key("ArrowRight", 2)
    check(text(b, ".plot .read") != was, "good: arrows read the plot", was)
    b.eval("(() => { const s = document.querySelector('.plot input'); s.value = '10'; s.dispatchEvent(new Event('input')); })()")
    check("the weights alone take more" in text(b, ".plot [role=status]"), "good: too small", text(b, ".plot [role=status]"))
    bars = b.eval("[...document.querySelectorAll('.sum')].map(s => [...s.children].reduce((n, i) => n + parseFloat(i.style.width), 0))")
    check(len(bars) == 10 and abs(bars[-1] - 100) < 0.01 and bars == sorted(bars), "good: bars of contexts", bars)
    check(not b.eval("[...document.querySelectorAll('td, dd')].filter(e => /^#|=$/.test(e.textContent)).length"), "good: bars are drawn, not typed")
    b.eval("document.querySelector('.map > button').focus()")
    b.key("End"), b.key("Enter")
    check(search(b, "") == "291 rows", "good: search is emptied")
    on_paper(b, path)
    without_script(b, path)
    b.eval("scrollTo(0, 0)"), b.open(path, 1280), b.key("Tab")
    check(b.eval("document.activeElement.className") == "skip", "good: Tab reaches the first link", b.eval("document.activeElement.className"))


def on_paper(b, path):
    b.ask("Emulation.setEmulatedMedia", media="print")
    shown = b.eval("['.grid', '.bar', '.tools'].map(s => getComputedStyle(document.querySelector(s)).display)")
    check(shown == ["none"] * 3, "paper: controls are left out", shown)
    check(b.eval("getComputedStyle(document.querySelector('.print-only')).display") == "block", "paper: the table's first rows are there")
    b.pdf(os.path.join(WORK, "good.pdf"))
    check(os.path.getsize(os.path.join(WORK, "good.pdf")) > 20000, "paper: a PDF")
    b.ask("Emulation.setEmulatedMedia", media="")


def without_script(b, path):
    b.ask("Emulation.setScriptExecutionDisabled", value=True)
    b.trouble()
    b.ask("Page.navigate", url="file://" + path)
    b.wait("Page.loadEventFired")
    b.ask("Emulation.setScriptExecutionDisabled", value=False)
    check(b.eval("document.querySelectorAll('article').length") == 4 and not b.eval("!!document.querySelector('.map')"), "without a script: articles")
    check("unexplained" in b.eval("document.body.innerText"), "without a script: the statement")


def packed(b):
    looks(b, "packed", page("packed", "show", "fixtures/llama-3.1-8b-w4a16"))
    check("type" in b.eval("[...document.querySelectorAll('.choice button')].map(x => x.textContent)"), "packed: colours by type")
    check(search(b, "qzeros") == "224 of 1,187 rows", "packed: search", text(b, ".tools [role=status]"))


def wrong(b):
    looks(b, "broken", page("broken", "verify", broken()))
    check(text(b, ".verdict") == "disagrees", "broken: verdict", text(b, ".verdict"))
    check("num_hidden_layers is 30" in (text(b, ".causes") or ""), "broken: the cause", text(b, ".causes"))


def pipeline(b):
    looks(b, "pipeline", page("pipeline", "show", "fixtures/comfyui/sdxl.safetensors.head.zst"))
    links = b.eval("[...document.querySelectorAll('.bar a')].map(a => a.textContent)")
    check("Statement vae" in links and links.count("Tensors") == 1, "pipeline: bar", links)
    check(search(b, "vae.") == "248 of 2,515 rows", "pipeline: search", text(b, ".tools [role=status]"))


def large(b):
    path = page("large", "show", "fixtures/deepseek-v3")
    painted, ended = looks(b, "large", path)
    b.open(path, 1280)
    drawn = b.eval("performance.getEntriesByName('map')[0].startTime")
    print("html: 91,991 tensors: painted after %d ms, map after %d, all after %d" % (painted, drawn, ended), flush=True)
    walk_map(b, "large")
    began = time.time()
    use_table(b, "large", "91,991", "q_a_proj.weight_scale_inv", "62")
    print("html: searched and sorted in %.1f s" % (time.time() - began), flush=True)


def two(b):
    looks(b, "two", page("two", "diff", "fixtures/llama-2-7b", "fixtures/llama-3.1-8b"))
    check(b.eval("document.querySelectorAll('.heat tbody tr').length") == 32, "two: a row a layer")
    changed = b.eval("['.ch-reshaped', '.ch-retyped'].map(c => document.querySelectorAll('.heat td' + c).length)")
    check(changed == [160, 128], "two: cells", changed)
    b.eval("document.querySelector('.heat td').focus()")
    b.key("ArrowDown", 3), b.key("ArrowRight")
    check("model.layers.3.mlp.down_proj.weight" in text(b, ".heat ~ .read") and "reshaped: F16 [4096, 11008]" in text(b, ".heat ~ .read"),
          "two: the contents of a cell", text(b, ".heat ~ .read"))
    check(search(b, "lm_head") == "1 of 291 rows", "two: side by side", text(b, ".tools [role=status]"))
    looks(b, "formats", page("formats", "diff", "fixtures/llama-3.1-8b", "fixtures/llama-3.1-8b-q4_k_m"))
    check(b.eval("document.querySelectorAll('.heat td.ch-quantized').length") > 200, "formats: quantized", b.eval("document.querySelectorAll('.heat td.ch-quantized').length"))
    values(b)


def values(b):
    """Two checkpoints with data, with one tensor changed."""
    names = ["model.layers.%d.%s.weight" % (i, w) for i in range(4) for w in ("a", "b")]
    x, y = tensors(WORK + "/x.safetensors", names), tensors(WORK + "/y.safetensors", names)
    with open(y, "r+b") as f: f.seek(-16, 2), f.write(struct.pack("<4f", 1, 0, 0, 0))
    with open(x, "r+b") as f: f.seek(-16, 2), f.write(struct.pack("<4f", 2, 0, 0, 0))
    looks(b, "values", page("values", "diff", x, y, "--values"))
    heat = b.eval("[...document.querySelectorAll('.heat td')].map(t => t.style.background !== '')")
    check(heat == [False] * 7 + [True], "values: the changed one is hot", heat)
    check(text(b, ".verdict") == "differ" and search(b, "values differ") == "1 of 8 rows", "values: verdict", text(b, ".verdict"))


def memory(b):
    """The picture of a report is above all others; a context that was asked for is not the model's."""
    looks(b, "memory", page("memory", "memory", "fixtures/llama-3.1-8b-q4_k_m", "--context", "32k", "--fit", "12GiB"))
    check(b.eval("document.querySelector('.plot').compareDocumentPosition(document.querySelector('.map')) === 4"), "memory: the plot is first")
    told = text(b, ".plot [role=status]")
    check(re.search(r"about 60,\d\d\d tokens\.$", told), "memory: 60 k fit, half of the model's 131 k", told)
    check(text(b, ".plot .read").startswith("32,768 tokens"), "memory: what was asked for is read first", text(b, ".plot .read"))
    b.eval("(() => { const s = document.querySelector('.plot select'); s.value = '24'; s.dispatchEvent(new Event('change')); })()")
    check("more than the model's context" in text(b, ".plot [role=status]"), "memory: 24 GiB", text(b, ".plot [role=status]"))


def many(b):
    looks(b, "many", page("many", "list", "fixtures"))
    check(b.eval("document.querySelectorAll('.map > button').length") >= 15, "many: tiles")
    b.eval("[...document.querySelectorAll('th button')].find(x => x.textContent === 'size').click()")
    check(text(b, "tbody tr td") == "deepseek-v3", "many: sorts by size", text(b, "tbody tr td"))
    d = os.path.join(WORK, "folder")
    for i in range(300):
        os.makedirs("%s/%d" % (d, i))
        tensors("%s/%d/model.safetensors" % (d, i), ["w"])
    looks(b, "hundreds", page("hundreds", "list", d))
    b.click(".map > button", 7)
    check(text(b, ".tools [role=status]").endswith("of 300 rows"), "hundreds: a tile leads to its row", text(b, ".tools [role=status]"))
    check(search(b, "29") == "13 of 300 rows", "hundreds: search", text(b, ".tools [role=status]"))


def hostile(b):
    path = tensors(WORK + "/<b>\u202e'&.safetensors", NAMES)
    looks(b, "hostile", page("hostile", "show", path))
    check(b.eval("window.hit") is None, "hostile: a script ran", b.eval("window.hit"))
    check(b.eval("document.querySelectorAll('img, iframe, object, link, b:not(.read b, p b)').length") == 0, "hostile: elements")
    check("<b>\\u202e'&.safetensors" in text(b, "h1"), "hostile: the path", text(b, "h1"))
    seen = rows(b)
    for want in ("</script><script>window.hit = 1</script>", "\"><img src=x onerror='window.hit = 2'>", "a\\u202etxt.exe\\u2066", "b\\u2028c\\u2029", "'`|$x$\\\\"):
        check(want in seen, "hostile: row", want, [s[:60] for s in seen])
    looks(b, "hostile-diff", page("hostile-diff", "diff", path, tensors(WORK + "/other.safetensors", NAMES[:-2] + ["y"], 2)))
    check(b.eval("window.hit") is None and b.eval("document.querySelectorAll('img').length") == 0, "hostile: diff")
    shown = b.eval("document.body.innerText")
    check(not any(c in shown for c in "\u202e\u2066\u2028\u2029"), "hostile: reordering characters are escaped")


PAGES = [good, packed, wrong, pipeline, large, two, memory, many, hostile]


def main():
    if "SHOTS" in os.environ: os.makedirs(os.environ["SHOTS"], exist_ok=True)
    b = browser.Browser()
    try:
        for one in PAGES:
            if os.environ.get("ONLY", one.__name__) == one.__name__: one(b)
    finally: b.close()
    print("html: %d checks, %d failed" % (count, len(failures)))
    return bool(failures)


if __name__ == "__main__":
    if not browser.program(): sys.exit(print("html: skipped: no Chromium (make deps-html; or NUMEL_CHROMIUM)"))
    try: sys.exit(main())
    finally: shutil.rmtree(WORK)
