//! Tags and their attributes.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, TagToken, TokenSink, TokenSinkResult};
use html5ever::{Attribute, LocalName, QualName, ns};
use memchr::{memchr, memchr3};

use super::references::{Place, push_decoded};
use super::{LINE, Tokenizer};

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

/// Where a value stands, and whether it can be taken as it is.
struct Value {
    start: usize,
    end: usize,
    is_plain: bool,
}

impl<Sink: TokenSink> Tokenizer<'_, Sink> {
    /// Reads a tag whose name begins here. What is behind it depends on what the tree builder makes of it.
    pub(super) fn tag(&mut self, kind: TagKind) {
        let Some(tag) = self.read_tag(kind) else {
            // Tags that never end are dropped.
            self.at = self.text.len();
            return;
        };
        let name = tag.name.clone();
        match self.sink.process_token(TagToken(tag), LINE) {
            TokenSinkResult::RawData(kind) => self.raw_text(kind, &name),
            TokenSinkResult::Plaintext => self.plain_text(),
            // No script runs here, and the page is decoded already.
            TokenSinkResult::Continue
            | TokenSinkResult::Script(_)
            | TokenSinkResult::EncodingIndicator(_) => {}
        }
    }

    /// A tag, or nothing if the page ends within it.
    fn read_tag(&mut self, kind: TagKind) -> Option<Tag> {
        let mut tag = Tag {
            kind,
            name: self.read_name(meaning::ENDS_NAME),
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        let mut attributes = 0;
        loop {
            self.skip_whitespace();
            match self.peek(0)? {
                b'>' => break,
                b'/' => {
                    self.at += 1;
                    tag.self_closing = self.peek(0)? == b'>';
                }
                _ => {
                    attributes += 1;
                    self.attribute(&mut tag, attributes)?;
                }
            }
        }
        self.at += 1;
        Some(tag)
    }

    /// Reads the attribute that begins here, the `count`th of its tag.
    fn attribute(&mut self, tag: &mut Tag, count: usize) -> Option<()> {
        if count > self.max_attributes {
            self.tags_cut += usize::from(count == self.max_attributes + 1);
            self.name_flags(meaning::ENDS_NAME | meaning::EQUALS);
            self.read_value()?;
            return Some(());
        }
        let name = self.read_name(meaning::ENDS_NAME | meaning::EQUALS);
        let value = self.read_value()?;
        if tag.attrs.iter().any(|known| known.name.local == name) {
            tag.had_duplicate_attributes = true;
        } else {
            let value = self.decode(&value);
            tag.attrs.push(Attribute {
                name: QualName::new(None, ns!(), name),
                value,
            });
        }
        Some(())
    }

    /// Reads a name up to a byte with one of these meanings.
    fn read_name(&mut self, ends: u8) -> LocalName {
        let start = self.at;
        let flags = self.name_flags(ends);
        let name = &self.text[start..self.at];
        if flags & meaning::CHANGES == 0 {
            return self.names.get(name);
        }
        let shown = name.replace('\0', "\u{fffd}").to_ascii_lowercase();
        self.names.get(&shown)
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

    fn decode(&mut self, value: &Value) -> StrTendril {
        if value.is_plain {
            return self.input.slice(value.start, value.end);
        }
        push_decoded(
            &mut self.scratch,
            &self.text[value.start..value.end],
            Place::Attribute,
        );
        let decoded = StrTendril::from_slice(&self.scratch);
        self.scratch.clear();
        decoded
    }
}
