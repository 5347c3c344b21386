//! Decides which blocks are not content although no other page has them.
//!
//! What only one page has is mostly content, but so are dates, tags, links to the next page, tables of contents and
//! comments. They are recognised by what they contain, their position, their names and, best of all, by their
//! counterparts on the other pages.

use husk_dom::{Dom, NodeId, name};

use super::blocks::Block;
use super::near_duplicate::NearDuplicates;
use super::numbers::{LARGE_BLOCK, NODES_BEFORE_HEADING, SHORT_BLOCK};
use crate::hints::{Hint, Hints, is_heading};
use crate::links::{Address, base_url};
use crate::measure::{Amount, Measures};
use crate::page::Page;
use crate::template::Template;

/// Why a block is not content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Boilerplate {
    /// Reader comments.
    Comments,
    /// Links around the site or the page.
    Links,
    /// Links to similar pages.
    Related,
    /// Sharing, subscribing, logging in, consenting and other actions.
    Action,
    /// Advertising.
    Advertisement,
    /// Author, date, tags.
    Byline,
    /// The same on other pages except for numbers.
    NearDuplicate,
    /// Separate from the content, and not prose.
    Apart,
}

/// What a block is judged by.
pub(super) struct Judge<'a> {
    pub(super) page: &'a Page,
    pub(super) dom: &'a Dom,
    pub(super) template: &'a Template,
    pub(super) hints: &'a [Hints],
    /// Counts without the template.
    pub(super) measures: &'a Measures,
    /// Counts of all nodes.
    pub(super) all: &'a Measures,
    pub(super) near_duplicates: &'a NearDuplicates<'a>,
    /// The element with most of the content.
    pub(super) core: NodeId,
    /// Counts of the core.
    pub(super) core_amount: Amount,
    /// Hints that several parts of the core have: it is a list whose items have such a part each.
    pub(super) recurring: Hints,
    /// Words that are not template.
    pub(super) own_words: u32,
    /// The words of the page's title.
    pub(super) title: String,
}

/// What is between the core and a block.
struct Way {
    hints: Hints,
    /// Elements of the template around the block that are not around the core.
    frames: usize,
    /// The outermost element that is navigation by its names.
    leading: Option<NodeId>,
}

