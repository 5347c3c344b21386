//! What was found out about a page, and everything that follows from it.

use std::cell::OnceCell;

use husk::output::{
    ContentHtmlOptions, ContentJson, Engine, HtmlOptions, InspectOptions, MarkdownOptions, MenuOptions,
    content_html, content_markdown, content_text, in_document, marks_json, menu_html, menu_json,
    menu_markdown, nodes_html, pagelets_json, to_engine, to_html, to_inspection, to_json, to_outline,
    to_selectors, to_xpath, visits_json,
};
use husk::{Content, Metadata, Navigation, Selectors, needs_rendering, pagelets};
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::json::{from_js, to_js};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types/extraction.d.ts");

#[wasm_bindgen]
extern "C" {
    /// How the template is written.
    #[wasm_bindgen(typescript_type = "Partial<TemplateOptions>")]
    pub type TemplateOptions;

    /// The name of a template engine.
    #[wasm_bindgen(typescript_type = "Engine")]
    pub type EngineName;

    /// The form of the content in the JSON.
    #[wasm_bindgen(typescript_type = "ContentForm")]
    pub type ContentForm;

    /// The pages that were asked for.
    #[wasm_bindgen(typescript_type = "Visit[]")]
    pub type VisitsValue;

    /// The template as an object.
    #[wasm_bindgen(typescript_type = "TemplateJson")]
    pub type TemplateValue;

    /// The menu as an object.
    #[wasm_bindgen(typescript_type = "MenuJson")]
    pub type MenuValue;

    /// The content as an object.
    #[wasm_bindgen(typescript_type = "ContentJson")]
    pub type ContentValue;

    /// The blocks of the page as an object.
    #[wasm_bindgen(typescript_type = "PageletsJson")]
    pub type PageletsValue;

    /// What each part of the page is, as an object.
    #[wasm_bindgen(typescript_type = "MarksJson")]
    pub type MarksValue;
}

/// The options of the template that JavaScript can give.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct TemplateSettings {
    scripts: husk::output::Scripts,
    links: husk::output::Links,
}

/// The forms of the content in the JSON.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Form {
    #[default]
    Markdown,
    Text,
    Html,
}

impl Form {
    fn name(&self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Text => "text",
            Self::Html => "html",
        }
    }
}

/// What was found out about a page.
#[wasm_bindgen]
pub struct Extraction {
    found: husk::Extraction,
    navigation: OnceCell<Navigation>,
    content: OnceCell<Content>,
}

impl From<husk::Extraction> for Extraction {
    fn from(found: husk::Extraction) -> Self {
        Self {
            found,
            navigation: OnceCell::new(),
            content: OnceCell::new(),
        }
    }
}

impl Extraction {
    fn navigation(&self) -> &Navigation {
        self.navigation.get_or_init(|| Navigation::of(&self.found))
    }

    fn content(&self) -> &Content {
        self.content.get_or_init(|| Content::of(&self.found))
    }

    fn written(&self, form: &Form) -> String {
        let (page, content) = (&self.found.key_page, self.content());
        match form {
            Form::Markdown => content_markdown(page, content, &MarkdownOptions::default()),
            Form::Text => content_text(page, content),
            Form::Html => nodes_html(page, &content.nodes, &ContentHtmlOptions::default()),
        }
    }
}

#[wasm_bindgen]
impl Extraction {
    /// The address of the page whose template was wanted.
    #[wasm_bindgen(getter, js_name = keyPage)]
    pub fn key_page(&self) -> String {
        self.found.key_page.url.to_string()
    }

    /// Every page that was loaded, the key page first.
    #[wasm_bindgen(getter)]
    pub fn loaded(&self) -> Vec<String> {
        self.found.loaded.iter().map(ToString::to_string).collect()
    }

    /// The pages that it was compared with; if there are none, nothing is known of a template.
    #[wasm_bindgen(getter)]
    pub fn compared(&self) -> Vec<String> {
        self.found.compared.iter().map(ToString::to_string).collect()
    }

    /// How many nodes the page has.
    #[wasm_bindgen(getter, js_name = nodeCount)]
    pub fn node_count(&self) -> usize {
        self.found.key_page.dom.len()
    }

    /// How many of them are template.
    #[wasm_bindgen(getter, js_name = templateNodeCount)]
    pub fn template_node_count(&self) -> usize {
        self.found.template.nodes().count()
    }

    /// Why the page, as it was given, seems to need its scripts; undefined if it does not.
    #[wasm_bindgen(js_name = needsRendering)]
    pub fn needs_rendering(&self) -> Option<String> {
        needs_rendering(&self.found.key_page).map(|reason| reason.to_string())
    }

    /// The other pages that, as they were given, seem to need their scripts, whether compared or not.
    #[wasm_bindgen(getter, js_name = scriptedPages)]
    pub fn scripted_pages(&self) -> Vec<String> {
        let pages = self.found.pages.iter();
        pages
            .filter(|page| needs_rendering(page).is_some())
            .map(|page| page.url.to_string())
            .collect()
    }

    /// Every page that was asked for, in that order, why, and what came of it.
    #[wasm_bindgen(getter)]
    pub fn visits(&self) -> Result<VisitsValue, JsError> {
        to_js(&visits_json(&self.found))
    }

