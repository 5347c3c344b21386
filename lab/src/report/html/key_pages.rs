//! Every key page: a row with the F1 of each method, which expands to outlines with the errors.

use std::fmt::Write;

use super::icon;
use crate::comparison::Comparison;
use crate::evaluation::{Evaluation, Row};
use crate::outline::{Outline, OutlineLine, Verdict};
use crate::part::Part;
use husk::output::Escaped;
use husk_plot::{Picture, Scale, Size};

/// The scale of F1 in every row.
const F1: Scale = Scale {
    values: [0.0, 1.0],
    places: [8.0, 292.0],
};

const WIDTH: f64 = 300.0;

/// The height of a method's lane. Each method has its own, so that marks do not overlap.
const LANE: f64 = 7.0;

/// Maximum indentation: beyond it, lines would start outside the view.
const MAX_INDENT: usize = 30;

/// The letter and the CSS class of a verdict.
fn look(verdict: Verdict) -> (char, char) {
    match verdict {
        Verdict::Hit => ('H', 'h'),
        Verdict::Miss => ('M', 'm'),
        Verdict::FalseAlarm => ('F', 'f'),
        Verdict::LeftOut => ('L', 'l'),
    }
}

/// The verdict in words.
fn meaning(verdict: Verdict, part: Part) -> String {
    let noun = part.noun();
    match verdict {
        Verdict::Hit => format!("hit: {noun}, and found"),
        Verdict::Miss => format!("missed: {noun}, and not found"),
        Verdict::FalseAlarm => format!("false alarm: not {noun}, but found"),
        Verdict::LeftOut => format!("left out correctly: not {noun}"),
    }
}

/// The anchor of a key page, by its place in the corpus.
pub(super) fn id_of(evaluation: &Evaluation, row: &Row) -> String {
    let place = evaluation.rows.iter().position(|other| std::ptr::eq(other, row));
    format!("page{}", place.unwrap_or_default())
}

impl Comparison {
    pub(super) fn write_key_pages(&self, out: &mut String) -> std::fmt::Result {
        out.push_str("<section><h2>Key pages</h2>\n");
        self.write_reading_help(out)?;
        writeln!(
            out,
            "<div class=\"pages\"><div class=\"scale\" aria-hidden=\"true\"><span></span>{}<span></span></div>",
            scale()
        )?;
        let mut pages: Vec<_> = self.key_pages().into_iter().enumerate().collect();
        // The worst pages of the first method come first.
        pages.sort_by(|(_, one), (_, other)| one[0].scores.nodes.f1.total_cmp(&other[0].scores.nodes.f1));
        for (place, rows) in pages {
            self.write_key_page(place, &rows, out)?;
        }
        out.push_str("</div></section>\n");
        Ok(())
    }

    fn write_reading_help(&self, out: &mut String) -> std::fmt::Result {
        let first = self.results.first().map_or("", |entry| entry.method.name());
        write!(
            out,
            "<p>Sorted by the F1 of {}, the worst first. A row opens to the page as each method saw it: what is \
            right is folded, and a node has a letter and its support, so that <code>3/4 v2</code> says that it was \
            mapped in three of four compared pages, in two of them with the same words, link or source.</p>\n<ul class=\"letters\">",
            Escaped(first)
        )?;
        for verdict in Verdict::ALL {
            let (letter, class) = look(verdict);
            let words = meaning(verdict, self.part);
            write!(out, "<li><b class=\"{class}\">{letter}</b> {words}")?;
        }
        out.push_str("</ul>\n");
        Ok(())
    }

    fn write_key_page(&self, place: usize, rows: &[&Row], out: &mut String) -> std::fmt::Result {
        let row = rows[0];
        let facts: Vec<_> = [&row.language, &row.category]
            .into_iter()
            .flatten()
            .map(|fact| Escaped(fact).to_string())
            .collect();
        write!(
            out,
            "<details class=\"page\"><summary><span class=\"what\"><b>{}</b> <span class=\"file\">{}</span> \
            <small>{}</small></span>{}<span class=\"f1\">{:.3}</span></summary>\n<div id=\"page{place}\">\n",
            Escaped(&row.site),
            Escaped(&row.key_page),
            facts.join(" · "),
            self.marks(rows),
            row.scores.nodes.f1
        )?;
        for warning in &row.warnings {
            writeln!(out, "<p class=\"note\">Labels: {}</p>", Escaped(warning))?;
        }
        for (method, row) in rows.iter().enumerate() {
            self.write_method_outline(method, row, out)?;
        }
        out.push_str("</div></details>\n");
        Ok(())
    }

    /// The F1 of each method on one line of the scale.
    fn marks(&self, rows: &[&Row]) -> String {
        let height = LANE * (rows.len() + 1) as f64;
        let mut picture = Picture::new(WIDTH, height, &self.marks_in_words(rows));
        for tick in F1.ticks() {
            picture.line("grid", [F1.at(tick), 0.0], [F1.at(tick), height]);
        }
        for (method, row) in rows.iter().enumerate() {
            let f1 = row.scores.nodes.f1;
            let words = format!("{}: F1 {f1:.3}", self.results[method].method.name());
            let point = [F1.at(f1), LANE * (method + 1) as f64];
            picture.mark(method, Size::Dot, point, &words);
        }
        picture.finish()
    }

