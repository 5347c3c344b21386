//! From the arguments that all page commands share to an extraction.

use anyhow::anyhow;
use husk::dom::name;
use husk::output::{Output, OutputOptions, OutputText, Relocation, Resources};
use husk::{Analysis, Extraction, Method, NoContentReason, Options, OutputError, Page};
use husk_sources::Event;

use crate::args::{MethodArgs, OutputArgs, PageArgs};
use crate::config::Config;
use crate::failure::Failure;
use crate::loading::Loading;
use crate::output::{self, Notes};
use crate::pages::{Opened, Opening, Siblings};

/// A page, what was extracted from it, and how its outputs are written.
pub(crate) struct AnalysedPage {
    pub(crate) analysis: Analysis,
    pub(crate) config: Config,
    /// Where the site's files are, if its URL was guessed.
    relocation: Option<Relocation>,
    /// What was saved along with the page, in the same file.
    resources: Option<Resources>,
    /// The bytes that an output may have.
    max_output: Option<usize>,
    /// Where siblings were looked for.
    siblings: Siblings,
}

/// Opens the page, brings it its siblings and compares them.
pub(crate) fn find(
    page: &PageArgs,
    method: &MethodArgs,
    output: &OutputArgs,
) -> anyhow::Result<AnalysedPage> {
    let notes = Notes::new(output);
    let config = Config::find(method.engine.config.as_deref(), notes)?;
    let opened = open(page, method, output, &config, false)?;
    let options = engine_options(&config, method, notes);
    let max_output = page.max_output;
    let Opened { mut page, siblings } = opened;
    let mut watch = |event: Event<'_>| report_event(&event, siblings, notes);
    let extraction = husk_sources::run_session(page.key_page, options, &mut *page.source, &mut watch);
    Ok(AnalysedPage {
        analysis: extraction.into(),
        config,
        relocation: page.relocation,
        resources: page.resources,
        max_output,
        siblings,
    })
}

/// Opens the page and compares it with nothing.
pub(crate) fn alone(
    page: &PageArgs,
    method: &MethodArgs,
    output: &OutputArgs,
) -> anyhow::Result<AnalysedPage> {
    let notes = Notes::new(output);
    let config = Config::find(method.engine.config.as_deref(), notes)?;
    let opened = open(page, method, output, &config, true)?;
    let max_output = page.max_output;
    let Opened { page, siblings } = opened;
    let extraction = Extraction::of_single_page(page.key_page);
    Ok(AnalysedPage {
        analysis: extraction.into(),
        config,
        relocation: page.relocation,
        resources: page.resources,
        max_output,
        siblings,
    })
}

fn open(
    page: &PageArgs,
    method: &MethodArgs,
    output: &OutputArgs,
    config: &Config,
    is_alone: bool,
) -> anyhow::Result<Opened> {
    output::spare(page.place.page.as_ref(), output)?;
    let opening = Opening {
        place: &page.place,
        loading: Loading {
            flags: &page.loading,
            config: &config.loading,
        },
        same_site: config.options(&method.engine).same_site,
        is_alone,
        recorder: None,
        notes: Notes::new(output),
    };
    opening.open()
}

/// The options of the flags and the configuration file, the method included.
pub(crate) fn engine_options(config: &Config, method: &MethodArgs, notes: Notes) -> Options {
    let mut options = config.options(&method.engine);
    options.method = config.method(method.method);
    if options.method != Method::Paper && method.engine.sets_equality() {
        notes.say("--equality, --threshold, --weights and --ignore-attribute only matter to --method paper");
    }
    options
}

