//! Which elements in a line a reader sees apart, though nothing stands between them.
//!
//! Style sheets keep tags, dates and names apart that touch in the HTML. Without them they would run into one word. Where
//! elements only change how letters look, nothing is put between them: a word may be made of several.

use husk_dom::{Dom, NodeId, NodeKind, name};

use super::elements::{Meaning, meaning};
use super::selection::Selection;

/// How an element in a line holds on to its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Hold {
    /// It only changes how letters look.
    Letters,
    /// It may be anything.
    Plain,
    /// It is a thing of its own.
    Thing,
    /// It is written close to what stands before it: an index, a reading aid.
    Close,
}

/// What is stepped over in search of a neighbour, and gone down in search of what an element holds.
const MAX_STEPS: usize = 8;

/// Whether a space belongs between an element that ends and what comes next in its line.
pub(super) fn is_apart_from_next(selection: &Selection<'_>, node: NodeId) -> bool {
    let dom = selection.dom;
    if is_drawn_between(dom, node) {
        return true;
    }
    if !is_in_line(dom, node) || !shows(dom, node) {
        return false;
    }
    let Some(next) = next_shown(selection, node) else {
        return false;
    };
    if dom.is_blank_text(next) {
        return true;
    }
    if !is_in_line(dom, next) {
        return false;
    }
    match (hold(dom, node), hold(dom, next)) {
        (Hold::Close, _) | (_, Hold::Close) | (Hold::Letters, Hold::Letters) => false,
        (Hold::Thing, Hold::Thing) if lead_to_one_place(dom, node, next) => are_words(dom, node, next),
        (Hold::Thing, _) | (_, Hold::Thing) => !are_joined_by_sign(dom, node, next),
        _ => are_words(dom, node, next),
    }
}

/// Whether an element without anything in it stands between a link and words, or between two links. It is there to be drawn:
/// a style sheet makes it an arrow, a point or an icon.
fn is_drawn_between(dom: &Dom, node: NodeId) -> bool {
    let is_empty = dom.size(node) == 1 && matches!(&**dom.name(node), "span" | "i");
    let is_named = || {
        let has = |name| dom.attribute(node, &name).is_some();
        (has(name!("class")) || has(name!("role"))) && !has(name!("id"))
    };
    if !is_empty || !is_named() {
        return false;
    }
    let Some(parent) = dom.parent(node) else {
        return false;
    };
    let is_inside = |index: &usize| (parent.index() + 1..dom.range(parent).end).contains(index);
    let before = node
        .index()
        .checked_sub(1)
        .filter(is_inside)
        .map(NodeId::from_index);
    let behind = Some(node.index() + 1).filter(is_inside).map(NodeId::from_index);
    let (Some(before), Some(behind)) = (before, behind) else {
        return false;
    };
    let is_link = |below: NodeId| {
        let mut near = std::iter::once(below).chain(dom.ancestors(below).take(MAX_STEPS));
        let link = near.find(|&near| near == parent || meaning(dom, near) == Meaning::Link);
        link.is_some_and(|link| link != parent)
    };
    dom.text_of(before).ends_with(char::is_alphanumeric)
        && dom.text_of(behind).starts_with(char::is_alphanumeric)
        && (is_link(before) || is_link(behind))
}

fn is_in_line(dom: &Dom, node: NodeId) -> bool {
    let meaning = meaning(dom, node);
    dom.kind(node) == NodeKind::Element && !meaning.is_block() && meaning != Meaning::Break
}

/// Whether something of an element can be seen.
fn shows(dom: &Dom, node: NodeId) -> bool {
    let has_picture = || {
        let mut below = dom.subtree(node).take(MAX_STEPS);
        below.any(|below| matches!(meaning(dom, below), Meaning::Picture))
    };
    !dom.text_of(node).trim().is_empty() || has_picture()
}

/// The node behind another one, stepping over what is not to be seen. Nothing where the search is too long. Spaces are
/// seen even if they are not content, as between entries that every page has them between.
fn next_shown(selection: &Selection<'_>, node: NodeId) -> Option<NodeId> {
    let dom = selection.dom;
    let end = dom.range(dom.parent(node)?).end;
    let mut next = dom.range(node).end;
    for _ in 0..MAX_STEPS {
        if next >= end {
            return None;
        }
        let sibling = NodeId::from_index(next);
        let is_seen = match dom.kind(sibling) {
            NodeKind::Text => selection.is_visited(sibling) || dom.is_blank_text(sibling),
            NodeKind::Element => {
                selection.is_visited(sibling) && (!is_in_line(dom, sibling) || shows(dom, sibling))
            }
            _ => false,
        };
        if is_seen {
            return Some(sibling);
        }
        next = dom.range(sibling).end;
    }
    None
}

