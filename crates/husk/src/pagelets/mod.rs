//! The blocks of a page, each with what it is for.
//!
//! An [`Extraction`] with its navigation and content in, [`Pagelet`]s out.
//!
//! Menus and content are known and stand first. Around them the page is taken apart by what its elements are named and
//! what they hold ([`names`]): a search form, a footer, a list of links to share the page. What then is left is divided
//! into the largest subtrees that hold none of these, and told by where they stand ([`rest`]). Header, footer, sidebar
//! and content may hold other pagelets; elements that only lay others out are none.

mod features;

mod blocks;

mod names;

mod rest;

use husk_dom::{Dom, NodeId};
use serde::Serialize;

use crate::content::Content;
use crate::extraction::Extraction;
use crate::measure::{Amount, Measures};
use crate::navigation::{Navigation, NavigationKind};
use crate::template::Support;
use blocks::Blocks;

/// A block of a page that has one function.
#[derive(Debug, Clone)]
pub struct Pagelet {
    /// The subtrees it consists of, in document order; none lies in another, and none is another pagelet's.
    pub roots: Vec<NodeId>,
    /// What it is for.
    pub function: Function,
    /// The number of the pagelet that it lies in; none if it lies in none.
    pub parent: Option<usize>,
    /// How much it says, the pagelets in it included.
    pub amount: Amount,
    /// Which share of the page's words it has.
    pub text_share: f64,
    /// Which share of the page's links it has.
    pub link_share: f64,
    /// Which share of its words is template; none if the page was compared with nothing.
    pub template_share: Option<f64>,
    /// In how many of the compared pages its first root was mapped.
    pub support: Support,
}

impl Pagelet {
    /// Whether it belongs to the template, most of it at least. A page that was compared with nothing has none.
    pub fn is_template(&self) -> bool {
        self.template_share.is_some_and(|share| share >= 0.5)
    }
}

/// What a block of a page is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Function {
    /// What a reader came for.
    MainContent,
    /// The main menu of the site.
    MainMenu,
    /// The menu of a section, or another menu beside the main one.
    Submenu,
    /// The top of the page.
    Header,
    /// The bottom of the page.
    Footer,
    /// Beside the content.
    Sidebar,
    /// A search form.
    Search,
    /// Logging in.
    Login,
    /// Advertisement.
    Advertisement,
    /// Other things one might want to read.
    Related,
    /// The way from the home page to this one.
    Breadcrumb,
    /// Previous, next, page 3 of 7.
    Pagination,
    /// Sharing and following.
    Social,
    /// What readers wrote.
    Comments,
    /// The same page in other languages.
    Language,
    /// Consent to cookies and the like.
    Consent,
    /// Anything else.
    Other,
}

impl Function {
    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::MainContent => "main-content",
            Self::MainMenu => "main-menu",
            Self::Submenu => "submenu",
            Self::Header => "header",
            Self::Footer => "footer",
            Self::Sidebar => "sidebar",
            Self::Search => "search",
            Self::Login => "login",
            Self::Advertisement => "advertisement",
            Self::Related => "related",
            Self::Breadcrumb => "breadcrumb",
            Self::Pagination => "pagination",
            Self::Social => "social",
            Self::Comments => "comments",
            Self::Language => "language",
            Self::Consent => "consent",
            Self::Other => "other",
        }
    }

    /// Whether it may hold blocks with functions of their own.
    fn is_container(self) -> bool {
        matches!(
            self,
            Self::Header | Self::Footer | Self::Sidebar | Self::MainContent
        )
    }
}

impl From<NavigationKind> for Function {
    fn from(kind: NavigationKind) -> Self {
        match kind {
            NavigationKind::Main => Self::MainMenu,
            NavigationKind::Sub => Self::Submenu,
            NavigationKind::Breadcrumb => Self::Breadcrumb,
            NavigationKind::Footer => Self::Footer,
            NavigationKind::Pagination => Self::Pagination,
            NavigationKind::Language => Self::Language,
        }
    }
}

/// The blocks of a page, in document order, those that hold others in front of them.
///
/// Every text of the page that shows lies in one of them.
pub fn pagelets(extraction: &Extraction, navigation: &Navigation, content: &Content) -> Vec<Pagelet> {
    let mut blocks = Blocks::new(extraction, content);
    blocks.add_navigation(navigation);
    blocks.add_content();
    names::add(&mut blocks);
    rest::add(&mut blocks);
    let measured = Measured::of(extraction);
    let found = blocks.finish();
    found
        .into_iter()
        .map(|found| measured.pagelet(extraction, found))
        .collect()
}

/// For each node of a page the number of the innermost pagelet that it lies in.
pub fn innermost_pagelets(dom: &Dom, pagelets: &[Pagelet]) -> Vec<Option<usize>> {
    let mut innermost = vec![None; dom.len()];
    // Pagelets stand in front of those in them, so that later ones are the inner ones.
    for (number, pagelet) in pagelets.iter().enumerate() {
        for &root in &pagelet.roots {
            innermost[dom.range(root)].fill(Some(number));
        }
    }
    innermost
}

/// A block without its numbers.
struct Found {
    roots: Vec<NodeId>,
    function: Function,
    parent: Option<usize>,
}

/// How much the page and its template say.
struct Measured {
    all: Measures,
    template: Measures,
    page: Amount,
}

impl Measured {
    fn of(extraction: &Extraction) -> Self {
        let dom = &extraction.key_page.dom;
        let all = Measures::of(dom);
        Self {
            page: all.of_subtree(dom, dom.document()),
            template: Measures::of_those(dom, |node| extraction.template.contains(node)),
            all,
        }
    }

    fn pagelet(&self, extraction: &Extraction, found: Found) -> Pagelet {
        let dom = &extraction.key_page.dom;
        let template = &extraction.template;
        let sum = |measures: &Measures| {
            let amounts = found.roots.iter().map(|&root| measures.of_subtree(dom, root));
            amounts.fold(Amount::default(), Amount::plus)
        };
        let amount = sum(&self.all);
        let share = |part: u32, whole: u32| f64::from(part) / f64::from(whole.max(1));
        let first = found.roots.first().copied().unwrap_or(dom.document());
        let template_share = match amount.words {
            0 => f64::from(u8::from(template.contains(first))),
            words => share(sum(&self.template).words, words),
        };
        Pagelet {
            text_share: share(amount.words, self.page.words),
            link_share: share(amount.links, self.page.links),
            template_share: (template.compared() > 0).then_some(template_share),
            support: template.support(first),
            amount,
            roots: found.roots,
            function: found.function,
            parent: found.parent,
        }
    }
}
