//! The numbers of the default method that `husk.toml` can set.
//!
//! `docs/evaluation.md` says what each is worth.

use serde::{Deserialize, Serialize};

/// The numbers that the default method decides by.
///
/// Those of the vote are probabilities, or evidence in nats: the logarithm of how much likelier an observation is in
/// the template than in content. Evidence adds up over pages and nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Thresholds {
    /// Probability that a text, link or image of the template is the same on another page. It is below 1 because
    /// menus mark the current item, and pages of other layouts lack some blocks.
    pub template_stays: f64,
    /// Probability that words of the content are found at the same place by chance: captions and set phrases.
    pub words_by_chance: f64,
    /// The same for the target of a link or the source of an image.
    pub link_by_chance: f64,
    /// Highest of these probabilities, for what a page has many times and for texts without a letter or digit: with a
    /// higher one they could never be template.
    pub highest_chance: f64,
    /// Weight of a node that is missing along with its parent, as a share of a node that is missing alone: the page
    /// lacks one block, not each of its nodes.
    pub missing_with_parent: f64,
    /// Weight of a link with another target, as a share of a text with other words.
    pub other_target: f64,
    /// Evidence for a container that is found, and against one that is missing. An element with nothing in it, such
    /// as a line or an icon, has the same evidence if it is found, and none against it if it is missing.
    pub container: f64,
    /// Evidence against an element directly around a text, such as a heading: just enough to make it follow its text.
    pub text_frame: f64,
    /// Cost of a slot in the template: a cut or an island that has less evidence is noise.
    pub slot: f64,
    /// Bonus of a candidate that stands in one list of links with the key page, as the pages of a menu do.
    pub beside_key_page: f64,
    /// Penalty of a candidate that only another page links to.
    pub one_page_away: f64,
    /// Below this share of the best similarity a URL is not shaped like the key page's, and it pays to load a page
    /// that lists more.
    pub like_address: f64,
    /// Most pages to load while they disagree, unless the options set another limit.
    pub most_pages: usize,
    /// Most pages to ask for, unavailable ones included, unless the options set another limit: of many saved sites
    /// only a small part is there.
    pub most_tries: usize,
    /// With at most this share of the key page's nodes in doubt after the wanted number of pages, no more are loaded.
    /// With none in doubt, one page fewer is enough.
    pub settled: f64,
    /// How many pages that lack a disputed node an answer must withstand to be settled.
    pub doubt: f64,
    /// Smaller blocks, in nodes, are not searched elsewhere on a page.
    pub moved_block: u32,
    /// A view of the key page, as for printing, that has this share of the key page's texts is a copy of it.
    pub copy: f64,
    /// Pages that share a smaller part of the key page's nodes have another layout and are not compared.
    pub same_layout: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            template_stays: 0.85,
            words_by_chance: 0.25,
            link_by_chance: 0.3,
            highest_chance: 0.7,
            missing_with_parent: 0.7,
            other_target: 0.3,
            container: 0.6,
            text_frame: 0.05,
            slot: 3.5,
            beside_key_page: 2.0,
            one_page_away: 0.85,
            like_address: 0.8,
            most_pages: 7,
            most_tries: 60,
            settled: 0.1,
            doubt: 1.0,
            moved_block: 8,
            copy: 0.9,
            same_layout: 0.02,
        }
    }
}

impl Thresholds {
    /// Checks that all numbers make sense. The error names the first that does not.
    pub fn check(&self) -> Result<(), String> {
        let chances = [
            ("template-stays", self.template_stays),
            ("words-by-chance", self.words_by_chance),
            ("link-by-chance", self.link_by_chance),
            ("highest-chance", self.highest_chance),
        ];
        let shares = [
            ("missing-with-parent", self.missing_with_parent),
            ("other-target", self.other_target),
            ("like-address", self.like_address),
            ("settled", self.settled),
            ("copy", self.copy),
            ("same-layout", self.same_layout),
        ];
        let amounts = [
            ("container", self.container),
            ("text-frame", self.text_frame),
            ("slot", self.slot),
            ("beside-key-page", self.beside_key_page),
            ("one-page-away", self.one_page_away),
            ("doubt", self.doubt),
        ];
        let counts = [
            ("most-pages", self.most_pages),
            ("most-tries", self.most_tries),
            ("moved-block", self.moved_block as usize),
        ];
        let wrong = |name: &str, must: &str| Err(format!("thresholds.{name} must {must}"));
        if let Some((name, _)) = chances
            .iter()
            .find(|(_, chance)| !(*chance > 0.0 && *chance < 1.0))
        {
            return wrong(name, "lie between 0 and 1, and be neither");
        }
        if self.highest_chance >= self.template_stays {
            return wrong("highest-chance", "be less than template-stays");
        }
        if let Some((name, _)) = shares.iter().find(|(_, share)| !(0.0..=1.0).contains(share)) {
            return wrong(name, "lie between 0 and 1");
        }
        if let Some((name, _)) = amounts
            .iter()
            .find(|(_, amount)| !(*amount >= 0.0 && amount.is_finite()))
        {
            return wrong(name, "be 0 or more");
        }
        if let Some((name, _)) = counts.iter().find(|(_, count)| *count == 0) {
            return wrong(name, "be at least 1");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_make_sense() {
        assert_eq!(Thresholds::default().check(), Ok(()));
    }

    #[track_caller]
    fn check_wrong(change: fn(&mut Thresholds), expect: &str) {
        let mut thresholds = Thresholds::default();
        change(&mut thresholds);
        let message = thresholds.check().unwrap_err();
        assert!(message.contains(expect), "{message}");
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        check_wrong(
            |thresholds| thresholds.template_stays = 1.0,
            "template-stays must lie",
        );
        check_wrong(
            |thresholds| thresholds.words_by_chance = 0.0,
            "words-by-chance must lie",
        );
        check_wrong(
            |thresholds| thresholds.highest_chance = 0.95,
            "less than template-stays",
        );
        check_wrong(|thresholds| thresholds.slot = f64::NAN, "slot must be 0 or more");
        check_wrong(|thresholds| thresholds.settled = -0.1, "settled must lie");
        check_wrong(
            |thresholds| thresholds.most_tries = 0,
            "most-tries must be at least 1",
        );
    }
}
