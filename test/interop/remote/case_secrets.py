"""The token goes to the endpoint, and nowhere else: no other host, no plain http, no answer, no file. TLS, proxies."""
import os, re, shutil, socket, ssl, stat, subprocess, tempfile, threading

from client import Fetch
from server import Hub, Reply, Server, ranged

BODY = bytes(range(256)) * 800
TOKEN = "hf_SeCrEtToKeN0123456789"


def bytes_below(folder):
    return b"".join(open(os.path.join(d, n), "rb").read() + n.encode() for d, _, names in os.walk(folder) for n in names)


def case_token_only_to_the_endpoint():
    other = Server(lambda r: ranged(r, BODY, '"o"'))
    home = tempfile.mkdtemp(prefix="numel-remote.")
    with Hub(page=1) as hub:
        commit = hub.add("org/m", {"a.json": b"{}", "model.safetensors": BODY}, lfs=["model.safetensors"])
        entry = b'[{"type":"file","path":"a","size":1,"oid":"%s"}]' % (b"0" * 40)
        def hook(r):
            if r.path == "/away": return Reply(302, b"", [("Location", other.url + "/x")])
            if r.path == "/org/m/resolve/%s/away" % commit: return Reply(302, b"", [("Location", other.url + "/back")])
            if "/tree/" + "e" * 40 in r.path: return Reply(200, entry, [("Link", '<%s/page>; rel="next"' % other.url)])
        hub.api.hook = hook
        other.hook = lambda r: Reply(302, b"", [("Location", hub.endpoint + "/org/m/resolve/main/a.json")]) if r.path == "/back" else \
                               Reply(200, entry) if r.path == "/page" else Reply(403) if r.path == "/no" else None
        said = []
        with Fetch(endpoint=hub.endpoint, home=home, env={"HF_TOKEN": TOKEN}) as f:
            said.append(f.list("hf://org/m"))
            said.append(f.read("hf://org/m@%s/model.safetensors" % commit))
            said.append(f.read(hub.api.url + "/away", 0, 10))
            said.append(f.read("hf://org/m@%s/away" % commit, 0, 10))
            said.append(f.list("hf://org/m@" + "e" * 40))
            said.append(f.read(other.url + "/y", 0, 10))
            assert all(a.ok for a in said), said
            said += [f.read(other.url + "/no", 0, 10), f.read("hf://org/m@main/none", 0, 10)]
            args = open("/proc/%d/cmdline" % f.process.pid, "rb").read()
        assert all(r.token == "Bearer " + TOKEN for r in hub.api.log) and len(hub.api.log) == 9, [(r.target, r.token) for r in hub.api.log]
        for server in hub.cdn, other:
            assert server.log and not any(TOKEN in str(r.headers) + r.target for r in server.log)
        for a in said: assert TOKEN.encode() not in a.data
        assert TOKEN.encode() not in bytes_below(home) + args
        assert bytes_below(home), "nothing is in the cache"
    other.close()
    shutil.rmtree(home)


def case_places_of_the_token():
    def seen(env, files=(), endpoint=None):
        home = tempfile.mkdtemp(prefix="numel-remote.")
        for path, text in dict(files).items():
            os.makedirs(os.path.dirname(os.path.join(home, path)), exist_ok=True)
            with open(os.path.join(home, path), "w") as out: out.write(text)
        with Hub() as hub:
            hub.add("org/m", {"x": b"abc"})
            with Fetch("--no-cache", endpoint=hub.endpoint, home=home, env={k: v.replace("HERE", home) for k, v in env.items()}) as f: a = f.read("hf://org/m/x")
            shutil.rmtree(home)
            assert len({r.token for r in hub.api.log}) <= 1
            return hub.api.log[0].token if hub.api.log else a.kind + ": " + a.text
    default = {".cache/huggingface/token": "hf_default\n"}
    assert seen({}) is None
    assert seen({"HF_TOKEN": " hf_a\n"}) == "Bearer hf_a"
    assert seen({"HUGGING_FACE_HUB_TOKEN": "hf_b"}) == "Bearer hf_b"
    assert seen({"HF_TOKEN": "hf_a", "HUGGING_FACE_HUB_TOKEN": "hf_b"}, default) == "Bearer hf_a"
    assert seen({}, default) == "Bearer hf_default"
    assert seen({"HF_TOKEN": ""}, default) == "Bearer hf_default"
    assert seen({"XDG_CACHE_HOME": "HERE/x"}, dict(default, **{"x/huggingface/token": "hf_x"})) == "Bearer hf_x"
    assert seen({"HF_HOME": "~/h"}, dict(default, **{"h/token": "hf_h"})) == "Bearer hf_h"
    assert seen({"HF_HOME": "HERE/h", "HF_TOKEN_PATH": "HERE/t"}, {"h/token": "hf_h", "t": "hf_path\r\n"}) == "Bearer hf_path"
    assert seen({"HF_TOKEN_PATH": "HERE"}) is None              # a folder
    for on in "1", "true", "YES", "On": assert seen({"HF_TOKEN": "hf_a", "HF_HUB_DISABLE_IMPLICIT_TOKEN": on}) is None
    assert seen({"HF_TOKEN": "hf_a", "HF_HUB_DISABLE_IMPLICIT_TOKEN": "0"}) == "Bearer hf_a"
    for bad in "hf_a\r\nX-Injected: 1", "hf a", "hf_\u00fc", "hf_a\x01b":
        said = seen({"HF_TOKEN": bad})
        assert said.startswith("refused: the token") and "hf" not in said.replace("numel", ""), said


