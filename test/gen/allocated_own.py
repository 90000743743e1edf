#!/usr/bin/env python3
"""allocated_own.py [-o FILE] [-c PROGRAM] [NAME...] -- makes fixtures/memory/allocated.jsonl.zst: what llama.cpp allocates for
contexts of the models in fixtures/oracle/gguf2.zst, in the form of llamacpp.jsonl.zst.

LLAMA_CPP_LIB_PATH names another build of llama-cpp-python's library. Each header becomes a file with a hole for its data and is
loaded; sizes are read from the log, whose two decimals determine whole rows as long as there are tens of thousands of them. States of
recurrent layers are too small for that, so such models are left out, as are those whose header the loader refuses. -c avoids this:
PROGRAM is allocated_context.cpp compiled, which prints exact bytes and does not need llama-cpp-python. Each model runs in its own
process, because some abort afterwards. With NAME, only these cases are made again.
Packages: test/gen/requirements/llama.txt
"""
import argparse, json, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from oracle_fixtures import pack, unpacked

PATH, HEADERS, HOLE = "fixtures/memory/allocated.jsonl.zst", "fixtures/oracle/gguf2.zst", 96 << 20
CONTEXTS = [{"tokens": 131072, "ubatch": 512, "sequences": 64, "unified": False, "swa_full": False, "k": "f16", "v": "f16", "flash": True},
            {"tokens": 65536, "ubatch": 512, "sequences": 1, "unified": False, "swa_full": True, "k": "f16", "v": "f16", "flash": True}]
EXACT = [{"tokens": 4096, "ubatch": 512, "sequences": 1, "unified": False, "swa_full": True, "k": "f16", "v": "f16", "flash": True},
         {"tokens": 3000, "ubatch": 256, "sequences": 3, "unified": False, "swa_full": False, "k": "f16", "v": "f16", "flash": True},
         {"tokens": 2560, "ubatch": 128, "sequences": 2, "unified": True, "swa_full": False, "k": "f16", "v": "f16", "flash": True}]
SIZE = re.compile(r"size = *([0-9.]+) MiB \( *([0-9]+) cells, *[0-9]+ layers, *[0-9]+/([0-9]+) seqs\)")


def headers():
    rest = unpacked(HEADERS)
    while rest:
        line, rest = rest.split(b"\n", 1)
        name, size = line.decode().split(" ")
        yield name.partition("/")[2], rest[:int(size)]
        rest = rest[int(size):]


def metadata(path):
    """The metadata without vocabularies, and the number of rows of the embedding table."""
    import gguf
    reader = gguf.GGUFReader(path)
    keys = {k: f.contents() for k, f in reader.fields.items() if not k.startswith(("GGUF.", "tokenizer.", "general."))}
    arch = reader.fields["general.architecture"].contents()
    rows = [int(t.shape[1]) for t in reader.tensors if t.name == "token_embd.weight"]
    if rows: keys.setdefault(arch + ".vocab_size", rows[0])
    return {"general.architecture": arch, **keys}, "tokenizer.ggml.model" in reader.fields


def child(path, context):
    """Prints the lines of the log that show sizes; the process may die after them."""
    import ctypes
    import llama_cpp as C

    @C.llama_log_callback
    def log(level, text, _):
        text = text.decode("utf8", "replace")
        if "llama_kv_cache: size" in text or "RS buffer" in text: os.write(1, text.encode())

    C.llama_log_set(log, ctypes.c_void_p(0))
    C.llama_backend_init()
    keys, tokenizer = metadata(path)
    params = C.llama_model_default_params()
    params.n_gpu_layers = 0
    if not tokenizer:
        given = (C.llama_model_kv_override * 3)()
        given[0].key, given[0].tag, given[0].value.val_str = b"tokenizer.ggml.model", 3, b"none"
        given[1].key, given[1].tag = (keys["general.architecture"] + ".vocab_size").encode(), 0
        given[1].value.val_i64 = keys.get(keys["general.architecture"] + ".vocab_size", 0)
        params.kv_overrides = given
    model = C.llama_model_load_from_file(path.encode(), params)
    if not model: return
    c = C.llama_context_default_params()
    c.n_ctx, c.n_ubatch, c.n_batch, c.n_seq_max = context["tokens"], context["ubatch"], context["ubatch"], context["sequences"]
    c.kv_unified, c.swa_full, c.flash_attn_type, c.n_threads = context["unified"], context["swa_full"], 1, 1
    C.llama_init_from_model(model, c)


def allocated(path, context):
    """The size in bytes; None if the log does not show it."""
    log = subprocess.run([sys.executable, __file__, "--child", path, json.dumps(context)], capture_output=True, text=True,
                         env={**os.environ, "GGML_NO_BACKTRACE": "1"}).stdout
    if "RS buffer" in log: return None
    total = 0
    for mib, cells, streams in SIZE.findall(log):
        rows = 2 * int(cells) * int(streams)
        total += round(float(mib) * 2**20 / rows) * rows
    return total or None


def exactly(path, program):
    """What PROGRAM prints for EXACT; None if it makes no context."""
    keys, tokenizer = metadata(path)
    arch = keys["general.architecture"]
    said = [str(int(c[k])) for c in EXACT for k in ("tokens", "ubatch", "sequences", "unified", "swa_full")]
    lines = subprocess.run([program, path, arch, "-1" if tokenizer else str(keys.get(arch + ".vocab_size", 0)), *said],
                           capture_output=True, text=True, env={**os.environ, "GGML_NO_BACKTRACE": "1"}).stdout.split()
    return [{**c, "bytes": int(n) if n.isdigit() else None} for c, n in zip(EXACT, lines)]


def case_of(name, data, folder, program):
    path = os.path.join(folder, "model.gguf")
    with open(path, "wb") as f: f.write(data)
    os.truncate(path, len(data) + HOLE)
    contexts = exactly(path, program) if program else [{**c, "bytes": allocated(path, c)} for c in CONTEXTS]
    contexts = [c for c in contexts if c["bytes"]]
    if not contexts: return None
    return {"case": "llama.cpp:" + name, "metadata": metadata(path)[0], "contexts": contexts}


def main():
    if sys.argv[1:2] == ["--child"]: return child(sys.argv[2], json.loads(sys.argv[3]))
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", default=PATH)
    parser.add_argument("-c", metavar="PROGRAM")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    made = {}
    if os.path.exists(given.o) and given.names:
        for text in unpacked(given.o).splitlines(): made[json.loads(text)["case"]] = json.loads(text)
    with tempfile.TemporaryDirectory() as folder:
        for name, data in headers():
            if given.names and name not in given.names: continue
            case = case_of(name, data, folder, given.c)
            if case: made[case["case"]] = case
            print("ok  " if case else "none", name, *(c["bytes"] for c in case["contexts"]) if case else (), flush=True)
    pack(given.o, "".join(json.dumps(made[n], separators=(",", ":")) + "\n" for n in sorted(made)).encode())


if __name__ == "__main__": sys.exit(main())
