//! Describes each block of a page by numbers.
//!
//! [`Blocks`] and what the siblings say, if there are any, in; a row of named numbers for each block out. The names are
//! those of the fitted model.

use std::ops::Range;

use husk_dom::{Dom, Name, NodeId, NodeKind, name};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::phrases::Phrases;
use super::{Block, Blocks, Counts, NearDuplicates, title};
use crate::hints::{Hint, Hints, NameReader};
use crate::template::Template;
use crate::work::check;

/// What the siblings of a page say about it.
#[derive(Clone, Copy)]
pub(crate) struct Siblings<'a> {
    pub(crate) template: &'a Template,
    pub(crate) near_duplicates: &'a NearDuplicates<'a>,
}

/// A page whose blocks can be described.
pub(crate) struct Description<'a> {
    dom: &'a Dom,
    pub(crate) blocks: Blocks,
    siblings: Option<Siblings<'a>>,
    elements: Elements,
    all: Counts,
    /// The heading that is the title.
    pub(crate) title: Option<NodeId>,
    /// Its blocks.
    heading: Option<Range<usize>>,
    main: Option<NodeId>,
    /// The smallest elements with a share of the prose.
    centres: Vec<Option<NodeId>>,
    openings: Vec<Opening>,
    /// The counts of the blocks of the same kind.
    kinds: Vec<Counts>,
    /// Blocks since prose and since a heading, and until prose.
    since_prose: Vec<f32>,
    since_heading: Vec<f32>,
    until_prose: Vec<f32>,
    /// The texts of the template before each node, and of all texts; empty without siblings.
    texts: Vec<(u32, u32)>,
    counts: Vec<(&'static str, f32)>,
}

/// Describes the blocks of a page. It keeps the elements around the last block, which most often are around the next
/// one, too.
pub(crate) struct Describer<'a> {
    page: &'a Description<'a>,
    /// The elements around the block within the body, outermost first.
    open: Vec<Level>,
    /// For each mark, how many elements are open up to the innermost with it; 0 if none has it.
    innermost: [u32; MARKS],
    /// The marks of the open elements, and what was innermost before.
    before: Vec<(usize, u32)>,
}

/// An open element.
struct Level {
    node: NodeId,
    /// The words of its blocks.
    words: u32,
    /// The innermost item of a list up to here.
    item: Option<NodeId>,
    /// The marks of elements further out.
    marks_before: usize,
}

/// Marks of elements: their hints, those of headings that are features, and [`INSIDE`].
const MARKS: usize = Hint::ALL.len() + HEADED.len() + INSIDE.len();
const HEADED: [(&str, Hint); 2] = [
    ("headed related", Hint::Related),
    ("headed comments", Hint::Comments),
];
const FIRST_HEADED: usize = Hint::ALL.len();
const FIRST_INSIDE: usize = FIRST_HEADED + HEADED.len();

/// What is known of each element, by node.
struct Elements {
    depth: Vec<u16>,
    hints: Vec<Hints>,
    /// Hints of headings.
    headed: Vec<Hints>,
    /// Both, of the element and of all around it within the body.
    around: Vec<Hints>,
    /// How many siblings have the same name and class, the element itself included; 0 if their parent has no blocks.
    same: Vec<u16>,
    /// The number of images before each node.
    images: Vec<u32>,
    paragraphs: u32,
    tables: u32,
    /// How many elements have each of [`COUNTED`].
    hinted: [u32; COUNTED.len()],
}

/// Hints of elements that are counted on the page.
const COUNTED: [Hint; 4] = [Hint::Comments, Hint::Byline, Hint::Article, Hint::Related];

/// Blocks that begin with the same words.
#[derive(Clone, Copy, Default)]
struct Opening {
    /// How many begin so on the page.
    blocks: u32,
    /// How many of them come before.
    before: u32,
    /// The words of the longest.
    longest: u32,
}

/// Values for what is not there.
const FAR: f32 = 99.0;

