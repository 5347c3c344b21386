//! The main content of a page.
//!
//! An [`Extraction`], or a single [`Page`], in; [`Content`] out.

mod numbers;

mod alone;

mod blocks;

mod core;

mod phrases;

mod near_duplicate;

mod boilerplate;

mod flow;

use husk_dom::{Dom, NodeId, NodeKind, name};

use crate::extraction::Extraction;
use crate::hints::{Hint, Hints, NameReader};
use crate::mapping::NodeSet;
use crate::measure::Amounts;
use crate::page::Page;
use crate::template::Template;
use blocks::Block;
use boilerplate::{Boilerplate, Judge};
use near_duplicate::NearDuplicates;
use numbers::TIMES_IN_A_LIST;
use phrases::Phrases;

pub(crate) use near_duplicate::ShortTextIndex;

/// The main content of a page.
#[derive(Debug, Clone)]
pub struct Content {
    /// Its nodes, without the elements around all of it.
    pub nodes: NodeSet,
    /// Reader comments, which are not part of the content.
    pub comments: NodeSet,
    /// How it was found.
    pub method: ContentMethod,
}

/// How the content of a page was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentMethod {
    /// By the template, which comes from other pages of the site.
    Template,
    /// From the page alone: there was no other page to compare it with.
    SinglePage,
}

impl ContentMethod {
    /// The name in JSON and other outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Template => "template",
            Self::SinglePage => "single-page",
        }
    }
}

impl Content {
    /// The content of a page by its template; from the page alone if it was compared with nothing.
    pub fn of(extraction: &Extraction) -> Self {
        if extraction.template.compared() == 0 {
            return Self::of_single_page(&extraction.key_page);
        }
        let compared = extraction
            .pages
            .iter()
            .filter(|page| extraction.compared.contains(&page.url));
        let book = ShortTextIndex::of(compared);
        let page = &extraction.key_page;
        let amounts = Amounts::of(&page.dom);
        Self::by_template(
            page,
            &extraction.template,
            &book,
            &amounts,
            &mut NameReader::new(),
        )
    }

    /// The content by a known template and the short texts of the siblings.
    pub(crate) fn by_template(
        page: &Page,
        template: &Template,
        book: &ShortTextIndex,
        amounts: &Amounts,
        names: &mut NameReader,
    ) -> Self {
        by_template(page, template, book, amounts, names)
    }

    /// The content of a page without siblings.
    pub fn of_single_page(page: &Page) -> Self {
        alone::content(page)
    }
}

/// What is neither template nor boilerplate.
fn by_template(
    page: &Page,
    template: &Template,
    book: &ShortTextIndex,
    amounts: &Amounts,
    names: &mut NameReader,
) -> Content {
    let dom = &page.dom;
    let mut content = Content {
        nodes: NodeSet::none(dom),
        comments: NodeSet::none(dom),
        method: ContentMethod::Template,
    };
    let phrases = Phrases::of(dom);
    let is_own = own_parts(dom, template);
    let mut hints = phrases.of_all_nodes(dom);
    read_names(dom, dom.document(), names, &mut hints, |node| {
        is_own[node.index()]
    });
    let near_duplicates = NearDuplicates::of(page, template, book);
    let blocks = blocks::blocks(dom, template, &hints, &near_duplicates);
    let Some(core) = core::core(dom, amounts, &blocks, &hints) else {
        return content;
    };
    // In pure template, only names in the core matter.
    read_names(dom, core, names, &mut hints, |node| !is_own[node.index()]);
    let all = amounts.all();
    let measures = amounts.those(|node| !template.contains(node));
    let judge = Judge {
        page,
        dom,
        template,
        hints: &hints,
        measures: &measures,
        all: &all,
        near_duplicates: &near_duplicates,
        core,
        core_amount: measures.of_subtree(dom, core),
        recurring: recurring(dom, core, &hints),
        own_words: measures.of_subtree(dom, dom.document()).words,
        title: title(dom),
    };
    for block in blocks {
        sort_in(dom, block, judge.boilerplate(block), &mut content);
    }
    flow::complete(dom, amounts, &all, &measures, core, &hints, &mut content.nodes);
    content
}

