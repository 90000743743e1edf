#!/usr/bin/env python3
"""run.py -- injected faults: each is found at its level, and good checkpoints have no finding.

    B=build/release python3 test/robust/faults/run.py [FILTER]

The good checkpoints are made by the project's own generator (tool/mkhead --data) from the descriptions in this
folder. Prints one line per fault; the last line counts.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import faults_content
import faults_gguf
import faults_safetensors
from harness import Suite

HERE = os.path.dirname(os.path.abspath(__file__))
MKHEAD = os.path.join(os.path.abspath(os.environ.get("B", "build/release")), "tool", "mkhead")


def make_good(work):
    goods = {}
    for name in ("llama", "mixtral", "gguf", "gguf-moe"):
        goods[name] = os.path.join(work, name)
        subprocess.run([MKHEAD, "-q", "--data", os.path.join(HERE, f"{name}.txt"), goods[name]],
                       check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(HERE, "config.json")) as f:
        config = json.load(f)
    mixtral = dict(config, architectures=["MixtralForCausalLM"], model_type="mixtral",
                   vocab_size=128, num_hidden_layers=2, intermediate_size=96, num_local_experts=4,
                   num_experts_per_tok=2)
    for name, value in (("llama", config), ("mixtral", mixtral)):
        with open(os.path.join(goods[name], "config.json"), "w") as f:
            json.dump(value, f)
    return goods


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    with tempfile.TemporaryDirectory() as work:
        suite = Suite(work)
        faults_safetensors.define(suite)
        faults_gguf.define(suite)
        faults_content.define(suite)
        goods = make_good(work)
        for name, folder in goods.items():
            suite.run_good(name, folder)
        for fault in suite.faults:
            if wanted in fault[1]:
                suite.run_fault(goods, fault)
        return suite.report()


if __name__ == "__main__": sys.exit(main())
