//! Our tokenizer against html5ever's: whatever the page, the tree builder makes the same of what they tell it.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};

use husk_dom::{Dom, NodeId, NodeKind, decode, parse_by_html5ever};
use proptest::prelude::*;

/// Everything about a page, node by node.
fn nodes(dom: &Dom) -> Vec<String> {
    let shown = |node: NodeId| {
        let attributes: Vec<_> = dom
            .attributes(node)
            .map(|attribute| (attribute.name.to_string(), attribute.value))
            .collect();
        format!(
            "{:?} {:?} {:?} {:?} {:?} {attributes:?}",
            dom.kind(node),
            dom.name(node),
            dom.namespace(node),
            dom.size(node),
            match dom.kind(node) {
                NodeKind::Text => dom.text_of(node),
                NodeKind::Comment | NodeKind::Doctype => dom.remark(node),
                _ => "",
            },
        )
    };
    dom.nodes().map(shown).collect()
}

/// The first node that is not the same, if any.
fn difference(page: &str) -> Option<String> {
    let ours = Dom::parse(page);
    let theirs = parse_by_html5ever(page);
    if ours.is_quirky() != theirs.is_quirky() {
        return Some(format!("quirks: {} and {}", ours.is_quirky(), theirs.is_quirky()));
    }
    let (ours, theirs) = (nodes(&ours), nodes(&theirs));
    let at = (0..ours.len().max(theirs.len())).find(|&at| ours.get(at) != theirs.get(at))?;
    Some(format!("node {at}: {:?} and {:?}", ours.get(at), theirs.get(at)))
}

/// Pieces of pages, whole and broken, that a tokenizer has to have an opinion on.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "<p>", "</p>", "<div", "<DIV CLASS=A>", "</", "</ ", "</>", "<", "<<", "<?", "<?xml ?>", "<!", "<!>",
    "<!->", "</?", "<a href=", "<a b='", "<a b=\"", "<b\0c d\0e=f\0>", "<svg>", "<svg/>", "</svg>", "<math>",
    "<mi>", "<desc>", "<table>", "<tr>", "<td>", "</table>", "<pre>", "<textarea>", "</textarea>",
    "</textarea ", "<TITLE>", "</title>", "</titles>", "<style>", "</style>", "</style/", "<xmp>", "</xmp>",
    "<script>", "</script>", "</SCRIPT ", "</script", "<script", "<iframe>", "</iframe>", "<noscript>",
    "</noscript>", "<plaintext>", "<template>", "</template>", "<br/>", "<select>", "<option>", "<frameset>",
    "<body x=y>", "<html lang=a>", "<meta charset=utf-8>", "<custom-element>",
    "<input data-something-long=1 data-something-long=2>", "<i a a A=b>", "<hr / x>", ">", "/", "/>", "=",
    "\"", "'", "`", " ", "\n", "\t", "\x0c", "\r", "\r\n", "\0", "\u{feff}", "-", "--", "!", "]", "]]>",
    "<!--", "-->", "--!>", "<!-->", "<!--->", "<!---->", "<!--x", "<!-- <!-- --", "--!-->", "<![CDATA[",
    "<![cdata[", "]]]>", "<!doctype html>", "<!DOCTYPE", "<!doctype ", " html", " public", "PUBLIC",
    " system ", "\"a\"", "'b'",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/strict.dtd\">",
    "<!doctype a system 'x' y>", "<!doctype a public 'x>", "<!doctype\0a\0>", "&", "&amp;", "&amp", "&ampx",
    "&amp=", "&lt", "&notin;", "&notit;", "&not", "&NotEqualTilde;", "&nosuch;", "&;", "&#", "&#x", "&#65;",
    "&#65", "&#x41;", "&#X", "&#0;", "&#128;", "&#x110000;", "&#99999999999;", "&#xD800;", "&#13;",
    "&CounterClockwiseContourIntegral;", "&CounterClockwiseContourIntegralX", "#", "x", ";", "a", "text", "Ä",
    "漢字", "😀", "a b", "class", "=\"x &amp; y\"", "='&lt=&copy'", "=a&b=c", "=a/b",
];

fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        30 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => prop::collection::vec(any::<u8>(), 0..8)
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        3 => "[-<>!/a-c&;# =\"'\\]\\[\n]{1,6}",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn the_same_of_any_soup(page in soup()) {
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    /// Scripts have the most states, and few soups get into them.
    #[test]
    fn the_same_of_any_script(
        script in "(<!--|-->|--|-|<|<!|>|!|/|<script|</script|<SCRIPT>|</script>|</scripts|script| |a|\0|\n){0,16}"
    ) {
        let page = format!("<script>{script}");
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    #[test]
    fn the_same_of_any_tag(
        tag in "(a|B|class|data-LONG-name|=|\"|'| |\n|/|&amp|&amp;|&|\0|é|<|;|b=c|x='y z'|x=\"&lt;\"){0,16}"
    ) {
        let page = format!("<p {tag}>text<br>' > \" > x");
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    #[test]
    fn the_same_of_any_section(
        section in "(<!\\[CDATA\\[|\\]\\]>|\\]|>|<|a|&lt;|\0|\n|<desc>|</svg>|<g/>|</|<!--|-->|--!>|-|!){0,16}"
    ) {
        let page = format!("<svg><![CDATA[{section}");
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    #[test]
    fn the_same_of_any_doctype(
        doctype in "(html|HTML| |\n|public|SYSTEM|\"|'|>|a|\0|\"-//W3C//DTD HTML 4.01 Transitional//EN\"){0,12}"
    ) {
        let page = format!("<!doctype{doctype}><p><table>");
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }
}

#[test]
fn the_same_of_all_pages_of_the_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.join("fixtures/sites")];
    let corpus = std::env::var_os("HUSK_CORPUS").map_or_else(|| root.join("../shared/corpus"), PathBuf::from);
    if corpus.is_dir() {
        folders.push(corpus);
    } else {
        eprintln!("SKIPPED: the corpus, which is neither in HUSK_CORPUS nor at ../shared/corpus");
    }
    let mut pages = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|name| name == "html" || name == "htm")
            {
                let bytes = fs::read(&path).unwrap();
                assert_eq!(difference(&decode(&bytes, None).text), None, "{}", path.display());
                pages += 1;
            }
        }
    }
    assert!(pages > 10, "{pages}");
}
