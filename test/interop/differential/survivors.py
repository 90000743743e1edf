"""survivors.py -- would the comparison detect a missing check in the readers?

    survivors.py B [FILES [SOURCE...]]      after `make tools`, with the Python of build/venv

Each check in the readers is disabled, one at a time, in a copy; verdicts is linked with it and run on FILES
mutants (8,000) of each format. Detected: the answers contain a disagreement that no class explains, or the tool
dies. Undetected checks are listed: their answers changed only in what other readers do not report (warnings,
notes), or not at all.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "support")]

import classes  # noqa: E402
import compare  # noqa: E402
import ours  # noqa: E402

SOURCES = {"src/reader/safetensors.c": ["safetensors"], "src/base/json_scan.c": ["safetensors", "json"], "src/reader/gguf.c": ["llama.cpp", "gguf-py"],
           "src/reader/gguf_meta.c": ["llama.cpp", "gguf-py"], "src/base/cursor.c": ["llama.cpp", "gguf-py"]}
REFUSES = re.compile(r"\b(json_fail|wrong_entry|unexpected|missing_field|cursor_fail|bad_tensor|reading_refuse|reading_find|error_set|cursor_count)\(")
FLAGS = "-O1 -g -w -std=c11 -fPIC -pthread -Iinclude -Isrc -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64".split()
AT_MOST = 200  # changed answers that are shown to the other readers


def closing(s, at):
    """The position of the bracket that closes the one at `at`; brackets in strings and characters do not count."""
    depth = 0
    while True:
        if s[at] in "\"'":
            quote, at = s[at], at + 1
            while s[at] != quote: at += 2 if s[at] == "\\" else 1
        depth += (s[at] == "(") - (s[at] == ")")
        if not depth: return at
        at += 1


def opening(s, at):
    """The innermost unclosed brace before `at`."""
    depth = 0
    for i in range(at - 1, 0, -1):
        depth += (s[i] == "}") - (s[i] == "{")
        if depth < 0: return i
    return 0


def governing(s, at):
    """The condition of the `if` whose statement or block begins or ends at `at`: (from, to) of the text inside its brackets, or
        None."""
    end = len(s[:at].rstrip()) - 1
    if s[end] != ")": end = len(s[:opening(s, at)].rstrip()) - 1
    if s[end] != ")": return None
    for m in re.finditer(r"\bif \(", s[:end]):
        if closing(s, m.end() - 1) == end: return m.end(), end
    return None


def sites(s):
    """(line, its action, the source without it)"""
    for m in REFUSES.finditer(s):
        line = s.count("\n", 0, m.start()) + 1
        begin = s.rfind("\n", 0, m.start()) + 1
        if re.match(r"(static|bool|void|#|/\*| \*)", s[begin:]): continue  # a definition, or a comment
        end = closing(s, m.end() - 1) + 1
        start = m.start()
        returns = s[:start].endswith("return ")
        head = start - len("return ") if returns else start
        condition = governing(s, head)
        if condition and (returns or s[end] == ";"):
            changed = s[:condition[0]] + "0 && (" + s[condition[0]:condition[1]] + ")" + s[condition[1]:]
        else: changed = s[:start] + "true" + s[end:]
        yield line, " ".join(s[m.start():end].split())[:110], changed


class Bench:
    def __init__(self, build, count, folder):
        self.build, self.folder = build, folder
        self.tool = os.path.join(folder, "verdicts")
        self.readers, self.files, self.before = {}, {}, {}
        for reader in compare.readers(["safetensors", "llama.cpp", "gguf-py"], folder):
            self.readers[reader.name] = reader
            self.files[reader.name] = [reader.mutants.make(n)[1] for n in range(count)]
            if reader.name == "safetensors": self.files[reader.name] += [file for _, file in reader.mutants.limits()][2:]
            self.before[reader.name] = ours.ask(os.path.join(build, "tool", "verdicts"), self.files[reader.name])

    def link(self, source, text):
        path, obj = os.path.join(self.folder, "mutant.c"), os.path.join(self.folder, "mutant.o")
        with open(path, "w", encoding="utf-8") as f: f.write(text)
        done = subprocess.run(["gcc", *FLAGS, "-c", path, "-o", obj], capture_output=True, check=False)
        rest = [os.path.join(self.build, "libtest.a"), os.path.join(self.build, "libnumel_all.a"), "-lcjson", "-lzstd", "-ldl"]
        for tool in ("verdicts", "second"):
            if done.returncode: break
            done = subprocess.run(["gcc", "-pthread", os.path.join(self.build, "test", "interop", tool + ".o"), obj, *rest, "-o", os.path.join(self.folder, tool)],
                                  capture_output=True, check=False)
        return done.returncode == 0

    def noticed(self, name):
        """(how many of the inspected answers detect it, how many answers changed)."""
        if name == "json":
            try:
                done = subprocess.run([os.path.join(self.folder, "second"), "0", "20000"], capture_output=True, check=False, timeout=30)
            except subprocess.TimeoutExpired:
                return "its end", 0
            return done.stderr.count(b"FAIL") or ("its end" if done.returncode < 0 else 0), 0
        if name not in self.readers: return 0, 0
        reader, score = self.readers[name], compare.Score(self.readers[name])
        try:
            lines = ours.ask(self.tool, self.files[name])
        except (ours.Died, subprocess.TimeoutExpired):
            return "its end", 0
        changed = [(f, a) for f, a, b in zip(self.files[name], lines, self.before[name]) if a != b]
        some = changed[:AT_MOST]
        for (file, line), (why, facts) in zip(some, reader.read_all(f for f, _ in some)):
            try:
                score.add(0, [], file, ours.Verdict(line), why, facts)
            except (ValueError, UnicodeError, KeyError):
                score.failed.append(None)  # the contents are no longer meaningful
        return len(score.failed), len(changed)


def main():
    build, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 8000
    total = survived = 0
    ours.TIMEOUT = 30
    with tempfile.TemporaryDirectory(dir=compare.MEMORY) as folder:
        bench = Bench(build, count, folder)
        for source, names in SOURCES.items():
            if sys.argv[3:] and source not in sys.argv[3:]: continue
            with open(source, encoding="utf-8") as f: text = f.read()
            for line, what, changed in sites(text):
                total += 1
                if not bench.link(source, changed):
                    print(f"{source}:{line}: does not compile without: {what}", flush=True)
                    continue
                seen = 0, 0
                for name in names:
                    seen = bench.noticed(name)
                    if seen[0]: break
                survived += not seen[0]
                print(f"{'     ' if seen[0] else 'ALIVE'} {source}:{line}: noticed by {seen[0]}, {seen[1]} answers changed: {what}", flush=True)
    print(f"{total} checks disabled, {total - survived} noticed, {survived} not")


main()
