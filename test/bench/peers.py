#!/usr/bin/env python3
"""peers.py -- `numel -q` and other readers on the same headers, alternating. Prints; asserts nothing about time.

    make bench-peers [GET=1]        B=build/release RUNS=15 python3 test/bench/peers.py [--get] [WORD...]

For each header and each peer that reads its format: both alternate, RUNS times, as whole processes. The rows are
those of docs/performance.md: CPU (user and system) and wall clock, best and median, and their ratio. A peer prints
how many tensors and elements it found; the row shows a disagreement with numel. With WORDs, only headers and peers
whose name contains one.

Peers are in test/bench/peers and are built in build/peers, without network unless --get is given; those in Python
run in build/venv, if `make interop` has created it.
"""
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

BUILD = pathlib.Path(os.environ.get("B", "build/release"))
RUNS = int(os.environ.get("RUNS", "15"))
PATIENCE = 60  # seconds for one row: a slow peer has fewer turns, but at least three
BENCH, SOURCES, BUILT = pathlib.Path("build/bench"), pathlib.Path("test/bench/peers"), pathlib.Path("build/peers")
PYTHON = "build/venv/bin/python"
HEADERS = (  # name of the folder, label of the row, description, options of mkhead
    ("deepseek-v3-one-file", "92k tensors, one file", "test/gen/deepseek-v3.txt", ("-e", "shard 1")),
    ("deepseek-v3-163-files", "92k tensors, 163 shards", "test/gen/deepseek-v3.txt", ()),
    ("many", "211k tensors, one file", "test/bench/many.txt", ()),
    ("llama-2-7b", "7B, 291 tensors, 2 shards", "test/gen/llama-2-7b.txt", ()),
    ("vocabulary", "vocabulary, GGUF", "test/bench/vocabulary.txt", ()),
)


class Peer(NamedTuple):
    name: str
    language: str
    suffix: str
    command: list
    version: str = ""
    missing: str = ""  # how to get it

    def __str__(self):
        return " ".join(filter(None, (self.name, self.version, f"({self.language})")))


# ---- peers --------------------------------------------------------------------------------------


def succeeds(*argv, env=None, **more):
    return subprocess.run(argv, env={**os.environ, **(env or {})}, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False, **more).returncode == 0


def pinned(path, pattern):
    return re.search(pattern, (SOURCES / path).read_text(encoding="utf-8"))[1]


def compiled(peer, tools, get, build):
    """The peer, or how to get it: `build` builds it if the tools are installed."""
    absent = [tool for tool in tools if not shutil.which(tool)]
    if absent:
        return peer._replace(missing=f"install {' and '.join(absent)}, then make bench-peers GET=1")
    if not build():
        return peer._replace(missing="it could not be built" if get else "make bench-peers GET=1")
    return peer


def rust(get):
    version = pinned("rust/Cargo.toml", r'safetensors = "=(.*)"')
    return compiled(Peer("safetensors", "Rust", ".safetensors", [str(BUILT / "rust/release/peer")], version),
                    ["cargo"], get, lambda: succeeds(
        "cargo", "build", "--release", *([] if get else ["--offline"]),
        "--manifest-path", str(SOURCES / "rust/Cargo.toml"), "--target-dir", str(BUILT / "rust")))


def go(get):
    version, program = pinned("go/go.mod", r"gguf-parser-go v(.*)"), BUILT / "gguf-parser-go"
    offline = {"GOFLAGS": "-mod=readonly", "GOTOOLCHAIN": "local", **({} if get else {"GOPROXY": "off"})}
    return compiled(Peer("gguf-parser-go", "Go", ".gguf", [str(program)], version), ["go"], get, lambda: succeeds(
        "go", "build", "-o", str(program.absolute()), ".", cwd=SOURCES / "go", env=offline))


def node(get):
    package, place = "@huggingface/gguf", BUILT / "node"
    version = pinned("node/package.json", f'"{package}": "(.*)"')

    def build():
        shutil.copytree(SOURCES / "node", place, dirs_exist_ok=True)
        here = place / "node_modules" / package / "package.json"
        if here.exists() and json.loads(here.read_text(encoding="utf-8"))["version"] == version:
            return True
        return succeeds("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund",
                        *([] if get else ["--offline"]), cwd=place)

    return compiled(Peer(package, "Node", ".gguf", ["node", str(place / "main.mjs")], version),
                    ["node", "npm"], get, build)


def python(package, suffix):
    peer = Peer(package, "Python", suffix, [PYTHON, "-B", str(SOURCES / "python.py"), package])
    try:
        ask = f"import {package}, importlib.metadata as m; print(m.version('{package}'))"
        asked = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True, check=True)
        return peer._replace(version=asked.stdout.strip())
    except (OSError, subprocess.CalledProcessError):
        return peer._replace(missing="make interop")


