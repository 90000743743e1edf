"""Commands whose standard streams are full, closed, or read by a process that has exited.

Output that could not be written is status 3, for every command in the program's own list, in text, as JSON, with -q, for --help,
--version and "help COMMAND"; never a crash, a signal's status, or success. Standard error and standard input change nothing: without
them output and status are the same. A file that is opened while a stream is closed does not take its place: none of the output lands
in it. Files that a command writes are complete or absent, also on a full disk.

  B=build/release python3 test/cli/streams/run.py
"""
import concurrent.futures
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import commands
import files

B = os.path.abspath(os.environ.get("B", "build/release"))
NUMEL = B + "/numel"
WORK = tempfile.mkdtemp(prefix="numel-streams.")
LOST = 3
FORMS = [[], ["--json"], ["-q"], ["--no-truncate"], ["--no-progress"], ["--no-pager", "--color", "always"]]
TENSORS = [("model.layers.%d.mlp.up_proj.weight" % i, "F32", [8, 8]) for i in range(4)]
CONFIG = b'''{"model_type": "llama", "hidden_size": 8, "vocab_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
            "intermediate_size": 8}'''

# The shell redirections of the streams; the program's words follow "sh".
STREAMS = {
    "full": 'exec "$@" >/dev/full', "closed": 'exec "$@" >&-', "full, no errors": 'exec "$@" >/dev/full 2>&-',
    "all closed": 'exec "$@" <&- >&- 2>&-', "read only": 'exec "$@" 1</dev/null',
}
# These change nothing.
ASIDE = {"no input": 'exec "$@" <&-', "no errors": 'exec "$@" 2>&-', "errors full": 'exec "$@" 2>/dev/full',
         "neither": 'exec "$@" <&- 2>&-'}
failures, count = [], 0


def check(ok, *what):
    global count
    count += 1
    if not ok: failures.append(" ".join(str(w) for w in what))


def shell(script, words, where, **more):
    return subprocess.run(["sh", "-c", script, "sh", NUMEL] + words, cwd=where, stdin=more.pop("stdin", subprocess.DEVNULL),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, HOME=WORK, LC_ALL="C"), timeout=60, **more)


def gone(script, words, where):
    """Standard output is a pipe whose reader has exited."""
    read, write = os.pipe()
    os.close(read)
    try:
        return subprocess.run(["sh", "-c", script, "sh", NUMEL] + words, cwd=where, stdin=subprocess.DEVNULL, stdout=write,
                              stderr=subprocess.PIPE, env=dict(os.environ, HOME=WORK), timeout=60)
    finally:
        os.close(write)


# ---- every command

def every_line():
    for name, words in commands.lines(NUMEL, "m.safetensors"):
        for form in FORMS: yield [name] + form + words
        yield [name, "--help"]
        yield ["help", name]
    yield from (["--help"], ["-h"], ["--version"], ["-V"], ["help"], [], ["m.safetensors"], ["formula", "c.json"], ["print", "c.json"],
                ["diff", "p.txt"], ["diff", "m.safetensors", "p.txt"], ["diff", "--values", "m.safetensors", "m.safetensors"], ["verify", "--values", "m.safetensors"],
                ["spec", "show", "llama"], ["spec", "layouts"], ["spec", "lint", "no.spec"], ["tensors", "--json", "many"],
                ["show", "--json", "many"], ["show", "--others", "m.safetensors"], ["hash", "--resume=r", "m.safetensors"])


def folder(number):
    """A folder for each line, so that lines do not share files."""
    d = "%s/%d" % (WORK, number)
    files.put(d + "/m.safetensors", files.safetensors(TENSORS))
    files.put(d + "/p.txt", b"Model(\n  (a): Linear(in_features=8, out_features=8, bias=False)\n)\n")
    files.put(d + "/no.spec", b"arch\n")
    files.put(d + "/c.json", CONFIG)
    for i in range(3): files.put("%s/many/m%d.safetensors" % (d, i), files.safetensors(TENSORS)[: None if i else 40])
    return d


def every_stream(job):
    number, words = job
    d, out = folder(number), []
    before = {f: open(f, "rb").read() for f in glob.glob(d + "/**", recursive=True) if os.path.isfile(f)}
    again = lambda: shutil.rmtree(d + "/none", ignore_errors=True)
    plain = shell('exec "$@"', words, d)
    out.append((0 <= plain.returncode <= 5, words, "status", plain.returncode))
    expected = LOST if plain.stdout else plain.returncode
    for name, script in STREAMS.items():
        again()
        r = shell(script, words, d)
        out.append((r.returncode == expected, words, "with standard output", name, "is", r.returncode, "not", expected))
        if expected == LOST and "errors" not in name and name != "all closed":
            out.append((b"standard output" in r.stderr, words, name, "says nothing:", r.stderr))
    for name, script in ASIDE.items():
        again()
        r = shell(script, words, d)
        out.append((r.returncode == plain.returncode and r.stdout == plain.stdout, words, name, r.returncode, r.stdout[:200]))
    for name, script in (("default", 'exec "$@"'), ("ignored", 'trap "" PIPE; exec "$@"')):
        again()
        r = gone(script, words, d)
        out.append((r.returncode == expected, words, "reader gone, SIGPIPE", name, "is", r.returncode, "not", expected, r.stderr))
    again()
    for f, was in before.items(): out.append((open(f, "rb").read() == was, words, "changed", f))
    return out


