"""What is read and listed when all goes well, and by how many requests."""
import hashlib, json, threading

from client import Fetch
from server import Hub, Reply, Server, git_oid, ranged

BIG = bytes(range(256)) * 800 # 204,800 bytes
FILES = {"config.json": b'{"a": 1}', "model.safetensors": BIG, "empty.txt": b"", "a b/\u00fc#?%.json": b"abc", "deep/er/x.gguf": b"GGUF" * 9}


def ask(server, path): return [r for r in server.log if r.path == path]


def case_list_in_pages():
    with Hub(page=2) as hub:
        commit = hub.add("org/m", FILES, lfs=["model.safetensors"])
        with Fetch(endpoint=hub.endpoint) as f: a = f.list("hf://org/m")
        lines = a.data.decode().split("\n")
        assert lines[0] == "revision " + commit and lines[-1] == "" and len(lines) == 2 + len(FILES), a.data
        assert "file 3 - %s a%%20b/%%C3%%BC%%23%%3F%%25.json" % git_oid(b"abc") in lines, lines
        sha256 = hashlib.sha256(BIG).hexdigest()
        assert "file 204800 %s %s model.safetensors" % (sha256, sha256) in lines, lines
        # 5 files and 3 folders, two a page
        assert len(ask(hub.api, "/api/models/org/m/tree/" + commit)) == 4, [r.target for r in hub.api.log]
        assert len(ask(hub.api, "/api/models/org/m/revision/main")) == 1 and len(hub.api.log) == 5


def case_ranges():
    with Hub() as hub:
        commit = hub.add("org/m", FILES, lfs=["model.safetensors"])
        with Fetch(endpoint=hub.endpoint) as f:
            for path, body in FILES.items():
                url = "hf://org/m@%s/%s" % (commit, {"a b/\u00fc#?%.json": "a%20b/%C3%BC%23%3F%25.json"}.get(path, path))
                etag = hashlib.sha256(body).hexdigest() if path == "model.safetensors" else git_oid(body)
                for at, n in (0, 1), (0, 65536), (1, 2), (65536, 100), (len(body) - 1, 10), (len(body), 10), (len(body) + 7, 10), (0, 1 << 20):
                    if at < 0: continue
                    a = f.read(url, at, n, etag)
                    assert a.ok and a.data == body[at:at + n] and a.size == len(body), (path, at, n, a)
                    assert a.etag == etag or not body and not a.etag, (path, at, n, a) # a 416 has no ETag
                a = f.read(url, 0, 0)
                assert a.ok and a.data == b"" and a.size == len(body) and (a.etag == etag or not body), a


def case_second_range_takes_one_request():
    with Hub() as hub:
        commit = hub.add("org/m", FILES, lfs=["model.safetensors"])
        url = "hf://org/m@%s/model.safetensors" % commit
        with Fetch("--no-cache", endpoint=hub.endpoint) as f:
            for i in range(5): assert f.read(url, i * 1000, 1000).data == BIG[i * 1000:i * 1000 + 1000]
        assert len(hub.api.log) == 1 and len(hub.cdn.log) == 5
        pins = [r.headers.get("If-Range") for r in hub.cdn.log]
        # the CDN's ETag, not that of the Hub
        assert pins[0] is None and set(pins[1:]) == {'"cdn-%s"' % hashlib.md5(BIG).hexdigest()}, pins
        assert hub.api.connections == 1 and hub.cdn.connections == 1, "connections are not kept"


def case_many_at_once():
    """Answers in any order, at most --jobs at a time, over kept connections."""
    with Hub(delay=0.02) as hub:
        files = {"f%03d.bin" % i: b"%d" % i * 50 for i in range(120)}
        commit = hub.add("org/m", files, lfs=files)
        with Fetch("--jobs", "7", "--no-cache", endpoint=hub.endpoint) as f:
            asked = {f.send("read", 0, 65536, "-", "hf://org/m@%s/%s" % (commit, path)): path for path in files}
            for _ in files:
                a = f.answer()
                assert a.ok and a.data == files[asked.pop(a.id)], a
        assert max(hub.api.busiest, hub.cdn.busiest) <= 7 and hub.api.connections <= 7 and hub.cdn.connections <= 7
        assert max(hub.api.busiest, hub.cdn.busiest) >= 5, "one after another"


