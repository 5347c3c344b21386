//! The paper's ETDM: which node of one page is which of another, beginning at the roots.
//!
//! Two trees and an [`Equality`] in, a [`Mapping`] out.

mod tree;

mod equality;

mod weighted;

mod top_down;

pub use equality::{Custom, Equality, Label, LabelAttributes};
pub use top_down::{Mapping, top_down};
pub use tree::{NodeSet, Place, Tree};
pub use weighted::{Weighted, Weights};
