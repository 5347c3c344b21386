//! The report as one HTML page.
//!
//! The page is self-contained: its content security policy blocks all loading, and all scripts except the one that sorts the
//! list of sites. Names, labels and URLs come from the sites and are escaped; only http and https become links.

mod numbers;

mod charts;

mod sites;

use std::collections::BTreeMap;
use std::fmt::Write;

use husk::output::Escaped;
use husk_plot::PAGE_STYLE;

use self::numbers::{bytes, per_cent, several, whole};
use super::totals::{Overview, ReportTotals};

const STYLE: &str = include_str!("style.css");

/// The only script of a report.
const SCRIPT: &str = include_str!("script.js");

/// Allows the script in the policy. A test fails with the new hash when the script changes.
const SCRIPT_HASH: &str = "sha256-Gd4sAGiCaB832A8A2BHt14PfG0hy3/5Lq8V2XpX4GUw=";

/// Blocks all loading, even of something that was not escaped.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A unit of measurement, with the share found in the literature.
struct Measure {
    name: &'static str,
    /// Gibson, Punera, Tomkins: The volume and evolution of web page templates, 2005.
    known: [f64; 2],
    known_text: &'static str,
}

/// In the order of `Shares::all`.
const MEASURES: [Measure; 3] = [
    Measure {
        name: "bytes",
        known: [0.4, 0.5],
        known_text: "40 to 50\u{a0}%",
    },
    Measure {
        name: "words",
        known: [0.28, 0.32],
        known_text: "about 30\u{a0}%",
    },
    Measure {
        name: "links",
        known: [0.28, 0.32],
        known_text: "about 30\u{a0}%",
    },
];

pub(super) fn page(overview: &Overview) -> String {
    let mut out = String::new();
    // Writing to a string can't fail, here and below.
    let _ = write_page(overview, &mut out);
    out
}

fn write_page(overview: &Overview, out: &mut String) -> std::fmt::Result {
    let totals = &overview.totals;
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}; script-src '{SCRIPT_HASH}'\">\n\
         <meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Templates of {sites}</title>\n<style>\n{PAGE_STYLE}{STYLE}</style>\n\
         <header><h1>Templates of {sites}</h1>\n<p>{}</p></header>\n<main>\n",
        headline(totals),
        sites = several(totals.sites, "site", "sites"),
    )?;
    write_figures(totals, out)?;
    if totals.sites > 0 {
        write_shares(totals, out)?;
        write_charts(overview, out)?;
        write_warnings(totals, out)?;
    }
    write_skipped(&overview.skipped, out)?;
    sites::write_sites(overview, out)?;
    writeln!(
        out,
        "</main>\n<footer>husk {}</footer>\n<script>{SCRIPT}</script>\n</html>",
        env!("CARGO_PKG_VERSION")
    )
}

fn headline(totals: &ReportTotals) -> String {
    let Some(share) = totals.together().bytes else {
        return "No templates found: no site has enough pages with the same layout.".to_owned();
    };
    format!(
        "{} of the bytes are template. On the web of 2005 it was 40 to 50 %.",
        per_cent(Some(share))
    )
}

fn write_figures(totals: &ReportTotals, out: &mut String) -> std::fmt::Result {
    out.push_str("<dl class=\"figures\">");
    let figures = [
        ("Sites", whole(totals.sites)),
        ("Pages", whole(totals.pages)),
        ("Bytes as captured", bytes(totals.captured_bytes)),
        ("Pages with a known template", whole(totals.measured)),
        ("Pages extracted without a template", whole(totals.single_page)),
    ];
    for (name, figure) in figures {
        write!(out, "<div><dt>{name}</dt><dd>{figure}</dd></div>")?;
    }
    out.push_str("</dl>\n");
    Ok(())
}

