//! A comparison as one HTML file: charts, tables, and the errors on every key page.
//!
//! The file is self-contained: it has no script, its content security policy allows none, and all text of evaluated
//! pages is escaped.

mod charts;

mod summary;

mod groups;

mod key_pages;

use std::fmt::Write;

use crate::comparison::Comparison;
use crate::part::Part;
use husk::output::Escaped;
use husk_plot::{LOOKS, PAGE_STYLE, shape};

const STYLE: &str = include_str!("style.css");

/// Allows no loads and no scripts, in case something was not escaped.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

impl Comparison {
    /// The comparison as a self-contained HTML file.
    pub fn html(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail, here and below.
        let _ = self.write_page(&mut out);
        out
    }

    fn write_page(&self, out: &mut String) -> std::fmt::Result {
        let title = format!("{} on {}", heading(self.part), self.sample.title());
        write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
            <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
            <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
            <meta name=\"color-scheme\" content=\"light dark\">\n\
            <title>{}</title>\n<style>\n{PAGE_STYLE}{STYLE}",
            Escaped(&title)
        )?;
        self.write_looks(out)?;
        write!(
            out,
            "</style>\n<header><h1>{}</h1>\n<p>{}. Scored are the elements and texts of the body; F1 is the \
            harmonic mean of precision and recall. Intervals hold 95 % of the means over resampled sites.</p></header>\n",
            Escaped(&title),
            Escaped(&self.facts())
        )?;
        self.write_legend(out)?;
        out.push_str("<main>\n");
        self.write_summary(out)?;
        self.write_charts(out)?;
        self.write_groups(out)?;
        self.write_key_pages(out)?;
        writeln!(
            out,
            "</main>\n<footer>husk {}</footer>\n</html>",
            env!("CARGO_PKG_VERSION")
        )
    }

    /// The CSS rules that colour each method and hide its marks.
    fn write_looks(&self, out: &mut String) -> std::fmt::Result {
        for place in 0..self.results.len() {
            let look = place % LOOKS;
            writeln!(
                out,
                ".c{place}{{fill:var(--m{look})}} .k{place}{{stroke:var(--m{look})}} \
                body:has(#show{place}:not(:checked)) .s{place}{{display:none}}"
            )?;
        }
        Ok(())
    }

    /// The legend, with a checkbox per method that shows or hides it.
    fn write_legend(&self, out: &mut String) -> std::fmt::Result {
        out.push_str("<fieldset class=\"legend\"><legend>Methods</legend>\n");
        for (place, entry) in self.results.iter().enumerate() {
            writeln!(
                out,
                "<label><input type=\"checkbox\" id=\"show{place}\" checked> {} {}</label>",
                icon(place),
                Escaped(entry.method.name())
            )?;
        }
        out.push_str("</fieldset>\n");
        Ok(())
    }

    fn write_charts(&self, out: &mut String) -> std::fmt::Result {
        out.push_str("<section><h2>Charts</h2>\n<div class=\"charts\">\n");
        for chart in self.charts() {
            writeln!(
                out,
                "<figure><h3>{}</h3>{}<figcaption>{}</figcaption></figure>",
                chart.title, chart.svg, chart.note
            )?;
        }
        out.push_str("</div></section>\n");
        Ok(())
    }
}

fn heading(part: Part) -> &'static str {
    match part {
        Part::Template => "Template extraction",
        Part::Menu => "Main menus",
        Part::Content => "Main content",
        Part::ContentAlone => "Main content, from the page alone",
        Part::ContentStripped => "Main content, with learned templates",
    }
}

/// The mark of a method, in a line of text.
fn icon(method: usize) -> String {
    format!(
        "<svg class=\"icon\" viewBox=\"-7 -7 14 14\" aria-hidden=\"true\"><path class=\"c{method}\" d=\"{}\"/></svg>",
        shape(method)
    )
}

#[cfg(test)]
mod tests {
    use husk::Support;

    use crate::comparison::Comparison;
    use crate::comparison::tests::comparison;
    use crate::evaluation::Row;
    use crate::evaluation::tests::{failed_row, row};
    use crate::outline::{Outline, OutlineLine, Verdict};

    const HOSTILE: &str = "</pre><script>alert(1)</script><img src=x onerror=alert(1)>\"'";

    fn hostile_row() -> Row {
        Row {
            key_page: HOSTILE.to_owned(),
            category: Some(HOSTILE.to_owned()),
            language: Some(HOSTILE.to_owned()),
            error: Some(HOSTILE.to_owned()),
            warnings: vec![HOSTILE.to_owned()],
            outline: Outline {
                lines: vec![OutlineLine::Node {
                    depth: 0,
                    verdict: Verdict::Miss,
                    support: Support::default(),
                    what: HOSTILE.to_owned(),
                }],
                counts: [0, 1, 0, 0],
                compared: vec![HOSTILE.to_owned()],
            },
            ..row(HOSTILE, 2)
        }
    }

    fn all() -> Comparison {
        let rows = || vec![row("a", 4), hostile_row(), failed_row("c")];
        let mut comparison = comparison(vec![rows(), rows()]);
        comparison.sample.name = HOSTILE.to_owned();
        comparison
    }

    #[test]
    fn text_of_pages_is_escaped_everywhere() {
        let html = all().html();
        assert!(!html.contains("<script") && !html.contains("<img"), "{html}");
        assert!(html.matches("&lt;script&gt;alert(1)").count() > 10);
        // What a browser makes of it: no element but our own, no handler.
        let dom = husk_dom::Dom::parse(&html);
        for node in dom.nodes() {
            assert!(!matches!(
                &**dom.name(node),
                "script" | "img" | "iframe" | "object" | "form"
            ));
            assert!(
                dom.attributes(node)
                    .all(|attribute| !attribute.name.starts_with("on"))
            );
        }
    }

    #[test]
    fn needs_nothing_but_itself() {
        let html = all().html();
        let dom = husk_dom::Dom::parse(&html);
        for node in dom.nodes() {
            for attribute in dom.attributes(node) {
                let is_address = matches!(&**attribute.name, "src" | "href" | "srcset" | "data" | "action");
                assert!(
                    !is_address || attribute.value.starts_with('#'),
                    "{}",
                    attribute.value
                );
            }
        }
        assert!(!html.contains("url(") && !html.contains("@import"));
        assert!(html.contains("default-src 'none'"));
    }

    #[test]
    fn every_key_page_has_a_row_and_every_link_a_target() {
        let html = all().html();
        assert_eq!(html.matches("<details class=\"page\">").count(), 3);
        assert_eq!(html.matches("<details class=\"outline").count(), 6);
        for target in html.split("href=\"#").skip(1) {
            let id = target.split('"').next().unwrap();
            assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
        }
    }

    #[test]
    fn one_method_and_no_key_page_are_enough() {
        let single = comparison(vec![vec![row("a", 4)]]).html();
        assert!(single.contains("<details class=\"page\">"));
        assert!(comparison(vec![Vec::new()]).html().ends_with("</html>\n"));
        assert!(comparison(Vec::new()).html().ends_with("</html>\n"));
        assert!(!single.contains("NaN") && !single.contains("inf"));
    }
}