def case_by_default_sixteen_to_a_host():
    """16 to the Hub and 16 to the CDN, over as many connections; --jobs limits both together."""
    for more, most, both in ([], 16, range(20, 33)), (["--jobs", "5"], 5, range(4, 6)):
        with Hub(delay=0.05) as hub:
            files = {"f%03d.bin" % i: b"%d" % i for i in range(90)}
            commit = hub.add("org/m", files, lfs=files)
            with Fetch("--no-cache", *more, endpoint=hub.endpoint) as f:
                for a in [f.send("read", 0, 9, "-", "hf://org/m@%s/%s" % (commit, path)) for path in files]: assert f.wait(a).ok
            assert hub.api.connections <= most and hub.cdn.connections <= most, (hub.api.connections, hub.cdn.connections)
            assert hub.api.busiest in both, hub.api.busiest


def case_json_comes_compressed():
    """Of the Hub: unpacked, with the sizes of the plain file. A range and another server's file are not asked for so."""
    body = b'{"weight_map": {%s}}' % b", ".join(b'"model.layers.%d.weight": "model-00001-of-00002.safetensors"' % i for i in range(5000))
    with Hub() as hub:
        commit = hub.add("org/m", {"x.json": body, "y.txt": body, "large.json": body}, lfs=["large.json"])
        hub.api.packs = hub.cdn.packs = True
        url = "hf://org/m@%s/" % commit
        with Fetch("--no-cache", endpoint=hub.endpoint) as f:
            assert f.list("hf://org/m").data.count(b"\n") == 4
            sent = hub.api.sent + hub.cdn.sent
            for name in "x.json", "large.json":
                a = f.read(url + name, 0, len(body))
                assert a.data == body and a.size == len(body), a
            assert hub.api.sent + hub.cdn.sent - sent < len(body) // 5, "not compressed"
            a = f.read(url + "x.json", 0, 1000) # less than the whole: its size is in no header
            assert a.data == body[:1000] and a.size in (None, len(body)), a
            for name, at in ("x.json", 1), ("y.txt", 0): assert f.read(url + name, at, 100).data == body[at:at + 100]
            plain = [r for r in hub.api.log if r.path.endswith("y.txt") or r.headers.get("Range") == "bytes=1-100"]
            assert len(plain) == 2 and all(r.headers["Accept-Encoding"] == "identity" and r.headers["Range"] for r in plain)
        with Fetch("--no-cache") as f: assert f.read(hub.api.url + "/org/m/resolve/main/x.json", 0, 100).data == body[:100]
        assert hub.api.log[-1].headers["Accept-Encoding"] == "identity"


def case_revision_is_one_commit():
    """main moves between two requests of a run: both come from the commit that it was first."""
    with Hub() as hub:
        first = hub.add("org/m", {"a": b"old", "b": b"old"})
        with Fetch(endpoint=hub.endpoint) as f:
            assert f.read("hf://org/m/a").data == b"old"
            hub.add("org/m", {"a": b"new", "b": b"new"})
            assert f.read("hf://org/m@main/b").data == b"old" and first in f.list("hf://org/m").data.decode()
        assert len(ask(hub.api, "/api/models/org/m/revision/main")) == 1


def case_revision_moves_at_once():
    """main moves while two jobs ask what it is: both read from the commit that was answered first."""
    with Hub(delay=0.1) as hub:
        commits = [hub.add("org/m", {"x": b"%d" % i}) for i in range(4)]
        hub.api.hook = lambda r: Reply(200, b'{"sha": "%s"}' % commits[r.number].encode()) if "/revision/" in r.path else None
        with Fetch("--no-cache", endpoint=hub.endpoint) as f:
            asked = [f.send("read", 0, 9, "-", "hf://org/m@main/x") for _ in commits]
            assert len({f.wait(n).data for n in asked}) == 1
        assert len([r for r in hub.api.log if "/revision/" in r.path]) == 4, "they did not ask at the same time"


