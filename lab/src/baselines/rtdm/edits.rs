//! The cheapest edits between two trees: inserting, deleting or relabelling a node costs 1 each.
//!
//! Two labelled pages in, their mapping out. Equal subtrees cost nothing and are not traversed.

use std::collections::HashMap;
use std::ops::Range;

use husk::dom::NodeId;

use super::Labelled;

/// How one page is mapped to another.
pub(super) struct Mapping {
    /// 1 if nothing must be edited, 0 if everything must.
    pub(super) similarity: f64,
    /// The pairs whose labels are equal.
    pub(super) unchanged: Vec<Pair>,
}

/// A node of the key page and one of the other page.
type Pair = (NodeId, NodeId);

/// Finds the mapping with the cheapest edits.
pub(super) fn cheapest(key: &Labelled<'_>, other: &Labelled<'_>) -> Mapping {
    let roots = (key.dom.root(), other.dom.root());
    let mut edits = Edits {
        key,
        other,
        known: HashMap::new(),
        spent: 0,
    };
    edits.weigh(roots);
    let size = key.size(roots.0) + other.size(roots.1);
    Mapping {
        similarity: 1.0 - f64::from(edits.cost(roots)) / f64::from(size.max(1)),
        unchanged: edits.unchanged(roots),
    }
}

/// Maximum number of pairs of children to try under one parent. Longer lists are cut into pieces, and each piece is
/// aligned with the corresponding one.
const MAX_TRIED: usize = 1 << 16;

/// Maximum number of pairs to try in all. Beyond it, a pair costs the difference of its sizes.
const MAX_TRIED_IN_ALL: usize = 1 << 24;

struct Edits<'a> {
    key: &'a Labelled<'a>,
    other: &'a Labelled<'a>,
    /// The computed costs of pairs.
    known: HashMap<Pair, u32>,
    /// Number of pairs tried.
    spent: usize,
}

impl Edits<'_> {
    /// Computes the cost of a pair, and before it of all pairs that may be mapped below it.
    fn weigh(&mut self, root: Pair) {
        let mut open = vec![root];
        while let Some(&pair) = open.last() {
            if self.known_cost(pair).is_some() || self.spent > MAX_TRIED_IN_ALL {
                open.pop();
                continue;
            }
            let lists = self.lists(pair);
            let before = open.len();
            for piece in lists.pieces() {
                self.spent += piece.pairs();
                open.extend(
                    lists
                        .tried(&piece)
                        .filter(|&below| self.known_cost(below).is_none()),
                );
            }
            if open.len() == before {
                let below: u32 = lists
                    .pieces()
                    .map(|piece| Table::of(self, &lists, piece).cost())
                    .sum();
                self.known.insert(pair, self.relabelling(pair) + below);
                open.pop();
            }
        }
    }

    /// The cost of a pair; an estimate if it was not computed.
    fn cost(&self, (node, mate): Pair) -> u32 {
        self.known_cost((node, mate)).unwrap_or_else(|| {
            self.relabelling((node, mate)) + self.key.size(node).abs_diff(self.other.size(mate))
        })
    }

    /// The cost of a pair, if it is known.
    fn known_cost(&self, (node, mate): Pair) -> Option<u32> {
        if self.key.labels.whole(node) == self.other.labels.whole(mate) {
            return Some(0);
        }
        let (below, other_below) = (self.key.size(node) - 1, self.other.size(mate) - 1);
        if below == 0 || other_below == 0 || !self.may_map_below((node, mate)) {
            return Some(self.relabelling((node, mate)) + below + other_below);
        }
        self.known.get(&(node, mate)).copied()
    }

    fn relabelling(&self, (node, mate): Pair) -> u32 {
        u32::from(self.key.labels.own(node) != self.other.labels.own(mate))
    }

    fn may_map_below(&self, (node, mate): Pair) -> bool {
        self.key.dom.kind(node) == self.other.dom.kind(mate)
            && self.key.dom.name(node) == self.other.dom.name(mate)
    }

    fn lists(&self, (node, mate): Pair) -> Lists {
        Lists::new(
            self.key.children(node),
            self.other.children(mate),
            |&(one, other)| self.key.labels.whole(one) == self.other.labels.whole(other),
        )
    }

    /// Collects the mapped pairs of the cheapest edits below a pair.
    fn unchanged(&self, root: Pair) -> Vec<Pair> {
        let mut unchanged = Vec::new();
        let mut open = vec![root];
        while let Some(pair) = open.pop() {
            if self.relabelling(pair) == 0 {
                unchanged.push(pair);
            }
            if self.may_map_below(pair) {
                let lists = self.lists(pair);
                open.extend(lists.equal());
                for piece in lists.pieces() {
                    open.extend(Table::of(self, &lists, piece).pairs(&lists));
                }
            }
        }
        unchanged
    }
}

