#!/usr/bin/env python3
"""oracle_fixtures.py [-c] [FOLDER] -- makes fixtures/oracle from the results of transformers and llama.cpp.

    hf.jsonl.zst   a line for each class or published model of NUMEL_SHARED/oracle/hf-*
    gguf.zst       the header-only files of NUMEL_SHARED/oracle/gguf, and the headers of gguf-full

fixtures/README.md describes both formats. Output depends only on the input; a file whose content would stay the same
is not rewritten, so another version of zstd changes nothing. -c writes nothing and fails if a fixture does not match
NUMEL_SHARED. own_cases.py makes the cases of own.jsonl.zst, which stays untouched.
"""
import glob, json, os, struct, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "truth"))
from oracle import FOLDERS, SHARED, class_of, defaults_by_type, dropped


def load(path):
    with open(path) as f:
        return json.load(f)


def unpacked(path):
    """The content of a compressed file; None if it does not exist."""
    if not os.path.exists(path):
        return None
    return subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout


def pack(path, content):
    """Writes content, compressed, unless the file already has it. Returns True if it wrote."""
    if unpacked(path) == content:
        return False
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with tempfile.NamedTemporaryFile() as plain:
        plain.write(content)
        plain.flush()
        subprocess.run(["zstd", "-qf", "--ultra", "-22", "--long=27", plain.name, "-o", path], check=True)
    os.chmod(path, 0o644)
    return True


def line(case):
    return json.dumps(case, separators=(",", ":"), ensure_ascii=True) + "\n"


# ---- cases of transformers -----------------------------------------------------------------------

def without_nothing(config):
    """Removes a class that is null: some configurations have "architectures": null."""
    return {k: v for k, v in config.items() if k != "architectures" or v}


def hf_case(folder, path, defaults):
    oracle = load(path)
    stem = os.path.basename(path)[:-len(".json")]
    configs = {"whole": oracle["config"]}
    if "diff_config" in oracle:
        configs["diff"] = oracle["diff_config"]
    configs["dropped"] = dropped(oracle["config"], defaults)
    configs = {form: without_nothing(c) for form, c in configs.items()}
    name = (configs["whole"].get("architectures") or [oracle.get("cls") or class_of(path)])[0]
    return {"case": f"{folder}/{stem}", "class": name, "configs": configs,
            **{key: oracle.get(key, {}) for key in ("params", "tied", "buffers")},
            **{key: oracle[key] for key in ("num_parameters", "non_embedding")}}


def hf_lines():
    defaults = defaults_by_type()
    return "".join(line(hf_case(folder, path, defaults)) for folder in FOLDERS
                   for path in sorted(glob.glob(os.path.join(SHARED, "oracle", folder, "*.json")))).encode()


# ---- headers of llama.cpp ------------------------------------------------------------------------

def gguf_header_bytes(data):
    """The length of a GGUF v3 header, up to the last tensor's entry."""
    sizes = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
    at = 24

    def u(form):
        nonlocal at
        at += struct.calcsize(form)
        return struct.unpack_from("<" + form, data, at - struct.calcsize(form))[0]

    def text():
        nonlocal at
        n = u("Q")
        at += n

    def value(kind):
        nonlocal at
        if kind == 8:
            text()
        elif kind == 9:
            inner, n = u("I"), u("Q")
            for _ in range(n):
                value(inner)
        else:
            at += sizes[kind]

    tensors, keys = struct.unpack_from("<QQ", data, 8)
    for _ in range(keys):
        text()
        value(u("I"))
    for _ in range(tensors):
        text()
        rank = u("I")
        at += 8 * rank + 4 + 8
    return at


def gguf_files():
    out = b""
    for folder in ("gguf", "gguf-full"):
        for path in sorted(glob.glob(os.path.join(SHARED, "oracle", folder, "*.gguf"))):
            with open(path, "rb") as f:
                data = f.read()
            data = data[:gguf_header_bytes(data)]
            out += f"{folder}/{os.path.basename(path)[:-5]} {len(data)}\n".encode() + data
    return out


def main():
    words = [a for a in sys.argv[1:] if a != "-c"]
    folder = words[0] if words else "fixtures/oracle"
    if not os.path.isdir(os.path.join(SHARED, "oracle")):
        print("skipped: no oracle in NUMEL_SHARED")
        return 0
    stale = 0
    for name, content in (("hf.jsonl.zst", hf_lines()), ("gguf.zst", gguf_files())):
        path = os.path.join(folder, name)
        if "-c" in sys.argv:
            same = unpacked(path) == content
            stale += not same
            print(f"{path}: {'as' if same else 'NOT as'} NUMEL_SHARED has it")
        else:
            written = pack(path, content)
            print(f"{path}: {os.path.getsize(path):,} bytes{'' if written else ', as it was'}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
