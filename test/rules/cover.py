"""cover.py BUILD -- line coverage of each room, by gcov; below 85 % is a failure.

A line counts once, however many objects contain it (inline functions in headers), and as run if one of them ran
it. The least covered files follow the table. GCOV names the program, which must match the compiler."""
import collections
import json
import os
import pathlib
import subprocess
import sys

LEAST = 85.0
SHOWN = 8


def lines_of(build):
    """{file: {line: times}} of all objects in the build."""
    lines = collections.defaultdict(dict)
    data = sorted(str(p) for p in pathlib.Path(build, "src").rglob("*.gcno"))
    if not data:
        sys.exit(f"cover: nothing in {build} was built with --coverage")
    out = subprocess.run([os.environ.get("GCOV", "gcov"), "--json-format", "--stdout", *data],
                         capture_output=True, text=True, check=True).stdout
    for document in out.splitlines():
        for file in json.loads(document)["files"] if document.startswith("{") else []:
            name = os.path.normpath(file["file"])
            if not name.startswith("src" + os.sep):
                continue
            seen = lines[name]
            for line in file["lines"]:
                number = line["line_number"]
                seen[number] = max(seen.get(number, 0), line["count"])
    return lines


def percent(lines):
    return 100.0 * sum(1 for n in lines if n) / len(lines) if lines else 100.0


def main():
    lines = lines_of(sys.argv[1])
    rooms = collections.defaultdict(list)
    for file, counts in lines.items():
        rooms[file.split(os.sep)[1]] += counts.values()
    failed = []
    for room, counts in sorted(rooms.items()):
        low = percent(counts) < LEAST
        failed += [room] * low
        print(f"  {room:<12}{percent(counts):6.1f} % of {len(counts):5} lines{'   too few' if low else ''}")
    every = [n for counts in lines.values() for n in counts.values()]
    print(f"  {'all':<12}{percent(every):6.1f} % of {len(every):5} lines")
    lacking = sorted(((sum(1 for n in c.values() if not n), f) for f, c in lines.items()), reverse=True)[:SHOWN]
    print("  most lines that no test ran: " + ", ".join(f"{f[4:]} {n}" for n, f in lacking))
    if failed:
        sys.exit(f"cover: under {LEAST:.0f} %: " + ", ".join(failed))
    print("cover: ok")


main()
