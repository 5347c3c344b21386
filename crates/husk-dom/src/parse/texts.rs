//! The texts of a page, all in one buffer: first as they come, then in document order.

/// No further piece.
const NONE: u32 = u32::MAX;

/// Where letters stand in the buffer.
#[derive(Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

/// A text: where it begins, and what was added to it after other text had come between.
///
/// A text comes in parts where something within it was ignored, as a stray end tag is. They lie one behind the other
/// unless other text came between, as happens around tables; so nearly every text is one span, and adding to it never copies what is there.
#[derive(Clone, Copy)]
pub(super) struct Text {
    span: Span,
    /// The first and the last further piece.
    more: u32,
    last: u32,
}

/// A part of a text apart from its beginning.
struct Piece {
    span: Span,
    next: u32,
}

/// The texts as they came.
pub(super) struct Texts {
    buffer: String,
    pieces: Vec<Piece>,
}

impl Texts {
    /// Room for the texts of a page of so many bytes.
    pub(super) fn for_bytes(bytes: usize) -> Self {
        Self {
            buffer: String::with_capacity(bytes / 2),
            pieces: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, letters: &str) -> Text {
        Text {
            span: self.add_span(letters),
            more: NONE,
            last: NONE,
        }
    }

    /// Puts letters at the end of the buffer. Its length fits: it is no longer than the page.
    fn add_span(&mut self, letters: &str) -> Span {
        let start = self.buffer.len() as u32;
        self.buffer.push_str(letters);
        Span {
            start,
            end: self.buffer.len() as u32,
        }
    }

    pub(super) fn extend(&mut self, text: &mut Text, letters: &str) {
        let last = match self.pieces.get_mut(text.last as usize) {
            None => &mut text.span,
            Some(piece) => &mut piece.span,
        };
        if last.end as usize == self.buffer.len() {
            last.end += letters.len() as u32;
            self.buffer.push_str(letters);
        } else {
            self.add_piece(text, letters);
        }
    }

    fn add_piece(&mut self, text: &mut Text, letters: &str) {
        let added = self.pieces.len() as u32;
        let span = self.add_span(letters);
        match self.pieces.get_mut(text.last as usize) {
            None => text.more = added,
            Some(piece) => piece.next = added,
        }
        text.last = added;
        self.pieces.push(Piece { span, next: NONE });
    }

    fn letters(&self, span: Span) -> &str {
        &self.buffer[span.start as usize..span.end as usize]
    }
}

/// The texts in document order.
///
/// That is the order in which they came, but for what wandered out of tables and the like. So the buffer stays
/// as it is up to the first text that stands elsewhere; from there on texts are copied.
pub(super) struct TextsInOrder {
    came: Texts,
    /// How far they came in order.
    end: u32,
    copied: Option<String>,
}

impl TextsInOrder {
    pub(super) fn new(came: Texts) -> Self {
        Self {
            came,
            end: 0,
            copied: None,
        }
    }

    /// Lays a text behind the others; tells its length.
    pub(super) fn push(&mut self, text: Text) -> u32 {
        if text.span.start != self.end || text.more != NONE || self.copied.is_some() {
            return self.copy(text);
        }
        self.end = text.span.end;
        text.span.end - text.span.start
    }

    fn copy(&mut self, text: Text) -> u32 {
        let came = &self.came;
        let in_order = Span {
            start: 0,
            end: self.end,
        };
        let copied = self
            .copied
            .get_or_insert_with(|| came.letters(in_order).to_owned());
        let before = copied.len();
        copied.push_str(came.letters(text.span));
        let mut next = text.more;
        while let Some(piece) = came.pieces.get(next as usize) {
            copied.push_str(came.letters(piece.span));
            next = piece.next;
        }
        (copied.len() - before) as u32
    }

    /// All texts, one behind the other.
    pub(super) fn finish(self) -> String {
        self.copied.unwrap_or_else(|| {
            let mut buffer = self.came.buffer;
            buffer.truncate(self.end as usize);
            buffer
        })
    }
}
