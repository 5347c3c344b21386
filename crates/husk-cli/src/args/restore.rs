//! `husk restore`.

use std::path::PathBuf;

use clap::ValueHint;

/// Give back pages that husk bulk --dedup stored, byte for byte
///
/// Of one address the page goes to standard output; if it was captured several times, the capture that was stored last. All
/// pages, or those of the addresses that are named, are written with --output: into a web archive if the name ends in
/// .warc.gz, .warc.zst or .warc, else into a folder, each as a file by its address, with a folder for each host.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk restore out --list                            what is stored: address, date, bytes, layout
  husk restore out https://example.org/a             one page
  husk restore out -o pages.warc.gz                  all pages, as a web archive
  husk restore out/pages-00000.slots -o pages         all pages of one file, as files")]
pub(crate) struct RestoreArgs {
    /// What husk bulk --dedup wrote: its folder, or one of the .slots files in it
    #[arg(value_name = "OUT", value_hint = ValueHint::AnyPath)]
    pub(crate) stored: PathBuf,

    /// The addresses of the pages; all if none is named
    #[arg(value_name = "URL", conflicts_with = "list")]
    pub(crate) urls: Vec<String>,

    /// List what is stored, a page a line: address, date, bytes and layout, with tabs between
    #[arg(long, conflicts_with = "output")]
    pub(crate) list: bool,

    /// Write pages to this web archive or folder
    #[arg(long, short, value_name = "FOLDER|FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) output: Option<PathBuf>,

    /// Say nothing on standard error but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
