//! `husk content`: the main content of pages.

use std::ffi::OsString;
use std::path::Path;

use husk::output::OutputOptions;
use husk::{ContentMethod, Warning};

use crate::args::{ContentArgs, require_heeded};
use crate::extract;
use crate::failure;
use crate::output::{self, Notes};

pub(crate) fn run(args: &ContentArgs) -> anyhow::Result<()> {
    let given = [
        ("content_format", args.content_format.is_some()),
        ("include", args.include.is_some()),
        ("comments", args.comments),
    ];
    require_heeded(args.format, &given)?;
    if args.further_pages.is_empty() {
        let content = content(args, &args.page.place.page)?;
        return output::write(&content, &args.output);
    }
    several(args)
}

/// Writes the contents of all pages that have one, and fails as the first of the others did.
fn several(args: &ContentArgs) -> anyhow::Result<()> {
    let mut all = String::new();
    let mut first_failure = None;
    for page in [&args.page.place.page].into_iter().chain(&args.further_pages) {
        match content(args, page) {
            Ok(content) => {
                if args.format.name != "json" {
                    let space = if all.is_empty() { "" } else { "\n" };
                    all += &format!("{space}==> {} <==\n", Path::new(page).display());
                }
                all += &content;
            }
            Err(cause) => match first_failure {
                None => first_failure = Some(cause),
                Some(_) => failure::report(&cause),
            },
        }
    }
    output::write(&all, &args.output)?;
    first_failure.map_or(Ok(()), Err)
}

fn content(args: &ContentArgs, page: &OsString) -> anyhow::Result<String> {
    let notes = Notes::new(&args.output);
    let mut place = args.page.clone();
    place.place.page.clone_from(page);
    let find = if args.alone { extract::alone } else { extract::find };
    let page = find(&place, &args.method, &args.output)?;
    if args.no_fallback {
        page.require_sibling()?;
    }
    match page.analysis.content().method {
        ContentMethod::Template => {
            notes.say(&page.summary());
            let analysis = &page.analysis;
            // A page without content is an error.
            if Warning::of_content(&analysis.page().dom, analysis.content()) == Some(Warning::LowCoverage) {
                notes.say(&format!("the page: {}", Warning::LowCoverage.message()));
            }
        }
        ContentMethod::SinglePage if args.alone => {}
        ContentMethod::SinglePage => notes.say("no sibling page: extracted from the single page"),
    }
    let options = OutputOptions {
        include: args.include.clone(),
        comments: args.comments,
        content_format: args.content_format.unwrap_or_default(),
        ..page.output_options()
    };
    page.write(args.format, &options, notes)
}
