//! `husk template`: the template of a page.

use husk::output::{HtmlOptions, to_engine, to_html, to_json, to_outline, to_xpath};
use husk::{Content, Selectors};

use crate::args::{TemplateArgs, TemplateFormat};
use crate::extract::{self, Found};
use crate::output::{self, Notes, selectors};

pub(crate) fn run(args: &TemplateArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let Found {
        extraction,
        config,
        relocation,
        resources,
        siblings,
    } = extract::find(&args.page, &args.method, &args.output)?;
    extract::require_sibling(&extraction, siblings)?;
    notes.say(&extract::summary(&extraction));
    let options = HtmlOptions {
        scripts: config.scripts(args.scripts),
        links: config.links(args.links),
        relocation,
        resources,
    };
    let html = || to_html(&extraction, &options);
    if args.open {
        return output::open_in_browser(&html(), "template", &args.output);
    }
    if let Some(engine) = args.engine {
        return output::write(&to_engine(&extraction, engine.into(), &options), &args.output);
    }
    let result = match args.format.unwrap_or(TemplateFormat::Html) {
        TemplateFormat::Html => html(),
        TemplateFormat::Json => serde_json::to_string_pretty(&to_json(&extraction))? + "\n",
        TemplateFormat::Xpath => to_xpath(&extraction),
        TemplateFormat::Outline => to_outline(&extraction),
        TemplateFormat::Selectors => {
            let content = Content::of(&extraction);
            selectors(&Selectors::of_template(&extraction, &content), notes)
        }
    };
    output::write(&result, &args.output)
}
