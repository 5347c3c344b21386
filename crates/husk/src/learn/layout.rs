//! A layout: its model page, cut down to the template, and the votes on each node of it.

use husk_dom::{Dom, DomWriter, Namespace, NodeId, NodeKind, name};
use url::Url;

use super::numbers::PAGES_OF_SHORT_TEXTS;
use super::paths::Paths;
use crate::blocks::ShortTextIndex;
use crate::extraction::Extraction;
use crate::fingerprint::{Acquaintance, Fingerprints};
use crate::links::is_view;
use crate::mapping::{NodeSet, Side, align};
use crate::metadata::SiteTitles;
use crate::page::Page;
use crate::refusal::refusal;
use crate::template::{Support, Template};
use crate::thresholds::Thresholds;
use crate::vote::{Standing, Votes};

/// A group of pages of one site that share a template.
#[derive(Debug)]
pub struct Layout {
    pub(super) id: String,
    /// The page that stands for the others, without its content.
    pub(super) model: Page,
    pub(super) fingerprints: Fingerprints,
    pub(super) votes: Votes,
    pub(super) short_texts: ShortTextIndex,
    /// The titles of its pages.
    pub(super) titles: SiteTitles,
    pub(super) paths: Paths,
    /// Pages assigned to this layout.
    pub(super) members: u32,
}

/// The comment in place of a cut, which is not compared.
const SLOT: &str = "slot";

impl Layout {
    /// The same whenever the layout is first learned from the same pages.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The URL of the model page, which others are compared with.
    pub fn model(&self) -> &Url {
        &self.model.url
    }

    /// Number of pages assigned to this layout.
    pub fn pages(&self) -> u32 {
        self.members
    }

    /// Number of pages that voted on the template.
    pub fn support(&self) -> usize {
        self.votes.pages()
    }

    /// Number of nodes of the template, without comments and blank texts.
    pub fn template_nodes(&self) -> usize {
        let nodes = self.model.dom.nodes();
        nodes.filter(|&node| self.fingerprints.is_compared(node)).count()
    }

    /// The layout as an extraction from its model, to write the template. An empty element stands in place of each
    /// cut.
    pub fn extraction(&self) -> Extraction {
        let dom = &self.model.dom;
        let (shown, is_slot) = with_slots(dom);
        let mut nodes = NodeSet::all(&shown);
        let mut support = Vec::with_capacity(shown.len());
        for (node, standing) in shown.nodes().zip(self.votes.standings()) {
            support.push(Support {
                structural: standing.tally.found,
                verbatim: standing.tally.verbatim,
            });
            if is_slot[node.index()] {
                nodes.remove(node);
            }
        }
        let url = self.model.url.clone();
        Extraction {
            template: Template::new(&shown, nodes, support, self.votes.pages()),
            key_page: Page::new(url.clone(), shown),
            method: "husk",
            loaded: vec![url],
            compared: Vec::new(),
            pages: Vec::new(),
            failures: Vec::new(),
            visits: Vec::new(),
            clique: None,
        }
    }

    pub(super) fn side(&self) -> Side<'_> {
        Side::of(&self.model, &self.fingerprints)
    }

    /// Restores a layout from its stored parts, without short texts and titles.
    pub(super) fn from_parts(
        id: String,
        model: Page,
        standings: &[Standing],
        pages: u32,
        members: u32,
        thresholds: &Thresholds,
        acquaintance: &mut Acquaintance,
    ) -> Self {
        let fingerprints = Fingerprints::with(&model, acquaintance);
        let paths = Paths::of(&model.dom, &fingerprints, |_| true);
        Self {
            id,
            votes: Votes::resume(&model.dom, standings, pages, thresholds),
            fingerprints,
            model,
            short_texts: ShortTextIndex::default(),
            titles: SiteTitles::default(),
            paths,
            members,
        }
    }

    /// Learns from one more page of the layout; false if it is not comparable. The caller settles the layout at the
    /// end.
    pub(super) fn refine(&mut self, page: &Page, prints: &Fingerprints, thresholds: &Thresholds) -> bool {
        let key = Side::of(&self.model, &self.fingerprints);
        let other = Side::of(page, prints);
        let alignment = align(key, other, thresholds.moved_block);
        let view = is_view(&self.model.url, &page.url);
        if refusal(key, other, &alignment, view, thresholds).is_some() {
            return false;
        }
        self.votes.count(key, other, &alignment);
        if self.short_texts.pages() < PAGES_OF_SHORT_TEXTS {
            self.short_texts.add(page);
        }
        true
    }

    /// Cuts out what the votes no longer support.
    pub(super) fn settle(self, thresholds: &Thresholds) -> Self {
        let template = self
            .votes
            .template(&self.model.dom, &self.fingerprints, thresholds);
        let mut cut = Learning {
            model: &self.model,
            votes: &self.votes,
        }
        .cut(&template, thresholds, self.id, self.members);
        cut.short_texts = self.short_texts;
        cut.short_texts.keep_common();
        cut.titles = self.titles;
        cut
    }
}

