//! Finds texts that a page has twice, as for printing, for phones, or for machines.

use husk_dom::{Dom, NodeId, NodeKind, name};
use indexmap::IndexMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::numbers::{LEAST_COPY, LONG_TEXT, LONGEST_PARAGRAPH, REPEATED};
use crate::blocks::{Block, Description};
use crate::measure::words;

/// Words that are compared together.
const RUN: usize = 4;

/// Removes the blocks that other chosen blocks repeat.
pub(super) fn remove(dom: &Dom, page: &Description, is_chosen: &mut [bool]) {
    remove_long(dom, page, is_chosen);
    remove_copies(dom, page, is_chosen);
}

/// Removes the second of two parts with the same texts one after the other. Beside the first, as a chorus, in a list, a table or
/// a quote, a text is meant to be there again.
fn remove_copies(dom: &Dom, page: &Description, is_chosen: &mut [bool]) {
    let blocks = &page.blocks.list;
    let is_quoted = |block: &Block| dom.ancestors(block.first).any(|above| is_said_again(dom, above));
    let texts: Vec<usize> = (0..blocks.len())
        .filter(|&number| is_chosen[number] && blocks[number].counts.words >= LEAST_COPY)
        .filter(|&number| !is_quoted(&blocks[number]))
        .collect();
    let mut first: IndexMap<u64, usize> = IndexMap::new();
    let originals: Vec<usize> = texts
        .iter()
        .enumerate()
        .map(|(at, &number)| {
            if !page.has_twin(number) {
                return at;
            }
            let text = blocks[number].text(dom);
            let hash = words(&text).fold(0, |hash, word| xxh3_64_with_seed(word.as_bytes(), hash));
            *first.entry(hash).or_insert(at)
        })
        .collect();
    let parent = |at: usize| dom.parent(blocks[texts[at]].element);
    let is_copy = |at: usize| originals[at] != at && parent(originals[at]) != parent(at);
    let follows = |at: usize| is_copy(at) && is_copy(at + 1) && originals[at] + 1 == originals[at + 1];
    for (at, &number) in texts.iter().enumerate() {
        if at > 0 && follows(at - 1) || at + 1 < texts.len() && follows(at) {
            is_chosen[number] = false;
        }
    }
}

fn is_said_again(dom: &Dom, node: NodeId) -> bool {
    matches!(
        *dom.name(node),
        name!("blockquote") | name!("dd") | name!("li") | name!("pre") | name!("table")
    )
}

/// Removes the long blocks that other chosen blocks repeat: the longest first, and of equal ones the last.
fn remove_long(dom: &Dom, page: &Description, is_chosen: &mut [bool]) {
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
