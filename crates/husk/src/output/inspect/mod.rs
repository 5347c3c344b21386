//! A page as one file to look into: what of it is template, menu and content, which pages it was compared with, its blocks.
//!
//! An [`Extraction`] in, a page of HTML out that needs no other file. How it is kept from doing what the page would like
//! to do is described in [`frame`].

mod frame;

mod graph;

mod sections;

use std::fmt::Write;

use serde::Serialize;

use super::content_html::{content_html, in_document};
use super::escape::Escaped;
use super::html::to_html;
use super::marks::{Marks, NodeMark};
use super::options::OutputOptions;
use super::registry::{HTML, JSON, Output, Part, json_text};
use crate::analysis::Analysis;
use crate::metadata::Metadata;
use crate::pagelets::Pagelet;

const STYLE: &str = include_str!("style.css");

/// The only script that runs in a report.
const SCRIPT: &str = include_str!("script.js");

/// The hash of that script, by which the report's policy knows it. A test prints it when the script has changed.
const SCRIPT_HASH: &str = "sha256-SrkRlDWqTFpjdkqD7W9wJ5vzOb/ZC0/psWso9HQDZyA=";

pub(super) const INSPECT_HTML: Output = Output {
    part: Part::Inspect,
    name: "html",
    media_type: HTML,
    extension: "html",
    help: "One HTML file to look at: template, menu and content tinted, pages compared, blocks",
    options: &["offline"],
    writer: |analysis, options| Ok(to_inspection(analysis, options).into()),
};

pub(super) const INSPECT_PAGE: Output = Output {
    part: Part::Inspect,
    name: "page",
    media_type: JSON,
    extension: "page.json",
    help: "One object: the page without anything that runs, and what each node is",
    options: &["offline"],
    writer: |analysis, options| json_text(&MarkedPage::of(analysis, options)),
};

/// The report on a page.
fn to_inspection(analysis: &Analysis, options: &OutputOptions) -> String {
    let mut out = String::new();
    // Writing to a string does not fail, here and below.
    let _ = Report { analysis, options }.write(&mut out);
    out
}

/// A page to be tinted by others than the report, with what is known of its nodes.
#[derive(Debug, Clone, Serialize)]
pub struct MarkedPage {
    /// The page, which does nothing and, if it is to be offline, loads nothing. What a node is stands in its attribute
    /// `data-husk`: the first letter of its class, then the number of its mark.
    pub html: String,
    /// On how many pages a node was found, on how many with the same text, and its innermost pagelet, -1 if there is none.
    pub marks: Vec<(u32, u32, i64)>,
    /// The function of each pagelet, and the pagelet around it, -1 if there is none.
    pub pagelets: Vec<(&'static str, i64)>,
    /// How many pages it was compared with.
    pub compared: usize,
}

impl MarkedPage {
    /// Marks the page of an analysis.
    pub fn of(analysis: &Analysis, options: &OutputOptions) -> Self {
        let marks = Marks::of(analysis);
        Self {
            html: frame::marked_page(analysis.page(), &marks, options),
            marks: marks_of(&marks).collect(),
            pagelets: pagelets_of(analysis.pagelets()).collect(),
            compared: analysis.support(),
        }
    }
}

/// A mark for the script.
fn marks_of(marks: &Marks) -> impl Iterator<Item = (u32, u32, i64)> {
    let of = |entry: &NodeMark| {
        let pagelet = entry.pagelet.map_or(-1, |pagelet| pagelet as i64);
        (entry.structural, entry.verbatim, pagelet)
    };
    marks.table.iter().map(of)
}

/// A pagelet for the script.
fn pagelets_of(pagelets: &[Pagelet]) -> impl Iterator<Item = (&'static str, i64)> {
    pagelets.iter().map(|pagelet| {
        let parent = pagelet.parent.map_or(-1, |parent| parent as i64);
        (pagelet.function.name(), parent)
    })
}

struct Report<'a> {
    analysis: &'a Analysis,
    options: &'a OutputOptions,
}

