"""JSON as the strictest reader accepts it: UTF-8 without a BOM, no duplicate keys, no NaN or infinity, no lone surrogates, integers as
integers. A number with a point or an exponent becomes a Decimal, so that 1.0 does not pass for an integer.
"""
import decimal
import json


class Broken(ValueError):
    pass


def pairs(items):
    names = [k for k, _ in items]
    if len(set(names)) != len(names): raise Broken("a key twice: %s" % sorted(n for n in names if names.count(n) > 1)[:3])
    return dict(items)


def constant(word): raise Broken("the word %s" % word)


DECODER = json.JSONDecoder(object_pairs_hook=pairs, parse_constant=constant, parse_float=decimal.Decimal)


def documents(raw):
    """All documents of the text, each with its raw text."""
    text = raw.decode("utf-8")
    at, found = 0, []
    while text[at:].strip(" \t\r\n"):
        at += len(text[at:]) - len(text[at:].lstrip(" \t\r\n"))
        value, end = DECODER.raw_decode(text, at)
        whole(value)
        found.append((value, text[at:end]))
        at = end
    return found


def whole(value):
    """Rejects lone surrogates: they cannot be written as UTF-8."""
    if isinstance(value, str): value.encode("utf-8")
    elif isinstance(value, list): [whole(v) for v in value]
    elif isinstance(value, dict): [whole(v) for item in value.items() for v in item]


def parse(raw):
    """The only document in a command's output."""
    found = documents(raw)
    if len(found) != 1: raise Broken("%d documents" % len(found))
    return found[0][0]


def lines(raw):
    """One document per line, as in NDJSON."""
    return [parse(line) for line in raw.split(b"\n")[:-1]] if raw.endswith(b"\n") or not raw else [parse(b"")]
