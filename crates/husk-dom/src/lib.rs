#![doc = include_str!("../README.md")]

mod encoding;

mod limits;

mod attributes;

mod dom;

mod dom_builder;

mod walk;

mod parse;

mod write;

mod xpath;

mod serialize;

mod markup;

mod outline;

pub use attributes::Attribute;
pub use dom::{Dom, Namespace, NodeId, NodeKind};
pub use encoding::{Decoded, EncodingSource, declared_encoding, decode};
pub use limits::{Limits, ParseNote};
pub use outline::{outline, outline_line, outline_lines, outline_marked};
#[cfg(feature = "oracle")]
#[doc(hidden)]
pub use parse::parse_by_html5ever;
pub use serialize::{SerializeHooks, serialize, serialize_with, write_attribute, write_text};
pub use web_atoms::{LocalName as Name, local_name as name};
pub use write::DomWriter;
pub use xpath::XPaths;
