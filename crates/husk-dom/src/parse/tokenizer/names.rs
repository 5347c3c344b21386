//! Names of tags and attributes, each looked up once while it is in use.

use html5ever::LocalName;

/// How many names are kept. A page uses fewer long ones than that, mostly.
const SLOTS: usize = 256;

/// Up to this length a name is its own letters, and there is nothing to look up.
const SHORT: usize = 7;

/// The long names met last, each in the only slot it can be in.
pub(super) struct Names {
    known: [LocalName; SLOTS],
}

impl Names {
    pub(super) fn new() -> Self {
        Self {
            known: std::array::from_fn(|_| LocalName::default()),
        }
    }

    pub(super) fn get(&mut self, name: &str) -> LocalName {
        if name.len() <= SHORT {
            return LocalName::from(name);
        }
        let slot = &mut self.known[slot_of(name.as_bytes())];
        if **slot != *name {
            *slot = LocalName::from(name);
        }
        slot.clone()
    }
}

/// The slot of a long name, by its length and its letters at both ends.
fn slot_of(name: &[u8]) -> usize {
    let letters = |chunk: Option<&[u8; 8]>| chunk.map_or(0, |chunk| u64::from_le_bytes(*chunk));
    let mixed = letters(name.first_chunk()) ^ letters(name.last_chunk()).rotate_left(23) ^ name.len() as u64;
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_what_they_are() {
        let mut names = Names::new();
        let all: Vec<String> = (0..2000).map(|n| format!("data-{n}-name")).collect();
        for name in all.iter().chain(&all) {
            assert_eq!(&*names.get(name), name);
        }
        for name in ["", "a", "section", "sections", "blockquote", "ümläutë"] {
            assert_eq!(names.get(name), LocalName::from(name));
            assert_eq!(names.get(name), LocalName::from(name));
        }
    }
}
