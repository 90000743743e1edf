#!/usr/bin/env python3
"""size_cases.py [-j N] [-s SECONDS] [-e SEED] FOLDER [TYPE...] -- cases of the classes of transformers at small sizes that all differ.
size_cases.py -k ROWS CANDIDATES -- adds to fixtures/oracle/sizes.jsonl.zst the candidates that `mutants -x` chose.
size_cases.py -r -- rebuilds the fixture's cases with the installed transformers.

classes.jsonl.zst holds each class at its default sizes, where one size can pass for another (hidden_size is heads * head_dim,
two towers have the same width). Here each of its model types gets FOLDER/TYPE.jsonl, a line a case in the form of
fixtures/oracle: each class with all its sizes changed at once, few layers, no size twice if the class allows it
("size/TYPE.CLASS"), and the first class with one more key changed, if that changes tensors ("size/TYPE.CLASS/KEY=VALUE");
each also as saved, if that gives other names. src/data/learn draws the values; keys that prevent a build are left
unchanged. The seed is the type's name, so that a second run gives the same, followed by that of -e: another sample, to check
what was corrected with the first.

`truth -x FILE` checks candidates; `mutants -x FILE` chooses a few that kill as many as all do (lines ROW); -k packs those.
The `own` of a case is [name, type, class, changes, saved]: enough to rebuild it.
Packages: src/data/import/requirements.txt
"""
import argparse, json, math, os, random, signal, sys, time, warnings, zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../src/data/learn")]
from oracle_fixtures import line, pack, unpacked

PATH = "fixtures/oracle/sizes.jsonl.zst"
CLASSES = "fixtures/oracle/classes.jsonl.zst"
ROWS = 3000  # most tensors in a case


def types():
    """model_type: its classes, the main one first, with the configuration that each was built with."""
    found = {}
    for text in unpacked(CLASSES).splitlines():
        name = text[9:text.index(b'"', 9)].decode()[len("class/"):]
        kind, _, cls = name.removesuffix("/saved").rpartition(".")
        classes = found.setdefault(kind, {})
        if cls in classes: continue
        at = text.index(b'"whole":') + len(b'"whole":')
        classes[cls] = json.JSONDecoder().raw_decode(text[at:text.index(b',"params":')].decode())[0]
    return found


def plain(value):
    return json.loads(json.dumps(value, default=str))


