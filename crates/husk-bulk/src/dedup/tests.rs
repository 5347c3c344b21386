//! Files of slots, written and read: whole, cut off, damaged.

use std::io::Cursor;

use proptest::prelude::*;

use super::*;

/// A page of a site: a menu of its own, a text of the page's.
fn page(site: usize, number: usize) -> Vec<u8> {
    let menu: String = (0..40)
        .map(|entry| format!("<li><a href=/{site}/{entry}>Entry {entry}</a></li>\n"))
        .collect();
    let text = format!("<p>Page {number} of site {site}, é.</p>\n").repeat(number % 7);
    let mut bytes = format!("<!DOCTYPE html>\n<ul>{menu}</ul>\n<main>{text}</main>\n").into_bytes();
    // Not everything is UTF-8.
    bytes.push(0xFF);
    bytes
}

fn head(site: usize, number: usize) -> PageHead {
    PageHead {
        url: format!("https://{site}.example/{number}"),
        status: 200,
        date: number
            .is_multiple_of(2)
            .then(|| "2026-11-16T06:14:30Z".to_owned()),
        content_type: number.is_multiple_of(3).then(String::new),
        layout: number.is_multiple_of(5).then(|| "a1b2".to_owned()),
    }
}

/// A file with so many pages of each site.
fn file(pages_of_sites: &[usize]) -> (Vec<u8>, DedupTotals) {
    let mut writer = DedupWriter::new(Vec::new()).unwrap();
    for (site, &count) in pages_of_sites.iter().enumerate() {
        let pages: Vec<Vec<u8>> = (0..count).map(|number| page(site, number)).collect();
        let sample: Vec<&[u8]> = pages.iter().take(8).map(Vec::as_slice).collect();
        let shared = SharedBytes::of_pages(&sample);
        writer.site(&format!("{site}.example"), &shared).unwrap();
        for (number, page) in pages.iter().enumerate() {
            let compared = Compared::of(page).unwrap();
            writer
                .page(&head(site, number), &Slots::of(page, &shared), Some(&compared))
                .unwrap();
        }
    }
    writer.finish().unwrap()
}

fn reader(file: &[u8]) -> Result<DedupReader<Cursor<&[u8]>>, DedupError> {
    DedupReader::new(Cursor::new(file))
}

/// Reads all of a file in every way; what comes is as it was stored.
fn read(file: &[u8]) -> Result<usize, DedupError> {
    let mut count = 0;
    for stored in reader(file)? {
        let StoredPage { head: found, bytes } = stored?;
        let (site, number) = found.url["https://".len()..].split_once(".example/").unwrap();
        let (site, number) = (site.parse().unwrap(), number.parse().unwrap());
        assert_eq!(found, head(site, number));
        assert!(bytes == page(site, number), "{} comes back", found.url);
        count += 1;
    }
    reader(file)?.find("https://0.example/1")?;
    Ok(count)
}

#[test]
fn pages_come_back_in_their_order() {
    let sites = [3, 1, 0, 1500, 2];
    let (file, totals) = file(&sites);
    assert_eq!(read(&file).unwrap(), 1506);
    assert_eq!(totals.pages, 1506);
    assert_eq!(totals.templates, 3, "a page alone shares nothing");
    assert_eq!(totals.packed, file.len() as u64);
    let rivals = totals.rivals.unwrap();
    assert!(
        totals.packed * 10 < rivals.gzip && totals.packed * 9 < rivals.zstd,
        "{totals:?}"
    );
    assert!(
        rivals.zstd_solid_same_level < rivals.zstd_solid && rivals.zstd_solid < rivals.zstd,
        "{totals:?}"
    );
    let urls: Vec<String> = reader(&file)
        .unwrap()
        .map(|page| page.unwrap().head.url)
        .collect();
    assert_eq!(urls[3], "https://1.example/0");
    assert_eq!(urls[1505], "https://4.example/1");
}

#[test]
fn the_same_pages_give_the_same_bytes() {
    assert!(file(&[20, 30]).0 == file(&[20, 30]).0);
}

#[test]
fn a_file_may_be_empty() {
    let (file, totals) = file(&[]);
    assert_eq!(read(&file).unwrap(), 0);
    assert_eq!(totals.rivals, None);
}

