//! Tags and their attributes.

use memchr::{memchr, memchr3};

use super::super::builder::{EndTag, StartTag};
use super::names::Named;
use super::references::{ReferenceContext, push_decoded};
use super::{Tokenizer, is_whitespace};

/// Classes of bytes within a tag, as flags.
mod class {
    /// Ends the name of a tag, or an attribute.
    pub(super) const ENDS_NAME: u8 = 1;
    /// An equals sign.
    pub(super) const EQUALS: u8 = 2;
    /// Changes in a name: capitals become lower case, a NUL becomes U+FFFD.
    pub(super) const CHANGES: u8 = 4;
    /// Ends an unquoted value.
    pub(super) const ENDS_VALUE: u8 = 8;
    /// Changes in a value: references and NULs.
    pub(super) const CHANGES_VALUE: u8 = 16;
}

static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\n' | b'\t' | b'\x0c' | b'>' => class::ENDS_NAME | class::ENDS_VALUE,
            b'/' => class::ENDS_NAME,
            b'=' => class::EQUALS,
            b'A'..=b'Z' => class::CHANGES,
            b'\0' => class::CHANGES | class::CHANGES_VALUE,
            b'&' => class::CHANGES_VALUE,
            _ => 0,
        };
        byte += 1;
    }
    classes
}

/// The attributes of a tag that were read so far.
struct AttributeList {
    /// The index of the first one in the store. `None` for end tags, whose attributes are not stored.
    start: Option<u32>,
    /// How many were read, including those that were not stored.
    count: usize,
}

/// The range of a value, and whether it needs no decoding.
struct AttributeValue {
    start: usize,
    end: usize,
    is_plain: bool,
}

