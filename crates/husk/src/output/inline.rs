//! A line of Markdown: words, marks, links and code, so that a parser reads back what was meant.
//!
//! Pieces are collected as they stand in the page. When the line is written, spaces move out of marks, marks that meet are
//! joined, and a mark that Markdown cannot express at its place is left out, never its words.

use super::elements::Mark;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// Words without space around them.
    Text(String),
    /// Code; spaces in it are single.
    Code(String),
    /// Markdown as it is: images, formulas, references to footnotes.
    Raw(String),
    Gap(Gap),
    Open(Span),
    Close(Span),
}

/// White space in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    Space,
    Break,
}

/// Something that begins and ends within a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Span {
    Mark(Mark),
    Link(String),
}

/// Where a line stands, which decides what must be escaped and how lines end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineContext {
    Paragraph,
    Heading,
    Cell,
}

/// A line under way.
#[derive(Debug, Default)]
pub(super) struct Line {
    pieces: Vec<Piece>,
    open: Vec<Span>,
    /// Whether dollars mean formulas in this document.
    pub(super) has_math: bool,
}

fn is_space(letter: char) -> bool {
    // The vertical tab is no space to HTML, but to readers of Markdown it is.
    letter.is_ascii_whitespace() || matches!(letter, '\u{A0}' | '\u{B}')
}

impl Line {
    pub(super) fn text(&mut self, text: &str) {
        if text.starts_with(is_space) {
            self.space();
        }
        let mut words = text.split(is_space).filter(|word| !word.is_empty());
        if let Some(first) = words.next() {
            let mut joined = first.to_owned();
            for word in words {
                joined.push(' ');
                joined.push_str(word);
            }
            match self.pieces.last_mut() {
                Some(Piece::Text(before)) => before.push_str(&joined),
                _ => self.pieces.push(Piece::Text(joined)),
            }
            if text.ends_with(is_space) {
                self.space();
            }
        }
    }

    pub(super) fn space(&mut self) {
        self.pieces.push(Piece::Gap(Gap::Space));
    }

    pub(super) fn line_end(&mut self) {
        self.pieces.push(Piece::Gap(Gap::Break));
    }

    /// Whether nothing but spaces follows a line end: another one would end the paragraph.
    pub(super) fn is_at_line_end(&self) -> bool {
        let mut back = self.pieces.iter().rev();
        back.find(|piece| !matches!(piece, Piece::Gap(Gap::Space) | Piece::Open(_) | Piece::Close(_)))
            == Some(&Piece::Gap(Gap::Break))
    }

    pub(super) fn code(&mut self, code: &str) {
        if code.starts_with(is_space) {
            self.space();
        }
        let single: Vec<&str> = code.split(is_space).filter(|word| !word.is_empty()).collect();
        if !single.is_empty() {
            let single = single.join(" ");
            match self.pieces.last_mut() {
                // Two codes side by side would share their backticks.
                Some(Piece::Code(before)) => before.push_str(&single),
                _ => self.pieces.push(Piece::Code(single)),
            }
            if code.ends_with(is_space) {
                self.space();
            }
        }
    }

    pub(super) fn raw(&mut self, markdown: String) {
        self.pieces.push(Piece::Raw(markdown));
    }

    /// Begins a span, unless one of its kind is open: Markdown nests neither links nor marks of one kind.
    pub(super) fn open(&mut self, span: Span) -> bool {
        let is_same = |open: &Span| match (open, &span) {
            (Span::Mark(open), Span::Mark(mark)) => open == mark,
            (Span::Link(_), Span::Link(_)) => true,
            _ => false,
        };
        if self.open.iter().any(is_same) {
            return false;
        }
        self.pieces.push(Piece::Open(span.clone()));
        self.open.push(span);
        true
    }

    /// Ends the innermost span.
    pub(super) fn close(&mut self) {
        if let Some(span) = self.open.pop() {
            self.pieces.push(Piece::Close(span));
        }
    }