fn write_shares(totals: &ReportTotals, out: &mut String) -> std::fmt::Result {
    out.push_str(
        "<section><h2>How much is template</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Shares\">\
         <table class=\"shares\"><thead><tr><th scope=\"col\">Share of<th scope=\"col\">all pages<br>together\
         <th scope=\"col\">mean<br>of sites<th scope=\"col\">sites<th scope=\"col\">the web<br>in 2005</thead><tbody>\n",
    );
    let rows = MEASURES.iter().zip(totals.together().all()).zip(&totals.shares);
    for ((measure, together), counts) in rows {
        writeln!(
            out,
            "<tr><th scope=\"row\">{}<td><b>{}</b><td>{}<td>{}<td>{}",
            measure.name,
            per_cent(together),
            per_cent(counts.mean()),
            whole(counts.sites),
            measure.known_text
        )?;
    }
    out.push_str(
        "</tbody></table></div>\n<p>Only pages with a known template count. Bytes include markup, scripts and styles; \
         words and links are the visible ones. The mean of sites weights all sites equally. \
         The figures for 2005 are from Gibson, Punera and Tomkins.</p></section>\n",
    );
    Ok(())
}

fn write_charts(overview: &Overview, out: &mut String) -> std::fmt::Result {
    out.push_str("<section><h2>Charts</h2>\n<div class=\"charts\">\n");
    for chart in charts::charts(overview) {
        writeln!(
            out,
            "<figure><h3>{}</h3>{}<figcaption>{}</figcaption></figure>",
            chart.title, chart.svg, chart.note
        )?;
    }
    out.push_str("</div></section>\n");
    Ok(())
}

fn write_warnings(totals: &ReportTotals, out: &mut String) -> std::fmt::Result {
    if totals.warnings.is_empty() {
        return Ok(());
    }
    out.push_str("<section class=\"warnings\"><h2>Warnings</h2>\n");
    sites::write_warning_list(totals.warnings.iter().map(|(name, &pages)| (&**name, pages)), out)?;
    out.push_str("</section>\n");
    Ok(())
}

