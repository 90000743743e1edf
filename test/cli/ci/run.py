#!/usr/bin/env python3
"""verify's output for CI, --junit and --sarif, compared with --json on the same paths.

A strict reader must accept each document (junit.py, sarif.py; Python's own parsers below them), hold each finding
with its code, severity, place and message, and be the same bytes twice and in a file; names of files and tensors
are hostile. Then output files, and proof that the readers refuse errors.

  B=build/release python3 test/cli/ci/run.py
"""
import copy, importlib.util, json, os, shutil, subprocess, sys, tempfile
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [HERE, os.path.join(HERE, "..", "..", "support")]
import files, junit, sarif

spec = importlib.util.spec_from_file_location("hostile_run", os.path.join(HERE, "..", "..", "robust", "hostile", "run.py"))
hostile = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hostile)
NUMEL = os.path.abspath(os.environ.get("B", "build/release")) + "/numel"
WORK = os.fsencode(tempfile.mkdtemp(prefix="numel-ci."))
count, failures = 0, []


def check(ok, *what):
    global count
    count += 1
    if not ok: failures.append(" ".join(str(w)[:300] for w in what))
    return ok


def numel(*words):
    p = subprocess.run([NUMEL, "verify", *words], cwd=WORK, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.returncode, p.stdout, p.stderr


# ---- paths

def plain(d):
    good = files.safetensors([("w", "F32", [4, 4]), ("b", "F32", [4])])
    hostile.put(d + b"/good/model.safetensors", good)
    hostile.put(d + b"/short/model.safetensors", good[:-9])
    hostile.put(d + b"/more/model.safetensors", good + b"\1\1\1")
    hostile.put(d + b"/not/model.safetensors", b"<html>")
    hostile.put(d + b"/pointer/model.safetensors", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4976698672\n")
    hostile.put(d + b"/shard/model-00001-of-00003.safetensors", good)
    hostile.put(d + b"/space and ]]> & <quote>'\"%41/a b?#:c.safetensors", good[:-1])
    os.makedirs(d + b"/empty")


FOLDERS = [plain, hostile.names_of_files, hostile.names_of_folders, hostile.tensors, hostile.index, hostile.lists, hostile.configuration]


def jobs():
    for make in FOLDERS:
        d = make.__name__.encode()
        make(WORK + b"/" + d)
        inside = sorted(d + b"/" + n for n in os.listdir(WORK + b"/" + d))
        yield [d]
        yield ["--strict", d]
        yield [WORK + b"/" + d, "none", d]
        if len(inside) > 1: yield inside
    yield ["plain/good"]
    yield ["--values", "-l", "hash", "plain/good", "plain/short"]
    yield ["none"]
    yield ["plain/empty"]


# ---- one document

LEVELS = ["header", "size", "index", "config", "hash", "values"]


def compare_junit(words, reports, data):
    try: root = junit.parsed(data)
    except (ValueError, ElementTree.ParseError) as e: return check(False, words, "junit:", e)
    if not check(not junit.wrong(root), words, "junit:", junit.wrong(root)): return None
    if not check(len(root) == len(reports), words, "suites", len(root), "of", len(reports)): return None
    for suite, r in zip(root, reports):
        if r["path"].isascii() and r["path"].isprintable(): check(suite.attrib["name"] == r["path"], words, suite.attrib, r["path"])
        by = {c.attrib["name"]: c for c in suite}
        if "error" in r:
            check(len(by) == 1 and by["header"].find("error").attrib["message"], words, "a path without a verdict")
            continue
        wanted = LEVELS[:LEVELS.index(r["level"]) + 1] + ["values"] * ("values" in r)
        check(list(by) == wanted, words, list(by), wanted)
        for level, case in by.items():
            mine = [f for f in r["findings"] if f["level"] == level]
            text = "".join(case.itertext())
            check(text.strip().count("\n") + 1 == len(mine) if mine else not text.strip(), words, "results of", level, text)
            check(all("%s %s " % (f["severity"], f["code"]) in text for f in mine), words, "a finding is not in", level)
            bad = any(f["severity"] == "error" for f in mine)
            broken = case.find("error") is not None
            check(bad == (case.find("failure") is not None) or broken and level == "header", words, level, "failure")
    return root


def compare_sarif(words, reports, data):
    try: log = json.loads(data.decode("utf-8"))
    except ValueError as e: return check(False, words, "sarif:", e)
    why = sarif.wrong(log) or sarif.inconsistent(log)
    if not check(not why, words, "sarif:", why): return None
    results = log["runs"][0]["results"]
    findings = [(r, f) for r in reports for f in r.get("findings", ())]
    if not check(len(results) == len(findings), words, len(results), "results of", len(findings)): return None
    for got, (r, f) in zip(results, findings):
        place = got["locations"][0]
        same = (got["ruleId"], got["level"], got["message"]["text"], place["physicalLocation"].get("region", {}).get("byteOffset"),
                place.get("logicalLocations", [{"fullyQualifiedName": ""}])[0]["fullyQualifiedName"])
        check(same == (f["code"], f["severity"], f["message"], f["offset"], f["tensor"]), words, same, f)
        path = sarif.path_of(place["physicalLocation"]["artifactLocation"]["uri"])
        check(path.decode("utf-8", "replace") == (f["file"] or r["path"]) or "\ufffd" in f["file"] + r["path"], words, path, f["file"])
        check(os.path.lexists(os.path.join(WORK, path)) or f["code"].endswith(("missing", "absent")) or path.endswith(b".spec"), words, path, "is nowhere")
    broken = sum(1 for r in reports if "error" in r or r["verdict"].startswith("no verdict"))
    check(broken == len(log["runs"][0]["invocations"][0]["toolExecutionNotifications"]), words, "notifications", broken)
    return log


def answer(words):
    status, out, said = numel("--json", *words)
    reports = json.loads(out)
    reports = reports if isinstance(reports, list) else [reports]
    kept = []
    for option, compare in (("--junit", compare_junit), ("--sarif", compare_sarif)):
        again, data, also = numel(option, "-", *words)
        check((again, also) == (status, said), words, option, "changes the status or the output", again, status)
        kept.append(compare(words, reports, data))
        file = WORK + b"/" + option[2:].encode()
        plainly = numel(*words)
        with_file = numel(option, file, *words)
        check(with_file == plainly, words, option, "FILE changes the output")
        with open(file, "rb") as f: check(f.read() == data, words, option, "file and output differ")
    return kept


# ---- output files

def places():
    good = "plain/good"
    full, part = numel("--junit", "-", good)[1], WORK + b"/plain/good"
    before = sorted(os.listdir(part))
    for option in ("--junit", "--sarif"):
        for file, why in (("no/such/folder.xml", b"folder does not exist"), ("plain", b"is a folder"), ("/dev/full", b"cannot write"),
                          ("plain/good/model.safetensors", b"not overwritten"), ("none/", b"is a folder")):
            status, out, said = numel(option, file, good)
            check(status == 3 and why in said and b"complete" in out, option, file, status, said)
    with open(part + b"/model.safetensors", "rb") as f: check(f.read() == files.safetensors([("w", "F32", [4, 4]), ("b", "F32", [4])]), "the model is replaced")
    check(sorted(os.listdir(part)) == before, "temporary files remain", os.listdir(part))
    hostile.put(WORK + b"/empty.xml", b"")
    hostile.put(WORK + b"/other.json", b'{"a": 1}')
    os.symlink("empty.xml", WORK + b"/link.xml")
    check(numel("--junit", "link.xml", good)[0] == 0 and os.path.islink(WORK + b"/link.xml"), "a link is replaced")
    with open(WORK + b"/empty.xml", "rb") as f: check(f.read() == full, "the target of a link is not written")
    check(numel("--junit", "empty.xml", "none")[0] == 3, "status of none")
    with open(WORK + b"/empty.xml", "rb") as f: check(b"<error" in f.read(), "inputs failed, but nothing is written")
    check(numel("--sarif", "other.json", good)[0] == 3, "somebody's JSON is replaced")
    check(numel("--junit", "-", "--sarif", "-", good)[0] == 2 and numel("--json", "--junit", "-", good)[0] == 2, "two documents on one output")
    check(numel("-q", "--junit", "-", good)[1] == full, "-q omits requested output")


# ---- the readers can fail

def mutants(root, log):
    broken = []
    def junit_mutant(change):
        other = copy.deepcopy(root)
        change(other)
        broken.append(junit.wrong(other))
    junit_mutant(lambda r: r.set("failures", "99"))
    junit_mutant(lambda r: r[0].set("tests", "0"))
    junit_mutant(lambda r: r[0].set("time", "1"))
    junit_mutant(lambda r: r[0][0].attrib.pop("classname"))
    junit_mutant(lambda r: ElementTree.SubElement(r[0][0], "failed"))
    junit_mutant(lambda r: next(r.iter("failure")).set("message", ""))
    def sarif_mutant(change):
        other = copy.deepcopy(log)
        change(other, other["runs"][0], other["runs"][0]["results"][0])
        broken.append(sarif.wrong(other) or sarif.inconsistent(other))
    sarif_mutant(lambda l, r, x: l.update(version="2.0.0"))
    sarif_mutant(lambda l, r, x: x.update(level="fatal"))
    sarif_mutant(lambda l, r, x: x.update(message={}))
    sarif_mutant(lambda l, r, x: x.update(ruleIndex=x["ruleIndex"] + 1))
    sarif_mutant(lambda l, r, x: x["locations"][0]["physicalLocation"]["artifactLocation"].update(uri="a b"))
    sarif_mutant(lambda l, r, x: x["locations"][0]["physicalLocation"].update(region={"byteOffset": -1}))
    sarif_mutant(lambda l, r, x: x.update(extra=1))
    sarif_mutant(lambda l, r, x: r["tool"]["driver"]["rules"].append({"id": "none"}))
    sarif_mutant(lambda l, r, x: r["invocations"][0].update(executionSuccessful=not r["invocations"][0]["executionSuccessful"]))
    for i, b in enumerate(broken): check(b, "mutant", i, "is taken")
    for data in (b"<testsuites/>", b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="\x01"/>'):
        try: check(not junit.parsed(data) and False, data, "is taken")
        except (ValueError, ElementTree.ParseError): check(True)


def main():
    kept = (None, None)
    try:
        for words in jobs():
            both = answer(words)
            if words == [b"plain"] and None not in both: kept = both
        places()
        check(kept[0] is not None, "no answer to change") and mutants(*kept)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
        shutil.rmtree(hostile.WORK, ignore_errors=True)
    for f in failures[:40]: print("FAIL " + f)
    print("ci: %d checks, %d failed" % (count, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__": sys.exit(main())
