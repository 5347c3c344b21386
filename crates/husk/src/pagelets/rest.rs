//! Assigns functions to the rest of a page by position.

use husk_dom::{Dom, NodeId, name};

use super::Function;
use super::blocks::{Around, Blocks};
use super::features::body;
use super::numbers::{LONGEST_CLAIM, MOST_WORDS_OF_HEADER};
use crate::lexicon;

/// Marks the largest unmarked subtrees that are in no other block.
pub(super) fn add(blocks: &mut Blocks) {
    let dom = blocks.dom;
    let holds_known = blocks.nodes_with(|node| blocks.mark_of(node).is_some() || blocks.is_content(node));
    let last_known = blocks.nodes_above(|_| true);
    let last_known = dom
        .nodes()
        .rev()
        .find(|node| last_known[node.index()] && blocks.mark_of(*node).is_some());
    let mut around = Around::default();
    let mut index = body(dom).index();
    let end = dom.range(body(dom)).end;
    while index < end {
        let node = NodeId::from_index(index);
        around.go_to(node);
        if let Some(mark) = blocks.mark_of(node) {
            around.enter(dom, node, mark.function);
        }
        let is_part = around
            .innermost()
            .is_some_and(|function| function != Function::MainContent);
        if holds_known[index] && !is_part {
            index += 1;
            continue;
        }
        if !is_part && blocks.features(node).leaves > 0 {
            let function = match around.innermost() {
                Some(_) => Function::Other,
                None => by_place(blocks, node, last_known),
            };
            blocks.mark_rest(node, function);
        }
        // Header, footer and the like take everything in them that is not marked.
        index = if is_part && holds_known[index] {
            index + 1
        } else {
            index + dom.size(node)
        };
    }
}

/// The function of an unnamed block outside of the content.
fn by_place(blocks: &Blocks, node: NodeId, last_known: Option<NodeId>) -> Function {
    let dom = blocks.dom;
    let content = &blocks.content_range;
    let is_template = blocks.extraction.template.compared() > 0 && blocks.extraction.template.contains(node);
    if content.is_empty() || blocks.is_in_article(node) {
        return Function::Other;
    }
    if stands_beside(dom, node, content.start) {
        return Function::Sidebar;
    }
    let amount = blocks.amount(node);
    if node.index() < content.start {
        let is_header = is_template && amount.words <= MOST_WORDS_OF_HEADER;
        return if is_header {
            Function::Header
        } else {
            Function::Other
        };
    }
    if node.index() < content.end {
        return Function::Other;
    }
    let is_last = last_known.is_none_or(|last| last < node);
    if (is_template && is_last) || claims_rights(dom, node) {
        return Function::Footer;
    }
    let are_links = amount.links >= 2 && amount.link_density() >= 0.5;
    if !is_template && are_links {
        Function::Related
    } else {
        Function::Other
    }
}

/// Whether a node is in one cell of a table row and the content in another.
fn stands_beside(dom: &Dom, node: NodeId, content: usize) -> bool {
    let cells = std::iter::once(node).chain(dom.ancestors(node));
    let mut cells = cells.filter(|&cell| dom.is_element(cell, &name!("td")));
    cells.any(|cell| {
        let row = dom.parent(cell).unwrap_or(cell);
        dom.range(row).contains(&content) && !dom.range(cell).contains(&content)
    })
}