#[test]
fn one_page_is_found_by_its_address() {
    let (file, _) = file(&[3, 1300]);
    let mut reader = reader(&file).unwrap();
    for number in [0, 1, 1023, 1024, 1299] {
        let found = reader.find(&format!("https://1.example/{number}")).unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].bytes == page(1, number));
    }
    assert_eq!(reader.find("https://1.example/1300").unwrap(), []);
    let first = reader.next().unwrap().unwrap();
    assert_eq!(
        first.head.url, "https://0.example/0",
        "looking one up does not disturb the order"
    );
}

#[test]
fn all_captures_of_an_address_are_found() {
    let mut writer = DedupWriter::new(Vec::new()).unwrap();
    for text in ["old", "new"] {
        let slots = Slots::of(text.as_bytes(), &SharedBytes::default());
        writer.page(&head(0, 0), &slots, None).unwrap();
    }
    let (file, totals) = writer.finish().unwrap();
    assert_eq!(totals.rivals, None, "nothing was compared");
    let found = reader(&file).unwrap().find("https://0.example/0").unwrap();
    let texts: Vec<&[u8]> = found.iter().map(|page| page.bytes.as_slice()).collect();
    assert_eq!(texts, [b"old", b"new"]);
}

#[test]
fn other_files_are_told_from_ours() {
    assert!(matches!(reader(b""), Err(DedupError::NotSlots)));
    assert!(matches!(reader(b"WARC/1.1\r\n"), Err(DedupError::NotSlots)));
    assert!(matches!(reader(b"HUSKSLOT\x02"), Err(DedupError::Version(2))));
}

#[test]
fn a_file_that_was_cut_off_is_an_error_wherever_it_was() {
    let (file, _) = file(&[3, 2]);
    for len in 0..file.len() {
        assert!(read(&file[..len]).is_err(), "cut at {len}");
    }
}

#[test]
fn no_damaged_byte_goes_unnoticed() {
    let (file, _) = file(&[3, 2]);
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 0x41;
        assert!(read(&damaged).is_err(), "damaged at {at}");
    }
}

/// Parts with a right checksum, as somebody with bad intentions would make them.
fn forged(parts: &[(format::Kind, Vec<u8>)]) -> Vec<u8> {
    let mut file = b"HUSKSLOT\x01".to_vec();
    for (kind, held) in parts {
        format::write_part(&mut file, *kind, held).unwrap();
    }
    file
}

proptest! {
    #[test]
    fn forged_parts_do_no_harm(one: Vec<u8>, two: Vec<u8>, three: Vec<u8>) {
        use format::Kind;
        let mut file = forged(&[(Kind::Shared, one), (Kind::Block, two), (Kind::Index, three)]);
        let _ = reader(&file).unwrap().filter(Result::is_ok).count();
        file.extend_from_slice(&9_u64.to_le_bytes());
        file.extend_from_slice(format::END_MAGIC);
        let _ = reader(&file).unwrap().find("https://example.org/");
    }

    #[test]
    fn forged_blocks_do_no_harm(pages in 0_u64..4, template in 0_u64..3, heads: Vec<u8>, copies: Vec<u8>, own: Vec<u8>, rest: Vec<u8>) {
        let mut held = Vec::new();
        numbers::put(&mut held, pages);
        numbers::put(&mut held, template);
        for stream in [heads, copies, own] {
            numbers::put(&mut held, stream.len() as u64);
            numbers::put_bytes(&mut held, &format::pack(&stream, 1).unwrap());
        }
        held.extend(rest);
        let file = forged(&[(format::Kind::Block, held)]);
        let _ = reader(&file).unwrap().filter(Result::is_ok).count();
    }
}

#[test]
fn a_small_file_does_not_become_a_large_one() {
    // A gigabyte of nothing takes a few bytes; it is not unpacked.
    let packed = format::pack(&vec![0; 8 << 20], 3).unwrap();
    let mut held = Vec::new();
    numbers::put_bytes(&mut held, b"site");
    numbers::put(&mut held, 8 << 20);
    numbers::put_bytes(&mut held, &packed);
    let file = forged(&[(format::Kind::Shared, held)]);
    let cause = read(&file).unwrap_err().to_string();
    assert_eq!(
        cause,
        "the file is damaged at byte 9: a template is larger than any that is written"
    );
}
