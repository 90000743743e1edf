//! What this crate uses of numel.h, by the names there. A test compares it with the header.
#![allow(non_camel_case_types, missing_docs)]

use std::ffi::c_void;
use std::os::raw::{c_char, c_uint};

pub const NUMEL_NOT_KNOWN: u64 = u64::MAX;
pub const NUMEL_NOWHERE: u64 = u64::MAX;
pub const NUMEL_JSON: c_uint = 1;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct numel_error {
    pub code: c_uint,
    pub offset: u64,
    pub file: [c_char; 512],
    pub what: [c_char; 512],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct numel_str {
    pub p: *const c_char,
    pub n: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct numel_cause {
    pub code: *const c_char,
    pub text: *const c_char,
    pub explains: u64,
    pub state: c_uint,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct numel_judgement {
    pub size: usize,
    pub kind: c_uint,
    pub verdict: c_uint,
    pub architecture: *const c_char,
    pub name: *const c_char,
    pub known_by: *const c_char,
    pub causes: *const numel_cause,
    pub cause_count: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct numel_options {
    pub size: usize,
    pub allocator: *const c_void,
    pub progress: Option<unsafe extern "C" fn(*mut c_void, u64, u64, *const c_char)>,
    pub progress_ctx: *mut c_void,
    pub strict: bool,
    pub no_guard: bool,
    pub max_header_bytes: u64,
    pub environment: Option<unsafe extern "C" fn(*mut c_void, *const c_char) -> *const c_char>,
    pub environment_ctx: *mut c_void,
    pub read: Option<unsafe extern "C" fn()>,
    pub list: Option<unsafe extern "C" fn()>,
    pub remote_ctx: *mut c_void,
    pub save: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct numel_knowledge {
    pub size: usize,
    pub declared_only: bool,
    pub lone_file: bool,
    pub values: bool,
    pub reserved: [bool; 5],
    pub config: *const c_char,
    pub architecture: *const c_char,
    pub specs: *const *const c_char,
    pub spec_count: usize,
    pub sets: *const *const c_char,
    pub set_count: usize,
    pub config_text: *const c_void,
    pub config_bytes: usize,
    pub print_as: *const c_char,
    pub base: *const c_char,
    pub fit: u64,
    pub set_use: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct numel_counts {
    pub size: usize,
    pub tensors: u64,
    pub stored: u64,
    pub logical: u64,
    pub unique: u64,
    pub parameters: u64,
    pub buffers: u64,
    pub non_embedding: u64,
    pub active: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct numel_facts {
    pub size: usize,
    pub verdict: c_uint,
    pub why: c_uint,
    pub why_text: *const c_char,
    pub architecture: *const c_char,
    pub from: *const c_char,
    pub adapter: *const c_char,
    pub expression: *const c_char,
    pub quantization: *const c_char,
    pub inferred: bool,
    pub reserved: [bool; 7],
    pub formula: u64,
    pub unexplained: i64,
    pub on_shape: u64,
    pub on_name: u64,
    pub on_nothing: u64,
    pub symbols: usize,
    pub terms: usize,
    pub expected: usize,
    pub lines: usize,
    pub differences: usize,
    pub groups: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct numel_line {
    pub size: usize,
    pub code: *const c_char,
    pub cause: *const c_char,
    pub detail: *const c_char,
    pub tensors: u64,
    pub elements: i64,
    pub unchecked: u64,
    pub ground: c_uint,
    pub explains: bool,
    pub reserved: [bool; 3],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct numel_dtype {
    pub size: usize,
    pub name: *const c_char,
    pub block_elements: u32,
    pub block_bytes: u32,
    pub row_bytes: u32,
    pub gguf_id: i32,
    pub in_formats: u32,
    pub standing: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct numel_tensor {
    pub size: usize,
    pub name: numel_str,
    pub dtype: *const numel_dtype,
    pub dims: *const u64,
    pub elements: u64,
    pub bytes: u64,
    pub offset: u64,
    pub ndim: u32,
    pub file: u32,
    pub flags: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct numel_style {
    pub size: usize,
    pub format: c_uint,
    pub width: c_uint,
    pub color: bool,
    pub bars: bool,
    pub blocks: bool,
    pub reserved: [bool; 5],
}

macro_rules! opaque {
    ($($name:ident)*) => {
        $(#[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        })*
    };
}
opaque!(numel_subject numel_checkpoint numel_report);

pub type numel_write_fn = unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> bool;

extern "C" {
    pub fn numel_version() -> *const c_char;
    pub fn numel_rc_name(code: c_uint) -> *const c_char;
    pub fn numel_subject_kind_name(kind: c_uint) -> *const c_char;
    pub fn numel_state_name(state: c_uint) -> *const c_char;
    pub fn numel_escape(out: *mut c_char, size: usize, text: *const c_char, bytes: usize) -> usize;
    pub fn numel_subject_open(
        out: *mut *mut numel_subject,
        path: *const c_char,
        k: *const numel_knowledge,
        options: *const numel_options,
        e: *mut numel_error,
    ) -> c_uint;
    pub fn numel_subject_judge(
        s: *mut numel_subject,
        j: *mut *const numel_judgement,
        e: *mut numel_error,
    ) -> c_uint;
    pub fn numel_subject_close(s: *mut numel_subject);
    pub fn numel_subject_members(
        s: *mut numel_subject,
        count: *mut usize,
        e: *mut numel_error,
    ) -> c_uint;
    pub fn numel_subject_member(
        out: *mut *mut numel_subject,
        s: *mut numel_subject,
        i: usize,
        e: *mut numel_error,
    ) -> c_uint;
    pub fn numel_subject_checkpoint(
        s: *mut numel_subject,
        out: *mut *const numel_checkpoint,
        e: *mut numel_error,
    ) -> c_uint;
    pub fn numel_subject_about(
        s: *const numel_subject,
        out: *mut numel_facts,
        e: *mut numel_error,
    ) -> c_uint;
    pub fn numel_subject_counts(
        s: *const numel_subject,
        out: *mut numel_counts,
        e: *mut numel_error,
    ) -> c_uint;
    pub fn numel_line_at(
        s: *const numel_subject,
        i: usize,
        out: *mut numel_line,
        e: *mut numel_error,
    ) -> c_uint;
    pub fn numel_tensor_count(c: *const numel_checkpoint) -> usize;
    pub fn numel_tensor_at(
        c: *const numel_checkpoint,
        i: usize,
        out: *mut numel_tensor,
        e: *mut numel_error,
    ) -> c_uint;
    pub fn numel_report_reconcile(
        out: *mut *mut numel_report,
        s: *mut numel_subject,
        view: *const c_void,
        e: *mut numel_error,
    ) -> c_uint;
    pub fn numel_report_write(
        r: *const numel_report,
        style: *const numel_style,
        write: Option<numel_write_fn>,
        ctx: *mut c_void,
        e: *mut numel_error,
    ) -> c_uint;
    pub fn numel_report_free(r: *mut numel_report);
}
