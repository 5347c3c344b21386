//! Code in a page: its text without line numbers, and its language.

use husk_dom::{Dom, NodeId, NodeKind, name};

use super::elements::{Meaning, meaning};
use super::selection::{Selection, Visit};
use super::tables::is_line_number;

/// The text of code, line by line. Lines may end with line ends, `<br>`, or elements that stand on a line of their own.
pub(super) fn code_text(selection: &Selection<'_>, node: NodeId) -> String {
    let dom = selection.dom;
    let mut text = String::new();
    let mut visits = selection.visits_in(node);
    while let Some(visit) = visits.next() {
        match visit {
            Visit::Enter(below) if dom.kind(below) == NodeKind::Text => text.push_str(dom.text_of(below)),
            Visit::Enter(below) if is_line_number(dom, below) => visits.skip(),
            Visit::Enter(below) if meaning(dom, below) == Meaning::Break => text.push('\n'),
            Visit::Enter(below) | Visit::Leave(below) if below != node && meaning(dom, below).is_block() => {
                end_line(&mut text);
            }
            _ => {}
        }
    }
    let text = text
        .replace('\u{A0}', " ")
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    text.trim_start_matches('\n').trim_end().to_owned()
}

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

/// The language of code, by the names of the element, of a `<code>` in it, or of what is close around it.
pub(super) fn language(dom: &Dom, code: NodeId) -> Option<String> {
    let inside = dom
        .subtree(code)
        .skip(1)
        .take(INSIDE)
        .find(|&node| dom.is_element(node, &name!("code")));
    let near = inside
        .into_iter()
        .chain([code])
        .chain(dom.ancestors(code).take(AROUND));
    near.filter(|&node| dom.kind(node) == NodeKind::Element)
        .find_map(|node| own_language(dom, node))
}

/// The `<code>` is among the first nodes, behind buttons and other wrappers.
const INSIDE: usize = 12;

/// The language may stand on the element around a table of lines and their numbers, so far out.
const AROUND: usize = 5;

fn own_language(dom: &Dom, node: NodeId) -> Option<String> {
    let attribute = |names: &[&str]| {
        let mut attributes = dom.attributes(node);
        attributes.find_map(|attribute| names.contains(&&**attribute.name).then_some(attribute.value))
    };
    if let Some(language) = attribute(&["data-lang", "data-language", "data-code-language"]) {
        return plain_language(language);
    }
    // `lang` may also be the language that the page is written in.
    let of_text = |lang: &&str| {
        let mut above = dom.ancestors(node);
        *lang != "en" && !above.any(|above| dom.attribute(above, &name!("lang")) == Some(lang))
    };
    let lang = attribute(&["lang"]).filter(|_| dom.is_element(node, &name!("pre")));
    if let Some(language) = lang.filter(of_text).and_then(plain_language) {
        return Some(language);
    }
    let class = attribute(&["class"])?;
    let words: Vec<&str> = class
        .split(|letter: char| letter.is_ascii_whitespace() || letter == ';')
        .filter(|word| !word.is_empty())
        .collect();
    const PREFIXES: [&str; 6] = [
        "language-",
        "lang-",
        "highlight-source-",
        "highlight-text-",
        "highlight-",
        "brush:",
    ];
    let prefixed = words.iter().find_map(|word| {
        let rest = PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix))?;
        plain_language(rest)
    });
    prefixed.or_else(|| {
        // A name of a highlighter, and the language right behind it.
        let pairs = words
            .windows(2)
            .filter(|pair| matches!(pair[0], "hljs" | "sourceCode" | "highlight" | "brush:" | "src"));
        let mut languages = pairs.filter_map(|pair| plain_language(pair[1]));
        languages.next()
    })
}

/// The name of a language, if it is one that says something.
fn plain_language(name: &str) -> Option<String> {
    let name = name.trim().to_ascii_lowercase();
    let is_name = !name.is_empty()
        && name.len() <= 24
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+#._-".contains(&byte));
    let says_nothing = matches!(
        &*name,
        "default"
            | "none"
            | "text"
            | "plain"
            | "plaintext"
            | "txt"
            | "code"
            | "notranslate"
            | "auto"
            | "box"
            | "wrapper"
            | "js-wrapper"
    );
    (is_name && !says_nothing).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::test_content::page;

    fn check(html: &str, language_is: Option<&str>, text: &str) {
        let (page, nodes) = page(html);
        let dom = &page.dom;
        let selection = Selection::new(dom, &nodes);
        let pre = dom
            .nodes()
            .find(|&node| dom.is_element(node, &name!("pre")))
            .unwrap();
        assert_eq!(language(dom, pre).as_deref(), language_is, "{html}");
        assert_eq!(code_text(&selection, pre), text, "{html}");
    }

    #[test]
    fn languages_are_told_by_common_names() {
        check("<pre class='language-rust'>a</pre>", Some("rust"), "a");
        check("<pre><code class='lang-py x'>a</code></pre>", Some("py"), "a");
        check(
            "<div class='highlight-python notranslate'><div class=highlight><pre>a</pre></div></div>",
            Some("python"),
            "a",
        );
        check(
            "<div class='highlight highlight-source-c++'><pre>a</pre></div>",
            Some("c++"),
            "a",
        );
        check("<pre><code class='hljs bash'>a</code></pre>", Some("bash"), "a");
        check("<pre class='brush: sql; x'>a</pre>", Some("sql"), "a");
        check(
            "<figure class='highlight c++'><table><tr><td class=gutter>1<td><pre>a</pre></table></figure>",
            Some("c++"),
            "a",
        );
        check("<pre><code data-lang=go>a</code></pre>", Some("go"), "a");
        check(
            "<pre><button></button><pre><code class=language-go>a</code></pre></pre>",
            Some("go"),
            "a",
        );
        check("<pre lang=toml>a</pre>", Some("toml"), "a");
        check("<div lang=fr><pre lang=fr>a</pre></div>", None, "a");
        check("<div class=highlight-default><pre>a</pre></div>", None, "a");
        check("<pre class='language-`x'>a</pre>", None, "a");
    }

    #[test]
    fn lines_and_their_numbers() {
        check("<pre>\n\n  a\nb  \n</pre>", None, "  a\nb");
        check("<pre><div>a</div><div>b</div></pre>", None, "a\nb");
        check("<pre>a<br>b</pre>", None, "a\nb");
        check(
            "<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b</pre>",
            None,
            "a\nb",
        );
        check("<pre><span class=number>1</span> a</pre>", None, "1 a");
    }
}
