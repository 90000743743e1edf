"""A hub and its CDN on the loopback, which can also misbehave.

A Hub serves repositories as the Hub of Hugging Face does, as far as a reader of files sees it (huggingface_hub 2.4: hf_api.py,
file_download.py, utils/_http.py): revisions, trees in pages, resolve links. Small files are answered where they are asked for;
files of LFS are redirected to a signed link on the CDN, a server on another port, whose ETags are its own. huggingface_hub 2.4.0 itself lists,
reads and is refused here as it should be (checked on 2026-11-29). Each of the two
remembers its requests (`log`) and asks `hook(request)` first, which may answer in its place with a Reply.
"""
import functools, gzip, hashlib, http.server, itertools, json, socket, ssl, struct, threading, time, urllib.parse


class Reply:
    """headers: a list of pairs. cut: bytes of the body after which the connection ends. stall: seconds before the answer.
    length: a Content-Length that need not be true. body: bytes, or an iterator of them."""
    def __init__(self, status, body=b"", headers=(), cut=None, stall=0, length=None, raw=None):
        self.status, self.body, self.headers, self.cut, self.stall, self.length, self.raw = status, body, list(headers), cut, stall, length, raw


class Request:
    def __init__(self, handler, number):
        self.path, _, self.query = handler.path.partition("?")
        self.target, self.headers, self.number = handler.path, handler.headers, number # number: of this path, from 0
        self.token, self.sent = handler.headers.get("Authorization"), 0


@functools.lru_cache(8)
def packed(body): return gzip.compress(body)


class Server:
    """Answers with hook(request), else answer(request). packs: a whole body goes compressed to who accepts that."""
    def __init__(self, answer=None, context=None, delay=0, host="127.0.0.1"):
        self.answer, self.hook, self.log, self.counts, self.packs = answer, lambda r: None, [], {}, False
        self.lock, self.delay, self.busy, self.busiest, self.connections, self.sent = threading.Lock(), delay, 0, 0, 0, 0
        outer, self.peers = self, [self] # busiest: requests at the same time, of all peers

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version, wbufsize, timeout, disable_nagle_algorithm = "HTTP/1.1", 1 << 16, 20, True
            def log_message(self, *words): pass
            def setup(self):
                super().setup()
                with outer.lock: outer.connections += 1
            def do_GET(self): outer.take(self)
            do_HEAD = do_GET

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 512
            address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
            def handle_error(self, request, address): pass
        self.http = Quiet((host, 0), Handler)
        if context: self.http.socket = context.wrap_socket(self.http.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.http.server_address[1]
        self.url = "%s://%s:%d" % ("https" if context else "http", "localhost" if context else "127.0.0.1", self.port)
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()

    def take(self, handler):
        with self.lock:
            number = self.counts.get(handler.path.partition("?")[0], 0)
            self.counts[handler.path.partition("?")[0]] = number + 1
            request = Request(handler, number)
            self.log.append(request)
            self.busy += 1
            self.busiest = max(self.busiest, sum(s.busy for s in self.peers))
        try:
            time.sleep(self.delay)
            reply = self.hook(request) or self.answer(request)
            # Before the answer: once it has that, a client may send another.
            with self.lock: self.busy -= 1
            self.write(handler, request, reply)
        except OSError: handler.close_connection = True

    def write(self, handler, request, reply):
        time.sleep(reply.stall)
        if reply.raw is not None:
            handler.wfile.write(reply.raw)
            handler.wfile.flush()
            handler.close_connection = True
            return
        whole = isinstance(reply.body, bytes)
        if self.packs and reply.status == 200 and whole and "gzip" in request.headers.get("Accept-Encoding", ""):
            reply.body = packed(reply.body)
            reply.headers.append(("Content-Encoding", "gzip"))
        handler.send_response(reply.status)
        for pair in reply.headers: handler.send_header(*pair)
        if reply.status != 304:
            handler.send_header("Content-Length", str(reply.length if reply.length is not None else len(reply.body)))
        handler.end_headers()
        if whole and reply.cut is not None:
            handler.wfile.write(reply.body[:reply.cut])
            handler.wfile.flush()
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0) if reply.cut % 2 else struct.pack("ii", 0, 0))
            handler.close_connection = True
            handler.connection.shutdown(socket.SHUT_RDWR)
            return
        for block in [] if handler.command == "HEAD" else [reply.body] if whole else reply.body:
            handler.wfile.write(block)
            self.sent += len(block)
            request.sent += len(block)
        handler.wfile.flush()


def ranged(request, body, etag, more=()):
    """The answer of a server that supports ranges: 206, 416, 304, or 200 without a range or if If-Range does not match."""
    headers = [("ETag", etag), ("Accept-Ranges", "bytes")] + list(more)
    if request.headers.get("If-None-Match") in (etag, etag[2:] if etag.startswith("W/") else etag): return Reply(304, b"", headers)
    asked = request.headers.get("Range")
    if not asked or request.headers.get("If-Range", etag) != etag: return Reply(200, body, headers)
    first, last = (int(x) for x in asked[len("bytes="):].split("-"))
    if first >= len(body): return Reply(416, b"", headers[1:] + [("Content-Range", "bytes */%d" % len(body))])
    part = body[first:last + 1]
    return Reply(206, part, headers + [("Content-Range", "bytes %d-%d/%d" % (first, first + len(part) - 1, len(body)))])


