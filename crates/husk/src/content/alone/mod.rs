//! The content of a single page.
//!
//! A [`Page`] in, [`Content`] out. Each text has evidence for being content, in nats, from what it is in and its
//! position ([`evidence`]). Of all ways to split the tree into content and the rest, the one with the most evidence
//! is taken, where every border between the two has a cost ([`split`]). Finally the containers around the content are
//! removed ([`frame`]).

mod numbers;

mod evidence;
mod frame;
mod heading;
mod signs;
mod split;
mod survey;

use husk_dom::{Dom, NodeId, name};

use super::{Content, ContentMethod};
use crate::mapping::NodeSet;
use crate::page::Page;
use numbers::{LEAST_CONTENT, MOST_STEPS, STEP};
use survey::Survey;

/// The content of a page without siblings.
pub(super) fn content(page: &Page) -> Content {
    let dom = &page.dom;
    let (nodes, comments) = match dom.part(&name!("body")) {
        Some(body) => {
            let survey = Survey::of(dom, body);
            (main_nodes(dom, &survey), comments(dom, &survey))
        }
        None => (NodeSet::none(dom), NodeSet::none(dom)),
    };
    Content {
        nodes,
        comments,
        method: ContentMethod::SinglePage,
    }
}

fn main_nodes(dom: &Dom, survey: &Survey) -> NodeSet {
    let evidence = evidence::of_texts(dom, survey);
    let words_of = |node: NodeId| survey.words(node);
    let wanted = LEAST_CONTENT * f64::from(survey.words_without_comments());
    for step in 0..MOST_STEPS {
        let mut is_content = split::best(dom, survey.body(), |node| {
            evidence[node.index()].map_or(0.0, |text| text.nats(f64::from(step) * STEP, words_of(node)))
        });
        for comment in dom.nodes().filter(|&node| survey.is_comment(node)) {
            is_content[comment.index()] = false;
        }
        let chosen = chosen_words(dom, &is_content, words_of);
        if chosen > 0 && f64::from(chosen) >= wanted {
            add_heading(dom, survey, &mut is_content);
            return frame::without(dom, is_content, words_of);
        }
    }
    frame::without(dom, survey.unsuspected(dom), words_of)
}

/// Adds the heading that is in one element with the content, before it: on a short page it has little evidence.
fn add_heading(dom: &Dom, survey: &Survey, is_content: &mut [bool]) {
    let first = dom
        .nodes()
        .find(|node| is_content[node.index()] && survey.words(*node) > 0);
    let heading = dom
        .nodes()
        .find(|&node| survey.is_in_heading(node) && dom.is_element(node, &name!("h1")));
    if let (Some(heading), Some(first)) = (heading, first)
        && heading < first
        && dom
            .parent(heading)
            .is_some_and(|parent| dom.is_within(first, parent))
    {
        for node in dom.subtree(heading).filter(|&node| !survey.is_comment(node)) {
            is_content[node.index()] = true;
        }
    }
}

fn chosen_words(dom: &Dom, is_content: &[bool], words_of: impl Fn(NodeId) -> u32) -> u32 {
    dom.nodes()
        .filter(|node| is_content[node.index()])
        .map(words_of)
        .sum()
}

fn comments(dom: &Dom, survey: &Survey) -> NodeSet {
    let mut comments = NodeSet::none(dom);
    dom.nodes()
        .filter(|&node| survey.is_comment(node))
        .for_each(|node| comments.insert(node));
    comments
}

#[cfg(test)]
mod tests {
    use husk_dom::NodeKind;
    use proptest::prelude::*;
    use url::Url;

    use super::*;

    const SENTENCE: &str =
        "The mill stood by the river for three hundred years, and then, one night, it was gone.";

    fn found(html: &str) -> (Page, Content) {
        let html = html.replace("{s}", SENTENCE);
        let page = Page::parse(Url::parse("https://example.org/a").unwrap(), &html);
        let content = content(&page);
        (page, content)
    }

