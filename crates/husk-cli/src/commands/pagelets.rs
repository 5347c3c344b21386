//! `husk pagelets`: the blocks of a page.

use crate::args::PageletsArgs;
use crate::extract;
use crate::failure::Failure;
use crate::output::{self, Notes};

pub(crate) fn run(args: &PageletsArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let find = if args.alone { extract::alone } else { extract::find };
    let page = find(&args.page, &args.method, &args.output)?;
    if !args.alone {
        page.require_sibling().map_err(|cause| {
            Failure::NoSibling(format!("{cause}; --alone finds the blocks in the page alone"))
        })?;
        notes.say(&page.summary());
    }
    let pagelets = page.write(args.format, &page.output_options(), notes)?;
    output::write(&pagelets, &args.output)
}
