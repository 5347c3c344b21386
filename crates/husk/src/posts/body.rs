//! Finds the text of each post, without the author's card, the signature and the tools.

use husk_dom::{Dom, DomWriter, Namespace, NodeId, NodeKind, name};
use indexmap::IndexMap;
use url::Url;

use super::groups::{Group, classes};
use super::numbers::{BODY_SHARE, LABEL_SHARE, LONGEST_LABEL, LONGEST_TITLE, MANY_POSTS};
use crate::hints::{Hint, Hints};
use crate::lexicon;
use crate::mapping::NodeSet;
use crate::measure::{is_never_shown, words};
use crate::page::Page;

/// The letters of some texts before each node.
pub(super) struct Letters(Vec<u32>);

impl Letters {
    pub(super) fn of(dom: &Dom, is_meant: impl Fn(NodeId) -> bool) -> Self {
        let mut sums = Vec::with_capacity(dom.len() + 1);
        let mut sum = 0;
        for node in dom.nodes() {
            sums.push(sum);
            if dom.kind(node) == NodeKind::Text && is_meant(node) {
                sum += dom.text_of(node).trim().len() as u32;
            }
        }
        sums.push(sum);
        Self(sums)
    }

    pub(super) fn within(&self, dom: &Dom, node: NodeId) -> u32 {
        let range = dom.range(node);
        self.0[range.end] - self.0[range.start]
    }

    pub(super) fn all(&self) -> u32 {
        self.0.last().copied().unwrap_or_default()
    }
}

/// What the bodies of the posts of a group have in common.
pub(super) struct Bodies<'a> {
    dom: &'a Dom,
    group: &'a Group,
    /// The element with the text of each post.
    elements: Vec<Option<NodeId>>,
    labels: Vec<&'a str>,
}

impl<'a> Bodies<'a> {
    /// The smallest elements, built alike in all posts, that hold nearly all of the letters. `is_field` marks authors and dates.
    pub(super) fn of(dom: &'a Dom, group: &'a Group, letters: &Letters, is_field: &NodeSet) -> Self {
        let elements = elements(dom, group, letters, is_field);
        let labels = labels(dom, group);
        Self {
            dom,
            group,
            elements,
            labels,
        }
    }

    /// The text of a post as a page of its own, if it has one.
    pub(super) fn page(
        &self,
        number: usize,
        url: &Url,
        is_field: &NodeSet,
        author: Option<&str>,
    ) -> Option<Page> {
        let dom = self.dom;
        let body = self.elements[number]?;
        let end = dom.range(body).end;
        let all = words(dom.text_of(body)).count();
        let is_author = |node| dom.kind(node) == NodeKind::Text && Some(dom.text_of(node).trim()) == author;
        let mut writer = DomWriter::new();
        writer.open(name!("html"), Namespace::Html, []);
        writer.open(name!("body"), Namespace::Html, []);
        let mut ends: Vec<usize> = Vec::new();
        let mut left_until = body.index();
        for node in self.group.own(dom, number) {
            let index = node.index();
            if index < left_until || index >= end {
                continue;
            }
            while ends.last().is_some_and(|&end| end <= index) {
                ends.pop();
                writer.close();
            }
            if node != body && (is_field.contains(node) || is_author(node) || self.is_left_out(node, all)) {
                left_until = dom.range(node).end;
                continue;
            }
            if writer.copy(dom, node) {
                ends.push(dom.range(node).end);
            }
        }
        Some(Page {
            url: url.clone(),
            dom: writer.finish(),
        })
    }

    /// Whether a node is part of the author's card, a signature, a tool or a comment on the post.
    fn is_left_out(&self, node: NodeId, all: usize) -> bool {
        let dom = self.dom;
        match dom.kind(node) {
            NodeKind::Text => self.is_label(node),
            NodeKind::Element => {
                if is_never_shown(dom, node) {
                    return true;
                }
                match &**dom.name(node) {
                    "button" | "form" | "select" | "input" | "textarea" => return true,
                    "a" | "span" | "b" | "strong" | "i" | "em" | "code" | "p" | "pre" | "blockquote"
                    | "br" | "img" => return false,
                    _ => {}
                }
                let is_tool = Hints::of(dom, node).has_any(&[
                    Hint::Comments,
                    Hint::Control,
                    Hint::Hidden,
                    Hint::Social,
                    Hint::User,
                ]) || is_named_tool(dom, node);
                is_tool && 2 * words(dom.text_of(node)).count() <= all
            }
            _ => false,
        }
    }

