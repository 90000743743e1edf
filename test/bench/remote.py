"""How long the headers of a large remote repository take: DeepSeek-V3, 163 shards, 50 ms before each answer, one redirect a file.

The hub is that of test/interop/remote, on this machine, so its own time counts as well. Printed, not judged: wall seconds, processor
seconds of the client alone, requests, bytes. First numel-fetch, asked as numel asks it (the index tells how long a header about is),
then numel; last from a server that compresses nothing.

  B=build/release python3 test/bench/remote.py [DELAY [JOBS]]
"""
import glob, json, os, resource, struct, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "interop", "remote"))
from client import B, CLEAN, Fetch
from server import Hub, Reply, packed, ranged

SHARDS = 163


class Sparse:
    """A header, and zeros that should not be read."""
    def __init__(self, front, size): self.front, self.size = front, size
    def __len__(self): return self.size
    def __getitem__(self, s): return self.front[s] if s.stop <= len(self.front) else self.front[s] + b"\0" * (min(s.stop, self.size) - max(s.start, len(self.front)))


def repository():
    """DeepSeek-V3 as published, from the header-only copies in fixtures/deepseek-v3: its index has 8.9 MB, its headers 11.5 MB."""
    folder = os.path.join(HERE, "..", "..", "fixtures", "deepseek-v3")
    files, weight_map, total = {}, {}, 0
    for path in sorted(glob.glob(folder + "/*.head.zst")):
        name = os.path.basename(path)[:-len(".head.zst")]
        with open(path, "rb") as copy: size = struct.unpack("<Q", copy.read(24)[16:])[0]
        front = subprocess.run(["zstd", "-qdc", path], capture_output=True, check=True).stdout
        files[name] = Sparse(front, size)
        weight_map.update(dict.fromkeys(json.loads(front[8:]).keys() - {"__metadata__"}, name))
        total += size - len(front)
    files["model.safetensors.index.json"] = json.dumps({"metadata": {"total_size": total}, "weight_map": dict(sorted(weight_map.items()))}, indent=2).encode()
    with open(folder + "/config.json", "rb") as config: files["config.json"] = config.read()
    return files


class BenchHub(Hub):
    """Numbers instead of digests, which would take minutes."""
    def add_sparse(self, name, files):
        commit = "c" * 40
        self.repos[name] = {"refs": {"main": commit}, "commits": {commit: {p: (b, isinstance(b, Sparse)) for p, b in files.items()}}}
        self.digests = {id(b): ("%x" % i * 22)[:64] for i, b in enumerate(files.values(), 256)}
        return commit

    def tree(self, r, files):
        entries = [dict({"type": "file", "oid": self.digests[id(b)][:40], "size": len(b), "path": p}, **({"lfs": {"oid": self.digests[id(b)], "size": len(b), "pointerSize": 1}} if lfs else {}))
                   for p, (b, lfs) in files.items()]
        return Reply(200, json.dumps(entries).encode())

    def resolve(self, files, path, r, commit):
        body, lfs = files[path]
        digest = self.digests[id(body)]
        if not lfs: return ranged(r, body, '"%s"' % digest[:40])
        self.signatures[digest] = body
        self.valid.add(digest)
        return Reply(302, b"", [("Location", "%s/%s?Signature=%s" % (self.cdn.url, digest, digest)), ("X-Linked-ETag", '"%s"' % digest), ("X-Linked-Size", str(len(body)))])

    def answer_cdn(self, r):
        digest = r.path[1:]
        return ranged(r, self.signatures[digest], '"cdn-%s"' % digest)


def measured(hub, what, run):
    for server in hub.api, hub.cdn: server.sent, server.log[:] = 0, []
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    said = run()
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print("%-12s %5.2f s, %4.2f s of processor, %4d requests, %8d bytes%s" %
          (what, wall, cpu, len(hub.api.log) + len(hub.cdn.log), hub.api.sent + hub.cdn.sent, said))


def by_fetch(hub, jobs, home, about, *more):
    """A listing, the configuration and the index, then the front of each shard, and the rest of a header where it was longer."""
    with Fetch(*jobs, *more, endpoint=hub.endpoint, home=home) as f:
        lines = [line.split(" ") for line in f.list("hf://org/m").data.decode().splitlines()]
        url, size = "hf://org/m@%s/" % lines[0][1], {w[4]: int(w[1]) for w in lines[1:]}
        small = [f.send("read", 0, size[n], "-", url + n) for n in ("config.json", "model.safetensors.index.json")]
        for s in small: assert f.wait(s).ok
        asked = {f.send("read", 0, min(about[n], 131072), "-", url + n): n for n in about}
        headers, fronts = 0, {}
        while asked:
            a = f.answer()
            assert a.ok, a
            name = asked.pop(a.id)
            have = fronts.get(name) or (8 + struct.unpack("<Q", a.data[:8])[0], 0)
            n, got = have[0], have[1] + len(a.data)
            if got >= n: headers += 1
            else:
                fronts[name] = n, got
                asked[f.send("read", got, n - got, "-", url + name)] = name
    assert headers == SHARDS, headers
    return ""


def guesses(files):
    """What the index says of the length of each header."""
    about = {}
    for name, shard in json.loads(files["model.safetensors.index.json"])["weight_map"].items(): about[shard] = about.get(shard, 1024) + len(name) + 80
    return about


def by_numel(hub, home):
    r = subprocess.run([B + "/numel", "show", "hf://org/m"], capture_output=True, text=True, env=dict(CLEAN, HOME=home, HF_ENDPOINT=hub.endpoint, NUMEL_FETCH=B + "/numel-fetch"))
    assert "hf://org/m" in r.stdout, r
    return ", " + r.stderr.strip()


def main():
    delay, jobs = float((sys.argv[1:] + ["0.05"])[0]), ["--jobs", sys.argv[2]] if sys.argv[2:] else []
    files = repository()
    about = guesses(files)
    print("%d shards, headers of %d bytes, an index of %d, %d ms before each answer" %
          (SHARDS, sum(len(f.front) for f in files.values() if isinstance(f, Sparse)), len(files["model.safetensors.index.json"]), delay * 1000))
    with BenchHub(delay=delay) as hub, tempfile.TemporaryDirectory() as home:
        hub.add_sparse("org/m", files)
        hub.api.packs = True
        packed(files["model.safetensors.index.json"])
        measured(hub, "numel-fetch", lambda: by_fetch(hub, jobs, home, about))
        measured(hub, "again", lambda: by_fetch(hub, jobs, home, about))
        measured(hub, "no cache", lambda: by_fetch(hub, jobs, home, about, "--no-cache"))
        with tempfile.TemporaryDirectory() as other:
            measured(hub, "numel show", lambda: by_numel(hub, other))
            measured(hub, "again", lambda: by_numel(hub, other))
        hub.api.packs = False
        with tempfile.TemporaryDirectory() as other: measured(hub, "not packed", lambda: by_numel(hub, other))


main()
