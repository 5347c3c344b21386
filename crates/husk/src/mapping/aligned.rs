//! The default method's mapping: children are aligned in their order, and identical subtrees are paired as a whole.
//!
//! Two pages with their [`Fingerprints`] in, an [`Alignment`] out.

use std::ops::Range;

use husk_dom::{Dom, NodeId, NodeKind, name};

use crate::fingerprint::{Fingerprint, Fingerprints, leads_here};
use crate::hash_table::HashTable;
use crate::page::Page;
use crate::work::check;

/// A page with its fingerprints.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) dom: &'a Dom,
    pub(crate) fingerprints: &'a Fingerprints,
}

/// The counterpart of each node of the key page on another page.
///
/// Parents of a pair are a pair, except above a block that was found elsewhere on the page.
#[derive(Debug)]
pub(crate) struct Alignment {
    mates: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Alignment {
    /// The counterpart of a node of the key page.
    pub(crate) fn mate(&self, node: NodeId) -> Option<NodeId> {
        let mate = self.mates[node.index()];
        (mate != NONE).then(|| NodeId::from_index(mate as usize))
    }

    /// The same pairs, from the other page to the key page.
    pub(crate) fn inverted(&self, other: Side<'_>) -> Self {
        let mut mates = vec![NONE; other.dom.len()];
        for (node, &mate) in self.mates.iter().enumerate() {
            if mate != NONE {
                mates[mate as usize] = node as u32;
            }
        }
        Self { mates }
    }
}

/// Maps a key page to another page: from the roots down in order, then what is left and has moved.
///
/// Blocks of fewer than `moved_block` nodes are not searched elsewhere: small ones are found by accident.
pub(crate) fn align(key: Side<'_>, other: Side<'_>, moved_block: u32) -> Alignment {
    let mut aligning = Aligning {
        key,
        other,
        mates: vec![NONE; key.dom.len()],
        is_taken: vec![false; other.dom.len()],
        table: Table::default(),
    };
    aligning.descend(key.dom.root(), other.dom.root());
    aligning.find_moved(moved_block);
    aligning.find_moved_designs();
    Alignment {
        mates: aligning.mates,
    }
}

struct Aligning<'a> {
    key: Side<'a>,
    other: Side<'a>,
    mates: Vec<u32>,
    is_taken: Vec<bool>,
    table: Table,
}

impl<'a> Side<'a> {
    pub(crate) fn of(page: &'a Page, fingerprints: &'a Fingerprints) -> Self {
        Self {
            dom: &page.dom,
            fingerprints,
        }
    }

    fn print(self, node: NodeId) -> &'a Fingerprint {
        self.fingerprints.get(node)
    }

    fn compared(self, range: Range<usize>) -> impl Iterator<Item = NodeId> {
        range
            .map(NodeId::from_index)
            .filter(move |&node| self.fingerprints.is_compared(node))
    }
}

