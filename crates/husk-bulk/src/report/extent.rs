//! How much of a page is template: in bytes, in words, in links.

use husk::{Measures, Page, Stripped, ToldBy};
use serde::{Deserialize, Serialize};

/// How much there is of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Extent {
    /// Bytes of HTML: tags with their attributes, texts, comments, scripts and styles included.
    pub bytes: u64,
    /// Words that are shown.
    pub words: u64,
    /// Links.
    pub links: u64,
}

impl Extent {
    /// Both together. What is read from a file may be anything, so sums end at the largest number.
    pub fn plus(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(other.bytes),
            words: self.words.saturating_add(other.words),
            links: self.links.saturating_add(other.links),
        }
    }
}

/// How much a page has, and how much of it is template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PageExtent {
    /// The whole page.
    pub page: Extent,
    /// Its template; none if that is not known.
    pub template: Option<Extent>,
}

impl PageExtent {
    /// Measures a page from `<html>` on, in one pass.
    ///
    /// The bytes are those that the tree would be written with, each node with its own, since nobody knows where in the
    /// captured bytes a node stands. A page that was told by itself alone has no template that could be measured.
    pub fn of(page: &Page, stripped: &Stripped) -> Self {
        let dom = &page.dom;
        let measures = Measures::of(dom);
        let has_template = stripped.layout.is_some() && stripped.content.told_by == ToldBy::Template;
        let (mut all, mut template) = (Extent::default(), Extent::default());
        for node in dom.subtree(dom.root()) {
            let amount = measures.of_range(node.index()..node.index() + 1);
            let own = Extent {
                bytes: dom.own_bytes(node) as u64,
                words: amount.words.into(),
                links: amount.links.into(),
            };
            all = all.plus(own);
            if has_template && stripped.template.contains(node) {
                template = template.plus(own);
            }
        }
        Self {
            page: all,
            template: has_template.then_some(template),
        }
    }

    /// The share of the template, where it is known.
    pub fn shares(&self) -> Shares {
        self.template
            .map_or_else(Shares::default, |template| Shares::of(template, self.page))
    }
}

/// Which share of something is template, from 0 to 1; none where there is nothing to have a share of.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Shares {
    /// Of the bytes.
    pub bytes: Option<f64>,
    /// Of the words.
    pub words: Option<f64>,
    /// Of the links.
    pub links: Option<f64>,
}

impl Shares {
    /// The shares of a part in all.
    pub fn of(part: Extent, all: Extent) -> Self {
        Self {
            bytes: share(part.bytes, all.bytes),
            words: share(part.words, all.words),
            links: share(part.links, all.links),
        }
    }

    /// Bytes, words, links.
    pub(super) fn all(self) -> [Option<f64>; 3] {
        [self.bytes, self.words, self.links]
    }
}

/// Six digits are more than anybody reads, and keep the lines short.
fn share(part: u64, all: u64) -> Option<f64> {
    let share = part.min(all) as f64 / all as f64;
    (all > 0).then(|| (share * 1e6).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::test_pages::{alone, page, stripped};

    #[test]
    fn the_template_is_measured_by_its_own_nodes() {
        let page = page("<nav class=t><a class=t href=/a>Tea</a></nav><p>Two words <a href=/b>here</a></p>");
        let extent = PageExtent::of(&page, &stripped(&page, 0));
        let written = |html: &str| html.len() as u64;
        assert_eq!(
            extent.page,
            Extent {
                bytes: written(
                    "<html><head></head><body><nav class=\"t\"><a class=\"t\" href=\"/a\">Tea</a></nav>\
                     <p>Two words <a href=\"/b\">here</a></p></body></html>"
                ),
                words: 4,
                links: 2
            }
        );
        let template = Extent {
            bytes: written(
                "<html><body><nav class=\"t\"><a class=\"t\" href=\"/a\">Tea</a></nav></body></html>",
            ),
            words: 1,
            links: 1,
        };
        assert_eq!(extent.template, Some(template));
        assert_eq!(extent.shares().words, Some(0.25));
        assert_eq!(extent.shares().links, Some(0.5));
    }

    #[test]
    fn a_page_alone_has_no_share() {
        let page = page("<nav class=t>Tea</nav><p>words</p>");
        let extent = PageExtent::of(&page, &alone(&page));
        assert_eq!((extent.page.words, extent.template), (2, None));
        assert_eq!(extent.shares(), Shares::default());
    }

    #[test]
    fn nothing_has_no_share_and_no_share_is_above_all() {
        let few = Extent {
            bytes: 3,
            words: 0,
            links: 9,
        };
        let all = Extent {
            bytes: 9,
            words: 0,
            links: 3,
        };
        let shares = Shares::of(few, all);
        assert_eq!(shares.all(), [Some(0.333333), None, Some(1.0)]);
    }
}
