"""run.py [-k] NUMEL FOLDER [WORD...] -- quantizers write checkpoints, numel reads them: `make interop-packed`.

Each case is written with its data. reconcile must agree, and count the parameters of the unquantized model; with
headers alone (the same file without data) it may know less, but nothing different. The numbers that the library
makes of its weights are those of diff --values, to the last bit (dequantized.py); without them a case fails, unless
UNCHECKED expects that, and is then printed as skipped. Then it is falsified, and no falsified copy may agree: missing
scales, of all modules or one; other bits, another group size in config.json.
Last line: N passed, N failed. -k keeps existing files.
"""
import collections, json, os, re, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

import catalogue, hollow

# A few cases of each library: those that differ most.
CASES = """
bnb-nf4-llama bnb-nf4dq-float32-oddtied bnb-int8-llama bnb-nf4-qwen3_moe
fp8-128-mistralodd fp8-128-gpt_neox
compressed-W4A16-llama compressed-FP8_DYNAMIC-mixtral compressed-NVFP4A16-llama compressed-W8A8-oddtied
hqq-4g64-llama hqq-mixed-llama hqq-1g64-mixtral
quanto-int4-llama quanto-float8-mixtral
mlx-4b-llama mlx-mixed_3_6-oddtied mlx-mxfp4-qwen3_moe mlx-4b-deepseek_v3
modelopt-NVFP4_DEFAULT-llama modelopt-FP8_DEFAULT-oddtied
gptqmodel-4g64-llama gptqmodel-awq-gemm-llama gptqmodel-3g32-mixtral
autoround-auto_round-4-llama autoround-auto_gptq-4-mixtral
quark-FP8E4M3PerTensor-llama
torchao-float8wo-llama
""".split()
UNCHECKED = {  # writers and cases whose weights are not dequantized: words of the reason
    "autoround": "no function here", "modelopt": "no function here", "quark": "no function here",
    "fp8-128-mistralodd": "not divisible by scale grid",  # transformers only dequantizes whole blocks
}
LIBRARIES = 6  # minimum number of libraries that wrote something


def write_all(folder, names, keep):
    """{case: (parameters, folder, why its weights are not dequantized)}, or {case: ("-", why it is not written)}; a
    process for each library."""
    made, by = {}, collections.defaultdict(list)
    listed = os.path.join(folder, "written.json")
    if keep and os.path.exists(listed):
        made = json.load(open(listed))
    for name in names:
        if name not in made:
            by[catalogue.CASES[name][0]].append(name)
    here = os.path.dirname(os.path.abspath(__file__))
    for writer, cases in by.items():
        with open(os.path.join(folder, writer + ".log"), "w") as log:
            p = subprocess.run([sys.executable, os.path.join(here, "write.py"), folder, *cases],
                               stdout=subprocess.PIPE, stderr=log, text=True)
        for line in p.stdout.splitlines():
            name, *rest = line.split("\t")
            made[name] = rest
        for name in cases:
            made.setdefault(name, ("-", f"its process ended with {p.returncode}: {folder}/{writer}.log"))
    with open(listed, "w") as f:
        json.dump({n: m for n, m in made.items() if m[0] != "-"}, f)
    return {n: made[n] for n in names}


def reconcile(numel, path):
    p = subprocess.run([numel, "reconcile", "--json", path], capture_output=True, text=True)
    answer = json.loads(p.stdout)
    return answer.get("agrees"), (answer.get("counts") or {}).get("parameters"), p.returncode


def unlike(numel, plain, packed):
    """Each number that the library made of a weight is that which numel makes of it, to the last bit."""
    p = subprocess.run([numel, "diff", "--values", "--json", plain, packed], capture_output=True, text=True)
    found = {t["name"]: t for t in json.loads(p.stdout)["values"]["tensors"]}
    for name in json.load(open(os.path.join(plain, "unpacked.json"))):
        t = found.get(name) or {}
        if t.get("differing") != 0:
            return f"{name}: {t.get('not_compared') or t.get('differing')}"
    return None


