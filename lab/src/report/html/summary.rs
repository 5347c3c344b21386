//! The table with a line for each method.

use std::fmt::Write;

use super::icon;
use super::key_pages::id_of;
use crate::bootstrap::Interval;
use crate::comparison::{Comparison, Lead, MethodResult};
use crate::evaluation::Mean;
use crate::report::side_by_side::rest_of_parse;
use husk::output::Escaped;

impl Comparison {
    pub(super) fn write_summary(&self, out: &mut String) -> std::fmt::Result {
        out.push_str(
            "<section><h2>Summary</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Summary\">\
            <table><caption><span>Means over key pages; the best of each column in bold.</span></caption>\n<thead>\
            <tr><th rowspan=\"2\" scope=\"col\">Method<th colspan=\"3\" scope=\"colgroup\">Nodes\
            <th scope=\"col\">Words<th scope=\"col\">Links<th scope=\"col\">Worst<br>key page\
            <th colspan=\"2\" scope=\"colgroup\">Pages<th colspan=\"4\" scope=\"colgroup\">Milliseconds",
        );
        if let [first, _, ..] = &self.results[..] {
            write!(
                out,
                "<th rowspan=\"2\" scope=\"col\">Lead of {}<br>in F1",
                Escaped(first.method.name())
            )?;
        }
        out.push_str(
            "<tr class=\"sub\"><th scope=\"col\">P<th scope=\"col\">R<th scope=\"col\">F1, 95 %\
            <th scope=\"col\">F1<th scope=\"col\">F1<th scope=\"col\">F1\
            <th scope=\"col\">loaded<th scope=\"col\">without<br>result<th scope=\"col\">parse<th scope=\"col\">selection\
            <th scope=\"col\">mapping<th scope=\"col\">last two<br>to parse</thead>\n<tbody>\n",
        );
        let best = Best::of(self);
        for (place, entry) in self.results.iter().enumerate() {
            self.write_method(place, entry, &best, out)?;
        }
        out.push_str("</tbody></table></div></section>\n");
        Ok(())
    }

    fn write_method(
        &self,
        place: usize,
        entry: &MethodResult,
        best: &Best,
        out: &mut String,
    ) -> std::fmt::Result {
        let mean = entry.evaluation.mean();
        let f1 = entry.evaluation.interval(|row| row.scores.nodes.f1);
        write!(
            out,
            "<tr class=\"s{place}\"><th scope=\"row\">{} {}",
            icon(place),
            Escaped(entry.method.name())
        )?;
        let shares = shares(&mean);
        for (value, best) in shares.iter().zip(best.shares).take(3) {
            write_share(*value, best, out)?;
        }
        write!(
            out,
            "<br><small>{}</small>",
            interval_words(f1, |value| format!("{value:.3}"))
        )?;
        for (value, best) in shares.iter().zip(best.shares).skip(3) {
            write_share(*value, best, out)?;
        }
        match entry.evaluation.worst() {
            Some(row) => write!(
                out,
                "<td>{:.3}<br><small><a href=\"#{}\">{}</a></small>",
                row.scores.nodes.f1,
                id_of(&entry.evaluation, row),
                Escaped(&row.site)
            )?,
            None => out.push_str("<td>"),
        }
        write!(
            out,
            "<td>{:.2}<td>{}<td>{:.1}<td>{:.1}<td>{:.1}<td>{}",
            mean.loaded,
            mean.failed,
            mean.times.parse_ms,
            mean.times.selection_ms,
            mean.times.mapping_ms,
            rest_of_parse(&mean)
        )?;
        if self.results.len() > 1 {
            let lead = self.lead_over(entry).map_or("–".to_owned(), lead_words);
            write!(out, "<td>{lead}")?;
        }
        out.push('\n');
        Ok(())
    }
}

/// The highest of each share.
struct Best {
    shares: [f64; 5],
}

impl Best {
    fn of(comparison: &Comparison) -> Self {
        let mut best = [0.0; 5];
        for entry in &comparison.results {
            for (highest, share) in best.iter_mut().zip(shares(&entry.evaluation.mean())) {
                *highest = share.max(*highest);
            }
        }
        // A single method is not marked as the best.
        let is_race = comparison.results.len() > 1;
        Self {
            shares: if is_race { best } else { [f64::INFINITY; 5] },
        }
    }
}

/// Precision, recall and F1 over nodes, F1 over words and over links.
fn shares(mean: &Mean) -> [f64; 5] {
    let scores = &mean.scores;
    [
        scores.nodes.precision,
        scores.nodes.recall,
        scores.nodes.f1,
        scores.words.f1,
        scores.links.f1,
    ]
}

fn write_share(value: f64, best: f64, out: &mut String) -> std::fmt::Result {
    if value >= best {
        write!(out, "<td><b>{value:.3}</b>")
    } else {
        write!(out, "<td>{value:.3}")
    }
}

fn lead_words(lead: Lead) -> String {
    let signed = |value: f64| format!("{value:+.3}").replace('-', "−");
    let chance = match lead.interval {
        Some(interval) if interval.has_zero() => "<br>may be chance",
        _ => "",
    };
    format!(
        "{}<br><small>{}{chance}</small>",
        signed(lead.mean),
        interval_words(lead.interval, signed)
    )
}

fn interval_words(interval: Option<Interval>, number: impl Fn(f64) -> String) -> String {
    interval.map_or("–".to_owned(), |interval| {
        format!("{} … {}", number(interval.low), number(interval.high))
    })
}
