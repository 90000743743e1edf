#!/usr/bin/env python3
"""remote_cases.py [-c] -- makes fixtures/oracle/remote.jsonl.zst: models whose code is next to their files.

Such a class is not in transformers, or has other names there than in published files. These modules describe what its
modeling code makes, written down from reading that code, module by module in its order: names, sizes, buffers, ties.
Nothing comes from our specifications; where the two disagreed, the code was read again and the specification
corrected. Sizes are small, odd and all different. -c writes nothing and fails if the file differs from the output.

The descriptions are in remote_bases.py (dense), remote_routed.py, remote_seeing.py, remote_hearing.py,
remote_series.py, remote_namesakes.py and remote_early.py.
"""
import os, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from oracle_fixtures import line, pack, unpacked
from own_cases import order

PATH = "fixtures/oracle/remote.jsonl.zst"


class Model:
    """The tensors of a model, added one module at a time."""

    def __init__(self, config):
        self.config, self.prefix = config, ""
        self.params, self.tied, self.buffers, self.tables = {}, {}, {}, set()

    def __getattr__(self, key):
        """A key of the configuration; None if absent, like getattr(config, key, None)."""
        return self.config.get(key)

    def get(self, key, default):
        return self.config.get(key, default)

    def param(self, name, *dims):
        name = self.prefix + name
        if name in self.params:
            raise SystemExit(f"{name} twice")
        self.params[name] = list(dims)

    def linear(self, name, out, into, bias=False):
        self.param(name + ".weight", out, into)
        if bias:
            self.param(name + ".bias", out)

    def norm(self, name, size, bias=False):
        self.param(name + ".weight", size)
        if bias:
            self.param(name + ".bias", size)

    def table(self, name, rows, columns):
        self.param(name + ".weight", rows, columns)
        self.tables.add(self.prefix + name + ".weight")

    def buffer(self, name, *dims):
        self.buffers[self.prefix + name] = list(dims)

    def copy(self, name, of):
        """The tensor `of` under a second name."""
        self.params[name] = self.params[of]
        self.tied[name] = of

    def labels(self):
        return len(self.id2label) if self.id2label is not None else 2

    def head(self, name, table, rows, columns, tied):
        """An output layer, which may be tied to a table of the same size."""
        if tied:
            self.copy(name + ".weight", table + ".weight")
        else:
            self.linear(name, rows, columns)


def count(model, without):
    total = 0
    for name, dims in model.params.items():
        if name in model.tied or name in without:
            continue
        n = 1
        for d in dims:
            n *= d
        total += n
    return total


def shapes(tensors):
    return {n: tensors[n] for n in sorted(tensors, key=order)}


def case(name, class_name, describe, values):
    model = Model(values)
    describe(model, class_name)
    config = {"architectures": [class_name], **values}
    return {"case": f"remote/{name}", "class": class_name, "configs": {"whole": config},
            "params": shapes(model.params), "tied": dict(sorted(model.tied.items())),
            "buffers": shapes(model.buffers), "num_parameters": count(model, ()),
            "non_embedding": count(model, model.tables)}


def main():
    import remote_bases, remote_early, remote_hearing, remote_namesakes, remote_routed, remote_seeing, remote_series
    rooms = (remote_bases, remote_early, remote_routed, remote_seeing, remote_hearing, remote_series, remote_namesakes)
    rows = [row for room in rooms for row in room.ROWS]
    if len({name for name, *_ in rows}) != len(rows):
        raise SystemExit("two cases of one name")
    content = "".join(line(case(*row)) for row in sorted(rows, key=lambda row: row[0])).encode()
    if "-c" in sys.argv:
        same = unpacked(PATH) == content
        print(f"{PATH}: {'as' if same else 'NOT as'} it is made")
        return 0 if same else 1
    if pack(PATH, content):
        print(f"{PATH}: {len(rows)} cases, {os.path.getsize(PATH):,} bytes;"
              f" raise the number in test/support/cases.c")
    return 0


if __name__ == "__main__":
    sys.exit(main())
