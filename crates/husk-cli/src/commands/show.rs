//! `husk show`: print learned templates.

use husk::output::{OutputOptions, to_html, to_outline};
use husk::{Layout, SiteTemplates};
use husk_store::{SiteInfo, StoreReader, StoredSite, is_store};
use jiff::Timestamp;
use serde::Serialize;

use crate::args::{ShowArgs, ShowFormat};
use crate::failure::Failure;
use crate::output;
use crate::templates_file;

pub(crate) fn run(args: &ShowArgs) -> anyhow::Result<()> {
    output::spare(&args.file, &args.output)?;
    let result = match is_store(&args.file) {
        true => show_store(args)?,
        false => show_templates(args, &templates_of_file(args)?, None)?,
    };
    output::write(&result, &args.output)
}

fn templates_of_file(args: &ShowArgs) -> anyhow::Result<SiteTemplates> {
    let templates = templates_file::read(&args.file)?;
    match &args.site {
        Some(site) if site != templates.site() => {
            let message = format!(
                "{} holds templates of {}, not of {site}",
                args.file.display(),
                templates.site()
            );
            Err(Failure::Usage(message).into())
        }
        _ => Ok(templates),
    }
}

/// The sites of a store, or one of them.
fn show_store(args: &ShowArgs) -> anyhow::Result<String> {
    let store = StoreReader::open(&args.file)?;
    let Some(site) = &args.site else {
        let sites = store.sites()?;
        return match args.format {
            ShowFormat::Text if args.layout.is_none() => Ok(sites_table(&sites)),
            ShowFormat::Json if args.layout.is_none() => pretty(&sites),
            _ => Err(Failure::Usage(format!("select a site with --site: {}", list_sites(&sites))).into()),
        };
    };
    let Some(StoredSite { info, templates }) = store.site(site)? else {
        let message = format!("no templates of {site}: {}", list_sites(&store.sites()?));
        return Err(Failure::Usage(message).into());
    };
    show_templates(args, &templates, Some(&info))
}

/// How many sites an error names.
const NAMED_SITES: usize = 4;

fn list_sites(sites: &[SiteInfo]) -> String {
    let names: Vec<&str> = sites.iter().take(NAMED_SITES).map(|info| &*info.site).collect();
    match sites.len() {
        0 => "the store is empty".to_owned(),
        count if count > NAMED_SITES => {
            format!("it has {} and {} more", names.join(", "), count - NAMED_SITES)
        }
        _ => format!("it has {}", names.join(", ")),
    }
}

