#!/usr/bin/env python3
"""prints.py [-v] [FILTER] -- printouts: numel diff on transformers' output, and on texts that people pasted.

oracle/hf-*: each `print` field with the header-only checkpoint of its `params`, and with its configuration alone.
numel must agree; `parameters` must be num_parameters; the parameters that numel calls invisible must be those that
no printed module shows, counted here from the names of `params` by a second, simpler parser of printouts. A tied
parameter counts once.

corpus/prints: each text must be read; the sum must equal that of PRINTS_INDEX.tsv (made by a rough script: DIFFERS
lists its errors and their reasons); a total stated in the text must be met, unless UNMET gives a reason.
corpus/prints/torchinfo-tables and the README of torchsummary: the rows of every table must add up to its total.

truth/prints and truth/tables: texts that other readers got wrong. TRUTH has the total of each; the total stated in
a Lightning table is extracted separately, and must be the one that numel gives.

The last line counts.
"""
import collections, glob, json, math, os, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

import oracle
import files

NUMEL, SHARED = oracle.NUMEL, oracle.SHARED
KINDS = collections.Counter()
ENTRY = re.compile(r"^( *)\(([^()]+)\): (?:(\d+) x )?([\w.]+)\((.*?)(\)?)$")

# Texts for which the rough sum of the index is wrong, by their first letters.
DIFFERS = {
    "037": "the index leaves out Lrpe's Tensor((32, 1, 128)): 4,096",
    "051": "the index leaves out the ia3_l parameters: 282,624",
    "058": "the index leaves out the base layers, whose arguments hold a weight=...: 2,024,981,504",
    "059": "the index leaves out the base layers, whose arguments hold a weight=...: 2,024,981,504",
    "070": "the index leaves out IdeficsDecoupledEmbedding and -Linear: 262,144,000",
    "072": "the index leaves out layers whose arguments stand in a line of their own",
    "079": "the index leaves out layers whose arguments stand in a line of their own, and ia3_l",
    "080": "the index leaves out layers whose arguments stand in a line of their own",
    "083": "the index leaves out the LSTM: 1,576,960",
    "092": "the index leaves out BatchNorm1d: 16,384",
    "098": "the index leaves out layers whose arguments stand in a line of their own",
}
# Stated totals that the printout cannot reach.
UNMET = {
    ("026", "4,306,028,912"): "2,949,120 = 1,152 x 2,560 is mm_input_projection_weight, outside of modules",
    ("028", "4,306,028,912"): "2,949,120 = 1,152 x 2,560 is mm_input_projection_weight, outside of modules",
}

# Sums of the texts in truth/, counted by hand.
TRUTH = {"S_onespace_gr00t_part.txt": 531508224, "K3_keras3_box.txt": 4609,
         "other__bnsreenu+python_for_microscopists__37f9e7.txt": 11708992}
LIGHTNING = re.compile(r"^([\d.,]+)( [KMBT])?\s+Total params\s*$", re.M)


def run(*args):
    p = subprocess.run([NUMEL, "diff", "--json", *args], capture_output=True, text=True)
    try:
        return json.loads(p.stdout), p
    except ValueError:
        return None, p


# ---- a second parser -----------------------------------------------------------------------------

def ints(text):
    return [int(x) for x in re.findall(r"\d+", text)]


def shows(name, args):
    """{parameter: elements} that a module of that class shows; None if it shows no size."""
    key = dict(re.findall(r"(\w+)=(\([^)]*\)|[^,() ]+)", args))
    bias = key.get("bias", "True") != "False"
    if "in_features" in key:
        i, o = int(key["in_features"]), int(key["out_features"])
        return {"weight": i * o, **({"bias": o} if bias else {})}
    if re.search(r"Conv(Transpose)?[123]d$", name) and "kernel_size" in key:
        i, o = ints(args)[:2]
        n = i * o // int(key.get("groups", 1)) * math.prod(ints(key["kernel_size"]))
        return {"weight": n, **({"bias": o} if bias else {})}
    if name == "Conv1D" and "nf" in key:
        return {"weight": int(key["nf"]) * int(key["nx"]), "bias": int(key["nf"])}
    if re.search(r"Embedding$", name) and re.match(r"\d+, \d+", args):
        return {"weight": math.prod(ints(args)[:2])}
    if re.search("(?<!Frozen)BatchNorm|GroupNorm", name) and ints(args):
        n = ints(args)["GroupNorm" in name]
        return {"weight": n, "bias": n} if key.get("affine", "True") == "True" else {}
    if "Norm" in name and re.match(r"[(]?\d", args):
        if key.get("elementwise_affine") == "False":
            return {}
        n = math.prod(ints(args.split(")")[0] if args[0] == "(" else args.split(",")[0]))
        return {"weight": n, **({"bias": n} if "LayerNorm" in name and bias else {})}
    if re.search(r"LSTM$", name) and args:
        i, h = ints(args)[:2]
        out = {}
        for level in range(int(key.get("num_layers", 1))):
            for way in ("", "_reverse") if key.get("bidirectional") == "True" else ("",):
                width = i if level == 0 else h * (2 if key.get("bidirectional") == "True" else 1)
                out.update({f"weight_ih_l{level}{way}": 4 * h * width, f"weight_hh_l{level}{way}": 4 * h * h,
                            f"bias_ih_l{level}{way}": 4 * h, f"bias_hh_l{level}{way}": 4 * h})
        return out
    return None


