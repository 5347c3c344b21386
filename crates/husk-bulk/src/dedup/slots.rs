//! A page as copies from what its site shares, and its own bytes between them.

use xxhash_rust::xxh3::xxh3_64;

use super::fault::{Broken, broken};
use super::format::MOST_PAGE;
use super::numbers::{Taker, folded, put, unfolded};
use super::shared::SharedBytes;
use super::tokens::{Token, tokens};

/// How many places of a token before and behind the end of the last copy are tried.
const PLACES_TRIED: usize = 8;

/// Shorter tokens stand everywhere; a copy that begins with one is found from the next longer one, backward.
const LEAST_ANCHOR: usize = 6;

/// A copy has at least so many bytes: pointing to fewer costs more than packing them again (docs/dedup.md).
const LEAST_COPY: usize = 64;

/// A page taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slots {
    /// How many bytes the page has.
    pub(super) len: u64,
    /// What its bytes must hash to when it is put together again.
    pub(super) hash: u64,
    /// Copies in their order: bytes of the page's own before it, its length, and where it begins if not where the last ended.
    pub(super) copies: Vec<u8>,
    /// What is not copied.
    pub(super) own: Vec<u8>,
}

impl Slots {
    /// Takes a page apart. Nothing else is needed for it, so any thread can do it.
    pub fn of(page: &[u8], shared: &SharedBytes) -> Self {
        let tokens: Vec<Token> = tokens(page).collect();
        let mut slots = Self {
            len: page.len() as u64,
            hash: xxh3_64(page),
            copies: Vec::new(),
            own: Vec::new(),
        };
        let (mut at, mut cursor) = (0, 0);
        for copy in copies(page, &tokens, shared) {
            let own = &page[at..copy.page_at];
            let moved = copy.shared_at as i64 - cursor as i64;
            put(&mut slots.copies, own.len() as u64);
            put(&mut slots.copies, (copy.len as u64) << 1 | u64::from(moved != 0));
            if moved != 0 {
                put(&mut slots.copies, folded(moved));
            }
            slots.own.extend_from_slice(own);
            at = copy.page_end();
            cursor = copy.shared_end();
        }
        slots.own.extend_from_slice(&page[at..]);
        slots
    }

    /// How many bytes are the page's own.
    pub fn own_bytes(&self) -> usize {
        self.own.len()
    }
}

/// A page taken apart, as it lies in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored<'a> {
    pub(super) len: u64,
    pub(super) hash: u64,
    pub(super) copies: &'a [u8],
    pub(super) own: &'a [u8],
}

impl Stored<'_> {
    /// Puts the page together again, and makes sure that it is the one that was taken apart.
    pub(super) fn page(&self, shared: &[u8]) -> Result<Vec<u8>, Broken> {
        if self.len > MOST_PAGE {
            return Err(broken("a page is larger than any that is stored"));
        }
        // A length that is not true must not take memory before that is known.
        let mut page = Vec::with_capacity(self.len.min(1 << 20) as usize);
        let mut taker = Taker::new(self.copies);
        let mut own = Taker::new(self.own);
        let mut cursor = 0_i64;
        while !taker.is_empty() {
            page.extend_from_slice(own.bytes_of(taker.number()?)?);
            let number = taker.number()?;
            if number & 1 == 1 {
                cursor = cursor.wrapping_add(unfolded(taker.number()?));
            }
            let copied = slice(shared, cursor, number >> 1)?;
            cursor += copied.len() as i64;
            page.extend_from_slice(copied);
            if page.len() as u64 > self.len {
                return Err(broken("a page is longer than it should be"));
            }
        }
        page.extend_from_slice(own.rest());
        if page.len() as u64 != self.len || xxh3_64(&page) != self.hash {
            return Err(broken("a page is not what was stored"));
        }
        Ok(page)
    }
}

fn slice(shared: &[u8], at: i64, len: u64) -> Result<&[u8], Broken> {
    let range = usize::try_from(at).ok().zip(usize::try_from(len).ok());
    range
        .and_then(|(at, len)| shared.get(at..at.checked_add(len)?))
        .ok_or(broken("a page copies what is not in its template"))
}

/// A run of bytes that a page has from what its site shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CopiedRun {
    pub(super) page_at: usize,
    shared_at: usize,
    len: usize,
}

impl CopiedRun {
    pub(super) fn page_end(&self) -> usize {
        self.page_at + self.len
    }

    fn shared_end(&self) -> usize {
        self.shared_at + self.len
    }
}

/// The copies of a page in their order, no byte in two of them.
///
/// Takes time in proportion to the page: of each token only a few places are tried, and what they have in common beyond the
/// least copy is passed over at once.
pub(super) fn copies(page: &[u8], tokens: &[Token], shared: &SharedBytes) -> Vec<CopiedRun> {
    let mut copies = Vec::new();
    let (mut end, mut cursor) = (0, 0);
    for token in tokens {
        if token.at < end || token.len < LEAST_ANCHOR {
            continue;
        }
        let places = near(shared.places(token), cursor);
        let found = places.iter().map(|&place| {
            let agreeing = Agreeing {
                page_at: token.at,
                shared_at: place as usize,
                page_from: end,
            };
            agreeing.extended(page, shared.bytes())
        });
        // Of equally good ones the first: the order of the places is that of the template.
        let best = found.reduce(|best, other| {
            if worth(&other, cursor) > worth(&best, cursor) {
                other
            } else {
                best
            }
        });
        if let Some(copy) = best.filter(|copy| copy.len >= LEAST_COPY) {
            end = copy.page_end();
            cursor = copy.shared_end();
            copies.push(copy);
        }
    }
    copies
}

