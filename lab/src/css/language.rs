//! The supported selector syntax and its types.

use std::fmt;

use cssparser::{ToCss, serialize_identifier};
use precomputed_hash::PrecomputedHash;
use selectors::SelectorImpl;
use selectors::parser::{self, SelectorParseErrorKind};

/// The types of selectors.
#[derive(Debug, Clone)]
pub(super) struct Css;

impl SelectorImpl for Css {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Word;
    type Identifier = Word;
    type LocalName = Word;
    type NamespaceUrl = Word;
    type NamespacePrefix = Word;
    type BorrowedLocalName = Word;
    type BorrowedNamespaceUrl = Word;
    type NonTSPseudoClass = Unsupported;
    type PseudoElement = Unsupported;
}

/// The optional selectors that are supported.
pub(super) struct Grammar;

impl parser::Parser<'_> for Grammar {
    type Impl = Css;
    type Error = SelectorParseErrorKind;

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    // A mistake in a label must be reported.
    fn allow_forgiving_selectors(&self) -> bool {
        false
    }
}

/// A name or a value in a selector.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word(pub(super) String);

impl From<&str> for Word {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl AsRef<str> for Word {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for Word {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        serialize_identifier(&self.0, out)
    }
}

impl PrecomputedHash for Word {
    // For Bloom filters, which are not used.
    fn precomputed_hash(&self) -> u32 {
        0
    }
}

/// Pseudo-classes and pseudo-elements that depend on more than the tree: none are supported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unsupported {}

impl ToCss for Unsupported {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl parser::NonTSPseudoClass for Unsupported {
    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

impl parser::PseudoElement for Unsupported {}
