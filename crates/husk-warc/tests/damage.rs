//! Truncated, damaged and hostile files.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::io::Write;
use std::time::SystemTime;

use flate2::write::GzEncoder;
use husk_warc::{Block, Compression, NewRecord, RecordReader, RecordType, WarcWriter, ZSTD_IS_SUPPORTED};
use proptest::prelude::*;

const BLOCKS: [&[u8]; 3] = [
    b"HTTP/1.1 200 OK\r\n\r\n<p>One <b>and</b> more",
    b"HTTP/1.1 404 Gone\r\nX: y\r\n\r\n<p>Two",
    b"HTTP/1.1 200 OK\r\n\r\n<p>Three\r\n\r\nand the end</html>",
];

fn compressions() -> Vec<Compression> {
    let all = [Compression::Gzip, Compression::None, Compression::Zstd];
    let count = if ZSTD_IS_SUPPORTED { 3 } else { 2 };
    all[..count].to_vec()
}

/// A file with the three blocks, and the offsets at which their records end.
fn three_records(compression: Compression) -> (Vec<u8>, Vec<u64>) {
    let url = "https://example.org/".parse().unwrap();
    let mut writer = WarcWriter::new(Vec::new(), compression);
    writer.set_info(&[("software", "test")]);
    let ends = BLOCKS.map(|block| {
        let written = writer
            .write_record(&NewRecord {
                record_type: RecordType::Response,
                url: Some(&url),
                date: SystemTime::UNIX_EPOCH,
                fields: &[("Content-Type", "application/http; msgtype=response")],
                block: &[block],
            })
            .unwrap();
        written.offset + written.len
    });
    (writer.finish().unwrap(), ends.to_vec())
}

/// The blocks of all responses that can be read.
fn responses(file: &[u8]) -> Option<Vec<Block>> {
    let mut records = RecordReader::new(file).ok()?;
    let mut blocks = Vec::new();
    let mut count = 0;
    while let Some(next) = records.next_record() {
        if let Ok(record) = next
            && record.record_type() == Some(RecordType::Response)
            && let Ok(Some(block)) = records.read_block(1 << 20)
        {
            blocks.push(block);
        }
        count += 1;
        assert!(count < 1_000_000, "reading does not end");
    }
    Some(blocks)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn truncated_files_keep_their_complete_records() {
    for compression in compressions() {
        let (file, ends) = three_records(compression);
        for len in 0..file.len() {
            let complete = ends.iter().filter(|&&end| end <= len as u64).count();
            let read = responses(&file[..len]).unwrap_or_default();
            assert!(read.len() >= complete, "{compression:?}, {len} bytes: {read:?}");
            for (number, (block, written)) in read.iter().zip(BLOCKS).enumerate() {
                let is_equal = block.bytes == written;
                assert!(
                    is_equal || number >= complete && !block.is_complete,
                    "{compression:?}, {len} bytes: {block:?}"
                );
            }
        }
    }
}

#[test]
fn a_damaged_byte_loses_one_record() {
    for compression in compressions() {
        if compression == Compression::None {
            continue;
        }
        let (file, _) = three_records(compression);
        for at in 0..file.len() {
            for change in [0x01, 0x80, 0xFF] {
                let mut damaged = file.clone();
                damaged[at] ^= change;
                let Some(read) = responses(&damaged) else {
                    assert!(at < 4, "only the first bytes identify the compression: {at}");
                    continue;
                };
                let good = read
                    .iter()
                    .filter(|block| BLOCKS.contains(&block.bytes.as_slice()))
                    .count();
                assert!(good >= 2, "{compression:?}, byte {at}: {good}");
            }
        }
    }
}

#[test]
fn hostile_files_end() {
    // Each record claims the rest of the file as its block.
    let greedy = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 9999999\r\n\r\n\r\n\r\n".repeat(20_000);
    // Starts of members without the rest.
    let false_members = [
        gzip(b"WARC/1.0\r\n"),
        b"\x1F\x8B\x08\x00\0\0\0\0\0\x03".repeat(200_000),
    ]
    .concat();
    let bomb = gzip(
        &[
            &b"WARC/1.0\r\nContent-Length: 200000000\r\n\r\n"[..],
            &vec![0; 200_000_000],
        ]
        .concat(),
    );
    for file in [greedy.as_bytes(), &false_members, &bomb] {
        responses(file);
    }
}

proptest! {
    #[test]
    fn nothing_panics(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..12),
        compression in prop::sample::select(compressions()),
    ) {
        let (mut file, _) = three_records(compression);
        for (index, byte, edit) in edits {
            let at = index.index(file.len());
            match edit {
                0 => file[at] = byte,
                1 => file.insert(at, byte),
                2 => drop(file.remove(at)),
                _ => file.extend_from_within(at..file.len().min(at + usize::from(byte))),
            }
            if file.is_empty() {
                break;
            }
        }
        responses(&file);
    }
}