/// Parts that are named as something else than content.
const SUSPECT: Hints = Hints::all_of(&[
    Hint::Navigation,
    Hint::Breadcrumb,
    Hint::Pagination,
    Hint::Language,
    Hint::Header,
    Hint::Footer,
    Hint::Sidebar,
    Hint::Advertisement,
    Hint::Related,
    Hint::Social,
    Hint::Subscription,
    Hint::Dialog,
    Hint::Hidden,
    Hint::Consent,
    Hint::Comments,
    Hint::Login,
    Hint::Search,
]);

/// Shares of the prose, and of that in no suspect part, that a centre has.
const CENTRES: [(&str, f32, bool); 5] = [
    ("half of prose", 0.5, false),
    ("most of prose", 0.75, false),
    ("half of clean prose", 0.5, true),
    ("most of clean prose", 0.75, true),
    ("nearly all clean prose", 0.9, true),
];

/// The smallest elements around a block with so many words.
const AROUND: [(&str, u32); 3] = [("around 40", 40), ("around 150", 150), ("around 500", 500)];

/// Elements that a block may be in.
const INSIDE: [&str; 6] = ["list", "table", "form", "figure", "quote", "field"];

/// The place in [`INSIDE`] of an element.
fn inside(name: &Name) -> Option<usize> {
    Some(match *name {
        name!("ul") | name!("ol") | name!("dl") => 0,
        name!("table") => 1,
        name!("form") => 2,
        name!("figure") | name!("figcaption") | name!("caption") => 3,
        name!("blockquote") => 4,
        name!("button") | name!("label") | name!("legend") | name!("option") | name!("summary") => 5,
        _ => return None,
    })
}

/// A number for the element of a block.
fn tag(name: &Name) -> u8 {
    match *name {
        name!("p") => 0,
        name!("li") => 1,
        name!("td") => 2,
        name!("th") => 3,
        name!("div") => 4,
        name!("h1") => 5,
        name!("h2") => 6,
        name!("h3") | name!("h4") | name!("h5") | name!("h6") => 7,
        name!("pre") => 8,
        name!("dt") | name!("dd") => 9,
        name!("figcaption") | name!("caption") => 10,
        name!("blockquote") => 11,
        _ => 12,
    }
}

impl<'a> Description<'a> {
    pub(crate) fn of(
        dom: &'a Dom,
        body: NodeId,
        siblings: Option<Siblings<'a>>,
        names: &mut NameReader,
    ) -> Self {
        check();
        let is_own = |node| siblings.is_none_or(|siblings| !siblings.template.contains(node));
        let mut blocks = Blocks::of(dom, body, is_own);
        let elements = Elements::of(dom, &blocks, names);
        elements.mark_clean(dom, &mut blocks);
        let title = title::of(dom, &blocks);
        let centre = |&(_, share, is_clean): &(_, f32, bool)| centre(dom, &blocks, share, is_clean);
        Self {
            centres: CENTRES.iter().map(centre).collect(),
            main: main_element(dom, &blocks),
            openings: openings(dom, &blocks),
            counts: page_counts(dom, &blocks, &elements),
            all: blocks.all(),
            kinds: kinds(dom, &blocks),
            since_prose: since(blocks.list.iter(), |block| block.counts.clean > 0),
            since_heading: since(blocks.list.iter(), |block| block.counts.headings > 0),
            until_prose: {
                let mut until = since(blocks.list.iter().rev(), |block| block.counts.clean > 0);
                until.reverse();
                until
            },
            texts: siblings.map_or_else(Vec::new, |siblings| texts(dom, siblings.template)),
            heading: title.map(|node| blocks.of_element(dom, node)),
            title,
            elements,
            siblings,
            blocks,
            dom,
        }
    }

    /// The share of an element's texts that are template.
    fn template_share(&self, element: NodeId) -> f32 {
        if self.texts.is_empty() {
            return 0.0;
        }
        let range = self.dom.range(element);
        let (before, behind) = (self.texts[range.start], self.texts[range.end]);
        share(behind.0 - before.0, behind.1 - before.1)
    }

