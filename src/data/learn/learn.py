"""Learns specifications from the classes of transformers: a new class takes minutes.

  python src/data/learn/learn.py TYPE[:CLASS,...]... [--out DIR] [--numel BIN] [--seconds N] [--seed N] [--parts] [--start FILE] [--keep FILE]
  python src/data/learn/learn.py --diffusers CLASS...

TYPE is a model_type. All classes of its modeling file are learned together, or only those named.
DIR/TYPE.spec is written, linted and judged on draws that were not used for learning; misses are added to
the samples and the spec is judged again, at most twice. The last line for each type is the result.
Needs src/data/import/requirements.txt; neither the build nor users need this folder. `--keep` stores the
samples, as in test/truth/learn.

How it works: draw.py builds a class with many configurations; samples.py holds the results; tree.py folds
names into loops; solve.py finds, for each size, count and presence, an expression that holds in all
samples (made from terms.py); write.py writes it in the spec language; and judge.py asks numel. Of a
modeling file, only the words that a key may have are read.

Limits: nested configurations are learned with the types of their defaults (`--parts` writes a `part` line
for a model that has a type of its own); widths that only code defines (MobileNet's table) become numbers.
It does not learn indices that run through nested loops; conditions that combine an iteration of one loop
with widths of another (ResNet's shortcut takes longer than its time); names as saved, older names, GGUF
names, print sections; `default` lines for keys that a configuration omits. Tensors that nothing explains
are omitted and listed.
"""
import argparse
import json
import os
import sys
import time

from judge import agrees, lint
from samples import BASE, store
from solve import Solver
from tree import Tree
from write import Writer

ROUNDS, FRESH = 3, 16


def arguments():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("types", nargs="+", metavar="TYPE[:CLASS,...]")
    a.add_argument("--out", default=".", help="the folder that specifications go to")
    a.add_argument("--numel", default="build/release/numel", help="the command that judges")
    a.add_argument("--seconds", type=float, default=60, help="for the draws of a type")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--parts", action="store_true", help="models of other types become `part` lines")
    a.add_argument("--diffusers", action="store_true", help="TYPE is a class of diffusers")
    a.add_argument("--start", help="configurations by TYPE, for what cannot be built of its defaults (.json)")
    a.add_argument("--keep", help="store the samples in this file (.json.xz)")
    return a.parse_args()


def spec_of(samples, relevant, model_type, prefixes, own=lambda key: True, parts=(), match="model_type", arch=None):
    """(text, failures): the spec that these samples give. Does not need transformers."""
    solver = Solver(samples, relevant, own)
    tree = Tree(samples, solver)
    items = tree.learn()
    base = next((c for c, p in prefixes.items() if not p), next(iter(prefixes)))
    about = [f"{', '.join(prefixes)}: learned from {len(samples)} builds by src/data/learn."]
    about += [f"Not explained: {name}" for name, _ in tree.failures]
    return Writer(model_type, list(prefixes), base, prefixes, match=match, arch=arch).text(items, list(parts), about), tree.failures


def part_lines(builder):
    out = []
    for (key, name, inner), classes in sorted(builder.parts.items()):
        for cls in sorted(classes):
            out += [f'if class() == "{cls}"', f' part {key} as {builder.named(name, cls)} class="{inner}"', "end"]
    return out


def rows_of(builder, sample):
    cls = sample.env["class()"]
    rows = [(builder.named(n, cls), t[0]) for n, t in sample.tensors.items() if t[2] is None]
    return [(n, shape, "I64" if n.endswith("num_batches_tracked") else "F32") for n, shape in rows + list(sample.towers.items())]


def judged(builder, draws, numel, spec):
    """(number of fresh draws that agree, misses with the reason)"""
    good, bad = 0, []
    for _ in range(FRESH):
        sample = draws.joint()
        if sample is None: continue
        changes = {k: v for k, v in sample.changes.items() if k != "class()"}
        text = builder.text(changes, sample.env["class()"])
        wrong = agrees(numel, spec, text, rows_of(builder, sample), sample.total)
        if wrong: bad.append((sample, wrong))
        else: good += 1
    return good, bad


def builder_of(model_type, classes, o):
    """(builder of the classes, name of their spec)"""
    start = None
    if o.start:
        with open(o.start, encoding="utf-8") as f: start = json.load(f).get(model_type)
    if o.diffusers:
        from draw_diffusers import ClassBuilder, arch
        return ClassBuilder(model_type, start), arch(model_type)
    from draw import Builder, classes_of
    builder = Builder(model_type, classes or classes_of(model_type), start)
    builder.with_parts = o.parts
    return builder, model_type


def learn(model_type, classes, o):
    from draw import Draws
    start = time.monotonic()
    builder, arch = builder_of(model_type, classes, o)
    draws = Draws(builder, o.seed, o.seconds)
    samples = draws.all()
    relevant = set(draws.relevant) | {k for link in draws.links for k in link}
    if o.keep: store(o.keep, samples, dict(model_type=model_type, prefixes=builder.prefixes, relevant=sorted(relevant)))
    path = os.path.join(o.out, arch + ".spec")
    for turn in range(ROUNDS):
        text, failures = spec_of(samples, relevant, model_type, builder.prefixes, lambda k: k in builder.fields,
                                 part_lines(builder), builder.match, arch)
        with open(path, "w", encoding="utf-8") as f: f.write(text)
        complaints = lint(o.numel, path)
        good, bad = judged(builder, draws, o.numel, path)
        if complaints or not bad or failures: break
        samples = samples + [s for s, _ in bad]
    for name, why in failures[:8]: print("  not explained:", name, "--", why)
    for line in complaints.split("\n")[:6] if complaints else []: print("  lint:", line)
    for sample, wrong in bad[:4]: print("  miss:", sample.env["class()"], wrong)
    print(f"{model_type}: {'pass' if not (failures or complaints or bad) else 'FAIL'}, {good} of {good + len(bad)} fresh draws, "
          f"{len(builder.prefixes)} classes, {len(samples)} samples of {builder.builds} builds, {text.count(chr(10))} lines, "
          f"round {turn + 1}, {time.monotonic() - start:.0f} s", flush=True)
    return not (failures or complaints or bad)


def main():
    o = arguments()
    os.makedirs(o.out, exist_ok=True)
    fine = True
    for word in o.types:
        model_type, _, classes = word.partition(":")
        try: fine &= learn(model_type, classes.split(",") if classes else None, o)
        except RuntimeError as e: fine = print(f"{model_type}: FAIL, {e}", flush=True)
    return 0 if fine else 1


if __name__ == "__main__": sys.exit(main())