def subject(folder):
    """numel's argument: the folder, or the only GGUF file in it."""
    files = [f for f in sorted(os.listdir(folder)) if f.endswith((".safetensors", ".gguf"))]
    return os.path.join(folder, files[0]) if files[0].endswith(".gguf") else folder


# ---- falsified copies -----------------------------------------------------------------------------------

SCALE = re.compile(r"(scales?|absmax|SCB|_scale_inv|_scale|scb|weight_scale_2)$")


def lies(folder):
    """{what: change of the tensors and of all configurations}; in place, of copies."""
    files = os.listdir(folder)
    if not any(f.endswith(".safetensors") for f in files):
        return {}
    names = hollow.names(folder)
    scales = [n for n in names if SCALE.search(n)]
    made = {}
    if scales:
        made["all scales gone"] = lambda c: c.drop(scales)
        module = scales[0][:SCALE.search(scales[0]).start()]
        made["scales of one module gone"] = lambda c: c.drop([n for n in scales if n.startswith(module)])
    for key, words in (("bits", ("bits", "num_bits", "nbits")), ("group size", ("group_size",))):
        if hollow.numbers(folder, words):
            made[f"other {key} said"] = lambda c, words=words: c.say(words, lambda n: 8 if n == 4 else n * 2 if n > 8 else 4)
    return made


def numbers_of(numel, folder, case, where, why):
    """(wrong, skipped): what is wrong with the numbers; why they are not compared, if that is expected."""
    expected = UNCHECKED.get(case) or UNCHECKED.get(catalogue.CASES[case][0])
    if why:
        return (None, why) if expected and expected in why else (why, None)
    if expected:
        return "dequantized, but UNCHECKED expects otherwise", None
    return unlike(numel, os.path.join(folder, "plain", case), where), None


def judge(numel, folder, case, made):
    """[(what, error or None)] of one case, and why its numbers are skipped, or None."""
    count, where, *why = made
    if count == "-":
        return [("written", where)], None
    found = reconcile(numel, subject(where))
    rows = [("agrees", None if found == (True, int(count), 0) else f"{found}, {count} parameters are there")]
    header = os.path.join(folder, "headers", case)
    hollow.hollow(where, header)
    found = reconcile(numel, subject(header))
    rows.append(("of its header", None if not found[0] or found[1] == int(count) else f"{found} of {count}"))
    wrong, skipped = numbers_of(numel, folder, case, where, why[0])
    if not skipped:
        rows.append(("numbers", wrong))
    for what, change in lies(header).items():
        liar = os.path.join(folder, "lies", f"{case}-{what.replace(' ', '-')}")
        hollow.altered(header, liar, change)
        found = reconcile(numel, liar)
        rows.append((what, None if not found[0] and found[2] in (1, 4) else f"{found}"))
    return rows, skipped


def main():
    arguments = [a for a in sys.argv[1:] if a != "-k"]
    numel, folder, words = arguments[0], arguments[1], arguments[2:]
    names = [n for n in CASES if not words or any(w in n for w in words)]
    os.makedirs(folder, exist_ok=True)
    made = write_all(folder, names, "-k" in sys.argv)
    with ThreadPoolExecutor(2) as pool:
        judged = list(pool.map(lambda n: judge(numel, folder, n, made[n]), names))
    passed = failed = 0
    libraries = set()
    for name, (rows, skipped) in zip(names, judged):
        if skipped:
            print(f"skipped {name}: numbers: {skipped}")
        if made[name][0] != "-":
            libraries.add(catalogue.CASES[name][0])
        for what, wrong in rows:
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"FAIL {name}: {what}: {wrong}")
    if len(libraries) < LIBRARIES and not words:
        failed += 1
        print(f"FAIL only {len(libraries)} libraries have written anything")
    print(f"interop-packed: {len(names)} cases of {len(libraries)} libraries: {', '.join(sorted(libraries))}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
