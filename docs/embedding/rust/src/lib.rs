//! What is really in a model checkpoint: a safe wrapper of libnumel, without dependencies.
//!
//! The first call that needs the files of a [`Model`] reads and judges them. Values borrow from the model. An [`Error`] means
//! that something could not be read; a checkpoint that can be read but is wrong has a verdict and causes.
//!
//! A `Model` may move to another thread. Threads cannot share it, because any call may read files.

pub mod ffi;
mod values;

pub use values::{
    Cause, Code, Counts, Error, Facts, Ground, Judgement, Kind, Line, Result, State, Tensor,
};

use std::ffi::{c_void, CStr, CString};
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::os::raw::{c_char, c_uint};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{null, null_mut, NonNull};

/// A struct of numel.h that begins with its size; all else is 0.
macro_rules! init {
    ($type:ty) => {{
        // SAFETY: numbers, bools, pointers and optional functions: all of them may be 0.
        let mut value: $type = unsafe { std::mem::zeroed() };
        value.size = std::mem::size_of::<$type>();
        value
    }};
}

/// Calls what ends in a `numel_error *`.
fn call(function: impl FnOnce(*mut ffi::numel_error) -> c_uint) -> Result<()> {
    let mut error = ffi::numel_error {
        code: 0,
        offset: 0,
        file: [0; 512],
        what: [0; 512],
    };
    match function(&mut error) {
        0 => Ok(()),
        code => Err(Error::new(code, &error)),
    }
}

fn c_string(bytes: &[u8]) -> Result<CString> {
    CString::new(bytes).map_err(|_| Error::usage("a path or text holds a NUL byte"))
}

/// The version of the library that was linked.
pub fn version() -> &'static str {
    // SAFETY: a constant text of ASCII.
    unsafe { CStr::from_ptr(ffi::numel_version()) }
        .to_str()
        .unwrap_or("")
}

/// Escapes untrusted text for a terminal.
pub fn escape(text: &[u8]) -> String {
    // SAFETY: `text` has so many bytes, and `out` the room that the first call asks for, and a NUL.
    unsafe {
        let needed = ffi::numel_escape(null_mut(), 0, text.as_ptr().cast(), text.len());
        let mut out = vec![0u8; needed + 1];
        ffi::numel_escape(
            out.as_mut_ptr().cast(),
            out.len(),
            text.as_ptr().cast(),
            text.len(),
        );
        out.truncate(needed);
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// How to open a model, and what is known about it besides its files.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    config: Option<CString>,
    architecture: Option<CString>,
    base: Option<CString>,
    sets: Vec<CString>,
    values: bool,
    strict: bool,
}

impl OpenOptions {
    pub fn new() -> Self {
        Self::default()
    }
    /// Use this config.json instead of the model's own.
    pub fn config(mut self, path: impl AsRef<Path>) -> Result<Self> {
        self.config = Some(c_string(path.as_ref().as_os_str().as_bytes())?);
        Ok(self)
    }
    /// Use this specification instead of the one that fits the configuration.
    pub fn architecture(mut self, name: &str) -> Result<Self> {
        self.architecture = Some(c_string(name.as_bytes())?);
        Ok(self)
    }
    /// The model that an adapter was made for.
    pub fn base(mut self, path: impl AsRef<Path>) -> Result<Self> {
        self.base = Some(c_string(path.as_ref().as_os_str().as_bytes())?);
        Ok(self)
    }
    /// Set a key of the configuration: "hidden_size=4096".
    pub fn set(mut self, text: &str) -> Result<Self> {
        self.sets.push(c_string(text.as_bytes())?);
        Ok(self)
    }
    /// Read the data where it decides what a tensor is.
    pub fn values(mut self, yes: bool) -> Self {
        self.values = yes;
        self
    }
    /// Warnings count as errors.
    pub fn strict(mut self, yes: bool) -> Self {
        self.strict = yes;
        self
    }
    /// Opens a model.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Model> {
        let pointer = |text: &Option<CString>| text.as_ref().map_or(null(), |t| t.as_ptr());
        let path = c_string(path.as_ref().as_os_str().as_bytes())?;
        let sets: Vec<*const c_char> = self.sets.iter().map(|s| s.as_ptr()).collect();
        let mut known = init!(ffi::numel_knowledge);
        let mut options = init!(ffi::numel_options);
        known.config = pointer(&self.config);
        known.architecture = pointer(&self.architecture);
        known.base = pointer(&self.base);
        (known.sets, known.set_count) = (sets.as_ptr(), sets.len());
        known.values = self.values;
        options.strict = self.strict;
        options.environment = Some(environment);
        let mut raw = null_mut();
        // SAFETY: all that is passed lives until the call returns, which copies what it keeps.
        call(|e| unsafe { ffi::numel_subject_open(&mut raw, path.as_ptr(), &known, &options, e) })?;
        Model::own(raw)
    }
}

