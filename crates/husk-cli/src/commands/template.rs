//! `husk template`: the template of a page.

use husk::output::OutputOptions;

use crate::args::{TemplateArgs, require_heeded};
use crate::extract;
use crate::output::{self, Notes};

pub(crate) fn run(args: &TemplateArgs) -> anyhow::Result<()> {
    let given = [
        ("scripts", args.scripts.is_some()),
        ("links", args.links.is_some()),
    ];
    require_heeded(args.format, &given)?;
    let notes = Notes::new(&args.output);
    let page = extract::find(&args.page, &args.method, &args.output)?;
    page.require_sibling()?;
    notes.say(&page.summary());
    let options = page.output_options();
    let options = OutputOptions {
        place: output::place_of("template", args.open, &args.output).or(options.place),
        scripts: page.config.scripts(args.scripts),
        links: page.config.links(args.links),
        ..options
    };
    let template = page.write(args.format, &options, notes)?;
    if args.open {
        return output::open_in_browser(&template, "template", &args.output);
    }
    output::write(&template, &args.output)
}
