"""Products: each file of src/data/products is valid, and each id that a product or a specification names exists.

`reads`, `vae` and `of` name a product, an id of src/data/specs/original, or a specification (of models without a
product); every value of `let product` in a specification is a product; each adapter base named by a product exists
(src/data/adapters); and no product has the name of a specification, which stands for its models without a product.
Violations of the language must be reported.

  B=build/release python3 test/truth/products.py
"""
import fnmatch
import glob
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "src", "data", "import"))
import tables  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "src", "data")
NUMEL = os.path.join(os.path.abspath(os.environ.get("B", os.path.join(ROOT, "build", "release"))), "numel")
failures = []

LIES = {  # a file, and the expected complaint
    "product sdxl\nname SDXL\nreads clip-l\ntogether\nvae sd-vae\naka stable-diffusion-xl* xl?\n": None,
    "# nothing\n\n": None,
    "product a b\nname A B\nproduct c\nname C\n": None,
    "name SDXL\n": ":1:1: 'name' comes before any product",
    "product SDXL\nname SDXL\n": ":1:1: 'product' takes ids: lower-case letters, digits, and . - _",
    "product a\nname A\nreads CLIP\n": ":3:1: 'reads' takes ids: lower-case letters, digits, and . - _",
    "product a\nname A\nreads\n": ":3:1: 'reads' needs a value",
    "product\nname A\n": ":1:1: 'product' needs a value",
    "product a\nname A\nspec AModel size=[1,2] \\\n    kind=\"x\"\nspec BModel\n": None,
    "product a\nname A\nof b\nrepo x/y*\nclass AModel\nbase A-1 A*\napart\n": None,
    "product a\nname A\napart b\n": ":3:1: 'apart' takes no value",
    "product a\nname A\ntogether b\n": ":3:1: 'together' takes no value",
    "product a\nname A\nsize 7\n": ":3:1: 'size' cannot be in a product",
    "product a\nreads b\n": ":3:1: the previous product has no name",
    "product a\nproduct b\nname B\n": ":2:1: the previous product has no name",
}


def check(ok, *what):
    if not ok: failures.append(" ".join(map(str, what)))


def lint(*files):
    return subprocess.run([NUMEL, "spec", "lint", *files], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def lies():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.product")
        for text, want in LIES.items():
            with open(path, "w", encoding="utf-8") as f: f.write(text)
            said = lint(path)
            check(said == path + ": ok\n" if want is None else said == path + want + "\n", repr(text), "should be", repr(said))


def products():
    """Its lines by id, and the position of each."""
    out = {}
    for path in sorted(glob.glob(os.path.join(DATA, "products", "*.product"))):
        check("# Source: " in open(path, encoding="utf-8").read(), path, "has no source")
        check(lint(path) == path + ": ok\n", lint(path))
        for text in tables.read(path):
            words = text.split()
            if words[:1] == ["product"]:
                lines = []
                for id in words[1:]:
                    check(id not in out, id, "appears twice")
                    out[id] = lines
            elif words and words[0][0] != "#": lines.append(words)
    return out


def lets(text):
    """The last expression of each symbol."""
    return dict(re.findall(r"(?m)^ *let (\w+) = (.*)$", re.sub(r"\\\n *", "", text)))


def ids_of(symbols, name, seen):
    """The possible texts of a symbol, through the symbols it refers to; arguments of functions and comparisons do
    not count."""
    text = re.sub(r'[=!]= *"[^"]*"|\w+\([^()]*\)', "", symbols[name])
    seen.add(name)
    found = set(re.findall(r'"([^"]*)"', text))
    for word in re.findall(r"\w+", re.sub(r'"[^"]*"', "", text)):
        if word in symbols and word not in seen and re.search(r'[?:] *' + word + r"\b|^" + word + "$", text): found |= ids_of(symbols, word, seen)
    return found


def own(text):
    """The ids of a specification of src/data/specs/original, which need no product: from its `let`, or from the
    rows of its `choose`."""
    text = re.sub(r"\\\n *", "", text)
    rows = re.findall(r'(?m)^ row "[^"]*" +"([^"]*)"', text) if re.search(r"(?m)^choose \S+ product ", text) else []
    return set(rows) | set(re.findall(r'(?m)^let product = "([^"]*)"$', text))


def chosen(text):
    """The ids that the rows of a `choose product` come to."""
    return set(re.findall(r'(?m)^ row "([^"]*)"', text)) if re.search(r"(?m)^choose product ", text) else set()


def main():
    known = products()
    texts = {p: open(p, encoding="utf-8").read() for p in glob.glob(os.path.join(DATA, "specs", "*", "*.spec"))}
    specs = {m[1] for t in texts.values() for m in re.finditer(r"(?m)^arch (\S+)", t)}
    said = set()
    table = {id for path, text in texts.items() if os.path.basename(os.path.dirname(path)) == "original" for id in own(text)}
    for path, text in texts.items():
        symbols, ids = lets(text), chosen(text)
        if "product" not in symbols and not ids: continue
        ids = ids or ids_of(symbols, "product", set())
        check(ids or "cfg(" in symbols["product"], path, "has a product that is none")
        for id in ids - set(known) - table: check(False, path, "says", id, "which is not a product")
        said |= ids
    for id, lines in known.items():
        check(id in said | table or any(w[0] in ("aka", "repo", "class", "spec") for w in lines), id, "is in no specification and has no other names")
        check(id not in specs, id, "is a specification too")
        for words in lines:
            for other in words[1:] if words[0] in ("reads", "carries", "vae", "of") else ():
                check(other in known or other in table or other in specs, id, words[0], other, "which nothing has")
    tables_of = glob.glob(os.path.join(DATA, "adapters", "*.table"))
    bases = [b for p in tables_of for b in re.findall(r"(?m)^family (.*)$", open(p, encoding="utf-8").read())]
    for id, lines in known.items():
        for base in [w for words in lines if words[0] == "base" for w in words[1:]]:
            check(base[0].islower() or any(fnmatch.fnmatchcase(b, base) for b in bases), id, "has a base that is none:", base)  # lower-case symbols of other sizes
    lies()
    for f in failures[:40]: print("FAIL", f)
    print(f"products: {len(known)} ids, {len(said)} used by specifications, {len(LIES)} files, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__": sys.exit(main())
