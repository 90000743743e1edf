#!/usr/bin/env python3
"""gguf_cases.py FOLDER -- makes fixtures/oracle/gguf2.zst from the GGUF files in FOLDER.

Only each file's header is kept, up to the last tensor's entry; the case is named gguf2/ and the file's name.
fixtures/README.md explains how the files were made. Output depends only on the files: cases are sorted by name,
and an unchanged fixture is not rewritten. `-x FOLDER` does the reverse: it writes the fixture's cases to FOLDER, so
that one can be changed or added.
"""
import glob, os, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from oracle_fixtures import gguf_header_bytes, pack, unpacked

FIXTURE = "fixtures/oracle/gguf2.zst"


def packed(folder):
    out, count = b"", 0
    for path in sorted(glob.glob(os.path.join(folder, "*.gguf"))):
        with open(path, "rb") as f:
            data = f.read()
        data = data[:gguf_header_bytes(data)]
        out += f"gguf2/{os.path.basename(path)[:-len('.gguf')]} {len(data)}\n".encode() + data
        count += 1
    return out, count


def extract(folder):
    os.makedirs(folder, exist_ok=True)
    rest, count = unpacked(FIXTURE) or b"", 0
    while rest:
        line, rest = rest.split(b"\n", 1)
        name, size = line.decode().split(" ")
        with open(os.path.join(folder, os.path.basename(name) + ".gguf"), "wb") as f:
            f.write(rest[:int(size)])
        rest, count = rest[int(size):], count + 1
    return count


def main():
    words = sys.argv[1:]
    if words[:1] == ["-x"] and len(words) == 2:
        print(f"{extract(words[1])} cases into {words[1]}")
        return 0
    if len(words) != 1 or words[0].startswith("-"):
        print(__doc__)
        return 2
    out, count = packed(words[0])
    if not count:
        print(f"{words[0]}: no file *.gguf")
        return 1
    written = pack(FIXTURE, out)
    print(f"{FIXTURE}: {count} cases, {os.path.getsize(FIXTURE):,} bytes{'' if written else ', as it was'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