/// Reports what happens: everything where each page takes a while, else only what is unusual.
pub(crate) fn report_event(event: &Event<'_>, siblings: Siblings, notes: Notes) {
    let say = |note: &str| match siblings {
        Siblings::Web { .. } | Siblings::Rendered => notes.say(note),
        Siblings::Folder | Siblings::Elsewhere => notes.detail(note),
    };
    match event {
        Event::Loading {
            url,
            why,
            more_at_most,
        } => say(&format!("loading {url}, {why} (at most {more_at_most} more)")),
        Event::Loaded { url, page } => {
            for note in page.dom.notes() {
                notes.say(&format!("{url}: {note}"));
            }
        }
        Event::Failed { cause, .. } => say(&cause.to_string()),
        // Without a list there is nothing to look into.
        Event::Listing if siblings == (Siblings::Web { has_list: false }) => {}
        Event::Listing => {
            say("too few links lead to pages like this one: looking among all pages of the site")
        }
        _ => {}
    }
}

impl AnalysedPage {
    /// The options that depend on where the page is from. Links to files are written as if the output lay beside the page.
    pub(crate) fn output_options(&self) -> OutputOptions {
        let url = &self.analysis.page().url;
        OutputOptions {
            place: Some(match &self.relocation {
                Some(relocation) => relocation.apply(url.clone()),
                None => url.clone(),
            }),
            relocation: self.relocation.clone(),
            resources: self.resources.clone(),
            max_output: self.max_output,
            ..OutputOptions::default()
        }
    }

    /// Writes a part of the page, and its remark to standard error.
    pub(crate) fn write(
        &self,
        output: &Output,
        options: &OutputOptions,
        notes: Notes,
    ) -> anyhow::Result<String> {
        let written = output.write(&self.analysis, options);
        let OutputText { text, note } = written.map_err(|cause| self.with_remedy(&cause))?;
        if let Some(note) = note {
            notes.say(&note);
        }
        Ok(text)
    }

    /// Fails if the page was compared with nothing.
    pub(crate) fn require_sibling(&self) -> anyhow::Result<()> {
        self.analysis
            .require_sibling()
            .map_err(|cause| self.with_remedy(&cause))
    }

    /// An error with what the user can do about it.
    fn with_remedy(&self, cause: &OutputError) -> anyhow::Error {
        let remedy = match cause {
            OutputError::NoSibling { .. } => {
                return Failure::NoSibling(format!("{cause}{}", self.sibling_remedy())).into();
            }
            OutputError::NoMenu { .. } => "; --all shows other blocks of links, if there are any",
            OutputError::NoContent { reason, .. } => match reason {
                NoContentReason::NoText => ": if scripts write it, --render loads the page through a browser",
                NoContentReason::OnlyComments => ": --comments --format json prints these",
                NoContentReason::OnlyTemplate | NoContentReason::NotFound => "",
            },
            OutputError::TooLarge { .. } => "; --max-output allows more",
            _ => "",
        };
        anyhow!("{cause}{remedy}")
    }

    fn sibling_remedy(&self) -> String {
        let nothing_was_tried = self.analysis.extraction().failures.is_empty();
        let mut remedy = self.siblings.remedy(nothing_was_tried).to_owned();
        if nothing_was_tried && self.siblings != Siblings::Rendered && has_scripts(self.analysis.page()) {
            remedy += "; if scripts make its links, --render loads it through a browser";
        }
        remedy
    }

    /// The result in one line.
    pub(crate) fn summary(&self) -> String {
        let extraction = self.analysis.extraction();
        let template = extraction.template.nodes().count();
        let nodes = extraction.key_page.dom.len();
        let share = 100.0 * template as f64 / nodes as f64;
        let compared = extraction.compared.len();
        format!(
            "{}: {share:.0} % of {nodes} nodes are template; compared with {compared} page{}, {} loaded{}",
            extraction.key_page.url,
            if compared == 1 { "" } else { "s" },
            extraction.loaded.len(),
            if extraction.template.has_own_layout() {
                "; none of these has the layout of this page, so the template is only the part that they share"
            } else {
                ""
            },
        )
    }
}

fn has_scripts(page: &Page) -> bool {
    page.dom
        .nodes()
        .any(|node| page.dom.is_element(node, &name!("script")))
}
