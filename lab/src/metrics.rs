//! Precision, recall and F1 of a [`FoundPart`] against [`Gold`] labels.

use std::collections::HashMap;
use std::sync::LazyLock;

use husk_dom::{Dom, NodeId, NodeKind, name};
use regex::Regex;
use serde::Serialize;

use crate::found_part::FoundPart;
use crate::gold::Gold;
use crate::part::Part;

/// Precision, recall and F1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    /// The share of found items that are correct.
    pub precision: f64,
    /// The share of correct items that were found.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

impl Score {
    /// The score of `hits` correct items among `found`, of `gold` correct items in all.
    ///
    /// Finding nothing scores 1 if there is nothing to find, else 0.
    pub fn of_counts(hits: usize, found: usize, gold: usize) -> Self {
        let share = |of: usize| hits as f64 / of as f64;
        let precision = match (found, gold) {
            (0, 0) => 1.0,
            (0, _) => 0.0,
            _ => share(found),
        };
        let recall = if gold == 0 { 1.0 } else { share(gold) };
        let sum = precision + recall;
        let f1 = if sum == 0.0 {
            0.0
        } else {
            2.0 * precision * recall / sum
        };
        Self {
            precision,
            recall,
            f1,
        }
    }

    /// The mean of each number; zero for no scores.
    pub fn mean(scores: impl Iterator<Item = Self> + Clone) -> Self {
        Self {
            precision: mean(scores.clone().map(|score| score.precision)),
            recall: mean(scores.clone().map(|score| score.recall)),
            f1: mean(scores.map(|score| score.f1)),
        }
    }
}

/// The mean; zero for no values.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

/// Scores over nodes, words and links.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Scores {
    /// Over elements and texts.
    pub nodes: Score,
    /// Over the words of the texts, as a multiset.
    pub words: Score,
    /// Over links: `a` elements with `href`.
    pub links: Score,
}

impl Scores {
    /// Scores a part of a page. Words are those of its printed text, if it has one.
    pub(crate) fn of(dom: &Dom, gold: &Gold, part: Part, found: &FoundPart) -> Self {
        let judged: Vec<_> = gold
            .nodes
            .iter()
            .map(|&(node, label)| Judged {
                node,
                is_found: found.nodes.contains(node),
                is_gold: label.is(part),
            })
            .collect();
        Self {
            nodes: score_nodes(judged.iter()),
            words: score_words(dom, &judged, found.text.as_deref()),
            links: score_nodes(judged.iter().filter(|judged| is_link(dom, judged.node))),
        }
    }
}

/// A scored node, whether it was found, and whether its label says so.
struct Judged {
    node: NodeId,
    is_found: bool,
    is_gold: bool,
}

fn score_nodes<'a>(nodes: impl Iterator<Item = &'a Judged>) -> Score {
    let (mut hits, mut found, mut gold) = (0, 0, 0);
    for node in nodes {
        hits += usize::from(node.is_found && node.is_gold);
        found += usize::from(node.is_found);
        gold += usize::from(node.is_gold);
    }
    Score::of_counts(hits, found, gold)
}

fn is_link(dom: &Dom, node: NodeId) -> bool {
    dom.is_element(node, &name!("a")) && dom.attribute(node, &name!("href")).is_some()
}

fn score_words(dom: &Dom, judged: &[Judged], printed: Option<&str>) -> Score {
    let texts = || {
        judged
            .iter()
            .filter(|judged| dom.kind(judged.node) == NodeKind::Text)
    };
    let text = |judged: &Judged| dom.text_of(judged.node);
    let found = match printed {
        Some(printed) => Words::of([printed].into_iter()),
        None => Words::of(texts().filter(|judged| judged.is_found).map(text)),
    };
    let gold = Words::of(texts().filter(|judged| judged.is_gold).map(text));
    Score::of_counts(found.shared(&gold), found.total(), gold.total())
}

/// The multiset of words in texts.
///
/// A word is a run of letters, digits and underscores, in lower case. Each Chinese or Japanese character is a word.
#[derive(Debug, Default)]
struct Words(HashMap<String, usize>);

