"""The two programs between each other: lines that are no requests, ends, slow readers; and what the system is asked for."""
import os, re, shutil, subprocess, tempfile, threading, time

from client import B, CLEAN, PROGRAM, Fetch
from server import Hub, Reply, ranged

BODY = bytes(range(256)) * 800


def feed(data, *args, env=()):
    """Runs it with that on stdin: status, output."""
    with tempfile.TemporaryDirectory() as home:
        r = subprocess.run([PROGRAM, *args], input=data, capture_output=True, timeout=20, env=dict(CLEAN, HOME=home, **dict(env)))
        return r.returncode, r.stdout + r.stderr


def case_lines():
    good = b"read 7 0 10 - hf://a/b@%s/c\n" % (b"0" * 40)
    status, out = feed(good, "--offline")
    assert status == 0 and out.startswith(b"7 error offline "), out
    assert feed(b"", "--offline") == (0, b"")
    for line in b"\n", b"x", b"read\n", good[:-1], b" " + good, good[:-1] + b" \n", good[:-1] + b"\r\n", good.replace(b"read", b"READ"), good.replace(b" 7 ", b"  7 "), \
                good.replace(b" 7 ", b" 07 "), good.replace(b" 7 ", b" -7 "), good.replace(b" 7 ", b" +7 "), good.replace(b" 7 ", b" 4294967296 "), \
                good.replace(b" 0 ", b" 18446744073709551616 "), good.replace(b" 10 ", b" 1e3 "), good.replace(b" 10 ", b" "), good.replace(b"-", b"a b"), \
                good.replace(b"-", b"e" * 201), good.replace(b"/c", b"/\x00"), good.replace(b"/c", b"/\xc3\xbc"), good.replace(b"/c", b"/\t"), b"list 7\n", b"list 7 \n", \
                b"list 7 hf://a/b x\n", b"list x hf://a/b\n", b"get 7 hf://a/b\n", b"list 7 hf://a/" + b"b" * 16384 + b"\n", b"\0" * 100000:
        status, out = feed(line, "--offline")
        assert (status, out) == (2, b""), (line[:50], status, out[:300])
    for line in good.replace(b" 7 ", b" 4294967295 "), good.replace(b" 7 ", b" 0 "), good.replace(b"-", b"e" * 200), good * 3:
        status, out = feed(line, "--offline")
        assert status == 0 and b" error offline " in out, out
    for n in b"134217729", b"18446744073709551615":
        assert b" error refused " in feed(good.replace(b" 10 ", b" %s " % n), "--offline")[1]
    assert b" error refused " in feed(good.replace(b" 0 ", b" 18446744073709551615 "), "--offline")[1]
    assert b" error offline " in feed(good.replace(b" 10 ", b" 134217728 "), "--offline")[1]


def case_arguments():
    for args in ["--jobs"], ["--jobs", "0"], ["--jobs", "257"], ["--jobs", "x"], ["--cache"], ["--cache", ""], ["x"], ["--ofline"], [""]:
        status, out = feed(b"", *args)
        assert status == 2 and out.startswith(b"usage: numel-fetch "), (args, out)
    for args in ["--jobs", "256"], ["--jobs", "1"], ["--no-cache", "--offline"], ["--cache", "/x"]: assert feed(b"", *args) == (0, b""), args
    assert feed(b"", "--version") == (0, b"numel-fetch/1\n") and feed(b"", "--help")[1].startswith(b"usage:")
    for endpoint in "huggingface.co", "ftp://h", "https://u:p@h", "https://h/?x", "https://", "https://h/a b", "https://h\r\nX: 1":
        status, out = feed(b"list 1 hf://a/b\n", env={"HF_ENDPOINT": endpoint})
        assert status == 0 and b" error refused " in out and b"HF_ENDPOINT" in out, (endpoint, out)


