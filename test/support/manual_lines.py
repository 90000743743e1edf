#!/usr/bin/env python3
"""manual_lines.py PAGE... -- lays out the text of manual pages as mandoc -Tlint wants it: a sentence begins a line, no line has more
than 80 bytes. Words, macros and displays are unchanged, and so is a page that already conforms. Needs mandoc."""
import re
import subprocess
import sys

WIDTH = 80


def filled(text):
    """Lines with sentences that follow each other without a macro between them."""
    lines, line = [], ""
    for word in text.split():
        if line and len((line + " " + word).encode()) > WIDTH and word[0] not in ".'":
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    return lines + [line]


def laid_out(page):
    out, run, literal, continued = [], [], False, False

    def end():
        if run: out.extend(filled(" ".join(run)))
        run.clear()

    for line in page.split("\n"):
        literal = literal and not line.startswith(".Ed") or line.startswith(".Bd")
        macro = literal or continued or not line or line[0] in ".'"
        continued = macro and line.endswith("\\")
        if macro:
            end()
            out.append(line)
            continue
        run.append(line)
        if re.search(r"[.!?:][)\"']*$", line): end()
    end()
    return "\n".join(out)


def sentences(path, page):
    """The page, with a separate line for each sentence that mandoc finds inside a line."""
    with open(path, "w") as f: f.write(page)
    said = subprocess.run(["mandoc", "-Tlint", path], stdout=subprocess.PIPE, text=True).stdout
    lines = page.split("\n")
    for line, column in {int(a): int(b) for a, b in re.findall(r":(\d+):(\d+): WARNING: new sentence", said)}.items():
        text = lines[line - 1]
        at = column - 1
        while text[at] == " ": at += 1
        lines[line - 1] = text[:at].rstrip() + "\n" + text[at:]
    return "\n".join(lines)


for path in sys.argv[1:]:
    with open(path) as f: page = f.read()
    while True:
        before, page = page, laid_out(page)
        page = sentences(path, page)
        if page == before: break
    with open(path, "w") as f: f.write(page)
