//! Hashes of what is compared between pages: a [`Page`] in, its [`Fingerprints`] out.

mod class_names;

mod targets;

use std::sync::LazyLock;

use husk_dom::{Attribute, Dom, Name, NodeId, NodeKind, name};
use xxhash_rust::xxh3::xxh3_64;

use crate::known::Known;
use crate::measure::{Spacing, has_wide_space, trimmed};
use crate::page::Page;
use crate::work::check;
use class_names::ClassNames;
use targets::Targets;

pub(crate) use class_names::{is_generated, is_state, without_numbers};
pub(crate) use targets::Target;

/// What is compared of a node.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Fingerprint {
    /// Kind, name and normalised class and id.
    pub(crate) label: u64,
    /// Text, link target or image source; 0 if there is none.
    pub(crate) says: u64,
    /// Label and texts of the whole subtree; 0 for nodes that are not compared: comments and blank texts.
    pub(crate) whole: u64,
    /// One bit for each text or target in the subtree, to compare two subtrees quickly. Large subtrees fill it, and
    /// then it says little.
    pub(crate) sketch: u64,
}

/// The fingerprints of the nodes of a page.
#[derive(Debug)]
pub(crate) struct Fingerprints {
    nodes: Vec<Fingerprint>,
    targets: Targets,
}

/// A cache of class names and links for the pages of one site. Pages of another site may use it, too.
pub(crate) struct Acquaintance {
    class_names: ClassNames,
    targets: Known<u64>,
}

impl Acquaintance {
    pub(crate) fn new() -> Self {
        Self {
            class_names: ClassNames::new(),
            targets: Known::new(),
        }
    }
}

/// The link, source or form of an element as written.
fn written_target(dom: &Dom, node: NodeId) -> Option<&str> {
    dom.attribute(node, &name!("href"))
        .or_else(|| dom.attribute(node, &name!("src")))
        .or_else(|| dom.attribute(node, &name!("action")))
        .or_else(|| dom.attribute(node, &name!("data")))
}

const TEXT: u64 = 0x9E37_79B9_7F4A_7C15;

pub(crate) use crate::measure::mix;

impl Fingerprints {
    /// The fingerprints of a page.
    #[cfg(test)]
    pub(crate) fn of(page: &Page) -> Self {
        Self::with(page, &mut Acquaintance::new())
    }

    /// The same with a cache, since the pages of a site share most class names and links. Nodes are read last to
    /// first: children before their parents.
    pub(crate) fn with(page: &Page, acquaintance: &mut Acquaintance) -> Self {
        let dom = &page.dom;
        let mut taking = Taking {
            dom,
            targets: Targets::of(page),
            acquaintance,
            words: String::new(),
        };
        let mut nodes = vec![Fingerprint::default(); dom.len()];
        for node in dom.nodes().rev() {
            check();
            let below = nodes[node.index()];
            let own = taking.fingerprint(node, below);
            if own.whole == 0 {
                continue;
            }
            nodes[node.index()] = own;
            if let Some(parent) = dom.parent(node) {
                let above = &mut nodes[parent.index()];
                above.whole = mix(above.whole, own.whole);
                above.sketch |= own.sketch;
            }
        }
        Self {
            nodes,
            targets: taking.targets,
        }
    }

    /// The fingerprint of a node.
    pub(crate) fn get(&self, node: NodeId) -> &Fingerprint {
        &self.nodes[node.index()]
    }

    /// Whether a node is compared: comments and blank texts are not.
    pub(crate) fn is_compared(&self, node: NodeId) -> bool {
        self.nodes[node.index()].whole != 0
    }

    /// The compared children, in document order.
    pub(crate) fn children<'a>(&'a self, dom: &'a Dom, node: NodeId) -> impl Iterator<Item = NodeId> + 'a {
        dom.children(node).filter(|&child| self.is_compared(child))
    }

    /// The target of a link, image or form relative to its page; none if it has none.
    pub(crate) fn target(&self, dom: &Dom, node: NodeId) -> Option<Target> {
        let href = written_target(dom, node)?;
        let is_translation = dom.attribute(node, &name!("hreflang")).is_some();
        Some(self.targets.target(href, is_translation))
    }
}

