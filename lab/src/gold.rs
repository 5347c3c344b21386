//! The labels of a key page's nodes: [`Labels`] and a [`Dom`] in, a label for each scored node out.

use husk::NodeSet;
use husk_dom::{Dom, Name, NodeId, NodeKind, name};

use crate::corpus::Labels;
use crate::css::{Selector, select};
use crate::metrics::Score;
use crate::part::Part;

/// The scored nodes of a key page and their labels.
#[derive(Debug, Clone)]
pub struct Gold {
    /// The scored nodes in document order, each with its label.
    pub nodes: Vec<(NodeId, Label)>,
    /// The other right answers for the main menu, where the page has copies of it: each copy, and all together.
    menu_alternatives: Vec<Vec<bool>>,
    /// Selectors that match nothing on the page: mistakes in the labels.
    pub unmatched: Vec<String>,
}

/// The label of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    /// Part of the template.
    pub template: bool,
    /// Part of the main content.
    pub main_content: bool,
    /// Part of the main menu.
    pub main_menu: bool,
}

impl Label {
    /// Whether the node belongs to that part of the page.
    pub fn is(self, part: Part) -> bool {
        match part {
            Part::Template => self.template,
            Part::Menu => self.main_menu,
            Part::Content | Part::ContentAlone | Part::ContentStripped => self.main_content,
        }
    }
}

impl Gold {
    /// Applies labels to a page.
    pub fn of(dom: &Dom, labels: &Labels) -> Self {
        let not_template = covered(dom, &labels.not_template, &labels.not_template_text);
        let main_content = covered(dom, &labels.main_content, &labels.main_content_text);
        let main_menu = covered(dom, &labels.main_menu, &[]);
        let label = |node: NodeId| Label {
            template: !not_template[node.index()],
            main_content: main_content[node.index()],
            main_menu: main_menu[node.index()],
        };
        Self {
            nodes: scored_nodes(dom).map(|node| (node, label(node))).collect(),
            menu_alternatives: menu_alternatives(dom, &labels.main_menu_copies),
            unmatched: unmatched(dom, labels),
        }
    }

    /// The same labels, with the accepted menu that `found` agrees with best as the main menu.
    pub(crate) fn with_nearest_menu(&self, found: &NodeSet) -> Self {
        let f1 = |menu: &[bool]| {
            let (mut hits, mut found_count, mut gold_count) = (0, 0, 0);
            for &(node, _) in &self.nodes {
                let (is_found, is_gold) = (found.contains(node), menu[node.index()]);
                hits += usize::from(is_found && is_gold);
                found_count += usize::from(is_found);
                gold_count += usize::from(is_gold);
            }
            Score::of_counts(hits, found_count, gold_count).f1
        };
        let mut gold = self.clone();
        // The first of equally good ones, as the independent scorer takes it.
        let nearest = self
            .menu_alternatives
            .iter()
            .rev()
            .max_by(|one, other| f1(one).total_cmp(&f1(other)));
        if let Some(menu) = nearest {
            for (node, label) in &mut gold.nodes {
                label.main_menu = menu[node.index()];
            }
        }
        gold
    }
}

/// Per copy of the menu, which nodes it covers; then the same for all copies together.
fn menu_alternatives(dom: &Dom, copies: &[Vec<Selector>]) -> Vec<Vec<bool>> {
    let mut alternatives: Vec<_> = copies.iter().map(|copy| covered(dom, copy, &[])).collect();
    if !copies.is_empty() {
        alternatives.push(covered(dom, &copies.concat(), &[]));
    }
    alternatives
}

/// Per node, whether it is in an element that `whole` selects or is a text child of one of `texts`.
fn covered(dom: &Dom, whole: &[Selector], texts: &[Selector]) -> Vec<bool> {
    let mut covered = vec![false; dom.len()];
    for root in select(dom, whole) {
        covered[dom.range(root)].fill(true);
    }
    for parent in select(dom, texts) {
        for text in dom
            .children(parent)
            .filter(|&child| dom.kind(child) == NodeKind::Text)
        {
            covered[text.index()] = true;
        }
    }
    covered
}

fn unmatched(dom: &Dom, labels: &Labels) -> Vec<String> {
    [
        &labels.not_template,
        &labels.not_template_text,
        &labels.main_content,
        &labels.main_content_text,
        &labels.main_menu,
    ]
    .into_iter()
    .chain(&labels.main_menu_copies)
    .flatten()
    .filter(|selector| select(dom, std::slice::from_ref(*selector)).is_empty())
    .map(Selector::to_string)
    .collect()
}

/// The scored nodes: elements and non-blank texts in `<body>`, without scripts, styles and the like.
fn scored_nodes(dom: &Dom) -> impl Iterator<Item = NodeId> {
    let place = places(dom);
    dom.nodes()
        .filter(move |&node| place[node.index()] == Place::Body && is_scored_kind(dom, node))
}

fn is_scored_kind(dom: &Dom, node: NodeId) -> bool {
    match dom.kind(node) {
        NodeKind::Element => true,
        NodeKind::Text => !dom.text_of(node).chars().all(is_space),
        _ => false,
    }
}

