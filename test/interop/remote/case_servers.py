"""What numel makes of servers that misbehave: it ends soon, fetches no more than it must, and says what is wrong."""
import json, os, socket, subprocess, tempfile, threading, time

from client import B, CLEAN, PROGRAM
from server import Hub, Reply, Server, ranged

HEADER = b'{"a":{"dtype":"U8","shape":[5000],"data_offsets":[0,5000]}}'.ljust(72)
WEIGHTS = len(HEADER).to_bytes(8, "little") + HEADER + bytes(5000)
FILES = {"config.json": b'{"model_type":"none"}', "model.safetensors": WEIGHTS}
PAGE = b"<!DOCTYPE html><html><body>Log in</body></html>" * 200
HTML = [("Content-Type", "Text/HTML; charset=utf-8")]


def entry(path, size=21): return {"type": "file", "oid": "0" * 40, "size": size, "path": path}


def see(words, api=None, cdn=None, files=FILES, command="identify", url="hf://org/m", requests=12, sent=20000, seconds=15, env=()):
    """The words are in what numel says; "ok": it reads both files. At most so many requests and bytes."""
    with Hub() as hub, tempfile.TemporaryDirectory() as home:
        hub.add("org/m", files, lfs=[n for n in files if n == "model.safetensors"])
        if api: hub.api.hook = lambda r: api(hub, r)
        if cdn: hub.cdn.hook = lambda r: cdn(hub, r)
        began = time.monotonic()
        r = subprocess.run([B + "/numel", command, url(hub) if callable(url) else url], capture_output=True, text=True, timeout=60,
                           env=dict(CLEAN, HOME=home, HF_ENDPOINT=hub.endpoint, NUMEL_FETCH=PROGRAM, **dict(env)))
        about = (words, r.returncode, r.stdout, r.stderr, [q.target for q in hub.api.log + hub.cdn.log])
        assert time.monotonic() - began < seconds, about
        assert len(hub.api.log) + len(hub.cdn.log) <= requests and hub.api.sent + hub.cdn.sent <= sent, about
        if words == "ok": assert r.returncode == 0 and "1 tensor, 5,000 elements" in r.stdout and "configuration: model type none" in r.stdout, about
        else: assert r.returncode == 3 and words in r.stderr, about
        return hub


def at(part, reply): return lambda hub, r: (reply(hub, r) if callable(reply) else reply) if part in r.path else None
def tree(*entries): return at("/tree/", Reply(200, json.dumps(entries).encode()))
def weights(reply): return lambda hub, r: reply(r) if callable(reply) else reply


def case_well_behaved():
    see("ok", requests=5, sent=6000)
    see("ok", files=dict(FILES, **{".gitattributes": b"x", "a/b.md": b"y"}))


def case_login_pages():
    for part in "/revision/", "/tree/", "config.json": see("sends a web page instead", at(part, Reply(200, PAGE, HTML)))
    see("sends a web page instead", cdn=weights(Reply(200, PAGE, HTML)))
    see("sends a web page instead", lambda hub, r: Reply(200, PAGE, HTML) if r.path == "/login" else Reply(302, b"", [("Location", "/login?next=x")]))
    see("is an HTML page", cdn=weights(Reply(200, PAGE, HTML)), url=lambda hub: hub.cdn.url + "/x/model.safetensors", command="show")
    # JSON, whatever the server calls it
    see("ok", at("config.json", Reply(200, FILES["config.json"], [("Content-Type", "text/plain")])))


def case_lists_that_lie():
    def linked(n): return lambda hub, r: Reply(200, json.dumps([entry("f%d" % r.number)]).encode(), [("Link", '<%s%s?c=%d>; rel="next"' % (hub.api.url, r.path, r.number % n))])
    for n in 1, 2, 5: see("lead back to an earlier one", at("/tree/", linked(n)), requests=4 * n)
    for name in "config.json", "model.safetensors": see("lists the file '%s' twice" % name, tree(entry(name), entry("x"), entry(name)), requests=2)
    see("../config.json", tree(entry("../config.json")), requests=2)
    see("\\u0000", at("/tree/", Reply(200, json.dumps([entry("config.json\0x")]).encode())), requests=2)
    see("ok", tree(entry("..\\config.json"), entry("config.json"), entry("model.safetensors", len(WEIGHTS))))
    see("has 5080 bytes, the listing says 0", tree(entry("model.safetensors", 0)))
    see("Not a directory", tree(entry("a.json"), entry("a.json/b.json")), files=dict(FILES, **{"a.json": b"x" * 21, "a.json/b.json": b"x" * 21}))
    see("the repository has no files", files={}, requests=2)
    see("the repository has no files", files={".gitattributes": b"x"}, requests=2)
    see("status 204", at("/tree/", Reply(204)))
    see("File name too long", files=dict(FILES, **{"x" * 300 + ".json": b"{}"}))
    see("ok", files=dict(FILES, **{"x" * 300 + ".md": b"{}"}))


