"""An SVG of what a command prints on a terminal: svg.py WIDTH COMMAND... > picture.svg

The command runs in a pseudo-terminal of WIDTH columns, with colours. Its screen becomes text in a grid, so that it can be
selected and searched; a stylesheet inside has the 16 colours twice, for light and for dark pages. Only the Python standard
library is needed, and nothing in the picture depends on when or where it was made.
"""
import fcntl
import html
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata

CELL, LINE, FONT, PAD, BAR = 8.4, 19, 14, 16, 30
ENV = {"LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "NUMEL_PAGER": "cat", "COLORTERM": ""}
# Foreground colours by their SGR number: on a light page, on a dark one.
COLORS = {31: ("#c01c28", "#ff7b72"), 32: ("#1a7f37", "#56d364"), 33: ("#9a6700", "#e3b341"), 34: ("#0550ae", "#79c0ff"),
          35: ("#8250df", "#d2a8ff"), 36: ("#0b7285", "#56d4dd"), 90: ("#6e7781", "#8b949e"), 94: ("#0969da", "#79c0ff")}
PAGE = {"back": ("#ffffff", "#0d1117"), "front": ("#1f2328", "#e6edf3"), "edge": ("#d0d7de", "#30363d"), "soft": ("#656d76", "#8b949e")}
SGR = re.compile(r"\x1b\[([0-9;]*)m")


def screen(command, width, env=None):
    """What the command writes on a terminal of that many columns."""
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    every = {"PATH": os.environ["PATH"], "HOME": "/nowhere", **ENV, **(env or {})}
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=other, stderr=subprocess.STDOUT, env=every) as p:
        os.close(other)
        out = b""
        try:
            while some := os.read(main, 65536): out += some
        except OSError: pass # the end of a pseudo-terminal
    os.close(main)
    return out.decode("utf-8").replace("\r\n", "\n")


def spans(line):
    """(text, classes) of a line."""
    at, bold, color = 0, False, None
    for m in list(SGR.finditer(line)) + [None]:
        text = line[at:m.start() if m else len(line)]
        if text: yield text, (["c%d" % color] if color else []) + ["b"] * bold
        if not m: return
        at = m.end()
        for n in [int(x or 0) for x in m.group(1).split(";")]:
            if n == 0: bold, color = False, None
            elif n == 1: bold = True
            elif n in COLORS: color = n
            else: raise SystemExit("svg.py: no colour for SGR %d" % n)


def columns(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def blocks(text):
    """The eighths of a column that a run of full and partial blocks fills; None if it is not one."""
    if not text or any(c not in "\u2588\u2589\u258a\u258b\u258c\u258d\u258e\u258f" for c in text): return None
    return sum(8 - (ord(c) - 0x2588) for c in text)


def pieces(line):
    """(column, text, classes): bars are apart from words."""
    at = 0
    for text, classes in spans(line):
        for part in re.findall(r"[\u2588-\u258f]+|\u2593+|\u2592+|\u2591+|(?:[^\u2588-\u2593 ]| (?! ))+| +", text):
            if part.strip(): yield at + columns(part) - columns(part.lstrip()), part.strip(), classes
            at += columns(part)


def drawn(x, y, text, classes):
    """Bars are drawn, as fonts leave gaps between blocks."""
    shade = {"\u2593": .65, "\u2592": .35, "\u2591": .35}.get(text[0])
    eighths = blocks(text) if shade is None else 8 * len(text)
    name = ' class="%s"' % " ".join(classes) if classes else ""
    if eighths is None:
        return '<text x="%.1f" y="%d"%s textLength="%.1f">%s</text>' % (x, y, name, columns(text) * CELL, html.escape(text, False))
    see = ' opacity="%s"' % shade if shade else ""
    return '<rect x="%.1f" y="%d" width="%.2f" height="%d"%s%s/>' % (x, y - 12, eighths * CELL / 8, LINE - 5, name, see)


def style():
    def colors(which):
        return "".join(".c%d{fill:%s}" % (n, c[which]) for n, c in COLORS.items()) + ".back{fill:%s;stroke:%s}svg{fill:%s}.soft{fill:%s}" % (
            PAGE["back"][which], PAGE["edge"][which], PAGE["front"][which], PAGE["soft"][which])
    return ("text{font:%dpx ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}.b{font-weight:700}%s"
            "@media(prefers-color-scheme:dark){%s}") % (FONT, colors(0), colors(1))


def svg(command, text, width):
    """The picture of a screen: the command, then what it printed."""
    lines = text.rstrip("\n").split("\n")
    wide, high = width * CELL + 2 * PAD, (len(lines) + 1) * LINE + 2 * PAD + 6
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d" role="img">' % (wide, high, wide, high),
           "<title>%s</title>" % html.escape(command, False), "<style>%s</style>" % style(),
           '<rect class="back" x=".5" y=".5" width="%.0f" height="%d" rx="8"/>' % (wide - 1, high - 1),
           '<text class="soft" x="%d" y="%d">$ %s</text>' % (PAD, PAD + 12, html.escape(command, False))]
    for i, line in enumerate(lines):
        y = PAD + 12 + (i + 1) * LINE + 6
        out += [drawn(PAD + at * CELL, y, part, classes) for at, part, classes in pieces(line)]
    return "\n".join(out) + "\n</svg>\n"


def main():
    width, command = int(sys.argv[1]), sys.argv[2:]
    shown = " ".join(["numel" if os.path.basename(command[0]) == "numel" else command[0]] + command[1:])
    sys.stdout.write(svg(shown, screen(command, width), width))


if __name__ == "__main__": main()
