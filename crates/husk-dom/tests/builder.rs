//! The tree builder against html5ever's, on generated pages and the corpus.
//!
//! `PROPTEST_CASES=100000 cargo test -p husk-dom --test builder` for a long run.
#![allow(clippy::unwrap_used, reason = "tests")]

mod oracle;

use std::fs;
use std::path::PathBuf;

use husk_dom::{Dom, decode, name, serialize};
use husk_testing::{html_files, over_sites};
use proptest::prelude::*;

use oracle::difference;

/// Tags by topic. Generated pages use each as start tag and as end tag.
#[rustfmt::skip]
const BLOCKS: &[&str] = &[
    "div", "p", "address", "center", "blockquote", "section", "ul", "ol", "li", "dl", "dd", "dt", "h1", "h2",
    "pre", "listing", "form", "button", "main", "dialog", "menu", "fieldset", "details", "summary", "hr", "br",
];

#[rustfmt::skip]
const FORMATTING: &[&str] = &[
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// Without `thead`, which differs in templates.
const TABLES: &[&str] = &[
    "table", "caption", "colgroup", "col", "tbody", "tfoot", "tr", "td", "th",
];

const HEADED_TABLES: &[&str] = &[
    "table", "caption", "colgroup", "col", "tbody", "thead", "tr", "td", "th",
];

/// Without `title`, which differs in SVG.
#[rustfmt::skip]
const FRAME: &[&str] = &[
    "html", "head", "body", "frameset", "frame", "noframes", "base", "link", "meta", "style", "script",
    "noscript", "basefont", "bgsound",
];

/// Without `frameset`, which differs after templates.
const HEAD: &[&str] = &[
    "html", "head", "body", "noframes", "title", "meta", "style", "script", "noscript",
];

const TEMPLATES: &[&str] = &["template"];

#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "select", "option", "optgroup", "input", "textarea", "object", "applet", "marquee", "ruby", "rb", "rt", "rp",
    "rtc", "img", "image", "iframe", "noembed", "xmp", "param", "track", "embed", "span", "x", "x-y",
    "plaintext",
];

const FOREIGN: &[&str] = &[
    "svg",
    "g",
    "path",
    "math",
    "mrow",
    "lineargradient",
    "script",
    "font",
];

/// Tags that enter and leave elements of SVG and MathML that contain HTML.
#[rustfmt::skip]
const POINTS: &[&str] = &[
    "<svg><foreignObject>", "<svg><g><desc>", "<svg><TITLE>", "<math><mi>", "<math><mtext>", "<mglyph>",
    "<malignmark>", "<svg>", "<math>", "</svg>", "</math>", "</foreignobject>", "</desc>",
    "</mi>", "</mtext>", "<g>", "<mrow>", "<path/>", "<font size=1>",
];

/// Tags whose elements stay open while an integration point within them is parsed. Others differ.
const IN_POINTS: &[&str] = &[
    "div", "p", "b", "a", "i", "table", "tr", "td", "ul", "h1", "form", "br",
];

#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "x", "y z", " ", "\n", "\0", "<!-- c -->", "</>", "&amp;", "<![CDATA[d]]>", "a\0b", " x",
];

/// Attributes that rules refer to, or that make elements differ.
#[rustfmt::skip]
const ATTRIBUTES: &[&str] = &[
    "", "", "", "", " a=1", " a=2 b", " b a=2", " type=hidden", " type=TEXT", " color=red", " viewbox=0",
    " definitionurl=x xlink:href=y", " encoding=text/html", " encoding=TEXT/xhtml", "/", " a=1 /",
];

fn tag(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    let names = prop::sample::select(names);
    (names, prop::sample::select(ATTRIBUTES), 0..5).prop_map(|(name, attributes, kind)| match kind {
        0..3 => format!("<{name}{attributes}>"),
        _ => format!("</{name}>"),
    })
}

fn text() -> impl Strategy<Value = String> {
    prop::sample::select(TEXTS).prop_map(str::to_owned)
}

/// Tag soup of these pieces.
fn soup(pieces: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let doctype = prop::sample::select(&["<!doctype html>", "", "<!doctype html><body>"][..]);
    (doctype, prop::collection::vec(pieces, 0..32))
        .prop_map(|(doctype, pieces)| doctype.to_owned() + &pieces.concat())
}

