"""The wrappers of docs/embedding: they declare what numel.h declares, and return what the program prints.

Tests Python; with EMBEDDING=all also Rust and Go. A language that is not installed is skipped.

  types      compares structs, constants and functions of each language with numel.h; altered headers must be noticed
  said       reads good, wrong and incomplete models and every file of fixtures/bad: Python must agree with `numel --json`,
             the other languages with Python
  behaves    Python: closing, errors, threads, garbage; Rust and Go: linters
  README     runs its blocks and compares their output

  B=build/release [EMBEDDING=all] python3 test/interop/embedding/run.py
"""
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", ".."))
B = os.path.abspath(os.environ.get("B", os.path.join(ROOT, "build", "release")))
DOCS = os.path.join(ROOT, "docs", "embedding")
WORK = os.path.join(B, "embedding")
sys.path[:0] = [HERE, DOCS]
import declared
import inputs
import languages

failures, count = [], 0


def check(ok, *what):
    global count
    count += 1
    if not ok: failures.append(" ".join(map(str, what))[:600])
    return ok


# ---- types

def types(language, own, truth, wrong):
    for name, what in declared.differences(own, truth): check(False, language, name, what)
    check(len(own["structs"]) > 8 and len(own["functions"]) > 15, language, "declares almost nothing")
    for mutant, header, part in wrong:
        noticed = {name for name, _ in declared.differences(own, header)}
        for name in own[part]:
            if name in declared.PARTS or own[part][name] in ([], ["pointer"]): continue
            check(name in noticed, language, "%s: %s goes unnoticed" % (name, mutant))


def wrong_headers():
    """(what is altered, declarations of the altered header, the part that differs)"""
    with open(declared.HEADER, encoding="utf-8") as f: text = f.read()
    for what, change in declared.STRUCT_MUTANTS.items():
        yield what, declared.header(declared.written(WORK, "mutant", declared.changed(text, change)), WORK), "structs"
    yield "other numbers", declared.header(declared.written(WORK, "mutant", declared.enum_mutant(text)), WORK), "constants"
    yield "one parameter more", declared.header(declared.written(WORK, "mutant", declared.function_mutant(text)), WORK), "functions"


# ---- said

def of(lines):
    """{path: its lines}"""
    out, path = {}, None
    for line in lines:
        if line.startswith("path\t"): path = line[5:]
        out.setdefault(path, []).append(line)
    return out