/// The children of a pair: equal ones at both ends, the ones to align in between.
struct Lists {
    ones: Vec<NodeId>,
    others: Vec<NodeId>,
    /// How many are equal at the start, and at the end.
    start: usize,
    end: usize,
}

/// A part of both lists.
#[derive(Clone)]
struct Piece {
    ones: Range<usize>,
    others: Range<usize>,
}

impl Piece {
    fn pairs(&self) -> usize {
        self.ones.len() * self.others.len()
    }
}

impl Lists {
    fn new(ones: Vec<NodeId>, others: Vec<NodeId>, is_equal: impl Fn(&Pair) -> bool) -> Self {
        let pairs = || ones.iter().copied().zip(others.iter().copied());
        let start = pairs().take_while(&is_equal).count();
        let left = ones.len().min(others.len()) - start;
        let backwards = ones.iter().rev().copied().zip(others.iter().rev().copied());
        let end = backwards.take(left).take_while(&is_equal).count();
        Self {
            ones,
            others,
            start,
            end,
        }
    }

    /// The equal ones at both ends.
    fn equal(&self) -> impl Iterator<Item = Pair> {
        let start = self.ones[..self.start].iter().zip(&self.others[..self.start]);
        let (end, other_end) = (self.ones.len() - self.end, self.others.len() - self.end);
        let end = self.ones[end..].iter().zip(&self.others[other_end..]);
        start.chain(end).map(|(&one, &other)| (one, other))
    }

    /// The children to align, in pieces.
    fn pieces(&self) -> impl Iterator<Item = Piece> + use<> {
        let (start, end) = (self.start, self.end);
        let (ones, others) = (self.ones.len() - start - end, self.others.len() - start - end);
        let mut pieces = 1;
        while (ones / pieces + 1) * (others / pieces + 1) > MAX_TRIED && pieces < ones.max(others) {
            pieces *= 2;
        }
        let cut = move |length: usize, piece: usize| {
            start + (length as u64 * piece as u64 / pieces as u64) as usize
        };
        (0..pieces).map(move |piece| Piece {
            ones: cut(ones, piece)..cut(ones, piece + 1),
            others: cut(others, piece)..cut(others, piece + 1),
        })
    }

    /// All pairs of a piece.
    fn tried(&self, piece: &Piece) -> impl Iterator<Item = Pair> {
        let others = &self.others[piece.others.clone()];
        self.ones[piece.ones.clone()]
            .iter()
            .flat_map(move |&one| others.iter().map(move |&other| (one, other)))
    }
}

/// The alignment of a piece, by dynamic programming.
struct Table {
    piece: Piece,
    /// The cost of aligning each prefix of one list with each prefix of the other, row by row.
    cells: Vec<Cell>,
}

#[derive(Clone, Copy)]
struct Cell {
    cost: u32,
    last: Step,
}

/// The edit of the last child.
#[derive(Clone, Copy)]
enum Step {
    Pair,
    Delete,
    Insert,
}

