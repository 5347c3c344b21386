//! Pairs the nodes of two pages, starting at the roots.
//!
//! Two trees and an [`Equality`] in, a [`Mapping`] out: the paper's ETDM. Two pages with their fingerprints in, an
//! [`Alignment`] out: the default method's.

mod tree;

mod equality;

mod weighted;

mod top_down;

mod aligned;

pub(crate) use aligned::{Alignment, Side, align};
pub use equality::{Custom, Equality, Label, LabelAttributes};
pub use top_down::{Mapping, top_down};
pub use tree::{NodePosition, NodeSet, Tree};
pub use weighted::{Weighted, Weights};
