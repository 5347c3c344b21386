use husk::dom::Dom;
use husk::{Extraction, Options, Page, Url};
use husk_sources::{LoadError, Source, run_session};
use serde_json::{Value, json};

/// The pages of the site, in the order of its menu.
pub(crate) const NAMES: [&str; 6] = ["anna", "bert", "carl", "dora", "emil", "fred"];

/// What only one page says.
pub(crate) const KEY_WORDS: &str = "Whatever anna did was done by anna alone";

/// What all pages say.
pub(crate) const FOOTER: &str = "Members only since 1907";

pub(crate) fn html(name: &str) -> String {
    let menu: String = NAMES
        .iter()
        .map(|page| format!("<li><a href=\"/{page}\">Page of {page}</a></li>"))
        .collect();
    format!(
        "<!doctype html><html><head><title>{name} - The club</title><script>alert(1)</script></head><body>\
         <header><h1>The club of six</h1><nav><ul>{menu}</ul></nav></header>\
         <main><h2>All about {name}</h2><p>Whatever {name} did was done by {name} alone.</p>\
         <p>Nobody but {name} knows what {name}{name} means, and that is how it is.</p></main>\
         <footer><p>{FOOTER}</p></footer></body></html>"
    )
}

pub(crate) fn address(name: &str) -> String {
    format!("https://club.example/{name}")
}

/// A request that brings the site along.
pub(crate) fn given() -> Value {
    let page = |name: &&str| json!({"url": address(name), "html": html(name)});
    let siblings: Vec<Value> = NAMES[1..].iter().map(page).collect();
    json!({"page": page(&NAMES[0]), "siblings": siblings})
}

/// The same with something more said.
pub(crate) fn given_with(name: &str, value: Value) -> Value {
    let mut given = given();
    given[name] = value;
    given
}

/// What the engine finds in the site.
pub(crate) fn extraction(options: Options) -> Extraction {
    run_session(page(NAMES[0]), options, &mut Club, |_| ())
}

fn page(name: &str) -> Page {
    Page::new(Url::parse(&address(name)).unwrap(), Dom::parse(&html(name)))
}

/// The site as a source of pages.
struct Club;

impl Source for Club {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        let name = NAMES.iter().find(|name| address(name) == url.as_str());
        name.map(|name| page(name)).ok_or_else(|| LoadError::NotFound {
            object: url.to_string(),
            root: "the club".into(),
        })
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        Some(NAMES[1..].iter().map(|name| page(name).url).collect())
    }
}
