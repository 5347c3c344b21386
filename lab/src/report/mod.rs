//! An [`Evaluation`](crate::Evaluation) or a [`Comparison`](crate::Comparison) in words and numbers: as tables to read,
//! as JSON or CSV to go on with, as a page to look at.

mod grid;

mod table;

mod side_by_side;

mod json;

mod csv;

mod html;
