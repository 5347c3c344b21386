//! From the arguments that all page commands share to an extraction.

use husk::dom::name;
use husk::output::{Relocation, Resources};
use husk::{Extraction, Method, Options, Page, Session};
use husk_sources::Event;

use crate::args::{MethodArgs, OutputArgs, PageArgs};
use crate::config::Config;
use crate::failure::Failure;
use crate::loading::Loading;
use crate::output::{self, Notes};
use crate::pages::{Opened, Opening, Siblings};

/// What was found out about the page that was meant, perhaps without any sibling.
pub(crate) struct Found {
    pub(crate) extraction: Extraction,
    pub(crate) config: Config,
    /// Where the site's files are, if its address was guessed.
    pub(crate) relocation: Option<Relocation>,
    /// What was saved along with the page, in the same file.
    pub(crate) resources: Option<Resources>,
    /// Where siblings were looked for.
    pub(crate) siblings: Siblings,
}

/// Opens the page, brings it its siblings and compares them.
pub(crate) fn find(page: &PageArgs, method: &MethodArgs, output: &OutputArgs) -> anyhow::Result<Found> {
    let notes = Notes::new(output);
    let config = Config::find(method.engine.config.as_deref(), notes)?;
    let opened = open(page, method, output, &config)?;
    let options = engine_options(&config, method, notes);
    let Opened { mut page, siblings } = opened;
    let mut watch = |event: Event<'_>| tell(&event, siblings, notes);
    let extraction = husk_sources::run_session(page.key_page, options, &mut *page.source, &mut watch);
    Ok(Found {
        extraction,
        config,
        relocation: page.relocation,
        resources: page.resources,
        siblings,
    })
}

/// Opens the page and compares it with nothing.
pub(crate) fn alone(page: &PageArgs, method: &MethodArgs, output: &OutputArgs) -> anyhow::Result<Found> {
    let notes = Notes::new(output);
    let config = Config::find(method.engine.config.as_deref(), notes)?;
    let opened = open(page, method, output, &config)?;
    let Opened { page, siblings } = opened;
    let extraction = Session::new(page.key_page, config.options(&method.engine)).finish();
    Ok(Found {
        extraction,
        config,
        relocation: page.relocation,
        resources: page.resources,
        siblings,
    })
}

fn open(
    page: &PageArgs,
    method: &MethodArgs,
    output: &OutputArgs,
    config: &Config,
) -> anyhow::Result<Opened> {
    output::spare(page.place.page.as_ref(), output)?;
    let opening = Opening {
        place: &page.place,
        loading: Loading {
            flags: &page.loading,
            config: &config.loading,
        },
        same_site: config.options(&method.engine).same_site,
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

/// Tells what happens: all of it where every page takes a while, else only what is odd.
pub(crate) fn tell(event: &Event<'_>, siblings: Siblings, notes: Notes) {
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

/// Fails if the page was compared with nothing.
pub(crate) fn require_sibling(extraction: &Extraction, siblings: Siblings) -> anyhow::Result<()> {
    if !extraction.compared.is_empty() {
        return Ok(());
    }
    let key_page = &extraction.key_page.url;
    let failures = &extraction.failures;
    let cause = match failures.first() {
        _ if extraction.clique.is_some_and(|clique| clique > 0) => {
            "the pages it links to have another root".to_owned()
        }
        None => "it links to no other page of its site".to_owned(),
        Some(first) => format!(
            "none of the {} that were tried could be used, the first because: {}",
            counted(failures.len(), "page"),
            first.cause
        ),
    };
    let mut remedy = siblings.remedy(failures.is_empty()).to_owned();
    if failures.is_empty() && siblings != Siblings::Rendered && has_scripts(&extraction.key_page) {
        remedy += "; if scripts make its links, --render loads it through a browser";
    }
    Err(Failure::NoSibling(format!(
        "no sibling page to compare {key_page} with: {cause}{remedy}"
    ))
    .into())
}

fn has_scripts(page: &Page) -> bool {
    page.dom
        .nodes()
        .any(|node| page.dom.is_element(node, &name!("script")))
}

/// A number of things: 1 page, 2 pages.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// What was found, in a line.
pub(crate) fn summary(extraction: &Extraction) -> String {
    let template = extraction.template.nodes().count();
    let nodes = extraction.key_page.dom.len();
    let share = 100.0 * template as f64 / nodes as f64;
    format!(
        "{}: {share:.0} % of {nodes} nodes are template; compared with {}, {} loaded",
        extraction.key_page.url,
        counted(extraction.compared.len(), "page"),
        extraction.loaded.len(),
    )
}
