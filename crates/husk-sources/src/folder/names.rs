//! The file names under which the page at a URL may be saved, likeliest first.
//!
//! Pure: a [`Request`] in, relative paths out. The rules are those of [`Folder`](super::Folder).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::slice;

use super::httrack;
use super::request::Request;
use super::spelling::{Spelling, is_plain, os_name};

/// Names of index pages, likeliest first.
pub(super) const INDEX: [&str; 11] = [
    "index.html",
    "index.htm",
    "index.xhtml",
    "index.shtml",
    "index.php.html",
    "index.php",
    "index.asp",
    "index.aspx",
    "default.html",
    "default.htm",
    "default.aspx",
];

/// Extensions of programs that generate pages; HTTrack saves their output as `.html`.
const PROGRAMS: [&str; 14] = [
    "php", "php3", "php4", "php5", "phtml", "asp", "aspx", "jsp", "jspx", "cfm", "cgi", "pl", "do", "shtml",
];

/// The relative paths where the page may be, each once, likeliest first.
pub(super) fn names_of(request: &Request) -> Vec<PathBuf> {
    let mut names = Vec::new();
    let mut paths: Vec<SpelledPath> = Vec::new();
    for spelling in Spelling::ALL {
        let Some(path) = SpelledPath::of(request, spelling) else {
            continue;
        };
        // Most are spelled alike by all tools.
        if request.query.is_none() && paths.contains(&path) {
            continue;
        }
        let ends = match request.query {
            Some(query) => path.names_with_query(query, spelling),
            None => path.names(),
        };
        names.extend(ends.into_iter().filter_map(|end| path.path_to(end)));
        paths.push(path);
    }
    each_once(names)
}

/// Whether a relative path can be one of the names, in any letter case: all spellings keep the letters and digits that a step
/// begins with.
pub(super) fn may_be_of(request: &Request, path: &Path) -> bool {
    let mut names = path.iter().map(OsStr::as_encoded_bytes);
    let is_begun = |step: &&str| {
        let Some(name) = names.next() else {
            return false;
        };
        let plain = step.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let front = name.get(..plain);
        !name.is_ascii() || front.is_some_and(|front| front.eq_ignore_ascii_case(&step.as_bytes()[..plain]))
    };
    // What is left may be an index page.
    request.steps.iter().all(is_begun) && names.nth(1).is_none()
}

fn each_once(names: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut once: Vec<PathBuf> = Vec::with_capacity(names.len());
    for name in names {
        // They have no needless steps, so that they need not be taken apart.
        if !once.iter().any(|known| known.as_os_str() == name.as_os_str()) {
            once.push(name);
        }
    }
    once
}

/// A path in one spelling: the folder, and the last segment if that may be a file.
#[derive(PartialEq, Eq)]
struct SpelledPath {
    folder: PathBuf,
    /// The last segment of the path; none for the root.
    last: Option<Vec<u8>>,
    /// Whether the path ended with a slash, so that the folder's index page is meant.
    is_folder: bool,
}

impl SpelledPath {
    /// None if a segment cannot be a file name.
    fn of(request: &Request, spelling: Spelling) -> Option<Self> {
        let mut steps: Vec<Vec<u8>> = request.steps.iter().map(|step| spelling.spell(step)).collect();
        if !steps.iter().all(|step| is_plain(step)) {
            return None;
        }
        let last = steps.pop();
        let folder = steps.into_iter().map(os_name).collect::<Option<PathBuf>>()?;
        Some(Self {
            folder,
            last,
            is_folder: request.is_folder,
        })
    }

    /// The ends of paths for a URL without a query.
    fn names(&self) -> Vec<Vec<u8>> {
        let Some(last) = &self.last else {
            return INDEX.map(|index| index.as_bytes().to_vec()).to_vec();
        };
        let inside = INDEX.map(|index| [last, &b"/"[..], index.as_bytes()].concat());
        let beside = if has_page_extension(last) {
            Vec::new()
        } else {
            vec![with_ending(last, ".html"), with_ending(last, ".htm")]
        };
        if self.is_folder {
            return [&inside[..], &beside].concat();
        }
        let replaced = program_stem(last).map(|stem| with_ending(stem, ".html"));
        [slice::from_ref(last), &beside, &inside, replaced.as_slice()].concat()
    }

    /// The ends of paths for a URL with a query. A file that was saved without it is another page.
    fn names_with_query(&self, query: &str, spelling: Spelling) -> Vec<Vec<u8>> {
        let file = self.file_with_query();
        match spelling.query_mark() {
            Some(mark) => {
                let whole = [&file[..], &[mark], &spelling.spell(query)].concat();
                let kept = is_named_for(&file, query).then_some(file);
                let ending = with_ending(&whole, ".html");
                [whole, ending].into_iter().chain(kept).collect()
            }
            None => {
                let stem = stem(&file);
                let named = |digits: &String| with_ending(stem, &format!("{digits}.html"));
                httrack::query_digits(query).iter().map(named).collect()
            }
        }
    }

    /// The file that the query is appended to: tools use `index.html` for a folder.
    fn file_with_query(&self) -> Vec<u8> {
        match &self.last {
            Some(last) if self.is_folder => [last, &b"/index.html"[..]].concat(),
            Some(last) => last.clone(),
            None => b"index.html".to_vec(),
        }
    }

