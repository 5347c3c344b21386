//! Menus and other navigation: JSON, Markdown, HTML, XPath and plain text.

use std::fmt::Write;

use husk_dom::{write_attribute, write_text};
use serde::Serialize;
use url::Url;

use super::options::OutputOptions;
use super::registry::{HTML, JSON, MARKDOWN, Output, PLAIN, Part, json_text};
use super::urls::from_place;
use super::xpath::{NodePath, NodePaths, nodes_xpath};
use crate::analysis::Analysis;
use crate::navigation::{MenuItem, Navigation, NavigationBlock, NavigationKind};

pub(super) const MENU_MARKDOWN: Output = Output {
    part: Part::Menu,
    name: "markdown",
    media_type: MARKDOWN,
    extension: "md",
    help: "A nested list with links, the active entry in bold",
    options: &["all"],
    writer: |analysis, options| Ok(menu_markdown(analysis.navigation(), options).into()),
};

pub(super) const MENU_JSON: Output = Output {
    part: Part::Menu,
    name: "json",
    media_type: JSON,
    extension: "json",
    help: "One object: pages, and the menu as a tree with labels, URLs and the active entry",
    options: &["all"],
    writer: |analysis, options| json_text(&menu_json(analysis, options)),
};

pub(super) const MENU_HTML: Output = Output {
    part: Part::Menu,
    name: "html",
    media_type: HTML,
    extension: "html",
    help: "Nested lists in a nav element, without anything else of the page",
    options: &["all"],
    writer: |analysis, options| Ok(menu_html(analysis.navigation(), options).into()),
};

pub(super) const MENU_TEXT: Output = Output {
    part: Part::Menu,
    name: "text",
    media_type: PLAIN,
    extension: "txt",
    help: "Labels, indented",
    options: &["all"],
    writer: |analysis, options| Ok(menu_text(analysis.navigation(), options).into()),
};

pub(super) const MENU_XPATH: Output = Output {
    part: Part::Menu,
    name: "xpath",
    media_type: PLAIN,
    extension: "xpath.txt",
    help: "One absolute XPath a line for each node",
    options: &["all"],
    writer: |analysis, options| Ok(menu_xpath(analysis, options).into()),
};

/// What `husk menu --format json` prints. Fields are added over time, not renamed or taken away.
#[derive(Debug, Clone, Serialize)]
pub struct MenuJson<'a> {
    /// The page whose menu was wanted.
    pub key_page: String,
    /// How its template was found.
    pub method: String,
    /// Every page that was loaded, the key page first.
    pub loaded: Vec<String>,
    /// The pages that the key page was compared with.
    pub compared: Vec<String>,
    /// The main menu; null if there is none.
    pub menu: Option<NavigationJson<'a>>,
    /// Every block of links in document order, the main menu among them, if all were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub navigation: Option<Vec<NavigationJson<'a>>>,
}

/// A block of links.
#[derive(Debug, Clone, Serialize)]
pub struct NavigationJson<'a> {
    /// What it is for: main, sub, breadcrumb, footer, pagination or language.
    pub kind: &'static str,
    /// The smallest subtrees that hold it.
    pub xpaths: Vec<NodePath<'a>>,
    /// Its links as a tree.
    pub entries: Vec<MenuItemJson>,
}

/// An entry of a menu.
#[derive(Debug, Clone, Serialize)]
pub struct MenuItemJson {
    /// Its words.
    pub label: String,
    /// Where it leads; null if it only stands above others.
    pub url: Option<String>,
    /// Whether the page is this entry, or stands below it.
    pub active: bool,
    /// What stands below it.
    pub children: Vec<MenuItemJson>,
}

impl NavigationKind {
    /// The name it has in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Sub => "sub",
            Self::Breadcrumb => "breadcrumb",
            Self::Footer => "footer",
            Self::Pagination => "pagination",
            Self::Language => "language",
        }
    }

    /// What people call it.
    fn title(self) -> &'static str {
        match self {
            Self::Main => "Main menu",
            Self::Sub => "Submenu",
            Self::Breadcrumb => "Breadcrumb",
            Self::Footer => "Footer",
            Self::Pagination => "Pagination",
            Self::Language => "Languages",
        }
    }
}

impl OutputOptions {
    /// The blocks that are wanted, in document order.
    fn menu_blocks<'a>(&self, navigation: &'a Navigation) -> Vec<&'a NavigationBlock> {
        if self.all {
            navigation.blocks.iter().collect()
        } else {
            navigation.main().into_iter().collect()
        }
    }

    fn menu_url(&self, url: &Url) -> String {
        // A guessed URL is better than a file, but a placeholder is none that others can use.
        let relocation = self.relocation.as_ref();
        let placeholder = relocation.filter(|relocation| relocation.is_placeholder(url));
        let url = placeholder.map_or_else(|| url.clone(), |relocation| relocation.apply(url.clone()));
        from_place(&url, self.place.as_ref())
    }
}

/// The menu as a serialisable value; `serde_json::to_string` makes the text.
pub fn menu_json<'a>(analysis: &'a Analysis, options: &OutputOptions) -> MenuJson<'a> {
    let (extraction, navigation) = (analysis.extraction(), analysis.navigation());
    let dom = &extraction.key_page.dom;
    let paths = NodePaths::of(dom);
    let block = |block: &NavigationBlock| NavigationJson {
        kind: block.kind.name(),
        xpaths: block.roots.iter().map(|&root| paths.path(root)).collect(),
        entries: entries_json(&block.entries, options),
    };
    MenuJson {
        key_page: extraction.key_page.url.to_string(),
        method: extraction.method.to_owned(),
        loaded: extraction.loaded.iter().map(ToString::to_string).collect(),
        compared: extraction.compared.iter().map(ToString::to_string).collect(),
        menu: navigation.main().map(block),
        navigation: options.all.then(|| navigation.blocks.iter().map(block).collect()),
    }
}