impl Tokenizer<'_> {
    /// Reads a start tag whose name starts here, and its text if it contains only text.
    pub(super) fn start_tag(&mut self) {
        let Named { name, tag } = self.read_name(class::ENDS_NAME);
        let start = self.builder.attributes().next();
        let mut attributes = AttributeList {
            start: Some(start),
            count: 0,
        };
        let Some(is_self_closing) = self.read_attributes(&mut attributes) else {
            // Unfinished tags are dropped.
            self.at = self.text.len();
            return;
        };
        let start = StartTag {
            tag,
            name,
            attributes: self.builder.attributes().since(start),
            is_self_closing,
        };
        let content = self.builder.start_tag(&start);
        self.raw_text(content, &start.name);
    }

    /// Reads an end tag whose name starts here.
    pub(super) fn end_tag(&mut self) {
        let Named { name, tag } = self.read_name(class::ENDS_NAME);
        let mut attributes = AttributeList {
            start: None,
            count: 0,
        };
        match self.read_attributes(&mut attributes) {
            None => self.at = self.text.len(),
            Some(_) => self.builder.end_tag(&EndTag { tag, name: &name }),
        }
    }

    /// Reads the rest of a tag after its name. Returns whether it is self-closing; `None` if the page ends first.
    fn read_attributes(&mut self, attributes: &mut AttributeList) -> Option<bool> {
        let mut is_self_closing = false;
        loop {
            match self.peek(0)? {
                b'>' => break,
                b'/' => {
                    self.at += 1;
                    is_self_closing = self.peek(0)? == b'>';
                }
                byte if is_whitespace(byte) => self.at += 1,
                _ => self.attribute(attributes)?,
            }
        }
        self.at += 1;
        Some(is_self_closing)
    }

    /// Reads the attribute that starts here.
    fn attribute(&mut self, attributes: &mut AttributeList) -> Option<()> {
        attributes.count += 1;
        let is_cut = attributes.count > self.max_attributes;
        self.tags_cut += usize::from(attributes.count == self.max_attributes + 1);
        let Some(start) = attributes.start.filter(|_| !is_cut) else {
            self.name_flags(class::ENDS_NAME | class::EQUALS);
            self.read_value()?;
            return Some(());
        };
        let Named { name, .. } = self.read_name(class::ENDS_NAME | class::EQUALS);
        let value = self.read_value()?;
        let written = &self.text[value.start..value.end];
        let stored = self.builder.attributes();
        if stored.has_since(start, &name) {
            // The first one counts.
        } else if value.is_plain {
            stored.push(name, written);
        } else {
            stored.push_with(name, |values| {
                push_decoded(values, written, ReferenceContext::Attribute)
            });
        }
        Some(())
    }

    /// Reads a name up to a byte of one of these classes.
    #[inline]
    fn read_name(&mut self, ends: u8) -> Named {
        if let Some(&chunk) = self.rest().first_chunk() {
            let chunk = u64::from_le_bytes(chunk);
            let length = plain_length(chunk);
            if length > 0 && length < 8 && CLASSES[(chunk >> (8 * length)) as usize & 0xff] & ends != 0 {
                self.at += length;
                return self.names.short(chunk, length);
            }
        }
        self.read_any_name(ends)
    }

    fn read_any_name(&mut self, ends: u8) -> Named {
        let page = &self.text[self.at..];
        let before = self.at;
        let flags = self.name_flags(ends);
        let length = self.at - before;
        if flags & class::CHANGES == 0 {
            return self.names.at_start_of(page, length);
        }
        let shown = page[..length].replace('\0', "\u{fffd}");
        self.names.get(&shown.to_ascii_lowercase())
    }

    /// Skips a name and returns the classes of its bytes. It has at least one byte: a name may start with `=`.
    fn name_flags(&mut self, ends: u8) -> u8 {
        let mut flags = 0;
        let mut length = 0;
        for &byte in self.rest() {
            let class = CLASSES[byte as usize];
            if class & ends != 0 && length > 0 {
                break;
            }
            flags |= class;
            length += 1;
        }
        self.at += length;
        flags
    }

    /// Reads the value after the name of an attribute. `None` if the page ends first.
    fn read_value(&mut self) -> Option<AttributeValue> {
        self.skip_whitespace();
        if self.peek(0)? != b'=' {
            return Some(AttributeValue {
                start: self.at,
                end: self.at,
                is_plain: true,
            });
        }
        self.at += 1;
        self.skip_whitespace();
        match self.peek(0)? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                self.read_quoted(quote)
            }
            _ => self.read_unquoted(),
        }
    }

    fn read_quoted(&mut self, quote: u8) -> Option<AttributeValue> {
        let start = self.at;
        let found = start + memchr3(quote, b'&', b'\0', self.rest())?;
        let is_plain = self.bytes()[found] == quote;
        let end = if is_plain {
            found
        } else {
            found + memchr(quote, &self.bytes()[found..])?
        };
        self.at = end + 1;
        Some(AttributeValue { start, end, is_plain })
    }

    fn read_unquoted(&mut self) -> Option<AttributeValue> {
        let start = self.at;
        let mut flags = 0;
        let length = self.rest().iter().position(|&byte| {
            flags |= CLASSES[byte as usize];
            flags & class::ENDS_VALUE != 0
        })?;
        self.at += length;
        Some(AttributeValue {
            start,
            end: self.at,
            is_plain: flags & class::CHANGES_VALUE == 0,
        })
    }
}

/// How many of the eight bytes come before the first that is not a lower-case letter, digit or hyphen.
///
/// Compares all bytes at once: names are short, and branches on their length are unpredictable.
#[inline]
fn plain_length(chunk: u64) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const TOP: u64 = EACH * 0x80;
    // Sets the top bit of each ASCII byte that is at least `byte`. Other bytes have it set anyway.
    let at_least = |byte: u8| chunk.wrapping_add(EACH * u64::from(0x80 - byte));
    let letters = at_least(b'a') & !at_least(b'z' + 1);
    let digits = at_least(b'0') & !at_least(b'9' + 1);
    let hyphens = at_least(b'-') & !at_least(b'-' + 1);
    let others = !(letters | digits | hyphens) | chunk;
    (others & TOP).trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_bytes_are_counted() {
        for byte in 0..=u8::MAX {
            let is_plain = matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
            for index in 0..8 {
                let mut chunk = *b"aaz09-bc";
                chunk[index] = byte;
                let expect = if is_plain { 8 } else { index };
                assert_eq!(
                    plain_length(u64::from_le_bytes(chunk)),
                    expect,
                    "{byte:x} at {index}"
                );
            }
        }
    }
}
