//! Hostile pages: parsing must end, within the limits, in time linear in the size of the page.
#![allow(clippy::unwrap_used, reason = "tests")]

use husk_dom::{Dom, Limits, ParseNote, serialize};

fn parse(html: &str) -> Dom {
    let dom = Dom::parse(html);
    // Walking must work too.
    assert!(!serialize(&dom, dom.document()).is_empty());
    dom
}

fn depth(dom: &Dom) -> usize {
    let mut deepest = 0;
    let mut open: Vec<husk_dom::NodeId> = Vec::new();
    for node in dom.nodes() {
        while open.last().is_some_and(|&above| !dom.is_within(node, above)) {
            open.pop();
        }
        open.push(node);
        deepest = deepest.max(open.len());
    }
    deepest
}

#[test]
fn a_million_nested_elements() {
    for tag in [
        "div",
        "b",
        "ul><li",
        "table><tr><td",
        "svg",
        "select",
        "p",
        "a",
        "template",
        "form",
        "button",
        "x",
        "frameset",
    ] {
        // Once in full; elsewhere enough that quadratic time would show.
        let count = if tag == "div" { 1_000_000 } else { 200_000 };
        let dom = parse(&format!("<{tag}>").repeat(count));
        // Twice for a template, whose contents are a node of their own.
        assert!(depth(&dom) < 1100, "{tag}: {}", depth(&dom));
    }
}

#[test]
fn text_survives_flattening_in_order() {
    let html: String = (0..2000)
        .map(|n| format!("<div title={n}>{n} "))
        .collect::<String>()
        + &"end</div>".repeat(2000);
    let dom = parse(&html);
    assert!(
        matches!(dom.notes(), [ParseNote::Flattened(count)] if *count > 1000),
        "{:?}",
        dom.notes()
    );
    let numbers: String = (0..2000).map(|n| format!("{n} ")).collect();
    assert_eq!(dom.text_of(dom.root()), numbers + &"end".repeat(2000));
    assert_eq!(
        dom.nodes()
            .filter(|&node| dom.is_element(node, &husk_dom::name!("div")))
            .count(),
        2000
    );
}

#[test]
fn nesting_below_the_limit_is_kept() {
    let dom = parse(&"<div>".repeat(500));
    assert_eq!(depth(&dom), 503);
    assert!(dom.notes().is_empty());
}

#[test]
fn foreign_elements_nest_no_deeper() {
    for tag in [
        "svg><style",
        "svg><input",
        "math><mi",
        "svg><desc><svg",
        "svg><script",
    ] {
        assert!(depth(&parse(&format!("<{tag}>").repeat(100_000))) < 600, "{tag}");
    }
    let same = "<svg>".to_owned() + &"<style>".repeat(100_000);
    assert!(depth(&parse(&same)) < 600);
}

#[test]
fn names_that_nest_in_svg_and_hold_text_in_html() {
    for name in ["title", "script", "style"] {
        let deep = "<g>".repeat(600);
        let html = format!("<svg>{deep}<{name}></svg><{name}>a < b</{name}><p>after");
        let dom = parse(&html);
        assert_eq!(dom.text_of(dom.root()), "a < bafter", "{name}");
        let last = dom.nodes().last().unwrap();
        assert_eq!(&**dom.name(dom.parent(last).unwrap()), "p", "{name}");
    }
}

#[test]
fn formatting_elements_that_are_reopened_for_ever() {
    let html: String = (0..20_000).map(|n| format!("<p><b class={n}>x</p>")).collect();
    let dom = parse(&html);
    assert!(depth(&dom) < 1200);
}

#[test]
fn a_page_of_fifty_megabytes() {
    let html = "<p>Lorem ipsum <a href='/dolor'>dolor</a> sit amet, consetetur sadipscing elitr.</p>\n";
    let dom = Dom::parse(&html.repeat((50 << 20) / html.len()));
    assert!(dom.notes().is_empty());
    assert!(dom.len() > 3_000_000);
}

