//! What was found out about a page, and everything that follows from it.

use std::sync::OnceLock;

use husk::output::{
    ContentHtmlOptions, ContentJson, Engine, HtmlOptions, InspectOptions, MarkdownOptions, MarkedPage,
    MenuOptions, content_html, content_markdown, content_text, in_document, menu_html, menu_json,
    menu_markdown, menu_text, menu_xpath, nodes_html, nodes_markdown, nodes_text, nodes_xpath, pagelets_json,
    pagelets_text, to_engine, to_html, to_inspection, to_json as template_json, to_outline, to_selectors,
    to_xpath, visits_json,
};
use husk::{Content, Metadata, Navigation, NodeSet, Pagelet, Selectors, needs_rendering, pagelets};
use pyo3::prelude::*;

use crate::errors::SessionError;
use crate::json::{parse_name, to_json};

/// What was found out about a page.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct Extraction {
    found: husk::Extraction,
    navigation: OnceLock<Navigation>,
    content: OnceLock<Content>,
    pagelets: OnceLock<Vec<Pagelet>>,
}

impl From<husk::Extraction> for Extraction {
    fn from(found: husk::Extraction) -> Self {
        Self {
            found,
            navigation: OnceLock::new(),
            content: OnceLock::new(),
            pagelets: OnceLock::new(),
        }
    }
}

impl Extraction {
    /// What was stripped, with its content, which is not to be told anew.
    pub(crate) fn with_content(found: husk::Extraction, content: Content) -> Self {
        let extraction = Self::from(found);
        // Nobody else has it yet.
        let _ = extraction.content.set(content);
        extraction
    }

    fn navigation(&self) -> &Navigation {
        self.navigation.get_or_init(|| Navigation::of(&self.found))
    }

    fn content(&self) -> &Content {
        self.content.get_or_init(|| Content::of(&self.found))
    }

    fn pagelets(&self) -> &[Pagelet] {
        self.pagelets
            .get_or_init(|| pagelets(&self.found, self.navigation(), self.content()))
    }

    /// The nodes of the template; none if nothing is known of it.
    fn template_nodes(&self) -> NodeSet {
        let mut nodes = NodeSet::none(&self.found.key_page.dom);
        if self.found.template.compared() > 0 {
            self.found.template.nodes().for_each(|node| nodes.insert(node));
        }
        nodes
    }

    fn pagelet_nodes(&self, number: usize) -> PyResult<NodeSet> {
        let dom = &self.found.key_page.dom;
        let pagelet = self.pagelets().get(number);
        let pagelet =
            pagelet.ok_or_else(|| SessionError::new_err(format!("there is no pagelet {number}")))?;
        let mut nodes = NodeSet::none(dom);
        for &root in &pagelet.roots {
            dom.subtree(root).for_each(|node| nodes.insert(node));
        }
        Ok(nodes)
    }

    fn written(&self, nodes: &NodeSet, form: Form) -> String {
        let page = &self.found.key_page;
        match form {
            Form::Markdown => nodes_markdown(page, nodes, &MarkdownOptions::default()),
            Form::Text => nodes_text(page, nodes),
            Form::Html => nodes_html(page, nodes, &ContentHtmlOptions::default()),
        }
    }
}

/// A form in which nodes are written.
#[derive(Clone, Copy, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Form {
    Markdown,
    Text,
    Html,
}

fn addresses(urls: &[husk::Url]) -> Vec<String> {
    urls.iter().map(ToString::to_string).collect()
}

fn html_options(scripts: &str, links: &str) -> PyResult<HtmlOptions> {
    Ok(HtmlOptions {
        scripts: parse_name("scripts", scripts)?,
        links: parse_name("links", links)?,
        ..HtmlOptions::default()
    })
}

fn menu_options(all: bool) -> MenuOptions {
    MenuOptions {
        all,
        relocation: None,
    }
}

#[pymethods]
impl Extraction {
    #[getter]
    fn key_page(&self) -> &str {
        self.found.key_page.url.as_str()
    }

    #[getter]
    fn method(&self) -> &str {
        self.found.method
    }

    #[getter]
    fn loaded(&self) -> Vec<String> {
        addresses(&self.found.loaded)
    }

    #[getter]
    fn compared(&self) -> Vec<String> {
        addresses(&self.found.compared)
    }

    /// How many pages spoke about the template: those compared, or those that it was learned from.
    #[getter]
    fn support(&self) -> usize {
        self.found.template.compared()
    }

    #[getter]
    fn failed(&self) -> Vec<(String, String)> {
        let failures = self.found.failures.iter();
        failures
            .map(|failure| (failure.url.to_string(), failure.cause.clone()))
            .collect()
    }

    #[getter]
    fn node_count(&self) -> usize {
        self.found.key_page.dom.len()
    }

    #[getter]
    fn content_method(&self, py: Python<'_>) -> &'static str {
        py.detach(|| self.content().method.name())
    }

    fn needs_rendering(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| needs_rendering(&self.found.key_page).map(|reason| reason.to_string()))
    }

