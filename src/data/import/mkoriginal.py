#!/usr/bin/env python3
"""usage: mkoriginal.py NAME PATTERN CASES... [-- OTHERS...] > NAME.spec

Drafts a spec for models in single files, with the names of their authors or of ComfyUI, from all cases
whose `variant` begins with PATTERN. Each model is a row of its `choose`; a value that differs between rows
is a column. Repeated modules become loops, and sizes that differ between iterations become lists. The
names that identify such a file are those rarest in the other cases, and in OTHERS, whose `params` and
`buffers` are names.

CASES are the output of test/gen/original_tables.py: one case a line, with `variant`, `kind`, `tensors`
([name, shape]), `other_tensors` ([name, shape, type], integers) and `buffers`, those that are not
parameters. The output is a draft: edit it like any other spec, and judge it by its cases (test/truth/components/single.py).
"""
import json, re, sys
from collections import Counter

NUMBER = re.compile(r"\d+")


# ---- slots: a size in each variant, and in each iteration of the enclosing loops

def unify(a, b):
    """One slot with the values of both; it has None for a variant without a value. None if they differ."""
    if a[0] != b[0]: return None
    if a[0] == "v":
        if any(x is not None and y is not None and x != y for x, y in zip(a[1], b[1])): return None
        return ("v", tuple(y if x is None else x for x, y in zip(a[1], b[1])))
    if a[1] != b[1] or len(a[2]) != len(b[2]): return None
    items = [unify(x, y) for x, y in zip(a[2], b[2])]
    return None if None in items else ("s", a[1], items)


def collapse(slots, level):
    one = slots[0]
    for s in slots[1:]:
        one = one and unify(one, s)
    return one or ("s", level, slots)


# ---- the tree

class Node:
    def __init__(self, form, name, pres=0, dims=None, children=None, **more):
        self.form, self.name, self.pres, self.dims, self.children = form, name, pres, dims or [], children or []
        self.cond = None
        self.__dict__.update(more)

    def lines(self):
        return 1 if not self.children else sum(c.lines() for c in self.children)

    def key(self):
        if self.form == "loop": return ("loop", self.around, self.start, self.step, len(self.children))
        return (self.form, self.name, len(self.dims))

    def keys(self):
        """Keys of its children; their order distinguishes equal ones."""
        out, seen = [], Counter()
        for c in self.children:
            seen[c.key()] += 1
            out.append((c.key(), seen[c.key()]))
        return out


def leaves(model):
    """[(path, form, dims)] of a variant: modules instead of tensors where possible."""
    kinds = {n: (k, d) for n, d, k in model["tensors"]}
    out, done = [], set()
    for n, (k, d) in kinds.items():
        if n in done: continue
        stem, _, last = n.rpartition(".")
        if last in ("weight", "bias", "running_mean", "running_var", "num_batches_tracked") and stem + ".running_mean" in kinds and stem + ".weight" in kinds and stem + ".num_batches_tracked" in kinds:
            done.update(stem + s for s in (".weight", ".bias", ".running_mean", ".running_var", ".num_batches_tracked"))
            out.append((stem, "bn", d or kinds[stem + ".weight"][1]))
            continue
        bias = kinds.get(stem + ".bias")
        if last == "weight" and k == "p" and d:
            paired = bias and bias[0] == "p" and bias[1] == d[:1]
            embeds = re.search("embed|codebook|table", stem.rpartition(".")[2]) and not paired
            form = "conv" if len(d) > 2 else "lin" if len(d) == 2 else "norm" if paired or "norm" in stem.rpartition(".")[2] else None
            if form and stem and not embeds:
                if paired: done.add(stem + ".bias")
                out.append((stem, form + ("+" if paired else ""), d))
                continue
        weight = kinds.get(stem + ".weight", ("", []))
        if last == "bias" and k == "p" and weight[0] == "p" and weight[1][:1] == d and stem + ".weight" not in done:
            done.add(stem + ".weight")
            out.append((stem, ("conv" if len(weight[1]) > 2 else "lin" if len(weight[1]) == 2 else "norm") + "+", weight[1]))
            continue
        out.append((n, {"p": "raw", "f": "buf", "bn": "buf"}.get(k, "any"), d))
    return out


