"""Makes fixtures/memory/llamacpp.jsonl.zst from NUMEL_SHARED/memory/llamacpp.jsonl.zst: llama.cpp's allocations for
contexts.

Packages: test/gen/requirements/llama.txt
"""
import json
import os
import re

import zstandard

SHARED = os.environ.get("NUMEL_SHARED", "../shared")


def context(row):
    return {"tokens": row["n_ctx"], "ubatch": row["n_ubatch"], "sequences": row["n_seq_max"],
            "unified": bool(row["unified"]), "swa_full": bool(row["swa_full"]), "k": row["type_k"], "v": row["type_v"],
            "flash": row["fa"] != 0, "bytes": row["context_bytes"]}


def main():
    with open(f"{SHARED}/memory/llamacpp.jsonl.zst", "rb") as f:
        rows = [json.loads(x) for x in zstandard.ZstdDecompressor().stream_reader(f).read().splitlines()]
    cases = {}
    for row in rows:
        name = row["name"]
        if row["kind"] == "model":
            cases[name] = {"case": "llama.cpp:" + re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-"),
                           "metadata": row["kv"], "contexts": []}
        else:
            cases[name]["contexts"].append(context(row))
    text = "".join(json.dumps(c, separators=(",", ":")) + "\n" for c in cases.values())
    with open("fixtures/memory/llamacpp.jsonl.zst", "wb") as f:
        f.write(zstandard.ZstdCompressor(level=19).compress(text.encode()))
    print(len(cases), "cases")


if __name__ == "__main__":
    main()
