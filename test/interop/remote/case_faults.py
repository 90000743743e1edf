"""Servers that fail, and servers that lie."""
import concurrent.futures, gzip, hashlib, json, time

from client import Fetch
from server import Hub, Reply, ranged

BODY = bytes(range(256)) * 800


def once(reply, path=None):
    """Answers the first request with that, the others as usual."""
    return lambda r: reply if r.number == 0 and (path is None or r.path == path) else None


def with_file(hub): return "hf://org/m@%s/model.safetensors" % hub.add("org/m", {"model.safetensors": BODY}, lfs=["model.safetensors"])


def case_recovers():
    """Once each on the API and on the CDN: a cut at the front, in the middle and in the head, 429, 5xx, a refused connection."""
    faults = [Reply(206, BODY[:65536], [("Content-Range", "bytes 0-65535/204800")], cut=n) for n in (0, 1, 1000)]
    faults += [Reply(s, b"x" * 100) for s in (408, 500, 502, 503, 504, 429)] + [Reply(429, b"", [("Retry-After", "1")]), Reply(503, b"", [("Retry-After", "1")])]
    faults += [Reply(429, b"", [("RateLimit", '"resolvers";r=0;t=1')]), Reply(200, raw=b""), Reply(200, raw=b"HTTP/1.1 200 OK\r\nContent-Le")]
    def one(side, fault):
        with Hub() as hub:
            url = with_file(hub)
            getattr(hub, side).hook = once(fault)
            began = time.monotonic()
            with Fetch("--no-cache", endpoint=hub.endpoint) as f: a = f.read(url)
            assert a.ok and a.data == BODY[:65536], (side, fault.status, fault.cut, a)
            return time.monotonic() - began
    def both(fault):
        for side in "api", "cdn":
            seconds = one(side, fault)
            waits = any(h[0] in ("Retry-After", "RateLimit") for h in fault.headers)
            assert not waits or seconds >= 1, (fault.headers, seconds)
    with concurrent.futures.ThreadPoolExecutor(8) as pool: list(pool.map(both, faults))


def case_gives_up():
    """What fails always is asked for a bounded number of times, with growing pauses."""
    with Hub() as hub:
        url = with_file(hub)
        hub.cdn.hook = lambda r: Reply(502)
        closed = Hub()
        closed.__exit__()
        with Fetch(endpoint=hub.endpoint) as f, Fetch(endpoint=closed.endpoint) as g:
            broken, away = f.send("read", 0, 10, "-", url), g.send("read", 0, 10, "-", "hf://org/m/x")
            a = f.wait(broken)
            assert a.kind == "broken" and "502" in a.text and "127.0.0.1" in a.text, a
            a = g.wait(away)
            assert a.kind == "timeout" and "cannot be reached" in a.text, a
        assert 3 <= len(hub.cdn.log) <= 8, len(hub.cdn.log)


def case_stalls():
    """Before the answer, and in the middle of it."""
    def slowly():
        yield BODY[:1000]
        time.sleep(8)
        yield BODY[1000:65536]
    with Hub() as hub:
        url = with_file(hub)
        hub.api.hook = once(Reply(200, stall=8))
        hub.cdn.hook = once(Reply(206, slowly(), [("Content-Range", "bytes 0-65535/204800")], length=65536))
        began = time.monotonic()
        with Fetch(endpoint=hub.endpoint, env={"HF_HUB_DOWNLOAD_TIMEOUT": "1"}) as f: assert f.read(url).data == BODY[:65536]
        assert time.monotonic() - began < 8 and len(hub.api.log) == 2 and len(hub.cdn.log) == 2


def case_limited():
    with Hub() as hub:
        url = with_file(hub)
        hub.api.hook = lambda r: Reply(429, b"", [("Retry-After", "4000")])
        with Fetch(endpoint=hub.endpoint) as f:
            began = time.monotonic()
            a = f.read(url)
            assert a.kind == "limited" and "4000 seconds" in a.text and "HF_TOKEN" in a.text and time.monotonic() - began < 3, a
        assert len(hub.api.log) == 1


