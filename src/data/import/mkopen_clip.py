#!/usr/bin/env python3
"""usage: mkopen_clip.py CASES > open_clip.table

open_clip's own models, one line each, like the architectures in timm.table. With it, tensors identify a
file without a configuration (formula/timm.c):

    open_clip/NAME open_clip id="HEX" timm="open_clip" KEY=JSON... [model_cfg>open_clip.TOWER]

The keys are those of model_cfg that its spec reads: from vision_cfg as v/KEY, from text_cfg as t/KEY, from
multimodal_cfg as m/KEY. A timm tower is a part, with its defaults in the line open_clip.TOWER. CASES is
the output of `test/gen/open_clip_cases.py -a CASES`: all models that open_clip has by name, as it builds
them.
"""
import glob, json, os, re, sys

from mktimm import DATA, identity, short

PARTS = {"vision_cfg": "v/", "text_cfg": "t/", "multimodal_cfg": "m/"}


def asked():
    """The quoted keys of the spec and its blocks."""
    texts = [open(p).read() for p in glob.glob(os.path.join(DATA, "*/vision/open_clip*.spec"))]
    return set(re.findall(r'"(\w+)"', " ".join(texts)))


def words(model, keys):
    for key, value in sorted(model.items()):
        inner = sorted(value.items()) if key in PARTS else [(key, value)]
        for k, v in inner:
            if k in keys: yield "%s%s=%s" % (PARTS.get(key, ""), k, short(v.split(".")[0] if k == "timm_model_name" else v))


def main():
    keys, lines = asked(), set()
    for text in open(sys.argv[1]):
        case = json.loads(text)
        model = case["configs"]["dropped"]["model_cfg"]
        known = {"params": list(case["params"].items()), "buffers": list(case["buffers"].items())}
        line = [case["case"], "open_clip", 'id="%s"' % identity(known), 'timm="open_clip"', *words(model, keys)]
        tower = model["vision_cfg"].get("timm_model_name", "").split(".")[0]
        if tower:
            line.append("model_cfg>open_clip." + tower)
            lines.add("open_clip.%s open_clip vision_cfg>%s" % (tower, tower))
        assert not any(" " in w for w in line), line
        lines.add(" ".join(line))
    print("# open_clip/NAME open_clip key=JSON...")
    print("# Made by mkopen_clip.py from the models of open_clip.")
    for line in sorted(lines): print(line)


main()
