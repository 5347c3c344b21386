//! Says that the interpreter's symbols are found when the module is loaded, where linkers want to know.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
