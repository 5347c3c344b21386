//! The names of all formats for TypeScript, put together from the table of outputs when the crate is compiled.
#![cfg_attr(
    not(target_family = "wasm"),
    allow(dead_code, reason = "only the package for JavaScript has types")
)]

use husk::output::{OUTPUTS, Part};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const FORMATS: &str = as_text(&FORMATS_TEXT.bytes);

const FORMATS_TEXT: ConstText<{ formats::<0>().len }> = formats();

/// Text in a constant. What does not fit is only counted, so that one of size 0 measures the text.
struct ConstText<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> ConstText<N> {
    const fn with(mut self, text: &str) -> Self {
        let mut place = 0;
        while place < text.len() {
            if self.len < N {
                self.bytes[self.len] = text.as_bytes()[place];
            }
            self.len += 1;
            place += 1;
        }
        self
    }
}

const fn formats<const N: usize>() -> ConstText<N> {
    let empty = ConstText {
        bytes: [0; N],
        len: 0,
    };
    let mut text = empty.with("/** The formats of each part of a page. */\nexport interface Formats {\n");
    let mut part = 0;
    while part < Part::ALL.len() {
        text = text.with("    ").with(Part::ALL[part].name()).with(":");
        let mut place = 0;
        while place < OUTPUTS.len() {
            if OUTPUTS[place].part as u8 == Part::ALL[part] as u8 {
                text = text.with(" | \"").with(OUTPUTS[place].name).with("\"");
            }
            place += 1;
        }
        text = text.with(";\n");
        part += 1;
    }
    text.with("}\n\n")
        .with("export type Part = keyof Formats;\n\n")
        .with("export type Format = Formats[Part];\n")
}

const fn as_text(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_output_is_listed_under_its_part() {
        let formats = as_text(&FORMATS_TEXT.bytes);
        for output in OUTPUTS {
            let part = format!("    {}: |", output.part.name());
            let line = formats.lines().find(|line| line.starts_with(&part));
            let line = line.unwrap_or_else(|| panic!("{part} in {formats}"));
            assert!(line.contains(&format!("\"{}\"", output.name)), "{line}");
        }
    }
}
