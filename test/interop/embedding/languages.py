"""Python, Rust and Go: builds programs against docs/embedding and this build's library, and reads what the wrappers declare.

A language has a name; `absent`, why it is skipped, or None; behaves(), its complaints; declares(), see declared.py, None if there is nothing to
compare; said(), lines; block(), the output of a block of README.md, None if it cannot run.
"""
import ctypes
import os
import re
import shutil
import subprocess
import sys

import declared

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = declared.ROOT
DOCS = os.path.join(ROOT, "docs", "embedding")


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as f: return f.read()


def write(path, text):
    """Does not touch a file that already has this text, so that nothing is compiled twice."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path) and read(path) == text: return
    with open(path, "w", encoding="utf-8") as f: f.write(text)


def run(command, env, cwd=ROOT):
    r = subprocess.run(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return r.returncode, r.stdout.decode("utf-8", "replace")


def needed(command, env, cwd=ROOT):
    """Its output. A failure ends the tests."""
    status, out = run(command, env, cwd)
    if status: sys.exit("embedding: %s: %d\n%s" % (" ".join(command)[:200], status, out[-3000:]))
    return out


def installed(build, work):
    """A folder like that of `make install`: the library, and a numel.pc that names the header."""
    lib = os.path.join(work, "root", "lib")
    os.makedirs(lib, exist_ok=True)
    for name in "libnumel.so", "libnumel.so.0":
        link = os.path.join(lib, name)
        if not os.path.lexists(link): os.symlink(os.path.join(build, "libnumel.so.0"), link)
    write(os.path.join(lib, "pkgconfig", "numel.pc"), "Name: numel\nDescription: this build\nVersion: 0\nLibs: -L%s -lnumel\nCflags: -I%s/include\n"
          % (lib, ROOT))
    return lib


# ---- Python

def python_kind(t):
    if isinstance(t, type) and issubclass(t, ctypes.Structure): return "struct"
    if isinstance(t, type) and issubclass(t, ctypes.Array) and t._type_ is not ctypes.c_void_p: return "%s[%d]" % (python_kind(t._type_), t._length_)
    plain = {None: "void", ctypes.c_bool: "bool", ctypes.c_char: "char", ctypes.c_int32: "i32", ctypes.c_uint32: "u32", ctypes.c_int64: "i64",
             ctypes.c_uint64: "u64", ctypes.c_size_t: "u64"}
    return plain.get(t, "pointer")


class Python:
    name = "python"

    def __init__(self, build, work, env):
        library = os.path.join(build, "libnumel.so.0")
        self.env, self.work, self.absent = dict(env, NUMEL_LIBRARY=library, PYTHONPATH=DOCS, PYTHONDONTWRITEBYTECODE="1"), work, None
        with open(library, "rb") as f: self.sanitized = b"__asan_init" in f.read()
        if self.sanitized: self.env.update(LD_PRELOAD=self.sanitizer(), ASAN_OPTIONS="detect_leaks=0")

    @staticmethod
    def sanitizer():  # must be loaded first in a program that was built without it
        return subprocess.run(declared.CC + ["-print-file-name=libasan.so"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def declares(self):
        import numel
        structs = {name: (ctypes.sizeof(s), {f: (getattr(s, f).offset, python_kind(t)) for f, t in s._fields_}) for name, s in numel._STRUCTS.items()}
        constants = {name: {prefix + c.name: c.value for c in e if c.name != "OK"} for name, (prefix, e) in numel._ENUMS.items()}
        constants["numel_style_format"] = {"NUMEL_JSON": numel._JSON}
        constants["macro"] = {"NUMEL_NOT_KNOWN": numel.NOT_KNOWN, "NUMEL_NOWHERE": numel.NOWHERE}
        return {"structs": structs, "constants": constants, "functions": {f: [python_kind(t) for t in ts] for f, ts in numel._FUNCTIONS.items()}}

    def behaves(self, pipeline):
        status, out = run([sys.executable, os.path.join(HERE, "behaves.py"), pipeline], self.env)
        return [out[-2000:]] if status else []

    def said(self, arguments): return needed([sys.executable, os.path.join(HERE, "said.py")] + arguments, self.env).splitlines()

    def block(self, _, text):
        if ".frame()" in text and run([sys.executable, "-c", "import pandas"], self.env)[0]: return None
        return needed([sys.executable, "-c", text], self.env)


# ---- Rust

def rust_structs(text):
    """{name: [(field, type)]}"""
    found = re.finditer(r"pub struct (\w+) \{\n(.*?)^\}", text, re.S | re.M)
    return {m[1]: re.findall(r"pub (\w+): (.*),", m[2]) for m in found}


def rust_kind(t):
    t = t.strip()
    if t.startswith(("*", "Option<")): return "pointer"
    return {"usize": "u64", "c_uint": "u32", "": "void"}.get(t, t)


def rust_functions(text):
    text = text[text.index('\nextern "C" {'):]
    found = re.finditer(r"pub fn (\w+)\((.*?)\)(?: -> ([^;]+))?;", text, re.S)
    return {m[1]: [rust_kind(m[3] or "")] + [rust_kind(p.split(":")[1]) for p in m[2].split(",") if p.strip()] for m in found}


def rust_constants(ffi, values):
    """(enum, name, value as in the source)"""
    enums = {"Code": "numel_rc", "Kind": "numel_subject_kind", "State": "numel_state", "Ground": "numel_ground"}
    for m in re.finditer(r"^    (\w+): (\w+) \{(.*?)\}", values, re.S | re.M):
        for name, _ in re.findall(r"(\w+) = (\d+)", m[3]): yield enums[m[1]], m[2] + name, "numel::%s::%s.0" % (m[1], name)
    for name in re.findall(r"^pub const (\w+):", ffi, re.M): yield "numel_style_format" if name == "NUMEL_JSON" else "macro", name, name


CARGO = """[package]
name = "user"
version = "0.0.0"
edition = "2021"