/// How an element holds on to its neighbours, or the only thing in it does.
fn hold(dom: &Dom, node: NodeId) -> Hold {
    let mut strongest = Hold::Letters;
    let mut at = node;
    for _ in 0..MAX_STEPS {
        strongest = strongest.max(own_hold(dom, at));
        let mut children = dom.children(at);
        match (children.next(), children.next()) {
            (Some(only), None) if strongest < Hold::Thing && dom.kind(only) == NodeKind::Element => at = only,
            _ => break,
        }
    }
    strongest
}

fn own_hold(dom: &Dom, node: NodeId) -> Hold {
    match &**dom.name(node) {
        "sub" | "sup" | "rb" | "rt" | "rp" | "rtc" => Hold::Close,
        "b" | "i" | "em" | "strong" | "u" | "s" | "small" | "big" | "mark" | "ins" | "del" | "strike"
        | "font" | "tt" | "code" | "samp" | "var" | "dfn" | "abbr" | "acronym" | "bdi" | "bdo" | "ruby"
        | "wbr" | "q" => Hold::Letters,
        "span" => Hold::Plain,
        _ => Hold::Thing,
    }
}

fn lead_to_one_place(dom: &Dom, before: NodeId, behind: NodeId) -> bool {
    let place = |node| dom.attribute(node, &name!("href"));
    place(before).is_some() && place(before) == place(behind)
}

/// Whether a sign at one of the edges belongs right where it stands.
fn are_joined_by_sign(dom: &Dom, before: NodeId, behind: NodeId) -> bool {
    let opens = |last: char| {
        matches!(
            last,
            '(' | '[' | '{' | '<' | '“' | '‘' | '«' | '„' | '/' | '（' | '「' | '@' | '#'
        )
    };
    let closes = |first: char| {
        matches!(
            first,
            ')' | ']'
                | '}'
                | '>'
                | '”'
                | '’'
                | '»'
                | ','
                | '.'
                | ';'
                | ':'
                | '!'
                | '?'
                | '/'
                | '('
                | '['
                | '<'
        ) || matches!(
            first,
            '、' | '。' | '，' | '；' | '：' | '）' | '」' | '！' | '？' | '،'
        )
    };
    dom.text_of(before).ends_with(opens) || dom.text_of(behind).starts_with(closes)
}

/// Whether two texts that touch are words of their own, not parts of one. Editors break words into several elements, and
/// first letters have one to themselves.
fn are_words(dom: &Dom, before: NodeId, behind: NodeId) -> bool {
    let mut backward = dom.text_of(before).chars().rev();
    let mut forward = dom.text_of(behind).chars();
    let (Some(last), Some(first)) = (backward.next(), forward.next()) else {
        return false;
    };
    if !last.is_alphanumeric() {
        return matches!(last, '.' | ':' | ';' | ',' | '!' | '?') && first.is_uppercase()
            || begin_alike(dom.text_of(before), dom.text_of(behind));
    }
    if !first.is_alphanumeric() || is_written_without_spaces(last) || is_written_without_spaces(first) {
        return false;
    }
    // A suffix of a number is written small: 2nd.
    if last.is_numeric() && first.is_alphabetic() && !first.is_lowercase() {
        return true;
    }
    let goes_on = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let are_long = goes_on(backward.next()) && goes_on(forward.next());
    let is_prose = dom
        .parent(before)
        .is_some_and(|parent| dom.is_element(parent, &name!("p")));
    are_long && (!is_prose || first.is_uppercase() || first.is_numeric())
}

/// Whether two texts begin with the same word, as names one below the other do: `operator==`, `operator!=`.
fn begin_alike(one: &str, other: &str) -> bool {
    let word = |text: &str| {
        let end = text.find(|letter: char| !letter.is_alphabetic());
        text[..end.unwrap_or(text.len())].chars().count()
    };
    let letters = word(one);
    letters >= SHORTEST_SHARED_WORD
        && letters == word(other)
        && one.chars().take(letters).eq(other.chars().take(letters))
}

/// Shorter words begin unrelated texts as well.
const SHORTEST_SHARED_WORD: usize = 4;