/// The nodes that are not template, and their ancestors.
fn own_parts(dom: &Dom, template: &Template) -> Vec<bool> {
    let mut is_own = vec![false; dom.len()];
    for node in dom.nodes().rev() {
        let is_here = || {
            let is_text = dom.kind(node) != NodeKind::Comment && !dom.is_blank_text(node);
            !template.contains(node) && is_text
        };
        if is_own[node.index()] || is_here() {
            is_own[node.index()] = true;
            if let Some(parent) = dom.parent(node) {
                is_own[parent.index()] = true;
            }
        }
    }
    is_own
}

/// Adds the hints of names to those of headings. Names in code say nothing about the page.
fn read_names(
    dom: &Dom,
    part: NodeId,
    names: &mut NameReader,
    hints: &mut [Hints],
    is_wanted: impl Fn(NodeId) -> bool,
) {
    let is_code = |node| dom.is_element(node, &name!("pre")) || dom.is_element(node, &name!("code"));
    let mut code_until = if dom.ancestors(part).any(is_code) {
        dom.range(part).end
    } else {
        0
    };
    for node in dom.subtree(part) {
        if is_code(node) {
            code_until = code_until.max(dom.range(node).end);
        }
        if is_wanted(node) {
            let hints = &mut hints[node.index()];
            *hints = if node.index() < code_until {
                Hints::default()
            } else {
                hints.or(names.hints(dom, node))
            };
        }
    }
}

/// Adds a block to the content or the comments, or removes a part from either.
fn sort_in(dom: &Dom, block: Block, boilerplate: Option<Boilerplate>, content: &mut Content) {
    if boilerplate.is_none() && block.part_of.is_some() {
        return;
    }
    for node in dom.subtree(block.node) {
        match boilerplate {
            None => content.nodes.insert(node),
            Some(_) => content.nodes.remove(node),
        }
        if boilerplate == Some(Boilerplate::Comments) {
            content.comments.insert(node);
        }
    }
}

/// The hints that several separate parts of the core have.
fn recurring(dom: &Dom, core: NodeId, hints: &[Hints]) -> Hints {
    let mut recurring = Hints::default();
    let there = dom.range(core).skip(1);
    let there = there.fold(Hints::default().with(Hint::Byline), |all, index| {
        all.or(hints[index])
    });
    for hint in blocks::BOILERPLATE_HINTS
        .into_iter()
        .filter(|&hint| there.has(hint))
    {
        let mut times = 0;
        let mut index = core.index() + 1;
        while index < dom.range(core).end && times < TIMES_IN_A_LIST {
            let node = NodeId::from_index(index);
            let is_meant =
                hints[index].has(hint) || (hint == Hint::Byline && dom.is_element(node, &name!("time")));
            if is_meant {
                times += 1;
                index = dom.range(node).end;
            } else {
                index += 1;
            }
        }
        if times >= TIMES_IN_A_LIST {
            recurring = recurring.with(hint);
        }
    }
    recurring
}

