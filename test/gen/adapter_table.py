"""adapter_table.py -- writes src/data/adapters/families.table: names of modules once for all families that share them.

A family is a list of rows, each the name of a module, its numbers as ranges ("layers.{0-3,7}.mlp"), its out and in, how many
experts are stacked in it, and whether it has a bias. Families with the same names in the same order are one group; where they differ, in sizes
and in how many layers they have, the names say a letter, and each family what the letters stand for. How it is read:
src/adapter/family_table.c.
"""
import re

NUMBER = re.compile(r"(?<![^.])\d+(?![^.])")
HEAD = """# The weights of each family of base models: modules with their out, in (times the kernel; 0: it varies), experts, 1: a bias.
# Written by test/gen/adapter_families.py; how it is read: family_table.c.
"""


def ranges(numbers):
    out = []
    for n in sorted(numbers):
        if out and out[-1][1] == n - 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in out)


def boxes(tuples):
    """Tuples of numbers as products of sets."""
    tuples = set(tuples)
    if not next(iter(tuples)):
        return [()]
    by_rest = {}
    for head in {t[0] for t in tuples}:
        rest = frozenset(t[1:] for t in tuples if t[0] == head)
        by_rest.setdefault(rest, set()).add(head)
    boxed = [(heads, box) for rest, heads in by_rest.items() for box in boxes(rest)]
    return [(ranges(heads),) + box for heads, box in sorted(boxed, key=lambda b: (min(b[0]), b[1]))]


def folded(rows):
    """(name, size) of single modules -> (name with # for numbers, their ranges, size), in the order of the first of each."""
    groups = {}
    for name, size in rows:
        numbers = tuple(int(n) for n in NUMBER.findall(name))
        groups.setdefault((NUMBER.sub("#", name), tuple(size)), []).append(numbers)
    return [(shape, box, size) for (shape, size), tuples in groups.items() for box in boxes(tuples)]


def pattern(shape, words):
    parts = iter(words)
    return re.sub("#", lambda _: (lambda w: w if w.isdigit() else "{%s}" % w)(next(parts)), shape)


def lettered(families):
    """The columns of a group's families: those that are alike in all are the word itself, the others a letter each."""
    letters = {}

    def word(column):
        if len(set(column)) == 1:
            return column[0]
        return letters.setdefault(tuple(column), chr(ord("a") + len(letters)))

    rows = []
    for same in zip(*families):
        words = [word([r[1][i] for r in same]) for i in range(len(same[0][1]))]
        sizes = [word([str(r[2][i]) for r in same]) for i in range(4)]
        while len(sizes) > 2 and sizes[-1] == "0":
            sizes.pop()
        rows.append((pattern(same[0][0], words).split("."), sizes))
    assert len(letters) <= 26 and all(len(".".join(names)) < 900 for names, _ in rows)
    return rows, [" ".join(c) for c in zip(*letters)] or [""] * len(families)


def tree(rows, level=0):
    """What several names in a row begin with stands above them, once."""
    while rows:
        first, n = rows[0][0], 1
        while n < len(rows) and rows[n][0][0] == first[0] and len(rows[n][0]) > 1:
            n += 1
        most = min([len(first)] + [len(names) - 1 for names, _ in rows[1:n]])
        shared = max(k for k in range(1, most + 1) if all(r[0][:k] == first[:k] for r in rows[:n]))
        alone = len(first) == shared
        yield " " * level + " ".join([".".join(first[:shared])] + (rows[0][1] if alone else []))
        yield from tree([(names[shared:], sizes) for names, sizes in rows[alone:n]], level + 1)
        rows = rows[n:]


def identifier(name):
    return re.sub(r"\W", "_", name.lower())


def write(families):
    """Each: kind ("family", or "encoder", which others have), name, version, arch, encoders, rows as (name, size)."""
    groups = {}
    for *head, rows in families:
        rows = folded(rows)
        groups.setdefault(tuple((shape, len(box)) for shape, box, _ in rows), []).append((tuple(head), rows))
    names, lines = {}, {}
    for group in groups.values():
        rows, values = lettered([rows for _, rows in group])
        assert not any(re.search(r"[ |]", ".".join(parts)) for parts, _ in rows)
        label = identifier(group[0][0][1])
        names[group[0][0]] = [f"names {label}"] + list(tree(rows))
        lines.update({head: "|".join(head + (label, own)) for (head, _), own in zip(group, values)})
    heads = [tuple(head) for *head, _ in families]
    return HEAD + "".join(line + "\n" for head in heads for line in names.get(head, []) + [lines[head]])
