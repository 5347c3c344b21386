//! The halves of a corpus: one for development, one for validation.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// A half of any corpus.
///
/// A hash of the site's name decides, so that a site stays in its half when others are added or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// One half.
    A,
    /// The other.
    B,
}

impl Split {
    /// The half that a site is in, by its name.
    pub fn of(site: &str) -> Self {
        // Any bit would do. This one splits the first 28 sites of the corpus into 15 and 13.
        if (xxh3_64(site.as_bytes()) >> 32) & 1 == 0 {
            Self::A
        } else {
            Self::B
        }
    }

    /// The name it has on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
        }
    }
}

impl fmt::Display for Split {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_halves() {
        // Earlier scores of a half are void if these change.
        let halves: String = ["lighthouse", "harbour", "zoo", "cellar", "a.example", "日本"]
            .map(|name| Split::of(name).name())
            .concat();
        assert_eq!(halves, "baabab");
    }

    #[test]
    fn halves_are_of_a_size() {
        let in_a = (0..1000).filter(|number| Split::of(&format!("site-{number}")) == Split::A);
        let count = in_a.count();
        assert!((450..550).contains(&count), "{count}");
    }
}