    /// Whether nothing that shows was written.
    pub(super) fn is_empty(&self) -> bool {
        !self
            .pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Text(_) | Piece::Code(_) | Piece::Raw(_)))
    }

    /// Writes the line; what is open goes on in the next one.
    pub(super) fn take(&mut self, place: LineContext) -> String {
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.extend(self.open.iter().rev().cloned().map(Piece::Close));
        self.pieces.extend(self.open.iter().cloned().map(Piece::Open));
        let mut pieces = tidy(pieces);
        write_out_defining_code(&mut pieces);
        drop_broken_marks(&mut pieces);
        let written = write(&pieces, place, self.has_math);
        match place {
            LineContext::Paragraph => escape_line_starts(&written),
            LineContext::Heading => escape_heading_end(written),
            LineContext::Cell => written.replace('|', "\\|"),
        }
    }
}

/// Moves spaces out of spans, joins spans that meet, and leaves out those with nothing in them.
fn tidy(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut gap: Option<Gap> = None;
    let mut opening: Vec<Span> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Gap(wanted) => gap = gap.max(Some(wanted)),
            Piece::Open(span) => opening.push(span),
            Piece::Close(span) => match opening.iter().rposition(|open| *open == span) {
                Some(at) => {
                    opening.remove(at);
                }
                None => out.push(Piece::Close(span)),
            },
            content => {
                if let Some(gap) = gap.take()
                    && out.iter().any(|piece| !matches!(piece, Piece::Open(_)))
                {
                    out.push(Piece::Gap(gap));
                }
                for span in opening.drain(..) {
                    if out.last() == Some(&Piece::Close(span.clone())) {
                        out.pop();
                    } else {
                        out.push(Piece::Open(span));
                    }
                }
                match (out.last_mut(), content) {
                    (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
                    (Some(Piece::Code(before)), Piece::Code(code)) => before.push_str(&code),
                    (_, content) => out.push(content),
                }
            }
        }
    }
    out
}

/// Makes text of code in links that would define what a link leads to, if the line begins with it: nothing can be escaped
/// in code.
fn write_out_defining_code(pieces: &mut [Piece]) {
    let mut in_link = false;
    for piece in pieces {
        match piece {
            Piece::Open(Span::Link(_)) => in_link = true,
            Piece::Close(Span::Link(_)) => in_link = false,
            Piece::Code(code) if in_link && code.contains("]:") => {
                *piece = Piece::Text(std::mem::take(code));
            }
            _ => {}
        }
    }
}

/// What a letter is to the rules by which marks begin and end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Space,
    Sign,
    Letter,
}

fn side(letter: char) -> Side {
    // What is neither space nor sign to Markdown is a letter to it, even where nothing shows.
    if letter.is_whitespace() {
        Side::Space
    } else if letter.is_alphanumeric() || letter.is_control() {
        Side::Letter
    } else {
        Side::Sign
    }
}

fn is_delimited(span: &Span) -> bool {
    matches!(span, Span::Mark(Mark::Strong | Mark::Emphasis | Mark::Deleted))
}

/// What stands in front of a piece, marks aside.
fn side_before(pieces: &[Piece], at: usize) -> Side {
    pieces[..at]
        .iter()
        .rev()
        .find_map(|piece| match piece {
            Piece::Open(span) | Piece::Close(span) if is_delimited(span) => None,
            Piece::Text(text) => text.chars().next_back().map(side),
            Piece::Gap(_) => Some(Side::Space),
            _ => Some(Side::Sign),
        })
        .unwrap_or(Side::Space)
}

/// What stands behind a piece, marks aside.
fn side_after(pieces: &[Piece], at: usize) -> Side {
    pieces[at + 1..]
        .iter()
        .find_map(|piece| match piece {
            Piece::Open(span) | Piece::Close(span) if is_delimited(span) => None,
            Piece::Text(text) => text.chars().next().map(side),
            Piece::Gap(_) => Some(Side::Space),
            _ => Some(Side::Sign),
        })
        .unwrap_or(Side::Space)
}

