//! Tags and their attributes.

use memchr::{memchr, memchr3};

use super::super::builder::{End, Start};
use super::names::Named;
use super::references::{Place, push_decoded};
use super::{Tokenizer, is_whitespace};

/// What bytes mean within a tag, as flags.
mod meaning {
    /// Ends the name of a tag, or an attribute.
    pub(super) const ENDS_NAME: u8 = 1;
    /// An equals sign.
    pub(super) const EQUALS: u8 = 2;
    /// Is not in a name as it stands: capitals become small, and a NUL is shown.
    pub(super) const CHANGES: u8 = 4;
    /// Ends a value without quotes.
    pub(super) const ENDS_VALUE: u8 = 8;
    /// Is not in a value as it stands.
    pub(super) const CHANGES_VALUE: u8 = 16;
}

static MEANINGS: [u8; 256] = meanings();

const fn meanings() -> [u8; 256] {
    let mut meanings = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        meanings[byte] = match byte as u8 {
            b' ' | b'\n' | b'\t' | b'\x0c' | b'>' => meaning::ENDS_NAME | meaning::ENDS_VALUE,
            b'/' => meaning::ENDS_NAME,
            b'=' => meaning::EQUALS,
            b'A'..=b'Z' => meaning::CHANGES,
            b'\0' => meaning::CHANGES | meaning::CHANGES_VALUE,
            b'&' => meaning::CHANGES_VALUE,
            _ => 0,
        };
        byte += 1;
    }
    meanings
}

/// The attributes of a tag as far as it was read.
struct AttributeList {
    /// Where the first of them is stored. Those of end tags are not.
    start: Option<u32>,
    /// How many were read, those that were not stored included.
    count: usize,
}

/// Where a value stands, and whether it can be taken as it is.
struct Value {
    start: usize,
    end: usize,
    is_plain: bool,
}

impl Tokenizer<'_> {
    /// Reads a start tag whose name begins here. What is behind it depends on what the builder makes of it.
    pub(super) fn start_tag(&mut self) {
        let Named { name, tag } = self.read_name(meaning::ENDS_NAME);
        let start = self.builder.attributes().next();
        let mut attributes = AttributeList {
            start: Some(start),
            count: 0,
        };
        let Some(is_self_closing) = self.read_attributes(&mut attributes) else {
            // Tags that never end are dropped.
            self.at = self.text.len();
            return;
        };
        let start = Start {
            tag,
            name,
            attributes: self.builder.attributes().since(start),
            is_self_closing,
        };
        let content = self.builder.start_tag(&start);
        self.raw_text(content, &start.name);
    }

    /// Reads an end tag whose name begins here.
    pub(super) fn end_tag(&mut self) {
        let Named { name, tag } = self.read_name(meaning::ENDS_NAME);
        let mut attributes = AttributeList {
            start: None,
            count: 0,
        };
        match self.read_attributes(&mut attributes) {
            None => self.at = self.text.len(),
            Some(_) => self.builder.end_tag(&End { tag, name: &name }),
        }
    }

    /// Reads all behind the name of a tag, and tells whether a slash stands before its end. Nothing comes back if the
    /// page ends first.
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

    /// Reads the attribute that begins here.
    fn attribute(&mut self, attributes: &mut AttributeList) -> Option<()> {
        attributes.count += 1;
        let is_cut = attributes.count > self.max_attributes;
        self.tags_cut += usize::from(attributes.count == self.max_attributes + 1);
        let Some(start) = attributes.start.filter(|_| !is_cut) else {
            self.name_flags(meaning::ENDS_NAME | meaning::EQUALS);
            self.read_value()?;
            return Some(());
        };
        let Named { name, .. } = self.read_name(meaning::ENDS_NAME | meaning::EQUALS);
        let value = self.read_value()?;
        let written = &self.text[value.start..value.end];
        let stored = self.builder.attributes();
        if stored.has_since(start, &name) {
            // The first one counts.
        } else if value.is_plain {
            stored.push(name, written);
        } else {
            stored.push_written(name, |values| push_decoded(values, written, Place::Attribute));
        }
        Some(())
    }

    /// Reads a name up to a byte with one of these meanings.
    #[inline]
    fn read_name(&mut self, ends: u8) -> Named {
        if let Some(&chunk) = self.rest().first_chunk() {
            let chunk = u64::from_le_bytes(chunk);
            let length = plain_length(chunk);
            if length > 0 && length < 8 && MEANINGS[(chunk >> (8 * length)) as usize & 0xff] & ends != 0 {
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
        if flags & meaning::CHANGES == 0 {
            return self.names.at_start_of(page, length);
        }
        let shown = page[..length].replace('\0', "\u{fffd}");
        self.names.get(&shown.to_ascii_lowercase())
    }

    /// Goes over a name, and tells all that its bytes mean. It has one byte at least: a name may begin with `=`.
    fn name_flags(&mut self, ends: u8) -> u8 {
        let mut flags = 0;
        let mut length = 0;
        for &byte in self.rest() {
            let meaning = MEANINGS[byte as usize];
            if meaning & ends != 0 && length > 0 {
                break;
            }
            flags |= meaning;
            length += 1;
        }
        self.at += length;
        flags
    }

    /// Reads what stands behind the name of an attribute; nothing if the page ends there.
    fn read_value(&mut self) -> Option<Value> {
        self.skip_whitespace();
        if self.peek(0)? != b'=' {
            return Some(Value {
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

    fn read_quoted(&mut self, quote: u8) -> Option<Value> {
        let start = self.at;
        let found = start + memchr3(quote, b'&', b'\0', self.rest())?;
        let is_plain = self.bytes()[found] == quote;
        let end = if is_plain {
            found
        } else {
            found + memchr(quote, &self.bytes()[found..])?
        };
        self.at = end + 1;
        Some(Value { start, end, is_plain })
    }

    fn read_unquoted(&mut self) -> Option<Value> {
        let start = self.at;
        let mut flags = 0;
        let length = self.rest().iter().position(|&byte| {
            flags |= MEANINGS[byte as usize];
            flags & meaning::ENDS_VALUE != 0
        })?;
        self.at += length;
        Some(Value {
            start,
            end: self.at,
            is_plain: flags & meaning::CHANGES_VALUE == 0,
        })
    }
}

/// How many of the eight bytes come before the first that is no small letter, digit or hyphen.
///
/// All are looked at together, each in its own eight bits: names are short, and where they end cannot be guessed.
#[inline]
fn plain_length(chunk: u64) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const TOP: u64 = EACH * 0x80;
    // The top bit of each byte tells whether it is at least so much. For ASCII, that is; others have it set anyway.
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
            for place in 0..8 {
                let mut chunk = *b"aaz09-bc";
                chunk[place] = byte;
                let expect = if is_plain { 8 } else { place };
                assert_eq!(
                    plain_length(u64::from_le_bytes(chunk)),
                    expect,
                    "{byte:x} at {place}"
                );
            }
        }
    }
}
