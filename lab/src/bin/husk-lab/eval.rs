//! `husk-lab eval`: scores methods on labelled sites, and checks the scores against floors.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use husk_lab::{Comparison, Corpus, EvalMethod, Part, Sample, compare};

use crate::args::{EvalArgs, EvalFormat};
use crate::floors_file::FloorsFile;
use crate::notes::Notes;
use crate::options::engine_options;

pub(crate) fn run(args: &EvalArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let options = engine_options(&args.engine, notes)?;
    let sample = read_sample(args, notes)?;
    let floors = args
        .floors
        .as_deref()
        .map(|file| FloorsFile::open(file, args, &options, &sample))
        .transpose()?;
    let comparison = compare(sample, args.what, &methods(args), &options);
    print_warnings(&comparison, notes);
    if let Some(file) = &args.report {
        write_file(&comparison.html(), file)?;
    }
    let result = match args.format {
        EvalFormat::Table => comparison.table(),
        EvalFormat::Json => comparison.json(),
        EvalFormat::Csv => comparison.csv(),
    };
    match args.output.output.as_deref() {
        Some(file) if file != Path::new("-") => write_file(&result, file)?,
        _ => print(&result)?,
    }
    floors.map_or(Ok(()), |floors| floors.apply(&comparison, notes))
}

pub(crate) fn write_file(text: &str, file: &Path) -> anyhow::Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// Prints to standard output. A reader that has closed it, such as `head`, is not an error.
fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => Err(cause.into()),
        _ => Ok(()),
    }
}

fn read_sample(args: &EvalArgs, notes: Notes) -> anyhow::Result<Sample> {
    let mut sites = Vec::new();
    for folder in &args.corpus {
        let corpus = Corpus::read(folder)?;
        for warning in &corpus.warnings {
            notes.note(warning);
        }
        sites.extend(corpus.sites);
    }
    let names: Vec<_> = args.corpus.iter().map(|folder| folder_name(folder)).collect();
    Ok(Sample::new(names.join(" + "), sites, args.split)?)
}

/// The name of a folder, also where its path is `.` or ends with `..`.
fn folder_name(folder: &Path) -> String {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The methods that were named, each once, or the defaults: all for templates, since baselines find nothing else.
fn methods(args: &EvalArgs) -> Vec<EvalMethod> {
    let mut methods: Vec<EvalMethod> = Vec::new();
    for &method in &args.methods {
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    match args.what {
        _ if !methods.is_empty() => methods,
        Part::Template => EvalMethod::ALL.to_vec(),
        Part::Menu | Part::Content | Part::ContentAlone | Part::ContentStripped => vec![EvalMethod::Husk],
    }
}

/// Prints what is wrong with labels. This does not depend on the method, so that of the first is enough.
fn print_warnings(comparison: &Comparison, notes: Notes) {
    let rows = comparison.results.first().map(|entry| &entry.evaluation.rows);
    for row in rows.into_iter().flatten() {
        for warning in &row.warnings {
            notes.note(&format!("{} {}: {warning}", row.site, row.key_page));
        }
    }
}
