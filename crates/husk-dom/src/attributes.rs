//! The attributes of a page, all in one store: those of a node are a range of it.

use std::ops::Deref;

use html5ever::LocalName;

/// An attribute of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// The name, with its prefix where it has one, as in `xlink:href`.
    pub name: &'a LocalName,
    /// The value; empty if none was written.
    pub value: &'a str,
}

/// The attributes of all elements, and the words of comments and doctypes as values without a name.
///
/// They stay in the order in which they came, which mostly is that of the document.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attributes {
    stored: Vec<Stored>,
    /// All values, one behind the other.
    values: String,
    /// How long they may become together.
    max_values: usize,
    is_full: bool,
}

/// How much room values may take: so many times the room of the page, and some for small pages.
///
/// Elements that are opened again and again, as a `<b>` that is never closed, bring their attributes each time.
const ROOM_FOR_COPIES: usize = 4;
const ROOM_FOR_SMALL_PAGES: usize = 16 << 20;

#[derive(Debug, Clone)]
struct Stored {
    name: LocalName,
    value_start: u32,
}

/// Which of the stored attributes are those of a node.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AttributeRange {
    start: u32,
    end: u32,
}

impl Attributes {
    /// A store with room for the attributes of a page of so many bytes.
    pub(crate) fn for_bytes(bytes: usize) -> Self {
        Self {
            stored: Vec::with_capacity(bytes / 48),
            values: String::with_capacity(bytes / 4),
            max_values: (bytes.saturating_mul(ROOM_FOR_COPIES) + ROOM_FOR_SMALL_PAGES).min(u32::MAX as usize),
            is_full: false,
        }
    }

    /// Whether values were left out for want of room.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Adds the attributes of a node.
    pub(crate) fn add<Value>(
        &mut self,
        attributes: impl IntoIterator<Item = (LocalName, Value)>,
    ) -> AttributeRange
    where
        Value: Deref<Target = str>,
    {
        let start = self.stored.len() as u32;
        for (name, value) in attributes {
            self.stored.push(Stored {
                name,
                value_start: self.values.len() as u32,
            });
            if self.values.len() + value.len() <= self.max_values {
                self.values.push_str(&value);
            } else {
                self.is_full = true;
            }
        }
        AttributeRange {
            start,
            end: self.stored.len() as u32,
        }
    }

    #[inline]
    pub(crate) fn get(&self, range: AttributeRange) -> impl ExactSizeIterator<Item = Attribute<'_>> + Clone {
        (range.start as usize..range.end as usize).map(|index| Attribute {
            name: &self.stored[index].name,
            value: self.value(index),
        })
    }

    #[inline]
    fn value(&self, index: usize) -> &str {
        let start = self.stored[index].value_start as usize;
        let end = self
            .stored
            .get(index + 1)
            .map_or(self.values.len(), |next| next.value_start as usize);
        &self.values[start..end]
    }
}
