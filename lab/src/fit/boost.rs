//! Boosted decision trees for probabilities: rows of numbers with the share of each that is meant in, [`Trees`] out.
//!
//! Trees grow leaf by leaf where that lowers the log loss most. Numbers are compared as bins, at most [`BINS`] for each
//! feature. The same rows give the same trees.

use std::fmt::Write;
use std::thread;

/// Rows of numbers, column by column as bins.
pub(super) struct Table {
    /// The upper bounds of each feature's bins.
    bounds: Vec<Vec<f32>>,
    columns: Vec<Vec<u8>>,
    rows: usize,
}

const BINS: usize = 64;

/// How trees are grown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    pub(super) trees: usize,
    pub(super) leaves: usize,
    pub(super) rate: f64,
    /// The share of features that a tree may use, and the share of rows that it sees.
    pub(super) features: f64,
    pub(super) sample: f64,
    pub(super) least_rows: usize,
    /// The least weight of a leaf.
    pub(super) least_weight: f64,
}

/// A fitted sum of trees.
pub(super) struct Trees(Vec<Vec<Step>>);

/// A step of a tree, in the order of a walk that goes left first.
enum Step {
    Split {
        feature: usize,
        bound: f32,
        right: usize,
    },
    Leaf(f64),
}

impl Table {
    /// Takes rows one after the other, each with a number for each feature.
    pub(super) fn new(rows: &[&[f32]], features: usize) -> Self {
        let bounds: Vec<Vec<f32>> = (0..features)
            .map(|feature| bounds(rows.iter().map(|row| row[feature])))
            .collect();
        let column = |feature: usize| {
            let bounds: &Vec<f32> = &bounds[feature];
            let bin = |row: &&[f32]| bounds.partition_point(|&bound| bound < row[feature]) as u8;
            rows.iter().map(bin).collect()
        };
        Self {
            columns: (0..features).map(column).collect(),
            rows: rows.len(),
            bounds,
        }
    }
}

/// Bounds between bins of about the same number of rows; the last bin has none.
fn bounds(values: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut sorted: Vec<f32> = values.collect();
    sorted.sort_by(f32::total_cmp);
    let step = sorted.len().div_ceil(BINS);
    let mut bounds: Vec<f32> = Vec::new();
    let mut filled = 0;
    for group in sorted.chunk_by(|one, other| one == other) {
        filled += group.len();
        if filled >= step {
            bounds.push(group[0]);
            filled = 0;
        }
    }
    let last = sorted.last().copied();
    bounds.retain(|&bound| Some(bound) != last);
    bounds.truncate(BINS - 1);
    bounds
}

/// The sums of a bin: of gradients, of curvatures, and the rows.
#[derive(Clone, Copy, Default)]
struct Sum {
    gradient: f64,
    curvature: f64,
    rows: u32,
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.gradient += other.gradient;
        self.curvature += other.curvature;
        self.rows += other.rows;
    }

    fn minus(self, other: Self) -> Self {
        Self {
            gradient: self.gradient - other.gradient,
            curvature: self.curvature - other.curvature,
            rows: self.rows - other.rows,
        }
    }

    /// How much the loss falls if these rows get their best value.
    fn gain(self) -> f64 {
        self.gradient * self.gradient / (self.curvature + 1e-3)
    }
}

/// A leaf while its tree grows.
struct Open {
    /// Where it hangs: the number of its node.
    node: usize,
    rows: Vec<u32>,
    sums: Vec<Vec<Sum>>,
    split: Option<Candidate>,
}

#[derive(Clone, Copy)]
struct Candidate {
    gain: f64,
    feature: usize,
    bin: usize,
}

/// A node while its tree grows.
enum Node {
    Leaf(f64),
    Split {
        feature: usize,
        bin: usize,
        left: usize,
        right: usize,
    },
}

impl Trees {
    /// Fits trees to rows that are meant by the share `labels`.
    pub(super) fn fit(table: &Table, labels: &[f32], weights: &[f32], settings: Settings) -> Self {
        let mut nats = vec![0.0f64; table.rows];
        let mut trees = Vec::new();
        let mut chance = Chance(1);
        for _ in 0..settings.trees {
            let gradients: Vec<(f32, f32)> = nats
                .iter()
                .zip(labels.iter().zip(weights))
                .map(|(nats, (&label, &weight))| {
                    let probability = 1.0 / (1.0 + (-nats).exp());
                    let slope = probability - f64::from(label);
                    let curvature = (probability * (1.0 - probability)).max(1e-6);
                    (weight * slope as f32, weight * curvature as f32)
                })
                .collect();
            let features: Vec<usize> = (0..table.columns.len())
                .filter(|_| chance.next() < settings.features)
                .collect();
            let rows: Vec<u32> = (0..table.rows as u32)
                .filter(|&row| weights[row as usize] > 0.0 && chance.next() < settings.sample)
                .collect();
            let nodes = grow(table, &gradients, rows, &features, settings);
            for (row, nats) in nats.iter_mut().enumerate() {
                *nats += settings.rate * value(table, &nodes, row);
            }
            let mut tree = Vec::new();
            write_steps(table, &nodes, 0, settings.rate, &mut tree);
            trees.push(tree);
        }
        Self(trees)
    }

