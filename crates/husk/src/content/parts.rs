//! Finds the parts of a page that go with its body text: the title, the byline and the captions.
//!
//! A page and its content in; nodes out. The model of blocks decides for each block alone, so a caller who wants all captions or
//! none asks here.

use std::cell::RefCell;

use husk_dom::{Dom, NodeId, NodeKind, name};

use super::numbers::{
    BLOCKS_AROUND_TITLE, LONGEST_BYLINE, LONGEST_PICTURE_CAPTION, MOST_BYLINES, PROSE, SHORT,
};
use crate::blocks::{Block, Blocks, title_heading};
use crate::hints::{Hint, Hints, NameReader};
use crate::lexicon;
use crate::mapping::NodeSet;
use crate::measure::words;

/// A page in which parts are looked for.
pub(crate) struct Parts<'a> {
    dom: &'a Dom,
    blocks: &'a Blocks,
    title: Option<NodeId>,
    names: RefCell<&'a mut NameReader>,
}

impl<'a> Parts<'a> {
    /// Looks at the blocks of a page.
    pub(crate) fn of(dom: &'a Dom, blocks: &'a Blocks, names: &'a mut NameReader) -> Self {
        Self::with_title(dom, blocks, title_heading(dom, blocks), names)
    }

    /// The same where the heading that is the title is known.
    pub(super) fn with_title(
        dom: &'a Dom,
        blocks: &'a Blocks,
        title: Option<NodeId>,
        names: &'a mut NameReader,
    ) -> Self {
        Self {
            dom,
            blocks,
            title,
            names: RefCell::new(names),
        }
    }

    /// The hints of an element's names. Elements are around several blocks.
    fn hints(&self, node: NodeId) -> Hints {
        self.names.borrow_mut().hints(self.dom, node)
    }

    /// The nodes of the heading that is the page's title.
    pub(crate) fn title(&self) -> Vec<NodeId> {
        self.title
            .map(|title| self.dom.subtree(title).collect())
            .unwrap_or_default()
    }

    /// The nodes of the short texts by the title that name the author or the date.
    pub(crate) fn byline(&self) -> Vec<NodeId> {
        let blocks = self.byline_blocks().map(|number| &self.blocks.list[number]);
        blocks.flat_map(|block| self.nodes_of(block)).collect()
    }

    /// The numbers of their blocks.
    pub(super) fn byline_blocks(&self) -> impl Iterator<Item = usize> {
        let list = &self.blocks.list;
        let title = self.title.map(|title| self.blocks.of_element(self.dom, title));
        let around = title.into_iter().flat_map(|title| {
            let before = title.start.saturating_sub(BLOCKS_AROUND_TITLE)..title.start;
            let behind = title.end..list.len().min(title.end + BLOCKS_AROUND_TITLE);
            before.chain(behind.take_while(|&number| list[number].counts.words < PROSE))
        });
        around.filter(|&number| self.is_byline(&list[number]) && !self.is_one_of_many(&list[number]))
    }

    /// Whether there are several bylines that look alike: those of the entries of a list or of the posts of a thread.
    fn is_one_of_many(&self, byline: &Block) -> bool {
        let dom = self.dom;
        let look = |block: &Block| {
            let element = block.element;
            [Some(element), dom.parent(element)]
                .map(|node| node.map(|node| (dom.name(node), dom.attribute(node, &name!("class")))))
        };
        let own = look(byline);
        let mut alike = self
            .blocks
            .list
            .iter()
            .filter(|block| look(block) == own && self.is_byline(block));
        alike.nth(MOST_BYLINES).is_some()
    }

    fn is_byline(&self, block: &Block) -> bool {
        if block.counts.words > LONGEST_BYLINE {
            return false;
        }
        let dom = self.dom;
        let is_short = |node: NodeId| self.blocks.counts_of(dom, node).words <= LONGEST_BYLINE;
        let around = || {
            [block.element]
                .into_iter()
                .chain(dom.ancestors(block.element))
                .take_while(|&node| is_short(node))
        };
        let hints = around().fold(Hints::default(), |hints, node| hints.or(self.hints(node)));
        if hints.has_any(&[
            Hint::Comments,
            Hint::Related,
            Hint::Navigation,
            Hint::Tags,
            Hint::Hidden,
        ]) {
            return false;
        }
        hints.has(Hint::Byline) || self.names_author(block)
    }

    /// Whether a block has the markup of an author or a date, or begins as a byline does.
    fn names_author(&self, block: &Block) -> bool {
        let dom = self.dom;
        let has_markup = dom.subtree(block.element).any(|node| {
            dom.is_element(node, &name!("time")) || node > block.element && self.hints(node).has(Hint::Byline)
        });
        if has_markup {
            return true;
        }
        let text = dom.text_of(block.element).trim_start();
        // Nearly all begin with something else.
        let start = text[..text.floor_char_boundary(LONGEST_PREFIX)].to_lowercase();
        let mut prefixes = lexicon::entries("byline-prefix").iter();
        if !prefixes.clone().any(|prefix| start.starts_with(prefix)) {
            return false;
        }
        let text = text.to_lowercase();
        prefixes.any(|prefix| {
            text.strip_prefix(prefix).is_some_and(|rest| {
                rest.starts_with(' ')
                    && !rest.trim_end().ends_with(['.', '!', '?'])
                    && words(rest).count() <= LONGEST_BYLINE as usize / 2
            })
        })
    }

