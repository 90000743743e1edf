"""run.py -- all interoperation cases.    run.py NUMEL FOLDER

FOLDER is emptied first, and keeps every file for inspection after a failure.
"""
import importlib.metadata
import logging
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import behead_cases
import diff_cases
import differential_cases
import gguf_cases
import others_cases
import quantize_cases
import safetensors_cases
import values_cases
from harness import Bench


def main():
    numel, folder = sys.argv[1:3]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    logging.disable(logging.WARNING)
    print(", ".join(f"{p} {importlib.metadata.version(p)}"
                    for p in ("safetensors", "gguf", "numpy", "ml_dtypes")))
    bench = Bench(numel, folder)
    for part in (safetensors_cases, gguf_cases, behead_cases, diff_cases, values_cases, others_cases,
                 quantize_cases, differential_cases):
        part.run(bench)
    return bench.report()


sys.exit(main())
