"""Does test/rules/pins.py detect each kind of violation? Each is added to a valid project of two files."""
import os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT, PINS = "test/gen/make.py", "test/gen/requirements/a.txt"
SOUND = {SCRIPT: '"""Makes.\n\nPackages: %s\n"""\nimport torch\n' % PINS, PINS: "# of make.py\ntorch==2.15.0\nmlx[cpu]==0.32.4\n"}
BREACHES = (
    ("names none", {SCRIPT: '"""Makes."""\nimport torch\n'}, "imports torch and names 0"),
    ("names none, imports inside", {SCRIPT: '"""Makes."""\ndef f():\n    from timm.models import x\n'}, "imports timm and names 0"),
    ("names two", {SCRIPT: SOUND[SCRIPT].replace("Packages", "Packages: %s\nPackages" % PINS)}, "names 2"),
    ("a missing file", {SCRIPT: SOUND[SCRIPT].replace("a.txt", "b.txt")}, "b.txt does not exist"),
    ("a file of no script", {"test/gen/requirements/b.txt": "x==1\n"}, "b.txt is named by no script"),
    ("without a version", {PINS: "torch\n"}, "torch is not pinned"),
    ("at least a version", {PINS: "torch>=2.15.0\n"}, "torch>=2.15.0 is not pinned"),
    ("any of a version", {PINS: "torch==2.*\n"}, "torch==2.* is not pinned"),
)


def pins(files):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            os.makedirs(os.path.dirname(root + "/" + path), exist_ok=True)
            with open(root + "/" + path, "w") as f: f.write(text)
        r = subprocess.run([sys.executable, HERE + "/pins.py", root], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return r.returncode, r.stdout


failed = [] if pins(SOUND)[0] == 0 else ["a sound project: " + pins(SOUND)[1]]
for what, change, want in BREACHES:
    status, said = pins({**SOUND, **change})
    if status != 1 or want not in said: failed.append("%s: %d %r" % (what, status, said))
for line in failed: print("pins_test:", line)
print("pins_test: %s" % ("FAILED" if failed else "ok"))
sys.exit(1 if failed else 0)