    /// The hints of the parts that a text is in, by names and headings.
    pub(crate) fn hints_around(&self, text: NodeId) -> Hints {
        self.elements.around[self.parent(text).index()]
    }

    pub(crate) fn describer(&self) -> Describer<'_> {
        Describer {
            page: self,
            open: Vec::new(),
            innermost: [0; MARKS],
            before: Vec::new(),
        }
    }

    /// What it says.
    fn text(&self, block: &Block, put: &mut impl FnMut(&'static str, &'static str, f32)) {
        let counts = block.counts;
        put("", "words", counts.words as f32);
        put("", "linked", share(counts.linked, counts.words));
        put("", "links", counts.links as f32);
        put("", "stops", counts.stops as f32);
        put("", "stops per word", share(counts.stops, counts.words));
        put("", "letters per word", share(counts.letters, counts.words));
        put("", "digits", share(block.digits, counts.letters));
        put("", "capitals", share(block.capitals, counts.words));
        put("", "emphasised", share(counts.emphasised, counts.words));
        put("", "ends a sentence", flag(block.ends_sentence));
        put("", "element", f32::from(tag(self.dom.name(block.element))));
    }

    /// What is next to it, and the list that it is an item of.
    fn nearby(
        &self,
        block: &Block,
        item: Option<NodeId>,
        put: &mut impl FnMut(&'static str, &'static str, f32),
    ) {
        let (dom, blocks, all) = (self.dom, &self.blocks, self.all);
        let parent = self.parent(block.element);
        let counts = blocks.counts_of(dom, parent);
        put("parent", "words", counts.words as f32);
        put("parent", "linked", share(counts.linked, counts.words));
        put("parent", "prose", share(counts.prose, counts.words));
        put("parent", "blocks", counts.blocks as f32);
        put("parent", "images", self.images(dom.range(parent)));
        let start = block.first.index();
        let since = (0..NEAR_IMAGE).find(|&back| back < start && self.images(start - back - 1..start) > 0.0);
        put("", "since image", since.map_or(FAR, |back| back as f32));
        put("", "depth", self.depth(block.element));
        put("", "same", f32::from(self.elements.same[block.element.index()]));
        let element = blocks.counts_of(dom, block.element);
        put("", "share of element", share(block.counts.words, element.words));
        let of_item = item.map_or(Counts::default(), |node| blocks.counts_of(dom, node));
        let of_list = item.map_or(Counts::default(), |node| blocks.counts_of(dom, self.parent(node)));
        let same = item.map_or(0, |node| self.elements.same[node.index()]);
        put("item", "same", f32::from(same));
        put("item", "words", of_item.words as f32);
        put("item", "linked", share(of_item.linked, of_item.words));
        put("item", "prose", share(of_item.prose, of_item.words));
        put("list", "words", share(of_list.words, all.words));
        put("list", "linked", share(of_list.linked, of_list.words));
    }

    /// Where it is.
    fn position(&self, number: usize, block: &Block, put: &mut impl FnMut(&'static str, &'static str, f32)) {
        let (dom, blocks, all) = (self.dom, &self.blocks, self.all);
        let before = blocks.counts(0..number);
        let behind = blocks.counts(number + 1..blocks.list.len());
        put("before", "words", before.words as f32);
        put("before", "share", share(before.words, all.words));
        put("before", "share of prose", share(before.prose, all.prose));
        put("before", "share of clean prose", share(before.clean, all.clean));
        put("behind", "share", share(behind.words, all.words));
        let heading = self.heading.as_ref();
        let from_title = heading.map(|heading| number as f32 - heading.start as f32);
        put("from title", "blocks", from_title.unwrap_or(NOWHERE));
        let words = heading.map(|heading| before.words as f32 - blocks.counts(0..heading.start).words as f32);
        put("from title", "words", words.unwrap_or(NOWHERE));
        let is_in_main = self.main.map(|main| flag(dom.is_within(block.element, main)));
        put("", "in main", is_in_main.unwrap_or(2.0));
        let mut known = None;
        for (&centre, (name, ..)) in self.centres.iter().zip(CENTRES) {
            // Most are the same element.
            let (place, levels) = match known {
                Some((known, found)) if known == centre => found,
                _ => centre.map_or((2.0, FAR), |centre| self.to_centre(block, centre)),
            };
            known = Some((centre, (place, levels)));
            put(name, "place", place);
            put(name, "levels", levels);
        }
    }

    /// Whether a block is before, in or behind a centre, and how many levels lie between the two.
    fn to_centre(&self, block: &Block, centre: NodeId) -> (f32, f32) {
        let range = self.dom.range(centre);
        let at = block.element.index();
        if range.contains(&at) {
            return (0.0, self.depth(centre) - self.depth(block.element));
        }
        let place = if at < range.start { -1.0 } else { 1.0 };
        let common = std::iter::once(block.element)
            .chain(self.dom.ancestors(block.element))
            .find(|&above| self.dom.is_within(centre, above));
        (
            place,
            self.depth(centre) - self.depth(common.unwrap_or(self.blocks.body)),
        )
    }

    /// What is similar on this page and on others.
    fn similar(&self, number: usize, block: &Block, put: &mut impl FnMut(&'static str, &'static str, f32)) {
        let opening = self.openings[number];
        put("same opening", "blocks", opening.blocks as f32);
        put("same opening", "before", opening.before as f32);
        put(
            "same opening",
            "of longest",
            share(block.counts.words, opening.longest),
        );
        let kind = self.kinds[number];
        put("kind", "blocks", kind.blocks as f32);
        put("kind", "share", share(kind.words, self.all.words));
        put("kind", "words", share(kind.words, kind.blocks));
        put("kind", "linked", share(kind.linked, kind.words));
        put("kind", "prose", share(kind.prose, kind.words));
        let (mut own, mut hops) = (block.element, 0.0);
        if let Some(siblings) = self.siblings {
            while own != self.blocks.body && !siblings.template.contains(own) {
                own = self.parent(own);
                hops += 1.0;
            }
        }
        let own = self.blocks.counts_of(self.dom, own);
        put("siblings", "known", flag(self.siblings.is_some()));
        put("siblings", "levels to template", hops);
        put("siblings", "share of own part", share(own.words, self.all.words));
        put(
            "siblings",
            "template in element",
            self.template_share(block.element),
        );
        let parent = self.parent(block.element);
        put("siblings", "template in parent", self.template_share(parent));
    }

    /// Whether another block begins like this one.
    pub(crate) fn has_twin(&self, number: usize) -> bool {
        self.openings[number].blocks > 1
    }

    /// Whether the siblings have a block with other numbers: it is template.
    pub(crate) fn is_variant(&self, number: usize) -> bool {
        let block = &self.blocks.list[number];
        self.siblings.is_some_and(|siblings| {
            let element = self.blocks.counts_of(self.dom, block.element);
            let node = if element.blocks == 1 {
                block.element
            } else {
                block.first
            };
            block.counts.headings == 0 && siblings.near_duplicates.has(self.dom.text_of(node))
        })
    }

    /// What is near.
    fn neighbours(&self, number: usize, put: &mut impl FnMut(&'static str, &'static str, f32)) {
        let list = &self.blocks.list;
        for (name, reach) in [("within 4", 4), ("within 12", 12)] {
            let end = (number + reach + 1).min(list.len());
            let counts = self.blocks.counts(number.saturating_sub(reach)..end);
            put(name, "words", share(counts.words, counts.blocks));
            put(name, "linked", share(counts.linked, counts.words));
            put(name, "prose", share(counts.prose, counts.words));
            put(name, "clean prose", share(counts.clean, counts.words));
        }
        put("since", "prose", self.since_prose[number]);
        put("since", "heading", self.since_heading[number]);
        put("until", "prose", self.until_prose[number]);
    }

    fn depth(&self, node: NodeId) -> f32 {
        f32::from(self.elements.depth[node.index()])
    }

    fn parent(&self, node: NodeId) -> NodeId {
        self.dom.parent(node).unwrap_or(self.blocks.body)
    }

    fn images(&self, range: Range<usize>) -> f32 {
        (self.elements.images[range.end] - self.elements.images[range.start]) as f32
    }
}

