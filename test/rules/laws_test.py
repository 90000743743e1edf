"""Does test/rules/laws.py detect each kind of violation? Each is added to a valid source of a few lines."""
import os, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOUND = {
    "include/numel.h": "NUMEL_API NUMEL_MUST numel_rc numel_open(int way);\n",
    "src/low/low.h": "NUMEL_MUST bool low_read(int fd, numel_error *e);\nNUMEL_MUST void *low_room(size_t n);\nint low_size(void);\n",
    "src/low/low.c": "NUMEL_MUST static bool inner(struct low *l)\n{\n    return l->p || error_nomem(l->error);\n}\n\n"
                     "bool low_read(int fd, numel_error *e)\n{\n    return fd > 0 && error_free(e);\n}\n\n"
                     "static bool is_large(const struct low *l)\n{\n    return l->n > 10; /* error_nomem() is not called */\n}\n\n"
                     "static void say(const char *text)\n{\n    printf(\"%s %.10s 100%% error_nomem(\", text, text);\n}\n",
    "test/rules/laws.txt": "# none\n",
}
LOW = "src/low/low.c"
# the addition, its file, the expected message
BREACHES = [
    ("a long line of data", "src/data/classes/a.table", "x" * 401 + "\n", "[data]"),
    ("a precision", LOW, 'static void f(void)\n{\n    printf("%.*s", 3, "abc");\n}\n', "[counted]"),
    ("a precision after a width", LOW, 'static void f(void)\n{\n    printf("%-20.*s", 3, "abc");\n}\n', "[counted]"),
    ("a fraction", LOW, 'static void f(double d)\n{\n    printf("%g", d);\n}\n', "[point]"),
    ("a fraction, cut", LOW, 'static void f(double d)\n{\n    printf("a %5.2f", d);\n}\n', "[point]"),
    ("an error taken", LOW, "static bool f(numel_error *e)\n{\n    return true;\n}\n", "f: returns its failure without NUMEL_MUST"),
    ("an error taken, in a header", "src/low/low.h", "void *low_more(int a,\n               numel_error *e);\n", "low_more: returns"),
    ("a code", "include/numel.h", "NUMEL_API numel_rc numel_more(void);\n", "numel_more: returns"),
    ("out of memory", LOW, "static bool f(struct low *l)\n{\n    return error_nomem(l->error);\n}\n", "f: returns"),
    ("another one's result", LOW, "static bool f(struct low *l)\n{\n    if (l->n) return true;\n    return l->n && inner(l);\n}\n", "f: returns"),
    ("a third one's result", LOW, "static bool g(struct low *l);\nstatic bool f(struct low *l) { return g(l); }\n"
     "static bool g(struct low *l) { return inner(l); }\n", "f: returns"),
    ("a pointer", LOW, "static char *f(void) { return low_room(3); }\n", "f: returns"),
    ("a cast", LOW, "static void f(struct low *l)\n{\n    (void)inner(l);\n}\n", "inner: returns its failure [ignored]"),
    ("a cast, of a header's", LOW, "static void f(void)\n{\n    (void) low_read(3, 0);\n}\n", "low_read: returns its failure [ignored]"),
    ("a length that shrinks", LOW, "static void f(numel_str s) { s.n -= 3; }\n", "s.n: is subtracted before it is compared [length]"),
    ("a length that shrinks by one", LOW, "static void f(numel_str *s) { while (s->n) s->n--; }\n", "[length]"),
    ("a length that shrinks first", LOW, "static bool f(struct low *l) { return --l->name.n; }\n", "[length]"),
    ("a shorter length", LOW, "static void f(numel_str s) { g(s.p, s.n - 1); }\n", "s.n: is subtracted"),
    ("the last byte", LOW, "static char f(const numel_str *s) { return s->p[s->n - 1]; }\n", "s->n: is subtracted"),
    ("a text made shorter", LOW, "static void f(const char *p, size_t n) { g((numel_str){ p + 1, n - 1 }); }\n", "{p+1,n-1}: is subtracted"),
    ("a text declared shorter", LOW, "static void f(const char *p, const char *q) { numel_str s = { p, (size_t)(q - p) }; }\n", "[length]"),
    ("a copy of so many bytes", LOW, "static void f(const char *p, size_t n) { char a[8]; memcpy(a, p, n); }\n", "memcpy(a: writes by a length of its own [array]"),
    ("a copy to after the start", LOW, "static void f(char *out, const char *p) { memcpy(out + 4, p, 4); }\n", "[array]"),
    ("a move", LOW, "static void f(char *p, size_t n) { memmove(p, p + 1, n); }\n", "[array]"),
    ("a copy up to a NUL", LOW, "static void f(const char *p) { char a[8]; strcpy(a, p); }\n", "strcpy(a: "),
    ("text after text", LOW, "static void f(const char *p) { char a[8] = \"\"; strcat(a, p); }\n", "strcat(a: "),
    ("a format", LOW, "static void f(int n) { char a[8]; snprintf(a, sizeof a, \"%d\", n); }\n", "snprintf(a: "),
    ("a format of cli, whose result is used", "src/cli/c.c", "static void f(int n) { char a[8]; n += snprintf(a, sizeof a, \"%d\", n); }\n", "[array]"),
    ("a format of cli with another size", "src/cli/c.c", "static void f(char *p, int n) { snprintf(p + n, 8 - n, \"%d\", n); }\n", "[array]"),
    ("a computed place", LOW, "static void f(const char *p)\n{\n    char a[8];\n    size_t n = 0;\n    while (*p) a[n++] = *p++;\n}\n", "f:a: is written without a look at its size [index]"),
    ("a computed place of a parameter", LOW, "static void f(char out[SIZE], numel_str s)\n{\n    for (size_t i = 0; i < s.n; i++) out[i] = s.p[i];\n}\n", "f:out: is written"),
    ("a computed place of numbers", LOW, "static void f(const struct low *l)\n{\n    uint64_t dims[DIMS] = { 0 };\n    for (size_t i = 0; i < l->n; i++) dims[i] = l->dims[i];\n}\n", "f:dims: is written"),
    ("a member of a computed place", LOW, "static void f(struct low *l)\n{\n    struct low all[FEW];\n    all[l->n].n += 1;\n}\n", "f:all: is written"),
    ("an unnecessary exception", "test/rules/laws.txt", "src/low/low.c counted %.*s its reason\n", "not needed"),
    ("an exception without a reason", "test/rules/laws.txt", "src/low/low.c counted %.*s\n", "FILE LAW WHAT REASON"),
]
# not violations
SOUNDS = [
    ("a line of data of 400 bytes", "src/data/classes/a.table", "x" * 400 + "\n"),
    ("an error that is only read", LOW, "static bool f(const numel_error *e) { return e->code == 0; }\n"),
    ("nothing returned", LOW, "static void f(numel_error *e) { e->code = 1; }\n"),
    ("a comment", LOW, '/* "%.*s", %g, (void)inner(l); */\n'),
    ("a share", LOW, 'static void f(void)\n{\n    printf("3 %% e");\n}\n'),
    ("a variable", LOW, "static void f(int inner)\n{\n    (void)inner;\n}\n"),
    ("another one of that name", "src/low/other.c", "static bool inner(int a) { return a > 3; }\nstatic void g(void) { (void)inner(4); }\n"),
    ("a sum of lengths", LOW, "static void f(numel_str s, numel_str t) { g((numel_str){ s.p, s.n }, s.n + t.n); }\n"),
    ("an offset of a text", LOW, "static void f(numel_str s) { numel_str t = { s.p + 1, 1 }; size_t n = strlen(s.p) - 1; }\n"),
    ("a length in a comment", LOW, "/* s.n - 1, s.n--, (numel_str){ p, n - 1 } */\n"),
    ("a length in base", "src/base/text.c", "static void f(numel_str s) { if (s.n > 3) s.n -= 3; }\n"),
    ("a copy of a variable", LOW, "static void f(double d) { uint64_t bits; memcpy(&bits, &d, sizeof bits); }\n"),
    ("a copy of an array", LOW, "static void f(const char *p) { char a[8]; memcpy(a, p, sizeof a); }\n"),
    ("a format of base", "src/base/text.c", "static void f(int n) { char a[8]; n = snprintf(a, sizeof a, \"%d\", n); }\n"),
    ("a format of cli", "src/cli/c.c", "static void f(char *out, size_t room) { char a[8]; if (room) snprintf(a, sizeof a, \"%d\", 1); snprintf(out, room, \"%s\", a); }\n"),
    ("a place that is compared", LOW, "static void f(char out[SIZE], numel_str s)\n{\n    for (size_t i = 0; i < s.n && i < SIZE; i++) out[i] = s.p[i];\n}\n"),
    ("a place below its size", LOW, "static void f(void)\n{\n    int a[8];\n    for (size_t i = 0; i < sizeof a / sizeof *a; i++) a[i] = 1;\n}\n"),
    ("a constant place", LOW, "static void f(void)\n{\n    int a[8];\n    a[3] = a[LAST] = 1;\n}\n"),
    ("a place that is read", LOW, "static int f(int i)\n{\n    int a[2] = { 1, 2 };\n    return a[i] == 3;\n}\n"),
    ("an exception", LOW, None),
]