    /// The template as HTML with slots.
    #[wasm_bindgen(js_name = templateHtml)]
    pub fn template_html(&self, options: Option<TemplateOptions>) -> Result<String, JsError> {
        Ok(to_html(&self.found, &html_options(options)?))
    }

    /// The template for a template engine, with a named placeholder for each slot.
    #[wasm_bindgen(js_name = templateFor)]
    pub fn template_for(
        &self,
        engine: EngineName,
        options: Option<TemplateOptions>,
    ) -> Result<String, JsError> {
        let engine: Option<Engine> =
            from_js(&engine).map_err(|cause| JsError::new(&format!("engine: {cause}")))?;
        let engine = engine.ok_or_else(|| JsError::new("engine: name one, such as \"jinja\""))?;
        Ok(to_engine(&self.found, engine, &html_options(options)?))
    }

    /// The template as an object: pages, nodes with their support, slots.
    #[wasm_bindgen(js_name = templateJson)]
    pub fn template_json(&self) -> Result<TemplateValue, JsError> {
        to_js(&to_json(&self.found))
    }

    /// The nodes of the template, one XPath a line.
    #[wasm_bindgen(js_name = templateXpath)]
    pub fn template_xpath(&self) -> String {
        to_xpath(&self.found)
    }

    /// The page, one node a line, T in front of the template.
    #[wasm_bindgen(js_name = templateOutline)]
    pub fn template_outline(&self) -> String {
        to_outline(&self.found)
    }

    /// CSS selectors of what to exclude so that the content is left, one a line, then a tab and why.
    #[wasm_bindgen(js_name = templateSelectors)]
    pub fn template_selectors(&self) -> String {
        to_selectors(&Selectors::of_template(&self.found, self.content()))
    }

    /// The main menu as an object, and every other block of links if `all` is true.
    #[wasm_bindgen(js_name = menuJson)]
    pub fn menu_json(&self, all: Option<bool>) -> Result<MenuValue, JsError> {
        to_js(&menu_json(&self.found, self.navigation(), &menu_options(all)))
    }

    /// The main menu as a list in Markdown.
    #[wasm_bindgen(js_name = menuMarkdown)]
    pub fn menu_markdown(&self, all: Option<bool>) -> String {
        menu_markdown(self.navigation(), &menu_options(all))
    }

    /// The main menu as a list in HTML.
    #[wasm_bindgen(js_name = menuHtml)]
    pub fn menu_html(&self, all: Option<bool>) -> String {
        menu_html(self.navigation(), &menu_options(all))
    }

    /// The content as Markdown.
    #[wasm_bindgen(js_name = contentMarkdown)]
    pub fn content_markdown(&self) -> String {
        self.written(&Form::Markdown)
    }

    /// The content as plain text.
    #[wasm_bindgen(js_name = contentText)]
    pub fn content_text(&self) -> String {
        self.written(&Form::Text)
    }

    /// The content as clean HTML, without a document around it.
    #[wasm_bindgen(js_name = contentHtml)]
    pub fn content_html(&self) -> String {
        content_html(
            &self.found.key_page,
            self.content(),
            &ContentHtmlOptions::default(),
        )
    }

    /// The content as a document of clean HTML.
    #[wasm_bindgen(js_name = contentDocument)]
    pub fn content_document(&self) -> String {
        let metadata = Metadata::with_siblings(&self.found.key_page, &self.found.pages);
        in_document(&self.content_html(), &metadata)
    }

    /// The content as an object, with what the page says about itself; written as Markdown unless said otherwise.
    #[wasm_bindgen(js_name = contentJson)]
    pub fn content_json(&self, form: Option<ContentForm>) -> Result<ContentValue, JsError> {
        let form = form.map_or(JsValue::UNDEFINED, Into::into);
        let form: Form = from_js(&form).map_err(|cause| JsError::new(&format!("form: {cause}")))?;
        to_js(&ContentJson::new(
            &self.found,
            self.content(),
            form.name(),
            self.written(&form),
        ))
    }

    /// The blocks of the page and what each is for.
    #[wasm_bindgen(js_name = pageletsJson)]
    pub fn pagelets_json(&self) -> Result<PageletsValue, JsError> {
        let pagelets = pagelets(&self.found, self.navigation(), self.content());
        to_js(&pagelets_json(&self.found, &pagelets))
    }

    /// What each part of the page is: template, menu, content.
    #[wasm_bindgen(js_name = marksJson)]
    pub fn marks_json(&self) -> Result<MarksValue, JsError> {
        to_js(&marks_json(&self.found))
    }

    /// A report on the page as one file of HTML, as `husk inspect` writes it; it loads nothing if `offline` is true.
    pub fn inspection(&self, offline: Option<bool>) -> String {
        let options = InspectOptions {
            offline: offline.unwrap_or(false),
            ..InspectOptions::default()
        };
        to_inspection(&self.found, &options)
    }
}

fn html_options(options: Option<TemplateOptions>) -> Result<HtmlOptions, JsError> {
    let options = options.map_or(JsValue::UNDEFINED, Into::into);
    let TemplateSettings { scripts, links } =
        from_js(&options).map_err(|cause| JsError::new(&format!("template options: {cause}")))?;
    Ok(HtmlOptions {
        scripts,
        links,
        ..HtmlOptions::default()
    })
}

fn menu_options(all: Option<bool>) -> MenuOptions {
    MenuOptions {
        all: all.unwrap_or(false),
        relocation: None,
    }
}