    fn texts(dom: &Dom, nodes: &NodeSet) -> Vec<String> {
        nodes
            .iter()
            .filter(|&node| dom.kind(node) == NodeKind::Text && !dom.is_blank_text(node))
            .map(|node| dom.text_of(node).trim().replace(SENTENCE, "{s}"))
            .collect()
    }

    /// Checks which texts are content; `{s}` stands for a long sentence.
    #[track_caller]
    fn check(html: &str, expect: &[&str]) {
        let (page, content) = found(html);
        assert_eq!(texts(&page.dom, &content.nodes), expect);
    }

    #[track_caller]
    fn check_comments(html: &str, expect: &[&str]) {
        let (page, content) = found(html);
        assert_eq!(texts(&page.dom, &content.comments), expect);
    }

    const MENU: &str =
        "<ul><li><a href=/>Home</a></li><li><a href=/n>News</a></li><li><a href=/s>Shop</a></li></ul>";

    #[test]
    fn an_article_is_told_from_what_is_around_it() {
        check(
            &format!(
                "<title>The mill - Our town</title><header><a href=/>Our town</a></header><nav>{MENU}</nav>
                <main><h1>The mill</h1><p>{{s}}</p><p>{{s}}</p><p>{{s}}</p></main>
                <aside><h2>Latest</h2>{MENU}</aside><footer>© Our town, all rights reserved.</footer>"
            ),
            &["The mill", "{s}", "{s}", "{s}"],
        );
    }

    #[test]
    fn no_name_is_needed() {
        check(
            &format!(
                "<title>The mill</title><div>{MENU}</div><div><h1>The mill</h1><p>{{s}}</p><p>{{s}}</p><p>{{s}}</p></div>
                <div>{MENU}</div>"
            ),
            &["The mill", "{s}", "{s}", "{s}"],
        );
    }

    #[test]
    fn short_texts_belong_where_most_of_the_text_is() {
        check(
            "<div><div>Open daily</div><div>Call us</div></div><div><div>{s}</div><div>Built in 1598</div><div>{s}</div><div>{s}</div>
            <div>Gone in 1898</div></div><div><div>Open daily</div><div>Call us</div></div>",
            &["{s}", "Built in 1598", "{s}", "{s}", "Gone in 1898"],
        );
    }

    #[test]
    fn a_layout_of_tables_is_read() {
        check(
            &format!(
                "<table><tr><td>{MENU}<td><font><b>The mill</b><br>{{s}}<br>{{s}}<br>{{s}}</font></table>
                <center><a href=/w>Webmaster</a></center>"
            ),
            &["The mill", "{s}", "{s}", "{s}"],
        );
    }

    #[test]
    fn scripts_without_spaces_and_from_right_to_left_are_read() {
        let chinese = "磨坊在河边矗立了三百年，然后，在一个夜晚，它消失了。没有人知道为什么。";
        check(
            &format!("<nav>{MENU}</nav><div><p>{chinese}</p><p>{chinese}</p></div><footer>版权所有</footer>"),
            &[chinese, chinese],
        );
        let arabic = "وقفت الطاحونة على ضفة النهر ثلاثمائة عام، ثم اختفت ذات ليلة. لا أحد يعرف لماذا.";
        check(
            &format!(
                "<html dir=rtl><nav>{MENU}</nav><div><p>{arabic}</p><p>{arabic}</p><p>{arabic}</p></div>
                <footer>حقوق النشر</footer>"
            ),
            &[arabic, arabic, arabic],
        );
    }

    #[test]
    fn a_page_of_links_has_content() {
        check(
            &format!(
                "<title>News</title><nav>{MENU}</nav><main><h1>News</h1>
                <ul><li><a href=1>A mill is gone</a></li><li><a href=2>A bridge is built</a></li></ul></main>
                <footer><a href=i>Imprint</a></footer>"
            ),
            &["News", "A mill is gone", "A bridge is built"],
        );
    }

