//! Our own format: `site.json`, `gold.json` and `pages/`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use husk::Url;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::file::read;
use super::{CorpusError, KeyPage, LabelPlace, Labels, Site};
use crate::css::{Selector, SelectorError};

/// The keys of `site.json` that are used.
#[derive(Deserialize)]
struct SiteFile {
    name: String,
    base_url: String,
    category: Option<String>,
    language: Option<String>,
    #[serde(flatten)]
    others: Others,
}

/// Further keys of `site.json`, which are ignored.
const SITE_EXTRAS: [&str; 5] = ["generator", "key_pages", "license", "pages", "source"];

/// All other keys. Unknown ones are reported, since one may be a misspelt label.
type Others = BTreeMap<String, IgnoredAny>;

/// One key page in `gold.json`.
#[derive(Deserialize)]
struct GoldEntry {
    key: PathBuf,
    #[serde(default)]
    not_template: Vec<String>,
    #[serde(default)]
    not_template_text: Vec<TextLabel>,
    #[serde(default)]
    main_content: Vec<String>,
    #[serde(default)]
    main_content_text: Vec<TextLabel>,
    #[serde(default)]
    main_menu: Vec<String>,
    #[serde(default)]
    main_menu_copies: Vec<Vec<String>>,
    #[serde(flatten)]
    others: Others,
}

/// Further keys of `gold.json`, which are ignored.
const GOLD_EXTRAS: [&str; 4] = ["notes", "resolved", "section_menu", "stats"];

/// The selector of an element whose text children are labelled.
#[derive(Deserialize)]
#[serde(untagged)]
enum TextLabel {
    Named { text_of: String },
    Bare(String),
}

impl AsRef<str> for TextLabel {
    fn as_ref(&self) -> &str {
        match self {
            Self::Named { text_of } => text_of,
            Self::Bare(selector) => selector,
        }
    }
}

/// Whether a folder is a site in this format.
pub(super) fn is_site(folder: &Path) -> bool {
    folder.join("site.json").is_file()
}

pub(super) fn read_site(folder: &Path) -> Result<Site, CorpusError> {
    let site_file = folder.join("site.json");
    let site: SiteFile = parse(&site_file, &read(&site_file)?)?;
    let base_url = site_url(&site.base_url).ok_or(CorpusError::BaseUrl(site_file, site.base_url))?;
    let root = folder.join("pages");
    if !root.is_dir() {
        return Err(CorpusError::Missing(folder.to_owned(), "pages"));
    }
    let mut key_pages = read_key_pages(folder, &root)?;
    for page in &mut key_pages {
        page.warnings
            .extend(unknown_keys("site.json", &site.others, &SITE_EXTRAS));
    }
    Ok(Site {
        name: site.name,
        root,
        base_url,
        category: site.category,
        language: site.language,
        gold_file: Some(folder.join("gold.json")),
        key_pages,
    })
}

/// A warning for each unknown key.
fn unknown_keys(file: &str, others: &Others, extras: &[&str]) -> Vec<String> {
    let unknown = others.keys().filter(|key| !extras.contains(&key.as_str()));
    unknown
        .map(|key| format!("unknown key `{key}` in {file}"))
        .collect()
}

/// The URL of a site's root, with a trailing slash.
fn site_url(text: &str) -> Option<Url> {
    let url = Url::parse(&format!("{}/", text.trim_end_matches('/'))).ok()?;
    url.has_host().then_some(url)
}

fn read_key_pages(folder: &Path, root: &Path) -> Result<Vec<KeyPage>, CorpusError> {
    let file = folder.join("gold.json");
    if !file.is_file() {
        return Err(CorpusError::Missing(folder.to_owned(), "gold.json"));
    }
    let entries = parse_gold(&file)?;
    if entries.is_empty() {
        return Err(CorpusError::NoEntry(file));
    }
    // Without its file, the key page would score 0 for every method.
    if let Some(entry) = entries.iter().find(|entry| !root.join(&entry.key).is_file()) {
        return Err(CorpusError::NoPage(file, root.join(&entry.key)));
    }
    entries
        .into_iter()
        .map(|entry| key_page(entry).map_err(|cause| CorpusError::Selector(file.clone(), cause)))
        .collect()
}

/// One page, or a list of them.
fn parse_gold(file: &Path) -> Result<Vec<GoldEntry>, CorpusError> {
    let text = read(file)?;
    // Decided by the first byte: an untagged enum would lose the line number of errors.
    if text.trim_ascii_start().starts_with(b"[") {
        parse(file, &text)
    } else {
        Ok(vec![parse(file, &text)?])
    }
}

fn key_page(entry: GoldEntry) -> Result<KeyPage, SelectorError> {
    Ok(KeyPage {
        labels: Labels {
            not_template: selectors(&entry.not_template)?,
            not_template_text: selectors(&entry.not_template_text)?,
            main_content: selectors(&entry.main_content)?,
            main_content_text: selectors(&entry.main_content_text)?,
            main_menu: selectors(&entry.main_menu)?,
            main_menu_copies: entry
                .main_menu_copies
                .iter()
                .map(|copy| selectors(copy))
                .collect::<Result<_, _>>()?,
        },
        file: entry.key,
        label_place: LabelPlace::OwnFile,
        warnings: unknown_keys("gold.json", &entry.others, &GOLD_EXTRAS),
    })
}

