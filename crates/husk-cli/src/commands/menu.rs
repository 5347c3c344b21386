//! `husk menu`: the main menu of a page's site.

use anyhow::bail;
use husk::output::{MenuOptions, menu_html, menu_json, menu_markdown, menu_text, menu_xpath};
use husk::{Extraction, Navigation, Selectors};

use crate::args::{MenuArgs, MenuFormat};
use crate::extract::{self, Found};
use crate::failure::Failure;
use crate::output::{self, Notes, selectors};

pub(crate) fn run(args: &MenuArgs) -> anyhow::Result<()> {
    let format = args.format.unwrap_or(MenuFormat::Markdown);
    if args.all && format == MenuFormat::Selectors {
        let message = "--format selectors is about the main menu only: --all does not go with it";
        return Err(Failure::Usage(message.to_owned()).into());
    }
    let notes = Notes::new(&args.output);
    let Found {
        extraction,
        relocation,
        siblings,
        ..
    } = extract::find(&args.page, &args.method, &args.output)?;
    extract::require_sibling(&extraction, siblings)?;
    notes.say(&extract::summary(&extraction));
    let navigation = Navigation::of(&extraction);
    let options = MenuOptions {
        all: args.all,
        relocation,
    };
    if format != MenuFormat::Json {
        require_menu(&extraction, &navigation, args.all)?;
    }
    let result = match format {
        MenuFormat::Markdown => menu_markdown(&navigation, &options),
        MenuFormat::Json => {
            serde_json::to_string_pretty(&menu_json(&extraction, &navigation, &options))? + "\n"
        }
        MenuFormat::Html => menu_html(&navigation, &options),
        MenuFormat::Text => menu_text(&navigation, &options),
        MenuFormat::Xpath => menu_xpath(&extraction, &navigation, &options),
        MenuFormat::Selectors => selectors(&Selectors::of_navigation(&extraction, navigation.main()), notes),
    };
    output::write(&result, &args.output)
}

/// Fails if there is nothing to print: an empty file would look like a menu without entries.
fn require_menu(extraction: &Extraction, navigation: &Navigation, all: bool) -> anyhow::Result<()> {
    let key_page = &extraction.key_page.url;
    if all && navigation.blocks.is_empty() {
        bail!("no navigation found on {key_page}: no links are common to it and its siblings");
    }
    if !all && navigation.main().is_none() {
        bail!("no main menu found on {key_page}; --all shows other blocks of links, if there are any");
    }
    Ok(())
}
