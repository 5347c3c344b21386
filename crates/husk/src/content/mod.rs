//! The main content of a page.
//!
//! An [`Extraction`], or a single [`Page`], in; [`Content`] out. The page is cut into [`blocks`](crate::blocks), without its
//! template if that is known. The model says how likely each block is content, and the blocks are chosen for which the
//! expected F1 is highest: so a page of prose is cut strictly, and a list of short texts is not lost as a whole.

mod numbers;

mod labels;
mod nodes;
mod parts;
mod repeated;
mod title;

use husk_dom::{Dom, NodeId, name};
use indexmap::IndexMap;

use crate::blocks::{Description, Features, NearDuplicates, ShortTextIndex, Siblings};
use crate::extraction::Extraction;
use crate::hints::{Hint, NameReader};
use crate::mapping::NodeSet;
use crate::page::Page;
use crate::template::Template;
use crate::work::check;
use numbers::{ERRORS_THAT_HAPPEN, LEAST_PROBABILITY, MOST_COMMENTS, STRICTNESS};

pub(crate) use parts::Parts;

/// The main content of a page.
#[derive(Debug, Clone)]
pub struct Content {
    /// Its nodes, without the elements around all of it.
    pub nodes: NodeSet,
    /// Reader comments, which are not part of the content.
    pub comments: NodeSet,
    /// How it was found.
    pub method: ContentMethod,
    /// The F1 to expect of the content, by words, from 0 to 1; none if there is no content.
    pub confidence: Option<f64>,
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
        Self::by_template(
            &extraction.key_page,
            &extraction.template,
            &book,
            &mut NameReader::new(),
        )
    }

    /// The content by a known template and the short texts of the siblings.
    pub(crate) fn by_template(
        page: &Page,
        template: &Template,
        book: &ShortTextIndex,
        names: &mut NameReader,
    ) -> Self {
        let near_duplicates = NearDuplicates::of(page, template, book);
        let siblings = Siblings {
            template,
            near_duplicates: &near_duplicates,
        };
        content(&page.dom, Some(siblings), names)
    }

    /// The content of a page that has none.
    pub(crate) fn none(dom: &Dom) -> Self {
        Self {
            nodes: NodeSet::none(dom),
            comments: NodeSet::none(dom),
            method: ContentMethod::SinglePage,
            confidence: None,
        }
    }

    /// The content of a page without siblings.
    pub fn of_single_page(page: &Page) -> Self {
        content(&page.dom, None, &mut NameReader::new())
    }
}

fn content(dom: &Dom, siblings: Option<Siblings>, names: &mut NameReader) -> Content {
    let method = match siblings {
        Some(_) => ContentMethod::Template,
        None => ContentMethod::SinglePage,
    };
    let Some(body) = dom.part(&name!("body")) else {
        return Content {
            method,
            ..Content::none(dom)
        };
    };
    let page = Description::of(dom, body, siblings, names);
    let words: Vec<u32> = page.blocks.list.iter().map(|block| block.counts.words).collect();
    let probabilities = probabilities(&page);
    let mut is_chosen = choose(&probabilities, &words, siblings.is_some());
    leave_comments_out(dom, &page, &mut is_chosen, names);
    // A byline is a field of the metadata.
    Parts::with_title(dom, &page.blocks, page.title, names)
        .byline_blocks()
        .for_each(|number| is_chosen[number] = false);
    repeated::remove(dom, &page, &mut is_chosen);
    if is_chosen.contains(&true)
        && let Some(title) = title::blocks(dom, &page)
    {
        is_chosen[title].fill(true);
    }
    let is_own = |node: NodeId| siblings.is_none_or(|siblings| !siblings.template.contains(node));
    let is_comment = comments(dom, &page, &is_chosen);
    let mut nodes = nodes::of_content(dom, &page.blocks, &is_chosen, is_own);
    labels::remove_last(dom, &mut nodes);
    let mut comments = nodes::of_comments(dom, &page.blocks, &is_comment, is_own);
    labels::remove_last(dom, &mut comments);
    Content {
        nodes,
        comments,
        method,
        confidence: expected_f1(&probabilities, &words, &is_chosen)
            .map(|expected| 1.0 - ERRORS_THAT_HAPPEN * (1.0 - expected)),
    }
}

