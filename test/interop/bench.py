"""bench.py -- the Python packages on the files of bench.sh, in the columns of timeit.c.

    bench.py [--once] HEADER_BYTES DIR

Opens every file in DIR and reads the names of its tensors: safetensors.safe_open, five times, or gguf.GGUFReader,
once, since it is slow. The import is not counted, except with --once, where the process is timed from outside.
"""
import pathlib
import statistics
import sys
import time


def open_safetensors(path):
    from safetensors import safe_open
    with safe_open(path, framework="numpy") as f:
        return len(f.keys())


def open_gguf(path):
    from gguf import GGUFReader
    return len([t.name for t in GGUFReader(path).tensors])


def main():
    once = sys.argv[1] == "--once"
    header, folder = float(sys.argv[-2]), pathlib.Path(sys.argv[-1])
    files = sorted(p for p in folder.iterdir() if p.suffix in (".safetensors", ".gguf"))
    is_gguf = files[0].suffix == ".gguf"
    read = open_gguf if is_gguf else open_safetensors
    __import__("gguf" if is_gguf else "safetensors")
    times = []
    for _ in range(1 if once or is_gguf else 5):
        start = time.perf_counter()
        for path in files:
            read(str(path))
        times.append((time.perf_counter() - start) * 1e3)
    if not once:
        label = "gguf.GGUFReader" if is_gguf else "safetensors.safe_open"
        median = statistics.median(times)
        print(f"{label:<34} {min(times):9.2f} {median:9.2f} {max(times):9.2f} {'':9} "
              f"{header / 1e6 / (median / 1e3):8.0f}")


main()