def peers(get):
    BUILT.mkdir(parents=True, exist_ok=True)
    return (rust(get), python("safetensors", ".safetensors"), python("huggingface_hub", ".safetensors"),
            go(get), node(get), python("gguf", ".gguf"))


# ---- measuring ----------------------------------------------------------------------------------


def make_header(name, description, options):
    """The folder, rebuilt if its description is newer; shared with bench.sh."""
    folder, done = BENCH / name, BENCH / f"{name}.sum"
    if not done.exists() or os.path.getmtime(description) > done.stat().st_mtime:
        shutil.rmtree(folder, ignore_errors=True)
        made = subprocess.run([BUILD / "tool/mkhead", "-q", "--sparse", *options, description, folder],
                              capture_output=True, text=True, check=True)
        done.write_text(made.stdout, encoding="utf-8")
    return folder


def one_run(argv):
    """Seconds of processor and of the clock, from start to exit."""
    start = time.perf_counter()
    child = os.posix_spawnp(argv[0], argv, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_DUP2, 1, 2)])
    usage = os.wait4(child, 0)[2]
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start


def found_by(peer, files):
    """Tensors and elements, or the last line it wrote as the reason why the peer does not read the files."""
    done = subprocess.run([*peer.command, *files], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return tuple(map(int, done.stdout.split()))
    return (done.stderr.strip() or f"status {done.returncode}").splitlines()[-1]


def found_by_numel(folder):
    asked = subprocess.run([BUILD / "numel", "--json", folder], capture_output=True, check=False)
    counts = json.loads(asked.stdout)["counts"]
    return counts["tensors"], counts["stored"]


def best_and_median(seconds):
    return min(seconds), statistics.median(seconds)


def row(header, peer, ours, theirs, note):
    """Both are lists of (processor, clock)."""
    cpu, wall = ([best_and_median([turn[which] for turn in side]) for side in (ours, theirs)] for which in range(2))
    cells = [" / ".join(f"{seconds * 1e3:,.1f}" for seconds in pair) for pair in (*cpu, *wall)]
    cells.insert(2, " / ".join(f"{x / y:#.2g}" for x, y in zip(*cpu)))
    print(f"| {header} | {peer}{note} | {' | '.join(cells)} | {len(ours)} |", flush=True)


def compare(header, peer, folder, expected):
    """Prints the row. Returns the reason if there is none to measure, or nothing."""
    files = sorted(str(f) for f in folder.iterdir() if f.suffix == peer.suffix)
    start = time.perf_counter()
    found = found_by(peer, files)  # the caches are then warm, too
    if isinstance(found, str):
        print(f"| {header} | {peer}: refuses it | | | | | | |", flush=True)
        return f"{header}: {peer}: {found}"
    note = "" if found == expected else f", counts otherwise: {found[0]:,} tensors, {found[1]:,} elements"
    turns = min(RUNS, max(3, int(PATIENCE / (time.perf_counter() - start))))
    ours, theirs = [], []
    for _ in range(turns):
        ours.append(one_run([str(BUILD / "numel"), "-q", str(folder)]))
        theirs.append(one_run([*peer.command, *files]))
    row(header, peer, ours, theirs, note)
    return None


def machine():
    try:
        model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))[1]
    except (OSError, TypeError):
        model = platform.processor() or "unknown processor"
    return f"{platform.system()} {platform.machine()}, {model}, {os.cpu_count()} processors"


def main():
    get = "--get" in sys.argv
    words = [word for word in sys.argv[1:] if word != "--get"]
    all_peers = peers(get)
    print(f"command: B={BUILD} RUNS={RUNS} python3 test/bench/peers.py\nmachine: {machine()}")
    for peer in all_peers:
        if peer.missing:
            print(f"{peer}: not here: {peer.missing}")
    print("\n| header | other reader | CPU ms, `numel -q` | other | ratio | wall ms, `numel -q` | other | turns |"
          f"\n{'| --- ' * 8}|", flush=True)
    BENCH.mkdir(parents=True, exist_ok=True)
    refusals = []
    for name, header, description, options in HEADERS:
        folder = make_header(name, description, options)
        suffixes, expected = {f.suffix for f in folder.iterdir()}, found_by_numel(folder)
        for peer in all_peers:
            wanted = not words or any(word in f"{name}, {header}, {peer}" for word in words)
            if wanted and peer.suffix in suffixes and not peer.missing:
                refusals.append(compare(header, peer, folder, expected))
    print("", *filter(None, refusals), sep="\n", end="\n" if any(refusals) else "")


if __name__ == "__main__":
    main()
