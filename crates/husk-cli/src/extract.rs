//! From the arguments that all page commands share to an extraction.

use husk::output::Relocation;
use husk::{Extraction, Page, Session, Url};
use husk_eval::Contender;
use husk_sources::{Folder, LoadError, Source};

use crate::args::{MethodArgs, OutputArgs, PageArgs};
use crate::config::Config;
use crate::failure::Failure;
use crate::output::{self, Notes};
use crate::pages::{self, Opened};

/// What was found out about the page that was meant, perhaps without any sibling.
pub(crate) struct Found {
    pub(crate) extraction: Extraction,
    pub(crate) config: Config,
    /// Where the site's files are, if its address was guessed.
    pub(crate) relocation: Option<Relocation>,
}

/// Opens the page, brings it its siblings and compares them.
pub(crate) fn find(page: &PageArgs, method: &MethodArgs, output: &OutputArgs) -> anyhow::Result<Found> {
    let notes = Notes::new(output);
    let config = Config::find(method.engine.config.as_deref(), notes)?;
    output::spare(page.page.as_ref(), output)?;
    let Opened {
        key_page,
        mut folder,
        relocation,
    } = pages::open(page, notes)?;
    let contender = config.contender(method.method);
    let mut options = config.options(&method.engine);
    options.method = contender.method().unwrap_or(options.method);
    if contender != Contender::Paper && method.engine.tells_equality() {
        notes.say("--equality, --threshold, --weights and --ignore-attribute only matter to --method paper");
    }
    let extraction = match contender.rival() {
        Some(rival) => {
            let mut source = TellingSource { folder, notes };
            rival.extract(key_page, &mut source, options.same_site)
        }
        None => extract(Session::new(key_page, options), &mut folder, notes),
    };
    Ok(Found {
        extraction,
        config,
        relocation,
    })
}

/// Opens the page and compares it with nothing.
pub(crate) fn alone(page: &PageArgs, method: &MethodArgs, output: &OutputArgs) -> anyhow::Result<Found> {
    let notes = Notes::new(output);
    let config = Config::find(method.engine.config.as_deref(), notes)?;
    output::spare(page.page.as_ref(), output)?;
    let Opened {
        key_page, relocation, ..
    } = pages::open(page, notes)?;
    let extraction = Session::new(key_page, config.options(&method.engine)).finish();
    Ok(Found {
        extraction,
        config,
        relocation,
    })
}

/// Brings the session the pages it asks for.
fn extract(mut session: Session, source: &mut impl Source, notes: Notes) -> Extraction {
    loop {
        while let Some(url) = session.next_wanted().cloned() {
            let why = session
                .why_wanted()
                .map_or(String::new(), |why| format!(", {why}"));
            notes.detail(&format!(
                "loading {url}{why} (at most {} more)",
                session.wanted_at_most() - 1
            ));
            let loaded = source.load(&url);
            tell_of(&url, &loaded, notes);
            match loaded {
                Ok(page) => session.give(page),
                Err(cause) => session.give_up(cause.to_string()),
            }
        }
        if !session.wants_addresses() {
            return session.finish();
        }
        notes.detail("too few links lead to pages like this one: looking among all pages of the site");
        session.offer(source.addresses().unwrap_or_default());
    }
}

/// Tells what is odd about a page that was loaded, or why it could not be.
fn tell_of(url: &Url, loaded: &Result<Page, LoadError>, notes: Notes) {
    match loaded {
        Ok(page) => {
            for note in page.dom.notes() {
                notes.say(&format!("{url}: {note}"));
            }
        }
        Err(cause) => notes.detail(&cause.to_string()),
    }
}

/// A source that tells of every page it loads, for rivals, who do so on their own.
struct TellingSource {
    folder: Folder,
    notes: Notes,
}

impl Source for TellingSource {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.notes.detail(&format!("loading {url}"));
        let loaded = self.folder.load(url);
        tell_of(url, &loaded, self.notes);
        loaded
    }

    fn addresses(&mut self) -> Option<Vec<Url>> {
        self.folder.addresses()
    }
}

/// Fails if the page was compared with nothing.
pub(crate) fn require_sibling(extraction: &Extraction) -> anyhow::Result<()> {
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
            "none of the {} that were tried could be used, the first because: {}; --site and --base-url say where its \
             site is",
            counted(failures.len(), "page"),
            first.cause
        ),
    };
    Err(Failure::NoSibling(format!("no sibling page to compare {key_page} with: {cause}")).into())
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
