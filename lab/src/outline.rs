//! The errors on a key page: [`Gold`] and an [`Extraction`] in, lines to read out.

use husk::{Extraction, Support};
use husk_dom::{Dom, NodeId, outline_line};

use crate::found_part::FoundPart;
use crate::gold::{Gold, Label};
use crate::part::Part;

/// Longer runs of wrong nodes are folded.
const LONG_RUN: usize = 30;

/// How many nodes of a long run are shown.
const SHOWN_OF_RUN: usize = 20;

/// Longer lines are cut: some pages have dozens of classes on every element.
const MAX_LINE: usize = 100;

/// Whether a node was scored right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Labelled and found.
    Hit,
    /// Labelled and not found.
    Miss,
    /// FoundPart and not labelled.
    FalseAlarm,
    /// Neither labelled nor found.
    LeftOut,
}

impl Verdict {
    /// All verdicts, the right ones first and last.
    pub const ALL: [Self; 4] = [Self::Hit, Self::Miss, Self::FalseAlarm, Self::LeftOut];

    fn of(is_gold: bool, is_found: bool) -> Self {
        match (is_gold, is_found) {
            (true, true) => Self::Hit,
            (true, false) => Self::Miss,
            (false, true) => Self::FalseAlarm,
            (false, false) => Self::LeftOut,
        }
    }

    /// Whether the method was right.
    pub fn is_right(self) -> bool {
        matches!(self, Self::Hit | Self::LeftOut)
    }
}

/// A key page with a verdict for each scored node. Long runs with the same verdict are folded, so that errors stand
/// out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// The lines, in document order.
    pub lines: Vec<OutlineLine>,
    /// The number of nodes per verdict, in the order of [`Verdict::ALL`].
    pub counts: [usize; 4],
    /// The URLs of the pages that the key page was compared with.
    pub compared: Vec<String>,
}

/// A line of an outline.
#[derive(Debug, Clone, PartialEq)]
pub enum OutlineLine {
    /// A node.
    Node {
        /// The number of scored nodes around it.
        depth: usize,
        /// The verdict.
        verdict: Verdict,
        /// The number of pages in which it was mapped.
        support: Support,
        /// Its name, id and classes, or its text in quotes.
        what: String,
    },
    /// Several consecutive nodes.
    Folded {
        /// The depth of the first.
        depth: usize,
        /// The verdict of each; none if all are right.
        verdict: Option<Verdict>,
        /// Their number.
        nodes: usize,
    },
}

impl Outline {
    /// Compares the scored nodes of a key page with what was found of a part.
    pub(crate) fn of(extraction: &Extraction, gold: &Gold, part: Part, found: &FoundPart) -> Self {
        let dom = &extraction.key_page.dom;
        let verdict = |node, label: Label| Verdict::of(label.is(part), found.nodes.contains(node));
        let nodes = judge(dom, gold, verdict);
        let is_shown = shown(&nodes);
        let mut lines = Vec::new();
        for (judged, is_shown) in nodes.iter().zip(is_shown) {
            if is_shown {
                lines.push(judged.line(dom, extraction.template.support(judged.node)));
            } else {
                judged.fold_into(&mut lines);
            }
        }
        let count = |verdict| nodes.iter().filter(|judged| judged.verdict == verdict).count();
        Self {
            lines,
            counts: Verdict::ALL.map(count),
            compared: extraction.compared.iter().map(ToString::to_string).collect(),
        }
    }
}

/// A scored node and its position among the others.
struct Judged {
    node: NodeId,
    verdict: Verdict,
    depth: usize,
    /// The index of its nearest scored ancestor.
    above: Option<usize>,
}

fn judge(dom: &Dom, gold: &Gold, verdict: impl Fn(NodeId, Label) -> Verdict) -> Vec<Judged> {
    let mut judged: Vec<Judged> = Vec::with_capacity(gold.nodes.len());
    let mut open: Vec<usize> = Vec::new();
    for (place, &(node, label)) in gold.nodes.iter().enumerate() {
        while open
            .last()
            .is_some_and(|&above| !dom.is_within(node, judged[above].node))
        {
            open.pop();
        }
        judged.push(Judged {
            node,
            verdict: verdict(node, label),
            depth: open.len(),
            above: open.last().copied(),
        });
        open.push(place);
    }
    judged
}

