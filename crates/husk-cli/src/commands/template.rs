//! `husk template`: the template of a page.

use anyhow::anyhow;
use husk::output::{HtmlOptions, to_html, to_json, to_outline, to_xpath};
use husk::{Extraction, Page, Session, Url};
use husk_eval::Contender;
use husk_sources::{Folder, LoadError, Source};

use crate::args::{TemplateArgs, TemplateFormat};
use crate::config::Config;
use crate::failure::Failure;
use crate::output::{self, Notes};
use crate::pages::{self, Opened};

pub(crate) fn run(args: &TemplateArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let config = Config::find(args.engine.config.as_deref(), notes)?;
    output::spare(args.page.page.as_ref(), &args.output)?;
    let Opened {
        key_page,
        mut folder,
        relocation,
    } = pages::open(&args.page, notes)?;
    let contender = config.contender(args.method);
    let mut options = config.options(&args.engine);
    options.method = contender.method().unwrap_or(options.method);
    if contender != Contender::Paper && args.engine.tells_equality() {
        notes.say("--equality, --threshold, --weights and --ignore-attribute only matter to --method paper");
    }
    let extraction = match contender.rival() {
        Some(rival) => {
            let mut source = TellingSource { folder, notes };
            rival.extract(key_page, &mut source, options.same_site)
        }
        None => extract(Session::new(key_page, options), &mut folder, notes),
    };
    require_sibling(&extraction)?;
    notes.say(&summary(&extraction));

    let options = HtmlOptions {
        scripts: config.scripts(args.scripts),
        links: config.links(args.links),
        relocation,
    };
    let html = || to_html(&extraction, &options);
    if args.open {
        return open_in_browser(&html(), args, notes);
    }
    let result = match args.format.unwrap_or(TemplateFormat::Html) {
        TemplateFormat::Html => html(),
        TemplateFormat::Json => serde_json::to_string_pretty(&to_json(&extraction))? + "\n",
        TemplateFormat::Xpath => to_xpath(&extraction),
        TemplateFormat::Outline => to_outline(&extraction),
    };
    output::write(&result, &args.output)
}

/// Brings the session the pages it asks for.
fn extract(mut session: Session, source: &mut impl Source, notes: Notes) -> Extraction {
    loop {
        while let Some(url) = session.next_wanted().cloned() {
            notes.detail(&format!(
                "loading {url} (at most {} more)",
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

    fn addresses(&self) -> Option<Vec<Url>> {
        self.folder.addresses()
    }
}

fn require_sibling(extraction: &Extraction) -> anyhow::Result<()> {
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

fn summary(extraction: &Extraction) -> String {
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

/// Writes the HTML where it was wanted, else to a file that outlives us, and shows that.
fn open_in_browser(html: &str, args: &TemplateArgs, notes: Notes) -> anyhow::Result<()> {
    let file = match args.output.file() {
        Some(file) => file.to_owned(),
        None => std::env::temp_dir().join(format!("husk-template-{}.html", std::process::id())),
    };
    output::write_file(html, &file)?;
    open::that_detached(&file).map_err(|cause| {
        anyhow!(
            "cannot start a browser: {cause}; open {} yourself",
            file.display()
        )
    })?;
    notes.say(&format!("showing {}", file.display()));
    Ok(())
}
