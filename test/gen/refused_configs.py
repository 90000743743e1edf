#!/usr/bin/env python3
"""refused_configs.py [-n N] [-e SEED] [-o FILE] -- makes test/truth/components/refused/transformers.jsonl.zst: configurations that no class of
transformers accepts.

Like refused_cases.py for diffusers: in the smallest case of each model type in fixtures/oracle/sizes.jsonl.zst, values of the configuration or
its parts become invalid: null, a text, a list, a fraction, or heads that do not divide their width. A line has the case, the change (`path` is
the key, nested ones with dots), and the result of the class on the meta device: `why` it raises, or null if it builds the same tensors.
test/truth/components/refused.py reads it.
Packages: src/data/import/requirements.txt
"""
import copy, json, logging, os, random, re, signal, sys, warnings

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(ROOT, "test/support")]
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
from oracle_fixtures import line, pack
from files import stored

PATH = "test/truth/components/refused/transformers.jsonl.zst"
SIZE = re.compile(r"size|dim|heads|layers|experts|channels|depth|width|rank|d_model|n_|ratio|kernel|stride|patch")


def argument(name, otherwise):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else otherwise


def rang(*_):
    raise TimeoutError()


def leaves(doc, path=()):
    for k, v in doc.items():
        if isinstance(v, dict) and k.endswith("_config"):
            yield from leaves(v, path + (k,))
        elif isinstance(v, (int, bool, list)) and SIZE.search(k):
            yield path + (k,), v


def wrong(value, key):
    """Replacements for a value."""
    if isinstance(value, bool): return [None, "no"]
    if isinstance(value, list): return ["x"]
    return [None, "x", [value], value + .5] + [value + 1, 2 * value + 1] * ("heads" in key or key == "n_head")


def put(doc, path, value):
    doc = copy.deepcopy(doc)
    at = doc
    for k in path[:-1]: at = at[k]
    at[path[-1]] = value
    return doc


def built(config):
    """Returns ({name: shape}, None), or (None, why it cannot be built)."""
    import torch, transformers
    signal.alarm(8)
    try:
        made = transformers.AutoConfig.for_model(**{k: v for k, v in copy.deepcopy(config).items() if k != "architectures"})
        with torch.device("meta"): model = getattr(transformers, config["architectures"][0])(made)
        return {n: list(t.shape) for n, t in model.state_dict().items()}, None
    except TimeoutError: return None, None
    except Exception as e: return None, type(e).__name__
    finally: signal.alarm(0)


def of_type(name, cases, wanted, seed):
    draw = random.Random("%s %s" % (seed, name))
    case = min(cases, key=lambda c: len(c["params"]))
    config = case["configs"]["whole"]
    right, _ = built(config) if config.get("architectures") and len(case["params"]) < 200 else (None, None)
    if not right: return
    left = {True: wanted, False: 1}
    tried = [(p, v) for p, old in leaves(config) for v in wrong(old, p[-1])]
    draw.shuffle(tried)
    for path, value in tried[:40]:
        if not left[True] and not left[False]: break
        got, why = built(put(config, path, value))
        if got is None and why is None or got is not None and got != right or not left[got is None]: continue
        left[got is None] -= 1
        yield {"case": case["case"], "path": list(path), "value": value, "why": why}


def main():
    import transformers
    transformers.logging.set_verbosity_error()
    signal.signal(signal.SIGALRM, rang)
    by = {}
    for case in stored(os.path.join(ROOT, "fixtures/oracle/sizes.jsonl.zst")):
        if case["configs"]: by.setdefault(case["configs"]["whole"].get("model_type"), []).append(case)
    rows = [row for name in sorted(by, key=str) for row in of_type(name, by[name], int(argument("-n", 2)), argument("-e", "1"))]
    text = "".join(map(line, rows))
    if argument("-o", None): open(argument("-o", None), "w").write(text)
    else: print("%s: %d cases%s" % (PATH, len(rows), "" if pack(PATH, text.encode()) else ", unchanged"))


main()
