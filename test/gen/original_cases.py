#!/usr/bin/env python3
"""original_cases.py [-v] [WORD...] | -g FOLDER -- makes fixtures/oracle/originals.jsonl.zst: diffusion models under their trainers' names.

Such files have no configuration. The truth is diffusers: it builds a model of the row's class and configuration on the meta device, and its
own converter (loaders/single_file_utils.py) must turn the names and shapes of the case into exactly that model's state dict. numel writes the
candidates: the few tensors of the row that a specification looks at go into a file, and reconcile lists the others as missing. What the
converter refuses does not become a case. If diffusers has no converter, original_converters.py may have one; else the shapes must be those of
the class, each as often. The row itself states what files hold without a rule for it (`beside`; `unruled`: the part of diffusers' class that
comes from that), and what is not a parameter (`buffers`).

A row is: name, specification, diffusers class, what differs from its defaults, converter, the tensors that decide. With a WORD, only rows
whose name contains it are checked, and nothing is written.

-g writes some of the fixture's cases as GGUF files (header only, for gguf_cases.py) as ComfyUI-GGUF's converter does: names unchanged; biases,
norms and one-dimensional tensors in F32, matrices in Q4_K or Q8_0; rows that are not multiples of a block are cut into rows of 256, and the
shape is kept as metadata.
Packages: src/data/import/requirements.txt
"""
import json, os, re, struct, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from oracle_fixtures import line, pack
from original_rows import ROWS
import original_converters

PATH = "fixtures/oracle/originals.jsonl.zst"
NUMEL = os.path.abspath(os.path.join(os.environ.get("B", "build/release"), "numel"))


def head_of(tensors):
    """A safetensors file's header, and the number of bytes after it."""
    at, entries = 0, {}
    for name, shape in tensors.items():
        n = 4
        for d in shape: n *= d
        entries[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + n]}
        at += n
    text = json.dumps(entries).encode()
    return struct.pack("<Q", len(text)) + text, at


def expected(spec, tensors):
    """All names and shapes that numel expects in addition to these."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        head, size = head_of(tensors)
        with open(path, "wb") as f:
            f.write(head)
            f.truncate(len(head) + size)
        out = subprocess.run([NUMEL, "reconcile", path, "--arch", spec, "--json"], capture_output=True, text=True)
    said = json.loads(out.stdout)
    if said.get("mismatched") or said.get("unexpected"):
        raise SystemExit(f"{spec}: {said['mismatched'][:2]} {said['unexpected'][:2]}")
    return {**{t["name"]: t["shape"] for t in said["missing"]}, **tensors}


def state_of(cls, config):
    import diffusers, torch
    with torch.device("meta"):
        model = getattr(diffusers, cls)(**config)
    return {n: tuple(t.shape) for n, t in model.state_dict().items()}


def converted(function, tensors, config):
    """The output of diffusers' converter."""
    import torch
    from diffusers.loaders import single_file_utils
    meta = {n: torch.empty(s, device="meta") for n, s in tensors.items()}
    made = getattr(single_file_utils, function, None) or getattr(original_converters, function)
    made = made(meta, config=config)
    return {n: tuple(t.shape) for n, t in made.items() if t is not None}


def case_of(row):
    """A line of the fixture; if something is wrong, its description instead."""
    tensors = expected(row["spec"], row["tensors"])
    beside = row.get("beside", [])
    judged = {n: s for n, s in tensors.items() if not any(re.fullmatch(b, n) for b in beside)}
    prefix = row.get("prefix", "")
    wanted = {n: s for n, s in state_of(row["class"], row["config"]).items() if not any(re.search(u + "$", n) for u in row.get("unruled", []))}
    if row["convert"]: made = converted(row["convert"], {prefix + n: s for n, s in judged.items()}, row["config"])
    else: made, wanted = ({i: x for i, x in enumerate(sorted(map(tuple, d.values())))} for d in (judged, wanted))
    if made != wanted:
        off = sorted(set(made.items()) ^ set(wanted.items()))
        return f"{len(off)} differ: {off[:6]}"
    buffers = {n: s for n, s in tensors.items() if any(re.fullmatch(b, n) for b in row.get("buffers", []))}
    plain = {n: s for n, s in tensors.items() if n not in buffers}
    count = 0
    for shape in plain.values():
        n = 1
        for d in shape: n *= d
        count += n
    return {"case": "original/" + row["name"], "class": None, "architecture": row["spec"], "configs": {}, "params": plain, "tied": {},
            "buffers": buffers, "num_parameters": count, "non_embedding": count}


ARCHITECTURES = {"flux": "flux", "chroma": "flux", "flux2": "flux2", "sd3": "sd3", "wan": "wan", "hunyuan_video": "hyvid", "ltxv": "ltxv",
                 "lumina2": "lumina2", "aura_flow": "aura"}
AS_GGUF = ["flux-dev", "flux-schnell", "chroma", "flux2-small", "sd3-small", "wan-small", "wan-small-vace", "hunyuan-video-t2v", "ltx-video-small",
           "lumina2", "z-image-small", "aura-flow-small"]
F32, F16, Q8_0, Q4_K = (0, 1, 4), (1, 1, 2), (8, 32, 34), (12, 256, 144)  # number, elements and bytes of a block


def text(s):
    return struct.pack("<Q", len(s)) + s.encode()


def as_gguf(architecture, tensors):
    pairs = [text("general.architecture") + struct.pack("<I", 8) + text(architecture)]
    infos, at = b"", 0
    for name, shape in tensors.items():
        n = 1
        for d in shape: n *= d
        kind, stored = F16, shape
        if len(shape) < 2 or name.endswith("bias"): kind = F32
        elif len(shape) == 2 and shape[1] % 256 == 0: kind = Q4_K
        elif len(shape) == 2 and shape[1] % 32 == 0: kind = Q8_0
        elif len(shape) < 5 and n % 256 == 0 and n > 4096:
            kind, stored = Q4_K, [n // 256, 256]
            pairs.append(text("comfy.gguf.orig_shape." + name) + struct.pack("<IIQ", 9, 5, len(shape)) + struct.pack(f"<{len(shape)}i", *shape))
        stored = stored or [1]
        infos += text(name) + struct.pack(f"<I{len(stored)}QIQ", len(stored), *reversed(stored), kind[0], at)
        at += -(-(n // kind[1] * kind[2]) // 32) * 32
    return b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(pairs)) + b"".join(pairs) + infos


def write_gguf(folder):
    from oracle_fixtures import unpacked
    for plain in unpacked(PATH).splitlines():
        case = json.loads(plain)
        name = case["case"].split("/")[1]
        if name not in AS_GGUF: continue
        with open(os.path.join(folder, f"original-{name}.gguf"), "wb") as f:
            f.write(as_gguf(ARCHITECTURES[case["architecture"]], {**case["params"], **case["buffers"]}))


def main():
    if sys.argv[1:2] == ["-g"]: return write_gguf(sys.argv[2])
    words = [w for w in sys.argv[1:] if w != "-v"]
    out, wrong = "", 0
    for row in ROWS:
        if words and not any(w in row["name"] for w in words): continue
        case = case_of(row)
        if isinstance(case, str):
            wrong += 1
            print(f"{row['name']}: {case}")
        else:
            out += line(case)
            if "-v" in sys.argv: print(f"{row['name']}: {case['num_parameters']:,}")
    if wrong: sys.exit(f"{wrong} rows give no case")
    if not words and pack(PATH, out.encode()): print(f"{PATH}: {out.count(chr(10))} cases")


main()