/// Takes away the marks that a parser would not see as such where they stand.
///
/// A mark begins in front of a letter, or of a sign that no letter stands before; it ends the same way mirrored. Signs at
/// the edge of marked words may move out of the mark; where that does not help, the mark goes.
fn drop_broken_marks(pieces: &mut Vec<Piece>) {
    move_signs_out(pieces);
    let mut is_kept = vec![true; pieces.len()];
    let mut open: Vec<usize> = Vec::new();
    for at in 0..pieces.len() {
        match &pieces[at] {
            Piece::Open(span) if is_delimited(span) => open.push(at),
            Piece::Close(span) if is_delimited(span) => {
                let Some(start) = open.pop() else { continue };
                let begins = begins_well(pieces, start, &is_kept) && !may_end_another(pieces, start, &open);
                let ends = ends_well(pieces, at);
                if !(begins && ends) {
                    is_kept[start] = false;
                    is_kept[at] = false;
                }
            }
            _ => {}
        }
    }
    let kept = std::mem::take(pieces)
        .into_iter()
        .zip(is_kept)
        .filter(|(_, is_kept)| *is_kept);
    for (piece, _) in kept {
        match (pieces.last_mut(), piece) {
            (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
            (Some(Piece::Code(before)), Piece::Code(code)) => before.push_str(&code),
            (_, piece) => pieces.push(piece),
        }
    }
}

fn begins_well(pieces: &[Piece], at: usize, is_kept: &[bool]) -> bool {
    // Right behind the end of another mark the two rows of stars would be one.
    let meets = pieces[..at]
        .iter()
        .zip(is_kept)
        .rev()
        .take_while(
            |(piece, _)| matches!(piece, Piece::Open(span) | Piece::Close(span) if is_delimited(span)),
        )
        .any(|(piece, &is_kept)| is_kept && matches!(piece, Piece::Close(_)));
    let (before, after) = (side_before(pieces, at), side_after(pieces, at));
    let is_mixed = is_beside_other_kind(pieces, at);
    !meets && after != Side::Space && (after == Side::Letter && !is_mixed || before != Side::Letter)
}

/// Whether a parser could take an opening mark for the end of one around it. It may be either between two letters or two
/// signs; what keeps it from that is that the stars of both would have to be three, which does not hold where the one
/// around begins together with another.
fn may_end_another(pieces: &[Piece], at: usize, around: &[usize]) -> bool {
    let is_open = |at: usize| matches!(pieces.get(at), Some(Piece::Open(span)) if is_delimited(span));
    let begins_with_another = |&start: &usize| start + 1 < at && is_open(start + 1);
    side_before(pieces, at) == side_after(pieces, at) && around.iter().any(begins_with_another)
}

fn ends_well(pieces: &[Piece], at: usize) -> bool {
    let (before, after) = (side_before(pieces, at), side_after(pieces, at));
    let is_mixed = is_beside_other_kind(pieces, at);
    before != Side::Space && (before == Side::Letter && !is_mixed || after != Side::Letter)
}

/// Whether stars stand beside tildes, which are signs to each other.
fn is_beside_other_kind(pieces: &[Piece], at: usize) -> bool {
    let is_deleted = |piece: Option<&Piece>| match piece {
        Some(Piece::Open(Span::Mark(mark)) | Piece::Close(Span::Mark(mark))) => Some(*mark == Mark::Deleted),
        _ => None,
    };
    let own = is_deleted(pieces.get(at));
    let beside = [
        at.checked_sub(1).and_then(|at| pieces.get(at)),
        pieces.get(at + 1),
    ];
    beside
        .into_iter()
        .any(|piece| is_deleted(piece).is_some() && is_deleted(piece) != own)
}

/// Moves signs at the edges of marked words out of the mark where a letter follows or stands before.
fn move_signs_out(pieces: &mut Vec<Piece>) {
    let old = std::mem::take(pieces);
    // From the left: signs behind an opening go in front of it.
    let mut out: Vec<Piece> = Vec::with_capacity(old.len());
    for piece in old {
        let Piece::Text(text) = piece else {
            out.push(piece);
            continue;
        };
        let opens = opens_at_end(&out);
        let starts_with_sign = text.chars().next().map(side) == Some(Side::Sign);
        if opens > 0 && starts_with_sign && side_before(&out, out.len()) == Side::Letter {
            let signs = text
                .find(|letter| side(letter) != Side::Sign)
                .unwrap_or(text.len());
            let rest = text[signs..].trim_start().to_owned();
            if !rest.is_empty() && rest.len() == text.len() - signs {
                let at = out.len() - opens;
                match at.checked_sub(1).and_then(|before| out.get_mut(before)) {
                    Some(Piece::Text(before)) => before.push_str(&text[..signs]),
                    _ => out.insert(at, Piece::Text(text[..signs].to_owned())),
                }
                out.push(Piece::Text(rest));
                continue;
            }
        }
        out.push(Piece::Text(text));
    }
    // From the right: signs in front of an end go behind it.
    let mut at = 0;
    while at < out.len() {
        let closes = closes_at(&out, at + 1);
        let last = at + closes;
        let needs = closes > 0 && last + 1 < out.len() && side_after(&out, last) == Side::Letter;
        if needs && let Piece::Text(text) = &out[at] {
            let kept = text.trim_end_matches(|letter| side(letter) == Side::Sign);
            if !kept.is_empty() && kept.len() < text.len() && !kept.ends_with(char::is_whitespace) {
                let (kept, signs) = (kept.to_owned(), text[kept.len()..].to_owned());
                if let Piece::Text(after) = &mut out[last + 1] {
                    after.insert_str(0, &signs);
                    out[at] = Piece::Text(kept);
                }
            }
        }
        at += 1;
    }
    *pieces = out;
}

fn opens_at_end(pieces: &[Piece]) -> usize {
    let opens = |piece: &&Piece| matches!(piece, Piece::Open(span) if is_delimited(span));
    pieces.iter().rev().take_while(opens).count()
}

fn closes_at(pieces: &[Piece], at: usize) -> usize {
    let closes = |piece: &&Piece| matches!(piece, Piece::Close(span) if is_delimited(span));
    pieces
        .get(at..)
        .unwrap_or_default()
        .iter()
        .take_while(closes)
        .count()
}

fn write(pieces: &[Piece], place: LineContext, has_math: bool) -> String {
    let mut out = String::new();
    let mut in_link = false;
    let mut at = 0;
    while at < pieces.len() {
        match &pieces[at] {
            Piece::Text(text) => {
                let context = Context {
                    before: out.chars().next_back(),
                    after: pieces.get(at + 1).and_then(|piece| first_letter(piece, place)),
                    in_link,
                    has_math,
                };
                escape(text, context, &mut out);
            }
            Piece::Code(code) => write_code(code, &mut out),
            Piece::Raw(raw) => out.push_str(raw),
            Piece::Gap(Gap::Space) => out.push(' '),
            Piece::Gap(Gap::Break) => out.push_str(match place {
                LineContext::Paragraph => "\\\n",
                LineContext::Heading => " ",
                LineContext::Cell => "<br>",
            }),
            Piece::Open(Span::Link(target)) => {
                if let Some(plain) = autolink(&pieces[at + 1..], target) {
                    out.push_str(&plain);
                    at += 2;
                } else {
                    out.push('[');
                    in_link = true;
                }
            }
            Piece::Close(Span::Link(target)) => {
                out.push_str("](");
                out.push_str(&destination(target));
                out.push(')');
                in_link = false;
            }
            Piece::Open(Span::Mark(mark)) => out.push_str(match mark {
                Mark::Strong => "**",
                Mark::Emphasis => "*",
                Mark::Deleted => "~~",
                Mark::Raised => "<sup>",
                Mark::Lowered => "<sub>",
            }),
            Piece::Close(Span::Mark(mark)) => out.push_str(match mark {
                Mark::Strong => "**",
                Mark::Emphasis => "*",
                Mark::Deleted => "~~",
                Mark::Raised => "</sup>",
                Mark::Lowered => "</sub>",
            }),
        }
        at += 1;
    }
    out
}

/// The letter that a piece is written with first.
fn first_letter(piece: &Piece, place: LineContext) -> Option<char> {
    match piece {
        Piece::Text(text) | Piece::Raw(text) => text.chars().next(),
        Piece::Code(_) => Some('`'),
        Piece::Gap(Gap::Break) if place == LineContext::Paragraph => Some('\\'),
        Piece::Gap(Gap::Break) if place == LineContext::Cell => Some('<'),
        Piece::Gap(_) => Some(' '),
        Piece::Open(Span::Link(_)) => Some('['),
        Piece::Close(Span::Link(_)) => Some(']'),
        Piece::Open(Span::Mark(mark)) | Piece::Close(Span::Mark(mark)) => Some(match mark {
            Mark::Strong | Mark::Emphasis => '*',
            Mark::Deleted => '~',
            Mark::Raised | Mark::Lowered => '<',
        }),
    }
}

/// A link whose text is its URL.
fn autolink(behind: &[Piece], target: &str) -> Option<String> {
    let [Piece::Text(text), Piece::Close(Span::Link(_)), ..] = behind else {
        return None;
    };
    let is_plain =
        !text.contains(|letter: char| letter.is_whitespace() || matches!(letter, '<' | '>' | '\\' | '|'));
    let is_web = text.starts_with("http://") || text.starts_with("https://");
    let is_same = text == target || target.strip_suffix('/') == Some(text);
    let is_mail = target.strip_prefix("mailto:") == Some(text)
        && text.contains('@')
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"@.-_+".contains(&byte));
    (is_plain && (is_web && is_same || is_mail)).then(|| format!("<{text}>"))
}

