//! Python bindings: the engine's types as the module `husk._husk`, one file each.
//!
//! They hold no logic. `packages/python` has the package that users import, and the type stubs (`_husk.pyi`). Long calls
//! release the GIL.

use pyo3::prelude::*;

mod errors;

mod json;

mod page;

mod extraction;

mod session;

mod row;

mod templates;

mod store;

mod saved;

mod site_counts;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[pymodule]
mod _husk {
    #[pymodule_export]
    use crate::extraction::{Extraction, formats};
    #[pymodule_export]
    use crate::page::{Page, sample_key_url_hash};
    #[pymodule_export]
    use crate::row::{Row, rows_to_parquet};
    #[pymodule_export]
    use crate::saved::{SavedPages, sample_evenly};
    #[pymodule_export]
    use crate::session::{Session, default_options, extract};
    #[pymodule_export]
    use crate::site_counts::SiteCounts;
    #[pymodule_export]
    use crate::store::Store;
    #[pymodule_export]
    use crate::templates::{RowBuilder, Stripped, Templates};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
