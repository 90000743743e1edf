#!/usr/bin/env python3
"""layout_mutants.py [-v] [-s REV] [LAYOUT...] -- would a case detect an error in a line of a layout?

In each layout each line is deleted, each dim and type changed, each condition negated or dropped, one at a time. A
mutant is killed by the lint, by a checkpoint of fixtures/packed that the layout proves and the mutant does not (or
with other bits or another group), by the other variants of layouts.py, by a single file of single_quantized.py, or
by an alteration whose verdict changes. test/truth/packed/layout_mutants.txt must list survivors with a reason, and
only survivors (except entries for all layouts, `*`). A layout that reads metadata is tested on all files that have
any. With -s only lines that are new since that revision are altered.
"""
import collections, functools, getopt, json, os, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "components"))
import layouts, packed, single_quantized

FOLDER, LEDGER = "src/data/layouts", "test/truth/packed/layout_mutants.txt"


def words(line):
    """Splits at blanks, but not inside brackets or strings."""
    out, deep, quoted = [""], 0, False
    for c in line:
        quoted ^= c == '"'
        if not quoted:
            deep += (c in "([{") - (c in ")]}")
        if c == " " and not deep and not quoted:
            out.append("")
        else:
            out[-1] += c
    return [w for w in out if w]


def mutants(text):
    """(what, line, text) for each mistake."""
    lines = text.splitlines()
    def put(i, new):
        return "\n".join(lines[:i] + ([new] if new is not None else []) + lines[i + 1:]) + "\n"
    for i, raw in enumerate(lines):
        line = re.sub(r"\s+#.*$", "", raw).rstrip()
        line = re.sub(r" (even|(clear|vague)(=\S+)?)(?= |$)", "", line)  # known from names without querying any layout: test_meaning.c
        if not line or line[0] == "#" or line.startswith("layout "):
            continue
        yield "deleted", line, put(i, None)
        w = words(line)
        if w[0] in ("when", "only"):
            yield "negated", line, put(i, f"{w[0]} !({' '.join(w[1:])})")
        if w[0] not in packed_roles and w[0] != "extra":
            continue
        first = 3 if w[0] != "extra" else 4
        for k, word in enumerate(w[1:], 1):
            def swap(new):
                return put(i, " ".join(w[:k] + ([new] if new else []) + w[k + 1:]))
            if word.startswith("if="):
                yield f"{word} negated", line, swap(f"if=!({word[3:]})")
                yield f"{word} dropped", line, swap(None)
            elif word.startswith(("opt", "shared=")):
                yield f"{word} dropped", line, swap(None)
            elif k == first - 1:
                yield f"type {word} changed", line, swap("F64" if word != "F64" else "F32")
            elif k >= first:
                yield f"dim {word} changed", line, swap("7" if word == "*" else f"({word})+1")
        if not any(x.startswith("opt") for x in w):
            yield "made optional", line, put(i, line + " opt=any")


packed_roles = ("value", "scale", "zero", "index", "codebook", "shape", "act", "marker", "bias")


def run(path, spec=None):
    p = subprocess.run([layouts.NUMEL, "reconcile", "--json", *(["--spec", spec] if spec else []), path], capture_output=True)
    try:
        return json.loads(p.stdout)
    except ValueError:
        return {}


def what_is_said(answer):
    answer = answer[0] if isinstance(answer, list) else answer  # a single file: its model, then the table of all models
    q = answer.get("quantization") or {}
    return (answer.get("agrees"), answer.get("in_part")), q.get("layout"), q.get("bits"), q.get("group")