# ---- a slow reader, or one that reads a single line

def long_output():
    d = WORK + "/long"
    files.put(d + "/m.safetensors", files.safetensors([("layers.%d.a.long.name.weight" % i, "F32", [1]) for i in range(20000)]))
    whole = shell('exec "$@"', ["tensors", "--json", "m.safetensors"], d).stdout
    check(whole.count(b"\n") == 20000 and len(whole) > 1 << 20, "long output", len(whole))
    slow = subprocess.run(["sh", "-c", '"$0" tensors --json m.safetensors | (sleep 0.3; cat)', NUMEL], cwd=d, stdout=subprocess.PIPE)
    check(slow.stdout == whole, "slow reader", len(slow.stdout))
    for name in ("tensors", "show", "meta"):
        for form in ([], ["--json"]):
            script = '{ "$@"; echo $? >status; } | head -c 10'
            r = shell(script, [name] + form + ["m.safetensors"] * (40 if name == "show" else 1), d)
            status = open(d + "/status").read().strip()
            check(status == str(LOST) or name == "meta", "| head -c 10:", name, form, "is", status)
            check(not r.stderr or name == "meta" or form == [] or b"Broken" not in r.stderr, name, r.stderr)


# ---- files that commands write

def limited(words, where, blocks):
    """A file may have that many blocks of 512 bytes: writing more fails as on a full disk."""
    return shell("trap '' XFSZ; ulimit -f %d; exec \"$@\"" % blocks, words, where)


def full_disk():
    d = WORK + "/disk"
    many = [("model.layers.%d.%s.weight" % (i, os.urandom(8).hex()), "F32", [1]) for i in range(600)]
    files.put(d + "/m.safetensors", files.safetensors(many))
    for force in ([], ["--force"]):
        for there in (False, True):
            shutil.rmtree(d + "/out", ignore_errors=True)
            if there: files.put(d + "/out/m.safetensors.head.zst", b"what was there")
            r = limited(["behead"] + force + ["m.safetensors", "out"], d, 2)
            left = {f: open(d + "/out/" + f, "rb").read() for f in (os.listdir(d + "/out") if os.path.isdir(d + "/out") else [])}
            check(r.returncode == LOST, "behead", force, there, "on a full disk is", r.returncode, r.stderr)
            check(b"out/m.safetensors.head.zst" in r.stderr, "behead on a full disk does not say where:", r.stderr)
            check(left == ({"m.safetensors.head.zst": b"what was there"} if there else {}), "behead left", {k: len(v) for k, v in left.items()})
    r = shell("ulimit -f 2; exec \"$@\"", ["behead", "m.safetensors", "out2"], d)
    check(r.returncode == LOST and not os.listdir(d + "/out2"), "behead under a limit", r.returncode, os.listdir(d + "/out2"))
    whole = shell('exec "$@"', ["hash", "m.safetensors"], d).stdout
    r = limited(["hash", "--resume=r", "m.safetensors"], d, 0)
    check(r.returncode == LOST and b" r: " in r.stderr, "hash --resume on a full disk is", r.returncode, r.stderr)
    check(not os.path.exists(d + "/r") or os.path.getsize(d + "/r") == 0, "half a journal was left")
    r = shell('exec "$@" >/dev/full', ["hash", "--resume=kept", "m.safetensors"], d)
    check(r.returncode == LOST and os.path.exists(d + "/kept"), "what was read is lost with its output", r.returncode)
    r = shell('exec "$@"', ["hash", "--resume=kept", "m.safetensors"], d)
    check(r.returncode == 0 and r.stdout == whole and not os.path.exists(d + "/kept"), "going on", r.returncode, r.stdout[:100])
    r = shell('exec "$@" >&- 2>&-', ["hash", "--resume=closed", "m.safetensors"], d)
    text = open(d + "/closed", "rb").read()
    check(text.startswith(b"# numel-resume") and b"numel-manifest" not in text and b"sha256 " not in text, "output went into the journal", text)


def main():
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for results in pool.map(every_stream, enumerate(every_line())):
                for r in results: check(*r)
        long_output()
        full_disk()
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    for f in failures[:40]: print("FAIL " + f)
    print("streams: %d checks, %d failed" % (count, len(failures)))
    return 1 if failures or count < 1000 else 0


sys.exit(main())
