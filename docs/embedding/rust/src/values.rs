//! Values as Rust has them. Texts borrow from the model; bytes that are not UTF-8 become U+FFFD.

use crate::ffi;
use std::borrow::Cow;
use std::error;
use std::ffi::{CStr, OsStr};
use std::fmt;
use std::os::raw::{c_char, c_uint};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::slice;

pub type Result<T> = std::result::Result<T, Error>;

/// The numbers of an enum in numel.h, without the prefix of their names. Later libraries may add more.
macro_rules! numbers {
    ($(#[$doc:meta])* $type:ident: $prefix:ident { $($name:ident = $value:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type(pub c_uint);
        impl $type {
            $(pub const $name: Self = Self($value);)*
        }
    };
}

numbers! {
    /// Why something could not be read. Displayed as its name: "TRUNCATED".
    Code: NUMEL_E_ {
        NOMEM = 1, USAGE = 2, STOPPED = 3, IO = 10, CHANGED = 11, NETWORK = 12, FORMAT = 20, VERSION = 21, TRUNCATED = 22,
        RANGE = 23, OVERFLOW = 24, SYNTAX = 25, DUPLICATE = 26, TYPE = 27, LIMIT = 28, UTF8 = 29, CONFIG = 40, ARCH = 41, SPEC = 42, KEY = 43,
    }
}
numbers! {
    /// What a model is.
    Kind: NUMEL_IS_ {
        MODEL = 0, PIPELINE = 1, SEVERAL = 2, ADAPTER = 3, CONFIGURATION = 4, TRAINING = 5, VOCABULARY = 6, IMATRIX = 7,
        PROJECTOR = 8,
    }
}
numbers! {
    /// A verdict. Later ones are worse.
    State: NUMEL_STATE_ { UNKNOWN = 0, AGREES = 1, IN_PART = 2, DISAGREES = 3, INCOMPLETE = 4, DAMAGED = 5 }
}
numbers! {
    /// How well a tensor is known: by nothing, by its name, by its shape and type.
    Ground: NUMEL_ { ON_NOTHING = 0, ON_NAME = 1, ON_SHAPE = 2 }
}

macro_rules! named {
    ($($type:ident by $function:ident)*) => {
        $(impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                // SAFETY: a constant text for every number.
                f.pad(unsafe { text(ffi::$function(self.0)) }.as_deref().unwrap_or("?"))
            }
        })*
    };
}
named!(Code by numel_rc_name Kind by numel_subject_kind_name State by numel_state_name);

/// A text of the library, which must live for 'a; None for NULL.
unsafe fn text<'a>(p: *const c_char) -> Option<Cow<'a, str>> {
    if p.is_null() {
        return None;
    }
    Some(CStr::from_ptr(p).to_string_lossy())
}

unsafe fn list<'a, T>(p: *const T, n: usize) -> &'a [T] {
    if p.is_null() {
        return &[];
    }
    slice::from_raw_parts(p, n)
}

fn known(n: u64) -> Option<u64> {
    (n != ffi::NUMEL_NOT_KNOWN).then_some(n)
}

/// Something could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub code: Code,
    /// The first bad byte, from the start of the file.
    pub offset: Option<u64>,
    /// May be empty.
    pub file: PathBuf,
    pub what: String,
}

impl Error {
    pub(crate) fn new(code: c_uint, e: &ffi::numel_error) -> Self {
        // SAFETY: both arrays hold a text and its NUL.
        let (file, what) = unsafe {
            (
                CStr::from_ptr(e.file.as_ptr()),
                CStr::from_ptr(e.what.as_ptr()),
            )
        };
        Error {
            code: Code(code),
            offset: (e.offset != ffi::NUMEL_NOWHERE).then_some(e.offset),
            file: OsStr::from_bytes(file.to_bytes()).into(),
            what: what.to_string_lossy().into_owned(),
        }
    }
    pub(crate) fn usage(what: &str) -> Self {
        Error {
            code: Code::USAGE,
            offset: None,
            file: PathBuf::new(),
            what: what.into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = crate::escape(self.file.as_os_str().as_bytes());
        match self.offset {
            _ if file.is_empty() => f.write_str(&self.what),
            Some(offset) => write!(f, "{file}:{offset}: {}", self.what),
            None => write!(f, "{file}: {}", self.what),
        }
    }
}

impl error::Error for Error {}

/// Why a verdict is not `AGREES`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause<'a> {
    pub code: Cow<'a, str>,
    pub text: Cow<'a, str>,
    /// How many differences and findings follow from it; 0 if not counted.
    pub explains: u64,
    pub state: State,
}