impl Describer<'_> {
    /// Calls `put` with the group, the name and the value of each number of a block.
    pub(crate) fn describe(&mut self, number: usize, put: &mut impl FnMut(&'static str, &'static str, f32)) {
        let page = self.page;
        let block = &page.blocks.list[number];
        self.go_to(block.first);
        page.text(block, put);
        let item = self.surroundings(block, put);
        page.nearby(block, item, put);
        page.position(number, block, put);
        page.similar(number, block, put);
        page.neighbours(number, put);
        for &(name, value) in &page.counts {
            put("page", name, value);
        }
    }

    /// What it is in. Returns the item of a list that it is in.
    fn surroundings(
        &self,
        block: &Block,
        put: &mut impl FnMut(&'static str, &'static str, f32),
    ) -> Option<NodeId> {
        let (page, all) = (self.page, self.page.all);
        let levels = self.open.len();
        // Elements within the line have the words of the block.
        let is_within_line = |level: &&Level| level.node > block.element;
        let block_levels = levels - self.open.iter().rev().take_while(is_within_line).count();
        let marked = |mark: usize| match self.innermost[mark] as usize {
            0 => (FAR, 0.0),
            level => {
                let words = match level <= block_levels {
                    true => self.open[level - 1].words,
                    false => block.counts.words,
                };
                ((levels - level) as f32, share(words, all.words))
            }
        };
        for (at, (name, _)) in Hint::ALL.iter().enumerate() {
            let (hops, words) = marked(at);
            put(name, "hops", hops);
            put(name, "words", words);
        }
        for (at, (name, _)) in HEADED.iter().enumerate() {
            let (hops, words) = marked(FIRST_HEADED + at);
            put(name, "hops", hops);
            put(name, "words", words);
        }
        for (at, name) in INSIDE.iter().enumerate() {
            put("in", name, marked(FIRST_INSIDE + at).0);
        }
        let around = &self.open[..block_levels];
        let mut outside = around.iter().rev().peekable();
        for (name, least) in AROUND {
            // The larger one is around the smaller one.
            while outside.next_if(|level| level.words < least).is_some() {}
            let counts = outside
                .peek()
                .map_or(all, |level| page.blocks.counts_of(page.dom, level.node));
            put(name, "words", counts.words as f32);
            put(name, "share", share(counts.words, all.words));
            put(name, "linked", share(counts.linked, counts.words));
            put(name, "prose", share(counts.prose, counts.words));
            put(name, "clean prose", share(counts.clean, counts.words));
            put(name, "share of clean prose", share(counts.clean, all.clean));
        }
        around.last().and_then(|level| level.item)
    }

    /// Opens the elements around a text, and closes all others.
    fn go_to(&mut self, text: NodeId) {
        let dom = self.page.dom;
        while let Some(level) = self.open.pop_if(|level| !dom.is_within(text, level.node)) {
            for (mark, before) in self.before.drain(level.marks_before..).rev() {
                self.innermost[mark] = before;
            }
        }
        let known = self.open.last().map_or(self.page.blocks.body, |level| level.node);
        let first = self.open.len();
        let above = dom.ancestors(text).take_while(|&above| above != known);
        self.open.extend(above.map(|node| Level {
            node,
            words: 0,
            item: None,
            marks_before: 0,
        }));
        self.open[first..].reverse();
        for level in first..self.open.len() {
            self.enter(level);
        }
    }

    fn enter(&mut self, level: usize) {
        let Self {
            page,
            open,
            innermost,
            before,
        } = self;
        let (dom, elements) = (page.dom, &page.elements);
        let node = open[level].node;
        let is_item = elements.same[node.index()] >= LEAST_ITEMS && !is_one_text(dom.name(node));
        let item = match is_item {
            true => Some(node),
            false => level.checked_sub(1).and_then(|outside| open[outside].item),
        };
        open[level] = Level {
            node,
            words: page.blocks.words_of(dom, node),
            item,
            marks_before: before.len(),
        };
        let headed = elements.headed[node.index()];
        let headed = (FIRST_HEADED..)
            .zip(HEADED)
            .filter(|(_, (_, hint))| headed.has(*hint));
        let marks = elements.hints[node.index()]
            .positions()
            .chain(headed.map(|(mark, _)| mark))
            .chain(inside(dom.name(node)).map(|at| FIRST_INSIDE + at));
        for mark in marks {
            before.push((mark, std::mem::replace(&mut innermost[mark], level as u32 + 1)));
        }
    }
}

