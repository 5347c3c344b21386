//! A page as blocks of text, and how likely each is content.
//!
//! A block is a run of text without the border of a block element in it. [`Blocks`] are cut once from a page, without
//! its template where that is known; [`features`] describes each by what it says, what it is in, where it is and what
//! is near; [`model`] turns that into a probability. The model was fitted by `husk-lab fit` to labelled pages.

mod features;
mod model;
mod near_duplicate;
mod phrases;
mod title;

use std::ops::Range;

use husk_dom::{Dom, Name, NodeId, NodeKind, name};

use crate::hints::is_heading;
use crate::measure::{Count, capitals, digits, is_never_shown};
use crate::work::check;

pub(crate) use features::{Description, Siblings};
pub(crate) use model::Features;
#[cfg(test)]
pub(crate) use model::NAMES as MODEL_FEATURES;
pub(crate) use near_duplicate::{NearDuplicates, ShortTextIndex};
pub(crate) use title::of as title_heading;

/// A run of text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    /// Its first text.
    pub(crate) first: NodeId,
    /// Its last text.
    pub(crate) last: NodeId,
    /// The block element around it.
    pub(crate) element: NodeId,
    pub(crate) counts: Counts,
    digits: u32,
    capitals: u32,
    ends_sentence: bool,
}

impl Block {
    /// Whether most of its words are links.
    pub(crate) fn is_linked(&self) -> bool {
        2 * self.counts.linked > self.counts.words
    }

    /// Whether all of its words are emphasised, or in a heading.
    pub(crate) fn is_emphasised(&self) -> bool {
        self.counts.headings > 0 || self.counts.emphasised == self.counts.words
    }

    /// Its text.
    pub(crate) fn text(&self, dom: &Dom) -> String {
        let nodes = (self.first.index()..=self.last.index()).map(NodeId::from_index);
        let texts = nodes.filter(|&node| dom.kind(node) == NodeKind::Text);
        texts.map(|node| dom.text_of(node)).collect()
    }
}

/// Counts of a block, or of several.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) blocks: u32,
    pub(crate) words: u32,
    linked: u32,
    links: u32,
    stops: u32,
    letters: u32,
    emphasised: u32,
    headings: u32,
    /// Words of prose outside of links.
    pub(crate) prose: u32,
    /// Words of prose in no part with a name that speaks against content.
    clean: u32,
}

impl Counts {
    fn plus(self, other: Self) -> Self {
        self.both(other, |one, other| one + other)
    }

    fn minus(self, other: Self) -> Self {
        self.both(other, |one, other| one - other)
    }

    fn both(self, other: Self, of: impl Fn(u32, u32) -> u32) -> Self {
        Self {
            blocks: of(self.blocks, other.blocks),
            words: of(self.words, other.words),
            linked: of(self.linked, other.linked),
            links: of(self.links, other.links),
            stops: of(self.stops, other.stops),
            letters: of(self.letters, other.letters),
            emphasised: of(self.emphasised, other.emphasised),
            headings: of(self.headings, other.headings),
            prose: of(self.prose, other.prose),
            clean: of(self.clean, other.clean),
        }
    }
}

/// The blocks of a page, in document order.
pub(crate) struct Blocks {
    pub(crate) list: Vec<Block>,
    pub(crate) body: NodeId,
    /// The number of blocks that begin before each node.
    before: Vec<u32>,
    /// The sums over the blocks before each, and over all.
    sums: Vec<Counts>,
}

impl Blocks {
    /// Cuts a body into blocks of the texts that are meant.
    pub(crate) fn of(dom: &Dom, body: NodeId, is_meant: impl Fn(NodeId) -> bool) -> Self {
        let mut cutter = Cutter::default();
        let mut before = vec![0; dom.len() + 1];
        let end = dom.range(body).end;
        let mut index = body.index();
        while index < end {
            let node = NodeId::from_index(index);
            cutter.go_to(index);
            before[index] = cutter.begun();
            match dom.kind(node) {
                NodeKind::Element if is_never_shown(dom, node) => {
                    before[dom.range(node)].fill(cutter.begun());
                    index = dom.range(node).end;
                    continue;
                }
                NodeKind::Element => {
                    cutter.enter(dom, node);
                    before[index] = cutter.begun();
                }
                NodeKind::Text if !dom.is_blank_text(node) && is_meant(node) => cutter.add(dom, node, body),
                _ => {}
            }
            index += 1;
        }
        cutter.close();
        before[end..].fill(cutter.begun());
        let mut blocks = Self {
            list: cutter.list,
            body,
            before,
            sums: Vec::new(),
        };
        blocks.sum();
        blocks
    }

