//! Names for slots, from what was cut out and from where it stood.

use husk_dom::{Dom, NodeId, NodeKind, name};
use indexmap::IndexSet;

use super::slots::Slot;
use crate::fingerprint::{is_generated, is_state};
use crate::hints::{Hint, Hints};

/// Names already given, so that each is given once.
#[derive(Debug, Default)]
pub(super) struct Names(IndexSet<String>);

/// Words that mean something in one of the engines.
const RESERVED: [&str; 47] = [
    "and",
    "block",
    "blank",
    "call",
    "caller",
    "case",
    "comment",
    "contains",
    "cycle",
    "each",
    "elif",
    "else",
    "empty",
    "endfor",
    "endif",
    "extends",
    "false",
    "filter",
    "for",
    "forloop",
    "from",
    "helper",
    "if",
    "import",
    "in",
    "include",
    "is",
    "layout",
    "log",
    "lookup",
    "loop",
    "macro",
    "nil",
    "none",
    "not",
    "null",
    "or",
    "raw",
    "self",
    "set",
    "super",
    "tablerow",
    "this",
    "true",
    "undefined",
    "unless",
    "with",
];

/// Names longer than this are no help.
const LONGEST_NAME: usize = 32;

impl Names {
    /// None yet, but for the slots that the page itself has.
    pub(super) fn of_page(dom: &Dom) -> Self {
        let own = dom.nodes().filter(|&node| &**dom.name(node) == "slot");
        let own = own.filter_map(|node| dom.attribute(node, &name!("name")));
        Self(own.map(str::to_owned).collect())
    }

    /// A name that was not given yet: this one, or with a number.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        let mut number = 1;
        while !self.0.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}_{number}");
        }
        unique
    }

    /// The name for a `<meta>` or `<link>` that describes the page; none for others.
    pub(super) fn of_metadata(&mut self, dom: &Dom, node: NodeId) -> Option<String> {
        let value = |attribute| dom.attribute(node, &attribute).filter(|value| !value.is_empty());
        if dom.is_element(node, &name!("meta")) {
            let named = [name!("name"), name!("property"), name!("itemprop")]
                .into_iter()
                .find_map(value)?;
            return Some(self.unique(&identifier(named)?));
        }
        let rel = value(name!("rel"))?.to_ascii_lowercase();
        match &*rel {
            "canonical" => Some(self.unique("canonical")),
            "prev" | "next" | "alternate" | "amphtml" | "shortlink" | "author" | "up" => {
                let language = value(name!("hreflang")).and_then(identifier);
                let language = language.map(|language| format!("_{language}"));
                Some(self.unique(&format!("link_{rel}{}", language.unwrap_or_default())))
            }
            _ => None,
        }
    }

    /// The name for the target of a link, or the source of an image, that holds a slot of some name, if any.
    pub(super) fn of_link(&mut self, dom: &Dom, node: NodeId, slot: Option<&str>) -> String {
        let is_image = dom.is_element(node, &name!("img"));
        let text = if is_image {
            dom.attribute(node, &name!("alt")).unwrap_or_default()
        } else {
            dom.text_of(node)
        };
        let name = slot
            .map(str::to_owned)
            .or_else(|| identifier(text))
            .or_else(|| identifier(dom.attribute(node, &name!("hreflang"))?))
            .or_else(|| own_name(dom, node))
            .unwrap_or_else(|| if is_image { "image" } else { "link" }.to_owned());
        self.unique(&format!("{name}_url"))
    }
}