def shown_names(text):
    """{name: elements} of every parameter in the printout, copies expanded."""
    stack, out = [(-1, [""])], {}
    lines = text.split("\n")
    for number, line in enumerate(lines):
        m = ENTRY.match(line)
        if not m:
            continue
        indent, name, copies, cls, args, _ = m.groups()
        if not args and number + 1 < len(lines) and not line.endswith(")") and "(" != lines[number + 1].strip()[:1]:
            args = lines[number + 1].strip()  # its arguments are on a separate line
        while stack[-1][0] >= len(indent):
            stack.pop()
        first, _, last = name.partition("-")
        names = [str(i) for i in range(int(first), int(last) + 1)] if copies else [name]
        paths = [f"{p}.{n}" if p else n for p in stack[-1][1] for n in names]
        stack.append((len(indent), paths))
        for path in paths:
            for part, n in (shows(cls, args) or {}).items():
                out[f"{path}.{part}"] = n
    return out


def where(name, shown):
    """The printed name of a parameter: weight_norm stores a weight of the same shape one level down."""
    plain = name.replace(".parametrizations.weight.original1", ".weight")
    return name if name in shown else plain if plain in shown else None


# ---- the oracle ----------------------------------------------------------------------------------

def wrong_with(answer, process, oracle_file, label):
    if not answer:
        return f"{label}: {process.stderr.strip()[-150:]}"
    if not answer["agrees"] or answer["left"] != 0:
        return f"{label}: {answer['verdict']} {[x['cause'] for x in answer['account']]}"
    if answer["parameters"] != oracle_file["num_parameters"]:
        return f"{label}: parameters {answer['parameters']}, expected {oracle_file['num_parameters']}"
    shown = shown_names(oracle_file["print"])
    sizes = {n: math.prod(s) for n, s in oracle_file["params"].items()}
    unseen = {n: k for n, k in sizes.items()
              if n not in oracle_file.get("tied", {}) and where(n, shown) is None}
    count = len(unseen) if label == "checkpoint" else answer["unseen_tensors"]  # a formula has experts separately
    if (answer["unseen_elements"], answer["unseen_tensors"]) != (sum(unseen.values()), count):
        return (f"{label}: {answer['unseen_tensors']} unseen of {answer['unseen_elements']}, expected "
                f"{len(unseen)} of {sum(unseen.values())}")
    if answer["printed"] != sum(shown.values()):
        return f"{label}: printed {answer['printed']}, expected {sum(shown.values())}"
    return None


def check_oracle(path):
    truth = json.load(open(path))
    config = dict(truth["config"])
    config["architectures"] = config.get("architectures") or [oracle.class_of(path) or
                                                              truth["print"].split("(")[0]]
    with tempfile.TemporaryDirectory() as folder:
        model, page = os.path.join(folder, "model.safetensors"), os.path.join(folder, "print.txt")
        files.sparse(model, oracle.stored(truth))
        with open(os.path.join(folder, "config.json"), "w") as f:
            json.dump(config, f)
        with open(page, "w") as f:
            f.write(truth["print"])
        return (wrong_with(*run(folder, page), truth, "checkpoint") or
                wrong_with(*run(os.path.join(folder, "config.json"), page), truth, "configuration"))


# ---- the corpus ----------------------------------------------------------------------------------

def index():
    rows = {}
    with open(os.path.join(SHARED, "corpus/prints/PRINTS_INDEX.tsv")) as table:
        next(table)
        for row in table:
            cells = row.rstrip("\n").split("\t")
            rows[cells[0]] = int(cells[3])
    return rows


