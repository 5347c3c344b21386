//! Pairs of equal nodes of two pages, parents always paired too: an equal top-down mapping (ETDM).
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
