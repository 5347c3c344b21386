//! Writes an [`Evaluation`](crate::Evaluation) or a [`Comparison`](crate::Comparison) as a table, JSON, CSV or HTML.

mod grid;

mod table;

mod side_by_side;

mod json;

mod csv;

mod html;
