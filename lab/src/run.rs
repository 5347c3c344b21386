//! Runs a method on every key page of a corpus and measures it: [`Site`]s in, an [`Evaluation`] out.

use std::cell::Cell;
use std::fs;
use std::time::Instant;

use husk::{Extraction, Method, Options, Page, Session, SiteTemplates, Url};
use husk_dom::decode;
use husk_sources::{Folder, LoadError, Source};

use crate::baselines::Baseline;
use crate::corpus::{KeyPage, LabelPlace, Site, without_labels};
use crate::evaluation::{Evaluation, Row, Times};
use crate::found_part::FoundPart;
use crate::gold::Gold;
use crate::method::EvalMethod;
use crate::metrics::{Score, Scores};
use crate::outline::Outline;
use crate::part::Part;

/// Runs a method on each key page and scores a part of the page. A page on which it fails becomes a row with an error.
///
/// A method finds the template; the engine computes menu and content from it. Of the options, baselines use only
/// `same_site`.
pub fn evaluate(sites: &[Site], part: Part, method: EvalMethod, options: &Options) -> Evaluation {
    let task = Task {
        part,
        method,
        options,
    };
    let rows = sites.iter().flat_map(|site| {
        site.key_pages
            .iter()
            .map(|key_page| task.evaluate(site, key_page))
    });
    Evaluation { rows: rows.collect() }
}

/// What to run on every key page.
struct Task<'a> {
    part: Part,
    method: EvalMethod,
    options: &'a Options,
}

impl Task<'_> {
    fn evaluate(&self, site: &Site, key_page: &KeyPage) -> Row {
        let mut times = Times::default();
        let result = self
            .run(site, key_page, &mut times)
            .unwrap_or_else(Measured::unreadable);
        Row {
            site: site.name.clone(),
            key_page: key_page.file.display().to_string(),
            category: site.category.clone(),
            language: site.language.clone(),
            part: self.part,
            method: self.method,
            scores: result.scores,
            loaded: result.loaded,
            clique: result.clique,
            times,
            error: result.error,
            warnings: [&key_page.warnings[..], &result.warnings].concat(),
            outline: result.outline,
        }
    }

    fn run(&self, site: &Site, key_page: &KeyPage, times: &mut Times) -> Result<Measured, String> {
        let mut folder =
            Folder::open(&site.root, Some(site.base_url.clone())).map_err(|cause| cause.to_string())?;
        let file = site.root.join(&key_page.file);
        let page = timed(&mut times.parse_ms, || folder.page(&file)).map_err(|cause| cause.to_string())?;
        let gold = Gold::of(&page.dom, &key_page.labels);
        let page = match key_page.label_place {
            LabelPlace::OwnFile => page,
            LabelPlace::Page => hide_labels(page, site, key_page)?,
        };
        if self.part == Part::ContentStripped {
            return Ok(self.strip(site, page, &folder, &gold, times));
        }
        let extraction = self.extract(page, &mut folder, times);
        let found = timed(&mut times.mapping_ms, || FoundPart::of(self.part, &extraction));
        Ok(Measured::of(&extraction, &gold, self.part, found))
    }

    /// Learns from all other pages of the site, and strips the key page.
    fn strip(&self, site: &Site, page: Page, folder: &Folder, gold: &Gold, times: &mut Times) -> Measured {
        let others: Vec<Page> = timed(&mut times.parse_ms, || {
            let pages = folder.files().filter_map(|file| folder.page(&file).ok());
            pages.filter(|other| other.url != page.url).collect()
        });
        let mut templates = SiteTemplates::new(&site.name);
        timed(&mut times.selection_ms, || templates.learn(&others));
        let stripped = timed(&mut times.mapping_ms, || templates.stripper().strip(&page));
        let found = FoundPart::content(&page, stripped.content);
        let alone = Session::new(page, self.options.clone()).finish();
        Measured {
            loaded: Some(others.len()),
            ..Measured::of(&alone, gold, self.part, Some(found))
        }
    }

    fn extract(&self, page: Page, folder: &mut Folder, times: &mut Times) -> Extraction {
        let options = engine_options(self.method, self.options);
        match self.method.baseline() {
            // Gets none of the pages that it asks for.
            _ if self.part == Part::ContentAlone => Session::new(page, options).finish(),
            Some(baseline) => extract_by(baseline, page, folder, &options, times),
            None => extract(page, folder, &options, times),
        }
    }
}

/// The result of a run, without times.
struct Measured {
    scores: Scores,
    loaded: Option<usize>,
    clique: Option<usize>,
    error: Option<String>,
    warnings: Vec<String>,
    outline: Outline,
}

