//! Chooses the blocks among the candidates, and the kind of each.
//!
//! A [`Survey`] in, disjoint [`NavigationBlock`]s without their items out, in document order.

use std::collections::BTreeMap;

use husk_dom::{NodeId, NodeKind, name};

use super::candidates::{BlockCandidate, candidates};
use super::entries::is_apart;
use super::numbers::{
    AFTER_CONTENT, LARGEST_TRAIL, LEAST_SCORE, LONGEST_NUMBER, LONGEST_PAGER, LONGEST_TRAIL, MOST_LANGUAGES,
    MOST_LINKS_SHARE, MOST_NUMBERS,
};
use super::survey::{Survey, Target};
use super::{NavigationBlock, NavigationKind};
use crate::hints::{Hint, Hints};

/// The blocks of links of a page.
pub(super) fn blocks(survey: &Survey<'_>) -> Vec<NavigationBlock> {
    let mut candidates = candidates(survey);
    // The sort is stable: ties go to document order.
    candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
    let mut taken = Taken::default();
    let mut blocks = Vec::new();
    let main = candidates
        .iter()
        .filter(|candidate| !candidate.is_no_menu && survey.is_template(candidate.node))
        .find(|candidate| !is_trail(survey, candidate.node))
        .filter(|best| best.score >= LEAST_SCORE);
    if let Some(main) = main {
        taken.take(survey, main.node);
        blocks.push(block(survey, main.node, NavigationKind::Main));
    }
    // A single link is a block only if no larger one has it.
    let (single, several): (Vec<&BlockCandidate>, Vec<&BlockCandidate>) = candidates
        .iter()
        .filter(|candidate| !survey.dom.is_element(candidate.node, &name!("li")))
        .partition(|candidate| survey.link_count(candidate.node) == 1);
    for candidate in several.into_iter().chain(single) {
        if taken.overlaps(survey, candidate.node) {
            continue;
        }
        if let Some(kind) = kind(survey, candidate) {
            taken.take(survey, candidate.node);
            blocks.push(block(survey, candidate.node, kind));
        }
    }
    blocks.sort_by_key(|block| block.roots.first().copied());
    blocks
}

/// The chosen subtrees, as ranges.
#[derive(Default)]
struct Taken(BTreeMap<usize, usize>);

impl Taken {
    fn take(&mut self, survey: &Survey<'_>, node: NodeId) {
        let range = survey.dom.range(node);
        self.0.insert(range.start, range.end);
    }

    fn overlaps(&self, survey: &Survey<'_>, node: NodeId) -> bool {
        let range = survey.dom.range(node);
        let last = self.0.range(..range.end).next_back();
        last.is_some_and(|(_, &end)| end > range.start)
    }
}

fn block(survey: &Survey<'_>, node: NodeId, kind: NavigationKind) -> NavigationBlock {
    let roots = match kind {
        NavigationKind::Main | NavigationKind::Sub => common_roots(survey, node),
        _ => vec![node],
    };
    NavigationBlock {
        kind,
        roots,
        entries: Vec::new(),
    }
}

/// A menu without what only this page has, such as its table of contents below its item, or its title.
fn common_roots(survey: &Survey<'_>, node: NodeId) -> Vec<NodeId> {
    let dom = survey.dom;
    let own = own_parts(survey, node);
    if own.is_empty() || !survey.is_template(node) {
        return vec![node];
    }
    let mut roots = Vec::new();
    let mut index = node.index() + 1;
    while index < dom.range(node).end {
        let part = NodeId::from_index(index);
        let range = dom.range(part);
        let at = own.partition_point(|own| own.index() < range.start);
        let next = own.get(at).filter(|own| own.index() < range.end);
        if next.is_some_and(|&own| own != part) {
            index += 1;
            continue;
        }
        if next.is_none() && (survey.link_count(part) > 0 || survey.amount(part).words > 0) {
            roots.push(part);
        }
        index = range.end;
    }
    roots
}

/// The largest parts of a menu that are not of the template and have links or are apart from them, in document order.
fn own_parts(survey: &Survey<'_>, node: NodeId) -> Vec<NodeId> {
    let dom = survey.dom;
    let mut parts: Vec<NodeId> = dom
        .children(node)
        .filter(|&child| is_apart_from_links(survey, child))
        .collect();
    let range = dom.range(node);
    let mut index = range.start;
    while index < range.end {
        let part = NodeId::from_index(index);
        if !survey.is_template(part) && survey.link_count(part) > 0 && !is_entry(survey, part) {
            parts.push(part);
            index = dom.range(part).end;
        } else {
            index += 1;
        }
    }
    parts.sort_unstable();
    parts
}

/// Whether a part is an entry like those next to it: copied by hand, a menu has one more on some pages.
fn is_entry(survey: &Survey<'_>, part: NodeId) -> bool {
    survey.link_count(part) == 1 && (survey.is_link(part) || has_sibling_like(survey, part))
}

