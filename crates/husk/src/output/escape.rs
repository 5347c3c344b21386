//! Text of other people's pages, made harmless.

use std::fmt::{self, Write};

/// A text that stands for itself in HTML, in SVG and in quoted attributes, whatever is in it.
#[derive(Debug, Clone, Copy)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for char in self.0.chars() {
            match char {
                '&' => out.write_str("&amp;")?,
                '<' => out.write_str("&lt;")?,
                '>' => out.write_str("&gt;")?,
                '"' => out.write_str("&quot;")?,
                '\'' => out.write_str("&#39;")?,
                // They do not show, and not all of them may stand in a page.
                char if char.is_control() => out.write_char(char::REPLACEMENT_CHARACTER)?,
                char => out.write_char(char)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Escaped;

    #[test]
    fn nothing_is_left_that_means_something() {
        assert_eq!(
            Escaped("<a href='x' id=\"y\">&amp;\0\u{1b}ä</a>").to_string(),
            "&lt;a href=&#39;x&#39; id=&quot;y&quot;&gt;&amp;amp;\u{FFFD}\u{FFFD}ä&lt;/a&gt;"
        );
    }
}
