//! Rows as files: JSON Lines, Parquet, web archives.

mod parquet;

mod warc;

use std::io;

use crate::row::Row;
pub use parquet::ParquetWriter;
pub use warc::{ContentType, ConversionWriter};

/// Writes the rows of one file, in their order. The same rows give the same bytes.
pub trait RowWriter: Send {
    /// Writes a row.
    fn write(&mut self, row: &Row) -> io::Result<()>;

    /// Ends the file; all that was written is handed on by then.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::row::MenuEntry;

    /// A row: full if its number is even, with what may be unknown left out if not.
    pub(super) fn row(number: usize) -> Row {
        let entry = |label: &str, children: Vec<MenuEntry>| MenuEntry {
            label: label.to_owned(),
            url: (label != "More").then(|| format!("https://example.org/{label}")),
            children,
        };
        let full = number.is_multiple_of(2);
        Row {
            url: format!("https://example.org/{number}"),
            site: "example.org".to_owned(),
            date: full.then(|| "2026-11-16T06:14:30.123456Z".to_owned()),
            layout: full.then(|| "a1".to_owned()),
            title: full.then(|| format!("Page {number} é")),
            language: full.then(|| "en".to_owned()),
            told_by: "template".to_owned(),
            content: Some(format!("What page {number} says.\n")),
            menu: full.then(|| vec![entry("Home", vec![]), entry("More", vec![entry("Deep", vec![])])]),
            template_id: None,
            template_share: full.then_some(0.25),
            bytes: 5_000_000_000,
            words: 7,
            content_words: 4,
            links: 3,
            warnings: match full {
                true => vec!["unknown-layout".to_owned(), "floor".to_owned()],
                false => vec![],
            },
        }
    }

    /// What was written, to be had after the writer has gone.
    #[derive(Clone, Default)]
    pub(super) struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Kept {
        pub(super) fn bytes(&self) -> Vec<u8> {
            self.0.lock().unwrap().clone()
        }
    }

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
