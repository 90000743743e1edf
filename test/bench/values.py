#!/usr/bin/env python3
"""values.py -- `numel diff --values` of each GGUF block type against F32, and gguf's own code. Prints; asserts nothing
about time.

    make bench-values        B=build/release RUNS=5 PYTHON=build/venv/bin/python python3 test/bench/values.py [TYPE...]

Each file has one matrix of 33,554,432 numbers, in F32 or in random blocks of a type. In turns, RUNS times: numel, in one
thread, as a whole process, reads both files, computes the numbers and their distances; gguf.quants.dequantize computes
the numbers of blocks that are in memory already, without starting Python. Columns: the least CPU (user and system), and
megabytes (1,000,000) of plain numbers, four bytes each, a second of it. PYTHON has gguf; `make interop` makes the default.
"""
import os
import subprocess
import sys
import time

from peers import BENCH, BUILD, machine, one_run

PYTHON = os.environ.get("PYTHON", "build/venv/bin/python")
RUNS = int(os.environ.get("RUNS", "5"))
ROWS, COLUMNS = 8192, 4096
MEGABYTES = ROWS * COLUMNS * 4 / 1e6
TYPES = ("Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ1_S IQ1_M IQ2_XXS IQ2_XS IQ2_S IQ3_XXS IQ3_S IQ4_NL IQ4_XS "
         "TQ1_0 TQ2_0 MXFP4 NVFP4").split()


# ---- with gguf


def write(path, kind):
    import gguf
    import numpy as np
    random = np.random.default_rng(1)
    if kind == "F32":
        data = random.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    else:
        elements, size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[kind]]
        data = random.integers(0, 0x38, (ROWS, COLUMNS // elements * size), np.uint8)  # no scale is infinite or NaN
    out = gguf.GGUFWriter(path, "llama")
    out.add_tensor("output.weight", data, raw_dtype=gguf.GGMLQuantizationType[kind])
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def dequantize(path):
    import gguf
    import numpy as np
    tensor = gguf.GGUFReader(path).tensors[0]
    blocks = np.array(tensor.data)
    start = time.process_time()
    gguf.quants.dequantize(blocks, tensor.tensor_type)
    print(time.process_time() - start)


# ---- without


def python(*arguments):
    return subprocess.run([PYTHON, __file__, *arguments], check=True, capture_output=True, text=True).stdout


def row(kind, plain):
    path = str(BENCH / f"values-{kind}.gguf")
    python("write", path, kind)
    ours, theirs = [], []
    for _ in range(RUNS):
        ours.append(one_run([str(BUILD / "numel"), "diff", "--values", "--jobs", "1", plain, path])[0])
        theirs.append(float(python("dequantize", path)))
    os.remove(path)
    x, y = min(ours), min(theirs)
    print(f"| {kind} | {x:.3f} | {MEGABYTES / x:,.0f} | {y:.3f} | {MEGABYTES / y:,.0f} | {x / y:#.2g} |", flush=True)


def main():
    if sys.argv[1:2] == ["write"]: return write(*sys.argv[2:])
    if sys.argv[1:2] == ["dequantize"]: return dequantize(sys.argv[2])
    try:
        version = subprocess.run([PYTHON, "-c", "from importlib.metadata import version; print(version('gguf'))"],
                                 check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return print(f"skipped: {PYTHON} with gguf is not here: make interop")
    print(f"command: B={BUILD} RUNS={RUNS} python3 test/bench/values.py\nmachine: {machine()}\n\n"
          f"| type | CPU s, `numel diff --values` | MB/s | CPU s, gguf {version} | MB/s | ratio |\n{'| --- ' * 6}|", flush=True)
    BENCH.mkdir(parents=True, exist_ok=True)
    plain = str(BENCH / "values-F32.gguf")
    python("write", plain, "F32")
    for kind in sys.argv[1:] or TYPES:
        row(kind, plain)
    os.remove(plain)
    return None


if __name__ == "__main__":
    main()
