#!/usr/bin/env python3
"""plot.py -- cost of `numel -q` by number of tensors: a plot and its figures, as text.

    make bench-plot [UPDATE=1]        B=build/release python3 test/bench/plot.py [FILE]

Instructions of the whole process, by callgrind, which are reproducible: a safetensors file with 1,000 tensors,
another with 2,000, up to 1,000,000. With FILE (docs/performance.md) the first text block under its heading "Cost
against size" is rewritten, else the block is printed.
"""
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ.get("B", "build/release"))
SIZES = [step * 10**power for power in range(3, 6) for step in (1, 2, 5)] + [10**6]
WIDE, HIGH = 20, 5  # characters and lines for a factor of ten
LEFT = 9
# A million names of these fit below the 100 MB that a header may have.
DESCRIPTION = """file model.safetensors
for i 0..49
  for e 0..{last}
    tensor layers.{{i}}.e.{{e}}.{{gate,up}}.{{weight,scale}} BF16 64
  end
end
expect tensors {size:,}
"""


def count(folder, size):
    """Millions of instructions. As in count.sh the environment is empty, and the folder's path is always as long."""
    text = folder / "text"
    text.write_text(DESCRIPTION.format(last=size // 200 - 1, size=size), encoding="utf-8")
    subprocess.run([BUILD / "tool/mkhead", "-q", "--sparse", text, folder / "in"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([shutil.which("valgrind"), "--tool=callgrind", "--callgrind-out-file=/dev/null",
                           "./numel", "-q", "in"], cwd=folder, env={"LC_ALL": "C"}, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    shutil.rmtree(folder / "in")
    if done.stdout.strip() != str(64 * size):
        sys.exit(f"plot.py: numel counts {size:,} tensors of 64 elements as {done.stdout}{done.stderr}")
    return int(re.search(r"Collected : (\d+)", done.stderr)[1]) / 1e6


# ---- the block ----------------------------------------------------------------------------------


def plot(costs):
    """Both axes are logarithmic. The dots show proportional cost, through the last point."""
    low = math.floor(math.log10(min(costs)))
    top = math.ceil(math.log10(max(costs)))
    columns = round(WIDE * math.log10(SIZES[-1] / SIZES[0]))
    grid = [[" "] * (columns + 1) for _ in range(HIGH * (top - low) + 1)]

    def put(mark, column, cost):
        line = round(HIGH * (math.log10(cost) - low))
        if line >= 0:
            grid[line][column] = mark

    for column in range(columns + 1):
        put(".", column, costs[-1] * 10 ** ((column - columns) / WIDE))
    for size, cost in zip(SIZES, costs):
        put("*", round(WIDE * math.log10(size / SIZES[0])), cost)
    lines = ["million instructions"]
    for line in reversed(range(len(grid))):
        label = f"{10 ** (low + line // HIGH):,}" if line % HIGH == 0 else ""
        lines.append(f"{label:>{LEFT - 2}} |{''.join(grid[line])}".rstrip())
    ticks = [(f"{SIZES[0] * 10**i:,}", LEFT + WIDE * i) for i in range(columns // WIDE + 1)]
    lines.append(" " * (LEFT - 1) + ("+" + "-" * (WIDE - 1)) * (columns // WIDE) + "+")
    axis = ""
    for text, at in ticks:
        axis = axis.ljust(at - len(text) // 2 - 1) + text
    return [*lines, axis + " tensors"]


def figures(costs):
    lines = ["", f"{'tensors':>9} {'million instructions':>22} {'instructions per further tensor':>33}"]
    for i, (size, cost) in enumerate(zip(SIZES, costs)):
        more = f"{(cost - costs[i - 1]) * 1e6 / (size - SIZES[i - 1]):,.0f}" if i else ""
        lines.append(f"{size:>9,} {cost:>22,.1f} {more:>33}".rstrip())
    return lines


def main():
    if not shutil.which("valgrind"):
        print("bench-plot: skipped, valgrind is not here")
        return
    with tempfile.TemporaryDirectory(prefix="numel-plot.", dir="/tmp") as name:
        folder = pathlib.Path(name)
        shutil.copy(BUILD / "numel", folder / "numel")
        costs = [count(folder, size) for size in SIZES]
    block = "\n".join([*plot(costs), *figures(costs)]) + "\n"
    if len(sys.argv) == 1:
        print(block, end="")
        return
    page = pathlib.Path(sys.argv[1])
    text, done = re.subn(r"(## Cost against size\n.*?```text\n).*?(```)", lambda m: m[1] + block + m[2],
                         page.read_text(encoding="utf-8"), count=1, flags=re.DOTALL)
    if not done:
        sys.exit(f"plot.py: {page} has no text block below \"Cost against size\"")
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