    fn sum(&mut self) {
        self.sums = Vec::with_capacity(self.list.len() + 1);
        let mut sum = Counts::default();
        self.sums.push(sum);
        for block in &self.list {
            sum = sum.plus(block.counts);
            self.sums.push(sum);
        }
    }

    /// The blocks of a block element.
    pub(crate) fn of_element(&self, dom: &Dom, node: NodeId) -> Range<usize> {
        let range = dom.range(node);
        self.before[range.start] as usize..self.before[range.end] as usize
    }

    /// The elements in the body in which blocks begin, in document order. Templates have most of the others.
    pub(crate) fn elements(&self, dom: &Dom) -> impl Iterator<Item = NodeId> {
        let end = dom.range(self.body).end;
        let mut next = self.body.index();
        std::iter::from_fn(move || {
            while next < end {
                let node = NodeId::from_index(next);
                if self.of_element(dom, node).is_empty() {
                    next += dom.size(node);
                    continue;
                }
                next += 1;
                if dom.kind(node) == NodeKind::Element {
                    return Some(node);
                }
            }
            None
        })
    }

    /// The block of a text.
    pub(crate) fn of_text(&self, node: NodeId) -> Option<usize> {
        let behind = self.before[node.index() + 1] as usize;
        let number = behind.checked_sub(1)?;
        let block = self.list.get(number)?;
        (block.first <= node && node <= block.last).then_some(number)
    }

    /// The counts of some blocks.
    fn counts(&self, range: Range<usize>) -> Counts {
        self.sums[range.end].minus(self.sums[range.start])
    }

    /// The counts of a block element.
    pub(crate) fn counts_of(&self, dom: &Dom, node: NodeId) -> Counts {
        self.counts(self.of_element(dom, node))
    }

    /// The words of a block element.
    fn words_of(&self, dom: &Dom, node: NodeId) -> u32 {
        let range = self.of_element(dom, node);
        self.sums[range.end].words - self.sums[range.start].words
    }

    /// The counts of all blocks.
    pub(crate) fn all(&self) -> Counts {
        self.sums.last().copied().unwrap_or_default()
    }
}

/// A walk over a page that collects texts into blocks.
#[derive(Default)]
struct Cutter {
    list: Vec<Block>,
    open: Option<Block>,
    /// The block elements around the current node, with their ends.
    around: Vec<(NodeId, usize)>,
    link_until: usize,
    emphasis_until: usize,
    heading_until: usize,
    breaks: u32,
}

impl Cutter {
    /// The number of blocks that have begun.
    fn begun(&self) -> u32 {
        self.list.len() as u32 + u32::from(self.open.is_some())
    }

    /// Leaves the elements that end before a node.
    fn go_to(&mut self, index: usize) {
        while self.around.last().is_some_and(|&(_, end)| end <= index) {
            self.around.pop();
            self.close();
        }
    }

