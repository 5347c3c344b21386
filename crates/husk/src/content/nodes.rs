//! The nodes of the chosen blocks, with the elements around them.

use husk_dom::{Dom, NodeId, NodeKind, name};

use super::numbers::{LAYOUT_CELL, LONGEST_CAPTION, MOSTLY_CONTENT};
use crate::blocks::Blocks;
use crate::hints::is_heading;
use crate::mapping::NodeSet;
use crate::measure::{is_never_shown, trimmed};

/// The nodes of the content: texts of the chosen blocks, elements with hardly anything else, captions of the template
/// between them, and what has no words where these are; without the containers around all of it.
pub(super) fn of_content(
    dom: &Dom,
    blocks: &Blocks,
    is_chosen: &[bool],
    is_own: impl Fn(NodeId) -> bool,
) -> NodeSet {
    let letters = Letters::of(dom, blocks, is_chosen, &is_own);
    let mut is_content = vec![false; dom.len()];
    let mut captions_until = 0;
    let end = dom.range(blocks.body).end;
    let mut next = blocks.body.index() + 1;
    while next < end {
        let node = NodeId::from_index(next);
        let index = node.index();
        next += 1;
        let is_in = dom.parent(node).is_some_and(|parent| is_content[parent.index()]);
        let here = letters.within(dom, node);
        // Nothing in a part of the template is content if there is none around it: most of most pages.
        if here.own == 0
            && !is_in
            && index >= captions_until
            && !is_beside_chosen(blocks, is_chosen, dom, node)
        {
            next = dom.range(node).end;
            continue;
        }
        is_content[index] = match dom.kind(node) {
            NodeKind::Element if is_never_shown(dom, node) => is_in,
            _ if here.own == 0 && here.template == 0 => is_in || is_between(blocks, is_chosen, dom, node),
            _ if here.own == 0 && is_heading(dom, node) && is_within_text(blocks, is_chosen, dom, node) => {
                captions_until = captions_until.max(dom.range(node).end);
                true
            }
            _ if here.own == 0 => index < captions_until,
            NodeKind::Text => here.content > 0,
            _ => f64::from(here.content) >= MOSTLY_CONTENT * f64::from(here.own),
        };
        let has_captions = is_content[index]
            && here.template > 0
            && here.template <= here.own
            && here.own + here.template <= LONGEST_CAPTION;
        if has_captions && !has_template_link(dom, node, &is_own) {
            captions_until = captions_until.max(dom.range(node).end);
        }
        // An element with more of the template than of the content is part of that.
        if here.template > here.own {
            is_content[index] &= index < captions_until;
        }
    }
    without_frame(dom, is_content, &letters)
}

/// The nodes of comments.
pub(super) fn of_comments(
    dom: &Dom,
    blocks: &Blocks,
    is_comment: &[bool],
    is_own: impl Fn(NodeId) -> bool,
) -> NodeSet {
    let mut nodes = NodeSet::none(dom);
    if !is_comment.contains(&true) {
        return nodes;
    }
    let letters = Letters::of(dom, blocks, is_comment, &is_own);
    for node in dom.subtree(blocks.body).skip(1) {
        let here = letters.within(dom, node);
        if here.own > 0 && here.content == here.own && here.template == 0 {
            nodes.insert(node);
        }
    }
    nodes
}

/// Whether the block before or behind an element without blocks is chosen.
fn is_beside_chosen(blocks: &Blocks, is_chosen: &[bool], dom: &Dom, node: NodeId) -> bool {
    let behind = blocks.of_element(dom, node);
    let before = behind.start.checked_sub(1);
    before.is_some_and(|before| is_chosen[before])
        || is_chosen[behind.start..]
            .iter()
            .take(behind.len() + 1)
            .any(|&is| is)
}

/// Whether something without words stands between chosen blocks, or beside one with the same parent.
fn is_between(blocks: &Blocks, is_chosen: &[bool], dom: &Dom, node: NodeId) -> bool {
    let next = blocks.of_element(dom, node).start;
    let at = |number: Option<usize>| {
        let number = number.filter(|&number| is_chosen.get(number) == Some(&true))?;
        Some(&blocks.list[number])
    };
    let (before, behind) = (at(next.checked_sub(1)), at(Some(next)));
    let is_beside = |block: &crate::blocks::Block| {
        dom.parent(node)
            .is_some_and(|parent| dom.is_within(block.first, parent))
    };
    match (before, behind) {
        (Some(_), Some(_)) => true,
        (Some(block), None) | (None, Some(block)) => is_beside(block),
        (None, None) => false,
    }
}

