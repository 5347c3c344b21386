//! What an output is. The table of all outputs is [`OUTPUTS`](super::OUTPUTS).

use std::io::{self, Write};

use serde::Serialize;

use super::OUTPUTS;
use super::options::OutputOptions;
use super::resources::Resources;
use crate::analysis::{Analysis, OutputError};
use crate::work::{check, check_length, most_bytes, within};

/// A part of a page that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What the page shares with the other pages of its site.
    Template,
    /// The main menu and other blocks of links.
    Menu,
    /// The main content.
    Content,
    /// The blocks of the page with their functions.
    Pagelets,
    /// All of it, to look at.
    Inspect,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 5] = [
        Self::Template,
        Self::Menu,
        Self::Content,
        Self::Pagelets,
        Self::Inspect,
    ];

    /// Its name in commands and URLs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Template => "template",
            Self::Menu => "menu",
            Self::Content => "content",
            Self::Pagelets => "pagelets",
            Self::Inspect => "inspect",
        }
    }

    /// The part of that name.
    pub fn find(name: &str) -> Result<Self, OutputError> {
        let found = Self::ALL.into_iter().find(|part| part.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            OutputError::UnknownFormat(format!("there is no part {name:?}: name one of {names}"))
        })
    }

    /// Its outputs, the usual one first.
    pub fn outputs(self) -> impl Iterator<Item = &'static Output> {
        OUTPUTS.iter().filter(move |output| output.part == self)
    }

    /// Its output of that name.
    pub fn output(self, name: &str) -> Result<&'static Output, OutputError> {
        self.outputs().find(|output| output.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.outputs().map(|output| output.name).collect();
            let part = self.name();
            let names = names.join(", ");
            OutputError::UnknownFormat(format!("{part} has no format {name:?}: it has {names}"))
        })
    }
}

/// A format that a part of a page can be written in.
#[derive(Debug)]
pub struct Output {
    /// The part that it writes.
    pub part: Part,
    /// The name of the format, unique within its part.
    pub name: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// The extension of files that hold it.
    pub extension: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The names of the [`OutputOptions`] that it heeds.
    pub options: &'static [&'static str],
    /// Writes it.
    pub(super) writer: fn(&Analysis, &OutputOptions) -> Result<OutputText, OutputError>,
}

/// The media type of JSON.
pub const JSON: &str = "application/json";
/// The media type of HTML.
pub const HTML: &str = "text/html; charset=utf-8";
pub(super) const MARKDOWN: &str = "text/markdown; charset=utf-8";
pub(super) const PLAIN: &str = "text/plain; charset=utf-8";

impl Output {
    /// The output of a part, both by name.
    pub fn find(part: &str, name: &str) -> Result<&'static Self, OutputError> {
        Part::find(part)?.output(name)
    }

    /// Its part and name, such as `content-markdown`.
    pub fn id(&self) -> String {
        format!("{}-{}", self.part.name(), self.name)
    }

    /// A name for a file that holds it, such as `content.md`.
    pub fn file_name(&self) -> String {
        format!("{}.{}", self.part.name(), self.extension)
    }

    /// Writes it, and fails if the page does not have the part.
    ///
    /// JSON without a menu or content is written all the same: it has null or an empty text there.
    pub fn write(&self, analysis: &Analysis, options: &OutputOptions) -> Result<OutputText, OutputError> {
        let is_json = self.media_type == JSON;
        if matches!(self.part, Part::Template | Part::Menu) {
            analysis.require_sibling()?;
        }
        match self.part {
            Part::Menu if !is_json => analysis.require_menu(options.all)?,
            Part::Content if !is_json => analysis.require_content()?,
            _ => {}
        }
        self.write_anyway(analysis, options)
    }

    /// Writes it even if the page does not have the part, so that the text may be empty.
    pub fn write_anyway(
        &self,
        analysis: &Analysis,
        options: &OutputOptions,
    ) -> Result<OutputText, OutputError> {
        let budget = options
            .max_output
            .unwrap_or_else(|| usual_budget(analysis, options));
        match within(budget, || (self.writer)(analysis, options)) {
            Ok(Ok(written)) if written.text.len() <= budget => Ok(written),
            Ok(Err(cause)) => Err(cause),
            Ok(Ok(_)) | Err(_) => Err(OutputError::TooLarge {
                page: analysis.page().url.clone(),
                output: self.id(),
                budget,
            }),
        }
    }
}

/// The bytes that an output may have: a multiple of the page and of what was saved along with it.
fn usual_budget(analysis: &Analysis, options: &OutputOptions) -> usize {
    let resources = options.resources.as_ref().map_or(0, Resources::bytes);
    let bytes = analysis.page().dom.bytes().saturating_add(resources);
    bytes.saturating_mul(BUDGET_FACTOR).saturating_add(LEAST_BUDGET)
}

