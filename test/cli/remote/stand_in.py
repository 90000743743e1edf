#!/usr/bin/env python3
"""stand_in.py -- numel-fetch without a network: the protocol of src/fetch/protocol.h over a folder.

    STAND_IN=DIR         hf://ORG/NAME[@REV] is DIR/ORG/NAME[@REV], https://HOST/PATH is DIR/HOST/PATH; default: $T/hub
    STAND_IN_LOG=FILE    gets a line for each request, and its arguments
    STAND_IN_FAULT=WHAT  gated: every request is refused, as those of hf://gated/ are in any case; changed: each read has another etag; short: answers lack
                         their last byte; long: they have one more; size: files are one byte longer than listed;
                         garbage: no answer at all; dies: ends at the first read; deaf: ends at once
"""
import hashlib, os, sys
from urllib.parse import quote, unquote

ROOT, FAULT = os.environ.get("STAND_IN") or os.environ["T"] + "/hub", os.environ.get("STAND_IN_FAULT", "")
LOG = open(os.environ["STAND_IN_LOG"], "a") if "STAND_IN_LOG" in os.environ else None
out = sys.stdout.buffer
reads = 0


def commit_of(name):
    return hashlib.sha1(name.encode()).hexdigest()


def answer(number, size, etag, data):
    out.write(f"{number} ok {size} {etag} {len(data)} {len(data)}\n".encode() + data)


def error(number, kind, text):
    out.write(f"{number} error {kind} {len(text.encode())}\n{text}".encode())


def parts(url):
    """The folder or file of a URL, and the repository's folder."""
    scheme, rest = url.split("://", 1)
    if scheme != "hf":
        return os.path.join(ROOT, unquote(rest.split("?")[0])), None
    org, name, *path = rest.split("/")
    name, _, rev = name.partition("@")
    folder = os.path.join(ROOT, org, name)
    if rev and not os.path.isdir(folder + "@" + rev) and rev != commit_of(f"{org}/{name}"):
        owner = os.path.join(ROOT, org)
        known = [x for x in (os.listdir(owner) if os.path.isdir(owner) else []) if x.startswith(name + "@")]
        folder = next((os.path.join(ROOT, org, x) for x in known if commit_of(f"{org}/{x}") == rev), folder + "@" + rev)
    elif rev and os.path.isdir(folder + "@" + rev):
        folder += "@" + rev
    return os.path.join(folder, *map(unquote, path)), folder


def do_list(number, url):
    path, repo = parts(url)
    if not os.path.exists(path):
        return error(number, "absent", f"no such repository or revision: {url}")
    lines = []
    if not repo:
        spelled = url.split("?")[0].rsplit("/", 1)[1] # numel-fetch keeps what the URL has
        lines = ["revision -", f"file {os.path.getsize(path)} - - {spelled}"]
    else:
        lines.append("revision " + commit_of(os.path.relpath(repo, ROOT)))
        for folder, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                file = os.path.join(folder, name)
                with open(file, "rb") as f:
                    data = f.read(1 << 26)
                small = name.endswith((".json", ".md"))
                git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest() if small else "-"
                lfs = "-" if small else hashlib.sha256(data).hexdigest()
                lines.append(f"file {os.path.getsize(file)} {lfs} {git} {quote(os.path.relpath(file, path))}")
    answer(number, "-", "-", "".join(x + "\n" for x in lines).encode())


def do_read(number, offset, length, etag, url):
    global reads
    reads += 1
    path, _ = parts(url)
    if not os.path.isfile(path):
        return error(number, "absent", "no such file")
    if FAULT == "dies":
        sys.exit(0)
    size = os.path.getsize(path)
    with open(path, "rb") as f:
        f.seek(offset)
        data = f.read(length)
    own = hashlib.sha1(path.encode()).hexdigest()[:12] + (str(reads) if FAULT == "changed" else "")
    data = data[:-1] if FAULT == "short" else data + b"x" if FAULT == "long" else data
    answer(number, size + (FAULT == "size"), own, data)


if FAULT == "deaf":
    sys.exit(0)
if LOG:
    LOG.write(" ".join(["numel-fetch"] + sys.argv[1:]) + "\n")
for line in sys.stdin:
    words = line.split()
    if LOG:
        LOG.write(line)
        LOG.flush()
    if FAULT == "garbage":
        out.write(b"HTTP/1.1 200 OK\r\n\r\n")
    elif FAULT == "gated" or "hf://gated/" in line:
        error(words[1], "gated", "its licence has to be accepted at https://huggingface.co/org/tiny; then set HF_TOKEN")
    elif words[0] == "list":
        do_list(words[1], words[2])
    else:
        do_read(words[1], int(words[2]), int(words[3]), words[4], words[5])
    out.flush()
