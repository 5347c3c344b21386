//! Where everything in a file stands, written at its end.

use std::io;

use xxhash_rust::xxh3::xxh3_64;

use super::fault::Broken;
use super::format::{pack, unpack};
use super::numbers::{Taker, put, put_bytes};

/// The level that it is packed with: there is not much to gain.
const LEVEL: i32 = 3;

/// Where a page stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The hash of its address. Half of it will do: who finds another page by it sees that by the address.
    hash: u32,
    /// Its block, by its place among them.
    pub(super) block: usize,
    /// Its place in the block.
    pub(super) page: usize,
}

/// Where everything stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Index {
    /// Where each block begins.
    pub(super) blocks: Vec<u64>,
    /// Where each template begins.
    pub(super) templates: Vec<u64>,
    /// In the order of their hashes once it was written.
    places: Vec<Place>,
}

impl Index {
    /// Notes a page of the block that is written next.
    pub(super) fn add(&mut self, url: &str, page: usize) {
        self.places.push(Place {
            hash: hash(url),
            block: self.blocks.len(),
            page,
        });
    }

    /// Where the pages of an address may stand, in their order.
    pub(super) fn places(&self, url: &str) -> &[Place] {
        let hash = hash(url);
        let from = self.places.partition_point(|place| place.hash < hash);
        let to = self.places.partition_point(|place| place.hash <= hash);
        &self.places[from..to]
    }

    /// The index as it is written.
    pub(super) fn packed(&mut self) -> io::Result<Vec<u8>> {
        self.places.sort_unstable();
        let mut plain = Vec::new();
        for offsets in [&self.blocks, &self.templates] {
            put(&mut plain, offsets.len() as u64);
            let mut last = 0;
            for &offset in offsets {
                put(&mut plain, offset - last);
                last = offset;
            }
        }
        put(&mut plain, self.places.len() as u64);
        let mut last = 0;
        for place in &self.places {
            put(&mut plain, u64::from(place.hash - last));
            put(&mut plain, place.block as u64);
            put(&mut plain, place.page as u64);
            last = place.hash;
        }
        let mut out = Vec::new();
        put(&mut out, plain.len() as u64);
        put_bytes(&mut out, &pack(&plain, LEVEL)?);
        Ok(out)
    }

    pub(super) fn of(held: &[u8]) -> Result<Self, Broken> {
        let mut taker = Taker::new(held);
        let len = taker.number()?;
        let plain = unpack(taker.bytes()?, len)?;
        let mut taker = Taker::new(&plain);
        let blocks = offsets(&mut taker)?;
        let templates = offsets(&mut taker)?;
        let mut places = Vec::new();
        let mut hash = 0_u32;
        for _ in 0..taker.number()? {
            hash = hash.wrapping_add(taker.number()? as u32);
            places.push(Place {
                hash,
                block: taker.count()?,
                page: taker.count()?,
            });
        }
        Ok(Self {
            blocks,
            templates,
            places,
        })
    }
}

fn hash(url: &str) -> u32 {
    xxh3_64(url.as_bytes()) as u32
}

fn offsets(taker: &mut Taker<'_>) -> Result<Vec<u64>, Broken> {
    let mut offsets = Vec::new();
    let mut last = 0_u64;
    for _ in 0..taker.number()? {
        last = last.wrapping_add(taker.number()?);
        offsets.push(last);
    }
    Ok(offsets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_pages_by_address() {
        let mut index = Index::default();
        for block in 0..3 {
            for page in 0..100 {
                index.add(&format!("https://example.org/{}", page + block), page);
            }
            index.blocks.push(100 + block as u64);
        }
        index.templates = vec![9, 50];
        let read = Index::of(&index.packed().unwrap()).unwrap();
        assert_eq!(read, index);
        let at = |url: &str| -> Vec<(usize, usize)> {
            read.places(url)
                .iter()
                .map(|place| (place.block, place.page))
                .collect()
        };
        assert_eq!(at("https://example.org/50"), [(0, 50), (1, 49), (2, 48)]);
        assert_eq!(at("https://example.org/0"), [(0, 0)]);
        assert_eq!(at("https://example.org/no"), []);
    }
}
