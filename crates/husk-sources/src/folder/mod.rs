//! A site saved in a folder.

mod host;

mod spelling;

mod httrack;

mod request;

mod names;

mod lookup;

mod read;
