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
            like_address: 0.8,
            most_pages: 7,
            most_tries: 60,
            settled: 0.1,
            doubt: 1.0,
            moved_block: 8,
            same_layout: 0.02,
        }
    }
}
