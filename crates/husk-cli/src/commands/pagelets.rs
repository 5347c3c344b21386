//! `husk pagelets`: the blocks of a page.

use husk::output::{pagelets_json, pagelets_text, pagelets_xpath};
use husk::{Content, Navigation, pagelets};

use crate::args::{PageletsArgs, PageletsFormat};
use crate::extract::{self, Found};
use crate::failure::Failure;
use crate::output::{self, Notes};

pub(crate) fn run(args: &PageletsArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let extraction = if args.alone {
        extract::alone(&args.page, &args.method, &args.output)?.extraction
    } else {
        let Found {
            extraction, siblings, ..
        } = extract::find(&args.page, &args.method, &args.output)?;
        extract::require_sibling(&extraction, siblings).map_err(|cause| {
            Failure::NoSibling(format!("{cause}; --alone tells the blocks by the page alone"))
        })?;
        notes.say(&extract::summary(&extraction));
        extraction
    };
    let navigation = Navigation::of(&extraction);
    let content = Content::of(&extraction);
    let found = pagelets(&extraction, &navigation, &content);
    let result = match args.format.unwrap_or(PageletsFormat::Text) {
        PageletsFormat::Text => pagelets_text(&extraction, &found),
        PageletsFormat::Json => serde_json::to_string_pretty(&pagelets_json(&extraction, &found))? + "\n",
        PageletsFormat::Xpath => pagelets_xpath(&extraction, &found),
    };
    output::write(&result, &args.output)
}