/// What a slot should be called.
pub(super) fn slot_name(dom: &Dom, slot: &Slot) -> String {
    let shown: Vec<NodeId> = slot
        .cut
        .nodes
        .iter()
        .copied()
        .filter(|&node| is_seen(dom, node))
        .collect();
    let alone = match shown[..] {
        [node] if dom.kind(node) == NodeKind::Element => Some(node),
        _ => None,
    };
    let around = || {
        std::iter::once(slot.cut.parent)
            .chain(dom.ancestors(slot.cut.parent))
            .take(SEEN_ABOVE)
    };
    alone
        .and_then(|node| purpose(dom, node))
        .or_else(|| purpose(dom, slot.cut.parent))
        .map(str::to_owned)
        .or_else(|| label_before(dom, slot.cut.nodes[0]))
        .or_else(|| {
            around()
                .skip(1)
                .find_map(|node| purpose(dom, node))
                .map(str::to_owned)
        })
        .or_else(|| alone.and_then(|node| own_name(dom, node)))
        .or_else(|| around().find_map(|node| own_name(dom, node)))
        .unwrap_or_else(|| "content".to_owned())
}

/// The elements above a slot that are asked what it is for; what is further up holds other things as well.
const SEEN_ABOVE: usize = 3;

fn is_seen(dom: &Dom, node: NodeId) -> bool {
    dom.kind(node) != NodeKind::Comment && !dom.is_blank_text(node)
}

/// What an element is for, if that is known.
fn purpose(dom: &Dom, node: NodeId) -> Option<&'static str> {
    match &**dom.name(node) {
        "title" => return Some("title"),
        "h1" => return Some("heading"),
        "h2" | "h3" | "h4" | "h5" | "h6" => return Some("subheading"),
        "time" => return Some("date"),
        "address" => return Some("author"),
        "img" | "picture" | "figure" => return Some("image"),
        "body" | "html" => return None,
        _ => {}
    }
    if let Some(name) = byline_part(dom, node) {
        return Some(name);
    }
    let hints = Hints::of(dom, node);
    PURPOSES
        .iter()
        .find(|&&(hint, _)| hints.has(hint))
        .map(|&(_, name)| name)
}

/// The more an element is for one thing only, the earlier.
const PURPOSES: [(Hint, &str); 16] = [
    (Hint::Breadcrumb, "breadcrumbs"),
    (Hint::Pagination, "pagination"),
    (Hint::Contents, "table_of_contents"),
    (Hint::Language, "languages"),
    (Hint::Tags, "tags"),
    (Hint::Related, "related"),
    (Hint::Comments, "comments"),
    (Hint::Social, "share"),
    (Hint::Subscription, "subscription"),
    (Hint::Advertisement, "advertisement"),
    (Hint::Byline, "byline"),
    (Hint::Search, "search"),
    (Hint::Login, "login"),
    (Hint::Sidebar, "sidebar"),
    (Hint::Navigation, "navigation"),
    (Hint::Footer, "footer"),
];

/// Author or date, where an element's names say which.
fn byline_part(dom: &Dom, node: NodeId) -> Option<&'static str> {
    let names = [name!("class"), name!("id"), name!("itemprop"), name!("rel")];
    let names = names
        .iter()
        .filter_map(|attribute| dom.attribute(node, attribute));
    let names: Vec<String> = names.map(str::to_ascii_lowercase).collect();
    let mut words = names
        .iter()
        .flat_map(|names| names.split(|letter: char| !letter.is_ascii_alphanumeric()));
    words.find_map(|word| match word {
        "author" | "byline" | "autor" | "auteur" => Some("author"),
        "date" | "published" | "datepublished" | "datemodified" | "dateline" | "timestamp" | "datum"
        | "fecha" => Some("date"),
        _ => None,
    })
}

/// The words in front of a node, if they announce it: `Filed under:`.
fn label_before(dom: &Dom, node: NodeId) -> Option<String> {
    let parent = dom.parent(node)?;
    let before = dom.children(parent).take_while(|&child| child < node);
    let label = before.filter(|&child| is_seen(dom, child)).last()?;
    let text = dom.text_of(label).trim();
    let label = text.strip_suffix([':', '：'])?;
    // Of a whole sentence only the end announces anything.
    identifier(label.rsplit(['.', '\n', '|']).next().unwrap_or(label))
}

/// The name that an element was given: its id, else a class.
fn own_name(dom: &Dom, node: NodeId) -> Option<String> {
    if matches!(&**dom.name(node), "body" | "html") {
        return None;
    }
    let id = dom.attribute(node, &name!("id"));
    let classes = dom.attribute(node, &name!("class")).unwrap_or_default();
    let names = id.into_iter().chain(classes.split_ascii_whitespace());
    names
        .filter(|name| !is_generated(name) && !is_state(name))
        .find_map(identifier)
}

