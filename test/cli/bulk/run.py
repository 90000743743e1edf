"""The scripts of docs/bulk.md give the same lines and totals as one process: they are extracted and run.

A tree of two thousand tiny llamas is made, with sets of shards, links, a set that shares files with another, a
truncated one, and unreadable files. Its totals follow from how it is made. A script whose program is missing is
reported and skipped.

    python3 test/cli/bulk/run.py            BULK=shell: without Spark and DuckDB        BULK_PYTHON: a Python with pyspark, duckdb
"""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
spec = importlib.util.spec_from_file_location("lists", os.path.join(ROOT, "test", "cli", "lists", "run.py"))
lists = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lists)
files, check = lists.files, lists.check

PYTHON = os.environ.get("BULK_PYTHON", sys.executable)
SHELL_ONLY = os.environ.get("BULK") == "shell"
MANY = 300 if SHELL_ONLY else 2000
skipped = []


def scripts():
    """{name: text} of the blocks of the document that begin with their name."""
    with open(os.path.join(ROOT, "docs", "bulk.md")) as f: blocks = re.findall(r"^```(?:sh|python|sql)\n(.*?)^```$", f.read(), re.S | re.M)
    return {re.search(r"^(?:#|--) ([a-z_]+\.(?:sh|py|sql)):", b, re.M).group(1): b for b in blocks}


def tree(root):
    """The totals of the tree, from how it is made."""
    rows, errors = lists.tree(root)
    parameters = sum(rows.values())
    for i in range(MANY): parameters += lists.one("%s/more/%03d/m%d" % (root, i % 40, i), 1 + i % 4)
    parameters += lists.several(root + "/shared/a", 4, 3) + lists.parameters(4)
    for i in (1, 2, 3):
        name = "/model-%05d-of-00003.safetensors" % i
        if i == 1: shutil.copy(root + "/shared/a" + name, files_folder(root + "/shared/b") + name)
        else: os.link(root + "/shared/a" + name, root + "/shared/b" + name)
    files.put(root + "/shared/b/config.json", lists.config(4))
    parameters += lists.one(root + "/cut", 3)
    os.truncate(root + "/cut/model.safetensors", os.path.getsize(root + "/cut/model.safetensors") - 40)
    return {"checkpoints": len(rows) + MANY + 3, "parameters": parameters, "errors": errors}


def files_folder(path):
    os.makedirs(path, exist_ok=True)
    return path


def disk(root):
    """Bytes of all weights, each file once under any number of names."""
    found = {}
    for folder, _, names in os.walk(root):
        for n in names:
            p = os.path.join(folder, n)
            if os.path.isfile(p) and not os.path.islink(p) and (n.endswith(".safetensors") or n == "0" * 64):
                found[os.stat(p).st_ino] = os.path.getsize(p)
    return sum(found.values())


def totals(lines):
    """The page's numbers, by exact arithmetic."""
    rows = [json.loads(l) for l in lines]
    good = [r for r in rows if r["schema"] == "numel.list/1"]
    verdicts = {}
    for r in good: verdicts[r["verdict"]] = verdicts.get(r["verdict"], 0) + 1
    return {"checkpoints": len(good), "parameters": sum(r["counts"]["parameters"] or 0 for r in good), "stored": sum(r["counts"]["stored"] for r in good),
            "bytes": sum(r["bytes"] for r in good), "disk": sum(r["disk_bytes"] - r["repeated_bytes"] for r in good), "verdicts": verdicts,
            "errors": len(rows) - len(good)}


def read(path):
    with open(path, "rb") as f: return f.read().splitlines(True)


class Place:
    """A folder with the scripts, in which they run."""
    def __init__(self, work):
        self.work = work
        for name, text in scripts().items(): files.put(os.path.join(work, name), text.encode())
        self.env = dict(os.environ, DATA=work + "/t", PATH=lists.B + ":" + os.environ["PATH"], PYTHONDONTWRITEBYTECODE="1")

    def run(self, words, **more):
        r = subprocess.run(words, cwd=self.work, env=dict(self.env, **more), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=900)
        check(r.returncode == 0, words, "has status", r.returncode, r.stderr[-300:])
        return r.stdout

    def sh(self, name, *words, **more): return self.run(["sh", name] + list(words), **more)
    def lines(self, name): return read(os.path.join(self.work, name))

    def clear(self):
        for n in os.listdir(self.work):
            if n.startswith("part"): os.unlink(os.path.join(self.work, n))

    def merged(self, way, wanted):
        self.sh("merge.sh")
        check(self.lines("all.ndjson") == sorted(wanted), way, "has other lines than one process")


