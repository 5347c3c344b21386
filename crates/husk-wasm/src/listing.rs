//! The pages that a site lists itself.

use husk::{SameSite, Url};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::session::address;

/// The pages that a site lists in its sitemaps. It asks for one file at a time and never loads one itself.
#[wasm_bindgen]
pub struct Listing(husk_sources::Listing);

#[wasm_bindgen]
impl Listing {
    /// Begins with the address of any page of the site and the text of its robots.txt, if it has one.
    #[wasm_bindgen(constructor)]
    pub fn new(site: &str, robots: Option<String>) -> Result<Self, JsError> {
        let site = address(site)?;
        Ok(Self(husk_sources::Listing::new(
            &site,
            SameSite::Host,
            robots.as_deref(),
        )))
    }

    /// The address of the file that is needed next; undefined when there is no other.
    #[wasm_bindgen(js_name = nextWanted)]
    pub fn next_wanted(&self) -> Option<String> {
        self.0.next_wanted().map(ToString::to_string)
    }

    /// Gives the bytes of that file, gzipped or not; returns whether it lists anything.
    pub fn give(&mut self, bytes: &[u8]) -> bool {
        self.0.give(bytes)
    }

    /// Says that the file cannot be had.
    #[wasm_bindgen(js_name = giveUp)]
    pub fn give_up(&mut self) {
        self.0.give_up();
    }

    /// The addresses that were listed, for `Session.offer`. The listing is used up.
    pub fn finish(self) -> Vec<String> {
        self.0.finish().into_iter().map(Url::into).collect()
    }
}