// Menus are at most 16 entries deep, so that entries may be written by functions that call themselves.
fn entries_json(entries: &[MenuItem], options: &OutputOptions) -> Vec<MenuItemJson> {
    let json = |entry: &MenuItem| MenuItemJson {
        label: entry.label.clone(),
        url: entry.url.as_ref().map(|url| options.menu_url(url)),
        active: entry.is_active,
        children: entries_json(&entry.children, options),
    };
    entries.iter().map(json).collect()
}

/// The menu as a nested Markdown list; the active entry is bold.
fn menu_markdown(navigation: &Navigation, options: &OutputOptions) -> String {
    let mut out = String::new();
    for block in options.menu_blocks(navigation) {
        if options.all {
            begin_block(&mut out);
            put(&mut out, format_args!("## {}\n\n", block.kind.title()));
        }
        each_entry(&block.entries, 0, &mut |entry, depth| {
            let label = markdown_label(&entry.label);
            let linked = match &entry.url {
                Some(url) => format!("[{label}]({})", markdown_url(&options.menu_url(url))),
                None => label,
            };
            let mark = if entry.is_active { "**" } else { "" };
            put(
                &mut out,
                format_args!("{:indent$}- {mark}{linked}{mark}\n", "", indent = 2 * depth),
            );
        });
    }
    out
}

/// The menu as labels, each on a line of its own, indented below the entry it belongs to.
fn menu_text(navigation: &Navigation, options: &OutputOptions) -> String {
    let mut out = String::new();
    for block in options.menu_blocks(navigation) {
        let from = usize::from(options.all);
        if options.all {
            begin_block(&mut out);
            put(&mut out, format_args!("{}:\n", block.kind.title()));
        }
        each_entry(&block.entries, from, &mut |entry, depth| {
            put(
                &mut out,
                format_args!("{:indent$}{}\n", "", entry.label, indent = 2 * depth),
            );
        });
    }
    out
}

/// The menu as nested lists in a `<nav>`, with nothing of the page in it but labels and URLs.
fn menu_html(navigation: &Navigation, options: &OutputOptions) -> String {
    let mut out = String::new();
    for block in options.menu_blocks(navigation) {
        out.push_str("<nav");
        write_attribute("aria-label", block.kind.title(), &mut out);
        out.push_str(">\n");
        if options.all {
            put(&mut out, format_args!("  <h2>{}</h2>\n", block.kind.title()));
        }
        write_list(&block.entries, 1, options, &mut out);
        out.push_str("</nav>\n");
    }
    out
}

/// One absolute XPath a line for each node of the menu; of all blocks, each under a line that begins with `#`.
fn menu_xpath(analysis: &Analysis, options: &OutputOptions) -> String {
    let (dom, navigation) = (&analysis.page().dom, analysis.navigation());
    let mut out = String::new();
    for block in options.menu_blocks(navigation) {
        if options.all {
            put(&mut out, format_args!("# {}\n", block.kind.name()));
        }
        out.push_str(&nodes_xpath(dom, block.nodes(dom)));
    }
    out
}

/// Leaves a blank line in front of every block but the first.
fn begin_block(out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
}

fn each_entry(entries: &[MenuItem], depth: usize, write: &mut impl FnMut(&MenuItem, usize)) {
    for entry in entries {
        write(entry, depth);
        each_entry(&entry.children, depth + 1, write);
    }
}

fn write_list(entries: &[MenuItem], depth: usize, options: &OutputOptions, out: &mut String) {
    let indent = "  ".repeat(depth);
    put(out, format_args!("{indent}<ul>\n"));
    for entry in entries {
        put(out, format_args!("{indent}  <li>"));
        write_label(entry, options, out);
        if !entry.children.is_empty() {
            out.push('\n');
            write_list(&entry.children, depth + 2, options, out);
            put(out, format_args!("{indent}  "));
        }
        out.push_str("</li>\n");
    }
    put(out, format_args!("{indent}</ul>\n"));
}

fn write_label(entry: &MenuItem, options: &OutputOptions, out: &mut String) {
    let element = if entry.url.is_some() { "a" } else { "span" };
    put(out, format_args!("<{element}"));
    if let Some(url) = &entry.url {
        write_attribute("href", &options.menu_url(url), out);
    }
    if entry.is_active {
        write_attribute("aria-current", "page", out);
    }
    out.push('>');
    write_text(&entry.label, out);
    put(out, format_args!("</{element}>"));
}

/// A label without anything that Markdown would take for its own.
fn markdown_label(label: &str) -> String {
    let mut out = String::with_capacity(label.len());
    for (index, letter) in label.char_indices() {
        let is_mark = matches!(
            letter,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '!'
        );
        // At the start of an entry these would begin a heading or another list; a number needs its stop escaped.
        let begins = index == 0 && matches!(letter, '#' | '-' | '+' | '=');
        let numbers = matches!(letter, '.' | ')')
            && index > 0
            && label[..index].bytes().all(|byte| byte.is_ascii_digit());
        if is_mark || begins || numbers {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

/// A URL that ends where it should: parentheses would close the link.
fn markdown_url(address: &str) -> String {
    address.replace('(', "%28").replace(')', "%29")
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = out.write_fmt(text);
}
