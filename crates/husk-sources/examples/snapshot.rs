//! Writes the template of a page that was saved as one file, found with the help of those saved beside it.
//!
//! ```sh
//! cargo run -p husk-sources --example snapshot -- page.mhtml > template.html
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use husk::Options;
use husk::output::{OutputOptions, to_html};
use husk_sources::{Snapshot, Snapshots, run_session};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("usage: snapshot FILE")?;
    let file = PathBuf::from(file);
    let Snapshot {
        key_page,
        resources,
        mut site,
        ..
    } = Snapshots::around(&file, None)?.ok_or("this is no page that was saved as one file")?;
    let extraction = run_session(key_page, Options::default(), &mut site, |_event| ());
    let mut err = io::stderr();
    writeln!(err, "{}", extraction.key_page.url)?;
    for url in &extraction.compared {
        writeln!(err, "compared with {url}")?;
    }
    let options = OutputOptions {
        resources: Some(resources),
        ..OutputOptions::default()
    };
    io::stdout().write_all(to_html(&extraction, &options).as_bytes())?;
    Ok(())
}
