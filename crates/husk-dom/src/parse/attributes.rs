//! Finds tags with more attributes than the limit before the tokenizer has to compare them all.

/// The tags of a page that have too many attributes.
#[derive(Debug)]
pub(super) struct Excess {
    pub(super) tags: Vec<LongTag>,
}

/// Where a tag with too many attributes starts, goes over the limit, and ends; offsets in bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LongTag {
    pub(super) start: usize,
    /// Where the first attribute beyond the limit begins.
    pub(super) excess: usize,
    /// Where the closing `>` stands.
    pub(super) end: usize,
}

impl Excess {
    /// Scans a page for such tags; none if it has none. Linear, and without any idea of scripts or comments:
    /// what it finds there is no tag, which is for the tokenizer to say.
    pub(super) fn find(text: &str, max_attributes: usize) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut tags = Vec::new();
        let mut at = 0;
        while let Some(start) = next_tag(bytes, at) {
            let scan = scan_tag(bytes, start, max_attributes);
            if let Some(excess) = scan.excess {
                tags.push(LongTag {
                    start,
                    excess,
                    end: scan.end,
                });
            }
            // What looked like a tag may be text with tags inside: look on right behind its start, unless it
            // was long. A long one is skipped, or a page of `<a <a <a` would be scanned over and over.
            at = if scan.end - start > REREAD {
                scan.end
            } else {
                start + 1
            };
        }
        (!tags.is_empty()).then_some(Self { tags })
    }
}

/// Tags up to this length are scanned again from their second byte.
const REREAD: usize = 64;

fn next_tag(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| byte == b'<')?;
        if bytes.get(at + 1)?.is_ascii_alphabetic() {
            return Some(at);
        }
        at += 1;
    }
}

struct TagScan {
    excess: Option<usize>,
    end: usize,
}

fn scan_tag(bytes: &[u8], start: usize, max_attributes: usize) -> TagScan {
    let is_space = |byte: u8| byte.is_ascii_whitespace() || byte == b'/';
    let mut at = start + 1;
    let mut count = 0;
    let mut excess = None;
    let skip = |at: &mut usize, wanted: &dyn Fn(u8) -> bool| {
        while *at < bytes.len() && wanted(bytes[*at]) {
            *at += 1;
        }
    };
    skip(&mut at, &|byte| !is_space(byte) && byte != b'>');
    loop {
        skip(&mut at, &is_space);
        if at >= bytes.len() || bytes[at] == b'>' {
            return TagScan { excess, end: at };
        }
        count += 1;
        if count == max_attributes + 1 {
            excess = Some(at);
        }
        at += 1;
        skip(&mut at, &|byte| !is_space(byte) && byte != b'>' && byte != b'=');
        skip(&mut at, &|byte| byte.is_ascii_whitespace());
        if bytes.get(at) != Some(&b'=') {
            continue;
        }
        at += 1;
        skip(&mut at, &|byte| byte.is_ascii_whitespace());
        match bytes.get(at) {
            Some(&quote @ (b'"' | b'\'')) => {
                at += 1;
                skip(&mut at, &|byte| byte != quote);
                at = (at + 1).min(bytes.len());
            }
            _ => skip(&mut at, &|byte| !byte.is_ascii_whitespace() && byte != b'>'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(usize, usize, usize)]) {
        let found = Excess::find(text, 2).map_or(Vec::new(), |excess| excess.tags);
        let found: Vec<_> = found.iter().map(|tag| (tag.start, tag.excess, tag.end)).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn counts_attributes_of_each_tag() {
        check("<a b c>", &[]);
        check("<a b c d>", &[(0, 7, 8)]);
        check("x<p a='> d e f' b=\">\">", &[]);
        check("<p a=1 b = 2 c='3'></p>", &[(0, 13, 18)]);
        check("<p a/b/c>", &[(0, 7, 8)]);
        check("<p a b c", &[(0, 7, 8)]);
    }

    #[test]
    fn ends_on_any_broken_tag() {
        for broken in ["<a", "<a ", "<a b=", "<a b='", "<a b='c", "<", "<a <a <a <a"] {
            Excess::find(broken, 1);
        }
    }
}