def tree(models):
    root = Node("block", "", (1 << len(models)) - 1)
    index = {}
    for v, model in enumerate(models):
        for path, form, dims in leaves(model):
            parts, node, at = path.split("."), root, ()
            for part in parts[:-1]:
                at += (part,)
                key = at + ("block",)
                if key not in index:
                    index[key] = Node("block", part)
                    node.children.append(index[key])
                node = index[key]
                node.pres |= 1 << v
            key = at + (parts[-1], form, len(dims))
            if key not in index:
                index[key] = Node(form, parts[-1], dims=[[None] * len(models) for _ in dims])
                node.children.append(index[key])
            leaf = index[key]
            leaf.pres |= 1 << v
            for i, d in enumerate(dims): leaf.dims[i][v] = d
    def close(n):
        n.dims = [("v", tuple(d)) for d in n.dims]
        for c in n.children:
            within(c, n.pres)
            close(c)
    close(root)
    return root


def merge(nodes, level, loose=False):
    """A node for all of them, as iterations of a loop at that level; None if they are not alike. Loose: up to
    a third of its lines may be in only some iterations."""
    out = join(nodes, level, loose, True)
    return out if out and (not loose or 3 * sometimes(out, level) <= out.lines()) else None


def sometimes(n, level):
    """Number of lines that only some iterations have."""
    if n.cond and of_level(n.cond, level): return n.lines()
    return sum(sometimes(c, level) for c in n.children)


def of_level(s, level): return s[0] == "s" and (s[1] == level or any(of_level(x, level) for x in s[2]))


def join(nodes, level, loose, top=False):
    first = nodes[0]
    if not top and any(n.key() != first.key() for n in nodes): return None
    out = Node(first.form, first.name)
    for n in nodes: out.pres |= n.pres
    out.cond = collapse([n.cond for n in nodes], level) if all(n.cond for n in nodes) else None
    if out.cond and out.cond[0] == "s" and not loose and any(n.cond[0] == "v" for n in nodes): return None
    if first.form == "loop":
        out.start, out.step, out.level, out.around = first.start, first.step, first.level, first.around
        out.count = collapse([n.count for n in nodes], level)
        for bodies in zip(*(n.children for n in nodes)):
            body = join(list(bodies), level, loose)
            if not body: return None
            out.children.append(body)
        return out
    out.dims = [collapse(list(slots), level) for slots in zip(*(n.dims for n in nodes))]
    keys = []
    for n in nodes:  # merges the orders of all
        last = -1
        for c, key in zip(n.children, n.keys()):
            if key in keys: last = keys.index(key)
            else:
                last += 1
                keys.insert(last, key)
    have = [dict(zip(n.keys(), n.children)) for n in nodes]
    for key in keys:
        some = next(h[key] for h in have if key in h)
        same = [h[key] if key in h else blank(some, n) for h, n in zip(have, nodes)]
        if any(c.form == "loop" for c in same) and len(same) > sum(key in h for h in have) and not loose: return None
        body = join(same, level, loose)
        if not body: return None
        out.children.append(body)
    return out


def blank(n, turn, top=True):
    """A copy without sizes, for an iteration that lacks the node."""
    none = lambda s: ("v", (None,) * len(s[1])) if s[0] == "v" else ("s", s[1], [none(x) for x in s[2]])
    out = Node(n.form, n.name, 0, [none(d) for d in n.dims], [blank(c, turn, False) for c in n.children])
    for k in ("start", "step", "level", "around"):
        if hasattr(n, k): setattr(out, k, getattr(n, k))
    if n.form == "loop": out.count = ("v", tuple(0 if turn.pres >> v & 1 else None for v in range(Node.variants))) if top else none(n.count)
    out.cond = n.cond and (("v", tuple(False if turn.pres >> v & 1 else None for v in range(Node.variants))) if top else none(n.cond))
    return out


def within(c, pres):
    """Restricts a node's condition to the variants that have its parent."""
    c.cond = ("v", tuple(bool(c.pres >> v & 1) if pres >> v & 1 else None for v in range(Node.variants)))


AROUND = re.compile(r"(\D*)(\d+)(\D*)")


def fold(node, level=0):
    for c in node.children: fold(c, level + 1)
    groups, order = {}, []
    for c in node.children:
        m = c.form != "loop" and AROUND.fullmatch(c.name)
        if m and (m[1] or m[3]) and (c.form != "block" or c.lines() < 3): m = None
        if not m or str(int(m[2])) != m[2]:
            order.append(c)
            continue
        around = (m[1], m[3])
        if around not in groups:
            groups[around] = {}
            order.append(around)
        group = groups[around]
        turn = group.setdefault(int(m[2]), Node("turn", c.name))
        turn.children.append(c)
        turn.pres |= c.pres
    node.children = []
    for c in order: node.children += [c] if isinstance(c, Node) else segments(groups[c], c, node, level)


