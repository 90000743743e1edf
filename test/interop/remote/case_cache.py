"""What a second run fetches: of a commit nothing, of a revision its commit, of a URL whether it changed; offline nothing at all."""
import contextlib, glob, os, shutil, stat, tempfile

from client import Fetch
from server import Hub, Reply, ranged

BODY = bytes(range(256)) * 800


@contextlib.contextmanager
def home():
    folder = tempfile.mkdtemp(prefix="numel-remote.")
    yield folder
    shutil.rmtree(folder)


def entries(folder): return sorted(glob.glob(folder + "/.cache/numel/*"))


def use(f, commit="main"):
    """A listing, a small file, two ranges of a large one: what they gave."""
    said = [f.list("hf://org/m@" + commit)]
    said += [f.read("hf://org/m@%s/%s" % (commit, w), *at) for w, *at in [("x", 0, 100), ("model.safetensors", 0, 65536), ("model.safetensors", 65536, 1000), ("x", 0, 0)]]
    return said


def facts(said): return [(a.ok, a.size, a.etag, a.data) for a in said]


def case_second_run():
    with home() as h, Hub() as hub:
        commit = hub.add("org/m", {"x": b"abc", "model.safetensors": BODY}, lfs=["model.safetensors"])
        counts = lambda: (len(hub.api.log), len(hub.cdn.log))
        sent = lambda: hub.api.sent + hub.cdn.sent
        with Fetch(endpoint=hub.endpoint, home=h) as f: first = use(f)
        assert all(a.ok and not a.kept for a in first[:-1]), first # the last is in an earlier range
        assert sum(a.came for a in first) == sent(), ([a.came for a in first], sent()) # redirects too
        before, bytes_before = counts(), sent()
        with Fetch(endpoint=hub.endpoint, home=h) as f: again = use(f)
        assert facts(again) == facts(first) and all(a.kept for a in again)
        # of the revision, which may have moved, its commit
        assert [a.came for a in again] == [sent() - bytes_before, 0, 0, 0, 0] and again[0].came > 0, again
        assert counts() == (before[0] + 1, before[1]) and "/revision/" in hub.api.log[-1].path
        for more in ["--offline"], [commit]:
            before = counts()
            with Fetch(*[m for m in more if m[0] == "-"], endpoint=hub.endpoint, home=h) as f: assert facts(use(f, commit if more == [commit] else "main")) == facts(first)
            assert counts() == before
        with Fetch(endpoint=hub.endpoint, home=h, env={"HF_HUB_OFFLINE": "1"}) as f: assert facts(use(f)) == facts(first)
        assert counts() == before
        # a shorter range is in a longer one; a longer one, another file and another revision are not in the cache
        with Fetch("--offline", endpoint=hub.endpoint, home=h) as f:
            assert f.read("hf://org/m/model.safetensors", 0, 10).data == BODY[:10]
            for a in f.read("hf://org/m/model.safetensors", 0, 65537), f.read("hf://org/m/model.safetensors", 1, 10), f.read("hf://org/m/y"), f.list("hf://org/m@v1"), \
                     f.list("hf://org/n"), f.read(hub.api.url + "/x"): assert a.kind == "offline" and "--offline" in a.text, a
            # another pin than that of the entry
            assert f.read("hf://org/m/x", 0, 100, "f" * 40).kind == "offline"
        assert counts() == before
        # the revision moves: all is of the new one
        hub.add("org/m", {"x": b"new!", "model.safetensors": BODY[::-1]}, lfs=["model.safetensors"])
        with Fetch(endpoint=hub.endpoint, home=h) as f:
            said = use(f)
            assert said[1].data == b"new!" and said[2].data == BODY[::-1][:65536], said


def case_files_of_the_cache():
    """Where they are, whose they are, and that names from servers are not among them."""
    with home() as h, Hub() as hub:
        commit = hub.add("org/m", {"x/..a": b"abc"})
        with Fetch(endpoint=hub.endpoint, home=h) as f: assert f.read("hf://org/m/x/..a").ok and f.list("hf://org/m").ok
        assert len(entries(h)) == 3, entries(h) # a revision, a list, a range
        for path in entries(h):
            assert stat.S_IMODE(os.stat(path).st_mode) == 0o600 and len(os.path.basename(path)) == 38 and path.endswith(".range"), path
        for folder in ".cache", ".cache/numel": assert stat.S_IMODE(os.stat(h + "/" + folder).st_mode) == 0o700
        with Fetch("--cache", h + "/a/b", endpoint=hub.endpoint, home=h) as f: assert f.read("hf://org/m/x/..a").ok
        with Fetch(endpoint=hub.endpoint, home=h, env={"XDG_CACHE_HOME": h + "/xdg"}) as f: assert f.read("hf://org/m/x/..a").ok
        assert len(os.listdir(h + "/a/b")) == 2 and len(os.listdir(h + "/xdg/numel")) == 2
        before = set(entries(h))
        hub.add("org/m", {"x": b"2"}, ref="v2")
        with Fetch("--no-cache", endpoint=hub.endpoint, home=h) as f: assert f.read("hf://org/m@v2/x").ok
        assert set(entries(h)) == before
        # no folder can be made: no cache, and no error
        with Fetch("--cache", "/dev/null/x", endpoint=hub.endpoint, home=h) as f: assert f.read("hf://org/m@v2/x").ok