#[test]
fn too_many_nodes_end_the_page() {
    let limits = Limits {
        nodes: 1000,
        ..Limits::DEFAULT
    };
    let dom = Dom::parse_within(&"<p>x".repeat(10_000), &limits);
    assert!(dom.len() >= 1000 && dom.len() < 1010, "{}", dom.len());
    assert!(matches!(dom.notes(), [ParseNote::NodesCut(_)]));
}

#[test]
fn too_many_bytes_end_the_page() {
    let limits = Limits {
        bytes: 101,
        ..Limits::DEFAULT
    };
    let dom = Dom::parse_within(&"ä".repeat(100), &limits);
    assert_eq!(dom.text_of(dom.root()), "ä".repeat(50));
    assert_eq!(dom.notes(), [ParseNote::BytesCut(100)]);
}

#[test]
fn a_hundred_thousand_attributes() {
    let attributes: String = (0..100_000).map(|n| format!(" a{n}='>{n}'")).collect();
    let dom = parse(&format!("<p>before</p><div{attributes}>inside</div><p>after</p>"));
    assert_eq!(dom.text_of(dom.root()), "beforeinsideafter");
    assert_eq!(dom.notes(), [ParseNote::AttributesDropped(1)]);
    let div = dom
        .nodes()
        .find(|&node| dom.is_element(node, &husk_dom::name!("div")))
        .unwrap();
    assert_eq!(dom.attributes(div).len(), 1024);
}

#[test]
fn many_words_that_only_look_like_attributes() {
    let words = "word ".repeat(5000);
    let html = format!("<script>if (a <b {words}) c</script><textarea><p {words}></textarea>");
    let dom = parse(&html);
    assert!(dom.notes().is_empty(), "{:?}", dom.notes());
    assert_eq!(dom.text_of(dom.root()), format!("if (a <b {words}) c<p {words}>"));
}

#[test]
fn a_large_value_is_kept_whole() {
    let data = "x".repeat(100_000);
    let dom = parse(&format!("<img src='data:image/png;base64,{data}'><p>after"));
    let img = dom
        .nodes()
        .find(|&node| dom.is_element(node, &husk_dom::name!("img")))
        .unwrap();
    assert_eq!(
        dom.attribute(img, &husk_dom::name!("src")).map(str::len),
        Some(100_022)
    );
    assert_eq!(dom.text_of(dom.root()), "after");
}

#[test]
fn nul_bytes_and_unclosed_everything() {
    assert_eq!(
        parse(&"\0".repeat(1000)).text_of(husk_dom::NodeId::from_index(0)),
        ""
    );
    for broken in [
        "<",
        "<!",
        "<!-",
        "<!--",
        "</",
        "<a",
        "<a ",
        "<a b",
        "<a b=",
        "<a b='",
        "&",
        "&#",
        "&#x",
        "&amp",
        "<!doctype",
        "<script>",
        "<textarea>",
        "<title>",
        "<plaintext>",
        "<svg><![CDATA[",
        "<table>x<tr>y<td>z",
        "\r",
    ] {
        parse(broken);
        parse(&broken.repeat(2000));
    }
}

#[test]
fn floods_of_what_a_tokenizer_looks_ahead_for() {
    for (start, flood) in [
        ("", "&"),
        ("", "&#x"),
        ("", "&CounterClockwiseContour"),
        ("", "&#0000000000"),
        ("", "a</"),
        ("", "<!--->"),
        ("", "<!-"),
        ("<!--", "--!"),
        ("<!--", "- >"),
        ("<p title='", "&amp="),
        ("<p ", "='"),
        ("<title>", "</titl"),
        ("<title>", "&lt"),
        ("<script>", "</scripts"),
        ("<script>", "<!-- -->"),
        ("<script><!--", "<script></script>"),
        ("<script><!--", "-"),
        ("<svg><![CDATA[", "]]"),
        ("<svg>", "<![CDATA[x\0]]>"),
        ("<!doctype ", "public '"),
        ("<frameset>", "a "),
        ("", "a\r"),
        ("", "<a\0A"),
    ] {
        parse(&(start.to_owned() + &flood.repeat(300_000)));
    }
}