def case_a_slow_reader():
    """Both pipes are full before the first answer is read: requests are still taken."""
    with Hub() as hub, tempfile.TemporaryDirectory() as home:
        hub.api.hook = lambda r: ranged(r, BODY, '"e"')
        p = subprocess.Popen([PROGRAM, "--no-cache"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(CLEAN, HOME=home))
        watch = threading.Timer(15, p.kill)
        watch.start()
        def send(ids): p.stdin.write(b"".join(b"read %d %d 2000 - %s/f?%s\n" % (i, i * 10, hub.api.url.encode(), b"x" * 100) for i in ids))
        send(range(400))
        p.stdin.flush()
        while len(hub.api.log) < 200: time.sleep(0.05) # 400 KB of answers
        time.sleep(0.2)
        send(range(400, 3000)) # 400 KB
        p.stdin.close()
        seen = set()
        for head in iter(p.stdout.readline, b""):
            words = head.split()
            number = int(words[0])
            assert words[1:] == [b"ok", b"204800", b"e", b"2000", b"2000"] and p.stdout.read(2000) == BODY[number * 10:number * 10 + 2000], head
            seen.add(number)
        watch.cancel()
        assert seen == set(range(3000)) and p.wait(10) == 0
        p.stdout.close()


def case_the_parent_goes():
    """It does not outlive a parent that is killed, whatever it waits for."""
    with Hub() as hub:
        hub.api.hook = lambda r: Reply(200, b"", stall=15)
        for close in ["stdin", "stdout"], ["stdout"]:
            with tempfile.TemporaryDirectory() as home:
                p = subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(CLEAN, HOME=home))
                p.stdin.write(b"read 1 0 10 - %s/f\n" % hub.api.url.encode())
                p.stdin.flush()
                time.sleep(0.3)
                for name in close: getattr(p, name).close()
                assert p.wait(5) == 3, close
                if not p.stdin.closed: p.stdin.close()


def calls(args, data=b""):
    """Names of system calls of the network that a command makes."""
    with tempfile.TemporaryDirectory() as home:
        log = home + "/log"
        r = subprocess.run(["strace", "-f", "-qq", "-o", log, "-e", "trace=%network,execve", *args], input=data, capture_output=True, timeout=60, env=dict(CLEAN, HOME=home))
        return set(re.findall(r"^(?:\d+ +)?(\w+)\(", open(log).read(), re.M)), r


def case_sockets():
    """numel has none, nor has numel-fetch offline; with the network it has."""
    if not shutil.which("strace"): return "no strace"
    if subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode: return "strace may not trace here"
    line = b"list 1 http://127.0.0.1:9/x\n"
    assert calls([PROGRAM, "--offline"], line)[0] <= {"execve", "socketpair"} # libcurl's own, with both ends in the process
    if os.path.exists(B + "/numel"):
        found = calls([B + "/numel", "fixtures/good"])[0]
        assert found == {"execve"}, found
    with Hub() as hub:
        hub.add("org/m", {"x": b"abc"})
        found, r = calls([PROGRAM], b"list 1 %s/org/m/resolve/main/x\n" % hub.api.url.encode())
        assert "connect" in found and b" ok " in r.stdout, (found, r)


def case_starved():
    """The n-th piece of memory is missing, libcurl's included: each answer is right or an error, and it never crashes. EVERY=1: each n."""
    shim = B + "/shim.so"
    if not os.path.exists(shim) or "asan" in B: return "no %s, which make shim builds" % os.path.relpath(shim)
    with Hub(page=1) as hub:
        commit = hub.add("org/m", {"model.safetensors": BODY, "x": b"abc"}, lfs=["model.safetensors"])
        line = b"list 1 hf://org/m\nread 2 0 65536 - hf://org/m@%s/model.safetensors\nread 3 0 9 - hf://org/m@%s/x\n" % (commit.encode(), commit.encode())
        whole = {b"2 ok 204800 ": BODY[:65536], b"3 ok 3 ": b"abc"}
        step, n, more = (1 if os.environ.get("EVERY") else 61), 1, True
        while more:
            with tempfile.TemporaryDirectory() as home:
                env = dict(CLEAN, HOME=home, HF_ENDPOINT=hub.endpoint, LD_PRELOAD=shim, SHIM_STARVE=str(n), SHIM_LOG=home + "/happened")
                r = subprocess.run([PROGRAM], input=line, capture_output=True, timeout=30, env=env)
                more = os.path.exists(home + "/happened")
            assert r.returncode in (0, 2, 3), (n, r)
            for start, body in whole.items():
                at = r.stdout.find(start)
                assert at < 0 or r.stdout[at:].partition(b"\n")[2].startswith(body), (n, r.stdout[:300])
            assert r.returncode or r.stdout.count(b" ok ") + r.stdout.count(b" error ") == 3, (n, r.stdout[:300])
            n += step
        assert n > step * 20, "hardly any memory was asked for"
