//! The similarity of URLs: pages of one layout mostly have URLs of one shape.

use url::Url;

/// The parts of a URL.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    folders: Vec<String>,
    /// The last segment, without extension.
    name: String,
    extension: String,
    /// Whether the page is the index of a folder, so that it has the folder's name.
    is_index: bool,
    has_query: bool,
}

/// The weight of each similarity. The first four distinguish layouts; the others break ties.
mod weight {
    /// The share of equal folders, from the first on.
    pub(super) const SAME_FOLDERS: f64 = 1.0;
    /// The same number of folders.
    pub(super) const SAME_DEPTH: f64 = 1.0;
    /// The share of folders that are equal or both numbers, as in dates.
    pub(super) const LIKE_FOLDERS: f64 = 1.0;
    /// The same extension, or both the index of a folder.
    pub(super) const SAME_STYLE: f64 = 0.7;
    /// Names that differ in their numbers only.
    pub(super) const SAME_SERIES: f64 = 0.7;
    /// Both have a name, or neither: the first page of a site has none.
    pub(super) const BOTH_NAMED: f64 = 0.5;
    /// The same first word in names of several words.
    pub(super) const SAME_FIRST_WORD: f64 = 0.3;
    /// Both have a query, or neither.
    pub(super) const BOTH_QUERIES: f64 = 0.3;
    /// Both names are numbers, words with numbers, or words.
    pub(super) const LIKE_NAMES: f64 = 0.2;
}

impl Shape {
    /// The shape of a URL without its first folders, which all pages of the site have. The index page of a folder counts
    /// as a page beside the folder, with its name.
    pub(super) fn of(url: &Url, root: usize) -> Self {
        let mut shape = Self::as_folder(url, root);
        if shape.is_index {
            shape.name = shape.folders.pop().unwrap_or_default();
        }
        shape
    }

    /// The same, but the index page of a folder counts as a page in the folder.
    pub(super) fn as_folder(url: &Url, root: usize) -> Self {
        let (folders, last) = url.path().rsplit_once('/').unwrap_or(("", url.path()));
        let (name, extension) = last.rsplit_once('.').unwrap_or((last, ""));
        let is_index = name.is_empty() || name == "index";
        Self {
            folders: folders
                .split('/')
                .filter(|step| !step.is_empty())
                .skip(root)
                .map(str::to_owned)
                .collect(),
            name: if is_index { String::new() } else { name.to_owned() },
            extension: extension.to_ascii_lowercase(),
            is_index,
            has_query: url.query().is_some(),
        }
    }

    /// How many folders from the first on are the same as those of another page.
    pub(super) fn same_folders(&self, other: &Self) -> usize {
        let pairs = self.folders.iter().zip(&other.folders);
        pairs.take_while(|(one, other)| one == other).count()
    }

    /// The similarity of two URLs: the higher, the likelier one layout.
    pub(super) fn similarity(&self, other: &Self) -> f64 {
        let counts = |holds: bool, weight: f64| if holds { weight } else { 0.0 };
        self.folder_similarity(other)
            + counts(
                self.is_index == other.is_index && self.extension == other.extension,
                weight::SAME_STYLE,
            )
            + counts(is_series(&self.name, &other.name), weight::SAME_SERIES)
            + counts(self.name.is_empty() == other.name.is_empty(), weight::BOTH_NAMED)
            + counts(
                have_same_first_word(&self.name, &other.name),
                weight::SAME_FIRST_WORD,
            )
            + counts(self.has_query == other.has_query, weight::BOTH_QUERIES)
            + counts(
                Digits::of(&self.name) == Digits::of(&other.name),
                weight::LIKE_NAMES,
            )
    }

    fn folder_similarity(&self, other: &Self) -> f64 {
        let pairs = || self.folders.iter().zip(&other.folders);
        let most = self.folders.len().max(other.folders.len());
        let share = |count: usize| {
            if most == 0 {
                1.0
            } else {
                count as f64 / most as f64
            }
        };
        let mut similarity = weight::SAME_FOLDERS * share(self.same_folders(other));
        if self.folders.len() == other.folders.len() {
            let is_like =
                |one: &str, other: &str| one == other || [one, other].map(Digits::of) == [Digits::Only; 2];
            let like = pairs().filter(|(one, other)| is_like(one, other)).count();
            similarity += weight::SAME_DEPTH + weight::LIKE_FOLDERS * share(like);
        }
        similarity
    }
}