[dependencies]
numel = { path = "%s/rust" }
"""


class Rust:
    name = "rust"

    def __init__(self, build, work, env):
        self.absent = None if shutil.which("cargo") and shutil.which("rustc") else "cargo is not here"
        self.folder, self.lib = os.path.join(work, "user.rs"), installed(build, work)
        self.env = dict(env, PKG_CONFIG_PATH=self.lib + "/pkgconfig", LD_LIBRARY_PATH=self.lib, RUSTFLAGS="-D warnings",
                        CARGO_TARGET_DIR=os.path.join(work, "target"))
        if self.absent: return
        if os.path.exists(self.folder + "/Cargo.lock"): os.remove(self.folder + "/Cargo.lock")  # of another version of cargo
        write(self.folder + "/Cargo.toml", CARGO % DOCS)

    def built(self, name, text):
        write("%s/src/bin/%s.rs" % (self.folder, name), text)
        needed(["cargo", "build", "--offline", "--quiet", "--bin", name], self.env, self.folder)
        return os.path.join(self.env["CARGO_TARGET_DIR"], "debug", name)

    def behaves(self, _):
        if shutil.which("rustfmt"):
            status, out = run(["rustfmt", "--check", "--edition", "2021", DOCS + "/rust/src/lib.rs", DOCS + "/rust/build.rs",
                               HERE + "/said.rs", HERE + "/types.rs"], self.env)
            if status: yield out[-1000:]
        if shutil.which("cargo-clippy"):
            self.built("said", read(HERE, "said.rs"))
            status, out = run(["cargo", "clippy", "--offline", "--quiet", "-p", "numel", "--", "-D", "warnings"], self.env, self.folder)
            if status: yield out[-1000:]

    def declares(self):
        ffi, values, source = read(DOCS, "rust/src/ffi.rs"), read(DOCS, "rust/src/values.rs"), read(HERE, "types.rs")
        structs = "\n".join("%s { %s }" % (name, " ".join(f for f, _ in inside)) for name, inside in rust_structs(ffi).items())
        constants = "\n".join("%s %s %s;" % c for c in rust_constants(ffi, values))
        program = self.built("types", source.replace("@STRUCTS@", structs).replace("@CONSTANTS@", constants))
        structs, constants = declared.read(needed([program], self.env).splitlines())
        return {"structs": structs, "constants": constants, "functions": rust_functions(ffi)}

    def said(self, arguments): return needed([self.built("said", read(HERE, "said.rs"))] + arguments, self.env).splitlines()

    def block(self, number, text): return needed([self.built("readme%d" % number, text)], self.env)


# ---- Go

class Go:
    """Declares nothing: cgo reads numel.h."""
    name = "go"

    def __init__(self, build, work, env):
        self.absent = None if shutil.which("go") and shutil.which("pkg-config") else "go or pkg-config is not here"
        self.folder, self.lib = os.path.join(work, "user.go"), installed(build, work)
        self.env = dict(env, PKG_CONFIG_PATH=self.lib + "/pkgconfig", LD_LIBRARY_PATH=self.lib, GOCACHE=os.path.join(work, "gocache"),
                        GOFLAGS="-mod=mod", GOPROXY="off", GOTOOLCHAIN="local", CGO_ENABLED="1", GODEBUG="cgocheck=1")
        if self.absent: return
        write(self.folder + "/go.mod", "module user\n\ngo 1.19\n\nrequire numel v0.0.0\n\nreplace numel => %s/go\n" % DOCS)

    def built(self, name, text):
        write("%s/%s/main.go" % (self.folder, name), text)
        needed(["go", "build", "-o", "bin/" + name, "./" + name], self.env, self.folder)
        return os.path.join(self.folder, "bin", name)

    def behaves(self, _):
        out = run(["gofmt", "-l", DOCS + "/go", HERE], self.env)[1] if shutil.which("gofmt") else ""
        if out: yield "gofmt: " + out
        status, out = run(["go", "vet", "numel"], self.env, self.folder)
        if status: yield out[-1000:]

    def declares(self): return None

    def said(self, arguments): return needed([self.built("said", read(HERE, "said.go"))] + arguments, self.env).splitlines()

    def block(self, number, text): return needed([self.built("readme%d" % number, text)], self.env)


def all(build, work, env, others):
    python = Python(build, work, env)
    yield python
    if not others: return
    for language in Rust(build, work, env), Go(build, work, env):
        if python.sanitized: language.absent = "the library needs a sanitizer"
        yield language