fn write_skipped(skipped: &BTreeMap<String, u64>, out: &mut String) -> std::fmt::Result {
    if skipped.is_empty() {
        return Ok(());
    }
    out.push_str("<section class=\"warnings\"><h2>Skipped records</h2>\n<dl class=\"figures\">");
    for (reason, &records) in skipped {
        write!(
            out,
            "<div><dt>{}</dt><dd>{}</dd></div>",
            Escaped(reason),
            whole(records)
        )?;
    }
    out.push_str("</dl></section>\n");
    Ok(())
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use husk::dom::{Dom, Name, name};
    use sha2::Digest;

    use super::*;
    use crate::report::amounts::{Amounts, Shares};
    use crate::report::summary::{LayoutSummary, SiteSummary};
    use crate::report::tally::SiteTally;
    use crate::row::RowMenuItem;

    const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'><!--";

    fn site(name: &str, pages: u64, bytes: u64) -> SiteSummary {
        let amounts = |bytes| Amounts {
            bytes,
            words: bytes / 10,
            links: bytes / 100,
        };
        let (page, template) = (amounts(1_000), amounts(bytes));
        SiteSummary {
            pages,
            measured: pages,
            page,
            template,
            share: Shares::of(template, page),
            ..SiteTally::default().summary(name, Vec::new(), None)
        }
    }

    fn item(label: &str, url: &str, children: Vec<RowMenuItem>) -> RowMenuItem {
        RowMenuItem {
            label: label.to_owned(),
            url: Some(url.to_owned()),
            children,
        }
    }

    fn hostile_site() -> SiteSummary {
        let layout = |model: &str| LayoutSummary {
            id: HOSTILE.to_owned(),
            pages: 1,
            support: 1,
            model: Some(model.to_owned()),
            share: Shares::default(),
        };
        SiteSummary {
            layouts: vec![
                layout("javascript:alert(1)"),
                layout(&format!("https://example.org/{HOSTILE}")),
                layout(HOSTILE),
            ],
            menu: vec![
                item(
                    HOSTILE,
                    " JavaScript:alert(1)",
                    vec![item(HOSTILE, "data:text/html,x", Vec::new())],
                ),
                item(HOSTILE, "http://example.org/", Vec::new()),
                item(HOSTILE, "file:///etc/passwd", Vec::new()),
            ],
            warnings: BTreeMap::from([(HOSTILE.to_owned(), 3)]),
            ..site(HOSTILE, 5, 300)
        }
    }

    fn html(sites: &[SiteSummary], most: usize) -> String {
        let mut file = Vec::new();
        for site in sites {
            site.write_line(&mut file).unwrap();
        }
        page(&Overview::read(&*file, most).unwrap())
    }

    fn elements(dom: &Dom, element: &Name) -> usize {
        dom.nodes().filter(|&node| dom.is_element(node, element)).count()
    }

    #[test]
    fn hostile_names_are_escaped() {
        let html = html(&[hostile_site(), site("b", 1, 500)], 10);
        assert!(html.matches("&lt;script&gt;alert(1)").count() > 10);
        let dom = Dom::parse(&html);
        assert_eq!(elements(&dom, &name!("script")), 1);
        let mut links = Vec::new();
        for node in dom.nodes() {
            let element = &**dom.name(node);
            assert!(!matches!(
                element,
                "img" | "iframe" | "object" | "form" | "base" | "embed"
            ));
            for attribute in dom.attributes(node) {
                let name = &**attribute.name;
                assert!(!name.starts_with("on"), "{name}");
                assert!(
                    !matches!(name, "src" | "srcset" | "xlink:href" | "action"),
                    "{name}"
                );
                if name == "href" {
                    links.push(attribute.value);
                }
            }
        }
        assert_eq!(links.len(), 2, "{links:?}");
        assert!(
            links
                .iter()
                .all(|link| link.starts_with("http://") || link.starts_with("https://"))
        );
    }

    #[test]
    fn the_policy_allows_only_the_script() {
        let digest = sha2::Sha256::digest(SCRIPT);
        let hash = format!("sha256-{}", base64::prelude::BASE64_STANDARD.encode(digest));
        assert_eq!(SCRIPT_HASH, hash);
        assert!(!SCRIPT.contains("</script") && !SCRIPT.contains("<!--"));
        let html = html(&[site("a", 1, 1)], 10);
        assert!(html.contains(&format!("default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; script-src '{hash}'")));
        assert!(!html.contains("url(") && !html.contains("@import"));
    }

    #[test]
    fn totals_are_shown() {
        let html = html(&[site("a", 3_000, 200), site("b", 1_000, 600)], 10);
        assert!(html.contains("<title>Templates of 2 sites</title>"));
        assert!(html.contains("<dt>Pages</dt><dd>4,000</dd>"));
        assert!(
            html.contains("<tr><th scope=\"row\">bytes<td><b>40.0 %</b><td>40.0 %<td>2<td>40 to 50\u{a0}%")
        );
        assert_eq!(html.matches("<figure>").count(), 7);
    }

    #[test]
    fn unlisted_sites_are_still_drawn() {
        let sites: Vec<_> = (1..=30)
            .map(|number| site(&format!("site-{number}"), number, 30 * number))
            .collect();
        let few = html(&sites, 10);
        assert_eq!(few.matches("<details").count(), 10);
        assert!(few.contains("The 10 of 30 sites with the most pages"));
        assert!(few.contains(">site-30<") && !few.contains("site-20"));
        assert!(few.contains("opacity=\"1.00\"") && !few.contains("class=\"dot"));
        let all = html(&sites, 30);
        assert!(!all.contains("with the most pages"));
        assert_eq!(all.matches("class=\"dot").count(), 30);
    }

    #[test]
    fn empty_reports_are_valid() {
        let alone = SiteTally::default().summary("alone", Vec::new(), None);
        for sites in [&[][..], &[alone]] {
            let html = html(sites, 10);
            assert!(html.contains("No templates found"));
            assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
            assert!(html.ends_with("</html>\n"));
        }
    }
}
