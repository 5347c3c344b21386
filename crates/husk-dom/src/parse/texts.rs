//! The texts of a page, all in one buffer: first as they come, then in document order.

/// No piece: the end of a text.
const NONE: u32 = u32::MAX;

/// A part of a text: where it stands in the buffer, and which piece follows.
///
/// The tokenizer sends a text in many small parts. They lie one behind the other unless other text came between,
/// as happens around tables; so nearly every text is one piece, and adding to it never copies what is there.
struct Piece {
    start: u32,
    end: u32,
    next: u32,
}

/// A text: its first and its last piece.
#[derive(Clone, Copy)]
pub(super) struct Text {
    first: u32,
    last: u32,
}

/// The texts as they came.
pub(super) struct Texts {
    buffer: String,
    pieces: Vec<Piece>,
}

impl Texts {
    pub(super) fn for_bytes(bytes: usize) -> Self {
        Self {
            buffer: String::with_capacity(bytes / 2),
            pieces: Vec::with_capacity(bytes / 64 + 16),
        }
    }

    pub(super) fn add(&mut self, letters: &str) -> Text {
        let piece = self.add_piece(letters);
        Text {
            first: piece,
            last: piece,
        }
    }

    /// Puts letters at the end of the buffer. Its length fits: it is no longer than the page.
    fn add_piece(&mut self, letters: &str) -> u32 {
        let start = self.buffer.len() as u32;
        self.buffer.push_str(letters);
        self.pieces.push(Piece {
            start,
            end: self.buffer.len() as u32,
            next: NONE,
        });
        self.pieces.len() as u32 - 1
    }

    pub(super) fn extend(&mut self, text: &mut Text, letters: &str) {
        let last = &mut self.pieces[text.last as usize];
        if last.end as usize == self.buffer.len() {
            last.end += letters.len() as u32;
            self.buffer.push_str(letters);
        } else {
            let added = self.add_piece(letters);
            self.pieces[text.last as usize].next = added;
            text.last = added;
        }
    }
}

/// The texts in document order.
///
/// That is the order in which they came, but for what wandered out of tables and the like. So the buffer stays
/// as it is up to the first text that stands elsewhere; from there on texts are copied.
pub(super) struct TextsInOrder {
    came: Texts,
    /// How far they came in order.
    end: usize,
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

    /// Lays a text behind the others.
    pub(super) fn push(&mut self, text: Text) -> &str {
        let piece = &self.came.pieces[text.first as usize];
        if piece.start as usize == self.end && piece.next == NONE && self.copied.is_none() {
            self.end = piece.end as usize;
            &self.came.buffer[piece.start as usize..self.end]
        } else {
            self.copy(text)
        }
    }

    fn copy(&mut self, text: Text) -> &str {
        let Texts { buffer, pieces } = &self.came;
        let copied = self.copied.get_or_insert_with(|| buffer[..self.end].to_owned());
        let start = copied.len();
        let mut next = text.first;
        while let Some(piece) = pieces.get(next as usize) {
            copied.push_str(&buffer[piece.start as usize..piece.end as usize]);
            next = piece.next;
        }
        &copied[start..]
    }

    /// All texts, one behind the other.
    pub(super) fn finish(self) -> String {
        self.copied.unwrap_or_else(|| {
            let mut buffer = self.came.buffer;
            buffer.truncate(self.end);
            buffer
        })
    }
}