impl Aligning<'_> {
    fn descend(&mut self, node: NodeId, mate: NodeId) {
        let mut open = vec![(node, mate)];
        let (mut nodes, mut mates) = (Vec::new(), Vec::new());
        while let Some((node, mate)) = open.pop() {
            check();
            if self.are_same(node, mate) {
                self.pair_subtrees(node, mate);
                continue;
            }
            self.pair(node, mate);
            nodes.clear();
            nodes.extend(self.key.fingerprints.children(self.key.dom, node));
            mates.clear();
            mates.extend(self.other.fingerprints.children(self.other.dom, mate));
            let known = open.len();
            self.pair_children(&nodes, &mates, &mut open);
            // In document order, for locality.
            open[known..].reverse();
        }
    }

    fn pair(&mut self, node: NodeId, mate: NodeId) {
        self.mates[node.index()] = mate.index() as u32;
        self.is_taken[mate.index()] = true;
    }

    fn are_same(&self, node: NodeId, mate: NodeId) -> bool {
        self.key.print(node).whole == self.other.print(mate).whole
    }

    /// Pairs the nodes of two identical subtrees.
    fn pair_subtrees(&mut self, node: NodeId, mate: NodeId) {
        let nodes = self.key.compared(self.key.dom.range(node));
        let mates = self.other.compared(self.other.dom.range(mate));
        for (node, mate) in nodes.zip(mates) {
            self.pair(node, mate);
        }
    }

    /// Pairs children in their order: identical ones at both ends first, the rest by how well they fit.
    fn pair_children(&mut self, nodes: &[NodeId], mates: &[NodeId], open: &mut Vec<(NodeId, NodeId)>) {
        let start = nodes
            .iter()
            .zip(mates)
            .take_while(|(node, mate)| self.are_same(**node, **mate))
            .count();
        let (rest, other_rest) = (&nodes[start..], &mates[start..]);
        let end = rest
            .iter()
            .rev()
            .zip(other_rest.iter().rev())
            .take_while(|(node, mate)| self.are_same(**node, **mate))
            .count();
        for (&node, &mate) in nodes[..start].iter().zip(mates) {
            self.pair_subtrees(node, mate);
        }
        for (&node, &mate) in rest.iter().rev().zip(other_rest.iter().rev()).take(end) {
            self.pair_subtrees(node, mate);
        }
        let (rest, other_rest) = (&rest[..rest.len() - end], &other_rest[..other_rest.len() - end]);
        self.pair_by_fit(rest, other_rest, open);
    }

    /// Pairs nodes of two lists so that the sum of their fits is highest and no pairs cross.
    fn pair_by_fit(&mut self, nodes: &[NodeId], mates: &[NodeId], open: &mut Vec<(NodeId, NodeId)>) {
        match (nodes, mates) {
            ([], _) | (_, []) => {}
            ([node], [mate]) => {
                if self.fit(*node, *mate).is_some() {
                    open.push((*node, *mate));
                }
            }
            _ => {
                let mut table = std::mem::take(&mut self.table);
                table.fill(nodes.len(), mates.len(), |row, column| {
                    self.fit(nodes[row], mates[column])
                });
                table.best(|row, column| open.push((nodes[row], mates[column])));
                self.table = table;
            }
        }
    }

    /// How well two nodes fit; none if they cannot be paired.
    ///
    /// Only the order of the numbers matters: an identical subtree first, then the same label, then similar children,
    /// and any two texts rather than none.
    fn fit(&self, node: NodeId, mate: NodeId) -> Option<f32> {
        const SAME_DESIGN: f32 = 1.0;
        const OTHER_DESIGN: f32 = 0.3;
        const SAME_WORDS: f32 = 0.7;
        const SAME_INSIDE: f32 = 2.0;
        const TWO_TEXTS: f32 = 0.1;
        check();
        let (print, other) = (self.key.print(node), self.other.print(mate));
        if print.whole == other.whole {
            return Some(2.0 * self.key.dom.size(node) as f32 + 0.5);
        }
        let kind = self.key.dom.kind(node);
        if kind != self.other.dom.kind(mate) {
            return None;
        }
        if kind == NodeKind::Text {
            return Some(TWO_TEXTS);
        }
        if self.key.dom.name(node) != self.other.dom.name(mate) {
            return self.read_the_same(node, mate).then_some(SAME_DESIGN);
        }
        let design = if print.label == other.label {
            SAME_DESIGN
        } else {
            OTHER_DESIGN
        };
        let words = if print.says != 0 && print.says == other.says {
            SAME_WORDS
        } else {
            0.0
        };
        Some(design + words + SAME_INSIDE * overlap(print.sketch, other.sketch))
    }

    /// Whether elements of different names have the same text: the current item of a menu is often not a link.
    fn read_the_same(&self, node: NodeId, mate: NodeId) -> bool {
        let (text, other) = (self.key.dom.text_of(node), self.other.dom.text_of(mate));
        if text.len().max(other.len()) > LONGEST_ENTRY {
            return false;
        }
        // Nearly all differ in the first letter.
        let (text, other) = (text.trim_ascii_start(), other.trim_ascii_start());
        match (text.as_bytes().first(), other.as_bytes().first()) {
            (Some(first), Some(other))
                if first.is_ascii_graphic() && other.is_ascii_graphic() && first != other =>
            {
                return false;
            }
            (None, _) | (_, None) => return false,
            _ => {}
        }
        !text.trim().is_empty() && text.trim() == other.trim()
    }

    /// Pairs blocks that the other page has elsewhere.
    fn find_moved(&mut self, moved_block: u32) {
        let moved_block = moved_block as usize;
        let free = self.free_blocks(moved_block);
        if free.is_empty() {
            return;
        }
        let mut tried = vec![0; free.len()];
        let mut index = self.key.dom.root().index();
        while index < self.key.dom.len() {
            let node = NodeId::from_index(index);
            let print = self.key.print(node);
            let is_free = self.mates[index] == NONE && self.key.dom.size(node) >= moved_block;
            if is_free && let Some(mate) = first_free(&free, &mut tried, print.whole, &self.is_taken) {
                self.pair_subtrees(node, mate);
                self.take_above(mate);
                index += self.key.dom.size(node);
                continue;
            }
            index += 1;
        }
    }

    /// Pairs blocks that are left over on both pages and whose label no other such block has, and what is in them: a
    /// block that one page wraps in one more element, or that stands in another column.
    fn find_moved_designs(&mut self) {
        let is_used = self.has_paired();
        let own = OnlyOnes::of(self.key, |node| !is_used[node.index()]);
        if own.elements.is_empty() {
            return;
        }
        let others = OnlyOnes::of(self.other, |node| !self.is_taken[node.index()]);
        for &node in &own.elements {
            let label = self.key.print(node).label;
            let (Some(_), Some(mate)) = (own.get(label), others.get(label)) else {
                continue;
            };
            let is_free = self.mates[node.index()] == NONE && !self.is_taken[mate.index()];
            if is_free && self.have_in_common(node, mate) {
                self.descend(node, mate);
                self.take_above(mate);
            }
        }
    }

    /// Whether two elements of one label have a class or id, or else some text or target in them, in common: any two pages
    /// have a paragraph. Places on the page, such as `#top`, do not count.
    fn have_in_common(&self, node: NodeId, mate: NodeId) -> bool {
        let has = |name| self.key.dom.attribute(node, &name).is_some();
        if has(name!("class")) || has(name!("id")) {
            return true;
        }
        let said = |side: Side<'_>, node: NodeId| -> Vec<u64> {
            let below = side
                .dom
                .subtree(node)
                .filter(|&below| !leads_here(side.dom, below));
            let says = below.map(|below| side.print(below).says);
            says.filter(|&says| says != 0).collect()
        };
        let mut own = said(self.key, node);
        own.sort_unstable();
        let others = said(self.other, mate);
        others.iter().any(|says| own.binary_search(says).is_ok())
    }

    /// Whether a node of the key page or one in it is paired, for each node.
    fn has_paired(&self) -> Vec<bool> {
        let mut has_paired: Vec<bool> = self.mates.iter().map(|&mate| mate != NONE).collect();
        for node in self.key.dom.nodes().rev() {
            if let Some(parent) = self.key.dom.parent(node) {
                has_paired[parent.index()] |= has_paired[node.index()];
            }
        }
        has_paired
    }

    /// Whether no part of a block is paired yet.
    fn take_above(&mut self, mate: NodeId) {
        for above in self.other.dom.ancestors(mate) {
            if std::mem::replace(&mut self.is_taken[above.index()], true) {
                break;
            }
        }
    }

    /// The unpaired blocks of the other page, by hash, then in document order.
    fn free_blocks(&self, moved_block: usize) -> Vec<(u64, NodeId)> {
        let nodes = self.other.dom.subtree(self.other.dom.root());
        let mut free: Vec<_> = nodes
            .filter(|&node| {
                !self.is_taken[node.index()]
                    && self.other.dom.size(node) >= moved_block
                    && self.other.fingerprints.is_compared(node)
            })
            .map(|node| (self.other.print(node).whole, node))
            .collect();
        free.sort_unstable();
        free
    }
}

