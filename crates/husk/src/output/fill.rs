//! Puts content back into the slots of a template.

use super::html::{SLOT_COMMENT, is_text_only};

/// Puts HTML into the slots of a template that [`to_html`](super::to_html) wrote, the first for slot 1, and takes the marks away.
///
/// With the template as the page has it (`Links::AsWritten`, `Scripts::Keep`) and the contents of its own slots
/// this gives the page back, but for marks of an earlier extraction. Slots without content stay empty.
pub fn fill(template: &str, contents: &[String]) -> String {
    let mut filling = Filling {
        contents,
        filled: 0,
        out: String::with_capacity(template.len()),
    };
    let mut rest = template;
    while let Some(at) = rest.find(MARK) {
        let (before, mark) = rest.split_at(at);
        filling.out.push_str(before);
        rest = filling
            .comment(mark)
            .or_else(|| filling.attribute(mark))
            .unwrap_or_else(|| filling.copy(mark));
    }
    filling.out.push_str(rest);
    filling.out
}

/// What all marks have in common.
const MARK: &str = "husk";

/// A template on the way to a page.
struct Filling<'a> {
    contents: &'a [String],
    /// The last slot filled. They come in order; what else looks like a mark is text of a script.
    filled: usize,
    out: String,
}

impl Filling<'_> {
    /// Takes a word that is no mark as it is, and returns what is behind.
    fn copy<'b>(&mut self, mark: &'b str) -> &'b str {
        self.out.push_str(MARK);
        &mark[MARK.len()..]
    }

    fn content(&self, number: usize) -> &str {
        number
            .checked_sub(1)
            .and_then(|index| self.contents.get(index))
            .map_or("", String::as_str)
    }

    /// Fills the slot of a comment, if this is one, and returns what is behind.
    fn comment<'b>(&mut self, mark: &'b str) -> Option<&'b str> {
        let (number, behind) = mark.strip_prefix(SLOT_COMMENT)?.split_once("-->")?;
        let number: usize = number.parse().ok().filter(|&number| number > self.filled)?;
        let start = self.out.strip_suffix("<!--")?.len();
        self.out.truncate(start);
        let content = self.content(number).to_owned();
        self.out.push_str(&content);
        self.filled = number;
        Some(behind)
    }

    /// Takes the attribute of a slot away, if this is one, and returns what is behind. The writer puts it right behind
    /// the name of the tag; an element that can hold no comment has its content put in.
    fn attribute<'b>(&mut self, mark: &'b str) -> Option<&'b str> {
        let (numbers, behind) = mark.strip_prefix("husk-slot=\"")?.split_once('"')?;
        let tag = self.out.strip_suffix(" data-")?;
        let name = tag
            .rsplit('<')
            .next()
            .filter(|name| tag.len() > name.len() && !name.contains(['>', ' ']))?;
        // Values have no angle bracket unescaped, and names have no closing one at all.
        let (attributes, behind) = behind.split_once('>')?;
        let number = numbers.parse().ok().filter(|_| is_text_only(name));
        let number = number.filter(|number| !behind.contains(&format!("<!--{SLOT_COMMENT}{number}-->")));
        self.out.truncate(tag.len());
        self.out.extend([attributes, ">"]);
        let Some(number) = number else { return Some(behind) };
        let content = self.content(number).to_owned();
        self.filled = number;
        // The line end that a parser drops comes first.
        let behind = match behind.strip_prefix('\n') {
            Some(behind) => {
                self.out.push('\n');
                behind
            }
            None => behind,
        };
        self.out.push_str(&content);
        Some(behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_marks_and_nothing_else() {
        assert_eq!(
            fill(
                "<p data-husk-slot=\"1 2\">a<!--husk:slot 1-->b<!--husk:slot 2--></p>",
                &["X".into()]
            ),
            "<p>aXb</p>"
        );
        assert_eq!(fill("<!--husk:slot", &[]), "<!--husk:slot");
        assert_eq!(fill("<!--husk:slot 9", &[]), "<!--husk:slot 9");
        let text = "<p>a data-husk-slot=\"1\" husk</p><script>'<!--husk:slot 0-->'</script>";
        assert_eq!(fill(text, &["X".into()]), text);
    }
}