/// The page without its labels, with the same nodes.
fn hide_labels(page: Page, site: &Site, key_page: &KeyPage) -> Result<Page, String> {
    let bytes = fs::read(site.root.join(&key_page.file)).map_err(|cause| cause.to_string())?;
    let dom = without_labels(&page.dom, &decode(&bytes, None).text)
        .ok_or("its labels cannot be removed without changing its nodes")?;
    Ok(Page::new(page.url, dom))
}

/// Extracts the template of a page with the default options.
pub(crate) fn extract_page(page: Page, folder: &Folder) -> Extraction {
    extract(
        page,
        &mut folder.clone(),
        &Options::default(),
        &mut Times::default(),
    )
}

fn extract(key_page: Page, source: &mut impl Source, options: &Options, times: &mut Times) -> Extraction {
    let mut session = timed(&mut times.selection_ms, || {
        Session::new(key_page, options.clone())
    });
    loop {
        while let Some(url) = session.next_wanted().cloned() {
            match timed(&mut times.parse_ms, || source.load(&url)) {
                Ok(page) => timed(time_of_giving(options.method, times), || session.give(page)),
                Err(cause) => session.give_up(cause.to_string()),
            }
        }
        if !session.wants_addresses() {
            return timed(&mut times.mapping_ms, || session.finish());
        }
        session.offer(source.page_urls().unwrap_or_default());
    }
}

/// The default method maps each page when it is given; the published method only reads its links then.
fn time_of_giving(method: Method, times: &mut Times) -> &mut f64 {
    match method {
        Method::Husk => &mut times.mapping_ms,
        Method::Paper => &mut times.selection_ms,
    }
}

/// The engine's options for a method.
fn engine_options(method: EvalMethod, options: &Options) -> Options {
    Options {
        method: method.engine_method().unwrap_or(options.method),
        ..options.clone()
    }
}

/// Runs a baseline. All time but loading counts as mapping, since a baseline does not separate its stages.
fn extract_by(
    baseline: &dyn Baseline,
    key_page: Page,
    source: &mut impl Source,
    options: &Options,
    times: &mut Times,
) -> Extraction {
    let mut source = TimedSource {
        source,
        load_ms: Cell::new(0.0),
    };
    let mut total_ms = 0.0;
    let extraction = timed(&mut total_ms, || {
        baseline.extract(key_page, &mut source, options.same_site)
    });
    let load_ms = source.load_ms.get();
    times.parse_ms += load_ms;
    times.mapping_ms += total_ms - load_ms;
    extraction
}

/// A source that measures the time of its loads.
struct TimedSource<'a, S> {
    source: &'a mut S,
    load_ms: Cell<f64>,
}

impl<S: Source> Source for TimedSource<'_, S> {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        timed(self.load_ms.get_mut(), || self.source.load(url))
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        let mut load_ms = self.load_ms.get();
        let addresses = timed(&mut load_ms, || self.source.page_urls());
        self.load_ms.set(load_ms);
        addresses
    }
}

/// Runs some work and adds its time in milliseconds.
fn timed<T>(total_ms: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total_ms += start.elapsed().as_secs_f64() * 1000.0;
    result
}

impl Measured {
    fn of(extraction: &Extraction, gold: &Gold, part: Part, found: Option<FoundPart>) -> Self {
        let page = &extraction.key_page;
        let warnings = gold
            .unmatched
            .iter()
            .map(|selector| format!("nothing matches `{selector}`"));
        let is_found = found.is_some();
        // Where the command fails, nothing was found.
        let found = found.unwrap_or_else(|| FoundPart::nothing(page));
        let gold = &gold.with_nearest_menu(&found.nodes);
        Self {
            scores: Scores::of(&page.dom, gold, part, &found),
            loaded: is_found.then_some(extraction.loaded.len()),
            clique: extraction.clique.filter(|_| is_found),
            error: (!is_found).then(|| "no sibling page to compare with".to_owned()),
            warnings: warnings.collect(),
            outline: Outline::of(extraction, gold, part, &found),
        }
    }

