//! A page's extraction and everything derived from it, each part computed when it is first needed.

use std::fmt;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use url::Url;

use crate::content::{Content, ContentMethod};
use crate::extraction::Extraction;
use crate::learn::Stripped;
use crate::mapping::NodeSet;
use crate::measure::Measures;
use crate::metadata::{Metadata, SiteTitles};
use crate::navigation::Navigation;
use crate::page::Page;
use crate::pagelets::{Pagelet, pagelets};
use crate::posts::Posts;

/// An extraction with its navigation, content, pagelets and metadata.
#[derive(Debug)]
pub struct Analysis {
    extraction: Extraction,
    /// The titles of other pages of the site.
    titles: OnceLock<Arc<SiteTitles>>,
    navigation: OnceLock<Navigation>,
    content: OnceLock<Content>,
    pagelets: OnceLock<Vec<Pagelet>>,
    metadata: OnceLock<Metadata>,
    posts: OnceLock<Posts>,
}

impl From<Extraction> for Analysis {
    fn from(extraction: Extraction) -> Self {
        Self {
            extraction,
            titles: OnceLock::new(),
            navigation: OnceLock::new(),
            content: OnceLock::new(),
            pagelets: OnceLock::new(),
            metadata: OnceLock::new(),
            posts: OnceLock::new(),
        }
    }
}

impl Analysis {
    /// A page whose template was removed.
    pub fn of_stripped(page: Page, stripped: Stripped) -> Self {
        let (content, titles) = (stripped.content.clone(), stripped.titles.clone());
        Self {
            content: OnceLock::from(content),
            titles: OnceLock::from(titles),
            ..Self::from(stripped.into_extraction(page))
        }
    }

    /// The extraction itself.
    pub fn extraction(&self) -> &Extraction {
        &self.extraction
    }

    /// The page that was analysed.
    pub fn page(&self) -> &Page {
        &self.extraction.key_page
    }

    /// The blocks of links.
    pub fn navigation(&self) -> &Navigation {
        self.navigation.get_or_init(|| Navigation::of(&self.extraction))
    }

    /// The main content and the comments.
    pub fn content(&self) -> &Content {
        self.content.get_or_init(|| Content::of(&self.extraction))
    }

    /// The blocks of the page with their functions.
    pub fn pagelets(&self) -> &[Pagelet] {
        self.pagelets
            .get_or_init(|| pagelets(&self.extraction, self.navigation(), self.content()))
    }

    /// Title, author, dates and so on.
    pub fn metadata(&self) -> &Metadata {
        self.metadata.get_or_init(|| {
            let of_siblings = || Arc::new(SiteTitles::of(&self.extraction.pages));
            let titles = self.titles.get_or_init(of_siblings);
            Metadata::with_template(self.page(), titles, &self.extraction.template)
        })
    }

    /// The posts, comments and reviews.
    pub fn posts(&self) -> &Posts {
        self.posts.get_or_init(|| Posts::of(self.page(), self.content()))
    }

    /// How many pages the template is based on: those compared, or those it was learned from.
    pub fn support(&self) -> usize {
        self.extraction.template.compared()
    }

    /// The nodes of the template; none if no page supports it.
    pub fn template_nodes(&self) -> NodeSet {
        let mut nodes = NodeSet::none(&self.page().dom);
        if self.support() > 0 {
            self.extraction
                .template
                .nodes()
                .for_each(|node| nodes.insert(node));
        }
        nodes
    }

    /// Fails if the template is unknown because there was no page to compare with.
    pub fn require_sibling(&self) -> Result<(), OutputError> {
        if self.support() > 0 {
            return Ok(());
        }
        let failures = &self.extraction.failures;
        let cause = match failures.first() {
            _ if self.extraction.clique.is_some_and(|clique| clique > 0) => {
                "the pages it links to have another root".to_owned()
            }
            None => "it links to no other page of its site".to_owned(),
            Some(_) => format!(
                "none of the {} page{} that were tried could be used: {}",
                failures.len(),
                if failures.len() == 1 { "" } else { "s" },
                counted(failures.iter().map(|failure| failure.cause.as_str()))
            ),
        };
        let page = self.page().url.clone();
        Err(OutputError::NoSibling { page, cause })
    }

