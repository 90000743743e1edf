#!/usr/bin/env python3
"""usage: mkrefused.py [-j JOBS] CASES... CLASS... < diffusers.table > new.table

The values that the model classes of the installed diffusers accept, argument by argument: words
`key!KINDS` of diffusers.table; and arguments that must divide another argument, or all items of a list:
words `key/other`.

    venv/bin/python src/data/import/mkrefused.py fixtures/oracle/{diffusers*,pipelines}.jsonl.zst < src/data/classes/diffusers.table > new.table

Each class of the table (or only those named) is built on the meta device with the configurations of its
cases, with a wrong value for one argument at a time. A kind of value that fails with all configurations is
refused:

    null bool text object list    such a value
    true, false                   true only, false only
    number                        a number where words are expected
    negative zero fraction        such a number, by itself or in a list
    float                         a whole number written with a fraction, 32.0: JSON text and Python distinguish the two
    empty, 3, 3+                  an empty list; one of any length but this; a shorter one
    blocks, blocks+               a list whose length is not that of down_block_types; a shorter one: for UNets, with sizes by block
    words                         words other than these, by themselves or in a list
    null item, text item          a list that contains a null; a text

All other values are accepted: KINDS lists them, with the words of kinds.py.

Results do not depend on build times, except that a build of more than SECONDS of processor time counts as
unknown: a second run gives the same output. true and false are refused for every numeric argument: a class
treats them as 1 and 0, but configurations do not contain them. A value that a class never checks, and
refuses only because of another argument, is left to its spec.
"""
import collections
import copy
import json
import multiprocessing
import os
import re
import signal
import sys
import warnings

import kinds
import tables

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../learn"), os.path.join(HERE, "../../../test/support")]
warnings.simplefilter("ignore")
import diffusers
import torch

from draw import isint, words_of
from draw_diffusers import ClassBuilder
from files import stored

diffusers.utils.logging.set_verbosity(50)
STRANGE = "Nonsense"
EACH = re.compile("(block_out_channels|up_block_types|layers_per_block|cross_attention_dim|attention_head_dim|num_attention_heads|only_cross_attention|transformer_layers_per_block)$")
ACTIVATION = re.compile("act|nonlinear")
FREE = re.compile(r"gradient_checkpointing")
BASES = 3
PART = re.compile("groups|heads|patch_size$")  # arguments that may have to divide another
PARTS = (1, 2, 3, 4, 5, 6, 7, 8, 12, 32)
SECONDS = 8
torch.nn.Linear.reset_parameters = torch.nn.modules.conv._ConvNd.reset_parameters = lambda self: None  # nothing to initialize; this takes half of the time
CONVOLUTIONS = {torch.nn.Conv1d: 1, torch.nn.Conv2d: 2, torch.nn.Conv3d: 3}


def flattened(value):
    if not isinstance(value, list): return [value]
    return [x for v in value for x in flattened(v)]


class Slow(Exception):
    pass


def rang(*_):
    raise Slow()


