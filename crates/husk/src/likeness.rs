//! How similarly two pages are built: the fingerprints of a page in, its [`Shapes`] out.

use husk_dom::{Dom, NodeKind, name};

use crate::fingerprint::{Fingerprints, mix};

/// The distinct elements in the body of a page, each seen with the two around it. The number of paragraphs or list
/// items makes no difference, nor does the class of the body, which often names the page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shapes(Vec<u64>);

/// How many elements around an element are part of its shape.
const ELEMENTS_AROUND: usize = 2;

impl Shapes {
    pub(crate) fn of(dom: &Dom, fingerprints: &Fingerprints) -> Self {
        let part = |name| dom.part(&name);
        let Some(body) = part(name!("body")).or_else(|| part(name!("frameset"))) else {
            return Self::default();
        };
        let label = |node| fingerprints.get(node).label;
        let elements = dom
            .subtree(body)
            .skip(1)
            .filter(|&node| dom.kind(node) == NodeKind::Element && fingerprints.is_compared(node));
        let mut shapes: Vec<u64> = elements
            .map(|element| {
                let around = dom.ancestors(element).take_while(|&above| above != body);
                around
                    .take(ELEMENTS_AROUND)
                    .fold(label(element), |shape, above| mix(shape, label(above)))
            })
            .collect();
        shapes.sort_unstable();
        shapes.dedup();
        Self(shapes)
    }

    /// The share of the shapes of either page that both have.
    pub(crate) fn likeness(&self, other: &Self) -> f64 {
        let mut others = other.0.iter().peekable();
        let mut both = 0;
        for shape in &self.0 {
            while others.next_if(|&other| other < shape).is_some() {}
            both += usize::from(others.peek() == Some(&shape));
        }
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
