"""numel.py -- libnumel for Python: one file, nothing but ctypes. Copy it beside your program.

    import numel

    with numel.open("fixtures/llama-2-7b") as model:
        print(model.judgement.verdict, model.counts.parameters)

numel.open() takes a folder, a file, a shard index, or a name such as "org/model". The first property that needs the files
reads them. All values are copies and stay valid after close(). numel.Error means that something could not be read; a checkpoint
that can be read but is wrong has a verdict and causes.

The library is the file named by the variable NUMEL_LIBRARY, else libnumel.so.0 from the loader's path. The structs below are those
of numel.h 0.3. They begin with their size, so every later library of the same soname accepts them.
"""
from __future__ import annotations

import ctypes
import ctypes.util
import dataclasses
import enum
import functools
import json
import os
import threading
import weakref
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint,
                    c_uint32, c_uint64, c_void_p, sizeof)

__all__ = ["open", "find", "escape", "version", "Model", "Error", "Code", "Kind", "State", "Ground", "Judgement", "Cause",
           "Facts", "Counts", "Line", "Tensor"]

NOT_KNOWN = NOWHERE = 2**64 - 1

# ---- what numel.h declares


class Code(enum.IntEnum):
    """numel_rc: why something could not be read."""
    OK = 0
    NOMEM = 1
    USAGE = 2
    STOPPED = 3
    IO = 10
    CHANGED = 11
    NETWORK = 12
    FORMAT = 20
    VERSION = 21
    TRUNCATED = 22
    RANGE = 23
    OVERFLOW = 24
    SYNTAX = 25
    DUPLICATE = 26
    TYPE = 27
    LIMIT = 28
    UTF8 = 29
    CONFIG = 40
    ARCH = 41
    SPEC = 42
    KEY = 43


class Kind(enum.IntEnum):
    """numel_subject_kind: what a path stands for. str() is the library's name of it."""
    MODEL = 0
    PIPELINE = 1
    SEVERAL = 2
    ADAPTER = 3
    CONFIGURATION = 4
    TRAINING = 5
    VOCABULARY = 6
    IMATRIX = 7
    PROJECTOR = 8

    def __str__(self): return _text(_library().numel_subject_kind_name(self))


class State(enum.IntEnum):
    """numel_state: a verdict. Later ones are worse."""
    UNKNOWN = 0
    AGREES = 1
    IN_PART = 2
    DISAGREES = 3
    INCOMPLETE = 4
    DAMAGED = 5

    def __str__(self): return _text(_library().numel_state_name(self))


class Ground(enum.IntEnum):
    """numel_ground: what a statement about a tensor rests on."""
    ON_NOTHING = 0
    ON_NAME = 1
    ON_SHAPE = 2


_JSON = 1  # of numel_style_format
_ENUMS = {"numel_rc": ("NUMEL_E_", Code), "numel_subject_kind": ("NUMEL_IS_", Kind), "numel_state": ("NUMEL_STATE_", State),
          "numel_ground": ("NUMEL_", Ground)}


class _Error(Structure):
    _fields_ = [("code", c_uint), ("offset", c_uint64), ("file", c_char * 512), ("what", c_char * 512)]


class _Str(Structure):
    _fields_ = [("p", c_void_p), ("n", c_size_t)]


class _Cause(Structure):
    _fields_ = [("code", c_char_p), ("text", c_char_p), ("explains", c_uint64), ("state", c_uint)]


class _Judgement(Structure):
    _fields_ = [("size", c_size_t), ("kind", c_uint), ("verdict", c_uint), ("architecture", c_char_p), ("name", c_char_p),
                ("known_by", c_char_p), ("causes", POINTER(_Cause)), ("cause_count", c_size_t)]


_ENVIRONMENT = CFUNCTYPE(c_void_p, c_void_p, c_char_p)
_WRITE = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)


