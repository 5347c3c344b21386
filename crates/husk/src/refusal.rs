//! Decides which loaded pages are not compared: a key page and another page, aligned, in; a reason out.

use husk_dom::{Dom, NodeId, NodeKind, name};
use url::Url;

use crate::language;
use crate::lexicon;
use crate::links::{Address, base_url};
use crate::mapping::{Alignment, Side};
use crate::measure::Measures;
use crate::page::Page;
use crate::thresholds::Thresholds;

/// Why a page is not compared; none if it is.
pub(crate) fn refusal(
    key: Side<'_>,
    other: Side<'_>,
    alignment: &Alignment,
    is_view: bool,
    thresholds: &Thresholds,
) -> Option<String> {
    let is_copy = if is_view {
        share_said(key, other, alignment) >= thresholds.copy
    } else {
        is_copy(key, other, alignment)
    };
    if is_copy {
        return Some("is a copy of the key page".to_owned());
    }
    let languages = [key, other].map(|side| language::of_page(side.dom));
    if language::differ(languages[0].as_deref(), languages[1].as_deref()) {
        return Some("is in another language".to_owned());
    }
    if shares_nothing(key, other, alignment, thresholds) {
        return Some(format!("has another layout{}", likely_reason(other.dom)));
    }
    None
}

/// Whether two pages have too little in common to be compared.
pub(crate) fn shares_nothing(
    key: Side<'_>,
    other: Side<'_>,
    alignment: &Alignment,
    thresholds: &Thresholds,
) -> bool {
    // A long page of its own words may have a short menu.
    let says_the_same = said(key)
        .filter(|&node| is_said(key, other, alignment, node))
        .nth(SAME_OF_SIBLINGS - 1)
        .is_some();
    !says_the_same && shared_part(key, alignment) < thresholds.same_layout
}

/// Copies of a page may differ in texts of at most this length, in bytes, such as the time they were made.
const LONGEST_TEXT_OF_COPIES: usize = 40;

/// For this many texts and pictures, copies may differ in one text.
const SHOWN_PER_DIFFERENCE: usize = 150;

/// Whether two pages show the same except for a few short texts. Siblings differ in their titles as well.
fn is_copy(key: Side<'_>, other: Side<'_>, alignment: &Alignment) -> bool {
    let number = shown(key).count();
    let most = (number / SHOWN_PER_DIFFERENCE).max(1);
    let may_differ = |node: NodeId| match key.dom.kind(node) {
        NodeKind::Text => key.dom.text_of(node).trim().len() <= LONGEST_TEXT_OF_COPIES,
        _ => alignment.mate(node).is_some_and(|mate| {
            let target = key.fingerprints.target(key.dom, node);
            target.is_some() && target == other.fingerprints.target(other.dom, mate)
        }),
    };
    let mut different = shown(key).filter(|&node| !is_said(key, other, alignment, node));
    different.by_ref().take(most).all(may_differ)
        && different.next().is_none()
        && number.abs_diff(shown(other).count()) <= most
}

/// The texts and pictures that readers see. Links are written in many ways, and may lead to the page itself or its copy.
fn shown(side: Side<'_>) -> impl Iterator<Item = NodeId> {
    let dom = side.dom;
    let is_unseen = move |node: NodeId| {
        matches!(
            *dom.name(node),
            name!("a") | name!("form") | name!("link") | name!("meta") | name!("script")
        )
    };
    let in_head = dom.part(&name!("head")).map_or(0..0, |head| dom.range(head));
    said(side).filter(move |&node| {
        let Some(parent) = dom.parent(node).filter(|_| dom.kind(node) == NodeKind::Text) else {
            return !is_unseen(node) && !in_head.contains(&node.index());
        };
        let is_code = matches!(*dom.name(parent), name!("script") | name!("style"));
        !is_code && (dom.is_element(parent, &name!("title")) || !in_head.contains(&node.index()))
    })
}

/// Pages with this many texts or targets in common are comparable, however long they are.
const SAME_OF_SIBLINGS: usize = 3;

/// The share of the key page's texts and targets that the other page has.
fn share_said(key: Side<'_>, other: Side<'_>, alignment: &Alignment) -> f64 {
    let same = said(key).filter(|&node| is_said(key, other, alignment, node));
    same.count() as f64 / said(key).count().max(1) as f64
}

fn is_said(key: Side<'_>, other: Side<'_>, alignment: &Alignment, node: NodeId) -> bool {
    alignment
        .mate(node)
        .is_some_and(|mate| key.fingerprints.get(node).says == other.fingerprints.get(mate).says)
}

/// The nodes with a text or target.
fn said(side: Side<'_>) -> impl Iterator<Item = NodeId> {
    let nodes = side.dom.nodes();
    nodes.filter(move |&node| side.fingerprints.get(node).says != 0)
}

