"""reworded.py OUT FILE... -- copies src/data to OUT with every displayed product word changed: `name`, `let
variant`, `variant` of a `choose`. A build from the copy must give the same verdicts as numel; otherwise some code
compares displayed words (`make reworded`).
"""
import os
import re
import shutil
import sys


def reworded(path, text):
    if path.endswith(".product"): return re.sub(r"(?m)^name ", "name reworded ", text)
    if not path.endswith(".spec"): return text
    if re.search(r"(?m)^choose variant", text): return re.sub(r'(?m)^( row ")', r"\1reworded ", text)
    said = re.compile(r"(?m)^let variant = ((?:.*\\\n)*.*)$")
    return said.sub(lambda m: f'let shown_ = {m[1]}\nlet variant = shown_ == null ? null : "reworded " + shown_', text)


def main():
    out, *files = sys.argv[1:]
    for path in files:
        to = os.path.join(out, path)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        if path.endswith(".zst"):  # cases of the truth
            shutil.copy(path, to)
            continue
        with open(path, encoding="utf-8") as f: text = f.read()
        with open(to, "w", encoding="utf-8") as f: f.write(reworded(path, text))


main()
