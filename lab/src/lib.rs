//! The lab: measures methods on labelled pages. A corpus in, an [`Evaluation`] out.
//!
//! ```no_run
//! use husk::Options;
//! use husk_lab::{EvalMethod, Corpus, Part, evaluate};
//!
//! let corpus = Corpus::read("corpus".as_ref())?;
//! let evaluation = evaluate(&corpus.sites, Part::Template, EvalMethod::Paper, &Options::default());
//! assert!(evaluation.mean().scores.nodes.f1 > 0.9, "{}", evaluation.table());
//! # Ok::<(), husk_lab::CorpusError>(())
//! ```

mod part;

mod css;

mod corpus;

mod gold;

mod metrics;

mod found_part;

mod outline;

mod baselines;

mod method;

mod evaluation;

mod run;

mod bootstrap;

mod fit;

mod comparison;

mod floors;

mod report;

#[cfg(test)]
mod test_sites;

pub use baselines::Baseline;
pub use bootstrap::Interval;
pub use comparison::{Comparison, Lead, MethodResult, compare};
pub use corpus::{Corpus, CorpusError, KeyPage, LabelPlace, Labels, Sample, Site, Split};
pub use css::{Selector, SelectorError, select};
pub use evaluation::{Evaluation, Mean, Row, Times};
pub use fit::{Fitted, fit};
pub use floors::{FloorChange, Floors, FloorsError, LimitKind, MissedLimit};
pub use gold::{Gold, Label};
pub use method::EvalMethod;
pub use metrics::{Score, Scores};
pub use outline::{Outline, OutlineLine, Verdict};
pub use part::Part;
pub use run::evaluate;