impl Words {
    fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        static WORD: LazyLock<Regex> = LazyLock::new(|| {
            const CJK: &str = r"\u{3040}-\u{30ff}\u{3400}-\u{9fff}\u{f900}-\u{faff}";
            Regex::new(&format!(r"[{CJK}]|[\p{{L}}\p{{N}}_--[{CJK}]]+")).expect("the pattern is well-formed")
        });
        let mut words = Self::default();
        for text in texts {
            for word in WORD.find_iter(&text.to_lowercase()) {
                *words.0.entry(word.as_str().to_owned()).or_default() += 1;
            }
        }
        words
    }

    fn total(&self) -> usize {
        self.0.values().sum()
    }

    fn shared(&self, other: &Self) -> usize {
        let count = |word| other.0.get(word).copied().unwrap_or_default();
        self.0.iter().map(|(word, &times)| times.min(count(word))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Labels;
    use crate::css::Selector;
    use husk::NodeSet;

    #[track_caller]
    fn check_counts(hits: usize, found: usize, gold: usize, expect: [f64; 3]) {
        let score = Score::of_counts(hits, found, gold);
        assert_eq!([score.precision, score.recall, score.f1], expect);
    }

    #[test]
    fn scores_are_shares_of_counts() {
        check_counts(3, 4, 6, [0.75, 0.5, 0.6]);
        check_counts(2, 2, 2, [1.0, 1.0, 1.0]);
        check_counts(0, 4, 6, [0.0, 0.0, 0.0]);
    }

    #[test]
    fn nothing_found_or_nothing_to_find() {
        check_counts(0, 0, 6, [0.0, 0.0, 0.0]);
        check_counts(0, 4, 0, [0.0, 1.0, 0.0]);
        check_counts(0, 0, 0, [1.0, 1.0, 1.0]);
    }

    #[test]
    fn means_are_taken_part_by_part() {
        let scores = [Score::of_counts(3, 4, 6), Score::of_counts(2, 2, 2)];
        let mean = Score::mean(scores.into_iter());
        assert_eq!([mean.precision, mean.recall, mean.f1], [0.875, 0.75, 0.8]);
        assert_eq!(Score::mean([].into_iter()).f1, 0.0);
    }

    #[track_caller]
    fn check_words(text: &str, expect: &[&str]) {
        let words = Words::of([text].into_iter());
        let mut found: Vec<_> = words.0.into_iter().collect();
        found.sort();
        let mut counted: HashMap<String, usize> = HashMap::new();
        for word in expect {
            *counted.entry((*word).to_owned()).or_default() += 1;
        }
        let mut counted: Vec<_> = counted.into_iter().collect();
        counted.sort();
        assert_eq!(found, counted, "{text}");
    }

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        check_words(
            "The the cat-like snake_case, 3.5 ½",
            &["the", "the", "cat", "like", "snake_case", "3", "5", "½"],
        );
        check_words("日本語 abc漢字x", &["日", "本", "語", "abc", "漢", "字", "x"]);
        // A vowel sign is not a letter: Python splits at it.
        check_words("كَتب ΟΔΟΣ", &["ك", "تب", "οδος"]);
        check_words(" —  … ", &[]);
    }

    #[test]
    fn a_template_is_scored_by_nodes_words_and_links() {
        let html = "<ul><li><a href=/>home home</a><li><a>page</a></ul><p>the <a href=/x>home</a> of";
        let dom = Dom::parse(html);
        let labels = Labels {
            not_template: vec![Selector::parse("p").unwrap()],
            ..Labels::default()
        };
        let gold = Gold::of(&dom, &labels);
        // Template are body, ul, li, a, text, li, a, text: 8 nodes, 3 words, 1 link.
        let score = |is_found: &dyn Fn(NodeId) -> bool| {
            let mut nodes = NodeSet::none(&dom);
            dom.nodes()
                .filter(|&node| is_found(node))
                .for_each(|node| nodes.insert(node));
            Scores::of(&dom, &gold, Part::Template, &FoundPart { nodes, text: None })
        };
        let everything = score(&|_| true);
        assert_eq!(everything.nodes, Score::of_counts(8, 13, 8));
        assert_eq!(everything.words, Score::of_counts(3, 6, 3));
        assert_eq!(everything.links, Score::of_counts(1, 2, 1));
        let is_in_p = |node| {
            dom.ancestors(node)
                .any(|above| dom.is_element(above, &name!("p")))
        };
        // FoundPart are 3 texts with "the", "home" and "of" and one link, of which "home" stands in the template too.
        let wrong = score(&is_in_p);
        assert_eq!(wrong.nodes, Score::of_counts(0, 4, 8));
        assert_eq!(wrong.words, Score::of_counts(1, 3, 3));
        assert_eq!(wrong.links, Score::of_counts(0, 1, 1));
        assert_eq!(score(&|_| false).nodes.f1, 0.0);
    }

    #[test]
    fn every_part_has_its_labels_and_a_printed_text_its_words() {
        let dom = Dom::parse("<ul><li><a href=/>home</a></ul><main><h1>cat</h1></main>");
        let labels = Labels {
            main_menu: vec![Selector::parse("ul").unwrap()],
            main_content: vec![Selector::parse("main").unwrap()],
            ..Labels::default()
        };
        let gold = Gold::of(&dom, &labels);
        let check = |part, printed: Option<&str>, nodes: [usize; 3], words: [usize; 3]| {
            let found = FoundPart {
                nodes: NodeSet::all(&dom),
                text: printed.map(str::to_owned),
            };
            let scores = Scores::of(&dom, &gold, part, &found);
            let score = |[hits, found, gold]: [usize; 3]| Score::of_counts(hits, found, gold);
            assert_eq!(
                (scores.nodes, scores.words),
                (score(nodes), score(words)),
                "{part:?}"
            );
        };
        check(Part::Menu, None, [4, 8, 4], [1, 2, 1]);
        check(Part::Content, None, [3, 8, 3], [1, 2, 1]);
        check(Part::Content, Some("The cat"), [3, 8, 3], [1, 2, 1]);
        check(Part::ContentAlone, Some("cat"), [3, 8, 3], [1, 1, 1]);
        check(Part::ContentAlone, Some(""), [3, 8, 3], [0, 0, 1]);
    }
}