/// Some words as an identifier of every engine: `Filed under` becomes `filed_under`, numbers at the end are left out.
fn identifier(words: &str) -> Option<String> {
    let mut out = String::new();
    let mut was_lower = false;
    for letter in words.chars() {
        let begins = letter.is_ascii_uppercase() && was_lower;
        if (begins || !letter.is_alphanumeric()) && !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        if letter.is_ascii_alphanumeric() {
            out.push(letter.to_ascii_lowercase());
        } else if letter.is_alphanumeric() {
            // Letters that not every engine takes.
            return None;
        }
        was_lower = letter.is_ascii_lowercase();
        if out.len() > LONGEST_NAME {
            return None;
        }
    }
    let out = out.trim_end_matches(|letter: char| letter == '_' || letter.is_ascii_digit());
    let is_name = out.len() > 1 && out.starts_with(|letter: char| letter.is_ascii_alphabetic());
    match RESERVED.contains(&out) {
        _ if !is_name => None,
        true => Some(format!("{out}_slot")),
        false => Some(out.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use husk_dom::Name;

    #[test]
    fn identifiers_suit_every_engine() {
        let check = |words, expect: Option<&str>| assert_eq!(identifier(words).as_deref(), expect, "{words}");
        check("Filed Under", Some("filed_under"));
        check("og:title", Some("og_title"));
        check("postMeta", Some("post_meta"));
        check("post-123", Some("post"));
        check("  --a  b--", Some("a_b"));
        check("3d", None);
        check("Тег", None);
        check("this", Some("this_slot"));
        check("", None);
        check("x", None);
        check(&"long ".repeat(20), None);
    }

    #[test]
    fn names_are_given_once() {
        let mut names = Names::of_page(&Dom::parse("<slot name=date></slot>"));
        assert_eq!(names.unique("date"), "date_2");
        assert_eq!(names.unique("date"), "date_3");
        assert_eq!(names.unique("x"), "x");
    }

    /// Checks how the slot is called that the element `<x>`, or the text in it, leaves.
    fn check(html: &str, expect: &str) {
        let dom = Dom::parse(html);
        let node = dom
            .nodes()
            .find(|&node| dom.is_element(node, &Name::from("x-cut")));
        let node = node.unwrap();
        let nodes: Vec<_> = dom.children(node).collect();
        let slot = |parent, nodes| Slot {
            number: 1,
            cut: crate::Cut { parent, nodes },
            shows: true,
        };
        // What stands in the marking element was cut out of what is around it.
        let parent = dom.parent(node).unwrap();
        let slot = if nodes.is_empty() {
            slot(parent, vec![node])
        } else {
            slot(parent, nodes)
        };
        assert_eq!(slot_name(&dom, &slot), expect, "{html}");
    }

    #[test]
    fn slots_are_called_after_what_they_hold() {
        check("<div><x-cut><h1>A</h1></x-cut></div>", "heading");
        check("<h1><x-cut>A</x-cut></h1>", "heading");
        check("<p class=a><x-cut><time>A</time></x-cut></p>", "date");
        check(
            "<nav class=breadcrumbs><ol><x-cut><li>A</li></x-cut></ol></nav>",
            "breadcrumbs",
        );
        check("<div class=entry-tags><x-cut><a>A</a></x-cut></div>", "tags");
        check("<span itemprop=author><x-cut>A</x-cut></span>", "author");
    }

    #[test]
    fn or_after_where_they_stand() {
        check("<p>Price: <x-cut></x-cut></p>", "price");
        check("<div id=summary><x-cut>A</x-cut></div>", "summary");
        check(
            "<div class='css-1q8bwdy4 is-active teaser-3'><x-cut>A</x-cut></div>",
            "teaser",
        );
        check("<p><x-cut>A</x-cut></p>", "content");
    }
}
