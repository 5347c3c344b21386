//! Husk for Python: the engine's types, one file each, as the module `husk._husk`.
//!
//! Nothing is decided here. `packages/python` has the package that users import, with what these types are for type
//! checkers (`_husk.pyi`). Everything that takes a while lets other threads of Python run meanwhile.

use pyo3::prelude::*;

mod fault;

mod json;

mod page;

mod extraction;

mod session;

mod row;

mod templates;

mod saved;

mod census;

/// As the command has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[pymodule]
mod _husk {
    #[pymodule_export]
    use crate::census::Census;
    #[pymodule_export]
    use crate::extraction::Extraction;
    #[pymodule_export]
    use crate::page::{Page, lot_address};
    #[pymodule_export]
    use crate::row::{Row, rows_to_arrow};
    #[pymodule_export]
    use crate::saved::{SavedPages, sample};
    #[pymodule_export]
    use crate::session::{Session, default_options, extract};
    #[pymodule_export]
    use crate::templates::{Stripped, Teller, Templates};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
