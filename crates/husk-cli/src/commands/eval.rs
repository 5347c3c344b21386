//! `husk eval`: how good a method is on labelled sites.

use husk_eval::{Corpus, evaluate};

use crate::args::{EvalArgs, EvalFormat};
use crate::config::Config;
use crate::output::{self, Notes};

pub(crate) fn run(args: &EvalArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let config = Config::find(args.engine.config.as_deref(), notes)?;
    let mut sites = Vec::new();
    for folder in &args.corpus {
        let corpus = Corpus::read(folder)?;
        for warning in &corpus.warnings {
            notes.say(warning);
        }
        sites.extend(corpus.sites);
    }
    let evaluation = evaluate(
        &sites,
        config.contender(&args.engine),
        &config.options(&args.engine),
    );
    for row in &evaluation.rows {
        for warning in &row.warnings {
            notes.say(&format!("{} {}: {warning}", row.site, row.key_page));
        }
    }
    let result = match args.format.unwrap_or(EvalFormat::Table) {
        EvalFormat::Table => evaluation.table(),
        EvalFormat::Json => evaluation.json(),
        EvalFormat::Csv => evaluation.csv(),
    };
    output::write(&result, &args.output)
}
