//! What a text may stand in, as far as it tells content from the rest.

use husk_dom::{Dom, NodeId, name};

use crate::hints::{Hint, Hints};

/// Something that a text stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Sign {
    /// A heading.
    Heading,
    /// A paragraph.
    Paragraph,
    /// Preformatted text.
    Preformatted,
    /// Named or marked as the main part.
    Main,
    /// Named or marked as an article.
    Article,
    /// An `article` element.
    ArticleElement,
    /// Menus.
    Navigation,
    /// What opens the page.
    Header,
    /// What closes the page.
    Footer,
    /// Beside the content.
    Sidebar,
    /// The way here and on: breadcrumbs, pagination, languages.
    Way,
    /// What wants the reader to go elsewhere: advertisement, related pages, sharing, subscriptions.
    Promotion,
    /// Tags and categories.
    Tags,
    /// Not shown, or only when asked for.
    Hidden,
    /// A form.
    Form,
    /// Consent to cookies.
    Consent,
    /// What readers wrote.
    Comments,
    /// In something that its names, believed, say is no content.
    Suspected,
}

/// A set of signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Signs(u32);

impl Signs {
    pub(super) fn has(self, sign: Sign) -> bool {
        self.0 & (1 << sign as u8) != 0
    }

    pub(super) fn add(&mut self, sign: Sign) {
        self.0 |= 1 << sign as u8;
    }

    pub(super) fn remove(&mut self, sign: Sign) {
        self.0 &= !(1 << sign as u8);
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What speaks for content, or for nothing: believed wherever it stands.
    pub(super) fn of_content(dom: &Dom, node: NodeId, hints: Hints) -> Self {
        let mut signs = Self::default();
        match &**dom.name(node) {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => signs.add(Sign::Heading),
            "p" => signs.add(Sign::Paragraph),
            "pre" => signs.add(Sign::Preformatted),
            "article" => signs.add(Sign::ArticleElement),
            _ => {}
        }
        for (hint, sign) in [(Hint::Main, Sign::Main), (Hint::Article, Sign::Article)] {
            if hints.has(hint) {
                signs.add(sign);
            }
        }
        signs
    }

    /// What speaks against content.
    pub(super) fn against_content(dom: &Dom, node: NodeId, hints: Hints) -> Self {
        let mut signs = Self::default();
        for &(sign, any_of) in AGAINST {
            if hints.has_any(any_of) {
                signs.add(sign);
            }
        }
        if dom.is_element(node, &name!("form")) {
            signs.add(Sign::Form);
        }
        signs
    }

    /// Whether such an element is left aside in the search for the middle of the content. Tags and forms are not:
    /// they are too small, or may hold all of it.
    pub(super) fn is_suspected(self) -> bool {
        AGAINST
            .iter()
            .any(|&(sign, _)| sign != Sign::Tags && self.has(sign))
    }
}

const AGAINST: &[(Sign, &[Hint])] = &[
    (Sign::Navigation, &[Hint::Navigation]),
    (Sign::Header, &[Hint::Header]),
    (Sign::Footer, &[Hint::Footer]),
    (Sign::Sidebar, &[Hint::Sidebar]),
    (Sign::Way, &[Hint::Breadcrumb, Hint::Pagination, Hint::Language]),
    (
        Sign::Promotion,
        &[
            Hint::Advertisement,
            Hint::Related,
            Hint::Social,
            Hint::Subscription,
        ],
    ),
    (Sign::Tags, &[Hint::Tags]),
    (Sign::Hidden, &[Hint::Hidden, Hint::Dialog]),
    (Sign::Consent, &[Hint::Consent]),
];
