//! Lists the records of WARC files: offset, type, HTTP status, length of the block, and URL. Prints damage to standard
//! error.
//!
//! ```sh
//! cargo run -p husk-warc --example records -- site.warc.gz
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

use std::env;
use std::error::Error;

use husk_warc::{HttpHead, RecordType, WarcError, WarcFile};

const MAX_BLOCK: u64 = 64 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    for path in env::args().skip(1) {
        list(&path)?;
    }
    Ok(())
}

fn list(path: &str) -> Result<(), WarcError> {
    let mut records = WarcFile::open(path)?.records()?;
    while let Some(next) = records.next_record() {
        let record = match next {
            Ok(record) => record,
            Err(cause @ WarcError::Io { .. }) => return Err(cause),
            Err(damage) => {
                eprintln!("{damage}");
                continue;
            }
        };
        let record_type = record.record_type().map_or("?", RecordType::as_str);
        let (mut status, mut len) = ("-".to_owned(), "-".to_owned());
        match records.read_block(MAX_BLOCK) {
            Ok(Some(block)) => {
                len = block.bytes.len().to_string();
                if let Some((head, _)) = HttpHead::parse(&block.bytes) {
                    status = head.status.to_string();
                }
            }
            Ok(None) => {}
            Err(damage) => eprintln!("{damage}"),
        }
        let offset = record.position.offset;
        println!(
            "{offset:>12} {record_type:<12} {status:>3} {len:>10} {}",
            record.target_uri()
        );
    }
    Ok(())
}