/// The share of the nodes in the key page's body that the other page has as well.
fn shared_part(key: Side<'_>, alignment: &Alignment) -> f64 {
    let part = |name| key.dom.part(&name);
    let Some(body) = part(name!("body")).or_else(|| part(name!("frameset"))) else {
        return 0.0;
    };
    let compared = || {
        let below = key.dom.subtree(body).skip(1);
        below.filter(|&node| key.fingerprints.is_compared(node))
    };
    let found = compared().filter(|&node| alignment.mate(node).is_some());
    found.count() as f64 / compared().count().max(1) as f64
}

/// What the page seems to be, for the message.
fn likely_reason(dom: &Dom) -> &'static str {
    let has_password = dom.nodes().any(|node| {
        dom.is_element(node, &name!("input"))
            && dom
                .attribute(node, &name!("type"))
                .is_some_and(|kind| kind.eq_ignore_ascii_case("password"))
    });
    if has_password {
        return "; it asks for a password";
    }
    if has_error_title(dom) {
        "; it seems to be an error page"
    } else {
        ""
    }
}

/// Whether the title of a page is that of an error.
pub(crate) fn has_error_title(dom: &Dom) -> bool {
    let title = dom
        .nodes()
        .find(|&node| dom.is_element(node, &name!("title")))
        .map(|node| dom.text_of(node).to_lowercase())
        .unwrap_or_default();
    ["404", "403", "410", "500", "503"]
        .iter()
        .chain(lexicon::entries("error-title"))
        .any(|sign| title.contains(sign))
}

/// The URL that a page redirects to by itself.
pub(crate) fn leads_on(page: &Page) -> Option<Url> {
    let dom = &page.dom;
    let head = dom.part(&name!("head"))?;
    // A `noscript` element is for other readers.
    let refresh = dom.children(head).find(|&node| {
        dom.is_element(node, &name!("meta"))
            && dom
                .attribute(node, &name!("http-equiv"))
                .is_some_and(|kind| kind.eq_ignore_ascii_case("refresh"))
    })?;
    let content = dom.attribute(refresh, &name!("content"))?;
    let (delay, rest) = content.split_once([';', ','])?;
    let url = base_url(page).join(target_of_refresh(rest)).ok()?;
    let is_page = matches!(url.scheme(), "http" | "https" | "file");
    // Some pages only reload themselves.
    let is_brief = delay
        .trim()
        .parse::<f64>()
        .is_ok_and(|seconds| seconds <= LONGEST_DELAY);
    (is_page && is_brief && Address::of(&url) != Address::of(&page.url)).then_some(url)
}

/// A stub says no more than where it leads.
const MOST_STUB_WORDS: u32 = 30;

/// Longer scripts do more than to redirect.
const LONGEST_REDIRECT_SCRIPT: usize = 500;

/// Whether a page redirects by itself, or has nothing but a script that does.
pub(crate) fn is_redirect_stub(page: &Page) -> bool {
    let dom = &page.dom;
    let is_redirect = |node: NodeId| {
        dom.is_element(node, &name!("script")) && {
            let script = dom.text_of(node);
            script.len() <= LONGEST_REDIRECT_SCRIPT && sets_location(script)
        }
    };
    let says_little = || {
        let all = Measures::of(dom).of_all();
        all.words <= MOST_STUB_WORDS && all.links <= 1
    };
    leads_on(page).is_some() || dom.nodes().any(is_redirect) && says_little()
}

/// Whether a script goes to another page at once: not in a function, which something else may call.
fn sets_location(script: &str) -> bool {
    if !script.contains("location") {
        return false;
    }
    let squeezed: String = script.split_whitespace().collect();
    let goes = [
        "location.replace(",
        "location.assign(",
        "location.href=",
        "window.location=",
        "document.location=",
    ];
    !squeezed.contains("function")
        && !squeezed.contains("=>")
        && goes.iter().any(|goes| squeezed.contains(goes))
}

/// The target after the delay; `url=` may be missing.
fn target_of_refresh(rest: &str) -> &str {
    let rest = rest.trim();
    let named = rest
        .get(..3)
        .filter(|start| start.eq_ignore_ascii_case("url"))
        .and_then(|_| rest[3..].trim_start().strip_prefix('='));
    named.unwrap_or(rest).trim().trim_matches(['\'', '"'])
}

