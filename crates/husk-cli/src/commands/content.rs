//! `husk content`: the main content of a page.

use husk::output::{content_text, nodes_xpath};
use husk::{Content, ToldBy};

use crate::args::{ContentArgs, ContentFormat};
use crate::extract::{self, Found};
use crate::output::{self, Notes};

pub(crate) fn run(args: &ContentArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let find = if args.alone { extract::alone } else { extract::find };
    let Found { extraction, .. } = find(&args.page, &args.method, &args.output)?;
    if args.no_fallback {
        extract::require_sibling(&extraction)?;
    }
    let page = &extraction.key_page;
    let content = Content::of(&extraction);
    match content.told_by {
        ToldBy::Template => notes.say(&extract::summary(&extraction)),
        ToldBy::PageAlone if args.alone => {}
        ToldBy::PageAlone => notes.say("no sibling page: the content was told by the page alone"),
    }
    let result = match args.format.unwrap_or(ContentFormat::Text) {
        ContentFormat::Text => content_text(page, &content),
        ContentFormat::Xpath => nodes_xpath(&page.dom, content.nodes.iter()),
    };
    output::write(&result, &args.output)
}
