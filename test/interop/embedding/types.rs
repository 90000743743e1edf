//! Prints the structs and constants of the crate's ffi for declared.py. languages.py fills in the two lists.
#![allow(non_camel_case_types)]

use numel::ffi::*;
use std::os::raw::c_char;

trait Kind {
    fn kind() -> String;
}
macro_rules! kinds {
    ($($type:ty: $name:literal)*) => { $(impl Kind for $type {
        fn kind() -> String {
            $name.into()
        }
    })* };
}
kinds!(bool: "bool" c_char: "char" u32: "u32" i32: "i32" u64: "u64" usize: "u64" i64: "i64" numel_str: "struct");
impl<T> Kind for *const T {
    fn kind() -> String {
        "pointer".into()
    }
}
impl<T> Kind for *mut T {
    fn kind() -> String {
        "pointer".into()
    }
}
impl<T> Kind for Option<T> {
    fn kind() -> String {
        assert_eq!(std::mem::size_of::<Self>(), std::mem::size_of::<usize>());
        "pointer".into()
    }
}
impl<T: Kind, const N: usize> Kind for [T; N] {
    fn kind() -> String {
        format!("{}[{N}]", T::kind())
    }
}

fn kind_of<T: Kind>(_: *const T) -> String {
    T::kind()
}

macro_rules! layout {
    ($($type:ident { $($field:ident)* })*) => { $({
        println!("struct {} {}", stringify!($type), std::mem::size_of::<$type>());
        let value = std::mem::MaybeUninit::<$type>::uninit();
        $({
            // SAFETY: the address alone is taken.
            let field = unsafe { std::ptr::addr_of!((*value.as_ptr()).$field) };
            let offset = field as usize - value.as_ptr() as usize;
            println!("field {} {} {offset} {}", stringify!($type), stringify!($field), kind_of(field));
        })*
    })* };
}
macro_rules! constants {
    ($($list:ident $name:ident $value:expr;)*) => { $(
        println!("constant {} {} {}", stringify!($list), stringify!($name), $value);
    )* };
}

fn main() {
    layout!(@STRUCTS@);
    constants!(@CONSTANTS@);
}
