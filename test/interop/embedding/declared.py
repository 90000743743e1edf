"""What numel.h declares, measured by a C compiler, and how the declarations of a language differ from it.

Declarations are a dict:

    structs    {"numel_tensor": (bytes, {"name": (offset, "struct"), "dims": (offset, "pointer")})}
    constants  {"numel_state": {"NUMEL_STATE_AGREES": 1}}
    functions  {"numel_tensor_count": ["u64", "pointer"]}      what it returns, and its parameters

Kinds are u32, i32, u64, i64, bool, pointer, struct, and char[512]. Names of fields are parsed from the header, and a program measures them; a field
that the language lacks is a difference too.
"""
import os
import re
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
HEADER = os.path.join(ROOT, "include", "numel.h")
CC = os.environ.get("CC", "cc").split()

MEASURE = r"""
#include "%s"
#include <stdio.h>
#define KIND(x) _Generic((x), bool: "bool", char: "char", int: "i32", unsigned: "u32", long: "i64", long long: "i64", \
    unsigned long: "u64", unsigned long long: "u64", numel_str: "struct", default: "pointer")
#define STRUCT(s) printf("struct " #s " %%zu\n", sizeof(s));
#define FIELD(s, f) printf("field " #s " " #f " %%zu %%s\n", offsetof(s, f), KIND(((s *)0)->f));
#define ARRAY(s, f) printf("field " #s " " #f " %%zu %%s[%%zu]\n", offsetof(s, f), KIND(((s *)0)->f[0]), \
    sizeof(((s *)0)->f) / sizeof(((s *)0)->f[0]));
#define CONSTANT(e, c) printf("constant " #e " " #c " %%llu\n", (unsigned long long)c);
int main(void)
{
%s
    return 0;
}
"""


def preprocessed(path):
    """The declarations of the file itself, with macros expanded."""
    out = subprocess.run(CC + ["-E", path], check=True, stdout=subprocess.PIPE, text=True).stdout
    lines, own = [], False
    for line in out.splitlines():
        if line.startswith("#"): own = '"%s"' % path in line
        elif own: lines.append(line)
    return re.sub(r"__attribute__\(\(.*?\)\)\)?", "", re.sub(r"\bextern\b", "", "\n".join(lines)))


def fields(body):
    """(name, whether it is an array) of each."""
    for declaration in body.split(";"):
        pointer = re.search(r"\(\*(\w+)\)\(", declaration)
        if pointer: yield pointer.group(1), False
        elif declaration.strip():
            for part in declaration.split(","):
                yield re.search(r"(\w+)\s*(?:\[\d+\]\s*)?$", part.strip()).group(1), "[" in part


def structs_of(text):
    return {m[1]: list(fields(m[2])) for m in re.finditer(r"typedef struct (\w+)\s*\{([^{}]*)\}\s*\1;", text)}


def enums_of(text):
    found = re.finditer(r"typedef enum (\w+)\s*\{([^{}]*)\}\s*\1;", text)
    return {m[1]: [re.match(r"\s*(\w+)", part).group(1) for part in m[2].split(",") if part.strip()] for m in found}


def kind_of(words, enums):
    """The kind of a parameter or result."""
    words = words.replace("const", "").split()
    if any("*" in w for w in words): return "pointer"
    plain = {"size_t": "u64", "uint64_t": "u64", "int64_t": "i64", "uint32_t": "u32", "unsigned": "u32", "int": "i32", "bool": "bool",
             "_Bool": "bool", "void": "void"}
    return plain.get(words[0]) or ("u32" if words[0] in enums else words[0])


def functions_of(text, enums):
    flat = re.sub(r"\{[^{}]*\}", "", re.sub(r"\{[^{}]*\}", "", text))
    found = re.finditer(r"(?:^|;)\s*(?!typedef\b)([\w ]+?[ *]+)(numel_\w+)\(([^()]*)\)\s*(?=;)", " ".join(flat.split()))
    functions = {}
    for m in found:
        parameters = [] if m[3].strip() == "void" else [kind_of(p, enums) for p in m[3].split(",")]
        functions[m[2]] = [kind_of(m[1], enums)] + parameters
    return functions