    fn marks_in_words(&self, rows: &[&Row]) -> String {
        let results = self.results.iter().zip(rows);
        let words = results.map(|(entry, row)| format!("{} {:.3}", entry.method.name(), row.scores.nodes.f1));
        format!("F1 of {}", words.collect::<Vec<_>>().join(", "))
    }

    fn write_method_outline(&self, method: usize, row: &Row, out: &mut String) -> std::fmt::Result {
        let score = row.scores.nodes;
        let open = if method == 0 { " open" } else { "" };
        write!(
            out,
            "<details class=\"outline s{method}\"{open}><summary>{} <b>{}</b> precision {:.3}, recall {:.3}, F1 {:.3}",
            icon(method),
            Escaped(self.results[method].method.name()),
            score.precision,
            score.recall,
            score.f1,
        )?;
        if let Some(loaded) = row.loaded {
            write!(out, ", {loaded} pages loaded")?;
        }
        if let Some(cause) = &row.error {
            write!(out, ", <em>{}</em>", Escaped(cause))?;
        }
        out.push_str(" <span class=\"counts\">");
        for (verdict, count) in Verdict::ALL.into_iter().zip(row.outline.counts) {
            let (letter, class) = look(verdict);
            let words = meaning(verdict, self.part);
            write!(
                out,
                "<span title=\"{words}\"><b class=\"{class}\">{letter}</b> {count}</span> "
            )?;
        }
        out.push_str("</span></summary>");
        write_compared(&row.outline, out)?;
        write_outline(&row.outline, out)?;
        out.push_str("</details>\n");
        Ok(())
    }
}

/// The numbers above the rows.
fn scale() -> String {
    let mut picture = Picture::new(WIDTH, 16.0, "F1 from 0 to 1");
    for tick in F1.ticks() {
        picture.text("tick mid", [F1.at(tick), 12.0], &tick.to_string());
    }
    picture.finish()
}

/// The URLs of the compared pages, as text and not as links: they may be gone.
fn write_compared(outline: &Outline, out: &mut String) -> std::fmt::Result {
    if outline.compared.is_empty() {
        return Ok(());
    }
    out.push_str("<p class=\"note\">Compared with");
    for address in &outline.compared {
        write!(out, " <code>{}</code>", Escaped(address))?;
    }
    out.push_str("</p>");
    Ok(())
}

/// One line per node, with short markup: a report has tens of thousands of lines.
fn write_outline(outline: &Outline, out: &mut String) -> std::fmt::Result {
    out.push_str("<pre tabindex=\"0\">");
    for line in &outline.lines {
        match line {
            OutlineLine::Node {
                depth,
                verdict,
                support,
                what,
            } => {
                let (letter, class) = look(*verdict);
                let support = format!(
                    "{}/{} v{}",
                    support.structural,
                    outline.compared.len(),
                    support.verbatim
                );
                writeln!(
                    out,
                    "<b class={class}>{letter}</b> {support:<9}{}<bdi class={class}>{}</bdi>",
                    indent(*depth),
                    Escaped(what)
                )?;
            }
            OutlineLine::Folded {
                depth,
                verdict,
                nodes,
            } => {
                let (letter, class) = verdict.map_or((' ', 'r'), look);
                writeln!(
                    out,
                    "<b class={class}>{letter}</b> {:<9}{}<i>… {}</i>",
                    "",
                    indent(*depth),
                    folded_words(*verdict, *nodes)
                )?;
            }
        }
    }
    out.push_str("</pre>");
    Ok(())
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth.min(MAX_INDENT))
}

fn folded_words(verdict: Option<Verdict>, nodes: usize) -> String {
    let noun = if nodes == 1 { "node" } else { "nodes" };
    match verdict {
        None => format!("{nodes} {noun} right"),
        Some(Verdict::Miss) => format!("{nodes} more {noun} missed"),
        Some(_) => format!("{nodes} more {noun} wrongly found"),
    }
}

#[cfg(test)]
mod tests {
    use husk::Support;

    use super::*;

    #[test]
    fn an_outline_has_a_letter_and_the_support_on_every_line() {
        let outline = Outline {
            lines: vec![
                OutlineLine::Node {
                    depth: 0,
                    verdict: Verdict::Hit,
                    support: Support {
                        structural: 3,
                        verbatim: 2,
                    },
                    what: "body".to_owned(),
                },
                OutlineLine::Folded {
                    depth: 1,
                    verdict: None,
                    nodes: 34,
                },
                OutlineLine::Folded {
                    depth: 1,
                    verdict: Some(Verdict::Miss),
                    nodes: 1,
                },
            ],
            counts: [1, 1, 0, 34],
            compared: vec!["https://a.example/".to_owned(); 4],
        };
        let mut out = String::new();
        write_outline(&outline, &mut out).unwrap();
        let lines: Vec<_> = out.lines().collect();
        assert!(lines[0].ends_with("<b class=h>H</b> 3/4 v2   <bdi class=h>body</bdi>"));
        assert!(lines[1].ends_with("  <i>… 34 nodes right</i>"));
        assert!(
            lines[2].starts_with("<b class=m>M</b>") && lines[2].ends_with("  <i>… 1 more node missed</i>")
        );
    }
}
