//! An [`Evaluation`] in words and numbers: as a table to read, as JSON or CSV to go on with.

mod table;

mod json;

mod csv;