    /// Whether a text is that of most posts, and a link or not part of a sentence.
    fn is_label(&self, node: NodeId) -> bool {
        let dom = self.dom;
        let text = dom.text_of(node).trim();
        if self.labels.binary_search(&text).is_err() {
            return false;
        }
        for around in dom.ancestors(node) {
            match &**dom.name(around) {
                "a" => return true,
                "b" | "em" | "font" | "i" | "small" | "span" | "strong" | "u" => {}
                _ => {
                    let others = words(dom.text_of(around)).count() - words(text).count();
                    return others <= LONGEST_TITLE;
                }
            }
        }
        true
    }
}

fn is_named_tool(dom: &Dom, node: NodeId) -> bool {
    let tools = lexicon::entries("post-tool");
    let class = dom.attribute(node, &name!("class")).unwrap_or_default();
    class
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .any(|word| tools.binary_search(&&*word.to_ascii_lowercase()).is_ok())
}

fn elements(dom: &Dom, group: &Group, letters: &Letters, is_field: &NodeSet) -> Vec<Option<NodeId>> {
    struct Kind {
        elements: Vec<Option<NodeId>>,
        letters: u32,
        fields: usize,
        size: usize,
    }
    let count = group.members.len();
    let mut kinds: IndexMap<(&str, String), Kind> = IndexMap::new();
    let mut total = 0;
    for (number, &member) in group.members.iter().enumerate() {
        let mut own = 0;
        let mut field_until = 0;
        for node in group.own(dom, number) {
            if is_field.contains(node) {
                field_until = field_until.max(dom.range(node).end);
            }
            if dom.kind(node) == NodeKind::Text && node.index() >= field_until {
                own += letters.within(dom, node);
            }
            if node == member || dom.kind(node) != NodeKind::Element {
                continue;
            }
            let mut class: Vec<String> = classes(dom, node).map(Into::into).collect();
            class.sort_unstable();
            let key = (&**dom.name(node), class.join(" "));
            let kind = kinds.entry(key).or_insert_with(|| Kind {
                elements: vec![None; count],
                letters: 0,
                fields: 0,
                size: 0,
            });
            // Only the first of its kind in a post: several are parts of a body.
            if kind.elements[number].is_none() {
                kind.elements[number] = Some(node);
                kind.letters += letters.within(dom, node);
                kind.size += dom.size(node);
                kind.fields += dom
                    .subtree(node)
                    .filter(|&inner| is_field.contains(inner))
                    .count();
            }
        }
        total += own;
    }
    let best = kinds
        .values()
        .filter(|kind| f64::from(kind.letters) >= BODY_SHARE * f64::from(total) && total > 0)
        .min_by_key(|kind| (2 * kind.fields > count, kind.size));
    // Without such elements, all of a post is its body.
    best.map_or_else(
        || group.members.iter().copied().map(Some).collect(),
        |kind| kind.elements.clone(),
    )
}

/// Short texts that most posts have, such as "Reply", sorted.
fn labels<'a>(dom: &'a Dom, group: &Group) -> Vec<&'a str> {
    let longest = if group.members.len() < MANY_POSTS {
        LONGEST_LABEL
    } else {
        LONGEST_TITLE
    };
    let mut times: IndexMap<&str, (usize, usize)> = IndexMap::new();
    for number in 0..group.members.len() {
        for node in group.own(dom, number) {
            if dom.kind(node) != NodeKind::Text || dom.is_blank_text(node) {
                continue;
            }
            let text = dom.text_of(node).trim();
            if text.len() > 120 || words(text).count() > longest {
                continue;
            }
            let entry = times.entry(text).or_insert((0, usize::MAX));
            if entry.1 != number {
                *entry = (entry.0 + 1, number);
            }
        }
    }
    let least = (LABEL_SHARE * group.members.len() as f64).max(2.0);
    let mut labels: Vec<&str> = times
        .into_iter()
        .filter(|(_, (times, _))| *times as f64 >= least)
        .map(|(text, _)| text)
        .collect();
    labels.sort_unstable();
    labels
}
