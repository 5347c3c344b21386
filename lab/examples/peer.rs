//! Husk as one of the programs that `benchmarks/compare` measures: pages in, texts out.
//!
//! ```text
//! peer html5ever       parsing only, by html5ever into Husk's arena; returns no text
//! peer parse           parsing only, by Husk's parser
//! peer content         `husk content --alone`
//! peer strip CORPUS    learns every site of a corpus first, then `husk strip`
//! ```

#[path = "../../benchmarks/content/peers/protocol.rs"]
mod protocol;

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::hint::black_box;
use std::path::Path;

use husk::dom::Dom;
use husk::output::{content_text, nodes_text};
use husk::{Content, Page, SiteTemplates, Stripper, Url};
use husk_lab::Corpus;
use husk_sources::{Folder, Source};
use protocol::{Extracted, Html};

/// The allocator of the `husk` command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let version = env!("CARGO_PKG_VERSION");
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["html5ever"] => protocol::serve(version, parse_by_html5ever),
        ["parse"] => protocol::serve(version, parse),
        ["content"] => protocol::serve(version, content),
        ["strip", corpus] => {
            let templates = learned(Path::new(corpus))?;
            let mut strippers = templates
                .iter()
                .map(|(site, templates)| (site.as_str(), templates.stripper()))
                .collect();
            protocol::serve(version, |page| strip(page, &mut strippers))
        }
        _ => Err("usage: peer html5ever | parse | content | strip CORPUS".into()),
    }
}

/// The learned templates of each site, by its name.
fn learned(corpus: &Path) -> Result<BTreeMap<String, SiteTemplates>, Box<dyn Error>> {
    let mut learned = BTreeMap::new();
    for site in Corpus::read(corpus)?.sites {
        let mut folder = Folder::open(&site.root, Some(site.base_url))?;
        let urls = folder.page_urls().unwrap_or_default();
        let pages: Vec<Page> = urls
            .iter()
            .map(|url| folder.load(url))
            .collect::<Result<_, _>>()?;
        let mut templates = SiteTemplates::new(&site.name);
        templates.learn(&pages);
        learned.insert(site.name, templates);
    }
    Ok(learned)
}

fn parse_by_html5ever(page: &protocol::Page) -> Extracted {
    let dom = match &page.html {
        Html::Text(text) => husk::dom::parse_by_html5ever(text),
        Html::Bytes(bytes) => husk::dom::parse_by_html5ever(&husk::dom::decode(bytes, None).text),
    };
    black_box(dom);
    Ok(String::new())
}

fn parse(page: &protocol::Page) -> Extracted {
    black_box(dom(&page.html));
    Ok(String::new())
}

fn content(page: &protocol::Page) -> Extracted {
    let page = Page::new(Url::parse(page.url)?, dom(&page.html));
    Ok(content_text(&page, &Content::of_single_page(&page)))
}

fn strip(page: &protocol::Page, strippers: &mut BTreeMap<&str, Stripper<&SiteTemplates>>) -> Extracted {
    let stripper = strippers.get_mut(page.site).ok_or("site was not learned")?;
    let page = Page::new(Url::parse(page.url)?, dom(&page.html));
    let stripped = stripper.strip(&page);
    Ok(nodes_text(&page, &stripped.content.nodes))
}

fn dom(html: &Html) -> Dom {
    match html {
        Html::Text(text) => Dom::parse(text),
        Html::Bytes(bytes) => Dom::from_bytes(bytes, None),
    }
}
