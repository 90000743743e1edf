"""Rules of the source that no compiler checks, for src and include. test/rules/laws.txt lists exceptions.

  counted    no text is printed with a precision ("%.*s"): its length is cast to int, and a name in a file may contain a NUL.
             arena_join(), text_join(), text_bare(), buffer_add() take counted texts.
  point      no printf() of a fractional number (%f %e %g): it uses the decimal point of the host's locale.
             number_real() does not. (layers.txt has the readers: strtod.)
  must       a function that returns its failure is declared NUMEL_MUST, so that ignoring it is a warning: one that takes a
             numel_error * or returns numel_rc, and one that returns the result of such a function or of an allocation.
  ignored    no (void) before a call of such a function. gcc warns about that, clang does not.
  data       no line of src/data is longer than 400 bytes: people read them. A line can be continued.

Outside src/base, whose functions compare first:

  length     no length of a text or a buffer is subtracted from (x.n - k, x.n -= k, x.n--) or computed by a
             subtraction, which could wrap. text_from(), text_less(), text_slice(), buffer_drop() clamp.

  array      no memcpy() or memmove() except of a whole variable (sizeof), no snprintf(), strcpy() and the like: FIXED(),
             text_join() and text_format() know the size of the array. cli, which cannot use base, has
             snprintf(a, sizeof a, ...), or with the size it was given if the result is never used.
  index      an array on the stack, or a parameter with a stated size, is written at a computed index only in a function
             that compares with that size: `sizeof a`, the words of its declaration, or a whole loop over fewer.

  python3 test/rules/laws.py [-u] [ROOT]     -u adds missing NUMEL_MUST
"""
import glob, os, re, sys

FUNCTION = re.compile(r"^(?P<quals>(?:NUMEL_MUST |NUMEL_API |static |inline |extern )*)"
                      r"(?P<type>(?:const )?(?:struct |enum |unsigned )?\w+(?: const)? \**)"
                      r"(?P<name>\w+)\((?P<args>[^;{}]*?)\)(?P<attributes>\s*__attribute__\(\(.*?\)\)\))?\s*(?P<end>[;{])",
                      re.M | re.S)
FORMAT = r"(?:[-+ #0]*(?:\d+|\*)?)"
FAILING = ("bool", "numel_rc", "numel_str") # and pointers
# These fill an error and always return false, so callers may ignore the result.
SAID = {"error_set", "error_setv", "error_nomem", "error_errno"}


def plain(text):
    """The text with comments and the contents of strings blanked; offsets stay the same."""
    blank = lambda m: re.sub(r"[^\n\"']", " ", m.group())
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


def uncommented(text):
    keep = lambda m: re.sub(r"[^\n]", " ", m.group()) if m.group().startswith("/*") else m.group()
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', keep, text, flags=re.S)


LENGTH = re.compile(r"(?P<less>\b\w+(?:\[\w+\])?(?:\.|->)n (?:- |-= )|\b\w+(?:\.|->)n--|--(?:\w+(?:\.|->))+n\b)|"
                    r"numel_str\)?(?: \w+ =)? ?\{(?P<made>[^{};]*?\w\)? - [^{};]*)\}")


def lengths(clean):
    """Places where a length is subtracted from, or computed by a subtraction."""
    for m in LENGTH.finditer(clean):
        yield m.start(), "".join((m.group("less") or "{" + m.group("made") + "}").split()).rstrip("-=")


COPY = re.compile(r"\b(memcpy|memmove|strcpy|strncpy|strcat|strncat|sprintf|vsprintf|snprintf|vsnprintf|stpcpy)\(")
ARRAY = re.compile(r"^\s+(?!return\b|static\b)(?:const |unsigned |struct |enum )*\w+ \**(?=[^;={(]*\[)([^;]*);", re.M)
DECLARED = re.compile(r"(?:^|, ?|\*| )(\w+)\[([^\]]+)\]")


def words_of_call(clean, at):
    """The arguments of the call whose '(' is at `at`."""
    depth, words, word = 0, [], ""
    for c in clean[at:]:
        depth += (c in "([{") - (c in ")]}")
        if depth == 0: return words + [word.strip()]
        if c == "," and depth == 1:
            words, word = words + [word.strip()], ""
        elif depth > 1 or c != "(": word += c
    return words


