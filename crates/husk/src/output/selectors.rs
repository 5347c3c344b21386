//! Selectors, one a line, each with why it was chosen.

use std::fmt::Write;

use super::registry::{Output, OutputText, PLAIN, Part};
use crate::selectors::Selectors;

pub(super) const TEMPLATE_SELECTORS: Output = Output {
    part: Part::Template,
    name: "selectors",
    media_type: PLAIN,
    extension: "css.txt",
    help: "CSS selectors of what to exclude so that the content is left, one a line, then a tab and why",
    options: &[],
    writer: |analysis, _| {
        Ok(with_summary(&Selectors::of_template(
            analysis.extraction(),
            analysis.content(),
        )))
    },
};

pub(super) const CONTENT_SELECTORS: Output = Output {
    part: Part::Content,
    help: "CSS selectors of the elements that hold it, one a line, then a tab and why",
    writer: |analysis, _| {
        Ok(with_summary(&Selectors::of_content(
            analysis.extraction(),
            analysis.content(),
        )))
    },
    ..TEMPLATE_SELECTORS
};

pub(super) const MENU_SELECTORS: Output = Output {
    part: Part::Menu,
    writer: |analysis, _| {
        let menu = analysis.navigation().main();
        Ok(with_summary(&Selectors::of_navigation(
            analysis.extraction(),
            menu,
        )))
    },
    ..CONTENT_SELECTORS
};

fn with_summary(selectors: &Selectors) -> OutputText {
    OutputText {
        text: to_selectors(selectors),
        note: Some(selectors_summary(selectors)),
    }
}

/// One selector a line, then a tab and a comment that says why it was chosen.
fn to_selectors(selectors: &Selectors) -> String {
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
fn selectors_summary(selectors: &Selectors) -> String {
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
