"""docs/schema against the program's output: all output matches, everything the schemas allow occurs, and they can
fail.

Every command runs with --json on sources.py; each answer must be one document of strict JSON (for tensors and
list: one per line) that its schema accepts, whatever the status; with status 2 there is none. In reverse, each
property, each null, each enum word and each form in the schemas must occur, or be listed in unseen.txt with a
reason. Enum words match the code's own tables. Documents with one error must all be refused.

  B=build/release python3 test/cli/schema/run.py [-u] [SOURCE...]
"""
import concurrent.futures
import copy
import fnmatch
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]
import sources
import schemas
import strict

UNSEEN = os.path.join(HERE, "unseen.txt")
LONG = 12  # of longer lists, every so many elements of each form are checked: they are alike
WORDS = set()  # everything that the schemas define
failures, count = [], 0


def check(ok, *what):
    global count
    count += 1
    if not ok: failures.append(" ".join(str(w) for w in what)[:600])
    return ok


def ask(job):
    words, where = job
    words = words if "--json" in words else [words[0], "--json"] + words[1:]
    try:
        r = subprocess.run([sources.NUMEL] + words, cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           timeout=60, env=dict(os.environ, HOME=where, LC_ALL="C"))
    except subprocess.TimeoutExpired:
        return words, "hangs", b"", b""
    return words, r.returncode, r.stdout, r.stderr


# ---- documents

def thinned(value):
    """Reduces a long list to one element of each form: its keys, and the types of its values."""
    if isinstance(value, dict): return {k: thinned(v) for k, v in value.items()}
    if not isinstance(value, list): return value
    if len(value) <= LONG: return [thinned(v) for v in value]
    forms = {}
    for v in value: forms.setdefault(form(v), v)
    return [thinned(v) for v in forms.values()]


def form(v):
    if isinstance(v, dict): return tuple((k, form(x)) for k, x in v.items())
    if isinstance(v, list): return ("list",) + tuple(dict.fromkeys(map(form, v)))
    return v if isinstance(v, str) and v in WORDS else (type(v), isinstance(v, int) and v < 0)


def documents(words, status, out, said):
    """The documents of one answer; reports errors in it."""
    if status == 2 and not out:
        check(said, words, "status 2 without a message")
        return []
    if not check(status in (0, 1, 2, 3, 4, 5), words, "is", status, said[-200:]): return []
    try:
        if words[0] in ("tensors", "list") and not {"--leftovers", "--duplicates", "--totals"} & set(words): return strict.lines(out)
        found = strict.parse(out)
    except ValueError as e:
        check(False, words, "status", status, "is not JSON:", e, out[-200:])
        return []
    return found if isinstance(found, list) else [found]


def all_documents(names, work):
    """For each source: (words, document), each distinct form of a document once."""
    known = set()
    for source in sources.ALL:
        if names and source.__name__ not in names: continue
        jobs = source(work)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for words, status, out, said in pool.map(ask, list(jobs)):
                for d in documents(words, status, out, said):
                    d = thinned(d)
                    if (key := form(d)) in known: continue
                    known.add(key)
                    yield words, d


# ---- tables of the code

