//! The content with the parts that are asked for, and without those that are not.

use std::borrow::Cow;

use husk_dom::{NodeId, name};

use super::options::{ContentPart, OutputOptions};
use crate::analysis::Analysis;
use crate::blocks::Blocks;
use crate::content::Parts;
use crate::hints::NameReader;
use crate::mapping::NodeSet;

/// The nodes of the content, after parts are put in or left out as the options say.
pub(super) fn included_nodes<'a>(analysis: &'a Analysis, options: &OutputOptions) -> Cow<'a, NodeSet> {
    let found = &analysis.content().nodes;
    if options.include.is_none() {
        return Cow::Borrowed(found);
    }
    let dom = &analysis.page().dom;
    let Some(body) = dom.part(&name!("body")) else {
        return Cow::Borrowed(found);
    };
    let template = analysis.template_nodes();
    let blocks = Blocks::of(dom, body, |node| !template.contains(node));
    let mut names = NameReader::new();
    let parts = Parts::of(dom, &blocks, &mut names);
    let mut nodes = found.clone();
    let mut set = |part: ContentPart, of_part: Vec<NodeId>| {
        let change = match options.includes(part) {
            Some(true) => NodeSet::insert,
            _ => NodeSet::remove,
        };
        of_part.into_iter().for_each(|node| change(&mut nodes, node));
    };
    set(ContentPart::Captions, parts.captions(found));
    set(ContentPart::Byline, parts.byline());
    set(ContentPart::Title, parts.title());
    Cow::Owned(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extraction::Extraction;
    use crate::options::Options;
    use crate::output::{ContentFormat, nodes::write_content};
    use crate::page::Page;
    use crate::session::Session;
    use url::Url;

    const PAGE: &str = "<title>The mill</title><article><header><h1>The mill</h1><p class=byline>By Ann</p></header>\
        <p>The mill stood by the river for three hundred years, and then, one night, it was gone, and with it the miller.</p>\
        <figure><img src=a.png><figcaption>The mill at noon</figcaption></figure>\
        <p>Nobody saw it go, so the town agreed that it had been a dream, and they forgot what bread had tasted of.</p></article>\
        <section id=comments><p>I saw it go.</p></section>";

    fn extraction() -> Extraction {
        let url = Url::parse("https://example.org/mill").unwrap();
        Session::new(Page::parse(url, PAGE), Options::default()).finish()
    }

    #[track_caller]
    fn check(list: &str, expect: [bool; 4]) {
        let options = OutputOptions {
            include: Some(ContentPart::parse_list(list).unwrap()),
            ..OutputOptions::default()
        };
        let text = write_content(&extraction().into(), ContentFormat::Text, &options);
        let parts = ["The mill\n", "By Ann", "The mill at noon", "I saw it go"];
        assert_eq!(parts.map(|part| text.contains(part)), expect, "{list}: {text}");
        assert!(text.contains("Nobody saw it go"), "{list}: {text}");
    }

    #[test]
    fn only_the_listed_parts_are_written() {
        check("", [false; 4]);
        check("title", [true, false, false, false]);
        check("byline", [false, true, false, false]);
        check("captions", [false, false, true, false]);
        check("comments", [false, false, false, true]);
        check("title, byline,captions,comments", [true; 4]);
    }

    #[test]
    fn parts_are_at_their_positions() {
        let options = OutputOptions {
            include: Some(ContentPart::ALL.to_vec()),
            ..OutputOptions::default()
        };
        let text = write_content(&extraction().into(), ContentFormat::Text, &options);
        let parts = [
            "The mill\n",
            "By Ann",
            "The mill stood",
            "at noon",
            "Nobody",
            "I saw",
        ];
        let positions = parts.map(|part| text.find(part).unwrap());
        assert!(positions.is_sorted(), "{text}");
    }

    #[test]
    fn unknown_names_are_refused() {
        let error = ContentPart::parse_list("title,tags").unwrap_err().to_string();
        assert!(
            error.contains("\"tags\"") && error.contains("title, byline, captions, comments"),
            "{error}"
        );
    }
}