/// The places next to where the last copy ended.
fn near(places: &[u32], cursor: usize) -> &[u32] {
    let next = places.partition_point(|&place| (place as usize) < cursor);
    let to = (next + PLACES_TRIED).min(places.len());
    &places[next.saturating_sub(PLACES_TRIED)..to]
}

/// What a copy spares; far away it takes more bytes to say where.
fn worth(copy: &CopiedRun, cursor: usize) -> usize {
    let cost = match copy.shared_at.abs_diff(cursor) {
        0..64 => 0,
        64..8192 => 4,
        _ => 8,
    };
    copy.len.saturating_sub(cost)
}

/// A place where a page and what is shared begin with the same token.
struct Agreeing {
    page_at: usize,
    shared_at: usize,
    /// What stands before is taken.
    page_from: usize,
}

impl Agreeing {
    /// The longest copy around it.
    fn extended(&self, page: &[u8], shared: &[u8]) -> CopiedRun {
        let ahead = common_start(&page[self.page_at..], &shared[self.shared_at..]);
        let back = common_end(&page[self.page_from..self.page_at], &shared[..self.shared_at]);
        CopiedRun {
            page_at: self.page_at - back,
            shared_at: self.shared_at - back,
            len: ahead + back,
        }
    }
}

fn common_start(one: &[u8], other: &[u8]) -> usize {
    const STEP: usize = 32;
    let steps = one.chunks_exact(STEP).zip(other.chunks_exact(STEP));
    let sure = STEP * steps.take_while(|(one, other)| one == other).count();
    let rest = one[sure..].iter().zip(&other[sure..]);
    sure + rest.take_while(|(one, other)| one == other).count()
}

fn common_end(one: &[u8], other: &[u8]) -> usize {
    let pairs = one.iter().rev().zip(other.iter().rev());
    pairs.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(page: &[u8], samples: &[&[u8]]) -> Slots {
        let shared = SharedBytes::of_pages(samples);
        let slots = Slots::of(page, &shared);
        let stored = Stored {
            len: slots.len,
            hash: slots.hash,
            copies: &slots.copies,
            own: &slots.own,
        };
        assert!(stored.page(shared.bytes()).unwrap() == page, "it comes back");
        slots
    }

    fn page(content: &str) -> Vec<u8> {
        let menu: String = (0..20)
            .map(|entry| format!("<li><a href=/{entry}>Entry {entry}</a></li>\n"))
            .collect();
        format!("<!DOCTYPE html><ul class=menu>{menu}</ul><main>{content}</main><footer>All rights reserved, as always, by all of us.{}</footer>", " And so on.".repeat(9)).into_bytes()
    }

    #[test]
    fn a_page_is_what_its_site_does_not_share() {
        let (one, two, three) = (page("One."), page("Two, too."), page("The third."));
        let slots = check(&three, &[&one, &two]);
        assert_eq!(String::from_utf8_lossy(&slots.own), "The third.");
        assert_eq!(check(&[], &[&one, &two]).own_bytes(), 0);
        assert_eq!(check(&three, &[]).own, three, "nothing is shared by no pages");
        assert_eq!(
            check(&three, &[&one, &one]).own,
            three,
            "a page shares nothing with itself"
        );
    }

    #[test]
    fn repetitions_come_back() {
        let row = b"<tr><td>a</td><td>b</td></tr>".repeat(30_000);
        let line = vec![b'x'; 1 << 20];
        check(&row, &[&row, &row[1..]]);
        check(&line, &[&line, &line[..5000]]);
        check(
            &[row.clone(), line.clone()].concat(),
            &[&row, &row[29..], &line, &line[1..]],
        );
    }

    /// Pages as of one site, with anything in them.
    fn pieces() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let piece = prop_oneof![
            Just(b"<ul><li><a href=\"/about\">About all of us</a></li><li><a href=\"/news\">News</a></li></ul>".to_vec()),
            Just(b"\n".to_vec()),
            Just(b"<footer class=\"footer footer-wide\">All rights reserved, by all of us, always\n</footer>".to_vec()),
            vec(any::<u8>(), 0..200),
            "[a-z<>\n ]{0,80}".prop_map(String::into_bytes),
        ];
        vec(vec(piece, 0..12).prop_map(|pieces| pieces.concat()), 1..6)
    }

    proptest! {
        #[test]
        fn any_page_comes_back(pages in pieces()) {
            let samples: Vec<&[u8]> = pages[1..].iter().map(Vec::as_slice).collect();
            check(&pages[0], &samples);
            for page in &pages {
                check(page, &samples);
            }
        }

        #[test]
        fn any_instructions_are_followed_without_harm(copies: Vec<u8>, own: Vec<u8>, len in 0_u64..100_000, shared: Vec<u8>) {
            let stored = Stored { len, hash: 0, copies: &copies, own: &own };
            prop_assert!(stored.page(&shared).is_err());
        }
    }

    #[test]
    fn short_instructions_make_no_huge_page() {
        // Every two bytes copy all that is shared.
        let shared = vec![0; 60];
        let copies = [0, 120, 0, 121, 119].repeat(1000);
        let stored = Stored {
            len: u64::MAX,
            hash: 0,
            copies: &copies,
            own: &[],
        };
        assert!(stored.page(&shared).is_err());
        let stored = Stored { len: 100, ..stored };
        assert_eq!(
            stored.page(&shared),
            Err(broken("a page is longer than it should be"))
        );
    }
}
