//! Where libnumel is: in the folder NUMEL_LIB_DIR, else where pkg-config finds it, else where the linker looks.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=NUMEL_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rustc-link-lib=dylib=numel");
    if let Ok(folder) = env::var("NUMEL_LIB_DIR") {
        println!("cargo:rustc-link-search=native={folder}");
        return;
    }
    let answer = Command::new("pkg-config")
        .args(["--libs-only-L", "numel"])
        .output();
    let words = answer
        .map(|a| String::from_utf8_lossy(&a.stdout).into_owned())
        .unwrap_or_default();
    for word in words.split_whitespace() {
        if let Some(folder) = word.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
        }
    }
}