def read(lines):
    """Structs and constants, as a program printed them."""
    structs, constants = {}, {}
    for line in lines:
        what, name, *rest = line.split()
        if what == "struct": structs[name] = (int(rest[0]), {})
        elif what == "field": structs[name][1][rest[0]] = (int(rest[1]), rest[2])
        else: constants.setdefault(name, {})[rest[0]] = int(rest[1])
    return structs, constants


def header(path, work):
    """The header's declarations."""
    text = preprocessed(path)
    enums, source = enums_of(text), []
    for name, inside in structs_of(text).items():
        source += ["STRUCT(%s)" % name] + ["%s(%s, %s)" % ("ARRAY" if array else "FIELD", name, f) for f, array in inside]
    for name, inside in enums.items(): source += ["CONSTANT(%s, %s)" % (name, c) for c in inside]
    source += ["CONSTANT(macro, %s)" % c for c in ("NUMEL_NOT_KNOWN", "NUMEL_NOWHERE", "NUMEL_NONE")]
    program = os.path.join(work, "measure")
    with open(program + ".c", "w", encoding="ascii") as f: f.write(MEASURE % (path, "\n".join(source)))
    subprocess.run(CC + ["-o", program, program + ".c"], check=True)
    structs, constants = read(subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines())
    return {"structs": structs, "constants": constants, "functions": functions_of(text, enums)}


LEFT_OUT = {"NUMEL_OK", "NUMEL_E_WIDTH"}  # no error; no code
PARTS = {"numel_style_format", "macro"}  # of these a language declares only what it needs


def differences(own, truth):
    """(name, sentence) for each declaration that differs from the header's."""
    for name, (size, inside) in own["structs"].items():
        real_size, real = truth["structs"].get(name, (0, {}))
        if size != real_size: yield name, "%d bytes in the header, here %d" % (real_size, size)
        for f in sorted(set(real) | set(inside)):
            if real.get(f) != inside.get(f): yield name, "%s is %s in the header, here %s" % (f, real.get(f), inside.get(f))
    for name, inside in own["constants"].items():
        real = truth["constants"].get(name, {})
        for c in sorted(set(inside) if name in PARTS else (set(inside) | set(real)) - LEFT_OUT):
            if real.get(c) != inside.get(c): yield name, "%s is %s in the header, here %s" % (c, real.get(c), inside.get(c))
    for name, kinds in own["functions"].items():
        real = truth["functions"].get(name)
        if kinds != real: yield name, "has %s in the header, here %s" % (real, kinds)


# ---- altered headers: each alteration must be noticed

def changed(text, change):
    """Each struct of a header, changed; fields are between its braces."""
    bare = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r"(typedef struct (numel_\w+) \{)([^{}]*)(\} \2;)", lambda m: m[1] + change(m[3]) + m[4], bare)


def longer(body): return body + " uint64_t mutant;"
def last_less(body): return ";".join(body.split(";")[:-2]) + ";"


def front(body):
    first, rest = body.split(";", 1)
    return first + "; uint32_t mutant;" + rest


def narrowed(body):
    """Changes the type of its last number or text that is not a parameter of a function."""
    found = re.finditer(r"\b(uint64_t|size_t|const char \*|void \*|bool|uint32_t|unsigned|numel_state|numel_ground)(?=[ \w])", body)
    m = [m for m in found if not re.match(r"[^;]*\)", body[m.end():])][-1]
    return body[:m.start()] + {"bool": "char "}.get(m[1], "int64_t ") + body[m.end():]


STRUCT_MUTANTS = {"a field at the end": longer, "a field after the first": front, "the last field left out": last_less,
                  "a field of another type": narrowed}


def enum_mutant(text):
    """Two additional constants at the start of each enum; another number for NOMEM, which a macro declares."""
    text = re.sub(r"(typedef enum (numel_\w+) \{)", r"\1 MUTANT_OF_\2 = 0, MUTANT2_OF_\2 = 77, ", text)
    return text.replace("X(NOMEM, 1,", "X(NOMEM, 101,")


def function_mutant(text):
    return re.sub(r"(numel_\w+)\((?=[^)]*\);)(?!void)", r"\1(int mutant, ", text)


def written(work, name, text):
    path = os.path.join(work, name + ".h")
    with open(path, "w", encoding="utf-8") as f: f.write(text)
    return path