def case_damaged_entries():
    """Cut, changed in each of its parts, empty, longer, a folder, a link, a FIFO: fetched again, and put right."""
    with home() as h, Hub() as hub:
        commit = hub.add("org/m", {"x": b"abcdefgh" * 10})
        url = "hf://org/m@%s/x" % commit
        with Fetch(endpoint=hub.endpoint, home=h) as f: first = f.read(url)
        [path] = entries(h)
        whole = open(path, "rb").read()
        def flip(at): return whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:]
        damages = [whole[:n] for n in range(0, len(whole), 7)] + [flip(n) for n in range(0, len(whole), 5)] + [whole + b"x", b"\0" * len(whole)]
        def check(n):
            seen = len(hub.api.log)
            with Fetch(endpoint=hub.endpoint, home=h) as f: assert facts([f.read(url)]) == facts([first]), n
            assert len(hub.api.log) == seen + 1, (n, "served from a damaged file")
        for n, damaged in enumerate(damages):
            with open(path, "wb") as f: f.write(damaged)
            check(n)
            assert open(path, "rb").read() == whole, n
        target = h + "/elsewhere"
        for make in lambda: os.symlink(target, path), lambda: os.mkfifo(path), lambda: os.mkdir(path):
            with open(target, "wb") as f: f.write(whole)
            os.unlink(path)
            make()
            check(make)
            assert open(target, "rb").read() == whole


def case_names_collide():
    """An entry in the file of another key, as where two hashes are equal, is not used."""
    with home() as h, Hub() as hub:
        commit = hub.add("org/m", {"x": b"xxx", "y": b"yyy"})
        paths = {}
        for name in "x", "y":
            before = set(entries(h))
            with Fetch(endpoint=hub.endpoint, home=h) as f: assert f.read("hf://org/m@%s/%s" % (commit, name)).ok
            [paths[name]] = set(entries(h)) - before
        shutil.copyfile(paths["x"], paths["y"])
        with Fetch("--offline", endpoint=hub.endpoint, home=h) as f:
            assert f.read("hf://org/m@%s/x" % commit).data == b"xxx" and f.read("hf://org/m@%s/y" % commit).kind == "offline"


def case_urls_are_validated():
    bodies = {"/a": [b"a" * 500, '"1"'], "/weak": [b"w" * 500, 'W/"1"'], "/none": [b"n" * 500, ""]}
    with home() as h, Hub() as hub:
        hub.api.hook = lambda r: ranged(r, *bodies[r.path])
        def both(path, n, args=(), kind=None):
            """n: bytes that the server sends for two reads."""
            sent = hub.api.sent
            with Fetch(*args, home=h) as f:
                for at in 0, 100:
                    a = f.read(hub.api.url + path, at, 50)
                    assert a.kind == kind and (kind or a.data == bodies[path.partition("?")[0]][0][at:at + 50]), a
            assert hub.api.sent - sent == n, (path, hub.api.sent - sent)
        for path in "/a", "/weak": both(path, 100)
        seen = len(hub.api.log)
        for path in "/a", "/weak": both(path, 0)
        assert len(hub.api.log) == seen + 2 and hub.api.log[-2].headers["If-None-Match"] == '"1"' # once for each
        both("/a", 0, ["--offline"])
        bodies["/a"] = [b"b" * 500, '"2"']
        both("/a", 100)
        both("/a", 0)
        # without an ETag nothing is kept; a query may be a signature
        for path in "/none", "/a?Signature=1", "/a?":
            both(path, 100)
            both(path, 100)
            both(path, 0, ["--offline"], kind="offline")
        kept = b"".join(open(p, "rb").read() for p in entries(h))
        assert b"Signature" not in kept and b"/none" not in kept


def case_cache_is_trimmed():
    """A folder of more than 1 GiB: the oldest entries are removed, other files are not. Sparse files, since only sizes count."""
    with home() as h, Hub() as hub:
        folder = h + "/.cache/numel"
        os.makedirs(folder)
        names = ["%032x.range" % i for i in range(12)]
        for i, name in enumerate(names):
            with open(folder + "/" + name, "wb") as f: f.truncate(100 << 20)
            os.utime(folder + "/" + name, (1000000 + i, 1000000 + i))
        for name in "notes.txt", "x.range", "1-1.part", "2-2.part":
            with open(folder + "/" + name, "wb") as f: f.truncate(1 << 30)
        os.utime(folder + "/1-1.part", (1000, 1000)) # left by a run that was killed
        commit = hub.add("org/m", {"x": b"abc"})
        with Fetch("--offline", endpoint=hub.endpoint, home=h) as f: assert f.read("hf://org/m/x").kind == "offline"
        assert len(os.listdir(folder)) == 16
        with Fetch(endpoint=hub.endpoint, home=h) as f: assert f.read("hf://org/m/x").ok
        left = set(os.listdir(folder))
        # 1,200 MiB and two small entries: down to 768 MiB, 7 of them
        assert {n for n in names if n in left} == set(names[5:]) and {"notes.txt", "x.range", "2-2.part"} < left and "1-1.part" not in left, left
        assert len(left) == 7 + 3 + 2
        # 1,000 MiB are left alone
        for name in names[2:5]:
            with open(folder + "/" + name, "wb") as f: f.truncate(100 << 20)
        with Fetch(endpoint=hub.endpoint, home=h) as f: assert f.list("hf://org/m@" + commit).ok
        assert set(names[2:]) < set(os.listdir(folder))