def case_nothing_splits_a_request():
    """What comes from URLs and servers stays in its place of the request."""
    with Hub() as hub:
        commit = hub.add("org/m", {"x": b"abc", "a\r b?c": b"d"})
        hub.api.hook = lambda r: Reply(302, b"", [("Location", "/x%0d%0aEvil:1?y=%0d%0a")]) if r.path == "/r" else \
                                 Reply(200, raw=b"HTTP/1.1 302 F\r\nLocation: /z\x01\x7f\xc3\xbc w\r\nContent-Length: 0\r\n\r\n") if r.path == "/raw" else \
                                 ranged(r, b"abc", '"e"') if not r.path.startswith(("/api", "/org")) else None
        with Fetch("--no-cache", endpoint=hub.endpoint) as f:
            assert f.read("hf://org/m@%s/a%%0D%%20b%%3Fc" % commit).kind == "refused"
            assert f.read(hub.api.url + "/r").ok
            f.read(hub.api.url + "/raw")
            assert f.read("hf://org/m@x%0d%0aEvil:1/x").kind == "refused"
        for r in hub.api.log: assert "Evil" not in r.headers and not re.search(r"[^\x21-\x7e]", r.target), r.target


def certificate(folder):
    """A certificate for localhost, and a context of a server that has it; None without openssl."""
    if not shutil.which("openssl"): return None
    key, cert = folder + "/key.pem", folder + "/cert.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", cert,
                    "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return cert, context


def expired(folder):
    """The same, of 2020."""
    settings = "[ca]\ndefault_ca=x\n[x]\nnew_certs_dir=.\ndatabase=index\nserial=serial\ndefault_md=sha256\npolicy=p\nx509_extensions=e\n" \
               "[p]\ncommonName=supplied\n[e]\nsubjectAltName=DNS:localhost\n"
    for name, text in ("ca.cnf", settings), ("index", ""), ("serial", "01\n"):
        with open(folder + "/" + name, "w") as f: f.write(text)
    run = lambda *words: subprocess.run(["openssl", *words], check=True, stderr=subprocess.DEVNULL, cwd=folder)
    run("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "old.key", "-out", "old.csr", "-subj", "/CN=localhost")
    run("ca", "-batch", "-selfsign", "-config", "ca.cnf", "-keyfile", "old.key", "-in", "old.csr", "-out", "old.pem", "-startdate", "20200101000000Z",
        "-enddate", "20200102000000Z", "-notext")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder + "/old.pem", folder + "/old.key")
    return folder + "/old.pem", context


def case_expired_certificate():
    if not shutil.which("openssl"): return "no openssl"
    with tempfile.TemporaryDirectory() as folder:
        cert, context = expired(folder)
        with Hub(context=context) as hub, Fetch(endpoint=hub.endpoint, env={"SSL_CERT_FILE": cert}) as f: a = f.read("hf://org/m/x")
        assert a.kind == "broken" and "certificate of localhost has expired" in a.text and not hub.api.log, a


