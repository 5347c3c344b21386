//! Flags for pages that are not what their URL promises: errors, walls, stubs, shells; and for lists.
//!
//! A [`Page`] with its [`Content`] in, [`PageFlag`]s out. Words come from the lexicon; nothing is known about single sites.

mod numbers;

use husk_dom::{Dom, NodeId, NodeKind, name};

use crate::content::Content;
use crate::hints::is_heading;
use crate::lexicon;
use crate::measure::{Amount, words};
use crate::metadata::{page_title, title_parts, words_of};
use crate::page::Page;
use crate::refusal::is_redirect_stub;
use crate::scripted::{ScriptedReason, needs_rendering};
use crate::template::Template;
use numbers::{
    LEAST_CONSENT_PHRASES, LEAST_LINK_DENSITY, LEAST_LINKS_OF_LIST, MOST_SHELL_LINKS, MOST_TITLE_WORDS,
    MOST_WALL_LINKS, MOST_WALL_WORDS, SHORT_CONTENT,
};

/// What a page is, other than a page with content of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageFlag {
    /// It says that there is no such page, with a status of success.
    SoftNotFound,
    /// It asks to log in before anything is shown.
    LoginWall,
    /// It asks for consent before anything is shown.
    ConsentWall,
    /// It only redirects.
    RedirectStub,
    /// It is an empty shell that scripts fill in a browser.
    NeedsBrowser,
    /// Its content is a list of links.
    Listing,
}

impl PageFlag {
    /// The name in outputs, which is stable.
    pub fn name(self) -> &'static str {
        match self {
            Self::SoftNotFound => "soft-404",
            Self::LoginWall => "login-wall",
            Self::ConsentWall => "consent-wall",
            Self::RedirectStub => "redirect-stub",
            Self::NeedsBrowser => "needs-browser",
            Self::Listing => "listing",
        }
    }

    /// The flags of a page with these amounts of everything, and of what is content.
    pub fn of(
        page: &Page,
        template: &Template,
        content: &Content,
        all: Amount,
        of_content: Amount,
    ) -> Vec<Self> {
        if is_redirect_stub(page) {
            return vec![Self::RedirectStub];
        }
        if all.links <= MOST_SHELL_LINKS && is_shell(page) {
            return vec![Self::NeedsBrowser];
        }
        if of_content.words < SHORT_CONTENT {
            let titles = titles(&page.dom, content);
            if titles.iter().any(|title| says_not_found(title)) {
                return vec![Self::SoftNotFound];
            }
            if is_login_wall(&page.dom, template, &titles) {
                return vec![Self::LoginWall];
            }
        }
        if all.words <= MOST_WALL_WORDS
            && all.links <= MOST_WALL_LINKS
            && asks_for_consent(&page.dom, content)
        {
            return vec![Self::ConsentWall];
        }
        let is_list =
            of_content.links >= LEAST_LINKS_OF_LIST && of_content.link_density() >= LEAST_LINK_DENSITY;
        is_list.then_some(Self::Listing).into_iter().collect()
    }
}

fn is_shell(page: &Page) -> bool {
    matches!(
        needs_rendering(page),
        Some(ScriptedReason::OnlyScripts | ScriptedReason::AsksForScripts)
    )
}

/// The parts of the title and the headings outside of the template, in lower case.
fn titles(dom: &Dom, content: &Content) -> Vec<String> {
    let title = page_title(dom).unwrap_or_default();
    let parts = title_parts(&title).into_iter().map(str::to_owned);
    let headings = dom
        .nodes()
        .filter(|&node| dom.kind(node) == NodeKind::Element && is_heading(dom, node))
        .filter(|&node| dom.subtree(node).any(|below| content.nodes.contains(below)));
    let headings = headings.filter_map(|node| words_of(dom, node));
    parts.chain(headings).map(|title| title.to_lowercase()).collect()
}

/// Whether a title is that of an error page.
fn says_not_found(title: &str) -> bool {
    title == "404" || has_any_phrase(title, lexicon::entries("error-title"))
}

