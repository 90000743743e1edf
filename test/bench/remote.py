"""How long the headers of a large remote repository take: 163 shards of 91,991 tensors, 50 ms before each answer, one redirect a file.

The hub is that of test/interop/remote, on this machine, so its own time counts as well. Printed, not judged: wall seconds, processor
seconds of the client alone, requests, bytes. First numel-fetch, asked as numel asks it (the index tells how long a header about is),
then numel, if it knows hf://.

  B=build/release python3 test/bench/remote.py [DELAY [JOBS]]
"""
import json, os, re, resource, struct, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "interop", "remote"))
from client import B, CLEAN, Fetch
from server import Hub

SHARDS, TENSORS = 163, 91991


class Sparse:
    """A header, and zeros that should not be read."""
    def __init__(self, front, size): self.front, self.size = front, size
    def __len__(self): return self.size
    def __getitem__(self, s): return self.front[s] if s.stop <= len(self.front) else self.front[s] + b"\0" * (min(s.stop, self.size) - max(s.start, len(self.front)))


def repository():
    """Names and sizes as of DeepSeek-V3: files, and the bytes of each header."""
    kinds = ["gate_proj.weight", "gate_proj.weight_scale_inv", "up_proj.weight", "up_proj.weight_scale_inv", "down_proj.weight", "down_proj.weight_scale_inv"]
    names = ["model.layers.%d.mlp.experts.%d.%s" % (i // 1536 + 3, i % 1536 // 6, kinds[i % 6]) for i in range(TENSORS)]
    files, weight_map = {}, {}
    for s in range(SHARDS):
        own, at, header = names[s * TENSORS // SHARDS:(s + 1) * TENSORS // SHARDS], 0, {}
        name = "model-%05d-of-%06d.safetensors" % (s + 1, SHARDS)
        for n in own:
            scale = n.endswith("inv")
            size = 16 * 56 * 4 if scale else 2048 * 7168
            header[n] = {"dtype": "F32" if scale else "F8_E4M3", "shape": [16, 56] if scale else [2048, 7168], "data_offsets": [at, at + size]}
            at, weight_map[n] = at + size, name
        text = json.dumps(header, separators=(",", ":")).encode()
        files[name] = Sparse(struct.pack("<Q", len(text)) + text, 8 + len(text) + at)
    files["model.safetensors.index.json"] = json.dumps({"metadata": {}, "weight_map": weight_map}).encode()
    files["config.json"] = b'{"model_type": "deepseek_v3", "architectures": ["DeepseekV3ForCausalLM"]}'
    return files


class BenchHub(Hub):
    """Numbers instead of digests, which would take minutes."""
    def add_sparse(self, name, files):
        commit = "c" * 40
        self.repos[name] = {"refs": {"main": commit}, "commits": {commit: {p: (b, isinstance(b, Sparse)) for p, b in files.items()}}}
        self.digests = {id(b): "%064x" % i for i, b in enumerate(files.values())}
        return commit

    def tree(self, r, files):
        from server import Reply, git_oid
        entries = [dict({"type": "file", "oid": "0" * 40 if lfs else git_oid(b), "size": len(b), "path": p}, **({"lfs": {"oid": self.digests[id(b)], "size": len(b), "pointerSize": 1}} if lfs else {}))
                   for p, (b, lfs) in files.items()]
        return Reply(200, json.dumps(entries).encode())

    def resolve(self, files, path, r, commit):
        from server import Reply, git_oid, ranged
        body, lfs = files[path]
        if not lfs: return ranged(r, body, '"%s"' % git_oid(body))
        digest = self.digests[id(body)]
        self.signatures[digest] = body
        self.valid.add(digest)
        return Reply(302, b"", [("Location", "%s/%s?Signature=%s" % (self.cdn.url, digest, digest)), ("X-Linked-ETag", '"%s"' % digest), ("X-Linked-Size", str(len(body)))])

    def answer_cdn(self, r):
        from server import ranged
        digest = r.path[1:]
        return ranged(r, self.signatures[digest], '"cdn-%s"' % digest)


def measured(hub, what, run):
    for server in hub.api, hub.cdn: server.sent, server.log[:] = 0, []
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    said = run()
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print("%-12s %5.2f s, %4.2f s of processor, %4d requests, %5.1f MB%s" %
          (what, wall, cpu, len(hub.api.log) + len(hub.cdn.log), (hub.api.sent + hub.cdn.sent) / 1e6, said))


def by_fetch(hub, jobs, home, about, *more):
    """A listing, the configuration and the index, then the front of each shard, and the rest of a header where it was longer."""
    with Fetch("--jobs", str(jobs), *more, endpoint=hub.endpoint, home=home) as f:
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
    r = subprocess.run([B + "/numel", "show", "hf://org/m"], capture_output=True, env=dict(CLEAN, HOME=home, HF_ENDPOINT=hub.endpoint, NUMEL_FETCH=B + "/numel-fetch"))
    return "" if b"hf://org/m" in r.stdout else ": " + (r.stderr or r.stdout).decode()[:120].strip()


def main():
    delay, jobs = float((sys.argv[1:] + ["0.05"])[0]), int((sys.argv[2:] + ["16"])[0])
    files = repository()
    about = guesses(files)
    print("%d shards, %d tensors, headers of %.1f MB, %d ms before each answer" % (SHARDS, TENSORS, sum(len(f.front) for f in files.values() if isinstance(f, Sparse)) / 1e6, delay * 1000))
    with BenchHub(delay=delay) as hub, tempfile.TemporaryDirectory() as home:
        hub.add_sparse("org/m", files)
        measured(hub, "numel-fetch", lambda: by_fetch(hub, jobs, home, about))
        measured(hub, "again", lambda: by_fetch(hub, jobs, home, about))
        measured(hub, "no cache", lambda: by_fetch(hub, jobs, home, about, "--no-cache"))
        if os.path.exists(B + "/numel"):
            with tempfile.TemporaryDirectory() as other:
                measured(hub, "numel show", lambda: by_numel(hub, other))
                measured(hub, "again", lambda: by_numel(hub, other))


main()