impl Report<'_> {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let (page, extraction) = (self.analysis.page(), self.analysis.extraction());
        let metadata = self.analysis.metadata();
        let title = metadata.title.as_deref().unwrap_or("A page without a title");
        let policy = frame::policy(self.options);
        write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}; script-src '{SCRIPT_HASH}'\">\n\
             <meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{0} – husk inspect</title>\n<style>\n{STYLE}</style>\n\
             <header><h1>{0}</h1>\n<p class=\"address\">{1}</p>\n<p>{2}</p></header>\n<main>\n",
            Escaped(title),
            Escaped(page.url.as_str()),
            Escaped(&self.facts()),
        )?;
        self.write_page(out)?;
        sections::write_pages(extraction, out)?;
        self.write_parts(out)?;
        sections::write_pagelets(extraction, self.analysis.pagelets(), out)?;
        sections::write_menus(extraction, self.analysis.navigation(), out)?;
        sections::write_metadata(metadata, out)?;
        write!(
            out,
            "</main>\n<footer>husk {}, method {}</footer>\n<script>{SCRIPT}</script>\n</html>\n",
            env!("CARGO_PKG_VERSION"),
            Escaped(extraction.method)
        )
    }

    fn facts(&self) -> String {
        let extraction = self.analysis.extraction();
        let nodes = extraction.key_page.dom.len();
        let loaded = extraction.loaded.len().saturating_sub(1);
        if extraction.template.compared() == 0 {
            return format!(
                "{nodes} nodes. No page was found to compare it with, so nothing is known of its template; content and \
                 blocks are found from the single page. Other pages loaded: {loaded}."
            );
        }
        let share = 100.0 * extraction.template.nodes().count() as f64 / nodes as f64;
        format!(
            "{share:.0} % of {nodes} nodes are template. Compared with {} of {loaded} other pages loaded.",
            extraction.template.compared(),
        )
    }

    /// The page itself, tinted, with a legend that shows and hides the tints.
    fn write_page(&self, out: &mut String) -> std::fmt::Result {
        let marks = Marks::of(self.analysis);
        out.push_str(
            "<section id=\"look\"><h2>Page</h2>\n<fieldset class=\"legend\"><legend>Show</legend>\n",
        );
        for (id, label, is_shown) in [
            ("template", "Template", true),
            ("menu", "Menu", true),
            ("content", "Content", true),
            ("pagelets", "Pagelets", false),
        ] {
            let checked = if is_shown { " checked" } else { "" };
            writeln!(
                out,
                "<label><input type=\"checkbox\" id=\"show-{id}\"{checked}> <i class=\"swatch {id}\"></i>{label}</label>"
            )?;
        }
        out.push_str(
            "<output id=\"what\" aria-live=\"polite\">Point at the page to see what each part is.</output></fieldset>\n\
             <div class=\"stage\" id=\"stage\" tabindex=\"0\" role=\"region\" aria-label=\"The page\"><div id=\"board\">",
        );
        let html = frame::marked_page(self.analysis.page(), &marks, self.options);
        write_frame("page", "The page", " sandbox=\"allow-same-origin\"", &html, out);
        out.push_str("<div id=\"tints\" aria-hidden=\"true\"></div><div id=\"pane\"></div></div></div>\n<noscript><p>The tints need the script of this file.</p></noscript>\n");
        self.write_data(&marks, out)?;
        out.push_str("</section>\n");
        Ok(())
    }

    /// What the script needs to know: the table of marks, and the pagelets.
    fn write_data(&self, marks: &Marks, out: &mut String) -> std::fmt::Result {
        let compared = self.analysis.support();
        write!(
            out,
            "<script type=\"application/json\" id=\"data\">{{\"compared\":{compared},\"marks\":["
        )?;
        for (number, (structural, verbatim, pagelet)) in marks_of(marks).enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(out, "{comma}[{structural},{verbatim},{pagelet}]")?;
        }
        out.push_str("],\"pagelets\":[");
        for (number, (function, parent)) in pagelets_of(self.analysis.pagelets()).enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(out, "{comma}[\"{function}\",{parent}]")?;
        }
        out.push_str("]}</script>\n");
        Ok(())
    }

    /// Template and content side by side.
    fn write_parts(&self, out: &mut String) -> std::fmt::Result {
        let page = self.analysis.page();
        let options = OutputOptions {
            relocation: self.options.relocation.clone(),
            resources: self.options.resources.clone(),
            ..OutputOptions::default()
        };
        let template = to_html(self.analysis.extraction(), &options);
        let template = frame::contained(&template, page, self.options);
        let template = template.replacen("</head>", SLOT_STYLE, 1);
        out.push_str("<section id=\"parts\"><h2>Template and content</h2>\n<div class=\"two\">\n<figure><h3>Template</h3>");
        write_frame(
            "template",
            "The template",
            " sandbox=\"allow-same-origin\"",
            &template,
            out,
        );
        out.push_str(
            "<figcaption>Dashed: where content was cut out.</figcaption></figure>\n<figure><h3>Content</h3>",
        );
        write_frame(
            "content",
            "The content",
            " sandbox=\"\"",
            &self.content_page(),
            out,
        );
        out.push_str("</figure>\n</div></section>\n");
        Ok(())
    }

    fn content_page(&self) -> String {
        let page = self.analysis.page();
        let article = content_html(page, self.analysis.content(), self.options);
        let html = in_document(&article, &Metadata::of(page));
        frame::contained(&html, page, self.options).replacen("</head>", READING_STYLE, 1)
    }
}