/// Code between as many backticks as it takes.
pub(super) fn write_code(code: &str, out: &mut String) {
    let ticks = "`".repeat(longest_run(code, '`') + 1);
    let needs_space = code.starts_with('`') || code.ends_with('`');
    let space = if needs_space { " " } else { "" };
    out.push_str(&ticks);
    out.push_str(space);
    out.push_str(code);
    out.push_str(space);
    out.push_str(&ticks);
}

/// How long the longest run of a letter in a text is.
pub(super) fn longest_run(text: &str, letter: char) -> usize {
    let runs = text.split(|other| other != letter).map(str::len);
    runs.max().unwrap_or(0)
}

/// A URL so that it ends where it should.
pub(super) fn destination(target: &str) -> String {
    let mut out = String::with_capacity(target.len());
    for letter in target.chars() {
        match letter {
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            '&' => out.push_str("\\&"),
            ' ' => out.push_str("%20"),
            '|' => out.push_str("%7C"),
            letter if letter.is_control() => {}
            letter => out.push(letter),
        }
    }
    // A semicolon makes an entity of what is before it; else an ampersand is just that.
    if !out.contains(';') {
        out = out.replace("\\&", "&");
    }
    if out.contains(['(', ')']) {
        format!("<{out}>")
    } else {
        out
    }
}

