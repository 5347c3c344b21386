//! Options from husk.toml and from the flags; flags win.

use std::mem::take;
use std::path::{Path, PathBuf};

use anyhow::Context;
use husk::output::{Links, Scripts};
use husk::{EqualityPreset, Method, Options, SameSite};
use serde::Deserialize;

use crate::args::{self, EngineArgs, WeightName};
use crate::failure::Failure;
use crate::loading::{LoadingConfig, names_of};
use crate::output::Notes;
use crate::serving::ServeConfig;

/// The name of the configuration file.
const FILE_NAME: &str = "husk.toml";

/// A configuration file: the engine's options at the top, then tables.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Config {
    method: Option<Method>,
    pages_to_compare: Option<usize>,
    max_pages: Option<usize>,
    same_site: Option<SameSite>,
    equality: Option<EqualityPreset>,
    thresholds: husk::Thresholds,
    weighted: husk::Weighted,
    label_attributes: husk::LabelAttributes,
    scripts: Scripts,
    links: Links,
    /// How pages are loaded from the web.
    pub(crate) loading: LoadingConfig,
    /// How `husk serve` serves.
    pub(crate) serve: ServeConfig,
}

impl Config {
    /// Reads the named file, or the one found from the working folder upward, or none.
    pub(crate) fn find(named: Option<&Path>, notes: Notes) -> anyhow::Result<Self> {
        let Some(file) = named.map(Path::to_owned).or_else(find_upward) else {
            return Ok(Self::default());
        };
        notes.detail(&format!("options from {}", file.display()));
        let mut config = Self::read(&file)?;
        // A file that was found in or above the working folder may be somebody else's.
        if named.is_none() {
            let dropped = config.drop_untrusted();
            if !dropped.is_empty() {
                let file = file.display();
                notes.say(&format!(
                    "ignoring {} in {file}, which was not named: pass --config {file} to trust it",
                    dropped.join(", ")
                ));
            }
        }
        Ok(config)
    }

    fn read(file: &Path) -> anyhow::Result<Self> {
        let text =
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let mistake =
            |cause: &dyn std::fmt::Display| Failure::Usage(format!("mistake in {}: {cause}", file.display()));
        let mut config: Self = toml::from_str(&text).map_err(|cause| mistake(&cause))?;
        config.check().map_err(|cause| mistake(&cause))?;
        if let Some(folder) = file.parent() {
            config.loading.relative_to(folder);
            config.serve.relative_to(folder);
        }
        Ok(config)
    }

    /// Drops the settings that only a trusted file may have. Returns their names.
    fn drop_untrusted(&mut self) -> Vec<&'static str> {
        let keeps_scripts = take(&mut self.scripts) == Scripts::Keep;
        let mut dropped = names_of(&[("scripts", keeps_scripts)]);
        dropped.extend(self.loading.drop_untrusted());
        dropped.extend(self.serve.drop_untrusted());
        dropped
    }

    fn check(&self) -> anyhow::Result<()> {
        let weights = &self.weighted.weights;
        let all = [
            weights.class,
            weights.children,
            weights.position,
            weights.attributes,
        ];
        anyhow::ensure!(
            self.pages_to_compare != Some(0),
            "pages-to-compare: at least 1 page is needed"
        );
        anyhow::ensure!(self.max_pages != Some(0), "max-pages: at least 1 page is needed");
        anyhow::ensure!(
            (0.0..=1.0).contains(&self.weighted.threshold),
            "weighted.threshold must be between 0 and 1"
        );
        anyhow::ensure!(
            all.iter().all(|weight| *weight >= 0.0 && weight.is_finite()),
            "weighted.weights must be 0 or more"
        );
        self.thresholds.check().map_err(anyhow::Error::msg)?;
        self.loading.check()
    }

    /// The method: that of the flag, else that of the file, else the default.
    pub(crate) fn method(&self, flag: Option<args::Method>) -> Method {
        flag.map(Into::into).or(self.method).unwrap_or_default()
    }

    /// The engine's options: from the flags, else the file, else the defaults. The method is chosen separately.
    pub(crate) fn options(&self, flags: &EngineArgs) -> Options {
        let defaults = Options::default();
        let mut options = Options {
            method: defaults.method,
            pages_to_compare: flags
                .pages_to_compare
                .or(self.pages_to_compare)
                .unwrap_or(defaults.pages_to_compare),
            max_pages: flags.max_pages.or(self.max_pages),
            same_site: self.same_site(flags.same_site),
            equality: flags
                .equality
                .map(Into::into)
                .or(self.equality)
                .unwrap_or(defaults.equality),
            thresholds: self.thresholds.clone(),
            weighted: self.weighted.clone(),
            label_attributes: self.label_attributes.clone(),
        };
        if let Some(threshold) = flags.threshold {
            options.weighted.threshold = threshold;
        }
        for &(name, weight) in &flags.weights {
            let weights = &mut options.weighted.weights;
            *match name {
                WeightName::Class => &mut weights.class,
                WeightName::Children => &mut weights.children,
                WeightName::Position => &mut weights.position,
                WeightName::Attributes => &mut weights.attributes,
            } = weight;
        }
        if !flags.ignored_attributes.is_empty() {
            options
                .weighted
                .ignored_attributes
                .clone_from(&flags.ignored_attributes);
            options
                .label_attributes
                .ignored_attributes
                .clone_from(&flags.ignored_attributes);
        }
        options
    }

    /// What makes two pages belong to one site.
    pub(crate) fn same_site(&self, flag: Option<args::SameSite>) -> SameSite {
        flag.map(Into::into)
            .or(self.same_site)
            .unwrap_or(Options::default().same_site)
    }

    /// Whether scripts stay.
    pub(crate) fn scripts(&self, flag: Option<args::Scripts>) -> Scripts {
        flag.map_or(self.scripts, |scripts| match scripts {
            args::Scripts::Keep => Scripts::Keep,
            args::Scripts::Drop => Scripts::Drop,
        })
    }

    /// How addresses are written.
    pub(crate) fn links(&self, flag: Option<args::Links>) -> Links {
        flag.map_or(self.links, |links| match links {
            args::Links::Absolute => Links::Absolute,
            args::Links::AsWritten => Links::AsWritten,
        })
    }
}

