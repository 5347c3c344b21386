//! Doctypes.

use std::borrow::Cow;

use memchr::memchr2;

use super::super::builder::Doctype;
use super::{Tokenizer, is_whitespace};

impl<'p> Tokenizer<'p> {
    /// Reads what follows `<!doctype`.
    pub(super) fn doctype(&mut self) {
        let mut doctype = Doctype::default();
        doctype.is_broken = self.read_doctype(&mut doctype).is_none();
        self.skip_past_bracket();
        self.builder.doctype(&doctype);
    }

    /// Reads the name and identifiers. `None` if the doctype is broken, or the page ends within it.
    fn read_doctype(&mut self, doctype: &mut Doctype<'p>) -> Option<()> {
        self.skip_whitespace();
        doctype.name = Some(self.read_doctype_name()?);
        self.skip_whitespace();
        if self.peek(0)? == b'>' {
            return Some(());
        }
        if self.eat(b"public") {
            self.read_identifier(&mut doctype.public_id)?;
            self.skip_whitespace();
            if self.peek(0)? == b'>' {
                return Some(());
            }
        } else if !self.eat(b"system") {
            return None;
        }
        self.read_identifier(&mut doctype.system_id)?;
        self.skip_whitespace();
        // The rest is ignored.
        self.peek(0).map(|_| ())
    }

    fn read_doctype_name(&mut self) -> Option<Cow<'p, str>> {
        let length = self
            .rest()
            .iter()
            .take_while(|&&byte| !is_whitespace(byte) && byte != b'>')
            .count();
        let mut name = self.take_to(self.at + length);
        if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            name.to_mut().make_ascii_lowercase();
        }
        Some(name).filter(|name| !name.is_empty())
    }

    /// Reads an identifier in quotes. A broken one counts too.
    fn read_identifier(&mut self, identifier: &mut Option<Cow<'p, str>>) -> Option<()> {
        self.skip_whitespace();
        let quote = self.peek(0).filter(|byte| matches!(byte, b'"' | b'\''))?;
        self.at += 1;
        let length = memchr2(quote, b'>', self.rest()).unwrap_or(self.rest().len());
        *identifier = Some(self.take_to(self.at + length));
        self.peek(0).filter(|&byte| byte == quote)?;
        self.at += 1;
        Some(())
    }
}
