//! JSON Lines: one object per line, with the fields in the order of [`Row`].

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use zstd::stream::write::Encoder;

use super::{FileCompression, RowWriter};
use crate::row::Row;

/// Saves half as much as the strongest level, at a fraction of its cost.
const ZSTD_LEVEL: i32 = 3;

pub(super) fn begin(
    out: impl Write + Send + 'static,
    compress: FileCompression,
) -> io::Result<Box<dyn RowWriter>> {
    Ok(match compress {
        FileCompression::None => Box::new(JsonLines::new(Plain(out))),
        FileCompression::Gz => Box::new(JsonLines::new(Gz(GzEncoder::new(out, Compression::default())))),
        FileCompression::Zst => {
            let mut encoder = Encoder::new(out, ZSTD_LEVEL)?;
            encoder.include_checksum(true)?;
            Box::new(JsonLines::new(Zst(encoder)))
        }
    })
}

/// A stream that must be finished explicitly.
trait FinishStream: Write + Send {
    fn finish_stream(self) -> io::Result<()>;
}

struct Plain<W>(W);

struct Gz<W: Write>(GzEncoder<W>);

struct Zst<W: Write + 'static>(Encoder<'static, W>);

impl<W: Write + Send> FinishStream for Plain<W> {
    fn finish_stream(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write + Send> FinishStream for Gz<W> {
    fn finish_stream(self) -> io::Result<()> {
        self.0.finish()?.flush()
    }
}

impl<W: Write + Send> FinishStream for Zst<W> {
    fn finish_stream(self) -> io::Result<()> {
        self.0.finish()?.flush()
    }
}

macro_rules! writes_through {
    ($name:ident, $bound:path) => {
        impl<W: Write + $bound> Write for $name<W> {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.write(bytes)
            }

            fn flush(&mut self) -> io::Result<()> {
                self.0.flush()
            }
        }
    };
}

writes_through!(Plain, Send);
writes_through!(Gz, Send);
writes_through!(Zst, Send);

struct JsonLines<O> {
    out: O,
    line: Vec<u8>,
}

impl<O: FinishStream> JsonLines<O> {
    fn new(out: O) -> Self {
        Self {
            out,
            line: Vec::new(),
        }
    }
}

impl<O: FinishStream> RowWriter for JsonLines<O> {
    fn write(&mut self, row: &Row) -> io::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, row)?;
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.out.finish_stream()
    }
}
