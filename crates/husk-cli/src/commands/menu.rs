//! `husk menu`: the main menu of a page's site.

use husk::output::nodes_xpath;
use husk::{Navigation, Selectors};

use crate::args::{MenuArgs, MenuFormat};
use crate::extract::{self, Found};
use crate::output::{self, Notes, selectors};

pub(crate) fn run(args: &MenuArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let Found { extraction, .. } = extract::find(&args.page, &args.method, &args.output)?;
    extract::require_sibling(&extraction)?;
    notes.say(&extract::summary(&extraction));
    let navigation = Navigation::of(&extraction);
    let dom = &extraction.key_page.dom;
    let blocks = navigation.main();
    let result = match args.format.unwrap_or(MenuFormat::Xpath) {
        MenuFormat::Xpath => nodes_xpath(dom, blocks.into_iter().flat_map(|block| block.nodes(dom))),
        MenuFormat::Selectors => selectors(&Selectors::of_navigation(&extraction, blocks), notes),
    };
    output::write(&result, &args.output)
}