/// The blocks of readers' comments that are not content, without forms and what is to be clicked.
fn comments(dom: &Dom, page: &Description, is_chosen: &[bool]) -> Vec<bool> {
    let blocks = &page.blocks.list;
    let mut is_comment: Vec<bool> = blocks
        .iter()
        .zip(is_chosen)
        .map(|(block, is_chosen)| {
            // Some pages are a form as a whole.
            let is_field = |above: NodeId| match *dom.name(above) {
                name!("form") => page.hints_around(above).has(Hint::Comments),
                ref name => matches!(*name, name!("button") | name!("label")),
            };
            !is_chosen
                && page.hints_around(block.first).has(Hint::Comments)
                && !dom.ancestors(block.first).any(is_field)
        })
        .collect();
    // Links that say the same in several comments and lead to different places are for answering or the like, or dates.
    let mut links: IndexMap<String, Vec<(usize, Option<&str>)>> = IndexMap::new();
    for (number, block) in blocks.iter().enumerate() {
        let text = || block.text(dom).trim().to_owned();
        if is_comment[number] && block.is_linked() && !text().contains(|letter: char| letter.is_numeric()) {
            let text = text();
            let mut around = dom.ancestors(block.first);
            let target = around.find_map(|above| dom.attribute(above, &name!("href")));
            links.entry(text).or_default().push((number, target));
        }
    }
    for same in links.values() {
        if same.iter().any(|(_, target)| *target != same[0].1) {
            same.iter().for_each(|&(number, _)| is_comment[number] = false);
        }
    }
    is_comment
}

/// Leaves out readers' comments that look like content, if most of the content is something else.
fn leave_comments_out(dom: &Dom, page: &Description, is_chosen: &mut [bool], names: &mut NameReader) {
    let blocks = &page.blocks.list;
    let mut is_comment = |number: usize| {
        let first = blocks[number].first;
        page.hints_around(first).has(Hint::Comments)
            && dom
                .ancestors(first)
                .any(|above| is_list_of_comments(dom, above, names))
    };
    let chosen = || (0..blocks.len()).filter(|&number| is_chosen[number]);
    let comments: Vec<usize> = chosen().filter(|&number| is_comment(number)).collect();
    let words = |number: usize| blocks[number].counts.words;
    let of_comments: u32 = comments.iter().map(|&number| words(number)).sum();
    let prose: u32 = comments.iter().map(|&number| blocks[number].counts.prose).sum();
    let all: u32 = chosen().map(words).sum();
    // What has hardly a sentence is a list of changes.
    if 2 * prose >= of_comments && f64::from(of_comments) <= MOST_COMMENTS * f64::from(all) {
        for number in comments {
            is_chosen[number] = false;
        }
    }
}

/// Whether the names of an element and of several parts of it say that they are comments. One alone may be a remark of the author.
fn is_list_of_comments(dom: &Dom, node: NodeId, names: &mut NameReader) -> bool {
    let mut are_comments = |node: &NodeId| names.hints(dom, *node).has(Hint::Comments);
    are_comments(&node) && dom.children(node).filter(are_comments).nth(1).is_some()
}

/// How likely each block is content.
fn probabilities(page: &Description) -> Vec<f64> {
    let mut describer = page.describer();
    let mut features = Features::new();
    let mut probabilities = vec![0.0; page.blocks.list.len()];
    let mut set = |number: usize, probability| probabilities[number] = probability;
    for number in 0..page.blocks.list.len() {
        check();
        if page.is_variant(number) {
            continue;
        }
        let mut push = features.add(number);
        describer.describe(number, &mut |_, _, value| push(value));
        drop(push);
        if features.is_full() {
            features.drain(&mut set);
        }
    }
    features.drain(set);
    probabilities
}

