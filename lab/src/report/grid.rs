//! Aligned text: names on the left, groups of numbers beside them.

use std::fmt::Write;

/// A table of text. The first columns hold names and are set to the left, the others hold numbers.
pub(super) struct Grid<'a> {
    /// The titles of the columns.
    pub(super) head: Vec<&'a str>,
    /// How many columns hold names.
    pub(super) names: usize,
    /// The groups of number columns: a title, and how many columns it spans.
    pub(super) groups: Vec<(&'a str, usize)>,
    /// Lines, in parts with a rule above each part.
    pub(super) parts: Vec<Vec<Vec<String>>>,
}

impl Grid<'_> {
    /// The table as text.
    pub(super) fn text(&self) -> String {
        let widths = self.widths();
        let mut out = String::new();
        self.write_head(&widths, &mut out);
        for part in &self.parts {
            if !part.is_empty() {
                self.write_rule(&widths, &mut out);
            }
            for line in part {
                self.write_line(line, &widths, &mut out);
            }
        }
        out
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<_> = self.head.iter().map(|title| width(title)).collect();
        for line in self.parts.iter().flatten() {
            for (widest, cell) in widths.iter_mut().zip(line) {
                *widest = width(cell).max(*widest);
            }
        }
        // Where a title is wider than its columns, the first of them makes room.
        let mut first = self.names;
        for &(title, columns) in &self.groups {
            let own = widths[first..first + columns].iter().sum::<usize>() + columns - 1;
            widths[first] += width(title).saturating_sub(own);
            first += columns;
        }
        widths
    }

    /// Two lines: names and group titles, then the titles of the numbers.
    fn write_head(&self, widths: &[usize], out: &mut String) {
        let mut titles: Vec<_> = self.head.iter().map(|&title| title.to_owned()).collect();
        let mut line = self.names_of(&titles, widths);
        for (title, width) in self.spans(widths) {
            // Writing to a string does not fail.
            let _ = write!(line, "{title:^width$}  ");
        }
        push_line(&line, out);
        titles[..self.names].fill(String::new());
        self.write_line(&titles, widths, out);
    }

    /// A line of dashes, one for each name and for each group of numbers.
    fn write_rule(&self, widths: &[usize], out: &mut String) {
        let names = widths[..self.names].iter().copied();
        let dashes: Vec<_> = names
            .chain(self.spans(widths).map(|(_, width)| width))
            .map(|width| "-".repeat(width))
            .collect();
        push_line(&dashes.join("  "), out);
    }

    /// The title of each group and the width of its columns, with the spaces between them.
    fn spans<'w>(&'w self, widths: &'w [usize]) -> impl Iterator<Item = (&'w str, usize)> {
        let mut rest = &widths[self.names..];
        self.groups.iter().map(move |&(title, columns)| {
            let (own, behind) = rest.split_at(columns);
            rest = behind;
            (title, own.iter().sum::<usize>() + columns - 1)
        })
    }

    fn write_line(&self, cells: &[String], widths: &[usize], out: &mut String) {
        let mut line = self.names_of(cells, widths);
        let mut numbers = cells.iter().zip(widths).skip(self.names);
        for &(_, columns) in &self.groups {
            for (number, width) in numbers.by_ref().take(columns) {
                // Writing to a string does not fail.
                let _ = write!(line, "{number:>width$} ");
            }
            line.push(' ');
        }
        push_line(&line, out);
    }

    /// The beginning of a line, up to its numbers.
    fn names_of(&self, cells: &[String], widths: &[usize]) -> String {
        cells
            .iter()
            .zip(widths)
            .take(self.names)
            .map(|(name, width)| format!("{name:<width$}  "))
            .collect()
    }
}

fn width(cell: &str) -> usize {
    cell.chars().count()
}

fn push_line(line: &str, out: &mut String) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Cuts a long name at its start, since paths differ at their end.
pub(super) fn shorten(name: &str, max: usize) -> String {
    let length = width(name);
    if length <= max {
        return name.to_owned();
    }
    let end: String = name.chars().skip(length - max + 1).collect();
    format!("…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_wider_than_their_columns_make_room() {
        let grid = Grid {
            head: vec!["name", "x", "y"],
            names: 1,
            groups: vec![("a long title", 1), ("z", 1)],
            parts: vec![vec![vec!["ä".to_owned(), "1".to_owned(), "2".to_owned()]], vec![]],
        };
        let expect = "\
name  a long title  z
                 x  y
----  ------------  -
ä                1  2
";
        assert_eq!(grid.text(), expect);
    }

    #[test]
    fn long_names_lose_their_start() {
        assert_eq!(shorten("a/b/index.html", 11), "…index.html");
        assert_eq!(shorten("index.html", 10), "index.html");
    }
}