/// What stands around a text.
#[derive(Debug, Clone, Copy)]
struct Context {
    before: Option<char>,
    after: Option<char>,
    in_link: bool,
    has_math: bool,
}

/// The text with a backslash in front of each sign that would mean something.
fn escape(text: &str, context: Context, out: &mut String) {
    let mut before = context.before;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let after = letters.peek().map(|&(_, after)| after).or(context.after);
        let behind = &text[at + letter.len_utf8()..];
        if means_something(letter, before, after, behind, context) {
            out.push('\\');
        }
        out.push(letter);
        before = Some(letter);
    }
}

fn means_something(
    letter: char,
    before: Option<char>,
    after: Option<char>,
    behind: &str,
    context: Context,
) -> bool {
    let is_space = |side: Option<char>| side.is_some_and(char::is_whitespace);
    match letter {
        '*' => !(is_space(before) && is_space(after)),
        '`' => true,
        '\\' => after.is_none_or(|after| after.is_ascii_punctuation()),
        '_' => {
            let is_inside = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
            !(is_inside(before) && is_inside(after))
        }
        // Without a sign that ends the mark there is none, and what could be one is escaped.
        '~' => {
            !(before.is_none_or(char::is_whitespace)
                && after.is_some_and(|after| after.is_whitespace() || after.is_alphanumeric()))
        }
        '[' => context.in_link || after == Some('^') || before.is_none() && is_task(behind),
        ']' => context.in_link || matches!(after, Some('(' | '[' | ':')),
        '!' => after == Some('['),
        '<' => after.is_some_and(|after| after.is_ascii_alphabetic() || "/!?".contains(after)),
        '&' if behind.is_empty() => after.is_some_and(|after| after.is_alphanumeric() || after == '#'),
        '&' => is_entity(behind),
        '$' => context.has_math,
        _ => false,
    }
}

