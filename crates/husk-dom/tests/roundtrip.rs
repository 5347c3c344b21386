//! Serializing and parsing a page gives the same page, where HTML can express it.

mod every_node;

use every_node::nodes;
use husk_dom::{Dom, serialize};
use proptest::prelude::*;

/// Elements that can be nested in any order.
fn flow() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "text",
        " ",
        "\n",
        "&amp;",
        "&lt;b&gt;",
        "a&nbsp;b",
        "é漢字",
        "<br>",
        "<img src='a\"b' alt=\"<>&\">",
        "<!-- note -->",
        "<input value='&quot;'>",
        "<script>if (a < b && c) {}</script>",
        "<style>a > b {}</style>",
        "<textarea>\n\nx</textarea>",
        "<pre>\n\ny</pre>",
        "<svg viewBox='0 0 1 1'><path d='m0'/></svg>",
        "<hr>",
        "<wbr>",
        "<math><mi>x</mi></math>",
        "<iframe src=x></iframe>",
        "<template><p>in</p></template>",
        "<noscript><i>n</i></noscript>",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(6, 60, 6, |inner| {
        let children = prop::collection::vec(inner, 0..6).prop_map(|parts| parts.concat());
        let tag = prop::sample::select(vec![
            "div",
            "section",
            "ul",
            "nav",
            "article",
            "x-own",
            "blockquote",
            "figure",
        ]);
        (tag, children).prop_map(|(tag, children)| format!("<{tag} class='a b' title=''>{children}</{tag}>"))
    })
}

proptest! {
    #[test]
    fn pages_that_html_can_express(parts in prop::collection::vec(flow(), 0..5)) {
        let dom = Dom::parse(&format!("<!DOCTYPE html><title>t</title><body>{}", parts.concat()));
        let written = serialize(&dom, dom.document());
        prop_assert_eq!(nodes(&Dom::parse(&written)), nodes(&dom), "{}", written);
    }

    /// Other trees are stable after one round trip.
    #[test]
    fn any_page_ends_somewhere(text in "(<(/?(table|td|p|a|b|form|select|option|li|h1|svg|button)|!--|div x=y)>|[a-z &<>\n]){0,40}") {
        let mut dom = Dom::parse(&text);
        for _ in 0..8 {
            let again = Dom::parse(&serialize(&dom, dom.document()));
            let is_same = nodes(&again) == nodes(&dom);
            dom = again;
            if is_same {
                return Ok(());
            }
        }
        prop_assert!(false, "never settles: {}", text);
    }
}