class Prober:
    def __init__(self, name, configs):
        self.builder = ClassBuilder(name)
        self.make = self.builder.classes[name]
        signal.signal(signal.SIGPROF, rang)
        plain = json.loads(json.dumps(self.builder.default, default=str))
        known = [{**plain, **{k: v for k, v in c.items() if k in self.builder.kinds}} for c in [plain, *configs]]
        self.values = collections.defaultdict(list)
        for c in known:
            for k, v in c.items(): self.values[k].append(v)
        # the smallest configurations with differing values
        sized = [(n, json.dumps(c, sort_keys=True)) for c in known for n in [self.build(c)] if n]
        self.known = [json.loads(text) for _, text in sized]
        self.bases = []
        seen = set()
        for _, text in sorted(sized):
            items = {(k, json.dumps(v)) for k, v in json.loads(text).items()}
            if items - seen and len(self.bases) < BASES: self.bases.append(json.loads(text))
            seen |= items
        self.literals = words_of(self.builder)

    def build(self, config):
        """Number of tensors; 0 if it cannot be built, None if it takes too long. torch builds a convolution
        whose kernel has too many dimensions, but cannot run it."""
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            with torch.device("meta"): model = self.make.from_config(copy.deepcopy(config))
            if any(len(m.kernel_size) != sides for m in model.modules() for kind, sides in CONVOLUTIONS.items() if isinstance(m, kind)): return 0
            return len(model.state_dict())
        except (Slow, MemoryError): return None
        except Exception: return 0
        finally: signal.setitimer(signal.ITIMER_PROF, 0)

    def refuses(self, changes):
        """True if no base builds with it. `changes` turn a base's value into another, or return None if they
        do not apply."""
        asked = False
        for base in self.bases:
            for change in changes:
                new = change(base)
                if new is None: continue
                asked = True
                if self.build({**base, **new}) != 0: return False
        return asked

    def kinds(self, key):
        values = self.values[key]
        lists = [v for v in values if isinstance(v, list)]
        flat = [x for v in values for x in flattened(v)]
        numbers = any(isinstance(x, (int, float)) and not isinstance(x, bool) for x in flat)
        whole = any(isint(x) for x in flat) and not any(isinstance(x, float) for x in flat)
        texts = any(isinstance(x, str) for x in flat)

        def become(value): return lambda base: {key: value}

        def inside(value):
            def change(base):
                if not isinstance(base[key], list) or not base[key]: return None
                return {key: [value] + base[key][1:]}
            def last(base):
                if not isinstance(base[key], list) or not base[key]: return None
                return {key: base[key][:-1] + [value]}
            return [change, last]

        def either(*some): return [f for v in some for f in [lambda base, v=v: None if isinstance(base[key], list) else {key: v}, *inside(v)]]
        out, lengths = set(), []
        if None not in values and self.refuses([become(None)]): out.add("null")
        if not any(isinstance(x, bool) for x in flat) and (numbers and not texts or self.refuses([become(True), become(False)])): out.add("bool")
        if any(isinstance(x, bool) for x in values) and not lists and True not in values and self.refuses([become(True)]): out.add("true")
        if any(isinstance(x, bool) for x in values) and not lists and False not in values and self.refuses([become(False)]): out.add("false")
        if not texts and self.refuses([become(STRANGE)]): out.add("text")
        if not any(isinstance(x, dict) for x in flat) and self.refuses([become({STRANGE: 1})]): out.add("object")
        if not lists and self.refuses([self.filled(key, n) for n in (1, 2, 3, None)]): out.add("list")
        if EACH.match(key) and re.search("UNet|ControlNet(Model|Union)", self.make.__name__) and "down_block_types" in self.builder.kinds:
            lengths += self.by_block(key)
        if texts and not numbers and self.refuses(either(7)): out.add("number")
        if lists and [] not in values and self.refuses([become([])]): out.add("empty")
        if numbers and not any(isinstance(x, (int, float)) and x < 0 for x in flat) and self.refuses(either(-1) + [self.turned(key, lambda x: -x)]): out.add("negative")
        if numbers and not any(x == 0 and not isinstance(x, bool) for x in flat if isinstance(x, (int, float))) and self.refuses(either(0)): out.add("zero")
        if whole and (self.refuses(either(1.5)) or self.refuses([self.turned(key, lambda x: x + .5)])): out.add("fraction")
        if whole and self.refuses([self.turned(key, float)]): out.add("float")
        if lists and None not in flat and self.refuses(inside(None)): out.add("null item")
        if lists and not texts and any(self.refuses([change]) for change in inside(STRANGE)): out.add("text item")
        out = self.annotated(key, out)
        lengths += self.length(key, lists)
        words = self.words(key, flat, either) if texts and self.refuses(either(STRANGE)) else []
        return kinds.accepted(out, words, lengths) if out or words or lengths else None

    def annotated(self, key, refused):
        """An argument without a value in any case may be anything that its annotation allows: untested kinds
        are not refused."""
        may = self.builder.kinds[key]
        for pattern, free in ("str", {"text", "text item"}), ("[lL]ist|[tT]uple|Sequence", {"list"}), ("[dD]ict", {"object"}):
            if re.search(pattern, may): refused = refused - free
        return refused

    @staticmethod
    def turned(key, how):
        """Changes its number, or all numbers of its list."""
        def change(base):
            v = base[key]
            if isinstance(v, list): return {key: [how(x) for x in v]} if v and all(isint(x) for x in v) else None
            return {key: how(v)} if isinstance(v, (int, float)) and not isinstance(v, bool) and v else None
        return change

    @staticmethod
    def filled(key, n):
        """A list that repeats the value n times, or as often as the configuration's first list has items."""
        def change(base):
            many = n or next((len(v) for v in base.values() if isinstance(v, list)), 4)
            return {key: [1 if base[key] is None else base[key]] * many}
        return change

    def by_block(self, key):
        """A list of UNets with one item a block: tests one item too many and one too few."""
        def items(by):
            def change(base):
                v, n = base[key], len(base["down_block_types"])
                if isinstance(v, dict) or v is None or isinstance(v, list) and len(v) != n: return None
                new = v if isinstance(v, list) else [v] * n
                return {key: new[:by] if by < 0 else new + new[-1:] * by} if n > 1 else None
            return change
        if not self.refuses([items(-1)]): return []
        return ["blocks" if self.refuses([items(1)]) else "blocks+"]

    def length(self, key, lists):
        """A list that the class unpacks: it has one length in all configurations, and no other length builds."""
        lengths = {len(v) for v in lists}
        if key == "patch_size" and len(lengths) == 1 and min(lengths) in (2, 3): return [str(min(lengths))]  # two dimensions for images, three for videos
        if len(lengths) != 1 or not 1 < min(lengths) < 10 or any(not isinstance(x, (int, float)) for v in lists for x in v): return []
        n = min(lengths)

        def cut(by, along):
            def one(v): return v[:by] if by < 0 else v + v[-1:] * by
            def change(base):
                if not isinstance(base[key], list): return None
                new = {key: one(base[key])}
                if along: new.update({k: one(v) for k, v in base.items() if isinstance(v, list) and len(v) == n})
                if along > 1: new.update({k: v + by for k, v in base.items() if isint(v) and v == n and "layers" in k})
                return new
            return change
        if not self.refuses([cut(-1, along) for along in (0, 1, 2)]): return []
        return [str(n) if self.refuses([cut(by, along) for by in (1, n) for along in (0, 1, 2)]) else "%d+" % n]

    def words(self, key, flat, either):
        """The words that are accepted: those of the cases and of the key's own lists; other words in the
        sources are tried."""
        known = {x for x in flat if isinstance(x, str)}
        compared = {w for some in self.literals.values() for w in some}
        if ACTIVATION.search(key):  # words of get_activation(); those that only feed-forwards know must be tried
            from diffusers.models.activations import ACT2CLS
            known |= set(ACT2CLS)
            compared |= {"elu", "leaky_relu", "relu6", "sigmoid", "snake", "tanh"}
        else:
            for name in (key, key.removesuffix("s"), re.sub(r"^(encoder|decoder)_", "", key).removesuffix("s")): known |= set(self.literals.get(name, []))
        others = compared - known
        for word in sorted(others):
            if not self.refuses(either(word)): known.add(word)
        return sorted(w for w in known if not re.search(r"[\s|!]", w))

    def parts(self, base, key):
        """Which numbers for a key build the class, and which do not; both must occur."""
        built = {v: self.build({**base, key: v}) for v in PARTS}
        built = {v: n != 0 for v, n in built.items() if n is not None}
        return built if len(set(built.values())) == 2 and list(built.values()).count(False) > 1 else None

    def depends(self, base, key, other):
        """True if the key must divide this other argument: with a non-multiple there, the class builds with
        1, but not with a number that divided it before."""
        v = base[other]
        more = {other: [x + 1 for x in v] if isinstance(v, list) else v + 1}
        part = next((p for p in PARTS[1:] if all(x % p == 0 for x in (v if isinstance(v, list) else [v]))), None)
        return bool(part and self.build({**base, **more, key: 1}) and self.build({**base, **more, key: part}) == 0)

    def divides(self):
        """{key: others}: numbers that must divide another argument in all bases that show it, and do so in
        all known configurations."""
        whole = {k for k, vs in self.values.items() if any(isint(v) and v > 0 for v in vs) and k in self.builder.kinds}
        lists = {k for k, vs in self.values.items() if any(isinstance(v, list) and v and all(isint(x) for x in v) for v in vs) and k in self.builder.kinds}
        out = {}
        for key in sorted(k for k in whole if PART.search(k)):
            told = [(b, self.parts(b, key)) for b in self.bases if isint(b.get(key))]
            told = [(b, built) for b, built in told if built]
            found = set()
            for other in sorted((whole | lists) - {key}):
                if any(x % c[key] for c in self.known if isint(c.get(key)) and c[key] > 0 for x in flattened(c.get(other)) if isint(x)): continue
                fits = [all(fine == all(x % v == 0 for x in flattened(b[other])) for v, fine in built.items())
                        for b, built in told if all(isint(x) and x > 0 for x in flattened(b.get(other)))]
                if fits and all(fits) and any(self.depends(b, key, other) for b, _ in told if all(isint(x) for x in flattened(b.get(other)))): found.add(other)
            if found: out[key] = sorted(found)
        return out

    def all(self):
        out = {}
        for key in self.builder.default | dict.fromkeys(k for k in self.values if k in self.builder.kinds):
            if FREE.search(key) or not all(key in b for b in self.bases): continue
            kinds = self.kinds(key)
            if kinds: out[key] = kinds
        return out