/// Whether a sibling with links is the same kind of element.
fn has_sibling_like(survey: &Survey<'_>, part: NodeId) -> bool {
    let dom = survey.dom;
    let mut siblings = dom
        .parent(part)
        .into_iter()
        .flat_map(|parent| survey.kids(parent));
    siblings.any(|kid| kid != part && dom.name(kid) == dom.name(part))
}

/// Whether a child of a menu is a line without links that only this page has.
fn is_apart_from_links(survey: &Survey<'_>, child: NodeId) -> bool {
    let dom = survey.dom;
    let has_own_words = || {
        let is_own = |text: NodeId| !survey.is_template(text) && survey.amount(text).words > 0;
        dom.subtree(child).any(is_own)
    };
    survey.link_count(child) == 0
        && is_apart(dom, child)
        && has_own_words()
        && !has_sibling_like(survey, child)
}

/// The kind of a block that is not the main menu; none if it is not navigation.
fn kind(survey: &Survey<'_>, candidate: &BlockCandidate) -> Option<NavigationKind> {
    let node = candidate.node;
    let near = survey.near_hints(node);
    if near.has(Hint::Breadcrumb) || is_trail(survey, node) {
        return Some(NavigationKind::Breadcrumb);
    }
    if near.has(Hint::Pagination) || is_numbered(survey, node) || are_steps(survey, node) {
        return Some(NavigationKind::Pagination);
    }
    if near.has(Hint::Language) || names_languages(survey, node) {
        return Some(NavigationKind::Language);
    }
    if candidate.targets < 2 || survey.is_no_navigation(node) {
        return None;
    }
    if !survey.is_template(node) {
        let is_menu = survey.block_hints(node).has(Hint::Navigation) && candidate.of_site >= MOST_LINKS_SHARE;
        return is_menu.then_some(NavigationKind::Sub);
    }
    let above = survey.hints_above(node);
    let is_behind = survey.share_of_content_before(node) >= AFTER_CONTENT && !above.has(Hint::Sidebar);
    if above.has(Hint::Footer) || is_behind {
        return Some(NavigationKind::Footer);
    }
    (candidate.of_site >= MOST_LINKS_SHARE).then_some(NavigationKind::Sub)
}

/// Whether a few links have signs between them that point forward.
fn is_trail(survey: &Survey<'_>, node: NodeId) -> bool {
    let dom = survey.dom;
    let links = survey.links_in(node);
    if links.len() > LONGEST_TRAIL || dom.size(node) > LARGEST_TRAIL {
        return false;
    }
    let pointers = dom
        .subtree(node)
        .filter(|&part| dom.kind(part) == NodeKind::Text && points_forward(dom.text_of(part)))
        .count();
    // A single link between words and a sign is a quotation: `#include <name>`.
    let is_quoted = links.len() == 1 && survey.has_label(node);
    pointers > 0 && pointers + 1 >= links.len() && !is_quoted
}

fn points_forward(text: &str) -> bool {
    let mut letters = text.chars().filter(|letter| !letter.is_whitespace());
    let first = letters.next();
    matches!(first, Some('›' | '»' | '>' | '→' | '⟩' | '▸' | '▶'))
        && letters.next().is_none_or(|next| Some(next) == first)
}

/// Whether links are numbered, as the pages of a list.
fn is_numbered(survey: &Survey<'_>, node: NodeId) -> bool {
    let dom = survey.dom;
    let links = survey.links_in(node);
    let is_number = |node: NodeId| {
        let text = dom.text_of(node).trim();
        !text.is_empty() && text.len() <= LONGEST_NUMBER && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    (2..=MOST_NUMBERS).contains(&links.len())
        && 2 * links.iter().filter(|link| is_number(link.node)).count() > links.len()
}

/// Whether most of a few links are marked as leading to the previous or next page.
fn are_steps(survey: &Survey<'_>, node: NodeId) -> bool {
    let links = survey.links_in(node);
    links.len() <= LONGEST_PAGER && {
        let says = |node: NodeId| Hints::of(survey.dom, node).has(Hint::Pagination);
        2 * links.iter().filter(|link| says(link.node)).count() > links.len()
    }
}

/// Whether links lead to the page in other languages by their attributes.
fn names_languages(survey: &Survey<'_>, node: NodeId) -> bool {
    let links = survey.links_in(node);
    let says_language = |node: NodeId| {
        [name!("hreflang"), name!("lang")]
            .iter()
            .any(|attribute| survey.dom.attribute(node, attribute).is_some())
    };
    let named = links
        .iter()
        .take(MOST_LANGUAGES)
        .filter(|link| link.target != Target::Nowhere && says_language(link.node))
        .count();
    links.len() >= 2 && links.len() <= MOST_LANGUAGES && 2 * named > links.len()
}