    /// The probability that a row is meant.
    pub(super) fn probability(&self, row: &[f32]) -> f64 {
        let nats: f64 = self.0.iter().map(|tree| leaf(tree, row)).sum();
        1.0 / (1.0 + (-nats).exp())
    }

    /// The trees as text, in the format of `model.txt`.
    pub(super) fn text(&self, names: &[String]) -> String {
        let mut out = String::new();
        for tree in &self.0 {
            out.push_str("\ntree\n");
            let mut open: Vec<usize> = Vec::new();
            let mut depth = 0;
            for step in tree {
                let indent = "  ".repeat(depth);
                // Writing to a string does not fail.
                let _ = match step {
                    Step::Split { feature, bound, .. } => {
                        writeln!(out, "{indent}{} <= {bound}", names[*feature])
                    }
                    Step::Leaf(value) => writeln!(out, "{indent}{value:.4}"),
                };
                match step {
                    Step::Split { .. } => {
                        depth += 1;
                        open.push(depth);
                    }
                    Step::Leaf(_) => depth = open.pop().unwrap_or(0),
                }
            }
        }
        out
    }
}

fn leaf(tree: &[Step], row: &[f32]) -> f64 {
    let mut at = 0;
    loop {
        match tree[at] {
            Step::Leaf(value) => return value,
            Step::Split {
                feature,
                bound,
                right,
            } => at = if row[feature] <= bound { at + 1 } else { right },
        }
    }
}

fn write_steps(table: &Table, nodes: &[Node], node: usize, rate: f64, out: &mut Vec<Step>) {
    match nodes[node] {
        Node::Leaf(value) => out.push(Step::Leaf(rate * value)),
        Node::Split {
            feature,
            bin,
            left,
            right,
        } => {
            let at = out.len();
            out.push(Step::Split {
                feature,
                bound: table.bounds[feature][bin],
                right: 0,
            });
            write_steps(table, nodes, left, rate, out);
            let begin = out.len();
            if let Step::Split { right, .. } = &mut out[at] {
                *right = begin;
            }
            write_steps(table, nodes, right, rate, out);
        }
    }
}

fn value(table: &Table, nodes: &[Node], row: usize) -> f64 {
    let mut at = 0;
    loop {
        match nodes[at] {
            Node::Leaf(value) => return value,
            Node::Split {
                feature,
                bin,
                left,
                right,
            } => {
                let is_left = usize::from(table.columns[feature][row]) <= bin;
                at = if is_left { left } else { right };
            }
        }
    }
}

/// Grows one tree.
fn grow(
    table: &Table,
    gradients: &[(f32, f32)],
    rows: Vec<u32>,
    features: &[usize],
    settings: Settings,
) -> Vec<Node> {
    let mut nodes = vec![Node::Leaf(0.0)];
    let sums = sums_of(table, gradients, &rows, features);
    let root = Open {
        node: 0,
        split: best(&sums, settings),
        rows,
        sums,
    };
    nodes[0] = Node::Leaf(best_value(&root));
    let mut open = vec![root];
    for _ in 1..settings.leaves {
        let best_of = |open: &Open| open.split.map_or(0.0, |split| split.gain);
        let next =
            (0..open.len()).max_by(|&one, &other| best_of(&open[one]).total_cmp(&best_of(&open[other])));
        let Some((leaf, split)) = next
            .filter(|&at| open[at].split.is_some())
            .map(|at| open.swap_remove(at))
            .and_then(|leaf| leaf.split.map(|split| (leaf, split)))
        else {
            break;
        };
        let column = &table.columns[features[split.feature]];
        let (left, right): (Vec<u32>, Vec<u32>) = leaf
            .rows
            .iter()
            .partition(|&&row| usize::from(column[row as usize]) <= split.bin);
        // The sums of the larger side are the difference.
        let (smaller, larger, is_left_smaller) = if left.len() <= right.len() {
            (left, right, true)
        } else {
            (right, left, false)
        };
        let of_smaller = sums_of(table, gradients, &smaller, features);
        let of_larger = leaf
            .sums
            .iter()
            .zip(&of_smaller)
            .map(|(all, part)| all.iter().zip(part).map(|(all, &part)| all.minus(part)).collect())
            .collect();
        let at = nodes.len();
        let mut add = |rows, sums: Vec<Vec<Sum>>, node| {
            open.push(Open {
                node,
                rows,
                split: best(&sums, settings),
                sums,
            });
            best_value(&open[open.len() - 1])
        };
        let (small_at, large_at) = if is_left_smaller {
            (at, at + 1)
        } else {
            (at + 1, at)
        };
        let small = add(smaller, of_smaller, small_at);
        let large = add(larger, of_larger, large_at);
        let (left, right) = if is_left_smaller {
            (small, large)
        } else {
            (large, small)
        };
        nodes.push(Node::Leaf(left));
        nodes.push(Node::Leaf(right));
        nodes[leaf.node] = Node::Split {
            feature: features[split.feature],
            bin: split.bin,
            left: at,
            right: at + 1,
        };
    }
    nodes
}

