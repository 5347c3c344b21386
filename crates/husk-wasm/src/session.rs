//! An extraction whose pages still have to be loaded.

use std::time::SystemTime;

use husk::{Options, Page, Url};
use husk_sources::{Capture, Folder};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::extraction::Extraction;
use crate::json::{from_js, to_js};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types/session.d.ts");

#[wasm_bindgen]
extern "C" {
    /// How an extraction is done.
    #[wasm_bindgen(typescript_type = "Options")]
    pub type JsOptions;

    /// Some of the options; the others are as by default.
    #[wasm_bindgen(typescript_type = "Partial<Options>")]
    pub type SomeOptions;

    /// Why a page is needed.
    #[wasm_bindgen(typescript_type = "Why | undefined")]
    pub type WhyOrNothing;

    /// What came over the wire.
    #[wasm_bindgen(typescript_type = "Answer")]
    pub type Answer;

    #[wasm_bindgen(method, getter)]
    fn url(this: &Answer) -> String;

    #[wasm_bindgen(method, getter)]
    fn status(this: &Answer) -> Option<u16>;

    #[wasm_bindgen(method, getter, js_name = contentType)]
    fn content_type(this: &Answer) -> Option<String>;

    #[wasm_bindgen(method, getter)]
    fn body(this: &Answer) -> Option<js_sys::Uint8Array>;
}

/// The options that hold where none is given.
#[wasm_bindgen(js_name = defaultOptions)]
pub fn default_options() -> Result<JsOptions, JsError> {
    to_js(&Options::default())
}

/// An extraction that asks for one page at a time and never loads one itself.
#[wasm_bindgen]
pub struct Session(husk::Session);

#[wasm_bindgen]
impl Session {
    /// Begins with the page whose template is wanted: its address, its HTML, and some options.
    #[wasm_bindgen(constructor)]
    pub fn new(url: &str, html: &str, options: Option<SomeOptions>) -> Result<Self, JsError> {
        let options = options.map_or(JsValue::UNDEFINED, Into::into);
        let options: Options =
            from_js(&options).map_err(|cause| JsError::new(&format!("options: {cause}")))?;
        options
            .thresholds
            .check()
            .map_err(|cause| JsError::new(&format!("options: {cause}")))?;
        Ok(Self(husk::Session::new(page(url, html)?, options)))
    }

    /// The address of the page that is needed next; undefined when enough is known. The same until it is given or given
    /// up.
    #[wasm_bindgen(js_name = nextWanted)]
    pub fn next_wanted(&self) -> Option<String> {
        self.0.next_wanted().map(ToString::to_string)
    }

    /// Pages that will be needed in any case unless something goes wrong, the next one first: these may be loaded ahead.
    #[wasm_bindgen(js_name = wantedAhead)]
    pub fn wanted_ahead(&self) -> Vec<String> {
        self.0.wanted_ahead().iter().map(ToString::to_string).collect()
    }

    /// How many more pages may be needed at most.
    #[wasm_bindgen(js_name = wantedAtMost)]
    pub fn wanted_at_most(&self) -> usize {
        self.0.wanted_at_most()
    }

    /// Why the next page is needed.
    #[wasm_bindgen(js_name = whyWanted)]
    pub fn why_wanted(&self) -> Result<WhyOrNothing, JsError> {
        match self.0.why_wanted() {
            Some(why) => to_js(&why),
            None => Ok(JsValue::UNDEFINED.into()),
        }
    }

    /// Gives the page that was asked for, as text. Its address may be another one, after a redirect.
    pub fn give(&mut self, url: &str, html: &str) -> Result<(), JsError> {
        self.0.give(page(url, html)?);
        Ok(())
    }

    /// Gives what a server answered for the page that was asked for. If that is no page, it is given up; returned is why.
    #[wasm_bindgen(js_name = giveAnswer)]
    pub fn give_answer(&mut self, answer: &Answer) -> Result<Option<String>, JsError> {
        match capture(answer)?.page(Folder::MAX_BYTES) {
            Ok(page) => {
                self.0.give(page);
                Ok(None)
            }
            Err(cause) => {
                let cause = cause.to_string();
                self.0.give_up(cause.clone());
                Ok(Some(cause))
            }
        }
    }

    /// Says that the page that was asked for cannot be had, and why.
    #[wasm_bindgen(js_name = giveUp)]
    pub fn give_up(&mut self, cause: &str) {
        self.0.give_up(cause);
    }

    /// Whether there are too few links, so that a list of the site's pages would help: see `Listing`.
    #[wasm_bindgen(js_name = wantsAddresses)]
    pub fn wants_addresses(&self) -> bool {
        self.0.wants_addresses()
    }

    /// Offers the addresses of pages of the site. What is no address is left out.
    pub fn offer(&mut self, addresses: Vec<String>) {
        self.0.offer(
            addresses
                .iter()
                .filter_map(|address| Url::parse(address).ok())
                .collect(),
        );
    }

    /// Extracts from what was given so far. The session is used up.
    pub fn finish(self) -> Extraction {
        Extraction::from(self.0.finish())
    }
}

fn page(url: &str, html: &str) -> Result<Page, JsError> {
    Ok(Page::parse(address(url)?, html))
}

pub(crate) fn address(url: &str) -> Result<Url, JsError> {
    Url::parse(url).map_err(|cause| JsError::new(&format!("{url:?} is no address: {cause}")))
}

fn capture(answer: &Answer) -> Result<Capture, JsError> {
    let body = answer
        .body()
        .ok_or_else(|| JsError::new("an answer needs a body, a Uint8Array"))?;
    let content_type = answer
        .content_type()
        .map(|kind| ("content-type".to_owned(), kind));
    Ok(Capture {
        url: address(&answer.url())?,
        status: answer.status().unwrap_or(200),
        headers: content_type.into_iter().collect(),
        body: body.to_vec(),
        is_whole: true,
        // There is no clock, and no page depends on it.
        date: SystemTime::UNIX_EPOCH,
        ip: None,
        is_rendered: false,
    })
}
