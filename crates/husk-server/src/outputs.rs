//! Which outputs there are over HTTP: those of the engine's table, chosen by `format` or by `Accept`.

use axum::http::HeaderMap;
use husk::output::{JSON, OUTPUTS, Output, OutputOptions, Part, Resources};
use husk::{Analysis, OutputError};

use crate::accept;
use crate::problem::{Problem, ProblemType};

/// The outputs of a part that `Accept` can choose: for each media type the first, JSON before the others.
pub(crate) fn negotiable(part: Part) -> Vec<&'static Output> {
    let mut outputs: Vec<&'static Output> = Vec::new();
    for output in part.outputs() {
        if !outputs.iter().any(|known| known.media_type == output.media_type) {
            outputs.push(output);
        }
    }
    outputs.sort_by_key(|output| output.media_type != JSON);
    outputs
}

/// The output that a request wants: the one it names, else the one that `Accept` prefers.
pub(crate) fn choose(
    part: Part,
    format: Option<&str>,
    headers: &HeaderMap,
) -> Result<&'static Output, Problem> {
    if let Some(format) = format {
        return Ok(part.output(format)?);
    }
    let outputs = negotiable(part);
    let media_types: Vec<&'static str> = outputs.iter().map(|output| output.media_type).collect();
    match accept::choose(headers, &media_types) {
        Ok(place) => Ok(outputs[place]),
        // Clients that only accept events get the usual output in the last one.
        Err(_) if accept::wants_events(headers) => Ok(outputs[0]),
        Err(problem) => Err(problem),
    }
}

impl From<OutputError> for Problem {
    fn from(cause: OutputError) -> Self {
        let (kind, remedy) = match &cause {
            OutputError::NoSibling { .. } => (
                ProblemType::NoSibling,
                "; send the pages along if you have them (page, siblings)",
            ),
            OutputError::NoMenu { .. } => (
                ProblemType::NoMenu,
                "; write.all shows other blocks of links, if there are any",
            ),
            OutputError::NoNavigation { .. } => (ProblemType::NoMenu, ""),
            OutputError::NoContent { .. } => (ProblemType::NoContent, ""),
            OutputError::UnknownFormat(_) => (ProblemType::UnknownFormat, ""),
            OutputError::TooLarge { .. } => (ProblemType::OutputTooLarge, "; ask for another format"),
            OutputError::NotSerialised(_) => return Self::internal(cause),
        };
        Self::new(kind, format!("{cause}{remedy}"))
    }
}

/// An output that is stored with a result.
pub(crate) struct StoredOutput {
    /// Its name below the result's URL.
    pub(crate) name: String,
    /// The name of its file.
    pub(crate) file: String,
    pub(crate) output: &'static Output,
    /// Whether the page's style sheets are embedded, to look at it.
    is_styled: bool,
}

impl StoredOutput {
    /// The outputs of the engine, and the template with its style sheets.
    ///
    /// Outlines and the XPaths of content are left out: on a deeply nested page they are hundreds of times its size.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let is_large = |output: &Output| match output.name {
            "outline" => true,
            "xpath" => output.part != Part::Template,
            _ => false,
        };
        let outputs = OUTPUTS.iter().filter(move |output| !is_large(output));
        outputs.flat_map(|output| {
            let stored = Self {
                name: output.id(),
                file: output.file_name(),
                output,
                is_styled: output.part == Part::Inspect,
            };
            let styled = (stored.name == "template-html").then(|| Self {
                name: "template-page".to_owned(),
                file: "template.page.html".to_owned(),
                output,
                is_styled: true,
            });
            std::iter::once(stored).chain(styled)
        })
    }

    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::all().find(|stored| stored.name == name)
    }

    /// The output as it is stored. It loads nothing and runs nothing where somebody opens it.
    pub(crate) fn write(&self, analysis: &Analysis, style_sheets: &Resources) -> Result<String, Problem> {
        let options = OutputOptions {
            // JSON has the main menu apart from the other blocks.
            all: self.output.media_type == JSON,
            document: true,
            offline: true,
            resources: self.is_styled.then(|| style_sheets.clone()),
            ..OutputOptions::default()
        };
        Ok(self.output.write_anyway(analysis, &options)?.text)
    }
}