fn best_value(leaf: &Open) -> f64 {
    let all = leaf.sums.first().map_or(Sum::default(), |sums| total(sums));
    -all.gradient / (all.curvature + 1e-3)
}

fn total(sums: &[Sum]) -> Sum {
    let mut all = Sum::default();
    sums.iter().for_each(|&sum| all.add(sum));
    all
}

/// The sums of each bin of each feature over some rows, on two threads.
fn sums_of(table: &Table, gradients: &[(f32, f32)], rows: &[u32], features: &[usize]) -> Vec<Vec<Sum>> {
    let of_feature = |&feature: &usize| {
        let column = &table.columns[feature];
        let mut sums = vec![Sum::default(); BINS];
        for &row in rows {
            let (gradient, curvature) = gradients[row as usize];
            let sum = &mut sums[usize::from(column[row as usize])];
            sum.gradient += f64::from(gradient);
            sum.curvature += f64::from(curvature);
            sum.rows += 1;
        }
        sums
    };
    let (one, other) = features.split_at(features.len() / 2);
    thread::scope(|scope| {
        let behind = scope.spawn(|| other.iter().map(of_feature).collect::<Vec<_>>());
        let mut all: Vec<Vec<Sum>> = one.iter().map(of_feature).collect();
        all.extend(behind.join().unwrap_or_default());
        all
    })
}

/// The best split of a leaf.
fn best(sums: &[Vec<Sum>], settings: Settings) -> Option<Candidate> {
    let mut best: Option<Candidate> = None;
    for (feature, sums) in sums.iter().enumerate() {
        let all = total(sums);
        let mut left = Sum::default();
        for (bin, &sum) in sums.iter().enumerate().take(BINS - 1) {
            left.add(sum);
            let right = all.minus(left);
            let is_large = |side: Sum| {
                side.rows as usize >= settings.least_rows && side.curvature >= settings.least_weight
            };
            let gain = left.gain() + right.gain() - all.gain();
            if is_large(left) && is_large(right) && gain > best.map_or(1e-6, |best| best.gain) {
                best = Some(Candidate { gain, feature, bin });
            }
        }
    }
    best
}

/// Numbers between 0 and 1 that look random and are always the same.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_learn_what_depends_on_two_numbers() {
        let rows: Vec<Vec<f32>> = (0..2000)
            .map(|row| vec![(row % 40) as f32, (row / 40) as f32, (row % 7) as f32])
            .collect();
        let is_meant = |row: &[f32]| (row[0] < 20.0) != (row[1] < 25.0);
        let labels: Vec<f32> = rows
            .iter()
            .map(|row| f32::from(u8::from(is_meant(row))))
            .collect();
        let slices: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
        let settings = Settings {
            trees: 30,
            leaves: 6,
            rate: 0.3,
            features: 1.0,
            sample: 0.9,
            least_rows: 20,
            least_weight: 0.1,
        };
        let trees = Trees::fit(&Table::new(&slices, 3), &labels, &vec![1.0; rows.len()], settings);
        let right = rows
            .iter()
            .filter(|row| (trees.probability(row) > 0.5) == is_meant(row))
            .count();
        assert!(right > 1980, "{right}");
        let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        let text = trees.text(&names);
        assert_eq!(text.matches("tree").count(), 30);
        assert!(text.contains("a <= ") && text.contains("b <= "));
    }
}