impl Judge<'_> {
    /// Why a block is not content; none if it is.
    pub(super) fn boilerplate(&self, block: Block) -> Option<Boilerplate> {
        let dom = self.dom;
        let node = block.node;
        if node == self.core || dom.is_within(self.core, node) {
            return None;
        }
        let amount = self.measures.of_subtree(dom, node);
        if amount.words == 0 {
            return self.wordless(block);
        }
        let way = self.way(node);
        // A large part of the page is content, whatever its names say.
        let is_large = f64::from(amount.words) > LARGE_BLOCK * f64::from(self.own_words);
        let is_inside = dom.is_within(node, self.core);
        self.by_name(node, &way, amount, is_large, is_inside)
            .or_else(|| self.by_place(node, &way, amount, is_inside, block.part_of.is_some()))
    }

    fn way(&self, node: NodeId) -> Way {
        let dom = self.dom;
        let mut way = Way {
            hints: Hints::default(),
            frames: 0,
            leading: None,
        };
        for above in std::iter::once(node).chain(dom.ancestors(node)) {
            if dom.is_within(self.core, above) {
                break;
            }
            let mut hints = self.hints[above.index()];
            if dom.is_within(above, self.core) {
                hints = hints.without(self.recurring);
            }
            if hints.has_any(&LEADS_AROUND) {
                way.leading = Some(above);
            }
            way.hints = way.hints.or(hints);
            if above != node && self.template.contains(above) {
                way.frames += 1;
            }
        }
        way
    }

    /// By names and headings, if what the block contains agrees.
    fn by_name(
        &self,
        node: NodeId,
        way: &Way,
        amount: Amount,
        is_large: bool,
        is_inside: bool,
    ) -> Option<Boilerplate> {
        let has = |hints: &[Hint]| way.hints.has_any(hints);
        let density = amount.link_density();
        if has(&[Hint::Comments]) {
            return Some(Boilerplate::Comments);
        }
        if is_large {
            return None;
        }
        if has(&[Hint::Dialog, Hint::Consent, Hint::Login, Hint::Subscription]) {
            return Some(Boilerplate::Action);
        }
        if has(&[Hint::Advertisement]) {
            return Some(Boilerplate::Advertisement);
        }
        if has(&[Hint::Social]) && amount.words <= SHORT_BLOCK {
            return Some(Boilerplate::Action);
        }
        if has(&[Hint::Related]) && amount.links > 0 {
            return Some(Boilerplate::Related);
        }
        // A block may be the only item of a list that is not marked as links.
        let is_among_links = way.leading.is_some_and(|leading| {
            let around = self.all.of_subtree(self.dom, leading);
            around.link_density() > 0.4 || (around.links > 1 && around.words <= SHORT_BLOCK)
        });
        let is_apart = way.leading.is_some() && !is_inside && amount.words <= SHORT_BLOCK;
        if is_among_links || is_apart || (way.leading.is_some() && density > 0.4) {
            return Some(Boilerplate::Links);
        }
        if has(&[Hint::Contents]) && !is_inside {
            return Some(Boilerplate::Links);
        }
        if has(&[Hint::Footer]) && amount.words <= 2 * SHORT_BLOCK && self.is_at_an_end(node) {
            return Some(Boilerplate::Byline);
        }
        if has(&[Hint::Sidebar]) && (!is_inside || density > 0.5) {
            return Some(Boilerplate::Apart);
        }
        let is_byline = has(&[Hint::Byline, Hint::Tags])
            && amount.words <= SHORT_BLOCK
            && self.heading(node).is_none()
            && (way.frames > 0 || !is_inside || self.is_at_an_end(node));
        is_byline.then_some(Boilerplate::Byline)
    }

    /// By text and position.
    fn by_place(
        &self,
        node: NodeId,
        way: &Way,
        amount: Amount,
        is_inside: bool,
        is_part: bool,
    ) -> Option<Boilerplate> {
        let is_heading = self.heading(node).is_some() || way.hints.has(Hint::Title);
        let may_be_short_text = !is_heading && (!is_part || self.is_at_an_end(node));
        if may_be_short_text && self.near_duplicates.has(self.dom.text_of(node)) {
            return Some(Boilerplate::NearDuplicate);
        }
        if is_part {
            return None;
        }
        if is_heading {
            let is_far = !is_inside && !self.is_title(node) && way.frames > 3;
            return is_far.then_some(Boilerplate::Apart);
        }
        let density = amount.link_density();
        let is_prose = self.core_amount.link_density() < 0.4;
        let is_framed_link = way.frames > 0 && density > 0.9 && amount.words <= SHORT_BLOCK;
        if is_framed_link && is_prose && (way.frames > 1 || !is_inside || self.leads_home(node)) {
            return Some(Boilerplate::Links);
        }
        let is_framed_date =
            way.frames > 0 && !self.recurring.has(Hint::Byline) && is_date(self.dom, node, amount);
        if is_framed_date {
            return Some(Boilerplate::Byline);
        }
        if is_inside {
            return None;
        }
        let is_text = density < 0.5 && (amount.stops > 0 || amount.words > 10);
        (!is_text).then_some(Boilerplate::Apart)
    }

    /// Images and other things without words.
    fn wordless(&self, block: Block) -> Option<Boilerplate> {
        let way = self.way(block.node);
        let is_inside = self.dom.is_within(block.node, self.core);
        let is_boilerplate = way.hints.meets(super::blocks::BOILERPLATE);
        (is_boilerplate || !is_inside).then_some(Boilerplate::Apart)
    }

    fn is_title(&self, node: NodeId) -> bool {
        let text = self
            .dom
            .text_of(node)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        !text.is_empty() && self.title.contains(&text)
    }

    /// Whether it is near the beginning or end of the core, or outside of it.
    fn is_at_an_end(&self, node: NodeId) -> bool {
        let dom = self.dom;
        if !dom.is_within(node, self.core) {
            return true;
        }
        let before = self.measures.of_range(self.core.index()..node.index()).words;
        let behind = self
            .measures
            .of_range(dom.range(node).end..dom.range(self.core).end)
            .words;
        let end = (self.core_amount.words / 10).max(SHORT_BLOCK / 2);
        before <= end || behind <= end
    }

    /// Whether all its links lead to the page itself, as a permalink does.
    fn leads_home(&self, node: NodeId) -> bool {
        let dom = self.dom;
        let (own, base) = (Address::of(&self.page.url), base_url(self.page));
        let mut links = std::iter::once(node)
            .chain(dom.ancestors(node).take(1))
            .chain(dom.subtree(node).skip(1))
            .filter_map(|node| dom.attribute(node, &name!("href")));
        links.any(|href| {
            let url = base.join(href);
            url.is_ok_and(|url| url.fragment().is_none() && Address::of(&url) == own)
        })
    }

    /// The heading that a block is, or is part of.
    fn heading(&self, node: NodeId) -> Option<NodeId> {
        let dom = self.dom;
        let above = std::iter::once(node).chain(dom.ancestors(node).take(2));
        if let Some(heading) = above.into_iter().find(|&node| is_heading(dom, node)) {
            return Some(heading);
        }
        let words = self.measures.of_subtree(dom, node).words;
        let inner = dom
            .subtree(node)
            .take(NODES_BEFORE_HEADING)
            .find(|&node| is_heading(dom, node))?;
        (self.measures.of_subtree(dom, inner).words * 10 >= words * 7).then_some(inner)
    }
}

/// Hints at blocks of links.
const LEADS_AROUND: [Hint; 4] = [
    Hint::Navigation,
    Hint::Breadcrumb,
    Hint::Pagination,
    Hint::Language,
];

fn is_date(dom: &Dom, node: NodeId, amount: Amount) -> bool {
    if amount.words > 8 {
        return false;
    }
    let around = dom.ancestors(node).take(1).chain(dom.subtree(node));
    let has_time = around
        .into_iter()
        .any(|node| dom.is_element(node, &name!("time")));
    let text = dom.text_of(node);
    let digits = text.chars().filter(char::is_ascii_digit).count();
    has_time || (digits >= 5 && crate::measure::words(text).any(is_year))
}

fn is_year(word: &str) -> bool {
    word.len() == 4
        && (word.starts_with("19") || word.starts_with("20"))
        && word.bytes().all(|byte| byte.is_ascii_digit())
}
