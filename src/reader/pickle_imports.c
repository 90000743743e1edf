/*
 * pickle_imports.c -- walks a pickle's opcodes, and keeps the strings that they leave for STACK_GLOBAL.
 *
 * The machine's stack is not rebuilt. Every pickler writes the two strings directly before STACK_GLOBAL, or
 * takes them out of the memo there; if anything else comes between, the name counts as hidden, which is worse
 * than any name.
 */
#include "reader/pickle_imports.h"

#include "base/text.h"

struct slot { /* of the memo: the last string stored under a number with this remainder */
    numel_str text;
    uint64_t number;
};
enum { SLOTS = PICKLE_MEMO / sizeof(struct slot) };

struct scan {
    struct slot *memo;
    uint64_t put;      /* entries of the memo */
    numel_str last[2]; /* pushed strings, the newest second */
    unsigned run;      /* how many of them in a row, up to now */
    pickle_import_fn *import;
    void *ctx;
};

static void push(struct scan *m, numel_str text)
{
    m->last[0] = m->last[1];
    m->last[1] = text;
    m->run++;
}

static void remember(struct scan *m, uint64_t number)
{
    struct slot *s = &m->memo[number % SLOTS];
    *s = (struct slot){ m->run ? m->last[1] : (numel_str){ NULL, 0 }, number };
    m->put++;
}

static void recall(struct scan *m, uint64_t number)
{
    const struct slot *s = &m->memo[number % SLOTS];
    if (s->text.p && s->number == number) push(m, s->text);
    else m->run = 0;
}

static void obey(struct scan *m, const struct pickle_op *op)
{
    switch (op->code) {
    case 'c':
    case 'i': m->import(m->ctx, op->arg, op->arg2, false); break;
    case 0x93: m->import(m->ctx, m->last[0], m->last[1], m->run < 2); break;
    case 0x82: /* EXT1 to EXT4: a number for a name that is registered elsewhere */
    case 0x83:
    case 0x84: m->import(m->ctx, op->arg, op->arg, true); break;
    case 'p':
    case 'q':
    case 'r': remember(m, op->number); return;
    case 0x94: remember(m, m->put); return;
    case 'g':
    case 'h':
    case 'j': recall(m, op->number); return;
    case 0x95: return; /* a frame may begin anywhere */
    default:
        if (!op->text) break;
        push(m, pickle_string(op));
        return;
    }
    m->run = 0;
}

enum pickle_end pickle_scan(const uint8_t *p, uint64_t n, uint64_t *used, void *memo,
                            pickle_import_fn *import, void *ctx)
{
    numel_str none = { "", 0 };
    struct scan m = { memo, 0, { none, none }, 0, import, ctx };
    struct pickle_code code = { p, n, 0 };
    struct pickle_op op;
    enum pickle_end end;
    memset(memo, 0, PICKLE_MEMO);
    while (pickle_next(&code, &op, &end)) {
        obey(&m, &op);
        if (op.code != '.') continue;
        end = PICKLE_STOP;
        break;
    }
    *used = code.at;
    return end;
}

/* ---- names -------------------------------------------------------------------------------- */