/// White space as in Python, which the independent scorer uses: no-break spaces and the four ASCII separators count.
fn is_space(char: char) -> bool {
    char.is_whitespace() || ('\x1C'..='\x1F').contains(&char)
}

/// Whether a node is scored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Outside,
    Body,
    /// In an element that is not scored, or such an element.
    Skipped,
}

fn places(dom: &Dom) -> Vec<Place> {
    let mut places = vec![Place::Outside; dom.len()];
    for node in dom.nodes() {
        let above = dom
            .parent(node)
            .map_or(Place::Outside, |parent| places[parent.index()]);
        places[node.index()] = match above {
            Place::Skipped => Place::Skipped,
            _ if is_skipped(dom.name(node)) => Place::Skipped,
            _ if *dom.name(node) == name!("body") => Place::Body,
            above => above,
        };
    }
    places
}

fn is_skipped(name: &Name) -> bool {
    matches!(
        *name,
        name!("script")
            | name!("style")
            | name!("noscript")
            | name!("template")
            | name!("link")
            | name!("meta")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selectors(texts: &[&str]) -> Vec<Selector> {
        texts.iter().map(|text| Selector::parse(text).unwrap()).collect()
    }

    /// A line per scored node: `T`, `C`, `M` for its labels, and its name or text.
    fn show(dom: &Dom, gold: &Gold) -> Vec<String> {
        let mark = |is: bool, mark: &'static str| if is { mark } else { "" };
        gold.nodes
            .iter()
            .map(|&(node, label)| {
                let what = match dom.kind(node) {
                    NodeKind::Text => dom.text_of(node),
                    _ => dom.name(node),
                };
                let marks = [
                    mark(label.template, "T"),
                    mark(label.main_content, "C"),
                    mark(label.main_menu, "M"),
                ];
                format!("{} {what}", marks.concat())
            })
            .collect()
    }

    #[track_caller]
    fn check(html: &str, labels: &Labels, expect: &[&str]) {
        let dom = Dom::parse(html);
        assert_eq!(show(&dom, &Gold::of(&dom, labels)), expect);
    }

    #[test]
    fn labels_cover_what_is_in_their_elements() {
        let labels = Labels {
            not_template: selectors(&["main > *"]),
            main_content: selectors(&["h1"]),
            main_menu: selectors(&["ul"]),
            ..Labels::default()
        };
        check(
            "<ul><li>a</ul><main><h1><i>b</i></h1><p>c</main>",
            &labels,
            &[
                "T body", "TM ul", "TM li", "TM a", "T main", "C h1", "C i", "C b", " p", " c",
            ],
        );
    }

    #[test]
    fn text_labels_cover_only_the_texts_right_in_their_elements() {
        let labels = Labels {
            not_template_text: selectors(&["div"]),
            main_content_text: selectors(&["div"]),
            ..Labels::default()
        };
        check(
            "<div>a<b>c</b>d</div>",
            &labels,
            &["T body", "T div", "C a", "T b", "T c", "C d"],
        );
    }

    #[test]
    fn any_copy_of_the_menu_is_right_and_so_are_all_together() {
        let dom = Dom::parse("<ul>a</ul><ol>b</ol><nav>c</nav>");
        let labels = Labels {
            main_menu: selectors(&["ul"]),
            main_menu_copies: vec![selectors(&["ul"]), selectors(&["ol"])],
            ..Labels::default()
        };
        let gold = Gold::of(&dom, &labels);
        let menu_for = |names: &[&str]| {
            let mut found = NodeSet::none(&dom);
            let roots = dom.nodes().filter(|&node| names.contains(&&**dom.name(node)));
            roots.for_each(|root| {
                dom.range(root)
                    .for_each(|node| found.insert(NodeId::from_index(node)));
            });
            let gold = gold.with_nearest_menu(&found);
            show(&dom, &gold)
                .into_iter()
                .filter(|line| line.starts_with("TM"))
                .collect::<Vec<_>>()
        };
        assert_eq!(menu_for(&["ol"]), ["TM ol", "TM b"]);
        assert_eq!(menu_for(&["ul"]), ["TM ul", "TM a"]);
        assert_eq!(menu_for(&["ul", "ol"]), ["TM ul", "TM a", "TM ol", "TM b"]);
        assert_eq!(menu_for(&["nav"]), ["TM ul", "TM a"]);
    }

    #[test]
    fn scripts_blank_texts_and_the_head_are_not_scored() {
        check(
            "<title>t</title><body> <script>s</script>\u{A0}\x1F<template><p>x</template><noscript><i>n</i></noscript>\
             <svg><style>y</style></svg><meta><!-- c -->\u{200B}",
            &Labels::default(),
            &["T body", "T svg", "T \u{200B}"],
        );
    }

    #[test]
    fn a_page_of_frames_has_nothing_to_score() {
        check("<frameset><frame src=a></frameset>", &Labels::default(), &[]);
    }

    #[test]
    fn selectors_without_a_match_are_told() {
        let dom = Dom::parse("<p>");
        let labels = Labels {
            not_template: selectors(&["p", "h1"]),
            main_menu: selectors(&["ul"]),
            ..Labels::default()
        };
        assert_eq!(Gold::of(&dom, &labels).unmatched, ["h1", "ul"]);
    }
}
