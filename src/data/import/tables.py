#!/usr/bin/env python3
"""usage: tables.py < TABLE > TABLE

Reads lines of tables: one that ends in a backslash continues in the next, whose indentation does not
count. As a program it prints the same table without overlong lines. The build joins the lines
(src/data/derive/derive.c).
"""
import glob, os, re, sys

WIDTH = 160
MORE = "    "


def joined(text):
    """The lines of a table's text, each joined."""
    return re.sub(r"\\\n *", "", text).splitlines()


def read(path):
    """The lines of a table's file."""
    with open(path, encoding="utf-8") as f:
        return joined(f.read())


def sizes(folder):
    """For each line `spec` of products: CLASS.NAME, the class, and the words KEY=JSON."""
    for path in sorted(glob.glob(os.path.join(folder, "*.product"))):
        for line in read(path):
            word, _, rest = line.partition(" ")
            if word == "name": name = rest.replace(" ", "_")
            if word != "spec": continue
            cls, *words = rest.split()
            yield cls + "." + name, cls, words


def cut(line):
    """Splits a line into pieces of WIDTH: after blanks, inside a word only if the word is longer."""
    if len(line) <= WIDTH or line.startswith("#"):
        return line
    pieces, at, room = [], 0, WIDTH - 2
    while len(line) - at > room:
        blank = line.rfind(" ", at + 1, at + room)
        end = blank + 1 if blank > 0 else at + room
        end += line[end] == " "  # no piece begins with a blank: indentation does not count
        pieces.append(line[at:end])
        at, room = end, WIDTH - 2 - len(MORE)
    return ("\\\n" + MORE).join(pieces + [line[at:]])


def wrapped(text):
    return "".join(cut(line) + "\n" for line in joined(text))


if __name__ == "__main__":
    sys.stdout.write(wrapped(sys.stdin.read()))
