//! The fitted model: how likely a block with these features is content.
//!
//! `model.txt` holds decision trees whose values are added up to log-odds. `build.rs` compiles it in.

include!(concat!(env!("OUT_DIR"), "/model.rs"));

/// A tree. Its leaves are numbered from left to right.
struct Tree {
    tests: [Test; TESTS],
    leaves: [f32; LEAVES],
}

/// A place in a tree where a walk goes left or right. All tests of a tree are made, whatever the others say: that needs no
/// branches, and several blocks are tested at once.
#[derive(Clone, Copy)]
struct Test {
    /// The feature to compare. Values up to the number go left.
    feature: u16,
    number: f32,
    /// One bit for each leaf that a walk to the right may reach: all but those on the left.
    right: u32,
}

/// Log-odds that are sure, and after how many trees to look.
const SURE: f32 = 4.0;
const AT_ONCE: usize = 20;

/// Blocks that are looked at together: two vectors of every processor.
const BLOCKS: usize = 8;

/// The features of some blocks. The number of features is a power of two, so that tests need no check of the index.
pub(crate) struct Features {
    /// The numbers of the blocks.
    blocks: [usize; BLOCKS],
    count: usize,
    values: [[f32; BLOCKS]; MOST_FEATURES],
}

const MOST_FEATURES: usize = 256;
const _: () = assert!(FEATURES <= MOST_FEATURES, "the model has too many features");

impl Features {
    pub(crate) fn new() -> Self {
        Self {
            blocks: [0; BLOCKS],
            count: 0,
            values: [[0.0; BLOCKS]; MOST_FEATURES],
        }
    }

    /// Adds a block. What is returned takes its features in their order.
    pub(crate) fn add(&mut self, block: usize) -> impl FnMut(f32) {
        let place = self.count % BLOCKS;
        self.blocks[place] = block;
        self.count = place + 1;
        let mut values = self.values.iter_mut();
        move |value| {
            if let Some(values) = values.next() {
                values[place] = value;
            }
        }
    }

    /// Whether there is no room for another block.
    pub(crate) fn is_full(&self) -> bool {
        self.count == BLOCKS
    }

    /// Calls `take` with the number of each block and the probability that it is content, and makes room for others.
    pub(crate) fn drain(&mut self, mut take: impl FnMut(usize, f64)) {
        if self.count == 0 {
            return;
        }
        let nats = self.nats();
        for (&block, nats) in self.blocks.iter().zip(nats).take(self.count) {
            take(block, 1.0 / (1.0 + f64::from(-nats).exp()));
        }
        self.count = 0;
    }

    /// The log-odds of each block.
    fn nats(&self) -> [f32; BLOCKS] {
        let mut nats = [0.0; BLOCKS];
        let mut is_open = std::array::from_fn::<bool, BLOCKS, _>(|place| place < self.count);
        for trees in TREES.chunks(AT_ONCE) {
            let mut sums = [0.0; BLOCKS];
            for tree in trees {
                for (sum, reached) in sums.iter_mut().zip(self.reached(tree)) {
                    *sum += tree.leaves[reached.trailing_zeros() as usize % LEAVES];
                }
            }
            for ((nats, sum), is_open) in nats.iter_mut().zip(sums).zip(&mut is_open) {
                if *is_open {
                    *nats += sum;
                    // The other trees would hardly change that.
                    *is_open = nats.abs() <= SURE;
                }
            }
            if !is_open.contains(&true) {
                break;
            }
        }
        nats
    }

    /// One bit for each leaf that no test rules out, for each block: the lowest one is where the walk ends.
    // The compiler makes vectors of it only where it stands alone.
    #[inline(never)]
    fn reached(&self, tree: &Tree) -> [u32; BLOCKS] {
        let mut reached = [u32::MAX; BLOCKS];
        for test in &tree.tests {
            let values = &self.values[usize::from(test.feature) % MOST_FEATURES];
            for (reached, &value) in reached.iter_mut().zip(values) {
                // Without branches: all bits if it goes left.
                *reached &= u32::from(value <= test.number).wrapping_neg() | test.right;
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = include_str!("../../model.txt");

    /// The value of a tree, by a walk through its lines: past the first branch where a value is larger.
    fn walk(lines: &[&str], values: &[f32]) -> f32 {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let mut at = 0;
        loop {
            let Some((name, number)) = lines[at].trim().split_once(" <= ") else {
                return lines[at].trim().parse().unwrap();
            };
            let feature = NAMES.iter().position(|known| *known == name).unwrap();
            at += 1;
            if values[feature] > number.parse().unwrap() {
                let below = indent(lines[at]);
                let branch = lines[at + 1..].iter().take_while(|line| indent(line) > below);
                at += 1 + branch.count();
            }
        }
    }

    fn probability(values: &[f32]) -> f64 {
        let trees: Vec<Vec<&str>> = MODEL
            .split("\ntree\n")
            .skip(1)
            .map(|tree| tree.lines().collect())
            .collect();
        let mut nats = 0.0;
        for trees in trees.chunks(AT_ONCE) {
            nats += trees.iter().map(|tree| walk(tree, values)).sum::<f32>();
            if nats.abs() > SURE {
                break;
            }
        }
        1.0 / (1.0 + f64::from(-nats).exp())
    }

    #[test]
    fn blocks_are_judged_as_by_walks_through_each_tree() {
        // More than fit into one batch, with numbers of all sizes.
        let mut state = 1u32;
        let mut number = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let size = [1.0, 8.0, 100.0, 3_000.0][(state >> 30) as usize];
            size * (state >> 8 & 0xFFFF) as f32 / 65_535.0
        };
        let blocks: Vec<Vec<f32>> = (0..2 * BLOCKS + 3)
            .map(|_| (0..FEATURES).map(|_| number()).collect())
            .collect();
        let mut found = vec![0.0; blocks.len()];
        let mut features = Features::new();
        for (number, values) in blocks.iter().enumerate() {
            let mut push = features.add(number);
            values.iter().for_each(|&value| push(value));
            drop(push);
            if features.is_full() {
                features.drain(|number, probability| found[number] = probability);
            }
        }
        features.drain(|number, probability| found[number] = probability);
        let expect: Vec<f64> = blocks.iter().map(|values| probability(values)).collect();
        assert_eq!(found, expect);
    }
}
