//! The fitted model: how likely a block with these features is content.
//!
//! `model.txt` holds decision trees whose values are added up to log-odds. `build.rs` compiles it in.

use std::hint::select_unpredictable;

include!(concat!(env!("OUT_DIR"), "/model.rs"));

/// A tree: its first step, and the most steps to a leaf.
struct Tree {
    root: u16,
    levels: u16,
}

/// A step in a tree. Steps are in the order of a walk that goes left first.
struct Step {
    /// The feature to compare.
    feature: u16,
    /// Where values above the number go on; others go on with the next step.
    right: u16,
    number: f32,
}

/// Log-odds that are sure, and after how many trees to look.
const SURE: f32 = 4.0;
const AT_ONCE: usize = 20;

/// The probability that a block is content.
pub(crate) fn probability(features: &[f32]) -> f64 {
    let mut nats = 0.0;
    for trees in TREES.chunks(AT_ONCE) {
        nats += trees.iter().map(|tree| value(tree, features)).sum::<f32>();
        // The other trees would hardly change that.
        if nats.abs() > SURE {
            break;
        }
    }
    1.0 / (1.0 + f64::from(-nats).exp())
}

/// Takes the same number of steps whatever the values are, and without a branch, so that the processor can walk through
/// several trees at the same time.
fn value(tree: &Tree, features: &[f32]) -> f32 {
    let mut at = tree.root;
    for _ in 0..tree.levels {
        let step = &STEPS[usize::from(at)];
        // A model that is about to be fitted again may have other features.
        let value = features
            .get(usize::from(step.feature))
            .copied()
            .unwrap_or_default();
        at = select_unpredictable(value > step.number, step.right, at + 1);
    }
    VALUES[usize::from(at)]
}
