//! The list of sites. Each line opens to show layouts, menu and warnings.

use std::fmt::Write;

use husk::Url;
use husk::output::Escaped;

use super::numbers::{bytes, per_cent, several, whole};
use crate::report::amounts::Shares;
use crate::report::summary::{LayoutSummary, SiteSummary};
use crate::report::totals::Overview;
use crate::row::RowMenuItem;

/// Key (for the script) and title of each column.
const COLUMNS: [(&str, &str); 6] = [
    ("site", "Site"),
    ("pages", "Pages"),
    ("layouts", "Layouts"),
    ("bytes", "Bytes"),
    ("words", "Words"),
    ("links", "Links"),
];

pub(super) fn write_sites(overview: &Overview, out: &mut String) -> std::fmt::Result {
    let (listed, all) = (overview.largest.len() as u64, overview.totals.sites);
    out.push_str("<section><h2>Sites</h2>\n<p>");
    if listed < all {
        write!(
            out,
            "The {} of {} sites with the most pages; <code>sites.jsonl</code> has all of them. ",
            whole(listed),
            whole(all)
        )?;
    }
    out.push_str(
        "Bytes, words and links are the shares that are template. Open a line for layouts, menu and warnings.</p>\n\
         <p id=\"find\" hidden><label>Find a site <input type=\"search\" id=\"search\" autocomplete=\"off\" \
         spellcheck=\"false\"></label> <output id=\"shown\" aria-live=\"polite\"></output></p>\n\
         <div class=\"columns\" id=\"columns\">",
    );
    for (key, name) in COLUMNS {
        // The script enables them.
        write!(
            out,
            "<button type=\"button\" data-key=\"{key}\" disabled>{name}</button>"
        )?;
    }
    out.push_str("</div>\n<div id=\"sites\">\n");
    for site in &overview.largest {
        write_site(site, out)?;
    }
    out.push_str("</div></section>\n");
    Ok(())
}

fn write_site(site: &SiteSummary, out: &mut String) -> std::fmt::Result {
    let shares = Shares::of(site.template, site.page);
    let layouts = site.layouts_in_use();
    write!(
        out,
        "<details class=\"site\" data-site=\"{}\" data-pages=\"{}\" data-layouts=\"{layouts}\"",
        Escaped(&site.site),
        site.pages
    )?;
    for (share, (key, _)) in shares.all().into_iter().zip(&COLUMNS[3..]) {
        if let Some(share) = share {
            write!(out, " data-{key}=\"{share}\"")?;
        }
    }
    write!(
        out,
        "><summary><bdi class=\"name\">{}</bdi><span class=\"number\"><i>Pages</i> {}</span>\
         <span class=\"number\"><i>Layouts</i> {layouts}</span>",
        Escaped(&site.site),
        whole(site.pages),
    )?;
    for (share, (_, name)) in shares.all().into_iter().zip(&COLUMNS[3..]) {
        write!(
            out,
            "<span class=\"number bar\" style=\"--share:{:.1}%\"><i>{name}</i> {}</span>",
            100.0 * share.unwrap_or_default(),
            per_cent(share)
        )?;
    }
    out.push_str("</summary>\n<div class=\"more\">");
    write_facts(site, out)?;
    write_layouts(&site.layouts, out)?;
    write_menu(site, out)?;
    write_warnings(site, out)?;
    out.push_str("</div></details>\n");
    Ok(())
}

fn write_facts(site: &SiteSummary, out: &mut String) -> std::fmt::Result {
    write!(out, "<p>{} as captured.", bytes(site.captured_bytes))?;
    if site.measured < site.pages {
        write!(
            out,
            " Shares cover the {} with a known template.",
            several(site.measured, "page", "pages")
        )?;
    }
    if site.single_page > 0 {
        write!(
            out,
            " {} extracted without a template.",
            several(site.single_page, "page", "pages")
        )?;
    }
    out.push_str("</p>");
    Ok(())
}