/// Of the corpus, no output has more than 4.2 times the bytes of its page; inspections have 37 kB more.
const BUDGET_FACTOR: usize = 16;

/// What an inspection has besides the page, and more than that.
const LEAST_BUDGET: usize = 1 << 20;

/// An output as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputText {
    /// The output.
    pub text: String,
    /// A remark for people that is not part of it.
    pub note: Option<String>,
}

impl From<String> for OutputText {
    fn from(text: String) -> Self {
        Self { text, note: None }
    }
}

/// A value as indented JSON with a line end.
pub(super) fn json_text(value: &impl Serialize) -> Result<OutputText, OutputError> {
    let mut text = Bounded {
        bytes: Vec::new(),
        most: most_bytes(),
    };
    let written = serde_json::to_writer_pretty(&mut text, value);
    written.map_err(|cause| {
        if cause.is_io() {
            check_length(usize::MAX);
        }
        OutputError::NotSerialised(cause.to_string())
    })?;
    text.bytes.push(b'\n');
    let text = String::from_utf8(text.bytes);
    text.map(OutputText::from)
        .map_err(|cause| OutputError::NotSerialised(cause.to_string()))
}

/// Takes no more bytes than an output may have.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check();
        if self.bytes.len() + bytes.len() > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::json::TEMPLATE_JSON;
    use crate::work::count_checks;
    use crate::{Options, Page, Session, Url};
    use std::collections::BTreeSet;

    #[test]
    fn names_and_files_are_unique_and_options_exist() {
        let options = serde_json::to_value(OutputOptions::default()).unwrap();
        let (mut ids, mut files) = (BTreeSet::new(), BTreeSet::new());
        for output in OUTPUTS {
            assert!(ids.insert(output.id()), "{} is listed twice", output.id());
            assert!(files.insert(output.file_name()), "{} twice", output.file_name());
            for option in output.options {
                assert!(options.get(option).is_some(), "{}: {option}", output.id());
            }
        }
        for part in Part::ALL {
            assert!(part.outputs().count() > 0, "{} has outputs", part.name());
        }
    }

    /// A page of many elements, compared with one other.
    fn large_analysis() -> Analysis {
        let url = |path: &str| Url::parse("https://example.org/").unwrap().join(path).unwrap();
        let page = |name: &str| {
            format!(
                "<title>{name}</title><a href=other>Other</a>{}",
                "<div>words".repeat(2000)
            )
        };
        let mut session = Session::new(Page::parse(url("key"), &page("Key")), Options::default());
        while let Some(wanted) = session.next_wanted().cloned() {
            session.give(Page::parse(wanted, &page("Other")));
        }
        session.finish().into()
    }

    /// Work that was cancelled ends soon.
    #[test]
    fn every_long_output_checks_the_flag_for_each_node() {
        for output in OUTPUTS {
            let analysis = large_analysis();
            let mut bytes = 0;
            let checks = count_checks(|| {
                let options = OutputOptions {
                    max_output: Some(usize::MAX),
                    ..OutputOptions::default()
                };
                bytes = output.write_anyway(&analysis, &options).unwrap().text.len();
            });
            assert!(checks > 2000 || bytes < 10_000, "{}: {checks}", output.id());
        }
    }

    #[test]
    fn no_output_exceeds_its_budget() {
        let analysis = large_analysis();
        let budget = 3000;
        let options = OutputOptions {
            max_output: Some(budget),
            ..OutputOptions::default()
        };
        for output in OUTPUTS {
            match output.write_anyway(&analysis, &options) {
                Ok(written) => assert!(written.text.len() <= budget, "{}", output.id()),
                Err(cause) => assert!(matches!(cause, OutputError::TooLarge { .. }), "{cause}"),
            }
        }
        let too_large = TEMPLATE_JSON
            .write_anyway(&analysis, &options)
            .unwrap_err()
            .to_string();
        assert!(
            too_large.contains("template-json") && too_large.contains("3000 bytes"),
            "{too_large}"
        );
        assert!(
            TEMPLATE_JSON
                .write_anyway(&analysis, &OutputOptions::default())
                .is_err(),
            "{BUDGET_FACTOR} times"
        );
    }

    #[test]
    fn an_unknown_format_is_answered_with_the_known_ones() {
        let cause = Output::find("menu", "pdf").unwrap_err().to_string();
        assert!(cause.contains("\"pdf\"") && cause.contains("markdown"), "{cause}");
        assert!(Output::find("footer", "json").is_err());
    }
}