/// Whether a link leads to a place on its own page, or nowhere.
pub(crate) fn leads_here(dom: &Dom, node: NodeId) -> bool {
    written_target(dom, node).is_some_and(|href| targets::is_here(href.trim()))
}

/// The page and buffers to work with.
struct Taking<'a> {
    dom: &'a Dom,
    targets: Targets,
    acquaintance: &'a mut Acquaintance,
    words: String,
}

impl Taking<'_> {
    fn fingerprint(&mut self, node: NodeId, below: Fingerprint) -> Fingerprint {
        match self.dom.kind(node) {
            NodeKind::Comment | NodeKind::Doctype => Fingerprint::default(),
            NodeKind::Text => self.of_text(node),
            NodeKind::Element | NodeKind::Document | NodeKind::Fragment => self.of_element(node, below),
        }
    }

    fn of_text(&mut self, node: NodeId) -> Fingerprint {
        if self.dom.is_blank_text(node) {
            return Fingerprint::default();
        }
        let text = self.dom.text_of(node);
        let is_code = self
            .dom
            .parent(node)
            .is_some_and(|parent| matches!(*self.dom.name(parent), name!("script") | name!("style")));
        let says = if is_code && !text.trim_ascii().is_empty() {
            // Nobody reads its spacing, and it is long.
            xxh3_64(text.as_bytes()) | 1
        } else {
            hash_of_words(text, &mut self.words)
        };
        Fingerprint {
            label: TEXT,
            says,
            whole: says,
            sketch: sketch_of(says),
        }
    }

    fn of_element(&mut self, node: NodeId, below: Fingerprint) -> Fingerprint {
        let name = hash_of_name(self.dom.name(node));
        let (mut design, mut says) = (0, 0u64);
        // Sums, so that the order of attributes does not matter.
        for attribute in self.dom.attributes(node) {
            match Role::of(&attribute) {
                Role::Design => design = self.acquaintance.class_names.add(design, &attribute),
                Role::Target => {
                    let target = self
                        .targets
                        .identity(attribute.value, &mut self.acquaintance.targets);
                    says = says.wrapping_add(mix(hash_of_name(attribute.name), target));
                }
                Role::Words if !self.is_hidden_value(node, &attribute) => {
                    let words = hash_of_words(attribute.value, &mut self.words);
                    says = says.wrapping_add(mix(hash_of_name(attribute.name), words));
                }
                _ => {}
            }
        }
        let label = mix(name, design);
        Fingerprint {
            label,
            says,
            whole: mix(mix(label, says), below.whole) | 1,
            sketch: below.sketch | sketch_of(says),
        }
    }

    /// Hidden form values change from page to page in every template.
    fn is_hidden_value(&self, node: NodeId, attribute: &Attribute<'_>) -> bool {
        *attribute.name == name!("value")
            && self
                .dom
                .attribute(node, &name!("type"))
                .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
    }
}

/// What an attribute is for.
enum Role {
    /// Part of the label.
    Design,
    /// A target or source.
    Target,
    /// Visible text.
    Words,
    /// Not compared.
    Other,
}

/// A prefixed name is not HTML's.
static XLINK_HREF: LazyLock<Name> = LazyLock::new(|| Name::from("xlink:href"));

impl Role {
    fn of(attribute: &Attribute<'_>) -> Self {
        match *attribute.name {
            name!("class") | name!("id") | name!("role") | name!("type") | name!("name") => Self::Design,
            name!("href") | name!("src") | name!("action") | name!("data") => Self::Target,
            name!("alt") | name!("value") | name!("placeholder") | name!("content") => Self::Words,
            name!("d") | name!("points") => Self::Words,
            ref other if *other == *XLINK_HREF => Self::Target,
            _ => Self::Other,
        }
    }
}

fn sketch_of(says: u64) -> u64 {
    if says == 0 {
        0
    } else {
        1 << (mix(says, TEXT) >> 58)
    }
}

/// Of the characters, since interned forms change from run to run.
fn hash_of_name(name: &Name) -> u64 {
    xxh3_64(name.as_bytes())
}