def case_links_expire():
    with Hub() as hub:
        url = with_file(hub)
        with Fetch("--no-cache", endpoint=hub.endpoint) as f:
            assert f.read(url, 0, 10).ok
            hub.valid.clear()
            assert f.read(url, 10, 10).data == BODY[10:20] and len(hub.api.log) == 2
            hub.cdn.hook = lambda r: Reply(403)
            a = f.read(url, 20, 10)
            assert a.kind == "denied" and len(hub.cdn.log) <= 7, (a, len(hub.cdn.log))


def case_changes():
    """Another ETag, another size, on either host, with the pin of the parent or without."""
    def run(second, pin=None, kind="changed"):
        with Hub() as hub:
            url = with_file(hub)
            with Fetch("--no-cache", endpoint=hub.endpoint) as f:
                a = f.read(url, 0, 100)
                second(hub)
                a = f.read(url, 100, 100, pin or "-")
                assert a.kind == kind and a.data, (second.__code__.co_firstlineno, a)
    def cdn(reply): return lambda hub: setattr(hub.cdn, "hook", reply)
    other = bytes(reversed(BODY))
    run(cdn(lambda r: ranged(r, other, '"cdn-other"')))        # 200, for If-Range does not fit
    run(cdn(lambda r: Reply(206, other[100:200], [("ETag", '"cdn-other"'), ("Content-Range", "bytes 100-199/204800")])))
    run(cdn(lambda r: Reply(206, BODY[100:200], [("Content-Range", "bytes 100-199/204801")])))
    run(cdn(lambda r: Reply(200, other)))
    run(cdn(lambda r: None), pin="0" * 64)
    def linked(reply):
        def change(hub):
            hub.valid.clear()
            hub.api.hook = lambda r: Reply(302, b"", [("Location", hub.sign(BODY))] + reply)
        return change
    run(linked([("X-Linked-ETag", '"other"'), ("X-Linked-Size", "204800")]))
    run(linked([("X-Linked-ETag", '"%s"' % hashlib.sha256(BODY).hexdigest()), ("X-Linked-Size", "204799")]))
    # the neighbour of both: the same file behind another link
    def same(hub): hub.valid.clear()
    try: run(same)
    except AssertionError: pass
    else: raise AssertionError("the same file counts as changed")


def case_only_the_hub_links():
    """X-Linked-ETag and X-Linked-Size of another host count for nothing."""
    with Hub() as hub:
        url = with_file(hub)
        hub.cdn.hook = lambda r: ranged(r, BODY, '"cdn"', [("X-Linked-ETag", '"forged"'), ("X-Linked-Size", "7")])
        with Fetch("--no-cache", endpoint=hub.endpoint) as f:
            for at in 0, 100:
                a = f.read(url, at, 100)
                assert (a.data, a.etag, a.size) == (BODY[at:at + 100], hashlib.sha256(BODY).hexdigest(), len(BODY)), a


def case_changes_of_a_url():
    """Without a redirect; and of a file that the parent has pinned in another run."""
    bodies = {"/a": (b"a" * 100, '"1"')}
    with Hub() as hub:
        hub.api.hook = lambda r: ranged(r, *bodies["/a"])
        with Fetch("--no-cache") as f:
            assert f.read(hub.api.url + "/a", 0, 10, "1").ok
            assert f.read(hub.api.url + "/a", 0, 10, "2").kind == "changed"
            bodies["/a"] = b"b" * 100, '"2"'
            assert f.read(hub.api.url + "/a", 10, 10).kind == "changed"
        with Fetch("--no-cache") as f:
            assert f.read(hub.api.url + "/a", 10, 10, "1").kind == "changed"
            assert f.read(hub.api.url + "/a", 10, 10, "2").data == b"b" * 10
            hub.api.hook = lambda r: Reply(206, b"b" * 10, [("Content-Range", "bytes 20-29/100")]) # no ETag any more
            assert f.read(hub.api.url + "/a", 20, 10).kind == "changed"


