//! Lets the linker leave the symbols of the interpreter undefined.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