def copies(clean, cli):
    """Calls that may write past the end of their destination."""
    for m in COPY.finditer(clean):
        w = [" ".join(x.split()) for x in words_of_call(clean, m.end() - 1)]
        name = m.group(1)
        whole = len(w) == 3 and w[2] in ("sizeof " + w[0].lstrip("&"), "sizeof *" + w[0], "sizeof " + w[1].lstrip("&"))
        if name == "memcpy" and whole: continue
        used = re.search(r"(?:[=(,?:]|return)\s*(?:\(\w+\)\s*)?$", clean[max(0, m.start() - 40):m.start()])
        if re.search(r"\b(?:if|for|while) \([^;{}]*\)\s*$", clean[max(0, m.start() - 200):m.start()]): used = None
        if cli and name in ("snprintf", "vsnprintf") and not used and w[1:2] in (["sizeof " + w[0]], ["room"]): continue
        yield m.start(), name + "(" + "".join(w[0].split())


def indexed(f):
    """Arrays that the function writes at computed indexes without mentioning their size."""
    arrays = {}
    for m in DECLARED.finditer(f.args): arrays[m.group(1)] = m.group(2)
    for m in ARRAY.finditer(f.body):
        for d in DECLARED.finditer(re.sub(r"=\s*\{[^}]*\}", "", m.group(1))): arrays[d.group(1)] = d.group(2)
    for name, size in arrays.items():
        writes = re.findall(r"(?<![\w.>])%s\[([^\]=]*(?:\[[^\]]*\][^\]=]*)*)\](?:\.\w+)*(?:\[[^\]]*\])?\s*(?:[-+|&*/^]?=(?!=)|\+\+|--)" % name, f.body)
        if not any(re.search(r"[A-Za-z_]", re.sub(r"\b[A-Z][A-Z0-9_]+\b", "", w)) for w in writes): continue
        sizes = [r"sizeof %s\b" % name, r"\w+\(%s\)" % name] + [r"\b%s\b" % re.escape(w) for w in re.findall(r"\w+", size)]
        body = re.sub(r"(?<![\w.>])%s\[%s\]" % (name, re.escape(size)), "", f.body)
        if not any(re.search(s, body) for s in sizes): yield name


class Function:
    def __init__(self, path, text, m):
        self.path, self.at, self.line = path, m.start(), text.count("\n", 0, m.start()) + 1
        self.name, self.type = m.group("name"), m.group("type").strip()
        self.args, self.marked = m.group("args"), "NUMEL_MUST" in m.group("quals") or m.group("type").startswith("NUMEL_CALL")
        self.static = "static" in m.group("quals")
        self.defined = m.group("end") == "{"
        self.body = ""
        if self.defined:
            # clang-format: "{ all of it }" on the line, or a brace alone in column 0
            line, end = text.find("\n", m.end()), text.find("\n}", m.end())
            self.body = text[m.end():line if "}" in text[m.end():line] else end]
        # a name with its room: two static functions may have the same name
        self.key = (path, self.name) if self.static else ("", self.name)

    def may_fail(self):
        return self.type in FAILING or (self.type.endswith("*") and "FILE" not in self.type)

    def takes_error(self):
        return re.search(r"(?<!const )numel_error \*", self.args) is not None

    def returned(self):
        """Names of what return statements call."""
        calls = set()
        for r in re.findall(r"\breturn\b([^;]*);", self.body, re.S): calls.update(re.findall(r"\b(\w+)\(", r))
        return calls


def read(root):
    texts, functions = {}, []
    for path in sorted(glob.glob(root + "/src/*/*.[ch]") + glob.glob(root + "/include/*.h")):
        with open(path) as f: texts[path] = f.read()
        clean = plain(texts[path])
        functions += [Function(path, clean, m) for m in FUNCTION.finditer(clean) if m.group("type").strip() != "return"]
    return texts, functions


def failing(functions):
    """Keys of all functions that return their failure, and the functions by name and file."""
    by_key = {}
    for f in functions: by_key.setdefault(f.key, []).append(f)
    known = lambda f, name: (f.path, name) if (f.path, name) in by_key else ("", name)
    # the result of an allocator is its failure
    fails = {k for k, fs in by_key.items() for f in fs
             if k[1] not in SAID and f.may_fail() and (f.takes_error() or f.type == "numel_rc" or f.marked)}
    more = True
    while more:
        more = False
        for k, fs in by_key.items():
            if k in fails or k[1] in SAID: continue
            for f in fs:
                if not (f.may_fail() and f.body): continue
                if any(c in SAID or known(f, c) in fails for c in f.returned()):
                    fails.add(k)
                    more = True
                    break
    return fails, by_key


