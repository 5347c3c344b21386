//! Web archives: WARC files, read and written.

mod fault;

mod input;

mod unpack;

mod fields;

mod date;

mod record;