/// Whether a text has one of some sorted phrases as whole words.
fn has_any_phrase(text: &str, sorted: &[&str]) -> bool {
    let first = |phrase: &&&str| phrase.as_bytes().first().copied();
    text.char_indices().any(|(at, _)| {
        let rest = &text[at..];
        let start = sorted.partition_point(|phrase| first(&phrase) < rest.as_bytes().first().copied());
        let mut candidates = sorted[start..]
            .iter()
            .take_while(|phrase| first(phrase) == rest.as_bytes().first().copied());
        candidates.any(|phrase| rest.starts_with(phrase) && has_phrase(text, phrase))
    })
}

/// Whether a text has a phrase as whole words. In scripts without spaces, words are not separated.
fn has_phrase(text: &str, phrase: &str) -> bool {
    let is_spaced = phrase.chars().all(|letter| letter < '\u{2e80}');
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + phrase.len()..]);
        !is_spaced || !(is_letter(before.chars().next_back()) || is_letter(behind.chars().next()))
    })
}

/// Whether a page without much content has a form to log in: one password and at most one other field, or a title that
/// says so. A form that is on all pages is no wall.
fn is_login_wall(dom: &Dom, template: &Template, titles: &[String]) -> bool {
    let is_on_all = |node: NodeId| template.compared() > 0 && template.contains(node);
    let (mut passwords, mut others) = (0, 0);
    for node in dom.nodes().filter(|&node| dom.is_element(node, &name!("input"))) {
        let kind = dom
            .attribute(node, &name!("type"))
            .unwrap_or("text")
            .to_ascii_lowercase();
        let count = match &*kind {
            "password" => &mut passwords,
            "text" | "email" | "tel" => &mut others,
            _ => continue,
        };
        *count += usize::from(!is_on_all(node) && !is_hidden(dom, node));
    }
    let is_titled = || {
        let entries = lexicon::entries("login-title");
        titles
            .iter()
            .any(|title| words(title).nth(MOST_TITLE_WORDS).is_none() && has_any_phrase(title, entries))
    };
    match (passwords, others) {
        (1, 0 | 1) => true,
        (0, 0) => false,
        (0, others) => others == 1 && is_titled(),
        _ => is_titled(),
    }
}

/// Whether an element is in one that the page hides.
fn is_hidden(dom: &Dom, node: NodeId) -> bool {
    let hides = |node: NodeId| {
        dom.attributes(node).any(|attribute| match &**attribute.name {
            "hidden" => true,
            "style" => {
                let style: String = attribute.value.split_whitespace().collect();
                style.to_ascii_lowercase().contains("display:none")
            }
            _ => false,
        })
    };
    std::iter::once(node).chain(dom.ancestors(node)).any(hides)
}

