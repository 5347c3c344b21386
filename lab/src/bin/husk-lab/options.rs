//! The engine's options from flags and a configuration file.

use std::fs;
use std::path::Path;

use anyhow::Context;
use husk::Options;

use crate::args::{EngineArgs, WeightName};
use crate::notes::Notes;

/// What husk.toml says beside the engine's options. Methods are named by flags only.
const OTHER_KEYS: [&str; 5] = ["method", "scripts", "links", "loading", "serve"];

/// The options to run methods with: those of the flags, else those of the file, else the defaults.
///
/// Only a file named by a flag counts: scores must not depend on the working folder.
pub(crate) fn engine_options(flags: &EngineArgs, notes: Notes) -> anyhow::Result<Options> {
    let mut options = match &flags.config {
        Some(file) => read_options(file).with_context(|| format!("cannot use {}", file.display()))?,
        None => Options::default(),
    };
    if let Some(file) = &flags.config {
        notes.detail(&format!("options from {}", file.display()));
    }
    options.pages_to_compare = flags.pages_to_compare.unwrap_or(options.pages_to_compare);
    options.max_pages = flags.max_pages.or(options.max_pages);
    options.same_site = flags.same_site.unwrap_or(options.same_site);
    options.equality = flags.equality.unwrap_or(options.equality);
    options.weighted.threshold = flags.threshold.unwrap_or(options.weighted.threshold);
    let weights = &mut options.weighted.weights;
    for &(name, weight) in &flags.weights {
        *match name {
            WeightName::Class => &mut weights.class,
            WeightName::Children => &mut weights.children,
            WeightName::Position => &mut weights.position,
            WeightName::Attributes => &mut weights.attributes,
        } = weight;
    }
    if !flags.ignored_attributes.is_empty() {
        for ignored in [
            &mut options.weighted.ignored_attributes,
            &mut options.label_attributes.ignored_attributes,
        ] {
            ignored.clone_from(&flags.ignored_attributes);
        }
    }
    Ok(options)
}

fn read_options(file: &Path) -> anyhow::Result<Options> {
    let mut table: toml::Table = fs::read_to_string(file)?.parse()?;
    for key in OTHER_KEYS {
        table.remove(key);
    }
    let options: Options = table.try_into()?;
    options.thresholds.check().map_err(anyhow::Error::msg)?;
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;

    fn options(toml: Option<&str>, flags: &[&str]) -> anyhow::Result<Options> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("husk.toml");
        let mut arguments = vec!["husk-lab", "eval", "corpus"];
        if let Some(toml) = toml {
            fs::write(&file, toml).unwrap();
            arguments.extend(["--config", file.to_str().unwrap()]);
        }
        let Command::Eval(eval) = Args::parse_from(arguments.iter().chain(flags)).command else {
            panic!("not the command eval")
        };
        engine_options(&eval.engine, Notes::new(&eval.output))
    }

    #[test]
    fn defaults_are_the_engines() {
        assert_eq!(options(None, &[]).unwrap(), Options::default());
        let other_tables = "method = 'paper'\n[loading]\ndelay = 1";
        assert_eq!(options(Some(other_tables), &[]).unwrap(), Options::default());
    }

    #[test]
    fn flags_override_the_file() {
        let toml = "pages-to-compare = 3\n[weighted]\nthreshold = 0.8\n[weighted.weights]\nclass = 2";
        let file = options(Some(toml), &[]).unwrap();
        assert_eq!((file.pages_to_compare, file.weighted.threshold), (3, 0.8));
        let flags = [
            "-n",
            "5",
            "--weights",
            "class=1,position=0.5",
            "--same-site",
            "domain",
        ];
        let both = options(Some(toml), &flags).unwrap();
        assert_eq!((both.pages_to_compare, both.weighted.threshold), (5, 0.8));
        assert_eq!(both.same_site, husk::SameSite::Domain);
        assert_eq!(
            (both.weighted.weights.class, both.weighted.weights.position),
            (1.0, 0.5)
        );
    }

    #[test]
    fn mistakes_in_the_file_are_named() {
        let cause = options(Some("page-to-compare = 3"), &[]).unwrap_err();
        let message = format!("{cause:#}");
        assert!(
            message.contains("husk.toml") && message.contains("page-to-compare"),
            "{message}"
        );
    }
}
