//! One file per command.

pub(crate) mod bulk;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod content;
pub(crate) mod diff;
pub(crate) mod inspect;
pub(crate) mod learn;
pub(crate) mod man;
pub(crate) mod menu;
pub(crate) mod pack;
pub(crate) mod pagelets;
pub(crate) mod report;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod strip;
pub(crate) mod template;
