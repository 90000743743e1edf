#!/usr/bin/env python3
"""cachelines.py [LEDGER] -- does each specification declare what its layers keep?

A specification declares it in `cache` lines, its own or a block's, or leaves it to its parts. The others are
listed in LEDGER (test/truth/nocache.txt) with the reason: NAME, or FAMILY/ for a family of models that do not
generate text. An entry whose specification declares its cache must be removed, and so must an entry that matches
nothing.
"""
import glob, os, re, sys

ROOT = "src/data"


def texts(pattern):
    return {os.path.splitext(os.path.basename(p))[0]: (p, open(p, encoding="utf-8").read())
            for p in glob.glob(os.path.join(ROOT, pattern), recursive=True)}


def lines(text):
    return text.split("\nprint", 1)[0].splitlines()


def says(text, blocks, seen=()):
    for words in (line.split() for line in lines(text)):
        if not words: continue
        if words[0] in ("cache", "part"): return True
        if words[0] == "use" and words[1] not in seen and words[1] in blocks and says(blocks[words[1]][1], blocks, seen + (words[1],)):
            return True
    return False


def ledger(path):
    out = {}
    for text in open(path, encoding="utf-8"):
        name, _, reason = text.split("#", 1)[0].strip().partition(" ")
        if name: out[name] = reason.strip()
    return out


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "test/truth/nocache.txt"
    specs, blocks, known = texts("specs/*/*.spec"), texts("blocks/*/*.spec"), ledger(path)
    wrong, used = [], set()
    for name, (where, text) in sorted(specs.items()):
        family = os.path.basename(os.path.dirname(where)) + "/"
        listed = name if name in known else family if family in known else None
        used.add(listed)
        if says(text, blocks):
            if listed == name: wrong.append(f"{name}: declares its cache: remove it from {path}")
        elif not listed: wrong.append(f"{where}: no cache lines, and no reason in {path}")
    wrong += [f"{path}: {name}: names no specification" for name in known if name not in used]
    wrong += [f"{path}: {name}: no reason" for name, reason in known.items() if not reason]
    for text in wrong: print("FAIL", text)
    print(f"cachelines: {len(specs)} specifications, {len(wrong)} wrong")
    return bool(wrong) or not specs


if __name__ == "__main__": sys.exit(main())
