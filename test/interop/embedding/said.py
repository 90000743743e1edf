"""Prints everything that docs/embedding/numel.py reads from each path, one fact per line. said.rs and said.go print the same.

  NUMEL_LIBRARY=... python3 test/interop/embedding/said.py CONFIG PATH...

Each path is judged again with CONFIG, a config.json.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "docs", "embedding"))
import numel


def shown(word): return "-" if word is None else numel.escape(word) if isinstance(word, str) else str(word)
def say(*words): print(*map(shown, words), sep="\t")


def judged(model):
    j = model.judgement
    say("judgement", j.kind, j.verdict, j.architecture, j.name, j.known_by)
    for c in j.causes: say("cause", c.code, c.explains, c.text)
    for c in j.causes: say("at-least", c.state)


def counted(model): say("counts", *vars(model.counts).values())


def told(model):
    f = model.facts
    say("facts", f.architecture, f.expression, f.formula, f.why, f.quantization, f.adapter, f.unexplained)


def stated(model):
    for n in model.statement:
        say("line", n.code, n.tensors, n.elements, n.unchecked, int(n.ground), int(n.explains), n.cause, n.detail)


def listed(model):
    for t in model.tensors:
        say("tensor", t.name.encode("utf-8", "surrogateescape").hex(), t.dtype, "x".join(map(str, t.shape)), t.elements, t.bytes, t.offset)


def parted(model):
    for m in model.members(): say("member", m.judgement.kind, m.judgement.verdict, m.judgement.name)


def reported(model):
    text = model.report_text("reconcile").encode()
    say("json", len(text), sum(text))


def tried(model, *steps):
    for step in steps:
        try: step(model)
        except numel.Error as e: say("error", step.__name__, e.code.name, e.offset, e.file, e.what, str(e))


def main():
    for path in sys.argv[2:]:
        say("path", path)
        with numel.open(path) as model: tried(model, judged, counted, told, stated, listed, parted, reported)
        with numel.open(path, config=sys.argv[1], sets={"vocab_size": 7}) as model: tried(model, judged)


main()