def case_a_gigabyte():
    """Where 64 KiB were asked: 200 from the front is cut off, in the middle it is refused; so is a 206 that does not end."""
    def endless():
        for _ in range(1 << 14): yield b"z" * 65536
    with Hub() as hub:
        hub.api.hook = lambda r: Reply(200 if r.path != "/206" else 206, endless(), [("Content-Range", "bytes 0-65535/%d" % (1 << 30))] * (r.path == "/206"), length=1 << 30)
        with Fetch() as f:
            a = f.read(hub.api.url + "/200")
            assert a.data == b"z" * 65536 and a.size == 1 << 30, a
            a = f.read(hub.api.url + "/200", 65536)
            assert a.kind == "broken" and "ignores ranges" in a.text, a
            a = f.read(hub.api.url + "/206")
            assert a.data == b"z" * 65536 and a.size == 1 << 30, a
            hub.api.hook = lambda r: Reply(404, endless(), length=1 << 30)
            assert f.read(hub.api.url + "/404").kind == "absent"
        assert hub.api.sent < 64 << 20, "%d bytes were taken" % hub.api.sent


def case_lies_about_ranges():
    def run(reply, kind="broken", at=100, n=100):
        with Hub() as hub:
            hub.api.hook = lambda r: reply
            with Fetch("--no-cache", env={"HF_HUB_DOWNLOAD_TIMEOUT": "1"}) as f: a = f.read(hub.api.url + "/x", at, n)
            assert a.kind == kind, (reply.status, reply.headers, a)
            return a
    def part(stated, body=b"y" * 100, status=206): return Reply(status, body, [("Content-Range", stated)] if stated else [])
    for stated in "bytes 0-99/1000", "bytes 101-200/1000", "bytes 99-199/1000", "bytes 100-199/150", "bytes 199-100/1000", "bytes 100-/1000", "bytes -100/1000", \
                  "bytes 100-199/", "bytes */1000", "100-199/1000", "bytes 100-199/99999999999999999999", "bytes 100-199/-1", "bytes=100-199/1000", "lines 100-199/1000", "", None:
        run(part(stated))
    run(part("bytes 100-149/1000", b"y" * 50))           # less than was asked, and not the end
    run(part("bytes 100-199/*", b"y" * 100), kind=None)
    run(part("Bytes 100-199/1000"), kind=None)
    assert run(part("bytes 100-149/150", b"y" * 50), kind=None).data == b"y" * 50
    for stated in "bytes */1000", "bytes */101", "bytes 0-1/1000", "bytes */*", "", None: run(part(stated, b"", 416))
    assert run(part("bytes */100", b"", 416), kind=None).data == b""
    run(Reply(206, b"\x1f\x8b" * 50, [("Content-Range", "bytes 100-199/1000"), ("Content-Encoding", "gzip")]))
    run(Reply(206, b"y" * 100, [("Content-Range", "bytes 100-199/1000"), ("Content-Encoding", "identity")]), kind=None)
    run(Reply(204, b""))
    run(Reply(304, b""))
    run(Reply(300, b""))
    run(Reply(302, b""))                                  # without Location


def case_hostile_heads():
    def run(raw, kind="broken"):
        with Hub() as hub:
            hub.api.hook = lambda r: Reply(200, raw=raw)
            with Fetch("--no-cache") as f: a = f.read(hub.api.url + "/x", 0, 100)
            assert a.kind == kind, (raw[:60], a)
            return a
    head, end = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n", b"\r\n\r\nabc"
    run(head + b"X: " + b"y" * (1 << 20) + end)
    run(head + b"\r\n".join(b"X-%d: %s" % (i, b"y" * 500) for i in range(300)) + end) # 150 KB: libcurl itself takes up to 300
    run(b"SSH-2.0-OpenSSH_9.2\r\n")
    run(b"HTTP/1.1 200 OK\r\n\r\nabc") # the end may be a cut
    for etag in b'"a b"', b'"a\tb"', b'"' + b"e" * 300 + b'"', b'"\xc3\xbc"', b"-", b'"-"', b'"', b'""', b'"a"b"':
        a = run(head + b"ETag: " + etag + end, kind=None)
        assert a.etag is None or a.etag == '"' , (etag, a.etag)
    for etag, told in (b'"a"', "a"), (b'W/"a"', "a"), (b"a", "a"), (b'  "a"  ', "a"): assert run(head + b"ETag: " + etag + end, kind=None).etag == told
    assert run(b"HTTP/1.1 103 Early\r\nETag: \"early\"\r\n\r\n" + head + end[2:], kind=None).etag is None


