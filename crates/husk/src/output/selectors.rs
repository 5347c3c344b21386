//! Selectors, one a line, each with why it was chosen.

use std::fmt::Write;

use crate::selectors::Selectors;

/// One selector a line, then a tab and a comment that says why it was chosen.
pub fn to_selectors(selectors: &Selectors) -> String {
    let mut out = String::new();
    for chosen in &selectors.chosen {
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "{}\t/* {}; right on {} of {}; {} */",
            chosen.selector,
            chosen.basis,
            chosen.holds_on,
            counted(selectors.pages, "page"),
            counted(chosen.words as usize, "word"),
        );
    }
    out
}

/// How much of what was wanted is selected, in a line.
pub fn selectors_summary(selectors: &Selectors) -> String {
    let share = 100.0 * f64::from(selectors.words_covered) / f64::from(selectors.words_wanted.max(1));
    format!(
        "{}, checked on {}: {share:.0} % of {} are selected",
        counted(selectors.chosen.len(), "selector"),
        counted(selectors.pages, "page"),
        counted(selectors.words_wanted as usize, "word"),
    )
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
