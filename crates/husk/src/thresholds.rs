//! Every number that the default method decides by, with the reason for it.
//!
//! What each was measured to be worth is in `docs/evaluation.md`.

use serde::{Deserialize, Serialize};

/// The numbers that the default method decides by.
///
/// Those of the vote are chances, or evidence in nats: the logarithm of how much likelier an observation is in the
/// template than in content. They add up over pages and nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Thresholds {
    /// How likely a text, link or picture of the template says the same on another page. Not always: menus have an
    /// open entry, and pages of other layouts lack some blocks.
    pub template_stays: f64,
    /// How likely words of the content are found again at the same place by chance: captions and set phrases.
    pub words_by_chance: f64,
    /// The same for the target of a link or the source of a picture.
    pub link_by_chance: f64,
    /// No chance is higher than this, not that of what stands on a page many times, nor that of a text without a letter
    /// or digit: otherwise it could never be template.
    pub highest_chance: f64,
    /// What it weighs against a node that it is missing along with what it stands in, as a share of missing alone:
    /// the page lacks one block, not each of its nodes.
    pub missing_with_parent: f64,
    /// What it weighs against a link that it leads elsewhere, as a share of a text that reads otherwise.
    pub other_target: f64,
    /// The evidence of a container that is found again.
    pub container_found: f64,
    /// The evidence against a container that is missing.
    pub container_missing: f64,
    /// The share of `container_found` that is left if class or id differ.
    pub other_label: f64,
    /// The evidence of an element with nothing in it, such as a line or an icon, that is found again.
    pub empty_found: f64,
    /// The evidence against an element with nothing in it that is missing.
    pub empty_missing: f64,
    /// The evidence against an element that is but the frame of its text, such as a heading: just enough to make it go
    /// where its text goes.
    pub text_frame: f64,
    /// What every slot in the template costs: evidence below this is speckle.
    pub slot: f64,
    /// What a candidate gains by standing in one list of links with the key page: the pages behind a menu.
    pub beside_key_page: f64,
    /// What a candidate loses by being linked from another page only.
    pub one_page_away: f64,
    /// What a candidate loses by being the key page itself asked for with a query, as to print it or to answer it: more
    /// than all that speaks for an address together.
    pub view_of_key_page: f64,
    /// Below this share of the best likeness an address is not shaped like the key page's, and a page that lists more
    /// such pages is worth a load.
    pub like_address: f64,
    /// So many pages are loaded at most while they disagree, if nothing else is said.
    pub most_pages: usize,
    /// So many pages are asked for at most, those that cannot be had included, if nothing else is said: of many a saved
    /// site only a small part is there.
    pub most_tries: usize,
    /// With no more than this share of the key page's nodes in doubt after the wanted number of pages, no further page
    /// is loaded. With none in doubt one page fewer will do.
    pub settled: f64,
    /// How many pages that lack what not all have a settled answer withstands.
    pub doubt: f64,
    /// Blocks of fewer nodes are not looked for elsewhere on a page.
    pub moved_block: u32,
    /// A view of the key page that says this share of what the key page says is a copy of it.
    pub copy: f64,
    /// Pages that share a smaller part of the key page's nodes are of another layout and have no vote.
    pub same_layout: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            template_stays: 0.9,
            words_by_chance: 0.35,
            link_by_chance: 0.2,
            highest_chance: 0.7,
            missing_with_parent: 0.7,
            other_target: 0.5,
            container_found: 0.7,
            container_missing: 0.7,
            other_label: 0.3,
            empty_found: 0.2,
            empty_missing: 0.35,
            text_frame: 0.05,
            slot: 3.0,
            beside_key_page: 2.0,
            one_page_away: 0.85,
            view_of_key_page: 8.0,
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
    /// Whether all numbers make sense; if not, which one and why.
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
            ("other-label", self.other_label),
            ("like-address", self.like_address),
            ("settled", self.settled),
            ("copy", self.copy),
            ("same-layout", self.same_layout),
        ];
        let amounts = [
            ("container-found", self.container_found),
            ("container-missing", self.container_missing),
            ("empty-found", self.empty_found),
            ("empty-missing", self.empty_missing),
            ("text-frame", self.text_frame),
            ("slot", self.slot),
            ("beside-key-page", self.beside_key_page),
            ("one-page-away", self.one_page_away),
            ("view-of-key-page", self.view_of_key_page),
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
