//! The parts of the report that are tables and lists.

use std::fmt::Write;

use husk_dom::XPaths;

use super::graph::{Graph, common_start, name};
use crate::extraction::{Extraction, Outcome};
use crate::metadata::Metadata;
use crate::navigation::{MenuItem, Navigation, NavigationBlock, NavigationKind};
use crate::output::escape::Escaped;
use crate::output::pagelets::depths;
use crate::pagelets::Pagelet;
use crate::work::check_length;

/// Menus are shown to this depth.
const DEEPEST_MENU: usize = 32;

/// Of pagelets of many subtrees so many are named.
const MOST_PATHS: usize = 3;

/// The pages: how they link to each other, why each was loaded, and what came of it.
pub(super) fn write_pages(extraction: &Extraction, out: &mut String) -> std::fmt::Result {
    let graph = Graph::of(extraction);
    out.push_str("<section id=\"pages\"><h2>Pages</h2>\n<div class=\"two\">\n<figure>");
    graph.write(out)?;
    let more = match graph.left_out() {
        0 => String::new(),
        pages => format!(" {pages} more pages are not drawn."),
    };
    writeln!(
        out,
        "<figcaption><span class=\"key\">Key page</span> <span class=\"compared\">compared</span> \
         <span class=\"loaded\">loaded only</span>. Thick lines are links both ways, thin ones lead one way. Ringed: the \
         largest set of pages that all link to each other, {} of them.{more}</figcaption></figure>",
        graph.clique()
    )?;
    out.push_str(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Pages asked for\"><table><caption>Pages asked \
         for, in this order</caption>\n<thead><tr><th scope=\"col\">Page<th scope=\"col\">Why<th scope=\"col\">What \
         came of it</thead>\n<tbody>\n",
    );
    let start = start(extraction);
    for visit in &extraction.visits {
        let (class, words) = match &visit.outcome {
            Outcome::Compared => ("yes", "compared".to_owned()),
            Outcome::Refused(cause) => ("no", format!("refused: {cause}")),
            Outcome::Unavailable(cause) => ("gone", format!("unavailable: {cause}")),
        };
        let moved = visit.found_at.as_ref().filter(|found_at| **found_at != visit.url);
        let moved = moved.map_or(String::new(), |found_at| format!(" → {}", name(found_at, &start)));
        writeln!(
            out,
            "<tr><th scope=\"row\"><code title=\"{}\">{}{}</code><td>{}<td class=\"{class}\">{}",
            Escaped(visit.url.as_str()),
            Escaped(&name(&visit.url, &start)),
            Escaped(&moved),
            Escaped(&visit.why.to_string()),
            Escaped(&words)
        )?;
    }
    if extraction.visits.is_empty() {
        out.push_str("<tr><td colspan=\"3\">None: the page links to no other page of its site.\n");
    }
    out.push_str("</tbody></table></div>\n</div></section>\n");
    Ok(())
}

/// How the URLs of all pages begin.
fn start(extraction: &Extraction) -> String {
    let urls = extraction.visits.iter().map(|visit| &visit.url);
    common_start(urls.chain([&extraction.key_page.url]))
}

/// The blocks of the page.
pub(super) fn write_pagelets(
    extraction: &Extraction,
    pagelets: &[Pagelet],
    out: &mut String,
) -> std::fmt::Result {
    let dom = &extraction.key_page.dom;
    let paths = XPaths::of(dom);
    let compared = extraction.template.compared();
    out.push_str(
        "<section id=\"pagelets\"><h2>Pagelets</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" \
         aria-label=\"Pagelets\"><table><thead><tr><th scope=\"col\">Function<th scope=\"col\">Words\
         <th scope=\"col\">Links<th scope=\"col\">Text<th scope=\"col\">Template<th scope=\"col\">Support\
         <th scope=\"col\" class=\"words\">XPath</thead>\n<tbody>\n",
    );
    for ((number, pagelet), depth) in pagelets.iter().enumerate().zip(depths(pagelets)) {
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        write!(
            out,
            "<tr><th scope=\"row\" style=\"padding-left:{}rem\"><button type=\"button\" class=\"find f-{name}\" \
             data-pagelet=\"{number}\">{}</button><td>{}<td>{}<td class=\"bar\" style=\"--share:{:.1}%\">{}<td>{}<td>{}<td class=\"words\">",
            0.5 + 1.2 * depth as f64,
            words_of(pagelet),
            pagelet.amount.words,
            pagelet.amount.links,
            100.0 * pagelet.text_share,
            percent(pagelet.text_share),
            pagelet.template_share.map_or("–".to_owned(), percent),
            match compared {
                0 => "–".to_owned(),
                _ => format!("{} of {compared}", pagelet.support.structural),
            },
            name = pagelet.function.name(),
        )?;
        for &root in pagelet.roots.iter().take(MOST_PATHS) {
            write!(out, "<code>{}</code><br>", Escaped(&paths.path(dom, root)))?;
        }
        if pagelet.roots.len() > MOST_PATHS {
            write!(
                out,
                "<small>and {} more</small>",
                pagelet.roots.len() - MOST_PATHS
            )?;
        }
        out.push('\n');
        check_length(out.len());
    }
    if pagelets.is_empty() {
        out.push_str("<tr><td colspan=\"7\">None: the page shows nothing.\n");
    }
    out.push_str("</tbody></table></div></section>\n");
    Ok(())
}