/// Whether a heading of the template is followed by a chosen block in the same part, and comes after another: "Parameters",
/// "See also".
fn is_within_text(blocks: &Blocks, is_chosen: &[bool], dom: &Dom, heading: NodeId) -> bool {
    let next = blocks.of_element(dom, heading).start;
    let is_content = |number: &usize| is_chosen.get(*number) == Some(&true);
    let is_beside = |parent| dom.is_within(blocks.list[next].first, parent);
    next.checked_sub(1).filter(is_content).is_some()
        && is_content(&next)
        && dom.parent(heading).is_some_and(is_beside)
}

fn has_template_link(dom: &Dom, node: NodeId, is_own: impl Fn(NodeId) -> bool) -> bool {
    dom.subtree(node)
        .any(|inner| dom.is_element(inner, &name!("a")) && !is_own(inner))
}

/// The letters of a part of the page.
#[derive(Debug, Clone, Copy, Default)]
struct Amount {
    own: u32,
    template: u32,
    content: u32,
}

/// The letters before each node, and on the page.
struct Letters(Vec<Amount>);

impl Letters {
    fn of(dom: &Dom, blocks: &Blocks, is_chosen: &[bool], is_own: impl Fn(NodeId) -> bool) -> Self {
        let mut sums = Vec::with_capacity(dom.len() + 1);
        sums.resize(blocks.body.index(), Amount::default());
        let mut sum = Amount::default();
        let mut hidden_until = 0;
        for node in dom.subtree(blocks.body) {
            sums.push(sum);
            if is_never_shown(dom, node) {
                hidden_until = hidden_until.max(dom.range(node).end);
            }
            let is_text =
                dom.kind(node) == NodeKind::Text && node.index() >= hidden_until && !dom.is_blank_text(node);
            if is_text {
                let letters = trimmed(dom.text_of(node)).len() as u32;
                if !is_own(node) {
                    sum.template += letters;
                } else {
                    sum.own += letters;
                    if blocks.of_text(node).is_some_and(|number| is_chosen[number]) {
                        sum.content += letters;
                    }
                }
            }
        }
        sums.resize(dom.len() + 1, sum);
        Self(sums)
    }

    fn within(&self, dom: &Dom, node: NodeId) -> Amount {
        let range = dom.range(node);
        let (start, end) = (self.0[range.start], self.0[range.end]);
        Amount {
            own: end.own - start.own,
            template: end.template - start.template,
            content: end.content - start.content,
        }
    }

    fn all(&self) -> Amount {
        self.0.last().copied().unwrap_or_default()
    }
}

/// The content without the containers with more than half of it, their ancestors, and the empty siblings of these.
fn without_frame(dom: &Dom, mut is_content: Vec<bool>, letters: &Letters) -> NodeSet {
    // Elements that may be only containers.
    let may_frame = |node: NodeId| match *dom.name(node) {
        name!("td") => letters.within(dom, node).content >= LAYOUT_CELL,
        name!("article") | name!("body") | name!("center") | name!("div") => true,
        name!("form") | name!("main") | name!("section") => true,
        _ => false,
    };
    let is_frame = |node: &NodeId| {
        dom.kind(*node) == NodeKind::Element
            && may_frame(*node)
            && 2 * letters.within(dom, *node).content > letters.all().content
    };
    if let Some(innermost) = dom.nodes().rfind(is_frame) {
        is_content[innermost.index()] = false;
        for frame in dom.ancestors(innermost) {
            is_content[frame.index()] = false;
            for silent in dom
                .children(frame)
                .filter(|&child| letters.within(dom, child).content == 0)
            {
                is_content[dom.range(silent)].fill(false);
            }
        }
    }
    NodeSet::of(is_content)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the texts of the content if some blocks are chosen and headings are template.
    #[track_caller]
    fn check(html: &str, is_chosen: &[bool], expect: &[&str]) {
        let dom = Dom::parse(html);
        let body = dom.part(&name!("body")).unwrap();
        let is_own = |node: NodeId| {
            !dom.ancestors(node).any(|above| is_heading(&dom, above)) && !is_heading(&dom, node)
        };
        let blocks = Blocks::of(&dom, body, is_own);
        let nodes = of_content(&dom, &blocks, is_chosen, is_own);
        let texts = nodes.iter().filter(|&node| dom.kind(node) == NodeKind::Text);
        let found: Vec<&str> = texts.map(|node| dom.text_of(node)).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn headings_of_the_template_stay_between_their_texts() {
        // Longer than what captions are looked for in.
        let (trees, mice) = (
            "They live in trees. ".repeat(20),
            "They like mice best of all. ".repeat(20),
        );
        let page = format!("<main><p>{trees}</p><h3>Food</h3><p>{mice}</p></main>");
        check(&page, &[true, true], &[&trees, "Food", &mice]);
        check(&page, &[true, false], &[&trees]);
        check(&page, &[false, true], &[&mice]);
        let beside = format!("<main><p>{trees}</p><aside><h3>Food</h3></aside><p>{mice}</p></main>");
        check(&beside, &[true, true], &[&trees, &mice]);
    }
}
