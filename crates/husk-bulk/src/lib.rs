//! Husk over whole crawls: pages of many sites in, what they say out, a row for each page.
//!
//! [`bulk`] does all of it, in two passes with bounded memory. Pages are gathered from archives and folders into runs on
//! disk that are sorted by site (`inputs`, `gather`, `store`); then the templates of each site are learned from some of its
//! pages and taken off all of them (`sites`), and the rows are written in parts (`output`). What is done is written down in
//! a journal, so that a run that was killed goes on.
//!
//! ```
//! use husk_bulk::{InputNames, Meter, Settings, bulk};
//!
//! # let folder = tempfile::tempdir()?;
//! # let site = folder.path().join("example.org");
//! # std::fs::create_dir(&site)?;
//! # std::fs::write(site.join("index.html"), "<html lang=en><title>Tea</title><p>All about tea, and how to make it.")?;
//! # let out = folder.path().join("out");
//! let inputs = InputNames { names: vec![site.into()], ..InputNames::default() };
//! let done = bulk(&inputs, &out, &Settings::default(), &Meter::default(), &|note| eprintln!("{note}"))?;
//! assert_eq!(done.manifest.totals.rows, 1);
//! assert!(out.join("part-00000.jsonl.zst").is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;

mod settings;

mod counts;

mod meter;

mod row;

mod lot;

mod census;

mod inputs;

mod parallel;

mod place;

mod journal;

mod store;

mod saved;

mod templates_file;

mod gather;

mod sites;

pub mod output;

pub mod report;

mod summaries;

mod parts;

mod manifest;

mod bulk;

pub use bulk::{Done, bulk};
pub use census::{Census, SiteCount};
pub use counts::{Counts, Totals};
pub use error::BulkError;
pub use gather::reason;
pub use inputs::{Input, InputKind, InputNames, Stamp};
pub use lot::{Lot, draw};
pub use manifest::{Manifest, PartFile};
pub use meter::{Meter, Seen, Stage};
pub use row::{MenuEntry, Row};
pub use saved::{NoPage, SavedPage, SavedPages};
pub use settings::{ContentFormat, Settings, Tuning, What};
pub use sites::{Teller, sample};
pub use store::{About, pack_page, unpack_page};
pub use templates_file::{TemplatesError, pack_templates, read_templates};
