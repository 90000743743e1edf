"""src/data/learn without transformers: stored samples become specifications, and numel agrees with held-back
samples.

test/truth/learn/TYPE.json.xz was written by `learn.py TYPE --keep FILE`: each sample is a configuration and the
tensors that the class builds from it. Every fourth joint draw is held back; the specification learned from the
others must explain every name, be well formed, and give the total of each held-back sample. Samples without a
solution must not get one.

  B=build/release python3 test/truth/learn/run.py
"""
import glob
import json
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "src", "data", "learn"))
import judge
from learn import spec_of
from samples import Sample, load
from solve import Loop, Solver, Unsolved
from terms import divisible

NUMEL = os.path.join(os.environ.get("B", "build/release"), "numel")
failures = []


def check(ok, *what):
    if not ok: failures.append(" ".join(str(w) for w in what)[:400])


def config_of(sample, model_type):
    out = {"model_type": model_type, "architectures": [sample.env["class()"]]}
    for key, value in sample.env.items():
        if key == "class()": continue
        *path, last = key.split(".")
        at = out
        for part in path: at = at.setdefault(part, {})
        at[last] = value
    return out


def stored(path):
    samples, about = load(path)
    model_type = about["model_type"]
    joint = [i for i, s in enumerate(samples) if i and not s.keys]
    back = set(joint[::4])
    kept = [s for i, s in enumerate(samples) if i not in back]  # refs come before all joint draws
    text, unexplained = spec_of(kept, about["relevant"], model_type, about["prefixes"])
    check(not unexplained, model_type, "not explained", unexplained[:3])
    with tempfile.TemporaryDirectory() as folder:
        spec = os.path.join(folder, model_type + ".spec")
        with open(spec, "w", encoding="utf-8") as f: f.write(text)
        check(not judge.lint(NUMEL, spec), model_type, judge.lint(NUMEL, spec))
        for i in sorted(back):
            path = os.path.join(folder, "config.json")
            with open(path, "w", encoding="utf-8") as f: json.dump(config_of(samples[i], model_type), f)
            status, out, err = judge.run(NUMEL, "formula", "--json", "--spec", spec, path)
            said = json.loads(out).get("total") if status == 0 else err
            check(said == samples[i].total, model_type, samples[i].env["class()"], said, "is", samples[i].total)
    print(f"{model_type}: {len(kept)} samples, {len(back)} held back, {text.count(chr(10))} lines")


def solved(envs, values, loops=(), cells=None):
    solver = Solver([Sample(e, {}, 0) for e in envs], {k for e in envs for k in e})
    cells = cells or [(i, ()) for i in range(len(envs))]
    try: return solver.number(cells, values, list(loops))
    except Unsolved: return None


def answers():
    r = random.Random(1)
    envs = [dict(E=r.choice((48, 96, 144, 240)), H=r.choice((2, 3, 4)), f=r.choice((.5, 1.0, 1.4)), z=r.choice((224, 96, 225)),
                 p=r.choice((4, 16, 7)), flag=r.random() < .5) for _ in range(60)]
    of = lambda rule: [rule(e) for e in envs]
    plain = lambda text: text and text.replace("⟦", "").replace("⟧", "").replace(" ", "")
    check(plain(solved(envs, of(lambda e: 3 * e["E"] + 1))) == "3*E+1", "3*E+1")
    check(plain(solved(envs, of(lambda e: e["E"] // e["H"]))) in ("E/H", "floor_div(E,H)"), "E/H")
    check(plain(solved(envs, of(lambda e: divisible(e["f"], e["E"], 8)))) == "divisible(f,E,8)", "divisible")
    check(plain(solved(envs, of(lambda e: (e["z"] // e["p"]) ** 2 + 1))) == "floor_div(z,p)*floor_div(z,p)+1", "patches",
          plain(solved(envs, of(lambda e: (e["z"] // e["p"]) ** 2 + 1))))
    either = plain(solved(envs, of(lambda e: e["E"] if e["flag"] else 4 * e["H"])))
    check(either in ("(flag?E:4*H)", "(!flag?4*H:E)"), "a split", either)
    check(solved(envs, [r.randrange(1000) for _ in envs]) is None, "noise has no answer")
    check(solved([dict(a=1)] * 3, [1, 2, 3]) is None, "one configuration has no three answers")
    lists = [dict(W=tuple(r.choice((8, 24, 40)) for _ in range(3)), C=r.choice((1, 3, 4))) for _ in range(30)]
    cells = [(s, (i,)) for s in range(30) for i in range(3)]
    widths = [lists[s]["W"][i - 1] if i else lists[s]["C"] for s, (i,) in cells]
    loop = Loop("i", "len(⟦W⟧)", {(s, ()): 3 for s in range(30)})
    check(plain(solved(lists, widths, [loop], cells)) in ("(i==0?C:W[i-1])", "(i>0?W[i-1]:C)"), "the width before")


def main():
    answers()
    for path in sorted(glob.glob(os.path.join(HERE, "*.json.xz"))): stored(path)
    for f in failures: print("FAIL", f)
    return 1 if failures else 0


if __name__ == "__main__": sys.exit(main())
