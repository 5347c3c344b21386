//! Zstandard, which takes a library in C: builds that cannot have it leave it out, and what it packed is an error there.
//!
//! Both sides of this have the same functions, so that nobody else has to know.

#[cfg_attr(feature = "zstd", path = "present.rs")]
#[cfg_attr(not(feature = "zstd"), path = "absent.rs")]
mod library;

pub(crate) use library::reader;