/// For each block, how many lie between it and the last one before it that is meant; [`FAR`] if it is too far.
fn since<'a>(
    blocks: impl ExactSizeIterator<Item = &'a Block>,
    is_meant: impl Fn(&Block) -> bool,
) -> Vec<f32> {
    let mut passed = None;
    blocks
        .map(|block| {
            let found = passed.filter(|&blocks: &usize| blocks < REACH);
            passed = match is_meant(block) {
                true => Some(0),
                false => passed.map(|blocks| blocks + 1),
            };
            found.map_or(FAR, |blocks| blocks as f32)
        })
        .collect()
}

/// As many similar siblings are the items of a list.
const LEAST_ITEMS: u16 = 3;

/// An image is near if so few nodes lie between.
const NEAR_IMAGE: usize = 12;

/// A value for a page without a title.
const NOWHERE: f32 = 9999.0;

/// How many blocks to look back and ahead.
const REACH: usize = 98;

impl Elements {
    fn of(dom: &Dom, blocks: &Blocks, names: &mut NameReader) -> Self {
        let body = blocks.body;
        let mut elements = Self {
            depth: vec![0; dom.len()],
            hints: vec![Hints::default(); dom.len()],
            headed: Phrases::of(dom).of_all_nodes(dom),
            around: vec![Hints::default(); dom.len()],
            same: vec![0; dom.len()],
            images: Vec::with_capacity(dom.len() + 1),
            paragraphs: 0,
            tables: 0,
            hinted: [0; COUNTED.len()],
        };
        let mut labels = Vec::new();
        let mut images = 0;
        let mut code_until = 0;
        elements.images.resize(body.index(), 0);
        for node in dom.subtree(body) {
            elements.images.push(images);
            if dom.kind(node) != NodeKind::Element {
                continue;
            }
            match *dom.name(node) {
                name!("p") => elements.paragraphs += 1,
                name!("table") => elements.tables += 1,
                name!("img") | name!("picture") | name!("video") => images += 1,
                name!("pre") | name!("code") => code_until = code_until.max(dom.range(node).end),
                _ => {}
            }
            if node != body {
                let index = node.index();
                let parent = dom.parent(node).unwrap_or(body).index();
                elements.depth[index] = elements.depth[parent].saturating_add(1);
                // Names in code say nothing about the page.
                if index >= code_until {
                    elements.hints[index] = names.hints(dom, node);
                    for (count, hint) in elements.hinted.iter_mut().zip(COUNTED) {
                        *count += u32::from(elements.hints[index].has(hint));
                    }
                }
                elements.around[index] = elements.around[parent]
                    .or(elements.hints[index])
                    .or(elements.headed[index]);
            }
            // Nobody asks for elements without blocks.
            if !blocks.of_element(dom, node).is_empty() {
                count_same(dom, node, &mut labels, &mut elements.same);
            }
        }
        elements.images.resize(dom.len() + 1, images);
        elements
    }