def laws(root, *words):
    r = subprocess.run([sys.executable, HERE + "/laws.py", *words, root], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return r.returncode, r.stdout


def house(extra):
    root = tempfile.mkdtemp(prefix="laws.")
    files = dict(SOUND)
    for path, text in extra: files[path] = files.get(path, "") + text
    for path, text in files.items():
        os.makedirs(os.path.dirname(root + "/" + path), exist_ok=True)
        with open(root + "/" + path, "w") as f: f.write(text)
    return root


def main():
    failed = []
    for name, path, text, wanted in BREACHES:
        root = house([(path, text)])
        status, said = laws(root)
        if status == 0 or wanted not in said: failed.append("%s: not found: %s" % (name, said))
        if "NUMEL_MUST" in wanted and laws(root, "-u")[0] != 0: failed.append("%s: -u does not correct it" % name)
        shutil.rmtree(root)
    for name, path, text in SOUNDS:
        extra = [(path, text)] if text else [(path, 'static void f(void)\n{\n    printf("%.*s", 3, "abc");\n}\n'),
                                             ("test/rules/laws.txt", "src/low/low.c counted %.*s its reason\n")]
        root = house(extra)
        status, said = laws(root)
        if status: failed.append("%s: found: %s" % (name, said))
        shutil.rmtree(root)
    root = house([])
    os.remove(root + "/src/low/low.c"), os.remove(root + "/src/low/low.h"), os.remove(root + "/include/numel.h")
    if laws(root)[0] == 0: failed.append("a source without functions passes")
    shutil.rmtree(root)
    for f in failed: print("laws_test: " + f)
    if not failed: print("laws_test: ok")
    return 1 if failed else 0


sys.exit(main())
