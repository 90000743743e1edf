#!/usr/bin/env python3
"""usage: tables.py < TABLE > TABLE

Lines of tables: one that ends in a backslash goes on in the next, whose indentation is not part of it. As a program: the same table, with no line longer
than a person reads. The build joins them (src/data/derive/derive.c).
"""
import glob, os, re, sys

WIDTH = 160
MORE = "    "


def joined(text):
    """The lines of a table's text, each in one piece."""
    return re.sub(r"\\\n *", "", text).splitlines()


def read(path):
    """The lines of a table's file."""
    with open(path, encoding="utf-8") as f:
        return joined(f.read())


def sizes(folder):
    """Of products: CLASS.NAME, the class, and words KEY=JSON, of each line `spec`."""
    for path in sorted(glob.glob(os.path.join(folder, "*.product"))):
        for line in read(path):
            word, _, rest = line.partition(" ")
            if word == "name": name = rest.replace(" ", "_")
            if word != "spec": continue
            cls, *words = rest.split()
            yield cls + "." + name, cls, words


def cut(line):
    """A line in pieces of WIDTH: behind blanks, in words only where one is longer than that."""
    if len(line) <= WIDTH or line.startswith("#"):
        return line
    pieces, at, room = [], 0, WIDTH - 2
    while len(line) - at > room:
        blank = line.rfind(" ", at + 1, at + room)
        end = blank + 1 if blank > 0 else at + room
        end += line[end] == " "  # none begins with a blank: indentation is not part of it
        pieces.append(line[at:end])
        at, room = end, WIDTH - 2 - len(MORE)
    return ("\\\n" + MORE).join(pieces + [line[at:]])


def wrapped(text):
    return "".join(cut(line) + "\n" for line in joined(text))


if __name__ == "__main__":
    sys.stdout.write(wrapped(sys.stdin.read()))
