//! `husk menu`: the main menu of a page's site.

use husk::output::OutputOptions;

use crate::args::{MenuArgs, require_heeded};
use crate::extract;
use crate::output::{self, Notes};

pub(crate) fn run(args: &MenuArgs) -> anyhow::Result<()> {
    require_heeded(args.format, &[("all", args.all)])?;
    let notes = Notes::new(&args.output);
    let page = extract::find(&args.page, &args.method, &args.output)?;
    page.require_sibling()?;
    notes.say(&page.summary());
    let options = OutputOptions {
        all: args.all,
        ..page.output_options()
    };
    output::write(&page.write(args.format, &options, notes)?, &args.output)
}
