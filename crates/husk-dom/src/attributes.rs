//! The attributes of a page, all in one store: those of a node are a range of it.

use std::ops::{Deref, Range};

use web_atoms::LocalName;

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
    /// How long they would be more, had each element its own.
    shared: usize,
    /// How long they may become together.
    max_values: usize,
    is_full: bool,
}

/// How much room values may take: so many times the room of the page, and some for small pages.
///
/// Elements that are opened again and again, as a `<b>` that is never closed, bring their attributes each time. These
/// are stored once, but whoever writes the page out writes them each time.
const ROOM_FOR_COPIES: usize = 4;
const ROOM_FOR_SMALL_PAGES: usize = 16 << 20;

/// What an attribute counts for that an element has in common with another, its value aside.
const ROOM_OF_SHARED: usize = 8;

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

impl AttributeRange {
    pub(crate) fn places(self) -> Range<u32> {
        self.start..self.end
    }
}

impl Attributes {
    /// A store with room for the attributes of a page of so many bytes.
    pub(crate) fn for_bytes(bytes: usize) -> Self {
        Self {
            stored: Vec::with_capacity(bytes / 48),
            values: String::with_capacity(bytes / 4),
            shared: 0,
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
        let start = self.next();
        for (name, value) in attributes {
            self.push(name, &value);
        }
        self.since(start)
    }

    /// Where the next attribute will stand.
    #[inline]
    pub(crate) fn next(&self) -> u32 {
        self.stored.len() as u32
    }

    /// The attributes from a place on.
    #[inline]
    pub(crate) fn since(&self, start: u32) -> AttributeRange {
        AttributeRange {
            start,
            end: self.next(),
        }
    }

    /// Whether there is an attribute of that name from a place on.
    #[inline]
    pub(crate) fn has_since(&self, start: u32, name: &LocalName) -> bool {
        self.stored[start as usize..]
            .iter()
            .any(|known| known.name == *name)
    }

    /// Adds one attribute.
    #[inline]
    pub(crate) fn push(&mut self, name: LocalName, value: &str) {
        self.push_written(name, |values| values.push_str(value));
    }

    /// Adds one attribute whose value `write` puts behind the others.
    #[inline]
    pub(crate) fn push_written(&mut self, name: LocalName, write: impl FnOnce(&mut String)) {
        let value_start = self.values.len();
        self.stored.push(Stored {
            name,
            value_start: value_start as u32,
        });
        write(&mut self.values);
        if self.values.len() + self.shared > self.max_values {
            self.values.truncate(value_start);
            self.is_full = true;
        }
    }

    /// Gives the attributes of one element to another as well.
    pub(crate) fn share(&mut self, range: AttributeRange) -> AttributeRange {
        self.shared += self.bytes(range) + range.places().len() * ROOM_OF_SHARED;
        if self.values.len() + self.shared > self.max_values {
            self.is_full = true;
            return AttributeRange::default();
        }
        range
    }

    /// The name of the attribute at a place.
    pub(crate) fn name(&self, place: u32) -> &LocalName {
        &self.stored[place as usize].name
    }

    /// Whether two elements have the same attributes, in whatever order.
    pub(crate) fn are_same(&self, one: AttributeRange, other: AttributeRange) -> bool {
        if one.places().len() != other.places().len() || self.bytes(one) != self.bytes(other) {
            return false;
        }
        if self.get(one).eq(self.get(other)) {
            return true;
        }
        let sorted = |range| {
            let mut attributes: Vec<_> = self.get(range).collect();
            attributes.sort_unstable_by_key(|attribute| attribute.name);
            attributes
        };
        one.places().len() > 1 && sorted(one) == sorted(other)
    }

    /// How long the values of a node are together.
    fn bytes(&self, range: AttributeRange) -> usize {
        let start_of = |place: u32| {
            let stored = self.stored.get(place as usize);
            stored.map_or(self.values.len(), |stored| stored.value_start as usize)
        };
        start_of(range.end) - start_of(range.start)
    }

    /// Gives attributes other names where `rename` knows one.
    pub(crate) fn rename(&mut self, range: AttributeRange, rename: impl Fn(&LocalName) -> Option<LocalName>) {
        for stored in &mut self.stored[range.start as usize..range.end as usize] {
            if let Some(name) = rename(&stored.name) {
                stored.name = name;
            }
        }
    }

    /// Puts some attributes, which may stand anywhere, behind those of an element.
    pub(crate) fn extend(&mut self, range: AttributeRange, others: &[u32]) -> AttributeRange {
        let start = self.next();
        for index in (range.start..range.end).chain(others.iter().copied()) {
            let Range { start, end } = self.place_of(index as usize);
            let name = self.stored[index as usize].name.clone();
            self.push_written(name, |values| values.extend_from_within(start..end));
        }
        self.since(start)
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
        &self.values[self.place_of(index)]
    }

    #[inline]
    fn place_of(&self, index: usize) -> Range<usize> {
        let start = self.stored[index].value_start as usize;
        let end = self
            .stored
            .get(index + 1)
            .map_or(self.values.len(), |next| next.value_start as usize);
        start..end
    }
}
