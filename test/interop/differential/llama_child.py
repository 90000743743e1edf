"""llama_child.py -- reads files from standard input, each after its length (u32), and answers each with a line of
JSON: the result of llama.cpp's gguf_init_from_file(), or its reason for refusing. The first line is its version.

A fork of the process that loaded the library does the reading: if it dies, as llama.cpp does on some files, the
answer is {"ended": signal}, and a new fork reads the next file.

Strings are "x" and hex, floats "d" and the bits of a double in hex. llama.cpp writes its reasons to standard
error, which is a file here.
"""
import importlib.metadata
import json
import os
import struct
import sys

os.environ["GGML_NO_BACKTRACE"] = "1"  # it would start a debugger
folder = sys.argv[1]
path, said = os.path.join(folder, "llama.gguf"), os.path.join(folder, "llama.txt")
answers = os.fdopen(os.dup(1), "w")
log = os.open(said, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
os.dup2(log, 2)
os.dup2(log, 1)

import cyllama.llama.llama_cpp as llama  # noqa: E402, it may print while loading


def encoded(v):
    if isinstance(v, bool): return v
    if isinstance(v, str): return "x" + v.encode("utf-8", "surrogateescape").hex()
    if isinstance(v, float): return "d" + struct.pack(">d", v).hex()
    return v


def value_of(c, i, key):
    """A list of values, or None if cyllama cannot show it (strings that are not UTF-8, arrays of numbers)."""
    try:
        v = c.get_value(key)
    except Exception:
        return None
    return None if v is None or isinstance(v, dict) else [encoded(x) for x in (v if isinstance(v, list) else [v])]


def read():
    try:
        c = llama.GGUFContext.from_file(path, True)
    except OSError:
        return {"why": os.pread(log, 2000, 0).decode(errors="replace").strip().replace("\n", "; ") or "refused without a word"}
    d = {"why": None, "start": c.data_offset, "file_version": c.version, "tensors": [], "pairs": []}
    try:
        for i in range(c.n_tensors):
            d["tensors"].append([c.get_tensor_name(i).encode().hex(), int(c.get_tensor_type(i)), c.get_tensor_offset(i), c.get_tensor_size(i)])
        for i in range(c.n_kv):
            key = c.get_key(i)
            d["pairs"].append([key.encode().hex(), int(c.get_kv_type(i)), value_of(c, i, key)])
    except UnicodeDecodeError:
        d["unread"] = True  # it was accepted; cyllama cannot show its names
    return d


def files():
    while True:
        head = sys.stdin.buffer.read(4)
        if len(head) < 4: return
        yield sys.stdin.buffer.read(struct.unpack("<I", head)[0])


class Reader:
    """A fork that reads files until one ends it."""

    def __init__(self):
        ask, self.asked = os.pipe()
        self.answer, answered = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.asked)
            os.close(self.answer)
            with os.fdopen(ask, "rb") as questions, os.fdopen(answered, "w") as replies:
                for _ in questions: print(json.dumps(read()), file=replies, flush=True)
            os._exit(0)
        os.close(ask)
        os.close(answered)
        self.replies = os.fdopen(self.answer)

    def end(self):
        os.close(self.asked)
        self.replies.close()
        return os.waitpid(self.pid, 0)[1]


def main():
    config = os.path.join(os.path.dirname(os.path.dirname(llama.__file__)), "build_config.json")
    with open(config, encoding="utf-8") as f: built = json.load(f)["versions"]["llama_cpp_version"]
    print(json.dumps({"version": f"llama.cpp {built} (cyllama {importlib.metadata.version('cyllama')})"}), file=answers, flush=True)
    reader = Reader()
    for file in files():
        with open(path, "wb") as f: f.write(file)
        os.ftruncate(log, 0)
        os.write(reader.asked, b"\n")
        line = reader.replies.readline()
        if not line:
            line = json.dumps({"ended": os.WTERMSIG(reader.end())}) + "\n"
            reader = Reader()
        answers.write(line)
        answers.flush()
    reader.end()


main()
