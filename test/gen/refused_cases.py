#!/usr/bin/env python3
"""refused_cases.py [-n N] [-e SEED] -- makes test/truth/components/refused/diffusers.jsonl.zst: configurations that no class accepts, and
unusual ones that are valid.

In the smallest cases of each class of fixtures/oracle/diffusers*.jsonl.zst, one argument becomes invalid: null, a text, a list, a fraction, a
negative number, an unknown word, a list that is too long; or what test/gen/refused_rows.txt states. A line has the case, the change, and the
result of the class on the meta device: `why` it raises, or null if it builds the same tensors as the case. test/truth/components/refused.py
reads it.
Packages: src/data/import/requirements.txt
"""
import copy, json, os, random, signal, sys, warnings

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(ROOT, "src/data/learn"), os.path.join(ROOT, "test/support")]
warnings.simplefilter("ignore")
from oracle_fixtures import line, pack
from files import stored

PATH = "test/truth/components/refused/diffusers.jsonl.zst"


def argument(name, otherwise):
    return int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else otherwise


def rang(*_):
    raise TimeoutError()


def wrong(draw, value):
    """Replacements for a value, one of each kind."""
    if isinstance(value, bool): return [None]
    if isinstance(value, (int, float)): return [None, "x", [value], -value or -1, {"x": 1}] + [value + .5] * isinstance(value, int)
    if isinstance(value, str): return [None, "Nonsense", True, {"x": 1}]
    if isinstance(value, list) and value:
        i = draw.randrange(len(value))
        return [None, "x", value + value[-1:], value[:-1]] + [value[:i] + [x] + value[i + 1:] for x in (None, "Nonsense", -1)]
    return []


def built(builder, name, config):
    """Returns ({name: shape}, None), or (None, why it cannot be built)."""
    import torch
    signal.alarm(6)
    try:
        with torch.device("meta"): model = builder.classes[name].from_config(copy.deepcopy(config))
        return {n: list(t.shape) for n, t in model.state_dict().items()}, None
    except TimeoutError: return None, None
    except Exception as e: return None, type(e).__name__
    finally: signal.alarm(0)


def of_class(name, cases, wanted, seed):
    from draw_diffusers import ClassBuilder
    builder, draw = ClassBuilder(name), random.Random("%s %s" % (seed, name))
    signal.signal(signal.SIGALRM, rang)
    case = min(cases, key=lambda c: len(c["params"]))
    plain = json.loads(json.dumps(builder.default, default=str))
    config = {**plain, **{k: v for k, v in case["configs"]["whole"].items() if k in builder.kinds}}
    right, _ = built(builder, name, config)
    if not right: return
    left = {True: wanted, False: 1}
    tried = [(k, v) for k in config for v in wrong(draw, config[k])]
    draw.shuffle(tried)
    for key, value in tried:
        if not left[True] and not left[False]: break
        got, why = built(builder, name, {**config, key: value})
        if got is None and why is None or got is not None and got != right or not left[got is None]: continue
        left[got is None] -= 1
        yield {"case": case["case"], "change": {key: value}, "why": why}


def of_row(name, change, cases):
    """A change from test/gen/refused_rows.txt."""
    from draw_diffusers import ClassBuilder
    builder, case = ClassBuilder(name), min(cases, key=lambda c: len(c["params"]))
    plain = json.loads(json.dumps(builder.default, default=str))
    config = {**plain, **{k: v for k, v in case["configs"]["whole"].items() if k in builder.kinds}}
    right, _ = built(builder, name, config)
    got, why = built(builder, name, {**config, **change})
    if right and (why or got == right): yield {"case": case["case"], "change": change, "why": why}


def main():
    import diffusers
    diffusers.utils.logging.set_verbosity(50)
    by = {}
    for file in "diffusers", "diffusers_sizes":
        for case in stored(os.path.join(ROOT, "fixtures/oracle/%s.jsonl.zst" % file)): by.setdefault(case["class"], []).append(case)
    rows = [row for name in sorted(by) for row in of_class(name, by[name], argument("-n", 3), argument("-e", 1))]
    with open(os.path.join(ROOT, "test/gen/refused_rows.txt"), encoding="utf-8") as file:
        for name, change in (row.split(" ", 1) for row in file):
            rows += [r for r in of_row(name, json.loads(change), by[name]) if r not in rows]
    print("%s: %d cases%s" % (PATH, len(rows), "" if pack(PATH, "".join(map(line, rows)).encode()) else ", unchanged"))


main()