    fn enter(&mut self, dom: &Dom, node: NodeId) {
        let end = dom.range(node).end;
        if !is_within_line(dom.name(node)) {
            self.close();
            self.around.push((node, end));
            if is_heading(dom, node) {
                self.heading_until = self.heading_until.max(end);
            }
            return;
        }
        match *dom.name(node) {
            name!("a") if dom.attribute(node, &name!("href")).is_some() => {
                self.link_until = self.link_until.max(end);
                if let Some(open) = &mut self.open {
                    open.counts.links += 1;
                }
            }
            name!("b") | name!("strong") | name!("em") | name!("i") => {
                self.emphasis_until = self.emphasis_until.max(end);
            }
            name!("br") => {
                // Two in a row are a border.
                self.breaks += 1;
                if self.breaks > 1 {
                    self.close();
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, dom: &Dom, node: NodeId, body: NodeId) {
        check();
        let text = dom.text_of(node);
        let is_linked = node.index() < self.link_until;
        self.breaks = 0;
        let block = self.open.get_or_insert_with(|| Block {
            first: node,
            last: node,
            element: self.around.last().map_or(body, |&(element, _)| element),
            counts: Counts {
                blocks: 1,
                links: u32::from(is_linked),
                headings: u32::from(node.index() < self.heading_until),
                ..Counts::default()
            },
            digits: 0,
            capitals: 0,
            ends_sentence: false,
        });
        block.last = node;
        let count = Count::of(text);
        block.counts.words += count.words;
        block.counts.letters += count.letters;
        if is_linked {
            block.counts.linked += count.words;
        } else {
            block.counts.stops += count.stops;
        }
        if node.index() < self.emphasis_until {
            block.counts.emphasised += count.words;
        }
        block.digits += digits(text);
        block.capitals += capitals(text);
        block.ends_sentence = text
            .trim_end()
            .ends_with(['.', '!', '?', '。', '”', '"', '…', ':']);
    }

    /// Ends the open block.
    fn close(&mut self) {
        self.breaks = 0;
        if let Some(mut block) = self.open.take() {
            let counts = &mut block.counts;
            let is_prose =
                counts.words >= LEAST_PROSE && counts.stops > 0 && 2 * counts.linked <= counts.words;
            counts.prose = if is_prose { counts.words - counts.linked } else { 0 };
            self.list.push(block);
        }
    }
}

/// Blocks with fewer words are not prose.
const LEAST_PROSE: u32 = 8;

/// Whether an element does not begin a block of its own.
pub(crate) fn is_within_line(name: &Name) -> bool {
    match *name {
        // Nearly all.
        name!("a") | name!("span") => true,
        name!("div") | name!("li") | name!("p") | name!("td") | name!("tr") | name!("ul") => false,
        _ => is_named_within_line(name),
    }
}

fn is_named_within_line(name: &str) -> bool {
    matches!(
        name,
        "a" | "abbr"
            | "acronym"
            | "b"
            | "bdi"
            | "bdo"
            | "big"
            | "br"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "font"
            | "i"
            | "img"
            | "ins"
            | "kbd"
            | "label"
            | "mark"
            | "nobr"
            | "q"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strike"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "tt"
            | "u"
            | "var"
            | "wbr"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the texts of the blocks, with words in links in brackets.
    #[track_caller]
    fn check(html: &str, expect: &[&str]) {
        let dom = Dom::parse(html);
        let blocks = Blocks::of(&dom, dom.part(&name!("body")).unwrap(), |_| true);
        let text = |block: &Block| {
            let nodes = block.first.index()..=block.last.index();
            let texts = nodes
                .map(NodeId::from_index)
                .filter(|&node| dom.kind(node) == NodeKind::Text);
            let text: String = texts.map(|node| dom.text_of(node)).collect();
            format!("{} {}/{}", text.trim(), block.counts.linked, block.counts.words)
        };
        let found: Vec<String> = blocks.list.iter().map(text).collect();
        assert_eq!(found, expect);
        assert_eq!(blocks.all().blocks as usize, expect.len());
        for node in dom.nodes().filter(|&node| dom.kind(node) == NodeKind::Element) {
            let here = blocks.of_element(&dom, node);
            let of_list = |block: &Block| dom.range(node).contains(&block.first.index());
            if !is_within_line(dom.name(node)) && dom.is_within(node, blocks.body) {
                let is_here = |number: &usize| of_list(&blocks.list[*number]);
                assert_eq!(here.len(), (0..expect.len()).filter(is_here).count());
            }
        }
    }

    #[test]
    fn block_elements_separate_blocks() {
        check(
            "one <b>two</b><p>three <a href=x>four</a></p> five<div><div>six</div></div>",
            &["one two 0/2", "three four 1/2", "five 0/1", "six 0/1"],
        );
        check(
            "<a href=x><div>one</div>two</a> three",
            &["one 1/1", "two three 1/2"],
        );
    }

    #[test]
    fn two_line_breaks_do_as_well() {
        check(
            "one<br>two<br><br>three<br> <br>four",
            &["onetwo 0/2", "three 0/1", "four 0/1"],
        );
    }

    #[test]
    fn what_is_never_shown_is_no_block() {
        check(
            "<p>one</p><script>two</script><style>three</style><p>four",
            &["one 0/1", "four 0/1"],
        );
        check("<script>one</script>", &[]);
    }
}