def git_oid(body): return hashlib.sha1(b"blob %d\0" % len(body) + body).hexdigest()


class Hub:
    def __init__(self, delay=0, page=1000, prefix="", context=None):
        self.repos, self.page, self.prefix = {}, page, prefix # name: {commit: {path: (body, is LFS)}}, and its refs
        self.signatures, self.valid, self.count = {}, set(), itertools.count()
        self.cdn = Server(self.answer_cdn, context, delay)
        self.api = Server(self.answer_api, context, delay)
        self.api.peers = self.cdn.peers = [self.api, self.cdn]
        self.endpoint = self.api.url + prefix

    def __enter__(self): return self
    def __exit__(self, *why):
        self.api.close()
        self.cdn.close()

    def add(self, name, files, lfs=(), ref="main"):
        """A commit, which `ref` then names. Returns it."""
        commit = hashlib.sha1(repr((name, sorted(files), next(self.count))).encode()).hexdigest()
        repo = self.repos.setdefault(name, {"commits": {}, "refs": {}})
        repo["commits"][commit] = {path: (body, path in lfs) for path, body in files.items()}
        repo["refs"][ref] = commit
        return commit

    def answer_cdn(self, r):
        """/sha256?Signature=N"""
        signature = urllib.parse.parse_qs(r.query).get("Signature", [""])[0]
        body = self.signatures.get(signature)
        if body is None or signature not in self.valid: return Reply(403, b"<Error>expired</Error>")
        return ranged(r, body, '"cdn-%s"' % hashlib.md5(body).hexdigest())

    def error(self, status, code, message="", body=b"{}"):
        return Reply(status, body, [("X-Error-Code", code), ("X-Error-Message", message)])

    def answer_api(self, r):
        if not r.path.startswith(self.prefix): return Reply(404)
        words = [urllib.parse.unquote(w) for w in r.path[len(self.prefix):].split("/")[1:]]
        api = words[:2] == ["api", "models"]
        words = words[2:] if api else words
        if len(words) < 3: words = words[:2] + ["revision", "main"]
        name, verb, rest = "/".join(words[:2]), words[2], words[3:]
        repo = self.repos.get(name)
        if not repo: return self.error(401, "RepoNotFound", "Repository not found")
        commit = repo["refs"].get(rest[0], rest[0])
        files = repo["commits"].get(commit)
        if files is None: return self.error(404, "RevisionNotFound", "Invalid rev id: " + rest[0])
        if verb == "revision": return Reply(200, json.dumps({"_id": "1", "id": name, "sha": commit}).encode(), [("Content-Type", "application/json")])
        return self.tree(r, files) if verb == "tree" else self.resolve(files, "/".join(rest[1:]), r, commit)

    def tree(self, r, files):
        entries = []
        for path in sorted(files):
            body, lfs = files[path]
            entry = {"type": "file", "oid": git_oid(body), "size": len(body), "path": path}
            if lfs: entry["lfs"] = {"oid": hashlib.sha256(body).hexdigest(), "size": len(body), "pointerSize": 135}
            entries.append(entry)
        for folder in sorted({p.rpartition("/")[0] for p in files} - {""}): entries.insert(0, {"type": "directory", "oid": "0" * 40, "size": 0, "path": folder})
        at = int(urllib.parse.parse_qs(r.query).get("cursor", ["0"])[0])
        more = []
        if at + self.page < len(entries):
            more = [("Link", '<%s%s?recursive=true&limit=%d&cursor=%d>; rel="next"' % (self.api.url, r.path, self.page, at + self.page))]
        return Reply(200, json.dumps(entries[at:at + self.page], ensure_ascii=False).encode(), more + [("Content-Type", "application/json")])

    def sign(self, body):
        signature = "s%d" % next(self.count)
        self.signatures[signature] = body
        self.valid.add(signature)
        return "%s/%s?Signature=%s&Key-Pair-Id=K" % (self.cdn.url, hashlib.sha256(body).hexdigest(), signature)

    def resolve(self, files, path, r, commit):
        if path not in files: return self.error(404, "EntryNotFound", "Entry not found")
        body, lfs = files[path]
        repo = [("X-Repo-Commit", commit)]
        if not lfs: return ranged(r, body, '"%s"' % git_oid(body), repo)
        return Reply(302, b"Found. Redirecting to it", repo + [("Location", self.sign(body)), ("X-Linked-Size", str(len(body))),
                     ("X-Linked-ETag", '"%s"' % hashlib.sha256(body).hexdigest()), ("ETag", '"hub-%s"' % git_oid(body))])
