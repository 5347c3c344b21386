//! `husk inspect`: a report to look into a page with.

use husk::output::{InspectOptions, to_inspection};

use crate::args::InspectArgs;
use crate::extract::{self, Found};
use crate::output::{self, Notes};

pub(crate) fn run(args: &InspectArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let Found {
        extraction,
        relocation,
        resources,
        siblings,
        ..
    } = extract::find(&args.page, &args.method, &args.output)?;
    // Whoever has no sibling page wants to see why: the report tells, so this is no failure here.
    if let Err(cause) = extract::require_sibling(&extraction, siblings) {
        notes.say(&cause.to_string());
    } else {
        notes.say(&extract::summary(&extraction));
    }
    let options = InspectOptions {
        offline: args.offline,
        relocation,
        resources,
    };
    let html = to_inspection(&extraction, &options);
    if args.open {
        return output::open_in_browser(&html, "inspect", &args.output);
    }
    output::write(&html, &args.output)
}
