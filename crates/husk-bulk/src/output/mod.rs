//! Rows as files: JSON Lines, Parquet, web archives.

mod parquet;

use std::io;

use crate::row::Row;
pub use parquet::ParquetWriter;

/// Writes the rows of one file, in their order. The same rows give the same bytes.
pub trait RowWriter: Send {
    /// Writes a row.
    fn write(&mut self, row: &Row) -> io::Result<()>;

    /// Ends the file; all that was written is handed on by then.
    fn finish(self: Box<Self>) -> io::Result<()>;
}