/// Whether the content of a short page is about consent to cookies and the like, with buttons to give it. A banner beside
/// other content is no wall.
fn asks_for_consent(dom: &Dom, content: &Content) -> bool {
    let is_button = |node: NodeId| {
        dom.is_element(node, &name!("button"))
            || dom.attribute(node, &name!("role")) == Some("button")
            || dom.is_element(node, &name!("input"))
                && dom
                    .attribute(node, &name!("type"))
                    .is_some_and(|kind| matches!(&*kind.to_ascii_lowercase(), "submit" | "button"))
    };
    if !dom.nodes().any(is_button) {
        return false;
    }
    let texts = content
        .nodes
        .iter()
        .filter(|&node| dom.kind(node) == NodeKind::Text);
    let text: String = texts.flat_map(|node| [dom.text_of(node), " "]).collect();
    let text = text.to_lowercase();
    let found = lexicon::entries("consent")
        .iter()
        .filter(|phrase| has_phrase(&text, phrase));
    found.take(LEAST_CONSENT_PHRASES).count() == LEAST_CONSENT_PHRASES
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::measure::Measures;

    const TEXT: &str = "<p>Owls hunt mice in the old wood at night, and rest by day in hollow trees, where nobody sees them. Bats \
        hang from the roof of a barn until dusk comes, and then hunt moths over the river until the sun rises again.</p>";

    #[track_caller]
    fn check(html: &str, expect: &[&str]) {
        let page = Page::parse(Url::parse("https://example.org/a").unwrap(), html);
        let content = Content::of_single_page(&page);
        let all = Measures::of(&page.dom).of_all();
        let of_content = Measures::of_those(&page.dom, |node| content.nodes.contains(node)).of_all();
        let flags = PageFlag::of(&page, &Template::of_nothing(&page.dom), &content, all, of_content);
        let names: Vec<&str> = flags.into_iter().map(PageFlag::name).collect();
        assert_eq!(names, expect, "{html}");
    }

    #[test]
    fn pages_have_no_flags() {
        check(&format!("<title>Owls</title><h1>Owls</h1>{TEXT}{TEXT}"), &[]);
        check("", &[]);
    }

    #[test]
    fn errors_are_titled_so() {
        check(
            "<title>Page not found | Town</title><h1>Oops</h1><p>There is no such page.</p>",
            &["soft-404"],
        );
        check(
            "<title>404 – Town</title><p>There is nothing here.</p>",
            &["soft-404"],
        );
        check(
            "<title>Town</title><h1>Seite nicht gefunden</h1><p>Leider.</p>",
            &["soft-404"],
        );
        check(
            "<title>Service unavailable</title><h1>Service unavailable</h1><p>We are down for maintenance.</p>",
            &["soft-404"],
        );
        check("<title>Peugeot 404 | Cars</title><p>A car of the past.</p>", &[]);
        let long = TEXT.repeat(5);
        check(
            &format!("<title>Lost and not found</title><h1>Lost</h1>{long}"),
            &[],
        );
    }

    #[test]
    fn any_phrase_is_found_that_one_search_finds() {
        let phrases = lexicon::entries("error-title");
        let around = |phrase: &str| {
            [
                phrase.to_owned(),
                format!("x{phrase}"),
                format!("ü {phrase}, é"),
                phrase.repeat(2),
            ]
        };
        for text in phrases.iter().flat_map(|phrase| around(phrase)) {
            let expect = phrases.iter().any(|phrase| has_phrase(&text, phrase));
            assert_eq!(has_any_phrase(&text, phrases), expect, "{text}");
        }
        assert!(!has_any_phrase("", phrases));
    }

    #[test]
    fn walls_ask_for_a_password() {
        check(
            "<title>Sign in</title><h1>Sign in</h1><form><input name=u><input type=password><button>Go</button></form>",
            &["login-wall"],
        );
        check(
            "<form><input name=u><input type=Password></form>",
            &["login-wall"],
        );
        check(
            "<title>Join us</title><form><input name=n><input type=email><input type=password><input type=password></form>",
            &[],
        );
        check(
            "<title>Talk</title><form style='display: none'><input type=password></form><p>Hello",
            &[],
        );
        let long = TEXT.repeat(5);
        check(
            &format!("<title>Owls</title><form><input type=password></form><h1>Owls</h1>{long}"),
            &[],
        );
    }

    #[test]
    fn consent_is_asked_for_before_all_else() {
        check(
            "<title>Town</title><h1>Before you continue</h1><p>We and our partners use cookies.</p>\
             <form><button>Reject all</button><button>Accept all</button></form>",
            &["consent-wall"],
        );
        check(
            &format!(
                "<title>Owls</title><h1>Owls</h1>{}<div>We use cookies <button>OK</button></div>",
                TEXT.repeat(9)
            ),
            &[],
        );
    }

    #[test]
    fn stubs_lead_on() {
        check(
            "<meta http-equiv=refresh content='0; url=/b'>",
            &["redirect-stub"],
        );
        check(
            "<script>window.location.replace('/b')</script>",
            &["redirect-stub"],
        );
        check(
            "<script>function go() { location.href = '/b' }</script><p>Hello",
            &[],
        );
    }

    #[test]
    fn shells_need_a_browser() {
        check("<div id=app></div><script src=a.js></script>", &["needs-browser"]);
    }

    #[test]
    fn lists_are_links() {
        let items: String = [
            "Owls in the wood",
            "Bats in the barn",
            "Foxes of the hill",
            "Hedgehogs at night",
            "Otters are back",
            "Deer in winter",
        ]
        .iter()
        .map(|title| format!("<li><a href=/x>{title}</a> <i>May 2024</i></li>"))
        .collect();
        check(
            &format!("<title>Animals</title><main><h1>Animals</h1><ul>{items}</ul></main>"),
            &["listing"],
        );
    }
}
