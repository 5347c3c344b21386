//! The content of a page that no other page helps to read.
//!
//! A [`Page`] in, [`Content`] out. Each text has evidence for being content, in nats, from what it stands in and where
//! ([`evidence`]); among all ways to split the tree into content and the rest, the one with the most evidence is taken,
//! where every border between the two costs something ([`split`]). Last, the containers that only hold the content are
//! taken off ([`frame`]).

mod evidence;
mod frame;
mod heading;
mod signs;
mod split;
mod survey;

use husk_dom::{Dom, NodeId, name};

use super::{Content, ToldBy};
use crate::mapping::NodeSet;
use crate::page::Page;
use survey::Survey;

/// The content has at least this share of the words that are not comments. Less was right on none of the pages that the
/// weights were set on: there it was between a fifth and all.
const LEAST_SHARE: f64 = 0.1;

/// As long as there is less, all texts get this much more evidence, in nats: the page is one that says little, and what
/// counts is which of its texts are content rather than others.
const STEP: f64 = 0.5;

/// So many steps are tried. After that what no name speaks against is taken.
const MOST_STEPS: u32 = 12;

/// The content of a page that there is nothing to compare with.
pub(super) fn content(page: &Page) -> Content {
    let dom = &page.dom;
    let (nodes, comments) = match dom.part(&name!("body")) {
        Some(body) => {
            let survey = Survey::of(dom, body);
            (main_nodes(dom, &survey), comments(dom, &survey))
        }
        None => (NodeSet::none(dom), NodeSet::none(dom)),
    };
    Content {
        nodes,
        comments,
        told_by: ToldBy::PageAlone,
    }
}

fn main_nodes(dom: &Dom, survey: &Survey) -> NodeSet {
    let evidence = evidence::of_texts(dom, survey);
    let words_of = |node: NodeId| survey.words(node);
    let wanted = LEAST_SHARE * f64::from(survey.words_without_comments());
    for step in 0..MOST_STEPS {
        let is_content = split::best(dom, survey.body(), |node| {
            evidence[node.index()].map_or(0.0, |told| told.nats(f64::from(step) * STEP, words_of(node)))
        });
        let chosen = chosen_words(dom, &is_content, words_of);
        if chosen > 0 && f64::from(chosen) >= wanted {
            return frame::without(dom, is_content, words_of);
        }
    }
    frame::without(dom, survey.unsuspected(dom), words_of)
}

fn chosen_words(dom: &Dom, is_content: &[bool], words_of: impl Fn(NodeId) -> u32) -> u32 {
    dom.nodes()
        .filter(|node| is_content[node.index()])
        .map(words_of)
        .sum()
}

fn comments(dom: &Dom, survey: &Survey) -> NodeSet {
    let mut comments = NodeSet::none(dom);
    dom.nodes()
        .filter(|&node| survey.is_comment(node))
        .for_each(|node| comments.insert(node));
    comments
}