class _Options(Structure):
    _fields_ = [("size", c_size_t), ("allocator", c_void_p), ("progress", c_void_p), ("progress_ctx", c_void_p), ("strict", c_bool),
                ("no_guard", c_bool), ("max_header_bytes", c_uint64), ("environment", _ENVIRONMENT), ("environment_ctx", c_void_p),
                ("read", c_void_p), ("list", c_void_p), ("remote_ctx", c_void_p), ("save", c_char_p)]


class _Knowledge(Structure):
    _fields_ = [("size", c_size_t), ("declared_only", c_bool), ("lone_file", c_bool), ("values", c_bool), ("reserved", c_bool * 5),
                ("config", c_char_p), ("architecture", c_char_p), ("specs", POINTER(c_char_p)), ("spec_count", c_size_t),
                ("sets", POINTER(c_char_p)), ("set_count", c_size_t), ("config_text", c_char_p), ("config_bytes", c_size_t),
                ("print_as", c_char_p), ("base", c_char_p), ("fit", c_uint64), ("set_use", c_void_p)]


class _Counts(Structure):
    _fields_ = [("size", c_size_t)] + [(name, c_uint64) for name in (
        "tensors", "stored", "logical", "unique", "parameters", "buffers", "non_embedding", "active")]


class _Facts(Structure):
    _fields_ = [("size", c_size_t), ("verdict", c_uint), ("why", c_uint), ("why_text", c_char_p), ("architecture", c_char_p),
                ("from", c_char_p), ("adapter", c_char_p), ("expression", c_char_p), ("quantization", c_char_p), ("inferred", c_bool),
                ("reserved", c_bool * 7), ("formula", c_uint64), ("unexplained", c_int64), ("on_shape", c_uint64),
                ("on_name", c_uint64), ("on_nothing", c_uint64), ("symbols", c_size_t), ("terms", c_size_t), ("expected", c_size_t),
                ("lines", c_size_t), ("differences", c_size_t), ("groups", c_size_t)]


class _Line(Structure):
    _fields_ = [("size", c_size_t), ("code", c_char_p), ("cause", c_char_p), ("detail", c_char_p), ("tensors", c_uint64),
                ("elements", c_int64), ("unchecked", c_uint64), ("ground", c_uint), ("explains", c_bool), ("reserved", c_bool * 3)]


class _Dtype(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("block_elements", c_uint32), ("block_bytes", c_uint32),
                ("row_bytes", c_uint32), ("gguf_id", c_int32), ("in_formats", c_uint32), ("standing", c_uint32)]


class _Tensor(Structure):
    _fields_ = [("size", c_size_t), ("name", _Str), ("dtype", POINTER(_Dtype)), ("dims", POINTER(c_uint64)), ("elements", c_uint64),
                ("bytes", c_uint64), ("offset", c_uint64), ("ndim", c_uint32), ("file", c_uint32), ("flags", c_uint64)]


class _File(Structure):
    _fields_ = [("size", c_size_t), ("path", c_char_p), ("format", c_uint), ("version", c_uint32), ("big_endian", c_bool),
                ("header_only", c_bool), ("compressed", c_bool), ("size_known", c_bool), ("data", c_uint)] + [
                    (name, c_uint64) for name in ("bytes", "header_bytes", "data_start", "data_bytes", "padding", "gaps", "overlap",
                                                  "trailing", "missing", "first_tensor", "tensors")]


class _TensorFacts(Structure):
    _fields_ = [("size", c_size_t), ("role", _Str), ("code", c_char_p), ("kind", c_char_p), ("layout", c_char_p),
                ("logical", c_uint64), ("expected", c_uint32), ("ground", c_uint), ("group", c_uint32),
                ("reserved", c_uint32)]


class _Style(Structure):
    _fields_ = [("size", c_size_t), ("format", c_uint), ("width", c_uint), ("color", c_bool),
                ("bars", c_bool), ("blocks", c_bool), ("reserved", c_bool * 5)]