fn words_of(pagelet: &Pagelet) -> String {
    pagelet.function.name().replace('-', " ")
}

/// The menus as trees.
pub(super) fn write_menus(
    extraction: &Extraction,
    navigation: &Navigation,
    out: &mut String,
) -> std::fmt::Result {
    let start = start(extraction);
    out.push_str("<section id=\"menus\"><h2>Menus</h2>\n<div class=\"menus\">\n");
    for block in &navigation.blocks {
        let is_main = block.kind == NavigationKind::Main;
        let open = if is_main { " open" } else { "" };
        write!(
            out,
            "<details{open}><summary>{} <small>{} entries</small></summary>",
            kind_words(block),
            count(&block.entries)
        )?;
        write_entries(&block.entries, &start, 0, out)?;
        out.push_str("</details>\n");
    }
    if navigation.blocks.is_empty() {
        out.push_str("<p>None found.</p>\n");
    }
    out.push_str("</div></section>\n");
    Ok(())
}

fn kind_words(block: &NavigationBlock) -> &'static str {
    match block.kind {
        NavigationKind::Main => "Main menu",
        NavigationKind::Sub => "Submenu",
        NavigationKind::Breadcrumb => "Breadcrumb",
        NavigationKind::Footer => "Footer links",
        NavigationKind::Pagination => "Pagination",
        NavigationKind::Language => "Languages",
    }
}

fn count(entries: &[MenuItem]) -> usize {
    let mut open: Vec<&[MenuItem]> = vec![entries];
    let mut count = 0;
    while let Some(entries) = open.pop() {
        count += entries.len();
        open.extend(entries.iter().map(|entry| &entry.children[..]));
    }
    count
}

fn write_entries(entries: &[MenuItem], start: &str, depth: usize, out: &mut String) -> std::fmt::Result {
    if entries.is_empty() || depth > DEEPEST_MENU {
        return Ok(());
    }
    out.push_str("<ul>");
    for entry in entries {
        let label = if entry.label.trim().is_empty() {
            "(no words)"
        } else {
            &entry.label
        };
        let active = if entry.is_active { " class=\"active\"" } else { "" };
        let address = entry.url.as_ref().map_or(String::new(), |url| name(url, start));
        write!(
            out,
            "<li><span{active}>{}</span> <code>{}</code>",
            Escaped(label),
            Escaped(&address)
        )?;
        check_length(out.len());
        write_entries(&entry.children, start, depth + 1, out)?;
    }
    out.push_str("</ul>");
    Ok(())
}

/// What the page says about itself.
pub(super) fn write_metadata(metadata: &Metadata, out: &mut String) -> std::fmt::Result {
    let address = |url: &Option<url::Url>| url.as_ref().map(ToString::to_string);
    let said = [
        ("Title", metadata.title.clone()),
        ("By", metadata.byline.clone()),
        ("Published", metadata.published.clone()),
        ("Changed", metadata.modified.clone()),
        ("Language", metadata.language.clone()),
        ("About", metadata.description.clone()),
        ("Site", metadata.site_name.clone()),
        ("Address", address(&metadata.canonical)),
        ("Picture", address(&metadata.image)),
    ];
    if said.iter().all(|(_, value)| value.is_none()) {
        return Ok(());
    }
    out.push_str("<section id=\"metadata\"><h2>What the page says about itself</h2>\n<dl>");
    for (what, value) in said {
        if let Some(value) = value {
            write!(out, "<dt>{what}<dd>{}", Escaped(&value))?;
        }
    }
    out.push_str("</dl></section>\n");
    Ok(())
}
