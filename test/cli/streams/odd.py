"""FIFOs, devices, sockets, folders and unreadable files, in every place that expects a file.

No command waits for a FIFO without a writer, reads a device, or ends by a signal. What the user named is refused in a sentence;
what is only found in a folder is ignored. Pipes with a writer are read where a small file is expected, however slow the writer is,
but not forever.

  B=build/release python3 test/cli/streams/odd.py
"""
import concurrent.futures
import fcntl
import os
import pty
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import termios
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import commands
import files

B = os.path.abspath(os.environ.get("B", "build/release"))
NUMEL = B + "/numel"
WORK = tempfile.mkdtemp(prefix="numel-odd.")
NOBODY = 65534
TENSORS = [("model.embed_tokens.weight", "F32", [16, 8]), ("model.norm.weight", "F32", [8]), ("lm_head.weight", "F32", [16, 8])]
CONFIG = b'{"model_type": "llama", "hidden_size": 8, "vocab_size": 16, "num_hidden_layers": 0, "num_attention_heads": 2, "intermediate_size": 8}'
PRINTED = b"Model(\n  (a): Linear(in_features=8, out_features=8, bias=False)\n)\n"
SPEC = b"arch odd\nmatch hf model_type in odd\nsize E = hidden_size\nraw norm x - E\n"
failures, count = [], 0


def check(ok, *what):
    global count
    count += 1
    if not ok: failures.append(" ".join(str(w) for w in what))


# ---- not regular files

def link(to): return lambda p: os.symlink(to, p)


def a_socket(p):
    s = socket.socket(socket.AF_UNIX)
    s.bind("/proc/self/fd/%d/%s" % (os.open(os.path.dirname(p), os.O_RDONLY), os.path.basename(p)[:60])) # socket paths must be short
    s.close()


KINDS = {"fifo": os.mkfifo, "folder": os.mkdir, "socket": a_socket, "zero": link("/dev/zero"), "random": link("/dev/urandom"),
         "full": link("/dev/full"), "tty": link("/dev/tty"), "null": link("/dev/null"), "nowhere": link("nowhere"),
         "itself": lambda p: os.symlink(os.path.basename(p), p), "of no size": link("/proc/self/status"),
         "waits": link("/proc/kmsg"), "fifo by link": lambda p: (os.mkfifo(p + ".to"), os.symlink(p + ".to", p))}
# Inputs of the kinds in REFUSED are refused, by name. Output goes where the user says: the TAKERS accept it, and so
# does a FIFO that another job happens to read.
WRITTEN, TAKERS = ("--junit", "--sarif", "--html"), ("zero", "random", "null", "fifo", "fifo by link")
REFUSED = {"fifo", "folder", "socket", "zero", "random", "full", "null", "fifo by link"}