impl Table {
    fn of(edits: &Edits<'_>, lists: &Lists, piece: Piece) -> Self {
        let width = piece.others.len() + 1;
        let mut cells = Vec::with_capacity((piece.ones.len() + 1) * width);
        let cell = |cost, last| Cell { cost, last };
        cells.push(cell(0, Step::Pair));
        for &other in &lists.others[piece.others.clone()] {
            let before = cells[cells.len() - 1].cost;
            cells.push(cell(before + edits.other.size(other), Step::Insert));
        }
        for &one in &lists.ones[piece.ones.clone()] {
            let deleting = edits.key.size(one);
            cells.push(cell(cells[cells.len() - width].cost + deleting, Step::Delete));
            for &other in &lists.others[piece.others.clone()] {
                let at = cells.len();
                let paired = cell(cells[at - width - 1].cost + edits.cost((one, other)), Step::Pair);
                let deleted = cell(cells[at - width].cost + deleting, Step::Delete);
                let inserted = cell(cells[at - 1].cost + edits.other.size(other), Step::Insert);
                // The first of equally cheap steps; pairing comes first.
                let best = [paired, deleted, inserted]
                    .into_iter()
                    .min_by_key(|cell| cell.cost);
                cells.push(best.unwrap_or(paired));
            }
        }
        Self { piece, cells }
    }

    fn cost(&self) -> u32 {
        self.cells[self.cells.len() - 1].cost
    }

    /// The paired children.
    fn pairs(&self, lists: &Lists) -> Vec<Pair> {
        let width = self.piece.others.len() + 1;
        let (mut row, mut column) = (self.piece.ones.len(), self.piece.others.len());
        let mut pairs = Vec::new();
        while row > 0 || column > 0 {
            match self.cells[row * width + column].last {
                Step::Pair => {
                    (row, column) = (row - 1, column - 1);
                    let (one, other) = (self.piece.ones.start + row, self.piece.others.start + column);
                    pairs.push((lists.ones[one], lists.others[other]));
                }
                Step::Delete => row -= 1,
                Step::Insert => column -= 1,
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::test_source::url;
    use husk::Page;

    fn mapping(one: &str, other: &str) -> (f64, usize) {
        let (one, other) = (Page::parse(url("/"), one), Page::parse(url("/"), other));
        let mapping = cheapest(&Labelled::of(&one), &Labelled::of(&other));
        (mapping.similarity, mapping.unchanged.len())
    }

    /// Checks the cost of edits below the body, and how many nodes stay.
    fn check(one: &str, other: &str, cost: u32, unchanged: usize) {
        let nodes = |html: &str| Labelled::of(&Page::parse(url("/"), html)).sizes[1] as f64;
        let (similarity, found) = mapping(one, other);
        let expect = 1.0 - f64::from(cost) / (nodes(one) + nodes(other));
        assert!((similarity - expect).abs() < 1e-9, "{similarity} is not {expect}");
        // html, head and body are always mapped.
        assert_eq!(found, unchanged + 3, "{one} and {other}");
    }

    #[test]
    fn counts_edits() {
        check("<p>a", "<p>a", 0, 2);
        check("<p>a", "<p>b", 1, 1);
        check("<p class=x>a", "<p>a", 1, 1);
        check("<p>a", "<p>a<i>b</i>", 2, 2);
        check("<p>a</p><b>c</b>", "<b>c</b>", 2, 2);
        // Relabelling both costs the same as deleting one and inserting it elsewhere, and is preferred.
        check("<i></i><b></b><u></u>", "<i></i><u></u><b></b>", 2, 1);
    }

    #[test]
    fn what_has_another_name_maps_nothing_below() {
        check("<div><b>x</b><b>y</b></div>", "<ul><b>x</b><b>y</b></ul>", 9, 0);
    }

    #[test]
    fn the_best_of_all_alignments_is_found() {
        let (_, unchanged) = mapping(
            "<div><p>1<p>2<p>3</div><div><p>4<p>5</div>",
            "<div><p>0</div><div><p>1<p>2<p>3</div><div><p>4<p>6</div>",
        );
        assert_eq!(unchanged, 3 + 7 + 4);
    }

    #[test]
    fn long_lists_and_deep_trees_end() {
        let list = |word: &str| format!("<ul>{}</ul>", format!("<li>{word}<b>x</b>").repeat(20_000));
        let (_, unchanged) = mapping(&list("a"), &list("b"));
        assert!(unchanged > 40_000, "{unchanged}");
        let wide =
            |word: &str| format!("<div>{}</div>", format!("<p>{word}<b>x</b>").repeat(300)).repeat(300);
        mapping(&wide("a"), &wide("b"));
        let deep = |word: &str| "<div>".repeat(100_000) + word;
        mapping(&deep("a"), &deep("b"));
    }
}
