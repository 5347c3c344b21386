//! The blocks of a page with their functions.
//!
//! An [`Extraction`] with its navigation and content in, [`Pagelet`]s out.
//!
//! Menus and content are known already. Other blocks are identified by names and what they contain ([`names`]): a
//! search form, a footer, share buttons. The rest is divided into the largest subtrees without any of these, and
//! classified by position ([`rest`]). Header, footer, sidebar and content may contain other pagelets; elements that
//! only lay out others are no pagelets.

mod numbers;

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
use crate::work::check;
use blocks::Blocks;

/// A block of a page with one function.
#[derive(Debug, Clone)]
pub struct Pagelet {
    /// Its subtrees, in document order; they are disjoint, also from those of other pagelets.
    pub roots: Vec<NodeId>,
    /// Its function.
    pub function: Function,
    /// The index of the pagelet that contains it.
    pub parent: Option<usize>,
    /// Its counts, including the pagelets in it.
    pub amount: Amount,
    /// Its share of the page's words.
    pub text_share: f64,
    /// Its share of the page's links.
    pub link_share: f64,
    /// The share of its words that is template; none if the page was compared with nothing.
    pub template_share: Option<f64>,
    /// How many of the compared pages have its first root.
    pub support: Support,
}

impl Pagelet {
    /// Whether most of it is template; never for a page that was compared with nothing.
    pub fn is_template(&self) -> bool {
        self.template_share.is_some_and(|share| share >= 0.5)
    }
}

/// The function of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Function {
    /// The main content.
    MainContent,
    /// The main menu of the site.
    MainMenu,
    /// The menu of a section, or another menu besides the main one.
    Submenu,
    /// The top of the page.
    Header,
    /// The bottom of the page.
    Footer,
    /// Next to the content.
    Sidebar,
    /// A search form.
    Search,
    /// A login form or link.
    Login,
    /// Advertising.
    Advertisement,
    /// Links to similar pages or products.
    Related,
    /// The path from the home page to this page.
    Breadcrumb,
    /// Previous, next, page 3 of 7.
    Pagination,
    /// Sharing and following.
    Social,
    /// Reader comments.
    Comments,
    /// The same page in other languages.
    Language,
    /// A consent form, as for cookies.
    Consent,
    /// Anything else.
    Other,
}

impl Function {
    /// The name in JSON.
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

    /// Whether it may contain blocks with other functions.
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

/// The blocks of a page, in document order, outer blocks before those in them.
///
/// Every visible text of the page is in one of them.
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

/// The index of the innermost pagelet of each node.
pub fn innermost_pagelets(dom: &Dom, pagelets: &[Pagelet]) -> Vec<Option<usize>> {
    let mut innermost = vec![None; dom.len()];
    // Inner pagelets come later and overwrite outer ones.
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

/// Counts for the page and its template.
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
        check();
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