    #[test]
    fn what_has_text_has_content() {
        check("Hello", &["Hello"]);
        check("<nav><a href=/>Home</a></nav>", &["Home"]);
        check("<footer>© Our town</footer>", &["© Our town"]);
    }

    #[test]
    fn what_has_no_text_has_none() {
        check("", &[]);
        check("<div> <script>let words = 1;</script></div>", &[]);
        check("<frameset><frame src=a></frameset>", &[]);
    }

    #[test]
    fn a_form_around_the_page_is_no_form() {
        check("<form><div><p>{s}</p><p>{s}</p></div></form>", &["{s}", "{s}"]);
    }

    #[test]
    fn a_consent_is_left_out() {
        check(
            "<div><p>{s}</p><p>{s}</p><p>{s}</p></div><div class=cookie-notice><p>We use cookies. Is that all right, or not?</p>
            <button>Yes</button></div>",
            &["{s}", "{s}", "{s}"],
        );
    }

    #[test]
    fn comments_are_kept_apart() {
        let html = "<article><p>{s}</p><p>{s}</p></article><div id=comments><h2>Comments</h2><p>{s}</p><p>{s}</p><p>{s}</p></div>";
        check(html, &["{s}", "{s}"]);
        check_comments(html, &["Comments", "{s}", "{s}", "{s}"]);
    }

    #[test]
    fn remarks_are_no_comments() {
        let html = "<main><p>{s}</p><div class=comment><p>{s}</p></div><p>{s}</p><p>{s}</p></main>";
        check(html, &["{s}", "{s}", "{s}", "{s}"]);
        check_comments(html, &[]);
        let html = "<main><p>{s}</p><pre><span class=comment>// a, b.</span> code</pre></main>";
        check_comments(html, &[]);
    }

    #[test]
    fn containers_around_the_content_are_not_content() {
        let (page, content) = found("<div><div><p>{s}</p><p>{s}</p><img src=a></div><hr></div>");
        let names: Vec<_> = content
            .nodes
            .iter()
            .filter(|&node| page.dom.kind(node) == NodeKind::Element)
            .map(|node| page.dom.name(node).to_string())
            .collect();
        assert_eq!(names, ["p", "p", "img"]);
    }

    #[test]
    fn a_table_of_data_stays_whole() {
        let (page, content) =
            found("<div><table><tr><th>Year<td>1890<tr><th>Owner<td>The heirs of the miller</table></div>");
        let names: Vec<_> = content
            .nodes
            .iter()
            .map(|node| page.dom.name(node).to_string())
            .collect();
        assert_eq!(names[0], "table");
    }

    proptest! {
        #[test]
        fn no_page_is_too_odd(parts in prop::collection::vec(0usize..ODD.len(), 0..40)) {
            let html: String = parts.iter().map(|&part| ODD[part]).collect();
            let (page, content) = found(&html);
            let body = page.dom.part(&name!("body"));
            let has_words = body.is_some_and(|body| Survey::of(&page.dom, body).words_without_comments() > 0);
            prop_assert_eq!(has_words, !texts(&page.dom, &content.nodes).is_empty());
            prop_assert!(content.nodes.iter().all(|node| !content.comments.contains(node)));
        }
    }

    const ODD: &[&str] = &[
        "<nav>",
        "</nav>",
        "<div class=comments>",
        "</div>",
        "<p>{s}",
        "<main>",
        "</main>",
        "<h1>x",
        "<table><td>",
        "</table>",
        "<a href=x>y",
        "</a>",
        "<footer>z",
        "<template>w",
        "</template>",
        "<svg><title>v",
        "</svg>",
        "<div hidden>",
        "<form>",
        "<aside>u</aside>",
        "<script>t</script>",
        "…",
    ];
}