class Bench:
    """Cases of each layout, written once: correct ones with their reports, and altered ones."""

    def __init__(self, folder, names):
        self.true, self.altered = collections.defaultdict(list), collections.defaultdict(list)
        root = packed.unpack()
        for d in sorted(os.listdir(root)):
            if not all(os.path.exists(os.path.join(root, d, f)) for f in ("config.json", "model.safetensors")):
                continue
            case = layouts.Case(os.path.join(root, d))
            answer, _ = layouts.reconcile(case)
            q = answer.get("quantization") or {}
            case.layout, case.held = q.get("layout"), {k["layout"] for k in q.get("kinds", ())} & set(names)
            if answer.get("agrees") and case.held: self.keep(folder, case)
        self.keep_single(folder, names)

    def keep_single(self, folder, names):
        """Layouts of image models, which fixtures/packed lacks. Next to nunchaku's own is its AWQ."""
        asking = [n for n in names if "meta(" in open(self.spec(n)).read()]
        for form, variants in single_quantized.every_form():
            for k, (wrong, *file) in enumerate(variants):
                path = os.path.join(folder, f"{form}-{k}.safetensors".replace(" ", "_"))
                single_quantized.write(path, *file)
                if not wrong:
                    layout = what_is_said(run(path))[1]
                for name in names:
                    if name in (layout, layout + "-awq") or wrong and name in asking and file[1]:
                        (self.altered if wrong else self.true)[name].append((path, what_is_said(run(path, self.spec(name)))))

    @staticmethod
    def spec(layout):
        return os.path.join(FOLDER, layout + ".layout")

    def put(self, folder, case):
        path = tempfile.mkdtemp(dir=folder)
        case.write(path)
        return path

    def keep(self, folder, case):
        def add(to, c):
            path = self.put(folder, c)
            for layout in case.held: to[layout].append((path, what_is_said(run(path, self.spec(layout)))))
        for c in [case] + [layouts.vary(case, v) for v in layouts.VARIANTS]:
            if c is not None:
                add(self.true, c)
        if len(case.tensors) > 1000:
            return  # small ones show the same
        for alter in layouts.ALTERATIONS:
            c, wanted = layouts.altered(case, alter)
            if wanted is not None:
                add(self.altered, c)
        for lie in (lie for name, lie in layouts.LIES if name == case.name):
            c = case.copy()
            lie(c)
            add(self.altered, c)

    def killed(self, layout, text):
        with tempfile.TemporaryDirectory() as d:
            spec = os.path.join(d, layout + ".layout")
            with open(spec, "w") as f:
                f.write(text)
            if subprocess.run([layouts.NUMEL, "spec", "lint", spec], capture_output=True).returncode:
                return "lint"
            if any(what_is_said(run(p, spec)) != said for p, said in self.true[layout]):
                return "a true case"
            if any(what_is_said(run(p, spec))[0] != said[0] for p, said in self.altered[layout]):
                return "an altered case"
        return None


@functools.cache
def old_lines(revision, path):
    if not revision:
        return frozenset()
    text = subprocess.run(["git", "show", f"{revision}:{path}"], capture_output=True, text=True).stdout
    return frozenset(re.sub(r"\s+#.*$", "", line).rstrip() for line in text.splitlines())


def ledger():
    rows = [l.rstrip("\n").split("\t") for l in open(LEDGER) if l.strip() and l[0] != "#"]
    return {(layout, what, line): why for layout, what, line, why in rows}


def main():
    options, only = getopt.getopt(sys.argv[1:], "vs:")
    options = dict(options)
    names = [f[:-7] for f in sorted(os.listdir(FOLDER)) if f.endswith(".layout")]
    names = [n for n in names if not only or n in only]
    known, how, bad = ledger(), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        bench = Bench(folder, names)
        jobs = [(n, m) for n in names for m in mutants(open(Bench.spec(n)).read()) if m[1] not in old_lines(options.get("-s"), Bench.spec(n))]
        for (n, (what, line, _)), by in zip(jobs, pool.map(lambda j: bench.killed(j[0], j[1][2]), jobs)):
            key = (n, what, " ".join(line.split()))
            if not by and ("*", *key[1:]) in known:
                how["survived"] += 1
                continue
            how[by or "survived"] += 1
            if "-v" in options:
                print(f"{by or 'SURVIVED':16} {n}: {what}: {line}")
            if by and key in known:
                bad += 1
                print(f"FAIL {n}: {what}: {line}: killed by {by}, but the ledger says it survives")
            if not by and key not in known:
                bad += 1
                print(f"FAIL {n}: {what}: {line}: survived")
            known.pop(key, None)
    for key in [k for k in known if k[0] in names and "-s" not in options]:  # "*": allowed in any layout
        bad += 1
        print(f"FAIL {LEDGER}: no such mutant: {' '.join(key)}")
    print(f"layout mutants: {len(jobs)}; " + ", ".join(f"{n} {by}" for by, n in sorted(how.items())))
    print(f"{len(jobs) - bad} passed, {bad} failed")
    return 1 if bad or not jobs and "-s" not in options else 0


if __name__ == "__main__":
    sys.exit(main())