    /// Fails if there is no main menu, or with `all` no block of links: an empty file would look like an empty menu.
    pub fn require_menu(&self, all: bool) -> Result<(), OutputError> {
        let page = || self.page().url.clone();
        match self.navigation() {
            found if all && found.blocks.is_empty() => Err(OutputError::NoNavigation { page: page() }),
            found if !all && found.main().is_none() => Err(OutputError::NoMenu { page: page() }),
            _ => Ok(()),
        }
    }

    /// Fails if there is no content: an empty file would look like an empty page.
    pub fn require_content(&self) -> Result<(), OutputError> {
        let (page, content) = (self.page(), self.content());
        let has_words = |nodes: &NodeSet| {
            Measures::of_those(&page.dom, |node| nodes.contains(node))
                .of_all()
                .words
                > 0
        };
        if has_words(&content.nodes) {
            return Ok(());
        }
        let reason = if Measures::of(&page.dom).of_all().words == 0 {
            NoContentReason::NoText
        } else if has_words(&content.comments) {
            NoContentReason::OnlyComments
        } else if content.method == ContentMethod::Template {
            NoContentReason::OnlyTemplate
        } else {
            NoContentReason::NotFound
        };
        let page = page.url.clone();
        Err(OutputError::NoContent { page, reason })
    }
}

/// Why an output cannot be written. Callers add what their users can do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputError {
    /// The page was compared with no other page, so its template is unknown.
    NoSibling {
        /// The page.
        page: Url,
        /// Why there is none.
        cause: String,
    },
    /// The site has no main menu.
    NoMenu {
        /// The page.
        page: Url,
    },
    /// The page has no block of links that its site repeats.
    NoNavigation {
        /// The page.
        page: Url,
    },
    /// The page has no content.
    NoContent {
        /// The page.
        page: Url,
        /// Why there is none.
        reason: NoContentReason,
    },
    /// The output would be longer than it may be.
    TooLarge {
        /// The page.
        page: Url,
        /// The output, such as `template-json`.
        output: String,
        /// The bytes that it may have.
        budget: usize,
    },
    /// There is no part or format of that name.
    UnknownFormat(String),
    /// The result cannot be serialised.
    NotSerialised(String),
}

/// Why a page has no content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoContentReason {
    /// There is no text on the page at all.
    NoText,
    /// There are comments, but nothing that they are about.
    OnlyComments,
    /// All text is part of the template.
    OnlyTemplate,
    /// None of the text looks like content.
    NotFound,
}

impl fmt::Display for OutputError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSibling { page, cause } => write!(out, "no sibling page to compare {page} with: {cause}"),
            Self::NoMenu { page } => write!(out, "no main menu found on {page}"),
            Self::NoNavigation { page } => write!(
                out,
                "no navigation found on {page}: no links are common to it and its siblings"
            ),
            Self::NoContent { page, reason } => match reason {
                NoContentReason::NoText => write!(out, "no text in the body of {page}"),
                NoContentReason::OnlyComments => write!(out, "no content on {page} but comments"),
                NoContentReason::OnlyTemplate => write!(
                    out,
                    "no content on {page}: all its text is also on its siblings and is template"
                ),
                NoContentReason::NotFound => write!(out, "no content found on {page}"),
            },
            Self::TooLarge { page, output, budget } => write!(
                out,
                "{output} of {page} would exceed {budget} bytes, far more than the page itself"
            ),
            Self::UnknownFormat(message) | Self::NotSerialised(message) => out.write_str(message),
        }
    }
}

impl std::error::Error for OutputError {}
/// The causes with their numbers, the most frequent first.
fn counted<'a>(causes: impl Iterator<Item = &'a str>) -> String {
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for cause in causes {
        *counts.entry(cause).or_default() += 1;
    }
    counts.sort_by(|_, one, _, other| other.cmp(one));
    let counts = counts.iter().take(MOST_CAUSES);
    counts
        .map(|(cause, count)| format!("{cause} ({count})"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Causes in a message; there may be a different one for each page.
const MOST_CAUSES: usize = 3;