/// What a model is, and its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement<'a> {
    pub kind: Kind,
    pub verdict: State,
    /// The name in its files: untrusted.
    pub architecture: Option<Cow<'a, str>>,
    /// The class or product.
    pub name: Option<Cow<'a, str>>,
    pub known_by: Option<Cow<'a, str>>,
    /// The most likely first.
    pub causes: Vec<Cause<'a>>,
}

impl<'a> Judgement<'a> {
    pub(crate) unsafe fn new(j: &'a ffi::numel_judgement) -> Self {
        let cause = |c: &ffi::numel_cause| Cause {
            code: text(c.code).unwrap_or_default(),
            text: text(c.text).unwrap_or_default(),
            explains: c.explains,
            state: State(c.state),
        };
        Judgement {
            kind: Kind(j.kind),
            verdict: State(j.verdict),
            architecture: text(j.architecture),
            name: text(j.name),
            known_by: text(j.known_by),
            causes: list(j.causes, j.cause_count).iter().map(cause).collect(),
        }
    }
}

/// The ways of counting a model; `None` if unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub tensors: Option<u64>,
    pub stored: Option<u64>,
    pub logical: Option<u64>,
    pub unique: Option<u64>,
    pub parameters: Option<u64>,
    pub buffers: Option<u64>,
    pub non_embedding: Option<u64>,
    pub active: Option<u64>,
}

impl Counts {
    pub(crate) fn new(c: &ffi::numel_counts) -> Self {
        Counts {
            tensors: known(c.tensors),
            stored: known(c.stored),
            logical: known(c.logical),
            unique: known(c.unique),
            parameters: known(c.parameters),
            buffers: known(c.buffers),
            non_embedding: known(c.non_embedding),
            active: known(c.active),
        }
    }
}

/// A model as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts<'a> {
    /// The specification that was used.
    pub architecture: Option<Cow<'a, str>>,
    /// The parameters in symbols. If `None`, `why` tells the reason.
    pub expression: Option<Cow<'a, str>>,
    pub formula: Option<u64>,
    pub why: Option<Cow<'a, str>>,
    pub quantization: Option<Cow<'a, str>>,
    pub adapter: Option<Cow<'a, str>>,
    /// Elements that nothing explains.
    pub unexplained: i64,
}

impl Facts<'_> {
    pub(crate) unsafe fn new(f: &ffi::numel_facts) -> Self {
        Facts {
            architecture: text(f.architecture),
            expression: text(f.expression),
            formula: known(f.formula),
            why: text(f.why_text),
            quantization: text(f.quantization),
            adapter: text(f.adapter),
            unexplained: f.unexplained,
        }
    }
}

/// A line of the statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    pub code: Cow<'a, str>,
    pub cause: Cow<'a, str>,
    pub detail: Cow<'a, str>,
    pub tensors: u64,
    pub elements: i64,
    /// How many of its tensors are known by name only.
    pub unchecked: u64,
    pub ground: Ground,
    /// False if this line is what is wrong.
    pub explains: bool,
}

impl Line<'_> {
    pub(crate) unsafe fn new(l: &ffi::numel_line) -> Self {
        Line {
            code: text(l.code).unwrap_or_default(),
            cause: text(l.cause).unwrap_or_default(),
            detail: text(l.detail).unwrap_or_default(),
            tensors: l.tensors,
            elements: l.elements,
            unchecked: l.unchecked,
            ground: Ground(l.ground),
            explains: l.explains,
        }
    }
}

/// A tensor of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor<'a> {
    /// Any bytes: `escape()` them before you print them.
    pub name: &'a [u8],
    pub dtype: Cow<'a, str>,
    /// Outermost first.
    pub shape: &'a [u64],
    pub elements: u64,
    pub bytes: u64,
    /// Position in its file; `None` if it is joined from slices in several files.
    pub offset: Option<u64>,
    pub file: u32,
}

impl Tensor<'_> {
    pub(crate) unsafe fn new(t: &ffi::numel_tensor) -> Self {
        Tensor {
            name: list(t.name.p.cast(), t.name.n),
            dtype: text((*t.dtype).name).unwrap_or_default(),
            shape: list(t.dims, t.ndim as usize),
            elements: t.elements,
            bytes: t.bytes,
            offset: (t.offset != ffi::NUMEL_NOWHERE).then_some(t.offset),
            file: t.file,
        }
    }
}