def one(place, made):
    place.sh("one.sh")
    wanted = place.lines("one.ndjson")
    sums = totals(wanted)
    check({k: sums[k] for k in made} == made, "one process has", sums, "made were", made)
    check(sums["disk"] == disk(place.work + "/t"), "one process has", sums["disk"], "on disk are", disk(place.work + "/t"))
    check(sums["verdicts"] == {"agrees": made["checkpoints"] - 1, "incomplete": 1} or sums["verdicts"] == {"agrees": made["checkpoints"] - 1, "damaged": 1}, sums)
    os.truncate(place.work + "/one.ndjson", sum(map(len, wanted)) // 2)
    place.sh("resume.sh")
    check(place.lines("one.ndjson") == wanted, "resume.sh has other lines")
    if have("jq"): check(json.loads(place.sh("totals.sh")) == sums, "totals.sh says otherwise than", sums)
    return wanted, sums


def have(program):
    if shutil.which(program): return True
    skipped.append(program)
    return False


def by_shards(place, wanted):
    place.sh("xargs.sh")
    place.merged("xargs.sh", wanted)
    if have("parallel"):
        place.clear()
        place.sh("parallel.sh")
        place.merged("parallel.sh", wanted)
    place.clear()
    for again in (False, True):
        for i in range(1, 17):
            part = "%s/part-%d.ndjson" % (place.work, i)
            if again: os.truncate(part, os.path.getsize(part) * i // 20) # preempted
            place.sh("slurm.sh", SLURM_ARRAY_TASK_ID=str(i), SLURM_CPUS_PER_TASK="2")
        place.merged("slurm.sh", wanted)


def can_fail(place, sums):
    """A part that is missing or duplicated changes the totals; merge.sh refuses both."""
    part = place.work + "/part-7.ndjson"
    kept = [l for i in range(1, 17) if i != 7 for l in place.lines("part-%d.ndjson" % i)]
    check(totals(kept) != sums and totals(kept + 2 * read(part)) != sums, "an extra or missing part goes unnoticed")
    for change in (lambda: shutil.copy(part, place.work + "/part-17.ndjson"), lambda: (os.unlink(place.work + "/part-17.ndjson"), os.unlink(part))):
        change()
        check(subprocess.run(["sh", "merge.sh"], cwd=place.work, stderr=subprocess.DEVNULL).returncode == 1, "merge.sh accepts an extra or a missing part")
    for name in ("xargs.sh", "slurm.sh"):
        r = subprocess.run(["sh", name], cwd=place.work, env=dict(place.env, DATA="/nonexistent", SLURM_ARRAY_TASK_ID="2"), stderr=subprocess.DEVNULL)
        check(r.returncode == 3, name, "does without its folder, with status", r.returncode)


def alike(lines):
    """Without the fields that depend on a process's other names."""
    return sorted(re.sub(rb'"repeated_bytes":[0-9]+', b"", l) for l in lines)


def by_names(place, sums):
    place.sh("files.sh")
    got = totals(place.lines("files.ndjson"))
    same = ("checkpoints", "stored", "bytes", "disk")
    check({k: got[k] for k in same} == {k: sums[k] for k in same}, "files.sh has", got, "not", sums)
    if shutil.which("parallel"):
        place.sh("batches.sh")
        check(alike(place.lines("batches.ndjson")) == alike(place.lines("files.ndjson")), "batches.sh has other lines than files.sh")
    return got


def spark(place, wanted, sums):
    if not have("java"): return
    if subprocess.run([PYTHON, "-c", "import pyspark"], stderr=subprocess.DEVNULL).returncode: return skipped.append("pyspark")
    more = {"PYSPARK_PYTHON": PYTHON, "PYSPARK_DRIVER_PYTHON": PYTHON, "PYSPARK_SUBMIT_ARGS": "--master local[4] --conf spark.ui.enabled=false pyspark-shell"}
    said = place.run([PYTHON, "spark_shards.py", place.work + "/t", "out", "16"], **more)
    check(json.loads(said) == sums, "spark_shards.py says", said, "not", sums)
    check(sorted(saved(place, "out")) == sorted(wanted), "spark_shards.py has other lines than one process")


def saved(place, folder):
    return [l for n in sorted(os.listdir(place.work + "/" + folder)) if n.startswith("part-") for l in place.lines(folder + "/" + n)]


def duckdb(place, sums):
    if subprocess.run([PYTHON, "-c", "import duckdb"], stderr=subprocess.DEVNULL).returncode: return skipped.append("duckdb")
    place.clear()
    place.sh("xargs.sh")
    said = place.run([PYTHON, "-c", "import duckdb; print(*map(int, duckdb.execute(open('totals.sql').read()).fetchone()))"])
    wanted = [sums[k] for k in ("checkpoints", "parameters", "stored", "bytes", "disk", "errors")]
    check([int(w) for w in said.split()] == wanted, "totals.sql says", said, "not", wanted)


def main():
    work = tempfile.mkdtemp(prefix="numel-bulk.")
    try:
        made = tree(work + "/t")
        place = Place(work)
        wanted, sums = one(place, made)
        by_shards(place, wanted)
        by_names(place, sums)
        can_fail(place, sums)
        if not SHELL_ONLY:
            spark(place, wanted, sums)
            duckdb(place, sums)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for f in lists.failures[:40]: print("FAIL " + f)
    for s in skipped: print("skipped: %s is missing, and the scripts that need it were not run" % s)
    print("bulk: %d checkpoints, %d checks, %d failed, %d skipped" % (sums["checkpoints"], lists.count, len(lists.failures), len(skipped)))
    return 1 if lists.failures else 0


if __name__ == "__main__": sys.exit(main())
