//! The fitted model: how likely a block with these features is content.
//!
//! `model.txt` holds decision trees whose values are added up to log-odds. `build.rs` compiles it in.

include!(concat!(env!("OUT_DIR"), "/model.rs"));

/// A step in a tree. Nodes are in the order of a walk that goes left first.
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

/// The probability that a block is content.
pub(crate) fn probability(features: &[f32]) -> f64 {
    let mut nats = 0.0;
    for roots in ROOTS.chunks(AT_ONCE) {
        nats += roots.iter().map(|&root| value(root, features)).sum::<f32>();
        // The other trees would hardly change that.
        if nats.abs() > SURE {
            break;
        }
    }
    1.0 / (1.0 + f64::from(-nats).exp())
}

fn value(root: u16, features: &[f32]) -> f32 {
    let mut at = root;
    loop {
        let step = &STEPS[usize::from(at)];
        if step.feature == LEAF {
            return step.number;
        }
        // A model that is about to be fitted again may have other features.
        let value = features
            .get(usize::from(step.feature))
            .copied()
            .unwrap_or_default();
        at = if value <= step.number { at + 1 } else { step.right };
    }
}
