"""digests.py -- the names of a model as digests, by which the build tells it (src/data/derive/tell.c); src/formula/skeleton.c makes the same
of a file's names."""
import re

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-"
MOST = 400  # names of one model; the rest says nothing new


def skeleton(name):
    return re.sub(r"(^|(?<=\.))\d+(?=\.|$)", "#", name)


def digest(name):
    """FNV-1a of 32 bits, folded to 30."""
    h = 0x811C9DC5
    for byte in name.encode():
        h = (h ^ byte) * 0x01000193 & 0xFFFFFFFF
    return (h ^ h >> 30) & 0x3FFFFFFF


def letters(number):
    return "".join(LETTERS[number >> shift & 63] for shift in (24, 18, 12, 6, 0))


def digests_of(names): return tuple(sorted({digest(skeleton(n)) for n in names})[:MOST])