def tally(answer):
    """The kind of printout, for the table in docs/printouts.md."""
    classes = {u["why"] for u in answer["unseen"] or []}
    left_out = any(f["code"] == "left-out" for f in answer["findings"])
    KINDS["lines left out ('...')" if left_out else "some class prints no size: a lower bound"
          if "prints no size" in classes else "every size printed"] += 1
    for s in answer["stated"]:
        if s["label"].lower() != "params" and "trainable" not in s["label"].lower():
            KINDS["totals stated: met" if s["met"] else "totals stated: not met"] += 1


def check_print(path, rough):
    answer, process = run(path)
    if not answer or not answer["printouts"]:
        return "not read: " + process.stderr.strip()[-150:]
    tally(answer)
    key = os.path.basename(path)[:3]
    if rough is not None and (answer["printed"] == rough) == (key in DIFFERS):
        return f"printed {answer['printed']}, the index has {rough}, and that is {'' if key in DIFFERS else 'not '}listed"
    for s in answer["stated"]:
        total = s["label"].lower() != "params" and "trainable" not in s["label"].lower()
        if total and s["met"] == ((key, s["text"]) in UNMET):
            return f"stated {s['text']}: {s['how']}"
    if any(f["severity"] == "error" for f in answer["findings"]):
        return f"findings: {answer['findings'][0]['message']}"
    return None


def check_table(path):
    answer, process = run(path)
    KINDS["tables of layers"] += len(answer["tables"]) if answer else 0
    if not answer or not answer["tables"]:
        return "not read: " + process.stderr.strip()[-150:]
    off = [t for t in answer["tables"] if t["agrees"] is not True]
    return f"line {off[0]['first_line']}: {off[0]['elements']}, stated {off[0]['stated']}" if off else None


def check_truth(path):
    answer, process = run(path)
    if not answer:
        return "not read: " + process.stderr.strip()[-150:]
    expected = TRUTH.get(os.path.basename(path))
    if expected is None:
        number, unit = LIGHTNING.findall(open(path).read())[0]
        expected = round(float(number.replace(",", "")) * 1000 ** " KMBT".index((unit or " ").strip() or " "))
    if answer["printed"] != expected:
        return f"printed {answer['printed']}, expected {expected}"
    if process.returncode != 0 or any(t["agrees"] is not True for t in answer["tables"]):
        return f"status {process.returncode}: {answer['findings']}"
    return None


def main():
    words = [a for a in sys.argv[1:] if a != "-v"]
    prints = os.path.join(SHARED, "corpus/prints")
    jobs = []
    for kind in oracle.FOLDERS:
        jobs += [(check_oracle, (p,)) for p in sorted(glob.glob(os.path.join(SHARED, "oracle", kind, "*.json")))]
    if os.path.isdir(prints):
        rough = index()
        jobs += [(check_print, (p, rough.get(os.path.basename(p)))) for p in sorted(glob.glob(prints + "/*.txt"))]
        jobs += [(check_table, (p,)) for p in sorted(glob.glob(prints + "/torch*/*.out") + glob.glob(prints + "/torch*.md"))]
    jobs += [(check_truth, (p,)) for kind in ("prints", "tables")
             for p in sorted(glob.glob(os.path.join(SHARED, "truth", kind, "*.txt")))]
    if not jobs:
        print("skipped: no oracle and no corpus in NUMEL_SHARED\n0 passed, 0 failed, 1 skipped")
        return 0
    jobs = [j for j in jobs if not words or any(w in j[1][0] for w in words)]
    counts = {}
    with ThreadPoolExecutor(2) as pool:
        for (check, args), wrong in zip(jobs, pool.map(lambda j: j[0](*j[1]), jobs)):
            name = os.path.relpath(args[0], SHARED)
            passed, failed = counts.setdefault(check.__name__[6:], [0, 0])
            counts[check.__name__[6:]] = [passed + (not wrong), failed + bool(wrong)]
            if wrong or "-v" in sys.argv:
                print(f"{'FAIL' if wrong else 'ok  '} {name}  {wrong or ''}".rstrip())
    for kind, (passed, failed) in counts.items():
        print(f"{kind}: {passed} of {passed + failed}")
    for kind, n in sorted(KINDS.items()):
        print(f"  {n:3} {kind}")
    print(f"{sum(p for p, _ in counts.values())} passed, {sum(f for _, f in counts.values())} failed")
    return 1 if any(f for _, f in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
