"""Finds an expression of the spec language for a size, a count or a presence that holds in every sample.

A cell is an observed place: the number of a sample and the indices of the enclosing loops. The search
enumerates terms, cheap ones first: keys that matter (first those whose change alone changed the value,
then others), items of lists, products, quotients, and results of int(), round() and MobileNet's rule for a
factor. The signature of a vector of values is its differences divided by their common divisor; two vectors
with equal signatures are equal up to a factor and a constant. So one look-up finds a single term, and one
look-up for what each term leaves finds a sum of two. If no sum fits, a condition splits the cells so that
each side has a simple answer. Conditions are sets of cells, as bits: one predicate, or two or three
combined.

Every answer holds in all samples. Answers that hold by chance are avoided in three ways: a part of a split
must explain more than it costs, constants cost, and the caller judges the result on draws that were not
seen.
"""
import collections
import dataclasses
import itertools
import math
import random
import re
import time

from terms import Term, Terms, bracketed, compare, divisible, isint, ref, scaled

WORST = 8.0  # a single term that costs more explains nothing
MOST = 240   # limit of cells searched; the judge finds out whether the answer holds for the others

Predicate = collections.namedtuple("Predicate", "text bits cost")


class Unsolved(Exception):
    pass


@dataclasses.dataclass
class Loop:
    var: str
    text: str   # number of iterations
    ends: dict  # the same as a number, by the enclosing cell