    /// Finds the prose in no part that is named as something else, unless that part has most of the page.
    fn mark_clean(&self, dom: &Dom, blocks: &mut Blocks) {
        let all = blocks.all();
        let mut suspect_until = 0;
        let mut is_clean = vec![true; blocks.list.len()];
        for node in blocks.elements(dom) {
            if node.index() < suspect_until || !self.hints[node.index()].meets(SUSPECT) {
                continue;
            }
            let counts = blocks.counts_of(dom, node);
            if 2 * counts.prose < all.prose && 10 * counts.words < 6 * all.words {
                suspect_until = dom.range(node).end;
                is_clean[blocks.of_element(dom, node)].fill(false);
            }
        }
        for (block, is_clean) in blocks.list.iter_mut().zip(is_clean) {
            block.counts.clean = if is_clean { block.counts.prose } else { 0 };
        }
        blocks.sum();
    }
}

/// Counts the children of an element with the same name and first class.
fn count_same(dom: &Dom, node: NodeId, labels: &mut Vec<(u64, NodeId)>, same: &mut [u16]) {
    let elements = dom
        .children(node)
        .filter(|&child| dom.kind(child) == NodeKind::Element);
    let mut few = elements.clone();
    match (few.next(), few.next()) {
        (None, _) => return,
        (Some(only), None) => {
            same[only.index()] = 1;
            return;
        }
        _ => {}
    }
    labels.clear();
    labels.extend(elements.map(|child| {
        let class = dom.attribute(child, &name!("class")).unwrap_or_default();
        let class = class.split_ascii_whitespace().next().unwrap_or_default();
        let name = xxh3_64_with_seed(dom.name(child).as_bytes(), 0);
        (xxh3_64_with_seed(class.as_bytes(), name), child)
    }));
    labels.sort_unstable();
    for group in labels.chunk_by(|one, other| one.0 == other.0) {
        for &(_, child) in group {
            same[child.index()] = u16::try_from(group.len()).unwrap_or(u16::MAX);
        }
    }
}

