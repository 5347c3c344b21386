//! Blocks of Markdown within lists, quotes and footnotes: which prefix each line has, and where empty lines stand.

use crate::work::check_length;

/// Blocks under way.
#[derive(Debug)]
pub(super) struct Blocks {
    out: String,
    /// What is around the place, the document first.
    around: Vec<Container>,
}

/// Something that blocks stand in.
#[derive(Debug)]
struct Container {
    kind: BlockKind,
    /// What its first line begins with, until that is written.
    first: String,
    /// What its other lines begin with.
    rest: String,
    /// What it has so far ends with.
    last: Option<BlockKind>,
    /// Whether its entries are set apart by empty lines.
    is_loose: bool,
}

/// What a block is, as far as its neighbours must know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    Document,
    /// Words.
    Paragraph,
    /// A list by its sign, and whether it may follow words without an empty line.
    List {
        sign: char,
        follows_words: bool,
    },
    Item,
    /// The line that says what a quote is; the words follow at once.
    AlertKind,
    /// Anything else.
    Other,
}

/// What is nested deeper than this stays at this depth.
const MAX_DEPTH: usize = 40;

impl Blocks {
    pub(super) fn new() -> Self {
        Self {
            out: String::new(),
            around: vec![Container::new(BlockKind::Document, "", "")],
        }
    }

    /// Opens a quote, an entry or a footnote; false if that would be too deep.
    pub(super) fn open(&mut self, kind: BlockKind, first: &str, rest: &str) -> bool {
        let fits = self.around.len() < MAX_DEPTH;
        if fits {
            self.around.push(Container::new(kind, first, rest));
        }
        fits
    }

    /// Opens a list, with a marker that differs from the list right before it.
    pub(super) fn open_list(&mut self, signs: [char; 2], follows_words: bool) -> Option<char> {
        let last = self.around.last().and_then(|around| around.last);
        let is_taken = matches!(last, Some(BlockKind::List { sign, .. }) if sign == signs[0]);
        let sign = if is_taken { signs[1] } else { signs[0] };
        self.open(BlockKind::List { sign, follows_words }, "", "")
            .then_some(sign)
    }

    pub(super) fn close(&mut self) {
        if self.around.len() > 1 {
            self.around.pop();
        }
    }

    /// Whether the place is the very start of an entry.
    pub(super) fn is_at_item_start(&self) -> bool {
        self.around
            .last()
            .is_some_and(|around| around.kind == BlockKind::Item && around.last.is_none())
    }

    /// Whether the place is in no list, quote or footnote.
    pub(super) fn is_at_top(&self) -> bool {
        self.around.len() == 1
    }

    /// How much is written.
    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether the place is in a list.
    pub(super) fn is_in_item(&self) -> bool {
        self.around.iter().any(|around| around.kind == BlockKind::Item)
    }

    /// Writes a block of one or more lines.
    pub(super) fn write(&mut self, kind: BlockKind, lines: &str) {
        self.separate(kind);
        for line in lines.split('\n') {
            self.write_line(line);
        }
    }

    /// Puts an empty line between the block and the one before it where one belongs.
    fn separate(&mut self, kind: BlockKind) {
        // The outermost container that has nothing yet is what the one around it gets now.
        let new = self
            .around
            .iter()
            .position(|around| around.last.is_none())
            .unwrap_or(self.around.len());
        let begins = match self.around.get(new).map_or(kind, |around| around.kind) {
            // A broken list may have words that are in none of its entries.
            BlockKind::List { .. }
                if self
                    .around
                    .get(new + 1)
                    .is_none_or(|item| item.kind != BlockKind::Item) =>
            {
                BlockKind::Other
            }
            kind => kind,
        };
        let parent = new.checked_sub(1);
        if let Some(parent) = parent
            && self.needs_empty_line(parent, begins)
        {
            self.write_empty_line(parent);
            self.loosen(parent);
        }
        let kinds: Vec<BlockKind> = self.around[1..]
            .iter()
            .map(|around| around.kind)
            .chain([kind])
            .collect();
        for (around, last) in self.around.iter_mut().zip(kinds).skip(parent.unwrap_or(0)) {
            around.last = Some(last);
        }
    }