/* A module with everything below it, or only these names; "" is every name. */
static const struct {
    const char *module, *names;
} known[] = {
    { "torch._utils", "" },
    { "torch", "FloatStorage HalfStorage BFloat16Storage DoubleStorage LongStorage IntStorage ShortStorage "
               "CharStorage ByteStorage BoolStorage ComplexFloatStorage ComplexDoubleStorage QInt8Storage "
               "QUInt8Storage QInt32Storage Float8_e4m3fnStorage Float8_e5m2Storage UntypedStorage Size "
               "device Tensor float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool "
               "float8_e4m3fn float8_e5m2" },
    { "torch.storage", "UntypedStorage TypedStorage" },
    { "torch.nn.parameter", "Parameter" },
    { "torch._tensor", "_rebuild_from_type_v2" },
    { "torch.serialization", "_get_layout" },
    { "collections", "OrderedDict defaultdict deque Counter" },
    { "numpy.core.multiarray", "_reconstruct scalar" },
    { "numpy._core.multiarray", "_reconstruct scalar" },
    { "numpy.core.numeric", "_frombuffer" },
    { "numpy._core.numeric", "_frombuffer" },
    { "numpy", "ndarray dtype float32 float64 int64 int32" },
    { "numpy.dtypes", "" },
    { "_codecs", "encode" },
    { "builtins", "set frozenset dict list tuple int float str bytes bytearray bool complex slice range object Ellipsis" },
    { "__builtin__", "set frozenset dict list tuple int float str unicode bytearray bool complex slice "
                     "xrange object long Ellipsis" },
    { "copyreg", "_reconstructor" },
    { "copy_reg", "_reconstructor" },
    { "argparse", "Namespace" },
    { "_io", "BytesIO" },
    { "pathlib", "Path PosixPath WindowsPath PurePath PurePosixPath PureWindowsPath" },
    { "datetime", "" },
}, dangerous[] = {
    { "builtins", "" },      { "__builtin__", "" },    { "os", "" },           { "posix", "" },
    { "nt", "" },            { "posixpath", "" },      { "ntpath", "" },       { "sys", "" },
    { "subprocess", "" },    { "commands", "" },       { "popen2", "" },       { "pty", "" },
    { "runpy", "" },         { "importlib", "" },      { "imp", "" },          { "zipimport", "" },
    { "pkgutil", "" },       { "code", "" },           { "codeop", "" },       { "types", "FunctionType CodeType" },
    { "marshal", "" },       { "pickle", "" },         { "_pickle", "" },      { "cPickle", "" },
    { "dill", "" },          { "cloudpickle", "" },    { "joblib", "load" },   { "shelve", "" },
    { "operator", "attrgetter itemgetter methodcaller" },                      { "functools", "partial reduce" },
    { "_operator", "attrgetter itemgetter methodcaller" },                     { "ctypes", "" },
    { "_ctypes", "" },       { "cffi", "" },           { "socket", "" },       { "_socket", "" },
    { "ssl", "" },           { "asyncio", "" },        { "multiprocessing", "" }, { "threading", "" },
    { "_thread", "" },       { "signal", "" },         { "shutil", "" },       { "tempfile", "" },
    { "webbrowser", "" },    { "antigravity", "" },    { "urllib", "" },       { "urllib2", "" },
    { "urllib3", "" },       { "http", "" },           { "httplib", "" },      { "httpx", "" },
    { "requests", "" },      { "aiohttp", "" },        { "ftplib", "" },       { "smtplib", "" },
    { "telnetlib", "" },     { "xmlrpc", "" },         { "pip", "" },          { "ensurepip", "" },
    { "setuptools", "" },    { "distutils", "" },      { "venv", "" },         { "pydoc", "" },
    { "pdb", "" },           { "bdb", "" },            { "trace", "" },        { "profile", "" },
    { "cProfile", "" },      { "timeit", "" },         { "doctest", "" },      { "idlelib", "" },
    { "lib2to3", "" },       { "test", "" },           { "ast", "" },          { "inspect", "" },
    { "gc", "" },            { "io", "" },             { "_io", "" },          { "pathlib", "" },
    { "logging.config", "" }, { "uuid", "_get_command_stdout" },               { "platform", "" },
    { "nturl2path", "" },    { "site", "" },           { "sqlite3", "" },      { "fileinput", "" },
    { "torch", "load save compile hub" },              { "torch.hub", "" },    { "torch.serialization", "load" },
    { "torch._inductor", "" }, { "torch._dynamo", "" }, { "torch.jit", "" },   { "torch.utils.cpp_extension", "" },
    { "torch.utils._config_module", "" },              { "torch.distributed.rpc", "" },
    { "torch.fx", "" },      { "torch.storage", "_load_from_bytes" },          { "numpy.testing", "" },
    { "numpy", "load fromfile memmap" },               { "numpy.f2py", "" },   { "pandas", "read_pickle eval" },
    { "tensorflow", "" },    { "keras", "" },          { "IPython", "" },      { "ipykernel", "" },
};

/* Is it the module, or below it? */
static bool is_module(numel_str module, const char *row)
{
    size_t n = strlen(row);
    return text_starts(module, row) && (module.n == n || module.p[n] == '.');
}

static bool is_named(numel_str names, numel_str name) { return names.n == 0 || text_lists(names, name); }

static bool is_dangerous_module(numel_str module)
{
    for (size_t i = 0; i < sizeof dangerous / sizeof *dangerous; i++)
        if (!dangerous[i].names[0] && is_module(module, dangerous[i].module)) return true;
    return false;
}

/* "torch" "serialization.os.system": a dotted name that reaches a dangerous module is just as dangerous. */
static bool is_dotted_danger(numel_str name)
{
    if (!memchr(name.p, '.', name.n)) return false;
    for (size_t i = 0; i < name.n; i++) {
        if (i && name.p[i - 1] != '.') continue;
        numel_str part = text_from(name, i);
        if (text_starts(part, "__") || is_dangerous_module(part)) return true;
    }
    return false;
}

enum pickle_import pickle_judge(numel_str module, numel_str name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (text_equal(module, known[i].module) && is_named(text_of(known[i].names), name) && name.n &&
            !memchr(name.p, '.', name.n))
            return PICKLE_KNOWN;
    if (name.n && is_dotted_danger(name)) return PICKLE_DANGEROUS;
    for (size_t i = 0; i < sizeof dangerous / sizeof *dangerous; i++)
        if (is_module(module, dangerous[i].module) && is_named(text_of(dangerous[i].names), name))
            return PICKLE_DANGEROUS;
    return PICKLE_OTHER;
}