def printed(command, path, *more):
    """What the program prints, in bytes."""
    r = subprocess.run([B + "/numel", command, path, "--json", *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT,
                       env=inputs.environment(WORK))
    return r.stdout


def numel(command, path, *more):
    out = printed(command, path, *more)
    return [json.loads(x) for x in out.splitlines()] if command == "tensors" else json.loads(out)


def shown(x): return "-" if x is None else str(x)


def judgement(document):
    j = document["judgement"]
    yield "\t".join(shown(x) for x in ["judgement", j["kind"], j["verdict"], j["architecture"], j["name"], j["known_by"]])
    for c in j["causes"]: yield "cause\t%s\t%d\t%s" % (c["code"], c["explains"], c["text"])


def expected(path):
    """What the program prints, in the lines of said.py that it can confirm."""
    document, tensors = numel("reconcile", path), numel("tensors", path)
    if "error" in document: return failed(document["error"])
    c, out = document["counts"] or {}, list(judgement(document))
    counts = [len(tensors), document["stored"]] + [c.get(k) for k in ("logical", "unique", "parameters", "buffers", "non_embedding", "active")]
    out.append("\t".join(["counts"] + [shown(x) for x in counts]))
    ground = {"shape": 2, "name": 1, "none": 0}
    out += ["line\t%s\t%d\t%d\t%d" % (n["code"], n["tensors"], n["elements"], ground[n["ground"]]) for n in document["statement"]]
    for t in tensors:
        shape = "x".join(map(str, t["shape"]))
        out.append("\t".join(map(shown, ["tensor", t["name"].encode().hex(), t["dtype"], shape, t["elements"], t["bytes"], t["offset"]])))
    text = printed("reconcile", path)
    out.append("json\t%d\t%d" % (len(text), sum(text)))
    out += list(judgement(numel("reconcile", path, "--config", os.path.join(ROOT, inputs.CONFIG), "--set", "vocab_size=7")))
    return sorted(out)


def failed(e): return ["error\t%s\t%s\t%s\t%s" % (e["code"], shown(e["offset"]), shown(e["file"]), e["message"])]


def comparable(lines):
    """The lines of a language that the program can confirm."""
    out = []
    for line in lines:
        words = line.split("\t")
        if words[0] in ("judgement", "cause", "counts", "tensor", "json"): out.append(line)
        elif words[0] == "line": out.append("\t".join(words[:4] + words[5:6]))
        elif words[:2] == ["error", "judged"]: out.append("\t".join(["error"] + words[2:6]))
    return sorted(out)


def statement_adds_up(path, lines):
    sums = {}
    for words in (line.split("\t") for line in lines):
        if words[0] == "line": sums["line"] = sums.get("line", 0) + int(words[3])
        elif words[0] == "tensor": sums["tensor"] = sums.get("tensor", 0) + int(words[4])
        elif words[0] == "counts": sums["stored"] = int(words[2])
    if sums.get("line"): check(sums["line"] == sums["stored"] == sums["tensor"], path, "does not add up:", sums)


def said_rightly(said, models, bad, pipeline):
    for path, verdict in models.items():
        lines = said.get(path, [])
        check(lines and lines[1].split("\t")[2:3] == [verdict], path, "is not", verdict, lines[1:2])
        statement_adds_up(path, lines)
        want, have = expected(path), comparable(lines)
        for line in sorted(set(want) ^ set(have)): check(False, path, "the program says" if line in want else "Python says", line)
        check(want == have, path, "differs from the program's output")
    for path, (code, offset) in bad.items():
        first = (said.get(path, []) + ["", ""])[1].split("\t")
        check(first[:4] == ["error", "judged", code, offset], path, first)
    members = [line.split("\t")[1:] for line in said.get(pipeline, []) if line.startswith("member\t")]
    wanted = [[d["judgement"][k] for k in ("kind", "verdict", "name")] for d in numel("reconcile", pipeline)[:-1]]
    check(members == wanted and len(wanted) > 1, pipeline, "has the members", members, "not", wanted)


# ---- README

def blocks(language):
    """(block of README.md, expected output): the text block that follows it, else the first text block of the
    page."""
    with open(os.path.join(DOCS, "README.md"), encoding="utf-8") as f: text = f.read()
    common = re.search(r"^```text\n(.*?)^```$", text, re.S | re.M).group(1)
    found = re.findall(r"^```%s\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?" % language, text, re.S | re.M)
    return [(block, wanted or common) for block, wanted in found]


def read_me(language):
    found = blocks(language.name)
    check(found, "README.md has no block of", language.name)
    for number, (block, wanted) in enumerate(found):
        printed = language.block(number, block)
        if printed is None: continue
        check(printed == wanted, "README.md: block %d of %s prints" % (number + 1, language.name), repr(printed), "not", repr(wanted))


def main():
    shutil.rmtree(os.path.join(WORK, "in"), ignore_errors=True)
    os.makedirs(os.path.join(WORK, "in"))
    models, bad, pipeline = inputs.models(WORK, B), inputs.bad(WORK, B), inputs.pipeline(WORK)
    paths = list(models) + list(bad) + [pipeline]
    truth, wrong, first, lines = declared.header(declared.HEADER, WORK), list(wrong_headers()), None, []
    for language in languages.all(B, WORK, inputs.environment(WORK), os.environ.get("EMBEDDING") == "all"):
        if language.absent:
            lines.append("%s skipped: %s" % (language.name, language.absent))
            continue
        for what in language.behaves(pipeline): check(False, language.name, what)
        if language.declares(): types(language.name, language.declares(), truth, wrong)
        said = language.said([inputs.CONFIG] + paths)
        if first is None:
            first = said
            said_rightly(of(said), models, bad, pipeline)
        for line in sorted(set(first) ^ set(said))[:5]: check(False, "Python says" if line in first else language.name + " says", line)
        check(first == said, language.name, "differs from Python")
        read_me(language)
    print("\n".join(failures[:40] + lines + ["embedding: %d checks, %d wrong" % (count, len(failures))]))
    return bool(failures)


if __name__ == "__main__": sys.exit(main())