    /// A page that could not be read scores 0.
    fn unreadable(cause: String) -> Self {
        let nothing = Score::of_counts(0, 0, 1);
        Self {
            scores: Scores {
                nodes: nothing,
                words: nothing,
                links: nothing,
            },
            loaded: None,
            clique: None,
            error: Some(cause),
            warnings: Vec::new(),
            outline: Outline::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use husk::EqualityPreset;

    use crate::corpus::Corpus;
    use crate::test_sites::TestFolder;

    /// A page with a menu of three, a footer and content.
    fn page(own: &str) -> String {
        let menu = "<ul><li><a href=/>Home</a><li><a href=/a.html>A</a><li><a href=/b.html>B</a></ul>";
        format!("<!DOCTYPE html><body>{menu}{own}<footer>the end</footer>")
    }

    fn evaluate_folder(folder: &TestFolder, options: &Options) -> Vec<Row> {
        let sites = Corpus::read(folder.path()).unwrap().sites;
        evaluate(&sites, Part::Template, EvalMethod::Paper, options).rows
    }

    fn with_siblings(folder: TestFolder, root: &str) -> TestFolder {
        folder
            .file(&format!("{root}/a.html"), &page("<main><h1>a</h1></main>"))
            .file(&format!("{root}/b.html"), &page("<main><h1>b</h1></main>"))
    }

    #[track_caller]
    fn check_perfect(row: &Row) {
        assert_eq!(row.error, None);
        assert_eq!(
            [row.scores.nodes.f1, row.scores.words.f1, row.scores.links.f1],
            [1.0; 3]
        );
        assert_eq!((row.loaded, row.clique), (Some(3), Some(2)));
    }

    #[test]
    fn measures_a_site_in_our_format() {
        let gold = r##"{"key": "index.html", "not_template": ["#own", "h6"], "menu": []}"##;
        let folder = TestFolder::new().site("a", gold).file(
            "a/pages/index.html",
            &page("<p id=own>Hello <a href=/x>you</a></p>"),
        );
        let rows = evaluate_folder(&with_siblings(folder, "a/pages"), &Options::default());
        check_perfect(&rows[0]);
        assert_eq!((&*rows[0].site, &*rows[0].key_page), ("a", "index.html"));
        assert_eq!(
            rows[0].warnings,
            ["unknown key `menu` in gold.json", "nothing matches `h6`"]
        );
        assert!(rows[0].times.mapping_ms > 0.0);
    }

    #[test]
    fn measures_a_site_in_the_format_of_teco() {
        let labelled = page("<p class=TECO_notTemplate><b class='x TECO_mainContent'>Hello</b></p>")
            .replace("<ul>", "<ul class='TECO_mainMenu'>");
        let folder = TestFolder::new().file("a.example/index.html", &labelled);
        // With its label the list would not be equal to those of the other pages.
        let strict = Options {
            equality: EqualityPreset::LabelAttributes,
            ..Options::default()
        };
        check_perfect(&evaluate_folder(&with_siblings(folder, "a.example"), &strict)[0]);
    }

    #[test]
    fn content_is_found_with_and_without_other_pages_and_a_menu_is_not() {
        let gold = r#"{"key": "alone.html", "main_content": ["main"], "main_menu": ["ul"]}"#;
        let folder = TestFolder::new()
            .site("a", gold)
            .file("a/pages/alone.html", "<ul><li>one</ul><main>two words</main>");
        let sites = Corpus::read(folder.path()).unwrap().sites;
        let row = |part| {
            evaluate(&sites, part, EvalMethod::Husk, &Options::default())
                .rows
                .remove(0)
        };
        for part in [Part::Content, Part::ContentAlone] {
            let row = row(part);
            assert_eq!((row.part, row.error, row.loaded), (part, None, Some(1)));
            assert_eq!(row.scores.words.recall, 1.0);
        }
        let menu = row(Part::Menu);
        assert_eq!(menu.error.as_deref(), Some("no sibling page to compare with"));
        assert_eq!(
            (menu.scores.nodes, menu.loaded),
            (Score::of_counts(0, 0, 3), None)
        );
    }

    #[test]
    fn failures_are_rows_and_nothing_found() {
        let gold = r#"[{"key": "alone.html"}, {"key": "other.html", "labels": []}, {"key": "empty.html", "not_template": ["body"]}]"#;
        let folder = TestFolder::new()
            .site("a", gold)
            .file("a/pages/alone.html", "<p>no link to anywhere")
            .file("a/pages/other.html", "%PDF-1.7")
            .file("a/pages/empty.html", "<p>nothing of this is template");
        let rows = evaluate_folder(&folder, &Options::default());
        assert_eq!(rows[0].error.as_deref(), Some("no sibling page to compare with"));
        assert_eq!(
            (rows[0].scores.nodes, rows[0].loaded),
            (Score::of_counts(0, 0, 3), None)
        );
        assert!(rows[1].error.is_some());
        assert_eq!(rows[1].warnings, ["unknown key `labels` in gold.json"]);
        assert_eq!(rows[1].scores.nodes.f1, 0.0);
        assert!(rows[2].error.is_some());
        assert_eq!(rows[2].scores.nodes.f1, 1.0);
    }
}