def case_redirects():
    def run(target, kind, endpoint=None, status=302):
        with Hub() as hub:
            hub.add("org/m", {"x": b"abc"})
            to = target(hub) if callable(target) else target
            hub.api.hook = lambda r: Reply(status, b"", [("Location", to)]) if r.path == "/r" else None
            with Fetch("--no-cache", endpoint=hub.endpoint) as f: a = f.read(hub.api.url + "/r")
            assert a.kind == kind, (to, a)
    run(lambda h: h.api.url + "/r", "broken")             # to itself
    for to in "http://192.0.2.1/x", "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "http://u:p@127.0.0.1/", "http://127.0.0.1.nip.invalid/":
        run(to, "refused")
    for status in 301, 302, 303, 307, 308: run("/org/m/resolve/main/x", None, status=status)


def case_hub_errors():
    def run(reply, kind, words, verb="read", env=()):
        with Hub() as hub:
            hub.api.hook = lambda r: reply
            with Fetch("--no-cache", endpoint=hub.endpoint, env=env) as f:
                a = f.read("hf://org/m@%s/a%%20b" % ("0" * 40)) if verb == "read" else f.list("hf://org/m@dev")
            assert a.kind == kind and all(w in a.text for w in words), a
    def error(status, code="", message=""): return Reply(status, b'{"error":"x"}', [("X-Error-Code", code)] * bool(code) + [("X-Error-Message", message)] * bool(message))
    token = {"HF_TOKEN": "hf_secret"}
    for status in 401, 403:
        run(error(status, "GatedRepo"), "gated", ["accept its licence at http://127.0.0.1", "/org/m", "set HF_TOKEN"])
        run(error(status, "GatedRepo"), "gated", ["accept its licence", "token of the same account"], env=token)
    run(error(401, "RepoNotFound"), "absent", ["org/m", "private", "set HF_TOKEN"], "list")
    run(error(404, "RepoNotFound"), "absent", ["org/m", "a token that may read it"], "list", env=token)
    run(error(401), "absent", ["org/m", "private"], "list")
    run(error(401, message="Invalid credentials in Authorization header"), "denied", ["token"], "list", env=token)
    run(error(403, message="Access to this resource is disabled."), "denied", ["disabled"])
    run(error(403), "denied", ["permission"], env=token)
    run(error(404, "RevisionNotFound"), "absent", ["no revision 'dev'"], "list")
    run(error(404, "EntryNotFound"), "absent", ["no file 'a b'"])
    run(error(404), "absent", ["no file 'a b'"])
    run(error(404), "absent", ["no model org/m"], "list")
    run(error(400), "broken", ["400"])
    run(error(418), "broken", ["418"], "list")