class Solver:
    def __init__(self, samples, relevant, own=lambda key: True, seconds=10.0):
        self.samples, self.relevant, self.own, self.seconds = samples, set(relevant), own, seconds
        self.columns, self.memo = {}, {}
        self.recent = []
        self.changed = {}
        for i, s in enumerate(samples):
            before = samples[s.ref].env
            self.changed[i] = {k for k in set(before) | set(s.env) if before.get(k) != s.env.get(k)}

    # ---- what matters

    def column(self, key):
        if key not in self.columns: self.columns[key] = [s.env.get(key) for s in self.samples]
        return self.columns[key]

    def price(self, key):
        return 0 if self.own(key) else .6

    def support(self, cells, values):
        """(keys whose change alone changed the value, keys changed with them, places of indices that matter)"""
        at = dict(zip(cells, values))
        direct, beside, places, by = set(), set(), set(), {}
        for (s, index), value in at.items():
            sample = self.samples[s]
            before = at.get((sample.ref, index)) if sample.keys else None
            if before is not None and before != value:
                direct |= sample.keys
                beside |= self.changed[s]
            by.setdefault(s, {})[index] = value
        for seen in by.values():
            for k in range(len(cells[0][1])):
                groups = {}
                for index, value in seen.items(): groups.setdefault(index[:k] + index[k + 1:], set()).add(value)
                if any(len(g) > 1 for g in groups.values()): places.add(k)
        return direct, beside - direct, sorted(places)

    @staticmethod
    def thin(cells, values, places):
        """One cell for each sample and each combination of the indices that matter; others repeat it."""
        seen = {}
        for c, v in zip(cells, values): seen.setdefault((c[0], *(c[1][k] for k in places)), (c, v))
        some = list(seen.values())
        if len(some) > MOST:  # the latest samples are former misses
            some = random.Random(0).sample(some[:-MOST // 3], MOST - MOST // 3) + some[-MOST // 3:]
        return [c for c, _ in some], [v for _, v in some]

    def tick(self):
        if time.process_time() > self.deadline: raise Unsolved("search over time")

    def remembered(self, key, search):
        if key not in self.memo:
            self.deadline = time.process_time() + self.seconds
            try: self.memo[key] = search()
            except Unsolved as e: self.memo[key] = e
        answer = self.memo[key]
        if isinstance(answer, Unsolved): raise answer
        return answer

    # ---- sizes and counts

    def number(self, cells, values, loops):
        if len(set(values)) == 1: return str(values[0])
        return self.remembered(("number", tuple(cells), tuple(values)),
                               lambda: self.search(cells, values, loops, 0))

    def search(self, cells, values, loops, depth):
        direct, beside, places = self.support(cells, values)
        cells, values = self.thin(cells, values, places)
        if len(set(values)) == 1: return str(values[0])
        lists = {k for k in self.relevant if isinstance(self.samples[0].env.get(k), tuple)}
        tries = [direct, direct | beside] if direct else [lists]
        tries += [direct | beside | set(self.recent[:8]), direct | beside | self.relevant]
        done = []
        for keys in tries:
            keys = set(sorted(keys, key=self.price)[:16])
            if keys in done: continue
            done.append(keys)
            text = self.try_keys(cells, tuple(values), keys, loops, places, depth)
            if text:
                self.remember_keys(text)
                return text
        raise Unsolved(f"no expression of {sorted(direct)[:6]} for {sorted(set(values))[:8]}")

    def remember_keys(self, text):
        for key in {part.split("⟧")[0] for part in text.split("⟦")[1:]}:
            if key in self.recent: self.recent.remove(key)
            self.recent.insert(0, key)

    def try_keys(self, cells, values, keys, loops, places, depth):
        atoms = self.atoms(cells, keys, loops, places)
        terms = self.monomials(cells, atoms, keys, loops, places)
        one = terms.line(values)
        if one and one[0] < WORST: return one[1]
        if len(keys) < 6 and not places:
            self.longer(terms, atoms)
            one = terms.line(values)
            if one and one[0] < WORST: return one[1]
        if depth < 2:
            text = self.split(cells, values, keys, loops, places, depth, False)
            if text: return text
        if len(keys) >= 6 or places: self.longer(terms, atoms)
        one = terms.line(values)
        if one and one[0] < WORST + 2: return one[1]
        text = self.sum(terms, values)
        if not text and depth < 2: text = self.split(cells, values, keys, loops, places, depth, True)
        return text

    def simple(self, cells, values, loops, wide):
        """A constant or one term; products and quotients only if `wide`. None if there is none."""
        if len(set(values)) == 1: return str(values[0])
        key = ("simple", wide, tuple(cells), tuple(values))
        if key not in self.memo: self.memo[key] = self.simple_search(cells, values, loops, wide)
        return self.memo[key]

    def simple_search(self, cells, values, loops, wide):
        direct, beside, places = self.support(cells, values)
        cells, values = self.thin(cells, values, places)
        lists = {k for k in self.relevant if isinstance(self.samples[0].env.get(k), tuple)} if places else set()
        for keys in (direct, direct | beside, direct | beside | lists, self.relevant if not direct else set()):
            if not keys and not places: continue
            keys = set(sorted(keys, key=self.price)[:16])
            atoms = self.atoms(cells, keys, loops, places)
            if wide: terms = self.monomials(cells, atoms, keys, loops, places)
            else:
                terms = Terms()
                for t in atoms: terms.put(*t)
            one = terms.line(tuple(values))
            if one and one[0] < WORST: return one[1]
        return None

    def atoms(self, cells, keys, loops, places):
        out = []
        for key in sorted(keys):
            column = self.column(key)
            values = [column[c[0]] for c in cells]
            kinds = {type(v) for v in values}
            if kinds == {int}: out.append(Term(ref(key), tuple(values), 1 + self.price(key), frozenset([key])))
            elif tuple in kinds and kinds <= {tuple, int}: out += self.of_list(key, values, cells, loops, places)
        for key in sorted(keys):
            values = [self.column(key)[c[0]] for c in cells]
            if {type(v) for v in values} == {int, type(None)}: out += self.or_else(key, values, out)
        out = [t for t in out if all(isint(v) for v in t.values)]
        return sorted(out, key=lambda t: t.cost)[:28]

    def or_else(self, key, values, atoms):
        """`x ?? y`, where y is an atom, or a multiple or a quotient of atoms."""
        wholes = [t for t in atoms if "[" not in t.text][:8]
        others = [(t.text, t.values, t.cost) for t in wholes]
        others += [(f"{n}*{t.text}", [n * v for v in t.values], t.cost + 1) for t in wholes for n in (2, 4)]
        for a, b in itertools.permutations(wholes, 2):
            if all(y and x % y == 0 for x, y in zip(a.values, b.values)):
                others.append((f"{a.text}/{b.text}", [x // y for x, y in zip(a.values, b.values)], a.cost + b.cost))
        return [Term(f"({ref(key)} ?? {text})", tuple(o if v is None else v for v, o in zip(values, other)), cost + 1.5,
                     frozenset([key])) for text, other, cost in others]

    def of_list(self, key, values, cells, loops, places):
        out, text, price = [], ref(key), self.price(key)

        def element(value, i):
            if isint(value): return value
            return value[i] if -1 < i < len(value) and isint(value[i]) else None

        def put(what, got, cost):
            if all(isint(g) for g in got): out.append(Term(what, tuple(got), cost + price, frozenset([key])))

        for k in places:
            var = loops[k].var
            for d, shown in ((0, var), (-1, var + "-1"), (1, var + "+1")):
                put(f"{text}[{shown}]", [element(v, c[1][k] + d) for v, c in zip(values, cells)], 1.2 + abs(d) * .3)
            if all(isinstance(v, tuple) for v in values):
                put(f"{text}[len({text})-1-{var}]", [element(v, len(v) - 1 - c[1][k]) for v, c in zip(values, cells)], 2.4)
                put(f"sum({text},{var})", [sum(v[:c[1][k]]) if all(map(isint, v)) and c[1][k] <= len(v) else None
                                           for v, c in zip(values, cells)], 2.2)
        for i in range(6): put(f"{text}[{i}]", [element(v, i) for v in values], 1.5 + i * .1)
        if all(isinstance(v, tuple) for v in values):
            put(f"len({text})", [len(v) for v in values], 1.6)
            for i in (1, 2, 3): put(f"{text}[len({text})-{i}]", [element(v, len(v) - i) for v in values], 1.6 + i * .2)
            if all(len(v) == 3 and all(map(isint, v)) for v in values):
                put(f"{text}[0]*{text}[1]*{text}[2]", [math.prod(v) for v in values], 2.3)
            put(f"sum({text})", [sum(v) if all(map(isint, v)) else None for v in values], 2.6)
            put(f"max({text})", [max(v) if v and all(map(isint, v)) else None for v in values], 2.5)
        return out

    def monomials(self, cells, atoms, keys, loops, places):
        terms = Terms()
        for t in atoms: terms.put(*t)
        powers = self.indices(terms, cells, atoms, loops, places)
        base = atoms + powers
        self.factors(terms, cells, base, keys)
        for a, b in itertools.combinations_with_replacement(base, 2):
            terms.put(f"{bracketed(a.text)}*{bracketed(b.text)}", [x * y for x, y in zip(a.values, b.values)],
                      a.cost + b.cost, a.keys | b.keys)
        self.quotients(terms, base)
        return terms

    @staticmethod
    def indices(terms, cells, atoms, loops, places):
        """The loop variables, and powers of two of them and of lengths."""
        powers = []
        for k in places:
            turns = [c[1][k] for c in cells]
            if max(turns) > 12: continue
            terms.put(loops[k].var, turns, 1)
            powers.append(Term(f"pow(2, {loops[k].var})", tuple(2 ** i for i in turns), 1.8, frozenset()))
        for t in atoms:
            if t.text.startswith("len(") and 1 <= min(t.values) and max(t.values) <= 8:
                powers.append(Term(f"pow(2, {t.text}-1)", tuple(2 ** (v - 1) for v in t.values), t.cost + 1.5, t.keys))
        for t in powers: terms.put(*t)
        return powers

    def factors(self, terms, cells, base, keys):
        """Results of int, round, ceil and MobileNet's rule for a factor of the configuration and a size."""
        rules = (("mul({},{})", lambda f, n: int(f * n), 1), ("round({},{})", lambda f, n: round(f * n), 1.3),
                 ("ceil({},{})", lambda f, n: math.ceil(f * n), 1.4),
                 ("divisible({},{},8)", lambda f, n: divisible(f, n, 8), 1.6))
        products = [Term(f"{bracketed(a.text)}*{bracketed(b.text)}", tuple(x * y for x, y in zip(a.values, b.values)),
                         a.cost + b.cost, a.keys | b.keys) for a in base for b in base if b.text.startswith("pow(")]
        whole = [t for t in base if "[" not in t.text and not t.text.startswith("pow(")][:5]
        products += [Term(f"{a.text}*{b.text}", tuple(x * y for x, y in zip(a.values, b.values)), a.cost + b.cost, a.keys | b.keys)
                     for a, b in itertools.combinations(whole, 2)]
        for key in keys:
            column = self.column(key)
            factors = [column[c[0]] for c in cells]
            if not any(isinstance(f, float) for f in factors): continue
            if not all(isinstance(f, (int, float)) for f in factors): continue
            for t, (shown, rule, cost) in itertools.product(base + products, rules):
                terms.put(shown.format(ref(key), t.text), [rule(f, n) for f, n in zip(factors, t.values)],
                          t.cost + cost, t.keys | {key})

    @staticmethod
    def quotients(terms, base):
        for a, b in itertools.permutations(base, 2):
            if min(b.values) < 1: continue
            floor = [x // y for x, y in zip(a.values, b.values)]
            cost, keys = a.cost + b.cost, a.keys | b.keys
            if all(x % y == 0 for x, y in zip(a.values, b.values)):
                terms.put(f"{bracketed(a.text)}/{bracketed(b.text)}", floor, cost + .1, keys)
                continue
            terms.put(f"floor_div({a.text},{b.text})", floor, cost + .4, keys)
            terms.put(f"max(floor_div({a.text},{b.text}),1)", [max(f, 1) for f in floor], cost + .8, keys)
            terms.put(f"ceil_div({a.text},{b.text})", [-(-x // y) for x, y in zip(a.values, b.values)], cost + .5, keys)
        for a, n in itertools.product(base, (2, 3, 4, 8, 16, 32)):
            if any(x % n for x in a.values):
                terms.put(f"floor_div({a.text},{n})", [x // n for x in a.values], a.cost + .9, a.keys)
                terms.put(f"ceil_div({a.text},{n})", [-(-x // n) for x in a.values], a.cost + 1, a.keys)

    def longer(self, terms, atoms):
        """Products of three, products of quotients (patches), and output lengths of convolutions."""
        few = atoms[:10]
        for t in list(terms.list):
            if not ("/" in t.text or "*" in t.text or "_div" in t.text) or t.cost > 6: continue
            for a in few:
                terms.put(f"{t.text}*{bracketed(a.text)}", [x * y for x, y in zip(t.values, a.values)], t.cost + a.cost,
                          t.keys | a.keys)
            self.tick()
        for a, b, c in itertools.permutations(atoms[:6], 3):
            if min(c.values) > 0:
                terms.put(f"floor_div({a.text}-{bracketed(b.text)},{c.text})",
                          [max(x - y, 0) // z for x, y, z in zip(a.values, b.values, c.values)],
                          a.cost + b.cost + c.cost + .3, a.keys | b.keys | c.keys)
        quotients = sorted((t for t in terms.list if "_div" in t.text or "/" in t.text), key=lambda t: t.cost)[:40]
        for a, b in itertools.combinations_with_replacement(quotients, 2):
            terms.put(f"{bracketed(a.text)}*{bracketed(b.text)}", [x * y for x, y in zip(a.values, b.values)],
                      a.cost + b.cost - 1.6, a.keys | b.keys)

    def sum(self, terms, values):
        """Two terms and a constant; then three."""
        first = sorted(terms.list, key=lambda t: t.cost)
        best = self.sum_of(terms, [((t,), t.values) for t in first[:240]], values)
        if best: return best
        pairs = itertools.product(itertools.combinations(first[:24], 2), (1, 2, 3), (1, 2, 3))
        return self.sum_of(terms, [((a, b), [m * x + n * y for x, y in zip(a.values, b.values)], m, n)
                                   for (a, b), m, n in pairs], values)

    def sum_of(self, terms, starts, values):
        best = None
        for start in starts:
            self.tick()
            for n in (1, 2, 3, 4, -1, -2) if len(start) == 2 else (1,):
                rest = terms.line(tuple(v - n * x for v, x in zip(values, start[1])))
                if not rest: continue
                parts = list(zip(start[0], (n,) if len(start) == 2 else start[2:]))
                cost = rest[0] + sum(t.cost + (abs(m) > 1) * .6 + (m < 0) * .4 for t, m in parts)
                if cost < 12 and (best is None or cost < best[0]): best = (cost, self.added(parts, rest[1]))
        return best and best[1]

    @staticmethod
    def added(parts, rest):
        parts = sorted(parts, key=lambda p: p[1] < 0)
        out = rest if rest.startswith("-") is False else ""
        tail = "" if out else " - " + rest[1:]
        for t, m in parts:
            piece = scaled(t.text, abs(m), 1)
            out = out + (" - " if m < 0 else " + ") + piece if out else piece
        return out + tail

    # ---- answers on both sides of a condition

    def split(self, cells, values, keys, loops, places, depth, deep):
        """First items and constants on both sides, then such a split on one of them, then products, then
        anything."""
        ways = ("any",) if deep else ("plain", "nested", "wide")
        for way in ways:
            text = self.split_by(cells, values, keys, loops, depth, way)
            if text: return text
        return None

    def split_by(self, cells, values, keys, loops, depth, way):
        whole, best, seen = (1 << len(cells)) - 1, None, set()
        for t in sorted(self.predicates(cells, keys, loops, None), key=lambda p: p.cost):
            if t.bits in (0, whole) or t.bits in seen or whole ^ t.bits in seen: continue
            seen.add(t.bits)
            self.tick()
            if len(seen) > dict(plain=80, nested=40).get(way, 16): break
            sides = [[i for i in range(len(cells)) if (t.bits >> i & 1) == bit] for bit in (1, 0)]
            found = self.sides(cells, values, sides, keys, loops, depth, way)
            if not found: continue
            if found[0] == found[1]: return found[0]
            cost = sum(len(re.sub("⟦.{9,}?⟧", "⟦12345678⟧", side)) for side in found) + t.cost * 4
            cost += sum(self.thinness(cells, values, side) for side in sides)
            if cost < 90 and (best is None or cost < best[0]): best = (cost, f"({t.text} ? {found[0]} : {found[1]})")
        return best and best[1]

    @staticmethod
    def thinness(cells, values, side):
        """Penalty for a side with few points, which explains nothing."""
        seen = {values[i] for i in side}
        few = len(seen) > 1 and len(side) < 4
        alone = len({cells[i][0] for i in side}) <= 2 and max(seen) > 8
        return 60 * (few or alone)

    def sides(self, cells, values, sides, keys, loops, depth, way):
        parts = [([cells[i] for i in side], [values[i] for i in side]) for side in sides]
        found = [self.simple(c, v, loops, way in ("wide", "any")) for c, v in parts]
        if all(found): return found
        if way in ("plain", "wide") or not any(found): return None
        i = found.index(None)
        if way == "nested": found[i] = self.split_by(*parts[i], keys, loops, depth + 1, "plain")
        else:
            try: found[i] = self.search(*parts[i], loops, depth + 1)
            except Unsolved: return None
        return found if all(found) else None

    # ---- conditions

    def condition(self, cells, truth, loops):
        """None if it always holds."""
        if all(truth): return None
        return self.remembered(("condition", tuple(cells), tuple(truth)),
                               lambda: self.condition_search(cells, [bool(t) for t in truth], loops))

    def condition_search(self, cells, truth, loops):
        if not any(truth): return "false"
        direct, beside, places = self.support(cells, truth)
        cells, truth = self.thin(cells, truth, places)
        want = sum(1 << i for i, t in enumerate(truth) if t)
        words = {k for k in self.relevant if not isint(self.samples[0].env.get(k))}
        for keys in (direct, direct | beside, direct | beside | words, direct | beside | self.relevant):
            text = self.joined(self.predicates(cells, keys, loops, truth), want, (1 << len(cells)) - 1)
            if text: return text
        raise Unsolved(f"no condition of {sorted(direct)[:6]}, true in {sum(truth)} of {len(truth)}")

    def joined(self, predicates, want, whole):
        best = {}
        for p in predicates:
            if p.bits not in (0, whole) and (p.bits not in best or p.cost < best[p.bits].cost): best[p.bits] = p
        if want in best: return best[want].text
        some = sorted(best.values(), key=lambda p: p.cost)[:400]
        wider = [p for p in some if p.bits & want == want]
        narrower = [p for p in some if p.bits | want == want]
        for count, limit in ((2, 200), (3, 50)):
            found = []
            for some_of, sign, combine in ((wider, " && ", lambda a, b: a & b), (narrower, " || ", lambda a, b: a | b)):
                for group in itertools.combinations(some_of[:limit], count):
                    bits = group[0].bits
                    for p in group[1:]: bits = combine(bits, p.bits)
                    if bits == want:
                        text = sign.join(p.text for p in group)
                        found.append((sum(p.cost for p in group), text if sign == " && " else "(" + text + ")"))
                self.tick()
            if found: return min(found)[1]
        return self.mixed(wider[:40], narrower[:40], some[:80], want)

    def mixed(self, wider, narrower, some, want):
        """a && (b || c), a || b && c"""
        for group, inner, outer in ((wider, "({} || {})", "{} && {}"), (narrower, "{} && {}", "({} || {})")):
            for p in group:
                self.tick()
                for a, b in itertools.combinations(some, 2):
                    bits = p.bits & (a.bits | b.bits) if group is wider else p.bits | (a.bits & b.bits)
                    if bits == want: return outer.format(p.text, inner.format(a.text, b.text))
        return None

    def predicates(self, cells, keys, loops, truth):
        out = []

        def put(text, truths, cost):
            out.append(Predicate(text, sum(1 << i for i, t in enumerate(truths) if t), cost))

        numbers = []
        for key in sorted(keys):
            values = [self.column(key)[c[0]] for c in cells]
            kinds, price = {type(v) for v in values}, self.price(key)
            if kinds <= {bool, type(None)} and bool in kinds: self.flag(put, key, values, kinds, price)
            if type(None) in kinds and len(kinds) > 1:
                put(f"{ref(key)} != null", [v is not None for v in values], 1.2 + price)
                put(f"{ref(key)} == null", [v is None for v in values], 1.3 + price)
            if str in kinds: self.words(put, key, values, truth, price)
            if kinds == {int}:
                numbers.append((key, values, price))
                self.thresholds(put, key, values, price)
            if tuple in kinds: self.elements(put, key, values, cells, loops, price)
        for (a, x, p), (b, y, q) in itertools.combinations(numbers[:12], 2):
            for sign, cost in (("!=", 1.8), ("==", 1.9), (">", 2.2), ("<", 2.2)):
                put(f"{ref(a)} {sign} {ref(b)}", [compare(sign, i, j) for i, j in zip(x, y)], cost + p + q)
        for k, loop in enumerate(loops): self.turns(put, k, loop, cells, numbers)
        self.against_elements(put, keys, cells, loops, numbers)
        return out

    def against_elements(self, put, keys, cells, loops, numbers):
        """Compares an integer with the item of a list in this iteration: residual layers exist where they
        differ."""
        for key, (k, loop) in itertools.product(sorted(keys), enumerate(loops)):
            values = [self.column(key)[c[0]] for c in cells]
            if not all(isinstance(v, tuple) for v in values): continue
            got = [v[c[1][k]] if c[1][k] < len(v) else None for v, c in zip(values, cells)]
            if not all(isint(g) for g in got): continue
            for other, those, price in numbers[:8]:
                put(f"{ref(other)} != {ref(key)}[{loop.var}]", [a != b for a, b in zip(those, got)], 2.1 + price)

    @staticmethod
    def flag(put, key, values, kinds, price):
        text = ref(key) if type(None) not in kinds else f"({ref(key)} ?? false)"
        put(text, values, 1 + price)
        put("!" + text, [not v for v in values], 1.1 + price)

    @staticmethod
    def words(put, key, values, truth, price):
        """Single words, and the smallest and the largest set of words that the truth allows."""
        words = sorted({v for v in values if isinstance(v, str)})
        for w in words:
            put(f'{ref(key)} == "{w}"', [v == w for v in values], 1.3 + price)
            put(f'{ref(key)} != "{w}"', [v != w for v in values], 1.4 + price)
        if truth is None or len(words) < 3: return
        ever = {v for v, t in zip(values, truth) if t}
        always = {w for w in words if all(t for v, t in zip(values, truth) if v == w)}
        for chosen in (ever, always):
            chosen = sorted(w for w in chosen if isinstance(w, str))
            if len(chosen) < 2 or len(chosen) == len(words): continue
            put(f'in({ref(key)}, "{" ".join(chosen)}")', [v in chosen for v in values], 1.5 + len(chosen) * .05 + price)
            rest = sorted(set(words) - set(chosen))
            put(f'!in({ref(key)}, "{" ".join(rest)}")', [v not in rest for v in values], 1.5 + len(rest) * .05 + price)

    @staticmethod
    def thresholds(put, key, values, price):
        seen = sorted(set(values))
        if 0 in seen: put(f"{ref(key)} > 0", [v > 0 for v in values], 1.2 + price)
        if len(seen) > 14: return
        for n in seen[1:]:
            if n > 20: continue
            put(f"{ref(key)} >= {n}", [v >= n for v in values], 1.9 + n * .01 + price)
            put(f"{ref(key)} < {n}", [v < n for v in values], 2 + n * .01 + price)

    @staticmethod
    def elements(put, key, values, cells, loops, price):
        text = ref(key)
        for k, loop in enumerate(loops):
            at = f"{text}[{loop.var}]"
            got = [v[c[1][k]] if isinstance(v, tuple) and c[1][k] < len(v) else None for v, c in zip(values, cells)]
            seen = {g for g in got if g is not None}
            if seen and all(isinstance(g, str) for g in seen):
                for w in sorted(seen):
                    put(f'{at} == "{w}"', [g == w for g in got], 1.4 + price)
                    put(f'{at} != "{w}"', [g != w for g in got], 1.5 + price)
            elif seen and all(isinstance(g, bool) for g in seen): put(at, got, 1.4 + price)
            elif seen and all(isint(g) for g in seen):
                for n in sorted(seen)[:7]:
                    put(f"{at} == {n}", [g == n for g in got], 2 + price)
                    put(f"{at} > {n}", [g is not None and g > n for g in got], 2 + price)
                before = [v[c[1][k] - 1] if isinstance(v, tuple) and 0 < c[1][k] <= len(v) else None
                          for v, c in zip(values, cells)]
                put(f"{loop.var} > 0 && {at} != {text}[{loop.var}-1]",
                    [b is not None and g != b for g, b in zip(got, before)], 2.2 + price)
            put(f"in({loop.var}, {text})", [isinstance(v, tuple) and c[1][k] in v for v, c in zip(values, cells)], 1.8)
            for d in (0, 1):
                put(f"{loop.var} < len({text})" + ("-1" if d else ""),
                    [isinstance(v, tuple) and c[1][k] < len(v) - d for v, c in zip(values, cells)], 1.8 + d * .1 + price)
        for w in sorted({x for v in values if isinstance(v, tuple) for x in v if isinstance(x, str)}):
            put(f'in("{w}", {text})', [isinstance(v, tuple) and w in v for v in values], 1.7 + price)
        for n in (2, 3, 4, 5):
            put(f"len({text}) >= {n}", [isinstance(v, tuple) and len(v) >= n for v in values], 2.1 + n * .05 + price)

    @staticmethod
    def turns(put, k, loop, cells, numbers):
        var, turn = loop.var, [c[1][k] for c in cells]
        put(f"{var} == 0", [i == 0 for i in turn], 1.2)
        put(f"{var} > 0", [i > 0 for i in turn], 1.2)
        ends = [loop.ends.get((c[0], c[1][:k])) for c in cells]
        if None not in ends:
            for sign, d, cost in (("==", 1, 1.5), ("<", 1, 1.5), ("<", 2, 2.2)):
                put(f"{var} {sign} {loop.text}-{d}", [compare(sign, i, e - d) for i, e in zip(turn, ends)], cost)
        for n in range(1, min(max(turn, default=0), 8) + 1):
            for sign in ("==", ">=", "<"): put(f"{var} {sign} {n}", [compare(sign, i, n) for i in turn], 2 + n * .02)
        for n in range(2, 7):
            for rest in range(n): put(f"{var} % {n} == {rest}", [i % n == rest for i in turn], 2 + n * .05 + rest * .02)
        for key, values, price in numbers:
            put(f"{var} < {ref(key)}", [i < v for i, v in zip(turn, values)], 1.5 + price)
            put(f"{var} >= {ref(key)}", [i >= v for i, v in zip(turn, values)], 1.5 + price)
            if min(values) < 1: continue
            put(f"{var} % {ref(key)} == 0", [i % v == 0 for i, v in zip(turn, values)], 1.7 + price)
            put(f"({var} + 1) % {ref(key)} == 0", [(i + 1) % v == 0 for i, v in zip(turn, values)], 1.8 + price)
            for other, those, more in numbers:
                if other != key:
                    put(f"{var} % {ref(key)} == {ref(other)}",
                        [i % v == o for i, v, o in zip(turn, values, those)], 2.5 + price + more)
