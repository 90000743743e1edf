"""Turns names into a tree whose numbers are loops; the solver explains every size, count and presence.

A node holds the nodes below it by the next part of the name; a number is replaced by "#" and adds an index
to the cells. Such a node becomes a loop if its count and everything below it are explained. Runs of unlike
modules, and what no loop explains, are written one by one. Tensors that nothing explains are omitted and
listed in `failures`: a missing tensor is better than one accepted by its name only.
"""
import dataclasses
import re

from solve import Loop, Unsolved
from terms import bracketed

VARS = "ijklmn"
MOST = 12  # limit of numbers written one by one if a loop fails


@dataclasses.dataclass
class Leaf:
    name: str
    dims: list
    condition: str
    tied: str
    of: str
    buffer: bool
    module: str


@dataclasses.dataclass
class Block:
    name: str
    items: list
    condition: str


@dataclasses.dataclass
class Turns:
    var: str
    low: int
    count: str
    items: list


class Node:
    def __init__(self):
        self.below, self.cells, self.tensors = {}, set(), {}

    def at(self, part):
        return self.below.setdefault(part, Node())

    def only(self, number, place):
        """A copy of this node for one number at that place of the index, which is removed."""
        out = Node()
        cut = lambda i: i[:place] + i[place + 1:]
        out.cells = {(s, cut(i)) for s, i in self.cells if i[place] == number}
        out.tensors = {(s, cut(i)): t for (s, i), t in self.tensors.items() if i[place] == number}
        for part, node in self.below.items():
            sub = node.only(number, place)
            if sub.cells: out.below[part] = sub
        return out

    def form(self, number, place, path=()):
        """The tensors, with their ranks, of one module of a list."""
        out = {(path, len(t[0])) for (s, i), t in self.tensors.items() if i[place] == number}
        for part, node in self.below.items(): out |= node.form(number, place, path + (part,))
        return out


