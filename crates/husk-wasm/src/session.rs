//! An extraction whose pages still have to be loaded.

use husk::dom::declared_encoding;
use husk::{Options, Page, SameSite, Url};
use husk_sources::page_charset;
use js_sys::Uint8Array;
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
    #[wasm_bindgen(typescript_type = "SelectionReason | undefined")]
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

    #[wasm_bindgen(method, getter, js_name = fallbackCharset)]
    fn fallback_charset(this: &Answer) -> Option<String>;

    #[wasm_bindgen(method, getter)]
    fn body(this: &Answer) -> Option<Uint8Array>;

    /// The decoder of browsers and of Node: it knows every encoding, so that none need be in the module.
    type TextDecoder;

    #[wasm_bindgen(constructor, catch)]
    fn new(label: &str) -> Result<TextDecoder, JsValue>;

    #[wasm_bindgen(method)]
    fn decode(this: &TextDecoder, bytes: &Uint8Array) -> String;
}

/// The charset of pages that say nothing, as browsers have it in most languages.
const FALLBACK: &str = "windows-1252";

/// The options that hold where none is given.
#[wasm_bindgen(js_name = defaultOptions)]
pub fn default_options() -> Result<JsOptions, JsError> {
    to_js(&Options::default())
}

/// An extraction that asks for one page at a time and never loads one itself.
#[wasm_bindgen]
pub struct Session(Option<husk::Session>);

#[wasm_bindgen]
impl Session {
    /// Begins with the page whose template is wanted: its address, its HTML, and some options.
    #[wasm_bindgen(constructor)]
    pub fn new(url: &str, html: &str, options: Option<SomeOptions>) -> Result<Self, JsError> {
        let options = options.map_or(JsValue::UNDEFINED, Into::into);
        let options = checked(&options).map_err(|cause| JsError::new(&format!("options: {cause}")))?;
        Ok(Self(Some(husk::Session::new(page(url, html)?, options))))
    }

    /// The address of the page that is needed next; undefined when enough is known. The same until it is given or given
    /// up.
    #[wasm_bindgen(js_name = nextWanted)]
    pub fn next_wanted(&self) -> Result<Option<String>, JsError> {
        Ok(self.open()?.next_wanted().map(ToString::to_string))
    }

    /// Pages that will be needed in any case unless something goes wrong, the next one first: these may be loaded ahead.
    #[wasm_bindgen(js_name = wantedAhead)]
    pub fn wanted_ahead(&self) -> Result<Vec<String>, JsError> {
        let ahead = self.open()?.wanted_ahead();
        Ok(ahead.into_iter().map(Url::into).collect())
    }

    /// How many more pages may be needed at most.
    #[wasm_bindgen(js_name = wantedAtMost)]
    pub fn wanted_at_most(&self) -> Result<usize, JsError> {
        Ok(self.open()?.wanted_at_most())
    }

    /// Why the next page is needed.
    #[wasm_bindgen(js_name = whyWanted)]
    pub fn why_wanted(&self) -> Result<WhyOrNothing, JsError> {
        match self.open()?.why_wanted() {
            Some(why) => to_js(&why),
            None => Ok(JsValue::UNDEFINED.into()),
        }
    }

    /// Gives the page that was asked for, as text. Its address may be another one, after a redirect.
    pub fn give(&mut self, url: &str, html: &str) -> Result<(), JsError> {
        self.open_mut()?.give(page(url, html)?);
        Ok(())
    }

    /// Gives what a server answered for the page that was asked for. If that is no page, it is given up; returned is why.
    #[wasm_bindgen(js_name = giveAnswer)]
    pub fn give_answer(&mut self, answer: &Answer) -> Result<Option<String>, JsError> {
        match page_of(answer)? {
            Ok(page) => {
                self.open_mut()?.give(page);
                Ok(None)
            }
            Err(cause) => {
                self.open_mut()?.give_up(cause.clone());
                Ok(Some(cause))
            }
        }
    }

    /// Says that the page that was asked for cannot be had, and why.
    #[wasm_bindgen(js_name = giveUp)]
    pub fn give_up(&mut self, cause: &str) -> Result<(), JsError> {
        self.open_mut()?.give_up(cause);
        Ok(())
    }

    /// Whether there are too few links, so that a list of the site's pages would help: see `Listing`.
    #[wasm_bindgen(js_name = wantsAddresses)]
    pub fn wants_addresses(&self) -> Result<bool, JsError> {
        Ok(self.open()?.wants_addresses())
    }

    /// Offers the addresses of pages of the site. What is no address is left out.
    pub fn offer(&mut self, addresses: Vec<String>) -> Result<(), JsError> {
        let addresses = addresses.iter().filter_map(|address| Url::parse(address).ok());
        self.open_mut()?.offer(addresses.collect());
        Ok(())
    }

    /// Extracts from what was given so far. The session is used up.
    pub fn finish(&mut self) -> Result<Extraction, JsError> {
        let session = self.0.take().ok_or_else(used_up)?;
        Ok(Extraction::from(session.finish()))
    }
}

impl Session {
    fn open(&self) -> Result<&husk::Session, JsError> {
        self.0.as_ref().ok_or_else(used_up)
    }

    fn open_mut(&mut self) -> Result<&mut husk::Session, JsError> {
        self.0.as_mut().ok_or_else(used_up)
    }
}

fn used_up() -> JsError {
    JsError::new("the session is finished: begin another one")
}

fn checked(options: &JsValue) -> Result<Options, String> {
    let options: Options = from_js(options)?;
    options.thresholds.check()?;
    if options.same_site == SameSite::Domain {
        // It would double the size of the package.
        return Err(
            "same-site: only \"host\" is known here, since the list of domains is left out".to_owned(),
        );
    }
    Ok(options)
}

fn page(url: &str, html: &str) -> Result<Page, JsError> {
    Ok(Page::parse(address(url)?, html))
}

pub(crate) fn address(url: &str) -> Result<Url, JsError> {
    Url::parse(url).map_err(|cause| JsError::new(&format!("{url:?} is no address: {cause}")))
}

/// The page that was answered, or why there is none.
fn page_of(answer: &Answer) -> Result<Result<Page, String>, JsError> {
    let url = address(&answer.url())?;
    let body = answer
        .body()
        .ok_or_else(|| JsError::new("an answer needs a body, a Uint8Array"))?;
    let bytes = body.to_vec();
    let status = answer.status().unwrap_or(200);
    let charset = match page_charset(&url, status, answer.content_type().as_deref(), &bytes) {
        Ok(charset) => charset,
        Err(cause) => return Ok(Err(cause.to_string())),
    };
    let is_utf8 = std::str::from_utf8(&bytes).is_ok();
    let encoding = match declared_encoding(&bytes, charset.as_deref()) {
        Some(encoding) => encoding.to_owned(),
        None if is_utf8 => "utf-8".to_owned(),
        None => answer.fallback_charset().unwrap_or_else(|| FALLBACK.to_owned()),
    };
    let decoder = TextDecoder::new(&encoding)
        .map_err(|_| JsError::new(&format!("there is no charset named {encoding}")))?;
    Ok(Ok(Page::parse(url, &decoder.decode(&body))))
}
