#!/usr/bin/env python3
"""completions.py -- what bash, zsh and fish complete after "numel", tested in the shells themselves.

Each command completes exactly the options in its --help; values are listed here. A missing shell is reported and
skipped; bash is required.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

B = os.path.abspath(os.environ.get("B", "build/release"))
HERE = os.path.dirname(os.path.abspath(__file__))
NUMEL = os.path.join(B, "numel")

BASH = r"""
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _numel 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}"
"""

# A command line, and the completions at its end; a set is exhaustive.
CASES = [
    ("numel show --by ", {"layer", "dtype", "file"}),
    ("numel show --by=", {"layer", "dtype", "file"}),
    ("numel show --by d", {"dtype"}),
    ("numel show -b ", {"layer", "dtype", "file"}),
    ("numel tensors --sort ", {"name", "elements", "bytes", "offset", "dtype"}),
    ("numel verify --level ", {"header", "size", "index", "config", "hash"}),
    ("numel meta --color n", {"never"}),
    ("numel spec ", {"list", "layouts", "show", "lint"}),
    ("numel completions ", {"bash", "zsh", "fish"}),
    ("numel help verif", {"verify"}),
    ("numel verif", {"verify"}),
    ("numel model/ --dep", {"--depth"}),
    ("numel meta --by", set()),
    ("numel show --depth ", set()),
    ("numel show --config conf", {"config.json"}),
    ("numel verify --manifest ", {"config.json", "model.safetensors"}),
    ("numel show mod", {"model.safetensors"}),
]


def run(*args, **more):
    return subprocess.run(args, capture_output=True, text=True, timeout=60, **more).stdout


def commands():
    text = run(NUMEL, "--help")
    listed = text.split("PATH...\n\n", 1)[1].split("\n\n", 1)[0]
    return [line.split()[0].rstrip(",") for line in listed.splitlines() if re.match(r"  [a-z]", line)]


def options(command):
    return set(re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", run(NUMEL, command, "--help"), re.M))


def words_of_bash(line):
    return [w for w in re.split(r" |(=)", line) if w] + ([""] if line[-1] in " " else [])


def ask(shell, script, line, folder):
    if shell == "bash":
        words = words_of_bash(line)
        out = run("bash", "-c", BASH, "bash", script, *words, cwd=folder)
    elif shell == "fish":
        out = run("fish", "--no-config", "-c", f"source {script}; complete -C'{line}'", cwd=folder,
                  env={**os.environ, "HOME": folder})
        out = "\n".join(w.split("\t")[0] for w in out.splitlines())
    else:
        out = run("zsh", "-f", os.path.join(HERE, "zsh_complete.zsh"), script, line, cwd=folder)
    found = {w for w in out.split() if w}
    return {w.split("=", 1)[1] if "=" in w and w.startswith("--") else w for w in found}


def long_ones(offered):
    return {w.rstrip("=") for w in offered if w.startswith("--")}


def main():
    bad = asked = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in "model.safetensors", "config.json":
            open(os.path.join(folder, name), "w").close()
        for shell in "bash", "zsh", "fish":
            script = os.path.join(B, f"numel.{shell}")
            with open(script, "w") as f:
                f.write(run(NUMEL, "completions", shell))
            if not shutil.which(shell):
                if shell == "bash":
                    sys.exit("completions: bash is not here")
                print(f"completions: {shell} is not here: not asked")
                continue
            cases = [(f"numel {c} --", options(c), True) for c in commands()]
            cases += [(line, want, False) for line, want in CASES]
            for line, want, only_long in cases:
                got = ask(shell, script, line, folder)
                if only_long:
                    got = long_ones(got)
                asked += 1
                if got != want:
                    bad += 1
                    print(f"{shell}: '{line}': missing {sorted(want - got)}, offered besides {sorted(got - want)}")
    print(f"completions: {'FAILED' if bad else 'ok'} ({asked} lines)")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