def case_tls():
    with tempfile.TemporaryDirectory() as folder:
        made = certificate(folder)
        if not made: return "no openssl"
        cert, context = made
        plain = Server(lambda r: ranged(r, BODY, '"p"'))
        with Hub(context=context) as hub:
            commit = hub.add("org/m", {"model.safetensors": BODY, "x": b"abc"}, lfs=["model.safetensors"])
            hub.api.hook = lambda r: Reply(302, b"", [("Location", plain.url + "/x")]) if r.path == "/down" else None
            env = {"HF_TOKEN": TOKEN, "SSL_CERT_FILE": cert}
            with Fetch(endpoint=hub.endpoint, env=env) as f:
                assert f.list("hf://org/m").ok and f.read("hf://org/m@%s/model.safetensors" % commit).data == BODY[:65536]
                a = f.read(hub.api.url + "/down")
                assert a.kind == "refused" and "not https" in a.text and not plain.log, a
            assert all(r.token == "Bearer " + TOKEN for r in hub.api.log) and not any(r.token for r in hub.cdn.log)
            n = len(hub.api.log)
            with Fetch(endpoint=hub.endpoint, env={"HF_TOKEN": TOKEN}) as f: a = f.read("hf://org/m/x")
            assert a.kind == "broken" and "SSL_CERT_FILE" in a.text and len(hub.api.log) == n, a
            # the certificate is for localhost, not for an address
            with Fetch(endpoint=hub.endpoint.replace("localhost", "127.0.0.1"), env=env) as f: a = f.read("hf://org/m/x")
            assert a.kind == "broken" and "certificate of 127.0.0.1 is for another host" in a.text and len(hub.api.log) == n, a
            with Fetch(endpoint=hub.endpoint, env=dict(env, SSL_CERT_FILE=folder + "/none.pem")) as f: a = f.read("hf://org/m/x")
            assert a.kind == "broken" and "SSL_CERT_FILE" in a.text, a
            proxied(hub, env)
        plain.close()


def proxied(hub, env):
    """HTTPS_PROXY: a tunnel, whose proxy sees no token; NO_PROXY: none."""
    log, listener = [], socket.create_server(("127.0.0.1", 0))
    def pump(a, b):
        try:
            for block in iter(lambda: a.recv(65536), b""): b.sendall(block)
            b.shutdown(socket.SHUT_WR)
        except OSError: pass
    def serve():
        while True:
            try: client, _ = listener.accept()
            except OSError: return
            head = b""
            while b"\r\n\r\n" not in head: head += client.recv(4096)
            log.append(head)
            there = socket.create_connection(("127.0.0.1", int(head.split()[1].rpartition(b":")[2])))
            client.sendall(b"HTTP/1.1 200 Tunnel\r\nX-Linked-ETag: \"proxy\"\r\nETag: \"proxy\"\r\n\r\n")
            for pair in (client, there), (there, client): threading.Thread(target=pump, args=pair, daemon=True).start()
    threading.Thread(target=serve, daemon=True).start()
    proxy = "http://127.0.0.1:%d" % listener.getsockname()[1]
    for name in "HTTPS_PROXY", "https_proxy":
        del log[:]
        with Fetch("--no-cache", endpoint=hub.endpoint, env=dict(env, **{name: proxy})) as f: a = f.read("hf://org/m@main/x")
        assert a.data == b"abc" and a.etag != "proxy" and log and log[0].startswith(b"CONNECT localhost:"), (a, log)
        assert TOKEN.encode() not in b"".join(log) and b"uthorization:" not in b"".join(log)
    del log[:]
    with Fetch("--no-cache", endpoint=hub.endpoint, env=dict(env, HTTPS_PROXY=proxy, NO_PROXY="localhost")) as f: assert f.read("hf://org/m@main/x").ok
    assert not log
    listener.close()


def case_token_never_over_http():
    """An endpoint with http on another machine gets no token: here a name that is this one, but is not written so."""
    name = socket.gethostname()
    try: address = socket.gethostbyname(name)
    except OSError: return "this machine has no name"
    server = Server(lambda r: Reply(200, b'{"sha": "%s"}' % (b"0" * 40) if "/revision/" in r.path else b"[]"), host=address)
    with Fetch(endpoint="http://%s:%d" % (name, server.port), env={"HF_TOKEN": TOKEN, "NO_PROXY": "*"}) as f: a = f.list("hf://org/m")
    assert a.ok and len(server.log) == 2 and not any(r.token for r in server.log), a
    server.close()
