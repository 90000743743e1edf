"""differential_cases.py -- a sample of `make differential`: some 2,000 mutants, with our and other readers'
verdicts.

The sample is fixed, so that a change in a reader is noticed immediately.
"""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "differential"))

import compare  # noqa: E402
from harness import same  # noqa: E402

GROUP = "mutants, numel and other readers"
COUNTS = {"safetensors": 2000, "llama.cpp": 1000, "gguf-py": 300, "json": 2000}


def agree(bench, name, count):
    tools = os.path.join(os.path.dirname(bench.numel), "tool")
    same("disagreements that no class explains", compare.run(tools, os.path.join(bench.folder, name), {name: count}), 0)


def run(bench):
    for name, count in COUNTS.items(): bench.case(GROUP, f"{name}, {count:,} mutants", agree, name, count)