/// The smallest element with a share of the prose, but not a single paragraph.
fn centre(dom: &Dom, blocks: &Blocks, share: f32, is_clean: bool) -> Option<NodeId> {
    let prose = |node| {
        let counts = blocks.counts_of(dom, node);
        (if is_clean { counts.clean } else { counts.prose }) as f32
    };
    let all = prose(blocks.body);
    if all == 0.0 {
        return None;
    }
    let mut centre = blocks.body;
    loop {
        let mut children = dom
            .children(centre)
            .filter(|&child| dom.kind(child) == NodeKind::Element);
        match children.find(|&child| prose(child) >= share * all && !is_one_text(dom.name(child))) {
            Some(child) => centre = child,
            None => return Some(centre),
        }
    }
}

fn is_one_text(name: &Name) -> bool {
    let is_heading = matches!(
        *name,
        name!("h1") | name!("h2") | name!("h3") | name!("h4") | name!("h5") | name!("h6")
    );
    is_heading || matches!(*name, name!("p") | name!("pre") | name!("td"))
}

/// The first element that is marked as the main part and has a tenth of the words.
fn main_element(dom: &Dom, blocks: &Blocks) -> Option<NodeId> {
    let is_main = |node: NodeId| {
        let role = dom.attribute(node, &name!("role"));
        dom.is_element(node, &name!("main"))
            || role.is_some_and(|role| role.split_ascii_whitespace().any(|role| role == "main"))
    };
    blocks
        .elements(dom)
        .filter(|&node| 10 * blocks.words_of(dom, node) >= blocks.all().words)
        .find(|&node| is_main(node))
}

/// Which blocks begin with the same letters.
fn openings(dom: &Dom, blocks: &Blocks) -> Vec<Opening> {
    let opening = |block: &Block| {
        let text = dom.text_of(block.first).trim_start().as_bytes();
        let opening = text.first_chunk::<OPENING>();
        // Shorter texts are the same by chance.
        opening.map_or(block.first.index() as u64, |letters| {
            xxh3_64_with_seed(letters, 0)
        })
    };
    let mut openings = vec![Opening::default(); blocks.list.len()];
    for group in groups(blocks.list.iter().map(opening)) {
        let longest = group.iter().map(|&number| blocks.list[number].counts.words).max();
        for (before, &number) in group.iter().enumerate() {
            openings[number] = Opening {
                blocks: group.len() as u32,
                before: before as u32,
                longest: longest.unwrap_or_default(),
            };
        }
    }
    openings
}