def runs(turns, numbers, at, p, level, loose):
    """(iterations, bodies) of a loop that begins at `at` with p bodies in each; None if there is none."""
    if at + 2 * p > len(numbers): return None
    step, n = numbers[at + p] - numbers[at], 0
    while at + p * (n + 1) <= len(numbers):
        base = at + p * n
        now = turns[numbers[base]].pres
        if any(numbers[base + r] != numbers[at + r] + step * n or turns[numbers[base + r]].pres != now for r in range(p)): break
        if n and now & ~turns[numbers[base - p]].pres: break
        if n and not loose and any(merge([turns[numbers[at + r + p * t]] for t in sorted({0, n - 1, n})], level) is None for r in range(p)): break
        n += 1
    for n in range(n, 1, -1):
        bodies = [merge([turns[numbers[at + r + p * t]] for t in range(n)], level, loose) for r in range(p)]
        if None not in bodies: return n, bodies
    return None


def segments(turns, around, node, level):
    numbers, out, at = sorted(turns), [], 0
    for t in turns.values():
        for c in t.children:
            c.name = "." if c.form == "block" else ""
            within(c, t.pres)
    while at < len(numbers):
        best = None
        for loose in (False, True):
            for p in range(1, 5 if loose else 13):
                run = runs(turns, numbers, at, p, level, loose)
                if not run: continue
                n, bodies = run
                own = sum(b.lines() for b in bodies)
                if n == 2 and own == 1 and bodies[0].children[0].form != "block" and node_plain(bodies[0]): continue
                saved = own * (n - 1)
                if not best or saved > (best[0] * 1.3 + 3 if loose else best[0]): best = (saved, p, n, bodies)
        if not best:
            t = turns[numbers[at]]
            within(t, node.pres)
            t.name = around[0] + str(numbers[at]) + around[1]
            out.append(t)
            at += 1
            continue
        _, p, n, bodies = best
        count = tuple(sum(turns[numbers[at + p * t]].pres >> v & 1 for t in range(n)) if node.pres >> v & 1 else None for v in range(Node.variants))
        for r, b in enumerate(bodies): b.name, b.cond = numbers[at + r], None
        out.append(Node("loop", "", turns[numbers[at]].pres, children=bodies, start=numbers[at], step=numbers[at + p] - numbers[at], level=level,
                        around=around, count=("v", count), cond=None))
        at += p * n
    return out


def node_plain(body): return any(d[0] == "s" for c in body.children for d in c.dims)


# ---- writing

TAKEN = set("T opt empty int any e gguf i j k m n o kind product variant architecture null true false C row end let for if else or use in".split())


def word(text):
    text = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_").lower()
    return text if text and not text[0].isdigit() else "n" + text