fn find_upward() -> Option<PathBuf> {
    let folder = std::env::current_dir().ok()?;
    folder
        .ancestors()
        .map(|folder| folder.join(FILE_NAME))
        .find(|file| file.is_file())
}

impl From<args::Method> for Method {
    fn from(method: args::Method) -> Self {
        match method {
            args::Method::Husk => Self::Husk,
            args::Method::Paper => Self::Paper,
        }
    }
}

impl From<args::SameSite> for SameSite {
    fn from(same_site: args::SameSite) -> Self {
        match same_site {
            args::SameSite::Host => Self::Host,
            args::SameSite::Domain => Self::Domain,
        }
    }
}

impl From<args::Equality> for EqualityPreset {
    fn from(equality: args::Equality) -> Self {
        match equality {
            args::Equality::Label => Self::Label,
            args::Equality::LabelAttributes => Self::LabelAttributes,
            args::Equality::Weighted => Self::Weighted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;

    fn options(toml: &str, flags: &[&str]) -> Options {
        let config: Config = toml::from_str(toml).unwrap();
        let args = Args::parse_from(["husk", "template", "page.html"].iter().chain(flags));
        let Command::Template(template) = args.command else {
            panic!("not the template command")
        };
        config.options(&template.method.engine)
    }

    #[test]
    fn defaults_are_the_engines() {
        assert_eq!(options("", &[]), Options::default());
    }

    #[test]
    fn flags_win_over_the_file() {
        let toml = "pages-to-compare = 3\nsame-site = 'domain'\n[weighted]\nthreshold = 0.8\n[weighted.weights]\nclass = 2";
        let file = options(toml, &[]);
        assert_eq!((file.pages_to_compare, file.same_site), (3, SameSite::Domain));
        assert_eq!((file.weighted.threshold, file.weighted.weights.class), (0.8, 2.0));
        let both = options(
            toml,
            &[
                "-n",
                "5",
                "--threshold",
                "0.7",
                "--weights",
                "class=1,position=0.5",
            ],
        );
        assert_eq!((both.pages_to_compare, both.same_site), (5, SameSite::Domain));
        assert_eq!((both.weighted.threshold, both.weighted.weights.class), (0.7, 1.0));
        assert_eq!(both.weighted.weights.position, 0.5);
    }

    #[test]
    fn unknown_keys_are_named() {
        let cause = toml::from_str::<Config>("page-to-compare = 3")
            .unwrap_err()
            .to_string();
        assert!(cause.contains("unknown field `page-to-compare`"), "{cause}");
    }
}