_STRUCTS = {"numel_error": _Error, "numel_str": _Str, "numel_cause": _Cause, "numel_judgement": _Judgement,
            "numel_options": _Options, "numel_knowledge": _Knowledge, "numel_counts": _Counts, "numel_facts": _Facts,
            "numel_line": _Line, "numel_dtype": _Dtype, "numel_tensor": _Tensor, "numel_file": _File,
            "numel_tensor_facts": _TensorFacts, "numel_style": _Style}

_O, _OUT, _E = c_void_p, POINTER(c_void_p), POINTER(_Error)  # an object, the place of a new one, an error
_FUNCTIONS = {  # what each returns, and its parameters
    "numel_version": (c_char_p,),
    "numel_state_name": (c_char_p, c_uint),
    "numel_subject_kind_name": (c_char_p, c_uint),
    "numel_escape": (c_size_t, c_char_p, c_size_t, c_char_p, c_size_t),
    "numel_find": (c_uint, _OUT, c_char_p, POINTER(_Options), _E),
    "numel_found_count": (c_size_t, _O),
    "numel_found_components": (c_size_t, _O, c_size_t),
    "numel_found_free": (None, _O),
    "numel_subject_open": (c_uint, _OUT, c_char_p, POINTER(_Knowledge), POINTER(_Options), _E),
    "numel_subject_at": (c_uint, _OUT, _O, c_size_t, POINTER(_Knowledge), POINTER(_Options), _E),
    "numel_subject_judge": (c_uint, _O, POINTER(POINTER(_Judgement)), _E),
    "numel_subject_close": (None, _O),
    "numel_subject_members": (c_uint, _O, POINTER(c_size_t), _E),
    "numel_subject_member": (c_uint, _OUT, _O, c_size_t, _E),
    "numel_subject_checkpoint": (c_uint, _O, _OUT, _E),
    "numel_subject_about": (c_uint, _O, POINTER(_Facts), _E),
    "numel_subject_counts": (c_uint, _O, POINTER(_Counts), _E),
    "numel_line_at": (c_uint, _O, c_size_t, POINTER(_Line), _E),
    "numel_path": (c_char_p, _O),
    "numel_file_at": (POINTER(_File), _O, c_size_t),
    "numel_tensor_count": (c_size_t, _O),
    "numel_tensor_at": (c_uint, _O, c_size_t, POINTER(_Tensor), _E),
    "numel_tensor_about": (c_uint, _O, c_size_t, POINTER(_TensorFacts), _E),
    "numel_report_show": (c_uint, _OUT, _O, c_void_p, _E),
    "numel_report_reconcile": (c_uint, _OUT, _O, c_void_p, _E),
    "numel_report_verify": (c_uint, _OUT, _O, c_void_p, _E),
    "numel_report_memory": (c_uint, _OUT, _O, c_void_p, _E),
    "numel_report_meta": (c_uint, _OUT, _O, c_void_p, _E),
    "numel_report_formula": (c_uint, _OUT, _O, _E),
    "numel_report_print": (c_uint, _OUT, _O, _E),
    "numel_report_write": (c_uint, _O, POINTER(_Style), _WRITE, c_void_p, _E),
    "numel_report_free": (None, _O),
}


@functools.lru_cache(maxsize=None)
def _library():
    """The library, loaded once."""
    name = os.environ.get("NUMEL_LIBRARY")
    try:
        library = ctypes.CDLL(name or "libnumel.so.0")
    except OSError:
        other = ctypes.util.find_library("numel")
        if name or not other: raise
        library = ctypes.CDLL(other)
    for name, (result, *parameters) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, parameters
    return library


# ---- values


class Error(Exception):
    """Something could not be read. code; what, a sentence; file and the offset of the first bad byte, or None."""

    def __init__(self, code, what, file=None, offset=None):
        super().__init__(code, what, file, offset)
        self.code, self.what, self.file, self.offset = code, what, file, offset

    def __str__(self):
        where = "" if self.file is None else escape(self.file) + ("" if self.offset is None else ":%d" % self.offset) + ": "
        return where + self.what


