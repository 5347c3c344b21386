//! Finds long texts that a page has twice, as for printing, for phones, or for machines.

use husk_dom::{Dom, NodeId, NodeKind};
use indexmap::IndexMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::numbers::{LONG_TEXT, LONGEST_PARAGRAPH, REPEATED};
use crate::blocks::{Block, Description};
use crate::measure::words;

/// Words that are compared together.
const RUN: usize = 4;

/// Removes the long blocks that other chosen blocks repeat: the longest first, and of equal ones the last.
pub(super) fn remove(dom: &Dom, page: &Description, is_chosen: &mut [bool]) {
    let blocks = &page.blocks;
    let may_be_repeated = |&number: &usize| {
        let words = blocks.list[number].counts.words;
        // Copies of a text begin alike, unless one is cut into paragraphs.
        is_chosen[number] && (words >= LONGEST_PARAGRAPH || (words >= LONG_TEXT && page.has_twin(number)))
    };
    let mut long: Vec<usize> = (0..is_chosen.len()).filter(may_be_repeated).collect();
    if long.is_empty() {
        return;
    }
    long.sort_by_key(|&number| (blocks.list[number].counts.words, number));
    let mut times: IndexMap<u64, usize> = IndexMap::new();
    for (block, _) in blocks
        .list
        .iter()
        .zip(&*is_chosen)
        .filter(|(_, is_chosen)| **is_chosen)
    {
        runs(dom, block).for_each(|run| *times.entry(run).or_default() += 1);
    }
    for number in long.into_iter().rev() {
        let block = &blocks.list[number];
        let mut own: Vec<u64> = runs(dom, block).collect();
        own.sort_unstable();
        // What a text repeats in itself does not count.
        let is_elsewhere = |same: &&[u64]| times.get(&same[0]).is_some_and(|&times| times > same.len());
        let elsewhere: usize = own
            .chunk_by(|one, other| one == other)
            .filter(is_elsewhere)
            .map(<[u64]>::len)
            .sum();
        if elsewhere as f64 >= REPEATED * own.len() as f64 {
            is_chosen[number] = false;
            for run in own {
                if let Some(times) = times.get_mut(&run) {
                    *times -= 1;
                }
            }
        }
    }
}

/// Hashes of each run of words in a block.
fn runs(dom: &Dom, block: &Block) -> impl Iterator<Item = u64> {
    let nodes = (block.first.index()..=block.last.index()).map(NodeId::from_index);
    let texts = nodes.filter(|&node| dom.kind(node) == NodeKind::Text);
    let hash = |word: &str| xxh3_64_with_seed(word.as_bytes(), 0);
    let mut last = [0; RUN];
    texts
        .flat_map(|node| words(dom.text_of(node)))
        .map(move |word| {
            last.rotate_left(1);
            last[RUN - 1] = hash(word);
            last.iter()
                .fold(0u64, |all, &word| all.rotate_left(7).wrapping_mul(31) ^ word)
        })
        .skip(RUN - 1)
}
