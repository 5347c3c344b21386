//! The result of an extraction, and its outputs.

use husk::output::{
    ContentFormat, Output, OutputOptions, content_json, marks_json, menu_json, pagelets_json, to_json,
    visits_json,
};
use husk::{Analysis, needs_rendering};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::json::{from_js, to_js};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types/extraction.d.ts");

#[wasm_bindgen]
extern "C" {
    /// A part of the page.
    #[wasm_bindgen(typescript_type = "Part")]
    pub type PartName;

    /// A format of a part.
    #[wasm_bindgen(typescript_type = "Format")]
    pub type FormatName;

    /// How an output is written.
    #[wasm_bindgen(typescript_type = "Partial<OutputOptions>")]
    pub type SomeOutputOptions;

    /// The format of the content in the JSON.
    #[wasm_bindgen(typescript_type = "ContentFormat")]
    pub type ContentFormatName;

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

/// The result of an extraction.
#[wasm_bindgen]
pub struct Extraction(Analysis);

impl From<husk::Extraction> for Extraction {
    fn from(extraction: husk::Extraction) -> Self {
        Self(extraction.into())
    }
}

#[wasm_bindgen]
impl Extraction {
    /// The URL of the page.
    #[wasm_bindgen(getter, js_name = keyPage)]
    pub fn key_page(&self) -> String {
        self.0.page().url.to_string()
    }

    /// Every page that was loaded, the key page first.
    #[wasm_bindgen(getter)]
    pub fn loaded(&self) -> Vec<String> {
        let loaded = self.0.extraction().loaded.iter();
        loaded.map(ToString::to_string).collect()
    }

    /// The pages that it was compared with.
    #[wasm_bindgen(getter)]
    pub fn compared(&self) -> Vec<String> {
        let compared = self.0.extraction().compared.iter();
        compared.map(ToString::to_string).collect()
    }

    /// How many pages the template is based on; 0 if there is no template.
    #[wasm_bindgen(getter)]
    pub fn support(&self) -> usize {
        self.0.support()
    }

    /// How many nodes the page has.
    #[wasm_bindgen(getter, js_name = nodeCount)]
    pub fn node_count(&self) -> usize {
        self.0.page().dom.len()
    }

    /// How many of them are template.
    #[wasm_bindgen(getter, js_name = templateNodeCount)]
    pub fn template_node_count(&self) -> usize {
        self.0.extraction().template.nodes().count()
    }

    /// Why the page, as it was given, seems to need its scripts; undefined if it does not.
    #[wasm_bindgen(js_name = needsRendering)]
    pub fn needs_rendering(&self) -> Option<String> {
        needs_rendering(self.0.page()).map(|reason| reason.to_string())
    }

    /// The other pages that, as they were given, seem to need their scripts, whether compared or not.
    #[wasm_bindgen(getter, js_name = scriptedPages)]
    pub fn scripted_pages(&self) -> Vec<String> {
        let pages = self.0.extraction().pages.iter();
        pages
            .filter(|page| needs_rendering(page).is_some())
            .map(|page| page.url.to_string())
            .collect()
    }

    /// Every page that was asked for, in that order, why, and what came of it.
    #[wasm_bindgen(getter)]
    pub fn visits(&self) -> Result<VisitsValue, JsError> {
        to_js(&visits_json(self.0.extraction()))
    }

    /// A part of the page in a format, as the command prints it. Throws if the page does not have the part.
    pub fn write(
        &self,
        part: PartName,
        format: FormatName,
        options: Option<SomeOutputOptions>,
    ) -> Result<String, JsError> {
        let name = |value: JsValue| value.as_string().unwrap_or_default();
        let output = Output::find(&name(part.into()), &name(format.into()))?;
        let options = options.map_or(JsValue::UNDEFINED, Into::into);
        let options: OutputOptions =
            from_js(&options).map_err(|cause| JsError::new(&format!("output options: {cause}")))?;
        Ok(output.write(&self.0, &options)?.text)
    }

    /// The template as an object: pages, nodes with their support, slots.
    #[wasm_bindgen(js_name = templateJson)]
    pub fn template_json(&self) -> Result<TemplateValue, JsError> {
        to_js(&to_json(self.0.extraction()))
    }

    /// The main menu as an object, and every other block of links if `all` is true.
    #[wasm_bindgen(js_name = menuJson)]
    pub fn menu_json(&self, all: Option<bool>) -> Result<MenuValue, JsError> {
        let options = OutputOptions {
            all: all.unwrap_or(false),
            ..OutputOptions::default()
        };
        to_js(&menu_json(&self.0, &options))
    }

    /// The content as an object, with the page's metadata; its text is Markdown unless another format is named.
    #[wasm_bindgen(js_name = contentJson)]
    pub fn content_json(&self, format: Option<ContentFormatName>) -> Result<ContentValue, JsError> {
        let format = format.map_or(JsValue::UNDEFINED, Into::into);
        let content_format: ContentFormat =
            from_js(&format).map_err(|cause| JsError::new(&format!("content format: {cause}")))?;
        let options = OutputOptions {
            content_format,
            ..OutputOptions::default()
        };
        to_js(&content_json(&self.0, &options))
    }

    /// The blocks of the page and their functions.
    #[wasm_bindgen(js_name = pageletsJson)]
    pub fn pagelets_json(&self) -> Result<PageletsValue, JsError> {
        to_js(&pagelets_json(&self.0))
    }

    /// What each part of the page is: template, menu, content.
    #[wasm_bindgen(js_name = marksJson)]
    pub fn marks_json(&self) -> Result<MarksValue, JsError> {
        to_js(&marks_json(&self.0))
    }
}
