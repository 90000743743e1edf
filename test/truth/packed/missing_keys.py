#!/usr/bin/env python3
"""missing_keys.py -- drops every key of every fixture's configuration in turn: numel formula works, or its message
names the key and the option that sets it, never a specification or its line."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

GOOD = re.compile(r"config\.json: the configuration has no ([\w.]+); (give it with --set \1=|name the architecture with --arch )")


def without(doc, path=()):
    for key in list(doc):
        value = doc.pop(key)
        yield path + (key,)
        doc[key] = value
        if isinstance(value, dict):
            yield from without(value, path + (key,))


def main():
    numel, told, bad = os.path.join(os.environ["B"], "numel"), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "config.json")
        for name in sorted(glob.glob("fixtures/*/config.json")):
            doc = json.load(open(name))
            for key in without(doc):
                json.dump(doc, open(path, "w"))
                r = subprocess.run([numel, "formula", "-q", path], capture_output=True, text=True)
                told += r.returncode != 0
                if r.returncode and (not GOOD.search(r.stderr) or ".spec" in r.stderr or "line " in r.stderr):
                    bad += 1
                    print(f"{name} without {'.'.join(key)}: {r.stderr.strip()}")
    print(f"missing_keys: {told} keys are requested by name" if not bad and told else "missing_keys: FAILED")
    return bool(bad or not told)


sys.exit(main())