    fn template_html(&self, py: Python<'_>, scripts: &str, links: &str) -> PyResult<String> {
        let options = html_options(scripts, links)?;
        Ok(py.detach(|| to_html(&self.found, &options)))
    }

    fn template_for(&self, py: Python<'_>, engine: &str, scripts: &str, links: &str) -> PyResult<String> {
        let engine: Engine = parse_name("engine", engine)?;
        let options = html_options(scripts, links)?;
        Ok(py.detach(|| to_engine(&self.found, engine, &options)))
    }

    fn template_written(&self, py: Python<'_>, form: &str) -> PyResult<String> {
        let form = parse_name("form", form)?;
        Ok(py.detach(|| self.written(&self.template_nodes(), form)))
    }

    fn template_json(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| to_json(&template_json(&self.found)))
    }

    /// Every page that was asked for, in that order, as JSON.
    fn visits_json(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| to_json(&visits_json(&self.found)))
    }

    fn template_xpath(&self, py: Python<'_>) -> String {
        py.detach(|| to_xpath(&self.found))
    }

    fn template_outline(&self, py: Python<'_>) -> String {
        py.detach(|| to_outline(&self.found))
    }

    fn template_selectors(&self, py: Python<'_>) -> String {
        py.detach(|| to_selectors(&Selectors::of_template(&self.found, self.content())))
    }

    fn has_menu(&self, py: Python<'_>) -> bool {
        py.detach(|| self.navigation().main().is_some())
    }

    fn menu_json(&self, py: Python<'_>, all: bool) -> PyResult<String> {
        py.detach(|| to_json(&menu_json(&self.found, self.navigation(), &menu_options(all))))
    }

    fn menu_markdown(&self, py: Python<'_>, all: bool) -> String {
        py.detach(|| menu_markdown(self.navigation(), &menu_options(all)))
    }

    fn menu_text(&self, py: Python<'_>, all: bool) -> String {
        py.detach(|| menu_text(self.navigation(), &menu_options(all)))
    }

    fn menu_html(&self, py: Python<'_>, all: bool) -> String {
        py.detach(|| menu_html(self.navigation(), &menu_options(all)))
    }

    fn menu_xpath(&self, py: Python<'_>, all: bool) -> String {
        py.detach(|| menu_xpath(&self.found, self.navigation(), &menu_options(all)))
    }

    fn content_markdown(&self, py: Python<'_>) -> String {
        let options = MarkdownOptions::default();
        py.detach(|| content_markdown(&self.found.key_page, self.content(), &options))
    }

    fn content_text(&self, py: Python<'_>) -> String {
        py.detach(|| content_text(&self.found.key_page, self.content()))
    }

    fn content_html(&self, py: Python<'_>) -> String {
        let options = ContentHtmlOptions::default();
        py.detach(|| content_html(&self.found.key_page, self.content(), &options))
    }

    fn content_document(&self, py: Python<'_>) -> String {
        py.detach(|| {
            let html = content_html(
                &self.found.key_page,
                self.content(),
                &ContentHtmlOptions::default(),
            );
            let metadata = Metadata::with_siblings(&self.found.key_page, &self.found.pages);
            in_document(&html, &metadata)
        })
    }

    fn comments(&self, py: Python<'_>, form: &str) -> PyResult<String> {
        let form = parse_name("form", form)?;
        Ok(py.detach(|| self.written(&self.content().comments, form)))
    }

    /// As `husk content --format json` prints it, the content written in a form.
    fn content_json(&self, py: Python<'_>, form: &str) -> PyResult<String> {
        let written_as: Form = parse_name("form", form)?;
        py.detach(|| {
            let content = self.content();
            let written = self.written(&content.nodes, written_as);
            to_json(&ContentJson::new(&self.found, content, form, written))
        })
    }

    fn content_xpath(&self, py: Python<'_>) -> String {
        py.detach(|| nodes_xpath(&self.found.key_page.dom, self.content().nodes.iter()))
    }

    fn pagelets_json(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| to_json(&pagelets_json(&self.found, self.pagelets())))
    }

    fn pagelets_text(&self, py: Python<'_>) -> String {
        py.detach(|| pagelets_text(&self.found, self.pagelets()))
    }

    /// What a pagelet says, by its place.
    fn pagelet_written(&self, py: Python<'_>, number: usize, form: &str) -> PyResult<String> {
        let form = parse_name("form", form)?;
        py.detach(|| Ok(self.written(&self.pagelet_nodes(number)?, form)))
    }

    /// The page with a letter for what each part is: it runs nothing and loads nothing.
    fn marked_page(&self, py: Python<'_>) -> String {
        py.detach(|| MarkedPage::of(&self.found, &offline(true)).html)
    }

    fn inspection(&self, py: Python<'_>, is_offline: bool) -> String {
        py.detach(|| to_inspection(&self.found, &offline(is_offline)))
    }
}

fn offline(offline: bool) -> InspectOptions {
    InspectOptions {
        offline,
        ..InspectOptions::default()
    }
}
