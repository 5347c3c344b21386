#![doc = include_str!("../README.md")]

mod zstandard;

mod error;

mod input;

mod decompress;

mod fields;

mod date;

mod record;

mod chunked;

mod http;

mod reader;

mod file;

mod index;

mod writer;

pub use decompress::Position;
pub use error::WarcError;
pub use file::WarcFile;
pub use http::HttpHead;
pub use index::{CdxjIndex, CdxjLine};
pub use reader::RecordReader;
pub use record::{Block, Record, RecordType, normalize_digest};
pub use writer::{Compression, NewRecord, WarcWriter, WrittenRecord, payload_digest};
pub use zstandard::IS_SUPPORTED as ZSTD_IS_SUPPORTED;