/// The choice of blocks with the highest expected F1, by words.
///
/// With those of more than a probability chosen, the expected F1 is about twice the expected content words among the chosen,
/// divided by the chosen words and the expected content words of the page.
pub(crate) fn choose(probabilities: &[f64], words: &[u32], may_be_none: bool) -> Vec<bool> {
    let mut order: Vec<(f64, f64)> = probabilities
        .iter()
        .zip(words)
        .map(|(&probability, &words)| (probability, f64::from(words)))
        .collect();
    order.sort_by(|one, other| other.0.total_cmp(&one.0));
    let expected: f64 = order.iter().map(|(probability, words)| probability * words).sum();
    let (mut chosen, mut right, mut best) = (0.0, 0.0, 0.0);
    for (probability, words) in &order {
        chosen += words;
        right += probability * words;
        best = f64::max(best, 2.0 * right / (chosen + expected));
    }
    let most = order.first().map_or(0.0, |&(probability, _)| probability);
    if may_be_none && most < LEAST_PROBABILITY {
        return vec![false; words.len()];
    }
    // Where F1 is highest, the last block that is worth its words has half of it as probability.
    let least = (STRICTNESS * best / 2.0).min(most);
    probabilities
        .iter()
        .map(|&probability| probability >= least)
        .collect()
}

