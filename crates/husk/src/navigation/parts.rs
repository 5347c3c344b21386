//! The parts of an element with links: entries, groups below a label, or blocks of their own.
//!
//! A menu bar needs no lists: `[button, panel] [button, panel] [link]` in nested `div`s is one menu of three entries.

use husk_dom::{Dom, Name, NodeId, name};
use indexmap::IndexMap;

use super::numbers::{AS_COMMON, LARGEST_GROUP, LEAST_COLUMNS, LEAST_PATH, MOST_UNFOLDED};
use super::survey::{Survey, is_list};

/// Counts of the parts of an element.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts {
    /// Parts with several links below a label.
    pub(super) groups: usize,
    /// Parts with several links and no label.
    pub(super) loose: usize,
    /// Whether the first part is one of these.
    pub(super) begins_loose: bool,
    /// Most groups, most parts with several links, and most parts with one link that look the same.
    same_groups: usize,
    same_columns: usize,
    same_entries: usize,
    /// Most links of a part.
    largest: u32,
    /// The lowest and the highest share of the compared pages that have a part with several links.
    rarest: f64,
    commonest: f64,
    /// Whether each part leads deeper than the one before: to the folders above this page.
    is_path: bool,
}

impl Parts {
    /// Counts the parts of an element: its children with links.
    pub(super) fn of(survey: &Survey<'_>, node: NodeId) -> Self {
        let mut parts = Self {
            rarest: 1.0,
            ..Self::default()
        };
        let (mut groups, mut columns, mut entries) = (Looks::default(), Looks::default(), Looks::default());
        let mut last_end = node.index();
        let (mut depth, mut count, mut deeper) = (None, 0, 0);
        for kid in survey.kids(node) {
            let links = survey.link_count(kid);
            parts.largest = parts.largest.max(links);
            let next = survey.links_in(kid).first().and_then(|link| link.target.steps());
            count += 1;
            deeper += usize::from(next > depth);
            depth = next;
            if links == 1 {
                if survey.links_in(kid).iter().all(|link| link.has_words) {
                    entries.add(survey.dom, kid);
                }
            } else {
                columns.add(survey.dom, kid);
                let verbatim = survey.verbatim_in(kid);
                parts.rarest = parts.rarest.min(verbatim);
                parts.commonest = parts.commonest.max(verbatim);
                if has_label(survey, kid, last_end) {
                    parts.groups += 1;
                    groups.add(survey.dom, kid);
                } else if is_block(survey, kid) {
                    parts.begins_loose |= last_end == node.index();
                    parts.loose += 1;
                }
            }
            last_end = survey.dom.range(kid).end;
        }
        parts.is_path = deeper == count && count >= LEAST_PATH;
        parts.same_groups = groups.most();
        parts.same_columns = columns.most();
        parts.same_entries = entries.most();
        parts
    }

    /// Whether the parts are the entries of one menu, so that no part is a menu of its own.
    pub(super) fn are_one_menu(&self, links: u32) -> bool {
        let is_bar = self.loose == 0
            && !self.is_path
            && (self.same_groups >= 2
                || self.groups >= 1
                    && self.same_entries >= 2
                    && f64::from(self.largest) <= LARGEST_GROUP * f64::from(links));
        // Links about the page, such as tools, are not of the menu next to them.
        let are_as_common = self.rarest >= AS_COMMON * self.commonest;
        are_as_common && (is_bar || self.same_columns >= LEAST_COLUMNS)
    }
}

/// Whether a part without a label is a block of its own.
fn is_block(survey: &Survey<'_>, part: NodeId) -> bool {
    survey.branches(part) >= 3 || survey.has_list(part) || survey.is_grouped(survey.unwrapped(part))
}

/// Whether a part begins with a label for its links, or follows one after the end of the part before.
fn has_label(survey: &Survey<'_>, part: NodeId, last_end: usize) -> bool {
    let block = survey.unwrapped(part);
    // Words in the items of a list are no label of the list, nor is that of its first group one of a menu.
    if is_list(survey.dom, block) || survey.is_grouped(block) {
        return survey.has_words_between(last_end, block);
    }
    let Some(first) = survey.links_in(part).first() else {
        return false;
    };
    first.url.is_none() || survey.has_words_between(last_end, first.node) || begins_with_entry(survey, block)
}

/// Whether an element begins with one link, and its other links are in elements of another look after it.
fn begins_with_entry(survey: &Survey<'_>, block: NodeId) -> bool {
    let mut kids = survey.kids(block);
    let Some(first) = kids.next() else {
        return false;
    };
    let look = look(survey.dom, first);
    survey.link_count(first) == 1
        && survey.links_in(first).iter().all(|link| link.has_words)
        && kids.clone().count() <= MOST_UNFOLDED
        && kids.clone().any(|kid| survey.link_count(kid) > 1)
        && kids.all(|kid| self::look(survey.dom, kid) != look)
}

/// How many of some elements have the same name and first class.
#[derive(Default)]
pub(super) struct Looks<'a>(IndexMap<(&'a Name, &'a str), usize>);

impl<'a> Looks<'a> {
    pub(super) fn add(&mut self, dom: &'a Dom, node: NodeId) {
        *self.0.entry(look(dom, node)).or_default() += 1;
    }

    pub(super) fn most(&self) -> usize {
        self.0.values().copied().max().unwrap_or(0)
    }
}

fn look(dom: &Dom, node: NodeId) -> (&Name, &str) {
    let classes = dom.attribute(node, &name!("class")).unwrap_or_default();
    let class = classes.split_ascii_whitespace().next().unwrap_or_default();
    (dom.name(node), class)
}
