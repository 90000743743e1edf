#!/usr/bin/env python3
"""Runs the steps of docs/packaging/action/action.yml as a GitHub runner does: bash, inputs from `env`, the files that steps write.
Complete models pass, their broken neighbours fail with an annotation, and no name can give the runner a command."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

try: import yaml
except ImportError: sys.exit(print("action: skipped, PyYAML is not installed"))
if not shutil.which("jq"): sys.exit(print("action: skipped, jq is not installed"))
ROOT = os.path.dirname(os.path.abspath(__file__ + "/../../.."))
B = os.path.join(ROOT, os.environ.get("B", "build/release"))
HERE = ROOT + "/docs/packaging/action"
bad = []


def fail(what, text=""):
    bad.append(what)
    print("action: FAIL " + what + "\n" + text[-2000:])


def filled(text, inputs):
    return re.sub(r"\$\{\{ *inputs\.(\w+) *\}\}", lambda m: inputs[m[1]], str(text))


class Runner:
    """A job: its folder, its PATH, and the output of its steps."""
    def __init__(self, folder, path):
        self.folder, self.path = folder, path
        self.temp = tempfile.mkdtemp(dir=folder + "/..")

    def file(self, name):
        with open(self.temp + "/" + name, "a+") as f: return f.seek(0) or f.read()

    def step(self, step, inputs):
        env = {"PATH": self.path, "HOME": self.temp, "RUNNER_TEMP": self.temp, "GITHUB_ACTION_PATH": HERE}
        for name in ("PATH", "OUTPUT", "STEP_SUMMARY"): env["GITHUB_" + name] = self.temp + "/" + name
        env.update({k: filled(v, inputs) for k, v in step.get("env", {}).items()})
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"], inputs)], env=env,
                              cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for line in self.file("PATH").split(): self.path = line + ":" + self.path
        return done.returncode, done.stdout.decode("utf-8", "replace")


def run(folder, path, **given):
    """Runs the action with these inputs: returns the status, the log, and the contents of the job's files."""
    with open(HERE + "/action.yml") as f: action = yaml.safe_load(f)
    unknown = set(given) - set(action["inputs"])
    if unknown: raise ValueError("action.yml has no input " + str(unknown))
    inputs = {**{k: str(v["default"]) for k, v in action["inputs"].items()}, **given}
    runner, log = Runner(folder, path), ""
    for step in action["runs"]["steps"]:
        status, said = runner.step(step, inputs)
        log += said
        if status: break
    out = dict(line.split("=", 1) for line in runner.file("OUTPUT").splitlines())
    return status, log, out, runner.file("STEP_SUMMARY")


def commands(log):
    """The commands that a runner obeys: lines that begin with ::, except between stop-commands and its token."""
    token, found = None, []
    for line in log.splitlines():
        if token: token = None if line == "::%s::" % token else token
        elif line.startswith("::stop-commands::"): token = line[len("::stop-commands::"):]
        elif line.startswith("::"): found.append(line)
    return found


def expect(what, result, passes, annotations=0, status=None):
    code, log, out, summary = result
    errors = [c for c in commands(log) if c.startswith("::error file=")]
    if (code == 0) != passes: fail("%s: status %d" % (what, code), log)
    if (len(errors) > 0) != (annotations > 0): fail("%s: annotations %s" % (what, errors), log)
    if status is not None and out.get("status") != str(status): fail("%s: output %s" % (what, out), log)
    if not os.path.exists(out.get("sarif", "")) and status != 2: fail(what + ": no SARIF", log)
    if "<pre>" not in summary: fail(what + ": no summary", summary)
    return log, summary


def make(folder):
    subprocess.run([B + "/tool/mkhead", "-q", "--data", ROOT + "/test/robust/faults/llama.txt", folder], check=True, stdout=subprocess.DEVNULL)


def cut(path):
    os.truncate(path, os.path.getsize(path) - 512)


with tempfile.TemporaryDirectory() as work:
    here = work + "/job"
    os.mkdir(here)
    make(here + "/good one")
    shutil.copytree(here + "/good one", here + "/bad")
    cut(here + "/bad/model-00003-of-00004.safetensors")
    path = B + ":" + os.environ["PATH"]
    expect("a whole model", run(here, path, paths="good one"), True, status=0)
    log, _ = expect("a cut shard", run(here, path, paths="good one\nbad"), False, annotations=1, status=1)
    if not re.search(r"^::error file=bad/model-00003-of-00004\.safetensors,title=[a-z-]+::.*512 bytes short", log, re.M): fail("its annotation", log)
    expect("an option", run(here, path, paths="good one", options="--level=header\n--expect=params=188864"), True, status=0)
    expect("an expectation that fails", run(here, path, paths="good one", options="--expect=params=188865"), False, status=1)
    expect("an option that does not exist", run(here, path, options="--nonsense"), False, status=2)
    expect("what cannot be checked", run(here, path, paths="good one", options="--level=hash"), True)
    expect("the same, strictly", run(here, path, paths="good one", options="--level=hash", strict="true"), False)
    expect("a path that does not exist", run(here, path, paths="absent"), False)
    hostile = "::error file=a::b <b>, `c`: %0Ad\u00e9\u4e2d\U0001f600"
    shutil.copytree(here + "/bad", here + "/" + hostile)
    log, summary = expect("a hostile name", run(here, path, paths=hostile), False, annotations=1)
    for c in commands(log):
        if not c.startswith("::error file=%3A%3Aerror file=a%3A%3Ab <b>%2C `c`%3A %250Ad\u00e9\u4e2d\U0001f600/model-0000") and c != "::error::numel verify: status 1": fail("a name is a command: " + c, log)
    if "<b>" in summary: fail("a name is HTML in the summary", summary)

    # Without numel, the first step builds it from this tree.
    tools = work + "/tools"
    os.mkdir(tools)
    for folder in ("/usr/bin", "/bin"):
        for name in os.listdir(folder):
            if name != "numel" and not os.path.lexists(tools + "/" + name): os.symlink(folder + "/" + name, tools + "/" + name)
    if B == ROOT + "/build/release": expect("without numel", run(here, tools, paths="good one"), True, status=0)

if not bad: print("action: ok")
sys.exit(bool(bad))
