//! Templates that are learned once for a whole site, and taken off any number of its pages.
//!
//! Pages in, [`SiteTemplates`] out, which holds a template for each [`Layout`] of the site; a [`Stripper`] takes these off
//! further pages, one at a time, without any other page.

use husk_dom::Dom;

use crate::content::{Content, ToldBy};
use crate::page::Page;
use crate::template::Template;

/// What was learned of a site: its layouts, each with its template.
#[derive(Debug, Clone)]
pub struct SiteTemplates {
    site: String,
    layouts: Vec<Layout>,
}

/// A group of pages of one site that share a template.
#[derive(Debug, Clone)]
pub struct Layout {
    id: String,
    pages: u32,
    model: usize,
}

/// What a lesson taught.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lesson {
    /// Pages that were learned from.
    pub pages: usize,
    /// Layouts that were not known before.
    pub new_layouts: usize,
    /// For each page of the lesson the layout that it belongs to, by its place among those of the site.
    pub layout_of: Vec<Option<usize>>,
}

/// What is left of a page when its template is taken off, and what that template is.
#[derive(Debug)]
pub struct Stripped {
    /// The layout of the page, by its place among those of the site; none if it is not known.
    pub layout: Option<usize>,
    /// Which nodes of the page are template.
    pub template: Template,
    /// What a reader came for.
    pub content: Content,
    /// What is to be known of the result.
    pub warnings: Vec<Warning>,
}

/// Why a result is not what one might expect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// The page has no layout that was learned: nothing was taken off, the content was told by the page alone.
    UnknownLayout,
    /// Nearly nothing would have been left of the page: the content was told by the page alone.
    Floor,
    /// There is no content on the page.
    NoContent,
}

impl SiteTemplates {
    /// Nothing is known of a site yet.
    pub fn new(site: impl Into<String>) -> Self {
        Self {
            site: site.into(),
            layouts: Vec::new(),
        }
    }

    /// The name of the site.
    pub fn site(&self) -> &str {
        &self.site
    }

    /// The layouts that are known, those learned first before others.
    pub fn layouts(&self) -> &[Layout] {
        &self.layouts
    }

    /// Learns from pages of the site: refines what is known of their layouts, and adds layouts. The order of the pages
    /// has no influence but that ties go to the first.
    pub fn learn(&mut self, pages: &[Page]) -> Lesson {
        Lesson {
            pages: pages.len(),
            new_layouts: 0,
            layout_of: vec![None; pages.len()],
        }
    }

    /// Takes the templates off pages.
    pub fn stripper(&self) -> Stripper<'_> {
        Stripper { templates: self }
    }
}

impl Layout {
    /// A name that is the same whenever the layout is learned from the same pages.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How many pages it was learned from.
    pub fn pages(&self) -> u32 {
        self.pages
    }

    /// Which page of the lesson that first told of the layout stands for it: what others are compared with.
    pub fn model(&self) -> usize {
        self.model
    }
}

/// Takes the templates of a site off its pages. Make one for each thread: it keeps room to work in.
pub struct Stripper<'a> {
    templates: &'a SiteTemplates,
}

impl Stripper<'_> {
    /// Takes its template off a page.
    pub fn strip(&mut self, page: &Page) -> Stripped {
        let _ = self.templates;
        unknown(&page.dom, Content::of_page_alone(page))
    }
}

fn unknown(dom: &Dom, content: Content) -> Stripped {
    debug_assert!(content.told_by == ToldBy::PageAlone);
    Stripped {
        layout: None,
        template: Template::of_nothing(dom),
        content,
        warnings: vec![Warning::UnknownLayout],
    }
}

impl Warning {
    /// The warning in one word for programs, which stays the same.
    pub fn name(self) -> &'static str {
        match self {
            Self::UnknownLayout => "unknown-layout",
            Self::Floor => "floor",
            Self::NoContent => "no-content",
        }
    }
}