/// A complete model with its votes.
pub(super) struct Learning<'a> {
    pub(super) model: &'a Page,
    pub(super) votes: &'a Votes,
}

impl Learning<'_> {
    /// The layout that is left when everything but the template is cut out of the model.
    pub(super) fn cut(self, template: &NodeSet, thresholds: &Thresholds, id: String, members: u32) -> Layout {
        let all: Vec<Standing> = self.votes.standings().collect();
        let (dom, origins) = without_content(&self.model.dom, template);
        let standing = |origin: &NodeId| match template.contains(*origin) {
            true => all[origin.index()],
            false => Standing::NOT_COMPARED,
        };
        let standings: Vec<Standing> = origins.iter().map(standing).collect();
        let model = Page::new(self.model.url.clone(), dom);
        let pages = self.votes.pages() as u32;
        let mut acquaintance = Acquaintance::new();
        Layout::from_parts(
            id,
            model,
            &standings,
            pages,
            members,
            thresholds,
            &mut acquaintance,
        )
    }
}

/// A page with an element in place of each slot comment, and these elements.
fn with_slots(dom: &Dom) -> (Dom, Vec<bool>) {
    let mut writer = DomWriter::new();
    let mut is_slot = vec![false; dom.len()];
    let mut open: Vec<usize> = Vec::new();
    for node in dom.nodes().skip(1) {
        while open.last().is_some_and(|&end| end <= node.index()) {
            open.pop();
            writer.close();
        }
        if is_slot_comment(dom, node) {
            is_slot[node.index()] = true;
            writer.open(name!("div"), Namespace::Html, []);
            writer.close();
        } else if writer.copy(dom, node) {
            open.push(dom.range(node).end);
        }
    }
    (writer.finish(), is_slot)
}

pub(super) fn is_slot_comment(dom: &Dom, node: NodeId) -> bool {
    dom.kind(node) == NodeKind::Comment && dom.data(node) == SLOT
}

/// A page without the nodes that are not kept, with a comment in place of each run of them; and the original of each
/// node. A comment has the first node of its run, which is not compared either.
fn without_content(dom: &Dom, kept: &NodeSet) -> (Dom, Vec<NodeId>) {
    let mut writer = DomWriter::new();
    let mut origins = vec![dom.document()];
    let mut open: Vec<usize> = Vec::new();
    let mut index = 1;
    let mut is_behind_slot = false;
    while index < dom.len() {
        let node = NodeId::from_index(index);
        while open.last().is_some_and(|&end| end <= index) {
            open.pop();
            writer.close();
            is_behind_slot = false;
        }
        if !kept.contains(node) {
            let kind = dom.kind(node);
            let says_nothing =
                dom.is_blank_text(node) || matches!(kind, NodeKind::Comment | NodeKind::Doctype);
            if !is_behind_slot && !says_nothing {
                writer.comment(SLOT);
                origins.push(node);
                is_behind_slot = true;
            }
            index = dom.range(node).end;
            continue;
        }
        // Comments and white space do not count, except for earlier slots.
        let is_slot = is_slot_comment(dom, node);
        if dom.is_blank_text(node) || (dom.kind(node) == NodeKind::Comment && !is_slot) {
            index += 1;
            continue;
        }
        if is_slot && is_behind_slot {
            index += 1;
            continue;
        }
        is_behind_slot = is_slot;
        origins.push(node);
        if writer.copy(dom, node) {
            open.push(dom.range(node).end);
        }
        index += 1;
    }
    (writer.finish(), origins)
}

#[cfg(test)]
mod tests {
    use husk_dom::outline;

    use super::*;

    #[test]
    fn content_leaves_slots() {
        let dom =
            Dom::parse("<ul> <li>a</li><li>b</li> </ul><p>one</p> <p>two</p><i>c</i><!-- x --><b>three</b>");
        let mut kept = NodeSet::all(&dom);
        for node in dom.nodes() {
            if matches!(&**dom.name(node), "p" | "b") {
                dom.subtree(node).for_each(|node| kept.remove(node));
            }
        }
        let (cut, origins) = without_content(&dom, &kept);
        let body = outline(&cut);
        assert_eq!(body.matches("slot").count(), 2, "{body}");
        assert!(
            body.contains("\"a\"") && body.contains("\"c\"") && !body.contains("two"),
            "{body}"
        );
        assert_eq!(origins.len(), cut.len());
        let again = without_content(&cut, &NodeSet::all(&cut));
        assert_eq!(outline(&again.0), body);
    }
}
