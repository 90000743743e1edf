"""pins.py [ROOT] -- does each script that makes cases name the file that pins its packages?

A script of test/gen that imports packages outside Python and the project says `Packages: FILE`; FILE pins each package to a version
(`name==version`), and a script names every file of test/gen/requirements. Prints "pins: ok (N scripts)" or the violations.
"""
import ast, glob, os, re, sys

OWN = ("test/gen", "test/support", "test/truth", "test/interop/writers", "src/data/import", "src/data/learn")
CHECKOUTS = {"comfy"}  # not published as packages
PINNED = re.compile(r"[A-Za-z0-9_.-]+(\[\w+\])?==[0-9][0-9A-Za-z.]*$|#|$")
LOOSE = {"setuptools", "wheel"}  # tools for building others; no case depends on them


def foreign(text, known):
    """Packages that a script imports, also inside functions."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import): names |= {a.name.split(".")[0] for a in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level: names.add(node.module.split(".")[0])
    return names - set(sys.stdlib_module_names) - known - CHECKOUTS


def breaches(root):
    known = {os.path.splitext(os.path.basename(p))[0] for folder in OWN for p in glob.glob(os.path.join(root, folder, "*.py"))}
    scripts, named = 0, set()
    for path in sorted(glob.glob(os.path.join(root, "test/gen/*.py")) + glob.glob(os.path.join(root, "src/data/import/mktimm.py"))):
        with open(path, encoding="utf-8") as f: text = f.read()
        said = re.findall(r"(?m)^Packages: (\S+)$", text)
        named |= set(said)
        scripts += bool(said)
        if len(said) > 1 or (foreign(text, known) and not said): yield "%s imports %s and names %d files of them" % (path, ", ".join(sorted(foreign(text, known))), len(said))
    for file in sorted(named | {os.path.relpath(p, root) for p in glob.glob(os.path.join(root, "test/gen/requirements/*"))}):
        if file not in named: yield file + " is named by no script"
        if not os.path.exists(os.path.join(root, file)): yield file + " does not exist"
        else:
            with open(os.path.join(root, file), encoding="utf-8") as f: lines = [x.strip() for x in f]
            for x in lines:
                if x not in LOOSE and not PINNED.match(x): yield "%s: %s is not pinned" % (file, x)
    if not scripts: yield "no script names a file"
    print("pins: %d scripts" % scripts)


if __name__ == "__main__":
    wrong = list(breaches(sys.argv[1] if sys.argv[1:] else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")))
    for line in wrong: print("pins:", line)
    sys.exit(1 if wrong else 0)
