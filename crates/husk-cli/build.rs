//! Links the command at a fixed address on Linux.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|found| found == value);
    // A program that can be loaded anywhere has 100,000 pointers to correct whenever it starts, which takes a third of
    // the time. Libraries, stack and heap still are at random addresses.
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
