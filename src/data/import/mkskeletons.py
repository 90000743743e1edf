#!/usr/bin/env python3
"""usage: mkskeletons.py fixtures/oracle/*.jsonl.zst > skeletons.table

What classes of transformers and diffusers call their tensors, so that a file without config.json can be told by its names:
formula/skeleton.c reads it. A line a set of names: the classes that have it, joined by commas, as
MODEL_TYPE:CLASS (of diffusers both are the class), then five letters for each name: 30 bits of its hash, numbers between dots left out. Where several
classes have the same names the one that most files are of comes first.

Made of the cases of the truth: made anew when cases are added.
"""
import json, os, re, subprocess, sys

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-"
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../classes/usual.table")) as f:
    USUAL = [line.split()[0] for line in f if line[0] != "#"]
UNTOLD = ("UNetFlatConditionModel",)  # of one old pipeline; its names are near those of every UNet2DConditionModel
MOST = 400  # names of one class; the rest says nothing new


def skeleton(name):
    return re.sub(r"(^|(?<=\.))\d+(?=\.|$)", "#", name)


def digest(name):
    """FNV-1a of 32 bits, folded to 30."""
    h = 0x811C9DC5
    for byte in name.encode():
        h = (h ^ byte) * 0x01000193 & 0xFFFFFFFF
    return (h ^ h >> 30) & 0x3FFFFFFF


def letters(number):
    return "".join(LETTERS[number >> shift & 63] for shift in (24, 18, 12, 6, 0))


def cases(paths):
    for path in paths:
        plain = subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout
        for line in plain.splitlines():
            case = json.loads(line)
            config = case.get("configs", {}).get("whole")
            if not config: continue  # of llama.cpp, a single file, an adapter
            kind = config.get("_class_name") or config.get("model_type")
            if kind and case["class"] and kind not in UNTOLD:
                yield kind, case["class"], [
                    n for n in list(case["params"]) + list(case["buffers"]) if n not in case["tied"]]


def apart(names):
    """As published before transformers 5 put the experts of a layer into one tensor; nothing: it has none."""
    stacks = [n for n in names if n.endswith(".mlp.experts.gate_up_proj")]
    single = [n.replace("gate_up_proj", "0.%s_proj.weight" % w) for n in stacks for w in ("gate", "up", "down")]
    return [n for n in names if ".mlp.experts." not in n] + single if stacks else []


def digests_of(names): return tuple(sorted({digest(skeleton(n)) for n in names})[:MOST])


def main():
    classes = {}
    for kind, cls, names in cases(sys.argv[1:]):
        for digests in [digests_of(n) for n in (names, apart(names)) if n]:
            known = classes.setdefault(digests, [])
            if (kind, cls) not in known:
                known.append((kind, cls))
    print("# MODEL_TYPE:CLASS,... five letters a name; made by mkskeletons.py of fixtures/oracle")
    for digests, known in sorted(classes.items(), key=lambda x: x[1]):
        known.sort(key=lambda c: (USUAL.index(c[0]) if c[0] in USUAL else len(USUAL)))
        print(",".join("%s:%s" % c for c in known), "".join(letters(d) for d in digests))


if __name__ == "__main__": main()
