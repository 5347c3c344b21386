//! `husk eval`: how good methods are on labelled sites, and whether they are still as good as they were.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, anyhow};
use husk::Options;
use husk_eval::{Comparison, Contender, Corpus, Floors, FloorsError, Move, Sample, compare};

use crate::args::{EvalArgs, EvalFormat, Part};
use crate::config::Config;
use crate::failure::Failure;
use crate::output::{self, Notes};

pub(crate) fn run(args: &EvalArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let config = Config::find(args.engine.config.as_deref(), notes)?;
    let options = config.options(&args.engine);
    let sample = read_sample(args, notes)?;
    let floors = args
        .floors
        .as_deref()
        .map(|file| Guard::open(file, args, &options, &sample))
        .transpose()?;
    let comparison = compare(sample, args.what.into(), &methods(args), &options);
    tell_warnings(&comparison, notes);
    if let Some(file) = &args.report {
        output::write_file(&comparison.html(), file)?;
    }
    let result = match args.format.unwrap_or(EvalFormat::Table) {
        EvalFormat::Table => comparison.table(),
        EvalFormat::Json => comparison.json(),
        EvalFormat::Csv => comparison.csv(),
    };
    output::write(&result, &args.output)?;
    floors.map_or(Ok(()), |guard| guard.judge(&comparison, notes))
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

/// The methods that were named, each once, or else all that have something of their own to show: rivals find
/// templates and nothing else.
fn methods(args: &EvalArgs) -> Vec<Contender> {
    let mut methods: Vec<Contender> = Vec::new();
    for method in args.methods.iter().copied().map(Into::into) {
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    match args.what {
        _ if !methods.is_empty() => {}
        Part::Template => methods.extend(Contender::ALL),
        Part::Menu | Part::Content | Part::ContentAlone | Part::ContentStripped => {
            methods.push(Contender::Husk)
        }
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

/// A file of floors, and what is to be done with it.
struct Guard<'a> {
    file: &'a Path,
    floors: Floors,
    /// How the file is to be changed; not at all where it is only asked.
    change: Option<Move>,
}

impl<'a> Guard<'a> {
    /// Reads the file. What can be said before all methods have run is said now.
    fn open(file: &'a Path, args: &EvalArgs, options: &Options, sample: &Sample) -> anyhow::Result<Self> {
        if *options != Options::default() {
            let message = "floors are those of the default options: leave out the flags and the husk.toml that change them";
            return Err(Failure::Usage(message.to_owned()).into());
        }
        let change = args
            .raise
            .then_some(if args.lower { Move::UpOrDown } else { Move::Up });
        let guard = Self {
            file,
            floors: read_floors(file, change)?,
            change,
        };
        if change.is_none() {
            guard
                .floors
                .require(sample)
                .map_err(|cause| guard.explained(&cause))?;
        }
        Ok(guard)
    }

    fn judge(mut self, comparison: &Comparison, notes: Notes) -> anyhow::Result<()> {
        match self.change {
            None => self
                .floors
                .check(comparison)
                .map_err(|cause| self.explained(&cause)),
            Some(change) => {
                self.floors
                    .raise(comparison, change)
                    .map_err(|cause| self.explained(&cause))?;
                for digest in self.floors.namesakes(&comparison.sample) {
                    notes.say(&format!(
                        "{} has floors for another {} too, digest {digest}: delete them if it is gone",
                        self.file.display(),
                        comparison.sample.title()
                    ));
                }
                output::write_file(&self.floors.to_toml(), self.file)
            }
        }
    }

    /// A failure with what can be done about it.
    fn explained(&self, cause: &FloorsError) -> anyhow::Error {
        let file = self.file.display();
        match cause {
            FloorsError::Below(_) => anyhow!(
                "{file}: something became worse\n  {cause}\n\
                mend it, or add --raise --lower if the loss is wanted, and say why in the commit"
            ),
            _ => anyhow!("{file}: {cause}; add --raise to add them"),
        }
    }
}

/// The floors in a file. Only a file that is going to be written may be missing.
fn read_floors(file: &Path, change: Option<Move>) -> anyhow::Result<Floors> {
    let text = match fs::read_to_string(file) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound && change.is_some() => String::new(),
        text => text.with_context(|| format!("cannot read {}", file.display()))?,
    };
    Floors::parse(&text).with_context(|| format!("in {}", file.display()))
}