/// Whether an opening bracket begins a box to tick.
fn is_task(behind: &str) -> bool {
    let mut letters = behind.chars();
    matches!(letters.next(), Some(' ' | 'x' | 'X')) && letters.next() == Some(']')
}

/// Whether an ampersand begins an entity.
fn is_entity(behind: &str) -> bool {
    let end = behind.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '#');
    end.is_some_and(|end| end > 0 && behind[end..].starts_with(';'))
}

/// Escapes what would make a heading, a list, a quote or a line of the start of a line.
fn escape_line_starts(lines: &str) -> String {
    let escaped: Vec<String> = lines.split('\n').map(escape_line_start).collect();
    escaped.join("\n")
}

fn escape_line_start(line: &str) -> String {
    match dangerous_at(line) {
        Some(at) => format!("{}\\{}", &line[..at], &line[at..]),
        None => line.to_owned(),
    }
}

/// Where a backslash must go so that a line is nothing but words.
fn dangerous_at(line: &str) -> Option<usize> {
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t', '\\']);
    let first = line.chars().next()?;
    let rest = &line[first.len_utf8()..];
    let is_only = |signs: &str| {
        line.trim_end_matches('\\')
            .chars()
            .all(|letter| signs.contains(letter) || letter == ' ')
    };
    let is_dangerous = match first {
        '#' => is_end(rest.trim_start_matches('#')),
        '>' => true,
        '-' | '+' => is_end(rest) || is_only("-|:"),
        '*' => rest.is_empty() || rest.starts_with([' ', '\t']),
        '=' => is_only("="),
        '|' | ':' => is_only("-|:"),
        _ => false,
    };
    if is_dangerous {
        return Some(0);
    }
    let digits = line.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(0);
    let is_number =
        (1..=9).contains(&digits) && line[digits..].starts_with(['.', ')']) && is_end(&line[digits + 1..]);
    is_number.then_some(digits)
}

