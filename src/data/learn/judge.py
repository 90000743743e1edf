"""Asks numel about a spec: is it well formed, and does it agree with samples that were not learned from?"""
import json
import math
import os
import struct
import subprocess
import tempfile


def run(numel, *words):
    p = subprocess.run([numel, *words], capture_output=True, text=True, timeout=120)
    return p.returncode, p.stdout, p.stderr


def lint(numel, spec):
    """Complaints, or ""."""
    status, out, err = run(numel, "spec", "lint", spec)
    return (out + err).strip() if status else ""


def header(path, rows):
    """Writes a safetensors file with these names and shapes; its data is a hole."""
    size, head = 0, {}
    for name, shape, kind in rows:
        length = math.prod(shape) * (8 if kind == "I64" else 4)
        head[name] = dict(dtype=kind, shape=list(shape), data_offsets=[size, size + length])
        size += length
    text = json.dumps(head).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        f.truncate(8 + len(text) + size)


def agrees(numel, spec, config, rows, total):
    """None, or what is wrong: names, shapes and the total of the formula must all be right."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "config.json")
        with open(path, "w", encoding="utf-8") as f: f.write(config)
        status, out, err = run(numel, "formula", "--json", "--spec", spec, path)
        said = json.loads(out).get("total") if status == 0 and out else None
        wrong = None if said == total else f"formula says {said}, the class has {total} {err.strip()[-160:]}"
        header(os.path.join(folder, "model.safetensors"), rows)
        status, out, err = run(numel, "reconcile", "--json", "--spec", spec, folder)
    if status == 0: return wrong
    try: said = json.loads(out)
    except ValueError: return err.strip()[-200:]
    shown = {k: [x.get("name") for x in said.get(k) or []][:3] for k in ("missing", "unexpected", "mismatched")}
    return (wrong or "") + " reconcile: " + ", ".join(f"{k} {v}" for k, v in shown.items() if v)
