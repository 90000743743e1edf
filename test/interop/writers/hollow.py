"""hollow.py -- checkpoints reduced to headers and small tensors.

hollow(source, target) copies a checkpoint's folder: of safetensors and GGUF files the header, byte for byte, and
of a safetensors file the tensors of integers and bytes up to KEEP bytes (what an exact count may need: a
quant_state, a weight_shape, HQQ's scalars); everything else is a hole of the same size. Files that describe how
the checkpoint was made are copied too.
"""
import glob, json, os, shutil, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import files

KEEP = 512
SIDE = ("config.json", "quantize_config.json", "quant_config.json", "hf_quant_config.json", "quanto_qmap.json",
        "quantization_config.json", "recipe.yaml", "model.safetensors.index.json", "adapter_config.json",
        "quant_log.csv", "params.json")


def hollow_safetensors(source, target):
    header, start = files.opened(source)
    with open(source, "rb") as f, open(target, "wb") as g:
        g.write(f.read(start))
        for name, t in header.items():
            if name == "__metadata__":
                continue
            a, b = t["data_offsets"]
            if b - a <= KEEP and t["dtype"][0] in "IU":
                f.seek(start + a)
                g.seek(start + a)
                g.write(f.read(b - a))
        g.truncate(os.path.getsize(source))


def hollow_gguf(source, target):
    import gguf
    at = gguf.GGUFReader(source).data_offset
    with open(source, "rb") as f, open(target, "wb") as g:
        g.write(f.read(at))
        g.truncate(os.path.getsize(source))


def hollow(source, target):
    shutil.rmtree(target, ignore_errors=True)
    os.makedirs(target)
    for path in sorted(glob.glob(os.path.join(source, "*"))):
        name = os.path.basename(path)
        if name.endswith(".safetensors"):
            hollow_safetensors(path, os.path.join(target, name))
        elif name.endswith(".gguf"):
            hollow_gguf(path, os.path.join(target, name))
        elif name in SIDE:
            shutil.copyfile(path, os.path.join(target, name))
    path = os.path.join(target, "config.json")
    if os.path.exists(path):  # this states only where it was loaded from, which is useless elsewhere
        with open(path) as f:
            config = json.load(f)
        config.pop("_name_or_path", None)
        with open(path, "w") as f:
            json.dump(config, f, indent=1, sort_keys=True)


# ---- falsified copies ------------------------------------------------------------------------------

def names(folder):
    return [n for path in sorted(glob.glob(os.path.join(folder, "*.safetensors"))) for n in files.opened(path)[0]
            if n != "__metadata__"]


def configurations(folder):
    return [p for p in (os.path.join(folder, n) for n in SIDE) if p.endswith(".json") and os.path.exists(p)
            and not p.endswith("index.json")]


def each_number(node, words, change):
    """Counts the numbers under those names at any depth; change(n) replaces them."""
    found = 0
    for key, v in list(node.items() if isinstance(node, dict) else enumerate(node)):
        if isinstance(v, (dict, list)):
            found += each_number(v, words, change)
        elif key in words and isinstance(v, int) and not isinstance(v, bool) and v > 0:
            node[key] = change(v)
            found += 1
    return found


def numbers(folder, words):
    return sum(each_number(json.load(open(p)), words, lambda n: n) for p in configurations(folder))


class Copy:
    """A hollow checkpoint to be falsified."""

    def __init__(self, folder):
        self.folder = folder

    def drop(self, gone):
        for path in glob.glob(os.path.join(self.folder, "*.safetensors")):
            without(path, set(gone))

    def say(self, words, change):
        for path in configurations(self.folder):
            with open(path) as f:
                said = json.load(f)
            each_number(said, words, change)
            with open(path, "w") as f:
                json.dump(said, f)


def without(path, gone):
    """Rewrites the file without those tensors: the others keep their small data, and there are no gaps."""
    entries, start = files.opened(path)
    metadata, kept, data = entries.pop("__metadata__", {"format": "pt"}), [], {}
    with open(path, "rb") as f:
        for name, t in sorted(entries.items(), key=lambda e: e[1]["data_offsets"]):
            if name in gone:
                continue
            a, b = t["data_offsets"]
            kept.append((name, t["dtype"], t["shape"]))
            if b - a <= KEEP:
                f.seek(start + a)
                data[name] = f.read(b - a)
    files.sparse(path, kept, metadata, data)


def altered(source, target, change):
    hollow(source, target)
    change(Copy(target))
