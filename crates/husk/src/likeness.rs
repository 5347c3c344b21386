//! How similarly two pages are built: the fingerprints of a page in, its [`Shapes`] out.

use husk_dom::{Dom, NodeId, NodeKind, name};

use crate::fingerprint::{Fingerprints, mix};
use crate::hash_table::HashTable;

/// The distinct elements in the body of a page, each seen with the two around it. The number of paragraphs or list
/// items makes no difference, nor does the class of the body, which often names the page.
#[derive(Debug, Clone)]
pub(crate) struct Shapes(HashTable);

impl Shapes {
    pub(crate) fn of(dom: &Dom, fingerprints: &Fingerprints) -> Self {
        let mut shapes = HashTable::new();
        let part = |name| dom.part(&name);
        let Some(body) = part(name!("body")).or_else(|| part(name!("frameset"))) else {
            return Self(shapes);
        };
        // Outside of the body there is nothing around an element.
        let around = |node: NodeId| dom.parent(node).filter(|&above| above > body);
        let label = |node| fingerprints.get(node).label;
        for element in dom.subtree(body).skip(1) {
            if dom.kind(element) != NodeKind::Element || !fingerprints.is_compared(element) {
                continue;
            }
            let mut shape = label(element);
            if let Some(above) = around(element) {
                shape = mix(shape, label(above));
                if let Some(above) = around(above) {
                    shape = mix(shape, label(above));
                }
            }
            shapes.set(shape, |_| 1);
        }
        Self(shapes)
    }

    /// The share of the shapes of either page that both have.
    pub(crate) fn likeness(&self, other: &Self) -> f64 {
        let both = other.0.hashes().filter(|&shape| self.0.get(shape) != 0).count();
        let either = self.0.len() + other.0.len() - both;
        if either == 0 {
            1.0
        } else {
            both as f64 / either as f64
        }
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::page::Page;

    fn shapes(html: &str) -> Shapes {
        let page = Page::parse(Url::parse("https://example.org/").unwrap(), html);
        Shapes::of(&page.dom, &Fingerprints::of(&page))
    }

    #[track_caller]
    fn check(one: &str, other: &str, expect: f64) {
        let (one, other) = (shapes(one), shapes(other));
        assert_eq!(one.likeness(&other), expect);
        assert_eq!(other.likeness(&one), expect);
    }

    #[test]
    fn the_number_of_paragraphs_makes_no_difference() {
        check("<main><p>a</p></main>", "<main><p>b</p><p>c</p></main>", 1.0);
    }

    #[test]
    fn the_class_of_the_body_makes_no_difference() {
        check("<body class=page-7><p>a", "<body class=page-8><p>a", 1.0);
    }

    #[test]
    fn other_blocks_make_a_difference() {
        check(
            "<nav></nav><main></main>",
            "<nav></nav><aside></aside>",
            1.0 / 3.0,
        );
        check("<div class=a><p>x</div>", "<div class=b><p>x</div>", 0.0);
    }

    #[test]
    fn empty_pages_are_alike() {
        check("", "", 1.0);
    }
}
