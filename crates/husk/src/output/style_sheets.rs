//! Which style sheets a page is shown with, for those who want to have them at hand.

use husk_dom::{Dom, NodeId, name};
use url::Url;

use super::css;
use crate::links::{MAX_ADDRESS, base_url};
use crate::page::Page;

/// The style sheets that a page is shown with, in its order. Those that are for paper only or for readers to choose are left out.
pub fn style_sheets(page: &Page) -> Vec<Url> {
    let (dom, base) = (&page.dom, base_url(page));
    let mut found = Vec::new();
    for node in dom.nodes() {
        if dom.is_element(node, &name!("link")) && is_shown_with(dom, node) {
            found.extend(
                dom.attribute(node, &name!("href"))
                    .and_then(|href| joined(&base, href)),
            );
        } else if dom.is_element(node, &name!("style")) {
            let texts = dom.children(node).map(|text| dom.text_of(text));
            found.extend(texts.flat_map(|css| imported_style_sheets(css, &base)));
        }
    }
    found
}

/// The style sheets that the style sheet at a URL imports.
pub fn imported_style_sheets(css: &str, address: &Url) -> Vec<Url> {
    let addresses = css::imports(css).into_iter();
    addresses.filter_map(|href| joined(address, &href)).collect()
}

fn is_shown_with(dom: &Dom, node: NodeId) -> bool {
    let rel = dom.attribute(node, &name!("rel")).unwrap_or_default();
    let is = |wanted| {
        rel.split_ascii_whitespace()
            .any(|word| word.eq_ignore_ascii_case(wanted))
    };
    let media = dom.attribute(node, &name!("media")).unwrap_or_default();
    is("stylesheet") && !is("alternate") && !media.trim().eq_ignore_ascii_case("print")
}

/// A URL of the web in full.
fn joined(base: &Url, href: &str) -> Option<Url> {
    let href = Some(href.trim()).filter(|href| !href.is_empty() && href.len() <= MAX_ADDRESS)?;
    let url = base.join(href).ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn check(html: &str, expect: &[&str]) {
        let page = Page::parse(url("https://example.org/a/b.html"), html);
        let found: Vec<String> = style_sheets(&page).iter().map(ToString::to_string).collect();
        assert_eq!(found, expect, "{html}");
    }

    #[test]
    fn links_and_imports_are_found_in_their_order() {
        check(
            "<link rel='preload StyleSheet' href=s.css><style>@import url(t.css) screen;p{}</style><link rel=stylesheet \
             href=//cdn.example.net/u.css>",
            &[
                "https://example.org/a/s.css",
                "https://example.org/a/t.css",
                "https://cdn.example.net/u.css",
            ],
        );
        check(
            "<base href=/x/><link rel=stylesheet href=s.css>",
            &["https://example.org/x/s.css"],
        );
    }

    #[test]
    fn what_is_not_shown_or_not_of_the_web_is_left_out() {
        for html in [
            "<link rel=icon href=s.css>",
            "<link rel='alternate stylesheet' href=s.css>",
            "<link rel=stylesheet media=print href=s.css>",
            "<link rel=stylesheet>",
            "<link rel=stylesheet href=' '>",
            "<link rel=stylesheet href='data:text/css,p{}'>",
            "<link rel=stylesheet href='file:///etc/passwd'>",
            "<style>p{background:url(i.png)} a::after{content:'@import x.css'} /* @import 'y.css' */</style>",
        ] {
            check(html, &[]);
        }
    }

    #[test]
    fn a_style_sheet_imports_from_where_it_is() {
        let css = "@charset 'utf-8';@import 'a.css';@IMPORT /* one more */ url( \"/b.css\" );p{color:red}";
        let found = imported_style_sheets(css, &url("https://example.org/css/s.css"));
        assert_eq!(
            found,
            [
                url("https://example.org/css/a.css"),
                url("https://example.org/b.css")
            ]
        );
    }
}