def case_hostile_lists():
    good = {"type": "file", "path": "a", "size": 1, "oid": "0" * 40}
    def run(body, kind="broken", headers=()):
        with Hub() as hub:
            hub.add("org/m", {"x": b""})
            hub.api.hook = lambda r: Reply(200, body if isinstance(body, bytes) else json.dumps(body).encode(), headers) if "/tree/" in r.path else None
            with Fetch("--no-cache", endpoint=hub.endpoint) as f: a = f.list("hf://org/m")
            assert a.kind == kind, (body if len(body) < 200 else len(body), a)
            return a
    assert run([good], None).data.endswith(b"\nfile 1 - %s a\n" % (b"0" * 40))
    assert run([], None).data.count(b"\n") == 1
    for path in "../x", "/etc/passwd", "a/../b", "a//b", "./a", "a/.", "", "a\nb", "a\x7f", "a/": run([good, dict(good, path=path)])
    for path in "a b", "\u00fc", "..a", "a..b/c", "\u202e", "-x", "a\\b", "%2e%2e": run([dict(good, path=path)], None)
    for size in -1, 1.5, "1", None, True, 2 ** 53 + 2, 1e30: run([dict(good, size=size)])
    for size in 0, 2 ** 53 - 1: run([dict(good, size=size)], None)
    lfs = {"oid": "a" * 64, "size": 5, "pointerSize": 1}
    assert run([dict(good, lfs=lfs)], None).data.endswith(b"\nfile 5 %s %s a\n" % (b"a" * 64, b"a" * 64))
    for bad in dict(lfs, oid="a" * 63), dict(lfs, oid="A" * 64), dict(lfs, oid="../" + "a" * 61), dict(lfs, oid=None), dict(lfs, size=-1), {}: run([dict(good, lfs=bad)])
    for bad in {}, "x", [1], [[good]], [good, None], b"", b"[", b"[" * 100000, b'[{"type":"file","path":"a","size":1e400}]', b"\xff", b"null", b"[1e999]": run(bad)
    assert run(json.dumps([good]).encode()[:-1] + b"," + b" " * 100 + b"]").kind
    run(b"[" + b" " * (33 << 20) + b"]")
    for link in '<ftp://x/>; rel="next"', '; rel="next"', '<http://192.0.2.1/x>; rel="next"', 'next', '<http://x/a b>; rel=next': run([good], headers=[("Link", link)])
    run([good], None, headers=[("Link", '<http://x/>; rel="prev"')])


def case_garbled_compression():
    """What cannot be unpacked, ends too soon, or unpacks to 64 MiB, where compressed bytes are asked for."""
    body = json.dumps({"a": list(range(5000))}).encode()
    whole = gzip.compress(body)
    def run(sent, coding, kind="broken", data=None):
        with Hub() as hub:
            url = "hf://org/m@%s/x.json" % hub.add("org/m", {"x.json": body})
            hub.api.hook = lambda r: Reply(200, sent, [("Content-Encoding", coding)])
            with Fetch("--no-cache", endpoint=hub.endpoint) as f: a = f.read(url, 0, len(body))
            assert a.kind == kind and (data is None or a.data == data), (coding, a)
            return a
    for coding in "gzip", "x-gzip": assert run(whole, coding, None, body).size == len(body)
    assert run(body, "identity", None, body).size == len(body)
    for sent, coding in (body, "gzip"), (b"\x1f\x8b" * 50, "gzip"), (whole[:-8] + b"x" * 8, "gzip"), (whole, "br"), (whole, "zip"): run(sent, coding)
    assert run(whole[:len(whole) // 2], "gzip", None).size < len(body), "half of a file has the size of the whole"
    bomb = gzip.compress(b" " * (1 << 26), 1)
    a = run(bomb, "gzip", None, b" " * len(body))
    assert a.size is None, a


def case_endless_pages():
    with Hub() as hub:
        commit = hub.add("org/m", {"x": b""})
        entry = json.dumps([{"type": "file", "path": "a", "size": 1, "oid": "0" * 40}]).encode()
        hub.api.hook = lambda r: Reply(200, entry, [("Link", '<%s%s?cursor=%d>; rel="next"' % (hub.api.url, r.path, r.number))])
        with Fetch(endpoint=hub.endpoint) as f: a = f.list("hf://org/m@" + commit)
        assert a.kind == "broken" and "1,000 pages" in a.text and len(hub.api.log) == 1001, (a, len(hub.api.log))


def case_hostile_revisions():
    for body in b"{}", b"[]", b'{"sha": "main"}', b'{"sha": "%s"}' % (b"A" * 40), b'{"sha": "../%s"}' % (b"a" * 37), b'{"sha": null}', b"x", b'{"sha": "%s"}' % (b"a" * 41):
        with Hub() as hub:
            hub.api.hook = lambda r: Reply(200, body)
            with Fetch(endpoint=hub.endpoint) as f: a = f.list("hf://org/m")
            assert a.kind == "broken", (body, a)
