#!/usr/bin/env python3
"""allocated_said.py PROGRAM [CASES] -- makes fixtures/memory/said.jsonl.zst: what llama.cpp allocates for windows and widths that no
published file has (periods, lists, defaults), in the form of llamacpp.jsonl.zst.

PROGRAM is allocated_context.cpp compiled. Headers need no tensors: the model is made from its metadata, without memory. CASES are lines
of {"case", "metadata"} to add; all cases are measured again.
Packages: test/gen/requirements/llama.txt
"""
import json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from oracle_fixtures import pack, unpacked

PATH = "fixtures/memory/said.jsonl.zst"
CONTEXTS = [{"tokens": 32768, "ubatch": 64, "sequences": 1, "unified": False, "swa_full": False, "k": "f16", "v": "f16", "flash": True},
            {"tokens": 20000, "ubatch": 512, "sequences": 3, "unified": True, "swa_full": False, "k": "f16", "v": "f16", "flash": True},
            {"tokens": 4096, "ubatch": 512, "sequences": 1, "unified": False, "swa_full": True, "k": "f16", "v": "f16", "flash": True}]


def write(path, metadata):
    import gguf
    writer = gguf.GGUFWriter(path, metadata["general.architecture"])
    writer.add_string("tokenizer.ggml.model", "none")
    for key, value in metadata.items():
        if key == "general.architecture": continue
        if isinstance(value, list): writer.add_array(key, value)
        elif isinstance(value, bool): writer.add_bool(key, value)
        elif isinstance(value, int): writer.add_uint32(key, value)
        elif isinstance(value, float): writer.add_float32(key, value)
        else: writer.add_string(key, value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def allocated(program, metadata, folder):
    path = os.path.join(folder, "model.gguf")
    write(path, metadata)
    said = [str(int(c[k])) for c in CONTEXTS for k in ("tokens", "ubatch", "sequences", "unified", "swa_full")]
    lines = subprocess.run([program, path, metadata["general.architecture"], "metadata", *said], capture_output=True, text=True,
                           env={**os.environ, "GGML_NO_BACKTRACE": "1"}).stdout.split()
    return [{**c, "bytes": int(n)} for c, n in zip(CONTEXTS, lines) if n.isdigit()]


def main():
    known = unpacked(PATH).decode().splitlines() if os.path.exists(PATH) else []
    added = open(sys.argv[2]).read().splitlines() if len(sys.argv) > 2 else []
    cases = {}
    with tempfile.TemporaryDirectory() as folder:
        for case in map(json.loads, known + added):
            contexts = allocated(sys.argv[1], case["metadata"], folder)
            if len(contexts) < len(CONTEXTS): raise SystemExit("%s: it does not load" % case["case"])
            cases[case["case"]] = {"case": case["case"], "metadata": case["metadata"], "contexts": contexts}
    pack(PATH, "".join(json.dumps(cases[n], separators=(",", ":")) + "\n" for n in sorted(cases)).encode())
    print(PATH, len(cases), "cases")


if __name__ == "__main__": main()
