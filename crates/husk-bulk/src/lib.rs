//! Husk over whole crawls: pages of many sites in, one row per page out.
//!
//! [`bulk`] makes two passes with bounded memory. The first reads pages from archives and folders and writes them to disk
//! sorted by site (`inputs`, `gather`, `store`). The second learns the templates of each site from a sample of its pages,
//! strips them from all of its pages (`sites`) and writes the rows in parts (`output`, `parts`). A journal records what is
//! done, so that an interrupted run can resume.
//!
//! ```
//! use husk_bulk::{InputNames, Progress, Settings, bulk};
//!
//! # let folder = tempfile::tempdir()?;
//! # let site = folder.path().join("example.org");
//! # std::fs::create_dir(&site)?;
//! # std::fs::write(site.join("index.html"), "<html lang=en><title>Tea</title><p>All about tea, and how to make it.")?;
//! # let out = folder.path().join("out");
//! let inputs = InputNames { names: vec![site.into()], ..InputNames::default() };
//! let run = bulk(&inputs, &out, &Settings::default(), &Progress::default(), &|note| eprintln!("{note}"))?;
//! assert_eq!(run.manifest.totals.rows, 1);
//! assert!(out.join("part-00000.jsonl.zst").is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;

mod selection;

mod settings;

mod counts;

mod progress;

mod row;

mod sample_key;

mod site_counts;

mod inputs;

mod parallel;

mod output_folder;

mod hashed_file;

mod journal;

mod store;

mod saved;

mod templates_file;

mod gather;

mod sites;

pub mod output;

pub mod report;

mod resumable_log;

mod summaries;

mod learned_templates;

mod parts;

mod manifest;

mod started_run;

mod finished;

mod bulk;

pub use bulk::{FinishedRun, bulk};
pub use counts::{RecordCounts, RowTotals};
pub use error::BulkError;
pub use finished::FinishedOutput;
pub use gather::skip_reason;
pub use inputs::{Input, InputKind, InputNames, InputStamp, WarcStream};
pub use learned_templates::store_updates;
pub use manifest::{FileProblem, Manifest, PartFile, RunRecord};
pub use progress::{Progress, ProgressSnapshot, Stage};
pub use row::{Row, RowMenuItem, TemplateSource};
pub use sample_key::{SampleKey, sample_pages};
pub use saved::{SavedPage, SavedPages, SkippedPage};
pub use selection::Selection;
pub use settings::{ContentFormat, RowFields, Settings, Tuning};
pub use site_counts::{SiteCount, SiteCounts};
pub use sites::{ChosenTemplates, RowBuilder, choose_templates, sample_evenly};
pub use store::{PageInfo, WarcRecord, pack_page, parse_page_url, unpack_page};
pub use templates_file::{TemplatesError, pack_templates, read_templates};
