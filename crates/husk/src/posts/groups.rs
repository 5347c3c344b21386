//! Elements of a page that are built alike: by element name and class, wherever they are, or by parent if they have no class.

use std::borrow::Cow;

use husk_dom::{Dom, Name, NodeId, NodeKind, name};
use indexmap::IndexMap;

use super::numbers::{LEAST_POSTS, MOST_POSTS};
use crate::fingerprint::{is_state, without_numbers};

/// The types of schema.org whose items are posts.
const POST_TYPES: [&str; 6] = [
    "Answer",
    "Comment",
    "DiscussionForumPosting",
    "Question",
    "SocialMediaPosting",
    "UserComments",
];

/// Elements that may hold a post.
const CONTAINERS: [&str; 10] = [
    "article",
    "blockquote",
    "dd",
    "div",
    "li",
    "p",
    "section",
    "table",
    "tbody",
    "tr",
];

/// What elements have in common.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Key<'a> {
    /// Their name and a class.
    Class(&'a Name, Cow<'a, str>),
    /// Their name and their parent.
    Parent(&'a Name, NodeId),
    /// A type of schema.org.
    Type(&'static str),
}

/// Elements that have something in common, in document order.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) members: Vec<NodeId>,
    /// Whether schema.org says that they are posts.
    pub(super) is_typed: bool,
}

/// All groups of a body.
pub(super) fn groups(dom: &Dom, body: NodeId) -> Vec<Group> {
    let mut by_key: IndexMap<Key<'_>, Vec<NodeId>> = IndexMap::new();
    for node in dom.subtree(body).skip(1) {
        if dom.kind(node) != NodeKind::Element {
            continue;
        }
        if let Some(kind) = type_of(dom, node) {
            by_key.entry(Key::Type(kind)).or_default().push(node);
        }
        let element = dom.name(node);
        if !CONTAINERS.contains(&&**element) && !element.contains('-') {
            continue;
        }
        let mut has_class = false;
        for class in classes(dom, node) {
            has_class = true;
            by_key.entry(Key::Class(element, class)).or_default().push(node);
        }
        if let Some(parent) = dom.parent(node).filter(|_| !has_class) {
            by_key.entry(Key::Parent(element, parent)).or_default().push(node);
        }
    }
    by_key
        .into_iter()
        .filter(|(_, members)| (LEAST_POSTS..=MOST_POSTS).contains(&members.len()))
        .map(|(key, members)| Group {
            members,
            is_typed: matches!(key, Key::Type(_)),
        })
        .collect()
}

/// The classes of an element without states, each run of digits as one.
pub(super) fn classes<'a>(dom: &'a Dom, node: NodeId) -> impl Iterator<Item = Cow<'a, str>> {
    let class = dom.attribute(node, &name!("class")).unwrap_or_default();
    class
        .split_ascii_whitespace()
        .take(12)
        .filter(|class| !is_state(class))
        .map(|class| {
            if class.bytes().any(|letter| letter.is_ascii_digit()) {
                Cow::Owned(without_numbers(class))
            } else {
                Cow::Borrowed(class)
            }
        })
}

/// Whether an element is a post or a review by its type.
fn type_of(dom: &Dom, node: NodeId) -> Option<&'static str> {
    let types = dom.attribute(node, &name!("itemtype"))?;
    let mut names = types
        .split_ascii_whitespace()
        .filter_map(|kind| kind.rsplit('/').next());
    names.find_map(|name| match name {
        "Review" | "UserReview" => Some("review"),
        name => POST_TYPES.contains(&name).then_some("post"),
    })
}

impl Group {
    /// The nodes of a member that are not in another member within it.
    pub(super) fn own<'a>(&'a self, dom: &'a Dom, number: usize) -> impl Iterator<Item = NodeId> + 'a {
        let range = dom.range(self.members[number]);
        let mut index = range.start;
        let mut nested = self.members[number + 1..].iter().peekable();
        std::iter::from_fn(move || {
            while let Some(inner) = nested.next_if(|inner| inner.index() <= index) {
                index = index.max(dom.range(*inner).end);
            }
            let node = (index < range.end).then(|| NodeId::from_index(index));
            index += 1;
            node
        })
    }

    /// The members that are in no other.
    pub(super) fn outermost<'a>(&'a self, dom: &'a Dom) -> impl Iterator<Item = NodeId> + 'a {
        let mut end = 0;
        self.members.iter().copied().filter(move |&member| {
            let is_outermost = member.index() >= end;
            end = end.max(dom.range(member).end);
            is_outermost
        })
    }
}