class Writer:
    def __init__(self, models):
        self.models, self.n = models, len(models)
        self.columns, self.lists, self.names = [], [], set(TAKEN)  # [name, value by variant]
        self.out, self.depth = [], 0
        self.counts, self.counted = False, set()  # counted: columns that are numbers of iterations
        self.main, self.turns = None, {}  # by level: of the current loop, in any variant

    def emit(self, text): self.out.append(" " * self.depth + text)

    def named(self, base):
        name, k = base, 2
        while name in self.names:
            name, k = f"{base}{k}", k + 1
        self.names.add(name)
        return name

    def column(self, vec, hint):
        for c in self.columns:
            if (c[0] in self.counted) == self.counts and not any(isinstance(x, (list, bool)) for x in c[1]) and all(a is None or a == b for a, b in zip(vec, c[1])): return c[0]
        self.columns.append([self.named(hint), list(vec)])
        if self.counts: self.counted.add(self.columns[-1][0])
        return self.columns[-1][0]

    def vec(self, vec, hint):
        known = {x for x in vec if x is not None}
        if len(known) <= 1:
            x = known.pop() if known else 1
            return cell(x) if isinstance(x, bool) else self.fixed(x)
        if self.main and isinstance(self.main, tuple):
            pairs = [(x, y) for x, y in zip(vec, self.main) if x is not None]
            if all(y for _, y in pairs):
                if all(x and x % y == 0 for x, y in pairs) and len({x // y for x, y in pairs}) == 1:
                    k = pairs[0][0] // pairs[0][1]
                    if k <= 8: return "C" if k == 1 else f"{k}*C"
                if all(x and y % x == 0 for x, y in pairs) and len({y // x for x, y in pairs}) == 1 and pairs[0][1] // pairs[0][0] <= 16: return f"C/{pairs[0][1] // pairs[0][0]}"
        return self.column(vec, hint)

    def fixed(self, x):
        if isinstance(x, bool): return cell(x)
        if isinstance(self.main, int) and x >= self.main // 2:
            for k in (1, 2, 3, 4, 6, 8):
                if x == k * self.main: return "C" if k == 1 else f"{k}*C"
            if x * 2 == self.main: return "C/2"
        return str(x)

    def slot(self, slot, hint, loops):
        if slot[0] == "v": return self.vec(slot[1], hint)
        if len({s[0] for s in slot[2]}) > 1 and len(slot[2]) == 2:
            return f"({loops[slot[1]]}==0?{self.slot(slot[2][0], hint, loops)}:{self.slot(slot[2][1], hint, loops)})"
        levels = []
        s = slot
        def seek(s):
            if s[0] == "s":
                if s[1] not in levels: levels.append(s[1])
                for x in s[2]: seek(x)
        seek(s)
        levels.sort()
        def value(s, v, at):
            if s[0] == "v": return s[1][v]
            return value(s[2][at[s[1]]], v, at) if at.get(s[1], 0) < len(s[2]) else None
        sizes = {}
        def size(s):
            if s[0] == "s":
                sizes[s[1]] = max(sizes.get(s[1], 0), len(s[2]))
                for x in s[2]: size(x)
        size(s)
        for l in levels: sizes[l] = max(sizes[l], self.turns.get(l, 0))
        def table(v, rest, at):
            if not rest: return value(s, v, at)
            items = [table(v, rest[1:], {**at, rest[0]: i}) for i in range(sizes[rest[0]])]
            while items and items[-1] in (None, []): items.pop()
            return items
        by = [table(v, levels, {}) for v in range(self.n)]
        index = "".join(f"[{loops[l]}]" for l in levels)
        shown = [b for b in by if b not in (None, [])]
        # one list of which the others are prefixes
        longest = max(shown, key=lambda b: len(json.dumps(b)))
        if all(begins(b, longest) for b in shown):
            if len(levels) == 1 and all(isinstance(x, bool) for x in longest) and len({len(b) for b in shown}) == 1:
                var, n = loops[levels[0]], len(longest)
                for text, test in ((f"{var}>0", lambda i: i > 0), (f"{var}<{n - 1}", lambda i: i < n - 1), (f"{var}==0", lambda i: i == 0), (f"{var}=={n - 1}", lambda i: i == n - 1),
                                   (f"{var}%2==0", lambda i: i % 2 == 0), (f"{var}%2==1", lambda i: i % 2 == 1)):
                    if [test(i) for i in range(n)] == longest: return text
            elif len(levels) == 2 and all(isinstance(x, bool) for r in longest for x in r or [None]):
                one, two = (loops[l] for l in levels)
                for odd in (0, 1):
                    if all(x == ((i + j) % 2 == odd) for i, r in enumerate(longest) for j, x in enumerate(r)): return f"({one}+{two})%2=={odd}"
            elif len(levels) == 1 and None not in longest and len(longest) > 2 and not isinstance(longest[0], bool):
                steps = {b - a for a, b in zip(longest, longest[1:])}
                if len(steps) == 1:
                    var, d = loops[levels[0]], steps.pop()
                    return f"{longest[0]}{'+' if d > 0 else '-'}{abs(d)}*{var}" if longest[0] else f"{d}*{var}"
            if len(levels) == 1 and len(longest) > 1 and len(set(longest[1:])) == 1 and None not in longest: return f"({loops[levels[0]]}==0?{self.fixed(longest[0])}:{self.fixed(longest[1])})"
            if len(levels) == 1 and len(longest) > 1 and len(set(longest[:-1])) == 1 and None not in longest and len({len(b) for b in shown}) == 1:
                return f"({loops[levels[0]]}=={len(longest) - 1}?{self.fixed(longest[-1])}:{self.fixed(longest[0])})"
            for name, other in self.lists:
                if begins(longest, other): return name + index
            self.lists.append([self.named(hint + ("" if hint.endswith("s") else "s")), longest])
            return self.lists[-1][0] + index
        for c in self.columns:
            if all(a in (None, []) or a == b for a, b in zip(by, c[1])) and any(isinstance(x, list) for x in c[1]): return c[0] + index
        self.columns.append([self.named(hint + ("" if hint.endswith("s") else "s")), by])
        return self.columns[-1][0] + index

    def condition(self, cond, mask, hint, loops):
        """The test for what exists in only some variants or iterations; "" if it always exists."""
        if cond[0] == "v":
            want = cond[1]
            inside = [v for v in range(self.n) if mask >> v & 1 and want[v] is not None]
            if all(want[v] for v in inside): return ""
            for name, values in self.columns:
                if any(isinstance(values[v], list) for v in inside): continue
                if all(not isinstance(values[v], bool) for v in inside) and any(values[v] is None for v in inside):
                    if all((values[v] is not None) == want[v] for v in inside): return name + " != null"
                    if all((values[v] is None) == want[v] for v in inside): return name + " == null"
                elif all(isinstance(values[v], bool) for v in inside):
                    if all(values[v] == want[v] for v in inside): return name
                    if all(values[v] != want[v] for v in inside): return "!" + name
            self.columns.append([self.named("with_" + hint), [bool(x) for x in want]])
            return self.columns[-1][0]
        return self.slot(cond, "has_" + hint, loops)

    def find_main(self, root):
        count = Counter()
        def walk(n, times=1):
            for d in n.dims:
                if d[0] == "v": count[d[1]] += 1
            for c in n.children: walk(c)
        walk(root)
        vary = [(k, v) for k, v in count.items() if len({x for x in k if x is not None}) > 1 and None not in k]
        if vary and self.n > 1:
            self.main = max(vary, key=lambda kv: kv[1])[0]
            if max(vary, key=lambda kv: kv[1])[1] < 3: self.main = None
        if self.main is None:
            same = [(next(x for x in k if x is not None), v) for k, v in count.items() if len({x for x in k if x is not None}) == 1 and None not in k and next(x for x in k if x is not None) >= 16]
            if same:
                big = max(same, key=lambda kv: kv[1])
                if big[1] >= 4: self.main = big[0]
        if self.main: self.names.add("C")

    # names of a block are `path`, the place of a line in it

    def hint(self, words):
        text = word("_".join(str(w) for w in words if w and not NUMBER.fullmatch(str(w)) and "{" not in str(w) and w != ".") or "size")
        while len(text) > 20 and "_" in text: text = text[text.index("_") + 1:]
        return text

    def line(self, n, name, words, mask, loops, roles):
        words = [w for w in words if w]
        role = ".".join(x for x in (word(w) for w in words[-2:] if not NUMBER.fullmatch(str(w))) if x) or "layer"
        role = "t." + role
        k, base = 2, role
        while role in roles: role, k = f"{base}.{k}", k + 1
        roles.add(role)
        h = self.hint(words[-1:] if words and not NUMBER.fullmatch(str(words[-1])) else words)
        dims = [self.slot(d, h if i == 0 else h + "_in" if i == 1 else h + "_width", loops) for i, d in enumerate(n.dims)]
        form = n.form.rstrip("+")
        self.emit(" ".join([{"any": "buf"}.get(form, form), role, name, "-", *dims] + (["bias=true"] if n.form.endswith("+") else []) + (["any"] if form == "any" else [])))

    def test(self, nodes, mask, hint, loops, write):
        """Emits what `write` writes for the variants that have these nodes, inside their condition."""
        cond = nodes[0].cond
        inside = mask
        if cond:
            inside = sum(1 << v for v in range(self.n) if mask >> v & 1 and ever(cond, v))
        kept, self.out = self.out, []
        self.depth += 1
        write(inside)  # first, as the condition may read one of its sizes
        self.depth -= 1
        inner, self.out = self.out, kept
        condition = self.condition(cond, mask, hint, loops) if cond else ""
        if condition: self.emit("if " + condition)
        self.out += inner if condition else [line[1:] for line in inner]
        if condition: self.emit("end")

    def body(self, children, path, words, mask, loops, roles):
        """`path` is a prefix that is not yet written."""
        at = 0
        while at < len(children):
            end = at + 1
            while end < len(children) and children[at].cond and children[end].cond == children[at].cond: end += 1
            group = children[at:end]
            first = str(group[0].name) if group[0].form != "loop" else group[0].around[0]
            hint = self.hint([first] if re.search("[A-Za-z]{2}", first) else [*words[-1:], first])
            def write(inside):
                for n in group: self.node(n, path, words, inside, loops, roles)
            self.test(group, mask, hint, loops, write)
            at = end

    def node(self, n, path, words, mask, loops, roles):
        if n.form == "loop":
            var = "ijkmno"[len(loops)]
            base = [w for w in [*words, n.around[0].strip("_.")] if w]
            h = self.hint(base[-1:]) if base else "layers"
            self.counts = True
            count = self.slot(n.count, h if h.endswith("s") else h + "s" if h != "size" else "layers", loops)
            self.counts = False
            self.emit(f"for {var} in 0 .. {count}")
            self.depth += 1
            self.turns[n.level] = most(n.count)
            roles2 = set()
            for b in n.children:
                text = var if n.step == 1 else f"{n.step}*{var}"
                if b.name: text += f"+{b.name}"
                self.turn(b, f"{path}{n.around[0]}{{{text}}}{n.around[1]}", base, mask & b.pres, {**loops, n.level: var}, roles2)
            self.depth -= 1
            self.emit("end")
        elif n.form == "turn": self.turn(n, path + n.name, words, mask, loops, roles)
        elif n.form == "block": self.block(n, path + n.name + ".", words + [n.name], mask, loops, roles)
        else: self.line(n, path + n.name, words + [n.name], mask, loops, roles)

    def turn(self, b, path, words, mask, loops, roles):
        for c in b.children:
            self.test([c], mask, self.hint(words[-1:]), loops, lambda inside: self.one(c, path, words, inside, loops, roles))

    def one(self, c, path, words, mask, loops, roles):
        if c.form == "block": self.block(c, path + ".", words, mask, loops, roles)
        else: self.line(c, path, words, mask, loops, roles)

    def block(self, n, path, words, mask, loops, roles):
        if len(n.children) == 1 or n.lines() == 1: return self.body(n.children, path, words, mask, loops, roles)
        if len(n.children) <= 2 and all(not c.children for c in n.children): return self.body(n.children, path, words, mask, loops, roles)
        self.emit(f"prefix {path} -")
        self.depth += 1
        self.body(n.children, "", words, mask, loops, set())
        self.depth -= 1
        self.emit("end")


def most(s): return max(x or 0 for x in s[1]) if s[0] == "v" else max(map(most, s[2]))


def ever(s, v): return bool(s[1][v]) if s[0] == "v" else any(ever(x, v) for x in s[2])


def begins(a, b):
    """True if a is a prefix of b; None matches anything."""
    if a is None: return True
    if isinstance(a, list) != isinstance(b, list): return b is None
    if not isinstance(a, list): return a == b
    return len(a) <= len(b) and all(begins(x, y) for x, y in zip(a, b))


# ---- identifying the rows

def probes(models):
    """(expression, values by variant, name) that differ between variants: sizes of tensors that each variant
    has once or not at all."""
    dims = {}
    for v, m in enumerate(models):
        for name, d, k in m["tensors"]:
            if k == "bnt": continue
            dims.setdefault(name, [None] * len(models))[v] = (d, k)
    out = []
    for name, by in dims.items():
        rank = max(len(b[0]) for b in by if b)
        for axis in range(rank):
            vec = [b[0][axis] if b and axis < len(b[0]) else None for b in by]
            if len(set(vec)) > 1: out.append((f'dim("{name}",{axis})', vec, {name}, by[[i for i, b in enumerate(by) if b][0]][1] != "p"))
    return out


def counted(models):
    """(expression, values) of layers()."""
    out, seen, asked = [], {}, {}
    for v, m in enumerate(models):
        for name, d, k in m["tensors"]:
            if k != "p": continue
            for hit in re.finditer(r"(?<=\.)\d+(?=\.)", name):
                pattern = name[:hit.start()] + "#" + name[hit.end():]
                vec = seen.setdefault(pattern, [0] * len(models))
                vec[v] = max(vec[v], int(hit[0]) + 1)
                asked.setdefault(pattern, set()).add(name)
    for pattern, vec in seen.items():
        if all(vec) and len(set(vec)) > 1: out.append((f'layers("{pattern}")', vec, asked[pattern], False))
    return out


APART = 3  # number of values in which two rows differ, so that one wrong value does not hide the row


def tell(models, columns):
    """The expressions that show each column, by its name, with additional columns for that purpose only,
    until any two rows differ in APART values."""
    pool = sorted(probes(models) + counted(models), key=lambda x: (x[3], x[0].count("."), len(x[0])))
    told, used, rows = {}, set(), [[] for _ in models]
    names = [{t[0] for t in m["tensors"]} for m in models]
    every = sorted({t[0] for m in models for t in m["tensors"] if t[2] == "p"}, key=lambda n: (n.count("."), len(n), n))

    def add(name, expression, vec, tensor):
        told.setdefault(name, []).append(expression)
        used.update(tensor)
        for v, r in enumerate(rows): r.append(vec[v])

    def short(): return [(a, b) for a in range(len(rows)) for b in range(a) if sum(x != y for x, y in zip(rows[a], rows[b])) < APART]

    for times in range(APART):
        for name, values in columns:
            if times and not any(values[a] != values[b] for a, b in short()): continue
            if all(isinstance(x, bool) for x in values):
                hit = next((n for n in every if n not in used and [n in s for s in names] == values), None)
                if hit: add(name, f'has("{hit}")', values, {hit})
                continue
            hit = next((p for p in pool if not p[2] & used and p[1] == values), None)
            if hit: add(name, hit[0], values, hit[2])
    more = []
    while len(more) < 6 and short():
        def gain(p): return sum(p[1][a] != p[1][b] for a, b in short())
        best = max((p for p in pool if not p[2] & used), key=gain, default=None)
        if not best or not gain(best): best = max((p for p in pool if p[0] not in sum(told.values(), []) and p[0] not in sum((m[1] for m in more), [])), key=gain, default=None)
        if not best or not gain(best): break
        more.append([best[1], []])
        for again in range(APART):
            hit = best if not again else next((p for p in pool if not p[2] & used and p[1] == best[1]), None)
            if not hit or not any(best[1][a] != best[1][b] for a, b in short()): break
            more[-1][1].append(hit[0])
            used.update(hit[2])
            for v, r in enumerate(rows): r.append(hit[1][v])
    return told, more


def shows(expressions):
    return "" if not expressions else "=" + expressions[0] if len(expressions) == 1 else "=[" + ",".join(expressions) + "]"


def cell(x):
    if x is None: return "null"
    if isinstance(x, bool): return "true" if x else "false"
    if isinstance(x, list): return "[" + ",".join(map(cell, x)) + "]"
    if isinstance(x, str): return json.dumps(x, ensure_ascii=False)
    return str(x)


def wrap(text, most=180):
    """Splits a line that is too long, between words, with backslashes."""
    if len(text) <= most: return [text]
    words, lines, line = re.findall(r'(?:"[^"]*"|[^\s"])+', text), [], ""
    pad = " " * (len(text) - len(text.lstrip()) + 2)
    for w in words:
        if line and len(line) + len(w) + 3 > most:
            lines.append(line + " \\")
            line = pad + w
        else: line = (line + " " + w) if line else " " * (len(text) - len(text.lstrip())) + w
    return lines + [line]


def spec(name, note, models, match):
    models = sorted(models, key=lambda m: -len(m["tensors"]))  # of equally near rows the first wins: files rather lack a tensor than have one too many
    Node.variants = len(models)
    root = tree(models)
    fold(root)
    w = Writer(models)
    w.find_main(root)
    if isinstance(w.main, tuple): w.columns.append(["C", list(w.main)])
    w.body(root.children, "", [], root.pres, {}, set())
    text = [f"# {note}", f"arch {name}"]
    for line in match: text.append("match hf tensors in " + " ".join(line))
    if len(models) > 1:
        told, more = tell(models, w.columns)
        head, cols = [], []
        called = [m["variant"] for m in models]
        head.append('variant=cfg("variant")')
        cols.append(called)
        products = [m.get("product") for m in models]
        if any(products):
            head.append("product")
            cols.append(products)
        kinds = [m["kind"] for m in models]
        for cname, values in w.columns:
            head.append(cname + shows(told.get(cname, [])))
            cols.append(values)
        for vec, expressions in more:
            head.append("_" + shows(expressions))
            cols.append(vec)
        if len(set(kinds)) > 1:
            head.append("kind")
            cols.append(kinds)
        cells = [[cell(c[v]) for c in cols] for v in range(len(models))]
        wide = [max(len(r[i]) for r in cells) for i in range(len(cols))]
        text += wrap("choose " + " ".join(head))
        for r in cells:
            plain = " row " + " ".join(x.ljust(n) for x, n in zip(r, wide)).rstrip()
            text += [plain] if len(plain) <= 180 else wrap(plain)
        text.append("end")
        if len(set(kinds)) == 1: text.append("let kind = " + cell(kinds[0]))
    else:
        m = models[0]
        text.append("let kind = " + cell(m["kind"]))
        if m.get("product"): text.append("let product = " + cell(m["product"]))
        text.append("let variant = " + cell(m["variant"]))
        text += [f"let {n} = {cell(v[0])}" for n, v in w.columns]
    if isinstance(w.main, int) and any(re.search(r"(?<![A-Za-z_])C(?![A-Za-z_0-9])", l.split(" - ", 1)[-1]) for l in w.out if " - " in l or l.strip().startswith("for")): text.append(f"let C = {w.main}")
    for n, v in w.lists: text += wrap(f"let {n} = " + cell(v).replace(",", ", "))
    for l in w.out: text += wrap(l)
    return "\n".join(text) + "\n", w


# ---- identifying the file

NAMES = 6  # in a line; with this many, one may be missing


def match(models, others):
    """Names of different kinds that all models have and the others lack; then names that the others have and
    no model has."""
    common = set.intersection(*({t[0] for t in m["tensors"] if t[2] == "p"} for m in models))
    every = {t[0] for m in models for t in m["tensors"]}
    order = [t[0] for t in models[0]["tensors"] if t[0] in common]
    others = [o for o in others if o & common]
    lacks, picked = [0] * len(others), []
    while len(picked) < min(NAMES, len(order)):
        kinds = {NUMBER.sub("#", p) for p in picked}
        best = max((n for n in order if n not in picked), key=lambda n: (sum(n not in o and k < 2 for o, k in zip(others, lacks)), NUMBER.sub("#", n) not in kinds,
                                                                         not n.endswith("weight"), -n.count("."), -len(n)))
        picked.append(best)
        lacks = [k + (best not in o) for o, k in zip(others, lacks)]
    nots = []
    while True:
        like = [o for o in others if sum(p in o for p in picked) >= len(picked) - 1 and not o & set(nots)]
        count = Counter(n for o in like for n in o - every)
        if not count: break
        nots.append(max(count, key=lambda n: (count[n], -len(n), n)))
    # "model." before all names would count as a wrapper
    return [[re.sub(r"^model\.model\.", "model.", n) for n in order if n in picked] + ["!" + n for n in nots]]


# ---- cases

TOGETHER = ("diffusion model", "VAE", "text encoder")


def product(case):
    """Its id in src/data/products, if single files contain it together with others."""
    if case["kind"] not in TOGETHER: return None
    called = case["variant"].lower().removesuffix(" encoder" if case["kind"] == "text encoder" else "").replace("'", "")
    return re.sub(r"[^a-z0-9.]+", "-", called).strip("-")


def model_of(case):
    kept, whole = set(case["buffers"]), {t[0] for t in case["other_tensors"]}
    kind = lambda n: "p" if n not in kept else "any" if n in whole else "f"
    return {"variant": case["variant"], "kind": case["kind"], "product": product(case),
            "tensors": [(n, dims, kind(n)) for n, dims in (t[:2] for t in case["tensors"] + case["other_tensors"])]}


def main():
    name, pattern, *paths = sys.argv[1:]
    at = paths.index("--") if "--" in paths else len(paths)
    read = lambda paths: (json.loads(line) for path in paths for line in open(path))
    models, others = [], [set(case["params"]) | set(case["buffers"]) for case in read(paths[at + 1:])]
    for case in read(paths[:at]):
        if re.match(pattern, case["variant"]): models.append(model_of(case))
        else: others.append({t[0] for t in case["tensors"]})
    called = dict.fromkeys(re.sub(r" x\d$", "", m["variant"]) for m in models)
    print(spec(name, ", ".join(called) + ", in the names of their authors' files. Source: TODO", models, match(models, others))[0], end="")


if __name__ == "__main__": main()