/// Elements by label, if no other of them has it.
struct OnlyOnes {
    /// All of them, in document order.
    elements: Vec<NodeId>,
    /// The index of the element with a label, or [`SEVERAL`].
    by_label: HashTable,
}

/// Stands for several elements.
const SEVERAL: u32 = u32::MAX;

impl OnlyOnes {
    fn of(side: Side<'_>, is_meant: impl Fn(NodeId) -> bool) -> Self {
        let nodes = side.dom.subtree(side.dom.root());
        let elements: Vec<NodeId> = nodes
            .filter(|&node| {
                is_meant(node)
                    && side.dom.kind(node) == NodeKind::Element
                    && side.fingerprints.is_compared(node)
            })
            .collect();
        let mut by_label = HashTable::new();
        for &node in &elements {
            by_label.set(side.print(node).label, |known| match known {
                0 => node.index() as u32,
                _ => SEVERAL,
            });
        }
        Self { elements, by_label }
    }

    /// The only element with a label.
    fn get(&self, label: u64) -> Option<NodeId> {
        match self.by_label.get(label) {
            0 | SEVERAL => None,
            index => Some(NodeId::from_index(index as usize)),
        }
    }
}

/// Longer texts, in bytes, are not menu items.
const LONGEST_ENTRY: usize = 1_000;

