//! `husk-lab fit`.

use std::fs;
use std::io::{self, Write};

use anyhow::Context;
use husk_lab::{Corpus, fit};

use crate::args::FitArgs;

pub(crate) fn run(args: &FitArgs) -> anyhow::Result<()> {
    let mut sites = Vec::new();
    for path in &args.corpus {
        sites.extend(Corpus::read(path)?.sites);
    }
    let fitted = fit(&sites, &args.pages)?;
    let mut out = io::stdout().lock();
    for (set, (score, pages)) in &fitted.scores {
        writeln!(out, "{set:24} {score:.4} on {pages} pages")?;
    }
    fs::write(&args.output, fitted.model).with_context(|| args.output.display().to_string())
}
