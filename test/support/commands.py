"""The commands of the program as its own help lists them, and for each a line that makes it work.

A test that goes over all of them takes them from here: a command without a line fails it, so that a new one is tested
from its first day.

    for name, words in commands.lines(numel, "m.safetensors"): ...
"""
import re
import subprocess

# Words behind the name; M is a checkpoint, N a name that is free. One that reads its input, and says something of it.
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
    """Those that take a file: {"--config": "FILE"}."""
    out = subprocess.run([numel, command, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return dict(re.findall(r"(?m)^ .*(--[a-z-]+)[ =]\[?=?(\[?FILE\S*|\S*DIR)", out))


def lines(numel, checkpoint, free="none"):
    for name in names(numel):
        assert name in LINES, "no line for the command '%s': add one to test/support/commands.py" % name
        yield name, [{"M": checkpoint, "N": free}.get(w, w) for w in LINES[name]]