/// The expected F1 of a choice of blocks, by words; none if it has no words.
fn expected_f1(probabilities: &[f64], words: &[u32], is_chosen: &[bool]) -> Option<f64> {
    let (mut chosen, mut right, mut expected) = (0.0, 0.0, 0.0);
    for ((probability, &words), is_chosen) in probabilities.iter().zip(words).zip(is_chosen) {
        let words = f64::from(words);
        expected += probability * words;
        if *is_chosen {
            chosen += words;
            right += probability * words;
        }
    }
    (chosen > 0.0).then(|| 2.0 * right / (chosen + expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::words;
    use crate::options::Options;
    use crate::session::Session;
    use husk_dom::NodeKind;
    use url::Url;

    const MENU: &str =
        "<nav><a href=/0>Home</a><a href=/1>One</a><a href=/2>Two</a><a href=/3>Three</a></nav>";
    const FOOTER: &str = "<footer>All rights reserved by the makers of this site</footer>";

    /// What the article of each page is about, and its words.
    const TOPICS: [(&str, &str); 4] = [
        (
            "owls",
            "owl wood mouse night feather nest tree hollow call hunter wing silence",
        ),
        (
            "bats",
            "bat barn moth dusk roof cave echo skin winter sleep insect flight",
        ),
        (
            "foxes",
            "fox den hen snow field red tail brush cunning hunt pup forest",
        ),
        (
            "hedgehogs",
            "hedgehog slug spine garden worm leaf autumn curl snout beetle hedge food",
        ),
    ];

    /// Five paragraphs of prose that no other page has.
    fn article(number: usize) -> Vec<String> {
        let words: Vec<&str> = TOPICS[number].1.split(' ').collect();
        let sentence = |at: usize| {
            let word = |ahead: usize| words[(at + ahead) % words.len()];
            format!(
                "The {} of the {} was long thought to be a {}, but we know of a {} that has no {} at all.",
                word(0),
                word(at + 1),
                word(5),
                word(2 * at + 3),
                word(at + 7)
            )
        };
        let paragraph = |at: usize| format!("{} {} {}", sentence(at), sentence(at + 5), sentence(at + 9));
        (0..5).map(paragraph).collect()
    }

    /// A page with an article of its own, `own` in it and `around` it.
    fn page(number: usize, own: &str, around: &str) -> Page {
        let topic = TOPICS[number].0;
        let text: String = article(number)
            .iter()
            .map(|text| format!("<p>{text}</p>"))
            .collect();
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

    /// Checks what is added to the words of the article, and what the comments are.
    fn check(own: impl Fn(usize) -> String, around: impl Fn(usize) -> String, added: &str, comments: &str) {
        let (page, content) = content(|number| page(number, &own(number), &around(number)));
        let article: Vec<String> = article(0);
        let article: Vec<&str> = article.iter().flat_map(|text| words(text)).collect();
        let found = text(&page, &content.nodes);
        let rest = found.strip_prefix(&format!("On owls {}", article.join(" ")));
        assert_eq!(rest, Some(added), "{found}");
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
    fn a_text_is_content_once() {
        let lead = "Owls sleep by day and hunt by night in these woods.";
        let other = "Nobody knows where they are in the early hours.";
        let copy = |n| match n {
            0 => {
                let part = format!("<p>{lead}</p><p>{other}</p>");
                format!("<div class=x>{part}</div><p>And then?</p><div class=y>{part}</div>")
            }
            n => format!("<p>{}</p>", OTHER[n]),
        };
        let part = "Owls sleep by day and hunt by night in these woods Nobody knows where they are in the early hours";
        check(copy, nothing, &format!(" {part} And then"), "");
        let chorus = |n| match n {
            0 => format!("<p>{lead}</p><p>Something else.</p><p>{lead}</p>"),
            n => format!("<p>{}</p>", OTHER[n]),
        };
        let words = "Owls sleep by day and hunt by night in these woods";
        check(chorus, nothing, &format!(" {words} Something else {words}"), "");
    }

    #[test]
    fn comments_are_without_their_buttons() {
        let comment = |said: &str| {
            format!(
                "<div class=comment><a href=/ann>Ann</a><p>I like {said} very much, and so does my old aunt.</p>\
                 <p><a href=/reply-to-{}>Reply</a></p></div>",
                said.len()
            )
        };
        let (one, other) = (comment(OTHER[0]), comment(OTHER[2]));
        let form = "<h3>Leave a reply</h3><form><label>Your name</label></form>";
        let comments = format!("<section class=comments>{one}{other}{form}</section>");
        let page = page(0, "", &comments);
        let content = Content::of_single_page(&page);
        assert_eq!(
            text(&page, &content.comments),
            "Ann I like mice and voles very much and so does my old aunt Ann I like hens very much and so does my old aunt"
        );
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
        let headed = |n| {
            format!("<div><h3>3 comments</h3><p>It was nice to read of number {n}, and I like it.</p></div>")
        };
        check(
            nothing,
            headed,
            "",
            "It was nice to read of number 0 and I like it",
        );
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

    const SENTENCE: &str =
        "The mill stood by the river for three hundred years, and then, one night, it was gone.";

    const LINKS: &str =
        "<ul><li><a href=/>Home</a></li><li><a href=/n>News</a></li><li><a href=/s>Shop</a></li></ul>";

    fn alone(html: &str) -> (Page, Content) {
        let html = html.replace("{s}", SENTENCE).replace("{l}", LINKS);
        let page = Page::parse(url(0), &html);
        let content = Content::of_single_page(&page);
        (page, content)
    }

    /// Checks which texts of a single page are content; `{s}` stands for a long sentence, `{l}` for a menu.
    #[track_caller]
    fn check_alone(html: &str, expect: &[&str]) {
        let (page, content) = alone(html);
        let texts: Vec<String> = content
            .nodes
            .iter()
            .filter(|&node| page.dom.kind(node) == NodeKind::Text && !page.dom.is_blank_text(node))
            .map(|node| page.dom.text_of(node).trim().replace(SENTENCE, "{s}"))
            .collect();
        assert_eq!(texts, expect, "{html}");
        assert_eq!(content.method, ContentMethod::SinglePage);
    }

    #[test]
    fn an_article_is_told_from_what_is_around_it() {
        check_alone(
            "<title>The mill - Our town</title><header><a href=/>Our town</a></header><nav>{l}</nav>
            <main><h1>The mill</h1><p>{s}</p><p>{s}</p><p>{s}</p></main>
            <aside><h2>Latest</h2>{l}</aside><footer>© Our town, all rights reserved.</footer>",
            &["The mill", "{s}", "{s}", "{s}"],
        );
        check_alone(
            "<title>The mill</title><div>{l}</div><div><h1>The mill</h1><p>{s}</p><p>{s}</p><p>{s}</p></div><div>{l}</div>",
            &["The mill", "{s}", "{s}", "{s}"],
        );
    }

    #[test]
    fn scripts_without_spaces_are_read() {
        let chinese = "磨坊在河边矗立了三百年，然后，在一个夜晚，它消失了。没有人知道为什么。";
        check_alone(
            &format!("<nav>{{l}}</nav><div><p>{chinese}</p><p>{chinese}</p></div><footer>版权所有</footer>"),
            &[chinese, chinese],
        );
    }

    #[test]
    fn what_has_text_has_content() {
        check_alone("Hello", &["Hello"]);
        check_alone("<nav><a href=/>Home</a></nav>", &["Home"]);
        check_alone("", &[]);
        check_alone("<div> <script>let words = 1;</script></div>", &[]);
        check_alone("<frameset><frame src=a></frameset>", &[]);
    }

    #[test]
    fn a_title_far_above_the_text_is_content() {
        let far = "<div>{l}</div>".repeat(3);
        let body = "<article><p>{s}</p><p>{s}</p><p>{s}</p></article>";
        let text = ["The mill", "{s}", "{s}", "{s}"];
        let with_site = "<title>The mill | Our town</title><h1>Our town</h1><div><h1>The mill</h1></div>";
        check_alone(&format!("{with_site}{far}{body}"), &text);
        let behind_site = "<title>Our town - The mill</title><div class=post><div><h1>The mill</h1></div>";
        check_alone(&format!("{behind_site}{far}<div>{body}</div></div>"), &text);
        // What is around the whole page may be called a dialog.
        let whole = "<title>The mill</title><div class=dialog-canvas><div><h1>The mill</h1></div>";
        check_alone(&format!("{whole}{far}{body}</div>"), &text);
        // The name of the site, and a logo, are not the title of the page.
        for logo in [
            "<h1>Our town</h1>",
            "<h1><a href='../index.html'>The mill</a></h1>",
            "<h1><a href='#'>The mill</a></h1>",
        ] {
            let top = format!("<title>The mill | Our town</title><div><div>{logo}</div>{far}</div>");
            check_alone(&format!("{top}{body}"), &text[1..]);
        }
    }

    #[test]
    fn comments_below_a_longer_text_are_no_content() {
        let comment = "<div class=post-comment><h6>Ann</h6><p>{s}</p></div>";
        check_alone(
            &format!(
                "<h1>The mill</h1><div>{}<div class=post-comments><h5>3 Comment</h5>{}</div></div>",
                "<p>{s}</p>".repeat(8),
                comment.repeat(2)
            ),
            &["The mill", "{s}", "{s}", "{s}", "{s}", "{s}", "{s}", "{s}", "{s}"],
        );
    }

    #[test]
    fn a_text_that_stands_there_twice_is_read_once() {
        let sentence = |number: usize| {
            format!(
                "In 1{number}7 the mill went to family {number}, who kept it for {number}4 years and rebuilt wheel {number}. "
            )
        };
        let paragraph = |at: usize| (4 * at..4 * at + 4).map(sentence).collect::<String>();
        let paragraphs: String = (0..5).map(|at| format!("<p>{}</p>", paragraph(at))).collect();
        let whole: String = (0..5).map(paragraph).collect();
        let (page, content) = alone(&format!(
            "<h1>The mill</h1><article>{paragraphs}</article><div itemprop=articleBody>{whole}</div>"
        ));
        let found = text(&page, &content.nodes);
        for number in 0..20 {
            assert_eq!(found.matches(&format!("In 1{number}7 ")).count(), 1, "{found}");
        }
    }

    #[test]
    fn a_text_that_repeats_itself_stays() {
        let chorus = "Round and round the old mill went, and round it goes. ".repeat(40);
        let (page, content) = alone(&format!("<h1>The mill</h1><p>{chorus}</p>"));
        assert_eq!(text(&page, &content.nodes).matches("Round and").count(), 40);
    }

    #[test]
    fn the_choice_depends_on_what_else_there_is() {
        // Beside sure blocks, one of 0.4 is not worth its words; among unsure ones it is.
        assert_eq!(
            choose(&[0.99, 0.4, 0.01], &[100, 20, 50], false),
            [true, false, false]
        );
        assert_eq!(
            choose(&[0.5, 0.4, 0.01], &[20, 20, 50], false),
            [true, true, false]
        );
        // A page alone always has content; one whose template is known may have none.
        assert_eq!(choose(&[0.05, 0.01], &[10, 10], false), [true, false]);
        assert_eq!(choose(&[0.05, 0.01], &[10, 10], true), [false, false]);
        assert_eq!(choose(&[], &[], true), [false; 0]);
    }
}