/// Many cases, since few of them reach rare rules.
fn soups() -> ProptestConfig {
    let config = ProptestConfig::default();
    ProptestConfig {
        cases: config.cases.max(4096),
        ..config
    }
}

proptest! {
    #![proptest_config(soups())]

    /// A few tags, rarely closed in order: only such pages reach the limits of reopening elements.
    #[test]
    fn same_tree_for_bad_nesting(page in soup(prop_oneof![
        6 => tag(&["b", "i", "u", "em", "s", "a"]), 2 => tag(&["p", "div"]), 1 => tag(TABLES), 1 => text(),
    ])) {
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    #[test]
    fn same_tree_for_formatting(page in soup(prop_oneof![
        4 => tag(FORMATTING), 4 => tag(BLOCKS), 1 => tag(OTHERS), 3 => text(),
    ])) {
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    #[test]
    fn same_tree_for_tables(page in soup(prop_oneof![
        6 => tag(HEADED_TABLES), 2 => tag(FORMATTING), 1 => tag(BLOCKS), 1 => tag(OTHERS), 3 => text(),
    ])) {
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    #[test]
    fn same_tree_for_heads_and_frames(page in soup(prop_oneof![
        8 => tag(FRAME), 1 => tag(&["title"]), 1 => tag(BLOCKS), 1 => tag(HEADED_TABLES), 1 => tag(OTHERS), 3 => text(),
    ])) {
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    #[test]
    fn same_tree_for_templates(page in soup(prop_oneof![
        3 => tag(TEMPLATES), 4 => tag(OTHERS), 2 => tag(FORMATTING), 1 => tag(BLOCKS), 1 => tag(HEAD), 3 => text(),
    ])) {
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    /// Without formatting, which differs before white space directly in a template.
    #[test]
    fn same_tree_for_tables_in_templates(page in soup(prop_oneof![
        2 => tag(TEMPLATES), 6 => tag(TABLES), 1 => tag(OTHERS), 1 => tag(BLOCKS), 1 => tag(HEAD), 3 => text(),
    ])) {
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    #[test]
    fn same_tree_for_foreign_elements(page in soup(prop_oneof![
        8 => tag(FOREIGN), 2 => tag(FORMATTING), 2 => tag(BLOCKS), 1 => tag(TABLES), 1 => tag(OTHERS), 3 => text(),
    ])) {
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    #[test]
    fn same_tree_for_html_in_foreign_elements(page in soup(prop_oneof![
        4 => prop::sample::select(POINTS).prop_map(str::to_owned), 4 => tag(IN_POINTS), 2 => text(),
    ])) {
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }

    #[test]
    fn same_tree_for_everything(page in soup(prop_oneof![
        tag(BLOCKS), tag(FORMATTING), tag(HEADED_TABLES), tag(FRAME), tag(OTHERS), tag(FOREIGN), text(),
    ])) {
        prop_assert_eq!(difference(&page), None, "{:?}", page);
    }
}

/// Rare cases, which generated pages seldom reach.
#[test]
fn same_tree_for_corners() {
    for page in [
        // At most three elements in between are reopened.
        "<b><i><u><s><em><p></b>x</p>y",
        "<b><i><u><s><em><tt><div>x</b>y</div>z",
        // Blocks are split eight times.
        "<b><div><div><div><div><div><div><div><div><div><div>x</b>y",
        "<a><p><p><a><p><div><a>x",
        // At most three equal ones are reopened, whatever the order of their attributes.
        "<p><b><b><b><b><b></p>x",
        "<p><b a=1 c=2><b c=2 a=1><b a=1 c=2><b c=2 a=1></p>x",
        "<p><b a=1 c=2><b c=1 a=2><b a=1 c=2><b a=1></p>x",
        "<p><b><b><object><b><b></p>x</object>y",
        // Comments after the body, and what follows them.
        "<p>a</p></body><!-- c -->\n</html>\n<!-- d -->\n",
        "</body><!-- c -->x</html><!-- d -->y</body><!-- e -->",
        "</body><!-- c --></html><!-- d --><frameset><frame></frameset><!-- e --></html><!-- f -->",
        "<frameset></frameset></html><!-- c --><noframes>x</noframes><!-- d --> ",
        // Back into the head.
        "<head></head><title>a</title>",
        "<head></head> <!-- c --><meta><script>a</script> <template>x</template><body>y",
        // Attributes of later tags.
        "<html a=1><body b=1><html a=2 c=3><body b=2 d=4 d=5><div><html c=4 e=5>",
        "<template><html a=1><body b=1></template>",
        // Text in tables.
        "<table>a<tr>b<td>c</td>d</tr> </>e<td>f",
        "<table> </> <tr> \0 </tr>\0<caption>x",
        "<table><b>x<tr>y</b><td>z</table>w",
        "<p>a<table><p>b<td>c</table>d",
        "<!doctype html><p>a<table><p>b<td>c</table>d",
        // A form that is not closed in order.
        "<div><form><div></form>x</div>y<form>z",
        "<table><form><tr><td><input type=hidden></form><form>x",
        // Ignored line ends.
        "<pre>\n\na</pre><textarea>\n\nb</textarea><pre></>\nc<pre><!-- -->\nd<listing>\0\ne",
        // SVG and MathML.
        "<svg viewbox=1 refx=2 xlink:href=3 definitionurl=4><lineargradient/><textpath>a</TEXTPATH>b<p>c",
        "<math definitionurl=1 viewbox=2><mi><mglyph><p>a<malignmark/></mi><annotation-xml><svg><desc>b",
        "<svg><font><g></font><font color=1>a",
        "<svg></br><g></p>a",
        "<svg>\0<desc>\0a<![CDATA[\0b]]></desc><![CDATA[c\0]]>",
    ] {
        assert_eq!(difference(page), None, "{page}");
    }
}

/// Where html5ever departs from the standard, with the tree that the standard prescribes.
#[test]
fn known_differences_from_html5ever() {
    for (page, body, why) in [
        (
            "<span><search></span>x",
            "<span><search>x</search></span>",
            "search is special, so an end tag does not reach through it",
        ),
        (
            "<span><isindex></span>x",
            "<span><isindex></isindex></span>x",
            "isindex is an element like any that has no rules",
        ),
        (
            "<span><svg><desc></span>x",
            "<span><svg><desc>x</desc></svg></span>",
            "elements of SVG that hold HTML are special",
        ),
        (
            "<li><math><mi><li>",
            "<li><math><mi><li></li></mi></math></li>",
            "elements of MathML that hold HTML are special",
        ),
        (
            "<p><math><annotation-xml encoding=text/html><p>",
            "<p><math><annotation-xml encoding=\"text/html\"><p></p></annotation-xml></math></p>",
            "annotation-xml ends scopes",
        ),
        (
            "<math><annotation-xml encoding=text/html></p>x",
            "<math><annotation-xml encoding=\"text/html\"><p></p>x</annotation-xml></math>",
            "annotation-xml may hold HTML, and nothing is closed up to it",
        ),
        (
            "<table>x<!DOCTYPE> </table>",
            "x<table> </table>",
            "a doctype ends a run of text before it is ignored",
        ),
        (
            "<template><thead><b><caption></template>",
            "<template><thead></thead><b></b><caption></caption></template>",
            "a caption ends a thead, in a template too",
        ),
        (
            "<template><tbody><b></tbody> </template>",
            "<template><tbody></tbody><b></b> </template>",
            "white space right in a template with parts of a table opens nothing again",
        ),
    ] {
        let dom = Dom::parse(page);
        assert!(
            serialize(&dom, dom.document()).contains(body),
            "{why}: {}",
            serialize(&dom, dom.document())
        );
        assert!(difference(page).is_some(), "no longer: {why}");
    }
    let frames = "<template></template><p><frameset>";
    assert!(Dom::parse(frames).part(&name!("frameset")).is_some());
    assert!(
        difference(frames).is_some(),
        "no longer: templates in the head do not count"
    );
}

over_sites!(the_same_tree_for_all_pages, check_pages);

fn check_pages(sites: &[PathBuf]) {
    for path in sites.iter().flat_map(|site| html_files(site)) {
        let bytes = fs::read(&path).unwrap();
        assert_eq!(difference(&decode(&bytes, None).text), None, "{}", path.display());
    }
}