/// Whether words are not set apart in the script of a letter: Chinese, Japanese, Thai, Lao, Khmer, Burmese.
fn is_written_without_spaces(letter: char) -> bool {
    matches!(letter,
        '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}'
        | '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::test_content::{marked, page};

    fn spaced(selection: &Selection<'_>) -> String {
        let dom = selection.dom;
        let mut out = String::new();
        let mut visits = selection.visits();
        while let Some(visit) = visits.next() {
            match visit {
                super::super::selection::Visit::Enter(node) if dom.kind(node) == NodeKind::Text => {
                    out.push_str(dom.text_of(node));
                }
                super::super::selection::Visit::Leave(node) if is_apart_from_next(selection, node) => {
                    out.push('_')
                }
                _ => {}
            }
        }
        out
    }

    fn check(html: &str, expect: &str) {
        let (page, nodes) = page(html);
        assert_eq!(spaced(&Selection::new(&page.dom, &nodes)), expect, "{html}");
    }

    #[test]
    fn things_stand_apart() {
        check("<a href=x>review</a><a href=y>howto</a>", "review_howto");
        check("<a>title</a><time>2020</time>", "title_2020");
        check("<label>Name</label><input><span>needed</span>", "Name_needed");
        check("<b><a href=x>one</a></b><b><a href=y>two</a></b>", "one_two");
        check("<kbd>Ctrl</kbd><kbd>C</kbd>", "Ctrl_C");
        check("<a href=x>a</a><!-- --><i class=icon></i><a href=y>b</a>", "a_b");
        check("<a href=x><img src=i></a><a href=y>b</a>", "_b");
        check("<a href=x>标签</a><a href=y>分类</a>", "标签_分类");
    }

    #[test]
    fn what_is_only_drawn_keeps_words_apart() {
        check("<h1><a href=x>A</a><span class=sep></span>B</h1>", "A_B");
        check(
            "<h1><a href=x>A</a><i class=icon></i><a href=y>B</a></h1>",
            "A_B".replace('_', "__").as_str(),
        );
        check("<p>wor<span class=x></span>d", "word");
        check("<p><a href=x>a</a><span id=x></span>b", "ab");
        check("<p><a href=x>a</a><span class=x></span>, b", "a, b");
    }

    #[test]
    fn names_below_each_other_stand_apart() {
        check(
            "<a href=x><span>operator==</span><span>operator!=</span><span>operator&lt;</span></a>",
            "operator==_operator!=_operator<",
        );
        check("<span>(</span><span>a)</span>", "(a)");
    }

    #[test]
    fn words_stay_whole() {
        check("<b>W</b><i>ord</i>s", "Words");
        check("<span>O</span>nce", "Once");
        check("<span>O</span><span>nce</span>", "Once");
        check("<a href=x>note</a><sup>1</sup>", "note1");
        check("<a href=x>here</a><span>, and</span>", "here, and");
        check("<span>(</span><a href=x>x</a><b>)</b>", "(x)");
        check("<a href=x>Hel</a><a href=x>lo</a>", "Hel_lo");
        check("<p><a href=x>Hel</a><a href=x>lo</a>", "Hello");
        check("<p><span>Hel</span><span>lo</span>", "Hello");
        check("<ruby><rb>漢</rb><rt>kan</rt></ruby>", "漢kan");
        check("<a href=x>a</a> <a href=y>b</a>", "a_ b");
        check("<a href=x>a</a>s<a href=y>b</a>", "asb");
        check("<a href=x>a</a><p>b", "ab");
    }

    #[test]
    fn plain_elements_are_judged_by_their_words() {
        check("<div><span>12 May</span><span>Ann</span></div>", "12 May_Ann");
        check("<span>1</span><span>Introduction</span>", "1_Introduction");
        check("<span>2</span><span>nd</span>", "2nd");
        check("<span>0</span><span>مقال</span>", "0_مقال");
        check("<span>ساعة</span><span>بث</span>", "ساعة_بث");
        check("<span>20</span><span>年前</span>", "20年前");
        check("<span>Tags:</span><span>Linux</span>", "Tags:_Linux");
        check("<span>12.</span><span>99</span>", "12.99");
        check("<p><span>posted</span><span>Ann</span>", "posted_Ann");
        check("<span>中文</span><span>文字</span>", "中文文字");
    }

    #[test]
    fn what_was_cut_out_is_stepped_over() {
        let (page, nodes) = marked("<div class=in><a href=x>a</a><i class=out>|</i><a href=y>b</a></div>");
        assert_eq!(spaced(&Selection::new(&page.dom, &nodes)), "a_b");
        let (page, nodes) = marked("<ul><li><b class=in>a</b> <i class=in>b</i></ul>");
        assert_eq!(spaced(&Selection::new(&page.dom, &nodes)), "a_b");
    }
}