/// The hash of a text, ignoring white space; 0 if it is blank.
fn hash_of_words(text: &str, room: &mut String) -> u64 {
    let text = trimmed(text);
    if text.is_empty() {
        return 0;
    }
    let spacing = Spacing::of(text);
    if !spacing.is_ascii && has_wide_space(text) {
        room.clear();
        text.split_whitespace().for_each(|word| add_words(word, room));
    } else if spacing.is_single {
        return xxh3_64(text.as_bytes()) | 1;
    } else {
        room.clear();
        // Most lines have single spaces only and are hashed as they are.
        for line in text.split('\n').map(str::trim_ascii) {
            if Spacing::of(line).is_single {
                add_words(line, room);
            } else {
                line.split_whitespace().for_each(|word| add_words(word, room));
            }
        }
    }
    xxh3_64(room.as_bytes()) | 1
}

fn add_words(words: &str, room: &mut String) {
    if !room.is_empty() && !words.is_empty() {
        room.push(' ');
    }
    room.push_str(words);
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    fn page(path: &str, html: &str) -> Page {
        let url = Url::parse("https://example.org/").unwrap().join(path).unwrap();
        Page::parse(url, html)
    }

    /// The fingerprint of the first child of the body.
    fn first(path: &str, html: &str) -> Fingerprint {
        let page = page(path, html);
        let body = page.dom.part(&name!("body")).unwrap();
        *Fingerprints::of(&page).get(NodeId::from_index(body.index() + 1))
    }

    #[track_caller]
    fn check_same(one: &str, other: &str, same_label: bool, same_words: bool, same_whole: bool) {
        let (one, other) = (first("a/one.html", one), first("b/other.html", other));
        assert_eq!(one.label == other.label, same_label, "labels");
        assert_eq!(one.says == other.says, same_words, "words");
        assert_eq!(one.whole == other.whole, same_whole, "subtrees");
    }

    #[test]
    fn designs_are_the_same_whatever_the_state() {
        check_same("<p class='a b'>x</p>", "<p class='b a'>x</p>", true, true, true);
        check_same("<p class='a active'>x</p>", "<p class=a>x</p>", true, true, true);
        check_same("<p id=post-12>x</p>", "<p id=post-345>x</p>", true, true, true);
        check_same("<p class=a>x</p>", "<p class=b>x</p>", false, true, false);
        check_same("<p style=color:red>x</p>", "<p>x</p>", true, true, true);
    }

    #[test]
    fn words_are_the_same_however_spaced() {
        check_same("a  b\nc", " a b c ", true, true, true);
        check_same("a\u{a0}b ü", "a b\tü", true, true, true);
        check_same("a b", "ab", true, false, false);
    }

    #[test]
    fn links_are_the_same_wherever_the_page_is() {
        check_same(
            "<a href=../c.html>x</a>",
            "<a href=/c.html>x</a>",
            true,
            true,
            true,
        );
        check_same("<a href=c.html>x</a>", "<a href=c.html>x</a>", true, false, false);
        check_same("<img src=/a.png>", "<img src=/b.png>", true, false, false);
    }

    #[test]
    fn hidden_values_are_not_compared() {
        check_same(
            "<input type=hidden value=1>",
            "<input type=HIDDEN value=2>",
            false,
            true,
            false,
        );
        check_same(
            "<input type=hidden value=1>",
            "<input type=hidden value=2>",
            true,
            true,
            true,
        );
        check_same(
            "<input type=submit value=Go>",
            "<input type=submit value=Stop>",
            true,
            false,
            false,
        );
    }

    #[test]
    fn blank_texts_and_comments_are_left_aside() {
        let page = page("", "<p> <!-- x --> <b>y</b>\n</p>");
        let fingerprints = Fingerprints::of(&page);
        let body = page.dom.part(&name!("body")).unwrap();
        let compared = page
            .dom
            .subtree(body)
            .filter(|&node| fingerprints.is_compared(node));
        assert_eq!(compared.count(), 4, "body, p, b and its text");
        check_same("<p> <b>y</b></p>", "<p><b>y</b><!-- x --></p>", true, true, true);
    }
}