def tables(s):
    """The enum words in the schemas match those in the code."""
    root = sources.ROOT
    read = lambda p: open(os.path.join(root, p), encoding="utf-8").read()
    listed = lambda name: s.files["common.json"]["$defs"][name]["enum"]
    lines = re.findall(r"(?m)^\.It Li (\S+) Pq (.*)", read("docs/numel.5").split(".Sh LINE CODES")[1].split(".Sh ")[0])
    of = lambda user: {code for code, users in lines if user in [u.strip() for u in users.split(",")]}
    finding = re.findall(r'X\(\w+, "([a-z0-9-]+)", (?:ERROR|LACK|WARNING|NOTE), ', read("src/registry/finding.h"))
    error = re.findall(r'X\((\w+), \d+, "', read("include/numel.h").split("define NUMEL_ERRORS")[1].split("typedef enum")[0])
    text = re.findall(r"\.It Li (\S+)", read("docs/numel.5").split(".Sh PRINTOUTS")[1].split(".Sh ")[0])
    counter = re.findall(r'(?m)^    \{ "([^"]+)", (?:ST|GG|HF)', read("src/counters/others_rules.c"))
    statement = of("reconcile")
    for name, codes in (("code_statement", statement), ("code_diff", of("diff")), ("code_printout", of("printout")), ("code_counters", of("counters") | statement),
                        ("code_explain", of("explain") | statement), ("code_finding", set(finding)), ("code_error", set(error))):
        check(codes and codes == set(listed(name)), name, "is not the code's table:", codes ^ set(listed(name)))
    tested(finding)
    here = s.files["printout.json"]["properties"]["findings"]["items"]["properties"]["code"]["enum"]
    check(set(text) == set(here), "codes of printouts", set(text) ^ set(here))
    here = s.files["show.json"]["properties"]["others"]["items"]["properties"]["counter"]["enum"]
    check(set(counter) == set(here), "counters", set(counter) ^ set(here))


