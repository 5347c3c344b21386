//! A cache of tag and attribute names.

use std::cell::Cell;

use web_atoms::LocalName;

use super::super::tags::Tag;

/// How many short and long names are cached. Most sites use fewer.
const SLOTS: usize = 512;

/// Longer names are not cached, since the cache outlives the page.
const MAX_CACHED_LEN: usize = 64;

thread_local! {
    /// The cache of the previous page, since pages of a site share most names.
    static STORED: Cell<Option<Box<NameCache>>> = const { Cell::new(None) };
}

/// The names used last, one per slot.
pub(super) struct NameCache {
    /// Names of up to 8 bytes, with these bytes as a number.
    short: [(u64, Named); SLOTS],
    long: [Named; SLOTS],
}

/// A name and its tag.
#[derive(Clone)]
pub(super) struct Named {
    pub(super) name: LocalName,
    pub(super) tag: Tag,
}

impl Named {
    /// The content of an empty slot.
    fn none() -> Self {
        Self {
            name: LocalName::default(),
            tag: Tag::Other,
        }
    }

    fn of(name: &str) -> Self {
        Self {
            name: LocalName::from(name),
            tag: Tag::of(name),
        }
    }
}

impl NameCache {
    /// The cache of the previous page, or an empty one.
    pub(super) fn take() -> Box<Self> {
        STORED.take().unwrap_or_else(Self::none)
    }

    fn none() -> Box<Self> {
        Box::new(Self {
            short: std::array::from_fn(|_| (0, Named::none())),
            long: std::array::from_fn(|_| Named::none()),
        })
    }

    /// Stores the cache for the next page.
    pub(super) fn store(self: Box<Self>) {
        STORED.set(Some(self));
    }

    /// The name in the first `length` bytes of `page`. At least one byte, without NUL.
    #[inline]
    pub(super) fn at_start_of(&mut self, page: &str, length: usize) -> Named {
        match page.as_bytes().first_chunk() {
            Some(&chunk) if length <= 8 => self.short(u64::from_le_bytes(chunk), length),
            _ => self.get(&page[..length]),
        }
    }

    /// The name in the first `length` bytes of `chunk`.
    #[inline]
    pub(super) fn short(&mut self, chunk: u64, length: usize) -> Named {
        // Names have no NUL, so that no two have the same number.
        let letters = chunk & (u64::MAX >> (64 - 8 * length));
        let (known, found) = &mut self.short[slot_of(letters)];
        if *known != letters {
            *known = letters;
            let bytes = letters.to_le_bytes();
            *found = Named::of(&String::from_utf8_lossy(&bytes[..length]));
        }
        found.clone()
    }

    /// The name in any string.
    pub(super) fn get(&mut self, name: &str) -> Named {
        let bytes = name.as_bytes();
        let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) else {
            return Named::of(name);
        };
        if bytes.len() > MAX_CACHED_LEN {
            return Named::of(name);
        }
        let letters = u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(23);
        let found = &mut self.long[slot_of(letters ^ name.len() as u64)];
        if *found.name != *name {
            *found = Named::of(name);
        }
        found.clone()
    }
}

fn slot_of(letters: u64) -> usize {
    (letters.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_names_are_correct() {
        let mut names = NameCache::none();
        let long = (0..2000).map(|n| format!("data-{n}-name"));
        let short = (0..2000).map(|n| format!("a{n}"));
        let others = [
            "a",
            "aa",
            "aaaaaaa",
            "aaaaaaaa",
            "aaaaaaaaa",
            "section",
            "blockquote",
            "ümläutë",
            "漢字",
        ];
        let all: Vec<String> = long.chain(short).chain(others.map(str::to_owned)).collect();
        for name in all.iter().chain(&all) {
            assert_eq!(&*names.get(name).name, name);
            for suffix in ["", ">", "=\"x\" y=z"] {
                let page = format!("{name}{suffix}");
                assert_eq!(&*names.at_start_of(&page, name.len()).name, name, "{page}");
            }
        }
    }
}
