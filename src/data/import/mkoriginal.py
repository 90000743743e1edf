#!/usr/bin/env python3
"""usage: mkoriginal.py CASES... > original.table

Models that single files hold, in the names of those who trained them or of ComfyUI, of which there is one size each, a line each, as timm.table has
architectures: so a file is told by its tensors (formula/timm.c), and judged by them (specs/diffusion/original_table.spec):

    original.N original id="HEX" timm="original" kind="KIND" called="NAME" product="ID" names="LETTERS" G=JSON T>original.tN

What lies beside others in one file has the id that files of src/data/products name it by: how it is called, in small letters, without blanks.
The letters are the digests of its names (digests.py): by those a file is told that lacks a tensor, or has one otherwise.

CASES are what test/gen/original_tables.py writes: a case a line, with `variant`, `kind`, `tensors` ([name, shape]), `other_tensors` ([name, shape, type], integers) and
`buffers`, those of them that are no parameters: f in a form where they are floats. What is `specified` is left out. Blanks are \\u0020, since a line is of words.
"""
import json, re, sys

from digests import digests_of, letters
from mktimm import identity, modules, short, table


TOGETHER = ("diffusion model", "VAE", "text encoder")


def spaced(text): return short(text).replace(" ", "\\u0020")


def product(case):
    if case["kind"] not in TOGETHER: return []
    called = case["variant"].lower().removesuffix(" encoder" if case["kind"] == "text encoder" else "").replace("'", "")
    return ['product="%s"' % re.sub(r"[^a-z0-9.]+", "-", called).strip("-")]


def main():
    lines, templates = {}, {}
    for path in sys.argv[1:]:
        for text in open(path):
            case = json.loads(text)
            if case.get("specified"): continue
            kept = set(case["buffers"])
            whole = {t[0] for t in case["other_tensors"]}
            tensors = [t[:2] for t in case["tensors"] + case["other_tensors"]]
            listed = lambda known: [(path, "f" if kind == "b" and path not in whole else kind, dims) for path, kind, dims in modules(known)]
            fact = {"name": case["variant"], "cls": "original", "params": [t for t in tensors if t[0] not in kept],
                    "buffers": [t for t in tensors if t[0] in kept], "other": None, "bare": None, "pretrained": {}}
            own = templates.setdefault(case["kind"], {})
            part = "original.%d" % list(templates).index(case["kind"])
            words = ['id="%s"' % identity(fact), 'timm="original"', "kind=" + spaced(case["kind"]), "called=" + spaced(case["variant"]), *product(case),
                     "names=" + short("".join(map(letters, digests_of(t[0] for t in tensors)))), "G=" + short(table(fact, own, listed)), "T>" + part]
            assert not any(" " in w for w in words), words
            lines.setdefault(" ".join(words), len(lines))
    out = ["original/%d original %s" % (n, words) for words, n in lines.items()]
    for n, own in enumerate(templates.values()):
        out.append(" ".join(["original.%d" % n, "original", *("%s=%s" % (t, key) for key, t in own.items())]))
    print("# original/N original key=JSON...")
    print("# Made by mkoriginal.py from models as ComfyUI, diffusers and spandrel build them.")
    for line in sorted(out): print(line)


main()