    /// The whole path; none if its end is not a plain name.
    fn path_to(&self, end: Vec<u8>) -> Option<PathBuf> {
        let mut path = self.folder.clone();
        for step in end.split(|&byte| byte == b'/') {
            if !is_plain(step) {
                return None;
            }
            path.push(os_name(step.to_vec())?);
        }
        Some(path)
    }
}

fn with_ending(name: &[u8], ending: &str) -> Vec<u8> {
    [name, ending.as_bytes()].concat()
}

fn has_page_extension(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.ends_with(b".html") || lower.ends_with(b".htm")
}

fn stem(name: &[u8]) -> &[u8] {
    let dot = name.iter().rposition(|&byte| byte == b'.' || byte == b'/');
    dot.filter(|&at| name[at] == b'.').map_or(name, |at| &name[..at])
}

/// The name without the extension of a program.
fn program_stem(name: &[u8]) -> Option<&[u8]> {
    let stem = stem(name);
    let extension = str::from_utf8(name.get(stem.len() + 1..)?)
        .ok()?
        .to_ascii_lowercase();
    PROGRAMS.contains(&extension.as_str()).then_some(stem)
}

fn is_named_for(file: &[u8], query: &str) -> bool {
    str::from_utf8(stem(file)).is_ok_and(|stem| httrack::is_named_for(stem, query))
}

#[cfg(test)]
mod tests {
    use husk::Url;

    use super::*;

    fn names(path: &str) -> Vec<String> {
        let base = Url::parse("https://example.org/").unwrap();
        let url = base.join(path).unwrap();
        let request = Request::below(&base, &url).unwrap();
        let names = names_of(&request);
        assert!(names.iter().all(|name| may_be_of(&request, name)), "{path}");
        names
            .iter()
            .map(|name| name.to_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn the_site_itself() {
        assert_eq!(names("/"), INDEX);
    }

    #[test]
    fn a_name_without_extension() {
        let names = names("/docs/about");
        assert_eq!(
            names[..4],
            [
                "docs/about",
                "docs/about.html",
                "docs/about.htm",
                "docs/about/index.html"
            ]
        );
        assert_eq!(names.len(), 3 + INDEX.len());
    }

    #[test]
    fn a_folder() {
        let names = names("/docs/");
        assert_eq!(names[..2], ["docs/index.html", "docs/index.htm"]);
        assert_eq!(names[INDEX.len()..], ["docs.html", "docs.htm"]);
    }

    #[test]
    fn a_page_by_its_name() {
        assert_eq!(names("/a.html")[..2], ["a.html", "a.html/index.html"]);
        let program = names("/item.php");
        assert_eq!(program[..3], ["item.php", "item.php.html", "item.php.htm"]);
        assert_eq!(program.last().unwrap(), "item.html");
        assert!(!names("/logo.png").contains(&"logo.html".to_owned()));
    }

    #[test]
    fn a_page_with_a_query() {
        assert_eq!(
            names("/item.php?id=1"),
            [
                "item.php?id=1",
                "item.php?id=1.html",
                "item.php@id=1",
                "item.php@id=1.html",
                "item681a.html"
            ]
        );
        assert_eq!(
            names("/docs/?page=2"),
            [
                "docs/index.html?page=2",
                "docs/index.html?page=2.html",
                "docs/index.html@page=2",
                "docs/index.html@page=2.html",
                "docs/index4658.html"
            ]
        );
        assert_eq!(names("/?page=2")[0], "index.html?page=2");
        assert!(names("/v1.2/search?q=x%20y").contains(&"v1.2/searchb729.html".to_owned()));
    }

    #[test]
    fn a_link_that_httrack_rewrote() {
        assert!(names("/item681a.html?id=1").contains(&"item681a.html".to_owned()));
        assert!(!names("/item681a.html?id=2").contains(&"item681a.html".to_owned()));
        assert!(!names("/item.html?id=1").contains(&"item.html".to_owned()));
    }

    #[test]
    fn names_decoded_before_names_as_written() {
        let names = names("/caf%C3%A9.html");
        let path = |name: &str| names.iter().position(|other| other == name);
        assert_eq!(path("café.html"), Some(0));
        assert!(path("caf%C3%A9.html") > Some(0));
    }

    #[test]
    fn other_files_are_seen_without_all_names() {
        let base = Url::parse("https://example.org/").unwrap();
        let may_be = |path: &str, file: &str| {
            let url = base.join(path).unwrap();
            may_be_of(&Request::below(&base, &url).unwrap(), Path::new(file))
        };
        for (path, file) in [
            ("/", "a/index.html"),
            ("/a/b", "a.html"),
            ("/a/b", "a/c/index.html"),
            ("/a", "a/b/index.html"),
        ] {
            assert!(!may_be(path, file), "{path} {file}");
        }
        assert!(may_be("/A/b.php?x=1", "a/B@x=1.html") && may_be("/k", "\u{212a}.html"));
    }

    #[test]
    fn nothing_leads_out() {
        for path in [
            "/..%2F..%2Fetc/passwd",
            "/a%00b",
            "/%2e%2e/a",
            "/?..%2F..%2Fx",
            "/x?/../../y",
        ] {
            for name in names_of_path(path) {
                let is_plain = |part: std::path::Component| matches!(part, std::path::Component::Normal(_));
                assert!(name.components().all(is_plain), "{path}: {}", name.display());
            }
        }
    }

    fn names_of_path(path: &str) -> Vec<PathBuf> {
        let base = Url::parse("https://example.org/").unwrap();
        names_of(&Request::below(&base, &base.join(path).unwrap()).unwrap())
    }
}
