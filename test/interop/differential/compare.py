"""compare.py -- verdicts and contents of many mutants, ours and other readers'.

    compare.py TOOLS FOLDER [WORDS...]      safetensors=100000 llama.cpp=100000 gguf-py=20000 json=100000: how many; from=N: the first one's number

TOOLS is the folder of test/interop/verdicts and second. Mutants are numbered; the same number gives the same file
on every machine. A disagreement that no class explains is a failure, and its file is kept in FOLDER.
"""
import collections
import os
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "support")]

import classes  # noqa: E402
import gguf_mutants  # noqa: E402
import gguf_theirs  # noqa: E402
import json_theirs  # noqa: E402
import ours  # noqa: E402
import safetensors_mutants  # noqa: E402
import safetensors_theirs  # noqa: E402

COUNTS = {"safetensors": 2000, "llama.cpp": 2000, "gguf-py": 500, "json": 2000}
MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None  # path of each mutant while the others read it
DIRECTIONS = {"stricter": "we refuse, it accepts", "laxer": "we accept, it refuses", "otherwise": "read otherwise"}


class SafetensorsReader:
    name, mutants = "safetensors", safetensors_mutants
    version = safetensors_theirs.VERSION

    def __init__(self, folder): self.theirs = safetensors_theirs.Theirs(folder)
    def read_all(self, files): return map(self.theirs.read, files)
    def differs(self, file, mine, facts): return safetensors_theirs.differs(file, mine, facts)
    def breaches(self, file, mine, accepted): return safetensors_theirs.breaches(file) if accepted else None
    def close(self): self.theirs.close()


class GgufReader:
    mutants = gguf_mutants

    def __init__(self, name, theirs, differs):
        self.name, self.theirs, self.difference, self.version = name, theirs, differs, theirs.version

    def read_all(self, files): return self.theirs.read_all(files)
    def differs(self, file, mine, facts): return self.difference(file, mine, facts)
    def breaches(self, file, mine, accepted): return gguf_theirs.breaches(file, mine)
    def close(self): self.theirs.close()


def readers(names, folder):
    """All available readers, one after the other."""
    if "safetensors" in names: yield SafetensorsReader(folder)
    if "llama.cpp" in names:
        if gguf_theirs.LlamaReader.there(): yield GgufReader("llama.cpp", gguf_theirs.LlamaReader(folder), gguf_theirs.llama_differs)
        else: print("llama.cpp: skipped, the package cyllama is not here")
    if "gguf-py" in names: yield GgufReader("gguf-py", gguf_theirs.PythonReader(folder), gguf_theirs.python_differs)


class Score:
    def __init__(self, reader):
        self.reader, self.verdicts, self.explained, self.failed, self.mutations = reader, collections.Counter(), collections.Counter(), [], collections.Counter()
        self.strict = 0

    def add(self, number, labels, file, mine, why, facts):
        accepted = why is None
        self.verdicts[mine.accepts, accepted] += 1
        for label in labels: self.mutations[label, mine.accepts] += 1
        self.strict += mine.accepts and mine.strict == "error"
        difference = self.reader.differs(file, mine, facts) if mine.rc == "OK" and accepted else None
        case = classes.Case(file, mine, why, difference)
        if mine.accepts and (mine.strict == "error") != bool(mine.warned):
            self.failed.append((number, labels, file, "--strict raises something other than warnings"))
        breaches = self.reader.breaches(file, mine, accepted) if mine.accepts else None
        if breaches is not None and breaches != mine.warned:
            self.failed.append((number, labels, file, f"warnings {sorted(mine.warned)}, and the text is breached by {sorted(breaches)}"))
        for direction in case.directions():
            found = classes.class_of(self.reader.name, case, direction)
            if found: self.explained[found.direction, found.name] += 1
            else: self.failed.append((number, labels, file, f"we: {mine.why()}; {self.reader.name}: {why or 'accepted'}{'; ' + difference if difference else ''}"))

    def report(self, seconds):
        total = sum(self.verdicts.values())
        print(f"\n{self.reader.version}: {total:,} files in {seconds:.0f} s: both accept {self.verdicts[True, True]:,}, both refuse {self.verdicts[False, False]:,}, "
              f"we alone accept {self.verdicts[True, False]:,}, it alone accepts {self.verdicts[False, True]:,}")
        print(f"  of the accepted ones, --strict refuses {self.strict:,}")
        for c in classes.CLASSES:
            if c.reader == self.reader.name: print(f"  {self.explained[c.direction, c.name]:7,}  {DIRECTIONS[c.direction]:24} {c.name}: {c.reason}")
        print(f"  {len(self.failed):7,}  unexplained")


def compare(reader, tool, cases, folder, first):
    score, start, number = Score(reader), time.monotonic(), first
    for piece in ours.in_pieces(cases):
        lines = ours.ask(tool, [file for _, file in piece])
        for (labels, file), line, (why, facts) in zip(piece, lines, reader.read_all(file for _, file in piece)):
            score.add(number, labels, file, ours.Verdict(line), why, facts)
            number += 1
    score.report(time.monotonic() - start)
    for number, labels, file, what in score.failed[:20]:
        path = os.path.join(folder, f"{reader.name}-{number}")
        with open(path, "wb") as f: f.write(file)
        print(f"FAIL {path} ({', '.join(labels)}): {what[:600]}")
    return len(score.failed)


def mutants_of(reader, first, count):
    for n in range(first, first + count): yield reader.mutants.make(n)
    if reader.name == "safetensors" and count >= 50000: yield from safetensors_mutants.limits()


def run(tools, folder, counts, first=0):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    failed = 0
    with tempfile.TemporaryDirectory(dir=MEMORY) as scratch:
        for reader in readers([n for n in counts if counts[n]], scratch):
            failed += compare(reader, os.path.join(tools, "verdicts"), mutants_of(reader, first, counts[reader.name]), folder, first)
            reader.close()
    if counts.get("json"): failed += json_theirs.compare(os.path.join(tools, "second"), first, counts["json"])
    return failed


def main():
    counts, first = dict(COUNTS), 0
    for word in sys.argv[3:]:
        name, _, number = word.partition("=")
        if name == "from": first = int(number)
        else: counts[name] = int(number)
    failed = run(sys.argv[1], sys.argv[2], counts, first)
    print(f"{'1 failed' if failed else 'ok'}: {failed} unexplained disagreements")
    return 1 if failed else 0


if __name__ == "__main__": sys.exit(main())