/// The first free block with this hash. `tried` counts the tries per hash.
fn first_free(free: &[(u64, NodeId)], tried: &mut [usize], whole: u64, is_taken: &[bool]) -> Option<NodeId> {
    let start = free.partition_point(|&(content, _)| content < whole);
    loop {
        let tried = tried.get_mut(start)?;
        let &(_, node) = free
            .get(start + *tried)
            .filter(|(content, _)| *content == whole)?;
        *tried += 1;
        if !is_taken[node.index()] {
            return Some(node);
        }
    }
}

/// The share of the texts in either of two subtrees that is in both.
fn overlap(sketch: u64, other: u64) -> f32 {
    if sketch & other == 0 {
        return 0.0;
    }
    (sketch & other).count_ones() as f32 / (sketch | other).count_ones() as f32
}

/// A table of the best sums of fits of two lists, from each pair of positions to the ends.
///
/// For long lists only a band along the diagonal is filled, so that the work grows linearly.
#[derive(Default)]
struct Table {
    rows: usize,
    columns: usize,
    /// The first column of each row.
    starts: Vec<usize>,
    /// The start of each row in the cells.
    offsets: Vec<usize>,
    fits: Vec<f32>,
    sums: Vec<f32>,
}

/// Most pairs to compute for two lists of children, or a few for each child of longer lists.
const MOST_PAIRS: usize = 1 << 14;

/// Least width of the band on either side of the diagonal.
const NARROWEST_BAND: usize = 8;

impl Table {
    fn fill(&mut self, rows: usize, columns: usize, fit: impl Fn(usize, usize) -> Option<f32>) {
        (self.rows, self.columns) = (rows, columns);
        self.lay_out();
        for row in (0..rows).rev() {
            let columns = self.row(row);
            let filled = if row + 1 < rows { self.row(row + 1) } else { 0..0 };
            let cells = self.offsets[row]..self.offsets[row + 1];
            let (sums, below) = self.sums.split_at_mut(cells.end);
            let (sums, fits) = (&mut sums[cells.start..], &mut self.fits[cells]);
            // As in `sum`, for the row below.
            let below = |column: usize| match column >= filled.end {
                true => 0.0,
                false => below[column.max(filled.start) - filled.start],
            };
            let (mut right, mut diagonal): (f32, f32) = (0.0, below(columns.end));
            let cells = columns.clone().zip(fits.iter_mut().zip(sums));
            for (column, (fits, sum)) in cells.rev() {
                let down = below(column);
                let skip = down.max(right);
                *fits = fit(row, column).unwrap_or(-1.0);
                *sum = if *fits > 0.0 {
                    skip.max(*fits + diagonal)
                } else {
                    skip
                };
                (right, diagonal) = (*sum, down);
            }
        }
    }

    /// Lays out the cells.
    fn lay_out(&mut self) {
        let (rows, columns) = (self.rows, self.columns);
        let reach = if rows.saturating_mul(columns) <= MOST_PAIRS {
            columns
        } else {
            NARROWEST_BAND.max(MOST_PAIRS / (2 * rows.max(columns)))
        };
        self.starts.clear();
        self.offsets.clear();
        let mut cells = 0;
        for row in 0..rows {
            let middle = (row as u64 * columns as u64 / rows as u64) as usize;
            // For lists of different lengths, the band must reach from one row's middle to the next.
            let reach = reach + columns / rows;
            let start = middle.saturating_sub(reach);
            self.starts.push(start);
            self.offsets.push(cells);
            cells += (middle + reach + 1).min(columns) - start;
        }
        self.offsets.push(cells);
        self.fits.resize(cells, -1.0);
        self.sums.resize(cells, 0.0);
    }

    /// The columns of a row.
    fn row(&self, row: usize) -> Range<usize> {
        let length = self.offsets[row + 1] - self.offsets[row];
        self.starts[row]..self.starts[row] + length
    }

    fn cell(&self, row: usize, column: usize) -> usize {
        self.offsets[row] + column - self.starts[row]
    }

    /// The best sum from a pair of positions on; 0 beyond the ends. Outside of the band it is that of the nearest
    /// cell, which is a lower bound to the left and irrelevant to the right.
    fn sum(&self, row: usize, column: usize) -> f32 {
        if row >= self.rows || column >= self.columns {
            return 0.0;
        }
        let filled = self.row(row);
        if column >= filled.end {
            return 0.0;
        }
        self.sums[self.cell(row, column.max(filled.start))]
    }