/// Letters of an opening.
const OPENING: usize = 24;

/// For each block, the counts of its kind: of all whose elements have the same names and classes up to two levels above.
fn kinds(dom: &Dom, blocks: &Blocks) -> Vec<Counts> {
    let label = |hash: u64, node: NodeId| {
        let class = dom.attribute(node, &name!("class")).unwrap_or_default();
        let name = xxh3_64_with_seed(dom.name(node).as_bytes(), hash);
        let classes = class.split_ascii_whitespace().take(2);
        classes.fold(name, |hash, class| {
            let plain = class.trim_end_matches(|letter: char| letter.is_ascii_digit());
            xxh3_64_with_seed(plain.as_bytes(), hash)
        })
    };
    let kind = |block: &Block| {
        let levels = std::iter::once(block.element)
            .chain(dom.ancestors(block.element))
            .take(3);
        levels.fold(0, label)
    };
    let mut kinds = vec![Counts::default(); blocks.list.len()];
    for group in groups(blocks.list.iter().map(kind)) {
        let all = group.iter().fold(Counts::default(), |all, &number| {
            all.plus(blocks.list[number].counts)
        });
        group.iter().for_each(|&number| kinds[number] = all);
    }
    kinds
}

/// The numbers of the items with the same hash, in order.
fn groups(hashes: impl Iterator<Item = u64>) -> Vec<Vec<usize>> {
    let mut all: Vec<(u64, usize)> = hashes.zip(0..).collect();
    all.sort_unstable();
    all.chunk_by(|one, other| one.0 == other.0)
        .map(|group| group.iter().map(|&(_, number)| number).collect())
        .collect()
}

/// The texts of the template before each node, and of all texts.
fn texts(dom: &Dom, template: &Template) -> Vec<(u32, u32)> {
    let mut sums = Vec::with_capacity(dom.len() + 1);
    let (mut shared, mut all) = (0, 0);
    sums.push((shared, all));
    for node in dom.nodes() {
        if dom.kind(node) == NodeKind::Text && !dom.is_blank_text(node) {
            shared += u32::from(template.contains(node));
            all += 1;
        }
        sums.push((shared, all));
    }
    sums
}

/// Numbers of the page as a whole.
fn page_counts(dom: &Dom, blocks: &Blocks, elements: &Elements) -> Vec<(&'static str, f32)> {
    let all = blocks.all();
    let prose = || blocks.list.iter().map(|block| block.counts.prose);
    let mut most_same = 0;
    for node in blocks.elements(dom) {
        let same = elements.same[node.index()];
        if same > most_same
            && *dom.name(node) != name!("p")
            && blocks.words_of(dom, node) >= LEAST_WORDS_OF_ITEM
        {
            most_same = same;
        }
    }
    let images = elements.images.last().copied().unwrap_or_default();
    vec![
        ("words", all.words as f32),
        ("linked", share(all.linked, all.words)),
        ("prose", share(all.prose, all.words)),
        ("clean prose", share(all.clean, all.words)),
        ("blocks", all.blocks as f32),
        ("words per block", share(all.words, all.blocks)),
        (
            "long paragraphs",
            prose().filter(|&words| words >= LONG_PARAGRAPH).count() as f32,
        ),
        ("longest paragraph", prose().max().unwrap_or_default() as f32),
        ("headings", all.headings as f32),
        ("paragraphs", elements.paragraphs as f32),
        ("tables", elements.tables as f32),
        ("images", images as f32),
        ("most same", f32::from(most_same)),
        ("comments", elements.hinted[0] as f32),
        ("bylines", elements.hinted[1] as f32),
        ("articles", elements.hinted[2] as f32),
        ("related", elements.hinted[3] as f32),
    ]
}

/// Smaller elements are not counted as items of the page.
const LEAST_WORDS_OF_ITEM: u32 = 5;

/// Words of a long paragraph.
const LONG_PARAGRAPH: u32 = 30;

fn share(part: u32, all: u32) -> f32 {
    part as f32 / all.max(1) as f32
}

fn flag(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}