class Maker:
    """Builds the classes of one model type, and writes the results as cases."""

    def __init__(self, model_type, classes, out, seconds, more=False, seed=""):
        import draw
        self.classes = list(classes)
        if more: self.classes += [c for c in draw.classes_of(model_type) if c not in classes]
        self.builder, self.given = draw.Builder(model_type, self.classes), classes
        signal.signal(signal.SIGPROF, draw.rang)
        self.draws = draw.Draws(self.builder, zlib.crc32((seed + model_type).encode()), seconds)
        self.random, self.type, self.out = self.draws.random, model_type, out
        self.stop = time.process_time() + seconds
        self.seen, self.written = set(), 0

    def late(self):
        return time.process_time() > self.stop

    def build(self, cls, changes):
        """Returns (configuration, model), or None."""
        import torch
        from transformers import initialization
        signal.setitimer(signal.ITIMER_PROF, 8)
        try:
            config = self.builder.config(changes)
            config.architectures = [cls]
            with initialization.no_init_weights(), initialization.meta_device_safe_creation_ops(), torch.device("meta"):
                model = self.builder.classes[cls](config)
                model.tie_weights()
            if any(0 in t.shape for t in model.parameters()): raise ValueError("a tensor of no elements")
        except Exception as e:
            self.why = f"{type(e).__name__}: {e}"
            return None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return config, model

    def signature(self, model):
        return zlib.crc32(repr([(n, tuple(t.shape)) for n, t in model.state_dict().items()]).encode())

    # ---- cases

    def write(self, name, cls, changes, built):
        import own_cases
        config, model = built
        whole = plain(json.loads(config.to_json_string(use_diff=True)))
        whole["architectures"] = [cls]
        case = {"case": name, "class": cls, "configs": {"whole": whole}, **own_cases.inventory(model, False)}
        if len(case["params"]) > ROWS: return
        for saved in False, True:
            if saved:
                try: held = own_cases.inventory(model, True)
                except Exception: return
                if sum(map(math.prod, held["params"].values())) != case["num_parameters"]: return
                if set(held["params"]) | set(held["buffers"]) == set(case["params"]) - set(case["tied"]) | set(case["buffers"]): return
                case = {**case, **held, "case": name + "/saved"}
            case["own"] = [case["case"], self.type, cls, changes, saved]
            self.out.write(line(case))
            self.written += 1

    # ---- all sizes changed

    def values(self, key, value, used):
        """Other values of a key, first those that no other key has."""
        if isinstance(value, tuple): return [self.draws.list(key, value) for _ in range(3)]
        some = [v for v in self.draws.fresh(key, value) if v > 0]
        return sorted(some, key=lambda v: (v in used, v > 2000, v > 700))[:6]

    def apply(self, cls, wanted, changes):
        """Changes, with as many of the wanted values as the class accepts: all at once, else by halves."""
        if not wanted or self.late(): return changes
        built = self.build(cls, {**changes, **{k: v[0] for k, v in wanted}})
        if built and len(built[1].state_dict()) <= ROWS: return {**changes, **{k: v[0] for k, v in wanted}}
        if len(wanted) > 1:
            middle = len(wanted) // 2
            return self.apply(cls, wanted[middle:], self.apply(cls, wanted[:middle], changes))
        key, others = wanted[0]
        for value in others[1:]:
            if self.build(cls, {**changes, key: value}): return {**changes, key: value}
        return changes

    def keys(self, env):
        import draw
        return [k for k in env if k in self.builder.fields and not k.split(".")[-1].startswith("_") and not draw.IDLE.search(k.split(".")[-1])
                and not draw.NESTED_IDLE.search(k.rpartition(".")[0])]

    def first(self, cls):
        """What a class needs to be built at all: nothing, or the differences from the defaults in the configuration that it
                was built with."""
        if self.build(cls, {}): return {}
        usual = plain(self.builder.default.to_dict())
        return {k: tuple(v) if isinstance(v, list) else v for k, v in self.given.get(cls, {}).items()
                if k in usual and usual[k] != v and k not in ("architectures", "transformers_version", "dtype")}

    def perturbed(self, cls):
        import draw, samples
        self.env = samples.flatten(plain(self.builder.default.to_dict()))
        begin = self.first(cls)
        few, wanted, used = [], [], set()
        lengths = {}
        for key, value in self.env.items():
            if isinstance(value, tuple): lengths.setdefault(key.rpartition(".")[0], set()).add(len(value))
        for key in self.keys(self.env):
            value, last = self.env[key], key.split(".")[-1]
            sizes = isinstance(value, tuple) and value and all(draw.isint(x) for x in value)
            if not sizes and not (draw.isint(value) and value > 0): continue
            values = [v for v in self.values(key, value, used) if v != value]
            if not values: continue
            used.update([values[0]] if draw.isint(value) else values[0])
            layers = draw.LAYERS.search(last) and draw.isint(value)
            if layers and value in lengths.get(key.rpartition(".")[0], ()) and key.rpartition(".")[2] in ("num_stages", "num_levels"): continue
            (few if layers else wanted).append((key, values))
        changes = self.apply(cls, few, begin)
        order = [(k, v) for k, v in wanted if not isinstance(v[0], tuple)] + [(k, v) for k, v in wanted if isinstance(v[0], tuple)]
        return self.apply(cls, order, changes)

    # one additional key

    def single(self, cls, base):
        built = self.build(cls, base)
        if not built: return
        import samples
        before = self.signature(built[1])
        self.seen.add(before)
        env = samples.flatten(plain(built[0].to_dict()))
        keys = self.keys(env)
        keys = [k for k in keys if type(env[k]) is not int or env[k] <= 12 or k not in base]  # large sizes have already changed
        for key in sorted(keys, key=lambda k: not (isinstance(env[k], (bool, str)) or env[k] is None or env[k] == 0)):
            self.one_key(cls, base, key, env[key])
            if self.late(): return

    def one_key(self, cls, base, key, value):
        told = built = 0
        for other in self.draws.others(key, value) + ([0] if type(value) is int else []):
            few = 4 if isinstance(value, str) else 2 if value is None else 1
            if self.late() or told >= few or built - told >= (6 if isinstance(value, str) else 2): return
            made = self.build(cls, {**base, key: other})
            if not made: continue
            built += 1
            mark = self.signature(made[1])
            if mark in self.seen: continue
            self.seen.add(mark)
            told += 1
            self.write(f"size/{self.type}.{cls}/{key}={'.'.join(map(str, other)) if isinstance(other, tuple) else other}", cls, {**base, key: other}, made)

    def all(self, o):
        base = None
        if o.usual: return self.single(self.classes[0], self.first(self.classes[0]))
        for cls in self.classes:
            if base is None: changes = self.perturbed(cls)
            else: changes = base if self.build(cls, base) else self.apply(cls, [(k, [v]) for k, v in base.items()], self.first(cls))
            built = self.build(cls, changes)
            if not built: continue
            self.write(f"size/{self.type}.{cls}", cls, changes, built)
            base = changes if base is None else base
        if base is not None and not o.perturbed: self.single(self.classes[0], base)


