"""One file, many commands: their results must not contradict each other.

Cases are those of neighbours.py, correct and altered: one of each kind, or many (-a). Every command with a verdict
runs on each, in text, in JSON and with -q. Invariants: the status is the same in all formats; `agrees`, `in_part`
and the status of reconcile are consistent; a list's row, the sentence in `show` and verify's level `config` match
reconcile; lines of a statement add up to the stored total, as do types, grounds, components and lines of
`tensors`; memory uses the weights in the file; identify and show recognise the same adapters. `show`, `meta`,
`tensors`, `hash`, `identify` and `diff` have the same object `judgement`. Further cases are a truncated file, a
model without its config.json, and one with another's configuration.

  B=build/release python3 test/truth/contradict.py [-a] [KIND...]      -a: one case in several, and more altered ones
"""
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path += [os.path.join(ROOT, "test", "truth")]
import neighbours
from neighbours import NUMEL, put

EVERY = "-a" in sys.argv
SEED = os.environ.get("SEED", "x")
ONE_OF = {"transformers": 150, "diffusers": 90, "timm": 60, "open_clip": 30, "single": 15, "adapters": 12, "training": 9, "pipelines": 4, "sentence-transformers": 4}
HASHED = 1 << 26  # bytes: `hash` reads everything, so it is skipped for more
WORDS = {0: "agrees", 1: "disagrees", 4: "in part"}