/// Lets the library resolve names such as "org/model".
unsafe extern "C" fn environment(_: *mut c_void, name: *const c_char) -> *const c_char {
    extern "C" {
        fn getenv(name: *const c_char) -> *const c_char;
    }
    getenv(name)
}

/// A model, a pipeline, an adapter or a configuration.
#[derive(Debug)]
pub struct Model {
    raw: NonNull<ffi::numel_subject>,
}

// SAFETY: the library allows any thread, one at a time. Not Sync: any call may read and judge.
unsafe impl Send for Model {}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: we own it, and no borrow is left.
        unsafe { ffi::numel_subject_close(self.raw.as_ptr()) }
    }
}

impl Model {
    /// Opens a folder, a file, a shard index, or a name such as "org/model".
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        OpenOptions::new().open(path)
    }

    fn own(raw: *mut ffi::numel_subject) -> Result<Self> {
        NonNull::new(raw)
            .map(|raw| Model { raw })
            .ok_or_else(|| Error::usage("there is no model"))
    }

    /// What it is, the verdict, and its causes.
    pub fn judgement(&self) -> Result<Judgement<'_>> {
        let mut out = null();
        // SAFETY: what is handed out lives as long as the subject, which the result borrows.
        unsafe {
            call(|e| ffi::numel_subject_judge(self.raw.as_ptr(), &mut out, e))?;
            Ok(Judgement::new(&*out))
        }
    }

    /// The subject, judged: facts and counts need that.
    fn judged(&self) -> Result<*const ffi::numel_subject> {
        // SAFETY: the judgement may be left out.
        call(|e| unsafe { ffi::numel_subject_judge(self.raw.as_ptr(), null_mut(), e) })?;
        Ok(self.raw.as_ptr())
    }

    /// The ways of counting it.
    pub fn counts(&self) -> Result<Counts> {
        let (subject, mut out) = (self.judged()?, init!(ffi::numel_counts));
        // SAFETY: `out` says its size.
        call(|e| unsafe { ffi::numel_subject_counts(subject, &mut out, e) })?;
        Ok(Counts::new(&out))
    }

    fn about(&self) -> Result<ffi::numel_facts> {
        let (subject, mut out) = (self.judged()?, init!(ffi::numel_facts));
        // SAFETY: `out` says its size.
        call(|e| unsafe { ffi::numel_subject_about(subject, &mut out, e) })?;
        Ok(out)
    }

    /// The model as a whole.
    pub fn facts(&self) -> Result<Facts<'_>> {
        // SAFETY: its texts live as long as the subject, which the result borrows.
        Ok(unsafe { Facts::new(&self.about()?) })
    }

    /// The lines of the statement. Their elements add up to what is stored.
    pub fn statement(&self) -> Result<Statement<'_>> {
        Ok(Statement {
            model: self,
            left: 0..self.about()?.lines,
        })
    }

    /// The tensors of its checkpoint, in the order of their files.
    pub fn tensors(&self) -> Result<Tensors<'_>> {
        let mut checkpoint = null();
        // SAFETY: the checkpoint lives as long as the subject, which the result borrows.
        unsafe {
            call(|e| ffi::numel_subject_checkpoint(self.raw.as_ptr(), &mut checkpoint, e))?;
            Ok(Tensors {
                checkpoint,
                left: 0..ffi::numel_tensor_count(checkpoint),
                model: PhantomData,
            })
        }
    }

    /// The models of a pipeline; none for a single model.
    pub fn members(&self) -> Result<Vec<Member<'_>>> {
        let mut count = 0;
        // SAFETY: a member borrows the model that it came from, and is gone before it.
        unsafe {
            call(|e| ffi::numel_subject_members(self.raw.as_ptr(), &mut count, e))?;
            (0..count)
                .map(|i| {
                    let mut raw = null_mut();
                    call(|e| ffi::numel_subject_member(&mut raw, self.raw.as_ptr(), i, e))?;
                    Ok(Member {
                        model: Model::own(raw)?,
                        whole: PhantomData,
                    })
                })
                .collect()
        }
    }

    /// The document that `numel reconcile --json` prints.
    pub fn reconcile_json(&self) -> Result<String> {
        let (mut report, mut text) = (null_mut(), Vec::<u8>::new());
        let mut style = init!(ffi::numel_style);
        style.format = ffi::NUMEL_JSON;
        // SAFETY: `append` gets the vector that is passed beside it, and the report is freed once.
        unsafe {
            call(|e| ffi::numel_report_reconcile(&mut report, self.raw.as_ptr(), null(), e))?;
            let context = (&mut text as *mut Vec<u8>).cast();
            let written =
                call(|e| ffi::numel_report_write(report, &style, Some(append), context, e));
            ffi::numel_report_free(report);
            written?;
        }
        String::from_utf8(text).map_err(|_| Error::usage("the report is not UTF-8"))
    }
}

