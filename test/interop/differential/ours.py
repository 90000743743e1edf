"""ours.py -- the library's verdicts on many files: test/interop/verdicts, fed in batches."""
import json
import struct
import subprocess

PIECE = 64 << 20  # bytes of files held in memory at a time
TIMEOUT = 600     # seconds per batch


class Died(Exception):
    """The tool ended before answering: a crash, or a sanitizer's report."""


def ask(tool, files):
    """The lines of a list of files, as bytes."""
    done = subprocess.run([tool], input=b"".join(struct.pack("<I", len(f)) + f for f in files), capture_output=True, timeout=TIMEOUT, check=False)
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) != len(files):
        raise Died(f"{tool} answered {len(lines)} of {len(files)} files, status {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}")
    return lines


class Verdict:
    """One line: is the file accepted, by default and under --strict, and its contents."""

    def __init__(self, line):
        d = json.loads(line)
        self.rc, self.facts = d["rc"], d
        self.what = "" if self.rc == "OK" else bytes.fromhex(d["what"]).decode()
        self.findings = d.get("findings", [])
        self.errors = sorted({f.partition(":")[2] for f in self.findings if f.startswith("error:")}) if self.rc == "OK" else [self.rc]
        self.warned = {f.partition(":")[2] for f in self.findings if f.startswith("warning:")}
        self.accepts = not self.errors
        self.strict = d["strict"]

    def why(self):
        return self.what or ", ".join(self.errors) or "accepted"


def in_pieces(cases):
    """Lists of (labels, file), about PIECE bytes each."""
    piece, size = [], 0
    for case in cases:
        piece.append(case)
        size += len(case[1])
        if size >= PIECE or len(piece) >= 20000:
            yield piece
            piece, size = [], 0
    if piece: yield piece