fn title(dom: &Dom) -> String {
    let title = dom.nodes().find(|&node| dom.is_element(node, &name!("title")));
    let words = title.map(|node| dom.text_of(node).split_whitespace().collect::<Vec<_>>().join(" "));
    words.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::words;
    use crate::options::Options;
    use crate::session::Session;
    use url::Url;

    const MENU: &str =
        "<nav><a href=/0>Home</a><a href=/1>One</a><a href=/2>Two</a><a href=/3>Three</a></nav>";
    const FOOTER: &str = "<footer>All rights reserved by the makers of this site</footer>";

    /// A page with a text of its own, `own` in and `around` the article.
    fn page(number: usize, own: &str, around: &str) -> Page {
        let (topic, text) = [
            (
                "owls",
                "<p>Owls live in the wood, and they eat mice.</p><p>Nobody has seen them by day, it is said.</p>",
            ),
            (
                "bats",
                "<p>In old barns there are often bats.</p><p>Their young hang from the roof, head down.</p>",
            ),
            (
                "foxes",
                "<p>The red fox, a cunning animal, digs dens.</p><p>It hunts at dusk; hens fear it most.</p>",
            ),
            (
                "hedgehogs",
                "<p>Spines cover the back of this one.</p><p>Slugs, worms and beetles are its meals.</p>",
            ),
        ][number];
        let html = format!(
            "<title>On {topic}</title>{MENU}<main><h1>On {topic}</h1><div id=text>{text}{own}</div>{around}</main>{FOOTER}"
        );
        Page::parse(url(number), &html)
    }

    fn url(number: usize) -> Url {
        Url::parse(&format!("https://example.org/{number}")).unwrap()
    }

    fn content(make: impl Fn(usize) -> Page) -> (Page, Content) {
        let mut session = Session::new(make(0), Options::default());
        while let Some(url) = session.next_wanted().cloned() {
            session.give(make(url.path()[1..].parse().unwrap()));
        }
        let extraction = session.finish();
        assert_eq!(extraction.compared.len(), 3);
        let content = Content::of(&extraction);
        (extraction.key_page, content)
    }

    fn text(page: &Page, nodes: &NodeSet) -> String {
        let texts = nodes.iter().filter(|&node| page.dom.kind(node) == NodeKind::Text);
        let texts: Vec<&str> = texts.flat_map(|node| words(page.dom.text_of(node))).collect();
        texts.join(" ")
    }

    const TEXT: &str =
        "On owls Owls live in the wood and they eat mice Nobody has seen them by day it is said";

    /// Checks what is added to the words of the article, and what the comments are.
    fn check(own: impl Fn(usize) -> String, around: impl Fn(usize) -> String, added: &str, comments: &str) {
        let (page, content) = content(|number| page(number, &own(number), &around(number)));
        assert_eq!(text(&page, &content.nodes), format!("{TEXT}{added}"));
        assert_eq!(text(&page, &content.comments), comments);
        assert_eq!(content.method, ContentMethod::Template);
    }

    /// Something else on each page.
    const OTHER: [&str; 4] = [
        "mice and voles",
        "a moth at night",
        "hens",
        "slugs, worms or beetles",
    ];

    fn nothing(_: usize) -> String {
        String::new()
    }

    #[test]
    fn is_what_other_pages_do_not_have() {
        check(nothing, nothing, "", "");
    }

    #[test]
    fn bylines_and_tags_are_no_content() {
        let byline = |n| format!("<p class=byline>By Ann <time>{n} May 2024</time></p>");
        check(nothing, byline, "", "");
        let tags = |n| {
            format!("<ul class=post-tags><li><a href=/t{n}>tag {n}</a><li><a href=/u{n}>more {n}</a></ul>")
        };
        check(nothing, tags, "", "");
    }

    #[test]
    fn what_recurs_in_the_content_is_its_own() {
        let quote = |n: usize| {
            let quote = |who: &str| {
                format!("<blockquote>Owls are fine, says number {n}.<p class=author>{who} {n}</blockquote>")
            };
            quote("Ann") + &quote("Ben") + &quote("Cleo")
        };
        let quotes = " Owls are fine says number 0 Ann 0 Owls are fine says number 0 Ben 0 Owls are fine says number 0 Cleo 0";
        check(quote, nothing, quotes, "");
    }

    #[test]
    fn links_around_are_no_content() {
        let next = |n| {
            format!(
                "<div class=pager><a href=/p{n}>Previous: page {n}</a> <a href=/n{n}>Next: page {n}</a></div>"
            )
        };
        check(nothing, next, "", "");
        let framed = |n| {
            format!(
                "<table><tr><td>Back to<td><a href=/p{n}>chapter {n}</a><td>On to<td><a href=/n{n}>chapter 1{n}</a></table>"
            )
        };
        check(nothing, framed, "", "");
    }

    #[test]
    fn the_last_entry_of_a_breadcrumb_is_no_content() {
        let crumbs = |n: usize| {
            format!(
                "<nav><a href=/>Home</a> <a href=/w>Wood</a> <span>{}</span></nav>",
                OTHER[n]
            )
        };
        check(crumbs, nothing, "", "");
    }

    #[test]
    fn links_in_the_text_are_content() {
        let link = |n: usize| format!("<p>{}: read <a href=/x{n}>on {}</a>.</p>", OTHER[n], OTHER[n]);
        check(link, nothing, " mice and voles read on mice and voles", "");
    }

    #[test]
    fn related_things_are_no_content_by_name_or_by_heading() {
        let named = |n| format!("<div class=related-posts>Of use <a href=/r{n}>Trees {n}</a></div>");
        check(nothing, named, "", "");
        let headed = |n| {
            format!(
                "<section><h2>You may also like</h2><p>Trees {n}, <a href=/r{n}>flowers {n}</a></section>"
            )
        };
        check(headed, nothing, "", "");
        let followed = |n| {
            format!(
                "<div><h3>Related products</h3></div><ul><li><a href=/r{n}>Rake {n}</a></ul><h3>Left {n}</h3>"
            )
        };
        check(followed, nothing, " Left 0", "");
    }

    #[test]
    fn comments_are_kept_apart() {
        let comments =
            |n| format!("<div id=comments><p>I like number {n}.</p><p>So do I, said {n}.</p></div>");
        check(nothing, comments, "", "I like number 0 So do I said 0");
        let headed = |n| format!("<div><h3>3 comments</h3><p>Nice, {n}.</p></div>");
        check(nothing, headed, "", "Nice 0");
        let unnamed = |n| {
            format!(
                "<section><form><textarea placeholder='Leave a comment'></textarea></form><p>Fine, {n}.</p></section>"
            )
        };
        check(nothing, unnamed, "", "Fine 0");
    }

    #[test]
    fn near_duplicates_are_not_content() {
        let changed = |n| format!("<p>This page was last changed on {n} May 201{n} by someone</p>");
        check(changed, nothing, "", "");
    }

    #[test]
    fn what_is_said_thrice_is_a_list() {
        let list = |n| {
            let item = |m| format!("<li>Seen in the wood {m}{n} times by day</li>");
            format!("<ul>{}{}{}</ul>", item(1), item(2), item(3))
        };
        let items = " Seen in the wood 10 times by day Seen in the wood 20 times by day Seen in the wood 30 times by day";
        check(list, nothing, items, "");
    }

    #[test]
    fn names_in_code_are_no_hints() {
        let code = |n| format!("<pre><span class=comment>// number {n}</span></pre>");
        check(code, nothing, " number 0", "");
    }

    #[test]
    fn ids_made_of_headings_are_no_hints() {
        let section = |n: usize| {
            format!(
                "<section id=menu-of-the-day-and-more><p>{} <a href=/y{n}>{}</a></p></section>",
                OTHER[n], OTHER[n]
            )
        };
        check(section, nothing, " mice and voles mice and voles", "");
    }

    #[test]
    fn captions_in_the_content_stay() {
        let caption = |n: usize| format!("<dl><dt>What it eats</dt><dd>{}</dd></dl>", OTHER[n]);
        check(caption, nothing, " What it eats mice and voles", "");
    }

    #[test]
    fn a_page_without_words_of_its_own_has_no_content() {
        let (page, content) = content(|number| {
            Page::parse(
                url(number),
                &format!("{MENU}<p>Nothing here yet{FOOTER}<img src={number}.png>"),
            )
        });
        assert_eq!(text(&page, &content.nodes), "");
    }

    #[test]
    fn comments_are_the_content_where_there_is_nothing_else() {
        let (page, content) = content(|number| {
            let comment = format!(
                "<div class=comment>What I think of number {number} is that it is fine, as {number} are.</div>"
            );
            Page::parse(
                url(number),
                &format!("{MENU}<main>{}</main>{FOOTER}", comment.repeat(4)),
            )
        });
        assert_eq!(text(&page, &content.nodes).matches("fine").count(), 4);
    }
}
