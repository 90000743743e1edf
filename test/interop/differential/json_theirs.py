"""json_theirs.py -- Python's json on the texts of test/interop/second: a third opinion on the scanner, after cJSON's.

The tree is written as json_draw() of test/support/json_second.h does, with number tokens unchanged.
"""
import json
import platform
import re
import struct
import subprocess

VERSION = f"json of Python {platform.python_version()}"

# Classes that only Python accepts. It refuses nothing that the scanner accepts.
CLASSES = {"words": "it accepts NaN, Infinity and -Infinity as numbers",
           "surrogates": "it accepts lone surrogates in escapes",
           "depth": "it nests as deep as its stack allows, the scanner to 127"}


class Number(str):
    pass


class Words(Exception):
    pass


def number(token): return Number(token)


def refuse(word): raise Words(word)


def drawn(v):
    if isinstance(v, Number): return f"#{v};"
    if isinstance(v, str): return '"' + v.encode("utf-8", "surrogatepass").hex() + ";"
    if isinstance(v, list): return "[" + "".join(map(drawn, v)) + "]"
    if isinstance(v, tuple): return "{" + "".join(drawn(k) + drawn(x) for k, x in v) + "}"
    return "n" if v is None else "t" if v else "f"


def read(text):
    """(tree, class): the tree is None if Python refuses; the class is one that only it accepts."""
    try:
        v = json.loads(text.decode("utf-8"), parse_int=number, parse_float=number, parse_constant=refuse, object_pairs_hook=tuple)
    except Words:
        try:
            json.loads(text.decode("utf-8"))
        except ValueError:
            return None, None
        return "", "words"
    except (ValueError, RecursionError):
        return None, None
    tree = drawn(v)
    if re.search(r'"(?:..)*?ed[ab]', tree): return tree, "surrogates"
    return tree, None


def nested(text):
    """True if it is deeper than the scanner's limit. Brackets in strings do not count."""
    depth = most = 0
    for c in re.sub(rb'"(?:[^"\\]|\\.)*"', b"", text):
        depth += (c in b"[{") - (c in b"]}")
        most = max(most, depth)
    return most > 127


def compare(tool, first, count):
    """Number of unexplained texts. The tool itself compares the scanner with cJSON."""
    done = subprocess.run([tool, str(first), str(count)], stdout=subprocess.PIPE, check=False)
    out, at, failed, seen, accepted = done.stdout, 0, 0, dict.fromkeys(CLASSES, 0), 0
    for n in range(first, first + count):
        size = struct.unpack_from("<I", out, at)[0]
        text = out[at + 4:at + 4 + size]
        end = out.index(b"\n", at + 4 + size)
        ours, line = out[at + 4 + size:at + 5 + size] == b"1", out[at + 5 + size:end].decode(errors="replace")
        at = end + 1
        tree, only = read(text)
        accepted += tree is not None
        if ours and tree == line: continue
        if not ours and tree is None: continue
        if not ours and not only and nested(text): only = "depth"
        if ours or not only:
            failed += 1
            print(f"FAIL text {n}, {text[:200]!r}: the scanner: {line[:200] if ours else 'refuses, ' + line}; Python: {tree if tree is None else tree[:200]}")
        else: seen[only] += 1
    print(f"\n{VERSION}: {count:,} texts, it accepts {accepted:,}")
    for name, reason in CLASSES.items(): print(f"  {seen[name]:7,}  {reason}")
    print(f"  {failed:7,}  unexplained")
    return failed + (done.returncode != 0)
