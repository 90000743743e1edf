#!/usr/bin/env python3
"""shots.py DIR -- pictures of pages of --html for docs/guide: DIR/page-NAME.png, each under 150 KB. Needs Chromium.

  make shots
"""
import os, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser

NUMEL = os.path.abspath(os.environ.get("B", "build/release")) + "/numel"
WIDTH, MOST = 1200, 150000
# A name, dark or not, the command, what is looked at last (its lower end is the picture's), and what is done before.
SHOTS = [
    ("show", False, ["show", "fixtures/llama-3.1-8b-w4a16"], ".map ~ .read", ""),
    ("memory", True, ["memory", "fixtures/llama-3.1-8b-q4_k_m", "--context", "32k", "--fit", "12GiB"], ".plot .read", ""),
    ("diff", False, ["diff", "fixtures/llama-3.1-8b", "fixtures/llama-3.1-8b-q4_k_m"], ".heat ~ .read", "document.querySelectorAll('.heat td')[13].focus()"),
]


def shoot(b, work, to, name, dark, command, last, before):
    page, path = "%s/%s.html" % (work, name), "%s/page-%s.png" % (to, name)
    subprocess.run([NUMEL, *command, "--html", page], check=True)
    b.open(page, WIDTH, 900, dark)
    b.eval(before)
    b.eval("scrollTo({top: 0, behavior: 'instant'})")
    b.shot(path, height=b.eval("document.querySelector('%s').getBoundingClientRect().bottom + scrollY + 12" % last))
    size = os.path.getsize(path)
    print("%s: %d KB" % (path, size // 1000))
    return size < MOST


def main(to):
    if not browser.program(): return print("shots: skipped: no Chromium (make deps-html; or NUMEL_CHROMIUM)")
    os.makedirs(to, exist_ok=True)
    b = browser.Browser()
    try:
        with tempfile.TemporaryDirectory() as work: fine = [shoot(b, work, to, *shot) for shot in SHOTS]
    finally: b.close()
    if not all(fine): return "shots: %d bytes are the most" % MOST


if __name__ == "__main__": sys.exit(main(sys.argv[1]))