def case_names_of_revisions():
    with Hub(prefix="/hf") as hub:
        for ref in "v1.0", "feature/x", "refs/pr/7", "refs/convert/gguf", "\u00fc b": hub.add("org/m", {"x/y": ref.encode()}, ref=ref)
        with Fetch("--no-cache", endpoint=hub.endpoint + "/") as f:
            for url, ref in ("v1.0", "v1.0"), ("feature%2Fx", "feature/x"), ("refs/pr/7", "refs/pr/7"), ("refs%2Fpr%2F7", "refs/pr/7"), \
                            ("refs/convert/gguf", "refs/convert/gguf"), ("%C3%BC%20b", "\u00fc b"):
                for start in "hf://org/m@", "hf://models/org/m@":
                    assert f.read("%s%s/x/y" % (start, url)).data == ref.encode(), url
                    assert len(f.list(start + url).data.splitlines()) == 2, url
            # the nearest that is refused
            for url in "hf://org", "hf://org/", "hf:///m", "hf://org/m@/x", "hf://org/m@../x", "hf://org/m@main%2F..%2F..%2Fx/y", "hf://o%2Frg/m@v1.0/x", \
                       "hf://datasets/org/m@v1.0/x", "hf://spaces/org/m@v1.0/x", "hf://org/m@v1.0/../x", "hf://org/m@v1.0/x//y", "hf://org/m@v1.0/x%00", \
                       "hf://org/m@v1.0/x%0d%0aX:1", "hf://org/m@v1.0/%zz", "hf://org/m@v1.0/%2", "hf://org/m@v1.0", "hf://org/m@v1.0/x%ff", "hf://org/..m@v1.0/x/y":
                n = len(hub.api.log)
                a = f.read(url)
                assert a.kind == "refused" and len(hub.api.log) == n, (url, a)
            assert f.list("hf://org/m@v1.0/x/y").kind == "refused"


def case_one_url():
    """An https:// file, here http:// on the loopback: with a redirect to another host, and its name from the path."""
    body = b"0123456789" * 100
    with Hub() as hub:
        hub.api.hook = lambda r: Reply(302, b"", [("Location", hub.cdn.url + "/y?Signature=1")]) if r.path == "/x/my%20model.gguf" else ranged(r, body, '"e"')
        hub.cdn.hook = lambda r: ranged(r, body, 'W/"weak-1"')
        with Fetch() as f:
            a = f.list(hub.api.url + "/x/my%20model.gguf?download=true")
            assert a.data == b"revision -\nfile 1000 - weak-1 my%20model.gguf\n", a.data
            a = f.read(hub.api.url + "/x/my%20model.gguf?download=true", 10, 10, "weak-1")
            assert (a.data, a.size, a.etag) == (body[10:20], 1000, "weak-1"), a
            assert all(r.headers.get("If-Range") is None for r in hub.cdn.log), "a weak ETag in If-Range"
            assert f.list(hub.api.url + "/").data == b"revision -\nfile 1000 - e file\n"
            assert f.list(hub.api.url + "/%2e%2e").data == b"revision -\nfile 1000 - e file\n"
            assert f.list(hub.api.url + "/a%2Fb").data == b"revision -\nfile 1000 - e a%2Fb\n"
            for url in "ftp://127.0.0.1/x", "file:///etc/passwd", "http://192.0.2.1/x", "http://127.0.0.1.example.invalid/x", "https://a@127.0.0.1/x", \
                       "https:///x", "https://h:0/", "https://h:99999/", "http://127.0.0.1.:80/", "http://0/", "https://h\\@g/x", "hf:x", "/etc/passwd":
                a = f.read(url)
                assert a.kind == "refused", (url, a)


def case_relative_redirects():
    """A renamed repository, and files that are served from a cache of the same host."""
    with Hub() as hub:
        commit = hub.add("org/new", {"x": b"abc"})
        def hook(r):
            for start in "/api/models/org/old", "/org/old":
                if r.target.startswith(start): return Reply(307, b"", [("Location", start[:-3] + "new" + r.target[len(start):])])
        hub.api.hook = hook
        with Fetch(endpoint=hub.endpoint, env={"HF_TOKEN": "hf_t"}) as f:
            assert f.list("hf://org/old").data.startswith(b"revision " + commit.encode())
            assert f.read("hf://org/old/x").data == b"abc"
        assert all(r.token == "Bearer hf_t" for r in hub.api.log)


def case_sizes_unknown():
    with Hub() as hub:
        body = b"abcdef"
        hub.api.hook = lambda r: Reply(206, body[:3], [("Content-Range", "bytes 0-2/*"), ("ETag", '"e"')]) if r.path == "/unknown" else \
                                 Reply(200, body, raw=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n")
        with Fetch() as f:
            a = f.read(hub.api.url + "/unknown", 0, 3)
            assert (a.data, a.size, a.etag) == (b"abc", None, "e"), a
            assert f.list(hub.api.url + "/unknown").kind == "broken"
            a = f.read(hub.api.url + "/chunked", 0, 100)
            assert (a.data, a.size, a.etag) == (body, 6, None), a
