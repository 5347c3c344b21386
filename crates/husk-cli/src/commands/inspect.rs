//! `husk inspect`: a report to look into a page with.

use husk::output::OutputOptions;

use crate::args::{InspectArgs, require_heeded};
use crate::extract;
use crate::output::{self, Notes};

pub(crate) fn run(args: &InspectArgs) -> anyhow::Result<()> {
    require_heeded(args.format, &[("offline", args.offline)])?;
    let notes = Notes::new(&args.output);
    let page = extract::find(&args.page, &args.method, &args.output)?;
    // The report shows why a page has no sibling, so this is not a failure here.
    match page.require_sibling() {
        Err(cause) => notes.say(&cause.to_string()),
        Ok(()) => notes.say(&page.summary()),
    }
    let options = page.output_options();
    let options = OutputOptions {
        place: output::place_of("inspect", args.open, &args.output).or(options.place),
        offline: args.offline,
        ..options
    };
    let report = page.write(args.format, &options, notes)?;
    if args.open {
        return output::open_in_browser(&report, "inspect", &args.output);
    }
    output::write(&report, &args.output)
}