    /// The pairs of the best sum, in order.
    fn best(&self, mut found: impl FnMut(usize, usize)) {
        let (mut row, mut column) = (0, 0);
        while row < self.rows && column < self.columns {
            let filled = self.row(row);
            if column >= filled.end {
                row += 1;
                continue;
            }
            if column < filled.start {
                column = filled.start;
            }
            let fit = self.fits[self.cell(row, column)];
            let with = fit + self.sum(row + 1, column + 1);
            if fit > 0.0 && with >= self.sums[self.cell(row, column)] {
                found(row, column);
                (row, column) = (row + 1, column + 1);
            } else if self.sum(row + 1, column) >= self.sum(row, column + 1) {
                row += 1;
            } else {
                column += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::*;

    fn page(html: &str) -> Page {
        Page::parse(Url::parse("https://example.org/").unwrap(), html)
    }

    fn pairs_of(key: &Page, other: &Page) -> Vec<(NodeId, NodeId)> {
        let prints = (Fingerprints::of(key), Fingerprints::of(other));
        let key = Side::of(key, &prints.0);
        let other = Side::of(other, &prints.1);
        let alignment = align(key, other, 4);
        let nodes = key.dom.nodes();
        nodes
            .filter_map(|node| Some((node, alignment.mate(node)?)))
            .collect()
    }

    /// Checks which texts of the first page are mapped to which of the second.
    #[track_caller]
    fn check(key: &str, other: &str, expect: &[(&str, &str)]) {
        let (key, other) = (page(key), page(other));
        let texts: Vec<_> = pairs_of(&key, &other)
            .into_iter()
            .filter(|&(node, _)| key.dom.kind(node) == NodeKind::Text)
            .map(|(node, mate)| (key.dom.text_of(node).trim(), other.dom.text_of(mate).trim()))
            .collect();
        assert_eq!(texts, expect);
    }

    #[test]
    fn what_was_put_in_between_shifts_nothing() {
        check(
            "<p>a</p><p>b</p><p>c</p>",
            "<p>a</p><p>new</p><p>b</p><p>c</p>",
            &[("a", "a"), ("b", "b"), ("c", "c")],
        );
    }

    #[test]
    fn the_same_design_goes_before_the_same_place() {
        check(
            "<div class=ad>x</div><div class=main>y</div>",
            "<div class=main>z</div><div class=foot>w</div>",
            &[("y", "z")],
        );
    }

    #[test]
    fn what_stands_inside_tells_blocks_of_one_design_apart() {
        let block = |texts: &str| {
            format!(
                "<div>{}</div>",
                texts.replace(char::is_whitespace, "<br>").replace('.', " ")
            )
        };
        let key = block("one two x") + &block("three four x");
        let other = block("new") + &block("one two y") + &block("three four y");
        let (key, other) = (page(&key), page(&other));
        let texts: Vec<_> = pairs_of(&key, &other)
            .iter()
            .filter(|(node, _)| key.dom.kind(*node) == NodeKind::Text)
            .map(|&(_, mate)| other.dom.text_of(mate).to_owned())
            .collect();
        assert_eq!(texts, ["one", "two", "y", "three", "four", "y"]);
    }

    #[test]
    fn an_open_entry_is_found_though_it_is_no_link() {
        check(
            "<ul><li><b>Home</b><li><a href=/a>A</a></ul>",
            "<ul><li><a href=/>Home</a><li><b>A</b></ul>",
            &[("Home", "Home"), ("A", "A")],
        );
    }

    #[test]
    fn a_block_that_moved_is_found() {
        let menu = "<ul><li>one<li>two<li>three</ul>";
        check(
            &format!("<header>{menu}</header><main>x</main>"),
            &format!("<main>y</main><footer>{menu}</footer>"),
            &[("one", "one"), ("two", "two"), ("three", "three"), ("x", "y")],
        );
    }

    #[test]
    fn a_block_that_is_wrapped_once_more_is_found() {
        check(
            "<main>x</main><ul class=side><li>one<li>two</ul>",
            "<main>y</main><section><ul class=side><li>one<li>own</ul></section>",
            &[("x", "y"), ("one", "one"), ("two", "own")],
        );
    }

    #[test]
    fn a_block_whose_neighbour_is_another_element_is_found() {
        check(
            "<div class=row><main>x</main><aside class=side><p>one</p></aside></div>",
            "<div class=row><div class=side><p>more</p></div><section>y<aside class=side><p>one</p></aside></section></div>",
            &[("one", "one")],
        );
    }

    #[test]
    fn blocks_of_one_design_are_not_mixed_up() {
        check(
            "<p>a</p><i class=card>one</i><b><i class=card>two</i></b>",
            "<p>b</p><u><i class=card>three</i></u>",
            &[("a", "b")],
        );
    }

    #[test]
    fn what_is_in_a_block_that_moved_is_not_taken_twice() {
        let list = "<ul><li>one<li>two<li>three</ul>";
        let block = format!("<nav><b>more</b>{list}<i>end</i></nav>");
        let key = page(&format!(
            "<section>{list}</section><main>x</main><aside>{block}<p>own</p></aside>"
        ));
        let other = page(&format!("<main>y</main><footer>{block}</footer>"));
        let pairs = pairs_of(&key, &other);
        let mut mates: Vec<_> = pairs.iter().map(|&(_, mate)| mate).collect();
        mates.sort_unstable();
        mates.dedup();
        assert_eq!(mates.len(), pairs.len());
    }

    #[test]
    fn long_lists_are_paired_along_the_diagonal() {
        let list = |skip: usize| -> String {
            (0..5_000)
                .filter(|number| number % skip != 1)
                .map(|number| format!("<p class=c{}>text {number}</p>", number % 7))
                .collect()
        };
        let (key, other) = (page(&list(50)), page(&list(1000)));
        let found = pairs_of(&key, &other);
        let right = found.iter().filter(|&&(node, mate)| {
            key.dom.kind(node) == NodeKind::Text && key.dom.text_of(node) == other.dom.text_of(mate)
        });
        assert!(right.count() >= 4_800);
    }

    prop_compose! {
        fn small_page()(parts in prop::collection::vec(
            prop::sample::select(vec![
                "<div>", "</div>", "<p>", "</p>", "<p class=a>", "<ul><li>", "<li>", "</ul>", "text", "<b>", "</b>",
                "<a href=/x>", "</a>", "<!-- c -->", "more", "<table><td>", "</table>",
            ]),
            0..60,
        )) -> String {
            parts.concat()
        }
    }

    proptest! {
        #[test]
        fn pairs_are_one_to_one_of_one_kind_and_below_pairs(key in small_page(), other in small_page()) {
            let (key, other) = (page(&key), page(&other));
            let pairs = pairs_of(&key, &other);
            let mut mates: Vec<_> = pairs.iter().map(|&(_, mate)| mate).collect();
            mates.sort_unstable();
            mates.dedup();
            prop_assert_eq!(mates.len(), pairs.len());
            for &(node, mate) in &pairs {
                prop_assert_eq!(key.dom.kind(node), other.dom.kind(mate));
            }
        }

        #[test]
        fn a_page_is_mapped_to_itself(html in small_page()) {
            let page = page(&html);
            let pairs = pairs_of(&page, &page);
            prop_assert!(pairs.iter().all(|(node, mate)| node == mate));
            let fingerprints = Fingerprints::of(&page);
            let compared = page.dom.subtree(page.dom.root()).filter(|&node| fingerprints.is_compared(node));
            prop_assert_eq!(pairs.len(), compared.count());
        }

        #[test]
        fn the_best_sum_is_the_best(fits in prop::collection::vec(-1i8..9, 25)) {
            let fit = |row: usize, column: usize| {
                let fit = fits[row * 5 + column];
                (fit > 0).then_some(f32::from(fit))
            };
            let mut table = Table::default();
            table.fill(5, 5, fit);
            let (mut sum, mut last) = (0.0, None);
            table.best(|row, column| {
                assert!(last.is_none_or(|(above, left)| row > above && column > left));
                last = Some((row, column));
                sum += fit(row, column).unwrap();
            });
            prop_assert_eq!(sum, best_by_trying(0, 0, &fit));
        }
    }

    fn best_by_trying(row: usize, column: usize, fit: &impl Fn(usize, usize) -> Option<f32>) -> f32 {
        if row == 5 || column == 5 {
            return 0.0;
        }
        let without = best_by_trying(row + 1, column, fit).max(best_by_trying(row, column + 1, fit));
        let with = fit(row, column).map(|own| own + best_by_trying(row + 1, column + 1, fit));
        with.map_or(without, |with| with.max(without))
    }
}
