//! Tables of F1 by category and language of the sites.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::icon;
use crate::comparison::Comparison;
use crate::evaluation::Row;
use crate::metrics::mean;
use husk::output::Escaped;

/// The group of sites without a value.
const UNKNOWN: &str = "not said";

impl Comparison {
    pub(super) fn write_groups(&self, out: &mut String) -> std::fmt::Result {
        out.push_str("<section><h2>Kinds of sites</h2>\n<div class=\"groups\">\n");
        self.write_group("Category", |row| row.category.as_deref(), out)?;
        self.write_group("Language", |row| row.language.as_deref(), out)?;
        out.push_str("</div></section>\n");
        Ok(())
    }

    fn write_group(
        &self,
        title: &str,
        group: fn(&Row) -> Option<&str>,
        out: &mut String,
    ) -> std::fmt::Result {
        write!(
            out,
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\"><table>\
            <caption>Mean F1 over nodes by {}</caption>\n<thead><tr><th scope=\"col\">{title}<th scope=\"col\">Key pages",
            title.to_lowercase()
        )?;
        for (place, entry) in self.results.iter().enumerate() {
            write!(
                out,
                "<th scope=\"col\" class=\"s{place}\">{} {}",
                icon(place),
                Escaped(entry.method.name())
            )?;
        }
        out.push_str("</thead>\n<tbody>\n");
        for (name, pages) in self.grouped(group) {
            write!(
                out,
                "<tr><th scope=\"row\"><bdi>{}</bdi><td>{}",
                Escaped(name),
                pages.len()
            )?;
            for place in 0..self.results.len() {
                let f1 = mean(pages.iter().map(|rows| rows[place].scores.nodes.f1));
                write!(
                    out,
                    "<td class=\"bar s{place}\" style=\"--share:{:.1}%\">{f1:.3}",
                    f1 * 100.0
                )?;
            }
            out.push('\n');
        }
        out.push_str("</tbody></table></div>\n");
        Ok(())
    }

    /// The key pages of each group, the largest group first.
    fn grouped(&self, group: fn(&Row) -> Option<&str>) -> Vec<(&str, Vec<Vec<&Row>>)> {
        let mut groups: BTreeMap<&str, Vec<Vec<&Row>>> = BTreeMap::new();
        for rows in self.key_pages() {
            let name = group(rows[0]).unwrap_or(UNKNOWN);
            groups.entry(name).or_default().push(rows);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, pages)| std::cmp::Reverse(pages.len()));
        groups
    }
}

#[cfg(test)]
mod tests {
    use crate::comparison::tests::comparison;
    use crate::evaluation::tests::row;

    #[test]
    fn groups_are_sorted_by_size_then_by_name() {
        let mut rows = vec![row("a", 4), row("b", 2), row("c", 2), row("d", 2)];
        for (row, language) in rows.iter_mut().zip([None, Some("de"), Some("sv"), Some("sv")]) {
            row.language = language.map(str::to_owned);
        }
        let comparison = comparison(vec![rows]);
        let groups: Vec<_> = comparison
            .grouped(|row| row.language.as_deref())
            .into_iter()
            .map(|(name, pages)| (name, pages.len()))
            .collect();
        assert_eq!(groups, [("sv", 2), ("de", 1), ("not said", 1)]);
    }
}