/// A heading must not end with what would close it.
fn escape_heading_end(heading: String) -> String {
    let plain = heading.trim_end_matches('#');
    if plain.len() < heading.len() && (plain.is_empty() || plain.ends_with(' ')) {
        let last = heading.len() - 1;
        return format!("{}\\#", &heading[..last]);
    }
    heading
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        let mut line = Line::default();
        line.text(text);
        assert_eq!(line.take(LineContext::Paragraph), expect);
    }

    #[test]
    fn only_what_means_something_is_escaped() {
        check("snake_case and _x_", "snake_case and \\_x\\_");
        check("1. a", "1\\. a");
        check("1.5 a", "1.5 a");
        check("- a", "\\- a");
        check("-a", "-a");
        check("# a", "\\# a");
        check("#a", "#a");
        check("> a", "\\> a");
        check("a > b < c & d", "a > b < c & d");
        check("a<b &amp; &x", "a\\<b \\&amp; &x");
        check("a*b `c`", "a\\*b \\`c\\`");
        check("3 * 4", "3 * 4");
        check("* a *", "\\* a \\*");
        check("~5 km, a~b~", "~5 km, a\\~b\\~");
        check("[a] [b](c) [d]: e", "[a] [b\\](c) [d\\]: e");
        check("---", "\\---");
        check("C:\\dir \\_", "C:\\dir \\\\\\_");
        check("see [x] and [^1]", "see [x] and \\[^1]");
    }

    #[test]
    fn what_follows_decides() {
        let followed = |text: &str, span: Span| {
            let mut line = Line::default();
            line.text(text);
            line.open(span);
            line.text("b");
            line.close();
            line.take(LineContext::Paragraph)
        };
        let strong = || Span::Mark(Mark::Strong);
        assert_eq!(followed("Yes! ", strong()), "Yes! **b**");
        assert_eq!(followed("a & ", strong()), "a & **b**");
        assert_eq!(followed("a!", strong()), "a!**b**");
        assert_eq!(followed("[a] ", Span::Link("c".to_owned())), "[a] [b](c)");
        assert_eq!(followed("a!", Span::Link("c".to_owned())), "a\\![b](c)");
        assert_eq!(followed("[a]", Span::Link("c".to_owned())), "[a\\][b](c)");
    }

    #[test]
    fn marks_that_cannot_be_are_left_out() {
        let marked = |before: &str, inside: &str, after: &str| {
            let mut line = Line::default();
            line.text(before);
            line.open(Span::Mark(Mark::Strong));
            line.text(inside);
            line.close();
            line.text(after);
            line.take(LineContext::Paragraph)
        };
        assert_eq!(marked("a ", "b", " c"), "a **b** c");
        assert_eq!(marked("a", " b ", "c"), "a **b** c");
        assert_eq!(marked("a", "b", "c"), "a**b**c");
        assert_eq!(marked("a", "“b”", "c"), "a“**b**”c");
        assert_eq!(marked("a", "!", "c"), "a!c");
        assert_eq!(marked("a", " ", "c"), "a c");
        assert_eq!(marked("强调", "（b）", "强"), "强调（**b**）强");
    }

    #[test]
    fn a_mark_that_could_end_the_one_around_is_left_out() {
        let marked = |between: &str| {
            let mut line = Line::default();
            line.open(Span::Mark(Mark::Strong));
            line.open(Span::Mark(Mark::Emphasis));
            line.text("a");
            line.close();
            line.text(between);
            line.open(Span::Mark(Mark::Emphasis));
            line.text("(b)");
            line.close();
            line.close();
            line.take(LineContext::Paragraph)
        };
        assert_eq!(marked("-"), "***a*-(b)**");
        assert_eq!(marked(" - "), "***a* - *(b)***");
    }

    #[test]
    fn marks_that_meet_are_joined() {
        let mut line = Line::default();
        for text in ["a", "b"] {
            line.open(Span::Mark(Mark::Emphasis));
            line.text(text);
            line.close();
        }
        assert_eq!(line.take(LineContext::Paragraph), "*ab*");
    }

    #[test]
    fn links() {
        let link = |text: &str, target: &str| {
            let mut line = Line::default();
            line.open(Span::Link(target.to_owned()));
            line.text(text);
            line.close();
            line.take(LineContext::Paragraph)
        };
        assert_eq!(
            link("a [b]", "https://x.org/?a=1&b=2"),
            "[a \\[b\\]](https://x.org/?a=1&b=2)"
        );
        assert_eq!(link("a", "https://x.org/(b)"), "[a](<https://x.org/(b)>)");
        assert_eq!(link("https://x.org/a", "https://x.org/a"), "<https://x.org/a>");
        assert_eq!(link("a@x.org", "mailto:a@x.org"), "<a@x.org>");
        assert_eq!(link(" ", "https://x.org/a"), "");
    }

    #[test]
    fn code() {
        let code = |code: &str| {
            let mut line = Line::default();
            line.code(code);
            line.take(LineContext::Paragraph)
        };
        assert_eq!(code("a  b"), "`a b`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a"), "`` `a ``");
    }
}
