"""The pictures of docs/guide: python3 pictures.py writes them, --check says which differ from what the commands print.

Each is a row here, shown by a page of docs/guide. A picture is the screen of a command in a folder of its own, with models of
fixtures/ under the names that people know.
"""
import os
import shutil
import sys
import tempfile

import svg

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
NUMEL = os.path.abspath(os.environ.get("B", "build/release")) + "/numel"
PLACE = ROOT + "/docs/guide"
MOST = 60 << 10  # bytes of a picture

# name, columns, the command
PICTURES = [
    ("show", 100, "numel llama-3.1-8b"),
    ("packed", 100, "numel llama-3.1-8b-q4_k_m"),
    ("broken", 80, "numel verify download"),
    ("reconcile", 100, "numel reconcile llama-3.1-8b-w4a16"),
    ("list", 100, "numel list --sort bytes models"),
    ("memory", 90, "numel memory llama-3.1-8b --fit 24GiB"),
]
LISTED = ["mixtral-8x7b", "gpt-oss-120b", "llama-3.1-8b", "llama-3.1-8b-bnb-4bit", "falcon-7b", "gpt2", "qwen3-0.6b"]


def models(work):
    """What the commands are about. A link is as good as a copy, except in a list."""
    for name in ("llama-3.1-8b", "llama-3.1-8b-q4_k_m", "llama-3.1-8b-w4a16"): os.symlink(ROOT + "/fixtures/" + name, work + "/" + name)
    for name in LISTED: shutil.copytree(ROOT + "/fixtures/" + name, work + "/models/" + name)
    os.remove(work + "/models/falcon-7b/model-00002-of-00002.safetensors.head.zst")
    shutil.copytree(ROOT + "/fixtures/llama-3.1-8b", work + "/download")
    os.remove(work + "/download/model-00003-of-00004.safetensors.head.zst")
    os.remove(work + "/download/model-00002-of-00004.safetensors.head.zst")
    with open(work + "/download/model-00002-of-00004.safetensors", "w", encoding="ascii") as f:
        f.write("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4999802720\n")


def trouble(name, picture):
    """Why a picture is not as it should be; None if it is."""
    path = "%s/pictures/%s.svg" % (PLACE, name)
    if len(picture.encode()) > MOST: return "has more than %d bytes" % MOST
    if not os.path.exists(path): return "is missing"
    with open(path, encoding="utf-8") as f:
        if f.read() != picture: return "differs from what the command prints"
    pages = [open(PLACE + "/" + p, encoding="utf-8").read() for p in os.listdir(PLACE) if p.endswith(".md")]
    return None if any("](pictures/%s.svg)" % name in p for p in pages) else "is on no page of docs/guide"


def main():
    check, failed = sys.argv[1:] == ["--check"], 0
    with tempfile.TemporaryDirectory(prefix="numel-pictures.") as work:
        models(work)
        os.chdir(work)
        os.makedirs(PLACE + "/pictures", exist_ok=True)
        for name, width, command in PICTURES:
            picture = svg.svg(command, svg.screen([NUMEL] + command.split()[1:], width), width)
            if not check:
                with open("%s/pictures/%s.svg" % (PLACE, name), "w", encoding="utf-8") as f: f.write(picture)
            elif why := trouble(name, picture):
                print("FAIL docs/guide/pictures/%s.svg %s: make pictures" % (name, why))
                failed += 1
    known = {name + ".svg" for name, _, _ in PICTURES}
    for name in sorted(set(n for n in os.listdir(PLACE + "/pictures") if n.endswith(".svg")) - known):
        print("FAIL docs/guide/pictures/%s belongs to no command" % name)
        failed += 1
    print("pictures: %d failed" % failed if failed else "pictures: ok (%d)" % len(PICTURES))
    return 1 if failed else 0


sys.exit(main())