fn write_layouts(layouts: &[LayoutSummary], out: &mut String) -> std::fmt::Result {
    if layouts.is_empty() {
        return Ok(());
    }
    out.push_str(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Layouts\"><table><thead><tr><th scope=\"col\">Layout\
         <th scope=\"col\">Pages<th scope=\"col\">LearnedSite<br>from<th scope=\"col\">Bytes<th scope=\"col\">Words\
         <th scope=\"col\">Links<th scope=\"col\" class=\"words\">Example</thead><tbody>\n",
    );
    for layout in layouts {
        write!(
            out,
            "<tr><th scope=\"row\"><bdi>{}</bdi><td>{}<td>{}",
            Escaped(&layout.id),
            whole(layout.pages),
            whole(layout.support.into())
        )?;
        for share in layout.share.all() {
            write!(out, "<td>{}", per_cent(share))?;
        }
        out.push_str("<td class=\"words address\">");
        if let Some(model) = &layout.model {
            write_link(model, model, out)?;
        }
        out.push('\n');
    }
    out.push_str("</tbody></table></div>");
    Ok(())
}

fn write_menu(site: &SiteSummary, out: &mut String) -> std::fmt::Result {
    if site.menu.is_empty() {
        return Ok(());
    }
    out.push_str("<h3>Menu</h3>");
    write_items(&site.menu, out)?;
    if site.menu_omitted > 0 {
        write!(
            out,
            "<p>… and {} more</p>",
            several(site.menu_omitted, "item", "items")
        )?;
    }
    Ok(())
}

/// Recursive, since the depth of menus is bounded.
fn write_items(items: &[RowMenuItem], out: &mut String) -> std::fmt::Result {
    out.push_str("<ul>");
    for item in items {
        out.push_str("<li>");
        match &item.url {
            Some(url) => write_link(url, &item.label, out)?,
            None => write!(out, "<bdi>{}</bdi>", Escaped(&item.label))?,
        }
        if !item.children.is_empty() {
            write_items(&item.children, out)?;
        }
    }
    out.push_str("</ul>");
    Ok(())
}

fn write_warnings(site: &SiteSummary, out: &mut String) -> std::fmt::Result {
    if site.warnings.is_empty() {
        return Ok(());
    }
    out.push_str("<h3>Warnings</h3>");
    write_warning_list(site.warnings.iter().map(|(name, &pages)| (&**name, pages)), out)
}

/// Warnings with their pages and meaning.
pub(super) fn write_warning_list<'a>(
    warnings: impl Iterator<Item = (&'a str, u64)>,
    out: &mut String,
) -> std::fmt::Result {
    out.push_str("<ul>");
    for (name, pages) in warnings {
        write!(
            out,
            "<li><code>{}</code> on {}",
            Escaped(name),
            several(pages, "page", "pages")
        )?;
        if let Some(meaning) = meaning(name) {
            write!(out, ": {meaning}")?;
        }
    }
    out.push_str("</ul>");
    Ok(())
}

fn meaning(warning: &str) -> Option<&'static str> {
    let meaning = match warning {
        "unknown-layout" => "none of the learned layouts fits; no template was removed",
        "low-coverage" => "almost nothing is left beside the template",
        "no-content" => "no content found",
        "too-few-pages" => "the site has too few pages to learn from",
        _ => return None,
    };
    Some(meaning)
}

/// A link, or only its text if the URL is not http or https.
fn write_link(target: &str, text: &str, out: &mut String) -> std::fmt::Result {
    let url = Url::parse(target)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"));
    match url {
        Some(url) => write!(
            out,
            "<a href=\"{}\" rel=\"noopener noreferrer nofollow\"><bdi>{}</bdi></a>",
            Escaped(url.as_str()),
            Escaped(text)
        ),
        None => write!(out, "<bdi>{}</bdi>", Escaped(text)),
    }
}