/// A page that redirects within this many seconds is not meant to be read.
const LONGEST_DELAY: f64 = 5.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::Fingerprints;
    use crate::mapping::align;

    fn page(path: &str, html: &str) -> Page {
        let url = Url::parse("https://example.org/").unwrap().join(path).unwrap();
        Page::parse(url, html)
    }

    #[track_caller]
    fn check(key: &str, other: &str, expect: Option<&str>) {
        check_as(false, key, other, expect);
    }

    #[track_caller]
    fn check_as(is_view: bool, key: &str, other: &str, expect: Option<&str>) {
        let (key, other) = (page("key", key), page("other", other));
        let prints = (Fingerprints::of(&key), Fingerprints::of(&other));
        let key = Side::of(&key, &prints.0);
        let other = Side::of(&other, &prints.1);
        let alignment = align(key, other, 8);
        assert_eq!(
            refusal(key, other, &alignment, is_view, &Thresholds::default()).as_deref(),
            expect
        );
    }

    const KEY: &str = "<title>Key</title><ul><li>one<li>two<li>three</ul><h1>Key</h1><p>text</p>";

    #[test]
    fn siblings_have_a_vote() {
        check(
            KEY,
            "<title>Other</title><ul><li>one<li>two<li>three</ul><h1>Other</h1><p>words</p>",
            None,
        );
    }

    #[test]
    fn translations_have_none() {
        let page = |language: &str, own: &str| {
            format!(
                "<html lang={language}><title>{own}</title><ul><li>one<li>two<li>three</ul><h1>{own}</h1>"
            )
        };
        let key = page("en-GB", "Key");
        check(&key, &page("fr", "Other"), Some("is in another language"));
        check(&key, &page("en", "Other"), None);
    }

    #[test]
    fn copies_have_none() {
        check(KEY, KEY, Some("is a copy of the key page"));
        check(
            KEY,
            &KEY.replace("text", "made at noon"),
            Some("is a copy of the key page"),
        );
    }

    #[test]
    fn copies_under_another_address_have_none() {
        let start = format!("{KEY}<a href=/de/>German</a><form action=http://example.org/find></form>");
        let folder = start.replace("/de/", "de/").replace("http:", "https:").replace(
            "<title>",
            "<script>redirect()</script><link rel=canonical href=/en/><title>",
        );
        check(&start, &folder, Some("is a copy of the key page"));
        let gallery = |picture: &str| format!("{KEY}<img src={picture}.jpg>");
        check(&gallery("one"), &gallery("two"), None);
    }

    #[test]
    fn long_copies_may_differ_in_more_texts() {
        let texts: String = (0..1600)
            .map(|number| format!("<p>Paragraph {number}</p>"))
            .collect();
        let page = |own: &str| format!("{KEY}{texts}<b>{own}</b><i>{own}</i><img src=logo.png alt={own}>");
        check(&page("noon"), &page("night"), Some("is a copy of the key page"));
    }

    #[test]
    fn views_that_say_nearly_the_same_have_none() {
        let text: String = (0..30).map(|number| format!("<p>paragraph {number}")).collect();
        let view = |own: &str| format!("<title>{own}</title><h1>{own}</h1>{text}");
        check_as(
            true,
            &view("Key"),
            &view("Answer"),
            Some("is a copy of the key page"),
        );
        check_as(false, &view("Key"), &view("Answer"), None);
        check_as(true, KEY, &KEY.replace("Key", "Other"), None);
    }

    #[test]
    fn pages_that_show_or_say_something_else_are_no_copies() {
        let gallery = |picture: &str| format!("<title>Photos</title><p>Photos</p><img src=/{picture}.jpg>");
        check(&gallery("one"), &gallery("two"), None);
        let letter = |words: &str| {
            format!(
                "<title>Letters</title><p>Letters</p><pre>{}</pre>",
                words.repeat(9)
            )
        };
        check(&letter("My dear "), &letter("Dear sir "), None);
    }

    #[test]
    fn a_short_menu_on_a_long_page_is_enough() {
        let menu = "<ul><li>one<li>two<li>three</ul>";
        let long: String = (0..500).map(|number| format!("<p>{number} words")).collect();
        check(&format!("{menu}{long}"), &format!("{menu}<b>other</b>"), None);
    }

    #[test]
    fn pages_with_nothing_in_common_have_none() {
        check(KEY, "<table><td>x", Some("has another layout"));
        check(
            KEY,
            "<title>404 Not Found</title><table><td>x",
            Some("has another layout; it seems to be an error page"),
        );
        check(
            KEY,
            "<form><input type=password></form>",
            Some("has another layout; it asks for a password"),
        );
    }

    #[track_caller]
    fn check_leads_on(html: &str, expect: Option<&str>) {
        let found = leads_on(&page("docs/old", html));
        assert_eq!(found.as_ref().map(Url::as_str), expect);
    }

    #[test]
    fn some_pages_only_lead_on() {
        check_leads_on(
            "<meta http-equiv=Refresh content='0; url=new'>",
            Some("https://example.org/docs/new"),
        );
        check_leads_on(
            "<meta http-equiv=refresh content=\"1;URL='/new'\">",
            Some("https://example.org/new"),
        );
        check_leads_on(
            "<meta http-equiv=refresh content='0; /new?id=3'>",
            Some("https://example.org/new?id=3"),
        );
        check_leads_on("<meta http-equiv=refresh content='5; url=old#top'>", None);
        check_leads_on("<meta http-equiv=refresh content='0; url=javascript:go()'>", None);
        check_leads_on("<meta http-equiv=refresh content=300>", None);
        check_leads_on("<meta http-equiv=refresh content='60; url=/new'>", None);
        check_leads_on("<meta http-equiv=refresh content='0; url=old'>", None);
        check_leads_on(
            "<noscript><meta http-equiv=refresh content='0; url=/new'></noscript>",
            None,
        );
        check_leads_on("<p>no", None);
    }
}
