//! Zstandard, which needs a library in C: in builds without it, data compressed by it is an error.
//!
//! Both variants have the same functions.

#[cfg_attr(feature = "zstd", path = "present.rs")]
#[cfg_attr(not(feature = "zstd"), path = "absent.rs")]
mod library;

pub(crate) use library::reader;