class Tree:
    def __init__(self, samples, solver):
        self.samples, self.solver, self.failures, self.order = samples, solver, [], {}
        self.root = Node()
        for s, sample in enumerate(samples):
            for name, tensor in sample.tensors.items(): self.add(s, name, tensor)
        for sample in samples[:1] + sorted(samples[1:], key=lambda x: -len(x.tensors)):
            for name in sample.tensors:
                parts = tuple("#" if p.isdigit() else p for p in name.split("."))
                for n in range(len(parts)): self.order.setdefault(parts[:n + 1], len(self.order))

    def add(self, s, name, tensor):
        node, index = self.root, ()
        for part in name.split("."):
            if part.isdigit(): index += (int(part),)
            node = node.at("#" if part.isdigit() else part)
            node.cells.add((s, index))
        node.tensors[(s, index)] = tensor

    def learn(self):
        return self.node(self.root, (), [(s, ()) for s in range(len(self.samples))], [])

    def node(self, node, path, cells, loops):
        items, inside = [], set(cells)
        for part in sorted(node.below, key=lambda p: self.order.get(path + (p,), 1e9)):
            below, where = node.below[part], path + (part,)
            if part == "#": items += self.numbers(below, where, cells, loops); continue
            there = below.cells & inside
            try: condition = self.solver.condition(cells, [c in there for c in cells], loops)
            except Unsolved as e:
                items += self.empty_list(part, below, where, cells, loops, e)
                continue
            items += self.child(part, below, where, [c for c in cells if c in there], loops, condition)
        return items

    def empty_list(self, part, below, where, cells, loops, error):
        """An empty list of modules leaves no name; then its count explains more than its presence."""
        if set(below.below) == {"#"} and not below.tensors:
            inner = self.numbers(below.below["#"], where + ("#",), cells, loops, True)
            if inner: return [Block(part, inner, None)]
        self.failures.append((".".join(where), str(error)))
        return []

    def child(self, name, node, path, cells, loops, condition):
        out = []
        if node.tensors:
            try: out += self.leaves(name, node.tensors, cells, loops, condition)
            except Unsolved as e: self.failures.append((".".join(path), str(e)))
        if node.below:
            inner = self.node(node, path, cells, loops)
            if inner: out.append(Block(name, inner, condition))
        return out

    def leaves(self, name, tensors, cells, loops, condition):
        cells = [c for c in cells if c in tensors]
        ranks, out = sorted({len(tensors[c][0]) for c in cells}), []
        for rank in ranks:
            mine = [c for c in cells if len(tensors[c][0]) == rank]
            when = condition
            if len(ranks) > 1:
                more = self.solver.condition(cells, [len(tensors[c][0]) == rank for c in cells], loops)
                when = " && ".join(c for c in (condition, more) if c) or None
            dims = [self.solver.number(mine, [tensors[c][0][d] for c in mine], loops) for d in range(rank)]
            copies = [tensors[c][2] is not None for c in mine]
            tied = "true" if all(copies) else self.solver.condition(mine, copies, loops) if any(copies) else None
            of = next((tensors[c][2] for c in mine if tensors[c][2]), None)
            out.append(Leaf(name, dims, when, tied, of and re.sub(r"\.\d+(?=\.)", ".#", of),
                            all(tensors[c][1] for c in mine), sorted({tensors[c][3] for c in mine})[0]))
        return out

    def numbers(self, node, path, cells, loops, may_be_empty=False):
        place, seen, inside = len(loops), {}, set(cells)
        for s, index in node.cells:
            if (s, index[:place]) in inside and len(index) == place + 1: seen.setdefault((s, index[:place]), set()).add(index[-1])
        every = sorted(set().union(*seen.values())) if seen else []
        if not every: return []
        own = list(cells) if may_be_empty else [c for c in cells if c in seen]
        same = len({frozenset(seen.get(c, ())) for c in own}) == 1 and len(own) == len(cells)
        if same and self.unlike(node, every, place): return self.one_by_one(node, path, every, cells, loops)
        noted = len(self.failures)
        try: out = self.loop(node, path, seen, own, loops)
        except Unsolved as e:
            del self.failures[noted:]
            if len(every) <= MOST: return self.one_by_one(node, path, every, cells, loops)
            self.failures.append((".".join(path), str(e)))
            return []
        failed = self.failures[noted:]
        if failed and len(every) <= MOST:
            del self.failures[noted:]
            other = self.one_by_one(node, path, every, cells, loops)
            if len(self.failures) - noted < len(failed): return other
            self.failures[noted:] = failed
        return out

    @staticmethod
    def unlike(node, every, place):
        """True if a list of constant length consists of different modules."""
        forms = [node.form(n, place) for n in every]
        common, union = set.intersection(*forms), set.union(*forms)
        gaps = every != list(range(every[0], every[-1] + 1))
        return gaps or len(every) == 1 or len(every) == 2 and forms[0] != forms[1] or len(common) < .6 * len(union)

    def loop(self, node, path, seen, own, loops):
        ends = {c: max(seen[c]) + 1 if c in seen else 0 for c in own}
        lows = {min(v) for v in seen.values()}
        low = lows.pop() if len(lows) == 1 else 0
        count = self.solver.number(own, [ends[c] for c in own], loops)
        var = VARS[len(loops)]
        loop = Loop(var, count if count.isdigit() else bracketed(count), ends)
        turns = [(s, i + (n,)) for s, i in own for n in range(low, ends[(s, i)])]
        if not turns: return []
        there = {c for c in node.cells if len(c[1]) == len(loops) + 1}
        condition = self.solver.condition(turns, [c in there for c in turns], loops + [loop])
        body = self.child("{" + var + "}", node, path, [c for c in turns if c in there], loops + [loop], condition)
        return [Turns(var, low, count, body)]

    def one_by_one(self, node, path, every, cells, loops):
        items, inside = [], set(cells)
        for n in every:
            sub, where = node.only(n, len(loops)), path[:-1] + (str(n),)
            for known in list(self.order):
                if known[:len(path)] == path: self.order.setdefault(where + known[len(path):], self.order[known])
            there = sub.cells & inside
            try: condition = self.solver.condition(cells, [c in there for c in cells], loops)
            except Unsolved as e: self.failures.append((".".join(where), str(e))); continue
            items += self.child(str(n), sub, where, [c for c in cells if c in there], loops, condition)
        return items
