#!/usr/bin/env python3
"""usage: mkrefused.py [-j JOBS] CASES... CLASS... < diffusers.table > new.table

What the model classes of the installed diffusers cannot be built of, argument by argument: words `key!KINDS` of diffusers.table; and what must
divide another argument, or all of a list: words `key/other`.

    venv/bin/python src/data/import/mkrefused.py fixtures/oracle/{diffusers*,pipelines}.jsonl.zst < src/data/classes/diffusers.table > new.table

Each class of the table (of those named, where some are) is built on the meta device with the configurations of its cases, one argument at a
time being what it should not be. What none of them can be built of is refused:

    n b t o l   null, true and false, a text, an object, a list
    i p         a number, where words are meant; one that is no item of a list
    y x         true alone, false alone
    m z f       a negative number, zero, one with a fraction, by itself or in a list
    w           a whole number that is written with a fraction, 32.0: a text of JSON tells them apart, and so does Python
    e 3 s3      an empty list; one of another length than that; one that is shorter
    d D         a list of another length than down_block_types; one that is shorter: of UNets, whose sizes are by block
    =a|b        words besides these, by themselves or in a list
    N T         a list with a null, with a text, in it

Nothing depends on the time that a build takes, but that one of more than SECONDS of the processor says nothing: what is tried again says the same.
true and false are refused wherever an argument is a number: a class takes them for 1 and 0, and no one writes them. What a class itself never
looks at, and refuses by chance of another argument, is not said here: that is for its specification.
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
PART = re.compile("groups|heads|patch_size$")  # what may have to divide something
PARTS = (1, 2, 3, 4, 5, 6, 7, 8, 12, 32)
SECONDS = 8
torch.nn.Linear.reset_parameters = torch.nn.modules.conv._ConvNd.reset_parameters = lambda self: None  # nothing to initialize, half of the time
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
        # the smallest of those that differ from one another
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
        """How many tensors; 0: it cannot be built, None: not in time. torch makes a convolution with a kernel of too many sides, and cannot run it."""
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            with torch.device("meta"): model = self.make.from_config(copy.deepcopy(config))
            if any(len(m.kernel_size) != sides for m in model.modules() for kind, sides in CONVOLUTIONS.items() if isinstance(m, kind)): return 0
            return len(model.state_dict())
        except (Slow, MemoryError): return None
        except Exception: return 0
        finally: signal.setitimer(signal.ITIMER_PROF, 0)

    def refuses(self, changes):
        """Does no base build with it? `changes` makes of a base's value what it becomes, None: nothing of the sort."""
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
        out = ""
        if None not in values and self.refuses([become(None)]): out += "n"
        if not any(isinstance(x, bool) for x in flat) and (numbers and not texts or self.refuses([become(True), become(False)])): out += "b"
        if any(isinstance(x, bool) for x in values) and not lists and True not in values and self.refuses([become(True)]): out += "y"
        if any(isinstance(x, bool) for x in values) and not lists and False not in values and self.refuses([become(False)]): out += "x"
        if not texts and self.refuses([become(STRANGE)]): out += "t"
        if not any(isinstance(x, dict) for x in flat) and self.refuses([become({STRANGE: 1})]): out += "o"
        if not lists and self.refuses([self.filled(key, n) for n in (1, 2, 3, None)]): out += "l"
        if EACH.match(key) and re.search("UNet|ControlNet(Model|Union)", self.make.__name__) and "down_block_types" in self.builder.kinds:
            out += self.by_block(key)
        if texts and not numbers and self.refuses(either(7)): out += "i"
        if lists and [] not in values and self.refuses([become([])]): out += "e"
        if numbers and not any(isinstance(x, (int, float)) and x < 0 for x in flat) and self.refuses(either(-1) + [self.turned(key, lambda x: -x)]): out += "m"
        if numbers and not any(x == 0 and not isinstance(x, bool) for x in flat if isinstance(x, (int, float))) and self.refuses(either(0)): out += "z"
        if whole and (self.refuses(either(1.5)) or self.refuses([self.turned(key, lambda x: x + .5)])): out += "f"
        if whole and self.refuses([self.turned(key, float)]): out += "w"
        if lists and None not in flat and self.refuses(inside(None)): out += "N"
        if lists and not texts and any(self.refuses([change]) for change in inside(STRANGE)): out += "T"
        out = self.annotated(key, out)
        out += self.length(key, lists)
        if texts and self.refuses(either(STRANGE)): out += self.words(key, flat, either)
        return out

    def annotated(self, key, letters):
        """An argument that no case has a value of may be what its annotation says: words that nobody has tried."""
        may = self.builder.kinds[key]
        for pattern, free in ("str", "tT"), ("[lL]ist|[tT]uple|Sequence", "l"), ("[dD]ict", "o"):
            if re.search(pattern, may): letters = "".join(c for c in letters if c not in free)
        return letters

    @staticmethod
    def turned(key, how):
        """Its number, or all of its list, made another."""
        def change(base):
            v = base[key]
            if isinstance(v, list): return {key: [how(x) for x in v]} if v and all(isint(x) for x in v) else None
            return {key: how(v)} if isinstance(v, (int, float)) and not isinstance(v, bool) and v else None
        return change

    @staticmethod
    def filled(key, n):
        """A list of the value: n times, or as often as the first list of the configuration has items."""
        def change(base):
            many = n or next((len(v) for v in base.values() if isinstance(v, list)), 4)
            return {key: [1 if base[key] is None else base[key]] * many}
        return change

    def by_block(self, key):
        """A list of UNets that has an item a block: what the class makes of one too many, and of one too few."""
        def items(by):
            def change(base):
                v, n = base[key], len(base["down_block_types"])
                if isinstance(v, dict) or v is None or isinstance(v, list) and len(v) != n: return None
                new = v if isinstance(v, list) else [v] * n
                return {key: new[:by] if by < 0 else new + new[-1:] * by} if n > 1 else None
            return change
        if not self.refuses([items(-1)]): return ""
        return "d" if self.refuses([items(1)]) else "D"

    def length(self, key, lists):
        """A list whose class unpacks it: of one length in all configurations, and in all those that could be."""
        lengths = {len(v) for v in lists}
        if key == "patch_size" and len(lengths) == 1 and min(lengths) in (2, 3): return str(min(lengths))  # the sides of a picture, of a film
        if len(lengths) != 1 or not 1 < min(lengths) < 10 or any(not isinstance(x, (int, float)) for v in lists for x in v): return ""
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
        if not self.refuses([cut(-1, along) for along in (0, 1, 2)]): return ""
        return str(n) if self.refuses([cut(by, along) for by in (1, n) for along in (0, 1, 2)]) else "s" + str(n)

    def words(self, key, flat, either):
        """Those that some configuration can be built with, and those that the sources compare the argument with."""
        known = {x for x in flat if isinstance(x, str)}
        compared = {w for some in self.literals.values() for w in some}
        if ACTIVATION.search(key):  # what get_activation() takes; what feed-forwards know as well must be tried
            from diffusers.models.activations import ACT2CLS
            known |= set(ACT2CLS)
            compared |= {"elu", "leaky_relu", "relu6", "sigmoid", "snake", "tanh"}
        else:
            for name in (key, key.removesuffix("s"), re.sub(r"^(encoder|decoder)_", "", key).removesuffix("s")): known |= set(self.literals.get(name, []))
        others = compared - known
        for word in sorted(others):
            if not self.refuses(either(word)): known.add(word)
        known = sorted(w for w in known if not re.search(r"[\s|!]", w))
        return "=" + "|".join(known) if known else ""

    def parts(self, base, key):
        """Of which numbers in the place of a key the class is built, and of which it is not; both must occur."""
        built = {v: self.build({**base, key: v}) for v in PARTS}
        built = {v: n != 0 for v, n in built.items() if n is not None}
        return built if len(set(built.values())) == 2 and list(built.values()).count(False) > 1 else None

    def depends(self, base, key, other):
        """Is it the other that it must divide? With one more than a multiple there the class is built of 1 and of no number that divided before."""
        v = base[other]
        more = {other: [x + 1 for x in v] if isinstance(v, list) else v + 1}
        part = next((p for p in PARTS[1:] if all(x % p == 0 for x in (v if isinstance(v, list) else [v]))), None)
        return bool(part and self.build({**base, **more, key: 1}) and self.build({**base, **more, key: part}) == 0)

    def divides(self):
        """{key: others}: numbers that must divide another argument, in all configurations that tell, and that do in all that are known."""
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
    """The line of a class, with what it refuses in place of what it was said to."""
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
