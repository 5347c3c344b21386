//! What a text may be in, as far as it matters for content.

use husk_dom::{Dom, NodeId, name};

use crate::hints::{Hint, Hints};

/// Something that a text is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Sign {
    /// A heading.
    Heading,
    /// A paragraph.
    Paragraph,
    /// Preformatted text.
    Preformatted,
    /// The main part, by name or role.
    Main,
    /// An article, by name or role.
    Article,
    /// An `article` element.
    ArticleElement,
    /// Menus.
    Navigation,
    /// The top of the page.
    Header,
    /// The bottom of the page.
    Footer,
    /// Next to the content.
    Sidebar,
    /// Breadcrumbs, pagination, languages.
    Way,
    /// Advertising, related pages, sharing, subscriptions.
    Promotion,
    /// Tags and categories.
    Tags,
    /// Not visible, or only on demand.
    Hidden,
    /// A form.
    Form,
    /// Consent to cookies.
    Consent,
    /// Reader comments.
    Comments,
    /// In something that is not content by its names.
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

    /// Signs for content, wherever they are.
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

    /// Signs against content.
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

    /// Whether to ignore such an element in the search for the centre of the content. Tags are too small for that,
    /// and forms may hold all of it.
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
