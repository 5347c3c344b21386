//! `husk menu`: the main menu of a page's site.

use husk::Navigation;
use husk::output::nodes_xpath;

use crate::args::{MenuArgs, MenuFormat};
use crate::extract::{self, Found};
use crate::output::{self, Notes};

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
    };
    output::write(&result, &args.output)
}