    fn needs_empty_line(&self, parent: usize, begins: BlockKind) -> bool {
        let parent = &self.around[parent];
        match (parent.kind, parent.last, begins) {
            (_, None, _) | (_, Some(BlockKind::AlertKind), BlockKind::Paragraph) => false,
            (BlockKind::List { .. }, Some(BlockKind::Item), BlockKind::Item) => parent.is_loose,
            (BlockKind::Item, Some(BlockKind::Paragraph), BlockKind::List { follows_words, .. }) => {
                !follows_words
            }
            _ => true,
        }
    }

    fn write_empty_line(&mut self, parent: usize) {
        let start = self.out.len();
        for around in &self.around[..=parent] {
            self.out.push_str(&around.rest);
        }
        let end = start + self.out[start..].trim_end().len();
        self.out.truncate(end);
        self.out.push('\n');
    }

    /// Notes that an entry has an empty line in it: its list is set apart from then on.
    fn loosen(&mut self, parent: usize) {
        if self.around[parent].kind == BlockKind::Item
            && let Some(list) = parent.checked_sub(1)
        {
            self.around[list].is_loose = true;
        }
    }

    fn write_line(&mut self, line: &str) {
        let start = self.out.len();
        for around in &mut self.around {
            if around.first.is_empty() {
                self.out.push_str(&around.rest);
            } else {
                self.out.push_str(&std::mem::take(&mut around.first));
            }
        }
        self.out.push_str(line);
        // Nothing of ours ends with a space that means something.
        let end = start + self.out[start..].trim_end_matches(' ').len();
        self.out.truncate(end);
        self.out.push('\n');
        check_length(self.out.len());
    }

    pub(super) fn finish(self) -> String {
        self.out
    }
}

impl Container {
    fn new(kind: BlockKind, first: &str, rest: &str) -> Self {
        Self {
            kind,
            first: first.to_owned(),
            rest: rest.to_owned(),
            last: None,
            is_loose: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_entries_stand_alone() {
        let mut blocks = Blocks::new();
        blocks.open_list(['-', '+'], true);
        blocks.open(BlockKind::Item, "- ", "  ");
        blocks.write(BlockKind::Paragraph, "a");
        blocks.open_list(['-', '+'], true);
        blocks.write(BlockKind::Paragraph, "b");
        assert_eq!(blocks.finish(), "- a\n\n  b\n");
    }

    #[test]
    fn empty_lines_stand_where_they_belong() {
        let mut blocks = Blocks::new();
        blocks.write(BlockKind::Paragraph, "a");
        assert_eq!(blocks.open_list(['-', '+'], true), Some('-'));
        blocks.open(BlockKind::Item, "- ", "  ");
        blocks.write(BlockKind::Paragraph, "b");
        blocks.open_list(['-', '+'], true);
        blocks.open(BlockKind::Item, "- ", "  ");
        blocks.write(BlockKind::Paragraph, "c");
        blocks.close();
        blocks.close();
        blocks.close();
        blocks.open(BlockKind::Item, "- ", "  ");
        blocks.open(BlockKind::Other, "> ", "> ");
        blocks.write(BlockKind::Paragraph, "d");
        blocks.write(BlockKind::Paragraph, "e");
        blocks.close();
        blocks.write(BlockKind::Paragraph, "f");
        blocks.close();
        blocks.close();
        assert_eq!(blocks.open_list(['-', '+'], true), Some('+'));
        blocks.open(BlockKind::Item, "+ ", "  ");
        blocks.write(BlockKind::Other, "g\nh");
        assert_eq!(
            blocks.finish(),
            "a\n\n- b\n  - c\n- > d\n  >\n  > e\n\n  f\n\n+ g\n  h\n"
        );
    }
}
