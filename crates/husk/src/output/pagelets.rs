//! The blocks of a page for programs and for people.

use std::fmt::Write;

use husk_dom::XPaths;
use serde::Serialize;

use super::registry::{JSON, Output, PLAIN, Part, json_text};
use super::xpath::{NodePath, NodePaths};
use crate::analysis::Analysis;
use crate::pagelets::{Function, Pagelet};
use crate::work::check_length;

pub(super) const PAGELETS_TEXT: Output = Output {
    part: Part::Pagelets,
    name: "text",
    media_type: PLAIN,
    extension: "txt",
    help: "A table, one block a line",
    options: &[],
    writer: |analysis, _| Ok(pagelets_text(analysis).into()),
};

pub(super) const PAGELETS_JSON: Output = Output {
    part: Part::Pagelets,
    name: "json",
    media_type: JSON,
    extension: "json",
    help: "One object with a list of blocks",
    options: &[],
    writer: |analysis, _| json_text(&pagelets_json(analysis)),
};

pub(super) const PAGELETS_XPATH: Output = Output {
    part: Part::Pagelets,
    name: "xpath",
    media_type: PLAIN,
    extension: "xpath.txt",
    help: "The function of a block and an absolute XPath, with a tab between them, a line for each subtree",
    options: &[],
    writer: |analysis, _| Ok(pagelets_xpath(analysis).into()),
};

/// What `husk pagelets` prints as JSON. Fields are added over time, not renamed or taken away.
///
/// The list is flat, so that a filter finds all footers; `parent` gives the nesting.
#[derive(Debug, Clone, Serialize)]
pub struct PageletsJson<'a> {
    /// The page.
    pub key_page: String,
    /// How the template was found.
    pub method: String,
    /// Every page that was loaded, the key page first.
    pub loaded: Vec<String>,
    /// The pages that the key page was compared with; if none, nothing is known of a template.
    pub compared: Vec<String>,
    /// The blocks in document order, each in front of those in it.
    pub pagelets: Vec<PageletJson<'a>>,
}

/// A block of a page.
#[derive(Debug, Clone, Serialize)]
pub struct PageletJson<'a> {
    /// Its number, from 1.
    pub pagelet: usize,
    /// The number of the pagelet it lies in; null if it lies in none.
    pub parent: Option<usize>,
    /// What it is for.
    pub function: Function,
    /// The XPaths of the subtrees it consists of.
    pub xpaths: Vec<NodePath<'a>>,
    /// Its words, those of the pagelets in it included, as in all that follows.
    pub words: u32,
    /// Its links.
    pub links: u32,
    /// Which share of the page's words it has.
    pub text_share: f64,
    /// Which share of the page's links it has.
    pub link_share: f64,
    /// Whether most of it is template; null if that is not known.
    pub template: Option<bool>,
    /// Which share of its words is template.
    pub template_share: Option<f64>,
    /// In how many of the compared pages its first node was mapped.
    pub support: u32,
    /// In how many it was mapped with the same text, link or source.
    pub verbatim_support: u32,
}

/// The blocks of a page as a serialisable value.
pub fn pagelets_json(analysis: &Analysis) -> PageletsJson<'_> {
    let (extraction, pagelets) = (analysis.extraction(), analysis.pagelets());
    let dom = &extraction.key_page.dom;
    let paths = NodePaths::of(dom);
    let numbered = pagelets.iter().enumerate();
    let pagelets = numbered.map(|(number, pagelet)| PageletJson {
        pagelet: number + 1,
        parent: pagelet.parent.map(|parent| parent + 1),
        function: pagelet.function,
        xpaths: pagelet.roots.iter().map(|&root| paths.path(root)).collect(),
        words: pagelet.amount.words,
        links: pagelet.amount.links,
        text_share: rounded(pagelet.text_share),
        link_share: rounded(pagelet.link_share),
        template: pagelet.template_share.map(|_| pagelet.is_template()),
        template_share: pagelet.template_share.map(rounded),
        support: pagelet.support.structural,
        verbatim_support: pagelet.support.verbatim,
    });
    PageletsJson {
        key_page: extraction.key_page.url.to_string(),
        method: extraction.method.to_owned(),
        loaded: extraction.loaded.iter().map(ToString::to_string).collect(),
        compared: extraction.compared.iter().map(ToString::to_string).collect(),
        pagelets: pagelets.collect(),
    }
}

fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

/// The blocks of a page as a table: one a line, those in others indented.
fn pagelets_text(analysis: &Analysis) -> String {
    let (dom, pagelets) = (&analysis.page().dom, analysis.pagelets());
    let paths = XPaths::of(dom);
    let depths = depths(pagelets);
    let width = pagelets
        .iter()
        .zip(&depths)
        .map(|(pagelet, depth)| 2 * depth + pagelet.function.name().len());
    let width = width.max().unwrap_or(0).max("function".len());
    let mut out = format!(
        "{:width$} {:>6} {:>5} {:>5} {:>5} {:>8}  xpath\n",
        "function", "words", "share", "links", "share", "template"
    );
    for (pagelet, depth) in pagelets.iter().zip(depths) {
        let name = format!("{}{}", "  ".repeat(depth), pagelet.function.name());
        let template = pagelet.template_share.map_or("?".to_owned(), percent);
        let path = pagelet
            .roots
            .first()
            .map_or(String::new(), |&root| paths.path(dom, root));
        let more = match pagelet.roots.len() {
            0 | 1 => String::new(),
            roots => format!(" and {} more", roots - 1),
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "{name:width$} {:>6} {:>5} {:>5} {:>5} {template:>8}  {path}{more}",
            pagelet.amount.words,
            percent(pagelet.text_share),
            pagelet.amount.links,
            percent(pagelet.link_share),
        );
        check_length(out.len());
    }
    out
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// How many others each pagelet lies in.
pub(super) fn depths(pagelets: &[Pagelet]) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(pagelets.len());
    for pagelet in pagelets {
        depths.push(pagelet.parent.map_or(0, |parent| depths[parent] + 1));
    }
    depths
}

/// One line for each subtree: the function of its block, a tab, its XPath.
fn pagelets_xpath(analysis: &Analysis) -> String {
    let dom = &analysis.page().dom;
    let paths = XPaths::of(dom);
    let mut out = String::new();
    for pagelet in analysis.pagelets() {
        for &root in &pagelet.roots {
            out.push_str(pagelet.function.name());
            out.push('\t');
            paths.write(dom, root, &mut out);
            out.push('\n');
            check_length(out.len());
        }
    }
    out
}