fn sites_table(sites: &[SiteInfo]) -> String {
    let width = sites
        .iter()
        .map(|info| info.site.chars().count())
        .max()
        .unwrap_or(0)
        .max(4);
    let mut out = format!(
        "{:<width$}  {:>7}  {:>6}  {:<20}  {:>5}  {:>8}  checked\n",
        "site", "layouts", "pages", "learned", "fit", "of pages"
    );
    for info in sites {
        let line = format!(
            "{:<width$}  {:>7}  {:>6}  {:<20}  {:>5}  {:>8}  {}",
            info.site,
            info.layouts,
            info.pages,
            date(info.learned),
            info.fit.map_or("-".to_owned(), |fit| format!("{fit:.2}")),
            info.fit
                .map_or("-".to_owned(), |_| info.checked_pages.to_string()),
            info.checked.map_or("-".to_owned(), date),
        );
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// Without fractions of seconds.
fn date(time: Timestamp) -> String {
    format!("{time:.0}")
}

fn show_templates(
    args: &ShowArgs,
    templates: &SiteTemplates,
    info: Option<&SiteInfo>,
) -> anyhow::Result<String> {
    let named = args.layout.as_deref();
    let chosen = named.map(|name| find_layout(templates, name)).transpose()?;
    Ok(match (args.format, chosen) {
        (ShowFormat::Text, None) => table(templates) + &info.map(checks).unwrap_or_default(),
        (ShowFormat::Text, Some(place)) => details(templates, place),
        (ShowFormat::Json, None) => pretty(&SiteJson {
            info,
            ..site_json(templates)
        })?,
        (ShowFormat::Json, Some(place)) => pretty(&layout_json(place, &templates.layouts()[place]))?,
        (ShowFormat::Html, chosen) => to_html(
            &chosen_layout(templates, chosen)?.extraction(),
            &OutputOptions::default(),
        ),
        (ShowFormat::Outline, chosen) => to_outline(&chosen_layout(templates, chosen)?.extraction()),
    })
}

/// What the store knows besides the templates.
fn checks(info: &SiteInfo) -> String {
    let checked = match (info.checked, info.fit) {
        (Some(checked), Some(fit)) => format!(
            "; {} pages fitted by {fit:.2} on {}",
            info.checked_pages,
            date(checked)
        ),
        _ => String::new(),
    };
    format!("\nlearned on {}{checked}\n", date(info.learned))
}

/// The index of a layout by id or number; an id may look like a number.
fn find_layout(templates: &SiteTemplates, name: &str) -> Result<usize, Failure> {
    let layouts = templates.layouts();
    let by_id = layouts.iter().position(|layout| layout.id() == name);
    let by_number = || {
        let number: usize = name.parse().ok()?;
        (1..=layouts.len()).contains(&number).then(|| number - 1)
    };
    by_id
        .or_else(by_number)
        .ok_or_else(|| Failure::Usage(format!("no layout {name}: {}", list_layouts(templates))))
}

/// The chosen layout, or the only one.
fn chosen_layout(templates: &SiteTemplates, chosen: Option<usize>) -> Result<&Layout, Failure> {
    let layouts = templates.layouts();
    match (chosen, layouts) {
        (Some(place), _) => Ok(&layouts[place]),
        (None, [only]) => Ok(only),
        _ => Err(Failure::Usage(format!(
            "select a template with --layout: {}",
            list_layouts(templates)
        ))),
    }
}

/// Lists the layouts.
fn list_layouts(templates: &SiteTemplates) -> String {
    let ids: Vec<String> = templates
        .layouts()
        .iter()
        .enumerate()
        .map(|(place, layout)| format!("{} ({})", place + 1, layout.id()))
        .collect();
    match ids.is_empty() {
        true => "the file has no layouts".to_owned(),
        false => format!("expected one of {}", ids.join(", ")),
    }
}

fn table(templates: &SiteTemplates) -> String {
    let layouts = templates.layouts();
    let mut out = format!(
        "{}: {} layout{}, learned from {} pages\n",
        templates.site(),
        layouts.len(),
        if layouts.len() == 1 { "" } else { "s" },
        templates.pages()
    );
    if layouts.is_empty() {
        return out;
    }
    out += &format!(
        "\n{:>2}  {:<10}  {:>7}  {:>7}  {:>7}  as on\n",
        "no", "id", "pages", "support", "nodes"
    );
    for (place, layout) in layouts.iter().enumerate() {
        out += &format!(
            "{:>2}  {:<10}  {:>7}  {:>7}  {:>7}  {}\n",
            place + 1,
            layout.id(),
            layout.pages(),
            layout.support(),
            layout.template_nodes(),
            layout.model()
        );
    }
    out
}

fn details(templates: &SiteTemplates, place: usize) -> String {
    let layout = &templates.layouts()[place];
    format!(
        "layout {} of {}\nid: {}\npages: {}\nsupport: {}\ntemplate nodes: {}\nas on: {}\n",
        place + 1,
        templates.site(),
        layout.id(),
        layout.pages(),
        layout.support(),
        layout.template_nodes(),
        layout.model()
    )
}

/// The output of `husk show --format json`. Fields may be added, but not renamed or removed.
#[derive(Serialize)]
struct SiteJson<'a> {
    site: &'a str,
    pages: u64,
    layouts: Vec<LayoutJson<'a>>,
    /// Only for a site of a template store.
    #[serde(skip_serializing_if = "Option::is_none")]
    info: Option<&'a SiteInfo>,
}

#[derive(Serialize)]
struct LayoutJson<'a> {
    number: usize,
    id: &'a str,
    pages: u32,
    support: usize,
    template_nodes: usize,
    model: &'a str,
}

fn site_json(templates: &SiteTemplates) -> SiteJson<'_> {
    let layouts = templates.layouts().iter().enumerate();
    SiteJson {
        site: templates.site(),
        pages: templates.pages(),
        layouts: layouts
            .map(|(place, layout)| layout_json(place, layout))
            .collect(),
        info: None,
    }
}

fn layout_json(place: usize, layout: &Layout) -> LayoutJson<'_> {
    LayoutJson {
        number: place + 1,
        id: layout.id(),
        pages: layout.pages(),
        support: layout.support(),
        template_nodes: layout.template_nodes(),
        model: layout.model().as_str(),
    }
}

fn pretty(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