/// Whether a page is the index of a folder that another page is in.
pub(super) fn is_above(page: &Url, other: &Url) -> bool {
    let shape = Shape::as_folder(page, 0);
    let folder = page.path().rsplit_once('/').map_or("", |(folder, _)| folder);
    let below = other.path().strip_prefix(folder);
    shape.is_index
        && !shape.has_query
        && below.is_some_and(|rest| rest.starts_with('/') && rest.len() > 1)
        && page.path() != other.path()
}

/// How much of a name is digits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Digits {
    Empty,
    Only,
    Some,
    None,
}

impl Digits {
    fn of(name: &str) -> Self {
        let digits = name.bytes().filter(u8::is_ascii_digit).count();
        match digits {
            _ if name.is_empty() => Self::Empty,
            0 => Self::None,
            all if all == name.len() => Self::Only,
            _ => Self::Some,
        }
    }
}

/// Whether two names differ in their numbers only: `msg0010` and `msg0011`.
fn is_series(one: &str, other: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let words = |name| str::split(name, is_digit).filter(|word| !word.is_empty());
    Digits::of(one) == Digits::Some && Digits::of(other) == Digits::Some && words(one).eq(words(other))
}

/// Whether two names of several words have the same first word: `class-list` and `class-map`.
fn have_same_first_word(one: &str, other: &str) -> bool {
    let first = |name: &str| {
        name.split(|letter: char| !letter.is_alphanumeric())
            .next()
            .unwrap_or_default()
            .len()
    };
    let length = first(one);
    0 < length && length < one.len() && first(other) == length && one[..length] == other[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Url {
        Url::parse("https://example.org/").unwrap().join(path).unwrap()
    }

    /// Checks that the first of two URLs is more similar to a key page's.
    #[track_caller]
    fn check(key: &str, nearer: &str, farther: &str) {
        let key = Shape::of(&url(key), 0);
        let similarity = |path| key.similarity(&Shape::of(&url(path), 0));
        assert!(
            similarity(nearer) > similarity(farther),
            "{nearer} {}, {farther} {}",
            similarity(nearer),
            similarity(farther)
        );
    }

    #[test]
    fn pages_of_one_layout_have_addresses_of_one_shape() {
        check("/docs/a.html", "/docs/b.html", "/blog/b.html");
        check("/docs/a.html", "/docs/b.html", "/docs/");
        check("/docs/a/", "/docs/b/", "/docs/");
        check("/docs/a/", "/docs/b/", "/about.html");
        check(
            "/2020/05/17/first-post/",
            "/2019/11/02/other-post/",
            "/tags/one/two/three/",
        );
        check("/list/msg0010.html", "/list/msg0009.html", "/list/threads.html");
        check("/api/class.A.html", "/api/class.B.html", "/api/method.B.html");
        check("/show?id=3", "/show?id=4", "/show");
    }

    #[test]
    fn nothing_is_more_like_a_page_than_itself() {
        for path in ["/", "/a/", "/a/b.html", "/2020/01/x1.html?q"] {
            let key = Shape::of(&url(path), 0);
            for other in ["/", "/c/", "/a/c.html", "/2020/02/x2.html?q", "/a/b/c/d"] {
                assert!(key.similarity(&Shape::of(&url(other), 0)) <= key.similarity(&key));
            }
        }
    }

    #[test]
    fn the_page_of_a_folder_is_above_what_is_in_it() {
        assert!(is_above(&url("/"), &url("/a/b.html")));
        assert!(is_above(&url("/a/index.html"), &url("/a/b/c")));
        assert!(!is_above(&url("/a/"), &url("/b/")));
        assert!(!is_above(&url("/a/"), &url("/a/")));
        assert!(!is_above(&url("/a"), &url("/a/b")));
        assert!(!is_above(&url("/a/?x"), &url("/a/b")));
    }
}
