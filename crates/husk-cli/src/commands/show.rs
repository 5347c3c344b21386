//! `husk show`: print learned templates.

use husk::output::{OutputOptions, to_html, to_outline};
use husk::{Layout, SiteTemplates};
use serde::Serialize;

use crate::args::{ShowArgs, ShowFormat};
use crate::failure::Failure;
use crate::output;
use crate::templates_file;

pub(crate) fn run(args: &ShowArgs) -> anyhow::Result<()> {
    let templates = templates_file::read(&args.file)?;
    output::spare(&args.file, &args.output)?;
    let named = args.layout.as_deref();
    let chosen = named.map(|name| find_layout(&templates, name)).transpose()?;
    let result = match (args.format, chosen) {
        (ShowFormat::Text, None) => table(&templates),
        (ShowFormat::Text, Some(place)) => details(&templates, place),
        (ShowFormat::Json, None) => pretty(&site_json(&templates))?,
        (ShowFormat::Json, Some(place)) => pretty(&layout_json(place, &templates.layouts()[place]))?,
        (ShowFormat::Html, chosen) => to_html(
            &chosen_layout(&templates, chosen)?.extraction(),
            &OutputOptions::default(),
        ),
        (ShowFormat::Outline, chosen) => to_outline(&chosen_layout(&templates, chosen)?.extraction()),
    };
    output::write(&result, &args.output)
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
        "{}: {} layouts, learned from {} pages\n",
        templates.site(),
        layouts.len(),
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
