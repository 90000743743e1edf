"""numel-fetch as its parent sees it: requests in, answers out, checked against the protocol (src/fetch/protocol.h)."""
import os, shutil, subprocess, tempfile

B = os.path.abspath(os.environ.get("B", "build/release"))
PROGRAM = B + "/numel-fetch"
KINDS = "absent gated denied changed limited offline timeout refused broken".split()
# Variables of the caller must not influence the requests.
CLEAN = {k: v for k, v in os.environ.items() if not k.upper().endswith("_PROXY") and not k.startswith(("HF_", "XDG_", "SSL_", "HUGGING", "TRANSFORMERS"))}


class Answer:
    """ok: size, etag, came, data, and whether it was kept. error: kind, text."""
    def __init__(self, words, data):
        self.id, self.ok, self.data, self.kind, self.text, self.size, self.etag = int(words[0]), words[1] in ("ok", "kept"), data, None, "", None, None
        self.kept, self.came = words[1] == "kept", int(words[4]) if self.ok else 0
        if self.ok: self.size, self.etag = None if words[2] == "-" else int(words[2]), None if words[3] == "-" else words[3]
        else: self.kind, self.text = words[2], data.decode()
    def __repr__(self): return "ok %s %s, %d bytes" % (self.size, self.etag, len(self.data)) if self.ok else "error %s: %s" % (self.kind, self.text)


class Fetch:
    """A running numel-fetch with a home of its own. env: variables in addition; home: a folder that others use as well."""
    def __init__(self, *args, endpoint=None, home=None, env=(), run=()):
        self.own = None if home else tempfile.mkdtemp(prefix="numel-remote.")
        self.home, self.next = home or self.own, 1
        e = dict(CLEAN, HOME=self.home, **dict(env))
        if endpoint: e["HF_ENDPOINT"] = endpoint
        self.asked, self.early = {}, {}
        self.process = subprocess.Popen(list(run) + [PROGRAM, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=e)

    def __enter__(self): return self
    def __exit__(self, *why):
        self.process.stdin.close()
        left = self.process.stdout.read()
        error = self.process.stderr.read()
        status = self.process.wait(timeout=30)
        self.process.stdout.close()
        self.process.stderr.close()
        if self.own: shutil.rmtree(self.own)
        if why[0] is None: assert (status, left, error) == (0, b"", b""), (status, left[:200], error.decode()[-4000:])

    def send(self, verb, *words):
        number, self.next = self.next, self.next + 1
        self.asked[number] = int(words[1]) if verb == "read" else 1 << 26
        self.process.stdin.write((" ".join([verb, str(number), *map(str, words)]) + "\n").encode())
        self.process.stdin.flush()
        return number

    def answer(self):
        """The next one."""
        head = self.process.stdout.readline()
        words = head.decode().split(" ")
        assert head.endswith(b"\n") and len(words) == (4 if words[1] == "error" else 6), head + self.process.stderr.read()
        n = int(words[-1])
        data = self.process.stdout.read(n)
        a = Answer(words[:-1], data)
        assert len(data) == n and a.id in self.asked, head
        asked = self.asked.pop(a.id)
        assert n <= (asked if a.ok else 1000) and (a.ok or (a.kind in KINDS and "\n" not in a.text and not a.text.endswith("."))), (head, a)
        return a

    def wait(self, number):
        while number not in self.early:
            a = self.answer()
            self.early[a.id] = a
        return self.early.pop(number)

    def list(self, url): return self.wait(self.send("list", url))
    def read(self, url, offset=0, length=65536, etag="-"): return self.wait(self.send("read", offset, length, etag, url))
