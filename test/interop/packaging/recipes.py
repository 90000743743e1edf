#!/usr/bin/env python3
"""Dockerfile, formula, PKGBUILD and conda recipe of docs/packaging: linted if the linter is installed, else parsed; built.sh builds.
Each states numel.h's version and the same licence, needs the same libraries, uses existing targets and files, and has a placeholder
for its source. Altered copies must be refused."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

os.chdir(os.path.dirname(os.path.abspath(__file__)) + "/../../..")
HERE = "docs/packaging/"
LINTERS = "build/linters/bin/"  # run.sh installs them
HADOLINT = shutil.which("hadolint") or shutil.which(LINTERS + "hadolint")
RENDERER = shutil.which(LINTERS + "python")
bad = []


def fail(what):
    bad.append(what)
    print("recipes: FAIL " + what)


def read(path):
    with open(path) as f: return f.read()


def text_of(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode: raise ValueError(" ".join(command) + ": " + done.stdout[:1000])
    return done.stdout


header = read("include/numel.h")
VERSION = ".".join(re.search(r"#define NUMEL_VERSION_%s (\d+)" % part, header)[1] for part in ("MAJOR", "MINOR", "PATCH"))
MAKE = "".join(read(f) for f in ("Makefile", HERE + "packaging.mk"))
TARGETS = set(re.findall(r"(?m)^([a-z][a-z-]*):", MAKE))


def stated(facts):
    """The errors in a recipe's {version, url, licence, needs}."""
    if facts["version"] != VERSION: yield "version %s, numel.h has %s" % (facts["version"], VERSION)
    if not facts["url"].startswith("https://example.org/"): yield "the source %s is not the placeholder" % facts["url"]
    if facts["licence"] != "MIT": yield "licence " + facts["licence"]
    needs = {re.sub("@.*", "", n) for n in facts["needs"]}
    if not {"cjson", "zstd", "openssl", "ncurses"} <= needs: yield "it needs only %s" % sorted(needs)


def targets(text):
    """Make targets that a recipe names but that do not exist."""
    for words in re.findall(r'(?m)(?:^|[ "])make["\s,]+([^\n&|]*)', text):
        for w in re.findall(r'(?<![\w/.=$@{#-])[a-z][a-z-]+(?![\w=./-])', words):
            if w not in TARGETS: yield "make has no target " + w


def formula(path):
    ruby = json.loads(text_of(["ruby", "test/interop/packaging/formula.rb", path]))
    url = ruby["url"][0]
    yield from stated({"version": re.search(r"/v([\d.]+)\.tar", url)[1], "url": url, "licence": ruby["license"][0], "needs": ruby["depends_on"]})
    if len(ruby["desc"][0]) > 80 or not ruby["test"]: yield "desc or test"
    if not re.fullmatch("[0-9a-f]{64}", ruby["sha256"][0]): yield "sha256"
    yield from targets(read(path).replace('", "', " "))


def pkgbuild(path):
    script = ('. "$0"; for v in pkgver url license source; do declare -n a=$v; echo "$v=${a[0]}"; done; echo "needs=${depends[*]}"; '
              'declare -f build check package >/dev/null && [ ${#source[@]} = ${#sha256sums[@]} ]')
    facts = dict(line.split("=", 1) for line in text_of(["bash", "-euc", script, path]).splitlines())
    if not facts["source"].endswith("/archive/v%s.tar.gz" % facts["pkgver"]): yield "source " + facts["source"]
    yield from stated({"version": facts["pkgver"], "url": facts["url"], "licence": facts["license"], "needs": facts["needs"].split()})
    yield from targets(read(path).replace("_make ", "make "))
    if shutil.which("shellcheck"): text_of(["shellcheck", "-s", "bash", "-e", "SC2034,SC2154,SC2164", path])