    fn nodes_of(&self, block: &Block) -> impl Iterator<Item = NodeId> + use<'a> {
        let (dom, block) = (self.dom, *block);
        let inside = (block.first.index()..=block.last.index()).map(NodeId::from_index);
        // An element is part of the block if it does not hold more than it.
        let end = dom.range(block.element).end;
        inside.filter(move |&node| dom.is_within(node, block.element) && dom.range(node).end <= end)
    }

    /// The nodes of the captions of pictures between the first and the last node of the content.
    pub(crate) fn captions(&self, content: &NodeSet) -> Vec<NodeId> {
        let dom = self.dom;
        let is_text = |node: &NodeId| dom.kind(*node) == NodeKind::Text && !dom.is_blank_text(*node);
        let mut texts = content.iter().filter(is_text);
        let Some(first) = texts.next() else {
            return Vec::new();
        };
        let last = texts.last().unwrap_or(first);
        // A picture above the first paragraph belongs to the content.
        let start = self.title.map_or(first, |title| title.min(first));
        let inside = (start.index()..=dom.len().min(last.index() + BLOCKS_AROUND_TITLE))
            .take_while(|&index| index < dom.len())
            .map(NodeId::from_index);
        inside
            .filter(|&node| dom.kind(node) == NodeKind::Element && self.is_caption(node))
            .flat_map(|caption| dom.subtree(caption))
            .collect()
    }

    fn is_caption(&self, node: NodeId) -> bool {
        let dom = self.dom;
        let is_named = match &**dom.name(node) {
            "figcaption" => true,
            "caption" => false,
            _ => self.hints(node).has(Hint::Caption),
        };
        let words = self.blocks.counts_of(dom, node).words;
        is_named
            && (1..=LONGEST_PICTURE_CAPTION).contains(&words)
            && !dom.subtree(node).any(|inner| is_picture(dom, inner))
            && dom
                .ancestors(node)
                .take(2)
                .filter(|&near| self.blocks.counts_of(dom, near).words <= 2 * words + SHORT)
                .any(|near| dom.subtree(near).any(|inner| is_picture(dom, inner)))
    }
}

/// Prefixes of bylines are shorter than this, in bytes.
const LONGEST_PREFIX: usize = 64;

pub(super) fn is_picture(dom: &Dom, node: NodeId) -> bool {
    dom.kind(node) == NodeKind::Element
        && matches!(
            &**dom.name(node),
            "img" | "picture" | "video" | "svg" | "iframe" | "object" | "audio" | "amp-img"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(dom: &Dom, nodes: &[NodeId]) -> String {
        let texts = nodes.iter().filter(|&&node| dom.kind(node) == NodeKind::Text);
        let texts: Vec<&str> = texts.flat_map(|&node| words(dom.text_of(node))).collect();
        texts.join(" ")
    }

    #[track_caller]
    fn check(html: &str, title: &str, byline: &str, captions: &str) {
        let dom = Dom::parse(html);
        let blocks = Blocks::of(&dom, dom.part(&name!("body")).unwrap(), |_| true);
        let mut names = NameReader::new();
        let parts = Parts::of(&dom, &blocks, &mut names);
        assert_eq!(text(&dom, &parts.title()), title);
        assert_eq!(text(&dom, &parts.byline()), byline);
        assert_eq!(text(&dom, &parts.captions(&NodeSet::all(&dom))), captions);
    }

    const PROSE: &str = "<p>The mill stood by the river for three hundred years, and then, one night, when nobody was near to see \
        it, it was gone for ever.</p>";

    #[test]
    fn bylines_are_by_the_title() {
        check(
            &format!(
                "<title>Mill</title><h1>Mill</h1><p class=byline>By Ann</p>{PROSE}<p class=author>Ben</p>"
            ),
            "Mill",
            "By Ann",
            "",
        );
        check(
            &format!(
                "<title>Mill</title><p><time>3 May 2024</time></p><h1>Mill</h1><p>By Ann Lee</p>{PROSE}"
            ),
            "Mill",
            "3 May 2024 By Ann Lee",
            "",
        );
        check(
            &format!("<title>Mill</title><h1>Mill</h1><p>By the mill, it stood.</p>{PROSE}"),
            "Mill",
            "",
            "",
        );
        let entries = "<p class=entry>The mill <time>3 May 2024</time></p>".repeat(4);
        check(
            &format!("<title>Mill</title><h1>Mill</h1>{entries}"),
            "Mill",
            "",
            "",
        );
        check(
            &format!("<title>Mill</title><h1>Mill</h1><p>A short story</p>{PROSE}"),
            "Mill",
            "",
            "",
        );
    }

    #[test]
    fn prefixes_of_bylines_are_short() {
        let prefixes = lexicon::entries("byline-prefix");
        assert!(prefixes.iter().all(|prefix| prefix.len() < LONGEST_PREFIX));
    }

    #[test]
    fn captions_belong_to_pictures() {
        check(
            &format!(
                "<h1>Mill</h1>{PROSE}<figure><img src=a><figcaption>At noon</figcaption></figure>\
                 <div><img src=b><p class=caption>At night</p></div><p class=caption>No picture here</p>{PROSE}"
            ),
            "Mill",
            "",
            "At noon At night",
        );
        let table = "<table><caption>Years</caption><tr><td><img src=a></table>";
        check(&format!("<h1>Mill</h1>{PROSE}{table}{PROSE}"), "Mill", "", "");
    }
}