def one_type(model_type, classes, o):
    path = os.path.join(o.folder, model_type + ".jsonl")
    if os.path.exists(path): return
    start, why = time.process_time(), ""
    with open(path + ".part", "w") as out:
        try:
            maker = Maker(model_type, classes, out, o.seconds, o.more, o.seed)
            maker.all(o)
            why = f"{maker.written} cases" + ("" if maker.written else ": " + getattr(maker, "why", "")[:200])
        except Exception as e:
            why = f"FAILED {type(e).__name__}: {str(e)[:200]}"
    os.rename(path + ".part", path)
    print(f"{model_type}: {why}, {time.process_time() - start:.1f} s", flush=True)


def candidates(o):
    import multiprocessing
    import torch, transformers, draw, own_cases  # once, before the fork
    from transformers.core_model_loading import revert_weight_conversion
    transformers.logging.set_verbosity_error()
    transformers.utils.requires_backends = lambda *_: None  # settings of losses, which are never computed here
    os.makedirs(o.folder, exist_ok=True)
    torch.set_num_threads(1)
    with multiprocessing.get_context("fork").Pool(o.jobs, maxtasksperchild=12) as pool:
        known = types()
        todo = [(t, known[t], o) for t in o.types or known]
        pool.starmap(one_type, todo, chunksize=1)


# ---- the fixture

def chosen(names, path):
    """The candidates that `mutants -x` chose, with the fixture's own; `own` is kept, so that a case can be
    rebuilt."""
    wanted = set()
    with open(names) as f:
        for row in f:
            if row.startswith("ROW "): wanted.add(json.loads(row[4:])[0])
    cases = {c["case"]: c for c in map(json.loads, (unpacked(PATH) or b"").decode().splitlines())}
    with open(path) as f:
        for text in f:
            case = json.loads(text)
            if case["case"] in wanted: cases[case["case"]] = case
    missing = wanted - set(cases)
    if missing: raise SystemExit("no candidate is " + sorted(missing)[0])
    keep(cases)


def remade():
    """The fixture's cases as the installed transformers makes them; lists those that differ."""
    import io
    known, cases = types(), {}
    for old in map(json.loads, unpacked(PATH).decode().splitlines()):
        name, model_type, cls, changes, saved = old["own"]
        out = io.StringIO()
        maker = Maker(model_type, known[model_type], out, 1000, True)
        changes = {k: tuple(v) if isinstance(v, list) else v for k, v in changes.items()}
        built = maker.build(cls, changes)
        if not built: raise SystemExit(f"{name}: {maker.why}")
        maker.write(name.removesuffix("/saved"), cls, changes, built)
        (new,) = [c for c in map(json.loads, out.getvalue().splitlines()) if c["case"] == name]
        if new != old: print("differs: " + name)
        cases[name] = new
    keep(cases)


def keep(cases):
    content = "".join(line(c) for _, c in sorted(cases.items())).encode()
    if pack(PATH, content):
        print(f"{PATH}: {len(cases)} cases, {os.path.getsize(PATH):,} bytes; raise the number in test/support/cases.c")


def arguments():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("folder", nargs="?")
    a.add_argument("types", nargs="*")
    a.add_argument("-k", dest="keep", nargs=2, metavar=("NAMES", "CANDIDATES"), help="into the fixture what mutants -x chose")
    a.add_argument("-r", dest="remake", action="store_true", help="make the fixture anew")
    a.add_argument("-j", dest="jobs", type=int, default=2)
    a.add_argument("-s", dest="seconds", type=float, default=8)
    a.add_argument("-e", dest="seed", default="", help="other draws than those of the name of the type alone")
    a.add_argument("-p", dest="perturbed", action="store_true", help="no single keys")
    a.add_argument("-a", dest="more", action="store_true", help="all classes of the modeling file, not only those of classes.jsonl.zst")
    a.add_argument("-u", dest="usual", action="store_true", help="single keys alone, of the first class at its default sizes")
    return a.parse_args()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    o = arguments()
    if o.keep: chosen(*o.keep)
    elif o.remake: remade()
    else: candidates(o)