#[test]
fn text_that_wanders_out_of_tables_costs_no_more() {
    let dom = parse(&("<table>".to_owned() + &"x<caption>y</caption>".repeat(50_000)));
    assert!(dom.text_of(dom.root()).starts_with(&"x".repeat(50_000)));
}

#[test]
fn elements_that_end_by_themselves_are_not_nested() {
    for (open, item, count) in [
        ("<select>", "<option>x", 1000),
        ("<ul>", "<li>x", 5000),
        ("<div>", "<p>x", 5000),
        ("<table>", "<tr><td>1<td>2<td>3", 2000),
        ("<dl>", "<dt>a<dd>b", 2000),
    ] {
        let dom = parse(&(open.to_owned() + &item.repeat(count)));
        assert_eq!(dom.notes(), [], "{item}");
        let closed = item.split_inclusive('>').next_back().unwrap();
        let name = closed.trim_start_matches(|c| c != '<').trim_matches(['<', '>']);
        let elements: Vec<_> = dom.nodes().filter(|&node| &**dom.name(node) == name).collect();
        assert!(elements.len() >= count, "{item}");
        assert!(
            elements.iter().all(|&node| !dom.text_of(node).is_empty()),
            "{item}"
        );
    }
}

#[test]
fn attributes_that_come_again_with_every_paragraph() {
    let value = "a".repeat(1_000_000);
    let dom = parse(&format!("<p><b title='{value}'>x</p>{}", "<p>x</p>".repeat(5000)));
    assert!(
        matches!(dom.notes(), [ParseNote::NodesCut(_)]),
        "{:?}",
        dom.notes()
    );
}

#[test]
fn attributes_that_come_with_every_body_tag() {
    let tags: String = (0..100_000).map(|n| format!("<body a{n}>")).collect();
    let dom = parse(&tags);
    let body = dom.part(&husk_dom::name!("body")).unwrap();
    assert!(
        dom.attributes(body).len() <= 1025,
        "{}",
        dom.attributes(body).len()
    );
}

#[test]
fn attributes_hidden_behind_what_looks_like_a_tag() {
    let flood: String = (0..200_000).map(|n| format!(" a{n}")).collect();
    for html in [
        format!("<script>a<b c='</script><div{flood}>'in</div>"),
        format!("<!-- <b c=' --><div{flood}>'in</div>"),
        format!("<<div{flood}>in</div>"),
        format!("<textarea><b '</textarea><div{flood}>in</div>"),
        format!("x</p{flood}>in"),
        format!("<svg><style><a{flood}>in"),
    ] {
        let dom = parse(&html);
        assert!(
            matches!(dom.notes(), [ParseNote::AttributesDropped(1)]),
            "{} {:?}",
            &html[..30],
            dom.notes()
        );
        assert!(dom.text_of(dom.root()).ends_with("in"), "{}", &html[..30]);
    }
}

#[test]
fn a_long_comment_or_value_is_kept_whole() {
    let words = "some <b words ".repeat(5000);
    let dom = parse(&format!("<p title=\"{words}\">x<!--{words}--><i>y"));
    assert!(dom.notes().is_empty(), "{:?}", dom.notes());
    let paragraph = dom
        .nodes()
        .find(|&node| dom.is_element(node, &husk_dom::name!("p")))
        .unwrap();
    assert_eq!(dom.attribute(paragraph, &husk_dom::name!("title")), Some(&*words));
    let comment = dom
        .nodes()
        .find(|&node| dom.kind(node) == husk_dom::NodeKind::Comment)
        .unwrap();
    assert_eq!(dom.data(comment), words);
    assert_eq!(dom.text_of(dom.root()), "xy");
}