def tested(findings):
    """Each finding is in the name of a fixture, in a test, or in unseen.txt with a reason."""
    words = set()
    for folder in "fixtures/odd", "fixtures/bad", "test":
        for place, _, names in os.walk(os.path.join(sources.ROOT, folder)):
            texts = [open(os.path.join(place, n), encoding="utf-8").read() for n in names if n.endswith((".t", ".py", ".c"))]
            words.update(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", " ".join(names + texts)))
    words.update(k.split('"')[1] for k in excused() if "code_finding" in k)
    for code in findings: check(code in words, "finding", code, "is in no test and no fixture")


def described(s):
    """Each key has a description, each object is closed, each number has bounds."""
    def look(schema, where):
        if isinstance(schema, list): return [look(v, where) for v in schema]
        if not isinstance(schema, dict): return
        if "properties" in schema:
            check(schema.get("additionalProperties") is False, where, "is open")
            check(schema.get("required"), where, "requires nothing")
            for key, v in schema["properties"].items():
                check(v.get("description") or "$ref" in v, where, key, "is not described")
        if "integer" in (t if isinstance(t := schema.get("type", ""), list) else [t]): check("minimum" in schema and "maximum" in schema, where, "has no bounds")
        for k, v in schema.items(): look(v, where + "/" + k)
    for name, schema in s.files.items():
        check(schema.get("title") and schema.get("description"), name, "has no title")
        look({k: v for k, v in schema.items()}, name)


# ---- coverage

def excused():
    """{pattern: reason}: parts that no source produces."""
    with open(UNSEEN, encoding="utf-8") as f:
        rows = [l.rstrip("\n").split("\t") for l in f if l.strip() and not l.startswith("#")]
    return {r[0]: r[1] for r in rows}


def covered(s, seen, update):
    unseen = sorted(s.parts() - seen)
    known = excused()
    free = [p for p in unseen if not any(p == k or fnmatch.fnmatchcase(p, k) for k in known)]
    for p in free: check(False, "no document shows", p)
    for k in known: check(any(p == k or fnmatch.fnmatchcase(p, k) for p in unseen), "unseen.txt:", k, "is seen")
    if update: print("\n".join(free))
    return len(s.parts()), len(unseen)


# ---- the schemas can fail

def places(value, path=()):
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for k, v in items: yield from places(v, path + (k,))


def put(document, path, value):
    out = copy.deepcopy(document)
    if not path: return value
    at = out
    for k in path[:-1]: at = at[k]
    if value is DROP: del at[path[-1]]
    else: at[path[-1]] = value
    return out


DROP = object()
FREE = ("value",)  # of metadata: anything at all


def mutants(document):
    for path, value in places(document):
        if "value" in path[:-1] or path[-1:] == FREE and document.get("schema") == "numel.meta/1": continue
        if path and isinstance(path[-1], str) and not {"dtypes", "by_type"} & set(path[-2:-1]): yield "drop", path, put(document, path, DROP)
        if isinstance(value, dict) and path[-1:] != ("dtypes",): yield "strange key", path, put(document, path, {**value, "strange": 1})
        if isinstance(value, dict) and path: yield "a list", path, put(document, path, [value])
        if isinstance(value, list): yield "an object", path, put(document, path, {"0": value})
        if isinstance(value, bool): yield "a word", path, put(document, path, str(value).lower())
        elif isinstance(value, int) and path[-1] != "alpha": # a number as written in the configuration
            if path[-1] in MEASURED:
                yield from ((what, path, put(document, path, v)) for what, v in (("text", str(value)), ("list", [value])))
                continue
            for what, v in (("text", str(value)), ("fraction", value + 0.5), ("list", [value]), ("too large", 2**64)): yield what, path, put(document, path, v)
        elif isinstance(value, str): yield "a number", path, put(document, path, 5)


def can_be_absent(name, what, path):
    if name == "tensor.json" and path == ("judgement",): return what == "drop" # the first line for a checkpoint has it
    return what == "drop" and path[0] in ("others", "fits", "content", "values", "terms", "notes") and len(path) == 1


def refusals(s, kept):
    """Documents of each kind with one error; a few for each kind of error and place."""
    rng, tried = random.Random(7), {}
    for name in sorted(kept):
        done = {}
        for document in kept[name]:
            for what, path, mutant in mutants(document):
                key = what, tuple("#" if isinstance(p, int) else p for p in path)
                if can_be_absent(name, what, path) or done.get(key, 0) >= 1 or (len(path) > 3 and rng.random() < 0.5): continue
                done[key] = done.get(key, 0) + 1
                check(s.wrong(mutant, name), "%s accepts %s at %s" % (name, what, "/".join(map(str, path))))
        tried[name] = len(done)
    signs(s, kept)
    return sum(tried.values())


def signs(s, kept):
    """No count is negative, except those described as differences."""
    for name in kept:
        for document in kept[name]:
            for path, value in places(document):
                last = next((p for p in reversed(path) if isinstance(p, str)), "")
                if isinstance(value, bool) or not isinstance(value, int) or last in SIGNED or "value" in path[:-1] or (name == "meta.json" and last == "value"): continue
                check(s.wrong(put(document, path, -1), name), "%s accepts -1 at %s" % (name, "/".join(map(str, path))))


MEASURED = {"max_abs", "mean_abs", "rel_l2", "cosine", "snr_db"} # not counts: any nonnegative number
SIGNED = {"cosine", "snr_db", "alpha", "elements", "bytes", "tensors", "unexplained", "value", "difference", "declared", "found", "left", "remainder"}


# ---- all

def main():
    os.chdir(sources.ROOT)
    update, names = "-u" in sys.argv, [a for a in sys.argv[1:] if a != "-u"]
    s, seen, kept, shown = schemas.Schemas(), set(), {}, 0
    work = tempfile.mkdtemp(prefix="numel-schema.")
    for schema in s.files.values(): WORDS.update(w for _, v in places(schema) if isinstance(v, dict) and isinstance(v.get("enum"), list) for w in v["enum"])
    tables(s)
    described(s)
    try:
        for words, document in all_documents(names, work):
            shown += 1
            wrong = s.wrong(document)
            if not check(not wrong, " ".join(words)[:200], "is not what", s.name_of(document), "says:", wrong): continue
            s.see(document, seen)
            some = kept.setdefault(s.name_of(document), [])
            if len(some) < 3 or (len(some) < 6 and len(json.dumps(document, default=str)) < 3000): some.append(document)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    parts, unseen = covered(s, seen, update) if not names else (0, 0)
    refused = refusals(s, kept)
    for f in failures[:60]: print("FAIL " + f)
    print("schema: %d documents of %d kinds, %d parts of which %d are excused, %d mistakes refused; %d checks, %d failed"
          % (shown, len(kept), parts, unseen, refused, count, len(failures)))
    return 1 if failures or (not names and shown < 500) else 0


if __name__ == "__main__": sys.exit(main())