/// Which nodes are shown: wrong ones, of long runs the first ones, and their ancestors.
fn shown(nodes: &[Judged]) -> Vec<bool> {
    let mut is_shown = vec![false; nodes.len()];
    let mut start = 0;
    for run in nodes.chunk_by(|one, next| one.verdict == next.verdict) {
        if !run[0].verdict.is_right() {
            let shown = if run.len() < LONG_RUN {
                run.len()
            } else {
                SHOWN_OF_RUN
            };
            is_shown[start..start + shown].fill(true);
        }
        start += run.len();
    }
    // Backwards, as ancestors come first.
    for place in (0..nodes.len()).rev() {
        if let (true, Some(above)) = (is_shown[place], nodes[place].above) {
            is_shown[above] = true;
        }
    }
    is_shown
}

impl Judged {
    fn line(&self, dom: &Dom, support: Support) -> OutlineLine {
        OutlineLine::Node {
            depth: self.depth,
            verdict: self.verdict,
            support,
            // Scored texts that look blank hold invisible characters.
            what: outline_line(dom, self.node).map_or_else(|| "\"\"".to_owned(), shortened),
        }
    }

    fn fold_into(&self, lines: &mut Vec<OutlineLine>) {
        let own = (!self.verdict.is_right()).then_some(self.verdict);
        match lines.last_mut() {
            Some(OutlineLine::Folded { verdict, nodes, .. }) if *verdict == own => *nodes += 1,
            _ => lines.push(OutlineLine::Folded {
                depth: self.depth,
                verdict: own,
                nodes: 1,
            }),
        }
    }
}

fn shortened(line: String) -> String {
    match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Labels;
    use crate::css::Selector;
    use husk::{NodeSet, Page, Template, Url};

    /// The outline of a page whose `p` elements are not template, and whose `found` elements were found.
    fn outline(html: &str, found: &str) -> Vec<String> {
        let url = Url::parse("https://a.example/").unwrap();
        let key_page = Page::new(url, Dom::parse(html));
        let dom = &key_page.dom;
        let labels = Labels {
            not_template: vec![Selector::parse("p").unwrap()],
            ..Labels::default()
        };
        let gold = Gold::of(dom, &labels);
        let found = crate::css::select(dom, &[Selector::parse(found).unwrap()]);
        let support = vec![Support::default(); dom.len()];
        let extraction = Extraction {
            method: "none",
            loaded: Vec::new(),
            compared: Vec::new(),
            pages: Vec::new(),
            failures: Vec::new(),
            visits: Vec::new(),
            clique: None,
            template: Template::new(dom, NodeSet::none(dom), support, 2),
            key_page,
        };
        let dom = &extraction.key_page.dom;
        let mut nodes = NodeSet::none(dom);
        for node in found.iter().flat_map(|&root| dom.subtree(root)) {
            nodes.insert(node);
        }
        let found = FoundPart { nodes, text: None };
        let outline = Outline::of(&extraction, &gold, Part::Template, &found);
        assert_eq!(outline.counts.iter().sum::<usize>(), gold.nodes.len());
        outline.lines.iter().map(show).collect()
    }

    fn show(line: &OutlineLine) -> String {
        match line {
            OutlineLine::Node {
                depth, verdict, what, ..
            } => format!("{}{verdict:?} {what}", " ".repeat(*depth)),
            OutlineLine::Folded {
                depth,
                verdict,
                nodes,
            } => format!("{}… {nodes} {verdict:?}", " ".repeat(*depth)),
        }
    }

    #[test]
    fn what_is_right_is_folded_and_what_a_wrong_node_lies_in_is_not() {
        assert_eq!(
            outline(
                "<ul><li>a<li id=x>b</ul><i>c</i><p>d<p>e",
                "ul > :first-child, i, p + p"
            ),
            [
                "Miss body",
                " Miss ul",
                "  … 2 None",
                "  Miss li#x",
                "   Miss \"b\"",
                " … 4 None",
                " FalseAlarm p",
                "  FalseAlarm \"e\"",
            ]
        );
    }

    #[test]
    fn of_long_runs_the_first_are_shown() {
        let html = format!("<main>{}</main>", "<b>x</b>".repeat(20));
        let lines = outline(&html, "nothing");
        assert_eq!(lines.len(), SHOWN_OF_RUN + 1);
        assert_eq!(lines[SHOWN_OF_RUN], "  … 22 Some(Miss)");
    }

    #[test]
    fn a_perfect_page_is_one_line() {
        assert_eq!(outline("<ul><li>a</ul>", "body"), ["… 4 None"]);
    }
}
