//! `husk content`: the main content of a page.

use husk::ContentMethod;
use husk::output::OutputOptions;

use crate::args::{ContentArgs, require_heeded};
use crate::extract;
use crate::output::{self, Notes};

pub(crate) fn run(args: &ContentArgs) -> anyhow::Result<()> {
    let given = [
        ("content_format", args.content_format.is_some()),
        ("comments", args.comments),
    ];
    require_heeded(args.format, &given)?;
    let notes = Notes::new(&args.output);
    let find = if args.alone { extract::alone } else { extract::find };
    let page = find(&args.page, &args.method, &args.output)?;
    if args.no_fallback {
        page.require_sibling()?;
    }
    match page.analysis.content().method {
        ContentMethod::Template => notes.say(&page.summary()),
        ContentMethod::SinglePage if args.alone => {}
        ContentMethod::SinglePage => notes.say("no sibling page: the content was found from the page alone"),
    }
    let options = OutputOptions {
        comments: args.comments,
        content_format: args.content_format.unwrap_or_default(),
        ..page.output_options()
    };
    output::write(&page.write(args.format, &options, notes)?, &args.output)
}
