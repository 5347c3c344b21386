//! JSON Lines: an object a line, fields in the order of [`Row`].

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use zstd::stream::write::Encoder;

use super::{Packing, RowWriter};
use crate::row::Row;

/// Half of what the strongest level saves, at a fraction of its cost.
const ZSTD_LEVEL: i32 = 3;

pub(super) fn begin(out: impl Write + Send + 'static, packing: Packing) -> io::Result<Box<dyn RowWriter>> {
    Ok(match packing {
        Packing::None => Box::new(Lines::to(Plain(out))),
        Packing::Gz => Box::new(Lines::to(Gz(GzEncoder::new(out, Compression::default())))),
        Packing::Zst => {
            let mut encoder = Encoder::new(out, ZSTD_LEVEL)?;
            encoder.include_checksum(true)?;
            Box::new(Lines::to(Zst(encoder)))
        }
    })
}

/// Something that must be ended to be whole.
trait Ends: Write + Send {
    fn end(self) -> io::Result<()>;
}

struct Plain<W>(W);

struct Gz<W: Write>(GzEncoder<W>);

struct Zst<W: Write + 'static>(Encoder<'static, W>);

impl<W: Write + Send> Ends for Plain<W> {
    fn end(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write + Send> Ends for Gz<W> {
    fn end(self) -> io::Result<()> {
        self.0.finish()?.flush()
    }
}

impl<W: Write + Send> Ends for Zst<W> {
    fn end(self) -> io::Result<()> {
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

struct Lines<O> {
    out: O,
    line: Vec<u8>,
}

impl<O: Ends> Lines<O> {
    fn to(out: O) -> Self {
        Self {
            out,
            line: Vec::new(),
        }
    }
}

impl<O: Ends> RowWriter for Lines<O> {
    fn write(&mut self, row: &Row) -> io::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, row)?;
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.out.end()
    }
}
