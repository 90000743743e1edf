"""How docs/embedding/numel.py behaves: closing, errors, threads, garbage collection, reports, pandas. Prints what is wrong.

  NUMEL_LIBRARY=... python3 test/interop/embedding/behaves.py PIPELINE      in a folder with one additional model
"""
import gc
import os
import sys
import threading

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
sys.path.insert(0, os.path.join(ROOT, "docs", "embedding"))
import numel

LLAMA, PIPELINE = "fixtures/llama-2-7b-2023", sys.argv[1]
checks, wrong = 0, []


def check(ok, *what):
    global checks
    checks += 1
    if not ok: wrong.append(" ".join(map(str, what)))


def raised(kind, call, *args, **more):
    """The exception of that kind, or None."""
    try: call(*args, **more)
    except kind as e: return e
    except Exception as e: wrong.append("%r, not %s" % (e, kind.__name__))
    return None


def closing():
    with numel.open(LLAMA) as model: lines = model.statement
    check(model.closed and len(lines) == 2 and model.statement is lines, "values stay after close()")
    check(raised(ValueError, lambda: model.counts), "a closed model answers")
    model.close()
    check(not numel.open(LLAMA).closed, "a model is closed from the start")


def members():
    whole = numel.open(PIPELINE)
    parts = whole.members()
    check(len(parts) > 1 and whole.judgement.kind == numel.Kind.PIPELINE, "members", len(parts))
    check(all(p.statement for p in parts), "a member without a statement")
    check(whole.statement == [] and whole.counts.parameters is None, "a pipeline has a statement")
    check(whole.facts.formula is None and "members" in whole.facts.why, "a pipeline has a formula", whole.facts)
    names = [t.name for t in parts[0].tensors]
    whole.close()
    check(all(p.closed for p in parts) and names, "members outlive the whole")
    check(raised(ValueError, lambda: parts[1].facts), "a closed member answers")
    check(numel.open(LLAMA).members() == [], "one model has members")


def garbage():
    """Dropped in any order, also in a reference cycle."""
    for _ in range(3):
        whole = numel.open(PIPELINE)
        whole.ring = whole.members()
        for m in whole.ring: m.whole = whole
        whole.ring[0].judgement
        del whole, m
        gc.collect()
    part = numel.open(PIPELINE).members()[0]
    gc.collect()
    check(part.judgement, "a member outlives the name of the whole")
    numel.at_exit = numel.open(PIPELINE).members()  # freed when the program ends


def arguments():
    check(raised(ValueError, numel.open, "a\0b"), "a NUL byte in a path")
    check(raised(TypeError, numel.open, LLAMA, nonsense=1), "an unknown argument")
    check(numel.open(os.fsencode(LLAMA)).judgement == numel.open(LLAMA).judgement, "a path of bytes")
    other = numel.open(LLAMA, config="fixtures/llama-3.1-8b/config.json").judgement
    check(other.verdict == numel.State.DISAGREES and other.causes, "a wrong configuration", other)
    check(all(c.state <= other.verdict for c in other.causes), "a cause is worse than the verdict")
    e = raised(numel.Error, lambda: numel.open(LLAMA, architecture="nonsense").judgement)
    check(e and e.code == numel.Code.USAGE, "an unknown architecture", e)
    e = raised(numel.Error, lambda: numel.open(LLAMA, specs=["nowhere"]).judgement)
    check(e and e.code == numel.Code.IO, "nonexistent specifications", e)


def several():
    folder = os.path.dirname(PIPELINE)
    e = raised(numel.Error, lambda: numel.open(folder).judgement)
    check(e and e.code == numel.Code.FORMAT, "a folder of several", e)
    kinds = sorted(m.judgement.kind for m in numel.find(folder))
    check(kinds == [numel.Kind.MODEL, numel.Kind.PIPELINE], "find()", kinds)
    check(raised(numel.Error, numel.find, "fixtures/oracle"), "find() without a checkpoint")


def texts():
    for text, wanted in ("a\x1b[31m\u202e", "a\\x1b[31m\\u202e"), ("\udcff", "\\xff"), ("a\0b", "a\\x00b"), ("\u00e9", "\u00e9"), ("", ""):
        check(numel.escape(text) == wanted, "escape(%r) is %r" % (text, numel.escape(text)))
    check(str(numel.State.IN_PART) == "in part" and str(numel.Kind.SEVERAL) == "several models", "names of numbers")


def reports():
    model = numel.open(LLAMA)
    for name in numel.Model.REPORTS:
        document = model.report(name)
        check(document["schema"] == "numel.%s/1" % name and str(model.judgement.verdict) in str(document), "report", name)
    check(raised(ValueError, model.report, "nonsense"), "a report that is none")


def shared():
    """Eight threads take turns with one model, and closing it takes a turn too."""
    model, seen = numel.open("fixtures/mixtral-8x7b"), []
    ask = lambda: seen.append((model.judgement, model.counts, len(model.statement), len(model.tensors), model.report("show")["judgement"]))
    threads = [threading.Thread(target=ask) for _ in range(8)]
    for t in threads: t.start()
    for t in threads: t.join()
    check(len(seen) == 8 and all(s == seen[0] for s in seen), "threads see different models")


def pandas():
    try: import pandas as p
    except ImportError: return print("pandas is not here: frames skipped")
    frame = numel.open(LLAMA).frame()
    check(isinstance(frame, p.DataFrame) and len(frame) == 323 and frame["elements"].sum() == 6738417664, "frame()")
    check(frame[frame["kind"] == "buffer"]["elements"].sum() == 2048 and frame["shape"][0] == (32000, 4096), "the contents of a frame")
    empty = numel.open("fixtures/gptq-tiny")
    empty.__dict__["tensors"] = []
    check(list(empty.frame().columns) == list(frame.columns), "columns of a frame without rows")


for part in (closing, members, garbage, arguments, several, texts, reports, shared, pandas): part()
print("\n".join(wrong + ["%d checks of its behaviour, %d failed" % (checks, len(wrong))]))
sys.exit(bool(wrong))
