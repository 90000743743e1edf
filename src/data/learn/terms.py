"""Terms: candidates for an expression, and how they are written.

A vector of values, one for each cell, has a signature: its differences divided by their common divisor.
Two vectors with equal signatures are equal up to a factor and a constant, so one look-up finds a term that
explains a vector. The cost of a text decides which of two explanations is simpler.
"""
import collections
import math

Term = collections.namedtuple("Term", "text values cost keys")


def ref(key):
    return "class()" if key == "class()" else "⟦" + key + "⟧"


def simple_text(text):
    depth = 0
    for c in text:
        depth += (c in "([⟦") - (c in ")]⟧")
        if depth == 0 and c in " +-*/?=<>&|": return False
    return True


def bracketed(text):
    return text if simple_text(text) else "(" + text + ")"


def isint(value):
    return isinstance(value, int) and not isinstance(value, bool)


def signature(values):
    """(differences divided by their common divisor, that divisor with its sign), or None for a constant."""
    first = values[0]
    differences = [v - first for v in values]
    scale = math.gcd(*differences)
    if not scale: return None
    if next(d for d in differences if d) < 0: scale = -scale
    return tuple(d // scale for d in differences), scale


class Terms:
    """Terms by signature; of equal ones the cheapest is kept."""

    def __init__(self):
        self.by = {}
        self.list = []

    def put(self, text, values, cost, keys=frozenset()):
        values = tuple(values)
        found = signature(values)
        if found is None: return
        old = self.by.get(found[0])
        if old and old[0].cost <= cost: return
        term = Term(text, values, cost, frozenset(keys))
        self.by[found[0]] = (term, found[1])
        self.list.append(term)

    def line(self, values):
        """(cost, text) of a term, times a number plus a constant, that gives these values."""
        found = signature(values)
        if found is None: return 0.0, str(values[0])
        hit = self.by.get(found[0])
        if not hit: return None
        term, scale = hit
        divisor = math.gcd(found[1], scale)
        up, down = found[1] // divisor, scale // divisor
        if down < 0: up, down = -up, -down
        rest = values[0] * down - term.values[0] * up
        if rest % down or down > 16 or abs(up) > 4096: return None
        cost = term.cost + (0 if up == 1 else .5 + math.log2(abs(up)) * .15) + (down > 1)
        return cost + constant_cost(rest // down), scaled(term.text, up, down) + plus(rest // down)


def constant_cost(n):
    return 0 if n == 0 else .8 + math.log2(abs(n)) * .15 + (3 if abs(n) > 64 else 0)


def plus(n):
    return f" + {n}" if n > 0 else f" - {-n}" if n < 0 else ""


def scaled(text, up, down):
    if up == 1 and down == 1: return text
    text = text if simple_text(text) or "/" not in text and " " not in text else "(" + text + ")"
    out = text if abs(up) == 1 else f"{abs(up)}*{text}"
    if down != 1: out = f"{bracketed(out) if '/' in out else out}/{down}"
    return "-" + out if up < 0 else out


def divisible(factor, n, d, least=None):
    """MobileNet's rule for widths."""
    least = d if least is None else least
    value = factor * n
    new = max(least, int(value + d / 2) // d * d)
    return int(new + d if new < .9 * value else new)


def compare(sign, a, b):
    return {"==": a == b, "!=": a != b, "<": a < b, ">": a > b, ">=": a >= b}[sign]
