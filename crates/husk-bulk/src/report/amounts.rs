//! How much of a page is template, in bytes, words and links.

use husk::{ContentMethod, Measures, Page, Stripped};
use serde::{Deserialize, Serialize};

/// Bytes, words and links of a page, or of a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Amounts {
    /// Bytes of HTML, including tags, comments, scripts and styles.
    pub bytes: u64,
    /// Visible words.
    pub words: u64,
    /// Links.
    pub links: u64,
}

impl Amounts {
    /// The sum. It saturates, since values may come from any file.
    pub fn plus(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(other.bytes),
            words: self.words.saturating_add(other.words),
            links: self.links.saturating_add(other.links),
        }
    }
}

/// Amounts of a page and of its template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PageAmounts {
    /// The whole page.
    pub page: Amounts,
    /// Its template, if known.
    pub template: Option<Amounts>,
}

impl PageAmounts {
    /// Measures a page.
    ///
    /// Bytes are those of the serialised tree, since the parser doesn't keep source positions. Without a template for its
    /// layout, a page has no template amounts.
    pub fn of(page: &Page, stripped: &Stripped) -> Self {
        let dom = &page.dom;
        let measures = Measures::of(dom);
        let has_template = stripped.layout.is_some() && stripped.content.method == ContentMethod::Template;
        let (mut all, mut template) = (Amounts::default(), Amounts::default());
        for node in dom.subtree(dom.root()) {
            let amount = measures.of_range(node.index()..node.index() + 1);
            let own = Amounts {
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

    /// Shares of the template, if known.
    pub fn shares(&self) -> Shares {
        self.template
            .map_or_else(Shares::default, |template| Shares::of(template, self.page))
    }
}

/// Share of the template from 0 to 1; none if the page has none of that.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Shares {
    /// Share of the bytes.
    pub bytes: Option<f64>,
    /// Share of the words.
    pub words: Option<f64>,
    /// Share of the links.
    pub links: Option<f64>,
}

impl Shares {
    /// Shares of a part in the whole.
    pub fn of(part: Amounts, all: Amounts) -> Self {
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

/// Rounded to six digits to keep lines short.
fn share(part: u64, all: u64) -> Option<f64> {
    let share = part.min(all) as f64 / all as f64;
    (all > 0).then(|| (share * 1e6).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::made_pages::{page, stripped, unknown_layout};

    #[test]
    fn the_template_is_measured_by_its_nodes() {
        let page = page("<nav class=t><a class=t href=/a>Tea</a></nav><p>Two words <a href=/b>here</a></p>");
        let amounts = PageAmounts::of(&page, &stripped(&page, 0));
        let written = |html: &str| html.len() as u64;
        assert_eq!(
            amounts.page,
            Amounts {
                bytes: written(
                    "<html><head></head><body><nav class=\"t\"><a class=\"t\" href=\"/a\">Tea</a></nav>\
                     <p>Two words <a href=\"/b\">here</a></p></body></html>"
                ),
                words: 4,
                links: 2
            }
        );
        let template = Amounts {
            bytes: written(
                "<html><body><nav class=\"t\"><a class=\"t\" href=\"/a\">Tea</a></nav></body></html>",
            ),
            words: 1,
            links: 1,
        };
        assert_eq!(amounts.template, Some(template));
        assert_eq!(amounts.shares().words, Some(0.25));
        assert_eq!(amounts.shares().links, Some(0.5));
    }

    #[test]
    fn a_page_without_template_has_no_share() {
        let page = page("<nav class=t>Tea</nav><p>words</p>");
        let amounts = PageAmounts::of(&page, &unknown_layout(&page));
        assert_eq!((amounts.page.words, amounts.template), (2, None));
        assert_eq!(amounts.shares(), Shares::default());
    }

    #[test]
    fn shares_are_at_most_one() {
        let few = Amounts {
            bytes: 3,
            words: 0,
            links: 9,
        };
        let all = Amounts {
            bytes: 9,
            words: 0,
            links: 3,
        };
        let shares = Shares::of(few, all);
        assert_eq!(shares.all(), [Some(0.333333), None, Some(1.0)]);
    }
}