/// How slots show in the frame of the template.
const SLOT_STYLE: &str = "<style>[data-husk-slot]{outline:2px dashed #b0458a!important;outline-offset:-2px;\
    min-height:1.5em}</style></head>";

/// How content shows in its frame.
const READING_STYLE: &str = "<style>:root{color-scheme:light dark}body{font:1rem/1.55 system-ui,sans-serif;margin:1rem;\
    max-width:44rem;overflow-wrap:anywhere}img{max-width:100%;height:auto}pre{overflow:auto}</style></head>";

fn write_frame(id: &str, title: &str, sandbox: &str, html: &str, out: &mut String) {
    let _ = write!(
        out,
        "<iframe id=\"{id}\" title=\"{title}\"{sandbox} tabindex=\"-1\" srcdoc=\""
    );
    for piece in html.split_inclusive(['&', '"']) {
        let plain = piece.trim_end_matches(['&', '"']);
        out.push_str(plain);
        out.push_str(match piece.chars().next_back() {
            Some('&') => "&amp;",
            Some('"') => "&quot;",
            _ => "",
        });
    }
    out.push_str("\"></iframe>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extraction::Extraction;
    use crate::output::scripts::has_script;
    use crate::output::{Resource, Resources};
    use crate::{Options, Page, Session, Url};
    use husk_dom::name;
    use husk_dom::{Dom, NodeKind};
    use sha2::{Digest, Sha256};

    /// All that a page may try in order to do more than show.
    const HOSTILE: &str = include_str!("../../../../../fixtures/hostile/key.html");

    fn inspect(html: &str, offline: bool) -> String {
        inspect_with(html, offline, None)
    }

    fn inspect_with(html: &str, offline: bool, resources: Option<Resources>) -> String {
        let options = OutputOptions {
            offline,
            resources,
            ..OutputOptions::default()
        };
        to_inspection(&extraction(html).into(), &options)
    }

    fn extraction(html: &str) -> Extraction {
        let url = |path: &str| Url::parse("https://example.org/").unwrap().join(path).unwrap();
        let mut session = Session::new(Page::parse(url("/key.html"), html), Options::default());
        while let Some(wanted) = session.next_wanted().cloned() {
            match wanted.path() {
                "/a.html" | "/b.html" | "/c.html" => {
                    let other = html.replace("of the key page", &format!("of {}", wanted.path()));
                    session.give(Page::parse(wanted, &other));
                }
                _ => session.give_up("</td><script>not had</script>"),
            }
        }
        session.finish()
    }

    /// The documents in the frames of a report.
    fn frames(report: &Dom) -> Vec<Dom> {
        let frames = report
            .nodes()
            .filter(|&node| report.is_element(node, &name!("iframe")));
        let documents = frames.map(|frame| report.attribute(frame, &name!("srcdoc")).unwrap());
        documents.map(Dom::parse).collect()
    }

    #[test]
    fn what_was_saved_along_shows_offline_too() {
        let url = |path: &str| Url::parse("https://example.org/").unwrap().join(path).unwrap();
        let resources: Resources = [
            (url("/s.css"), Resource::StyleSheet("p{color:red}".to_owned())),
            (
                url("/i.png"),
                Resource::Data("data:image/png;base64,AA==".to_owned()),
            ),
        ]
        .into_iter()
        .collect();
        let html = "<link rel=stylesheet href=s.css><link rel=stylesheet href=gone.css><nav><a href=a.html>a</a>\
            <a href=b.html>b</a><img src=i.png><img src=gone.png></nav><p>A text of the key page, long enough to be one.";
        let report = Dom::parse(&inspect_with(html, true, Some(resources)));
        for frame in &frames(&report)[..2] {
            let written = husk_dom::serialize(frame, frame.document());
            assert!(
                written.contains("href=\"data:text/css;charset=utf-8,p{color:red}\""),
                "{written}"
            );
            assert!(
                written.contains("src=\"data:image/png;base64,AA==\""),
                "{written}"
            );
            assert!(!written.contains("gone"), "{written}");
        }
    }

    #[test]
    fn the_policy_knows_the_script() {
        let digest = Sha256::digest(SCRIPT.as_bytes());
        let letters: Vec<char> = ('A'..='Z')
            .chain('a'..='z')
            .chain('0'..='9')
            .chain(['+', '/'])
            .collect();
        let mut base64 = String::new();
        for three in digest.chunks(3) {
            let bits =
                three.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
            for place in 0..4 {
                let letter = letters[(bits >> (18 - 6 * place) & 63) as usize];
                base64.push(if place <= three.len() { letter } else { '=' });
            }
        }
        assert_eq!(SCRIPT_HASH, format!("sha256-{base64}"));
        assert!(!SCRIPT.contains("</script") && !SCRIPT.contains("<!--"));
    }

    #[test]
    fn nothing_of_a_hostile_page_is_live() {
        for offline in [false, true] {
            let report = Dom::parse(&inspect(HOSTILE, offline));
            let scripts: Vec<_> = report
                .nodes()
                .filter(|&node| report.is_element(node, &name!("script")))
                .collect();
            assert_eq!(scripts.len(), 2, "the data and the script");
            assert_eq!(report.text_of(scripts[1]), SCRIPT);
            for node in report.nodes().filter(|node| !scripts.contains(node)) {
                let is_kept =
                    report.is_element(node, &name!("noscript")) || report.is_element(node, &name!("iframe"));
                assert!(is_kept || !has_script(&report, node), "{}", report.xpath(node));
            }
            let documents = frames(&report);
            assert_eq!(documents.len(), 3);
            for dom in &documents {
                is_harmless(dom, offline);
            }
        }
    }

    #[test]
    fn a_marked_page_is_that_of_the_report() {
        let options = OutputOptions {
            offline: true,
            ..OutputOptions::default()
        };
        let marked = MarkedPage::of(&extraction(HOSTILE).into(), &options);
        let dom = Dom::parse(&marked.html);
        is_harmless(&dom, true);
        let report = Dom::parse(&inspect(HOSTILE, true));
        let written = |dom: &Dom| dom.nodes().map(|node| dom.xpath(node)).collect::<Vec<_>>();
        assert_eq!(written(&dom), written(&frames(&report)[0]));
        let data = report
            .nodes()
            .find(|&node| report.attribute(node, &name!("id")) == Some("data"))
            .unwrap();
        let data: serde_json::Value = serde_json::from_str(report.text_of(data)).unwrap();
        assert_eq!(data["marks"], serde_json::json!(marked.marks));
        assert_eq!(data["pagelets"], serde_json::json!(marked.pagelets));
        assert_eq!(data["compared"], marked.compared);
    }

    fn is_harmless(dom: &Dom, offline: bool) {
        let head = dom.part(&name!("head")).unwrap();
        let policy = dom.children(head).nth(1).unwrap();
        let policy = dom.attribute(policy, &name!("content")).unwrap();
        assert!(
            policy.starts_with("default-src 'none'; style-src 'unsafe-inline'"),
            "{policy}"
        );
        assert_eq!(policy.contains("http"), !offline, "{policy}");
        for node in dom.nodes() {
            assert!(!has_script(dom, node), "{}", dom.xpath(node));
            let name = &**dom.name(node);
            assert!(!matches!(name, "base" | "script" | "noscript"));
            for attribute in dom.attributes(node) {
                let loads = matches!(
                    &**attribute.name,
                    "src" | "srcset" | "poster" | "background" | "data" | "srcdoc"
                );
                let is_inner = matches!(name, "iframe" | "frame" | "object" | "embed");
                assert!(!loads || !(is_inner || offline), "{name} {attribute:?}");
                assert!(!matches!(
                    &**attribute.name,
                    "action" | "formaction" | "ping" | "autofocus" | "target"
                ));
            }
        }
    }

    #[test]
    fn nodes_are_marked_where_something_changes() {
        let html = "<title>Words of the key page</title><body><nav><a href=a.html>A</a> <a href=b.html>B</a> <a href=c.html>C</a></nav>\
                    <div>Common words <p>Words of the key page, more of them</p></div><footer>All rights reserved</footer>";
        let report = inspect(html, false);
        assert!(report.contains("Compared with 3 of 3"), "{report}");
        let report = Dom::parse(&report);
        let page = &frames(&report)[0];
        let mark = |text: &str| {
            let node = page
                .nodes()
                .find(|&node| page.kind(node) == NodeKind::Text && page.text_of(node).contains(text));
            let marked = page.ancestors(node.unwrap()).find_map(|above| {
                let mark = page
                    .attributes(above)
                    .find(|attribute| &**attribute.name == "data-husk")?;
                Some(mark.value.chars().next().unwrap())
            });
            marked.unwrap()
        };
        assert_eq!((mark("more of them"), mark("All rights")), ('c', 't'));
    }

    #[test]
    fn strange_pages_have_a_report() {
        for html in [
            "",
            "<frameset><frame src=a.html></frameset>",
            "<title></title>",
            "<p>x",
            "%PDF-1.7 \0\u{1}",
        ] {
            let report = inspect(html, false);
            assert!(report.ends_with("</html>\n"), "{html}");
            assert_eq!(frames(&Dom::parse(&report)).len(), 3, "{html}");
        }
    }

    #[test]
    fn depth_and_width_do_no_harm() {
        let deep = "<table><tr><td>".repeat(3000) + "x";
        let wide = "<p>x <b>y</b>".repeat(20_000);
        for html in [deep, wide] {
            assert!(inspect(&html, true).len() < 40 * html.len() + 200_000);
        }
    }
}
