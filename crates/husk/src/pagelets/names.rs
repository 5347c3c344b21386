//! Assigns functions to blocks by their names and what they contain.

use husk_dom::{NodeId, name};

use super::Function;
use super::blocks::{Around, Blocks, may_be_block};
use super::numbers::{FEWEST_WORDS_OF_COMMENTS, MOST_CONTENT, MOSTLY_LINKS, most_words};
use crate::hints::{Hint, Hints};
use crate::measure::{Amount, is_never_shown};

/// Marks the blocks that names and contents identify.
pub(super) fn add(blocks: &mut Blocks) {
    let dom = blocks.dom;
    let others_below = OthersBelow::of(blocks);
    let mut around = Around::default();
    let mut hidden_until = 0;
    for node in dom.nodes() {
        if node.index() < hidden_until {
            continue;
        }
        around.go_to(node);
        if let Some(mark) = blocks.mark_of(node) {
            around.enter(dom, node, mark.function);
            continue;
        }
        if is_never_shown(dom, node) {
            hidden_until = dom.range(node).end;
            continue;
        }
        let is_closed = around
            .innermost()
            .is_some_and(|function| !function.is_container());
        if is_closed || !may_be_block(dom, node) || blocks.is_content(node) {
            continue;
        }
        let part = Part::of(blocks, node);
        if part.leaves == 0 {
            continue;
        }
        let function = part.function(blocks, &around, &others_below);
        if let Some(function) = function.filter(|&function| around.innermost() != Some(function)) {
            blocks.mark(node, function);
            around.enter(dom, node, function);
        }
    }
}

/// The functions of known blocks below each node.
struct OthersBelow {
    /// One bit per function.
    functions: Vec<u32>,
}

impl OthersBelow {
    fn of(blocks: &Blocks) -> Self {
        let dom = blocks.dom;
        let mut functions = vec![0; dom.len()];
        for node in dom.nodes().rev() {
            if let Some(mark) = blocks.mark_of(node) {
                functions[node.index()] |= bit(mark.function);
            }
            if let Some(parent) = dom.parent(node) {
                functions[parent.index()] |= functions[node.index()];
            }
        }
        Self { functions }
    }

    fn has(&self, node: NodeId, function: Function) -> bool {
        self.functions[node.index()] & bit(function) != 0
    }

    /// Whether a block of another function is below a node.
    fn has_other_than(&self, node: NodeId, function: Function) -> bool {
        self.functions[node.index()] & !bit(function) != 0
    }
}

fn bit(function: Function) -> u32 {
    1 << function as u32
}

/// An element with what decides its function.
struct Part {
    node: NodeId,
    hints: Hints,
    amount: Amount,
    leaves: u32,
}

impl Part {
    fn of(blocks: &Blocks, node: NodeId) -> Self {
        Self {
            node,
            hints: Hints::of(blocks.dom, node),
            amount: blocks.amount(node),
            leaves: blocks.features(node).leaves,
        }
    }

    fn function(&self, blocks: &Blocks, around: &Around, others: &OthersBelow) -> Option<Function> {
        self.container(blocks, around, others).or_else(|| {
            let holds_content = blocks.content_words(self.node) > 0;
            self.leaf(blocks)
                .filter(|&function| !holds_content && !others.has_other_than(self.node, function))
        })
    }

    /// The function of a block that may contain others.
    fn container(&self, blocks: &Blocks, around: &Around, others: &OthersBelow) -> Option<Function> {
        const CONTAINERS: [Function; 3] = [Function::Header, Function::Footer, Function::Sidebar];
        if around.has_any(&CONTAINERS) || !self.holds_little_content(blocks) {
            return None;
        }
        let is_of_page = || !around.has_any(&[Function::MainContent]) && !blocks.is_in_article(self.node);
        let has = |hint| self.hints.has(hint);
        let content = &blocks.content_range;
        let ends_behind = blocks.dom.range(self.node).end > content.start;
        if has(Hint::Footer) && self.node.index() >= content.start && ends_behind && is_of_page() {
            return Some(Function::Footer);
        }
        let is_above = content.is_empty() || self.node.index() < content.start;
        if has(Hint::Header) && (is_above || others.has(self.node, Function::MainMenu)) && is_of_page() {
            return Some(Function::Header);
        }
        has(Hint::Sidebar).then_some(Function::Sidebar)
    }

    fn holds_little_content(&self, blocks: &Blocks) -> bool {
        let inside = blocks.content_words(self.node);
        let whole = blocks.content_words(blocks.dom.document());
        f64::from(inside) <= MOST_CONTENT * f64::from(whole) && 2 * inside <= self.amount.words
    }

    /// The function of a block that contains no others.
    fn leaf(&self, blocks: &Blocks) -> Option<Function> {
        let Amount { words, links, .. } = self.amount;
        let features = blocks.features(self.node);
        let has = |hint| self.hints.has(hint);
        let is_form = blocks.dom.is_element(self.node, &name!("form"));
        let is_field = blocks.dom.is_element(self.node, &name!("input"));
        let can_act = links > 0 || features.controls > 0;
        let are_links = self.amount.link_density() >= MOSTLY_LINKS;

        let searches =
            (features.searches > 0 && (is_form || is_field)) || (has(Hint::Search) && features.lines > 0);
        let logs_in =
            features.passwords > 0 && (is_form || has(Hint::Login)) && words <= most_words::LOGIN_FORM;
        let links_to_login = has(Hint::Login) && can_act && words <= most_words::LOGIN_LINKS;
        let comments = words >= FEWEST_WORDS_OF_COMMENTS || features.texts > 0;
        let advertises = has(Hint::Advertisement) && words <= most_words::ADVERTISEMENT;
        let is_banner = features.banners > 0 && features.leaves == features.banners;
        let is_social = has(Hint::Social) && can_act && words <= most_words::SOCIAL;
        let leads_to_social = links >= 2 && features.social_links == links && words <= 3 * links;
        let are_neighbours = features.neighbour_links > 0 && features.neighbour_links == links;

        let found = [
            (Function::Consent, has(Hint::Consent) && words > 0 && can_act),
            (
                Function::Search,
                searches && features.passwords == 0 && features.lines <= 3 && words <= most_words::SEARCH,
            ),
            (Function::Login, logs_in || links_to_login),
            (Function::Comments, has(Hint::Comments) && comments),
            (Function::Advertisement, advertises || is_banner),
            (Function::Social, is_social || leads_to_social),
            (
                Function::Breadcrumb,
                has(Hint::Breadcrumb) && links > 0 && words <= most_words::BREADCRUMB,
            ),
            (
                Function::Pagination,
                ((has(Hint::Pagination) && links > 0 && are_links) || are_neighbours)
                    && words <= most_words::PAGINATION,
            ),
            (
                Function::Language,
                has(Hint::Language)
                    && words <= most_words::LANGUAGE
                    && ((links >= 2 && are_links) || features.controls > 0),
            ),
            (Function::Related, has(Hint::Related) && links > 0),
            (
                Function::Submenu,
                has(Hint::Navigation) && links >= 2 && are_links,
            ),
        ];
        found
            .into_iter()
            .find(|&(_, holds)| holds)
            .map(|(function, _)| function)
    }
}