def case_ranges_that_lie():
    def part(body, stated, more=()): return weights(Reply(206, body, [("Content-Range", stated)] * bool(stated) + list(more)))
    many = b"--x\r\nContent-Type: a/b\r\nContent-Range: bytes 0-99/5080\r\n\r\n" + WEIGHTS[:100] + b"\r\n--x--"
    see("another range", cdn=part(many, "", [("Content-Type", "multipart/byteranges; boundary=x")]))
    see("less than the range", cdn=part(WEIGHTS, "bytes 0-99/5080"))
    see("less than the range", cdn=part(WEIGHTS[:100], "bytes 0-5079/5080"))
    see("ok", cdn=part(WEIGHTS, "bytes 0-5079/5080"))
    see("less than the range", at("config.json", Reply(206, FILES["config.json"][:10], [("Content-Range", "bytes 0-9/21")])))
    see("status 304", cdn=weights(Reply(304)))
    see("changed", cdn=weights(lambda r: ranged(r, b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 5080\n" % (b"a" * 64), '"p"')))


def case_lengths_that_lie():
    def raw(head, body=FILES["config.json"]): return at("config.json", Reply(200, raw=head + b"\r\n\r\n" + body))
    see("ok", raw(b"HTTP/1.0 200 OK\r\nContent-Length: 21"))
    see("does not answer as a server of HTTP", raw(b"HTTP/1.1 200 OK\r\nContent-Length: -1"))
    see("5 bytes came, 21 were asked for", raw(b"HTTP/1.1 200 OK\r\nContent-Length: 21\r\nContent-Length: 5"))
    for head, body in (b"HTTP/1.0 200 OK", b"{}"), (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", b"zz\r\n"), (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", b"F" * 17 + b"\r\n"):
        see("ends the connection", raw(head, body))


def case_large_headers():
    """A header that its reader refuses is not fetched, whatever the file's size."""
    def sized(n): return {"model.safetensors": n.to_bytes(8, "little") + b" " * (n + 8 if n < 1 << 30 else 100)}
    for n, words in (101 << 20, "model.safetensors  the header says"), (1 << 60, "model.safetensors  the header says"):
        with Hub() as hub, tempfile.TemporaryDirectory() as home:
            hub.add("org/m", sized(n), lfs=["model.safetensors"])
            r = subprocess.run([B + "/numel", "identify", "hf://org/m"], capture_output=True, text=True, env=dict(CLEAN, HOME=home, HF_ENDPOINT=hub.endpoint, NUMEL_FETCH=PROGRAM))
            assert hub.cdn.sent <= 65536 and words in r.stdout, r


def case_redirects_that_lie():
    see("more than 8 times", lambda hub, r: Reply(302, b"", [("Location", hub.cdn.url + "/l")]) if "safetensors" in r.path else None,
        cdn=lambda hub, r: Reply(302, b"", [("Location", hub.api.url + "/model.safetensors")]))
    there = weights(lambda r: ranged(r, WEIGHTS, '"e"'))
    see("ok", at("model.safetensors", lambda hub, r: Reply(302, b"", [("Location", hub.cdn.url[5:] + "/x")])), cdn=there) # //host/x
    see("status 302", at("model.safetensors", Reply(302, b"", [("Location", "")])))
    see("ok", at("model.safetensors", lambda hub, r: Reply(302, b"", [("Location", hub.cdn.url + "/x"), ("X-Linked-Size", "abc"), ("X-Linked-ETag", "\"\"")])), cdn=there)
    # cookies go nowhere
    hub = see("ok", at("model.safetensors", lambda hub, r: Reply(302, b"", [("Location", hub.cdn.url + "/x"), ("Set-Cookie", "a=b; Path=/")])), cdn=there)
    assert not any(r.headers.get("Cookie") for r in hub.api.log + hub.cdn.log)


def case_limits_that_lie():
    def limited(status, after, times=99): return lambda hub, r: Reply(status, b"", [("Retry-After", after)]) if r.number < times else None
    see("try again in", limited(429, "Wed, 21 Oct 2099 07:28:00 GMT"), requests=1)
    see("status 503", limited(503, "1000000000000"), requests=1)
    see("limits requests", limited(429, "1" + "0" * 30))
    for after in "-5", "Wed, 21 Oct 2015 07:28:00 GMT", "soon": see("ok", limited(429, after, 1), requests=12)
    see("limits requests", limited(429, "0"))
    for status, words in (451, "legal reasons"), (407, "HTTPS_PROXY=http://NAME:PASSWORD@HOST"), (999, "status 999"): see(words, lambda hub, r: Reply(status))


def case_slow_drip():
    """A byte every half second counts as nothing."""
    def slowly():
        for i in range(100):
            yield WEIGHTS[i:i + 1]
            time.sleep(0.5)
    see("sends nothing for 1 seconds", cdn=weights(lambda r: Reply(206, slowly(), [("Content-Range", "bytes 0-5079/5080")], length=5080)),
        env={"HF_HUB_DOWNLOAD_TIMEOUT": "1"}, seconds=30, requests=16)


def case_proxies_that_refuse():
    for status, words in (407, "HTTPS_PROXY=http://NAME:PASSWORD@HOST"), (403, "check HTTPS_PROXY and NO_PROXY"):
        listener, asked = socket.create_server(("127.0.0.1", 0)), []
        def serve():
            while True:
                try: client, _ = listener.accept()
                except OSError: return
                asked.append(client.recv(4096))
                client.sendall(b"HTTP/1.1 %d No\r\nContent-Length: 0\r\n\r\n" % status)
                client.close()
        threading.Thread(target=serve, daemon=True).start()
        env = dict(CLEAN, HF_ENDPOINT="https://hub.invalid", NUMEL_FETCH=PROGRAM, HTTPS_PROXY="http://127.0.0.1:%d" % listener.getsockname()[1])
        r = subprocess.run([B + "/numel", "identify", "--no-cache", "hf://org/m"], capture_output=True, text=True, env=env, timeout=60)
        assert r.returncode == 3 and words in r.stderr and len(asked) == 1, (r, asked)
        listener.close()


def case_version_6_addresses():
    try: socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError: return "this machine has no ::1"
    server = Server(lambda r: ranged(r, WEIGHTS, '"e"'), host="::1")
    r = subprocess.run([B + "/numel", "identify", "--no-cache", "http://[::1]:%d/model.safetensors" % server.port], capture_output=True, text=True, env=dict(CLEAN, NUMEL_FETCH=PROGRAM))
    server.close()
    assert r.returncode == 0 and "5,000 elements" in r.stdout, r
