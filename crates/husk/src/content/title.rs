//! Finds the heading that is the page's title, so that it is part of the content.
//!
//! The model decides for each block alone, and leaves out titles far above the text. Here only what the document's title repeats
//! counts, so the name of the site stays out.

use std::ops::Range;

use husk_dom::{Dom, NodeId, name};

use super::numbers::LONGEST_TITLE;
use crate::blocks::Description;
use crate::hints::{Hint, Hints, is_heading};
use crate::measure::{letters_hash, words};
use crate::metadata::title_parts;

/// The blocks of the heading that repeats the title of the document, or the part of it that is the page's.
pub(super) fn blocks(dom: &Dom, page: &Description) -> Option<Range<usize>> {
    let title = dom.nodes().find(|&node| dom.is_element(node, &name!("title")))?;
    let title = dom
        .text_of(title)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let parts: Vec<Vec<u64>> = title_parts(&title).into_iter().map(hashes).collect();
    let whole = hashes(&title);
    let rank = |&heading: &NodeId| {
        let own = hashes(dom.text_of(heading));
        if own.is_empty() || own.len() > LONGEST_TITLE || leads_home(dom, heading) {
            return None;
        }
        if own == whole {
            return Some(0);
        }
        // Sites are named at the end; those that are named first have the page's title in the main part.
        let is_later = |(number, part): (usize, &Vec<u64>)| number > 0 && *part == own;
        if parts.first() == Some(&own) {
            return Some(1);
        }
        (parts.iter().enumerate().any(is_later) && is_in_main_part(dom, heading)).then_some(2)
    };
    let is_title =
        |&node: &NodeId| matches!(*dom.name(node), name!("h1") | name!("h2")) && is_heading(dom, node);
    page.blocks
        .elements(dom)
        .filter(is_title)
        .filter(|&node| !is_elsewhere(dom, page, node))
        .filter_map(|node| Some((rank(&node)?, node)))
        .min()
        .map(|(_, heading)| page.blocks.of_element(dom, heading))
}

/// Parts of a page whose headings are not its title.
const ELSEWHERE: [Hint; 7] = [
    Hint::Navigation,
    Hint::Footer,
    Hint::Sidebar,
    Hint::Dialog,
    Hint::Comments,
    Hint::Related,
    Hint::Hidden,
];

/// Whether a heading is in a part of the page by its names. Names of what holds most of the page say nothing.
fn is_elsewhere(dom: &Dom, page: &Description, heading: NodeId) -> bool {
    let all = page.blocks.all().words;
    dom.ancestors(heading)
        .take_while(|&above| 2 * page.blocks.counts_of(dom, above).words < all)
        .any(|above| Hints::of(dom, above).has_any(&ELSEWHERE))
}

fn is_in_main_part(dom: &Dom, heading: NodeId) -> bool {
    dom.ancestors(heading)
        .any(|above| Hints::of(dom, above).has_any(&[Hint::Main, Hint::Article]))
}

fn hashes(text: &str) -> Vec<u64> {
    words(text).map(letters_hash).collect()
}

/// Whether a heading holds a link to the home page, as a logo does.
fn leads_home(dom: &Dom, heading: NodeId) -> bool {
    let around = dom.ancestors(heading).take(1);
    let links = dom.subtree(heading).chain(around);
    links
        .filter(|&node| dom.is_element(node, &name!("a")))
        .filter_map(|link| dom.attribute(link, &name!("href")))
        .any(is_home)
}

/// Whether a link has no path but the name that servers give the page of a folder. On a home page it may be only `#`.
fn is_home(href: &str) -> bool {
    let href = href.trim();
    if href == "#" {
        return true;
    }
    let path = href.split_once("://").map_or(href, |(_, rest)| {
        rest.split_once('/').map_or("", |(_, path)| path)
    });
    let names = path.split('/').filter(|name| !matches!(*name, "" | "." | ".."));
    !href.is_empty()
        && !href.starts_with('#')
        && names.clone().all(|name| name.starts_with("index."))
        && names.count() <= 1
}
