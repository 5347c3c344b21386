//! The fitted model: how likely a block with these features is content.
//!
//! `model.txt` holds decision trees whose values are added up to log-odds. `build.rs` compiles it in.

include!(concat!(env!("OUT_DIR"), "/model.rs"));

/// A step in a tree. Steps are in the order of a walk that goes left first; a tree has `TREE` places for them.
#[derive(Clone, Copy)]
struct Step {
    /// The feature to compare; [`LEAF`] if the walk ends here.
    feature: u16,
    /// Where values above the number go on.
    right: u16,
    /// Other values go on with the next step; the value of a leaf.
    number: f32,
}

/// Marks a leaf.
const LEAF: u16 = u16::MAX;

/// Log-odds that are sure, and after how many trees to look.
const SURE: f32 = 4.0;
const AT_ONCE: usize = 20;

/// The features of a block. Their number is a power of two, so that the walks need no check of the index.
pub(crate) struct Features {
    values: [f32; MOST_FEATURES],
    count: usize,
}

const MOST_FEATURES: usize = 256;
const _: () = assert!(FEATURES <= MOST_FEATURES, "the model has too many features");

impl Features {
    pub(crate) fn new() -> Self {
        Self {
            values: [0.0; MOST_FEATURES],
            count: 0,
        }
    }

    /// Makes room for the features of the next block.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds the next feature.
    pub(crate) fn push(&mut self, value: f32) {
        if let Some(place) = self.values.get_mut(self.count) {
            *place = value;
            self.count += 1;
        }
    }

    /// The probability that the block is content.
    pub(crate) fn probability(&self) -> f64 {
        let mut nats = 0.0;
        for trees in TREES.chunks(AT_ONCE) {
            nats += trees.iter().map(|tree| self.value(tree)).sum::<f32>();
            // The other trees would hardly change that.
            if nats.abs() > SURE {
                break;
            }
        }
        1.0 / (1.0 + f64::from(-nats).exp())
    }

    fn value(&self, tree: &[Step; TREE]) -> f32 {
        let mut step = &tree[0];
        let mut at = 0;
        while step.feature != LEAF {
            let value = self.values[usize::from(step.feature) % MOST_FEATURES];
            at = if value <= step.number {
                at + 1
            } else {
                usize::from(step.right)
            };
            step = &tree[at % TREE];
        }
        step.number
    }
}