fn selectors(texts: &[impl AsRef<str>]) -> Result<Vec<Selector>, SelectorError> {
    texts.iter().map(|text| Selector::parse(text.as_ref())).collect()
}

fn parse<T: DeserializeOwned>(file: &Path, text: &[u8]) -> Result<T, CorpusError> {
    serde_json::from_slice(text).map_err(|cause| CorpusError::Json(file.to_owned(), cause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::test_sites::TestFolder;

    #[track_caller]
    fn check_fault(folder: &TestFolder, expect: &str) {
        let message = Corpus::read(folder.path()).unwrap_err().to_string();
        let place = format!("{}/", folder.path().display());
        assert_eq!(message.replace(&place, ""), expect);
    }

    #[test]
    fn reads_address_and_labels() {
        let corpus = TestFolder::new().site(
            "a",
            r##"{"key": "x/index.html", "not_template": ["h1", "main > *"], "main_content": ["main"],
                 "not_template_text": [{"text_of": "main"}, "p"], "main_menu": ["#menu"], "notes": "…"}"##,
        );
        let corpus = corpus.file("a/pages/x/index.html", "");
        let site = &Corpus::read(corpus.path()).unwrap().sites[0];
        assert_eq!(site.base_url.as_str(), "https://a.example/");
        assert_eq!(site.root, corpus.path().join("a/pages"));
        let [page] = &site.key_pages[..] else {
            panic!("one key page");
        };
        assert_eq!(page.file, Path::new("x/index.html"));
        let texts =
            |selectors: &[Selector]| -> Vec<_> { selectors.iter().map(Selector::to_string).collect() };
        assert_eq!(texts(&page.labels.not_template), ["h1", "main > *"]);
        assert_eq!(texts(&page.labels.not_template_text), ["main", "p"]);
        assert_eq!(texts(&page.labels.main_content), ["main"]);
        assert_eq!(texts(&page.labels.main_menu), ["#menu"]);
    }

    #[test]
    fn faults_name_the_file_and_what_is_wrong() {
        let site = r#"{"name": "a", "base_url": "https://a.example"}"#;
        let start = || {
            TestFolder::new()
                .file("a/site.json", site)
                .file("a/pages/index.html", "")
        };
        check_fault(&start(), "a: gold.json is missing");
        check_fault(
            &start().file("a/gold.json", "{\n \"key\": \"x\",\n}"),
            "a/gold.json: trailing comma at line 3 column 1",
        );
        check_fault(
            &start().file("a/gold.json", "[{\n \"not_template\": []\n}]"),
            "a/gold.json: missing field `key` at line 3 column 1",
        );
        check_fault(
            &start().file("a/gold.json", r#"{"key": "index.html", "main_menu": ["ul >"]}"#),
            "a/gold.json: selector `ul >` ends in a combinator",
        );
        check_fault(
            &start().file("a/site.json", r#"{"name": "a", "base_url": "a.example"}"#),
            "a/site.json: base_url \"a.example\" is not a URL of a site",
        );
        check_fault(&start().file("a/gold.json", "[]"), "a/gold.json: has no key page");
        check_fault(
            &start().file(
                "a/gold.json",
                r#"[{"key": "index.html"}, {"key": "x/gone.html"}]"#,
            ),
            "a/gold.json: key page a/pages/x/gone.html does not exist",
        );
        check_fault(
            &start().large_file("a/gold.json", "{}"),
            "a/gold.json: larger than 67108864 bytes",
        );
        check_fault(
            &TestFolder::new()
                .file("a/site.json", site)
                .file("a/gold.json", "[]"),
            "a: pages is missing",
        );
    }

    #[test]
    fn unknown_keys_are_told_and_known_extras_are_not() {
        let extras = r#""notes": "", "resolved": {}, "section_menu": [], "stats": {"nodes": 3}"#;
        let gold = format!(
            r#"[{{"key": "index.html", {extras}, "not_tempalte": ["h1"]}}, {{"key": "index.html", {extras}}}]"#
        );
        let site = r#"{"name": "a", "base_url": "https://a.example", "category": "", "generator": "",
            "key_pages": [], "language": "", "license": "", "pages": 3, "source": "", "lang": ""}"#;
        let corpus = TestFolder::new()
            .site("a", &gold)
            .file("a/site.json", site)
            .file("a/pages/index.html", "");
        let pages = &Corpus::read(corpus.path()).unwrap().sites[0].key_pages;
        let of_site = "unknown key `lang` in site.json";
        assert_eq!(
            pages[0].warnings,
            ["unknown key `not_tempalte` in gold.json", of_site]
        );
        assert_eq!(pages[1].warnings, [of_site]);
    }
}