@dataclasses.dataclass(frozen=True)
class Cause:
    """Why a verdict is not AGREES."""
    code: str
    text: str
    explains: int  # differences and findings that follow from it; 0: not counted
    state: State


@dataclasses.dataclass(frozen=True)
class Judgement:
    """What a path stands for, and the verdict."""
    kind: Kind
    verdict: State
    architecture: str | None  # as its files call it: untrusted
    name: str | None  # its class or product
    known_by: str | None
    causes: tuple[Cause, ...]  # the truest first


@dataclasses.dataclass(frozen=True)
class Counts:
    """The ways of counting a model; None: not known."""
    tensors: int | None
    stored: int | None
    logical: int | None
    unique: int | None
    parameters: int | None
    buffers: int | None
    non_embedding: int | None
    active: int | None


@dataclasses.dataclass(frozen=True)
class Facts:
    """A model as a whole."""
    architecture: str | None  # the specification that was used
    source: str | None  # the configuration
    expression: str | None  # the parameters in symbols; None without a formula: see why
    formula: int | None
    why: str | None
    quantization: str | None
    adapter: str | None
    inferred: bool
    unexplained: int
    on_shape: int
    on_name: int
    on_nothing: int


@dataclasses.dataclass(frozen=True)
class Line:
    """A line of the statement. The elements of all lines add up to what is stored."""
    code: str
    cause: str
    detail: str
    tensors: int
    elements: int
    unchecked: int
    ground: Ground
    explains: bool


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A tensor of a checkpoint; role to logical are None in a model of several."""
    name: str  # untrusted: escape() it before it is shown
    dtype: str
    shape: tuple[int, ...]  # outermost first
    elements: int
    bytes: int
    offset: int | None  # in its file; None: slices of several files are joined in it
    file: str | None  # its path; None where only an index is there
    role: str | None
    code: str | None  # of the line of the statement that counts it
    kind: str | None
    layout: str | None
    logical: int | None


def _text(p): return None if p is None else p.decode("utf-8", "surrogateescape")


def _str(s): return _text(ctypes.string_at(s.p, s.n)) if s.p else None


def _path(file): return os.fsdecode(file.contents.path) if file else None


def _number(kind, n):
    """n as an enum; a plain int if only a later library knows it."""
    return kind(n) if n in kind._value2member_map_ else n


def _known(n): return None if n == NOT_KNOWN else n


def _bytes(text):
    """A text or path for the library; None stays None."""
    if text is None: return None
    out = os.fsencode(text)
    if b"\0" in out: raise ValueError("embedded null byte")
    return out


def _struct(kind, **fields):
    """NUMEL_INIT: all else is 0."""
    return kind(size=sizeof(kind), **fields)


def _array(texts):
    texts = [_bytes(t) for t in texts]
    return (c_char_p * len(texts))(*texts), len(texts)


def _check(rc, error):
    if rc == 0: return
    raise Error(_number(Code, rc), _text(error.what), os.fsdecode(error.file) or None, None if error.offset == NOWHERE else error.offset)


def _call(name, *args):
    """Calls what ends in a numel_error."""
    error = _Error()
    _check(getattr(_library(), name)(*args, byref(error)), error)


def version():
    """"0.3.0", of the library that was loaded."""
    return _text(_library().numel_version())


def escape(text):
    """Escapes untrusted text for a terminal."""
    raw = text.encode("utf-8", "surrogateescape")
    out = ctypes.create_string_buffer(_library().numel_escape(None, 0, raw, len(raw)) + 1)
    _library().numel_escape(out, len(out), raw, len(raw))
    return out.value.decode("utf-8")


# ---- objects of the library


class _Owner:
    """An object of the library. It is freed once, by close() or when the last reference to it goes.

    The finalizer keeps `below`, which the object refers to, alive until then. close() first closes the objects that refer to this one.
    """

    def __init__(self, pointer, free, below=None):
        self.pointer, self.above = pointer, []
        self.close_self = weakref.finalize(self, _free, free, pointer, below)
        if below is not None: below.above.append(self.close_self)

    def close(self):
        for close in reversed(self.above): close()
        self.close_self()


def _free(free, pointer, below): free(pointer)


@_ENVIRONMENT
def _environment(_, name):
    """Lets the library resolve names such as "org/model". The texts returned stay allocated."""
    value = os.environb.get(name)
    return None if value is None else ctypes.cast(_kept(value), c_void_p).value


@functools.lru_cache(maxsize=None)
def _kept(value): return ctypes.create_string_buffer(value)


def _options(strict): return _struct(_Options, strict=strict, environment=_environment)


def _knowledge(config=None, architecture=None, specs=(), sets=None, base=None, values=False):
    spec_list, spec_count = _array(specs)
    set_list, set_count = _array("%s=%s" % pair for pair in (sets or {}).items())
    return _struct(_Knowledge, config=_bytes(config), architecture=_bytes(architecture), specs=spec_list, spec_count=spec_count,
                   sets=set_list, set_count=set_count, base=_bytes(base), values=values)


def open(path, *, strict=False, **knowledge):
    """Opens one model. Further arguments: config, architecture, base, specs (paths), sets ({"hidden_size": 4096}), and values=True,
    which reads data where it decides what a tensor is. A path that holds several models raises Error: use find()."""
    out = c_void_p()
    _call("numel_subject_open", byref(out), _bytes(path), byref(_knowledge(**knowledge)), byref(_options(strict)))
    return Model(_Owner(out, _library().numel_subject_close))


def find(path, *, strict=False, **knowledge):
    """Opens every model below a path. Takes the arguments of open() and returns a list."""
    library, out = _library(), c_void_p()
    options, known = _options(strict), _knowledge(**knowledge)
    _call("numel_find", byref(out), _bytes(path), byref(options))
    found, models, i = _Owner(out, library.numel_found_free), [], 0
    while i < library.numel_found_count(found.pointer):
        out = c_void_p()
        _call("numel_subject_at", byref(out), found.pointer, i, byref(known), byref(options))
        models.append(Model(_Owner(out, library.numel_subject_close, found)))
        i += max(1, library.numel_found_components(found.pointer, i))
    return models


class Model:
    """A model, a pipeline, an adapter or a configuration. Threads may share it: they take turns."""

    REPORTS = {"show": 1, "reconcile": 1, "verify": 1, "memory": 1, "meta": 1, "formula": 0, "print": 0}  # 1: the function takes options

    def __init__(self, owner, lock=None):
        self._owner, self._lock = owner, lock or threading.RLock()

    def __enter__(self): return self

    def __exit__(self, *_): self.close()

    def close(self):
        """Frees the model and its members. Values already read stay valid."""
        with self._lock: self._owner.close()

    @property
    def closed(self): return not self._owner.close_self.alive

    @property
    def _pointer(self):
        if self.closed: raise ValueError("the model is closed")
        return self._owner.pointer

    def _filled(self, kind, name, *args):
        """Returns the struct that a function fills. The subject must have been judged."""
        self.judgement
        with self._lock:
            out = _struct(kind)
            _call(name, self._pointer, *args, byref(out))
            return out

    @functools.cached_property
    def judgement(self):
        with self._lock:
            out = POINTER(_Judgement)()
            _call("numel_subject_judge", self._pointer, byref(out))
            j = out.contents
            causes = tuple(Cause(_text(c.code), _text(c.text), c.explains, _number(State, c.state)) for c in j.causes[:j.cause_count])
            return Judgement(_number(Kind, j.kind), _number(State, j.verdict), _text(j.architecture), _text(j.name), _text(j.known_by), causes)

    @functools.cached_property
    def counts(self):
        counts = self._filled(_Counts, "numel_subject_counts")
        return Counts(**{f.name: _known(getattr(counts, f.name)) for f in dataclasses.fields(Counts)})

    @functools.cached_property
    def _facts(self): return self._filled(_Facts, "numel_subject_about")

    @functools.cached_property
    def facts(self):
        with self._lock:
            self._pointer  # raises if closed: the texts belong to it
            f = self._facts
            return Facts(_text(f.architecture), _text(getattr(f, "from")), _text(f.expression), _known(f.formula), _text(f.why_text),
                         _text(f.quantization), _text(f.adapter), f.inferred, f.unexplained, f.on_shape, f.on_name, f.on_nothing)

    @functools.cached_property
    def statement(self):
        """The lines of the statement."""
        return [self._line(i) for i in range(self._facts.lines)]

    def _line(self, i):
        with self._lock:
            line = self._filled(_Line, "numel_line_at", i)
            return Line(_text(line.code), _text(line.cause), _text(line.detail), line.tensors, line.elements, line.unchecked,
                        _number(Ground, line.ground), line.explains)

    @functools.cached_property
    def tensors(self):
        """In the order of their files."""
        with self._lock:
            checkpoint, single = c_void_p(), not self._member_count()
            _call("numel_subject_checkpoint", self._pointer, byref(checkpoint))
            if single: self.judgement  # numel_tensor_about() needs it
            return list(self._each_tensor(checkpoint, single))

    def _each_tensor(self, checkpoint, single):
        library, t, about, error = _library(), _struct(_Tensor), _struct(_TensorFacts), _Error()
        file = functools.lru_cache(maxsize=None)(lambda i: _path(library.numel_file_at(checkpoint, i)))
        for i in range(library.numel_tensor_count(checkpoint)):
            _check(library.numel_tensor_at(checkpoint, i, byref(t), byref(error)), error)
            if single: _check(library.numel_tensor_about(self._pointer, i, byref(about), byref(error)), error)
            yield Tensor(_str(t.name) or "", _text(t.dtype.contents.name), tuple(t.dims[:t.ndim]) if t.ndim else (), t.elements,
                         t.bytes, _known(t.offset), file(t.file), _str(about.role), _text(about.code), _text(about.kind),
                         _text(about.layout), _known(about.logical) if single else None)

    def frame(self):
        """The tensors as a pandas.DataFrame."""
        import pandas
        return pandas.DataFrame(self.tensors, columns=[f.name for f in dataclasses.fields(Tensor)])

    def _member_count(self):
        count = c_size_t()
        _call("numel_subject_members", self._pointer, byref(count))
        return count.value

    def members(self):
        """The models of a pipeline, each a Model; an empty list for a single model."""
        with self._lock:
            out, self._owner.above = [], [close for close in self._owner.above if close.alive]
            for i in range(self._member_count()):
                member = c_void_p()
                _call("numel_subject_member", byref(member), self._pointer, i)
                out.append(Model(_Owner(member, _library().numel_subject_close, self._owner), self._lock))
            return out

    def report(self, name):
        """The JSON output of a command, as a dict. name is one of REPORTS."""
        return json.loads(self.report_text(name))

    def report_text(self, name):
        if name not in self.REPORTS: raise ValueError("no report %r: one of %s" % (name, ", ".join(self.REPORTS)))
        with self._lock:
            out, parts = c_void_p(), []
            write = _WRITE(lambda _, p, n: parts.append(ctypes.string_at(p, n)) is None)
            _call("numel_report_" + name, byref(out), self._pointer, *[None] * self.REPORTS[name])
            try: _call("numel_report_write", out, byref(_struct(_Style, format=_JSON)), write, None)
            finally: _library().numel_report_free(out)
            return b"".join(parts).decode("utf-8")
