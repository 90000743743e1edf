"""How numel ends while it fetches: the private folder of its copies is gone, and so are its processes."""
import glob, os, signal, subprocess, sys, tempfile, time

from client import B, CLEAN, PROGRAM
from server import Hub, Reply

BODY = (72).to_bytes(8, "little") + b'{"a":{"dtype":"U8","shape":[5000],"data_offsets":[0,5000]}}'.ljust(72) + bytes(5000)


def begin(hub, folder, url="hf://org/m"):
    """`numel identify`, with temporary files in the folder."""
    env = dict(CLEAN, HOME=folder, TMPDIR=folder + "/tmp", HF_ENDPOINT=hub.endpoint, NUMEL_FETCH=PROGRAM)
    return subprocess.Popen([B + "/numel", "identify", url], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def wait_until(what, true):
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def left(folder): return os.listdir(folder + "/tmp")


def stalling(hub):
    """The configuration comes, the weights do not; of another repository both."""
    for name in "org/m", "org/n": hub.add(name, {"config.json": b"{}", "model.safetensors": BODY})
    hub.api.hook = lambda r: Reply(200, stall=20) if r.path.startswith("/org/m/") and r.path.endswith(".safetensors") else None


def session(pid):
    """Its processes, and those that have left it but were started by it: all with the same TMPDIR."""
    found = []
    for p in os.listdir("/proc"):
        try:
            if p.isdigit() and pid.encode() in open("/proc/%s/environ" % p, "rb").read(): found.append(int(p))
        except OSError: pass
    return found


def case_ends_by_signals():
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL:
        for group in False, True: # as a terminal sends them
            with Hub() as hub, tempfile.TemporaryDirectory() as folder:
                os.mkdir(folder + "/tmp")
                stalling(hub)
                p = begin(hub, folder)
                wait_until("the weights are not asked for", lambda: any(r.path.endswith(".safetensors") for r in hub.api.log))
                [name] = left(folder)
                assert name.startswith("numel-remote.") and os.listdir(folder + "/tmp/" + name) == ["hf:"], name
                (os.killpg if group else os.kill)(p.pid, number)
                out, error = p.communicate(timeout=20)
                assert p.returncode == -number and not out and not error, (number, p.returncode, out, error)
                wait_until("%s is left after signal %d" % (name, number), lambda: not left(folder))
                wait_until("processes are left after signal %d" % number, lambda: not session(folder))


def case_the_next_run_cleans_up():
    """What a killed program and its watcher left, but nothing in use, or of another kind."""
    with Hub() as hub, tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/tmp")
        stalling(hub)
        p = begin(hub, folder)
        wait_until("the weights are not asked for", lambda: any(r.path.endswith(".safetensors") for r in hub.api.log))
        # another program leaves that folder alone while it is in use
        others = ["numel-remote.12345", "numel-remote.1234567", "numel-remotes.123456", "numel-remote_123456", "numel-remote-abcdef", "numel-remote.FILE.."]
        for name in others[:-1]: os.mkdir(folder + "/tmp/" + name)
        open(folder + "/tmp/" + others[-1], "w").close()
        before = set(left(folder))
        q = begin(hub, folder, "hf://org/n")
        q.communicate(timeout=20)
        assert q.returncode == 0 and set(left(folder)) == before, (q.returncode, before ^ set(left(folder)))
        for number in signal.SIGSTOP, signal.SIGKILL: # of all at once: the watcher too
            for pid in session(folder): os.kill(pid, number)
        p.communicate(timeout=20)
        wait_until("killed processes are there", lambda: not session(folder)) # whose locks are theirs until then
        assert set(left(folder)) == before
        old = folder + "/tmp/numel-remote-abcdef" # killed before it was renamed, an hour ago
        os.utime(old, (time.time() - 3600,) * 2)
        q = begin(hub, folder, "hf://org/n")
        q.communicate(timeout=20)
        assert set(left(folder)) == set(others) - {"numel-remote-abcdef"}, left(folder)


def case_folder_of_temporary_files():
    """TMPDIR, if it is a path that can be used; names that are shown are those of the URL."""
    with Hub() as hub, tempfile.TemporaryDirectory() as folder:
        hub.add("org/m", {"config.json": b"{}", "model.safetensors": BODY})
        os.makedirs(folder + "/a b/numel-remote.123456")
        for tmp, good in (folder + "/a b/numel-remote.123456", True), (folder + "/a b", True), (folder + "/a b/", True), ("relative", True), ("", True), (folder + "/none", False):
            env = dict(CLEAN, HOME=folder, TMPDIR=tmp, HF_ENDPOINT=hub.endpoint, NUMEL_FETCH=PROGRAM)
            r = subprocess.run([B + "/numel", "identify", "hf://org/m"], env=env, capture_output=True, text=True, timeout=20)
            assert (r.returncode != 3) == good and (not good or r.stdout.startswith("hf://org/m/config.json ")), (tmp, r)
            assert good or "cannot create a folder below TMPDIR" in r.stderr, r
            assert "numel-remote" not in r.stdout and "relative" not in os.listdir(".")
