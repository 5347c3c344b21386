//! `husk eval`: how good methods are on labelled sites.

use std::path::Path;

use husk_eval::{Comparison, Contender, Corpus, Sample, compare};

use crate::args::{EvalArgs, EvalFormat};
use crate::config::Config;
use crate::output::{self, Notes};

pub(crate) fn run(args: &EvalArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let config = Config::find(args.engine.config.as_deref(), notes)?;
    let options = config.options(&args.engine);
    let sample = read_sample(args, notes)?;
    let comparison = compare(sample, &methods(args), &options);
    tell_warnings(&comparison, notes);
    let result = match args.format.unwrap_or(EvalFormat::Table) {
        EvalFormat::Table => comparison.table(),
        EvalFormat::Json => comparison.json(),
        EvalFormat::Csv => comparison.csv(),
    };
    output::write(&result, &args.output)
}

fn read_sample(args: &EvalArgs, notes: Notes) -> anyhow::Result<Sample> {
    let mut sites = Vec::new();
    for folder in &args.corpus {
        let corpus = Corpus::read(folder)?;
        for warning in &corpus.warnings {
            notes.say(warning);
        }
        sites.extend(corpus.sites);
    }
    let names: Vec<_> = args.corpus.iter().map(|folder| name_of(folder)).collect();
    Ok(Sample::new(names.join(" + "), sites, args.split.map(Into::into))?)
}

/// The name of a folder, also where its path is given as `.` or with `..` at its end.
fn name_of(folder: &Path) -> String {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The methods that were named, each once, or all.
fn methods(args: &EvalArgs) -> Vec<Contender> {
    let mut methods: Vec<Contender> = Vec::new();
    for method in args.methods.iter().copied().map(Into::into) {
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    if methods.is_empty() {
        methods.extend(Contender::ALL);
    }
    methods
}

/// What is odd about labels is the same for every method.
fn tell_warnings(comparison: &Comparison, notes: Notes) {
    let rows = comparison.entries.first().map(|entry| &entry.evaluation.rows);
    for row in rows.into_iter().flatten() {
        for warning in &row.warnings {
            notes.say(&format!("{} {}: {warning}", row.site, row.key_page));
        }
    }
}