def entries(path):
    out = {}
    for line in open(path) if os.path.exists(path) else []:
        words = line.split(None, 3)
        if not words or words[0].startswith("#"): continue
        if len(words) < 4: sys.exit("laws.txt: FILE LAW WHAT REASON: " + line.strip())
        out[tuple(words[:3])] = False
    return out


def check(root, may):
    found = []
    texts, functions = read(root)
    fails, by_key = failing(functions)

    def say(path, line, law, what, why):
        path = os.path.relpath(path, root)
        if (path, law, what) in may: may[path, law, what] = True
        else: found.append((path, line, "%s:%d: %s: %s [%s]" % (path, line, what, why, law)))

    for path, text in texts.items():
        code, clean = uncommented(text), plain(text)
        for n, line in enumerate(code.split("\n"), 1):
            if re.search(r'%' + FORMAT + r'\.\*s', line): say(path, n, "counted", "%.*s", "a text is joined by its count")
            for string in re.findall(r'"(?:\\.|[^"\\])*"', line):
                for f in re.findall(r"%" + FORMAT + r"(?:\.(?:\d+|\*))?[efgEFGaA](?![a-z])", string.replace("%%", "")):
                    say(path, n, "point", f, "writes the decimal point of a locale")
        low = os.path.dirname(os.path.relpath(path, root)) in ("src/base", "include")
        for at, what in [] if low else lengths(clean):
            say(path, clean.count("\n", 0, at) + 1, "length", what, "is subtracted before it is compared")
        for at, what in [] if low else copies(clean, "src/cli/" in path):
            say(path, clean.count("\n", 0, at) + 1, "array", what, "writes by a length of its own")
        for m in re.finditer(r"\(void\)\s*(\w+)\(", clean):
            if (path, m.group(1)) in fails or ("", m.group(1)) in fails:
                say(path, clean.count("\n", 0, m.start()) + 1, "ignored", m.group(1), "returns its failure")
    for path in sorted(glob.glob(root + "/src/data/**", recursive=True)):
        if not os.path.isfile(path) or "__pycache__" in path: continue
        with open(path, "rb") as f: lines = f.read().split(b"\n")
        for n, line in enumerate(lines, 1):
            if len(line) > 400: say(path, n, "data", "%d bytes" % len(line), "in one line")
    for f in functions:
        low = os.path.dirname(os.path.relpath(f.path, root)) in ("src/base", "include")
        for name in indexed(f) if f.defined and not low else []:
            say(f.path, f.line, "index", f.name + ":" + name, "is written without a look at its size")
    missing = []
    for key in sorted(fails):
        first = min(by_key[key], key=lambda f: (not f.path.endswith(".h"), f.path, f.at))
        if first.marked or (key[0] == "" and not first.path.endswith(".h")): continue
        missing.append(first)
        say(first.path, first.line, "must", first.name, "returns its failure without NUMEL_MUST")
    return found, missing, texts, len(fails)


def main():
    words = [w for w in sys.argv[1:] if w != "-u"]
    root = words[0] if words else os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    may = entries(root + "/test/rules/laws.txt")
    found, missing, texts, count = check(root, may)
    if "-u" in sys.argv:
        allowed = {(p, w) for p, law, w in may if law == "must"}
        for f in sorted(missing, key=lambda f: -f.at):
            if (os.path.relpath(f.path, root), f.name) in allowed: continue
            texts[f.path] = texts[f.path][:f.at] + "NUMEL_MUST " + texts[f.path][f.at:]
            with open(f.path, "w") as out: out.write(texts[f.path])
        found, missing, texts, count = check(root, may)
    for f in found: print(f[2])
    unneeded = [e for e, needed in may.items() if not needed]
    for e in unneeded: print("laws.txt: not needed: " + " ".join(e))
    if found or unneeded: return 1
    if not count: return print("laws: no function that fails was found") or 1
    print("laws: ok (%d functions return their failure)" % count)
    return 0


if __name__ == "__main__": sys.exit(main())