def conda(path):
    recipe = yaml.safe_load(read(path))
    if recipe.get("schema_version") != 1: yield "schema_version"
    url = recipe["source"]["url"].replace("${{ version }}", recipe["context"]["version"])
    yield from stated({"version": recipe["context"]["version"], "url": url, "licence": recipe["about"]["license"], "needs": recipe["requirements"]["host"]})
    if not os.path.exists(recipe["about"]["license_file"]): yield "no " + recipe["about"]["license_file"]
    for section in ("package", "build", "tests"):
        if not recipe.get(section): yield "no section " + section
    yield from targets("\n".join(recipe["build"]["script"]))
    if RENDERER:
        variants = json.loads(text_of([RENDERER, "test/interop/packaging/rendered.py", path]))
        if [v["source"][0]["url"] for v in variants] != [url]: yield "rendered: %s" % variants


def dockerfile(path):
    if HADOLINT: text_of([HADOLINT, path])
    steps = [s for s in re.sub(r"\\\n", " ", re.sub(r"(?m)^#.*\n", "", read(path))).splitlines() if s]
    stages = [s.split()[-1] for s in steps if s.startswith("FROM ")]
    for s in steps:
        word, *words = s.split()
        if word not in ("FROM", "RUN", "COPY", "WORKDIR", "USER", "ENTRYPOINT", "CMD"): yield "instruction " + word
        if word == "COPY" and words[0].startswith("--from="):
            if words[0][7:] not in stages: yield "no stage " + words[0]
        elif word == "COPY": yield from ("no " + w for w in words[:-1] if not os.path.exists(w))
        if word in ("ENTRYPOINT", "CMD") and not isinstance(json.loads(s[len(word):]), list): yield word
    if not steps[0].startswith("FROM "): yield "does not begin with FROM"
    yield from targets("\n".join(s for s in steps if s.startswith("RUN make")))


# A recipe, its judge, its requirements, and alterations that the judge must refuse.
RECIPES = (
    (HERE + "homebrew/numel.rb", formula, "ruby", ((VERSION, "9.9.9"), ("install-tool", "install-toll"), ('  depends_on "zstd"\n', ""), ("end\nend", "end"), ("example.org", "example.com"))),
    (HERE + "arch/PKGBUILD", pkgbuild, "bash", ((VERSION, "9.9.9"), ("_make all", "_make everything"), ("(SKIP)", "()"), ("cjson curl ncurses", "curl ncurses"), ("package()", "packages()"))),
    (HERE + "conda/recipe.yaml", conda, "yaml", ((VERSION, "9.9.9"), ("make install ", "make instal "), ("docs/LICENSE", "LICENSE"), ("    - openssl\n", ""), ("schema_version: 1", "schema_version: 1: 2"), *([("  number: 0", "  numbers: 0")] if RENDERER else []))),
    (HERE + "docker/Dockerfile", dockerfile, "", (("make static", "make statics"), ("COPY docs", "COPY doc"), ("from=build", "from=built"), ('["/numel"]', '"/numel"'), *([("install -y", "install")] if HADOLINT else []))),
)


def judged(judge, path):
    try: return list(judge(path))
    except Exception as e: return ["%s: %s" % (type(e).__name__, e)]


try: import yaml
except ImportError: yaml = None
for path, judge, tool, alterations in RECIPES:
    name = os.path.basename(path)
    if tool and not (yaml if tool == "yaml" else shutil.which(tool)):
        print("recipes: %s skipped, %s is not installed" % (name, tool))
        continue
    if judge is dockerfile and not HADOLINT: print("recipes: hadolint skipped, it is not installed")
    if judge is conda and not RENDERER: print("recipes: rattler-build skipped, it is not installed")
    for wrong in judged(judge, path): fail("%s: %s" % (name, wrong))
    for old, new in alterations:
        with tempfile.TemporaryDirectory() as work:
            text = read(path)
            if old not in text: fail("%s has no %r to alter" % (name, old))
            with open(work + "/" + name, "w") as f: f.write(text.replace(old, new))
            if not judged(judge, work + "/" + name): fail("%s: accepted with %r for %r" % (name, new, old))
if not bad: print("recipes: ok")
sys.exit(bool(bad))
