"""The program's commands as its own help lists them, each with a working command line.

Tests that go over all commands take them from here; a command without a line fails, so new ones are tested at once.

    for name, words in commands.lines(numel, "m.safetensors"): ...
"""
import re
import subprocess

# Words after the name; M is a checkpoint, N an unused name. Each line reads its input and prints a result.
LINES = {
    "show": ["M"], "tensors": ["M"], "meta": ["M"], "formula": ["M"], "reconcile": ["M"], "explain": ["1234", "M"],
    "diff": ["M", "M"], "verify": ["M"], "print": ["M"], "hash": ["M"], "identify": ["M"], "behead": ["M", "N"],
    "browse": ["M"], "spec": ["list"], "list": ["M"], "memory": ["M"], "completions": ["bash"],
}


def names(numel):
    out = subprocess.run([numel, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    found = re.findall(r"(?m)^  ([a-z]+) +\S", out)
    assert len(found) >= 13, out
    return found


def options(numel, command):
    """Options that take a file: {"--config": "FILE"}."""
    out = subprocess.run([numel, command, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return dict(re.findall(r"(?m)^ .*(--[a-z-]+)[ =]\[?=?(\[?FILE\S*|\S*DIR)", out))


def shared(numel):
    """Such options that all commands have."""
    return set.intersection(*(set(options(numel, name)) for name in names(numel)))


def lines(numel, checkpoint, free="none"):
    for name in names(numel):
        assert name in LINES, "no line for the command '%s': add one to test/support/commands.py" % name
        yield name, [{"M": checkpoint, "N": free}.get(w, w) for w in LINES[name]]
