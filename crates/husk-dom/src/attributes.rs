//! The attributes of all nodes in one store; those of a node are a range of it.

use std::ops::{Deref, Range};

use web_atoms::LocalName;

/// An attribute of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// The name, with its prefix if it has one, as in `xlink:href`.
    pub name: &'a LocalName,
    /// The value. Empty if the source has none.
    pub value: &'a str,
}

/// The attributes of all elements, and the data of comments and doctypes as values without a name.
///
/// They are in the order in which they were parsed, which usually is document order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attributes {
    stored: Vec<StoredAttribute>,
    /// All values, concatenated.
    values: String,
    /// How many more bytes the values would take if no elements shared them.
    shared: usize,
    /// The maximum of both together.
    max_values: usize,
    is_full: bool,
}

/// The maximum size of all values: this many times the size of the page, plus a constant for small pages.
///
/// An element that the parser opens again and again, such as a `<b>` that is never closed, has the same attributes each time.
/// They are stored once, but serializing the page writes each copy.
const MAX_VALUES_FACTOR: usize = 4;
const MAX_VALUES_BASE: usize = 16 << 20;

/// How many bytes a shared attribute counts, in addition to its value.
const SHARED_ATTRIBUTE_BYTES: usize = 8;

#[derive(Debug, Clone)]
struct StoredAttribute {
    name: LocalName,
    value_start: u32,
}

/// The attributes of a node, as a range of the store.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AttributeRange {
    start: u32,
    end: u32,
}

impl AttributeRange {
    pub(crate) fn indexes(self) -> Range<u32> {
        self.start..self.end
    }
}

impl Attributes {
    /// A store for the attributes of a page of `bytes` bytes.
    pub(crate) fn for_bytes(bytes: usize) -> Self {
        Self {
            stored: Vec::with_capacity(bytes / 48),
            values: String::with_capacity(bytes / 4),
            shared: 0,
            max_values: (bytes.saturating_mul(MAX_VALUES_FACTOR) + MAX_VALUES_BASE).min(u32::MAX as usize),
            is_full: false,
        }
    }

    /// Whether values were dropped because there were too many.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// The length of all values, as often as they are written.
    pub(crate) fn written_bytes(&self) -> usize {
        self.values.len() + self.shared
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

    /// The index of the next attribute.
    #[inline]
    pub(crate) fn next(&self) -> u32 {
        self.stored.len() as u32
    }

    /// The attributes from an index on.
    #[inline]
    pub(crate) fn since(&self, start: u32) -> AttributeRange {
        AttributeRange {
            start,
            end: self.next(),
        }
    }

    /// Whether there is an attribute with this name from an index on.
    #[inline]
    pub(crate) fn has_since(&self, start: u32, name: &LocalName) -> bool {
        self.stored[start as usize..]
            .iter()
            .any(|known| known.name == *name)
    }

    #[inline]
    pub(crate) fn push(&mut self, name: LocalName, value: &str) {
        self.push_with(name, |values| values.push_str(value));
    }

    /// Adds an attribute whose value `write` appends.
    #[inline]
    pub(crate) fn push_with(&mut self, name: LocalName, write: impl FnOnce(&mut String)) {
        let value_start = self.values.len();
        self.stored.push(StoredAttribute {
            name,
            value_start: value_start as u32,
        });
        write(&mut self.values);
        if self.values.len() + self.shared > self.max_values {
            self.values.truncate(value_start);
            self.is_full = true;
        }
    }

    /// Uses the attributes of one element for another one too.
    pub(crate) fn share(&mut self, range: AttributeRange) -> AttributeRange {
        self.shared += self.bytes(range) + range.indexes().len() * SHARED_ATTRIBUTE_BYTES;
        if self.values.len() + self.shared > self.max_values {
            self.is_full = true;
            return AttributeRange::default();
        }
        range
    }

    /// The name of the attribute at an index.
    pub(crate) fn name(&self, index: u32) -> &LocalName {
        &self.stored[index as usize].name
    }

    /// Whether two elements have the same attributes, in any order.
    pub(crate) fn are_same(&self, one: AttributeRange, other: AttributeRange) -> bool {
        if one.indexes().len() != other.indexes().len() || self.bytes(one) != self.bytes(other) {
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
        one.indexes().len() > 1 && sorted(one) == sorted(other)
    }

    /// The total length of the values of a node.
    fn bytes(&self, range: AttributeRange) -> usize {
        let start_of = |index: u32| {
            let stored = self.stored.get(index as usize);
            stored.map_or(self.values.len(), |stored| stored.value_start as usize)
        };
        start_of(range.end) - start_of(range.start)
    }

    /// Renames the attributes for which `rename` returns a name.
    pub(crate) fn rename(&mut self, range: AttributeRange, rename: impl Fn(&LocalName) -> Option<LocalName>) {
        for stored in &mut self.stored[range.start as usize..range.end as usize] {
            if let Some(name) = rename(&stored.name) {
                stored.name = name;
            }
        }
    }

    /// Appends attributes from anywhere in the store to those of an element.
    pub(crate) fn extend(&mut self, range: AttributeRange, others: &[u32]) -> AttributeRange {
        let start = self.next();
        for index in (range.start..range.end).chain(others.iter().copied()) {
            let Range { start, end } = self.value_range(index as usize);
            let name = self.stored[index as usize].name.clone();
            self.push_with(name, |values| values.extend_from_within(start..end));
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

    /// The value of the first attribute of a node with this name.
    #[inline]
    pub(crate) fn find(&self, range: AttributeRange, name: &LocalName) -> Option<&str> {
        let stored = &self.stored[range.start as usize..range.end as usize];
        let place = stored.iter().position(|stored| stored.name == *name)?;
        Some(self.value(range.start as usize + place))
    }

    #[inline]
    fn value(&self, index: usize) -> &str {
        &self.values[self.value_range(index)]
    }

    #[inline]
    fn value_range(&self, index: usize) -> Range<usize> {
        let start = self.stored[index].value_start as usize;
        let end = self
            .stored
            .get(index + 1)
            .map_or(self.values.len(), |next| next.value_start as usize);
        start..end
    }
}
