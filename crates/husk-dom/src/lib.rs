//! HTML bytes to a [`Dom`]: an arena of nodes in document order.
//!
//! Bytes are decoded as browsers do it ([`decode`]), cut into tokens, built into a tree as the HTML standard says, and laid out
//! flat, so that the subtree of a node is a range of ids, its size is known, and its hashes tell at once whether two
//! subtrees are alike. This crate knows no URL and no site.
//!
//! ```
//! use husk_dom::{Dom, name};
//!
//! let dom = Dom::parse("<p>Hello <b>world");
//! let bold = dom.nodes().find(|&node| dom.is_element(node, &name!("b"))).expect("there is a <b>");
//! assert_eq!(dom.text_of(bold), "world");
//! assert_eq!(dom.xpath(bold), "/html[1]/body[1]/p[1]/b[1]");
//! ```

mod encoding;

mod limits;

mod attributes;

mod dom;

mod dom_builder;

mod walk;

mod hash;

mod parse;

mod write;

mod xpath;

mod serialize;

mod markup;

mod outline;

pub use attributes::Attribute;
pub use dom::{Dom, Namespace, NodeId, NodeKind};
pub use encoding::{Decoded, EncodingSource, declared_encoding, decode};
pub use limits::{Limits, Note};
pub use outline::{outline, outline_line, outline_marked};
#[cfg(feature = "oracle")]
#[doc(hidden)]
pub use parse::parse_by_html5ever;
pub use serialize::{Plain, Shape, serialize, serialize_shaped, write_attribute, write_text};
pub use web_atoms::{LocalName as Name, local_name as name};
pub use write::DomWriter;
pub use xpath::XPaths;
