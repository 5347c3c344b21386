//! Names of tags and attributes, each looked up once while it is in use.

use std::cell::Cell;

use web_atoms::LocalName;

use super::super::tags::Tag;

/// How many names are kept of either kind. A site uses fewer, mostly.
const SLOTS: usize = 512;

/// The longest names that are kept: as they outlive their page, they must not take much room.
const LONGEST_KEPT: usize = 64;

thread_local! {
    /// The names of the page before. Pages of a site have most of them in common.
    static KEPT: Cell<Option<Box<Names>>> = const { Cell::new(None) };
}

/// The names met last, each in the only slot it can be in.
pub(super) struct Names {
    /// Names of up to 8 bytes, by these bytes as a number.
    short: [(u64, Named); SLOTS],
    long: [Named; SLOTS],
}

/// A name, and the tag of that name.
#[derive(Clone)]
pub(super) struct Named {
    pub(super) name: LocalName,
    pub(super) tag: Tag,
}

impl Named {
    /// What is in a slot at first.
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

impl Names {
    /// Those that were kept, or none.
    pub(super) fn kept() -> Box<Self> {
        KEPT.take().unwrap_or_else(Self::none)
    }

    fn none() -> Box<Self> {
        Box::new(Self {
            short: std::array::from_fn(|_| (0, Named::none())),
            long: std::array::from_fn(|_| Named::none()),
        })
    }

    /// Keeps them for the next page.
    pub(super) fn keep(self: Box<Self>) {
        KEPT.set(Some(self));
    }

    /// The name that `page` begins with and that has so many bytes. It has one at least, and no NUL.
    #[inline]
    pub(super) fn at_start_of(&mut self, page: &str, length: usize) -> Named {
        match page.as_bytes().first_chunk() {
            Some(&chunk) if length <= 8 => self.short(u64::from_le_bytes(chunk), length),
            _ => self.get(&page[..length]),
        }
    }

    /// The name that is the first so many of these bytes.
    #[inline]
    pub(super) fn short(&mut self, chunk: u64, length: usize) -> Named {
        // Without what stands behind the name. As names have no NUL, no two are the same number.
        let letters = chunk & (u64::MAX >> (64 - 8 * length));
        let (known, found) = &mut self.short[slot_of(letters)];
        if *known != letters {
            *known = letters;
            let bytes = letters.to_le_bytes();
            *found = Named::of(&String::from_utf8_lossy(&bytes[..length]));
        }
        found.clone()
    }

    /// A name that may stand anywhere.
    pub(super) fn get(&mut self, name: &str) -> Named {
        let bytes = name.as_bytes();
        let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) else {
            return Named::of(name);
        };
        if bytes.len() > LONGEST_KEPT {
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
    fn names_stay_what_they_are() {
        let mut names = Names::none();
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
            for behind in ["", ">", "=\"x\" y=z"] {
                let page = format!("{name}{behind}");
                assert_eq!(&*names.at_start_of(&page, name.len()).name, name, "{page}");
            }
        }
    }
}
