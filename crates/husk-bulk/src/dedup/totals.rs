//! What a file of slots, or several, come to.

use serde::{Deserialize, Serialize};

use super::rivals::Rivals;

/// What was stored, and how many bytes it took.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DedupTotals {
    /// Pages stored.
    pub pages: u64,
    /// Their bytes as they were.
    pub bytes: u64,
    /// Templates written, one for each site that shares something.
    pub templates: u64,
    /// The bytes of the templates.
    pub template_bytes: u64,
    /// What the pages do not have from a template.
    pub slot_bytes: u64,
    /// The bytes of the files, with all that is in them.
    pub packed: u64,
    /// What the same pages take otherwise, if that was to be known.
    pub rivals: Option<Rivals>,
}

impl DedupTotals {
    /// Adds those of another file.
    pub fn add(&mut self, other: &Self) {
        let is_first = *self == Self::default();
        self.pages += other.pages;
        self.bytes += other.bytes;
        self.templates += other.templates;
        self.template_bytes += other.template_bytes;
        self.slot_bytes += other.slot_bytes;
        self.packed += other.packed;
        self.rivals = match (self.rivals, other.rivals) {
            (Some(one), Some(two)) => Some(Rivals {
                gzip: one.gzip + two.gzip,
                zstd: one.zstd + two.zstd,
                zstd_solid: one.zstd_solid + two.zstd_solid,
                zstd_solid_same_level: one.zstd_solid_same_level + two.zstd_solid_same_level,
            }),
            (None, rivals) if is_first => rivals,
            // A sum that leaves some pages out would flatter us.
            _ => None,
        };
    }

    /// How much smaller than others the files are, in a sentence.
    pub fn summary(&self) -> String {
        let mut told = format!(
            "{} pages of {} bytes take {} bytes",
            self.pages, self.bytes, self.packed
        );
        if let Some(rivals) = &self.rivals {
            let against = [
                ("gzip", rivals.gzip),
                ("zstd", rivals.zstd),
                ("zstd over many pages at once", rivals.zstd_solid),
            ];
            let against =
                against.map(|(name, bytes)| format!("{} than {name} ({bytes})", self.less_than(bytes)));
            told.push_str(&format!(": {}", against.join(", ")));
        }
        told
    }

    fn less_than(&self, bytes: u64) -> String {
        let share = 100.0 - 100.0 * self.packed as f64 / bytes.max(1) as f64;
        match share < 0.0 {
            true => format!("{:.1} % more", -share),
            false => format!("{share:.1} % less"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(packed: u64, gzip: Option<u64>) -> DedupTotals {
        DedupTotals {
            pages: 2,
            bytes: 1000,
            packed,
            rivals: gzip.map(|gzip| Rivals {
                gzip,
                zstd: 60,
                zstd_solid: 20,
                zstd_solid_same_level: 20,
            }),
            ..DedupTotals::default()
        }
    }

    #[test]
    fn says_what_is_saved() {
        let mut sum = DedupTotals::default();
        sum.add(&totals(10, Some(50)));
        sum.add(&totals(20, Some(50)));
        assert_eq!(
            sum.summary(),
            "4 pages of 2000 bytes take 30 bytes: 70.0 % less than gzip (100), 75.0 % less than zstd (120), \
            25.0 % less than zstd over many pages at once (40)"
        );
        assert!(totals(70, Some(50)).summary().contains("40.0 % more than gzip"));
        sum.add(&totals(1, None));
        assert_eq!(sum.summary(), "6 pages of 3000 bytes take 31 bytes");
    }
}