def make(kind, path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    KINDS[kind](path)


def run(words, where, user=None, program=NUMEL, **more):
    more.setdefault("stdin", subprocess.DEVNULL)
    try:
        return subprocess.run([program] + words, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20,
                              env=dict(os.environ, HOME=where, LC_ALL="C"), user=user, **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, "hangs", b"", b"")


def ends_well(r): return r.returncode in range(0, 6)


# ---- named by the user

def named_job(job):
    words, kind, place, option = job
    r = run(words, WORK + "/" + place)
    out = [(ends_well(r), words, "with a", kind, "is", r.returncode)]
    if kind in REFUSED and not (kind == "folder" and option != "--manifest" and option != "--config"):
        ignored = (option in WRITTEN and kind in TAKERS) or (words[0] in ("spec", "completions") and option is None) or (words[0] == "diff" and option) # only names are given: nothing else was opened
        out.append((ignored or r.returncode != 0 or words[0] == "identify", words, "accepts a", kind))
        out.append((ignored or r.stderr or r.stdout, words, "does not mention a", kind))
    if kind == "fifo": out.append((stat.S_ISFIFO(os.lstat("%s/%s/odd" % (WORK, place)).st_mode), words, "changed the FIFO"))
    return out


def named():
    for number, kind in enumerate(KINDS):
        place, written = "n%d" % number, "w%d" % number # what one job writes into a FIFO, another would read
        for folder in place, written:
            make(kind, "%s/%s/odd" % (WORK, folder))
            files.put("%s/%s/m.safetensors" % (WORK, folder), files.safetensors(TENSORS))
        for name, words in commands.lines(NUMEL, "odd"):
            yield [name] + words, kind, place, None
            yield [name, "--json"] + words, kind, place, None
        for words in (["odd"], ["diff", "m.safetensors", "odd"], ["diff", "odd"], ["spec", "lint", "odd"], ["spec", "lint", "--json", "odd"],
                      ["behead", "m.safetensors", "odd"], ["identify", "m.safetensors", "odd"], ["verify", "--values", "odd"],
                      ["formula", "odd/config.json"], ["verify", "-l", "hash", "odd"]):
            yield words, kind, place, None
        for name, words in commands.lines(NUMEL, "m.safetensors"):
            for option in commands.options(NUMEL, name):
                yield [name, option + "=odd"] + words, kind, written if option in WRITTEN else place, option


# ---- found in a folder

HASH = "a" * 64
NAMES = ["config.json", "params.json", "tokenizer.json", "generation_config.json", "vocab.json", "adapter_config.json", "quantize_config.json",
         "model.safetensors", "b.gguf", "model.safetensors.index.json", "n-00001-of-00002.safetensors", "c.safetensors.incomplete",
         "x.numel", "SHA256SUMS", "m.safetensors.sha256", HASH, "d.safetensors.head.zst", "model_index.json", "refs/main",
         ".cache/huggingface/download/m.safetensors.metadata", "trees/abc.json", "s.spec", "l.layout"]
OVER = [["show"], ["show", "--others"], ["tensors"], ["meta"], ["formula"], ["reconcile"], ["verify"], ["verify", "-l", "hash"],
        ["verify", "--values"], ["print"], ["hash"], ["identify"], ["explain", "7"], ["diff", "."], ["behead"], ["formula", "--spec", "."]]


def lying_job(job):
    words, kind, place, name, plain = job
    r = run(words + [".", "../h-" + place] if words == ["behead"] else words + ["."], WORK + "/" + place)
    out = [(ends_well(r), words, "over a folder with a", kind, "named", name, "is", r.returncode)]
    if "fifo" in kind or kind in ("socket", "zero", "null"):
        out.append(((r.returncode, r.stdout) == plain or words == ["behead"], words, "minds a", kind, "named", name, r.returncode, r.stderr[-200:]))
    return out


def lying():
    d = WORK + "/plain"
    files.put(d + "/m.safetensors", files.safetensors(TENSORS))
    plain = {" ".join(w): run(w + ["."] + (["../h"] if w == ["behead"] else []), d) for w in OVER}
    for i, name in enumerate(NAMES):
        for k, kind in enumerate(KINDS):
            if kind in ("tty", "of no size", "waits", "full", "random") and (i + k) % 4: continue
            place = "l%d-%d" % (i, k)
            make(kind, "%s/%s/%s" % (WORK, place, name))
            files.put("%s/%s/m.safetensors" % (WORK, place), files.safetensors(TENSORS))
            for n, words in enumerate(OVER):
                if kind != "fifo" and (i + k + n) % 3: continue
                p = plain[" ".join(words)]
                yield words, kind, place, name, (p.returncode, p.stdout)


# ---- pipes

def bash(script, where): return subprocess.run(["bash", "-c", script, NUMEL], cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                               stderr=subprocess.PIPE, timeout=60, env=dict(os.environ, LC_ALL="C"))


def pipes():
    d = WORK + "/pipes"
    for name, data in (("m.safetensors", files.safetensors(TENSORS)), ("s.spec", SPEC), ("c.json", CONFIG), ("p.txt", PRINTED),
                       ("odd.json", b'{"model_type": "odd", "hidden_size": 8}'), ("big.json", CONFIG + b" " * 300000)):
        files.put(d + "/" + name, data)
    hashed = bash('"$0" hash m.safetensors >m.numel', d)
    check(hashed.returncode == 0, "hash", hashed)
    for form in ("", "--json ", "-q "):
        for line, source in (("formula " + form + "odd.json --spec %s", "s.spec"), ("reconcile " + form + "m.safetensors --config %s", "c.json"),
                             ("reconcile " + form + "m.safetensors --config %s", "big.json"), ("diff " + form + "%s", "p.txt"),
                             ("diff " + form + "m.safetensors %s", "p.txt"), ("spec lint " + form + "%s", "s.spec"),
                             ("verify " + form + "m.safetensors --manifest %s", "m.numel")):
            told = bash('"$0" ' + line % source, d)
            same = lambda r: r.returncode == told.returncode and len(r.stdout.split()) == len(told.stdout.split())
            for feeder in ("<(cat %s)", "<(sleep 0.1; cat %s)", "<(head -c 9 %s; sleep 0.1; tail -c +10 %s)"):
                if form and feeder != "<(cat %s)": continue
                r = bash('"$0" ' + line % feeder.replace("%s", source), d)
                check(same(r), line, feeder, r.returncode, "not", told.returncode, r.stderr)
            r = bash('cat %s | "$0" %s' % (source, line % "/dev/stdin"), d)
            check(same(r), line, "/dev/stdin", r.returncode, r.stderr)
            r = bash('rm -f f; mkfifo f; cat %s >f & while ! grep -q . /proc/$!/comm; do :; done; sleep 0.1; "$0" %s' % (source, line % "f"), d)
            check(same(r), line, "a FIFO with a writer", r.returncode, r.stderr)
    for script, why in (('"$0" formula -a llama --spec <(yes)', b"larger than"), ('"$0" formula -c <(yes) -a llama', b"more than"),
                        ('"$0" spec lint <(yes)', b"larger than"), ('"$0" diff <(yes "a")', b""), ('"$0" verify m.safetensors --manifest <(:)', b"without a writer"),
                        ('"$0" spec lint <(:)', b"without a writer"), ('"$0" reconcile m.safetensors --config <(:)', b"without a writer"),
                        ('mkfifo g; "$0" reconcile m.safetensors --config g', b"without a writer"), ('mkfifo h; "$0" spec lint h', b"without a writer"),
                        ('mkfifo i; "$0" i', b"without a writer"), ('"$0" <(head -c 20 m.safetensors)', b"12 follow"), ('"$0" hash <(cat m.safetensors)', b"FIFO")):
        r = bash(script, d)
        check(r.returncode in (1, 2, 3) and why in r.stdout + r.stderr, script, r.returncode, r.stdout[-200:], r.stderr)
    r = bash('"$0" diff - <p.txt', d)
    check(r.returncode == 0 and b"2 modules" in r.stdout, "diff -", r)


def terminal():
    """A terminal without any typing."""
    d = WORK + "/pipes"
    for words in (["spec", "lint", "/dev/tty"], ["formula", "-a", "llama", "--spec", "/dev/tty"], ["formula", "--config", "/dev/tty", "-a", "llama"], ["/dev/tty"],
                  ["verify", "--manifest", "/dev/tty", "m.safetensors"], ["hash", "--resume=/dev/tty", "m.safetensors"], ["diff", "/dev/tty"]):
        master, slave = pty.openpty()
        r = run(words, d, start_new_session=True, stdin=slave, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        check(r.returncode == 3, words, "is", r.returncode, r.stderr)
        os.close(master), os.close(slave)


# ---- progress of a list whose paths come slowly

def listed(stderr_tty, *words, **variables):
    """What a list writes to standard error while its second path comes late enough for progress to be due."""
    master, slave = pty.openpty()
    err = slave if stderr_tty else subprocess.PIPE
    p = subprocess.Popen([NUMEL, "list", "--files-from", "-", *words], cwd=WORK + "/pipes", env={**os.environ, **variables}, bufsize=0,
                         stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=err)
    os.close(slave)
    for i in range(4):
        p.stdin.write(b"m%d.safetensors\n" % i)
        time.sleep(0.4)
    p.stdin.close()
    out = b"" if stderr_tty else p.stderr.read()
    try:
        while stderr_tty and (some := os.read(master, 65536)): out += some
    except OSError: pass # the other end is closed
    os.close(master)
    return p.wait(), out


def progress():
    for i in range(4): files.put(WORK + "/pipes/m%d.safetensors" % i, files.safetensors(TENSORS))
    for tty, words, variables, shown in ((True, [], {}, True), (True, ["--json"], {}, True), (False, [], {}, False), (True, ["--no-progress"], {}, False),
                                         (True, [], {"HF_HUB_DISABLE_PROGRESS_BARS": "1"}, False), (True, [], {"HF_HUB_DISABLE_PROGRESS_BARS": "0"}, True)):
        status, out = listed(tty, *words, **variables)
        check(status == 0 and (b" checkpoints " in out) == shown, "progress of a list", words, variables, "is", status, out)
        check(not shown or out.endswith(b" \r"), "progress of a list is left on the terminal:", out)


# ---- unreadable files

def forbidden():
    """Root may read everything, so another user runs a copy of the program: that user may have no access to the
    build's folder."""
    user = NOBODY if os.geteuid() == 0 else None
    d = WORK + "/forbidden"
    os.chmod(WORK, 0o755)
    program = shutil.copy(NUMEL, WORK + "/numel")
    for name in ("config.json", "tokenizer.json", "m.safetensors", "model.safetensors.index.json", "x.numel", "adapter_config.json", "generation_config.json"):
        where = "%s/%s" % (d, name)
        files.put(where + "/good.safetensors", files.safetensors(TENSORS))
        files.put(where + "/" + name, CONFIG)
        os.chmod(where + "/" + name, 0)
        for words in OVER:
            if words == ["behead"]: continue
            r = run(words + ["."], where, user, program)
            check(ends_well(r), words, "on an unreadable file", name, "is", r.returncode)
        for words in (["show", name], ["meta", name], ["identify", name], ["hash", name], ["spec", "lint", name], ["diff", name],
                      ["reconcile", "good.safetensors", "--config", name], ["formula", "-a", "llama", "--spec", name],
                      ["verify", "good.safetensors", "--manifest", name]):
            r = run(words, where, user, program)
            check(r.returncode in (1, 3) and b"Permission denied" in r.stderr + r.stdout, words, "is", r.returncode, r.stdout, r.stderr)
    for mode in (0, 0o111, 0o444):
        where = "%s/mode%o" % (d, mode)
        files.put(where + "/sub/m.safetensors", files.safetensors(TENSORS))
        os.chmod(where + "/sub", mode)
        for words in OVER + [["--spec"]]:
            if words == ["behead"]: continue
            r = run(words + ["sub"], where, user, program)
            check(ends_well(r), words, "of a folder of mode %o" % mode, "is", r.returncode)
            check(words[0] in ("--spec", "identify") or r.returncode, words, "of a folder of mode %o" % mode, "is", r.returncode)
        os.chmod(where + "/sub", 0o755)


def main():
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for job, jobs in ((named_job, list(named())), (lying_job, list(lying()))):
                for results in pool.map(job, jobs):
                    for r in results: check(*r)
        pipes()
        terminal()
        progress()
        forbidden()
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    for f in failures[:40]: print("FAIL " + f)
    print("odd files: %d checks, %d failed" % (count, len(failures)))
    return 1 if failures or count < 1000 else 0


sys.exit(main())
