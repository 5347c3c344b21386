//! The tokenizer against html5ever's, on generated pages.

mod oracle;

use proptest::prelude::*;

use oracle::difference;

/// Pieces of pages, valid and broken. Pieces on which the tree builders differ are left out, such as text in tables:
/// `builder.rs` lists them.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "<p>", "</p>", "<div", "<DIV CLASS=A>", "</", "</ ", "</>", "<", "<<", "<?", "<?xml ?>", "<!", "<!>",
    "<!->", "</?", "<a href=", "<a b='", "<a b=\"", "<b\0c d\0e=f\0>", "<svg>", "<svg/>", "</svg>", "<math>",
    "<mi>", "<desc>", "<pre>", "<textarea>", "</textarea>",
    "</textarea ", "<TITLE>", "</title>", "</titles>", "<style>", "</style>", "</style/", "<xmp>", "</xmp>",
    "<script>", "</script>", "</SCRIPT ", "</script", "<script", "<iframe>", "</iframe>", "<noscript>",
    "<plaintext>", "<br/>", "<select>", "<option>", "<frameset>",
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
    fn same_tree_for_any_soup(page in soup()) {
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    /// Scripts have the most states, and few generated pages reach them.
    #[test]
    fn same_tree_for_any_script(
        script in "(<!--|-->|--|-|<|<!|>|!|/|<script|</script|<SCRIPT>|</script>|</scripts|script| |a|\0|\n){0,16}"
    ) {
        let page = format!("<script>{script}");
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    #[test]
    fn same_tree_for_any_tag(
        tag in "(a|B|class|data-LONG-name|=|\"|'| |\n|/|&amp|&amp;|&|\0|é|<|;|b=c|x='y z'|x=\"&lt;\"){0,16}"
    ) {
        let page = format!("<p {tag}>text<br>' > \" > x");
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    #[test]
    fn same_tree_for_any_section(
        section in "(<!\\[CDATA\\[|\\]\\]>|\\]|>|<|a|&lt;|\0|\n|<desc>|</svg>|<g/>|</|<!--|-->|--!>|-|!){0,16}"
    ) {
        let page = format!("<svg><![CDATA[{section}");
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    #[test]
    fn same_tree_for_any_doctype(
        doctype in "(html|HTML| |\n|public|SYSTEM|\"|'|>|a|\0|\"-//W3C//DTD HTML 4.01 Transitional//EN\"){0,12}"
    ) {
        let page = format!("<!doctype{doctype}><p><table>");
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }
}