def told(task):
    """The line of a class, with what it refuses now instead of the old words."""
    line, configs = task
    if configs is None: return line.rstrip("\n")
    name, *kept = [w for w in line.split() if not re.match(r"[\w.]+[!/]", w)]
    try:
        prober = Prober(name, configs)
        words, parts = prober.all(), prober.divides()
    except Exception as e:
        print(name, type(e).__name__, str(e)[:100], file=sys.stderr)
        words, parts = {}, {}
    return " ".join([name, *kept, *("%s!%s" % x for x in sorted(words.items())), *("%s/%s" % (k, x) for k, v in sorted(parts.items()) for x in v)])


def main():
    words = sys.argv[1:]
    jobs = int(words.pop(words.index("-j") + 1)) if "-j" in words else 1
    by = collections.defaultdict(list)
    for path in [w for w in words if w.endswith(".zst")]:
        for case in stored(path): by[case["class"]].append(case["configs"]["whole"])
    only = [w for w in words if w[0] != "-" and not w.endswith(".zst")]
    tasks = [(line, None if line[0] == "#" or only and line.split()[0] not in only else by[line.split()[0]]) for line in tables.joined(sys.stdin.read())]
    with multiprocessing.Pool(jobs) as pool:
        for line in pool.imap(told, tasks): print(line, flush=True)


if __name__ == "__main__":
    main()