unsafe extern "C" fn append(context: *mut c_void, p: *const c_void, bytes: usize) -> bool {
    if bytes > 0 {
        (*context.cast::<Vec<u8>>()).extend_from_slice(std::slice::from_raw_parts(p.cast(), bytes));
    }
    true
}

/// A model of a pipeline.
#[derive(Debug)]
pub struct Member<'a> {
    model: Model,
    whole: PhantomData<&'a Model>,
}

impl Deref for Member<'_> {
    type Target = Model;
    fn deref(&self) -> &Model {
        &self.model
    }
}

/// The lines of a statement.
#[derive(Debug)]
pub struct Statement<'a> {
    model: &'a Model,
    left: Range<usize>,
}

impl<'a> Iterator for Statement<'a> {
    type Item = Result<Line<'a>>;
    fn next(&mut self) -> Option<Self::Item> {
        let (i, mut out) = (self.left.next()?, init!(ffi::numel_line));
        // SAFETY: `out` says its size; its texts live as long as the subject.
        Some(unsafe {
            call(|e| ffi::numel_line_at(self.model.raw.as_ptr(), i, &mut out, e))
                .map(|()| Line::new(&out))
        })
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl ExactSizeIterator for Statement<'_> {}

/// The tensors of a checkpoint.
#[derive(Debug)]
pub struct Tensors<'a> {
    checkpoint: *const ffi::numel_checkpoint,
    left: Range<usize>,
    model: PhantomData<&'a Model>,
}

impl<'a> Iterator for Tensors<'a> {
    type Item = Result<Tensor<'a>>;
    fn next(&mut self) -> Option<Self::Item> {
        let (i, mut out) = (self.left.next()?, init!(ffi::numel_tensor));
        // SAFETY: `out` says its size; what it points to lives as long as the checkpoint.
        Some(unsafe {
            call(|e| ffi::numel_tensor_at(self.checkpoint, i, &mut out, e))
                .map(|()| Tensor::new(&out))
        })
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl ExactSizeIterator for Tensors<'_> {}
