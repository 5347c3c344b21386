//! The main content of a page: what a reader came for.
//!
//! An [`Extraction`] in, or a [`Page`] that there is nothing to compare with; [`Content`] out.

mod alone;

mod blocks;

mod core;

mod phrases;

mod refrain;

mod furniture;

use husk_dom::{Dom, NodeId, name};

use crate::extraction::Extraction;
use crate::hints::{Hint, Hints};
use crate::mapping::NodeSet;
use crate::measure::Measures;
use crate::page::Page;
use blocks::Block;
use furniture::{Furniture, Judge};
use phrases::Phrases;
use refrain::Refrains;

/// The main content of a page.
#[derive(Debug, Clone)]
pub struct Content {
    /// Its nodes. What is between them and the root is not among them.
    pub nodes: NodeSet,
    /// What readers wrote about it; not part of the content.
    pub comments: NodeSet,
    /// What it was told by.
    pub told_by: ToldBy,
}

/// What a page's content was told by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToldBy {
    /// The template: other pages of the site say what is not content.
    Template,
    /// The page alone, for want of other pages.
    PageAlone,
}

impl Content {
    /// The content of a page whose template is known; of the page alone if it was compared with nothing.
    pub fn of(extraction: &Extraction) -> Self {
        if extraction.template.compared() == 0 {
            return Self::of_page_alone(&extraction.key_page);
        }
        by_template(extraction)
    }

    /// The content of a page that there is nothing to compare with.
    pub fn of_page_alone(page: &Page) -> Self {
        alone::content(page)
    }
}

/// What is neither template nor furniture of the page's own.
fn by_template(extraction: &Extraction) -> Content {
    let page = &extraction.key_page;
    let dom = &page.dom;
    let mut content = Content {
        nodes: NodeSet::none(dom),
        comments: NodeSet::none(dom),
        told_by: ToldBy::Template,
    };
    let phrases = Phrases::of(dom);
    let hints = hints_of(dom, &phrases);
    let blocks = blocks::blocks(dom, &extraction.template, &hints);
    let Some(core) = core::core(dom, &blocks, &hints) else {
        return content;
    };
    let measures = Measures::of_those(dom, |node| !extraction.template.contains(node));
    let compared: Vec<&Page> = extraction
        .pages
        .iter()
        .filter(|page| extraction.compared.contains(&page.url))
        .collect();
    let judge = Judge {
        page,
        template: &extraction.template,
        hints: &hints,
        measures: &measures,
        refrains: &Refrains::of(blocks.iter().map(|block| dom.text_of(block.node)), &compared),
        core,
        core_amount: measures.of_subtree(dom, core),
        recurring: recurring(dom, core, &hints),
        own_words: measures.of_subtree(dom, dom.document()).words,
        title: title(dom),
    };
    for block in blocks {
        sort_in(dom, block, judge.furniture(block), &mut content);
    }
    content
}

/// What the names of each node and the headings over it say; those in code are no names of parts of the page.
fn hints_of(dom: &Dom, phrases: &Phrases) -> Vec<Hints> {
    let mut code_until = 0;
    dom.nodes()
        .map(|node| {
            if dom.is_element(node, &name!("pre")) || dom.is_element(node, &name!("code")) {
                code_until = code_until.max(dom.range(node).end);
            }
            if node.index() < code_until {
                Hints::default()
            } else {
                Hints::of(dom, node).or(phrases.hints(node))
            }
        })
        .collect()
}

/// Adds a block to the content or to the comments, or takes a part out of either.
fn sort_in(dom: &Dom, block: Block, furniture: Option<Furniture>, content: &mut Content) {
    if furniture.is_none() && block.part_of.is_some() {
        return;
    }
    for node in dom.subtree(block.node) {
        match furniture {
            None => content.nodes.insert(node),
            Some(_) => content.nodes.remove(node),
        }
        if furniture == Some(Furniture::Comments) {
            content.comments.insert(node);
        }
    }
}

/// What is said of so many parts is said of every item of a list.
const TIMES_IN_A_LIST: usize = 3;

/// The hints that several parts of the core have, none of which lies in another.
fn recurring(dom: &Dom, core: NodeId, hints: &[Hints]) -> Hints {
    let mut recurring = Hints::default();
    for hint in blocks::FURNITURE {
        let mut times = 0;
        let mut index = core.index() + 1;
        while index < dom.range(core).end && times < TIMES_IN_A_LIST {
            let node = NodeId::from_index(index);
            let is_meant = hints[index].has(hint) || (hint == Hint::Byline && dom.is_element(node, &name!("time")));
            if is_meant {
                times += 1;
                index = dom.range(node).end;
            } else {
                index += 1;
            }
        }
        if times >= TIMES_IN_A_LIST {
            recurring = recurring.with(hint);
        }
    }
    recurring
}

fn title(dom: &Dom) -> String {
    let title = dom.nodes().find(|&node| dom.is_element(node, &name!("title")));
    let words = title.map(|node| dom.text_of(node).split_whitespace().collect::<Vec<_>>().join(" "));
    words.unwrap_or_default()
}