/// Whether a text is a copyright notice, as at the end of pages.
fn claims_rights(dom: &Dom, node: NodeId) -> bool {
    let text = dom.text_of(node);
    let start: String = text
        .chars()
        .take(LONGEST_CLAIM)
        .collect::<String>()
        .to_lowercase();
    ["©", "(c) "]
        .iter()
        .chain(lexicon::entries("copyright"))
        .any(|sign| start.contains(sign))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::content::Content;
    use crate::extraction::Extraction;
    use crate::measure::is_never_shown;
    use crate::navigation::Navigation;
    use crate::pagelets::{Pagelet, innermost_pagelets, pagelets};
    use crate::{Method, Options, Page, Session, Url};
    use husk_dom::{Dom, NodeId, NodeKind};

    fn url(path: &str) -> Url {
        Url::parse("https://example.org/").unwrap().join(path).unwrap()
    }

    /// Compares a page with three that differ from it in the word "own" only.
    fn extraction(html: &str) -> Extraction {
        let links = "<p><a href=/a></a><a href=/b></a><a href=/c></a></p>";
        let page =
            |path: &str, own: &str| Page::parse(url(path), &format!("{}{links}", html.replace("own", own)));
        let options = Options {
            method: Method::Paper,
            ..Options::default()
        };
        let mut session = Session::new(page("/key", "own"), options);
        while let Some(wanted) = session.next_wanted().cloned() {
            let own = format!("page{}", &wanted.path()[1..]);
            session.give(page(wanted.path(), &own));
        }
        session.finish()
    }

    fn outline(extraction: &Extraction, pagelets: &[Pagelet]) -> Vec<String> {
        let dom = &extraction.key_page.dom;
        let line = |pagelet: &Pagelet| {
            let depth = std::iter::successors(pagelet.parent, |&parent| pagelets[parent].parent).count();
            let roots: Vec<String> = pagelet.roots.iter().map(|&root| named(dom, root)).collect();
            format!(
                "{}{} {}",
                "  ".repeat(depth),
                pagelet.function.name(),
                roots.join(" ")
            )
        };
        pagelets.iter().map(line).collect()
    }

    fn named(dom: &Dom, node: NodeId) -> String {
        match dom.kind(node) {
            NodeKind::Text => format!("{:?}", dom.text_of(node)),
            _ => dom.name(node).to_string(),
        }
    }

    /// The pagelets of a page whose content are its elements `main`, and which has no menu.
    #[track_caller]
    fn check(html: &str, expect: &[&str]) {
        let extraction = extraction(html);
        let dom = &extraction.key_page.dom;
        let mut content = Content::of(&extraction);
        content.nodes = crate::NodeSet::none(dom);
        let is_main = |node: &NodeId| &**dom.name(*node) == "main";
        for node in dom.nodes().filter(is_main).flat_map(|main| dom.subtree(main)) {
            content.nodes.insert(node);
        }
        let pagelets = pagelets(&extraction, &Navigation::default(), &content);
        assert_eq!(outline(&extraction, &pagelets), expect);
        is_whole(&extraction, &pagelets);
    }

    /// Every text that shows lies in a pagelet, no root in another of the same pagelet or in none of its parent's.
    fn is_whole(extraction: &Extraction, pagelets: &[Pagelet]) {
        let dom = &extraction.key_page.dom;
        let innermost = innermost_pagelets(dom, pagelets);
        let mut roots: Vec<NodeId> = pagelets
            .iter()
            .flat_map(|pagelet| pagelet.roots.clone())
            .collect();
        roots.sort_unstable();
        assert!(
            roots.windows(2).all(|pair| pair[0] != pair[1]),
            "a root belongs to one"
        );
        for (number, pagelet) in pagelets.iter().enumerate() {
            for &root in &pagelet.roots {
                assert_eq!(innermost[root.index()], Some(number));
                let above = dom.parent(root).and_then(|above| innermost[above.index()]);
                assert_eq!(above, pagelet.parent, "{}", dom.xpath(root));
            }
            assert!(pagelet.parent.is_none_or(|parent| parent < number));
        }
        let is_shown = |&node: &NodeId| {
            !std::iter::once(node)
                .chain(dom.ancestors(node))
                .any(|node| is_never_shown(dom, node))
                && dom.is_in_page(node)
        };
        for node in dom.nodes().filter(is_shown) {
            if dom.kind(node) == NodeKind::Text && !dom.is_blank_text(node) {
                assert!(innermost[node.index()].is_some(), "{}", dom.xpath(node));
            }
        }
    }

    #[test]
    fn a_page_as_most_are() {
        check(
            "<header><img src=logo><form><input name=q></form></header>\
             <div><main><h1>own</h1><p>Words of own</p></main><aside>News<div class=ads><a href=/x>Buy</a></div></aside></div>\
             <div class=share><a href=/s>Share</a></div><footer>All rights<ul class=social><li><a href=//x.com>X</a></ul></footer>",
            &[
                "header header",
                "  search form",
                "main-content main",
                "sidebar aside",
                "  advertisement div",
                "social div",
                "footer footer",
                "  social ul",
            ],
        );
    }

    #[test]
    fn what_has_no_name_is_told_by_its_place() {
        check(
            "<b>The Daily</b><i>News</i><table><tr><td>Beside<td><main>Words of own</main></table><p>© Daily</p>",
            &["header b i", "sidebar td", "main-content main", "footer p"],
        );
    }

    #[test]
    fn what_the_content_does_not_take_is_in_it() {
        check(
            "<p>Top</p><div><main>First of own</main><p class=byline>By me</p><main>Second of own, which is so much longer \
             than all that stands around it, comments included, that nobody takes one for the other</main>\
             <div class=comments>What do you all think of what is above?</div></div>",
            &["header p", "main-content div", "  other p", "  comments div"],
        );
    }

    #[test]
    fn headers_and_footers_of_articles_are_not_the_pages() {
        check(
            "<article><header>Written by hand</header><main>Words of own, more of own</main><footer>Tags</footer></article>\
             <footer>All rights</footer>",
            &[
                "other header",
                "main-content main",
                "other footer",
                "footer footer",
            ],
        );
    }

    #[test]
    fn names_alone_are_not_enough() {
        check(
            "<div class='header sidebar footer'><main>Words of own and more of own</main></div>\
             <div class=search>Nothing to write to here</div><div class=ad></div>",
            &["main-content main", "footer div"],
        );
    }

    #[test]
    fn a_page_without_anything_has_no_pagelet() {
        for html in [
            "",
            "<script>x</script>",
            "<frameset><frame src=x></frameset>",
            "<template>x</template>",
        ] {
            let page = Page::parse(url("/"), html);
            let extraction = Session::new(page, Options::default()).finish();
            let content = Content::of(&extraction);
            let found = pagelets(&extraction, &Navigation::of(&extraction), &content);
            is_whole(&extraction, &found);
            assert!(found.len() <= 1, "{html}: {:?}", outline(&extraction, &found));
        }
    }

    prop_compose! {
        fn any_page()(parts in prop::collection::vec(
            prop::sample::select(vec![
                "<div>", "</div>", "<p>own", "</p>", "<nav>", "</nav>", "<ul class=menu><li><a href=/a>a", "<li><a href=/b>b", "</ul>",
                "text", "<main>", "</main>", "own", "<aside>", "</aside>", "<header>", "</header>", "<footer>", "</footer>",
                "<form class=search><input name=q>", "</form>", "<table><td>", "</table>", "<template><p>in", "</template>",
                "<script>x</script>", "<div class=share><a href=//x.com>x", "<p class=comments>one two three four five six seven eight",
                "<select><option>", "<iframe width=300 height=250></iframe>", "<svg><title>t", "</svg>", "»", " ", "<b class=ads>ad",
                "</b>", "<div class=breadcrumb><a href=/c>c</a>", "<noscript>n</noscript>", "<h1>own</h1>",
            ]),
            0..40,
        )) -> String {
            parts.concat()
        }
    }

    proptest! {
        #[test]
        fn every_text_lies_in_one_innermost_pagelet(html in any_page()) {
            let extraction = extraction(&html);
            let content = Content::of(&extraction);
            is_whole(&extraction, &pagelets(&extraction, &Navigation::of(&extraction), &content));
        }
    }
}