def run(*args):
    p = subprocess.run([NUMEL, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    return p.returncode, p.stdout.decode(errors="replace")


def documents(text):
    doc = json.loads(text)
    return doc if isinstance(doc, list) else [doc]


class Said:
    """Every command's result for a folder, and the errors in it."""

    def __init__(self, path):
        self.path, self.wrong = path, []
        self.status, self.json, self.text = {}, {}, {}
        for words in ("show",), ("reconcile",), ("verify",), ("verify", "--level", "config"), ("memory",), ("identify",), ("list",):
            self.ask(*words)
        self.same = self.judgements()

    def check(self, ok, *what):
        if not ok: self.wrong.append(" ".join(str(w) for w in what)[:300])

    def ask(self, *words):
        name = " ".join(words)
        self.status[name], self.text[name] = run(*words, self.path)
        status, text = run(*words, "--json", self.path)
        self.json[name] = [json.loads(x) for x in text.splitlines()] if name == "list" else documents(text) if text else []
        quiet = run(*words, "-q", self.path)[0] if name != "identify" else status
        self.check(self.status[name] == status == quiet, name, "has status", self.status[name], "with --json", status, "with -q", quiet)

    def judge(self):
        self.all_judge_alike()
        docs = self.json["reconcile"]
        whole = docs[-1] if docs else {}
        for doc in docs:
            if doc["schema"] == "numel.reconcile/1": self.statement(doc)
        if whole.get("schema") == "numel.components/1": self.components(docs)
        elif len(docs) == 1 and "agrees" in whole: self.single(whole)
        if docs and self.status["reconcile"] in WORDS:
            self.one_judgement(whole)
            self.verdicts(whole)
            self.counts()
        return self.wrong

    def statement(self, doc):
        lines = doc["statement"]
        if lines: self.check(sum(l["elements"] for l in lines) == doc["stored"], "the statement adds up to", sum(l["elements"] for l in lines), "of", doc["stored"])
        off = [k for k in ("missing", "unexpected", "mismatched", "contradictions", "unchecked") if doc[k]]
        rests = doc["ground"]["name"] + doc["ground"]["none"]
        if doc["agrees"]: self.check(not off and not rests and not doc["unexplained"] and not doc["in_part"], "agrees with", off, doc["ground"], doc["unexplained"])
        if doc["agrees"] is None: self.check(not doc["missing"] and (rests or not doc["adapter"]), "null, with", off, doc["ground"])
        if doc["in_part"]: self.check(doc["agrees"] is False, "in part, and agrees:", doc["agrees"])
        words = doc["verdict"].split(":")[0]
        said = "agrees" if doc["agrees"] else "agrees in part" if doc["in_part"] else None
        self.check(words == said if said else not words.startswith("agrees"), "verdict", doc["verdict"], "for", said)
        c = doc["counts"]
        if c and None not in (c["unique"], c["parameters"], c["buffers"]): self.check(c["parameters"] + c["buffers"] <= c["unique"] <= c["logical"], "counts", c)
        if c and None not in (c["active"], c["parameters"], c["non_embedding"]): self.check(c["active"] <= c["parameters"] and c["non_embedding"] <= c["parameters"], "counts", c)

    def single(self, doc):
        broken = doc["verdict"].startswith("invalid configuration")
        status = 0 if doc["agrees"] else 4 if (doc["in_part"] or doc["agrees"] is None) and not broken else 1
        self.check(self.status["reconcile"] == status, "status", self.status["reconcile"], "for agrees", doc["agrees"], "in part", doc["in_part"])

    def components(self, docs):
        whole = docs[-1]
        rows = [c for c in whole["components"] if c["counted"]]
        for key in "tensors", "stored", "bytes": self.check(sum(c[key] or 0 for c in rows) == whole["total"][key], "components add up to", sum(c[key] or 0 for c in rows), key, "of", whole["total"])
        status = {"agrees": 0, "in part": 4, "unknown": 4}.get(whole["verdict"], 1)
        self.check(self.status["reconcile"] == status, "status", self.status["reconcile"], "for", whole["verdict"])
        if status == 0: self.check(all(c["verdict"] == "agrees" for c in rows), "agrees with", [c["verdict"] for c in rows])
        else: self.check(not all(d.get("agrees") for d in docs[:-1]) or whole.get("around") or self.status["verify --level config"], "not one disagrees, and yet", whole["verdict"])
        shown = self.json["show"][-1]
        self.check(shown["verdict"] == whole["verdict"] and shown["components"] == whole["components"], "show says", shown["verdict"], "reconcile", whole["verdict"])

    def one_judgement(self, whole):
        """The object `judgement` is the same wherever it is printed; list does not search, nor does show for a set
        of files."""
        own = whole["judgement"]
        for name in "show", "verify --level config", "verify", "memory", "list":
            if len(self.json[name]) != 1 and name == "list": continue
            said = self.json[name][-1].get("judgement") if self.json[name] else None
            searched = said and name in ("show", "list", "memory") and said["known_by"] is None and own["known_by"] in (None, "names and shapes")
            self.check(not said or searched or said == own, name, "judges", said, "reconcile", own)

    def judgements(self):
        """{command: {path: judgement}} for the commands that judge a checkpoint as show does; for a pipeline, each
        component."""
        docs = lambda *words: documents(out) if (out := run(*words, "--json", self.path)[1]) else []
        out = {"meta": {d["path"]: d["judgement"] for d in docs("meta") if "judgement" in d}}
        if sum(os.path.getsize(os.path.join(h, n)) for h, _, names in os.walk(self.path) for n in names) < HASHED:
            out["hash"] = {m["path"]: m["judgement"] for d in docs("hash") for m in d.get("models", ())}
        lines = [json.loads(x) for x in run("tensors", "--json", self.path)[1].splitlines()]
        first = [d for d in lines if "judgement" in d]
        out["tensors"] = {m: d["judgement"] for m, d in zip(out["meta"], first)}
        self.check(len(first) in (0, len(out["meta"])), "tensors has", len(first), "judgements of", len(out["meta"]))
        out["identify"] = {f["path"]: f["judgement"] for d in self.json["identify"] for f in d["files"] if f["judgement"]}
        if len(out["meta"]) == 1:
            for d in docs("diff", self.path):
                for side in ("a", "b"): out["diff " + side] = {d[side]["path"]: d[side]["judgement"]} if side in d else {}
        return out

    def all_judge_alike(self):
        """Each path's judgement equals that of show on the path."""
        for command, of in self.same.items():
            for path, said in of.items():
                if (path, "show") not in self.text:
                    text = run("show", "--json", path)[1]
                    self.text[path, "show"] = documents(text)[-1].get("judgement") if text else None
                own = self.text[path, "show"]
                # diff searches, as reconcile does; show sometimes does not
                searched = command.startswith("diff") and own and own["known_by"] is None and said["known_by"] in (None, "names and shapes")
                self.check(said == own or searched, command, "judges", said, "show", own, "of", path)

    def verdicts(self, whole):
        status = self.status["reconcile"]
        rows = self.json["list"]
        if len(rows) == 1:
            word = rows[0]["verdict"]
            allowed = {0: ("agrees",), 1: ("disagrees", "incomplete", "damaged"), 4: ("in part", "unknown")}[status]
            searched = word == "unknown" and not rows[0]["architecture"] and not rows[0]["adapter"]  # nor does list
            self.check(word in allowed or searched, "list says", word, "reconcile", status)
        config = self.status["verify --level config"]
        self.check(config == status or config == 1, "verify --level config has status", config, "reconcile", status)
        self.check(status or config == 0 or any(f["severity"] == "error" for d in self.json["verify"] for f in d["findings"]), "verify reports a finding where reconcile agrees")
        self.check(self.status["verify"] in (0, 1), "verify has status", self.status["verify"])
        shown = [l for l in self.text["show"].splitlines() if l.startswith("verdict ")]
        if shown:
            said = shown[-1].split(None, 1)[1]
            word = "agrees in part" if said.startswith("agrees in part") else said.split()[0].rstrip(":;")
            allowed = {0: ("agrees",), 1: ("disagrees", "incomplete", "damaged"), 4: ("agrees in part", "in", "unknown")}[status]
            self.check(word in allowed, "show says", said, "status", status)

    def counts(self):
        shown = self.json["show"][-1]
        if shown["schema"] != "numel.show/1": return
        if not shown["architecture"] and not shown["adapter"]: return  # show and tensors try no specification that nothing names
        told = self.json["reconcile"][-1]
        for key in "ground", "adapter", "quantization", "solutions": self.check(shown[key] == told[key] or key == "adapter" and bool(shown[key]) == bool(told[key]), "show has", key, shown[key], "reconcile", told[key])
        for key, value in (told["counts"] or {}).items(): self.check(shown["counts"][key] == value, "show counts", key, shown["counts"][key], "reconcile", value)
        counts = shown["counts"]
        self.check(sum(d["elements"] for d in shown["dtypes"].values()) == counts["stored"], "types add up to another number than", counts)
        self.check(sum(d["tensors"] for d in shown["dtypes"].values()) == counts["tensors"], "types have another number than", counts)
        self.check(sum(g["elements"] for g in shown["groups"]) == counts["stored"], "groups add up to", sum(g["elements"] for g in shown["groups"]), "of", counts)
        self.check(sum(shown["ground"].values()) in (0, counts["tensors"]), "grounds", shown["ground"], "of", counts)
        row = self.json["list"]
        searched = shown["judgement"]["known_by"] == "names and shapes" and len(row) == 1 and row[0]["judgement"]["known_by"] is None
        rows = [json.loads(x) for x in run("tensors", "--json", self.path)[1].splitlines()]
        self.check(len(rows) == counts["tensors"] and sum(r["elements"] for r in rows) == counts["stored"], "tensors has", len(rows), "of", counts)
        grounds = collections.Counter(r["ground"] for r in rows)
        if any(shown["ground"].values()) and not searched: self.check(all(grounds[k] == v for k, v in shown["ground"].items()), "tensors rest on", dict(grounds), "show", shown["ground"])
        if len(row) == 1:
            self.check(row[0]["counts"]["stored"] == counts["stored"] and row[0]["counts"]["tensors"] == counts["tensors"], "list counts", row[0]["counts"], "show", counts)
            own = shown["adapter"]["parameters"] if shown["adapter"] else counts["parameters"]
            self.check(row[0]["counts"]["parameters"] == own or searched, "list has", row[0]["counts"]["parameters"], "parameters, show", own)
        what = [f["description"] for d in self.json["identify"] for f in d["files"] if f["kind"] == "weights"]
        if shown["adapter"] and what: self.check(all("adapter" in w or "embedding" in w or "hypernetwork" in w for w in what), "identify says", what, "show an adapter")
        if not shown["adapter"]: self.check(not any("adapter (" in w for w in what), "identify says", what, "show no adapter")
        weighed = self.json["memory"]
        if len(weighed) == 1 and self.status["memory"] == 0:
            self.check(sum(t["bytes"] for t in weighed[0]["weights"]["by_type"].values()) == weighed[0]["weights"]["bytes"], "memory's types do not add up")
            self.check(weighed[0]["weights"]["bytes"] <= sum(d["bytes"] for d in shown["dtypes"].values()), "memory counts more weights than exist")


def altered(kind, name, files):
    """The case, and a few of its neighbours: different ones for each case."""
    yield "as it is", "", files
    rng = random.Random(name)
    others = [*neighbours.of_tensors(name, files, 1), *neighbours.of_configs(name, files, 1), *neighbours.of_folder(kind, files)]
    yield from rng.sample(others, min(len(others), 4 if EVERY else 1))
    bare = {f: x for f, x in files.items() if f.endswith(".safetensors")}
    yield "cut", "", files
    if len(bare) < len(files): yield "no configuration", "", bare
    if "config.json" in files: yield "another's configuration", "", {**files, "config.json": OTHER[kind == "transformers"]}


# A small model outside the cases; a model of transformers, of another library.
OTHER = ({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 48, "intermediate_size": 80, "num_attention_heads": 4, "num_hidden_layers": 3, "vocab_size": 97},
         {"_class_name": "AutoencoderKL", "block_out_channels": [32], "down_block_types": ["DownEncoderBlock2D"], "up_block_types": ["UpDecoderBlock2D"], "latent_channels": 4, "in_channels": 3, "out_channels": 3})


def cut(folder):
    """Each weight file is truncated: half of its data, or its last byte."""
    for here, _, names in os.walk(folder):
        for name in names:
            if not name.endswith(".safetensors"): continue
            path = os.path.join(here, name)
            with open(path, "rb") as f: header = 8 + int.from_bytes(f.read(8), "little")
            size = os.path.getsize(path)
            if size > header: os.truncate(path, max(header, size - max(1, (size - header) // 2)))


def main():
    kinds = [w for w in sys.argv[1:] if not w.startswith("-")]
    cases, wrong, met = 0, 0, set()
    with tempfile.TemporaryDirectory() as work:
        for kind, name, files in neighbours.cases():
            if kinds and kind not in kinds or zlib.crc32((SEED + name).encode()) % (ONE_OF[kind] // 3 if EVERY else ONE_OF[kind]): continue
            if not EVERY and kind in met: continue
            met.add(kind)
            for what, where, other in altered(kind, name, files):
                folder = os.path.join(work, "f")
                put(folder, other)
                if what == "cut": cut(folder)
                cases += 1
                for sentence in Said(folder).judge():
                    wrong += 1
                    print("FAIL", kind, "|", name, "|", what, where, "|", sentence.replace(work, ""), flush=True)
                shutil.rmtree(folder)
    print("contradict: %d folders, %d contradictions" % (cases, wrong))
    return bool(wrong or not cases)


if __name__ == "__main__": sys.exit(main())
